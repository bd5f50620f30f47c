//! RA, RC11 and RC20 with the coherence order in the graph.
//!
//! A read must not read a write that is coherence-before one shown by an access that happens before the read,
//! and a write is placed after all of those (an access *shows* the write that it is or reads from). Nothing
//! happens after a new event, so only the new event needs the check
//! (docs/engine.md, "Happens-before models"). `seq_cst` events are checked by [`super::psc`].

use super::with_sections::HbOverlay;
use super::{CanonicalReadTest, Consistency, Explain, psc};
use crate::graph::{Graph, Loc};
use crate::id::EventId;
use crate::models::ScOrder;
use crate::mutation::Mutant;
use crate::settings::Settings;

/// The check. Everything but what critical sections add is in the graph.
pub(crate) struct HbCoherence {
    /// The order that `seq_cst` events have of their own, if they have one.
    sc_order: Option<ScOrder>,
    /// The rows of happens-before that edges between critical sections have raised.
    pub(super) raised: HbOverlay,
}

impl HbCoherence {
    /// The write index of the coherence-last write shown by accesses that happen before this one, of the same
    /// location.
    fn floor(&self, graph: &Graph, id: EventId) -> u32 {
        if Mutant::FloorIgnored.is_active() {
            return 0;
        }
        graph.last_seen_by(id)
    }

    /// Is an access coherent with what happens before it: a read reads from the floor or a later write, a
    /// write is after the floor? True of other events.
    pub(crate) fn is_coherent(&self, graph: &Graph, id: EventId) -> bool {
        let event = graph.event(id);
        if event.kind.reads() {
            self.floor(graph, id) <= graph.write_index(event.rf)
        } else {
            !event.kind.writes() || self.floor(graph, id) < event.write_index
        }
    }

    /// Is an access that was coherent still so, with the row that edges between sections have raised? Its old row stands
    /// here in their trail.
    pub(super) fn stays_coherent(&self, graph: &Graph, id: EventId, old_row: usize) -> bool {
        let event = graph.event(id);
        let old = self.raised.old_row(old_row, graph.stride);
        let mut floor = 0;
        if !Mutant::FloorIgnored.is_active() {
            graph.each_newly_seen(event.loc, (old, graph.hb(id)), event.part, |write| {
                floor = floor.max(graph.write_index(write));
            });
        }
        match event.kind.reads() {
            true => floor <= graph.write_index(event.rf),
            false => floor < event.write_index,
        }
    }

    /// The order of `seq_cst` events, if psc can have a cycle.
    pub(super) fn psc(&self, graph: &Graph) -> Option<ScOrder> {
        self.sc_order.filter(|_| !psc::too_few(graph))
    }

    /// Is psc acyclic, where the model has it?
    pub(crate) fn psc_holds(&self, graph: &Graph) -> bool {
        self.psc(graph).is_none_or(|sc_order| psc::holds(graph, sc_order))
    }
}

impl Consistency for HbCoherence {
    const COHERENCE: bool = true;

    fn new(settings: &Settings) -> HbCoherence {
        HbCoherence { sc_order: super::sc_order(settings.model), raised: HbOverlay::default() }
    }

    fn sources(&mut self, graph: &Graph, read: EventId, out: &mut Vec<EventId>) {
        let loc = graph.event(read).loc;
        let floor = self.floor(graph, read);
        if floor == 0 {
            out.push(EventId::INIT);
        }
        let from = (floor as usize).saturating_sub(1);
        out.extend_from_slice(&graph.accesses[loc as usize].writes[from..]);
    }

    fn may_read_all_sources(&self, graph: &Graph, read: EventId) -> bool {
        self.sc_order.is_none() || graph.sc_events == u32::from(graph.event(read).is_sc())
    }

    fn first_place(&mut self, graph: &Graph, write: EventId) -> usize {
        self.floor(graph, write) as usize
    }

    fn read(&mut self, graph: &Graph, read: EventId) -> bool {
        let event = graph.event(read);
        let last = graph.write_index(event.rf) as usize == graph.accesses[event.loc as usize].writes.len();
        // No edge of psc leaves a read of the coherence-last write, so it closes no cycle.
        last || self.psc_holds(graph)
    }

    fn unread(&mut self, _graph: &Graph, _read: EventId) {}

    fn update(&mut self, graph: &Graph, update: EventId) -> bool {
        let event = graph.event(update);
        event.write_index as usize == graph.accesses[event.loc as usize].writes.len() || self.psc_holds(graph)
    }

    fn unupdate(&mut self, _graph: &Graph, _update: EventId) {}

    fn write(&mut self, graph: &Graph, write: EventId) -> bool {
        let event = graph.event(write);
        let last = event.write_index as usize == graph.accesses[event.loc as usize].writes.len();
        last || self.psc_holds(graph)
    }

    fn unwrite(&mut self, _graph: &Graph, _write: EventId) {}
    fn other(&mut self, _graph: &Graph, _event: EventId) {}
    fn unother(&mut self, _graph: &Graph, _event: EventId) {}

    fn rebuild(&mut self, _graph: &Graph) -> bool {
        true
    }

    fn revisited(
        &mut self,
        parent: &HbCoherence,
        _graph: &Graph,
        _lost: &[Loc],
        _write: EventId,
        _read: EventId,
    ) -> bool {
        self.sc_order = parent.sc_order;
        true
    }

    fn revisit_placed(&mut self, graph: &Graph, write: EventId, read: EventId) -> bool {
        let written = graph.event(write).write_index;
        // Nothing but the read happens after the write: if it is the coherence-last one, no edge of psc leads from the
        // two to anything else.
        let last = written as usize == graph.accesses[graph.event(write).loc as usize].writes.len();
        self.floor(graph, read) <= written && (last || self.psc_holds(graph))
    }

    fn revisit_unplaced(&mut self, _graph: &Graph, _write: EventId, _read: EventId) {}

    fn is_overwritten(&self, graph: &Graph, write: EventId, later: EventId) -> bool {
        graph.write_index(write) < graph.write_index(later)
    }

    fn reads_canonical(&mut self, _test: &CanonicalReadTest<'_>) -> bool {
        unreachable!("with a coherence order the search looks at that order instead")
    }
}

impl Explain for HbCoherence {
    fn last_writes(&mut self, graph: &Graph, locs: &[Loc], found: &mut dyn FnMut(&[u32])) {
        let row: Vec<u32> = locs
            .iter()
            .map(|&loc| graph.accesses.get(loc as usize).map_or(0, |p| p.writes.len() as u32))
            .collect();
        found(&row);
    }

    fn coherence(&mut self, graph: &Graph, _last: &[(Loc, u32)]) -> Vec<Vec<EventId>> {
        graph.accesses.iter().map(|place| place.writes.clone()).collect()
    }
}
