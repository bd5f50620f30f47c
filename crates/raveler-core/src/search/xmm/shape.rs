//! What of an execution does not depend on what its reads read: program order, and the part of it that may not be relaxed
//! (docs/xmm.md, "Derived relations"). Many executions have the same, and graphs on the way to them, so it is found once.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::logs::{Logs, kind_of};
use super::nodes::{Label, Node, NodeKind, Starts};
use super::parts::Wide;
use super::rows::{NodeSet, Rows};
use super::view::NONE;
use crate::graph::{Graph, ThreadStatus};

/// So many words of relations are remembered: two megabytes, whatever the size of an execution.
const MOST_WORDS: usize = 1 << 18;

/// Program order and what follows from it.
pub(super) struct Shape {
    /// What stands for it.
    pub key: u128,
    /// Program order, with spawn and join.
    pub po: Rows,
    /// The order that may not be relaxed.
    pub rpo: Rows,
    /// Nothing acquires or releases: happens-before is program order.
    pub is_relaxed: bool,
    /// The nodes that come before a spawn, and writes and ends of sections that come after a join.
    before_spawns: NodeSet,
    after_joins: NodeSet,
    joins_before_spawn: bool,
}

impl Shape {
    /// Is every cycle of program order and reads-from one of threads that read from each other? Spawns and joins may
    /// make others: a thread that reads or joins and then spawns, or one that joins and then writes what others read.
    ///
    /// Asked of edges between threads, from a write to its reader or from the end of a section to a lock.
    pub fn is_simple(&self, mut edges: impl Iterator<Item = (usize, usize)>) -> bool {
        !self.joins_before_spawn
            && !edges.any(|(from, to)| self.before_spawns.has(to) || self.after_joins.has(from))
    }
}

/// Those that were found.
#[derive(Default)]
pub(super) struct Shapes {
    known: RefCell<Known>,
}

#[derive(Default)]
struct Known {
    shapes: FxHashMap<u128, Arc<Shape>>,
    words: usize,
}

/// A promise that is open: its node, and the last one of its thread or [`NONE`].
pub(super) type Open = (u32, u32);

/// What a shape is found from.
pub(super) struct Outline<'a> {
    pub graph: &'a Graph,
    pub nodes: &'a [Node],
    pub starts: &'a Starts,
    pub logs: &'a Logs,
    pub open: &'a [Open],
}

impl Shapes {
    pub fn of(&self, outline: &Outline<'_>) -> Arc<Shape> {
        let key = outline.key();
        if let Some(shape) = self.known.borrow().shapes.get(&key) {
            return shape.clone();
        }
        let shape = Arc::new(Shape { key, ..Finder::new(outline).find() });
        let known = &mut *self.known.borrow_mut();
        if known.words >= MOST_WORDS {
            *known = Known::default();
        }
        known.words += shape.po.words().len() + shape.rpo.words().len();
        known.shapes.insert(key, shape.clone());
        shape
    }
}

impl Outline<'_> {
    /// A number that stands for all that the shape depends on.
    fn key(&self) -> u128 {
        let mut key = Wide::default();
        for (t, spawn) in self.spawns().enumerate() {
            key.add((self.starts.range(t).start as u64) << 32 | u64::from(spawn));
            key.add_wide(self.logs.thread(t).outline());
        }
        for &(promised, before) in self.open {
            key.add(u64::from(promised) << 32 | u64::from(before));
            let node = &self.nodes[promised as usize];
            key.add(u64::from(node.label.thread) << 32 | kind_of(node));
        }
        key.number()
    }

    /// By thread number: the node that spawned it, or [`NONE`].
    fn spawns(&self) -> impl Iterator<Item = u32> + '_ {
        let graph = self.graph;
        graph.threads.iter().zip(&graph.status).map(|(thread, &status)| {
            // A thread that is not there yet may still name the event that started it in another graph.
            let is_spawned = status != ThreadStatus::Absent && !thread.parent.is_init();
            if is_spawned { self.starts.reader(thread.parent) as u32 } else { NONE }
        })
    }
}

/// Finds a shape.
struct Finder<'a> {
    of: &'a Outline<'a>,
    po: Rows,
    /// All nodes, each after those that come before it in program order.
    order: Vec<u32>,
    spawns: Vec<u32>,
    /// Joins, with the numbers of the threads that they wait for.
    joins: Vec<(u32, u32)>,
}

impl<'a> Finder<'a> {
    fn new(of: &'a Outline<'a>) -> Finder<'a> {
        let n = of.nodes.len();
        let spawns = of.spawns().collect();
        Finder { of, po: Rows::empty(n), order: Vec::with_capacity(n), spawns, joins: Vec::new() }
    }

    fn find(mut self) -> Shape {
        self.find_program_order();
        let n = self.of.nodes.len();
        let rpo = self.find_rpo();
        let (mut before_spawns, mut after_joins) = (NodeSet::empty(n), NodeSet::empty(n));
        let mut joins = NodeSet::empty(n);
        for &(join, _) in &self.joins {
            joins.insert(join as usize);
        }
        for (node, Node { label, .. }) in self.of.nodes.iter().enumerate() {
            match label.kind {
                NodeKind::Spawn => before_spawns.add(self.po.of(node)),
                NodeKind::Write | NodeKind::Unlock if joins.meets(self.po.of(node)) => {
                    after_joins.insert(node);
                }
                _ => {}
            }
        }
        Shape {
            is_relaxed: !self.of.nodes.iter().any(|node| node.label.acquires || node.label.releases),
            joins_before_spawn: before_spawns.meets(joins.words()),
            before_spawns,
            after_joins,
            rpo,
            po: self.po,
            key: 0,
        }
    }

    /// One node comes directly before another.
    fn follow(&mut self, before: usize, node: usize) {
        self.po.insert_all_before(before, node);
        self.po.insert(before, node);
    }

    /// Events were added after those that come before them.
    fn find_program_order(&mut self) {
        let Outline { graph, nodes, starts, open, .. } = *self.of;
        let is_open = |node: usize| open.iter().any(|&(promised, _)| promised as usize == node);
        for &id in &graph.order {
            let t = id.thread();
            let first = starts.range(t).start;
            // Some events have no node, such as a promise that was kept.
            for node in starts.of(id).filter(|&node| !is_open(node)) {
                let before = if node > first { node as u32 - 1 } else { self.spawns[t] };
                if before != NONE {
                    self.follow(before as usize, node);
                }
                if nodes[node].label.kind == NodeKind::Join {
                    let child = graph.event(id).child();
                    self.joins.push((node as u32, child as u32));
                    // What comes before the last event of the thread does so already, its spawn among it.
                    if let Some(before) = starts.last_of(graph, child) {
                        self.follow(before, node);
                    }
                }
                self.order.push(node as u32);
            }
        }
        // Nothing comes after promised writes, and they after all that their threads have done.
        for &(promised, before) in open {
            if before != NONE {
                self.follow(before as usize, promised as usize);
            }
            self.order.push(promised);
        }
    }

    fn find_rpo(&self) -> Rows {
        let nodes = self.of.nodes;
        let n = nodes.len();
        let mut rpo = Rows::empty(n);
        let keeps_nothing = |node: &Node| {
            let Label { kind, acquires, releases, .. } = node.label;
            !acquires && !releases && !matches!(kind, NodeKind::Spawn | NodeKind::Join)
        };
        if nodes.iter().all(keeps_nothing) {
            return rpo;
        }
        // What of program order may not be relaxed depends on the first event, or on the second, or on what they are.
        let (mut first, mut reads, mut fences) = (NodeSet::empty(n), NodeSet::empty(n), NodeSet::empty(n));
        for (node, Node { label, .. }) in nodes.iter().enumerate() {
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
            let Label { kind, acquires, releases, .. } = nodes[node].label;
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
                    for other in self.of.starts.range(child as usize) {
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
        let Outline { nodes, open, .. } = *self.of;
        let Node { label, event, .. } = &nodes[node];
        if !open.iter().any(|&(promised, _)| promised as usize == node) {
            return self.spawns[event.thread()];
        }
        // It stands in a thread of its own.
        let is_it = |spawn: &u32| {
            let spawn = *spawn;
            spawn != NONE
                && nodes[spawn as usize].label.address as u32 == label.thread
                && self.po.has(spawn as usize, node)
        };
        self.spawns.iter().copied().find(is_it).unwrap_or(NONE)
    }
}
