//! What leaving critical sections unordered costs and saves: the rows of the paper with its times, time per execution
//! against the search in acquisition order, and programs that have no locks.

use std::path::Path;

use raveler_c::{CProgram, lower, search};
use raveler_core::observer::Unobserved;
use raveler_core::{Locks, Model, Settings};

use super::Options;
use super::clock::{median, timed};
use super::record::Measurement;
use crate::c::prepare;
use crate::papers::lapor;
use crate::papers::row::Subject;

/// A program of `corpus/c`, its executions without the order of sections, and the paper's seconds (on a machine of 2013).
struct Row {
    file: &'static str,
    flags: &'static str,
    executions: u64,
    paper: Option<f64>,
}

/// The lines of the paper that have a time, and some of our own.
fn rows() -> Vec<Row> {
    let of_paper =
        lapor::tables().into_iter().flat_map(|table| table.rows).filter_map(|row| match row.subject {
            Subject::C(file, flags) => {
                let paper = row.paper_seconds.parse().ok()?;
                Some(Row { file, flags, executions: row.ours?, paper: Some(paper) })
            }
            _ => None,
        });
    let own = |(file, flags, executions)| Row { file, flags, executions, paper: None };
    of_paper.chain(OWN.into_iter().map(own)).collect()
}

const OWN: [(&str, &str, u64); 4] = [
    ("families/nreads_lock", "-DN=30", 1),
    ("locks/casrot_lock", "-DN=6", 144),
    ("locks/casw_lock", "-DN=4", 200),
    ("families/queue_ok", "-DENQ=3 -DDEQ=3 -DSIZE=4", 543),
];

/// Programs with many small sections, and their executions in both ways.
const FINE: &[(&str, &str, u64, u64)] = &[
    ("families/indexer", "-DN=14", 512, 512),
    ("families/filesystem", "-DN=19", 64, 64),
    ("locks/table", "-DN=8 -DFINE", 16, 16),
    ("locks/tree", "-DN=6 -DFINE", 5, 720),
    ("families/fib_bench_locked", "-DNUM=5", 5922, 16_632),
    ("families/stack_true", "-DSIZE=7", 3432, 3432),
];

/// Programs without locks.
const WITHOUT: &[(&str, &str, u64)] = &[("families/ainc", "-DN=7", 5040), ("families/casw", "-DN=5", 2160)];

/// Measure all of them; nothing without clang.
pub fn run(options: &Options) -> Vec<Measurement> {
    let mut results = Vec::new();
    if !raveler_c::clang::is_there() {
        return results;
    }
    for row in rows() {
        let name = format!("{} {}", row.file, row.flags.replace("-D", ""));
        if !options.wants(&format!("locks {name}")) {
            continue;
        }
        let Some(program) = load(row.file, row.flags) else { continue };
        let (seconds, dropped) = time(options, &program, Locks::Aware, row.executions);
        let paper = row.paper.map_or(String::new(), |paper| format!("{paper:.2}"));
        println!("locks {name:<44} {:>8} {dropped:>8} {seconds:>9.4} {paper:>7}", row.executions);
        results.push(measurement(&name, "aware", "executions", row.executions as f64));
        results.push(measurement(&name, "aware", "dropped", dropped as f64));
        results.push(measurement(&name, "aware", "cpu_s", seconds));
        results.extend(row.paper.map(|paper| measurement(&name, "paper", "s", paper)));
    }
    for &(file, flags, aware, ordered) in FINE {
        let name = format!("{file} {}", flags.replace("-D", ""));
        if !options.wants(&format!("locks per execution {name}")) {
            continue;
        }
        let Some(program) = load(file, flags) else { continue };
        let each =
            |locks, executions: u64| time(options, &program, locks, executions).0 * 1e6 / executions as f64;
        let (aware, ordered) = (each(Locks::Aware, aware), each(Locks::Ordered, ordered));
        let ratio = aware / ordered;
        println!("locks per execution {name:<32} {aware:>9.1} µs, in order {ordered:>9.1} µs: {ratio:.2}");
        results.push(measurement(&name, "aware", "cpu_us_per_execution", aware));
        results.push(measurement(&name, "ordered", "cpu_us_per_execution", ordered));
        results.push(measurement(&name, "aware against ordered", "ratio", (ratio * 100.0).round() / 100.0));
    }
    for &(file, flags, executions) in WITHOUT {
        let name = format!("{file} {}", flags.replace("-D", ""));
        if !options.wants(&format!("locks absent {name}")) {
            continue;
        }
        let Some(program) = load(file, flags) else { continue };
        let aware = time(options, &program, Locks::Aware, executions).0;
        let ratio = aware / time(options, &program, Locks::Ordered, executions).0;
        println!("locks absent {name:<32} {ratio:.2} times the time of the ordinary search");
        results.push(measurement(&name, "aware against ordered", "ratio", (ratio * 100.0).round() / 100.0));
    }
    results
}

fn load(file: &str, flags: &str) -> Option<CProgram> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c").join(format!("{file}.c"));
    let flags: Vec<String> = flags.split_whitespace().map(str::to_string).collect();
    prepare(&path, &flags, &lower::Options::default())
        .inspect_err(|message| println!("{file}: {message}"))
        .ok()
}

/// CPU seconds of a search, and how many explorations came to nothing.
fn time(options: &Options, program: &CProgram, locks: Locks, executions: u64) -> (f64, u64) {
    // Programs with deadlocks are searched whole.
    let settings = Settings { races: false, all: true, locks, ..Settings::new(Model::Rc11) };
    let mut dropped = 0;
    let time = median(options.repetitions, || {
        let fresh = program.fresh();
        fresh.prepare(&settings);
        let (outcome, time) = timed(|| search(&fresh, &settings, &mut Unobserved));
        assert_eq!(outcome.counts.executions, executions);
        dropped = outcome.counts.dropped;
        time
    });
    (time.cpu.as_secs_f64(), dropped)
}

fn measurement(program: &str, setting: &str, measure: &'static str, value: f64) -> Measurement {
    Measurement {
        section: "locks",
        program: program.trim().to_owned(),
        setting: setting.to_owned(),
        measure,
        value,
    }
}
