//! `--replay`: tokens of executions, as a user gives them.

mod command;

use std::path::{Path, PathBuf};

use command::{SB, file, has_clang, json, raveler, refused};
use serde_json::Value;

/// Replay a token: the same report.
fn same(path: &str, flags: &[&str], told: &Value, code: i32, what: &str) {
    let Some(token) = told["replay"].as_str() else { panic!("{what}: no token") };
    let options = ["check", path, "--replay", token, "--json"];
    let flags = if flags.is_empty() { Vec::new() } else { [&["--"], flags].concat() };
    let ran = raveler(&[&options[..], &flags].concat());
    assert_eq!(ran.code, code, "{what}: {ran:?}");
    let value = json(&ran);
    assert_eq!(value["replayed"], true, "{what}");
    match told.get("kind") {
        // The token, too: what is replayed can be replayed.
        Some(_) => assert_eq!(value["violations"], serde_json::json!([told]), "{what}"),
        None => assert_eq!(value["litmus"]["replay"], told["replay"], "{what}"),
    }
}

/// Replay all that a check shows. How many tokens there were.
fn replay_all(path: &str, options: &[&str], flags: &[&str]) -> usize {
    let what = format!("{path} {options:?} {flags:?}");
    let after = if flags.is_empty() { Vec::new() } else { [&["--"], flags].concat() };
    let all: &[&str] = if options.contains(&"--all") { &[] } else { &["--all"] };
    let ran = raveler(&[&["check", path, "--json"], all, options, &after].concat());
    if ran.code == 2 {
        // With `--all` executions are met that may do what is not supported: then there is nothing to replay.
        assert!(ran.stdout.contains("E0005"), "{what}: {ran:?}");
        return 0;
    }
    let value = json(&ran);
    let violations = value["violations"].as_array().cloned().unwrap_or_default();
    for violation in &violations {
        same(path, flags, violation, ran.code, &what);
    }
    let shown = value["litmus"].get("replay").is_some();
    if shown {
        same(path, flags, &value["litmus"], ran.code, &what);
    }
    violations.len() + usize::from(shown)
}

#[test]
fn a_litmus_witness_is_replayed() {
    let sb = file("sb.litmus", SB);
    let ran = raveler(&["check", sb.path(), "--model", "tso"]);
    let line = ran.stdout.lines().find(|line| line.contains("= replay: ")).expect("there is a token");
    let (_, command) = line.split_once("raveler ").expect("it is a command");
    let again = raveler(&command.split(' ').collect::<Vec<_>>());
    assert_eq!((ran.code, again.code), (0, 0), "{again:?}");
    assert!(again.stdout.contains("one execution, replayed from its token"), "{}", again.stdout);
    let story =
        |text: &str| text.split_once("an execution that ends with").map(|(_, story)| story.to_string());
    assert_eq!(story(&ran.stdout), story(&again.stdout));
    let refuted = SB.replace("exists", "~exists");
    let refuted = file("sb.litmus", &refuted);
    assert_eq!(replay_all(refuted.path(), &["--model", "tso"], &[]), 1);
    let forall = file("sb.litmus", &SB.replace("exists", "forall"));
    assert_eq!(replay_all(forall.path(), &[], &[]), 1);
}

#[test]
fn every_model_and_engine() {
    let sb = file("sb.litmus", SB);
    for model in ["tso", "pso", "ra", "sra", "rc11", "rc20", "xmm"] {
        assert_eq!(replay_all(sb.path(), &["--model", model], &[]), 1);
    }
    for options in [
        &["--model", "rc20", "--equivalence", "co"][..],
        &["--model", "tso", "--engine", "interleaving"],
        &["--model", "pso", "--engine", "interleaving", "--buffer-bound", "1"],
        &["--model", "tso", "--buffer-bound", "1"],
    ] {
        assert_eq!(replay_all(sb.path(), options, &[]), 1, "{options:?}");
    }
    // Random walks are inconclusive, although an execution that they came to decides the condition: the exit code is that of
    // the report.
    let ran = raveler(&["check", sb.path(), "--json", "--model", "rc11", "--random", "7"]);
    assert_eq!(ran.code, 3);
    same(sb.path(), &[], &json(&ran)["litmus"], 3, "random walks");
    let ran = raveler(&["check", sb.path(), "--json", "--model", "tso", "--buffer-bound", "1"]);
    same(sb.path(), &[], &json(&ran)["litmus"], ran.code, "a bound that was met or not");
}

/// Load buffering, whose execution only a search finds.
#[test]
fn an_execution_that_was_executed_again() {
    let lb = SB
        .replace("  atomic_store_explicit(x, 1, memory_order_relaxed);\n  int r0 = atomic_load_explicit(y, memory_order_relaxed);", "  int r0 = atomic_load_explicit(y, memory_order_relaxed);\n  atomic_store_explicit(x, 1, memory_order_relaxed);")
        .replace("  atomic_store_explicit(y, 1, memory_order_relaxed);\n  int r0 = atomic_load_explicit(x, memory_order_relaxed);", "  int r0 = atomic_load_explicit(x, memory_order_relaxed);\n  atomic_store_explicit(y, 1, memory_order_relaxed);")
        .replace("(0:r0=0 /\\ 1:r0=0)", "(0:r0=1 /\\ 1:r0=1)");
    let lb = file("lb.litmus", &lb);
    assert_eq!(replay_all(lb.path(), &["--model", "xmm"], &[]), 1);
}

#[test]
fn stores_that_leave_their_buffers_are_told() {
    let sb = file("sb.litmus", SB);
    let ran = raveler(&["check", sb.path(), "--model", "tso", "--engine", "interleaving"]);
    assert!(ran.stdout.contains("x = 1 reaches memory"), "{}", ran.stdout);
    assert!(ran.stdout.contains("y = 1 reaches memory"), "{}", ran.stdout);
}

#[test]
fn tokens_that_do_not_fit_are_refused() {
    let sb = file("sb.litmus", SB);
    let value = json(&raveler(&["check", sb.path(), "--model", "tso", "--json"]));
    let token = value["litmus"]["replay"].as_str().expect("there is one").to_string();
    let replay = |path: &str, token: &str, options: &[&str]| {
        raveler(&[&["check", path, "--replay", token], options].concat())
    };
    for cut in [&token[..token.len() - 1], &token[..token.len() / 2], "v1.", "v1"] {
        refused(&replay(sb.path(), cut, &[]), "E0007", "token");
    }
    let last = if token.ends_with('A') { 'B' } else { 'A' };
    let changed = format!("{}{last}", &token[..token.len() - 1]);
    refused(&replay(sb.path(), &changed, &[]), "E0007", "cut or mistyped");
    let newer = token.replacen("v1.", "v2.", 1);
    refused(&replay(sb.path(), &newer, &[]), "E0007", "has format 2; this raveler reads format 1");
    refused(&replay(sb.path(), "hello", &[]), "E0007", "no token of raveler");
    refused(&replay(sb.path(), "@/no/such/file", &[]), "E0001", "cannot be read");
    let other = file("sb.litmus", &SB.replace("x, 1", "x, 2"));
    refused(&replay(other.path(), &token, &[]), "E0007", "belongs to another program");
    let ran = replay(sb.path(), &token, &["--model", "sc"]);
    refused(&ran, "E0007", "`--model=sc` contradicts the token, which was made with `--model=tso`");
    assert_eq!(replay(sb.path(), &token, &["--model", "tso"]).code, 0);
    let ran = replay(sb.path(), &token, &["--buffer-bound", "1"]);
    refused(&ran, "E0007", "contradicts the token, which was made without it");
    refused(&replay(sb.path(), &token, &["--random", "1"]), "E0007", "does not go together with `--replay`");
    let ran = raveler(&["estimate", sb.path(), "--replay", &token]);
    refused(&ran, "E0004", "does not go together with `raveler estimate`");
    let saved = file("token.txt", &format!("{token}\n"));
    assert_eq!(replay(sb.path(), &format!("@{}", saved.path()), &[]).code, 0);
}

#[test]
fn flags_for_clang_belong_to_the_program() {
    if !has_clang() {
        return;
    }
    let text = "#include <assert.h>\nint x;\nint main(void) { x = N; assert(x == 3); }\n";
    let program = file("n.c", text);
    let value = json(&raveler(&["check", program.path(), "--json", "--", "-DN=2"]));
    let token = value["violations"][0]["replay"].as_str().expect("there is one");
    refused(
        &raveler(&["check", program.path(), "--replay", token, "--", "-DN=4"]),
        "E0007",
        "another program",
    );
    assert_eq!(raveler(&["check", program.path(), "--replay", token, "--", "-DN=2"]).code, 1);
}

/// One of so many lines of the corpus is replayed; with RAVELER_REPLAY_ALL set, each.
const EVERY: usize = 17;

/// A run of a corpus file: flags for clang, and options with the model.
type Run = (PathBuf, Vec<String>, Vec<String>);

/// The runs of corpus files that expect violations.
fn violations(folder: &Path, found: &mut Vec<Run>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("it is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            violations(&path, found);
            continue;
        }
        let is_source = path.extension().is_some_and(|suffix| suffix == "c" || suffix == "cpp");
        let Some(text) = is_source.then(|| std::fs::read_to_string(&path).ok()).flatten() else { continue };
        // Their headers need not be installed.
        if text.lines().any(|line| line.starts_with("// needs:")) {
            continue;
        }
        for line in text.lines().filter_map(|line| line.strip_prefix("// run:")) {
            let parts: Vec<&str> = line.split('|').map(str::trim).collect();
            let [flags, models, expected] = parts.as_slice() else { continue };
            if !expected.contains("verdict=violation") {
                continue;
            }
            let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
            let mut models = words(models);
            let first = models.iter().position(|word| word.starts_with('-')).unwrap_or(models.len());
            let options = models.split_off(first);
            for model in models {
                let options = [&["--model".to_string(), model], &options[..]].concat();
                found.push((path.clone(), words(flags), options));
            }
        }
    }
}

#[test]
fn violations_of_the_corpus() {
    if !has_clang() {
        return;
    }
    let all = std::env::var_os("RAVELER_REPLAY_ALL").is_some();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c");
    let mut found = Vec::new();
    violations(&corpus, &mut found);
    assert!(found.len() > 100, "the corpus has violations: {}", found.len());
    let mut tokens = 0;
    for (path, flags, options) in found.iter().step_by(if all { 1 } else { EVERY }) {
        let limit = ["--max-executions", "2000"];
        let options: Vec<&str> = limit.into_iter().chain(options.iter().map(String::as_str)).collect();
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        tokens += replay_all(path.to_str().expect("the path is text"), &options, &flags);
    }
    assert!(tokens > 0);
}
