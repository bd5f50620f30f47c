//! Programs whose numbers are known from the literature or from the notes on the algorithm, judged by brute force.

use raveler_core::Model::{self, *};
use raveler_judge::brute::{Judged, Limits, judge};
use raveler_judge::text::parse;

const GENEROUS: Limits = Limits { traces: 20_000, combinations: 50_000_000, candidates: 5_000_000 };

/// A program in short: threads separated by `|`, statements by `;`, every location from x to z starting at 0.
fn judged(short: &str) -> Judged {
    let mut text = String::from("locations x=0 y=0 z=0\n");
    for (thread, body) in short.split('|').enumerate() {
        text += &format!("thread {thread}\n");
        for stmt in body.split(';').filter(|stmt| !stmt.trim().is_empty()) {
            text += &format!("{}\n", stmt.trim());
        }
    }
    judge(&parse(&text).expect("the program is well formed"), GENEROUS).expect("it is small enough")
}

fn classes(short: &str, models: &[Model]) -> Vec<usize> {
    let judged = judged(short);
    models.iter().map(|&model| judged.classes(model)).collect()
}

fn executions(short: &str, models: &[Model]) -> Vec<usize> {
    let judged = judged(short);
    models.iter().map(|&model| judged.executions(model)).collect()
}

#[test]
fn store_buffering() {
    let relaxed = "store x 1 relaxed; r0 = load y relaxed | store y 1 relaxed; r0 = load x relaxed";
    assert_eq!(classes(relaxed, &Model::CAUSAL), [3, 4, 4, 4, 4, 4, 4]);
    let seq_cst = "store x 1 seq_cst; r0 = load y seq_cst | store y 1 seq_cst; r0 = load x seq_cst";
    assert_eq!(classes(seq_cst, &Model::CAUSAL), [3, 3, 3, 4, 4, 3, 3]);
    let fences = "store x 1 relaxed; fence seq_cst; r0 = load y relaxed \
                | store y 1 relaxed; fence seq_cst; r0 = load x relaxed";
    assert_eq!(classes(fences, &Model::CAUSAL), [3, 3, 3, 4, 4, 3, 3]);
}

#[test]
fn message_passing() {
    let relaxed = "store x 1 relaxed; store y 1 relaxed | r0 = load y relaxed; r1 = load x relaxed";
    assert_eq!(classes(relaxed, &Model::CAUSAL), [3, 3, 4, 3, 3, 4, 4]);
    let release = "store x 1 relaxed; store y 1 release | r0 = load y acquire; r1 = load x relaxed";
    assert_eq!(classes(release, &Model::CAUSAL), [3; Model::CAUSAL.len()]);
}

#[test]
fn two_plus_two_writes() {
    let relaxed = "store x 1 relaxed; store y 2 relaxed | store y 1 relaxed; store x 2 relaxed";
    assert_eq!(classes(relaxed, &Model::CAUSAL), [1; Model::CAUSAL.len()]);
    assert_eq!(executions(relaxed, &Model::CAUSAL), [3, 3, 4, 3, 4, 4, 4]);
}

#[test]
fn load_buffering_is_forbidden() {
    let relaxed = "r0 = load x relaxed; store y 1 relaxed | r0 = load y relaxed; store x 1 relaxed";
    assert_eq!(classes(relaxed, &Model::CAUSAL), [3; Model::CAUSAL.len()]);
}

#[test]
fn independent_reads_of_independent_writes() {
    let reads = |first: &str, second: &str, order: &str| {
        format!("r0 = load {first} {order}; r1 = load {second} {order}")
    };
    for (order, expected) in
        [("relaxed", [15, 15, 15, 16, 16, 16, 16]), ("seq_cst", [15, 15, 15, 16, 16, 15, 15])]
    {
        let program = format!(
            "store x 1 {order} | store y 1 {order} | {} | {}",
            reads("x", "y", order),
            reads("y", "x", order)
        );
        assert_eq!(classes(&program, &Model::CAUSAL), expected, "{order}");
    }
}

#[test]
fn release_sequences_of_the_same_thread_tell_rc11_from_rc20() {
    let program = "store x 1 relaxed; store y 1 release; store y 2 relaxed \
                 | r0 = load y acquire; r1 = load x relaxed";
    assert_eq!(classes(program, &[Rc11, Rc20]), [4, 5]);
}

#[test]
fn families_of_the_notes() {
    let add = "r0 = add x 1 relaxed";
    let read_write = "r0 = load x relaxed; store x 1 relaxed";
    assert_eq!(classes(&[add; 3].join("|"), &Model::CAUSAL), [6; Model::CAUSAL.len()]);
    assert_eq!(executions(&[add; 4].join("|"), &Model::CAUSAL), [24; Model::CAUSAL.len()]);
    assert_eq!(classes(&[read_write; 2].join("|"), &Model::CAUSAL), [3; Model::CAUSAL.len()]);
    assert_eq!(classes(&[read_write; 3].join("|"), &Model::CAUSAL), [16; Model::CAUSAL.len()]);
    let writers = "store x 1 relaxed|store x 2 relaxed|store x 3 relaxed|r0 = load x relaxed";
    assert_eq!(classes(writers, &Model::CAUSAL), [4; Model::CAUSAL.len()]);
    assert_eq!(executions(writers, &Model::CAUSAL), [24; Model::CAUSAL.len()]);
    for (threads, expected) in [(2, 2), (3, 5), (4, 14)] {
        let rotate: Vec<_> =
            (0..threads).map(|i| format!("r0 = cas x {i} {} relaxed relaxed", i + 1)).collect();
        assert_eq!(
            classes(&rotate.join("|"), &Model::CAUSAL),
            [expected; Model::CAUSAL.len()],
            "casrot({threads})"
        );
        assert_eq!(
            executions(&rotate.join("|"), &Model::CAUSAL),
            [expected; Model::CAUSAL.len()],
            "casrot({threads})"
        );
    }
}

/// The smallest programs on which wrong variants of the algorithm fail.
#[test]
fn pitfalls() {
    let p1 = "r0 = load x relaxed | store x 2 relaxed | store x 1 relaxed";
    assert_eq!(classes(p1, &Model::CAUSAL), [3; Model::CAUSAL.len()]);
    assert_eq!(executions(p1, &Model::CAUSAL), [6; Model::CAUSAL.len()]);
    let p2 = "r0 = load x relaxed | store x 1 relaxed; r0 = exchange x 1 relaxed";
    assert_eq!(classes(p2, &Model::CAUSAL), [3; Model::CAUSAL.len()]);
    let p3 = "r0 = exchange x 1 relaxed | r0 = add x 1 relaxed";
    assert_eq!(classes(p3, &Model::CAUSAL), [2; Model::CAUSAL.len()]);
    let p4 = "store x 1 relaxed; r0 = load x relaxed | store x 2 relaxed; r0 = exchange x 1 relaxed";
    assert_eq!(classes(p4, &Model::CAUSAL), [5; Model::CAUSAL.len()]);
    let p6 =
        "r0 = cas x 1 1 relaxed relaxed | store x 1 relaxed | store x 1 relaxed; r0 = exchange x 1 relaxed";
    assert_eq!(classes(p6, &Model::CAUSAL), [8; Model::CAUSAL.len()]);
    let p6b = "r0 = add x 1 relaxed | r0 = cas x 1 2 relaxed relaxed; store x 2 relaxed | store x 1 relaxed";
    assert_eq!(classes(p6b, &Model::CAUSAL), [8; Model::CAUSAL.len()]);
    let p7 = "store y 1 relaxed; spawn 1 | store x 1 relaxed; r0 = load y relaxed";
    assert_eq!(classes(p7, &Model::CAUSAL), [1; Model::CAUSAL.len()]);
    let p8 = "r0 = load x relaxed; assume r0 == 1 | store x 1 relaxed";
    assert_eq!(classes(p8, &Model::CAUSAL), [1; Model::CAUSAL.len()]);
}

/// Atomicity makes a chain of updates one block of the coherence order.
#[test]
fn an_update_stays_next_to_what_it_read() {
    let p5 = judged("store x 1 relaxed; r0 = cas x 2 2 relaxed relaxed | r0 = exchange x 1 relaxed");
    let forbidden = p5.found.iter().any(|found| {
        let cas = found.graph.threads[0][1];
        let exchange = found.graph.threads[1][0];
        cas.source == Some(raveler_judge::graph::Source::Event(1, 0))
            && exchange.source == Some(raveler_judge::graph::Source::Init)
    });
    assert!(!forbidden);
}

#[test]
fn locks_are_taken_in_every_order() {
    let section = "lock 0; r0 = load x relaxed; store x r0+1 relaxed; unlock 0";
    let text = format!(
        "locations x=0\nlocks 1\nthread 0\n{0}\nthread 1\n{0}\nthread 2\n{0}\n",
        section.replace("; ", "\n")
    );
    let judged = judge(&parse(&text).expect("well formed"), GENEROUS).expect("small");
    for model in Model::CAUSAL {
        assert_eq!(judged.classes(model), 6, "{}", model.name());
        assert_eq!(judged.states(model).len(), 6);
    }
    assert!(judged.deadlocks.is_empty());
}

#[test]
fn locks_in_opposite_order_can_deadlock() {
    let text = "locations x=0\nlocks 2\nthread 0\nlock 0\nlock 1\nunlock 1\nunlock 0\n\
                thread 1\nlock 1\nlock 0\nunlock 0\nunlock 1\n";
    let judged = judge(&parse(text).expect("well formed"), GENEROUS).expect("small");
    for model in Model::CAUSAL {
        assert_eq!(judged.classes(model), 2, "{}", model.name());
        assert!(judged.deadlocks.has(model), "{}", model.name());
    }
}

#[test]
fn races() {
    let racy = judged(
        "store x 1 plain; store y 1 relaxed | r0 = load y acquire; if r0 == 1 {; r1 = load x plain; }",
    );
    assert!(racy.races.has(Rc11) && racy.races.has(Rc20));
    let quiet = judged(
        "store x 1 plain; store y 1 release | r0 = load y acquire; if r0 == 1 {; r1 = load x plain; }",
    );
    assert!(quiet.races.is_empty());
    let sequence = judged(
        "store x 1 plain; store y 1 release; store y 2 relaxed \
       | r0 = load y acquire; if r0 == 2 {; r1 = load x plain; }",
    );
    assert!(!sequence.races.has(Rc11) && sequence.races.has(Rc20));
}
