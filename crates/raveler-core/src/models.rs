//! The memory models, one file each: the definition over relations, as in the paper.
//!
//! The engine decides consistency incrementally in [`crate::consistency`]; tests hold both equal.

pub mod base;
pub mod pso;
pub mod ra;
pub mod rc11;
pub mod relation;
pub mod sc;
pub mod tso;

pub use base::Base;

use crate::search::Model;

/// The axiom that a graph breaks.
pub type Axiom = &'static str;

/// Does the model allow this execution? The first broken axiom if not.
pub fn formula(model: Model, base: &Base) -> Result<(), Axiom> {
    match model {
        Model::Sc => sc::formula(base),
        Model::Tso => tso::formula(base),
        Model::Pso => pso::formula(base),
        Model::Ra => ra::formula(base),
        Model::Rc11 => rc11::formula(base, rc11::release_sequence(base)),
        Model::Rc20 => rc11::formula(base, rc11::release_sequence_of_updates(base)),
    }
}

/// The axiom holds, or it is named.
pub(crate) fn require(holds: bool, axiom: Axiom) -> Result<(), Axiom> {
    if holds { Ok(()) } else { Err(axiom) }
}
