//! Following an execution that was found before: its graph is built again, then all is asked that a search asks of it.

use super::Search;
use crate::consistency::Consistency;
use crate::graph::{Loc, NONE, ThreadStatus};
use crate::id::EventId;
use crate::outcome::{Trace, TraceEvent, TraceSource};
use crate::program::Program;
use crate::search::subtree::Item;

impl<P: Program, K: Consistency> Search<'_, P, K> {
    /// Build the graph of a trace, and report what is wrong with `event`, with threads' requests, and with the graph if
    /// nothing can be added to it. None if it is no execution of this program.
    pub(in crate::search) fn follow(&mut self, trace: &Trace, event: Option<EventId>) -> Option<()> {
        self.restart();
        self.run.meet_threads(&mut self.path.top.graph, &trace.threads)?;
        let item = |event: &TraceEvent| {
            let source = match event.source {
                TraceSource::Nothing | TraceSource::Initial => NONE,
                TraceSource::Event(at) => at,
            };
            let chosen = if event.spurious { 1 } else { event.chosen };
            let thread = *trace.threads.get(event.thread as usize)?;
            Some(Item { thread, source, update: event.update, failed: event.failed, chosen })
        };
        let mut items: Vec<Item> = trace.events.iter().map(item).collect::<Option<_>>()?;
        let place = event.and_then(|event| place_of(trace, event));
        if let Some(place) = place {
            // What its thread does next was not asked when the event was new, and is not to be.
            items[place].failed = true;
        }
        let made = self.build_events(&items)?;
        self.place_writes(trace, &made)?;
        let level = &mut self.path.top;
        if !level.order.rebuild(&level.graph) {
            return None;
        }
        // All other threads were asked before the event was made.
        if !self.ask_silently() {
            return None;
        }
        if let Some(place) = place {
            let (id, graph) = (made[place], &mut self.path.top.graph);
            graph.event_mut(id).failed = trace.events[place].failed;
            graph.status[id.thread()] = ThreadStatus::Unasked;
            self.check_event(id);
            return Some(());
        }
        self.report_failures();
        let (run, graph) = (&self.run, &self.path.top.graph);
        if !(0..graph.status.len()).any(|thread| run.enabled(graph, thread)) {
            self.leaf();
        }
        Some(())
    }

    /// Put the writes of each location into their order.
    fn place_writes(&mut self, trace: &Trace, made: &[EventId]) -> Option<()> {
        let graph = &mut self.path.top.graph;
        graph.clear_writes();
        let mut lists: Vec<Vec<EventId>> = vec![Vec::new(); graph.accesses.len()];
        for (&id, event) in made.iter().zip(&trace.events) {
            if graph.event(id).kind.writes() {
                let list = &mut lists[graph.event(id).loc as usize];
                list.insert(list.len().checked_sub(event.overtaken as usize)?, id);
            }
        }
        for (loc, list) in lists.into_iter().enumerate().filter(|(_, list)| !list.is_empty()) {
            graph.set_writes(loc as Loc, list);
        }
        Some(())
    }
}

/// The place of an event in a trace, if it is the last of its thread.
fn place_of(trace: &Trace, event: EventId) -> Option<usize> {
    let of_thread = |other: &TraceEvent| other.thread as usize == event.thread();
    let is_last = trace.events.iter().filter(|other| of_thread(other)).count() == event.index() as usize + 1;
    trace.events.iter().rposition(of_thread).filter(|_| is_last)
}
