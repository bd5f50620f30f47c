//! Load-buffering races: a read and a write of one location that race although the read leads to the write
//! (docs/xmm.md, "Load-buffering races"). They are where an execution may be executed again.

use super::view::View;
use crate::graph::{Event, Graph, NONE};
use crate::id::EventId;

/// Which reads-from edges of an execution may be committed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Promisable {
    /// Those on the way of a load-buffering race, and those on cycles.
    OnTheWay,
    /// All between threads. Where the causal restriction is not in force no less will do.
    All,
}

/// A read-from edge between threads.
struct Edge {
    write: EventId,
    read: EventId,
}

/// Is `a` the event `b` or in its past?
fn leads(graph: &Graph, a: EventId, b: EventId) -> bool {
    a == b || Graph::in_row(graph.porf(b), a)
}

fn edges(graph: &Graph) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (t, thread) in graph.threads.iter().enumerate() {
        for (i, event) in thread.events.iter().enumerate() {
            if event.kind.reads() && !event.rf.is_init() && event.rf.thread() != t {
                edges.push(Edge { write: event.rf, read: EventId::new(t as u32, i as u32) });
            }
        }
    }
    edges
}

/// Is the read half of one event or the write half of the other no stronger than relaxed?
fn is_relaxed(read: &Event, write: &Event) -> bool {
    !read.order.acquires() || !write.order.releases()
}

/// Calls `found` with each load-buffering race of a graph whose rows of the past are complete, until it answers
/// true. Races of an acquire read with a release write are no load-buffering races, but causality may lead over them:
/// they are among them if `strong`.
fn each(graph: &Graph, strong: bool, mut found: impl FnMut(EventId, EventId) -> bool) {
    for accesses in &graph.accesses {
        for &write in &accesses.writes {
            let written = graph.event(write);
            let (past, hb) = (graph.porf(write), graph.hb(write));
            let others = accesses.last.iter().enumerate().filter(|(t, _)| *t != write.thread());
            for (t, &last) in others {
                // The read leads to the write and does not happen before it.
                let mut i = last.wrapping_sub(1);
                while i != NONE && i >= past[t] {
                    i = graph.threads[t].events[i as usize].prev;
                }
                while i != NONE && i >= hb[t] {
                    let event = &graph.threads[t].events[i as usize];
                    let read = EventId::new(t as u32, i);
                    if event.kind.reads()
                        && (strong || is_relaxed(event, written))
                        && !Graph::in_row(graph.hb(read), write)
                        && event.rf != write
                        && found(read, write)
                    {
                        return;
                    }
                    i = event.prev;
                }
            }
        }
    }
}

/// How many load-buffering races a graph without cycles has, halves of updates apart; those not counted whose
/// ends are linked by reads-from.
pub(super) fn count(graph: &Graph) -> u64 {
    let mut count = 0;
    each(graph, false, |_, _| {
        count += 1;
        false
    });
    count
}

/// May some edge of this graph, which has no cycles, be committed to good purpose?
pub(super) fn has_promisable(graph: &Graph) -> bool {
    let edges = edges(graph);
    let mut promisable = false;
    if !edges.is_empty() {
        each(graph, true, |read, write| {
            promisable =
                edges.iter().any(|edge| leads(graph, read, edge.write) && leads(graph, edge.read, write));
            promisable
        });
    }
    promisable
}

/// The reads whose edges may be committed.
pub(super) fn promisable(view: &View, which: Promisable) -> Vec<usize> {
    if which == Promisable::All {
        return view.external().collect();
    }
    let edges: Vec<usize> = view.external().collect();
    let writer = |read: usize| view.nodes[read].source as usize;
    let leads = |a: usize, b: usize| a == b || view.porf.has(a, b);
    let mut chosen: Vec<bool> = edges.iter().map(|&read| view.porf.has(read, writer(read))).collect();
    let n = view.len();
    for r in (0..n).filter(|&r| view.nodes[r].is_read()) {
        for w in (0..n).filter(|&w| view.nodes[w].is_write()) {
            let races = view.porf.has(r, w) && view.nodes[r].source != w as u32 && view.race(r, w);
            if !races {
                continue;
            }
            let on_the_way = |&read: &usize| leads(r, writer(read)) && leads(read, w);
            for (chosen, read) in chosen.iter_mut().zip(&edges) {
                *chosen |= on_the_way(read);
            }
        }
    }
    edges.into_iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(read, _)| read).collect()
}

/// How many load-buffering races an execution has; as [`count`], whether it has cycles or not.
pub(super) fn count_in(view: &View) -> u64 {
    let n = view.len();
    let reads = (0..n).filter(|&r| view.nodes[r].is_read());
    let of = |r: usize| {
        let races = |&w: &usize| {
            let (read, write) = (&view.nodes[r], &view.nodes[w]);
            write.is_write()
                && read.source != w as u32
                && (!read.label.acquires || !write.label.releases)
                && view.porf.has(r, w)
                && view.race(r, w)
        };
        (0..n).filter(races).count() as u64
    };
    reads.map(of).sum()
}
