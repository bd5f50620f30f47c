//! Small families with known numbers of executions, as programs in memory.

use std::borrow::Cow;

use raveler_core::observer::Unobserved;
use raveler_core::*;

/// Straight-line threads: the answers go nowhere, except that `CasLoop`-free families need no more.
struct Straight {
    threads: Vec<Vec<Operation>>,
    objects: Vec<Object>,
    sources: SourceMap,
}

impl Straight {
    fn new(threads: Vec<Vec<Operation>>) -> Straight {
        let objects = (0..8)
            .map(|i| Object {
                name: format!("x{i}"),
                address: x(i),
                size: 4,
                cell: Width::B4,
                initial: vec![0],
            })
            .collect();
        Straight { threads, objects, sources: SourceMap::default() }
    }
}

impl Program for Straight {
    type Cursor = (u32, u32);

    fn threads(&self) -> u32 {
        self.threads.len() as u32
    }

    fn start(&self, entry: Entry) -> (u32, u32) {
        match entry {
            Entry::Initial(t) => (t, 0),
            Entry::Spawned { code, .. } => (code as u32, 0),
        }
    }

    fn step(&self, (thread, at): &mut (u32, u32), _answer: Answer) -> Action {
        let operation = self.threads[*thread as usize].get(*at as usize).cloned().unwrap_or(Operation::Done);
        *at += 1;
        Action { site: SiteId(*thread * 1000 + *at), operation }
    }

    fn objects(&self) -> &[Object] {
        &self.objects
    }

    fn sources(&self) -> Cow<'_, SourceMap> {
        Cow::Borrowed(&self.sources)
    }
}

fn x(i: u64) -> Address {
    Address(0x1000 * (i + 1))
}

fn read(i: u64) -> Operation {
    Operation::Read { address: x(i), width: Width::B4, order: Order::Relaxed }
}

fn write(i: u64, value: Value) -> Operation {
    Operation::Write { address: x(i), width: Width::B4, order: Order::Relaxed, value }
}

fn update(i: u64, op: UpdateOp) -> Operation {
    Operation::Update { address: x(i), width: Width::B4, order: Order::Relaxed, op }
}

fn cas(i: u64, expected: Value, desired: Value) -> Operation {
    update(i, UpdateOp::CompareExchange { expected, desired, failure: Order::Relaxed, weak: false })
}

fn count(threads: &[Vec<Operation>], model: Model, equivalence: Equivalence) -> u64 {
    let program = Straight::new(threads.to_vec());
    let mut settings = Settings::new(model);
    settings.equivalence = equivalence;
    let outcome = search(&program, &settings, &mut Unobserved);
    assert_eq!(outcome.verdict(), Verdict::Verified);
    assert_eq!(outcome.counts.blocked, 0);
    outcome.counts.executions
}

fn assert_all(threads: &[Vec<Operation>], rf: u64, co: u64) {
    for model in Model::CAUSAL {
        assert_eq!(count(threads, model, Equivalence::ReadsFrom), rf, "{model:?} rf");
        assert_eq!(count(threads, model, Equivalence::Coherence), co, "{model:?} co");
    }
}

#[test]
fn store_buffering_and_message_passing() {
    let sb = [vec![write(0, 1), read(1)], vec![write(1, 1), read(0)]];
    let mp = [vec![write(0, 1), write(1, 1)], vec![read(1), read(0)]];
    let numbers = |threads: &[Vec<Operation>]| {
        Model::CAUSAL
            .map(|m| (count(threads, m, Equivalence::ReadsFrom), count(threads, m, Equivalence::Coherence)))
    };
    assert_eq!(numbers(&sb), [(3, 3), (4, 4), (4, 4), (4, 4), (4, 4), (4, 4), (4, 4)]);
    assert_eq!(numbers(&mp), [(3, 3), (3, 3), (4, 4), (3, 3), (3, 3), (4, 4), (4, 4)]);
}

#[test]
fn increments_are_counted_in_every_order() {
    assert_all(&vec![vec![update(0, UpdateOp::Add(1))]; 3], 6, 6);
    assert_all(&vec![vec![update(0, UpdateOp::Add(1))]; 5], 120, 120);
}

#[test]
fn rotating_compare_exchanges() {
    for (n, expected) in [(2, 2), (3, 5), (4, 14), (5, 43), (6, 144)] {
        let threads: Vec<_> = (1..=n).map(|i| vec![cas(0, i - 1, i)]).collect();
        assert_all(&threads, expected, expected);
    }
}

#[test]
fn compare_exchange_then_write() {
    for (n, rf, co) in [(2, 4, 6), (3, 24, 66), (4, 200, 1200)] {
        let threads: Vec<_> = (1..=n).map(|i| vec![cas(0, 0, 1), write(0, i + 3)]).collect();
        assert_all(&threads, rf, co);
    }
}

#[test]
fn read_then_write() {
    for (n, rf, co) in [(2, 3, 4), (3, 16, 36), (4, 125, 576)] {
        let threads: Vec<_> = (1..=n).map(|i| vec![read(0), write(0, i)]).collect();
        assert_all(&threads, rf, co);
    }
}

#[test]
fn many_writers_and_a_reader() {
    let program = |n: u64| {
        let mut threads: Vec<_> = (1..=n).map(|i| vec![write(0, i)]).collect();
        threads.push(vec![read(0)]);
        threads
    };
    assert_all(&program(4), 5, 120);
    for model in Model::CAUSAL {
        assert_eq!(count(&program(60), model, Equivalence::ReadsFrom), 61, "{model:?}");
    }
}

/// The programs of docs/engine.md, "Tempting and wrong", on which wrong variants of the search fail.
#[test]
fn programs_that_wrong_searches_get_wrong() {
    let xchg = |v| update(0, UpdateOp::Exchange(v));
    let fadd = |v| update(0, UpdateOp::Add(v));
    let rf = |threads: &[Vec<Operation>], expected: u64| {
        for model in Model::CAUSAL {
            assert_eq!(count(threads, model, Equivalence::ReadsFrom), expected, "{model:?} {threads:?}");
        }
    };
    rf(&[vec![read(0)], vec![write(0, 2)], vec![write(0, 1)]], 3);
    rf(&[vec![read(0)], vec![write(0, 1), xchg(1)]], 3);
    rf(&[vec![xchg(1)], vec![fadd(1)]], 2);
    rf(&[vec![write(0, 1), read(0)], vec![write(0, 2), xchg(1)]], 5);
    rf(&[vec![cas(0, 1, 1)], vec![write(0, 1)], vec![write(0, 1), xchg(1)]], 8);
    rf(&[vec![fadd(1)], vec![cas(0, 1, 2), write(0, 2)], vec![write(0, 1)]], 8);
}

#[test]
fn the_number_of_workers_changes_nothing() {
    let rw: Vec<_> = (1..=5).map(|i| vec![read(0), write(0, i), read(1), write(1, i)]).collect();
    let ainc = vec![vec![update(0, UpdateOp::Add(1)), read(0)]; 5];
    for threads in [&rw[..3], &ainc[..]] {
        for model in Model::CAUSAL {
            for equivalence in [Equivalence::ReadsFrom, Equivalence::Coherence] {
                let mut settings = Settings::new(model);
                settings.equivalence = equivalence;
                let program = Straight::new(threads.to_vec());
                let alone = search(&program, &settings, &mut Unobserved);
                for workers in [2, 3] {
                    settings.workers = workers;
                    let together = search(&program, &settings, &mut Unobserved);
                    assert_eq!(together.counts, alone.counts, "{model:?} {equivalence:?} {workers}");
                }
            }
        }
    }
}

#[test]
fn an_estimate_comes_near() {
    let threads: Vec<_> = (1..=4).map(|i| vec![read(0), write(0, i)]).collect();
    let program = Straight::new(threads);
    for model in Model::CAUSAL {
        let estimate = raveler_core::estimate(&program, &Settings::new(model), 20_000, 1, &mut || true);
        assert_eq!(estimate.probes, 20_000);
        assert!((estimate.executions - 125.0).abs() < 6.0 * estimate.error, "{model:?} {estimate:?}");
        assert!(estimate.error < 10.0, "{estimate:?}");
    }
}

fn lock(i: u64) -> Operation {
    Operation::Lock { address: x(i), mode: raveler_core::LockMode::Exclusive }
}

fn unlock(i: u64) -> Operation {
    Operation::Unlock { address: x(i) }
}

fn counts(threads: &[Vec<Operation>], model: Model, equivalence: Equivalence, workers: usize) -> Outcome {
    counts_with(threads, model, equivalence, workers, Locks::Ordered)
}

fn counts_with(
    threads: &[Vec<Operation>],
    model: Model,
    equivalence: Equivalence,
    workers: usize,
    locks: Locks,
) -> Outcome {
    let settings = Settings { equivalence, workers, locks, all: true, ..Settings::new(model) };
    search(&Straight::new(threads.to_vec()), &settings, &mut Unobserved)
}

#[test]
fn critical_sections_in_every_order_and_nothing_blocked() {
    for (n, expected) in [(2, 2), (3, 6), (4, 24), (5, 120)] {
        let threads: Vec<_> = (1..=n).map(|i| vec![lock(7), read(0), write(0, i), unlock(7)]).collect();
        assert_all(&threads, expected, expected);
    }
    // Two sections each, on two locks.
    let threads =
        vec![vec![lock(7), read(0), write(0, 1), unlock(7), lock(6), read(1), write(1, 1), unlock(6)]; 3];
    assert_all(&threads, 36, 36);
}

#[test]
fn philosophers_deadlock_once() {
    for (n, expected) in [(2, 2), (3, 6), (4, 14), (5, 30)] {
        let threads: Vec<_> =
            (0..n).map(|i| vec![lock(i), lock((i + 1) % n), unlock((i + 1) % n), unlock(i)]).collect();
        for model in Model::CAUSAL {
            for equivalence in [Equivalence::ReadsFrom, Equivalence::Coherence] {
                for (workers, locks) in
                    [(1, Locks::Ordered), (2, Locks::Ordered), (1, Locks::Aware), (2, Locks::Aware)]
                {
                    let outcome = counts_with(&threads, model, equivalence, workers, locks);
                    let expected = if locks == Locks::Aware { 1 } else { expected };
                    assert_eq!(
                        outcome.counts.executions, expected,
                        "{n} {model:?} {equivalence:?} {locks:?}"
                    );
                    assert_eq!(outcome.counts.blocked, 1, "{n} {model:?} {equivalence:?} {locks:?}");
                    assert_eq!(outcome.violations.len(), 1);
                    assert_eq!(outcome.violations[0].kind, ViolationKind::Deadlock);
                }
            }
        }
    }
}

#[test]
fn a_trylock_sees_who_holds_the_lock() {
    let try_lock = Operation::TryLock { address: x(7), mode: raveler_core::LockMode::Exclusive };
    // The second thread ends whether it gets the lock or not; nobody unlocks there.
    let threads = [vec![lock(7), write(0, 1), unlock(7)], vec![try_lock]];
    for model in Model::CAUSAL {
        let outcome = counts(&threads, model, Equivalence::ReadsFrom, 1);
        // Before the section, during it, after it; and the first thread waits for ever if the second was first.
        assert_eq!((outcome.counts.executions, outcome.counts.blocked), (2, 1), "{model:?}");
    }
}

/// Who waits for whom is said although a third thread could still go on.
#[test]
fn a_deadlock_is_reported_with_its_circle_while_others_go_on() {
    let threads = [
        vec![lock(0), lock(1), unlock(1), unlock(0)],
        vec![lock(1), lock(0), unlock(0), unlock(1)],
        vec![write(5, 1), Operation::Block],
    ];
    for model in Model::CAUSAL {
        let outcome = counts_with(&threads, model, Equivalence::ReadsFrom, 1, Locks::Aware);
        assert_eq!(outcome.violations.len(), 1, "{model:?}");
        let violation = &outcome.violations[0];
        let roles: Vec<(&str, u32)> = violation.related.iter().map(|r| (r.role, r.thread.0)).collect();
        assert_eq!((violation.kind, violation.thread.0), (ViolationKind::Deadlock, 0));
        assert_eq!(roles, [("holds the lock", 1), ("waits for a lock", 1), ("holds the lock", 0)]);
    }
}
