//! What a search counts and reports: executions, leaves of other kinds, violations, and why the search ends.
//!
//! Every search, and every worker, keeps one; outcomes of workers are added up
//! (docs/counts.md, "Explorations that are no executions").

use super::subtree::Subtree;
use super::workers::Shared;
use crate::check::Finding;
use crate::check::liveness::{self, Stuck};
use crate::consistency::Explain;
use crate::execution::Execution;
use crate::graph::{EventTag, Graph, ThreadStatus};
use crate::observer::{Flow, Observer};
use crate::outcome::{Counts, Outcome, StopReason, ThreadEnd, Violation};
use crate::program::Program;
use crate::program::action::Waiting;
use crate::run::Run;
use crate::run::resolve::Request;
use crate::run::seen_rounds;
use crate::settings::Settings;

/// What one search, or one worker's share of it, counts and reports.
pub(super) struct Ledger<'a, P: Program> {
    settings: &'a Settings,
    observer: &'a mut dyn Observer<P>,
    pub counts: Counts,
    pub violations: Vec<Violation>,
    /// Some graph had more stores in a buffer than the bound allows.
    pub bound_met: bool,
    pub stopped: Option<StopReason>,
    /// What is shared with other workers.
    pub shared: Option<&'a Shared>,
    /// Executions that earlier searches of the same check counted.
    pub earlier: u64,
    /// Work since the observer was last asked, and how much may go by in between.
    work: u32,
    interval: u32,
}

/// How a leaf counts: a graph to which nothing can be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leaf {
    Complete,
    /// Some thread is stuck; `assumed` if an assumption failed.
    Stuck {
        assumed: bool,
    },
    /// A thread waits for a lock that was released already: an artefact of the lock rule, since another leaf
    /// shows the thread taking the lock.
    Artefact,
    /// A violation ended a thread.
    Failed,
    /// What a thread would do is seen in another exploration.
    Dropped,
    /// A thread reached a bound.
    Cut,
}

impl<'a, P: Program> Ledger<'a, P> {
    pub fn new(settings: &'a Settings, observer: &'a mut dyn Observer<P>) -> Ledger<'a, P> {
        Ledger {
            interval: observer.interval(),
            settings,
            observer,
            counts: Counts::default(),
            violations: Vec::new(),
            bound_met: false,
            stopped: None,
            shared: None,
            earlier: 0,
            work: 0,
        }
    }

    /// End the search. The first reason counts.
    pub fn stop(&mut self, reason: StopReason) {
        self.stopped.get_or_insert(reason);
    }

    /// Count work; now and then the observer is asked whether to go on.
    pub fn work(&mut self, work: u32) {
        if self.observer.is_over() {
            self.stop(StopReason::Observer);
        }
        self.work += work;
        if self.work >= self.interval {
            self.work = 0;
            if self.observer.progress(&self.counts) == Flow::Stop {
                self.stop(StopReason::Observer);
            }
        }
    }

    /// Does another worker need work, or did one stop?
    pub fn attend(&mut self, shared: &Shared, give_away: impl FnOnce() -> Option<Subtree>) {
        if shared.is_stopped() {
            self.stop(StopReason::OtherWorker);
        } else if shared.wants_work()
            && let Some(subtree) = give_away()
        {
            shared.offer(subtree);
        }
    }

    /// Was the same violation seen before?
    pub fn knows(&self, violation: &Violation) -> bool {
        self.violations.iter().any(|v| v.is_same(violation))
    }

    /// A violation was found; `witness` shows it.
    pub fn report(&mut self, finding: &Finding, witness: impl FnOnce(&Finding) -> Violation) {
        if finding.refuses {
            let Violation { message, site, .. } = finding.violation.clone();
            return self.stop(StopReason::Unsupported { message, site });
        }
        if !self.knows(&finding.violation) {
            let violation = witness(finding);
            if !self.observer.wants(&violation) {
                return;
            }
            self.violations.push(violation);
        }
        if !self.settings.all {
            self.stop(StopReason::Violation);
        }
    }

    /// Count a leaf and show it to the observer.
    pub fn count(&mut self, leaf: Leaf, run: &Run<'_, P>, graph: &Graph, execution: &Execution<'_, P>) {
        if run.tables.restart.is_some() {
            return self.stop(StopReason::Restart);
        }
        match leaf {
            Leaf::Failed => {
                self.counts.failed += 1;
                if self.observer.failed(execution) == Flow::Stop {
                    self.stop(StopReason::Observer);
                }
            }
            Leaf::Dropped => self.counts.dropped += 1,
            Leaf::Cut => self.counts.cut += 1,
            Leaf::Artefact => self.counts.spurious += 1,
            Leaf::Stuck { .. } | Leaf::Complete if is_spared(run, graph) || run.follows_in_vain(graph) => {
                self.counts.spared += 1;
            }
            Leaf::Stuck { .. } => {
                self.counts.blocked += 1;
                if self.observer.blocked(execution) == Flow::Stop {
                    self.stop(StopReason::Observer);
                }
            }
            Leaf::Complete => self.count_execution(graph, execution),
        }
    }

    /// A leaf that is counted elsewhere with another coherence order: show it to the observer.
    pub fn show_order(&mut self, leaf: Leaf, run: &Run<'_, P>, graph: &Graph, execution: &Execution<'_, P>) {
        let is_complete = leaf == Leaf::Complete && !is_spared(run, graph) && !run.follows_in_vain(graph);
        if is_complete && self.observer.reordered(execution) == Flow::Stop {
            self.stop(StopReason::Observer);
        }
    }

    fn count_execution(&mut self, graph: &Graph, execution: &Execution<'_, P>) {
        let events = graph.len() as u64;
        if let Some(max) = self.settings.max_executions {
            // Stop at the first execution that is one too many: a program with exactly `max` executions is
            // still verified.
            let before = self.earlier + self.shared.map_or(self.counts.executions, Shared::count_execution);
            if before >= max {
                return self.stop(StopReason::MaxExecutions);
            }
        }
        self.counts.executions += 1;
        self.counts.events += events;
        self.counts.max_events = self.counts.max_events.max(events);
        if self.observer.execution(execution) == Flow::Stop {
            self.stop(StopReason::Observer);
        }
    }

    /// What one walk counted and found; the next one begins with nothing.
    pub fn take_walk(&mut self) -> Outcome {
        Outcome {
            counts: std::mem::take(&mut self.counts),
            violations: std::mem::take(&mut self.violations),
            bound_met: std::mem::take(&mut self.bound_met),
            stopped: self.stopped.take(),
            walks: 1,
            ..Outcome::default()
        }
    }

    /// The outcome of this search, or of this worker.
    pub fn into_outcome(self) -> Outcome {
        Outcome {
            counts: self.counts,
            violations: self.violations,
            bound_met: self.bound_met,
            stopped: self.stopped,
            ..Outcome::default()
        }
    }
}

impl Leaf {
    /// How a leaf counts: a graph to which nothing can be added. Where a thread waits that must be followed further, that is
    /// learned, and the search restarts.
    pub fn of<P: Program>(run: &mut Run<'_, P>, graph: &Graph) -> Leaf {
        if let Some(reason) = run.waits_though_seen(graph) {
            run.tables.learn(reason);
            return Leaf::Cut;
        }
        let (mut stuck, mut failed, mut assumed, mut dropped, mut cut) = (false, false, false, false, false);
        for (t, status) in graph.status.iter().enumerate() {
            if matches!(status, ThreadStatus::Absent | ThreadStatus::Done) {
                continue;
            }
            match run.thread_end(graph, t) {
                ThreadEnd::Done => {}
                ThreadEnd::Running => failed = true,
                ThreadEnd::Assume => {
                    assumed = true;
                    stuck = true;
                }
                ThreadEnd::Dropped => dropped = true,
                ThreadEnd::Cut => cut = true,
                ThreadEnd::Lock
                | ThreadEnd::Join
                | ThreadEnd::Barrier
                | ThreadEnd::Condition
                | ThreadEnd::Spin => stuck = true,
            }
        }
        match () {
            () if failed => Leaf::Failed,
            () if dropped => Leaf::Dropped,
            () if cut => Leaf::Cut,
            () if stuck && misses_unlock(graph) => Leaf::Artefact,
            () if stuck => Leaf::Stuck { assumed },
            () => Leaf::Complete,
        }
    }

    /// Find out what a leaf with stuck threads really is, and whether it is wrong.
    pub fn settle<P: Program>(
        self,
        run: &Run<'_, P>,
        graph: &Graph,
        order: &mut dyn Explain,
    ) -> (Leaf, Option<Finding>) {
        let assumed = match self {
            Leaf::Stuck { assumed } => assumed,
            Leaf::Cut => return (self, liveness::deadlock_beside_cut(run, graph, order)),
            _ => return (self, None),
        };
        match liveness::stuck(run, graph, order, assumed) {
            Stuck::NotForEver | Stuck::Ignored => (self, None),
            Stuck::Wrong(finding) => (self, Some(*finding)),
            Stuck::AfterTheEnd => (Leaf::Complete, None),
            Stuck::Undecided => (Leaf::Cut, None),
        }
    }
}

/// Did some thread make a futile round only to find violations there, which no other thread has seen? Where it still waits
/// in that loop, every leaf has such a round: the one that repeats it stands for the leaf without.
fn is_spared<P: Program>(run: &Run<'_, P>, graph: &Graph) -> bool {
    let hints = run.program.hints();
    if !run.has_spared {
        debug_assert!((0..graph.threads.len()).all(|t| {
            graph.status[t] == ThreadStatus::Absent
                || hints.spared(&run.states[graph.threads[t].state as usize].cursor).is_none()
        }));
        return false;
    }
    let asked = (0..graph.threads.len()).filter(|&t| graph.status[t] != ThreadStatus::Absent);
    let is_spared = |&t: &usize| hints.spared(&run.states[graph.threads[t].state as usize].cursor).is_some();
    asked.filter(is_spared).any(|t| !repeats_its_round(run, graph, t) && !run.spared_was_seen(graph, t))
}

/// Does a thread wait in a loop, and was its last round the same as the one before, with nothing in between?
fn repeats_its_round<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> bool {
    if graph.status[thread] == ThreadStatus::Done || run.thread_end(graph, thread) != ThreadEnd::Spin {
        return false;
    }
    let Request::Wait(Waiting::Spin { events }) = run.step(graph, thread).request else { return false };
    let (end, count) = (graph.threads[thread].events.len(), events as usize);
    let Some(start) = end.checked_sub(2 * count) else { return false };
    seen_rounds::repeats(graph, thread, &(start..start + count), &(start + count..end))
}

/// Does some thread wait for a lock that was released already?
fn misses_unlock(graph: &Graph) -> bool {
    graph.threads.iter().zip(&graph.status).any(|(log, &status)| {
        status == ThreadStatus::Stuck
            && log.events.last().is_some_and(|last| {
                last.tag == EventTag::Waits && (last.rf.is_init() || graph.unlock_of(last.rf).is_some())
            })
    })
}
