//! Entering a whole graph at once.
//!
//! Each event is entered after its past; stamps do not help, since a revisited read is older than its source.

use super::GlobalOrder;
use crate::graph::{Event, Graph, Kind};
use crate::id::EventId;

impl<const CO: bool> GlobalOrder<CO> {
    /// Enter every event of a graph, each after its past. With a coherence order `left_out` stays out of its list.
    pub(super) fn enter_all(&mut self, graph: &Graph, left_out: Option<EventId>) -> bool {
        let mut done = vec![0u32; graph.threads.len()];
        let mut left = graph.len();
        while left > 0 {
            let before = left;
            for t in 0..graph.threads.len() {
                while let Some(event) = graph.threads[t].events.get(done[t] as usize) {
                    let id = EventId::new(t as u32, done[t]);
                    let ready = |e: EventId| e.is_init() || e.index() < done[e.thread()];
                    if !ready(graph.before_in_thread(id))
                        || (event.kind.reads() || event.kind == Kind::Join) && !ready(event.rf)
                    {
                        break;
                    }
                    if !self.enter_any(graph, id, event, left_out) {
                        return false;
                    }
                    done[t] += 1;
                    left -= 1;
                }
            }
            debug_assert!(left < before, "the past of events has no cycle");
        }
        !CO || self.place_all(graph, left_out)
    }

    pub(super) fn enter_any(
        &mut self,
        graph: &Graph,
        id: EventId,
        event: &Event,
        left_out: Option<EventId>,
    ) -> bool {
        if event.kind.reads() {
            if !self.enter_read(graph, id) {
                return false;
            }
            let number = self.node(id);
            if event.kind.writes() {
                if CO {
                    if left_out != Some(id) {
                        self.set_writer(number);
                    }
                } else if !self.becomes_writer(number) {
                    return false;
                }
            }
            return true;
        }
        let number = self.enter(graph, id);
        if event.kind.writes() {
            if CO && left_out == Some(id) {
                return true;
            }
            self.set_writer(number);
            if !CO {
                self.queue.push(number);
                return self.saturate();
            }
        }
        true
    }
}
