//! The forced coherence order of one location: which writes must come before which in every coherence order.
//!
//! Let an access *show* the write that it is, or that it reads from. If access a happens before access b of
//! the same location, the write that a shows is coherence-before the one that b shows, or the same if b
//! reads. A write and the updates that read from each other in a chain after it are adjacent in every
//! coherence order: such a *block* is ordered as one. The relation kept here is closed under both. So a
//! coherence order exists iff it has no cycle, and any linear extension that keeps blocks together is one
//! that explains the reads.
//!
//! Writes are named by write index, 0 being the initial write, in the order of
//! [`crate::graph::LocationAccesses::writes`]. What an access has *seen* are the writes shown by accesses
//! that happen before it.

use crate::mutation::Mutant;
use std::collections::VecDeque;

/// Bits in a word of a row.
const WORD: usize = 64;

/// The forced order of one location's writes.
#[derive(Debug, Default)]
pub(crate) struct ForcedCoherence {
    /// Number of write indices in use.
    count: usize,
    /// Words per row.
    words: usize,
    /// Row of write index i: the set of write indices that come before it.
    before: Vec<u64>,
    /// Where each write index stands in its block.
    slots: Vec<Slot>,
    /// Rows as they were, for undo: write index, then its words.
    trail: Vec<u64>,
    /// Scratch row.
    scratch: Vec<u64>,
}

/// Where a write index stands in its block.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The first write index of its block.
    root: u32,
    /// How many steps after the root it stands.
    depth: u32,
    /// The update that reads from it, or 0.
    taken: u32,
    /// Of a root: the last write index of the block.
    tail: u32,
}

/// A point to which [`ForcedCoherence::undo`] returns.
pub(crate) type Mark = usize;

impl ForcedCoherence {
    /// Forget everything but the initial write.
    pub fn clear(&mut self) {
        self.count = 0;
        self.words = self.words.max(1);
        self.before.clear();
        self.slots.clear();
        self.trail.clear();
        self.add_slot();
    }

    /// Become a copy.
    pub fn assign(&mut self, other: &ForcedCoherence) {
        self.count = other.count;
        self.words = other.words;
        self.before.clone_from(&other.before);
        self.slots.clone_from(&other.slots);
        self.trail.clear();
    }

    /// How many rows were changed so far.
    pub fn mark(&self) -> Mark {
        self.trail.len() / (self.words + 1)
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn count(&self) -> usize {
        self.count
    }

    fn add_slot(&mut self) -> u32 {
        if self.count == self.words * WORD {
            self.widen();
        }
        let write_index = self.count as u32;
        self.count += 1;
        self.before.resize(self.count * self.words, 0);
        self.slots.push(Slot { root: write_index, depth: 0, taken: 0, tail: write_index });
        write_index
    }

    fn widen(&mut self) {
        let (old, new) = (self.words, self.words * 2);
        let mut rows = Vec::with_capacity(self.count * new);
        for row in self.before.chunks_exact(old) {
            rows.extend_from_slice(row);
            rows.resize(rows.len() + new - old, 0);
        }
        self.before = rows;
        // The trail keeps rows of the old width: lay them out anew too.
        let mut trail = Vec::with_capacity(self.trail.len() * 2);
        for entry in self.trail.chunks_exact(old + 1) {
            trail.extend_from_slice(entry);
            trail.resize(trail.len() + new - old, 0);
        }
        self.trail = trail;
        self.words = new;
    }

    #[inline]
    fn row(&self, write_index: u32) -> &[u64] {
        let start = write_index as usize * self.words;
        &self.before[start..start + self.words]
    }

    /// Must `a` come before `b`, in different blocks or the same?
    #[inline]
    pub fn is_before(&self, a: u32, b: u32) -> bool {
        self.before[b as usize * self.words + a as usize / WORD] >> (a as usize % WORD) & 1 != 0
    }

    /// Is there an update that reads from this write index?
    #[inline]
    pub fn is_taken(&self, write_index: u32) -> bool {
        self.slots[write_index as usize].taken != 0
    }

    /// May an access that has seen `seen` read `candidate`?
    #[inline]
    pub fn may_follow(&self, seen: u32, candidate: u32) -> bool {
        seen == candidate || !self.is_before(candidate, seen)
    }

    /// Add a plain write that has seen the write indices `seen`; it gets the next write index.
    pub fn push_write(&mut self, seen: &[u32]) -> u32 {
        let write_index = self.add_slot();
        let (earlier, row) = self.before.split_at_mut(write_index as usize * self.words);
        // The initial block comes before everything.
        for seen in seen.iter().copied().chain([0]) {
            let tail = self.slots[self.slots[seen as usize].root as usize].tail as usize;
            if row[tail / WORD] >> (tail % WORD) & 1 == 0 {
                let start = tail * self.words;
                row.iter_mut().zip(&earlier[start..start + self.words]).for_each(|(to, from)| *to |= from);
                row[tail / WORD] |= 1 << (tail % WORD);
            }
        }
        write_index
    }

    /// Remove the last write index, a plain write.
    pub fn pop_write(&mut self) {
        self.drop_slot();
    }

    fn drop_slot(&mut self) {
        self.count -= 1;
        self.before.truncate(self.count * self.words);
        self.slots.pop();
    }

    /// Collect into the scratch row all blocks of `seen` and what comes before them, except `target`'s own
    /// block. False if a write after `target` in its own block was seen.
    fn gather(&mut self, seen: &[u32], target: u32) -> bool {
        self.scratch.clear();
        self.scratch.resize(self.words, 0);
        let home = self.slots[target as usize].root;
        for &write_index in seen {
            if self.slots[write_index as usize].root == home {
                if self.slots[write_index as usize].depth > self.slots[target as usize].depth {
                    return false;
                }
            } else {
                self.gather_tail(write_index);
            }
        }
        true
    }

    /// Add the block of a write index, and all that comes before it, to the scratch row.
    fn gather_tail(&mut self, write_index: u32) {
        let tail = self.slots[self.slots[write_index as usize].root as usize].tail;
        let start = tail as usize * self.words;
        for (to, from) in self.scratch.iter_mut().zip(&self.before[start..start + self.words]) {
            *to |= from;
        }
        self.scratch[tail as usize / WORD] |= 1 << (tail as usize % WORD);
    }

    /// An access that has seen the write indices `seen` reads `target`: each of them comes before `target` or
    /// is `target`. False if that is impossible; what was changed is undone by [`ForcedCoherence::undo`].
    pub fn require(&mut self, seen: &[u32], target: u32) -> bool {
        if Mutant::ForcedIgnored.is_active() {
            return true;
        }
        if self.is_known(seen, target) {
            return true;
        }
        if !self.gather(seen, target) {
            return false;
        }
        self.spread(target)
    }

    /// Does all that was seen come before `target`, as far as it is known already? As the relation is closed, that is so if
    /// the last write of each block does.
    #[inline]
    fn is_known(&self, seen: &[u32], target: u32) -> bool {
        let Slot { root: home, depth, .. } = self.slots[target as usize];
        let row = self.row(home);
        seen.iter().all(|&write_index| {
            let slot = self.slots[write_index as usize];
            if slot.root == home {
                return slot.depth <= depth;
            }
            let tail = self.slots[slot.root as usize].tail as usize;
            row[tail / WORD] >> (tail % WORD) & 1 != 0
        })
    }

    /// The same for a plain write `target`: all that it has seen comes strictly before it.
    pub fn require_before(&mut self, seen: &[u32], target: u32) -> bool {
        // A plain write is the root of its block: what was seen of that block is the write itself or comes
        // after it.
        seen.iter().all(|&s| self.slots[s as usize].root != target) && self.require(seen, target)
    }

    /// Do two write indices belong to one block?
    pub fn same_block(&self, a: u32, b: u32) -> bool {
        self.slots[a as usize].root == self.slots[b as usize].root
    }

    /// All blocks in the scratch row come before `target`'s block, and so before all that comes after it.
    /// False if that closes a cycle.
    fn spread(&mut self, target: u32) -> bool {
        let home = self.slots[target as usize].root;
        if self.scratch[home as usize / WORD] >> (home as usize % WORD) & 1 != 0 {
            return false;
        }
        if self.row(home).iter().zip(&self.scratch).all(|(row, new)| new & !row == 0) {
            return true;
        }
        for write_index in 0..self.count as u32 {
            if self.slots[write_index as usize].root == home || self.is_before(home, write_index) {
                self.merge(write_index);
            }
        }
        true
    }

    fn merge(&mut self, write_index: u32) {
        let start = write_index as usize * self.words;
        let row = &mut self.before[start..start + self.words];
        if row.iter().zip(&self.scratch).all(|(row, new)| new & !row == 0) {
            return;
        }
        self.trail.push(write_index as u64);
        self.trail.extend_from_slice(row);
        for (to, from) in row.iter_mut().zip(&self.scratch) {
            *to |= from;
        }
    }

    /// An update that reads from `source` writes too: it gets the next write index, directly after its source
    /// in the block. None if another update reads from the source.
    pub fn push_update(&mut self, source: u32) -> Option<u32> {
        if self.is_taken(source) {
            return None;
        }
        let write_index = self.add_slot();
        let home = self.slots[source as usize].root;
        self.scratch.clear();
        self.scratch.resize(self.words, 0);
        self.scratch[write_index as usize / WORD] |= 1 << (write_index as usize % WORD);
        for other in 0..write_index {
            if self.slots[other as usize].root != home && self.is_before(home, other) {
                self.merge(other);
            }
        }
        let (to, from) = (write_index as usize * self.words, source as usize * self.words);
        self.before.copy_within(from..from + self.words, to);
        self.before[to + source as usize / WORD] |= 1 << (source as usize % WORD);
        if Mutant::NoBlocks.is_active() {
            self.slots[source as usize].taken = write_index;
            return Some(write_index);
        }
        self.slots[write_index as usize].root = home;
        self.slots[write_index as usize].depth = self.slots[source as usize].depth + 1;
        self.slots[source as usize].taken = write_index;
        self.slots[home as usize].tail = write_index;
        Some(write_index)
    }

    /// Remove the last write index, an update that reads from `source`. The rows are restored by
    /// [`ForcedCoherence::undo`].
    pub fn pop_update(&mut self, source: u32) {
        let home = self.slots[source as usize].root;
        self.slots[source as usize].taken = 0;
        if !Mutant::NoBlocks.is_active() {
            self.slots[home as usize].tail = source;
        }
        self.drop_slot();
    }

    /// Rows as they were at the mark.
    pub fn undo(&mut self, mark: Mark) {
        while self.mark() > mark {
            let entry = self.trail.len() - self.words - 1;
            let write_index = self.trail[entry] as usize;
            if write_index < self.count {
                let start = write_index * self.words;
                self.before[start..start + self.words].copy_from_slice(&self.trail[entry + 1..]);
            }
            self.trail.truncate(entry);
        }
    }

    /// To build a whole location: this for its number of writes, [`ForcedCoherence::link`] for each update,
    /// [`ForcedCoherence::settle`], then [`ForcedCoherence::require`] or [`ForcedCoherence::require_before`]
    /// for each access.
    pub fn start_slots(&mut self, writes: usize) {
        self.clear();
        for _ in 0..writes {
            self.add_slot();
        }
    }

    /// Update `update` reads from write index `source`, so they belong to one block. False if another update
    /// reads from the source. In any order; the blocks are made by [`ForcedCoherence::settle`].
    pub fn link(&mut self, source: u32, update: u32) -> bool {
        if self.is_taken(source) {
            return false;
        }
        self.slots[source as usize].taken = update;
        true
    }

    /// After all links: make the blocks, and put the initial block before all others. False if updates read
    /// from each other in a cycle.
    pub fn settle(&mut self) -> bool {
        let mut reached = 0;
        // `u32::MAX` marks write indices that are no roots.
        for at in 0..self.count {
            if let update @ 1.. = self.slots[at].taken {
                self.slots[update as usize].depth = u32::MAX;
            }
        }
        for root in 0..self.count as u32 {
            if self.slots[root as usize].depth != 0 {
                continue;
            }
            let (mut write_index, mut depth) = (root, 0);
            loop {
                self.slots[write_index as usize].root = root;
                self.slots[write_index as usize].depth = depth;
                reached += 1;
                let next = self.slots[write_index as usize].taken;
                if next == 0 {
                    break;
                }
                let (to, from) = (next as usize * self.words, write_index as usize * self.words);
                self.before.copy_within(from..from + self.words, to);
                self.before[to + write_index as usize / WORD] |= 1 << (write_index as usize % WORD);
                write_index = next;
                depth += 1;
            }
            self.slots[root as usize].tail = write_index;
        }
        if reached < self.count {
            return false;
        }
        self.scratch.clear();
        self.scratch.resize(self.words, 0);
        self.gather_tail(0);
        for write_index in 0..self.count as u32 {
            if self.slots[write_index as usize].root != 0 {
                self.merge(write_index);
            }
        }
        self.trail.clear();
        true
    }

    /// Two writes of different blocks of which neither is forced before the other.
    pub fn undecided(&self) -> Option<(u32, u32)> {
        for b in 1..self.count as u32 {
            for a in 1..b {
                if self.slots[a as usize].root != self.slots[b as usize].root
                    && !self.is_before(a, b)
                    && !self.is_before(b, a)
                {
                    return Some((a, b));
                }
            }
        }
        None
    }

    /// Order the block of `a` before the block of `b`. False if that closes a cycle.
    pub fn force(&mut self, a: u32, b: u32) -> bool {
        self.scratch.clear();
        self.scratch.resize(self.words, 0);
        self.gather_tail(a);
        self.spread(b)
    }

    /// Can this write be the coherence-last one?
    pub fn can_be_last(&self, write_index: u32) -> bool {
        (0..self.count as u32).all(|other| !self.is_before(write_index, other))
    }

    /// Is this write the coherence-last one in every order?
    pub fn must_be_last(&self, write_index: u32) -> bool {
        let before: usize = self.row(write_index).iter().map(|word| word.count_ones() as usize).sum();
        before + 1 == self.count
    }

    /// The write indices in one order that extends the forced one, blocks kept together, small write indices first.
    pub fn linear(&self) -> Vec<u32> {
        let mut order: Vec<u32> = Vec::with_capacity(self.count);
        let mut placed = vec![0u64; self.words];
        // Most are taken from the front.
        let mut roots: VecDeque<u32> =
            (0..self.count as u32).filter(|&s| self.slots[s as usize].root == s).collect();
        while !roots.is_empty() {
            let at = roots
                .iter()
                .position(|&root| self.row(root).iter().zip(&placed).all(|(row, done)| row & !done == 0))
                .expect("the forced order has no cycle");
            let mut write_index = roots.remove(at).expect("a place among them");
            loop {
                order.push(write_index);
                placed[write_index as usize / WORD] |= 1 << (write_index as usize % WORD);
                write_index = self.slots[write_index as usize].taken;
                if write_index == 0 {
                    break;
                }
            }
        }
        order
    }
}
