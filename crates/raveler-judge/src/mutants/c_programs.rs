//! Mistakes in what waits, and others of the C front-end: C files of the corpus, searched with and without them.
//!
//! The files say what must come out, which `raveler-corpus` looks at; here it is enough that a mistake changes something.

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use raveler_c::{CProgram, Collector, lower, search};
use raveler_core::mutation::Mutant;
use raveler_core::{Equivalence, Locks, Model, Reductions, Settings, Verdict};

use crate::programs::engine::Watch;

/// A search that takes longer has lost its way.
const PATIENCE: Duration = Duration::from_secs(5);

/// Files that are not about waiting, each for a mistake.
const OTHERS: [&str; 13] = [
    "library/barrier_groups.c",
    "library/sections_outside.c",
    "memory/casts.c",
    "memory/smaller_elsewhere.c",
    "memory/thread_end.c",
    "reductions/barrier.c",
    "reductions/barrier_and_lock.c",
    "reductions/barrier_life.c",
    "reductions/counters.c",
    "reductions/counters_seen.c",
    "reductions/rounds.c",
    "reductions/rounds_seen.c",
    "reductions/twins.c",
];

/// One search of a file.
struct Case {
    name: String,
    file: PathBuf,
    flags: Vec<String>,
    program: CProgram,
    settings: Settings,
    healthy: Option<Answer>,
}

/// What comes out of a search.
#[derive(PartialEq, Eq, Debug)]
struct Answer {
    verdict: Verdict,
    kinds: BTreeSet<&'static str>,
    executions: u64,
    outcomes: Vec<(Vec<(String, i64)>, u64)>,
}

/// The searches, with what comes out of them without a mistake.
pub struct CPrograms {
    cases: Vec<Case>,
}

impl CPrograms {
    /// The files of the corpus about waiting, and some others. Without clang there are none.
    pub fn new() -> CPrograms {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c");
        let waits = fs::read_dir(corpus.join("waits")).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = waits.map(|entry| entry.path()).collect();
        files.extend(OTHERS.iter().map(|file| corpus.join(file)));
        files.sort();
        let mut cases: Vec<Case> = files.iter().flat_map(|file| searches(file)).collect();
        for case in &mut cases {
            case.healthy = case.answer();
        }
        cases.retain(|case| case.healthy.is_some());
        CPrograms { cases }
    }

    /// How many searches there are.
    pub fn count(&self) -> usize {
        self.cases.len()
    }

    /// The first search of which something else comes out now.
    pub fn difference(&self) -> Option<String> {
        self.cases.iter().find_map(|case| {
            let now = case.answer();
            let healthy = case.healthy.as_ref()?;
            match now {
                None => Some(format!("{}: a panic, or no end", case.name)),
                Some(now) if now != *healthy => {
                    Some(format!("{}: {now:?} instead of {healthy:?}", case.name))
                }
                Some(_) => None,
            }
        })
    }
}

impl Default for CPrograms {
    fn default() -> Self {
        CPrograms::new()
    }
}

impl Case {
    /// What comes out; none if the search panics or does not come to its end.
    fn answer(&self) -> Option<Answer> {
        let searched = catch_unwind(AssertUnwindSafe(|| {
            let program = match Mutant::BarrierOfOneGroup.is_active() {
                // The mistake is in what is compiled.
                true => compile(&self.file, &self.flags)?,
                false => self.program.fresh(),
            };
            program.prepare(&self.settings);
            let mut watch =
                Watch { inner: Collector::new(&program), end: Instant::now() + PATIENCE, late: false };
            let outcome = search(&program, &self.settings, &mut watch);
            (!watch.late).then(|| Answer {
                verdict: outcome.verdict(),
                kinds: outcome.violations.iter().map(|violation| violation.kind.name()).collect(),
                executions: outcome.counts.executions,
                outcomes: watch.inner.outcomes(&program),
            })
        }));
        searched.ok().flatten()
    }
}

/// A few searches for each line of a file: under RC20 and SC, with both ways of locks, and where something is reduced under PSO.
fn searches(file: &Path) -> Vec<Case> {
    let Ok(text) = fs::read_to_string(file) else { return Vec::new() };
    let file_name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut flags: Vec<Vec<String>> = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("// run:")) {
        let words = line.split('|').next().unwrap_or_default().split_whitespace();
        let words: Vec<String> = words.map(String::from).collect();
        if !flags.contains(&words) {
            flags.push(words);
        }
    }
    let is_reduced = file.parent().is_some_and(|folder| folder.ends_with("reductions"));
    let reductions = match is_reduced {
        // Twins that begin with a count have nothing to be ordered.
        true if file_name == "twins.c" => Reductions { symmetry: true, ..Reductions::NONE },
        true => Reductions::ALL,
        false => Reductions::NONE,
    };
    let mut cases = Vec::new();
    for flags in flags {
        let Some(code) = compile(file, &flags) else { continue };
        let ways = [(Model::Rc20, Locks::Aware), (Model::Sc, Locks::Aware), (Model::Rc20, Locks::Ordered)];
        // What updates in no order do to store buffers.
        let buffered = is_reduced.then_some((Model::Pso, Locks::Aware));
        for (model, locks) in ways.into_iter().chain(buffered) {
            let name = format!("{file_name} {} {} {locks:?}", flags.join(" "), model.name());
            let settings = Settings {
                all: true,
                locks,
                equivalence: Equivalence::ReadsFrom,
                max_executions: Some(2_000),
                reductions,
                ..Settings::new(model)
            };
            let (file, flags) = (file.to_path_buf(), flags.clone());
            cases.push(Case { name, file, flags, program: code.fresh(), settings, healthy: None });
        }
    }
    cases
}

fn compile(file: &Path, flags: &[String]) -> Option<CProgram> {
    let read = |name: &str| fs::read_to_string(name).ok();
    let options = lower::Options::default();
    raveler_c::load(&file.to_string_lossy(), &[], flags, &options, &read).ok().map(CProgram::new)
}
