//! Stores at the beginning of waiting rounds, which no other thread sees (docs/reductions.md, "Rounds").
//!
//! A round of a loop that begins with stores, changes nothing else and comes back to the same state is left out as one that
//! only reads: the next round begins with the same stores. So is a failed try that stored to the same location as the next try
//! will. That is right if other threads access these locations only before the stores, or when they know of an event of the storing
//! thread *behind* its stores: then no store of an earlier round can be what they read or overwrite. It is asked of each leaf; if it does not
//! hold, the search starts again and follows such rounds.

use super::Run;
use super::memory_map::Location;
use crate::graph::{Count, Event, Graph, Kind, Loc};
use crate::id::{Address, EventId};
use crate::mutation::Mutant;
use crate::program::Program;
use crate::program::action::Order;

/// At the end of a graph: a location with such stores that another thread may see, if there is one.
pub(crate) fn seen<P: Program>(run: &Run<'_, P>, graph: &Graph) -> Option<Address> {
    let hints = run.program.hints();
    if !hints.has_unseen() || Mutant::StoresAreUnseen.is_active() {
        return None;
    }
    (0..graph.accesses.len()).find_map(|loc| {
        let location = &run.tables.memory.locations[loc];
        let is_freed = graph.frees.iter().any(|&free| Some(graph.event(free).freed()) == location.within);
        let threads = graph.accesses[loc].last.iter().filter(|&&last| last != 0).count();
        let is_counted = counts(graph, loc as Loc).next().is_some();
        let others = threads > 1 || threads > 0 && (is_freed || is_counted);
        let is_asked = others && hints.is_unseen(location.address);
        (is_asked && is_seen(run, graph, loc as Loc)).then_some(location.address)
    })
}

/// Is a store to this location with which a round may begin not ordered well enough with an access of another thread, or with
/// the end of the memory?
fn is_seen<P: Program>(run: &Run<'_, P>, graph: &Graph, loc: Loc) -> bool {
    let mut accesses: Vec<EventId> = Vec::new();
    graph.each_access(loc, |id, _| accesses.push(id));
    let Location { address, within, .. } = run.tables.memory.locations[loc as usize];
    let ends = graph.frees.iter().filter(|&&free| Some(graph.event(free).freed()) == within);
    let others: Vec<EventId> = accesses.iter().chain(ends).copied().chain(counts(graph, loc)).collect();
    accesses.iter().filter(|&&store| begins_round(run, graph, store)).any(|&store| {
        // The next round stores the same, so it does not matter which of the two stores an atomic load reads; the next try may store
        // something else.
        let plain = graph.event(store).order == Order::Plain || run.program.hints().overwrites(address);
        let matters = |other: EventId| {
            let event = graph.event(other);
            plain || event.kind != Kind::Read || event.order == Order::Plain
        };
        others.iter().filter(|other| other.thread() != store.thread() && matters(**other)).any(|&other| {
            let after = match begins_round(run, graph, other) {
                true => is_over(graph, other, graph.hb(store)),
                false => Graph::in_row(graph.hb(store), other),
            };
            !after && !is_over(graph, store, graph.hb(other))
        })
    })
}

/// The updates of a location that are in no order, which stand in no list of accesses.
fn counts(graph: &Graph, loc: Loc) -> impl Iterator<Item = EventId> + '_ {
    let counts = if Mutant::CountsAreUnseen.is_active() { &[][..] } else { &graph.counts[..] };
    counts.iter().copied().filter(move |&count| graph.event(count).loc == loc)
}

/// May a round begin with this event?
fn begins_round<P: Program>(run: &Run<'_, P>, graph: &Graph, id: EventId) -> bool {
    let event = graph.event(id);
    event.kind == Kind::Write && run.program.hints().begins_round(&run.states[event.state as usize].cursor)
}

/// Does a store happen before an event with this row, and an event behind it that does not write, too? Stores that follow each
/// other may all be what a round begins with.
fn is_over(graph: &Graph, store: EventId, row: &[Count]) -> bool {
    if Mutant::StoresAreOver.is_active() {
        return Graph::in_row(row, store);
    }
    let events = &graph.threads[store.thread()].events;
    let behind = |(_, event): &(usize, &Event)| event.kind != Kind::Write;
    let next = events.iter().enumerate().skip(store.index() as usize + 1).find(behind);
    next.is_some_and(|(i, _)| Graph::in_row(row, EventId::new(store.thread() as u32, i as u32)))
}
