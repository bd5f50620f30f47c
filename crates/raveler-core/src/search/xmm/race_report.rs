//! The load-buffering races of a program: how many over all executions, and each pair of sites once.

use rustc_hash::{FxHashMap, FxHashSet};

use super::lb_races;
use super::view::{INIT, View};
use crate::graph::Graph;
use crate::id::{Address, SiteId, ThreadId};
use crate::outcome::{LbRace, Outcome, RaceEnd};
use crate::program::Program;
use crate::run::Run;

/// A pair of sites: thread and site of the read, thread and site of the write.
type Pair = (u32, SiteId, u32, SiteId);

/// What was seen so far.
#[derive(Default)]
pub(super) struct RaceReport {
    count: u64,
    has_strong: bool,
    races: FxHashMap<Pair, LbRace>,
    /// Pairs of which the read reads from the write that it leads to.
    realised: FxHashSet<Pair>,
}

impl RaceReport {
    /// Look at an execution.
    pub fn look<P: Program>(&mut self, run: &Run<'_, P>, graph: &Graph, view: &View) {
        for (read, write, is_relaxed) in lb_races::all(view) {
            if !is_relaxed {
                self.has_strong = true;
                continue;
            }
            self.count += 1;
            let pair = pair(run, graph, view, read, write);
            self.races.entry(pair).or_insert_with(|| LbRace {
                read: end(run, graph, view, read),
                write: end(run, graph, view, write),
                address: Address(view.nodes[read].label.address),
                way: way(view, read, write).into_iter().map(|node| end(run, graph, view, node)).collect(),
                is_realised: false,
            });
        }
        for read in view.external().filter(|&read| view.porf.has(read, view.nodes[read].source as usize)) {
            let write = view.nodes[read].source as usize;
            self.realised.insert(pair(run, graph, view, read, write));
        }
    }

    /// Take over what another worker saw.
    pub fn merge(&mut self, other: RaceReport) {
        self.count += other.count;
        self.has_strong |= other.has_strong;
        self.realised.extend(other.realised);
        for (pair, race) in other.races {
            self.races.entry(pair).or_insert(race);
        }
    }

    /// Put it into the outcome.
    pub fn finish(self, outcome: &mut Outcome) {
        outcome.lb_races = self.count;
        outcome.has_strong_lb_race = self.has_strong;
        let RaceReport { races, realised, .. } = self;
        let mut sites: Vec<(Pair, LbRace)> = races.into_iter().collect();
        sites.sort_by_key(|(pair, _)| (pair.1, pair.3, pair.0, pair.2));
        let marked =
            sites.into_iter().map(|(pair, race)| LbRace { is_realised: realised.contains(&pair), ..race });
        outcome.lb_race_sites = marked.collect();
    }
}

fn end<P: Program>(run: &Run<'_, P>, graph: &Graph, view: &View, node: usize) -> RaceEnd {
    let event = view.nodes[node].event;
    RaceEnd { thread: ThreadId(event.thread() as u32), site: run.site(graph, event) }
}

fn pair<P: Program>(run: &Run<'_, P>, graph: &Graph, view: &View, read: usize, write: usize) -> Pair {
    let of = |node: usize| (view.nodes[node].label.thread, run.site(graph, view.nodes[node].event));
    let ((reader, at), (writer, to)) = (of(read), of(write));
    (reader, at, writer, to)
}

/// A shortest way from the read to the write: the nodes at which it goes from one thread to another.
fn way(view: &View, from: usize, to: usize) -> Vec<usize> {
    let n = view.len();
    let mut before = vec![usize::MAX; n];
    let mut open = std::collections::VecDeque::from([from]);
    while let Some(node) = open.pop_front() {
        if node == to {
            break;
        }
        for (next, before) in before.iter_mut().enumerate() {
            let reads = view.nodes[next].source == node as u32 && node < INIT as usize;
            if *before == usize::MAX && next != from && (reads || view.po().has(node, next)) {
                *before = node;
                open.push_back(next);
            }
        }
    }
    let mut way = Vec::new();
    let mut at = to;
    while at != from && before[at] != usize::MAX {
        at = before[at];
        if at != from {
            way.push(at);
        }
    }
    way.reverse();
    way
}
