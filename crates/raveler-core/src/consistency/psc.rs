//! RC11 and RC20: the relation psc on `seq_cst` events, of which each has its own, must have no cycle under
//! some coherence order (docs/engine.md, "seq_cst events").
//!
//! psc only grows with the coherence order, so a cycle over the forced part refutes. Where writes are left
//! unordered, the first guess, the order in which they were added, nearly always confirms, and a total order is
//! cheaper to ask than a partial one; if it does not, they are ordered one by one, both ways.

mod edges;
mod shown;

use self::edges::acyclic;
use self::shown::{ByIndex, ByRank, ByTest};
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
    let Some(found) = search(graph, sc_order, locations) else { return false };
    if let Some(orders) = orders {
        orders.clear();
        for loc in 0..graph.accesses.len() {
            let writes = found.get(loc).map_or(&[][..], Vec::as_slice).iter();
            orders.push(writes.filter(|&&s| s != 0).map(|&s| graph.write_at(loc as Loc, s)).collect());
        }
    }
    true
}

/// The writes of each location, ordered so that psc is acyclic.
fn search(graph: &Graph, sc_order: ScOrder, locations: &mut [ForcedCoherence]) -> Option<Vec<Vec<u32>>> {
    let (guess, ranks): (Vec<Vec<u32>>, Vec<Vec<u32>>) = locations.iter().map(guess).unzip();
    if acyclic(graph, sc_order, &ByRank(&ranks)) {
        return Some(guess);
    }
    let is_open = |forced: &ForcedCoherence| !forced.is_empty() && forced.undecided().is_some();
    let open = locations.iter().position(is_open)?;
    if !acyclic(graph, sc_order, &ByTest(|loc: usize, a, b| locations[loc].is_before(a, b))) {
        return None;
    }
    let (a, b) = locations[open].undecided().expect("found open above");
    for (first, second) in [(a, b), (b, a)] {
        let mark = locations[open].mark();
        let found =
            locations[open].force(first, second).then(|| search(graph, sc_order, locations)).flatten();
        locations[open].undo(mark);
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The writes of a location in the order in which they were added, as far as the forced order lets them, and the place
/// of each in it.
fn guess(forced: &ForcedCoherence) -> (Vec<u32>, Vec<u32>) {
    if forced.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let order = forced.linear();
    let mut rank = vec![0; order.len()];
    for (at, &write_index) in (0..).zip(&order) {
        rank[write_index as usize] = at;
    }
    (order, rank)
}
