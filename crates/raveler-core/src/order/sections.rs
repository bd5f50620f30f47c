//! Critical sections that are left unordered: is there an order of the sections of every lock, and a coherence order,
//! under which the model allows the graph? (locks.md §2)
//!
//! Of two sections of one lock, not both shared, one lies before the other. What the graph forces is kept, with undo;
//! whether the rest can be ordered is found out by trying the order that worked last, then by branching. A section
//! that is still open may stand anywhere (events that are still to come may make room for it), unless its thread has
//! stopped for good: then it is the last one.

use super::joint::{EdgeMark, Joint, Span};
use super::{Consistency, Explain, Test};
use crate::action::LockMode;
use crate::graph::{Graph, Kind, Loc};
use crate::id::EventId;
use crate::search::Model;

/// One section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    pub lock: Loc,
    pub mode: LockMode,
    pub span: Span,
    /// Its thread does nothing more: no section of the lock may follow it.
    pub stopped: bool,
}

impl Section {
    pub fn conflicts(&self, other: &Section) -> bool {
        self.lock == other.lock && !(self.mode == LockMode::Shared && other.mode == LockMode::Shared)
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
    /// The pairs decided, in order.
    decided: Vec<(u32, u32)>,
    marks: Vec<Mark>,
    /// An order that worked: sections by rank. Only a hint.
    witness: Vec<u32>,
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

    /// The open section of a lock in a thread; the last one, if a shared lock is taken more than once.
    pub fn open_section(&self, thread: usize, lock: Loc) -> Option<usize> {
        let mine = |s: &Section| s.lock == lock && s.is_open() && s.span.lock.thread() == thread;
        self.sections.iter().rposition(mine)
    }

    /// Is a thread's section one of whose conflicting sections is open, so that it waits? The holders.
    pub fn holders(&self, lock: Loc, mode: LockMode) -> impl Iterator<Item = &Section> {
        self.sections.iter().filter(move |s| {
            s.lock == lock
                && s.is_open()
                && (s.mode == LockMode::Exclusive || mode == LockMode::Exclusive)
        })
    }

    /// An event was pushed: a read with its source, a write with its place. Keeps what follows; false if it is
    /// impossible. To be taken back by [`Guarded::leave`] in either case.
    pub fn enter(&mut self, graph: &mut Graph, id: EventId) -> bool {
        self.marks.push(self.mark());
        let fine = self.order.enter(graph, id);
        match graph.event(id).kind {
            Kind::Lock => self.open(graph, id) && fine,
            Kind::Unlock => {
                let at = self.open_section(id.thread(), graph.event(id).loc).expect("it was taken");
                self.sections[at].span.unlock = Some(id);
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
                self.sections.pop();
                self.before.truncate(self.sections.len() * self.words);
                self.witness.retain(|&s| (s as usize) < self.sections.len());
            }
            Kind::Unlock => {
                let at = self.sections.iter().rposition(|s| s.span.unlock == Some(id));
                self.sections[at.expect("it was closed")].span.unlock = None;
            }
            _ => {}
        }
        self.order.leave(graph, id);
    }

    fn open(&mut self, graph: &mut Graph, id: EventId) -> bool {
        let event = graph.event(id);
        let mode = if event.read != 0 { LockMode::Shared } else { LockMode::Exclusive };
        let section =
            Section { lock: event.loc, mode, span: Span { lock: id, unlock: None }, stopped: false };
        let new = self.sections.len();
        if new == self.words * 64 {
            self.widen();
        }
        self.sections.push(section);
        self.before.resize((new + 1) * self.words, 0);
        self.witness.push(new as u32);
        for other in 0..new {
            let theirs = self.sections[other];
            if !theirs.conflicts(&section) {
                continue;
            }
            let fine = if theirs.span.lock.thread() == id.thread() {
                self.note(other, new);
                true
            } else if theirs.stopped {
                self.decide(graph, new, other)
            } else {
                true
            };
            if !fine {
                return false;
            }
        }
        true
    }

    fn note(&mut self, a: usize, b: usize) {
        self.before[a * self.words + b / 64] |= 1 << (b % 64);
        self.decided.push((a as u32, b as u32));
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
        self.order.put_before(graph, self.sections[a].span, self.sections[b].span.lock)
    }

    /// A thread does nothing more: its open sections are the last of their locks. To be taken back by
    /// [`Guarded::resume`] in either case.
    pub fn stop(&mut self, graph: &mut Graph, thread: usize) -> bool {
        self.marks.push(self.mark());
        let mut fine = true;
        for at in 0..self.sections.len() {
            let section = self.sections[at];
            if section.span.lock.thread() != thread || !section.is_open() {
                continue;
            }
            self.sections[at].stopped = true;
            for other in 0..self.sections.len() {
                if fine && other != at && self.sections[other].conflicts(&section) {
                    fine = self.decide(graph, other, at);
                }
            }
        }
        fine
    }

    pub fn resume(&mut self, graph: &mut Graph, thread: usize) {
        let mark = self.marks.pop().expect("resume follows stop");
        self.roll_back(graph, mark);
        for section in &mut self.sections {
            if section.span.lock.thread() == thread && section.is_open() {
                section.stopped = false;
            }
        }
    }

    /// After an event of a thread was entered: what it adds to its sections comes before all that they come before.
    /// Then keep what is forced, and see whether the rest can be ordered.
    pub fn settle(&mut self, graph: &mut Graph, id: EventId) -> bool {
        self.extend(graph, id) && self.solve(graph)
    }

    fn extend(&mut self, graph: &mut Graph, id: EventId) -> bool {
        for a in 0..self.sections.len() {
            let span = self.sections[a].span;
            if span.lock.thread() != id.thread() || span.unlock.is_some_and(|unlock| unlock != id) {
                continue;
            }
            for b in 0..self.sections.len() {
                if self.is_before(a, b) && !self.order.put_before(graph, span, self.sections[b].span.lock) {
                    return false;
                }
            }
        }
        true
    }

    /// Is there an order? What is forced is kept, the rest is not.
    pub fn solve(&mut self, graph: &mut Graph) -> bool {
        if !self.propagate(graph) {
            return false;
        }
        if self.undecided().is_none() {
            return self.order.completes(graph);
        }
        let mark = self.mark();
        let found = self.try_witness(graph) || {
            self.roll_back(graph, mark);
            self.branch(graph)
        };
        if found {
            self.remember_witness();
        }
        self.roll_back(graph, mark);
        found
    }

    /// Of two sections one of whose events is known to come before one of the other, the first is first.
    fn propagate(&mut self, graph: &mut Graph) -> bool {
        loop {
            let before = self.decided.len();
            for b in 1..self.sections.len() {
                for a in 0..b {
                    if !self.is_open_pair(a, b) {
                        continue;
                    }
                    let (first, second) = (self.sections[a].span, self.sections[b].span);
                    let forward = self.order.is_known_before(graph, first, second);
                    let backward = self.order.is_known_before(graph, second, first);
                    if forward && backward
                        || forward && !self.decide(graph, a, b)
                        || backward && !self.decide(graph, b, a)
                    {
                        return false;
                    }
                }
            }
            if self.decided.len() == before {
                return true;
            }
        }
    }

    fn is_open_pair(&self, a: usize, b: usize) -> bool {
        self.sections[a].conflicts(&self.sections[b]) && !self.is_before(a, b) && !self.is_before(b, a)
    }

    /// Two sections whose order is not decided, in the order of the witness.
    fn undecided(&self) -> Option<(usize, usize)> {
        for (rank, &b) in self.witness.iter().enumerate() {
            for &a in &self.witness[..rank] {
                if self.is_open_pair(a as usize, b as usize) {
                    return Some((a as usize, b as usize));
                }
            }
        }
        None
    }

    /// Order all that is open as it was ordered last. What is left of that is for the caller to take back.
    fn try_witness(&mut self, graph: &mut Graph) -> bool {
        while let Some((a, b)) = self.undecided() {
            if !self.decide(graph, a, b) {
                return false;
            }
        }
        self.order.completes(graph)
    }

    /// Try both orders of one pair after the other; leaves the order that works.
    fn branch(&mut self, graph: &mut Graph) -> bool {
        if !self.propagate(graph) || !self.order.completes(graph) {
            return false;
        }
        let Some((a, b)) = self.undecided() else { return true };
        let mark = self.mark();
        for (first, second) in [(a, b), (b, a)] {
            if self.decide(graph, first, second) && self.branch(graph) {
                return true;
            }
            self.roll_back(graph, mark);
        }
        false
    }

    fn remember_witness(&mut self) {
        let rank = |s: u32| {
            (0..self.sections.len()).filter(|&other| self.is_before(other, s as usize)).count()
        };
        let mut order: Vec<u32> = (0..self.sections.len() as u32).collect();
        order.sort_by_key(|&s| rank(s));
        self.witness = order;
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
        for a in 0..self.sections.len() {
            for b in 0..self.sections.len() {
                let (first, last) = (self.sections[a], self.sections[b]);
                if a != b
                    && last.is_open()
                    && first.conflicts(&last)
                    && (first.is_open() || !self.decide(graph, a, b))
                {
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
        if !self.propagate(graph) || !self.order.completes(graph) {
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
            decided: Vec::new(),
            marks: Vec::new(),
            witness: Vec::new(),
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

    fn reads_canonical(&mut self, test: &Test<'_>) -> bool {
        self.order.reads_canonical(test)
    }
}
