//! The ends of lives: memory that is freed, synchronisation objects that are destroyed or initialised anew.
//!
//! As a rule such an event is no step of its own: it commutes with all that may happen at the same time. But if another
//! thread uses at that time what ends, which of the two events is the mistake, and stops its thread, depends on their order.
//! Whether there are such two events can be seen in any order of them. Once they were seen, the search starts again
//! ([`RestartReason::Ends`]): from then on ends and the stores to allocated memory are steps, and ends depend on uses.

use super::Search;
use super::access::{Access, AccessKind};
use crate::check::Finding;
use crate::graph::{Loc, NO_LOC};
use crate::id::{Address, AllocationId, WordOf};
use crate::mutation::Mutant;
use crate::outcome::{StopReason, ViolationKind};
use crate::program::Program;
use crate::run::Run;
use crate::run::lock_table::RestartReason;
use crate::run::resolve::Request;
use crate::search::ledger::Ledger;
use crate::search::restart::Knowledge;

/// What can end, or begin anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mortal {
    Allocation(AllocationId),
    /// A synchronisation object in no allocation.
    Object(Address),
}

/// What is known of ends.
#[derive(Debug, Default)]
pub(super) struct Ends {
    /// Are they steps of their own?
    pub are_steps: bool,
    /// All that ended in some run; the location of an end's access is its place here.
    mortals: Vec<Mortal>,
    /// The places in this run of steps that are ends.
    pub made: Vec<u32>,
}

impl Ends {
    pub fn new(knowledge: &Knowledge) -> Ends {
        Ends { are_steps: knowledge.ends_apart, ..Ends::default() }
    }

    fn number(&self, mortal: Mortal) -> Option<Loc> {
        self.mortals.iter().position(|&known| known == mortal).map(|at| at as Loc)
    }

    /// Something stops its thread, and was reported. If the search goes on, and that depends on the order of an end and a
    /// use, such orders must be told apart from now on.
    pub fn note<P: Program>(&self, finding: &Finding, run: &mut Run<'_, P>, ledger: &mut Ledger<'_, P>) {
        use ViolationKind::{DoubleFree, LockMisuse, UseAfterFree};
        let concerns_end =
            finding.stops && matches!(finding.violation.kind, UseAfterFree | DoubleFree | LockMisuse);
        let goes_on = run.settings.reduction && ledger.stopped.is_none();
        if concerns_end && goes_on && !self.are_steps && !Mutant::EndsCommute.is_active() {
            run.tables.learn(RestartReason::Ends);
            ledger.stop(StopReason::Restart);
        }
    }
}

/// What a request ends or begins anew.
fn ended_by(request: &Request) -> Option<Mortal> {
    match *request {
        Request::Free { allocation, .. } => Some(Mortal::Allocation(allocation)),
        Request::Initialise(object) | Request::Destroy(object) => {
            let memory = match object.of_word() {
                Some(WordOf::Memory(memory)) => memory,
                _ => object,
            };
            let within = AllocationId::at(memory).map(|(within, _)| Mortal::Allocation(within));
            Some(within.unwrap_or(Mortal::Object(object)))
        }
        _ => None,
    }
}

impl<P: Program> Search<'_, P> {
    /// If the next request of a thread ends something, and that is a step of its own: remember what it ends.
    pub(super) fn is_end(&mut self, t: usize) -> bool {
        if !self.ends.are_steps {
            return false;
        }
        let Some(mortal) = ended_by(&self.run.step(&self.graph, t).request) else { return false };
        if self.ends.number(mortal).is_none() {
            self.ends.mortals.push(mortal);
        }
        true
    }

    /// The access of a request that ends something, where that is a step of its own.
    pub(super) fn end_access(&self, t: usize, request: &Request) -> Option<Access> {
        let number = self.ends.number(ended_by(request)?)?;
        Some(Access { kind: AccessKind::End, loc: number, thread: t as u32 })
    }

    /// Is it a step of its own to buffer a store to this location?
    pub(super) fn buffers_apart(&self, loc: Loc) -> bool {
        self.ends.are_steps && self.run.tables.memory.locations[loc as usize].within.is_some()
    }

    /// What a step ends or uses.
    fn concerns(&self, access: Access) -> Option<Mortal> {
        match access.kind {
            AccessKind::None | AccessKind::Flush => None,
            AccessKind::End => Some(self.ends.mortals[access.loc as usize]),
            _ if access.loc == NO_LOC => None,
            _ => {
                let location = &self.run.tables.memory.locations[access.loc as usize];
                let within = location.within.map(Mortal::Allocation);
                Some(within.unwrap_or(Mortal::Object(location.address)))
            }
        }
    }

    /// Does it matter which of two steps of different processes comes first?
    #[inline]
    pub(super) fn depend(&self, one: Access, other: Access) -> bool {
        if one.kind != AccessKind::End && other.kind != AccessKind::End {
            return one.depends_on(other);
        }
        let concerned = self.concerns(one);
        one.thread != other.thread && concerned.is_some() && concerned == self.concerns(other)
    }

    /// Is a step an end, or may one that was made in this run have to do with it?
    pub(super) fn meets_ends(&self, access: Access) -> bool {
        access.kind == AccessKind::End
            || self.ends.made.iter().any(|&at| self.depend(self.steps[at as usize].access, access))
    }

    /// Did an end that depends on such a step come after the step at this place, without coming after the one at
    /// `earlier`, which is of `process`?
    pub(super) fn has_end_between(&self, access: Access, process: u32, earlier: usize) -> bool {
        let after = self.ends.made.iter().map(|&at| at as usize).filter(|&at| at > earlier);
        let mut steps = after.map(|at| &self.steps[at]);
        steps.any(|step| {
            self.depend(step.access, access) && !self.machine.rows.has(step.row, process, earlier)
        })
    }
}
