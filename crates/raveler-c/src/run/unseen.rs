//! Stores at the beginning of waiting rounds that no other thread sees (docs/reductions.md, "Rounds").
//!
//! Where threads store in loops is remembered. The engine says which of these places another thread may see; there a store
//! is an effect, after a restart.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use raveler_core::Address;

/// Each place that is seen costs a restart. After so many all are taken to be seen.
const MAX_SEEN: usize = 8;

/// What is known.
#[derive(Default)]
pub(super) struct Unseen {
    /// Stores may be passed over at all.
    is_on: AtomicBool,
    /// Some were made.
    is_there: AtomicBool,
    /// Something was left out because of it.
    was_used: AtomicBool,
    /// Tries are to be left out that were not yet.
    wants_more: AtomicBool,
    places: Mutex<Places>,
}

#[derive(Default)]
struct Places {
    stored: BTreeSet<Address>,
    seen: BTreeSet<Address>,
    /// Failed tries that stored there are left out: no other thread may read it.
    overwritten: BTreeSet<Address>,
}

impl Unseen {
    /// Before a search.
    pub fn reset(&self, is_on: bool) {
        self.is_on.store(is_on, Ordering::Relaxed);
        self.is_there.store(false, Ordering::Relaxed);
        self.was_used.store(false, Ordering::Relaxed);
        self.wants_more.store(false, Ordering::Relaxed);
        *self.places() = Places::default();
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread in a loop stores to this place. False if that is an effect.
    pub fn stores(&self, address: Address) -> bool {
        if !self.is_on.load(Ordering::Relaxed) {
            return false;
        }
        let mut places = self.places();
        if places.seen.contains(&address) {
            return false;
        }
        places.stored.insert(address);
        self.is_there.store(true, Ordering::Relaxed);
        true
    }

    /// Is there such a store?
    pub fn is_there(&self) -> bool {
        self.is_there.load(Ordering::Relaxed)
    }

    /// Were there stores to this place that are no effects?
    pub fn has(&self, address: Address) -> bool {
        if !self.is_there() {
            return false;
        }
        let places = self.places();
        places.stored.contains(&address) && !places.seen.contains(&address)
    }

    /// Are failed tries left out that stored to this place?
    pub fn overwrites(&self, address: Address) -> bool {
        self.has(address) && self.places().overwritten.contains(&address)
    }

    /// Such tries could be left out if it was known from the beginning.
    pub fn wants_to_overwrite(&self) {
        self.wants_more.store(true, Ordering::Relaxed);
    }

    pub fn wants_restart(&self) -> bool {
        self.wants_more.load(Ordering::Relaxed)
    }

    /// From now on failed tries that store to this place are left out.
    pub fn overwritten(&self, address: Address) {
        self.places().overwritten.insert(address);
        self.wants_more.store(false, Ordering::Relaxed);
    }

    /// Something was left out.
    pub fn used(&self) {
        self.was_used.store(true, Ordering::Relaxed);
    }

    /// Was anything left out?
    pub fn was_used(&self) -> bool {
        self.was_used.load(Ordering::Relaxed)
    }

    /// From now on stores to this place are effects.
    pub fn seen(&self, address: Address) {
        let mut places = self.places();
        places.seen.insert(address);
        if places.seen.len() > MAX_SEEN {
            self.is_on.store(false, Ordering::Relaxed);
            self.is_there.store(false, Ordering::Relaxed);
        }
    }
}
