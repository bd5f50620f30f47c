//! Every file of the corpus gives the numbers written in it, and family files are what their families give.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use raveler_corpus::check::{check, litmus_files};
use raveler_corpus::generate::{family_files, header};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

/// Check all files under a folder, on all cores.
fn check_all(folder: &str) {
    let files = litmus_files(&corpus().join(folder)).expect("the corpus is there");
    assert!(!files.is_empty(), "{folder} has no files");
    let (next, complaints) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let problems = check(file).expect("the file can be read");
                    let mut all = complaints.lock().expect("no other worker panicked");
                    all.extend(problems.iter().map(|problem| format!("{}:{problem}", file.display())));
                }
            });
        }
    });
    let complaints = complaints.into_inner().expect("no worker panicked");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn shapes_give_their_numbers() {
    check_all("litmus/shapes");
}

#[test]
fn bounded_buffers_give_their_numbers() {
    check_all("litmus/buffers");
}

#[test]
fn families_give_their_numbers() {
    check_all("litmus/families");
}

#[test]
fn broken_files_are_refused_where_they_say() {
    check_all("litmus/broken");
}

#[test]
fn family_files_are_what_their_families_give() {
    let mut expected: Vec<PathBuf> = Vec::new();
    for file in family_files() {
        let path = corpus().join(&file.path);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(
            text,
            file.render(&header(&text)),
            "{}: `raveler-corpus generate` writes it again",
            path.display()
        );
        expected.push(path);
    }
    expected.sort();
    let there = litmus_files(&corpus().join("litmus/families")).expect("the corpus is there");
    assert_eq!(there, expected, "files that no family gives, or families without a file");
}
