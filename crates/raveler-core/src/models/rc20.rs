//! RC20: what C++20 promises, without load buffering. RC11 with two differences.
//!
//! Only updates continue a release sequence, and the order S of `seq_cst` events is that of C++20
//! \[atomics.order\]: what *strongly happens before* is in S, without RC11's exception for one location, and S
//! follows *coherence-ordered before*, which is all of eco, reads-from included.

use super::relation::Rel;
use super::{Axiom, Base, rc11};

// ANCHOR: formula
/// RC20: the axioms of RC11 with the release sequences and the `seq_cst` order of C++20.
pub fn formula(base: &Base) -> Result<(), Axiom> {
    rc11::no_thin_air(base)?;
    axioms(base)
}

/// All axioms but no-thin-air.
pub fn axioms(base: &Base) -> Result<(), Axiom> {
    rc11::axioms(base, &release_sequences(base), psc)
}

/// `rs = [W_atomic]; (rf; [U])*`.
pub fn release_sequences(base: &Base) -> Rel {
    let Base { rf, reads, writes, atomic, .. } = base;
    (writes & atomic).id() >> (rf >> (reads & writes).id()).star()
}

/// `psc = [SC]; (po ∪ po; hb; po); [SC] ∪ ([SC] ∪ [F_sc]; hb); eco; ([SC] ∪ hb; [F_sc])`.
pub fn psc(base: &Base, hb: &Rel, eco: &Rel) -> Rel {
    let Base { po, fences, sc, .. } = base;
    let fence = &(fences & sc).id();
    let strongly = po | po >> hb >> po;
    let left = sc.id() | fence >> hb;
    let right = sc.id() | hb >> fence;
    sc.id() >> strongly >> sc.id() | left >> eco >> right
}
// ANCHOR_END: formula
