//! A whole front-end: two threads that add to a counter, checked under two memory models.
//!
//! Run it with `cargo run -p raveler-core --example front_end`; it is also a test.

use std::borrow::Cow;

use raveler_core::observer::Unobserved;
use raveler_core::{
    Action, Address, Answer, Entry, Model, Object, Operation, Order, Program, Settings, SiteId, SourceMap,
    ViolationKind, Width, search,
};

/// Each thread reads the counter and writes one more; the second one checks that nothing was lost.
struct Counting {
    counter: Object,
}

/// Where a thread stands: a small value that depends on nothing but the answers.
#[derive(Clone, Copy)]
struct Cursor {
    thread: u32,
    next: u32,
}

impl Program for Counting {
    type Cursor = Cursor;

    fn threads(&self) -> u32 {
        2
    }

    fn start(&self, entry: Entry) -> Cursor {
        let Entry::Initial(thread) = entry else { unreachable!("no thread is spawned") };
        Cursor { thread, next: 0 }
    }

    fn step(&self, cursor: &mut Cursor, answer: Answer) -> Action {
        let (address, width, order) = (self.counter.address, Width::B4, Order::Relaxed);
        let at = cursor.next;
        cursor.next += 1;
        let operation = match (at, cursor.thread) {
            (0, _) | (2, 1) => Operation::Read { address, width, order },
            (1, _) => Operation::Write { address, width, order, value: answer.value() + 1 },
            (3, 1) if answer.value() != 2 => Operation::Fail {
                kind: ViolationKind::Assertion,
                message: "n == 2".into(),
                related: Vec::new(),
            },
            _ => Operation::Done,
        };
        // An index into the sites of `sources`: which line this is.
        Action { site: SiteId(at), operation }
    }

    fn objects(&self) -> &[Object] {
        std::slice::from_ref(&self.counter)
    }

    fn sources(&self) -> Cow<'_, SourceMap> {
        Cow::Owned(SourceMap::default())
    }
}

#[cfg_attr(test, test)]
fn main() {
    let address = Address(0x1000);
    let counter = Object { name: "n".into(), address, size: 4, cell: Width::B4, initial: vec![0] };
    for model in [Model::Sc, Model::Rc20] {
        let program = Counting { counter: counter.clone() };
        let outcome = search(&program, &Settings::new(model), &mut Unobserved);
        let violation = outcome.violations.first().expect("an update can be lost");
        println!("{}: {:?} {}", model.name(), violation.kind, violation.message);
        assert_eq!(violation.kind, ViolationKind::Assertion);
    }
}
