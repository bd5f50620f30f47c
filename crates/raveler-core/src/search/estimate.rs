//! How many executions will there be? An unbiased guess by walking down the tree of the search at random.
//!
//! Knuth's estimator: from the root one child is chosen uniformly at each node, and the product of the numbers of
//! children weighs the leaf. Where most executions hang below long chains of revisits a few walks carry most of the
//! weight, so small samples tend to be too low: take it as an order of magnitude.

use super::Settings;
use super::lock_aware::{self, Aware, Book, Lessons};
use super::trust::Explorer;
use crate::consistency::Consistency;
use crate::consistency::with_sections::WithSections;
use crate::observer::{Observer, Unobserved};
use crate::outcome::Counts;
use crate::program::Program;
use crate::run::tables::{LockHandling, LockKnowledge, RestartReason};

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
pub(super) struct Random(u64);

impl Random {
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((z as u128 * bound as u128) >> 64) as u64
    }
}

pub(crate) fn sample<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    probes: u64,
    seed: u64,
    keep_going: &mut dyn FnMut() -> bool,
) -> Estimate {
    let settings = Settings { all: true, max_executions: None, ..settings.clone() };
    let mut observer = Unobserved;
    let mut known = LockKnowledge::default();
    let mut handling = LockHandling::at_first(settings.locks);
    let mut book = Book::default();
    let mut random = Random(seed);
    let mut total: Sum;
    loop {
        let again = if handling == LockHandling::Unordered {
            let lessons = Lessons::new(std::mem::take(&mut book));
            let mut search = Aware::<P, K, _>::new(program, &settings, &known, lessons, &mut observer);
            total = Sum::default();
            while total.probes < probes && keep_going() && search.base.stopped.is_none() {
                let (weight, leaf) = lock_aware::sample(&mut search, &mut random);
                total.add(weight, &leaf);
                if search.lessons.again() {
                    search.base.tables.restart.get_or_insert(RestartReason::Lessons);
                    break;
                }
            }
            let again = search.base.tables.restart;
            book = search.lessons.into_book();
            again
        } else {
            let mut explorer = Explorer::<P, K, _>::new(program, &settings, &known, handling, &mut observer);
            total = Sum::default();
            while total.probes < probes && keep_going() && explorer.stopped.is_none() {
                let (weight, leaf) = explorer.walk(&mut random);
                if explorer.stopped.is_none() {
                    total.add(weight, &leaf);
                }
            }
            explorer.tables.restart
        };
        let Some(again) = again else { return total.estimate() };
        known.learn(again, settings.locks, &mut handling);
        if again == RestartReason::Program {
            program.again();
        }
        if let RestartReason::Overlap(overlap) = again
            && !program.divide(&overlap)
        {
            return total.estimate();
        }
        if again != RestartReason::Lessons {
            book = Book::default();
        }
        book.restart();
    }
}

/// What the walks came to.
#[derive(Default)]
struct Sum {
    probes: u64,
    sum: f64,
    squares: f64,
    blocked: f64,
    largest: f64,
}

impl Sum {
    fn add(&mut self, weight: f64, leaf: &Counts) {
        self.probes += 1;
        if leaf.executions > 0 {
            self.sum += weight;
            self.squares += weight * weight;
            self.largest = self.largest.max(weight);
        }
        if leaf.blocked > 0 {
            self.blocked += weight;
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
        }
    }
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
