//! What a worker knows of the program: threads, memory and locks as they are met.
//!
//! Numbers in these tables are the worker's own; nothing that decides anything may depend on them.

use crate::graph::{Loc, NO_LOC};
use crate::id::Address;
use crate::program::Program;

use super::lock_table::{LockHandling, LockKnowledge, LockTable, RestartReason};
use super::memory_map::{LocationUse, MemoryMap};
use super::thread_names::ThreadNames;

/// The tables.
pub(crate) struct Tables {
    pub threads: ThreadNames,
    pub memory: MemoryMap,
    pub locks: LockTable,
    /// Updates whose results play no role may be in no order (`counters.rs`).
    pub counts: bool,
    /// Something was learned for which the search has to restart.
    pub restart: Option<RestartReason>,
}

impl Tables {
    pub fn new<P: Program>(program: &P, knowledge: &LockKnowledge, handling: LockHandling) -> Tables {
        Tables {
            threads: ThreadNames::new(program.threads()),
            memory: MemoryMap::new(program),
            locks: LockTable::new(knowledge, handling),
            counts: false,
            restart: None,
        }
    }

    /// Something was learned for which the search has to restart; the first reason counts.
    pub fn learn(&mut self, reason: impl Into<Option<RestartReason>>) {
        self.restart = self.restart.or(reason.into());
    }

    /// Are updates of this location in no order, as far as is known?
    pub fn is_counter(&self, address: Address) -> bool {
        self.counts && self.locks.may_be_counter(address)
    }

    /// A location is used as a lock or as a word. If it is used as both, the lock rule does not apply to it,
    /// and the search restarts.
    pub fn use_as(&mut self, loc: Loc, usage: LocationUse) {
        let location = &mut self.memory.locations[loc as usize];
        if self.locks.is_word(location.address) {
            location.usage = LocationUse::Word;
            return;
        }
        if location.usage == LocationUse::Unknown {
            location.usage = usage;
        } else if location.usage != usage {
            let word = RestartReason::Word(location.address);
            self.learn(word);
        }
        self.locks.has_locks |= usage == LocationUse::Lock;
    }

    /// Does the lock rule apply to this location?
    #[inline]
    pub fn is_lock(&self, loc: Loc) -> bool {
        self.locks.has_locks
            && loc != NO_LOC
            && self.memory.locations[loc as usize].usage == LocationUse::Lock
    }
}
