//! Deadlocks: threads that wait for each other's locks in a cycle (docs/locks.md, "Deadlocks").
//!
//! Such threads never go on, whatever the others do. But that is wrong only if the process does not end, so a
//! cycle is reported at a leaf where no other thread can go on either (`liveness.rs`, where other ways to be stuck are).

use super::{Condition, Finding};
use crate::graph::{Graph, Loc, ThreadStatus};
use crate::id::{EventId, SiteId, ThreadId};
use crate::mutation::Mutant;
use crate::outcome::{Related, ThreadEnd, ViolationKind};
use crate::program::Program;
use crate::run::Run;
use crate::run::resolve::Request;

/// A lock that a thread waits for.
pub(crate) struct Wanted {
    pub lock: Loc,
    /// The site at which it waits.
    pub site: SiteId,
    /// The events by which other threads, or the thread itself, hold it.
    pub holders: Vec<EventId>,
}

/// The lock that a thread waits for, if it does.
pub(crate) fn wanted<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> Option<Wanted> {
    let waits = !matches!(graph.status[thread], ThreadStatus::Absent | ThreadStatus::Done)
        && run.thread_end(graph, thread) == ThreadEnd::Lock;
    if !waits {
        return None;
    }
    let step = run.step(graph, thread);
    if let Request::Lock { mode, .. } = step.request {
        let held = (0..graph.threads.len()).filter_map(|holder| graph.held(holder, step.loc));
        let holders = held.filter(|&id| graph.event(id).lock_mode().excludes(mode)).collect();
        return Some(Wanted { lock: step.loc, site: step.site, holders });
    }
    // Where sections are ordered, a thread that waits has made an event for that, which reads from the event
    // that took the lock.
    let last = graph.threads[thread].events.last()?;
    // If that lock was released since, the thread only missed it: another exploration shows it taking the lock.
    let is_held = !last.rf.is_init() && graph.unlock_of(last.rf).is_none();
    let holders = if is_held { vec![last.rf] } else { Vec::new() };
    Some(Wanted { lock: last.loc, site: run.step_of(last).site, holders })
}

/// Threads that wait for each other in a cycle through this one, each with the event by which the next one
/// holds the lock it waits for.
fn cycle<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> Option<Vec<(usize, EventId)>> {
    fn follow<P: Program>(
        run: &Run<'_, P>,
        graph: &Graph,
        start: usize,
        at: usize,
        path: &mut Vec<(usize, EventId)>,
    ) -> bool {
        let Some(wanted) = wanted(run, graph, at) else { return false };
        for holder in wanted.holders.into_iter().filter(|holder| !holder.is_init()) {
            if path.iter().any(|&(t, _)| t == at) {
                continue;
            }
            path.push((at, holder));
            if holder.thread() == start || follow(run, graph, start, holder.thread(), path) {
                return true;
            }
            path.pop();
        }
        false
    }
    let mut path = Vec::new();
    let found = !Mutant::CycleIgnored.is_active() && follow(run, graph, thread, thread, &mut path);
    found.then_some(path)
}

/// The deadlock of a cycle of waiting threads through this one, if there is one.
pub(crate) fn through<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> Option<Finding> {
    let mut cycle = cycle(run, graph, thread)?;
    // The same cycle is reported in the same way wherever it was entered.
    let first = cycle.iter().enumerate().min_by_key(|(_, (t, _))| *t).map_or(0, |(at, _)| at);
    cycle.rotate_left(first);
    let mut related = Vec::new();
    for &(t, holder) in &cycle {
        let site = wanted(run, graph, t)?.site;
        related.push(Related { role: "waits for a lock", thread: ThreadId(t as u32), site, event: None });
        related.push(run.related(graph, "holds the lock", holder));
    }
    let Related { thread, site, .. } = related.remove(0);
    let message = if cycle.len() == 1 { "the thread waits for a lock it holds itself" } else { "" };
    let mut finding = Finding::new(ViolationKind::Deadlock, message, thread.0 as usize, site);
    finding.violation.related = related;
    finding.condition = Condition::Always;
    finding.tips = cycle.iter().map(|&(t, _)| graph.tip(t)).collect();
    Some(finding)
}

/// The first cycle of threads that wait for each other.
pub(crate) fn first<P: Program>(run: &Run<'_, P>, graph: &Graph) -> Option<Finding> {
    (0..graph.threads.len()).find_map(|t| through(run, graph, t))
}
