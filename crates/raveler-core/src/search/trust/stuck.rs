//! Threads that are stuck at a leaf: for ever?

use std::ops::Range;

use crate::consistency::Consistency;
use crate::graph::{EventTag, Graph, Loc, ThreadStatus};
use crate::id::{EventId, SiteId, ThreadId};
use crate::observer::Observer;
use crate::outcome::{Related, ThreadEnd, ViolationKind};
use crate::program::Program;
use crate::program::action::{Operation, Waiting};

use super::Explorer;
use super::check::held;
use crate::run::resolve::Request;

/// How far a thread is followed that is let into a lock: a round of a loop that waits is short.
const ROUND: usize = 1000;

/// Reads by location, each with the write that was read.
type Reads = Vec<(Loc, EventId)>;

/// Who is stuck in what way, with what it waits for.
#[derive(Default)]
struct Stuck {
    /// In a loop, or for a condition: roles and places for the report.
    spins: Vec<(&'static str, usize, SiteId)>,
    waits: Vec<(&'static str, usize, SiteId)>,
    joins: Vec<(&'static str, usize, SiteId)>,
    /// Who waits for a lock, and who holds it.
    locks: Vec<(usize, usize)>,
    /// What those who wait in loops or for conditions have seen.
    reads: Reads,
    /// Updates that waiting threads make again and again, writing what is there: no change for anybody.
    rounds: Vec<EventId>,
}

impl Stuck {
    /// A thread makes these events again and again.
    fn go_round(&mut self, graph: &Graph, thread: usize, events: Range<usize>) {
        for i in events {
            let event = &graph.threads[thread].events[i];
            if event.kind.reads() {
                self.reads.push((event.loc, event.rf));
            }
            if event.kind.writes() {
                self.rounds.push(EventId::new(thread as u32, i as u32));
            }
        }
    }

    /// Does a thread wait for itself through others?
    fn is_in_circle(&self, thread: usize) -> bool {
        let mut reached = vec![thread];
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            for &(_, holder) in self.locks.iter().filter(|(waiter, _)| *waiter == at) {
                if holder == thread {
                    return true;
                }
                if !reached.contains(&holder) {
                    reached.push(holder);
                }
            }
        }
        false
    }
}

impl<P: Program, K: Consistency, O: Observer<P>> Explorer<'_, P, K, O> {
    /// Every unfinished thread waits for a lock that is really held, for another thread, or in a loop, or its assumption
    /// failed. If one waits in a loop and what it reads there can stay as it is, it does so for ever. Where an assumption
    /// failed only threads that wait for each other count, which they do whatever the others assume.
    pub(in crate::search) fn check_stuck(&mut self, assumed: bool) {
        let Some(mut stuck) = self.stuck() else { return };
        let circle = |t: usize| stuck.is_in_circle(t);
        if (assumed || !stuck.spins.is_empty()) && stuck.locks.iter().any(|&(t, _)| circle(t)) {
            let waits: Vec<_> = stuck.waits.iter().copied().filter(|&(_, t, _)| circle(t)).collect();
            self.report_stuck(ViolationKind::Deadlock, &waits);
        } else if !assumed
            && (stuck.spins.is_empty() || self.settings.liveness)
            && self.can_be_last(&stuck.reads, &stuck.rounds)
        {
            let kind = if stuck.spins.is_empty() { ViolationKind::Deadlock } else { ViolationKind::Liveness };
            // Who joins waits only for the others.
            stuck.spins.append(&mut stuck.waits);
            stuck.spins.append(&mut stuck.joins);
            self.report_stuck(kind, &stuck.spins);
        }
    }

    fn report_stuck(&mut self, kind: ViolationKind, waiting: &[(&'static str, usize, SiteId)]) {
        let Some(&(_, thread, site)) = waiting.first() else { return };
        let related = waiting[1..]
            .iter()
            .map(|&(role, t, site)| Related { role, thread: ThreadId(t as u32), site })
            .collect();
        self.violation(kind, String::new(), thread, site, related);
    }

    /// None if somebody is not stuck: it waits for a lock that others give back now and then, and would do something new.
    fn stuck(&self) -> Option<Stuck> {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let mut stuck = Stuck::default();
        let mut let_in: Vec<(usize, Range<usize>)> = Vec::new();
        let mut wanted = Vec::new();
        for (t, log) in graph.threads.iter().enumerate() {
            if matches!(graph.status[t], ThreadStatus::Absent | ThreadStatus::Done) {
                continue;
            }
            let step = &self.states[log.state as usize].step;
            match self.end_of(t) {
                ThreadEnd::Lock if self.is_let_in(graph, t) => {
                    let (before, reads) = self.goes_round(graph, t)?;
                    stuck.go_round(graph, t, before.clone());
                    stuck.reads.extend(reads);
                    stuck.spins.push(("waits in a loop", t, step.site));
                    let_in.push((t, before));
                }
                ThreadEnd::Lock => {
                    let (lock, holders) = self.wanted_lock(graph, t);
                    stuck.waits.push(("waits for a lock", t, self.waiting_site(graph, t)));
                    for holder in holders {
                        stuck.waits.push(("holds the lock", holder.thread(), self.site(holder)));
                        stuck.locks.push((t, holder.thread()));
                        wanted.push((lock, holder.thread()));
                    }
                }
                ThreadEnd::Condition => {
                    let last = log.events.iter().rev().find(|event| event.kind.reads());
                    stuck.reads.extend(last.map(|event| (event.loc, event.rf)));
                    stuck.waits.push(("waits for a condition", t, step.site));
                }
                ThreadEnd::Spin => {
                    let Request::Wait(Waiting::Spin { events }) = step.request else {
                        unreachable!("it spins")
                    };
                    let round = log.events.len().saturating_sub(events as usize);
                    stuck.go_round(graph, t, round..log.events.len());
                    let last =
                        log.events.iter().rposition(|event| event.kind.reads()).filter(|&i| i >= round);
                    let site = last.map_or(step.site, |i| self.site(EventId::new(t as u32, i as u32)));
                    stuck.spins.push(("waits in a loop", t, site));
                }
                ThreadEnd::Join => stuck.joins.push(("waits for a thread", t, step.site)),
                _ => {}
            }
        }
        // Who is let in may let others in, if its round releases what they want, too.
        let releases = |(lock, holder): &(Loc, usize)| {
            let events = &graph.threads[*holder].events;
            let mut rounds =
                let_in.iter().filter(|(t, _)| t == holder).flat_map(|(_, round)| &events[round.clone()]);
            rounds.any(|event| event.loc == *lock && event.tag == EventTag::Unlock)
        };
        (!wanted.iter().any(releases)).then_some(stuck)
    }

    /// The lock that a thread waits for, and the events by which others hold it.
    fn wanted_lock(&self, graph: &Graph, thread: usize) -> (Loc, Vec<EventId>) {
        let log = &graph.threads[thread];
        let step = &self.states[log.state as usize].step;
        match (&step.request, log.events.last()) {
            (Request::Lock { .. }, _) => {
                let holders = (0..graph.threads.len()).filter_map(|holder| held(graph, holder, step.loc));
                (step.loc, holders.collect())
            }
            (_, Some(last)) => (last.loc, vec![last.rf]),
            (_, None) => (step.loc, Vec::new()),
        }
    }

    /// Where a thread waits for a lock.
    fn waiting_site(&self, graph: &Graph, thread: usize) -> SiteId {
        let log = &graph.threads[thread];
        let step = &self.states[log.state as usize].step;
        match step.request {
            Request::Lock { .. } => step.site,
            _ => self.site(EventId::new(thread as u32, log.events.len() as u32 - 1)),
        }
    }

    /// Does the thread wait for a lock that somebody who waits in a loop releases in each round?
    fn is_let_in(&self, graph: &Graph, thread: usize) -> bool {
        let (lock, holders) = self.wanted_lock(graph, thread);
        holders.into_iter().filter(|holder| !holder.is_init()).any(|holder| {
            let log = &graph.threads[holder.thread()];
            let Request::Wait(Waiting::Spin { events }) = self.states[log.state as usize].step.request else {
                return false;
            };
            let round = log.events.len().saturating_sub(events as usize);
            log.events[round..].iter().any(|event| event.loc == lock && event.tag == EventTag::Unlock)
        })
    }

    /// The thread waits for a lock. If it got it and saw nothing new, would it only go round a loop in which it waits?
    /// MicroStep the events of the round that it has made, and what it would read in the rest.
    fn goes_round(&self, graph: &Graph, thread: usize) -> Option<(Range<usize>, Reads)> {
        let log = &graph.threads[thread];
        let lock = self.tables.locations[self.wanted_lock(graph, thread).0 as usize].address;
        // Where sections are ordered, that it waits is an event, too.
        let made =
            log.events.len() - usize::from(log.events.last().is_some_and(|e| e.tag == EventTag::Waits));
        let mut cursor = self.states[log.state as usize].cursor.clone();
        let mut reads = Reads::new();
        let mut answer = 0;
        for next in 1..ROUND {
            answer = match self.program.step(&mut cursor, answer).operation {
                Operation::Wait(Waiting::Spin { events }) => {
                    let begin = (made + next).saturating_sub(events as usize).min(made);
                    return Some((begin..made, reads));
                }
                Operation::Unlock { address } | Operation::Lock { address, .. } if address == lock => 0,
                Operation::Read { address, .. } => {
                    let loc = self.tables.known_location(address)?;
                    let last =
                        log.events.iter().rev().find(|event| event.kind.reads() && event.loc == loc)?;
                    reads.push((loc, last.rf));
                    last.read
                }
                _ => return None,
            };
        }
        None
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
                write = match event.tag {
                    EventTag::Unlock => EventId::new(write.thread() as u32, event.prev),
                    _ => event.rf,
                };
            }
            write
        };
        let mut found = writes.is_empty();
        level.order.last_writes(graph, &locs, &mut |write_indices| {
            found |= writes.iter().all(|&(loc, write)| {
                let at = locs.binary_search(&loc).expect("all locations are there");
                really(graph.write_at(loc, write_indices[at])) == really(write)
            });
        });
        found
    }
}
