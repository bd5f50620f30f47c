//! Futile rounds that another thread has seen (docs/waits.md, "Rounds that were seen").
//!
//! A round of a waiting loop that takes a lock and releases it can be left out of an execution, unless a try of another
//! thread failed because of it: without the round the try would succeed. So a thread whose round was seen must go on. That is
//! known only in the finished graph, when the thread has been waiting for long; so the search restarts and follows the
//! thread for one round more, each time it waits ([`LockKnowledge::seen_rounds`]). What was followed in vain, since no
//! thread has seen it, does not count.
//!
//! [`LockKnowledge::seen_rounds`]: super::lock_table::LockKnowledge

use std::ops::Range;

use super::Run;
use super::lock_table::RestartReason;
use super::resolve::Request;
use super::rwlock_try;
use crate::graph::{Event, EventTag, Graph, Kind, ThreadStatus};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::Program;
use crate::program::action::Waiting;

/// No more rounds of a thread are followed: polling threads that try each other's locks may see each other without end.
const MAX_ROUNDS: u32 = 6;

/// The futile rounds of a thread that were followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Followed {
    /// How many.
    rounds: u32,
    /// The last one, as indices of events.
    start: u32,
    end: u32,
}

/// A futile round: the thread, and the indices of its events.
struct Round {
    thread: usize,
    events: Range<usize>,
    kind: RoundKind,
    seen: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RoundKind {
    /// It was followed because it may be seen.
    Followed,
    /// It was let pass because a violation may show there.
    Spared,
    /// The thread waits after it.
    Last,
}

impl<P: Program> Run<'_, P> {
    /// A thread waits after this many actions that are a round of a loop. Is it followed all the same, since another
    /// thread may see the round?
    ///
    /// The graph is asked only where [`Run::may_follow`] says yes.
    pub(super) fn follow(&mut self, graph: &Graph, thread: usize, state: u32, actions: u32) -> bool {
        let limit = self.tables.locks.seen_rounds(self.tables.threads.name(thread));
        let state = state as usize;
        let Followed { rounds, .. } = self.states[state].followed;
        if rounds >= limit || self.program.hints().state_number(&self.states[state].cursor).is_none() {
            return false;
        }
        let end = graph.threads[thread].events.len();
        let events = self.last_events(graph, thread, end, actions);
        if !events.clone().any(|at| holds(graph, thread, at, events.start)) {
            return false;
        }
        let (start, end) = (events.start as u32, events.end as u32);
        self.states[state].followed = Followed { rounds: rounds + 1, start, end };
        true
    }

    /// Are any rounds of this thread followed?
    pub(super) fn may_follow(&self, thread: usize) -> bool {
        self.tables.locks.seen_rounds(self.tables.threads.name(thread)) > 0
    }

    /// The events of a thread before `end` of which so many actions were made.
    fn last_events(&self, graph: &Graph, thread: usize, end: usize, actions: u32) -> Range<usize> {
        let count = match self.tables.locks.has_tried() || !self.settings.fences.is_empty() {
            true => rwlock_try::events_of(&graph.threads[thread].events[..end], &self.states, actions),
            false => actions,
        };
        end - (count as usize).min(end)..end
    }

    /// At the end of a graph: does a thread wait although its last round was seen, so that it must be followed further?
    /// The reason to restart, or none if there were too many rounds.
    pub fn waits_though_seen(&self, graph: &Graph) -> Option<Option<RestartReason>> {
        if !self.has_spins || !self.tables.locks.can_be_seen() || Mutant::SeenRoundsIgnored.is_active() {
            return None;
        }
        let rounds = self.futile_rounds(graph);
        // Where a round was followed in vain, the graph without it shows the same.
        let all_seen = |thread: usize| {
            let mut followed =
                rounds.iter().filter(|round| round.thread == thread && round.kind == RoundKind::Followed);
            followed.all(|round| round.seen)
        };
        let is_last = |round: &&Round| round.kind == RoundKind::Last && round.seen && all_seen(round.thread);
        let seen = rounds.iter().find(is_last)?;
        let name = self.tables.threads.name(seen.thread);
        let fewer = self.tables.locks.seen_rounds(name) < MAX_ROUNDS;
        Some(fewer.then_some(RestartReason::SeenRound(name)))
    }

    /// At the end of a graph: was a round followed that no thread has seen? Where its thread still waits after a round that
    /// is the same, the graph stands for the one without it.
    pub fn follows_in_vain(&self, graph: &Graph) -> bool {
        if !self.has_spins || !self.tables.locks.can_be_seen() {
            return false;
        }
        let rounds = self.futile_rounds(graph);
        let is_repeated = |at: usize| {
            let (round, next) = (&rounds[at], rounds.get(at + 1));
            next.is_some_and(|next| {
                next.thread == round.thread && repeats(graph, round.thread, &round.events, &next.events)
            })
        };
        (0..rounds.len())
            .any(|at| rounds[at].kind == RoundKind::Followed && !rounds[at].seen && !is_repeated(at))
    }

    /// A thread made a futile round because a violation may show there: was that round seen?
    pub fn spared_was_seen(&self, graph: &Graph, thread: usize) -> bool {
        self.tables.locks.can_be_seen()
            && self
                .futile_rounds(graph)
                .iter()
                .any(|round| round.kind == RoundKind::Spared && round.thread == thread && round.seen)
    }

    /// The futile rounds of all threads, in program order, and which of them were seen by an event that is not in an
    /// unseen one itself: rounds that see only each other can be left out together.
    fn futile_rounds(&self, graph: &Graph) -> Vec<Round> {
        let mut rounds = Vec::new();
        for t in 0..graph.threads.len() {
            self.add_rounds(graph, t, &mut rounds);
        }
        let within = |rounds: &[Round], id: EventId| {
            rounds.iter().position(|r| r.thread == id.thread() && r.events.contains(&(id.index() as usize)))
        };
        let mut changed = true;
        while changed {
            changed = false;
            for &id in &graph.order {
                let Some(source) = sees(graph.event(id)).filter(|source| source.thread() != id.thread())
                else {
                    continue;
                };
                let Some(round) = within(&rounds, source).filter(|&round| !rounds[round].seen) else {
                    continue;
                };
                let start = rounds[round].events.start;
                if holds(graph, source.thread(), source.index() as usize, start)
                    && within(&rounds, id).is_none_or(|reader| rounds[reader].seen)
                {
                    rounds[round].seen = true;
                    changed = true;
                }
            }
        }
        rounds
    }

    /// The futile rounds of a thread.
    fn add_rounds(&self, graph: &Graph, thread: usize, rounds: &mut Vec<Round>) {
        let log = &graph.threads[thread];
        if matches!(graph.status[thread], ThreadStatus::Absent | ThreadStatus::Unasked) {
            return;
        }
        let hints = self.program.hints();
        let (mut followed, mut spared) = (0, false);
        for at in 0..=log.events.len() {
            let state = &self.states[log.events.get(at).map_or(log.state, |event| event.state) as usize];
            let mut add = |events, kind| rounds.push(Round { thread, events, kind, seen: false });
            if let Some(actions) = hints.spared(&state.cursor).filter(|_| !spared) {
                spared = true;
                add(self.last_events(graph, thread, at, actions), RoundKind::Spared);
            }
            if state.followed.rounds > followed {
                followed = state.followed.rounds;
                add(state.followed.start as usize..state.followed.end as usize, RoundKind::Followed);
            }
        }
        if graph.status[thread] == ThreadStatus::Stuck
            && let Request::Wait(Waiting::Spin { events }) = self.step(graph, thread).request
        {
            let end = log.events.len();
            let events = end - (events as usize).min(end)..end;
            rounds.push(Round { thread, events, kind: RoundKind::Last, seen: false });
        }
    }
}

/// The event by which a thread holds a lock, if this one is a try that failed because of it.
fn sees(event: &Event) -> Option<EventId> {
    (event.kind == Kind::Read && matches!(event.tag, EventTag::Lock | EventTag::Rmw) && !event.rf.is_init())
        .then_some(event.rf)
}

/// Does a thread hold a lock by this event of a round that begins at `start`, so that tries fail? If the thread held the
/// lock before the round as well, and no other took it in between, tries could have seen that instead.
fn holds(graph: &Graph, thread: usize, at: usize, start: usize) -> bool {
    let event = &graph.threads[thread].events[at];
    match (event.kind, event.tag) {
        (Kind::Write, EventTag::Holds) => event.written > 0,
        (Kind::Update, EventTag::Lock) => {
            let source = event.rf;
            source.is_init() || source.thread() != thread || (source.index() as usize) < start
        }
        _ => false,
    }
}

/// Is the second of two rounds the same as the first, with nothing in between?
pub(crate) fn repeats(graph: &Graph, thread: usize, first: &Range<usize>, second: &Range<usize>) -> bool {
    let log = &graph.threads[thread].events;
    if first.end != second.start || first.len() != second.len() {
        return false;
    }
    let count = first.len();
    let id = |i: usize| EventId::new(thread as u32, i as u32);
    first.clone().all(|i| {
        let (before, after) = (&log[i], &log[i + count]);
        let is_alike = (before.kind, before.tag, before.loc, before.order, before.read, before.written)
            == (after.kind, after.tag, after.loc, after.order, after.read, after.written);
        // What the first round wrote back or released, the second finds; what a round released, it takes again.
        let in_first = |write: EventId| first.clone().find(|&j| write == id(j));
        let follows = in_first(after.rf).is_some() && in_first(before.rf).is_none();
        let is_own = in_first(before.rf).is_some_and(|j| after.rf == id(j + count));
        is_alike && (!before.kind.reads() || before.rf == after.rf || follows || is_own)
    })
}
