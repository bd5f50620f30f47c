//! What is wrong with the use of allocated memory in one execution.
//!
//! A use is an access of a cell, or taking, trying or releasing a lock that lies in the object. It must happen before every
//! free of the object: if nothing orders the two, or the free comes first, it is a use after free. Two frees of one
//! object are a double free, in any order. A read that sees the initial write of memory that is not zeroed is an
//! uninitialised read.
//!
//! Threads go on after a mistake here, and a program does not: what shows only after another mistake can, but need not
//! be found. So the mistakes that must be found are the first ones: nothing is wrong in their past.

use std::collections::{BTreeMap, BTreeSet};

use super::axioms;
use super::frame::Frame;
use super::{Judged, Whole};
use crate::graph::Models;
use crate::relation::{Rel, Set};
use raveler_core::{Model, ViolationKind};

/// The mistakes of a program.
#[derive(Clone, Debug, Default)]
pub struct Mistakes {
    /// The kinds that some execution has.
    possible: BTreeMap<ViolationKind, Models>,
    /// Kinds that come first and at once in some execution: one of them must be found.
    first: BTreeMap<BTreeSet<ViolationKind>, Models>,
}

impl Mistakes {
    /// The kinds that some execution of this model has.
    pub fn possible(&self, model: Model) -> BTreeSet<ViolationKind> {
        self.possible.iter().filter(|(_, models)| models.has(model)).map(|(&kind, _)| kind).collect()
    }

    /// Sets of kinds, of each of which one comes before any other mistake in some execution.
    pub fn first(&self, model: Model) -> impl Iterator<Item = &BTreeSet<ViolationKind>> {
        self.first.iter().filter(move |(_, models)| models.has(model)).map(|(kinds, _)| kinds)
    }

    /// A kind of mistake that need not be found.
    pub(super) fn tolerate(&mut self, kind: ViolationKind, models: Models) {
        let entry = self.possible.entry(kind).or_default();
        *entry = entry.or(models);
    }
}

/// What needs no mistake in the use of memory: it must be found even in programs that have such mistakes.
#[derive(Clone, Debug, Default)]
pub struct Clean {
    /// The models under which some execution has a race.
    pub races: Models,
    /// The models under which threads wait for good.
    pub deadlocks: Models,
    /// The assertions that can fail, by the number of their statement.
    pub failures: BTreeMap<u32, Models>,
}

/// One mistake.
struct Mistake {
    kind: ViolationKind,
    /// The events it consists of.
    events: Set,
    /// These and all in their past.
    past: Set,
}

/// Notes the mistakes of an execution that these models allow; returns the models under which it has none.
pub(super) fn note(judged: &mut Judged, whole: &Whole<'_>, sources: &[usize], allowed: Models) -> Models {
    let frame = whole.frame;
    if frame.frees.iter().all(|frees| frees.is_empty()) && frame.unknown.is_empty() {
        return allowed;
    }
    let before = whole.sc.plus();
    let mut clean = allowed;
    let [rc11, rc20] = &whole.hb;
    let strong = [Model::Sc, Model::Tso, Model::Pso, Model::Ra];
    let strong = strong.into_iter().fold(Models::default(), |all, model| all.or(Models::only(model)));
    for (models, hb) in
        [(strong, &before), (Models::only(Model::Rc11), rc11), (Models::only(Model::Rc20), rc20)]
    {
        let models = models.and(allowed);
        if models.is_empty() {
            continue;
        }
        let found = mistakes(frame, sources, hb, &before);
        if found.is_empty() {
            continue;
        }
        clean = clean.without(models);
        for mistake in &found {
            judged.mistakes.tolerate(mistake.kind, models);
            // Is there another one whose past is smaller?
            let earlier = |other: &Mistake| {
                (other.events - mistake.past).is_empty() && !(mistake.past - other.past).is_empty()
            };
            if !found.iter().any(earlier) {
                let same = found.iter().filter(|other| other.past == mistake.past);
                let kinds = same.map(|other| other.kind).collect();
                let entry = judged.mistakes.first.entry(kinds).or_default();
                *entry = entry.or(models);
            }
        }
    }
    clean
}

fn mistakes(frame: &Frame, sources: &[usize], hb: &Rel, before: &Rel) -> Vec<Mistake> {
    let pasts = before.inv();
    let mistake = |kind, list: &[usize]| {
        let mut events = Set::default();
        list.iter().for_each(|&event| events.insert(event));
        let past = list.iter().fold(events, |all, &event| all | pasts.after(event));
        Mistake { kind, events, past }
    };
    let mut all = Vec::new();
    for (uses, frees) in frame.uses.iter().zip(&frame.frees) {
        for free in frees.iter() {
            let late = uses.iter().filter(|&usage| !hb.has(usage, free));
            all.extend(late.map(|usage| mistake(ViolationKind::UseAfterFree, &[usage, free])));
            let others = frees.iter().filter(|&other| other > free);
            all.extend(others.map(|other| mistake(ViolationKind::DoubleFree, &[free, other])));
        }
    }
    for (read, &source) in frame.reads.iter().zip(sources) {
        if frame.unknown.has(source) {
            all.push(mistake(ViolationKind::UninitialisedRead, &[read.event]));
        }
    }
    all
}

/// Does an execution that these models allow have a race under one of them? The models under which it does.
pub(super) fn racy(whole: &Whole<'_>, allowed: Models) -> Models {
    let mut models = Models::default();
    for (model, hb) in [Model::Rc11, Model::Rc20].into_iter().zip(&whole.hb) {
        if allowed.has(model) && axioms::race(whole.frame, hb) {
            models.add(model);
        }
    }
    models
}
