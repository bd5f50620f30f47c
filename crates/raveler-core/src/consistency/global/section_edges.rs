//! Critical sections under SC, TSO, PSO and SRA: edges between them are edges of the global order like all
//! others.
//!
//! Under SRA they are edges of happens-before as well.

use super::{GlobalOrder, WORD};
use crate::consistency::with_sections::{EdgeMark, SectionSpan, WithSections};
use crate::graph::{Graph, Loc};
use crate::id::EventId;

impl<const CO: bool> WithSections for GlobalOrder<CO> {
    fn edge_mark(&self) -> EdgeMark {
        (self.mark(), 0)
    }

    fn undo_edges(&mut self, _graph: &mut Graph, (trail, _): EdgeMark) {
        self.roll_back(trail);
    }

    fn enter(&mut self, graph: &Graph, id: EventId) -> bool {
        let event = graph.event(id);
        if event.kind.reads() {
            return self.enter_read(graph, id) && (!CO || self.before_next(graph, id));
        }
        let number = self.enter(graph, id);
        if !event.kind.writes() {
            return true;
        }
        self.set_writer(number);
        if CO {
            return self.place(graph, id);
        }
        if self.nodes[number as usize].takes_part(&self.uses) {
            self.queue.push(number);
        }
        self.saturate()
    }

    fn leave(&mut self, _graph: &Graph, _id: EventId) {
        self.take_back();
    }

    fn enter_update(&mut self, graph: &Graph, id: EventId) -> bool {
        let number = self.node(id);
        self.remember_write(number);
        let fine = if CO {
            self.set_writer(number);
            self.place(graph, id)
        } else {
            self.becomes_writer(number)
        };
        if !fine {
            self.undo_update();
        }
        fine
    }

    fn leave_update(&mut self, _graph: &Graph, _id: EventId) {
        self.undo_update();
    }

    fn put_before(&mut self, graph: &mut Graph, section: SectionSpan, lock: EventId) -> bool {
        if self.has_hb_layer() && !self.put_before_in_hb(graph, section, lock) {
            return false;
        }
        self.clear_row();
        match section.unlock {
            Some(unlock) => self.gather(self.node(unlock)),
            None => self.gather_thread(graph, section.lock.thread()),
        }
        self.raise(self.node(lock)) && (CO || self.saturate())
    }

    fn known_order(&mut self, graph: &Graph, a: SectionSpan, b: SectionSpan) -> (bool, bool) {
        match self.is_known_before(graph, a, b) {
            true => (true, false),
            false => (false, self.is_known_before(graph, b, a)),
        }
    }

    fn reads_last_write(&mut self, graph: &Graph, id: EventId) -> bool {
        let event = graph.event(id);
        match event.rf.is_init() {
            true => graph.accesses[event.loc as usize].writes.is_empty(),
            false => self.is_after_all(self.node(event.rf)),
        }
    }

    fn completes(&mut self, _graph: &Graph) -> bool {
        self.can_complete()
    }

    fn put_last(&mut self, graph: &Graph, loc: Loc, write_index: u32) -> bool {
        let writes = graph.accesses.get(loc as usize).map_or(&[][..], |place| &place.writes);
        if CO || write_index == 0 {
            return write_index as usize == writes.len();
        }
        let number = self.node(graph.write_at(loc, write_index));
        writes.iter().all(|&other| {
            let other = self.node(other);
            other == number || self.raise_from(other, number)
        }) && self.saturate()
    }
}

impl<const CO: bool> GlobalOrder<CO> {
    /// Is it known that `second` cannot come before `first`, because the lock event of `first` comes before some event of
    /// `second`?
    fn is_known_before(&mut self, graph: &Graph, first: SectionSpan, second: SectionSpan) -> bool {
        let lock = self.node(first.lock);
        if let Some(unlock) = second.unlock {
            return self.is_before(lock, self.node(unlock));
        }
        // An open section has no unlock that comes after all of it, and its last event may be a store that
        // others may overtake: so look at all that the thread did.
        self.clear_row();
        self.gather_thread(graph, second.lock.thread());
        self.row[lock as usize / WORD] >> (lock as usize % WORD) & 1 != 0
    }

    /// Everything of a section that is in the graph happens before `lock`.
    fn put_before_in_hb(&mut self, graph: &Graph, section: SectionSpan, lock: EventId) -> bool {
        self.clear_row();
        match section.unlock {
            Some(unlock) => self.gather(self.node(unlock) - 1),
            None => self.gather_hb_of(graph, section.lock.thread()),
        }
        self.raise(self.node(lock) - 1) && if CO { self.all_are_coherent(graph) } else { self.saturate() }
    }
}
