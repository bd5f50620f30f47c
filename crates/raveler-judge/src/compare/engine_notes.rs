//! What a campaign of both engines compared in which way, what it left out, and how many runs made a class.

use std::sync::atomic::{AtomicU64, Ordering};

use super::engines::MODELS;
use raveler_core::{Model, Outcome};

/// How interleavings were made that were compared with graphs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// With the reduction; several workers and threads that are run again are compared with these.
    Reduced,
    /// All of them.
    Plain,
    /// With the reduction, and buffers that have room for so many stores.
    Bounded(u32),
    /// All of them, with such buffers.
    PlainBounded(u32),
}

/// The sizes of buffers.
const ROOMS: usize = 3;

impl Way {
    fn place(self) -> usize {
        match self {
            Way::Reduced => 0,
            Way::Plain => 1,
            Way::Bounded(room) => 2 + room as usize,
            Way::PlainBounded(room) => 2 + ROOMS + room as usize,
        }
    }

    /// For messages.
    pub fn name(self) -> String {
        match self {
            Way::Reduced => "interleavings".to_string(),
            Way::Plain => "interleavings without reduction".to_string(),
            Way::Bounded(room) => format!("interleavings with room for {room}"),
            Way::PlainBounded(room) => format!("interleavings without reduction, with room for {room}"),
        }
    }
}

/// Why a comparison was left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Left {
    /// There are too many executions.
    Executions,
    /// There are too many runs with the reduction.
    Runs,
    /// There are too many without it.
    Plain,
}

/// Runs and classes under one model.
#[derive(Debug, Default)]
struct Visits {
    searches: AtomicU64,
    runs: AtomicU64,
    classes: AtomicU64,
    /// Executions with their coherence orders: as many runs as there must be, since a run has one. Sum of runs per such
    /// execution, in thousandths.
    orders: AtomicU64,
    runs_per_order: AtomicU64,
    /// Sum of runs per class, in thousandths.
    ratios: AtomicU64,
}

/// The numbers of a campaign; several threads of it may write here.
#[derive(Debug, Default)]
pub struct Notes {
    ways: [AtomicU64; 2 + 2 * ROOMS],
    left: [AtomicU64; 3],
    visits: [Visits; 3],
}

fn add(number: &AtomicU64, more: u64) {
    number.fetch_add(more, Ordering::Relaxed);
}

impl Notes {
    pub(super) fn compared(&self, way: Way) {
        add(&self.ways[way.place()], 1);
    }

    pub(super) fn leave(&self, left: Left) {
        add(&self.left[left as usize], 1);
    }

    /// How often classes were visited by a search with the reduction; `orders` are the executions with coherence orders.
    pub(super) fn visits(&self, model: Model, outcome: &Outcome, orders: u64) {
        let (runs, classes) = (outcome.counts.executions, outcome.classes.unwrap_or(0));
        let Some(place) = MODELS.iter().position(|&m| m == model).filter(|_| classes > 0 && orders > 0)
        else {
            return;
        };
        let visits = &self.visits[place];
        add(&visits.searches, 1);
        add(&visits.runs, runs);
        add(&visits.classes, classes);
        add(&visits.ratios, 1000 * runs / classes);
        add(&visits.orders, orders);
        add(&visits.runs_per_order, 1000 * runs / orders);
    }

    /// Some lines of numbers: pairs of a program and a model.
    pub fn lines(&self) -> String {
        let of = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let way = |way: Way| of(&self.ways[way.place()]);
        let rooms = |way: fn(u32) -> Way| {
            (0..ROOMS as u32)
                .map(|room| format!("K={room}: {}", of(&self.ways[way(room).place()])))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let mut lines = format!(
            "with the reduction (1, 2 and 3 workers, threads copied and run again) {}, bounded {}; \
             without it {}, bounded {}\n\
             left out: {} have too many executions, {} too many runs, {} too many without the reduction",
            way(Way::Reduced),
            rooms(Way::Bounded),
            way(Way::Plain),
            rooms(Way::PlainBounded),
            of(&self.left[Left::Executions as usize]),
            of(&self.left[Left::Runs as usize]),
            of(&self.left[Left::Plain as usize]),
        );
        for (model, visits) in MODELS.iter().zip(&self.visits) {
            let [searches, runs, classes, orders] =
                [&visits.searches, &visits.runs, &visits.classes, &visits.orders].map(of);
            let mean = |sum: &AtomicU64| of(sum) as f64 / 1000.0 / searches as f64;
            if searches > 0 {
                lines += &format!(
                    "\n{}: {runs} runs for {classes} classes, {:.3} (mean over {searches} programs {:.3}), \
                     and for {orders} executions with coherence orders, {:.3} ({:.3})",
                    model.name(),
                    runs as f64 / classes as f64,
                    mean(&visits.ratios),
                    runs as f64 / orders as f64,
                    mean(&visits.runs_per_order),
                );
            }
        }
        lines
    }
}
