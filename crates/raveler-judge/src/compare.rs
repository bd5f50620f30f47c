//! The engine against the judges, and against itself where two runs must agree.

mod bounded;
mod engine_notes;
mod engines;
mod itself;
pub mod memory;
mod preemptions;
mod random;
mod replay;
mod xmm;
mod xmm_waits;

pub use bounded::{bounded_machines, bounded_oracle};
pub use engine_notes::Notes as EngineNotes;
pub use engines::{engines, engines_noted};
pub use itself::{front_ends, inclusions, parts, spins, strengthened, workers};
pub use preemptions::preemptions;
pub use random::random_walks;
pub use replay::replays;
pub use xmm::beside_rc20;
pub use xmm_waits::unrolled_waits;

use rustc_hash::FxHashSet;
use std::fmt::Debug;
use std::hash::Hash;

use crate::brute::{self, Found, Judged, Limits, judge, judge_sections};
use crate::campaign::Verdict;
use crate::engine::{Report, Seen, Through, run, run_for};
use crate::graph::{Coherence, End, EventKind, Graph};
use crate::machines;
use crate::program::TestProgram;
use raveler_core::outcome::StopReason;
use raveler_core::{Equivalence, Locks, Model, Settings, Violation, ViolationKind};

/// A search of more executions than this has lost its way.
const MOST_EXECUTIONS: u64 = 500_000;

/// A program with more executions than this, if the order of sections counts, takes too long.
const MOST_ORDERS: u64 = 20_000;

/// The settings of a comparison: everything is looked at, critical sections in their order.
pub fn settings(model: Model, equivalence: Equivalence) -> Settings {
    settings_with(model, equivalence, Locks::Ordered)
}

/// The same with this way to look at critical sections.
pub fn settings_with(model: Model, equivalence: Equivalence, locks: Locks) -> Settings {
    Settings {
        equivalence,
        locks,
        all: true,
        spurious_cas: true,
        max_executions: Some(MOST_EXECUTIONS),
        ..Settings::new(model)
    }
}

/// A report of a search that was not given up.
fn whole(report: Report) -> Option<Report> {
    let given_up = matches!(
        report.outcome.stopped,
        Some(StopReason::MaxExecutions | StopReason::Observer | StopReason::Unsupported { .. })
    );
    (!given_up).then_some(report)
}

/// The engine against brute force: the same executions, each once, the same final states, races and deadlocks.
pub fn oracle(
    program: &TestProgram,
    models: &[Model],
    equivalences: &[Equivalence],
    limits: Limits,
) -> Verdict {
    if program.has_read_locks() {
        return locks(program, models, equivalences, limits);
    }
    match judge(program, limits) {
        Ok(judged) => oracle_for(program, &judged, models, equivalences, u32::MAX),
        Err(_) => Verdict { skipped: 1, ..Verdict::default() },
    }
}

/// The same for programs with locks, where brute force tries every order of the critical sections: without their order
/// the same executions, and with it as many.
pub fn locks(
    program: &TestProgram,
    models: &[Model],
    equivalences: &[Equivalence],
    limits: Limits,
) -> Verdict {
    let mut verdict = Verdict::default();
    let fits = program.has_locks() && (!program.has_trylocks() || program.has_read_locks());
    let Some(judged) = fits.then(|| judge_sections(program, limits)).and_then(Result::ok) else {
        return Verdict { skipped: 1, ..Verdict::default() };
    };
    for &model in models {
        for &equivalence in equivalences {
            let run = |locks| run(program, &settings_with(model, equivalence, locks), Through::Snapshot);
            let report = run(Locks::Aware);
            if is_never_shared(program, &report) {
                verdict.skipped = 1;
                continue;
            }
            verdict.compared += report.outcome.counts.executions;
            let expected = match equivalence {
                Equivalence::ReadsFrom => judged.classes(model),
                Equivalence::Coherence => judged.executions(model),
            };
            let ordered = run(Locks::Ordered);
            let mut result = against_brute(&judged, &report, model, equivalence);
            if result.is_ok() {
                let mistakes = memory::same_mistakes(&judged, &ordered, model);
                result = mistakes.map_err(|difference| format!("with the order of sections: {difference}"));
            }
            let ordered = ordered.outcome.counts.executions;
            let exact = judged.mistakes.possible(model).is_empty();
            if result.is_ok() && exact && ordered != expected as u64 {
                result = Err(format!("{ordered} executions with the order of sections, not {expected}"));
            }
            if let Err(difference) = result {
                verdict.difference = Some(format!("{} {equivalence:?}: {difference}", model.name()));
                return verdict;
            }
        }
    }
    verdict
}

/// The same with what brute force found; a search that reports progress more than `breaths` times has lost its way.
pub fn oracle_for(
    program: &TestProgram,
    judged: &Judged,
    models: &[Model],
    equivalences: &[Equivalence],
    breaths: u32,
) -> Verdict {
    let mut verdict = Verdict::default();
    let ways = match (program.has_locks(), program.has_read_locks()) {
        (false, _) => &[Locks::Ordered][..],
        (true, false) => &[Locks::Ordered, Locks::Aware],
        (true, true) => &[Locks::Aware],
    };
    for &locks in ways {
        for &model in models {
            for &equivalence in equivalences {
                let settings =
                    Settings { buffer_bound: judged.room, ..settings_with(model, equivalence, locks) };
                let report = run_for(program, &settings, Through::Snapshot, breaths);
                if is_never_shared(program, &report) {
                    verdict.skipped = 1;
                    continue;
                }
                verdict.compared += report.outcome.counts.executions;
                let result = against_brute(judged, &report, model, equivalence)
                    .and_then(|()| bounded::is_met_where_it_should(judged, &report, model));
                if let Err(difference) = result {
                    let name = model.name();
                    verdict.difference = Some(format!("{name} {equivalence:?} {locks:?}: {difference}"));
                    return verdict;
                }
            }
        }
    }
    verdict
}

/// The engine against itself: without the order of critical sections the same as with it, but for the order. The ordinary
/// search finds the one, the lock-aware one the other; no brute force, so that programs may be larger.
pub fn lock_orders(program: &TestProgram, models: &[Model], equivalences: &[Equivalence]) -> Verdict {
    let mut verdict = Verdict::default();
    if !program.has_locks() || program.has_read_locks() {
        return Verdict { skipped: 1, ..verdict };
    }
    for &model in models {
        for &equivalence in equivalences {
            let run = |locks| {
                let settings = settings_with(model, equivalence, locks);
                let settings = Settings { max_executions: Some(MOST_ORDERS), ..settings };
                run(program, &settings, Through::Snapshot)
            };
            let ordered = run(Locks::Ordered);
            if ordered.outcome.stopped.is_some() {
                return Verdict { skipped: 1, ..verdict };
            }
            let aware = run(Locks::Aware);
            verdict.compared += aware.outcome.counts.executions;
            if let Err(difference) = same_but_for_order(program, &ordered, &aware) {
                verdict.difference = Some(format!("{} {equivalence:?}: {difference}", model.name()));
                return verdict;
            }
        }
    }
    verdict
}

fn same_but_for_order(program: &TestProgram, ordered: &Report, aware: &Report) -> Result<(), String> {
    sound(ordered)?;
    sound(aware)?;
    let (left, right) = (memory::reported(ordered), memory::reported(aware));
    // Waiting for ever for a lock that the thread holds itself may be a use of its memory in one search only.
    let only_used = [ViolationKind::UseAfterFree].into();
    let waits = [ordered, aware].iter().any(|report| violated(report, ViolationKind::Deadlock))
        && (left == only_used || right == only_used);
    if left.is_empty() != right.is_empty() && !waits {
        return Err(format!("wrong uses of memory {left:?} and {right:?}"));
    }
    if !left.is_empty() {
        return Ok(());
    }
    let unordered = unordered_places(aware);
    let of = |seen: &mut dyn Iterator<Item = &Seen>| -> FxHashSet<Seen> {
        seen.map(|seen| without_order(seen.clone(), &unordered)).collect()
    };
    let complete = |report: &Report| of(&mut report.complete.keys());
    same("complete executions", &complete(ordered), &complete(aware))?;
    same("final states", &ordered.states, &aware.states)?;
    let kinds = |report: &Report| -> FxHashSet<(ViolationKind, u32)> {
        let place = |violation: &Violation| match violation.kind {
            ViolationKind::Assertion => violation.site.0,
            _ => 0,
        };
        report.outcome.violations.iter().map(|violation| (violation.kind, place(violation))).collect()
    };
    // A thread that fails ends its exploration in the one search, and others go on in the other and may fail, too.
    let failed = ordered.outcome.counts.failed + aware.outcome.counts.failed > 0;
    let (mut found, expected) = (kinds(aware), kinds(ordered));
    found.retain(|kind| !failed || expected.contains(kind));
    same("violations", &expected, &found)?;
    if program.has_conditions() || failed {
        return Ok(());
    }
    let blocked = |report: &Report| of(&mut report.blocked.keys());
    same("blocked executions", &blocked(ordered), &blocked(aware))
}

/// The places of locks that the engine did not treat as memory: their order is not part of an execution.
fn unordered_places(report: &Report) -> FxHashSet<u8> {
    let mut places = FxHashSet::default();
    for (graph, _) in report.complete.keys().chain(report.blocked.keys()) {
        let locks = graph.threads.iter().flatten().filter(|event| event.kind == EventKind::Lock);
        places.extend(locks.filter(|event| event.source.is_none()).filter_map(|event| event.place));
    }
    places
}

/// Is there a lock that is tried and could be shared, but nobody comes to do so? The engine takes it for one that cannot.
fn is_never_shared(program: &TestProgram, report: &Report) -> bool {
    if !program.has_trylocks() || !program.has_read_locks() {
        return false;
    }
    let first = program.cells() as u8;
    let shared: Vec<u8> =
        (0..program.locks).filter(|&lock| program.is_shared(lock)).map(|lock| first + lock).collect();
    let graphs = report.complete.keys().chain(report.blocked.keys()).map(|(graph, _)| graph);
    let mut events = graphs.flat_map(|graph| graph.threads.iter().flatten());
    events.any(|event| {
        event.kind == EventKind::Lock
            && event.source.is_some()
            && event.place.is_some_and(|place| shared.contains(&place))
    })
}

/// An execution without the order of these locks.
fn without_order((mut graph, mut coherence): Seen, places: &FxHashSet<u8>) -> Seen {
    if places.is_empty() {
        return (graph, coherence);
    }
    for event in graph.threads.iter_mut().flatten() {
        // Who fails to take a lock has seen who holds it.
        let failed = event.kind == EventKind::LockFailed;
        if !failed && event.place.is_some_and(|place| places.contains(&place)) {
            event.source = None;
        }
    }
    for (place, order) in coherence.iter_mut().flatten().enumerate() {
        if places.contains(&(place as u8)) {
            order.clear();
        }
    }
    (graph, coherence)
}

fn against_brute(
    judged: &Judged,
    report: &Report,
    model: Model,
    equivalence: Equivalence,
) -> Result<(), String> {
    sound(report)?;
    if !judged.mistakes.possible(model).is_empty() {
        return memory::against_brute(judged, report, model, equivalence);
    }
    memory::same_mistakes(judged, report, model)?;
    let expected = |complete: bool, test: &dyn Fn(&Graph, &Coherence) -> bool| {
        executions(judged, report, model, equivalence, &|found, order| {
            found.graph.complete() == complete && test(&found.graph, order)
        })
    };
    let complete = report.complete.keys().cloned().collect();
    same("complete executions", &expected(true, &|_, _| true), &complete)?;
    same("final states", &judged.states(model), &report.states)?;
    let violated = |kind| violated(report, kind);
    if model.definition().races && judged.races.has(model) != violated(ViolationKind::Race) {
        return Err(format!("a race? by brute force {}", judged.races.has(model)));
    }
    let deadlock = violated(ViolationKind::Deadlock);
    if judged.deadlocks.has(model) && !deadlock || !judged.waits_for_good.has(model) && deadlock {
        return Err(format!("a deadlock? by brute force {}", judged.deadlocks.has(model)));
    }
    let failed = |violation: &&Violation| violation.kind == ViolationKind::Assertion;
    let failures = report.outcome.violations.iter().filter(failed).map(|violation| violation.site.0);
    same("failed assertions", &judged.failures(model), &failures.collect())?;
    // A thread that takes a lock twice ends its exploration with a violation: it does not come as a blocked one.
    if report.outcome.counts.failed > 0 {
        return Ok(());
    }
    let mut blocked: FxHashSet<Seen> = report.blocked.keys().cloned().collect();
    let mut all = expected(false, &|_, _| true);
    if judged.signals {
        // A thread that misses the bell which rings for it may be left out, or not.
        let lasting = expected(false, &brute::see_the_last);
        blocked.retain(|seen| lasting.contains(seen) || !all.contains(seen));
        all = lasting;
    }
    same("blocked executions", &all, &blocked)
}

/// The executions that brute force found and that satisfy this, in the form of the report. Where an assertion failed the
/// engine reports none.
fn executions(
    judged: &Judged,
    report: &Report,
    model: Model,
    equivalence: Equivalence,
    test: &dyn Fn(&Found, &Coherence) -> bool,
) -> FxHashSet<Seen> {
    let unordered = unordered_places(report);
    let mut all = FxHashSet::default();
    for found in judged.found.iter().filter(|found| !found.graph.ends.contains(&End::Failed)) {
        let mut allowed =
            found.orders.iter().filter(|(order, models)| models.has(model) && test(found, order));
        match equivalence {
            Equivalence::ReadsFrom => {
                let seen = allowed.next().map(|_| (found.graph.clone(), None));
                all.extend(seen.map(|seen| without_order(seen, &unordered)));
            }
            Equivalence::Coherence => {
                let seen = |order: &Coherence| (found.graph.clone(), Some(order.clone()));
                all.extend(allowed.map(|(order, _)| without_order(seen(order), &unordered)));
            }
        }
    }
    all
}

fn violated(report: &Report, kind: ViolationKind) -> bool {
    report.outcome.violations.iter().any(|violation| violation.kind == kind)
}

/// What must hold of every report: nothing twice, nothing odd, counts that fit.
pub(crate) fn sound(report: &Report) -> Result<(), String> {
    if let Some(complaint) = &report.complaint {
        return Err(complaint.clone());
    }
    if let Some(reason) = &report.outcome.stopped {
        return Err(format!("the search stopped early: {reason:?}"));
    }
    if let Some((seen, times)) = report.complete.iter().find(|(_, times)| **times > 1) {
        return Err(format!("a complete execution was reported {times} times:\n{seen:?}"));
    }
    if let Some((seen, times)) = report.blocked.iter().find(|(_, times)| **times > 1) {
        return Err(format!("a blocked execution was reported {times} times:\n{seen:?}"));
    }
    if let Some(seen) = report.complete.keys().find(|seen| !seen.0.complete()) {
        return Err(format!("not complete, but reported so:\n{seen:?}"));
    }
    let counts = &report.outcome.counts;
    if counts.executions != report.complete.len() as u64 {
        return Err(format!("{} executions seen, {} counted", report.complete.len(), counts.executions));
    }
    Ok(())
}

pub(crate) fn same<T: Eq + Hash + Debug>(
    what: &str,
    judge: &FxHashSet<T>,
    engine: &FxHashSet<T>,
) -> Result<(), String> {
    if judge == engine {
        return Ok(());
    }
    let missing: Vec<&T> = judge.difference(engine).collect();
    let extra: Vec<&T> = engine.difference(judge).collect();
    Err(format!(
        "{what}: {} missing, {} too many of {}\nmissing: {:?}\ntoo many: {:?}",
        missing.len(),
        extra.len(),
        judge.len(),
        missing.first(),
        extra.first(),
    ))
}

/// How to look at critical sections: in their order, if executions can be told apart by it. With shared locks those that
/// differ in the order of sections only look alike.
fn ordered_if_seen(program: &TestProgram) -> Locks {
    if program.has_read_locks() { Locks::Aware } else { Locks::Ordered }
}

/// The engine's final states against those of the operational machines.
pub fn against_machines(program: &TestProgram, models: &[Model]) -> Verdict {
    against_machines_with(program, models, None)
}

/// The same with store buffers that hold so many stores.
fn against_machines_with(program: &TestProgram, models: &[Model], room: Option<u32>) -> Verdict {
    let mut verdict = Verdict::default();
    for &model in models.iter().filter(|model| machines::exists(**model)) {
        let Some(ends) = machines::run_bounded(program, model, room, crate::agreement::STATES) else {
            verdict.skipped += 1;
            continue;
        };
        let settings = settings_with(model, Equivalence::ReadsFrom, ordered_if_seen(program));
        let settings = Settings { buffer_bound: room, ..settings };
        let report = run(program, &settings, Through::Snapshot);
        // The engine goes on no further where memory is used wrongly, or a lock is released that is not held; machines do.
        let is_misused = violated(&report, ViolationKind::UnlockNotHeld);
        if is_misused || !memory::reported(&report).is_empty() {
            verdict.skipped += 1;
            continue;
        }
        verdict.compared += ends.states.len() as u64;
        let blocked = report.outcome.counts.blocked + report.outcome.counts.failed > 0;
        let result = sound(&report).and_then(|()| same("final states", &ends.states, &report.states));
        if let Err(difference) = result {
            verdict.difference = Some(format!("{}: {difference}", model.name()));
        } else if program.has_conditions() {
            // Who has not heard its bell yet is blocked, but may hear it later.
            let deadlock = report.outcome.violations.iter().any(|v| v.kind == ViolationKind::Deadlock);
            if deadlock != ends.stuck && !program.has_assumptions() {
                let name = model.name();
                verdict.difference = Some(format!("{name}: a deadlock? by the machine {}", ends.stuck));
            }
        } else if blocked != ends.stuck {
            verdict.difference = Some(format!("{}: stuck? by the machine {}", model.name(), ends.stuck));
        }
    }
    verdict
}
