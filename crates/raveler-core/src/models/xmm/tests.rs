//! Each condition of re-execution refuses what it is there for.

use super::halves::{Deed, Halves, Label};
use super::{Rules, Step, reexecutes};
use crate::models::relation::{Rel, Set};
use crate::program::action::Order::{self, Acquire, Relaxed, Release};

const X: u64 = 1;
const Y: u64 = 2;
const Z: u64 = 3;

const DEFAULT: Rules = Rules { closed: true, causal: true };
const NO_CAUSAL: Rules = Rules { closed: true, causal: false };
const PRINTED: Rules = Rules { closed: false, causal: false };

/// Threads of events, numbered from 1 on, without updates; `rf` from writes to reads, all others read the initial write.
/// Writes are coherence-ordered as they are listed.
fn execution(threads: &[&[(Deed, Order)]], rf: &[(usize, usize)]) -> Halves {
    let mut labels = vec![Label { thread: u64::MAX, deed: Deed::Begin, order: Relaxed, rmw: false }];
    for (thread, events) in threads.iter().enumerate() {
        let label = |&(deed, order): &(Deed, Order)| Label { thread: thread as u64, deed, order, rmw: false };
        labels.extend(events.iter().map(label));
    }
    let n = labels.len();
    let set = |test: fn(&Deed) -> bool| Set::new(n, |e| test(&labels[e].deed));
    let reads = set(|deed| matches!(deed, Deed::Read(..)));
    let writes = set(|deed| matches!(deed, Deed::Write(..)));
    let address = |e: usize| match labels[e].deed {
        Deed::Read(address, _) | Deed::Write(address, _) => Some(address),
        _ => None,
    };
    let loc = Rel::new(n, |a, b| address(a).is_some() && address(a) == address(b));
    let thread = Rel::new(n, |a, b| a > 0 && b > 0 && labels[a].thread == labels[b].thread);
    let starts = |a: usize, b: usize| match labels[a].deed {
        Deed::Spawn { thread, .. } => b > 0 && labels[b].thread == thread,
        _ => false,
    };
    let spawned = Rel::new(n, starts);
    let later = Rel::new(n, |a, b| b > 0 && (a == 0 || a < b && thread.has(a, b)));
    let source = |read: usize| rf.iter().find(|edge| edge.1 == read).map_or(0, |edge| edge.0);
    Halves {
        n,
        po: (later | &spawned).plus(),
        rf: Rel::new(n, |a, b| reads.has(b) && source(b) == a),
        mo: Rel::new(n, |a, b| writes.has(b) && (a == 0 || writes.has(a) && loc.has(a, b) && a < b)),
        rmw: Rel::empty(n),
        joined: Rel::empty(n),
        fences: set(|deed| *deed == Deed::Fence),
        spawns: set(|deed| matches!(deed, Deed::Spawn { .. })),
        joins: set(|_| false),
        locks: set(|_| false),
        follows: Rel::empty(n),
        atomic: Set::new(n, |e| reads.has(e) || writes.has(e)),
        acquire: Set::new(n, |e| labels[e].order.acquires()),
        release: Set::new(n, |e| labels[e].order.releases()),
        loc,
        thread,
        spawned,
        reads,
        writes,
        labels,
    }
}

fn read(address: u64, value: u64) -> (Deed, Order) {
    (Deed::Read(address, value), Relaxed)
}

fn write(address: u64, value: u64) -> (Deed, Order) {
    (Deed::Write(address, value), Relaxed)
}

fn spawn(thread: u64) -> (Deed, Order) {
    (Deed::Spawn { code: 0, argument: 0, thread }, Relaxed)
}

/// The first condition that fails, with these committed events of H and their images.
fn failing(g: &Halves, h: &Halves, pairs: &[(usize, usize)], rules: Rules) -> Option<&'static str> {
    let committed = Set::new(h.n, |e| e == 0 || pairs.iter().any(|pair| pair.0 == e));
    let image = |e: usize| pairs.iter().find(|pair| pair.0 == e).map_or(0, |pair| pair.1);
    let f: Vec<usize> = (0..h.n).map(image).collect();
    reexecutes(&Step { g, h, committed: &committed, f: &f }, rules).err()
}

/// Load buffering with loads of this order: the first execution has a = 0 and b = 1, the second a = b = 1.
fn load_buffering(order: Order) -> (Halves, Halves) {
    let load = |address: u64, value: u64| (Deed::Read(address, value), order);
    let with = |a: u64, rf: &[(usize, usize)]| {
        execution(&[&[load(X, a), write(Y, 1)], &[load(Y, 1), write(X, 1)]], rf)
    };
    (with(0, &[(2, 3)]), with(1, &[(2, 3), (4, 1)]))
}

#[test]
fn load_buffering_commits_one_edge() {
    let (g, h) = load_buffering(Relaxed);
    assert_eq!(failing(&g, &h, &[(2, 2), (3, 3)], DEFAULT), None);
    assert_eq!(failing(&g, &h, &[], DEFAULT), Some("SUR: threads"));
    assert_eq!(failing(&g, &h, &[(3, 3)], DEFAULT), Some("E2"));
    assert_eq!(failing(&g, &h, &[(1, 1), (4, 4)], DEFAULT), Some("E1: labels"));
    assert_eq!(failing(&g, &h, &[(2, 3), (3, 3)], DEFAULT), Some("E1: labels"));
    // What is known can be executed again as it is.
    assert_eq!(failing(&h, &h, &[(1, 1), (2, 2), (3, 3), (4, 4)], DEFAULT), None);
}

#[test]
fn acquire_loads_are_committed_with_what_follows() {
    let (g, h) = load_buffering(Acquire);
    assert_eq!(failing(&g, &h, &[(2, 2), (3, 3)], DEFAULT), Some("E4"));
    assert_eq!(failing(&g, &h, &[(2, 2), (3, 3)], PRINTED), None);
}

#[test]
fn what_leads_back_must_have_a_cause() {
    let rest: [&[(Deed, Order)]; 2] = [&[read(Y, 1), write(X, 1)], &[write(Z, 1)]];
    let g = execution(&[&[read(Z, 0), write(Y, 1)], rest[0], rest[1]], &[(2, 3)]);
    let h = execution(&[&[read(Z, 1), read(X, 1), write(Y, 1)], rest[0], rest[1]], &[(6, 1), (5, 2), (3, 4)]);
    assert_eq!(failing(&g, &h, &[(3, 2), (4, 3)], DEFAULT), Some("E5"));
    assert_eq!(failing(&g, &h, &[(3, 2), (4, 3)], NO_CAUSAL), None);
}

#[test]
fn relations_between_committed_events_are_kept() {
    let twice = |from: usize| execution(&[&[write(X, 1), write(X, 1)], &[read(X, 1)]], &[(from, 3)]);
    let all = [(1, 1), (2, 2), (3, 3)];
    assert_eq!(failing(&twice(1), &twice(2), &all, PRINTED), Some("E3: rf"));
    assert_eq!(failing(&twice(1), &twice(1), &[(1, 1), (2, 1)], PRINTED), Some("E1: injective"));
    // By the order of the threads the writes are ordered otherwise.
    let writers = execution(&[&[write(X, 1)], &[write(X, 2)]], &[]);
    let turned = writers.ordered(|a, b| a > b);
    assert_eq!(failing(&writers, &turned, &[(1, 1), (2, 2)], PRINTED), Some("E3: mo"));
    let fenced = execution(&[&[write(X, 1), (Deed::Fence, Release), write(Y, 1)]], &[]);
    let free = execution(&[&[write(X, 1), write(Y, 1)]], &[]);
    assert_eq!(failing(&fenced, &free, &[(1, 1), (2, 3)], PRINTED), Some("E3: rpo"));
    assert_eq!(failing(&free, &fenced, &[(1, 1), (3, 2)], PRINTED), Some("E3: rpo"));
}

#[test]
fn a_read_before_a_spawn_is_not_stable() {
    let h = execution(
        &[&[spawn(1), read(Y, 1), spawn(2)], &[read(X, 1), write(Y, 1)], &[write(X, 1)]],
        &[(5, 2), (6, 4)],
    );
    let nothing = execution(&[], &[]);
    assert_eq!(failing(&nothing, &h, &[], PRINTED), Some("SUR: po"));
}
