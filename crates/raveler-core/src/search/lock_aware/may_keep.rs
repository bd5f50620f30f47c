//! Who may keep a lock for ever (docs/locks.md, "Deadlocks").
//!
//! A thread waits for a lock for ever only if somebody who holds it never goes on: one that has stopped, or waits for a
//! thread, or waits for a lock for ever itself, and so on until somebody waits for one who is in the chain already. Who
//! does so in the graph is known. Who may still come to do so is learned: everywhere a thread was ever seen to stand with
//! a lock in its hands counts ([`HoldPoint`]), as long as it can still get there.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::Search;
use super::lessons::{Locks, Name};
use crate::consistency::with_sections::WithSections;
use crate::graph::ThreadStatus;
use crate::id::Address;
use crate::mutation::Mutant;
use crate::observer::Observer;
use crate::program::Program;
use crate::program::action::LockMode;

/// A lock, by address, and the way in which it is wanted.
pub(super) type Wanted = (u64, LockMode);

/// How far a chain is followed before it is taken to be possible.
const PATIENCE: u32 = 10_000;

/// A place at which a thread was seen to stand while it held locks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct HoldPoint {
    pub thread: Name,
    pub held: Locks,
    /// The lock it requests. None if it stopped there or waits for a thread.
    pub wants: Option<Wanted>,
    /// Its place in the thread.
    pub index: u32,
    /// Who wrote what it has read since it took the first of the locks, and where; sorted. Of those that stop it is not
    /// asked: they stop for many reasons, and each would start the search again.
    pub sources: Vec<(Name, u64)>,
}

impl HoldPoint {
    /// Is the other one possible only if this one is?
    pub fn covers(&self, other: &HoldPoint) -> bool {
        self.thread == other.thread
            && self.wants == other.wants
            && self.index >= other.index
            && self.held == other.held
            && self.sources.iter().all(|source| other.sources.binary_search(source).is_ok())
    }
}

/// A thread that stands in the graph and never goes on.
pub(super) struct Holding {
    thread: Name,
    held: Locks,
    wants: Option<Wanted>,
}

/// Where threads stand and may still come to stand.
pub(super) struct World<'a, F> {
    pub stands: &'a FxHashMap<u64, Vec<HoldPoint>>,
    pub standing: &'a [Holding],
    pub may_come: F,
}

/// Threads that wait for each other, with what they hold.
type Chain<'a> = Vec<(Name, &'a Locks)>;

fn blocks(held: &Locks, (lock, mode): Wanted) -> bool {
    held.iter().any(|&(theirs, held)| theirs == lock && held.excludes(mode))
}

impl<F: Fn(&HoldPoint) -> bool> World<'_, F> {
    /// May somebody hold this lock for ever, if `waiting` waits for it?
    pub fn may_be_kept(&self, lock: Wanted, waiting: Option<(Name, &Locks)>) -> bool {
        let mut chain: Chain<'_> = waiting.into_iter().collect();
        self.follow(lock, &mut chain, &mut PATIENCE.clone())
    }

    fn follow<'b>(&'b self, lock: Wanted, chain: &mut Chain<'b>, patience: &mut u32) -> bool {
        if chain.iter().any(|(_, held)| blocks(held, lock)) || *patience == 0 {
            return true;
        }
        *patience -= 1;
        let known = self.standing.iter().map(|s| (s.thread, &s.held, s.wants));
        let possible = self.stands.get(&lock.0).map_or(&[][..], Vec::as_slice).iter();
        let possible = possible.filter(|s| (self.may_come)(s)).map(|s| (s.thread, &s.held, s.wants));
        for (thread, held, wants) in known.chain(possible) {
            if !blocks(held, lock)
                || chain.iter().any(|(name, theirs)| *name == thread || clash(held, theirs))
            {
                continue;
            }
            let Some(wants) = wants else { return true };
            chain.push((thread, held));
            if self.follow(wants, chain, patience) {
                return true;
            }
            chain.pop();
        }
        false
    }
}

/// Can two threads not hold these at the same time?
fn clash(held: &Locks, others: &Locks) -> bool {
    held.iter().any(|&lock| blocks(others, lock))
}

impl<P: Program, K: WithSections, O: Observer<P>> Search<'_, P, K, O> {
    /// May the thread wait for the lock it requests for ever? What is known of the lock alone is asked first.
    pub(super) fn may_wait_for_ever(&mut self, thread: usize, mode: LockMode) -> bool {
        let lock = self.address(self.reading(thread));
        if self.lessons.is_never_kept(lock) {
            self.lessons.refuse((lock, mode));
        }
        !self.lessons.is_never_kept(lock)
    }

    /// May each lock that is waited for for ever be kept by somebody?
    pub(super) fn all_may_be_kept(&mut self, moving: &[bool]) -> bool {
        if self.blocked == 0 {
            return true;
        }
        let Some(lock) = self.free_lock(moving) else { return true };
        // Another worker may have learned meanwhile who comes to keep it.
        self.lessons.refuse(lock) && self.free_lock(moving).is_none()
    }

    /// A lock that somebody waits for and nobody can keep.
    fn free_lock(&self, moving: &[bool]) -> Option<Wanted> {
        let graph = &self.graph;
        let standing: Vec<Holding> = (0..moving.len())
            .filter(|&t| {
                matches!(graph.status[t], ThreadStatus::Stuck | ThreadStatus::Done | ThreadStatus::Joins)
            })
            .map(|t| Holding {
                thread: self.run.tables.threads.names()[t],
                held: self.locks_of(t, |_| true),
                wants: self.waits_at(t).map(|(lock, mode)| (self.address(lock), mode)),
            })
            .collect();
        let world = World {
            stands: self.lessons.stands(),
            standing: &standing,
            may_come: |stand: &HoldPoint| self.may_stand(stand, moving, &standing),
        };
        standing
            .iter()
            .filter(|s| s.wants.is_some_and(|wants| !world.may_be_kept(wants, Some((s.thread, &s.held)))))
            .find_map(|s| s.wants)
    }

    /// May a thread that still moves come to stand there, in the end?
    fn may_stand(&self, stand: &HoldPoint, moving: &[bool], standing: &[Holding]) -> bool {
        let may_move = match self.run.tables.threads.known(u64::from(stand.thread)) {
            Some(t) if t < moving.len() => {
                moving[t] && self.graph.threads[t].events.len() as u32 <= stand.index
            }
            _ => moving.contains(&true),
        };
        may_move
            && !standing.iter().any(|s| s.wants.is_some() && clash(&s.held, &stand.held))
            && stand.sources.iter().all(|&(writer, address)| self.may_be_written(writer, address, moving))
    }

    /// Has this thread written there, or may it still?
    fn may_be_written(&self, writer: Name, address: u64, moving: &[bool]) -> bool {
        match self.run.tables.threads.known(u64::from(writer)) {
            Some(t) if t < moving.len() => {
                moving[t] && !Mutant::SourcesThere.is_active() || self.has_written(t, address)
            }
            _ => moving.contains(&true),
        }
    }

    fn has_written(&self, thread: usize, address: u64) -> bool {
        let loc = self.run.tables.memory.known(Address(address));
        let place = loc.and_then(|loc| self.graph.accesses.get(loc as usize));
        place.is_some_and(|place| place.writes.iter().any(|write| write.thread() == thread))
    }
}
