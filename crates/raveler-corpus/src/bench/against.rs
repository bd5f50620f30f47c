//! The command beside a peer's, given by path, on the same C files, in one run: whoever has both can repeat the comparison.
//!
//! Two ways. `executions`: both count the same executions (coherence orders counted, sections in every order, no symmetry, no
//! races), and the difference of two sizes of a program is divided by the difference of their executions, so that start-up and
//! clang fall out. `command`: what a user waits for with each tool's defaults. The peer is called as GenMC is, and says how
//! many executions there are as GenMC does.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use raveler_core::Model;

use super::Options;
use super::record::Measurement;

/// A file of `corpus/c/families`, two sizes of it, and the executions of the larger one.
struct Row {
    file: &'static str,
    model: Model,
    sizes: [&'static str; 2],
    executions: u64,
}

const fn row(file: &'static str, model: Model, sizes: [&'static str; 2], executions: u64) -> Row {
    Row { file, model, sizes, executions }
}

const ROWS: &[Row] = &[
    row("ainc", Model::Rc20, ["-DN=6", "-DN=8"], 40_320),
    row("casrot", Model::Rc20, ["-DN=8", "-DN=10"], 38_486),
    row("casw", Model::Rc20, ["-DN=4", "-DN=5"], 32_880),
    row("readers", Model::Rc20, ["-DN=12", "-DN=16"], 65_536),
    row("cinc", Model::Rc20, ["-DN=3", "-DN=4"], 13_824),
    row("fib", Model::Rc20, ["-DNUM=4", "-DNUM=5"], 525_630),
    row("fib", Model::Sc, ["-DNUM=4", "-DNUM=5"], 218_243),
    row("lockinc", Model::Rc20, ["-DN=6", "-DN=8"], 40_320),
    row("ticketlock", Model::Rc20, ["-DN=5", "-DN=7"], 5_040),
    row("treiber", Model::Rc20, ["-DN=2", "-DN=3"], 4_812),
    row("mpmc_queue_bnd", Model::Rc20, ["-DLB=3", "-DLB=5"], 15_752),
    row("sigma", Model::Rc20, ["-DN=6", "-DN=7"], 135_135),
    row("indexer", Model::Rc20, ["-DN=13", "-DN=14"], 512),
];

/// One run of a tool.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// How many executions it says there are.
    executions: u64,
    /// User and system time, in seconds, of the tool and what it calls.
    cpu: f64,
    /// Time on the wall, in seconds.
    wall: f64,
}

/// Compare, print a line for each program, and give the numbers back.
pub fn run(options: &Options, peer: &Path) -> io::Result<Vec<Measurement>> {
    let ours = command()?;
    println!(
        "{:<22} {:<5} {:>11} {:>11} {:>6} {:>12} {:>9} {:>9} {:>6}",
        "program", "model", "ex/cpu s", "peer", "ratio", "", "wall ms", "peer", "ratio"
    );
    let mut results = Vec::new();
    for row in ROWS {
        let name = format!("{} {}", row.file, row.sizes[1].trim_start_matches("-D"));
        if options.wants(&format!("against {name}")) {
            results.extend(compare(options, row, &name, &ours, peer)?);
        }
    }
    Ok(results)
}

fn compare(
    options: &Options,
    row: &Row,
    name: &str,
    ours: &Path,
    peer: &Path,
) -> io::Result<Vec<Measurement>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c/families").join(row.file);
    let file = file.with_extension("c");
    let median = |command: &dyn Fn() -> Command| median(options.repetitions, command);
    let counted = |size: &str| -> io::Result<[Run; 2]> {
        let rest = ["--equivalence", "co", "--locks", "ordered", "--races", "ignore", "--reductions", "none"];
        let peer_rest = ["--disable-estimation", "--disable-sr", "--disable-race-detection"];
        Ok([
            median(&|| our_command(ours, row.model, &file, size, &rest))?,
            median(&|| peer_command(peer, row.model, &file, size, &peer_rest))?,
        ])
    };
    let [small, large] = [counted(row.sizes[0])?, counted(row.sizes[1])?];
    let expected = row.executions;
    if large[0].executions != expected {
        return Err(io::Error::other(format!("{name}: {} executions, not {expected}", large[0].executions)));
    }
    let speed = |tool: usize| {
        let executions = large[tool].executions.saturating_sub(small[tool].executions);
        executions as f64 / (large[tool].cpu - small[tool].cpu).max(TICK)
    };
    let defaults = [
        median(&|| our_command(ours, row.model, &file, row.sizes[1], &[]))?,
        median(&|| peer_command(peer, row.model, &file, row.sizes[1], &["--disable-estimation"]))?,
    ];
    let (ratio, wall_ratio) = (speed(0) / speed(1), defaults[1].wall / defaults[0].wall);
    let other_count = match large[1].executions == expected {
        true => String::new(),
        false => format!("({} there)", large[1].executions),
    };
    let model = row.model.name();
    println!(
        "{name:<22} {model:<5} {:>11.0} {:>11.0} {ratio:>6.1} {other_count:>12} {:>9.0} {:>9.0} {wall_ratio:>6.1}",
        speed(0),
        speed(1),
        defaults[0].wall * 1000.0,
        defaults[1].wall * 1000.0
    );
    let measured = |measure, value| Measurement {
        section: "against",
        program: name.to_owned(),
        setting: model.to_owned(),
        measure,
        value,
    };
    Ok(vec![
        measured("executions_per_cpu_s", speed(0).round()),
        measured("executions_per_cpu_s_of_peer", speed(1).round()),
        measured("wall_ms_with_defaults", (defaults[0].wall * 1000.0).round()),
        measured("wall_ms_with_defaults_of_peer", (defaults[1].wall * 1000.0).round()),
    ])
}

/// `raveler`, which must have been built beside this.
pub fn command() -> io::Result<PathBuf> {
    let command = std::env::current_exe()?.with_file_name("raveler");
    match command.exists() {
        true => Ok(command),
        false => Err(io::Error::other(
            "`raveler` is not beside this command: cargo build --release -p raveler-cli",
        )),
    }
}

fn our_command(ours: &Path, model: Model, file: &Path, size: &str, rest: &[&str]) -> Command {
    let mut command = Command::new(ours);
    command.arg("check").arg(file).args(["--model", model.name(), "--json"]).args(rest).args(["--", size]);
    command
}

fn peer_command(peer: &Path, model: Model, file: &Path, size: &str, rest: &[&str]) -> Command {
    // Its RC11 has the release sequences of C++20.
    let model = if model == Model::Rc20 { Model::Rc11 } else { model };
    let mut command = Command::new(peer);
    command.arg(format!("--{}", model.name())).args(rest).args(["--", size]).arg(file);
    command
}

/// The run in the middle, by CPU time.
fn median(repetitions: usize, command: &dyn Fn() -> Command) -> io::Result<Run> {
    let mut runs = (0..repetitions.max(1)).map(|_| once(command())).collect::<io::Result<Vec<Run>>>()?;
    runs.sort_by(|a, b| a.cpu.total_cmp(&b.cpu));
    Ok(runs[runs.len() / 2])
}

fn once(mut command: Command) -> io::Result<Run> {
    let (before, start) = (children_cpu()?, Instant::now());
    let output = command.output().map_err(|error| {
        io::Error::new(error.kind(), format!("{}: {error}", command.get_program().to_string_lossy()))
    })?;
    let (cpu, wall) = (children_cpu()? - before, start.elapsed().as_secs_f64());
    let executions = executions(&output).ok_or_else(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().rev().take(3).collect::<Vec<_>>().join(" / ");
        io::Error::other(format!("{command:?} does not say how many executions there are: {last}"))
    })?;
    Ok(Run { executions, cpu, wall })
}

/// How many executions a tool says there are: in our JSON, or as GenMC says it.
fn executions(output: &Output) -> Option<u64> {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if let Ok(json) = serde_json::from_str::<serde_json::Value>(&out) {
        return json.get("executions")?.as_u64();
    }
    let said = out.lines().chain(err.lines());
    said.filter_map(|line| line.split_once("Number of complete executions explored:"))
        .find_map(|(_, number)| number.trim().parse().ok())
}

/// A clock tick: times of other processes are not known better.
const TICK: f64 = 0.01;

/// User and system time of all processes that this one has started and that have ended, in seconds.
fn children_cpu() -> io::Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    cpu_of_children(&stat)
        .ok_or_else(|| io::Error::other("the times of processes are not known on this system"))
}

/// The same from the text of `/proc/self/stat`: its fields 16 and 17, after the name in brackets, which may hold blanks.
fn cpu_of_children(stat: &str) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some((ticks(13)? + ticks(14)?) as f64 * TICK)
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use super::*;

    #[test]
    fn times_of_children_are_read_behind_a_name_with_blanks() {
        let stat = "77 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 11 12 250 50 20 0";
        assert_eq!(cpu_of_children(stat), Some(3.0));
        assert_eq!(cpu_of_children("nothing"), None);
    }

    #[test]
    fn executions_are_read_from_both_tools() {
        let said = |stdout: &str, stderr: &str| {
            executions(&Output {
                status: ExitStatus::from_raw(0),
                stdout: stdout.as_bytes().to_vec(),
                stderr: stderr.as_bytes().to_vec(),
            })
        };
        assert_eq!(said("{\"schema\":1,\"executions\":24}", ""), Some(24));
        assert_eq!(said("Number of complete executions explored: 22\nNumber of blocked 3", ""), Some(22));
        assert_eq!(said("", "*** Number of complete executions explored: 6"), Some(6));
        assert_eq!(said("no", "number"), None);
    }
}
