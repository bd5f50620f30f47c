//! Synchronisation objects begin and end to exist, and lie in memory.
//!
//! Of an object that it has alone a thread knows whether it was initialised and destroyed; of others the engine does.

use raveler_core::{Address, Operation, ViolationKind};

use super::memory::Wrong;
use super::own::outside;
use super::step::{Stop, act, fail};
use super::{CProgram, Cursor};
use crate::address::{self, Target};
use crate::code::Object;

/// The least number of bytes that a synchronisation object has.
const LEAST_SIZE: u64 = 4;

/// The engine's name for an object.
fn name(program: &CProgram, at: u64, object: Object) -> Address {
    match object {
        Object::Word => program.word(at),
        Object::Memory => program.engine(at),
    }
}

impl Cursor {
    /// An object begins to exist. One with an initial value of its own may be initialised all the same, before it is used.
    pub(super) fn initialise(&mut self, program: &CProgram, at: u64, object: Object) -> Result<(), Stop> {
        self.check_memory(program, at)?;
        if self.rare.initialised.contains(&at) {
            return fail(
                ViolationKind::LockMisuse,
                "a synchronisation object is initialised again, without being destroyed in between",
            );
        }
        if self.holds(at) {
            return fail(ViolationKind::LockMisuse, "a lock is initialised while it is held");
        }
        if self.is_own(program, at, object)? {
            let rare = self.rare_mut();
            rare.destroyed.retain(|&destroyed| destroyed != at);
            rare.initialised.push(at);
            return Ok(());
        }
        self.waits.effect();
        act(Operation::Initialise { address: name(program, at, object) })
    }

    /// It ends to exist: no thread may hold it, wait for it, or use it again.
    pub(super) fn destroy(&mut self, program: &CProgram, at: u64, object: Object) -> Result<(), Stop> {
        self.meet(program, at)?;
        if self.holds(at) {
            return fail(ViolationKind::LockMisuse, "a lock is destroyed while it is held");
        }
        if self.is_own(program, at, object)? {
            let rare = self.rare_mut();
            rare.initialised.retain(|&initialised| initialised != at);
            rare.destroyed.push(at);
            return Ok(());
        }
        self.waits.effect();
        act(Operation::Destroy { address: name(program, at, object) })
    }

    /// Is this an object that only this thread uses? Operations on words are events wherever the object lies, except in
    /// memory of the thread's own.
    fn is_own(&mut self, program: &CProgram, at: u64, object: Object) -> Result<bool, Stop> {
        match (object, address::decode(at)) {
            (_, Target::Private { key, .. }) => self.has_object(program, key),
            (Object::Word, _) => Ok(false),
            (Object::Memory, _) => Ok(self.own(program, at)?.is_some()),
        }
    }

    /// New memory where there was some before: what lay there is forgotten.
    pub(super) fn forget_objects(&mut self, at: u64, size: u64) {
        let within = |object: &u64| (at..at.saturating_add(size)).contains(object);
        if self.rare.destroyed.iter().chain(&self.rare.initialised).any(within) {
            let rare = self.rare_mut();
            rare.destroyed.retain(|object| !within(object));
            rare.initialised.retain(|object| !within(object));
        }
    }

    /// An object is about to be used.
    pub(super) fn meet(&mut self, program: &CProgram, at: u64) -> Result<(), Stop> {
        if self.rare.destroyed.contains(&at) {
            return fail(ViolationKind::LockMisuse, "use of a synchronisation object that was destroyed");
        }
        self.check_memory(program, at)
    }

    /// Is there memory, which can be written, where an object is said to be? If not, that is wrong as any other access
    /// there is.
    fn check_memory(&mut self, program: &CProgram, at: u64) -> Result<(), Stop> {
        if at == address::SECTION {
            return Ok(());
        }
        if let Some((global, _)) = Self::constant(program, at) {
            return fail(
                ViolationKind::Other,
                format!("a synchronisation object in `{}`, which is constant", global.name),
            );
        }
        match address::decode(at) {
            Target::Nothing => {
                fail(ViolationKind::NullDereference, "a synchronisation object at a null pointer")
            }
            Target::Function(_) | Target::Wild => nowhere(),
            Target::Global { index, offset } => {
                let Some(global) = program.code.globals.get(index as usize) else { return nowhere() };
                let size = global.initial.len() as u64;
                match offset + LEAST_SIZE > size {
                    true => outside(program, at, Wrong::Outside(size)),
                    false => Ok(()),
                }
            }
            Target::Private { .. } => {
                // That of another thread becomes shared; whether it is freed meanwhile is for the engine to see.
                let Some((key, offset)) = self.own(program, at)? else { return Ok(()) };
                match self.memory.check(key, offset, LEAST_SIZE) {
                    Ok(()) => Ok(()),
                    Err(wrong) => outside(program, at, wrong),
                }
            }
            Target::Engine(_) => Ok(()),
        }
    }
}

fn nowhere<T>() -> Result<T, Stop> {
    fail(ViolationKind::OutOfBounds, "a synchronisation object at a pointer to no object")
}
