//! Addresses of the program and of the engine, and the numbers of threads that stand in them.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use raveler_core::{Address, Operation};

use super::step::{Stop, act};
use super::{CProgram, Cursor, Fact};
use crate::address::{self, Engine, MAX_THREADS, NESTED, Private, Target};

impl CProgram {
    /// The number that stands in the addresses of a thread's objects. Names of threads that others than the first thread
    /// started are large: they are numbered in their order as they become known.
    fn number_of(&self, thread: u64) -> Option<u32> {
        if thread < u64::from(NESTED) {
            return Some(thread as u32);
        }
        let nested = self.nested.read().unwrap_or_else(PoisonError::into_inner);
        nested.iter().position(|&name| name == thread).map(|at| NESTED + at as u32)
    }

    /// The reverse.
    fn name_of(&self, number: u32) -> Option<u64> {
        match number.checked_sub(NESTED) {
            None => Some(u64::from(number)),
            Some(at) => {
                let nested = self.nested.read().unwrap_or_else(PoisonError::into_inner);
                nested.iter().nth(at as usize).copied()
            }
        }
    }

    /// An object of one thread.
    pub(super) fn private(&self, key: u32) -> Private {
        Private::of(key, self.place_bits)
    }

    /// The engine's address for one of the program's.
    pub(super) fn engine(&self, at: u64) -> Address {
        match address::decode(at) {
            Target::Engine(engine) => {
                let address = self.name_of(engine.origin().0).and_then(|name| engine.address(name));
                address.unwrap_or_else(|| address::nowhere(at))
            }
            Target::Wild => address::nowhere(at),
            _ => Address(at),
        }
    }

    /// The same; words are the engine's already.
    pub(super) fn engine_or_word(&self, at: u64) -> Address {
        if at & Address::WORDS != 0 { Address(at) } else { self.engine(at) }
    }

    /// The engine's word for the lock or condition variable at this address.
    pub(super) fn word(&self, at: u64) -> Address {
        if at == address::SECTION { address::section() } else { self.engine(at).word() }
    }
}

impl Cursor {
    /// The number of this thread.
    fn number(&self, program: &CProgram) -> Result<u32, Stop> {
        // It becomes part of an address.
        self.has_name.set(true);
        match program.number_of(self.thread) {
            Some(number) if number < MAX_THREADS => Ok(number),
            Some(_) => Err(Stop::unsupported("too many threads are started by other threads than the first")),
            None => {
                program.learn(Fact::Nested(self.thread));
                act(Operation::Restart)
            }
        }
    }

    /// The address of an object of this thread, if there is one left for it.
    pub(super) fn private_address(
        &self,
        program: &CProgram,
        (place, nth): (u16, u32),
        size: u64,
        align: u64,
    ) -> Result<Option<u64>, Stop> {
        let private = Private { place, thread: self.number(program)?, nth };
        Ok(private.address(program.place_bits, size, align))
    }

    /// Where the program sees what the engine allocated for this thread.
    pub(super) fn seen_at(
        &self,
        program: &CProgram,
        allocated: Address,
        size: u64,
        align: u64,
    ) -> Result<u64, Stop> {
        let (_, nth) = Engine::allocation(allocated);
        let seen = Engine::seen_at(self.number(program)?, nth, size, align);
        seen.ok_or_else(|| {
            Stop::unsupported(format!(
                "there is no address left for an object of {size} bytes, aligned to {align}, in this thread"
            ))
        })
    }

    /// Does this thread have the object with this key? If another one has it, its place is shared from now on. False if no
    /// thread can have it.
    pub(super) fn has_object(&self, program: &CProgram, key: u32) -> Result<bool, Stop> {
        let Private { place, thread, .. } = program.private(key);
        if program.name_of(thread) == Some(self.thread) {
            return Ok(true);
        }
        match program.shared_places.get(usize::from(place)) {
            Some(shared) if shared.load(Ordering::Relaxed) => Ok(false),
            Some(_) => {
                program.learn(Fact::Place(place));
                act(Operation::Restart)
            }
            None if usize::from(place) == program.code.places.len() => {
                Err(Stop::unsupported("a list of arguments is shared between threads"))
            }
            None => Ok(false),
        }
    }
}
