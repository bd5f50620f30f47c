//! One program, judged: raveler's answers against the machines'.

use std::collections::BTreeSet;
use std::time::Duration;

use raveler_core::{Model, ViolationKind};

use super::ast::Program;
use super::code;
use super::engine::{self, Compiled, Said, Way};
use super::explore::{self, Answer, Row};

/// What one program's judgement came to.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// How many searches were compared.
    pub compared: u64,
    /// How many were not because the machine has too many states.
    pub large: u64,
    /// How many of raveler's searches did not come to an end (time, or a loop that was cut): only what they found was
    /// compared, not what they did not find.
    pub open: u64,
    /// The first difference, in words.
    pub difference: Option<String>,
}

/// What is asked of each program.
#[derive(Clone, Debug)]
pub struct Question {
    /// The models.
    pub models: Vec<Model>,
    /// Programs with more states than that are left out.
    pub states: usize,
    /// How long raveler may take for one search.
    pub time: Duration,
    /// No machine is asked: raveler with its reductions is compared with raveler without.
    pub itself: bool,
    /// How many of the sixteen ways to search are taken for each model; which ones changes from program to program.
    pub ways: usize,
    /// Where the choice of ways begins.
    pub turn: usize,
}

/// Compare with the machines, or raveler with itself.
pub fn judge(program: &Program, question: &Question) -> Verdict {
    let mut verdict = Verdict::default();
    let compiled = match engine::compile(program) {
        Ok(compiled) => compiled,
        Err(refused) => {
            verdict.difference = Some(format!("raveler refuses the program: {refused}"));
            return verdict;
        }
    };
    if question.itself {
        return super::reductions::judge(&compiled, question);
    }
    let code = code::compile(program);
    let seq_cst = program.has_seq_cst();
    let mut answers: Vec<(Model, Answer)> = Vec::new();
    for &model in &question.models {
        if !explore::is_known(model, seq_cst) {
            continue;
        }
        let Some(answer) = explore::judge(&code, model, question.states) else {
            verdict.large += question.ways as u64;
            continue;
        };
        for way in 0..question.ways.min(Way::ALL.len()) {
            let way = Way::ALL[(question.turn + model as usize * 3 + way * 5) % Way::ALL.len()];
            match ask(&compiled, model, way, &answer, question.time) {
                Ok(true) => verdict.compared += 1,
                Ok(false) => verdict.open += 1,
                Err(difference) => {
                    verdict.difference =
                        Some(format!("--model {} {} --all\n{difference}", model.name(), way.name()));
                    return verdict;
                }
            }
        }
        answers.push((model, answer));
    }
    // A stronger model allows no more than a weaker one: the machines are held to that, too.
    let chains =
        [(Model::Sc, Model::Tso), (Model::Tso, Model::Pso), (Model::Sc, Model::Sra), (Model::Sra, Model::Ra)];
    for (strong, weak) in chains {
        let find = |model| answers.iter().find(|(of, _)| *of == model).map(|(_, answer)| answer);
        if let (Some(strong_answer), Some(weak_answer)) = (find(strong), find(weak))
            && !strong_answer.lawless
            && !weak_answer.lawless
            && let Some(row) = strong_answer.outcomes.difference(&weak_answer.outcomes).next()
        {
            let names = (strong.name(), weak.name());
            verdict.difference = Some(format!("the machines: {} has {row:?}, {} has not", names.0, names.1));
        }
    }
    verdict
}

/// Does one search agree? False if it does not come to an end.
fn ask(compiled: &Compiled, model: Model, way: Way, answer: &Answer, time: Duration) -> Result<bool, String> {
    let said = compiled.run(model, way, time);
    let mut wrong = Vec::new();
    if let Some(message) = &said.unsupported {
        return Err(format!("not supported: {message}"));
    }
    let complete = !said.inconclusive && !said.late;
    if answer.lawless {
        // What the standard says nothing of: that a rule was broken is all that is asked.
        let told = said.violations.contains(ViolationKind::LockMisuse.name());
        return match told || !complete {
            true => Ok(complete),
            false => Err(explain(&["raveler misses the wrong use of an object".to_string()], &said, answer)),
        };
    }
    let rows = |rows: Vec<&Row>| {
        let shown: Vec<String> = rows.iter().take(4).map(|row| show(row)).collect();
        format!("{} {}", shown.join(" "), if rows.len() > 4 { "…" } else { "" })
    };
    let more: Vec<&Row> = said.outcomes.difference(&answer.outcomes).collect();
    if !more.is_empty() {
        wrong.push(format!("raveler has outcomes that the machine has not: {}", rows(more)));
    }
    // Which of the two it is depends on which thread comes first; a free that fails is still a free for the other one.
    let ends = ["use-after-free", "double-free"];
    let freed = ends.iter().any(|kind| answer.violations.contains(kind));
    let is_known = |kind: &str| {
        answer.violations.contains(kind) || answer.allowed.contains(kind) || freed && ends.contains(&kind)
    };
    let false_alarms: Vec<_> = said.violations.iter().filter(|kind| !is_known(kind)).collect();
    if !false_alarms.is_empty() {
        wrong.push(format!("raveler reports what the machine does not find: {false_alarms:?}"));
    }
    if complete {
        // An access that nothing orders before the free of its memory fails, even in an execution in which it came
        // first; the machine fails only those in which it comes later. So outcomes may be missing then.
        let fewer: Vec<&Row> = answer.outcomes.difference(&said.outcomes).collect();
        if !(fewer.is_empty() || freed) {
            wrong.push(format!("raveler lacks outcomes of the machine: {}", rows(fewer)));
        }
        let missed: BTreeSet<_> = answer.violations.difference(&said.violations).collect();
        // The thread stops at such a failure, and what it would have done is not seen.
        let excused = ends.iter().any(|kind| said.violations.contains(kind));
        if !(missed.is_empty() || freed && excused) {
            wrong.push(format!("raveler misses {missed:?}"));
        }
        let stuck = ["deadlock", "liveness"].iter().any(|kind| said.violations.contains(kind));
        if answer.stuck && !(stuck || freed && excused) {
            wrong.push("raveler misses a thread that never gets on".to_string());
        }
    }
    if wrong.is_empty() { Ok(complete) } else { Err(explain(&wrong, &said, answer)) }
}

pub(super) fn show(row: &Row) -> String {
    let values: Vec<String> = row.iter().map(|(name, value)| format!("{name}={value}")).collect();
    format!("[{}]", values.join(" "))
}

fn explain(wrong: &[String], said: &Said, answer: &Answer) -> String {
    let all = |rows: &BTreeSet<Row>| rows.iter().take(12).map(show).collect::<Vec<_>>().join(" ");
    format!(
        "{}\n  raveler: {:?}{} {}\n  machine: {:?} (allowed {:?}) {}",
        wrong.join("\n"),
        said.violations,
        if said.inconclusive { " inconclusive" } else { "" },
        all(&said.outcomes),
        answer.violations,
        answer.allowed,
        all(&answer.outcomes),
    )
}
