//! Compares the families with a table of expected numbers: program, parameters, model, equivalence, executions.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fmt, io};

use raveler_core::{Equivalence, Locks, Model};

use crate::expect::Setting;
use crate::families;
use crate::run::count;
use crate::table::{Row, Table};

/// A row whose number did not come out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The program with its parameters.
    pub program: String,
    /// How it was run.
    pub setting: Setting,
    /// The number in the table.
    pub expected: u64,
    /// What came out, or why nothing did.
    pub got: Result<u64, String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}: expected {}, ", self.program, self.setting, self.expected)?;
        match &self.got {
            Ok(executions) => write!(f, "got {executions}"),
            Err(message) => write!(f, "but {message}"),
        }
    }
}

/// What a comparison saw.
#[derive(Debug, Default)]
pub struct Report {
    /// Rows whose number came out.
    pub equal: usize,
    /// Rows whose number did not.
    pub differences: Vec<Difference>,
    /// Rows that were not run, by reason.
    pub skipped: BTreeMap<String, usize>,
}

/// Run every row of the table that has at most `cap` executions; `seen` is told of each before it runs.
pub fn compare(path: &Path, cap: u64, mut seen: impl FnMut(&str)) -> io::Result<Report> {
    let table = Table::read(path)?;
    let mut report = Report::default();
    for row in table.rows() {
        match prepare(&row, cap) {
            Err(reason) => *report.skipped.entry(reason).or_default() += 1,
            Ok((setting, expected)) => {
                let program = format!("{} {}", row.get("program"), row.get("parameters"));
                seen(&format!("{program}, {setting}"));
                let subject = families::find(row.get("program"), row.get("parameters"));
                let got = count(subject.expect("prepare found it"), setting);
                if got == Ok(expected) {
                    report.equal += 1;
                } else {
                    report.differences.push(Difference { program, setting, expected, got });
                }
            }
        }
    }
    Ok(report)
}

/// How a row is run and what it must give, or why it is not run.
fn prepare(row: &Row, cap: u64) -> Result<(Setting, u64), String> {
    let model = Model::ALL.into_iter().find(|model| model.name() == row.get("model"));
    let model = model.ok_or_else(|| format!("the model {} is not there yet", row.get("model")))?;
    let equivalence = match row.get("equivalence") {
        "rf" => Equivalence::ReadsFrom,
        "co" => Equivalence::Coherence,
        other => return Err(format!("unknown equivalence {other}")),
    };
    if row.get("confidence") == "low" {
        return Err("the number could not be confirmed".to_owned());
    }
    let locks = match row.get("locks") {
        "aware" => Locks::Aware,
        _ => Locks::Ordered,
    };
    let expected = row.number("executions").ok_or("no number")?;
    if families::find(row.get("program"), row.get("parameters")).is_none() {
        return Err(format!("no program {}", row.get("program")));
    }
    if expected > cap {
        return Err(format!("more than {cap} executions"));
    }
    Ok((Setting { locks, ..Setting::ordered(model, equivalence) }, expected))
}
