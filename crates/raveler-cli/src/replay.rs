//! `--replay`: executions of a report by name, and one of them run again (docs/replay.md).

use raveler_core::outcome::StopReason;
use raveler_core::{BadReplay, Outcome, Recording, Settings};
use raveler_report::{Notes, Replay, Replays};

use crate::args::{Check, Search};
use crate::front_ends::{Findings, Loaded, Recordings, Source};
use crate::job::{Checked, Job};
use crate::output::writable;
use crate::properties::Properties;
use crate::refusal::{Refusal, code};
use crate::token::{LONGEST, Token};
use crate::{finish, limits, limits_of};

/// The tokens of the executions that a check shows.
pub fn tokens(check: &Check, loaded: &Loaded, checked: &Checked) -> Replays {
    let findings = &checked.findings;
    let has_shown = findings.litmus.as_ref().is_some_and(|litmus| litmus.shown.is_some());
    if findings.outcome.violations.is_empty() && !has_shown {
        return Replays::default();
    }
    let settings = checked.settings();
    let Recordings { violations, shown } = loaded.program.record(settings, findings);
    let program = loaded.program.number();
    let held = findings.litmus.as_ref().and_then(|litmus| litmus.holds);
    let verdict = findings.litmus.is_some().then(|| checked.verdict(loaded));
    let named = |recording: Recording, held: Option<bool>| {
        let token = Token::new(&check.search, settings, program, recording.to_bytes());
        let token = token.with_condition(held, verdict).text()?;
        Some(Replay { command: command(check, &token), token })
    };
    Replays {
        is_one: false,
        verdict: None,
        violations: violations.into_iter().map(|recording| named(recording?, held)).collect(),
        shown: shown.and_then(|recording| named(recording, None)),
    }
}

/// The command that runs an execution again. A long token goes into a file, unless it is for a program that reads the
/// report, which gets it whole anyway.
fn command(check: &Check, token: &str) -> String {
    let given = match token.len() > LONGEST && !check.output.json {
        true => in_file(token).map_or_else(|| token.to_string(), |file| format!("@{file}")),
        false => token.to_string(),
    };
    let mut words = vec!["raveler".to_string(), "check".to_string()];
    words.extend(check.input.files.iter().cloned());
    let commands = check.input.compile_commands.iter();
    words.extend(commands.map(|folder| format!("--compile-commands={}", folder.display())));
    words.extend(check.input.lang.iter().map(|lang| format!("--lang={lang}")));
    words.extend(["--replay".to_string(), given]);
    if !check.clang_flags.is_empty() {
        words.push("--".to_string());
        words.extend(check.clang_flags.iter().cloned());
    }
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=@,+:%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Write a token into a file of the system's folder for such files; its name is that of the token's end, so that the same
/// token has the same file. None if it cannot be written.
fn in_file(token: &str) -> Option<String> {
    let end = &token[token.len().saturating_sub(10)..];
    let path = std::env::temp_dir().join(format!("raveler-{end}.replay"));
    std::fs::write(&path, format!("{token}\n")).ok()?;
    path.to_str().map(str::to_string)
}

/// Run the execution of a token again; gives the exit code.
pub fn run(mut check: Box<Check>, token: &str, is_given: &dyn Fn(&str) -> bool) -> Result<u8, Refusal> {
    let token = Token::read(token)?;
    check.search = token.apply(&check.search, is_given)?;
    let recording = token.recording()?;
    let settings = check.search.settings()?;
    let limits = limits_of(&check.search, limits::interrupt_flag());
    let source = Source::read(&check.input)?;
    if let Some(path) = &check.graph {
        writable(path)?;
    }
    let loaded = source.load(&check.search, &check.clang_flags, &limits)?;
    if loaded.program.number() != token.program {
        let message = "the token belongs to another program: the file or its flags have changed".to_string();
        let help = "give the same file and the same flags after `--`, or check again to get a new token";
        return Err(Refusal::about(&loaded.file, code::BAD_TOKEN, message, help));
    }
    let properties = Properties::new(&check.search.properties);
    let job = Job {
        quiet: true,
        print_executions: check.print_executions,
        wants_first: check.graph.is_some(),
        examples: 0,
        limits: &limits,
        properties: &properties,
    };
    let mut unfit: Option<BadReplay> = None;
    let checked = job.run_with(&loaded, settings, |settings: &Settings, watching| {
        loaded.program.replay(settings, &recording, watching).unwrap_or_else(|error| {
            unfit = Some(error);
            nothing()
        })
    })?;
    if let Some(error) = unfit {
        let message = format!("the token does not fit this program: {error}");
        let help = "another version of raveler may have written it; check again to get a new token";
        return Err(Refusal::about(&loaded.file, code::BAD_TOKEN, message, help));
    }
    let mut checked = checked;
    if let Some(litmus) = &mut checked.findings.litmus {
        // Where the execution is not complete, it decides nothing.
        litmus.holds = litmus.holds.or(token.held);
        checked.replay.verdict = token.verdict;
    }
    checked.replay = Replays { is_one: true, verdict: token.verdict, ..tokens(&check, &loaded, &checked) };
    Ok(finish(&check, &loaded, &checked))
}

/// What is found if nothing is run.
fn nothing() -> Findings {
    let outcome = Outcome { stopped: Some(StopReason::Observer), ..Outcome::default() };
    Findings { outcome, litmus: None, notes: Notes::default(), first: None, examples: Vec::new() }
}

/// Refuse a token where a command explores many executions.
pub fn refuse(search: &Search, command: &str) -> Result<(), Refusal> {
    if search.replay.is_none() {
        return Ok(());
    }
    let message = format!("`--replay` does not go together with `raveler {command}`");
    Err(Refusal::usage(code::BAD_OPTION, message, "leave it out, or use `raveler check`"))
}
