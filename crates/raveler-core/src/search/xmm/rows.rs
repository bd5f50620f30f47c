//! Sets of nodes, and relations as the set of predecessors of each node, as bits.

/// A set of nodes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct NodeSet {
    bits: Vec<u64>,
}

impl NodeSet {
    pub fn empty(n: usize) -> NodeSet {
        NodeSet { bits: vec![0; n.div_ceil(64)] }
    }

    #[inline]
    pub fn has(&self, node: usize) -> bool {
        self.bits[node / 64] >> (node % 64) & 1 != 0
    }

    /// Add a node; false if it was there.
    #[inline]
    pub fn insert(&mut self, node: usize) -> bool {
        let new = !self.has(node);
        self.bits[node / 64] |= 1 << (node % 64);
        new
    }

    pub fn add(&mut self, words: &[u64]) {
        for (to, from) in self.bits.iter_mut().zip(words) {
            *to |= from;
        }
    }

    /// Add those of `words` that are in another set.
    pub fn add_of(&mut self, words: &[u64], other: &NodeSet) {
        for (to, (from, of)) in self.bits.iter_mut().zip(words.iter().zip(&other.bits)) {
            *to |= from & of;
        }
    }

    /// Take away a node and others.
    pub fn remove(&mut self, node: usize, others: &[u64]) {
        self.bits[node / 64] &= !(1 << (node % 64));
        for (to, from) in self.bits.iter_mut().zip(others) {
            *to &= !from;
        }
    }

    /// Is one of these in the set?
    pub fn meets(&self, words: &[u64]) -> bool {
        self.bits.iter().zip(words).any(|(mine, other)| mine & other != 0)
    }

    pub fn clear(&mut self) {
        self.bits.fill(0);
    }

    pub fn words(&self) -> &[u64] {
        &self.bits
    }

    /// The node with the highest number.
    pub fn last(&self) -> Option<usize> {
        let word = self.bits.iter().rposition(|&word| word != 0)?;
        Some(word * 64 + 63 - self.bits[word].leading_zeros() as usize)
    }

    /// The first node that is not in another set.
    pub fn first_without(&self, other: &NodeSet) -> Option<usize> {
        let mut words = self.bits.iter().zip(&other.bits).map(|(mine, other)| mine & !other).enumerate();
        let (at, word) = words.find(|(_, word)| *word != 0)?;
        Some(at * 64 + word.trailing_zeros() as usize)
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        ones(&self.bits)
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
