//! Which events of a candidate can be committed, and is there an execution from which they can come
//! (docs/xmm.md, "Committed sets")?
//!
//! A candidate is a consistent execution in which program order and reads-from have a cycle. It is one of XMM if
//! some set of its events, closed as the rules demand, leaves the uncommitted reads stable and embeds into an
//! execution that is one of XMM. Smaller sets are easier to embed, so the sets that are looked at are the
//! closures of minimal *feedback sets*: reads without whose edges nothing goes round.

use std::ops::Range;

use super::nodes::{Label, NodeKind};
use super::rows::{NodeSet, Rows};
use super::sources::{Source, Sources};
use super::view::{INIT, NONE, View};
use crate::mutation::Mutant;
use crate::settings::XmmRules;

/// How a candidate is justified.
#[derive(Clone, Debug)]
pub(super) struct Justification {
    /// The committed nodes.
    pub committed: NodeSet,
    /// The number of a source that they embed into.
    pub source: usize,
}

/// A candidate with what is asked of it again and again.
pub(super) struct Candidate<'a> {
    pub view: &'a View,
    pub rules: XmmRules,
    pub rpo: &'a Rows,
    /// The core: nodes from which a way leads into a cycle. All else can be added afterwards.
    core: NodeSet,
    /// The edges between threads into the core: to reads, and to locks that follow sections.
    edges: Vec<(usize, usize)>,
    /// For each coherence order that explains the candidate the place of each node; one alone if the order is part of
    /// an execution.
    pub orders: &'a [Vec<u32>],
}

impl<'a> Candidate<'a> {
    /// None if nothing goes round. Of cycles those count whose reads have such labels.
    pub fn new(
        view: &'a View,
        rules: XmmRules,
        orders: &'a [Vec<u32>],
        counts: impl Fn(&Label) -> bool,
    ) -> Option<Candidate<'a>> {
        let mut core = NodeSet::empty(view.len());
        let mut goes_round = false;
        for read in view.external().filter(|&read| view.goes_round(read) && counts(&view.nodes[read].label)) {
            core.insert(read);
            core.add(view.porf.of(read));
            goes_round = true;
        }
        let edges = view.edges_between_threads().filter(|&(_, to)| core.has(to)).collect();
        goes_round.then(|| Candidate { view, rules, rpo: view.rpo(), core, edges, orders })
    }

    /// Is it justified by one of these sources, with at least these reads committed?
    pub fn justified(
        &self,
        sources: &Sources,
        among: &Range<usize>,
        reads: impl Iterator<Item = usize>,
    ) -> Option<Justification> {
        let mut least = NodeSet::empty(self.view.len());
        for read in reads {
            least.insert(read);
        }
        if self.rules == XmmRules::Strict {
            return super::strict::justified(self, sources, among, &least);
        }
        self.commit(least, sources, among, &mut Vec::new())
    }

    /// Is there a justification that commits at least these nodes? `tried` are sets for which there is none.
    fn commit(
        &self,
        mut committed: NodeSet,
        sources: &Sources,
        among: &Range<usize>,
        tried: &mut Vec<NodeSet>,
    ) -> Option<Justification> {
        self.view.close_committed(self.rules, self.rpo, &mut committed);
        if tried.contains(&committed) {
            return None;
        }
        let result = self.commit_closed(&committed, sources, among, tried);
        if result.is_none() {
            tried.push(committed);
        }
        result
    }

    fn commit_closed(
        &self,
        committed: &NodeSet,
        sources: &Sources,
        among: &Range<usize>,
        tried: &mut Vec<NodeSet>,
    ) -> Option<Justification> {
        let ways = self.feedback(committed);
        let complete = ways.is_empty();
        if complete {
            let source = self.embeds(committed, sources, among)?;
            return Some(Justification { committed: committed.clone(), source });
        }
        // What does not embed now does not embed with more.
        if !sources.know_edges(self.view, committed) {
            return None;
        }
        let tries = if Mutant::OneWayCommitted.is_active() { 1 } else { ways.len() };
        ways.into_iter().take(tries).find_map(|reads| {
            let mut more = committed.clone();
            for read in reads {
                more.insert(read);
            }
            self.commit(more, sources, among, tried)
        })
    }

    /// If uncommitted reads go round, the ways to end one of these cycles: sets of reads, one of which must be
    /// committed.
    fn feedback(&self, committed: &NodeSet) -> Vec<Vec<usize>> {
        let thread = |node: usize| self.view.nodes[node].label.thread;
        let open = self.open(committed);
        let mut edges: Vec<(u32, u32)> = open.iter().map(|&(from, to)| (thread(from), thread(to))).collect();
        edges.sort_unstable();
        edges.dedup();
        if let Some(cycle) = cycle(&edges).filter(|_| !Mutant::ThreadsGoRound.is_active()) {
            let on = |edge: (u32, u32)| {
                let on = |&&(from, to): &&(usize, usize)| (thread(from), thread(to)) == edge;
                open.iter().filter(on).map(|&(_, to)| to).collect()
            };
            return cycle.into_iter().map(on).collect();
        }
        // Where every cycle is one of threads there is no other.
        let is_simple = self.view.is_simple() && !Mutant::ThreadsGoRound.is_active();
        if is_simple || Mutant::SpawnsGoRound.is_active() {
            return Vec::new();
        }
        self.cycle_with_spawns(&open).into_iter().map(|read| vec![read]).collect()
    }

    /// The edges between threads that lead to nodes that are not committed.
    fn open(&self, committed: &NodeSet) -> Vec<(usize, usize)> {
        self.edges.iter().copied().filter(|&(_, to)| !committed.has(to)).collect()
    }

    /// Where threads are created inside the program, program order and uncommitted reads may go round although no
    /// two threads wait for each other: the reads, or locks, on such a cycle.
    fn cycle_with_spawns(&self, open: &[(usize, usize)]) -> Vec<usize> {
        let n = self.view.len();
        let mut rows = self.view.po().clone();
        for &(from, to) in open {
            rows.insert(from, to);
        }
        rows.close();
        let Some(at) = (0..n).find(|&node| rows.has(node, node)) else { return Vec::new() };
        let on = |to: usize| rows.has(at, to) && rows.has(to, at);
        open.iter().filter(|&&(from, to)| on(to) && rows.has(to, from)).map(|&(_, to)| to).collect()
    }

    /// With these nodes committed: do program order and the uncommitted reads go round no more?
    pub fn is_grounded(&self, committed: &NodeSet) -> bool {
        self.cycle_with_spawns(&self.open(committed)).is_empty()
    }

    /// The first of these sources into which the committed nodes embed.
    fn embeds(&self, committed: &NodeSet, sources: &Sources, among: &Range<usize>) -> Option<usize> {
        let cause = (self.rules == XmmRules::Default).then_some(&self.view.porf);
        // Many candidates have the same committed part.
        let nodes: Vec<usize> = committed.iter().collect();
        let part = self.view.part(&nodes, self.rpo, cause, self.orders);
        sources.first_with(part, among, |from| {
            let nodes = most_telling_first(self.view, committed);
            let numbers = sources.numbers(self.view, &nodes)?;
            let is_in = |number: &usize| {
                let source = sources.get(*number);
                let embedding = Embedding {
                    view: self.view,
                    rpo: self.rpo,
                    cause,
                    one_way: false,
                    fixed: None,
                    nodes: &nodes,
                    numbers: &numbers,
                    source,
                };
                let mut orders = self.orders.iter();
                orders.any(|order| source.orders.iter().any(|of_source| embedding.exists(order, of_source)))
            };
            sources.with_edges(self.view, committed, from..among.end).find(is_in)
        })
    }

    /// Panics if the definition says something else of a justification.
    #[cfg(any(test, feature = "paranoid"))]
    pub fn agrees_with_definition(&self, found: &Justification, sources: &Sources) {
        if self.rules == XmmRules::Strict {
            return;
        }
        let nodes = most_telling_first(self.view, &found.committed);
        let numbers = sources.numbers(self.view, &nodes).expect("all labels are known");
        let source = sources.get(found.source);
        let embedding = Embedding {
            view: self.view,
            rpo: self.rpo,
            cause: (self.rules == XmmRules::Default).then_some(&self.view.porf),
            one_way: false,
            fixed: None,
            nodes: &nodes,
            numbers: &numbers,
            source,
        };
        let found = self.orders.iter().find_map(|order| {
            let mut of_source = source.orders.iter();
            of_source.find_map(|there| embedding.find(order, there).map(|map| (map, order, there)))
        });
        let (map, order, there) = found.expect("it embeds");
        super::definition::justifies(&embedding, self.rules, &map, (order, there));
    }

    /// The core.
    pub fn core(&self) -> &NodeSet {
        &self.core
    }
}

/// A cycle of a graph with these edges, as edges.
pub(super) fn cycle(edges: &[(u32, u32)]) -> Option<Vec<(u32, u32)>> {
    let mut left: Vec<(u32, u32)> = edges.to_vec();
    // Take away what has no way in; the rest goes round backwards.
    loop {
        let (before, mut at) = (left.len(), 0);
        while at < left.len() {
            let from = left[at].0;
            if left.iter().any(|&(_, to)| to == from) {
                at += 1;
            } else {
                left.remove(at);
            }
        }
        if left.len() == before {
            break;
        }
    }
    let mut way = Vec::with_capacity(left.len());
    way.push(*left.first()?);
    loop {
        let (from, _) = *way.last()?;
        let next = *left.iter().find(|&&(_, to)| to == from)?;
        if let Some(at) = way.iter().position(|&edge| edge == next) {
            return Some(way.split_off(at));
        }
        way.push(next);
    }
}

/// Looking for an embedding of nodes into a source: a map that keeps labels and relations.
pub(super) struct Embedding<'a> {
    pub view: &'a View,
    pub rpo: &'a Rows,
    /// The causal restriction: what is related here must be in the source's causes.
    pub cause: Option<&'a Rows>,
    /// `rpo` must be in the source's, not equal to it.
    pub one_way: bool,
    /// Nodes that must be mapped to the node at the same place of their thread.
    pub fixed: Option<&'a NodeSet>,
    pub nodes: &'a [usize],
    /// The numbers of their labels.
    pub numbers: &'a [u32],
    pub source: &'a Source,
}

impl Embedding<'_> {
    /// Is there one, with these coherence orders of both?
    pub fn exists(&self, order: &[u32], order_of_source: &[u32]) -> bool {
        self.find(order, order_of_source).is_some()
    }

    /// The images of the nodes, if there is an embedding with these coherence orders of both.
    fn find(&self, order: &[u32], order_of_source: &[u32]) -> Option<Vec<usize>> {
        if !self.numbers.iter().all(|&number| self.source.has_label(number)) {
            return None;
        }
        let mut map = Vec::with_capacity(self.nodes.len());
        self.extend(&mut map, order, order_of_source).then_some(map)
    }

    fn extend(&self, map: &mut Vec<usize>, order: &[u32], order_of_source: &[u32]) -> bool {
        let at = map.len();
        let Some(&number) = self.numbers.get(at) else { return true };
        for image in self.source.with_label(number) {
            if !map.contains(&image) && self.fits(map, image, order, order_of_source) {
                map.push(image);
                if self.extend(map, order, order_of_source) {
                    return true;
                }
                map.pop();
            }
        }
        false
    }

    /// Does the next node fit this image, beside those that have one?
    fn fits(&self, map: &[usize], image: usize, order: &[u32], order_of_source: &[u32]) -> bool {
        let node = self.nodes[map.len()];
        let (here, there) = (&self.view.nodes[node], &self.source.nodes[image]);
        if here.is_read() && (here.source == INIT) != (there.source == INIT) {
            return false;
        }
        let is_fixed = self.fixed.is_some_and(|fixed| fixed.has(node)) || Mutant::PlacesKept.is_active();
        if is_fixed && there.event != here.event.index() {
            return false;
        }
        if here.label.kind == NodeKind::Lock && !self.follows_as_many(node, image) {
            return false;
        }
        map.iter().zip(self.nodes).all(|(&other_image, &other)| {
            let before = &self.view.nodes[other];
            let same_rpo = |a: usize, b: usize, x: usize, y: usize| {
                let (here, there) = (self.rpo.has(a, b), self.source.rpo.has(x, y));
                here == there
                    || !here && (self.one_way || self.view.promised.has(b))
                    || Mutant::CommittedRpoFree.is_active()
            };
            let is_caused = |a: usize, b: usize, x: usize, y: usize| {
                self.cause.is_none_or(|cause| !cause.has(a, b) || self.source.cause.has(x, y))
                    || Mutant::CauseIgnored.is_active()
            };
            let same_order = !here.is_write()
                || !before.is_write()
                || here.label.address != before.label.address
                || Mutant::CommittedOrderFree.is_active()
                || (order[node] < order[other]) == (order_of_source[image] < order_of_source[other_image]);
            let same_source = (here.source != other as u32 || there.source == other_image as u32)
                && (before.source != node as u32 || self.source.nodes[other_image].source == image as u32);
            let same_partner =
                here.partner == NONE || here.partner != other as u32 || there.partner == other_image as u32;
            same_rpo(node, other, image, other_image)
                && self.follows_alike((node, other), (image, other_image))
                && self.follows_alike((other, node), (other_image, image))
                && same_rpo(other, node, other_image, image)
                && is_caused(node, other, image, other_image)
                && is_caused(other, node, other_image, image)
                && same_order
                && same_source
                && same_partner
        })
    }
}

impl Embedding<'_> {
    /// Does a lock follow as many sections as its image? With what else is asked it follows their images, and no others.
    fn follows_as_many(&self, node: usize, image: usize) -> bool {
        self.view.followed_by(node).count() == self.source.followed_by(image).count()
    }

    /// Does the second of two nodes follow the first exactly if their images do?
    fn follows_alike(&self, (a, b): (usize, usize), (x, y): (usize, usize)) -> bool {
        let is_lock = self.view.nodes[b].label.kind == NodeKind::Lock;
        !is_lock
            || self.view.followed_by(b).any(|unlock| unlock == a)
                == self.source.followed_by(y).any(|unlock| unlock == x)
    }
}

/// The nodes of a set, those first of which few others can be the image: reads from other threads and their writers,
/// then other accesses, then what has many like it.
pub(super) fn most_telling_first(view: &View, set: &NodeSet) -> Vec<usize> {
    let mut nodes: Vec<usize> = set.iter().collect();
    let mut read_elsewhere = NodeSet::empty(view.len());
    for read in nodes.iter().copied().filter(|&node| view.is_external(node)) {
        read_elsewhere.insert(view.nodes[read].source as usize);
    }
    nodes.sort_by_key(|&node| match view.nodes[node].label.kind {
        NodeKind::Read | NodeKind::Write if view.is_external(node) || read_elsewhere.has(node) => 0,
        NodeKind::Read | NodeKind::Write => 1,
        NodeKind::Spawn | NodeKind::Join | NodeKind::Lock | NodeKind::Unlock => 2,
        NodeKind::Fence => 3,
    });
    nodes
}
