//! Several workers: a part of the search is the list of choices that lead to it.

use std::sync::{Mutex, PoisonError};

use super::{Aware, Book, Go, Lessons};
use crate::consistency::with_sections::WithSections;
use crate::observer::Observer;
use crate::outcome::{Outcome, StopReason};
use crate::program::Program;
use crate::run::tables::{LockKnowledge, RestartReason};
use crate::search::subtree::Subtree;
use crate::search::workers::{Shared, StopOnPanic, together};
use crate::search::{Settings, part_of};

/// Search with `settings.workers` workers. Returns what they learned too.
pub(crate) fn search<P: Program, K: WithSections, O: Observer<P>>(
    program: &P,
    settings: &Settings,
    known: &LockKnowledge,
    book: Book,
    observer: &mut O,
) -> (Outcome, Option<RestartReason>, Book) {
    if settings.workers <= 1 {
        let mut search = Aware::<P, K, O>::new(program, settings, known, Lessons::new(book), observer);
        search.start();
        search.run();
        let (outcome, again) = part_of(search.base);
        return (outcome, again, search.lessons.into_book());
    }
    let shared = Shared::default();
    let book = Mutex::new(book);
    let (outcome, mut again) = together(&shared, settings, observer, |fork| {
        work::<P, K, O>(program, settings, known, fork, &shared, &book)
    });
    let book = book.into_inner().unwrap_or_else(PoisonError::into_inner);
    // The last lesson may have come when its worker had nothing left to do.
    if book.again && outcome.stopped.is_none() {
        again = again.or(Some(RestartReason::Lessons));
    }
    (outcome, again, book)
}

fn work<P: Program, K: WithSections, O: Observer<P>>(
    program: &P,
    settings: &Settings,
    known: &LockKnowledge,
    mut observer: O,
    shared: &Shared,
    book: &Mutex<Book>,
) -> (Outcome, Option<RestartReason>, O) {
    let guard = StopOnPanic(shared);
    let mut search = Aware::<P, K, O>::new(program, settings, known, Lessons::shared(book), &mut observer);
    search.base.shared = Some(shared);
    let mut was_busy = false;
    while let Some(subtree) = shared.take(was_busy) {
        was_busy = true;
        // Losing a subtree would lose executions in silence.
        assert!(search.start_with(&subtree), "a subtree of this very search fits it");
        search.run();
        if search.base.stopped.is_some() {
            shared.stop();
            break;
        }
    }
    let (outcome, again) = part_of(search.base);
    std::mem::forget(guard);
    (outcome, again, observer)
}

impl<P: Program, K: WithSections, O: Observer<P>> Aware<'_, P, K, O> {
    /// Does another worker need work, or did one stop?
    pub(super) fn attend(&mut self, shared: &Shared) {
        if shared.is_stopped() {
            self.base.stop(StopReason::Observer);
        } else if shared.wants_work()
            && let Some(subtree) = self.give_away()
        {
            shared.offer(subtree);
        }
    }

    /// Give away the oldest alternatives that are left.
    fn give_away(&mut self) -> Option<Subtree> {
        let at = self.frames.iter().position(|frame| frame.begun && frame.next < frame.until)?;
        let name = |thread: usize| u64::from(self.base.tables.names[thread]);
        let made = self.frames[..at].iter().map(|frame| (name(frame.thread), frame.next - 1));
        let here = &self.frames[at];
        let path = made.chain([(name(here.thread), here.next)]).collect();
        let frame = &mut self.frames[at];
        frame.until = frame.next;
        Some(Subtree::of_choices(path))
    }

    /// Start with a subtree. False if it does not belong to this program.
    pub(super) fn start_with(&mut self, subtree: &Subtree) -> bool {
        self.lessons.catch_up();
        self.start();
        match subtree.choices() {
            [] => true,
            [choices @ .., (thread, next)] => {
                choices.iter().all(|&(thread, choice)| self.choose(thread, choice))
                    && self.begin_at(*thread, *next)
            }
        }
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
        self.told = self.base.tables.known_thread(thread);
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
