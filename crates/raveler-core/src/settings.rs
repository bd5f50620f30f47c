//! How to search: the model, what makes executions different, what is reported, and when to stop.
//!
//! docs/counts.md, "Executions", says what the equivalences and the treatment of locks mean.

use crate::id::SiteId;
use crate::models::Model;
use crate::program::action::Order;

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

/// How executions are found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Engine {
    /// As graphs, built event by event.
    #[default]
    Graph,
    /// As runs of threads with store buffers, step by step. For SC, TSO and PSO.
    Interleaving,
}

impl Engine {
    /// Both.
    pub const ALL: [Engine; 2] = [Engine::Graph, Engine::Interleaving];

    /// The name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Graph => "graph",
            Engine::Interleaving => "interleaving",
        }
    }
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

/// Random walks instead of a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RandomWalks {
    /// Where the random numbers start: the same seed makes the same walks.
    pub seed: u64,
    /// How many.
    pub walks: u64,
    /// Of interleavings: by priorities, with one change less than this (probabilistic concurrency testing).
    pub depth: Option<u32>,
}

/// A fence that the program does not have, right after the stores of a site: what would be if it had?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FenceAfter {
    /// Where the stores stand. Read-modify-writes and operations on locks are no stores.
    pub site: SiteId,
    /// Its order.
    pub order: Order,
}

/// What is left out beyond the equivalence (docs/reductions.md). Of the search by graphs; interleavings have
/// [`Settings::reduction`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Reductions {
    /// The orders in which the threads of a group come to a barrier. For front-ends, which make barriers of
    /// [`crate::Operation::Arrive`] then.
    pub barriers: bool,
    /// Permutations of threads that nothing tells apart and that begin with an update of one location.
    pub symmetry: bool,
    /// The order of updates of one location of which nobody looks at the results. For front-ends, which make them of
    /// [`crate::Operation::Count`] then.
    pub counters: bool,
    /// Rounds of waiting loops that begin with stores which no other thread sees. For front-ends, which let the thread wait
    /// behind such a round ([`crate::program::Hints::is_unseen`]).
    pub rounds: bool,
}

impl Reductions {
    /// None of them.
    pub const NONE: Reductions =
        Reductions { barriers: false, symmetry: false, counters: false, rounds: false };
    /// All of them.
    pub const ALL: Reductions = Reductions { barriers: true, symmetry: true, counters: true, rounds: true };
    /// Their names on the command line.
    pub const NAMES: [&str; 4] = ["barriers", "symmetry", "counters", "rounds"];

    /// Add the one with this name. False if there is none.
    pub fn add(&mut self, name: &str) -> bool {
        match name {
            "barriers" => self.barriers = true,
            "symmetry" => self.symmetry = true,
            "counters" => self.counters = true,
            "rounds" => self.rounds = true,
            _ => return false,
        }
        true
    }

    /// The names of those that are here.
    pub fn names(self) -> Vec<&'static str> {
        let is_here = [self.barriers, self.symmetry, self.counters, self.rounds];
        Reductions::NAMES
            .into_iter()
            .zip(is_here)
            .filter(|&(_, is_here)| is_here)
            .map(|(name, _)| name)
            .collect()
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
    /// Under XMM with its default rules: remember only executions that may justify others. Judges switch it off to see
    /// whether any are lost.
    pub xmm_filter: bool,
    /// Walk at random instead of searching: sections are ordered then, whatever `locks` says, and `max_executions` plays
    /// no role. Not for XMM.
    pub random: Option<RandomWalks>,
    /// Count load-buffering races, under RC20 and XMM.
    pub lb_races: bool,
    /// How executions are found. Interleavings have critical sections in their order, and reads-from makes their classes.
    pub engine: Engine,
    /// How many stores a store buffer holds: one per thread under TSO, one per thread and location under PSO. None:
    /// as many as come.
    pub buffer_bound: Option<u32>,
    /// Of interleavings: all with at most so many preemptions, first those with none, then those with one, and so on.
    pub preemption_bound: Option<u32>,
    /// Of interleavings that are equivalent, leave out as many as possible.
    pub reduction: bool,
    /// Of graphs: what is left out beyond the equivalence. Not under XMM, where load-buffering races are counted, and in
    /// random walks.
    pub reductions: Reductions,
    /// Of interleavings: count those that differ in events or reads-from.
    pub classes: bool,
    /// Fences that are put into the program; at most one for each site.
    pub fences: Vec<FenceAfter>,
}

impl Settings {
    /// The defaults of the command line for a model, but without reductions.
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
            xmm_filter: true,
            random: None,
            lb_races: false,
            engine: Engine::Graph,
            buffer_bound: None,
            preemption_bound: None,
            reduction: true,
            reductions: Reductions::NONE,
            classes: false,
            fences: Vec::new(),
        }
    }

    /// The reductions that are in force: those asked for, where they are right.
    pub fn reductions_in_force(&self) -> Reductions {
        let are_right = self.engine == Engine::Graph
            && self.model == self.model.causal()
            && !self.lb_races
            && self.random.is_none();
        if are_right { self.reductions } else { Reductions::NONE }
    }
}
