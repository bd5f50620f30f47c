//! Forward: which thread goes on, and the event it adds.
//!
//! Invariant: the next thread is a function of the graph alone, never of the path that led to it; otherwise
//! executions would be lost or visited twice (docs/engine.md, "Each execution once").

use super::path::{Frame, FrameKind, Go};
use super::{Search, lock_order, spin};
use crate::consistency::Consistency;
use crate::graph::{Event, Kind, NO_LOC, ThreadStatus};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::Program;

impl<P: Program, K: Consistency> Search<'_, P, K> {
    /// Add events to the top graph up to one that has alternatives, or report the graph if there is none to add. The
    /// alternatives of the last event, the first one among them, are for [`Search::next_alternative`].
    pub(in crate::search) fn extend(&mut self) -> Go {
        // The thread of the newest event, if all others were asked before it.
        let mut last = self.unasked;
        loop {
            self.ledger.bound_met |= self.path.top.order.bound_met();
            if !self.ask_threads() {
                return Go::Back;
            }
            let level = &mut self.path.top;
            if self.run.has_spins && spin::is_hopeless(&self.run, &level.graph, &level.order) {
                self.leave_hopeless();
                return Go::Back;
            }
            let next = last.filter(|&thread| self.is_still_next(thread));
            let Some(thread) = next.or_else(|| self.next_thread()) else {
                self.leaf();
                return Go::Back;
            };
            let states = self.run.states.len();
            let level = &mut self.path.top;
            let id = match self.run.push_next(&mut level.graph, thread) {
                Ok(id) => id,
                Err(reason) => {
                    self.ledger.stop(reason);
                    return Go::Back;
                }
            };
            let mut frame = Frame::new(FrameKind::Step, id, states);
            match level.graph.event(id).kind {
                Kind::Write => frame.kind = FrameKind::Write,
                Kind::Choose => frame.kind = FrameKind::Choose,
                Kind::Read => {
                    frame.kind = FrameKind::Read;
                    frame.from = self.candidates.len();
                    self.find_sources(id);
                    frame.next = frame.from;
                    frame.until = self.candidates.len();
                }
                _ => {
                    level.frames.push(frame);
                    self.visit_step(id);
                    if self.ledger.stopped.is_some() {
                        return Go::Visit;
                    }
                    last = Some(thread);
                    continue;
                }
            }
            self.path.top.frames.push(frame);
            return Go::Back;
        }
    }

    /// An event without alternatives is visited as soon as it is there.
    fn visit_step(&mut self, id: EventId) {
        let level = &mut self.path.top;
        level.order.other(&level.graph, id);
        let event = level.graph.event(id);
        let (kind, comes) = (event.kind, comes_to_barrier(event));
        // A spawned thread is asked, too.
        self.unasked = (kind != Kind::Spawn).then_some(id.thread());
        if comes || matches!(kind, Kind::Count | Kind::Free | Kind::Initialise | Kind::Destroy) {
            self.check_event(id);
        }
        self.count_event();
    }

    /// Add the writes that a new read may read from to the candidates.
    pub(super) fn find_sources(&mut self, id: EventId) {
        let from = self.candidates.len();
        let level = &mut self.path.top;
        level.order.sources(&level.graph, id, &mut self.candidates);
        #[cfg(any(test, feature = "paranoid"))]
        self.verify_left_out(id, from);
        let graph = &self.path.top.graph;
        if self.run.symmetry && id.index() == 0 {
            let mut kept = from;
            for at in from..self.candidates.len() {
                if self.run.comes_after_twin(graph, id, self.candidates[at]) {
                    self.candidates[kept] = self.candidates[at];
                    kept += 1;
                }
            }
            self.candidates.truncate(kept);
        }
        if self.run.tables.is_lock(graph.event(id).loc) {
            lock_order::keep_candidates(graph, id, &mut self.candidates, from);
        }
        if self.run.settings.spurious_cas {
            self.run.add_spurious_candidates(graph, id, &mut self.candidates, from);
        }
    }

    /// The thread to run next, by name: the first whose request is not a read; if there is none, one that
    /// reads; if there is none, one whose step would end the waiting of another thread. The graph alone must
    /// decide.
    fn next_thread(&self) -> Option<usize> {
        let (run, graph) = (&self.run, &self.path.top.graph);
        let mut reader = None;
        let mut opener = None;
        for &t in &run.tables.threads.by_rank {
            match graph.status.get(t) {
                Some(ThreadStatus::Steps)
                    if run.tables.locks.has_locks && lock_order::frees_waiter(run, graph, t)
                        || run.has_spins && spin::ends_wait(run, graph, t) =>
                {
                    opener = opener.or(Some(t))
                }
                Some(ThreadStatus::Steps) => return Some(t),
                Some(ThreadStatus::Joins) if run.enabled(graph, t) => return Some(t),
                Some(ThreadStatus::Reads) if run.waits_for_twin(graph, t) => {}
                Some(ThreadStatus::Reads) => {
                    let turn = self.turn(t);
                    if reader.is_none_or(|(first, _)| turn < first) {
                        reader = Some((turn, t));
                    }
                }
                _ => {}
            }
        }
        reader.map(|(_, t)| t).or(opener)
    }

    /// A thread made the newest event: is it the next one again, and is that known at once? It was chosen before: no thread
    /// before it could go on without reading, none at all if it read, and none can now, since it has neither ended nor come to
    /// a barrier; unless what threads wait for plays a role.
    fn is_still_next(&self, thread: usize) -> bool {
        let (run, graph) = (&self.run, &self.path.top.graph);
        let may_be_waited_for =
            (run.tables.locks.has_locks || run.has_spins) && !Mutant::NextBesideLocks.is_active();
        let is_next = !may_be_waited_for
            && !graph.threads[thread].events.last().is_some_and(comes_to_barrier)
            && match graph.status[thread] {
                ThreadStatus::Steps => true,
                ThreadStatus::Joins => run.enabled(graph, thread),
                _ => false,
            };
        debug_assert!(!is_next || self.next_thread() == Some(thread) || Mutant::NextBesideLocks.is_active());
        is_next
    }

    /// The turn of a thread among those that read, smallest first: threads that take locks come last, of
    /// these the one with the fewest events first. If they take locks by turns, their revisits delete fewer
    /// of each other's events.
    fn turn(&self, thread: usize) -> usize {
        if !self.run.tables.locks.has_locks {
            return 0;
        }
        let graph = &self.path.top.graph;
        let takes = self.run.tables.is_lock(self.run.step(graph, thread).loc);
        if takes { graph.threads[thread].events.len() + 1 } else { 0 }
    }

    /// In tests: the definition of the model must refuse every source that was left out.
    #[cfg(any(test, feature = "paranoid"))]
    fn verify_left_out(&mut self, id: EventId, from: usize) {
        let graph = &mut self.path.top.graph;
        let mut writes = graph.accesses[graph.event(id).loc as usize].writes.clone();
        writes.push(EventId::INIT);
        for write in writes {
            if !self.candidates[from..].contains(&write) {
                self.run.set_source(graph, id, write);
                super::verified::<K>(self.run.settings, graph, false);
            }
        }
    }
}

/// Does a thread come to a barrier with this event?
fn comes_to_barrier(event: &Event) -> bool {
    event.kind == Kind::Join && event.loc != NO_LOC
}
