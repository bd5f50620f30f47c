//! What is remembered of the executions found so far: their committable parts (docs/xmm.md, "What is remembered").
//!
//! Of an execution no more is kept than the events that some re-execution may commit: those on its promisable edges,
//! closed as the rules demand, with the relations between them. Executions that agree in that are one source.

use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use super::committed::{self, Embedding};
use super::lb_races::{self, Promisable};
use super::nodes::Label;
use super::parts::number;
use super::possible::{Cycles, Locations};
use super::rows::{NodeSet, Rows};
use super::view::{INIT, NONE, View};
use crate::graph::{Graph, Loc};
use crate::program::action::Value;
use crate::settings::{Settings, XmmRules};

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
    /// The number of the label of each, with the node; sorted. And the set of these numbers.
    numbers: Vec<(u32, u32)>,
    labels: Vec<u64>,
    /// From the ends of sections to locks that follow them.
    follows: Vec<(u32, u32)>,
    pub rpo: Rows,
    pub cause: Rows,
    /// For each coherence order that explains the execution the place of each node.
    pub orders: Vec<Vec<u32>>,
    /// The round that found it; the ordinary search is round 0.
    pub round: u32,
    /// All of it.
    #[cfg(any(test, feature = "paranoid"))]
    pub whole: super::definition::Whole,
}

impl Source {
    pub fn new(view: &View, kept: &NodeSet, of: &Relations<'_>) -> Source {
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
            numbers: Vec::new(),
            labels: Vec::new(),
            follows: view
                .follows()
                .map(|(unlock, lock)| (numbers[unlock], numbers[lock]))
                .filter(|&(_, lock)| lock != NONE)
                .collect(),
            orders,
            round: 0,
            #[cfg(any(test, feature = "paranoid"))]
            whole: super::definition::Whole::new(view, &kept, of.orders),
        }
    }

    /// Has a node the label of this number?
    pub fn has_label(&self, number: u32) -> bool {
        self.labels.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 != 0)
    }

    /// The nodes with the label of this number.
    pub fn with_label(&self, number: u32) -> impl Iterator<Item = usize> + '_ {
        let first = self.numbers.partition_point(|&(of, _)| of < number);
        self.numbers[first..].iter().take_while(move |(of, _)| *of == number).map(|&(_, node)| node as usize)
    }

    /// The ends of sections that a lock follows.
    pub fn followed_by(&self, lock: usize) -> impl Iterator<Item = usize> + '_ {
        self.follows
            .iter()
            .filter(move |(_, later)| *later as usize == lock)
            .map(|&(unlock, _)| unlock as usize)
    }

    /// The edges between threads.
    pub fn edges(&self) -> impl Iterator<Item = LabelledEdge> + '_ {
        let reads = self.nodes.iter().filter(|node| node.source < INIT);
        let edges = reads.map(|node| (self.nodes[node.source as usize].label, node.label));
        edges.filter(|(write, read)| write.thread != read.thread)
    }

    /// A number that stands for all that is remembered of it; places of events matter to strict rules alone.
    pub fn key(&self, with_places: bool) -> u128 {
        let mut words = Vec::with_capacity(5 * self.nodes.len());
        for node in &self.nodes {
            words.extend(node.label.words());
            words.push(u64::from(node.source) << 32 | u64::from(node.partner));
            if with_places {
                words.push(u64::from(node.event));
            }
        }
        number(&(words, &self.follows, &self.rpo, &self.cause, &self.orders))
    }
}

/// Places in the coherence orders, as ranks among the nodes that are kept.
fn ranks(nodes: &[SourceNode], places: Vec<u32>) -> Vec<u32> {
    let writes: Vec<usize> = (0..nodes.len()).filter(|&at| places[at] > 0).collect();
    let mut ranks = vec![0; nodes.len()];
    for &at in &writes {
        let earlier = |other: &&usize| {
            nodes[**other].label.address == nodes[at].label.address && places[**other] < places[at]
        };
        ranks[at] = 1 + writes.iter().filter(earlier).count() as u32;
    }
    ranks
}

/// A read-from edge between threads, as labels.
pub(super) type LabelledEdge = (Label, Label);

/// All that is remembered. Copies share the sources.
#[derive(Clone)]
pub(super) struct Sources {
    rules: XmmRules,
    which: Promisable,
    all: Vec<Arc<Source>>,
    keys: FxHashSet<u128>,
    /// The numbers of labels.
    labels: FxHashMap<Label, u32>,
    /// By edge: the sources that have it.
    by_edge: FxHashMap<LabelledEdge, Vec<u32>>,
    /// The edges for which a promise may be made, with the round in which each was found; the ordinary search is
    /// round 0.
    promisable: FxHashMap<LabelledEdge, u32>,
    /// By thread and address: such edges into such reads.
    by_reader: FxHashMap<(u32, u64), Vec<LabelledEdge>>,
    round: u32,
    /// By committed part: whether a source has it.
    embedded: RefCell<FxHashMap<(u128, usize), Embedded>>,
}

/// What is known of a committed part.
#[derive(Clone, Copy)]
enum Embedded {
    /// The first source that has it.
    In(usize),
    /// No source below this one has it.
    NotBelow(usize),
}

impl Sources {
    pub fn new(settings: &Settings) -> Sources {
        let rules = settings.xmm_rules;
        let is_filtered = rules == XmmRules::Default && settings.xmm_filter;
        Sources {
            rules,
            which: if is_filtered { Promisable::Caused } else { Promisable::All },
            all: Vec::new(),
            keys: FxHashSet::default(),
            labels: FxHashMap::default(),
            by_edge: FxHashMap::default(),
            promisable: FxHashMap::default(),
            by_reader: FxHashMap::default(),
            round: 0,
            embedded: RefCell::default(),
        }
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

    /// Is it known that promises may be made for this edge?
    pub fn is_promisable(&self, edge: &LabelledEdge) -> bool {
        self.promisable.contains_key(edge)
    }

    /// May a promise be made for this edge in this round?
    pub fn has_edge(&self, edge: &LabelledEdge) -> bool {
        self.promisable.get(edge).is_some_and(|&since| since < self.round)
    }

    /// The first of these sources that has a committed part. `find` finds it, from a source on, where it is not known.
    pub fn first_with(
        &self,
        part: u128,
        among: &Range<usize>,
        find: impl FnOnce(usize) -> Option<usize>,
    ) -> Option<usize> {
        // The answer for all sources from the first on, or from that of a round.
        let key = (part, among.start);
        let from = match self.embedded.borrow().get(&key) {
            Some(&Embedded::In(source)) => return Some(source).filter(|&source| source < among.end),
            Some(&Embedded::NotBelow(below)) => below,
            None => among.start,
        };
        if from >= among.end {
            return None;
        }
        let first = find(from);
        let embedded = first.map_or(Embedded::NotBelow(among.end), Embedded::In);
        self.embedded.borrow_mut().insert(key, embedded);
        first
    }

    /// Does some source have each edge between committed nodes of different threads?
    pub fn know_edges(&self, view: &View, committed: &NodeSet) -> bool {
        committed
            .iter()
            .filter(|&node| view.is_external(node))
            .all(|read| self.by_edge.contains_key(&view.edge(read)))
    }

    /// Those of these sources that have all edges between committed nodes of different threads.
    pub fn with_edges<'a>(
        &'a self,
        view: &View,
        committed: &NodeSet,
        among: Range<usize>,
    ) -> impl Iterator<Item = usize> + use<'a> {
        let mut lists: Vec<&'a [u32]> = Vec::new();
        for read in committed.iter().filter(|&node| view.is_external(node)) {
            let list = self.by_edge.get(&view.edge(read));
            lists.push(list.map_or(&[], Vec::as_slice));
        }
        lists.sort_by_key(|list| list.len());
        let mut rest = lists.into_iter();
        // Without an edge all have them.
        let first = rest.next().map(|list| {
            let at = |end: usize| list.partition_point(|&source| (source as usize) < end);
            &list[at(among.start)..at(among.end).max(at(among.start))]
        });
        let count = first.map_or(among.len(), <[u32]>::len);
        let candidates = (0..count).map(move |at| match first {
            Some(list) => list[at] as usize,
            None => among.start + at,
        });
        let rest: Vec<&[u32]> = rest.collect();
        candidates.filter(move |&source| rest.iter().all(|list| list.binary_search(&(source as u32)).is_ok()))
    }

    /// Of the edges on circles that are possible: the locations of those among which one is promised. On every cycle
    /// some read is committed; and if its edge is hard, the release demands (E4) that the edge before it on the cycle
    /// is committed, too. Not all edges are hard.
    pub fn where_promised(&self, cycles: Cycles) -> Locations {
        match self.rules {
            XmmRules::Default | XmmRules::NoCausalRestriction => cycles.soft,
            XmmRules::Printed | XmmRules::Strict => cycles.all(),
        }
    }

    /// Can this graph, which has no cycles, be a source?
    pub fn wants(&self, graph: &Graph, is_cyclic: impl Fn(Loc) -> bool) -> bool {
        match self.which {
            Promisable::Caused => lb_races::has_promisable(graph, is_cyclic),
            Promisable::All => true,
        }
    }

    /// Remember an execution with these coherence orders.
    pub fn remember(&mut self, view: &View, orders: &[Vec<u32>]) {
        let promisable = self.promisable(view);
        promisable.iter().for_each(|&edge| {
            self.promise(edge);
        });
        if let Some(source) = self.source(view, orders, !promisable.is_empty()) {
            self.insert(source);
        }
    }

    /// The edges of an execution for which promises may be made.
    pub fn promisable(&self, view: &View) -> Vec<LabelledEdge> {
        lb_races::promisable(view, self.which).into_iter().map(|read| view.edge(read)).collect()
    }

    /// What there is to remember of an execution; nothing if no edge of it may be promised.
    pub fn source(&self, view: &View, orders: &[Vec<u32>], is_promisable: bool) -> Option<Source> {
        let mut kept = NodeSet::empty(view.len());
        if self.rules == XmmRules::Strict {
            // Committed events need not be closed under what may not be relaxed: all of them may be asked for.
            (0..view.len()).for_each(|node| {
                kept.insert(node);
            });
        } else if !is_promisable {
            return None;
        }
        let of = Relations::new(view, self.rules, orders);
        // With an edge of a cycle other edges between the same threads are committed, wherever they lie.
        view.edges_between_threads().for_each(|(_, to)| {
            kept.insert(to);
        });
        view.close_committed(self.rules, of.rpo, &mut kept);
        Some(Source::new(view, &kept, &of))
    }

    /// Promises may be made for this edge; true if that is new.
    fn promise(&mut self, edge: LabelledEdge) -> bool {
        if self.promisable.contains_key(&edge) {
            return false;
        }
        self.promisable.insert(edge, self.round);
        self.by_reader.entry((edge.1.thread, edge.1.address)).or_default().push(edge);
        true
    }

    /// The number that stands for all that is remembered of a source.
    pub fn key_of(&self, source: &Source) -> u128 {
        source.key(self.rules == XmmRules::Strict)
    }

    /// Is there a source for which this number stands?
    pub fn has_key(&self, key: u128) -> bool {
        self.keys.contains(&key)
    }

    /// Does a known source hold all that this part does?
    pub fn holds(&self, view: &View, kept: &NodeSet, of: &Relations<'_>) -> bool {
        let nodes = committed::most_telling_first(view, kept);
        let Some(numbers) = self.numbers(view, &nodes) else { return false };
        self.with_edges(view, kept, 0..self.all.len()).any(|number| {
            let source = &self.all[number];
            let embedding = Embedding {
                view,
                rpo: of.rpo,
                cause: Some(&of.cause),
                one_way: false,
                fixed: None,
                nodes: &nodes,
                numbers: &numbers,
                source,
            };
            let has = |order: &Vec<u32>| source.orders.iter().any(|there| embedding.exists(order, there));
            of.orders.iter().all(has)
        })
    }

    /// The numbers of these nodes' labels; none if one is in no source.
    pub fn numbers(&self, view: &View, nodes: &[usize]) -> Option<Vec<u32>> {
        nodes.iter().map(|&node| self.labels.get(&view.nodes[node].label).copied()).collect()
    }

    fn insert(&mut self, mut source: Source) -> bool {
        if !self.keys.insert(self.key_of(&source)) {
            return false;
        }
        source.numbers.clear();
        for (at, node) in source.nodes.iter().enumerate() {
            let next = self.labels.len() as u32;
            source.numbers.push((*self.labels.entry(node.label).or_insert(next), at as u32));
        }
        source.numbers.sort_unstable();
        let last = source.numbers.last().map_or(0, |&(number, _)| number as usize + 1);
        source.labels = vec![0; last.div_ceil(64)];
        for &(number, _) in &source.numbers {
            source.labels[number as usize / 64] |= 1 << (number % 64);
        }
        let number = self.all.len() as u32;
        for edge in source.edges() {
            let list = self.by_edge.entry(edge).or_default();
            if list.last() != Some(&number) {
                list.push(number);
            }
        }
        source.round = self.round;
        self.all.push(Arc::new(source));
        true
    }

    /// Remember all of these sources and edges; true if one of them is new. Their order does not depend on what found
    /// them first: it decides which source is asked first.
    pub fn remember_all(&mut self, mut sources: Vec<(u128, Source)>, mut edges: Vec<LabelledEdge>) -> bool {
        sources.sort_by_key(|(key, _)| *key);
        edges.sort_unstable();
        let mut is_new = false;
        for (_, source) in sources {
            is_new |= self.insert(source);
        }
        for edge in edges {
            is_new |= self.promise(edge);
        }
        is_new
    }

    /// The sources of several workers as those of one.
    pub fn joined(settings: &Settings, of_workers: impl Iterator<Item = Sources>) -> Sources {
        let mut all = Sources::new(settings);
        let (mut sources, mut edges) = (Vec::new(), Vec::new());
        for of_worker in of_workers {
            edges.extend(of_worker.promisable.into_keys());
            let of_worker = of_worker.all.into_iter().map(Arc::unwrap_or_clone);
            sources.extend(of_worker.map(|source| (all.key_of(&source), source)));
        }
        all.remember_all(sources, edges);
        all
    }
}

/// The relations of an execution of which the part between kept nodes is remembered.
pub(super) struct Relations<'a> {
    pub rpo: &'a Rows,
    pub cause: Cow<'a, Rows>,
    pub orders: &'a [Vec<u32>],
}

impl<'a> Relations<'a> {
    pub fn new(view: &'a View, rules: XmmRules, orders: &'a [Vec<u32>]) -> Relations<'a> {
        let cause = match rules {
            XmmRules::Default => Cow::Borrowed(view.cause()),
            _ => Cow::Owned(Rows::empty(view.len())),
        };
        Relations { rpo: view.rpo(), cause, orders }
    }
}
