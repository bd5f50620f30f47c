//! x86-TSO: a store may wait in its thread's buffer while later loads go on.
//!
//! Read-modify-writes, failed or not, and `seq_cst` fences drain the buffer. The fast check is
//! `consistency/global.rs`.

use super::relation::Rel;
use super::{Axiom, Base, require};

// ANCHOR: formula
/// Coherence per location, and `ppo ∪ fences ∪ rfe ∪ co ∪ fr` has no cycle, where `ppo` is program order without
/// store-to-load pairs, but with those that a bound on the buffer orders.
pub fn formula(base: &Base) -> Result<(), Axiom> {
    let Base { po, rf, co, fr, loc, ext, reads, writes, locked, .. } = base;
    require((po & loc | rf | co | fr).acyclic(), "coherence")?;
    let memory = &(reads | writes);
    let ppo = po & (memory * memory - (writes - locked) * (reads - locked));
    let ppo = ppo | base.made_room(|_, _| true);
    require((ppo | fenced(base) | rf & ext | co | fr).acyclic(), "tso")
}

/// What full fences order: everything before one with everything after it. A `seq_cst` store is followed by one.
pub(crate) fn fenced(base: &Base) -> Rel {
    let Base { po, fences, sc, writes, locked, .. } = base;
    let fence = &(fences & sc | locked).id();
    let sc_store = (writes & sc).id();
    po >> fence >> po | po >> fence | fence >> po | sc_store >> po
}
// ANCHOR_END: formula
