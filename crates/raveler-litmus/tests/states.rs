//! Gathering states: examples, workers, stopping.

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use raveler_core::{Address, Counts, Entry, Flow, Fork, Observer, Program, Value, Witness};
use raveler_litmus::{States, Test};

const TEST: &str = "C t\n{ }\nP0 (int* x) { *x = 1; }\nP1 (int* x) { int r0 = *x; }\n";

fn test(condition: &str) -> Test {
    support::parse(&format!("{TEST}{condition}"))
}

/// Note an execution in which P1 reads `read` and memory ends with each of `finals`.
fn note(states: &mut States, test: &Test, read: Value, finals: &[Value]) {
    let cursors: Vec<_> = (0..2)
        .map(|thread| {
            let mut cursor = test.program.start(Entry::Initial(thread));
            test.program.step(&mut cursor, raveler_core::Answer::NONE);
            test.program.step(&mut cursor, raveler_core::Answer::Value(read));
            cursor
        })
        .collect();
    let rows = |addresses: &[Address]| finals.iter().map(|v| vec![*v; addresses.len()]).collect();
    states.note(|thread| &cursors[thread], rows, |_, _| Witness::default());
}

#[test]
fn an_execution_can_end_in_several_states() {
    let test = test("exists (1:r0=7 /\\ x=2)");
    let mut states = States::new(&test);
    assert!(states.is_empty() && !states.holds());
    note(&mut states, &test, 7, &[1, 2, 1]);
    assert_eq!(states.sorted_states(), ["1:r0=7 x=1", "1:r0=7 x=2"]);
    assert_eq!(states.example().map(|e| e.state.as_str()), Some("1:r0=7 x=2"));
    assert!(states.holds());
}

#[test]
fn memory_is_not_asked_for_when_only_registers_are_shown() {
    let test = test("forall (1:r0=0)");
    let mut states = States::new(&test);
    let cursor = test.program.start(Entry::Initial(1));
    states.note(|_| &cursor, |_| panic!("nobody wants memory"), |_, _| Witness::default());
    assert_eq!(states.sorted_states(), ["1:r0=0"]);
}

#[test]
fn examples_decide_the_condition() {
    for (condition, holds, example) in [
        ("exists (1:r0=1)", true, Some("1:r0=1")),
        ("exists (1:r0=3)", false, None),
        ("~exists (1:r0=1)", false, Some("1:r0=1")),
        ("~exists (1:r0=3)", true, None),
        ("forall (1:r0=0)", false, Some("1:r0=1")),
        ("forall (1:r0=0 \\/ 1:r0=1)", true, None),
    ] {
        let test = test(condition);
        let mut states = States::new(&test);
        note(&mut states, &test, 0, &[1]);
        note(&mut states, &test, 1, &[1]);
        assert_eq!((states.holds(), states.len()), (holds, 2), "{condition}");
        assert_eq!(states.example().map(|e| e.state.as_str()), example, "{condition}");
    }
}

#[test]
fn workers_are_merged() {
    let test = test("forall (1:r0=0)");
    let mut first = States::new(&test);
    let mut second = first.fork();
    note(&mut first, &test, 0, &[1]);
    note(&mut second, &test, 0, &[1]);
    note(&mut second, &test, 1, &[1]);
    first.merge(second);
    assert_eq!(first.sorted_states(), ["1:r0=0", "1:r0=1"]);
    assert_eq!((first.satisfying(), first.holds()), (1, false));
    assert_eq!(first.example().map(|e| e.state.as_str()), Some("1:r0=1"));
}

#[test]
fn the_flag_stops_the_search() {
    let stop = Arc::new(AtomicBool::new(false));
    let mut states = States::new(&test("")).with_stop(Arc::clone(&stop));
    let mut worker = states.fork();
    assert_eq!(states.progress(&Counts::default()), Flow::Continue);
    stop.store(true, Ordering::Relaxed);
    assert_eq!(states.progress(&Counts::default()), Flow::Stop);
    assert_eq!(worker.progress(&Counts::default()), Flow::Stop);
}
