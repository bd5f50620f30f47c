//! What one round finds: executions that may be new sources, and edges that may be promised in the next one.
//!
//! Nothing here depends on the order in which executions are found: whether one is worth to be remembered is asked of the
//! sources known when the round began. So workers can share a round.

use rustc_hash::{FxHashMap, FxHashSet};

use super::committed;
use super::race_report::RaceReport;
use super::rows::NodeSet;
use super::sources::{LabelledEdge, Relations, Source, Sources};
use super::view::View;
use crate::mutation::Mutant;
use crate::settings::XmmRules;

/// What a round, or one worker of it, found.
#[derive(Default)]
pub(super) struct Findings {
    /// By what stands for them: the sources of the next round.
    sources: FxHashMap<u128, Source>,
    edges: FxHashSet<LabelledEdge>,
    /// By parts of executions: do the sources known at the beginning hold all that can be committed of them?
    covered: FxHashMap<u128, bool>,
    /// A cycle of program order and reads-from may be none of threads.
    pub has_crossing: bool,
    /// Executions that an earlier round counted.
    pub duplicates: u64,
    pub races: RaceReport,
}

impl Findings {
    /// Remember an execution with cycles, with these coherence orders, unless all of its parts that can be committed
    /// together are known.
    ///
    /// No committed set holds all edges of a cycle of threads if each cycle of program order and reads-from is one of
    /// threads (`is_simple`): so only the parts without the edges between two threads of the cycle matter.
    pub fn note(&mut self, known: &Sources, view: &View, orders: &[Vec<u32>], is_simple: bool) {
        self.note_edges(known, view);
        // Locks that follow sections may be committed, too: then all is remembered.
        let is_simple = is_simple && view.follows().next().is_none();
        if is_simple && known.rules() != XmmRules::Strict {
            let edges: Vec<usize> = view.external().collect();
            let of = Relations::new(view, known.rules(), orders);
            // The whole has a cycle, and hardly ever the same committable part as one that is known.
            let is_covered = match cycle_of_threads(view, &edges) {
                Some(cycle) => self.covers_without_one(known, view, (&edges, &cycle), &of),
                None => self.covers(known, view, &edges, &of),
            };
            if is_covered {
                return;
            }
        }
        let is_promisable = !known.promisable(view).is_empty();
        if let Some(source) = known.source(view, orders, is_promisable) {
            let key = known.key_of(&source);
            if !known.has_key(key) {
                self.sources.entry(key).or_insert(source);
            }
        }
    }

    /// The edges that may be promised, if that is new.
    fn note_edges(&mut self, known: &Sources, view: &View) {
        let is_new = |edge: &LabelledEdge| !known.is_promisable(edge) && !self.edges.contains(edge);
        if view.external().any(|read| is_new(&view.edge(read))) {
            let promisable = known.promisable(view);
            self.edges.extend(promisable.into_iter().filter(|edge| !known.is_promisable(edge)));
        }
    }

    /// The same of these edges, which have this cycle of threads.
    fn covers_without_one(
        &mut self,
        known: &Sources,
        view: &View,
        (edges, cycle): (&[usize], &[(u32, u32)]),
        of: &Relations<'_>,
    ) -> bool {
        let mut is_covered = |&left_out: &(u32, u32)| {
            let mut rest: Vec<usize> = Vec::with_capacity(edges.len());
            rest.extend(edges.iter().copied().filter(|&read| between(view, read) != left_out));
            self.covers(known, view, &rest, of)
        };
        if Mutant::OneWayCovered.is_active() {
            return cycle.iter().any(is_covered);
        }
        cycle.iter().all(&mut is_covered)
    }

    /// Do known sources hold all parts with these edges that can be committed together?
    fn covers(&mut self, known: &Sources, view: &View, edges: &[usize], of: &Relations<'_>) -> bool {
        if edges.is_empty() {
            return true;
        }
        let mut kept = NodeSet::empty(view.len());
        edges.iter().for_each(|&read| {
            kept.insert(read);
        });
        view.close_committed(known.rules(), of.rpo, &mut kept);
        let part = view.numbered_part(&kept, edges, &of.cause, of.orders);
        if let Some(&is_covered) = self.covered.get(&part) {
            return is_covered;
        }
        let is_covered = match cycle_of_threads(view, edges) {
            Some(cycle) => self.covers_without_one(known, view, (edges, &cycle), of),
            None => known.has_key(Source::new(view, &kept, of).key(false)) || known.holds(view, &kept, of),
        };
        self.covered.insert(part, is_covered);
        is_covered
    }

    /// Take over what another worker found.
    pub fn merge(&mut self, other: Findings) {
        self.sources.extend(other.sources);
        self.edges.extend(other.edges);
        self.has_crossing |= other.has_crossing;
        self.duplicates += other.duplicates;
        self.races.merge(other.races);
    }

    /// Add the sources and edges to those that are known; true if there are any.
    pub fn remember(&mut self, known: &mut Sources) -> bool {
        let sources = std::mem::take(&mut self.sources).into_iter().collect();
        known.remember_all(sources, std::mem::take(&mut self.edges).into_iter().collect())
    }
}

/// The threads of a read's writer and of the read.
fn between(view: &View, read: usize) -> (u32, u32) {
    let thread = |node: usize| view.nodes[node].label.thread;
    (thread(view.nodes[read].source as usize), thread(read))
}

/// A cycle of threads that read from each other by these reads.
fn cycle_of_threads(view: &View, reads: &[usize]) -> Option<Vec<(u32, u32)>> {
    let mut threads: Vec<(u32, u32)> = reads.iter().map(|&read| between(view, read)).collect();
    threads.sort_unstable();
    threads.dedup();
    committed::cycle(&threads)
}
