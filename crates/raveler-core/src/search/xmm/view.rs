//! An execution as XMM sees it (docs/xmm.md, "Executions"): a read-modify-write is two nodes, its halves, which
//! may be committed apart.
//!
//! The nodes of a thread have consecutive numbers, so that a row of a clock is a few ranges of bits. Threads come in the
//! order of their names: nodes have the same numbers for every worker.

use std::cell::OnceCell;
use std::ops::Range;

use super::nodes::{Label, Node, NodeKind, push_nodes};
use super::promises::Promise;
use super::rows::{NodeSet, Rows};
use crate::graph::{Graph, ThreadStatus};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::Program;
use crate::run::Run;
use crate::settings::XmmRules;

/// No such node.
pub(super) const NONE: u32 = u32::MAX;
/// The initial write as a source.
pub(super) const INIT: u32 = u32::MAX - 1;

/// An execution as nodes and relations.
pub(super) struct View {
    pub nodes: Vec<Node>,
    /// Program order, with spawn and join.
    pub po: Rows,
    pub hb: Rows,
    /// `(po ∪ rf)⁺`.
    pub porf: Rows,
    rpo: OnceCell<Rows>,
    cause: OnceCell<Rows>,
    is_simple: OnceCell<bool>,
    external: OnceCell<Vec<usize>>,
    /// Writes that are promised and not made yet: what comes before them is not known fully.
    pub promised: NodeSet,
    starts: Starts,
    /// All nodes, each after those that come before it in program order.
    order: Vec<u32>,
    /// By thread number: the node that spawned it, or [`NONE`].
    spawns: Vec<u32>,
    /// Joins, with the numbers of the threads that they wait for.
    joins: Vec<(u32, u32)>,
    /// The same as the definition sees it.
    #[cfg(any(test, feature = "paranoid"))]
    pub definition: Option<std::sync::Arc<crate::models::xmm::Halves>>,
}

/// The numbers of the nodes of events.
struct Starts {
    /// By thread number: where it begins in `nodes`, and how many events it has.
    threads: Vec<(u32, u32)>,
    /// The node of each event, of an update the read half; and one more for each thread.
    nodes: Vec<u32>,
}

impl Starts {
    fn new(graph: &Graph) -> Starts {
        let threads = vec![(0, 0); graph.threads.len()];
        // Threads without a name have no nodes: they begin and end at the first.
        let mut nodes = Vec::with_capacity(graph.len() + graph.threads.len() + 1);
        nodes.push(0);
        Starts { threads, nodes }
    }

    /// The nodes of a thread come next, from this one on.
    fn begin(&mut self, thread: usize, node: usize, events: usize) {
        self.threads[thread] = (self.nodes.len() as u32, events as u32);
        self.nodes.push(node as u32);
    }

    /// The nodes of its next event end here.
    fn push(&mut self, node: usize) {
        self.nodes.push(node as u32);
    }

    #[inline]
    fn at(&self, thread: usize, event: u32) -> usize {
        self.nodes[(self.threads[thread].0 + event) as usize] as usize
    }
}

/// The threads of a graph, in the order of their names.
fn threads_of<'a, P: Program>(run: &'a Run<'_, P>, graph: &'a Graph) -> impl Iterator<Item = usize> + 'a {
    run.tables.threads.by_rank.iter().copied().filter(|&t| t < graph.threads.len())
}

impl View {
    /// Nodes without relations.
    fn bare(nodes: Vec<Node>, starts: Starts) -> View {
        let n = nodes.len();
        View {
            nodes,
            po: Rows::empty(n),
            hb: Rows::default(),
            porf: Rows::default(),
            rpo: OnceCell::new(),
            cause: OnceCell::new(),
            is_simple: OnceCell::new(),
            external: OnceCell::new(),
            promised: NodeSet::empty(n),
            spawns: vec![NONE; starts.threads.len()],
            starts,
            order: Vec::with_capacity(n),
            joins: Vec::new(),
            #[cfg(any(test, feature = "paranoid"))]
            definition: None,
        }
    }

    /// The graph of a leaf. Its rows of happens-before must be complete; `is_causal` if program order and reads-from
    /// have no cycle, so that its rows of the past are, too.
    pub fn new<P: Program>(run: &Run<'_, P>, graph: &Graph, is_causal: bool) -> View {
        let mut nodes: Vec<Node> = Vec::with_capacity(2 * graph.len());
        let mut starts = Starts::new(graph);
        for t in threads_of(run, graph) {
            starts.begin(t, nodes.len(), graph.threads[t].events.len());
            for (i, event) in graph.threads[t].events.iter().enumerate() {
                push_nodes(run, EventId::new(t as u32, i as u32), event, &mut nodes);
                starts.push(nodes.len());
            }
        }
        let n = nodes.len();
        let mut view = View::bare(nodes, starts);
        (view.hb, view.porf) = (Rows::empty(n), Rows::empty(n));
        #[cfg(any(test, feature = "paranoid"))]
        {
            view.definition = Some(super::definition::execution(run, graph));
        }
        view.find_sources(graph);
        view.find_program_order(graph);
        for node in 0..n {
            let id = view.nodes[node].event;
            view.take_row(graph.hb(id), node, |view| &mut view.hb);
            view.take_own(node, |view| &mut view.hb);
            if is_causal {
                view.take_row(graph.porf(id), node, |view| &mut view.porf);
                view.take_own(node, |view| &mut view.porf);
            }
        }
        if !is_causal {
            view.find_porf();
        }
        #[cfg(any(test, feature = "paranoid"))]
        super::definition::agrees(&view);
        view
    }

    /// The graph on the way to a leaf, with promises that are still to be kept as writes of their threads. All that
    /// it says of the nodes that are there holds in every leaf; happens-before is not in it.
    pub fn of_path<P: Program>(run: &Run<'_, P>, graph: &Graph, promises: &[Promise]) -> View {
        let mut nodes: Vec<Node> = Vec::with_capacity(2 * graph.len());
        let mut starts = Starts::new(graph);
        for t in threads_of(run, graph) {
            starts.begin(t, nodes.len(), graph.threads[t].events.len());
            for (i, event) in graph.threads[t].events.iter().enumerate() {
                let id = EventId::new(t as u32, i as u32);
                match promises.iter().find(|promise| promise.event == id) {
                    None => push_nodes(run, id, event, &mut nodes),
                    Some(promise) if promise.kept.is_some() => {}
                    Some(Promise { label, .. }) => {
                        let write_index = event.write_index;
                        nodes.push(Node {
                            label: *label,
                            event: id,
                            source: NONE,
                            partner: NONE,
                            write_index,
                        });
                    }
                }
                starts.push(nodes.len());
            }
        }
        let mut view = View::bare(nodes, starts);
        view.find_sources(graph);
        view.find_program_order(graph);
        let open = |promise: &&Promise| promise.kept.is_none();
        for promise in promises.iter().filter(open) {
            // It comes after all that its thread has done.
            let promised = view.writer(promise.event);
            view.promised.insert(promised);
            if let Some(thread) = run.tables.threads.known(u64::from(promise.label.thread))
                && graph.status.get(thread).is_some_and(|&status| status != ThreadStatus::Absent)
                && let Some(before) = view.last_of(graph, thread)
            {
                view.po.insert_all_before(before, promised);
                view.po.insert(before, promised);
            }
        }
        // Nothing comes after promised writes, and they after what their threads have done since.
        if view.promised.last().is_some() {
            let View { order, promised, .. } = &mut view;
            let (mut made, open): (Vec<u32>, Vec<u32>) =
                order.iter().partition(|&&node| !promised.has(node as usize));
            made.extend(open);
            *order = made;
        }
        view.find_porf();
        for promise in promises.iter().filter(open) {
            // The read that it was made for leads to it.
            let (read, promised) = (view.reader(promise.read), view.writer(promise.event));
            view.porf.insert_closed(read, promised);
        }
        view
    }

    /// `(po ∪ rf)⁺`.
    fn find_porf(&mut self) {
        self.porf = self.po.clone();
        for node in 0..self.len() {
            let source = self.nodes[node].source;
            if source < INIT {
                self.porf.insert_closed(source as usize, node);
            }
        }
    }

    fn take_row(&mut self, row: &[u32], node: usize, rows: fn(&mut View) -> &mut Rows) {
        for (t, &count) in row.iter().enumerate().filter(|(_, count)| **count > 0) {
            // Rows may still name events that stood for promises.
            if count <= self.starts.threads[t].1 {
                let (from, to) = (self.starts.at(t, 0), self.starts.at(t, count));
                rows(self).insert_range(from, to, node);
            }
        }
    }

    /// The read half of an update comes before its write half.
    fn take_own(&mut self, node: usize, rows: fn(&mut View) -> &mut Rows) {
        let partner = self.nodes[node].partner;
        if self.nodes[node].is_write() && partner != NONE {
            rows(self).insert(partner as usize, node);
        }
    }

    /// The node of a write.
    pub fn writer(&self, id: EventId) -> usize {
        self.starts.at(id.thread(), id.index() + 1) - 1
    }

    /// The node of a read.
    pub fn reader(&self, id: EventId) -> usize {
        self.starts.at(id.thread(), id.index())
    }

    /// The nodes of a thread.
    fn range(&self, thread: usize) -> Range<usize> {
        self.starts.at(thread, 0)..self.starts.at(thread, self.starts.threads[thread].1)
    }

    /// The last node of a thread, or the one that spawned it if it has none.
    fn last_of(&self, graph: &Graph, thread: usize) -> Option<usize> {
        let Range { start, end } = self.range(thread);
        let parent = graph.threads[thread].parent;
        if start < end { Some(end - 1) } else { (!parent.is_init()).then(|| self.reader(parent)) }
    }

    fn find_sources(&mut self, graph: &Graph) {
        for at in 0..self.nodes.len() {
            if self.nodes[at].is_read() {
                let source = graph.event(self.nodes[at].event).rf;
                self.nodes[at].source = if source.is_init() { INIT } else { self.writer(source) as u32 };
            }
        }
    }

    /// Events were added after those that come before them.
    fn find_program_order(&mut self, graph: &Graph) {
        for (t, thread) in graph.threads.iter().enumerate() {
            // A thread that is not there yet may still name the event that started it in another graph.
            if graph.status[t] != ThreadStatus::Absent && !thread.parent.is_init() {
                self.spawns[t] = self.reader(thread.parent) as u32;
            }
        }
        for &id in &graph.order {
            let t = id.thread();
            let first = self.range(t).start;
            // Some events have no node, such as a promise that was kept.
            for node in self.starts.at(t, id.index())..self.starts.at(t, id.index() + 1) {
                let before = if node > first { node as u32 - 1 } else { self.spawns[t] };
                if before != NONE {
                    self.po.insert_all_before(before as usize, node);
                    self.po.insert(before as usize, node);
                }
                if self.nodes[node].label.kind == NodeKind::Join {
                    let child = graph.event(id).child();
                    self.joins.push((node as u32, child as u32));
                    // What comes before the last event of the thread does so already, its spawn among it.
                    if let Some(before) = self.last_of(graph, child) {
                        self.po.insert_all_before(before, node);
                        self.po.insert(before, node);
                    }
                }
                self.order.push(node as u32);
            }
        }
    }

    /// Is every cycle of program order and reads-from one of threads that read from each other? Spawns and joins may
    /// make others: a thread that reads or joins and then spawns, or one that joins and then writes what others read.
    pub fn is_simple(&self) -> bool {
        *self.is_simple.get_or_init(|| self.find_is_simple())
    }

    fn find_is_simple(&self) -> bool {
        let kind = |node: usize| self.nodes[node].label.kind;
        let mut joins = NodeSet::empty(self.len());
        for node in (0..self.len()).filter(|&node| kind(node) == NodeKind::Join) {
            joins.insert(node);
        }
        let mut entries = joins.clone();
        self.external().for_each(|read| {
            entries.insert(read);
        });
        let is_read_elsewhere =
            |write: usize| self.external().any(|read| self.nodes[read].source as usize == write);
        (0..self.len()).all(|node| match kind(node) {
            NodeKind::Spawn => !entries.meets(self.po.of(node)),
            NodeKind::Write => !joins.meets(self.po.of(node)) || !is_read_elsewhere(node),
            _ => true,
        })
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// `rpo`: the order that may not be relaxed (docs/xmm.md, "Derived relations").
    pub fn rpo(&self) -> &Rows {
        self.rpo.get_or_init(|| self.find_rpo())
    }

    fn find_rpo(&self) -> Rows {
        let n = self.len();
        let mut rpo = Rows::empty(n);
        let keeps_nothing = |node: &Node| {
            let Label { kind, acquires, releases, .. } = node.label;
            !acquires && !releases && !matches!(kind, NodeKind::Spawn | NodeKind::Join)
        };
        if self.nodes.iter().all(keeps_nothing) {
            return rpo;
        }
        // What of program order may not be relaxed depends on the first event, or on the second, or on what they are.
        let (mut first, mut reads, mut fences) = (NodeSet::empty(n), NodeSet::empty(n), NodeSet::empty(n));
        for (node, Node { label, .. }) in self.nodes.iter().enumerate() {
            if label.acquires || label.kind == NodeKind::Join {
                first.insert(node);
            }
            if label.kind == NodeKind::Read {
                reads.insert(node);
            }
            if label.kind == NodeKind::Fence && label.releases {
                fences.insert(node);
            }
        }
        let mut before = NodeSet::empty(n);
        for node in self.order.iter().map(|&node| node as usize) {
            let Label { kind, acquires, releases, .. } = self.nodes[node].label;
            before.clear();
            if releases || kind == NodeKind::Spawn {
                before.add(self.po.of(node));
            } else {
                before.add_of(self.po.of(node), &first);
                if kind == NodeKind::Fence && acquires {
                    before.add_of(self.po.of(node), &reads);
                }
                if kind == NodeKind::Write {
                    before.add_of(self.po.of(node), &fences);
                }
                let spawn = self.spawn_before(node);
                if spawn != NONE {
                    before.insert(spawn as usize);
                }
                if kind == NodeKind::Join
                    && let Some(&(_, child)) = self.joins.iter().find(|(join, _)| *join == node as u32)
                {
                    for other in self.range(child as usize) {
                        before.insert(other);
                    }
                }
            }
            // Program order has no cycle: the rows of what comes before are complete.
            rpo.of_mut(node).copy_from_slice(before.words());
            while let Some(last) = before.last() {
                rpo.insert_all_before(last, node);
                before.remove(last, rpo.of(last));
            }
        }
        rpo
    }

    /// The node that spawned the thread of a node.
    fn spawn_before(&self, node: usize) -> u32 {
        let Node { label, event, .. } = &self.nodes[node];
        if !self.promised.has(node) {
            return self.spawns[event.thread()];
        }
        // It stands in a thread of its own.
        let is_it = |spawn: &u32| {
            let spawn = *spawn;
            spawn != NONE
                && self.nodes[spawn as usize].label.address as u32 == label.thread
                && self.po.has(spawn as usize, node)
        };
        self.spawns.iter().copied().find(is_it).unwrap_or(NONE)
    }

    /// Do two accesses of different events race: the same location, one writes, neither happens before the other?
    pub fn race(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.nodes[a].label, &self.nodes[b].label);
        let access = |label: &Label| matches!(label.kind, NodeKind::Read | NodeKind::Write);
        access(first)
            && access(second)
            && first.address == second.address
            && (first.kind == NodeKind::Write || second.kind == NodeKind::Write)
            && a != b
            && !self.hb.has(a, b)
            && !self.hb.has(b, a)
    }

    /// `(po ∪ rf ∪ race_WR)⁺`: what may have caused what.
    pub fn cause(&self) -> &Rows {
        self.cause.get_or_init(|| self.find_cause())
    }

    fn find_cause(&self) -> Rows {
        let mut cause = self.porf.clone();
        let writes: Vec<usize> = (0..self.len()).filter(|&w| self.nodes[w].is_write()).collect();
        for r in (0..self.len()).filter(|&r| self.nodes[r].is_read()) {
            for &w in &writes {
                if self.nodes[w].label.address == self.nodes[r].label.address && self.race(w, r) {
                    cause.insert_closed(w, r);
                }
            }
        }
        cause
    }

    /// Does this read read from a write of another thread?
    pub fn is_external(&self, read: usize) -> bool {
        let source = self.nodes[read].source;
        source < INIT && self.nodes[source as usize].label.thread != self.nodes[read].label.thread
    }

    /// Does the read lead to the write that it reads?
    pub fn goes_round(&self, read: usize) -> bool {
        let source = self.nodes[read].source;
        source < INIT && self.porf.has(read, source as usize)
    }

    /// The reads that read from writes of other threads.
    pub fn external(&self) -> impl Iterator<Item = usize> + '_ {
        let find = || (0..self.len()).filter(|&node| self.is_external(node)).collect();
        self.external.get_or_init(find).iter().copied()
    }

    /// Add to a set what the rules demand of committed events: the writers of reads, and what may not be relaxed
    /// before them.
    pub fn close_committed(&self, rules: XmmRules, rpo: &Rows, committed: &mut NodeSet) {
        let closes = matches!(rules, XmmRules::Default | XmmRules::NoCausalRestriction)
            && !Mutant::CommittedNotClosed.is_active();
        let mut done = NodeSet::empty(self.len());
        while let Some(node) = committed.first_without(&done) {
            done.insert(node);
            let Node { source, partner, .. } = self.nodes[node];
            if source < INIT && !Mutant::WriterUncommitted.is_active() {
                committed.insert(source as usize);
            }
            if Mutant::HalvesTogether.is_active() && partner != NONE {
                committed.insert(partner as usize);
            }
            if closes {
                committed.add(rpo.of(node));
            }
        }
    }
}
