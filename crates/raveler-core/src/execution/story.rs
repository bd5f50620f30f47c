//! The order in which an execution is told.

use super::Execution;
use crate::graph::Loc;
use crate::id::EventId;
use crate::outcome::{Half, Reexecution};
use crate::program::Program;

impl<P: Program> Execution<'_, P> {
    /// All events, each after its past and after the sections before its own. Writes are in coherence order
    /// as far as possible, and after the reads that read from earlier writes; otherwise events are in the
    /// order in which they were added.
    pub(super) fn story(
        &self,
        orders: &[Vec<EventId>],
        edges: &[(EventId, EventId)],
        reexecution: Option<&Reexecution>,
    ) -> Vec<EventId> {
        let place = |write: EventId, loc: Loc| {
            let writes = orders.get(loc as usize)?;
            writes.iter().position(|&other| other == write)
        };
        let reads: Vec<(EventId, Loc, Option<usize>)> = self
            .graph
            .order
            .iter()
            .map(|&id| (id, self.graph.event(id)))
            .filter(|(_, event)| event.kind.reads())
            .map(|(id, event)| (id, event.loc, place(event.rf, event.loc)))
            .collect();
        let mut done = vec![0u32; self.graph.threads.len()];
        let mut story = Vec::with_capacity(self.graph.len());
        while story.len() < self.graph.len() {
            let possible = |id: &&EventId| {
                id.index() == done[id.thread()]
                    && self.has_past(**id, &done, reexecution)
                    && edges.iter().all(|(from, to)| to != *id || from.index() < done[from.thread()])
            };
            let told = |other: &EventId| other.index() < done[other.thread()];
            let in_order = |id: &&EventId| {
                let event = self.graph.event(**id);
                let here = place(**id, event.loc);
                !event.kind.writes()
                    || orders
                        .get(event.loc as usize)
                        .is_none_or(|writes| writes.iter().take_while(|write| *write != *id).all(told))
                        && reads.iter().all(|(read, loc, seen)| {
                            *loc != event.loc || *seen >= here || told(read) || *read == **id
                        })
            };
            // Only committed reads may come before their writes; they do not where it can be avoided.
            let explained = |id: &&EventId| {
                let event = self.graph.event(**id);
                !event.kind.reads() || event.rf.is_init() || told(&event.rf)
            };
            let all = || self.graph.order.iter().filter(possible);
            let next = all().filter(explained).find(in_order).or_else(|| all().find(explained));
            let Some(&id) = next.or_else(|| all().next()) else { break };
            done[id.thread()] += 1;
            story.push(id);
        }
        story.extend(self.waiting_events());
        story
    }

    /// The same for a run: its events as they happened.
    pub(super) fn recorded_story(&self) -> Vec<EventId> {
        self.graph.order.iter().copied().chain(self.waiting_events()).collect()
    }

    /// The events that witnesses have for threads that wait for a lock without one.
    fn waiting_events(&self) -> impl Iterator<Item = EventId> {
        let waiting = (0..self.graph.threads.len()).filter(|&t| self.waiting_event(t).is_some());
        waiting.map(|t| EventId::new(t as u32, self.graph.threads[t].events.len() as u32))
    }

    /// Is all that comes before this event told, if so many events of each thread are?
    ///
    /// In an execution with cycles that is program order and what uncommitted reads read, which have none (docs/xmm.md,
    /// "Re-execution": stable uncommitted reads).
    fn has_past(&self, id: EventId, done: &[u32], reexecution: Option<&Reexecution>) -> bool {
        let Some(reexecution) = reexecution else {
            return self.graph.porf(id).iter().zip(done).all(|(&past, &done)| u32::from(past) <= done);
        };
        let told = |other: EventId| other.is_init() || other.index() < done[other.thread()];
        let event = self.graph.event(id);
        let is_committed = || {
            let mut committed = reexecution.committed.iter().filter(|committed| committed.event == id);
            committed.any(|committed| committed.half != Some(Half::Write))
        };
        let all_told = |thread: usize| done[thread] as usize == self.graph.threads[thread].events.len();
        (id.index() > 0 || told(self.graph.threads[id.thread()].parent))
            && (!event.joins_thread() || all_told(event.child()))
            && (!event.kind.reads() || told(event.rf) || is_committed())
    }
}
