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
        _ => {
            eprintln!("usage: raveler-corpus generate CORPUS");
            ExitCode::from(2)
        }
    }
}
