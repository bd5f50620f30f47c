//! Critical sections that are left unordered: is there an order of the sections of every lock, and a
//! coherence order, under which the model allows the graph? (docs/locks.md, "Orders of sections")
//!
//! Of two sections of one lock, not both shared, one comes before the other. What the graph forces is kept,
//! with undo; whether the rest can be ordered is found out by trying the order that worked last (`witness.rs`), then by
//! branching (`solve.rs`). A section that is still open may come anywhere (events still to come may make room
//! for it), unless its thread has stopped for good: then it is the last one of its lock. In a state that a
//! run can reach every open section is the last one (`enumerate.rs`).

mod enumerate;
mod solve;
mod witness;

use super::with_sections::{EdgeMark, SectionSpan, WithSections};
use crate::graph::{Graph, Kind, Loc};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::action::LockMode;
use crate::settings::Settings;

/// One critical section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    pub lock: Loc,
    pub mode: LockMode,
    pub span: SectionSpan,
    /// Its thread has stopped for good: no section of the lock that it excludes may follow it.
    pub stopped: bool,
    /// How many [`SectionOrders::pairs`] there were when it was opened.
    pairs: usize,
}

impl Section {
    /// Must one of the two come before the other: are they of one lock, and not both shared?
    pub fn conflicts(&self, other: &Section) -> bool {
        self.lock == other.lock && (self.mode.excludes(other.mode) || Mutant::ReadersExclude.is_active())
    }

    pub fn is_open(&self) -> bool {
        self.span.unlock.is_none()
    }
}

/// What is to be restored when an event is taken back.
#[derive(Clone, Copy)]
struct Mark {
    edges: EdgeMark,
    decided: usize,
}

/// The consistency check of a model together with the sections of the graph and what is known of their order.
pub(crate) struct SectionOrders<K> {
    pub order: K,
    pub sections: Vec<Section>,
    /// `before[a]` has bit b: section a comes before section b. Rows of [`SectionOrders::words`] words.
    before: Vec<u64>,
    words: usize,
    /// The sections of each lock.
    of_lock: Vec<Vec<u32>>,
    /// The open sections of each thread, oldest first.
    held: Vec<Vec<u32>>,
    /// Pairs of sections of different threads that conflict, decided or not.
    pairs: Vec<(u32, u32)>,
    /// How many of these pairs are not decided.
    left_open: usize,
    /// The pairs that are decided, first section first, in the order in which they were decided; also pairs
    /// of one thread.
    decided: Vec<(u32, u32)>,
    marks: Vec<Mark>,
    /// The *witness*, an order that works: each section's rank in it (`witness.rs`).
    rank: Vec<u32>,
    /// The event that was entered last is a read that forces nothing.
    reads_last: bool,
    /// Kept for their memory.
    open_pairs: Vec<(usize, usize)>,
    seen_threads: Vec<usize>,
    untouched: Vec<bool>,
    left: Vec<u32>,
    earlier: Vec<u32>,
}

impl<K: WithSections> SectionOrders<K> {
    pub fn new(settings: &Settings) -> SectionOrders<K> {
        SectionOrders {
            order: K::new(settings),
            sections: Vec::new(),
            before: Vec::new(),
            words: 1,
            of_lock: Vec::new(),
            held: Vec::new(),
            pairs: Vec::new(),
            left_open: 0,
            decided: Vec::new(),
            marks: Vec::new(),
            rank: Vec::new(),
            reads_last: false,
            open_pairs: Vec::new(),
            seen_threads: Vec::new(),
            untouched: Vec::new(),
            left: Vec::new(),
            earlier: Vec::new(),
        }
    }

    /// What is decided of the order of sections, as pairs of events: the first comes before the second.
    pub fn known_edges(&self, graph: &Graph) -> Vec<(EventId, EventId)> {
        let edge = |&(a, b): &(u32, u32)| {
            let (first, second) = (&self.sections[a as usize], &self.sections[b as usize]);
            (first.span.last(graph), second.span.lock)
        };
        self.decided.iter().map(edge).collect()
    }

    #[inline]
    pub fn is_before(&self, a: usize, b: usize) -> bool {
        self.before[a * self.words + b / 64] >> (b % 64) & 1 != 0
    }

    fn mark(&self) -> Mark {
        Mark { edges: self.order.edge_mark(), decided: self.decided.len() }
    }

    fn roll_back(&mut self, graph: &mut Graph, mark: Mark) {
        self.order.undo_edges(graph, mark.edges);
        while self.decided.len() > mark.decided {
            let (a, b) = self.decided.pop().expect("it is longer");
            self.before[a as usize * self.words + b as usize / 64] &= !(1 << (b % 64));
            self.left_open += usize::from(self.are_apart(a as usize, b as usize));
        }
    }

    fn widen(&mut self) {
        let new = self.words * 2;
        let mut rows = Vec::with_capacity(self.sections.len() * new);
        for row in self.before.chunks_exact(self.words) {
            rows.extend_from_slice(row);
            rows.resize(rows.len() + new - self.words, 0);
        }
        self.before = rows;
        self.words = new;
    }

    /// The open sections of a thread.
    pub fn held(&self, thread: usize) -> impl Iterator<Item = &Section> {
        let ids = self.held.get(thread).map_or(&[][..], Vec::as_slice);
        ids.iter().map(|&id| &self.sections[id as usize])
    }

    /// The same by number.
    pub fn held_ids(&self, thread: usize) -> impl Iterator<Item = usize> {
        self.held.get(thread).map_or(&[][..], Vec::as_slice).iter().map(|&id| id as usize)
    }

    /// Is a section known to come before some section of this thread, of the same lock?
    pub fn has_later(&self, section: usize, thread: usize) -> bool {
        let lock = self.sections[section].lock;
        self.of_lock[lock as usize].iter().any(|&other| {
            self.sections[other as usize].span.lock.thread() == thread
                && self.is_before(section, other as usize)
        })
    }

    /// The sections of a lock.
    pub fn of_lock(&self, lock: Loc) -> impl Iterator<Item = &Section> {
        let ids = self.of_lock.get(lock as usize).map_or(&[][..], Vec::as_slice);
        ids.iter().map(|&id| &self.sections[id as usize])
    }

    /// Is some section open?
    pub fn has_open(&self) -> bool {
        self.held.iter().any(|held| !held.is_empty())
    }

    /// The section that an unlock ends is no longer open.
    fn close(&mut self, graph: &Graph, unlock: EventId) {
        let lock = graph.event(unlock).loc;
        let held = &mut self.held[unlock.thread()];
        // The innermost one, if a shared lock is held more than once.
        let at = held.iter().rposition(|&id| self.sections[id as usize].lock == lock);
        let id = held.remove(at.expect("what is released was taken"));
        self.sections[id as usize].span.unlock = Some(unlock);
    }

    /// Undo [`SectionOrders::close`].
    fn reopen(&mut self, graph: &Graph, unlock: EventId) {
        let ids = &self.of_lock[graph.event(unlock).loc as usize];
        let closed = |&&id: &&u32| self.sections[id as usize].span.unlock == Some(unlock);
        let id = *ids.iter().rev().find(closed).expect("it was closed");
        self.sections[id as usize].span.unlock = None;
        let held = &mut self.held[unlock.thread()];
        let at = held.partition_point(|&other| other < id);
        held.insert(at, id);
    }

    /// The open sections that a thread which requests the lock in this mode has to wait for.
    pub fn holders(&self, lock: Loc, mode: LockMode) -> impl Iterator<Item = &Section> {
        self.of_lock(lock).filter(move |s| s.is_open() && s.mode.excludes(mode))
    }

    /// An event was pushed to the graph, a read with its source, a write in its location's list: enter it.
    /// False if it is impossible. To be taken back by [`SectionOrders::leave`] in either case;
    /// [`SectionOrders::settle`] asks for an order of the sections.
    pub fn enter(&mut self, graph: &mut Graph, id: EventId) -> bool {
        self.marks.push(self.mark());
        self.reads_last = graph.event(id).kind.reads()
            && (self.order.reads_last_write(graph, id) || Mutant::ReadsForceNothing.is_active());
        let fine = self.order.enter(graph, id);
        match graph.event(id).kind {
            Kind::Lock => self.open(graph, id) && fine,
            Kind::Unlock => {
                self.close(graph, id);
                fine
            }
            _ => fine,
        }
    }

    /// The read just entered is an update. On false nothing more is to be taken back than the read.
    pub fn enter_update(&mut self, graph: &mut Graph, id: EventId) -> bool {
        self.order.enter_update(graph, id)
    }

    pub fn leave_update(&mut self, graph: &mut Graph, id: EventId) {
        // Edges between sections were added after the update and are taken back before it.
        let mark = *self.marks.last().expect("its read was entered");
        self.roll_back(graph, mark);
        self.order.leave_update(graph, id);
    }

    /// Take back the last event entered.
    pub fn leave(&mut self, graph: &mut Graph, id: EventId) {
        let mark = self.marks.pop().expect("leave follows enter");
        self.roll_back(graph, mark);
        match graph.event(id).kind {
            Kind::Lock => {
                let section = self.sections.pop().expect("it was opened");
                self.before.truncate(self.sections.len() * self.words);
                self.left_open -= self.pairs.len() - section.pairs;
                self.pairs.truncate(section.pairs);
                self.of_lock[section.lock as usize].pop();
                self.held[id.thread()].pop();
                self.rank.pop();
            }
            Kind::Unlock => self.reopen(graph, id),
            _ => {}
        }
        self.order.leave(graph, id);
    }

    /// A lock event opens a section: it comes after earlier ones of its thread, and before those that have
    /// stopped.
    fn open(&mut self, graph: &mut Graph, id: EventId) -> bool {
        let event = graph.event(id);
        let (lock, mode, pairs) = (event.loc, event.lock_mode(), self.pairs.len());
        let section =
            Section { lock, mode, span: SectionSpan { lock: id, unlock: None }, stopped: false, pairs };
        let new = self.sections.len();
        if new == self.words * 64 {
            self.widen();
        }
        self.sections.push(section);
        self.before.resize((new + 1) * self.words, 0);
        self.rank.push(self.rank.iter().max().map_or(0, |last| last + 1));
        if self.held.len() <= id.thread() {
            self.held.resize(id.thread() + 1, Vec::new());
        }
        self.held[id.thread()].push(new as u32);
        if self.of_lock.len() <= lock as usize {
            self.of_lock.resize(lock as usize + 1, Vec::new());
        }
        let others = std::mem::take(&mut self.of_lock[lock as usize]);
        let mut fine = true;
        for &other in &others {
            let theirs = self.sections[other as usize];
            if !theirs.conflicts(&section) {
                continue;
            }
            if theirs.span.lock.thread() == id.thread() {
                self.note(other as usize, new);
                continue;
            }
            self.pairs.push((other, new as u32));
            self.left_open += 1;
            if theirs.stopped {
                fine &= self.decide(graph, new, other as usize);
            }
        }
        self.of_lock[lock as usize] = others;
        self.of_lock[lock as usize].push(new as u32);
        fine
    }

    /// Record that section a comes before section b.
    fn note(&mut self, a: usize, b: usize) {
        self.before[a * self.words + b / 64] |= 1 << (b % 64);
        self.decided.push((a as u32, b as u32));
        self.left_open -= usize::from(self.are_apart(a, b));
    }

    /// Are these sections of different threads?
    fn are_apart(&self, a: usize, b: usize) -> bool {
        self.sections[a].span.lock.thread() != self.sections[b].span.lock.thread()
    }

    /// Section a comes before section b: record it, and add the edge. False if that is impossible.
    fn decide(&mut self, graph: &mut Graph, a: usize, b: usize) -> bool {
        if self.is_before(b, a) {
            return false;
        }
        if self.is_before(a, b) {
            return true;
        }
        self.note(a, b);
        if Mutant::SectionsUnordered.is_active() {
            return true;
        }
        self.order.put_before(graph, self.sections[a].span, self.sections[b].span.lock)
    }

    /// A thread has stopped for good: its open sections are the last of their locks. False if that is
    /// impossible. To be taken back by [`SectionOrders::resume`] in either case.
    pub fn stop(&mut self, graph: &mut Graph, thread: usize) -> bool {
        self.marks.push(self.mark());
        let mut fine = true;
        for held in 0..self.held.get(thread).map_or(0, Vec::len) {
            let at = self.held[thread][held] as usize;
            self.sections[at].stopped = true;
            fine = fine && self.put_last(graph, at);
        }
        fine
    }

    /// All sections of its lock that conflict with this one come before it.
    fn put_last(&mut self, graph: &mut Graph, at: usize) -> bool {
        let section = self.sections[at];
        for other in 0..self.of_lock[section.lock as usize].len() {
            let other = self.of_lock[section.lock as usize][other] as usize;
            if other != at && self.sections[other].conflicts(&section) && !self.decide(graph, other, at) {
                return false;
            }
        }
        true
    }

    pub fn resume(&mut self, graph: &mut Graph, thread: usize) {
        let mark = self.marks.pop().expect("resume follows stop");
        self.roll_back(graph, mark);
        for &id in self.held.get(thread).map_or(&[][..], Vec::as_slice) {
            self.sections[id as usize].stopped = false;
        }
    }
}
