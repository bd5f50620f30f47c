//! SV-COMP's folders of concurrent programs. Newer checkouts have the verdict in a `.yml` beside the program, older ones in
//! its name. The question is whether an error is reached, under SC, where nothing races.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Expected, Task, words};

/// The folders, wherever they lie in a checkout.
const FOLDERS: [&str; 7] =
    ["pthread", "pthread-atomic", "pthread-ext", "pthread-lit", "pthread-nondet", "pthread-wmm", "ldv-races"];

/// Of a folder with more programs than this one in so many is taken: `pthread-wmm` has 900 of one kind.
const LARGE: usize = 200;
const SAMPLE: usize = 30;

/// The programs of a checkout.
pub(super) fn tasks(checkout: &Path) -> io::Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for name in FOLDERS {
        for place in ["c", "benchmarks", "."] {
            let folder = checkout.join(place).join(name);
            if folder.is_dir() {
                let found = programs(&folder)?;
                let every = if found.len() > LARGE { SAMPLE } else { 1 };
                tasks.extend(found.into_iter().step_by(every).map(|(file, expected)| Task {
                    row: format!("SV-COMP: {name}"),
                    file,
                    options: words(&["--model", "sc", "--unroll", "auto", "--properties", "assertion"]),
                    flags: Vec::new(),
                    expected,
                }));
                break;
            }
        }
    }
    Ok(tasks)
}

/// The programs of a folder whose verdict is known. Of a program that is there as it was written and preprocessed the
/// preprocessed one counts, which needs no other system's headers.
fn programs(folder: &Path) -> io::Result<Vec<(PathBuf, Expected)>> {
    let mut files: Vec<PathBuf> =
        folder.read_dir()?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.sort();
    let mut programs = Vec::new();
    for file in &files {
        match file.extension().and_then(|suffix| suffix.to_str()) {
            Some("yml") => {
                let text = fs::read_to_string(file)?;
                if let (Some(input), Some(expected)) = (input(&text), verdict(&text)) {
                    programs.push((whole(folder.join(input))?, expected));
                }
            }
            Some("i" | "c") => {
                let is_second = file.extension().is_some_and(|suffix| suffix == "c")
                    && files.contains(&file.with_extension("i"));
                if let Some(expected) = named(file).filter(|_| !is_second) {
                    programs.push((file.clone(), expected));
                }
            }
            _ => {}
        }
    }
    Ok(programs)
}

/// The program as it was written, where the preprocessed one beside it lost what its headers say, as some mirrors have it.
fn whole(file: PathBuf) -> io::Result<PathBuf> {
    let written = file.with_extension("c");
    if !file.is_file() || !written.is_file() || written == file {
        return Ok(file);
    }
    let (text, source) = (fs::read(&file)?, fs::read(&written)?);
    let (text, source) = (String::from_utf8_lossy(&text), String::from_utf8_lossy(&source));
    let lost = source.contains("<pthread.h>") && !text.contains("int pthread_create");
    Ok(if lost { written } else { file })
}

/// The verdict that the name of a file has.
fn named(file: &Path) -> Option<Expected> {
    let name = file.file_name()?.to_str()?;
    if name.contains("_true-unreach-call") {
        Some(Expected::Right)
    } else if name.contains("_false-unreach-call") {
        Some(Expected::Assertion)
    } else {
        None
    }
}

/// The program that a `.yml` is about.
fn input(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("input_files:"))?;
    Some(line.trim().trim_matches(['\'', '"']).to_string())
}

/// Whether an error is reached, as a `.yml` says it.
fn verdict(text: &str) -> Option<Expected> {
    let mut lines = text.lines().skip_while(|line| !line.contains("unreach-call.prp")).skip(1);
    match lines.next()?.trim().strip_prefix("expected_verdict:")?.trim() {
        "true" => Some(Expected::Right),
        "false" => Some(Expected::Assertion),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read_from_descriptions_and_names() {
        let text = "input_files: 'a.i'\nproperties:\n  - property_file: ../properties/no-data-race.prp\n    \
                    expected_verdict: true\n  - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n";
        assert_eq!(input(text).as_deref(), Some("a.i"));
        assert_eq!(verdict(text), Some(Expected::Assertion));
        assert_eq!(
            verdict("  - property_file: ../properties/no-data-race.prp\n    expected_verdict: true\n"),
            None
        );
        assert_eq!(named(Path::new("a/b_true-unreach-call.i")), Some(Expected::Right));
    }
}
