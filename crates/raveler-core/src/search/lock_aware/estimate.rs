//! Random walks where sections are left unordered: how many executions will there be? (`search/estimate.rs`), and
//! instead of a search, for programs whose reader-writer locks the ordinary search does not know (`search/random.rs`).

use super::alternatives::Tried;
use super::{Go, STEP, Search, SharedLessons};
use crate::consistency::with_sections::WithSections;
use crate::observer::{Observer, Unobserved};
use crate::outcome::{Counts, Outcome, StopReason};
use crate::program::Program;
use crate::run::lock_table::RestartReason;
use crate::search::estimate::{Sum, leaf_since};
use crate::search::random::Random;
use crate::search::restart::Knowledge;
use crate::settings::{RandomWalks, Settings};

/// Random walks as long as `keep_going` says so; what is learned goes into `knowledge`.
pub(in crate::search) fn sample<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    knowledge: &mut Knowledge,
    probes: u64,
    random: &mut Random,
    keep_going: &mut dyn FnMut() -> bool,
) -> (Sum, Option<RestartReason>) {
    let lessons = SharedLessons::new(std::mem::take(&mut knowledge.lessons));
    let mut observer = Unobserved;
    let mut search = Search::<P, K>::new(program, settings, &knowledge.locks, lessons, &mut observer);
    let mut sum = Sum::default();
    while search.ledger.stopped.is_none() && sum.probes < probes {
        let (weight, leaf) = search.walk(random, keep_going);
        if search.ledger.stopped != Some(StopReason::Observer) {
            sum.add(weight, &leaf);
        }
        if search.lessons.must_restart() {
            search.run.tables.learn(RestartReason::Lessons);
            search.ledger.stop(StopReason::Restart);
        }
    }
    knowledge.lessons = search.lessons.into_lessons();
    (sum, search.run.tables.restart)
}

/// Random walks instead of a search. Each makes a random choice wherever the search would make all.
pub(in crate::search) fn walks<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    walks: RandomWalks,
    knowledge: &mut Knowledge,
    observer: &mut dyn Observer<P>,
) -> (Outcome, Option<RestartReason>) {
    let lessons = SharedLessons::new(std::mem::take(&mut knowledge.lessons));
    // All walks count, complete or not.
    let settings = &Settings { max_executions: None, ..settings.clone() };
    let mut search = Search::<P, K>::new(program, settings, &knowledge.locks, lessons, observer);
    let mut made = 0;
    while search.ledger.stopped.is_none() && made < walks.walks {
        search.walk(&mut Random::of_walk(walks.seed, made), &mut || true);
        made += 1;
        if search.lessons.must_restart() {
            search.run.tables.learn(RestartReason::Lessons);
            search.ledger.stop(StopReason::Restart);
        }
    }
    knowledge.lessons = search.lessons.into_lessons();
    let restart = search.run.tables.restart;
    (Outcome { walks: made, ..search.ledger.into_outcome() }, restart)
}

impl<P: Program, K: WithSections> Search<'_, P, K> {
    /// One walk from the root to a leaf: its weight, and what the leaf counts as. It is stopped where `keep_going` says
    /// no.
    fn walk(&mut self, random: &mut Random, keep_going: &mut dyn FnMut() -> bool) -> (f64, Counts) {
        self.restart();
        let mut weight = 1.0;
        let before = self.ledger.counts;
        loop {
            self.ledger.work(STEP);
            if !keep_going() {
                self.ledger.stop(StopReason::Observer);
            }
            if self.ledger.stopped.is_some() {
                break;
            }
            let depth = self.frames.len();
            self.visit();
            if self.ledger.stopped.is_some() || self.frames.len() == depth {
                break;
            }
            let choices = self.possible(keep_going);
            if choices.is_empty() {
                break;
            }
            weight *= choices.len() as f64;
            let choice = choices[random.below(choices.len() as u64) as usize];
            if !self.take(choice) {
                break;
            }
        }
        (weight, leaf_since(&self.ledger.counts, &before))
    }

    /// The alternatives of the top frame that are consistent.
    fn possible(&mut self, keep_going: &mut dyn FnMut() -> bool) -> Vec<u64> {
        let Some(mut frame) = self.frames.pop() else { return Vec::new() };
        self.begin(&mut frame);
        frame.begun = true;
        let mut possible = Vec::new();
        for alternative in 0..frame.until {
            if !keep_going() {
                break;
            }
            if self.make(&mut frame, alternative) == Some(Tried::Fine) {
                possible.push(alternative);
                self.undo(&mut frame);
            }
        }
        self.frames.push(frame);
        possible
    }

    /// Make this alternative of the top frame.
    fn take(&mut self, choice: u64) -> bool {
        if let Some(frame) = self.frames.last_mut() {
            frame.next = choice;
        }
        self.back() == Go::Visit
    }
}
