//! Data races: two accesses to one location by different threads, one of them a write and one of them plain,
//! that happens-before does not order.
//!
//! An allocation is such a write of all the memory that it gives: it may change it (C11, 7.22.3), and before it there is
//! nothing to access (6.2.4). So it must happen before every use of the memory by another thread, atomic or not; having read
//! the address is not enough.
//!
//! Races are asked for if [`crate::Settings::races`] is set, by default under RC11 and RC20.

use super::{Condition, Finding, memory};
use crate::graph::{Graph, NONE};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::outcome::ViolationKind;
use crate::program::Program;
use crate::program::action::{Order, Part};
use crate::run::Run;

/// Races of a new access with those that are in the graph.
pub(super) fn access<P: Program>(run: &Run<'_, P>, graph: &Graph, id: EventId, found: &mut Vec<Finding>) {
    let event = graph.event(id);
    let hb = graph.hb(id);
    for (t, &last) in graph.accesses[event.loc as usize].last.iter().enumerate() {
        if t == id.thread() {
            continue;
        }
        let mut i = last.wrapping_sub(1);
        while i != NONE && (i >= u32::from(hb[t]) || Mutant::RacesEverywhere.is_active()) {
            let other = &graph.threads[t].events[i as usize];
            let conflict = event.kind.writes() || other.kind.writes();
            let plain = [event.order, other.order].map(|order| order == Order::Plain);
            let plain =
                if Mutant::RacesNowhere.is_active() { plain == [true; 2] } else { plain != [false; 2] };
            // What is said of writes of parts is said in `parts.rs`.
            let apart = [event.part, other.part].contains(&Part::Changed);
            if conflict && plain && !apart {
                let other = EventId::new(t as u32, i);
                let related = run.related(graph, "racing access", other);
                let condition = match Mutant::RacesEverywhere.is_active() {
                    true => Condition::Always,
                    false => Condition::Unordered(id, other),
                };
                found.push(Finding::at(run, graph, id, ViolationKind::Race, "").with(related, condition));
            }
            i = other.prev;
        }
    }
}

/// A race of an event that uses, initialises or frees allocated memory with the allocation. That one is in the graph: nobody
/// knows an address that was not given yet.
pub(super) fn allocation<P: Program>(run: &Run<'_, P>, graph: &Graph, id: EventId, found: &mut Vec<Finding>) {
    let Some(within) = memory::used_by(run, graph.event(id)) else { return };
    if within.thread == run.tables.threads.name(id.thread()) || Mutant::AllocationUnordered.is_active() {
        return;
    }
    let allocator = run.tables.threads.known(u64::from(within.thread));
    let Some(made) = allocator.and_then(|thread| graph.allocation(thread, within.nth)) else { return };
    let condition = Condition::Unordered(id, made);
    if condition.may_hold(run, graph) {
        let related = run.related(graph, "allocation", made);
        found.push(Finding::at(run, graph, id, ViolationKind::Race, "").with(related, condition));
    }
}
