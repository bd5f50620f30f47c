//! What steps access, and which of them depend on each other.

use crate::graph::{Loc, NO_LOC};
use crate::mutation::Mutant;
use crate::program::action::LockMode;

/// What a step does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AccessKind {
    None,
    Read,
    /// A load that its thread's buffer serves.
    Forwarded,
    Write,
    /// The write of a flush.
    Flush,
    /// A store to allocated memory is buffered, where that is a step of its own ([`super::ends`]).
    Buffered,
    /// Something ends its life, where that is a step of its own; the location is a number of what ends.
    End,
}

impl AccessKind {
    /// Readers may share a lock: what they do with it commutes.
    pub fn of_lock(mode: LockMode) -> AccessKind {
        match mode {
            LockMode::Exclusive => AccessKind::Write,
            LockMode::Shared => AccessKind::Read,
        }
    }
}

/// What a step accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Access {
    pub kind: AccessKind,
    pub loc: Loc,
    pub thread: u32,
}

impl Access {
    pub fn writes(self) -> bool {
        matches!(self.kind, AccessKind::Write | AccessKind::Flush)
    }

    /// The location in memory that it accesses, if it does.
    pub fn place(self) -> Option<usize> {
        let accesses = self.loc != NO_LOC && !matches!(self.kind, AccessKind::Buffered | AccessKind::End);
        accesses.then_some(self.loc as usize)
    }

    /// Does it matter which of two steps of different processes comes first, neither of which is an end?
    ///
    /// A load and a flush of the same thread commute: the load sees the store in the buffer, or in memory. So a load
    /// that its buffer serves depends on the same steps as one that reads memory, the writes of other threads: it may
    /// become such a load when the flush comes first.
    pub fn depends_on(self, other: Access) -> bool {
        let is_buffered = |access: Access| access.kind == AccessKind::Buffered;
        let is_served = |access: Access| access.kind == AccessKind::Forwarded;
        self.loc == other.loc
            && self.loc != NO_LOC
            && self.thread != other.thread
            && (self.writes() || other.writes())
            && !is_buffered(self)
            && !is_buffered(other)
            && !(Mutant::ServedLoadsCommute.is_active() && (is_served(self) || is_served(other)))
    }
}
