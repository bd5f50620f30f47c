//! Random walks, where exhaustion is out of reach (docs/random.md).
//!
//! Walk number i depends on the seed and i alone, and what walks found is joined in the order of their numbers, so the
//! number of workers changes nothing.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;

use super::restart::Knowledge;
use super::{lock_aware, trust};
use crate::consistency::with_sections::WithSections;
use crate::observer::{Observer, Watchers};
use crate::outcome::{Outcome, StopReason};
use crate::program::Program;
use crate::run::lock_table::{LockHandling, RestartReason};
use crate::settings::{RandomWalks, Settings};

/// A small generator of pseudo-random numbers (splitmix64): the same seed gives the same numbers everywhere.
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The numbers of one walk.
    pub fn of_walk(seed: u64, walk: u64) -> Random {
        let mut random = Random(seed);
        // Seeds that follow each other must not share walks.
        let start = random.next() ^ walk.wrapping_mul(0xd134_2543_de82_ef95);
        Random(start)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

/// So many walks are made by one worker first. Most of what there is to learn is learned there, and what is learned
/// changes the walks.
const ALONE: u64 = 256;

/// Make the walks.
pub(super) fn search<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    walks: RandomWalks,
    knowledge: &mut Knowledge,
    watchers: &mut Watchers<'_, P>,
) -> (Outcome, Option<RestartReason>) {
    let (mut outcome, restart) = if knowledge.handling == LockHandling::Unordered {
        lock_aware::walks::<P, K>(program, settings, walks, knowledge, watchers.first)
    } else {
        let (locks, handling) = (&knowledge.locks, LockHandling::Ordered);
        // All walks count, complete or not.
        let each = &Settings { max_executions: None, ..settings.clone() };
        share(walks, watchers, |share, observer: &mut dyn Observer<P>| {
            let mut search = trust::Search::<P, K>::new(program, each, locks, handling, observer);
            share.each(|random| {
                search.walk_at_random(random);
                search.ledger.take_walk()
            });
            search.run.tables.restart
        })
    };
    outcome.stopped.get_or_insert(StopReason::Walks);
    (outcome, restart)
}

/// Let workers share the walks: `work` makes those of its share, and says why all have to start again, if something was
/// learned.
pub(super) fn share<P: Program>(
    RandomWalks { seed, walks, .. }: RandomWalks,
    watchers: &mut Watchers<'_, P>,
    work: impl Fn(&Share<'_>, &mut dyn Observer<P>) -> Option<RestartReason> + Sync,
) -> (Outcome, Option<RestartReason>) {
    let shared = &Shared::default();
    let alone = if watchers.each().count() > 1 { ALONE.min(walks) } else { walks };
    let mut restart = work(&Share { shared, seed, end: alone }, watchers.first);
    if restart.is_none() && alone < walks && !shared.stopped.load(Ordering::Relaxed) {
        let work = |observer: &mut dyn Observer<P>| work(&Share { shared, seed, end: walks }, observer);
        std::thread::scope(|scope| {
            let work = &work;
            let workers: Vec<_> =
                watchers.each().map(|observer| scope.spawn(move || work(observer))).collect();
            for worker in workers {
                match worker.join() {
                    Ok(reason) => restart = restart.or(reason),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
    }
    let tally = std::mem::take(&mut *shared.tally.lock());
    (tally.finish(), restart)
}

/// What workers share.
#[derive(Default)]
struct Shared {
    /// The number of the next walk.
    next: AtomicU64,
    /// Something ends all walks.
    stopped: AtomicBool,
    tally: Mutex<Tally>,
}

/// A worker's share of the walks: whichever number is next.
pub(super) struct Share<'a> {
    shared: &'a Shared,
    /// Where all random numbers start.
    pub seed: u64,
    /// Numbers are below this one.
    end: u64,
}

impl Share<'_> {
    /// Make walks until there are no more, or one ends them all.
    pub fn each(&self, mut walk: impl FnMut(&mut Random) -> Outcome) {
        let Shared { next, stopped, tally } = self.shared;
        // A worker that panics must not leave the others walking.
        let guard = StopOnPanic(stopped);
        while !stopped.load(Ordering::Relaxed) {
            let number = next.load(Ordering::Relaxed);
            if number >= self.end {
                break;
            }
            if next.compare_exchange(number, number + 1, Ordering::Relaxed, Ordering::Relaxed).is_err() {
                continue;
            }
            let outcome = walk(&mut Random::of_walk(self.seed, number));
            if outcome.stopped.is_some() {
                stopped.store(true, Ordering::Relaxed);
            }
            tally.lock().add(number, outcome);
        }
        std::mem::forget(guard);
    }
}

struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What the walks found, in the order of their numbers.
#[derive(Default)]
struct Tally {
    total: Outcome,
    /// The number of the next walk to be joined.
    next: u64,
    /// Walks after it that came to their ends earlier.
    early: BTreeMap<u64, Outcome>,
}

impl Tally {
    fn add(&mut self, number: u64, outcome: Outcome) {
        self.early.insert(number, outcome);
        while let Some(outcome) = self.early.remove(&self.next) {
            self.next += 1;
            // The first violation ends it: what other workers found meanwhile would not have been looked for.
            if self.total.stopped != Some(StopReason::Violation) {
                self.total.join(outcome);
            }
        }
    }

    fn finish(mut self) -> Outcome {
        for outcome in std::mem::take(&mut self.early).into_values() {
            if self.total.stopped != Some(StopReason::Violation) {
                self.total.join(outcome);
            }
        }
        self.total
    }
}
