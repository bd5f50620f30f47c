//! Several workers, and searches in parts: a part of the lock-aware search is the list of choices that lead
//! to it.
//!
//! What is learned is shared between workers. The next thread may depend on it, so choices name their
//! threads.

use parking_lot::Mutex;

use super::alternatives::Frame;
use super::{Go, Lessons, Search, SharedLessons};
use crate::consistency::with_sections::WithSections;
use crate::observer::{Observer, Watchers};
use crate::outcome::{Outcome, Trace};
use crate::program::Program;
use crate::run::Run;
use crate::run::lock_table::{LockKnowledge, RestartReason};
use crate::search::parts::BadPart;
use crate::search::restart::Knowledge;
use crate::search::subtree::{Rest, Subtree};
use crate::search::workers::{Shared, StopOnPanic, together};
use crate::settings::Settings;

/// Search with `settings.workers` workers. What they learn goes into `knowledge`.
pub(in crate::search) fn search<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    knowledge: &mut Knowledge,
    watchers: &mut Watchers<'_, P>,
) -> (Outcome, Option<RestartReason>) {
    let lessons = std::mem::take(&mut knowledge.lessons);
    let locks = &knowledge.locks;
    if settings.workers <= 1 {
        let lessons = SharedLessons::new(lessons);
        let mut search = Search::<P, K>::new(program, settings, locks, lessons, watchers.first);
        search.run();
        knowledge.lessons = search.lessons.into_lessons();
        return (search.ledger.into_outcome(), search.run.tables.restart);
    }
    let shared = Shared::default();
    let lessons = Mutex::new(lessons);
    let (outcome, mut restart) = together(&shared, watchers, |observer| {
        work::<P, K>(program, settings, locks, observer, &shared, &lessons)
    });
    knowledge.lessons = lessons.into_inner();
    // The last lesson may have come when its worker had nothing left to explore.
    if knowledge.lessons.must_restart && outcome.stopped.is_none() {
        restart = restart.or(Some(RestartReason::Lessons));
    }
    (outcome, restart)
}

/// Explore parts of a search, one after the other: what was found, what is left, and why the search restarts,
/// if it does.
pub(in crate::search) fn explore<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    knowledge: &mut Knowledge,
    parts: Vec<Subtree>,
    observer: &mut dyn Observer<P>,
) -> Result<(Outcome, Vec<Subtree>, Option<RestartReason>), BadPart> {
    let lessons = SharedLessons::new(std::mem::take(&mut knowledge.lessons));
    let mut search = Search::<P, K>::new(program, settings, &knowledge.locks, lessons, observer);
    let mut waiting = parts.into_iter();
    let mut rest = Vec::new();
    while search.ledger.stopped.is_none()
        && let Some(part) = waiting.next()
    {
        if !search.start_with(&part) {
            return Err(BadPart::Unfit);
        }
        search.run();
        rest = search.left();
    }
    rest.extend(waiting);
    knowledge.lessons = search.lessons.into_lessons();
    Ok((search.ledger.into_outcome(), rest, search.run.tables.restart))
}

/// Follow an execution that was found before, and report what is wrong with it. None if it is none of this program.
pub(in crate::search) fn follow<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    knowledge: &Knowledge,
    trace: &Trace,
    observer: &mut dyn Observer<P>,
) -> Option<Outcome> {
    let lessons = SharedLessons::new(Lessons::default());
    let mut search = Search::<P, K>::new(program, settings, &knowledge.locks, lessons, observer);
    search.follow(trace)?;
    search.run.tables.restart.is_none().then(|| search.ledger.into_outcome())
}

fn work<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    locks: &LockKnowledge,
    observer: &mut dyn Observer<P>,
    shared: &Shared,
    lessons: &Mutex<Lessons>,
) -> (Outcome, Option<RestartReason>) {
    let guard = StopOnPanic(shared);
    let lessons = SharedLessons::shared(lessons);
    let mut search = Search::<P, K>::new(program, settings, locks, lessons, observer);
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

/// Take the oldest alternatives that are left: they no longer belong to this search.
pub(super) fn take_from<P: Program>(frames: &mut [Frame], run: &Run<'_, P>) -> Option<Subtree> {
    let at = frames.iter().position(|frame| frame.begun && frame.next < frame.until)?;
    let name = |thread: usize| u64::from(run.tables.threads.name(thread));
    let made = frames[..at].iter().map(|frame| (name(frame.thread), frame.next - 1));
    let here = &frames[at];
    let path = made.chain([(name(here.thread), here.next)]).collect();
    let frame = &mut frames[at];
    frame.until = frame.next;
    Some(Subtree::from_choices(path))
}

/// All that is left; also everything after the last choice, if the graph was not extended yet.
fn all_left<P: Program>(frames: &[Frame], run: &Run<'_, P>, is_unvisited: bool) -> Vec<Subtree> {
    let name = |frame: &Frame| u64::from(run.tables.threads.name(frame.thread));
    let made = |at: usize| frames[..at].iter().map(|frame| (name(frame), frame.next - 1));
    let mut left: Vec<Subtree> = frames
        .iter()
        .enumerate()
        .filter(|(_, frame)| !frame.begun || frame.next < frame.until)
        .map(|(at, frame)| Subtree::from_choices(made(at).chain([(name(frame), frame.next)]).collect()))
        .collect();
    if is_unvisited {
        left.push(Subtree::after_choices(made(frames.len()).collect()));
    }
    left
}

impl<P: Program, K: WithSections> Search<'_, P, K> {
    /// What is left to explore, if the search was stopped.
    pub fn left(&self) -> Vec<Subtree> {
        if self.finished { Vec::new() } else { all_left(&self.frames, &self.run, self.unvisited) }
    }

    /// Start with a subtree. False if it does not belong to this program.
    pub(in crate::search) fn start_with(&mut self, subtree: &Subtree) -> bool {
        self.lessons.catch_up();
        self.restart();
        // What was counted before the search stopped must not be counted again.
        let counts = self.ledger.counts;
        let (choices, last) = match (subtree.rest, subtree.choices()) {
            (Rest::All, choices) => (choices, None),
            (_, [choices @ .., last]) => (choices, Some(last)),
            (_, []) => return false,
        };
        self.builds_again = true;
        let fits = choices.iter().all(|&(thread, choice)| self.choose(thread, choice))
            && last.is_none_or(|&(thread, next)| self.begin_at(thread, next));
        self.builds_again = false;
        self.ledger.counts = counts;
        self.unvisited = last.is_none();
        fits
    }

    /// Make this choice and no other.
    fn choose(&mut self, thread: u64, choice: u64) -> bool {
        if !self.begin_at(thread, choice) {
            return false;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.until = frame.until.min(choice + 1);
        }
        self.back() == Go::Visit && self.frames.last().is_some_and(|frame| frame.next == choice + 1)
    }

    /// The next frame, of this thread, from this alternative on.
    fn begin_at(&mut self, thread: u64, next: u64) -> bool {
        let depth = self.frames.len();
        self.told = self.run.tables.threads.known(thread);
        let told = self.told;
        self.visit();
        self.told = None;
        if self.frames.len() != depth + 1 || self.frames.last().map(|frame| frame.thread) != told {
            return false;
        }
        let mut frame = self.frames.pop().expect("it was just made");
        frame.begun = true;
        self.begin(&mut frame);
        frame.next = next;
        self.frames.push(frame);
        true
    }
}
