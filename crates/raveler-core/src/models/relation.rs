//! Sets and relations over the events of one execution, with the papers' operators: slow, simple, for definitions.
//!
//! `r | s` union, `r & s` intersection, `r - s` difference, `r >> s` composition (`r ; s`), [`Rel::plus`],
//! [`Rel::opt`], [`Rel::inverse`], [`Set::id`] (`[S]`), `&s * &t` (`S × T`).

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

impl BitOr for &Set {
    type Output = Set;
    fn bitor(self, other: &Set) -> Set {
        Set::new(self.bits.len(), |e| self.bits[e] || other.bits[e])
    }
}

impl BitAnd for &Set {
    type Output = Set;
    fn bitand(self, other: &Set) -> Set {
        Set::new(self.bits.len(), |e| self.bits[e] && other.bits[e])
    }
}

impl Sub for &Set {
    type Output = Set;
    fn sub(self, other: &Set) -> Set {
        Set::new(self.bits.len(), |e| self.bits[e] && !other.bits[e])
    }
}

impl Mul for &Set {
    type Output = Rel;
    fn mul(self, other: &Set) -> Rel {
        Rel::new(self.bits.len(), |a, b| self.bits[a] && other.bits[b])
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

impl BitOr for &Rel {
    type Output = Rel;
    fn bitor(self, other: &Rel) -> Rel {
        self.each_word(other, |a, b| a | b)
    }
}

impl BitOr for Rel {
    type Output = Rel;
    fn bitor(self, other: Rel) -> Rel {
        &self | &other
    }
}

impl BitOr<&Rel> for Rel {
    type Output = Rel;
    fn bitor(self, other: &Rel) -> Rel {
        &self | other
    }
}

impl BitAnd for &Rel {
    type Output = Rel;
    fn bitand(self, other: &Rel) -> Rel {
        self.each_word(other, |a, b| a & b)
    }
}

impl BitAnd<&Rel> for Rel {
    type Output = Rel;
    fn bitand(self, other: &Rel) -> Rel {
        &self & other
    }
}

impl Sub for &Rel {
    type Output = Rel;
    fn sub(self, other: &Rel) -> Rel {
        self.each_word(other, |a, b| a & !b)
    }
}

impl Sub<&Rel> for Rel {
    type Output = Rel;
    fn sub(self, other: &Rel) -> Rel {
        &self - other
    }
}

impl Shr for &Rel {
    type Output = Rel;
    fn shr(self, other: &Rel) -> Rel {
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

impl Shr<&Rel> for Rel {
    type Output = Rel;
    fn shr(self, other: &Rel) -> Rel {
        &self >> other
    }
}

impl Shr for Rel {
    type Output = Rel;
    fn shr(self, other: Rel) -> Rel {
        &self >> &other
    }
}
