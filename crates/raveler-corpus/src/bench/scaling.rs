//! How the time of one execution grows with its events: rw(N) and more and more writes beside it.

use raveler_core::{Equivalence, Model};

use super::Options;
use super::clock::{median, timed};
use super::record::Measurement;
use crate::expect::Setting;
use crate::run::Prepared;

/// What is measured under one equivalence: rw of this many threads, its executions, and the writes of each thread
/// beside it, so that executions have about 25, 35, 60, 110, 210, 360 and 500 events.
struct Series {
    equivalence: Equivalence,
    threads: usize,
    executions: u64,
    stores: [usize; 7],
}

const SERIES: [Series; 2] = [
    Series {
        equivalence: Equivalence::ReadsFrom,
        threads: 5,
        executions: 1_296,
        stores: [0, 2, 7, 17, 37, 67, 95],
    },
    Series {
        equivalence: Equivalence::Coherence,
        threads: 4,
        executions: 576,
        stores: [1, 4, 10, 22, 47, 85, 120],
    },
];

/// Measure all models and sizes.
pub fn run(options: &Options) -> Vec<Measurement> {
    let mut results = Vec::new();
    for series in &SERIES {
        for model in Model::CAUSAL {
            let setting = Setting::ordered(model, series.equivalence);
            if options.wants(&format!("scaling {setting}")) {
                results.extend(measure(options, series, setting));
            }
        }
    }
    results
}

fn measure(options: &Options, series: &Series, setting: Setting) -> Vec<Measurement> {
    let Series { threads, executions, stores, .. } = series;
    print!("scaling {:<22} µs per execution with this many events:", setting.to_string());
    let mut results = Vec::new();
    for writes in stores {
        let parameters = format!("N={threads} K={writes}");
        let program = Prepared::find("scaling", &parameters);
        let mut events = 0;
        let time = median(options.repetitions, || {
            let (outcome, time) = timed(|| program.search(&setting.settings()));
            assert_eq!(outcome.counts.executions, *executions, "scaling {parameters}, {setting}");
            events = outcome.counts.max_events;
            time
        });
        let microseconds = time.cpu.as_secs_f64() * 1e6 / *executions as f64;
        print!("  {microseconds:.1} ({events})");
        results.push(Measurement {
            section: "scaling",
            program: format!("rw({threads})+{writes}, {events} events"),
            setting: setting.to_string(),
            measure: "cpu_us_per_execution",
            value: (microseconds * 1000.0).round() / 1000.0,
        });
    }
    println!();
    results
}
