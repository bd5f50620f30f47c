//! The coherence order of a run: the order in which stores reached memory, as the graph has it.

use super::access::AccessKind;
use super::steps::Step;
use crate::consistency::Explain;
use crate::graph::{Graph, Loc};
use crate::id::EventId;

/// Explains a run by what happened in it.
pub(super) struct Recorded<'a>(pub &'a [Step]);

impl Explain for Recorded<'_> {
    fn last_writes(&mut self, graph: &Graph, locs: &[Loc], found: &mut dyn FnMut(&[u32])) {
        let count =
            |loc: &Loc| graph.accesses.get(*loc as usize).map_or(0, |place| place.writes.len() as u32);
        found(&locs.iter().map(count).collect::<Vec<_>>());
    }

    /// What is still in a buffer reaches memory at the end, one thread after the other.
    fn coherence(&mut self, graph: &Graph, _last: &[(Loc, u32)]) -> Vec<Vec<EventId>> {
        let mut orders: Vec<Vec<EventId>> =
            graph.accesses.iter().map(|accesses| accesses.writes.clone()).collect();
        for (t, thread) in graph.threads.iter().enumerate() {
            for (i, event) in thread.events.iter().enumerate() {
                if event.kind.writes() && event.write_index == 0 {
                    orders[event.loc as usize].push(EventId::new(t as u32, i as u32));
                }
            }
        }
        orders
    }

    fn flushes(&self) -> Option<Vec<(EventId, usize)>> {
        let flushes = self.0.iter().filter(|step| step.access.kind == AccessKind::Flush);
        Some(flushes.map(|step| (step.event, step.events)).collect())
    }
}
