//! The search for executions with cycles of program order and reads-from (docs/xmm.md, "How it is searched").
//!
//! As in the lock-aware search a read reads a write that is there, or is *postponed* until it is given one that
//! comes later. Where nothing else can go on, threads wait for each other in a circle: there a postponed read may
//! read a *promise*, a write that is still to be made, with a label that some known execution has shown. Nothing is
//! ever removed from a graph, so there are no revisits.
//!
//! Each graph with a cycle is built at most once: it decides every choice. At a circle the first thread, by name, that
//! reads such a label from a write which its read leads to takes a promise; the threads before it are *refused* one,
//! and at the leaf none of them may turn out to have been such a thread.

use super::committed::{Candidate, Justification};
use super::possible::{ANYWHERE, Possible};
use super::promises::Promises;
use super::sources::Sources;
use super::view::{Label, View, read_label, write_label};
use super::{lb_races, orders};
use crate::check::{self, Finding};
use crate::consistency::hb_co::HbCoherence;
use crate::consistency::{Consistency, happens_before};
use crate::execution::Execution;
use crate::graph::{Graph, Kind, ThreadStatus};
use crate::id::EventId;
use crate::observer::Observer;
use crate::outcome::StopReason;
use crate::program::Program;
use crate::run::Run;
use crate::run::lock_table::LockKnowledge;
use crate::run::resolve::Request;
use crate::search::ledger::{Leaf, Ledger};
use crate::settings::{Equivalence, Settings};

/// How much work a step counts as.
const STEP: u32 = 4;

/// The search: one graph, and a frame for each step that led to it.
pub(super) struct Search<'a, P: Program, O> {
    pub run: Run<'a, P>,
    pub ledger: Ledger<'a, O>,
    pub sources: Sources,
    /// How many sources were known when this round began, and when the one before did.
    known: usize,
    known_before: usize,
    possible: Possible,
    graph: Graph,
    order: HbCoherence,
    frames: Vec<Frame>,
    choices: Vec<Choice>,
    offers: Vec<Offer>,
    promises: Promises,
    /// By thread: its read was refused a promise while it was postponed.
    refused: Vec<bool>,
    /// The reads of the graph that were refused one.
    refused_reads: Vec<EventId>,
    /// By thread: where it stands among what is possible, before each of its events and now.
    points: Vec<Vec<u32>>,
    /// Something new is remembered.
    pub is_new: bool,
    /// A cycle of program order and reads-from may be none of threads.
    pub has_crossing: bool,
    pub duplicates: u64,
    pub lb_races: u64,
}

/// A step with the alternatives that are left.
struct Frame {
    thread: usize,
    kind: FrameKind,
    /// The range of its choices.
    from: usize,
    next: usize,
    states: usize,
    offers: Vec<Offer>,
    refused_reads: usize,
    was_refused: bool,
    done: Done,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FrameKind {
    /// The thread's next request.
    Step,
    /// A postponed read takes a write on offer, or stays postponed.
    Offer,
    /// A postponed read takes a promise, or is refused one.
    Promise,
}

/// An alternative.
#[derive(Clone, Copy, Debug)]
enum Choice {
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
}

/// What an alternative did, to be undone.
#[derive(Clone, Copy, Debug, Default)]
struct Done {
    /// An event was pushed.
    event: Option<EventId>,
    /// It was made an update.
    is_update: bool,
    /// A promise was kept.
    kept: Option<usize>,
    /// A promise was made.
    promised: bool,
    /// The status of the thread before, if it alone was changed.
    status: Option<ThreadStatus>,
}

/// A new write is offered to the postponed reads of its location, one thread after the other.
#[derive(Clone, Copy, Debug)]
struct Offer {
    write: EventId,
    rank: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Go {
    Visit,
    Back,
    End,
}

impl<'a, P: Program, O: Observer<P>> Search<'a, P, O> {
    pub fn new(
        program: &'a P,
        settings: &'a Settings,
        knowledge: &LockKnowledge,
        sources: Sources,
        known_before: usize,
        observer: &'a mut O,
    ) -> Self {
        use crate::run::lock_table::LockHandling;
        let run = Run::new(program, settings, knowledge, LockHandling::at_first(settings.locks));
        let possible = Possible::new(program, &run.tables, settings.spurious_cas, sources.promised());
        Search {
            run,
            ledger: Ledger::new(settings, observer),
            known: sources.len(),
            known_before,
            sources,
            possible,
            graph: crate::search::empty_graph(program, settings.model, false),
            order: HbCoherence::new(settings.model),
            frames: Vec::new(),
            choices: Vec::new(),
            offers: Vec::new(),
            promises: Promises::default(),
            refused: Vec::new(),
            refused_reads: Vec::new(),
            points: Vec::new(),
            is_new: false,
            has_crossing: false,
            duplicates: 0,
            lb_races: 0,
        }
    }

    /// Search until the end, or until something stops it.
    pub fn run(&mut self) {
        let mut go = Go::Visit;
        while go != Go::End && self.ledger.stopped.is_none() {
            self.ledger.work(STEP);
            if self.ledger.stopped.is_some() {
                break;
            }
            go = match go {
                Go::Visit => self.visit(),
                Go::Back => self.back(),
                Go::End => Go::End,
            };
        }
    }

    /// Go one step further from the graph as it is.
    fn visit(&mut self) -> Go {
        let Search { run, ledger, graph, .. } = self;
        // What is wrong with a request is reported where the execution is known to be one of XMM.
        if !crate::search::ask_threads(run, ledger, graph, &|_| Vec::new(), |_, _, _, _| {}) {
            return Go::Back;
        }
        self.note_points();
        if let Some(thread) = self.next_offer() {
            return self.begin(FrameKind::Offer, thread);
        }
        if !self.may_close() {
            if std::env::var("XDBG").is_ok() {
                eprintln!("{:indent$}cannot close", "", indent = self.frames.len());
            }
            return Go::Back;
        }
        if let Some(thread) = self.next_thread() {
            return self.begin(FrameKind::Step, thread);
        }
        let postponed = |&t: &usize| self.graph.status.get(t) == Some(&ThreadStatus::Postponed);
        let by_rank = &self.run.tables.threads.by_rank;
        if !by_rank.iter().any(|t| postponed(t)) {
            self.leaf();
            return Go::Back;
        }
        let asked = |t: &usize| self.refused.get(*t).copied().unwrap_or(false);
        match by_rank.iter().copied().find(|t| postponed(t) && !asked(t)) {
            Some(thread) => self.begin(FrameKind::Promise, thread),
            None => Go::Back,
        }
    }

    /// Note where each thread stands among what is possible.
    fn note_points(&mut self) {
        let graph = &self.graph;
        self.points.resize_with(graph.threads.len(), Vec::new);
        self.refused.resize(graph.threads.len(), false);
        for t in 0..graph.threads.len() {
            if matches!(graph.status[t], ThreadStatus::Absent | ThreadStatus::Unasked) {
                continue;
            }
            let thread = &graph.threads[t];
            let points = &mut self.points[t];
            while points.len() <= thread.events.len() {
                let point = match points.last() {
                    None => {
                        let (code, argument) = match thread.parent.is_init() {
                            true => (0, 0),
                            false => match self.run.step_of(graph.event(thread.parent)).request {
                                Request::Spawn { code, argument } => (code, argument),
                                _ => (0, 0),
                            },
                        };
                        self.possible.start(self.run.tables.threads.name(t), code, argument)
                    }
                    Some(&last) => {
                        let event = &thread.events[points.len() - 1];
                        self.possible.after(last, event, self.run.answer_of(event))
                    }
                };
                points.push(point);
            }
        }
    }

    /// The thread to run next: the first whose request is no read, else the first that reads.
    fn next_thread(&self) -> Option<usize> {
        let mut reader = None;
        for &t in &self.run.tables.threads.by_rank {
            match self.graph.status.get(t) {
                Some(ThreadStatus::Steps) => return Some(t),
                Some(ThreadStatus::Joins) if self.run.enabled(&self.graph, t) => return Some(t),
                Some(ThreadStatus::Reads) => reader = reader.or(Some(t)),
                _ => {}
            }
        }
        reader
    }

    /// The first thread whose postponed read was not asked about all writes on offer; these become choices.
    fn next_offer(&mut self) -> Option<usize> {
        let by_rank = &self.run.tables.threads.by_rank;
        let mut first: Option<usize> = None;
        for offer in &mut self.offers {
            let loc = self.graph.event(offer.write).loc;
            let promised = self.promises.of(offer.write).map(|promise| promise.label.thread);
            let waits = |&thread: &usize| {
                self.graph.status.get(thread) == Some(&ThreadStatus::Postponed)
                    && self.run.step(&self.graph, thread).loc == loc
                    && promised != Some(self.run.tables.threads.name(thread))
            };
            offer.rank += by_rank[offer.rank..].iter().take_while(|thread| !waits(thread)).count();
            if offer.rank < by_rank.len() {
                first = Some(first.map_or(offer.rank, |rank| rank.min(offer.rank)));
            }
        }
        if first.is_none() {
            self.offers.clear();
        }
        first.map(|rank| by_rank[rank])
    }

    /// Begin a step: its choices are found, and none is made yet.
    fn begin(&mut self, kind: FrameKind, thread: usize) -> Go {
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
                let on_offer: Vec<EventId> =
                    on_offer.into_iter().filter(|&write| !self.is_refused(thread, write)).collect();
                self.choices_of_read(thread, &on_offer);
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
            states,
            offers,
            refused_reads: self.refused_reads.len(),
            was_refused: self.refused[thread],
            done: Done::default(),
        });
        Go::Back
    }

    /// The choices for a thread's next request.
    fn choices_of_step(&mut self, thread: usize) {
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
                    if !graph.splits_update(loc, place) {
                        self.choices.push(Choice::Write { place });
                    }
                }
                self.graph.pop();
            }
            Request::Choose { low, high } => {
                for value in low..=high {
                    self.choices.push(Choice::Value(value as u64));
                }
            }
            _ => self.choices.push(Choice::Event),
        }
    }

    /// The choices for a thread's read from one of these writes.
    fn choices_of_read(&mut self, thread: usize, sources: &[EventId]) {
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
        if !place.is_some_and(|place| graph.accesses.len() > loc && graph.splits_update(loc, place)) {
            ways.push((false, None));
        }
        let mut would_write = crate::graph::Event::new(Kind::Update, label.order, 0);
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
    fn choices_of_promise(&mut self, thread: usize) {
        let (graph, run) = (&self.graph, &self.run);
        let step = run.step(graph, thread);
        let name = run.tables.threads.name(thread);
        let address = run.tables.memory.locations[step.loc as usize].address;
        let mut found = Vec::new();
        for (write, read) in self.sources.edges_into(name, address.0) {
            let label = step.label(write.value);
            let mut event = crate::graph::Event::new(Kind::Read, label.order, 0);
            (event.loc, event.read, event.tag) = (step.loc, write.value, label.tag);
            let here = read_label(run, EventId::new(thread as u32, 0), &event);
            // A compare-exchange that fails for no reason has the order of failure, whatever it reads.
            let spurious = step.label_of_spurious_failure(write.value).filter(|_| run.settings.spurious_cas);
            if here != *read && spurious.is_none() || !self.may_still_write(write) {
                continue;
            }
            let writes = graph.accesses.get(step.loc as usize).map_or(0, |place| place.writes.len());
            for place in 0..=writes {
                if graph.accesses.len() > step.loc as usize && graph.splits_update(step.loc as usize, place) {
                    continue;
                }
                // Directly after the promise stands what stood at its place.
                for (spuriously, keeps) in self.ways_to_read(thread, write.value, Some(place)) {
                    found.push(Choice::Promise { label: *write, place, spuriously, keeps });
                }
            }
        }
        self.choices.extend(found);
    }

    /// May the thread of this label still write at its address?
    fn may_still_write(&self, label: &Label) -> bool {
        let Some(thread) = self.run.tables.threads.known(u64::from(label.thread)) else { return true };
        match self.graph.status.get(thread) {
            None | Some(ThreadStatus::Absent) => true,
            Some(ThreadStatus::Done | ThreadStatus::Stuck) => false,
            Some(_) => {
                let location = self.possible.location(crate::id::Address(label.address));
                self.possible.writes(self.point(thread)) & location != 0
            }
        }
    }

    pub(super) fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(super) fn possible(&self) -> &Possible {
        &self.possible
    }

    pub(super) fn promises(&self) -> &Promises {
        &self.promises
    }

    pub(super) fn point(&self, thread: usize) -> u32 {
        self.points.get(thread).and_then(|points| points.last()).copied().unwrap_or(ANYWHERE)
    }

    fn push_next(&mut self, thread: usize) -> Option<EventId> {
        self.run.push_next(&mut self.graph, thread).map_err(|reason| self.ledger.stop(reason)).ok()
    }

    /// A read that was refused a promise must not read, from a promise of its own thread, what it was refused.
    fn is_refused(&self, thread: usize, write: EventId) -> bool {
        if !self.refused[thread] {
            return false;
        }
        let name = self.run.tables.threads.name(thread);
        let leads = |read: EventId| read == write || Graph::in_row(self.graph.porf(write), read);
        let mut open = self.promises.all.iter().filter(|p| p.kept.is_none() && p.label.thread == name);
        open.any(|promise| leads(promise.read)) && {
            let event = *self.graph.event(write);
            let label = match self.promises.of(write) {
                Some(promise) => promise.label,
                None => write_label(&self.run, write, &event),
            };
            self.would_be_promised(thread, label)
        }
    }

    /// Could the thread's read take a promise with this label?
    fn would_be_promised(&self, thread: usize, label: Label) -> bool {
        let (graph, run) = (&self.graph, &self.run);
        let step = run.step(graph, thread);
        let read = step.label(label.value);
        let mut event = crate::graph::Event::new(Kind::Read, read.order, 0);
        (event.loc, event.read, event.tag) = (step.loc, label.value, read.tag);
        let here = read_label(run, EventId::new(thread as u32, 0), &event);
        self.sources.has_edge(&(label, here))
    }

    /// Undo the top frame's choice and make its next one.
    fn back(&mut self) -> Go {
        let Some(mut frame) = self.frames.pop() else { return Go::End };
        self.undo(&mut frame);
        while let Some(&choice) = self.choices.get(frame.next) {
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
    fn make(&mut self, frame: &mut Frame, choice: Choice) -> bool {
        let thread = frame.thread;
        if std::env::var("XDBG").is_ok() {
            eprintln!(
                "{:indent$}t{thread} {choice:?} status {:?}",
                "",
                self.graph.status,
                indent = self.frames.len()
            );
        }
        match choice {
            Choice::Event => match self.push_next(thread) {
                Some(id) => frame.done.event = Some(id),
                None => return false,
            },
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
            Choice::Refuse => self.refused[thread] = true,
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
                return self.order.psc_holds(&self.graph);
            }
            Choice::Read { source, spuriously, keeps } => {
                return self.read(frame, source, spuriously, keeps);
            }
            Choice::Promise { label, place, spuriously, keeps } => {
                let reader = (thread, place);
                let source = self.promises.make(&mut self.run, &mut self.graph, label, reader);
                frame.done.promised = true;
                self.offers.push(Offer { write: source, rank: 0 });
                return self.read(frame, source, spuriously, keeps);
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
        if self.refused[thread] {
            self.refused_reads.push(id);
            self.refused[thread] = false;
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
            return self.order.psc_holds(&self.graph);
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

    /// Undo what the frame's choice did.
    fn undo(&mut self, frame: &mut Frame) {
        let done = std::mem::take(&mut frame.done);
        let thread = frame.thread;
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

    /// The graph of a leaf, with promises replaced by the writes that kept them. None if it is inconsistent.
    fn without_promises(&mut self) -> Option<Graph> {
        let mut graph = self.graph.clone();
        let holders: Vec<usize> = self.promises.all.iter().map(|promise| promise.event.thread()).collect();
        graph.order.retain(|id| !holders.contains(&id.thread()));
        for &holder in &holders {
            graph.threads[holder].events.clear();
            for thread in &mut graph.threads {
                for row in thread.porf.chunks_exact_mut(graph.stride) {
                    row[holder] = 0;
                }
                for rows in [&mut thread.hb, &mut thread.message] {
                    for row in rows.chunks_exact_mut(graph.stride) {
                        row[holder] = 0;
                    }
                }
            }
            for place in graph.accesses.iter_mut().filter(|place| place.last.len() > holder) {
                place.last[holder] = 0;
            }
        }
        graph.sc_events = graph.order.iter().filter(|&&id| graph.event(id).is_sc()).count() as u32;
        graph.restamp();
        self.close_happens_before(&mut graph).then_some(graph)
    }

    /// Promised edges may synchronise: compute happens-before anew until nothing changes. False if the graph is
    /// inconsistent.
    fn close_happens_before(&mut self, graph: &mut Graph) -> bool {
        let synchronises = |write: Option<EventId>| {
            write.is_some_and(|write| graph.message(write).iter().any(|&count| count > 0))
        };
        if !self.promises.all.iter().any(|promise| synchronises(promise.kept)) {
            return self.order.psc_holds(graph);
        }
        let rows = |graph: &Graph| {
            graph.threads.iter().map(|thread| (thread.hb.clone(), thread.message.clone())).collect::<Vec<_>>()
        };
        let mut last = rows(graph);
        for _ in 0..=graph.len() {
            for at in 0..graph.order.len() {
                let id = graph.order[at];
                happens_before::compute(graph, id);
                if graph.event(id).kind.writes() {
                    happens_before::compute_message(graph, id);
                }
            }
            let now = rows(graph);
            if now == last {
                let order = &self.order;
                return graph
                    .order
                    .iter()
                    .all(|&id| order.is_coherent(graph, id) && graph.hb(id)[id.thread()] <= id.index())
                    && self.order.psc_holds(graph);
            }
            last = now;
        }
        false
    }

    /// No thread can go on.
    fn leaf(&mut self) {
        if self.promises.all.is_empty() || self.promises.all.iter().any(|promise| promise.kept.is_none()) {
            self.ledger.counts.dropped += 1;
            return;
        }
        let Some(graph) = self.without_promises() else {
            self.ledger.counts.dropped += 1;
            return;
        };
        let view = View::new(&self.run, &graph, false);
        if !self.is_built_here(&view) {
            self.ledger.counts.dropped += 1;
            return;
        }
        self.has_crossing |= !view.is_simple();
        let rules = self.sources.rules();
        let all = match self.run.settings.equivalence {
            Equivalence::Coherence => vec![orders::of_graph(&view)],
            Equivalence::ReadsFrom => orders::all(&self.order, &graph, &view),
        };
        let mine = orders::of_graph(&view);
        // Under `rf` the first order that is justified stands for all.
        let justified = |order: &Vec<u32>, known: usize, search: &Self| {
            let candidate = Candidate::new(&view, rules, vec![order.clone()])?;
            candidate.justified(&search.sources, known)
        };
        if std::env::var("XDBG").is_ok() {
            eprintln!("all {} mine {:?}", all.len(), mine);
        }
        let Some(justification) = justified(&mine, self.known, self) else {
            self.ledger.counts.dropped += 1;
            return;
        };
        let is_first = !all
            .iter()
            .take_while(|order| **order != mine)
            .any(|order| justified(order, self.known, self).is_some());
        let is_known = self.known_before > 0
            && self.sources.was_built(&view)
            && all.iter().any(|order| justified(order, self.known_before, self).is_some());
        let is_simple = !self.has_crossing;
        self.is_new |= self.sources.remember_new(&view, &all, is_simple);
        if !is_first {
            self.ledger.counts.dropped += 1;
        } else if is_known {
            self.duplicates += 1;
        } else {
            self.report(graph, &view, &justification);
        }
    }

    /// Does this graph, and no other path, belong to the choices made?
    fn is_built_here(&self, view: &View) -> bool {
        let goes_round = |read: usize| {
            let source = view.nodes[read].source;
            source < super::view::INIT && view.porf.has(read, source as usize)
        };
        let promised = self.promises.all.iter().all(|promise| goes_round(view.reader(promise.read)));
        let refused = self.refused_reads.iter().any(|&id| {
            let read = view.reader(id);
            goes_round(read) && {
                let writer = view.nodes[read].source as usize;
                self.sources.has_edge(&(view.nodes[writer].label, view.nodes[read].label))
            }
        });
        if std::env::var("XDBG").is_ok() {
            eprintln!("promised {promised} refused {refused}");
        }
        promised && !refused
    }

    /// An execution of XMM: count it, and see what is wrong with it.
    fn report(&mut self, graph: Graph, view: &View, _justification: &Justification) {
        if self.run.settings.lb_races {
            self.lb_races += lb_races::count_in(view);
        }
        let mut graph = graph;
        let mut found: Vec<Finding> = Vec::new();
        for t in 0..graph.threads.len() {
            if graph.status[t] == ThreadStatus::Stuck {
                found.extend(check::failed(&self.run, &graph, t));
            }
        }
        for at in 0..graph.order.len() {
            check::event(&self.run, &graph, graph.order[at], &mut found);
        }
        let Search { run, ledger, order, .. } = self;
        let mut failed = false;
        for finding in found {
            if !finding.condition.holds(&graph) {
                continue;
            }
            failed |= finding.stops;
            if let Some(event) = finding.violation.event.filter(|_| finding.stops) {
                graph.event_mut(event).failed = true;
            }
            ledger
                .report(&finding, |finding| Execution::new(run, &graph, order).violation(&finding.violation));
        }
        let leaf = if failed { Leaf::Failed } else { Leaf::of(run, &graph) };
        let (leaf, wrong) = leaf.settle(run, &graph, order);
        if let Some(finding) = wrong {
            ledger
                .report(&finding, |finding| Execution::new(run, &graph, order).violation(&finding.violation));
        }
        ledger.count(leaf, run, &graph, &Execution::new(run, &graph, order));
        if run.tables.restart.is_some() {
            ledger.stop(StopReason::Restart);
        }
    }
}
