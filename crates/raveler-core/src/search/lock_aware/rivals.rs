//! Reads that their own thread's next write makes impossible, known before anything is built.
//!
//! Two sections of a lock that exclude each other both read x from the same write and write x afterwards: whichever comes
//! second would have to read what the first one wrote. So a thread that is in a section, and writes x as soon as it has read
//! it, does not read from a write that such a section has read from. What it does next is known if it was in the same
//! state before (`run/states/tree.rs`).
//!
//! It must be certain that the thread goes on: a thread that stops at its read, because that is wrong (freed memory, a
//! part of a location), makes no write that could be refused.

use super::Search;
use crate::consistency::with_sections::WithSections;
use crate::graph::{Graph, Loc, NONE};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::Program;
use crate::program::action::Part;
use crate::run::resolve::Request;

impl<P: Program, K: WithSections> Search<'_, P, K> {
    /// Would the write that follows be refused if the thread's read read from `source`? False where that is not known. A node
    /// that is built again is built as it was, whatever is known by now.
    pub(super) fn is_rivalled(&self, thread: usize, source: EventId) -> bool {
        let (graph, order) = (&self.graph, &self.order);
        let step = self.run.step(graph, thread);
        let loc = step.loc;
        if self.builds_again
            || order.held_ids(thread).next().is_none()
            || !matches!(step.request, Request::Read(_))
            || step.part != Part::Whole
        {
            return false;
        }
        let mut rivals = order.held_ids(thread).flat_map(|own| {
            let section = &order.sections[own];
            order
                .of_lock(section.lock)
                .filter(move |other| other.conflicts(section) && other.span.lock.thread() != thread)
        });
        rivals.any(|rival| {
            let end = rival.span.unlock.map_or(u32::MAX, EventId::index);
            reads_and_writes(graph, loc, rival.span.lock, end, source)
        }) && self.writes_next(thread, source)
    }

    /// Is it known that the thread, having read from `source`, writes to the same location at once?
    fn writes_next(&self, thread: usize, source: EventId) -> bool {
        let graph = &self.graph;
        let loc = self.run.step(graph, thread).loc;
        let location = &self.run.tables.memory.locations[loc as usize];
        let may_be_wrong = location.within.is_some()
            || location.changed_in_parts
            || location.address.of_word().is_some()
            || source.is_init() && self.run.initial(graph, loc).is_none()
            || self.run.program.hints().has_unset()
            || self.run.tables.locks.has_lives();
        if may_be_wrong {
            return false;
        }
        let value = self.run.value_of(graph, loc, source);
        let next = self.run.known_step_after(graph, graph.threads[thread].state, value);
        next.is_some_and(|next| {
            next.loc == loc && next.part == Part::Whole && matches!(next.request, Request::Write { .. })
        })
    }
}

/// Does a section, from this lock event on and before this index, read the location from `source` and write it
/// afterwards?
fn reads_and_writes(graph: &Graph, loc: Loc, lock: EventId, end: u32, source: EventId) -> bool {
    let t = lock.thread();
    let Some(place) = graph.accesses.get(loc as usize) else { return false };
    let mut writes = Mutant::RivalsAssumed.is_active();
    let mut i = place.last.get(t).copied().unwrap_or(0).wrapping_sub(1);
    while i != NONE && i > lock.index() {
        let event = &graph.threads[t].events[i as usize];
        if i < end {
            writes |= event.kind.writes() && event.part == Part::Whole;
            if writes && event.kind.reads() && event.rf == source && event.part == Part::Whole {
                return true;
            }
        }
        i = event.prev;
    }
    false
}
