//! Random C and C++ programs against machines that explore states: no events, no graphs, no axioms.
//!
//! A program of [`ast`] is printed as C for raveler ([`mod@print`]) or as C++ ([`cpp`]) and becomes flat code for the machines ([`code`]). The
//! machines ([`machine`] over [`memory`] or [`views`]) have finitely many states, which [`explore`] visits all; what
//! comes out is compared ([`compare`]): outcomes, kinds of violations, threads that are stuck.

pub mod ast;
pub mod code;
pub mod command;
pub mod compare;
pub mod cpp;
pub mod engine;
pub mod explore;
pub mod machine;
pub mod memory;
pub mod print;
pub mod random;
pub mod reductions;
pub mod shrink;
pub mod views;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use raveler_core::Model;

use crate::meter::Meter;
use ast::Program;
use compare::{Question, Verdict};
use random::Profile;

/// What programs are printed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Language {
    C,
    Cpp,
}

/// Which programs to judge.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The profiles, taken in turn.
    pub profiles: Vec<Profile>,
    /// How many programs.
    pub programs: u64,
    /// The first seed.
    pub seed: u64,
    /// Workers of the campaign.
    pub threads: usize,
    /// C or C++.
    pub language: Language,
    /// Go on after a difference.
    pub all: bool,
    /// What is asked.
    pub question: Question,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// How many programs.
    pub programs: u64,
    /// How many searches were compared.
    pub compared: u64,
    /// How many were left out because there are too many states.
    pub large: u64,
    /// How many did not come to an end.
    pub open: u64,
    /// Differences: number, profile and seed, shrunk program, words.
    pub differences: Vec<(String, Program, String)>,
    /// How long it took.
    pub seconds: f64,
}

impl Campaign {
    /// Profile and seed of the program with this number.
    pub fn source(&self, number: u64) -> (Profile, u64) {
        let count = self.profiles.len() as u64;
        (self.profiles[(number % count) as usize], self.seed + number / count)
    }

    /// The program of a profile and a seed.
    pub fn program(&self, profile: Profile, seed: u64) -> Program {
        let program = random::program(profile, seed);
        match self.language {
            Language::C => program,
            Language::Cpp => cpp::adapt(program, seed.wrapping_mul(64).wrapping_add(profile as u64)),
        }
    }

    fn question(&self, seed: u64) -> Question {
        Question { turn: seed as usize, ..self.question.clone() }
    }

    /// Judges all programs.
    pub fn run(&self) -> Summary {
        let start = Instant::now();
        let next = AtomicU64::new(0);
        let stop = AtomicBool::new(false);
        let total = Mutex::new(Summary::default());
        let meter = Meter::new(self.programs);
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.programs || stop.load(Ordering::Relaxed) {
                            break;
                        }
                        let (profile, seed) = self.source(number);
                        let program = self.program(profile, seed);
                        let question = self.question(seed);
                        let verdict = guarded(&program, &question);
                        let shrunk = verdict.difference.map(|difference| {
                            stop.store(!self.all, Ordering::Relaxed);
                            let (program, difference) = smallest(&program, difference, &question);
                            (format!("--profile {} --seed {seed}", profile.name()), program, difference)
                        });
                        meter.step();
                        let mut total = total.lock().expect("no worker panics while it holds this");
                        total.programs += 1;
                        total.compared += verdict.compared;
                        total.large += verdict.large;
                        total.open += verdict.open;
                        if let (true, Some((source, program, difference))) = (self.all, &shrunk) {
                            println!("== {source}\n{}", describe(program, difference));
                        }
                        total.differences.extend(shrunk);
                    }
                });
            }
        });
        let mut total = total.into_inner().expect("all workers have ended");
        total.seconds = start.elapsed().as_secs_f64();
        total
    }
}

impl Summary {
    /// One line of numbers.
    pub fn line(&self) -> String {
        format!(
            "programs: programs {} compared {} too large {} open {} differences {} seconds {:.1} ({:.1} ms per program)",
            self.programs,
            self.compared,
            self.large,
            self.open,
            self.differences.len(),
            self.seconds,
            1e3 * self.seconds / self.programs.max(1) as f64,
        )
    }
}

/// A difference for people: the answers, then the program as a file of the corpus.
pub fn describe(program: &Program, difference: &str) -> String {
    format!("{difference}\n\n{}{}", expectations(program), print::text(program))
}

/// The machines' answers as `// run:` lines: what a file below `corpus/c` says of itself.
fn expectations(program: &Program) -> String {
    let code = code::compile(program);
    let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
    for model in Model::CAUSAL.into_iter().filter(|model| explore::is_known(*model, program.has_seq_cst())) {
        let Some(answer) = explore::judge(&code, model, 100_000) else { continue };
        let kinds: Vec<String> = answer.violations.iter().map(|kind| format!(" violation={kind}")).collect();
        let verdict = if kinds.is_empty() && !answer.stuck { "verified" } else { "violation" };
        let expected = format!("verdict={verdict}{}", kinds.concat());
        match lines.iter_mut().find(|(line, _)| *line == expected) {
            Some((_, models)) => models.push(model.name()),
            None => lines.push((expected, vec![model.name()])),
        }
    }
    let flags = if program.spelling.is_some() {
        format!("{} ", cpp::standard(&print::text(program)))
    } else {
        String::new()
    };
    let line = |(expected, models): (String, Vec<&str>)| {
        format!("// run: {flags}| {} --all | {expected}\n", models.join(" "))
    };
    lines.into_iter().map(line).collect()
}

/// Judges one program; a panic of what is judged is a difference.
pub fn guarded(program: &Program, question: &Question) -> Verdict {
    catch_unwind(AssertUnwindSafe(|| compare::judge(program, question))).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()))
            .unwrap_or_default();
        Verdict { difference: Some(format!("a panic: {text}")), ..Verdict::default() }
    })
}

/// The smallest program found that still differs in the same way: the same model and the same first words.
fn smallest(program: &Program, difference: String, question: &Question) -> (Program, String) {
    let sort = |text: &str| -> Vec<String> {
        let lines = text.lines().take_while(|line| !line.starts_with("  "));
        let words = lines.map(|line| line.split(':').next().unwrap_or_default().to_string());
        // Mistakes that only the shrinking brings in would take the place of the one that was found.
        let mistakes = ["null-dereference", "uninitialised-read", "unlock-not-held"];
        let there = mistakes.into_iter().filter(|kind| text.contains(kind)).map(String::from);
        words.chain(there).collect()
    };
    let wanted = sort(&difference);
    let mut question = question.clone();
    // One model is enough, if it is one model that differs.
    question.models.retain(|model| {
        !difference.starts_with("--model") || difference.starts_with(&format!("--model {} ", model.name()))
    });
    let question = &question;
    let small = shrink::shrink(program, 400, &mut |candidate| {
        guarded(candidate, question).difference.is_some_and(|found| sort(&found) == wanted)
    });
    match guarded(&small, question).difference {
        Some(difference) => (small, difference),
        None => (program.clone(), format!("not at every try: {difference}")),
    }
}
