//! Threads: their names, which follow from their parents, and their numbers, which are a worker's own.
//!
//! Nothing that decides anything may depend on a thread's number.

use rustc_hash::FxHashMap;

/// Names below this are looked up in a list.
const NEAR: usize = 1024;

/// No number.
const NONE: u32 = u32::MAX;

/// The threads that were met, numbered as they were met.
pub(crate) struct ThreadNames {
    /// Numbers by small names: what most programs have, found at once.
    near: Vec<u32>,
    /// Those by other names.
    far: FxHashMap<u32, u32>,
    names: Vec<u32>,
    /// Thread numbers in the order of names.
    pub by_rank: Vec<usize>,
    /// How many threads exist from the start.
    initial: u32,
}

impl ThreadNames {
    pub fn new(initial: u32) -> ThreadNames {
        let mut threads = ThreadNames {
            near: Vec::new(),
            far: FxHashMap::default(),
            names: Vec::new(),
            by_rank: Vec::new(),
            initial,
        };
        for name in 0..initial {
            threads.number(name);
        }
        threads
    }

    /// The number of a thread by its name; a new one for a thread that was not met yet.
    pub fn number(&mut self, name: u32) -> usize {
        if let Some(number) = self.known(u64::from(name)) {
            return number;
        }
        let number = self.names.len();
        self.names.push(name);
        let at = name as usize;
        if at < NEAR {
            self.near.resize(self.near.len().max(at + 1), NONE);
            self.near[at] = number as u32;
        } else {
            self.far.insert(name, number as u32);
        }
        let at = self.by_rank.partition_point(|&t| self.names[t] < name);
        self.by_rank.insert(at, number);
        number
    }

    /// The number of a thread with this name, if it was met.
    #[inline]
    pub fn known(&self, name: u64) -> Option<usize> {
        let number = match usize::try_from(name) {
            Ok(at) if at < NEAR => self.near.get(at),
            _ => u32::try_from(name).ok().and_then(|name| self.far.get(&name)),
        };
        number.filter(|&&number| number != NONE).map(|&number| number as usize)
    }

    /// A thread's name.
    #[inline]
    pub fn name(&self, number: usize) -> u32 {
        self.names[number]
    }

    /// All names, by number: a rank of threads that does not depend on the search.
    #[inline]
    pub fn names(&self) -> &[u32] {
        &self.names
    }

    /// The name of the `nth` thread that `parent` spawns. None if there are too many.
    ///
    /// Three levels in one name: a thread that exists from the start (or was spawned by the only such
    /// thread), the threads that it spawned, and the threads that those spawned.
    pub fn spawned_name(&self, parent: usize, nth: u32) -> Option<u32> {
        self.child_name(self.names[parent], nth)
    }

    /// The same for a parent by name.
    pub fn child_name(&self, name: u32, nth: u32) -> Option<u32> {
        if self.initial == 1 && name == 0 {
            return (nth < 1022).then_some(nth + 1);
        }
        if nth >= 127 {
            return None;
        }
        if name < 1 << 10 {
            Some(name | (nth + 1) << 10)
        } else if name < 1 << 17 {
            Some(name | (nth + 1) << 17)
        } else {
            None
        }
    }
}
