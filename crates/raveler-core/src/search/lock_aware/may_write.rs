//! What the search learns of the program as it goes: who may still write what, and which locks may be held for ever.
//!
//! A read is postponed only if some thread may still write what it reads. Nobody knows that in advance, so every write
//! that was ever added counts: its thread, location and place in the thread, and the locks held there. A postponement
//! that was left out because nothing could come is remembered, and if such a write is found after all the search starts
//! again, knowing it. The same for threads that wait for a lock for ever: only locks that may be held for ever need
//! that branch (locks.md §4.1, §6).

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Aware;
use super::may_keep::{HoldPoint, Wanted, World};
use crate::consistency::sections::Section;
use crate::consistency::with_sections::WithSections;
use crate::graph::{Loc, ThreadStatus};
use crate::id::{EventId, WordOf};
use crate::mutation::Mutant;
use crate::observer::Observer;
use crate::program::Program;
use crate::program::action::LockMode;
use crate::run::resolve::Request;

/// Locks with the way in which they are held, sorted by address.
pub(super) type Locks = Vec<(u64, LockMode)>;

/// A thread, by name.
pub(super) type Name = u32;

/// What one worker knows, and what all of them do.
pub(crate) struct Lessons<'a> {
    own: Book,
    /// With several workers: what any of them learned. Whatever is new or missing here is looked up there.
    shared: Option<&'a Mutex<Book>>,
}

/// What was learned so far. Names and addresses are the program's own, so that it holds for every worker.
#[derive(Clone, Debug, Default)]
pub(crate) struct Book {
    /// By address: who writes there, up to which place in the thread, holding what.
    writes: FxHashMap<u64, Vec<Write>>,
    /// What such sections have always written, sorted. Of those that are not listed nothing is known.
    together: FxHashMap<Together, Vec<u64>>,
    /// By address: the reads that were not postponed.
    passed: FxHashMap<u64, Vec<Passed>>,
    /// By lock: where threads that hold it were seen to stand.
    pub(super) stands: FxHashMap<u64, Vec<HoldPoint>>,
    /// Locks for which somebody did not wait for ever.
    refused: FxHashSet<Wanted>,
    /// Something was learned that the search has gone past.
    pub again: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Write {
    pub thread: Name,
    pub held: Locks,
    index: u32,
}

/// Sections of a thread that write to an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Together {
    pub thread: Name,
    pub lock: u64,
    pub address: u64,
}

#[derive(Clone, Debug)]
struct Passed {
    thread: Name,
    /// Locks in whose current section the location was accessed: nobody who holds them too can write what is read.
    closed: Locks,
    /// From which place on a write of a thread would have come. Of threads that are not listed: from the first.
    from: Vec<(Name, u32)>,
}

/// Can a section with these locks not lie behind an access inside a section with those?
fn exclude(held: &Locks, closed: &Locks) -> bool {
    held.iter()
        .any(|(lock, mode)| closed.iter().any(|(other, theirs)| lock == other && mode.excludes(*theirs)))
}

impl Book {
    /// Is such a write known already?
    fn knows(&self, address: u64, thread: Name, held: &Locks, index: u32) -> bool {
        let known = self.writes.get(&address).map_or(&[][..], Vec::as_slice);
        known.iter().any(|w| w.thread == thread && w.held == *held && w.index >= index)
    }

    fn learn(&mut self, address: u64, thread: Name, held: Locks, index: u32) {
        let known = self.writes.entry(address).or_default();
        match known.iter_mut().find(|w| w.thread == thread && w.held == held) {
            Some(write) if write.index >= index => return,
            Some(write) => write.index = index,
            None => known.push(Write { thread, held: held.clone(), index }),
        }
        let passed = self.passed.get(&address).map_or(&[][..], Vec::as_slice);
        self.again |= passed.iter().any(|p| {
            p.thread != thread
                && !exclude(&held, &p.closed)
                && p.from.iter().find(|(name, _)| *name == thread).is_none_or(|&(_, from)| from <= index)
        });
    }

    fn pass(&mut self, address: u64, thread: Name, closed: Locks, from: Vec<(Name, u32)>) {
        let known = self.passed.entry(address).or_default();
        match known.iter_mut().find(|p| p.thread == thread && p.closed == closed) {
            Some(passed) => {
                for (name, index) in from {
                    if let Some(entry) = passed.from.iter_mut().find(|(n, _)| *n == name) {
                        entry.1 = entry.1.min(index);
                    }
                }
            }
            None => known.push(Passed { thread, closed, from }),
        }
    }

    /// Such a section ended, which wrote all this.
    fn end_section(&mut self, section: Together, written: &[u64]) {
        let Some(with) = self.together.get_mut(&section) else {
            self.together.insert(section, written.to_vec());
            return;
        };
        if Mutant::SectionsAlike.is_active() {
            return;
        }
        let before = with.len();
        with.retain(|z| written.binary_search(z).is_ok());
        if with.len() < before {
            self.written_alone(section);
        }
    }

    /// There is such a section that does not write this.
    fn separate(&mut self, section: Together, address: u64) {
        if let Some(with) = self.together.get_mut(&section)
            && let Ok(at) = with.binary_search(&address)
        {
            with.remove(at);
            self.written_alone(section);
        }
    }

    /// What such a section was thought to write too may have been a reason not to wait for it.
    fn written_alone(&mut self, section: Together) {
        let passed = self.passed.get(&section.address).map_or(&[][..], Vec::as_slice);
        self.again |= passed.iter().any(|p| p.thread != section.thread);
    }

    /// Does this say nothing new?
    fn knows_stand(&self, stand: &HoldPoint) -> bool {
        let known = stand.held.first().and_then(|(lock, _)| self.stands.get(lock));
        known.is_some_and(|known| known.iter().any(|other| other.covers(stand)))
    }

    fn stand(&mut self, stand: &HoldPoint) {
        for (lock, _) in &stand.held {
            let known = self.stands.entry(*lock).or_default();
            if known.iter().any(|other| other.covers(stand)) {
                continue;
            }
            known.retain(|other| !stand.covers(other));
            known.push(stand.clone());
        }
        let world = World { stands: &self.stands, standing: &[], may_come: |_: &HoldPoint| true };
        self.again |= self.refused.iter().any(|&lock| world.may_be_kept(lock, None));
    }

    /// Somebody does not wait for this lock for ever, since nobody keeps it.
    fn refuse(&mut self, lock: Wanted) {
        self.refused.insert(lock);
    }

    /// Take over what somebody else learned; what was gone past stays there.
    fn copy(&mut self, other: &Book) {
        self.writes.clone_from(&other.writes);
        self.together.clone_from(&other.together);
        self.stands.clone_from(&other.stands);
        self.again |= other.again;
    }

    /// For a new search: what was gone past is forgotten.
    pub fn restart(&mut self) {
        self.passed.clear();
        self.refused.clear();
        self.again = false;
    }
}

impl<'a> Lessons<'a> {
    /// Of a search alone.
    pub fn new(own: Book) -> Lessons<'a> {
        Lessons { own, shared: None }
    }

    /// Of one of several workers.
    pub fn shared(shared: &'a Mutex<Book>) -> Lessons<'a> {
        let own = lock(shared).clone();
        Lessons { own, shared: Some(shared) }
    }

    /// What was learned.
    pub fn into_book(self) -> Book {
        self.own
    }

    /// Was something learned that the search has gone past?
    #[inline]
    pub fn again(&self) -> bool {
        self.own.again
    }

    /// Learn what others have learned.
    pub fn catch_up(&mut self) {
        if let Some(shared) = self.shared {
            self.own.copy(&lock(shared));
        }
    }

    /// Change what is known, for all.
    fn change(&mut self, change: impl FnOnce(&mut Book)) {
        match self.shared {
            Some(shared) => {
                let mut book = lock(shared);
                change(&mut book);
                self.own.copy(&book);
            }
            None => change(&mut self.own),
        }
    }

    fn learn(&mut self, address: u64, thread: Name, held: Locks, index: u32) {
        if !self.own.knows(address, thread, &held, index) {
            self.change(|book| book.learn(address, thread, held, index));
        }
    }

    pub(super) fn end_section(&mut self, section: Together, written: &[u64]) {
        let known = self.own.together.get(&section);
        if known.is_none_or(|with| with.iter().any(|z| written.binary_search(z).is_err())) {
            self.change(|book| book.end_section(section, written));
        }
    }

    pub(super) fn separate(&mut self, section: Together, address: u64) {
        if self.together(section).is_some_and(|with| with.binary_search(&address).is_ok()) {
            self.change(|book| book.separate(section, address));
        }
    }

    /// What such sections have always written.
    pub(super) fn together(&self, section: Together) -> Option<&[u64]> {
        self.own.together.get(&section).map(Vec::as_slice)
    }

    /// Is a thread behind all places at which it was ever seen to write there?
    pub(super) fn has_gone_past(&self, thread: Name, address: u64, index: u32) -> bool {
        let known = self.own.writes.get(&address).map_or(&[][..], Vec::as_slice);
        let mut theirs = known.iter().filter(|write| write.thread == thread).peekable();
        theirs.peek().is_some() && theirs.all(|write| write.index < index)
    }

    fn stand(&mut self, stand: &HoldPoint) {
        if !self.own.knows_stand(stand) {
            self.change(|book| book.stand(stand));
        }
    }

    /// Was nobody ever seen to stand still while holding this lock?
    pub(super) fn is_never_kept(&self, lock: u64) -> bool {
        !self.own.stands.contains_key(&lock) || Mutant::NeverKept.is_active()
    }

    pub(super) fn stands(&self) -> &FxHashMap<u64, Vec<HoldPoint>> {
        &self.own.stands
    }

    /// Somebody does not wait for this lock, since nobody keeps it. True if others may have learned of somebody.
    pub(super) fn refuse(&mut self, lock: Wanted) -> bool {
        if self.own.refused.contains(&lock) {
            return false;
        }
        self.change(|book| book.refuse(lock));
        self.own.refuse(lock);
        self.shared.is_some()
    }
}

fn lock(book: &Mutex<Book>) -> MutexGuard<'_, Book> {
    book.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<P: Program, K: WithSections, O: Observer<P>> Aware<'_, P, K, O> {
    pub(super) fn address(&self, loc: Loc) -> u64 {
        self.base.tables.locations[loc as usize].address.0
    }

    /// The locks that a thread holds now.
    pub(super) fn locks_of(&self, thread: usize, filter: impl Fn(EventId) -> bool) -> Locks {
        self.as_locks(self.order().held(thread).filter(|s| filter(s.span.lock)))
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
        let place = self.graph().accesses.get(loc as usize);
        let last = place.and_then(|p| p.last.get(thread)).copied().unwrap_or(0);
        self.locks_of(thread, |lock| last > lock.index() + 1 || Mutant::ClosedByHolding.is_active())
    }

    /// Is this a word that says how a thread holds a lock?
    fn is_hold(&self, loc: Loc) -> bool {
        let address = self.base.tables.locations[loc as usize].address;
        self.base.tables.has_tried() && matches!(address.of_word(), Some(WordOf::Hold { .. }))
    }

    /// A write was added.
    pub(super) fn learn_write(&mut self, id: EventId) {
        let loc = self.graph().event(id).loc;
        if self.graph().event(id).written == 0 && self.is_hold(loc) {
            // Nobody waits to see that a lock is free.
            return;
        }
        let held = self.locks_of(id.thread(), |_| true);
        let name = self.base.tables.names[id.thread()];
        self.lessons.learn(self.address(loc), name, held, id.index());
    }

    /// May the read that a thread stands at be given a write that is still to come?
    pub(super) fn may_postpone(&mut self, thread: usize) -> bool {
        self.graph_mut().status[thread] = ThreadStatus::Postponed;
        let may = self.all_may_come();
        self.graph_mut().status[thread] = ThreadStatus::Reads;
        may
    }

    pub(super) fn reading(&self, thread: usize) -> Loc {
        self.base.states[self.graph().threads[thread].state as usize].step.loc
    }

    /// Did some thread that still moves ever write, later than where it stands, what this thread reads?
    fn may_come(&self, thread: usize, moving: &[bool]) -> bool {
        let loc = self.reading(thread);
        let address = self.address(loc);
        let Some(writes) = self.lessons.own.writes.get(&address) else { return false };
        let closed = self.closed_locks(thread, loc);
        let own = self.base.tables.names[thread];
        writes.iter().any(|write| {
            write.thread != own
                && !exclude(&write.held, &closed)
                && match self.base.tables.known_thread(u64::from(write.thread)) {
                    Some(t) if t < moving.len() => {
                        moving[t]
                            && self.graph().threads[t].events.len() as u32 <= write.index
                            && !self.lies_behind(thread, t, &write.held)
                            && !self.comes_too_late(thread, Some(t), address, write)
                    }
                    // It was not spawned yet; somebody has to do that.
                    _ => moving.contains(&true) && !self.comes_too_late(thread, None, address, write),
                }
        })
    }

    /// Does a section that `thread` is in lie before one of `other`, of a lock that `other` holds for its write? MicroStep it
    /// lies before the write.
    fn lies_behind(&self, thread: usize, other: usize, held: &Locks) -> bool {
        let order = self.order();
        order.held_ids(thread).any(|own| {
            let section = &order.sections[own];
            let lock = self.address(section.lock);
            held.iter().any(|&(l, mode)| l == lock && mode.excludes(section.mode))
                && order.has_later(own, other)
        })
    }

    /// May a write that is still to come be read by the read that a thread stands at?
    pub(super) fn may_change(&self, thread: usize) -> bool {
        let moving: Vec<bool> = self
            .graph()
            .status
            .iter()
            .map(|status| !matches!(status, ThreadStatus::Done | ThreadStatus::Stuck))
            .collect();
        self.may_come(thread, &moving)
    }

    /// Remember that these reads are not postponed (any longer). False if another worker has just learned that they
    /// should be.
    fn pass(&mut self, threads: &[usize], moving: &[bool]) -> bool {
        let from: Vec<(Name, u32)> = (0..moving.len())
            .map(|t| {
                let next = self.graph().threads[t].events.len() as u32;
                (self.base.tables.names[t], if moving[t] { next } else { u32::MAX })
            })
            .collect();
        // What another worker learned since is seen when it comes to be compared with what is noted here: so first note,
        // then look again.
        let passed: Vec<(u64, Name, Locks)> = threads
            .iter()
            .map(|&t| {
                let loc = self.reading(t);
                (self.address(loc), self.base.tables.names[t], self.closed_locks(t, loc))
            })
            .collect();
        self.lessons.change(|book| {
            for (address, name, closed) in passed {
                book.pass(address, name, closed, from.clone());
            }
        });
        if self.lessons.shared.is_some() && threads.iter().any(|&t| self.may_come(t, moving)) {
            return false;
        }
        true
    }

    /// May every postponed read still be given a write, by threads that can go on, and every lock that is waited for
    /// for ever be held by somebody?
    pub(super) fn all_may_come(&mut self) -> bool {
        let graph = self.graph();
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
                    && match self.graph().status[t] {
                        ThreadStatus::Absent => anybody,
                        ThreadStatus::Postponed => self.may_come(t, &moving),
                        ThreadStatus::Joins => self.joined(t).is_some_and(|child| {
                            moving[child] || self.graph().status[child] == ThreadStatus::Done
                        }),
                        _ => false,
                    }
            });
            let Some(thread) = more else { break };
            moving[thread] = true;
        }
        let lost: Vec<usize> = (0..moving.len())
            .filter(|&t| self.graph().status[t] == ThreadStatus::Postponed && !moving[t])
            .collect();
        if !lost.is_empty() {
            lost.iter().for_each(|&t| self.learn_passed(self.address(self.reading(t))));
            return !self.pass(&lost, &moving);
        }
        self.all_may_be_kept(&moving)
    }

    fn joined(&self, thread: usize) -> Option<usize> {
        match self.base.states[self.graph().threads[thread].state as usize].step.request {
            Request::Join { name } => self.base.tables.known_thread(name),
            _ => None,
        }
    }

    /// The thread goes on with something new: what does that say about its locks? False if it stops inside a section
    /// that cannot be the last one.
    pub(super) fn note_standing(&mut self, thread: usize) -> bool {
        if self.last_event().is_none_or(|id| id.thread() != thread) {
            return true;
        }
        let held = self.locks_of(thread, |_| true);
        if held.is_empty() {
            return true;
        }
        let state = self.graph().threads[thread].state as usize;
        let status = self.graph().status[thread];
        let step = &self.base.states[state].step;
        match step.request {
            Request::Dropped => return true,
            Request::Lock { waits: false, .. } => return true,
            Request::Lock { mode, .. } => {
                let inner = self.address(step.loc);
                if self.is_alone(thread) && held.iter().all(|&(outer, _)| outer != inner) {
                    return true;
                }
                self.learn_stand(thread, held, Some((inner, mode)));
                return true;
            }
            Request::Join { .. } => {
                self.learn_stand(thread, held, None);
                return true;
            }
            _ if !matches!(status, ThreadStatus::Done | ThreadStatus::Stuck) => return true,
            _ => self.learn_stand(thread, held, None),
        }
        // What is wrong may turn out to be impossible: then others go on as if the thread were there.
        let step = &self.base.states[state].step;
        if self.is_failed(thread) || matches!(step.request, Request::Fail(_)) {
            return true;
        }
        self.frames.last_mut().expect("it made a step").stopped = true;
        let (graph, order) = self.parts();
        order.stop(graph, thread) && order.solve(graph)
    }

    /// Is there nobody else yet? What such a thread holds keeps nobody waiting: it sets things up for others.
    fn is_alone(&self, thread: usize) -> bool {
        self.base.program.threads() == 1 && thread == 0 && self.graph().threads[0].spawned == 0
    }

    /// A thread stands where it may stay for ever, holding these.
    fn learn_stand(&mut self, thread: usize, held: Locks, wants: Option<Wanted>) {
        let events = &self.graph().threads[thread].events;
        let mut sources = Vec::new();
        if wants.is_some() {
            let first = self.order().held(thread).map(|s| s.span.lock.index()).min().unwrap_or(0);
            let others = events[first as usize..]
                .iter()
                .filter(|e| e.kind.reads() && !e.rf.is_init() && e.rf.thread() != thread);
            sources.extend(others.map(|e| (self.base.tables.names[e.rf.thread()], self.address(e.loc))));
            sources.sort_unstable();
            sources.dedup();
        }
        let index = events.len() as u32;
        let thread = self.base.tables.names[thread];
        self.lessons.stand(&HoldPoint { thread, held, wants, index, sources });
    }
}
