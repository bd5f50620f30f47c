//! PSO: as TSO, and stores to different locations may leave a thread's buffer in any order.
//!
//! Release stores and release fences are store-store barriers. The fast check is `consistency/global.rs`.

use super::relation::Rel;
use super::tso::fenced;
use super::{Axiom, Base, require};

// ANCHOR: formula
/// Coherence per location, and `ppo ∪ fences ∪ stbar ∪ rfe ∪ co ∪ fr` has no cycle, where `ppo` is program order
/// without the pairs that start with a store, unless both are stores to one location or a bound on the buffers
/// orders them.
pub fn formula(base: &Base) -> Result<(), Axiom> {
    let Base { po, rf, co, fr, loc, ext, reads, writes, locked, .. } = base;
    require((po & loc | rf | co | fr).acyclic(), "coherence")?;
    let store = &(writes - locked);
    let memory = &(reads | writes);
    let ppo = po & ((memory - store) * memory) | po & loc & (store * store);
    let ppo = ppo | base.made_room(|a, b| loc.has(a, b));
    require((ppo | fenced(base) | barred(base) | rf & ext | co | fr).acyclic(), "pso")
}

/// What store-store barriers order: stores before one with stores after it. One stands before every release
/// store, and a release fence is one.
fn barred(base: &Base) -> Rel {
    let Base { po, fences, release, writes, .. } = base;
    let write = &writes.id();
    let barrier = (fences & release).id();
    let to_release = &(write >> po >> (writes & release).id());
    write >> po >> barrier >> po >> write | to_release >> po >> write | to_release
}
// ANCHOR_END: formula
