//! The ordinary search, after Tracer and TruSt: extend the graph, try every source of a read, let every write
//! revisit earlier reads. docs/engine.md, "The search", has it in pseudocode;
//! docs/engine.md, "Each execution once", says why each execution is found exactly once.
//!
//! A node of the search is an ordered graph. Its children are the graphs with one more event and the graphs
//! in which the newest write is read by an earlier read. Forward steps are made in place and undone; a
//! revisit starts a new *level* with a graph of its own, on top of the one it came from. Nothing else is
//! remembered: what was visited follows from the graph alone, so memory stays polynomial in the size of one
//! execution.
//!
//! - [`extend`]: the thread that goes on, and the event it adds;
//! - [`alternatives`]: the next alternative of the event on top of the path, or its undoing;
//! - [`revisit`]: the reads that a new write may revisit, and what that deletes;
//! - [`maximal`]: may an event be deleted: is the graph a maximal extension of the graph without it?
//! - [`resume`]: going on with a part of the search;
//! - [`random`]: random walks instead of a search;
//! - [`anew`]: what is told of a graph;
//! - [`follow`]: one execution that was found before;
//! - [`lock_order`], [`spin`]: locks in the order of acquisition, and waiting in loops, without explorations
//!   that lead nowhere.

mod alternatives;
mod anew;
mod extend;
mod follow;
mod lock_order;
mod maximal;
pub(super) mod path;
mod random;
mod resume;
mod revisit;
mod spin;

use self::anew::Anew;
use self::path::{Frame, FrameKind, Go, Level, Path};
use super::empty_graph;
use super::ledger::{Leaf, Ledger};
use super::subtree::Subtree;
use crate::check::{self, Finding};
use crate::consistency::Consistency;
use crate::execution::Execution;
use crate::graph::{Graph, Loc, ThreadStatus};
use crate::id::EventId;
use crate::observer::Observer;
use crate::outcome::StopReason;
use crate::program::Program;
use crate::run::lock_table::{LockHandling, LockKnowledge, RestartReason};
use crate::run::{Run, counters, symmetry, unseen};
use crate::settings::Settings;

/// One search, or one worker's share of it.
pub(super) struct Search<'a, P: Program, K: Consistency> {
    pub run: Run<'a, P>,
    pub ledger: Ledger<'a, P>,
    pub path: Path<K>,
    pub candidates: Vec<EventId>,
    /// The locations that lost accesses in the last revisit.
    lost: Vec<Loc>,
    /// What is wrong with the newest event.
    found: Vec<Finding>,
    steps: u32,
    /// Work that the ledger was not told of yet.
    work: u32,
    /// The only thread whose next request may not be known when the search goes on, if it is known that there is only one.
    unasked: Option<usize>,
    /// The top graph was not extended yet when the search stopped.
    unvisited: bool,
    /// There is nothing left.
    finished: bool,
}

/// So many steps go by before the search looks again whether other workers need work.
const SHARE_INTERVAL: u32 = 1 << 6;

/// So many events without alternatives go by before limits are asked.
const ASK_INTERVAL: u32 = 8;

impl<'a, P: Program, K: Consistency> Search<'a, P, K> {
    /// A search that has not begun. `knowledge` is what earlier ones found out about locks.
    pub fn new(
        program: &'a P,
        settings: &'a Settings,
        knowledge: &LockKnowledge,
        handling: LockHandling,
        observer: &'a mut dyn Observer<P>,
    ) -> Self {
        Search {
            run: Run::new(program, settings, knowledge, handling)
                .keep_states()
                .leave_out_twins(handling)
                .count_in_no_order(handling),
            ledger: Ledger::new(settings, observer),
            path: Path::new(empty_graph(program, settings.model, false), K::new(settings)),
            candidates: Vec::new(),
            lost: Vec::new(),
            found: Vec::new(),
            steps: 0,
            work: 0,
            unasked: None,
            unvisited: true,
            finished: false,
        }
    }

    /// Forget the path and start with the empty graph.
    pub fn restart(&mut self) {
        let model = self.run.settings.model;
        self.path.restart(empty_graph(self.run.program, model, false), K::new(self.run.settings));
        self.run.states.clear();
        self.candidates.clear();
        self.unasked = None;
    }

    /// Search until the end, or until something stops it.
    pub fn run(&mut self) {
        let mut go = if self.path.top.frames.is_empty() { Go::Visit } else { Go::Back };
        while go != Go::End && self.ledger.stopped.is_none() {
            self.count_step();
            if let Some(shared) = self.ledger.shared
                && self.steps.is_multiple_of(SHARE_INTERVAL)
            {
                self.ledger.attend(shared, || Subtree::take_from(&mut self.path, &self.run));
            }
            if self.ledger.stopped.is_some() {
                break;
            }
            go = match go {
                Go::Visit => self.extend(),
                Go::Back => {
                    self.undo_steps();
                    self.next_alternative()
                }
                Go::End => Go::End,
            };
        }
        // The execution above `max_executions` was not counted: it is left to explore, too.
        self.unvisited = go == Go::Visit || self.ledger.stopped == Some(StopReason::MaxExecutions);
        self.finished = go == Go::End;
    }

    /// Limits are asked after so much work.
    #[inline]
    fn count_step(&mut self) {
        self.add_step();
        self.ledger.work(std::mem::take(&mut self.work));
    }

    /// An event without alternatives was added: only now and then limits are asked.
    #[inline]
    fn count_event(&mut self) {
        self.add_step();
        if self.steps.is_multiple_of(ASK_INTERVAL) {
            self.ledger.work(std::mem::take(&mut self.work));
        }
    }

    #[inline]
    fn add_step(&mut self) {
        self.steps = self.steps.wrapping_add(1);
        // The larger the graph, the longer a step takes.
        let size = self.path.top.graph.len();
        self.work += 1 + ((size * size) >> 12) as u32;
    }

    /// What is left to explore, if the search was stopped.
    pub fn left(&mut self) -> Vec<Subtree> {
        if self.finished { Vec::new() } else { Subtree::all_left(&mut self.path, &self.run, self.unvisited) }
    }

    /// Ask every thread whose next request is not known, and report requests that are wrong. False if the
    /// search has to stop.
    fn ask_threads(&mut self) -> bool {
        let Search { run, ledger, path, unasked, .. } = self;
        let Level { graph, order, .. } = &mut path.top;
        let only = unasked.take();
        super::ask_these(run, ledger, graph, only, &|_| Vec::new(), |run, ledger, graph, finding| {
            ledger.report(&finding, |finding| {
                Execution::new(run, graph, &mut Anew { order: &mut *order, settings: run.settings })
                    .violation(&finding.violation)
            });
        })
    }

    /// An event has its final label: look for what is wrong with it.
    fn check_event(&mut self, id: EventId) {
        let Search { run, ledger, path, found, .. } = self;
        let level = &mut path.top;
        check::event(run, &level.graph, id, found);
        if run.tells_disturbance(&level.graph, id) {
            run.tables.learn(RestartReason::Program);
            ledger.stop(StopReason::Restart);
        }
        if found.is_empty() {
            level.graph.event_mut(id).failed = false;
            return;
        }
        let mut failed = false;
        for finding in found.drain(..) {
            // What is not supported plays no role where the thread stops before it.
            if !finding.condition.holds(&level.graph) || finding.refuses && failed {
                continue;
            }
            ledger.report(&finding, |finding| {
                Execution::new(
                    run,
                    &level.graph,
                    &mut Anew { order: &mut level.order, settings: run.settings },
                )
                .violation(&finding.violation)
            });
            failed |= finding.stops;
        }
        level.graph.event_mut(id).failed = failed;
    }

    /// After a revisit by `write`, threads that had failed, and that of a write which no graph showed before, may go on, or
    /// stop, other than before.
    fn unask_failed(&mut self, write: EventId) {
        let Level { graph, frames, .. } = &mut self.path.top;
        if frames.last().is_some_and(|frame| frame.shows_write) {
            graph.status[write.thread()] = ThreadStatus::Unasked;
        }
        for (thread, status) in graph.threads.iter().zip(&mut graph.status) {
            if thread.events.last().is_some_and(|last| last.failed) {
                *status = ThreadStatus::Unasked;
            }
        }
    }

    /// The graph of a revisit is whole: its write has its place, and its read has written if it is an update. Look at its
    /// read, at its write if no graph showed it before, and at events with which something was wrong: that may have been
    /// deleted. Asked any sooner, what is reported would be shown by a graph of which a part is missing, perhaps by none.
    fn check_revisit(&mut self, read: EventId) {
        let Level { graph, frames, .. } = &self.path.top;
        if let Some(&Frame { kind: FrameKind::Revisit { write }, shows_write, .. }) = frames.last() {
            let last =
                |t: usize| graph.threads[t].events.last().filter(|last| last.failed).map(|_| graph.tip(t));
            let mut failed: Vec<EventId> =
                (0..graph.threads.len()).filter_map(last).filter(|&id| id != read).collect();
            if shows_write && !failed.contains(&write) {
                failed.push(write);
            }
            for id in failed {
                self.check_event(id);
            }
        }
        self.check_event(read);
    }

    /// Nothing can be added: a complete execution, a stuck one, or one that failed.
    fn leaf(&mut self) {
        let Search { run, ledger, path, .. } = self;
        let level = &mut path.top;
        if run.symmetry {
            match symmetry::holds(run, &level.graph) {
                None => {}
                Some(true) => run.program.hints().left_out_twins(),
                Some(false) => {
                    run.tables.learn(RestartReason::Twins);
                    ledger.stop(StopReason::Restart);
                    return;
                }
            }
        }
        let seen = unseen::seen(run, &level.graph);
        if let Some(address) = seen {
            run.program.hints().seen(address);
        }
        if seen.is_some() || run.program.hints().wants_restart() {
            run.tables.learn(RestartReason::Program);
            ledger.stop(StopReason::Restart);
            return;
        }
        counters::tell(run, &level.graph);
        let (leaf, found) = Leaf::of(run, &level.graph).settle(run, &level.graph, &mut level.order);
        if let Some(finding) = found {
            ledger.report(&finding, |finding| {
                Execution::new(
                    run,
                    &level.graph,
                    &mut Anew { order: &mut level.order, settings: run.settings },
                )
                .violation(&finding.violation)
            });
        }
        ledger.count(
            leaf,
            run,
            &level.graph,
            &Execution::new(run, &level.graph, &mut Anew { order: &mut level.order, settings: run.settings }),
        );
    }

    /// Some thread goes on waiting in all that can follow: that is not looked at, unless what the thread did in its last
    /// round was seen.
    fn leave_hopeless(&mut self) {
        match self.run.waits_though_seen(&self.path.top.graph) {
            None => self.ledger.counts.dropped += 1,
            Some(None) => self.ledger.counts.cut += 1,
            Some(reason) => {
                self.run.tables.learn(reason);
                self.ledger.stop(StopReason::Restart);
            }
        }
    }

    /// The number of children of the top graph. Stops in the child with number `choose`, if given; otherwise
    /// everything is as before. A leaf has none and is counted.
    ///
    /// It stops where `keep_going` says no.
    pub fn children(&mut self, choose: Option<u64>, keep_going: &mut dyn FnMut() -> bool) -> u64 {
        let ground = self.path.depth();
        let mut count = 0;
        self.extend();
        while self.ledger.stopped.is_none() && self.path.depth() > ground {
            if !keep_going() {
                self.ledger.stop(StopReason::Observer);
                break;
            }
            if self.next_alternative() == Go::Visit {
                if choose == Some(count) {
                    return count;
                }
                count += 1;
            }
        }
        count
    }
}

/// In tests: does the definition of the model say the same of this graph?
#[inline]
fn verified<K: Consistency>(_settings: &Settings, _graph: &Graph, consistent: bool) -> bool {
    #[cfg(any(test, feature = "paranoid"))]
    crate::agreement::check(_settings, _graph, K::COHERENCE, consistent);
    consistent
}
