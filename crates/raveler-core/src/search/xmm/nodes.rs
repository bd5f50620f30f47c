//! The nodes of an execution as XMM sees it, and what must be the same of a committed one in both executions.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use super::parts::number;
use super::view::NONE;
use crate::graph::{Event, EventTag, Graph, Kind};
use crate::id::EventId;
use crate::program::Program;
use crate::program::action::{Order, Value};
use crate::run::Run;
use crate::run::resolve::Request;

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum NodeKind {
    Read,
    Write,
    Fence,
    Spawn,
    Join,
    /// Takes a lock that is no word of memory.
    Lock,
    /// Releases one.
    Unlock,
}

/// What must be the same of a committed event in both executions: names that every worker shares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Label {
    /// The thread's name.
    pub thread: u32,
    pub kind: NodeKind,
    /// The address that is accessed, or that of the lock; of a spawn the code, with the name of the new thread; of a join, the thread.
    pub address: u64,
    /// The value read or written; of a spawn the argument; of a lock that is taken the mode.
    pub value: Value,
    /// Of a read its acquire part, of a write its release part; `seq_cst` is both.
    pub acquires: bool,
    pub releases: bool,
    pub is_sc: bool,
    /// Half of a read-modify-write, or a compare-exchange that failed.
    pub rmw: bool,
}

impl Label {
    /// The same as words.
    pub fn words(&self) -> [u64; 3] {
        let Label { thread, kind, address, value, acquires, releases, is_sc, rmw } = *self;
        let flags = [acquires, releases, is_sc, rmw].iter().fold(0, |all, &flag| all << 1 | u64::from(flag));
        [address, value, u64::from(thread) << 8 | (kind as u64) << 4 | flags]
    }
}

impl Hash for Label {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.words().into_iter().for_each(|word| state.write_u64(word));
    }
}

/// One node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub label: Label,
    /// What stands for the label.
    pub key: u128,
    pub event: EventId,
    /// Of a read: the node that it reads from, or [`INIT`]; else [`NONE`].
    pub source: u32,
    /// The other half of an update, or [`NONE`].
    pub partner: u32,
    /// Of a write: its place in the coherence order of the graph.
    pub write_index: u32,
}

impl Node {
    pub fn new(label: Label, event: EventId) -> Node {
        Node { label, key: number(&label), event, source: NONE, partner: NONE, write_index: 0 }
    }

    pub fn is_read(&self) -> bool {
        self.label.kind == NodeKind::Read
    }

    pub fn is_write(&self) -> bool {
        self.label.kind == NodeKind::Write
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

/// Add the nodes of an event.
pub(super) fn push_nodes<P: Program>(run: &Run<'_, P>, id: EventId, event: &Event, nodes: &mut Vec<Node>) {
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
    let node = |label: Label| Node::new(label, id);
    if event.kind.reads() || event.kind.writes() {
        label.address = run.tables.memory.locations[event.loc as usize].address.0;
    }
    if event.kind.reads() {
        let read = Label { kind: NodeKind::Read, value: event.read, releases: is_sc, ..label };
        nodes.push(node(read));
    }
    if event.kind.writes() {
        let written = Label { kind: NodeKind::Write, value: event.written, acquires: is_sc, ..label };
        let mut write = node(written);
        if event.kind == Kind::Update {
            let partner = nodes.len() as u32 - 1;
            write.partner = partner;
            nodes[partner as usize].partner = partner + 1;
        }
        nodes.push(write);
    }
    match event.kind {
        Kind::Fence => nodes.push(node(label)),
        Kind::Lock | Kind::Unlock => {
            let address = run.tables.memory.locations[event.loc as usize].address.0;
            let (kind, value) = match event.kind {
                Kind::Lock => (NodeKind::Lock, event.read),
                _ => (NodeKind::Unlock, 0),
            };
            nodes.push(node(Label { kind, address, value, ..label }));
        }
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

/// The numbers of the nodes of events.
pub(super) struct Starts {
    /// By thread number: where it begins in `nodes`, and how many events it has.
    threads: Vec<(u32, u32)>,
    /// The node of each event, of an update the read half; and one more for each thread.
    nodes: Vec<u32>,
}

impl Starts {
    pub fn new(graph: &Graph) -> Starts {
        let threads = vec![(0, 0); graph.threads.len()];
        // Threads without a name have no nodes: they begin and end at the first.
        let mut nodes = Vec::with_capacity(graph.len() + graph.threads.len() + 1);
        nodes.push(0);
        Starts { threads, nodes }
    }

    /// The nodes of a thread come next, from this one on.
    pub fn begin(&mut self, thread: usize, node: usize, events: usize) {
        self.threads[thread] = (self.nodes.len() as u32, events as u32);
        self.nodes.push(node as u32);
    }

    /// The nodes of its events end here.
    pub fn extend(&mut self, nodes: impl Iterator<Item = u32>) {
        self.nodes.extend(nodes);
    }

    #[inline]
    pub fn at(&self, thread: usize, event: u32) -> usize {
        self.nodes[(self.threads[thread].0 + event) as usize] as usize
    }

    /// How many events a thread has.
    pub fn events(&self, thread: usize) -> u32 {
        self.threads[thread].1
    }

    /// The nodes of an event.
    pub fn of(&self, id: EventId) -> Range<usize> {
        self.at(id.thread(), id.index())..self.at(id.thread(), id.index() + 1)
    }

    /// The node of a write.
    #[inline]
    pub fn writer(&self, id: EventId) -> usize {
        self.at(id.thread(), id.index() + 1) - 1
    }

    /// The node of a read, or of an event that is neither read nor write.
    #[inline]
    pub fn reader(&self, id: EventId) -> usize {
        self.at(id.thread(), id.index())
    }

    /// The nodes of a thread.
    pub fn range(&self, thread: usize) -> Range<usize> {
        self.at(thread, 0)..self.at(thread, self.threads[thread].1)
    }

    /// The last node of a thread, or the one that spawned it if it has none.
    pub fn last_of(&self, graph: &Graph, thread: usize) -> Option<usize> {
        let Range { start, end } = self.range(thread);
        let parent = graph.threads[thread].parent;
        if start < end { Some(end - 1) } else { (!parent.is_init()).then(|| self.reader(parent)) }
    }
}
