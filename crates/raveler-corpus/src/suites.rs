//! Other tools' suites of programs with known verdicts, run from checkouts given by path: which of them the command answers
//! as its suite expects, and why not the others. Nothing of a suite is kept in the repository; the numbers are in
//! docs/suites.md.

mod answer;
mod dartagnan;
mod genmc;
mod libvsync;
mod svcomp;
mod tally;

use std::io;
use std::path::{Path, PathBuf};

use crate::c;
use answer::ask;
use tally::Tally;

/// A program of a suite.
#[derive(Debug)]
struct Task {
    /// The row of the table that it counts in.
    row: String,
    file: PathBuf,
    options: Vec<String>,
    flags: Vec<String>,
    expected: Expected,
}

/// What a suite expects of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    /// No violation in any execution.
    Right,
    /// No violation as far as the suite itself looks, which need not be all executions.
    NoneFound,
    /// A violated assertion.
    Assertion,
    /// A violation of whichever kind.
    Wrong,
    /// No violation, in so many executions.
    Executions(u64),
}

/// How suites are run.
#[derive(Debug)]
pub struct Options {
    command: PathBuf,
    seconds: u64,
    memory: String,
    every: usize,
    only: String,
    listing: bool,
    checkouts: Vec<PathBuf>,
}

impl Options {
    /// Read the words behind `suites`.
    pub fn read(words: &[&str]) -> Option<Options> {
        let mut options = Options {
            command: std::env::current_exe().ok()?.with_file_name("raveler"),
            seconds: 10,
            memory: "1G".to_string(),
            every: 1,
            only: String::new(),
            listing: false,
            checkouts: Vec::new(),
        };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match word {
                "--raveler" => options.command = PathBuf::from(words.next()?),
                "--seconds" => options.seconds = words.next()?.parse().ok()?,
                "--memory" => options.memory = (*words.next()?).to_string(),
                "--every" => options.every = words.next()?.parse().ok().filter(|every| *every > 0)?,
                "--only" => options.only = (*words.next()?).to_string(),
                "--list" => options.listing = true,
                _ if word.starts_with("--") => return None,
                _ => options.checkouts.push(PathBuf::from(word)),
            }
        }
        (!options.checkouts.is_empty()).then_some(options)
    }
}

/// Run all programs of the checkouts and print what came out. A wrong answer is one that misses a violation or reports one
/// that the suite says is none: whether there was no such answer.
pub fn run(options: &Options) -> io::Result<bool> {
    if !options.command.exists() {
        let message =
            format!("{} is not there: cargo build --release -p raveler-cli", options.command.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    let mut tally = Tally::default();
    for checkout in &options.checkouts {
        let mut tasks = tasks(checkout)?;
        tasks.retain(|task| task.name().contains(&options.only));
        for task in tasks.iter().step_by(options.every) {
            let answer = ask(options, task)?;
            if options.listing {
                println!("{}: {answer}", task.name());
            }
            tally.note(task, answer);
        }
    }
    tally.print();
    Ok(tally.is_without_wrong_answers())
}

impl Task {
    /// The file with what tells its runs apart.
    fn name(&self) -> String {
        let flags: Vec<&str> = self
            .flags
            .iter()
            .map(String::as_str)
            .filter(|flag| !flag.starts_with("-I") && !flag.starts_with("-DVSYNC"))
            .collect();
        format!("{} {} {}", self.file.display(), self.options.join(" "), flags.join(" "))
            .trim_end()
            .to_string()
    }
}

/// The programs of a checkout, by what lies in it.
fn tasks(checkout: &Path) -> io::Result<Vec<Task>> {
    let has = |part: &str| checkout.join(part).exists();
    if has("vatomic") && has("verify") {
        libvsync::tasks(checkout)
    } else if has("dartagnan") {
        dartagnan::tasks(checkout)
    } else if has("tests/correct") && has("tests/wrong") {
        genmc::tasks(checkout)
    } else {
        svcomp::tasks(checkout)
    }
}

/// The C and C++ files directly in a folder, in the order of their names; none if there is no such folder.
fn sources(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = if folder.is_dir() { c::files(folder)? } else { Vec::new() };
    files.retain(|file| file.parent() == Some(folder));
    Ok(files)
}

/// Words as options have them.
fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}
