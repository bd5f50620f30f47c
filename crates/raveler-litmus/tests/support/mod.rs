//! A small machine for tests: sequentially consistent memory, all interleavings.
#![allow(dead_code)]

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use raveler_core::{Address, Answer, Entry, Operation, Program, Value, ViolationKind, Witness};
use raveler_litmus::{Cursor, LitmusProgram, States, Test};

pub type Memory = BTreeMap<u64, Value>;

/// Threads, each with its next request, and memory.
#[derive(Clone, PartialEq, Eq, Hash)]
struct World {
    cursors: Vec<Cursor>,
    /// The answer each thread's next step is given.
    answers: Vec<Value>,
    memory: Memory,
}

#[derive(Default, Debug)]
pub struct Found {
    pub states: Vec<String>,
    pub holds: bool,
    pub failures: Vec<(ViolationKind, String)>,
    pub blocked: usize,
}

pub fn parse(text: &str) -> Test {
    match raveler_litmus::parse("test.litmus", text) {
        Ok(test) => test,
        Err(errors) => panic!("{errors:#?}\n{text}"),
    }
}

pub fn run(text: &str) -> Found {
    explore(&parse(text))
}

pub fn initial_memory(program: &LitmusProgram) -> Memory {
    let mut memory = Memory::new();
    for object in program.objects() {
        for (i, &value) in object.initial.iter().enumerate() {
            memory.insert(object.address.0 + i as u64 * object.cell.bytes(), value);
        }
    }
    memory
}

/// Every interleaving; states that were reached before are not gone through again.
pub fn explore(test: &Test) -> Found {
    let program = &test.program;
    let threads = program.threads() as usize;
    let cursors: Vec<Cursor> = (0..threads).map(|t| program.start(Entry::Initial(t as u32))).collect();
    let first = World { cursors, answers: vec![0; threads], memory: initial_memory(program) };
    let mut found = Found::default();
    let mut states = States::new(test);
    let mut seen = HashSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some(world) = open.pop() {
        let mut done = 0;
        let mut blocked = false;
        for thread in 0..threads {
            let mut next = world.clone();
            let action = program.step(&mut next.cursors[thread], Answer::Value(world.answers[thread]));
            match act(&mut next.memory, &action.operation) {
                Ok(answer) => next.answers[thread] = answer,
                Err(Stop::Done) => {
                    done += 1;
                    continue;
                }
                Err(Stop::Blocked) => {
                    blocked = true;
                    continue;
                }
                Err(Stop::Failed(kind, message)) => {
                    if !found.failures.contains(&(kind, message.clone())) {
                        found.failures.push((kind, message));
                    }
                    continue;
                }
            }
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
        found.blocked += blocked as usize;
        if done == threads {
            // Each thread has stepped to its end on a copy; do it again on the one that is shown.
            let mut world = world;
            for thread in 0..threads {
                program.step(&mut world.cursors[thread], Answer::Value(world.answers[thread]));
            }
            let last = |addresses: &[Address]| vec![addresses.iter().map(|a| world.memory[&a.0]).collect()];
            states.note(|thread| &world.cursors[thread], last, |_, _| Witness::default());
        }
    }
    found.states = states.sorted_states();
    found.holds = states.holds();
    found
}

enum Stop {
    Done,
    Blocked,
    Failed(ViolationKind, String),
}

fn act(memory: &mut Memory, operation: &Operation) -> Result<Value, Stop> {
    match operation {
        Operation::Read { address, .. } => Ok(memory[&address.0]),
        Operation::Write { address, value, width, .. } => {
            assert_eq!(width.cut(*value), *value, "values are cut to their width");
            assert!(memory.insert(address.0, *value).is_some(), "writes are to locations");
            Ok(0)
        }
        Operation::Update { address, width, op, .. } => {
            let old = memory[&address.0];
            if let Some(new) = op.apply(old, *width) {
                memory.insert(address.0, new);
            }
            Ok(old)
        }
        Operation::Fence(_) => Ok(0),
        Operation::Done => Err(Stop::Done),
        Operation::Block => Err(Stop::Blocked),
        Operation::Fail { kind, message, .. } => Err(Stop::Failed(*kind, message.clone())),
        other => panic!("litmus tests do not ask for {other:?}"),
    }
}

/// The folder with the reference pages, if there is one: `RAVELER_SHARED`, or `shared` beside the repository.
pub fn shared() -> Option<PathBuf> {
    let folder = match std::env::var_os("RAVELER_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    folder.join("litmus/tests").is_dir().then_some(folder)
}
