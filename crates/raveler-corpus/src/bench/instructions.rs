//! Instructions per execution, counted by callgrind: the difference of two sizes of a program divided by the
//! difference of their executions, so that start-up falls out. Stable where times are not.

use std::io;
use std::process::Command;

use raveler_core::{Equivalence, Model};

use super::Options;
use super::record::Measurement;
use crate::expect::Setting;

/// A program, two sizes with their executions, and GenMC 0.11's instructions per execution
/// (benches/README.md, "The figures of GenMC").
type Pair = (&'static str, Model, Equivalence, [(&'static str, u64); 2], Option<u64>);

const PAIRS: [Pair; 6] = [
    ("fib", Model::Rc20, Equivalence::Coherence, [("NUM=2", 153), ("NUM=4", 34_205)], Some(47_400)),
    ("fib", Model::Sc, Equivalence::ReadsFrom, [("NUM=2", 140), ("NUM=3", 1_698)], None),
    ("casw", Model::Rc20, Equivalence::Coherence, [("N=3", 66), ("N=4", 1_200)], Some(45_300)),
    ("casw", Model::Rc20, Equivalence::ReadsFrom, [("N=3", 24), ("N=4", 200)], None),
    ("ainc", Model::Rc20, Equivalence::Coherence, [("N=4", 24), ("N=6", 720)], Some(214_000)),
    ("lockinc", Model::Rc20, Equivalence::Coherence, [("N=4", 24), ("N=6", 720)], Some(418_000)),
];

/// Count for all pairs.
pub fn run(options: &Options) -> io::Result<Vec<Measurement>> {
    let mut results = Vec::new();
    for (program, model, equivalence, [small, large], genmc) in PAIRS {
        let setting = Setting::ordered(model, equivalence);
        let name = format!("{program} {} - {}", large.0, small.0);
        if !options.wants(&format!("instructions {name}")) {
            continue;
        }
        let difference = count(program, large.0, setting)? - count(program, small.0, setting)?;
        let each = difference as f64 / (large.1 - small.1) as f64;
        let beside = genmc
            .map_or(String::new(), |genmc| format!(", GenMC {genmc}, {:.2} of that", each / genmc as f64));
        println!("instructions {name}, {setting}: {each:.0} per execution{beside}");
        results.push(Measurement {
            section: "instructions",
            program: name,
            setting: setting.to_string(),
            measure: "instructions_per_execution",
            value: each.round(),
        });
    }
    Ok(results)
}

/// The instructions of a whole run of this program in a process of its own.
fn count(program: &str, parameters: &str, setting: Setting) -> io::Result<i64> {
    let equivalence = match setting.equivalence {
        Equivalence::ReadsFrom => "rf",
        Equivalence::Coherence => "co",
    };
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["once", program, parameters, setting.model.name(), equivalence])
        .output()?;
    let report = String::from_utf8_lossy(&output.stderr);
    let collected = report.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    collected.filter(|_| output.status.success()).ok_or_else(|| {
        io::Error::other(format!("valgrind did not count {program} {parameters}: {}", report.trim()))
    })
}
