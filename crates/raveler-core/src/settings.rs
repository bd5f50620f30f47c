//! How to search: the model, what makes executions different, what is reported, and when to stop.
//!
//! docs/counts.md, "Executions", says what the equivalences and the treatment of locks mean.

use crate::models::Model;

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

/// Under which conditions an execution of XMM may be executed again (docs/xmm.md, "Rule sets").
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum XmmRules {
    /// The rules of the project: committed events are closed under what may not be relaxed, and causality between
    /// them has its like in the execution that they come from.
    #[default]
    Default,
    /// The same without the condition on causality.
    NoCausalRestriction,
    /// The definition as printed: neither of the two.
    Printed,
    /// The rules of the Coq development.
    Strict,
}

impl XmmRules {
    /// All of them.
    pub const ALL: [XmmRules; 4] =
        [XmmRules::Default, XmmRules::NoCausalRestriction, XmmRules::Printed, XmmRules::Strict];

    /// The name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            XmmRules::Default => "default",
            XmmRules::NoCausalRestriction => "nocr",
            XmmRules::Printed => "printed",
            XmmRules::Strict => "strict",
        }
    }
}

/// How to search. Made by [`Settings::new`], then changed field by field.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Settings {
    /// The memory model.
    pub model: Model,
    /// What counts as one execution.
    pub equivalence: Equivalence,
    /// What is done with critical sections.
    pub locks: Locks,
    /// Report data races on plain accesses, where the model knows them.
    pub races: bool,
    /// Go on after the first violation.
    pub all: bool,
    /// Workers; at least 1.
    pub workers: usize,
    /// Stop after this many executions.
    pub max_executions: Option<u64>,
    /// A weak compare-exchange may fail although the values agree.
    pub spurious_cas: bool,
    /// A thread that waits for a condition variable may wake up without a signal. For front-ends, which make such waits
    /// of what the engine has.
    pub spurious_wakeups: bool,
    /// Report a thread that waits in a loop for ever.
    pub liveness: bool,
    /// Under XMM: when an execution may be executed again.
    pub xmm_rules: XmmRules,
    /// Count load-buffering races, under RC20 and XMM.
    pub lb_races: bool,
}

impl Settings {
    /// The defaults of the command line for a model.
    pub fn new(model: Model) -> Settings {
        Settings {
            model,
            equivalence: Equivalence::ReadsFrom,
            locks: if model == model.causal() { Locks::Aware } else { Locks::Ordered },
            races: model.definition().races,
            all: false,
            workers: 1,
            max_executions: None,
            spurious_cas: false,
            spurious_wakeups: false,
            liveness: true,
            xmm_rules: XmmRules::Default,
            lb_races: false,
        }
    }
}
