//! The C files of the corpus, run in other ways than their lines say: `rf` and `co`, sections ordered and not, one worker
//! and two. Verdict and kinds of violations must be the same in each.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use raveler_c::search;
use raveler_core::observer::Unobserved;
use raveler_core::outcome::StopReason;
use raveler_core::{Equivalence, Locks, Model, Outcome, Settings, Verdict};

use crate::c::{Asked, Expectation, Run, asked, expectations, prepare};

/// A search with more executions is left out.
const MAX_EXECUTIONS: u64 = 3_000;

/// How it went.
#[derive(Default, Debug)]
pub struct Summary {
    /// Searches that were compared.
    pub compared: u64,
    /// Searches that are too large.
    pub skipped: u64,
    /// What differs.
    pub differences: Vec<String>,
}

/// What every way of searching must say.
#[derive(PartialEq, Eq, Debug)]
struct Answer {
    verdict: Verdict,
    kinds: BTreeSet<&'static str>,
}

/// Run the lines of a file in all ways; of every `every` lines, counted over all files by `at`, one.
pub fn run(file: &Path, every: u64, at: &mut u64, summary: &mut Summary) -> io::Result<()> {
    let text = fs::read_to_string(file)?;
    let Ok(Expectation::Runs(runs)) = expectations(&text) else { return Ok(()) };
    for run in runs.iter().filter(|run| !run.long) {
        for &model in &run.models {
            *at += 1;
            if (*at).is_multiple_of(every) {
                compare(file, run, model, summary);
            }
        }
    }
    Ok(())
}

fn compare(file: &Path, run: &Run, model: Model, summary: &mut Summary) {
    let Ok(Some(Asked { settings, lowering, unroll, stack })) = asked(model, &run.options) else { return };
    let Ok(program) = prepare(file, &run.flags, &lowering) else { return };
    let program = program.unrolled(unroll).with_stack(stack);
    // What was learned stays with a program, so each search gets its own.
    let answer = |settings: &Settings| {
        let program = program.fresh();
        program.prepare(settings);
        answer(&search(&program, settings, &mut Unobserved))
    };
    let base = Settings { all: true, max_executions: Some(MAX_EXECUTIONS), ..settings };
    let Some(expected) = answer(&base) else {
        summary.skipped += 1;
        return;
    };
    for (equivalence, locks, workers) in ways() {
        let settings = Settings { equivalence, locks, workers, ..base.clone() };
        match answer(&settings) {
            None => summary.skipped += 1,
            Some(found) => {
                summary.compared += 1;
                if found != expected {
                    summary.differences.push(format!(
                        "{}:{}: {} {}: {equivalence:?}, {locks:?}, {workers} workers: {found:?} instead of {expected:?}",
                        file.display(),
                        run.line,
                        run.flags.join(" "),
                        model.name()
                    ));
                }
            }
        }
    }
}

/// The ways to search.
fn ways() -> Vec<(Equivalence, Locks, usize)> {
    let mut ways = Vec::new();
    for equivalence in [Equivalence::ReadsFrom, Equivalence::Coherence] {
        for locks in [Locks::Aware, Locks::Ordered] {
            ways.extend([1, 2].map(|workers| (equivalence, locks, workers)));
        }
    }
    ways
}

/// None if the search is too large, or refused.
fn answer(outcome: &Outcome) -> Option<Answer> {
    match outcome.stopped {
        None | Some(StopReason::Violation) => {
            let kinds = outcome.violations.iter().map(|violation| violation.kind.name()).collect();
            Some(Answer { verdict: outcome.verdict(), kinds })
        }
        _ => None,
    }
}
