//! Running the bytecode: a thread goes on until it does something that others can see.

mod arith;
mod cursor;
mod memory;
mod step;
mod transfer;
mod waits;

pub use self::cursor::Cursor;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use raveler_core::{Action, Address, Entry, Object, Program, SourceMap, Value, Width};

use crate::address;
use crate::code::{Code, Global};

/// A C program that the engine can run.
pub struct CProgram {
    code: Arc<Code>,
    objects: Vec<Object>,
    /// Global variables and places whose objects more than one thread uses: their accesses are events.
    shared_globals: Vec<AtomicBool>,
    shared_places: Vec<AtomicBool>,
    /// What was found to be shared, but is not treated so yet.
    learned: Mutex<BTreeSet<Fact>>,
}

/// Something that is used by more than one thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fact {
    Global(u32),
    Place(u16),
}

impl CProgram {
    /// A program to run.
    pub fn new(code: Code) -> CProgram {
        CProgram::of(Arc::new(code))
    }

    /// The same program, knowing nothing yet: what one search learns must not disturb another.
    pub fn fresh(&self) -> CProgram {
        CProgram::of(Arc::clone(&self.code))
    }

    fn of(code: Arc<Code>) -> CProgram {
        let objects = code.globals.iter().enumerate().map(|(i, global)| object(i as u32, global)).collect();
        CProgram {
            objects,
            shared_globals: code.globals.iter().map(|g| AtomicBool::new(g.shared)).collect(),
            shared_places: code.places.iter().map(|_| AtomicBool::new(false)).collect(),
            learned: Mutex::default(),
            code,
        }
    }

    fn global_is_shared(&self, index: u32) -> bool {
        self.shared_globals[index as usize].load(Ordering::Relaxed)
    }

    fn place_is_shared(&self, place: u16) -> bool {
        self.shared_places[usize::from(place)].load(Ordering::Relaxed)
    }

    fn learn(&self, fact: Fact) {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner).insert(fact);
    }
}

fn object(index: u32, global: &Global) -> Object {
    let size = global.initial.len() as u64;
    let mut widths = global.cells.pieces.iter().map(|piece| piece.1);
    let cell = match widths.next() {
        Some(first) if widths.all(|width| width == first) => first,
        _ => Width::B1,
    };
    let value = |bytes: &[u8]| bytes.iter().rev().fold(0, |value, &byte| value << 8 | Value::from(byte));
    Object {
        name: global.name.clone(),
        address: Address(address::global(index)),
        size,
        cell,
        initial: global.initial.chunks(cell.bytes() as usize).map(value).collect(),
    }
}

impl Program for CProgram {
    type Cursor = Cursor;

    fn threads(&self) -> u32 {
        1
    }

    fn start(&self, entry: Entry) -> Cursor {
        match entry {
            Entry::Initial(_) => Cursor::main(&self.code),
            Entry::Spawned { code, argument, name } => {
                Cursor::spawned(&self.code, code as u32, argument, name)
            }
        }
    }

    fn step(&self, cursor: &mut Cursor, answer: Value) -> Action {
        cursor.resume(self, answer, false)
    }

    fn step_failed(&self, cursor: &mut Cursor, answer: Value) -> Action {
        cursor.resume(self, answer, true)
    }

    fn same(&self, left: &Cursor, right: &Cursor) -> bool {
        left.same(right, &self.code)
    }

    fn again(&self) {
        let learned = std::mem::take(&mut *self.learned.lock().unwrap_or_else(PoisonError::into_inner));
        for fact in learned {
            match fact {
                Fact::Global(index) => self.shared_globals[index as usize].store(true, Ordering::Relaxed),
                Fact::Place(place) => self.shared_places[usize::from(place)].store(true, Ordering::Relaxed),
            }
        }
    }

    fn objects(&self) -> &[Object] {
        &self.objects
    }

    fn sources(&self) -> &SourceMap {
        &self.code.sources
    }
}
