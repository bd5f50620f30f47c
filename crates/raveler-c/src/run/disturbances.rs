//! Which futile rounds may hide something wrong (docs/waits.md, "Spared rounds").
//!
//! Something is wrong with a read in a round only if another thread writes to that memory, plainly or beside a plain read, or
//! frees it, and the two are not ordered. Such a write or free is also there in an execution without the round. So rounds are
//! cut as long as none was met: what they read is remembered, and where the search comes to a write or free that disturbs one
//! of them, it begins again and lets rounds with such a read pass. What is written or freed by a thread that was alone
//! disturbs nobody; the engine leaves it out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use raveler_core::mutation::Mutant;
use raveler_core::{Address, Disturbance, WordOf};
use serde::{Deserialize, Serialize};

/// After so many restarts every risky read counts as disturbed.
const MAX_RESTARTS: u32 = 8;

/// What disturbs reads: a fact that was learned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(super) enum Disturbed {
    /// Only reads that the other facts name are disturbed. Without this fact all are.
    Some,
    /// All are, after all.
    All,
    /// These eight bytes are written: plain reads are disturbed.
    Written(u64),
    /// They are written plainly: all reads are.
    WrittenPlainly(u64),
    /// This memory is freed, from here to there.
    Ended(u64, u64),
}

/// What is known.
#[derive(Default)]
pub(super) struct Disturbances {
    /// Not all reads count as disturbed.
    selects: AtomicBool,
    /// The engine tells what happens; otherwise what is known is all there is.
    watches: AtomicBool,
    restarts: AtomicU8,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// Reads of rounds that were cut: their eight bytes; their memory.
    read: BTreeSet<u64>,
    read_plainly: BTreeSet<u64>,
    memory: BTreeSet<u64>,
    /// What disturbs reads.
    written: BTreeSet<u64>,
    written_plainly: BTreeSet<u64>,
    ended: BTreeMap<u64, u64>,
    all: bool,
}

/// The eight bytes that an address lies in.
fn cell(address: Address) -> u64 {
    address.0 >> 3
}

/// The memory that something lies in: a word stands for what is there.
fn memory(address: Address) -> u64 {
    match address.of_word() {
        Some(WordOf::Memory(memory)) => memory.0,
        _ => address.0,
    }
}

impl Disturbances {
    /// A search may leave out rounds of which nothing was told.
    pub fn watch(&self) {
        self.watches.store(true, Ordering::Relaxed);
        self.selects.store(true, Ordering::Relaxed);
        let mut seen = self.seen();
        (seen.read, seen.read_plainly, seen.memory) = Default::default();
    }

    /// Another search, which may not be of all executions.
    pub fn reset(&self) {
        self.watches.store(false, Ordering::Relaxed);
        self.selects.store(false, Ordering::Relaxed);
        *self.seen() = Seen::default();
    }

    pub fn watches(&self) -> bool {
        self.watches.load(Ordering::Relaxed)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A round that reads this memory would be cut: may the read be disturbed? A fact is found if so.
    pub fn asked(&self, address: Address, plain: bool, learn: impl Fn(Disturbed)) -> bool {
        if !self.selects.load(Ordering::Relaxed) {
            return true;
        }
        let mut seen = self.seen();
        let (cell, memory) = (cell(address), memory(address));
        let ended = seen.ended.range(..=memory).next_back().filter(|&(_, &end)| memory < end);
        let fact = if seen.all {
            Disturbed::All
        } else if let Some((&begin, &end)) = ended {
            Disturbed::Ended(begin, end)
        } else if seen.written_plainly.contains(&cell) {
            Disturbed::WrittenPlainly(cell)
        } else if plain && seen.written.contains(&cell) {
            Disturbed::Written(cell)
        } else {
            seen.memory.insert(memory);
            if plain {
                seen.read_plainly.insert(cell)
            } else {
                seen.read.insert(cell)
            };
            return false;
        };
        learn(fact);
        true
    }

    /// A thread did this while others were there: was a round cut that it disturbs? Then the search must restart, with a fact.
    pub fn disturbed(&self, what: Disturbance, learn: impl Fn(Disturbed)) -> bool {
        let mut seen = self.seen();
        let (is_read, fact) = match what {
            Disturbance::Written { address, plain } => {
                let cell = cell(address);
                let is_read = seen.read_plainly.contains(&cell) || plain && seen.read.contains(&cell);
                let fact = if plain { Disturbed::WrittenPlainly(cell) } else { Disturbed::Written(cell) };
                (is_read, fact)
            }
            Disturbance::Ended { begin, end } => {
                let size = end.0 - begin.0;
                let begin = memory(begin);
                let end = begin + size;
                (seen.memory.range(begin..end).next().is_some(), Disturbed::Ended(begin, end))
            }
        };
        if is_read && Mutant::LaterDisturbanceIgnored.is_active() {
            return false;
        }
        if is_read || !Mutant::EarlierDisturbanceForgotten.is_active() {
            seen.add(fact);
        }
        if !is_read {
            return false;
        }
        learn(fact);
        let restarts = self.restarts.fetch_add(1, Ordering::Relaxed);
        if u32::from(restarts) + 1 >= MAX_RESTARTS {
            seen.add(Disturbed::All);
            learn(Disturbed::All);
        }
        true
    }

    /// A fact is true from now on.
    pub fn learned(&self, fact: Disturbed) {
        self.selects.store(true, Ordering::Relaxed);
        self.seen().add(fact);
    }
}

impl Seen {
    fn add(&mut self, fact: Disturbed) {
        match fact {
            Disturbed::Some => {}
            Disturbed::All => self.all = true,
            Disturbed::Written(cell) => drop(self.written.insert(cell)),
            Disturbed::WrittenPlainly(cell) => {
                self.written.insert(cell);
                self.written_plainly.insert(cell);
            }
            Disturbed::Ended(begin, end) => {
                let known = self.ended.entry(begin).or_default();
                *known = end.max(*known);
            }
        }
    }
}
