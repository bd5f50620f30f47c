//! RC11 as published (PLDI 2017).
//!
//! A read-modify-write is one event, so `rmw` of the paper is the identity on updates. The fast checks are
//! `consistency/hb_rf.rs` and `consistency/hb_co.rs`, with `consistency/psc.rs`.

use super::relation::Rel;
use super::{Axiom, Base, rc20, require};

// ANCHOR: formula
/// RC11: no-thin-air, and the axioms with release sequences that later writes of the same thread continue.
pub fn formula(base: &Base) -> Result<(), Axiom> {
    no_thin_air(base)?;
    axioms(base, &release_sequences(base), psc)
}

/// `po ∪ rf` has no cycle. The one axiom that forbids load buffering.
pub fn no_thin_air(base: &Base) -> Result<(), Axiom> {
    let Base { po, rf, .. } = base;
    require((po | rf).acyclic(), "no-thin-air")
}

/// All axioms but no-thin-air, with these release sequences and this order of `seq_cst` events, which is made
/// of hb and eco. `[U]; eco` is what `hb; eco` says of the two halves of an update.
pub fn axioms(base: &Base, rs: &Rel, psc: fn(&Base, &Rel, &Rel) -> Rel) -> Result<(), Axiom> {
    let Base { co, fr, reads, writes, .. } = base;
    let hb = &happens_before(base, rs);
    let eco = &base.eco();
    let update = &(reads & writes).id();
    require(hb.irreflexive(), "hb")?;
    require((hb >> eco).irreflexive(), "coherence")?;
    require((update >> eco).irreflexive(), "rmw-coherence")?;
    require((update & fr >> co).is_empty(), "atomicity")?;
    require(psc(base, hb, eco).acyclic(), "psc")
}

/// `rs = [W]; (po ∩ loc)?; [W_atomic]; (rf; [U])*`.
pub fn release_sequences(base: &Base) -> Rel {
    let Base { po, loc, ext, writes, .. } = base;
    writes.id() >> ((po & loc) - ext).opt() >> rc20::release_sequences(base)
}

/// `sw = [rel]; ([F]; po)?; rs; rf; [R_atomic]; (po; [F])?; [acq]`, `hb = (po ∪ sw)⁺`.
pub fn happens_before(base: &Base, rs: &Rel) -> Rel {
    let Base { po, rf, ext, reads, fences, atomic, acquire, release, .. } = base;
    let fence = &fences.id();
    let thread_po = &(po - ext);
    let released = release.id() >> (fence >> thread_po).opt();
    let acquired = (thread_po >> fence).opt() >> acquire.id();
    let sw = released >> rs >> rf >> (reads & atomic).id() >> acquired;
    (po | sw).plus()
}

/// `psc = ([SC] ∪ [F_sc]; hb?); scb; ([SC] ∪ hb?; [F_sc]) ∪ [F_sc]; (hb ∪ hb; eco; hb); [F_sc]`
/// with `scb = po ∪ po≠loc; hb; po≠loc ∪ hb=loc ∪ co ∪ fr`.
pub fn psc(base: &Base, hb: &Rel, eco: &Rel) -> Rel {
    let Base { po, co, fr, loc, fences, sc, .. } = base;
    let po_other = &(po - loc);
    let scb = po | po_other >> hb >> po_other | hb & loc | co | fr;
    let fence = &(fences & sc).id();
    let left = sc.id() | fence >> hb.opt();
    let right = sc.id() | hb.opt() >> fence;
    left >> scb >> right | fence >> (hb | hb >> eco >> hb) >> fence
}
// ANCHOR_END: formula
