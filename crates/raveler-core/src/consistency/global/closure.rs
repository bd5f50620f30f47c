//! The transitive closure of the global order: a row of bits per node, raised along new edges, with a trail
//! for undo.
//!
//! Invariant: rows are closed, so an edge closes a cycle iff its target is in the row of its source.

use super::{GlobalOrder, Node, Use, WORD};
use crate::graph::{Loc, NONE};
use crate::mutation::Mutant;

impl<const CO: bool> GlobalOrder<CO> {
    #[inline]
    pub(super) fn bit(row: &[u64], node: u32) -> bool {
        row[node as usize / WORD] >> (node as usize % WORD) & 1 != 0
    }

    #[inline]
    pub(super) fn is_before(&self, a: u32, b: u32) -> bool {
        self.before[b as usize * self.words + a as usize / WORD] >> (a as usize % WORD) & 1 != 0
    }

    pub(super) fn touch(&mut self, loc: Loc) {
        let need = (loc as usize + 1) * self.words;
        if self.writers.len() < need {
            self.writers.resize(need, 0);
            self.readers.resize(need, 0);
            self.uses.resize(loc as usize + 1, Use::default());
        }
    }

    pub(super) fn widen(&mut self) {
        let (old, new) = (self.words, self.words * 2);
        for rows in [&mut self.before, &mut self.writers, &mut self.readers] {
            let mut wider = Vec::with_capacity(rows.len() * 2);
            for row in rows.chunks_exact(old) {
                wider.extend_from_slice(row);
                wider.resize(wider.len() + new - old, 0);
            }
            *rows = wider;
        }
        let mut trail = Vec::with_capacity(self.trail.len() * 2);
        for entry in self.trail.chunks_exact(old + 1) {
            trail.extend_from_slice(entry);
            trail.resize(trail.len() + new - old, 0);
        }
        self.trail = trail;
        self.row.resize(new, 0);
        self.extra.resize(new, 0);
        self.words = new;
    }

    pub(super) fn mark(&self) -> usize {
        self.trail.len() / (self.words + 1)
    }

    pub(super) fn roll_back(&mut self, mark: usize) {
        if self.words == 1 {
            // At most 64 nodes, the usual case: an entry is a node and its one word.
            while self.trail.len() > 2 * mark {
                if let (Some(row), Some(number)) = (self.trail.pop(), self.trail.pop()) {
                    self.before[number as usize] = row;
                }
            }
            return self.queue.clear();
        }
        while self.mark() > mark {
            let entry = self.trail.len() - self.words - 1;
            let start = self.trail[entry] as usize * self.words;
            self.before[start..start + self.words].copy_from_slice(&self.trail[entry + 1..]);
            self.trail.truncate(entry);
        }
        self.queue.clear();
    }

    /// `row` := ∅
    #[inline]
    pub(super) fn clear_row(&mut self) {
        match &mut self.row[..] {
            [word] => *word = 0,
            row => row.fill(0),
        }
    }

    /// `row` |= node and what comes before it.
    #[inline]
    pub(super) fn gather(&mut self, node: u32) {
        // Rows are closed: if the node is in the row, so is all that comes before it.
        if node == NONE || Self::bit(&self.row, node) {
            return;
        }
        let start = node as usize * self.words;
        for (to, from) in self.row.iter_mut().zip(&self.before[start..start + self.words]) {
            *to |= from;
        }
        self.row[node as usize / WORD] |= 1 << (node as usize % WORD);
    }

    /// A new node with `row` before it.
    pub(super) fn add_node(&mut self, node: Node) -> u32 {
        if self.nodes.len() == self.words * WORD {
            self.widen();
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(node);
        self.before.extend_from_slice(&self.row[..self.words]);
        number
    }

    /// Everything in `row` comes before `target`. False if that closes a cycle.
    pub(super) fn raise(&mut self, target: u32) -> bool {
        if Self::bit(&self.row, target) {
            return false;
        }
        let start = target as usize * self.words;
        if self.before[start..start + self.words].iter().zip(&self.row).all(|(old, new)| new & !old == 0) {
            return true;
        }
        if self.words == 1 {
            self.raise_small(target);
            return true;
        }
        self.raise_all(target);
        true
    }

    /// The same for the newest node, after which nothing comes: no other row changes, and there is no cycle to close.
    pub(super) fn raise_newest(&mut self, target: u32) {
        let start = target as usize * self.words;
        debug_assert!(
            Mutant::NewestIsLast.is_active()
                || start + self.words == self.before.len()
                    && !Self::bit(&self.row, target)
                    && !(0..target).any(|number| self.is_before(target, number))
        );
        let row = &mut self.before[start..];
        if row.iter().zip(&self.row).all(|(old, new)| new & !old == 0) {
            return;
        }
        self.trail.push(u64::from(target));
        self.trail.extend_from_slice(row);
        for (to, from) in row.iter_mut().zip(&self.row) {
            *to |= from;
        }
    }

    fn raise_all(&mut self, target: u32) {
        for number in 0..self.nodes.len() as u32 {
            if number == target || self.is_before(target, number) {
                let start = number as usize * self.words;
                let row = &mut self.before[start..start + self.words];
                if row.iter().zip(&self.row).all(|(old, new)| new & !old == 0) {
                    continue;
                }
                self.trail.push(number as u64);
                self.trail.extend_from_slice(row);
                for (to, from) in row.iter_mut().zip(&self.row) {
                    *to |= from;
                }
                if !CO && self.nodes[number as usize].takes_part(&self.uses) {
                    self.queue.push(number);
                }
            }
        }
    }

    /// The same for graphs of at most 64 nodes.
    pub(super) fn raise_small(&mut self, target: u32) {
        let new = self.row[0];
        for (number, row) in self.before.iter_mut().enumerate() {
            if (number == target as usize || *row >> target & 1 != 0) && new & !*row != 0 {
                self.trail.push(number as u64);
                self.trail.push(*row);
                *row |= new;
                let node = &self.nodes[number];
                if !CO && node.takes_part(&self.uses) {
                    self.queue.push(number as u32);
                }
            }
        }
    }

    /// Add the edge `from` → `target`. False if that closes a cycle.
    pub(super) fn raise_from(&mut self, from: u32, target: u32) -> bool {
        self.clear_row();
        self.gather(from);
        self.raise(target)
    }
}
