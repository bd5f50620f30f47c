//! The search: every execution that can differ, each exactly once.

pub(crate) mod explore;
pub(crate) mod step;
pub(crate) mod tables;

use self::explore::Explorer;
use crate::observer::Observer;
use crate::order::Consistency;
use crate::order::causal::Causal;
use crate::order::placed::Placed;
use crate::order::total::Total;
use crate::outcome::Outcome;
use crate::program::Program;

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

/// How to search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The memory model.
    pub model: Model,
    /// What counts as one execution.
    pub equivalence: Equivalence,
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
}

impl Settings {
    /// The defaults of the command line for a model.
    pub fn new(model: Model) -> Settings {
        Settings {
            model,
            equivalence: Equivalence::ReadsFrom,
            races: matches!(model, Model::Rc11 | Model::Rc20),
            all: false,
            workers: 1,
            max_executions: None,
            spurious_cas: false,
        }
    }
}

/// Explore every execution of `program` that can differ under the settings' model and equivalence, each once.
pub fn search<P: Program, O: Observer<P>>(program: &P, settings: &Settings, observer: &mut O) -> Outcome {
    match (settings.model, settings.equivalence) {
        (Model::Sc | Model::Tso | Model::Pso, Equivalence::ReadsFrom) => {
            explore::<P, Total<false>, O>(program, settings, observer)
        }
        (Model::Sc | Model::Tso | Model::Pso, Equivalence::Coherence) => {
            explore::<P, Total<true>, O>(program, settings, observer)
        }
        (_, Equivalence::ReadsFrom) => explore::<P, Causal, O>(program, settings, observer),
        (_, Equivalence::Coherence) => explore::<P, Placed, O>(program, settings, observer),
    }
}

fn explore<P: Program, K: Consistency, O: Observer<P>>(
    program: &P,
    settings: &Settings,
    observer: &mut O,
) -> Outcome {
    let mut explorer = Explorer::<P, K, O>::new(program, settings, observer);
    explorer.start();
    explorer.run();
    Outcome { counts: explorer.counts, violations: explorer.violations, stopped: explorer.stopped }
}
