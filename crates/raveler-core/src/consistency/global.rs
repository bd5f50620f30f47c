//! SC, TSO, PSO, SRA: one global order, kept as the transitive closure of what is known of it
//! (docs/engine.md, "Global-order models").
//!
//! The order holds what each thread may not reorder, reads-from between threads, coherence and from-reads.
//! With a coherence order (`CO`) all of that is given and a cycle decides. Without one, *saturation* adds
//! what is forced until nothing changes (w1, w2, r on one location; `→` is the order):
//!
//! - w1 → r and r reads w2: w1 → w2;
//! - w1 → w2 and r reads w1: r → w2;
//! - under TSO and PSO, where a thread may read its own write early: its last write before r counts as
//!   w1 → r.
//!
//! *Completion* orders the writes that saturation leaves unordered by trial: the older one first, and where
//! that fails the other one.
//!
//! Under SRA reads do not come before the writes that overwrite their sources; happens-before is a second
//! layer of nodes (`hb_layer.rs`). An event can have more than one node: a store-store barrier stands before
//! a release store (PSO), a full fence after a `seq_cst` store.

mod bound;
mod closure;
mod coherence;
mod hb_layer;
mod ppo;
mod rebuild;
mod saturation;
mod section_edges;

use self::bound::Bound;
use self::ppo::{Line, Undo};
use super::{CanonicalReadTest, Consistency, Explain};
use crate::graph::{Graph, Loc, NONE};
use crate::id::EventId;
use crate::models::{ConsistencyKind, FromReads, GlobalRules, PreservedOrder};
use crate::settings::Settings;

const WORD: usize = 64;

/// An event of the order, or a barrier or fence that belongs to one.
#[derive(Clone, Copy)]
struct Node {
    event: EventId,
    loc: Loc,
    /// The node of the write it reads from, [`NONE`] for the initial write.
    source: u32,
    /// The node of the thread's last earlier write to the same location.
    own: u32,
    reads: bool,
    writes: bool,
    /// When it became a writer, some other write of its location was not known to come before it.
    beside: bool,
    /// The node of a read in the layer of happens-before (`hb_layer.rs`): it must not read a write that is
    /// coherence-before one that happens before it.
    hb_reads: bool,
}

impl Node {
    /// Can saturation derive anything when more is known to come before this node?
    fn takes_part(&self, uses: &[Use]) -> bool {
        self.reads || self.hb_reads || self.writes && uses[self.loc as usize].reads > 0
    }
}

/// How a location is used.
#[derive(Clone, Copy, Default)]
struct Use {
    /// How many nodes read it.
    reads: u32,
    /// How many of its writes have [`Node::beside`] set; if none has, its writes are totally ordered.
    beside: u32,
}

/// The global order.
pub(crate) struct GlobalOrder<const CO: bool> {
    rules: GlobalRules,
    nodes: Vec<Node>,
    /// Words per row of bits, one bit for each node.
    words: usize,
    /// Row of node n: the nodes that come before it, transitively closed.
    before: Vec<u64>,
    /// Per location a row: the nodes that write it, and those that read it.
    writers: Vec<u64>,
    readers: Vec<u64>,
    /// Per location: how many nodes read it, how many of its writes were added unordered with others.
    uses: Vec<Use>,
    /// Per thread: what its next event comes after.
    lines: Vec<Line>,
    /// How many stores a buffer holds, if that is bounded.
    bound: Option<Box<Bound>>,
    /// One entry for each event, and each update, that was shown and not taken back.
    undo: Vec<Undo>,
    /// Rows as they were, for undo: a node, then its words.
    trail: Vec<u64>,
    /// Nodes from which saturation may still derive something.
    queue: Vec<u32>,
    /// Scratch rows.
    row: Vec<u64>,
    extra: Vec<u64>,
    /// A part of the graph, for the test of the canonical write.
    scratch: Option<Box<(GlobalOrder<CO>, Graph)>>,
}

impl<const CO: bool> GlobalOrder<CO> {
    /// Is happens-before kept apart from the global order?
    #[inline]
    fn has_hb_layer(&self) -> bool {
        self.rules.from_reads == FromReads::OnlyCoherent
    }

    fn empty(rules: GlobalRules, bound: Option<Box<Bound>>) -> GlobalOrder<CO> {
        GlobalOrder {
            rules,
            bound,
            nodes: Vec::new(),
            words: 1,
            before: Vec::new(),
            writers: Vec::new(),
            readers: Vec::new(),
            uses: Vec::new(),
            lines: Vec::new(),
            undo: Vec::new(),
            trail: Vec::new(),
            queue: Vec::new(),
            row: vec![0],
            extra: vec![0],
            scratch: None,
        }
    }

    fn reset(&mut self, rules: GlobalRules) {
        self.rules = rules;
        self.nodes.clear();
        self.before.clear();
        self.writers.fill(0);
        self.readers.fill(0);
        self.uses.fill(Use::default());
        for line in &mut self.lines {
            line.main = NONE;
            line.barrier = NONE;
            line.stores.clear();
            line.open = 0;
            line.nodes.clear();
            line.hb = NONE;
        }
        if let Some(bound) = &mut self.bound {
            bound.reset();
        }
        self.forget_undo();
        self.queue.clear();
    }

    /// What was shown so far stays.
    fn forget_undo(&mut self) {
        self.undo.clear();
        self.trail.clear();
        if let Some(bound) = &mut self.bound {
            bound.forget_undo();
        }
    }
}

impl<const CO: bool> Consistency for GlobalOrder<CO> {
    const COHERENCE: bool = CO;

    fn new(settings: &Settings) -> GlobalOrder<CO> {
        match settings.model.definition().consistency {
            ConsistencyKind::GlobalOrder(rules) => {
                GlobalOrder::empty(rules, Bound::new(rules, settings.buffer_bound))
            }
            ConsistencyKind::HappensBefore(_) | ConsistencyKind::BuiltOn(_) => {
                unreachable!("a model of another kind")
            }
        }
    }

    fn bound_met(&self) -> bool {
        self.bound.as_ref().is_some_and(|bound| bound.met)
    }

    fn sources(&mut self, graph: &Graph, read: EventId, out: &mut Vec<EventId>) {
        let event = *graph.event(read);
        self.touch(event.loc);
        if self.has_hb_layer() {
            return self.coherent_sources(graph, read, out);
        }
        let own = self.own_write(graph, read);
        self.thread_row(graph, read.thread(), self.role(&event), own);
        if own != NONE {
            self.row[own as usize / WORD] |= 1 << (own as usize % WORD);
        }
        self.extra.fill(0);
        let mut any = false;
        // Young writes first: most others come before them and are done with them. `extra` collects what is
        // overwritten.
        for w in (0..self.words).rev() {
            let seen = self.row[w] & self.writers[event.loc as usize * self.words + w];
            any |= seen != 0;
            let mut rest = seen & !self.extra[w];
            while rest != 0 {
                let bit = WORD - 1 - rest.leading_zeros() as usize;
                let write = w * WORD + bit;
                for v in 0..self.words {
                    self.extra[v] |= self.before[write * self.words + v];
                }
                rest &= !(1 << bit) & !self.extra[w];
            }
        }
        if !any {
            out.push(EventId::INIT);
        }
        for &write in &graph.accesses[event.loc as usize].writes {
            if !Self::bit(&self.extra, self.node(write)) {
                out.push(write);
            }
        }
    }

    fn first_place(&mut self, graph: &Graph, write: EventId) -> usize {
        let event = *graph.event(write);
        let own = self.own_write(graph, write);
        self.thread_row(graph, write.thread(), self.role(&event), own);
        let writes = &graph.accesses[event.loc as usize].writes;
        writes.iter().rposition(|&w| Self::bit(&self.row, self.node(w))).map_or(0, |at| at + 1)
    }

    fn read(&mut self, graph: &Graph, read: EventId) -> bool {
        let fine = self.enter_read(graph, read);
        let number = self.reader(read);
        fine && if CO {
            self.before_next(graph, read)
        } else {
            self.reads_last(number) || self.can_complete()
        }
    }

    fn unread(&mut self, _graph: &Graph, _read: EventId) {
        self.take_back();
    }

    fn update(&mut self, graph: &Graph, update: EventId) -> bool {
        let number = self.node(update);
        self.remember_write(number);
        let fine = if CO {
            self.set_writer(number);
            self.place(graph, update)
        } else {
            self.becomes_writer(number) && self.can_complete()
        };
        if !fine {
            self.unupdate(graph, update);
        }
        fine
    }

    fn unupdate(&mut self, _graph: &Graph, _update: EventId) {
        self.undo_update();
    }

    fn write(&mut self, graph: &Graph, write: EventId) -> bool {
        let number = self.enter(graph, write);
        self.set_writer(number);
        let fine = if CO {
            self.place(graph, write)
        } else {
            if self.nodes[number as usize].takes_part(&self.uses) {
                self.queue.push(number);
            }
            self.saturate()
        };
        if !fine {
            self.take_back();
        }
        fine
    }

    fn unwrite(&mut self, _graph: &Graph, _write: EventId) {
        self.take_back();
    }

    fn other(&mut self, graph: &Graph, event: EventId) {
        self.enter(graph, event);
    }

    fn unother(&mut self, _graph: &Graph, _event: EventId) {
        self.take_back();
    }

    fn rebuild(&mut self, graph: &Graph) -> bool {
        self.reset(self.rules);
        let fine = self.enter_all(graph, None);
        self.forget_undo();
        fine && self.can_complete()
    }

    fn revisited(
        &mut self,
        parent: &Self,
        graph: &Graph,
        _lost: &[Loc],
        write: EventId,
        _read: EventId,
    ) -> bool {
        self.reset(parent.rules);
        if !self.enter_all(graph, CO.then_some(write)) {
            return false;
        }
        self.forget_undo();
        self.can_complete()
    }

    fn revisit_placed(&mut self, graph: &Graph, write: EventId, read: EventId) -> bool {
        let number = self.node(write);
        self.remember_write(number);
        self.set_writer(number);
        self.place(graph, write) && self.before_next(graph, read)
    }

    fn revisit_unplaced(&mut self, graph: &Graph, write: EventId, _read: EventId) {
        self.unupdate(graph, write);
    }

    fn is_overwritten(&self, graph: &Graph, write: EventId, later: EventId) -> bool {
        if CO {
            return graph.write_index(write) < graph.write_index(later);
        }
        // Under PSO `write` may be delayed past a later store of its own thread; a thread that has read that
        // store and then writes `later` may come first.
        write.is_init()
            || self.rules.preserved != PreservedOrder::StoresOfOneLocation
                && Graph::in_row(graph.porf(later), write)
    }

    /// The canonical write is the best-ranked one of those that the read may see and that no other write of
    /// the location must follow. (If it may see a write, it may see those that must follow it, or the updates
    /// in the chains after them.)
    fn reads_canonical(&mut self, test: &CanonicalReadTest<'_>) -> bool {
        let graph = test.graph;
        let event = graph.event(test.read);
        let writes = &graph.accesses[event.loc as usize].writes;
        let choices = test.better_choices();
        let is_overwritten = |order: &Self, write: EventId| {
            let after = |w: EventId| write.is_init() || order.is_before(order.node(write), order.node(w));
            let there = |w: EventId| test.has(w, graph.event(w));
            writes.iter().any(|&w| w != write && w != test.read && there(w) && after(w))
        };
        // What must follow in a part must follow in the whole graph.
        if choices.is_empty() && !is_overwritten(self, event.rf) {
            return true;
        }
        let mut scratch = self.scratch.take().unwrap_or_else(|| {
            let bound = self.bound.as_ref().map(|bound| bound.anew());
            Box::new((GlobalOrder::empty(self.rules, bound), Graph::default()))
        });
        let (order, part) = &mut *scratch;
        part.become_part(test.graph, test.write, test.read);
        order.reset(self.rules);
        let consistent = order.enter_all(part, None);
        debug_assert!(consistent, "a part of a consistent graph is consistent");
        let canonical = !is_overwritten(order, event.rf)
            && !choices
                .iter()
                .any(|&choice| !is_overwritten(order, choice) && test.allows(order, part, choice));
        self.scratch = Some(scratch);
        canonical
    }
}

impl<const CO: bool> Explain for GlobalOrder<CO> {
    fn last_writes(&mut self, graph: &Graph, locs: &[Loc], found: &mut dyn FnMut(&[u32])) {
        let mut row = vec![0; locs.len()];
        self.finish(graph, locs, 0, &mut row, found);
    }

    fn coherence(&mut self, graph: &Graph, last: &[(Loc, u32)]) -> Vec<Vec<EventId>> {
        let mark = self.mark();
        if !CO {
            for &(loc, write_index) in last.iter().filter(|(_, write_index)| *write_index > 0) {
                let number = self.node(graph.write_at(loc, write_index));
                for &other in &graph.accesses[loc as usize].writes {
                    let other = self.node(other);
                    let _ = other == number || self.raise_from(other, number);
                }
                self.saturate();
            }
            self.complete();
        }
        let orders = (0..graph.accesses.len())
            .map(|loc| {
                let mut writes = graph.accesses[loc].writes.clone();
                if !CO {
                    // In a total order the number of predecessors is the position.
                    writes.sort_by_key(|&w| {
                        let number = self.node(w);
                        graph.accesses[loc]
                            .writes
                            .iter()
                            .filter(|&&v| self.is_before(self.node(v), number))
                            .count()
                    });
                }
                writes
            })
            .collect();
        self.roll_back(mark);
        orders
    }
}

impl<const CO: bool> GlobalOrder<CO> {
    /// Undo that a node became a writer.
    fn undo_update(&mut self) {
        let entry = self.undo.pop().expect("unupdate follows update");
        self.roll_back(entry.trail);
        let number = entry.nodes;
        let loc = self.nodes[number].loc as usize;
        self.nodes[number].writes = false;
        self.uses[loc].beside -= self.nodes[number].beside as u32;
        self.nodes[number].beside = false;
        self.writers[loc * self.words + number / WORD] &= !(1 << (number % WORD));
        if self.has_hb_layer() && self.nodes[number].reads {
            self.uses[loc].reads -= 1;
            self.nodes[number].reads = false;
            self.readers[loc * self.words + number / WORD] &= !(1 << (number % WORD));
        }
    }

    /// Calls `found` with each combination of last writes that some global order allows; those before `at`
    /// are fixed.
    fn finish(
        &mut self,
        graph: &Graph,
        locs: &[Loc],
        at: usize,
        row: &mut [u32],
        found: &mut dyn FnMut(&[u32]),
    ) {
        if at == locs.len() {
            if self.can_complete() {
                found(row);
            }
            return;
        }
        let writes = match graph.accesses.get(locs[at] as usize) {
            Some(place) if !place.writes.is_empty() => place.writes.clone(),
            _ => {
                row[at] = 0;
                return self.finish(graph, locs, at + 1, row, found);
            }
        };
        if CO {
            row[at] = writes.len() as u32;
            return self.finish(graph, locs, at + 1, row, found);
        }
        for &last in &writes {
            let mark = self.mark();
            let number = self.node(last);
            let fine = writes.iter().all(|&other| other == last || self.raise_from(self.node(other), number))
                && self.saturate();
            if fine {
                row[at] = graph.event(last).write_index;
                self.finish(graph, locs, at + 1, row, found);
            }
            self.roll_back(mark);
        }
    }
}
