//! A part of the search as a value: a graph, and which of its continuations are still to be explored.
//!
//! What it holds is all that the search needs: children of a node depend on nothing but the node. It can be written
//! to a file and continued elsewhere; names in it are those of the program (threads by who spawned them, events by
//! their place in the order), never a worker's own numbers.

use crate::consistency::{Consistency, happens_before};
use crate::graph::{Event, EventTag, Kind, NONE, ThreadStatus};
use crate::id::EventId;
use crate::observer::Observer;
use crate::program::Program;

use super::trust::{Explorer, Frame, FrameKind, Level, Stage};
use crate::run::resolve::Request;
use crate::run::tables::Failure;

/// A graph and what is left to do with it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Item {
    /// The thread's name.
    thread: u32,
    /// The place of the write it reads from, for a read; [`NONE`] for the initial write.
    source: u32,
    /// Is it an update that wrote?
    update: bool,
    /// The value, for a choice; 1 for a compare-exchange that failed although the values agree.
    chosen: u64,
}

/// Which continuations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut put = |value: u64| {
            let mut value = value;
            while value >= 0x80 {
                bytes.push(value as u8 | 0x80);
                value >>= 7;
            }
            bytes.push(value as u8);
        };
        put(self.events.len() as u64);
        for item in &self.events {
            put((item.thread as u64) << 1 | item.update as u64);
            put(item.source.wrapping_add(1) as u64);
            put(item.chosen);
        }
        put(self.writes.len() as u64);
        for list in &self.writes {
            put(list.len() as u64);
            list.iter().for_each(|&w| put(w as u64));
        }
        put(self.choices.len() as u64);
        for &(thread, choice) in &self.choices {
            put(thread);
            put(choice);
        }
        match self.rest {
            Rest::All => put(0),
            Rest::From(next) => {
                put(1);
                put(next);
            }
            Rest::Revisits(scan) => {
                put(2);
                put(scan as u64);
            }
        }
        bytes
    }

    /// From bytes; none if they are not what [`Subtree::to_bytes`] made.
    pub fn from_bytes(bytes: &[u8]) -> Option<Subtree> {
        let mut rest = bytes;
        let mut take = || -> Option<u64> {
            let mut value = 0u64;
            for shift in (0..64).step_by(7) {
                let (&byte, after) = rest.split_first()?;
                rest = after;
                value |= ((byte & 0x7f) as u64) << shift;
                if byte < 0x80 {
                    return Some(value);
                }
            }
            None
        };
        let count = take()?;
        let mut subtree = Subtree::default();
        for _ in 0..count {
            let thread = take()?;
            let source = take()?;
            let chosen = take()?;
            subtree.events.push(Item {
                thread: u32::try_from(thread >> 1).ok()?,
                update: thread & 1 != 0,
                source: u32::try_from(source).ok()?.wrapping_sub(1),
                chosen,
            });
        }
        for _ in 0..take()? {
            let length = take()?;
            let mut list = Vec::new();
            for _ in 0..length {
                let place = u32::try_from(take()?).ok()?;
                if place as usize >= subtree.events.len() {
                    return None;
                }
                list.push(place);
            }
            subtree.writes.push(list);
        }
        for _ in 0..take()? {
            let thread = take()?;
            subtree.choices.push((thread, take()?));
        }
        subtree.rest = match take()? {
            0 => Rest::All,
            1 => Rest::From(take()?),
            2 => Rest::Revisits(u32::try_from(take()?).ok()?),
            _ => return None,
        };
        rest.is_empty().then_some(subtree)
    }
}

impl<P: Program, K: Consistency, O: Observer<P>> Explorer<'_, P, K, O> {
    /// Give away the oldest alternatives that are left: they are no longer this search's to explore.
    pub(crate) fn give_away(&mut self) -> Option<Subtree> {
        for l in 0..self.levels.len() {
            for f in 0..self.levels[l].frames.len() {
                if let Some(subtree) = self.give_frame(l, f) {
                    return Some(subtree);
                }
            }
        }
        None
    }

    fn give_frame(&mut self, l: usize, f: usize) -> Option<Subtree> {
        let level = &self.levels[l];
        let frame = &level.frames[f];
        let (kind, stage, next, scan) = (frame.kind, frame.stage, frame.next, frame.scan);
        let rest = match kind {
            FrameKind::Step | FrameKind::Revisit { .. } => return None,
            _ if frame.given => return None,
            // Nothing was chosen yet, so there is nothing to go on from.
            FrameKind::Choose if next == 0 => return None,
            FrameKind::Choose => Rest::From(next as u64),
            FrameKind::Read if frame.next < frame.until => Rest::From((frame.next - frame.from) as u64),
            FrameKind::Read => return None,
            FrameKind::Write if stage == Stage::Scanning && scan > 0 => Rest::Revisits(scan),
            FrameKind::Write if stage == Stage::Visited => Rest::From(next as u64),
            FrameKind::Write => return None,
        };
        if kind == FrameKind::Choose && self.choices_left(l, f) == 0 {
            return None;
        }
        let stamp = level.graph.event(frame.event).stamp as usize;
        let subtree = self.describe(l, stamp, rest);
        let frame = &mut self.levels[l].frames[f];
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

    /// The first `count` events of a level's graph, as a value.
    fn describe(&self, l: usize, count: usize, rest: Rest) -> Subtree {
        let graph = &self.levels[l].graph;
        let stamp = |id: EventId| if id.is_init() { NONE } else { graph.event(id).stamp };
        let mut subtree = Subtree { rest, ..Subtree::default() };
        for &id in &graph.order[..count] {
            let event = graph.event(id);
            subtree.events.push(Item {
                thread: self.tables.names[id.thread()],
                source: if event.kind.reads() { stamp(event.rf) } else { NONE },
                update: event.kind == Kind::Update,
                chosen: match event.kind {
                    Kind::Choose => event.read,
                    _ => (event.tag == EventTag::Spurious) as u64,
                },
            });
        }
        for place in &graph.accesses {
            let list: Vec<u32> =
                place.writes.iter().map(|&w| stamp(w)).filter(|&s| (s as usize) < count).collect();
            if !list.is_empty() {
                subtree.writes.push(list);
            }
        }
        subtree
    }

    /// Start with a subtree. False if it does not belong to this program and model.
    pub(crate) fn start_with(&mut self, subtree: &Subtree) -> bool {
        self.clear();
        self.start();
        if subtree == &Subtree::whole() {
            return true;
        }
        self.building = true;
        let built = self.build(subtree);
        self.building = false;
        if built.is_none() {
            return false;
        }
        self.report_failures();
        self.stopped.is_some() || self.resume(subtree.rest).is_some()
    }

    /// Threads that were found to do something wrong while the graph was built.
    fn report_failures(&mut self) {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let failed: Vec<usize> =
            (0..graph.status.len()).filter(|&t| graph.status[t] == ThreadStatus::Stuck).collect();
        for thread in failed {
            let state = self.levels.last().expect("a search has a level").graph.threads[thread].state;
            let step = &self.states[state as usize].step;
            if let Request::Fail(trouble) = &step.request {
                let (site, Failure { kind, message }) = (step.site, (**trouble).clone());
                self.violation(kind, message, thread, site, Vec::new());
            }
        }
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
        let level = self.levels.last_mut()?;
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
        let Some(thread) = self.tables.known_thread(item.thread as u64) else { return Some(None) };
        if self.levels.last()?.graph.status.get(thread).is_none_or(|&r| r == ThreadStatus::Absent) {
            return Some(None);
        }
        if !self.ask_threads() {
            return None;
        }
        if !self.enabled(thread) {
            return Some(None);
        }
        let id = self.push_next(thread)?;
        let with_hb = self.with_hb;
        let sequences = self.sequences;
        let level = self.levels.last_mut()?;
        let event: &mut Event = level.graph.event_mut(id);
        match event.kind {
            Kind::Choose => event.read = item.chosen,
            Kind::Read => {
                self.set_source(id, source);
                if item.chosen != 0 && !self.fail_spuriously(id) {
                    return None;
                }
                if item.update {
                    let written = self.writes_too(id)?;
                    let level = self.levels.last_mut()?;
                    level.graph.promote(id, written, false);
                    if with_hb {
                        happens_before::compute_message(&mut level.graph, id, sequences);
                    }
                }
            }
            Kind::Write => {
                level.graph.append_write(id);
                if with_hb {
                    happens_before::compute_message(&mut level.graph, id, sequences);
                }
            }
            _ => {}
        }
        Some(Some(id))
    }

    /// Make the frame of the next event and skip what is not ours.
    fn resume(&mut self, rest: Rest) -> Option<()> {
        if rest == Rest::All {
            return Some(());
        }
        self.visit();
        let (with_hb, sequences) = (self.with_hb, self.sequences);
        let level = self.levels.last_mut()?;
        let Level { graph, order, frames } = level;
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
                if with_hb {
                    happens_before::compute_message(graph, id, sequences);
                }
                frame.from = order.first_place(graph, id);
                frame.next = usize::try_from(next).ok()?;
            }
            (FrameKind::Write, Rest::From(_) | Rest::Revisits(_)) => {
                if with_hb {
                    happens_before::compute_message(graph, id, sequences);
                }
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
