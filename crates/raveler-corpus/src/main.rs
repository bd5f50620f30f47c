//! The command line of the corpus runner.

use std::path::Path;
use std::process::ExitCode;

use raveler_corpus::generate;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["generate", folder] => match generate::generate(Path::new(folder)) {
            Ok(written) => {
                println!("{written} files written");
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("{folder}: {error}");
                ExitCode::from(2)
            }
        },
        ["counts", table, cap] => {
            let cap = cap.parse().unwrap_or(1000);
            let report = raveler_corpus::counts::compare(Path::new(table), cap, |s| eprintln!("{:?} {s}", std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map(|d|d.as_millis()).unwrap_or(0))).expect("x");
            for d in &report.differences {
                println!("{d}");
            }
            println!("{} equal {:#?}", report.equal, report.skipped);
            ExitCode::SUCCESS
        }
        ["once", program, parameters, model, equivalence] => {
            let setting = raveler_corpus::expect::Setting {
                model: raveler_core::Model::ALL.into_iter().find(|m| m.name() == *model).expect("model"),
                equivalence: if *equivalence == "co" { raveler_core::Equivalence::Coherence } else { raveler_core::Equivalence::ReadsFrom },
            };
            let t = std::time::Instant::now();
            let o = raveler_corpus::run::Prepared::find(program, parameters).search(&setting.settings());
            println!("{:?} {:?} {:?} {:?}", o.counts, o.stopped, o.violations.iter().map(|v| v.kind.name()).collect::<Vec<_>>(), t.elapsed());
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("usage: raveler-corpus generate CORPUS");
            ExitCode::from(2)
        }
    }
}
