//! RC11 and RC20: the relation psc on `seq_cst` events, of which each has its own, must have no cycle under
//! some coherence order (docs/engine.md, "seq_cst events").
//!
//! psc only grows with the coherence order, so a cycle over the forced part refutes. Where writes are left
//! unordered, the first guess, the order in which they were added, nearly always confirms; otherwise they are
//! ordered one by one, both ways.

mod edges;
mod shown;

use self::edges::acyclic;
use self::shown::{ByIndex, ByTest};
use super::forced_coherence::ForcedCoherence;
use crate::graph::{Graph, Loc};
use crate::id::EventId;
use crate::models::ScOrder;
use crate::mutation::Mutant;

/// With fewer than two `seq_cst` events psc cannot have a cycle.
#[inline]
pub(crate) fn too_few(graph: &Graph) -> bool {
    graph.sc_events < 2 || Mutant::PscIgnored.is_active()
}

/// Does the coherence order kept in the graph make psc acyclic?
pub(crate) fn holds(graph: &Graph, sc_order: ScOrder) -> bool {
    acyclic(graph, sc_order, &ByIndex)
}

/// Is there a coherence order, extending the forced one, that makes psc acyclic? `orders` receives it.
pub(crate) fn exists(
    graph: &Graph,
    sc_order: ScOrder,
    locations: &mut [ForcedCoherence],
    orders: Option<&mut Vec<Vec<EventId>>>,
) -> bool {
    let marks: Vec<usize> = locations.iter().map(ForcedCoherence::mark).collect();
    let found = search(graph, sc_order, locations);
    if found && let Some(orders) = orders {
        orders.clear();
        for loc in 0..graph.accesses.len() {
            let writes = match locations.get(loc) {
                Some(forced) if !forced.is_empty() => forced.linear(),
                _ => Vec::new(),
            };
            orders.push(
                writes.into_iter().filter(|&s| s != 0).map(|s| graph.write_at(loc as Loc, s)).collect(),
            );
        }
    }
    for (location, mark) in locations.iter_mut().zip(marks) {
        location.undo(mark);
    }
    found
}

/// Order what is left open until psc is acyclic. On true the order found stays in `locations`; the caller
/// undoes it.
fn search(graph: &Graph, sc_order: ScOrder, locations: &mut [ForcedCoherence]) -> bool {
    if !acyclic(graph, sc_order, &ByTest(|loc: usize, a, b| locations[loc].is_before(a, b))) {
        return false;
    }
    let Some(open) =
        (0..locations.len()).find(|&l| !locations[l].is_empty() && locations[l].undecided().is_some())
    else {
        return true;
    };
    let ranks: Vec<Vec<u32>> = locations
        .iter()
        .map(|forced| {
            let mut rank = vec![0; forced.count()];
            if !forced.is_empty() {
                for (at, write_index) in forced.linear().into_iter().enumerate() {
                    rank[write_index as usize] = at as u32;
                }
            }
            rank
        })
        .collect();
    let by_rank = |loc: usize, a: u32, b: u32| ranks[loc][a as usize] < ranks[loc][b as usize];
    if acyclic(graph, sc_order, &ByTest(by_rank)) {
        // Keep the guess, so that the caller can read the order off.
        for (loc, forced) in locations.iter_mut().enumerate() {
            settle_all(forced, &ranks[loc]);
        }
        return true;
    }
    let (a, b) = locations[open].undecided().expect("found open above");
    for (first, second) in [(a, b), (b, a)] {
        let mark = locations[open].mark();
        if locations[open].force(first, second) && search(graph, sc_order, locations) {
            return true;
        }
        locations[open].undo(mark);
    }
    false
}

/// Order all writes of a location by rank.
fn settle_all(forced: &mut ForcedCoherence, rank: &[u32]) {
    if forced.is_empty() {
        return;
    }
    while let Some((a, b)) = forced.undecided() {
        let (first, second) = if rank[a as usize] < rank[b as usize] { (a, b) } else { (b, a) };
        forced.force(first, second);
    }
}
