//! With a coherence order in the graph: its edges, and the from-reads that follow from it.
//!
//! Only edges between neighbours are added; the closure has the rest.

use super::{GlobalOrder, WORD};
use crate::graph::{Graph, NONE};
use crate::id::EventId;
use crate::mutation::Mutant;

impl<const CO: bool> GlobalOrder<CO> {
    /// Add the edges of a write to its neighbours in the location's list, and from-reads of the reads of its
    /// predecessor. False if that closes a cycle.
    pub(super) fn place(&mut self, graph: &Graph, id: EventId) -> bool {
        let event = graph.event(id);
        let number = self.node(id);
        let writes = &graph.accesses[event.loc as usize].writes;
        let at = event.write_index as usize - 1;
        let previous = if at == 0 { NONE } else { self.node(writes[at - 1]) };
        let next = writes.get(at + 1).map(|&w| self.node(w));
        self.clear_row();
        self.gather(previous);
        for w in 0..self.words {
            let mut reads = self.readers[event.loc as usize * self.words + w];
            while reads != 0 {
                let read = (w * WORD) as u32 + reads.trailing_zeros();
                reads &= reads - 1;
                if read != number && self.nodes[read as usize].source == previous {
                    self.gather(read);
                }
            }
        }
        let is_last = next.is_none() || Mutant::NewestIsLast.is_active();
        if is_last && number as usize + 1 == self.nodes.len() && !self.has_hb_layer() {
            self.raise_newest(number);
            return true;
        }
        self.raise(number) && next.is_none_or(|next| self.raise_from(number, next))
    }

    /// Add the from-read edge of a read to the write that follows its source. False if that closes a cycle,
    /// or if an earlier write of the thread is coherence-after the source (TSO, PSO). Under SRA there is no
    /// such edge: is the read coherent with what happens before it?
    pub(super) fn before_next(&mut self, graph: &Graph, id: EventId) -> bool {
        if self.has_hb_layer() {
            return self.is_coherent(graph, self.reader(id));
        }
        let event = graph.event(id);
        let number = self.node(id);
        let own = self.nodes[number as usize].own;
        let write_index = graph.write_index(event.rf);
        if own != NONE && graph.event(self.nodes[own as usize].event).write_index > write_index {
            return false;
        }
        match graph.accesses[event.loc as usize].writes.get(write_index as usize) {
            Some(&next) if next != id && !Mutant::FromReadIgnored.is_active() => {
                let next = self.node(next);
                self.raise_from(number, next)
            }
            _ => true,
        }
    }

    /// Add all coherence edges and from-reads of a graph, except from-reads of what reads `left_out`.
    pub(super) fn place_all(&mut self, graph: &Graph, left_out: Option<EventId>) -> bool {
        for place in &graph.accesses {
            for pair in place.writes.windows(2) {
                let (a, b) = (self.node(pair[0]), self.node(pair[1]));
                if !self.raise_from(a, b) {
                    return false;
                }
            }
        }
        for &id in &graph.order {
            let event = graph.event(id);
            if event.kind.reads()
                && (left_out.is_none() || left_out != Some(event.rf))
                && !self.before_next(graph, id)
            {
                return false;
            }
        }
        true
    }
}
