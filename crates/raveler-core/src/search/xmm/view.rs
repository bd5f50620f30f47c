//! An execution as XMM sees it (docs/xmm.md, "Executions"): a read-modify-write is two nodes, its halves, which
//! may be committed apart.
//!
//! The nodes of a thread have consecutive numbers, so that a row of a clock is a few ranges of bits. Threads come in the
//! order of their names: nodes have the same numbers for every worker.

use std::cell::OnceCell;
use std::sync::Arc;

use super::logs::Logs;
use super::nodes::{Label, Node, NodeKind, Starts};
use super::promises::Promise;
use super::rows::{NodeSet, Rows};
use super::sections::{self, Follows};
use super::shape::{Open, Outline, Shape, Shapes};
use super::sources::LabelledEdge;
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
    shape: Arc<Shape>,
    pub hb: Rows,
    /// `(po ∪ rf)⁺`, where `rf` stands for what locks follow, too.
    pub porf: Rows,
    /// From the end of a section to a lock that follows it, where no word of memory shows that.
    follows: Vec<(usize, usize)>,
    cause: OnceCell<Rows>,
    /// The reads that read from writes of other threads.
    external: Vec<usize>,
    /// The reads whose writers are nodes, and locks that follow something.
    reading: NodeSet,
    /// Writes that are promised and not made yet: what comes before them is not known fully.
    pub promised: NodeSet,
    starts: Starts,
    /// The same as the definition sees it.
    #[cfg(any(test, feature = "paranoid"))]
    pub definition: Option<std::sync::Arc<crate::models::xmm::Halves>>,
}

/// The threads of a graph, in the order of their names.
fn threads_of<'a, P: Program>(run: &'a Run<'_, P>, graph: &'a Graph) -> impl Iterator<Item = usize> + 'a {
    run.tables.threads.by_rank.iter().copied().filter(|&t| t < graph.threads.len())
}

impl View {
    /// Nodes with program order and reads-from. Promises that are still to be kept are writes of their threads.
    fn begin<P: Program>(
        (run, graph): (&Run<'_, P>, &Graph),
        promises: &[Promise],
        logs: &Logs,
        (shapes, follows): (&Shapes, &[Follows]),
    ) -> View {
        let mut nodes: Vec<Node> = Vec::with_capacity(2 * graph.len());
        let mut starts = Starts::new(graph);
        for t in threads_of(run, graph) {
            let base = nodes.len() as u32;
            starts.begin(t, nodes.len(), graph.threads[t].events.len());
            match promises.iter().find(|promise| promise.event.thread() == t) {
                None => {
                    let log = logs.thread(t);
                    nodes.extend_from_slice(&log.nodes);
                    starts.extend(log.ends().map(|end| base + end));
                }
                Some(promise) => {
                    if promise.kept.is_none() {
                        nodes.push(Node::new(promise.label, promise.event));
                    }
                    starts.extend(std::iter::once(nodes.len() as u32));
                }
            }
            for node in nodes[base as usize..].iter_mut().filter(|node| node.partner != NONE) {
                node.partner += base;
            }
        }
        let mut external = Vec::with_capacity(nodes.len() / 2);
        let mut reading = NodeSet::empty(nodes.len());
        for at in 0..nodes.len() {
            match nodes[at].label.kind {
                NodeKind::Read => {
                    let source = graph.event(nodes[at].event).rf;
                    let writer = if source.is_init() { INIT } else { starts.writer(source) as u32 };
                    nodes[at].source = writer;
                    if writer != INIT {
                        reading.insert(at);
                        if nodes[writer as usize].label.thread != nodes[at].label.thread {
                            external.push(at);
                        }
                    }
                }
                NodeKind::Write => nodes[at].write_index = graph.event(nodes[at].event).write_index,
                _ => {}
            }
        }
        // Such a write comes after all that its thread has done.
        let last_of = |name: u32| {
            let thread = run.tables.threads.known(u64::from(name))?;
            let is_there = graph.status.get(thread).is_some_and(|&status| status != ThreadStatus::Absent);
            is_there.then(|| starts.last_of(graph, thread)).flatten()
        };
        let open = promises.iter().filter(|promise| promise.kept.is_none());
        let open: Vec<Open> = open
            .map(|promise| {
                let before = last_of(promise.label.thread).map_or(NONE, |node| node as u32);
                (starts.writer(promise.event) as u32, before)
            })
            .collect();
        let shape = shapes.of(&Outline { graph, nodes: &nodes, starts: &starts, logs, open: &open });
        // What a thread reads from itself comes before the read.
        let mut porf = shape.po.clone();
        for &read in &external {
            porf.insert_closed(nodes[read].source as usize, read);
        }
        let node_of = |&(unlock, lock): &Follows| (starts.reader(unlock), starts.reader(lock));
        let follows: Vec<(usize, usize)> = follows.iter().map(node_of).collect();
        for &(unlock, lock) in &follows {
            porf.insert_closed(unlock, lock);
            reading.insert(lock);
        }
        View {
            promised: NodeSet::empty(nodes.len()),
            nodes,
            shape,
            hb: Rows::default(),
            porf,
            follows,
            cause: OnceCell::new(),
            external,
            reading,
            starts,
            #[cfg(any(test, feature = "paranoid"))]
            definition: None,
        }
    }

    /// The graph of a leaf, whose nodes are in `logs`, and what its locks follow. Its rows of happens-before must be
    /// complete.
    pub fn new<P: Program>(
        run: &Run<'_, P>,
        graph: &Graph,
        logs: &Logs,
        shapes: &Shapes,
        follows: &[Follows],
    ) -> View {
        let mut view = View::begin((run, graph), &[], logs, (shapes, follows));
        view.find_happens_before(graph);
        #[cfg(any(test, feature = "paranoid"))]
        {
            view.definition = Some(super::definition::execution(run, graph, follows));
            super::definition::agrees(&view);
        }
        view
    }

    /// The graph on the way to a leaf, with promises that are still to be kept as writes of their threads. All that
    /// it says of the nodes that are there holds in every leaf; happens-before is not in it.
    pub fn of_path<P: Program>(
        run: &Run<'_, P>,
        graph: &Graph,
        promises: &[Promise],
        logs: &Logs,
        shapes: &Shapes,
    ) -> View {
        let follows = match run.tables.locks.leaves_any_unordered() {
            true => sections::as_taken(graph),
            false => Vec::new(),
        };
        let mut view = View::begin((run, graph), promises, logs, (shapes, &follows));
        for promise in promises.iter().filter(|promise| promise.kept.is_none()) {
            let (read, promised) = (view.reader(promise.read), view.writer(promise.event));
            view.promised.insert(promised);
            // The read that it was made for leads to it.
            view.porf.insert_closed(read, promised);
        }
        view
    }

    fn find_happens_before(&mut self, graph: &Graph) {
        if self.shape.is_relaxed {
            self.hb = self.shape.po.clone();
            return;
        }
        let n = self.len();
        self.hb = Rows::empty(n);
        for node in 0..n {
            let Node { event, partner, .. } = self.nodes[node];
            for (t, &count) in graph.hb(event).iter().enumerate().filter(|(_, count)| **count > 0) {
                let count = u32::from(count);
                // Rows may still name events that stood for promises.
                if count <= self.starts.events(t) {
                    let (from, to) = (self.starts.at(t, 0), self.starts.at(t, count));
                    self.hb.insert_range(from, to, node);
                }
            }
            // The read half of an update comes before its write half.
            if self.nodes[node].is_write() && partner != NONE {
                self.hb.insert(partner as usize, node);
            }
        }
    }

    /// The node of a write.
    pub fn writer(&self, id: EventId) -> usize {
        self.starts.writer(id)
    }

    /// The node of a read.
    pub fn reader(&self, id: EventId) -> usize {
        self.starts.reader(id)
    }

    /// Is every cycle of program order and reads-from one of threads that read from each other?
    pub fn is_simple(&self) -> bool {
        self.shape.is_simple(self.edges_between_threads())
    }

    /// The edges between threads: from writes to reads, and from ends of sections to locks.
    pub fn edges_between_threads(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let reads = self.external().map(|read| (self.nodes[read].source as usize, read));
        let thread = |node: usize| self.nodes[node].label.thread;
        reads.chain(self.follows().filter(move |&(unlock, lock)| thread(unlock) != thread(lock)))
    }

    /// From the end of a section to a lock that follows it.
    pub fn follows(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.follows.iter().copied()
    }

    /// The ends of sections that a lock follows.
    pub fn followed_by(&self, lock: usize) -> impl Iterator<Item = usize> + '_ {
        self.follows().filter(move |&(_, later)| later == lock).map(|(unlock, _)| unlock)
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Program order, with spawn and join.
    pub fn po(&self) -> &Rows {
        &self.shape.po
    }

    /// What stands for all that does not depend on what is read.
    pub fn shape_key(&self) -> u128 {
        self.shape.key
    }

    /// `rpo`: the order that may not be relaxed (docs/xmm.md, "Derived relations").
    pub fn rpo(&self) -> &Rows {
        &self.shape.rpo
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
        let accesses = |kind: NodeKind| {
            let of_kind = self.nodes.iter().enumerate().filter(move |(_, node)| node.label.kind == kind);
            of_kind.map(|(at, node)| (at, node.label.address))
        };
        let mut writes: Vec<(usize, u64)> = Vec::with_capacity(self.len());
        writes.extend(accesses(NodeKind::Write));
        for (r, address) in accesses(NodeKind::Read) {
            for &(w, _) in writes.iter().filter(|&&(_, written)| written == address) {
                if !cause.has(w, r) && self.race(w, r) {
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

    /// What a read reads from another thread, as labels.
    pub fn edge(&self, read: usize) -> LabelledEdge {
        (self.nodes[self.nodes[read].source as usize].label, self.nodes[read].label)
    }

    /// Does the read lead to the write that it reads?
    pub fn goes_round(&self, read: usize) -> bool {
        let source = self.nodes[read].source;
        source < INIT && self.porf.has(read, source as usize)
    }

    /// The reads that read from writes of other threads.
    pub fn external(&self) -> impl Iterator<Item = usize> + '_ {
        self.external.iter().copied()
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
            if !Mutant::FollowedUncommitted.is_active() {
                for unlock in self.followed_by(node) {
                    committed.insert(unlock);
                }
            }
            if Mutant::HalvesTogether.is_active() && partner != NONE {
                committed.insert(partner as usize);
            }
            if closes {
                committed.add(rpo.of(node));
                // All before these comes with them; only what they read is left.
                if !Mutant::HalvesTogether.is_active() {
                    done.add_without(rpo.of(node), &self.reading);
                }
            }
        }
    }
}
