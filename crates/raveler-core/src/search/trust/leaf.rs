//! Leaves: complete executions and stuck ones.

use crate::consistency::Consistency;
use crate::execution::Execution;
use crate::graph::{EventTag, ThreadStatus};
use crate::observer::{Flow, Observer};
use crate::outcome::{StopReason, ThreadEnd};
use crate::program::Program;

use super::Explorer;
use super::lock_order;
use crate::search::workers::Shared;

impl<P: Program, K: Consistency, O: Observer<P>> Explorer<'_, P, K, O> {
    /// The top graph as observers see it.
    pub(in crate::search) fn execution(&mut self) -> Execution<'_, P> {
        let level = self.levels.last_mut().expect("a search has a level");
        Execution::new(self.program, &level.graph, &self.states, &self.tables, &mut level.order)
    }

    /// Where a thread of the top graph stands.
    pub(in crate::search) fn end_of(&self, thread: usize) -> ThreadEnd {
        let graph = &self.levels.last().expect("a search has a level").graph;
        crate::execution::thread_end(graph, thread, &self.states)
    }

    /// Nothing can be added: a complete execution, a stuck one, or one that failed.
    pub(in crate::search) fn leaf(&mut self) {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let mut stuck = false;
        let mut failed = false;
        let mut assumed = false;
        let mut dropped = false;
        let mut cut = false;
        for (t, status) in graph.status.iter().enumerate() {
            if matches!(status, ThreadStatus::Absent | ThreadStatus::Done) {
                continue;
            }
            match self.end_of(t) {
                ThreadEnd::Done => {}
                ThreadEnd::Running => failed = true,
                ThreadEnd::Assume => {
                    assumed = true;
                    stuck = true;
                }
                ThreadEnd::Dropped => dropped = true,
                ThreadEnd::Cut => cut = true,
                ThreadEnd::Lock | ThreadEnd::Join | ThreadEnd::Condition | ThreadEnd::Spin => stuck = true,
            }
        }
        if failed {
            self.counts.failed += 1;
            return;
        }
        if dropped {
            self.counts.dropped += 1;
            return;
        }
        if cut {
            self.counts.cut += 1;
            return;
        }
        let mut asked =
            graph.threads.iter().zip(&graph.status).filter(|(_, status)| **status != ThreadStatus::Absent);
        let spared = asked.any(|(log, _)| self.program.spared(&self.states[log.state as usize].cursor));
        if stuck && self.has_spurious_waiter() {
            self.counts.spurious += 1;
            return;
        }
        if stuck {
            self.check_stuck(assumed);
            if spared {
                self.counts.spared += 1;
                return;
            }
            self.counts.blocked += 1;
            let level = self.levels.last_mut().expect("a search has a level");
            let execution =
                Execution::new(self.program, &level.graph, &self.states, &self.tables, &mut level.order);
            if self.observer.blocked(&execution) == Flow::Stop {
                self.stop(StopReason::Observer);
            }
            return;
        }
        if spared {
            self.counts.spared += 1;
            return;
        }
        let events = graph.len() as u64;
        if let Some(max) = self.settings.max_executions {
            // One more than allowed shows that there is more to see; the last one allowed does not.
            let before = self.shared.map_or(self.counts.executions, Shared::count_execution);
            if before >= max {
                return self.stop(StopReason::MaxExecutions);
            }
        }
        self.counts.executions += 1;
        self.counts.events += events;
        self.counts.max_events = self.counts.max_events.max(events);
        let level = self.levels.last_mut().expect("a search has a level");
        let execution =
            Execution::new(self.program, &level.graph, &self.states, &self.tables, &mut level.order);
        if self.observer.execution(&execution) == Flow::Stop {
            self.stop(StopReason::Observer);
        }
    }

    /// Does some thread wait for a lock that was released? MicroStep it only missed that it was.
    pub(in crate::search) fn has_spurious_waiter(&self) -> bool {
        let graph = &self.levels.last().expect("a search has a level").graph;
        graph.threads.iter().zip(&graph.status).any(|(log, &status)| {
            status == ThreadStatus::Stuck
                && log.events.last().is_some_and(|last| {
                    last.tag == EventTag::Waits
                        && (last.rf.is_init() || lock_order::unlock_of(graph, last.rf).is_some())
                })
        })
    }
}
