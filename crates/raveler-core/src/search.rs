//! The search: every execution that can differ, each exactly once.

mod estimate;
mod lock_aware;
mod subtree;
pub(crate) mod trust;
pub(crate) mod workers;

pub use self::estimate::Estimate;
pub use self::subtree::Subtree;

use self::lock_aware::Book;
use self::trust::Explorer;
use crate::consistency::Consistency;
use crate::consistency::global::GlobalOrder;
use crate::consistency::hb_co::HbCoherence;
use crate::consistency::hb_rf::HbReadsFrom;
use crate::consistency::with_sections::WithSections;
use crate::observer::Observer;
use crate::outcome::Outcome;
use crate::program::Program;
use crate::run::tables::{self, LockHandling, LockKnowledge, RestartReason};

/// Choose, once, how consistency is decided.
macro_rules! with_order {
    ($settings:expr, $order:ident => $run:expr) => {
        match ($settings.model, $settings.equivalence) {
            (Model::Sc | Model::Tso | Model::Pso, Equivalence::ReadsFrom) => {
                type $order = GlobalOrder<false>;
                $run
            }
            (Model::Sc | Model::Tso | Model::Pso, Equivalence::Coherence) => {
                type $order = GlobalOrder<true>;
                $run
            }
            (_, Equivalence::ReadsFrom) => {
                type $order = HbReadsFrom;
                $run
            }
            (_, Equivalence::Coherence) => {
                type $order = HbCoherence;
                $run
            }
        }
    };
}

/// The memory models.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Model {
    Sc,
    Tso,
    Pso,
    Ra,
    Rc11,
    Rc20,
}

impl Model {
    /// All of them, strongest first as far as they compare.
    pub const ALL: [Model; 6] = [Model::Sc, Model::Tso, Model::Pso, Model::Ra, Model::Rc11, Model::Rc20];

    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Model::Sc => "sc",
            Model::Tso => "tso",
            Model::Pso => "pso",
            Model::Ra => "ra",
            Model::Rc11 => "rc11",
            Model::Rc20 => "rc20",
        }
    }
}

/// What makes two executions different.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Equivalence {
    /// Program order and reads-from.
    ReadsFrom,
    /// The same and the coherence order.
    Coherence,
}

/// What is done with critical sections.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Locks {
    /// Their order is left open where nothing depends on it: not part of an execution.
    Aware,
    /// Their order is part of an execution.
    Ordered,
}

/// How to search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The memory model.
    pub model: Model,
    /// What counts as one execution.
    pub equivalence: Equivalence,
    /// What is done with critical sections.
    pub locks: Locks,
    /// Report data races on plain accesses (rc11, rc20).
    pub races: bool,
    /// Go on after the first violation.
    pub all: bool,
    /// Workers; at least 1.
    pub workers: usize,
    /// Stop after this many executions.
    pub max_executions: Option<u64>,
    /// A weak compare-exchange may fail although the values agree.
    pub spurious_cas: bool,
    /// Report a thread that waits in a loop for ever.
    pub liveness: bool,
}

impl Settings {
    /// The defaults of the command line for a model.
    pub fn new(model: Model) -> Settings {
        Settings {
            model,
            equivalence: Equivalence::ReadsFrom,
            locks: Locks::Aware,
            races: matches!(model, Model::Rc11 | Model::Rc20),
            all: false,
            workers: 1,
            max_executions: None,
            spurious_cas: false,
            liveness: true,
        }
    }
}

/// Explore every execution of `program` that can differ under the settings' model and equivalence, each once.
pub fn search<P: Program, O: Observer<P>>(program: &P, settings: &Settings, observer: &mut O) -> Outcome {
    with_order!(settings, K => explore::<P, K, O>(program, settings, observer))
}

fn explore<P: Program, K: WithSections, O: Observer<P>>(
    program: &P,
    settings: &Settings,
    observer: &mut O,
) -> Outcome {
    // How locks are used is found out on the way, then all starts again.
    let mut known = LockKnowledge::default();
    let mut handling = LockHandling::at_first(settings.locks);
    let mut book = Book::default();
    loop {
        let (mut outcome, again) = if handling == LockHandling::Unordered {
            let (outcome, again, learned) =
                lock_aware::search::<P, K, O>(program, settings, &known, book, observer);
            book = learned;
            (outcome, again)
        } else if settings.workers > 1 {
            workers::search::<P, K, O>(program, settings, &known, handling, observer)
        } else {
            let mut explorer = Explorer::<P, K, O>::new(program, settings, &known, handling, observer);
            explorer.start();
            explorer.run();
            part_of(explorer)
        };
        let Some(again) = again else {
            outcome.violations.sort_by_key(workers::place_of);
            return outcome;
        };
        known.learn(again, settings.locks, &mut handling);
        if again == RestartReason::Program {
            program.again();
        }
        if let RestartReason::Overlap(overlap) = again
            && !program.divide(&overlap)
        {
            let stopped = Some(tables::mixed_sizes(program, &overlap));
            return Outcome { stopped, ..outcome };
        }
        // What was learned of places in threads holds only if they do the same.
        if again != RestartReason::Lessons {
            book = Book::default();
        }
        book.restart();
        observer.restarted();
    }
}

/// What a search, or one worker's share of it, came to.
fn part_of<P: Program, K: Consistency, O>(
    explorer: Explorer<'_, P, K, O>,
) -> (Outcome, Option<RestartReason>) {
    let again = explorer.tables.restart;
    let outcome =
        Outcome { counts: explorer.counts, violations: explorer.violations, stopped: explorer.stopped };
    (outcome, again)
}

/// Guess how many executions there are by `probes` random walks, as long as `keep_going` answers true.
pub fn estimate<P: Program>(
    program: &P,
    settings: &Settings,
    probes: u64,
    seed: u64,
    keep_going: &mut dyn FnMut() -> bool,
) -> Estimate {
    with_order!(settings, K => estimate::sample::<P, K>(program, settings, probes, seed, keep_going))
}
