//! An execution as XMM sees it (docs/xmm.md, "Executions"): a read-modify-write is two nodes, its halves, which
//! may be committed apart.
//!
//! The nodes of a thread have consecutive numbers, so that a row of a clock is a few ranges of bits.

use std::cell::OnceCell;

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
    /// By thread number: the node of each of its events, of an update the read half, and one more.
    starts: Vec<Vec<u32>>,
    /// The same as the definition sees it.
    #[cfg(any(test, feature = "paranoid"))]
    pub definition: Option<std::sync::Arc<crate::models::xmm::Halves>>,
}

impl View {
    /// Nodes without relations.
    fn bare(nodes: Vec<Node>, starts: Vec<Vec<u32>>) -> View {
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
            starts,
            #[cfg(any(test, feature = "paranoid"))]
            definition: None,
        }
    }

    /// The graph of a leaf. Its rows of happens-before must be complete; `is_causal` if program order and reads-from
    /// have no cycle, so that its rows of the past are, too.
    pub fn new<P: Program>(run: &Run<'_, P>, graph: &Graph, is_causal: bool) -> View {
        let mut nodes: Vec<Node> = Vec::with_capacity(2 * graph.len());
        let mut starts = Vec::with_capacity(graph.threads.len());
        for (t, thread) in graph.threads.iter().enumerate() {
            let mut start = Vec::with_capacity(thread.events.len() + 1);
            for (i, event) in thread.events.iter().enumerate() {
                start.push(nodes.len() as u32);
                push_nodes(run, EventId::new(t as u32, i as u32), event, &mut nodes);
            }
            start.push(nodes.len() as u32);
            starts.push(start);
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
        let mut starts = Vec::with_capacity(graph.threads.len());
        for (t, thread) in graph.threads.iter().enumerate() {
            let mut start = vec![nodes.len() as u32];
            for (i, event) in thread.events.iter().enumerate() {
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
                start.push(nodes.len() as u32);
            }
            starts.push(start);
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
            {
                let of_thread = &view.starts[thread];
                let (first, last) = (of_thread[0], of_thread[of_thread.len() - 1]);
                let parent = graph.threads[thread].parent;
                let before = match last > first {
                    true => Some(last as usize - 1),
                    false => (!parent.is_init()).then(|| view.reader(parent)),
                };
                if let Some(before) = before {
                    view.po.insert_all_before(before, promised);
                    view.po.insert(before, promised);
                }
            }
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
            let Some(&to) = self.starts[t].get(count as usize) else { continue };
            let from = self.starts[t][0];
            rows(self).insert_range(from as usize, to as usize, node);
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
        self.starts[id.thread()][id.index() as usize + 1] as usize - 1
    }

    /// The node of a read.
    pub fn reader(&self, id: EventId) -> usize {
        self.starts[id.thread()][id.index() as usize] as usize
    }

    fn find_sources(&mut self, graph: &Graph) {
        for at in 0..self.nodes.len() {
            if self.nodes[at].is_read() {
                let source = graph.event(self.nodes[at].event).rf;
                self.nodes[at].source = if source.is_init() { INIT } else { self.writer(source) as u32 };
            }
        }
    }

    fn find_program_order(&mut self, graph: &Graph) {
        for t in 0..graph.threads.len() {
            let (first, last) =
                (self.starts[t][0] as usize, *self.starts[t].last().expect("one more") as usize);
            for node in first..last {
                self.po.insert_range(first, node, node);
            }
        }
        for t in 0..graph.threads.len() {
            let (first, last) = (self.starts[t][0], *self.starts[t].last().expect("one more"));
            let parent = graph.threads[t].parent;
            if first < last && !parent.is_init() {
                let spawn = self.reader(parent);
                self.po.insert_closed(spawn, first as usize);
            }
        }
        for node in 0..self.nodes.len() {
            if self.nodes[node].label.kind == NodeKind::Join {
                let child = graph.event(self.nodes[node].event).child();
                let (first, last) = (self.starts[child][0], *self.starts[child].last().expect("one more"));
                // What comes before the last event of the thread does so already, its spawn among it.
                let before = match first < last {
                    true => last as usize - 1,
                    false => self.reader(graph.threads[child].parent),
                };
                self.po.insert_closed(before, node);
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
        let spawns: Vec<(usize, u32)> = (0..n)
            .filter(|&node| self.nodes[node].label.kind == NodeKind::Spawn)
            .map(|node| (node, self.nodes[node].label.address as u32))
            .collect();
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
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_cached_key(|&node| self.po.of(node).iter().map(|word| word.count_ones()).sum::<u32>());
        let mut before = NodeSet::empty(n);
        for node in order {
            let Label { kind, acquires, releases, thread, address, .. } = self.nodes[node].label;
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
                for &(spawn, child) in &spawns {
                    if child == thread && self.po.has(spawn, node) {
                        before.insert(spawn);
                    }
                }
                if kind == NodeKind::Join {
                    for other in self.po.before(node) {
                        if self.nodes[other].label.thread == address as u32 {
                            before.insert(other);
                        }
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
        let mut open: Vec<usize> = committed.iter().collect();
        while let Some(node) = open.pop() {
            let source = self.nodes[node].source;
            if source < INIT && !Mutant::WriterUncommitted.is_active() && committed.insert(source as usize) {
                open.push(source as usize);
            }
            let partner = self.nodes[node].partner;
            if Mutant::HalvesTogether.is_active() && partner != NONE && committed.insert(partner as usize) {
                open.push(partner as usize);
            }
            if matches!(rules, XmmRules::Default | XmmRules::NoCausalRestriction)
                && !Mutant::CommittedNotClosed.is_active()
            {
                for before in rpo.before(node) {
                    if committed.insert(before) {
                        open.push(before);
                    }
                }
            }
        }
    }
}
