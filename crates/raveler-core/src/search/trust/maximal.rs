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
use crate::graph::{Event, EventTag, Graph, Kind};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::Program;
use crate::program::action::Value;
use crate::run::Run;
use crate::run::resolve::Request;

/// May a revisit by `write` delete this event, or give it another source? It is not in the past of the write,
/// and it is the revisited read or younger.
pub(super) fn may_be_deleted<P: Program, K: Consistency>(
    run: &Run<'_, P>,
    graph: &Graph,
    order: &mut K,
    write: EventId,
    id: EventId,
) -> bool {
    let event = graph.event(id);
    match event.kind {
        Kind::Choose => {
            Mutant::ChoiceIgnored.is_active()
                || matches!(run.step_of(event).request, Request::Choose { low, .. } if low as Value == event.read)
        }
        Kind::Read | Kind::Write | Kind::Update => {
            stands_in_place(graph, write, event) && is_first_choice(run, graph, order, write, id)
        }
        _ => true,
    }
}

/// Is an access not pinned by an earlier revisit, is its source in its part, and did it not fail spuriously?
fn stands_in_place(graph: &Graph, write: EventId, event: &Event) -> bool {
    event.tag != EventTag::Spurious
        && (!event.pinned || Mutant::PinnedIgnored.is_active())
        && (!event.kind.reads()
            || Mutant::SourceIgnored.is_active()
            || event.rf.is_init()
            || graph.event(event.rf).stamp < event.stamp
            || Graph::in_row(graph.porf(write), event.rf))
}

/// Is an access what the search would have chosen first?
fn is_first_choice<P: Program, K: Consistency>(
    run: &Run<'_, P>,
    graph: &Graph,
    order: &mut K,
    write: EventId,
    id: EventId,
) -> bool {
    let event = graph.event(id);
    if run.tables.is_lock(event.loc) {
        return !event.kind.reads()
            || Mutant::LockExpectationIgnored.is_active()
            || lock_order::is_expected(graph, write, id);
    }
    if K::COHERENCE {
        return Mutant::CoherenceLastIgnored.is_active() || is_coherence_last(graph, write, id, event);
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
fn is_coherence_last(graph: &Graph, write: EventId, id: EventId, event: &Event) -> bool {
    let writes = &graph.accesses[event.loc as usize].writes;
    let is_last = |at: u32, beside: EventId| {
        let mut after = writes[at as usize..].iter().copied().filter(|&w| w != write && w != beside);
        after
            .next()
            .is_none_or(|w| graph.event(w).stamp >= event.stamp && !Graph::in_row(graph.porf(write), w))
    };
    (!event.kind.writes() || is_last(event.write_index, id))
        && (!event.kind.reads() || is_last(graph.write_index(event.rf), id))
}
