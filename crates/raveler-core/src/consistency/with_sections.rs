//! Consistency checks that also accept edges between critical sections: all of one section comes before
//! another one.
//!
//! For SC, TSO, PSO and SRA such an edge is one more of the global order (`global/section_edges.rs`). For RA,
//! RC11 and RC20 it raises the happens-before rows of everything after it, and each access with a raised row
//! must still be coherent. Edges are taken back in reverse order. Which edges to add is decided in
//! `sections.rs`.

use super::Consistency;
use super::hb_co::HbCoherence;
use super::hb_rf::HbReadsFrom;
use crate::graph::clocks::{Row, put_event};
use crate::graph::{Count, Graph, LANES, Loc};
use crate::id::EventId;
use crate::mutation::Mutant;

/// The events of a critical section: from the event that takes a lock to the one that releases it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SectionSpan {
    /// The event that takes the lock.
    pub lock: EventId,
    /// The event that releases it; none while it is held: then the span reaches to the thread's last event.
    pub unlock: Option<EventId>,
}

impl SectionSpan {
    /// Its last event in the graph.
    pub fn last(self, graph: &Graph) -> EventId {
        self.unlock.unwrap_or_else(|| graph.tip(self.lock.thread()))
    }

    /// Does an event lie strictly between lock and unlock?
    pub fn contains(self, id: EventId) -> bool {
        !id.is_init()
            && id.thread() == self.lock.thread()
            && id.index() > self.lock.index()
            && self.unlock.is_none_or(|unlock| id.index() < unlock.index())
    }
}

/// A point to which [`WithSections::undo_edges`] returns.
pub(crate) type EdgeMark = (usize, usize);

/// Decides whether a graph is consistent together with edges between critical sections.
///
/// Unlike [`Consistency`] it does not search for what is left open at each step: [`WithSections::completes`]
/// does, when asked.
pub(crate) trait WithSections: Consistency {
    fn edge_mark(&self) -> EdgeMark;

    /// Take back all edges since the mark; events added since then must have been taken back.
    fn undo_edges(&mut self, graph: &mut Graph, mark: EdgeMark);

    /// An event was pushed to the graph, a read with its source, a write in its location's list. False if
    /// that is impossible; it is to be taken back in either case.
    fn enter(&mut self, graph: &Graph, id: EventId) -> bool;
    fn leave(&mut self, graph: &Graph, id: EventId);

    /// A read became an update. On false nothing is to be taken back.
    fn enter_update(&mut self, graph: &Graph, id: EventId) -> bool;
    fn leave_update(&mut self, graph: &Graph, id: EventId);

    /// Everything of this section that is in the graph comes before `lock`. False if that is impossible.
    fn put_before(&mut self, graph: &mut Graph, section: SectionSpan, lock: EventId) -> bool;

    /// Is it known that `b` cannot come before `a`: because the lock event of `a` comes before some event of `b`, or
    /// because of the writes that their accesses show? And is it known that `a` cannot come before `b`? Where both is
    /// so, one of the answers may be left out: the edge that the other one asks for closes a cycle.
    fn known_order(&mut self, graph: &Graph, a: SectionSpan, b: SectionSpan) -> (bool, bool);

    /// Without a coherence order, before a read is entered: does it read the write that is last in every coherence order
    /// of the graph without it? Then it forces nothing.
    fn reads_last_write(&mut self, graph: &Graph, id: EventId) -> bool;

    /// Is there a coherence order that satisfies the model? Changes nothing.
    fn completes(&mut self, graph: &Graph) -> bool;

    /// Must the order of the sections be solved again at an unlock? Only with `seq_cst` events. An edge
    /// leaves a section from its last event; psc has `po; hb; po`, in RC11 without steps within one location,
    /// and where that last event is the `seq_cst` access itself, or in RC11 accesses its location, only the
    /// unlock gives it such a first step.
    fn depends_on_ends(&self, _graph: &Graph) -> bool {
        false
    }

    /// The write at this write index is the coherence-last one of its location. False if that is impossible;
    /// taken back as edges are.
    fn put_last(&mut self, graph: &Graph, loc: Loc, write_index: u32) -> bool;
}

/// Rows of the graph that edges between sections have raised, as they were before, for undo.
///
/// Rows are closed: one that has an event has all that the row of that event has.
#[derive(Debug, Default)]
pub(crate) struct HbOverlay {
    /// Entries: the old row in pieces, then which row it is: its length, thread, index of its event, and [`Row`].
    trail: Vec<[Count; LANES]>,
    row: Vec<Count>,
    /// The accesses whose happens-before rows the last edge raised, and where the old rows stand in the trail.
    pub changed: Vec<(EventId, usize)>,
    /// The index of the first update of each thread, if it has one.
    first_updates: Vec<Option<u32>>,
}

impl HbOverlay {
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// The row that stands here in the trail.
    pub fn old_row(&self, at: usize, stride: usize) -> &[Count] {
        &self.trail[at..].as_flattened()[..stride]
    }

    /// An update was added, the newest event of its thread.
    fn meet_update(&mut self, id: EventId) {
        if self.first_updates.len() <= id.thread() {
            self.first_updates.resize(id.thread() + 1, None);
        }
        self.first_updates[id.thread()].get_or_insert(id.index());
    }

    /// It was taken back.
    fn forget_update(&mut self, id: EventId) {
        let first = &mut self.first_updates[id.thread()];
        if *first == Some(id.index()) {
            *first = None;
        }
    }

    pub fn undo(&mut self, graph: &mut Graph, mark: usize) {
        while self.trail.len() > mark {
            let at = self.trail.len() - 1;
            let [length, thread, index, which, ..] = self.trail[at];
            let from = at - usize::from(length) / LANES;
            let id = EventId::new(thread.into(), index.into());
            let row = [Row::Porf, Row::Hb, Row::Message, Row::Past][usize::from(which)];
            let old = self.trail[from..at].as_flattened();
            graph.row_mut(id, row)[..old.len()].copy_from_slice(old);
            self.trail.truncate(from);
        }
    }

    /// `last` and all that comes before it come before `to`, and so before all that comes after `to`. False
    /// if that closes a cycle.
    pub fn raise(&mut self, graph: &mut Graph, last: EventId, to: EventId) -> bool {
        self.changed.clear();
        let is_past = Graph::in_row(graph.past(to), last);
        let is_before = Graph::in_row(graph.hb(to), last);
        if is_past && is_before {
            return true;
        }
        if Graph::in_row(graph.past(last), to) || to == last {
            return false;
        }
        if graph.clocks.past && !is_past {
            self.start_row(graph.past(last), last);
            self.raise_past(graph, last, to);
        }
        if !is_before {
            self.start_row(graph.hb(last), last);
            self.raise_hb(graph, last, to);
        }
        true
    }

    fn start_row(&mut self, row: &[Count], last: EventId) {
        self.row.clear();
        self.row.extend_from_slice(row);
        put_event(&mut self.row, last);
    }

    fn raise_past(&mut self, graph: &mut Graph, last: EventId, to: EventId) {
        let HbOverlay { trail, row: by, .. } = self;
        for t in 0..graph.threads.len() {
            let from = if t == to.thread() { to.index() } else { u32::MAX };
            for i in (0..graph.threads[t].events.len() as u32).rev() {
                let id = EventId::new(t as u32, i);
                let row = graph.row_mut(id, Row::Past);
                if i < from && !Graph::in_row(row, to) {
                    break;
                }
                if !Graph::in_row(row, last) {
                    raise_row(trail, row, by, (id, Row::Past));
                }
            }
        }
    }

    fn raise_hb(&mut self, graph: &mut Graph, last: EventId, to: EventId) {
        let messages = !graph.clocks.all_synchronises;
        let HbOverlay { trail, row: by, changed, first_updates } = self;
        for t in 0..graph.threads.len() {
            let first_update = first_updates.get(t).copied().flatten().filter(|_| messages);
            let from = if t == to.thread() { to.index() } else { u32::MAX };
            for i in (0..graph.threads[t].events.len() as u32).rev() {
                let id = EventId::new(t as u32, i);
                let kind = graph.event(id).kind;
                let row = graph.row_mut(id, Row::Hb);
                let is_behind = i >= from || Graph::in_row(row, to);
                if is_behind && !Graph::in_row(row, last) {
                    if kind.reads() || kind.writes() {
                        changed.push((id, trail.len()));
                    }
                    raise_row(trail, row, by, (id, Row::Hb));
                }
                // Nothing more happens before earlier events of the thread. Their messages may still grow: an
                // update passes on the message of its source even if it does not acquire it.
                if !is_behind && first_update.is_none_or(|first| i < first) {
                    break;
                }
                let message =
                    if messages && kind.writes() { graph.row_mut(id, Row::Message) } else { continue };
                if Graph::in_row(message, to) && !Graph::in_row(message, last) {
                    raise_row(trail, message, by, (id, Row::Message));
                }
            }
        }
    }
}

/// Rows are as long as some pieces of a size that is known.
#[inline]
fn raise_row(trail: &mut Vec<[Count; LANES]>, row: &mut [Count], by: &[Count], (id, which): (EventId, Row)) {
    let length = row.len() as Count;
    for (now, by) in row.as_chunks_mut::<LANES>().0.iter_mut().zip(by.as_chunks::<LANES>().0) {
        trail.push(*now);
        *now = std::array::from_fn(|at| now[at].max(by[at]));
    }
    let mut place = [0; LANES];
    place[..4].copy_from_slice(&[length, id.thread() as Count, id.index() as Count, which as Count]);
    trail.push(place);
}

/// Calls `shown` with each access of a section: its location, the write index of the write that it shows, and
/// whether it writes.
#[inline]
fn each_shown(graph: &Graph, section: SectionSpan, mut shown: impl FnMut(Loc, u32, bool)) {
    let log = &graph.threads[section.lock.thread()];
    let end = section.last(graph).index() as usize;
    for event in &log.events[section.lock.index() as usize..=end] {
        if event.kind.writes() {
            shown(event.loc, event.write_index, true);
        } else if event.kind.reads() {
            shown(event.loc, graph.write_index(event.rf), false);
        }
    }
}

/// Does some access of `a` show a write that is known to be coherence-before the one that an access of `b`
/// shows, or write what an access of `b` reads? Then `b` cannot come before `a`. And the other way round?
fn clashes(
    graph: &Graph,
    a: SectionSpan,
    b: SectionSpan,
    before: impl Fn(Loc, u32, u32) -> bool,
) -> (bool, bool) {
    let (mut forward, mut backward) = (false, false);
    each_shown(graph, a, |loc, first, writes| {
        each_shown(graph, b, |other, second, too| {
            if loc == other && first == second {
                forward |= writes && !too;
                backward |= too && !writes;
            } else if loc == other {
                forward |= before(loc, first, second);
                backward |= before(loc, second, first);
            }
        });
    });
    (forward, backward)
}

/// What the past of the sections' events says of their order, or else the writes that they show.
fn known_order(
    graph: &Graph,
    a: SectionSpan,
    b: SectionSpan,
    before: impl Fn(Loc, u32, u32) -> bool,
) -> (bool, bool) {
    let is_past = |a: SectionSpan, b: SectionSpan| Graph::in_row(graph.past(b.last(graph)), a.lock);
    match (is_past(a, b), is_past(b, a)) {
        (false, false) => clashes(graph, a, b, before),
        known => known,
    }
}

impl WithSections for HbReadsFrom {
    fn edge_mark(&self) -> EdgeMark {
        (self.raised.mark(), self.journal.len())
    }

    fn undo_edges(&mut self, graph: &mut Graph, (rows, journal): EdgeMark) {
        self.raised.undo(graph, rows);
        while self.journal.len() > journal {
            let (loc, mark) = self.journal.pop().expect("it is longer");
            self.locations[loc as usize].undo(mark);
        }
    }

    fn enter(&mut self, graph: &Graph, id: EventId) -> bool {
        let event = graph.event(id);
        if event.kind.reads() {
            self.enter_read(graph, id)
        } else if event.kind.writes() {
            self.write(graph, id)
        } else {
            true
        }
    }

    fn leave(&mut self, graph: &Graph, id: EventId) {
        let event = graph.event(id);
        if event.kind.reads() {
            self.unread(graph, id);
        } else if event.kind.writes() {
            self.unwrite(graph, id);
        }
    }

    fn enter_update(&mut self, graph: &Graph, id: EventId) -> bool {
        let fine = self.enter_update_alone(graph, id);
        if fine {
            self.raised.meet_update(id);
        }
        fine
    }

    fn leave_update(&mut self, graph: &Graph, id: EventId) {
        self.raised.forget_update(id);
        self.unupdate(graph, id);
    }

    fn put_before(&mut self, graph: &mut Graph, section: SectionSpan, lock: EventId) -> bool {
        if !self.raised.raise(graph, section.last(graph), lock) {
            return false;
        }
        let changed = std::mem::take(&mut self.raised.changed);
        let fine = Mutant::RaisedUnseen.is_active()
            || changed.iter().all(|&(id, old)| self.shown_more(graph, id, old));
        self.raised.changed = changed;
        fine
    }

    fn known_order(&mut self, graph: &Graph, a: SectionSpan, b: SectionSpan) -> (bool, bool) {
        known_order(graph, a, b, |loc, a, b| self.locations[loc as usize].is_before(a, b))
    }

    fn reads_last_write(&mut self, graph: &Graph, id: EventId) -> bool {
        self.reads_last(graph, id)
    }

    fn completes(&mut self, graph: &Graph) -> bool {
        self.psc_exists(graph)
    }

    fn depends_on_ends(&self, graph: &Graph) -> bool {
        self.psc(graph).is_some()
    }

    fn put_last(&mut self, _graph: &Graph, loc: Loc, write_index: u32) -> bool {
        let forced = self.location(loc);
        let mark = forced.mark();
        let fine = (0..forced.count() as u32)
            .all(|other| forced.same_block(other, write_index) || forced.force(other, write_index))
            && forced.can_be_last(write_index);
        self.journal.push((loc, mark));
        fine
    }
}

impl WithSections for HbCoherence {
    fn edge_mark(&self) -> EdgeMark {
        (self.raised.mark(), 0)
    }

    fn undo_edges(&mut self, graph: &mut Graph, (rows, _): EdgeMark) {
        self.raised.undo(graph, rows);
    }

    fn enter(&mut self, graph: &Graph, id: EventId) -> bool {
        self.is_coherent(graph, id)
    }

    fn leave(&mut self, _graph: &Graph, _id: EventId) {}

    fn enter_update(&mut self, _graph: &Graph, id: EventId) -> bool {
        self.raised.meet_update(id);
        true
    }

    fn leave_update(&mut self, _graph: &Graph, id: EventId) {
        self.raised.forget_update(id);
    }

    fn put_before(&mut self, graph: &mut Graph, section: SectionSpan, lock: EventId) -> bool {
        self.raised.raise(graph, section.last(graph), lock)
            && self.raised.changed.iter().all(|&(id, old)| self.stays_coherent(graph, id, old))
    }

    fn known_order(&mut self, graph: &Graph, a: SectionSpan, b: SectionSpan) -> (bool, bool) {
        known_order(graph, a, b, |_, a, b| a < b)
    }

    fn reads_last_write(&mut self, graph: &Graph, id: EventId) -> bool {
        let event = graph.event(id);
        graph.write_index(event.rf) as usize == graph.accesses[event.loc as usize].writes.len()
    }

    fn completes(&mut self, graph: &Graph) -> bool {
        self.psc_holds(graph)
    }

    fn depends_on_ends(&self, graph: &Graph) -> bool {
        self.psc(graph).is_some()
    }

    fn put_last(&mut self, graph: &Graph, loc: Loc, write_index: u32) -> bool {
        write_index as usize == graph.accesses.get(loc as usize).map_or(0, |place| place.writes.len())
    }
}
