//! What is remembered of the executions found so far: their committable parts (docs/xmm.md, "What is remembered").
//!
//! Of an execution no more is kept than the events that some re-execution may commit: those on its promisable edges,
//! closed as the rules demand, with the relations between them. Executions that agree in that are one source.

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

use super::committed::{self, Embedding};
use super::lb_races::{self, Promisable};
use super::rows::{NodeSet, Rows};
use super::view::{INIT, Label, NONE, View};
use crate::graph::{Graph, Loc};
use crate::program::action::Value;
use crate::settings::XmmRules;

/// A node of a source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct SourceNode {
    pub label: Label,
    /// Of a read: the node that it reads from, or [`INIT`].
    pub source: u32,
    /// The other half of an update, or [`NONE`].
    pub partner: u32,
    /// The index of its event in the thread.
    pub event: u32,
}

/// The committable part of an execution.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub nodes: Vec<SourceNode>,
    pub rpo: Rows,
    pub cause: Rows,
    /// For each coherence order that explains the execution the place of each node.
    pub orders: Vec<Vec<u32>>,
    /// All of it.
    #[cfg(any(test, feature = "paranoid"))]
    pub whole: super::definition::Whole,
}

impl Source {
    fn new(view: &View, kept: &NodeSet, of: &Relations<'_>) -> Source {
        let mut numbers = vec![NONE; view.len()];
        let kept: Vec<usize> = kept.iter().collect();
        for (number, &node) in kept.iter().enumerate() {
            numbers[node] = number as u32;
        }
        let number = |node: u32| if node < INIT { numbers[node as usize] } else { node };
        let node = |&at: &usize| {
            let node = &view.nodes[at];
            SourceNode {
                label: node.label,
                source: number(node.source),
                partner: number(node.partner),
                event: node.event.index(),
            }
        };
        let nodes: Vec<SourceNode> = kept.iter().map(node).collect();
        let places = |order: &Vec<u32>| ranks(&nodes, kept.iter().map(|&node| order[node]).collect());
        let mut orders: Vec<Vec<u32>> = of.orders.iter().map(places).collect();
        orders.sort_unstable();
        orders.dedup();
        Source {
            rpo: of.rpo.restricted(&kept),
            cause: of.cause.restricted(&kept),
            nodes,
            orders,
            #[cfg(any(test, feature = "paranoid"))]
            whole: super::definition::Whole::new(view, &kept, of.orders),
        }
    }

    /// The nodes with this label.
    pub fn with_label(&self, label: &Label) -> impl Iterator<Item = usize> + '_ {
        let label = *label;
        self.nodes.iter().enumerate().filter(move |(_, node)| node.label == label).map(|(at, _)| at)
    }

    /// The edges between threads.
    fn edges(&self) -> impl Iterator<Item = LabelledEdge> + '_ {
        let reads = self.nodes.iter().filter(|node| node.source < INIT);
        let edges = reads.map(|node| (self.nodes[node.source as usize].label, node.label));
        edges.filter(|(write, read)| write.thread != read.thread)
    }

    /// A number that stands for all that is remembered of it; places of events matter to strict rules alone.
    fn key(&self, with_places: bool) -> u128 {
        let hash = |seed: u64| {
            let mut hasher = FxHasher::default();
            seed.hash(&mut hasher);
            for node in &self.nodes {
                (node.label, node.source, node.partner).hash(&mut hasher);
                if with_places {
                    node.event.hash(&mut hasher);
                }
            }
            (&self.rpo, &self.cause, &self.orders).hash(&mut hasher);
            hasher.finish()
        };
        u128::from(hash(0x9e37_79b9_7f4a_7c15)) << 64 | u128::from(hash(0x2545_f491_4f6c_dd1d))
    }
}

/// Places in the coherence orders, as ranks among the nodes that are kept.
fn ranks(nodes: &[SourceNode], places: Vec<u32>) -> Vec<u32> {
    let rank = |at: usize| {
        let earlier = |other: &usize| {
            nodes[*other].label.address == nodes[at].label.address
                && places[*other] > 0
                && places[*other] < places[at]
        };
        if places[at] == 0 { 0 } else { 1 + (0..nodes.len()).filter(earlier).count() as u32 }
    };
    (0..nodes.len()).map(rank).collect()
}

/// A read-from edge between threads, as labels.
pub(super) type LabelledEdge = (Label, Label);

/// All that is remembered.
pub(super) struct Sources {
    rules: XmmRules,
    which: Promisable,
    all: Vec<Source>,
    keys: FxHashSet<u128>,
    /// By edge: the sources that have it.
    by_edge: FxHashMap<LabelledEdge, Vec<u32>>,
    /// The edges for which a promise may be made, with the round in which each was found; the ordinary search is
    /// round 0.
    promisable: FxHashMap<LabelledEdge, u32>,
    /// By thread and address: such edges into such reads.
    by_reader: FxHashMap<(u32, u64), Vec<LabelledEdge>>,
    round: u32,
    /// Parts of executions that known sources hold.
    covered: FxHashSet<u128>,
}

impl Sources {
    pub fn new(rules: XmmRules) -> Sources {
        Sources {
            rules,
            which: if rules == XmmRules::Default { Promisable::OnTheWay } else { Promisable::All },
            all: Vec::new(),
            keys: FxHashSet::default(),
            by_edge: FxHashMap::default(),
            promisable: FxHashMap::default(),
            by_reader: FxHashMap::default(),
            round: 0,
            covered: FxHashSet::default(),
        }
    }

    /// Nothing is remembered yet.
    pub fn clear(&mut self) {
        *self = Sources::new(self.rules);
    }

    pub fn rules(&self) -> XmmRules {
        self.rules
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn get(&self, number: usize) -> &Source {
        &self.all[number]
    }

    /// May some edge be committed?
    pub fn has_edges(&self) -> bool {
        !self.promisable.is_empty()
    }

    /// A new round begins: what was remembered until now is used.
    pub fn begin_round(&mut self) {
        self.round += 1;
    }

    /// The edges for which promises may be made in this round, into reads of this thread at this address.
    pub fn edges_into(&self, thread: u32, address: u64) -> impl Iterator<Item = &LabelledEdge> {
        let edges = self.by_reader.get(&(thread, address)).map_or(&[][..], Vec::as_slice);
        edges.iter().filter(|edge| self.has_edge(edge))
    }

    /// The values of promises that may be made, with their addresses.
    pub fn promised(&self) -> impl Iterator<Item = (u64, Value)> + '_ {
        self.promisable.keys().map(|(write, _)| (write.address, write.value))
    }

    /// May a promise be made for this edge in this round?
    pub fn has_edge(&self, edge: &LabelledEdge) -> bool {
        self.promisable.get(edge).is_some_and(|&since| since < self.round)
    }

    /// Would the round before this one have built this execution? There, too, a read of a circle of waiting threads
    /// must have been one for which a promise may be made.
    pub fn was_built(&self, view: &View) -> bool {
        let n = view.len();
        let mut added = NodeSet::empty(n);
        let mut promised = NodeSet::empty(n);
        let mut count = 0;
        loop {
            let ready =
                |node: &usize| !added.has(*node) && view.po.before(*node).all(|before| added.has(before));
            let source = |node: usize| view.nodes[node].source;
            let is_there = |node: &usize| {
                let source = source(*node);
                source >= INIT || promised.has(source as usize) || added.has(source as usize)
            };
            if let Some(node) = (0..n).find(|node| ready(node) && is_there(node)) {
                added.insert(node);
                count += 1;
                continue;
            }
            if count == n {
                return true;
            }
            let may_be_promised = |node: &usize| {
                let writer = source(*node) as usize;
                let edge = (view.nodes[writer].label, view.nodes[*node].label);
                view.porf.has(*node, writer)
                    && self.promisable.get(&edge).is_some_and(|&since| since + 1 < self.round)
            };
            let stuck = (0..n).filter(|node| ready(node) && may_be_promised(node));
            let Some(node) = stuck.min_by_key(|&node| view.nodes[node].label.thread) else { return false };
            // Once it is promised, others may read it, too.
            promised.insert(source(node) as usize);
        }
    }

    /// The sources among the first `known` that have all edges between committed nodes of different threads.
    pub fn with_edges(&self, view: &View, committed: &NodeSet, known: usize) -> Vec<usize> {
        let mut lists: Vec<&[u32]> = Vec::new();
        for read in committed.iter().filter(|&node| view.is_external(node)) {
            let writer = view.nodes[read].source as usize;
            match self.by_edge.get(&(view.nodes[writer].label, view.nodes[read].label)) {
                Some(list) => lists.push(list),
                None => return Vec::new(),
            }
        }
        lists.sort_by_key(|list| list.len());
        let Some((first, rest)) = lists.split_first() else { return (0..known).collect() };
        let in_all = |number: &u32| rest.iter().all(|list| list.binary_search(number).is_ok());
        first
            .iter()
            .copied()
            .take_while(|&n| (n as usize) < known)
            .filter(in_all)
            .map(|n| n as usize)
            .collect()
    }

    /// Can this graph, which has no cycles, be a source?
    pub fn wants(&self, graph: &Graph, is_cyclic: impl Fn(Loc) -> bool) -> bool {
        match self.which {
            Promisable::OnTheWay => lb_races::has_promisable(graph, is_cyclic),
            Promisable::All => true,
        }
    }

    /// Remember an execution with these coherence orders; true if it is a new source.
    pub fn remember(&mut self, view: &View, orders: &[Vec<u32>]) -> bool {
        let promisable = lb_races::promisable(view, self.which);
        let mut kept = NodeSet::empty(view.len());
        if self.rules == XmmRules::Strict {
            // Committed events need not be closed under what may not be relaxed: all of them may be asked for.
            (0..view.len()).for_each(|node| {
                kept.insert(node);
            });
        } else if promisable.is_empty() {
            return false;
        }
        let is_more = self.promise(view, &promisable);
        let of = Relations::new(view, self.rules, orders);
        // With an edge of a cycle other edges between the same threads are committed, wherever they lie.
        view.external().for_each(|read| {
            kept.insert(read);
        });
        view.close_committed(self.rules, &of.rpo, &mut kept);
        self.insert(Source::new(view, &kept, &of)) || is_more
    }

    /// Promises may be made for the edges into these reads; true if one is new.
    fn promise(&mut self, view: &View, reads: &[usize]) -> bool {
        let mut is_new = false;
        for &read in reads {
            let writer = view.nodes[read].source as usize;
            let edge = (view.nodes[writer].label, view.nodes[read].label);
            if !self.promisable.contains_key(&edge) {
                self.promisable.insert(edge, self.round);
                self.by_reader.entry((edge.1.thread, edge.1.address)).or_default().push(edge);
                is_new = true;
            }
        }
        is_new
    }

    /// The same for an execution with cycles, unless all of its parts that can be committed together are known.
    ///
    /// No committed set holds all edges of a cycle of threads if each cycle of program order and reads-from is one of
    /// threads (`is_simple`): so only the parts without the edges between two threads of the cycle matter.
    pub fn remember_new(&mut self, view: &View, orders: &[Vec<u32>], is_simple: bool) -> bool {
        if !is_simple || self.rules == XmmRules::Strict {
            return self.remember(view, orders);
        }
        let edges: Vec<usize> = view.external().collect();
        let of = Relations::new(view, self.rules, orders);
        let is_more = self.promise(view, &lb_races::promisable(view, self.which));
        !self.covers(view, &edges, &of) && self.remember(view, orders) || is_more
    }

    /// Do known sources hold all parts with these edges that can be committed together?
    fn covers(&mut self, view: &View, edges: &[usize], of: &Relations<'_>) -> bool {
        let mut kept = NodeSet::empty(view.len());
        edges.iter().for_each(|&read| {
            kept.insert(read);
        });
        view.close_committed(self.rules, &of.rpo, &mut kept);
        let source = Source::new(view, &kept, of);
        let key = source.key(false);
        if edges.is_empty() || self.keys.contains(&key) || self.covered.contains(&key) {
            return true;
        }
        let thread = |node: usize| view.nodes[node].label.thread;
        let between = |read: usize| (thread(view.nodes[read].source as usize), thread(read));
        let mut threads: Vec<(u32, u32)> = edges.iter().map(|&read| between(read)).collect();
        threads.sort_unstable();
        threads.dedup();
        let is_covered = match committed::cycle(&threads) {
            Some(cycle) => cycle.into_iter().all(|left_out| {
                let rest: Vec<usize> =
                    edges.iter().copied().filter(|&read| between(read) != left_out).collect();
                self.covers(view, &rest, of)
            }),
            None => self.holds(view, &kept, of),
        };
        if is_covered {
            self.covered.insert(key);
        }
        is_covered
    }

    /// Does a known source hold all that this part does?
    fn holds(&self, view: &View, kept: &NodeSet, of: &Relations<'_>) -> bool {
        let nodes = committed::most_telling_first(view, kept);
        self.with_edges(view, kept, self.all.len()).into_iter().any(|number| {
            let source = &self.all[number];
            let embedding = Embedding {
                view,
                rpo: &of.rpo,
                cause: Some(&of.cause),
                one_way: false,
                fixed: None,
                nodes: &nodes,
                source,
            };
            let has = |order: &Vec<u32>| source.orders.iter().any(|there| embedding.exists(order, there));
            of.orders.iter().all(has)
        })
    }

    fn insert(&mut self, source: Source) -> bool {
        if !self.keys.insert(source.key(self.rules == XmmRules::Strict)) {
            return false;
        }
        let number = self.all.len() as u32;
        for edge in source.edges() {
            let list = self.by_edge.entry(edge).or_default();
            if list.last() != Some(&number) {
                list.push(number);
            }
        }
        self.all.push(source);
        true
    }

    /// Take over what another worker remembers.
    pub fn merge(&mut self, other: Sources) {
        for source in other.all {
            self.insert(source);
        }
        for (edge, _) in other.promisable {
            if !self.promisable.contains_key(&edge) {
                self.promisable.insert(edge, self.round);
                self.by_reader.entry((edge.1.thread, edge.1.address)).or_default().push(edge);
            }
        }
    }
}

/// The relations of an execution of which the part between kept nodes is remembered.
struct Relations<'a> {
    rpo: Rows,
    cause: Rows,
    orders: &'a [Vec<u32>],
}

impl<'a> Relations<'a> {
    fn new(view: &View, rules: XmmRules, orders: &'a [Vec<u32>]) -> Relations<'a> {
        let cause = if rules == XmmRules::Default { view.cause() } else { Rows::empty(view.len()) };
        Relations { rpo: view.rpo(), cause, orders }
    }
}
