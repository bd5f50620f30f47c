//! Requests made events of a graph, and the labels that reads get from their sources.
//!
//! A read is pushed without its source and a write without its place in the coherence order; the search
//! chooses both.

use super::lock_table::RestartReason;
use super::resolve::{LockUse, Request};
use super::{Run, barrier, counters};
use crate::consistency::happens_before;
use crate::graph::{Event, EventTag, Graph, Kind, ThreadStatus};
use crate::id::{AllocationId, EventId, SiteId};
use crate::outcome::StopReason;
use crate::program::Program;
use crate::program::action::{LockMode, Order, Storage, Value};

/// No execution may have more events: a longer one is most likely a loop without end. Tables that grow with
/// the square of this number still fit into memory.
const MAX_EVENTS: usize = 20_000;

impl<P: Program> Run<'_, P> {
    /// Push the event of a thread's request to a graph; a read without its source, a write into no list of
    /// writes. An error is a reason to stop the search.
    pub fn push_next(&mut self, graph: &mut Graph, thread: usize) -> Result<EventId, StopReason> {
        let state = graph.threads[thread].state;
        let step = &self.states[state as usize].step;
        let mut event = Event::new(Kind::Read, Order::Relaxed, state);
        event.loc = step.loc;
        event.part = step.part;
        match step.request {
            Request::Read(order) => event.order = order,
            Request::Update { order, lock, .. } => {
                event.order = order;
                // Under TSO and PSO an update is locked whether it succeeds or not.
                event.tag = if lock == LockUse::None { EventTag::Rmw } else { EventTag::Lock };
            }
            Request::Write { order, value, tag } => {
                event.kind = Kind::Write;
                event.order = order;
                event.written = value;
                event.tag = tag;
            }
            Request::Lock { mode, .. } => {
                event.kind = Kind::Lock;
                event.order = Order::Acquire;
                event.tag = EventTag::Lock;
                event.read = (mode == LockMode::Shared) as Value;
            }
            Request::Unlock => {
                event.kind = Kind::Unlock;
                event.order = Order::Release;
                event.tag = EventTag::Unlock;
            }
            Request::Count { order, op, .. } => {
                event.kind = Kind::Count;
                event.order = order;
                event.read = counters::changes_nothing(self, graph, thread, (step.loc, op)) as Value;
                event.written = counters::operand(op);
            }
            Request::Fence(order) => {
                event.kind = Kind::Fence;
                event.order = order;
            }
            Request::Spawn { .. } => self.start_thread(graph, thread, &mut event)?,
            Request::Join { name } => {
                let child = self.tables.threads.known(name).expect("a thread that is joined was spawned");
                event.kind = Kind::Join;
                event.rf = graph.tip(child);
                event.written = child as Value;
            }
            Request::Arrive { count, looks } => {
                if barrier::is_crowded(self, graph, thread, (step.loc, count)) {
                    self.program.hints().crowded();
                    self.tables.learn(RestartReason::Program);
                    return Err(StopReason::Restart);
                }
                event.kind = Kind::Join;
                event.tag = EventTag::Meets;
                event.read = looks as Value;
                event.written = barrier::rounds(graph, thread, step.loc);
            }
            Request::Pass { barrier, count } => {
                let pass = barrier::pass(&self.tables.threads, graph, thread, barrier, count);
                let pass = pass.expect("the group is full");
                event.kind = Kind::Join;
                event.tag = EventTag::Meets;
                event.rf = pass.source;
                event.read = pass.answer;
            }
            Request::Alloc { size, storage, .. } => {
                event.kind = Kind::Alloc;
                if storage == Storage::Local {
                    event.tag = EventTag::Local;
                }
                let name = self.tables.threads.name(thread);
                let nth = graph.threads[thread].allocations.len() as u32;
                let allocation = AllocationId { thread: name, nth };
                if !allocation.fits(size) {
                    return Err(self.unsupported(graph, thread, "too much memory is allocated"));
                }
                event.read = allocation.address().0;
                event.written = size;
            }
            Request::Free { allocation, .. } => {
                event.kind = Kind::Free;
                event.read = allocation.key();
            }
            Request::Initialise(word) => {
                event.kind = Kind::Initialise;
                event.read = word.0;
            }
            Request::Destroy(word) => {
                event.kind = Kind::Destroy;
                event.read = word.0;
            }
            Request::Choose { low, .. } => {
                event.kind = Kind::Choose;
                event.read = low as Value;
            }
            Request::Observe { name, value } => {
                event.kind = Kind::Observe;
                event.read = name as Value;
                event.written = value;
            }
            Request::Block
            | Request::Cut
            | Request::Wait(_)
            | Request::Dropped
            | Request::Done
            | Request::Exit
            | Request::Fail(_)
            | Request::Unsupported(_) => unreachable!("not enabled"),
        }
        if graph.len() >= MAX_EVENTS {
            return Err(self.too_long(graph, thread));
        }
        if let Some(loc) = counters::refuted_by(self, graph, thread, &event) {
            self.tables.learn(RestartReason::Counter(self.tables.memory.locations[loc as usize].address));
            return Err(StopReason::Restart);
        }
        Ok(self.push(graph, thread, event))
    }

    /// The execution is longer than is followed.
    fn too_long(&mut self, graph: &Graph, thread: usize) -> StopReason {
        let cursor = &self.states[graph.threads[thread].state as usize].cursor;
        if self.program.hints().shorten(cursor) {
            self.tables.learn(RestartReason::Program);
            return StopReason::Restart;
        }
        let message = format!(
            "an execution has more than {MAX_EVENTS} events: a loop that never ends, or waits unseen?"
        );
        self.unsupported(graph, thread, &message)
    }

    /// Push an event, with its row of happens-before.
    fn push(&self, graph: &mut Graph, thread: usize, mut event: Event) -> EventId {
        if graph.clocks.hb {
            event.released = happens_before::released_before(&graph.threads[thread].events);
        }
        let id = graph.push(thread, event);
        graph.status[thread] = ThreadStatus::Unasked;
        happens_before::compute_rest(graph, id);
        id
    }

    /// A spawn: the new thread gets its name and its number.
    fn start_thread(
        &mut self,
        graph: &mut Graph,
        parent: usize,
        event: &mut Event,
    ) -> Result<(), StopReason> {
        let nth = graph.threads[parent].spawned;
        let Some(name) = self.tables.threads.spawned_name(parent, nth) else {
            return Err(self.unsupported(graph, parent, "a thread spawns too many threads"));
        };
        let child = self.tables.threads.number(name);
        if child >= EventId::MAX_THREADS as usize {
            return Err(self.unsupported(graph, parent, "there are too many threads"));
        }
        event.kind = Kind::Spawn;
        event.read = name as Value;
        event.written = child as Value;
        graph.grow(child + 1);
        Ok(())
    }

    /// Number threads as another search met them, none of them there yet but those that are from the start. None if
    /// the names are none of this program.
    pub fn meet_threads(&mut self, graph: &mut Graph, names: &[u32]) -> Option<()> {
        for (number, &name) in names.iter().enumerate() {
            if number >= EventId::MAX_THREADS as usize || self.tables.threads.number(name) != number {
                return None;
            }
        }
        graph.grow(names.len());
        Some(())
    }

    fn unsupported(&self, graph: &Graph, thread: usize, message: &str) -> StopReason {
        let site = match graph.status[thread] {
            ThreadStatus::Absent | ThreadStatus::Unasked => SiteId::NONE,
            _ => self.step(graph, thread).site,
        };
        StopReason::Unsupported { message: message.into(), site }
    }

    /// Give a read, the last of its thread, its source and the label that follows.
    pub fn set_source(&self, graph: &mut Graph, id: EventId, source: EventId) {
        let value = self.value_read(graph, id, source);
        let event = graph.event(id);
        let label = self.step_of(event).label(value);
        // As long as it reads the initial value, its rows hold nothing that depends on its source.
        let is_fresh = event.rf.is_init();
        let event = graph.event_mut(id);
        event.rf = source;
        event.failed = false;
        event.read = value;
        event.tag = label.tag;
        event.written = label.written.unwrap_or(0);
        graph.set_order(id, label.order);
        if !is_fresh {
            graph.renew_rows(id);
        }
        if !source.is_init() {
            graph.take_source(id);
            happens_before::compute_rest(graph, id);
        }
    }

    /// A weak compare-exchange that would succeed fails instead. False if the event is none.
    pub fn fail_spuriously(&self, graph: &mut Graph, id: EventId) -> bool {
        let event = graph.event_mut(id);
        let Some(label) = self.states[event.state as usize].step.label_of_spurious_failure(event.read) else {
            return false;
        };
        event.tag = label.tag;
        event.written = 0;
        graph.set_order(id, label.order);
        happens_before::compute(graph, id);
        true
    }

    /// The value that this read would write, if it is an update that succeeds.
    pub fn writes_too(&self, graph: &Graph, id: EventId) -> Option<Value> {
        let event = graph.event(id);
        if event.tag == EventTag::Spurious {
            return None;
        }
        self.step_of(event).label(event.read).written
    }

    /// Where a weak compare-exchange would succeed it may also fail: list the same candidate a second time,
    /// for the failure.
    pub fn add_spurious_candidates(
        &self,
        graph: &Graph,
        id: EventId,
        candidates: &mut Vec<EventId>,
        from: usize,
    ) {
        let event = graph.event(id);
        let step = self.step_of(event);
        for candidate in candidates.split_off(from) {
            candidates.push(candidate);
            if step.label_of_spurious_failure(self.value_of(graph, event.loc, candidate)).is_some() {
                candidates.push(candidate);
            }
        }
    }
}
