//! XMM (docs/xmm.md): load buffering without values out of thin air.
//!
//! An execution of XMM is one of RC20, or it is made of one of XMM by *re-execution*: some of its events are
//! committed in advance, and the program is executed again around them.
//!
//! Here are the conditions of re-execution as docs/xmm.md has them, over relations in which an update is two events
//! ([`Halves`]). Of the rule sets all but `strict` are combinations of them ([`Rules`]); the determined events of
//! `strict` are not defined here.

pub mod halves;
#[cfg(test)]
mod tests;

pub use halves::{Halves, Label, Part};

use super::relation::{Rel, Set};
use super::{Axiom, Base, rc20, require};

/// What every graph of XMM keeps, whether made by execution or by re-execution: the axioms of RC20 without
/// no-thin-air.
pub fn consistent(base: &Base) -> Result<(), Axiom> {
    rc20::axioms(base)
}

/// Which of the conditions that the sources disagree about are in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// E4: committed events are closed under `rpo`.
    pub closed: bool,
    /// E5: the causal restriction.
    pub causal: bool,
}

/// G is executed again as H.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The execution that is known.
    pub g: &'a Halves,
    /// The one that is made of it.
    pub h: &'a Halves,
    /// C: the committed events of H, the initial write among them.
    pub committed: &'a Set,
    /// f: the event of G that each committed event is mapped to; what it says of others does not matter.
    pub f: &'a [usize],
}

// ANCHOR: formula
/// `porf = (po ∪ rf ∪ follows)⁺`.
pub fn porf(x: &Halves) -> Rel {
    let Halves { po, rf, follows, .. } = x;
    (po | rf | follows).plus()
}

/// `hb = (po ∪ sw ∪ follows)⁺`, `sw = [rel]; ([F]; po)?; [W_atomic]; (rf; rmw)*; rf; [R_atomic]; (po; [F])?; [acq]`.
pub fn hb(x: &Halves) -> Rel {
    let Halves { po, rf, follows, rmw, thread, reads, writes, fences, atomic, acquire, release, .. } = x;
    let (fence, own_po) = (&fences.id(), &(po & thread));
    let released = release.id() >> (fence >> own_po).opt() >> (writes & atomic).id();
    let acquired = (reads & atomic).id() >> (own_po >> fence).opt() >> acquire.id();
    (po | follows | released >> (rf >> rmw).star() >> rf >> acquired).plus()
}

/// `rpo`, the order that may not be relaxed: `([acq]; po ∪ po; [rel] ∪ [R]; po; [F_acq] ∪ [F_rel]; po; [W] ∪
/// po; [spawn] ∪ spawned ∪ joined ∪ [join]; po)⁺`, without the initial write.
pub fn rpo(x: &Halves) -> Rel {
    let Halves { reads, writes, fences, acquire, release, spawns, joins, spawned, joined, .. } = x;
    let po = &(x.own().id() >> &x.po);
    (acquire.id() >> po
        | po >> release.id()
        | reads.id() >> po >> (fences & acquire).id()
        | (fences & release).id() >> po >> writes.id()
        | po >> spawns.id()
        | spawned
        | joined
        | joins.id() >> po)
        .plus()
}

/// Races: two accesses of one location, at least one a write, neither of which happens before the other.
pub fn race(x: &Halves) -> Rel {
    let Halves { reads, writes, loc, .. } = x;
    let (accesses, hb) = (&(reads | writes), &hb(x));
    let with_write = writes * accesses;
    (loc & (with_write.inverse() | with_write)).strict() - hb - hb.inverse()
}

/// `cause = (po ∪ rf ∪ follows ∪ race_WR)⁺`: what may have caused what, had a read been given another write.
pub fn cause(x: &Halves) -> Rel {
    let Halves { po, rf, follows, reads, writes, .. } = x;
    let race_wr = writes.id() >> race(x) >> reads.id();
    (po | rf | follows | race_wr).plus()
}

/// Load-buffering races, from the read to the write: they race although `porf` leads from the one to the other, at
/// least one of them is relaxed, and `rf` does not link them already.
pub fn lb_races(x: &Halves) -> Rel {
    let Halves { rf, reads, writes, acquire, release, .. } = x;
    let strong = acquire * release;
    (reads.id() >> (race(x) & porf(x)) >> writes.id()) - rf.inverse() - strong
}

/// The core: events from which `porf` leads into a cycle. All else can be added to it by execution.
pub fn core(x: &Halves) -> Set {
    let porf = &porf(x);
    let leads_round = |e: usize| (0..x.n).any(|on| porf.has(e, on) && porf.has(on, on));
    Set::new(x.n, leads_round)
}

/// Is H, which is consistent, made of G by re-execution? The first condition that fails if not.
pub fn reexecutes(step: &Step<'_>, rules: Rules) -> Result<(), Axiom> {
    e1(step)?;
    e2(step)?;
    e3(step)?;
    if rules.closed {
        e4(step)?;
    }
    if rules.causal {
        e5(step)?;
    }
    sur(step)
}

/// f is injective and keeps labels, threads among them; initial writes are mapped to themselves.
fn e1(step: &Step<'_>) -> Result<(), Axiom> {
    let Step { g, h, committed, f } = step;
    let all: Vec<usize> = (0..h.n).filter(|&c| committed.has(c)).collect();
    let keeps_label = |&c: &usize| f[c] < g.n && h.labels[c] == g.labels[f[c]];
    require(committed.has(0) && f[0] == 0, "E1: initial writes")?;
    require(all.iter().all(keeps_label), "E1: labels")?;
    require(all.iter().all(|&c| all.iter().all(|&d| c == d || f[c] != f[d])), "E1: injective")
}

/// What a committed read reads is committed, or initial; so is what a committed lock follows.
fn e2(step: &Step<'_>) -> Result<(), Axiom> {
    let Step { h, committed, .. } = step;
    let uncommitted = h.own() - *committed;
    require((uncommitted.id() >> (&h.rf | &h.follows) >> committed.id()).is_empty(), "E2")
}

/// f keeps and reflects `rf`, `mo` and `rpo` among committed events; halves of one update stay halves of one update. What
/// a committed lock follows is mapped to all that its image follows.
fn e3(step: &Step<'_>) -> Result<(), Axiom> {
    let Step { g, h, committed, .. } = step;
    let among = &(*committed * *committed);
    let same = |of_g: &Rel, of_h: &Rel| of_h & among == step.of_images(of_g);
    require(same(&g.rf, &h.rf), "E3: rf")?;
    require(same(&g.follows, &h.follows), "E3: locks")?;
    let count = |x: &Halves, lock: usize| (0..x.n).filter(|&unlock| x.follows.has(unlock, lock)).count();
    let follows_as_many = |&c: &usize| count(h, c) == count(g, step.f[c]);
    let locks = (0..h.n).filter(|&c| committed.has(c) && h.locks.has(c));
    require(locks.into_iter().all(|c| follows_as_many(&c)), "E3: other sections")?;
    require(same(&g.mo, &h.mo), "E3: mo")?;
    require(same(&rpo(g), &rpo(h)), "E3: rpo")?;
    require(((&h.rmw & among) - step.of_images(&g.rmw)).is_empty(), "E3: rmw")
}

/// What is `rpo`-before a committed event is committed.
fn e4(step: &Step<'_>) -> Result<(), Axiom> {
    let Step { h, committed, .. } = step;
    let uncommitted = h.own() - *committed;
    require((uncommitted.id() >> rpo(h) >> committed.id()).is_empty(), "E4")
}

/// Where `porf` leads from one committed event to another in H, cause does in G.
fn e5(step: &Step<'_>) -> Result<(), Axiom> {
    let Step { g, h, committed, .. } = step;
    let among = *committed * *committed;
    require(((porf(h) & among).strict() - step.of_images(&cause(g))).is_empty(), "E5")
}

/// Stable uncommitted reads: threads that read from each other by them, or follow each other's sections by uncommitted
/// locks, do not go round, and neither do `po` and these edges.
fn sur(step: &Step<'_>) -> Result<(), Axiom> {
    let Halves { po, rf, follows, thread, reads, locks, .. } = step.h;
    let uncommitted = &(&(reads | locks) - step.committed);
    let open = &(step.h.own().id() >> (rf | follows) >> uncommitted.id());
    let between_threads = open - thread;
    require((between_threads >> thread).acyclic(), "SUR: threads")?;
    require((po | open).acyclic(), "SUR: po")
}
// ANCHOR_END: formula

impl Step<'_> {
    /// A relation of G between the images of committed events, as one of H.
    fn of_images(&self, of_g: &Rel) -> Rel {
        let Step { h, committed, f, .. } = self;
        Rel::new(h.n, |c, d| committed.has(c) && committed.has(d) && of_g.has(f[c], f[d]))
    }
}
