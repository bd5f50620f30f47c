//! What a revisit keeps of a graph, and the part of a graph on which a deleted event is tested.
//!
//! Both are what is older than some event together with the past of a write, so what is kept of each thread
//! is a prefix and the result is closed under the past (docs/engine.md, "What a revisit keeps").

use super::{Graph, Kind, Loc, LocationAccesses, NO_LOC, Thread, ThreadStatus};
use crate::id::EventId;
use crate::mutation::Mutant;

impl Thread {
    fn assign(&mut self, other: &Thread, keep: usize, width: usize) {
        self.events.clear();
        self.events.extend_from_slice(&other.events[..keep]);
        self.rows.clear();
        self.rows.extend_from_slice(&other.rows[..keep * width]);
        self.state = other.state;
        self.parent = other.parent;
        self.spawned = other.spawned;
        self.allocations.clone_from(&other.allocations);
    }
}

impl Graph {
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
        self.status[read.thread()] = ThreadStatus::Unasked;
        self.compute_porf(read);
    }

    /// Become the part of `other` on which the deletion of `read` is tested: what is older than `read`, and
    /// the past of `write`; `write` itself as a plain read if it is an update.
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

    /// Become a copy of `other` with the events older than `stamp`, the past of `write`, and `extra`; if
    /// `write` is one of `extra`, it becomes the youngest event.
    fn keep(
        &mut self,
        other: &Graph,
        stamp: u32,
        write: EventId,
        extra: &[EventId],
        mut lost: impl FnMut(Loc),
    ) {
        self.stride = other.stride;
        self.width = other.width;
        self.clocks = other.clocks;
        self.threads.resize_with(other.threads.len().max(self.threads.len()), Thread::default);
        self.status.clone_from(&other.status);
        self.status.resize(self.threads.len(), ThreadStatus::Absent);
        self.accesses.resize_with(other.accesses.len().max(self.accesses.len()), LocationAccesses::default);
        for (mine, theirs) in self.accesses.iter_mut().zip(&other.accesses) {
            mine.writes.clone_from(&theirs.writes);
            mine.last.clone_from(&theirs.last);
        }
        for place in &mut self.accesses[other.accesses.len()..] {
            place.writes.clear();
            place.last.clear();
        }
        let past = other.porf(write);
        for (t, theirs) in other.threads.iter().enumerate() {
            let total = theirs.events.len();
            let mut keep = usize::from(past.get(t).copied().unwrap_or(0));
            for own in extra.iter().filter(|e| e.thread() == t) {
                keep = keep.max(own.index() as usize + 1);
            }
            while keep < total && theirs.events[keep].stamp < stamp {
                keep += 1;
            }
            let mine = &mut self.threads[t];
            mine.assign(theirs, keep, other.width);
            if keep == total {
                continue;
            }
            mine.state = theirs.events[keep].state;
            self.status[t] = ThreadStatus::before(&theirs.events[keep]);
            for (i, event) in theirs.events.iter().enumerate().skip(keep).rev() {
                match event.kind {
                    Kind::Spawn => mine.spawned -= 1,
                    Kind::Alloc => {
                        mine.allocations.pop();
                    }
                    _ => {}
                }
                if event.loc == NO_LOC || event.kind == Kind::Count {
                    continue;
                }
                let place = &mut self.accesses[event.loc as usize];
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
            if self.status[t] != ThreadStatus::Absent
                && !parent.is_init()
                && parent.index() as usize >= self.threads[parent.thread()].events.len()
            {
                debug_assert!(self.threads[t].events.is_empty());
                self.status[t] = ThreadStatus::Absent;
            }
        }
        // All older events are kept, with their stamps.
        let older = stamp.min(other.event(write).stamp) as usize;
        self.order.clear();
        self.order.extend_from_slice(&other.order[..older]);
        self.sc_events = other.sc_events;
        let is_kept = |id: &&EventId| (id.index() as usize) < self.threads[id.thread()].events.len();
        self.frees.clear();
        self.frees.extend(other.frees.iter().filter(is_kept));
        self.counts.clear();
        self.counts.extend(other.counts.iter().filter(is_kept));
        let kept_write = extra.contains(&write);
        for &id in &other.order[older..] {
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
        for (loc, theirs) in other.accesses.iter().enumerate() {
            if self.accesses[loc].writes.len() != theirs.writes.len() {
                self.renumber(loc, 0);
            }
        }
    }

    /// `read` of the other graph does not read from its source any more. If it was older than the source it
    /// had pinned it, and no other read had: in one graph a write revisits one read.
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
