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
use crate::action::LockMode;
use crate::graph::{Loc, Ready};
use crate::id::{EventId, WordOf};
use crate::mutation::Mutant;
use crate::observer::Observer;
use crate::order::joint::Joint;
use crate::order::sections::Section;
use crate::program::Program;
use crate::search::step::Want;

/// Locks with the way in which they are held, sorted by address.
pub(super) type Locks = Vec<(u64, LockMode)>;

/// A thread, by name.
type Name = u32;

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
    /// By address: the reads that were not postponed.
    passed: FxHashMap<u64, Vec<Passed>>,
    /// Lock b was requested while a was held.
    nested: FxHashSet<(u64, u64)>,
    /// Locks that a thread held when it stopped or waited for a thread.
    kept: FxHashSet<u64>,
    /// What follows from both: the locks that may be held for ever.
    for_ever: FxHashSet<u64>,
    /// Locks for which nobody waited for ever so far.
    unwaited: FxHashSet<u64>,
    /// Something was learned that the search has gone past.
    pub again: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Write {
    thread: Name,
    pub held: Locks,
    index: u32,
    /// By lock: what a section with such a write has always written when it ended, sorted. Of locks that are not listed
    /// nothing is known yet.
    pub with: Vec<(u64, Vec<u64>)>,
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
    held.iter().any(|(lock, mode)| {
        closed.iter().any(|(other, theirs)| {
            lock == other && !(*mode == LockMode::Shared && *theirs == LockMode::Shared)
        })
    })
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
            None => known.push(Write { thread, held: held.clone(), index, with: Vec::new() }),
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

    /// Does it follow from what is known that a section of this lock with such a write writes only things of this list?
    fn knows_section(&self, address: u64, thread: Name, held: &Locks, lock: u64, written: &[u64]) -> bool {
        let known = self.writes.get(&address).map_or(&[][..], Vec::as_slice);
        let same = |w: &&Write| w.thread == thread && w.held == *held;
        let with = known.iter().find(same).and_then(|w| w.with.iter().find(|(l, _)| *l == lock));
        with.is_some_and(|(_, with)| with.iter().all(|z| written.binary_search(z).is_ok()))
    }

    /// A section of this lock ended that wrote to the address, and to these.
    fn end_section(&mut self, address: u64, thread: Name, held: &Locks, lock: u64, written: &[u64]) {
        let Some(known) = self.writes.get_mut(&address) else { return };
        let Some(write) = known.iter_mut().find(|w| w.thread == thread && w.held == *held) else { return };
        let Some((_, with)) = write.with.iter_mut().find(|(l, _)| *l == lock) else {
            write.with.push((lock, written.to_vec()));
            return;
        };
        if Mutant::SectionsAlike.is_active() {
            return;
        }
        let before = with.len();
        with.retain(|z| written.binary_search(z).is_ok());
        // What it was thought to write too may have been a reason not to wait for it.
        if with.len() < before {
            let passed = self.passed.get(&address).map_or(&[][..], Vec::as_slice);
            self.again |= passed.iter().any(|p| p.thread != thread);
        }
    }

    fn nest(&mut self, outer: u64, inner: u64) {
        if self.nested.insert((outer, inner)) {
            self.conclude();
        }
    }

    fn keep(&mut self, lock: u64) {
        if self.kept.insert(lock) {
            self.conclude();
        }
    }

    /// Locks on a cycle of requests, locks that are kept, and locks held while one of these is requested.
    fn conclude(&mut self) {
        let mut reach = self.nested.clone();
        loop {
            let longer: Vec<(u64, u64)> = reach
                .iter()
                .flat_map(|&(a, b)| {
                    self.nested.iter().filter(move |(c, _)| *c == b).map(move |&(_, d)| (a, d))
                })
                .filter(|pair| !reach.contains(pair))
                .collect();
            if longer.is_empty() {
                break;
            }
            reach.extend(longer);
        }
        let mut locks: FxHashSet<u64> = self.kept.clone();
        locks.extend(reach.iter().filter(|(a, b)| a == b).map(|&(a, _)| a));
        let outer: Vec<u64> = reach.iter().filter(|(_, b)| locks.contains(b)).map(|&(a, _)| a).collect();
        locks.extend(outer);
        self.again |= locks.iter().any(|lock| self.unwaited.contains(lock));
        self.for_ever = locks;
    }

    /// May somebody wait for this lock for ever?
    pub fn may_be_kept(&mut self, lock: u64) -> bool {
        let may = self.for_ever.contains(&lock) && !Mutant::NeverKept.is_active();
        if !may {
            self.unwaited.insert(lock);
        }
        may
    }

    /// Take over what somebody else learned; what was gone past stays there.
    fn copy(&mut self, other: &Book) {
        self.writes.clone_from(&other.writes);
        self.nested.clone_from(&other.nested);
        self.kept.clone_from(&other.kept);
        self.for_ever.clone_from(&other.for_ever);
        self.again |= other.again;
    }

    /// For a new search: what was gone past is forgotten.
    pub fn restart(&mut self) {
        self.passed.clear();
        self.unwaited.clear();
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

    pub(super) fn end_section(
        &mut self,
        address: u64,
        thread: Name,
        held: &Locks,
        lock: u64,
        written: &[u64],
    ) {
        if !self.own.knows_section(address, thread, held, lock, written) {
            self.change(|book| book.end_section(address, thread, held, lock, written));
        }
    }

    fn nest(&mut self, outer: u64, inner: u64) {
        if !self.own.nested.contains(&(outer, inner)) {
            self.change(|book| book.nest(outer, inner));
        }
    }

    fn keep(&mut self, address: u64) {
        if !self.own.kept.contains(&address) {
            self.change(|book| book.keep(address));
        }
    }

    fn may_be_kept(&mut self, address: u64) -> bool {
        if self.own.for_ever.contains(&address) && !Mutant::NeverKept.is_active() {
            return true;
        }
        let mut may = false;
        self.change(|book| may = book.may_be_kept(address));
        may
    }
}

fn lock(book: &Mutex<Book>) -> MutexGuard<'_, Book> {
    book.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<P: Program, K: Joint, O: Observer<P>> Aware<'_, P, K, O> {
    pub(super) fn address(&self, loc: Loc) -> u64 {
        self.base.tables.locations[loc as usize].address.0
    }

    /// The locks that a thread holds now.
    fn locks_of(&self, thread: usize, filter: impl Fn(EventId) -> bool) -> Locks {
        self.as_locks(self.order().held(thread).filter(|s| filter(s.span.lock)))
    }

    /// The locks of these sections.
    pub(super) fn as_locks<'s>(&self, sections: impl Iterator<Item = &'s Section>) -> Locks {
        let mut locks: Locks = sections.map(|s| (self.address(s.lock), s.mode)).collect();
        locks.sort_by_key(|&(lock, mode)| (lock, mode == LockMode::Shared));
        locks.dedup();
        locks
    }

    /// The locks in whose current section the thread has accessed the location it reads next.
    fn closed_locks(&self, thread: usize, loc: Loc) -> Locks {
        let place = self.graph().places.get(loc as usize);
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
        self.graph_mut().ready[thread] = Ready::Postponed;
        let may = self.all_may_come();
        self.graph_mut().ready[thread] = Ready::Reads;
        may
    }

    fn reading(&self, thread: usize) -> Loc {
        self.base.states[self.graph().threads[thread].state as usize].step.loc
    }

    /// Did some thread that still moves ever write, later than where it stands, what this thread reads?
    fn may_come(&self, thread: usize, moving: &[bool]) -> bool {
        let loc = self.reading(thread);
        let Some(writes) = self.lessons.own.writes.get(&self.address(loc)) else { return false };
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
                            && !self.comes_too_late(thread, Some(t), write)
                    }
                    // It was not spawned yet; somebody has to do that.
                    _ => moving.contains(&true) && !self.comes_too_late(thread, None, write),
                }
        })
    }

    /// Does a section that `thread` is in lie before one of `other`, of a lock that `other` holds for its write? Then it
    /// lies before the write.
    fn lies_behind(&self, thread: usize, other: usize, held: &Locks) -> bool {
        let order = self.order();
        order.held_ids(thread).any(|own| {
            let section = &order.sections[own];
            let lock = self.address(section.lock);
            held.iter().any(|&(l, mode)| {
                l == lock && !(mode == LockMode::Shared && section.mode == LockMode::Shared)
            }) && order.has_later(own, other)
        })
    }

    /// May a write that is still to come be read by the read that a thread stands at?
    pub(super) fn may_change(&self, thread: usize) -> bool {
        let moving: Vec<bool> =
            self.graph().ready.iter().map(|ready| !matches!(ready, Ready::Done | Ready::Stuck)).collect();
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

    /// A thread stands where it may stay for ever: for whoever waits for a lock that it holds, somebody who may keep it.
    fn learn_keeping(&mut self, thread: usize, held: &Locks) {
        let next = self.graph().threads[thread].events.len() as u32;
        for &(lock, _) in held {
            self.lessons.learn(lock, self.base.tables.names[thread], Locks::new(), next);
        }
    }

    /// Does somebody keep the lock that a blocked thread waits for, or may still do so?
    fn may_be_held(&self, thread: usize, moving: &[bool]) -> bool {
        let Some((lock, mode)) = self.waits_at(thread) else { return true };
        let keeps =
            |holder: usize| matches!(self.graph().ready[holder], Ready::Stuck | Ready::Done | Ready::Joins);
        self.order().holders(lock, mode).any(|section| keeps(section.span.lock.thread()))
            || self.may_come(thread, moving)
    }

    /// May every postponed read still be given a write, by threads that can go on, and every lock that is waited for
    /// for ever be held by somebody?
    pub(super) fn all_may_come(&mut self) -> bool {
        let graph = self.graph();
        if self.blocked == 0 && !graph.ready.contains(&Ready::Postponed) {
            return true;
        }
        let mut moving: Vec<bool> = graph
            .ready
            .iter()
            .enumerate()
            .map(|(t, ready)| match ready {
                Ready::Reads | Ready::Steps | Ready::Unasked => true,
                Ready::Postponed => self.is_on_offer(t, self.reading(t)),
                _ => false,
            })
            .collect();
        loop {
            let anybody = moving.contains(&true);
            let more = (0..moving.len()).find(|&t| {
                !moving[t]
                    && match self.graph().ready[t] {
                        Ready::Absent => anybody,
                        Ready::Postponed => self.may_come(t, &moving),
                        Ready::Joins => self
                            .joined(t)
                            .is_some_and(|child| moving[child] || self.graph().ready[child] == Ready::Done),
                        _ => false,
                    }
            });
            let Some(thread) = more else { break };
            moving[thread] = true;
        }
        let lost: Vec<usize> = (0..moving.len())
            .filter(|&t| match self.graph().ready[t] {
                Ready::Postponed => !moving[t],
                Ready::Stuck => self.blocked > 0 && !self.may_be_held(t, &moving),
                _ => false,
            })
            .collect();
        lost.is_empty() || !self.pass(&lost, &moving)
    }

    fn joined(&self, thread: usize) -> Option<usize> {
        match self.base.states[self.graph().threads[thread].state as usize].step.want {
            Want::Join { name } => self.base.tables.known_thread(name),
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
        let ready = self.graph().ready[thread];
        let step = &self.base.states[state].step;
        match step.want {
            Want::Dropped => return true,
            Want::Lock { waits: false, .. } => return true,
            Want::Lock { .. } => {
                let inner = self.address(step.loc);
                if self.is_alone(thread) && held.iter().all(|&(outer, _)| outer != inner) {
                    return true;
                }
                held.iter().for_each(|&(outer, _)| self.lessons.nest(outer, inner));
                self.learn_keeping(thread, &held);
                return true;
            }
            Want::Join { .. } => {
                held.iter().for_each(|&(lock, _)| self.lessons.keep(lock));
                self.learn_keeping(thread, &held);
                return true;
            }
            _ if !matches!(ready, Ready::Done | Ready::Stuck) => return true,
            _ => {
                held.iter().for_each(|&(lock, _)| self.lessons.keep(lock));
                self.learn_keeping(thread, &held);
            }
        }
        // What is wrong may turn out to be impossible: then others go on as if the thread were there.
        let step = &self.base.states[state].step;
        if self.is_failed(thread) || matches!(step.want, Want::Fail(_)) {
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

    /// May the thread wait for the lock it requests for ever?
    pub(super) fn may_wait_for_ever(&mut self, thread: usize) -> bool {
        let lock = self.address(self.reading(thread));
        self.lessons.may_be_kept(lock)
    }
}
