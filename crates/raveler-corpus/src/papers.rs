//! `raveler-corpus papers`: the tables of the papers that the project follows, each number beside ours.
//!
//! A line of a table is data ([`row::Row`]): program, command, the paper's number, ours. docs/papers.md holds all of
//! them between marks; tests compare the page with the data, and the data with what short searches count. Times decide
//! nothing.

pub mod lapor;
pub mod page;
pub mod rinspect;
pub mod row;
pub mod table;
pub mod tracer;
pub mod xmm;

use std::path::PathBuf;
use std::time::Duration;
use std::{fs, io};

use crate::bench::machine::Machine;
use crate::shared;
use page::Page;
use rinspect::{litmus, plot, reduction};
use row::corpus;
use table::{Run, Table, show_seconds};

/// The papers: Tracer, rInspect, GenMC-XMM, LAPOR.
pub const PAPERS: [&str; 4] = ["000", "002", "003", "004"];

/// All tables that consist of lines.
pub fn tables() -> Vec<Table> {
    [tracer::tables(), rinspect::tables(), xmm::tables(), lapor::tables()].concat()
}

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// A paper, or what a table's name begins with; everything if it is empty.
    only: String,
    /// Long lines, too.
    with_long: bool,
    /// Stop a search after this many seconds.
    limit: Option<Duration>,
    /// Write the tables and the plot into the documentation.
    write: bool,
    /// The folder of judged litmus tests.
    tests: Option<PathBuf>,
}

impl Options {
    /// Read the words after the command's name; none if they mean nothing.
    pub fn read(words: &[&str]) -> Option<Options> {
        let mut options = Options {
            only: String::new(),
            with_long: false,
            limit: None,
            write: false,
            tests: shared::folder(),
        };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match word {
                "--long" => options.with_long = true,
                "--write" => options.write = true,
                "--limit" => options.limit = Some(Duration::from_secs(words.next()?.parse().ok()?)),
                "--tests" => options.tests = Some(PathBuf::from(words.next()?)),
                only if options.only.is_empty() && PAPERS.iter().any(|paper| only.starts_with(paper)) => {
                    options.only = only.to_owned();
                }
                _ => return None,
            }
        }
        Some(options)
    }

    fn wants(&self, name: &str) -> bool {
        name.starts_with(&self.only)
    }
}

/// How long a search of Figs. 7 and 8 or of Table 2 may take, if nothing else is said.
const LIMIT: Duration = Duration::from_secs(5);

/// Run the tables, print them, and write them into the page if that is asked for; false if a number is wrong.
pub fn run(options: &Options) -> io::Result<bool> {
    let machine = Machine::here();
    let page = Page::read()?;
    let (mut wrong, mut blocks) = (Vec::new(), Vec::new());
    for table in tables().iter().filter(|table| options.wants(table.name)) {
        let runs = table.run(options.with_long, options.limit, &mut wrong, &mut |row, run| {
            if let Run::Found(found) = run {
                let count = found.count.map_or("not in time".to_owned(), table::grouped);
                eprintln!("{} {}: {count}, {} s", row.program, row.options, show_seconds(found.seconds));
            }
        });
        let before = page.block(table.name).unwrap_or_default().to_owned();
        blocks.push(shown(table.name, table.found(&runs, &before)));
    }
    let limit = options.limit.unwrap_or(LIMIT);
    if options.wants("002-table1") {
        match &options.tests {
            Some(folder) => {
                let (tests, all) = litmus::table_1(folder)?;
                blocks.push(shown("002-table1", litmus::show_1(tests, &all)));
            }
            None => eprintln!("002-table1 needs a folder of tests: --tests DIR, or RAVELER_SHARED"),
        }
    }
    if options.wants("002-table2") && options.with_long {
        let mut lines = vec![
            ("programs of `corpus/c`", litmus::shares_of_programs(limit)?),
            ("tests of `corpus/litmus`", litmus::shares_of_tests(&corpus("litmus"))?),
        ];
        if let Some(folder) = &options.tests {
            lines.push(("judged tests", litmus::shares_of_tests(&folder.join("tests"))?));
        }
        blocks.push(shown("002-table2", litmus::show_2(&lines)));
    }
    if options.wants("002-reduction") && options.with_long {
        let measured = reduction::measure(limit, &mut |line| eprintln!("{line:?}"))?;
        blocks.push(shown("002-reduction", reduction::show(&measured, limit)));
    }
    if options.write {
        let Machine { processor, cores, rustc, commit, date } = &machine;
        let version = env!("CARGO_PKG_VERSION");
        let text = format!("raveler {version} ({commit}), {date}, {processor}, {cores} cores, {rustc}.\n");
        for paper in PAPERS.into_iter().filter(|paper| options.only.is_empty() || options.only == *paper) {
            blocks.push((format!("{paper}-measured"), text.clone()));
        }
        // Read again: a long run may have been overtaken by a short one.
        let mut page = Page::read()?;
        for (name, text) in &blocks {
            if !page.replace(name, text) {
                wrong.push(format!("docs/papers.md has no place for {name}"));
            }
        }
        page.write()?;
        fs::write(page::docs().join(PLOT), plot::draw())?;
    }
    for message in &wrong {
        println!("{message}");
    }
    println!("{} wrong", wrong.len());
    Ok(wrong.is_empty())
}

/// The plot of Fig. 9, in the folder of the documentation.
pub const PLOT: &str = "buffers-dijkstra.svg";

/// Print a block of the page, and keep it.
fn shown(name: &str, text: String) -> (String, String) {
    println!("{name}\n\n{text}");
    (name.to_owned(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_or_refused() {
        let options =
            Options::read(&["002-table1", "--long", "--limit", "7", "--tests", "t"]).expect("known");
        assert!(options.wants("002-table1") && !options.wants("002-table2"));
        assert!(options.with_long && !options.write);
        assert_eq!((options.limit, options.tests), (Some(Duration::from_secs(7)), Some(PathBuf::from("t"))));
        for wrong in [&["001"][..], &["--limit"], &["000", "002"], &["--fast"]] {
            assert_eq!(Options::read(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn numbers_that_differ_are_explained() {
        for row in tables().iter().flat_map(|table| &table.rows) {
            let differs = row.paper.is_some() && row.paper != row.ours;
            assert!(!differs || !row.remark.is_empty(), "{row:?}");
        }
    }
}
