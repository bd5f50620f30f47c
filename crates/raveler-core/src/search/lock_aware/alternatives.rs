//! The alternatives of one step: making them, one after the other, and undoing them.
//!
//! A step is the next request of a thread, or the decision of a postponed read about writes on offer. Each
//! alternative must leave some order of the sections ([`crate::consistency::sections`]); one that does not is
//! undone at once.

use super::Go;
use super::Search;
use crate::consistency::happens_before;
use crate::consistency::with_sections::WithSections;
use crate::graph::{Kind, Loc, ThreadStatus};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::Program;
use crate::run::resolve::Request;

/// One step with the alternatives that are left.
pub(super) struct Frame {
    pub kind: FrameKind,
    pub thread: usize,
    /// The next alternative, and the end of those that belong to this search (later ones were given to
    /// another worker).
    pub next: u64,
    pub until: u64,
    /// The index of a read's first source in [`Search::candidates`].
    pub from: usize,
    /// How many alternatives were possible and not rejected.
    pub made: u32,
    /// It goes on with the thread of the frame below, which has no other way on: if no alternative is
    /// possible, the step below is rejected.
    pub follows: bool,
    /// What the current alternative did.
    done: Done,
    /// The thread stopped for good after it, and its open sections were made the last ones.
    pub stopped: bool,
    /// The length of the states, of the suspects and of the halts, and the offers, before the step.
    states: usize,
    suspects: usize,
    halts: usize,
    offers: Vec<Offer>,
    /// Were the alternatives counted?
    pub begun: bool,
}

/// What a step is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FrameKind {
    /// The thread's next request.
    Step,
    /// A postponed read takes a write on offer, or stays postponed.
    Offer,
}

/// A new write is offered to the postponed reads of its location, one thread after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    write: EventId,
    /// Threads before this position in the order of names were asked.
    rank: usize,
}

/// What an alternative did, to be undone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Done {
    Nothing,
    Event(EventId),
    Update(EventId),
    /// The thread waits for the lock for ever.
    Blocked,
    /// The read was postponed.
    Postponed,
    /// A postponed read took none of the writes on offer.
    Declined,
}

/// How an alternative went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tried {
    /// The graph has one more event, or the thread another status.
    Fine,
    /// It is impossible; all was undone.
    Undone,
}

impl<P: Program, K: WithSections> Search<'_, P, K> {
    pub(super) fn frame(&self, kind: FrameKind, thread: usize) -> Frame {
        Frame {
            kind,
            thread,
            next: 0,
            until: u64::MAX,
            from: self.candidates.len(),
            made: 0,
            follows: false,
            done: Done::Nothing,
            stopped: false,
            states: self.run.states.len(),
            suspects: self.suspects.len(),
            halts: self.halts.len(),
            offers: self.offers.clone(),
            begun: false,
        }
    }

    /// Push the event of a thread's request. None if the search has to stop.
    pub(super) fn push_next(&mut self, thread: usize) -> Option<EventId> {
        self.run.push_next(&mut self.graph, thread).map_err(|reason| self.ledger.stop(reason)).ok()
    }

    /// The frame of the first thread whose postponed read was not asked about all writes on offer.
    pub(super) fn next_offer(&mut self) -> Option<Frame> {
        let graph = &self.graph;
        let by_rank = &self.run.tables.threads.by_rank;
        let mut first: Option<usize> = None;
        for offer in &mut self.offers {
            let write = graph.event(offer.write);
            let waits = |&thread: &usize| {
                let step = |number: u32| &self.run.states[number as usize].step;
                graph.status.get(thread) == Some(&ThreadStatus::Postponed)
                    && Some(step(graph.threads[thread].state))
                        .is_some_and(|step| step.loc == write.loc && step.then.wants(write.written))
            };
            offer.rank += by_rank[offer.rank..].iter().take_while(|thread| !waits(thread)).count();
            if offer.rank < by_rank.len() {
                first = Some(first.map_or(offer.rank, |rank| rank.min(offer.rank)));
            }
        }
        let Some(rank) = first else {
            self.offers.clear();
            return None;
        };
        let from = self.candidates.len();
        // The newest first: older ones are more likely to be overwritten.
        for offer in self.offers.iter_mut().rev().filter(|offer| offer.rank == rank) {
            self.candidates.push(offer.write);
            offer.rank += 1;
        }
        let thread = by_rank[rank];
        let mut frame = self.frame(FrameKind::Offer, thread);
        frame.from = from;
        Some(frame)
    }

    /// May the thread read this write at all? A failed try of a lock must read that a thread holds the lock
    /// (`MicroStep::wants`).
    fn is_wanted(&self, thread: usize, write: EventId) -> bool {
        let graph = &self.graph;
        let then = self.run.step(graph, thread).then;
        then.wants(if write.is_init() { 0 } else { graph.event(write).written })
    }

    /// Is the postponed read of a thread still to be asked about some write on offer?
    pub(super) fn is_on_offer(&self, thread: usize, loc: Loc) -> bool {
        let graph = &self.graph;
        self.offers.iter().any(|offer| {
            graph.event(offer.write).loc == loc
                && self.run.tables.threads.by_rank[offer.rank..].contains(&thread)
        })
    }

    /// Undo the top frame's alternative and make its next one.
    pub(super) fn back(&mut self) -> Go {
        let Some(mut frame) = self.frames.pop() else { return Go::End };
        self.undo(&mut frame);
        if !frame.begun {
            frame.begun = true;
            self.begin(&mut frame);
        }
        while frame.next < frame.until {
            let alternative = frame.next;
            frame.next += 1;
            match self.make(&mut frame, alternative) {
                Some(Tried::Fine) => {
                    frame.made += 1;
                    self.frames.push(frame);
                    return Go::Visit;
                }
                Some(Tried::Undone) | None => {}
            }
            if self.ledger.stopped.is_some() {
                break;
            }
        }
        self.candidates.truncate(frame.from);
        if frame.made == 0 && frame.follows {
            self.reject();
        } else if frame.made == 0 {
            self.ledger.counts.dropped += 1;
        }
        Go::Back
    }

    pub(super) fn request(&self, thread: usize) -> &Request {
        &self.run.step(&self.graph, thread).request
    }

    /// Count the alternatives.
    pub(super) fn begin(&mut self, frame: &mut Frame) {
        let thread = frame.thread;
        let count = match (frame.kind, self.request(thread)) {
            (kind, Request::Read(_) | Request::Update { .. }) => {
                match kind {
                    FrameKind::Step => self.find_sources(frame),
                    FrameKind::Offer => self.add_spurious(frame),
                }
                (self.candidates.len() - frame.from) as u64 + 1
            }
            (_, Request::Write { .. }) if K::COHERENCE => {
                let loc = self.run.step(&self.graph, thread).loc as usize;
                1 + self.graph.accesses.get(loc).map_or(0, |place| place.writes.len() as u64)
            }
            (_, Request::Choose { low, high }) => high.abs_diff(*low).saturating_add(1),
            (_, Request::Lock { waits, .. }) => 1 + u64::from(*waits),
            _ => 1,
        };
        frame.until = frame.until.min(count);
    }

    /// Find the writes in the graph that a read may read.
    fn find_sources(&mut self, frame: &Frame) {
        let Some(id) = self.push_next(frame.thread) else { return };
        self.order.order.sources(&self.graph, id, &mut self.candidates);
        if self.run.tables.locks.has_tried() {
            let mut from = frame.from;
            while let Some(&source) = self.candidates.get(from) {
                if self.is_wanted(frame.thread, source) {
                    from += 1;
                } else {
                    self.candidates.remove(from);
                }
            }
        }
        if self.run.settings.spurious_cas {
            self.run.add_spurious_candidates(&self.graph, id, &mut self.candidates, frame.from);
        }
        self.graph.pop();
    }

    /// A weak compare-exchange may read a write on offer and fail all the same.
    fn add_spurious(&mut self, frame: &Frame) {
        if self.run.settings.spurious_cas
            && let Some(id) = self.push_next(frame.thread)
        {
            self.run.add_spurious_candidates(&self.graph, id, &mut self.candidates, frame.from);
            self.graph.pop();
            self.graph.status[frame.thread] = ThreadStatus::Postponed;
        }
    }

    /// Make one alternative. None if there is no such alternative.
    pub(super) fn make(&mut self, frame: &mut Frame, alternative: u64) -> Option<Tried> {
        let thread = frame.thread;
        match *self.request(thread) {
            Request::Read(_) | Request::Update { .. } => {
                let at = frame.from + alternative as usize;
                if let Some(&source) = self.candidates.get(at) {
                    let again = at > frame.from && self.candidates[at - 1] == source;
                    return self.read(frame, source, again);
                }
                let (may, done) = match frame.kind {
                    _ if Mutant::NeverPostponed.is_active() => return None,
                    FrameKind::Offer if Mutant::AlwaysTaken.is_active() && frame.made > 0 => return None,
                    FrameKind::Step => (self.may_postpone(thread), Done::Postponed),
                    FrameKind::Offer => (self.all_may_come(), Done::Declined),
                };
                may.then(|| {
                    frame.done = done;
                    self.graph.status[thread] = ThreadStatus::Postponed;
                    Tried::Fine
                })
            }
            Request::Write { .. } => self.write(frame, alternative),
            Request::Choose { low, .. } => {
                let id = self.push_next(thread)?;
                self.graph.event_mut(id).read = low.wrapping_add(alternative as i64) as u64;
                Some(self.enter(frame, id))
            }
            Request::Lock { .. } if alternative == 0 => {
                if self.waits_for_itself(thread) {
                    return None;
                }
                let id = self.push_next(thread)?;
                Some(self.enter(frame, id))
            }
            Request::Lock { mode, .. } => self.may_wait_for_ever(thread, mode).then(|| self.block(frame)),
            _ => {
                let id = self.push_next(thread)?;
                Some(self.enter(frame, id))
            }
        }
    }

    /// The thread reads from `source`.
    pub(super) fn read(&mut self, frame: &mut Frame, source: EventId, spuriously: bool) -> Option<Tried> {
        if self.is_rivalled(frame.thread, source) {
            return Some(Tried::Undone);
        }
        let id = self.push_next(frame.thread)?;
        self.run.set_source(&mut self.graph, id, source);
        if spuriously {
            self.run.fail_spuriously(&mut self.graph, id);
        }
        let written = self.run.writes_too(&self.graph, id);
        frame.done = Done::Event(id);
        let (graph, order) = (&mut self.graph, &mut self.order);
        let mut fine = order.enter(graph, id);
        if let Some(written) = written {
            let (loc, write_index) = (graph.event(id).loc as usize, graph.write_index(source) as usize);
            if fine && K::COHERENCE && graph.splits_update(loc, write_index) {
                fine = false;
            }
            if fine {
                graph.promote(id, written, K::COHERENCE);
                happens_before::compute_message(graph, id);
                fine = order.enter_update(graph, id);
                if fine {
                    frame.done = Done::Update(id);
                } else {
                    graph.demote(id);
                }
            }
            self.learn_write(id);
        }
        let (graph, order) = (&mut self.graph, &mut self.order);
        if !fine || !order.settle(graph, id) {
            self.undo(frame);
            return Some(Tried::Undone);
        }
        if written.is_some() {
            self.offers.push(Offer { write: id, rank: 0 });
        }
        self.check_event(id);
        Some(Tried::Fine)
    }

    /// The thread writes; with a coherence order at the place with this number, counted from the last one.
    pub(super) fn write(&mut self, frame: &mut Frame, alternative: u64) -> Option<Tried> {
        let id = self.push_next(frame.thread)?;
        let (graph, order) = (&mut self.graph, &mut self.order);
        if K::COHERENCE {
            let loc = graph.event(id).loc as usize;
            let place = graph.accesses[loc].writes.len() - alternative as usize;
            if place < order.order.first_place(graph, id) || graph.splits_update(loc, place) {
                graph.pop();
                return None;
            }
            graph.place_write(id, place);
        } else {
            graph.append_write(id);
        }
        happens_before::compute_message(graph, id);
        frame.done = Done::Event(id);
        self.learn_write(id);
        let (graph, order) = (&mut self.graph, &mut self.order);
        if !(order.enter(graph, id) && order.settle(graph, id)) {
            self.undo(frame);
            return Some(Tried::Undone);
        }
        self.offers.push(Offer { write: id, rank: 0 });
        self.check_event(id);
        Some(Tried::Fine)
    }

    /// Another event was pushed: enter it.
    pub(super) fn enter(&mut self, frame: &mut Frame, id: EventId) -> Tried {
        frame.done = Done::Event(id);
        let kind = self.graph.event(id).kind;
        let (graph, order) = (&mut self.graph, &mut self.order);
        if !(order.enter(graph, id) && order.settle(graph, id)) {
            self.undo(frame);
            return Tried::Undone;
        }
        if kind == Kind::Unlock {
            self.learn_section(id);
        }
        self.check_event(id);
        Tried::Fine
    }

    /// The thread waits for the lock for ever.
    pub(super) fn block(&mut self, frame: &mut Frame) -> Tried {
        let thread = frame.thread;
        frame.done = Done::Blocked;
        self.blocked += 1;
        let (graph, order) = (&mut self.graph, &mut self.order);
        graph.status[thread] = ThreadStatus::Stuck;
        let fine = order.stop(graph, thread) && order.solve(graph);
        if !(fine && self.all_may_come()) {
            self.undo(frame);
            return Tried::Undone;
        }
        self.check_blocked(thread);
        Tried::Fine
    }

    /// Take back what the frame's alternative did.
    pub(super) fn undo(&mut self, frame: &mut Frame) {
        let thread = frame.thread;
        if frame.stopped {
            let (graph, order) = (&mut self.graph, &mut self.order);
            order.resume(graph, thread);
            frame.stopped = false;
        }
        let offered = frame.kind != FrameKind::Step;
        let (graph, order) = (&mut self.graph, &mut self.order);
        match frame.done {
            Done::Nothing | Done::Declined => {}
            Done::Postponed => graph.status[thread] = ThreadStatus::Reads,
            Done::Blocked => {
                order.resume(graph, thread);
                graph.status[thread] = ThreadStatus::Steps;
                self.blocked -= 1;
            }
            Done::Event(id) | Done::Update(id) => {
                if frame.done == Done::Update(id) {
                    order.leave_update(graph, id);
                    graph.demote(id);
                }
                order.leave(graph, id);
                let event = *graph.event(id);
                if event.kind == Kind::Write {
                    graph.unplace_write(id);
                }
                graph.pop();
                if offered {
                    graph.status[thread] = ThreadStatus::Postponed;
                }
            }
        }
        frame.done = Done::Nothing;
        self.run.states.truncate(frame.states);
        self.found.clear();
        self.suspects.truncate(frame.suspects);
        self.halts.truncate(frame.halts);
        self.offers.clone_from(&frame.offers);
    }

    /// The event that the last step added, if it did.
    pub(super) fn last_event(&self) -> Option<EventId> {
        match self.frames.last()?.done {
            Done::Event(id) | Done::Update(id) => Some(id),
            _ => None,
        }
    }

    /// Did a violation stop this thread at its last event?
    pub(super) fn is_failed(&self, thread: usize) -> bool {
        self.graph.threads[thread].events.last().is_some_and(|last| last.failed)
    }
}
