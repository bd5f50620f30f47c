//! One round of re-execution, by one worker or by several.
//!
//! All of them have the sources of the round's start, and what they find is joined when it is over: nothing depends on
//! which worker did what. As in the lock-aware search a part of the search is the list of choices that lead to it.

use parking_lot::Mutex;

use super::choices::Frame;
use super::findings::Findings;
use super::reexecution::{Go, Search, Start};
use crate::observer::{Observer, Watchers};
use crate::outcome::Outcome;
use crate::program::Program;
use crate::run::Run;
use crate::run::lock_table::{LockHandling, LockKnowledge, RestartReason};
use crate::search::subtree::{Rest, Subtree};
use crate::search::workers::{Shared, StopOnPanic, together};
use crate::settings::Settings;

/// What a round ends with.
pub(super) struct End {
    pub start: Start,
    pub findings: Findings,
    pub outcome: Outcome,
    pub restart: Option<RestartReason>,
}

/// Search a round. Earlier searches counted so many executions.
pub(super) fn round<P: Program>(
    program: &P,
    settings: &Settings,
    locks: (&LockKnowledge, LockHandling),
    watchers: &mut Watchers<'_, P>,
    start: Start,
    earlier: u64,
) -> End {
    if watchers.others.is_empty() {
        let Start { known_before, had_crossing, .. } = start;
        let mut search = Search::new(program, settings, locks, start, watchers.first);
        search.ledger.earlier = earlier;
        search.run(Go::Visit);
        let restart = search.run.tables.restart;
        let Search { sources, possible, findings, ledger, .. } = search;
        let start = Start { sources, known_before, had_crossing, possible };
        return End { start, findings, outcome: ledger.into_outcome(), restart };
    }
    let shared = Shared::default();
    let (start, findings) = (Mutex::new(start), Mutex::new(Findings::default()));
    let (outcome, restart) = together(&shared, watchers, |observer| {
        let start = start.lock().clone();
        let (found, outcome, restart) = work(program, settings, locks, observer, (start, earlier), &shared);
        findings.lock().merge(found);
        (outcome, restart)
    });
    End { start: start.into_inner(), findings: findings.into_inner(), outcome, restart }
}

fn work<P: Program>(
    program: &P,
    settings: &Settings,
    locks: (&LockKnowledge, LockHandling),
    observer: &mut dyn Observer<P>,
    (start, earlier): (Start, u64),
    shared: &Shared,
) -> (Findings, Outcome, Option<RestartReason>) {
    let guard = StopOnPanic(shared);
    let mut search = Search::new(program, settings, locks, start, observer);
    search.ledger.earlier = earlier;
    search.ledger.shared = Some(shared);
    let mut was_busy = false;
    while let Some(subtree) = shared.take(was_busy) {
        was_busy = true;
        // Losing a subtree would lose executions in silence.
        let go = search.start_with(&subtree).expect("a subtree of this very search fits it");
        search.run(go);
        if search.ledger.stopped.is_some() {
            shared.stop();
            break;
        }
    }
    let restart = search.run.tables.restart;
    let Search { findings, ledger, .. } = search;
    let outcome = ledger.into_outcome();
    std::mem::forget(guard);
    (findings, outcome, restart)
}

/// Take the oldest alternatives that are left: they no longer belong to this search.
pub(super) fn take_from<P: Program>(frames: &mut [Frame], run: &Run<'_, P>) -> Option<Subtree> {
    let at = frames.iter().position(|frame| frame.next > frame.from && frame.next < frame.until)?;
    let step = |frame: &Frame, choice: usize| {
        (u64::from(run.tables.threads.name(frame.thread)), (choice - frame.from) as u64)
    };
    let made = frames[..at].iter().map(|frame| step(frame, frame.next - 1));
    let path = made.chain([step(&frames[at], frames[at].next)]).collect();
    frames[at].until = frames[at].next;
    Some(Subtree::from_choices(path))
}

impl<P: Program> Search<'_, P> {
    /// Start with a subtree: how to go on. None if it does not belong to this search.
    fn start_with(&mut self, subtree: &Subtree) -> Option<Go> {
        self.restart();
        let (choices, last) = match (subtree.rest, subtree.choices()) {
            (Rest::All, choices) => (choices, None),
            (_, [choices @ .., last]) => (choices, Some(last)),
            (_, []) => return None,
        };
        for &(thread, choice) in choices {
            let frame = self.begin_at(thread, choice)?;
            frame.until = frame.next + 1;
            if self.back() != Go::Visit {
                return None;
            }
        }
        let Some(&(thread, choice)) = last else { return Some(Go::Visit) };
        self.begin_at(thread, choice)?;
        Some(Go::Back)
    }

    /// The next frame, of this thread, from this alternative on.
    fn begin_at(&mut self, thread: u64, choice: u64) -> Option<&mut Frame> {
        let depth = self.frames.len();
        self.visit();
        let frame = self.frames.last_mut()?;
        frame.next = frame.from + usize::try_from(choice).ok()?;
        let is_it = u64::from(self.run.tables.threads.name(frame.thread)) == thread
            && frame.next < frame.until
            && self.frames.len() == depth + 1;
        if is_it { self.frames.last_mut() } else { None }
    }
}
