//! Is there an order of the sections under which the model allows the graph?
//!
//! What the graph forces is decided and kept (`propagate`). The rest is tried in the order that worked last,
//! the witness, then pair by pair both ways (`branch`). An open section may come anywhere.

use std::cmp::Reverse;

use super::SectionOrders;
use crate::consistency::with_sections::WithSections;
use crate::graph::{Graph, Kind};
use crate::id::EventId;
use crate::mutation::Mutant;

impl<K: WithSections> SectionOrders<K> {
    /// After an event was entered: it comes before every section that an open section of its thread comes
    /// before. Then decide what is forced, and see whether the rest can be ordered. False if not.
    pub fn settle(&mut self, graph: &mut Graph, id: EventId) -> bool {
        let kind = graph.event(id).kind;
        if kind == Kind::Unlock {
            // An unlock forces nothing but that it comes before the sections that follow, unless there are
            // `seq_cst` events.
            let ids = &self.of_lock[graph.event(id).loc as usize];
            let ended = ids.iter().rev().find(|&&s| self.sections[s as usize].span.unlock == Some(id));
            let ended = *ended.expect("it was closed") as usize;
            return self.extend(graph, ended)
                && self.extend_held(graph, id.thread())
                && (!self.order.depends_on_ends(graph)
                    || Mutant::EndsIgnored.is_active()
                    || self.solve(graph));
        }
        if !self.extend_held(graph, id.thread()) {
            return false;
        }
        // If nothing can come after a new event, a new section can be the last of its lock, and a new write
        // the last of its location: then the order that explained the graph before still does. That must be
        // asked before the event itself decides pairs of sections (`propagate`), since with these pairs
        // decided there may be no order at all.
        let fine = match kind {
            Kind::Lock => self.can_be_last(self.sections.len() - 1),
            Kind::Write => !K::COHERENCE || is_coherence_last(graph, id),
            Kind::Read => self.reads_last,
            Kind::Update => self.reads_last && (!K::COHERENCE || is_coherence_last(graph, id)),
            Kind::Spawn | Kind::Join | Kind::Alloc | Kind::Initialise | Kind::Choose | Kind::Observe => true,
            _ => false,
        };
        let fine = fine && self.is_witnessed(graph, id);
        let fine = self.propagate(graph, id.thread()) && (fine || self.can_be_ordered(graph));
        #[cfg(any(test, feature = "paranoid"))]
        if fine {
            self.verify_witness(graph);
        }
        fine
    }

    pub(super) fn holds_nothing(&self, thread: usize) -> bool {
        self.held.get(thread).is_none_or(Vec::is_empty)
    }

    /// Can a section be the last of its lock: has no thread stopped in one that conflicts with it?
    pub(super) fn can_be_last(&self, at: usize) -> bool {
        let section = &self.sections[at];
        let mut others = self.of_lock(section.lock);
        Mutant::StoppedIgnored.is_active() || others.all(|other| !(other.stopped && other.conflicts(section)))
    }

    /// [`SectionOrders::extend`] for all open sections of a thread.
    pub(super) fn extend_held(&mut self, graph: &mut Graph, thread: usize) -> bool {
        (0..self.held.get(thread).map_or(0, Vec::len)).all(|at| {
            let section = self.held[thread][at] as usize;
            self.extend(graph, section)
        })
    }

    /// The last event of a section comes before all sections that the section is known to come before. False
    /// if that is impossible.
    pub(super) fn extend(&mut self, graph: &mut Graph, section: usize) -> bool {
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

    /// Is there an order of the sections? What is forced is kept, the rest of the order is not.
    pub fn solve(&mut self, graph: &mut Graph) -> bool {
        self.propagate_all(graph) && self.can_be_ordered(graph)
    }

    /// Is there an order of the pairs that are not decided? Changes nothing but the witness.
    pub(super) fn can_be_ordered(&mut self, graph: &mut Graph) -> bool {
        if self.left_open == 0 {
            return self.order.completes(graph);
        }
        if self.only_untouched_are_open(graph) {
            let fine = self.order.completes(graph);
            if fine {
                self.put_untouched_last();
            }
            return fine;
        }
        let mark = self.mark();
        let old = self.follow_decisions();
        let mut found = self.try_witness(graph);
        self.roll_back(graph, mark);
        if !found {
            found = self.branch(graph);
            if found {
                self.remember_witness();
            } else if let Some(old) = old
                && !Mutant::FailedWitnessKept.is_active()
            {
                self.rank = old;
            }
            self.roll_back(graph, mark);
        }
        found
    }

    /// If an event of one section is known to come before an event of another one, the first section comes
    /// first: decide such pairs. Begins with the open sections of this thread, about which a new event of the
    /// thread is likely to say something; if that decides nothing, other pairs are not looked at.
    pub(super) fn propagate(&mut self, graph: &mut Graph, thread: usize) -> bool {
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
    pub(super) fn propagate_all(&mut self, graph: &mut Graph) -> bool {
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

    pub(super) fn propagate_pair(&mut self, graph: &mut Graph, a: usize, b: usize) -> bool {
        if a == b || !self.is_undecided(a, b) || !self.sections[a].conflicts(&self.sections[b]) {
            return true;
        }
        let (first, second) = (self.sections[a].span, self.sections[b].span);
        match self.order.known_order(graph, first, second) {
            (true, true) => false,
            (true, false) => self.decide(graph, a, b),
            (false, true) => self.decide(graph, b, a),
            (false, false) => true,
        }
    }

    pub(super) fn is_undecided(&self, a: usize, b: usize) -> bool {
        !self.is_before(a, b) && !self.is_before(b, a)
    }

    /// A pair of sections that is not decided, in the order of the witness.
    pub(super) fn undecided(&self) -> Option<(usize, usize)> {
        if self.left_open == 0 {
            return None;
        }
        let open = self.pairs.iter().find(|&&(a, b)| self.is_undecided(a as usize, b as usize));
        open.map(|&pair| self.by_rank(pair))
    }

    pub(super) fn by_rank(&self, (a, b): (u32, u32)) -> (usize, usize) {
        let (a, b) = (a as usize, b as usize);
        if self.rank[a] <= self.rank[b] { (a, b) } else { (b, a) }
    }

    /// Order all undecided pairs as in the witness. The caller takes back the edges.
    pub(super) fn try_witness(&mut self, graph: &mut Graph) -> bool {
        let mut open = std::mem::take(&mut self.open_pairs);
        open.clear();
        let undecided = self.pairs.iter().filter(|&&(a, b)| self.is_undecided(a as usize, b as usize));
        open.extend(undecided.map(|&pair| self.by_rank(pair)));
        // By the later section of a pair, and for each the nearest earlier one first: its edge mostly implies
        // those of the others.
        open.sort_unstable_by_key(|&(a, b)| (self.rank[b], Reverse(self.rank[a])));
        let fine = open.iter().all(|&(a, b)| {
            let (first, second) = (self.sections[a].span, self.sections[b].span);
            Mutant::SectionsUnordered.is_active() || self.order.put_before(graph, first, second.lock)
        });
        self.open_pairs = open;
        fine && self.order.completes(graph)
    }

    /// Is the witness one, tried or not?
    #[cfg(any(test, feature = "paranoid"))]
    fn verify_witness(&mut self, graph: &mut Graph) {
        let mark = self.mark();
        assert!(self.try_witness(graph), "the witness is one of the graph as it is");
        self.roll_back(graph, mark);
    }

    /// Try both orders of each undecided pair in turn. On true the order that works stays; the caller takes
    /// it back.
    pub(super) fn branch(&mut self, graph: &mut Graph) -> bool {
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
}

/// With a coherence order: is this write the last one?
fn is_coherence_last(graph: &Graph, write: EventId) -> bool {
    let event = graph.event(write);
    event.write_index as usize == graph.accesses[event.loc as usize].writes.len()
}
