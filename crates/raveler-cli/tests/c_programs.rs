//! Checks of C programs, as a user runs them. Without clang on the PATH nothing is run.

mod command;

use command::{Ran, TestFile, file, has_clang, raveler};

/// A program that depends on what the command line says about it.
const PROGRAM: &str = "#include <assert.h>
#include <raveler.h>

#ifndef LIMIT
#define LIMIT 0
#endif

int value(void) {
  int n = __VERIFIER_nondet_int();
  assert(n <= LIMIT);
  return 0;
}

int rounds(void) {
  int wanted = rv_choose(1, 4), done = 0;
  for (int i = 0; i < wanted; i++)
    done++;
  assert(done != 1);
  assert(done != 3);
  return 0;
}

int main(void) {
  int n = rv_choose(0, LIMIT);
  assert(n < 7);
}
";

fn program() -> Option<TestFile> {
    if !has_clang() {
        println!("no clang on the PATH: nothing was run");
        return None;
    }
    Some(file("program.c", PROGRAM))
}

fn compare(program: &TestFile, left: &str, right: &str, flags: &[&str]) -> Ran {
    let mut arguments = vec!["compare", program.path(), "--left", left, "--right", right, "--"];
    arguments.extend(flags);
    raveler(&arguments)
}

/// Does the answer say that this assertion fails with these options only?
fn fails_only_with(ran: &Ran, options: &str, assertion: &str) -> bool {
    let line = PROGRAM.lines().position(|line| line.contains(assertion)).expect("it is in the program") + 1;
    let title = format!("violations only with {options}\n   assertion  ");
    let place = ran.stdout.split_once(&title).and_then(|(_, rest)| rest.lines().next());
    place.is_some_and(|place| place.ends_with(&format!("program.c:{line}")))
}

#[test]
fn each_side_of_a_comparison_has_its_own_options() {
    let Some(program) = program() else { return };
    for (left, right, assertion) in [
        ("--entry value --nondet 0..0", "--entry value --nondet 0..1", "n <= LIMIT"),
        ("--entry main", "--entry value --nondet 1..1", "n <= LIMIT"),
        ("", "--entry rounds", "done != 1"),
        ("--entry rounds --all --unroll 2", "--entry rounds --all --unroll 4", "done != 3"),
    ] {
        let ran = compare(&program, left, right, &[]);
        assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{left} | {right}: {}", ran.stdout);
        assert!(fails_only_with(&ran, right, assertion), "{right}: {}", ran.stdout);
        assert!(!ran.stdout.contains("no difference"), "{}", ran.stdout);
        // The sides are not mixed up.
        let ran = compare(&program, right, left, &[]);
        assert_eq!(ran.code, 1, "{right} | {left}: {}", ran.stdout);
        assert!(fails_only_with(&ran, right, assertion), "{right}: {}", ran.stdout);
        for same in [left, right] {
            let ran = compare(&program, same, same, &[]);
            assert_eq!(ran.code, 0, "{same}: {}", ran.stdout);
            assert!(
                ran.stdout.contains("no difference in verdict, outcomes and violations"),
                "{}",
                ran.stdout
            );
        }
    }
}

#[test]
fn a_side_that_was_cut_leaves_a_comparison_open() {
    let Some(program) = program() else { return };
    let ran = compare(&program, "--entry rounds --unroll 4 --all", "--unroll 1", &[]);
    assert_eq!(ran.code, 1, "main has no loop: {}", ran.stdout);
    let text = PROGRAM.replace("done != 1", "done > 0");
    let program = file("program.c", &text);
    let ran = compare(&program, "--entry rounds --unroll 2", "--entry rounds --unroll 4", &[]);
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("violations only with --entry rounds --unroll 4\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("one side did not see everything"), "{}", ran.stdout);
}

#[test]
fn flags_for_clang_reach_every_command() {
    let Some(program) = program() else { return };
    for (flags, code) in [(&[][..], 1), (&["-DLIMIT=1"], 0)] {
        let ran = compare(&program, "--entry value --nondet 0..0", "--entry value --nondet 0..1", flags);
        assert_eq!(ran.code, code, "{flags:?}: {}", ran.stdout);
    }
    for (flags, code) in [("-DLIMIT=6", 0), ("-DLIMIT=7", 1)] {
        let ran = raveler(&["check", program.path(), "--", flags]);
        assert_eq!(ran.code, code, "{flags}: {}", ran.stdout);
    }
    for (flags, words) in [("-DLIMIT=2", "has about 3 executions"), ("-DLIMIT=4", "has about 5 executions")] {
        let ran = raveler(&["estimate", program.path(), "--", flags]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
        assert!(ran.stdout.contains(words), "{flags}: {}", ran.stdout);
    }
}

#[test]
fn the_accesses_that_race_are_red() {
    if !has_clang() {
        return;
    }
    let ring = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/c/structures/spsc_ring.c");
    let folder = file("picture.dot", "");
    for locks in ["aware", "ordered"] {
        let options = ["check", ring, "--locks", locks, "--graph", folder.path(), "--", "-DBUG_RELAXED_TAIL"];
        let ran = raveler(&options);
        assert_eq!(ran.code, 1, "{}", ran.stdout);
        assert!(ran.stdout.starts_with("violation: data race on ring[0] "), "{}", ran.stdout);
        let picture = std::fs::read_to_string(folder.path()).expect("it was drawn");
        let red: Vec<&str> = picture.lines().filter(|line| line.contains("penwidth=2")).collect();
        assert_eq!(red.len(), 2, "{picture}");
        assert!(red[0].contains("label=\"ring[0] = 1\\n"), "the write: {}", red[0]);
        assert!(red[1].contains("label=\"ring[0] is 0\\n"), "the read: {}", red[1]);
    }
}

#[test]
fn verified_without_any_execution_says_so() {
    if !has_clang() {
        println!("no clang on the PATH: nothing was run");
        return;
    }
    let text = "extern void __VERIFIER_assume(int);\nint x;\nint main(void) {\n  __VERIFIER_assume(x);\n}\n";
    let program = file("vacuous.c", text);
    let ran = raveler(&["check", program.path()]);
    let first = ran.stdout.lines().next().unwrap_or_default();
    assert!(first.starts_with("verified: no violation, but no execution came to its end"), "{first}");
    assert!(
        ran.stdout.contains("vacuous.c:4, where an assumption always fails"),
        "the assumption is named: {}",
        ran.stdout
    );
    let ran = raveler(&["check", "--json", program.path()]);
    assert!(ran.stdout.contains("\"kind\":\"vacuous\""), "{}", ran.stdout);
}

#[test]
fn less_stack_than_usual_is_a_bound() {
    if !has_clang() {
        return;
    }
    let source =
        "int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }\nint main(void) { return depth(N); }\n";
    let program = file("deep.c", source);
    let check = |options: &[&str], calls: &str| {
        let mut arguments = vec!["check", program.path()];
        arguments.extend(options);
        arguments.extend(["--", calls]);
        raveler(&arguments)
    };
    let enough = check(&[], "-DN=5000");
    assert_eq!(enough.code, 0, "{}", enough.stdout);
    let endless = check(&[], "-DN=-1");
    assert_eq!(endless.code, 1, "{}", endless.stdout);
    assert!(endless.stdout.contains("stack overflow"), "{}", endless.stdout);
    let bounded = check(&["--max-stack", "100K"], "-DN=5000");
    assert_eq!(bounded.code, 3, "{}", bounded.stdout);
    assert!(bounded.stdout.contains("--max-stack 102400"), "{}", bounded.stdout);
    let json = check(&["--max-stack", "100K", "--json"], "-DN=5000");
    assert!(json.stdout.contains(r#""bounds":{"stack":102400,"cut":1}"#), "{}", json.stdout);
}
