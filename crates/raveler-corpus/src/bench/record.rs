//! Results as a table, one measured number per line, in a file named after the day and the commit.

use std::io;
use std::path::{Path, PathBuf};
use std::{fmt::Write as _, fs};

use super::machine::Machine;

/// One measured number.
#[derive(Clone, PartialEq, Debug)]
pub struct Measurement {
    /// Which benchmark: `speed`, `scaling`, `workers`, `memory`, `instructions`, `against`.
    pub section: &'static str,
    /// The program and its size.
    pub program: String,
    /// How it was run: model, equivalence, and what else there is to say.
    pub setting: String,
    /// What was measured, with its unit.
    pub measure: &'static str,
    /// The number.
    pub value: f64,
}

/// The folder of results, beside the workspace's `benches/README.md`.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/results")
}

/// Add the results to the file of their day and commit; its name.
pub fn write(machine: &Machine, results: &[Measurement]) -> io::Result<PathBuf> {
    let folder = folder();
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{}-{}.tsv", machine.date, machine.commit.trim_end_matches('+')));
    let mut text = fs::read_to_string(&path).unwrap_or_default();
    text.push_str(&render(machine, results));
    fs::write(&path, text)?;
    Ok(path)
}

fn render(machine: &Machine, results: &[Measurement]) -> String {
    let Machine { processor, cores, rustc, commit, date } = machine;
    let mut text = format!(
        "# {date}, commit {commit}, {processor}, {cores} cores, {rustc}\nsection\tprogram\tsetting\tmeasure\tvalue\n"
    );
    for result in results {
        let Measurement { section, program, setting, measure, value } = result;
        writeln!(text, "{section}\t{program}\t{setting}\t{measure}\t{value}")
            .expect("writing to a string cannot fail");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_results_says_what_it_was_made_on() {
        let machine = Machine {
            processor: "a processor".into(),
            cores: 2,
            rustc: "rustc 1.95.0".into(),
            commit: "abc1234+".into(),
            date: "2026-11-15".into(),
        };
        let result = Measurement {
            section: "speed",
            program: "fib NUM=3".into(),
            setting: "sc rf".into(),
            measure: "executions_per_cpu_s",
            value: 1.5,
        };
        let text = render(&machine, &[result]);
        assert_eq!(
            text,
            "# 2026-11-15, commit abc1234+, a processor, 2 cores, rustc 1.95.0\n\
             section\tprogram\tsetting\tmeasure\tvalue\nspeed\tfib NUM=3\tsc rf\texecutions_per_cpu_s\t1.5\n"
        );
    }
}
