//! Fences that settings put into a program have the effect that fences of the program itself would have.

use std::borrow::Cow;

use raveler_core::observer::Unobserved;
use raveler_core::*;

/// What a thread does next, and where.
#[derive(Clone, Copy)]
enum Op {
    Store(u64),
    Load(u64),
    Add(u64),
    Fence(Order),
    /// Load until it gives 1; each futile round is a wait.
    Await(u64),
}

use Op::{Add, Await, Fence, Load, Store};

/// Threads of relaxed accesses. The site of an operation is its thread's number times 10 and its place in it.
struct Threads {
    code: Vec<Vec<Op>>,
    objects: Vec<Object>,
}

fn threads(code: &[&[Op]]) -> Threads {
    let object = |i: u64| Object {
        name: format!("x{i}"),
        address: address(i),
        size: 4,
        cell: Width::B4,
        initial: vec![0],
    };
    Threads { code: code.iter().map(|ops| ops.to_vec()).collect(), objects: (0..4).map(object).collect() }
}

fn address(i: u64) -> Address {
    Address(0x1000 * (i + 1))
}

impl Program for Threads {
    /// The thread, the next operation, and whether the last one was a load that waits.
    type Cursor = (usize, usize, bool);

    fn threads(&self) -> u32 {
        self.code.len() as u32
    }

    fn start(&self, entry: Entry) -> Self::Cursor {
        let Entry::Initial(thread) = entry else { unreachable!("no thread is spawned") };
        (thread as usize, 0, false)
    }

    fn step(&self, (thread, at, waits): &mut Self::Cursor, answer: Answer) -> Action {
        let (width, order) = (Width::B4, Order::Relaxed);
        let site = SiteId((*thread * 10 + *at) as u32);
        if std::mem::take(waits) && answer.value() != 1 {
            return Action { site, operation: Operation::Wait(Waiting::Spin { events: 1 }) };
        }
        let Some(&op) = self.code[*thread].get(*at) else {
            return Action { site, operation: Operation::Done };
        };
        *at += 1;
        *waits = matches!(op, Await(_));
        let operation = match op {
            Store(i) => Operation::Write { address: address(i), width, order, value: 1 },
            Load(i) | Await(i) => Operation::Read { address: address(i), width, order },
            Add(i) => Operation::Update { address: address(i), width, order, op: UpdateOp::Add(1) },
            Fence(order) => Operation::Fence(order),
        };
        Action { site, operation }
    }

    fn objects(&self) -> &[Object] {
        &self.objects
    }

    fn sources(&self) -> Cow<'_, SourceMap> {
        Cow::Owned(SourceMap::default())
    }
}

/// Every way to search.
fn ways(model: Model) -> Vec<Settings> {
    let base = Settings::new(model);
    vec![
        Settings { equivalence: Equivalence::Coherence, ..base.clone() },
        Settings { engine: Engine::Interleaving, ..base.clone() },
        Settings { workers: 2, ..base.clone() },
        base,
    ]
}

fn explored(program: &Threads, settings: &Settings) -> (u64, u64, Verdict) {
    let outcome = search(program, settings, &mut Unobserved);
    (outcome.counts.executions, outcome.counts.blocked, outcome.verdict())
}

/// The same executions with the fences written as with the fences inserted after these sites.
fn same(plain: &[&[Op]], fenced: &[&[Op]], fences: &[(u32, Order)]) {
    let (plain, fenced) = (threads(plain), threads(fenced));
    let fences: Vec<FenceAfter> =
        fences.iter().map(|&(site, order)| FenceAfter { site: SiteId(site), order }).collect();
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        for settings in ways(model) {
            let written = explored(&fenced, &settings);
            let inserted = explored(&plain, &Settings { fences: fences.clone(), ..settings.clone() });
            assert_eq!(inserted, written, "{settings:?}");
        }
    }
}

#[test]
fn store_buffering() {
    let full = Fence(Order::SeqCst);
    let plain: &[&[Op]] = &[&[Store(0), Load(1)], &[Store(1), Load(0)]];
    same(
        plain,
        &[&[Store(0), full, Load(1)], &[Store(1), full, Load(0)]],
        &[(0, Order::SeqCst), (10, Order::SeqCst)],
    );
    same(plain, &[&[Store(0), Load(1)], &[Store(1), full, Load(0)]], &[(10, Order::SeqCst)]);
    let both = [0, 10].map(|site| FenceAfter { site: SiteId(site), order: Order::SeqCst });
    let settings = Settings { fences: both.to_vec(), ..Settings::new(Model::Tso) };
    assert_eq!(explored(&threads(plain), &settings).0, 3);
    let settings = Settings { fences: both[..1].to_vec(), ..settings };
    assert_eq!(explored(&threads(plain), &settings).0, 4);
}

#[test]
fn message_passing() {
    let plain: &[&[Op]] = &[&[Store(0), Store(1)], &[Load(1), Load(0)]];
    let fenced: &[&[Op]] = &[&[Store(0), Fence(Order::Release), Store(1)], &[Load(1), Load(0)]];
    same(plain, fenced, &[(0, Order::Release)]);
    // A fence after the last store has no effect.
    same(plain, plain, &[(1, Order::SeqCst)]);
}

#[test]
fn waiting_threads() {
    let full = Fence(Order::SeqCst);
    let plain: &[&[Op]] = &[&[Store(0), Await(1), Load(2)], &[Store(2), Store(1), Load(0)]];
    let fenced: &[&[Op]] =
        &[&[Store(0), full, Await(1), Load(2)], &[Store(2), full, Store(1), full, Load(0)]];
    same(plain, fenced, &[(0, Order::SeqCst), (10, Order::SeqCst), (11, Order::SeqCst)]);
    // Nothing comes: the wait is endless with the fence, too.
    let plain: &[&[Op]] = &[&[Store(0), Await(1)], &[Load(0)]];
    same(plain, &[&[Store(0), full, Await(1)], &[Load(0)]], &[(0, Order::SeqCst)]);
}

#[test]
fn only_after_stores() {
    let plain: &[&[Op]] = &[&[Add(0), Load(1)], &[Store(1), Load(0)]];
    // Neither the update nor the load is a store.
    same(plain, plain, &[(0, Order::SeqCst), (11, Order::SeqCst)]);
}
