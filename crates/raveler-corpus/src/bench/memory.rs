//! Does memory stay flat? Resident memory after more and more executions of a program that has 39,916,800.

use raveler_core::{Equivalence, Execution, Flow, Fork, Model, Observer, Program, Settings};

use super::Options;
use super::machine::resident_bytes;
use super::record::Measurement;
use crate::expect::Setting;
use crate::run::Prepared;

/// After how many executions to look.
const MARKS: [u64; 4] = [10_000, 100_000, 1_000_000, 10_000_000];

/// Notes the resident memory at each mark.
#[derive(Clone, Default)]
struct Gauge {
    seen: u64,
    notes: Vec<(u64, u64)>,
}

impl<P: Program> Observer<P> for Gauge {
    fn execution(&mut self, _execution: &Execution<'_, P>) -> Flow {
        self.seen += 1;
        if MARKS.contains(&self.seen) {
            self.notes.extend(resident_bytes().map(|bytes| (self.seen, bytes)));
        }
        Flow::Continue
    }
}

impl Fork for Gauge {
    fn fork(&self) -> Self {
        Gauge::default()
    }

    fn merge(&mut self, other: Self) {
        self.seen += other.seen;
    }
}

/// Measure ainc(11) under rc20 and both equivalences.
pub fn run(options: &Options) -> Vec<Measurement> {
    let mut results = Vec::new();
    for equivalence in [Equivalence::ReadsFrom, Equivalence::Coherence] {
        let setting = Setting::ordered(Model::Rc20, equivalence);
        if !options.wants(&format!("memory {setting}")) {
            continue;
        }
        let last = MARKS[MARKS.len() - 1];
        let settings = Settings { max_executions: Some(last), ..setting.settings() };
        let mut gauge = Gauge::default();
        let outcome = Prepared::find("ainc", "N=11").observe(&settings, &mut gauge);
        assert_eq!(outcome.counts.executions, last, "ainc N=11 has more executions than that");
        for (executions, bytes) in gauge.notes {
            println!(
                "memory ainc N=11, {setting}: {:.1} MiB after {executions} executions",
                bytes as f64 / 1_048_576.0
            );
            results.push(Measurement {
                section: "memory",
                program: "ainc N=11".to_owned(),
                setting: format!("{setting}, after {executions} executions"),
                measure: "resident_bytes",
                value: bytes as f64,
            });
        }
    }
    results
}
