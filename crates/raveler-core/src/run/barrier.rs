//! Barriers whose threads come in no order (docs/reductions.md, "Barriers").
//!
//! A thread that comes to a barrier makes an event that reads and writes nothing. When the group is full, its *leader*, the
//! member with the least name, joins the events of all others, one after the other, and each of the others joins the
//! leader's last event. So there are no alternatives, and what each thread may do follows from the graph alone.
//!
//! That is right as long as no more threads come to the barrier than it waits for, and as long as it began to exist once:
//! then the nth group are those that come for the nth time.

use super::Run;
use super::thread_names::ThreadNames;
use crate::graph::{Graph, Kind, Loc, NONE};
use crate::id::{EventId, WordOf};
use crate::mutation::Mutant;
use crate::program::Program;
use crate::program::action::{PASS_AGAIN, PASS_CHOOSES, PASSED, PASSED_SERIAL, Value};

/// The next event by which a thread goes on from a barrier.
pub(crate) struct Pass {
    /// The event of another thread that it joins.
    pub source: EventId,
    /// What the thread is answered.
    pub answer: Value,
}

/// A thread's arrivals at a barrier, the last one first.
fn arrivals(graph: &Graph, thread: usize, barrier: Loc) -> impl Iterator<Item = EventId> + '_ {
    let last = graph.accesses.get(barrier as usize).and_then(|place| place.last.get(thread).copied());
    let mut next = last.unwrap_or(0).wrapping_sub(1);
    std::iter::from_fn(move || {
        let at = next;
        (at != NONE).then(|| {
            next = graph.threads[thread].events[at as usize].prev;
            EventId::new(thread as u32, at)
        })
    })
}

/// How often a thread has come to a barrier.
pub(super) fn rounds(graph: &Graph, thread: usize, barrier: Loc) -> u64 {
    arrivals(graph, thread, barrier).next().map_or(0, |last| graph.event(last).written + 1)
}

/// A thread comes to a barrier: is it one more than the barrier waits for, or did the barrier begin to exist twice?
pub(super) fn is_crowded<P: Program>(
    run: &Run<'_, P>,
    graph: &Graph,
    thread: usize,
    (barrier, count): (Loc, u32),
) -> bool {
    if Mutant::CrowdUnseen.is_active() {
        return false;
    }
    let comes = |&t: &usize| t == thread || arrivals(graph, t, barrier).next().is_some();
    let threads = (0..graph.threads.len()).filter(comes).count();
    let word = run.tables.memory.locations[barrier as usize].address;
    let Some(WordOf::Memory(memory)) = word.of_word() else { return true };
    let begins = graph.order.iter().map(|&id| graph.event(id));
    let begins = begins.filter(|event| event.kind == Kind::Initialise && event.word() == memory).count();
    threads > count as usize || begins > 1
}

/// The next event by which a thread that has come to a barrier goes on; none if it has to wait.
pub(super) fn pass(
    names: &ThreadNames,
    graph: &Graph,
    thread: usize,
    barrier: Loc,
    count: u32,
) -> Option<Pass> {
    let own = arrivals(graph, thread, barrier).next()?;
    let round = graph.event(own).written;
    let of_round = |&t: &usize| {
        if t >= graph.threads.len() {
            return None;
        }
        arrivals(graph, t, barrier).find(|&arrival| graph.event(arrival).written == round)
    };
    let members: Vec<EventId> = names.by_rank.iter().filter_map(of_round).collect();
    if members.len() != count as usize {
        return None;
    }
    let looks = members.iter().any(|&member| graph.event(member).read != 0) && !Mutant::OneSerial.is_active();
    let leader = members[0];
    if leader == own {
        // All its events since it came are such ones.
        let joined = graph.threads[thread].events.len() - 1 - own.index() as usize;
        let source = *members.get(joined + 1)?;
        let answer = match joined + 2 < members.len() {
            true => PASS_AGAIN,
            false if looks => PASS_CHOOSES,
            false => {
                if Mutant::OneSerial.is_active() {
                    PASSED_SERIAL
                } else {
                    PASSED
                }
            }
        };
        return Some(Pass { source, answer });
    }
    let last = leader.index() + members.len() as u32 - 1 + u32::from(looks);
    if last as usize >= graph.threads[leader.thread()].events.len() {
        return None;
    }
    let source = EventId::new(leader.thread() as u32, last);
    let is_serial = looks && members.get(graph.event(source).read as usize) == Some(&own);
    Some(Pass { source, answer: if is_serial { PASSED_SERIAL } else { PASSED } })
}
