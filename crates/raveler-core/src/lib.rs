//! The engine of raveler: what decides whether a concurrent program is right.
//!
//! Three nouns carry everything. A [`Program`] says what each thread does next; a [`Model`] says which
//! executions the memory allows; [`search()`] walks through every execution that can differ, each exactly
//! once, and shows them to an [`Observer`]. The result is an [`Outcome`], plain data that reports turn into words.
//!
//! Nothing here reads a file, looks at a clock or prints.

#[cfg(any(test, feature = "paranoid"))]
mod agreement;
mod check;
mod consistency;
pub mod diagnostic;
pub mod execution;
mod graph;
pub mod id;
pub mod models;
#[doc(hidden)]
pub mod mutation;
pub mod observer;
pub mod outcome;
pub mod program;
mod run;
pub mod search;
pub mod settings;

pub use execution::{Allocation, Execution, FinalWrites};
pub use id::{Address, EventId, SiteId, ThreadId, WordOf};
pub use models::Model;
pub use observer::{Flow, Observer};
pub use outcome::{Counts, EventKind, Outcome, Verdict, Violation, ViolationKind, Witness};
pub use program::action::{
    Action, Answer, Contents, FailurePlace, LockMode, Operation, Order, ThreadName, UpdateOp, Value, Waiting,
    Width,
};
pub use program::{
    Entry, Hints, Member, NoHints, Object, Overlap, PastEvent, Program, Replay, Rerun, Shape, Site, Source,
    SourceMap, Together, World,
};
pub use search::{Estimate, Knowledge, Subtree, estimate, search};
pub use settings::{Equivalence, Locks, Settings};
