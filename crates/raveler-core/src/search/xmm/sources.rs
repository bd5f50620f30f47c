//! What is remembered of the executions found so far: their committable parts (docs/xmm.md, "What is remembered").
//!
//! Of an execution no more is kept than the events that some re-execution may commit: those on its promisable edges,
//! closed as the rules demand, with the relations between them. Executions that agree in that are one source.

use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

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
    /// The number of the label of each.
    numbers: Vec<u32>,
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
            numbers: Vec::new(),
            orders,
            round: 0,
            #[cfg(any(test, feature = "paranoid"))]
            whole: super::definition::Whole::new(view, &kept, of.orders),
        }
    }

    /// The nodes with the label of this number.
    pub fn with_label(&self, number: u32) -> impl Iterator<Item = usize> + '_ {
        self.numbers.iter().enumerate().filter(move |(_, of)| **of == number).map(|(at, _)| at)
    }

    /// The edges between threads.
    pub fn edges(&self) -> impl Iterator<Item = LabelledEdge> + '_ {
        let reads = self.nodes.iter().filter(|node| node.source < INIT);
        let edges = reads.map(|node| (self.nodes[node.source as usize].label, node.label));
        edges.filter(|(write, read)| write.thread != read.thread)
    }

    /// A number that stands for all that is remembered of it; places of events matter to strict rules alone.
    fn key(&self, with_places: bool) -> u128 {
        let mut words = Vec::with_capacity(5 * self.nodes.len());
        for node in &self.nodes {
            words.extend(node.label.words());
            words.push(u64::from(node.source) << 32 | u64::from(node.partner));
            if with_places {
                words.push(u64::from(node.event));
            }
        }
        number(&(words, &self.rpo, &self.cause, &self.orders))
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

/// All that is remembered.
pub(super) struct Sources {
    rules: XmmRules,
    which: Promisable,
    all: Vec<Source>,
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
    /// Parts of executions that known sources hold.
    covered: FxHashSet<u128>,
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
            covered: FxHashSet::default(),
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

    /// May a promise be made for this edge in this round?
    pub fn has_edge(&self, edge: &LabelledEdge) -> bool {
        self.promisable.get(edge).is_some_and(|&since| since < self.round)
    }

    /// The first of these sources that has a committed part. Asked are those that may have it.
    pub fn first_with(
        &self,
        part: u128,
        among: &Range<usize>,
        possible: impl Fn() -> Vec<usize>,
        is_in: impl Fn(usize) -> bool,
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
        let first = possible().into_iter().filter(|&source| source >= from).find(|&source| is_in(source));
        let embedded = first.map_or(Embedded::NotBelow(among.end), Embedded::In);
        self.embedded.borrow_mut().insert(key, embedded);
        first
    }

    /// Does some source have each edge between committed nodes of different threads?
    pub fn know_edges(&self, view: &View, committed: &NodeSet) -> bool {
        committed.iter().filter(|&node| view.is_external(node)).all(|read| {
            let writer = view.nodes[read].source as usize;
            self.by_edge.contains_key(&(view.nodes[writer].label, view.nodes[read].label))
        })
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
        view.close_committed(self.rules, of.rpo, &mut kept);
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
        // The whole has a cycle, and hardly ever the same committable part as one that is known.
        let is_covered = match cycle_of_threads(view, &edges) {
            Some(cycle) => self.covers_without_one(view, &edges, &cycle, &of),
            None => self.covers(view, &edges, &of),
        };
        !is_covered && self.remember(view, orders) || is_more
    }

    /// The same of these edges, which have this cycle of threads.
    fn covers_without_one(
        &mut self,
        view: &View,
        edges: &[usize],
        cycle: &[(u32, u32)],
        of: &Relations<'_>,
    ) -> bool {
        cycle.iter().all(|&left_out| {
            let rest: Vec<usize> =
                edges.iter().copied().filter(|&read| between(view, read) != left_out).collect();
            self.covers(view, &rest, of)
        })
    }

    /// Do known sources hold all parts with these edges that can be committed together?
    fn covers(&mut self, view: &View, edges: &[usize], of: &Relations<'_>) -> bool {
        let mut kept = NodeSet::empty(view.len());
        edges.iter().for_each(|&read| {
            kept.insert(read);
        });
        view.close_committed(self.rules, of.rpo, &mut kept);
        let source = Source::new(view, &kept, of);
        let key = source.key(false);
        if edges.is_empty() || self.keys.contains(&key) || self.covered.contains(&key) {
            return true;
        }
        let is_covered = match cycle_of_threads(view, edges) {
            Some(cycle) => self.covers_without_one(view, edges, &cycle, of),
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
        let Some(numbers) = self.numbers(view, &nodes) else { return false };
        self.with_edges(view, kept, self.all.len()).into_iter().any(|number| {
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
        if !self.keys.insert(source.key(self.rules == XmmRules::Strict)) {
            return false;
        }
        source.numbers.clear();
        for node in &source.nodes {
            let next = self.labels.len() as u32;
            source.numbers.push(*self.labels.entry(node.label).or_insert(next));
        }
        let number = self.all.len() as u32;
        for edge in source.edges() {
            let list = self.by_edge.entry(edge).or_default();
            if list.last() != Some(&number) {
                list.push(number);
            }
        }
        self.all.push(Source { round: self.round, ..source });
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

/// The relations of an execution of which the part between kept nodes is remembered.
struct Relations<'a> {
    rpo: &'a Rows,
    cause: Cow<'a, Rows>,
    orders: &'a [Vec<u32>],
}

impl<'a> Relations<'a> {
    fn new(view: &'a View, rules: XmmRules, orders: &'a [Vec<u32>]) -> Relations<'a> {
        let cause = match rules {
            XmmRules::Default => Cow::Borrowed(view.cause()),
            _ => Cow::Owned(Rows::empty(view.len())),
        };
        Relations { rpo: view.rpo(), cause, orders }
    }
}
