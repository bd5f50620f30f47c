//! Rows of happens-before, event by event: of RC11 and RC20, and of RA where critical sections add to it.
//!
//! hb = (po ∪ sw ∪ spawn ∪ join)⁺; sw = [rel]; ([F]; po)?; rs; rf; [R_atomic]; (po; [F])?; [acq]. Each write
//! carries a *message*: all that happens before the releases whose release sequences it belongs to. An
//! acquire read takes the message of its source; an acquire fence takes those of the sources of all atomic
//! reads before it in the thread. Under RA every read takes its source and all that happens before it
//! (docs/engine.md, "Happens-before models").

use crate::graph::clocks::{ReleaseSequences, Row, put_event};
use crate::graph::{ClockRules, Event, Graph, Kind, NONE};
use crate::id::EventId;
use crate::models::{ConsistencyKind, Model, Synchronisation};
use crate::mutation::Mutant;
use crate::program::action::Order;

/// Which rows the graphs of a model keep, with critical sections that are left unordered or without.
pub(crate) fn clock_rules(model: Model, with_sections: bool) -> ClockRules {
    match model.definition().consistency {
        ConsistencyKind::GlobalOrder(_) => ClockRules::default(),
        // Happens-before is the past, except for what critical sections add.
        ConsistencyKind::HappensBefore(Synchronisation::Always) => {
            ClockRules { hb: with_sections, all_synchronises: true, ..ClockRules::default() }
        }
        ConsistencyKind::HappensBefore(Synchronisation::C11(release_sequences, _)) => ClockRules {
            hb: true,
            past: with_sections && !Mutant::PastIgnored.is_active(),
            release_sequences,
            ..ClockRules::default()
        },
        ConsistencyKind::BuiltOn(model) => clock_rules(model, with_sections),
    }
}

/// Compute the happens-before row of an event from the rows of the events directly before it. Nothing to do
/// where the graph keeps no such rows.
#[inline]
pub(crate) fn compute(graph: &mut Graph, id: EventId) {
    if graph.clocks.hb {
        compute_row(graph, id);
    }
}

/// The same for an event of which [`Graph::push`] or [`Graph::renew_rows`] made the rows, as far as they do not depend on what it
/// reads.
#[inline]
pub(crate) fn compute_rest(graph: &mut Graph, id: EventId) {
    if graph.clocks.hb {
        take_sources(graph, id);
    }
}

fn compute_row(graph: &mut Graph, id: EventId) {
    graph.begin_row(id, Row::Hb);
    let log = &graph.threads[id.thread()];
    let (parent, event) = (log.parent, &log.events[id.index() as usize]);
    let (kind, source, unordered) = (event.kind, event.rf, is_unordered(event).is_active());
    if id.index() == 0 && !parent.is_init() && !Mutant::SpawnUnordered.is_active() {
        take_event(graph, id, parent);
    }
    if kind == Kind::Join && !source.is_init() && !unordered {
        take_event(graph, id, source);
    }
    take_sources(graph, id);
}

fn take_sources(graph: &mut Graph, id: EventId) {
    let (t, i) = (id.thread(), id.index() as usize);
    let event = &graph.threads[t].events[i];
    let (kind, order, source) = (event.kind, event.order, event.rf);
    match kind {
        Kind::Read | Kind::Update if graph.clocks.all_synchronises && !source.is_init() => {
            take_event(graph, id, source);
        }
        Kind::Read | Kind::Update if order.acquires() && !source.is_init() => {
            take_message(graph, id, source);
        }
        Kind::Fence if order.acquires() && !Mutant::AcquireFenceUnheard.is_active() => {
            for j in (0..i).rev() {
                let earlier = &graph.threads[t].events[j];
                if earlier.kind == Kind::Fence && earlier.order.acquires() {
                    break;
                }
                if earlier.kind.reads() && earlier.order.is_atomic() && !earlier.rf.is_init() {
                    take_message(graph, id, earlier.rf);
                }
            }
        }
        _ => {}
    }
    if graph.clocks.past {
        compute_past(graph, id);
    }
}

/// The mistake that this join, of a thread's end or at a barrier, orders nothing.
fn is_unordered(join: &Event) -> Mutant {
    if join.joins_thread() { Mutant::JoinUnordered } else { Mutant::BarrierUnordered }
}

/// Compute the past of an event with what critical sections add, from the rows of the events directly before
/// it.
pub(crate) fn compute_past(graph: &mut Graph, id: EventId) {
    graph.begin_row(id, Row::Past);
    let event = graph.event(id);
    let source = if event.kind.reads() || event.kind == Kind::Join { event.rf } else { EventId::INIT };
    let parent = if id.index() > 0 { EventId::INIT } else { graph.threads[id.thread()].parent };
    for from in [parent, source] {
        // The row has the events of its own thread already.
        if !from.is_init() && from.thread() != id.thread() {
            graph.raise_row((id, Row::Past), (from, Row::Past));
            put_event(graph.row_mut(id, Row::Past), from);
        }
    }
}

/// Compute the message of a write, after its happens-before row.
#[inline]
pub(crate) fn compute_message(graph: &mut Graph, id: EventId) {
    if graph.clocks.hb {
        compute_message_row(graph, id);
    }
}

fn compute_message_row(graph: &mut Graph, id: EventId) {
    let (t, i) = (id.thread(), id.index() as usize);
    let event = graph.event(id);
    let (kind, order, source, released) = (event.kind, event.order, event.rf, event.released);
    graph.row_mut(id, Row::Message).fill(0);
    if order == Order::Plain || graph.clocks.all_synchronises {
        return;
    }
    if order.releases() {
        send_own(graph, id, i);
    } else {
        if released > 0 && !Mutant::ReleaseFenceUnsent.is_active() {
            send_own(graph, id, released as usize - 1);
        }
        if graph.clocks.release_sequences == ReleaseSequences::SameThread
            && !Mutant::SameThreadCut.is_active()
            && let Some(head) = releasing_write_before(graph, id)
        {
            send_own(graph, id, head);
            if Mutant::SameThreadWhole.is_active() {
                graph.raise_row((id, Row::Message), (EventId::new(t as u32, head as u32), Row::Message));
            }
        }
    }
    if kind == Kind::Update && !source.is_init() && !Mutant::UpdateChainCut.is_active() {
        graph.raise_row((id, Row::Message), (source, Row::Message));
    }
}

/// The index of the last release fence before an event, plus one; 0 if there is none.
pub(crate) fn released_before(events: &[Event]) -> u32 {
    match events.last() {
        Some(last) if last.kind == Kind::Fence && last.order.releases() => events.len() as u32,
        Some(last) => last.released,
        None => 0,
    }
}

/// The last earlier release write of the same thread to the same location.
fn releasing_write_before(graph: &Graph, id: EventId) -> Option<usize> {
    let events = &graph.threads[id.thread()].events;
    let mut i = graph.event(id).prev;
    while i != NONE {
        let event = &events[i as usize];
        if event.kind.writes() && event.order.releases() {
            return Some(i as usize);
        }
        i = event.prev;
    }
    None
}

/// The message holds what happens before event `from` of the same thread, and that event.
fn send_own(graph: &mut Graph, id: EventId, from: usize) {
    let from = EventId::new(id.thread() as u32, from as u32);
    graph.raise_row((id, Row::Message), (from, Row::Hb));
    put_event(graph.row_mut(id, Row::Message), from);
}

/// `from`, and all that happens before it, happens before `id`.
#[inline]
fn take_event(graph: &mut Graph, id: EventId, from: EventId) {
    // The row has the events of its own thread, and all that happens before them.
    if id.thread() != from.thread() {
        graph.raise_row((id, Row::Hb), (from, Row::Hb));
        put_event(graph.row_mut(id, Row::Hb), from);
    }
}

/// The end of a section, and all that happens before it, happens before the lock event that follows it.
pub(crate) fn follow(graph: &mut Graph, lock: EventId, unlock: EventId) {
    if graph.clocks.hb {
        take_event(graph, lock, unlock);
    }
}

/// What the message of the write `from` holds happens before `id`. For a thread that reads its own write that matters, too: if the
/// write is an update, its message may hold what other threads released.
fn take_message(graph: &mut Graph, id: EventId, from: EventId) {
    graph.raise_row((id, Row::Hb), (from, Row::Message));
}
