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
use crate::graph::{Graph, Loc};
use crate::id::EventId;

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

    /// Is it known that `second` cannot come before `first`: because the lock event of `first` comes before
    /// some event of `second`, or because of the writes that their accesses show?
    fn is_known_before(&mut self, graph: &Graph, first: SectionSpan, second: SectionSpan) -> bool;

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
#[derive(Debug, Default)]
pub(crate) struct HbOverlay {
    /// Entries: the old row, its length, the thread and the index of its event, and which of its rows it is.
    trail: Vec<u32>,
    row: Vec<u32>,
    /// The accesses whose happens-before rows the last edge raised.
    pub changed: Vec<EventId>,
    /// The index of the first update of each thread, if it has one.
    first_updates: Vec<Option<u32>>,
}

impl HbOverlay {
    pub fn mark(&self) -> usize {
        self.trail.len()
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
            let at = self.trail.len() - 4;
            let [length, thread, index, which] = self.trail[at..] else { unreachable!("four words") };
            let from = at - length as usize;
            let start = index as usize * graph.stride;
            let log = &mut graph.threads[thread as usize];
            let rows = match which {
                HB => &mut log.hb,
                MESSAGE => &mut log.message,
                _ => &mut log.past,
            };
            rows[start..start + length as usize].copy_from_slice(&self.trail[from..at]);
            self.trail.truncate(from);
        }
    }

    /// `last` and all that comes before it come before `to`, and so before all that comes after `to`. False
    /// if that closes a cycle.
    pub fn raise(&mut self, graph: &mut Graph, last: EventId, to: EventId) -> bool {
        self.changed.clear();
        if Graph::in_row(graph.past(last), to) || to == last {
            return false;
        }
        if graph.clocks.past {
            self.start_row(graph.past(last), last);
            self.raise_past(graph, to);
        }
        self.start_row(graph.hb(last), last);
        if !contains(graph.hb(to), &self.row) {
            self.raise_hb(graph, to);
        }
        true
    }

    fn start_row(&mut self, row: &[u32], last: EventId) {
        self.row.clear();
        self.row.extend_from_slice(row);
        self.row[last.thread()] = self.row[last.thread()].max(last.index() + 1);
    }

    fn raise_past(&mut self, graph: &mut Graph, to: EventId) {
        if contains(graph.past(to), &self.row) {
            return;
        }
        let stride = graph.stride;
        for (t, log) in graph.threads.iter_mut().enumerate() {
            for i in (0..log.events.len()).rev() {
                let row = &mut log.past[i * stride..(i + 1) * stride];
                if !(t == to.thread() && i as u32 >= to.index() || Graph::in_row(row, to)) {
                    break;
                }
                raise_row(&mut self.trail, row, &self.row, (t, i, PAST));
            }
        }
    }

    fn raise_hb(&mut self, graph: &mut Graph, to: EventId) {
        let stride = graph.stride;
        let messages = !graph.clocks.all_synchronises;
        for (t, log) in graph.threads.iter_mut().enumerate() {
            let first_update = self.first_updates.get(t).copied().flatten().filter(|_| messages);
            for i in (0..log.events.len()).rev() {
                let at = i * stride;
                let row = &mut log.hb[at..at + stride];
                let behind = t == to.thread() && i as u32 >= to.index() || Graph::in_row(row, to);
                let kind = log.events[i].kind;
                if behind
                    && raise_row(&mut self.trail, row, &self.row, (t, i, HB))
                    && (kind.reads() || kind.writes())
                {
                    self.changed.push(EventId::new(t as u32, i as u32));
                }
                // Nothing more happens before earlier events of the thread. Their messages may still grow: an
                // update passes on the message of its source even if it does not acquire it.
                if !behind && first_update.is_none_or(|first| (i as u32) < first) {
                    break;
                }
                let message = &mut log.message[at..at + stride];
                if messages && kind.writes() && Graph::in_row(message, to) {
                    raise_row(&mut self.trail, message, &self.row, (t, i, MESSAGE));
                }
            }
        }
    }
}

/// Which of an event's rows.
const HB: u32 = 0;
const MESSAGE: u32 = 1;
const PAST: u32 = 2;

fn contains(row: &[u32], other: &[u32]) -> bool {
    row.iter().zip(other).all(|(a, b)| a >= b)
}

fn raise_row(trail: &mut Vec<u32>, row: &mut [u32], by: &[u32], place: (usize, usize, u32)) -> bool {
    if contains(row, by) {
        return false;
    }
    trail.extend_from_slice(row);
    trail.extend_from_slice(&[row.len() as u32, place.0 as u32, place.1 as u32, place.2]);
    for (x, y) in row.iter_mut().zip(by) {
        *x = (*x).max(*y);
    }
    true
}

/// Calls `shown` with each access of a section: its location, the write index of the write that it shows, and
/// whether it writes.
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

/// Does some access of `first` show a write that is known to be coherence-before the one that an access of
/// `second` shows, or write what an access of `second` reads? Then `second` cannot come before `first`.
fn clashes(
    graph: &Graph,
    first: SectionSpan,
    second: SectionSpan,
    before: impl Fn(Loc, u32, u32) -> bool,
) -> bool {
    let mut found = false;
    each_shown(graph, first, |loc, earlier, writes| {
        each_shown(graph, second, |other, later, too| {
            found |=
                loc == other && if earlier == later { writes && !too } else { before(loc, earlier, later) };
        });
    });
    found
}

/// Is the lock event of `first` in the past of some event of `second`?
fn is_past(graph: &Graph, first: SectionSpan, second: SectionSpan) -> bool {
    Graph::in_row(graph.past(second.last(graph)), first.lock)
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
        let fine = changed.iter().all(|&id| self.shown_more(graph, id));
        self.raised.changed = changed;
        fine
    }

    fn is_known_before(&mut self, graph: &Graph, first: SectionSpan, second: SectionSpan) -> bool {
        is_past(graph, first, second)
            || clashes(graph, first, second, |loc, a, b| self.locations[loc as usize].is_before(a, b))
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
            && self.raised.changed.iter().all(|&id| self.is_coherent(graph, id))
    }

    fn is_known_before(&mut self, graph: &Graph, first: SectionSpan, second: SectionSpan) -> bool {
        is_past(graph, first, second) || clashes(graph, first, second, |_, a, b| a < b)
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
