//! Sets of at most 64 events and relations over them, with the operators of the papers. Slow and simple.

use std::ops::{BitAnd, BitOr, Mul, Not, Shr, Sub};

/// A set of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Set(pub u64);

impl Set {
    /// Is the event in it?
    #[inline]
    pub fn has(self, event: usize) -> bool {
        self.0 >> event & 1 == 1
    }

    /// Puts an event into it.
    #[inline]
    pub fn insert(&mut self, event: usize) {
        self.0 |= 1 << event;
    }

    /// Has it none?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The events in it, ascending.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let event = left.trailing_zeros() as usize;
            left &= left - 1;
            Some(event)
        })
    }

    /// `[S]`: every event of the set with itself.
    pub fn id(self) -> Rel {
        let mut result = Rel::EMPTY;
        for event in self.iter() {
            result.insert(event, event);
        }
        result
    }
}

impl BitOr for Set {
    type Output = Set;
    fn bitor(self, other: Set) -> Set {
        Set(self.0 | other.0)
    }
}

impl BitAnd for Set {
    type Output = Set;
    fn bitand(self, other: Set) -> Set {
        Set(self.0 & other.0)
    }
}

impl Sub for Set {
    type Output = Set;
    fn sub(self, other: Set) -> Set {
        Set(self.0 & !other.0)
    }
}

impl Not for Set {
    type Output = Set;
    fn not(self) -> Set {
        Set(!self.0)
    }
}

/// The product `S × T`.
impl Mul for Set {
    type Output = Rel;
    fn mul(self, other: Set) -> Rel {
        let mut result = Rel::EMPTY;
        for event in self.iter() {
            result.0[event] = other.0;
        }
        result
    }
}

/// A relation: row `a` is the set of all `b` with `(a, b)` in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rel(pub [u64; SIZE]);

/// How many events a relation can be about.
pub const SIZE: usize = 48;

impl Rel {
    /// The empty relation.
    pub const EMPTY: Rel = Rel([0; SIZE]);

    /// Is `(a, b)` in it?
    #[inline]
    pub fn has(&self, a: usize, b: usize) -> bool {
        self.0[a] >> b & 1 == 1
    }

    /// Puts `(a, b)` into it.
    #[inline]
    pub fn insert(&mut self, a: usize, b: usize) {
        self.0[a] |= 1 << b;
    }

    /// Puts `(a, b)` into a transitive relation and closes it again.
    pub fn insert_closed(&mut self, a: usize, b: usize) {
        let row = self.0[b] | 1 << b;
        for (event, other) in self.0.iter_mut().enumerate() {
            if event == a || *other >> a & 1 == 1 {
                *other |= row;
            }
        }
    }

    /// The events after `a`.
    pub fn after(&self, a: usize) -> Set {
        Set(self.0[a])
    }

    /// The transitive closure `R⁺`.
    pub fn plus(mut self) -> Rel {
        for middle in 0..SIZE {
            let row = self.0[middle];
            if row == 0 {
                continue;
            }
            for other in &mut self.0 {
                if *other >> middle & 1 == 1 {
                    *other |= row;
                }
            }
        }
        self
    }

    /// `R?`: the relation or the identity.
    pub fn opt(mut self) -> Rel {
        for event in 0..SIZE {
            self.insert(event, event);
        }
        self
    }

    /// `R⁻¹`
    pub fn inv(&self) -> Rel {
        let mut result = Rel::EMPTY;
        for a in 0..SIZE {
            for b in Set(self.0[a]).iter() {
                result.insert(b, a);
            }
        }
        result
    }

    /// Has it no pair `(a, a)`?
    pub fn irreflexive(&self) -> bool {
        (0..SIZE).all(|event| !self.has(event, event))
    }

    /// Has it no cycle? Takes away events without successors until none is left, or none can be taken.
    pub fn acyclic(&self) -> bool {
        let mut alive = 0u64;
        for (event, row) in self.0.iter().enumerate() {
            if *row != 0 {
                alive |= 1 << event;
            }
        }
        while alive != 0 {
            let before = alive;
            for event in Set(alive).iter() {
                if self.0[event] & alive == 0 {
                    alive &= !(1 << event);
                }
            }
            if alive == before {
                return false;
            }
        }
        true
    }

    /// Has it no pair?
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|row| *row == 0)
    }
}

fn rows(a: &Rel, b: &Rel, op: impl Fn(u64, u64) -> u64) -> Rel {
    let mut result = Rel::EMPTY;
    for event in 0..SIZE {
        result.0[event] = op(a.0[event], b.0[event]);
    }
    result
}

impl BitOr for Rel {
    type Output = Rel;
    fn bitor(self, other: Rel) -> Rel {
        rows(&self, &other, |a, b| a | b)
    }
}

impl BitAnd for Rel {
    type Output = Rel;
    fn bitand(self, other: Rel) -> Rel {
        rows(&self, &other, |a, b| a & b)
    }
}

impl Sub for Rel {
    type Output = Rel;
    fn sub(self, other: Rel) -> Rel {
        rows(&self, &other, |a, b| a & !b)
    }
}

/// The composition `R ; S`.
impl Shr for Rel {
    type Output = Rel;
    #[allow(clippy::suspicious_arithmetic_impl)]
    fn shr(self, other: Rel) -> Rel {
        let mut result = Rel::EMPTY;
        for event in 0..SIZE {
            for middle in Set(self.0[event]).iter() {
                result.0[event] |= other.0[middle];
            }
        }
        result
    }
}
