//! What a thread wants to do next, made ready for the engine: addresses resolved, locks as updates of their word.

use super::rwlock_try::{self, Then};
use super::tables::{Again, Dynamic, Tables, Trouble, Usage};
use crate::consistency::Label;
use crate::graph::{Graph, Loc, Mark, NO_LOC, Ready};
use crate::id::SiteId;
use crate::outcome::ViolationKind;
use crate::program::action::{Action, LockMode, Operation, Order, UpdateOp, Value, Waiting, Width};
use crate::search::trust::check::held;

/// Where a thread stands: its cursor, and what it wants.
pub(crate) struct State<C> {
    pub cursor: C,
    pub step: Step,
}

/// One request, with its place in the source.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub site: SiteId,
    pub loc: Loc,
    pub want: Want,
    /// What comes behind it before the program is asked again.
    pub then: Then,
}

impl Step {
    /// Nothing is known yet.
    pub const NOTHING: Step = Step { site: SiteId::NONE, loc: NO_LOC, want: Want::Block, then: Then::Ask };
}

/// What is requested.
#[derive(Clone, Debug)]
pub(crate) enum Want {
    Read(Order),
    Write {
        order: Order,
        value: Value,
        mark: Mark,
    },
    Update {
        order: Order,
        op: UpdateOp,
        width: Width,
        lock: LockUse,
    },
    /// Take a lock whose sections are left unordered.
    Lock {
        mode: LockMode,
        /// May it be waited for? Otherwise it is free.
        waits: bool,
    },
    /// Release one.
    Unlock,
    Fence(Order),
    Spawn {
        code: u64,
        argument: Value,
    },
    Join {
        name: u64,
    },
    Alloc {
        size: u64,
        zeroed: bool,
        what: u32,
    },
    Free(Dynamic),
    Choose {
        low: i64,
        high: i64,
    },
    Observe {
        name: u32,
        value: Value,
    },
    /// Nothing more, an assumption failed.
    Block,
    /// Nothing more, a bound was reached.
    Cut,
    /// Nothing more, what it read last keeps it waiting.
    Wait(Waiting),
    /// Nothing more: the rest is seen elsewhere, such as where an earlier read sees what this thread's last read saw.
    Dropped,
    Done,
    /// Something is wrong.
    Fail(Box<Trouble>),
    /// The engine cannot follow.
    Unsupported(String),
}

/// How an update is a lock operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LockUse {
    None,
    /// Waits if the lock is held.
    Wait,
    /// Answers whether it was taken.
    Try,
}

impl Step {
    /// What it makes of its thread.
    pub fn ready(&self) -> Ready {
        match self.want {
            Want::Read(_) | Want::Update { .. } => Ready::Reads,
            Want::Join { .. } => Ready::Joins,
            Want::Done => Ready::Done,
            Want::Block
            | Want::Cut
            | Want::Wait(_)
            | Want::Dropped
            | Want::Fail(_)
            | Want::Unsupported(_) => Ready::Stuck,
            _ => Ready::Steps,
        }
    }

    /// The label of the event when it reads `value`.
    #[inline]
    pub fn label(&self, value: Value) -> Label {
        match self.want {
            Want::Update { order, op, width, lock } => match op.apply(value, width) {
                Some(written) => {
                    let mark = if lock == LockUse::None { Mark::Rmw } else { Mark::Lock };
                    Label { order, mark, written: Some(written) }
                }
                None => {
                    let failure = match op {
                        UpdateOp::CompareExchange { failure, .. } => failure,
                        _ => order,
                    };
                    let mark = match lock {
                        LockUse::None => Mark::Rmw,
                        LockUse::Wait => Mark::Waits,
                        LockUse::Try => Mark::Lock,
                    };
                    Label { order: failure, mark, written: None }
                }
            },
            Want::Read(order) => Label { order, mark: Mark::None, written: None },
            _ => unreachable!("only reads are labelled by what they read"),
        }
    }

    /// A weak compare-exchange that reads `value` may fail although it expected that: its label then.
    pub fn label_of_spurious_failure(&self, value: Value) -> Option<Label> {
        match self.want {
            Want::Update {
                op: op @ UpdateOp::CompareExchange { failure, weak: true, .. }, width, ..
            } => {
                op.apply(value, width)?;
                Some(Label { order: failure, mark: Mark::Spurious, written: None })
            }
            _ => None,
        }
    }

    /// The answer to the thread for an event that read `value`.
    #[inline]
    pub fn answer(&self, value: Value) -> Value {
        match self.want {
            Want::Update { lock: LockUse::Try, .. } => (value == 0) as Value,
            Want::Update { lock: LockUse::Wait, .. } => 0,
            _ => value,
        }
    }
}

/// The lock word when nobody holds it is 0, when somebody does 1.
const TAKE: UpdateOp =
    UpdateOp::CompareExchange { expected: 0, desired: 1, failure: Order::Relaxed, weak: false };

/// Make an action of a thread (by number) ready.
pub(crate) fn prepare(action: Action, thread: usize, graph: &Graph, tables: &mut Tables) -> Step {
    let site = action.site;
    let mut loc = NO_LOC;
    let mut then = Then::Ask;
    let at = |tables: &mut Tables, address, width, usage| -> Result<Loc, Want> {
        let loc = tables.location(address, width, site)?;
        tables.use_as(loc, usage);
        Ok(loc)
    };
    let want = (|| {
        Ok(match action.operation {
            Operation::Read { address, width, order } => {
                loc = at(tables, address, width, Usage::Word)?;
                tables.plain |= order == Order::Plain;
                Want::Read(order)
            }
            Operation::Write { address, width, order, value } => {
                loc = at(tables, address, width, Usage::Word)?;
                tables.plain |= order == Order::Plain;
                Want::Write { order, value: width.cut(value), mark: Mark::None }
            }
            Operation::Update { address, width, order, op } => {
                loc = at(tables, address, width, Usage::Word)?;
                Want::Update { order, op, width, lock: LockUse::None }
            }
            Operation::Lock { address, mode } if tables.leaves_unordered(address) => {
                loc = at(tables, address, Width::B4, Usage::Lock)?;
                then = rwlock_try::lock(tables, thread, (address, loc), mode, graph);
                Want::Lock { mode, waits: true }
            }
            Operation::TryLock { address, mode } if tables.tried(address).is_some() => {
                let lock = at(tables, address, Width::B4, Usage::Lock)?;
                let step = rwlock_try::try_lock(tables, thread, (address, lock), mode, site, graph);
                (loc, then) = (step.loc, step.then);
                step.want
            }
            Operation::Unlock { address } if tables.leaves_unordered(address) => {
                loc = at(tables, address, Width::B4, Usage::Lock)?;
                if tables.has_tried()
                    && held(graph, thread, loc).is_some()
                    && let Some(step) = rwlock_try::unlock(tables, thread, loc, site, graph)
                {
                    (loc, then) = (step.loc, step.then);
                    return Ok(step.want);
                }
                Want::Unlock
            }
            Operation::Lock { address, mode } | Operation::TryLock { address, mode } => {
                let waits = matches!(action.operation, Operation::Lock { .. });
                if mode == LockMode::Shared {
                    // The search starts again.
                    tables.meet_shared(address, !waits);
                    return Err(Want::Block);
                }
                if waits {
                    tables.meet_lock(address);
                }
                let (lock, usage) =
                    if waits { (LockUse::Wait, Usage::Lock) } else { (LockUse::Try, Usage::Word) };
                loc = at(tables, address, Width::B4, usage)?;
                Want::Update { order: Order::Acquire, op: TAKE, width: Width::B4, lock }
            }
            Operation::Unlock { address } => {
                loc = at(tables, address, Width::B4, Usage::Lock)?;
                Want::Write { order: Order::Release, value: 0, mark: Mark::Unlock }
            }
            Operation::Fence(order) => Want::Fence(order),
            Operation::Spawn { code, argument } => Want::Spawn { code, argument },
            Operation::Join(name) => Want::Join { name },
            Operation::Alloc { size, zeroed, what } => Want::Alloc { size, zeroed, what },
            Operation::Free { address } => Want::Free(tables.dynamic(address)?),
            Operation::Choose { low, high } if low > high => {
                return Err(Want::Block);
            }
            Operation::Choose { low, high } => Want::Choose { low, high },
            Operation::Observe { name, value } => Want::Observe { name, value },
            Operation::Block => Want::Block,
            Operation::Cut => Want::Cut,
            Operation::Wait(waiting) => Want::Wait(waiting),
            Operation::Dropped => Want::Dropped,
            Operation::Again => {
                tables.again.get_or_insert(Again::Program);
                Want::Block
            }
            Operation::Unsupported(message) => Want::Unsupported(message),
            Operation::Done => Want::Done,
            Operation::Fail { kind, message } => Want::Fail(Box::new(Trouble { kind, message })),
        })
    })()
    .unwrap_or_else(|want| want);
    Step { site, loc, want, then }
}

/// A violation of this kind.
pub(crate) fn trouble(kind: ViolationKind, message: impl Into<String>) -> Want {
    Want::Fail(Box::new(Trouble { kind, message: message.into() }))
}
