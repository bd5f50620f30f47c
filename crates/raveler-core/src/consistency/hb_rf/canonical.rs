//! The canonical write of a read that a revisit would delete (docs/engine.md, "The canonical write").

use super::HbReadsFrom;
use crate::consistency::CanonicalReadTest;
use crate::consistency::forced_coherence::ForcedCoherence;
use crate::graph::{Graph, Loc};
use crate::id::EventId;
use crate::mutation::Mutant;

impl HbReadsFrom {
    /// The canonical write is the best-ranked one of those that the read may see and that no other such write
    /// is forced to follow.
    pub(super) fn reads_canonical_write(&mut self, test: &CanonicalReadTest<'_>) -> bool {
        let graph = test.graph;
        let event = graph.event(test.read);
        let loc = event.loc;
        if test.reads_the_last() {
            return true;
        }
        let source = graph.write_index(event.rf);
        let forced = &self.locations[loc as usize];
        let choices = test.better_choices();
        // What is forced in a part is forced in the whole graph.
        let own = if event.kind.writes() { event.write_index } else { u32::MAX };
        let count = forced.count() as u32;
        let overwritten = |forced: &ForcedCoherence, write_index: u32| {
            (0..count).any(|later| later != own && forced.is_before(write_index, later))
        };
        if choices.is_empty() && !overwritten(forced, source) {
            return true;
        }
        if self.psc(graph).is_some() {
            return self.reads_canonical_slowly(test, &choices);
        }
        self.gather_seen_before(graph, test.read);
        let updates = |w: EventId| {
            !Mutant::CanonicalAsRead.is_active() && (test.label)(graph.event(w).written).written.is_some()
        };
        // What the whole graph allows, the part allows: a better choice that the whole graph allows decides
        // at once.
        let forced = &self.locations[loc as usize];
        let open = |&w: &EventId| {
            let write_index = graph.event(w).write_index;
            self.seen.iter().all(|&s| forced.may_follow(s, write_index))
                && !(updates(w) && taken_in(test, loc, w))
                && !overwritten(forced, write_index)
        };
        if choices.iter().any(open) {
            return false;
        }
        let mut part = std::mem::take(&mut self.part);
        build_part(&mut part, test, loc, &mut self.write_indices, &mut self.seen);
        self.gather_seen_before(graph, test.read);
        let (write_indices, seen) = (&self.write_indices, &self.seen);
        let writes = &graph.accesses[loc as usize].writes;
        let at = |w: EventId| write_indices[graph.event(w).write_index as usize];
        let allowed = |w: EventId| {
            w != test.read
                && at(w) != u32::MAX
                && !(updates(w) && part.is_taken(at(w)))
                && seen.iter().all(|&s| part.may_follow(write_indices[s as usize], at(w)))
        };
        let overwritten =
            |write_index: u32| writes.iter().any(|&w| allowed(w) && part.is_before(write_index, at(w)));
        let canonical = !overwritten(write_indices[source as usize])
            && !choices.iter().any(|&w| allowed(w) && !overwritten(at(w)));
        self.part = part;
        canonical
    }

    /// The canonical test on the part as a graph of its own: with two or more `seq_cst` events locations are
    /// not independent.
    fn reads_canonical_slowly(&mut self, test: &CanonicalReadTest<'_>, choices: &[EventId]) -> bool {
        let mut scratch = self
            .scratch
            .take()
            .unwrap_or_else(|| Box::new((HbReadsFrom::empty(self.sc_order), Graph::default())));
        let (order, part) = &mut *scratch;
        part.become_part(test.graph, test.write, test.read);
        order.sc_order = self.sc_order;
        let consistent = order.rebuild_locations(part);
        debug_assert!(consistent, "a part of a consistent graph is consistent");
        let loc = test.graph.event(test.read).loc;
        let writes: Vec<EventId> = part.accesses.get(loc as usize).map_or(Vec::new(), |p| p.writes.clone());
        let mut allowed: Vec<u32> = Vec::new();
        for write in writes {
            if test.allows(order, part, write) {
                allowed.push(part.event(write).write_index);
            }
        }
        order.location(loc);
        let forced = &order.locations[loc as usize];
        let overwritten =
            |write_index: u32| allowed.iter().any(|&later| forced.is_before(write_index, later));
        let source = part.write_index(test.graph.event(test.read).rf);
        let better = |&choice: &EventId| {
            let write_index = part.event(choice).write_index;
            allowed.contains(&write_index) && !overwritten(write_index)
        };
        let canonical = !overwritten(source) && !choices.iter().any(better);
        self.scratch = Some(scratch);
        canonical
    }
}

/// Does an update of the part read from `write`?
fn taken_in(test: &CanonicalReadTest<'_>, loc: Loc, write: EventId) -> bool {
    test.graph.accesses[loc as usize].writes.iter().any(|&u| {
        let event = test.graph.event(u);
        u != test.read && event.kind.reads() && event.rf == write && test.has(u, event)
    })
}

/// Build the forced order of a location in the part of the graph on which a read is tested. `write_indices`
/// maps write indices of the graph to write indices of the part, `u32::MAX` for writes that are not in it.
fn build_part(
    forced: &mut ForcedCoherence,
    test: &CanonicalReadTest<'_>,
    loc: Loc,
    write_indices: &mut Vec<u32>,
    seen: &mut Vec<u32>,
) {
    let graph = test.graph;
    let writes = &graph.accesses[loc as usize].writes;
    write_indices.clear();
    write_indices.push(0);
    let mut count = 0;
    for &write in writes {
        if test.has(write, graph.event(write)) {
            count += 1;
            write_indices.push(count);
        } else {
            write_indices.push(u32::MAX);
        }
    }
    forced.start_slots(count as usize);
    let in_part = |write: EventId| {
        if write.is_init() { 0 } else { write_indices[graph.event(write).write_index as usize] }
    };
    for &write in writes {
        let event = graph.event(write);
        if event.kind.reads() && test.has(write, event) {
            forced.link(in_part(event.rf), in_part(write));
        }
    }
    forced.settle();
    graph.each_access(loc, |id, event| {
        let revisiting_update =
            id == test.write && event.kind.reads() && !Mutant::PartWithoutUpdate.is_active();
        if !test.has(id, event) && !revisiting_update {
            return;
        }
        seen.clear();
        graph.each_seen_by(id, |write| {
            if !write.is_init() {
                seen.push(in_part(write));
            }
        });
        if event.kind.reads() {
            forced.require(seen, in_part(event.rf));
        } else {
            forced.require_before(seen, in_part(id));
        }
    });
}
