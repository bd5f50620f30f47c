//! Random walks: a random thread goes on, a read gets a random consistent source; nothing is revisited.
//!
//! Every execution of a model whose executions have no cycle of program order and reads-from can be built event by
//! event in an order in which each read comes after its write, so a walk may come to each of them.
//!
//! A thread that waits in a loop would be stuck as soon as it read too early, and few walks would come to their ends. So
//! the read that made a round futile is taken back, and made again from another source, as soon as there is one.

use super::path::{Frame, FrameKind, Go, Level};
use super::{Search, verified};
use crate::consistency::{Consistency, happens_before};
use crate::graph::{EventTag, Kind, ThreadStatus};
use crate::id::EventId;
use crate::outcome::ThreadEnd;
use crate::program::Program;
use crate::program::action::{Value, Waiting};
use crate::run::resolve::Request;
use crate::search::random::Random;

/// One walk.
struct Walk<'a> {
    random: &'a mut Random,
    /// Threads that can only wait as things stand.
    waiting: Vec<usize>,
    /// Sources from which a thread's next read would make it wait.
    futile: Vec<Futile>,
    /// No thread can do anything but wait.
    is_over: bool,
}

/// A read that made a round of a waiting loop futile, and was taken back. A thread that waits sees later writes only.
#[derive(Clone, Copy)]
struct Futile {
    read: EventId,
    source: EventId,
    /// Its stamp.
    stamp: u32,
}

impl<P: Program, K: Consistency> Search<'_, P, K> {
    /// One walk, from the empty graph to a leaf.
    pub(in crate::search) fn walk_at_random(&mut self, random: &mut Random) {
        self.restart();
        let mut walk = Walk { random, waiting: Vec::new(), futile: Vec::new(), is_over: false };
        let mut threads: Vec<usize> = Vec::new();
        while self.ledger.stopped.is_none() {
            let size = self.path.top.graph.len();
            self.ledger.work(1 + ((size * size) >> 12) as u32);
            if !self.ask_threads() {
                return;
            }
            if !walk.is_over && self.take_back_futile(&mut walk) {
                continue;
            }
            let (run, graph) = (&self.run, &self.path.top.graph);
            let by_rank = run.tables.threads.by_rank.iter().copied();
            let is_there = |t: &usize| *t < graph.status.len() && run.enabled(graph, *t);
            threads.clear();
            threads.extend(by_rank.filter(|t| is_there(t) && !walk.waiting.contains(t)));
            match (threads.is_empty(), walk.waiting.is_empty()) {
                (false, _) => {}
                (true, true) => return self.leaf(),
                (true, false) => {
                    walk.is_over = true;
                    walk.waiting.clear();
                    continue;
                }
            }
            let thread = threads[walk.random.below(threads.len() as u64) as usize];
            match self.step_at_random(thread, &mut walk) {
                true => walk.waiting.clear(),
                false => walk.waiting.push(thread),
            }
        }
    }

    /// If the newest event was the last of a futile round, take back the read that made it so.
    fn take_back_futile(&mut self, walk: &mut Walk<'_>) -> bool {
        let (run, graph) = (&self.run, &self.path.top.graph);
        let Some(&newest) = graph.order.last() else { return false };
        let thread = newest.thread();
        let waits = graph.status[thread] == ThreadStatus::Stuck
            && matches!(run.thread_end(graph, thread), ThreadEnd::Spin | ThreadEnd::Condition)
            && !matches!(
                run.step(graph, thread).request,
                Request::Wait(Waiting::Nothing | Waiting::Spin { events: 0 })
            );
        if !waits {
            return false;
        }
        // What came after the read, such as a fence, goes with it.
        let newer = graph.order.iter().rev().take_while(|id| id.thread() == thread);
        let Some(behind) = newer.clone().position(|&id| graph.event(id).kind.reads()) else { return false };
        let Some(&read) = newer.clone().nth(behind) else { return false };
        let futile = Futile { read, source: graph.event(read).rf, stamp: graph.event(read).stamp };
        for _ in 0..=behind {
            self.take_back();
        }
        walk.futile.retain(|other| other.read == read || other.read.thread() != thread);
        walk.futile.push(futile);
        true
    }

    /// Take the newest event back.
    fn take_back(&mut self) {
        let level = &mut self.path.top;
        let Some(Frame { event: id, .. }) = level.frames.last().cloned() else { return };
        match level.graph.event(id).kind {
            Kind::Read => level.order.unread(&level.graph, id),
            Kind::Update => {
                super::alternatives::undo_update(level, id);
                level.order.unread(&level.graph, id);
            }
            Kind::Write => {
                level.order.unwrite(&level.graph, id);
                level.graph.unplace_write(id);
            }
            _ => level.order.unother(&level.graph, id),
        }
        self.pop_event();
    }

    /// The newest event, which the order does not know any more, leaves the graph.
    fn pop_event(&mut self) {
        let level = &mut self.path.top;
        let Some(frame) = level.frames.pop() else { return };
        level.graph.pop();
        level.graph.status[frame.event.thread()] = ThreadStatus::Unasked;
        self.run.states.truncate(frame.states);
    }

    /// A thread goes on. False if it would only wait, and others can still go on.
    fn step_at_random(&mut self, thread: usize, walk: &mut Walk<'_>) -> bool {
        let states = self.run.states.len();
        let level = &mut self.path.top;
        let id = match self.run.push_next(&mut level.graph, thread) {
            Ok(id) => id,
            Err(reason) => {
                self.ledger.stop(reason);
                return true;
            }
        };
        let mut frame = Frame::new(FrameKind::Step, id, states);
        frame.from = self.candidates.len();
        level.frames.push(frame);
        level.graph.status[thread] = ThreadStatus::Unasked;
        match level.graph.event(id).kind {
            Kind::Read => return self.read_at_random(id, walk),
            Kind::Write => self.write_at_random(id, walk.random),
            Kind::Choose => {
                let Request::Choose { low, high } = self.run.step_of(level.graph.event(id)).request else {
                    unreachable!("a choice")
                };
                let count = high.abs_diff(low).saturating_add(1);
                let value = low.wrapping_add_unsigned(walk.random.below(count));
                level.graph.event_mut(id).read = value as Value;
                level.order.other(&level.graph, id);
            }
            kind => {
                level.order.other(&level.graph, id);
                if matches!(kind, Kind::Free | Kind::Initialise | Kind::Destroy) {
                    self.check_event(id);
                }
            }
        }
        true
    }

    /// A write gets a random place in the coherence order, if one is kept.
    fn write_at_random(&mut self, id: EventId, random: &mut Random) {
        let settings = self.run.settings;
        let Level { graph, order, .. } = &mut self.path.top;
        happens_before::compute_message(graph, id);
        if K::COHERENCE {
            let loc = graph.event(id).loc as usize;
            let mut places: Vec<usize> =
                (order.first_place(graph, id)..=graph.accesses[loc].writes.len()).collect();
            loop {
                // The last place is always consistent, so there is one.
                let place = places.swap_remove(random.below(places.len() as u64) as usize);
                if graph.splits_update(loc, place) {
                    continue;
                }
                graph.place_write(id, place);
                if verified::<K>(settings, graph, order.write(graph, id)) {
                    break;
                }
                graph.unplace_write(id);
            }
        } else {
            graph.append_write(id);
            let fine = verified::<K>(settings, graph, order.write(graph, id));
            debug_assert!(fine, "a write can always come last");
        }
        self.check_event(id);
    }

    /// A read gets a random source. False, and the read is taken back, if each only shows that the thread has to wait.
    fn read_at_random(&mut self, id: EventId, walk: &mut Walk<'_>) -> bool {
        let from = self.candidates.len();
        self.find_sources(id);
        if !walk.is_over && !walk.futile.is_empty() {
            let Level { graph, order, .. } = &self.path.top;
            let is_later = |source: EventId| {
                walk.futile.iter().filter(|futile| futile.read == id).all(|futile| {
                    !source.is_init()
                        && (graph.event(source).stamp >= futile.stamp
                            || source != futile.source && order.is_overwritten(graph, futile.source, source))
                })
            };
            let later: Vec<EventId> =
                self.candidates.drain(from..).filter(|&source| is_later(source)).collect();
            self.candidates.extend(later);
        }
        let mut tried = from;
        let mut is_read = false;
        while tried < self.candidates.len() && !is_read {
            // If it waits for ever, the newest write should be what it sees.
            let left = self.candidates.len() - tried;
            let skipped = if walk.is_over { left - 1 } else { walk.random.below(left as u64) as usize };
            let chosen = tried + skipped;
            let source = self.candidates[chosen];
            // A weak compare-exchange that may fail although the values agree is listed with its source twice.
            let again = self.candidates[from..tried].contains(&source)
                || self.run.settings.spurious_cas && walk.random.below(2) == 1;
            self.candidates.swap(tried, chosen);
            tried += 1;
            is_read = self.read_from(id, source, again, walk.is_over);
        }
        self.candidates.truncate(from);
        if !is_read {
            self.pop_event();
        }
        is_read
    }

    /// The read reads from this source. False, and it does not, if that is not consistent or only shows that a lock
    /// is held.
    fn read_from(&mut self, id: EventId, source: EventId, fails: bool, may_wait: bool) -> bool {
        let settings = self.run.settings;
        let Level { graph, order, .. } = &mut self.path.top;
        self.run.set_source(graph, id, source);
        if fails {
            self.run.fail_spuriously(graph, id);
        }
        if !verified::<K>(settings, graph, order.read(graph, id)) {
            order.unread(graph, id);
            return false;
        }
        if graph.event(id).tag == EventTag::Waits && !may_wait {
            order.unread(graph, id);
            return false;
        }
        let dropped = self.ledger.counts.dropped;
        if self.settle_read(id) == Go::Visit {
            return true;
        }
        self.ledger.counts.dropped = dropped;
        let level = &mut self.path.top;
        super::alternatives::undo_update(level, id);
        level.order.unread(&level.graph, id);
        false
    }
}
