//! Over which locations may threads read from each other in a circle?
//!
//! A read-from edge is *hard* if the write releases and the read acquires: then it is part of happens-before. The
//! others are *soft*. Coherence forbids a cycle of program order and reads-from all of whose soft edges are on one
//! location: from each of their writes the cycle leads, by reads-from and happens-before, to the next one, which is
//! therefore later in the coherence order; and without a soft edge happens-before itself would have a cycle.

use super::{Flow, Locations, OTHERS, Point, Possible};
use crate::mutation::Mutant;

/// Of so many places of threads it is remembered which circles are possible.
const MOST_KNOWN: usize = 1 << 16;

/// The locations of edges on circles that are possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::search::xmm) struct Cycles {
    pub soft: Locations,
    pub hard: Locations,
}

impl Cycles {
    const ALL: Cycles = Cycles { soft: !0, hard: !0 };

    pub fn all(self) -> Locations {
        self.soft | self.hard
    }

    fn add(&mut self, other: Cycles) {
        self.soft |= other.soft;
        self.hard |= other.hard;
    }

    /// The edges of which these are the numbers: those of soft edges are even.
    fn each(self) -> impl Iterator<Item = usize> {
        let bits = |set: Locations| (0..128).filter(move |bit| set >> bit & 1 != 0);
        bits(self.soft).map(|bit| 2 * bit).chain(bits(self.hard).map(|bit| 2 * bit + 1))
    }

    fn has(self, edge: usize) -> bool {
        let set = if edge.is_multiple_of(2) { self.soft } else { self.hard };
        set >> (edge / 2) & 1 != 0
    }
}

/// What the flows of a thread write.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Written {
    released: Locations,
    relaxed: Locations,
}

impl Written {
    fn add(&mut self, other: Written) {
        self.released |= other.released;
        self.relaxed |= other.relaxed;
    }

    /// By which edges may such a read read it?
    fn read_by(self, flow: &Flow) -> Cycles {
        let (released, relaxed) = (self.released & flow.read, self.relaxed & flow.read);
        match flow.acquires {
            true => Cycles { soft: relaxed, hard: released },
            false => Cycles { soft: relaxed | released, hard: 0 },
        }
    }
}

impl Possible {
    /// The edges by which threads at these points may read from each other in a circle.
    pub fn cyclic(&self, points: impl Iterator<Item = u32>) -> Cycles {
        let points: Vec<u32> = points.filter(|&point| self.reads_and_writes(point)).collect();
        if let Some(&known) = self.known_cycles.borrow().get(&points) {
            return known;
        }
        let mut all = Cycles::default();
        self.circles(points.iter().copied()).into_iter().for_each(|circle| all.add(circle));
        let mut known = self.known_cycles.borrow_mut();
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(points, all);
        all
    }

    /// May a thread read and then write from here on? Others are on no circle.
    fn reads_and_writes(&self, point: u32) -> bool {
        !self.points[point as usize].flows.is_empty()
    }

    /// The locations over which circles may lead, in groups: no circle leads over locations of two groups.
    pub(super) fn find_groups(&self) -> Vec<Locations> {
        let mut groups: Vec<Locations> = Vec::new();
        for circle in self.circles(self.starts.values().copied()) {
            let mut group = circle.all();
            groups.retain(|other| {
                let is_apart = other & group == 0;
                if !is_apart {
                    group |= other;
                }
                is_apart
            });
            groups.push(group);
        }
        groups
    }

    /// The same, each strongly connected part by itself.
    fn circles(&self, points: impl Iterator<Item = u32>) -> Vec<Cycles> {
        if self.is_unknown() {
            return vec![Cycles::ALL];
        }
        let points = points.filter(|&point| self.reads_and_writes(point));
        let points: Vec<&Point> = points.map(|point| &self.points[point as usize]).collect();
        let mut written: Vec<Written> =
            points.iter().map(|point| Written { released: point.released, relaxed: point.relaxed }).collect();
        let by_others = |written: &[Written], at: usize| {
            let mut all = Written::default();
            for (_, of) in written.iter().enumerate().filter(|(other, _)| *other != at) {
                all.add(*of);
            }
            all
        };
        // What is written after reads of what is written after reads …
        loop {
            let mut has_changed = false;
            for at in 0..points.len() {
                let from = by_others(&written, at);
                let mut now = Written::default();
                for flow in &points[at].flows {
                    if (from.released | from.relaxed) & flow.read != 0 {
                        now.add(Written { released: flow.released, relaxed: flow.relaxed });
                    }
                }
                has_changed |= now != written[at];
                written[at] = now;
            }
            if !has_changed {
                break;
            }
        }
        if by_others(&written, usize::MAX).all() & OTHERS != 0 {
            return vec![Cycles::ALL];
        }
        if by_others(&written, usize::MAX) == Written::default() {
            return Vec::new();
        }
        // The edges, and those by which what follows their reads may be read.
        let mut edges = Cycles::default();
        let mut next = [Cycles::default(); 256];
        let mut into: Vec<(&Flow, Cycles)> = Vec::new();
        for (at, point) in points.iter().enumerate() {
            let from = by_others(&written, at);
            for flow in &point.flows {
                let read = from.read_by(flow);
                if read != Cycles::default() {
                    edges.add(read);
                    into.push((flow, read));
                }
            }
        }
        for &(flow, read) in &into {
            let after = Written { released: flow.released, relaxed: flow.relaxed };
            let mut to = Cycles::default();
            for (reader, _) in &into {
                to.add(after.read_by(reader));
            }
            read.each().for_each(|edge| next[edge].add(to));
        }
        for via in edges.each() {
            for from in edges.each() {
                if next[from].has(via) {
                    let after = next[via];
                    next[from].add(after);
                }
            }
        }
        let mut circles = Vec::new();
        for edge in edges.each() {
            let around = next[edge].each().filter(|&other| next[other].has(edge));
            let mut circle = Cycles::default();
            for other in around {
                let bit = 1 << (other / 2);
                match other % 2 {
                    0 => circle.soft |= bit,
                    _ => circle.hard |= bit,
                }
            }
            let least = if Mutant::CirclesOverThree.is_active() { 3 } else { 2 };
            if circle.soft.count_ones() >= least && !circles.contains(&circle) {
                circles.push(circle);
            }
        }
        circles
    }
}

impl Written {
    fn all(self) -> Locations {
        self.released | self.relaxed
    }
}
