//! The models as formulas, over graphs whose updates are two events.
//!
//! Every model also has: `po ∪ asw ∪ rf` acyclic, coherence per location, and atomicity
//! (`rmw ∩ (fr ; co)` empty); [`coherent`] checks these two for one location, the enumeration does the first.
//! RA and the coherence axiom of RC11 and RC20 speak of one location at a time, the others of all together.

use super::buffers;
use super::frame::Frame;
use crate::relation::Rel;

/// `acyclic((po ∩ loc) ∪ rf ∪ co ∪ fr)` and `rmw ∩ (fr ; co) = ∅`, for one location's `co` and `fr`.
pub fn coherent(frame: &Frame, rf: &Rel, co: &Rel, fr: &Rel, at: Rel) -> bool {
    ((frame.order & at) | (*rf & at) | *co | *fr).acyclic() && (frame.rmw & (*fr >> *co)).is_empty()
}

/// SC: `acyclic(po ∪ rf ∪ co ∪ fr)`.
pub fn sc(frame: &Frame, rf: &Rel) -> Rel {
    frame.po | frame.asw | *rf
}

/// RA: for each location x, `acyclic(po ∪ rf ∪ co_x ∪ fr_x)`. Paper: Tracer, Def. 3.1.
pub fn ra(frame: &Frame, rf: &Rel, co: &Rel, fr: &Rel) -> bool {
    (frame.po | frame.asw | *rf | *co | *fr).acyclic()
}

/// SRA, besides what RA says: `acyclic(po ∪ rf ∪ co)` over all locations; `sc` is the order of SC without `co` and `fr`.
pub fn sra(sc: &Rel, co: &Rel) -> bool {
    (*sc | *co).acyclic()
}

/// What TSO orders besides `rfe`, `co` and `fr`; with `room`, where a buffer holds so many stores.
pub fn tso_order(frame: &Frame, room: Option<u32>) -> Rel {
    let &Frame { po, r, w, f, sc, locked, drains, .. } = frame;
    let m = r | w;
    let (st, ld) = (w - locked, r - locked);
    let ppo = po & ((m * m) - (st * ld));
    let full = (f & sc) | locked | drains;
    let mfence = (po >> full.id()) | (full.id() >> po);
    let scst = (w & sc).id() >> po;
    let full_buffer =
        room.map_or(Rel::EMPTY, |room| buffers::made_room(frame, room, buffers::of_thread(frame)));
    ppo | full_buffer | mfence | scst | frame.asw
}

/// What PSO orders besides `rfe`, `co` and `fr`; with `room`, where a buffer holds so many stores.
pub fn pso_order(frame: &Frame, room: Option<u32>) -> Rel {
    let &Frame { po, r, w, f, rel, sc, locked, drains, .. } = frame;
    let m = r | w;
    let st = w - locked;
    let ppo = (po & ((m * m) - (st * m))) | (po & (st * locked));
    let full = (f & sc) | locked | drains;
    let mfence = (po >> full.id()) | (full.id() >> po);
    let scst = (w & sc).id() >> po;
    let (w_id, rel_w) = (w.id(), (w & rel).id());
    let stbar = (w_id >> po >> (f & rel).id() >> po >> w_id)
        | (w_id >> po >> rel_w)
        | (w_id >> po >> rel_w >> po >> w_id);
    let full_buffer = room.map_or(Rel::EMPTY, |room| buffers::made_room(frame, room, frame.loc));
    ppo | full_buffer | mfence | scst | stbar | frame.asw
}

/// Which release sequences a write heads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReleaseSequence {
    /// RC11: `[W] ; (po ∩ loc)? ; [W_atomic] ; (rf ; rmw)*`
    SameThread,
    /// RC20: `[W_atomic] ; (rf ; rmw)*`
    UpdatesOnly,
}

/// Happens-before of RC11 and RC20: `(po ∪ asw ∪ sw)⁺`.
pub fn happens_before(frame: &Frame, rf: &Rel, kind: ReleaseSequence) -> Rel {
    (frame.po | frame.asw | synchronizes_with(frame, rf, kind)).plus()
}

/// `sw`, by release and acquire, accesses or fences.
pub fn synchronizes_with(frame: &Frame, rf: &Rel, kind: ReleaseSequence) -> Rel {
    let &Frame { po, loc, rmw, r, w, f, a, rel, acq, .. } = frame;
    let rf = *rf;
    let chain = (rf >> rmw).plus().opt();
    let rs = match kind {
        ReleaseSequence::SameThread => w.id() >> (po & loc).opt() >> (w & a).id() >> chain,
        ReleaseSequence::UpdatesOnly => (w & a).id() >> chain,
    };
    rel.id() >> (f.id() >> po).opt() >> rs >> rf >> (r & a).id() >> (po >> f.id()).opt() >> acq.id()
}

/// RC11, RC20: `irreflexive(hb ; eco?)`, for one location's `eco`.
pub fn rc_coherent(hb: &Rel, eco: &Rel) -> bool {
    hb.irreflexive() && (*hb >> *eco).irreflexive()
}

/// The part of RC11's `psc` that does not depend on `co`: `scb` without `co` and `fr`.
pub fn scb_base(frame: &Frame, hb: &Rel) -> Rel {
    let podl = frame.po - frame.loc;
    frame.po | (podl >> *hb >> podl) | (*hb & frame.loc)
}

/// RC20: `acyclic([SC]; (po ∪ po; hb; po); [SC] ∪ ([SC] ∪ [F_sc]; hb); eco; ([SC] ∪ hb; [F_sc]))`. `po; hb; po` speaks of
/// operations: from one half of an update to the other is no step.
pub fn psc_of_rc20(frame: &Frame, hb: &Rel, eco: &Rel) -> bool {
    let sc = frame.sc.id();
    let fsc = (frame.f & frame.sc).id();
    let po = frame.po - frame.rmw;
    let strongly = sc >> (frame.po | (po >> *hb >> po)) >> sc;
    let coherently = (sc | (fsc >> *hb)) >> *eco >> (sc | (*hb >> fsc));
    (strongly | coherently).acyclic()
}

/// RC11: `acyclic(psc_base ∪ psc_F)`.
pub fn psc_acyclic(frame: &Frame, hb: &Rel, scb_base: &Rel, co: &Rel, fr: &Rel, eco: &Rel) -> bool {
    let scb = *scb_base | *co | *fr;
    let sc = frame.sc.id();
    let fsc = (frame.f & frame.sc).id();
    let psc_base = (sc | (fsc >> hb.opt())) >> scb >> (sc | (hb.opt() >> fsc));
    let psc_f = fsc >> (*hb | (*hb >> *eco >> *hb)) >> fsc;
    (psc_base | psc_f).acyclic()
}

/// Two accesses of one place in different threads, one of them a write and one not atomic, that `hb` does not order.
pub fn race(frame: &Frame, hb: &Rel) -> bool {
    let &Frame { r, w, a, loc, int, .. } = frame;
    let m = r | w;
    let mut init = crate::relation::Set::default();
    (0..frame.places).for_each(|event| init.insert(event));
    let conflict = (loc & ((w * m) | (m * w))) - int - (init * m) - (m * init);
    !(conflict - (a * a) - *hb - hb.inv()).is_empty()
}
