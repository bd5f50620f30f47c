//! An observer that also watches the clock.

use std::time::Duration;

use cpu_time::ProcessTime;
use raveler_core::observer::{Flow, Fork, Observer};
use raveler_core::outcome::Counts;
use raveler_core::{Execution, Program};

/// Shows a search to another observer, and stops it when the time is up: CPU time of the process, so that what else the
/// machine does decides nothing.
#[derive(Clone, Debug)]
pub struct Deadline<O> {
    end: Option<Duration>,
    /// What is told of the search.
    pub inner: O,
}

impl<O> Deadline<O> {
    /// After this time from now on; never, if there is none.
    pub fn after(limit: Option<Duration>, inner: O) -> Deadline<O> {
        Deadline { end: limit.map(|limit| ProcessTime::now().as_duration() + limit), inner }
    }
}

impl<P: Program, O: Observer<P>> Observer<P> for Deadline<O> {
    fn execution(&mut self, execution: &Execution<'_, P>) -> Flow {
        self.inner.execution(execution)
    }

    fn reordered(&mut self, execution: &Execution<'_, P>) -> Flow {
        self.inner.reordered(execution)
    }

    fn blocked(&mut self, execution: &Execution<'_, P>) -> Flow {
        self.inner.blocked(execution)
    }

    fn failed(&mut self, execution: &Execution<'_, P>) -> Flow {
        self.inner.failed(execution)
    }

    fn progress(&mut self, counts: &Counts) -> Flow {
        match self.end {
            Some(end) if ProcessTime::now().as_duration() >= end => Flow::Stop,
            _ => self.inner.progress(counts),
        }
    }

    fn is_over(&self) -> bool {
        self.inner.is_over()
    }

    fn interval(&self) -> u32 {
        self.inner.interval()
    }

    fn restarted(&mut self) {
        self.inner.restarted();
    }
}

impl<O: Fork> Fork for Deadline<O> {
    fn fork(&self) -> Self {
        Deadline { end: self.end, inner: self.inner.fork() }
    }

    fn merge(&mut self, other: Self) {
        self.inner.merge(other.inner);
    }
}
