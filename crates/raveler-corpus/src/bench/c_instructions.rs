//! Instructions per execution of whole checks from C, counted by callgrind: what a size of a program takes more than a smaller
//! one, divided by the executions that it has more, so that clang and start-up fall out.
//!
//! Unlike times they are the same on every machine with the same compiler, so they are asserted: a row that takes over 5 %
//! more than was recorded fails the command.

use std::io;
use std::path::Path;
use std::process::Command;

use raveler_core::{Equivalence, Model};

use super::record::Measurement;
use super::{Options, against};

/// How much more than recorded a row may take.
const TOLERANCE: f64 = 1.05;

/// A file of `corpus/c/families` at two sizes.
struct Row {
    file: &'static str,
    model: Model,
    equivalence: Equivalence,
    sizes: [&'static str; 2],
    /// The executions of each size.
    executions: [u64; 2],
    /// Instructions per execution when they were last recorded (release build, Rust 1.95).
    recorded: u64,
    /// What they should be at most.
    goal: u64,
}

const fn row(
    file: &'static str,
    (model, equivalence): (Model, Equivalence),
    sizes: [&'static str; 2],
    executions: [u64; 2],
    (recorded, goal): (u64, u64),
) -> Row {
    Row { file, model, equivalence, sizes, executions, recorded, goal }
}

const CO: (Model, Equivalence) = (Model::Rc20, Equivalence::Coherence);

const ROWS: &[Row] = &[
    row("ainc", CO, ["-DN=5", "-DN=7"], [120, 5_040], (20_588, 10_000)),
    row("casrot", CO, ["-DN=6", "-DN=9"], [144, 8_597], (4_286, 2_500)),
    row("casw", CO, ["-DN=3", "-DN=4"], [66, 1_200], (5_093, 3_500)),
    row("fib", (Model::Ra, Equivalence::Coherence), ["-DNUM=2", "-DNUM=4"], [153, 34_205], (4_324, 2_000)),
    row("fib", (Model::Sc, Equivalence::Coherence), ["-DNUM=2", "-DNUM=4"], [140, 19_605], (7_964, 4_000)),
    row("sigma", CO, ["-DN=4", "-DN=6"], [105, 10_395], (5_529, 3_000)),
    row("treiber", CO, ["-DN=2", "-DN=3"], [22, 4_812], (86_379, 25_000)),
    row("lockinc", CO, ["-DN=4", "-DN=6"], [24, 720], (68_802, 25_000)),
    row("ticketlock", CO, ["-DN=4", "-DN=5"], [24, 120], (215_548, 30_000)),
    row("indexer", CO, ["-DN=12", "-DN=13"], [8, 64], (1_036_649, 300_000)),
    row(
        "stack_true",
        (Model::Ra, Equivalence::ReadsFrom),
        ["-DSIZE=4", "-DSIZE=6"],
        [70, 924],
        (202_969, 60_000),
    ),
];

/// Count for all rows; an error if one takes more than it may.
pub fn run(options: &Options) -> io::Result<Vec<Measurement>> {
    let mut results = Vec::new();
    let mut slower = Vec::new();
    for row in ROWS {
        let name = format!("{} {}", row.file, row.sizes[1].trim_start_matches("-D"));
        if !options.wants(&format!("instructions c {name}")) {
            continue;
        }
        let [small, large] = [count(row, 0)?, count(row, 1)?];
        let each = (large - small) as f64 / (row.executions[1] - row.executions[0]) as f64;
        let change = each / row.recorded as f64;
        let model = row.model.name();
        println!(
            "instructions c {name}, {model}: {each:.0} per execution, {change:.2} of what was recorded, goal {}",
            row.goal
        );
        if change > TOLERANCE {
            slower.push(format!("{name} ({model}) takes {each:.0} for each execution, not {}", row.recorded));
        }
        results.push(Measurement {
            section: "instructions",
            program: format!("c {name}"),
            setting: model.to_owned(),
            measure: "instructions_per_execution",
            value: each.round(),
        });
    }
    if slower.is_empty() { Ok(results) } else { Err(io::Error::other(slower.join("; "))) }
}

/// The instructions of a whole check.
fn count(row: &Row, size: usize) -> io::Result<i64> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c/families").join(row.file);
    let equivalence = match row.equivalence {
        Equivalence::ReadsFrom => "rf",
        Equivalence::Coherence => "co",
    };
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(against::command()?)
        .args(["check", "--json", "--no-cache", "--model", row.model.name(), "--equivalence", equivalence])
        .args(["--locks", "ordered", "--races", "ignore", "--reductions", "none"])
        .arg(file.with_extension("c"))
        .args(["--", row.sizes[size]])
        .output()?;
    let (result, report) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let name = format!("{} {}", row.file, row.sizes[size]);
    let wanted = format!("\"executions\":{},", row.executions[size]);
    if !output.status.success() || !result.contains(&wanted) {
        let why = if result.is_empty() { report.trim() } else { result.trim() };
        return Err(io::Error::other(format!("{name} has not {} executions: {why}", row.executions[size])));
    }
    let collected = report.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    collected.ok_or_else(|| io::Error::other(format!("valgrind did not count {name}: {}", report.trim())))
}
