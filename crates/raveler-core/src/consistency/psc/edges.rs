//! The edges of psc, found from the rows of happens-before instead of products of relations.
//!
//! RC11: `psc = ([SC] ∪ [F_sc]; hb?); scb; ([SC] ∪ hb?; [F_sc]) ∪ [F_sc]; (hb ∪ hb; eco; hb); [F_sc]` with
//! `scb = po ∪ po≠loc; hb; po≠loc ∪ hb=loc ∪ co ∪ fr`.
//!
//! C++20: `psc = [SC]; (po ∪ po; hb; po); [SC] ∪ ([SC] ∪ [F_sc]; hb); eco; ([SC] ∪ hb; [F_sc])`. All of hb with
//! a fence at one end may be added: every cycle has edges of eco, which a path of hb from a fence, or to one,
//! can be made part of.
//!
//! Only cycles matter, so edges that others imply are left out: events of one thread are chained by program
//! order, and of each other thread an edge to the first event that is reached is enough.

use super::shown::{CoherenceOrder, Shown};
use crate::graph::{Count, Event, Graph, Kind, Loc, NO_LOC};
use crate::id::EventId;
use crate::models::ScOrder;
use crate::mutation::Mutant;
use crate::program::action::Order;

/// A `seq_cst` event.
#[derive(Clone, Copy)]
struct Node {
    id: EventId,
    /// A fence: `[F_sc]; hb?` lets it reach what happens after it, `hb?; [F_sc]` lets what happens before it
    /// reach it.
    fence: bool,
    loc: Loc,
    /// The write index of the write that it shows: that it is or reads from.
    write_index: u32,
    writes: bool,
}

/// Is psc acyclic under this coherence order?
pub(super) fn acyclic(graph: &Graph, sc_order: ScOrder, order: &impl CoherenceOrder) -> bool {
    let mut psc = Edges { graph, sc_order, nodes: Vec::new(), first: Vec::new(), list: Vec::new() };
    psc.gather_nodes();
    if psc.follows_reads_from() {
        psc.gather_sources();
    }
    psc.add_order();
    // The edges so far agree with happens-before: only those that follow can close a cycle.
    psc.add_coherence(order);
    let fences: Vec<u32> = (0..psc.nodes.len() as u32).filter(|&n| psc.nodes[n as usize].fence).collect();
    if !fences.is_empty() {
        psc.add_coherence_of_fences(&fences, order);
    }
    psc.are_acyclic()
}

struct Edges<'a> {
    graph: &'a Graph,
    sc_order: ScOrder,
    /// Thread by thread, in program order; then the [sources](Edges::gather_sources).
    nodes: Vec<Node>,
    /// The first node of each thread, and the end.
    first: Vec<u32>,
    list: Vec<(u32, u32)>,
}

impl Edges<'_> {
    fn gather_nodes(&mut self) {
        for (t, thread) in self.graph.threads.iter().enumerate() {
            self.first.push(self.nodes.len() as u32);
            for (i, event) in thread.events.iter().enumerate() {
                let access = event.kind.reads() || event.kind.writes();
                if event.order == Order::SeqCst && (access || event.kind == Kind::Fence) {
                    self.nodes.push(Node {
                        id: EventId::new(t as u32, i as u32),
                        fence: event.kind == Kind::Fence && !Mutant::PscWithoutFences.is_active(),
                        loc: if access { event.loc } else { NO_LOC },
                        write_index: if access { shown(self.graph, event) } else { 0 },
                        writes: event.kind.writes(),
                    });
                }
            }
        }
        self.first.push(self.nodes.len() as u32);
    }

    /// Has `po; hb; po` no steps within one location?
    fn excepts_location(&self) -> bool {
        self.sc_order == ScOrder::Rc11 || Mutant::ScOrderExceptsLocation.is_active()
    }

    /// Is all of eco in psc, not only coherence and from-reads?
    fn follows_reads_from(&self) -> bool {
        self.sc_order == ScOrder::Cpp20 && !Mutant::ScOrderWithoutReadsFrom.is_active()
    }

    /// Add nodes for the writes that `seq_cst` reads read from and that are not `seq_cst` themselves. They have
    /// edges of eco alone: what leads to a read through its source is eco as well, so that nothing need be
    /// related to each of its readers.
    fn gather_sources(&mut self) {
        let mut sources: Vec<(Loc, u32)> = Vec::new();
        for node in &self.nodes {
            let from_init = node.write_index == 0;
            if node.loc != NO_LOC && !node.writes && !from_init && !self.is_sc_write(*node) {
                sources.push((node.loc, node.write_index));
            }
        }
        sources.sort_unstable();
        sources.dedup();
        self.nodes.extend(sources.into_iter().map(|(loc, write_index)| Node {
            id: self.graph.write_at(loc, write_index),
            fence: false,
            loc,
            write_index,
            writes: true,
        }));
    }

    /// Is the write that a node shows `seq_cst`?
    fn is_sc_write(&self, node: Node) -> bool {
        self.graph.event(self.graph.write_at(node.loc, node.write_index)).order == Order::SeqCst
    }

    fn hb(&self, a: EventId, b: EventId) -> bool {
        Graph::in_row(self.graph.hb(b), a)
    }

    fn hb_or_same(&self, a: EventId, b: EventId) -> bool {
        a == b || self.hb(a, b)
    }

    /// The edges of program order and happens-before.
    fn add_order(&mut self) {
        let threads = self.graph.threads.len();
        for t in 0..threads {
            let (from, until) = (self.first[t], self.first[t + 1]);
            self.list.extend((from + 1..until).map(|n| (n - 1, n)));
            for n in from..until {
                let node = self.nodes[n as usize];
                let mut following = None;
                for u in (0..threads).filter(|&u| u != t) {
                    let (from, until) = (self.first[u] as usize, self.first[u + 1] as usize);
                    let theirs = &self.nodes[from..until];
                    let after = theirs.partition_point(|later| !self.hb(node.id, later.id));
                    if after == theirs.len() {
                        continue;
                    }
                    let (next, other) = following.get_or_insert_with(|| {
                        let excepts = self.excepts_location();
                        let other = if excepts { self.next(node, true) } else { Vec::new() };
                        (self.next(node, false), other)
                    });
                    let reached =
                        theirs[after..].iter().position(|later| self.is_ordered(node, *later, next, other));
                    if let Some(at) = reached {
                        self.list.push((n, (from + after + at) as u32));
                    }
                }
            }
        }
    }

    /// Is there an edge between events of two threads of which the first happens before the second? `next`
    /// are the events that directly follow the first in program order, `other` the next ones that do not
    /// access its location, where these matter.
    fn is_ordered(&self, a: Node, b: Node, next: &[EventId], other: &[EventId]) -> bool {
        let before = |d: Option<EventId>, after: &[EventId]| {
            d.is_some_and(|d| after.iter().any(|&c| self.hb_or_same(c, d)))
        };
        let same_location = |loc: Loc| {
            let mut found = false;
            self.graph.each_access(loc, |e, _| {
                found |= self.hb_or_same(a.id, e) && self.hb_or_same(e, b.id);
            });
            found && !Mutant::PscWithoutHb.is_active()
        };
        if self.sc_order == ScOrder::Cpp20 {
            let elsewhere = self.excepts_location();
            let strongly = match Mutant::PscWithoutDetour.is_active() {
                true => self.is_spawned_or_joined(a.id, b.id),
                false => before(self.previous(b, elsewhere), if elsewhere { other } else { next }),
            };
            return a.fence || b.fence || strongly;
        }
        match (a.fence, b.fence) {
            (true, true) => true,
            (true, false) => before(self.previous(b, false), &[a.id]) || same_location(b.loc),
            (false, true) => before(Some(b.id), next) || same_location(a.loc),
            (false, false) => {
                a.loc == b.loc && a.loc != NO_LOC && !Mutant::PscWithoutHb.is_active()
                    || !Mutant::PscWithoutDetour.is_active() && before(self.previous(b, true), other)
                    || Mutant::PscWithoutDetour.is_active() && self.is_spawned_or_joined(a.id, b.id)
            }
        }
    }

    /// The events that follow directly in program order: the next one, or the joins of a thread that has ended; if
    /// `elsewhere`, those that do not access the same location.
    fn next(&self, node: Node, elsewhere: bool) -> Vec<EventId> {
        let thread = node.id.thread();
        let events = &self.graph.threads[thread].events;
        let after = node.id.index() as usize + 1;
        let next = events[after..].iter().position(|event| !elsewhere || is_elsewhere(node, event));
        if let Some(ahead) = next {
            return vec![EventId::new(thread as u32, (after + ahead) as u32)];
        }
        let mut joins = Vec::new();
        for (t, thread_of) in self.graph.threads.iter().enumerate().filter(|&(t, _)| t != thread) {
            for (i, event) in thread_of.events.iter().enumerate() {
                if event.kind == Kind::Join && !event.rf.is_init() && event.rf.thread() == thread {
                    joins.push(EventId::new(t as u32, i as u32));
                }
            }
        }
        joins
    }

    /// The event directly before in program order: the previous one, or the spawn of the thread; if
    /// `elsewhere`, the last one that does not access the same location.
    fn previous(&self, node: Node, elsewhere: bool) -> Option<EventId> {
        let thread = node.id.thread();
        let events = &self.graph.threads[thread].events[..node.id.index() as usize];
        match events.iter().rposition(|event| !elsewhere || is_elsewhere(node, event)) {
            Some(i) => Some(EventId::new(thread as u32, i as u32)),
            None => Some(self.graph.threads[thread].parent).filter(|parent| !parent.is_init()),
        }
    }

    /// Is `a` before `b` in program order with spawn and join, `a` and `b` being of different threads?
    fn is_spawned_or_joined(&self, a: EventId, b: EventId) -> bool {
        let mut work = vec![b];
        let mut seen = Vec::new();
        while let Some(event) = work.pop() {
            if event.thread() == a.thread() && a.index() <= event.index() {
                return true;
            }
            if seen.contains(&event) {
                continue;
            }
            seen.push(event);
            let thread = &self.graph.threads[event.thread()];
            work.extend(Some(thread.parent).filter(|parent| !parent.is_init()));
            let joins = thread.events[..=event.index() as usize].iter();
            work.extend(joins.filter(|e| e.kind == Kind::Join && !e.rf.is_init()).map(|e| e.rf));
        }
        false
    }

    /// The edges of co and fr between accesses, and those of rf if they count.
    fn add_coherence(&mut self, order: &impl CoherenceOrder) {
        let mut accesses: Vec<(Loc, u32)> = (0..self.nodes.len() as u32)
            .filter(|&n| self.nodes[n as usize].loc != NO_LOC)
            .map(|n| (self.nodes[n as usize].loc, n))
            .collect();
        accesses.sort_unstable();
        let mut chain = Vec::new();
        for group in accesses.chunk_by(|a, b| a.0 == b.0) {
            if !self.add_chain(group, order, &mut chain) {
                self.add_pairs(group, order);
            }
        }
    }

    /// The edges of one location whose writes are in a total order: from each write to the next one, and from each read
    /// to the next write after its source. False if the order is not total. `chain` is scratch.
    fn add_chain(
        &mut self,
        group: &[(Loc, u32)],
        order: &impl CoherenceOrder,
        chain: &mut Vec<(u32, u32)>,
    ) -> bool {
        chain.clear();
        for &(loc, n) in group {
            let node = self.nodes[n as usize];
            let Some(place) = order.place(loc, node.write_index) else { return false };
            if node.writes {
                chain.push((place, n));
            }
        }
        chain.sort_unstable();
        self.list.extend(chain.windows(2).map(|pair| (pair[0].1, pair[1].1)));
        for &(loc, n) in group {
            let node = self.nodes[n as usize];
            if node.writes {
                continue;
            }
            let place = order.place(loc, node.write_index).unwrap_or_default();
            let after = chain.partition_point(|&(at, _)| at <= place);
            self.list.extend(chain.get(after).map(|&(_, next)| (n, next)));
            let source = after.checked_sub(1).map(|at| chain[at]).filter(|&(at, _)| at == place);
            if let Some((_, source)) = source
                && self.follows_reads_from()
            {
                self.list.push((source, n));
            }
        }
        true
    }

    /// The edges of one location, each pair by itself.
    fn add_pairs(&mut self, group: &[(Loc, u32)], order: &impl CoherenceOrder) {
        let loc = group[0].0;
        let follows_reads_from = self.follows_reads_from();
        for &(_, to) in group.iter().filter(|(_, n)| self.nodes[*n as usize].writes) {
            let written = self.nodes[to as usize].write_index;
            for &(_, from) in group.iter().filter(|(_, n)| *n != to) {
                let shown = self.nodes[from as usize].write_index;
                if order.before(loc, shown, written) {
                    self.list.push((from, to));
                } else if shown == written && follows_reads_from {
                    self.list.push((to, from));
                }
            }
        }
    }

    /// The edges of co, fr and eco with a fence at one end or both: from what happens after a fence, to what
    /// happens before one.
    fn add_coherence_of_fences(&mut self, fences: &[u32], order: &impl CoherenceOrder) {
        let graph = self.graph;
        let follows_reads_from = self.follows_reads_from();
        let Edges { nodes, list, .. } = self;
        let thread = |node: u32| nodes[node as usize].id.thread();
        let mut accesses: Vec<(EventId, &[Count], u32, Kind)> = Vec::new();
        let mut ends: Vec<(u32, Ends)> = Vec::with_capacity(fences.len());
        for loc in 0..graph.accesses.len() as Loc {
            accesses.clear();
            graph.each_access(loc, |id, event| {
                accesses.push((id, graph.hb(id), shown(graph, event), event.kind));
            });
            if !accesses.iter().any(|&(_, _, write_index, kind)| kind.writes() || write_index != 0) {
                continue;
            }
            let here: Vec<u32> = (0..nodes.len() as u32).filter(|&n| nodes[n as usize].loc == loc).collect();
            ends.clear();
            for &fence in fences {
                let id = nodes[fence as usize].id;
                let row = graph.hb(id);
                let mut end = Ends::default();
                for &(access, row_of_access, write_index, kind) in &accesses {
                    if Graph::in_row(row_of_access, id) {
                        end.after.insert(write_index);
                        if kind.writes() {
                            end.after_writes.insert(write_index);
                        }
                    }
                    if Graph::in_row(row, access) {
                        end.before.insert(write_index);
                        let half = if kind.writes() { &mut end.before_writes } else { &mut end.before_reads };
                        half.insert(write_index);
                    }
                }
                ends.push((fence, end));
            }
            for (fence, end) in &ends {
                for &n in &here {
                    let Node { write_index, writes, .. } = nodes[n as usize];
                    // A read is reached through its source.
                    let reached = order.any_before(loc, &end.after, write_index)
                        || follows_reads_from && end.after_writes.has(write_index);
                    if writes && reached {
                        list.push((*fence, n));
                    }
                    let shown = if follows_reads_from { &end.before } else { &end.before_writes };
                    if order.before_any(loc, write_index, shown)
                        || follows_reads_from && writes && end.before_reads.has(write_index)
                    {
                        list.push((n, *fence));
                    }
                }
                let through = |a: &Shown, b: &Shown| order.any_before_any(loc, a, b);
                let reaches = |theirs: &Ends| {
                    let eco =
                        through(&end.after, &theirs.before) || end.after_writes.meets(&theirs.before_reads);
                    eco && !Mutant::PscWithoutEco.is_active() || through(&end.after, &theirs.before_writes)
                };
                // What happens before a fence happens before the later ones of its thread, too.
                for of_thread in ends.chunk_by(|a, b| thread(a.0) == thread(b.0)) {
                    let first = of_thread.partition_point(|(_, theirs)| !reaches(theirs));
                    if let Some((other, _)) = of_thread.get(first) {
                        list.push((*fence, *other));
                    }
                }
            }
        }
    }

    /// Topological sort: remove nodes that no edge leads to; if all can be removed there is no cycle.
    fn are_acyclic(&self) -> bool {
        let count = self.nodes.len();
        let mut degree = vec![0u32; count];
        let mut start = vec![0u32; count + 1];
        for &(from, to) in &self.list {
            degree[to as usize] += 1;
            start[from as usize + 1] += 1;
        }
        for n in 0..count {
            start[n + 1] += start[n];
        }
        let mut targets = vec![0u32; self.list.len()];
        let mut next = start.clone();
        for &(from, to) in &self.list {
            targets[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        }
        let mut free: Vec<u32> = (0..count as u32).filter(|&n| degree[n as usize] == 0).collect();
        let mut taken = 0;
        while let Some(n) = free.pop() {
            taken += 1;
            for &to in &targets[start[n as usize] as usize..start[n as usize + 1] as usize] {
                degree[to as usize] -= 1;
                if degree[to as usize] == 0 {
                    free.push(to);
                }
            }
        }
        taken == count
    }
}

/// The writes of one location that accesses after and before a fence show.
#[derive(Default)]
struct Ends {
    after: Shown,
    after_writes: Shown,
    before: Shown,
    before_writes: Shown,
    before_reads: Shown,
}

/// The write index of the write that an access shows.
fn shown(graph: &Graph, event: &Event) -> u32 {
    if event.kind.writes() { event.write_index } else { graph.write_index(event.rf) }
}

/// Does an event not access the node's location?
fn is_elsewhere(node: Node, event: &Event) -> bool {
    node.loc == NO_LOC || event.loc != node.loc
}
