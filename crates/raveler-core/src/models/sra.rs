//! Strong release-acquire: release-acquire in which the coherence orders of all locations fit together.
//! Paper: Lahav, Giannarakis, Vafeiadis, "Taming release-acquire consistency" (POPL 2016).

use super::{Axiom, Base, ra, require};

// ANCHOR: formula
/// What release-acquire asks for, and `po ∪ rf ∪ co` has no cycle over all locations.
pub fn formula(base: &Base) -> Result<(), Axiom> {
    let Base { po, rf, co, .. } = base;
    ra::formula(base)?;
    require((po | rf | co).acyclic(), "sra")
}
// ANCHOR_END: formula
