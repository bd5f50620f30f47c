//! Threads that are stuck at a leaf: for ever? (docs/waits.md, "Liveness")
//!
//! A thread that waits in a loop, or for a condition, waits for ever if what it reads there can stay as it
//! is: if the sources of all such reads can be the coherence-last writes of their locations at once. A thread
//! that waits for a lock which such a loop releases in every round is let in: it is followed for one round.

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

/// How many steps a thread that is let in is followed: a round of a waiting loop is short.
const ROUND: usize = 1000;

/// Reads: the location, and the write that was read.
type Reads = Vec<(Loc, EventId)>;

/// The threads that are stuck, by what they wait for.
#[derive(Default)]
struct Stuck {
    /// In a loop.
    spins: Vec<Related>,
    /// For a lock or a condition; and the threads that hold the locks.
    waits: Vec<Related>,
    joins: Vec<Related>,
    /// What threads that wait in loops or for conditions have read.
    reads: Reads,
    /// Writes of the rounds that waiting threads make again and again. In sum they leave memory as it is.
    rounds: Vec<EventId>,
}

impl Stuck {
    /// A thread makes these events in every round.
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

/// Is a leaf with stuck threads wrong? Every unfinished thread waits for a lock that is really held, for
/// another thread, for a condition or in a loop, or its assumption failed (`assumed`). Where an assumption
/// failed only a cycle of threads that wait for each other's locks counts: it never ends, whatever is
/// assumed.
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
    // Joining threads last: they wait only because the others do.
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

/// Collects the stuck threads. None if some thread is not really stuck: it waits for a lock that a loop
/// releases in each round, and would do something new if it were let in.
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
    // A thread that is let in may let further threads in, if its round releases the locks they wait for.
    // Nothing is reported then.
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

/// The thread waits for a lock. If it got the lock and read what it read last, would it only come round to a
/// wait in a loop? Then the events of that round which it has made, and what it would read in the rest of it.
fn goes_round<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> Option<(Range<usize>, Reads)> {
    if run.program.world().is_some() {
        // The cursors of a world say nothing, so there is no copy to follow.
        return None;
    }
    let log = &graph.threads[thread];
    let lock = deadlock::wanted(run, graph, thread)?.lock;
    let lock = run.tables.memory.locations[lock as usize].address;
    // Where sections are ordered, the last event is the one that waits.
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

/// Can all these writes be the coherence-last ones of their locations at once, apart from `rounds` after
/// them? Otherwise a fair memory would show some waiting thread a later write.
fn can_be_last(
    graph: &Graph,
    order: &mut dyn Explain,
    writes: &[(Loc, EventId)],
    rounds: &[EventId],
) -> bool {
    let mut locs: Vec<Loc> = writes.iter().map(|&(loc, _)| loc).collect();
    locs.sort_unstable();
    locs.dedup();
    // An update of a round stands for its source: it writes what it read, or takes a lock that the round
    // releases, too. An unlock stands for the event that took the lock.
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
