//! Critical sections whose order is part of an execution although no word of memory shows it: those of the locks of a
//! program that has reader-writer locks (docs/xmm.md, "Reader-writer locks").
//!
//! To take such a lock *follows* the ends of sections: of the last exclusive one before it, and, if it is taken
//! exclusively, of all shared ones since. The first search orders the sections of each leaf in every way. In the second one a
//! lock is taken only where all sections that come before it have ended, so there their order is that of their lock events.

use super::choices::{Choice, Offer};
use super::reexecution::Search;
use crate::consistency::hb_co::HbCoherence;
use crate::consistency::{Explain, happens_before};
use crate::graph::{Graph, Kind, Loc, ThreadStatus};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::Program;
use crate::program::action::LockMode;
use crate::run::resolve::Request;

/// From the end of a section to a lock event that follows it.
pub(super) type Follows = (EventId, EventId);

/// A critical section.
#[derive(Clone, Copy)]
struct Section {
    lock: EventId,
    unlock: Option<EventId>,
    loc: Loc,
    mode: LockMode,
}

impl Section {
    fn excludes(&self, other: &Section) -> bool {
        self.loc == other.loc && self.mode.excludes(other.mode)
    }
}

/// All sections, in the order of their lock events.
fn sections(graph: &Graph) -> Vec<Section> {
    let mut all: Vec<Section> = Vec::new();
    for &id in &graph.order {
        let event = graph.event(id);
        match event.kind {
            Kind::Lock => {
                all.push(Section { lock: id, unlock: None, loc: event.loc, mode: event.lock_mode() });
            }
            Kind::Unlock => {
                let is_it = |section: &&mut Section| {
                    section.unlock.is_none()
                        && section.loc == event.loc
                        && section.lock.thread() == id.thread()
                };
                if let Some(section) = all.iter_mut().rev().find(is_it) {
                    section.unlock = Some(id);
                }
            }
            _ => {}
        }
    }
    all
}

/// What lock events follow, if sections come one after the other as this says.
fn follows(all: &[Section], before: impl Fn(&Section, &Section) -> bool) -> Vec<Follows> {
    let before = |a: &Section, b: &Section| a.lock != b.lock && a.excludes(b) && before(a, b);
    let mut edges = Vec::new();
    for later in all {
        for earlier in all.iter().filter(|earlier| before(earlier, later)) {
            let is_between = |other: &Section| {
                other.mode == LockMode::Exclusive && before(earlier, other) && before(other, later)
            };
            if let Some(unlock) = earlier.unlock.filter(|_| !all.iter().any(is_between)) {
                edges.push((unlock, later.lock));
            }
        }
    }
    edges
}

/// What lock events follow where the sections have this order: pairs of events, the first before the second.
pub(super) fn in_order(graph: &Graph, order: &[(EventId, EventId)]) -> Vec<Follows> {
    follows(&sections(graph), |a, b| a.unlock.is_some_and(|unlock| order.contains(&(unlock, b.lock))))
}

/// What lock events follow in a graph of the second search.
pub(super) fn as_taken(graph: &Graph) -> Vec<Follows> {
    let stamp = |section: &Section| graph.event(section.lock).stamp;
    follows(&sections(graph), |a, b| stamp(a) < stamp(b))
}

/// The ends of sections that a lock event follows, the newest of a graph of the second search.
fn followed(graph: &Graph, lock: EventId) -> Vec<EventId> {
    as_taken(graph).into_iter().filter(|&(_, later)| later == lock).map(|(unlock, _)| unlock).collect()
}

/// May a lock be taken in this mode, since no open section excludes it?
pub(super) fn is_free(graph: &Graph, loc: Loc, mode: LockMode) -> bool {
    let holds = |thread: usize| {
        graph.held(thread, loc).is_some_and(|lock| graph.event(lock).lock_mode().excludes(mode))
    };
    !(0..graph.threads.len()).any(holds)
}

/// May the end of this section let a lock be taken that is waited for in this mode?
fn lets_in(graph: &Graph, unlock: EventId, mode: LockMode) -> bool {
    let ends = |section: &&Section| section.unlock == Some(unlock);
    sections(graph).iter().find(ends).is_none_or(|section| section.mode.excludes(mode))
        || Mutant::OfferedToReaders.is_active()
}

/// Explains a graph of the second search, where the order of sections is that in which locks are taken.
pub(super) struct AsTaken<'a> {
    pub order: &'a mut HbCoherence,
    /// Do some locks have sections without a word of memory?
    pub has_sections: bool,
}

impl Explain for AsTaken<'_> {
    fn last_writes(&mut self, graph: &Graph, locs: &[Loc], found: &mut dyn FnMut(&[u32])) {
        self.order.last_writes(graph, locs, found);
    }

    fn coherence(&mut self, graph: &Graph, last: &[(Loc, u32)]) -> Vec<Vec<EventId>> {
        self.order.coherence(graph, last)
    }

    fn lock_edges(&mut self, graph: &Graph, _last: &[(Loc, u32)]) -> Vec<(EventId, EventId)> {
        if self.has_sections { as_taken(graph) } else { Vec::new() }
    }
}

impl<P: Program> Search<'_, P> {
    /// The lock that a thread is about to take.
    pub(super) fn lock_wanted(&self, thread: usize) -> Option<(Loc, LockMode)> {
        let step = self.run.step(&self.graph, thread);
        match step.request {
            Request::Lock { mode, .. } => Some((step.loc, mode)),
            _ => None,
        }
    }

    /// The lock that a thread waits for for ever.
    pub(super) fn waits_for_ever(&self, thread: usize) -> Option<(Loc, LockMode)> {
        let is_stuck = self.graph.status[thread] == ThreadStatus::Stuck;
        if is_stuck { self.lock_wanted(thread) } else { None }
    }

    /// Is each lock that a thread waits for for ever held at the end?
    pub(super) fn all_wait_for_held(&self) -> bool {
        (0..self.graph.status.len()).all(|thread| {
            self.waits_for_ever(thread).is_none_or(|(loc, mode)| !is_free(&self.graph, loc, mode))
        })
    }

    /// To take a lock: now, if no section is open that excludes it; after the end of some section that is not there yet;
    /// or never.
    pub(super) fn choices_of_lock(&mut self, thread: usize) {
        let Some((loc, mode)) = self.lock_wanted(thread) else { return };
        let is_mine = self
            .graph
            .held(thread, loc)
            .is_some_and(|lock| self.graph.event(lock).lock_mode().excludes(mode));
        let is_free = is_free(&self.graph, loc, mode);
        if is_free {
            self.choices.push(Choice::Event);
        }
        let may_come = self.may_come(thread);
        if may_come && !is_mine && !(is_free && Mutant::LocksNeverWait.is_active()) {
            self.choices.push(Choice::Postpone);
        }
        if !is_free || may_come {
            self.choices.push(Choice::Block);
        }
    }

    /// A lock was taken or released: it follows the sections that are there, and other threads may follow.
    pub(super) fn enter_section(&mut self, id: EventId) {
        match self.graph.event(id).kind {
            Kind::Lock => {
                for unlock in followed(&self.graph, id) {
                    self.graph.add_past(id, unlock);
                    if !Mutant::SectionsUnheard.is_active() {
                        happens_before::follow(&mut self.graph, id, unlock);
                    }
                }
            }
            Kind::Unlock => self.offers.push(Offer { write: id, rank: 0 }),
            _ => {}
        }
    }

    /// May the end of a section let in a thread that waits for its lock? It waits for no write.
    pub(super) fn is_offered(&self, offer: EventId, thread: usize) -> bool {
        let is_section = self.graph.event(offer).kind == Kind::Unlock;
        match self.lock_wanted(thread) {
            Some((_, mode)) => is_section && lets_in(&self.graph, offer, mode),
            None => !is_section,
        }
    }
}
