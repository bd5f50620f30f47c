//! Rows of happens-before, event by event: of RC11 and RC20, and of RA where critical sections add to it.
//!
//! hb = (po ∪ sw ∪ spawn ∪ join)⁺; sw = [rel]; ([F]; po)?; rs; rf; [R_atomic]; (po; [F])?; [acq]. Each write
//! carries a *message*: all that happens before the releases whose release sequences it belongs to. An
//! acquire read takes the message of its source; an acquire fence takes those of the sources of all atomic
//! reads before it in the thread. Under RA every read takes its source and all that happens before it
//! (docs/engine.md, "Happens-before models").

use crate::graph::clocks::ReleaseSequences;
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

fn compute_row(graph: &mut Graph, id: EventId) {
    let stride = graph.stride;
    let (t, i) = (id.thread(), id.index() as usize);
    if i > 0 {
        let hb = &mut graph.threads[t].hb;
        hb.copy_within((i - 1) * stride..i * stride, i * stride);
        hb[i * stride + t] = i as u32;
    } else {
        graph.threads[t].hb[..stride].fill(0);
        let parent = graph.threads[t].parent;
        if !parent.is_init() && !Mutant::SpawnUnordered.is_active() {
            take_event(graph, id, parent);
        }
    }
    let event = *graph.event(id);
    match event.kind {
        Kind::Join if !event.rf.is_init() && !is_unordered(&event).is_active() => {
            take_event(graph, id, event.rf)
        }
        Kind::Read | Kind::Update if graph.clocks.all_synchronises && !event.rf.is_init() => {
            take_event(graph, id, event.rf);
        }
        Kind::Read | Kind::Update if event.order.acquires() && !event.rf.is_init() => {
            take_message(graph, id, event.rf);
        }
        Kind::Fence if event.order.acquires() && !Mutant::AcquireFenceUnheard.is_active() => {
            for j in (0..i).rev() {
                let earlier = graph.threads[t].events[j];
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
    let stride = graph.stride;
    let (t, i) = (id.thread(), id.index() as usize);
    let event = *graph.event(id);
    let parent = graph.threads[t].parent;
    let past = &mut graph.threads[t].past;
    if i > 0 {
        past.copy_within((i - 1) * stride..i * stride, i * stride);
        past[i * stride + t] = i as u32;
    } else {
        past[..stride].fill(0);
    }
    let source = if event.kind.reads() || event.kind == Kind::Join { event.rf } else { EventId::INIT };
    let parent = if i > 0 { EventId::INIT } else { parent };
    for from in [parent, source] {
        // The row has the events of its own thread already.
        if from.is_init() || from.thread() == t {
            continue;
        }
        let [to, of] = graph.threads.get_disjoint_mut([t, from.thread()]).expect("two threads of the graph");
        let past = &mut to.past[i * stride..(i + 1) * stride];
        let of_source = from.index() as usize * stride;
        raise(past, &of.past[of_source..of_source + stride]);
        past[from.thread()] = past[from.thread()].max(from.index() + 1);
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
    let stride = graph.stride;
    let (t, i) = (id.thread(), id.index() as usize);
    let event = *graph.event(id);
    let at = i * stride;
    graph.threads[t].message[at..at + stride].fill(0);
    if event.order == Order::Plain || graph.clocks.all_synchronises {
        return;
    }
    if event.order.releases() {
        send_own(graph, id, i);
    } else {
        if event.released > 0 && !Mutant::ReleaseFenceUnsent.is_active() {
            send_own(graph, id, event.released as usize - 1);
        }
        if graph.clocks.release_sequences == ReleaseSequences::SameThread
            && !Mutant::SameThreadCut.is_active()
            && let Some(head) = releasing_write_before(graph, id)
        {
            send_own(graph, id, head);
            if Mutant::SameThreadWhole.is_active() {
                let head = graph.message(EventId::new(t as u32, head as u32)).to_vec();
                raise(&mut graph.threads[t].message[at..at + stride], &head);
            }
        }
    }
    if event.kind == Kind::Update && !event.rf.is_init() && !Mutant::UpdateChainCut.is_active() {
        let from = event.rf.index() as usize * stride;
        if event.rf.thread() == t {
            let (earlier, own) = graph.threads[t].message.split_at_mut(at);
            raise(&mut own[..stride], &earlier[from..from + stride]);
        } else {
            let [to, of] =
                graph.threads.get_disjoint_mut([t, event.rf.thread()]).expect("two threads of the graph");
            raise(&mut to.message[at..at + stride], &of.message[from..from + stride]);
        }
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
    let stride = graph.stride;
    let thread = &mut graph.threads[id.thread()];
    let row = &thread.hb[from * stride..(from + 1) * stride];
    let at = id.index() as usize * stride;
    let message = &mut thread.message[at..at + stride];
    raise(message, row);
    message[id.thread()] = message[id.thread()].max(from as u32 + 1);
}

/// `from`, and all that happens before it, happens before `id`.
fn take_event(graph: &mut Graph, id: EventId, from: EventId) {
    let stride = graph.stride;
    let (at, of) = (id.index() as usize * stride, from.index() as usize * stride);
    let (t, s) = (id.thread(), from.thread());
    if t == s {
        // The row has the events of its own thread, and all that happens before them.
        return;
    }
    let [to, from_thread] = graph.threads.get_disjoint_mut([t, s]).expect("two threads of the graph");
    let hb = &mut to.hb[at..at + stride];
    raise(hb, &from_thread.hb[of..of + stride]);
    hb[s] = hb[s].max(from.index() + 1);
}

/// The end of a section, and all that happens before it, happens before the lock event that follows it.
pub(crate) fn follow(graph: &mut Graph, lock: EventId, unlock: EventId) {
    if graph.clocks.hb {
        take_event(graph, lock, unlock);
    }
}

/// What the message of the write `from` holds happens before `id`.
fn take_message(graph: &mut Graph, id: EventId, from: EventId) {
    let stride = graph.stride;
    let at = id.index() as usize * stride;
    if id.thread() == from.thread() {
        return take_own_message(graph, id, from);
    }
    let [to, of] =
        graph.threads.get_disjoint_mut([id.thread(), from.thread()]).expect("two threads of the graph");
    let source = from.index() as usize * stride;
    raise(&mut to.hb[at..at + stride], &of.message[source..source + stride]);
}

/// The same for a thread that reads its own write. That matters: if the write is an update, its message may
/// hold what other threads released.
fn take_own_message(graph: &mut Graph, id: EventId, from: EventId) {
    let row = graph.message(from).to_vec();
    let stride = graph.stride;
    let at = id.index() as usize * stride;
    raise(&mut graph.threads[id.thread()].hb[at..at + stride], &row);
}

fn raise(row: &mut [u32], by: &[u32]) {
    for (x, y) in row.iter_mut().zip(by) {
        *x = (*x).max(*y);
    }
}
