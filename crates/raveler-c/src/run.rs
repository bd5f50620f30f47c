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

use raveler_core::{
    Action, Address, Entry, Model, Object, Order, Program, Settings, SiteId, SourceMap, Value, Width,
};

use crate::address::{self, Target};
use crate::code::{Code, Global, Inst, Operand};
use crate::lower::is_library;

/// A C program that the engine can run.
pub struct CProgram {
    code: Arc<Code>,
    objects: Vec<Object>,
    /// Global variables and places whose objects more than one thread uses: their accesses are events.
    shared_globals: Vec<AtomicBool>,
    shared_places: Vec<AtomicBool>,
    /// What was found to be shared, but is not treated so yet.
    learned: Mutex<BTreeSet<Fact>>,
    /// Global variables that some instruction accesses plainly, as far as can be seen.
    plain_globals: Vec<bool>,
    /// Futile rounds in which something may be wrong are let pass once.
    spares: AtomicBool,
    /// Places in the source that belong to a library.
    foreign: Vec<bool>,
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
            plain_globals: plain_globals(&code),
            spares: AtomicBool::new(false),
            foreign: code
                .sources
                .sites
                .iter()
                .map(|site| site.file.as_deref().is_some_and(is_library))
                .collect(),
            code,
        }
    }

    /// Prepare for a search with these settings.
    pub fn prepare(&self, settings: &Settings) {
        // Where happens-before contains reads-from, no round hides anything.
        let weak = matches!(settings.model, Model::Rc11 | Model::Rc20);
        let frees = self.code.functions.iter().any(|f| f.code.iter().any(|i| matches!(i, Inst::Free { .. })));
        self.spares.store(weak && (settings.races || frees), Ordering::Relaxed);
    }

    fn spares(&self) -> bool {
        self.spares.load(Ordering::Relaxed)
    }

    /// May there be a plain access to this memory, or may it be freed?
    fn may_be_plain(&self, at: u64) -> bool {
        match address::decode(at) {
            Target::Global { index, .. } => self.plain_globals.get(index as usize).copied().unwrap_or(true),
            _ => true,
        }
    }

    /// Does this place belong to a library?
    fn is_foreign(&self, site: SiteId) -> bool {
        self.foreign.get(site.0 as usize).copied().unwrap_or(false)
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

/// Global variables whose address stands in a plain access, or anywhere else than in an access.
fn plain_globals(code: &Code) -> Vec<bool> {
    let mut plain = vec![false; code.globals.len()];
    for function in &code.functions {
        let global = |operand: Operand| match operand.decode() {
            Err(constant) => match address::decode(function.constants[usize::from(constant)]) {
                Target::Global { index, .. } => Some(index as usize),
                _ => None,
            },
            Ok(_) => None,
        };
        for inst in &function.code {
            let operands = match *inst {
                Inst::Load { address, order: Order::Plain, .. } => vec![address],
                Inst::Store { address, from, order: Order::Plain, .. } => vec![address, from],
                Inst::Move { from, .. } => vec![from],
                Inst::Element { base, .. } => vec![base],
                Inst::Arith { left, right, .. } => vec![left, right],
                Inst::Copy { to, from, .. } => vec![to, from],
                Inst::Fill { to, .. } => vec![to],
                _ => Vec::new(),
            };
            for index in operands.into_iter().filter_map(global) {
                if let Some(entry) = plain.get_mut(index) {
                    *entry = true;
                }
            }
        }
        for index in function.operands.iter().copied().filter_map(global) {
            if let Some(entry) = plain.get_mut(index) {
                *entry = true;
            }
        }
    }
    plain
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
        // The one that really failed is the right one.
        left.same(right, &self.code)
    }

    fn spared(&self, cursor: &Cursor) -> bool {
        cursor.waits.spared
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
