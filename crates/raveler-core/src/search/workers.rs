//! Several workers, one search: an idle worker asks, a busy one gives its oldest alternatives away.
//!
//! Nothing but subtrees passes between workers; counts and verdict are sums, so they do not depend on which
//! worker did what.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use parking_lot::{Condvar, Mutex};

use super::restart::Knowledge;
use super::subtree::Subtree;
use super::trust;
use crate::consistency::Consistency;
use crate::observer::{Observer, Watchers};
use crate::outcome::{Outcome, Violation};
use crate::program::Program;
use crate::run::lock_table::RestartReason;
use crate::settings::Settings;

/// What workers share.
#[derive(Default)]
pub(super) struct Shared {
    pool: Mutex<Pool>,
    changed: Condvar,
    /// How many workers wait for work.
    hungry: AtomicUsize,
    executions: AtomicU64,
    stopped: AtomicBool,
}

#[derive(Default)]
struct Pool {
    subtrees: Vec<Subtree>,
    /// How many workers explore a subtree. When none does and the pool is empty, the search is done.
    busy: usize,
}

impl Shared {
    pub fn wants_work(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    /// Do more workers wait for work than there is for them?
    pub fn lacks_work(&self) -> bool {
        let hungry = self.hungry.load(Ordering::Relaxed);
        hungry > 0 && self.pool.lock().subtrees.len() < hungry
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// One more execution; how many were there before?
    pub fn count_execution(&self) -> u64 {
        self.executions.fetch_add(1, Ordering::Relaxed)
    }

    /// All workers stop.
    pub fn stop(&self) {
        // Under the mutex: a worker that is about to wait has either seen `stopped`, or is waiting when it is
        // notified.
        let _pool = self.pool.lock();
        self.stopped.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Hand a subtree to a worker that needs work.
    pub fn offer(&self, subtree: Subtree) {
        self.pool.lock().subtrees.push(subtree);
        self.changed.notify_one();
    }

    /// Wait for work; none when there will be no more.
    pub fn take(&self, was_busy: bool) -> Option<Subtree> {
        let mut pool = self.pool.lock();
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
            self.changed.wait(&mut pool);
        };
        self.hungry.fetch_sub(1, Ordering::Relaxed);
        taken
    }
}

/// Search with `settings.workers` workers.
pub(super) fn search<P: Program, K: Consistency>(
    program: &P,
    settings: &Settings,
    knowledge: &Knowledge,
    watchers: &mut Watchers<'_, P>,
) -> (Outcome, Option<RestartReason>) {
    let shared = Shared::default();
    let work = |observer: &mut dyn Observer<P>| work::<P, K>(program, settings, knowledge, observer, &shared);
    together(&shared, watchers, work)
}

/// Let a worker for each observer share a whole search, and join what they found.
pub(super) fn together<P: Program>(
    shared: &Shared,
    watchers: &mut Watchers<'_, P>,
    work: impl Fn(&mut dyn Observer<P>) -> (Outcome, Option<RestartReason>) + Sync,
) -> (Outcome, Option<RestartReason>) {
    shared.offer(Subtree::whole());
    let mut outcome = Outcome::default();
    let mut restart = None;
    std::thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = watchers.each().map(|observer| scope.spawn(move || work(observer))).collect();
        for worker in workers {
            match worker.join() {
                Ok((part, reason)) => {
                    outcome.join(part);
                    restart = restart.or(reason);
                }
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    (outcome, restart)
}

/// The key by which violations are sorted.
pub(super) fn place_of(violation: &Violation) -> impl Ord + use<> {
    let related: Vec<_> = violation.related.iter().map(|r| (r.site, r.thread)).collect();
    (violation.kind, violation.site, violation.thread, related)
}

fn work<P: Program, K: Consistency>(
    program: &P,
    settings: &Settings,
    knowledge: &Knowledge,
    observer: &mut dyn Observer<P>,
    shared: &Shared,
) -> (Outcome, Option<RestartReason>) {
    let guard = StopOnPanic(shared);
    let (locks, handling) = (&knowledge.locks, knowledge.handling);
    let mut search = trust::Search::<P, K>::new(program, settings, locks, handling, observer);
    search.ledger.shared = Some(shared);
    let mut was_busy = false;
    while let Some(subtree) = shared.take(was_busy) {
        was_busy = true;
        // Losing a subtree would lose executions in silence.
        assert!(search.start_with(&subtree), "a subtree of this very search fits it");
        search.run();
        if search.ledger.stopped.is_some() {
            shared.stop();
            break;
        }
    }
    let restart = search.run.tables.restart;
    let outcome = search.ledger.into_outcome();
    std::mem::forget(guard);
    (outcome, restart)
}

/// A worker that panics must not leave the others waiting.
pub(super) struct StopOnPanic<'a>(pub &'a Shared);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
