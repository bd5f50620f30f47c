//! Threads that wait for a lock for ever, and leaves that can be reached.

use super::Search;
use crate::consistency::with_sections::WithSections;
use crate::graph::{Loc, ThreadStatus};
use crate::observer::Observer;
use crate::program::Program;
use crate::program::action::LockMode;
use crate::run::resolve::Request;

impl<P: Program, K: WithSections, O: Observer<P>> Search<'_, P, K, O> {
    /// The lock at which a thread waits for ever.
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

    /// Does a thread hold the lock that it requests?
    pub(super) fn waits_for_itself(&self, thread: usize) -> bool {
        let step = self.run.step(&self.graph, thread);
        let Request::Lock { mode, .. } = step.request else { return false };
        self.order.holders(step.loc, mode).any(|s| s.span.lock.thread() == thread)
    }

    /// Can the program really stand here, with no thread able to go on?
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
