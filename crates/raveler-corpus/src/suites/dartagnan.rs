//! Dartagnan's locks and lock-free structures, as LLVM IR, with the verdicts of its own tests: tables in Java.

use std::fs;
use std::io;
use std::path::Path;

use super::{Expected, Task, words};

/// The tests, the folder of their programs and the model that they are about.
const TESTS: [(&str, &str, &str); 5] = [
    ("RC11LocksTest", "locks", "rc11"),
    ("RC11LFDSTest", "lfds", "rc11"),
    ("RC11Test", "rc11", "rc11"),
    ("C11LocksTest", "locks", "rc20"),
    ("C11LFDSTest", "lfds", "rc20"),
];

/// The programs of a checkout. These tests look for failed assertions only.
pub(super) fn tasks(checkout: &Path) -> io::Result<Vec<Task>> {
    let tests = checkout.join("dartagnan/src/test");
    let mut tasks = Vec::new();
    for (test, folder, model) in TESTS {
        let table = tests.join("java/com/dat3m/dartagnan/llvm").join(test).with_extension("java");
        // How many rounds of each loop the suite itself looks at.
        let bound = if folder == "lfds" { "2" } else { "1" };
        for (name, expected) in rows(&fs::read_to_string(table)?) {
            let mut options = words(&["--model", model, "--properties", "assertion", "--races", "ignore"]);
            match expected {
                Expected::Assertion => options.extend(words(&["--unroll", "auto"])),
                Expected::NoneFound => options.extend(words(&["--unroll", bound])),
                _ => {}
            }
            tasks.push(Task {
                row: format!("Dartagnan: {folder}, {model}"),
                file: tests.join("resources").join(folder).join(format!("{name}.ll")),
                options,
                flags: Vec::new(),
                expected,
            });
        }
    }
    Ok(tasks)
}

/// Names and verdicts of a table. Lines that are comments are no rows.
fn rows(text: &str) -> Vec<(String, Expected)> {
    let row = |line: &str| {
        let mut cells =
            line.trim().strip_prefix("{\"")?.split(',').map(|cell| cell.trim().trim_matches(['"', '}']));
        let name = cells.next()?.to_string();
        let expected = match cells.find(|cell| ["PASS", "FAIL", "UNKNOWN"].contains(cell))? {
            "PASS" => Expected::Right,
            "FAIL" => Expected::Assertion,
            _ => Expected::NoneFound,
        };
        Some((name, expected))
    };
    text.lines().filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read() {
        let text = "  {\"ttas\", C11, UNKNOWN},\n  // {\"old\", C11, PASS},\n  {\"ttas-acq2rx\", C11, FAIL},\n  {\"ms\", C11, PASS}\n";
        let read = rows(text);
        let names: Vec<_> = read.iter().map(|(name, expected)| (name.as_str(), *expected)).collect();
        let expected =
            [("ttas", Expected::NoneFound), ("ttas-acq2rx", Expected::Assertion), ("ms", Expected::Right)];
        assert_eq!(names, expected);
    }
}
