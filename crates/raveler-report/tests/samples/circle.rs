//! Executions of xmm in which program order and reads go round.

use raveler_core::outcome::{Committed, Half, ReadThere, Reexecution};

use super::*;

/// Half of an update is read in advance: `xchg(y, 1) || if (y == 1) x = 1 || if (x) y = 3`, where the exchange reads
/// the 3 that follows from its 1.
pub fn circle() -> Sample {
    let lines = [
        ("", ""),
        ("left", "exchange(&y, 1)"),
        ("middle", "load(&y)"),
        ("middle", "store(&x, 1)"),
        ("right", "load(&x)"),
        ("right", "store(&y, 3)"),
        ("right", "assert(0)"),
    ];
    let mut shown = witness(
        vec![
            vec![update(1, (3, 1), Order::Relaxed, id(2, 1), 1)],
            vec![read(1, 1, Order::Acquire, id(0, 0), 2), write(0, 1, Order::Relaxed, 3)],
            vec![read(0, 1, Order::Relaxed, id(1, 1), 4), write(1, 3, Order::Relaxed, 5)],
        ],
        &[(0, &[INIT, id(1, 1)]), (1, &[INIT, id(2, 1), id(0, 0)])],
        &[(1, 0), (1, 1), (2, 0), (2, 1), (0, 0)],
    );
    shown.reexecution = Some(Reexecution {
        committed: vec![
            Committed { event: id(0, 0), half: Some(Half::Write) },
            Committed { event: id(1, 0), half: None },
        ],
        round: 0,
        only_here: vec![id(0, 0)],
        only_there: vec![],
    });
    let mut sample = mp_assertion();
    sample.file = "tests/circle.c";
    sample.model = Model::Xmm;
    sample.sources = sources("tests/circle.c", &["left", "middle", "right"], &lines);
    sample.names = names(&["x", "y"]);
    let violation = &mut sample.outcome.violations[0];
    violation.message = "assert(0)".to_string();
    violation.thread = ThreadId(2);
    violation.site = SiteId(6);
    violation.witness = shown;
    sample
}

/// The same from an execution that was executed again itself, and that reads other things.
pub fn circle_again() -> Sample {
    let mut sample = circle();
    let reexecution = sample.outcome.violations[0].witness.reexecution.as_mut().expect("circle() has one");
    let read = |thread: Option<u32>, location: usize, value| ReadThere {
        thread: thread.map(ThreadId),
        address: at(location),
        width: Width::B4,
        value,
        writer: Some(ThreadId(1)),
    };
    reexecution.round = 3;
    reexecution.only_there = vec![read(None, 0, 1), read(Some(0), 1, 7)];
    sample
}
