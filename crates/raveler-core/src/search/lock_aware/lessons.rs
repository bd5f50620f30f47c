//! What the lock-aware search learns of the program as it goes: which thread writes where, what sections
//! write together, where threads stand while they hold locks.
//!
//! Threads and locks have the names and addresses of the program, so that a lesson holds for every worker and
//! every process. A choice that was left out because of what was known then is remembered, too (*passed*,
//! *refused*); a lesson that contradicts it restarts the search.

use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::may_keep::{HoldPoint, Wanted, World};
use crate::mutation::Mutant;
use crate::program::action::LockMode;

/// Locks with the mode in which they are held, sorted by address.
pub(super) type Locks = Vec<(u64, LockMode)>;

/// A thread, by name.
pub(super) type Name = u32;

/// What one worker knows, and what all of them know.
pub(crate) struct SharedLessons<'a> {
    pub(super) own: Lessons,
    /// With several workers: what all of them learned. New lessons are noted there and copied to `own`.
    pub(super) shared: Option<&'a Mutex<Lessons>>,
}

/// What was learned so far.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Lessons {
    /// By address: the threads that write there, up to which index, and the locks they hold then.
    pub(super) writes: FxHashMap<u64, Vec<Write>>,
    /// The addresses that such sections have always written, sorted. Of sections that are not listed nothing
    /// is known.
    together: FxHashMap<Together, Vec<u64>>,
    /// By address: the reads that were not postponed, because no write was known that could still come.
    passed: FxHashMap<u64, Vec<Passed>>,
    /// By lock: the hold points of threads that hold it.
    pub(super) stands: FxHashMap<u64, Vec<HoldPoint>>,
    /// Locks for which the choice to wait for ever was left out, because no thread was known that could keep
    /// them.
    refused: FxHashSet<Wanted>,
    /// Something was learned that contradicts a choice made earlier in this search.
    pub must_restart: bool,
}

/// Writes of a thread while it holds these locks; `index` is the greatest index of one in the thread.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Write {
    pub thread: Name,
    pub held: Locks,
    pub index: u32,
}

/// The sections of a thread and a lock that write to an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct Together {
    pub thread: Name,
    pub lock: u64,
    pub address: u64,
}

/// A read that was not postponed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Passed {
    thread: Name,
    /// The locks in whose current section the thread has accessed the location: it cannot read a write that
    /// another thread makes while it holds one of them.
    closed: Locks,
    /// For each thread, the index from which on its writes were still to come. For threads that are not
    /// listed: from 0.
    from: Vec<(Name, u32)>,
}

/// Is some lock in both lists, in modes that exclude each other? Then no section that holds the first can
/// overlap one that holds the second.
pub(super) fn exclude(held: &Locks, closed: &Locks) -> bool {
    held.iter()
        .any(|(lock, mode)| closed.iter().any(|(other, theirs)| lock == other && mode.excludes(*theirs)))
}

impl Lessons {
    /// Is such a write known already?
    fn knows(&self, address: u64, thread: Name, held: &Locks, index: u32) -> bool {
        let known = self.writes.get(&address).map_or(&[][..], Vec::as_slice);
        known.iter().any(|w| w.thread == thread && w.held == *held && w.index >= index)
    }

    /// A thread writes to an address. Restarts the search if a read was passed that could have been given
    /// such a write.
    fn learn(&mut self, address: u64, thread: Name, held: &Locks, index: u32) {
        let known = self.writes.entry(address).or_default();
        match known.iter_mut().find(|w| w.thread == thread && w.held == *held) {
            Some(write) if write.index >= index => return,
            Some(write) => write.index = index,
            None => known.push(Write { thread, held: held.clone(), index }),
        }
        let passed = self.passed.get(&address).map_or(&[][..], Vec::as_slice);
        self.must_restart |= passed.iter().any(|p| {
            p.thread != thread
                && !exclude(held, &p.closed)
                && p.from.iter().find(|(name, _)| *name == thread).is_none_or(|&(_, from)| from <= index)
        });
    }

    /// A read of an address is not postponed.
    pub(super) fn pass(&mut self, address: u64, thread: Name, closed: Locks, from: Vec<(Name, u32)>) {
        let known = self.passed.entry(address).or_default();
        match known.iter_mut().find(|p| p.thread == thread && p.closed == closed) {
            Some(passed) => {
                for (name, index) in from {
                    if let Some(entry) = passed.from.iter_mut().find(|(n, _)| *n == name) {
                        entry.1 = entry.1.min(index);
                    }
                }
            }
            None => known.push(Passed { thread, closed, from }),
        }
    }

    /// Such a section ended, and wrote these addresses.
    fn end_section(&mut self, section: Together, written: &[u64]) {
        let Some(with) = self.together.get_mut(&section) else {
            self.together.insert(section, written.to_vec());
            return;
        };
        if Mutant::SectionsAlike.is_active() {
            return;
        }
        let before = with.len();
        with.retain(|z| written.binary_search(z).is_ok());
        if with.len() < before {
            self.written_alone(section);
        }
    }

    /// There is such a section that does not write this address.
    fn separate(&mut self, section: Together, address: u64) {
        if let Some(with) = self.together.get_mut(&section)
            && let Ok(at) = with.binary_search(&address)
        {
            with.remove(at);
            self.written_alone(section);
        }
    }

    /// A section writes less than was believed. If a read of its address was not postponed, that may have
    /// been because of this belief: restart.
    fn written_alone(&mut self, section: Together) {
        let passed = self.passed.get(&section.address).map_or(&[][..], Vec::as_slice);
        self.must_restart |= passed.iter().any(|p| p.thread != section.thread);
    }

    /// Does this hold point say nothing new?
    fn knows_stand(&self, stand: &HoldPoint) -> bool {
        let known = stand.held.first().and_then(|(lock, _)| self.stands.get(lock));
        known.is_some_and(|known| known.iter().any(|other| other.covers(stand)))
    }

    /// A thread stood at this hold point. Restarts the search if a lock was refused that may be kept after
    /// all.
    fn stand(&mut self, stand: &HoldPoint) {
        for (lock, _) in &stand.held {
            let known = self.stands.entry(*lock).or_default();
            if known.iter().any(|other| other.covers(stand)) {
                continue;
            }
            known.retain(|other| !stand.covers(other));
            known.push(stand.clone());
        }
        let world = World { stands: &self.stands, standing: &[], may_come: |_: &HoldPoint| true };
        self.must_restart |= self.refused.iter().any(|&lock| world.may_be_kept(lock, None));
    }

    /// The choice to wait for this lock for ever is left out, since no thread keeps it.
    fn refuse(&mut self, lock: Wanted) {
        self.refused.insert(lock);
    }

    /// Take over what all workers learned. What was passed and refused is kept only in the shared lessons.
    fn copy(&mut self, other: &Lessons) {
        self.writes.clone_from(&other.writes);
        self.together.clone_from(&other.together);
        self.stands.clone_from(&other.stands);
        self.must_restart |= other.must_restart;
    }

    /// For a restart: the lessons stay, what was passed and refused is forgotten.
    pub fn restart(&mut self) {
        self.passed.clear();
        self.refused.clear();
        self.must_restart = false;
    }
}

impl<'a> SharedLessons<'a> {
    /// Of a search with one worker.
    pub fn new(own: Lessons) -> SharedLessons<'a> {
        SharedLessons { own, shared: None }
    }

    /// Of one of several workers.
    pub fn shared(shared: &'a Mutex<Lessons>) -> SharedLessons<'a> {
        let own = shared.lock().clone();
        SharedLessons { own, shared: Some(shared) }
    }

    /// What was learned.
    pub fn into_lessons(self) -> Lessons {
        self.own
    }

    /// Was something learned that contradicts a choice made earlier in this search?
    #[inline]
    pub fn must_restart(&self) -> bool {
        self.own.must_restart
    }

    /// Take over what other workers have learned.
    pub fn catch_up(&mut self) {
        if let Some(shared) = self.shared {
            self.own.copy(&shared.lock());
        }
    }

    /// Change what is known, for all workers.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Lessons)) {
        match self.shared {
            Some(shared) => {
                let mut lessons = shared.lock();
                change(&mut lessons);
                self.own.copy(&lessons);
            }
            None => change(&mut self.own),
        }
    }

    pub(super) fn learn(&mut self, address: u64, thread: Name, held: &Locks, index: u32) {
        if !self.own.knows(address, thread, held, index) {
            self.change(|lessons| lessons.learn(address, thread, held, index));
        }
    }

    pub(super) fn end_section(&mut self, section: Together, written: &[u64]) {
        let known = self.own.together.get(&section);
        if known.is_none_or(|with| with.iter().any(|z| written.binary_search(z).is_err())) {
            self.change(|lessons| lessons.end_section(section, written));
        }
    }

    pub(super) fn separate(&mut self, section: Together, address: u64) {
        if self.together(section).is_some_and(|with| with.binary_search(&address).is_ok()) {
            self.change(|lessons| lessons.separate(section, address));
        }
    }

    /// What such sections have always written.
    pub(super) fn together(&self, section: Together) -> Option<&[u64]> {
        self.own.together.get(&section).map(Vec::as_slice)
    }

    /// Has a thread gone past all events at which it was ever seen to write there? False if it never was.
    pub(super) fn has_gone_past(&self, thread: Name, address: u64, index: u32) -> bool {
        let known = self.own.writes.get(&address).map_or(&[][..], Vec::as_slice);
        let mut theirs = known.iter().filter(|write| write.thread == thread).peekable();
        theirs.peek().is_some() && theirs.all(|write| write.index < index)
    }

    pub(super) fn stand(&mut self, stand: &HoldPoint) {
        if !self.own.knows_stand(stand) {
            self.change(|lessons| lessons.stand(stand));
        }
    }

    /// Was no thread ever observed at a hold point with this lock?
    pub(super) fn is_never_kept(&self, lock: u64) -> bool {
        !self.own.stands.contains_key(&lock) || Mutant::NeverKept.is_active()
    }

    pub(super) fn stands(&self) -> &FxHashMap<u64, Vec<HoldPoint>> {
        &self.own.stands
    }

    /// The choice to wait for this lock for ever is left out, since no thread keeps it. True if other workers
    /// may have learned meanwhile that some thread does.
    pub(super) fn refuse(&mut self, lock: Wanted) -> bool {
        if self.own.refused.contains(&lock) {
            return false;
        }
        self.change(|lessons| lessons.refuse(lock));
        self.own.refuse(lock);
        self.shared.is_some()
    }
}
