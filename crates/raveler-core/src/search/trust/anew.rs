//! What is told of a graph must not depend on how the search came to it.

use crate::consistency::{Consistency, Explain};
use crate::graph::{Graph, Loc};
use crate::id::EventId;
use crate::settings::Settings;

/// Explains a graph by a consistency check that knows nothing but the graph: where several coherence orders explain it,
/// the one that is shown is a function of the graph. Few graphs are shown.
pub(super) struct Anew<'a, K> {
    pub order: &'a mut K,
    pub settings: &'a Settings,
}

impl<K: Consistency> Explain for Anew<'_, K> {
    fn last_writes(&mut self, graph: &Graph, locs: &[Loc], found: &mut dyn FnMut(&[u32])) {
        self.order.last_writes(graph, locs, found);
    }

    fn coherence(&mut self, graph: &Graph, last: &[(Loc, u32)]) -> Vec<Vec<EventId>> {
        let mut fresh = K::new(self.settings);
        if fresh.rebuild(graph) { fresh.coherence(graph, last) } else { self.order.coherence(graph, last) }
    }

    fn lock_edges(&mut self, graph: &Graph, last: &[(Loc, u32)]) -> Vec<(EventId, EventId)> {
        self.order.lock_edges(graph, last)
    }
}
