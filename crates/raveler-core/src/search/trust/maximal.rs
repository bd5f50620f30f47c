//! Maximal extensions: may a revisit delete an event? (docs/engine.md, "Maximal extensions")
//!
//! Only if the event is the one that the search would have chosen first in its *part*: what is older than the
//! event, together with the past of the revisiting write. Then the graph with all deleted events is the
//! maximal extension of the graph without them, and of all graphs from which the same revisit could be made
//! exactly one makes it. The test differs by kind of event: a lock event sees what it would have seen in its
//! part ([`super::lock_order`]), with a coherence order an access is or reads from the last write, without
//! one a read reads the canonical write ([`crate::consistency::CanonicalReadTest`]).

use super::lock_order;
use crate::consistency::{CanonicalReadTest, Consistency};
use crate::graph::clocks::{put_event, raise};
use crate::graph::{Count, Event, EventTag, Graph, Kind, LANES};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::Program;
use crate::program::action::Value;
use crate::run::Run;
use crate::run::resolve::Request;

/// May a revisit by `write`, with this past, delete this event, or give it another source? It is not in the past of the write,
/// and it is the revisited read or younger.
pub(super) fn may_be_deleted<P: Program, K: Consistency>(
    run: &Run<'_, P>,
    graph: &Graph,
    order: &mut K,
    (write, past): (EventId, &[Count]),
    id: EventId,
) -> bool {
    let event = graph.event(id);
    match event.kind {
        Kind::Choose => is_first_value(run, event),
        Kind::Read | Kind::Write | Kind::Update => {
            stands_in_place(graph, |id| Graph::in_row(past, id), event)
                && is_first_choice(run, graph, order, (write, past), id)
        }
        _ => true,
    }
}

/// Would an update by this thread's next event, which reads a write that the update `rival` reads, revisit nothing? A revisit
/// has to delete the rival, or give it another source, and all that is younger than it. That is seen from the rows of the
/// events directly before the new one (`before`), without its own. False where it is not seen.
pub(super) fn is_kept_by_rival<P: Program>(
    run: &Run<'_, P>,
    graph: &Graph,
    new: EventId,
    before: [EventId; 2],
    rival: EventId,
) -> bool {
    let mut few = [0; 4 * LANES];
    let mut many = Vec::new();
    let row: &mut [Count] = match few.get_mut(..graph.stride) {
        Some(row) => row,
        None => {
            many.resize(graph.stride, 0);
            &mut many
        }
    };
    for id in before.into_iter().filter(|id| !id.is_init()) {
        raise(row, graph.porf(id));
        put_event(row, id);
    }
    let in_past = |id: EventId| Graph::in_row(row, id);
    if in_past(rival) || Mutant::RivalKept.is_active() {
        return true;
    }
    let oldest = graph.event(rival).stamp as usize;
    graph.order[oldest..].iter().rev().any(|&id| {
        if id == new || in_past(id) {
            return false;
        }
        let event = graph.event(id);
        let may_go = match event.kind {
            Kind::Choose => is_first_value(run, event),
            // What is expected of a lock event is asked when the row is there.
            Kind::Read | Kind::Write | Kind::Update => {
                stands_in_place(graph, in_past, event)
                    && (run.tables.is_lock(event.loc)
                        || Mutant::CoherenceLastIgnored.is_active()
                        || is_coherence_last(graph, in_past, [new, id], event))
            }
            _ => true,
        };
        !may_go
    })
}

/// Is a choice the first one of its values?
fn is_first_value<P: Program>(run: &Run<'_, P>, event: &Event) -> bool {
    Mutant::ChoiceIgnored.is_active()
        || matches!(run.step_of(event).request, Request::Choose { low, .. } if low as Value == event.read)
}

/// Is an access not pinned by an earlier revisit, is its source in its part, and did it not fail spuriously?
fn stands_in_place(graph: &Graph, in_past: impl Fn(EventId) -> bool, event: &Event) -> bool {
    event.tag != EventTag::Spurious
        && (!event.pinned || Mutant::PinnedIgnored.is_active())
        && (!event.kind.reads()
            || Mutant::SourceIgnored.is_active()
            || event.rf.is_init()
            || graph.event(event.rf).stamp < event.stamp
            || in_past(event.rf))
}

/// Is an access what the search would have chosen first?
fn is_first_choice<P: Program, K: Consistency>(
    run: &Run<'_, P>,
    graph: &Graph,
    order: &mut K,
    (write, past): (EventId, &[Count]),
    id: EventId,
) -> bool {
    let event = graph.event(id);
    if run.tables.is_lock(event.loc) {
        return !event.kind.reads()
            || Mutant::LockExpectationIgnored.is_active()
            || lock_order::is_expected(graph, write, id);
    }
    if K::COHERENCE {
        let in_past = |id| Graph::in_row(past, id);
        return Mutant::CoherenceLastIgnored.is_active()
            || is_coherence_last(graph, in_past, [write, id], event);
    }
    !event.kind.reads()
        || Mutant::CanonicalIgnored.is_active()
        || order.reads_canonical(&CanonicalReadTest {
            graph,
            write,
            read: id,
            ranks: run.tables.threads.names(),
            label: &|value| run.step_of(event).label(value),
        })
}

/// With a coherence order, a deleted write must be the last write of its location in its part, a deleted read
/// must read from the last one; an update must do both.
///
/// Younger deleted writes of the location were tested before and come after all writes of their own parts,
/// which contain this part: so the writes of the part stand first in the list, and one look at the next write
/// is enough.
fn is_coherence_last(
    graph: &Graph,
    in_past: impl Fn(EventId) -> bool,
    [write, id]: [EventId; 2],
    event: &Event,
) -> bool {
    let writes = &graph.accesses[event.loc as usize].writes;
    let is_last = |at: u32, beside: EventId| {
        let mut after = writes[at as usize..].iter().copied().filter(|&w| w != write && w != beside);
        after.next().is_none_or(|w| graph.event(w).stamp >= event.stamp && !in_past(w))
    };
    (!event.kind.writes() || is_last(event.write_index, id))
        && (!event.kind.reads() || is_last(graph.write_index(event.rf), id))
}
