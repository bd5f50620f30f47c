//! What is left to try at a state of a run.

use super::access::Access;

/// A set of processes.
#[derive(Clone, Debug, Default)]
pub(super) struct Processes(Vec<u64>);

impl Processes {
    pub fn has(&self, process: u32) -> bool {
        self.0.get(process as usize / 64).is_some_and(|word| word >> (process % 64) & 1 != 0)
    }

    pub fn add(&mut self, process: u32) {
        let at = process as usize / 64;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (process % 64);
    }

    pub fn add_all(&mut self, others: &Processes) {
        if self.0.len() < others.0.len() {
            self.0.resize(others.0.len(), 0);
        }
        for (word, other) in self.0.iter_mut().zip(&others.0) {
            *word |= other;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn all(&self) -> impl Iterator<Item = u32> {
        let bits = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| at as u32 * 64 + bit)
        };
        self.0.iter().enumerate().flat_map(bits)
    }
}

/// A process whose next step was tried already, and what that accesses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sleeper {
    pub process: u32,
    pub access: Access,
}

/// What can be tried at a state.
#[derive(Debug, Default)]
pub(super) struct Choices {
    pub enabled: Processes,
    /// The same, with what each of them accesses.
    pub accesses: Vec<Sleeper>,
    /// What is to be tried.
    pub todo: Processes,
    done: Processes,
    /// What need not be tried: runs that begin with it were seen.
    pub asleep: Vec<Sleeper>,
    /// What is being tried, which of its alternatives, and how many there are.
    current: Option<(Sleeper, u64, u64)>,
}

impl Choices {
    pub fn clear(&mut self) {
        for set in [&mut self.enabled, &mut self.todo, &mut self.done] {
            set.0.clear();
        }
        self.asleep.clear();
        self.accesses.clear();
        self.current = None;
    }

    /// A process can go on.
    pub fn enable(&mut self, process: u32, access: Access) {
        self.enabled.add(process);
        self.accesses.push(Sleeper { process, access });
    }

    /// Other searches try all that can be done here, apart from this process; of no process if there is none.
    pub fn only(&mut self, process: Option<u32>) {
        self.todo.add_all(&self.enabled);
        for sleeper in self.accesses.iter().filter(|sleeper| Some(sleeper.process) != process) {
            self.done.add(sleeper.process);
        }
    }

    /// Something that is left to try here, for another search, with what sleeps there; from now on it sleeps here. All
    /// that can be done here is to be tried then: the other search cannot say what else it needs.
    pub fn give_away(&mut self, sleeps: bool) -> Option<(u32, Vec<Sleeper>)> {
        self.todo.add_all(&self.enabled);
        // What is tried now comes before what is given away: none of its states may be still to come.
        if self.next_alternative().is_some() {
            return None;
        }
        let current = self.current.map(|(sleeper, _, _)| sleeper);
        let is_current = |process| current.is_some_and(|sleeper| sleeper.process == process);
        let left = |sleeper: &&Sleeper| {
            let process = sleeper.process;
            !is_current(process) && !self.done.has(process) && !self.is_asleep(process)
        };
        let given = *self.accesses.iter().find(left)?;
        let asleep = self.asleep.iter().copied().chain(current).filter(|_| sleeps).collect();
        self.done.add(given.process);
        if sleeps {
            self.asleep.push(given);
        }
        Some((given.process, asleep))
    }

    pub fn is_asleep(&self, process: u32) -> bool {
        self.asleep.iter().any(|sleeper| sleeper.process == process)
    }

    /// The process whose step has more alternatives, if there is one.
    pub fn next_alternative(&self) -> Option<u32> {
        let (sleeper, alternative, alternatives) = self.current?;
        (alternative + 1 < alternatives).then_some(sleeper.process)
    }

    /// All alternatives of the current step were tried: from now on its process sleeps here.
    pub fn end_choice(&mut self, sleeps: bool) {
        if let Some((sleeper, _, _)) = self.current.take() {
            self.done.add(sleeper.process);
            if sleeps {
                self.asleep.push(sleeper);
            }
        }
    }

    /// The next process to be tried.
    pub fn next_choice(&self) -> Option<u32> {
        self.todo.all().find(|&process| !self.done.has(process) && !self.is_asleep(process))
    }

    /// Which alternative of its step is being tried.
    pub fn alternative(&self) -> u64 {
        self.current.map_or(0, |(_, alternative, _)| alternative)
    }

    /// A process is tried; in which way, of how many?
    pub fn begin_choice(&mut self, process: u32, access: Access, alternatives: u64) -> u64 {
        let alternative = self.current.map_or(0, |(_, alternative, _)| alternative + 1);
        self.current = Some((Sleeper { process, access }, alternative, alternatives));
        alternative
    }
}
