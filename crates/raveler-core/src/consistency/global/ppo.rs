//! Preserved program order: which nodes an event gets, and which nodes of its thread come before them.
//!
//! Under SC and SRA a thread reorders nothing. Under TSO and PSO loads may overtake earlier stores, under PSO
//! also stores other stores (docs/engine.md, "Memory models").

use super::{GlobalOrder, Node, WORD};
use crate::graph::{Event, EventTag, Graph, Kind, NO_LOC, NONE};
use crate::id::EventId;
use crate::models::PreservedOrder;
use crate::mutation::Mutant;
use crate::program::action::Order;

/// What the next event of a thread comes after, depending on its [`Role`].
#[derive(Clone, Default)]
pub(super) struct Line {
    /// The last load, or event that is ordered with everything.
    pub(super) main: u32,
    /// The last store-store barrier, or event that is ordered with everything.
    pub(super) barrier: u32,
    /// The stores of the thread; those from `open` on are not ordered by a barrier or fence yet.
    pub(super) stores: Vec<u32>,
    pub(super) open: usize,
    /// The node of each event, [`NONE`] for those that are not part of the order.
    pub(super) nodes: Vec<u32>,
    /// The last node of the layer of happens-before, where there is one.
    pub(super) hb: u32,
}

/// How an event takes part in its thread's order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Ordered with everything before and after it.
    Full,
    /// A load: it may overtake earlier stores.
    Load,
    /// A store: later loads, and under PSO later stores, may overtake it.
    Store,
    /// A store-store barrier.
    Barrier,
    /// Not part of the order.
    Absent,
}

/// What an event changed, to be restored when it is taken back.
pub(super) struct Undo {
    pub(super) thread: u32,
    pub(super) main: u32,
    pub(super) barrier: u32,
    pub(super) hb: u32,
    pub(super) open: usize,
    pub(super) stores: usize,
    pub(super) nodes: usize,
    pub(super) trail: usize,
}

impl<const CO: bool> GlobalOrder<CO> {
    pub(super) fn role(&self, event: &Event) -> Role {
        if self.rules.preserved == PreservedOrder::All {
            return match event.kind {
                Kind::Fence
                | Kind::Alloc
                | Kind::Free
                | Kind::Initialise
                | Kind::Destroy
                | Kind::Choose
                | Kind::Observe => Role::Absent,
                _ => Role::Full,
            };
        }
        match event.kind {
            Kind::Update | Kind::Count | Kind::Spawn | Kind::Join => Role::Full,
            Kind::Read
                if event.tag == EventTag::Rmw
                    && event.written == 0
                    && Mutant::FailedCasUnlocked.is_active() =>
            {
                Role::Load
            }
            _ if event.tag != EventTag::None => Role::Full,
            Kind::Read if Mutant::LoadsWait.is_active() => Role::Full,
            Kind::Read => Role::Load,
            Kind::Write => Role::Store,
            Kind::Fence if event.order == Order::SeqCst => Role::Full,
            Kind::Fence
                if event.order.releases()
                    && self.rules.preserved == PreservedOrder::StoresOfOneLocation
                    && !Mutant::ReleaseFenceIgnored.is_active() =>
            {
                Role::Barrier
            }
            _ => Role::Absent,
        }
    }

    pub(super) fn line(&mut self, thread: usize) -> &mut Line {
        while self.lines.len() <= thread {
            self.lines.push(Line { main: NONE, barrier: NONE, hb: NONE, ..Line::default() });
        }
        &mut self.lines[thread]
    }

    /// `row` := what comes before a new node of the thread with this role; `own` is the thread's last earlier
    /// write to the same location.
    pub(super) fn thread_row(&mut self, graph: &Graph, thread: usize, role: Role, own: u32) {
        self.line(thread);
        self.clear_row();
        let line = &self.lines[thread];
        let (main, barrier, open, stores) = (line.main, line.barrier, line.open, line.stores.len());
        // Young nodes first: they often bring the others with them.
        match role {
            Role::Full | Role::Barrier => {
                for at in (open..stores).rev() {
                    self.gather(self.lines[thread].stores[at]);
                }
            }
            Role::Store if self.rules.preserved == PreservedOrder::StoresBeforeStores => {
                if stores > open {
                    self.gather(self.lines[thread].stores[stores - 1]);
                }
            }
            Role::Store => {
                if !Mutant::SameLocationFree.is_active() {
                    self.gather(own);
                }
            }
            Role::Load | Role::Absent => {}
        }
        if role != Role::Load {
            self.gather(barrier);
        }
        self.gather_left(thread);
        self.gather(main);
        if self.lines[thread].nodes.is_empty() {
            self.gather(self.spawn_node(graph, thread));
        }
    }

    pub(super) fn spawn_node(&self, graph: &Graph, thread: usize) -> u32 {
        let parent = graph.threads[thread].parent;
        if parent.is_init() { NONE } else { self.node(parent) }
    }

    pub(super) fn node(&self, id: EventId) -> u32 {
        self.lines[id.thread()].nodes[id.index() as usize]
    }

    pub(super) fn remember(&mut self, thread: usize) {
        let trail = self.mark();
        let nodes = self.nodes.len();
        let line = self.line(thread);
        let entry = Undo {
            thread: thread as u32,
            main: line.main,
            barrier: line.barrier,
            hb: line.hb,
            open: line.open,
            stores: line.stores.len(),
            nodes,
            trail,
        };
        self.undo.push(entry);
        if let Some(bound) = &mut self.bound {
            bound.remember(thread);
        }
    }

    /// The undo entry of a node that becomes a writer: of the fields only `nodes`, its number, and `trail`
    /// count.
    pub(super) fn remember_write(&mut self, number: u32) {
        let trail = self.mark();
        self.undo.push(Undo {
            thread: NONE,
            main: 0,
            barrier: 0,
            hb: 0,
            open: 0,
            stores: 0,
            nodes: number as usize,
            trail,
        });
    }

    /// Take back the last event shown.
    pub(super) fn take_back(&mut self) {
        let entry = self.undo.pop().expect("taken back after shown");
        self.roll_back(entry.trail);
        for number in entry.nodes..self.nodes.len() {
            let node = self.nodes[number];
            if node.loc != NO_LOC {
                let word = node.loc as usize * self.words + number / WORD;
                self.writers[word] &= !(1 << (number % WORD));
                self.readers[word] &= !(1 << (number % WORD));
                let uses = &mut self.uses[node.loc as usize];
                uses.reads -= node.reads as u32;
                uses.beside -= node.beside as u32;
            }
        }
        self.nodes.truncate(entry.nodes);
        self.before.truncate(entry.nodes * self.words);
        let line = &mut self.lines[entry.thread as usize];
        line.main = entry.main;
        line.barrier = entry.barrier;
        line.hb = entry.hb;
        line.open = entry.open;
        line.stores.truncate(entry.stores);
        line.nodes.pop();
        if let Some(bound) = &mut self.bound {
            bound.take_back(entry.thread as usize);
        }
    }

    /// Add the nodes of an event after what its thread preserves, and after the source of a read. It is
    /// neither a reader nor a writer of its location yet.
    pub(super) fn enter(&mut self, graph: &Graph, id: EventId) -> u32 {
        let thread = id.thread();
        self.remember(thread);
        let event = *graph.event(id);
        let role = self.role(&event);
        let blank = Node {
            event: id,
            loc: NO_LOC,
            source: NONE,
            own: NONE,
            reads: false,
            writes: false,
            beside: false,
            hb_reads: false,
        };
        if self.lines[thread].nodes.is_empty() {
            let spawn = self.spawn_node(graph, thread);
            let line = &mut self.lines[thread];
            if !Mutant::SpawnOnceOrdered.is_active() {
                line.main = spawn;
                line.barrier = spawn;
            }
            line.hb = if spawn == NONE { NONE } else { spawn.wrapping_sub(1) };
        }
        if role == Role::Absent {
            self.lines[thread].nodes.push(NONE);
            return NONE;
        }
        if self.rules.preserved == PreservedOrder::StoresOfOneLocation
            && role == Role::Store
            && event.order.releases()
            && !Mutant::BarrierIgnored.is_active()
        {
            self.thread_row(graph, thread, Role::Barrier, NONE);
            let barrier = self.add_node(blank);
            let line = &mut self.lines[thread];
            line.barrier = barrier;
            line.open = line.stores.len();
        }
        if self.has_hb_layer() {
            self.enter_hb(graph, id, blank);
        }
        let own = self.own_write(graph, id);
        self.thread_row(graph, thread, role, own);
        if self.has_hb_layer() {
            self.gather(self.lines[thread].hb);
        }
        if event.joins_thread() {
            self.gather_thread(graph, event.written as usize);
        } else if event.kind == Kind::Join && !Mutant::BarrierUnordered.is_active() {
            let met = Self::met(graph, event.rf).map_or(NONE, |met| self.node(met));
            self.gather(met);
        }
        if event.kind.reads() && self.source_is_ordered(id, event.rf) {
            let source = self.node(event.rf);
            self.gather(source);
        }
        let mut node = blank;
        if event.kind.reads() || event.kind.writes() {
            node.loc = event.loc;
        }
        node.own = own;
        let number = self.add_node(node);
        let line = &mut self.lines[thread];
        match role {
            Role::Full => {
                line.main = number;
                line.barrier = number;
                line.open = line.stores.len();
            }
            Role::Load => line.main = number,
            Role::Store => line.stores.push(number),
            Role::Barrier => {
                line.barrier = number;
                line.open = line.stores.len();
            }
            Role::Absent => {}
        }
        line.nodes.push(number);
        match (role, &mut self.bound) {
            (Role::Store, Some(_)) => self.stored(thread, number),
            (Role::Load, Some(bound)) => bound.loaded(thread),
            (Role::Full, Some(bound)) => bound.drained(thread, number),
            _ => {}
        }
        if role == Role::Store && event.order == Order::SeqCst && !Mutant::ScStoreUnfenced.is_active() {
            self.thread_row(graph, thread, Role::Full, NONE);
            let fence = self.add_node(blank);
            let line = &mut self.lines[thread];
            line.main = fence;
            line.barrier = fence;
            line.open = line.stores.len();
            if let Some(bound) = &mut self.bound {
                bound.drained(thread, fence);
            }
        }
        number
    }

    /// The event whose node stands for what a thread joins at a barrier: a choice has none, but what is before it.
    pub(super) fn met(graph: &Graph, joined: EventId) -> Option<EventId> {
        match joined.is_init() {
            true => None,
            false if graph.event(joined).kind == Kind::Choose => Some(graph.before_in_thread(joined)),
            false => Some(joined),
        }
    }

    /// `row` |= everything that a thread did.
    pub(super) fn gather_thread(&mut self, graph: &Graph, thread: usize) {
        if graph.threads[thread].events.is_empty() {
            let spawn = self.spawn_node(graph, thread);
            return self.gather(spawn);
        }
        let (main, barrier) = (self.lines[thread].main, self.lines[thread].barrier);
        self.gather(main);
        self.gather(barrier);
        for at in self.lines[thread].open..self.lines[thread].stores.len() {
            let store = self.lines[thread].stores[at];
            self.gather(store);
        }
    }

    /// The node of the thread's last earlier write to the event's location; [`NONE`] if there is none, or
    /// where all of program order is preserved.
    pub(super) fn own_write(&self, graph: &Graph, id: EventId) -> u32 {
        if self.rules.preserved == PreservedOrder::All || Mutant::OwnWriteIgnored.is_active() {
            return NONE;
        }
        let events = &graph.threads[id.thread()].events;
        let previous = events[id.index() as usize].prev;
        if previous == NONE {
            return NONE;
        }
        let number = self.lines[id.thread()].nodes[previous as usize];
        if events[previous as usize].kind.writes() { number } else { self.nodes[number as usize].own }
    }

    /// Is the source of a read before it in the global order? Not if it may read its own thread's store
    /// early.
    pub(super) fn source_is_ordered(&self, event: EventId, source: EventId) -> bool {
        !source.is_init()
            && (self.rules.preserved == PreservedOrder::All
                || event.thread() != source.thread()
                || Mutant::OwnReadOrdered.is_active())
    }
}
