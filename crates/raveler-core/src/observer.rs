//! Watching a search: executions as they are found, and now and then a question whether to go on.
//!
//! An observer cannot change what is explored; it can only stop the search.

use crate::execution::Execution;
use crate::outcome::{Counts, Violation};
use crate::program::Program;

/// Go on, or stop?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Go on.
    Continue,
    /// End the search as soon as possible.
    Stop,
}

/// Watches a search. Time, memory limits and Ctrl-C act only by answering [`Flow::Stop`].
///
/// Each worker has its own observer, made by [`Observer::fork`]; at the end they are merged into the first.
pub trait Observer<P: Program>: Send + Sized {
    /// A complete execution was found.
    fn execution(&mut self, execution: &Execution<'_, P>) -> Flow;

    /// A maximal exploration in which some thread is stuck.
    fn blocked(&mut self, _execution: &Execution<'_, P>) -> Flow {
        Flow::Continue
    }

    /// A maximal exploration in which a violation stopped some thread.
    fn failed(&mut self, _execution: &Execution<'_, P>) -> Flow {
        Flow::Continue
    }

    /// Is this violation to be reported? One that is not counts as if it had not been found.
    fn wants(&self, _violation: &Violation) -> bool {
        true
    }

    /// Called every [`Observer::interval`] steps or so with what this worker counted so far.
    fn progress(&mut self, _counts: &Counts) -> Flow {
        Flow::Continue
    }

    /// Is the search to end? Asked at every step: this must cost next to nothing. What is answered here is counted as
    /// a stop of the observer.
    #[inline]
    fn is_over(&self) -> bool {
        false
    }

    /// How much work, in steps of the search, may go by between two calls of [`Observer::progress`].
    fn interval(&self) -> u32 {
        1 << 12
    }

    /// The search starts again from the beginning: forget what was seen.
    fn restarted(&mut self) {}

    /// An observer for one more worker.
    fn fork(&self) -> Self;

    /// Take over what another worker's observer saw.
    fn merge(&mut self, other: Self);
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl<P: Program> Observer<P> for Unobserved {
    fn execution(&mut self, _execution: &Execution<'_, P>) -> Flow {
        Flow::Continue
    }

    fn fork(&self) -> Self {
        Unobserved
    }

    fn merge(&mut self, _other: Self) {}
}
