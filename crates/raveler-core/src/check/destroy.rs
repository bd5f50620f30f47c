//! Synchronisation objects (locks, condition variables, semaphores, barriers) that are initialised and destroyed.
//!
//! Every use of an object must happen before its destruction, or after the object was initialised anew; and no
//! object is initialised that is in use, or was initialised before and not destroyed since. A condition variable
//! may be destroyed while a call that woke its threads is returning, and a barrier while released threads return:
//! there only a use that happens after the destruction is wrong, and a thread that is still waiting. (To free its
//! memory then is wrong: `memory.rs`.)
//!
//! An object is a word of its own, or memory that is updated by the operations on it.

use super::{Condition, Finding, lock};
use crate::graph::{Event, EventTag, Graph, Kind, NO_LOC};
use crate::id::{Address, EventId, WordOf};
use crate::mutation::Mutant;
use crate::outcome::ViolationKind;
use crate::program::Program;
use crate::program::action::UpdateOp;
use crate::run::Run;
use crate::run::resolve::Request;

const DESTROYED: &str = "use of a synchronisation object that was destroyed";
const TOO_EARLY: &str = "a synchronisation object is destroyed while another thread may still use it";
const HELD: &str = "a lock is destroyed while another thread holds it";
const AWAITED: &str = "a condition variable is destroyed while a thread waits for it";
const IN_USE: &str = "a synchronisation object is initialised while it is in use";
const TWICE: &str = "a synchronisation object is initialised again, without being destroyed in between";

/// The object that an event uses, and whether that must be over when the object is destroyed. None if it uses none.
fn use_of<P: Program>(run: &Run<'_, P>, event: &Event) -> Option<(Address, bool)> {
    let location = (event.loc != NO_LOC).then(|| &run.tables.memory.locations[event.loc as usize])?;
    let object = location.address;
    match object.of_word() {
        // A barrier begins and ends to exist as the memory that it lies in.
        Some(WordOf::Memory(memory)) if event.tag == EventTag::Meets => {
            (!Mutant::ArrivalIsNoUse.is_active()).then_some((memory, true))
        }
        Some(WordOf::Memory(_)) => Some((object, is_lock(event))),
        Some(_) => None,
        None => match run.step_of(event).request {
            Request::Update { .. } | Request::Count { .. } => Some((object, true)),
            Request::Read(order) if order.is_atomic() => Some((object, false)),
            _ => None,
        },
    }
}

/// Is this an operation of a lock?
fn is_lock(event: &Event) -> bool {
    matches!(event.tag, EventTag::Lock | EventTag::Unlock | EventTag::Waits)
}

/// Does a thread begin to wait for a condition variable by it? Then the bit of that thread.
fn enlists<P: Program>(run: &Run<'_, P>, event: &Event) -> Option<u64> {
    let location = (event.loc != NO_LOC).then(|| &run.tables.memory.locations[event.loc as usize])?;
    location.address.of_word()?;
    match run.step_of(event).request {
        Request::Update { op: UpdateOp::Or(bit), .. } => Some(bit),
        _ => None,
    }
}

/// Events of a kind that concern this object.
pub(super) fn events_of(graph: &Graph, kind: Kind, object: Address) -> impl Iterator<Item = EventId> {
    let concerns = move |&&id: &&EventId| {
        let event = graph.event(id);
        event.kind == kind && event.word() == object
    };
    graph.order.iter().filter(concerns).copied()
}

/// An object is used: was it destroyed, and not initialised since? Is it initialised meanwhile?
pub(super) fn use_of_object<P: Program>(
    run: &Run<'_, P>,
    graph: &Graph,
    id: EventId,
    found: &mut Vec<Finding>,
) {
    if !run.tables.locks.has_lives() || Mutant::DestroyUnchecked.is_active() {
        return;
    }
    let Some((object, must_end)) = use_of(run, graph.event(id)) else { return };
    if !run.tables.locks.has_life(object) {
        return;
    }
    let must_end = must_end || enlists(run, graph.event(id)).is_some();
    let misuse = |message| Finding::at(run, graph, id, ViolationKind::LockMisuse, message);
    // Nearly always all is well, so that is asked before a finding is made.
    for &life in &graph.order {
        let event = graph.event(life);
        match event.kind {
            Kind::Destroy if event.word() == object => {
                let condition = Condition::UsedWhenDestroyed(id, life);
                if (must_end || Graph::in_row(graph.hb(id), life)) && condition.holds(graph) {
                    let related = run.related(graph, "destroyed", life);
                    found.push(misuse(DESTROYED).with(related, condition).stopping());
                }
            }
            Kind::Initialise
                if must_end && event.word() == object && !Mutant::InitialiseUnchecked.is_active() =>
            {
                let condition = Condition::UsedWhenInitialised(id, life);
                if condition.holds(graph) {
                    let related = run.related(graph, "initialised", life);
                    found.push(misuse(IN_USE).with(related, condition).stopping());
                }
            }
            _ => {}
        }
    }
}

/// An object is destroyed: may another thread still use it, hold it, or wait for it?
pub(super) fn destroy<P: Program>(run: &Run<'_, P>, graph: &Graph, id: EventId, found: &mut Vec<Finding>) {
    if Mutant::DestroyUnchecked.is_active() {
        return;
    }
    let object = graph.event(id).word();
    let misuse = |message| Finding::at(run, graph, id, ViolationKind::LockMisuse, message);
    for &other in &graph.order {
        if use_of(run, graph.event(other)) == Some((object, true)) {
            let related = run.related(graph, "used", other);
            let condition = Condition::UsedWhenDestroyed(other, id);
            found.push(misuse(TOO_EARLY).with(related, condition).stopping());
        }
    }
    let Some(loc) = run.tables.memory.known(object) else { return };
    for thread in (0..graph.threads.len()).filter(|&thread| thread != id.thread()) {
        if let Some(holder) = lock::holder(run, graph, thread, loc)
            && (graph.event(holder).kind == Kind::Lock || graph.event(holder).tag == EventTag::Lock)
        {
            let related = run.related(graph, "holds the lock", holder);
            found.push(misuse(HELD).with(related, Condition::Held(holder, id)).stopping());
        }
    }
    let begins =
        |&&other: &&EventId| graph.event(other).loc == loc && enlists(run, graph.event(other)).is_some();
    for &waits in graph.order.iter().filter(begins).filter(|&&waits| awaits(graph, waits)) {
        let related = run.related(graph, "waits", waits);
        found.push(misuse(AWAITED).with(related, Condition::Awaits(waits, id)).stopping());
    }
}

/// An object is initialised: was it before, or is it in use?
pub(super) fn initialise<P: Program>(run: &Run<'_, P>, graph: &Graph, id: EventId, found: &mut Vec<Finding>) {
    if Mutant::InitialiseUnchecked.is_active() {
        return;
    }
    let object = graph.event(id).word();
    let misuse = |message| Finding::at(run, graph, id, ViolationKind::LockMisuse, message);
    for first in events_of(graph, Kind::Initialise, object).filter(|&first| first != id) {
        let related = run.related(graph, "initialised", first);
        found.push(misuse(TWICE).with(related, Condition::InitialisedTwice(first, id)).stopping());
    }
    for &other in &graph.order {
        let Some((used, must_end)) = use_of(run, graph.event(other)) else { continue };
        if used == object && (must_end || Graph::in_row(graph.hb(id), other)) {
            let related = run.related(graph, "used", other);
            let condition = Condition::UsedWhenInitialised(other, id);
            found.push(misuse(IN_USE).with(related, condition).stopping());
        }
    }
}

/// The event that releases the lock which this one took.
pub(super) fn release_of(graph: &Graph, taken: EventId) -> Option<EventId> {
    let loc = graph.event(taken).loc;
    let after = taken.index() + 1..graph.threads[taken.thread()].events.len() as u32;
    after.map(|i| EventId::new(taken.thread() as u32, i)).find(|&id| {
        let event = graph.event(id);
        event.loc == loc && (event.kind == Kind::Unlock || event.tag == EventTag::Unlock)
    })
}

/// Has no signal chosen the thread that began to wait by this event, which set the thread's bit?
pub(super) fn awaits(graph: &Graph, begun: EventId) -> bool {
    let Event { loc, read, written, .. } = *graph.event(begun);
    let bit = written & !read;
    let updates = || {
        let events = graph.order.iter().map(|&id| graph.event(id));
        events.filter(move |event| event.loc == loc && event.kind == Kind::Update)
    };
    let set = updates().filter(|event| event.written & !event.read & bit != 0).count();
    let cleared = updates().filter(|event| event.read & !event.written & bit != 0).count();
    set > cleared
}
