//! The states of the threads on the current path of a search: one for each event, and the current one of each
//! thread.
//!
//! Events refer to states by number; undoing events truncates the list.

use std::ops::{Deref, DerefMut};

use super::resolve::Step;
use super::seen_rounds::Followed;

/// The state of a thread: its cursor, and what it requests.
pub(crate) struct State<C> {
    pub cursor: C,
    pub step: Step,
    pub followed: Followed,
}

/// States in the order in which they were reached. Those that were left are kept, to be overwritten: a cursor that is
/// copied into an old one needs no new memory.
pub(crate) struct States<C> {
    all: Vec<State<C>>,
    count: usize,
}

impl<C: Clone> States<C> {
    pub fn new() -> States<C> {
        States { all: Vec::new(), count: 0 }
    }

    /// A new state with this cursor; its number. The caller sets its request.
    pub fn begin(&mut self, cursor: C) -> u32 {
        match self.all.get_mut(self.count) {
            Some(old) => (old.cursor, old.followed) = (cursor, Followed::default()),
            None => self.all.push(State { cursor, step: Step::NOTHING, followed: Followed::default() }),
        }
        self.count += 1;
        self.count as u32 - 1
    }

    /// A new state with the cursor of an earlier one; its number. The caller sets its request.
    pub fn follow(&mut self, earlier: u32) -> u32 {
        let (old, new) = self.all.split_at_mut(self.count);
        let State { ref cursor, followed, .. } = old[earlier as usize];
        match new.first_mut() {
            Some(old) => {
                old.cursor.clone_from(cursor);
                old.followed = followed;
            }
            None => {
                let cursor = cursor.clone();
                self.all.push(State { cursor, step: Step::NOTHING, followed });
            }
        }
        self.count += 1;
        self.count as u32 - 1
    }

    /// Leave all states from this one on.
    pub fn truncate(&mut self, count: usize) {
        self.count = self.count.min(count);
    }

    pub fn clear(&mut self) {
        self.count = 0;
    }
}

impl<C> Deref for States<C> {
    type Target = [State<C>];

    fn deref(&self) -> &[State<C>] {
        &self.all[..self.count]
    }
}

impl<C> DerefMut for States<C> {
    fn deref_mut(&mut self) -> &mut [State<C>] {
        &mut self.all[..self.count]
    }
}
