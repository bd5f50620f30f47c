//! Random walks: at each state a random process makes its next step, and nothing is tried again (docs/random.md).
//!
//! With a depth d they are those of probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte,
//! ASPLOS 2010): processes have random priorities, the highest that can goes on, and after d − 1 random steps the
//! process that made the step falls behind all others. A mistake that needs d steps in a certain order is met by one
//! walk with a probability of at least 1/(n·k^(d−1)), for n processes and k steps. Processes that flush buffers are
//! processes like others: one with a low priority keeps its stores back.
//!
//! Nothing in a walk depends on the numbers of threads and locations, which follow the walks that were made before.

use super::Search;
use super::access::Access;
use super::machine::{Buffers, Process};
use crate::graph::{Loc, NO_LOC};
use crate::mutation::Mutant;
use crate::observer::{Observer, Watchers};
use crate::outcome::{Outcome, Priorities, StopReason};
use crate::program::Program;
use crate::run::lock_table::RestartReason;
use crate::search::random::{self, Random};
use crate::search::restart::Knowledge;
use crate::settings::{RandomWalks, Settings};

/// So many walks without priorities tell how many steps and processes there are.
const PROBES: u64 = 16;

/// Make the walks.
pub(super) fn search<P: Program>(
    program: &P,
    settings: &Settings,
    buffers: Buffers,
    walks: RandomWalks,
    knowledge: &Knowledge,
    watchers: &mut Watchers<'_, P>,
) -> (Outcome, Option<RestartReason>) {
    // All walks count, complete or not; and there is nothing to leave out.
    let each = &Settings { max_executions: None, reduction: false, classes: false, ..settings.clone() };
    let (mut outcome, restart) = random::share(walks, watchers, |share, observer: &mut dyn Observer<P>| {
        let mut search = Search::new(program, each, buffers, knowledge, observer);
        search.begin_run();
        let priorities = walks.depth.map(|_| search.measure(share.seed));
        let plan = walks.depth.zip(priorities);
        share.each(|random| {
            search.walk(random, plan);
            Outcome { priorities, ..search.ledger.take_walk() }
        });
        search.run.tables.restart
    });
    outcome.stopped.get_or_insert(StopReason::Walks);
    (outcome, restart)
}

/// One walk.
struct Walk {
    /// Processes whose next step would only make them wait, and the location that must change first.
    waiting: Vec<(u32, Loc)>,
    /// No process can do anything but wait.
    is_over: bool,
    priorities: Option<ByPriority>,
}

/// A walk by priorities.
struct ByPriority {
    /// Where first priorities come from.
    seed: u64,
    /// After how many steps the process that made the last one falls behind, and its priority then.
    changes: Vec<(u64, u64)>,
    /// Who fell behind.
    behind: Vec<(u32, u64)>,
}

impl ByPriority {
    fn new(random: &mut Random, depth: u32, steps: u32) -> ByPriority {
        let change = |i| (1 + random.below(u64::from(steps.max(1))), u64::from(depth - i));
        let changes = (1..depth).map(change).collect();
        ByPriority { seed: random.next(), changes, behind: Vec::new() }
    }

    fn of(&self, process: u32, key: u64) -> u64 {
        match self.behind.iter().rev().find(|(other, _)| *other == process) {
            Some(&(_, priority)) => priority,
            None => Random::new(self.seed ^ key).next() | 1 << 63,
        }
    }

    /// A process made the step with this number, counted from 1.
    fn made(&mut self, process: u32, step: u64) {
        if !Mutant::PrioritiesKept.is_active() {
            let now = self.changes.iter().filter(|(at, _)| *at == step);
            self.behind.extend(now.map(|&(_, priority)| (process, priority)));
        }
    }
}

impl<P: Program> Search<'_, P> {
    /// How many processes and steps there are, as some walks show it. What they find is not counted.
    fn measure(&mut self, seed: u64) -> Priorities {
        let mut found = Priorities { processes: 1, steps: 1 };
        for number in 0..PROBES {
            self.go(&mut Random::of_walk(!seed, number), None);
            let acted = self.machine.last.iter().filter(|&&last| last > 0).count();
            found.processes = found.processes.max(acted as u32);
            found.steps = found.steps.max(self.steps.len() as u32);
            if self.ledger.stopped.as_ref().is_some_and(|reason| *reason != StopReason::Violation) {
                break;
            }
            self.ledger.take_walk();
        }
        found
    }

    /// One walk, from the beginning to a leaf; by priorities if there are any.
    fn walk(&mut self, random: &mut Random, plan: Option<(u32, Priorities)>) {
        let priorities = plan.map(|(depth, found)| ByPriority::new(random, depth, found.steps));
        if self.go(random, priorities) {
            self.leaf();
        }
    }

    /// The steps of one walk. True if it came to a state in which nothing can be done.
    fn go(&mut self, random: &mut Random, priorities: Option<ByPriority>) -> bool {
        while !self.steps.is_empty() {
            self.unmake();
        }
        let mut walk = Walk { waiting: Vec::new(), is_over: false, priorities };
        while self.ledger.stopped.is_none() {
            self.ledger.work(1);
            let Some((process, access)) = self.choose(random, &walk) else {
                if walk.waiting.is_empty() {
                    return self.ledger.stopped.is_none();
                }
                walk.is_over = true;
                walk.waiting.clear();
                continue;
            };
            let alternative = random.below(self.alternatives(process));
            if !self.make(process, access, alternative) {
                return false;
            }
            if !walk.is_over && self.only_waits() {
                self.unmake();
                walk.waiting.push((process, access.loc));
                continue;
            }
            if access.writes() {
                walk.waiting.retain(|&(_, loc)| loc != access.loc);
            }
            if let Some(priorities) = &mut walk.priorities {
                priorities.made(process, self.steps.len() as u64);
            }
        }
        false
    }

    /// The process that goes on, and what it accesses; none if no process can.
    fn choose(&self, random: &mut Random, walk: &Walk) -> Option<(u32, Access)> {
        let draw = if walk.priorities.is_none() { random.next() } else { 0 };
        let processes = 0..self.machine.processes.len() as u32;
        let possible = processes
            .filter(|process| walk.waiting.iter().all(|(waiting, _)| waiting != process))
            .filter_map(|process| Some((process, self.next_access(process)?)));
        possible.max_by_key(|&(process, _)| {
            let key = self.key(process);
            match &walk.priorities {
                Some(priorities) => priorities.of(process, key),
                None => Random::new(draw ^ key).next(),
            }
        })
    }

    /// A number for a process that does not depend on the search.
    pub(super) fn key(&self, process: u32) -> u64 {
        let Process { thread, flushes } = self.machine.processes[process as usize];
        let name = u64::from(self.run.tables.threads.name(thread as usize)) << 1;
        let address = match flushes {
            None => return Random::new(name).next(),
            Some(NO_LOC) => 0,
            Some(loc) => self.run.tables.memory.locations[loc as usize].address.0,
        };
        Random::new(Random::new(name | 1).next() ^ address).next()
    }
}
