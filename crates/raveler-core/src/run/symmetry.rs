//! Threads that nothing tells apart, of which the order of their first steps is left out (docs/reductions.md, "Symmetry").
//!
//! *Twins* are threads that one thread starts one directly after the other, with the same function and argument, and whose first event is
//! an update of one location that always writes. Graphs are explored only if twins make their first updates in the
//! order in which they were started: each of them has that of the one before it in its past. That is one graph of each set that differ by a permutation of the
//! twins, if the first updates stand in one chain, and if nothing tells which of the twins is which. Both is asked at the leaves ([`holds`]).

use super::Run;
use super::lock_table::LockHandling;
use super::resolve::{LockUse, Request, Step};
use crate::graph::{Event, Graph, Kind, Loc, ThreadStatus};
use crate::id::{EventId, WordOf};
use crate::mutation::Mutant;
use crate::program::Program;
use crate::program::action::{Part, UpdateOp};

/// The location that a first step updates, if it is such an update.
fn first_update(step: &Step) -> Option<Loc> {
    let Request::Update { op, lock: LockUse::None, .. } = step.request else { return None };
    let always_writes = matches!(
        op,
        UpdateOp::Exchange(_)
            | UpdateOp::Add(_)
            | UpdateOp::Sub(_)
            | UpdateOp::And(_)
            | UpdateOp::Or(_)
            | UpdateOp::Xor(_)
    );
    (always_writes && step.part == Part::Whole).then_some(step.loc)
}

/// The code and the argument with which a spawn starts its thread.
fn started<P: Program>(run: &Run<'_, P>, event: &Event) -> Option<(u64, u64)> {
    match run.step_of(event).request {
        Request::Spawn { code, argument } if event.kind == Kind::Spawn => Some((code, argument)),
        _ => None,
    }
}

/// The thread that was started directly before this one, by the same thread and with the same code and argument.
fn brother<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> Option<usize> {
    let parent = graph.threads[thread].parent;
    if parent.is_init() || parent.index() == 0 {
        return None;
    }
    let before = EventId::new(parent.thread() as u32, parent.index() - 1);
    let (first, second) = (graph.event(before), graph.event(parent));
    let same = started(run, first)? == started(run, second)?;
    (same || Mutant::ArgumentsIgnored.is_active() && started(run, first)?.0 == started(run, second)?.0)
        .then(|| first.child())
}

/// The first update of a thread, made or requested; none if its first event is something else, or not known.
fn location<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> Option<Loc> {
    let step = match graph.threads[thread].events.first() {
        Some(first) => run.step_of(first),
        None if matches!(graph.status[thread], ThreadStatus::Absent | ThreadStatus::Unasked) => return None,
        None => run.step(graph, thread),
    };
    let loc = first_update(step)?;
    run.tables.memory.locations[loc as usize].address.of_word().is_none().then_some(loc)
}

/// The twin that makes its first update before this thread does, if it has one.
fn twin<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> Option<usize> {
    let brother = brother(run, graph, thread)?;
    (location(run, graph, thread)? == location(run, graph, brother)?).then_some(brother)
}

impl<P: Program> Run<'_, P> {
    /// Leave out what differs by a permutation of twins, if that is in force, and right as far as is known.
    pub fn leave_out_twins(mut self, handling: LockHandling) -> Self {
        self.symmetry = self.settings.reductions_in_force().symmetry
            && handling != LockHandling::Unordered
            && self.program.world().is_none()
            && !self.tables.locks.tells_twins_apart();
        self
    }

    /// Does a thread without events wait until its twin has made its first update?
    #[inline]
    pub fn waits_for_twin(&self, graph: &Graph, thread: usize) -> bool {
        self.symmetry
            && graph.threads[thread].events.is_empty()
            && twin(self, graph, thread).is_some_and(|twin| graph.threads[twin].events.is_empty())
    }

    /// May this read take that source, as far as twins are concerned: is the first update of the thread's twin there or
    /// before, if the read is the thread's first event?
    #[inline]
    pub fn comes_after_twin(&self, graph: &Graph, read: EventId, source: EventId) -> bool {
        if !self.symmetry || read.index() != 0 || Mutant::TwinsFree.is_active() {
            return true;
        }
        let Some(twin) = twin(self, graph, read.thread()) else { return true };
        let first = EventId::new(twin as u32, 0);
        source == first || !source.is_init() && Graph::in_row(graph.porf(source), first)
    }
}

/// The twins of a graph: threads in the order in which they were started, two at least.
fn classes<P: Program>(run: &Run<'_, P>, graph: &Graph) -> Vec<Vec<usize>> {
    let mut classes: Vec<Vec<usize>> = Vec::new();
    let there = |&t: &usize| graph.status.get(t).is_some_and(|&status| status != ThreadStatus::Absent);
    for t in run.tables.threads.by_rank.iter().copied().filter(there) {
        let Some(twin) = twin(run, graph, t) else { continue };
        match classes.iter_mut().find(|class| class.last() == Some(&twin)) {
            Some(class) => class.push(t),
            None => classes.push(vec![twin, t]),
        }
    }
    classes
}

/// Are there twins in a graph to which nothing can be added? Then: is it true that nothing tells them apart?
pub(crate) fn holds<P: Program>(run: &Run<'_, P>, graph: &Graph) -> Option<bool> {
    let classes = classes(run, graph);
    (!classes.is_empty()).then(|| classes.iter().all(|class| are_alike(run, graph, class)))
}

fn are_alike<P: Program>(run: &Run<'_, P>, graph: &Graph, class: &[usize]) -> bool {
    (Mutant::JoinsIgnored.is_active() || are_joined_alike(run, graph, class))
        && (Mutant::IdentityIgnored.is_active() || class.iter().all(|&twin| has_no_name(run, graph, twin)))
        && (Mutant::OtherWritesIgnored.is_active() || update_in_a_chain(run, graph, class))
}

/// Does only the thread that started the twins join them, all of them, with nothing between?
fn are_joined_alike<P: Program>(run: &Run<'_, P>, graph: &Graph, class: &[usize]) -> bool {
    let parent = graph.threads[class[0]].parent.thread();
    let joins = |event: &Event| event.joins_thread() && class.contains(&event.child());
    for (t, log) in graph.threads.iter().enumerate() {
        if graph.status[t] == ThreadStatus::Absent {
            continue;
        }
        let is_joining = run.joined(graph, t).is_some_and(|child| class.contains(&child));
        let count = log.events.iter().filter(|event| joins(event)).count();
        if t != parent {
            if count > 0 || is_joining {
                return false;
            }
            continue;
        }
        let Some(first) = log.events.iter().position(joins) else { continue };
        let in_a_row = log.events[first..].iter().take_while(|event| joins(event)).count();
        let goes_on = first + in_a_row == log.events.len() && is_joining;
        if in_a_row != count || count != class.len() && !goes_on {
            return false;
        }
    }
    true
}

/// Did a thread do nothing by which it could be told from its twins?
fn has_no_name<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> bool {
    let log = &graph.threads[thread];
    let is_plain = |event: &Event| {
        let word = run.tables.memory.locations.get(event.loc as usize).and_then(|at| at.address.of_word());
        !matches!(event.kind, Kind::Spawn | Kind::Alloc | Kind::Observe)
            && !matches!(word, Some(WordOf::Thread { .. } | WordOf::Hold { .. }))
    };
    log.events.iter().all(is_plain) && !run.program.hints().has_name(&run.states[log.state as usize].cursor)
}

/// Do all plain writes to the location of the first updates happen before the twins are started, or come after all first
/// updates? Then these stand in one chain.
fn update_in_a_chain<P: Program>(run: &Run<'_, P>, graph: &Graph, class: &[usize]) -> bool {
    let Some(loc) = location(run, graph, class[0]) else { return false };
    let Some(place) = graph.accesses.get(loc as usize) else { return true };
    place.writes.iter().filter(|&&write| graph.event(write).kind == Kind::Write).all(|&write| {
        let spawn = graph.threads[class[0]].parent;
        let before = Graph::in_row(graph.hb(spawn), write);
        let comes_after = |&twin: &usize| {
            !graph.threads[twin].events.is_empty()
                && Graph::in_row(graph.porf(write), EventId::new(twin as u32, 0))
        };
        before || class.iter().all(comes_after)
    })
}
