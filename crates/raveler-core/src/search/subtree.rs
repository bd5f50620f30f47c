//! A part of the search as a value: a graph, and which of its continuations are still to be explored.
//!
//! What it holds is all that the search needs, since children of a node depend on nothing but the node. It
//! can be written to a file and continued elsewhere: threads in it have their names, events their stamps,
//! never a worker's own numbers. (Of the lock-aware search it holds the choices that lead to the node instead
//! of a graph.)

use serde::{Deserialize, Serialize};

use super::trust::path::{Frame, FrameKind, Level, Path, Stage};
use crate::consistency::Consistency;
use crate::graph::{EventTag, Graph, Kind, NONE};
use crate::id::EventId;
use crate::program::Program;
use crate::run::Run;
use crate::run::resolve::Request;

/// A graph and what is left to do with it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Subtree {
    /// The events by stamp.
    pub(super) events: Vec<Item>,
    /// The writes of each location, by stamp, in the order in which the graph lists them.
    pub(super) writes: Vec<Vec<u32>>,
    pub(super) rest: Rest,
    /// In the lock-aware search, instead of a graph: the choices that lead to the node, each with the name of
    /// the thread. With [`Rest::From`] the last one is the first of the alternatives that are left.
    choices: Vec<(u64, u64)>,
    /// Of the search by interleavings `choices` are steps, each with a number for its process, the last one the step
    /// that is left; and these are the processes which need not go on there.
    asleep: Vec<u64>,
}

/// One event of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Item {
    /// The thread's name.
    pub thread: u32,
    /// For a read: the stamp of the write it reads from, [`NONE`] for the initial write.
    pub source: u32,
    /// Is it an update that wrote?
    pub update: bool,
    /// Did a violation stop its thread at it?
    pub failed: bool,
    /// The value, for a choice; 1 for a compare-exchange that failed although the values agree.
    pub chosen: u64,
}

/// Which continuations of the graph are to be explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) enum Rest {
    /// All.
    #[default]
    All,
    /// Those of the next event, from this alternative on.
    From(u64),
    /// Only the revisits by the next event, a write, of reads with stamps below this one.
    Revisits(u32),
    /// Only the revisits by the next event, an update that reads from its candidate with number `source`, of
    /// reads with stamps below `scan`.
    UpdateRevisits { source: u64, scan: u32 },
    /// The graph is one in which `write`, its youngest event, has revisited `read` (both by stamp).
    Revisited { write: u32, read: u32, left: LeftOfRevisit },
}

/// What is left of a revisit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum LeftOfRevisit {
    /// The places of the write in the coherence order, from this one on; then the failure of a weak
    /// compare-exchange, unless that was tried (`failed`). With a coherence order the write stands in no list
    /// of writes.
    Places { next: u64, failed: bool },
    /// Only the revisits by the read, which became an update, of reads with stamps below this one.
    Revisits(u32),
}

impl Subtree {
    /// The whole search.
    pub fn whole() -> Subtree {
        Subtree::default()
    }

    /// The node of the lock-aware search to which all but the last of these choices lead, from the
    /// alternative of the last one on.
    pub(super) fn from_choices(choices: Vec<(u64, u64)>) -> Subtree {
        Subtree { choices, rest: Rest::From(0), ..Subtree::default() }
    }

    /// All that comes after these choices.
    pub(super) fn after_choices(choices: Vec<(u64, u64)>) -> Subtree {
        Subtree { choices, ..Subtree::default() }
    }

    /// Of the search by interleavings: what begins with the last of these steps, where these processes sleep.
    pub(super) fn from_steps(choices: Vec<(u64, u64)>, asleep: Vec<u64>) -> Subtree {
        Subtree { choices, asleep, ..Subtree::default() }
    }

    /// The processes that sleep.
    pub(super) fn asleep(&self) -> &[u64] {
        &self.asleep
    }

    /// The choices of a part of the lock-aware search; none for the whole search.
    pub(super) fn choices(&self) -> &[(u64, u64)] {
        &self.choices
    }
}

impl Subtree {
    /// Take the oldest alternatives that are left on a path: they no longer belong to that search.
    pub(super) fn take_from<P: Program, K>(path: &mut Path<K>, run: &Run<'_, P>) -> Option<Subtree> {
        path.levels_mut()
            .find_map(|level| (0..level.frames.len()).find_map(|at| Subtree::take_frame(level, at, run)))
    }

    /// Take what is left of one frame, if it can be given away as one subtree.
    fn take_frame<P: Program, K>(level: &mut Level<K>, at: usize, run: &Run<'_, P>) -> Option<Subtree> {
        let frame = &level.frames[at];
        let (kind, stage, next, scan) = (frame.kind, frame.stage, frame.next, frame.scan);
        let rest = match kind {
            FrameKind::Step | FrameKind::Revisit { .. } => return None,
            _ if frame.given => return None,
            // Nothing was chosen yet; `Rest::From` stands for alternatives after the first.
            FrameKind::Choose if next == 0 => return None,
            FrameKind::Choose if choices_left(run, &level.graph, frame) == 0 => return None,
            FrameKind::Choose => Rest::From(next as u64),
            FrameKind::Read if next < frame.until => Rest::From((next - frame.from) as u64),
            FrameKind::Read => return None,
            FrameKind::Write if stage == Stage::Scanning && scan > 0 => Rest::Revisits(scan),
            FrameKind::Write if stage == Stage::Visited => Rest::From(next as u64),
            FrameKind::Write => return None,
        };
        let stamp = level.graph.event(frame.event).stamp as usize;
        let subtree = Subtree::describe(run, &level.graph, stamp, rest);
        let frame = &mut level.frames[at];
        match kind {
            FrameKind::Read => frame.until = frame.next,
            FrameKind::Choose => frame.next = usize::MAX,
            _ => frame.given = true,
        }
        if kind == FrameKind::Write && stage == Stage::Scanning {
            frame.scan = 0;
        }
        Some(subtree)
    }

    /// All that is left on a path; also everything below the top graph, if that was not extended yet.
    pub(super) fn all_left<P: Program, K: Consistency>(
        path: &mut Path<K>,
        run: &Run<'_, P>,
        is_unvisited: bool,
    ) -> Vec<Subtree> {
        let mut left = Vec::new();
        for level in path.levels_mut() {
            for frame in &level.frames {
                left_of_frame::<P, K>(run, &level.graph, frame, &mut left);
            }
        }
        if is_unvisited {
            let graph = &path.top.graph;
            left.push(Subtree::describe(run, graph, graph.len(), Rest::All));
        }
        left
    }

    /// The first `count` events of a graph by stamp, as a value.
    fn describe<P: Program>(run: &Run<'_, P>, graph: &Graph, count: usize, rest: Rest) -> Subtree {
        let stamp = |id: EventId| if id.is_init() { NONE } else { graph.event(id).stamp };
        let mut subtree = Subtree { rest, ..Subtree::default() };
        for &id in &graph.order[..count] {
            let event = graph.event(id);
            subtree.events.push(Item {
                thread: run.tables.threads.name(id.thread()),
                source: if event.kind.reads() { stamp(event.rf) } else { NONE },
                update: event.kind == Kind::Update,
                failed: event.failed,
                chosen: match event.kind {
                    Kind::Choose => event.read,
                    _ => (event.tag == EventTag::Spurious) as u64,
                },
            });
        }
        for accesses in &graph.accesses {
            let list: Vec<u32> =
                accesses.writes.iter().map(|&w| stamp(w)).filter(|&s| (s as usize) < count).collect();
            if !list.is_empty() {
                subtree.writes.push(list);
            }
        }
        subtree
    }
}

/// How many values a choice has left.
fn choices_left<P: Program>(run: &Run<'_, P>, graph: &Graph, frame: &Frame) -> u64 {
    match run.step_of(graph.event(frame.event)).request {
        Request::Choose { low, high } => {
            (high.abs_diff(low) + 1).saturating_sub(u64::try_from(frame.next).unwrap_or(u64::MAX))
        }
        _ => 0,
    }
}

/// Add what is left of one event's alternatives.
fn left_of_frame<P: Program, K: Consistency>(
    run: &Run<'_, P>,
    graph: &Graph,
    frame: &Frame,
    left: &mut Vec<Subtree>,
) {
    let stamp = graph.event(frame.event).stamp as usize;
    let mut add = |rest| left.push(Subtree::describe(run, graph, stamp, rest));
    let scan = match frame.stage {
        Stage::Next => None,
        Stage::Visited if graph.event(frame.event).kind != Kind::Update => None,
        // A lock event that took a free lock revisits nothing.
        Stage::Visited if frame.consistent && run.tables.is_lock(graph.event(frame.event).loc) => None,
        Stage::Visited => Some(u32::MAX),
        Stage::Scanning => Some(frame.scan).filter(|&scan| scan > 0),
    };
    match frame.kind {
        // It was visited as soon as it was there.
        FrameKind::Step => {}
        FrameKind::Choose if frame.next == 0 => add(Rest::All),
        FrameKind::Choose if choices_left(run, graph, frame) > 0 => add(Rest::From(frame.next as u64)),
        FrameKind::Choose => {}
        FrameKind::Write if frame.given => {}
        FrameKind::Write if frame.stage == Stage::Scanning => {
            if let Some(scan) = scan {
                add(Rest::Revisits(scan));
            }
        }
        FrameKind::Write if frame.next == 0 => add(Rest::All),
        FrameKind::Write => add(Rest::From(frame.next as u64)),
        FrameKind::Read => {
            if let Some(scan) = scan {
                add(Rest::UpdateRevisits { source: (frame.next - frame.from) as u64 - 1, scan });
            }
            if frame.next < frame.until {
                add(Rest::From((frame.next - frame.from) as u64));
            }
        }
        FrameKind::Revisit { write } => {
            let (write, read) = (graph.event(write).stamp, graph.event(frame.event).stamp);
            let mut add = |left_of_it, without_write: bool| {
                let rest = Rest::Revisited { write, read, left: left_of_it };
                let mut subtree = Subtree::describe(run, graph, write as usize + 1, rest);
                // The read becomes an update again, and the write gets its place, when the search goes on.
                subtree.events[read as usize].update = false;
                subtree.events[read as usize].failed = false;
                subtree.forget_place(read);
                if without_write {
                    subtree.forget_place(write);
                }
                left.push(subtree);
            };
            if let Some(scan) = scan {
                add(LeftOfRevisit::Revisits(scan), false);
            }
            let may_fail = run.settings.spurious_cas && !frame.given;
            if K::COHERENCE || frame.next == 0 || may_fail {
                let left = LeftOfRevisit::Places { next: frame.next as u64, failed: frame.given };
                add(left, K::COHERENCE);
            }
        }
    }
}

impl Subtree {
    /// Take an event out of the lists of writes.
    fn forget_place(&mut self, event: u32) {
        for list in &mut self.writes {
            list.retain(|&write| write != event);
        }
    }
}
