//! The order S of C++20: is there a total order of all `seq_cst` operations, fences among them, that \[atomics.order\]
//! allows?
//!
//! Written after the text of the standard, not after the relation psc that papers and the engine use. Coherence-ordered
//! before speaks of atomic operations only. The relation takes plain accesses, too; where nothing races they add
//! nothing, since what coherence says of them happens-before says as well. An execution with a race is undefined in
//! C++20; there psc is the definition (`axioms::psc_of_rc20`).

use super::axioms::{self, ReleaseSequence};
use super::frame::Frame;
use crate::relation::{Rel, Set};

/// Orders of more operations than this are not all tried.
const MOST: usize = 7;

/// What the order of one choice of writes is asked, coherence left open. An update is one operation: the write half
/// stands for both.
pub struct SeqCst {
    operations: Set,
    fences: Set,
    atomic: Set,
    writes: Set,
    happens_before: Rel,
    strongly_happens_before: Rel,
}

impl SeqCst {
    /// For these runs and writes.
    pub fn new(frame: &Frame, rf: &Rel, hb: &Rel) -> SeqCst {
        let halves: Set = halves(frame);
        let sequenced = whole(frame, &frame.po);
        let happens_before = whole(frame, hb);
        let synchronizes = whole(frame, &axioms::synchronizes_with(frame, rf, ReleaseSequence::UpdatesOnly));
        let accesses = (frame.sc & frame.a) - halves;
        // A strongly happens before B if A is sequenced before B; or A synchronizes with B, and both are seq_cst atomic
        // operations; or A is sequenced before C, C happens before D, D is sequenced before B; or by two such steps.
        let strongly =
            sequenced | (synchronizes & (accesses * accesses)) | (sequenced >> happens_before >> sequenced);
        SeqCst {
            operations: frame.sc - halves,
            fences: frame.sc & frame.f,
            atomic: frame.a - halves,
            writes: frame.w,
            happens_before,
            strongly_happens_before: strongly.plus(),
        }
    }

    /// Is there an order S with this coherence order?
    pub fn has_order(&self, frame: &Frame, rf: &Rel, co: &Rel, fr: &Rel) -> bool {
        let first = self.demanded(&self.coherence_ordered(frame, rf, co, fr));
        self.extends(self.operations, &first)
    }

    /// A is coherence-ordered before B if B reads what A wrote; or A precedes B in the modification order; or A reads
    /// what X wrote and X precedes B, and A and B are not the same update; or A is so before a write X and X before B.
    fn coherence_ordered(&self, frame: &Frame, rf: &Rel, co: &Rel, fr: &Rel) -> Rel {
        let mut ordered = whole(frame, &(*rf | *co | *fr)) & (self.atomic * self.atomic);
        for write in (self.writes & self.atomic).iter() {
            for earlier in self.atomic.iter().filter(|&a| ordered.has(a, write)).collect::<Vec<_>>() {
                ordered.0[earlier] |= ordered.0[write];
            }
        }
        ordered
    }

    /// The pairs of which S must have the first before the second.
    fn demanded(&self, coherence_ordered: &Rel) -> Rel {
        let mut first = self.strongly_happens_before & (self.operations * self.operations);
        let hb = |a: usize, b: usize| self.happens_before.has(a, b);
        for a in self.atomic.iter() {
            for b in Set(coherence_ordered.0[a]).iter() {
                if self.operations.has(a) && self.operations.has(b) {
                    first.insert(a, b);
                }
                for y in self.fences.iter().filter(|&y| hb(b, y) && self.operations.has(a)) {
                    first.insert(a, y);
                }
                for x in self.fences.iter().filter(|&x| hb(x, a) && self.operations.has(b)) {
                    first.insert(x, b);
                }
                for x in self.fences.iter().filter(|&x| hb(x, a)) {
                    for y in self.fences.iter().filter(|&y| hb(b, y)) {
                        first.insert(x, y);
                    }
                }
            }
        }
        first
    }

    /// Can what is left be put in order, one operation after the other? The demands do not depend on S, so if some
    /// order is right, any operation that can come next can be followed by the rest: with many operations the first
    /// such one is enough.
    fn extends(&self, left: Set, first: &Rel) -> bool {
        let can_be_next = |&next: &usize| left.iter().all(|other| !first.has(other, next));
        let mut nexts = left.iter().filter(can_be_next);
        let mut goes_on = |next: usize| {
            let mut rest = left;
            rest.0 &= !(1 << next);
            self.extends(rest, first)
        };
        if left.is_empty() {
            true
        } else if left.iter().count() <= MOST {
            nexts.any(goes_on)
        } else {
            nexts.next().is_some_and(&mut goes_on)
        }
    }
}

/// The read halves of updates.
fn halves(frame: &Frame) -> Set {
    let mut halves = Set::default();
    for read in frame.reads.iter().filter(|read| read.update.is_some()) {
        halves.insert(read.event);
    }
    halves
}

/// A relation of events as one of operations: what holds of the read half of an update holds of the update.
fn whole(frame: &Frame, relation: &Rel) -> Rel {
    let mut result = *relation;
    for (read, write) in frame.reads.iter().filter_map(|read| Some((read.event, read.update?))) {
        result.0[write] |= std::mem::take(&mut result.0[read]);
        for row in &mut result.0 {
            if *row >> read & 1 != 0 {
                *row = *row & !(1 << read) | 1 << write;
            }
        }
        result.0[write] &= !(1 << write);
    }
    result
}
