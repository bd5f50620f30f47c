//! Release-acquire. Paper: Tracer, Def. 3.1.
//!
//! Coherence is per location: the coherence orders of different locations need not fit together, as under SRA
//! (`sra.rs`).

use super::{Axiom, Base, require};

// ANCHOR: formula
/// For every location x, `po ∪ rf ∪ coˣ ∪ frˣ` has no cycle. Every load is acquire, every store release.
pub fn formula(base: &Base) -> Result<(), Axiom> {
    let Base { po, rf, co, fr, at, .. } = base;
    let at_each = at.iter().all(|x| (po | rf | (co | fr) & (x * x)).acyclic());
    require(at_each && (po | rf).acyclic(), "ra")
}
// ANCHOR_END: formula
