//! Executions per CPU second, single worker, without start-up, beside GenMC's.

use raveler_core::Equivalence;

use super::Options;
use super::clock::{median, per_second, timed};
use super::peers::{BENCHMARKS, Benchmark};
use super::record::Measurement;
use crate::expect::Setting;
use crate::run::Prepared;

/// Measure all programs under both equivalences.
pub fn run(options: &Options) -> Vec<Measurement> {
    let mut results = Vec::new();
    for benchmark in BENCHMARKS {
        let co = benchmark.co.map(|count| (Equivalence::Coherence, count));
        for (equivalence, expected) in
            [Some((Equivalence::ReadsFrom, benchmark.rf)), co].into_iter().flatten()
        {
            let name = format!("{} {}", benchmark.program, benchmark.parameters);
            if options.wants(&format!("speed {name}")) {
                let setting = Setting::ordered(benchmark.model, equivalence);
                if results.is_empty() {
                    println!(
                        "{}",
                        line("program", "setting", ["executions", "cpu s", "per cpu s", "/GenMC"])
                    );
                }
                results.extend(measure(options, benchmark, &name, setting, expected));
            }
        }
    }
    results
}

fn measure(
    options: &Options,
    benchmark: &Benchmark,
    name: &str,
    setting: Setting,
    expected: u64,
) -> Vec<Measurement> {
    let program = Prepared::find(benchmark.program, benchmark.parameters);
    let time = median(options.repetitions, || {
        let (outcome, time) = timed(|| program.search(&setting.settings()));
        assert_eq!(outcome.counts.executions, expected, "{name}, {setting}");
        time
    });
    let speed = per_second(expected, time.cpu);
    // GenMC counts with coherence; where rf has fewer executions the figures do not compare.
    let peer = benchmark.genmc.filter(|_| benchmark.co == Some(expected));
    let ratio = peer.map(|peer| speed / peer as f64);
    let shown = ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"));
    let cpu = time.cpu.as_secs_f64();
    let numbers = [expected.to_string(), format!("{cpu:.3}"), format!("{speed:.0}"), shown];
    println!("{}", line(name, &setting.to_string(), numbers.each_ref().map(String::as_str)));
    let row = |measure, value| Measurement {
        section: "speed",
        program: name.to_owned(),
        setting: setting.to_string(),
        measure,
        value,
    };
    let mut rows = vec![
        row("executions", expected as f64),
        row("cpu_s", cpu),
        row("executions_per_cpu_s", speed.round()),
    ];
    rows.extend(ratio.map(|ratio| row("ratio_to_genmc_0.11", (ratio * 100.0).round() / 100.0)));
    rows
}

/// One line of the printed table.
fn line(program: &str, setting: &str, [executions, cpu, speed, ratio]: [&str; 4]) -> String {
    format!("{program:<34} {setting:<22} {executions:>10} {cpu:>9} {speed:>11} {ratio:>7}")
}
