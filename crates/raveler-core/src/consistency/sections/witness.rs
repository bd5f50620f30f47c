//! The witness: an order of the sections under which the model allows the graph as it is.
//!
//! Each section has a rank. A pair that is decided is in the order decided, any other pair in that of the ranks. What
//! holds of a graph holds of the graphs that it was made of, so the witness stays one when events are taken back. When
//! an event is added it mostly stays one, too, and need not be tried: if nothing comes after the event in this order but
//! lock events after which nothing has happened yet, and the event itself forces nothing.

use super::SectionOrders;
use crate::consistency::with_sections::WithSections;
use crate::graph::{Graph, Kind};
use crate::id::EventId;
use crate::mutation::Mutant;

impl<K: WithSections> SectionOrders<K> {
    /// A new event forces nothing upon what does not come after it. Is the witness that the graph had before one with this
    /// event, too? If its thread has done nothing yet in its newest section, that section may be moved behind the others.
    pub(super) fn is_witnessed(&mut self, graph: &Graph, id: EventId) -> bool {
        let Some(held) = self.held.get(id.thread()) else { return true };
        // A section that the event itself opens does not count: it is the last one.
        let held = if graph.event(id).kind == Kind::Lock { &held[..held.len() - 1] } else { &held[..] };
        let Some((&newest, outer)) = held.split_last() else { return true };
        if Mutant::AlwaysBehind.is_active() {
            return true;
        }
        // Edges lead into a new section, and from what is joined: then nothing at all may come after the event.
        let but_locks = !matches!(graph.event(id).kind, Kind::Lock | Kind::Join);
        let mut seen = std::mem::take(&mut self.seen_threads);
        let mut comes_last = |&at: &u32| {
            seen.clear();
            self.is_followed_by_nothing(graph, at as usize, but_locks, &mut seen)
        };
        let fine = comes_last(&newest);
        let fine_as_it_is = fine && outer.iter().all(comes_last);
        self.seen_threads = seen;
        if fine_as_it_is {
            return true;
        }
        // For the graphs on the way here the moved section must be possible, too: what is decided only now does not count.
        let newest = newest as usize;
        let may_move = !fine
            && self.sections[newest].span.lock.index() + 1 == id.index()
            && self.may_be_moved_last(newest)
            && outer.iter().all(|&at| self.is_ranked_last(at as usize));
        if may_move {
            self.rank[newest] = self.rank.iter().max().map_or(0, |last| last + 1);
        }
        may_move
    }

    /// Does the witness have nothing after this open section but, where they count as nothing, lock events after which
    /// nothing has happened yet?
    fn is_followed_by_nothing(
        &self,
        graph: &Graph,
        at: usize,
        but_locks: bool,
        seen: &mut Vec<usize>,
    ) -> bool {
        let section = &self.sections[at];
        self.of_lock[section.lock as usize].iter().map(|&other| other as usize).all(|other| {
            if other == at || !self.sections[other].conflicts(section) || !self.is_witnessed_before(at, other)
            {
                return true;
            }
            let lock = self.sections[other].span.lock;
            but_locks
                && graph.tip(lock.thread()) == lock
                && self.is_thread_followed_by_nothing(graph, lock, seen)
        })
    }

    /// The same for all open sections of the thread of this lock event, its last event.
    fn is_thread_followed_by_nothing(&self, graph: &Graph, tip: EventId, seen: &mut Vec<usize>) -> bool {
        if seen.contains(&tip.thread()) {
            return true;
        }
        seen.push(tip.thread());
        self.held[tip.thread()]
            .iter()
            .all(|&own| self.is_followed_by_nothing(graph, own as usize, true, seen))
    }

    /// Does the witness have section a before section b, which conflict?
    fn is_witnessed_before(&self, a: usize, b: usize) -> bool {
        self.is_before(a, b) || !self.is_before(b, a) && self.rank[a] < self.rank[b]
    }

    /// Can this section come behind all others of its lock, by what is known?
    fn may_be_moved_last(&self, at: usize) -> bool {
        let mut others = self.of_lock[self.sections[at].lock as usize].iter().map(|&other| other as usize);
        self.can_be_last(at) && !others.any(|other| other != at && self.is_before(at, other))
    }

    /// Do all sections that conflict with this one come before it by their ranks, and none after it by what is decided?
    fn is_ranked_last(&self, at: usize) -> bool {
        let section = &self.sections[at];
        self.of_lock[section.lock as usize].iter().map(|&other| other as usize).all(|other| {
            other == at
                || !self.sections[other].conflicts(section)
                || self.rank[other] < self.rank[at] && !self.is_before(at, other)
        })
    }

    /// Is one of each two sections that are not ordered yet *untouched*: nothing has happened after its lock event, it is not
    /// known to come before another one, and its thread is in no other section? Nothing comes after its lock event, so it
    /// may come behind all others; if what is known is possible, so is that.
    pub(super) fn only_untouched_are_open(&mut self, graph: &Graph) -> bool {
        let mut untouched = std::mem::take(&mut self.untouched);
        untouched.clear();
        untouched.extend(self.sections.iter().enumerate().map(|(at, section)| {
            let lock = section.span.lock;
            (graph.tip(lock.thread()) == lock || Mutant::OpenIsUntouched.is_active() && section.is_open())
                && self.held[lock.thread()].len() == 1
                && self.before[at * self.words..(at + 1) * self.words].iter().all(|&later| later == 0)
        }));
        let fits = self.pairs.iter().all(|&(a, b)| {
            let (a, b) = (a as usize, b as usize);
            untouched[a] || untouched[b] || !self.is_undecided(a, b)
        });
        self.untouched = untouched;
        fits
    }

    /// That order is the witness.
    pub(super) fn put_untouched_last(&mut self) {
        let untouched = std::mem::take(&mut self.untouched);
        self.rank_again(|at| untouched[at]);
        self.untouched = untouched;
    }

    /// Make the ranks of each lock's sections agree with what is decided, as near to the old ones as can be. Returns the old
    /// ranks if they did not.
    pub(super) fn follow_decisions(&mut self) -> Option<Vec<u32>> {
        let disagrees = |&(a, b): &(u32, u32)| self.rank[a as usize] > self.rank[b as usize];
        if !self.decided.iter().any(disagrees) {
            return None;
        }
        let old = self.rank.clone();
        self.rank_again(|_| false);
        Some(old)
    }

    /// All sections are ordered: remember that order.
    pub(super) fn remember_witness(&mut self) {
        self.rank_again(|_| false);
    }

    /// New ranks: sections in the order of their old ranks, those named last behind the others, but each after those that
    /// come before it.
    fn rank_again(&mut self, last: impl Fn(usize) -> bool) {
        let (mut left, mut earlier) = (std::mem::take(&mut self.left), std::mem::take(&mut self.earlier));
        left.clear();
        left.extend(0..self.sections.len() as u32);
        left.sort_unstable_by_key(|&at| (last(at as usize), self.rank[at as usize], at));
        earlier.clear();
        earlier.resize(self.sections.len(), 0);
        self.decided.iter().for_each(|&(_, later)| earlier[later as usize] += 1);
        for next in 0..self.sections.len() as u32 {
            // What is decided may have a circle only where the graph is impossible; any order will do then.
            let first = left.iter().position(|&at| earlier[at as usize] == 0).unwrap_or(0);
            let first = left.remove(first) as usize;
            self.rank[first] = next;
            for word in 0..self.words {
                let mut later = self.before[first * self.words + word];
                while later != 0 {
                    let at = word * 64 + later.trailing_zeros() as usize;
                    later &= later - 1;
                    earlier[at] = earlier[at].saturating_sub(1);
                }
            }
        }
        (self.left, self.earlier) = (left, earlier);
    }
}
