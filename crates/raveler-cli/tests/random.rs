//! Random walks from the command line.

mod command;

use command::{file, raveler, refused};

const LATE: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static atomic_int data, flag;
static void *writer(void *unused) {
  (void)unused;
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return NULL;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  while (!atomic_load_explicit(&flag, memory_order_relaxed))
    ;
#ifdef BUG
  assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
#endif
  pthread_join(thread, NULL);
  return 0;
}
"#;

/// What a report says, without what depends on the clock.
fn told(text: &str) -> Vec<String> {
    text.lines().filter(|line| !line.contains(" ms") && !line.contains(" s;")).map(str::to_owned).collect()
}

#[test]
fn a_bug_is_found_and_found_again() {
    let late = file("late.c", LATE);
    let ask = |workers: &str| raveler(&["check", "--random", "5", "-j", workers, late.path(), "--", "-DBUG"]);
    let (one, again, two) = (ask("1"), ask("1"), ask("2"));
    assert_eq!(one.code, 1, "{one:?}");
    assert!(one.stdout.contains("(--random 5)"), "the seed is named: {}", one.stdout);
    assert!(one.stdout.contains("1 up to a violation"), "{}", one.stdout);
    assert!(!one.stdout.contains("came to nothing"), "{}", one.stdout);
    assert_eq!(told(&one.stdout), told(&again.stdout));
    assert_eq!(told(&one.stdout), told(&two.stdout));
}

#[test]
fn walks_never_verify() {
    let late = file("late.c", LATE);
    let ran = raveler(&["check", "--random", "5", "--max-executions", "300", late.path()]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stdout.starts_with("inconclusive: no violation in 300 random walks"), "{}", ran.stdout);
    assert!(ran.stdout.contains("300 random walks (--random 5): 300 complete"), "{}", ran.stdout);
    let json = raveler(&["check", "--random", "5", "--max-executions", "300", "--json", late.path()]);
    assert!(json.stdout.contains(r#""random":{"seed":5,"walks":300}"#), "{}", json.stdout);
    assert!(json.stdout.contains(r#""locks":"ordered""#), "{}", json.stdout);
}

#[test]
fn options_that_do_not_go_together() {
    let late = file("late.c", LATE);
    for (options, help) in [
        (&["check", "--random", "1", "--locks", "aware"][..], "random walks take locks in some order"),
        (&["check", "--random", "1", "--model", "xmm"], "choose another model"),
        (&["check", "--random", "1", "--report", "lb-races"], "leave out `--random`"),
        (&["estimate", "--random", "1"], "--probes"),
    ] {
        let mut arguments = options.to_vec();
        arguments.push(late.path());
        let ran = raveler(&arguments);
        refused(&ran, "E0004", "does not go together");
        assert!(ran.stderr.contains(help), "{}", ran.stderr);
    }
}
