//! Events, and what a thread can do next.
//!
//! An event is one action of a thread with its outcome: a read with its source and value, a write with its
//! write index. Its *label* (order, tag, value written) may change with the value it reads; its kind changes
//! only between read and update.

use super::{Loc, NO_LOC, NONE};
use crate::id::{Address, AllocationId, EventId};
use crate::program::action::{LockMode, Order, Part, Value};

/// What an event is for the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Read,
    Write,
    /// A read-modify-write that wrote: one event, in both roles.
    Update,
    /// One in no order with others of its location: it reads and writes nothing (`run/counters.rs`).
    Count,
    Fence,
    Spawn,
    Join,
    Alloc,
    Free,
    /// A lock or condition variable begins to exist.
    Initialise,
    /// One ends to exist: no thread may use it any more.
    Destroy,
    Choose,
    Observe,
    /// Takes a lock whose sections are left unordered: it reads and writes nothing.
    Lock,
    /// Releases one.
    Unlock,
}

impl Kind {
    #[inline]
    pub fn reads(self) -> bool {
        matches!(self, Kind::Read | Kind::Update)
    }

    #[inline]
    pub fn writes(self) -> bool {
        matches!(self, Kind::Write | Kind::Update)
    }
}

/// What else is known of an event besides its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EventTag {
    None,
    /// Takes a lock (an update), or tried and failed (a read).
    Lock,
    /// Releases a lock.
    Unlock,
    /// Reads that a lock is held; the thread waits for ever unless the read is revisited.
    Waits,
    /// A weak compare-exchange that failed although the values agree.
    Spurious,
    /// Comes from a read-modify-write, whether it wrote or not: under TSO and PSO it is locked.
    Rmw,
    /// Allocates a local variable.
    Local,
    /// Of a join: it joins no end of a thread, but what others did at a barrier, or nothing when its thread comes there
    /// (`run/barrier.rs`).
    Meets,
    /// Says how its thread holds a lock: not memory of the program, so it waits in no store buffer.
    Holds,
}

/// One event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub kind: Kind,
    pub order: Order,
    pub tag: EventTag,
    /// A write that an older read reads from: the sign of an earlier revisit, whose result must stay.
    pub pinned: bool,
    /// The thread did something wrong with it and stops.
    pub failed: bool,
    /// Its position in the order of all events.
    pub stamp: u32,
    /// The state of its thread before it: an index into the search's states.
    pub state: u32,
    pub loc: Loc,
    /// Which bytes of the location it means.
    pub part: Part,
    /// The index of the thread's previous access to the same location.
    pub prev: u32,
    /// For a write: its position in the location's list of writes, from 1; 0 is the initial write, or a write
    /// that stands in no list.
    pub write_index: u32,
    /// The write it reads from; for a join, the last event of the thread it waited for, or the event that
    /// spawned that thread; at a barrier, an event of another thread there.
    pub rf: EventId,
    /// One more than the index of the last release fence before it in its thread, or 0.
    pub released: u32,
    /// The value read. Of events that are no accesses: what the thread is answered (the name of a spawned
    /// thread, the address of an allocation, the value chosen), the way in which a lock is taken, what is
    /// freed, initialised or destroyed, what is observed; see the functions below.
    pub read: Value,
    /// The value written. Of others: the number of a thread, the size of an allocation, the value observed.
    pub written: Value,
}

impl Event {
    pub fn new(kind: Kind, order: Order, state: u32) -> Event {
        Event {
            kind,
            order,
            tag: EventTag::None,
            pinned: false,
            failed: false,
            stamp: 0,
            state,
            loc: NO_LOC,
            part: Part::Whole,
            prev: NONE,
            write_index: 0,
            rf: EventId::INIT,
            released: 0,
            read: 0,
            written: 0,
        }
    }
}

/// What `read` and `written` hold in events that are no accesses.
impl Event {
    /// How a lock event takes its lock.
    pub fn lock_mode(&self) -> LockMode {
        debug_assert_eq!(self.kind, Kind::Lock);
        if self.read != 0 { LockMode::Shared } else { LockMode::Exclusive }
    }

    /// The number of the thread that a spawn starts, or that a join waited for.
    pub fn child(&self) -> usize {
        debug_assert!(matches!(self.kind, Kind::Spawn | Kind::Join) && self.tag != EventTag::Meets);
        self.written as usize
    }

    /// The address that an allocation answered.
    pub fn address(&self) -> Address {
        debug_assert_eq!(self.kind, Kind::Alloc);
        Address(self.read)
    }

    /// How many bytes were allocated.
    pub fn size(&self) -> u64 {
        debug_assert_eq!(self.kind, Kind::Alloc);
        self.written
    }

    /// The allocation that a free ends.
    pub fn freed(&self) -> AllocationId {
        debug_assert_eq!(self.kind, Kind::Free);
        AllocationId::from_key(self.read)
    }

    /// The word of the lock or condition variable that begins or ends to exist.
    pub fn word(&self) -> Address {
        debug_assert!(matches!(self.kind, Kind::Initialise | Kind::Destroy));
        Address(self.read)
    }

    /// The name's number and the value that are observed.
    pub fn observed(&self) -> (u32, Value) {
        debug_assert_eq!(self.kind, Kind::Observe);
        (self.read as u32, self.written)
    }
}

impl Event {
    /// Does its thread not go on after it?
    #[inline]
    pub fn ends_thread(&self) -> bool {
        self.failed || self.tag == EventTag::Waits
    }

    /// Does it wait for the end of a thread?
    #[inline]
    pub fn joins_thread(&self) -> bool {
        self.kind == Kind::Join && self.tag != EventTag::Meets
    }

    /// A `seq_cst` access or fence.
    pub fn is_sc(&self) -> bool {
        self.order == Order::SeqCst && (self.kind.reads() || self.kind.writes() || self.kind == Kind::Fence)
    }
}

/// What a thread can do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum ThreadStatus {
    /// It does not exist.
    #[default]
    Absent,
    /// The program was not asked for its next request yet.
    Unasked,
    /// It ended.
    Done,
    /// It can do nothing more, but did not end.
    Stuck,
    /// It reads.
    Reads,
    /// It waits for another thread.
    Joins,
    /// Its read is postponed until it is given a write that is still to come (lock-aware search).
    Postponed,
    /// Anything else.
    Steps,
}

impl ThreadStatus {
    /// The status of a thread that is about to make this event.
    pub(super) fn before(event: &Event) -> ThreadStatus {
        match event.kind {
            Kind::Read | Kind::Update => ThreadStatus::Reads,
            Kind::Join => ThreadStatus::Joins,
            _ => ThreadStatus::Steps,
        }
    }
}
