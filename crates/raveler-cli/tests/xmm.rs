//! The model xmm and load-buffering races, as a user asks for them.

mod command;

use command::{SB, file, has_clang, json, raveler, refused};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/litmus/shapes/");

fn shape(name: &str) -> String {
    format!("{FOLDER}{name}.litmus")
}

#[test]
fn load_buffering_is_seen() {
    let lb = shape("LB+rlx");
    for (model, executions, holds) in [("rc20", 3, false), ("xmm", 4, true)] {
        let ran = raveler(&["check", &lb, "--model", model]);
        assert_eq!(ran.code, i32::from(!holds), "{}", ran.stdout);
        assert!(ran.stdout.contains(&format!("   {executions} executions, ")), "{}", ran.stdout);
        assert!(!ran.stdout.contains("load-buffering"), "only if it is asked for: {}", ran.stdout);
        let result = json(&raveler(&["check", &lb, "--model", model, "--json"]));
        assert_eq!((&result["executions"], &result["model"]), (&executions.into(), &model.into()));
        assert_eq!(result["litmus"]["holds"], holds);
        let states = result["litmus"]["states"].as_array().expect("a list");
        assert_eq!(states.contains(&"0:r0=1 1:r0=1 x=1 y=1".into()), holds);
        assert_eq!((result.get("lb_races"), result["stats"].get("lb_races")), (None, None));
        assert_eq!(result["stats"].get("duplicates").is_some(), model == "xmm");
        assert_eq!(result.get("xmm_rules").is_some(), model == "xmm");
    }
}

/// Each round of re-execution makes values possible that are greater by one.
const RISING: &str = "C rising
{ [x]=0; [y]=0; }
P0 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  int r1 = atomic_load_explicit(x, memory_order_relaxed);
  atomic_store_explicit(y, r1, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y) {
  int r2 = atomic_load_explicit(y, memory_order_relaxed);
  if (r2 < 40) { atomic_store_explicit(x, r2 + 1, memory_order_relaxed); }
  atomic_store_explicit(x, r2, memory_order_relaxed);
}
exists (0:r1=77)
";

#[test]
fn rounds_that_do_not_end_are_inconclusive() {
    let rising = file("rising.litmus", RISING);
    let ran = raveler(&["check", rising.path(), "--model", "xmm"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stdout.contains("executed again in 64 rounds"), "{}", ran.stdout);
    let result = json(&raveler(&["check", rising.path(), "--model", "xmm", "--json"]));
    assert_eq!((&result["verdict"], &result["bounds"]["rounds"]), (&"inconclusive".into(), &64.into()));
    // What was seen until then is told.
    let seen = file("seen.litmus", &RISING.replace("0:r1=77", "0:r1=1"));
    let states = json(&raveler(&["check", seen.path(), "--model", "xmm", "--json"]));
    assert_eq!(states["litmus"]["holds"], true);
}

#[test]
fn locks_are_ordered() {
    for options in [&[][..], &["--locks", "ordered"]] {
        let lb = shape("LB+rlx");
        let mut arguments = vec!["check", &lb, "--model", "xmm", "--json"];
        arguments.extend(options);
        assert_eq!(json(&raveler(&arguments))["locks"], "ordered");
    }
}

#[test]
fn each_rule_set_can_be_asked_for() {
    let lb = shape("LB+rlx");
    for rules in ["default", "nocr", "printed", "strict"] {
        let result = json(&raveler(&["check", &lb, "--model", "xmm", "--xmm-rules", rules, "--json"]));
        assert_eq!((&result["xmm_rules"], &result["executions"]), (&rules.into(), &4.into()));
    }
    let verbose = raveler(&["check", &lb, "--model", "xmm", "--xmm-rules", "nocr", "-v"]).stdout;
    assert!(verbose.contains("model xmm with its nocr rules, equivalence rf, locks ordered"), "{verbose}");
}

#[test]
fn load_buffering_races_are_counted() {
    let lb = shape("LB+rlx");
    let arguments = ["check", &lb, "--model", "xmm", "--report", "lb-races"];
    let ran = raveler(&arguments);
    let last = "load-buffering races over all executions, without those that are read from: 2\n";
    assert!(ran.stdout.ends_with(last), "{}", ran.stdout);
    let result = json(&raveler(&[&arguments[..], &["--json"]].concat()));
    assert_eq!(result["stats"]["lb_races"], 2);
    assert!(result["lb_races"].is_array(), "{result}");
}

#[test]
fn load_buffering_races_have_places() {
    let lb = shape("LB+rlx");
    for model in ["rc20", "xmm"] {
        let arguments = ["check", &lb, "--model", model, "--report", "lb-races"];
        let ran = raveler(&arguments);
        for words in [
            "   P0  reads x   LB+rlx.litmus:9 ",
            "   P0  then      LB+rlx.litmus:10 ",
            "   P1  then      LB+rlx.litmus:14 ",
            "   P1  writes x  LB+rlx.litmus:15 ",
            "without those that are read from: 2\n",
        ] {
            assert!(ran.stdout.contains(words), "`{words}` is missing: {}", ran.stdout);
        }
        let result = json(&raveler(&[&arguments[..], &["--json"]].concat()));
        let races = result["lb_races"].as_array().expect("a list");
        assert_eq!((races.len(), &result["stats"]["lb_races"]), (2, &2.into()), "{result}");
        let realised = (model == "xmm").then_some(true);
        assert!(
            races.iter().all(|race| race.get("realised").and_then(|r| r.as_bool()) == realised),
            "{result}"
        );
    }
}

#[test]
fn without_load_buffering_races_xmm_is_as_rc20() {
    for (test, model) in [("LB+acqrel", "xmm"), ("LB+acqrel", "rc20"), ("MP+rlx", "xmm"), ("MP+rlx", "rc20")]
    {
        let file = shape(test);
        let arguments = ["check", &file, "--model", model, "--report", "lb-races"];
        let ran = raveler(&arguments);
        let last = "\n   no load-buffering races: under xmm the program behaves as under rc20\n";
        assert!(ran.stdout.ends_with(last), "{}", ran.stdout);
        let result = json(&raveler(&[&arguments[..], &["--json"]].concat()));
        assert_eq!((&result["stats"]["lb_races"], &result["lb_races"]), (&0.into(), &serde_json::json!([])));
    }
    // Other rules promise nothing.
    let file = shape("LB+acqrel");
    let ran = raveler(&["check", &file, "--model", "xmm", "--report", "lb-races", "--xmm-rules", "nocr"]);
    assert!(ran.stdout.ends_with("\n   no load-buffering races\n"), "{}", ran.stdout);
}

/// The only race along program order and reads-from is one of two accesses that are not relaxed: the compare-exchange
/// acquires where it does not read the write. Where it does, it fails, and is relaxed.
const STRONG: &str = "C strong-cas
{ [e]=0; [x]=0; [y]=0; }

P0 (int* e, atomic_int* x, atomic_int* y) {
  int r0 = atomic_compare_exchange_strong_explicit(y, e, 0, memory_order_acquire, memory_order_relaxed);
  atomic_store_explicit(x, 1, memory_order_relaxed);
}

P1 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  if (r0 == 1) {
    atomic_store_explicit(y, 1, memory_order_release);
  }
}

exists (0:r0=0)
";

#[test]
fn races_of_strong_accesses_promise_nothing() {
    let strong = file("strong-cas.litmus", STRONG);
    for (model, executions, code) in [("rc20", 2, 1), ("xmm", 3, 0)] {
        let arguments = ["check", strong.path(), "--model", model, "--report", "lb-races"];
        let ran = raveler(&arguments);
        assert_eq!(ran.code, code, "{}", ran.stdout);
        assert!(!ran.stdout.contains("behaves as under rc20"), "it does not: {}", ran.stdout);
        assert!(
            ran.stdout.contains("no load-buffering race with a relaxed access, but one"),
            "{}",
            ran.stdout
        );
        let result = json(&raveler(&[&arguments[..], &["--json"]].concat()));
        assert_eq!((&result["executions"], &result["stats"]["lb_races"]), (&executions.into(), &0.into()));
    }
}

/// Load buffering beside a third thread's write: with both loads buffered either write may be the last.
const EITHER_LAST: &str = "C either-last
{ [x]=0; [y]=0; }

P0 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  atomic_store_explicit(x, 1, memory_order_relaxed);
}

P1 (atomic_int* x) {
  atomic_store_explicit(x, 2, memory_order_relaxed);
}

P2 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_relaxed);
}

exists (0:r0=1 /\\ 2:r0=1 /\\ x=LAST)
";

#[test]
fn executions_with_cycles_end_with_every_order_that_is_justified() {
    for last in ["1", "2"] {
        let test = file("either-last.litmus", &EITHER_LAST.replace("LAST", last));
        for (equivalence, executions) in [("rf", 6), ("co", 12)] {
            let arguments = ["check", test.path(), "--model", "xmm", "--equivalence", equivalence];
            let ran = raveler(&arguments);
            assert_eq!(ran.code, 0, "{}", ran.stdout);
            assert!(ran.stdout.contains(&format!("   {executions} executions, 12 states")), "{}", ran.stdout);
        }
    }
}

/// Load buffering in which every execution of rc20 is blocked.
const ASSUMED: &str = "#include <assert.h>
#include <pthread.h>
#include <raveler.h>
#include <stdatomic.h>
atomic_int x, y;
void *left(void *unused) {
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    rv_assume(seen == 1);
    return 0;
}
void *right(void *unused) {
    int seen = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    rv_assume(seen == 1);
    return 0;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, left, 0);
    pthread_create(&two, 0, right, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(0);
}
";

#[test]
fn what_is_blocked_may_be_executed_again() {
    if !has_clang() {
        println!("no clang on the PATH: nothing was checked");
        return;
    }
    let assumed = file("assumed.c", ASSUMED);
    for (model, code) in [("rc20", 0), ("xmm", 1)] {
        let ran = raveler(&["check", assumed.path(), "--model", model, "--report", "lb-races"]);
        assert_eq!(ran.code, code, "{}", ran.stdout);
        assert!(!ran.stdout.contains("behaves as under rc20"), "it does not: {}", ran.stdout);
    }
}

#[test]
fn a_limit_that_is_hit_late_is_inconclusive() {
    let lb = shape("LB+rlx");
    let ran = raveler(&["check", &lb, "--model", "xmm", "--max-executions", "3"]);
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    assert!(ran.stdout.starts_with("inconclusive: stopped after 3 executions"), "{}", ran.stdout);
}

#[test]
fn comparisons_with_xmm() {
    let lb = shape("LB+rlx");
    let ran =
        raveler(&["compare", &lb, "--left", "--model rc20", "--right", "--model xmm --report lb-races"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let only = "states only with --model xmm --report lb-races\n   0:r0=1 1:r0=1 x=1 y=1\n";
    assert!(ran.stdout.contains(only), "{}", ran.stdout);
    let row =
        ran.stdout.lines().find(|line| line.starts_with("load-buffering races")).expect("they are counted");
    let words: Vec<&str> = row.split_whitespace().skip(2).collect();
    assert_eq!(words, ["not", "asked", "for", "2"]);
    let same = raveler(&["compare", &lb, "--left", "--model xmm", "--right", "--model xmm --equivalence co"]);
    assert_eq!(same.code, 0, "{}", same.stdout);
    let bad = raveler(&["compare", &lb, "--left", "--model xmm --locks aware", "--right", ""]);
    refused(&bad, "E0004", "`--locks aware`");
}

#[test]
fn estimates_cover_the_part_of_rc20() {
    let lb = shape("LB+rlx");
    let note = "only the executions that rc20 has too are estimated; xmm may have more";
    let ran = raveler(&["estimate", &lb, "--model", "xmm"]);
    assert!(ran.stdout.contains("(xmm, rf) has about 3 executions\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains(&format!("\n   = {note}\n")), "{}", ran.stdout);
    for (model, said) in [("xmm", Some(note)), ("rc20", None)] {
        let ran = raveler(&["estimate", &lb, "--model", model, "--json"]);
        let value: serde_json::Value = serde_json::from_str(&ran.stdout).expect("one JSON object");
        assert_eq!((&value["model"], value.get("note").and_then(|n| n.as_str())), (&model.into(), said));
    }
}

#[test]
fn what_does_not_go_together_with_xmm() {
    let sb = file("sb.litmus", SB);
    for (options, help) in [
        (&["--locks", "aware"][..], "under xmm there is only `--locks ordered`"),
        (&["--engine", "interleaving"], "`--model sc`, `tso` or `pso`"),
        (&["--buffer-bound", "2"], "`--model sc`, `tso` or `pso`"),
        (&["--preemption-bound", "2"], "`--model sc`, `tso` or `pso`"),
        (&["--pct", "3"], "`--model sc`, `tso` or `pso`"),
        (&["--random", "7"], "choose another model"),
    ] {
        let mut arguments = vec!["check", sb.path(), "--model", "xmm"];
        arguments.extend(options);
        let ran = raveler(&arguments);
        refused(&ran, "E0004", "does not go together with `--model xmm`");
        refused(&ran, options[0], help);
        arguments.push("--json");
        let answer: serde_json::Value =
            serde_json::from_str(&raveler(&arguments).stdout).expect("one JSON object");
        assert_eq!(answer["error"]["code"], "E0004");
        arguments[0] = "estimate";
        assert_eq!(raveler(&arguments).code, 2);
    }
}

#[test]
fn rules_are_for_xmm() {
    let sb = file("sb.litmus", SB);
    for model in ["sc", "tso", "pso", "sra", "ra", "rc11", "rc20"] {
        let ran = raveler(&["check", sb.path(), "--model", model, "--xmm-rules", "default"]);
        refused(&ran, "E0004", "`--xmm-rules` is for `--model xmm`");
        refused(&ran, "help", "leave it out, or add `--model xmm`");
    }
    // Without a model, too.
    refused(&raveler(&["check", sb.path(), "--xmm-rules", "strict"]), "E0004", "add `--model xmm`");
}

#[test]
fn load_buffering_races_are_for_rc20_and_xmm() {
    let sb = file("sb.litmus", SB);
    for model in ["sc", "tso", "pso", "sra", "ra", "rc11"] {
        let ran = raveler(&["check", sb.path(), "--model", model, "--report", "lb-races"]);
        refused(&ran, "E0004", &format!("`--report lb-races` does not go together with `--model {model}`"));
        refused(&ran, "help", "choose `--model rc20` or `--model xmm`");
        assert_eq!(ran.stderr.contains("release sequences"), model == "rc11", "{}", ran.stderr);
    }
}
