//! Sets of nodes, and relations as the set of predecessors of each node, as bits.

/// A set of nodes. Most graphs have no more than a word has bits, and their sets need no memory of their own.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum NodeSet {
    One([u64; 1]),
    Many(Vec<u64>),
}

impl NodeSet {
    pub fn empty(n: usize) -> NodeSet {
        match n {
            0..=64 => NodeSet::One([0]),
            _ => NodeSet::Many(vec![0; n.div_ceil(64)]),
        }
    }

    #[inline]
    pub fn words(&self) -> &[u64] {
        match self {
            NodeSet::One(bits) => bits,
            NodeSet::Many(bits) => bits,
        }
    }

    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        match self {
            NodeSet::One(bits) => bits,
            NodeSet::Many(bits) => bits,
        }
    }

    #[inline]
    pub fn has(&self, node: usize) -> bool {
        self.words()[node / 64] >> (node % 64) & 1 != 0
    }

    /// Add a node; false if it was there.
    #[inline]
    pub fn insert(&mut self, node: usize) -> bool {
        let new = !self.has(node);
        self.words_mut()[node / 64] |= 1 << (node % 64);
        new
    }

    pub fn add(&mut self, words: &[u64]) {
        for (to, from) in self.words_mut().iter_mut().zip(words) {
            *to |= from;
        }
    }

    /// Add those of `words` that are in another set.
    pub fn add_of(&mut self, words: &[u64], other: &NodeSet) {
        for (to, (from, of)) in self.words_mut().iter_mut().zip(words.iter().zip(other.words())) {
            *to |= from & of;
        }
    }

    /// Add those of `words` that are not in another set.
    pub fn add_without(&mut self, words: &[u64], other: &NodeSet) {
        for (to, (from, not)) in self.words_mut().iter_mut().zip(words.iter().zip(other.words())) {
            *to |= from & !not;
        }
    }

    /// Take away a node and others.
    pub fn remove(&mut self, node: usize, others: &[u64]) {
        self.words_mut()[node / 64] &= !(1 << (node % 64));
        for (to, from) in self.words_mut().iter_mut().zip(others) {
            *to &= !from;
        }
    }

    /// Is one of these in the set?
    pub fn meets(&self, words: &[u64]) -> bool {
        self.words().iter().zip(words).any(|(mine, other)| mine & other != 0)
    }

    pub fn clear(&mut self) {
        self.words_mut().fill(0);
    }

    /// The node with the highest number.
    pub fn last(&self) -> Option<usize> {
        let words = self.words();
        let word = words.iter().rposition(|&word| word != 0)?;
        Some(word * 64 + 63 - words[word].leading_zeros() as usize)
    }

    /// The first node that is not in another set.
    pub fn first_without(&self, other: &NodeSet) -> Option<usize> {
        let mut words = self.words().iter().zip(other.words()).map(|(mine, other)| mine & !other).enumerate();
        let (at, word) = words.find(|(_, word)| *word != 0)?;
        Some(at * 64 + word.trailing_zeros() as usize)
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        ones(self.words())
    }
}

/// The numbers of the bits that are set.
fn ones(bits: &[u64]) -> impl Iterator<Item = usize> + '_ {
    bits.iter().enumerate().flat_map(|(at, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(at * 64 + bit)
        })
    })
}

/// A relation between nodes: for each node the nodes that are related to it, its predecessors.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Rows {
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    pub fn empty(n: usize) -> Rows {
        let words = n.div_ceil(64);
        Rows { words, bits: vec![0; n * words] }
    }

    /// All rows.
    pub fn words(&self) -> &[u64] {
        &self.bits
    }

    /// The predecessors of a node.
    #[inline]
    pub fn of(&self, node: usize) -> &[u64] {
        &self.bits[node * self.words..(node + 1) * self.words]
    }

    #[inline]
    pub fn of_mut(&mut self, node: usize) -> &mut [u64] {
        &mut self.bits[node * self.words..(node + 1) * self.words]
    }

    /// Is `a` related to `b`?
    #[inline]
    pub fn has(&self, a: usize, b: usize) -> bool {
        self.bits[b * self.words + a / 64] >> (a % 64) & 1 != 0
    }

    #[inline]
    pub fn insert(&mut self, a: usize, b: usize) {
        self.bits[b * self.words + a / 64] |= 1 << (a % 64);
    }

    /// The predecessors of a node, by number.
    pub fn before(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        ones(self.of(node))
    }

    /// Nodes from `from` to `to` (excluded) become predecessors of `node`.
    pub fn insert_range(&mut self, from: usize, to: usize, node: usize) {
        let row = self.of_mut(node);
        let mut at = from;
        while at < to {
            let (word, bit) = (at / 64, at % 64);
            let count = (64 - bit).min(to - at);
            let mask = if count == 64 { u64::MAX } else { (1 << count) - 1 };
            row[word] |= mask << bit;
            at += count;
        }
    }

    /// The predecessors of `from` become predecessors of `to`.
    pub fn insert_all_before(&mut self, from: usize, to: usize) {
        for word in 0..self.words {
            self.bits[to * self.words + word] |= self.bits[from * self.words + word];
        }
    }

    /// Add a pair to a relation that is transitively closed, and close it again.
    pub fn insert_closed(&mut self, a: usize, b: usize) {
        if self.has(a, b) {
            return;
        }
        self.insert(a, b);
        if self.words == 1 {
            let before = self.bits[a] | 1 << a;
            self.bits[b] |= before;
            for row in &mut self.bits {
                *row |= before & (*row >> b & 1).wrapping_neg();
            }
            return;
        }
        self.insert_all_before(a, b);
        let before = self.of(b).to_vec();
        for to in 0..self.bits.len() / self.words {
            if self.has(b, to) {
                self.of_mut(to).iter_mut().zip(&before).for_each(|(word, more)| *word |= more);
            }
        }
    }

    /// The transitive closure.
    pub fn close(&mut self) {
        let n = self.bits.len().checked_div(self.words).unwrap_or(0);
        if self.words == 1 {
            // Without branches: most graphs have no more nodes than that.
            for via in 0..n {
                let before = self.bits[via];
                for row in &mut self.bits {
                    *row |= before & (*row >> via & 1).wrapping_neg();
                }
            }
            return;
        }
        for via in 0..n {
            for to in 0..n {
                if to != via && self.has(via, to) {
                    for word in 0..self.words {
                        self.bits[to * self.words + word] |= self.bits[via * self.words + word];
                    }
                }
            }
        }
    }

    /// The rows of some nodes alone, which are given in ascending order and renumbered.
    pub fn restricted(&self, nodes: &[usize]) -> Rows {
        if self.words == 1 {
            let compress = Compress::new(nodes.iter().fold(0, |all, node| all | 1 << node));
            let bits = nodes.iter().map(|&node| compress.word(self.bits[node])).collect();
            return Rows { words: usize::from(!nodes.is_empty()), bits };
        }
        // Nodes that follow each other stay together: first node, how many, and the new number of the first.
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        for (to, &node) in nodes.iter().enumerate() {
            match runs.last_mut() {
                Some((first, count, _)) if *first + *count == node && *count < 64 => *count += 1,
                _ => runs.push((node, 1, to)),
            }
        }
        let mut rows = Rows::empty(nodes.len());
        for (to, &node) in nodes.iter().enumerate() {
            let (from, into) = (self.of(node), rows.of_mut(to));
            for &(first, count, place) in &runs {
                let (word, bit) = (first / 64, first % 64);
                let mut bits = from[word] >> bit;
                if bit + count > 64 {
                    bits |= from[word + 1] << (64 - bit);
                }
                bits &= u64::MAX >> (64 - count);
                let (word, bit) = (place / 64, place % 64);
                into[word] |= bits << bit;
                if bit + count > 64 {
                    into[word + 1] |= bits >> (64 - bit);
                }
            }
        }
        rows
    }
}

/// Moves the bits of a word that a mask keeps together, by steps of 1, 2, 4, …
struct Compress {
    mask: u64,
    /// The bits that each step moves.
    steps: [u64; 6],
}

impl Compress {
    fn new(mask: u64) -> Compress {
        let mut steps = [0; 6];
        let mut left = mask;
        // By how much a bit moves: the number of bits below it that are not kept.
        let mut gone = !mask << 1;
        for (step, moved) in steps.iter_mut().enumerate() {
            let mut odd = gone;
            for shift in 0..6 {
                odd ^= odd << (1 << shift);
            }
            *moved = odd & left;
            left = left ^ *moved | *moved >> (1 << step);
            gone &= !odd;
        }
        Compress { mask, steps }
    }

    #[inline]
    fn word(&self, word: u64) -> u64 {
        let mut word = word & self.mask;
        for (step, moved) in self.steps.iter().enumerate() {
            let bits = word & moved;
            word = word ^ bits | bits >> (1 << step);
        }
        word
    }
}

#[cfg(test)]
mod tests {
    use super::{NodeSet, Rows};

    /// A relation of some pairs, and the same asked pair by pair.
    fn related(a: usize, b: usize) -> bool {
        (a * 37 + b * 101 + a * b * 7) % 5 < 2
    }

    #[test]
    fn restricted_rows_are_renumbered() {
        for n in [1, 5, 63, 64, 65, 130] {
            let mut rows = Rows::empty(n);
            for a in 0..n {
                for b in (0..n).filter(|&b| related(a, b)) {
                    rows.insert(a, b);
                }
            }
            for step in [1, 2, 3, 7] {
                let kept: Vec<usize> = (0..n).filter(|node| node % step == 0 || node % 11 == 3).collect();
                let restricted = rows.restricted(&kept);
                assert_eq!(restricted, pairs(kept.len(), |a, b| related(kept[a], kept[b])), "{n} {step}");
            }
            assert_eq!(rows.restricted(&[]), Rows::empty(0));
        }
    }

    fn pairs(n: usize, is_in: impl Fn(usize, usize) -> bool) -> Rows {
        let mut rows = Rows::empty(n);
        for a in 0..n {
            (0..n).filter(|&b| is_in(a, b)).for_each(|b| rows.insert(a, b));
        }
        rows
    }

    #[test]
    fn sets_of_any_size() {
        for n in [0, 1, 64, 65, 200] {
            let mut set = NodeSet::empty(n);
            for node in (0..n).step_by(3) {
                assert!(set.insert(node) && !set.insert(node) && set.has(node));
            }
            assert_eq!(set.iter().collect::<Vec<_>>(), (0..n).step_by(3).collect::<Vec<_>>());
            assert_eq!(set.last(), (0..n).step_by(3).next_back());
        }
    }
}
