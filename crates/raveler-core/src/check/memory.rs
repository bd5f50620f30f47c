//! Memory: reads of uninitialised memory, accesses to freed memory, and wrong frees.
//!
//! Any operation on a synchronisation object (lock, condition variable, spin lock) is an access to the memory
//! it lies in, and so is waiting for a lock. An access must happen before the free. Only happens-before
//! counts: a thread that was woken does not know that the call which woke it has returned.

use super::{Condition, Finding, parts};
use crate::graph::{Event, Graph, Kind, Loc, NO_LOC, ThreadStatus};
use crate::id::{AllocationId, EventId, ThreadId, WordOf};
use crate::mutation::Mutant;
use crate::outcome::{Related, ViolationKind};
use crate::program::Program;
use crate::program::action::{Part, UpdateOp};
use crate::run::Run;
use crate::run::resolve::Request;

const FREED: &str = "access to memory that was freed";
const FREED_TOO_EARLY: &str = "memory is freed while another thread may still access it";

/// An access was added: does it read uninitialised memory, or was its memory freed? What is read after the free is freed
/// memory, whatever it holds.
pub(super) fn access<P: Program>(run: &Run<'_, P>, graph: &Graph, id: EventId, found: &mut Vec<Finding>) {
    let event = graph.event(id);
    let within = allocation_of(run, event.loc);
    let is_freed =
        || within.is_some_and(|within| frees(graph, within).any(|free| Graph::in_row(graph.hb(id), free)));
    let uninitialised =
        || run.initial(graph, event.loc).is_none() && !Mutant::UninitialisedAllowed.is_active();
    // Who copies may copy what nobody set.
    let copies =
        || event.kind == Kind::Read && run.program.hints().copies(&run.states[event.state as usize].cursor);
    if event.kind.reads() && event.rf.is_init() && uninitialised() && !is_freed() && !copies() {
        found.push(of_nothing(run, graph, id));
    }
    // A read of nothing may lie beside a free as well, whichever of the two comes last.
    if let Some(within) = within {
        after_free(run, graph, id, within, found);
    }
    if reads_unset_part(run, graph, event) && !is_freed() {
        found.push(of_nothing(run, graph, id));
    }
}

/// An access reads what nobody set: all of its location, or the part that it changes.
fn of_nothing<P: Program>(run: &Run<'_, P>, graph: &Graph, id: EventId) -> Finding {
    if is_within(run, graph.event(id)) {
        return parts::of_nothing(run, graph, id);
    }
    let (kind, message) = (ViolationKind::UninitialisedRead, "read of uninitialised memory");
    Finding::at(run, graph, id, kind, message).stopping()
}

/// Does a read-modify-write read what was set in parts, and not all of it?
fn reads_unset_part<P: Program>(run: &Run<'_, P>, graph: &Graph, event: &Event) -> bool {
    if event.kind != Kind::Update || event.rf.is_init() || !run.program.hints().has_unset() {
        return false;
    }
    let source = graph.event(event.rf);
    source.part == Part::Changed && run.program.hints().unset(&run.states[source.state as usize].cursor) != 0
}

/// Does it change a part of its location only, in one step?
fn is_within<P: Program>(run: &Run<'_, P>, event: &Event) -> bool {
    matches!(run.step_of(event).request, Request::Update { op, .. } if op.is_within())
}

/// A lock or unlock event was added, of a lock whose sections are left unordered, or a synchronisation object is
/// initialised or destroyed: was its memory freed?
pub(super) fn use_of_lock<P: Program>(
    run: &Run<'_, P>,
    graph: &Graph,
    id: EventId,
    found: &mut Vec<Finding>,
) {
    if let Some(within) = used_by(run, graph.event(id))
        && !Mutant::FreedLocksIgnored.is_active()
    {
        after_free(run, graph, id, within, found);
    }
}

/// A thread waits for a lock for ever, for which it has no event: was the memory of the lock freed?
pub(crate) fn waits_for_lock<P: Program>(
    run: &Run<'_, P>,
    graph: &Graph,
    thread: usize,
    found: &mut Vec<Finding>,
) {
    let step = run.step(graph, thread);
    let Some(within) = allocation_of(run, step.loc) else { return };
    for free in frees(graph, within) {
        let mut finding = Finding::new(ViolationKind::UseAfterFree, FREED, thread, step.site);
        finding.tips.push(graph.tip(thread));
        finding.tips.extend(holders(graph, step.loc));
        found.push(finding.with(run.related(graph, "free", free), Condition::Always));
    }
}

/// A free was added: is it of an allocation, is it the only one, and do all accesses happen before it?
pub(super) fn free<P: Program>(run: &Run<'_, P>, graph: &Graph, id: EventId, found: &mut Vec<Finding>) {
    let Request::Free { allocation, offset } = run.step_of(graph.event(id)).request else {
        unreachable!("a free")
    };
    let number = run.tables.threads.known(u64::from(allocation.thread));
    if offset != 0 || number.and_then(|thread| graph.allocation(thread, allocation.nth)).is_none() {
        let (kind, message) = (ViolationKind::InvalidFree, "free of what is no allocation");
        found.push(Finding::at(run, graph, id, kind, message).stopping());
        return;
    }
    for other in frees(graph, allocation).filter(|&other| other != id) {
        let related = run.related(graph, "first free", other);
        let finding = Finding::at(run, graph, id, ViolationKind::DoubleFree, "memory is freed twice");
        found.push(finding.with(related, Condition::Always).stopping());
    }
    if Mutant::FreeUnchecked.is_active() {
        return;
    }
    for &other in &graph.order {
        let event = graph.event(other);
        let is_no_use = event.kind == Kind::Count && Mutant::CountIsNoUse.is_active();
        if event.kind == Kind::Free || used_by(run, event) != Some(allocation) || is_no_use {
            continue;
        }
        let condition = not_over(run, graph, other, id);
        if condition.may_hold(run, graph) {
            let related = run.related(graph, "access", other);
            let finding = Finding::at(run, graph, id, ViolationKind::UseAfterFree, FREED_TOO_EARLY);
            found.push(finding.with(related, condition).stopping());
        }
    }
    for (thread, &status) in graph.status.iter().enumerate() {
        let waits = status == ThreadStatus::Stuck
            && matches!(run.step(graph, thread).request, Request::Lock { .. })
            && allocation_of(run, run.step(graph, thread).loc) == Some(allocation);
        if waits {
            let mut finding = Finding::at(run, graph, id, ViolationKind::UseAfterFree, FREED_TOO_EARLY);
            finding.tips.push(graph.tip(thread));
            finding.tips.extend(holders(graph, run.step(graph, thread).loc));
            let site = run.step(graph, thread).site;
            let related = Related { role: "access", thread: ThreadId(thread as u32), site, event: None };
            found.push(finding.with(related, Condition::Always).stopping());
        }
    }
}

/// The events by which a lock is held that some thread waits for.
fn holders(graph: &Graph, lock: Loc) -> impl Iterator<Item = EventId> {
    (0..graph.threads.len()).filter_map(move |thread| graph.held(thread, lock))
}

/// When is this use of memory not over at `end`, a free? If it does not happen before it; but a call that wakes threads
/// goes on after it has woken them.
fn not_over<P: Program>(run: &Run<'_, P>, graph: &Graph, used: EventId, end: EventId) -> Condition {
    let wakes = matches!(
        run.step_of(graph.event(used)).request,
        Request::Update { op: UpdateOp::TakeNth(_) | UpdateOp::TakeAll, .. }
    );
    if !wakes || used.thread() == end.thread() || Mutant::WakingIsReturning.is_active() {
        return Condition::NotBefore(used, end);
    }
    let rings = |event: &&Event| {
        let location = (event.loc != NO_LOC).then(|| &run.tables.memory.locations[event.loc as usize]);
        location.is_some_and(|at| matches!(at.address.of_word(), Some(WordOf::Thread { .. })))
    };
    let after = &graph.threads[used.thread()].events[used.index() as usize + 1..];
    let rung = after.iter().take_while(rings).count() as u32;
    Condition::NotReturned(EventId::new(used.thread() as u32, used.index() + rung), end)
}

/// The allocation that a location lies in.
fn allocation_of<P: Program>(run: &Run<'_, P>, loc: Loc) -> Option<AllocationId> {
    if loc == NO_LOC { None } else { run.tables.memory.locations[loc as usize].within }
}

/// The allocation that an event uses or frees.
pub(super) fn used_by<P: Program>(run: &Run<'_, P>, event: &Event) -> Option<AllocationId> {
    match event.kind {
        Kind::Initialise | Kind::Destroy => {}
        Kind::Free => return Some(event.freed()),
        _ => return allocation_of(run, event.loc),
    }
    let memory = match event.word().of_word() {
        Some(WordOf::Memory(memory)) => memory,
        _ => event.word(),
    };
    AllocationId::at(memory).map(|(within, _)| within)
}

/// The frees of an allocation.
fn frees(graph: &Graph, allocation: AllocationId) -> impl Iterator<Item = EventId> {
    graph.frees.iter().copied().filter(move |&free| graph.event(free).freed() == allocation)
}

/// An event that was just added uses an allocation: was that freed?
fn after_free<P: Program>(
    run: &Run<'_, P>,
    graph: &Graph,
    id: EventId,
    within: AllocationId,
    found: &mut Vec<Finding>,
) {
    if Mutant::FreeUnchecked.is_active() {
        return;
    }
    for free in frees(graph, within) {
        let condition = Condition::NotBefore(id, free);
        if condition.may_hold(run, graph) {
            let related = run.related(graph, "free", free);
            let finding = Finding::at(run, graph, id, ViolationKind::UseAfterFree, FREED);
            found.push(finding.with(related, condition).stopping());
        }
    }
}
