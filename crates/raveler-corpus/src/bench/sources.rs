//! The same from C sources: executions per CPU second without clang, what clang and our reading of its output take, and
//! what a user waits for a small program.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use raveler_c::{lower, search};
use raveler_core::observer::Unobserved;
use raveler_core::{Equivalence, Locks, Model, Settings};

use super::Options;
use super::clock::{median, per_second, timed};
use super::record::Measurement;
use crate::c::prepare;

/// A program of `corpus/c/families`, and GenMC's executions per CPU second.
struct Source {
    file: &'static str,
    flag: &'static str,
    model: Model,
    equivalence: Equivalence,
    executions: u64,
    genmc: Option<u64>,
}

const fn co(file: &'static str, flag: &'static str, model: Model, executions: u64, genmc: u64) -> Source {
    Source { file, flag, model, equivalence: Equivalence::Coherence, executions, genmc: Some(genmc) }
}

const fn rf(file: &'static str, flag: &'static str, model: Model, executions: u64) -> Source {
    Source { file, flag, model, equivalence: Equivalence::ReadsFrom, executions, genmc: None }
}

/// GenMC counts with coherence.
const SOURCES: &[Source] = &[
    co("ainc", "-DN=8", Model::Rc20, 40_320, 42_000),
    co("casrot", "-DN=10", Model::Rc20, 38_486, 296_000),
    co("casw", "-DN=5", Model::Rc20, 32_880, 274_000),
    co("fib", "-DNUM=5", Model::Ra, 525_630, 209_000),
    co("fib", "-DNUM=5", Model::Sc, 218_243, 177_000),
    co("lockinc", "-DN=8", Model::Rc20, 40_320, 20_500),
    co("ticketlock", "-DN=8", Model::Rc20, 40_320, 8_700),
    co("treiber", "-DN=3", Model::Rc20, 4_812, 14_200),
    co("mpmc_queue_bnd", "-DLB=5", Model::Rc20, 15_752, 25_400),
    co("sigma", "-DN=7", Model::Rc20, 135_135, 208_000),
    co("indexer", "-DN=15", Model::Rc20, 4_096, 550),
    rf("ainc", "-DN=8", Model::Rc20, 40_320),
    rf("lockinc", "-DN=8", Model::Rc20, 40_320),
    rf("ticketlock", "-DN=8", Model::Rc20, 40_320),
    rf("sigma", "-DN=9", Model::Rc20, 362_880),
    rf("stack_true", "-DSIZE=12", Model::Rc20, 2_704_156),
];

/// Measure all of them; nothing without clang.
pub fn run(options: &Options) -> Vec<Measurement> {
    let mut results = Vec::new();
    if !raveler_c::clang::is_there() {
        return results;
    }
    for source in SOURCES {
        let name = format!("{} {}", source.file, source.flag.trim_start_matches("-D"));
        if options.wants(&format!("c {name}")) {
            results.extend(measure(options, source, &name));
        }
    }
    if options.wants("c start") {
        results.extend(start_up(options));
    }
    results
}

fn corpus(file: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c/families").join(format!("{file}.c"))
}

fn settings(source: &Source) -> Settings {
    let mut settings = Settings::new(source.model);
    settings.equivalence = source.equivalence;
    settings.races = false;
    settings.locks = Locks::Ordered;
    settings
}

fn row(program: &str, setting: &str, measure: &'static str, value: f64) -> Measurement {
    Measurement { section: "c", program: program.to_owned(), setting: setting.to_owned(), measure, value }
}

fn measure(options: &Options, source: &Source, name: &str) -> Vec<Measurement> {
    let settings = settings(source);
    let flags = [source.flag.to_string()];
    let program = match prepare(&corpus(source.file), &flags, &lower::Options::default()) {
        Ok(program) => program,
        Err(message) => {
            println!("{name}: {message}");
            return Vec::new();
        }
    };
    let time = median(options.repetitions, || {
        let fresh = program.fresh();
        fresh.prepare(&settings);
        let (outcome, time) = timed(|| search(&fresh, &settings, &mut Unobserved));
        assert_eq!(outcome.counts.executions, source.executions, "{name}");
        time
    });
    let equivalence = if source.equivalence == Equivalence::Coherence { "co" } else { "rf" };
    let setting = format!("{} {equivalence}", source.model.name());
    let speed = per_second(source.executions, time.cpu);
    let ratio = source.genmc.map(|peer| speed / peer as f64);
    let shown = ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"));
    let cpu = time.cpu.as_secs_f64();
    println!("c {name:<32} {setting:<22} {:>10} {cpu:>9.3} {speed:>11.0} {shown:>7}", source.executions);
    let mut rows = vec![
        row(name, &setting, "executions", source.executions as f64),
        row(name, &setting, "cpu_s", cpu),
        row(name, &setting, "executions_per_cpu_s", speed.round()),
    ];
    rows.extend(ratio.map(|r| row(name, &setting, "ratio_to_genmc_0.11", (r * 100.0).round() / 100.0)));
    rows
}

/// What a small program costs before its search, and the whole command as a user feels it.
fn start_up(options: &Options) -> Vec<Measurement> {
    let file = corpus("ainc");
    let mut rows = Vec::new();
    let flags = ["-DN=2".to_string()];
    let own = median(options.repetitions, || {
        timed(|| prepare(&file, &flags, &lower::Options::default()).map(|_| ())).1
    });
    // clang is another process: its time is on the wall only.
    let (cpu, wall) = (own.cpu.as_secs_f64() * 1000.0, own.wall.as_secs_f64() * 1000.0);
    println!("c start-up of ainc N=2: {cpu:.1} ms of our own, {wall:.1} ms with clang");
    rows.push(row("ainc N=2", "start-up", "cpu_ms_without_clang", cpu));
    rows.push(row("ainc N=2", "start-up", "wall_ms_with_clang", wall));
    if let Some(command) = command() {
        let mut times: Vec<Duration> =
            (0..options.repetitions.max(3)).filter_map(|_| whole_command(&command, &file)).collect();
        times.sort();
        if let Some(time) = times.get(times.len() / 2) {
            let wall = time.as_secs_f64() * 1000.0;
            println!("c raveler check ainc.c -- -DN=2: {wall:.1} ms on the wall");
            rows.push(row("ainc N=2", "whole command", "wall_ms", wall));
        }
    }
    rows
}

/// `raveler`, if it was built beside this.
fn command() -> Option<std::path::PathBuf> {
    let command = std::env::current_exe().ok()?.with_file_name("raveler");
    command.exists().then_some(command)
}

fn whole_command(command: &Path, file: &Path) -> Option<Duration> {
    let start = Instant::now();
    let status = Command::new(command)
        .arg("check")
        .arg(file)
        .args(["-q", "--", "-DN=2"])
        .stdout(Stdio::null())
        .status();
    status.ok()?;
    Some(start.elapsed())
}
