//! Which locks may be kept for ever? (docs/locks.md, "Deadlocks")
//!
//! A thread waits for a lock for ever only if a thread that holds it never goes on: one that has stopped, or
//! waits to join a thread, or waits for a lock for ever itself, and so on until the chain closes. Threads of
//! which that is known in the graph are [`Holding`]. Where others may still come to do so is learned: program
//! points where a thread was observed holding a lock ([`HoldPoint`]) count as long as the thread can still
//! reach them.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::Search;
use super::lessons::{Locks, Name};
use crate::consistency::with_sections::WithSections;
use crate::graph::ThreadStatus;
use crate::id::Address;
use crate::mutation::Mutant;
use crate::program::Program;
use crate::program::action::LockMode;

/// A lock that a thread requests, by address, and the mode.
pub(super) type Wanted = (u64, LockMode);

/// After so many steps of following chains a lock counts as one that may be kept.
const PATIENCE: u32 = 10_000;

/// A hold point: a program point where a thread was observed holding locks, and where it may stay for ever.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct HoldPoint {
    pub thread: Name,
    pub held: Locks,
    /// The lock it requests there. None if it stopped there or joins a thread.
    pub wants: Option<Wanted>,
    /// How many events the thread had made.
    pub index: u32,
    /// The writes by other threads that it has read since it took the first of the locks, as pairs of writer
    /// and address; sorted. Empty if `wants` is none: threads stop for many reasons, and each would restart
    /// the search.
    pub sources: Vec<(Name, u64)>,
}

impl HoldPoint {
    /// Is this hold point possible wherever the other one is? Then the other one says nothing new.
    pub fn covers(&self, other: &HoldPoint) -> bool {
        self.thread == other.thread
            && self.wants == other.wants
            && self.index >= other.index
            && self.held == other.held
            && self.sources.iter().all(|source| other.sources.binary_search(source).is_ok())
    }
}

/// A thread of the graph that has stopped, joins, or waits for a lock for ever, and the locks it holds.
pub(super) struct Holding {
    thread: Name,
    held: Locks,
    wants: Option<Wanted>,
}

/// The threads that hold locks in the graph and do not go on (`standing`), and the hold points that others
/// may still reach (`stands`, if `may_come`).
pub(super) struct World<'a, F> {
    pub stands: &'a FxHashMap<u64, Vec<HoldPoint>>,
    pub standing: &'a [Holding],
    pub may_come: F,
}

/// A chain of threads, each waiting for a lock of the next, with the locks they hold.
type Chain<'a> = Vec<(Name, &'a Locks)>;

/// Does a thread with these locks keep another one from taking a lock in this mode?
fn blocks(held: &Locks, (lock, mode): Wanted) -> bool {
    held.iter().any(|&(theirs, held)| theirs == lock && held.excludes(mode))
}

impl<F: Fn(&HoldPoint) -> bool> World<'_, F> {
    /// May some thread keep this lock for ever, if the thread `waiting`, with its locks, waits for it?
    pub fn may_be_kept(&self, lock: Wanted, waiting: Option<(Name, &Locks)>) -> bool {
        let mut chain: Chain<'_> = waiting.into_iter().collect();
        self.follow(lock, &mut chain, &mut PATIENCE.clone())
    }

    /// Can the chain, whose last thread waits for this lock, be continued until it ends in a thread that has
    /// stopped, or closes? Each thread is in it once, and no two hold conflicting locks.
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

/// Can two threads not hold these locks at the same time?
fn clash(held: &Locks, others: &Locks) -> bool {
    held.iter().any(|&lock| blocks(others, lock))
}

impl<P: Program, K: WithSections> Search<'_, P, K> {
    /// May the thread wait for ever for the lock it requests, by what is known of the lock alone?
    /// [`Search::all_may_be_kept`] then looks at the graph.
    pub(super) fn may_wait_for_ever(&mut self, thread: usize, mode: LockMode) -> bool {
        let lock = self.address(self.reading(thread));
        if self.lessons.is_never_kept(lock) {
            self.lessons.refuse((lock, mode));
        }
        !self.lessons.is_never_kept(lock)
    }

    /// May each lock for which some thread waits for ever be kept by a thread?
    pub(super) fn all_may_be_kept(&mut self, moving: &[bool]) -> bool {
        if self.blocked == 0 {
            return true;
        }
        let Some(lock) = self.free_lock(moving) else { return true };
        // Another worker may have learned meanwhile that some thread comes to keep it.
        self.lessons.refuse(lock) && self.free_lock(moving).is_none()
    }

    /// A lock for which some thread waits for ever and which no thread can keep.
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

    /// Can a thread still come to this hold point: does it move, has it not gone past the point, are its
    /// locks not kept by a thread that waits for ever, and can all that it reads on the way be written?
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

    /// Has this thread written there, or may it still do so?
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
