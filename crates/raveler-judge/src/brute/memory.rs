//! What is wrong with the use of allocated memory in one execution.
//!
//! A use is an access of a cell, or taking, awaiting, trying or releasing a lock that lies in the object. It must happen
//! before every free of the object: if nothing orders the two, or the free comes first, it is a use after free. Two frees
//! of one object are a double free, in any order. A read that sees the initial write of memory that is not zeroed is an
//! uninitialised read.
//!
//! Threads go on after a mistake here, and those of the engine stop: what shows only after another mistake can, but need
//! not be found. The first mistakes are those in whose past nothing is wrong; at least one of them must be found.

use std::collections::{BTreeMap, BTreeSet};

use super::Whole;
use super::frame::Frame;
use super::traces::Trace;
use crate::code::Code;
use crate::graph::{End, Models};
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

    /// Notes the mistakes of an execution that these models allow.
    pub(super) fn note(&mut self, whole: &Whole<'_>, sources: &[usize], allowed: Models) {
        let frame = whole.frame;
        if frame.frees.iter().all(|frees| frees.is_empty()) && frame.unknown.is_empty() {
            return;
        }
        let before = whole.sc.plus();
        let [rc11, rc20] = &whole.hb;
        let strong = [Model::Sc, Model::Tso, Model::Pso, Model::Sra, Model::Ra];
        let strong = strong.into_iter().fold(Models::default(), |all, model| all.or(Models::only(model)));
        for (models, hb) in
            [(strong, &before), (Models::only(Model::Rc11), rc11), (Models::only(Model::Rc20), rc20)]
        {
            let models = models.and(allowed);
            if !models.is_empty() {
                self.add(&mistakes(frame, sources, hb, &before), models);
            }
        }
    }

    fn add(&mut self, found: &[Mistake], models: Models) {
        for mistake in found {
            self.tolerate(mistake.kind, models);
            // Is there another one whose past is smaller?
            let earlier = |other: &Mistake| {
                (other.events - mistake.past).is_empty() && !(mistake.past - other.past).is_empty()
            };
            if !found.iter().any(earlier) {
                let same = found.iter().filter(|other| other.past == mistake.past);
                let entry = self.first.entry(same.map(|other| other.kind).collect()).or_default();
                *entry = entry.or(models);
            }
        }
    }

    /// A thread that waits for good for a lock in memory that another thread frees uses it, and nothing can come after
    /// that. If it holds the lock itself it may count as one that never came to use it.
    pub(super) fn note_waits(&mut self, code: &Code, frame: &Frame, traces: &[&Trace], models: Models) {
        for trace in traces.iter().filter(|trace| trace.end == End::Lock) {
            let home = code.heap.home(trace.waits_for);
            if home.is_none_or(|(object, _)| frame.frees[object as usize].is_empty()) {
                continue;
            }
            self.tolerate(ViolationKind::UseAfterFree, models);
            if !trace.holds(code, trace.waits_for) {
                let entry = self.first.entry([ViolationKind::UseAfterFree].into()).or_default();
                *entry = entry.or(models);
            }
        }
    }

    /// A kind of mistake that need not be found.
    fn tolerate(&mut self, kind: ViolationKind, models: Models) {
        let entry = self.possible.entry(kind).or_default();
        *entry = entry.or(models);
    }
}

/// One mistake.
struct Mistake {
    kind: ViolationKind,
    /// The events it consists of.
    events: Set,
    /// These and all in their past.
    past: Set,
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
