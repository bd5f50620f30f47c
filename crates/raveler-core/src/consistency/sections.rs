//! Critical sections that are left unordered: is there an order of the sections of every lock, and a coherence order,
//! under which the model allows the graph? (locks.md §2)
//!
//! Of two sections of one lock, not both shared, one lies before the other. What the graph forces is kept, with undo;
//! whether the rest can be ordered is found out by trying the order that worked last, then by branching. A section
//! that is still open may stand anywhere (events that are still to come may make room for it), unless its thread has
//! stopped for good: then it is the last one.

use std::cmp::Reverse;

use super::with_sections::{EdgeMark, Joint, Span};
use super::{Consistency, Explain, Test};
use crate::graph::{Graph, Kind, Loc};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::action::LockMode;
use crate::search::Model;

/// One section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    pub lock: Loc,
    pub mode: LockMode,
    pub span: Span,
    /// Its thread does nothing more: no section of the lock may follow it.
    pub stopped: bool,
    /// How many pairs there were before it.
    pairs: usize,
}

impl Section {
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

/// An order of the model together with the sections.
pub(crate) struct Guarded<K> {
    pub order: K,
    pub sections: Vec<Section>,
    /// `before[a]` has bit b: section a comes before section b. Rows of [`Guarded::words`] words.
    before: Vec<u64>,
    words: usize,
    /// The sections of each lock.
    of_lock: Vec<Vec<u32>>,
    /// The sections that each thread is in, oldest first.
    held: Vec<Vec<u32>>,
    /// Pairs of sections of different threads of which one must come first, decided or not.
    pairs: Vec<(u32, u32)>,
    /// How many of them are not decided.
    left_open: usize,
    /// The pairs decided, in order.
    decided: Vec<(u32, u32)>,
    marks: Vec<Mark>,
    /// An order that worked: each section's rank. Only a hint.
    rank: Vec<u32>,
    /// Kept for its memory.
    open_pairs: Vec<(usize, usize)>,
}

impl<K: Joint> Guarded<K> {
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

    /// The sections that a thread is in.
    pub fn held(&self, thread: usize) -> impl Iterator<Item = &Section> {
        let ids = self.held.get(thread).map_or(&[][..], Vec::as_slice);
        ids.iter().map(|&id| &self.sections[id as usize])
    }

    /// The same by number.
    pub fn held_ids(&self, thread: usize) -> impl Iterator<Item = usize> {
        self.held.get(thread).map_or(&[][..], Vec::as_slice).iter().map(|&id| id as usize)
    }

    /// Does a section come before one of this thread?
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

    /// Is some thread in a section?
    pub fn has_open(&self) -> bool {
        self.held.iter().any(|held| !held.is_empty())
    }

    fn close(&mut self, graph: &Graph, unlock: EventId) {
        let lock = graph.event(unlock).loc;
        let held = &mut self.held[unlock.thread()];
        // The last one, if a shared lock is taken more than once.
        let at = held.iter().rposition(|&id| self.sections[id as usize].lock == lock);
        let id = held.remove(at.expect("what is released was taken"));
        self.sections[id as usize].span.unlock = Some(unlock);
    }

    fn reopen(&mut self, graph: &Graph, unlock: EventId) {
        let ids = &self.of_lock[graph.event(unlock).loc as usize];
        let closed = |&&id: &&u32| self.sections[id as usize].span.unlock == Some(unlock);
        let id = *ids.iter().rev().find(closed).expect("it was closed");
        self.sections[id as usize].span.unlock = None;
        let held = &mut self.held[unlock.thread()];
        let at = held.partition_point(|&other| other < id);
        held.insert(at, id);
    }

    /// The open sections for which one who wants the lock has to wait.
    pub fn holders(&self, lock: Loc, mode: LockMode) -> impl Iterator<Item = &Section> {
        self.of_lock(lock).filter(move |s| s.is_open() && s.mode.excludes(mode))
    }

    /// An event was pushed: a read with its source, a write with its place. Keeps what follows; false if it is
    /// impossible. To be taken back by [`Guarded::leave`] in either case.
    pub fn enter(&mut self, graph: &mut Graph, id: EventId) -> bool {
        self.marks.push(self.mark());
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
        // Edges came after the update and go before it.
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

    fn open(&mut self, graph: &mut Graph, id: EventId) -> bool {
        let event = graph.event(id);
        let mode = if event.read != 0 { LockMode::Shared } else { LockMode::Exclusive };
        let (lock, pairs) = (event.loc, self.pairs.len());
        let section = Section { lock, mode, span: Span { lock: id, unlock: None }, stopped: false, pairs };
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

    fn note(&mut self, a: usize, b: usize) {
        self.before[a * self.words + b / 64] |= 1 << (b % 64);
        self.decided.push((a as u32, b as u32));
        self.left_open -= usize::from(self.are_apart(a, b));
    }

    /// Are these sections of different threads?
    fn are_apart(&self, a: usize, b: usize) -> bool {
        self.sections[a].span.lock.thread() != self.sections[b].span.lock.thread()
    }

    /// Section a comes before section b. False if that is impossible.
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

    /// A thread does nothing more: its open sections are the last of their locks. To be taken back by
    /// [`Guarded::resume`] in either case.
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

    /// All other sections of its lock come before this one.
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

    /// After an event of a thread was entered: what it adds to its sections comes before all that they come before.
    /// Then keep what is forced, and see whether the rest can be ordered.
    pub fn settle(&mut self, graph: &mut Graph, id: EventId) -> bool {
        let kind = graph.event(id).kind;
        if kind == Kind::Unlock {
            // Mostly nothing depends on where a section ends but what comes behind it.
            let ids = &self.of_lock[graph.event(id).loc as usize];
            let ended = ids.iter().rev().find(|&&s| self.sections[s as usize].span.unlock == Some(id));
            let ended = *ended.expect("it was closed") as usize;
            return self.extend(graph, ended)
                && self.extend_held(graph, id.thread())
                && (!self.order.minds_ends(graph) || Mutant::EndsIgnored.is_active() || self.solve(graph));
        }
        if !self.extend_held(graph, id.thread()) {
            return false;
        }
        // If nothing comes behind a new event, then a new section can be the last one, and so can a new write. That must
        // be known before looking at what the event itself decides: such an order may not exist.
        let fine = match kind {
            Kind::Lock => self.can_be_last(self.sections.len() - 1),
            Kind::Write => !K::COHERENCE,
            Kind::Spawn | Kind::Join | Kind::Alloc | Kind::Choose | Kind::Observe => true,
            _ => false,
        };
        let fine = fine && self.is_behind_all(id);
        self.propagate(graph, id.thread()) && (fine || self.can_be_ordered(graph))
    }

    /// Are all sections that this event lies in known to be the last of their locks? Then nothing comes behind it, in
    /// whatever order the others are. A section that it opens does not count.
    fn is_behind_all(&self, id: EventId) -> bool {
        let held = self.held.get(id.thread()).map_or(&[][..], Vec::as_slice).iter().map(|&at| at as usize);
        held.filter(|&at| self.sections[at].span.lock != id).all(|at| {
            let section = &self.sections[at];
            let others = self.of_lock[section.lock as usize].iter().map(|&other| other as usize);
            Mutant::AlwaysBehind.is_active()
                || others
                    .filter(|&other| other != at && self.sections[other].conflicts(section))
                    .all(|other| self.is_before(other, at))
        })
    }

    fn holds_nothing(&self, thread: usize) -> bool {
        self.held.get(thread).is_none_or(Vec::is_empty)
    }

    /// Has no section of the same lock stopped that this one has to come before?
    fn can_be_last(&self, at: usize) -> bool {
        let section = &self.sections[at];
        let mut others = self.of_lock(section.lock);
        Mutant::StoppedIgnored.is_active() || others.all(|other| !(other.stopped && other.conflicts(section)))
    }

    fn extend_held(&mut self, graph: &mut Graph, thread: usize) -> bool {
        (0..self.held.get(thread).map_or(0, Vec::len)).all(|at| {
            let section = self.held[thread][at] as usize;
            self.extend(graph, section)
        })
    }

    /// What is new in a section comes before all that the section comes before.
    fn extend(&mut self, graph: &mut Graph, section: usize) -> bool {
        let span = self.sections[section].span;
        for word in 0..self.words {
            let mut later = self.before[section * self.words + word];
            while later != 0 {
                let other = word * 64 + later.trailing_zeros() as usize;
                later &= later - 1;
                if !self.order.put_before(graph, span, self.sections[other].span.lock) {
                    return false;
                }
            }
        }
        true
    }

    /// Is there an order? What is forced is kept, the rest is not.
    pub fn solve(&mut self, graph: &mut Graph) -> bool {
        self.propagate_all(graph) && self.can_be_ordered(graph)
    }

    /// Is there an order of what is not decided?
    fn can_be_ordered(&mut self, graph: &mut Graph) -> bool {
        if self.left_open == 0 {
            return self.order.completes(graph);
        }
        let mark = self.mark();
        let mut found = self.try_witness(graph);
        if !found {
            self.roll_back(graph, mark);
            found = self.branch(graph);
            if found {
                self.remember_witness();
            }
        }
        self.roll_back(graph, mark);
        found
    }

    /// Of two sections one of whose events is known to come before one of the other, the first is first. Here only what a
    /// new event of this thread is likely to say: of the sections it is in.
    fn propagate(&mut self, graph: &mut Graph, thread: usize) -> bool {
        if self.left_open == 0 || self.holds_nothing(thread) {
            return true;
        }
        let before = self.decided.len();
        for held in 0..self.held[thread].len() {
            let own = self.held[thread][held];
            for other in 0..self.of_lock[self.sections[own as usize].lock as usize].len() {
                let other = self.of_lock[self.sections[own as usize].lock as usize][other];
                if !self.propagate_pair(graph, other as usize, own as usize) {
                    return false;
                }
            }
        }
        self.decided.len() == before || self.propagate_all(graph)
    }

    /// The same for all sections.
    fn propagate_all(&mut self, graph: &mut Graph) -> bool {
        while self.left_open > 0 {
            let before = self.decided.len();
            for at in 0..self.pairs.len() {
                let (a, b) = self.pairs[at];
                if !self.propagate_pair(graph, a as usize, b as usize) {
                    return false;
                }
            }
            if self.decided.len() == before {
                break;
            }
        }
        true
    }

    fn propagate_pair(&mut self, graph: &mut Graph, a: usize, b: usize) -> bool {
        if a == b || !self.is_undecided(a, b) || !self.sections[a].conflicts(&self.sections[b]) {
            return true;
        }
        let (first, second) = (self.sections[a].span, self.sections[b].span);
        let forward = self.order.is_known_before(graph, first, second);
        let backward = self.order.is_known_before(graph, second, first);
        match (forward, backward) {
            (true, true) => false,
            (true, false) => self.decide(graph, a, b),
            (false, true) => self.decide(graph, b, a),
            (false, false) => true,
        }
    }

    fn is_undecided(&self, a: usize, b: usize) -> bool {
        !self.is_before(a, b) && !self.is_before(b, a)
    }

    /// Two sections whose order is not decided, in the order of the witness.
    fn undecided(&self) -> Option<(usize, usize)> {
        if self.left_open == 0 {
            return None;
        }
        let open = self.pairs.iter().find(|&&(a, b)| self.is_undecided(a as usize, b as usize));
        open.map(|&pair| self.by_rank(pair))
    }

    fn by_rank(&self, (a, b): (u32, u32)) -> (usize, usize) {
        let (a, b) = (a as usize, b as usize);
        if self.rank[a] <= self.rank[b] { (a, b) } else { (b, a) }
    }

    /// Order all that is open as it was ordered last. What is left of that is for the caller to take back.
    fn try_witness(&mut self, graph: &mut Graph) -> bool {
        let mut open = std::mem::take(&mut self.open_pairs);
        open.clear();
        let undecided = self.pairs.iter().filter(|&&(a, b)| self.is_undecided(a as usize, b as usize));
        open.extend(undecided.map(|&pair| self.by_rank(pair)));
        // From first to last, and each behind the one that is next to it: that says already what the others would.
        open.sort_unstable_by_key(|&(a, b)| (self.rank[b], Reverse(self.rank[a])));
        let fine = open.iter().all(|&(a, b)| self.decide(graph, a, b));
        self.open_pairs = open;
        fine && self.order.completes(graph)
    }

    /// Try both orders of one pair after the other; leaves the order that works.
    fn branch(&mut self, graph: &mut Graph) -> bool {
        if !self.propagate_all(graph) || !self.order.completes(graph) {
            return false;
        }
        let Some((a, b)) = self.undecided() else { return true };
        let mark = self.mark();
        for (first, second) in [(a, b), (b, a)] {
            if self.decide(graph, first, second) && self.branch(graph) {
                return true;
            }
            self.roll_back(graph, mark);
            if Mutant::OneOrderTried.is_active() {
                break;
            }
        }
        false
    }

    /// All sections are ordered: in each lock a section's place is the number of those before it.
    fn remember_witness(&mut self) {
        self.rank.fill(0);
        for &(a, b) in &self.pairs {
            let later = if self.is_before(a as usize, b as usize) { b } else { a };
            self.rank[later as usize] += 1;
        }
    }

    /// Is this a state that can really be reached: is every open section the last of its lock?
    pub fn is_real(&mut self, graph: &mut Graph) -> bool {
        let mut real = false;
        self.each_real_order(graph, &mut |_, _| {
            real = true;
            false
        });
        real
    }

    /// Calls `found` with each order of all sections under which the graph is a state that can be reached, until it
    /// answers false.
    pub fn each_real_order(
        &mut self,
        graph: &mut Graph,
        found: &mut dyn FnMut(&mut Guarded<K>, &mut Graph) -> bool,
    ) {
        let mark = self.mark();
        if self.put_open_last(graph) {
            self.enumerate(graph, found);
        }
        self.roll_back(graph, mark);
    }

    /// All orders under which the graph is a state that can be reached, as pairs of sections.
    pub fn real_orders(&mut self, graph: &mut Graph) -> Vec<Vec<(u32, u32)>> {
        let mut orders = Vec::new();
        self.each_real_order(graph, &mut |this, _| {
            orders.push(this.decided.clone());
            true
        });
        orders
    }

    /// Order the sections like this, which is known to be possible, until [`Guarded::unfix`].
    pub fn fix(&mut self, graph: &mut Graph, decisions: &[(u32, u32)]) {
        self.marks.push(self.mark());
        for &(a, b) in decisions {
            let possible = self.decide(graph, a as usize, b as usize);
            debug_assert!(possible, "it was found in the same graph");
        }
    }

    pub fn unfix(&mut self, graph: &mut Graph) {
        let mark = self.marks.pop().expect("unfix follows fix");
        self.roll_back(graph, mark);
    }

    fn put_open_last(&mut self, graph: &mut Graph) -> bool {
        if Mutant::OpenNotLast.is_active() {
            return true;
        }
        for thread in 0..self.held.len() {
            for held in 0..self.held[thread].len() {
                let at = self.held[thread][held] as usize;
                let section = self.sections[at];
                let other = |&id: &&u32| {
                    let other = &self.sections[*id as usize];
                    *id as usize != at && other.is_open() && other.conflicts(&section)
                };
                let shared = self.of_lock[section.lock as usize].iter().any(|id| other(&id));
                if shared || !self.put_last(graph, at) {
                    return false;
                }
            }
        }
        true
    }

    fn enumerate(
        &mut self,
        graph: &mut Graph,
        found: &mut dyn FnMut(&mut Guarded<K>, &mut Graph) -> bool,
    ) -> bool {
        if !self.propagate_all(graph) || !self.order.completes(graph) {
            return true;
        }
        let Some((a, b)) = self.undecided() else {
            return found(self, graph);
        };
        let mark = self.mark();
        for (first, second) in [(a, b), (b, a)] {
            let go_on = !self.decide(graph, first, second) || self.enumerate(graph, found);
            self.roll_back(graph, mark);
            if !go_on {
                return false;
            }
        }
        true
    }

    /// Calls `explain` with an order that explains the graph with these last writes, if there is one.
    fn explained<T>(
        &mut self,
        graph: &Graph,
        last: &[(Loc, u32)],
        explain: &mut dyn FnMut(&mut Guarded<K>, &mut Graph) -> T,
    ) -> Option<T> {
        // Edges raise rows of the graph, which is not ours to change.
        let mut graph = graph.clone();
        let mark = self.mark();
        let mut result = None;
        if last.iter().all(|&(loc, slot)| self.order.put_last(&graph, loc, slot)) {
            self.each_real_order(&mut graph, &mut |this, graph| {
                result = Some(explain(this, graph));
                false
            });
        }
        self.roll_back(&mut graph, mark);
        result
    }
}

impl<K: Joint> Explain for Guarded<K> {
    fn last_writes(&mut self, graph: &Graph, locs: &[Loc], found: &mut dyn FnMut(&[u32])) {
        let mut rows: Vec<Vec<u32>> = Vec::new();
        self.order.last_writes(graph, locs, &mut |row| rows.push(row.to_vec()));
        for row in rows {
            let last: Vec<(Loc, u32)> = locs.iter().copied().zip(row.iter().copied()).collect();
            if self.explained(graph, &last, &mut |_, _| ()).is_some() {
                found(&row);
            }
        }
    }

    fn coherence(&mut self, graph: &Graph, last: &[(Loc, u32)]) -> Vec<Vec<EventId>> {
        self.explained(graph, last, &mut |this, graph| this.order.coherence(graph, last))
            .unwrap_or_else(|| self.order.coherence(graph, last))
    }

    fn lock_edges(&mut self, graph: &Graph, last: &[(Loc, u32)]) -> Vec<(EventId, EventId)> {
        let edges = |this: &mut Guarded<K>, graph: &mut Graph| {
            let mut edges = Vec::new();
            for (a, first) in this.sections.iter().enumerate() {
                for (b, second) in this.sections.iter().enumerate() {
                    if this.is_before(a, b) {
                        edges.push((first.span.last(graph), second.span.lock));
                    }
                }
            }
            edges
        };
        self.explained(graph, last, &mut { edges }).unwrap_or_default()
    }
}

/// The ordinary search's questions go to the order of the model: it has no sections.
impl<K: Joint> Consistency for Guarded<K> {
    const COHERENCE: bool = K::COHERENCE;

    fn new(model: Model) -> Guarded<K> {
        Guarded {
            order: K::new(model),
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
            open_pairs: Vec::new(),
        }
    }

    fn sources(&mut self, graph: &Graph, read: EventId, out: &mut Vec<EventId>) {
        self.order.sources(graph, read, out);
    }

    fn first_place(&mut self, graph: &Graph, write: EventId) -> usize {
        self.order.first_place(graph, write)
    }

    fn read(&mut self, graph: &Graph, read: EventId) -> bool {
        self.order.read(graph, read)
    }

    fn unread(&mut self, graph: &Graph, read: EventId) {
        self.order.unread(graph, read);
    }

    fn update(&mut self, graph: &Graph, update: EventId) -> bool {
        self.order.update(graph, update)
    }

    fn unupdate(&mut self, graph: &Graph, update: EventId) {
        self.order.unupdate(graph, update);
    }

    fn write(&mut self, graph: &Graph, write: EventId) -> bool {
        self.order.write(graph, write)
    }

    fn unwrite(&mut self, graph: &Graph, write: EventId) {
        self.order.unwrite(graph, write);
    }

    fn other(&mut self, graph: &Graph, event: EventId) {
        self.order.other(graph, event);
    }

    fn unother(&mut self, graph: &Graph, event: EventId) {
        self.order.unother(graph, event);
    }

    fn rebuild(&mut self, graph: &Graph) -> bool {
        self.order.rebuild(graph)
    }

    fn revisited(
        &mut self,
        parent: &Guarded<K>,
        graph: &Graph,
        lost: &[Loc],
        write: EventId,
        read: EventId,
    ) -> bool {
        self.order.revisited(&parent.order, graph, lost, write, read)
    }

    fn revisit_placed(&mut self, graph: &Graph, write: EventId, read: EventId) -> bool {
        self.order.revisit_placed(graph, write, read)
    }

    fn revisit_unplaced(&mut self, graph: &Graph, write: EventId, read: EventId) {
        self.order.revisit_unplaced(graph, write, read);
    }

    fn is_overwritten(&self, graph: &Graph, write: EventId, later: EventId) -> bool {
        self.order.is_overwritten(graph, write, later)
    }

    fn reads_canonical(&mut self, test: &Test<'_>) -> bool {
        self.order.reads_canonical(test)
    }
}
