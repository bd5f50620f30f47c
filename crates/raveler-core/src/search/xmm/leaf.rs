//! What a leaf is: an execution of XMM, if a known one justifies it; then it is counted and looked at.

use std::ops::Range;
use std::slice;

use super::committed::{Candidate, Justification};
use super::possible::Locations;
use super::promises::{Promise, is_holder};
use super::reexecution::Search;
use super::sections::{self, AsTaken, Follows};
use super::view::View;
use super::{orders, origin};
use crate::check::{self, Finding};
use crate::consistency::happens_before;
use crate::execution::Execution;
use crate::graph::{Graph, ThreadStatus};
use crate::id::{Address, EventId};
use crate::mutation::Mutant;
use crate::outcome::StopReason;
use crate::program::Program;
use crate::search::ledger::Leaf;
use crate::settings::{Equivalence, XmmRules};

/// What is known of the cycles of a path on which no promise is open: they are justified.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    /// By what was known when the round before began, too.
    is_known: bool,
    /// No read that was refused a promise could have been given one, whatever comes.
    is_settled: bool,
    /// How many promises had been made.
    promises: usize,
}

/// What is found out when a promise was kept.
pub(super) enum Judged {
    /// Nothing yet.
    Open,
    /// Nothing that is built here will be an execution.
    Impossible,
    Possible(Verdict),
}

impl<P: Program> Search<'_, P> {
    /// The graph of a leaf, with promises replaced by the writes that kept them. None if it is inconsistent.
    fn without_promises(&mut self) -> Option<Graph> {
        // The memory of the leaf before is used again.
        let mut graph = std::mem::take(&mut self.scratch);
        // Threads that hold promises, here or in other explorations, are not shown.
        let is_shown = |thread: &usize| !is_holder(self.run.tables.threads.name(*thread));
        let shown = (0..self.graph.threads.len()).rev().find(is_shown).map_or(0, |last| last + 1);
        graph.copy_threads(&self.graph, shown);
        let holders: Vec<usize> = self.promises.all.iter().map(|promise| promise.event.thread()).collect();
        let mut holds = vec![false; self.graph.threads.len()];
        holders.iter().for_each(|&holder| holds[holder] = true);
        graph.order.retain(|id| !holds[id.thread()]);
        for &holder in &holders {
            if let Some(thread) = graph.threads.get_mut(holder) {
                thread.events.clear();
            }
            for place in graph.accesses.iter_mut().filter(|place| place.last.len() > holder) {
                place.last[holder] = 0;
            }
        }
        for thread in &mut graph.threads {
            for row in thread.rows.chunks_exact_mut(graph.stride) {
                holders.iter().for_each(|&holder| row[holder] = 0);
            }
        }
        graph.sc_events = graph.order.iter().filter(|&&id| graph.event(id).is_sc()).count() as u32;
        graph.restamp();
        let is_consistent = self.close_happens_before(&mut graph);
        #[cfg(any(test, feature = "paranoid"))]
        if !self.run.tables.locks.leaves_any_unordered() {
            let settings = crate::settings::Settings::new(crate::models::Model::Xmm);
            crate::agreement::check(&settings, &graph, true, is_consistent);
        }
        if !is_consistent {
            self.scratch = graph;
            return None;
        }
        Some(graph)
    }

    /// Promised edges may synchronise: compute happens-before anew until nothing changes. False if the graph is
    /// inconsistent.
    pub(super) fn close_happens_before(&mut self, graph: &mut Graph) -> bool {
        let synchronises = |write: Option<EventId>| {
            write.is_some_and(|write| graph.message(write).iter().any(|&count| count > 0))
        };
        // The order of `seq_cst` events was asked for when the last promise was kept. What came after that has no edge of
        // it to what was there, or was asked again.
        if !self.promises.all.iter().any(|promise| synchronises(promise.kept)) {
            debug_assert!(self.has_sc_order(graph), "the path had an order");
            return true;
        }
        let follows = self.follows(graph);
        let rows = |graph: &Graph| graph.threads.iter().map(|thread| thread.rows.clone()).collect::<Vec<_>>();
        let mut last = rows(graph);
        for _ in 0..=graph.len() {
            for at in 0..graph.order.len() {
                let id = graph.order[at];
                happens_before::compute(graph, id);
                for &(unlock, _) in follows.iter().filter(|&&(_, lock)| lock == id) {
                    happens_before::follow(graph, id, unlock);
                }
                if graph.event(id).kind.writes() {
                    happens_before::compute_message(graph, id);
                }
            }
            let now = rows(graph);
            if now == last {
                let order = &self.order;
                return graph.order.iter().all(|&id| {
                    order.is_coherent(graph, id) && u32::from(graph.hb(id)[id.thread()]) <= id.index()
                }) && self.has_sc_order(graph);
            }
            last = now;
        }
        false
    }

    /// What the locks of a leaf follow, where no word of memory shows it.
    fn follows(&self, graph: &Graph) -> Vec<Follows> {
        match self.run.tables.locks.leaves_any_unordered() {
            true => sections::as_taken(graph),
            false => Vec::new(),
        }
    }

    /// Do the `seq_cst` events have a common order?
    pub(super) fn has_sc_order(&self, graph: &Graph) -> bool {
        Mutant::CyclesWithoutPsc.is_active() || self.order.psc_holds(graph)
    }

    /// No thread can go on.
    pub(super) fn leaf(&mut self) {
        let is_open = self.promises.all.iter().any(|promise| promise.kept.is_none());
        if self.promises.all.is_empty() || is_open || !self.all_wait_for_held() {
            self.ledger.counts.dropped += 1;
            return;
        }
        let Some(mut graph) = self.without_promises() else {
            self.ledger.counts.dropped += 1;
            return;
        };
        self.leaf_of(&mut graph);
        self.scratch = graph;
    }

    /// A leaf with this graph.
    fn leaf_of(&mut self, graph: &mut Graph) {
        self.logs.follow(&self.run, &self.graph);
        let follows = self.follows(graph);
        let view = View::new(&self.run, graph, &self.logs, &self.shapes, &follows);
        let Some(verdict) = self.verdict_of_leaf(&view) else {
            self.ledger.counts.dropped += 1;
            return;
        };
        #[cfg(any(test, feature = "paranoid"))]
        self.agrees_with_definition(&view);
        let is_simple = view.is_simple();
        self.findings.has_crossing |= !is_simple;
        let is_simple = is_simple && !self.had_crossing;
        let mine = orders::of_graph(&view);
        let (is_first, is_known) = match self.run.settings.equivalence {
            Equivalence::Coherence => (true, verdict.is_known),
            Equivalence::ReadsFrom => {
                // The first order that is justified stands for all.
                let all = orders::all(&self.order, graph, &view);
                let earlier = all.iter().take_while(|order| **order != mine);
                let is_justified = |order: &Vec<u32>, known| self.justified(&view, order, known).is_some();
                let is_first = !earlier.into_iter().any(|order| is_justified(order, self.known));
                let mut others = all.iter().filter(|order| **order != mine);
                let is_known = verdict.is_known || others.any(|order| is_justified(order, self.known_before));
                if Mutant::OrdersTogether.is_active() {
                    self.findings.note(&self.sources, &view, &all, is_simple);
                }
                (is_first, is_known)
            }
        };
        if !Mutant::OneRound.is_active() {
            // Other orders may be unjustified; those that are not have leaves of their own.
            self.findings.note(&self.sources, &view, slice::from_ref(&mine), is_simple);
        }
        let is_counted = is_first && (!is_known || Mutant::CountedAgain.is_active());
        if !is_first {
            self.ledger.counts.dropped += 1;
        } else if !is_counted {
            self.findings.duplicates += 1;
        }
        // Under `rf` the order that is counted need not be the only one.
        if is_counted || self.run.settings.equivalence == Equivalence::ReadsFrom {
            self.report(graph, &view, is_counted);
        }
    }

    /// How the first of the known sources justify all cycles of an execution with this coherence order.
    fn justified(&self, view: &View, order: &Vec<u32>, known: usize) -> Option<Justification> {
        if known == 0 {
            return None;
        }
        let candidate = Candidate::new(view, self.sources.rules(), slice::from_ref(order), |_| true)?;
        candidate.justified(&self.sources, &(0..known), std::iter::empty())
    }

    #[cfg(any(test, feature = "paranoid"))]
    fn agrees_with_definition(&self, view: &View) {
        let order = orders::of_graph(view);
        let found = self.justified(view, &order, self.known).expect("it was found to be justified");
        let candidate = Candidate::new(view, self.sources.rules(), slice::from_ref(&order), |_| true);
        candidate.expect("it has cycles").agrees_with_definition(&found, &self.sources);
    }

    /// What is known of the cycles of a leaf; none if it is no execution, or is built elsewhere.
    fn verdict_of_leaf(&self, view: &View) -> Option<Verdict> {
        let verdict = match self.verdict {
            Some(verdict) => verdict,
            None => self.judge(view)?,
        };
        (verdict.is_settled || !self.was_any_promised(view)).then_some(verdict)
    }

    fn was_any_promised(&self, view: &View) -> bool {
        self.refused_reads.iter().any(|read| self.was_promised(view, read))
    }

    /// The group of locations over which the cycle of a promise may lead.
    fn group(&self, promise: &Promise) -> Locations {
        self.possible.group_of(Address(promise.label.address))
    }

    fn view_of_path(&mut self) -> View {
        self.logs.follow(&self.run, &self.graph);
        View::of_path(&self.run, &self.graph, &self.promises.all, &self.logs, &self.shapes)
    }

    /// A promise was kept. If none is open, the cycles that there are stay as they are until a further one is made,
    /// and with them all that leads into them: every cycle has a promised edge, whose write is its last event.
    pub(super) fn judge_cycles(&mut self) -> Judged {
        // Strict rules ask for happens-before, too, which the path does not know.
        if self.promises.all.iter().any(|promise| promise.kept.is_none())
            || self.sources.rules() == XmmRules::Strict
        {
            return Judged::Open;
        }
        let view = self.view_of_path();
        let mut is_settled = true;
        if !self.refused_reads.is_empty() {
            // What is known of a group over which no further cycle can lead does not change any more.
            let cycles = self.cycles_to_come().all();
            let is_over = |id: EventId| {
                let loc = self.graph.event(id).loc as usize;
                self.possible.group_of(self.run.tables.memory.locations[loc].address) & cycles == 0
            };
            for read in &self.refused_reads {
                if !is_over(read.0) {
                    is_settled = false;
                } else if self.was_promised(&view, read) {
                    return Judged::Impossible;
                }
            }
        }
        match self.judge(&view) {
            Some(verdict) => Judged::Possible(Verdict { is_settled, ..verdict }),
            None => Judged::Impossible,
        }
    }

    /// Are the cycles justified, with all promised reads committed, those of each group of locations together? More
    /// cycles are not easier to justify. Reads that were refused a promise are not asked about.
    fn judge(&self, view: &View) -> Option<Verdict> {
        let goes_round = |promise: &Promise| view.goes_round(view.reader(promise.read));
        if !self.promises.all.iter().all(goes_round) && !Mutant::IdlePromises.is_active() {
            return None;
        }
        // A group of which no promise was made since it was judged has the same cycles as then.
        let judged = self.verdict.map_or(0, |verdict| verdict.promises);
        let mut groups: Vec<(Locations, EventId)> = Vec::new();
        let mut open: Vec<(Locations, EventId)> = Vec::new();
        for (at, promise) in self.promises.all.iter().enumerate() {
            let group = (self.group(promise), promise.read);
            let add_to = |list: &mut Vec<(Locations, EventId)>| {
                if !list.iter().any(|(other, _)| *other == group.0) {
                    list.push(group);
                }
            };
            add_to(&mut groups);
            if at >= judged {
                add_to(&mut open);
            }
        }
        let order = orders::of_graph(view);
        // All cycles are of the groups of promises: of a single one nothing else need be asked.
        if groups.len() > 1 {
            self.justified(view, &order, self.known)?;
        }
        let promises = self.promises.all.len();
        let may_be = |read: EventId| self.may_be_committed(view, &order, (read, promises), 0..self.known);
        if !open.into_iter().all(|(_, read)| may_be(read)) {
            return None;
        }
        let is_known = self.justified(view, &order, self.known_before).is_some();
        Some(Verdict { is_known, is_settled: self.refused_reads.is_empty(), promises })
    }

    /// Could a read that was refused a promise have been given one?
    fn was_promised(&self, view: &View, &(id, promises): &(EventId, usize)) -> bool {
        let read = view.reader(id);
        view.goes_round(read) && !Mutant::RefusedForgotten.is_active() && {
            self.sources.has_edge(&view.edge(read))
                && self.may_be_committed(view, &orders::of_graph(view), (id, promises), 0..self.known)
        }
    }

    /// Can a read be committed together with the first of the promised reads, those of its group of locations? Asked is
    /// of all cycles over these, and of some sources.
    fn may_be_committed(
        &self,
        view: &View,
        order: &Vec<u32>,
        (read, promises): (EventId, usize),
        among: Range<usize>,
    ) -> bool {
        let read = view.reader(read);
        let group = |read: usize| self.possible.group_of(Address(view.nodes[read].label.address));
        let mine = group(read);
        let beside = self.promises.all[..promises].iter().map(|promise| view.reader(promise.read));
        let reads = beside.filter(|&other| group(other) == mine).chain([read]);
        let rules = self.sources.rules();
        let candidate = Candidate::new(view, rules, slice::from_ref(order), |label| {
            self.possible.group_of(Address(label.address)) == mine
        });
        candidate.is_some_and(|it| it.justified(&self.sources, &among, reads).is_some())
    }

    /// A promise was made: can what is there be part of an execution that is justified? All promised reads of a group
    /// are committed together.
    pub(super) fn may_be_justified(&mut self) -> bool {
        let Some((last, before)) = self.promises.all.split_last() else { return true };
        let (read, group) = (last.read, self.group(last));
        // The first promise of a group is one that a known execution keeps, and most circles of programs with several
        // groups are small: it is hardly ever in vain, and asked about when it is kept.
        let is_first = before.iter().all(|promise| self.group(promise) != group);
        if self.sources.rules() == XmmRules::Strict || is_first && !self.possible.has_one_group() {
            return true;
        }
        let view = self.view_of_path();
        self.may_be_committed(
            &view,
            &orders::of_graph(&view),
            (read, self.promises.all.len()),
            self.new.clone(),
        )
    }

    /// An execution of XMM: count it, and see what is wrong with it. If it is counted elsewhere, with another coherence
    /// order, it is only shown.
    fn report(&mut self, graph: &mut Graph, view: &View, is_counted: bool) {
        if self.run.settings.lb_races && is_counted {
            self.findings.races.look(&self.run, graph, view);
        }
        let mut found: Vec<Finding> = Vec::new();
        for t in 0..graph.threads.len() {
            if graph.status[t] == ThreadStatus::Stuck {
                found.extend(check::failed(&self.run, graph, t));
            }
        }
        for at in 0..graph.order.len() {
            check::event(&self.run, graph, graph.order[at], &mut found);
        }
        let has_sections = self.run.tables.locks.leaves_any_unordered();
        let Search { run, ledger, order, sources, known, .. } = self;
        let order = &mut AsTaken { order, has_sections };
        let leaf = Leaf::of(run, graph);
        let (run, known) = (&*run, *known);
        let origin = || {
            let order = orders::of_graph(view);
            let candidate = Candidate::new(view, sources.rules(), slice::from_ref(&order), |_| true);
            let justification = candidate
                .and_then(|candidate| candidate.justified(sources, &(0..known), std::iter::empty()))
                .expect("only justified executions are reported");
            origin::describe(run, view, &justification, sources)
        };
        let mut failed = false;
        for finding in found {
            if !finding.condition.holds(graph) {
                continue;
            }
            failed |= finding.stops;
            if let Some(event) = finding.violation.event.filter(|_| finding.stops) {
                graph.event_mut(event).failed = true;
            }
            if is_counted {
                ledger.report(&finding, |finding| {
                    Execution::new(run, graph, order).made_by(&origin).violation(&finding.violation)
                });
            }
        }
        let leaf = if failed { Leaf::Failed } else { leaf };
        let (leaf, wrong) = leaf.settle(run, graph, order);
        if let Some(finding) = wrong.filter(|_| is_counted) {
            ledger.report(&finding, |finding| {
                Execution::new(run, graph, order).made_by(&origin).violation(&finding.violation)
            });
        }
        let execution = Execution::new(run, graph, order).made_by(&origin);
        if is_counted {
            ledger.count(leaf, run, graph, &execution);
        } else if !Mutant::OtherOrdersForgotten.is_active() {
            ledger.show_order(leaf, run, graph, &execution);
        }
        if run.tables.restart.is_some() {
            ledger.stop(StopReason::Restart);
        }
    }
}
