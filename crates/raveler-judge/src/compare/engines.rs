//! The two engines against each other: graphs, and interleavings of threads with store buffers.

use rustc_hash::FxHashSet;

use super::engine_notes::{Left, Notes, Way};
use super::{memory, same, settings_with, sound, unordered_places, violated, whole, without_order};
use crate::campaign::{Extent, Verdict};
use crate::engine::{Report, Seen, Through, run, run_for};
use crate::program::TestProgram;
use raveler_core::{
    Counts, Engine, Equivalence, Locks, Model, Settings, SiteId, ThreadId, Violation, ViolationKind,
};

/// A program with more executions than this, or more runs with the reduction, is left out.
const MOST_EXECUTIONS: u64 = 3_000;
const MOST_RUNS: u64 = 10_000;
/// Without the reduction a program has many times as many runs: those with more than a few hundred reduced ones would only
/// be given up.
const MOST_REDUCED_FOR_PLAIN: u64 = 250;
const MOST_PLAIN_RUNS: u64 = 6_000;
/// With bounded buffers, too, where there were at most so many.
const MOST_PLAIN_FOR_BOUNDS: u64 = 1_500;
/// A search is given up after so many breaths of 4,096 steps: runs that are blocked or dropped count towards no limit.
const BREATHS: u32 = 40;

/// The models that have both engines.
pub(super) const MODELS: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

/// Sizes of buffers that are compared besides unbounded ones and none.
const ROOMS: [u32; 2] = [1, 2];

/// The engine of graphs against that of interleavings, with its reduction and without: the same classes, final states and
/// violations.
pub fn engines(program: &TestProgram, models: &[Model]) -> Verdict {
    engines_noted(program, models, Extent::AllWays, &Notes::default())
}

/// The same; in one way it is with the reduction only, with buffers of every size. The notes say what was compared in which way.
pub fn engines_noted(program: &TestProgram, models: &[Model], extent: Extent, notes: &Notes) -> Verdict {
    let mut verdict = Verdict::default();
    // What `sc` allows is also what the others allow without room in buffers.
    let sc = by_graphs(program, Model::Sc, None);
    for &model in models.iter().filter(|model| MODELS.contains(model)) {
        let mut comparison = Comparison { program, model, extent, notes, verdict: &mut verdict };
        if let Err(difference) = comparison.run(sc.as_ref()) {
            verdict.difference = Some(format!("{}: {difference}", model.name()));
            return verdict;
        }
    }
    verdict
}

/// The executions of the engine of graphs, unless there are too many.
fn by_graphs(program: &TestProgram, model: Model, bound: Option<u32>) -> Option<Report> {
    let settings = settings_with(model, Equivalence::ReadsFrom, super::ordered_if_seen(program));
    let settings = Settings { buffer_bound: bound, max_executions: Some(MOST_EXECUTIONS), ..settings };
    whole(run_for(program, &settings, Through::Snapshot, BREATHS))
}

/// How many executions there are if coherence orders count, unless there are too many.
fn orders(program: &TestProgram, model: Model) -> Option<u64> {
    let locks = super::ordered_if_seen(program);
    let settings = settings_with(model, Equivalence::Coherence, locks);
    let settings = Settings { max_executions: Some(MOST_RUNS), ..settings };
    let report = whole(run_for(program, &settings, Through::Snapshot, BREATHS))?;
    (locks == Locks::Ordered && report.outcome.counts.failed == 0).then_some(report.outcome.counts.executions)
}

/// One program under one model.
struct Comparison<'a> {
    program: &'a TestProgram,
    model: Model,
    extent: Extent,
    notes: &'a Notes,
    verdict: &'a mut Verdict,
}

impl Comparison<'_> {
    /// From what is cheap to what is not, so that a program which is too large is left out soon.
    fn run(&mut self, sc: Option<&Report>) -> Result<(), String> {
        let (program, model) = (self.program, self.model);
        let own = if model == Model::Sc { None } else { by_graphs(program, model, None) };
        let Some(graphs) = (if model == Model::Sc { sc } else { own.as_ref() }) else {
            self.leave(Left::Executions);
            return Ok(());
        };
        sound(graphs)?;
        let Some(reduced) = self.by_runs(true, None) else {
            self.leave(Left::Runs);
            return Ok(());
        };
        self.compare(&reduced, graphs, Way::Reduced)?;
        if let Some(orders) = orders(program, model) {
            self.notes.visits(model, &reduced.outcome, orders);
        }
        if super::ordered_if_seen(program) == Locks::Aware {
            same_orders(program, model, &reduced)?;
        }
        let mut plain = None;
        if self.extent == Extent::AllWays {
            self.in_other_ways(&reduced)?;
            plain = self.without_reduction(&reduced, graphs)?;
        }
        if model == Model::Sc {
            return Ok(());
        }
        if let Some(sc) = sc {
            self.bounded(0, sc, plain)?;
        }
        for bound in ROOMS {
            match by_graphs(program, model, Some(bound)) {
                Some(graphs) => self.bounded(bound, &graphs, plain)?,
                None => self.leave(Left::Executions),
            }
        }
        Ok(())
    }

    fn leave(&mut self, left: Left) {
        self.verdict.skipped += 1;
        self.notes.leave(left);
    }

    fn by_runs(&self, reduction: bool, bound: Option<u32>) -> Option<Report> {
        let settings = settings_of(self.model, reduction, bound);
        whole(run_for(self.program, &settings, Through::Snapshot, BREATHS))
    }

    fn compare(&mut self, report: &Report, expected: &Report, way: Way) -> Result<(), String> {
        self.verdict.compared += report.complete.len() as u64;
        self.notes.compared(way);
        same_classes(expected, report).map_err(|difference| format!("{}: {difference}", way.name()))
    }

    /// Several workers, and threads that are run again.
    fn in_other_ways(&mut self, reduced: &Report) -> Result<(), String> {
        for workers in [2, 3] {
            let settings = Settings { workers, ..settings_of(self.model, true, None) };
            alike(reduced, &run(self.program, &settings, Through::Snapshot), workers)?;
        }
        for through in [Through::Replay, Through::World] {
            let report = run(self.program, &settings_of(self.model, true, None), through);
            if whole(report.clone()).is_none() || report.outcome.counts != reduced.outcome.counts {
                let (these, those) = (report.outcome.counts, reduced.outcome.counts);
                return Err(format!("{through:?}: counts {these:?} and {those:?}"));
            }
        }
        Ok(())
    }

    /// All interleavings, where there are few; how many they are.
    fn without_reduction(&mut self, reduced: &Report, graphs: &Report) -> Result<Option<u64>, String> {
        let is_small = explored(reduced) <= MOST_REDUCED_FOR_PLAIN;
        let Some(plain) = is_small.then(|| self.by_runs(false, None)).flatten() else {
            self.leave(Left::Plain);
            return Ok(None);
        };
        self.compare(&plain, graphs, Way::Plain)?;
        none_missed(reduced, &plain)?;
        Ok(Some(explored(&plain)))
    }

    /// Buffers with room for so many stores; where there are few interleavings, all of them, too.
    fn bounded(&mut self, bound: u32, graphs: &Report, plain: Option<u64>) -> Result<(), String> {
        match self.by_runs(true, Some(bound)) {
            Some(report) => self.compare(&report, graphs, Way::Bounded(bound))?,
            None => self.leave(Left::Runs),
        }
        if plain.is_some_and(|runs| runs <= MOST_PLAIN_FOR_BOUNDS)
            && let Some(report) = self.by_runs(false, Some(bound))
        {
            self.compare(&report, graphs, Way::PlainBounded(bound))?;
        }
        Ok(())
    }
}

/// How many runs were made to their ends.
fn explored(report: &Report) -> u64 {
    let counts = &report.outcome.counts;
    counts.executions + counts.blocked + counts.dropped + counts.failed + counts.redundant
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
    if counts(one) != counts(many) || one.outcome.classes != many.outcome.classes {
        return Err(format!("{workers} workers: counts {:?} and {:?}", counts(many), counts(one)));
    }
    if one.complete != many.complete {
        return Err(format!("{workers} workers see other executions, or see them more or less often"));
    }
    let (one, many) = (&one.outcome.violations, &many.outcome.violations);
    match has_all(one, many) && has_all(many, one) {
        true => Ok(()),
        false => Err(format!("{workers} workers: violations {:?} and {:?}", told(many), told(one))),
    }
}

/// Of a use and the free of what it uses either may come first, and is no mistake then: does the reduction leave both?
fn none_missed(reduced: &Report, plain: &Report) -> Result<(), String> {
    let stops = |violation: &&Violation| {
        use ViolationKind::{DoubleFree, LockMisuse, UseAfterFree};
        matches!(violation.kind, UseAfterFree | DoubleFree | LockMisuse)
    };
    let expected: Vec<Violation> = plain.outcome.violations.iter().filter(stops).cloned().collect();
    match has_all(&reduced.outcome.violations, &expected) {
        true => Ok(()),
        false => Err(format!(
            "violations {:?}, without the reduction {:?}",
            told(&reduced.outcome.violations),
            told(&expected)
        )),
    }
}

/// Are all of those among these?
fn has_all(these: &[Violation], those: &[Violation]) -> bool {
    those.iter().all(|that| these.iter().any(|this| this.is_same(that)))
}

fn told(violations: &[Violation]) -> Vec<(ViolationKind, ThreadId, SiteId, Vec<SiteId>)> {
    let places = |v: &Violation| v.related.iter().map(|related| related.site).collect();
    violations.iter().map(|v| (v.kind, v.thread, v.site, places(v))).collect()
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
