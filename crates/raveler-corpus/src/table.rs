//! Tab-separated tables with a header line, as the reference numbers come in.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// A table in memory.
#[derive(Debug)]
pub struct Table {
    columns: BTreeMap<String, usize>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Read a file. A `#` before the header's first column, and lines that begin with one, are comments.
    pub fn read(path: &Path) -> io::Result<Table> {
        let text = fs::read_to_string(path)?;
        Table::parse(&text).map_err(|line| {
            let message =
                format!("{}: line {line} has another number of columns than the first", path.display());
            io::Error::new(io::ErrorKind::InvalidData, message)
        })
    }

    /// Read a text; the number of a line with a wrong number of columns if there is one.
    pub fn parse(text: &str) -> Result<Table, usize> {
        let mut lines = text.lines().enumerate();
        let (_, header) = lines.next().unwrap_or((0, ""));
        let header = header.trim_start_matches(['#', ' ']);
        let columns: BTreeMap<String, usize> =
            header.split('\t').enumerate().map(|(index, name)| (name.to_owned(), index)).collect();
        let mut rows = Vec::new();
        for (index, line) in lines.filter(|(_, line)| !line.starts_with('#') && !line.is_empty()) {
            let row: Vec<String> = line.split('\t').map(str::to_owned).collect();
            if row.len() != columns.len() {
                return Err(index + 1);
            }
            rows.push(row);
        }
        Ok(Table { columns, rows })
    }

    /// The rows, each able to name its cells.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|cells| Row { table: self, cells })
    }
}

/// One row of a [`Table`].
#[derive(Clone, Copy)]
pub struct Row<'t> {
    table: &'t Table,
    cells: &'t [String],
}

impl<'t> Row<'t> {
    /// The cell of this column; empty if there is no such column.
    pub fn get(&self, column: &str) -> &'t str {
        self.table.columns.get(column).map_or("", |&index| &self.cells[index])
    }

    /// The cell of this column as a number.
    pub fn number(&self, column: &str) -> Option<u64> {
        self.get(column).parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_by_the_name_of_their_column() {
        let table = Table::parse("# a\tb\n# a comment\n1\t\n3\t4\n").expect("two rows");
        let cells: Vec<_> = table.rows().map(|row| (row.get("a"), row.number("b"), row.get("c"))).collect();
        assert_eq!(cells, [("1", None, ""), ("3", Some(4), "")]);
        assert_eq!(Table::parse("a\tb\n1\n").err(), Some(2));
    }
}
