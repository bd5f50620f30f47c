//! The search: every execution that can differ, each exactly once.

use crate::observer::Observer;
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
pub fn search<P: Program, O: Observer<P>>(_program: &P, _settings: &Settings, _observer: &mut O) -> Outcome {
    unimplemented!()
}
