//! RC11 as published (PLDI 2017), and RC20: the same with the release sequences of C++20.
//!
//! One event per read-modify-write: `rmw` is the identity on updates.

use super::{Axiom, Base, require};
use crate::models::relation::Rel;

// ANCHOR: formula
/// `rs = [W]; (po ∩ loc)?; [W_atomic]; (rf; [U])*`: RC11.
pub fn release_sequence(base: &Base) -> Rel {
    let same_thread = (&(&base.po & &base.loc) - &base.ext).opt();
    &(&base.writes.id() >> &same_thread) >> &release_sequence_of_updates(base)
}

/// `rs = [W_atomic]; (rf; [U])*`: RC20.
pub fn release_sequence_of_updates(base: &Base) -> Rel {
    let update = (&base.reads & &base.writes).id();
    &(&base.writes & &base.atomic).id() >> &(&base.rf >> &update).star()
}

/// `sw = [rel]; ([F]; po)?; rs; rf; [R_atomic]; (po; [F])?; [acq]`, `hb = (po ∪ sw)⁺`.
pub fn happens_before(base: &Base, rs: &Rel) -> Rel {
    let Base { po, rf, .. } = base;
    let fence = base.fences.id();
    let thread_po = po - &base.ext;
    let released = &base.release.id() >> &(&fence >> &thread_po).opt();
    let acquired = &(&thread_po >> &fence).opt() >> &base.acquire.id();
    let sw = &(&(&(&released >> rs) >> rf) >> &(&base.reads & &base.atomic).id()) >> &acquired;
    (po | &sw).plus()
}

/// `psc = ([SC] ∪ [F_sc]; hb?); scb; ([SC] ∪ hb?; [F_sc]) ∪ [F_sc]; (hb ∪ hb; eco; hb); [F_sc]`.
pub fn psc(base: &Base, hb: &Rel) -> Rel {
    let Base { po, co, fr, loc, .. } = base;
    let po_other = &(po - loc);
    let scb = &(&(&(po | &(&(po_other >> hb) >> po_other)) | &(hb & loc)) | co) | fr;
    let sc = base.sc.id();
    let fence = (&base.fences & &base.sc).id();
    let left = &sc | &(&fence >> &hb.opt());
    let right = &sc | &(&hb.opt() >> &fence);
    let around = hb | &(&(hb >> &base.eco()) >> hb);
    (&(&left >> &scb) >> &right) | (&(&fence >> &around) >> &fence)
}

/// The axioms. `[U]; eco` is what `hb; eco` says of the two halves of an update.
pub fn formula(base: &Base, rs: Rel) -> Result<(), Axiom> {
    let Base { po, rf, co, fr, .. } = base;
    let hb = happens_before(base, &rs);
    let eco = base.eco();
    let update = (&base.reads & &base.writes).id();
    require((po | rf).acyclic(), "no-thin-air")?;
    require(hb.irreflexive(), "hb")?;
    require((&hb >> &eco).irreflexive(), "coherence")?;
    require((&update >> &eco).irreflexive(), "rmw-coherence")?;
    require((&update & &(fr >> co)).is_empty(), "atomicity")?;
    require(psc(base, &hb).acyclic(), "psc")
}
// ANCHOR_END: formula
