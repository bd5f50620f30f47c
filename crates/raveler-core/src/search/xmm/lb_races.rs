//! Load-buffering races: a read and a write of one location that race although the read leads to the write
//! (docs/xmm.md, "Load-buffering races"). They are where an execution may be executed again.

use super::view::View;
use crate::graph::{Count, Graph, Loc, NONE};
use crate::id::EventId;
use crate::mutation::Mutant;

/// Which reads-from edges of an execution may be committed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Promisable {
    /// Those whose read caused the write that it reads.
    Caused,
    /// All between threads. Where the causal restriction is not in force no less will do.
    All,
}

/// A read-from edge between threads.
struct Edge {
    write: EventId,
    read: EventId,
    loc: Loc,
}

/// The past of an event, with what critical sections without words of memory add to it.
fn past(graph: &Graph, id: EventId) -> &[Count] {
    if graph.clocks.past { graph.past(id) } else { graph.porf(id) }
}

/// Is `a` the event `b` or in its past?
fn leads(graph: &Graph, a: EventId, b: EventId) -> bool {
    a == b || Graph::in_row(past(graph, b), a)
}

/// Does a read from another thread not acquire, or its write not release, and does some read lead to that write? If not,
/// each read that leads to a write happens before it, and nothing that races does.
fn has_soft_edges(graph: &Graph) -> bool {
    graph.threads.iter().enumerate().any(|(t, thread)| {
        thread.events.iter().any(|event| {
            event.kind.reads()
                && !event.rf.is_init()
                && event.rf.thread() != t
                && !(event.order.acquires() && graph.event(event.rf).order.releases())
                && comes_after_read(graph, event.rf)
        })
    })
}

/// Is there a read in the past of a write? Its own half counts.
fn comes_after_read(graph: &Graph, write: EventId) -> bool {
    let past = past(graph, write);
    graph.event(write).kind.reads()
        || graph.threads.iter().enumerate().any(|(t, thread)| {
            let count = if t == write.thread() { write.index() } else { past[t].into() };
            thread.events[..count as usize].iter().any(|event| event.kind.reads())
        })
}

fn edges(graph: &Graph) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (t, thread) in graph.threads.iter().enumerate() {
        for (i, event) in thread.events.iter().enumerate() {
            if event.kind.reads() && !event.rf.is_init() && event.rf.thread() != t {
                edges.push(Edge { write: event.rf, read: EventId::new(t as u32, i as u32), loc: event.loc });
            }
        }
    }
    edges
}

/// Calls `found` with each race of a graph whose read leads to its write, until it answers true. The rows of the past
/// must be complete. Causality may lead over races of any order, so these are not only load-buffering races.
fn each(graph: &Graph, mut found: impl FnMut(EventId, EventId) -> bool) {
    for accesses in &graph.accesses {
        for &write in &accesses.writes {
            let (past, hb) = (past(graph, write), graph.hb(write));
            let others = accesses.last.iter().enumerate().filter(|(t, _)| *t != write.thread());
            for (t, &last) in others {
                // The read leads to the write and does not happen before it.
                let mut i = last.wrapping_sub(1);
                while i != NONE && i >= past[t].into() {
                    i = graph.threads[t].events[i as usize].prev;
                }
                while i != NONE && i >= hb[t].into() {
                    let event = &graph.threads[t].events[i as usize];
                    let read = EventId::new(t as u32, i);
                    if event.kind.reads()
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

/// May some edge of this graph, which has no cycles, be committed to good purpose? It must be on a location over which
/// a cycle may lead.
pub(super) fn has_promisable(graph: &Graph, is_cyclic: impl Fn(Loc) -> bool) -> bool {
    if !has_soft_edges(graph) {
        return false;
    }
    let mut edges = edges(graph);
    edges.retain(|edge| is_cyclic(edge.loc));
    let mut promisable = false;
    if !edges.is_empty() {
        each(graph, |read, write| {
            promisable =
                edges.iter().any(|edge| leads(graph, read, edge.write) && leads(graph, edge.read, write));
            promisable
        });
    }
    promisable
}

/// The reads whose edges may be committed where they lie on a cycle: there the read leads to the write, so the read must
/// have caused the write here.
pub(super) fn promisable(view: &View, which: Promisable) -> Vec<usize> {
    if which == Promisable::All {
        return view.external().collect();
    }
    let cause = view.cause();
    let writer = |read: usize| view.nodes[read].source as usize;
    let is_caused = |&read: &usize| cause.has(read, writer(read));
    let address = |read: usize| view.nodes[read].label.address;
    let leads_elsewhere = |&read: &usize| {
        let is_on = |&other: &usize| cause.has(read, other) && cause.has(other, writer(read));
        view.external().filter(|&other| address(other) != address(read)).any(|other| is_on(&other))
    };
    let is_filtered = Mutant::RaceOverOneLocation.is_active();
    view.external().filter(is_caused).filter(|read| !is_filtered || leads_elsewhere(read)).collect()
}

/// The load-buffering races of an execution, whether it has cycles or not: read and write, halves of updates apart;
/// not those whose ends are linked by reads-from. If the read acquires and the write releases it is none, but a race
/// all the same: the third value is false.
pub(super) fn all(view: &View) -> Vec<(usize, usize, bool)> {
    let n = view.len();
    let mut races = Vec::new();
    for r in (0..n).filter(|&r| view.nodes[r].is_read()) {
        for w in (0..n).filter(|&w| view.nodes[w].is_write()) {
            let (read, write) = (&view.nodes[r], &view.nodes[w]);
            let is_relaxed = !read.label.acquires || !write.label.releases;
            if read.source != w as u32 && view.porf.has(r, w) && view.race(r, w) {
                races.push((r, w, is_relaxed));
            }
        }
    }
    races
}
