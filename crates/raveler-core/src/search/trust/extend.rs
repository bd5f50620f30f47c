//! Forward: what the threads want next, which of them goes on, and the event it adds.

use crate::consistency::{Consistency, happens_before};
use crate::graph::{Event, EventTag, Kind, ThreadStatus};
use crate::id::{EventId, SiteId};
use crate::observer::Observer;
use crate::outcome::StopReason;
use crate::program::action::{Action, LockMode, Order, Value, Waiting};
use crate::program::{Entry, Program};

use super::{Explorer, Frame, FrameKind, Go, Stage, stops};
use crate::run::resolve::{LockUse, Request, Step, prepare};
use crate::run::rwlock_try::{self, MicroStep, Next};

/// No execution may have more events: by then it is a loop without end, and tables that grow with the square of this
/// number still fit into memory.
const MAX_EVENTS: usize = 20_000;

impl<P: Program, K: Consistency, O: Observer<P>> Explorer<'_, P, K, O> {
    /// Add one event to the top graph, or report it if there is none to add.
    pub(in crate::search) fn visit(&mut self) -> Go {
        if !self.ask_threads() {
            return Go::Back;
        }
        if self.has_spins && self.is_hopeless() {
            self.counts.dropped += 1;
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
                #[cfg(any(test, feature = "paranoid"))]
                self.verify_left_out(id, frame.from);
                let level = self.levels.last_mut().expect("a search has a level");
                if self.tables.is_lock(level.graph.event(id).loc) {
                    self.keep_lock_candidates(id, frame.from);
                }
                if self.settings.spurious_cas {
                    self.add_spurious_candidates(id, frame.from);
                }
                frame.next = frame.from;
                frame.until = self.candidates.len();
            }
            _ => {}
        }
        self.levels.last_mut().expect("a search has a level").frames.push(frame);
        Go::Back
    }

    /// Push the event of a thread's request to the top graph; a read without its source, a write without its
    /// place. None if the search has to stop.
    pub(in crate::search) fn push_next(&mut self, thread: usize) -> Option<EventId> {
        let level = self.levels.last_mut().expect("a search has a level");
        let state = level.graph.threads[thread].state;
        let step = &self.states[state as usize].step;
        let mut event = Event::new(Kind::Read, Order::Relaxed, state);
        event.loc = step.loc;
        match step.request {
            Request::Read(order) => event.order = order,
            Request::Update { order, lock, .. } => {
                event.order = order;
                // Under TSO and PSO an update is locked whether it succeeds or not.
                event.tag = if lock == LockUse::None { EventTag::Rmw } else { EventTag::Lock };
            }
            Request::Write { order, value, tag } => {
                event.kind = Kind::Write;
                event.order = order;
                event.written = value;
                event.tag = tag;
            }
            Request::Lock { mode, .. } => {
                event.kind = Kind::Lock;
                event.order = Order::Acquire;
                event.tag = EventTag::Lock;
                event.read = (mode == LockMode::Shared) as Value;
            }
            Request::Unlock => {
                event.kind = Kind::Unlock;
                event.order = Order::Release;
                event.tag = EventTag::Unlock;
            }
            Request::Fence(order) => {
                event.kind = Kind::Fence;
                event.order = order;
            }
            Request::Spawn { .. } => return self.spawn(thread, event),
            Request::Join { name } => {
                let child = self.tables.known_thread(name).expect("a thread that is joined was spawned");
                event.kind = Kind::Join;
                event.rf = level.graph.tip(child);
                event.written = child as Value;
            }
            Request::Alloc { size, zeroed, .. } => {
                event.kind = Kind::Alloc;
                let nth = level.graph.threads[thread].allocated;
                let Some(address) = self.tables.allocated_address(thread, nth, size, zeroed) else {
                    return self.unsupported(thread, "too much memory is allocated");
                };
                level.graph.threads[thread].allocated += 1;
                event.read = address.0;
                event.written = size;
            }
            Request::Free(dynamic) => {
                event.kind = Kind::Free;
                event.read = (dynamic.name as u64) << 32 | dynamic.nth as u64;
            }
            Request::Choose { low, .. } => {
                event.kind = Kind::Choose;
                event.read = low as Value;
            }
            Request::Observe { name, value } => {
                event.kind = Kind::Observe;
                event.read = name as Value;
                event.written = value;
            }
            Request::Block
            | Request::Cut
            | Request::Wait(_)
            | Request::Dropped
            | Request::Done
            | Request::Fail(_)
            | Request::Unsupported(_) => {
                unreachable!("not enabled")
            }
        }
        self.push(thread, event)
    }

    /// Push an event to the top graph, with its happens-before.
    pub(in crate::search) fn push(&mut self, thread: usize, mut event: Event) -> Option<EventId> {
        let level = self.levels.last_mut().expect("a search has a level");
        if level.graph.len() >= MAX_EVENTS {
            let message = format!(
                "an execution has more than {MAX_EVENTS} events: a loop that never ends, or waits unseen?"
            );
            return self.unsupported(thread, &message);
        }
        if self.with_hb {
            event.released = happens_before::released_before(&level.graph.threads[thread].events);
        }
        let id = level.graph.push(thread, event);
        level.graph.status[thread] = ThreadStatus::Unasked;
        if self.with_hb {
            happens_before::compute(&mut level.graph, id);
        }
        Some(id)
    }

    pub(in crate::search) fn spawn(&mut self, thread: usize, mut event: Event) -> Option<EventId> {
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
        log.parent = id;
        log.spawned = 0;
        log.allocated = 0;
        level.graph.status[child] = ThreadStatus::Unasked;
        Some(id)
    }

    pub(in crate::search) fn unsupported(&mut self, thread: usize, message: &str) -> Option<EventId> {
        let level = self.levels.last().expect("a search has a level");
        let site = match level.graph.status[thread] {
            ThreadStatus::Absent | ThreadStatus::Unasked => SiteId::NONE,
            _ => self.states[level.graph.threads[thread].state as usize].step.site,
        };
        self.stop(StopReason::Unsupported { message: message.into(), site });
        None
    }

    /// Ask every thread whose next request is not known. False if the search has to stop.
    pub(in crate::search) fn ask_threads(&mut self) -> bool {
        let mut t = 0;
        loop {
            let level = self.levels.last_mut().expect("a search has a level");
            match level.graph.status[t..].iter().position(|&r| r == ThreadStatus::Unasked) {
                Some(ahead) => t += ahead,
                None => return true,
            }
            if let Some(last) = level.graph.threads[t].events.last().filter(|last| stops(last.tag)) {
                // It does not come back from this event.
                level.graph.threads[t].state = last.state;
                level.graph.status[t] = ThreadStatus::Stuck;
                continue;
            }
            let thread = &level.graph.threads[t];
            let (number, answer) = match thread.events.last() {
                Some(last) => {
                    let state = &self.states[last.state as usize];
                    let answer = match last.kind {
                        Kind::Read | Kind::Update => state.step.answer(last.read),
                        Kind::Spawn | Kind::Alloc | Kind::Choose => last.read,
                        _ => 0,
                    };
                    (self.states.follow(last.state), answer)
                }
                None if thread.parent.is_init() => {
                    (self.states.begin(self.program.start(Entry::Initial(t as u32))), 0)
                }
                None => {
                    let spawn = level.graph.event(thread.parent);
                    let Request::Spawn { code, argument } = self.states[spawn.state as usize].step.request
                    else {
                        unreachable!("a thread's parent is a spawn")
                    };
                    let name = u64::from(self.tables.names[t]);
                    (self.states.begin(self.program.start(Entry::Spawned { code, argument, name })), 0)
                }
            };
            let then = thread
                .events
                .last()
                .map_or(MicroStep::Ask, |last| self.states[last.state as usize].step.then);
            let answer = if then == MicroStep::Ask {
                answer
            } else {
                let last = thread.events.last().expect("it has just done something");
                let site = self.states[last.state as usize].step.site;
                match rwlock_try::follow(then, answer, self.tables.names[t], site, &mut self.tables) {
                    Next::Ask(answer) => answer,
                    Next::Part(step) => {
                        if !self.begin_step(t, number, step) {
                            return false;
                        }
                        continue;
                    }
                }
            };
            let spurious = matches!(thread.events.last(), Some(last) if last.tag == EventTag::Spurious);
            let action = if spurious {
                self.program.step_failed(&mut self.states[number as usize].cursor, answer)
            } else {
                self.program.step(&mut self.states[number as usize].cursor, answer)
            };
            let shortcut = self.short_cut(t, &action, &self.states[number as usize].cursor);
            let shortcut = shortcut.is_some_and(|earlier| !self.spare(t, number, earlier));
            let graph = &self.levels.last().expect("a search has a level").graph;
            let mut step = prepare(action, t, graph, &mut self.tables);
            if shortcut {
                step.request = Request::Dropped;
            }
            if let Request::Wait(Waiting::Spin { events }) = &mut step.request
                && self.tables.has_tried()
            {
                *events = rwlock_try::events_of(graph, &self.states, t, *events);
            }
            self.has_spins |= matches!(step.request, Request::Wait(Waiting::Spin { .. } | Waiting::Signal));
            if !self.begin_step(t, number, step) {
                return false;
            }
        }
    }

    /// A thread's next request is known. False if the search has to stop.
    fn begin_step(&mut self, thread: usize, state: u32, step: Step) -> bool {
        if self.tables.restart.is_some() {
            self.stop(StopReason::Observer);
            return false;
        }
        let level = self.levels.last_mut().expect("a search has a level");
        level.graph.threads[thread].state = state;
        level.graph.status[thread] = step.status();
        self.states[state as usize].step = step;
        self.check_step(thread, state)
    }

    /// A compare-exchange of a retry loop failed: would the thread stand where it stands if an earlier read of the
    /// location had seen what this one saw? MicroStep that execution shows all that follows (waits.md §2).
    /// Gives that read.
    fn short_cut(&self, thread: usize, action: &Action, cursor: &P::Cursor) -> Option<usize> {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let log = &graph.threads[thread];
        let (last, earlier) = log.events.split_last()?;
        if last.kind != Kind::Read || last.tag != EventTag::Rmw {
            return None;
        }
        for (i, event) in earlier.iter().enumerate().rev() {
            let harmless = match event.kind {
                Kind::Read => event.tag != EventTag::Lock,
                Kind::Fence => true,
                Kind::Update => event.written == event.read && event.tag == EventTag::Rmw,
                _ => false,
            };
            if !harmless {
                return None;
            }
            if event.kind != Kind::Read || event.loc != last.loc {
                continue;
            }
            let state = &self.states[event.state as usize];
            let label = state.step.label(last.read);
            // With happens-before the earlier read must not learn more than the one that failed.
            if label.written.is_some() || self.with_hb && strength(label.order) > strength(last.order) {
                continue;
            }
            let mut other = state.cursor.clone();
            let next = self.program.step(&mut other, state.step.answer(last.read));
            if next == *action && self.program.same(&other, cursor) {
                return Some(i);
            }
        }
        None
    }

    /// May something be wrong between an earlier read and the failed try, the thread's last event (waits.md §2)? MicroStep
    /// the thread goes on, once.
    fn spare(&mut self, thread: usize, state: u32, earlier: usize) -> bool {
        let events = &self.levels.last().expect("a search has a level").graph.threads[thread].events;
        let tables = &self.tables;
        let between = events[earlier + 1..events.len() - 1].iter().filter(|event| event.kind == Kind::Read);
        let address = |event: &Event| tables.locations[event.loc as usize].address;
        let reads: Vec<_> = between.map(|event| (address(event), event.order)).collect();
        self.program.spare(&mut self.states[state as usize].cursor, &reads)
    }

    /// How many values a choice has left.
    pub(in crate::search) fn choices_left(&self, l: usize, f: usize) -> u64 {
        let level = &self.levels[l];
        let frame = &level.frames[f];
        match self.states[level.graph.event(frame.event).state as usize].step.request {
            Request::Choose { low, high } => {
                (high.abs_diff(low) + 1).saturating_sub(u64::try_from(frame.next).unwrap_or(u64::MAX))
            }
            _ => 0,
        }
    }

    /// Can this thread of the top graph go on?
    pub(in crate::search) fn enabled(&self, thread: usize) -> bool {
        let graph = &self.levels.last().expect("a search has a level").graph;
        match graph.status[thread] {
            ThreadStatus::Absent
            | ThreadStatus::Unasked
            | ThreadStatus::Done
            | ThreadStatus::Stuck
            | ThreadStatus::Postponed => false,
            ThreadStatus::Reads | ThreadStatus::Steps => true,
            ThreadStatus::Joins => {
                let Request::Join { name } = self.states[graph.threads[thread].state as usize].step.request
                else {
                    unreachable!("it joins")
                };
                let child = self.tables.known_thread(name).expect("a thread that is joined was spawned");
                graph.status[child] == ThreadStatus::Done
            }
        }
    }

    /// The thread to run next: the first whose request is not a read; only if there is none, one that reads; only if
    /// there is none, one that lets a waiter go. The graph alone must decide.
    pub(in crate::search) fn next_thread(&self) -> Option<usize> {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let mut reader = None;
        let mut opener = None;
        for &t in &self.tables.by_rank {
            match graph.status.get(t) {
                Some(ThreadStatus::Steps)
                    if self.tables.has_locks && self.frees_waiter(t)
                        || self.has_spins && self.ends_wait(t) =>
                {
                    opener = opener.or(Some(t))
                }
                Some(ThreadStatus::Steps) => return Some(t),
                Some(ThreadStatus::Joins) if self.enabled(t) => return Some(t),
                Some(ThreadStatus::Reads) => {
                    let turn = self.turn(t);
                    if reader.is_none_or(|(first, _)| turn < first) {
                        reader = Some((turn, t));
                    }
                }
                _ => {}
            }
        }
        reader.map(|(_, t)| t).or(opener)
    }

    /// Whose turn it is among those that read: threads that take locks come last, the one that did least before the
    /// others. Taking locks by turns, they remove less of each other's work.
    fn turn(&self, thread: usize) -> usize {
        let log = &self.levels.last().expect("a search has a level").graph.threads[thread];
        let takes = self.tables.is_lock(self.states[log.state as usize].step.loc);
        if takes { log.events.len() + 1 } else { 0 }
    }

    /// Where a weak compare-exchange would succeed it may also fail: the same candidate a second time.
    pub(in crate::search) fn add_spurious_candidates(&mut self, id: EventId, from: usize) {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let event = graph.event(id);
        let step = &self.states[event.state as usize].step;
        let candidates = self.candidates.split_off(from);
        for candidate in candidates {
            self.candidates.push(candidate);
            let value = self.tables.value_of(event.loc, candidate, |w| graph.event(w).written);
            if step.label_of_spurious_failure(value).is_some() {
                self.candidates.push(candidate);
            }
        }
    }

    /// In tests: what was left out of a read's sources is really impossible.
    #[cfg(any(test, feature = "paranoid"))]
    fn verify_left_out(&mut self, id: EventId, from: usize) {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let mut writes = graph.accesses[graph.event(id).loc as usize].writes.clone();
        writes.push(EventId::INIT);
        for write in writes {
            if !self.candidates[from..].contains(&write) {
                self.set_source(id, write);
                let graph = &self.levels.last().expect("a search has a level").graph;
                super::verified::<K>(self.settings.model, graph, false);
            }
        }
    }
}

/// How much a read learns of the writer.
fn strength(order: Order) -> u8 {
    match order {
        Order::Plain | Order::Relaxed | Order::Release => 0,
        Order::Acquire | Order::AcqRel => 1,
        Order::SeqCst => 2,
    }
}
