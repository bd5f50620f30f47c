//! The two engines against each other: graphs, and interleavings of threads with store buffers.

use rustc_hash::FxHashSet;

use super::{memory, same, settings_with, sound, unordered_places, violated, without_order};
use crate::campaign::Verdict;
use crate::engine::{Report, Seen, Through, run};
use crate::program::TestProgram;
use raveler_core::outcome::StopReason;
use raveler_core::{Counts, Engine, Equivalence, Locks, Model, Settings, Violation, ViolationKind};

/// Programs with more interleavings than this are left out, with the reduction and without.
const MOST_RUNS: u64 = 30_000;
const MOST_PLAIN_RUNS: u64 = 6_000;

/// The models that have both engines.
const MODELS: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

/// The engine of graphs against that of interleavings, with its reduction and without: the same classes, final states and
/// violations.
pub fn engines(program: &TestProgram, models: &[Model]) -> Verdict {
    let mut verdict = Verdict::default();
    for &model in models.iter().filter(|model| MODELS.contains(model)) {
        if let Err(difference) = engines_for(program, model, &mut verdict) {
            verdict.difference = Some(format!("{}: {difference}", model.name()));
            return verdict;
        }
    }
    verdict
}

fn engines_for(program: &TestProgram, model: Model, verdict: &mut Verdict) -> Result<(), String> {
    let locks = super::ordered_if_seen(program);
    let by_graphs =
        |model| run(program, &settings_with(model, Equivalence::ReadsFrom, locks), Through::Snapshot);
    let by_runs_through = |reduction: bool, bound: Option<u32>, through: Through| {
        let report = run(program, &settings_of(model, reduction, bound), through);
        let stopped = &report.outcome.stopped;
        let given_up = matches!(stopped, Some(StopReason::MaxExecutions | StopReason::Unsupported { .. }));
        (!given_up).then_some(report)
    };
    let by_runs = |reduction, bound| by_runs_through(reduction, bound, Through::Snapshot);
    let graphs = by_graphs(model);
    sound(&graphs)?;
    let mut compare = |report: Option<Report>, expected: &Report, what: &str| match report {
        Some(report) => {
            verdict.compared += report.complete.len() as u64;
            same_classes(expected, &report).map_err(|difference| format!("{what}: {difference}"))
        }
        None => {
            verdict.skipped += 1;
            Ok(())
        }
    };
    let whole = by_runs(true, None);
    compare(whole.clone(), &graphs, "interleavings")?;
    compare(by_runs(false, None), &graphs, "interleavings without reduction")?;
    if let Some(whole) = whole {
        if locks == Locks::Aware {
            same_orders(program, model, &whole)?;
        }
        for workers in [2, 3] {
            let settings = Settings { workers, ..settings_of(model, true, None) };
            alike(&whole, &run(program, &settings, Through::Snapshot), workers)?;
        }
        for through in [Through::Replay, Through::World] {
            let counts = by_runs_through(true, None, through).map(|report| report.outcome.counts);
            if counts != Some(whole.outcome.counts) {
                return Err(format!("{through:?}: counts {counts:?} and {:?}", whole.outcome.counts));
            }
        }
    }
    if model == Model::Sc {
        return Ok(());
    }
    compare(by_runs(true, Some(0)), &by_graphs(Model::Sc), "interleavings without room in buffers")?;
    for bound in [1, 2] {
        if let Some(plain) = by_runs(false, Some(bound)) {
            compare(by_runs(true, Some(bound)), &plain, &format!("interleavings with room for {bound}"))?;
        }
    }
    Ok(())
}

fn settings_of(model: Model, reduction: bool, bound: Option<u32>) -> Settings {
    Settings {
        engine: Engine::Interleaving,
        reduction,
        buffer_bound: bound,
        classes: true,
        max_executions: Some(if reduction { MOST_RUNS } else { MOST_PLAIN_RUNS }),
        ..settings_with(model, Equivalence::ReadsFrom, Locks::Ordered)
    }
}

/// Do several workers come to the same as one? Only how many runs they leave halfway depends on how they share them.
fn alike(one: &Report, many: &Report, workers: usize) -> Result<(), String> {
    let counts = |report: &Report| Counts { redundant: 0, ..report.outcome.counts };
    let kinds = |report: &Report| {
        report.outcome.violations.iter().map(|violation| violation.kind).collect::<FxHashSet<_>>()
    };
    if counts(one) != counts(many) || one.outcome.classes != many.outcome.classes {
        return Err(format!("{workers} workers: counts {:?} and {:?}", counts(many), counts(one)));
    }
    if one.complete != many.complete {
        return Err(format!("{workers} workers see other executions, or see them more or less often"));
    }
    same("violations of several workers", &kinds(one), &kinds(many))
}

/// Are there as many classes as executions, if the order of critical sections counts?
fn same_orders(program: &TestProgram, model: Model, runs: &Report) -> Result<(), String> {
    let settings = settings_with(model, Equivalence::ReadsFrom, Locks::Ordered);
    let ordered = run(program, &settings, Through::Snapshot).outcome;
    let failed = ordered.counts.failed + runs.outcome.counts.failed > 0;
    if failed || ordered.stopped.is_some() || runs.outcome.classes == Some(ordered.counts.executions) {
        return Ok(());
    }
    let (classes, executions) = (runs.outcome.classes, ordered.counts.executions);
    Err(format!("{classes:?} classes, {executions} executions with the order of sections"))
}

/// Do interleavings come to the same as what is expected? Each class may be found more than once.
fn same_classes(expected: &Report, report: &Report) -> Result<(), String> {
    if let Some(complaint) = &report.complaint {
        return Err(complaint.clone());
    }
    if let Some(reason) = &report.outcome.stopped {
        return Err(format!("the search stopped early: {reason:?}"));
    }
    let (left, right) = (memory::reported(expected), memory::reported(report));
    if left.is_empty() != right.is_empty() {
        return Err(format!("wrong uses of memory {left:?} and {right:?}"));
    }
    // Which of two events is the mistake, and stops its thread, depends on the search.
    if !left.is_empty() {
        return Ok(());
    }
    let mut unordered = unordered_places(expected);
    unordered.extend(unordered_places(report));
    let of = |report: &Report| -> FxHashSet<Seen> {
        report.complete.keys().map(|seen| without_order(seen.clone(), &unordered)).collect()
    };
    same("complete executions", &of(expected), &of(report))?;
    same("final states", &expected.states, &report.states)?;
    if unordered.is_empty() && report.outcome.classes != Some(report.complete.len() as u64) {
        return Err(format!("{:?} classes, {} seen", report.outcome.classes, report.complete.len()));
    }
    let kinds = |report: &Report| -> FxHashSet<(ViolationKind, u32)> {
        let place = |violation: &Violation| match violation.kind {
            ViolationKind::Assertion => violation.site.0,
            _ => 0,
        };
        report.outcome.violations.iter().map(|violation| (violation.kind, place(violation))).collect()
    };
    // A thread that fails ends its exploration.
    let failed = expected.outcome.counts.failed + report.outcome.counts.failed > 0;
    if failed {
        return match violated(expected, ViolationKind::Assertion)
            == violated(report, ViolationKind::Assertion)
        {
            true => Ok(()),
            false => Err(format!("violations {:?} and {:?}", kinds(expected), kinds(report))),
        };
    }
    same("violations", &kinds(expected), &kinds(report))
}
