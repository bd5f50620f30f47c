//! A search that is cut at random places: its parts are written down, read again and explored in any order.

use raveler_core::{
    Counts, Execution, Fingerprint, Flow, Fork, Knowledge, Observer, Outcome, Program, Settings, Subtree,
    explore_parts,
};

use crate::random_numbers::Random;

/// Search in parts; what all of them came to.
pub(super) fn search<P: Program, O: Observer<P>>(
    program: &P,
    settings: &Settings,
    observer: &mut O,
    seed: u64,
) -> Outcome {
    let mut random = Random::new(seed);
    let mut knowledge = Knowledge::new(settings);
    let mut total = Outcome::default();
    let mut waiting = vec![written(program, settings, &knowledge, &Subtree::whole())];
    while !waiting.is_empty() {
        let fingerprint = Fingerprint::of(program, settings, &knowledge);
        let mut parts = Vec::new();
        for _ in 0..1 + random.below(3).min(waiting.len() - 1) {
            let bytes = waiting.swap_remove(random.below(waiting.len()));
            parts.push(Subtree::from_bytes(&bytes, fingerprint).expect("what was written can be read"));
        }
        // Long and short pieces: a search that is cut all the time takes long.
        let most = 1 << (1 + random.below(12));
        let steps = 1 + random.below(most);
        let mut cutter = Cutter { observer, steps };
        let known = Knowledge::from_bytes(&knowledge.to_bytes()).expect("what was written can be read");
        let explored = explore_parts(program, settings, known, parts, &mut cutter).expect("parts that fit");
        knowledge = explored.knowledge;
        if explored.restarted {
            cutter.observer.restarted();
            total = Outcome::default();
            waiting.clear();
        }
        let Outcome { stopped, .. } = explored.outcome;
        total.join(Outcome { stopped: None, ..explored.outcome });
        waiting.extend(explored.rest.iter().map(|part| written(program, settings, &knowledge, part)));
        if explored.rest.is_empty() && waiting.is_empty() {
            total.stopped = stopped;
        }
    }
    total
}

fn written<P: Program>(program: &P, settings: &Settings, knowledge: &Knowledge, part: &Subtree) -> Vec<u8> {
    part.to_bytes(Fingerprint::of(program, settings, knowledge))
}

/// Stops a search after so many steps.
struct Cutter<'a, O> {
    observer: &'a mut O,
    steps: usize,
}

impl<P: Program, O: Observer<P>> Observer<P> for Cutter<'_, O> {
    fn execution(&mut self, execution: &Execution<'_, P>) -> Flow {
        self.observer.execution(execution)
    }

    fn reordered(&mut self, execution: &Execution<'_, P>) -> Flow {
        self.observer.reordered(execution)
    }

    fn blocked(&mut self, execution: &Execution<'_, P>) -> Flow {
        self.observer.blocked(execution)
    }

    fn progress(&mut self, _counts: &Counts) -> Flow {
        self.steps = self.steps.saturating_sub(1);
        if self.steps > 0 { Flow::Continue } else { Flow::Stop }
    }

    fn interval(&self) -> u32 {
        1
    }
}

impl<O: Fork> Fork for Cutter<'_, O> {
    fn fork(&self) -> Self {
        unreachable!("parts are explored by one worker")
    }

    fn merge(&mut self, _other: Self) {}
}
