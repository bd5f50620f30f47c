//! Threads that are stuck at a leaf: for ever?
//!
//! A thread that waits in a loop, or for a condition, waits for ever if what it reads there can stay as it is: if all that
//! was read can be the last write of its location at once. Threads that wait for a lock which such a loop gives back in
//! every round are let in, and followed for a round.

use std::ops::Range;

use super::{Finding, deadlock};
use crate::consistency::Explain;
use crate::graph::{EventTag, Graph, Loc, ThreadStatus};
use crate::id::{EventId, ThreadId};
use crate::mutation::Mutant;
use crate::outcome::{Related, ThreadEnd, ViolationKind};
use crate::program::Program;
use crate::program::action::{Answer, Operation, Waiting};
use crate::run::Run;
use crate::run::resolve::Request;

/// How far a thread is followed that is let into a lock: a round of a loop that waits is short.
const ROUND: usize = 1000;

/// Reads by location, each with the write that was read.
type Reads = Vec<(Loc, EventId)>;

/// The threads that are stuck, by the way in which they are.
#[derive(Default)]
struct Stuck {
    /// In a loop.
    spins: Vec<Related>,
    /// For a lock or a condition; and the threads that hold the locks.
    waits: Vec<Related>,
    joins: Vec<Related>,
    /// What those that wait in loops or for conditions have seen.
    reads: Reads,
    /// Updates that waiting threads make again and again, writing what is there: no change for any thread.
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
}

/// Every unfinished thread waits for a lock that is really held, for another thread, or in a loop, or its assumption
/// failed. Is that wrong? If one waits in a loop and what it reads there can stay as it is, it does so for ever. Where an
/// assumption failed only threads that wait for each other count, which they do whatever the others assume.
pub(crate) fn stuck<P: Program>(
    run: &Run<'_, P>,
    graph: &Graph,
    order: &mut dyn Explain,
    assumed: bool,
) -> Option<Finding> {
    let mut stuck = find_stuck(run, graph)?;
    if assumed || !stuck.spins.is_empty() {
        let cycle = deadlock::first(run, graph);
        if cycle.is_some() {
            return cycle;
        }
    }
    let counts = !assumed && (stuck.spins.is_empty() || run.settings.liveness);
    if !counts || !can_be_last(graph, order, &stuck.reads, &stuck.rounds) {
        return None;
    }
    let kind = if stuck.spins.is_empty() { ViolationKind::Deadlock } else { ViolationKind::Liveness };
    // A thread that joins waits only for the others.
    let mut places = stuck.spins;
    places.append(&mut stuck.waits);
    places.append(&mut stuck.joins);
    if places.is_empty() {
        return None;
    }
    let Related { thread, site, .. } = places.remove(0);
    let mut finding = Finding::new(kind, "", thread.0 as usize, site);
    finding.violation.related = places;
    Some(finding)
}

/// None if some thread is not stuck: it waits for a lock that others give back now and then, and would do something new.
fn find_stuck<P: Program>(run: &Run<'_, P>, graph: &Graph) -> Option<Stuck> {
    let mut stuck = Stuck::default();
    let mut let_in: Vec<(usize, Range<usize>)> = Vec::new();
    let mut wanted = Vec::new();
    for (t, log) in graph.threads.iter().enumerate() {
        if matches!(graph.status[t], ThreadStatus::Absent | ThreadStatus::Done) {
            continue;
        }
        let step = run.step(graph, t);
        let at = |role, site| Related { role, thread: ThreadId(t as u32), site, event: None };
        match run.thread_end(graph, t) {
            ThreadEnd::Lock if is_let_in(run, graph, t) => {
                let (before, reads) = goes_round(run, graph, t)?;
                stuck.go_round(graph, t, before.clone());
                stuck.reads.extend(reads);
                stuck.spins.push(at("waits in a loop", step.site));
                let_in.push((t, before));
            }
            ThreadEnd::Lock => {
                let Some(waits) = deadlock::wanted(run, graph, t) else { continue };
                stuck.waits.push(at("waits for a lock", waits.site));
                for holder in waits.holders {
                    stuck.waits.push(run.related(graph, "holds the lock", holder));
                    wanted.push((waits.lock, holder.thread()));
                }
            }
            ThreadEnd::Condition => {
                let last = log.events.iter().rev().find(|event| event.kind.reads());
                stuck.reads.extend(last.map(|event| (event.loc, event.rf)));
                stuck.waits.push(at("waits for a condition", step.site));
            }
            ThreadEnd::Spin => {
                let Request::Wait(Waiting::Spin { events }) = step.request else { unreachable!("it spins") };
                let round = log.events.len().saturating_sub(events as usize);
                stuck.go_round(graph, t, round..log.events.len());
                let last = log.events.iter().rposition(|event| event.kind.reads()).filter(|&i| i >= round);
                let site = last.map_or(step.site, |i| run.site(graph, EventId::new(t as u32, i as u32)));
                stuck.spins.push(at("waits in a loop", site));
            }
            ThreadEnd::Join => stuck.joins.push(at("waits for a thread", step.site)),
            _ => {}
        }
    }
    // A thread that is let in may let others in, if its round releases what they want, too.
    let releases = |(lock, holder): &(Loc, usize)| {
        let events = &graph.threads[*holder].events;
        let mut rounds =
            let_in.iter().filter(|(t, _)| t == holder).flat_map(|(_, round)| &events[round.clone()]);
        rounds.any(|event| event.loc == *lock && event.tag == EventTag::Unlock)
    };
    (!wanted.iter().any(releases)).then_some(stuck)
}

/// Does the thread wait for a lock that a thread which waits in a loop releases in each round?
fn is_let_in<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> bool {
    let Some(wanted) = deadlock::wanted(run, graph, thread) else { return false };
    wanted.holders.into_iter().filter(|holder| !holder.is_init()).any(|holder| {
        let log = &graph.threads[holder.thread()];
        let Request::Wait(Waiting::Spin { events }) = run.step(graph, holder.thread()).request else {
            return false;
        };
        let round = log.events.len().saturating_sub(events as usize);
        log.events[round..].iter().any(|event| event.loc == wanted.lock && event.tag == EventTag::Unlock)
    })
}

/// The thread waits for a lock. If it got it and saw nothing new, would it only go round a loop in which it waits?
/// Then the events of the round that it has made, and what it would read in the rest.
fn goes_round<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> Option<(Range<usize>, Reads)> {
    if run.program.world().is_some() {
        // Nothing can be tried out on a copy of its cursor.
        return None;
    }
    let log = &graph.threads[thread];
    let lock = deadlock::wanted(run, graph, thread)?.lock;
    let lock = run.tables.memory.locations[lock as usize].address;
    // Where sections are ordered, that it waits is an event, too.
    let made = log.events.len() - usize::from(log.events.last().is_some_and(|e| e.tag == EventTag::Waits));
    let mut cursor = run.states[log.state as usize].cursor.clone();
    let mut reads = Reads::new();
    let mut answer = Answer::NONE;
    for next in 1..ROUND {
        answer = match run.program.step(&mut cursor, answer).operation {
            Operation::Wait(Waiting::Spin { events }) => {
                let begin = (made + next).saturating_sub(events as usize).min(made);
                return Some((begin..made, reads));
            }
            Operation::Unlock { address } | Operation::Lock { address, .. } if address == lock => {
                Answer::NONE
            }
            Operation::Read { address, .. } => {
                let loc = run.tables.memory.known(address)?;
                let last = log.events.iter().rev().find(|event| event.kind.reads() && event.loc == loc)?;
                reads.push((loc, last.rf));
                Answer::Value(last.read)
            }
            _ => return None,
        };
    }
    None
}

/// Can all these writes be the last of their locations at once, apart from `rounds` after them? Otherwise a thread that
/// waits would still come to see a later one.
fn can_be_last(
    graph: &Graph,
    order: &mut dyn Explain,
    writes: &[(Loc, EventId)],
    rounds: &[EventId],
) -> bool {
    let mut locs: Vec<Loc> = writes.iter().map(|&(loc, _)| loc).collect();
    locs.sort_unstable();
    locs.dedup();
    // What a round writes is what it read; releasing a lock leaves it as it was before it was taken.
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
    let mut found = writes.is_empty() || Mutant::WaitsForEver.is_active();
    order.last_writes(graph, &locs, &mut |write_indices| {
        found |= writes.iter().all(|&(loc, write)| {
            let at = locs.binary_search(&loc).expect("all locations are there");
            really(graph.write_at(loc, write_indices[at])) == really(write)
        });
    });
    found
}
