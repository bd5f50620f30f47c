//! The search by interleavings: threads with store buffers take steps one after the other.
//!
//! A second engine for SC, TSO and PSO that shares neither the exploration nor the consistency checks of the others: what
//! memory does is done, not judged. Each run is recorded as a graph, with the order of flushes as its coherence order,
//! so checks and reports are the same.
//!
//! Runs that differ only in the order of steps which do not depend on each other are equivalent. Of those one is enough:
//! source sets say which steps to try at a state (`races`), and sleep sets which need not be tried again. The search keeps
//! one run, and goes back by taking steps back.
//!
//! - [`machine`]: buffers and processes;
//! - [`steps`]: what processes can do, making steps and taking them back;
//! - [`access`]: what steps access, and which depend on each other;
//! - [`races`]: which steps could come in another order;
//! - [`ends`]: memory that is freed while it may be used;
//! - [`rows`]: what comes before what;
//! - [`choices`]: what is left to try at a state;
//! - [`recorded`]: the coherence order of a run;
//! - [`follow`]: a run that was found before;
//! - [`classes`]: runs that look the same;
//! - [`walks`]: random walks instead of a search;
//! - [`preemptions`]: all runs with few preemptions;
//! - [`workers`]: several workers.

mod access;
mod choices;
mod classes;
mod ends;
mod follow;
mod machine;
mod preemptions;
mod races;
mod recorded;
mod rows;
mod steps;
mod walks;
mod workers;

pub(super) use self::follow::follow;

use self::access::AccessKind;
use self::choices::{Choices, Sleeper};
use self::classes::Classes;
use self::ends::Ends;
use self::machine::{Buffers, Machine, Standing};
use self::races::Race;
use self::recorded::Recorded;
use self::steps::Step;
use super::empty_graph;
use super::ledger::{Leaf, Ledger};
use super::restart::{Knowledge, until_settled};
use crate::check::{self, Finding};
use crate::execution::Execution;
use crate::graph::{Graph, ThreadStatus};
use crate::id::SiteId;
use crate::mutation::Mutant;
use crate::observer::{Observer, Watchers};
use crate::outcome::{Outcome, StopReason, ThreadEnd};
use crate::program::Program;
use crate::program::action::Waiting;
use crate::run::Run;
use crate::run::lock_table::RestartReason;
use crate::run::resolve::{LockUse, Request};
use crate::settings::{Equivalence, Locks, Settings};

/// The search: one run, with what is left to try at each of its states.
struct Search<'a, P: Program> {
    run: Run<'a, P>,
    ledger: Ledger<'a, P>,
    graph: Graph,
    machine: Machine,
    steps: Vec<Step>,
    /// For the state before each step, and the current one; those beyond are kept for their memory.
    frames: Vec<Choices>,
    /// Per location one more than the place of the last step that accessed it, 0 if none did.
    touched: Vec<u32>,
    /// How threads stood before they changed.
    saved: Vec<(u32, Standing)>,
    ends: Ends,
    classes: Option<Classes>,
    /// The search ends when it comes back to the state after so many steps; the way to it, for other workers.
    root: usize,
    way: Vec<(u64, u64)>,
    /// Kept for their memory.
    found: Vec<Finding>,
    races: Vec<Race>,
}

/// What the search does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Go {
    /// Look at the state that was reached.
    Visit,
    /// Make the next step that is to be tried at this state, or take the last one back.
    Next,
    End,
}

/// Explore runs of a program until each class of them was seen.
pub(super) fn explore<P: Program>(
    program: &P,
    settings: &Settings,
    watchers: &mut Watchers<'_, P>,
) -> Outcome {
    let (equivalence, locks) = (Equivalence::ReadsFrom, Locks::Ordered);
    let settings = &Settings { equivalence, locks, ..settings.clone() };
    let Some(buffers) = Buffers::of(settings.model) else {
        let message = format!("there are no interleavings under {}", settings.model.name());
        let stopped = Some(StopReason::Unsupported { message, site: SiteId::NONE });
        return Outcome { stopped, ..Outcome::default() };
    };
    let (mut outcome, knowledge, refused) = until_settled(program, settings, |knowledge| {
        if knowledge.restarts > 0 {
            watchers.restarted();
        }
        explore_once(program, settings, buffers, knowledge, watchers)
    });
    outcome.stopped = refused.or(outcome.stopped);
    outcome.restarts = knowledge.restarts;
    outcome.knowledge = knowledge.for_replay().to_bytes();
    outcome.violations.sort_by_key(super::workers::place_of);
    outcome
}

fn explore_once<P: Program>(
    program: &P,
    settings: &Settings,
    buffers: Buffers,
    knowledge: &Knowledge,
    watchers: &mut Watchers<'_, P>,
) -> (Outcome, Option<RestartReason>) {
    if let Some(walks) = settings.random {
        return walks::search(program, settings, buffers, walks, knowledge, watchers);
    }
    if let Some(bound) = settings.preemption_bound {
        return preemptions::search(program, settings, buffers, bound, knowledge, watchers.first);
    }
    if settings.workers > 1 {
        return workers::search(program, settings, buffers, knowledge, watchers);
    }
    let mut search = Search::new(program, settings, buffers, knowledge, watchers.first);
    if search.begin_run() {
        search.search_from(true);
    }
    let classes = search.classes.as_ref().map(Classes::count);
    (Outcome { classes, ..search.ledger.into_outcome() }, search.run.tables.restart)
}

/// Ask every thread whose next request is not known. False if the search has to stop.
fn ask<P: Program>(
    run: &mut Run<'_, P>,
    ledger: &mut Ledger<'_, P>,
    graph: &mut Graph,
    steps: &[Step],
) -> bool {
    super::ask_threads(run, ledger, graph, &|_| Vec::new(), |run, ledger, graph, finding| {
        ledger.report(&finding, |finding| {
            Execution::new(run, graph, &mut Recorded(steps)).violation(&finding.violation)
        });
    })
}

impl<'a, P: Program> Search<'a, P> {
    /// A search that has not begun.
    fn new(
        program: &'a P,
        settings: &'a Settings,
        buffers: Buffers,
        knowledge: &Knowledge,
        observer: &'a mut dyn Observer<P>,
    ) -> Self {
        Search {
            run: Run::new(program, settings, &knowledge.locks, knowledge.handling),
            ledger: Ledger::new(settings, observer),
            graph: empty_graph(program, settings.model, false),
            machine: Machine::new(buffers, settings.buffer_bound),
            steps: Vec::new(),
            frames: Vec::new(),
            touched: Vec::new(),
            saved: Vec::new(),
            ends: Ends::new(knowledge),
            classes: settings.classes.then(Classes::default),
            root: 0,
            way: Vec::new(),
            found: Vec::new(),
            races: Vec::new(),
        }
    }

    /// Go to the first state, in which every thread has said what it does first. False if the search has to stop.
    fn begin_run(&mut self) -> bool {
        self.machine.grow(self.graph.threads.len());
        self.ledger.stopped.is_none() && self.settle()
    }

    /// Search until the end, or until something stops it; a whole search begins at a state that was not visited.
    fn search_from(&mut self, is_whole: bool) {
        let mut go = if is_whole { Go::Visit } else { Go::Next };
        while go != Go::End && self.ledger.stopped.is_none() {
            if let Some(shared) = self.ledger.shared {
                if shared.is_stopped() {
                    self.ledger.stop(StopReason::OtherWorker);
                } else if go == Go::Next
                    && shared.wants_work()
                    && shared.lacks_work()
                    && let Some(part) = self.give_away()
                {
                    shared.offer(part);
                }
            }
            self.ledger.work(1);
            go = match go {
                Go::Visit => self.visit(),
                Go::Next => self.next(),
                Go::End => Go::End,
            };
        }
    }

    /// A state was reached: what can be done there, and what is to be tried first?
    fn visit(&mut self) -> Go {
        let here = self.steps.len();
        if self.frames.len() == here {
            self.frames.push(Choices::default());
        }
        let mut frame = std::mem::take(&mut self.frames[here]);
        self.begin(&mut frame);
        let processes = 0..self.machine.processes.len() as u32;
        let mut first = None;
        for process in processes {
            if let Some(access) = self.next_access(process) {
                frame.enable(process, access);
                if first.is_none() && !frame.is_asleep(process) {
                    first = Some(process);
                }
            }
        }
        match first {
            Some(_) if !self.run.settings.reduction => frame.todo.add_all(&frame.enabled),
            Some(process) => frame.todo.add(process),
            None if frame.enabled.is_empty() => {
                self.race_for_locks();
                self.leaf();
            }
            // All that can be done here was tried before, in another order.
            None => {
                self.ledger.counts.redundant += 1;
                if !Mutant::LeftRunsUnasked.is_active() {
                    self.race_for_locks();
                }
            }
        }
        self.frames[here] = frame;
        Go::Next
    }

    /// What need not be tried at a new state: what was tried before the last step, and does not depend on it.
    fn begin(&mut self, frame: &mut Choices) {
        frame.clear();
        let Some(last) = self.steps.last() else { return };
        let before = &self.frames[self.steps.len() - 1];
        let stays = |sleeper: &&Sleeper| {
            sleeper.process != last.process
                && (Mutant::SleepersStay.is_active() || !self.depend(sleeper.access, last.access))
        };
        frame.asleep.extend(before.asleep.iter().filter(stays));
    }

    /// Make the next step that is to be tried at this state; if there is none, take the last one back.
    fn next(&mut self) -> Go {
        let here = self.steps.len();
        let frame = &mut self.frames[here];
        let choice = match frame.next_alternative() {
            Some(process) => Some(process),
            None => {
                frame.end_choice(self.run.settings.reduction);
                frame.next_choice()
            }
        };
        let Some(process) = choice else {
            if here == self.root {
                return Go::End;
            }
            self.unmake();
            return Go::Next;
        };
        let access = self.next_access(process).expect("what is to be tried is possible");
        let alternatives = self.alternatives(process);
        let alternative = self.frames[here].begin_choice(process, access, alternatives);
        if self.make(process, access, alternative) { Go::Visit } else { Go::End }
    }

    /// Did the last step read what makes its thread wait, until something else is there to be read?
    fn only_waits(&self) -> bool {
        let Some(step) = self.steps.last() else { return false };
        let thread = step.access.thread as usize;
        step.access.kind != AccessKind::Flush
            && self.graph.event(step.event).kind.reads()
            && self.graph.status[thread] == ThreadStatus::Stuck
            && matches!(self.run.thread_end(&self.graph, thread), ThreadEnd::Spin | ThreadEnd::Condition)
            && !matches!(
                self.run.step(&self.graph, thread).request,
                Request::Wait(Waiting::Nothing | Waiting::Spin { events: 0 })
            )
    }

    /// No step is possible: a complete execution, a stuck one, or one that failed.
    fn leaf(&mut self) {
        let tries = |t: usize| {
            matches!(self.graph.status[t], ThreadStatus::Reads | ThreadStatus::Steps)
                && matches!(self.run.step(&self.graph, t).request, Request::Lock { waits: false, .. })
        };
        // It was chosen that the try of a lock succeeds, which it does not. Another run shows it fail.
        if (0..self.graph.threads.len()).any(tries) {
            self.ledger.counts.dropped += 1;
            return;
        }
        let events = self.graph.len();
        let mut waiting = Vec::new();
        for t in 0..self.graph.threads.len() {
            if !matches!(self.graph.status[t], ThreadStatus::Reads | ThreadStatus::Steps) {
                continue;
            }
            match self.run.step(&self.graph, t).request {
                Request::Lock { .. } => {
                    waiting.push((t, self.graph.status[t]));
                    self.graph.status[t] = ThreadStatus::Stuck;
                }
                Request::Update { lock: LockUse::Wait, .. } => {
                    if let Err(reason) = self.push_waiting(t) {
                        return self.ledger.stop(reason);
                    }
                }
                _ => {}
            }
        }
        for &(t, _) in &waiting {
            self.check_waiting(t);
        }
        let executions = self.ledger.counts.executions;
        if ask(&mut self.run, &mut self.ledger, &mut self.graph, &self.steps) {
            let Search { run, ledger, graph, classes, steps, .. } = self;
            let (leaf, found) = Leaf::of(run, graph).settle(run, graph, &mut Recorded(steps));
            if let Some(finding) = found {
                ledger.report(&finding, |finding| {
                    Execution::new(run, graph, &mut Recorded(steps)).violation(&finding.violation)
                });
            }
            ledger.count(leaf, run, graph, &Execution::new(run, graph, &mut Recorded(steps)));
            if let Some(classes) = classes
                && ledger.counts.executions > executions
            {
                classes.add(run, graph);
            }
        }
        while self.graph.len() > events {
            self.graph.pop();
        }
        for (t, status) in waiting {
            self.graph.status[t] = status;
        }
    }

    /// A thread waits for ever for a lock of which there is no event: was its memory freed?
    fn check_waiting(&mut self, t: usize) {
        let Search { run, ledger, graph, found, steps, .. } = self;
        check::memory::waits_for_lock(run, graph, t, found);
        for finding in found.drain(..) {
            ledger.report(&finding, |finding| {
                Execution::new(run, graph, &mut Recorded(steps)).violation(&finding.violation)
            });
        }
    }

    /// A thread waits for a lock for ever: show that by an event that reads how it is held, as checks expect it.
    fn push_waiting(&mut self, t: usize) -> Result<(), StopReason> {
        let id = self.run.push_next(&mut self.graph, t)?;
        let source = self.in_memory(self.graph.event(id).loc);
        self.run.set_source(&mut self.graph, id, source);
        self.check_event(id);
        Ok(())
    }
}
