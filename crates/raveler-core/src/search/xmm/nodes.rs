//! The nodes of an execution as XMM sees it, and what must be the same of a committed one in both executions.

use super::view::NONE;
use crate::graph::{Event, EventTag, Kind};
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

impl Label {
    /// The same as words.
    pub fn words(&self) -> [u64; 3] {
        let Label { thread, kind, address, value, acquires, releases, is_sc, rmw } = *self;
        let flags = [acquires, releases, is_sc, rmw].iter().fold(0, |all, &flag| all << 1 | u64::from(flag));
        [address, value, u64::from(thread) << 8 | (kind as u64) << 4 | flags]
    }
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
