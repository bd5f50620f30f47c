//! Several workers, one search by interleavings.
//!
//! A worker that needs work is given a step which is left to try, as the way that leads to it. Races that are found behind
//! that step may ask for more at the states before it, which the worker does not have: so where something is given
//! away, and at all states before, everything is tried that is possible. Sleep sets see to it that no run is made twice
//! for that reason, and runs with equal steps in an equal order of those that depend on each other are one: so the
//! numbers of runs do not depend on what is given away. Only the number of runs that are left halfway does.

use parking_lot::Mutex;

use super::choices::{Choices, Sleeper};
use super::machine::Buffers;
use super::{Classes, Search};
use crate::observer::Watchers;
use crate::outcome::Outcome;
use crate::program::Program;
use crate::run::lock_table::RestartReason;
use crate::search::restart::Knowledge;
use crate::search::subtree::Subtree;
use crate::search::workers::{Shared, StopOnPanic, together};
use crate::settings::Settings;

/// Search with `settings.workers` workers.
pub(super) fn search<P: Program>(
    program: &P,
    settings: &Settings,
    buffers: Buffers,
    knowledge: &Knowledge,
    watchers: &mut Watchers<'_, P>,
) -> (Outcome, Option<RestartReason>) {
    let shared = Shared::default();
    let all_classes = Mutex::new(Classes::default());
    let (outcome, restart) = together(&shared, watchers, |observer| {
        let guard = StopOnPanic(&shared);
        let mut search = Search::new(program, settings, buffers, knowledge, observer);
        search.ledger.shared = Some(&shared);
        let may_go_on = search.begin_run();
        let mut was_busy = false;
        while let Some(part) = shared.take(was_busy) {
            was_busy = true;
            if may_go_on {
                search.search_part(&part);
            }
            if search.ledger.stopped.is_some() {
                shared.stop();
                break;
            }
        }
        if let Some(classes) = search.classes.take() {
            all_classes.lock().add_all(classes);
        }
        let restart = search.run.tables.restart;
        let outcome = search.ledger.into_outcome();
        std::mem::forget(guard);
        (outcome, restart)
    });
    let classes = settings.classes.then(|| all_classes.into_inner().count());
    (Outcome { classes, ..outcome }, restart)
}

impl<P: Program> Search<'_, P> {
    /// Search what follows a step that was given away.
    fn search_part(&mut self, part: &Subtree) {
        while !self.steps.is_empty() {
            self.unmake();
        }
        self.root = part.choices().len().saturating_sub(1);
        self.way.clear();
        self.way.extend(part.choices());
        for (here, &(key, alternative)) in part.choices().iter().enumerate() {
            if self.frames.len() == here {
                self.frames.push(Choices::default());
            }
            let mut frame = std::mem::take(&mut self.frames[here]);
            frame.clear();
            let is_last = here == self.root;
            let mut process = None;
            for other in 0..self.machine.processes.len() as u32 {
                let Some(access) = self.next_access(other) else { continue };
                frame.enable(other, access);
                let other_key = self.key(other);
                if other_key == key {
                    process = Some((other, access));
                }
                if is_last && part.asleep().contains(&other_key) {
                    frame.asleep.push(Sleeper { process: other, access });
                }
            }
            frame.only(process.map(|(process, _)| process).filter(|_| is_last));
            self.frames[here] = frame;
            // Losing a part would lose runs in silence.
            let (process, access) = process.expect("a part of this very search fits it");
            if is_last {
                break;
            }
            if !self.make(process, access, alternative) {
                return;
            }
        }
        self.search_from(part.choices().is_empty());
    }

    /// Something that is left to try, as near to the beginning as possible. All states of the run but the current one
    /// were visited: those to come would take what is given away for seen.
    pub(super) fn give_away(&mut self) -> Option<Subtree> {
        let sleeps = self.run.settings.reduction;
        for at in self.root..self.steps.len() {
            let Some((process, asleep)) = self.frames[at].give_away(sleeps) else { continue };
            let step = |at: usize| (self.key(self.steps[at].process), self.frames[at].alternative());
            let mut steps: Vec<(u64, u64)> = self.way[..self.root].to_vec();
            steps.extend((self.root..at).map(step));
            steps.push((self.key(process), 0));
            let asleep = asleep.iter().map(|sleeper| self.key(sleeper.process)).collect();
            return Some(Subtree::from_steps(steps, asleep));
        }
        None
    }
}
