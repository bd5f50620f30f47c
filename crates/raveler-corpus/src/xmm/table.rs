//! The rows of a table: programs, and how many executions they have.

use std::fmt;
use std::path::{Path, PathBuf};
use std::{fs, io};

use raveler_core::{Equivalence, Model, Settings, XmmRules};

use super::parse::parse;
use super::program::LineProgram;
use crate::table::{self, Table};

/// How many executions: told apart by coherence, and by reads-from alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// By program order, reads-from and coherence.
    pub co: u64,
    /// By program order and reads-from.
    pub rf: u64,
}

impl Pair {
    /// The number under one equivalence.
    pub fn get(self, equivalence: Equivalence) -> u64 {
        match equivalence {
            Equivalence::Coherence => self.co,
            Equivalence::ReadsFrom => self.rf,
        }
    }

    /// `4/3`
    fn read(text: &str) -> Option<Pair> {
        let (co, rf) = text.split_once('/')?;
        Some(Pair { co: co.parse().ok()?, rf: rf.parse().ok()? })
    }
}

/// Under what a program is run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rules {
    /// The model without re-execution.
    Rc20,
    /// XMM with one of its rule sets.
    Xmm(XmmRules),
}

impl Rules {
    /// All of them.
    pub fn all() -> Vec<Rules> {
        [Rules::Rc20].into_iter().chain(XmmRules::ALL.map(Rules::Xmm)).collect()
    }

    /// The one with this name: `rc20`, or the name of a rule set.
    pub fn find(name: &str) -> Option<Rules> {
        Rules::all().into_iter().find(|rules| rules.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Rules::Rc20 => Model::Rc20.name(),
            Rules::Xmm(rules) => rules.name(),
        }
    }

    /// How to search under them.
    pub fn settings(self, equivalence: Equivalence) -> Settings {
        let (model, xmm_rules) = match self {
            Rules::Rc20 => (Model::Rc20, XmmRules::Default),
            Rules::Xmm(rules) => (Model::Xmm, rules),
        };
        Settings { equivalence, xmm_rules, races: false, all: true, ..Settings::new(model) }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rules::Rc20 => f.write_str("rc20"),
            Rules::Xmm(rules) => write!(f, "xmm ({})", rules.name()),
        }
    }
}

/// What a note says about a rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Noted {
    Unknown,
    Counts(Pair),
}

/// One row.
#[derive(Clone, Debug)]
pub struct Row {
    /// The program's name.
    pub name: String,
    /// Its text.
    pub text: String,
    rc20: Pair,
    xmm: Pair,
    noted: Vec<(XmmRules, Noted)>,
}

impl Row {
    /// How many executions there must be; none if that is not known.
    ///
    /// What no note speaks of is as under the default rules. The printed definition is that without the condition on
    /// causality and without another one, so what a note says of that one holds for it as well.
    pub fn expected(&self, rules: Rules) -> Option<Pair> {
        let Rules::Xmm(rules) = rules else { return Some(self.rc20) };
        let noted = |wanted| self.noted.iter().find(|(rules, _)| *rules == wanted).map(|(_, noted)| *noted);
        let without_causality = match rules {
            XmmRules::Printed => noted(XmmRules::NoCausalRestriction),
            _ => None,
        };
        match noted(rules).or(without_causality) {
            None => Some(self.xmm),
            Some(Noted::Counts(pair)) => Some(pair),
            Some(Noted::Unknown) => None,
        }
    }

    /// The program, ready to run; what is wrong with its text otherwise.
    pub fn program(&self) -> Result<LineProgram, String> {
        let code = parse(&self.text).map_err(|mistake| format!("{}: {mistake}", self.name))?;
        Ok(LineProgram::new(&self.name, &self.text, code))
    }

    fn read(row: table::Row<'_>) -> Result<Row, String> {
        let name = row.get("name");
        let pair = |model: &str| -> Result<Pair, String> {
            let number = |equivalence: &str| {
                let column = format!("{model}_{equivalence}");
                row.number(&column).ok_or_else(|| format!("{name}: no number in the column {column}"))
            };
            Ok(Pair { co: number("co")?, rf: number("rf")? })
        };
        let published = row.get("published");
        if published != "-" && published.parse::<u64>().is_err() {
            return Err(format!("{name}: the column published holds a number or `-`"));
        }
        let (rc20, xmm) = (pair("rc20")?, pair("xmm")?);
        let noted = read_notes(row.get("notes")).map_err(|note| format!("{name}: unknown note `{note}`"))?;
        Ok(Row { name: name.to_owned(), text: row.get("program").to_owned(), rc20, xmm, noted })
    }
}

/// What notes say about rule sets; the first note that says nothing known otherwise.
fn read_notes(notes: &str) -> Result<Vec<(XmmRules, Noted)>, &str> {
    let mut noted = Vec::new();
    for (index, note) in notes.split("; ").enumerate() {
        let fits = match note.split_once('=') {
            None if index == 0 => ["benchmark-suite", "synthetic", "own", "generated"].contains(&note),
            None => note.starts_with("remark: "),
            Some(("complete", counts)) => Pair::read(counts).is_some(),
            Some(("table7.1", counts)) => {
                counts.split('/').filter(|count| count.parse::<u64>().is_ok()).count() == 3
            }
            Some((key, counts)) => {
                let mut known = XmmRules::ALL.into_iter().filter(|rules| *rules != XmmRules::Default);
                let rules = known.find(|rules| rules.name() == key);
                let counts = match counts {
                    "?" => Some(Noted::Unknown),
                    counts => Pair::read(counts).map(Noted::Counts),
                };
                let both = rules.zip(counts);
                noted.extend(both);
                both.is_some()
            }
        };
        if !fits {
            return Err(note);
        }
    }
    Ok(noted)
}

/// The tables in a folder, or the file itself.
pub fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let entries: io::Result<Vec<PathBuf>> =
        fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut files = entries?;
    files.retain(|file| file.extension().is_some_and(|suffix| suffix == "tsv"));
    files.sort();
    Ok(files)
}

/// The rows of all tables of a path. Two rows with one name are a mistake: `--only` could not tell them apart.
pub fn rows(path: &Path) -> io::Result<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    for file in files(path)? {
        let wrong = |message: String| io::Error::other(format!("{}: {message}", file.display()));
        for row in Table::read(&file)?.rows() {
            let row = Row::read(row).map_err(wrong)?;
            if rows.iter().any(|other| other.name == row.name) {
                return Err(wrong(format!("there are two rows {}", row.name)));
            }
            rows.push(row);
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# name\tprogram\trc20_co\txmm_co\trc20_rf\txmm_rf\tpublished\tnotes\n";

    fn row(notes: &str) -> Result<Row, String> {
        let table = Table::parse(&format!("{HEAD}LB\ta = X\t3\t5\t2\t4\t-\t{notes}\n")).expect("a table");
        Row::read(table.rows().next().expect("a row"))
    }

    fn expected(notes: &str) -> [Option<(u64, u64)>; 5] {
        let row = row(notes).expect("the notes can be read");
        let mut all = Rules::all().into_iter().map(|rules| row.expected(rules));
        [(); 5].map(|()| all.next().flatten().map(|pair| (pair.co, pair.rf)))
    }

    #[test]
    fn what_no_note_speaks_of_is_as_by_default() {
        let (rc20, xmm) = (Some((3, 2)), Some((5, 4)));
        assert_eq!(expected("own"), [rc20, xmm, xmm, xmm, xmm]);
        assert_eq!(expected("own; strict=?; complete=1/1"), [rc20, xmm, xmm, xmm, None]);
        let more = Some((7, 6));
        assert_eq!(expected("own; nocr=7/6; remark: more"), [rc20, xmm, more, more, xmm]);
        assert_eq!(expected("own; nocr=7/6; printed=9/8"), [rc20, xmm, more, Some((9, 8)), xmm]);
        assert_eq!(expected("own; table7.1=1/2/3; printed=7/6"), [rc20, xmm, xmm, more, xmm]);
    }

    #[test]
    fn unknown_notes_are_mistakes() {
        for notes in
            ["mine", "own; nocr=4", "own; default=4/4", "own; cr=4/4", "own; more", "own; table7.1=1/2"]
        {
            assert!(row(notes).is_err(), "{notes}");
        }
    }

    #[test]
    fn mistakes_in_a_program_name_row_and_column() {
        let mut row = row("own").expect("the notes can be read");
        row.text = "a = ".into();
        let message = row.program().err().expect("no expression");
        assert_eq!(message, "LB: column 5: an expression cannot have the end here");
    }
}
