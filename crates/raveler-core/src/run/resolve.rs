//! What a thread requests next, made ready for the engine: addresses resolved to locations, locks as updates
//! of their word or as lock events.
//!
//! Requests that end the thread or restart the search are found here, too; what is wrong with a request in a
//! certain graph is found in `check/`.

use super::counters;
use super::lock_table::RestartReason;
use super::memory_map::{LocationUse, Unmapped};
use super::rwlock_try::{self, MicroStep};
use super::states::tree::Needs;
use super::tables::Tables;
use crate::consistency::Label;
use crate::graph::{EventTag, Graph, Loc, NO_LOC, ThreadStatus};
use crate::id::{Address, AllocationId, SiteId, ThreadId};
use crate::outcome::{Related, ViolationKind};
use crate::program::Object;
use crate::program::action::{
    Contents, LockMode, Operation, Order, Part, Storage, UpdateOp, Value, Waiting, Width,
};

/// One request, with its site.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub site: SiteId,
    pub loc: Loc,
    pub request: Request,
    /// Which bytes of the location it means.
    pub part: Part,
    /// What follows it before the program is asked again.
    pub then: MicroStep,
}

impl Step {
    /// Stands for a request that is not known yet.
    pub const NOTHING: Step = Step {
        site: SiteId::NONE,
        loc: NO_LOC,
        request: Request::Block,
        part: Part::Whole,
        then: MicroStep::Ask,
    };
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
        /// May the thread wait for it? Otherwise a try has succeeded, and the lock is free.
        waits: bool,
    },
    /// Release one.
    Unlock,
    /// An update in no order.
    Count {
        order: Order,
        op: UpdateOp,
        width: Width,
    },
    Fence(Order),
    Spawn {
        code: u64,
        argument: Value,
    },
    Join {
        name: u64,
    },
    /// Come to a barrier; look at who is the serial one?
    Arrive {
        count: u32,
        looks: bool,
    },
    /// Go on from a barrier, whose word this is.
    Pass {
        barrier: Loc,
        count: u32,
    },
    Alloc {
        size: u64,
        contents: Contents,
        what: u32,
        storage: Storage,
    },
    Free {
        allocation: AllocationId,
        /// How far from its beginning; anything but 0 is a mistake.
        offset: u64,
    },
    /// A synchronisation object begins or ends to exist.
    Initialise(Address),
    Destroy(Address),
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
    /// Nothing more: the rest is seen in another exploration, such as the one in which an earlier read sees
    /// what this thread's last read saw.
    Dropped,
    Done,
    /// The thread ends, and with it the process.
    Exit,
    /// Something is wrong.
    Fail(Box<Failure>),
    /// The engine does not support what the program does.
    Unsupported(String),
}

impl Request {
    /// Can something be wrong with it before it is an event? Most requests cannot. (Of a join see
    /// [`Run::may_be_wrong`](super::Run::may_be_wrong).)
    #[inline]
    pub fn may_be_wrong(&self) -> bool {
        match self {
            Request::Unlock | Request::Fail(_) | Request::Unsupported(_) => true,
            Request::Write { tag, .. } => *tag == EventTag::Unlock,
            _ => false,
        }
    }
}

/// A mistake of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub kind: ViolationKind,
    pub message: String,
    pub related: Vec<Related>,
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
    /// The status of a thread with this request.
    pub fn status(&self) -> ThreadStatus {
        match self.request {
            Request::Read(_) | Request::Update { .. } => ThreadStatus::Reads,
            Request::Join { .. } | Request::Arrive { .. } | Request::Pass { .. } => ThreadStatus::Joins,
            Request::Done | Request::Exit => ThreadStatus::Done,
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
                    let failure = op.failure().map_or(order, |(failure, _)| failure);
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
            Request::Update { op, width, .. } => {
                let (failure, _) = op.failure().filter(|&(_, weak)| weak)?;
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

/// The word of a lock that is free is 0, that of a lock that is held 1.
const TAKE: UpdateOp =
    UpdateOp::CompareExchange { expected: 0, desired: 1, failure: Order::Relaxed, weak: false };

/// Resolves the requests of one thread in one graph.
pub(crate) struct Resolver<'a> {
    pub tables: &'a mut Tables,
    pub graph: &'a Graph,
    pub thread: usize,
    pub site: SiteId,
    /// Memory that turns up during the search ([`crate::Hints::object_at`]).
    pub object_at: &'a dyn Fn(Address) -> Option<Object>,
    /// What of the graph the request depends on.
    pub(super) needs: Needs,
}

impl<'a> Resolver<'a> {
    pub fn new(
        tables: &'a mut Tables,
        graph: &'a Graph,
        thread: usize,
        site: SiteId,
        object_at: &'a dyn Fn(Address) -> Option<Object>,
    ) -> Resolver<'a> {
        Resolver { tables, graph, thread, site, object_at, needs: Needs::Nothing }
    }

    /// Resolve an action; its request is put into `step`.
    #[inline]
    pub fn resolve(&mut self, operation: Operation, step: &mut Step) {
        step.site = self.site;
        step.loc = NO_LOC;
        step.then = MicroStep::Ask;
        step.part = Part::Whole;
        step.request = match self.request(operation, step) {
            Ok(request) | Err(request) => request,
        };
        if let Request::Fail(_) | Request::Unsupported(_) | Request::Free { .. } | Request::Initialise(_) =
            step.request
        {
            self.needs = Needs::ThisGraph;
        }
    }

    /// The location at an address, which is used in this way. An error is the request that the thread makes
    /// instead: a failure, or none because the search restarts.
    #[inline]
    pub fn location(&mut self, address: Address, width: Width, usage: LocationUse) -> Result<Loc, Request> {
        if let Some(loc) = self.tables.memory.static_location(address, width) {
            self.tables.use_as(loc, usage);
            return Ok(loc);
        }
        let Resolver { tables, graph, .. } = self;
        let threads = &tables.threads;
        let size = |allocation: AllocationId| {
            let thread = threads.known(u64::from(allocation.thread))?;
            Some(graph.event(graph.allocation(thread, allocation.nth)?).size())
        };
        let loc = match tables.memory.location(address, width, self.site, size, self.object_at) {
            Ok(loc) => loc,
            Err(Unmapped::Failure(failure)) => return Err(Request::Fail(Box::new(failure))),
            Err(Unmapped::Overlap(overlap)) => {
                self.tables.learn(RestartReason::Overlap(overlap));
                return Err(Request::Block);
            }
        };
        self.tables.use_as(loc, usage);
        // A thread's own allocations follow from what it was answered.
        if let Some((allocation, bytes)) = self.tables.memory.room(address, width)
            && allocation.thread != self.tables.threads.name(self.thread)
        {
            self.needs = Needs::Room { allocation, bytes };
        }
        Ok(loc)
    }

    /// What is requested; what belongs to it is put into `step`. An error is a request, too: one that ends
    /// the thread.
    #[inline]
    fn request(&mut self, operation: Operation, step: &mut Step) -> Result<Request, Request> {
        Ok(match operation {
            Operation::Read { address, width, order } => {
                step.loc = self.location(address, width, LocationUse::Word)?;
                Request::Read(order)
            }
            Operation::ReadPart { address, width, order, part } => {
                step.loc = self.location(address, width, LocationUse::Word)?;
                step.part = part;
                self.tables.memory.locations[step.loc as usize].changed_in_parts |= part == Part::Changed;
                Request::Read(order)
            }
            Operation::WritePart { address, width, order, value } => {
                step.loc = self.location(address, width, LocationUse::Word)?;
                step.part = Part::Changed;
                self.tables.memory.locations[step.loc as usize].changed_in_parts = true;
                Request::Write { order, value: width.cut(value), tag: EventTag::None }
            }
            Operation::Write { address, width, order, value } => {
                step.loc = self.location(address, width, LocationUse::Word)?;
                Request::Write { order, value: width.cut(value), tag: EventTag::None }
            }
            Operation::Update { address, width, order, op } => {
                step.loc = self.location(address, width, LocationUse::Word)?;
                Request::Update { order, op, width, lock: LockUse::None }
            }
            Operation::Count { address, width, order, op } => {
                step.loc = self.location(address, width, LocationUse::Word)?;
                if self.tables.is_counter(address) && counters::kind(op).is_some() {
                    Request::Count { order, op, width }
                } else {
                    Request::Update { order, op, width, lock: LockUse::None }
                }
            }
            Operation::Lock { address, mode } => self.lock(address, mode, step)?,
            Operation::TryLock { address, mode } => self.try_lock(address, mode, step)?,
            Operation::Unlock { address } => self.unlock(address, step)?,
            Operation::Fence(order) => Request::Fence(order),
            Operation::Spawn { code, argument } => Request::Spawn { code, argument },
            Operation::Join(name) => Request::Join { name },
            Operation::Arrive { address, count, looks } => {
                step.loc = self.location(address.word(), Width::B4, LocationUse::Word)?;
                Request::Arrive { count, looks }
            }
            Operation::Pass { address, count } => {
                let barrier = self.location(address.word(), Width::B4, LocationUse::Word)?;
                Request::Pass { barrier, count }
            }
            Operation::Alloc { size, contents, what, storage } => {
                Request::Alloc { size, contents, what, storage }
            }
            Operation::Free { address, storage } => match AllocationId::at(address) {
                Some((allocation, _)) if storage == Storage::Heap && self.is_local(allocation) => {
                    return Err(fail(ViolationKind::InvalidFree, "free of a local variable"));
                }
                Some((allocation, offset)) => Request::Free { allocation, offset },
                None => {
                    return Err(fail(ViolationKind::InvalidFree, "free of memory that was not allocated"));
                }
            },
            Operation::Initialise { address } => {
                // What is initialised before there are other threads is so for all of them.
                if self.graph.threads.len() > 1 {
                    self.tables.locks.lives(address);
                }
                Request::Initialise(address)
            }
            Operation::Destroy { address } => {
                self.tables.locks.lives(address);
                Request::Destroy(address)
            }
            Operation::Choose { low, high } if low > high => Request::Block,
            Operation::Choose { low, high } => Request::Choose { low, high },
            Operation::Observe { name, value } => Request::Observe { name, value },
            Operation::Block => Request::Block,
            Operation::Cut => Request::Cut,
            Operation::Wait(waiting) => Request::Wait(waiting),
            Operation::Dropped => Request::Dropped,
            Operation::Restart => {
                self.tables.learn(RestartReason::Program);
                Request::Block
            }
            Operation::Unsupported(message) => Request::Unsupported(message),
            Operation::Done => Request::Done,
            Operation::Exit => Request::Exit,
            Operation::Fail { kind, message, related } => {
                let thread = ThreadId(self.thread as u32);
                let related = related.into_iter();
                let related = related.map(|at| Related { role: at.role, thread, site: at.site, event: None });
                Request::Fail(Box::new(Failure { kind, message, related: related.collect() }))
            }
        })
    }

    /// Is this a local variable of some thread?
    fn is_local(&self, allocation: AllocationId) -> bool {
        let thread = self.tables.threads.known(u64::from(allocation.thread));
        let event = thread.and_then(|thread| self.graph.allocation(thread, allocation.nth));
        event.is_some_and(|id| self.graph.event(id).tag == EventTag::Local)
    }

    fn lock(&mut self, address: Address, mode: LockMode, step: &mut Step) -> Result<Request, Request> {
        if self.tables.locks.leaves_unordered(address) {
            step.loc = self.location(address, Width::B4, LocationUse::Lock)?;
            step.then = rwlock_try::lock(self, (address, step.loc), mode);
            return Ok(Request::Lock { mode, waits: true });
        }
        if mode == LockMode::Shared {
            return Err(self.needs_sections(address, false));
        }
        let watched = self.tables.locks.meet_lock(address);
        self.tables.learn(watched);
        step.loc = self.location(address, Width::B4, LocationUse::Lock)?;
        Ok(Request::Update { order: Order::Acquire, op: TAKE, width: Width::B4, lock: LockUse::Wait })
    }

    fn try_lock(&mut self, address: Address, mode: LockMode, step: &mut Step) -> Result<Request, Request> {
        if self.tables.locks.tried(address).is_some() {
            let lock = self.location(address, Width::B4, LocationUse::Lock)?;
            let part = rwlock_try::try_lock(self, (address, lock), mode);
            (step.loc, step.then) = (part.loc, part.then);
            return Ok(part.request);
        }
        if mode == LockMode::Shared {
            return Err(self.needs_sections(address, true));
        }
        step.loc = self.location(address, Width::B4, LocationUse::Word)?;
        Ok(Request::Update { order: Order::Acquire, op: TAKE, width: Width::B4, lock: LockUse::Try })
    }

    fn unlock(&mut self, address: Address, step: &mut Step) -> Result<Request, Request> {
        step.loc = self.location(address, Width::B4, LocationUse::Lock)?;
        if !self.tables.locks.leaves_unordered(address) {
            return Ok(Request::Write { order: Order::Release, value: 0, tag: EventTag::Unlock });
        }
        if self.tables.locks.has_tried()
            && self.graph.held(self.thread, step.loc).is_some()
            && let Some(part) = rwlock_try::unlock(self, step.loc)
        {
            (step.loc, step.then) = (part.loc, part.then);
            return Ok(part.request);
        }
        Ok(Request::Unlock)
    }

    /// A reader-writer lock needs a search that leaves sections unordered: this one restarts.
    fn needs_sections(&mut self, address: Address, tried: bool) -> Request {
        let reason = self.tables.locks.meet_shared(address, tried);
        self.tables.learn(reason);
        Request::Block
    }
}

fn fail(kind: ViolationKind, message: &str) -> Request {
    Request::Fail(Box::new(Failure { kind, message: message.into(), related: Vec::new() }))
}
