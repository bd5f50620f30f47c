//! An execution as XMM sees it (docs/xmm.md, "Executions"): a read-modify-write is two nodes, its halves, which
//! may be committed apart.
//!
//! The nodes of a thread have consecutive numbers, so that a row of a clock is a few ranges of bits. Threads come in the
//! order of their names: nodes have the same numbers for every worker.

use std::cell::OnceCell;
use std::sync::Arc;

use super::nodes::{Label, Node, NodeKind, Starts, push_nodes};
use super::promises::Promise;
use super::rows::{NodeSet, Rows};
use super::shape::{Open, Outline, Shape, Shapes};
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
    /// `(po ∪ rf)⁺`.
    pub porf: Rows,
    cause: OnceCell<Rows>,
    /// The reads that read from writes of other threads.
    external: Vec<usize>,
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
    /// Nodes with program order and reads-from.
    fn begin(graph: &Graph, mut nodes: Vec<Node>, starts: Starts, open: &[Open], shapes: &Shapes) -> View {
        let mut external = Vec::with_capacity(nodes.len() / 2);
        for at in 0..nodes.len() {
            if nodes[at].is_read() {
                let source = graph.event(nodes[at].event).rf;
                let writer = if source.is_init() { INIT } else { starts.writer(source) as u32 };
                nodes[at].source = writer;
                if writer != INIT && nodes[writer as usize].label.thread != nodes[at].label.thread {
                    external.push(at);
                }
            }
        }
        let shape = shapes.of(&Outline { graph, nodes: &nodes, starts: &starts, open });
        // What a thread reads from itself comes before the read.
        let mut porf = shape.po.clone();
        for &read in &external {
            porf.insert_closed(nodes[read].source as usize, read);
        }
        View {
            promised: NodeSet::empty(nodes.len()),
            nodes,
            shape,
            hb: Rows::default(),
            porf,
            cause: OnceCell::new(),
            external,
            starts,
            #[cfg(any(test, feature = "paranoid"))]
            definition: None,
        }
    }

    /// The graph of a leaf. Its rows of happens-before must be complete.
    pub fn new<P: Program>(run: &Run<'_, P>, graph: &Graph, shapes: &Shapes) -> View {
        let mut nodes: Vec<Node> = Vec::with_capacity(2 * graph.len());
        let mut starts = Starts::new(graph);
        for t in threads_of(run, graph) {
            starts.begin(t, nodes.len(), graph.threads[t].events.len());
            for (i, event) in graph.threads[t].events.iter().enumerate() {
                push_nodes(run, EventId::new(t as u32, i as u32), event, &mut nodes);
                starts.push(nodes.len());
            }
        }
        let mut view = View::begin(graph, nodes, starts, &[], shapes);
        view.find_happens_before(graph);
        #[cfg(any(test, feature = "paranoid"))]
        {
            view.definition = Some(super::definition::execution(run, graph));
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
        shapes: &Shapes,
    ) -> View {
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
        let open = promises.iter().filter(|promise| promise.kept.is_none());
        // Such a write comes after all that its thread has done.
        let last_of = |name: u32| {
            let thread = run.tables.threads.known(u64::from(name))?;
            let is_there = graph.status.get(thread).is_some_and(|&status| status != ThreadStatus::Absent);
            is_there.then(|| starts.last_of(graph, thread)).flatten()
        };
        let follows = |promise: &Promise| {
            let before = last_of(promise.label.thread).map_or(NONE, |node| node as u32);
            (starts.writer(promise.event) as u32, before)
        };
        let follow: Vec<Open> = open.clone().map(follows).collect();
        let mut view = View::begin(graph, nodes, starts, &follow, shapes);
        for promise in open {
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
        self.shape.is_simple(&self.nodes, &self.external)
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Program order, with spawn and join.
    pub fn po(&self) -> &Rows {
        &self.shape.po
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
        let writes: Vec<usize> = (0..self.len()).filter(|&w| self.nodes[w].is_write()).collect();
        for r in (0..self.len()).filter(|&r| self.nodes[r].is_read()) {
            for &w in &writes {
                if self.nodes[w].label.address == self.nodes[r].label.address
                    && !cause.has(w, r)
                    && self.race(w, r)
                {
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
            if Mutant::HalvesTogether.is_active() && partner != NONE {
                committed.insert(partner as usize);
            }
            if closes {
                committed.add(rpo.of(node));
            }
        }
    }
}
