//! Committed parts of executions as numbers: many candidates have the same one, and it is looked for in the sources once.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::nodes::Node;
use super::rows::Rows;
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
            words.extend([label.address, label.value, u64::from(label.thread) << 8 | label.kind as u64]);
            words.push(u64::from(place(source)) << 32 | u64::from(place(partner)));
            for flag in [label.acquires, label.releases, label.is_sc, label.rmw, self.promised.has(node)] {
                bits.push(flag, &mut words);
            }
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
    let hash = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        (seed, words).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    hash(0x9e37_79b9_7f4a_7c15) << 64 | hash(0x2545_f491_4f6c_dd1d)
}
