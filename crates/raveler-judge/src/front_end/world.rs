//! The front-end whose threads share memory that the engine does not see: all of them are run again together.
//!
//! Which objects were allocated where, and what the engine calls the threads, lies in memory that all threads share, as it
//! does for native threads; a thread cannot be run from its own answers. While the world is run it also checks what the
//! engine says of it: each write comes before the actions that read from it, and wrote what they read.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Cursor, FrontEnd, Snapshot, Surroundings};
use crate::addresses::Bases;
use crate::program::REGISTERS;
use raveler_core::{
    Action, Answer, Entry, Execution, Object, Operation, PastEvent, Program, Source, SourceMap, ThreadName,
    Together, Value, World,
};

/// The front-end that runs all threads together.
#[derive(Clone, Debug)]
pub struct OneWorld<'a>(pub Snapshot<'a>);

/// What all threads share.
struct Memory {
    /// Where each thread stands, and what it asks.
    threads: BTreeMap<ThreadName, (Cursor, Action)>,
    bases: Bases,
    children: [Value; 8],
    /// What was written, by thread and number of its action.
    written: BTreeMap<(ThreadName, u32), Value>,
    /// How many actions each thread has made.
    made: BTreeMap<ThreadName, u32>,
}

impl OneWorld<'_> {
    fn replay(&self, so_far: &[PastEvent]) -> Memory {
        let mut memory = Memory {
            threads: BTreeMap::new(),
            bases: Bases::default(),
            children: [0; 8],
            written: BTreeMap::new(),
            made: BTreeMap::new(),
        };
        for thread in 0..Program::threads(&self.0) {
            self.start(&mut memory, u64::from(thread), Entry::Initial(thread));
        }
        for event in so_far {
            self.go_on(&mut memory, event);
        }
        memory
    }

    fn start(&self, memory: &mut Memory, name: ThreadName, entry: Entry) {
        let mut cursor = Program::start(&self.0, entry);
        let action = self.step(memory, &mut cursor, Answer::NONE);
        memory.threads.insert(name, (cursor, action));
    }

    /// A thread goes on with what all threads share.
    fn step(&self, memory: &mut Memory, cursor: &mut Cursor, answer: Answer) -> Action {
        (cursor.bases, cursor.children) = (memory.bases, memory.children);
        let action = Program::step(&self.0, cursor, answer);
        (memory.bases, memory.children) = (cursor.bases, cursor.children);
        action
    }

    fn go_on(&self, memory: &mut Memory, event: &PastEvent) {
        let name = event.thread;
        let (mut cursor, asked) = memory.threads.remove(&name).expect("a thread that was started");
        let made = memory.made.entry(name).or_default();
        let number = *made;
        *made += 1;
        let answer = event.answer.value();
        let written = match &asked.operation {
            Operation::Write { value, .. } => Some(*value),
            Operation::Update { op, width, .. } if !matches!(event.answer, Answer::Failed(_)) => {
                op.apply(answer, *width)
            }
            _ => None,
        };
        if matches!(asked.operation, Operation::Read { .. } | Operation::Update { .. })
            && let Some(Source::Action(writer, nth)) = event.source
        {
            let source = memory.written.get(&(writer, nth));
            assert_eq!(source, Some(&answer), "what is read was written before");
        }
        memory.written.extend(written.map(|value| ((name, number), value)));
        let next = self.step(memory, &mut cursor, event.answer);
        memory.threads.insert(name, (cursor, next));
        if let Operation::Spawn { code, argument } = asked.operation {
            self.start(memory, answer, Entry::Spawned { code, argument, name: answer });
        }
    }
}

impl World for OneWorld<'_> {
    fn next(&self, so_far: &[PastEvent], thread: ThreadName) -> Action {
        self.replay(so_far).threads.remove(&thread).expect("a thread that was started").1
    }

    fn threads(&self) -> u32 {
        Program::threads(&self.0)
    }

    fn objects(&self) -> &[Object] {
        Program::objects(&self.0)
    }

    fn sources(&self) -> Cow<'_, SourceMap> {
        Program::sources(&self.0)
    }
}

impl FrontEnd for Together<OneWorld<'_>> {
    fn registers(&self, execution: &Execution<'_, Self>, thread: usize) -> [i64; REGISTERS] {
        let memory = self.0.replay(&execution.so_far());
        memory.threads[&execution.thread_name(thread)].0.at.registers
    }

    fn surroundings(&self) -> &Surroundings {
        self.0.0.surroundings
    }
}
