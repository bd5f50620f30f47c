//! The accesses to one location: what of them an access has seen, and which reads a write may reach.

use super::{Count, Event, Graph, Loc, LocationAccesses, NONE};
use crate::id::EventId;
use crate::program::action::Part;

impl Graph {
    /// For each thread, the last access to `loc` among the first `row[t]` events: calls `seen` with the write
    /// that the access *shows*, the one that it is or that it reads from. What earlier accesses of the thread
    /// show is coherence-before that or the same. Loads of other parts of the location than `part` are passed over, and of
    /// several loads of parts each is told that shows a part for the last time.
    #[inline]
    pub fn each_seen(&self, loc: Loc, row: &[Count], part: Part, seen: impl FnMut(EventId)) {
        let Some(place) = self.accesses.get(loc as usize) else { return };
        self.each_seen_from(place, row, part, None, seen);
    }

    /// The same for what happens before an access of the graph.
    #[inline]
    pub fn each_seen_by(&self, id: EventId, seen: impl FnMut(EventId)) {
        let event = self.event(id);
        let place = &self.accesses[event.loc as usize];
        self.each_seen_from(place, self.hb(id), event.part, Some((id.thread(), event.prev)), seen);
    }

    /// The greatest write index of the writes that what happens before an access of the graph shows.
    pub fn last_seen_by(&self, id: EventId) -> u32 {
        let access = self.event(id);
        let mut last_seen = 0;
        if access.part != Part::Whole {
            self.each_seen_by(id, |write| last_seen = last_seen.max(self.write_index(write)));
            return last_seen;
        }
        let last = &self.accesses[access.loc as usize].last;
        for (t, (&last, &limit)) in last.iter().zip(self.hb(id)).enumerate() {
            if last == 0 || limit == 0 {
                continue;
            }
            let events = &self.threads[t].events[..];
            let mut i = if t == id.thread() { access.prev } else { last - 1 };
            // No such access is one less than the first.
            while i.wrapping_add(1) > u32::from(limit) {
                i = events[i as usize].prev;
            }
            let Some(event) = events.get(i as usize) else { continue };
            if event.part != Part::Whole {
                self.each_shown_of(t, i, Part::Whole, &mut |write| {
                    last_seen = last_seen.max(self.write_index(write));
                });
            } else if event.kind.writes() {
                last_seen = last_seen.max(event.write_index);
            } else if !event.rf.is_init() {
                last_seen = last_seen.max(self.event(event.rf).write_index);
            }
        }
        last_seen
    }

    /// What [`Graph::each_seen`] calls; of one thread's accesses, this one is the last that can be seen.
    #[inline]
    fn each_seen_from(
        &self,
        place: &LocationAccesses,
        row: &[Count],
        part: Part,
        last_of: Option<(usize, u32)>,
        mut seen: impl FnMut(EventId),
    ) {
        for (t, (&last, &limit)) in place.last.iter().zip(row).enumerate() {
            if last == 0 || limit == 0 {
                continue;
            }
            let newest = match last_of {
                Some((thread, last)) if thread == t => last,
                _ => last - 1,
            };
            self.each_shown_of(t, self.access_before(t, newest, limit), part, &mut seen);
        }
    }

    /// The same for threads of which this row has accesses that the earlier row, which it contains, has not.
    pub fn each_newly_seen(
        &self,
        loc: Loc,
        (earlier, row): (&[Count], &[Count]),
        part: Part,
        mut seen: impl FnMut(EventId),
    ) {
        let Some(place) = self.accesses.get(loc as usize) else { return };
        for (t, ((&last, &limit), &known)) in place.last.iter().zip(row).zip(earlier).enumerate() {
            let known = u32::from(known);
            // Nothing new without an access from `known` on.
            if last > known && u32::from(limit) > known {
                let newest = self.access_before(t, last - 1, limit);
                if newest != NONE && newest >= known {
                    self.each_shown_of(t, newest, part, &mut seen);
                }
            }
        }
    }

    /// The last access of a thread among its first `limit` events, from this one backwards.
    #[inline]
    fn access_before(&self, t: usize, newest: u32, limit: Count) -> u32 {
        let events = &self.threads[t].events[..];
        let mut i = newest;
        // No such access is one less than the first.
        while i.wrapping_add(1) > u32::from(limit) {
            i = events[i as usize].prev;
        }
        i
    }

    #[inline]
    fn each_shown_of(&self, t: usize, newest: u32, part: Part, seen: &mut impl FnMut(EventId)) {
        let events = &self.threads[t].events[..];
        let mut i = newest;
        let mut bytes = part.bytes();
        while i != NONE && bytes != 0 {
            let event = &events[i as usize];
            if event.part.bytes() & bytes != 0 {
                seen(if event.kind.writes() { EventId::new(t as u32, i) } else { event.rf });
                bytes &= !event.part.bytes();
            }
            i = event.prev;
        }
    }

    /// All accesses to a location, newest first within each thread.
    #[inline]
    pub fn each_access(&self, loc: Loc, mut access: impl FnMut(EventId, &Event)) {
        let Some(place) = self.accesses.get(loc as usize) else { return };
        for (t, &last) in place.last.iter().enumerate() {
            let mut i = last.wrapping_sub(1);
            while i != NONE {
                let event = &self.threads[t].events[i as usize];
                access(EventId::new(t as u32, i), event);
                i = event.prev;
            }
        }
    }

    /// The stamp of the oldest read of a location, by another thread, that is not in the past of `write`.
    pub fn oldest_read_beside(&self, loc: Loc, write: EventId) -> Option<u32> {
        let last = &self.accesses[loc as usize].last;
        let mut oldest = None;
        for (t, (&last, &past)) in last.iter().zip(self.porf(write)).enumerate() {
            if last <= u32::from(past) || t == write.thread() {
                continue;
            }
            let events = &self.threads[t].events[..];
            let mut i = last - 1;
            // No such access is one less than the first.
            while i.wrapping_add(1) > u32::from(past) {
                let event = &events[i as usize];
                if event.kind.reads() {
                    oldest = Some(oldest.map_or(event.stamp, |o: u32| o.min(event.stamp)));
                }
                i = event.prev;
            }
        }
        oldest
    }
}
