//! The relations that every definition starts from: program order, reads-from, coherence, and the sets of
//! events of each kind.
//!
//! They are computed from a graph for tests and for the feature `paranoid` (`agreement.rs`); the search
//! itself does not use them.

use crate::graph::{EventTag, Graph, Kind, NO_LOC};
use crate::id::EventId;
use crate::models::relation::{Rel, Set};
use crate::program::action::Order;

/// An execution as relations. Event 0 is the initial write of every location; a read-modify-write is one event.
pub struct Base {
    /// Number of events.
    pub n: usize,
    /// Program order, with what spawn and join add; the initial write comes first.
    pub po: Rel,
    /// Reads-from.
    pub rf: Rel,
    /// Coherence: the writes of each location in order, or the part of that order that is known.
    pub co: Rel,
    /// From-reads: `rf⁻¹ ; co`, without an update related to itself.
    pub fr: Rel,
    /// Same location.
    pub loc: Rel,
    /// Different threads.
    pub ext: Rel,
    /// Reads, updates among them.
    pub reads: Set,
    /// Writes, updates and the initial write among them.
    pub writes: Set,
    /// Fences.
    pub fences: Set,
    /// Atomic accesses (all but plain ones).
    pub atomic: Set,
    /// Acquire or stronger.
    pub acquire: Set,
    /// Release or stronger.
    pub release: Set,
    /// `seq_cst` accesses and fences.
    pub sc: Set,
    /// What is locked on x86: updates and compare-exchanges that failed; and whatever else drains store
    /// buffers: lock operations, spawn, join.
    pub locked: Set,
    /// For each location, its events, and the initial write.
    pub at: Vec<Set>,
    /// How many stores a store buffer holds, if that is bounded.
    pub room: Option<u32>,
}

impl Base {
    /// The relations of a graph; `before` says of two writes of one location whether the first is
    /// coherence-before the second.
    // Only tests and the feature `paranoid` use definitions.
    #[cfg_attr(not(any(test, feature = "paranoid")), allow(dead_code))]
    pub(crate) fn new(graph: &Graph, room: Option<u32>, before: impl Fn(EventId, EventId) -> bool) -> Base {
        let n = graph.len() + 1;
        let event = |e: usize| graph.event(graph.order[e - 1]);
        let id = |e: usize| graph.order[e - 1];
        let number = |w: EventId| if w.is_init() { 0 } else { graph.event(w).stamp as usize + 1 };
        let mut po = Rel::empty(n);
        let mut rf = Rel::empty(n);
        for e in 1..n {
            po.insert(0, e);
            if id(e).index() > 0 {
                po.insert(number(EventId::new(id(e).thread() as u32, id(e).index() - 1)), e);
            } else if !graph.threads[id(e).thread()].parent.is_init() {
                po.insert(number(graph.threads[id(e).thread()].parent), e);
            }
            if event(e).kind == Kind::Join && !event(e).rf.is_init() {
                po.insert(number(event(e).rf), e);
            }
            if event(e).kind.reads() {
                rf.insert(number(event(e).rf), e);
            }
        }
        let po = po.plus();
        let same = |a: usize, b: usize| event(a).loc == event(b).loc && event(a).loc != NO_LOC;
        let writes = Set::new(n, |e| e == 0 || event(e).kind.writes());
        let reads = Set::new(n, |e| e != 0 && event(e).kind.reads());
        let access = |e: usize| e != 0 && (event(e).kind.reads() || event(e).kind.writes());
        let co = Rel::new(n, |a, b| {
            b != 0 && a != b && event(b).kind.writes() && {
                a == 0 || event(a).kind.writes() && same(a, b) && before(id(a), id(b))
            }
        });
        let from_init = Rel::new(n, |a, b| {
            access(a)
                && access(b)
                && event(a).kind.reads()
                && event(a).rf.is_init()
                && event(b).kind.writes()
                && same(a, b)
        });
        let others = Set::new(n, |e| e != 0);
        let read_of_write = others.id() >> &rf;
        let fr = (read_of_write.inverse() >> &co | from_init).strict();
        let loc = Rel::new(n, |a, b| match (a, b) {
            (0, 0) => true,
            (0, b) => access(b),
            (a, 0) => access(a),
            (a, b) => same(a, b),
        });
        let ext = Rel::new(n, |a, b| a == 0 || b == 0 || id(a).thread() != id(b).thread());
        let sync = |e: usize| e != 0 && (access(e) || event(e).kind == Kind::Fence);
        let locations = graph.accesses.len();
        Base {
            n,
            loc,
            ext,
            fences: Set::new(n, |e| e != 0 && event(e).kind == Kind::Fence),
            atomic: Set::new(n, |e| access(e) && event(e).order.is_atomic()),
            acquire: Set::new(n, |e| {
                sync(e)
                    && event(e).order.acquires()
                    && (event(e).kind.reads() || event(e).kind == Kind::Fence)
            }),
            release: Set::new(n, |e| {
                sync(e)
                    && event(e).order.releases()
                    && (event(e).kind.writes() || event(e).kind == Kind::Fence)
            }),
            sc: Set::new(n, |e| sync(e) && event(e).order == Order::SeqCst),
            locked: Set::new(n, |e| {
                e != 0
                    && (matches!(event(e).kind, Kind::Update | Kind::Count | Kind::Spawn | Kind::Join)
                        || matches!(
                            event(e).tag,
                            EventTag::Rmw
                                | EventTag::Spurious
                                | EventTag::Lock
                                | EventTag::Unlock
                                | EventTag::Waits
                                | EventTag::Holds
                        ))
            }),
            at: (0..locations).map(|l| Set::new(n, |e| e == 0 || event(e).loc as usize == l)).collect(),
            po,
            rf,
            co,
            fr,
            reads,
            writes,
            room,
        }
    }

    /// Stores that had to leave a full buffer, and what their thread does afterwards: `w` and `e` with as many stores of
    /// the buffer of `w` strictly between them as there is room for. Empty without a bound.
    pub(crate) fn made_room(&self, same_buffer: impl Fn(usize, usize) -> bool) -> Rel {
        let Base { n, po, reads, writes, locked, room, .. } = self;
        let Some(room) = *room else { return Rel::empty(*n) };
        let store = &(writes - locked);
        let younger =
            |w: usize, e: usize, s: usize| store.has(s) && same_buffer(w, s) && po.has(w, s) && po.has(s, e);
        let is_full = |w: usize, e: usize| (0..*n).filter(|&s| younger(w, e, s)).count() >= room as usize;
        po & (store * (reads | writes)) & Rel::new(*n, is_full)
    }

    /// `eco = (rf ∪ co ∪ fr)⁺`, extended coherence order, within each location.
    pub fn eco(&self) -> Rel {
        let Base { rf, co, fr, loc, .. } = self;
        // The initial write stands for one per location, so paths through it must not change location: there are
        // none, since nothing but program order leads into it.
        (rf | co | fr).plus() & loc
    }
}
