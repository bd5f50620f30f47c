//! Every violation of the corpus, and every execution that decides a litmus test, run again from its token by the command
//! as a user has it: the same story, the same JSON and the same exit code.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::c::{self, Expectation, expectations};
use crate::check::litmus_files;

/// Checks are stopped after so many executions: what was found by then is replayed.
const MAX_EXECUTIONS: &str = "2000";

/// How litmus tests are checked.
const WAYS: [&[&str]; 12] = [
    &["--model", "sc"],
    &["--model", "tso"],
    &["--model", "pso"],
    &["--model", "sra"],
    &["--model", "ra"],
    &["--model", "rc11"],
    &["--model", "rc20"],
    &["--model", "xmm"],
    &["--model", "rc20", "--equivalence", "co"],
    &["--model", "tso", "--buffer-bound", "1"],
    &["--model", "pso", "--engine", "interleaving"],
    &["--model", "rc20", "--random", "1"],
];

/// How it went.
#[derive(Default, Debug)]
pub struct Summary {
    /// Checks.
    pub checks: u64,
    /// Executions that were run again.
    pub replayed: u64,
    /// What differs, or has no token.
    pub differences: Vec<String>,
}

/// One check of a file.
struct Check {
    file: PathBuf,
    options: Vec<String>,
    flags: Vec<String>,
}

/// What the command said.
struct Said {
    code: Option<i32>,
    text: String,
}

/// Replay what is found in a folder; of every `every` checks one.
pub fn run(folder: &Path, every: usize) -> io::Result<Summary> {
    let command = std::env::current_exe()?.with_file_name("raveler");
    if !command.exists() {
        let message = format!("{} is not there: cargo build -p raveler-cli", command.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    let mut summary = Summary::default();
    for check in checks(folder)?.iter().step_by(every) {
        summary.checks += 1;
        if let Err(difference) = check.replay(&command, &mut summary.replayed) {
            let (file, options, flags) =
                (check.file.display(), check.options.join(" "), check.flags.join(" "));
            summary.differences.push(format!("{file} {options} -- {flags}: {difference}"));
        }
    }
    Ok(summary)
}

/// All litmus tests, and the lines of C files that expect a violation.
fn checks(folder: &Path) -> io::Result<Vec<Check>> {
    let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
    let mut checks = Vec::new();
    for file in litmus_files(folder)? {
        for way in WAYS {
            checks.push(Check { file: file.clone(), options: words(way), flags: Vec::new() });
        }
    }
    for file in c::files(folder)? {
        let Ok(Expectation::Runs(runs)) = expectations(&fs::read_to_string(&file)?) else { continue };
        let violation = ("verdict".to_string(), "violation".to_string());
        for run in runs.iter().filter(|run| !run.long && run.expected.contains(&violation)) {
            for model in &run.models {
                let mut options = words(&["--model", model.name(), "--all"]);
                options.extend(run.options.iter().filter(|option| *option != "--all").cloned());
                checks.push(Check { file: file.clone(), options, flags: run.flags.clone() });
            }
        }
    }
    Ok(checks)
}

impl Check {
    /// Check the file, and run again what is shown. How many executions that were is added to `replayed`.
    fn replay(&self, command: &Path, replayed: &mut u64) -> Result<(), String> {
        let mut options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        if !options.contains(&"--max-executions") {
            options.extend(["--max-executions", MAX_EXECUTIONS]);
        }
        let found = self.say(command, &[&options[..], &["--json"]].concat())?;
        // A test that cannot be run in this way has nothing to be replayed.
        if found.code == Some(2) {
            return Ok(());
        }
        let told = json(&found)?;
        let text = self.say(command, &options)?.text;
        let violations = told["violations"].as_array().cloned().unwrap_or_default();
        // Of many violations the last ones are told without their stories.
        let stories = text.matches("   = replay: ").count();
        for (at, violation) in violations.iter().enumerate() {
            let token = violation["replay"].as_str().ok_or("a violation has no token")?;
            let again = self.again(command, token, found.code, (at < stories).then_some(&*text))?;
            if again["violations"] != serde_json::json!([violation]) {
                return Err(format!("another violation: {}, not {violation}", again["violations"]));
            }
            *replayed += 1;
        }
        if let Some(token) = told["litmus"]["replay"].as_str() {
            let again = self.again(command, token, found.code, Some(&text))?;
            if again["litmus"]["replay"] != token {
                return Err(format!("another execution: {}", again["litmus"]));
            }
            *replayed += 1;
        } else if text.contains("an execution that ends with") {
            return Err("the execution that is shown has no token".to_string());
        }
        Ok(())
    }

    /// Replay a token: exit code and story, where it was told, must be the same. The JSON result.
    fn again(
        &self,
        command: &Path,
        token: &str,
        code: Option<i32>,
        told: Option<&str>,
    ) -> Result<Value, String> {
        let said = self.say(command, &["--replay", token, "--json"])?;
        if said.code != code {
            return Err(format!("exit code {:?}, not {code:?}: {}", said.code, said.text));
        }
        let text = self.say(command, &["--replay", token])?.text;
        let story = story(&text).ok_or_else(|| format!("no story: {text}"))?;
        if told.is_some_and(|told| !told.contains(story)) {
            return Err(format!("another story:\n{story}"));
        }
        json(&said)
    }

    fn say(&self, command: &Path, options: &[&str]) -> Result<Said, String> {
        let mut run = Command::new(command);
        run.arg("check").arg(&self.file).args(options).stdin(Stdio::null());
        if !self.flags.is_empty() {
            run.arg("--").args(&self.flags);
        }
        let output = run.output().map_err(|error| error.to_string())?;
        let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
        Ok(Said { code: output.status.code(), text })
    }
}

fn json(said: &Said) -> Result<Value, String> {
    serde_json::from_str(&said.text).map_err(|error| format!("{error}: {}", said.text))
}

/// The last paragraph of a report, without the line that names its token: a long token has a file of its own each time.
fn story(text: &str) -> Option<&str> {
    let (_, last) = text.trim_end().rsplit_once("\n\n")?;
    Some(last.split("\n   = replay: ").next().unwrap_or(last))
}
