//! A part of the search as a value: a graph, and which of its continuations are still to be explored.
//!
//! What it holds is all that the search needs: children of a node depend on nothing but the node. It can be written
//! to a file and continued elsewhere; names in it are those of the program (threads by who spawned them, events by
//! their place in the order), never a worker's own numbers.

use serde::{Deserialize, Serialize};

use super::trust::Search;
use super::trust::path::{Frame, FrameKind, Level, Path, Stage};
use crate::check;
use crate::consistency::{Consistency, happens_before};
use crate::execution::Execution;
use crate::graph::{EventTag, Graph, Kind, NONE, ThreadStatus};
use crate::id::EventId;
use crate::observer::Observer;
use crate::program::Program;
use crate::run::Run;
use crate::run::resolve::Request;

/// A graph and what is left to do with it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Subtree {
    /// The events by stamp.
    events: Vec<Item>,
    /// The writes of each location, as places in `events`, in the order in which the search keeps them.
    writes: Vec<Vec<u32>>,
    rest: Rest,
    /// Where sections are left unordered: the choices that lead there, each with the name of the thread, instead of a
    /// graph. With the last one the first of the alternatives that are left.
    choices: Vec<(u64, u64)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Item {
    /// The thread's name.
    thread: u32,
    /// The place of the write it reads from, for a read; [`NONE`] for the initial write.
    source: u32,
    /// Is it an update that wrote?
    update: bool,
    /// Did its thread do something wrong with it?
    failed: bool,
    /// The value, for a choice; 1 for a compare-exchange that failed although the values agree.
    chosen: u64,
}

/// Which continuations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
enum Rest {
    /// All.
    #[default]
    All,
    /// Those of the next event from this alternative on.
    From(u64),
    /// Only the revisits of the next event, a write, among the events with stamps below this one.
    Revisits(u32),
}

impl Subtree {
    /// The whole search.
    pub fn whole() -> Subtree {
        Subtree::default()
    }

    /// Where a search that only goes forward came by these choices of threads, from the last one on.
    pub(crate) fn of_choices(choices: Vec<(u64, u64)>) -> Subtree {
        Subtree { choices, ..Subtree::default() }
    }

    /// These choices; none for the whole search.
    pub(crate) fn choices(&self) -> &[(u64, u64)] {
        &self.choices
    }
}

impl Subtree {
    /// Take the oldest alternatives that are left on a path: they are no longer that search's to explore.
    pub(super) fn take_from<P: Program, K>(path: &mut Path<K>, run: &Run<'_, P>) -> Option<Subtree> {
        path.levels_mut()
            .find_map(|level| (0..level.frames.len()).find_map(|at| Subtree::take_frame(level, at, run)))
    }

    fn take_frame<P: Program, K>(level: &mut Level<K>, at: usize, run: &Run<'_, P>) -> Option<Subtree> {
        let frame = &level.frames[at];
        let (kind, stage, next, scan) = (frame.kind, frame.stage, frame.next, frame.scan);
        let rest = match kind {
            FrameKind::Step | FrameKind::Revisit { .. } => return None,
            _ if frame.given => return None,
            // Nothing was chosen yet, so there is nothing to go on from.
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

    /// The first `count` events of a graph, as a value.
    fn describe<P: Program>(run: &Run<'_, P>, graph: &Graph, count: usize, rest: Rest) -> Subtree {
        let stamp = |id: EventId| if id.is_init() { NONE } else { graph.event(id).stamp };
        let mut subtree = Subtree { rest, ..Subtree::default() };
        for &id in &graph.order[..count] {
            let event = graph.event(id);
            subtree.events.push(Item {
                thread: run.tables.threads.name(id.thread()),
                source: if event.kind.reads() { stamp(event.rf) } else { NONE },
                update: event.kind == Kind::Update,
                failed: event.tag == EventTag::Failed,
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

impl<P: Program, K: Consistency, O: Observer<P>> Search<'_, P, K, O> {
    /// Start with a subtree. False if it does not belong to this program and model.
    pub(super) fn start_with(&mut self, subtree: &Subtree) -> bool {
        self.restart();
        if subtree == &Subtree::whole() {
            return true;
        }
        if self.build(subtree).is_none() {
            return false;
        }
        self.report_failures();
        self.ledger.stopped.is_some() || self.resume(subtree.rest).is_some()
    }

    /// Threads that were found to do something wrong while the graph was built.
    fn report_failures(&mut self) {
        let Search { run, ledger, path, .. } = self;
        let level = &mut path.top;
        for thread in 0..level.graph.status.len() {
            if level.graph.status[thread] == ThreadStatus::Stuck
                && let Some(finding) = check::failed(run, &level.graph, thread)
            {
                ledger.report(&finding, |finding| {
                    Execution::new(run, &level.graph, &mut level.order).violation(&finding.violation)
                });
            }
        }
    }

    /// Ask all threads; what is wrong in the graph is said when it is whole.
    fn ask_silently(&mut self) -> bool {
        let Search { run, ledger, path, .. } = self;
        super::ask_threads(run, ledger, &mut path.top.graph, &|_| Vec::new(), |_, _, _, _| {})
    }

    fn build(&mut self, subtree: &Subtree) -> Option<()> {
        let count = subtree.events.len();
        let mut names: Vec<Option<EventId>> = vec![None; count];
        let mut left = count;
        while left > 0 {
            let before = left;
            for (at, item) in subtree.events.iter().enumerate() {
                if names[at].is_some() {
                    continue;
                }
                // Program order runs with the order of events: the thread's earlier items come first.
                let earlier = subtree.events[..at]
                    .iter()
                    .zip(&names)
                    .any(|(i, n)| i.thread == item.thread && n.is_none());
                let source = match item.source {
                    NONE => Some(EventId::INIT),
                    place => *names.get(place as usize)?,
                };
                let (false, Some(source)) = (earlier, source) else { continue };
                if let Some(id) = self.build_event(item, source)? {
                    names[at] = Some(id);
                    left -= 1;
                }
            }
            if left == before {
                return None;
            }
        }
        let level = &mut self.path.top;
        level.graph.order = names.iter().copied().collect::<Option<Vec<_>>>()?;
        level.graph.restamp();
        for list in &subtree.writes {
            let ids: Vec<EventId> = list.iter().map(|&w| names[w as usize]).collect::<Option<_>>()?;
            let loc = level.graph.event(*ids.first()?).loc;
            level.graph.set_writes(loc, ids);
        }
        level.order.rebuild(&level.graph).then_some(())
    }

    /// Add one event with its source; `Some(None)` if its thread has to wait for others.
    fn build_event(&mut self, item: &Item, source: EventId) -> Option<Option<EventId>> {
        let Some(thread) = self.run.tables.threads.known(item.thread as u64) else { return Some(None) };
        if self.path.top.graph.status.get(thread).is_none_or(|&s| s == ThreadStatus::Absent) {
            return Some(None);
        }
        if !self.ask_silently() {
            return None;
        }
        let graph = &mut self.path.top.graph;
        if !self.run.enabled(graph, thread) {
            return Some(None);
        }
        let id = self.run.push_next(graph, thread).ok()?;
        match graph.event(id).kind {
            Kind::Choose => graph.event_mut(id).read = item.chosen,
            Kind::Read => {
                self.run.set_source(graph, id, source);
                if item.chosen != 0 && !self.run.fail_spuriously(graph, id) {
                    return None;
                }
                if item.update {
                    let written = self.run.writes_too(graph, id)?;
                    graph.promote(id, written, false);
                    happens_before::compute_message(graph, id);
                }
            }
            Kind::Write => {
                graph.append_write(id);
                happens_before::compute_message(graph, id);
            }
            _ => {}
        }
        if item.failed {
            graph.event_mut(id).tag = EventTag::Failed;
        }
        Some(Some(id))
    }

    /// Make the frame of the next event and skip what is not ours.
    fn resume(&mut self, rest: Rest) -> Option<()> {
        if rest == Rest::All {
            return Some(());
        }
        self.extend();
        let Level { graph, order, frames } = &mut self.path.top;
        let frame: &mut Frame = frames.last_mut()?;
        let id = frame.event;
        match (frame.kind, rest) {
            (FrameKind::Read, Rest::From(next)) => frame.next = frame.from + usize::try_from(next).ok()?,
            (FrameKind::Choose, Rest::From(next)) => {
                frame.next = usize::try_from(next).ok()?;
                // As if the alternatives before had been tried: there is something to take back.
                order.other(graph, id);
            }
            (FrameKind::Write, Rest::From(next)) if K::COHERENCE => {
                happens_before::compute_message(graph, id);
                frame.from = order.first_place(graph, id);
                frame.next = usize::try_from(next).ok()?;
            }
            (FrameKind::Write, Rest::From(_) | Rest::Revisits(_)) => {
                happens_before::compute_message(graph, id);
                if K::COHERENCE {
                    frame.next = graph.accesses[graph.event(id).loc as usize].writes.len() + 1;
                } else {
                    frame.next = 1;
                    graph.append_write(id);
                    order.write(graph, id);
                }
                if let Rest::Revisits(scan) = rest {
                    frame.stage = Stage::Scanning;
                    frame.scan = scan;
                }
            }
            _ => return None,
        }
        Some(())
    }
}
