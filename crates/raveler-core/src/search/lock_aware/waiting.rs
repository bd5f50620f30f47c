//! Threads that wait for a lock for ever: which leaves are real, and who waits for whom in a circle.

use super::Aware;
use super::realizable::{Need, Suspect};
use crate::consistency::with_sections::WithSections;
use crate::graph::ThreadStatus;
use crate::id::{EventId, ThreadId};
use crate::observer::Observer;
use crate::outcome::{Related, Violation, ViolationKind, Witness};
use crate::program::Program;
use crate::program::action::LockMode;
use crate::run::resolve::Request;

impl<P: Program, K: WithSections, O: Observer<P>> Aware<'_, P, K, O> {
    /// The lock at which a thread waits for ever.
    pub(super) fn waits_at(&self, thread: usize) -> Option<(crate::graph::Loc, LockMode)> {
        let graph = self.graph();
        if graph.status[thread] != ThreadStatus::Stuck || self.is_failed(thread) {
            return None;
        }
        let step = &self.base.states[graph.threads[thread].state as usize].step;
        match step.request {
            Request::Lock { mode, .. } => Some((step.loc, mode)),
            _ => None,
        }
    }

    /// Does a thread hold the lock that it requests?
    pub(super) fn waits_for_itself(&self, thread: usize) -> bool {
        let step = &self.base.states[self.graph().threads[thread].state as usize].step;
        let Request::Lock { mode, .. } = step.request else { return false };
        self.order().holders(step.loc, mode).any(|s| s.span.lock.thread() == thread)
    }

    /// Can the program really stand here, with nobody able to go on?
    pub(super) fn is_leaf_real(&mut self) -> bool {
        for thread in 0..self.graph().threads.len() {
            if let Some((lock, mode)) = self.waits_at(thread)
                && self.order().holders(lock, mode).next().is_none()
            {
                return false;
            }
        }
        if !self.order().has_open() {
            return true;
        }
        let (graph, order) = self.parts();
        order.is_real(graph)
    }

    /// Threads that wait for each other in a circle through this one, with the events by which each holds the next
    /// one's lock.
    fn cycle(&self, thread: usize) -> Option<Vec<(usize, EventId)>> {
        let mut path: Vec<(usize, EventId)> = Vec::new();
        self.follow(thread, thread, &mut path).then_some(path)
    }

    fn follow(&self, start: usize, at: usize, path: &mut Vec<(usize, EventId)>) -> bool {
        let Some((lock, mode)) = self.waits_at(at) else { return false };
        for section in self.order().holders(lock, mode) {
            let holder = section.span.lock.thread();
            if path.iter().any(|&(t, _)| t == at) {
                continue;
            }
            path.push((at, section.span.lock));
            if holder == start || self.follow(start, holder, path) {
                return true;
            }
            path.pop();
        }
        false
    }

    /// A thread waits for ever: if that closes a circle, these threads never go on, whatever the others do.
    pub(super) fn check_cycle(&mut self, thread: usize) {
        let Some(mut cycle) = self.cycle(thread) else { return };
        let first = cycle.iter().enumerate().min_by_key(|(_, (t, _))| *t).map_or(0, |(at, _)| at);
        cycle.rotate_left(first);
        let graph = self.graph();
        let mut related = Vec::new();
        for &(t, holder) in &cycle {
            let site = self.base.states[graph.threads[t].state as usize].step.site;
            related.push(Related { role: "waits for a lock", thread: ThreadId(t as u32), site });
            let thread = ThreadId(holder.thread() as u32);
            related.push(Related { role: "holds the lock", thread, site: self.base.site(holder) });
        }
        let Related { thread, site, .. } = related.remove(0);
        let message = match cycle[..] {
            [(_, _)] => "the thread waits for a lock it holds itself".to_string(),
            _ => String::new(),
        };
        let violation = Violation {
            kind: ViolationKind::Deadlock,
            message,
            thread,
            site,
            related,
            witness: Witness::default(),
        };
        let tips = cycle.iter().map(|&(t, _)| graph.tip(t)).collect();
        self.suspect(Suspect { violation, tips, need: Need::Nothing });
    }

    /// Do some threads wait for each other in a circle? That was reported when it closed.
    pub(super) fn has_cycle(&self) -> bool {
        (0..self.graph().threads.len()).any(|t| self.cycle(t).is_some())
    }
}
