//! Going on with a part of the search: its graph is built again, then the alternatives that are left are
//! tried.
//!
//! Values, labels and rows are computed again while the graph is built, each event after its past; stamps and
//! lists of writes are then set as the part says. What was counted before must not be counted again
//! (docs/engine.md, "Subtrees and workers").

use super::Search;
use super::anew::Anew;
use super::path::{Frame, FrameKind, Level, Stage};
use crate::check;
use crate::consistency::{Consistency, happens_before};
use crate::execution::Execution;
use crate::graph::{Kind, Loc, NONE, ThreadStatus};
use crate::id::EventId;
use crate::program::Program;
use crate::search::subtree::{Item, LeftOfRevisit, Rest, Subtree};

impl<P: Program, K: Consistency> Search<'_, P, K> {
    /// Start with a subtree. False if it does not belong to this program and model.
    pub(in crate::search) fn start_with(&mut self, subtree: &Subtree) -> bool {
        self.restart();
        if subtree == &Subtree::whole() {
            return true;
        }
        // Threads are asked while the graph is not whole: what is learned of them then ends the search as it would later.
        let Some(place) = self.build(subtree) else { return self.ledger.stopped.is_some() };
        // Of a revisit the read is made an update only when the search goes on: its thread is asked again then.
        let is_revisit = matches!(subtree.rest, Rest::Revisited { .. });
        if !is_revisit {
            self.report_failures();
        }
        // What was counted before the search stopped must not be counted again.
        let counts = self.ledger.counts;
        let resumed = self.ledger.stopped.is_some() || self.resume(subtree.rest, place).is_some();
        self.ledger.counts = counts;
        if is_revisit {
            self.report_failures();
        }
        resumed
    }

    /// Report the violations of threads that failed while the graph was built.
    pub(super) fn report_failures(&mut self) {
        let Search { run, ledger, path, .. } = self;
        let level = &mut path.top;
        for thread in 0..level.graph.status.len() {
            if level.graph.status[thread] == ThreadStatus::Stuck
                && let Some(finding) = check::failed(run, &level.graph, thread)
            {
                ledger.report(&finding, |finding| {
                    Execution::new(
                        run,
                        &level.graph,
                        &mut Anew { order: &mut level.order, settings: run.settings },
                    )
                    .violation(&finding.violation)
                });
            }
        }
    }

    /// Ask all threads, without reporting anything: violations are reported when the graph is complete.
    pub(super) fn ask_silently(&mut self) -> bool {
        let Search { run, ledger, path, .. } = self;
        crate::search::ask_threads(run, ledger, &mut path.top.graph, &|_| Vec::new(), |_, _, _, _| {})
    }

    /// Build the events of a graph, each after its past, with these stamps; none if they do not fit. The lists of writes
    /// are in no order that means something.
    pub(super) fn build_events(&mut self, items: &[Item]) -> Option<Vec<EventId>> {
        let mut names: Vec<Option<EventId>> = vec![None; items.len()];
        let mut left = items.len();
        while left > 0 {
            let before = left;
            for (at, item) in items.iter().enumerate() {
                if names[at].is_some() {
                    continue;
                }
                // Program order runs with the stamps: earlier items of the thread come first.
                let earlier =
                    items[..at].iter().zip(&names).any(|(i, n)| i.thread == item.thread && n.is_none());
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
        let names: Vec<EventId> = names.into_iter().collect::<Option<_>>()?;
        self.path.top.graph.order.clone_from(&names);
        self.path.top.graph.restamp();
        Some(names)
    }

    /// Build the graph; none if the part does not fit. With a coherence order the write of a revisit is taken
    /// out of its list; its write index there is returned.
    fn build(&mut self, subtree: &Subtree) -> Option<u32> {
        let names = self.build_events(&subtree.events)?;
        let level = &mut self.path.top;
        level.graph.clear_writes();
        for list in &subtree.writes {
            let ids: Option<Vec<EventId>> = list.iter().map(|&w| names.get(w as usize).copied()).collect();
            let ids = ids?;
            let Some(first) = ids.first() else { continue };
            let loc = level.graph.event(*first).loc;
            if ids.iter().any(|&id| level.graph.event(id).loc != loc || !level.graph.event(id).kind.writes())
            {
                return None;
            }
            level.graph.set_writes(loc, ids);
        }
        match subtree.rest {
            // The check leaves out the write, which stands in no list yet.
            Rest::Revisited { write, read, .. } if K::COHERENCE => {
                let id = |at: u32| names.get(at as usize).copied();
                let (write, read) = (id(write)?, id(read)?);
                let graph = &mut level.graph;
                let place = graph.event(write).write_index;
                if place > 0 {
                    graph.unplace_write(write);
                }
                let lost: Vec<Loc> = (0..graph.accesses.len() as Loc).collect();
                let parent = K::new(self.run.settings);
                level.order.revisited(&parent, graph, &lost, write, read).then_some(place)
            }
            _ => level.order.rebuild(&level.graph).then_some(0),
        }
    }

    /// Add one event with its source; `Some(None)` if its thread cannot make it yet, none if the part does
    /// not fit.
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
            graph.event_mut(id).failed = true;
        }
        Some(Some(id))
    }

    /// Make the frame of the next event, and skip the alternatives that do not belong to this part.
    fn resume(&mut self, rest: Rest, place: u32) -> Option<()> {
        match rest {
            Rest::All => return Some(()),
            Rest::Revisited { write, read, left } => return self.resume_revisit(write, read, left, place),
            _ => {}
        }
        self.extend();
        let Level { graph, order, frames, .. } = &mut self.path.top;
        let frame: &mut Frame = frames.last_mut()?;
        let id = frame.event;
        match (frame.kind, rest) {
            (FrameKind::Read, Rest::From(next)) => frame.next = frame.from + usize::try_from(next).ok()?,
            (FrameKind::Choose, Rest::From(next)) => {
                frame.next = usize::try_from(next).ok()?;
                // As if the alternatives before had been tried: the first step back takes this back.
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
            (FrameKind::Read, Rest::UpdateRevisits { source, scan }) => {
                frame.next = frame.from + usize::try_from(source).ok()?;
                // Only this source belongs to the part.
                frame.until = frame.next.checked_add(1).filter(|&until| until <= self.candidates.len())?;
                self.next_alternative();
                self.scan_from(id, scan)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// The event on top of the path is an update: go on with its revisits.
    fn scan_from(&mut self, id: EventId, scan: u32) -> Option<()> {
        let Level { graph, frames, .. } = &mut self.path.top;
        let frame = frames.last_mut()?;
        if frame.event != id || graph.event(id).kind != Kind::Update {
            return None;
        }
        frame.stage = Stage::Scanning;
        frame.scan = scan.min(graph.len() as u32);
        Some(())
    }

    /// Make the frame of a revisit, and skip the alternatives that do not belong to this part.
    fn resume_revisit(&mut self, write: u32, read: u32, left: LeftOfRevisit, place: u32) -> Option<()> {
        let graph = &mut self.path.top.graph;
        let (write, read) = (*graph.order.get(write as usize)?, *graph.order.get(read as usize)?);
        if !graph.event(write).kind.writes() || graph.event(read).kind != Kind::Read {
            return None;
        }
        // What its thread does next depends on whether the read becomes an update.
        graph.status[read.thread()] = ThreadStatus::Unasked;
        // The part does not say whether a graph showed the write before.
        let shows_write = graph.event(write).kind == Kind::Update;
        let frame = Frame::new(FrameKind::Revisit { write }, read, self.run.states.len());
        self.path.top.frames.push(Frame { shows_write, ..frame });
        self.unask_failed(write);
        self.path.top.note_unasked();
        let Level { graph, order, frames, .. } = &mut self.path.top;
        let frame = frames.last_mut()?;
        match left {
            LeftOfRevisit::Places { next, failed } => {
                frame.next = usize::try_from(next).ok()?;
                frame.given = failed;
                if K::COHERENCE && graph.event(write).kind == Kind::Write {
                    frame.from = order.first_place(graph, write);
                }
            }
            LeftOfRevisit::Revisits(scan) => {
                if K::COHERENCE {
                    graph.place_write(write, (place as usize).checked_sub(1)?);
                    if !order.revisit_placed(graph, write, read) {
                        return None;
                    }
                }
                // Only this place belongs to the part.
                frame.given = true;
                frame.next = usize::MAX / 2;
                frame.stage = Stage::Visited;
                self.settle_read(read);
                self.scan_from(read, scan)?;
            }
        }
        Some(())
    }
}
