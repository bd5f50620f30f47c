//! The memory models, as data.
//!
//! Each model has a file with its formula over relations, as in the paper, and a [`Definition`] in the table
//! below: its name, its formula, and what the fast checks of `crate::consistency` have to know of it. Nothing
//! else in the engine names a model; tests hold fast checks and formulas equal at every step.

pub mod base;
pub mod pso;
pub mod ra;
pub mod rc11;
pub mod rc20;
pub mod relation;
pub mod sc;
pub mod sra;
pub mod tso;
pub mod xmm;

pub use crate::graph::clocks::ReleaseSequences;
pub use base::Base;

/// A memory model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Model {
    Sc,
    Tso,
    Pso,
    Sra,
    Ra,
    Rc11,
    Rc20,
    Xmm,
}

/// The axiom that a graph breaks.
pub type Axiom = &'static str;

/// Does the model allow this execution? The first broken axiom if not.
pub type Formula = fn(&Base) -> Result<(), Axiom>;

/// What the engine knows of a model.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// The model.
    pub model: Model,
    /// Its name on the command line.
    pub name: &'static str,
    /// Its definition, as in the paper.
    pub formula: Formula,
    /// How consistency is decided quickly.
    pub consistency: ConsistencyKind,
    /// Do `seq_cst` fences and accesses keep a store before a later load?
    pub sc_orders: bool,
    /// Can plain accesses race, which makes an execution wrong? Otherwise they are ordinary accesses of the model.
    pub races: bool,
}

/// How the consistency of a graph is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConsistencyKind {
    /// There is one order of all events that explains the execution.
    GlobalOrder(GlobalRules),
    /// Each location has a coherence order that agrees with happens-before.
    HappensBefore(Synchronisation),
    /// The executions of another model, and those that are made of them by executing again with some events
    /// committed. A search of its own finds them.
    BuiltOn(Model),
}

/// What the global order contains, besides reads-from between threads and coherence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GlobalRules {
    /// What it keeps of program order.
    pub preserved: PreservedOrder,
    /// How reads take part.
    pub from_reads: FromReads,
}

/// How a read is ordered with the writes that are coherence-after its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FromReads {
    /// It comes before them in the global order.
    Ordered,
    /// They must not happen before it; otherwise they are not ordered. Happens-before is program order and
    /// reads-from.
    OnlyCoherent,
}

/// What the global order keeps of program order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PreservedOrder {
    /// All of it.
    All,
    /// All but a store followed by a load.
    StoresBeforeStores,
    /// The same, but stores to different locations may be reordered.
    StoresOfOneLocation,
}

/// When a read synchronises with the write that it reads from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Synchronisation {
    /// Always: happens-before is program order and reads-from.
    Always,
    /// As C11 says: by release and acquire, accesses or fences; `seq_cst` events have an order of their own.
    C11(ReleaseSequences, ScOrder),
}

/// What the order of `seq_cst` events contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScOrder {
    /// RC11 as published: coherence and from-reads; happens-before that begins and ends in program order, but
    /// not by steps within one location.
    Rc11,
    /// C++20: all of eco, reads-from too; happens-before that begins and ends in program order, whatever the
    /// locations.
    Cpp20,
}

const fn global(preserved: PreservedOrder, from_reads: FromReads) -> ConsistencyKind {
    ConsistencyKind::GlobalOrder(GlobalRules { preserved, from_reads })
}

const fn c11(release_sequences: ReleaseSequences, sc_order: ScOrder) -> ConsistencyKind {
    ConsistencyKind::HappensBefore(Synchronisation::C11(release_sequences, sc_order))
}

/// The definition of each model, indexed by [`Model`].
const DEFINITIONS: [Definition; 8] = [
    Definition {
        model: Model::Sc,
        name: "sc",
        formula: sc::formula,
        consistency: global(PreservedOrder::All, FromReads::Ordered),
        sc_orders: true,
        races: false,
    },
    Definition {
        model: Model::Tso,
        name: "tso",
        formula: tso::formula,
        consistency: global(PreservedOrder::StoresBeforeStores, FromReads::Ordered),
        sc_orders: true,
        races: false,
    },
    Definition {
        model: Model::Pso,
        name: "pso",
        formula: pso::formula,
        consistency: global(PreservedOrder::StoresOfOneLocation, FromReads::Ordered),
        sc_orders: true,
        races: false,
    },
    Definition {
        model: Model::Sra,
        name: "sra",
        formula: sra::formula,
        consistency: global(PreservedOrder::All, FromReads::OnlyCoherent),
        sc_orders: false,
        races: false,
    },
    Definition {
        model: Model::Ra,
        name: "ra",
        formula: ra::formula,
        consistency: ConsistencyKind::HappensBefore(Synchronisation::Always),
        sc_orders: false,
        races: false,
    },
    Definition {
        model: Model::Rc11,
        name: "rc11",
        formula: rc11::formula,
        consistency: c11(ReleaseSequences::SameThread, ScOrder::Rc11),
        sc_orders: true,
        races: true,
    },
    Definition {
        model: Model::Rc20,
        name: "rc20",
        formula: rc20::formula,
        consistency: c11(ReleaseSequences::UpdatesOnly, ScOrder::Cpp20),
        sc_orders: true,
        races: true,
    },
    Definition {
        model: Model::Xmm,
        name: "xmm",
        formula: xmm::consistent,
        consistency: ConsistencyKind::BuiltOn(Model::Rc20),
        sc_orders: true,
        races: true,
    },
];

impl Definition {
    /// Is one interleaving the explanation of every execution?
    pub fn is_sequential(&self) -> bool {
        self.consistency == global(PreservedOrder::All, FromReads::Ordered)
    }
}

impl Model {
    /// All of them, strongest first as far as they compare.
    pub const ALL: [Model; DEFINITIONS.len()] = {
        let mut all = [Model::Sc; DEFINITIONS.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = DEFINITIONS[at].model;
            // The table is indexed by model.
            assert!(all[at] as usize == at);
            at += 1;
        }
        all
    };

    /// Those in whose executions program order and reads-from have no cycle together, so that executions can be
    /// built event by event: all but XMM.
    pub const CAUSAL: [Model; DEFINITIONS.len() - 1] =
        [Model::Sc, Model::Tso, Model::Pso, Model::Sra, Model::Ra, Model::Rc11, Model::Rc20];

    /// The model whose executions are found event by event: itself, or the one on which it is built.
    pub const fn causal(self) -> Model {
        match self.definition().consistency {
            ConsistencyKind::BuiltOn(model) => model,
            ConsistencyKind::GlobalOrder(_) | ConsistencyKind::HappensBefore(_) => self,
        }
    }

    /// What the engine knows of it.
    pub const fn definition(self) -> &'static Definition {
        &DEFINITIONS[self as usize]
    }

    /// The name used on the command line.
    pub const fn name(self) -> &'static str {
        self.definition().name
    }

    /// The model with this name.
    pub fn named(name: &str) -> Option<Model> {
        Model::ALL.into_iter().find(|model| model.name() == name)
    }
}

/// The axiom holds, or it is named.
pub(crate) fn require(holds: bool, axiom: Axiom) -> Result<(), Axiom> {
    if holds { Ok(()) } else { Err(axiom) }
}
