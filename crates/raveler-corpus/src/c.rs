//! C files of the corpus: their `// run:` lines, and what comes out.
//!
//! This file is long because what a line may say, how it is run and what it is held against belong together.
//!
//! ```text
//! // run: -DN=3 | sc tso --equivalence co | executions=24 verdict=verified
//! // run: -DBUG_RELAXED | rc20 | verdict=violation violation=assertion
//! // refuse: exit=2
//! // refuse: -std=c++20 | rc20 xmm
//! ```
//! Flags for clang, models and options, expectations (`leaks` and `held`: how many places of memory never freed and of locks
//! never released are warned of; `kinds=deadlock,race`: the kinds of all violations; `lb_races`: how many load-buffering
//! races, with `--report lb-races`; `outcomes=0.1,1.0`: all tuples of values given to `rv_observe`). A violation is expected on a line
//! marked `//! assertion`. What must be refused names the line marked `//! refuse`, if there is one. Lines that begin with `// long:` are run only when asked for. A file with `// needs: HEADER` is left
//! out where that header of a library is neither installed nor in a folder of `CPATH`.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use raveler_c::clang::Failure;
use raveler_c::{CProgram, Collector, Refused, lower, search};
use raveler_core::observer::Unobserved;
use raveler_core::outcome::StopReason;
use raveler_core::{
    Counts, Engine, Equivalence, Locks, Model, Outcome, Program, Reductions, Settings, Verdict, XmmRules,
};

use crate::deadline::Deadline;
use crate::expect::Problem;

/// One line of expectations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The line it stands on, from 1.
    pub line: usize,
    /// Flags for clang.
    pub flags: Vec<String>,
    /// The models.
    pub models: Vec<Model>,
    /// Other options.
    pub options: Vec<String>,
    /// What must come out.
    pub expected: Vec<(String, String)>,
    /// It takes long.
    pub long: bool,
}

/// What a file expects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expectation {
    /// To be run.
    Runs(Vec<Run>),
    /// To be refused.
    Refused,
}

/// How checking a file went.
#[derive(Default, Debug)]
pub struct Checked {
    /// What the searches counted.
    pub counted: Vec<Counted>,
    /// What is wrong.
    pub problems: Vec<Problem>,
    /// How many searches were made.
    pub searches: usize,
    /// How many lines ask for something that does not exist yet.
    pub skipped: usize,
}

/// The C and C++ files below a folder, or the file itself.
pub fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            found.extend(files(&entry?.path())?);
        }
    } else if path.extension().is_some_and(|suffix| suffix == "c" || suffix == "cpp")
        && missing(path)?.is_none()
    {
        found.push(path.to_path_buf());
    }
    found.sort();
    Ok(found)
}

/// The header that a file needs and that is not installed.
pub fn missing(file: &Path) -> io::Result<Option<String>> {
    const FOLDERS: [&str; 4] = [
        "/usr/include",
        "/usr/local/include",
        "/usr/include/x86_64-linux-gnu",
        "/usr/include/aarch64-linux-gnu",
    ];
    let text = fs::read_to_string(file)?;
    let wanted = text.lines().filter_map(|line| line.strip_prefix("// needs: ")).map(str::trim);
    // clang looks there, too.
    let more = std::env::var_os("CPATH").unwrap_or_default();
    let folders: Vec<PathBuf> =
        FOLDERS.iter().map(PathBuf::from).chain(std::env::split_paths(&more)).collect();
    let is_there = |header: &str| folders.iter().any(|folder| folder.join(header).is_file());
    Ok(wanted.filter(|header| !is_there(header)).map(String::from).next())
}

/// The C and C++ files below a folder that need a header which is not installed, with that header.
pub fn left_out(path: &Path) -> io::Result<Vec<(PathBuf, String)>> {
    let mut found = Vec::new();
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            found.extend(left_out(&entry?.path())?);
        }
    } else if path.extension().is_some_and(|suffix| suffix == "c" || suffix == "cpp") {
        found.extend(missing(path)?.map(|header| (path.to_path_buf(), header)));
    }
    found.sort();
    Ok(found)
}

/// Read the expectations of a text.
pub fn expectations(text: &str) -> Result<Expectation, Problem> {
    let mut runs = Vec::new();
    let mut is_refused_somehow = false;
    for (number, line) in text.lines().enumerate() {
        let line_number = number + 1;
        let wrong = |message: String| Problem { line: line_number, message };
        if let Some(rest) = line.strip_prefix("// refuse:") {
            if rest.contains('|') {
                is_refused_somehow = true;
                continue;
            }
            return Ok(Expectation::Refused);
        }
        let (rest, long) = match (line.strip_prefix("// run:"), line.strip_prefix("// long:")) {
            (Some(rest), _) => (rest, false),
            (_, Some(rest)) => (rest, true),
            _ => continue,
        };
        let parts: Vec<&str> = rest.split('|').map(str::trim).collect();
        let [flags, setting, expected] = parts[..] else {
            return Err(wrong("a line has three parts, separated by `|`".into()));
        };
        let Some((models, options)) = setting_of(setting) else {
            return Err(wrong("the second part begins with models".into()));
        };
        let pairs = expected.split_whitespace().map(|word| word.split_once('='));
        let expected: Option<Vec<_>> = pairs.map(|pair| pair.map(|(k, v)| (k.into(), v.into()))).collect();
        let Some(expected) = expected else {
            return Err(wrong("the third part holds words like executions=3".into()));
        };
        runs.push(Run {
            line: line_number,
            flags: flags.split_whitespace().map(String::from).collect(),
            models,
            options,
            expected,
            long,
        });
    }
    if runs.is_empty() && is_refused_somehow {
        return Ok(Expectation::Refused);
    }
    if runs.is_empty() {
        return Err(Problem { line: 1, message: "the file expects nothing".into() });
    }
    Ok(Expectation::Runs(runs))
}

/// Models and options.
fn setting_of(text: &str) -> Option<(Vec<Model>, Vec<String>)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let count = words.iter().take_while(|word| model(word).is_some()).count();
    let models: Vec<Model> = words.iter().filter_map(|word| model(word)).collect();
    if models.is_empty() || models.len() != count {
        return None;
    }
    Some((models, words[count..].iter().map(|word| word.to_string()).collect()))
}

/// What of a text must be refused: flags, models and options, with nothing expected.
fn refusals(text: &str) -> Result<Vec<Run>, Problem> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Some(rest) = line.strip_prefix("// refuse:") else { continue };
        let (flags, setting) = rest.split_once('|').unwrap_or(("", "rc20"));
        let Some((models, options)) = setting_of(setting) else {
            return Err(Problem { line: number + 1, message: "the second part begins with models".into() });
        };
        found.push(Run {
            line: number + 1,
            flags: flags.split_whitespace().map(String::from).collect(),
            models,
            options,
            expected: Vec::new(),
            long: false,
        });
    }
    Ok(found)
}

/// What is wrong with a refusal that must come: it does not, or it names another line than those marked.
fn check_refusal(file: &Path, run: &Run, model: Model, marks: &[Mark]) -> Option<String> {
    let Asked { settings, lowering, unroll, stack } = match asked(model, &run.options) {
        Ok(asked) => asked?,
        Err(message) => return Some(message),
    };
    let said = match prepare(file, &run.flags, &lowering) {
        Err(message) => message,
        Ok(program) => {
            let program = program.unrolled(unroll).with_stack(stack);
            program.prepare(&settings);
            let outcome = search(&program, &settings, &mut Unobserved);
            let Some(StopReason::Unsupported { message, site }) = &outcome.stopped else {
                return Some("is not refused".into());
            };
            let line = program.sources().site(*site).map_or(0, |site| site.line);
            format!(":{line}: {message}")
        }
    };
    let mut marked = marks.iter().filter(|mark| mark.kind == "refuse").peekable();
    if marked.peek().is_none() || marked.any(|mark| said.contains(&format!(":{}:", mark.line))) {
        return None;
    }
    Some(format!("is refused at another line than the marked one: {said}"))
}

fn model(name: &str) -> Option<Model> {
    Model::ALL.into_iter().find(|model| model.name() == name)
}

/// What a line asks for under one model; none if that does not exist yet.
pub(crate) fn asked(model: Model, options: &[String]) -> Result<Option<Asked>, String> {
    let mut settings = Settings::new(model);
    let mut lowering = lower::Options::default();
    let (mut unroll, mut stack) = (None, None);
    let mut words = options.iter().map(String::as_str);
    while let Some(word) = words.next() {
        match word {
            "--all" => settings.all = true,
            "--report" => match words.next() {
                Some("lb-races") => settings.lb_races = true,
                Some("classes") => settings.classes = true,
                _ => return Err("--report is lb-races or classes".into()),
            },
            "--engine" => {
                let named = words.next().and_then(|name| Engine::ALL.into_iter().find(|e| e.name() == name));
                settings.engine = named.ok_or("--engine is graph or interleaving")?;
            }
            "--reductions" => match words.next() {
                Some("all") => (settings.reduction, settings.reductions) = (true, Reductions::ALL),
                Some("none") => (settings.reduction, settings.reductions) = (false, Reductions::NONE),
                Some(names) if names.split(',').all(|name| settings.reductions.add(name)) => {}
                _ => return Err("--reductions is all, none, or names".into()),
            },
            "--spurious-cas" => settings.spurious_cas = true,
            "--spurious-wakeups" => settings.spurious_wakeups = true,
            "--equivalence" => match words.next() {
                Some("rf") => {}
                Some("co") => settings.equivalence = Equivalence::Coherence,
                _ => return Err("--equivalence is rf or co".into()),
            },
            "--races" => match words.next() {
                Some("ignore") => settings.races = false,
                Some("report") => settings.races = true,
                _ => return Err("--races is report or ignore".into()),
            },
            "--locks" => match words.next() {
                Some("ordered") => settings.locks = Locks::Ordered,
                Some("aware") => settings.locks = Locks::Aware,
                _ => return Err("--locks is aware or ordered".into()),
            },
            "--unroll" => {
                let rounds = words.next().and_then(|rounds| rounds.parse().ok());
                unroll = Some(rounds.ok_or("--unroll takes a number")?);
            }
            "--max-stack" => {
                let bytes = words.next().and_then(|bytes| bytes.parse().ok());
                stack = Some(bytes.ok_or("--max-stack takes a number of bytes")?);
            }
            "--buffer-bound" => {
                let room = words.next().and_then(|room| room.parse().ok());
                settings.buffer_bound = Some(room.ok_or("--buffer-bound takes a number")?);
            }
            "--xmm-rules" => {
                let named =
                    words.next().and_then(|name| XmmRules::ALL.into_iter().find(|r| r.name() == name));
                settings.xmm_rules = named.ok_or("--xmm-rules is default, nocr, printed or strict")?;
            }
            "--check-liveness" => match words.next() {
                Some("on") => settings.liveness = true,
                Some("off") => settings.liveness = false,
                _ => return Err("--check-liveness is on or off".into()),
            },
            "-j" => {
                settings.workers = words.next().and_then(|n| n.parse().ok()).ok_or("-j takes a number")?
            }
            "--volatile" => match words.next() {
                Some("plain") => lowering.volatile_is_relaxed = false,
                Some("relaxed") => lowering.volatile_is_relaxed = true,
                _ => return Err("--volatile is plain or relaxed".into()),
            },
            "--nondet" => {
                let range = words.next().and_then(|range| range.split_once(".."));
                let range = range.and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
                lowering.nondet = Some(range.ok_or("--nondet takes a range")?);
            }
            _ => return Err(format!("unknown option {word}")),
        }
    }
    Ok(Some(Asked { settings, lowering, unroll, stack }))
}

/// What a line asks for.
pub(crate) struct Asked {
    pub settings: Settings,
    pub lowering: lower::Options,
    pub unroll: Option<u32>,
    pub stack: Option<u64>,
}

/// A program, ready to be run; what is wrong with it otherwise.
pub fn prepare(file: &Path, flags: &[String], options: &lower::Options) -> Result<CProgram, String> {
    let name = file.to_string_lossy();
    let read = |name: &str| fs::read_to_string(name).ok();
    let bytes = fs::read(file).unwrap_or_default();
    let code = raveler_c::load(&name, &bytes, flags, options, &read).map_err(|refused| match refused {
        Refused::Clang(Failure::Refused(said)) => {
            format!("clang: {}", said.lines().next().unwrap_or_default())
        }
        Refused::Clang(other) => format!("{other:?}"),
        Refused::Linking(conflict, _) => format!("`{}` is defined twice", conflict.name),
        Refused::Ir(error) => format!("line {} of the IR: {}", error.line, error.message),
        Refused::Lowering(problems) => {
            let texts: Vec<String> =
                problems.iter().map(|p| format!("{}:{}: {}", p.file, p.line, p.message)).collect();
            texts.join("; ")
        }
    })?;
    Ok(CProgram::new(code))
}

/// Search a program that is prepared, for at most this long, and what was collected.
///
/// All searches of C files go through here: what watches them is compiled once.
pub fn search_within(
    program: &CProgram,
    settings: &Settings,
    limit: Option<Duration>,
) -> (Outcome, Collector) {
    let mut seen = Deadline::after(limit, Collector::new(program));
    let outcome = search(program, settings, &mut seen);
    (outcome, seen.inner)
}

/// A refusal of something that will be there one day.
fn is_to_come(message: &str) -> bool {
    message.contains("not supported yet")
}

/// Programs by flags, range of nondeterministic values, meaning of volatile and bounds.
/// What programs are compiled and bounded by: flags, the range of values, rounds of loops, bytes of stack.
type Programs =
    HashMap<(Vec<String>, Option<(i64, i64)>, bool, Option<u32>, Option<u64>), Result<CProgram, String>>;

/// One search of a file: what for, and what it counted.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The flags, the model and the options.
    pub what: String,
    /// Are critical sections left unordered?
    pub aware: bool,
    /// What was counted.
    pub counts: Counts,
}

/// Run a file against its expectations.
pub fn check(file: &Path, with_long: bool) -> io::Result<Checked> {
    let text = fs::read_to_string(file)?;
    let mut checked = Checked::default();
    let runs = match expectations(&text) {
        Ok(Expectation::Runs(runs)) => runs,
        Ok(Expectation::Refused) => Vec::new(),
        Err(problem) => {
            checked.problems.push(problem);
            return Ok(checked);
        }
    };
    let marks = marks(&text);
    match refusals(&text) {
        Ok(refusals) => {
            for run in refusals {
                for &model in &run.models {
                    checked.searches += 1;
                    let problem = check_refusal(file, &run, model, &marks);
                    checked.problems.extend(problem.map(|message| Problem {
                        line: run.line,
                        message: format!("{}: {message}", model.name()),
                    }));
                }
            }
        }
        Err(problem) => checked.problems.push(problem),
    }
    let mut programs = Programs::new();
    for run in runs.iter().filter(|run| with_long || !run.long) {
        for &model in &run.models {
            let wrong =
                |message: String| Problem { line: run.line, message: format!("{}: {message}", model.name()) };
            let Asked { settings, lowering, unroll, stack } = match asked(model, &run.options) {
                Ok(Some(asked)) => asked,
                Ok(None) => {
                    checked.skipped += 1;
                    continue;
                }
                Err(message) => {
                    checked.problems.push(wrong(message));
                    break;
                }
            };
            let program = programs
                .entry((run.flags.clone(), lowering.nondet, lowering.volatile_is_relaxed, unroll, stack))
                .or_insert_with(|| {
                    prepare(file, &run.flags, &lowering).map(|p| p.unrolled(unroll).with_stack(stack))
                });
            match program {
                Ok(program) => {
                    program.prepare(&settings);
                    let (outcome, seen) = search_within(program, &settings, None);
                    checked.searches += 1;
                    let what =
                        [&run.flags[..], &[model.name().to_string()], &run.options[..]].concat().join(" ");
                    let aware = settings.locks == Locks::Aware;
                    checked.counted.push(Counted { what, aware, counts: outcome.counts });
                    let problems = compare(run, program, &outcome, &seen, &marks);
                    let (later, now): (Vec<_>, Vec<_>) = problems.into_iter().partition(|p| is_to_come(p));
                    checked.skipped += later.len();
                    checked.problems.extend(now.into_iter().map(wrong));
                }
                Err(message) if is_to_come(message) => checked.skipped += 1,
                Err(message) => {
                    checked.problems.push(wrong(message.clone()));
                    break;
                }
            }
        }
    }
    Ok(checked)
}

/// The lines marked with a kind of violation, and the macro that must be defined for the mark to hold.
fn marks(text: &str) -> Vec<Mark> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Some((_, kinds)) = line.split_once("//!") else { continue };
        for word in kinds.split([',', ' ']).map(str::trim).filter(|word| !word.is_empty()) {
            let (kind, only) = match word.split_once('(') {
                Some((kind, only)) => (kind, Some(format!("-D{}", only.trim_end_matches(')')))),
                None => (word, None),
            };
            found.push(Mark { line: number + 1, kind: kind.to_string(), only });
        }
    }
    found
}

/// `//! assertion`, or `//! assertion(BUG_RELAXED)`
struct Mark {
    line: usize,
    kind: String,
    only: Option<String>,
}

fn compare(
    run: &Run,
    program: &CProgram,
    outcome: &Outcome,
    seen: &Collector,
    marks: &[Mark],
) -> Vec<String> {
    let mut problems = Vec::new();
    if let Some(StopReason::Unsupported { message, site }) = &outcome.stopped {
        let line = program.sources().site(*site).map_or(0, |site| site.line);
        return vec![format!("line {line}: {message}")];
    }
    for (key, value) in &run.expected {
        let found = match key.as_str() {
            "executions" => outcome.counts.executions.to_string(),
            "blocked" => outcome.counts.blocked.to_string(),
            "lb_races" => outcome.lb_races.to_string(),
            "leaks" => seen.leaks().len().to_string(),
            "held" => seen.held().len().to_string(),
            "outcomes" => {
                let tuple = |values: Vec<(String, i64)>| {
                    values.iter().map(|(_, value)| value.to_string()).collect::<Vec<_>>().join(".")
                };
                let tuples: BTreeSet<String> =
                    seen.outcomes(program).into_iter().map(|(values, _)| tuple(values)).collect();
                tuples.into_iter().collect::<Vec<_>>().join(",")
            }
            "kinds" => {
                let kinds: BTreeSet<_> = outcome.violations.iter().map(|v| v.kind.name()).collect();
                kinds.into_iter().collect::<Vec<_>>().join(",")
            }
            "verdict" => match outcome.verdict() {
                Verdict::Verified => "verified".to_string(),
                Verdict::Violation => "violation".to_string(),
                Verdict::Inconclusive => "inconclusive".to_string(),
            },
            "violation" => {
                let holds = |mark: &&Mark| mark.only.as_ref().is_none_or(|only| run.flags.contains(only));
                let here = |line: u32| {
                    marks.iter().filter(holds).any(|mark| mark.line == line as usize && mark.kind == *value)
                };
                let line = |site| program.sources().site(site).map_or(0, |site| site.line);
                let kinds: Vec<_> =
                    outcome.violations.iter().map(|v| (v.kind.name(), line(v.site))).collect();
                let fits = outcome.violations.iter().any(|v| {
                    v.kind.name() == value.as_str()
                        && (marks.is_empty()
                            || here(line(v.site))
                            || v.related.iter().any(|r| here(line(r.site))))
                });
                if !fits {
                    problems.push(format!("expected {value} on a marked line, found {kinds:?}"));
                }
                continue;
            }
            _ => {
                problems.push(format!("`{key}` is no expectation"));
                continue;
            }
        };
        if found != *value {
            let what = outcome.violations.first().map_or(String::new(), |v| {
                let line = program.sources().site(v.site).map_or(0, |site| site.line);
                format!(" ({} at line {line}: {})", v.kind.name(), v.message)
            });
            problems.push(format!("{key}={value} expected, found {found}{what}"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_be_refused_may_have_flags_and_models() {
        let text = "// refuse: -DWIDE | rc20 xmm --all\n// run: | sc | verdict=verified\nint x; //! refuse\n";
        let refused = refusals(text).expect("it can be read");
        assert_eq!(refused.len(), 1);
        assert_eq!(refused[0].flags, ["-DWIDE"]);
        assert_eq!(refused[0].models, [Model::Rc20, Model::Xmm]);
        assert_eq!(refused[0].options, ["--all"]);
        let Ok(Expectation::Runs(runs)) = expectations(text) else { panic!("there is one run") };
        assert_eq!(runs.len(), 1);
        assert_eq!(expectations("// refuse: -DWIDE | rc20\n"), Ok(Expectation::Refused));
        assert_eq!(expectations("// refuse: exit=2\n// run: x\n"), Ok(Expectation::Refused));
        assert!(refusals("// refuse: | c11\n").is_err());
        assert_eq!(refusals("// refuse: exit=2\n").expect("it can be read")[0].models, [Model::Rc20]);
    }
}
