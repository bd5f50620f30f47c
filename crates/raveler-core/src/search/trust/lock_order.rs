//! Locks in the order of their acquisition, without exploring what a lock makes impossible (engine.md §8.1).
//!
//! For a location that only lock and unlock touch. In every consistent part of a graph there is one write that says
//! the lock is free, or else one holder. So a thread that wants the lock takes it where it is free, or waits for the
//! holder; a lock taken elsewhere only turns the one who took it into a waiter, and an unlock lets its first waiter go.

use crate::consistency::Consistency;
use crate::graph::{Event, EventTag, Graph, Kind, Loc, NONE, ThreadStatus};
use crate::id::EventId;
use crate::observer::Observer;
use crate::program::Program;

use super::Explorer;
use crate::run::resolve::Request;

/// Does an update of the part that `has` describes read from this write?
fn taken(graph: &Graph, loc: Loc, write: EventId, has: &impl Fn(EventId, &Event) -> bool) -> bool {
    graph.accesses[loc as usize].writes.iter().any(|&u| {
        let event = graph.event(u);
        event.kind == Kind::Update && event.rf == write && has(u, event)
    })
}

/// What somebody who wants the lock sees in a part of the graph: the write that frees it, or the holder.
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
                && unlock_of(graph, w).is_none_or(|unlock| !has(unlock, graph.event(unlock)))
        })
        .expect("a lock that is not free has a holder")
}

/// The write that releases a lock taken here, if it is in the graph.
pub(in crate::search) fn unlock_of(graph: &Graph, holder: EventId) -> Option<EventId> {
    let loc = graph.event(holder).loc;
    let t = holder.thread();
    let mut i = graph.accesses[loc as usize].last[t].wrapping_sub(1);
    let mut unlock = None;
    while i != NONE && i > holder.index() {
        if graph.threads[t].events[i as usize].kind == Kind::Write {
            unlock = Some(EventId::new(t as u32, i));
        }
        i = graph.threads[t].events[i as usize].prev;
    }
    unlock
}

/// The event by which the thread that unlocks here took the lock.
fn lock_of(graph: &Graph, unlock: EventId) -> Option<EventId> {
    own_lock(graph, unlock.thread(), graph.event(unlock).prev)
}

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

/// The oldest event that waits for this holder.
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

/// The one event that a lock operation may revisit.
pub(in crate::search) fn target(graph: &Graph, write: EventId) -> Option<EventId> {
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
pub(in crate::search) fn is_expected(graph: &Graph, write: EventId, id: EventId) -> bool {
    let event = graph.event(id);
    let past = graph.porf(write);
    let seen = sees(graph, event.loc, |other, e| {
        other != write && other != id && (e.stamp < event.stamp || Graph::in_row(past, other))
    });
    seen == event.rf
}

impl<P: Program, K: Consistency, O: Observer<P>> Explorer<'_, P, K, O> {
    /// Of a new lock event's candidates keep those that say the lock is free; if it is not, add the holder.
    pub(in crate::search) fn keep_lock_candidates(&mut self, id: EventId, from: usize) {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let loc = graph.event(id).loc;
        let seen = sees(graph, loc, |_, _| true);
        let mut kept = from;
        for at in from..self.candidates.len() {
            let candidate = self.candidates[at];
            let frees = candidate.is_init() || graph.event(candidate).kind == Kind::Write;
            if frees || candidate == seen {
                self.candidates[kept] = candidate;
                kept += 1;
            }
        }
        self.candidates.truncate(kept);
    }

    /// Is this thread about to release a lock that others wait for?
    pub(in crate::search) fn frees_waiter(&self, thread: usize) -> bool {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let step = &self.states[graph.threads[thread].state as usize].step;
        if !matches!(step.request, Request::Write { tag: EventTag::Unlock, .. })
            || !self.tables.is_lock(step.loc)
        {
            return false;
        }
        let last = graph.accesses[step.loc as usize].last[thread].wrapping_sub(1);
        own_lock(graph, thread, last).is_some_and(|lock| first_waiter(graph, lock).is_some())
    }

    /// An unlock was added: if it has a waiter and nobody else can go on, the graph in which the waiter still waits
    /// leads nowhere.
    pub(in crate::search) fn only_waiters_left(&self, unlock: EventId) -> bool {
        let graph = &self.levels.last().expect("a search has a level").graph;
        target(graph, unlock).is_some()
            && (0..graph.status.len()).all(|t| {
                t == unlock.thread() || matches!(graph.status[t], ThreadStatus::Absent) || !self.enabled(t)
            })
    }
}
