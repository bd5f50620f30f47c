//! The writes that accesses show, and the coherence orders in which they are asked for.

use crate::graph::Loc;

/// How the writes of a location are ordered, given as write indices. The initial write, 0, comes before all others.
pub(super) trait CoherenceOrder {
    /// Is a write before another one?
    fn before(&self, loc: Loc, a: u32, b: u32) -> bool;

    /// The place of a write, if the order is total; the initial write has the first.
    fn place(&self, _loc: Loc, _write: u32) -> Option<u32> {
        None
    }

    /// Is one of these before a write?
    fn any_before(&self, loc: Loc, shown: &Shown, write: u32) -> bool {
        shown.any(|s| self.before(loc, s, write))
    }

    /// Is a write before one of these?
    fn before_any(&self, loc: Loc, write: u32, shown: &Shown) -> bool {
        shown.any(|s| self.before(loc, write, s))
    }

    /// Is one of the first before one of the second?
    fn any_before_any(&self, loc: Loc, first: &Shown, second: &Shown) -> bool {
        first.any(|s| self.before_any(loc, s, second))
    }
}

/// Write indices are places in the coherence order: of several writes the first or the last decides.
pub(super) struct ByIndex;

impl CoherenceOrder for ByIndex {
    #[inline]
    fn before(&self, _: Loc, a: u32, b: u32) -> bool {
        a < b
    }

    #[inline]
    fn place(&self, _: Loc, write: u32) -> Option<u32> {
        Some(write)
    }

    #[inline]
    fn any_before(&self, _: Loc, shown: &Shown, write: u32) -> bool {
        shown.first < write
    }

    #[inline]
    fn before_any(&self, _: Loc, write: u32, shown: &Shown) -> bool {
        shown.is_some() && write < shown.last
    }

    #[inline]
    fn any_before_any(&self, _: Loc, first: &Shown, second: &Shown) -> bool {
        second.is_some() && first.first < second.last
    }
}

/// A total order: the places of the writes other than the initial one.
pub(super) struct ByRank<'a>(pub &'a [Vec<u32>]);

impl CoherenceOrder for ByRank<'_> {
    fn before(&self, loc: Loc, a: u32, b: u32) -> bool {
        self.place(loc, a) < self.place(loc, b)
    }

    fn place(&self, loc: Loc, write: u32) -> Option<u32> {
        Some(if write == 0 { 0 } else { 1 + self.0[loc as usize][write as usize] })
    }
}

/// An order of the writes other than the initial one.
pub(super) struct ByTest<F>(pub F);

impl<F: Fn(usize, u32, u32) -> bool> CoherenceOrder for ByTest<F> {
    fn before(&self, loc: Loc, a: u32, b: u32) -> bool {
        a != b && (a == 0 || b != 0 && self.0(loc as usize, a, b))
    }
}

/// A set of write indices: few locations have more writes than a word has bits.
pub(super) struct Shown {
    low: u64,
    high: Vec<u32>,
    /// The smallest and the greatest; the first is not below the second if there is none.
    first: u32,
    last: u32,
}

impl Default for Shown {
    fn default() -> Shown {
        Shown { low: 0, high: Vec::new(), first: u32::MAX, last: 0 }
    }
}

impl Shown {
    #[inline]
    pub fn insert(&mut self, write_index: u32) {
        self.first = self.first.min(write_index);
        self.last = self.last.max(write_index);
        if write_index < u64::BITS {
            self.low |= 1 << write_index;
        } else if !self.high.contains(&write_index) {
            self.high.push(write_index);
        }
    }

    #[inline]
    pub fn is_some(&self) -> bool {
        self.first <= self.last
    }

    /// Have the two a write in common?
    #[inline]
    pub fn meets(&self, other: &Shown) -> bool {
        self.low & other.low != 0 || self.high.iter().any(|write_index| other.high.contains(write_index))
    }

    pub fn has(&self, write_index: u32) -> bool {
        match write_index < u64::BITS {
            true => self.low >> write_index & 1 != 0,
            false => self.high.contains(&write_index),
        }
    }

    pub fn any(&self, mut is_so: impl FnMut(u32) -> bool) -> bool {
        let mut rest = self.low;
        while rest != 0 {
            if is_so(rest.trailing_zeros()) {
                return true;
            }
            rest &= rest - 1;
        }
        self.high.iter().any(|&write_index| is_so(write_index))
    }
}
