//! The nodes of each thread's events: they do not depend on other threads, and are kept from one look at a path to the
//! next.

use super::nodes::{Label, Node, NodeKind, push_nodes};
use super::parts::Wide;
use super::promises::is_holder;
use crate::graph::Graph;
use crate::id::EventId;
use crate::program::Program;
use crate::run::Run;

/// The nodes of one thread.
#[derive(Default)]
pub(super) struct Log {
    /// Partners are places in here; nothing is said of sources and of the coherence order.
    pub nodes: Vec<Node>,
    /// By event: where its nodes end, and what stands for the kinds of all up to there.
    ends: Vec<(u32, Wide)>,
}

impl Log {
    /// By event, where its nodes end.
    pub fn ends(&self) -> impl Iterator<Item = u32> + '_ {
        self.ends.iter().map(|&(end, _)| end)
    }

    /// What stands for the kinds of its nodes.
    pub fn outline(&self) -> Wide {
        self.ends.last().map_or_else(Wide::default, |&(_, outline)| outline)
    }
}

/// The nodes of all threads but of those that hold promises.
#[derive(Default)]
pub(super) struct Logs {
    threads: Vec<Log>,
    none: Log,
}

impl Logs {
    /// Those of this graph.
    pub fn of<P: Program>(run: &Run<'_, P>, graph: &Graph) -> Logs {
        let mut logs = Logs::default();
        logs.follow(run, graph);
        logs
    }

    /// Add the nodes of events that are new.
    pub fn follow<P: Program>(&mut self, run: &Run<'_, P>, graph: &Graph) {
        if self.threads.len() < graph.threads.len() {
            self.threads.resize_with(graph.threads.len(), Log::default);
        }
        for (t, thread) in graph.threads.iter().enumerate() {
            let log = &mut self.threads[t];
            if log.ends.len() == thread.events.len() || is_holder(run.tables.threads.name(t)) {
                continue;
            }
            let new = thread.events.len() - log.ends.len();
            log.nodes.reserve(new);
            log.ends.reserve(new);
            for (i, event) in thread.events.iter().enumerate().skip(log.ends.len()) {
                let mut outline = log.outline();
                let first = log.nodes.len();
                push_nodes(run, EventId::new(t as u32, i as u32), event, &mut log.nodes);
                log.nodes[first..].iter().for_each(|node| outline.add(kind_of(node)));
                log.ends.push((log.nodes.len() as u32, outline));
            }
        }
    }

    /// Forget the events of a thread from this one on.
    pub fn truncate(&mut self, thread: usize, events: usize) {
        if let Some(log) = self.threads.get_mut(thread)
            && log.ends.len() > events
        {
            log.ends.truncate(events);
            log.nodes.truncate(log.ends.last().map_or(0, |&(end, _)| end as usize));
        }
    }

    pub fn thread(&self, thread: usize) -> &Log {
        self.threads.get(thread).unwrap_or(&self.none)
    }
}

/// What of a node the order that may not be relaxed depends on.
pub(super) fn kind_of(node: &Node) -> u64 {
    let Label { kind, acquires, releases, address, .. } = node.label;
    let thread = if matches!(kind, NodeKind::Spawn | NodeKind::Join) { address as u32 } else { 0 };
    let flags = (kind as u64) << 2 | u64::from(acquires) << 1 | u64::from(releases);
    u64::from(thread) << 32 | flags
}
