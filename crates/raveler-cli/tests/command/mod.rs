//! Runs the command as a user does.
#![allow(dead_code, reason = "each test file uses some of it")]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What a run said.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

pub fn raveler(arguments: &[&str]) -> Ran {
    raveler_with(arguments, "")
}

/// With something on standard input.
pub fn raveler_with(arguments: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_raveler"))
        .env("RAVELER_NO_CACHE", "1")
        .args(arguments)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    // A command that does not read its input may close it first.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints text");
    Ran {
        code: output.status.code().expect("it is not killed"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// The JSON result of a check, which obeys the schema.
pub fn json(ran: &Ran) -> Value {
    assert_eq!(ran.stdout.lines().count(), 1, "nothing else on standard output: {}", ran.stdout);
    assert_eq!(ran.stderr, "");
    let value: Value = serde_json::from_str(&ran.stdout).expect("one JSON object");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../raveler-report/schema/result-1.schema.json");
    let schema = std::fs::read_to_string(path).expect("the schema is there");
    let schema = serde_json::from_str(&schema).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    assert!(validator.is_valid(&value), "{value}");
    value
}

/// C programs need it.
pub fn has_clang() -> bool {
    Command::new("clang").arg("--version").output().is_ok()
}

/// A file in a folder of its own, which is removed at the end.
pub struct TestFile {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl TestFile {
    pub fn path(&self) -> &str {
        self.path.to_str().expect("the path is text")
    }

    pub fn folder(&self) -> &str {
        self.path.parent().and_then(|p| p.to_str()).expect("the path is text")
    }
}

pub fn file(name: &str, text: &str) -> TestFile {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("it can be written");
    TestFile { _folder: folder, path }
}

/// That nothing was checked: exit code 2, with this code and these words.
pub fn refused(ran: &Ran, code: &str, words: &str) {
    assert_eq!(ran.code, 2, "{ran:#?}");
    assert!(ran.stderr.contains(code), "{code} is missing: {}", ran.stderr);
    assert!(ran.stderr.contains(words), "`{words}` is missing: {}", ran.stderr);
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
}

/// Store buffering.
pub const SB: &str = "C SB
{ [x]=0; [y]=0; }
P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(y, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (0:r0=0 /\\ 1:r0=0)
";
