//! All coherence orders of one place.

use super::axioms;
use super::frame::Frame;
use crate::graph::Models;
use crate::relation::{Rel, Set};
use raveler_core::Model;

/// The relations of a coherence order.
#[derive(Clone, Copy)]
pub(crate) struct Links {
    pub co: Rel,
    pub fr: Rel,
    pub eco: Rel,
}

impl Links {
    pub const NONE: Links = Links { co: Rel::EMPTY, fr: Rel::EMPTY, eco: Rel::EMPTY };

    pub fn with(&self, other: &Links) -> Links {
        Links { co: self.co | other.co, fr: self.fr | other.fr, eco: self.eco | other.eco }
    }
}

/// One coherence order of one place.
pub(crate) struct PlaceOrder {
    pub writes: Vec<usize>,
    pub links: Links,
    /// The value at the end.
    pub last: i64,
    /// The models that do not rule it out by looking at this place alone.
    pub models: Models,
}

/// Every coherence order of a place that is coherent and atomic.
pub(crate) fn place_orders(frame: &Frame, rf: &Rel, sources: &[usize], place: usize) -> Vec<PlaceOrder> {
    let at = frame.at[place] * frame.at[place];
    let rf_at = *rf & at;
    let reads: Vec<(usize, usize)> = frame
        .reads
        .iter()
        .zip(sources)
        .filter(|(read, _)| frame.at[place].has(read.event))
        .map(|(read, &source)| (read.event, source))
        .collect();
    let mut orders = Vec::new();
    permutations(frame, rf, place, &mut Vec::new(), &mut |writes| {
        let mut co = Rel::EMPTY;
        let mut later = Set::default();
        for &write in writes.iter().rev() {
            co.0[write] = later.0;
            later.insert(write);
        }
        co.0[place] = later.0;
        let mut fr = Rel::EMPTY;
        for &(read, source) in &reads {
            fr.0[read] = co.0[source];
        }
        if !axioms::coherent(frame, rf, &co, &fr, at) {
            return;
        }
        let eco = (rf_at | co | fr).plus();
        let last = frame.values[writes.last().copied().unwrap_or(place)];
        orders.push(PlaceOrder {
            writes: writes.to_vec(),
            links: Links { co, fr, eco },
            last,
            models: Models::ALL,
        });
    });
    orders
}

/// The models that do not rule out a coherence order of one place by looking at it alone.
pub(crate) fn allowed_alone(frame: &Frame, rf: &Rel, links: &Links, hb: &[Rel; 2]) -> Models {
    let mut models = Models::ALL;
    if !axioms::ra(frame, rf, &links.co, &links.fr) {
        models.0 &= !Models::only(Model::Ra).or(Models::only(Model::Sra)).0;
    }
    for (model, hb) in [Model::Rc11, Model::Rc20].into_iter().zip(hb) {
        if !axioms::rc_coherent(hb, &links.eco) {
            models.0 &= !Models::only(model).0;
        }
    }
    models
}

/// All orders of the writes of a place that keep each thread's order and put an update right after what it read.
fn permutations(frame: &Frame, rf: &Rel, place: usize, done: &mut Vec<usize>, f: &mut impl FnMut(&[usize])) {
    let writes = &frame.writes[place];
    if done.len() == writes.len() {
        return f(done);
    }
    let before = done.last().copied().unwrap_or(place);
    for &write in writes {
        let ready = !done.contains(&write)
            && writes.iter().all(|&other| !frame.order.has(other, write) || done.contains(&other));
        let mut halves = (0..write).filter(|&read| frame.rmw.has(read, write));
        if ready && halves.all(|read| rf.has(before, read)) {
            done.push(write);
            permutations(frame, rf, place, done, f);
            done.pop();
        }
    }
}
