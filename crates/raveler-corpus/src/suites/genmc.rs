//! GenMC's own tests: `tests/correct` with numbers of executions under RC11 that count the order of writes, and
//! `tests/wrong`, each of which has a mistake. What GenMC calls RC11 has the release sequences of C++20, as `rc20`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Expected, Task, sources, words};

/// Folders of `tests/wrong` that are about files that survive a crash, about the kernel's own model, and one that the suite
/// itself does not run.
const OTHER_THINGS: [&str; 3] = ["fs", "lkmm", "saver"];

/// The programs of a checkout.
pub(super) fn tasks(checkout: &Path) -> io::Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for test in tests(&checkout.join("tests/correct"))? {
        let mut numbers = lines(&test.folder.join("expected.rc11.mo.in"))?;
        let arguments = lines(&test.folder.join("args.rc11.mo.in"))?;
        // Without arguments the suite makes one run, whatever numbers there are.
        numbers.truncate(arguments.len().max(1));
        for (index, number) in numbers.iter().enumerate() {
            let (options, flags) = translate(checkout, arguments.get(index).map_or("", String::as_str));
            let Ok(number) = number.trim().parse() else { continue };
            // The orders of critical sections count, too, but where GenMC is told to leave them open.
            let locks = if test.kind == "lapor" { "aware" } else { "ordered" };
            let ways = words(&["--model", "rc20", "--equivalence", "co", "--locks", locks]);
            for file in sources(&test.folder.join("variants"))? {
                tasks.push(Task {
                    row: format!("GenMC: correct/{}", test.kind),
                    file,
                    options: [ways.clone(), options.clone()].concat(),
                    flags: flags.clone(),
                    expected: Expected::Executions(number),
                });
            }
        }
    }
    for test in tests(&checkout.join("tests/wrong"))? {
        if !OTHER_THINGS.contains(&test.kind.as_str()) {
            let arguments = lines(&test.folder.join("args.rc11.wb.in"))?;
            let (_, flags) = translate(checkout, arguments.first().map_or("", String::as_str));
            for file in sources(&test.folder.join("variants"))? {
                let mut options = words(&["--model", "rc11"]);
                if let Some(rounds) = lines(&test.folder.join("unroll.in"))?.first() {
                    options.extend(words(&["--unroll", rounds.trim()]));
                }
                tasks.push(Task {
                    row: format!("GenMC: wrong/{}", test.kind),
                    file,
                    options,
                    flags: flags.clone(),
                    expected: Expected::Wrong,
                });
            }
        }
    }
    Ok(tasks)
}

/// A folder with a program in one or several variants.
struct Test {
    kind: String,
    folder: PathBuf,
}

/// The tests of a folder, by kind.
fn tests(folder: &Path) -> io::Result<Vec<Test>> {
    let mut tests = Vec::new();
    for kind in fs::read_dir(folder)? {
        let kind = kind?;
        for entry in fs::read_dir(kind.path())? {
            let folder = entry?.path();
            if folder.is_dir() {
                tests.push(Test { kind: kind.file_name().to_string_lossy().into_owned(), folder });
            }
        }
    }
    tests.sort_by(|a, b| a.folder.cmp(&b.folder));
    Ok(tests)
}

/// The lines of a file; none if there is no such file.
fn lines(file: &Path) -> io::Result<Vec<String>> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// A line of arguments: those of GenMC that mean something here, and behind a `|` those of clang. GenMC looks for waits
/// that never end only where it is told to.
fn translate(checkout: &Path, line: &str) -> (Vec<String>, Vec<String>) {
    let (own, flags) = line.split_once('|').unwrap_or((line, line));
    let mut options = Vec::new();
    // A bound that leaves out some functions is for all loops here; the suite leaves out all that have some.
    let bounded = !own.contains("-no-unroll");
    if !own.contains("-check-liveness") {
        options.extend(words(&["--check-liveness", "off"]));
    }
    for word in own.split_whitespace() {
        if let Some(rounds) = word.trim_start_matches('-').strip_prefix("unroll=").filter(|_| bounded) {
            options.extend(words(&["--unroll", rounds]));
        } else if word.ends_with("-disable-race-detection") {
            options.extend(words(&["--races", "ignore"]));
        }
    }
    let flag = |flag: &str| match flag.strip_prefix("-I") {
        Some(folder) => Some(format!("-I{}", checkout.join(folder).display())),
        None => flag.starts_with("-D").then(|| flag.to_string()),
    };
    (options, flags.split_whitespace().filter_map(flag).collect())
}

#[cfg(test)]
mod tests_of_arguments {
    use super::*;

    #[test]
    fn arguments_are_translated() {
        let checkout = Path::new("there");
        let (options, flags) =
            translate(checkout, "-unroll=3 -disable-ipr -disable-race-detection | -DN=2 -Ilib");
        assert_eq!(options.join(" "), "--check-liveness off --unroll 3 --races ignore");
        assert_eq!(flags, ["-DN=2", "-Ithere/lib"]);
        assert_eq!(translate(checkout, "-DN=4").1, ["-DN=4"]);
        assert_eq!(translate(checkout, "-unroll=2 -no-unroll=main |").0.join(" "), "--check-liveness off");
    }
}
