//! Locks and condition variables that are destroyed.
//!
//! Every use of a lock must happen before that, or after the lock was initialised anew. A condition variable
//! may be destroyed while a call that woke its threads is returning, as libraries allow: there only a use
//! that happens after the destruction is wrong. (To free its memory then is wrong: `memory.rs`.)

use super::{Condition, Finding};
use crate::graph::{Event, EventTag, Graph, Kind, NO_LOC};
use crate::id::{Address, EventId};
use crate::mutation::Mutant;
use crate::outcome::ViolationKind;
use crate::program::Program;
use crate::run::Run;

const DESTROYED: &str = "use of a lock or condition variable that was destroyed";
const TOO_EARLY: &str = "a lock is destroyed while another thread may still use it";

/// The word of a lock or condition variable that an event uses, if it uses one.
fn word_of<P: Program>(run: &Run<'_, P>, event: &Event) -> Option<Address> {
    let location = (event.loc != NO_LOC).then(|| &run.tables.memory.locations[event.loc as usize])?;
    location.address.of_word().map(|_| location.address)
}

/// Is this an operation of a lock?
fn is_lock(event: &Event) -> bool {
    matches!(event.tag, EventTag::Lock | EventTag::Unlock | EventTag::Waits)
}

/// Events of a kind that concern this word.
pub(super) fn events_of(graph: &Graph, kind: Kind, word: Address) -> impl Iterator<Item = EventId> {
    let concerns = move |&&id: &&EventId| {
        let event = graph.event(id);
        event.kind == kind && event.word() == word
    };
    graph.order.iter().filter(concerns).copied()
}

/// A lock or condition variable is used: was it destroyed, and not initialised since?
pub(super) fn use_of_word<P: Program>(
    run: &Run<'_, P>,
    graph: &Graph,
    id: EventId,
    found: &mut Vec<Finding>,
) {
    if !run.tables.locks.has_destroyed || Mutant::DestroyUnchecked.is_active() {
        return;
    }
    let Some(word) = word_of(run, graph.event(id)) else { return };
    let before = |a: EventId, b: EventId| Graph::in_row(graph.hb(b), a);
    for destroyed in events_of(graph, Kind::Destroy, word) {
        if is_lock(graph.event(id)) || before(destroyed, id) {
            let related = run.related(graph, "destroyed", destroyed);
            let finding = Finding::at(run, graph, id, ViolationKind::LockMisuse, DESTROYED);
            found.push(finding.with(related, Condition::UsedWhenDestroyed(id, destroyed)).stopping());
        }
    }
}

/// A lock or condition variable is destroyed: may another thread still use the lock?
pub(super) fn destroy<P: Program>(run: &Run<'_, P>, graph: &Graph, id: EventId, found: &mut Vec<Finding>) {
    if Mutant::DestroyUnchecked.is_active() {
        return;
    }
    let word = graph.event(id).word();
    for &other in &graph.order {
        if is_lock(graph.event(other)) && word_of(run, graph.event(other)) == Some(word) {
            let related = run.related(graph, "used", other);
            let finding = Finding::at(run, graph, id, ViolationKind::LockMisuse, TOO_EARLY);
            found.push(finding.with(related, Condition::UsedWhenDestroyed(other, id)).stopping());
        }
    }
}
