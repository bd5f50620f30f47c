//! An execution as the choices that lead to it.

use super::Execution;
use crate::graph::{EventTag, Kind};
use crate::id::EventId;
use crate::outcome::{Flushed, Trace, TraceEvent, TraceSource};
use crate::program::Program;
use crate::settings::Locks;

impl<P: Program> Execution<'_, P> {
    /// How to come to this execution again.
    pub fn trace(&self) -> Trace {
        let (run, graph) = (self.run, self.graph);
        let event = |&id: &EventId| {
            let event = graph.event(id);
            let source = match event.kind.reads() {
                false => TraceSource::Nothing,
                true if event.rf.is_init() => TraceSource::Initial,
                true => TraceSource::Event(graph.event(event.rf).stamp),
            };
            TraceEvent {
                thread: id.thread() as u32,
                source,
                overtaken: self.overtaken(id),
                chosen: if event.kind == Kind::Choose { event.read } else { 0 },
                update: event.kind == Kind::Update,
                failed: event.failed,
                spurious: event.tag == EventTag::Spurious,
            }
        };
        let flushed =
            |(id, after): (EventId, usize)| Flushed { event: graph.event(id).stamp, after: after as u32 };
        let flushes = self.order.borrow().flushes().unwrap_or_default();
        let stamp = |id: EventId| graph.event(id).stamp;
        let sections = match run.settings.locks {
            Locks::Ordered => self.order.borrow_mut().lock_edges(graph, &[]),
            Locks::Aware => Vec::new(),
        };
        let waits = |&t: &usize| self.waiting_event(t).is_some();
        Trace {
            threads: (0..graph.threads.len()).map(|thread| run.tables.threads.name(thread)).collect(),
            events: graph.order.iter().map(event).collect(),
            flushes: flushes.into_iter().map(flushed).collect(),
            sections: sections.into_iter().map(|(from, to)| (stamp(from), stamp(to))).collect(),
            waiting: (0..graph.threads.len()).filter(waits).map(|thread| thread as u32).collect(),
        }
    }

    /// How many writes of the event's location are older and stand behind it.
    fn overtaken(&self, id: EventId) -> u32 {
        let event = self.graph.event(id);
        // What is still in a store buffer has no place yet.
        if !event.kind.writes() || event.write_index == 0 {
            return 0;
        }
        let writes = &self.graph.accesses[event.loc as usize].writes;
        let behind = &writes[event.write_index as usize..];
        behind.iter().filter(|&&other| self.graph.event(other).stamp < event.stamp).count() as u32
    }
}
