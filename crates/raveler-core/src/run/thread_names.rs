//! Threads: their names, which follow from their parents, and their numbers, which are a worker's own.
//!
//! Nothing that decides anything may depend on a thread's number.

use rustc_hash::FxHashMap;

/// The threads that were met, numbered as they were met.
pub(crate) struct ThreadNames {
    numbers: FxHashMap<u32, usize>,
    names: Vec<u32>,
    /// Thread numbers in the order of names.
    pub by_rank: Vec<usize>,
    /// How many threads exist from the start.
    initial: u32,
}

impl ThreadNames {
    pub fn new(initial: u32) -> ThreadNames {
        let mut threads =
            ThreadNames { numbers: FxHashMap::default(), names: Vec::new(), by_rank: Vec::new(), initial };
        for name in 0..initial {
            threads.number(name);
        }
        threads
    }

    /// The number of a thread by its name; a new one for a thread that was not met yet.
    pub fn number(&mut self, name: u32) -> usize {
        if let Some(&number) = self.numbers.get(&name) {
            return number;
        }
        let number = self.names.len();
        self.names.push(name);
        self.numbers.insert(name, number);
        let at = self.by_rank.partition_point(|&t| self.names[t] < name);
        self.by_rank.insert(at, number);
        number
    }

    /// The number of a thread with this name, if it was met.
    pub fn known(&self, name: u64) -> Option<usize> {
        u32::try_from(name).ok().and_then(|name| self.numbers.get(&name)).copied()
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
