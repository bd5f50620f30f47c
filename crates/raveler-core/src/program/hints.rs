//! What only some programs know: how threads wait, what was learned, memory that turns up during the search.
//!
//! Everything here is optional: with [`NoHints`] no verdict becomes wrong, but more is explored, or refused.
//! What waits and short cuts are: docs/waits.md, "Short cuts".

use super::{Object, Overlap};
use crate::id::{Address, SiteId};
use crate::program::action::{Order, Value};

/// What a thread does to memory, while other threads are there, that may be wrong beside a read of theirs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disturbance {
    /// It writes to the location at this address.
    Written {
        /// The location.
        address: Address,
        /// The write is plain.
        plain: bool,
    },
    /// Memory from here on is freed, or the synchronisation object with this word begins or ends to exist.
    Ended {
        /// Where it begins.
        begin: Address,
        /// The first address behind it.
        end: Address,
    },
}

/// Where a program prints to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stream {
    /// Its output.
    #[default]
    Output,
    /// Its errors.
    Errors,
}

/// A piece of what a thread prints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// Where in the source.
    pub site: SiteId,
    /// Where to.
    pub stream: Stream,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// What a program can tell the engine beyond what its threads do. All of it is optional.
///
/// `C` is the program's cursor.
pub trait Hints<C>: Sync {
    /// A compare-exchange of a retry loop failed, which led the thread to `there`. If an earlier read had
    /// seen the same value, the thread would be at `here`: would it do the same from there on? Then this
    /// exploration is dropped, since another one shows the rest. False is always right.
    fn same(&self, _here: &C, _there: &C) -> bool {
        false
    }

    /// A number that two states of a thread share only if the thread does the same from there on, given the same
    /// answers; none if the program does not know one. A thread whose states have numbers, and that said
    /// [`crate::Operation::Wait`] because of a loop, makes its next round if it is asked again.
    ///
    /// With it the engine can say whether threads that go round in loops, taking and trying locks, are
    /// stuck for ever or only unlucky (docs/waits.md, "Liveness"). Without it a waiting thread is taken to stay
    /// where it is.
    fn state_number(&self, _cursor: &C) -> Option<u128> {
        None
    }

    /// How many bytes a copy of a cursor may take besides its own size. Cursors are kept as long as they are not too large
    /// together.
    fn weight(&self, _cursor: &C) -> usize {
        0
    }

    /// Did this thread make a futile round of a waiting loop, once, only because a violation may show there? Then
    /// the execution is explored for its violations, but does not count (docs/waits.md, "Spared rounds"), unless another
    /// thread has seen the round. The answer is the number of actions of which the round was made.
    fn spared(&self, _cursor: &C) -> Option<u32> {
        None
    }

    /// A thread is about to be dropped after a failed try, since another execution shows what follows. These
    /// are the reads between the earlier read and the failed try: may one of them be part of a violation that
    /// shows only if the thread goes on? Then true, once; [`Hints::spared`] says so from then on.
    fn spare(&self, _cursor: &mut C, _reads: &[(Address, Order)]) -> bool {
        false
    }

    /// A search of all executions begins, or begins again: from now on [`Hints::watches`] may say yes.
    fn watch(&self) {}

    /// Is the program to be told what disturbs threads?
    fn watches(&self) -> bool {
        false
    }

    /// A thread has done this, in some execution. True if something was left out that it may make wrong: the search must
    /// restart ([`Hints::restarted`]).
    fn disturbed(&self, _what: Disturbance) -> bool {
        false
    }

    /// This thread is about to read, as a part of a copy: may it read what nobody wrote? Then that is no violation, and the
    /// answer is [`crate::Answer::Unset`].
    fn copies(&self, _cursor: &C) -> bool {
        false
    }

    /// The bits of the value which this thread is about to write that were never set, since it copies them. Who reads from
    /// the write is answered [`crate::Answer::Unset`].
    fn unset(&self, _cursor: &C) -> Value {
        0
    }

    /// May some write have such bits?
    fn has_unset(&self) -> bool {
        false
    }

    /// An execution has become longer than the engine follows, when this thread was about to go on. True if the program
    /// has learned something by which it ends sooner; the search restarts then ([`Hints::restarted`]).
    fn shorten(&self, _cursor: &C) -> bool {
        false
    }

    /// More threads than a barrier waits for come to it, or it began to exist twice: which threads form a group is open, so
    /// [`crate::Operation::Arrive`] is not right. The search restarts.
    fn crowded(&self) {}

    /// Has this thread seen anything that differs from what another thread with the same code, argument and answers
    /// would see: its name, an address of its own? True is always right.
    fn has_name(&self, _cursor: &C) -> bool {
        true
    }

    /// There were threads that nothing tells apart; what differs by a permutation of them was left out.
    fn left_out_twins(&self) {}

    /// There were updates in no order ([`crate::Operation::Count`]); what differs by their order was left out.
    fn left_out_orders(&self) {}

    /// Stores to this address were made in loops, and rounds that begin with such stores and come to nothing are left out,
    /// as far as the program knows (docs/reductions.md, "Rounds").
    fn is_unseen(&self, _address: Address) -> bool {
        false
    }

    /// Is the store that this thread is about to make one of these?
    fn begins_round(&self, _cursor: &C) -> bool {
        true
    }

    /// Is there such an address?
    fn has_unseen(&self) -> bool {
        false
    }

    /// Are failed tries left out that stored to such an address what the next try overwrites? Then no other thread may read it either.
    fn overwrites(&self, _address: Address) -> bool {
        false
    }

    /// A failed try stored to such an address, and the next one is about to. May it be left out? If not, the program may want
    /// to restart for that ([`Hints::wants_restart`]).
    fn overwrite(&self, _address: Address) -> bool {
        false
    }

    /// Has the program learned something that is worth to begin again, without saying so?
    fn wants_restart(&self) -> bool {
        false
    }

    /// Another thread may see such stores: rounds with them are to be followed. The search restarts
    /// ([`Hints::restarted`]).
    fn seen(&self, _address: Address) {}

    /// The search restarts because a thread asked for it ([`crate::Operation::Restart`]): take into account
    /// what was learned. Called when no thread runs.
    fn restarted(&self) {}

    /// Two accesses overlap without covering the same bytes, which the engine does not support. Will they be
    /// made in pieces that fit if the search restarts? Called when no thread runs.
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

    /// A number that differs between programs which explore differently, beyond their sources and objects:
    /// options of the front-end, say.
    fn fingerprint(&self) -> u64 {
        0
    }

    /// The address of the allocated memory to which this value points, where the program's threads see other numbers
    /// than the engine's addresses. For reports.
    fn pointer(&self, _value: Value) -> Option<Address> {
        None
    }

    /// From now on this cursor, a copy that only a report needs, keeps what its thread prints; `earlier` is the one that did so
    /// up to here. False if the program prints nothing.
    fn listen(&self, _cursor: &mut C, _earlier: Option<&C>) -> bool {
        false
    }

    /// What a thread printed since its cursor listens.
    fn printed(&self, _cursor: &C) -> Vec<Text> {
        Vec::new()
    }

    /// Memory at this address that is there although [`super::Program::objects`] did not name it: objects
    /// that are met during the search. The same address must always give the same object.
    fn object_at(&self, _address: Address) -> Option<Object> {
        None
    }
}

/// No hints.
pub struct NoHints;

impl<C> Hints<C> for NoHints {}
