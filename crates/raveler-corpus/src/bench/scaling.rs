//! How the time of one execution grows with its events: rw(5) and more and more writes beside it.

use raveler_core::{Equivalence, Model};

use super::Options;
use super::clock::{median, timed};
use super::record::Measurement;
use crate::expect::Setting;
use crate::run::Prepared;

/// Writes of each of the five threads beside rw(5).
const STORES: [usize; 7] = [0, 2, 7, 17, 37, 67, 95];

/// Measure all models and sizes.
pub fn run(options: &Options) -> Vec<Measurement> {
    let mut results = Vec::new();
    for (equivalence, executions) in [(Equivalence::ReadsFrom, 1_296), (Equivalence::Coherence, 14_400)] {
        for model in Model::ALL {
            let setting = Setting { model, equivalence };
            if !options.wants(&format!("scaling {setting}")) {
                continue;
            }
            let mut line = String::new();
            for stores in STORES {
                let parameters = format!("K={stores}");
                let program = Prepared::find("scaling", &parameters);
                let mut events = 0;
                let time = median(options.repetitions, || {
                    let (outcome, time) = timed(|| program.search(&setting.settings()));
                    assert_eq!(outcome.counts.executions, executions, "scaling {parameters}, {setting}");
                    events = outcome.counts.max_events;
                    time
                });
                let microseconds = time.cpu.as_secs_f64() * 1e6 / executions as f64;
                line.push_str(&format!("  {events}: {microseconds:.1}"));
                results.push(Measurement {
                    section: "scaling",
                    program: format!("rw(5)+{stores}, {events} events"),
                    setting: setting.to_string(),
                    measure: "cpu_us_per_execution",
                    value: (microseconds * 1000.0).round() / 1000.0,
                });
            }
            println!("scaling {:<22} events: µs per execution{line}", setting.to_string());
        }
    }
    results
}
