//! Data races: two accesses to one location by different threads, one of them a write and one of them plain,
//! that happens-before does not order.
//!
//! They are asked for if [`crate::Settings::races`] is set, by default under RC11 and RC20.

use super::{Condition, Finding};
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
        while i != NONE && (i >= hb[t] || Mutant::RacesEverywhere.is_active()) {
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
