//! Promises: writes that are read before they are made.
//!
//! A promise stands in the graph as a write of a thread of its own, which nothing else is in. Reads read from it as
//! from any write. When its thread makes a write with the promised label, the write may take its place: the promise
//! is *kept*.

use super::nodes::Label;
use crate::consistency::Consistency;
use crate::consistency::hb_co::HbCoherence;
use crate::graph::{Event, Graph, Kind, ThreadStatus};
use crate::id::EventId;
use crate::program::Program;
use crate::program::action::Order;
use crate::run::Run;

/// Names of threads that hold promises, above all names of a program's threads.
const FIRST_NAME: u32 = 1 << 28;

/// Is this the name of a thread that holds a promise?
pub(super) fn is_holder(name: u32) -> bool {
    name >= FIRST_NAME
}

/// A write that is read before it is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Promise {
    /// What is written, by which thread.
    pub label: Label,
    /// The write that stands for it.
    pub event: EventId,
    /// The read that it was made for.
    pub read: EventId,
    /// The write that took its place.
    pub kept: Option<EventId>,
}

/// The promises on the path.
#[derive(Default)]
pub(super) struct Promises {
    pub all: Vec<Promise>,
}

impl Promises {
    /// The promise that this write stands for.
    pub fn of(&self, write: EventId) -> Option<&Promise> {
        self.all.iter().find(|promise| promise.event == write)
    }

    /// The promises of a thread that are not kept yet, with this label.
    pub fn open(&self, label: Label) -> impl Iterator<Item = usize> + '_ {
        let open = move |promise: &Promise| promise.kept.is_none() && promise.label == label;
        self.all.iter().enumerate().filter(move |(_, promise)| open(promise)).map(|(at, _)| at)
    }

    /// Add a promise to the graph at this place of the coherence order; its write. The read that it is for is the
    /// next event of `reader`.
    pub fn make<P: Program>(
        &mut self,
        run: &mut Run<'_, P>,
        graph: &mut Graph,
        label: Label,
        (reader, place): (usize, usize),
    ) -> EventId {
        let holder = run.tables.threads.number(FIRST_NAME + self.all.len() as u32);
        graph.grow(holder + 1);
        let mut event = Event::new(Kind::Write, order_of(label), graph.threads[reader].state);
        event.loc = run.step(graph, reader).loc;
        event.written = label.value;
        let id = graph.push(holder, event);
        graph.place_write(id, place);
        let read = EventId::new(reader as u32, graph.threads[reader].events.len() as u32);
        self.all.push(Promise { label, event: id, read, kept: None });
        id
    }

    /// Take the last promise back.
    pub fn unmake(&mut self, graph: &mut Graph) {
        if let Some(promise) = self.all.pop() {
            graph.unplace_write(promise.event);
            graph.pop();
            graph.status[promise.event.thread()] = ThreadStatus::Absent;
        }
    }

    /// May this write, just pushed and in no list of writes, take the place of a promise?
    pub fn can_keep(&self, order: &mut HbCoherence, graph: &Graph, at: usize, write: EventId) -> bool {
        order.first_place(graph, write) < graph.write_index(self.all[at].event) as usize
    }

    /// The write takes the place of the promise.
    pub fn keep(&mut self, graph: &mut Graph, at: usize, write: EventId) {
        let event = self.all[at].event;
        self.all[at].kept = Some(write);
        replace(graph, event, write);
        // The order of `seq_cst` events must not see it any more.
        graph.set_order(event, Order::Relaxed);
    }

    /// Undo that.
    pub fn unkeep(&mut self, graph: &mut Graph, at: usize) {
        let Promise { event, label, .. } = self.all[at];
        if let Some(write) = self.all[at].kept.take() {
            replace(graph, write, event);
            graph.set_order(event, order_of(label));
        }
    }
}

/// The order of a write with this label.
fn order_of(label: Label) -> Order {
    match label {
        Label { is_sc: true, .. } => Order::SeqCst,
        Label { releases: true, .. } => Order::Release,
        _ => Order::Relaxed,
    }
}

/// A write takes the place of another one, in the coherence order and for its readers.
fn replace(graph: &mut Graph, old: EventId, new: EventId) {
    let Event { loc, write_index, .. } = *graph.event(old);
    let place = &mut graph.accesses[loc as usize];
    place.writes[write_index as usize - 1] = new;
    let mut readers = Vec::new();
    graph.each_access(loc, |id, event| {
        if event.kind.reads() && event.rf == old {
            readers.push(id);
        }
    });
    for id in readers {
        graph.event_mut(id).rf = new;
    }
    graph.event_mut(new).write_index = write_index;
    graph.event_mut(old).write_index = 0;
}
