//! Back: the next alternative of the event on top of the path, or its undoing.

use crate::consistency::{Consistency, happens_before};
use crate::graph::{EventTag, Graph, Kind, ThreadStatus};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::observer::Observer;
use crate::program::Program;
use crate::program::action::Value;

use super::{Explorer, FrameKind, Go, Level, Stage, verified};
use crate::run::resolve::Request;

impl<P: Program, K: Consistency, O: Observer<P>> Explorer<'_, P, K, O> {
    /// Go on with the top frame: its next alternative, or undo it.
    pub(in crate::search) fn back(&mut self) -> Go {
        let Some(level) = self.levels.last_mut() else { return Go::End };
        let Some(frame) = level.frames.last_mut() else {
            self.levels.pop();
            return if self.levels.is_empty() { Go::End } else { Go::Back };
        };
        // What happened above this frame is gone.
        self.states.truncate(frame.states);
        if let FrameKind::Revisit { .. } = frame.kind {
            // The threads of the read, of the write, and of those before them that were being revisited.
            for (thread, status) in level.graph.threads.iter().zip(&mut level.graph.status) {
                if *status != ThreadStatus::Absent && thread.state as usize >= frame.states {
                    *status = ThreadStatus::Unasked;
                }
            }
        } else {
            level.graph.status[frame.event.thread()] = ThreadStatus::Unasked;
        }
        match frame.kind {
            FrameKind::Step => self.back_step(),
            FrameKind::Choose => self.back_choose(),
            FrameKind::Write => self.back_write(),
            FrameKind::Read => self.back_read(),
            FrameKind::Revisit { write } => self.back_revisit(write),
        }
    }

    pub(in crate::search) fn back_step(&mut self) -> Go {
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
                level.graph.status[event.written as usize] = ThreadStatus::Absent;
            }
            Kind::Alloc => thread.allocated -= 1,
            _ => {}
        }
        level.frames.pop();
        Go::Back
    }

    pub(in crate::search) fn back_choose(&mut self) -> Go {
        let level = self.levels.last_mut().expect("a search has a level");
        let frame = level.frames.last_mut().expect("called for a frame");
        let id = frame.event;
        let state = level.graph.event(id).state;
        let Request::Choose { low, high } = self.states[state as usize].step.request else {
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

    pub(in crate::search) fn back_write(&mut self) -> Go {
        if self.tables.has_locks {
            self.skip_unlock();
        }
        let (with_hb, sequences, model) = (self.with_hb, self.sequences, self.settings.model);
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
                            happens_before::compute_message(&mut level.graph, id, sequences);
                        }
                        let fine = verified::<K>(model, &level.graph, level.order.write(&level.graph, id));
                        debug_assert!(fine, "a write can always come last");
                        frame.stage = Stage::Visited;
                        return self.enter_access(id);
                    }
                    frame.stage = Stage::Scanning;
                    frame.scan = level.graph.len() as u32;
                }
                Stage::Next => {
                    let loc = level.graph.event(id).loc as usize;
                    let count = level.graph.accesses[loc].writes.len();
                    if frame.next == 0 {
                        frame.from = level.order.first_place(&level.graph, id);
                        if with_hb {
                            happens_before::compute_message(&mut level.graph, id, sequences);
                        }
                    }
                    if frame.next + frame.from > count {
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
                    if !verified::<K>(model, &level.graph, level.order.write(&level.graph, id)) {
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

    /// An unlock after which everybody else would wait for ever is not visited: it only revisits.
    pub(in crate::search) fn skip_unlock(&mut self) {
        let (level, at) = self.top();
        let frame = &level.frames[at];
        let id = frame.event;
        let event = *level.graph.event(id);
        let fresh = frame.next == 0 && frame.stage == Stage::Next;
        if !fresh
            || event.tag != EventTag::Unlock
            || !self.tables.is_lock(event.loc)
            || !self.only_waiters_left(id)
        {
            return;
        }
        let (with_hb, sequences) = (self.with_hb, self.sequences);
        let (level, at) = self.top();
        level.frames[at].next = 1;
        level.frames[at].stage = Stage::Scanning;
        level.frames[at].scan = level.graph.len() as u32;
        if with_hb {
            happens_before::compute_message(&mut level.graph, id, sequences);
        }
        if !K::COHERENCE {
            level.graph.append_write(id);
            level.order.write(&level.graph, id);
        }
    }

    pub(in crate::search) fn back_read(&mut self) -> Go {
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
                    let again = frame.next > frame.from && self.candidates[frame.next - 1] == source;
                    frame.next += 1;
                    self.set_source(id, source);
                    if again {
                        self.fail_spuriously(id);
                    }
                    let model = self.settings.model;
                    let (level, at) = self.top();
                    if !verified::<K>(model, &level.graph, level.order.read(&level.graph, id)) {
                        level.order.unread(&level.graph, id);
                        continue;
                    }
                    level.frames[at].stage = Stage::Visited;
                    return self.settle_read(id);
                }
                Stage::Visited => {
                    let event = level.graph.event(id);
                    if event.kind == Kind::Update {
                        // A lock that was free revisits nobody.
                        let done = frame.consistent && self.tables.is_lock(event.loc);
                        frame.stage = Stage::Scanning;
                        frame.scan = if done { 0 } else { level.graph.len() as u32 };
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

    pub(in crate::search) fn back_revisit(&mut self, write: EventId) -> Go {
        let model = self.settings.model;
        loop {
            let (level, at) = self.top();
            let frame = &mut level.frames[at];
            let read = frame.event;
            match frame.stage {
                Stage::Next if !K::COHERENCE => {
                    if frame.next > 0 && !self.revisit_spuriously(write, read) {
                        self.drop_level();
                        return Go::Back;
                    }
                    let (level, at) = self.top();
                    let frame = &mut level.frames[at];
                    frame.next = 1;
                    frame.stage = Stage::Visited;
                    return self.settle_read(read);
                }
                Stage::Next => {
                    let event = level.graph.event(write);
                    let loc = event.loc as usize;
                    let count = level.graph.accesses[loc].writes.len();
                    let place = if event.kind == Kind::Update {
                        if frame.next > 0 {
                            if self.revisit_spuriously(write, read) {
                                continue;
                            }
                            self.drop_level();
                            return Go::Back;
                        }
                        level.graph.write_index(event.rf) as usize
                    } else {
                        if frame.next == 0 {
                            frame.from = level.order.first_place(&level.graph, write);
                        }
                        if frame.next + frame.from > count {
                            if self.revisit_spuriously(write, read) {
                                continue;
                            }
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
                    let consistent = level.order.revisit_placed(&level.graph, write, read);
                    if !verified::<K>(model, &level.graph, consistent) {
                        level.order.revisit_unplaced(&level.graph, write, read);
                        level.graph.unplace_write(write);
                        continue;
                    }
                    frame.stage = Stage::Visited;
                    return self.settle_read(read);
                }
                Stage::Visited => {
                    let event = level.graph.event(read);
                    let (kind, loc, length) = (event.kind, event.loc, level.graph.len() as u32);
                    if kind == Kind::Update {
                        let done = frame.consistent;
                        frame.stage = Stage::Scanning;
                        frame.scan = length;
                        if done && self.tables.is_lock(loc) {
                            self.top_frame().scan = 0;
                        }
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

    pub(in crate::search) fn unplace_revisit(&mut self, write: EventId, read: EventId) {
        let (level, at) = self.top();
        if K::COHERENCE {
            level.order.revisit_unplaced(&level.graph, write, read);
            level.graph.unplace_write(write);
        }
        level.frames[at].stage = Stage::Next;
    }

    /// Give a read, the last of its thread, its source and the label that follows.
    pub(in crate::search) fn set_source(&mut self, id: EventId, source: EventId) {
        let level = self.levels.last_mut().expect("a search has a level");
        let state = level.graph.event(id).state as usize;
        let loc = level.graph.event(id).loc;
        let value = self.tables.value_of(loc, source, |w| level.graph.event(w).written);
        let label = self.states[state].step.label(value);
        let event = level.graph.event_mut(id);
        event.rf = source;
        event.read = value;
        event.tag = label.tag;
        event.written = label.written.unwrap_or(0);
        level.graph.set_order(id, label.order);
        level.graph.compute_porf(id);
        if self.with_hb {
            happens_before::compute(&mut level.graph, id);
        }
    }

    /// A weak compare-exchange that would succeed fails instead. False if it is none.
    pub(in crate::search) fn fail_spuriously(&mut self, id: EventId) -> bool {
        let level = self.levels.last_mut().expect("a search has a level");
        let event = level.graph.event_mut(id);
        let Some(label) = self.states[event.state as usize].step.label_of_spurious_failure(event.read) else {
            return false;
        };
        event.tag = label.tag;
        event.written = 0;
        level.graph.set_order(id, label.order);
        if self.with_hb {
            happens_before::compute(&mut level.graph, id);
        }
        true
    }

    /// After all else, a revisited weak compare-exchange that succeeded fails instead: start the level anew with that.
    fn revisit_spuriously(&mut self, write: EventId, read: EventId) -> bool {
        if !self.settings.spurious_cas || self.top_frame().given {
            return false;
        }
        self.top_frame().given = true;
        self.top_frame().next = 0;
        if !self.fail_spuriously(read) {
            return false;
        }
        let above = self.levels.len() - 1;
        let (parents, own) = self.levels.split_at_mut(above);
        let Level { graph, order, .. } = &mut own[0];
        if K::COHERENCE {
            order.revisited(&parents[above - 1].order, graph, &[], write, read)
        } else {
            order.rebuild(graph)
        }
    }

    /// The value this read would write, if it is an update that succeeds.
    pub(in crate::search) fn writes_too(&self, id: EventId) -> Option<Value> {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let event = graph.event(id);
        if event.tag == EventTag::Spurious {
            return None;
        }
        self.states[event.state as usize].step.label(event.read).written
    }

    /// A read has a consistent source: visit the graph, or make the read an update first.
    pub(in crate::search) fn settle_read(&mut self, id: EventId) -> Go {
        let Some(written) = self.writes_too(id) else { return self.enter_access(id) };
        let (with_hb, sequences, model) = (self.with_hb, self.sequences, self.settings.model);
        let (level, at) = self.top();
        let source = level.graph.event(id).rf;
        let loc = level.graph.event(id).loc as usize;
        let taken =
            K::COHERENCE && splits_update(&level.graph, loc, level.graph.write_index(source) as usize);
        let mut consistent = false;
        if taken {
            level.graph.promote_unplaced(id, written);
        } else {
            level.graph.promote(id, written, K::COHERENCE);
            if with_hb {
                happens_before::compute_message(&mut level.graph, id, sequences);
            }
            consistent = verified::<K>(model, &level.graph, level.order.update(&level.graph, id));
        }
        level.frames[at].consistent = consistent;
        if consistent {
            return self.enter_access(id);
        }
        // Not consistent where it stands, but its write still revisits (engine.md P3).
        self.counts.dropped += 1;
        if Mutant::NoRevisitFromDropped.is_active() {
            let (level, at) = self.top();
            level.frames[at].stage = Stage::Scanning;
            level.frames[at].scan = 0;
        }
        Go::Back
    }

    pub(in crate::search) fn undo_update(&mut self, id: EventId) {
        let (level, at) = self.top();
        if level.frames[at].consistent {
            level.order.unupdate(&level.graph, id);
        }
        level.graph.demote(id);
    }
}

/// Would a write at this place come between a write and the update that reads from it?
pub(in crate::search) fn splits_update(graph: &Graph, loc: usize, place: usize) -> bool {
    let writes = &graph.accesses[loc].writes;
    let Some(&next) = writes.get(place) else { return false };
    if Mutant::AtomicitySplit.is_active() {
        return false;
    }
    let before = if place == 0 { EventId::INIT } else { writes[place - 1] };
    let event = graph.event(next);
    event.kind == Kind::Update && event.rf == before
}
