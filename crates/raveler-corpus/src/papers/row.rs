//! One line of a paper's table: a program, how it is searched, the paper's number and ours.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use raveler_core::outcome::StopReason;
use raveler_core::{Engine, Model};
use raveler_litmus::PrivateLocations;

use crate::bench::clock::timed;
use crate::c::{Asked, asked, prepare, search_within};
use crate::run::search_test;
use crate::xmm::measure::search_line;
use crate::xmm::table::rows as line_rows;

/// The program of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A file below `corpus/c` without its suffix, and flags for the compiler.
    C(&'static str, &'static str),
    /// A file below `corpus/litmus` without its suffix.
    Litmus(&'static str),
    /// A program of the tables in `corpus/xmm`.
    Line(&'static str),
    /// The paper does not give its text, or it was not written yet.
    Nothing,
}

/// What a line counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Complete executions; of interleavings, complete runs.
    Executions,
    /// Runs that differ in events or reads-from.
    Classes,
    /// Load-buffering races over all executions.
    LbRaces,
}

/// One line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The program's name and size, as the paper has it.
    pub program: String,
    /// Its text.
    pub subject: Subject,
    /// How it is searched, as on the command line.
    pub options: String,
    /// What is counted.
    pub measure: Measure,
    /// What the paper prints.
    pub paper: Option<u64>,
    /// What we count; none if there is nothing to run.
    pub ours: Option<u64>,
    /// The seconds that the paper prints, or nothing.
    pub paper_seconds: &'static str,
    /// Run only if it is asked for.
    pub is_long: bool,
    /// Why the numbers differ, and what else is to be said.
    pub remark: String,
}

/// A line whose number is the paper's.
pub fn same(program: impl Into<String>, subject: Subject, options: &str, count: u64) -> Row {
    Row {
        program: program.into(),
        subject,
        options: options.to_owned(),
        measure: Measure::Executions,
        paper: Some(count),
        ours: Some(count),
        paper_seconds: "",
        is_long: false,
        remark: String::new(),
    }
}

/// A line of which we have no program.
pub fn without(program: impl Into<String>, options: &str, paper: u64, remark: &str) -> Row {
    Row { ours: None, ..same(program, Subject::Nothing, options, paper) }.remark(remark)
}

impl Row {
    /// The paper prints another number, for this reason.
    pub fn printed(mut self, paper: u64, remark: &str) -> Row {
        self.paper = Some(paper);
        self.remark(remark)
    }

    /// The paper prints no number.
    pub fn not_printed(mut self) -> Row {
        self.paper = None;
        self
    }

    /// What the paper says of its time.
    pub fn took(mut self, seconds: &'static str) -> Row {
        self.paper_seconds = seconds;
        self
    }

    /// Say something about it.
    pub fn remark(mut self, remark: &str) -> Row {
        self.remark = remark.to_owned();
        self
    }

    /// Only if it is asked for.
    pub fn long(mut self) -> Row {
        self.is_long = true;
        self
    }

    /// Count this instead of executions.
    pub fn counts(mut self, measure: Measure) -> Row {
        self.measure = measure;
        self
    }

    /// The command that makes the number.
    pub fn command(&self) -> String {
        let mut options = self.options.clone();
        match self.measure {
            Measure::Executions => {}
            Measure::Classes => options += " --report classes",
            Measure::LbRaces => options += " --report lb-races",
        }
        match self.subject {
            Subject::C(file, "") => format!("raveler check corpus/c/{file}.c {options}"),
            Subject::C(file, flags) => format!("raveler check corpus/c/{file}.c {options} -- {flags}"),
            Subject::Litmus(file) => format!("raveler check corpus/litmus/{file}.litmus {options}"),
            Subject::Line(name) => format!("raveler-corpus xmm --show {name} {options}"),
            Subject::Nothing => String::new(),
        }
    }

    /// Run it; stopped after `limit`, if there is one. Nothing if there is no program.
    pub fn run(&self, limit: Option<Duration>) -> Result<Option<Found>, String> {
        let wrong = |message: String| format!("{}, {}: {message}", self.program, self.options);
        let (model, rest) = model_and_options(&self.options).map_err(wrong)?;
        let Asked { mut settings, lowering, unroll, stack } = asked(model, &rest)
            .map_err(wrong)?
            .ok_or_else(|| wrong("this is not possible yet".to_owned()))?;
        match self.measure {
            Measure::Executions => {}
            Measure::Classes => settings.classes = true,
            Measure::LbRaces => settings.lb_races = true,
        }
        let (outcome, time) = match self.subject {
            Subject::Nothing => return Ok(None),
            Subject::C(file, flags) => {
                let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
                let program = prepare(&corpus("c").join(format!("{file}.c")), &flags, &lowering);
                let program = program.map_err(wrong)?.unrolled(unroll).with_stack(stack);
                program.prepare(&settings);
                timed(|| search_within(&program, &settings, limit).0)
            }
            Subject::Litmus(file) => {
                let path = corpus("litmus").join(format!("{file}.litmus"));
                let bytes = fs::read(&path).map_err(|error| wrong(format!("{}: {error}", path.display())))?;
                // As the command does: with a bound, stores to a thread's own locations wait in buffers like all others, and
                // as steps of a run they count like all others.
                let in_memory = settings.buffer_bound.is_some() || settings.engine == Engine::Interleaving;
                let private =
                    if in_memory { PrivateLocations::InMemory } else { PrivateLocations::InRegisters };
                let test = raveler_litmus::parse_bytes_with(file, &bytes, private)
                    .map_err(|_| wrong("the test is refused".to_owned()))?;
                settings.all = true;
                timed(|| search_test(&test, &settings).0)
            }
            Subject::Line(name) => {
                let rows = line_rows(&corpus("xmm")).map_err(|error| wrong(error.to_string()))?;
                let row = rows.into_iter().find(|row| row.name == name);
                let program = row.ok_or_else(|| wrong("there is no such row".to_owned()))?;
                let program = program.program().map_err(wrong)?;
                settings.all = true;
                settings.races = false;
                timed(|| search_line(&program, &settings).0)
            }
        };
        let count = match (&outcome.stopped, self.measure) {
            (Some(StopReason::Observer), _) => None,
            (Some(reason), _) => return Err(wrong(format!("the search stopped: {reason:?}"))),
            (None, Measure::Executions) => Some(outcome.counts.executions),
            (None, Measure::Classes) => outcome.classes,
            (None, Measure::LbRaces) => Some(outcome.lb_races),
        };
        Ok(Some(Found { count, seconds: time.cpu.as_secs_f64() }))
    }
}

/// What a run gave.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found {
    /// The number; none if the time was up.
    pub count: Option<u64>,
    /// CPU seconds of the search.
    pub seconds: f64,
}

/// A folder of the corpus.
pub fn corpus(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(folder)
}

/// `--model M` and what else there is.
fn model_and_options(options: &str) -> Result<(Model, Vec<String>), String> {
    let mut words: Vec<String> = options.split_whitespace().map(str::to_owned).collect();
    let at = words.iter().position(|word| word == "--model").ok_or("no --model")?;
    let name = words.get(at + 1).ok_or("--model takes a name")?.clone();
    words.drain(at..at + 2);
    let model = Model::ALL.into_iter().find(|model| model.name() == name);
    Ok((model.ok_or_else(|| format!("there is no model {name}"))?, words))
}
