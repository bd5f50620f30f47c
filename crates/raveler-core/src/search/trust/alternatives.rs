//! Back: the next alternative of the event on top of the path, or its undoing.
//!
//! Each event has a frame that passes through stages ([`Stage`]): an alternative is made and its subtree
//! visited, then undone; when none is left, a write revisits earlier reads; then the event is popped.
//! Pseudocode: docs/engine.md, "The search".

use super::path::{Frame, FrameKind, Go, Level, Stage};
use super::{Search, lock_order, maximal, spin, verified};
use crate::consistency::{Consistency, happens_before};
use crate::graph::{EventTag, Kind, ThreadStatus};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::Program;
use crate::program::action::Value;
use crate::run::resolve::Request;

impl<P: Program, K: Consistency> Search<'_, P, K> {
    /// Undo the events without alternatives on top of the path.
    pub(in crate::search) fn undo_steps(&mut self) {
        let Level { graph, order, frames, .. } = &mut self.path.top;
        while let Some(&Frame { kind: FrameKind::Step, event, states, .. }) = frames.last() {
            self.run.states.truncate(states);
            order.unother(graph, event);
            graph.pop();
            frames.pop();
        }
    }

    /// Go on with the top frame: make its next alternative, or undo it.
    pub(in crate::search) fn next_alternative(&mut self) -> Go {
        let level = &mut self.path.top;
        let Some(frame) = level.frames.last() else {
            return self.leave_level();
        };
        let (event, kind) = (frame.event, frame.kind);
        // The states of threads above this frame are gone from the path.
        self.run.states.truncate(frame.states);
        match kind {
            // Those of the read and of the write, and others that were not asked since an earlier revisit.
            FrameKind::Revisit { .. } => level.ask_again(),
            _ => level.graph.status[event.thread()] = ThreadStatus::Unasked,
        }
        // All others were asked before the event was made.
        self.unasked = (!matches!(kind, FrameKind::Revisit { .. })).then_some(event.thread());
        match kind {
            FrameKind::Step => {
                self.undo_steps();
                Go::Back
            }
            FrameKind::Choose => self.next_choice(event),
            FrameKind::Write => self.next_place(event),
            FrameKind::Read => self.next_source(event),
            FrameKind::Revisit { write } => self.next_of_revisit(write, event),
        }
    }

    fn next_choice(&mut self, id: EventId) -> Go {
        let level = &mut self.path.top;
        let Request::Choose { low, high } = self.run.step_of(level.graph.event(id)).request else {
            unreachable!("a choice")
        };
        let tried = level.frame().next;
        if tried > 0 {
            level.order.unother(&level.graph, id);
        }
        let value = i64::try_from(tried).ok().and_then(|tried| low.checked_add(tried));
        if let Some(value) = value.filter(|&value| value <= high) {
            level.frame().next += 1;
            level.graph.event_mut(id).read = value as Value;
            level.order.other(&level.graph, id);
            return Go::Visit;
        }
        level.graph.pop();
        level.frames.pop();
        Go::Back
    }

    /// The next place of a write in the coherence order, where one is kept; then the reads it revisits.
    fn next_place(&mut self, id: EventId) -> Go {
        if self.run.tables.locks.has_locks {
            self.skip_unlock(id);
        }
        let settings = self.run.settings;
        loop {
            let Level { graph, order, frames, .. } = &mut self.path.top;
            let frame = frames.last_mut().expect("an event of this level has a frame");
            match frame.stage {
                Stage::Next if frame.given => {
                    frame.stage = Stage::Scanning;
                    frame.scan = 0;
                }
                Stage::Next if !K::COHERENCE => {
                    if frame.next == 0 {
                        frame.next = 1;
                        graph.append_write(id);
                        happens_before::compute_message(graph, id);
                        let fine = verified::<K>(settings, graph, order.write(graph, id));
                        debug_assert!(fine, "a write can always come last");
                        frame.stage = Stage::Visited;
                        self.check_event(id);
                        return Go::Visit;
                    }
                    frame.stage = Stage::Scanning;
                    frame.scan = graph.len() as u32;
                }
                Stage::Next => {
                    let loc = graph.event(id).loc as usize;
                    let count = graph.accesses[loc].writes.len();
                    if frame.next == 0 {
                        frame.from = order.first_place(graph, id);
                        happens_before::compute_message(graph, id);
                    }
                    if frame.next + frame.from > count {
                        frame.stage = Stage::Scanning;
                        frame.scan = graph.len() as u32;
                        continue;
                    }
                    let place = count - frame.next;
                    frame.next += 1;
                    if graph.splits_update(loc, place) {
                        continue;
                    }
                    graph.place_write(id, place);
                    if !verified::<K>(settings, graph, order.write(graph, id)) {
                        graph.unplace_write(id);
                        continue;
                    }
                    frame.stage = Stage::Visited;
                    self.check_event(id);
                    return Go::Visit;
                }
                Stage::Visited => {
                    if K::COHERENCE {
                        order.unwrite(graph, id);
                        graph.unplace_write(id);
                    }
                    frame.stage = Stage::Next;
                }
                Stage::Scanning => {
                    if self.revisit_next(id) {
                        return Go::Back;
                    }
                    let Level { graph, order, frames, .. } = &mut self.path.top;
                    if !K::COHERENCE {
                        order.unwrite(graph, id);
                        graph.unplace_write(id);
                    }
                    graph.pop();
                    frames.pop();
                    return Go::Back;
                }
            }
        }
    }

    /// An unlock that a thread waits for while no other thread can go on is not visited: it only revisits
    /// (docs/engine.md, "Locks in order").
    fn skip_unlock(&mut self, id: EventId) {
        let Level { graph, order, frames, .. } = &mut self.path.top;
        let frame = frames.last_mut().expect("an event of this level has a frame");
        let event = *graph.event(id);
        let fresh = frame.next == 0 && frame.stage == Stage::Next;
        if !fresh
            || event.tag != EventTag::Unlock
            || !self.run.tables.is_lock(event.loc)
            || !lock_order::only_waiters_left(&self.run, graph, id)
        {
            return;
        }
        frame.next = 1;
        frame.stage = Stage::Scanning;
        frame.scan = graph.len() as u32;
        happens_before::compute_message(graph, id);
        if !K::COHERENCE {
            graph.append_write(id);
            order.write(graph, id);
        }
    }

    /// The next source of a read; of an update also the reads that it revisits.
    fn next_source(&mut self, id: EventId) -> Go {
        let settings = self.run.settings;
        loop {
            let Level { graph, order, frames, .. } = &mut self.path.top;
            let frame = frames.last_mut().expect("an event of this level has a frame");
            match frame.stage {
                Stage::Next => {
                    if frame.next == frame.until {
                        self.candidates.truncate(frame.from);
                        graph.pop();
                        frames.pop();
                        return Go::Back;
                    }
                    let source = self.candidates[frame.next];
                    // The same candidate twice: a weak compare-exchange that fails although the values agree.
                    let again = frame.next > frame.from && self.candidates[frame.next - 1] == source;
                    frame.next += 1;
                    if K::COHERENCE && !again && self.comes_to_nothing(id, source) {
                        #[cfg(any(test, feature = "paranoid"))]
                        self.verify_comes_to_nothing(id, source);
                        self.ledger.counts.dropped += 1;
                        continue;
                    }
                    let Level { graph, order, frames, .. } = &mut self.path.top;
                    let frame = frames.last_mut().expect("an event of this level has a frame");
                    if self.run.has_spins && spin::would_be_hopeless(&self.run, graph, order, id, source) {
                        self.ledger.counts.dropped += 1;
                        continue;
                    }
                    self.run.set_source(graph, id, source);
                    if again {
                        self.run.fail_spuriously(graph, id);
                    }
                    if !verified::<K>(settings, graph, order.read(graph, id)) {
                        order.unread(graph, id);
                        continue;
                    }
                    frame.stage = Stage::Visited;
                    return self.settle_read(id);
                }
                Stage::Visited => {
                    let event = graph.event(id);
                    if event.kind == Kind::Update {
                        // A lock event that took a free lock revisits nothing.
                        let done = frame.consistent && self.run.tables.is_lock(event.loc);
                        frame.stage = Stage::Scanning;
                        frame.scan = if done { 0 } else { graph.len() as u32 };
                        continue;
                    }
                    order.unread(graph, id);
                    frame.stage = Stage::Next;
                }
                Stage::Scanning => {
                    if self.revisit_next(id) {
                        return Go::Back;
                    }
                    let level = &mut self.path.top;
                    undo_update(level, id);
                    level.order.unread(&level.graph, id);
                    level.frame().stage = Stage::Next;
                }
            }
        }
    }

    /// With a coherence order: would the newest event, a read, be an update with this source that can neither be visited,
    /// since another update stands directly after the source, nor revisit anything? Most updates that are not
    /// consistent with their source are such, and it is seen before their rows are computed.
    fn comes_to_nothing(&self, id: EventId, source: EventId) -> bool {
        let Level { graph, order, .. } = &self.path.top;
        let event = graph.event(id);
        let (loc, place) = (event.loc, graph.write_index(source) as usize);
        if !graph.splits_update(loc as usize, place)
            || self.run.tables.is_lock(loc)
            || !order.may_read_all_sources(graph, id)
        {
            return false;
        }
        let value = self.run.value_of(graph, loc, source);
        let rival = graph.accesses[loc as usize].writes[place];
        self.run.step_of(event).label(value).written.is_some()
            && maximal::is_kept_by_rival(&self.run, graph, id, [graph.before_in_thread(id), source], rival)
    }

    /// In tests: the update is made after all, and asked for its revisits.
    #[cfg(any(test, feature = "paranoid"))]
    fn verify_comes_to_nothing(&mut self, id: EventId, source: EventId) {
        let Level { graph, order, .. } = &mut self.path.top;
        self.run.set_source(graph, id, source);
        assert!(order.read(graph, id), "each source is consistent");
        let written = self.run.writes_too(graph, id).expect("the read is an update");
        graph.promote_unplaced(id, written);
        let before = self.path.top.frame().clone();
        let length = self.path.top.graph.len() as u32;
        let frame = self.path.top.frame();
        (frame.scan, frame.consistent) = (length, false);
        let revisited = self.next_revisit(id);
        *self.path.top.frame() = before;
        let Level { graph, order, .. } = &mut self.path.top;
        graph.demote(id);
        order.unread(graph, id);
        assert!(Mutant::RivalKept.is_active() || revisited.is_none(), "an update that revisits nothing");
    }

    /// The next alternative of a revisit: the next place of the write in the coherence order, if one is kept.
    /// A revisited read that became an update then revisits in its turn.
    fn next_of_revisit(&mut self, write: EventId, read: EventId) -> Go {
        let settings = self.run.settings;
        loop {
            let Level { graph, order, frames, .. } = &mut self.path.top;
            let frame = frames.last_mut().expect("an event of this level has a frame");
            match frame.stage {
                Stage::Next if !K::COHERENCE => {
                    if frame.next > 0 && !self.revisit_spuriously(write, read) {
                        return self.leave_level();
                    }
                    let frame = self.path.top.frame();
                    frame.next = 1;
                    frame.stage = Stage::Visited;
                    return self.settle_read(read);
                }
                Stage::Next => {
                    let event = graph.event(write);
                    let loc = event.loc as usize;
                    let count = graph.accesses[loc].writes.len();
                    let is_update = event.kind == Kind::Update;
                    if !is_update && frame.next == 0 {
                        frame.from = order.first_place(graph, write);
                    }
                    let tried_all = if is_update { frame.next > 0 } else { frame.next + frame.from > count };
                    if tried_all {
                        if self.revisit_spuriously(write, read) {
                            continue;
                        }
                        return self.leave_level();
                    }
                    let place = match is_update {
                        true => graph.write_index(graph.event(write).rf) as usize,
                        false => count - frame.next,
                    };
                    frame.next += 1;
                    if graph.splits_update(loc, place) {
                        continue;
                    }
                    graph.place_write(write, place);
                    let consistent = order.revisit_placed(graph, write, read);
                    if !verified::<K>(settings, graph, consistent) {
                        order.revisit_unplaced(graph, write, read);
                        graph.unplace_write(write);
                        continue;
                    }
                    frame.stage = Stage::Visited;
                    return self.settle_read(read);
                }
                Stage::Visited => {
                    let event = graph.event(read);
                    if event.kind == Kind::Update {
                        // A lock event that took a free lock revisits nothing.
                        let done = frame.consistent && self.run.tables.is_lock(event.loc);
                        frame.stage = Stage::Scanning;
                        frame.scan = if done { 0 } else { graph.len() as u32 };
                        continue;
                    }
                    unplace_revisit(&mut self.path.top, write, read);
                }
                Stage::Scanning => {
                    if self.revisit_next(read) {
                        return Go::Back;
                    }
                    undo_update(&mut self.path.top, read);
                    unplace_revisit(&mut self.path.top, write, read);
                }
            }
        }
    }

    /// After all else, a revisited weak compare-exchange that succeeded fails instead: begin the alternatives
    /// of the level again with that. False if there is no such alternative.
    fn revisit_spuriously(&mut self, write: EventId, read: EventId) -> bool {
        let Level { graph, order, frames, .. } = &mut self.path.top;
        let frame = frames.last_mut().expect("an event of this level has a frame");
        if !self.run.settings.spurious_cas || frame.given {
            return false;
        }
        frame.given = true;
        frame.next = 0;
        if !self.run.fail_spuriously(graph, read) {
            return false;
        }
        graph.status[read.thread()] = ThreadStatus::Unasked;
        if K::COHERENCE {
            order.revisited(&K::new(self.run.settings), graph, &[], write, read)
        } else {
            order.rebuild(graph)
        }
    }

    /// The top graph is done.
    fn leave_level(&mut self) -> Go {
        if self.path.pop() { Go::Back } else { Go::End }
    }

    /// A read has a consistent source: visit the graph, or make the read an update first.
    pub(super) fn settle_read(&mut self, id: EventId) -> Go {
        let level = &mut self.path.top;
        let Some(written) = self.run.writes_too(&level.graph, id) else {
            self.check_revisit(id);
            return Go::Visit;
        };
        let Level { graph, order, frames, .. } = level;
        let frame = frames.last_mut().expect("an event of this level has a frame");
        let (loc, source) = (graph.event(id).loc as usize, graph.event(id).rf);
        let taken = K::COHERENCE && graph.splits_update(loc, graph.write_index(source) as usize);
        let mut consistent = false;
        if taken {
            graph.promote_unplaced(id, written);
        } else {
            graph.promote(id, written, K::COHERENCE);
            happens_before::compute_message(graph, id);
            consistent = verified::<K>(self.run.settings, graph, order.update(graph, id));
        }
        frame.consistent = consistent;
        if consistent {
            self.check_revisit(id);
            return Go::Visit;
        }
        // Not consistent with its source, so not visited, but it still revisits (docs/engine.md, "Updates").
        self.ledger.counts.dropped += 1;
        if Mutant::NoRevisitFromDropped.is_active() {
            frame.stage = Stage::Scanning;
            frame.scan = 0;
        }
        Go::Back
    }
}

fn unplace_revisit<K: Consistency>(level: &mut Level<K>, write: EventId, read: EventId) {
    if K::COHERENCE {
        level.order.revisit_unplaced(&level.graph, write, read);
        level.graph.unplace_write(write);
    }
    level.frame().stage = Stage::Next;
}

pub(super) fn undo_update<K: Consistency>(level: &mut Level<K>, id: EventId) {
    if level.frame().consistent {
        level.order.unupdate(&level.graph, id);
    }
    level.graph.demote(id);
}
