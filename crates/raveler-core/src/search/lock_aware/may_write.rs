//! Which writes may still come, so that a read may be postponed? (docs/locks.md, "How it is searched")
//!
//! A read is postponed only if some thread may still write what it reads. That is not known in advance, so
//! every write that was ever added counts: its thread, location and index in the thread, and the locks held
//! there. A postponement that was left out because no write could come is remembered; if such a write is
//! found after all, the search restarts, knowing it. The same holds for threads that wait for a lock for
//! ever: only locks that may be kept for ever need that choice (`may_keep.rs`).

use super::Search;
use super::lessons::{Locks, Name, exclude};
use super::may_keep::{HoldPoint, Wanted};
use crate::consistency::sections::Section;
use crate::consistency::with_sections::WithSections;
use crate::graph::{Loc, ThreadStatus};
use crate::id::{EventId, WordOf};
use crate::mutation::Mutant;
use crate::program::Program;
use crate::run::resolve::Request;

impl<P: Program, K: WithSections> Search<'_, P, K> {
    pub(super) fn address(&self, loc: Loc) -> u64 {
        self.run.tables.memory.locations[loc as usize].address.0
    }

    /// The locks that a thread holds now, of sections whose lock events pass the filter.
    pub(super) fn locks_of(&self, thread: usize, filter: impl Fn(EventId) -> bool) -> Locks {
        self.as_locks(self.order.held(thread).filter(|s| filter(s.span.lock)))
    }

    /// The locks of these sections.
    pub(super) fn as_locks<'s>(&self, sections: impl Iterator<Item = &'s Section>) -> Locks {
        let mut locks: Locks = sections.map(|s| (self.address(s.lock), s.mode)).collect();
        locks.sort_unstable();
        locks.dedup();
        locks
    }

    /// The locks in whose current section the thread has accessed the location it reads next.
    fn closed_locks(&self, thread: usize, loc: Loc) -> Locks {
        let place = self.graph.accesses.get(loc as usize);
        let last = place.and_then(|p| p.last.get(thread)).copied().unwrap_or(0);
        self.locks_of(thread, |lock| last > lock.index() + 1 || Mutant::ClosedByHolding.is_active())
    }

    /// Is this a word that says how a thread holds a lock (`run/rwlock_try.rs`)?
    fn is_hold(&self, loc: Loc) -> bool {
        let address = self.run.tables.memory.locations[loc as usize].address;
        self.run.tables.locks.has_tried() && matches!(address.of_word(), Some(WordOf::Hold { .. }))
    }

    /// A write was added: learn that its thread writes there.
    pub(super) fn learn_write(&mut self, id: EventId) {
        let loc = self.graph.event(id).loc;
        if self.graph.event(id).written == 0 && self.is_hold(loc) {
            // No read waits to see that a lock is free.
            return;
        }
        let name = self.run.tables.threads.names()[id.thread()];
        let mut held = std::mem::take(&mut self.held_now);
        held.clear();
        held.extend(self.order.held(id.thread()).map(|s| (self.address(s.lock), s.mode)));
        held.sort_unstable();
        held.dedup();
        self.lessons.learn(self.address(loc), name, &held, id.index());
        self.held_now = held;
    }

    /// May the read that a thread requests be given a write that is still to come?
    pub(super) fn may_postpone(&mut self, thread: usize) -> bool {
        self.graph.status[thread] = ThreadStatus::Postponed;
        let may = self.all_may_come();
        self.graph.status[thread] = ThreadStatus::Reads;
        may
    }

    /// The location of the request of a thread.
    pub(super) fn reading(&self, thread: usize) -> Loc {
        self.run.step(&self.graph, thread).loc
    }

    /// May some thread that still moves write what this thread reads: was it ever seen to, at an event that
    /// it has not made yet, and can the reader still read that write?
    fn may_come(&self, thread: usize, moving: &[bool]) -> bool {
        let loc = self.reading(thread);
        let address = self.address(loc);
        let Some(writes) = self.lessons.own.writes.get(&address) else { return false };
        let own = self.run.tables.threads.names()[thread];
        let mut closed = None;
        writes.iter().any(|write| {
            if write.thread == own {
                return false;
            }
            let writer = self.run.tables.threads.known(u64::from(write.thread)).filter(|&t| t < moving.len());
            let may_still = match writer {
                Some(t) => moving[t] && self.graph.threads[t].events.len() as u32 <= write.index,
                // It was not spawned yet; some thread has to do that.
                None => moving.contains(&true),
            };
            may_still
                && !exclude(&write.held, closed.get_or_insert_with(|| self.closed_locks(thread, loc)))
                && writer.is_none_or(|t| !self.lies_after(thread, t, &write.held))
                && !self.comes_too_late(thread, writer, address, write)
        })
    }

    /// Does an open section of `thread` come before one of `other`, of a lock that `other` holds for its
    /// write? Then the read of `thread` comes before the write.
    fn lies_after(&self, thread: usize, other: usize, held: &Locks) -> bool {
        let order = &self.order;
        order.held_ids(thread).any(|own| {
            let section = &order.sections[own];
            let lock = self.address(section.lock);
            held.iter().any(|&(l, mode)| l == lock && mode.excludes(section.mode))
                && order.has_later(own, other)
        })
    }

    /// May the read that a thread requests read a write that is still to come?
    pub(super) fn may_change(&self, thread: usize) -> bool {
        let moving: Vec<bool> = self
            .graph
            .status
            .iter()
            .map(|status| !matches!(status, ThreadStatus::Done | ThreadStatus::Stuck))
            .collect();
        self.may_come(thread, &moving)
    }

    /// Note that the reads of these threads are not postponed (any longer). False if another worker has just
    /// learned that they should be.
    fn pass(&mut self, threads: &[usize], moving: &[bool]) -> bool {
        let from: Vec<(Name, u32)> = (0..moving.len())
            .map(|t| {
                let next = self.graph.threads[t].events.len() as u32;
                (self.run.tables.threads.names()[t], if moving[t] { next } else { u32::MAX })
            })
            .collect();
        // Another worker that learns a write from now on compares it with what is noted here. What it learned
        // before is seen by looking again: so first note, then look.
        let passed: Vec<(u64, Name, Locks)> = threads
            .iter()
            .map(|&t| {
                let loc = self.reading(t);
                (self.address(loc), self.run.tables.threads.names()[t], self.closed_locks(t, loc))
            })
            .collect();
        self.lessons.change(|lessons| {
            for (address, name, closed) in passed {
                lessons.pass(address, name, closed, from.clone());
            }
        });
        if self.lessons.shared.is_some() && threads.iter().any(|&t| self.may_come(t, moving)) {
            return false;
        }
        true
    }

    /// May every postponed read still be given a write, by threads that can go on, and may every lock for
    /// which a thread waits for ever be kept by some thread?
    pub(super) fn all_may_come(&mut self) -> bool {
        let graph = &self.graph;
        if self.blocked == 0 && !graph.status.contains(&ThreadStatus::Postponed) {
            return true;
        }
        let mut moving: Vec<bool> = graph
            .status
            .iter()
            .enumerate()
            .map(|(t, status)| match status {
                ThreadStatus::Reads | ThreadStatus::Steps | ThreadStatus::Unasked => true,
                ThreadStatus::Postponed => self.is_on_offer(t, self.reading(t)),
                _ => false,
            })
            .collect();
        loop {
            let anybody = moving.contains(&true);
            let more = (0..moving.len()).find(|&t| {
                !moving[t]
                    && match self.graph.status[t] {
                        ThreadStatus::Absent => anybody,
                        ThreadStatus::Postponed => self.may_come(t, &moving),
                        ThreadStatus::Joins => match self.run.step(&self.graph, t).request {
                            // Whoever still moves may come there, too.
                            Request::Arrive { .. } | Request::Pass { .. } => {
                                !Mutant::NobodyComes.is_active()
                                    && (anybody || self.run.enabled(&self.graph, t))
                            }
                            _ => self.joined(t).is_some_and(|child| {
                                moving[child] || self.run.can_be_joined(&self.graph, child)
                            }),
                        },
                        _ => false,
                    }
            });
            let Some(thread) = more else { break };
            moving[thread] = true;
        }
        let lost: Vec<usize> = (0..moving.len())
            .filter(|&t| self.graph.status[t] == ThreadStatus::Postponed && !moving[t])
            .collect();
        if !lost.is_empty() {
            lost.iter().for_each(|&t| self.learn_passed(self.address(self.reading(t))));
            return !self.pass(&lost, &moving);
        }
        self.all_may_be_kept(&moving)
    }

    fn joined(&self, thread: usize) -> Option<usize> {
        match self.run.step(&self.graph, thread).request {
            Request::Join { name } => self.run.tables.threads.known(name),
            _ => None,
        }
    }

    /// The thread has made an event, and its next request is known: if it may stay there for ever, that is a
    /// hold point. False if the thread stops for good inside a section that cannot be the last of its lock.
    pub(super) fn note_standing(&mut self, thread: usize) -> bool {
        if self.last_event().is_none_or(|id| id.thread() != thread) {
            return true;
        }
        if self.order.held(thread).next().is_none() {
            return true;
        }
        let state = self.graph.threads[thread].state as usize;
        let status = self.graph.status[thread];
        let step = &self.run.states[state].step;
        match step.request {
            Request::Dropped => return true,
            Request::Lock { waits: false, .. } => return true,
            Request::Lock { mode, .. } => {
                let inner = self.address(step.loc);
                let held = self.locks_of(thread, |_| true);
                if self.is_alone(thread) && held.iter().all(|&(outer, _)| outer != inner) {
                    return true;
                }
                self.learn_stand(thread, held, Some((inner, mode)));
                return true;
            }
            Request::Join { .. } | Request::Pass { .. } => {
                self.learn_stand(thread, self.locks_of(thread, |_| true), None);
                return true;
            }
            _ if !matches!(status, ThreadStatus::Done | ThreadStatus::Stuck) => return true,
            _ => self.learn_stand(thread, self.locks_of(thread, |_| true), None),
        }
        // A violation may turn out to be impossible. So the sections of a thread that failed stay open, as if
        // it could go on.
        let step = &self.run.states[state].step;
        if self.is_failed(thread) || matches!(step.request, Request::Fail(_)) {
            return true;
        }
        self.frames.last_mut().expect("it made a step").stopped = true;
        let (graph, order) = (&mut self.graph, &mut self.order);
        order.stop(graph, thread) && order.solve(graph)
    }

    /// Is this the only thread so far? Locks that it holds keep no thread waiting: it sets things up for
    /// threads that it will spawn.
    fn is_alone(&self, thread: usize) -> bool {
        self.run.program.threads() == 1 && thread == 0 && self.graph.threads[0].spawned == 0
    }

    /// A thread is where it may stay for ever, holding these locks: learn the hold point.
    fn learn_stand(&mut self, thread: usize, held: Locks, wants: Option<Wanted>) {
        let events = &self.graph.threads[thread].events;
        let mut sources = Vec::new();
        if wants.is_some() {
            let first = self.order.held(thread).map(|s| s.span.lock.index()).min().unwrap_or(0);
            let others = events[first as usize..]
                .iter()
                .filter(|e| e.kind.reads() && !e.rf.is_init() && e.rf.thread() != thread);
            sources.extend(
                others.map(|e| (self.run.tables.threads.names()[e.rf.thread()], self.address(e.loc))),
            );
            sources.sort_unstable();
            sources.dedup();
        }
        let index = events.len() as u32;
        let thread = self.run.tables.threads.names()[thread];
        self.lessons.stand(&HoldPoint { thread, held, wants, index, sources });
    }
}
