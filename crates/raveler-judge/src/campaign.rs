//! Judging many random programs: which ones, how many at a time, what came out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crate::meter::Meter;
use crate::program::TestProgram;
use crate::random::{Profile, program};
use crate::shrink::shrink;

/// What one program's judgement came to.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// How many things (executions, final states) were compared.
    pub compared: u64,
    /// How many comparisons were left out because they would have been too much work.
    pub skipped: u64,
    /// The first difference, in words.
    pub difference: Option<String>,
}

/// In how many ways a program is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// In the one that says most.
    OneWay,
    /// In all of them: by several workers, without reductions, with threads that are run again.
    AllWays,
}

/// Which programs to judge.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The profiles, taken in turn.
    pub profiles: Vec<Profile>,
    /// How many programs.
    pub programs: u64,
    /// The first seed; the others follow.
    pub seed: u64,
    /// How many at a time.
    pub threads: usize,
}

/// What a campaign came to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Programs judged.
    pub programs: u64,
    /// Things compared.
    pub compared: u64,
    /// Comparisons left out.
    pub skipped: u64,
    /// A program with a difference, as small as the shrinker could make it, and the difference in words.
    pub difference: Option<(TestProgram, String)>,
    /// How long it took.
    pub seconds: f64,
}

impl Summary {
    /// One line of numbers.
    pub fn line(&self, name: &str) -> String {
        format!(
            "{name}: programs {} compared {} skipped {} differences {} seconds {:.1} ({:.3} ms per program)",
            self.programs,
            self.compared,
            self.skipped,
            u8::from(self.difference.is_some()),
            self.seconds,
            1e3 * self.seconds / self.programs.max(1) as f64,
        )
    }
}

impl Campaign {
    /// The program with this number.
    pub fn program(&self, number: u64) -> TestProgram {
        let (profile, seed) = self.source(number);
        program(profile, seed)
    }

    /// The profile and seed of the program with this number.
    pub fn source(&self, number: u64) -> (Profile, u64) {
        let profile = self.profiles[(number % self.profiles.len() as u64) as usize];
        (profile, self.seed + number / self.profiles.len() as u64)
    }

    /// Judges all programs; stops at the first difference and shrinks its program.
    pub fn run(&self, judge: &(dyn Fn(&TestProgram) -> Verdict + Sync)) -> Summary {
        self.run_by(&|_, program| judge(program), judge)
    }

    /// Judges one of so many programs in all ways, and the others in one way.
    pub fn run_sampled(
        &self,
        every: u64,
        judge: &(dyn Fn(&TestProgram, Extent) -> Verdict + Sync),
    ) -> Summary {
        let profiles = self.profiles.len() as u64;
        let extent = |number: u64| match (number / profiles).is_multiple_of(every) {
            true => Extent::AllWays,
            false => Extent::OneWay,
        };
        self.run_by(&|number, program| judge(program, extent(number)), &|program| {
            judge(program, Extent::AllWays)
        })
    }

    fn run_by(
        &self,
        judge: &(dyn Fn(u64, &TestProgram) -> Verdict + Sync),
        shrink_by: &(dyn Fn(&TestProgram) -> Verdict + Sync),
    ) -> Summary {
        let start = Instant::now();
        let next = AtomicU64::new(0);
        let stop = AtomicBool::new(false);
        let total = Mutex::new(Summary::default());
        let worst = Mutex::new(None);
        let meter = Meter::new(self.programs);
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|| {
                    let mut mine = Summary::default();
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.programs || stop.load(Ordering::Relaxed) {
                            break;
                        }
                        let verdict = guarded(&|program| judge(number, program), &self.program(number));
                        meter.step();
                        mine.programs += 1;
                        mine.compared += verdict.compared;
                        mine.skipped += verdict.skipped;
                        if verdict.difference.is_some() {
                            stop.store(true, Ordering::Relaxed);
                            *worst.lock().expect("no worker panics while it holds this") =
                                verdict.difference.map(|text| (number, text));
                        }
                    }
                    let mut total = total.lock().expect("no worker panics while it holds this");
                    total.programs += mine.programs;
                    total.compared += mine.compared;
                    total.skipped += mine.skipped;
                });
            }
        });
        let mut total = total.into_inner().expect("all workers have ended");
        total.seconds = start.elapsed().as_secs_f64();
        if let Some((number, text)) = worst.into_inner().expect("all workers have ended") {
            let program = self.program(number);
            total.difference = Some(smallest(&program, text, shrink_by));
        }
        total
    }
}

/// Judges one program; a panic of what is judged is a difference.
pub fn guarded(judge: &(dyn Fn(&TestProgram) -> Verdict + Sync), program: &TestProgram) -> Verdict {
    catch_unwind(AssertUnwindSafe(|| judge(program))).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()))
            .unwrap_or_default();
        Verdict { difference: Some(format!("a panic: {text}")), ..Verdict::default() }
    })
}

/// The smallest program the shrinker finds that still shows a difference, and that difference; if the difference
/// does not come back, the program as it is.
pub fn smallest(
    program: &TestProgram,
    difference: String,
    judge: &(dyn Fn(&TestProgram) -> Verdict + Sync),
) -> (TestProgram, String) {
    let small = shrink(program, &mut |candidate| guarded(judge, candidate).difference.is_some());
    match guarded(judge, &small).difference {
        Some(difference) => (small, difference),
        None => (program.clone(), format!("not at every try: {difference}")),
    }
}
