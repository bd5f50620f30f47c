//! The alternatives of a step: finding them, making one after the other, and undoing them.

use super::leaf::{Judged, Verdict};
use super::nodes::{Label, read_label, write_label};
use super::reexecution::{Go, Search};
use super::sections;
use crate::consistency::{Consistency, happens_before};
use crate::graph::clocks::put_event;
use crate::graph::{Event, EventTag, Kind, Loc, ThreadStatus};
use crate::id::{Address, EventId};
use crate::program::Program;
use crate::program::action::{Order, Part};
use crate::run::resolve::Request;

/// A step with the alternatives that are left.
pub(super) struct Frame {
    pub thread: usize,
    pub kind: FrameKind,
    /// The range of its choices, and the next one. What comes after `until` was given to another worker.
    pub from: usize,
    pub next: usize,
    pub until: usize,
    pub states: usize,
    pub offers: Vec<Offer>,
    pub refused_reads: usize,
    pub was_refused: Option<usize>,
    pub done: Done,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FrameKind {
    /// The thread's next request.
    Step,
    /// A postponed read takes a write on offer, or stays postponed.
    Offer,
    /// A postponed read takes a promise, or is refused one.
    Promise,
}

/// An alternative.
#[derive(Clone, Copy, Debug)]
pub(super) enum Choice {
    /// The event needs no choice.
    Event,
    /// The value of a choice of the program.
    Value(u64),
    /// Read from a write; fail although the values agree; the update keeps a promise.
    Read {
        source: EventId,
        spuriously: bool,
        keeps: Option<usize>,
    },
    /// Write at this place of the coherence order.
    Write {
        place: usize,
    },
    /// Write and keep a promise.
    Keep {
        promise: usize,
    },
    /// Read from a promise with this label at this place; what else as above.
    Promise {
        label: Label,
        place: usize,
        spuriously: bool,
        keeps: Option<usize>,
    },
    Postpone,
    Decline,
    Refuse,
    /// Wait for a lock for ever.
    Block,
}

/// What an alternative did, to be undone.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    /// An event was pushed.
    pub event: Option<EventId>,
    /// It was made an update.
    pub is_update: bool,
    /// A promise was kept.
    pub kept: Option<usize>,
    /// What was known of the cycles before, if that has changed.
    pub verdict: Option<Option<Verdict>>,
    /// A promise was made.
    pub promised: bool,
    /// The status of the thread before, if it alone was changed.
    pub status: Option<ThreadStatus>,
}

/// A new write is offered to the postponed reads of its location, one thread after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    pub write: EventId,
    pub rank: usize,
}

impl<P: Program> Search<'_, P> {
    /// Begin a step: its choices are found, and none is made yet.
    pub(super) fn begin(&mut self, kind: FrameKind, thread: usize) -> Go {
        let from = self.choices.len();
        let mut offers = std::mem::take(&mut self.offers);
        let states = self.run.states.len();
        match kind {
            FrameKind::Step => self.choices_of_step(thread),
            FrameKind::Offer => {
                let by_rank = &self.run.tables.threads.by_rank;
                let rank = by_rank.iter().position(|&t| t == thread).unwrap_or(0);
                let mut on_offer = Vec::new();
                for offer in offers.iter_mut().filter(|offer| offer.rank == rank) {
                    offer.rank += 1;
                    on_offer.push(offer.write);
                }
                match self.lock_wanted(thread) {
                    Some((loc, mode)) if sections::is_free(&self.graph, loc, mode) => {
                        self.choices.push(Choice::Event);
                    }
                    Some(_) => {}
                    None => self.choices_of_read(thread, &on_offer),
                }
                self.choices.push(Choice::Decline);
            }
            FrameKind::Promise => {
                self.choices_of_promise(thread);
                self.choices.push(Choice::Refuse);
            }
        }
        self.frames.push(Frame {
            thread,
            kind,
            from,
            next: from,
            until: self.choices.len(),
            states,
            offers,
            refused_reads: self.refused_reads.len(),
            was_refused: self.refused[thread],
            done: Done::default(),
        });
        Go::Back
    }

    /// The choices for a thread's next request.
    pub(super) fn choices_of_step(&mut self, thread: usize) {
        match self.run.step(&self.graph, thread).request {
            Request::Read(_) | Request::Update { .. } => {
                let mut sources = Vec::new();
                if let Some(id) = self.push_next(thread) {
                    self.order.sources(&self.graph, id, &mut sources);
                    self.graph.pop();
                }
                let name = self.run.tables.threads.name(thread);
                // A thread cannot read what it has yet to write.
                sources.retain(|&write| {
                    self.promises.of(write).is_none_or(|promise| promise.label.thread != name)
                });
                self.choices_of_read(thread, &sources);
                if self.may_come(thread) {
                    self.choices.push(Choice::Postpone);
                }
            }
            Request::Write { .. } => {
                let Some(id) = self.push_next(thread) else { return };
                let graph = &self.graph;
                let event = graph.event(id);
                let (loc, first) = (event.loc as usize, self.order.first_place(graph, id));
                let label = write_label(&self.run, id, event);
                for promise in self.promises.open(label) {
                    if self.promises.can_keep(&mut self.order, graph, promise, id) {
                        self.choices.push(Choice::Keep { promise });
                    }
                }
                for place in first..=graph.accesses[loc].writes.len() {
                    if !graph.splits_update(loc, place) && self.is_before_promises(thread, loc as Loc, place)
                    {
                        self.choices.push(Choice::Write { place });
                    }
                }
                self.graph.pop();
            }
            Request::Lock { .. } => self.choices_of_lock(thread),
            Request::Choose { low, high } => {
                for value in low..=high {
                    self.choices.push(Choice::Value(value as u64));
                }
            }
            _ => self.choices.push(Choice::Event),
        }
    }

    /// The choices for a thread's read from one of these writes.
    pub(super) fn choices_of_read(&mut self, thread: usize, sources: &[EventId]) {
        for &source in sources {
            let loc = self.run.step(&self.graph, thread).loc;
            let value = self.run.value_of(&self.graph, loc, source);
            let place = self.graph.write_index(source) as usize;
            for (spuriously, keeps) in self.ways_to_read(thread, value, Some(place)) {
                self.choices.push(Choice::Read { source, spuriously, keeps });
            }
        }
    }

    /// In which ways may a thread's next request read this value: fail for no reason, keep a promise by what it
    /// writes? `place` is the place in the coherence order after the source, if the source is there.
    fn ways_to_read(&self, thread: usize, value: u64, place: Option<usize>) -> Vec<(bool, Option<usize>)> {
        let (graph, run) = (&self.graph, &self.run);
        let step = run.step(graph, thread);
        let mut ways = Vec::new();
        let label = step.label(value);
        let Some(written) = label.written else { return vec![(false, None)] };
        let loc = step.loc as usize;
        let next = place.and_then(|place| graph.accesses.get(loc).and_then(|at| at.writes.get(place)));
        let fits = |place: usize| {
            !(graph.accesses.len() > loc && graph.splits_update(loc, place))
                && self.is_before_promises(thread, step.loc, place)
        };
        if place.is_none_or(fits) {
            ways.push((false, None));
        }
        let mut would_write = Event::new(Kind::Update, label.order, 0);
        would_write.loc = step.loc;
        would_write.written = written;
        would_write.tag = label.tag;
        let id = EventId::new(thread as u32, 0);
        for promise in self.promises.open(write_label(run, id, &would_write)) {
            // The promise must stand directly after the source.
            if next == Some(&self.promises.all[promise].event) {
                ways.push((false, Some(promise)));
            }
        }
        if run.settings.spurious_cas && step.label_of_spurious_failure(value).is_some() {
            ways.push((true, None));
        }
        ways
    }

    /// The promises that a thread's postponed read may take.
    pub(super) fn choices_of_promise(&mut self, thread: usize) {
        let (graph, run) = (&self.graph, &self.run);
        let step = run.step(graph, thread);
        let name = run.tables.threads.name(thread);
        let address = run.tables.memory.locations[step.loc as usize].address;
        let mut found = Vec::new();
        for (write, read) in self.sources.edges_into(name, address.0) {
            let shows = |order: Order, tag: EventTag| {
                let mut event = Event::new(Kind::Read, order, 0);
                (event.loc, event.read, event.tag) = (step.loc, write.value, tag);
                read_label(run, EventId::new(thread as u32, 0), &event) == *read
            };
            let label = step.label(write.value);
            let is_shown = shows(label.order, label.tag);
            // A compare-exchange that fails for no reason has the order of failure, whatever it reads. Each way to read
            // belongs to the edge that has its label: an edge with another one would make the same promise once more.
            let failure = step.label_of_spurious_failure(write.value).filter(|_| run.settings.spurious_cas);
            let failure_is_shown = failure.is_some_and(|failure| shows(failure.order, failure.tag));
            if !is_shown && !failure_is_shown || !self.may_still_write(write) {
                continue;
            }
            let writes = graph.accesses.get(step.loc as usize).map_or(0, |place| place.writes.len());
            // The promised write comes after all that its thread has done.
            let first = self.first_place_of_next(write.thread, step.loc);
            for place in first..=writes {
                if graph.accesses.len() > step.loc as usize && graph.splits_update(step.loc as usize, place) {
                    continue;
                }
                // Directly after the promise stands what stood at its place.
                for (spuriously, keeps) in self.ways_to_read(thread, write.value, Some(place)) {
                    if (spuriously && failure_is_shown) || (!spuriously && is_shown) {
                        found.push(Choice::Promise { label: *write, place, spuriously, keeps });
                    }
                }
            }
        }
        self.choices.extend(found);
    }

    /// The first place in the coherence order for what a thread may yet write to a location.
    fn first_place_of_next(&self, name: u32, loc: Loc) -> usize {
        let graph = &self.graph;
        let Some(thread) = self.run.tables.threads.known(u64::from(name)) else { return 0 };
        let is_there = graph.status.get(thread).is_some_and(|&status| status != ThreadStatus::Absent);
        let tip = if is_there { graph.tip(thread) } else { EventId::INIT };
        if tip.is_init() {
            return 0;
        }
        let mut row = graph.hb(tip).to_vec();
        put_event(&mut row, tip);
        let mut first = 0;
        graph.each_seen(loc, &row, Part::Whole, |write| first = first.max(graph.write_index(write)));
        first as usize
    }

    /// May a new write of this thread stand at this place? Not after a promise of the thread for the location, which
    /// it has yet to keep.
    fn is_before_promises(&self, thread: usize, loc: Loc, place: usize) -> bool {
        let name = self.run.tables.threads.name(thread);
        self.promises.all.iter().all(|promise| {
            let event = self.graph.event(promise.event);
            promise.kept.is_some()
                || promise.label.thread != name
                || event.loc != loc
                || place < event.write_index as usize
        })
    }

    /// May the thread of this label still write at its address?
    pub(super) fn may_still_write(&self, label: &Label) -> bool {
        let Some(thread) = self.run.tables.threads.known(u64::from(label.thread)) else { return true };
        match self.graph.status.get(thread) {
            None | Some(ThreadStatus::Absent) => true,
            Some(ThreadStatus::Done | ThreadStatus::Stuck) => false,
            Some(_) => {
                let location = self.possible.location(Address(label.address));
                self.possible.writes(self.point(thread)) & location != 0
            }
        }
    }

    pub(super) fn push_next(&mut self, thread: usize) -> Option<EventId> {
        self.run.push_next(&mut self.graph, thread).map_err(|reason| self.ledger.stop(reason)).ok()
    }

    /// Undo the top frame's choice and make its next one.
    pub(super) fn back(&mut self) -> Go {
        let Some(mut frame) = self.frames.pop() else { return Go::End };
        self.undo(&mut frame);
        while frame.next < frame.until {
            let choice = self.choices[frame.next];
            frame.next += 1;
            self.offers.clone_from(&frame.offers);
            if self.make(&mut frame, choice) {
                self.frames.push(frame);
                return Go::Visit;
            }
            self.undo(&mut frame);
            if self.ledger.stopped.is_some() {
                break;
            }
        }
        self.choices.truncate(frame.from);
        Go::Back
    }

    /// Make a choice; false if it is impossible. What was done is noted in the frame either way.
    pub(super) fn make(&mut self, frame: &mut Frame, choice: Choice) -> bool {
        let thread = frame.thread;
        match choice {
            Choice::Event => {
                frame.done.status = Some(self.graph.status[thread]);
                let Some(id) = self.push_next(thread) else { return false };
                frame.done.event = Some(id);
                self.enter_section(id);
            }
            Choice::Block => {
                frame.done.status = Some(self.graph.status[thread]);
                self.graph.status[thread] = ThreadStatus::Stuck;
            }
            Choice::Value(value) => match self.push_next(thread) {
                Some(id) => {
                    frame.done.event = Some(id);
                    self.graph.event_mut(id).read = value;
                }
                None => return false,
            },
            Choice::Postpone | Choice::Decline => {
                frame.done.status = Some(self.graph.status[thread]);
                self.graph.status[thread] = ThreadStatus::Postponed;
                return frame.kind == FrameKind::Step || self.may_come(thread);
            }
            Choice::Refuse => self.refused[thread] = Some(self.promises.all.len()),
            Choice::Write { place } => {
                let Some(id) = self.push_next(thread) else { return false };
                frame.done.event = Some(id);
                self.graph.place_write(id, place);
                happens_before::compute_message(&mut self.graph, id);
                if !self.order.write(&self.graph, id) {
                    return false;
                }
                self.offers.push(Offer { write: id, rank: 0 });
            }
            Choice::Keep { promise } => {
                let Some(id) = self.push_next(thread) else { return false };
                frame.done.event = Some(id);
                self.promises.keep(&mut self.graph, promise, id);
                frame.done.kept = Some(promise);
                happens_before::compute_message(&mut self.graph, id);
                return self.settle(frame) && self.has_sc_order(&self.graph);
            }
            Choice::Read { source, spuriously, keeps } => {
                return self.read(frame, source, spuriously, keeps);
            }
            Choice::Promise { label, place, spuriously, keeps } => {
                let reader = (thread, place);
                let source = self.promises.make(&mut self.run, &mut self.graph, label, reader);
                frame.done.promised = true;
                self.offers.push(Offer { write: source, rank: 0 });
                return self.read(frame, source, spuriously, keeps) && self.may_be_justified();
            }
        }
        true
    }

    /// The thread reads from `source`.
    fn read(&mut self, frame: &mut Frame, source: EventId, spuriously: bool, keeps: Option<usize>) -> bool {
        let thread = frame.thread;
        frame.done.status = Some(self.graph.status[thread]);
        let Some(id) = self.push_next(thread) else { return false };
        frame.done.event = Some(id);
        self.run.set_source(&mut self.graph, id, source);
        if spuriously {
            self.run.fail_spuriously(&mut self.graph, id);
        }
        let (graph, order) = (&mut self.graph, &mut self.order);
        if !order.is_coherent(graph, id) || !order.read(graph, id) {
            return false;
        }
        if let Some(promises) = self.refused[thread].take() {
            self.refused_reads.push((id, promises));
        }
        let Some(written) = self.run.writes_too(&self.graph, id) else { return true };
        frame.done.is_update = true;
        if let Some(promise) = keeps {
            self.graph.promote_unplaced(id, written);
            let after = self.graph.write_index(source) + 1;
            if self.graph.write_index(self.promises.all[promise].event) != after {
                return false;
            }
            self.promises.keep(&mut self.graph, promise, id);
            frame.done.kept = Some(promise);
            happens_before::compute_message(&mut self.graph, id);
            return self.settle(frame) && self.has_sc_order(&self.graph);
        }
        let (loc, place) = (self.graph.event(id).loc as usize, self.graph.write_index(source) as usize);
        if self.graph.splits_update(loc, place) {
            self.graph.promote_unplaced(id, written);
            return false;
        }
        self.graph.promote(id, written, true);
        happens_before::compute_message(&mut self.graph, id);
        self.offers.push(Offer { write: id, rank: 0 });
        self.order.update(&self.graph, id)
    }

    /// A promise was kept: can the cycles that there are be part of an execution that is built here?
    fn settle(&mut self, frame: &mut Frame) -> bool {
        frame.done.verdict = Some(self.verdict);
        match self.judge_cycles() {
            Judged::Open => true,
            Judged::Impossible => false,
            Judged::Possible(verdict) => {
                self.verdict = Some(verdict);
                true
            }
        }
    }

    /// Undo what the frame's choice did.
    pub(super) fn undo(&mut self, frame: &mut Frame) {
        let done = std::mem::take(&mut frame.done);
        let thread = frame.thread;
        if let Some(verdict) = done.verdict {
            self.verdict = verdict;
        }
        if let Some(promise) = done.kept {
            self.promises.unkeep(&mut self.graph, promise);
        }
        if let Some(id) = done.event {
            if done.is_update {
                self.graph.demote(id);
            } else if self.graph.event(id).kind.writes() && self.graph.event(id).write_index > 0 {
                self.graph.unplace_write(id);
            }
            self.graph.pop();
            let events = self.graph.threads[thread].events.len();
            self.points[thread].truncate(events + 1);
            self.logs.truncate(thread, events);
        }
        if let Some(status) = done.status {
            self.graph.status[thread] = status;
        }
        if done.promised {
            self.promises.unmake(&mut self.graph);
        }
        self.refused[thread] = frame.was_refused;
        self.refused_reads.truncate(frame.refused_reads);
        self.run.states.truncate(frame.states);
        for t in 0..self.points.len() {
            // A thread that is not there any more.
            if self.graph.status[t] == ThreadStatus::Absent {
                self.points[t].clear();
            }
        }
    }
}
