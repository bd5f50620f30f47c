//! Waiting in a loop, without exploring how often: what can only lead to threads that wait for ever is left out.
//!
//! Let a thread wait, its last event a read that sees a write, and let a later write of the location stand in the graph.
//! A revisit that deletes this read, or gives it another source, demands that it sees the canonical write of a part of
//! the graph; the canonical choice prefers later writes. So if the later write belongs to every such part, the thread
//! stays where it is in all that follows: no execution comes to its end, and since what it sees is overwritten, it
//! does not wait for ever under a fair memory either. The later write belongs to every part
//! - if it is older than the read, or in the past of the write that the read sees;
//! - if every thread that can go on has it in its past: then every further write has, too. A revisit by such a write that
//!   frees others keeps the read and pins a younger one, which protects it from those.

use crate::consistency::Consistency;
use crate::graph::{Graph, Kind, ThreadStatus};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::Program;
use crate::program::action::Waiting;
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
        // A thread that waits at a lock is stuck at that event.
        let waits = matches!(request, Request::Wait(Waiting::Spin { .. } | Waiting::Signal));
        let spins = waits && last.state != log.state;
        spins.then(|| EventId::new(t as u32, log.events.len() as u32 - 1))
    })
}

/// Does some thread wait in a loop in all that can follow?
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

fn has_seen(graph: &Graph, thread: usize, write: EventId) -> bool {
    let tip = graph.tip(thread);
    !tip.is_init() && (tip == write || Graph::in_row(graph.porf(tip), write))
}

/// Is this thread about to write what another one waits for? Better later: what others do until then is done once.
pub(super) fn ends_wait<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> bool {
    let step = run.step(graph, thread);
    matches!(step.request, Request::Write { .. })
        && waiters(run, graph).any(|read| graph.event(read).loc == step.loc)
}
