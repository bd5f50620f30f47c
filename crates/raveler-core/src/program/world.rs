//! Programs whose threads share memory that the engine does not see: all threads are run again together.
//!
//! A native thread is a closure that its parent made and that is used up by running it; what threads hand to
//! each other lies in real memory. So one thread cannot be run from its answers alone. Before such a program
//! is asked it is shown the execution so far: every action of every thread with its answer, in an order in
//! which they could have happened.

use std::borrow::Cow;

use super::action::{Action, Answer, ThreadName};
use super::{Entry, Object, Program, SourceMap};

/// One action of an execution so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PastEvent {
    /// The thread that made it.
    pub thread: ThreadName,
    /// What it was answered.
    pub answer: Answer,
    /// For a read or an update: where the value came from.
    pub source: Option<Source>,
}

/// Where a value that was read came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// It was there from the start.
    Initial,
    /// An action wrote it: which thread's, and how many actions that thread had made before.
    Action(ThreadName, u32),
}

/// A program that runs all its threads together.
pub trait World: Sync {
    /// Run all threads from the start as the execution so far says, and return what `thread` asks next.
    ///
    /// The order of `so_far` extends program order, reads-from, spawn and join, and the order of critical
    /// sections as far as it is known.
    fn next(&self, so_far: &[PastEvent], thread: ThreadName) -> Action;
    /// How many threads exist from the start.
    fn threads(&self) -> u32;
    /// The memory that exists from the start.
    fn objects(&self) -> &[Object];
    /// Names and sites for reports, as far as they are known now.
    fn sources(&self) -> Cow<'_, SourceMap>;
}

/// Makes a [`Program`] of a [`World`].
pub struct Together<W>(pub W);

impl<W: World> Program for Together<W> {
    /// Nothing: the state of a thread follows from the execution so far.
    type Cursor = ();

    fn threads(&self) -> u32 {
        self.0.threads()
    }

    fn start(&self, _entry: Entry) {}

    fn step(&self, _cursor: &mut (), _answer: Answer) -> Action {
        unreachable!("the world is asked instead")
    }

    fn objects(&self) -> &[Object] {
        self.0.objects()
    }

    fn sources(&self) -> Cow<'_, SourceMap> {
        self.0.sources()
    }

    fn world(&self) -> Option<&dyn World> {
        Some(&self.0)
    }
}
