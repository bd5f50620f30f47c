//! From what an execution was made, as reports tell it: the committed events, and in which reads its source differs.
//!
//! A source knows its reads from other threads and little else (docs/xmm.md, "What is remembered"), so these are what
//! can be said of it.

use super::committed::Justification;
use super::sources::{LabelledEdge, Sources};
use super::view::{NONE, View};
use crate::id::{Address, ThreadId};
use crate::outcome::{Committed, Half, ReadThere, Reexecution};
use crate::program::Program;
use crate::program::action::{Value, Width};
use crate::run::Run;

/// A read from another thread: the names of both threads, the address and the value. Orders of accesses are of no
/// interest to readers of a report.
type Edge = (u32, u32, u64, Value);

fn edge((write, read): LabelledEdge) -> Edge {
    (read.thread, write.thread, read.address, read.value)
}

/// How this candidate was justified.
pub(super) fn describe<P: Program>(
    run: &Run<'_, P>,
    view: &View,
    justification: &Justification,
    sources: &Sources,
) -> Reexecution {
    let source = sources.get(justification.source);
    let edge_of = |read: usize| {
        let node = &view.nodes[read];
        edge((view.nodes[node.source as usize].label, node.label))
    };
    let there: Vec<Edge> = source.edges().map(edge).collect();
    let here: Vec<Edge> = view.external().map(edge_of).collect();
    // What comes after the cycles differs because they do.
    let round: Vec<usize> = (0..view.len()).filter(|&node| view.porf.has(node, node)).collect();
    let matters = |node: usize| round.iter().any(|&other| view.porf.has(node, other));
    let at = |node: usize| (view.nodes[node].label.thread, view.nodes[node].label.address);
    let read_here: Vec<(u32, u64)> =
        (0..view.len()).filter(|&node| view.nodes[node].is_read() && matters(node)).map(at).collect();
    let only_here = view.external().filter(|&read| matters(read) && !there.contains(&edge_of(read)));
    let is_other = |edge: &&Edge| read_here.contains(&(edge.0, edge.2)) && !here.contains(edge);
    let mut only_there: Vec<ReadThere> =
        there.iter().filter(is_other).map(|&edge| read_there(run, view, edge)).collect();
    only_there.sort_unstable();
    only_there.dedup();
    Reexecution {
        committed: committed(view, justification),
        round: source.round,
        only_here: only_here.map(|read| view.nodes[read].event).collect(),
        only_there,
    }
}

fn committed(view: &View, justification: &Justification) -> Vec<Committed> {
    let mut all: Vec<Committed> = Vec::new();
    for at in justification.committed.iter() {
        let node = &view.nodes[at];
        let is_alone = node.partner != NONE && !justification.committed.has(node.partner as usize);
        let half = if node.is_read() { Half::Read } else { Half::Write };
        all.push(Committed { event: node.event, half: is_alone.then_some(half) });
    }
    all.dedup();
    all
}

fn read_there<P: Program>(run: &Run<'_, P>, view: &View, edge: Edge) -> ReadThere {
    let (reader, writer, address, value) = edge;
    let number = |name: u32| {
        let mut nodes = view.nodes.iter().filter(|node| node.label.thread == name);
        nodes.next().map(|node| ThreadId(node.event.thread() as u32))
    };
    let memory = &run.tables.memory;
    let width = memory.known(Address(address)).map_or(Width::B8, |loc| memory.locations[loc as usize].width);
    let pointer = run.program.hints().pointer(value).filter(|_| width == Width::B8);
    ReadThere {
        thread: number(reader),
        address: Address(address),
        width,
        value: pointer.map_or(value, |at| at.0),
        writer: number(writer),
    }
}
