//! Brute force on programs that allocate and free memory, against what follows from the rule by hand; then the engine.
//!
//! Under RC11 and RC20 relaxed accesses do not order anything; under the others what was read does.

use std::collections::BTreeSet;

use raveler_core::ViolationKind::{DoubleFree, UninitialisedRead, UseAfterFree};
use raveler_core::{Equivalence, Model, ViolationKind};
use raveler_judge::brute::{Judged, Limits, judge, judge_sections};
use raveler_judge::compare::oracle;
use raveler_judge::program::TestProgram;
use raveler_judge::text::parse;

/// A program of one object with one cell (and one lock if it says so) that the first thread allocates before it spawns
/// the others. Threads are separated by `|`, statements by `;`.
fn program(object: &str, threads: &str) -> TestProgram {
    let mut bodies = threads.split('|').map(|body| body.replace(';', "\n")).collect::<Vec<_>>();
    let spawns: String = (1..bodies.len()).map(|child| format!("spawn {child}\n")).collect();
    bodies[0] = format!("alloc o0\n{spawns}{}", bodies[0]);
    let mut text = format!("locations x=0 y=0\nlocks 2\nobject o0 {object}\n");
    for (thread, body) in bodies.iter().enumerate() {
        text += &format!("thread {thread}\n{body}\n");
    }
    parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn both(program: &TestProgram) -> Vec<Judged> {
    let sections = judge_sections(program, Limits::default()).expect("a small program");
    let words = judge(program, Limits::default()).expect("a small program");
    if program.has_trylocks() { vec![words] } else { vec![words, sections] }
}

/// Under these models these kinds are possible, and one of them must be found; under the others nothing is wrong.
fn check(object: &str, threads: &str, models: &[Model], kinds: &[ViolationKind]) {
    let program = program(object, threads);
    let equivalences = [Equivalence::ReadsFrom, Equivalence::Coherence];
    let verdict = oracle(&program, &Model::CAUSAL, &equivalences, Limits::default());
    assert_eq!(verdict.difference, None, "{threads}");
    for judged in both(&program) {
        for model in Model::CAUSAL {
            let expected: BTreeSet<ViolationKind> =
                if models.contains(&model) { kinds.iter().copied().collect() } else { BTreeSet::new() };
            assert_eq!(judged.mistakes.possible(model), expected, "{}: {threads}", model.name());
            assert_eq!(judged.mistakes.first(model).next().is_some(), !expected.is_empty(), "{threads}");
        }
    }
}

const ALL: &[Model] = &Model::CAUSAL;
const WEAK: &[Model] = &[Model::Rc11, Model::Rc20];
const CELL: &str = "1 zeroed";
const LOCK: &str = "1 zeroed locks 0";

#[test]
fn a_join_orders_a_use_and_a_free() {
    check(CELL, "join 1; free o0 | store o0 1 relaxed", &[], &[]);
    check(CELL, "free o0; join 1 | store o0 1 relaxed", ALL, &[UseAfterFree]);
    check(CELL, "free o0; r0 = load o0 relaxed", ALL, &[UseAfterFree]);
    check(CELL, "join 1; join 2; free o0 | store o0 1 relaxed | r0 = load o0 relaxed", &[], &[]);
    check(CELL, "join 1; free o0 | store o0 1 relaxed | r0 = load o0 relaxed", ALL, &[UseAfterFree]);
}

#[test]
fn two_frees_are_wrong_in_any_order() {
    check(CELL, "free o0; free o0", ALL, &[DoubleFree]);
    check(CELL, "free o0 | free o0", ALL, &[DoubleFree]);
    check(CELL, "join 1; free o0 | free o0", ALL, &[DoubleFree]);
    // The second free needs what only the first thread's store can give, which comes after its free.
    check(
        CELL,
        "free o0; store x 1 release | r0 = load x acquire; if r0 == 1 {; free o0; }",
        ALL,
        &[DoubleFree],
    );
    check(CELL, "r0 = load x relaxed; if r0 == 1 {; free o0; } | free o0", &[], &[]);
}

#[test]
fn what_is_not_written_is_not_known() {
    check("1", "r0 = load o0 relaxed", ALL, &[UninitialisedRead]);
    check("1", "store o0 1 relaxed; r0 = load o0 relaxed", &[], &[]);
    check("1", "r0 = add o0 1 relaxed", ALL, &[UninitialisedRead]);
    check("1", "store o0 1 relaxed | r0 = load o0 relaxed", ALL, &[UninitialisedRead]);
    check(CELL, "r0 = load o0 relaxed", &[], &[]);
    // Whoever sees the flag sees the cell, if the flag is released, or if the model orders all reads and writes.
    let flag = |order: &str| {
        format!(
            "store o0 1 relaxed; store x 1 {order} | r0 = load x acquire; if r0 == 1 {{; r1 = load o0 relaxed; }}"
        )
    };
    check("1", &flag("release"), &[], &[]);
    check("1", &flag("relaxed"), &[Model::Pso, Model::Rc11, Model::Rc20], &[UninitialisedRead]);
}

#[test]
fn a_release_seen_by_an_acquire_orders() {
    let hand = |write: &str, read: &str| {
        format!("r0 = load x {read}; if r0 == 1 {{; free o0; }} | r0 = load o0 relaxed; store x 1 {write}")
    };
    check(CELL, &hand("release", "acquire"), &[], &[]);
    // The other models order everything in the past of a read, which is what their past is.
    check(CELL, &hand("relaxed", "acquire"), WEAK, &[UseAfterFree]);
    check(CELL, &hand("release", "relaxed"), WEAK, &[UseAfterFree]);
    let late = "r0 = load x acquire; if r0 == 1 {; free o0; } | store x 1 release; r0 = load o0 relaxed";
    check(CELL, late, ALL, &[UseAfterFree]);
}

#[test]
fn the_last_of_several_owners_frees() {
    let owner =
        |order: &str| format!("r0 = load o0 relaxed; r1 = add x 1 {order}; if r1 == 1 {{; free o0; }}");
    let two = |order: &str| format!("{0}|{0}", owner(order));
    check(CELL, &two("acq_rel"), &[], &[]);
    check(CELL, &two("release"), WEAK, &[UseAfterFree]);
    check(CELL, &two("relaxed"), WEAK, &[UseAfterFree]);
}

#[test]
fn locks_order_and_are_used() {
    // A lock elsewhere: who comes second frees.
    let owner = "lock 1; r0 = load o0 relaxed; r1 = add x 1 relaxed; unlock 1; if r1 == 1 {; free o0; }";
    check(CELL, &format!("{owner}|{owner}"), &[], &[]);
    // The same with the lock in the object: the last release comes before the free all the same.
    let owner = "lock 0; r1 = add x 1 relaxed; unlock 0; if r1 == 1 {; free o0; }";
    check(LOCK, &format!("{owner}|{owner}"), &[], &[]);
    // Freed before it is released.
    let owner = "lock 0; r1 = add x 1 relaxed; if r1 == 1 {; free o0; }; unlock 0".replace("};", "}\n");
    check(LOCK, &format!("{owner}|{owner}"), ALL, &[UseAfterFree]);
    // The other thread may come later.
    check(LOCK, "lock 0; unlock 0; free o0 | lock 0; unlock 0", ALL, &[UseAfterFree]);
    check(LOCK, "free o0 | lock 0; unlock 0", ALL, &[UseAfterFree]);
    check(LOCK, "free o0 | readlock 0; unlock 0", ALL, &[UseAfterFree]);
    check(LOCK, "lock 0; unlock 0; join 1; free o0 | lock 0; unlock 0", &[], &[]);
    check(LOCK, "free o0 | r0 = trylock 0", ALL, &[UseAfterFree]);
    // The flag is written in the section: whoever sees it in a later section comes after the lock was taken there, and
    // after it was released.
    let seen = "lock 0; r0 = load x relaxed; unlock 0; if r0 == 1 {; free o0; } | lock 0; store x 1 relaxed; unlock 0";
    check(LOCK, seen, &[], &[]);
    // Seen outside a section the release may still be to come.
    let outside = "r0 = load x acquire; if r0 == 1 {; free o0; } | lock 0; store x 1 release; unlock 0";
    check(LOCK, outside, ALL, &[UseAfterFree]);
}

#[test]
fn waiting_for_a_lock_is_using_it() {
    check(LOCK, "lock 0 | lock 0; free o0", ALL, &[UseAfterFree]);
    check(LOCK, "lock 0; unlock 0 | lock 0; free o0", ALL, &[UseAfterFree]);
}

#[test]
fn readers_do_not_wait_for_each_other() {
    let reader = |mode: &str| {
        format!(
            "{mode} 0; r0 = load x relaxed; unlock 0; if r0 == 1 {{; free o0; }} | {mode} 0; store x 1 relaxed; unlock 0"
        )
    };
    check(LOCK, &reader("lock"), &[], &[]);
    check(LOCK, &reader("readlock"), ALL, &[UseAfterFree]);
}

#[test]
fn what_shows_only_after_a_mistake_need_not_be_found() {
    // The free of the other thread comes after its use, which is wrong already.
    let threads = "free o0 | store o0 1 relaxed; free o0";
    let [words, _] = &both(&program(CELL, threads))[..] else { panic!("two ways") };
    for model in Model::CAUSAL {
        assert_eq!(words.mistakes.possible(model), [UseAfterFree, DoubleFree].into());
        let first: Vec<_> = words.mistakes.first(model).cloned().collect();
        assert_eq!(first, [[UseAfterFree].into()]);
    }
}

#[test]
fn programs_are_read_back() {
    let source = "locations x=0\nlocks 1\nobject o0 2 zeroed locks 0\nobject o1 1\nthread 0\n  alloc o0\n  alloc o1\n  \
                  spawn 1\n  store o0.1 1 relaxed\n  free o1\nthread 1\n  r0 = load o1 relaxed\n  lock 0\n";
    let program = parse(source).expect("well formed");
    assert_eq!(raveler_judge::text::print(&program), source);
    let early = parse("locations\nobject o0 1\nthread 0\n  spawn 1\n  alloc o0\nthread 1\n  free o0\n");
    assert_eq!(early, Err("object 0 may be used before it is there".to_string()));
    assert!(parse("locations\nobject o0 1\nthread 0\n  free o0\n").is_err());
}
