//! Sets and relations over the events of one execution, with the papers' operators: slow, simple, for definitions.
//!
//! `r | s` union, `r & s` intersection, `r - s` difference, `r >> s` composition (`r ; s`), [`Rel::plus`],
//! [`Rel::opt`], [`Rel::inverse`], [`Set::id`] (`[S]`), `s * t` (`S × T`). As in Rust, `*` and `-` bind
//! tighter than `>>`, which binds tighter than `&`, which binds tighter than `|`.

use std::borrow::Borrow;
use std::ops::{BitAnd, BitOr, Mul, Shr, Sub};

/// A set of events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Set {
    bits: Vec<bool>,
}

impl Set {
    /// Those of `n` events for which `member` holds.
    pub fn new(n: usize, member: impl Fn(usize) -> bool) -> Set {
        Set { bits: (0..n).map(member).collect() }
    }

    /// Is the event in the set?
    pub fn has(&self, event: usize) -> bool {
        self.bits[event]
    }

    /// `[S]`, the identity on the set.
    pub fn id(&self) -> Rel {
        Rel::new(self.bits.len(), |a, b| a == b && self.bits[a])
    }
}

/// A relation between events, as a matrix of bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rel {
    n: usize,
    words: usize,
    rows: Vec<u64>,
}

impl Rel {
    /// The pairs of `n` events for which `holds` holds.
    pub fn new(n: usize, holds: impl Fn(usize, usize) -> bool) -> Rel {
        let mut rel = Rel::empty(n);
        for a in 0..n {
            for b in 0..n {
                if holds(a, b) {
                    rel.insert(a, b);
                }
            }
        }
        rel
    }

    /// No pairs.
    pub fn empty(n: usize) -> Rel {
        let words = n.div_ceil(64).max(1);
        Rel { n, words, rows: vec![0; n * words] }
    }

    /// Add a pair.
    pub fn insert(&mut self, a: usize, b: usize) {
        self.rows[a * self.words + b / 64] |= 1 << (b % 64);
    }

    /// Is this a pair?
    pub fn has(&self, a: usize, b: usize) -> bool {
        self.rows[a * self.words + b / 64] >> (b % 64) & 1 != 0
    }

    fn each_word(&self, other: &Rel, op: impl Fn(u64, u64) -> u64) -> Rel {
        let rows = self.rows.iter().zip(&other.rows).map(|(&a, &b)| op(a, b)).collect();
        Rel { n: self.n, words: self.words, rows }
    }

    /// `r⁺`, the transitive closure.
    pub fn plus(&self) -> Rel {
        let mut closed = self.clone();
        for via in 0..self.n {
            for a in 0..self.n {
                if closed.has(a, via) {
                    for w in 0..self.words {
                        closed.rows[a * self.words + w] |= closed.rows[via * self.words + w];
                    }
                }
            }
        }
        closed
    }

    /// `r?`, with every event related to itself.
    pub fn opt(&self) -> Rel {
        let mut rel = self.clone();
        for e in 0..self.n {
            rel.insert(e, e);
        }
        rel
    }

    /// `r*`.
    pub fn star(&self) -> Rel {
        self.plus().opt()
    }

    /// `r⁻¹`.
    pub fn inverse(&self) -> Rel {
        Rel::new(self.n, |a, b| self.has(b, a))
    }

    /// No event is related to itself.
    pub fn irreflexive(&self) -> bool {
        (0..self.n).all(|e| !self.has(e, e))
    }

    /// The relation has no cycle.
    pub fn acyclic(&self) -> bool {
        self.plus().irreflexive()
    }

    /// There is no pair.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&word| word == 0)
    }

    /// The same without pairs of an event with itself.
    pub fn strict(&self) -> Rel {
        let mut rel = self.clone();
        for e in 0..self.n {
            rel.rows[e * self.words + e / 64] &= !(1 << (e % 64));
        }
        rel
    }
}

impl Set {
    fn union(&self, other: &Set) -> Set {
        Set::new(self.bits.len(), |e| self.bits[e] || other.bits[e])
    }

    fn intersection(&self, other: &Set) -> Set {
        Set::new(self.bits.len(), |e| self.bits[e] && other.bits[e])
    }

    fn difference(&self, other: &Set) -> Set {
        Set::new(self.bits.len(), |e| self.bits[e] && !other.bits[e])
    }

    fn product(&self, other: &Set) -> Rel {
        Rel::new(self.bits.len(), |a, b| self.bits[a] && other.bits[b])
    }
}

impl Rel {
    fn union(&self, other: &Rel) -> Rel {
        self.each_word(other, |a, b| a | b)
    }

    fn intersection(&self, other: &Rel) -> Rel {
        self.each_word(other, |a, b| a & b)
    }

    fn difference(&self, other: &Rel) -> Rel {
        self.each_word(other, |a, b| a & !b)
    }

    fn composition(&self, other: &Rel) -> Rel {
        let mut rel = Rel::empty(self.n);
        for a in 0..self.n {
            for via in 0..self.n {
                if self.has(a, via) {
                    for w in 0..self.words {
                        rel.rows[a * self.words + w] |= other.rows[via * self.words + w];
                    }
                }
            }
        }
        rel
    }
}

/// An operator between values and references alike, so that formulas need no `&`.
macro_rules! operator {
    ($trait:ident, $name:ident, $of:ident, $method:ident, $output:ty) => {
        impl<R: Borrow<$of>> $trait<R> for $of {
            type Output = $output;
            fn $name(self, other: R) -> $output {
                self.$method(other.borrow())
            }
        }

        impl<R: Borrow<$of>> $trait<R> for &$of {
            type Output = $output;
            fn $name(self, other: R) -> $output {
                self.$method(other.borrow())
            }
        }
    };
}

operator!(BitOr, bitor, Set, union, Set);
operator!(BitAnd, bitand, Set, intersection, Set);
operator!(Sub, sub, Set, difference, Set);
operator!(Mul, mul, Set, product, Rel);
operator!(BitOr, bitor, Rel, union, Rel);
operator!(BitAnd, bitand, Rel, intersection, Rel);
operator!(Sub, sub, Rel, difference, Rel);
operator!(Shr, shr, Rel, composition, Rel);
