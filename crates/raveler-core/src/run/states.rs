//! The states of the threads: one before each event of the current path of a search, and the current one of each
//! thread.
//!
//! Events refer to states by number. A state that depends on nothing but what its thread was answered is kept in a tree
//! ([`tree`]), where other executions find it again; the others stand on the path, and undoing events truncates it.

pub(super) mod tree;

use std::ops::{Index, IndexMut};

use self::tree::{Key, Known, LIMIT, Needs, Tree};
use super::resolve::Step;
use super::seen_rounds::Followed;
use crate::graph::ThreadStatus;
use crate::program::action::Value;

/// The state of a thread: its cursor, and what it requests.
pub(crate) struct State<C> {
    pub cursor: C,
    pub step: Step,
    pub followed: Followed,
}

/// The states of a search. Numbers below [`LIMIT`] are those of the tree, the others those of the path.
pub(crate) struct States<C> {
    /// In the order in which they were reached. Those that were left are kept, to be overwritten: a cursor that is
    /// copied into an old one needs no new memory.
    path: Vec<State<C>>,
    count: usize,
    /// If the program's threads can be looked up.
    tree: Option<Tree<C>>,
}

impl<C: Clone> States<C> {
    pub fn new() -> States<C> {
        States { path: Vec::new(), count: 0, tree: None }
    }

    /// From now on states that depend on answers alone are kept.
    pub fn grow_tree(&mut self) {
        self.tree = Some(Tree::new());
    }

    /// Are states kept?
    #[inline]
    pub(super) fn has_tree(&self) -> bool {
        self.tree.is_some()
    }

    /// What is known of a state that was reached in this way.
    #[inline]
    pub(super) fn find(&self, key: Option<Key>) -> Known {
        match (&self.tree, key) {
            (Some(tree), Some(key)) => tree.find(&key),
            _ => Known::Varies,
        }
    }

    /// The short cuts of a failed try.
    pub(super) fn short_cuts(&self, retry: u32) -> &[u32] {
        self.tree.as_ref().map_or(&[], |tree| tree.short_cuts(retry))
    }

    /// Remember the short cuts of a failed try; the number by which its states are found.
    pub(super) fn keep_retry(&mut self, key: Key, short_cuts: Vec<u32>) -> Option<u32> {
        let tree = self.tree.as_mut()?;
        let retry = tree.add_retry(key, short_cuts);
        tree.has_room_after(&Key::after_retry(retry, None)).then_some(retry)
    }

    /// A new state with this cursor; its number. The caller sets its request.
    pub fn begin(&mut self, cursor: C) -> u32 {
        match self.path.get_mut(self.count) {
            Some(old) => (old.cursor, old.followed) = (cursor, Followed::default()),
            None => self.path.push(State { cursor, step: Step::NOTHING, followed: Followed::default() }),
        }
        self.added()
    }

    /// A new state with the cursor of an earlier one; its number. The caller sets its request.
    pub fn follow(&mut self, earlier: u32) -> u32 {
        let (old, new) = self.path.split_at_mut(self.count);
        let State { ref cursor, followed, .. } = *match earlier.checked_sub(LIMIT) {
            Some(place) => &old[place as usize],
            None => self.tree.as_ref().expect("a state of the tree").state(earlier),
        };
        match new.first_mut() {
            Some(old) => {
                old.cursor.clone_from(cursor);
                old.followed = followed;
            }
            None => {
                let cursor = cursor.clone();
                self.path.push(State { cursor, step: Step::NOTHING, followed });
            }
        }
        self.added()
    }

    /// The number of the state that was just added to the path.
    fn added(&mut self) -> u32 {
        self.count += 1;
        LIMIT + self.count as u32 - 1
    }

    /// Can a state that is reached in this way be kept?
    pub(super) fn has_room(&self, key: Option<Key>) -> bool {
        matches!((&self.tree, key), (Some(tree), Some(key)) if tree.has_room_after(&key))
    }

    /// The state of the tree after an answer with the status of its thread, if it is the right one in every graph and nothing
    /// can be wrong with what is requested.
    #[inline]
    pub(super) fn find_plain(
        &mut self,
        before: u32,
        (value, failed): (Value, bool),
    ) -> Option<(u32, ThreadStatus)> {
        self.tree.as_mut()?.find_plain(before, value, failed)
    }

    /// Keep the newest state, for which there is room: its new number. `needs` is what a graph must have for it; is its request
    /// `sound` in every graph? `weight` is how many bytes it may take besides its own size.
    pub(super) fn keep(
        &mut self,
        key: Key,
        needs: Needs,
        sound: bool,
        weight: impl Fn(&C) -> usize,
    ) -> Option<u32> {
        let tree = self.tree.as_mut()?;
        if needs == Needs::ThisGraph {
            tree.add_varying(key);
            return None;
        }
        self.count -= 1;
        // One of those that were left takes its place.
        let state = self.path.swap_remove(self.count);
        let weight = weight(&state.cursor);
        Some(tree.add(key, state, (needs, sound), weight))
    }

    /// A copy of a state that may be changed, on the path; its number.
    pub fn detach(&mut self, number: u32) -> u32 {
        if number >= LIMIT {
            return number;
        }
        let copy = self.follow(number);
        self[copy as usize].step = self[number as usize].step.clone();
        copy
    }

    /// How many states stand on the path.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Leave all states of the path from this one on.
    pub fn truncate(&mut self, count: usize) {
        self.count = self.count.min(count);
    }

    /// Leave the path. What is kept remains true.
    pub fn clear(&mut self) {
        self.count = 0;
    }
}

impl<C> Index<usize> for States<C> {
    type Output = State<C>;

    #[inline]
    fn index(&self, number: usize) -> &State<C> {
        match number.checked_sub(LIMIT as usize) {
            Some(place) => &self.path[..self.count][place],
            None => self.tree.as_ref().expect("a state of the tree").state(number as u32),
        }
    }
}

/// States of the path only: what is kept does not change.
impl<C> IndexMut<usize> for States<C> {
    #[inline]
    fn index_mut(&mut self, number: usize) -> &mut State<C> {
        let place = number.checked_sub(LIMIT as usize).expect("only states of the path change");
        &mut self.path[..self.count][place]
    }
}
