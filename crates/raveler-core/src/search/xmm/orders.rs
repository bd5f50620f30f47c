//! The coherence orders that explain an execution, where the order is not part of it (`rf`).
//!
//! Committed writes must be ordered alike in both executions, so each order counts by itself.

use super::view::View;
use crate::consistency::hb_co::HbCoherence;
use crate::graph::{Graph, Kind, Loc};
use crate::id::EventId;

/// By node: its place in the coherence order that the graph keeps; 0 for what is no write.
pub(super) fn of_graph(view: &View) -> Vec<u32> {
    view.nodes.iter().map(|node| node.write_index).collect()
}

/// The same for every order under which the graph is consistent, in a fixed order.
pub(super) fn all(order: &HbCoherence, graph: &Graph, view: &View) -> Vec<Vec<u32>> {
    let locations: Vec<(Loc, Vec<Vec<EventId>>)> = (0..graph.accesses.len() as Loc)
        .filter(|&loc| !graph.accesses[loc as usize].writes.is_empty())
        .map(|loc| (loc, coherent(graph, loc)))
        .collect();
    let mut all = Vec::new();
    let mut tried = graph.clone();
    combine(order, &mut tried, &locations, &mut |graph| {
        let mut places = vec![0; view.len()];
        for (node, place) in view.nodes.iter().zip(&mut places) {
            if node.is_write() {
                *place = graph.event(node.event).write_index;
            }
        }
        all.push(places);
    });
    all.sort_unstable();
    all
}

/// Call `found` with each combination that leaves an order of `seq_cst` events.
fn combine(
    order: &HbCoherence,
    graph: &mut Graph,
    locations: &[(Loc, Vec<Vec<EventId>>)],
    found: &mut dyn FnMut(&Graph),
) {
    let Some(((loc, orders), rest)) = locations.split_first() else {
        if order.psc_holds(graph) {
            found(graph);
        }
        return;
    };
    for writes in orders {
        graph.set_writes(*loc, writes.clone());
        combine(order, graph, rest, found);
    }
}

/// The orders of a location's writes that agree with happens-before and leave updates next to their sources.
fn coherent(graph: &Graph, loc: Loc) -> Vec<Vec<EventId>> {
    let mut accesses = Vec::new();
    graph.each_access(loc, |id, event| accesses.push((id, *event)));
    let mut forced: Vec<(EventId, EventId)> = Vec::new();
    for (later, event) in &accesses {
        for (earlier, before) in &accesses {
            if earlier == later || !Graph::in_row(graph.hb(*later), *earlier) {
                continue;
            }
            let shown = if before.kind.writes() { *earlier } else { before.rf };
            if event.kind.writes() && shown == *later {
                return Vec::new();
            }
            if event.kind.writes() {
                forced.push((shown, *later));
            }
            if event.kind.reads() && shown != event.rf {
                forced.push((shown, event.rf));
            }
        }
    }
    let mut writes = graph.accesses[loc as usize].writes.clone();
    writes.sort_unstable();
    let mut orders = Vec::new();
    extend(graph, &writes, &forced, &mut Vec::new(), &mut orders);
    orders
}

fn extend(
    graph: &Graph,
    writes: &[EventId],
    forced: &[(EventId, EventId)],
    placed: &mut Vec<EventId>,
    orders: &mut Vec<Vec<EventId>>,
) {
    if placed.len() == writes.len() {
        orders.push(placed.clone());
        return;
    }
    let last = placed.last().copied().unwrap_or(EventId::INIT);
    let is_update_of_last =
        |write: EventId| graph.event(write).kind == Kind::Update && graph.event(write).rf == last;
    let must_follow =
        writes.iter().copied().find(|&write| is_update_of_last(write) && !placed.contains(&write));
    for &write in writes {
        if placed.contains(&write) {
            continue;
        }
        let is_update = graph.event(write).kind == Kind::Update;
        let fits = match must_follow {
            Some(update) => write == update,
            None => !is_update,
        };
        let is_free = forced
            .iter()
            .all(|&(before, after)| after != write || before.is_init() || placed.contains(&before));
        if fits && is_free {
            placed.push(write);
            // Nothing may be forced before the initial write.
            if !forced.iter().any(|&(before, after)| after.is_init() && !before.is_init()) {
                extend(graph, writes, forced, placed, orders);
            }
            placed.pop();
        }
    }
}
