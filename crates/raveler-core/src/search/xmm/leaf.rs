//! What a leaf is: an execution of XMM, if a known one justifies it; then it is counted and looked at.

use std::ops::Range;
use std::slice;

use super::committed::{Candidate, Justification};
use super::promises::{Promise, is_holder};
use super::reexecution::Search;
use super::view::View;
use super::{orders, origin};
use crate::check::{self, Finding};
use crate::consistency::happens_before;
use crate::execution::Execution;
use crate::graph::{Graph, ThreadStatus};
use crate::id::{Address, EventId};
use crate::mutation::Mutant;
use crate::observer::Observer;
use crate::outcome::StopReason;
use crate::program::Program;
use crate::search::ledger::Leaf;
use crate::settings::{Equivalence, XmmRules};

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
        let goes_round = |promise: &Promise| view.goes_round(view.reader(promise.read));
        if !self.promises.all.iter().all(goes_round) && !Mutant::IdlePromises.is_active() {
            self.ledger.counts.dropped += 1;
            return;
        }
        self.has_crossing |= !view.is_simple();
        let all = match self.run.settings.equivalence {
            Equivalence::Coherence => vec![orders::of_graph(&view)],
            Equivalence::ReadsFrom => orders::all(&self.order, &graph, &view),
        };
        let mine = orders::of_graph(&view);
        // Under `rf` the first order that is justified stands for all.
        let justified = |order: &Vec<u32>, known: usize, search: &Self| {
            let candidate = Candidate::new(&view, search.sources.rules(), vec![order.clone()], |_| true)?;
            let found = candidate.justified(&search.sources, &(0..known), std::iter::empty())?;
            #[cfg(any(test, feature = "paranoid"))]
            candidate.agrees_with_definition(&found, &search.sources);
            Some(found)
        };
        let justification = justified(&mine, self.known, self).filter(|_| self.is_built_here(&view));
        let Some(justification) = justification else {
            self.ledger.counts.dropped += 1;
            return;
        };
        let is_first = !all
            .iter()
            .take_while(|order| **order != mine)
            .any(|order| justified(order, self.known, self).is_some());
        let is_known = self.known_before > 0
            && !Mutant::CountedAgain.is_active()
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

    /// Does this graph belong to the choices made, and to no others? All promised reads can be committed, those of
    /// each group of locations together; and no read that was refused a promise could have been committed beside those
    /// that had been promised before.
    fn is_built_here(&self, view: &View) -> bool {
        let may_be = |promise: &Promise| {
            self.may_be_committed(view, self.promises.all.len(), promise.read, 0..self.known)
        };
        self.promises.all.iter().all(may_be)
            && !self.refused_reads.iter().any(|read| self.was_promised(view, read))
    }

    /// Could a read that was refused a promise have been given one?
    fn was_promised(&self, view: &View, &(id, promises): &(EventId, usize)) -> bool {
        let read = view.reader(id);
        view.goes_round(read) && !Mutant::RefusedForgotten.is_active() && {
            let writer = view.nodes[read].source as usize;
            let edge = (view.nodes[writer].label, view.nodes[read].label);
            self.sources.has_edge(&edge) && self.may_be_committed(view, promises, id, 0..self.known)
        }
    }

    /// Can a read be committed together with the first of the promised reads, those of its group of locations? Asked is
    /// of all cycles over these, and of some sources.
    fn may_be_committed(&self, view: &View, promises: usize, read: EventId, among: Range<usize>) -> bool {
        let read = view.reader(read);
        let group = |read: usize| self.possible.group_of(Address(view.nodes[read].label.address));
        let mine = group(read);
        let beside = self.promises.all[..promises].iter().map(|promise| view.reader(promise.read));
        let reads = beside.filter(|&other| group(other) == mine).chain([read]);
        let rules = self.sources.rules();
        let candidate = Candidate::new(view, rules, vec![orders::of_graph(view)], |label| {
            self.possible.group_of(Address(label.address)) == mine
        });
        candidate.is_some_and(|it| it.justified(&self.sources, &among, reads).is_some())
    }

    /// A promise was made: can what is there be part of an execution that is justified? All promised reads of a group
    /// are committed together.
    pub(super) fn may_be_justified(&self) -> bool {
        let Some(last) = self.promises.all.last() else { return true };
        if self.sources.rules() == XmmRules::Strict {
            return true;
        }
        let view = View::of_path(&self.run, &self.graph, &self.promises.all);
        self.may_be_committed(&view, self.promises.all.len(), last.read, self.new.clone())
    }

    /// The last promise was kept: did a read that was refused one turn out to be one that could have been promised?
    /// What is known of a group over which no further cycle can lead does not change any more.
    pub(super) fn is_built_elsewhere(&self) -> bool {
        if self.refused_reads.is_empty() || self.promises.all.iter().any(|promise| promise.kept.is_none()) {
            return false;
        }
        // Strict rules ask for happens-before, too, which the path does not know.
        if self.sources.rules() == XmmRules::Strict {
            return false;
        }
        let cycles = self.cycles_to_come().all();
        let is_over = |(id, _): &&(EventId, usize)| {
            let loc = self.graph.event(*id).loc as usize;
            self.possible.group_of(self.run.tables.memory.locations[loc].address) & cycles == 0
        };
        let mut over = self.refused_reads.iter().filter(is_over).peekable();
        over.peek().is_some() && {
            let view = View::of_path(&self.run, &self.graph, &self.promises.all);
            over.any(|read| self.was_promised(&view, read))
        }
    }

    /// An execution of XMM: count it, and see what is wrong with it.
    pub(super) fn report(&mut self, graph: Graph, view: &View, justification: &Justification) {
        if self.run.settings.lb_races {
            self.races.look(&self.run, &graph, view);
        }
        let mut graph = graph;
        let mut found: Vec<Finding> = Vec::new();
        for t in 0..graph.threads.len() {
            if graph.status[t] == ThreadStatus::Stuck {
                found.extend(check::failed(&self.run, &graph, t));
            }
        }
        for at in 0..graph.order.len() {
            check::event(&self.run, &graph, graph.order[at], &mut found);
        }
        let Search { run, ledger, order, sources, .. } = self;
        let run = &*run;
        let origin = || origin::describe(run, view, justification, sources);
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
                Execution::new(run, &graph, order).made_by(&origin).violation(&finding.violation)
            });
        }
        let leaf = if failed { Leaf::Failed } else { Leaf::of(run, &graph) };
        let (leaf, wrong) = leaf.settle(run, &graph, order);
        if let Some(finding) = wrong {
            ledger.report(&finding, |finding| {
                Execution::new(run, &graph, order).made_by(&origin).violation(&finding.violation)
            });
        }
        ledger.count(leaf, run, &graph, &Execution::new(run, &graph, order).made_by(&origin));
        if run.tables.restart.is_some() {
            ledger.stop(StopReason::Restart);
        }
    }
}
