//! What XMM costs beside RC20, from C: programs without load-buffering races, with races that nothing realises, and with
//! executions of their own.

use std::path::Path;

use raveler_c::{CProgram, lower, search};
use raveler_core::observer::Unobserved;
use raveler_core::{Equivalence, Locks, Model, Settings};

use super::Options;
use super::clock::{median, timed};
use super::record::Measurement;
use crate::c::prepare;

/// A program of `corpus/c/families` with its executions under RC20 and under XMM.
struct Row {
    file: &'static str,
    flag: &'static str,
    executions: [u64; 2],
    /// How many times the time of RC20 it should take at most: for each execution if there are more of them.
    goal: Option<f64>,
}

const fn row(file: &'static str, flag: &'static str, executions: [u64; 2], goal: Option<f64>) -> Row {
    Row { file, flag, executions, goal }
}

const ROWS: &[Row] = &[
    row("fib", "-DNUM=4", [34_205; 2], Some(1.1)),
    row("reorder2", "-DRELAXED", [1_296; 2], Some(1.1)),
    row("ainc", "-DN=6", [720; 2], Some(2.0)),
    row("ainc", "-DN=7", [5_040; 2], Some(2.0)),
    row("casrot", "-DN=9", [8_597; 2], Some(2.0)),
    row("casrot", "-DN=10", [38_486; 2], Some(2.0)),
    row("casw", "-DN=4", [1_200; 2], Some(2.0)),
    row("casw", "-DN=5", [32_880; 2], Some(2.0)),
    row("ticketlock", "-DN=6", [720; 2], Some(2.0)),
    row("lbn", "-DN=14", [16_383, 16_384], Some(1.5)),
    row("lbn_pairs", "-DN=10", [243, 1_024], Some(3.0)),
    row("lbn_pairs", "-DN=12", [729, 4_096], Some(3.0)),
    row("lbn_pairs", "-DN=14", [2_187, 16_384], Some(3.0)),
    row("szymanski_x", "-DN=2", [2_216, 2_884], None),
    row("mpmc_queue_bnd", "-DLB=5", [15_752; 2], None),
    row("chase_lev", "-DTHIEVES=2", [3_639, 3_815], None),
    row("dq", "", [1_924; 2], None),
];

/// Measure all of them; nothing without clang.
pub fn run(options: &Options) -> Vec<Measurement> {
    let mut results = Vec::new();
    if !raveler_c::clang::is_there() {
        return results;
    }
    for row in ROWS {
        let name = format!("{} {}", row.file, row.flag.trim_start_matches("-D"));
        if options.wants(&format!("xmm {name}")) {
            results.extend(measure(options, row, name.trim()));
        }
    }
    results
}

fn measure(options: &Options, row: &Row, name: &str) -> Vec<Measurement> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c/families").join(row.file);
    let flags: Vec<String> = row.flag.split_whitespace().map(str::to_owned).collect();
    let program = match prepare(&file.with_extension("c"), &flags, &lower::Options::default()) {
        Ok(program) => program,
        Err(message) => {
            println!("{name}: {message}");
            return Vec::new();
        }
    };
    let [before, executions] = row.executions;
    let rc20 = seconds(options, &program, Model::Rc20, before);
    let xmm = seconds(options, &program, Model::Xmm, executions);
    let more = executions as f64 / before as f64;
    let ratio = (xmm / rc20 / more * 100.0).round() / 100.0;
    let goal = row.goal.map_or(String::new(), |goal| format!(", goal {goal}"));
    println!("xmm {name:<20} {executions:>7} {xmm:>8.4} s, {ratio:.2} times rc20 for each execution{goal}");
    let measured = |measure, value| Measurement {
        section: "xmm",
        program: name.to_owned(),
        setting: "co".to_owned(),
        measure,
        value,
    };
    vec![
        measured("executions", executions as f64),
        measured("cpu_s", xmm),
        measured("cpu_s_of_rc20", rc20),
        measured("ratio_per_execution", ratio),
    ]
}

/// CPU seconds of a search.
fn seconds(options: &Options, program: &CProgram, model: Model, executions: u64) -> f64 {
    let mut settings = Settings::new(model);
    (settings.equivalence, settings.locks, settings.races) = (Equivalence::Coherence, Locks::Ordered, false);
    let time = median(options.repetitions, || {
        let fresh = program.fresh();
        fresh.prepare(&settings);
        let (outcome, time) = timed(|| search(&fresh, &settings, &mut Unobserved));
        assert_eq!(outcome.counts.executions, executions, "{model:?}");
        time
    });
    time.cpu.as_secs_f64()
}
