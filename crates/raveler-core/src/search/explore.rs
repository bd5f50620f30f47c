//! The loop of the papers: extend the graph, try every source of a read, let every write revisit earlier reads.
//!
//! A node of the search is an ordered graph. Its children are the graphs with one more event and the graphs in which
//! the newest write is read by an earlier read (engine.md §3). Forward steps are made in place and undone; a revisit
//! starts a new *level* with a graph of its own, on top of the one it came from. Nothing else is remembered: what was
//! visited follows from the graph alone, so memory stays polynomial in the size of one execution.

use crate::action::{Order, Value};
use crate::execution::Execution;
use crate::graph::{Event, Graph, Kind, Loc, Mark, NO_LOC, NONE};
use crate::id::{EventId, SiteId, ThreadId};
use crate::observer::{Flow, Observer};
use crate::order::happens::{self, ReleaseSequence};
use crate::order::{Consistency, Test};
use crate::outcome::{Counts, Related, StopReason, ThreadEnd, Violation, ViolationKind, Witness};
use crate::program::{Entry, Program};
use crate::search::{Model, Settings};

use super::step::{LockUse, State, Step, Want, prepare};
use super::tables::{Tables, Trouble};
use super::workers::Shared;

/// A graph and how it is being extended.
pub(crate) struct Level<K> {
    pub graph: Graph,
    pub order: K,
    pub frames: Vec<Frame>,
}

/// One event of the path with the alternatives that are left.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub kind: FrameKind,
    pub stage: Stage,
    pub event: EventId,
    /// States to keep when the search returns here.
    states: usize,
    /// A read's candidates: the first, and the end of those that are still this search's.
    pub from: usize,
    pub until: usize,
    /// The next candidate of a read; how many alternatives of others were tried.
    pub next: usize,
    /// A write whose further alternatives were given away.
    pub given: bool,
    /// Revisits are looked for among the events with stamps below this one.
    pub scan: u32,
    /// An update that is consistent where it stands.
    consistent: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FrameKind {
    /// One way only.
    Step,
    /// Any of several values.
    Choose,
    Write,
    Read,
    /// The bottom of a level: a write that revisits a read.
    Revisit {
        write: EventId,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// Look for the next alternative.
    Next,
    /// The subtree of an alternative was being visited.
    Visited,
    /// Now the write revisits.
    Scanning,
}

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Go {
    /// Extend the top graph.
    Visit,
    /// Go on with the top frame.
    Back,
    End,
}

/// One search, or one worker's share of it.
pub(crate) struct Explorer<'a, P: Program, K: Consistency, O> {
    pub program: &'a P,
    pub settings: &'a Settings,
    pub observer: &'a mut O,
    pub tables: Tables,
    /// Where the threads of the current path stood, and stand.
    pub states: Vec<State<P::Cursor>>,
    pub levels: Vec<Level<K>>,
    spare: Vec<Level<K>>,
    candidates: Vec<EventId>,
    lost: Vec<Loc>,
    pub counts: Counts,
    pub violations: Vec<Violation>,
    pub stopped: Option<StopReason>,
    steps: u32,
    pub sequences: ReleaseSequence,
    pub with_hb: bool,
    /// What is shared with other workers.
    pub shared: Option<&'a Shared>,
}

/// How many steps go by between two calls of the observer's progress.
const BREATH: u32 = 1 << 12;

/// And between two looks at what other workers need.
const GLANCE: u32 = 1 << 6;

impl<'a, P: Program, K: Consistency, O: Observer<P>> Explorer<'a, P, K, O> {
    pub fn new(program: &'a P, settings: &'a Settings, observer: &'a mut O) -> Self {
        Explorer {
            program,
            settings,
            observer,
            tables: Tables::new(program),
            states: Vec::new(),
            levels: Vec::new(),
            spare: Vec::new(),
            candidates: Vec::new(),
            lost: Vec::new(),
            counts: Counts::default(),
            violations: Vec::new(),
            stopped: None,
            steps: 0,
            sequences: match settings.model {
                Model::Rc11 => ReleaseSequence::SameThread,
                _ => ReleaseSequence::UpdatesOnly,
            },
            with_hb: matches!(settings.model, Model::Rc11 | Model::Rc20),
            shared: None,
        }
    }

    /// Forget the path.
    pub fn clear(&mut self) {
        self.levels.clear();
        self.states.clear();
        self.candidates.clear();
    }

    /// Start with the empty graph.
    pub fn start(&mut self) {
        let threads = self.program.threads() as usize;
        let mut graph = Graph::new(threads, self.with_hb);
        for thread in &mut graph.threads {
            thread.alive = true;
            thread.parent = EventId::INIT;
            thread.state = NONE;
        }
        self.levels.push(Level { graph, order: K::new(self.settings.model), frames: Vec::new() });
    }

    /// Search until the end, or until something stops it.
    pub fn run(&mut self) {
        let resumed = self.levels.last().is_some_and(|level| !level.frames.is_empty());
        let mut go = if resumed { Go::Back } else { Go::Visit };
        while go != Go::End && self.stopped.is_none() {
            self.steps += 1;
            if self.steps.is_multiple_of(BREATH) && self.observer.progress(&self.counts) == Flow::Stop {
                self.stop(StopReason::Observer);
                break;
            }
            if let Some(shared) = self.shared
                && self.steps.is_multiple_of(GLANCE)
            {
                self.attend(shared);
            }
            go = match go {
                Go::Visit => self.visit(),
                Go::Back => self.back(),
                Go::End => Go::End,
            };
        }
    }

    /// End the search, everybody's if it is shared.
    pub fn stop(&mut self, reason: StopReason) {
        self.stopped.get_or_insert(reason);
    }

    /// Does another worker need work, or did one stop?
    fn attend(&mut self, shared: &Shared) {
        if shared.is_stopped() {
            self.stop(StopReason::Observer);
        } else if shared.wants_work()
            && let Some(subtree) = self.give_away()
        {
            shared.offer(subtree);
        }
    }

    /// How many nodes hang directly below the top graph? Stops in the one with the given number, if any;
    /// otherwise everything is as before. A leaf has none and is reported.
    pub(crate) fn children(&mut self, choose: Option<u64>) -> u64 {
        let place =
            |this: &Self| (this.levels.len(), this.levels.last().map_or(0, |level| level.frames.len()));
        let ground = place(self);
        let mut count = 0;
        self.visit();
        while self.stopped.is_none() && place(self) > ground {
            if self.back() == Go::Visit {
                if choose == Some(count) {
                    return count;
                }
                count += 1;
            }
        }
        count
    }

    // ----- forward -----

    /// Add one event to the top graph, or report it if there is none to add.
    pub(crate) fn visit(&mut self) -> Go {
        if !self.ask_threads() {
            return Go::Back;
        }
        let Some(thread) = self.next_thread() else {
            self.leaf();
            return Go::Back;
        };
        let mut frame = Frame {
            kind: FrameKind::Step,
            stage: Stage::Next,
            event: EventId::INIT,
            states: self.states.len(),
            from: 0,
            until: 0,
            next: 0,
            given: false,
            scan: 0,
            consistent: false,
        };
        let Some(id) = self.push_next(thread) else { return Go::Back };
        frame.event = id;
        let level = self.levels.last_mut().expect("a search has a level");
        match level.graph.event(id).kind {
            Kind::Write => frame.kind = FrameKind::Write,
            Kind::Choose => frame.kind = FrameKind::Choose,
            Kind::Read => {
                frame.kind = FrameKind::Read;
                frame.from = self.candidates.len();
                level.order.sources(&level.graph, id, &mut self.candidates);
                frame.next = frame.from;
                frame.until = self.candidates.len();
            }
            _ => {}
        }
        level.frames.push(frame);
        Go::Back
    }

    /// Push the event of a thread's request to the top graph; a read without its source, a write without its
    /// place. None if the search has to stop.
    pub(crate) fn push_next(&mut self, thread: usize) -> Option<EventId> {
        let level = self.levels.last_mut().expect("a search has a level");
        let state = level.graph.threads[thread].state;
        let step = &self.states[state as usize].step;
        let mut event = Event::new(Kind::Read, Order::Relaxed, state);
        event.loc = step.loc;
        match step.want {
            Want::Read(order) => event.order = order,
            Want::Update { order, lock, .. } => {
                event.order = order;
                // Under TSO and PSO an update is locked whether it succeeds or not.
                event.mark = if lock == LockUse::None { Mark::Rmw } else { Mark::Lock };
            }
            Want::Write { order, value, mark } => {
                event.kind = Kind::Write;
                event.order = order;
                event.written = value;
                event.mark = mark;
            }
            Want::Fence(order) => {
                event.kind = Kind::Fence;
                event.order = order;
            }
            Want::Spawn { .. } => return self.spawn(thread, event),
            Want::Join { name } => {
                let child = self.tables.known_thread(name).expect("a thread that is joined was spawned");
                event.kind = Kind::Join;
                event.rf = level.graph.tip(child);
                event.written = child as Value;
            }
            Want::Alloc { size, zeroed } => {
                event.kind = Kind::Alloc;
                let nth = level.graph.threads[thread].allocated;
                let Some(address) = self.tables.allocated_address(thread, nth, size, zeroed) else {
                    return self.unsupported(thread, "too much memory is allocated");
                };
                level.graph.threads[thread].allocated += 1;
                event.read = address.0;
                event.written = size;
            }
            Want::Free(dynamic) => {
                event.kind = Kind::Free;
                event.read = (dynamic.name as u64) << 32 | dynamic.nth as u64;
            }
            Want::Choose { low, .. } => {
                event.kind = Kind::Choose;
                event.read = low as Value;
            }
            Want::Observe { name, value } => {
                event.kind = Kind::Observe;
                event.read = name as Value;
                event.written = value;
            }
            Want::Block | Want::Done | Want::Fail(_) | Want::Unsupported(_) => unreachable!("not enabled"),
        }
        self.push(thread, event)
    }

    /// Push an event to the top graph, with its happens-before.
    fn push(&mut self, thread: usize, mut event: Event) -> Option<EventId> {
        let level = self.levels.last_mut().expect("a search has a level");
        if level.graph.threads[thread].events.len() as u32 >= EventId::MAX_INDEX {
            return self.unsupported(thread, "a thread has more than a million events");
        }
        if self.with_hb {
            event.released = happens::released_before(&level.graph.threads[thread].events);
        }
        let id = level.graph.push(thread, event);
        level.graph.threads[thread].state = NONE;
        if self.with_hb {
            happens::compute(&mut level.graph, id);
        }
        Some(id)
    }

    fn spawn(&mut self, thread: usize, mut event: Event) -> Option<EventId> {
        let level = self.levels.last_mut().expect("a search has a level");
        let nth = level.graph.threads[thread].spawned;
        let Some(name) = self.tables.spawned_name(thread, nth) else {
            return self.unsupported(thread, "a thread spawns too many threads");
        };
        let child = self.tables.thread(name);
        if child >= EventId::MAX_THREADS as usize {
            return self.unsupported(thread, "there are too many threads");
        }
        event.kind = Kind::Spawn;
        event.read = name as Value;
        event.written = child as Value;
        level.graph.threads[thread].spawned += 1;
        level.graph.grow(child + 1);
        let id = self.push(thread, event)?;
        let level = self.levels.last_mut().expect("a search has a level");
        let log = &mut level.graph.threads[child];
        log.alive = true;
        log.parent = id;
        log.state = NONE;
        log.spawned = 0;
        log.allocated = 0;
        Some(id)
    }

    fn unsupported(&mut self, thread: usize, message: &str) -> Option<EventId> {
        let level = self.levels.last().expect("a search has a level");
        let state = level.graph.threads[thread].state;
        let site = if state == NONE { SiteId::NONE } else { self.states[state as usize].step.site };
        self.stop(StopReason::Unsupported { message: message.into(), site });
        None
    }

    /// Ask every thread whose next request is not known. False if the search has to stop.
    pub(crate) fn ask_threads(&mut self) -> bool {
        let threads = self.levels.last().expect("a search has a level").graph.threads.len();
        for t in 0..threads {
            let level = self.levels.last_mut().expect("a search has a level");
            let thread = &level.graph.threads[t];
            if !thread.alive || thread.state != NONE {
                continue;
            }
            let (mut cursor, answer) = match thread.events.last() {
                Some(last) => {
                    let state = &self.states[last.state as usize];
                    let answer = match last.kind {
                        Kind::Read | Kind::Update => state.step.answer(last.read),
                        Kind::Spawn | Kind::Alloc | Kind::Choose => last.read,
                        _ => 0,
                    };
                    (state.cursor.clone(), answer)
                }
                None if thread.parent.is_init() => (self.program.start(Entry::Initial(t as u32)), 0),
                None => {
                    let spawn = level.graph.event(thread.parent);
                    let Want::Spawn { code, argument } = self.states[spawn.state as usize].step.want else {
                        unreachable!("a thread's parent is a spawn")
                    };
                    (self.program.start(Entry::Spawned { code, argument }), 0)
                }
            };
            let action = self.program.step(&mut cursor, answer);
            let step = prepare(action, &mut self.tables);
            let number = self.states.len() as u32;
            self.states.push(State { cursor, step });
            level.graph.threads[t].state = number;
            if !self.check_step(t, number) {
                return false;
            }
        }
        true
    }

    /// Is a new request wrong in itself? Every visited graph is consistent, so what is wrong here is really wrong.
    fn check_step(&mut self, thread: usize, state: u32) -> bool {
        let step = &self.states[state as usize].step;
        let site = step.site;
        match &step.want {
            Want::Fail(trouble) => {
                let Trouble { kind, message } = (**trouble).clone();
                self.violation(kind, message, thread, site, Vec::new());
            }
            Want::Unsupported(message) => {
                let message = (**message).clone();
                self.stop(StopReason::Unsupported { message, site });
            }
            Want::Write { mark: Mark::Unlock, .. } => {
                let loc = step.loc;
                if !self.holds(thread, loc) {
                    self.fail_step(
                        thread,
                        state,
                        ViolationKind::UnlockNotHeld,
                        "unlock of a lock that is not held",
                    );
                }
            }
            Want::Update { lock: LockUse::Wait, .. } => {
                let loc = step.loc;
                if self.holds(thread, loc) {
                    self.fail_step(
                        thread,
                        state,
                        ViolationKind::Deadlock,
                        "the thread waits for a lock it holds itself",
                    );
                }
            }
            Want::Join { name } => {
                if self.tables.known_thread(*name).is_none() {
                    self.fail_step(
                        thread,
                        state,
                        ViolationKind::Other,
                        "join of a thread that was never spawned",
                    );
                }
            }
            _ => {}
        }
        self.stopped.is_none()
    }

    /// Replace a request by a violation.
    fn fail_step(&mut self, thread: usize, state: u32, kind: ViolationKind, message: &str) {
        let step = &mut self.states[state as usize].step;
        let site = step.site;
        step.want = Want::Fail(Box::new(Trouble { kind, message: message.into() }));
        step.loc = NO_LOC;
        self.violation(kind, message.into(), thread, site, Vec::new());
    }

    /// Does the thread hold this lock?
    fn holds(&self, thread: usize, loc: Loc) -> bool {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let Some(place) = graph.places.get(loc as usize) else { return false };
        let mut i = place.last.get(thread).copied().unwrap_or(0).wrapping_sub(1);
        while i != NONE {
            let event = &graph.threads[thread].events[i as usize];
            if event.kind.writes() {
                return event.kind == Kind::Update;
            }
            i = event.prev;
        }
        false
    }

    /// How many values a choice has left.
    pub(crate) fn choices_left(&self, l: usize, f: usize) -> u64 {
        let level = &self.levels[l];
        let frame = &level.frames[f];
        match self.states[level.graph.event(frame.event).state as usize].step.want {
            Want::Choose { low, high } => {
                (high.abs_diff(low) + 1).saturating_sub(u64::try_from(frame.next).unwrap_or(u64::MAX))
            }
            _ => 0,
        }
    }

    /// Can this thread of the top graph go on?
    pub(crate) fn enabled(&self, thread: usize) -> bool {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let log = &graph.threads[thread];
        if !log.alive || matches!(log.events.last(), Some(last) if stops(last.mark)) {
            return false;
        }
        match &self.states[log.state as usize].step.want {
            Want::Done | Want::Block | Want::Fail(_) | Want::Unsupported(_) => false,
            Want::Join { name } => {
                let child = self.tables.known_thread(*name).expect("a thread that is joined was spawned");
                self.ended(graph, child)
            }
            _ => true,
        }
    }

    /// The thread to run next: the first whose request is not a read; only if there is none, the first that reads.
    fn next_thread(&self) -> Option<usize> {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let mut reader = None;
        for &t in &self.tables.by_rank {
            if t >= graph.threads.len() || !self.enabled(t) {
                continue;
            }
            if !self.states[graph.threads[t].state as usize].step.reads() {
                return Some(t);
            }
            reader = reader.or(Some(t));
        }
        reader
    }

    fn ended(&self, graph: &Graph, thread: usize) -> bool {
        let log = &graph.threads[thread];
        log.alive
            && !matches!(log.events.last(), Some(last) if stops(last.mark))
            && matches!(self.states[log.state as usize].step.want, Want::Done)
    }

    // ----- back -----

    /// Go on with the top frame: its next alternative, or undo it.
    fn back(&mut self) -> Go {
        let Some(level) = self.levels.last_mut() else { return Go::End };
        let Some(frame) = level.frames.last_mut() else {
            self.levels.pop();
            return if self.levels.is_empty() { Go::End } else { Go::Back };
        };
        // What happened above this frame is gone.
        self.states.truncate(frame.states);
        if let FrameKind::Revisit { .. } = frame.kind {
            // The threads of the read, of the write, and of those before them that were being revisited.
            for thread in &mut level.graph.threads {
                if thread.state != NONE && thread.state as usize >= frame.states {
                    thread.state = NONE;
                }
            }
        } else {
            level.graph.threads[frame.event.thread()].state = NONE;
        }
        match frame.kind {
            FrameKind::Step => self.back_step(),
            FrameKind::Choose => self.back_choose(),
            FrameKind::Write => self.back_write(),
            FrameKind::Read => self.back_read(),
            FrameKind::Revisit { write } => self.back_revisit(write),
        }
    }

    fn top(&mut self) -> (&mut Level<K>, usize) {
        let level = self.levels.last_mut().expect("a search has a level");
        let at = level.frames.len() - 1;
        (level, at)
    }

    fn back_step(&mut self) -> Go {
        let (level, at) = self.top();
        let id = level.frames[at].event;
        if level.frames[at].stage == Stage::Next {
            level.frames[at].stage = Stage::Visited;
            level.order.other(&level.graph, id);
            if matches!(level.graph.event(id).kind, Kind::Free) && !self.check_free(id) {
                self.mark_failed(id);
            }
            return Go::Visit;
        }
        level.order.unother(&level.graph, id);
        let event = *level.graph.event(id);
        level.graph.pop();
        let thread = &mut level.graph.threads[id.thread()];
        match event.kind {
            Kind::Spawn => {
                thread.spawned -= 1;
                level.graph.threads[event.written as usize].alive = false;
            }
            Kind::Alloc => thread.allocated -= 1,
            _ => {}
        }
        level.frames.pop();
        Go::Back
    }

    fn back_choose(&mut self) -> Go {
        let level = self.levels.last_mut().expect("a search has a level");
        let frame = level.frames.last_mut().expect("called for a frame");
        let id = frame.event;
        let state = level.graph.event(id).state;
        let Want::Choose { low, high } = self.states[state as usize].step.want else {
            unreachable!("a choice")
        };
        if frame.next > 0 {
            level.order.unother(&level.graph, id);
        }
        let value = i64::try_from(frame.next).ok().and_then(|tried| low.checked_add(tried));
        if let Some(value) = value.filter(|&value| value <= high) {
            frame.next += 1;
            level.graph.event_mut(id).read = value as Value;
            level.order.other(&level.graph, id);
            return Go::Visit;
        }
        level.graph.pop();
        level.frames.pop();
        Go::Back
    }

    fn back_write(&mut self) -> Go {
        let (with_hb, sequences) = (self.with_hb, self.sequences);
        let (level, at) = self.top();
        let frame = &mut level.frames[at];
        let id = frame.event;
        loop {
            match frame.stage {
                Stage::Next if frame.given => {
                    frame.stage = Stage::Scanning;
                    frame.scan = 0;
                }
                Stage::Next if !K::COHERENCE => {
                    if frame.next == 0 {
                        frame.next = 1;
                        level.graph.append_write(id);
                        if with_hb {
                            happens::compute_message(&mut level.graph, id, sequences);
                        }
                        let fine = level.order.write(&level.graph, id);
                        debug_assert!(fine, "a write can always come last");
                        frame.stage = Stage::Visited;
                        return self.enter_access(id);
                    }
                    frame.stage = Stage::Scanning;
                    frame.scan = level.graph.len() as u32;
                }
                Stage::Next => {
                    let loc = level.graph.event(id).loc as usize;
                    let count = level.graph.places[loc].writes.len();
                    if frame.next == 0 && with_hb {
                        happens::compute_message(&mut level.graph, id, sequences);
                    }
                    if frame.next > count {
                        frame.stage = Stage::Scanning;
                        frame.scan = level.graph.len() as u32;
                        continue;
                    }
                    let place = count - frame.next;
                    frame.next += 1;
                    if splits_update(&level.graph, loc, place) {
                        continue;
                    }
                    level.graph.place_write(id, place);
                    if !level.order.write(&level.graph, id) {
                        level.graph.unplace_write(id);
                        continue;
                    }
                    frame.stage = Stage::Visited;
                    return self.enter_access(id);
                }
                Stage::Visited => {
                    if K::COHERENCE {
                        level.order.unwrite(&level.graph, id);
                        level.graph.unplace_write(id);
                    }
                    frame.stage = Stage::Next;
                }
                Stage::Scanning => {
                    if let Some(go) = self.scan(id) {
                        return go;
                    }
                    let (level, _) = self.top();
                    if !K::COHERENCE {
                        level.order.unwrite(&level.graph, id);
                        level.graph.unplace_write(id);
                    }
                    level.graph.pop();
                    level.frames.pop();
                    return Go::Back;
                }
            }
        }
    }

    fn back_read(&mut self) -> Go {
        loop {
            let level = self.levels.last_mut().expect("a search has a level");
            let frame = level.frames.last_mut().expect("called for a frame");
            let id = frame.event;
            match frame.stage {
                Stage::Next => {
                    if frame.next == frame.until {
                        self.candidates.truncate(frame.from);
                        level.graph.pop();
                        level.frames.pop();
                        return Go::Back;
                    }
                    let source = self.candidates[frame.next];
                    frame.next += 1;
                    self.set_source(id, source);
                    let (level, at) = self.top();
                    if !level.order.read(&level.graph, id) {
                        level.order.unread(&level.graph, id);
                        continue;
                    }
                    level.frames[at].stage = Stage::Visited;
                    return self.settle_read(id);
                }
                Stage::Visited => {
                    if level.graph.event(id).kind == Kind::Update {
                        frame.stage = Stage::Scanning;
                        frame.scan = level.graph.len() as u32;
                        continue;
                    }
                    level.order.unread(&level.graph, id);
                    frame.stage = Stage::Next;
                }
                Stage::Scanning => {
                    if let Some(go) = self.scan(id) {
                        return go;
                    }
                    self.undo_update(id);
                    let (level, at) = self.top();
                    level.order.unread(&level.graph, id);
                    level.frames[at].stage = Stage::Next;
                }
            }
        }
    }

    /// Give a read, the last of its thread, its source and the label that follows.
    pub(crate) fn set_source(&mut self, id: EventId, source: EventId) {
        let level = self.levels.last_mut().expect("a search has a level");
        let state = level.graph.event(id).state as usize;
        let loc = level.graph.event(id).loc;
        let value = self.tables.value_of(loc, source, |w| level.graph.event(w).written);
        let label = self.states[state].step.label(value);
        let event = level.graph.event_mut(id);
        event.rf = source;
        event.read = value;
        event.order = label.order;
        event.mark = label.mark;
        event.written = label.written.unwrap_or(0);
        level.graph.compute_porf(id);
        if self.with_hb {
            happens::compute(&mut level.graph, id);
        }
    }

    /// The value this read would write, if it is an update that succeeds.
    pub(crate) fn writes_too(&self, id: EventId) -> Option<Value> {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let event = graph.event(id);
        self.states[event.state as usize].step.label(event.read).written
    }

    /// A read has a consistent source: visit the graph, or make the read an update first.
    fn settle_read(&mut self, id: EventId) -> Go {
        let Some(written) = self.writes_too(id) else { return self.enter_access(id) };
        let with_hb = self.with_hb;
        let sequences = self.sequences;
        let (level, at) = self.top();
        let source = level.graph.event(id).rf;
        let loc = level.graph.event(id).loc as usize;
        let taken = K::COHERENCE && splits_update(&level.graph, loc, level.graph.slot(source) as usize);
        level.graph.promote(id, written, K::COHERENCE);
        if with_hb {
            happens::compute_message(&mut level.graph, id, sequences);
        }
        let consistent = !taken && level.order.update(&level.graph, id);
        level.frames[at].consistent = consistent;
        if consistent {
            return self.enter_access(id);
        }
        // Not consistent where it stands, but its write still revisits (engine.md P3).
        self.counts.dropped += 1;
        Go::Back
    }

    fn undo_update(&mut self, id: EventId) {
        let (level, at) = self.top();
        if level.frames[at].consistent {
            level.order.unupdate(&level.graph, id);
        }
        level.graph.demote(id);
    }

    /// Look for the next read that the write can revisit; if there is one, start a level for it.
    fn scan(&mut self, write: EventId) -> Option<Go> {
        loop {
            let read = self.next_revisit(write)?;
            self.lost.clear();
            let mut level = self.spare.pop().unwrap_or_else(|| Level {
                graph: Graph::default(),
                order: K::new(self.settings.model),
                frames: Vec::new(),
            });
            let parent = self.levels.last().expect("a search has a level");
            let lost = &mut self.lost;
            level.graph.revisit(&parent.graph, write, read, |loc| {
                if !lost.contains(&loc) {
                    lost.push(loc);
                }
            });
            let frame = Frame {
                kind: FrameKind::Revisit { write },
                stage: Stage::Next,
                event: read,
                states: self.states.len(),
                from: 0,
                until: 0,
                next: 0,
                given: false,
                scan: 0,
                consistent: false,
            };
            level.frames.clear();
            level.frames.push(frame);
            self.levels.push(level);
            self.set_source(read, write);
            if K::COHERENCE {
                let (level, _) = self.top();
                let event = level.graph.event(write);
                let (loc, slot) = (event.loc as usize, event.slot as usize);
                if slot > 0 && level.graph.places[loc].writes.get(slot - 1) == Some(&write) {
                    level.graph.unplace_write(write);
                }
            }
            let above = self.levels.len() - 1;
            let (parents, own) = self.levels.split_at_mut(above);
            let consistent =
                own[0].order.revisited(&parents[above - 1].order, &own[0].graph, &self.lost, write, read);
            if consistent {
                self.counts.revisits += 1;
                return Some(Go::Back);
            }
            self.drop_level();
        }
    }

    fn drop_level(&mut self) {
        let level = self.levels.pop().expect("a level to drop");
        self.spare.push(level);
    }

    fn back_revisit(&mut self, write: EventId) -> Go {
        loop {
            let (level, at) = self.top();
            let frame = &mut level.frames[at];
            let read = frame.event;
            match frame.stage {
                Stage::Next if !K::COHERENCE => {
                    if frame.next > 0 {
                        self.drop_level();
                        return Go::Back;
                    }
                    frame.next = 1;
                    frame.stage = Stage::Visited;
                    return self.settle_read(read);
                }
                Stage::Next => {
                    let event = level.graph.event(write);
                    let loc = event.loc as usize;
                    let count = level.graph.places[loc].writes.len();
                    let place = if event.kind == Kind::Update {
                        if frame.next > 0 {
                            self.drop_level();
                            return Go::Back;
                        }
                        level.graph.slot(event.rf) as usize
                    } else {
                        if frame.next > count {
                            self.drop_level();
                            return Go::Back;
                        }
                        count - frame.next
                    };
                    frame.next += 1;
                    if splits_update(&level.graph, loc, place) {
                        continue;
                    }
                    level.graph.place_write(write, place);
                    if !level.order.revisit_placed(&level.graph, write, read) {
                        level.order.revisit_unplaced(&level.graph, write, read);
                        level.graph.unplace_write(write);
                        continue;
                    }
                    frame.stage = Stage::Visited;
                    return self.settle_read(read);
                }
                Stage::Visited => {
                    if level.graph.event(read).kind == Kind::Update {
                        frame.stage = Stage::Scanning;
                        frame.scan = level.graph.len() as u32;
                        continue;
                    }
                    self.unplace_revisit(write, read);
                }
                Stage::Scanning => {
                    if let Some(go) = self.scan(read) {
                        return go;
                    }
                    self.undo_update(read);
                    self.unplace_revisit(write, read);
                }
            }
        }
    }

    fn unplace_revisit(&mut self, write: EventId, read: EventId) {
        let (level, at) = self.top();
        if K::COHERENCE {
            level.order.revisit_unplaced(&level.graph, write, read);
            level.graph.unplace_write(write);
        }
        level.frames[at].stage = Stage::Next;
    }

    /// The next older read that `write` may revisit. An event that the revisit would delete must be what the search
    /// would have chosen first; whether it is does not depend on the read, so the first one that is not ends the scan.
    fn next_revisit(&mut self, write: EventId) -> Option<EventId> {
        let level = self.levels.last_mut().expect("a search has a level");
        let graph = &level.graph;
        let event = graph.event(write);
        let (loc, source) = (event.loc, event.rf);
        let frame = level.frames.last_mut().expect("called for a frame");
        let mut youngest = u32::MAX;
        if event.kind == Kind::Update
            && let Some(rival) = rival(graph, write, source)
        {
            // Two updates of one write: the other has to be deleted or to read something else.
            if Graph::in_row(graph.porf(write), rival) {
                return None;
            }
            youngest = graph.event(rival).stamp;
        }
        while frame.scan > 0 {
            frame.scan -= 1;
            let id = graph.order[frame.scan as usize];
            if id == write || Graph::in_row(graph.porf(write), id) {
                continue;
            }
            let event = graph.event(id);
            let states = &self.states;
            let step: &Step = &states[event.state as usize].step;
            let expected = match event.kind {
                Kind::Choose => matches!(step.want, Want::Choose { low, .. } if low as Value == event.read),
                Kind::Read | Kind::Write | Kind::Update => {
                    let in_place = !event.pinned
                        && (!event.kind.reads()
                            || event.rf.is_init()
                            || graph.event(event.rf).stamp < event.stamp
                            || Graph::in_row(graph.porf(write), event.rf));
                    in_place
                        && if K::COHERENCE {
                            is_coherence_last(graph, write, id, event)
                        } else {
                            !event.kind.reads()
                                || level.order.reads_canonical(&Test {
                                    graph,
                                    write,
                                    read: id,
                                    ranks: &self.tables.names,
                                    label: &|value| step.label(value),
                                })
                        }
                }
                _ => true,
            };
            if !expected {
                frame.scan = 0;
                return None;
            }
            if event.loc == loc && event.kind.reads() && event.stamp <= youngest {
                return Some(id);
            }
        }
        None
    }

    // ----- what is wrong -----

    /// An access has its final label: look for what is wrong with it, then visit.
    fn enter_access(&mut self, id: EventId) -> Go {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let event = graph.event(id);
        let location = &self.tables.locations[event.loc as usize];
        if event.kind.reads() && event.rf.is_init() && location.initial.is_none() {
            self.access_trouble(
                id,
                ViolationKind::UninitialisedRead,
                "read of uninitialised memory",
                Vec::new(),
            );
        } else if location.within.is_some() {
            self.check_freed(id);
        }
        if self.settings.races {
            self.check_races(id);
        }
        Go::Visit
    }

    fn access_trouble(&mut self, id: EventId, kind: ViolationKind, message: &str, related: Vec<Related>) {
        let site = self.site(id);
        self.violation(kind, message.into(), id.thread(), site, related);
        self.mark_failed(id);
    }

    fn mark_failed(&mut self, id: EventId) {
        let (level, _) = self.top();
        level.graph.event_mut(id).mark = Mark::Failed;
    }

    pub fn site(&self, id: EventId) -> SiteId {
        let graph = &self.levels.last().expect("a search has a level").graph;
        self.states[graph.event(id).state as usize].step.site
    }

    fn related(&self, role: &'static str, id: EventId) -> Related {
        Related { role, thread: ThreadId(id.thread() as u32), site: self.site(id) }
    }

    /// An access to allocated memory: was it freed?
    fn check_freed(&mut self, id: EventId) {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let event = graph.event(id);
        let within = self.tables.locations[event.loc as usize].within.expect("called for allocated memory");
        let key = (within.name as u64) << 32 | within.nth as u64;
        let free = graph
            .order
            .iter()
            .copied()
            .find(|&f| graph.event(f).kind == Kind::Free && graph.event(f).read == key);
        if let Some(free) = free {
            let related = vec![self.related("free", free)];
            self.access_trouble(id, ViolationKind::UseAfterFree, "access to memory that was freed", related);
        }
    }

    /// A free: of what was allocated, once, and after all accesses.
    fn check_free(&mut self, id: EventId) -> bool {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let key = graph.event(id).read;
        let step = &self.states[graph.event(id).state as usize].step;
        let Want::Free(dynamic) = step.want else { unreachable!("a free") };
        let site = step.site;
        let (name, nth) = ((key >> 32) as u32, key as u32);
        if dynamic.offset != 0 || !self.tables.allocations.contains_key(&(name, nth)) {
            self.violation(
                ViolationKind::InvalidFree,
                "free of what is no allocation".into(),
                id.thread(),
                site,
                vec![],
            );
            return false;
        }
        let earlier = graph
            .order
            .iter()
            .copied()
            .find(|&f| f != id && graph.event(f).kind == Kind::Free && graph.event(f).read == key);
        if let Some(earlier) = earlier {
            let related = vec![self.related("first free", earlier)];
            self.violation(
                ViolationKind::DoubleFree,
                "memory is freed twice".into(),
                id.thread(),
                site,
                related,
            );
            return false;
        }
        let late = graph.order.iter().copied().find(|&a| {
            let event = graph.event(a);
            event.loc != NO_LOC
                && self.tables.locations[event.loc as usize]
                    .within
                    .is_some_and(|w| (w.name, w.nth) == (name, nth))
                && !Graph::in_row(graph.hb(id), a)
        });
        if let Some(late) = late {
            let related = vec![self.related("access", late)];
            let message = "memory is freed while another thread may still access it";
            self.violation(ViolationKind::UseAfterFree, message.into(), id.thread(), site, related);
            return false;
        }
        true
    }

    /// Data races of an access with those before it in the graph that do not happen before it.
    fn check_races(&mut self, id: EventId) {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let event = graph.event(id);
        let hb = graph.hb(id);
        let mut racing = Vec::new();
        let place = &graph.places[event.loc as usize];
        for (t, &last) in place.last.iter().enumerate() {
            if t == id.thread() {
                continue;
            }
            let mut i = last.wrapping_sub(1);
            while i != NONE && i >= hb[t] {
                let other = &graph.threads[t].events[i as usize];
                let conflict = event.kind.writes() || other.kind.writes();
                let plain = event.order == Order::Plain || other.order == Order::Plain;
                let other_id = EventId::new(t as u32, i);
                if conflict && plain && !Graph::in_row(graph.hb(other_id), id) {
                    racing.push(other_id);
                }
                i = other.prev;
            }
        }
        for other in racing {
            let related = vec![self.related("racing access", other)];
            let site = self.site(id);
            self.violation(ViolationKind::Race, String::new(), id.thread(), site, related);
        }
    }

    /// Remember a violation, unless the same was seen before.
    fn violation(
        &mut self,
        kind: ViolationKind,
        message: String,
        thread: usize,
        site: SiteId,
        related: Vec<Related>,
    ) {
        let thread = ThreadId(thread as u32);
        let mut violation = Violation { kind, message, thread, site, related, witness: Witness::default() };
        if !self.violations.iter().any(|v| v.is_same(&violation)) {
            violation.witness = self.execution().witness();
            self.violations.push(violation);
        }
        if !self.settings.all {
            self.stop(StopReason::Violation);
        }
    }

    // ----- leaves -----

    /// The top graph as observers see it.
    pub fn execution(&mut self) -> Execution<'_, P> {
        let level = self.levels.last_mut().expect("a search has a level");
        Execution::new(self.program, &level.graph, &self.states, &self.tables, &mut level.order)
    }

    /// Where a thread of the top graph stands.
    fn end_of(&self, thread: usize) -> ThreadEnd {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let log = &graph.threads[thread];
        crate::execution::thread_end(log, &self.states)
    }

    /// Nothing can be added: a complete execution, a stuck one, or one that failed.
    fn leaf(&mut self) {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let mut stuck = false;
        let mut failed = false;
        let mut assumed = false;
        for t in 0..graph.threads.len() {
            if !graph.threads[t].alive {
                continue;
            }
            match self.end_of(t) {
                ThreadEnd::Done => {}
                ThreadEnd::Running => failed = true,
                ThreadEnd::Assume => {
                    assumed = true;
                    stuck = true;
                }
                ThreadEnd::Lock | ThreadEnd::Join => stuck = true,
            }
        }
        if failed {
            self.counts.failed += 1;
            return;
        }
        if stuck {
            self.counts.blocked += 1;
            if !assumed {
                self.check_deadlock();
            }
            let level = self.levels.last_mut().expect("a search has a level");
            let execution =
                Execution::new(self.program, &level.graph, &self.states, &self.tables, &mut level.order);
            if self.observer.blocked(&execution) == Flow::Stop {
                self.stop(StopReason::Observer);
            }
            return;
        }
        let events = graph.len() as u64;
        self.counts.executions += 1;
        self.counts.events += events;
        self.counts.max_events = self.counts.max_events.max(events);
        let level = self.levels.last_mut().expect("a search has a level");
        let execution =
            Execution::new(self.program, &level.graph, &self.states, &self.tables, &mut level.order);
        if self.observer.execution(&execution) == Flow::Stop {
            self.stop(StopReason::Observer);
        }
        if let Some(max) = self.settings.max_executions {
            let so_far = self.shared.map_or(self.counts.executions, Shared::count_execution);
            if so_far >= max {
                self.stop(StopReason::MaxExecutions);
            }
        }
    }

    /// Every unfinished thread waits for a lock that is really held, or for another thread.
    fn check_deadlock(&mut self) {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let mut waiting = Vec::new();
        for (t, log) in graph.threads.iter().enumerate() {
            if !log.alive {
                continue;
            }
            match self.end_of(t) {
                ThreadEnd::Lock => {
                    let last = log.events.last().expect("it waits at an event");
                    let holder = last.rf;
                    if self.released(graph, holder) {
                        return;
                    }
                    let id = EventId::new(t as u32, log.events.len() as u32 - 1);
                    waiting.push((t, self.site(id)));
                    waiting.push((holder.thread(), self.site(holder)));
                }
                ThreadEnd::Join => waiting.push((t, self.states[log.state as usize].step.site)),
                _ => {}
            }
        }
        let Some(&(thread, site)) = waiting.first() else { return };
        let related = waiting[1..]
            .iter()
            .map(|&(t, site)| Related { role: "waits or holds", thread: ThreadId(t as u32), site })
            .collect();
        self.violation(ViolationKind::Deadlock, String::new(), thread, site, related);
    }

    /// Did the thread that took a lock here release it again?
    fn released(&self, graph: &Graph, holder: EventId) -> bool {
        let loc = graph.event(holder).loc;
        let place = &graph.places[loc as usize];
        let mut i = place.last[holder.thread()].wrapping_sub(1);
        while i != NONE && i > holder.index() {
            let event = &graph.threads[holder.thread()].events[i as usize];
            if event.kind == Kind::Write {
                return true;
            }
            i = event.prev;
        }
        false
    }
}

/// Does an event with this mark end its thread?
fn stops(mark: Mark) -> bool {
    matches!(mark, Mark::Waits | Mark::Failed)
}

/// Would a write at this place come between a write and the update that reads from it?
fn splits_update(graph: &Graph, loc: usize, place: usize) -> bool {
    let writes = &graph.places[loc].writes;
    let Some(&next) = writes.get(place) else { return false };
    let before = if place == 0 { EventId::INIT } else { writes[place - 1] };
    let event = graph.event(next);
    event.kind == Kind::Update && event.rf == before
}

/// Another update that reads from the same write.
fn rival(graph: &Graph, update: EventId, source: EventId) -> Option<EventId> {
    let loc = graph.event(update).loc as usize;
    graph.places[loc]
        .writes
        .iter()
        .copied()
        .find(|&w| w != update && graph.event(w).kind == Kind::Update && graph.event(w).rf == source)
}

/// With a coherence order, the event that a deleted access must be or see: the last one of the part that is older
/// than the access or in the past of the revisiting write.
fn is_coherence_last(graph: &Graph, write: EventId, id: EventId, event: &Event) -> bool {
    let in_part = |&&w: &&EventId| {
        w != write && (w == id || graph.event(w).stamp < event.stamp || Graph::in_row(graph.porf(write), w))
    };
    let mut last = graph.places[event.loc as usize].writes.iter().rev().filter(in_part);
    if event.kind.writes() && last.next() != Some(&id) {
        return false;
    }
    !event.kind.reads() || last.next().copied().unwrap_or(EventId::INIT) == event.rf
}
