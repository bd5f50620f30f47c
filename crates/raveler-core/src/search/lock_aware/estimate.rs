//! How many executions will there be, where sections are left unordered? By random walks, as in the ordinary search.

use super::alternatives::Tried;
use super::{Aware, Go};
use crate::consistency::with_sections::WithSections;
use crate::observer::Observer;
use crate::outcome::Counts;
use crate::program::Program;
use crate::search::estimate::Random;

/// One walk from the root to a leaf: its weight, and what the leaf counts as.
pub(crate) fn sample<P: Program, K: WithSections, O: Observer<P>>(
    search: &mut Aware<'_, P, K, O>,
    random: &mut Random,
) -> (f64, Counts) {
    search.start();
    let mut weight = 1.0;
    let before = search.base.counts;
    loop {
        let depth = search.frames.len();
        search.visit();
        if search.base.stopped.is_some() || search.frames.len() == depth {
            break;
        }
        let choices = search.possible();
        if choices.is_empty() {
            break;
        }
        weight *= choices.len() as f64;
        let choice = choices[random.below(choices.len() as u64) as usize];
        if !search.take(choice) {
            break;
        }
    }
    let mut leaf = search.base.counts;
    leaf.executions -= before.executions;
    leaf.blocked -= before.blocked;
    (weight, leaf)
}

impl<P: Program, K: WithSections, O: Observer<P>> Aware<'_, P, K, O> {
    /// The alternatives of the top frame that are consistent.
    fn possible(&mut self) -> Vec<u64> {
        let Some(mut frame) = self.frames.pop() else { return Vec::new() };
        self.begin(&mut frame);
        frame.begun = true;
        let mut possible = Vec::new();
        for alternative in 0..frame.until {
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
