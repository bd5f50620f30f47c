//! PSO: as TSO, and stores to different locations may leave a thread in any order.

use super::tso::fenced;
use super::{Axiom, Base, require};

// ANCHOR: formula
/// Coherence per location, and `ppo ∪ fences ∪ stbar ∪ rfe ∪ co ∪ fr` has no cycle, where `ppo` is program order
/// without the pairs that start with a store, unless both are stores to one location. A store-store barrier stands
/// before every release store, and a release fence is one.
pub fn formula(base: &Base) -> Result<(), Axiom> {
    let Base { po, rf, co, fr, loc, ext, writes, .. } = base;
    require((&(&(&(po & loc) | rf) | co) | fr).acyclic(), "coherence")?;
    let store = writes - &base.locked;
    let memory = &base.reads | writes;
    let ppo = (po & &(&(&memory - &store) * &memory)) | (&(po & loc) & &(&store * &store));
    let write = writes.id();
    let barrier = (&base.fences & &base.release).id();
    let release = (writes & &base.release).id();
    let to_release = &(&write >> po) >> &release;
    let stbar =
        (&(&(&(&write >> po) >> &barrier) >> po) >> &write) | (&(&to_release >> po) >> &write) | to_release;
    let order = ppo | fenced(base) | stbar;
    require((order | (rf & ext) | co | fr).acyclic(), "pso")
}
// ANCHOR_END: formula
