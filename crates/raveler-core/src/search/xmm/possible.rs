//! What threads may still do: an over-approximation that lets the search see early that no cycle can close.
//!
//! [`runs`] runs each thread by itself and makes a graph of the *points* its runs come to. [`cycles`] asks over which
//! locations threads at given points may read from each other in a circle.

mod cycles;
mod runs;

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

pub(super) use self::cycles::Cycles;
use self::runs::Runs;
use crate::graph::{Event, EventTag, Kind};
use crate::id::Address;
use crate::program::Program;
use crate::program::action::Value;
use crate::run::tables::Tables;

/// A set of locations as bits. All that are met after the first hundred-odd share the last bit; more in a set never
/// makes it wrong.
pub(super) type Locations = u128;

/// The bit that many locations may share.
const OTHERS: Locations = 1 << 127;

/// What may be written after a read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Flow {
    /// The location that is read.
    read: Locations,
    acquires: bool,
    /// What may be written afterwards, by writes that release and by others.
    released: Locations,
    relaxed: Locations,
}

/// A point in the runs of a thread.
#[derive(Clone, Debug, Default)]
struct Point {
    /// What may be written from here on.
    released: Locations,
    relaxed: Locations,
    flows: Vec<Flow>,
    /// By answer, what comes next. A compare-exchange that fails for no reason has an answer of its own.
    next: FxHashMap<(Value, bool), u32>,
}

/// Where anything is possible.
pub(super) const ANYWHERE: u32 = 0;

/// The points of all threads.
#[derive(Clone)]
pub(super) struct Possible {
    points: Arc<Vec<Point>>,
    /// By name of the thread, code and argument.
    pub starts: FxHashMap<(u32, u64, Value), u32>,
    /// By address, or what stands for a thread's start or end: its bit.
    bits: FxHashMap<u64, Locations>,
    /// How many names of threads there are.
    threads: usize,
    /// The locations over which circles may lead; none leads over locations of two groups.
    groups: Vec<Locations>,
    /// No run writes a value that is not among those that reads return.
    is_closed: bool,
    /// By points of threads: the circles that they may come to.
    known_cycles: RefCell<FxHashMap<Vec<u32>, Cycles>>,
}

/// The start or end of a thread stands for a location that is written there. No location lies there.
const STARTS: u64 = 1 << 59;
const ENDS: u64 = 1 << 58;

impl Possible {
    /// Nothing is known.
    pub fn anything() -> Possible {
        let all = Flow { read: !0, acquires: false, released: !0, relaxed: !0 };
        let anywhere = Point { released: !0, relaxed: !0, flows: vec![all], ..Point::default() };
        Possible {
            points: Arc::new(vec![anywhere]),
            starts: FxHashMap::default(),
            bits: FxHashMap::default(),
            threads: usize::MAX,
            groups: vec![!0],
            is_closed: true,
            known_cycles: RefCell::default(),
        }
    }

    /// What threads may do whose reads also return these values. If the search is to end meanwhile (`is_over`), anything.
    pub fn new<P: Program>(
        program: &P,
        tables: &Tables,
        spurious_cas: bool,
        promised: impl Iterator<Item = (u64, Value)>,
        is_over: &dyn Fn() -> bool,
    ) -> Possible {
        if program.world().is_some() {
            return Possible::anything();
        }
        let Some(mut found) = Runs::new(program, tables, spurious_cas, promised, is_over).all() else {
            return Possible::anything();
        };
        let names: FxHashSet<u32> = found.starts.keys().map(|&(name, _, _)| name).collect();
        found.threads = names.len();
        found.groups = found.find_groups();
        found
    }

    /// Does it hold whatever is promised? All promised values were written in some execution.
    pub fn holds_for_promises(&self) -> bool {
        self.is_closed
    }

    /// How many threads an execution may have.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Is anything possible?
    pub fn is_unknown(&self) -> bool {
        self.starts.is_empty()
    }

    /// Where a thread begins.
    pub fn start(&self, name: u32, code: u64, argument: Value) -> u32 {
        self.starts.get(&(name, code, argument)).copied().unwrap_or(ANYWHERE)
    }

    /// Where a thread is after its event.
    pub fn after(&self, point: u32, event: &Event, answer: Value) -> u32 {
        let failed = event.kind == Kind::Read && event.tag == EventTag::Spurious;
        let next = &self.points[point as usize].next;
        next.get(&(answer, failed)).copied().unwrap_or(ANYWHERE)
    }

    /// What may be written from here on.
    pub fn writes(&self, point: u32) -> Locations {
        let point = &self.points[point as usize];
        point.released | point.relaxed
    }

    /// What may be written from here on after a read of one of these locations.
    pub fn flow(&self, point: u32, from: Locations) -> Locations {
        let flows = self.points[point as usize].flows.iter().filter(|flow| flow.read & from != 0);
        flows.fold(0, |all, flow| all | flow.released | flow.relaxed)
    }

    /// The set of one location. One that no run accesses can be any.
    pub fn location(&self, address: Address) -> Locations {
        self.bits.get(&address.0).copied().unwrap_or(!0)
    }

    /// The start of a thread, as a location that is written there.
    pub fn start_of(&self, name: u32) -> Locations {
        self.location(Address(STARTS | u64::from(name)))
    }

    /// The end of a thread, as a location that is written there.
    pub fn end_of(&self, name: u32) -> Locations {
        self.location(Address(ENDS | u64::from(name)))
    }

    /// The group that this location belongs to.
    pub fn group_of(&self, address: Address) -> Locations {
        let location = self.location(address);
        self.groups.iter().copied().filter(|group| group & location != 0).fold(0, |all, group| all | group)
    }

    /// May all circles lead over the same locations?
    pub fn has_one_group(&self) -> bool {
        self.groups.len() == 1
    }

    /// Over which locations may a circle come about at all?
    pub fn ever_cyclic(&self) -> Cycles {
        self.cyclic(self.starts.values().copied())
    }
}
