//! Threads that wait in a loop, without exploring how often they go round: what can only leave them waiting
//! is not followed (docs/waits.md, "What is left out").
//!
//! Let the last event of a waiting thread be a read of some write, and let a write *later* in the graph be
//! coherence-after that one. A revisit that deletes the read, or gives it another source, demands that it
//! reads the canonical write of a part of the graph, and the canonical choice prefers later writes. So if
//! *later* belongs to every such part, the thread stays where it is in all that follows: no execution comes
//! to its end, and since what the thread reads is overwritten, it does not wait for ever under a fair memory
//! either. *later* belongs to every part
//!
//! - if it is older than the read, or in the past of the source of the read;
//! - if every thread that can go on has it in its past: then every further write has it, too. A revisit by
//!   such a write may let other threads go on, but it keeps the waiting read and pins a write that is younger
//!   than the read, which protects the read from revisits by those threads.

use crate::consistency::Consistency;
use crate::graph::{Event, Graph, Kind, ThreadStatus};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::Program;
use crate::program::action::{Part, Waiting};
use crate::run::Run;
use crate::run::resolve::Request;

/// The last reads of the threads that wait in a loop, or for a signal.
fn waiters<P: Program>(run: &Run<'_, P>, graph: &Graph) -> impl Iterator<Item = EventId> {
    graph.threads.iter().enumerate().filter_map(move |(t, log)| {
        if graph.status[t] != ThreadStatus::Stuck {
            return None;
        }
        let last = log.events.last().filter(|last| last.kind == Kind::Read)?;
        let request = &run.step(graph, t).request;
        // A thread that waits for a lock is stuck at the event itself, and its state is the one before it.
        let waits = matches!(request, Request::Wait(Waiting::Spin { events: 1.. } | Waiting::Signal));
        let spins = waits && last.state != log.state;
        spins.then(|| EventId::new(t as u32, log.events.len() as u32 - 1))
    })
}

/// Does some thread go on waiting in all that can follow?
pub(super) fn is_hopeless<P: Program, K: Consistency>(run: &Run<'_, P>, graph: &Graph, order: &K) -> bool {
    waiters(run, graph).any(|read| {
        let event = graph.event(read);
        let source = event.rf;
        graph.accesses[event.loc as usize].writes.iter().any(|&later| {
            let there = Mutant::WaiterGivenUp.is_active()
                || graph.event(later).stamp < event.stamp
                || !source.is_init() && Graph::in_row(graph.porf(source), later)
                || (0..graph.status.len()).all(|t| !run.enabled(graph, t) || has_seen(graph, t, later));
            there && later != source && order.is_overwritten(graph, source, later)
        })
    })
}

/// Would the newest event, a read, leave its thread waiting in all that can follow if it read from this source? Then the
/// graph need not be made. False where that is not known beforehand, and where the read itself might be wrong, which only
/// the graph would tell.
pub(super) fn would_be_hopeless<P: Program, K: Consistency>(
    run: &Run<'_, P>,
    graph: &Graph,
    order: &K,
    read: EventId,
    source: EventId,
) -> bool {
    let event = graph.event(read);
    let writes = &graph.accesses[event.loc as usize].writes;
    // All writes are older than the read.
    let overwritten = |&later: &EventId| {
        later != source
            && (Mutant::NewestWaitGivenUp.is_active() || order.is_overwritten(graph, source, later))
    };
    if !matches!(run.step_of(event).request, Request::Read(_)) || !writes.iter().rev().any(overwritten) {
        return false;
    }
    let value = run.value_read(graph, read, source);
    matches!(
        run.known_request_after(graph, event, value),
        Some(Request::Wait(Waiting::Spin { events: 1.. } | Waiting::Signal))
    ) && !run.tables.locks.can_be_seen()
        && is_harmless(run, graph, read, source)
}

/// Is nothing wrong with a read from this source, whatever happens before it: are there only atomic accesses to the whole
/// location, no part of which is allocated, unset or a synchronisation object?
fn is_harmless<P: Program>(run: &Run<'_, P>, graph: &Graph, read: EventId, source: EventId) -> bool {
    let event = graph.event(read);
    let is_whole_and_atomic = |event: &Event| event.order.is_atomic() && event.part == Part::Whole;
    let mut writes = graph.accesses[event.loc as usize].writes.iter();
    is_whole_and_atomic(event)
        && run.tables.memory.locations[event.loc as usize].within.is_none()
        && !run.tables.locks.has_lives()
        && !run.program.hints().has_unset()
        && (!source.is_init() || run.initial(graph, event.loc).is_some())
        && writes.all(|&write| is_whole_and_atomic(graph.event(write)))
}

/// Is a write in the past of the next event of a thread?
fn has_seen(graph: &Graph, thread: usize, write: EventId) -> bool {
    let tip = graph.tip(thread);
    !tip.is_init() && (tip == write || Graph::in_row(graph.porf(tip), write))
}

/// Is this thread about to write a location that a waiting thread has read? Then it comes last: what other
/// threads do until then is explored once.
pub(super) fn ends_wait<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> bool {
    let step = run.step(graph, thread);
    matches!(step.request, Request::Write { .. })
        && waiters(run, graph).any(|read| graph.event(read).loc == step.loc)
}
