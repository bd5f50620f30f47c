//! What C++20's order of `seq_cst` operations forbids and RC11's does not, judged by brute force.

use raveler_core::Model::{Rc11, Rc20};
use raveler_judge::brute::{Limits, judge};
use raveler_judge::random::{Profile, program};
use raveler_judge::text::parse;

/// Name of the litmus test, threads, and the executions with their coherence orders under RC11 and RC20. The programs
/// differ in where fences stand and which accesses are `seq_cst`; the same number twice means that the clause in
/// question does not apply.
const PROGRAMS: &[(&str, &str, [usize; 2])] = &[
    (
        "RWC+rlx+sc+sc",
        "store x 1 relaxed \
         | r0 = load x seq_cst; r1 = load y seq_cst \
         | store y 1 seq_cst; r0 = load x seq_cst",
        [8, 7],
    ),
    (
        "IRIW+rlx+sc",
        "store x 1 relaxed \
         | store y 1 relaxed \
         | r0 = load x seq_cst; r1 = load y seq_cst \
         | r0 = load y seq_cst; r1 = load x seq_cst",
        [16, 15],
    ),
    (
        "RWC+rel+sc+sc",
        "store x 1 release \
         | r0 = load x seq_cst; r1 = load y seq_cst \
         | store y 1 seq_cst; r0 = load x seq_cst",
        [8, 7],
    ),
    (
        "IRIW+rel+sc",
        "store x 1 release \
         | store y 1 release \
         | r0 = load x seq_cst; r1 = load y seq_cst \
         | r0 = load y seq_cst; r1 = load x seq_cst",
        [16, 15],
    ),
    (
        "RWC+rlx+sc+fsc",
        "store y 1 relaxed \
         | r0 = load y seq_cst; r1 = load x seq_cst \
         | store x 1 relaxed; fence seq_cst; r0 = load y relaxed",
        [8, 7],
    ),
    (
        "RWC+rlx+fsc+sc",
        "store x 1 relaxed \
         | r0 = load x relaxed; fence seq_cst; r1 = load y relaxed \
         | store y 1 seq_cst; r0 = load x seq_cst",
        [8, 7],
    ),
    (
        "RWC+rlx+sc-fsc+sc",
        "store x 1 relaxed \
         | r0 = load x relaxed; fence seq_cst; r1 = load y seq_cst \
         | store y 1 seq_cst; r0 = load x seq_cst",
        [8, 7],
    ),
    (
        "IRIW+rlx+sc+fsc",
        "store x 1 relaxed \
         | store y 1 relaxed \
         | r0 = load x seq_cst; r1 = load y seq_cst \
         | r0 = load y relaxed; fence seq_cst; r1 = load x relaxed",
        [16, 15],
    ),
    (
        "ISA2+fsc+acq+sc",
        "store z 1 relaxed; fence seq_cst; store x 1 relaxed \
         | r0 = load x acquire; store y 1 relaxed \
         | r0 = load y seq_cst; r1 = load z seq_cst",
        [8, 7],
    ),
    (
        "ISA2+fsc+acq+fsc",
        "store z 1 relaxed; fence seq_cst; store x 1 relaxed \
         | r0 = load x acquire; store y 1 relaxed \
         | r0 = load y relaxed; fence seq_cst; r1 = load z relaxed",
        [7, 7],
    ),
    (
        "ISA2+rel+acq+sc",
        "store z 1 relaxed; store x 1 release \
         | r0 = load x acquire; store y 1 relaxed \
         | r0 = load y seq_cst; r1 = load z seq_cst",
        [8, 8],
    ),
    (
        "RWC+two-sc+acq+sc",
        "store x 1 seq_cst; store x 2 seq_cst \
         | r0 = load x acquire; r1 = load y seq_cst \
         | store y 1 seq_cst; r0 = load x seq_cst",
        [18, 17],
    ),
    (
        "RWC+one-sc+acq+sc",
        "store x 1 seq_cst \
         | r0 = load x acquire; r1 = load y seq_cst \
         | store y 1 seq_cst; r0 = load x seq_cst",
        [8, 8],
    ),
    (
        "RWC+sc-rel+acq+sc",
        "store x 1 seq_cst; store x 2 release \
         | r0 = load x acquire; r1 = load y seq_cst \
         | store y 1 seq_cst; r0 = load x seq_cst",
        [18, 17],
    ),
    (
        "RWC+xchg+acq+sc",
        "r0 = exchange x 1 seq_cst \
         | r0 = load x acquire; r1 = load y seq_cst \
         | store y 1 seq_cst; r0 = load x seq_cst",
        [8, 8],
    ),
    (
        "SB+rel+acq-sc",
        "r0 = load x acquire; r1 = load x seq_cst \
         | store x 1 seq_cst; r0 = load y seq_cst \
         | store y 2 seq_cst; store x 3 release",
        [24, 23],
    ),
    (
        "W+RWC+sc+rlx+sc",
        "store x 1 seq_cst; store y 1 relaxed \
         | r0 = load y seq_cst; r1 = load z seq_cst \
         | store z 1 seq_cst; r0 = load x seq_cst",
        [8, 8],
    ),
    (
        "W+RWC+fsc+rlx+sc",
        "store x 1 relaxed; fence seq_cst; store y 1 relaxed \
         | r0 = load y seq_cst; r1 = load z seq_cst \
         | store z 1 seq_cst; r0 = load x seq_cst",
        [7, 7],
    ),
    (
        "Z6.3+sc+rel+sc",
        "store x 1 seq_cst; store y 1 seq_cst \
         | store y 2 release \
         | r0 = load y seq_cst; r1 = load x seq_cst",
        [10, 9],
    ),
    (
        "Z6.3+sc+rlx+sc",
        "store x 1 seq_cst; store y 1 seq_cst \
         | store y 2 relaxed \
         | r0 = load y seq_cst; r1 = load x seq_cst",
        [10, 9],
    ),
    (
        "Z6.4+sc+rlx",
        "store x 1 seq_cst; store y 1 seq_cst \
         | store y 2 seq_cst; r0 = load z seq_cst \
         | store z 1 relaxed \
         | r0 = load z seq_cst; r1 = load x seq_cst",
        [16, 15],
    ),
];

#[test]
fn brute_force_tells_the_orders_apart() {
    for (name, threads, expected) in PROGRAMS {
        let mut text = String::from("locations x=0 y=0 z=0\n");
        for (number, thread) in threads.split('|').enumerate() {
            text += &format!("thread {number}\n{}\n", thread.replace(';', "\n"));
        }
        let judged = judge(&parse(&text).expect(name), Limits::default()).expect(name);
        assert_eq!([Rc11, Rc20].map(|model| judged.executions(model)), *expected, "{name}");
    }
}

/// Few random programs meet the clauses in which the orders differ; those of one profile are made for them.
#[test]
fn a_profile_meets_the_clauses() {
    let (mut programs, mut differing) = (0, 0);
    for seed in 1..=600 {
        let Ok(judged) = judge(&program(Profile::ScOrder, seed), Limits::default()) else { continue };
        let mut orders = judged.found.iter().flat_map(|found| &found.orders);
        programs += 1;
        differing += usize::from(orders.any(|(_, models)| models.has(Rc11) && !models.has(Rc20)));
    }
    assert!(differing * 20 > programs, "only {differing} of {programs} programs");
}
