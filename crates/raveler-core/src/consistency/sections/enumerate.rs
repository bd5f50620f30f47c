//! All orders of the sections under which the graph is a state that a run can reach (a *real* one).
//!
//! In a real state every open section is the last of its lock, and no two open sections conflict. Orders that
//! only have to be possible are decided in `solve.rs`.

use super::SectionOrders;
use crate::consistency::Explain;
use crate::consistency::with_sections::WithSections;
use crate::graph::{Graph, Loc};
use crate::id::EventId;
use crate::mutation::Mutant;

impl<K: WithSections> SectionOrders<K> {
    /// Is the graph a state that a run can reach: can every open section be the last of its lock?
    pub fn is_real(&mut self, graph: &mut Graph) -> bool {
        let mut real = false;
        self.each_real_order(graph, &mut |_, _| {
            real = true;
            false
        });
        real
    }

    /// Calls `found` with each order of all sections under which the graph is a state that a run can reach,
    /// until it answers false. The order is taken back afterwards.
    pub fn each_real_order(
        &mut self,
        graph: &mut Graph,
        found: &mut dyn FnMut(&mut SectionOrders<K>, &mut Graph) -> bool,
    ) {
        let mark = self.mark();
        if self.put_open_last(graph) {
            self.enumerate(graph, found);
        }
        self.roll_back(graph, mark);
    }

    /// All orders under which the graph is a state that a run can reach, as pairs of sections.
    pub fn real_orders(&mut self, graph: &mut Graph) -> Vec<Vec<(u32, u32)>> {
        let mut orders = Vec::new();
        self.each_real_order(graph, &mut |this, _| {
            orders.push(this.decided.clone());
            true
        });
        orders
    }

    /// Order the sections like this, which is known to be possible, until [`SectionOrders::unfix`].
    pub fn fix(&mut self, graph: &mut Graph, decisions: &[(u32, u32)]) {
        self.marks.push(self.mark());
        for &(a, b) in decisions {
            let possible = self.decide(graph, a as usize, b as usize);
            debug_assert!(possible, "it was found in the same graph");
        }
    }

    pub fn unfix(&mut self, graph: &mut Graph) {
        let mark = self.marks.pop().expect("unfix follows fix");
        self.roll_back(graph, mark);
    }

    /// Make every open section the last of its lock. False if that is impossible.
    pub(super) fn put_open_last(&mut self, graph: &mut Graph) -> bool {
        if Mutant::OpenNotLast.is_active() {
            return true;
        }
        for thread in 0..self.held.len() {
            for held in 0..self.held[thread].len() {
                let at = self.held[thread][held] as usize;
                let section = self.sections[at];
                let other = |&id: &&u32| {
                    let other = &self.sections[*id as usize];
                    *id as usize != at && other.is_open() && other.conflicts(&section)
                };
                let shared = self.of_lock[section.lock as usize].iter().any(|id| other(&id));
                if shared || !self.put_last(graph, at) {
                    return false;
                }
            }
        }
        true
    }

    /// Calls `found` with each order of what is not decided. False if `found` answered false.
    pub(super) fn enumerate(
        &mut self,
        graph: &mut Graph,
        found: &mut dyn FnMut(&mut SectionOrders<K>, &mut Graph) -> bool,
    ) -> bool {
        if !self.propagate_all(graph) || !self.order.completes(graph) {
            return true;
        }
        let Some((a, b)) = self.undecided() else {
            return found(self, graph);
        };
        let mark = self.mark();
        for (first, second) in [(a, b), (b, a)] {
            let go_on = !self.decide(graph, first, second) || self.enumerate(graph, found);
            self.roll_back(graph, mark);
            if !go_on {
                return false;
            }
        }
        true
    }

    /// Calls `explain` with one real order that allows these last writes, if there is one.
    pub(super) fn explained<T>(
        &mut self,
        graph: &Graph,
        last: &[(Loc, u32)],
        explain: &mut dyn FnMut(&mut SectionOrders<K>, &mut Graph) -> T,
    ) -> Option<T> {
        // Edges raise rows of the graph, which is only borrowed here: work on a copy.
        let mut graph = graph.clone();
        let mark = self.mark();
        let mut result = None;
        if last.iter().all(|&(loc, write_index)| self.order.put_last(&graph, loc, write_index)) {
            self.each_real_order(&mut graph, &mut |this, graph| {
                result = Some(explain(this, graph));
                false
            });
        }
        self.roll_back(&mut graph, mark);
        result
    }

    /// The same, whatever order worked last: what is told of a graph must not depend on how the search came to it.
    fn explained_anew<T>(
        &mut self,
        graph: &Graph,
        last: &[(Loc, u32)],
        explain: &mut dyn FnMut(&mut SectionOrders<K>, &mut Graph) -> T,
    ) -> Option<T> {
        let as_entered = (0..self.rank.len() as u32).collect();
        let rank = std::mem::replace(&mut self.rank, as_entered);
        let result = self.explained(graph, last, explain);
        self.rank = rank;
        result
    }
}

impl<K: WithSections> Explain for SectionOrders<K> {
    fn last_writes(&mut self, graph: &Graph, locs: &[Loc], found: &mut dyn FnMut(&[u32])) {
        let mut rows: Vec<Vec<u32>> = Vec::new();
        self.order.last_writes(graph, locs, &mut |row| rows.push(row.to_vec()));
        for row in rows {
            let last: Vec<(Loc, u32)> = locs.iter().copied().zip(row.iter().copied()).collect();
            if self.explained(graph, &last, &mut |_, _| ()).is_some() {
                found(&row);
            }
        }
    }

    fn coherence(&mut self, graph: &Graph, last: &[(Loc, u32)]) -> Vec<Vec<EventId>> {
        self.explained_anew(graph, last, &mut |this, graph| this.order.coherence(graph, last))
            .unwrap_or_else(|| self.order.coherence(graph, last))
    }

    fn lock_edges(&mut self, graph: &Graph, last: &[(Loc, u32)]) -> Vec<(EventId, EventId)> {
        let edges = |this: &mut SectionOrders<K>, graph: &mut Graph| {
            let mut edges = Vec::new();
            for (a, first) in this.sections.iter().enumerate() {
                for (b, second) in this.sections.iter().enumerate() {
                    if this.is_before(a, b) {
                        edges.push((first.span.last(graph), second.span.lock));
                    }
                }
            }
            edges
        };
        self.explained_anew(graph, last, &mut { edges }).unwrap_or_default()
    }
}
