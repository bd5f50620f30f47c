//! What a second worker brings: time on the wall with one and with two.

use raveler_core::{Equivalence, Model, Settings};

use super::Options;
use super::clock::{median, timed};
use super::record::Measurement;
use crate::expect::Setting;
use crate::run::Prepared;

const PROGRAMS: [(&str, &str, Equivalence, u64); 2] = [
    ("fib", "NUM=5", Equivalence::ReadsFrom, 525_630),
    ("peterson", "R=2 LB=6", Equivalence::Coherence, 609_560),
];

/// Measure both programs under ra.
pub fn run(options: &Options) -> Vec<Measurement> {
    let mut results = Vec::new();
    for (program, parameters, equivalence, expected) in PROGRAMS {
        let name = format!("{program} {parameters}");
        if !options.wants(&format!("workers {name}")) {
            continue;
        }
        let setting = Setting::ordered(Model::Ra, equivalence);
        let prepared = Prepared::find(program, parameters);
        let mut measure = |workers: usize| {
            let time = median(options.repetitions, || {
                let settings = Settings { workers, ..setting.settings() };
                let (outcome, time) = timed(|| prepared.search(&settings));
                assert_eq!(outcome.counts.executions, expected, "{name}, {setting}, {workers} workers");
                time
            });
            let (wall, cpu) = (time.wall.as_secs_f64(), time.cpu.as_secs_f64());
            results.extend([("wall_s", wall), ("cpu_s", cpu)].map(|(measure, value)| Measurement {
                section: "workers",
                program: name.clone(),
                setting: format!("{setting}, {workers} workers"),
                measure,
                value,
            }));
            (wall, cpu)
        };
        let ((one, _), (two, cpu)) = (measure(1), measure(2));
        // With less than two cores' worth of CPU the machine was busy, and the comparison says nothing.
        println!(
            "workers {name}, {setting}: {one:.3} s with one, {two:.3} s with two on {:.2} cores, {:.2} times as fast",
            cpu / two,
            one / two
        );
    }
    results
}
