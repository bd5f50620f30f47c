//! What the lock-aware search learns of the program as it goes.
//!
//! Names and addresses are the program's own, so that what is learned holds for every worker and every process.

use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::may_keep::{HoldPoint, Wanted, World};
use crate::mutation::Mutant;
use crate::program::action::LockMode;

/// Locks with the way in which they are held, sorted by address.
pub(super) type Locks = Vec<(u64, LockMode)>;

/// A thread, by name.
pub(super) type Name = u32;

/// What one worker knows, and what all of them do.
pub(crate) struct SharedLessons<'a> {
    pub(super) own: Lessons,
    /// With several workers: what any of them learned. Whatever is new or missing here is looked up there.
    pub(super) shared: Option<&'a Mutex<Lessons>>,
}

/// What was learned so far. Names and addresses are the program's own, so that it holds for every worker.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Lessons {
    /// By address: who writes there, up to which place in the thread, holding what.
    pub(super) writes: FxHashMap<u64, Vec<Write>>,
    /// What such sections have always written, sorted. Of those that are not listed nothing is known.
    together: FxHashMap<Together, Vec<u64>>,
    /// By address: the reads that were not postponed.
    passed: FxHashMap<u64, Vec<Passed>>,
    /// By lock: where threads that hold it were seen to stand.
    pub(super) stands: FxHashMap<u64, Vec<HoldPoint>>,
    /// Locks for which somebody did not wait for ever.
    refused: FxHashSet<Wanted>,
    /// Something was learned that the search has gone past.
    pub must_restart: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Write {
    pub thread: Name,
    pub held: Locks,
    pub index: u32,
}

/// Sections of a thread that write to an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct Together {
    pub thread: Name,
    pub lock: u64,
    pub address: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Passed {
    thread: Name,
    /// Locks in whose current section the location was accessed: nobody who holds them too can write what is read.
    closed: Locks,
    /// From which place on a write of a thread would have come. Of threads that are not listed: from the first.
    from: Vec<(Name, u32)>,
}

/// Can a section with these locks not lie after an access inside a section with those?
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

    fn learn(&mut self, address: u64, thread: Name, held: Locks, index: u32) {
        let known = self.writes.entry(address).or_default();
        match known.iter_mut().find(|w| w.thread == thread && w.held == held) {
            Some(write) if write.index >= index => return,
            Some(write) => write.index = index,
            None => known.push(Write { thread, held: held.clone(), index }),
        }
        let passed = self.passed.get(&address).map_or(&[][..], Vec::as_slice);
        self.must_restart |= passed.iter().any(|p| {
            p.thread != thread
                && !exclude(&held, &p.closed)
                && p.from.iter().find(|(name, _)| *name == thread).is_none_or(|&(_, from)| from <= index)
        });
    }

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

    /// Such a section ended, which wrote all this.
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

    /// There is such a section that does not write this.
    fn separate(&mut self, section: Together, address: u64) {
        if let Some(with) = self.together.get_mut(&section)
            && let Ok(at) = with.binary_search(&address)
        {
            with.remove(at);
            self.written_alone(section);
        }
    }

    /// A wait may have been skipped because such a section was believed to write more than this: start again.
    fn written_alone(&mut self, section: Together) {
        let passed = self.passed.get(&section.address).map_or(&[][..], Vec::as_slice);
        self.must_restart |= passed.iter().any(|p| p.thread != section.thread);
    }

    /// Does this say nothing new?
    fn knows_stand(&self, stand: &HoldPoint) -> bool {
        let known = stand.held.first().and_then(|(lock, _)| self.stands.get(lock));
        known.is_some_and(|known| known.iter().any(|other| other.covers(stand)))
    }

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

    /// Somebody does not wait for this lock for ever, since nobody keeps it.
    fn refuse(&mut self, lock: Wanted) {
        self.refused.insert(lock);
    }

    /// Take over what somebody else learned; what was gone past stays there.
    fn copy(&mut self, other: &Lessons) {
        self.writes.clone_from(&other.writes);
        self.together.clone_from(&other.together);
        self.stands.clone_from(&other.stands);
        self.must_restart |= other.must_restart;
    }

    /// For a new search: what was gone past is forgotten.
    pub fn restart(&mut self) {
        self.passed.clear();
        self.refused.clear();
        self.must_restart = false;
    }
}

impl<'a> SharedLessons<'a> {
    /// Of a search alone.
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

    /// Was something learned that the search has gone past?
    #[inline]
    pub fn must_restart(&self) -> bool {
        self.own.must_restart
    }

    /// Learn what others have learned.
    pub fn catch_up(&mut self) {
        if let Some(shared) = self.shared {
            self.own.copy(&shared.lock());
        }
    }

    /// Change what is known, for all.
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

    pub(super) fn learn(&mut self, address: u64, thread: Name, held: Locks, index: u32) {
        if !self.own.knows(address, thread, &held, index) {
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

    /// Is a thread behind all places at which it was ever seen to write there?
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

    /// Was nobody ever seen to stand still while holding this lock?
    pub(super) fn is_never_kept(&self, lock: u64) -> bool {
        !self.own.stands.contains_key(&lock) || Mutant::NeverKept.is_active()
    }

    pub(super) fn stands(&self) -> &FxHashMap<u64, Vec<HoldPoint>> {
        &self.own.stands
    }

    /// Somebody does not wait for this lock, since nobody keeps it. True if others may have learned of somebody.
    pub(super) fn refuse(&mut self, lock: Wanted) -> bool {
        if self.own.refused.contains(&lock) {
            return false;
        }
        self.change(|lessons| lessons.refuse(lock));
        self.own.refuse(lock);
        self.shared.is_some()
    }
}
