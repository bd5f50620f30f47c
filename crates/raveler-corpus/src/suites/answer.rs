//! One program asked of the command, and what its answer is worth beside what the suite expects.

use std::fmt;
use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Expected, Options, Task};

/// What came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// As the suite expects.
    Agrees,
    /// The program could not be run, or not in this way.
    Refused(String),
    /// A limit came first.
    Limit(String),
    /// A violation, but of another kind than the one the suite is about.
    OtherKind(String),
    /// Another number of executions.
    OtherCount { here: u64, there: u64 },
    /// Verified where the suite has a violation.
    Missed,
    /// A violation of the suite's kind where it has none.
    False(String),
    /// The command failed.
    Failed(String),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Agrees => write!(f, "agrees"),
            Answer::Refused(message) => write!(f, "refused: {message}"),
            Answer::Limit(message) => write!(f, "limit: {message}"),
            Answer::OtherKind(message) => write!(f, "other kind: {message}"),
            Answer::OtherCount { here, there } => {
                write!(f, "other count: {here} executions, {there} expected")
            }
            Answer::Missed => write!(f, "missed"),
            Answer::False(message) => write!(f, "false: {message}"),
            Answer::Failed(message) => write!(f, "failed: {message}"),
        }
    }
}

/// An answer with how long it took.
#[derive(Debug)]
pub(super) struct Timed {
    pub(super) answer: Answer,
    pub(super) time: Duration,
}

impl fmt::Display for Timed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:.2} s)", self.answer, self.time.as_secs_f64())
    }
}

/// Of the values that a program may be given only these are tried, one range after the other, with so many tenths of the
/// time: two are enough for a choice.
const VALUES: [(&str, u64); 2] = [("0..1", 4), ("0..3", 3)];

/// A search with a bound that grows is followed by random walks by priorities, for the rest of the time: they find what needs
/// many rounds or many threads, and few preemptions. Programs that want at least twenty of something need more values.
const SEARCH: u64 = 7;
const WALKS: u64 = 3;
const WALK: [&str; 8] =
    ["64", "--engine", "interleaving", "--pct", "4", "--random", "1", "--max-executions=1000000000"];
const WALKED_VALUES: &str = "0..63";

/// Run a program. One that asks for any value of a type is run again with those of a range: a violation among them is one,
/// none among them proves nothing. So it is with walks.
pub(super) fn ask(options: &Options, task: &Task) -> io::Result<Timed> {
    let begin = Instant::now();
    let seconds = |tenths: u64| (options.seconds * tenths / 10).max(1);
    let walk = walk(task);
    let searched = if walk.is_some() { seconds(SEARCH) } else { options.seconds };
    let mut answer = ask_once(options, task, &task.options, searched, &[])?;
    let asks_values =
        matches!(&answer, Answer::Refused(message) if message.contains("needs a range of values"));
    if asks_values {
        for (values, tenths) in VALUES {
            let asked = ask_once(options, task, &task.options, seconds(tenths), &["--nondet", values])?;
            answer = match (asked, task.expected) {
                (Answer::Agrees, Expected::Assertion | Expected::Wrong) => Answer::Agrees,
                (Answer::Agrees | Answer::Missed, _) => {
                    Answer::Limit(format!("no violation with the values {values}"))
                }
                (answer, _) => answer,
            };
            if !matches!(answer, Answer::Limit(_)) {
                break;
            }
        }
    }
    if let (Answer::Limit(_), Some(walk)) = (&answer, walk) {
        let values: &[&str] = if asks_values { &["--nondet", WALKED_VALUES] } else { &[] };
        let walked = ask_once(options, task, &walk, seconds(WALKS), values)?;
        if matches!(walked, Answer::Agrees | Answer::False(_)) {
            answer = walked;
        }
    }
    Ok(Timed { answer, time: begin.elapsed() })
}

/// The options of random walks in place of those of a search with a bound that grows.
fn walk(task: &Task) -> Option<Vec<String>> {
    let at = task.options.windows(2).position(|pair| pair == ["--unroll", "auto"])? + 1;
    let (before, after) = (&task.options[..at], &task.options[at + 1..]);
    let walk = WALK.map(String::from);
    Some([before, &walk, after].concat())
}

fn ask_once(
    options: &Options,
    task: &Task,
    how: &[String],
    seconds: u64,
    more: &[&str],
) -> io::Result<Answer> {
    let said = Command::new(&options.command)
        .arg("check")
        .arg(&task.file)
        .args(how)
        .args(more)
        .args(["--json", "--timeout", &seconds.to_string(), "--max-memory", &options.memory])
        .arg("--")
        .args(&task.flags)
        .output()?;
    let errors = String::from_utf8_lossy(&said.stderr);
    Ok(match serde_json::from_slice::<Value>(&said.stdout) {
        Ok(result) => worth(&result, task.expected),
        Err(_) => Answer::Failed(errors.lines().next().unwrap_or("no answer").to_string()),
    })
}

/// What a result is worth.
fn worth(result: &Value, expected: Expected) -> Answer {
    if let Some(message) = result["error"]["message"].as_str() {
        return Answer::Refused(headline(message));
    }
    let found: Vec<(&str, String)> = result["violations"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|violation| {
            let kind = violation["kind"].as_str().unwrap_or_default();
            (kind, format!("{kind}: {}", violation["message"].as_str().unwrap_or_default()))
        })
        .collect();
    let is_asked = |kind: &str| match expected {
        Expected::Assertion => kind == "assertion",
        _ => true,
    };
    let asked = found.iter().find(|(kind, _)| is_asked(kind)).map(|(_, message)| message.clone());
    let any = found.first().map(|(_, message)| message.clone());
    // An exploration that ended early with a violation that was not looked for shows nothing of what came behind it.
    if let (Some("verified"), Some(message)) = (result["verdict"].as_str(), ended_early(result)) {
        return Answer::OtherKind(message);
    }
    match (expected, result["verdict"].as_str()) {
        (Expected::Assertion | Expected::Wrong, Some("violation")) => match (asked, any) {
            (Some(_), _) => Answer::Agrees,
            (None, any) => Answer::OtherKind(any.unwrap_or_default()),
        },
        (_, Some("violation")) => match asked {
            Some(message) if message.starts_with("assertion") => Answer::False(message),
            other => Answer::OtherKind(other.unwrap_or_default()),
        },
        (Expected::Assertion | Expected::Wrong, Some("verified")) => Answer::Missed,
        (Expected::Executions(there), _) if ran_to_the_end(result) => match executions(result) {
            here if here == there => Answer::Agrees,
            here => Answer::OtherCount { here, there },
        },
        (_, Some("verified")) => Answer::Agrees,
        (Expected::NoneFound, _) if ran_to_the_end(result) => Answer::Agrees,
        _ => Answer::Limit(limit(result)),
    }
}

/// The warning that explorations ended with a violation that was not looked for, if that was a mistake: a call of `abort` is an
/// end like any other to who asks whether an error is reached.
fn ended_early(result: &Value) -> Option<String> {
    let warnings = result["warnings"].as_array().into_iter().flatten();
    let messages = warnings.filter_map(|warning| warning["message"].as_str());
    let mistakes = messages.filter(|message| !message.contains("(other: `abort` is called)"));
    mistakes.map(headline).find(|message| message.contains("not looked for ("))
}

/// GenMC counts an execution in which some thread reached the bound of a loop like any other.
fn executions(result: &Value) -> u64 {
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    number(&result["executions"]) + number(&result["bounds"]["cut"])
}

/// Nothing was left out but the rounds of loops behind the bound that the suite itself has.
fn ran_to_the_end(result: &Value) -> bool {
    let covered = result["bounds"]["covered"].as_u64();
    result["verdict"] == "verified" || covered.is_some() && covered == result["bounds"]["unroll"].as_u64()
}

/// What ended the search: the last of the warnings says where, the first one only that something did.
fn limit(result: &Value) -> String {
    let warnings = result["warnings"].as_array().into_iter().flatten();
    let last = warnings.filter_map(|warning| warning["message"].as_str()).next_back();
    headline(last.unwrap_or("no reason is given"))
}

/// One line of a message. What clang says of a program that does not compile is in the second one.
fn headline(message: &str) -> String {
    let error = message.lines().find_map(|line| line.split_once("error: "));
    match error {
        Some((_, said)) => format!("clang: {said}"),
        None => message.lines().next().unwrap_or_default().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answers_are_held_against_what_is_expected() {
        let verified = json!({"verdict": "verified", "executions": 3});
        let race = json!({"verdict": "violation", "violations": [{"kind": "race", "message": "on x"}]});
        let failed = json!({"verdict": "violation", "violations": [{"kind": "assertion", "message": "x"}]});
        let bounded = json!({"verdict": "inconclusive", "executions": 1,
            "bounds": {"unroll": 2, "covered": 2, "cut": 1},
            "warnings": [{"message": "a loop"}, {"message": "the loop at a.c:1"}]});
        assert_eq!(worth(&verified, Expected::Right), Answer::Agrees);
        assert_eq!(worth(&verified, Expected::Assertion), Answer::Missed);
        assert_eq!(worth(&verified, Expected::Executions(4)), Answer::OtherCount { here: 3, there: 4 });
        let cut = json!({"verdict": "verified", "warnings": [{"message": "ended: not looked for (race)"}]});
        assert_eq!(worth(&cut, Expected::Right), Answer::OtherKind("ended: not looked for (race)".into()));
        let aborted = json!({"verdict": "verified", "warnings": [{"message": "every exploration ended with a violation that was \
            not looked for"}, {"message": "ended: not looked for (other: `abort` is called)"}]});
        assert_eq!(worth(&aborted, Expected::Right), Answer::Agrees);
        assert_eq!(worth(&race, Expected::Wrong), Answer::Agrees);
        assert_eq!(worth(&race, Expected::Assertion), Answer::OtherKind("race: on x".into()));
        assert_eq!(worth(&race, Expected::Right), Answer::OtherKind("race: on x".into()));
        assert_eq!(worth(&failed, Expected::Right), Answer::False("assertion: x".into()));
        assert_eq!(worth(&bounded, Expected::NoneFound), Answer::Agrees);
        assert_eq!(worth(&bounded, Expected::Executions(2)), Answer::Agrees);
        assert_eq!(worth(&bounded, Expected::Right), Answer::Limit("the loop at a.c:1".into()));
    }

    #[test]
    fn walks_take_the_place_of_a_growing_bound() {
        let options = ["--model", "sc", "--unroll", "auto", "--properties", "assertion"];
        let task = Task {
            row: String::new(),
            file: "a.c".into(),
            options: super::super::words(&options),
            flags: Vec::new(),
            expected: Expected::Right,
        };
        let walk = walk(&task).unwrap_or_default().join(" ");
        assert!(walk.starts_with("--model sc --unroll 64 --engine interleaving --pct 4 "), "{walk}");
        assert!(walk.ends_with(" --properties assertion"), "{walk}");
        assert!(super::walk(&Task { options: Vec::new(), ..task }).is_none());
    }

    #[test]
    fn a_refusal_is_one_line() {
        let refused = json!({"error": {"message": "the program does not compile\na.c:1: fatal error: 'x.h' file not found"}});
        let message = Answer::Refused("clang: 'x.h' file not found".into());
        assert_eq!(worth(&refused, Expected::Right), message);
    }
}
