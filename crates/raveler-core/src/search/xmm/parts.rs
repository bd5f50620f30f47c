//! Committed parts of executions as numbers: many candidates have the same one, and it is looked for in the sources once.

use std::hash::{Hash, Hasher};

use super::nodes::Node;
use super::rows::{NodeSet, Rows};
use super::view::{INIT, NONE, View};

impl View {
    /// A number that stands for all that decides whether these nodes embed into a source.
    pub fn part(&self, nodes: &[usize], rpo: &Rows, cause: Option<&Rows>, orders: &[Vec<u32>]) -> u128 {
        let mut places = vec![NONE; self.len()];
        for (place, &node) in nodes.iter().enumerate() {
            places[node] = place as u32;
        }
        let place = |node: u32| if node < INIT { places[node as usize] } else { node };
        let mut words = Vec::with_capacity(4 * nodes.len());
        let mut bits = Bits::default();
        for (at, &node) in nodes.iter().enumerate() {
            let Node { label, source, partner, .. } = self.nodes[node];
            words.extend(label.words());
            words.push(u64::from(place(source)) << 32 | u64::from(place(partner)));
            bits.push(self.promised.has(node), &mut words);
            for &before in &nodes[..at] {
                for rows in [Some(rpo), cause].into_iter().flatten() {
                    bits.push(rows.has(before, node), &mut words);
                    bits.push(rows.has(node, before), &mut words);
                }
                let other = &self.nodes[before];
                if self.nodes[node].is_write() && other.is_write() && other.label.address == label.address {
                    orders.iter().for_each(|order| bits.push(order[before] < order[node], &mut words));
                }
            }
        }
        bits.finish(&mut words);
        number(&words)
    }
}

impl View {
    /// A number that stands for these nodes, with some of their edges, and all that is remembered of them. Cheaper than
    /// what stands for a source: parts that are equal but for the numbers of their nodes have different ones.
    pub fn numbered_part(
        &self,
        kept: &NodeSet,
        edges: &[usize],
        relations: [&Rows; 2],
        orders: &[Vec<u32>],
    ) -> u128 {
        let mut words = Vec::with_capacity(8 * self.len());
        words.extend_from_slice(kept.words());
        words.extend(edges.iter().map(|&edge| edge as u64));
        let masked = |row: &[u64], words: &mut Vec<u64>| {
            words.extend(row.iter().zip(kept.words()).map(|(row, kept)| row & kept));
        };
        for node in kept.iter() {
            let Node { label, source, partner, .. } = self.nodes[node];
            words.extend(label.words());
            words.push(u64::from(source) << 32 | u64::from(partner));
            relations.iter().for_each(|rows| masked(rows.of(node), &mut words));
            words.extend(orders.iter().map(|order| u64::from(order[node])));
        }
        number(&words)
    }
}

/// Bits that are put into words.
#[derive(Default)]
struct Bits {
    word: u64,
    count: u32,
}

impl Bits {
    fn push(&mut self, bit: bool, words: &mut Vec<u64>) {
        self.word = self.word << 1 | u64::from(bit);
        self.count += 1;
        if self.count == 64 {
            words.push(self.word);
            *self = Bits::default();
        }
    }

    fn finish(self, words: &mut Vec<u64>) {
        words.extend([self.word, u64::from(self.count)]);
    }
}

/// A number that in all likelihood no other words have.
pub(super) fn number(words: &impl Hash) -> u128 {
    let mut hasher = Wide { low: 0x9e37_79b9_7f4a_7c15, high: 0x2545_f491_4f6c_dd1d };
    words.hash(&mut hasher);
    // Once more, so that the last word is mixed as well as the others.
    hasher.write_u64(0);
    u128::from(hasher.low) << 64 | u128::from(hasher.high)
}

/// Two hashes at once, by the halves of products.
struct Wide {
    low: u64,
    high: u64,
}

impl Hasher for Wide {
    fn write_u64(&mut self, word: u64) {
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        self.low = fold(self.low.rotate_left(29) ^ word, 0xa076_1d64_78bd_642f);
        self.high = fold(self.high.rotate_left(41) ^ word, 0xe703_7ed1_a0b4_28db);
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.write_u64(u64::from_le_bytes(*word)));
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn finish(&self) -> u64 {
        self.low
    }
}
