//! Vector clocks: for each event how many events of each thread are in its past, happen before it, or are
//! sent on by it (docs/engine.md, "Rows").
//!
//! A row is a set of events that is closed under program order. Rows of the past are computed here, those of
//! happens-before in `consistency/happens_before.rs`.

use super::{Graph, Kind};
use crate::id::EventId;

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

impl Graph {
    /// The strict past of an event.
    #[inline]
    pub fn porf(&self, id: EventId) -> &[u32] {
        let at = id.index() as usize * self.stride;
        &self.threads[id.thread()].porf[at..at + self.stride]
    }

    /// Everything that happens before an event, without the event.
    #[inline]
    pub fn hb(&self, id: EventId) -> &[u32] {
        if !self.clocks.hb {
            return self.porf(id);
        }
        let at = id.index() as usize * self.stride;
        &self.threads[id.thread()].hb[at..at + self.stride]
    }

    /// The strict past of an event with what critical sections add to it; where there are no such rows,
    /// happens-before.
    #[inline]
    pub fn past(&self, id: EventId) -> &[u32] {
        if !self.clocks.past {
            return self.hb(id);
        }
        let at = id.index() as usize * self.stride;
        &self.threads[id.thread()].past[at..at + self.stride]
    }

    /// What a synchronising reader of this write receives.
    #[inline]
    pub fn message(&self, id: EventId) -> &[u32] {
        let at = id.index() as usize * self.stride;
        &self.threads[id.thread()].message[at..at + self.stride]
    }

    /// porf(e) = (po ∪ rf ∪ spawn ∪ join)⁺ into e, from the rows of the events directly before e.
    pub fn compute_porf(&mut self, id: EventId) {
        let stride = self.stride;
        let t = id.thread();
        let i = id.index() as usize;
        let po = self.before_in_thread(id);
        if i > 0 {
            let porf = &mut self.threads[t].porf;
            porf.copy_within((i - 1) * stride..i * stride, i * stride);
            porf[i * stride + t] = i as u32;
        } else {
            self.threads[t].porf[..stride].fill(0);
            if !po.is_init() {
                self.join_porf(id, po);
            }
        }
        let event = *self.event(id);
        if (event.kind.reads() || event.kind == Kind::Join) && !event.rf.is_init() {
            self.join_porf(id, event.rf);
        }
    }

    /// Another event, and its past, belongs to the past of this one, which is the newest.
    pub fn add_past(&mut self, id: EventId, from: EventId) {
        self.join_porf(id, from);
    }

    fn join_porf(&mut self, into: EventId, from: EventId) {
        let stride = self.stride;
        let (t, s) = (into.thread(), from.thread());
        let (to, of) = (into.index() as usize * stride, from.index() as usize * stride);
        if t == s {
            // The row has the events of its own thread already: the row of a later event contains that of an
            // earlier one.
            return;
        }
        let [a, b] = self.threads.get_disjoint_mut([t, s]).expect("two threads of the graph");
        let row = &mut a.porf[to..to + stride];
        for (x, y) in row.iter_mut().zip(&b.porf[of..of + stride]) {
            *x = (*x).max(*y);
        }
        row[s] = row[s].max(from.index() + 1);
    }

    /// Is `earlier` in the strict past that this row describes?
    #[inline]
    pub fn in_row(row: &[u32], earlier: EventId) -> bool {
        earlier.is_init() || earlier.index() < row[earlier.thread()]
    }

    /// `row` := what happens before an event apart from what it reads: its predecessor in the thread, and all
    /// that happens before that.
    pub fn row_before(&self, id: EventId, row: &mut Vec<u32>) {
        row.clear();
        let before = self.before_in_thread(id);
        if before.is_init() {
            row.resize(self.stride, 0);
        } else {
            row.extend_from_slice(self.hb(before));
            row[before.thread()] = row[before.thread()].max(before.index() + 1);
        }
    }
}
