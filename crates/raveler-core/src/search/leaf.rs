//! Leaves: complete executions, stuck ones, and what keeps them stuck.

use crate::action::Waiting;
use crate::execution::Execution;
use crate::graph::Loc;
use crate::graph::{Mark, Ready};
use crate::id::{EventId, ThreadId};
use crate::observer::{Flow, Observer};
use crate::order::Consistency;
use crate::outcome::{Related, StopReason, ThreadEnd, ViolationKind};
use crate::program::Program;

use super::check::held;
use super::explore::Explorer;
use super::locks;
use super::step::Want;
use super::workers::Shared;

impl<P: Program, K: Consistency, O: Observer<P>> Explorer<'_, P, K, O> {
    /// The top graph as observers see it.
    pub(super) fn execution(&mut self) -> Execution<'_, P> {
        let level = self.levels.last_mut().expect("a search has a level");
        Execution::new(self.program, &level.graph, &self.states, &self.tables, &mut level.order)
    }

    /// Where a thread of the top graph stands.
    pub(super) fn end_of(&self, thread: usize) -> ThreadEnd {
        let graph = &self.levels.last().expect("a search has a level").graph;
        crate::execution::thread_end(graph, thread, &self.states)
    }

    /// Nothing can be added: a complete execution, a stuck one, or one that failed.
    pub(super) fn leaf(&mut self) {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let mut stuck = false;
        let mut failed = false;
        let mut assumed = false;
        let mut dropped = false;
        let mut cut = false;
        for (t, ready) in graph.ready.iter().enumerate() {
            if matches!(ready, Ready::Absent | Ready::Done) {
                continue;
            }
            match self.end_of(t) {
                ThreadEnd::Done => {}
                ThreadEnd::Running => failed = true,
                ThreadEnd::Assume => {
                    assumed = true;
                    stuck = true;
                }
                ThreadEnd::Dropped => dropped = true,
                ThreadEnd::Cut => cut = true,
                ThreadEnd::Lock | ThreadEnd::Join | ThreadEnd::Condition | ThreadEnd::Spin => stuck = true,
            }
        }
        if failed {
            self.counts.failed += 1;
            return;
        }
        if dropped {
            self.counts.dropped += 1;
            return;
        }
        if cut {
            self.counts.cut += 1;
            return;
        }
        let mut asked = graph.threads.iter().zip(&graph.ready).filter(|(_, ready)| **ready != Ready::Absent);
        let spared = asked.any(|(log, _)| self.program.spared(&self.states[log.state as usize].cursor));
        if stuck && self.has_spurious_waiter() {
            self.counts.spurious += 1;
            return;
        }
        if stuck {
            if !assumed {
                self.check_deadlock();
            }
            if spared {
                self.counts.spared += 1;
                return;
            }
            self.counts.blocked += 1;
            let level = self.levels.last_mut().expect("a search has a level");
            let execution =
                Execution::new(self.program, &level.graph, &self.states, &self.tables, &mut level.order);
            if self.observer.blocked(&execution) == Flow::Stop {
                self.stop(StopReason::Observer);
            }
            return;
        }
        if spared {
            self.counts.spared += 1;
            return;
        }
        let events = graph.len() as u64;
        if let Some(max) = self.settings.max_executions {
            // One more than allowed shows that there is more to see; the last one allowed does not.
            let before = self.shared.map_or(self.counts.executions, Shared::count_execution);
            if before >= max {
                return self.stop(StopReason::MaxExecutions);
            }
        }
        self.counts.executions += 1;
        self.counts.events += events;
        self.counts.max_events = self.counts.max_events.max(events);
        let level = self.levels.last_mut().expect("a search has a level");
        let execution =
            Execution::new(self.program, &level.graph, &self.states, &self.tables, &mut level.order);
        if self.observer.execution(&execution) == Flow::Stop {
            self.stop(StopReason::Observer);
        }
    }

    /// Every unfinished thread waits for a lock that is really held, for another thread, or in a loop. If one waits in a
    /// loop and what it reads there can stay as it is, it does so for ever.
    pub(super) fn check_deadlock(&mut self) {
        if (0..self.levels.last().map_or(0, |level| level.graph.threads.len())).any(|t| self.is_let_in(t)) {
            return;
        }
        let graph = &self.levels.last().expect("a search has a level").graph;
        let mut waiting = Vec::new();
        let mut reads: Vec<(Loc, EventId)> = Vec::new();
        // Updates that waiting threads make again and again, writing what is there: no change for anybody.
        let mut rounds: Vec<EventId> = Vec::new();
        let mut spins = Vec::new();
        let mut joins = Vec::new();
        for (t, log) in graph.threads.iter().enumerate() {
            if matches!(graph.ready[t], Ready::Absent | Ready::Done) {
                continue;
            }
            match self.end_of(t) {
                ThreadEnd::Lock if matches!(self.states[log.state as usize].step.want, Want::Lock { .. }) => {
                    let step = &self.states[log.state as usize].step;
                    waiting.push(("waits for a lock", t, step.site));
                    for holder in (0..graph.threads.len()).filter_map(|h| held(graph, h, step.loc)) {
                        waiting.push(("holds the lock", holder.thread(), self.site(holder)));
                    }
                }
                ThreadEnd::Lock => {
                    let last = log.events.last().expect("it waits at an event");
                    let holder = last.rf;
                    let id = EventId::new(t as u32, log.events.len() as u32 - 1);
                    waiting.push(("waits for a lock", t, self.site(id)));
                    waiting.push(("holds the lock", holder.thread(), self.site(holder)));
                }
                ThreadEnd::Condition => {
                    let last = log.events.iter().rev().find(|event| event.kind.reads());
                    if let Some(event) = last {
                        reads.push((event.loc, event.rf));
                    }
                    waiting.push(("waits for a condition", t, self.states[log.state as usize].step.site));
                }
                ThreadEnd::Spin => {
                    let step = &self.states[log.state as usize].step;
                    let Want::Wait(Waiting::Spin { events }) = step.want else { unreachable!("it spins") };
                    let round = log.events.len().saturating_sub(events as usize);
                    for (i, event) in log.events.iter().enumerate().skip(round) {
                        if event.kind.reads() {
                            reads.push((event.loc, event.rf));
                        }
                        if event.kind.writes() {
                            rounds.push(EventId::new(t as u32, i as u32));
                        }
                    }
                    let last =
                        log.events.iter().rposition(|event| event.kind.reads()).filter(|&i| i >= round);
                    let site = last.map_or(step.site, |i| self.site(EventId::new(t as u32, i as u32)));
                    spins.push(("waits in a loop", t, site));
                }
                ThreadEnd::Join => {
                    joins.push(("waits for a thread", t, self.states[log.state as usize].step.site));
                }
                _ => {}
            }
        }
        if !spins.is_empty() && !self.settings.liveness || !self.can_be_last(&reads, &rounds) {
            return;
        }
        let kind = if spins.is_empty() { ViolationKind::Deadlock } else { ViolationKind::Liveness };
        // Who joins waits only for the others.
        spins.append(&mut waiting);
        spins.append(&mut joins);
        let waiting = spins;
        let Some(&(_, thread, site)) = waiting.first() else { return };
        let related = waiting[1..]
            .iter()
            .map(|&(role, t, site)| Related { role, thread: ThreadId(t as u32), site })
            .collect();
        self.violation(kind, String::new(), thread, site, related);
    }

    /// Does the thread wait for a lock that somebody who waits in a loop releases in each round?
    fn is_let_in(&self, thread: usize) -> bool {
        let graph = &self.levels.last().expect("a search has a level").graph;
        if matches!(graph.ready[thread], Ready::Absent | Ready::Done)
            || self.end_of(thread) != ThreadEnd::Lock
        {
            return false;
        }
        let log = &graph.threads[thread];
        let step = &self.states[log.state as usize].step;
        let (lock, holders): (Loc, Vec<usize>) = match (&step.want, log.events.last()) {
            (Want::Lock { .. }, _) => {
                let threads = 0..graph.threads.len();
                (step.loc, threads.filter(|&holder| held(graph, holder, step.loc).is_some()).collect())
            }
            (_, Some(last)) if !last.rf.is_init() => (last.loc, vec![last.rf.thread()]),
            _ => return false,
        };
        holders.into_iter().any(|holder| {
            let log = &graph.threads[holder];
            let Want::Wait(Waiting::Spin { events }) = self.states[log.state as usize].step.want else {
                return false;
            };
            let round = log.events.len().saturating_sub(events as usize);
            log.events[round..].iter().any(|event| event.loc == lock && event.mark == Mark::Unlock)
        })
    }

    /// Can all these writes be the last of their locations at once, apart from `rounds` behind them? Otherwise somebody
    /// who waits would still come to see a later one.
    fn can_be_last(&mut self, writes: &[(Loc, EventId)], rounds: &[EventId]) -> bool {
        let mut locs: Vec<Loc> = writes.iter().map(|&(loc, _)| loc).collect();
        locs.sort_unstable();
        locs.dedup();
        let level = self.levels.last_mut().expect("a search has a level");
        let graph = &level.graph;
        // What a round writes is what it read; who releases a lock leaves it as it was before being taken.
        let really = |mut write: EventId| {
            while rounds.contains(&write) {
                let event = graph.event(write);
                write = match event.mark {
                    Mark::Unlock => EventId::new(write.thread() as u32, event.prev),
                    _ => event.rf,
                };
            }
            write
        };
        let mut found = writes.is_empty();
        level.order.last_writes(graph, &locs, &mut |slots| {
            found |= writes.iter().all(|&(loc, write)| {
                let at = locs.binary_search(&loc).expect("all locations are there");
                really(graph.at_slot(loc, slots[at])) == really(write)
            });
        });
        found
    }

    /// Does some thread wait for a lock that was released? Then it only missed that it was.
    pub(super) fn has_spurious_waiter(&self) -> bool {
        let graph = &self.levels.last().expect("a search has a level").graph;
        graph.threads.iter().zip(&graph.ready).any(|(log, &ready)| {
            ready == Ready::Stuck
                && log.events.last().is_some_and(|last| {
                    last.mark == Mark::Waits
                        && (last.rf.is_init() || locks::unlock_of(graph, last.rf).is_some())
                })
        })
    }
}
