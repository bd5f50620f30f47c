//! `--engine interleaving`, as a user asks for it.

mod command;

use command::{SB, file, has_clang, json, raveler, refused};

#[test]
fn runs_and_classes_are_counted() {
    let sb = file("sb.litmus", SB);
    for (model, runs) in [("sc", 3), ("tso", 4), ("pso", 4)] {
        let engine = ["--engine", "interleaving", "--report", "classes", "--json"];
        let ran = raveler(&[&["check", sb.path(), "--model", model], &engine[..]].concat());
        let value = json(&ran);
        assert_eq!(ran.code, i32::from(model == "sc"));
        assert_eq!((&value["engine"], &value["locks"]), (&"interleaving".into(), &"ordered".into()));
        assert_eq!((&value["executions"], &value["stats"]["classes"]), (&runs.into(), &runs.into()));
        let graphs = json(&raveler(&["check", sb.path(), "--model", model, "--json"]));
        // The token names a run, not a graph.
        let without_token = |mut litmus: serde_json::Value| {
            litmus.as_object_mut().map(|fields| fields.remove("replay"));
            litmus
        };
        assert_eq!(without_token(graphs["litmus"].clone()), without_token(value["litmus"].clone()));
        assert_eq!(graphs["stats"].get("classes"), None);
    }
    let ran = raveler(&["check", sb.path(), "--model", "tso", "--engine", "interleaving"]);
    assert!(ran.stdout.contains("4 runs, 4 states"), "{}", ran.stdout);
}

#[test]
fn limits_hold() {
    let sb = file("sb.litmus", SB);
    let options = ["--model", "tso", "--engine", "interleaving", "--json", "--max-executions"];
    let check = |limit: &str| json(&raveler(&[&["check", sb.path()], &options[..], &[limit]].concat()));
    assert_eq!((&check("3")["executions"], &check("4")["verdict"]), (&3.into(), &"verified".into()));
    // Workers change nothing but the time.
    let ran =
        raveler(&["check", sb.path(), "--model", "tso", "--engine", "interleaving", "-j", "2", "--json"]);
    assert_eq!(json(&ran)["executions"], 4);
}

#[test]
fn what_does_not_go_together_with_interleavings() {
    let sb = file("sb.litmus", SB);
    for model in ["sra", "ra", "rc11", "rc20"] {
        let ran = raveler(&["check", sb.path(), "--model", model, "--engine", "interleaving"]);
        refused(&ran, "E0004", &format!("does not go together with `--model {model}`"));
        refused(&ran, "help", "choose `--model sc`, `tso` or `pso`");
    }
    for (option, value) in [("--locks", "aware"), ("--equivalence", "rf"), ("--equivalence", "co")] {
        let ran = raveler(&["check", sb.path(), "--model", "tso", "--engine", "interleaving", option, value]);
        refused(&ran, "E0004", "does not go together with `--engine interleaving`");
    }
    let ran = raveler(&["check", sb.path(), "--model", "tso", "--report", "classes"]);
    refused(&ran, "E0004", "`--report classes` is for `--engine interleaving`");
    let ran = raveler(&["estimate", sb.path(), "--model", "tso", "--engine", "interleaving"]);
    refused(&ran, "E0004", "knows no interleavings");
}

/// The options of the engine under TSO, and more.
fn tso(path: &str, more: &[&str]) -> command::Ran {
    raveler(&[&["check", path, "--model", "tso", "--engine", "interleaving"], more].concat())
}

#[test]
fn walks_say_how_they_ended_and_never_verify() {
    let sb = file("sb.litmus", SB);
    let ran = tso(sb.path(), &["--random", "9", "--max-executions", "400"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stdout.contains("400 random walks (--random 9): 400 complete"), "{}", ran.stdout);
    let ran = tso(sb.path(), &["--pct", "3"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stdout.contains("10,000 random walks by priorities (--pct 3 --random 1): 10,000 complete"));
    assert!(ran.stdout.contains("n = 4 processes, k = 4 steps"), "{}", ran.stdout);
    assert!(ran.stdout.contains("at least 1/(4·4^2)"), "{}", ran.stdout);
    let value = json(&tso(sb.path(), &["--pct", "2", "--random", "6", "--max-executions", "20", "--json"]));
    let random = &value["random"];
    assert_eq!((&random["seed"], &random["walks"], &random["depth"]), (&6.into(), &20.into(), &2.into()));
    assert_eq!((&random["processes"], &random["steps"]), (&4.into(), &4.into()));
    assert_eq!(value.get("reductions"), None);
}

#[test]
fn runs_with_few_preemptions_never_verify() {
    let sb = file("sb.litmus", SB);
    let ran = tso(sb.path(), &["--preemption-bound", "1"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stdout.contains("all runs with at most 1 preemption were seen"), "{}", ran.stdout);
    let value = json(&tso(sb.path(), &["--preemption-bound", "2", "--json"]));
    let bounds = &value["bounds"];
    assert_eq!((&bounds["preemption"], &bounds["preemptions_covered"]), (&2.into(), &2.into()));
    assert_eq!(value["verdict"], "inconclusive");
}

#[test]
fn reductions_can_be_switched_off() {
    let sb = file("sb.litmus", SB);
    let value = json(&tso(sb.path(), &["--json"]));
    assert_eq!((&value["executions"], value["reductions"].is_array()), (&4.into(), true));
    let value = json(&tso(sb.path(), &["--reductions", "none", "--report", "classes", "--json"]));
    assert_eq!((&value["executions"], &value["stats"]["classes"]), (&24.into(), &4.into()));
    assert_eq!(value.get("reductions"), None);
    for which in ["all", "none"] {
        let graphs = json(&raveler(&["check", sb.path(), "--model", "tso", "--reductions", which, "--json"]));
        assert_eq!((&graphs["executions"], graphs.get("reductions")), (&4.into(), None));
    }
    refused(&tso(sb.path(), &["--reductions", "symmetry"]), "E0004", "say `all` or `none`");
}

#[test]
fn incomplete_searches_that_do_not_go_together() {
    let sb = file("sb.litmus", SB);
    assert_eq!(tso(sb.path(), &["--pct", "0"]).code, 2);
    assert_eq!(tso(sb.path(), &["--pct", "4294967295"]).code, 2, "each change takes memory");
    for option in ["--pct", "--preemption-bound"] {
        let ran = raveler(&["check", sb.path(), "--model", "tso", option, "2"]);
        refused(&ran, "E0004", "is for `--engine interleaving`");
    }
    for walks in ["--pct", "--random"] {
        let ran = tso(sb.path(), &["--preemption-bound", "2", walks, "3"]);
        refused(&ran, "E0004", &format!("does not go together with `{walks}`"));
    }
}

#[test]
fn deadlocks_and_endless_waits_are_found() {
    if !has_clang() {
        return;
    }
    let start = "#include <pthread.h>\n#include <stdatomic.h>\n";
    let main = "int main(void) {
      pthread_t one, two;
      pthread_create(&one, 0, first, 0);
      pthread_create(&two, 0, second, 0);
      pthread_join(one, 0);
      pthread_join(two, 0);
      return 0;
    }";
    let crossed = "pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
    void *first(void *x) {
      pthread_mutex_lock(&a); pthread_mutex_lock(&b);
      pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return 0;
    }
    void *second(void *x) {
      pthread_mutex_lock(&b); pthread_mutex_lock(&a);
      pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return 0;
    }";
    let waits = "atomic_int x, y;
    void *first(void *p) { while (!atomic_load(&x)); return 0; }
    void *second(void *p) { atomic_store(&y, 1); return 0; }";
    for (text, kind) in [(crossed, "deadlock"), (waits, "liveness")] {
        let program = file("program.c", &format!("{start}{text}\n{main}"));
        for model in ["sc", "tso", "pso"] {
            let ran =
                raveler(&["check", program.path(), "--model", model, "--engine", "interleaving", "--json"]);
            assert_eq!(json(&ran)["violations"][0]["kind"], kind, "{ran:?}");
        }
    }
}
