//! How locks are treated, and what earlier searches found out about them.
//!
//! A lock gets one of three treatments. Its sections are left unordered ([`LockHandling::Unordered`]; with
//! extra words if it is a reader-writer lock that some thread tries, `rwlock_try.rs`); or it is an update of
//! its word under the lock rule, in the order of acquisition; or it is an update of its word like any other,
//! because something else is done with the word, such as trying the lock. The search restarts when a lock
//! turns out to need another treatment.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::id::Address;
use crate::program::Overlap;
use crate::program::action::LockMode;
use crate::settings::Locks;

/// Each location that is found to be no counter costs a restart. After so many nothing is counted.
const MOST_NO_COUNTERS: usize = 16;

/// Why a search restarts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RestartReason {
    /// The lock rule does not apply to this lock.
    Word(Address),
    /// The program learned something.
    Program,
    /// Accesses overlap: they are to be divided.
    Overlap(Overlap),
    /// There are locks: their sections are to be left unordered.
    Locks,
    /// The search that leaves sections unordered learned something.
    Lessons,
    /// Some thread tries this reader-writer lock.
    Tried(Address),
    /// A thread takes such a lock, in a mode in which it was not known to.
    Holder { lock: Address, thread: u32, mode: LockMode },
    /// A thread waits in a loop after a round that another thread has seen, so it must be followed further; by its name.
    SeenRound(u32),
    /// Threads can be told apart that were taken to be twins (`symmetry.rs`).
    Twins,
    /// The order in which this location is updated can be seen (`counters.rs`).
    Counter(Address),
    /// A thread ends the life of what another one uses at the same time: by frees and what is like them.
    Ends,
}

/// What earlier searches found out about locks.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct LockKnowledge {
    /// Locks to which the lock rule does not apply: some thread tries them, or accesses their word.
    pub words: BTreeSet<Address>,
    /// Reader-writer locks that some thread tries: the names of the threads that take them, and whether they
    /// ever do so exclusively.
    pub tried: BTreeMap<Address, BTreeMap<u32, bool>>,
    /// By the name of a thread: how many of its futile rounds are followed, because other threads may see them
    /// (`seen_rounds.rs`).
    pub seen_rounds: BTreeMap<u32, u32>,
    /// Twins can be told apart.
    pub twins_differ: bool,
    /// Locations of which the order of updates can be seen.
    pub no_counters: BTreeSet<Address>,
}

/// What is done with locks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum LockHandling {
    /// A lock is an update of its word; only reader-writer locks need another search.
    Ordered,
    /// No lock was met yet; the first one restarts the search.
    Watched,
    /// Sections are left unordered, except for those of mutexes that are tried.
    Unordered,
}

impl LockHandling {
    /// How a search begins.
    pub fn at_first(locks: Locks) -> LockHandling {
        match locks {
            Locks::Aware => LockHandling::Watched,
            Locks::Ordered => LockHandling::Ordered,
        }
    }
}

/// What is known of locks, for one search.
pub(crate) struct LockTable {
    knowledge: LockKnowledge,
    handling: LockHandling,
    /// Some location is a lock.
    pub has_locks: bool,
    /// Synchronisation objects that are destroyed, or initialised where there are several threads.
    lives: Vec<Address>,
}

impl LockTable {
    pub fn new(knowledge: &LockKnowledge, handling: LockHandling) -> LockTable {
        LockTable { knowledge: knowledge.clone(), handling, has_locks: false, lives: Vec::new() }
    }

    /// This object begins or ends to exist while others may use it.
    pub fn lives(&mut self, object: Address) {
        if !self.lives.contains(&object) {
            self.lives.push(object);
        }
    }

    /// Does any object?
    #[inline]
    pub fn has_lives(&self) -> bool {
        !self.lives.is_empty()
    }

    /// Does this one?
    pub fn has_life(&self, object: Address) -> bool {
        self.lives.contains(&object)
    }

    /// Is this lock an update of its word like any other?
    pub fn is_word(&self, address: Address) -> bool {
        self.knowledge.words.contains(&address)
    }

    /// Are there locks whose sections may be left unordered?
    pub fn leaves_any_unordered(&self) -> bool {
        self.handling == LockHandling::Unordered
    }

    /// Are the sections of this lock left unordered?
    pub fn leaves_unordered(&self, address: Address) -> bool {
        self.handling == LockHandling::Unordered && !self.is_word(address)
    }

    /// A lock is about to be made an update of its word: must the search restart instead?
    pub fn meet_lock(&self, address: Address) -> Option<RestartReason> {
        (self.handling == LockHandling::Watched && !self.is_word(address)).then_some(RestartReason::Locks)
    }

    /// A reader-writer lock where it cannot be a word: why the search restarts. Either some thread tries the
    /// lock, or the search must leave sections unordered.
    pub fn meet_shared(&self, address: Address, tried: bool) -> RestartReason {
        if tried || self.is_word(address) { RestartReason::Tried(address) } else { RestartReason::Locks }
    }

    /// The number of a reader-writer lock that some thread tries.
    pub fn tried(&self, address: Address) -> Option<u32> {
        if self.knowledge.tried.is_empty() {
            return None;
        }
        self.knowledge.tried.keys().position(|&lock| lock == address).map(|number| number as u32)
    }

    /// Does some thread try a reader-writer lock?
    #[inline]
    pub fn has_tried(&self) -> bool {
        !self.knowledge.tried.is_empty()
    }

    /// Can a thread see that a lock is held?
    #[inline]
    pub fn can_be_seen(&self) -> bool {
        !self.knowledge.words.is_empty() || self.has_tried()
    }

    /// How many futile rounds of this thread are followed?
    pub fn seen_rounds(&self, thread: u32) -> u32 {
        self.knowledge.seen_rounds.get(&thread).copied().unwrap_or(0)
    }

    /// Can threads be told apart that look like twins?
    pub fn tells_twins_apart(&self) -> bool {
        self.knowledge.twins_differ
    }

    /// May updates of this location be in no order? After so many that may not, none may.
    pub fn may_be_counter(&self, address: Address) -> bool {
        let none = &self.knowledge.no_counters;
        none.len() < MOST_NO_COUNTERS && !none.contains(&address)
    }

    /// The address of such a lock.
    pub fn tried_address(&self, number: u32) -> Address {
        *self.knowledge.tried.keys().nth(number as usize).expect("a lock that is tried")
    }

    /// The names of the threads that may hold such a lock when `thread` tries to take it in this mode and
    /// fails.
    pub fn holders(&self, number: u32, thread: u32, mode: LockMode) -> impl Iterator<Item = u32> + '_ {
        let holders = self.knowledge.tried.values().nth(number as usize).into_iter().flatten();
        let excludes = move |alone: bool| alone || mode == LockMode::Exclusive;
        holders.filter(move |&(&name, &alone)| name != thread && excludes(alone)).map(|(&name, _)| name)
    }

    /// A thread takes such a lock: must the search restart because that was not known?
    pub fn meet_holder(&self, lock: Address, thread: u32, mode: LockMode) -> Option<RestartReason> {
        let alone = self.knowledge.tried.get(&lock).and_then(|holders| holders.get(&thread));
        alone.is_none_or(|&alone| !alone && mode == LockMode::Exclusive).then_some(RestartReason::Holder {
            lock,
            thread,
            mode,
        })
    }
}
