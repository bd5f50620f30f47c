//! Requests that are wrong in themselves: releasing a lock that is not held, joining a thread that was never
//! spawned.
//!
//! They are found when the thread is asked, before there is an event.

use crate::graph::{EventTag, Graph, Kind, Loc, NONE};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::outcome::ViolationKind;
use crate::program::Program;
use crate::run::Run;
use crate::run::resolve::{Failure, Request};

/// Is a thread's request wrong?
pub(super) fn request<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> Option<Failure> {
    let step = run.step(graph, thread);
    match step.request {
        Request::Unlock | Request::Write { tag: EventTag::Unlock, .. }
            if holder(run, graph, thread, step.loc).is_none() && !Mutant::UnlockUnchecked.is_active() =>
        {
            Some(unlock_not_held(run, graph, step.loc))
        }
        Request::Join { name } if run.tables.threads.known(name).is_none() => Some(Failure {
            kind: ViolationKind::Other,
            message: "join of a thread that was never spawned".into(),
            related: Vec::new(),
        }),
        _ => None,
    }
}

/// The failure of a thread that releases a lock which it does not hold; it names the holder, if another
/// thread holds the lock.
fn unlock_not_held<P: Program>(run: &Run<'_, P>, graph: &Graph, loc: Loc) -> Failure {
    let holder = (0..graph.threads.len()).find_map(|other| holder(run, graph, other, loc));
    Failure {
        kind: ViolationKind::UnlockNotHeld,
        message: holder.map_or("", |_| "another thread holds it").into(),
        related: holder.map(|holder| run.related(graph, "holds the lock", holder)).into_iter().collect(),
    }
}

/// The event by which a thread took this lock, if it still holds it, however the lock is treated.
pub(super) fn holder<P: Program>(
    run: &Run<'_, P>,
    graph: &Graph,
    thread: usize,
    loc: Loc,
) -> Option<EventId> {
    let address = run.tables.memory.locations[loc as usize].address;
    match run.tables.locks.leaves_unordered(address) {
        true => graph.held(thread, loc),
        false => holder_of_word(graph, thread, loc),
    }
}

/// The same for a lock that is a word in memory.
fn holder_of_word(graph: &Graph, thread: usize, loc: Loc) -> Option<EventId> {
    let accesses = graph.accesses.get(loc as usize)?;
    let mut i = accesses.last.get(thread).copied().unwrap_or(0).wrapping_sub(1);
    while i != NONE {
        let event = &graph.threads[thread].events[i as usize];
        if event.kind.writes() {
            return (event.kind == Kind::Update).then(|| EventId::new(thread as u32, i));
        }
        i = event.prev;
    }
    None
}
