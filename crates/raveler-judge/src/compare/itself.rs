//! The engine against itself where two runs must agree.

use rustc_hash::FxHashSet;

use super::{memory, ordered_if_seen, same, settings, settings_with, sound};
use crate::campaign::Verdict;
use crate::engine::{Report, Seen, Through, run};
use crate::program::{Order, Stmt, TestProgram};
use raveler_core::{Counts, Equivalence, Locks, Model, Outcome, Settings, SiteId, Violation, ViolationKind};

/// Models that allow more than others: every execution of the stronger is one of the weaker. RC20's order of `seq_cst`
/// events is stronger than RC11's.
const INCLUSIONS: [(Model, Model); 5] = [
    (Model::Sc, Model::Tso),
    (Model::Tso, Model::Pso),
    (Model::Tso, Model::Sra),
    (Model::Sra, Model::Ra),
    (Model::Rc11, Model::Rc20),
];

/// The engine against itself: inclusions between models; RC11, RC20 and RA the same when everything is release and
/// acquire; the same final states under `rf` and `co`.
pub fn inclusions(program: &TestProgram) -> Verdict {
    let mut verdict = Verdict::default();
    let settings = |model, equivalence| settings_with(model, equivalence, ordered_if_seen(program));
    let mut check = |result: Result<(), String>| {
        if verdict.difference.is_none()
            && let Err(difference) = result
        {
            verdict.difference = Some(difference);
        }
    };
    let both = [Equivalence::ReadsFrom, Equivalence::Coherence];
    let mut compared = 0;
    let reports = both.map(|equivalence| {
        Model::CAUSAL.map(|model| run(program, &settings(model, equivalence), Through::Snapshot))
    });
    // What is a wrong use of memory under one model is an execution under another.
    if reports.iter().flatten().any(|report| !memory::reported(report).is_empty()) {
        return Verdict { skipped: 1, ..Verdict::default() };
    }
    for reports in &reports {
        for (strong, weak) in INCLUSIONS {
            if strong == Model::Rc11 && program.has_seq_cst() {
                continue;
            }
            let (small, large) = (&reports[strong as usize], &reports[weak as usize]);
            check(sound(small).and_then(|()| sound(large)));
            compared += small.complete.len() as u64;
            let lost = small.complete.keys().find(|seen| !large.complete.contains_key(*seen));
            if let Some(lost) = lost {
                check(Err(format!("{} allows what {} does not:\n{lost:?}", strong.name(), weak.name())));
            }
        }
    }
    for (model, (rf, co)) in Model::CAUSAL.iter().zip(reports[0].iter().zip(&reports[1])) {
        check(
            same("final states (rf against co)", &co.states, &rf.states)
                .map_err(|e| format!("{}: {e}", model.name())),
        );
    }
    let strong = strengthened(program);
    // What a failed trylock or a condition variable does is relaxed.
    if !program.has_trylocks() && !program.has_conditions() {
        for equivalence in both {
            let keys = |model| -> FxHashSet<Seen> {
                run(&strong, &settings(model, equivalence), Through::Snapshot).complete.into_keys().collect()
            };
            let ra = keys(Model::Ra);
            compared += ra.len() as u64;
            check(same("strengthened, ra against rc11", &ra, &keys(Model::Rc11)));
            check(same("strengthened, ra against rc20", &ra, &keys(Model::Rc20)));
        }
    }
    verdict.compared = compared;
    verdict
}

/// The same program with every load acquire, every store release and no `seq_cst` or plain access or fence.
pub fn strengthened(program: &TestProgram) -> TestProgram {
    let mut strong = program.clone();
    strong.visit_mut(&mut |stmt| match stmt {
        Stmt::Load { order, .. } => *order = Order::Acquire,
        Stmt::Store { order, .. } => *order = Order::Release,
        Stmt::Update { order, .. } => *order = Order::AcqRel,
        Stmt::Cas { success, failure, .. } | Stmt::WeakCas { success, failure, .. } => {
            (*success, *failure) = (Order::AcqRel, Order::Acquire)
        }
        Stmt::Fence(order) => *order = Order::AcqRel,
        _ => {}
    });
    strong
}

/// The engine against itself: both front-ends give the same executions and counts.
pub fn front_ends(program: &TestProgram, models: &[Model]) -> Verdict {
    variants(program, models, &[(Through::Replay, 1), (Through::World, 1)])
}

/// The engine against itself: any number of workers gives the same executions and counts.
pub fn workers(program: &TestProgram, models: &[Model]) -> Verdict {
    variants(program, models, &[(Through::Snapshot, 2), (Through::Snapshot, 3)])
}

/// The engine against itself: a search cut at random places, whose parts go on elsewhere, comes to the same.
pub fn parts(program: &TestProgram, models: &[Model]) -> Verdict {
    let through = [(Through::Parts { seed: 1 }, 1), (Through::Parts { seed: 2 }, 1)];
    variants(program, models, &through)
}

/// The engine against itself: what leads only to threads that wait in a loop is left out, and nothing else.
pub fn spins(program: &TestProgram, models: &[Model]) -> Verdict {
    let mut verdict = Verdict::default();
    for &model in models {
        for equivalence in [Equivalence::ReadsFrom, Equivalence::Coherence] {
            let settings = settings(model, equivalence);
            let plain = run(program, &settings, Through::Snapshot);
            let spins = run(program, &settings, Through::Spins);
            verdict.compared += plain.complete.len() as u64;
            if let Err(difference) = same_but_waits(&plain, &spins) {
                verdict.difference = Some(format!("{} {equivalence:?} spins: {difference}", model.name()));
                return verdict;
            }
        }
    }
    verdict
}

fn same_but_waits(plain: &Report, spins: &Report) -> Result<(), String> {
    sound(spins)?;
    let keys = |map: &rustc_hash::FxHashMap<Seen, u32>| map.keys().cloned().collect::<FxHashSet<_>>();
    same("complete executions", &keys(&plain.complete), &keys(&spins.complete))?;
    same("final states", &plain.states, &spins.states)?;
    let waits = |kind: ViolationKind| matches!(kind, ViolationKind::Deadlock | ViolationKind::Liveness);
    let others = |report: &Report| {
        let mut all = places(&report.outcome);
        all.retain(|(kind, _)| !waits(*kind));
        all
    };
    let waiting = |report: &Report| report.outcome.violations.iter().any(|v| waits(v.kind));
    if others(plain) != others(spins) {
        return Err(format!("violations {:?} and {:?}", others(plain), others(spins)));
    }
    if waiting(plain) != waiting(spins) {
        return Err(format!("waits for ever: {} and {}", waiting(plain), waiting(spins)));
    }
    if let Some(seen) = spins.blocked.keys().find(|seen| !plain.blocked.contains_key(*seen)) {
        return Err(format!("blocked only with loops: {seen:?}"));
    }
    Ok(())
}

fn variants(program: &TestProgram, models: &[Model], variants: &[(Through, usize)]) -> Verdict {
    let mut verdict = Verdict::default();
    let both = [Equivalence::ReadsFrom, Equivalence::Coherence];
    let ways = match (program.has_locks(), program.has_read_locks()) {
        (false, _) => &[Locks::Ordered][..],
        (true, false) => &[Locks::Ordered, Locks::Aware],
        // Executions that differ only in the order of sections that readers may share look alike.
        (true, true) => &[Locks::Aware],
    };
    let cases = models.iter().flat_map(|&model| both.map(|equivalence| (model, equivalence)));
    for (model, equivalence) in cases {
        for &locks in ways {
            let settings = settings_with(model, equivalence, locks);
            let first = run(program, &settings, Through::Snapshot);
            verdict.compared += first.complete.len() as u64;
            for &(through, workers) in variants {
                let other = run(program, &Settings { workers, ..settings.clone() }, through);
                if let Err(difference) = same_report(&first, &other, locks) {
                    let name = model.name();
                    let way = format!("{equivalence:?} {locks:?} {through:?} {workers} workers");
                    verdict.difference = Some(format!("{name} {way}: {difference}"));
                    return verdict;
                }
            }
        }
    }
    verdict
}

pub(super) fn same_report(first: &Report, other: &Report, locks: Locks) -> Result<(), String> {
    sound(other)?;
    same_in_each_order(first, other, locks)
}

/// The same where executions that differ only in the order of sections that readers may share look alike.
pub(super) fn same_in_each_order(first: &Report, other: &Report, locks: Locks) -> Result<(), String> {
    let keys = |map: &rustc_hash::FxHashMap<Seen, u32>| map.keys().cloned().collect::<FxHashSet<_>>();
    same("complete executions", &keys(&first.complete), &keys(&other.complete))?;
    same("blocked executions", &keys(&first.blocked), &keys(&other.blocked))?;
    same("final states", &first.states, &other.states)?;
    if first.complete != other.complete || first.blocked != other.blocked {
        return Err("an execution was reported another number of times".to_string());
    }
    let (left, right) = (&first.outcome, &other.outcome);
    // What is dropped where sections are unordered depends on what was learned when.
    let counts = |outcome: &Outcome| match locks {
        Locks::Ordered => outcome.counts,
        Locks::Aware => Counts { dropped: 0, ..outcome.counts },
    };
    if counts(left) != counts(right) {
        return Err(format!("counts {:?} and {:?}", left.counts, right.counts));
    }
    if places(left) != places(right) {
        return Err(format!("violations {:?} and {:?}", places(left), places(right)));
    }
    Ok(())
}

/// Violations by kind and places. Which of two racing accesses, or of a use and a free, is named first may depend on the
/// search, and whether both ways are.
fn places(outcome: &Outcome) -> Vec<(ViolationKind, Vec<SiteId>)> {
    let place = |violation: &Violation| {
        let mut sites: Vec<SiteId> = violation.related.iter().map(|related| related.site).collect();
        // Which thread holds the lock meanwhile depends on when the thread was asked.
        if violation.kind == ViolationKind::UnlockNotHeld {
            sites.clear();
        }
        sites.push(violation.site);
        sites.sort();
        (violation.kind, sites)
    };
    let mut all: Vec<_> = outcome.violations.iter().map(place).collect();
    all.sort();
    all.dedup();
    all
}
