//! Vector clocks: for each event how many events of each thread are in its past, happen before it, or are
//! sent on by it (docs/engine.md, "Rows").
//!
//! A row is a set of events that is closed under program order. Rows of the past are computed here, those of
//! happens-before in `consistency/happens_before.rs`.

use super::{EventTag, Graph, Kind};
use crate::id::EventId;
use crate::mutation::Mutant;

/// A number of events of one thread. No execution has as many events as this can count.
pub(crate) type Count = u16;

/// The length of a row is a multiple of this: so many numbers fit into a vector of every processor.
pub(crate) const LANES: usize = 8;

/// `row` := `row` ∪ `by`
#[inline]
pub(crate) fn raise(row: &mut [Count], by: &[Count]) {
    for (row, by) in row.as_chunks_mut::<LANES>().0.iter_mut().zip(by.as_chunks::<LANES>().0) {
        for (x, y) in row.iter_mut().zip(by) {
            *x = (*x).max(*y);
        }
    }
}

/// `row` := `from`
#[inline]
pub(crate) fn copy_row(row: &mut [Count], from: &[Count]) {
    for (row, from) in row.as_chunks_mut::<LANES>().0.iter_mut().zip(from.as_chunks::<LANES>().0) {
        *row = *from;
    }
}

/// The last event of a row's thread is this one, or a later one.
#[inline]
pub(crate) fn put_event(row: &mut [Count], id: EventId) {
    let count = &mut row[id.thread()];
    *count = (*count).max(id.index() as Count + 1);
}

/// The rows of an event: its past, and those that only some models have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Row {
    /// How many events of each thread are in its past.
    Porf,
    /// What happens before it, where that differs from its past.
    Hb,
    /// What a read of this write receives when it synchronises; of other events it means nothing.
    Message,
    /// The past with what the order of critical sections adds, where the model's happens-before is smaller.
    Past,
}

/// Which rows a graph keeps for each event besides its past, and what they hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ClockRules {
    /// Rows of happens-before, where it is not simply the past.
    pub hb: bool,
    /// Rows of the past with what critical sections add, where happens-before is smaller.
    pub past: bool,
    /// Does every read learn all that happened before the write that it reads from?
    pub all_synchronises: bool,
    pub release_sequences: ReleaseSequences,
}

/// Which writes continue a release sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReleaseSequences {
    /// Later writes of the same thread to the same location too: RC11 as published.
    SameThread,
    /// Chains of updates only: C++20.
    #[default]
    UpdatesOnly,
}

impl ClockRules {
    /// How many rows an event has.
    pub(super) fn rows(self) -> usize {
        match (self.hb, self.past) {
            (false, _) => Row::Porf as usize + 1,
            (true, false) => Row::Message as usize + 1,
            (true, true) => Row::Past as usize + 1,
        }
    }
}

impl Graph {
    /// A row of an event, which the graph must keep.
    #[inline]
    pub fn row(&self, id: EventId, row: Row) -> &[Count] {
        let at = id.index() as usize * self.width + row as usize * self.stride;
        &self.threads[id.thread()].rows[at..at + self.stride]
    }

    #[inline]
    pub fn row_mut(&mut self, id: EventId, row: Row) -> &mut [Count] {
        let at = id.index() as usize * self.width + row as usize * self.stride;
        &mut self.threads[id.thread()].rows[at..at + self.stride]
    }

    /// Add a row of an event to a row of another event.
    #[inline]
    pub fn raise_row(&mut self, (into, row): (EventId, Row), (from, by): (EventId, Row)) {
        let (stride, width) = (self.stride, self.width);
        let to = into.index() as usize * width + row as usize * stride;
        let of = from.index() as usize * width + by as usize * stride;
        let (t, s) = (into.thread(), from.thread());
        if t != s {
            let [to_thread, of_thread] =
                self.threads.get_disjoint_mut([t, s]).expect("two threads of the graph");
            raise(&mut to_thread.rows[to..to + stride], &of_thread.rows[of..of + stride]);
        } else if of < to {
            let (earlier, later) = self.threads[t].rows.split_at_mut(to);
            raise(&mut later[..stride], &earlier[of..of + stride]);
        } else {
            let (earlier, later) = self.threads[t].rows.split_at_mut(of);
            raise(&mut earlier[to..to + stride], &later[..stride]);
        }
    }

    /// Let a row be what the thread had before: that of the event before, and this event itself.
    #[inline]
    pub fn begin_row(&mut self, id: EventId, row: Row) {
        let (stride, i) = (self.stride, id.index() as usize);
        let at = i * self.width + row as usize * stride;
        let (earlier, rest) = self.threads[id.thread()].rows.split_at_mut(at);
        if i == 0 {
            return rest[..stride].fill(0);
        }
        let before = at - self.width;
        copy_row(&mut rest[..stride], &earlier[before..before + stride]);
        rest[id.thread()] = i as Count;
    }

    /// Rows for an event that was just pushed, the past and happens-before as far as they do not depend on what it reads.
    #[inline]
    pub(super) fn push_rows(&mut self, id: EventId) {
        let (thread, stride, width, i) = (id.thread(), self.stride, self.width, id.index());
        let log = &mut self.threads[thread];
        let at = log.rows.len();
        if i == 0 {
            log.rows.resize(at + width, 0);
            let parent = log.parent;
            if !parent.is_init() {
                self.take_event(id, parent, !Mutant::SpawnUnordered.is_active());
            }
        } else {
            log.rows.extend_from_within(at - width..at);
            log.rows[at + thread] = i as Count;
            if self.clocks.hb {
                log.rows[at + stride + thread] = i as Count;
            }
        }
        let event = &self.threads[thread].events[i as usize];
        let (kind, tag, source) = (event.kind, event.tag, event.rf);
        if kind == Kind::Join && !source.is_init() {
            let left_out =
                if tag == EventTag::Meets { Mutant::BarrierUnordered } else { Mutant::JoinUnordered };
            self.take_event(id, source, !left_out.is_active());
        }
    }

    /// The same again for the last event of a thread, which may have read.
    #[inline]
    pub fn renew_rows(&mut self, id: EventId) {
        let (thread, stride, i) = (id.thread(), self.stride, id.index() as usize);
        let rows = if self.clocks.hb { 2 * stride } else { stride };
        let log = &mut self.threads[thread];
        let (earlier, own) = log.rows.split_at_mut(i * self.width);
        let own = &mut own[..rows];
        if i == 0 {
            own.fill(0);
            let parent = log.parent;
            if !parent.is_init() {
                self.take_event(id, parent, !Mutant::SpawnUnordered.is_active());
            }
            return;
        }
        let before = (i - 1) * self.width;
        copy_row(own, &earlier[before..before + rows]);
        own[thread] = i as Count;
        if rows > stride {
            own[stride + thread] = i as Count;
        }
    }

    /// Another event, and all that comes before it, is in the past of this one, and if `happens` it happens before this one.
    #[inline]
    fn take_event(&mut self, into: EventId, from: EventId, happens: bool) {
        let (t, s) = (into.thread(), from.thread());
        if t == s {
            return;
        }
        let (stride, width) = (self.stride, self.width);
        let both = happens && self.clocks.hb;
        let rows = if both { 2 * stride } else { stride };
        let (to, of) = (into.index() as usize * width, from.index() as usize * width);
        let [to_thread, of_thread] = self.threads.get_disjoint_mut([t, s]).expect("two threads of the graph");
        let row = &mut to_thread.rows[to..to + rows];
        raise(row, &of_thread.rows[of..of + rows]);
        put_event(row, from);
        if both {
            put_event(&mut row[stride..], from);
        }
    }

    /// The strict past of an event.
    #[inline]
    pub fn porf(&self, id: EventId) -> &[Count] {
        self.row(id, Row::Porf)
    }

    /// Everything that happens before an event, without the event.
    #[inline]
    pub fn hb(&self, id: EventId) -> &[Count] {
        self.row(id, if self.clocks.hb { Row::Hb } else { Row::Porf })
    }

    /// The strict past of an event with what critical sections add to it; where there are no such rows,
    /// happens-before.
    #[inline]
    pub fn past(&self, id: EventId) -> &[Count] {
        if self.clocks.past { self.row(id, Row::Past) } else { self.hb(id) }
    }

    /// What a synchronising reader of this write receives.
    #[inline]
    pub fn message(&self, id: EventId) -> &[Count] {
        self.row(id, Row::Message)
    }

    /// porf(e) = (po ∪ rf ∪ spawn ∪ join)⁺ into e, from the rows of the events directly before e.
    pub fn compute_porf(&mut self, id: EventId) {
        self.begin_row(id, Row::Porf);
        let log = &self.threads[id.thread()];
        let (parent, event) = (log.parent, &log.events[id.index() as usize]);
        let (kind, source) = (event.kind, event.rf);
        if id.index() == 0 && !parent.is_init() {
            self.join_porf(id, parent);
        }
        if (kind.reads() || kind == Kind::Join) && !source.is_init() {
            self.join_porf(id, source);
        }
    }

    /// What a read reads from is in its past.
    #[inline]
    pub fn take_source(&mut self, id: EventId) {
        let event = self.event(id);
        if event.kind.reads() && !event.rf.is_init() {
            self.join_porf(id, event.rf);
        }
    }

    /// Another event, and its past, belongs to the past of this one, which is the newest.
    pub fn add_past(&mut self, id: EventId, from: EventId) {
        self.join_porf(id, from);
    }

    #[inline]
    fn join_porf(&mut self, into: EventId, from: EventId) {
        // The row has the events of its own thread already: the row of a later event contains that of an
        // earlier one.
        if into.thread() != from.thread() {
            self.raise_row((into, Row::Porf), (from, Row::Porf));
            put_event(self.row_mut(into, Row::Porf), from);
        }
    }

    /// Is `earlier` in the strict past that this row describes?
    #[inline]
    pub fn in_row<C: Copy + Into<u32>>(row: &[C], earlier: EventId) -> bool {
        earlier.is_init() || earlier.index() < row[earlier.thread()].into()
    }

    /// `row` := what happens before an event apart from what it reads: its predecessor in the thread, and all
    /// that happens before that.
    pub fn row_before(&self, id: EventId, row: &mut Vec<Count>) {
        row.clear();
        let before = self.before_in_thread(id);
        if before.is_init() {
            row.resize(self.stride, 0);
        } else {
            row.extend_from_slice(self.hb(before));
            put_event(row, before);
        }
    }
}
