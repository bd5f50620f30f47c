//! Committed parts of executions as numbers: many candidates have the same one, and it is looked for in the sources once.

use std::hash::{Hash, Hasher};

use super::nodes::Node;
use super::rows::{NodeSet, Rows};
use super::view::{INIT, NONE, View};

impl View {
    /// A number that stands for all that decides whether these nodes, in ascending order, embed into a source.
    pub fn part(&self, nodes: &[usize], rpo: &Rows, cause: Option<&Rows>, orders: &[Vec<u32>]) -> u128 {
        let mut part = Wide::default();
        let place = |node: u32| match node < INIT {
            true => nodes.binary_search(&(node as usize)).map_or(NONE, |place| place as u32),
            false => node,
        };
        for (at, &node) in nodes.iter().enumerate() {
            let Node { key, source, partner, .. } = self.nodes[node];
            part.add_number(key);
            part.add(u64::from(place(source)) << 32 | u64::from(place(partner)));
            part.add(u64::from(self.promised.has(node)));
            for unlock in self.followed_by(node) {
                part.add(u64::from(place(unlock as u32)));
            }
            if !self.nodes[node].is_write() {
                continue;
            }
            // Of the writes before it, which are earlier in the coherence order?
            let mut bits = Bits::default();
            for &before in &nodes[..at] {
                let other = &self.nodes[before];
                if other.is_write() && other.label.address == self.nodes[node].label.address {
                    orders.iter().for_each(|order| bits.push(order[before] < order[node], &mut part));
                }
            }
            bits.finish(&mut part);
        }
        let restricted = |rows: &Rows, part: &mut Wide| {
            rows.restricted(nodes).words().iter().for_each(|&word| part.add(word));
        };
        restricted(rpo, &mut part);
        if let Some(cause) = cause {
            restricted(cause, &mut part);
        }
        part.number()
    }
}

impl View {
    /// A number that stands for these nodes, with some of their edges, and all that is remembered of them. Cheaper than
    /// what stands for a source: parts that are equal but for the numbers of their nodes, or lie in executions of another
    /// shape, have different ones.
    pub fn numbered_part(&self, kept: &NodeSet, edges: &[usize], cause: &Rows, orders: &[Vec<u32>]) -> u128 {
        let mut part = Wide::default();
        part.add_number(self.shape_key());
        kept.words().iter().for_each(|&word| part.add(word));
        edges.iter().for_each(|&edge| part.add(edge as u64));
        part.add(u64::MAX);
        for node in kept.iter() {
            let Node { key, source, partner, .. } = self.nodes[node];
            part.add_number(key);
            part.add(u64::from(source) << 32 | u64::from(partner));
            cause.of(node).iter().zip(kept.words()).for_each(|(row, kept)| part.add(row & kept));
            if self.nodes[node].is_write() {
                orders.iter().for_each(|order| part.add(u64::from(order[node])));
            }
        }
        part.number()
    }
}

/// Bits that are put into words.
#[derive(Default)]
struct Bits {
    word: u64,
    count: u32,
}

impl Bits {
    fn push(&mut self, bit: bool, part: &mut Wide) {
        self.word = self.word << 1 | u64::from(bit);
        self.count += 1;
        if self.count == 64 {
            part.add(self.word);
            *self = Bits::default();
        }
    }

    fn finish(self, part: &mut Wide) {
        part.add(self.word);
        part.add(u64::from(self.count));
    }
}

/// A number that in all likelihood no other words have.
pub(super) fn number(words: &impl Hash) -> u128 {
    let mut hasher = Wide::default();
    words.hash(&mut hasher);
    hasher.number()
}

/// Two hashes at once, by the halves of products.
#[derive(Clone, Copy)]
pub(super) struct Wide {
    low: u64,
    high: u64,
}

impl Default for Wide {
    fn default() -> Wide {
        Wide { low: 0x9e37_79b9_7f4a_7c15, high: 0x2545_f491_4f6c_dd1d }
    }
}

impl Wide {
    #[inline]
    pub fn add(&mut self, word: u64) {
        self.add_words(word, word);
    }

    /// What stands for something else.
    #[inline]
    pub fn add_number(&mut self, number: u128) {
        self.add_words((number >> 64) as u64, number as u64);
    }

    /// What stands for something else, and may go on.
    #[inline]
    pub fn add_wide(&mut self, other: Wide) {
        self.add_words(other.low, other.high);
    }

    fn add_words(&mut self, low: u64, high: u64) {
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        self.low = fold(self.low.rotate_left(29) ^ low, 0xa076_1d64_78bd_642f);
        self.high = fold(self.high.rotate_left(41) ^ high, 0xe703_7ed1_a0b4_28db);
    }

    /// What stands for all that was added.
    pub fn number(mut self) -> u128 {
        // Once more, so that the last word is mixed as well as the others.
        self.add(0);
        u128::from(self.low) << 64 | u128::from(self.high)
    }
}

impl Hasher for Wide {
    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.add(u64::from_le_bytes(*word)));
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn finish(&self) -> u64 {
        self.low
    }
}
