//! Runs with few preemptions: those of the search against all that there are, and against the machine's.

use rustc_hash::FxHashSet;

use super::{same, settings_with};
use crate::campaign::Verdict;
use crate::engine::{Report, Through, run_for};
use crate::machines;
use crate::program::TestProgram;
use raveler_core::outcome::StopReason;
use raveler_core::{Engine, Equivalence, Locks, Model, Settings, ViolationKind};

const MODELS: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

/// Preemptions up to this many.
const MOST_PREEMPTIONS: u32 = 3;
/// Programs with more runs, or states of the machine, are left out.
const MOST_RUNS: u64 = 3_000;
const MOST_STATES: usize = 20_000;
/// A search is given up after so many breaths of 4,096 steps: runs that are blocked or dropped count towards no limit.
const BREATHS: u32 = 40;

/// Runs with at most 0, 1, 2, 3 preemptions: the search leaves out what leads to states that it has seen, an
/// enumeration leaves out nothing, and the machine counts preemptions by itself.
pub fn preemptions(program: &TestProgram, models: &[Model]) -> Verdict {
    let mut verdict = Verdict::default();
    for &model in models.iter().filter(|model| MODELS.contains(model)) {
        let mut machine = true;
        for bound in 0..=MOST_PREEMPTIONS {
            match within(program, model, bound, &mut machine, &mut verdict) {
                Ok(true) => {}
                // With more preemptions there are more runs still.
                Ok(false) => {
                    verdict.skipped += u64::from(MOST_PREEMPTIONS - bound);
                    break;
                }
                Err(difference) => {
                    let name = model.name();
                    verdict.difference = Some(format!("{name}, at most {bound} preemptions: {difference}"));
                    return verdict;
                }
            }
        }
    }
    verdict
}

/// False if there are too many runs; `machine` becomes false if the machine has too many states.
fn within(
    program: &TestProgram,
    model: Model,
    bound: u32,
    machine: &mut bool,
    verdict: &mut Verdict,
) -> Result<bool, String> {
    let search = |reduction| {
        let settings = Settings {
            engine: Engine::Interleaving,
            preemption_bound: Some(bound),
            reduction,
            classes: true,
            max_executions: Some(MOST_RUNS),
            ..settings_with(model, Equivalence::ReadsFrom, Locks::Ordered)
        };
        let report = run_for(program, &settings, Through::Snapshot, BREATHS);
        match &report.outcome.stopped {
            Some(StopReason::Preemptions) => Ok(Some(report)),
            Some(StopReason::MaxExecutions | StopReason::Observer | StopReason::Unsupported { .. }) => {
                Ok(None)
            }
            other => Err(format!("the search stopped with {other:?}")),
        }
    };
    let Some(searched) = search(true)? else {
        verdict.skipped += 1;
        return Ok(false);
    };
    let Some(all) = search(false)? else {
        verdict.skipped += 1;
        return Ok(false);
    };
    verdict.compared += all.complete.len() as u64;
    if searched.outcome.preemptions != Some(bound) {
        return Err(format!("covered are {:?}", searched.outcome.preemptions));
    }
    let classes = |report: &Report| report.complete.keys().cloned().collect::<FxHashSet<_>>();
    same("complete executions", &classes(&all), &classes(&searched))?;
    same("final states", &all.states, &searched.states)?;
    let kinds = |report: &Report| {
        report.outcome.violations.iter().map(|violation| violation.kind).collect::<FxHashSet<ViolationKind>>()
    };
    same("violations", &kinds(&all), &kinds(&searched))?;
    if all.outcome.classes != searched.outcome.classes {
        return Err(format!("classes {:?} and {:?}", all.outcome.classes, searched.outcome.classes));
    }
    // The machine knows no mistakes, and a thread that fails ends its run. One that waits in vain is stuck, while the
    // machine lets it go on later. A wait with a time limit is chosen to be late or not beforehand, and runs in which that
    // does not fit are dropped, while the machine decides when the time comes.
    let counts = &all.outcome.counts;
    if counts.failed + counts.blocked + counts.dropped > 0 || !all.outcome.violations.is_empty() {
        return Ok(true);
    }
    let ends = if *machine { machines::ends_within(program, model, bound, MOST_STATES) } else { None };
    let Some(ends) = ends else {
        *machine = false;
        verdict.skipped += 1;
        return Ok(true);
    };
    if let Some(lost) = ends.iter().find(|end| !searched.states.contains(*end)) {
        return Err(format!("the machine ends with {lost:?}, the search does not"));
    }
    // A thread that tries a reader-writer lock waits for it, if it was chosen that the try succeeds.
    if !program.has_read_locks()
        && let Some(more) = searched.states.iter().find(|end| !ends.contains(*end))
    {
        return Err(format!("the search ends with {more:?}, the machine does not"));
    }
    Ok(true)
}
