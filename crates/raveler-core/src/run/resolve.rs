//! What a thread wants to do next, made ready for the engine: addresses resolved, locks as updates of their word.

use super::rwlock_try::{self, MicroStep};
use super::tables::{Dynamic, Failure, LocationUse, RestartReason, Tables};
use crate::consistency::Label;
use crate::graph::{EventTag, Graph, Loc, NO_LOC, ThreadStatus};
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
    pub request: Request,
    /// What comes behind it before the program is asked again.
    pub then: MicroStep,
}

impl Step {
    /// Nothing is known yet.
    pub const NOTHING: Step =
        Step { site: SiteId::NONE, loc: NO_LOC, request: Request::Block, then: MicroStep::Ask };
}

/// What is requested.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    Read(Order),
    Write {
        order: Order,
        value: Value,
        tag: EventTag,
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
    Fail(Box<Failure>),
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
    pub fn status(&self) -> ThreadStatus {
        match self.request {
            Request::Read(_) | Request::Update { .. } => ThreadStatus::Reads,
            Request::Join { .. } => ThreadStatus::Joins,
            Request::Done => ThreadStatus::Done,
            Request::Block
            | Request::Cut
            | Request::Wait(_)
            | Request::Dropped
            | Request::Fail(_)
            | Request::Unsupported(_) => ThreadStatus::Stuck,
            _ => ThreadStatus::Steps,
        }
    }

    /// The label of the event when it reads `value`.
    #[inline]
    pub fn label(&self, value: Value) -> Label {
        match self.request {
            Request::Update { order, op, width, lock } => match op.apply(value, width) {
                Some(written) => {
                    let tag = if lock == LockUse::None { EventTag::Rmw } else { EventTag::Lock };
                    Label { order, tag, written: Some(written) }
                }
                None => {
                    let failure = match op {
                        UpdateOp::CompareExchange { failure, .. } => failure,
                        _ => order,
                    };
                    let tag = match lock {
                        LockUse::None => EventTag::Rmw,
                        LockUse::Wait => EventTag::Waits,
                        LockUse::Try => EventTag::Lock,
                    };
                    Label { order: failure, tag, written: None }
                }
            },
            Request::Read(order) => Label { order, tag: EventTag::None, written: None },
            _ => unreachable!("only reads are labelled by what they read"),
        }
    }

    /// A weak compare-exchange that reads `value` may fail although it expected that: its label then.
    pub fn label_of_spurious_failure(&self, value: Value) -> Option<Label> {
        match self.request {
            Request::Update {
                op: op @ UpdateOp::CompareExchange { failure, weak: true, .. }, width, ..
            } => {
                op.apply(value, width)?;
                Some(Label { order: failure, tag: EventTag::Spurious, written: None })
            }
            _ => None,
        }
    }

    /// The answer to the thread for an event that read `value`.
    #[inline]
    pub fn answer(&self, value: Value) -> Value {
        match self.request {
            Request::Update { lock: LockUse::Try, .. } => (value == 0) as Value,
            Request::Update { lock: LockUse::Wait, .. } => 0,
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
    let mut then = MicroStep::Ask;
    let at = |tables: &mut Tables, address, width, usage| -> Result<Loc, Request> {
        let loc = tables.location(address, width, site)?;
        tables.use_as(loc, usage);
        Ok(loc)
    };
    let request = (|| {
        Ok(match action.operation {
            Operation::Read { address, width, order } => {
                loc = at(tables, address, width, LocationUse::Word)?;
                tables.plain |= order == Order::Plain;
                Request::Read(order)
            }
            Operation::Write { address, width, order, value } => {
                loc = at(tables, address, width, LocationUse::Word)?;
                tables.plain |= order == Order::Plain;
                Request::Write { order, value: width.cut(value), tag: EventTag::None }
            }
            Operation::Update { address, width, order, op } => {
                loc = at(tables, address, width, LocationUse::Word)?;
                Request::Update { order, op, width, lock: LockUse::None }
            }
            Operation::Lock { address, mode } if tables.leaves_unordered(address) => {
                loc = at(tables, address, Width::B4, LocationUse::Lock)?;
                then = rwlock_try::lock(tables, thread, (address, loc), mode, graph);
                Request::Lock { mode, waits: true }
            }
            Operation::TryLock { address, mode } if tables.tried(address).is_some() => {
                let lock = at(tables, address, Width::B4, LocationUse::Lock)?;
                let step = rwlock_try::try_lock(tables, thread, (address, lock), mode, site, graph);
                (loc, then) = (step.loc, step.then);
                step.request
            }
            Operation::Unlock { address } if tables.leaves_unordered(address) => {
                loc = at(tables, address, Width::B4, LocationUse::Lock)?;
                if tables.has_tried()
                    && held(graph, thread, loc).is_some()
                    && let Some(step) = rwlock_try::unlock(tables, thread, loc, site, graph)
                {
                    (loc, then) = (step.loc, step.then);
                    return Ok(step.request);
                }
                Request::Unlock
            }
            Operation::Lock { address, mode } | Operation::TryLock { address, mode } => {
                let waits = matches!(action.operation, Operation::Lock { .. });
                if mode == LockMode::Shared {
                    // The search starts again.
                    tables.meet_shared(address, !waits);
                    return Err(Request::Block);
                }
                if waits {
                    tables.meet_lock(address);
                }
                let (lock, usage) = if waits {
                    (LockUse::Wait, LocationUse::Lock)
                } else {
                    (LockUse::Try, LocationUse::Word)
                };
                loc = at(tables, address, Width::B4, usage)?;
                Request::Update { order: Order::Acquire, op: TAKE, width: Width::B4, lock }
            }
            Operation::Unlock { address } => {
                loc = at(tables, address, Width::B4, LocationUse::Lock)?;
                Request::Write { order: Order::Release, value: 0, tag: EventTag::Unlock }
            }
            Operation::Fence(order) => Request::Fence(order),
            Operation::Spawn { code, argument } => Request::Spawn { code, argument },
            Operation::Join(name) => Request::Join { name },
            Operation::Alloc { size, zeroed, what } => Request::Alloc { size, zeroed, what },
            Operation::Free { address } => Request::Free(tables.dynamic(address)?),
            Operation::Choose { low, high } if low > high => {
                return Err(Request::Block);
            }
            Operation::Choose { low, high } => Request::Choose { low, high },
            Operation::Observe { name, value } => Request::Observe { name, value },
            Operation::Block => Request::Block,
            Operation::Cut => Request::Cut,
            Operation::Wait(waiting) => Request::Wait(waiting),
            Operation::Dropped => Request::Dropped,
            Operation::Restart => {
                tables.restart.get_or_insert(RestartReason::Program);
                Request::Block
            }
            Operation::Unsupported(message) => Request::Unsupported(message),
            Operation::Done => Request::Done,
            Operation::Fail { kind, message } => Request::Fail(Box::new(Failure { kind, message })),
        })
    })()
    .unwrap_or_else(|request| request);
    Step { site, loc, request, then }
}

/// A violation of this kind.
pub(crate) fn failure(kind: ViolationKind, message: impl Into<String>) -> Request {
    Request::Fail(Box::new(Failure { kind, message: message.into() }))
}
