//! The engine of raveler: decides whether a concurrent program is right under a memory model.
//!
//! Three nouns carry everything. A [`Program`] says what each thread does next; a [`Model`] says which
//! executions the memory allows; [`search()`] walks through every execution that can differ, each exactly
//! once, and shows them to an [`Observer`]. The result is an [`Outcome`], plain data that reports turn into words.
//!
//! Nothing here reads a file, looks at a clock or prints. How the search works: docs/engine.md, "The search".
//!
//! # An example
//!
//! Store buffering: each of two threads writes its own flag and then reads the other's. Can both read 0?
//!
//! ```
//! use std::borrow::Cow;
//! use raveler_core::observer::Unobserved;
//! use raveler_core::*;
//!
//! struct StoreBuffering([Object; 2]);
//!
//! impl Program for StoreBuffering {
//!     /// The thread, and how many steps it has made.
//!     type Cursor = (usize, u32);
//!     fn threads(&self) -> u32 {
//!         2
//!     }
//!     fn start(&self, entry: Entry) -> (usize, u32) {
//!         let Entry::Initial(thread) = entry else { unreachable!("no thread is spawned") };
//!         (thread as usize, 0)
//!     }
//!     fn step(&self, (thread, steps): &mut (usize, u32), _answer: Answer) -> Action {
//!         let (width, order) = (Width::B4, Order::Relaxed);
//!         *steps += 1;
//!         let operation = match *steps {
//!             1 => Operation::Write { address: self.0[*thread].address, width, order, value: 1 },
//!             2 => Operation::Read { address: self.0[1 - *thread].address, width, order },
//!             _ => Operation::Done,
//!         };
//!         Action { site: SiteId::NONE, operation }
//!     }
//!     fn objects(&self) -> &[Object] {
//!         &self.0
//!     }
//!     fn sources(&self) -> Cow<'_, SourceMap> {
//!         Cow::Owned(SourceMap::default())
//!     }
//! }
//!
//! let flag = |name: &str, address| Object {
//!     name: name.into(), address: Address(address), size: 4, cell: Width::B4, initial: vec![0],
//! };
//! let program = StoreBuffering([flag("x", 0x1000), flag("y", 0x2000)]);
//! let executions = |model| search(&program, &Settings::new(model), &mut Unobserved).counts.executions;
//! assert_eq!(executions(Model::Sc), 3);
//! assert_eq!(executions(Model::Tso), 4);
//! ```
//!
//! A whole front-end, with a violation, is `examples/front_end.rs`.
//!
//! # The map
//!
//! `program` (what a front-end writes) and `graph` (executions) are the ground; on it stand `models` (definitions),
//! `consistency` (the same, quickly), `run` (threads and their requests), `check` (what can be wrong), and on top
//! `search`. Arrows go downward only.

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
pub use observer::{Flow, Fork, Observer};
pub use outcome::{Counts, EventKind, Outcome, Trace, Verdict, Violation, ViolationKind, Witness};
pub use program::action::{
    Action, Answer, Contents, FailurePlace, LockMode, Operation, Order, PASS_AGAIN, PASS_CHOOSES, PASSED,
    PASSED_SERIAL, Part, Storage, ThreadName, UpdateOp, Value, Waiting, Width,
};
pub use program::{
    Disturbance, Entry, Hints, Member, NoHints, Object, Overlap, PastEvent, Program, Replay, Rerun, Shape,
    Site, Source, SourceMap, Stream, Text, Together, World,
};
pub use search::{
    BadPart, BadReplay, Estimate, Explored, Fingerprint, Knowledge, Recording, ShownAs, Subtree, estimate,
    explore_parts, replay, search, search_watched,
};
pub use settings::{Engine, Equivalence, FenceAfter, Locks, RandomWalks, Reductions, Settings, XmmRules};
