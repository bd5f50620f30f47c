//! Steps of a run: which are possible, what they access, making them and taking them back.
//!
//! A step is what others can see: a load, a flush, an update, a lock operation, a choice. What a thread does besides
//! (buffering a store, a fence, allocating, spawning, joining) commutes with everything, so it is made at once, as part
//! of the step that makes it possible.

use super::access::{Access, AccessKind};
use super::machine::{Buffers, Process, Standing};
use super::recorded::Recorded;
use super::rows::RowId;
use super::{Search, ask};
use crate::check;
use crate::execution::Execution;
use crate::graph::{Event, EventTag, Kind, Loc, NO_LOC, ThreadStatus};
use crate::id::EventId;
use crate::outcome::StopReason;
use crate::program::Program;
use crate::program::action::{LockMode, Order, Value};
use crate::run::resolve::{LockUse, Request};

/// A step of the run.
pub(super) struct Step {
    pub process: u32,
    pub access: Access,
    /// Its event; of a flush the store that reaches memory.
    pub event: EventId,
    /// What comes before it, and itself.
    pub row: RowId,
    /// One more than the place of the step before it at the same location, and of the same process; 0 if none.
    pub prev: u32,
    pub own: u32,
    /// The entry that is flushed.
    entry: usize,
    /// How it was before.
    pub events: usize,
    states: usize,
    rows: u32,
    saved: usize,
}

/// Does a store go to memory at once, when its thread's buffers are empty? A lock is released, or a thread says how it
/// holds a lock that is tried, right after it took it or right before it releases it.
fn is_at_once(tag: EventTag) -> bool {
    matches!(tag, EventTag::Unlock | EventTag::Holds)
}

impl<P: Program> Search<'_, P> {
    /// Does a store go into a buffer?
    fn is_buffered(&self, tag: EventTag) -> bool {
        self.machine.buffers != Buffers::None && !is_at_once(tag)
    }

    /// The last write to a location that reached memory.
    pub(super) fn in_memory(&self, loc: Loc) -> EventId {
        let place = self.graph.accesses.get(loc as usize);
        place.and_then(|place| place.writes.last()).copied().unwrap_or(EventId::INIT)
    }

    /// The access that a process would make next; none if it cannot go on.
    pub(super) fn next_access(&self, process: u32) -> Option<Access> {
        let Process { thread, flushes } = self.machine.processes[process as usize];
        let access = |kind, loc| Some(Access { kind, loc, thread });
        let t = thread as usize;
        if flushes.is_some() {
            let at = self.machine.next_flush(self.machine.processes[process as usize])?;
            return access(AccessKind::Flush, self.machine.threads[t].entries[at].loc);
        }
        if !matches!(self.graph.status[t], ThreadStatus::Reads | ThreadStatus::Steps) {
            return None;
        }
        let step = self.run.step(&self.graph, t);
        let is_drained = self.machine.threads[t].pending == 0;
        match step.request {
            Request::Choose { .. } => {
                let waits = self.machine.threads[t].now.drains && !is_drained;
                if waits { None } else { access(AccessKind::None, NO_LOC) }
            }
            Request::Read(_) if self.machine.forwarded(t, step.loc).is_some() => {
                let drains = self.machine.threads[t].now.drains;
                if drains { None } else { access(AccessKind::Forwarded, step.loc) }
            }
            Request::Read(_) => {
                let waits = self.machine.threads[t].now.drains && !is_drained;
                if waits { None } else { access(AccessKind::Read, step.loc) }
            }
            Request::Write { tag, .. } if self.buffers_apart(step.loc) && self.is_buffered(tag) => {
                let waits = self.machine.threads[t].now.drains && !is_drained;
                let has_to_wait = waits || self.machine.is_full(t, step.loc);
                if has_to_wait { None } else { access(AccessKind::Buffered, step.loc) }
            }
            Request::Free { .. } | Request::Initialise(_) | Request::Destroy(_) => {
                self.end_access(t, &step.request)
            }
            _ if !is_drained => None,
            Request::Update { lock, .. } => {
                let value = self.run.value_of(&self.graph, step.loc, self.in_memory(step.loc));
                match step.label(value).written {
                    Some(_) => access(AccessKind::Write, step.loc),
                    None if lock == LockUse::Wait => None,
                    None => access(AccessKind::Read, step.loc),
                }
            }
            Request::Write { tag, .. } if !self.is_buffered(tag) => access(AccessKind::Write, step.loc),
            Request::Lock { mode, .. } => {
                let is_held = (0..self.graph.threads.len())
                    .filter_map(|holder| self.graph.held(holder, step.loc))
                    .any(|held| self.graph.event(held).lock_mode().excludes(mode));
                if is_held { None } else { access(AccessKind::of_lock(mode), step.loc) }
            }
            Request::Unlock => {
                let held = self.graph.held(t, step.loc).expect("a lock that is released is held");
                access(AccessKind::of_lock(self.graph.event(held).lock_mode()), step.loc)
            }
            _ => None,
        }
    }

    /// In how many ways can a process make its next step?
    pub(super) fn alternatives(&self, process: u32) -> u64 {
        let Process { thread, flushes: None } = self.machine.processes[process as usize] else { return 1 };
        let step = self.run.step(&self.graph, thread as usize);
        match step.request {
            Request::Choose { low, high } => high.abs_diff(low) + 1,
            Request::Update { .. } if self.run.settings.spurious_cas => {
                let value = self.run.value_of(&self.graph, step.loc, self.in_memory(step.loc));
                1 + u64::from(step.label_of_spurious_failure(value).is_some())
            }
            _ => 1,
        }
    }

    /// Make a step of a process, and all that it makes possible. False if the search has to stop.
    pub(super) fn make(&mut self, process: u32, access: Access, alternative: u64) -> bool {
        let t = access.thread as usize;
        let place = access.place();
        if let Some(place) = place
            && place >= self.touched.len()
        {
            self.touched.resize(place + 1, 0);
        }
        let mut step = Step {
            process,
            access,
            event: EventId::INIT,
            row: 0,
            prev: place.map_or(0, |place| self.touched[place]),
            own: self.machine.last[process as usize],
            entry: 0,
            events: self.graph.len(),
            states: self.run.states.len(),
            rows: self.machine.rows.count(),
            saved: self.saved.len(),
        };
        if access.kind == AccessKind::Flush {
            let at =
                self.machine.next_flush(self.machine.processes[process as usize]).expect("it is possible");
            step.entry = at;
            step.event = self.machine.threads[t].entries[at].event;
            step.row = self.row_of_flush(t, at, step.own);
            self.graph.append_write(step.event);
            self.machine.flush(t, at);
        } else {
            self.save(t);
            let drains = match self.run.step(&self.graph, t).request {
                _ if access.kind == AccessKind::End => false,
                _ if access.kind == AccessKind::Buffered => self.machine.threads[t].now.drains,
                Request::Read(_) | Request::Choose { .. } => self.machine.threads[t].now.drains,
                _ => true,
            };
            if access.kind == AccessKind::Buffered {
                self.make_room(t, access.loc);
            }
            step.row = self.row_of_thread(t, drains);
            if drains {
                self.machine.drain(t);
            }
            self.machine.threads[t].now.tip = step.row;
            let pushed = match access.kind {
                AccessKind::Buffered | AccessKind::End => self.push_unseen(t),
                _ => self.push_step(t, alternative),
            };
            match pushed {
                Ok(id) => step.event = id,
                Err(reason) => {
                    self.ledger.stop(reason);
                    return false;
                }
            }
        }
        self.place_row(&step);
        let here = self.steps.len() as u32;
        self.machine.last[process as usize] = here + 1;
        if let Some(place) = place {
            self.touched[place] = here + 1;
        }
        if access.kind == AccessKind::End {
            self.ends.made.push(here);
        }
        self.steps.push(step);
        self.settle()
    }

    /// A new row: what comes before the next step of a thread; with all its flushes if it had to wait for them.
    pub(super) fn row_of_thread(&mut self, t: usize, drains: bool) -> RowId {
        let row = self.machine.rows.copy(self.machine.threads[t].now.tip);
        if drains {
            self.join_flushes(row, t);
        }
        row
    }

    fn join_flushes(&mut self, row: RowId, t: usize) {
        for at in 0..self.machine.threads[t].flushers.len() {
            let last = self.machine.last_flush(t, at);
            if last > 0 {
                self.machine.rows.join(row, self.steps[last - 1].row);
            }
        }
    }

    /// A new row: what comes before the flush of an entry; `own` is the flush before it.
    fn row_of_flush(&mut self, t: usize, at: usize, own: u32) -> RowId {
        let entry = self.machine.threads[t].entries[at];
        let row = self.machine.rows.copy(entry.row);
        if own > 0 {
            self.machine.rows.join(row, self.steps[own as usize - 1].row);
        }
        if self.machine.buffers == Buffers::PerLocation && entry.epoch > 0 {
            // Every store of an older epoch was flushed before.
            for at in 0..self.machine.threads[t].flushers.len() {
                let mut step = self.machine.last_flush(t, at);
                while step > 0 {
                    let flush = &self.steps[step - 1];
                    if self.machine.threads[t].entries[flush.entry].epoch < entry.epoch {
                        self.machine.rows.join(row, flush.row);
                        break;
                    }
                    step = flush.own as usize;
                }
            }
        }
        row
    }

    /// Push the event of a thread's step, and give it what it reads.
    fn push_step(&mut self, t: usize, alternative: u64) -> Result<EventId, StopReason> {
        let Search { run, graph, machine, ledger, .. } = self;
        let has_no_room =
            run.settings.buffer_bound == Some(0) && !run.settings.model.definition().is_sequential();
        let id = run.push_next(graph, t)?;
        let event = *graph.event(id);
        match event.kind {
            Kind::Read => {
                let forwarded = match event.tag {
                    EventTag::None => machine.forwarded(t, event.loc),
                    _ => None,
                };
                let last = graph.accesses[event.loc as usize].writes.last().copied();
                let source = forwarded.or(last).unwrap_or(EventId::INIT);
                run.set_source(graph, id, source);
                if alternative > 0 {
                    run.fail_spuriously(graph, id);
                }
                if let Some(written) = run.writes_too(graph, id) {
                    graph.promote(id, written, false);
                }
            }
            Kind::Write => {
                graph.append_write(id);
                ledger.bound_met |= has_no_room && !is_at_once(event.tag);
            }
            Kind::Choose => graph.event_mut(id).read = event.read.wrapping_add(alternative as Value),
            Kind::Lock => self.order_sections(id),
            _ => {}
        }
        self.check_event(id);
        Ok(id)
    }

    /// A lock is taken: all that excludes it was released before, which is part of the past.
    fn order_sections(&mut self, id: EventId) {
        let Event { loc, .. } = *self.graph.event(id);
        let mode = self.graph.event(id).lock_mode();
        let mut at = self.touched[loc as usize];
        while at > 0 {
            let step = &self.steps[at as usize - 1];
            let is_exclusive = step.access.writes();
            if is_exclusive || mode == LockMode::Exclusive {
                self.graph.add_past(id, step.event);
            }
            if is_exclusive {
                break;
            }
            at = step.prev;
        }
    }

    /// An event has its label: look for what is wrong with it.
    pub(super) fn check_event(&mut self, id: EventId) {
        let Search { run, ledger, graph, found, steps, ends, .. } = self;
        check::event(run, graph, id, found);
        let mut failed = false;
        for finding in found.drain(..) {
            if !finding.condition.holds(graph) || finding.refuses && failed {
                continue;
            }
            ledger.report(&finding, |finding| {
                Execution::new(run, graph, &mut Recorded(steps)).violation(&finding.violation)
            });
            failed |= finding.stops;
            ends.note(&finding, run, ledger);
        }
        graph.event_mut(id).failed = failed;
    }

    /// Remember how a thread stands, before that changes.
    fn save(&mut self, t: usize) {
        self.saved.push((t as u32, self.machine.threads[t].now));
    }

    /// Ask threads, and let them do all that nobody else can see. False if the search has to stop.
    pub(super) fn settle(&mut self) -> bool {
        loop {
            if !ask(&mut self.run, &mut self.ledger, &mut self.graph, &self.steps) {
                return false;
            }
            self.machine.grow(self.graph.threads.len());
            let mut moved = false;
            for t in 0..self.graph.threads.len() {
                match self.advance(t) {
                    Ok(advanced) => moved |= advanced,
                    Err(reason) => self.ledger.stop(reason),
                }
                if self.ledger.stopped.is_some() {
                    return false;
                }
            }
            if !moved {
                return true;
            }
        }
    }

    /// Let a thread do one thing that nobody else can see, if that is what it does next and it need not wait.
    fn advance(&mut self, t: usize) -> Result<bool, StopReason> {
        if !matches!(self.graph.status[t], ThreadStatus::Steps | ThreadStatus::Joins) || self.is_end(t) {
            return Ok(false);
        }
        let step = self.run.step(&self.graph, t);
        let thread = &self.machine.threads[t];
        let is_drained = thread.pending == 0;
        let mut drained = false;
        let mut room = None;
        match step.request {
            Request::Write { tag, .. } => {
                let waits = thread.now.drains && !is_drained;
                let is_step = !self.is_buffered(tag) || self.buffers_apart(step.loc);
                if is_step || waits || self.machine.is_full(t, step.loc) {
                    return Ok(false);
                }
                drained = thread.now.drains;
                room = Some(step.loc);
            }
            Request::Fence(_)
            | Request::Alloc { .. }
            | Request::Free { .. }
            | Request::Initialise(_)
            | Request::Destroy(_)
            | Request::Observe { .. } => {}
            Request::Spawn { .. } if is_drained => drained = true,
            Request::Join { .. } if is_drained && self.has_joined(t) => drained = true,
            _ => return Ok(false),
        }
        self.save(t);
        if drained {
            let row = self.row_of_thread(t, true);
            self.machine.drain(t);
            self.machine.threads[t].now.tip = row;
        }
        if let Some(loc) = room {
            self.make_room(t, loc);
        }
        self.push_unseen(t).map(|_| true)
    }

    /// Push the event of what a thread does without accessing memory.
    fn push_unseen(&mut self, t: usize) -> Result<EventId, StopReason> {
        let is_sequential = self.machine.buffers == Buffers::None;
        let id = self.run.push_next(&mut self.graph, t)?;
        let event = *self.graph.event(id);
        match event.kind {
            Kind::Write => {
                if self.is_barrier(&event) {
                    self.machine.threads[t].now.epoch += 1;
                }
                self.machine.buffer(t, id, event.loc);
                if event.order == Order::SeqCst {
                    self.machine.demand_drain(t);
                }
            }
            Kind::Fence if is_sequential => {}
            Kind::Fence if event.order == Order::SeqCst => self.machine.demand_drain(t),
            Kind::Fence if self.is_barrier(&event) => self.machine.threads[t].now.epoch += 1,
            Kind::Spawn => self.start(t, event.child()),
            Kind::Join => self.join(t, event.child()),
            _ => {}
        }
        self.check_event(id);
        Ok(id)
    }

    /// A store to this location comes after the flush of the entry that makes room for it, if one must, and so does all
    /// that follows.
    fn make_room(&mut self, t: usize, loc: Loc) {
        let Some(entry) = self.machine.makes_room(t, loc) else { return };
        self.ledger.bound_met = true;
        let loc = self.machine.threads[t].entries[entry].loc;
        let flusher = self.machine.flusher(t, loc);
        let mut step = self.machine.last[flusher as usize] as usize;
        while step > 0 && self.steps[step - 1].entry != entry {
            step = self.steps[step - 1].own as usize;
        }
        if step > 0 {
            let row = self.row_of_thread(t, false);
            self.machine.rows.join(row, self.steps[step - 1].row);
            self.machine.threads[t].now.tip = row;
        }
    }

    /// Is there a store-store barrier before this store, or is this fence one?
    fn is_barrier(&self, event: &Event) -> bool {
        self.machine.buffers == Buffers::PerLocation && event.order.releases()
    }

    /// May a thread that joins another one go on?
    fn has_joined(&self, t: usize) -> bool {
        let child = self.run.joined(&self.graph, t).expect("a thread that is joined was spawned");
        self.run.can_be_joined(&self.graph, child) && self.machine.threads[child].pending == 0
    }

    /// A thread is spawned.
    fn start(&mut self, parent: usize, child: usize) {
        self.machine.grow(child + 1);
        let tip = self.machine.threads[parent].now.tip;
        self.save(child);
        debug_assert_eq!(self.machine.threads[child].pending, 0);
        self.machine.threads[child].now = Standing { tip, ..Standing::default() };
    }

    /// A thread has joined another one: all that it did comes before.
    fn join(&mut self, t: usize, child: usize) {
        let tip = self.machine.threads[child].now.tip;
        let row = self.machine.rows.copy(self.machine.threads[t].now.tip);
        self.machine.rows.join(row, tip);
        self.join_flushes(row, child);
        self.machine.threads[t].now.tip = row;
    }

    /// Take the last step back.
    pub(super) fn unmake(&mut self) {
        let step = self.steps.pop().expect("a step that was made");
        while self.graph.len() > step.events {
            self.pop_event();
        }
        if step.access.kind == AccessKind::Flush {
            self.graph.unplace_write(step.event);
            self.machine.unflush(step.access.thread as usize, step.entry);
        }
        for (t, standing) in self.saved.drain(step.saved..).rev() {
            self.machine.threads[t as usize].now = standing;
        }
        self.machine.rows.truncate(step.rows);
        self.machine.last[step.process as usize] = step.own;
        if let Some(place) = step.access.place() {
            self.touched[place] = step.prev;
        }
        if step.access.kind == AccessKind::End {
            self.ends.made.pop();
        }
        self.run.states.truncate(step.states);
    }

    /// Take the newest event back.
    fn pop_event(&mut self) {
        let id = *self.graph.order.last().expect("an event that was pushed");
        let event = self.graph.event(id);
        match event.kind {
            Kind::Write | Kind::Update if event.write_index > 0 => self.graph.unplace_write(id),
            Kind::Write => self.machine.unbuffer(id.thread()),
            _ => {}
        }
        self.graph.pop();
    }
}
