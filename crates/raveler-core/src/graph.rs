//! The execution graph: threads of events, reads-from, and per location the writes
//! (docs/engine.md, "Execution graphs").
//!
//! Events are named by thread and index in the thread, so a name survives whatever happens to other threads.
//! All events stand in one total order, their *stamps*: the order in which the search added them, except that
//! a write that revisits a read is moved to the end. Program order runs with the stamps; reads-from need not,
//! since a revisited read keeps its stamp and reads from a younger write.
//!
//! Invariants: every read has a source in the graph; per thread the events of any kept part are a prefix;
//! `porf` of an event (the strict past in program order, reads-from, spawn and join) never changes while the
//! event is in the graph, except for a read that is revisited, which is then the last of its thread.

use crate::id::EventId;
use crate::mutation::Mutant;
mod accesses;
pub(crate) mod clocks;
mod copy;
mod event;
mod restrict;

pub(crate) use self::clocks::{ClockRules, Count, LANES};
pub(crate) use self::event::{Event, EventTag, Kind, ThreadStatus};

use crate::program::action::{Order, Value};

/// An index into the search's table of locations.
pub(crate) type Loc = u32;

/// For events without a location.
pub(crate) const NO_LOC: Loc = u32::MAX;

/// No such index: of a previous access, of a state.
pub(crate) const NONE: u32 = u32::MAX;

/// One thread of the graph.
#[derive(Debug, Default)]
pub(crate) struct Thread {
    pub events: Vec<Event>,
    /// The rows of its events, those of one event together ([`clocks`]).
    pub rows: Vec<Count>,
    /// Its state now: an index into the search's states.
    pub state: u32,
    /// The event that spawned it; [`EventId::INIT`] for a thread that exists from the start.
    pub parent: EventId,
    /// How many threads it spawned.
    pub spawned: u32,
    /// The indices of its allocation events.
    pub allocations: Vec<u32>,
}

/// What the graph knows of one location.
#[derive(Debug, Default)]
pub(crate) struct LocationAccesses {
    /// Its writes, without the initial one: in coherence order where the search keeps one, else in the order
    /// in which they were added.
    pub writes: Vec<EventId>,
    /// Per thread one more than the index of its last access, 0 if none.
    pub last: Vec<u32>,
}

/// An ordered execution graph.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub threads: Vec<Thread>,
    /// What each thread can do next.
    pub status: Vec<ThreadStatus>,
    pub accesses: Vec<LocationAccesses>,
    /// All events by stamp.
    pub order: Vec<EventId>,
    /// The length of a clock row, a multiple of [`LANES`].
    pub stride: usize,
    /// The length of all rows of an event.
    pub width: usize,
    /// Which rows are kept for each event.
    pub clocks: ClockRules,
    /// How many `seq_cst` accesses and fences there are.
    pub sc_events: u32,
    /// All frees, by stamp.
    pub frees: Vec<EventId>,
    /// All updates in no order, by stamp. They stand in no list of accesses.
    pub counts: Vec<EventId>,
}

impl Graph {
    /// An empty graph with room for `threads` threads.
    pub fn new(threads: usize, clocks: ClockRules) -> Graph {
        let mut graph = Graph { clocks, ..Graph::default() };
        graph.grow(threads);
        graph
    }

    /// Make room for threads; rows are laid out anew.
    pub fn grow(&mut self, threads: usize) {
        if threads > self.threads.len() {
            self.threads.resize_with(threads, Thread::default);
            self.status.resize(threads, ThreadStatus::Absent);
        }
        let old = self.stride;
        if threads <= old {
            return;
        }
        let new = threads.next_multiple_of(LANES);
        for thread in &mut self.threads {
            if thread.rows.is_empty() {
                continue;
            }
            let mut wider = Vec::with_capacity(thread.rows.len() / old * new);
            for row in thread.rows.chunks_exact(old) {
                wider.extend_from_slice(row);
                wider.resize(wider.len() + new - old, 0);
            }
            thread.rows = wider;
        }
        self.set_stride(new);
    }

    /// Rows are so long from now on, a multiple of [`LANES`]; there must be none of another length.
    pub fn set_stride(&mut self, stride: usize) {
        self.stride = stride;
        self.width = stride * self.clocks.rows();
    }

    #[inline]
    pub fn event(&self, id: EventId) -> &Event {
        &self.threads[id.thread()].events[id.index() as usize]
    }

    #[inline]
    pub fn event_mut(&mut self, id: EventId) -> &mut Event {
        &mut self.threads[id.thread()].events[id.index() as usize]
    }

    /// All events, each after its past and after the first of each pair in `edges` of which it is the second;
    /// otherwise by stamp.
    pub fn in_order(&self, edges: &[(EventId, EventId)]) -> Vec<EventId> {
        let mut done = vec![0u32; self.threads.len()];
        let mut ordered = Vec::with_capacity(self.len());
        while ordered.len() < self.len() {
            let possible = |id: &&EventId| {
                id.index() == done[id.thread()]
                    && self.porf(**id).iter().zip(&done).all(|(&past, &done)| u32::from(past) <= done)
                    && edges.iter().all(|(from, to)| to != *id || from.index() < done[from.thread()])
            };
            let Some(&id) = self.order.iter().find(possible) else { break };
            done[id.thread()] += 1;
            ordered.push(id);
        }
        ordered
    }

    /// The number of events.
    #[inline]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// The last event of a thread, or else the one that spawned it.
    pub fn tip(&self, thread: usize) -> EventId {
        let log = &self.threads[thread];
        match log.events.len() {
            0 => log.parent,
            n => EventId::new(thread as u32, n as u32 - 1),
        }
    }

    /// A thread's allocation with this number, if it is in the graph.
    pub fn allocation(&self, thread: usize, nth: u32) -> Option<EventId> {
        let index = self.threads.get(thread)?.allocations.get(nth as usize)?;
        Some(EventId::new(thread as u32, *index))
    }

    /// The write that releases a lock taken here, if it is in the graph. Only for locks that are words in memory.
    pub fn unlock_of(&self, taken: EventId) -> Option<EventId> {
        let loc = self.event(taken).loc;
        let t = taken.thread();
        let mut i = self.accesses[loc as usize].last[t].wrapping_sub(1);
        let mut unlock = None;
        while i != NONE && i > taken.index() {
            if self.threads[t].events[i as usize].kind == Kind::Write {
                unlock = Some(EventId::new(t as u32, i));
            }
            i = self.threads[t].events[i as usize].prev;
        }
        unlock
    }

    /// The event by which a thread took a lock, if it still holds it. Only for locks whose sections are left
    /// unordered.
    pub fn held(&self, thread: usize, lock: Loc) -> Option<EventId> {
        let accesses = self.accesses.get(lock as usize)?;
        let mut i = accesses.last.get(thread).copied().unwrap_or(0).wrapping_sub(1);
        let mut released = 0;
        while i != NONE {
            let event = &self.threads[thread].events[i as usize];
            match event.kind {
                Kind::Unlock => released += 1,
                Kind::Lock if released == 0 => return Some(EventId::new(thread as u32, i)),
                _ => released -= 1,
            }
            i = event.prev;
        }
        None
    }

    /// The event directly before another one in its thread, or the one that spawned the thread.
    #[inline]
    pub fn before_in_thread(&self, id: EventId) -> EventId {
        match id.index() {
            0 => self.threads[id.thread()].parent,
            i => EventId::new(id.thread() as u32, i - 1),
        }
    }

    /// What the graph knows of a location, made if the location is new to this graph.
    #[inline]
    pub fn place_mut(&mut self, loc: Loc) -> &mut LocationAccesses {
        let at = loc as usize;
        if at >= self.accesses.len() {
            self.accesses.resize_with(at + 1, LocationAccesses::default);
        }
        let threads = self.threads.len();
        let place = &mut self.accesses[at];
        if place.last.len() < threads {
            place.last.resize(threads, 0);
        }
        place
    }

    /// Set the memory order of an access, which follows from what it reads.
    pub fn set_order(&mut self, id: EventId, order: Order) {
        let event = self.event_mut(id);
        let before = event.is_sc() as u32;
        event.order = order;
        let after = event.is_sc() as u32;
        self.sc_events = self.sc_events - before + after;
    }

    /// Add an event at the end of its thread and of the order, and compute its past from the source that it
    /// has so far (none yet, for a read that the search has just begun). A write is not put into its
    /// location's list: see [`Graph::place_write`].
    pub fn push(&mut self, thread: usize, mut event: Event) -> EventId {
        let index = self.threads[thread].events.len();
        assert!(index < usize::from(Count::MAX), "rows count the events of a thread");
        let id = EventId::new(thread as u32, index as u32);
        event.stamp = self.order.len() as u32;
        self.sc_events += event.is_sc() as u32;
        if event.loc != NO_LOC && event.kind != Kind::Count {
            let place = self.place_mut(event.loc);
            event.prev = place.last[thread].wrapping_sub(1);
            place.last[thread] = id.index() + 1;
        }
        match event.kind {
            Kind::Spawn => {
                self.threads[thread].spawned += 1;
                let child = &mut self.threads[event.child()];
                child.parent = id;
                child.spawned = 0;
                child.allocations.clear();
                self.status[event.child()] = ThreadStatus::Unasked;
            }
            Kind::Alloc => self.threads[thread].allocations.push(id.index()),
            Kind::Free => self.frees.push(id),
            Kind::Count => self.counts.push(id),
            _ => {}
        }
        self.order.push(id);
        self.threads[thread].events.push(event);
        self.push_rows(id);
        self.take_source(id);
        id
    }

    /// Remove the last event of the order, which must be the last of its thread and in no list of writes.
    pub fn pop(&mut self) {
        let id = self.order.pop().expect("pop follows push");
        let thread = id.thread();
        let log = &mut self.threads[thread];
        let event = log.events.last().expect("pop follows push");
        let (kind, loc, prev) = (event.kind, event.loc, event.prev);
        self.sc_events -= event.is_sc() as u32;
        log.state = event.state;
        self.status[thread] = ThreadStatus::before(event);
        match kind {
            Kind::Spawn => {
                log.spawned -= 1;
                self.status[event.child()] = ThreadStatus::Absent;
            }
            Kind::Alloc => {
                log.allocations.pop();
            }
            Kind::Free => {
                self.frees.pop();
            }
            Kind::Count => {
                self.counts.pop();
            }
            _ => {}
        }
        log.events.truncate(log.events.len() - 1);
        log.rows.truncate(log.rows.len() - self.width);
        if loc != NO_LOC && kind != Kind::Count {
            self.accesses[loc as usize].last[thread] = prev.wrapping_add(1);
        }
    }

    /// Put a write into its location's list, after the first `at` writes (0: directly after the initial
    /// write). Under `co` that is its place in the coherence order.
    pub fn place_write(&mut self, id: EventId, at: usize) {
        let loc = self.event(id).loc as usize;
        self.accesses[loc].writes.insert(at, id);
        self.renumber(loc, at);
    }

    /// Put a write at the end of its location's list.
    #[inline]
    pub fn append_write(&mut self, id: EventId) {
        let loc = self.event(id).loc as usize;
        let writes = &mut self.accesses[loc].writes;
        writes.push(id);
        let write_index = writes.len() as u32;
        self.event_mut(id).write_index = write_index;
    }

    /// Take a write out of its location's list.
    pub fn unplace_write(&mut self, id: EventId) {
        let event = self.event(id);
        let (loc, at) = (event.loc as usize, event.write_index as usize - 1);
        let writes = &mut self.accesses[loc].writes;
        if at + 1 == writes.len() {
            writes.pop();
        } else {
            writes.remove(at);
            self.renumber(loc, at);
        }
        self.event_mut(id).write_index = 0;
    }

    /// Would a write at this place in the coherence order come between a write and the update that reads from
    /// it?
    pub fn splits_update(&self, loc: usize, place: usize) -> bool {
        let writes = &self.accesses[loc].writes;
        let Some(&next) = writes.get(place) else { return false };
        if Mutant::AtomicitySplit.is_active() {
            return false;
        }
        let before = if place == 0 { EventId::INIT } else { writes[place - 1] };
        let event = self.event(next);
        event.kind == Kind::Update && event.rf == before
    }

    fn renumber(&mut self, loc: usize, from: usize) {
        for at in from..self.accesses[loc].writes.len() {
            let id = self.accesses[loc].writes[at];
            self.event_mut(id).write_index = at as u32 + 1;
        }
    }

    /// After [`Graph::order`] was set: number the events anew, and pin the writes that older reads read from.
    pub fn restamp(&mut self) {
        for at in 0..self.order.len() {
            let id = self.order[at];
            let event = self.event_mut(id);
            event.stamp = at as u32;
            event.pinned = false;
        }
        for at in 0..self.order.len() {
            let event = *self.event(self.order[at]);
            if event.kind.reads() && !event.rf.is_init() && self.event(event.rf).stamp > event.stamp {
                self.event_mut(event.rf).pinned = true;
            }
        }
        let mut frees = std::mem::take(&mut self.frees);
        frees.sort_unstable_by_key(|&free| self.event(free).stamp);
        self.frees = frees;
        let mut counts = std::mem::take(&mut self.counts);
        counts.sort_unstable_by_key(|&count| self.event(count).stamp);
        self.counts = counts;
    }

    /// Take all writes out of their lists.
    pub fn clear_writes(&mut self) {
        for accesses in &mut self.accesses {
            for id in accesses.writes.drain(..) {
                self.threads[id.thread()].events[id.index() as usize].write_index = 0;
            }
        }
    }

    /// Set the list of a location's writes.
    pub fn set_writes(&mut self, loc: Loc, writes: Vec<EventId>) {
        self.accesses[loc as usize].writes = writes;
        self.renumber(loc as usize, 0);
    }

    /// The write at a write index of a location; write index 0 is the initial write.
    #[inline]
    pub fn write_at(&self, loc: Loc, write_index: u32) -> EventId {
        if write_index == 0 {
            EventId::INIT
        } else {
            self.accesses[loc as usize].writes[write_index as usize - 1]
        }
    }

    /// The write index of a write of a location.
    #[inline]
    pub fn write_index(&self, write: EventId) -> u32 {
        if write.is_init() { 0 } else { self.event(write).write_index }
    }

    /// A read becomes an update: directly after its source where a coherence order is kept, else at the end
    /// of its location's list.
    pub fn promote(&mut self, id: EventId, written: Value, coherence: bool) {
        let event = self.event_mut(id);
        event.kind = Kind::Update;
        event.written = written;
        let source = event.rf;
        if coherence {
            let at = self.write_index(source) as usize;
            self.place_write(id, at);
        } else {
            self.append_write(id);
        }
    }

    /// A read becomes an update that stands in no list of writes, because the place after its source is
    /// taken.
    pub fn promote_unplaced(&mut self, id: EventId, written: Value) {
        let event = self.event_mut(id);
        event.kind = Kind::Update;
        event.written = written;
        event.write_index = 0;
    }

    /// An update becomes a read again.
    pub fn demote(&mut self, id: EventId) {
        if self.event(id).write_index > 0 {
            self.unplace_write(id);
        }
        self.event_mut(id).kind = Kind::Read;
    }
}
