//! An execution as XMM sees it (docs/xmm.md, "Executions"): a read-modify-write is two nodes, its halves, which
//! may be committed apart.
//!
//! The nodes of a thread have consecutive numbers, so that a row of a clock is a few ranges of bits.

use super::rows::{NodeSet, Rows};
use crate::graph::{Event, EventTag, Graph, Kind};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::Program;
use crate::program::action::{Order, Value};
use crate::run::Run;
use crate::run::resolve::Request;
use crate::settings::XmmRules;

/// No such node.
pub(super) const NONE: u32 = u32::MAX;
/// The initial write as a source.
pub(super) const INIT: u32 = u32::MAX - 1;

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum NodeKind {
    Read,
    Write,
    Fence,
    Spawn,
    Join,
}

/// What must be the same of a committed event in both executions: names that every worker shares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Label {
    /// The thread's name.
    pub thread: u32,
    pub kind: NodeKind,
    /// The address that is accessed; of a spawn the code, with the name of the new thread; of a join, the thread.
    pub address: u64,
    /// The value read or written; of a spawn the argument.
    pub value: Value,
    /// Of a read its acquire part, of a write its release part; `seq_cst` is both.
    pub acquires: bool,
    pub releases: bool,
    pub is_sc: bool,
    /// Half of a read-modify-write, or a compare-exchange that failed.
    pub rmw: bool,
}

/// One node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub label: Label,
    pub event: EventId,
    /// Of a read: the node that it reads from, or [`INIT`]; else [`NONE`].
    pub source: u32,
    /// The other half of an update, or [`NONE`].
    pub partner: u32,
    /// Of a write: its place in the coherence order of the graph.
    pub write_index: u32,
}

impl Node {
    pub fn is_read(&self) -> bool {
        self.label.kind == NodeKind::Read
    }

    pub fn is_write(&self) -> bool {
        self.label.kind == NodeKind::Write
    }
}

/// An execution as nodes and relations.
pub(super) struct View {
    pub nodes: Vec<Node>,
    /// Program order, with spawn and join.
    pub po: Rows,
    pub hb: Rows,
    /// `(po ∪ rf)⁺`.
    pub porf: Rows,
    /// By thread number: the node of each of its events, of an update the read half, and one more.
    starts: Vec<Vec<u32>>,
    /// The same as the definition sees it.
    #[cfg(any(test, feature = "paranoid"))]
    pub definition: std::sync::Arc<crate::models::xmm::Halves>,
}

impl View {
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
        let mut view = View {
            nodes,
            po: Rows::empty(n),
            hb: Rows::empty(n),
            porf: Rows::empty(n),
            starts,
            #[cfg(any(test, feature = "paranoid"))]
            definition: super::definition::execution(run, graph),
        };
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
            view.porf = view.po.clone();
            for node in 0..n {
                let source = view.nodes[node].source;
                if source < INIT {
                    view.porf.insert(source as usize, node);
                }
            }
            view.porf.close();
        }
        #[cfg(any(test, feature = "paranoid"))]
        super::definition::agrees(&view);
        view
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
        let mut crossing = false;
        for t in 0..graph.threads.len() {
            let (first, last) =
                (self.starts[t][0] as usize, *self.starts[t].last().expect("one more") as usize);
            for node in first..last {
                self.po.insert_range(first, node, node);
            }
            let parent = graph.threads[t].parent;
            if first < last && !parent.is_init() {
                let spawn = self.reader(parent);
                self.po.insert(spawn, first);
                crossing = true;
            }
        }
        for node in 0..self.nodes.len() {
            if self.nodes[node].label.kind == NodeKind::Join {
                let child = graph.event(self.nodes[node].event).child();
                let (first, last) = (self.starts[child][0], *self.starts[child].last().expect("one more"));
                self.po.insert_range(first as usize, last as usize, node);
                let parent = graph.threads[child].parent;
                self.po.insert(self.reader(parent), node);
                crossing = true;
            }
        }
        if crossing {
            self.po.close();
        }
    }

    /// Is every cycle of program order and reads-from one of threads that read from each other? Spawns and joins may
    /// make others: a thread that reads or joins and then spawns, or one that joins and then writes what others read.
    pub fn is_simple(&self) -> bool {
        let n = self.len();
        let kind = |node: usize| self.nodes[node].label.kind;
        let is_read_elsewhere =
            |write: usize| self.external().any(|read| self.nodes[read].source as usize == write);
        (0..n).all(|node| match kind(node) {
            NodeKind::Spawn => {
                !self.po.before(node).any(|before| kind(before) == NodeKind::Join || self.is_external(before))
            }
            NodeKind::Write => {
                !is_read_elsewhere(node) || !self.po.before(node).any(|before| kind(before) == NodeKind::Join)
            }
            _ => true,
        })
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// `rpo`: the order that may not be relaxed (docs/xmm.md, "Derived relations").
    pub fn rpo(&self) -> Rows {
        let n = self.len();
        let mut rpo = Rows::empty(n);
        let keeps_nothing = |node: &Node| {
            let Label { kind, acquires, releases, .. } = node.label;
            !acquires && !releases && !matches!(kind, NodeKind::Spawn | NodeKind::Join)
        };
        if self.nodes.iter().all(keeps_nothing) {
            return rpo;
        }
        for b in 0..n {
            for a in self.po.before(b) {
                if self.may_not_relax(a, b) {
                    rpo.insert(a, b);
                }
            }
        }
        rpo.close();
        rpo
    }

    fn may_not_relax(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.nodes[a].label, &self.nodes[b].label);
        let fence = |label: &Label| label.kind == NodeKind::Fence;
        first.kind == NodeKind::Read && fence(second) && second.acquires
            || first.acquires
            || second.releases
            || fence(first) && first.releases && second.kind == NodeKind::Write
            || second.kind == NodeKind::Spawn
            || first.kind == NodeKind::Spawn && second.thread == first.address as u32
            || second.kind == NodeKind::Join && first.thread == second.address as u32
            || first.kind == NodeKind::Join
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
    pub fn cause(&self) -> Rows {
        let mut cause = self.porf.clone();
        for r in (0..self.len()).filter(|&r| self.nodes[r].is_read()) {
            for w in (0..self.len()).filter(|&w| self.nodes[w].is_write()) {
                if self.nodes[w].label.address == self.nodes[r].label.address && self.race(w, r) {
                    cause.insert(w, r);
                }
            }
        }
        cause.close();
        cause
    }

    /// Does this read read from a write of another thread?
    pub fn is_external(&self, read: usize) -> bool {
        let source = self.nodes[read].source;
        source < INIT && self.nodes[source as usize].label.thread != self.nodes[read].label.thread
    }

    /// The reads that read from writes of other threads.
    pub fn external(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|&node| self.is_external(node))
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

/// The label of a read, or of the read half of an update.
pub(super) fn read_label<P: Program>(run: &Run<'_, P>, id: EventId, event: &Event) -> Label {
    let mut nodes = Vec::with_capacity(2);
    push_nodes(run, id, event, &mut nodes);
    nodes[0].label
}

/// The label of a write, or of the write half of an update.
pub(super) fn write_label<P: Program>(run: &Run<'_, P>, id: EventId, event: &Event) -> Label {
    let mut nodes = Vec::with_capacity(2);
    push_nodes(run, id, event, &mut nodes);
    nodes[nodes.len() - 1].label
}

fn push_nodes<P: Program>(run: &Run<'_, P>, id: EventId, event: &Event, nodes: &mut Vec<Node>) {
    let thread = run.tables.threads.name(id.thread());
    let order = event.order;
    let rmw = event.kind == Kind::Update
        || matches!(event.tag, EventTag::Rmw | EventTag::Lock | EventTag::Waits | EventTag::Spurious);
    let is_sc = order == Order::SeqCst;
    let mut label = Label {
        thread,
        kind: NodeKind::Fence,
        address: 0,
        value: 0,
        acquires: order.acquires(),
        releases: order.releases(),
        is_sc,
        rmw,
    };
    let node = |label: Label| Node { label, event: id, source: NONE, partner: NONE, write_index: 0 };
    if event.kind.reads() || event.kind.writes() {
        label.address = run.tables.memory.locations[event.loc as usize].address.0;
    }
    if event.kind.reads() {
        let read = Label { kind: NodeKind::Read, value: event.read, releases: is_sc, ..label };
        nodes.push(node(read));
    }
    if event.kind.writes() {
        let written = Label { kind: NodeKind::Write, value: event.written, acquires: is_sc, ..label };
        let mut write = Node { write_index: event.write_index, ..node(written) };
        if event.kind == Kind::Update {
            let partner = nodes.len() as u32 - 1;
            write.partner = partner;
            nodes[partner as usize].partner = partner + 1;
        }
        nodes.push(write);
    }
    match event.kind {
        Kind::Fence => nodes.push(node(label)),
        Kind::Spawn => {
            let (code, value) = match run.step_of(event).request {
                Request::Spawn { code, argument } => (code, argument),
                _ => (0, 0),
            };
            let address = code << 32 | u64::from(run.tables.threads.name(event.child()));
            nodes.push(node(Label {
                kind: NodeKind::Spawn,
                address,
                value,
                acquires: false,
                releases: false,
                ..label
            }));
        }
        Kind::Join => {
            let address = u64::from(run.tables.threads.name(event.child()));
            nodes.push(node(Label {
                kind: NodeKind::Join,
                address,
                acquires: false,
                releases: false,
                ..label
            }));
        }
        _ => {}
    }
}
