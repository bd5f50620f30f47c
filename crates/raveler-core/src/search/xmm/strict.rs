//! The strict rules, those of the Coq development (docs/xmm.md, "Rule sets"): for study, by enumeration.
//!
//! Some committed events are *determined*: prefixes of threads, the same in both executions, among them every event
//! that acquires or releases. A thread is either committed as a whole, or all it sees of other threads must come
//! from threads before it.

use std::ops::Range;

use super::committed::{Candidate, Embedding, Justification, cycle, most_telling_first};
use super::nodes::NodeKind;
use super::rows::NodeSet;
use super::sources::{Source, Sources};
use super::view::{INIT, View};

/// Is the candidate justified by one of these sources, with at least these nodes committed?
pub(super) fn justified(
    candidate: &Candidate<'_>,
    sources: &Sources,
    among: &Range<usize>,
    least: &NodeSet,
) -> Option<Justification> {
    let threads = Threads::new(candidate);
    (0..1u32 << threads.list.len().min(20)).find_map(|whole| {
        if !threads.is_stable(candidate, whole) {
            return None;
        }
        let mut prefixes = threads.least.clone();
        loop {
            let committed = threads.committed(candidate, whole, &prefixes);
            let found = committed
                .filter(|(_, committed)| least.iter().all(|node| committed.has(node)))
                .and_then(|sets| threads.commit(candidate, &prefixes, sets, (sources, among)));
            if found.is_some() {
                return found;
            }
            if !threads.next(&mut prefixes) {
                return None;
            }
        }
    })
}

/// The threads of a candidate's core.
struct Threads {
    /// The core's nodes of each thread, in order.
    list: Vec<Vec<usize>>,
    /// How many of them must be determined.
    least: Vec<usize>,
}

impl Threads {
    fn new(candidate: &Candidate<'_>) -> Threads {
        let view = candidate.view;
        let mut list: Vec<Vec<usize>> = Vec::new();
        for node in candidate.core().iter() {
            let thread = view.nodes[node].label.thread;
            match list.iter_mut().find(|nodes| view.nodes[nodes[0]].label.thread == thread) {
                Some(nodes) => nodes.push(node),
                None => list.push(vec![node]),
            }
        }
        let orders = |&node: &usize| {
            let label = &view.nodes[node].label;
            label.acquires || label.releases
        };
        let least = list.iter().map(|nodes| nodes.iter().rposition(&orders).map_or(0, |at| at + 1));
        Threads { least: least.collect(), list }
    }

    /// The next choice of prefixes; false after the last.
    fn next(&self, prefixes: &mut [usize]) -> bool {
        for (t, prefix) in prefixes.iter_mut().enumerate() {
            if *prefix < self.list[t].len() {
                *prefix += 1;
                return true;
            }
            *prefix = self.least[t];
        }
        false
    }

    /// With these threads committed as a whole: do the others see only threads before them?
    fn is_stable(&self, candidate: &Candidate<'_>, whole: u32) -> bool {
        let view = candidate.view;
        let mut edges = Vec::new();
        for (t, nodes) in self.list.iter().enumerate().filter(|(t, _)| whole >> t & 1 == 0) {
            let own = view.nodes[self.list[t][0]].label.thread;
            for &node in nodes {
                for write in seen(view, node, candidate.core()) {
                    let of = view.nodes[write].label.thread;
                    if of != own {
                        edges.push((of, own));
                    }
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        cycle(&edges).is_none()
    }

    /// What is determined and what is committed, if whole threads and prefixes of the others are.
    fn committed(
        &self,
        candidate: &Candidate<'_>,
        whole: u32,
        prefixes: &[usize],
    ) -> Option<(NodeSet, NodeSet)> {
        let view = candidate.view;
        let mut determined = NodeSet::empty(view.len());
        for (nodes, &count) in self.list.iter().zip(prefixes) {
            for &node in &nodes[..count] {
                determined.insert(node);
            }
        }
        let mut committed = determined.clone();
        for (_, nodes) in self.list.iter().enumerate().filter(|(t, _)| whole >> t & 1 != 0) {
            for &node in nodes {
                committed.insert(node);
            }
        }
        let mut open: Vec<usize> = committed.iter().collect();
        while let Some(node) = open.pop() {
            let source = view.nodes[node].source;
            let unlocks = view.followed_by(node);
            for of in unlocks.chain((source < INIT).then_some(source as usize)) {
                if committed.insert(of) {
                    open.push(of);
                }
            }
        }
        // What follows a determined prefix directly and is committed is determined, too.
        let goes_on = |(nodes, &count): (&Vec<usize>, &usize)| {
            count > 0 && nodes.get(count).is_some_and(|&node| committed.has(node))
        };
        // A prefix reaches over spawns and joins into other threads.
        let is_open = |node: usize| view.po().before(node).any(|before| !determined.has(before));
        let is_wrong = self.list.iter().zip(prefixes).any(goes_on)
            || determined.iter().any(is_open)
            || !candidate.is_grounded(&committed);
        (!is_wrong).then_some((determined, committed))
    }

    /// Does a source have all of that?
    fn commit(
        &self,
        candidate: &Candidate<'_>,
        prefixes: &[usize],
        (determined, committed): (NodeSet, NodeSet),
        (sources, among): (&Sources, &Range<usize>),
    ) -> Option<Justification> {
        let view = candidate.view;
        let nodes = most_telling_first(view, &committed);
        let numbers = sources.numbers(view, &nodes)?;
        let embeds = |&number: &usize| {
            let source = sources.get(number);
            self.has_prefixes(view, prefixes, source) && {
                let embedding = Embedding {
                    view,
                    rpo: candidate.rpo,
                    cause: None,
                    one_way: true,
                    fixed: Some(&determined),
                    nodes: &nodes,
                    numbers: &numbers,
                    source,
                };
                let with =
                    |order: &Vec<u32>| source.orders.iter().any(|there| embedding.exists(order, there));
                candidate.orders.iter().any(with)
            }
        };
        let source = sources.with_edges(view, &committed, among.clone()).find(embeds)?;
        Some(Justification { committed, source })
    }

    /// Does the source begin its threads with these prefixes, with nothing else between their events?
    fn has_prefixes(&self, view: &View, prefixes: &[usize], source: &Source) -> bool {
        self.list.iter().zip(prefixes).all(|(nodes, &count)| {
            let Some(&first) = nodes.first() else { return true };
            let thread = view.nodes[first].label.thread;
            let there = source.nodes.iter().filter(|node| node.label.thread == thread);
            let same =
                there.zip(&nodes[..count]).filter(|(there, here)| there.label == view.nodes[**here].label);
            same.count() == count
        })
    }
}

/// The writes that a node sees: by reading, and by what happens before it.
fn seen(view: &View, node: usize, core: &NodeSet) -> Vec<usize> {
    let mut writes = Vec::new();
    let mut see = |via: usize| {
        let at = &view.nodes[via];
        // To end a section counts as a write, like the release of a lock that is a word of memory.
        if matches!(at.label.kind, NodeKind::Write | NodeKind::Unlock) {
            writes.push(via);
        }
        if at.source < INIT {
            writes.push(at.source as usize);
        }
    };
    see(node);
    view.hb.before(node).filter(|&before| core.has(before)).for_each(&mut see);
    writes
}
