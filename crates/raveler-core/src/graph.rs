//! The execution graph: threads of events, reads-from, and per location the writes.
//!
//! Events are named by thread and place in the thread, so a name survives whatever happens to other threads.
//! All events stand in one total order, their *stamps*: the order in which the search added them, except that a
//! write that revisits a read is moved to the end. Program order runs with the stamps; reads-from need not, since
//! a revisited read keeps its place and reads from a younger write.
//!
//! Invariants: every read has a source in the graph; per thread the events of any kept part are a prefix;
//! `porf` of an event (the strict past in program order, reads-from, spawn and join) never changes while the
//! event is in the graph, except for a read that is revisited, which is then the last of its thread.

use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::action::{Order, Value};

/// An index into the search's table of locations.
pub(crate) type Loc = u32;

/// For events without a location.
pub(crate) const NO_LOC: Loc = u32::MAX;

/// No such index: of a previous access, of a state.
pub(crate) const NONE: u32 = u32::MAX;

/// What an event is for the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Read,
    Write,
    /// A read-modify-write that wrote: one event, in both roles.
    Update,
    Fence,
    Spawn,
    Join,
    Alloc,
    Free,
    Choose,
    Observe,
    /// Takes a lock whose sections are left unordered: it reads and writes nothing.
    Lock,
    /// Releases one.
    Unlock,
}

impl Kind {
    #[inline]
    pub fn reads(self) -> bool {
        matches!(self, Kind::Read | Kind::Update)
    }

    #[inline]
    pub fn writes(self) -> bool {
        matches!(self, Kind::Write | Kind::Update)
    }
}

/// What else is to be known of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    None,
    /// Takes a lock (an update), or tried and failed (a read).
    Lock,
    /// Releases a lock.
    Unlock,
    /// Reads that a lock is held; the thread waits for ever unless the read is revisited.
    Waits,
    /// The thread did something wrong here and stops.
    Failed,
    /// A weak compare-exchange that failed although the values agree.
    Spurious,
    /// Comes from a read-modify-write, whether it wrote or not: under TSO and PSO it is locked.
    Rmw,
}

/// One event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub kind: Kind,
    pub order: Order,
    pub mark: Mark,
    /// A write that an older read reads from: the sign of an earlier revisit, whose result must stay.
    pub pinned: bool,
    /// Its place in the order of all events.
    pub stamp: u32,
    /// Where its thread stood before it: an index into the search's states.
    pub state: u32,
    pub loc: Loc,
    /// The index of the thread's previous access to the same location.
    pub prev: u32,
    /// For a write: its place in the location's list of writes, from 1; 0 is the initial write.
    pub slot: u32,
    /// The write it reads from; for a join, the last event of the thread it waited for, or the event that
    /// spawned that thread.
    pub rf: EventId,
    /// One more than the index of the last release fence before it in its thread, or 0.
    pub released: u32,
    pub read: Value,
    pub written: Value,
}

impl Event {
    pub fn new(kind: Kind, order: Order, state: u32) -> Event {
        Event {
            kind,
            order,
            mark: Mark::None,
            pinned: false,
            stamp: 0,
            state,
            loc: NO_LOC,
            prev: NONE,
            slot: 0,
            rf: EventId::INIT,
            released: 0,
            read: 0,
            written: 0,
        }
    }
}

impl Event {
    /// A `seq_cst` access or fence.
    pub fn is_sc(&self) -> bool {
        self.order == Order::SeqCst && (self.kind.reads() || self.kind.writes() || self.kind == Kind::Fence)
    }
}

/// What a thread can do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Ready {
    /// It does not exist.
    #[default]
    Absent,
    /// The program was not asked yet.
    Unasked,
    /// It ended.
    Done,
    /// It can do nothing more, but did not end.
    Stuck,
    /// It reads.
    Reads,
    /// It waits for another thread.
    Joins,
    /// It reads a write that is still to come.
    Postponed,
    /// Anything else.
    Steps,
}

impl Ready {
    /// What a thread was about to do that then did this.
    fn before(event: &Event) -> Ready {
        match event.kind {
            Kind::Read | Kind::Update => Ready::Reads,
            Kind::Join => Ready::Joins,
            _ => Ready::Steps,
        }
    }
}

/// One thread of the graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thread {
    pub events: Vec<Event>,
    /// `porf` rows, one per event, `stride` numbers each: how many events of each thread are in its past.
    pub porf: Vec<u32>,
    /// Happens-before rows, where the model has one that differs from `porf`.
    pub hb: Vec<u32>,
    /// What a reader of this write receives when it synchronises.
    pub message: Vec<u32>,
    /// `porf` rows with what critical sections add, where the model's happens-before is less.
    pub past: Vec<u32>,
    /// Where it stands now: an index into the search's states.
    pub state: u32,
    /// The event that spawned it; [`EventId::INIT`] for a thread that exists from the start.
    pub parent: EventId,
    /// How many threads it spawned, how many objects it allocated.
    pub spawned: u32,
    pub allocated: u32,
}

impl Thread {
    fn assign(&mut self, other: &Thread, keep: usize, stride: usize) {
        self.events.clear();
        self.events.extend_from_slice(&other.events[..keep]);
        copy_rows(&mut self.porf, &other.porf, keep * stride);
        copy_rows(&mut self.hb, &other.hb, keep * stride);
        copy_rows(&mut self.message, &other.message, keep * stride);
        copy_rows(&mut self.past, &other.past, keep * stride);
        self.state = other.state;
        self.parent = other.parent;
        self.spawned = other.spawned;
        self.allocated = other.allocated;
    }
}

fn copy_rows(to: &mut Vec<u32>, from: &[u32], length: usize) {
    to.clear();
    if !from.is_empty() {
        to.extend_from_slice(&from[..length]);
    }
}

/// What the graph knows of one location.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    /// Its writes: in coherence order where the search keeps one, else in order of stamps. Without the initial one.
    pub writes: Vec<EventId>,
    /// Per thread one more than the index of its last access, 0 if none.
    pub last: Vec<u32>,
}

/// An ordered execution graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub threads: Vec<Thread>,
    /// What each thread can do next.
    pub ready: Vec<Ready>,
    pub places: Vec<Place>,
    /// All events by stamp.
    pub order: Vec<EventId>,
    /// The length of a clock row.
    pub stride: usize,
    /// Does the model need happens-before rows of its own?
    pub with_hb: bool,
    /// Are there rows of the past that critical sections add to?
    pub with_past: bool,
    /// In the rows of happens-before, does every read learn all that its source knew (RA)?
    pub all_synchronises: bool,
    /// How many `seq_cst` accesses and fences there are.
    pub sc_events: u32,
}

impl Graph {
    /// An empty graph with room for `threads` threads.
    pub fn new(threads: usize, with_hb: bool) -> Graph {
        let mut graph = Graph { with_hb, ..Graph::default() };
        graph.grow(threads);
        graph
    }

    /// Make room for threads; rows are laid out anew.
    pub fn grow(&mut self, threads: usize) {
        if threads > self.threads.len() {
            self.threads.resize_with(threads, Thread::default);
            self.ready.resize(threads, Ready::Absent);
        }
        let old = self.stride;
        if threads <= old {
            return;
        }
        let new = if old == 0 { threads } else { threads.next_multiple_of(4) };
        for thread in &mut self.threads {
            for rows in [&mut thread.porf, &mut thread.hb, &mut thread.message, &mut thread.past] {
                if rows.is_empty() {
                    continue;
                }
                let mut wider = Vec::with_capacity(rows.len() / old * new);
                for row in rows.chunks_exact(old) {
                    wider.extend_from_slice(row);
                    wider.resize(wider.len() + new - old, 0);
                }
                *rows = wider;
            }
        }
        self.stride = new;
    }

    #[inline]
    pub fn event(&self, id: EventId) -> &Event {
        &self.threads[id.thread()].events[id.index() as usize]
    }

    #[inline]
    pub fn event_mut(&mut self, id: EventId) -> &mut Event {
        &mut self.threads[id.thread()].events[id.index() as usize]
    }

    /// The strict past of an event.
    #[inline]
    pub fn porf(&self, id: EventId) -> &[u32] {
        let at = id.index() as usize * self.stride;
        &self.threads[id.thread()].porf[at..at + self.stride]
    }

    /// Everything that happens before an event, without the event.
    #[inline]
    pub fn hb(&self, id: EventId) -> &[u32] {
        if !self.with_hb {
            return self.porf(id);
        }
        let at = id.index() as usize * self.stride;
        &self.threads[id.thread()].hb[at..at + self.stride]
    }

    /// The strict past of an event with what critical sections add to it.
    #[inline]
    pub fn past(&self, id: EventId) -> &[u32] {
        if !self.with_past {
            return self.hb(id);
        }
        let at = id.index() as usize * self.stride;
        &self.threads[id.thread()].past[at..at + self.stride]
    }

    /// What a synchronising reader of this write receives.
    #[inline]
    pub fn message(&self, id: EventId) -> &[u32] {
        let at = id.index() as usize * self.stride;
        &self.threads[id.thread()].message[at..at + self.stride]
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

    /// What precedes an event in its thread: the previous event, or the one that spawned the thread.
    #[inline]
    pub fn before_in_thread(&self, id: EventId) -> EventId {
        match id.index() {
            0 => self.threads[id.thread()].parent,
            i => EventId::new(id.thread() as u32, i - 1),
        }
    }

    /// The place of a location, made if it is new to this graph.
    #[inline]
    pub fn place_mut(&mut self, loc: Loc) -> &mut Place {
        let at = loc as usize;
        if at >= self.places.len() {
            self.places.resize_with(at + 1, Place::default);
        }
        let stride = self.stride;
        let place = &mut self.places[at];
        if place.last.len() < stride {
            place.last.resize(stride, 0);
        }
        place
    }

    /// Set the order of an access, which follows from what it reads.
    pub fn set_order(&mut self, id: EventId, order: Order) {
        let event = self.event_mut(id);
        let before = event.is_sc() as u32;
        event.order = order;
        let after = event.is_sc() as u32;
        self.sc_events = self.sc_events - before + after;
    }

    /// Add an event at the end of its thread and of the order, with its past. Its source, if it reads, is set.
    /// A write is not put into its location's list: see [`Graph::place_write`].
    pub fn push(&mut self, thread: usize, mut event: Event) -> EventId {
        let id = EventId::new(thread as u32, self.threads[thread].events.len() as u32);
        event.stamp = self.order.len() as u32;
        self.sc_events += event.is_sc() as u32;
        if event.loc != NO_LOC {
            let place = self.place_mut(event.loc);
            event.prev = place.last[thread].wrapping_sub(1);
            place.last[thread] = id.index() + 1;
        }
        self.order.push(id);
        self.threads[thread].events.push(event);
        let stride = self.stride;
        let log = &mut self.threads[thread];
        let at = log.porf.len();
        log.porf.resize(at + stride, 0);
        if self.with_hb {
            log.hb.resize(at + stride, 0);
            log.message.resize(at + stride, 0);
        }
        if self.with_past {
            log.past.resize(at + stride, 0);
        }
        self.compute_porf(id);
        id
    }

    /// Remove the last event of the order, which must be the last of its thread and in no list of writes.
    pub fn pop(&mut self) {
        let id = self.order.pop().expect("pop follows push");
        let stride = self.stride;
        let log = &mut self.threads[id.thread()];
        let event = log.events.pop().expect("pop follows push");
        self.sc_events -= event.is_sc() as u32;
        log.state = event.state;
        self.ready[id.thread()] = Ready::before(&event);
        let rest = log.porf.len() - stride;
        log.porf.truncate(rest);
        if self.with_hb {
            log.hb.truncate(rest);
            log.message.truncate(rest);
        }
        if self.with_past {
            log.past.truncate(rest);
        }
        if event.loc != NO_LOC {
            self.places[event.loc as usize].last[id.thread()] = event.prev.wrapping_add(1);
        }
    }

    /// porf(e) = (po ∪ rf ∪ spawn ∪ join)⁺ into e, from what stands directly before e.
    pub fn compute_porf(&mut self, id: EventId) {
        let stride = self.stride;
        let t = id.thread();
        let i = id.index() as usize;
        let po = self.before_in_thread(id);
        if i > 0 {
            let porf = &mut self.threads[t].porf;
            porf.copy_within((i - 1) * stride..i * stride, i * stride);
            porf[i * stride + t] = i as u32;
        } else {
            self.threads[t].porf[..stride].fill(0);
            if !po.is_init() {
                self.join_porf(id, po);
            }
        }
        let event = *self.event(id);
        if (event.kind.reads() || event.kind == Kind::Join) && !event.rf.is_init() {
            self.join_porf(id, event.rf);
        }
    }

    fn join_porf(&mut self, into: EventId, from: EventId) {
        let stride = self.stride;
        let (t, s) = (into.thread(), from.thread());
        let (to, of) = (into.index() as usize * stride, from.index() as usize * stride);
        if t == s {
            // Own events are in the row already: the row of a later event of the thread contains that of an earlier.
            return;
        }
        let [a, b] = self.threads.get_disjoint_mut([t, s]).expect("two threads of the graph");
        let row = &mut a.porf[to..to + stride];
        for (x, y) in row.iter_mut().zip(&b.porf[of..of + stride]) {
            *x = (*x).max(*y);
        }
        row[s] = row[s].max(from.index() + 1);
    }

    /// Is `earlier` in the strict past that this row describes?
    #[inline]
    pub fn in_row(row: &[u32], earlier: EventId) -> bool {
        earlier.is_init() || earlier.index() < row[earlier.thread()]
    }

    /// Put a write into its location's list at a place (0 = first after the initial write).
    pub fn place_write(&mut self, id: EventId, at: usize) {
        let loc = self.event(id).loc as usize;
        self.places[loc].writes.insert(at, id);
        self.renumber(loc, at);
    }

    /// Put a write at the end of its location's list.
    #[inline]
    pub fn append_write(&mut self, id: EventId) {
        let loc = self.event(id).loc as usize;
        let writes = &mut self.places[loc].writes;
        writes.push(id);
        let slot = writes.len() as u32;
        self.event_mut(id).slot = slot;
    }

    /// Take a write out of its location's list.
    pub fn unplace_write(&mut self, id: EventId) {
        let event = self.event(id);
        let (loc, at) = (event.loc as usize, event.slot as usize - 1);
        let writes = &mut self.places[loc].writes;
        if at + 1 == writes.len() {
            writes.pop();
        } else {
            writes.remove(at);
            self.renumber(loc, at);
        }
        self.event_mut(id).slot = 0;
    }

    fn renumber(&mut self, loc: usize, from: usize) {
        for at in from..self.places[loc].writes.len() {
            let id = self.places[loc].writes[at];
            self.event_mut(id).slot = at as u32 + 1;
        }
    }

    /// After [`Graph::order`] was set: stamps, and which writes older reads read from.
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
    }

    /// Set the list of a location's writes.
    pub fn set_writes(&mut self, loc: Loc, writes: Vec<EventId>) {
        self.places[loc as usize].writes = writes;
        self.renumber(loc as usize, 0);
    }

    /// The write at a slot of a location; slot 0 is the initial write.
    #[inline]
    pub fn at_slot(&self, loc: Loc, slot: u32) -> EventId {
        if slot == 0 { EventId::INIT } else { self.places[loc as usize].writes[slot as usize - 1] }
    }

    /// The slot of a write of a location.
    #[inline]
    pub fn slot(&self, write: EventId) -> u32 {
        if write.is_init() { 0 } else { self.event(write).slot }
    }

    /// For each thread, the last access to `loc` among the first `row[t]` events: calls `seen` with the write that
    /// access shows. What lies earlier in the thread is implied.
    #[inline]
    pub fn each_seen(&self, loc: Loc, row: &[u32], mut seen: impl FnMut(EventId)) {
        let Some(place) = self.places.get(loc as usize) else { return };
        for (t, &last) in place.last.iter().enumerate() {
            let limit = row.get(t).copied().unwrap_or(0);
            let mut i = last.wrapping_sub(1);
            while i != NONE && i >= limit {
                i = self.threads[t].events[i as usize].prev;
            }
            if i != NONE {
                let event = &self.threads[t].events[i as usize];
                seen(if event.kind.writes() { EventId::new(t as u32, i) } else { event.rf });
            }
        }
    }

    /// All accesses to a location, newest first within each thread.
    #[inline]
    pub fn each_access(&self, loc: Loc, mut access: impl FnMut(EventId, &Event)) {
        let Some(place) = self.places.get(loc as usize) else { return };
        for (t, &last) in place.last.iter().enumerate() {
            let mut i = last.wrapping_sub(1);
            while i != NONE {
                let event = &self.threads[t].events[i as usize];
                access(EventId::new(t as u32, i), event);
                i = event.prev;
            }
        }
    }

    /// The stamp of the oldest read of a location that is not in the past of `write`.
    pub fn oldest_read_beside(&self, loc: Loc, write: EventId) -> Option<u32> {
        let place = &self.places[loc as usize];
        let past = self.porf(write);
        let mut oldest = None;
        for (t, &last) in place.last.iter().enumerate() {
            let mut i = last.wrapping_sub(1);
            while i != NONE && i >= past[t] {
                let event = &self.threads[t].events[i as usize];
                if event.kind.reads() && t != write.thread() {
                    oldest = Some(oldest.map_or(event.stamp, |o: u32| o.min(event.stamp)));
                }
                i = event.prev;
            }
        }
        oldest
    }

    /// Become the graph in which `read` reads from `write`: of `other` only the events older than `read`, the
    /// past of `write` and the two themselves are kept; `write` becomes the youngest. `read` is a plain read with
    /// its old label; its thread has to be asked again. Calls `lost` for every location that lost an access.
    pub fn revisit(&mut self, other: &Graph, write: EventId, read: EventId, lost: impl FnMut(Loc)) {
        self.keep(other, other.event(read).stamp, write, &[write, read], lost);
        self.unpin_source(other, read);
        self.event_mut(write).pinned = !Mutant::ReadMoved.is_active();
        if self.event(read).kind == Kind::Update {
            self.unplace_write(read);
        }
        let event = self.event_mut(read);
        event.kind = Kind::Read;
        event.rf = write;
        event.pinned = false;
        self.ready[read.thread()] = Ready::Unasked;
        self.compute_porf(read);
    }

    /// Become the part of `other` on which a deleted read is tested: what is older than `read`, and the past of
    /// `write`; `write` itself as a plain read if it is an update.
    pub fn become_part(&mut self, other: &Graph, write: EventId, read: EventId) {
        let stamp = other.event(read).stamp;
        if other.event(write).kind != Kind::Update {
            return self.keep(other, stamp, write, &[], |_| {});
        }
        self.keep(other, stamp, write, &[write], |_| {});
        self.demote(write);
        if Mutant::PartWithoutUpdate.is_active() {
            let at = self.order.len() - 1;
            debug_assert_eq!(self.order[at], write);
            self.pop();
        }
    }

    /// Become a copy of `other` with the events older than `stamp`, the past of `write`, and `extra`; of these
    /// `write` is the youngest.
    fn keep(
        &mut self,
        other: &Graph,
        stamp: u32,
        write: EventId,
        extra: &[EventId],
        mut lost: impl FnMut(Loc),
    ) {
        let stride = other.stride;
        self.stride = stride;
        self.with_hb = other.with_hb;
        self.threads.resize_with(other.threads.len().max(self.threads.len()), Thread::default);
        self.ready.clone_from(&other.ready);
        self.ready.resize(self.threads.len(), Ready::Absent);
        self.places.resize_with(other.places.len().max(self.places.len()), Place::default);
        for (mine, theirs) in self.places.iter_mut().zip(&other.places) {
            mine.writes.clone_from(&theirs.writes);
            mine.last.clone_from(&theirs.last);
        }
        for place in &mut self.places[other.places.len()..] {
            place.writes.clear();
            place.last.clear();
        }
        let past = other.porf(write);
        for (t, theirs) in other.threads.iter().enumerate() {
            let total = theirs.events.len();
            let mut keep = past.get(t).copied().unwrap_or(0) as usize;
            for own in extra.iter().filter(|e| e.thread() == t) {
                keep = keep.max(own.index() as usize + 1);
            }
            while keep < total && theirs.events[keep].stamp < stamp {
                keep += 1;
            }
            let mine = &mut self.threads[t];
            mine.assign(theirs, keep, stride);
            if keep == total {
                continue;
            }
            mine.state = theirs.events[keep].state;
            self.ready[t] = Ready::before(&theirs.events[keep]);
            for (i, event) in theirs.events.iter().enumerate().skip(keep).rev() {
                match event.kind {
                    Kind::Spawn => mine.spawned -= 1,
                    Kind::Alloc => mine.allocated -= 1,
                    _ => {}
                }
                if event.loc == NO_LOC {
                    continue;
                }
                let place = &mut self.places[event.loc as usize];
                place.last[t] = event.prev.wrapping_add(1);
                if event.kind.writes() {
                    let gone = EventId::new(t as u32, i as u32);
                    if let Some(at) = place.writes.iter().rposition(|&w| w == gone) {
                        place.writes.remove(at);
                    }
                }
                lost(event.loc);
            }
        }
        for thread in &mut self.threads[other.threads.len()..] {
            *thread = Thread::default();
        }
        // A thread whose spawn was lost is lost with all its events (they have the spawn in their past).
        for t in 0..self.threads.len() {
            let parent = self.threads[t].parent;
            if self.ready[t] != Ready::Absent
                && !parent.is_init()
                && parent.index() as usize >= self.threads[parent.thread()].events.len()
            {
                debug_assert!(self.threads[t].events.is_empty());
                self.ready[t] = Ready::Absent;
            }
        }
        self.order.clear();
        self.sc_events = other.sc_events;
        let kept_write = extra.contains(&write);
        for &id in &other.order {
            if id == write && kept_write {
                continue;
            }
            if (id.index() as usize) < self.threads[id.thread()].events.len() {
                self.event_mut(id).stamp = self.order.len() as u32;
                self.order.push(id);
            } else {
                self.unpin_source(other, id);
                self.sc_events -= other.event(id).is_sc() as u32;
            }
        }
        if kept_write {
            self.event_mut(write).stamp = self.order.len() as u32;
            self.order.push(write);
        }
        if Mutant::ReadMoved.is_active()
            && let [_, read] = extra
        {
            self.order.retain(|id| id != read);
            self.order.push(*read);
            for at in 0..self.order.len() {
                let id = self.order[at];
                self.event_mut(id).stamp = at as u32;
            }
        }
        for loc in 0..self.places.len() {
            self.renumber(loc, 0);
        }
    }

    /// What stands directly before an event in its thread, and the past of that: `row` shows what the event was
    /// shown before it read.
    pub fn row_before(&self, id: EventId, row: &mut Vec<u32>) {
        row.clear();
        let before = self.before_in_thread(id);
        if before.is_init() {
            row.resize(self.stride, 0);
        } else {
            row.extend_from_slice(self.hb(before));
            row[before.thread()] = row[before.thread()].max(before.index() + 1);
        }
    }

    /// A read becomes an update, directly behind its source where a coherence order is kept, else last.
    pub fn promote(&mut self, id: EventId, written: Value, coherence: bool) {
        let event = self.event_mut(id);
        event.kind = Kind::Update;
        event.written = written;
        let source = event.rf;
        if coherence {
            let at = self.slot(source) as usize;
            self.place_write(id, at);
        } else {
            self.append_write(id);
        }
    }

    /// A read becomes an update that has no place among the writes.
    pub fn promote_unplaced(&mut self, id: EventId, written: Value) {
        let event = self.event_mut(id);
        event.kind = Kind::Update;
        event.written = written;
        event.slot = 0;
    }

    /// An update becomes a read again.
    pub fn demote(&mut self, id: EventId) {
        if self.event(id).slot > 0 {
            self.unplace_write(id);
        }
        self.event_mut(id).kind = Kind::Read;
    }

    /// `read` of the other graph does not read from its source any more. If it was older than the source it had
    /// pinned it, and nobody else did: one write revisits one read.
    fn unpin_source(&mut self, other: &Graph, read: EventId) {
        let event = other.event(read);
        if !event.kind.reads() || event.rf.is_init() || other.event(event.rf).stamp < event.stamp {
            return;
        }
        let source = event.rf;
        if (source.index() as usize) < self.threads[source.thread()].events.len() {
            self.event_mut(source).pinned = false;
        }
    }
}
