//! The stories and pictures of executions that only xmm has, as a user sees them: what is committed, and from which
//! execution it comes.

mod command;

use std::path::Path;

use command::{file, has_clang, json, raveler};
use serde_json::json as value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");

fn shape(name: &str) -> String {
    format!("{ROOT}corpus/litmus/shapes/{name}.litmus")
}

/// What follows the first line that ends with these words, without the token that ends a story.
fn after<'a>(text: &'a str, words: &str) -> &'a str {
    let words = format!("{words}\n");
    let story = text.split_once(&words).unwrap_or_else(|| panic!("`{words}` is missing: {text}")).1;
    story.split_once("   = replay: ").map_or(story, |(story, _)| story)
}

const LB: &str = "C LB
{ [x]=0; [y]=0; }
P0 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  atomic_store_explicit(x, 1, memory_order_relaxed);
}
~exists (0:r0=1 /\\ 1:r0=1)
";

const LB_STORY: &str = "   \
   P1  y is 1  relaxed  LB.litmus:8  committed  saw P0, LB.litmus:5, written later
   P1  x = 1   relaxed  LB.litmus:9
   P0  x is 1  relaxed  LB.litmus:4             saw P1, LB.litmus:9
   P0  y = 1   relaxed  LB.litmus:5  committed
   program order and reads go round in a circle here: another execution was executed again;
      what is committed was taken from it, the rest was done anew
   the other is an execution of rc20: P1 reads y = 1 from P0 as here,
      but P0 does not read x = 1 from P1
   = help: acquire at LB.litmus:4 and LB.litmus:8,
      or release at LB.litmus:5 and LB.litmus:9, would forbid it
";

#[test]
fn a_litmus_test_that_only_xmm_violates() {
    let lb = file("LB.litmus", LB);
    assert_eq!(raveler(&["check", lb.path()]).code, 0);
    for options in [&[][..], &["--equivalence", "co"], &["-j", "2"], &["--xmm-rules", "nocr"]] {
        let ran = raveler(&[&["check", lb.path(), "--model", "xmm"], options].concat());
        assert_eq!(ran.code, 1, "{}", ran.stdout);
        assert_eq!(after(&ran.stdout, "an execution that ends with 0:r0=1 1:r0=1"), LB_STORY);
    }
    // The strict rules commit threads as a whole.
    let ran = raveler(&["check", lb.path(), "--model", "xmm", "--xmm-rules", "strict"]);
    assert_eq!(ran.stdout.matches("committed  saw").count(), 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("P0  y = 1   relaxed  LB.litmus:5  committed\n"), "{}", ran.stdout);
}

#[test]
fn the_help_helps() {
    for (lines, order) in [([4, 8], "acquire"), ([5, 9], "release")] {
        let change = |(number, line): (usize, &str)| match lines.contains(&(number + 1)) {
            true => line.replace("relaxed", order) + "\n",
            false => line.to_string() + "\n",
        };
        let lb = file("LB.litmus", &LB.lines().enumerate().map(change).collect::<String>());
        let ran = raveler(&["check", lb.path(), "--model", "xmm"]);
        assert_eq!(ran.code, 0, "{}", ran.stdout);
        assert!(!ran.stdout.contains("committed"), "{}", ran.stdout);
    }
    // The printed rules do not care for orders, and it is not said that they do.
    let lb = file("LB.litmus", LB);
    let ran = raveler(&["check", lb.path(), "--model", "xmm", "--xmm-rules", "printed"]);
    assert!(ran.stdout.contains("committed") && !ran.stdout.contains("help"), "{}", ran.stdout);
}

#[test]
fn executed_again_twice() {
    let ran = raveler(&["check", &shape("LB+coh-cyc"), "--model", "xmm"]);
    let story = "   \
   P1  x = 1   relaxed  LB+coh-cyc.litmus:19
   P0  x = 2   relaxed  LB+coh-cyc.litmus:11
   P1  x is 2  relaxed  LB+coh-cyc.litmus:20             saw P0, LB+coh-cyc.litmus:11
   P0  x is 3  relaxed  LB+coh-cyc.litmus:12  committed  saw P1, LB+coh-cyc.litmus:23, written later
   P0  y = 1   relaxed  LB+coh-cyc.litmus:14
   P1  y is 1  relaxed  LB+coh-cyc.litmus:21             saw P0, LB+coh-cyc.litmus:14
   P1  x = 3   relaxed  LB+coh-cyc.litmus:23  committed
   program order and reads go round in a circle here: another execution was executed again;
      what is committed was taken from it, the rest was done anew
   the other is an execution that was itself executed again, from one of rc20:
      P0 reads x = 3 from P1 as here, but P1 does not read x = 2 from P0
   = help: acquire at LB+coh-cyc.litmus:12 and LB+coh-cyc.litmus:21,
      or release at LB+coh-cyc.litmus:14 and LB+coh-cyc.litmus:23, would forbid it
";
    assert_eq!(after(&ran.stdout, "an execution that ends with 0:r0=3 1:r1=2 1:r2=1"), story);
}

#[test]
fn executions_are_listed_with_what_is_committed() {
    let lb = file("LB.litmus", LB);
    let ran = raveler(&["check", lb.path(), "--model", "xmm", "--print-executions"]);
    let fourth = "
  P0
    0.0  x is 1  relaxed  LB.litmus:4  from 1.1
    0.1  y = 1   relaxed  LB.litmus:5            committed
  P1
    1.0  y is 1  relaxed  LB.litmus:8  from 0.1  committed
    1.1  x = 1   relaxed  LB.litmus:9
  order of writes
    x: init, 1.1
    y: init, 0.1
  executed again from an execution of rc20: P1 reads y = 1 from P0 as here, but P0 does not read x = 1 from P1
";
    assert!(ran.stdout.contains(fourth), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("executed again from").count(), 1, "{}", ran.stdout);
}

/// Load buffering with an assertion. The first thread is one of the two that go round.
const C: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int seen;
void *left(void *unused) {
  seen = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, left, 0);
  int r = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_join(t, 0);
  assert(!(seen && r));
}
";

#[test]
fn a_c_program_that_only_xmm_violates() {
    if !has_clang() {
        println!("no clang on the PATH: nothing was checked");
        return;
    }
    let lb = file("lb.c", C);
    assert_eq!(raveler(&["check", lb.path()]).code, 0);
    let arguments = ["check", lb.path(), "--model", "xmm"];
    let ran = raveler(&arguments);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    for line in [
        "   thread 1 (left)  x is 1                  relaxed  lb.c:7   committed  saw thread 0, lb.c:15, written later\n",
        "   thread 1 (left)  y = 1                   relaxed  lb.c:8\n",
        "   thread 0 (main)  y is 1                  relaxed  lb.c:14             saw thread 1, lb.c:8\n",
        "   thread 0 (main)  x = 1                   relaxed  lb.c:15  committed\n",
        "   the other is an execution of rc20: thread 1 reads x = 1 from thread 0 as here,\n      \
         but thread 0 does not read y = 1 from thread 1\n   \
         = help: acquire at lb.c:7 and lb.c:14, or release at lb.c:8 and lb.c:15, would forbid it\n",
    ] {
        assert!(ran.stdout.contains(line), "`{line}` is missing: {}", ran.stdout);
    }
    let execution = &json(&raveler(&[&arguments[..], &["--json"]].concat()))["violations"][0]["execution"];
    assert_eq!(execution["executed_again"], value!({ "round": 0, "only_here": ["0.1"] }));
    let threads = execution["threads"].as_array().expect("a list");
    let events = threads.iter().flat_map(|thread| thread["events"].as_array().expect("a list"));
    let committed = events.filter(|event| event.get("committed") == Some(&true.into()));
    let committed: Vec<&str> = committed.filter_map(|event| event["id"].as_str()).collect();
    assert_eq!(committed, ["0.0", "0.2", "1.0"], "a spawn comes before all of its thread: {execution}");
}

#[test]
fn other_executions_have_nothing_committed() {
    if !has_clang() {
        println!("no clang on the PATH: nothing was checked");
        return;
    }
    let lb = file("lb.c", &C.replace("!(seen && r)", "!seen"));
    let ran = raveler(&["check", lb.path(), "--model", "xmm"]);
    assert!(ran.code == 1 && !ran.stdout.contains("committed"), "{}", ran.stdout);
    let ran = raveler(&["check", lb.path(), "--model", "xmm", "--json"]);
    assert!(!ran.stdout.contains("committed") && !ran.stdout.contains("executed_again"), "{}", ran.stdout);
}

#[test]
fn the_pictures_in_the_documentation_are_what_is_drawn() {
    for (picture, test) in [("xmm-lb.svg", "LB+rlx"), ("xmm-coh-cyc.svg", "LB+coh-cyc")] {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let path = folder.path().join(picture);
        let drawn = path.to_str().expect("the path is text");
        raveler(&["check", "--model", "xmm", "--graph", drawn, &shape(test)]);
        let drawn = std::fs::read_to_string(&path).expect("it was drawn");
        let kept = Path::new(ROOT).join("docs").join(picture);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&kept, &drawn).expect("pictures can be written");
        }
        let kept = std::fs::read_to_string(&kept).unwrap_or_default();
        assert!(drawn == kept, "docs/{picture} differs; BLESS=1 draws it again");
    }
}
