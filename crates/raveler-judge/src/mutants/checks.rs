//! Programs for what brute force does not know: unlocking what is not held, destroying a lock, a call that wakes a thread
//! and goes on, circles of locks beside failed assumptions. Each has the kinds of violation that must be found, whichever
//! way locks are treated.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use raveler_core::observer::Unobserved;
use raveler_core::{
    Action, Address, Answer, Contents, Entry, LockMode, Locks, Model, Object, Operation, Order, Program,
    Settings, SiteId, SourceMap, Storage, UpdateOp, Value, ViolationKind, Waiting, Width, search,
};

/// One line of a thread.
#[derive(Clone)]
enum Line {
    Do(Operation),
    /// The last answer must be this; otherwise an assumption failed.
    Assume(Value),
    /// The same; otherwise the thread waits.
    Await(Value),
}

/// Threads without branches. The first exists from the start and spawns the others.
struct Straight {
    threads: Vec<Vec<Line>>,
    objects: [Object; 1],
}

impl Program for Straight {
    type Cursor = (usize, usize);

    fn threads(&self) -> u32 {
        1
    }

    fn start(&self, entry: Entry) -> (usize, usize) {
        match entry {
            Entry::Initial(_) => (0, 0),
            Entry::Spawned { code, .. } => (code as usize, 0),
        }
    }

    fn step(&self, (thread, at): &mut (usize, usize), answer: Answer) -> Action {
        let operation = loop {
            let line = self.threads[*thread].get(*at);
            *at += 1;
            match line {
                None => break Operation::Done,
                Some(Line::Do(operation)) => break operation.clone(),
                Some(Line::Assume(value) | Line::Await(value)) if answer.value() == *value => {}
                Some(Line::Assume(_)) => break Operation::Block,
                Some(Line::Await(_)) => break Operation::Wait(Waiting::Condition),
            }
        };
        Action { site: SiteId((*thread * 100 + *at) as u32), operation }
    }

    fn objects(&self) -> &[Object] {
        &self.objects
    }

    fn sources(&self) -> Cow<'_, SourceMap> {
        Cow::Owned(SourceMap::default())
    }
}

const X: Address = Address(0x1000);
/// What the first thread allocates first.
const ALLOCATED: Address = Address(Address::ALLOCATED);

fn word(number: u64) -> Address {
    Address(0x1000 * (number + 16)).word()
}

fn read(address: Address) -> Line {
    Line::Do(Operation::Read { address, width: Width::B4, order: Order::Relaxed })
}

fn write(address: Address, value: Value) -> Line {
    Line::Do(Operation::Write { address, width: Width::B4, order: Order::Relaxed, value })
}

fn update(address: Address, op: UpdateOp) -> Line {
    Line::Do(Operation::Update { address, width: Width::B8, order: Order::Relaxed, op })
}

fn lock(address: Address) -> Line {
    Line::Do(Operation::Lock { address, mode: LockMode::Exclusive })
}

fn unlock(address: Address) -> Line {
    Line::Do(Operation::Unlock { address })
}

fn spawn(code: u64) -> Line {
    Line::Do(Operation::Spawn { code, argument: 0 })
}

fn alloc(contents: Contents) -> Line {
    Line::Do(Operation::Alloc { size: 8, contents, what: 0, storage: Storage::Heap })
}

fn free() -> Line {
    Line::Do(Operation::Free { address: ALLOCATED, storage: Storage::Heap })
}

/// A program, its threads, and the kinds of violation in it.
type Case = (&'static str, Vec<Vec<Line>>, &'static [ViolationKind]);

fn cases() -> Vec<Case> {
    use ViolationKind::*;
    let (a, b) = (word(0), word(1));
    // A section that makes the lock-aware search look at programs that have no lock otherwise.
    let section = || vec![lock(word(9)), unlock(word(9))];
    let then = |mut lines: Vec<Line>, more: Vec<Line>| {
        lines.extend(more);
        lines
    };
    let bell = Address::word_of_thread(0, 1);
    let inside = ALLOCATED.word();
    vec![
        ("a lock is released that no thread holds", vec![vec![unlock(a)]], &[UnlockNotHeld]),
        (
            "a lock is destroyed while another thread may take it",
            vec![vec![spawn(1), Line::Do(Operation::Destroy { address: a })], vec![lock(a), unlock(a)]],
            &[LockMisuse],
        ),
        (
            "a lock is initialised while another thread may take it",
            vec![vec![spawn(1), Line::Do(Operation::Initialise { address: a })], vec![lock(a), unlock(a)]],
            &[LockMisuse],
        ),
        (
            "a thread that was woken frees the condition variable",
            vec![
                then(
                    section(),
                    vec![
                        alloc(Contents::Zeroed),
                        update(inside, UpdateOp::Or(1)),
                        spawn(1),
                        Line::Do(Operation::Read { address: bell, width: Width::B8, order: Order::Relaxed }),
                        Line::Assume(1),
                        free(),
                    ],
                ),
                vec![update(inside, UpdateOp::TakeNth(0)), update(bell, UpdateOp::Add(1))],
            ],
            &[UseAfterFree],
        ),
        (
            "two threads wait for each other's locks; the assumption of a third fails",
            vec![
                vec![spawn(1), spawn(2), read(X), Line::Assume(1)],
                vec![lock(a), lock(b), unlock(b), unlock(a)],
                vec![lock(b), lock(a), unlock(a), unlock(b)],
            ],
            &[Deadlock],
        ),
        (
            "memory is freed while another thread writes to it",
            vec![then(section(), vec![alloc(Contents::Zeroed), spawn(1), free()]), vec![write(ALLOCATED, 1)]],
            &[UseAfterFree],
        ),
        (
            "memory with a lock in it is freed while another thread takes the lock",
            vec![vec![alloc(Contents::Zeroed), spawn(1), free()], vec![lock(inside), unlock(inside)]],
            &[UseAfterFree],
        ),
        (
            "memory is read that nothing was written to",
            vec![then(section(), vec![alloc(Contents::Uninitialised), read(ALLOCATED)])],
            &[UninitialisedRead],
        ),
        (
            "a thread waits for what another one writes",
            vec![then(section(), vec![spawn(1), read(X), Line::Await(1)]), vec![write(X, 1)]],
            &[],
        ),
    ]
}

/// Programs that are wrong where reading an address does not order its reader behind the allocation.
fn weak_cases() -> Vec<Case> {
    let maker = vec![spawn(1), alloc(Contents::Zeroed), write(X, 1)];
    let user = vec![read(X), Line::Assume(1), write(ALLOCATED, 1)];
    let section = vec![lock(word(9)), unlock(word(9))];
    vec![(
        "memory is written to that another thread allocated",
        vec![[section, maker].concat(), user],
        &[ViolationKind::Race],
    )]
}

/// The first program on which the engine finds something else than it must, with this way of locks.
pub fn difference(locks: Locks) -> Option<String> {
    let strong = cases().into_iter().map(|case| (Model::Sc, case));
    let weak = weak_cases().into_iter().map(|case| (Model::Rc20, case));
    strong.chain(weak).find_map(|(model, (name, threads, expected))| {
        let x = Object { name: "x".into(), address: X, size: 4, cell: Width::B4, initial: vec![0] };
        let program = Straight { threads, objects: [x] };
        let settings = Settings { all: true, locks, ..Settings::new(model) };
        let searched = catch_unwind(AssertUnwindSafe(|| search(&program, &settings, &mut Unobserved)));
        let Ok(outcome) = searched else { return Some(format!("{name}, {locks:?}: a panic")) };
        let mut found: Vec<ViolationKind> = outcome.violations.iter().map(|v| v.kind).collect();
        found.sort();
        found.dedup();
        (found != expected).then(|| format!("{name}, {locks:?}: found {found:?} instead of {expected:?}"))
    })
}
