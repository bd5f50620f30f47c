//! Sequential consistency: one interleaving explains everything.
//!
//! The fast check is `consistency/global.rs`.

use super::{Axiom, Base, require};

// ANCHOR: formula
/// `po ∪ rf ∪ co ∪ fr` has no cycle. Fences and orders play no role.
pub fn formula(base: &Base) -> Result<(), Axiom> {
    let Base { po, rf, co, fr, .. } = base;
    require((po | rf | co | fr).acyclic(), "sc")
}
// ANCHOR_END: formula
