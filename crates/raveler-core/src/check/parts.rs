//! Writes of a part of a location that are made by reading and writing the whole ([`Part::Changed`]).
//!
//! That is right if no other thread's access to the location can come between, and if nothing depends on who of two threads
//! is coherence-ordered with which part: if all of them happen before the part is read, or after it was written. What an access
//! itself reads does not count: it would be ordered by what is in question. A program in which two such accesses are not
//! ordered is refused (docs/engine.md, "Parts of a location").

use super::{Condition, Finding};
use crate::consistency::sc_order;
use crate::graph::{Graph, Kind, NONE};
use crate::id::EventId;
use crate::outcome::ViolationKind;
use crate::program::Program;
use crate::program::action::Part;
use crate::run::Run;

/// An access was added: is it ordered with the writes of parts by other threads, and they with it?
pub(super) fn access<P: Program>(run: &Run<'_, P>, graph: &Graph, id: EventId, found: &mut Vec<Finding>) {
    let event = graph.event(id);
    if !run.tables.memory.locations[event.loc as usize].changed_in_parts {
        return;
    }
    for (t, &last) in graph.accesses[event.loc as usize].last.iter().enumerate() {
        let mut i = if t == id.thread() { NONE } else { last.wrapping_sub(1) };
        while i != NONE {
            let other = &graph.threads[t].events[i as usize];
            let conflict = event.kind.writes() || other.kind.writes();
            if conflict && [event.part, other.part].contains(&Part::Changed) {
                let other = EventId::new(t as u32, i);
                let condition = Condition::Apart(id, other);
                let related = run.related(graph, "access", other);
                let message = "a part of an atomic object is written while other threads may access it; the parts \
                               of what is accessed in different sizes can be written only where nothing races with it";
                let finding = Finding::at(run, graph, id, ViolationKind::Other, message);
                found.push(finding.with(related, condition).refusing());
            }
            i = other.prev;
        }
    }
}

/// A load of a part was added. Loads of different parts are not coherence-ordered, but what the order of `seq_cst` events means
/// for them is not defined anywhere: refused where it could make a difference, behind a `seq_cst` fence or by a `seq_cst` load
/// that may see less than an earlier load of another part.
pub(super) fn load<P: Program>(run: &Run<'_, P>, graph: &Graph, id: EventId, found: &mut Vec<Finding>) {
    let event = graph.event(id);
    let Part::Bytes(bytes) = event.part else { return };
    if sc_order(run.settings.model).is_none() || graph.sc_events == 0 {
        return;
    }
    let is_fence = |&&at: &&EventId| {
        graph.event(at).kind == Kind::Fence && graph.event(at).is_sc() && Graph::in_row(graph.hb(id), at)
    };
    if !event.is_sc() && !graph.order.iter().any(|at| is_fence(&at)) {
        return;
    }
    let mut earlier = None;
    graph.each_access(event.loc, |at, other| {
        let shown = if other.kind.writes() { at } else { other.rf };
        let comes_later = shown == event.rf
            || shown.is_init()
            || !event.rf.is_init() && Graph::in_row(graph.hb(event.rf), shown);
        if other.part.bytes() & bytes == 0 && Graph::in_row(graph.hb(id), at) && !comes_later {
            earlier = Some(at);
        }
    });
    if let Some(at) = earlier {
        let related = run.related(graph, "access", at);
        let message = "a load of a part of an atomic object may see less than an earlier load of another part; what \
                       seq_cst means for them is not defined: load the whole, or use acquire and release";
        let finding = Finding::at(run, graph, id, ViolationKind::Other, message);
        found.push(finding.with(related, Condition::Always).refusing());
    }
}

/// A part is changed in one step of memory that nobody has set.
pub(super) fn of_nothing<P: Program>(run: &Run<'_, P>, graph: &Graph, id: EventId) -> Finding {
    let message = "a part of memory that nobody has set yet is written while other threads run, and is accessed in another \
                   size elsewhere; set the whole first";
    Finding::at(run, graph, id, ViolationKind::Other, message).refusing()
}
