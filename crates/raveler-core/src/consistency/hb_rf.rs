//! RA, RC11 and RC20 without a coherence order: some order must exist, location by location.
//!
//! Exact and without search (docs/engine.md, "Happens-before models"): an access is coherent iff no write
//! shown by an access that happens before it is forced after the one it reads. Only `seq_cst` events connect
//! locations; with two or more of them [`super::psc`] decides the rest.

mod canonical;

use super::forced_coherence::ForcedCoherence;
use super::psc;
use super::with_sections::HbOverlay;
use super::{CanonicalReadTest, Consistency, Explain};
use crate::graph::{Count, Graph, Loc};
use crate::id::EventId;
use crate::models::ScOrder;
use crate::mutation::Mutant;
use crate::settings::Settings;

/// The forced order of every location.
pub(crate) struct HbReadsFrom {
    /// The order that `seq_cst` events have of their own, if they have one.
    sc_order: Option<ScOrder>,
    pub(super) locations: Vec<ForcedCoherence>,
    /// Undo marks, one for each read and each update that was shown and not taken back.
    marks: Vec<(Loc, usize)>,
    /// Scratch: the write indices shown by accesses that happen before one.
    seen: Vec<u32>,
    /// Scratch of the canonical test: the forced order of one location of the part, and write indices of the
    /// graph as write indices of the part.
    part: ForcedCoherence,
    write_indices: Vec<u32>,
    row: Vec<Count>,
    scratch: Option<Box<(HbReadsFrom, Graph)>>,
    /// The rows of happens-before that edges between critical sections have raised, and undo marks of the
    /// locations they changed.
    pub(super) raised: HbOverlay,
    pub(super) journal: Vec<(Loc, usize)>,
}

impl HbReadsFrom {
    fn empty(sc_order: Option<ScOrder>) -> HbReadsFrom {
        HbReadsFrom {
            sc_order,
            locations: Vec::new(),
            marks: Vec::new(),
            seen: Vec::new(),
            part: ForcedCoherence::default(),
            write_indices: Vec::new(),
            row: Vec::new(),
            scratch: None,
            raised: HbOverlay::default(),
            journal: Vec::new(),
        }
    }

    /// The forced order of a location, with at least the initial write.
    pub(super) fn location(&mut self, loc: Loc) -> &mut ForcedCoherence {
        let at = loc as usize;
        if at >= self.locations.len() {
            self.locations.resize_with(at + 1, ForcedCoherence::default);
        }
        let location = &mut self.locations[at];
        if location.is_empty() {
            location.clear();
        }
        location
    }

    /// `seen` := the write indices of the writes shown by accesses that happen before this one, of the same
    /// location.
    fn gather_seen(&mut self, graph: &Graph, id: EventId) {
        gather_seen(graph, id, &mut self.seen);
    }

    /// Build one location from the graph; false if it has no coherence order.
    fn rebuild_location(&mut self, graph: &Graph, loc: Loc) -> bool {
        self.location(loc);
        let mut forced = std::mem::take(&mut self.locations[loc as usize]);
        let fine = build(&mut forced, graph, loc, &mut self.seen);
        self.locations[loc as usize] = forced;
        fine
    }

    fn rebuild_locations(&mut self, graph: &Graph) -> bool {
        self.marks.clear();
        (0..graph.accesses.len()).all(|loc| self.rebuild_location(graph, loc as Loc))
    }

    /// `seen` := what [`HbReadsFrom::gather_seen`] would gather if the event read nothing.
    fn gather_seen_before(&mut self, graph: &Graph, id: EventId) {
        self.seen.clear();
        graph.row_before(id, &mut self.row);
        let seen = &mut self.seen;
        graph.each_seen(graph.event(id).loc, &self.row, graph.event(id).part, |write| {
            if !write.is_init() {
                seen.push(graph.event(write).write_index);
            }
        });
    }

    /// The order of `seq_cst` events, if psc can have a cycle.
    pub(super) fn psc(&self, graph: &Graph) -> Option<ScOrder> {
        self.sc_order.filter(|_| !psc::too_few(graph))
    }

    /// Is psc acyclic under some coherence order, where the model has it?
    pub(super) fn psc_exists(&mut self, graph: &Graph) -> bool {
        self.psc(graph).is_none_or(|sc_order| psc::exists(graph, sc_order, &mut self.locations, None))
    }

    /// Before a new event is added: does it read the write that is last in every coherence order of the graph without
    /// it? In the order under which psc had no cycle, too, then; and no edge of psc leaves a newest event that reads the
    /// last write.
    pub(super) fn reads_last(&mut self, graph: &Graph, id: EventId) -> bool {
        let event = graph.event(id);
        self.location(event.loc).must_be_last(graph.write_index(event.rf))
    }

    /// Add a read with its source, without asking for psc.
    pub(super) fn enter_read(&mut self, graph: &Graph, read: EventId) -> bool {
        let event = graph.event(read);
        self.gather_seen(graph, read);
        let target = graph.write_index(event.rf);
        let seen = std::mem::take(&mut self.seen);
        let forced = self.location(event.loc);
        let mark = forced.mark();
        let fine = forced.require(&seen, target);
        self.seen = seen;
        self.marks.push((event.loc, mark));
        fine
    }

    /// A read becomes an update, without asking for psc. On false nothing needs undoing.
    pub(super) fn enter_update_alone(&mut self, graph: &Graph, update: EventId) -> bool {
        let event = graph.event(update);
        let source = graph.write_index(event.rf);
        let forced = self.location(event.loc);
        let mark = forced.mark();
        if forced.push_update(source).is_none() {
            return false;
        }
        self.marks.push((event.loc, mark));
        true
    }

    /// An edge between sections was added, and more happens before this access than when it was added: is
    /// there still a coherence order? Its old row stands here in the trail of rows; what that had is known. Undone by
    /// the journal.
    pub(super) fn shown_more(&mut self, graph: &Graph, id: EventId, old_row: usize) -> bool {
        let event = graph.event(id);
        let mut seen = std::mem::take(&mut self.seen);
        seen.clear();
        let old = self.raised.old_row(old_row, graph.stride);
        graph.each_newly_seen(event.loc, (old, graph.hb(id)), event.part, |write| {
            if !write.is_init() {
                seen.push(graph.event(write).write_index);
            }
        });
        if seen.is_empty() {
            self.seen = seen;
            return true;
        }
        let forced = self.location(event.loc);
        let mark = forced.mark();
        let fine = if event.kind.reads() {
            forced.require(&seen, graph.write_index(event.rf))
        } else {
            forced.require_before(&seen, event.write_index)
        };
        if forced.mark() > mark {
            self.journal.push((event.loc, mark));
        }
        self.seen = seen;
        fine
    }
}

/// `seen` := the write indices of the writes shown by accesses that happen before this one, of the same location.
#[inline]
fn gather_seen(graph: &Graph, id: EventId, seen: &mut Vec<u32>) {
    seen.clear();
    graph.each_seen_by(id, |write| {
        if !write.is_init() {
            seen.push(graph.event(write).write_index);
        }
    });
}

/// Build the forced order of a location; false if there is none.
fn build(forced: &mut ForcedCoherence, graph: &Graph, loc: Loc, seen: &mut Vec<u32>) -> bool {
    forced.clear();
    let writes = &graph.accesses[loc as usize].writes;
    // Writes first, as they were added: nearly always one has seen only such as were added before it.
    for &write in writes {
        let event = graph.event(write);
        gather_seen(graph, write, seen);
        let source = if event.kind.reads() { graph.write_index(event.rf) } else { 0 };
        if seen.iter().chain([&source]).any(|&earlier| earlier >= event.write_index) {
            return build_all_at_once(forced, graph, loc, seen);
        }
        if !event.kind.reads() {
            forced.push_write(seen);
        } else if forced.push_update(source).is_none() || !forced.require(seen, source) {
            return false;
        }
    }
    let mut fine = true;
    graph.each_access(loc, |id, event| {
        if fine && !event.kind.writes() {
            gather_seen(graph, id, seen);
            fine = forced.require(seen, graph.write_index(event.rf));
        }
    });
    fine
}

/// The same where edges between critical sections put writes before others that were added earlier.
fn build_all_at_once(forced: &mut ForcedCoherence, graph: &Graph, loc: Loc, seen: &mut Vec<u32>) -> bool {
    let place = &graph.accesses[loc as usize];
    forced.start_slots(place.writes.len());
    for &write in &place.writes {
        let event = graph.event(write);
        if event.kind.reads() && !forced.link(graph.write_index(event.rf), event.write_index) {
            return false;
        }
    }
    if !forced.settle() {
        return false;
    }
    let mut fine = true;
    graph.each_access(loc, |id, event| {
        if fine {
            gather_seen(graph, id, seen);
            fine = match event.kind.reads() {
                true => forced.require(seen, graph.write_index(event.rf)),
                false => forced.require_before(seen, event.write_index),
            };
        }
    });
    fine
}

impl Consistency for HbReadsFrom {
    const COHERENCE: bool = false;

    fn new(settings: &Settings) -> HbReadsFrom {
        HbReadsFrom::empty(super::sc_order(settings.model))
    }

    fn sources(&mut self, graph: &Graph, read: EventId, out: &mut Vec<EventId>) {
        let loc = graph.event(read).loc;
        self.gather_seen(graph, read);
        self.location(loc);
        let forced = &self.locations[loc as usize];
        let seen = &self.seen;
        let may = |write_index: u32| seen.iter().all(|&s| forced.may_follow(s, write_index));
        if seen.is_empty() {
            out.push(EventId::INIT);
        }
        for &write in &graph.accesses[loc as usize].writes {
            if may(graph.event(write).write_index) {
                out.push(write);
            }
        }
    }

    fn read(&mut self, graph: &Graph, read: EventId) -> bool {
        let closes_no_cycle = self.reads_last(graph, read);
        self.enter_read(graph, read) && (closes_no_cycle || self.psc_exists(graph))
    }

    fn unread(&mut self, _graph: &Graph, _read: EventId) {
        let (loc, mark) = self.marks.pop().expect("unread follows read");
        self.locations[loc as usize].undo(mark);
    }

    fn update(&mut self, graph: &Graph, update: EventId) -> bool {
        let closes_no_cycle = self.reads_last(graph, update);
        if !self.enter_update_alone(graph, update) {
            return false;
        }
        if closes_no_cycle || self.psc_exists(graph) {
            return true;
        }
        self.unupdate(graph, update);
        false
    }

    fn unupdate(&mut self, graph: &Graph, update: EventId) {
        let (loc, mark) = self.marks.pop().expect("unupdate follows update");
        let source = graph.write_index(graph.event(update).rf);
        let forced = &mut self.locations[loc as usize];
        forced.pop_update(source);
        forced.undo(mark);
    }

    fn write(&mut self, graph: &Graph, write: EventId) -> bool {
        self.gather_seen(graph, write);
        let seen = std::mem::take(&mut self.seen);
        let forced = self.location(graph.event(write).loc);
        forced.push_write(&seen);
        self.seen = seen;
        true
    }

    fn unwrite(&mut self, graph: &Graph, write: EventId) {
        self.locations[graph.event(write).loc as usize].pop_write();
    }

    fn other(&mut self, _graph: &Graph, _event: EventId) {}
    fn unother(&mut self, _graph: &Graph, _event: EventId) {}

    fn rebuild(&mut self, graph: &Graph) -> bool {
        self.rebuild_locations(graph) && self.psc_exists(graph)
    }

    fn revisited(
        &mut self,
        parent: &HbReadsFrom,
        graph: &Graph,
        lost: &[Loc],
        write: EventId,
        _read: EventId,
    ) -> bool {
        self.sc_order = parent.sc_order;
        self.marks.clear();
        self.locations
            .resize_with(parent.locations.len().max(self.locations.len()), ForcedCoherence::default);
        let home = graph.event(write).loc;
        for (at, theirs) in parent.locations.iter().enumerate() {
            let loc = at as Loc;
            if loc != home && !lost.contains(&loc) {
                self.locations[at].assign(theirs);
            } else if graph.accesses.len() > at && !self.rebuild_location(graph, loc) {
                return false;
            }
        }
        for location in &mut self.locations[parent.locations.len()..] {
            location.clear();
        }
        // What is left of the parent's graph has an order in which psc has no cycle. Nothing but the read happens after
        // the write, so a plain write can come last in that order; then no edge of psc leads from the two to anything else.
        !graph.event(write).kind.reads() || self.psc_exists(graph)
    }

    fn revisit_placed(&mut self, _graph: &Graph, _write: EventId, _read: EventId) -> bool {
        true
    }

    fn revisit_unplaced(&mut self, _graph: &Graph, _write: EventId, _read: EventId) {}

    fn is_overwritten(&self, graph: &Graph, write: EventId, later: EventId) -> bool {
        write.is_init() || Graph::in_row(graph.hb(later), write)
    }

    fn reads_canonical(&mut self, test: &CanonicalReadTest<'_>) -> bool {
        self.reads_canonical_write(test)
    }
}

impl Explain for HbReadsFrom {
    fn last_writes(&mut self, graph: &Graph, locs: &[Loc], found: &mut dyn FnMut(&[u32])) {
        for &loc in locs {
            self.location(loc);
        }
        let options: Vec<Vec<u32>> = locs
            .iter()
            .map(|&loc| {
                let forced = &self.locations[loc as usize];
                (0..forced.count() as u32)
                    .filter(|&s| forced.can_be_last(s) || Mutant::LastWriteFree.is_active())
                    .collect()
            })
            .collect();
        let joint = self.psc(graph).is_some();
        let mut row = vec![0; locs.len()];
        self.combine(graph, locs, &options, joint, 0, &mut row, found);
    }

    fn coherence(&mut self, graph: &Graph, last: &[(Loc, u32)]) -> Vec<Vec<EventId>> {
        let mut marks = Vec::new();
        for &(loc, write_index) in last {
            let forced = self.location(loc);
            marks.push((loc, forced.mark()));
            for other in 0..forced.count() as u32 {
                let _ = forced.same_block(other, write_index) || forced.force(other, write_index);
            }
        }
        let mut orders = Vec::new();
        if let Some(sc_order) = self.psc(graph) {
            psc::exists(graph, sc_order, &mut self.locations, Some(&mut orders));
        } else {
            for loc in 0..graph.accesses.len() as Loc {
                let order = self.location(loc).linear();
                orders.push(order.into_iter().filter(|&s| s != 0).map(|s| graph.write_at(loc, s)).collect());
            }
        }
        for (loc, mark) in marks.into_iter().rev() {
            self.locations[loc as usize].undo(mark);
        }
        orders
    }
}

impl HbReadsFrom {
    /// Calls `found` with each combination of the options; those before `at` are chosen. `joint`: psc
    /// connects the locations, so a combination counts only if psc is acyclic under a coherence order with
    /// these last writes.
    #[allow(clippy::too_many_arguments)]
    fn combine(
        &mut self,
        graph: &Graph,
        locs: &[Loc],
        options: &[Vec<u32>],
        joint: bool,
        at: usize,
        row: &mut Vec<u32>,
        found: &mut dyn FnMut(&[u32]),
    ) {
        if at == locs.len() {
            if !joint || self.psc_exists(graph) {
                found(row);
            }
            return;
        }
        let loc = locs[at] as usize;
        for &write_index in &options[at] {
            row[at] = write_index;
            if !joint || options[at].len() == 1 {
                self.combine(graph, locs, options, joint, at + 1, row, found);
                continue;
            }
            let mark = self.locations[loc].mark();
            let count = self.locations[loc].count() as u32;
            let fine = (0..count).all(|other| {
                self.locations[loc].same_block(other, write_index)
                    || self.locations[loc].force(other, write_index)
            });
            if fine {
                self.combine(graph, locs, options, joint, at + 1, row, found);
            }
            self.locations[loc].undo(mark);
        }
    }
}
