//! How many executions will there be? An unbiased guess by walking down the tree of the search at random.
//!
//! Knuth's estimator: from the root one child is chosen uniformly at each node, and the product of the numbers of
//! children weighs the leaf. Where most executions hang below long chains of revisits a few walks carry most of the
//! weight, so small samples tend to be too low: take it as an order of magnitude.

use std::collections::BTreeSet;

use super::Settings;
use super::explore::Explorer;
use super::tables::Again;
use crate::observer::{Observer, Unobserved};
use crate::order::Consistency;
use crate::outcome::Counts;
use crate::program::Program;

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
}

/// A small generator of pseudo-random numbers (splitmix64): the same seed gives the same walks everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((z as u128 * bound as u128) >> 64) as u64
    }
}

pub(crate) fn sample<P: Program, K: Consistency>(
    program: &P,
    settings: &Settings,
    probes: u64,
    seed: u64,
    keep_going: &mut dyn FnMut() -> bool,
) -> Estimate {
    let settings = Settings { all: true, max_executions: None, ..settings.clone() };
    let mut observer = Unobserved;
    let mut words = BTreeSet::new();
    let mut explorer = Explorer::<P, K, Unobserved>::new(program, &settings, &words, &mut observer);
    let mut random = Random(seed);
    let mut estimate = Estimate::default();
    let (mut sum, mut squares, mut blocked) = (0.0, 0.0, 0.0);
    while estimate.probes < probes && keep_going() {
        let (weight, leaf) = explorer.walk(&mut random);
        if let Some(again) = explorer.tables.again {
            match again {
                Again::Word(word) => {
                    words.insert(word);
                }
                Again::Program => program.again(),
                Again::Overlap(overlap) => {
                    if !program.divide(&overlap) {
                        break;
                    }
                }
            }
            drop(explorer);
            explorer = Explorer::new(program, &settings, &words, &mut observer);
            (sum, squares, blocked, estimate) = (0.0, 0.0, 0.0, Estimate::default());
            continue;
        }
        if explorer.stopped.is_some() {
            break;
        }
        estimate.probes += 1;
        if leaf.executions > 0 {
            sum += weight;
            squares += weight * weight;
            estimate.largest = estimate.largest.max(weight);
        }
        if leaf.blocked > 0 {
            blocked += weight;
        }
    }
    let n = estimate.probes.max(1) as f64;
    estimate.executions = sum / n;
    estimate.blocked = blocked / n;
    if estimate.probes > 1 {
        let variance = (squares - sum * sum / n) / (n - 1.0);
        estimate.error = (variance.max(0.0) / n).sqrt();
    }
    estimate
}

impl<P: Program, K: Consistency, O: Observer<P>> Explorer<'_, P, K, O> {
    /// One walk from the root to a leaf: its weight, and what the leaf counts as.
    fn walk(&mut self, random: &mut Random) -> (f64, Counts) {
        self.clear();
        self.start();
        let mut weight = 1.0;
        loop {
            let before = self.counts;
            let children = self.children(None);
            if self.stopped.is_some() {
                return (0.0, Counts::default());
            }
            if children == 0 {
                let mut leaf = self.counts;
                leaf.executions -= before.executions;
                leaf.blocked -= before.blocked;
                return (weight, leaf);
            }
            weight *= children as f64;
            self.children(Some(random.below(children)));
        }
    }
}
