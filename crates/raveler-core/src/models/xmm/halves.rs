//! An execution as relations, with read-modify-writes in two: the base of XMM's definition.
//!
//! [`Base`](crate::models::Base) has an update as one event; here its halves are events of their own, since they can
//! be committed apart. Only what the model speaks of is an event: accesses, fences, spawns and joins.

use crate::graph::{Event, EventTag, Graph, Kind, Loc};
use crate::id::EventId;
use crate::models::relation::{Rel, Set};
use crate::program::action::{Order, Value};

/// What a committed event has in common with its image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label {
    /// The name of its thread.
    pub thread: u64,
    /// What it does.
    pub deed: Deed,
    /// Of a read its acquire part, of a write its release part; plain accesses count as relaxed.
    pub order: Order,
    /// Does it belong to a read-modify-write, one that failed included?
    pub rmw: bool,
}

/// What an event does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// The initial write of every location.
    Begin,
    /// Reads a value at an address.
    Read(u64, Value),
    /// Writes one.
    Write(u64, Value),
    /// A fence.
    Fence,
    /// Starts a thread.
    Spawn {
        /// What it executes.
        code: u64,
        /// With what.
        argument: Value,
        /// The new thread's name.
        thread: u64,
    },
    /// Waits for the end of the thread with this name.
    Join(u64),
    /// Takes the lock at an address, which is no word of memory, in a mode.
    Lock(u64, Value),
    /// Releases one.
    Unlock(u64),
}

/// Names that are the same in all executions of a program.
#[cfg_attr(not(any(test, feature = "paranoid")), allow(dead_code))]
pub(crate) struct Names<'a> {
    /// Of threads, by number.
    pub thread: &'a dyn Fn(usize) -> u64,
    /// The address of a location.
    pub address: &'a dyn Fn(Loc) -> u64,
    /// Code and argument of the thread that an event spawns.
    pub spawned: &'a dyn Fn(&Event) -> (u64, Value),
    /// From the end of a section to a lock that follows it.
    pub follows: &'a [(EventId, EventId)],
}

/// An execution. Event 0 is the initial write of every location; the others are numbered thread by thread, in the order of
/// their names.
#[derive(Clone, Debug)]
pub struct Halves {
    /// Number of events.
    pub n: usize,
    /// The label of each.
    pub labels: Vec<Label>,
    /// Program order, with what spawn and join add; the initial write comes first.
    pub po: Rel,
    /// Reads-from.
    pub rf: Rel,
    /// From the end of a critical section to each lock that follows it, where no word of memory shows that: it follows
    /// the last exclusive section before it and, if it is exclusive, all shared ones since.
    pub follows: Rel,
    /// Coherence: the writes of each location in order.
    pub mo: Rel,
    /// From the read half of an update to its write half.
    pub rmw: Rel,
    /// Accesses of the same location; the initial write is none.
    pub loc: Rel,
    /// Events of one thread; the initial write belongs to none.
    pub thread: Rel,
    /// From a spawn to all of the new thread.
    pub spawned: Rel,
    /// From all of a thread to its join.
    pub joined: Rel,
    /// Reads and read halves.
    pub reads: Set,
    /// Writes and write halves, without the initial write.
    pub writes: Set,
    /// Fences.
    pub fences: Set,
    /// Spawns.
    pub spawns: Set,
    /// Joins.
    pub joins: Set,
    /// Atomic accesses (all but plain ones).
    pub atomic: Set,
    /// Locks that are taken.
    pub locks: Set,
    /// Acquire, acq_rel or seq_cst, whatever the kind.
    pub acquire: Set,
    /// Release, acq_rel or seq_cst, whatever the kind.
    pub release: Set,
}

/// Where an event comes from.
struct Origin {
    id: EventId,
    event: Event,
    label: Label,
}

impl Halves {
    /// The relations of a graph, whose lists of writes are their coherence orders.
    #[cfg_attr(not(any(test, feature = "paranoid")), allow(dead_code))]
    pub(crate) fn new(graph: &Graph, names: &Names<'_>) -> Halves {
        let all = events(graph, names);
        let n = all.len() + 1;
        let origin = |e: usize| &all[e - 1];
        let is = |e: usize, test: fn(&Deed) -> bool| e > 0 && test(&origin(e).label.deed);
        let reads = Set::new(n, |e| is(e, |deed| matches!(deed, Deed::Read(..))));
        let writes = Set::new(n, |e| is(e, |deed| matches!(deed, Deed::Write(..))));
        let spawns = Set::new(n, |e| is(e, |deed| matches!(deed, Deed::Spawn { .. })));
        let joins = Set::new(n, |e| is(e, |deed| matches!(deed, Deed::Join(_))));
        let fences = Set::new(n, |e| is(e, |deed| matches!(deed, Deed::Fence)));
        let pair = |holds: &dyn Fn(&Origin, &Origin) -> bool| {
            Rel::new(n, |a, b| a > 0 && b > 0 && holds(origin(a), origin(b)))
        };
        let thread = pair(&|a, b| a.id.thread() == b.id.thread());
        let child = |e: usize| origin(e).event.child();
        let in_thread = |e: usize, t: usize| e > 0 && origin(e).id.thread() == t;
        let spawned = Rel::new(n, |a, b| spawns.has(a) && in_thread(b, child(a)));
        let joined = Rel::new(n, |a, b| joins.has(b) && in_thread(a, child(b)));
        // A thread without events comes to its end, too: its spawn is before its join.
        let ended = Rel::new(n, |a, b| spawns.has(a) && joins.has(b) && child(a) == child(b));
        let first = Rel::new(n, |a, b| a == 0 && b > 0);
        let later = Rel::new(n, |a, b| thread.has(a, b) && a < b);
        let reads_from = |a: usize, b: usize| match origin(b).event.rf {
            write if write.is_init() => a == 0,
            write => writes.has(a) && origin(a).id == write,
        };
        let place = |e: usize| origin(e).event.write_index;
        let loc = pair(&|a, b| match (a.label.deed, b.label.deed) {
            (Deed::Read(a, _) | Deed::Write(a, _), Deed::Read(b, _) | Deed::Write(b, _)) => a == b,
            _ => false,
        });
        let mo = Rel::new(n, |a, b| {
            writes.has(b) && (a == 0 || writes.has(a) && loc.has(a, b) && place(a) < place(b))
        });
        let begin = Label { thread: u64::MAX, deed: Deed::Begin, order: Order::Relaxed, rmw: false };
        let labels: Vec<Label> =
            std::iter::once(begin).chain(all.iter().map(|origin| origin.label)).collect();
        Halves {
            n,
            po: (first | later | &spawned | &joined | ended).plus(),
            rf: Rel::new(n, |a, b| reads.has(b) && reads_from(a, b)),
            rmw: pair(&|a, b| a.id == b.id) & (&reads * &writes),
            atomic: Set::new(n, |e| (reads.has(e) || writes.has(e)) && origin(e).event.order.is_atomic()),
            acquire: Set::new(n, |e| labels[e].order.acquires()),
            release: Set::new(n, |e| labels[e].order.releases()),
            follows: pair(&|a, b| names.follows.contains(&(a.id, b.id))),
            locks: Set::new(n, |e| is(e, |deed| matches!(deed, Deed::Lock(..)))),
            mo,
            loc,
            thread,
            spawned,
            joined,
            reads,
            writes,
            fences,
            spawns,
            joins,
            labels,
        }
    }

    /// All events but the initial write.
    pub fn own(&self) -> Set {
        Set::new(self.n, |e| e > 0)
    }

    /// The same execution with another coherence order.
    pub fn ordered(&self, before: impl Fn(usize, usize) -> bool) -> Halves {
        let Halves { writes, loc, .. } = self;
        let same = |a: usize, b: usize| writes.has(a) && loc.has(a, b);
        let mo = Rel::new(self.n, |a, b| writes.has(b) && (a == 0 || same(a, b) && before(a, b)));
        Halves { mo, ..self.clone() }
    }

    /// The part of the execution with these events: they must be closed under what leads to them.
    pub fn part(&self, kept: &Set) -> Part {
        let events: Vec<usize> = (0..self.n).filter(|&e| e == 0 || kept.has(e)).collect();
        let rel = |rel: &Rel| Rel::new(events.len(), |a, b| rel.has(events[a], events[b]));
        let set = |set: &Set| Set::new(events.len(), |e| set.has(events[e]));
        let execution = Halves {
            n: events.len(),
            labels: events.iter().map(|&e| self.labels[e]).collect(),
            po: rel(&self.po),
            rf: rel(&self.rf),
            follows: rel(&self.follows),
            mo: rel(&self.mo),
            rmw: rel(&self.rmw),
            loc: rel(&self.loc),
            thread: rel(&self.thread),
            spawned: rel(&self.spawned),
            joined: rel(&self.joined),
            reads: set(&self.reads),
            writes: set(&self.writes),
            fences: set(&self.fences),
            spawns: set(&self.spawns),
            joins: set(&self.joins),
            locks: set(&self.locks),
            atomic: set(&self.atomic),
            acquire: set(&self.acquire),
            release: set(&self.release),
        };
        Part { execution, events }
    }
}

/// A part of an execution.
#[derive(Clone, Debug)]
pub struct Part {
    /// It is an execution itself.
    pub execution: Halves,
    /// For each of its events the number in the whole.
    pub events: Vec<usize>,
}

/// The events of a graph, updates in two.
fn events(graph: &Graph, names: &Names<'_>) -> Vec<Origin> {
    let mut all = Vec::new();
    let mut threads: Vec<usize> = (0..graph.threads.len()).collect();
    threads.sort_by_key(|&t| (names.thread)(t));
    for t in threads {
        for (i, &event) in graph.threads[t].events.iter().enumerate() {
            let rmw = event.kind == Kind::Update
                || matches!(event.tag, EventTag::Rmw | EventTag::Lock | EventTag::Waits | EventTag::Spurious);
            let mut push = |deed: Deed, order: Order| {
                let label = Label { thread: (names.thread)(t), deed, order, rmw };
                all.push(Origin { id: EventId::new(t as u32, i as u32), event, label });
            };
            if event.kind.reads() {
                push(Deed::Read((names.address)(event.loc), event.read), acquire_part(event.order));
            }
            if event.kind.writes() {
                push(Deed::Write((names.address)(event.loc), event.written), release_part(event.order));
            }
            match event.kind {
                Kind::Fence => push(Deed::Fence, event.order),
                Kind::Spawn => {
                    let (code, argument) = (names.spawned)(&event);
                    let thread = (names.thread)(event.child());
                    push(Deed::Spawn { code, argument, thread }, Order::Relaxed);
                }
                Kind::Join => push(Deed::Join((names.thread)(event.child())), Order::Relaxed),
                Kind::Lock => push(Deed::Lock((names.address)(event.loc), event.read), Order::Acquire),
                Kind::Unlock => push(Deed::Unlock((names.address)(event.loc)), Order::Release),
                _ => {}
            }
        }
    }
    all
}

fn acquire_part(order: Order) -> Order {
    match order {
        Order::SeqCst => Order::SeqCst,
        Order::Acquire | Order::AcqRel => Order::Acquire,
        Order::Plain | Order::Relaxed | Order::Release => Order::Relaxed,
    }
}

fn release_part(order: Order) -> Order {
    match order {
        Order::SeqCst => Order::SeqCst,
        Order::Release | Order::AcqRel => Order::Release,
        Order::Plain | Order::Relaxed | Order::Acquire => Order::Relaxed,
    }
}
