//! How many executions will there be? An unbiased estimate by walking down the tree of the search at random.
//!
//! Knuth's estimator: from the root one child is chosen uniformly at each node, and the product of the numbers of
//! children weighs the leaf. Where most executions hang below long chains of revisits a few walks carry most of the
//! weight, so small samples tend to be too low: take it as an order of magnitude.

use super::random::Random;
use super::restart::until_settled;
use super::{lock_aware, trust};
use crate::consistency::Consistency;
use crate::consistency::with_sections::WithSections;
use crate::observer::Unobserved;
use crate::outcome::{Counts, StopReason};
use crate::program::Program;
use crate::run::lock_table::LockHandling;
use crate::settings::Settings;

/// The result of sampling.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// How many walks were made.
    pub probes: u64,
    /// Expected number of complete executions.
    pub executions: f64,
    /// The standard error of that.
    pub error: f64,
    /// The largest weight of a single walk.
    pub largest: f64,
    /// Expected number of blocked explorations.
    pub blocked: f64,
    /// Expected number of explorations that a bound or a loop without an end in sight cut short: nobody knows how many
    /// executions are behind them.
    pub cut: f64,
    /// Expected number of explorations that end with a violation.
    pub failed: f64,
}

pub(super) fn sample<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    probes: u64,
    seed: u64,
    keep_going: &mut dyn FnMut() -> bool,
) -> Estimate {
    let settings = &Settings { all: true, max_executions: None, ..settings.clone() };
    let mut observer = Unobserved;
    let mut random = Random::new(seed);
    let (sum, _, _) = until_settled(program, settings, |knowledge| {
        if knowledge.handling == LockHandling::Unordered {
            lock_aware::sample::<P, K>(program, settings, knowledge, probes, &mut random, keep_going)
        } else {
            let (locks, handling) = (&knowledge.locks, knowledge.handling);
            let mut search = trust::Search::<P, K>::new(program, settings, locks, handling, &mut observer);
            let mut sum = Sum::default();
            while search.ledger.stopped.is_none() && sum.probes < probes {
                let (weight, leaf) = search.walk(&mut random, keep_going);
                if search.ledger.stopped.is_none() {
                    sum.add(weight, &leaf);
                }
            }
            (sum, search.run.tables.restart)
        }
    });
    sum.estimate()
}

/// The sums over all walks, weighted.
#[derive(Default)]
pub(super) struct Sum {
    pub probes: u64,
    sum: f64,
    squares: f64,
    blocked: f64,
    cut: f64,
    failed: f64,
    largest: f64,
}

impl Sum {
    pub fn add(&mut self, weight: f64, leaf: &Counts) {
        self.probes += 1;
        if leaf.executions > 0 {
            self.sum += weight;
            self.squares += weight * weight;
            self.largest = self.largest.max(weight);
        }
        for (sum, number) in
            [(&mut self.blocked, leaf.blocked), (&mut self.cut, leaf.cut), (&mut self.failed, leaf.failed)]
        {
            *sum += if number > 0 { weight } else { 0.0 };
        }
    }

    fn estimate(&self) -> Estimate {
        let n = self.probes.max(1) as f64;
        let mut error = 0.0;
        if self.probes > 1 {
            let variance = (self.squares - self.sum * self.sum / n) / (n - 1.0);
            error = (variance.max(0.0) / n).sqrt();
        }
        Estimate {
            probes: self.probes,
            executions: self.sum / n,
            error,
            largest: self.largest,
            blocked: self.blocked / n,
            cut: self.cut / n,
            failed: self.failed / n,
        }
    }
}

/// What the last leaf counts as.
pub(super) fn leaf_since(now: &Counts, before: &Counts) -> Counts {
    Counts {
        executions: now.executions - before.executions,
        blocked: now.blocked - before.blocked,
        cut: now.cut - before.cut,
        failed: now.failed - before.failed,
        ..Counts::default()
    }
}

impl<P: Program, K: Consistency> trust::Search<'_, P, K> {
    /// One walk from the root to a leaf: its weight, and what the leaf counts as. It is stopped where `keep_going` says
    /// no.
    fn walk(&mut self, random: &mut Random, keep_going: &mut dyn FnMut() -> bool) -> (f64, Counts) {
        self.restart();
        let mut weight = 1.0;
        loop {
            // A tree that is a leaf has no steps at which it would be asked.
            if !keep_going() {
                self.ledger.stop(StopReason::Observer);
                return (0.0, Counts::default());
            }
            let before = self.ledger.counts;
            let children = self.children(None, keep_going);
            if self.ledger.stopped.is_some() {
                return (0.0, Counts::default());
            }
            if children == 0 {
                return (weight, leaf_since(&self.ledger.counts, &before));
            }
            weight *= children as f64;
            self.children(Some(random.below(children)), keep_going);
        }
    }
}
