//! x86-TSO: a store may wait in its thread's buffer while later loads go on.

use super::{Axiom, Base, require};
use crate::models::relation::Rel;

// ANCHOR: formula
/// Coherence per location, and `ppo ∪ fences ∪ rfe ∪ co ∪ fr` has no cycle, where `ppo` is program order without
/// store-to-load pairs.
pub fn formula(base: &Base) -> Result<(), Axiom> {
    let Base { po, rf, co, fr, loc, ext, .. } = base;
    require((&(&(&(po & loc) | rf) | co) | fr).acyclic(), "coherence")?;
    let store = &base.writes - &base.locked;
    let load = &base.reads - &base.locked;
    let memory = &base.reads | &base.writes;
    let ppo = (po & &(&memory * &memory)) - &(&store * &load);
    let order = ppo | fenced(base);
    require((order | (rf & ext) | co | fr).acyclic(), "tso")
}

/// What full fences order: everything before one with everything after it. A `seq_cst` store is followed by one.
pub(crate) fn fenced(base: &Base) -> Rel {
    let po = &base.po;
    let fence = (&(&base.fences & &base.sc) | &base.locked).id();
    let sc_store = (&base.writes & &base.sc).id();
    (&(po >> &fence) >> po) | (po >> &fence) | (&fence >> po) | (&sc_store >> po)
}
// ANCHOR_END: formula
