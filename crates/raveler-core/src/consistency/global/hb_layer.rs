//! Happens-before as a layer of its own, for SRA, where a read need not come before the writes that overwrite
//! its source.
//!
//! The global order of SRA holds program order, reads-from and coherence. Besides, a read must not read a
//! write that is coherence-before one that happens before the read, and happens-before does not contain
//! coherence. So each event has two nodes, numbered n - 1 and n. Node n - 1 is in the layer of
//! happens-before, whose edges are program order, reads-from, spawn, join and the order of critical sections;
//! node n is in the global order, after node n - 1. Let w, w' be writes, u an update and r a read of one
//! location:
//!
//! - w happens before r and r reads w': w → w';
//! - updates follow the rules of the global order: w → u and u reads w': w → w'; u reads w and w → w':
//!   u → w'.

use super::{GlobalOrder, Node, WORD};
use crate::graph::{Graph, Kind, NONE};
use crate::id::EventId;
use crate::mutation::Mutant;

impl<const CO: bool> GlobalOrder<CO> {
    /// The node as which an event reads: that of happens-before where there is such a layer.
    pub(super) fn reader(&self, id: EventId) -> u32 {
        self.node(id) - u32::from(self.has_hb_layer())
    }

    /// The node of a write in the layer of happens-before.
    fn hb_node(write: u32) -> u32 {
        write - 1
    }

    /// `row` := what happens before the next event of a thread.
    fn hb_row(&mut self, graph: &Graph, thread: usize) {
        self.clear_row();
        let before = match self.lines[thread].nodes.is_empty() {
            true => self.spawn_node(graph, thread).checked_sub(1).filter(|_| !self.is_initial(graph, thread)),
            false => Some(self.lines[thread].hb),
        };
        self.gather(before.unwrap_or(NONE));
    }

    fn is_initial(&self, graph: &Graph, thread: usize) -> bool {
        graph.threads[thread].parent.is_init()
    }

    /// Add the node of an event to the layer of happens-before.
    pub(super) fn enter_hb(&mut self, graph: &Graph, id: EventId, blank: Node) {
        let event = graph.event(id);
        self.clear_row();
        self.gather(self.lines[id.thread()].hb);
        if event.joins_thread() {
            self.gather_hb_of(graph, event.child());
        } else if event.kind == Kind::Join && !Mutant::BarrierUnordered.is_active() {
            let met = Self::met(graph, event.rf).map_or(NONE, |met| Self::hb_node(self.node(met)));
            self.gather(met);
        }
        if event.kind.reads() && !event.rf.is_init() {
            self.gather(Self::hb_node(self.node(event.rf)));
        }
        let number = self.add_node(blank);
        self.lines[id.thread()].hb = number;
    }

    /// `row` |= all events of a thread, in the layer of happens-before.
    pub(super) fn gather_hb_of(&mut self, graph: &Graph, thread: usize) {
        let last = match graph.threads[thread].events.is_empty() {
            false => self.lines[thread].hb,
            true if self.is_initial(graph, thread) => NONE,
            true => Self::hb_node(self.spawn_node(graph, thread)),
        };
        self.gather(last);
    }

    /// A read was entered with its source: its node in the layer of happens-before gets both.
    pub(super) fn set_hb_reader(&mut self, graph: &Graph, id: EventId) {
        let event = graph.event(id);
        self.touch(event.loc);
        let source = if event.rf.is_init() { NONE } else { self.node(event.rf) };
        let number = self.reader(id) as usize;
        let node = &mut self.nodes[number];
        node.loc = event.loc;
        node.hb_reads = true;
        node.source = source;
    }

    /// Does a write happen before the event of this node?
    fn happens_before(&self, write: u32, number: u32) -> bool {
        self.is_before(Self::hb_node(write), number)
    }

    /// w happens before r, r reads w': then w → w'. False on a contradiction.
    pub(super) fn saturate_hb_read(&mut self, number: u32, node: Node) -> bool {
        let mut found = false;
        let mut seen = Vec::new();
        for w in 0..self.words {
            let mut writes = self.writers[node.loc as usize * self.words + w];
            while writes != 0 {
                let write = (w * WORD) as u32 + writes.trailing_zeros();
                writes &= writes - 1;
                // An update does not happen before its own read.
                if write == number + 1 || write == node.source || !self.happens_before(write, number) {
                    continue;
                }
                if node.source == NONE {
                    return false;
                }
                found = true;
                seen.push(write);
            }
        }
        if !found {
            return true;
        }
        self.clear_row();
        for write in seen {
            self.gather(write);
        }
        self.raise(node.source)
    }

    /// With a coherence order: does this node read no write that is coherence-before one that happens before
    /// the read?
    pub(super) fn is_coherent(&self, graph: &Graph, number: u32) -> bool {
        let node = &self.nodes[number as usize];
        let at = match node.source {
            NONE => 0,
            source => graph.write_index(self.nodes[source as usize].event) as usize,
        };
        let later = graph.accesses[node.loc as usize].writes.get(at..).unwrap_or_default();
        later
            .iter()
            .map(|&write| self.node(write))
            .all(|write| write == number + 1 || !self.happens_before(write, number))
    }

    /// The same for all reads, after happens-before has grown.
    pub(super) fn all_are_coherent(&self, graph: &Graph) -> bool {
        let reads = (0..self.nodes.len() as u32).filter(|&number| self.nodes[number as usize].hb_reads);
        reads.into_iter().all(|number| self.is_coherent(graph, number))
    }

    /// The writes that a read, just pushed, might read: those not known to be overwritten by a write that
    /// happens before it.
    pub(super) fn coherent_sources(&mut self, graph: &Graph, read: EventId, out: &mut Vec<EventId>) {
        let event = graph.event(read);
        self.line(read.thread());
        self.hb_row(graph, read.thread());
        let writes = &graph.accesses[event.loc as usize].writes;
        let seen: Vec<u32> = writes
            .iter()
            .map(|&write| self.node(write))
            .filter(|&write| Self::bit(&self.row, Self::hb_node(write)))
            .collect();
        if seen.is_empty() {
            out.push(EventId::INIT);
        }
        out.extend(writes.iter().copied().filter(|&write| {
            let number = self.node(write);
            !seen.iter().any(|&later| self.is_before(number, later))
        }));
    }
}
