//! Threads that wait for a lock for ever, and leaves that a run can reach.
//!
//! Such a thread has no event for that: its status is stuck, and its request is the lock.

use super::Search;
use crate::consistency::with_sections::WithSections;
use crate::graph::{Loc, ThreadStatus};
use crate::program::Program;
use crate::program::action::LockMode;
use crate::run::resolve::Request;

impl<P: Program, K: WithSections> Search<'_, P, K> {
    /// The lock for which a thread waits for ever, and the mode.
    pub(super) fn waits_at(&self, thread: usize) -> Option<(Loc, LockMode)> {
        if self.graph.status[thread] != ThreadStatus::Stuck || self.is_failed(thread) {
            return None;
        }
        let step = self.run.step(&self.graph, thread);
        match step.request {
            Request::Lock { mode, .. } => Some((step.loc, mode)),
            _ => None,
        }
    }

    /// Does a thread hold the lock that it requests, in a mode that excludes the request?
    pub(super) fn waits_for_itself(&self, thread: usize) -> bool {
        let step = self.run.step(&self.graph, thread);
        let Request::Lock { mode, .. } = step.request else { return false };
        self.order.holders(step.loc, mode).any(|s| s.span.lock.thread() == thread)
    }

    /// Can a run end here: is each lock held for which a thread waits for ever, and is each open section the
    /// last of its lock?
    pub(super) fn is_leaf_real(&mut self) -> bool {
        for thread in 0..self.graph.threads.len() {
            if let Some((lock, mode)) = self.waits_at(thread)
                && self.order.holders(lock, mode).next().is_none()
            {
                return false;
            }
        }
        !self.order.has_open() || self.order.is_real(&mut self.graph)
    }
}
