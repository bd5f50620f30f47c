//! What a leaf is: an execution of XMM, if a known one justifies it; then it is counted and looked at.

use std::slice;

use super::committed::{Candidate, Justification};
use super::orders;
use super::promises::is_holder;
use super::reexecution::Search;
use super::view::{INIT, View};
use crate::check::{self, Finding};
use crate::consistency::happens_before;
use crate::execution::Execution;
use crate::graph::{Graph, ThreadStatus};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::observer::Observer;
use crate::outcome::StopReason;
use crate::program::Program;
use crate::search::ledger::Leaf;
use crate::settings::Equivalence;

impl<P: Program, O: Observer<P>> Search<'_, P, O> {
    /// The graph of a leaf, with promises replaced by the writes that kept them. None if it is inconsistent.
    pub(super) fn without_promises(&mut self) -> Option<Graph> {
        let mut graph = self.graph.clone();
        let holders: Vec<usize> = self.promises.all.iter().map(|promise| promise.event.thread()).collect();
        graph.order.retain(|id| !holders.contains(&id.thread()));
        for &holder in &holders {
            graph.threads[holder].events.clear();
            for thread in &mut graph.threads {
                for row in thread.porf.chunks_exact_mut(graph.stride) {
                    row[holder] = 0;
                }
                for rows in [&mut thread.hb, &mut thread.message] {
                    for row in rows.chunks_exact_mut(graph.stride) {
                        row[holder] = 0;
                    }
                }
            }
            for place in graph.accesses.iter_mut().filter(|place| place.last.len() > holder) {
                place.last[holder] = 0;
            }
        }
        graph.sc_events = graph.order.iter().filter(|&&id| graph.event(id).is_sc()).count() as u32;
        graph.restamp();
        // Threads that hold promises, here or in other explorations, are not shown.
        let name = |thread: usize| self.run.tables.threads.name(thread);
        while is_holder(name(graph.threads.len() - 1)) {
            graph.threads.pop();
            graph.status.pop();
        }
        let is_consistent = self.close_happens_before(&mut graph);
        #[cfg(any(test, feature = "paranoid"))]
        crate::agreement::check(crate::models::Model::Xmm, &graph, true, is_consistent);
        is_consistent.then_some(graph)
    }

    /// Promised edges may synchronise: compute happens-before anew until nothing changes. False if the graph is
    /// inconsistent.
    pub(super) fn close_happens_before(&mut self, graph: &mut Graph) -> bool {
        let synchronises = |write: Option<EventId>| {
            write.is_some_and(|write| graph.message(write).iter().any(|&count| count > 0))
        };
        if !self.promises.all.iter().any(|promise| synchronises(promise.kept)) {
            return self.has_sc_order(graph);
        }
        let rows = |graph: &Graph| {
            graph.threads.iter().map(|thread| (thread.hb.clone(), thread.message.clone())).collect::<Vec<_>>()
        };
        let mut last = rows(graph);
        for _ in 0..=graph.len() {
            for at in 0..graph.order.len() {
                let id = graph.order[at];
                happens_before::compute(graph, id);
                if graph.event(id).kind.writes() {
                    happens_before::compute_message(graph, id);
                }
            }
            let now = rows(graph);
            if now == last {
                let order = &self.order;
                return graph
                    .order
                    .iter()
                    .all(|&id| order.is_coherent(graph, id) && graph.hb(id)[id.thread()] <= id.index())
                    && self.has_sc_order(graph);
            }
            last = now;
        }
        false
    }

    /// Do the `seq_cst` events have a common order?
    pub(super) fn has_sc_order(&self, graph: &Graph) -> bool {
        Mutant::CyclesWithoutPsc.is_active() || self.order.psc_holds(graph)
    }

    /// No thread can go on.
    pub(super) fn leaf(&mut self) {
        if self.promises.all.is_empty() || self.promises.all.iter().any(|promise| promise.kept.is_none()) {
            self.ledger.counts.dropped += 1;
            return;
        }
        let Some(graph) = self.without_promises() else {
            self.ledger.counts.dropped += 1;
            return;
        };
        let view = View::new(&self.run, &graph, false);
        if !self.is_built_here(&view) {
            self.ledger.counts.dropped += 1;
            return;
        }
        self.has_crossing |= !view.is_simple();
        let rules = self.sources.rules();
        let all = match self.run.settings.equivalence {
            Equivalence::Coherence => vec![orders::of_graph(&view)],
            Equivalence::ReadsFrom => orders::all(&self.order, &graph, &view),
        };
        let mine = orders::of_graph(&view);
        // Under `rf` the first order that is justified stands for all.
        let justified = |order: &Vec<u32>, known: usize, search: &Self| {
            let candidate = Candidate::new(&view, rules, vec![order.clone()])?;
            candidate.justified(&search.sources, known)
        };
        let Some(justification) = justified(&mine, self.known, self) else {
            self.ledger.counts.dropped += 1;
            return;
        };
        let is_first = !all
            .iter()
            .take_while(|order| **order != mine)
            .any(|order| justified(order, self.known, self).is_some());
        let is_known = self.known_before > 0
            && !Mutant::CountedAgain.is_active()
            && (self.sources.was_built(&view) || Mutant::JustifiedIsCounted.is_active())
            && all.iter().any(|order| justified(order, self.known_before, self).is_some());
        let is_simple = !self.has_crossing;
        if !Mutant::OneRound.is_active() {
            // Other orders may be unjustified; those that are not have leaves of their own.
            let known = if Mutant::OrdersTogether.is_active() { &all } else { slice::from_ref(&mine) };
            self.is_new |= self.sources.remember_new(&view, known, is_simple);
        }
        if !is_first {
            self.ledger.counts.dropped += 1;
        } else if is_known {
            self.duplicates += 1;
        } else {
            self.report(graph, &view, &justification);
        }
    }

    /// Does this graph, and no other path, belong to the choices made?
    pub(super) fn is_built_here(&self, view: &View) -> bool {
        let goes_round = |read: usize| {
            let source = view.nodes[read].source;
            source < INIT && view.porf.has(read, source as usize)
        };
        let promised = self.promises.all.iter().all(|promise| goes_round(view.reader(promise.read)));
        let refused = self.refused_reads.iter().any(|&id| {
            let read = view.reader(id);
            goes_round(read) && {
                let writer = view.nodes[read].source as usize;
                self.sources.has_edge(&(view.nodes[writer].label, view.nodes[read].label))
            }
        });
        (promised || Mutant::IdlePromises.is_active()) && (!refused || Mutant::RefusedForgotten.is_active())
    }

    /// An execution of XMM: count it, and see what is wrong with it.
    pub(super) fn report(&mut self, graph: Graph, view: &View, justification: &Justification) {
        if self.run.settings.lb_races {
            self.races.look(&self.run, &graph, view);
        }
        let mut graph = graph;
        let mut committed: Vec<EventId> =
            justification.committed.iter().map(|node| view.nodes[node].event).collect();
        committed.dedup();
        let mut found: Vec<Finding> = Vec::new();
        for t in 0..graph.threads.len() {
            if graph.status[t] == ThreadStatus::Stuck {
                found.extend(check::failed(&self.run, &graph, t));
            }
        }
        for at in 0..graph.order.len() {
            check::event(&self.run, &graph, graph.order[at], &mut found);
        }
        let Search { run, ledger, order, .. } = self;
        let mut failed = false;
        for finding in found {
            if !finding.condition.holds(&graph) {
                continue;
            }
            failed |= finding.stops;
            if let Some(event) = finding.violation.event.filter(|_| finding.stops) {
                graph.event_mut(event).failed = true;
            }
            ledger.report(&finding, |finding| {
                Execution::new(run, &graph, order).with_committed(&committed).violation(&finding.violation)
            });
        }
        let leaf = if failed { Leaf::Failed } else { Leaf::of(run, &graph) };
        let (leaf, wrong) = leaf.settle(run, &graph, order);
        if let Some(finding) = wrong {
            ledger.report(&finding, |finding| {
                Execution::new(run, &graph, order).with_committed(&committed).violation(&finding.violation)
            });
        }
        ledger.count(leaf, run, &graph, &Execution::new(run, &graph, order).with_committed(&committed));
        if run.tables.restart.is_some() {
            ledger.stop(StopReason::Restart);
        }
    }
}
