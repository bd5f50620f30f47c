//! Does a memory model allow this graph: is there a coherence order that satisfies its axioms?
//!
//! One implementation per family of models and equivalence, each exact at every step
//! (docs/engine.md, "Consistency"):
//!
//! - [`hb_rf`]: models in which happens-before decides (RA, RC11, RC20), reads-from equivalence;
//! - [`forced_coherence`]: the forced part of one location's coherence order, which [`hb_rf`] keeps;
//! - [`hb_co`]: the same models with the coherence order kept in the graph;
//! - [`happens_before`]: the rows of happens-before of these models;
//! - [`psc`]: the order of `seq_cst` events that RC11 and RC20 add;
//! - [`global`]: models with one global order (SC, TSO, PSO, SRA), both equivalences;
//! - [`with_sections`], [`sections`]: the same question with critical sections that the graph leaves
//!   unordered.

pub(crate) mod forced_coherence;
pub(crate) mod global;
pub(crate) mod happens_before;
pub(crate) mod hb_co;
pub(crate) mod hb_rf;
pub(crate) mod psc;
pub(crate) mod sections;
pub(crate) mod with_sections;

use crate::graph::{Event, EventTag, Graph, Kind, Loc};
use crate::id::EventId;
use crate::models::{ConsistencyKind, Model, ScOrder, Synchronisation};
use crate::mutation::Mutant;
use crate::program::action::{Order, Value};
use crate::settings::Settings;

/// Decides, event by event and with undo, whether the graph stays consistent. Exact at every step.
///
/// Events are shown to it after they were pushed to the graph and taken back, last first, before they are popped.
pub(crate) trait Consistency: Explain + Sized {
    /// Does the graph keep the coherence order (in [`crate::graph::LocationAccesses::writes`])?
    const COHERENCE: bool;

    fn new(settings: &Settings) -> Self;

    /// Did some graph that was shown hold more stores in a buffer than [`Settings::buffer_bound`] allows? Then the
    /// bound may have kept executions out.
    fn bound_met(&self) -> bool {
        false
    }

    /// Fill `out` with the writes that a read, just pushed and not yet given a source, might read; what cannot
    /// be consistent may be left out.
    fn sources(&mut self, graph: &Graph, read: EventId, out: &mut Vec<EventId>);

    /// Is every write that [`Consistency::sources`] gave for the newest event, a read, consistent, so that
    /// [`Consistency::read`] would always say so? False where that is not known. Its label plays no role: that is what its
    /// last source made it.
    fn may_read_all_sources(&self, _graph: &Graph, _read: EventId) -> bool {
        false
    }

    /// With a coherence order: the first place at which this write can be consistent; earlier ones need not
    /// be tried. A place is the number of writes before it.
    fn first_place(&mut self, _graph: &Graph, _write: EventId) -> usize {
        0
    }

    /// A read was given its source. Consistent?
    fn read(&mut self, graph: &Graph, read: EventId) -> bool;
    fn unread(&mut self, graph: &Graph, read: EventId);

    /// A read became an update and stands in its location's list. Consistent? On false nothing needs undoing.
    fn update(&mut self, graph: &Graph, update: EventId) -> bool;
    fn unupdate(&mut self, graph: &Graph, update: EventId);

    /// A write was put into its location's list. Consistent? On false nothing needs undoing.
    fn write(&mut self, graph: &Graph, write: EventId) -> bool;
    fn unwrite(&mut self, graph: &Graph, write: EventId);

    /// Any other event.
    fn other(&mut self, graph: &Graph, event: EventId);
    fn unother(&mut self, graph: &Graph, event: EventId);

    /// Forget everything and build the state for this graph. Consistent?
    fn rebuild(&mut self, graph: &Graph) -> bool;

    /// Build the state for a graph made by [`Graph::revisit`] from the graph of `parent`; `lost` names the
    /// locations that lost accesses. With a coherence order, `write` is not in its list yet and is left out,
    /// and so is `read`, which reads from it. Consistent?
    fn revisited(
        &mut self,
        parent: &Self,
        graph: &Graph,
        lost: &[Loc],
        write: EventId,
        read: EventId,
    ) -> bool;

    /// With a coherence order, after [`Consistency::revisited`]: the write was put into its list. Consistent?
    fn revisit_placed(&mut self, graph: &Graph, write: EventId, read: EventId) -> bool;
    fn revisit_unplaced(&mut self, graph: &Graph, write: EventId, read: EventId);

    /// Is `later` coherence-after `write` in every coherence order of the graph, and of every part of it that
    /// holds the past of both, so that the canonical choice of a read prefers it? False where that is not
    /// known.
    fn is_overwritten(&self, graph: &Graph, write: EventId, later: EventId) -> bool;

    /// Does a read that a revisit would delete read the canonical write of its part? Only asked without a
    /// coherence order.
    fn reads_canonical(&mut self, test: &CanonicalReadTest<'_>) -> bool;
}

/// The order that `seq_cst` events have of their own under this model, if they have one.
pub(crate) fn sc_order(model: Model) -> Option<ScOrder> {
    match model.definition().consistency {
        ConsistencyKind::HappensBefore(Synchronisation::C11(_, _)) if Mutant::ScOrderOfRc11.is_active() => {
            Some(ScOrder::Rc11)
        }
        ConsistencyKind::HappensBefore(Synchronisation::C11(_, sc_order)) => Some(sc_order),
        ConsistencyKind::GlobalOrder(_) | ConsistencyKind::HappensBefore(Synchronisation::Always) => None,
        ConsistencyKind::BuiltOn(model) => sc_order(model),
    }
}

/// Coherence orders, and orders of critical sections, under which the model allows the graph as it stands.
pub(crate) trait Explain {
    /// All combinations of last writes for these locations, as write indices.
    fn last_writes(&mut self, graph: &Graph, locs: &[Loc], found: &mut dyn FnMut(&[u32]));

    /// The writes of every location in one coherence order that explains the graph, with these write indices last.
    fn coherence(&mut self, graph: &Graph, last: &[(Loc, u32)]) -> Vec<Vec<EventId>>;

    /// The same for critical sections that the graph leaves unordered: pairs of events, the first before the second.
    fn lock_edges(&mut self, _graph: &Graph, _last: &[(Loc, u32)]) -> Vec<(EventId, EventId)> {
        Vec::new()
    }

    /// If the graph was recorded from a run with store buffers: the stores that reached memory, in their order, each
    /// with the number of events before that. The events of such a graph stand in the order in which they happened.
    fn flushes(&self) -> Option<Vec<(EventId, usize)>> {
        None
    }
}

/// The label of an event that reads a certain value. Computed from its operation, without asking the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label {
    pub order: Order,
    pub tag: EventTag,
    /// What it writes, if it writes.
    pub written: Option<Value>,
}

/// The test of a read that a revisit would delete: does it read the canonical write of the part of the graph that is
/// older than it, together with the past of the write that revisits (docs/engine.md, "The canonical write")?
///
/// The canonical write of a part is the best-ranked one among the writes that the read, with the label it
/// gets from them, may see and that no other of them must follow.
pub(crate) struct CanonicalReadTest<'a> {
    pub graph: &'a Graph,
    /// The revisiting event; it belongs to the part as a plain read if it is an update.
    pub write: EventId,
    pub read: EventId,
    /// By thread number, the threads' names: a rank that does not depend on the search.
    pub ranks: &'a [u32],
    /// The read's label for a value.
    pub label: &'a dyn Fn(Value) -> Label,
}

impl CanonicalReadTest<'_> {
    /// Is this event in the part? The revisiting event itself is not.
    #[inline]
    pub fn has(&self, id: EventId, event: &Event) -> bool {
        id != self.write
            && (event.stamp < self.graph.event(self.read).stamp
                || Graph::in_row(self.graph.porf(self.write), id))
    }

    /// Is `a` ranked above `b`? By thread name, then index in the thread, greatest first; the initial write
    /// is the worst.
    fn ranks_above(&self, a: EventId, b: EventId) -> bool {
        if Mutant::RankedByStamp.is_active() {
            return b.is_init() || self.graph.event(a).stamp > self.graph.event(b).stamp;
        }
        b.is_init() || (self.ranks[a.thread()], a.index()) > (self.ranks[b.thread()], b.index())
    }

    /// Do all other writes of the part happen before the one that is read? Then they are overwritten,
    /// whatever their rank. Accesses that a lock guards always pass this test.
    pub fn reads_the_last(&self) -> bool {
        let event = self.graph.event(self.read);
        let writes = &self.graph.accesses[event.loc as usize].writes;
        let others = || writes.iter().copied().filter(|&w| w != self.read && w != event.rf);
        let mut inside = others().filter(|&w| self.has(w, self.graph.event(w)));
        if event.rf.is_init() {
            return inside.next().is_none();
        }
        let past = self.graph.hb(event.rf);
        inside.all(|w| Graph::in_row(past, w))
    }

    /// The writes of the part that rank above what the read reads, best first.
    pub fn better_choices(&self) -> Vec<EventId> {
        let event = self.graph.event(self.read);
        let writes = &self.graph.accesses[event.loc as usize].writes;
        let better = |&w: &EventId| {
            self.ranks_above(w, event.rf) && w != self.read && self.has(w, self.graph.event(w))
        };
        let mut choices: Vec<EventId> = writes.iter().copied().filter(better).collect();
        choices.sort_by_key(|&w| std::cmp::Reverse((self.ranks[w.thread()], w.index())));
        choices
    }

    /// Could the read, in the part as a graph of its own, read `choice`?
    pub fn allows<C: Consistency>(&self, order: &mut C, part: &mut Graph, choice: EventId) -> bool {
        let label = (self.label)(part.event(choice).written);
        let mut event = *self.graph.event(self.read);
        event.kind = Kind::Read;
        event.rf = choice;
        event.order = label.order;
        event.tag = label.tag;
        event.pinned = false;
        let id = part.push(self.read.thread(), event);
        happens_before::compute(part, id);
        let mut fine = order.read(part, id);
        if fine
            && !Mutant::CanonicalAsRead.is_active()
            && let Some(written) = label.written
        {
            part.promote(id, written, false);
            fine = order.update(part, id);
            if fine {
                order.unupdate(part, id);
            }
            part.demote(id);
        }
        order.unread(part, id);
        part.pop();
        fine
    }
}
