//! What only some programs know: how threads wait, what was learned, memory that turns up on the way.

use super::{Object, Overlap};
use crate::id::Address;
use crate::program::action::Order;

/// What a program can tell the engine beyond what its threads do. All of it is optional.
///
/// `C` is the program's cursor.
pub trait Hints<C>: Sync {
    /// A compare-exchange of a retry loop failed, and the thread stands at `there`. Would it do the same from now on if it
    /// stood at `here`, where an earlier read would have led it? Such explorations are left out; never saying so is
    /// right, too.
    fn same(&self, _here: &C, _there: &C) -> bool {
        false
    }

    /// Did this thread go once round a waiting loop only because something may be wrong there? Then the execution is
    /// explored for its violations, but does not count.
    fn spared(&self, _cursor: &C) -> bool {
        false
    }

    /// A thread would be dropped after a failed try, since another execution shows what follows. It made these reads in
    /// the try: may something be wrong only there, and show only later? Then true, once; [`Hints::spared`] says so
    /// from then on.
    fn spare(&self, _cursor: &mut C, _reads: &[(Address, Order)]) -> bool {
        false
    }

    /// The search starts again because a thread asked for it ([`crate::Operation::Restart`]): take into account what was
    /// learned. Called when no thread runs.
    fn restarted(&self) {}

    /// Two accesses overlap without being the same bytes, which the engine cannot have. Will they be made in pieces that
    /// fit if the search starts again? Called when no thread runs.
    fn divide(&self, _overlap: &Overlap) -> bool {
        false
    }

    /// What the program learned, for [`Hints::recall`] in another process.
    fn learned(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Learn what another process has learned. False if the bytes are not of this program.
    fn recall(&self, learned: &[u8]) -> bool {
        learned.is_empty()
    }

    /// A number that differs between programs which explore differently, beyond their sources and objects: options of the
    /// front-end, say.
    fn fingerprint(&self) -> u64 {
        0
    }

    /// Memory at this address that is there although [`super::Program::objects`] did not name it: objects that are met
    /// during the search. The same address must always give the same object.
    fn object_at(&self, _address: Address) -> Option<Object> {
        None
    }
}

/// No hints.
pub struct NoHints;

impl<C> Hints<C> for NoHints {}
