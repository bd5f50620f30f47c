//! Limits hold in every command and phase, and what was found is never lost. The bounds on time are generous: what is
//! asserted is that commands end and say what they know.

mod command;

use std::time::{Duration, Instant};

use command::{Ran, TestFile, file, has_clang, raveler};

/// Far more than any limit below.
const SOON: Duration = Duration::from_secs(60);

/// One execution with thousands of events, each round of its loops unlike the others.
const LONG: &str = "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x, n;\n\
    static void *a(void *p) {\n  (void)p;\n  for (int i = 0; i < 4500; i++)\n    atomic_store(&n, i);\n  return 0;\n}\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, a, 0);\n  for (int i = 0; i < 4500; i++)\n\
    \x20   atomic_fetch_add(&x, atomic_load(&n));\n  pthread_join(t, 0);\n}\n";

/// Under xmm it takes minutes to find out what one thread may do by itself: its reads may return many values.
const MANY_VALUES: &str = "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x, y;\n\
    static void *a(void *p) {\n  (void)p;\n  int sum = 0;\n  for (int i = 0; i < 9; i++)\n\
    \x20   sum = sum * 10 + atomic_load_explicit(&x, memory_order_relaxed);\n\
    \x20 atomic_store_explicit(&y, sum + 1, memory_order_relaxed);\n  return 0;\n}\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, a, 0);\n\
    \x20 (void)atomic_load_explicit(&y, memory_order_relaxed);\n  for (int i = 1; i < 10; i++)\n\
    \x20   atomic_store_explicit(&x, i, memory_order_relaxed);\n  pthread_join(t, 0);\n}\n";

/// A loop that waits, but stores something in every round.
const STORES: &str = "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x, n;\n\
    static void *a(void *p) {\n  (void)p;\n  while (!atomic_load(&x))\n    atomic_store(&n, 1);\n  return 0;\n}\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, a, 0);\n  atomic_store(&x, 1);\n  pthread_join(t, 0);\n}\n";

fn c_program(text: &str) -> Option<TestFile> {
    has_clang().then(|| file("program.c", text))
}

fn soon(arguments: &[&str]) -> Ran {
    let started = Instant::now();
    let ran = raveler(arguments);
    assert!(started.elapsed() < SOON, "{arguments:?} took {:?}", started.elapsed());
    ran
}

#[test]
fn a_long_execution_is_stopped_and_its_loop_named() {
    let Some(program) = c_program(LONG) else { return };
    for model in ["sc", "pso", "rc20"] {
        let ran = soon(&["check", program.path(), "--model", model, "--timeout", "1"]);
        assert_eq!(ran.code, 3, "{model}: {}", ran.stdout);
        assert!(ran.stdout.contains("stopped after 1 s (--timeout 1)"), "{model}: {}", ran.stdout);
        assert!(ran.stdout.contains("0 executions were checked"), "{model}: {}", ran.stdout);
        assert!(ran.stdout.contains("in the loop at program.c:"), "{model}: {}", ran.stdout);
        assert!(ran.stdout.contains("--unroll N"), "{model}: {}", ran.stdout);
    }
}

#[test]
fn what_threads_may_do_under_xmm_is_not_asked_for_ever() {
    let Some(program) = c_program(MANY_VALUES) else { return };
    for workers in ["1", "2"] {
        let arguments = ["check", program.path(), "--model", "xmm", "--timeout", "1", "-j", workers];
        let started = Instant::now();
        let ran = raveler(&arguments);
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
        assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("stopped after 1 s (--timeout 1)"), "{}", ran.stdout);
    }
}

#[test]
fn an_estimate_is_stopped_inside_a_walk() {
    let Some(program) = c_program(LONG) else { return };
    let ran = soon(&["estimate", program.path(), "--timeout", "1"]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("no random walk came to an end"), "{}", ran.stdout);
    let ran = soon(&["estimate", program.path(), "--timeout", "1", "--json"]);
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("\"probes\":0"), "{}", ran.stdout);
}

/// However short the walks are.
#[test]
fn an_estimate_is_stopped_between_walks() {
    let Some(program) = c_program("int main(void) { return 0; }\n") else { return };
    let ran = soon(&["estimate", program.path(), "--timeout", "1", "--probes", "10000000000"]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_comparison_is_stopped() {
    let Some(program) = c_program(LONG) else { return };
    let ran =
        soon(&["compare", program.path(), "--left", "--timeout 1", "--right", "--timeout 1 --model sc"]);
    assert_eq!(ran.code, 3, "{}", ran.stdout);
}

#[test]
fn a_loop_that_stores_in_every_round_is_named() {
    let Some(program) = c_program(STORES) else { return };
    for model in ["sc", "tso", "pso", "ra", "rc11", "rc20"] {
        let ran = soon(&["check", program.path(), "--model", model]);
        assert_eq!(ran.code, 3, "{model}: {}", ran.stdout);
        assert!(ran.stdout.contains("the loop at program.c:6"), "{model}: {}", ran.stdout);
        assert!(
            ran.stdout.contains("it writes `n` in every round, at program.c:7"),
            "{model}: {}",
            ran.stdout
        );
        assert!(ran.stdout.contains("--unroll N"), "{model}: {}", ran.stdout);
    }
    let ran = soon(&["estimate", program.path()]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
}

/// A compiler that never ends.
#[cfg(unix)]
#[test]
fn the_compiler_is_stopped() {
    use std::os::unix::fs::PermissionsExt;
    let program = file("program.c", "int main(void) { return 0; }\n");
    let compiler = file("clang", "#!/bin/sh\nexec sleep 300\n");
    let all = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(compiler.path(), all).expect("it is ours");
    for command in ["check", "estimate"] {
        let started = Instant::now();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_raveler"))
            .args([command, program.path(), "--timeout", "0.5"])
            .env("RAVELER_CLANG", compiler.path())
            .output()
            .expect("the command can be started");
        assert!(started.elapsed() < SOON, "{command} took {:?}", started.elapsed());
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(3), "{command}: {said}");
        assert!(said.contains("inconclusive"), "{command}: {said}");
        assert!(command != "check" || said.contains("the program was still being compiled"), "{said}");
    }
}

/// Every write to it fails, though it can be opened.
#[cfg(target_os = "linux")]
#[test]
fn a_picture_that_cannot_be_written_loses_no_verdict() {
    let test = file(
        "sb.litmus",
        "C SB\n{}\nP0 (atomic_int* x, atomic_int* y) {\n  atomic_store_explicit(x, 1, memory_order_relaxed);\n  int r0 = \
         atomic_load_explicit(y, memory_order_relaxed);\n}\nP1 (atomic_int* x, atomic_int* y) {\n  \
         atomic_store_explicit(y, 1, memory_order_relaxed);\n  int r0 = atomic_load_explicit(x, \
         memory_order_relaxed);\n}\nexists (0:r0=0 /\\ 1:r0=0)\n",
    );
    let picture = format!("{}/picture.dot", test.folder());
    std::os::unix::fs::symlink("/dev/full", &picture).expect("the folder is ours");
    for json in [&[][..], &["--json"]] {
        let ran = raveler(&[&["check", test.path(), "--graph", &picture], json].concat());
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("verified"), "{}", ran.stdout);
        assert!(ran.stderr.contains("cannot be written"), "{}", ran.stderr);
    }
}
