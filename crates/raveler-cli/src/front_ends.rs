//! The languages: one line each in [`ALL`]. A front-end turns a file into something that can be checked.

mod c;
mod files;
mod litmus;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use raveler_c::Part;
use raveler_core::{
    BadReplay, Estimate, Model, Outcome, Recording, Reductions, Settings, SourceMap, Violation, Witness,
};
use raveler_report::{Litmus, Names, Notes};

use crate::args::{EngineName, Input, Search, Unroll, VolatileName};
use crate::limits::{Limits, Progress};
use crate::properties::Properties;
use crate::refusal::{Refusal, code};
use crate::watch::Printer;
use files::File;

/// A language.
pub struct FrontEnd {
    /// As in `--lang` and in the JSON result.
    pub name: &'static str,
    /// The suffixes of its files.
    pub suffixes: &'static [&'static str],
    /// Reads a file.
    pub load: fn(&Request<'_>) -> Reading,
}

/// A file to read, and what the command line says about it.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// Its name.
    pub file: &'a str,
    /// What is in it.
    pub bytes: &'a [u8],
    /// Flags for clang.
    pub clang_flags: &'a [String],
    /// Further files of the same program.
    pub more: &'a [Part<'a>],
    /// The function to start with.
    pub entry: Option<&'a str>,
    /// The range of nondeterministic values.
    pub nondet: Option<(i64, i64)>,
    /// A volatile access is a relaxed atomic one.
    pub volatile_is_relaxed: bool,
    /// The bound on the rounds of loops.
    pub unroll: Option<u32>,
    /// Set when nobody waits for it any more.
    pub over: &'a Arc<AtomicBool>,
    /// How many bytes of stack a thread has.
    pub stack: Option<u64>,
    /// Store buffers have a size, so that every store to memory counts.
    pub full_buffers: bool,
}

/// What came of reading a file.
pub type Reading = Result<Box<dyn Checkable>, Refusal>;

/// All languages.
pub const ALL: &[FrontEnd] = &[
    FrontEnd { name: "litmus", suffixes: &["litmus"], load: litmus::load },
    FrontEnd { name: "c", suffixes: &["c", "h", "cc", "cpp", "cxx", "i", "ll", "bc"], load: c::load },
];

/// A program that was read, whatever its language.
pub trait Checkable: Sync {
    /// Names and places.
    fn sources(&self) -> Cow<'_, SourceMap>;
    /// The names of its locations.
    fn names(&self) -> Names;
    /// Explore its executions.
    fn check(&self, settings: &Settings, watching: Watching<'_>) -> Findings;
    /// How to come again to the executions that a check shows, as far as that was tried and leads to the same.
    fn record(&self, settings: &Settings, findings: &Findings) -> Recordings;
    /// Run one of them again.
    fn replay(
        &self,
        settings: &Settings,
        recording: &Recording,
        watching: Watching<'_>,
    ) -> Result<Findings, BadReplay>;
    /// The same program with another bound on the rounds of loops; none where there are no loops.
    fn unrolled(&self, rounds: u32) -> Option<Box<dyn Checkable>>;
    /// A number of the program, for tokens.
    fn number(&self) -> u32;
    /// Guess how many there are, by random walks, as long as `keep_going` says so; and what is left out of them beyond the
    /// equivalence.
    fn estimate(
        &self,
        settings: &Settings,
        probes: u64,
        seed: u64,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> (Estimate, Reductions);
}

/// What the command line wants to know during a check.
pub struct Watching<'a> {
    /// When to stop.
    pub limits: &'a Limits,
    /// Where executions are printed, if they are.
    pub printer: Option<&'a Printer<'a>>,
    /// Is the first execution to be kept?
    pub wants_first: bool,
    /// For how many final states or outcomes is an execution kept?
    pub examples: usize,
    /// What is looked for.
    pub properties: &'a Properties,
}

/// What a check found.
pub struct Findings {
    /// What the engine says.
    pub outcome: Outcome,
    /// What a litmus test adds.
    pub litmus: Option<Litmus>,
    /// What the front-end noticed.
    pub notes: Notes,
    /// The first execution, if it was to be kept.
    pub first: Option<Witness>,
    /// Final states or outcomes as text, with an execution for each, if they were to be kept.
    pub examples: Vec<(String, Witness)>,
}

/// How to come again to the executions that a check shows.
#[derive(Default)]
pub struct Recordings {
    /// To those of the violations, in their order.
    pub violations: Vec<Option<Recording>>,
    /// To the litmus test's own.
    pub shown: Option<Recording>,
}

/// The recording of a violation, if it was tried and leads to the same. `replay` runs it again as another process would.
fn recorded(
    outcome: &Outcome,
    violation: &Violation,
    replay: impl FnOnce(&Recording) -> Result<Outcome, BadReplay>,
) -> Option<Recording> {
    let recording = Recording::of_violation(outcome, violation)?;
    // Another search would take as long as the first one.
    if violation.witness.reexecution.is_some() {
        return Some(recording);
    }
    let again = replay(&recording).ok()?;
    let [same] = again.violations.as_slice() else { return None };
    let (left, right) = (&violation.witness, &same.witness);
    let is_same = (&left.story, &left.coherence, &left.flushes)
        == (&right.story, &right.coherence, &right.flushes)
        && left.threads.iter().map(|thread| &thread.events).eq(right.threads.iter().map(|t| &t.events));
    is_same.then_some(recording)
}

/// A program with the name and language it was read as.
pub struct Loaded {
    /// The file as the user gave it.
    pub file: String,
    /// The language.
    pub lang: &'static str,
    /// The program.
    pub program: Box<dyn Checkable>,
}

/// A file that was read, and the language it is in. It can be loaded more than once, with different options.
pub struct Source {
    front_end: &'static FrontEnd,
    /// The first one gives the program its name.
    first: File,
    more: Vec<File>,
}

impl Source {
    /// The language.
    pub fn lang(&self) -> &'static str {
        self.front_end.name
    }

    /// Read the file that the user named.
    pub fn read(input: &Input) -> Result<Source, Refusal> {
        let named = input.files.iter().find(|name| !Path::new(name).is_dir());
        let front_end = match named {
            Some(name) => choose(name, input.lang.as_deref())?,
            // Of folders and builds only C files are taken.
            None => choose("a folder.c", input.lang.as_deref())?,
        };
        let mut files = files::all(input)?;
        let several = files.len() > 1 || input.compile_commands.is_some();
        let fits = |file: &File| choose(&file.name, input.lang.as_deref()).map(|other| other.name == "c");
        if several && !files.iter().map(fits).collect::<Result<Vec<_>, _>>()?.into_iter().all(|c| c) {
            let message = "several files can only be one C program".to_string();
            return Err(Refusal::usage(code::BAD_OPTION, message, "check other files one by one"));
        }
        let more = files.split_off(files.len().min(1));
        let Some(first) = files.pop() else {
            let help = "name a file: raveler check FILE";
            return Err(Refusal::usage(code::BAD_OPTION, "there is no file to check".to_string(), help));
        };
        Ok(Source { front_end, first, more })
    }

    /// The name of the program: that of its first file.
    pub fn file(&self) -> &str {
        &self.first.name
    }

    /// The program in it, as these options want it.
    ///
    /// Under limits: if these end the reading, they have a cause.
    pub fn load(&self, search: &Search, clang_flags: &[String], limits: &Limits) -> Result<Loaded, Refusal> {
        let lang = self.front_end.name;
        search.fits(lang)?;
        if !clang_flags.is_empty() && lang != "c" {
            let message = format!("flags for clang mean nothing for {lang}");
            return Err(Refusal::usage(code::BAD_OPTION, message, "leave out what follows `--`"));
        }
        let all_flags = |file: &File| [&file.flags[..], clang_flags].concat();
        let first_flags = all_flags(&self.first);
        let flags: Vec<Vec<String>> = self.more.iter().map(all_flags).collect();
        let parts = self.more.iter().zip(&flags);
        let more: Vec<Part<'_>> =
            parts.map(|(file, flags)| Part { file: &file.name, bytes: &file.bytes, flags }).collect();
        let request = Request {
            file: &self.first.name,
            bytes: &self.first.bytes,
            clang_flags: &first_flags,
            more: &more,
            entry: search.entry.as_deref(),
            nondet: search.nondet,
            volatile_is_relaxed: search.volatile == Some(VolatileName::Relaxed),
            unroll: search.unroll.and_then(Unroll::rounds),
            stack: search.max_stack,
            full_buffers: search.engine == EngineName::Interleaving
                || search.buffer_bound.is_some() && search.model != Model::Sc,
            over: &limits.over(),
        };
        let program = limits.guard(Progress::Hidden, || (self.front_end.load)(&request))?;
        Ok(Loaded { file: self.first.name.clone(), lang, program })
    }
}

fn choose(file: &str, lang: Option<&str>) -> Result<&'static FrontEnd, Refusal> {
    let names: Vec<&str> = ALL.iter().map(|f| f.name).collect();
    let names = names.join(", ");
    if let Some(lang) = lang {
        return ALL.iter().find(|f| f.name == lang).ok_or_else(|| {
            let help = format!("the languages are: {names}");
            Refusal::usage(
                code::UNKNOWN_LANGUAGE,
                format!("raveler does not know the language `{lang}`"),
                &help,
            )
        });
    }
    if file == "-" {
        let message = "the language of standard input is not known".to_string();
        return Err(Refusal::usage(code::UNKNOWN_LANGUAGE, message, "add --lang litmus or --lang c"));
    }
    let suffix = std::path::Path::new(file).extension().and_then(|s| s.to_str());
    let known = ALL.iter().find(|f| suffix.is_some_and(|s| f.suffixes.contains(&s)));
    known.ok_or_else(|| {
        // A missing file is the likelier mistake than a missing suffix.
        if let Err(refusal) = read(file) {
            return refusal;
        }
        let message = match suffix {
            Some(suffix) => format!("raveler does not know what a `.{suffix}` file is"),
            None => "the file has no suffix that names its language".to_string(),
        };
        let help = format!("name the language with --lang ({names})");
        Refusal::about(file, code::UNKNOWN_LANGUAGE, message, &help)
    })
}

fn read(file: &str) -> Result<Vec<u8>, Refusal> {
    use std::io::{ErrorKind, Read};
    let bytes = if file == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    bytes.map_err(|error| {
        let (message, help) = match error.kind() {
            ErrorKind::NotFound => (format!("there is no file `{file}`"), "check the name and the folder"),
            ErrorKind::IsADirectory => (format!("`{file}` is a folder"), "name one file in it"),
            ErrorKind::PermissionDenied => (format!("`{file}` may not be read"), "check its permissions"),
            _ => (format!("`{file}` cannot be read: {error}"), ""),
        };
        Refusal::about(file, code::UNREADABLE, message, help)
    })
}
