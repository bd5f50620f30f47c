//! Runs of the interleaving engine and random walks of both engines per CPU second, and what a bound on store buffers costs.

use raveler_core::settings::RandomWalks;
use raveler_core::{Engine, Equivalence, Model, Settings};

use super::Options;
use super::clock::{median, per_second, timed};
use super::record::Measurement;
use crate::expect::Setting;
use crate::run::Prepared;

/// Programs whose runs are counted.
const RUNS: [(&str, &str); 2] = [("fib", "NUM=4"), ("peterson", "R=2 LB=2")];

/// rw(5) with so many writes beside it has executions of about 210 events.
const LONG: (&str, &str) = ("scaling", "N=5 K=37");

const WALKS: u64 = 5_000;

/// Measure all of them.
pub fn run(options: &Options) -> Vec<Measurement> {
    let mut results = Vec::new();
    for (program, parameters) in RUNS {
        let name = format!("{program} {parameters}");
        if options.wants(&format!("runs {name}")) {
            let settings = Settings { engine: Engine::Interleaving, ..settings(Model::Tso) };
            results.extend(speed(options, &Prepared::find(program, parameters), (&name, "runs"), settings));
        }
    }
    let walks = RandomWalks { seed: 1, walks: WALKS, depth: None };
    for (engine, models) in
        [(Engine::Graph, &Model::CAUSAL[..]), (Engine::Interleaving, &[Model::Sc, Model::Tso, Model::Pso])]
    {
        for &model in models {
            let name = format!("{} {}", LONG.0, LONG.1);
            if options.wants(&format!("walks {name}")) {
                let settings = Settings { engine, random: Some(walks), ..settings(model) };
                results.extend(speed(options, &Prepared::find(LONG.0, LONG.1), (&name, "walks"), settings));
            }
        }
    }
    for model in [Model::Tso, Model::Pso] {
        if options.wants("buffer-bound fib NUM=4") {
            results.extend(bounded(options, model));
        }
    }
    results
}

fn settings(model: Model) -> Settings {
    Setting::ordered(model, Equivalence::ReadsFrom).settings()
}

fn speed(
    options: &Options,
    program: &Prepared,
    (name, what): (&str, &'static str),
    settings: Settings,
) -> Vec<Measurement> {
    let mut made = 0;
    let time = median(options.repetitions, || {
        let (outcome, time) = timed(|| program.search(&settings));
        let counts = outcome.counts;
        made = if settings.random.is_some() { outcome.walks } else { counts.executions + counts.redundant };
        time
    });
    let engine = if settings.engine == Engine::Graph { "graph" } else { "interleaving" };
    let (setting, speed) = (format!("{} {engine}", settings.model.name()), per_second(made, time.cpu));
    println!("{what} {name:<20} {setting:<18} {made:>8} {speed:>10.0} per CPU second");
    vec![Measurement {
        section: what,
        program: name.to_owned(),
        setting,
        measure: "per_cpu_s",
        value: speed.round(),
    }]
}

/// What a bound that is never met costs the graph engine.
fn bounded(options: &Options, model: Model) -> Vec<Measurement> {
    let program = Prepared::find("fib", "NUM=4");
    let time = |buffer_bound| {
        let settings = Settings { buffer_bound, ..settings(model) };
        median(options.repetitions, || timed(|| program.search(&settings)).1).cpu.as_secs_f64()
    };
    let ratio = (time(Some(100)) / time(None) * 100.0).round() / 100.0;
    println!("buffer-bound fib NUM=4, {}: {ratio:.2} times the time without a bound", model.name());
    vec![Measurement {
        section: "buffer-bound",
        program: "fib NUM=4".to_owned(),
        setting: model.name().to_owned(),
        measure: "ratio",
        value: ratio,
    }]
}
