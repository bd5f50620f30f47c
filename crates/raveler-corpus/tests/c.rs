//! Every C file of the corpus gives what is written in it. Without clang there is nothing to run.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use raveler_corpus::as_c::{self, Compared};
use raveler_corpus::c::{check, files, left_out};
use raveler_corpus::ways;

fn corpus(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c").join(folder)
}

/// What cannot be done yet, with the reason. A file that passes must leave the list.
const NOT_YET: &[&str] = &[];

/// Check all files under a folder, on all cores.
fn check_all(folder: &str) {
    if !raveler_c::clang::is_there() {
        println!("no clang on the PATH: {folder} was not run");
        return;
    }
    let files = files(&corpus(folder)).expect("the corpus is there");
    assert!(!files.is_empty(), "{folder} has no files");
    let (next, complaints) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let checked = check(file, false).expect("the file can be read");
                    let mut all = complaints.lock().expect("no other worker panicked");
                    if NOT_YET.iter().any(|name| file.ends_with(name)) {
                        if checked.problems.is_empty() {
                            all.push(format!("{} passes: take it off the list", file.display()));
                        }
                        continue;
                    }
                    all.extend(
                        checked.problems.iter().map(|problem| format!("{}:{problem}", file.display())),
                    );
                }
            });
        }
    });
    let complaints = complaints.into_inner().expect("no worker panicked");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn families_give_their_numbers() {
    check_all("families");
}

#[test]
fn memory_and_addresses_are_as_they_should_be() {
    check_all("memory");
}

#[test]
fn waiting_loops_give_their_numbers() {
    check_all("waits");
}

#[test]
fn bugs_of_data_structures_are_found_where_they_are() {
    check_all("structures");
}

#[test]
fn programs_with_locks_give_their_numbers() {
    check_all("locks");
}

#[test]
fn functions_of_libraries_do_what_they_should() {
    check_all("library");
}

#[test]
fn programs_of_cpp_give_their_numbers() {
    check_all("cpp");
}

#[test]
fn the_harness_of_the_tutorial_gives_its_verdicts() {
    check_all("tutorial");
}

#[test]
fn packaged_libraries_give_their_verdicts() {
    for (file, header) in left_out(&corpus("packages")).expect("the corpus is there") {
        println!("{}: left out, there is no <{header}>", file.display());
    }
    if !files(&corpus("packages")).expect("the corpus is there").is_empty() {
        check_all("packages");
    }
}

#[test]
fn wrong_programs_are_refused_or_reported() {
    check_all("broken");
}

#[test]
fn litmus_tests_and_their_c_versions_agree() {
    if !raveler_c::clang::is_there() {
        println!("no clang on the PATH: nothing was compared");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/litmus/shapes");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    let (next, complaints) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let compared = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let text = fs::read_to_string(file).expect("readable");
                    match as_c::compare(&file.to_string_lossy(), &text) {
                        Compared::Same(_) => {
                            compared.fetch_add(1, Ordering::Relaxed);
                        }
                        Compared::Skipped => {}
                        Compared::Different(message) => complaints
                            .lock()
                            .expect("no other worker panicked")
                            .push(format!("{}: {message}", file.display())),
                    }
                }
            });
        }
    });
    let complaints = complaints.into_inner().expect("no worker panicked");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    let compared = compared.into_inner();
    assert!(compared > 200, "only {compared} tests were compared");
}

#[test]
fn equivalences_and_workers_agree() {
    if !raveler_c::clang::is_there() {
        println!("no clang on the PATH: nothing was compared");
        return;
    }
    let folders = ["families", "waits", "structures", "locks", "cpp"];
    let files: Vec<PathBuf> =
        folders.iter().flat_map(|folder| files(&corpus(folder)).expect("the corpus is there")).collect();
    let mut compared = 0;
    for file in files.iter().filter(|file| !NOT_YET.iter().any(|name| file.ends_with(name))) {
        match ways::compare(file) {
            Ok(searches) => compared += searches,
            Err(message) => panic!("{}: {message}", file.display()),
        }
    }
    assert!(compared > 100, "only {compared} searches were compared");
}

#[test]
fn programs_of_the_language_give_their_numbers() {
    check_all("lang");
}
