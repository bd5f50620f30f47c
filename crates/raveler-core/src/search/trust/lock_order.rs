//! The lock rule: locks in the order of acquisition, without exploring what a lock makes impossible
//! (docs/engine.md, "Locks in order").
//!
//! It applies to a location that only lock and unlock access. In every consistent part of a graph there is at
//! most one write that says the lock is free, or else one holder. So a lock event that is visited reads the
//! free write, or waits for the holder. A lock event whose source was taken by another one revisits only that
//! one, which then waits; an unlock revisits only the first event that waits for it.

use crate::graph::{Event, EventTag, Graph, Kind, Loc, NONE, ThreadStatus};
use crate::id::EventId;
use crate::program::Program;
use crate::run::Run;
use crate::run::resolve::Request;

/// Does an update of the part that `has` describes read from this write?
fn taken(graph: &Graph, loc: Loc, write: EventId, has: &impl Fn(EventId, &Event) -> bool) -> bool {
    graph.accesses[loc as usize].writes.iter().any(|&u| {
        let event = graph.event(u);
        event.kind == Kind::Update && event.rf == write && has(u, event)
    })
}

/// What a lock event sees in a part of the graph: the write that says the lock is free, or the holder.
fn sees(graph: &Graph, loc: Loc, has: impl Fn(EventId, &Event) -> bool) -> EventId {
    if !taken(graph, loc, EventId::INIT, &has) {
        return EventId::INIT;
    }
    let writes = &graph.accesses[loc as usize].writes;
    let part = || writes.iter().copied().filter(|&w| has(w, graph.event(w)));
    if let Some(free) = part().find(|&w| graph.event(w).kind == Kind::Write && !taken(graph, loc, w, &has)) {
        return free;
    }
    part()
        .find(|&w| {
            graph.event(w).kind == Kind::Update
                && graph.unlock_of(w).is_none_or(|unlock| !has(unlock, graph.event(unlock)))
        })
        .expect("a lock that is not free has a holder")
}

/// The event by which the thread that unlocks here took the lock.
fn lock_of(graph: &Graph, unlock: EventId) -> Option<EventId> {
    own_lock(graph, unlock.thread(), graph.event(unlock).prev)
}

/// A thread's last lock event, from the access with this index back.
fn own_lock(graph: &Graph, thread: usize, from: u32) -> Option<EventId> {
    let mut i = from;
    while i != NONE {
        let event = &graph.threads[thread].events[i as usize];
        if event.kind == Kind::Update {
            return Some(EventId::new(thread as u32, i));
        }
        i = event.prev;
    }
    None
}

/// The oldest event that waits for this lock event to be released.
fn first_waiter(graph: &Graph, holder: EventId) -> Option<EventId> {
    let mut first = None;
    graph.each_access(graph.event(holder).loc, |id, event| {
        if event.tag == EventTag::Waits
            && event.rf == holder
            && first.is_none_or(|f: EventId| graph.event(f).stamp > event.stamp)
        {
            first = Some(id);
        }
    });
    first
}

/// The one event that a lock operation may revisit: of a lock event the one that took its source, of an
/// unlock the first that waits.
pub(super) fn target(graph: &Graph, write: EventId) -> Option<EventId> {
    let event = graph.event(write);
    if event.kind == Kind::Update {
        return graph.accesses[event.loc as usize]
            .writes
            .iter()
            .copied()
            .find(|&u| u != write && graph.event(u).kind == Kind::Update && graph.event(u).rf == event.rf);
    }
    first_waiter(graph, lock_of(graph, write)?)
}

/// The test of a deleted lock event: it must see what it would have seen in the part that is older than it, together
/// with the past of `write`.
pub(super) fn is_expected(graph: &Graph, write: EventId, id: EventId) -> bool {
    let event = graph.event(id);
    let past = graph.porf(write);
    let seen = sees(graph, event.loc, |other, e| {
        other != write && other != id && (e.stamp < event.stamp || Graph::in_row(past, other))
    });
    seen == event.rf
}

/// Of a new lock event's candidates, from index `from` on, keep the writes that free the lock, and the holder
/// if the lock is not free.
pub(super) fn keep_candidates(graph: &Graph, id: EventId, candidates: &mut Vec<EventId>, from: usize) {
    let loc = graph.event(id).loc;
    let seen = sees(graph, loc, |_, _| true);
    let mut kept = from;
    for at in from..candidates.len() {
        let candidate = candidates[at];
        let frees = candidate.is_init() || graph.event(candidate).kind == Kind::Write;
        if frees || candidate == seen {
            candidates[kept] = candidate;
            kept += 1;
        }
    }
    candidates.truncate(kept);
}

/// Is this thread about to release a lock that another thread waits for?
pub(super) fn frees_waiter<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> bool {
    let step = run.step(graph, thread);
    if !matches!(step.request, Request::Write { tag: EventTag::Unlock, .. }) || !run.tables.is_lock(step.loc)
    {
        return false;
    }
    let last = graph.accesses[step.loc as usize].last.get(thread).copied().unwrap_or(0).wrapping_sub(1);
    own_lock(graph, thread, last).is_some_and(|lock| first_waiter(graph, lock).is_some())
}

/// An unlock was added: does a thread wait for it, and can no other thread go on? Then the graph in which
/// that thread still waits leads nowhere.
pub(super) fn only_waiters_left<P: Program>(run: &Run<'_, P>, graph: &Graph, unlock: EventId) -> bool {
    target(graph, unlock).is_some()
        && (0..graph.status.len()).all(|t| {
            t == unlock.thread() || graph.status[t] == ThreadStatus::Absent || !run.enabled(graph, t)
        })
}
