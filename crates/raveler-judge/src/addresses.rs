//! Where a program's memory lies for the engine.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::objects::{Heap, OBJECTS};
use raveler_core::{Address, Contents, Operation, Storage, Value};

/// The address of a place that is there from the start.
pub fn data_address(place: usize) -> Address {
    Address(0x1000 * (place as u64 + 1))
}

/// The address of a lock that is there from the start.
pub fn lock_address(lock: usize) -> Address {
    Address(0x10_0000 * (lock as u64 + 1))
}

/// Where a thread knows the objects to be: what the engine answered to the allocations.
pub type Bases = [Value; OBJECTS];

/// Addresses for a thread that knows these objects.
#[derive(Clone, Copy, Debug)]
pub struct Addresses<'a> {
    heap: &'a Heap,
    bases: &'a Bases,
}

impl<'a> Addresses<'a> {
    /// For a thread that knows these objects.
    pub fn new(heap: &'a Heap, bases: &'a Bases) -> Addresses<'a> {
        Addresses { heap, bases }
    }

    /// The address of a place of memory.
    pub fn place(&self, place: u8) -> Address {
        match self.heap.at(place) {
            Some((object, cell)) => Address(self.bases[object as usize] + 4 * u64::from(cell)),
            None => data_address(place as usize),
        }
    }

    /// The address of a lock.
    pub fn lock(&self, lock: u8) -> Address {
        match self.heap.home(lock) {
            Some((object, index)) => {
                let cells = u64::from(self.heap.shapes[object as usize].cells);
                Address(self.bases[object as usize] + 4 * (cells + index as u64)).word()
            }
            None => lock_address(lock as usize),
        }
    }

    /// The allocation of an object; reports name it by its number.
    pub fn alloc(&self, object: u8) -> Operation {
        let shape = &self.heap.shapes[object as usize];
        let contents = if shape.zeroed { Contents::Zeroed } else { Contents::Uninitialised };
        Operation::Alloc { size: shape.bytes(), contents, what: u32::from(object), storage: Storage::Heap }
    }

    /// Its end.
    pub fn free(&self, object: u8) -> Operation {
        Operation::Free { address: Address(self.bases[object as usize]), storage: Storage::Heap }
    }
}

/// What spawned threads know of objects. The argument of a spawn is one number, so it is the number of an entry here;
/// threads that know the same get the same one.
#[derive(Debug, Default)]
pub struct Inheritances(Mutex<BTreeMap<Bases, Value>>);

impl Inheritances {
    fn entries(&self) -> MutexGuard<'_, BTreeMap<Bases, Value>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The argument for a thread that is to know this.
    pub fn number(&self, bases: &Bases) -> Value {
        if *bases == Bases::default() {
            return 0;
        }
        let mut entries = self.entries();
        let next = entries.len() as Value + 1;
        *entries.entry(*bases).or_insert(next)
    }

    /// What a thread with this argument knows.
    pub fn of(&self, number: Value) -> Bases {
        if number == 0 {
            return Bases::default();
        }
        let entries = self.entries();
        entries.iter().find(|entry| *entry.1 == number).map(|entry| *entry.0).unwrap_or_default()
    }
}
