//! libvsync: locks, queues, `once` and mutexes, which all verify as they are.

use std::io;
use std::path::{Path, PathBuf};

use super::{Expected, Task, sources, words};

/// Programs that are whole by themselves, with the row that they count in.
const WHOLE: [(&str, &str); 6] = [
    ("test/spinlock", "libvsync: locks"),
    ("test/queue", "libvsync: queues"),
    ("verify/bbq", "libvsync: queues"),
    ("verify/cachedq", "libvsync: queues"),
    ("verify/chaselev", "libvsync: queues"),
    ("verify/thread", "libvsync: once, mutexes, condition variables"),
];

/// The program of a folder that is compiled with each of its test cases, for each of these structures.
const BY_CASE: (&str, [&str; 3]) =
    ("verify/unbounded_queue", ["VQUEUE_UB_LF_RECYCLE", "VQUEUE_UB_TOTAL", "VQUEUE_UB_LF"]);

/// The programs of a checkout, with the flags of its own checks.
pub(super) fn tasks(checkout: &Path) -> io::Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for (folder, row) in WHOLE {
        for file in sources(&checkout.join(folder))? {
            let mut options = words(&["--model", "rc11"]);
            // The suite checks these under IMM only, which has no data races.
            if folder == "test/queue" {
                options.extend(words(&["--races", "ignore"]));
            }
            // Its array of places has to be as long as the suite's own check has it.
            let own = if file.ends_with("arraylock.c") { words(&["-DARRAY_LOCK_LEN=4"]) } else { Vec::new() };
            tasks.push(task(checkout, row, file, options, own));
        }
    }
    let (folder, structures) = BY_CASE;
    let folder = checkout.join(folder);
    for case in cases(&folder)? {
        for structure in structures {
            let own = vec![
                format!("-D{structure}"),
                format!("-DTEST_CASE=\"{}\"", case.display()),
                "-DSMR_MAX_NTHREADS=4".to_string(),
            ];
            tasks.push(task(
                checkout,
                "libvsync: queues",
                folder.join("verify.c"),
                words(&["--model", "rc11"]),
                own,
            ));
        }
    }
    Ok(tasks)
}

/// The headers that are test cases.
fn cases(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut cases = Vec::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.extension().is_some_and(|suffix| suffix == "h") {
            cases.push(path.canonicalize()?);
        }
    }
    cases.sort();
    Ok(cases)
}

fn task(checkout: &Path, row: &str, file: PathBuf, options: Vec<String>, own: Vec<String>) -> Task {
    let mut flags: Vec<String> = ["include", "vatomic/include", "test/include", "verify/include"]
        .map(|folder| format!("-I{}", checkout.join(folder).display()))
        .to_vec();
    flags.extend(words(&[
        "-DVSYNC_VERIFICATION",
        "-DVSYNC_VERIFICATION_QUICK",
        "-DVSYNC_VERIFICATION_GENMC",
        "-DVSYNC_VERIFICATION_RC11",
        "-DDEFAULT_SMR_EBR",
    ]));
    flags.extend(own);
    let row = row.to_string();
    Task { row, file, options, flags, expected: Expected::Right }
}
