//! RA, RC11 and RC20 with the coherence order in the graph: an access may not look back behind what it was shown.

use super::with_sections::Raised;
use super::{Consistency, Explain, Test, psc};
use crate::graph::{Graph, Loc};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::search::Model;

/// Nothing to keep but what critical sections add: everything is in the graph.
pub(crate) struct Placed {
    model: Model,
    /// Happens-before that critical sections add.
    pub(super) raised: Raised,
}

impl Placed {
    /// The latest write that an access was shown, as a slot.
    fn floor(&self, graph: &Graph, id: EventId) -> u32 {
        let mut floor = 0;
        if Mutant::FloorIgnored.is_active() {
            return 0;
        }
        graph.each_seen(graph.event(id).loc, graph.hb(id), |write| floor = floor.max(graph.slot(write)));
        floor
    }

    /// Does this access, if it is one, not look back behind what it was shown?
    pub(super) fn looks_ahead(&self, graph: &Graph, id: EventId) -> bool {
        let event = graph.event(id);
        if event.kind.reads() {
            self.floor(graph, id) <= graph.slot(event.rf)
        } else {
            !event.kind.writes() || self.floor(graph, id) < event.slot
        }
    }

    pub(super) fn psc(&self, graph: &Graph) -> bool {
        !self.has_psc(graph) || psc::holds(graph)
    }

    pub(super) fn has_psc(&self, graph: &Graph) -> bool {
        self.model != Model::Ra && !psc::too_few(graph)
    }
}

impl Consistency for Placed {
    const COHERENCE: bool = true;

    fn new(model: Model) -> Placed {
        Placed { model, raised: Raised::default() }
    }

    fn sources(&mut self, graph: &Graph, read: EventId, out: &mut Vec<EventId>) {
        let loc = graph.event(read).loc;
        let floor = self.floor(graph, read);
        if floor == 0 {
            out.push(EventId::INIT);
        }
        let from = (floor as usize).saturating_sub(1);
        out.extend_from_slice(&graph.places[loc as usize].writes[from..]);
    }

    fn first_place(&mut self, graph: &Graph, write: EventId) -> usize {
        self.floor(graph, write) as usize
    }

    fn read(&mut self, graph: &Graph, read: EventId) -> bool {
        let event = graph.event(read);
        let last = graph.slot(event.rf) as usize == graph.places[event.loc as usize].writes.len();
        // A read of the last write has nothing after it, so it closes no cycle.
        last || self.psc(graph)
    }

    fn unread(&mut self, _graph: &Graph, _read: EventId) {}

    fn update(&mut self, graph: &Graph, update: EventId) -> bool {
        let event = graph.event(update);
        event.slot as usize == graph.places[event.loc as usize].writes.len() || self.psc(graph)
    }

    fn unupdate(&mut self, _graph: &Graph, _update: EventId) {}

    fn write(&mut self, graph: &Graph, write: EventId) -> bool {
        let event = graph.event(write);
        let last = event.slot as usize == graph.places[event.loc as usize].writes.len();
        last || self.psc(graph)
    }

    fn unwrite(&mut self, _graph: &Graph, _write: EventId) {}
    fn other(&mut self, _graph: &Graph, _event: EventId) {}
    fn unother(&mut self, _graph: &Graph, _event: EventId) {}

    fn rebuild(&mut self, _graph: &Graph) -> bool {
        true
    }

    fn revisited(
        &mut self,
        parent: &Placed,
        _graph: &Graph,
        _lost: &[Loc],
        _write: EventId,
        _read: EventId,
    ) -> bool {
        self.model = parent.model;
        true
    }

    fn revisit_placed(&mut self, graph: &Graph, write: EventId, read: EventId) -> bool {
        self.floor(graph, read) <= graph.event(write).slot && self.psc(graph)
    }

    fn revisit_unplaced(&mut self, _graph: &Graph, _write: EventId, _read: EventId) {}

    fn is_overwritten(&self, graph: &Graph, write: EventId, later: EventId) -> bool {
        graph.slot(write) < graph.slot(later)
    }

    fn reads_canonical(&mut self, _test: &Test<'_>) -> bool {
        unreachable!("with a coherence order the search looks at that order instead")
    }
}

impl Explain for Placed {
    fn last_writes(&mut self, graph: &Graph, locs: &[Loc], found: &mut dyn FnMut(&[u32])) {
        let row: Vec<u32> = locs
            .iter()
            .map(|&loc| graph.places.get(loc as usize).map_or(0, |p| p.writes.len() as u32))
            .collect();
        found(&row);
    }

    fn coherence(&mut self, graph: &Graph, _last: &[(Loc, u32)]) -> Vec<Vec<EventId>> {
        graph.places.iter().map(|place| place.writes.clone()).collect()
    }
}
