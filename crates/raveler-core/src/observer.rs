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
/// Each worker has its own observer: see [`Fork`].
pub trait Observer<P: Program>: Send {
    /// A complete execution was found.
    fn execution(&mut self, execution: &Execution<'_, P>) -> Flow;

    /// A complete execution that was found, or will be, with another coherence order: it may end in another way. Under
    /// `rf` an execution mostly stands for all its orders; one of `xmm` with a cycle has only those that are justified, and
    /// each but one is shown here.
    fn reordered(&mut self, _execution: &Execution<'_, P>) -> Flow {
        Flow::Continue
    }

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
}

/// An observer that several workers can have: each is given one of its own before the search begins, and at the end all
/// are merged into the first.
pub trait Fork: Sized {
    /// An observer for one more worker.
    fn fork(&self) -> Self;

    /// Take over what another worker's observer saw.
    fn merge(&mut self, other: Self);
}

/// The observers of one search, one for each worker. Searches are compiled for each program; that they know observers as
/// `dyn` keeps them from being compiled for each observer, too.
#[allow(missing_debug_implementations)]
pub struct Watchers<'a, P: Program> {
    /// That of a search without other workers.
    pub(crate) first: &'a mut dyn Observer<P>,
    pub(crate) others: Vec<&'a mut dyn Observer<P>>,
}

impl<'a, P: Program> Watchers<'a, P> {
    pub(crate) fn new(
        first: &'a mut dyn Observer<P>,
        others: impl IntoIterator<Item = &'a mut dyn Observer<P>>,
    ) -> Self {
        Watchers { first, others: others.into_iter().collect() }
    }

    /// The observer of a search with one worker.
    pub(crate) fn alone(observer: &'a mut dyn Observer<P>) -> Self {
        Watchers::new(observer, [])
    }

    /// Make observers for so many workers, show them to `watched`, and merge what they saw.
    pub fn fork<O: Observer<P> + Fork, T>(
        observer: &mut O,
        workers: usize,
        watched: impl FnOnce(&mut Watchers<'_, P>) -> T,
    ) -> T {
        let mut forks: Vec<O> = (1..workers).map(|_| observer.fork()).collect();
        let others = forks.iter_mut().map(|fork| fork as &mut dyn Observer<P>);
        let seen = watched(&mut Watchers::new(observer, others));
        forks.into_iter().for_each(|fork| observer.merge(fork));
        seen
    }

    /// The observers of all workers.
    pub(crate) fn each(&mut self) -> impl Iterator<Item = &mut dyn Observer<P>> {
        let others = self.others.iter_mut().map(|other| &mut **other as &mut dyn Observer<P>);
        std::iter::once(&mut *self.first as &mut dyn Observer<P>).chain(others)
    }

    /// The search starts again.
    pub(crate) fn restarted(&mut self) {
        self.each().for_each(|observer| observer.restarted());
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl<P: Program> Observer<P> for Unobserved {
    fn execution(&mut self, _execution: &Execution<'_, P>) -> Flow {
        Flow::Continue
    }
}

impl Fork for Unobserved {
    fn fork(&self) -> Self {
        Unobserved
    }

    fn merge(&mut self, _other: Self) {}
}
