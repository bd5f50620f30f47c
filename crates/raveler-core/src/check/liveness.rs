//! Threads that are stuck at a leaf: for ever? (docs/waits.md, "Liveness")
//!
//! A leaf is wrong if no continuation, in which every read sees the latest write, lets a waiting thread leave its
//! loop. Two questions are asked, the cheaper one first. Can what the waiting threads read last be the
//! coherence-last writes of their locations, all at once? Otherwise another leaf shows them reading later ones. And
//! if the threads are run on from here, with these values, does one of them do anything new (`way_out.rs`)?

use std::ops::Range;

use super::way_out::{self, Latest, WayOut};
use super::{Finding, deadlock};
use crate::consistency::Explain;
use crate::graph::{EventTag, Graph, Kind, Loc, ThreadStatus};
use crate::id::{EventId, ThreadId};
use crate::mutation::Mutant;
use crate::outcome::{Related, ThreadEnd, ViolationKind};
use crate::program::Program;
use crate::program::action::Waiting;
use crate::run::Run;
use crate::run::resolve::Request;
use crate::run::rwlock_try::MicroStep;

/// What a leaf with stuck threads is.
pub(crate) enum Stuck {
    /// Another leaf shows how they go on.
    NotForEver,
    /// They are stuck for ever, which is wrong.
    Wrong(Box<Finding>),
    /// They are stuck for ever after the end of the process: a complete execution.
    AfterTheEnd,
    /// They are stuck for ever, and endless waits are not looked for.
    Ignored,
    /// Too many continuations.
    Undecided,
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
) -> Stuck {
    let over = is_over(run, graph);
    let mut threads = Threads::of(run, graph);
    if !over && let Some(cycle) = deadlock::first(run, graph) {
        // Another thread may still go on, and end the process.
        return match threads.never_go_on(run, graph, order) {
            Some(true) => Stuck::Wrong(Box::new(cycle)),
            Some(false) => Stuck::NotForEver,
            None => Stuck::Undecided,
        };
    }
    if assumed {
        return Stuck::NotForEver;
    }
    if over {
        // Of the leaves that differ only in unlucky tries, one counts.
        threads.reads.append(&mut threads.tries);
    }
    match threads.is_for_ever(run, graph, order) {
        Some(true) => {}
        Some(false) => return Stuck::NotForEver,
        None => return Stuck::Undecided,
    }
    if over {
        return Stuck::AfterTheEnd;
    }
    let kind = if threads.spins.is_empty() { ViolationKind::Deadlock } else { ViolationKind::Liveness };
    if kind == ViolationKind::Liveness && !run.settings.liveness {
        return Stuck::Ignored;
    }
    // Joining threads last: they wait only because the others do.
    let mut places = threads.spins;
    places.append(&mut threads.waits);
    places.append(&mut threads.joins);
    if places.is_empty() {
        return Stuck::NotForEver;
    }
    let Related { thread, site, .. } = places.remove(0);
    let mut finding = Finding::new(kind, "", thread.0 as usize, site);
    finding.violation.related = places;
    Stuck::Wrong(Box::new(finding))
}

/// Some thread reached a bound, so nothing is known of what it would do. A cycle of threads that wait for each
/// other's locks is a deadlock all the same, unless that thread may be the one that ends the process: one of
/// those that are there from the beginning.
pub(crate) fn deadlock_beside_cut<P: Program>(
    run: &Run<'_, P>,
    graph: &Graph,
    order: &mut dyn Explain,
) -> Option<Finding> {
    let may_end = (0..graph.threads.len()).any(|t| {
        graph.status[t] == ThreadStatus::Stuck
            && graph.threads[t].parent.is_init()
            && run.thread_end(graph, t) == ThreadEnd::Cut
    });
    if may_end || is_over(run, graph) {
        return None;
    }
    let cycle = deadlock::first(run, graph)?;
    let never_go_on = Threads::of(run, graph).never_go_on(run, graph, order);
    (never_go_on == Some(true)).then_some(cycle)
}

/// Did the process end, as when `main` returned?
fn is_over<P: Program>(run: &Run<'_, P>, graph: &Graph) -> bool {
    let ended = |t: usize| graph.status[t] == ThreadStatus::Done && !Mutant::ExitIgnored.is_active();
    (0..graph.threads.len()).any(|t| ended(t) && matches!(run.step(graph, t).request, Request::Exit))
}

/// The threads that are stuck, by what they wait for.
#[derive(Default)]
struct Threads {
    /// In a loop.
    spins: Vec<Related>,
    /// For a lock or a condition; and the threads that hold the locks.
    waits: Vec<Related>,
    joins: Vec<Related>,
    /// What threads that wait in loops or for conditions have read: the location, and the write that was read.
    reads: Vec<(Loc, EventId)>,
    /// The same for the locks that such threads take or try, if the threads can be run on.
    tries: Vec<(Loc, EventId)>,
    /// Writes of the rounds that waiting threads make again and again. In sum they leave memory as it is.
    rounds: Vec<EventId>,
    /// A thread waits for a lock that is released in each round of another one, of which no more is known.
    is_let_in: bool,
}

impl Threads {
    /// The stuck threads of a leaf.
    fn of<P: Program>(run: &Run<'_, P>, graph: &Graph) -> Threads {
        let mut stuck = Threads::default();
        for (t, log) in graph.threads.iter().enumerate() {
            if matches!(graph.status[t], ThreadStatus::Absent | ThreadStatus::Done) {
                continue;
            }
            let step = run.step(graph, t);
            let at = |role, site| Related { role, thread: ThreadId(t as u32), site, event: None };
            match run.thread_end(graph, t) {
                ThreadEnd::Lock => {
                    let Some(wanted) = deadlock::wanted(run, graph, t) else { continue };
                    stuck.is_let_in |=
                        wanted.holders.iter().any(|&holder| lets_in(run, graph, wanted.lock, holder));
                    stuck.waits.push(at("waits for a lock", wanted.site));
                    let holders = wanted.holders.into_iter();
                    stuck.waits.extend(holders.map(|holder| run.related(graph, "holds the lock", holder)));
                }
                ThreadEnd::Condition => {
                    if !matches!(step.request, Request::Wait(Waiting::Nothing)) {
                        let last = log.events.iter().rev().find(|event| event.kind.reads());
                        stuck.reads.extend(last.map(|event| (event.loc, event.rf)));
                    }
                    stuck.waits.push(at("waits for a condition", step.site));
                }
                ThreadEnd::Spin => {
                    let round = round(run, graph, t);
                    stuck.go_round(run, graph, t, round.clone());
                    let last = log.events.iter().rposition(|event| event.kind.reads());
                    let last = last.filter(|&i| i >= round.start);
                    let site = last.map_or(step.site, |i| run.site(graph, EventId::new(t as u32, i as u32)));
                    stuck.spins.push(at("waits in a loop", site));
                }
                ThreadEnd::Barrier => stuck.waits.push(at("waits at a barrier", step.site)),
                ThreadEnd::Join => stuck.joins.push(at("waits for a thread", step.site)),
                _ => {}
            }
        }
        stuck
    }

    /// A thread makes these events in every round.
    fn go_round<P: Program>(&mut self, run: &Run<'_, P>, graph: &Graph, thread: usize, events: Range<usize>) {
        // Whether it gets a lock, or finds it taken, is decided by running it on.
        let runs_on = way_out::has_numbers(run, graph, thread);
        for i in events {
            let event = &graph.threads[thread].events[i];
            let tries = event.tag == EventTag::Lock
                || matches!(run.step_of(event).then, MicroStep::Missed { .. } | MicroStep::Own { .. });
            if event.kind.reads() {
                let list = if tries && runs_on { &mut self.tries } else { &mut self.reads };
                list.push((event.loc, event.rf));
            }
            // What a round begins with stays in memory (`run/unseen.rs`).
            let stays = event.kind == Kind::Write && event.tag == EventTag::None;
            if event.kind.writes() && !stays {
                self.rounds.push(EventId::new(thread as u32, i as u32));
            }
        }
    }

    /// Where some threads wait for each other in a cycle: can no other one go on? None if there are too many
    /// continuations.
    fn never_go_on<P: Program>(
        &self,
        run: &Run<'_, P>,
        graph: &Graph,
        order: &mut dyn Explain,
    ) -> Option<bool> {
        // A thread that waits for a lock which another one releases again and again need not get it.
        if self.is_let_in { Some(true) } else { self.is_for_ever(run, graph, order) }
    }

    /// Can no thread go on, whatever turns they take? None if there are too many.
    fn is_for_ever<P: Program>(
        &self,
        run: &Run<'_, P>,
        graph: &Graph,
        order: &mut dyn Explain,
    ) -> Option<bool> {
        if self.is_let_in {
            return Some(false);
        }
        let mut locs: Vec<Loc> = self.reads.iter().map(|&(loc, _)| loc).collect();
        loop {
            locs.sort_unstable();
            locs.dedup();
            let mut needed = None;
            let mut too_many = false;
            for latest in self.latest(run, graph, order, &locs) {
                match way_out::look(run, graph, &latest) {
                    WayOut::None => return Some(true),
                    WayOut::Found if Mutant::UnluckyIsStuck.is_active() => return Some(true),
                    WayOut::Found => {}
                    WayOut::DependsOn(loc) => {
                        needed = Some(loc);
                        break;
                    }
                    WayOut::TooMany => too_many = true,
                }
            }
            match needed {
                Some(loc) => locs.push(loc),
                None => return (!too_many).then_some(false),
            }
        }
    }

    /// The latest values of these locations, for each way in which all that the waiting threads read can come from
    /// the coherence-last writes of their locations at once, apart from `rounds` after them.
    fn latest<P: Program>(
        &self,
        run: &Run<'_, P>,
        graph: &Graph,
        order: &mut dyn Explain,
        locs: &[Loc],
    ) -> Vec<Latest> {
        let mut found: Vec<Latest> = Vec::new();
        let mut add = |write_indices: &[u32]| {
            let last = |loc: &Loc| {
                let at = locs.binary_search(loc).expect("all locations are there");
                self.behind_rounds(graph, graph.write_at(*loc, write_indices[at]))
            };
            let can_be_last = Mutant::WaitsForEver.is_active()
                || self.reads.iter().all(|(loc, write)| last(loc) == self.behind_rounds(graph, *write));
            if can_be_last {
                let latest =
                    locs.iter().map(|loc| (*loc, run.value_at_last(graph, *loc, last(loc)))).collect();
                if !found.contains(&latest) {
                    found.push(latest);
                }
            }
        };
        match locs {
            [] => add(&[]),
            locs => order.last_writes(graph, locs, &mut add),
        }
        found
    }

    /// The write that a write of a round stands for. An update of a round stands for its source: it writes what it
    /// read, or takes a lock that the round releases, too. An unlock stands for the event that took the lock.
    fn behind_rounds(&self, graph: &Graph, mut write: EventId) -> EventId {
        while self.rounds.contains(&write) {
            let event = graph.event(write);
            write = match event.tag {
                EventTag::Unlock => EventId::new(write.thread() as u32, event.prev),
                _ => event.rf,
            };
        }
        write
    }
}

/// The events of the round that a spinning thread would make again and again.
fn round<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> Range<usize> {
    let made = graph.threads[thread].events.len();
    match run.step(graph, thread).request {
        Request::Wait(Waiting::Spin { events }) => made.saturating_sub(events as usize)..made,
        _ => made..made,
    }
}

/// Is the lock that this event took released in each round of its thread, which cannot be run on?
fn lets_in<P: Program>(run: &Run<'_, P>, graph: &Graph, lock: Loc, holder: EventId) -> bool {
    if holder.is_init() || way_out::has_numbers(run, graph, holder.thread()) {
        return false;
    }
    let round = round(run, graph, holder.thread());
    let events = &graph.threads[holder.thread()].events[round];
    events.iter().any(|event| event.loc == lock && event.tag == EventTag::Unlock)
}
