//! Names of things: threads, events, addresses, sites (places in the source).
//!
//! Thread numbers, and with them event names, are a worker's own. What is the same in every exploration,
//! worker and process are thread names ([`crate::ThreadName`], `run/thread_names.rs`), addresses and sites.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A thread, by its number. Threads that exist from the start are numbered from 0, spawned ones as the worker
/// met them. Its *name* does not depend on the order of exploration: see [`crate::ThreadName`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadId(pub u32);

/// An event: the number of its thread and its index in that thread, both in one word.
///
/// Names stay the same when other threads grow or shrink, so they survive every step of the search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(u32);

impl Default for EventId {
    fn default() -> EventId {
        EventId::INIT
    }
}

impl EventId {
    /// The one event that writes the initial value of every location, before everything else.
    pub const INIT: EventId = EventId(u32::MAX);
    /// The greatest index that an event can have.
    pub const MAX_INDEX: u32 = (1 << 20) - 1;
    /// Thread numbers are below this.
    pub const MAX_THREADS: u32 = (1 << 12) - 1;

    /// The event of `thread` at position `index` (from 0).
    #[inline]
    pub fn new(thread: u32, index: u32) -> EventId {
        debug_assert!(thread < Self::MAX_THREADS && index <= Self::MAX_INDEX);
        EventId(thread << 20 | index)
    }

    /// The thread's number; meaningless for [`EventId::INIT`].
    #[inline]
    pub fn thread(self) -> usize {
        (self.0 >> 20) as usize
    }

    /// How many events of the same thread come before this one.
    #[inline]
    pub fn index(self) -> u32 {
        self.0 & Self::MAX_INDEX
    }

    /// Is this the initial write?
    #[inline]
    pub fn is_init(self) -> bool {
        self == Self::INIT
    }
}

impl fmt::Debug for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_init() { write!(f, "init") } else { write!(f, "{}.{}", self.thread(), self.index()) }
    }
}

/// Where a value lives in memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Address(pub u64);

impl Address {
    /// Addresses with this bit belong to no object: words that are there from the start and hold 0, for locks
    /// and other things that are not memory of the program.
    pub const WORDS: u64 = 1 << 62;
    /// Addresses with this bit lie in memory that an execution allocated.
    pub const ALLOCATED: u64 = 1 << 63;
    /// A word for something in allocated memory.
    const WORD_ALLOCATED: u64 = 1 << 60;
    /// A word for something of a thread, not for something that lies in memory.
    const WORD_THREAD: u64 = 1 << 61 | 1 << 60;

    /// The purpose of words that say how a thread holds a lock: the engine's own, above those of front-ends.
    const HOLD: u64 = 15;

    /// The word for what lies at this address and is not memory to the engine: a lock, a condition variable. If the
    /// memory is freed, so is the word.
    pub fn word(self) -> Address {
        if self.0 & Self::ALLOCATED != 0 {
            Address(Self::WORDS | Self::WORD_ALLOCATED | self.0 & (Self::WORD_ALLOCATED - 1))
        } else {
            Address(Self::WORDS | self.0)
        }
    }

    /// The word of a thread with this number, for a purpose of the front-end's below 15.
    pub fn word_of_thread(thread: u64, purpose: u64) -> Address {
        Address(Self::WORDS | Self::WORD_THREAD | purpose << 40 | thread << 3)
    }

    /// The word in which a thread says how it holds the reader-writer lock with this number. None if there
    /// are too many locks.
    pub(crate) fn hold(lock: u64, thread: u64) -> Option<Address> {
        let word = Self::word_of_thread(thread, Self::HOLD).0;
        (lock < 1 << 13).then_some(Address(word | lock << 27))
    }

    /// What a word stands for.
    pub fn of_word(self) -> Option<WordOf> {
        if self.0 & Self::WORDS == 0 || self.0 & Self::ALLOCATED != 0 {
            return None;
        }
        let rest = self.0 & !Self::WORDS;
        Some(if rest & Self::WORD_THREAD == Self::WORD_THREAD {
            let (thread, purpose) = (rest >> 3 & 0xff_ffff, rest >> 40 & 15);
            match purpose {
                Self::HOLD => WordOf::Hold { lock: rest >> 27 & 0x1fff, thread },
                _ => WordOf::Thread { thread, purpose },
            }
        } else if rest & Self::WORD_THREAD == Self::WORD_ALLOCATED {
            WordOf::Memory(Address(Self::ALLOCATED | rest & !Self::WORD_ALLOCATED))
        } else {
            WordOf::Memory(Address(rest))
        })
    }
}

/// An allocation: the name of the thread that made it, and how many that thread had made before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct AllocationId {
    pub thread: u32,
    pub nth: u32,
}

impl AllocationId {
    const NTH_BITS: u32 = 13;
    const OFFSET_BITS: u32 = 26;

    /// The allocation that an address lies in, and how many bytes from its beginning. None for other memory.
    pub fn at(address: Address) -> Option<(AllocationId, u64)> {
        let bits = address.0;
        let id = AllocationId {
            thread: (bits >> (Self::NTH_BITS + Self::OFFSET_BITS)) as u32 & 0xff_ffff,
            nth: (bits >> Self::OFFSET_BITS) as u32 & ((1 << Self::NTH_BITS) - 1),
        };
        (bits & Address::ALLOCATED != 0).then_some((id, bits & ((1 << Self::OFFSET_BITS) - 1)))
    }

    /// Where it begins.
    pub fn address(self) -> Address {
        let thread = u64::from(self.thread) << (Self::NTH_BITS + Self::OFFSET_BITS);
        Address(Address::ALLOCATED | thread | u64::from(self.nth) << Self::OFFSET_BITS)
    }

    /// No allocation reaches further.
    pub const MAX_SIZE: u64 = 1 << Self::OFFSET_BITS;

    /// Is there an address for an allocation of this size?
    pub fn fits(self, size: u64) -> bool {
        self.nth < 1 << Self::NTH_BITS && size < 1 << Self::OFFSET_BITS
    }

    /// Both numbers in one, for an event.
    pub fn key(self) -> u64 {
        u64::from(self.thread) << 32 | u64::from(self.nth)
    }

    /// The reverse.
    pub fn from_key(key: u64) -> AllocationId {
        AllocationId { thread: (key >> 32) as u32, nth: key as u32 }
    }
}

/// What a word of the engine stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordOf {
    /// Something that lies in memory.
    Memory(Address),
    /// Something of a thread.
    Thread {
        /// The thread, as programs name it.
        thread: u64,
        /// What it is used for, as the front-end numbers it.
        purpose: u64,
    },
    /// How a thread holds a lock. The engine's own: no report shows it.
    Hold {
        /// The lock, as the search numbers it.
        lock: u64,
        /// The thread, as programs name it.
        thread: u64,
    },
}

/// A site: a place in the source; [`crate::SourceMap`] says which.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct SiteId(pub u32);

impl SiteId {
    /// For what has no site.
    pub const NONE: SiteId = SiteId(u32::MAX);
    const INSIDE: u32 = 1 << 31;

    /// The same site, for what a library function does that is called there.
    pub fn inside(self) -> SiteId {
        SiteId(self.0 | Self::INSIDE)
    }

    /// Does this stand for what a library function does that is called there?
    pub fn is_inside(self) -> bool {
        self != SiteId::NONE && self.0 & Self::INSIDE != 0
    }

    /// The index of the site in [`crate::SourceMap::sites`].
    pub fn index(self) -> usize {
        (self.0 & !Self::INSIDE) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_what_they_stand_for() {
        for address in [Address(5 << 26), Address(1 << 61 | 7 << 49 | 3), Address(1 << 63 | 3 << 39 | 64)] {
            assert_eq!(address.word().of_word(), Some(WordOf::Memory(address)));
            assert_eq!(address.of_word(), None);
        }
        let word = Address::word_of_thread(77, 1);
        assert_eq!(word.of_word(), Some(WordOf::Thread { thread: 77, purpose: 1 }));
        let hold = Address::hold(8191, 0xff_ffff).expect("that many locks");
        assert_eq!(hold.of_word(), Some(WordOf::Hold { lock: 8191, thread: 0xff_ffff }));
        assert_eq!(Address::hold(8192, 0), None);
    }
}
