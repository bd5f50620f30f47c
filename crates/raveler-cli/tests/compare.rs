//! `raveler compare` as a user runs it: differences with their executions, and fences against them.

mod command;

use std::path::{Path, PathBuf};

use command::{Ran, SB, file, has_clang, raveler};
use serde_json::Value;

/// The JSON result of a comparison, which obeys its schema.
fn json(ran: &Ran) -> Value {
    assert_eq!(ran.stdout.lines().count(), 1, "nothing else on standard output: {ran:?}");
    let value: Value = serde_json::from_str(&ran.stdout).expect("one JSON object");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../raveler-report/schema/compare-1.schema.json");
    let schema = std::fs::read_to_string(path).expect("the schema is there");
    let schema = serde_json::from_str(&schema).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    assert!(validator.is_valid(&value), "{value}");
    value
}

fn compare(path: &str, left: &str, right: &str, flags: &[&str]) -> Ran {
    let mut arguments = vec!["compare", path, "--left", left, "--right", right];
    if !flags.is_empty() {
        arguments.push("--");
        arguments.extend(flags);
    }
    raveler(&arguments)
}

fn compare_json(path: &str, left: &str, right: &str, flags: &[&str]) -> (i32, Value) {
    let mut arguments = vec!["compare", path, "--json", "--left", left, "--right", right];
    if !flags.is_empty() {
        arguments.push("--");
        arguments.extend(flags);
    }
    let ran = raveler(&arguments);
    (ran.code, json(&ran))
}

/// The text without the line of times.
fn without_time(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("time ")).map(|line| format!("{line}\n")).collect()
}

/// Order and line of each fence that is proposed.
fn fences(comparison: &Value) -> Vec<(String, u64)> {
    let fences = comparison["robustness"]["fences"].as_array().expect("a list");
    let fence = |f: &Value| {
        (f["order"].as_str().expect("a word").to_string(), f["after"]["line"].as_u64().expect("a line"))
    };
    let mut all: Vec<_> = fences.iter().map(fence).collect();
    all.sort();
    all
}

fn agrees(comparison: &Value) -> bool {
    comparison["robustness"]["agree"] == true
}

fn corpus(path: &str) -> String {
    format!("{}/../../corpus/{path}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_difference_has_an_execution() {
    let sb = file("sb.litmus", SB);
    let (code, value) = compare_json(sb.path(), "--model sc", "--model tso", &[]);
    assert_eq!(code, 1);
    assert_eq!((&value["same"], &value["complete"]), (&false.into(), &true.into()));
    assert_eq!(value["options"]["right"], "--model tso");
    let [only] = value["differences"].as_array().expect("a list").as_slice() else { panic!("{value}") };
    assert_eq!((&only["side"], &only["what"]), (&"right".into(), &"state".into()));
    assert_eq!((&only["state"], &only["certain"]), (&"0:r0=0 1:r0=0".into(), &true.into()));
    let read = &only["execution"]["threads"][0]["events"][1];
    assert_eq!((&read["kind"], &read["reads_from"]), (&"read".into(), &"init".into()));
    let ran = compare(sb.path(), "--model sc", "--model tso", &[]);
    assert!(
        ran.stdout.contains("with --model tso: an execution that ends with 0:r0=0 1:r0=0\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn the_sides_may_be_swapped() {
    let sb = file("sb.litmus", SB);
    let (code, value) = compare_json(sb.path(), "--model tso", "--model sc", &[]);
    assert_eq!(code, 1);
    assert_eq!(
        (&value["differences"][0]["side"], &value["robustness"]["weaker"]),
        (&"left".into(), &"left".into())
    );
    assert!(agrees(&value), "{value}");
}

#[test]
fn store_buffering_needs_two_fences() {
    let sb = file("sb.litmus", SB);
    let two = vec![("seq_cst".to_string(), 4), ("seq_cst".to_string(), 8)];
    for options in ["", " --equivalence co", " --engine interleaving", " -j 2", " --locks ordered"] {
        for model in ["tso", "pso"] {
            let (_, value) = compare_json(sb.path(), "--model sc", &format!("--model {model}{options}"), &[]);
            assert!(agrees(&value), "{value}");
            assert_eq!(fences(&value), two, "{model}{options}");
            let robustness = &value["robustness"];
            // With both, and without each of them.
            assert_eq!(robustness["runs"], 3, "{robustness}");
            let reordered = robustness["explained"][0]["reordered"].as_array().expect("a list");
            let kinds: Vec<&Value> = reordered.iter().map(|pair| &pair["kind"]).collect();
            assert_eq!(kinds, ["store-load", "store-load"]);
            assert_eq!(reordered[0]["store"]["location"]["line"], 4);
            assert_eq!(reordered[0]["overtaken_by"]["location"]["line"], 5);
        }
    }
}

#[test]
fn message_passing_needs_one_fence() {
    let mp = corpus("litmus/shapes/MP+rlx.litmus");
    let (code, value) = compare_json(&mp, "--model sc", "--model pso", &[]);
    assert_eq!(code, 1);
    assert!(agrees(&value), "{value}");
    let fences = fences(&value);
    let [(order, line)] = fences.as_slice() else { panic!("one fence: {value}") };
    assert_eq!(order, "release");
    assert_eq!(value["robustness"]["explained"][0]["reordered"][0]["kind"], "store-store");
    let text = std::fs::read_to_string(&mp).expect("it is there");
    let after = text.lines().nth(*line as usize - 1).expect("that line");
    assert!(after.contains("atomic_store_explicit(x, 1"), "{after}");
    let ran = compare(&mp, "--model sc", "--model pso", &[]);
    assert!(
        ran.stdout.contains("   = one fence makes the two sides agree (checked: 3 executions)\n"),
        "{}",
        ran.stdout
    );
    let (code, value) = compare_json(&mp, "--model sc", "--model tso", &[]);
    assert_eq!((code, value.get("robustness")), (0, None));
}

#[test]
fn only_one_thread_may_need_a_fence() {
    let (_, value) = compare_json(&corpus("litmus/shapes/R+rlx.litmus"), "--model sc", "--model tso", &[]);
    assert!(agrees(&value), "{value}");
    assert_eq!(fences(&value).len(), 1, "{value}");
    let (_, value) =
        compare_json(&corpus("litmus/shapes/SB+onefence.litmus"), "--model sc", "--model tso", &[]);
    assert!(agrees(&value), "{value}");
    assert_eq!(fences(&value).len(), 1, "{value}");
}

/// The program with fences written after these lines.
fn with_fences(text: &str, fences: &[(String, u64)]) -> String {
    let mut out = String::new();
    for (line, number) in text.lines().zip(1..) {
        out.push_str(line);
        out.push('\n');
        for (order, _) in fences.iter().filter(|(_, after)| *after == number) {
            out.push_str(&format!("  atomic_thread_fence(memory_order_{order});\n"));
        }
    }
    out
}

/// The final states of a test, which is written to a file for that.
fn states(text: &str, model: &str) -> Vec<String> {
    let test = file("test.litmus", text);
    let ran = raveler(&["check", test.path(), "--model", model, "--json"]);
    assert!(ran.code < 2, "{}{text}", ran.stderr);
    let value: Value = serde_json::from_str(&ran.stdout).expect("one JSON object");
    let states = value["litmus"]["states"].as_array().expect("a list");
    states.iter().map(|state| state.as_str().expect("text").to_string()).collect()
}

#[test]
fn the_proposed_fences_written_into_the_shapes_make_the_models_agree() {
    let folder = corpus("litmus/shapes");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("it is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    let mut different = [0, 0];
    for path in files.iter().filter(|path| path.extension().is_some_and(|suffix| suffix == "litmus")) {
        let name = path.to_str().expect("text");
        let text = std::fs::read_to_string(path).expect("readable");
        for (model, different) in ["tso", "pso"].into_iter().zip(&mut different) {
            let (code, value) = compare_json(name, "--model sc", &format!("--model {model}"), &[]);
            if code == 0 {
                assert_eq!(value.get("robustness"), None, "{name} {model}");
                continue;
            }
            *different += 1;
            assert_eq!(code, 1, "{name} {model}");
            assert!(agrees(&value), "{name} {model}: {}", value["robustness"]);
            let fences = fences(&value);
            let sequential = states(&text, "sc");
            assert_eq!(states(&with_fences(&text, &fences), model), sequential, "{name} {model}");
            for left_out in 0..fences.len() {
                let mut fewer = fences.clone();
                fewer.remove(left_out);
                assert_ne!(states(&with_fences(&text, &fewer), model), sequential, "{name} {model}");
            }
        }
    }
    assert!(different[0] > 20 && different[1] > 40, "{different:?}");
}

/// Two threads that each announce themselves and then look for the other, in C.
const SB_C: &str = "#include <pthread.h>
#include <raveler.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static atomic_int x, y;
static int a, b;

static void *one(void *unused) {
  atomic_store_explicit(&x, 1, ORDER);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return 0;
}

static void *two(void *unused) {
  atomic_store_explicit(&y, 1, ORDER);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  rv_observe(\"a\", a);
  rv_observe(\"b\", b);
}
";

#[test]
fn outcomes_of_c_programs() {
    if !has_clang() {
        return;
    }
    let sb = file("sb.c", SB_C);
    let (code, value) = compare_json(sb.path(), "--model sc", "--model tso", &[]);
    assert_eq!(code, 1);
    let [only] = value["differences"].as_array().expect("a list").as_slice() else { panic!("{value}") };
    assert_eq!((&only["side"], &only["what"]), (&"right".into(), &"outcome".into()));
    assert_eq!(only["values"], serde_json::json!({ "a": 0, "b": 0 }));
    assert!(only["execution"]["threads"].as_array().is_some_and(|threads| threads.len() == 3));
    assert!(agrees(&value), "{value}");
    assert_eq!(fences(&value), [("seq_cst".to_string(), 13), ("seq_cst".to_string(), 19)]);
    let ran = compare(sb.path(), "--model sc", "--model tso", &[]);
    assert!(ran.stdout.contains("outcomes only with --model tso\n   a=0 b=0\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("an execution that observes a=0 b=0\n"), "{}", ran.stdout);
    // Flags for clang reach both sides, and the checks with fences.
    let (code, value) =
        compare_json(sb.path(), "--model sc", "--model tso", &["-DORDER=memory_order_seq_cst"]);
    assert_eq!((code, &value["same"], value.get("robustness")), (0, &true.into(), None));
    let (code, value) =
        compare_json(sb.path(), "--model sc", "--model pso", &["-DORDER=memory_order_release"]);
    assert_eq!(code, 1);
    assert!(agrees(&value), "{value}");
}

/// A lock of Peterson's, with a loop that waits, and a counter that it is to protect.
const PETERSON: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define put(p, v) atomic_store_explicit(p, v, memory_order_relaxed)
#define get(p) atomic_load_explicit(p, memory_order_relaxed)

static atomic_int flag[2], turn, inside;

static void *run(void *arg) {
  int me = (int)(long)arg;
  for (int i = 0; i < ROUNDS; i++) {
    put(&flag[me], 1);
    put(&turn, 1 - me);
    while (get(&flag[1 - me]) && get(&turn) == 1 - me)
      ;
    put(&inside, me);
    assert(get(&inside) == me);
    put(&flag[me], 0);
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, (void *)1);
  run((void *)0);
  pthread_join(t, 0);
}
";

#[test]
fn violations_and_waiting_loops() {
    if !has_clang() {
        return;
    }
    let peterson = file("peterson.c", PETERSON);
    for (model, rounds) in [("tso", "1"), ("pso", "1"), ("tso", "2")] {
        let flag = format!("-DROUNDS={rounds}");
        let right = format!("--model {model}");
        let (code, value) = compare_json(peterson.path(), "--model sc", &right, &[&flag]);
        assert_eq!(code, 1);
        let only = &value["differences"][0];
        assert_eq!((&only["what"], &only["kind"]), (&"violation".into(), &"assertion".into()));
        assert_eq!(only["location"]["line"], 18);
        assert!(agrees(&value), "{model}: {}", value["robustness"]);
        let fences = fences(&value);
        // Between the stores that announce a thread and the loop that waits, outside of that.
        assert!(fences.contains(&("seq_cst".to_string(), 14)), "{fences:?}");
        let fenced = file("fenced.c", &with_fences(PETERSON, &fences));
        let ran = raveler(&["check", fenced.path(), "--model", model, "--", &flag]);
        assert_eq!(ran.code, 0, "{}", ran.stdout);
        for left_out in 0..fences.len() {
            let mut fewer = fences.clone();
            fewer.remove(left_out);
            let fenced = file("fenced.c", &with_fences(PETERSON, &fewer));
            let ran = raveler(&["check", fenced.path(), "--model", model, "--", &flag]);
            assert_eq!(ran.code, 1, "{fewer:?} {}", ran.stdout);
        }
    }
}

#[test]
fn where_a_side_did_not_see_everything_nothing_is_guessed() {
    let sb = file("sb.litmus", SB);
    for (left, right) in [
        ("--model sc", "--model tso --max-executions 3"),
        ("--model sc --max-executions 1", "--model tso"),
        ("--model sc", "--model tso --buffer-bound 0"),
    ] {
        let (code, value) = compare_json(sb.path(), left, right, &[]);
        assert_eq!((code, &value["complete"]), (3, &false.into()), "{left} {right}");
        if let Some(robustness) = value.get("robustness") {
            assert_eq!(robustness["agree"], false, "{robustness}");
            assert_eq!(robustness["reason"], "one side did not see everything");
            assert_eq!(robustness["runs"], 0);
        }
    }
    let (_, value) = compare_json(sb.path(), "--model sc --max-executions 1", "--model tso", &[]);
    assert!(
        value["differences"].as_array().expect("a list").iter().all(|d| d["certain"] == false),
        "{value}"
    );
    let (code, value) = compare_json(sb.path(), "--model sc", "--model tso --spurious-cas", &[]);
    assert_eq!((code, &value["robustness"]["agree"]), (1, &false.into()));
    assert_eq!(value["robustness"]["reason"], "the sides differ in more than the model");
}

#[test]
fn other_models_are_compared_without_fences() {
    let sb = file("sb.litmus", SB);
    let (code, value) = compare_json(sb.path(), "--model sc", "--model rc20", &[]);
    assert_eq!((code, value.get("robustness")), (1, None));
    let (code, value) = compare_json(sb.path(), "--model tso", "--model pso", &[]);
    assert_eq!((code, value.get("robustness")), (0, None));
}

#[test]
fn refusals_obey_the_schema_of_comparisons() {
    for arguments in [
        &["compare", "no-such-file.litmus", "--left", "", "--right", "", "--json"][..],
        &["compare", "x.litmus", "--left", "--modle sc", "--right", "", "--json"],
        &["compare", "x.litmus", "--json"],
    ] {
        let ran = raveler(arguments);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(json(&ran)["error"]["message"].is_string());
    }
}

/// What is said, word for word: `BLESS=1` rewrites the files.
#[test]
fn comparisons_in_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for (name, test, right) in [
        ("sb-tso", "corpus/litmus/shapes/SB+rlx.litmus", "--model tso"),
        ("mp-pso", "corpus/litmus/shapes/MP+rlx.litmus", "--model pso"),
        ("2+2w-pso", "corpus/litmus/shapes/2+2W+rlx.litmus", "--model pso"),
        ("dekker-tso", "corpus/litmus/families/dekker/dekker-1-2.litmus", "--model tso"),
        ("sb-rc20", "corpus/litmus/shapes/SB+rlx.litmus", "--model rc20"),
        ("sb-cut", "corpus/litmus/shapes/SB+rlx.litmus", "--model tso --max-executions 3"),
        ("sb-fenced", "corpus/litmus/shapes/SB+fsc.litmus", "--model tso"),
    ] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_raveler"))
            .args(["compare", test, "--left", "--model sc", "--right", right])
            .current_dir(&root)
            .output()
            .expect("the command can be started");
        let said = without_time(&String::from_utf8(output.stdout).expect("text"));
        let path = golden.join(format!("compare-{name}.txt"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(&golden).expect("there is room");
            std::fs::write(&path, &said).expect("it can be written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(said, kept, "BLESS=1 cargo test -p raveler-cli --test compare rewrites {name}");
    }
}
