//! Its Tables 1 and 2, of programs of ours: how many behaviours need store buffers, how many runs more there are, and how
//! large a buffer a bug needs.

use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use raveler_c::CProgram;
use raveler_core::{Engine, Locks, Model, Settings, Verdict};
use raveler_litmus::{PrivateLocations, Quantifier, Test};

use crate::c::{self, Asked, Expectation, asked, prepare, search_within};
use crate::check::litmus_files;
use crate::papers::row::corpus;
use crate::papers::table::grouped;
use crate::run::search_test;

/// The models of the paper.
pub const MODELS: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

/// What Table 1 says of one model.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct OfModel {
    /// Tests whose condition is reachable.
    pub reachable: u64,
    /// Runs of the interleaving engine, over all tests.
    pub runs: u64,
    /// Executions of the graph engine.
    pub executions: u64,
    /// The mean over tests of runs divided by those under SC.
    pub more_runs: f64,
    /// The same of executions.
    pub more_executions: f64,
}

/// Table 1 on a folder of judged tests: how many tests, and what is said of each model.
pub fn table_1(folder: &Path) -> io::Result<(u64, [OfModel; 3])> {
    let mut all = [OfModel::default(); 3];
    let files = litmus_files(&folder.join("tests"))?;
    for file in &files {
        let test = read(file, PrivateLocations::InRegisters)?;
        let mut first = None;
        for (model, line) in MODELS.into_iter().zip(&mut all) {
            let settings = Settings { races: false, all: true, ..Settings::new(model) };
            let (outcome, states) = search_test(&test, &settings);
            let (runs, _) = search_test(&test, &interleaving(&settings));
            let (executions, runs) = (outcome.counts.executions, runs.counts.executions);
            let (sc_executions, sc_runs) = *first.get_or_insert((executions, runs));
            line.reachable += u64::from(is_reached(&test, states.satisfying(), states.len()));
            line.runs += runs;
            line.executions += executions;
            line.more_runs += runs as f64 / sc_runs.max(1) as f64;
            line.more_executions += executions as f64 / sc_executions.max(1) as f64;
        }
    }
    for line in &mut all {
        line.more_runs /= files.len().max(1) as f64;
        line.more_executions /= files.len().max(1) as f64;
    }
    Ok((files.len() as u64, all))
}

/// The lines of Table 1 for the page.
pub fn show_1(tests: u64, all: &[OfModel; 3]) -> String {
    let paper = [("121 passed, 0 failed", "1"), ("47, 73", "5"), ("24, 97", "11")];
    let mut text = format!(
        "| model | paper: of 121 tests | paper: runs, SC = 1 | ours: condition reachable, of {} | runs, SC = 1 \
         | executions, SC = 1 | all runs | all executions |\n|---|---|---:|---:|---:|---:|---:|---:|\n",
        grouped(tests)
    );
    for ((model, line), (passed, more)) in MODELS.into_iter().zip(all).zip(paper) {
        text += &format!(
            "| {} | {passed} | {more} | {} | {:.2} | {:.2} | {} | {} |\n",
            model.name(),
            grouped(line.reachable),
            line.more_runs,
            line.more_executions,
            grouped(line.runs),
            grouped(line.executions)
        );
    }
    text
}

/// Settings for the other engine.
pub fn interleaving(settings: &Settings) -> Settings {
    Settings { engine: Engine::Interleaving, locks: Locks::Ordered, ..settings.clone() }
}

/// Is what the condition speaks of reached, or, where it must always hold, missed?
fn is_reached(test: &Test, satisfying: usize, states: usize) -> bool {
    match test.condition.quantifier() {
        Quantifier::Exists | Quantifier::NotExists => satisfying > 0,
        Quantifier::Forall => satisfying < states,
    }
}

fn read(file: &Path, private: PrivateLocations) -> io::Result<Test> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    raveler_litmus::parse_bytes_with(&name, &fs::read(file)?, private).map_err(|mistakes| {
        let message = mistakes.first().map_or("refused", |mistake| mistake.message.as_str());
        io::Error::other(format!("{}: {message}", file.display()))
    })
}

/// The bounds of Table 2.
const BOUNDS: [u32; 4] = [0, 1, 2, 3];

/// What Table 2 says of some programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shares {
    /// Programs that were looked at.
    pub programs: u64,
    /// Those that fail under TSO and not under SC.
    pub failing: u64,
    /// Of these, how many fail with buffers of 0, 1, 2, 3 stores.
    pub with_bound: [u64; 4],
}

impl Shares {
    fn add(&mut self, mut fails: impl FnMut(Model, Option<u32>) -> bool) {
        self.programs += 1;
        if fails(Model::Tso, None) && !fails(Model::Sc, None) {
            self.failing += 1;
            for (count, bound) in self.with_bound.iter_mut().zip(BOUNDS) {
                *count += u64::from(fails(Model::Tso, Some(bound)));
            }
        }
    }
}

/// Table 2 on litmus tests: a test fails if what its condition speaks of is reached.
pub fn shares_of_tests(folder: &Path) -> io::Result<Shares> {
    let mut shares = Shares::default();
    for file in litmus_files(folder)?.iter().filter(|file| !file.iter().any(|part| part == "broken")) {
        let test = read(file, PrivateLocations::InMemory)?;
        shares.add(|model, buffer_bound| {
            let settings = Settings { races: false, all: true, buffer_bound, ..Settings::new(model) };
            let (_, states) = search_test(&test, &settings);
            is_reached(&test, states.satisfying(), states.len())
        });
    }
    Ok(shares)
}

/// Table 2 on the C files of the corpus: a program is a file with the flags of one of its lines.
pub fn shares_of_programs(limit: Duration) -> io::Result<Shares> {
    let mut shares = Shares::default();
    for (_, program, settings) in programs(false)? {
        shares.add(|model, buffer_bound| {
            let settings = Settings { model, races: false, all: false, buffer_bound, ..settings.clone() };
            let fresh = program.fresh();
            fresh.prepare(&settings);
            search_within(&fresh, &settings, Some(limit)).0.verdict() == Verdict::Violation
        });
    }
    Ok(shares)
}

/// The programs of `corpus/c` that can be compiled, with their names and settings: of each file those of all its short
/// lines, or only of the first one.
pub fn programs(only_first: bool) -> io::Result<Vec<(String, CProgram, Settings)>> {
    let folder = corpus("c");
    let mut found: Vec<(String, CProgram, Settings)> = Vec::new();
    for file in c::files(&folder)? {
        let Ok(Expectation::Runs(runs)) = c::expectations(&fs::read_to_string(&file)?) else { continue };
        for run in runs.iter().filter(|run| !run.long) {
            // What says how to search is ours to choose; what belongs to the program stays.
            let Ok(Some(Asked { settings, lowering, unroll, stack })) = asked(Model::Tso, &run.options)
            else {
                continue;
            };
            let defaults = Settings::new(Model::Tso);
            let settings = Settings {
                spurious_cas: settings.spurious_cas,
                spurious_wakeups: settings.spurious_wakeups,
                liveness: settings.liveness,
                ..defaults
            };
            let short = file.strip_prefix(&folder).unwrap_or(&file).display().to_string();
            let rounds = unroll.map_or(String::new(), |rounds| format!(" --unroll {rounds}"));
            let name = format!("{short} {}{rounds}", run.flags.join(" ")).trim().to_owned();
            if found.iter().any(|(known, _, other)| *known == name && *other == settings) {
                continue;
            }
            if let Ok(program) = prepare(&file, &run.flags, &lowering) {
                found.push((name, program.unrolled(unroll).with_stack(stack), settings));
                if only_first {
                    break;
                }
            }
        }
    }
    Ok(found)
}

/// The lines of Table 2 for the page.
pub fn show_2(lines: &[(&str, Shares)]) -> String {
    let mut text = "| programs | fail under tso, not sc | K = 0 | K = 1 | K = 2 | K = 3 |\n|---|---:|---:|---:|---:|---:|\n\
                    | paper | | 0 % | 30 % | 92 % | 97 % |\n"
        .to_owned();
    for (what, Shares { programs, failing, with_bound }) in lines {
        let share =
            |count: &u64| format!("{:.0} % ({count})", 100.0 * *count as f64 / (*failing).max(1) as f64);
        let shares: Vec<String> = with_bound.iter().map(share).collect();
        text += &format!("| {what}, {} | {failing} | {} |\n", grouped(*programs), shares.join(" | "));
    }
    text
}
