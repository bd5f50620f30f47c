//! The relations of XMM as its definition writes them, over frames whose updates are two events. `order` is `po` with its
//! edges from spawns and to joins.

use crate::brute::frame::Frame;
use crate::brute::sections::Edges;
use crate::graph::Source;
use crate::relation::{Rel, Set};

/// The events that a graph has by its definition: no initial writes, nothing that only marks where threads begin and end.
pub fn real(frame: &Frame) -> Set {
    let mut set = Set::default();
    for (event, name) in frame.names.iter().enumerate() {
        if *name != Source::Init {
            set.insert(event);
        }
    }
    set
}

/// What locks follow that are no places of memory, in this order of sections: from the end of a section to the lock event of
/// another one, if the one comes before the other, not both are shared, and no exclusive section comes between them.
pub fn follows(frame: &Frame, order: &Edges) -> Rel {
    let mut follows = Rel::EMPTY;
    for &(unlock, lock) in order {
        let between = frame.sections.iter().any(|section| {
            let ends_before = section.unlock.is_some_and(|end| order.contains(&(end, lock)));
            !section.shared && order.contains(&(unlock, section.lock)) && ends_before
        });
        if !between {
            follows.insert(unlock, lock);
        }
    }
    follows
}

/// `hb = (po ∪ sw ∪ follows)⁺` with `sw = [Rel];([F];po)?;[W];(rf;rmw)*;rf;[R];(po;[F])?;[Acq]`. Plain accesses count as relaxed
/// everywhere but here: they synchronise with nothing, as in RC20, so that all of RC20 is allowed.
pub fn happens_before(frame: &Frame, rf: &Rel, follows: &Rel) -> Rel {
    let &Frame { po, rmw, r, w, f, a, rel, acq, .. } = frame;
    let rs = (w & a).id() >> (*rf >> rmw).plus().opt();
    let sw =
        rel.id() >> (f.id() >> po).opt() >> rs >> *rf >> (r & a).id() >> (po >> f.id()).opt() >> acq.id();
    (frame.order | sw | *follows).plus()
}

/// Is there no cycle of `seq_cst` events? As RC20: `psc = [SC];(po ∪ po;hb;po);[SC] ∪ ([SC] ∪ [F_sc];hb);eco;([SC] ∪
/// hb;[F_sc])`, where `po;hb;po` speaks of operations: from one half of an update to the other is no step.
pub fn psc_acyclic(frame: &Frame, hb: &Rel, eco: &Rel) -> bool {
    let sc = frame.sc.id();
    let fsc = (frame.f & frame.sc).id();
    let step = frame.po - frame.rmw;
    let strongly = sc >> (frame.po | (step >> *hb >> step)) >> sc;
    let coherently = (sc | (fsc >> *hb)) >> *eco >> (sc | (*hb >> fsc));
    (strongly | coherently).acyclic()
}

/// `rpo = ([R];po;[F∩Acq] ∪ [Acq];po ∪ po;[Rel] ∪ [F∩Rel];po;[W])⁺`, the order that may not be relaxed. Everything before
/// a spawn is before it and it before the whole new thread; a whole thread is before its join and that before what
/// follows.
pub fn rpo(frame: &Frame) -> Rel {
    let &Frame { po, r, w, f, rel, acq, .. } = frame;
    let mut base = (r.id() >> po >> (f & acq).id())
        | (acq.id() >> po)
        | (po >> rel.id())
        | ((f & rel).id() >> po >> w.id());
    for from in 0..frame.names.len() {
        for to in frame.asw.after(from).iter() {
            let mut here = Set::default();
            let begins = frame.names[to] == Source::Init;
            here.insert(if begins { from } else { to });
            let whole = Set(frame.int.0[if begins { to } else { from }]);
            let around =
                if begins { (po >> here.id()) | (here * whole) } else { (whole * here) | (here.id() >> po) };
            base = base | around;
        }
    }
    let real = real(frame);
    base.plus() & (real * real)
}

/// Pairs of accesses of one place, one of them a write, that `hb` does not order; initial writes left out.
pub fn races(frame: &Frame, hb: &Rel) -> Rel {
    let real = real(frame);
    let (m, w) = ((frame.r | frame.w) & real, frame.w & real);
    (frame.loc & ((m * w) | (w * m))) - *hb - hb.inv() - m.id()
}

/// The races of a read with a write that `porf` leads to.
pub fn races_along(frame: &Frame, races: &Rel, porf: &Rel) -> Rel {
    *races & *porf & (frame.r * frame.w)
}

/// Is there a load-buffering race: one of these, with a relaxed access?
pub fn has_lb_race(frame: &Frame, along: &Rel) -> bool {
    let strong = frame.rel | frame.acq;
    !(*along - (strong * strong)).is_empty()
}
