//! The one interface between a program and the engine: what does this thread do next, given the answers so far?
//!
//! A front-end writes [`Program`]. What only some programs know goes into [`Hints`]. Threads that cannot be
//! copied are run again from their answers by [`Replay`]; threads that share memory which the engine does not
//! see are run again all together by [`Together`].

pub mod action;
mod hints;
mod part;
mod replay;
mod sources;
mod update;
mod world;

pub use self::hints::{Disturbance, Hints, NoHints, Stream, Text};
pub use self::replay::{Replay, Rerun};
pub use self::sources::{Member, Shape, Site, SourceMap};
pub use self::world::{PastEvent, Source, Together, World};

use std::borrow::Cow;

use self::action::{Action, Answer, ThreadName, Value, Width};
use crate::id::{Address, SiteId};

/// Where a thread starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// One of the threads that exist from the start.
    Initial(u32),
    /// A spawned one, with what the spawn gave it.
    Spawned {
        /// Which code.
        code: u64,
        /// Its argument.
        argument: Value,
        /// What programs call it: the answer to the spawn.
        name: ThreadName,
    },
}

/// A program: deterministic threads that talk to the world only through actions.
///
/// The rule that makes everything else possible: a cursor depends only on the answers it was given.
pub trait Program: Sync {
    /// The state of one thread. Copying one must be cheap; where it cannot be, see [`Replay`].
    type Cursor: Clone;

    /// How many threads exist from the start.
    fn threads(&self) -> u32;

    /// A thread's beginning.
    fn start(&self, entry: Entry) -> Self::Cursor;

    /// What does this thread do next, given the answer to its last action ([`Answer::NONE`] at the start)?
    fn step(&self, cursor: &mut Self::Cursor, answer: Answer) -> Action;

    /// The memory that exists from the start.
    fn objects(&self) -> &[Object];

    /// Names and sites for reports, as far as they are known now.
    fn sources(&self) -> Cow<'_, SourceMap>;

    /// What else the program knows; nothing, unless it says so.
    fn hints(&self) -> &dyn Hints<Self::Cursor> {
        &NoHints
    }

    /// A program whose threads can only be run all together: it is asked instead of [`Program::step`], and shown the
    /// execution so far. Its cursors say nothing, so nothing is tried out on copies of them.
    fn world(&self) -> Option<&dyn World> {
        None
    }
}

/// Two accesses to some of the same bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overlap {
    /// Where the later one begins, and its width.
    pub here: (Address, Width),
    /// The earlier one.
    pub there: (Address, Width),
    /// The site of the later one.
    pub site: SiteId,
}

/// A piece of memory that exists from the start.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Object {
    /// Its name in the source.
    pub name: String,
    /// Where it begins.
    pub address: Address,
    /// How many bytes it has.
    pub size: u64,
    /// How wide its cells are; element `i` of `initial` lies at `address + i * cell`.
    pub cell: Width,
    /// The cells' initial values; cells beyond the list are uninitialised.
    pub initial: Vec<Value>,
}
