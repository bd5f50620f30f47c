//! Several workers, one search: whoever has nothing to do asks, whoever has much gives its oldest alternatives away.
//!
//! Nothing but subtrees passes between workers; counts and verdict are sums, so they do not depend on who did what.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use super::Settings;
use super::subtree::Subtree;
use super::trust::Explorer;
use crate::consistency::Consistency;
use crate::observer::Observer;
use crate::outcome::{Outcome, StopReason, Violation};
use crate::program::Program;
use crate::run::tables::{LockHandling, LockKnowledge, RestartReason};

/// What workers share.
#[derive(Default)]
pub(crate) struct Shared {
    pool: Mutex<Pool>,
    changed: Condvar,
    hungry: AtomicUsize,
    executions: AtomicU64,
    stopped: AtomicBool,
}

#[derive(Default)]
struct Pool {
    subtrees: Vec<Subtree>,
    busy: usize,
}

impl Shared {
    pub fn wants_work(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// One more execution; how many were there before?
    pub fn count_execution(&self) -> u64 {
        self.executions.fetch_add(1, Ordering::Relaxed)
    }

    /// Everybody stops.
    pub(super) fn stop(&self) {
        // Under the lock: whoever is about to wait has either seen it or is waiting when it is told.
        let _pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        self.stopped.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Work for whoever needs it.
    pub fn offer(&self, subtree: Subtree) {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        pool.subtrees.push(subtree);
        self.changed.notify_one();
    }

    /// Wait for work; none when there will be no more.
    pub(super) fn take(&self, was_busy: bool) -> Option<Subtree> {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if was_busy {
            pool.busy -= 1;
        }
        self.hungry.fetch_add(1, Ordering::Relaxed);
        let taken = loop {
            if self.is_stopped() {
                break None;
            }
            if let Some(subtree) = pool.subtrees.pop() {
                pool.busy += 1;
                break Some(subtree);
            }
            if pool.busy == 0 {
                self.changed.notify_all();
                break None;
            }
            pool = self.changed.wait(pool).unwrap_or_else(PoisonError::into_inner);
        };
        self.hungry.fetch_sub(1, Ordering::Relaxed);
        taken
    }
}

/// Search with `settings.workers` workers.
pub(crate) fn search<P: Program, K: Consistency, O: Observer<P>>(
    program: &P,
    settings: &Settings,
    known: &LockKnowledge,
    handling: LockHandling,
    observer: &mut O,
) -> (Outcome, Option<RestartReason>) {
    let shared = Shared::default();
    together(&shared, settings, observer, |fork| {
        work::<P, K, O>(program, settings, known, handling, fork, &shared)
    })
}

/// Let `settings.workers` workers share a whole search, and join what they found.
pub(super) fn together<P: Program, O: Observer<P>>(
    shared: &Shared,
    settings: &Settings,
    observer: &mut O,
    work: impl Fn(O) -> (Outcome, Option<RestartReason>, O) + Sync,
) -> (Outcome, Option<RestartReason>) {
    shared.offer(Subtree::whole());
    let forks: Vec<O> = (0..settings.workers).map(|_| observer.fork()).collect();
    let mut outcome = Outcome::default();
    let mut again = None;
    std::thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = forks.into_iter().map(|fork| scope.spawn(move || work(fork))).collect();
        for worker in workers {
            match worker.join() {
                Ok((part, other, watcher)) => {
                    join(&mut outcome, part);
                    again = again.or(other);
                    observer.merge(watcher);
                }
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    (outcome, again)
}

/// A violation's place among others, the same whoever found it.
pub(super) fn place_of(violation: &Violation) -> impl Ord + use<> {
    let related: Vec<_> = violation.related.iter().map(|r| (r.site, r.thread)).collect();
    (violation.kind, violation.site, violation.thread, related)
}

fn work<P: Program, K: Consistency, O: Observer<P>>(
    program: &P,
    settings: &Settings,
    known: &LockKnowledge,
    handling: LockHandling,
    mut observer: O,
    shared: &Shared,
) -> (Outcome, Option<RestartReason>, O) {
    let guard = StopOnPanic(shared);
    let mut explorer = Explorer::<P, K, O>::new(program, settings, known, handling, &mut observer);
    explorer.shared = Some(shared);
    let mut was_busy = false;
    while let Some(subtree) = shared.take(was_busy) {
        was_busy = true;
        // Losing a subtree would lose executions in silence.
        assert!(explorer.start_with(&subtree), "a subtree of this very search fits it");
        explorer.run();
        if explorer.stopped.is_some() {
            shared.stop();
            break;
        }
    }
    let again = explorer.tables.restart;
    let outcome =
        Outcome { counts: explorer.counts, violations: explorer.violations, stopped: explorer.stopped };
    std::mem::forget(guard);
    (outcome, again, observer)
}

/// A worker that panics must not leave the others waiting.
pub(super) struct StopOnPanic<'a>(pub &'a Shared);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

fn join(outcome: &mut Outcome, part: Outcome) {
    outcome.counts.add(&part.counts);
    for violation in part.violations {
        if !outcome.violations.iter().any(|v| v.is_same(&violation)) {
            outcome.violations.push(violation);
        }
    }
    // Whoever stopped first has the reason; the others were told to stop.
    if let (None | Some(StopReason::Observer), Some(reason)) = (&outcome.stopped, part.stopped) {
        outcome.stopped = Some(reason);
    }
}
