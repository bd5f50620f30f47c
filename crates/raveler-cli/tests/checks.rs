//! Whole checks, as a user runs them.

mod command;

use std::time::{Duration, Instant};

use command::{SB, file, json, raveler, raveler_with};
use serde_json::Value;

/// Threads that write and read one location, again and again.
fn crowd(threads: usize, rounds: usize) -> String {
    let thread = |t: usize| {
        let write = |v: usize| format!("  atomic_store_explicit(x, {v}, memory_order_relaxed);\n");
        let read = |r: usize| format!("  int r{r} = atomic_load_explicit(x, memory_order_relaxed);\n");
        let body: String = (0..rounds).map(|i| write(rounds * t + i + 1) + &read(i)).collect();
        format!("P{t} (atomic_int* x) {{\n{body}}}\n")
    };
    let threads: String = (0..threads).map(thread).collect();
    format!("C CROWD\n{{ [x]=0; }}\n{threads}exists (0:r0=99)\n")
}

/// Far more executions than any test wants to wait for.
fn huge() -> String {
    crowd(5, 4)
}

/// Message passing through a plain location.
const RACY: &str = "C MP
{ [d]=0; [f]=0; }
P0 (int* d, atomic_int* f) {
  *d = 1;
  atomic_store_explicit(f, 1, memory_order_relaxed);
}
P1 (int* d, atomic_int* f) {
  int r0 = atomic_load_explicit(f, memory_order_relaxed);
  int r1 = 0;
  if (r0 == 1) {
    r1 = *d;
  }
}
~exists (1:r1=2)
";

/// An assertion that fails in some executions.
const ASSERTS: &str = "C A
{ [x]=0; }
P0 (atomic_int* x) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
}
P1 (atomic_int* x) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  assert(r0 == 0);
}
exists (1:r0=0)
";

#[test]
fn the_exit_code_follows_the_condition() {
    let sb = file("sb.litmus", SB);
    let never = file("never.litmus", &SB.replace("exists", "~exists"));
    let always =
        file("always.litmus", &SB.replace("exists (0:r0=0 /\\ 1:r0=0)", "forall (0:r0=0 \\/ 1:r0=1)"));
    for (test, model, code) in [
        (&sb, "sc", 1),
        (&sb, "tso", 0),
        (&sb, "rc20", 0),
        (&never, "sc", 0),
        (&never, "tso", 1),
        (&always, "sc", 1),
    ] {
        let ran = raveler(&["check", test.path(), "--model", model]);
        assert_eq!((ran.code, ran.stderr.as_str()), (code, ""), "{}", ran.stdout);
        let word = if code == 0 {
            "verified: the condition holds"
        } else {
            "violation: the condition does not hold"
        };
        assert!(ran.stdout.starts_with(word), "{}", ran.stdout);
    }
}

#[test]
fn the_witness_is_told() {
    let sb = file("sb.litmus", SB);
    let ran = raveler(&["check", sb.path(), "--model", "tso"]);
    for line in [
        "   * 0:r0=0 1:r0=0\n     0:r0=0 1:r0=1\n     0:r0=1 1:r0=0\n     0:r0=1 1:r0=1\n",
        "   an execution that ends with 0:r0=0 1:r0=0\n",
        "   P0  y is 0  relaxed  sb.litmus:5  saw the initial value\n",
        "   4 executions, 4 states, ",
        "   = help: a seq_cst fence between them",
    ] {
        assert!(ran.stdout.contains(line), "`{line}` is missing: {}", ran.stdout);
    }
}

#[test]
fn the_json_result() {
    let sb = file("sb.litmus", SB);
    let result = json(&raveler(&["check", sb.path(), "--json", "--model", "tso", "--equivalence", "co"]));
    assert_eq!(result["verdict"], "verified");
    assert_eq!(result["executions"], 4);
    assert_eq!((&result["model"], &result["equivalence"]), (&"tso".into(), &"co".into()));
    assert_eq!((&result["locks"], &result["engine"]), (&"aware".into(), &"graph".into()));
    assert_eq!(result["litmus"]["condition"], "exists (0:r0=0 /\\ 1:r0=0)");
    assert_eq!(result["litmus"]["holds"], true);
    let states = ["0:r0=0 1:r0=0", "0:r0=0 1:r0=1", "0:r0=1 1:r0=0", "0:r0=1 1:r0=1"];
    assert_eq!(result["litmus"]["states"], serde_json::json!(states));
    assert_eq!(result["file"], sb.path());
    assert_eq!(result["violations"], serde_json::json!([]));
}

#[test]
fn races_are_listed_and_change_nothing() {
    let racy = file("racy.litmus", RACY);
    let ran = raveler(&["check", racy.path()]);
    assert_eq!(ran.code, 0);
    for words in [
        "verified: the condition holds",
        "data race on d  racy.litmus:4 and racy.litmus:11",
        "release at racy.litmus:5 and acquire at racy.litmus:8 would",
    ] {
        assert!(ran.stdout.contains(words), "`{words}` is missing: {}", ran.stdout);
    }
    let result = json(&raveler(&["check", racy.path(), "--json"]));
    assert_eq!(result["verdict"], "verified");
    assert_eq!(result["violations"][0]["kind"], "race");
    assert_eq!(result["violations"][0]["related"][0]["role"], "racing access");
    for options in [&["--races", "ignore"][..], &["--model", "sc"]] {
        let mut arguments = vec!["check", racy.path(), "--json"];
        arguments.extend(options);
        assert_eq!(json(&raveler(&arguments))["violations"], serde_json::json!([]));
    }
}

#[test]
fn a_failed_assertion_is_a_violation() {
    let asserts = file("asserts.litmus", ASSERTS);
    let ran = raveler(&["check", asserts.path()]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.starts_with("violation: assertion failed  asserts.litmus:8  "), "{}", ran.stdout);
    assert!(ran.stdout.contains("exists (1:r0=0)  (holds)"), "{}", ran.stdout);
    let result = json(&raveler(&["check", asserts.path(), "--json"]));
    assert_eq!(result["verdict"], "violation");
    assert_eq!(result["litmus"]["holds"], true);
    assert_eq!(result["stats"]["failed"], 1);
    let violation = &result["violations"][0];
    assert_eq!(violation["kind"], "assertion");
    assert_eq!(violation["location"]["line"], 8);
    assert_eq!(violation["location"]["thread"], 1);
    assert_eq!(violation["execution"]["threads"][1]["events"][0]["reads_from"], "0.0");
}

#[test]
fn standard_input_is_read() {
    let ran = raveler_with(&["check", "-", "--lang", "litmus", "--model", "sc", "-q"], SB);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, "violation: the condition does not hold  - (sc)\n"));
}

#[test]
fn more_and_less() {
    let sb = file("sb.litmus", SB);
    assert_eq!(raveler(&["check", sb.path(), "-q"]).stdout.lines().count(), 1);
    let verbose = raveler(&["check", sb.path(), "-v"]).stdout;
    assert!(verbose.contains("model rc20, equivalence rf, locks aware"), "{verbose}");
    assert!(verbose.contains("of memory"), "{verbose}");
}

#[test]
fn every_execution_is_printed_once() {
    let sb = file("sb.litmus", SB);
    let ran = raveler(&["check", sb.path(), "--print-executions"]);
    let titles: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("execution ")).collect();
    assert_eq!(titles, ["execution 1", "execution 2", "execution 3", "execution 4"]);
    assert!(ran.stdout.contains("    0.1  y is 1  relaxed  sb.litmus:5  from 1.0\n"), "{}", ran.stdout);
}

#[test]
fn pictures_are_drawn() {
    let sb = file("sb.litmus", SB);
    for (name, begins) in [("p.svg", "<svg "), ("p.dot", "digraph ")] {
        let path = format!("{}/{name}", sb.folder());
        // The second time there is something to write over; under sc no execution decides the condition.
        for model in ["tso", "sc"] {
            let ran = raveler(&["check", sb.path(), "--model", model, "--graph", &path]);
            assert_eq!(ran.stderr, "");
            let drawn = std::fs::read_to_string(&path).expect("it was written");
            assert!(drawn.starts_with(begins) && drawn.contains(&format!("sb.litmus ({model})")), "{drawn}");
        }
    }
}

#[test]
fn workers_do_not_change_the_result() {
    let crowd = file("crowd.litmus", &crowd(3, 2));
    let essence = |workers: &str| {
        let mut result = json(&raveler(&["check", crowd.path(), "--json", "-j", workers]));
        let object = result.as_object_mut().expect("it is one");
        for field in ["time_s", "cpu_s", "peak_rss_bytes"] {
            object.remove(field);
        }
        result
    };
    let one = essence("1");
    assert!(one["executions"].as_u64() > Some(1000), "there is something to share: {}", one["executions"]);
    for workers in ["2", "3", "0"] {
        assert_eq!(essence(workers), one);
    }
}

#[test]
fn limits_end_a_check_in_time() {
    let huge = file("huge.litmus", &huge());
    for (options, words) in [
        (&["--timeout", "0.3"][..], "stopped after 0.3 s (--timeout 0.3)"),
        (&["--max-executions", "1000"], "stopped after 1,000 executions (--max-executions 1000)"),
        (&["--max-memory", "1M"], "stopped when it used more than 1.0 MB (--max-memory 1048576)"),
        (&["--timeout", "0.3", "-j", "2"], "stopped after 0.3 s"),
        (&["--timeout", "0.3", "--model", "tso"], "stopped after 0.3 s"),
    ] {
        let mut arguments = vec!["check", huge.path()];
        arguments.extend(options);
        let started = Instant::now();
        let ran = raveler(&arguments);
        assert!(started.elapsed() < Duration::from_secs(5), "{options:?} took {:?}", started.elapsed());
        assert_eq!(ran.code, 3, "{}", ran.stdout);
        assert!(ran.stdout.starts_with(&format!("inconclusive: {words}")), "{}", ran.stdout);
        assert!(ran.stdout.contains("checked completely"), "{}", ran.stdout);
        assert!(!ran.stdout.contains("verified"), "{}", ran.stdout);
        arguments.push("--json");
        let result = json(&raveler(&arguments));
        assert_eq!(result["verdict"], "inconclusive");
        assert_eq!(result["litmus"].get("holds"), None, "not decided");
        assert_eq!(result["warnings"][0]["kind"], "incomplete");
    }
}

#[test]
fn a_stopped_check_can_refute_but_not_verify() {
    let seen = |condition: &str| {
        let text = huge().replace("exists (0:r0=99)", condition);
        let test = file("huge.litmus", &text);
        json(&raveler(&["check", test.path(), "--json", "--max-executions", "100"]))
    };
    let exists = seen("exists (0:r0=1)");
    assert_eq!((&exists["verdict"], &exists["litmus"]["holds"]), (&"inconclusive".into(), &true.into()));
    let never = seen("~exists (0:r0=1)");
    assert_eq!((&never["verdict"], &never["litmus"]["holds"]), (&"violation".into(), &false.into()));
    let always = seen("forall (0:r0=99)");
    assert_eq!((&always["verdict"], &always["litmus"]["holds"]), (&"violation".into(), &false.into()));
}

#[cfg(unix)]
#[test]
fn an_interrupted_check_says_what_was_covered() {
    use std::process::{Command, Stdio};
    let huge = file("huge.litmus", &huge());
    let child = Command::new(env!("CARGO_BIN_EXE_raveler"))
        .args(["check", huge.path()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    std::thread::sleep(Duration::from_millis(700));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill exists");
    assert!(sent.success());
    let started = Instant::now();
    let output = child.wait_with_output().expect("it ends");
    assert!(started.elapsed() < Duration::from_secs(3), "took {:?}", started.elapsed());
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("inconclusive: interrupted  "), "{text}");
    assert!(text.contains("executions were checked completely"), "{text}");
}

#[test]
fn comparisons_show_what_differs() {
    let sb = file("sb.litmus", SB);
    let ran = raveler(&["compare", sb.path(), "--left", "--model sc", "--right", "--model tso"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("states only with --model tso\n   0:r0=0 1:r0=0\n"), "{}", ran.stdout);
    let executions =
        ran.stdout.lines().find(|line| line.starts_with("executions")).expect("they are counted");
    assert_eq!(executions.split_whitespace().collect::<Vec<_>>(), ["executions", "3", "4"]);
    let same =
        raveler(&["compare", sb.path(), "--left", "--model tso", "--right", "--model tso --equivalence co"]);
    assert_eq!(same.code, 0, "{}", same.stdout);
    assert!(same.stdout.contains("no difference in verdict, states and violations"));
    let json = raveler(&["compare", sb.path(), "--left", "", "--right", "--model sc", "--json"]);
    let value: Value = serde_json::from_str(&json.stdout).expect("one JSON object");
    assert_eq!((&value["same"], &value["left"]["model"]), (&false.into(), &"rc20".into()));
}

#[test]
fn estimates_are_orders_of_magnitude() {
    let sb = file("sb.litmus", SB);
    let ran = raveler(&["estimate", sb.path(), "--model", "tso"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("has about 4 executions"), "{}", ran.stdout);
    assert!(ran.stdout.contains("order of magnitude"), "{}", ran.stdout);
    let huge = file("huge.litmus", &huge());
    let json = raveler(&["estimate", huge.path(), "--json", "--probes", "50", "--seed", "7"]);
    let value: Value = serde_json::from_str(&json.stdout).expect("one JSON object");
    assert_eq!((&value["probes"], &value["seed"]), (&50.into(), &7.into()));
    assert!(value["executions"].as_f64().expect("a number") > 1e6, "{value}");
    assert!(value["largest"].as_f64() >= value["executions"].as_f64(), "{value}");
}

/// What is behind a cut is in no walk, and 0 executions would be a wrong answer.
#[test]
fn estimates_say_what_was_cut() {
    let text =
        "#include <stdatomic.h>\natomic_int x;\nint main(void) { for (int n = 0; !x; n++) ; return 0; }\n";
    let endless = file("endless.c", text);
    let ran = raveler(&["estimate", endless.path(), "--probes", "20"]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("no walk came to the end of an execution"), "{}", ran.stdout);
    assert!(ran.stdout.contains("explorations were cut"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("about 0 executions"), "{}", ran.stdout);
    let json = raveler(&["estimate", endless.path(), "--probes", "20", "--json"]);
    let value: Value = serde_json::from_str(&json.stdout).expect("one JSON object");
    assert_eq!((&value["executions"], value["cut"].as_f64()), (&0.0.into(), Some(1.0)), "{value}");
}

#[test]
fn colours_only_where_they_are_wanted() {
    let sb = file("sb.litmus", SB);
    assert!(raveler(&["check", sb.path(), "--color", "always"]).stdout.contains('\u{1b}'));
    assert!(!raveler(&["check", sb.path()]).stdout.contains('\u{1b}'));
    assert!(!raveler(&["check", sb.path(), "--color", "never"]).stdout.contains('\u{1b}'));
}
