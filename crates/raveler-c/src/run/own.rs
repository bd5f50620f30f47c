//! Loads and stores of memory that only this thread uses.

use raveler_core::{Operation, ViolationKind, Width};

use super::memory::Wrong;
use super::repeats::Written;
use super::step::{GLOBAL_KEY, Stop, act, fail, origin};
use super::waits::{Change, Changed};
use super::{CProgram, Cursor, Fact};
use crate::address::{self, Target};
use crate::code::Global;

impl Cursor {
    /// Where an address lies in this thread's own memory; none if it is shared.
    pub(super) fn own(&mut self, program: &CProgram, at: u64) -> Result<Option<(u32, u64)>, Stop> {
        match address::decode(at) {
            Target::Engine(_) | Target::Function(_) | Target::Nothing | Target::Wild => Ok(None),
            Target::Private { key, offset } => Ok(self.has_object(program, key)?.then_some((key, offset))),
            Target::Global { index, offset } => {
                let Some(global) = program.code.globals.get(index as usize) else { return Ok(None) };
                if program.global_is_shared(index) {
                    return Ok(None);
                }
                if self.thread != 0 {
                    program.learn(Fact::Global(index));
                    return act(Operation::Restart);
                }
                let key = GLOBAL_KEY | index;
                if !self.memory.has(key) {
                    self.memory.add(key, None, global.initial.clone(), true, 0);
                }
                Ok(Some((key, offset)))
            }
        }
    }

    /// What happens in this thread's own memory, too, is left to the engine from now on.
    pub(super) fn share(&self, program: &CProgram, at: u64) -> Result<(), Stop> {
        let fact = match address::decode(at) {
            Target::Global { index, .. } => Fact::Global(index),
            Target::Private { key, .. } => Fact::Place(program.private(key).place),
            _ => return Ok(()),
        };
        program.learn(fact);
        act(Operation::Restart)
    }

    pub(super) fn constant(program: &CProgram, at: u64) -> Option<(&Global, u64)> {
        match address::decode(at) {
            Target::Global { index, offset } => {
                program.code.globals.get(index as usize).filter(|g| g.constant).map(|g| (g, offset))
            }
            _ => None,
        }
    }

    /// Load from memory that is not shared: the value, and which of its bits nobody set. None if it is shared.
    pub(super) fn load_own(
        &mut self,
        program: &CProgram,
        at: u64,
        width: Width,
    ) -> Result<Option<(u64, u64)>, Stop> {
        if let Some((global, offset)) = Self::constant(program, at) {
            let end = offset.saturating_add(width.bytes());
            let Some(bytes) = global.initial.get(offset as usize..end as usize) else {
                return outside(program, at, Wrong::Outside(global.initial.len() as u64));
            };
            let value = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
            return Ok(Some((value, 0)));
        }
        match self.own(program, at)? {
            None => Ok(None),
            Some((key, offset)) => match self.memory.load(key, offset, width) {
                Ok(value) => Ok(Some(value)),
                Err(wrong) => outside(program, at, wrong),
            },
        }
    }

    /// The same where everything must have been set.
    pub(super) fn load_known(
        &mut self,
        program: &CProgram,
        at: u64,
        width: Width,
    ) -> Result<Option<u64>, Stop> {
        match self.load_own(program, at, width)? {
            Some((_, unknown)) if unknown != 0 => self.complain(program, "a read of", origin(program, at)),
            other => Ok(other.map(|(value, _)| value)),
        }
    }

    /// Store to memory that is not shared; false if it is.
    pub(super) fn store_own(
        &mut self,
        program: &CProgram,
        at: u64,
        width: Width,
        value: (u64, u64),
    ) -> Result<bool, Stop> {
        if let Some((global, _)) = Self::constant(program, at) {
            return fail(ViolationKind::Other, format!("write to `{}`, which is constant", global.name));
        }
        let Some((key, offset)) = self.own(program, at)? else { return Ok(false) };
        if self.waits.repeats.is_watching() {
            let changes = self.memory.load(key, offset, width).ok() != Some(value);
            let depth = self.memory.depth_of(key);
            let written = match depth {
                _ if !changes => Written::Nothing,
                // It may end, or be cleared.
                1.. => Written::Local(key, depth),
                _ => Written::Lasting,
            };
            let what = offset ^ value.0.rotate_left(24) ^ u64::from(key).rotate_left(48);
            self.waits.repeats.write(what, written);
        }
        if self.waits.watches() {
            let old = self.memory.written(key, offset, width);
            self.waits.write(Change { key, offset, width, old, what: Changed::Written });
        }
        match self.memory.store(key, offset, width, value) {
            Ok(()) => Ok(true),
            Err(wrong) => outside(program, at, wrong),
        }
    }
}

/// An access to a thread's own memory that is wrong.
pub(super) fn outside<T>(program: &CProgram, at: u64, wrong: Wrong) -> Result<T, Stop> {
    let mut scoped = false;
    let (name, offset, heap) = match address::decode(at) {
        Target::Private { key, offset } => {
            let place = program.code.places.get(usize::from(program.private(key).place));
            scoped = place.is_some_and(|place| place.scoped);
            match place {
                Some(place) if place.stack => (format!("`{}`", place.name), offset, false),
                _ => ("an allocation".into(), offset, true),
            }
        }
        Target::Global { index, offset } => {
            let name = program.code.globals.get(index as usize).map_or("?", |g| g.name.as_str());
            (format!("`{name}`"), offset, false)
        }
        _ => ("nothing".into(), 0, false),
    };
    match wrong {
        Wrong::Gone if heap => fail(ViolationKind::UseAfterFree, "access to memory that was freed"),
        Wrong::Gone if scoped => {
            fail(ViolationKind::UseAfterFree, format!("access to {name} after its block was left"))
        }
        Wrong::Gone => {
            fail(ViolationKind::UseAfterFree, format!("access to {name} after its function returned"))
        }
        Wrong::Outside(size) => fail(
            ViolationKind::OutOfBounds,
            format!("access at byte {} of {name}, which has {size} bytes", offset as i64),
        ),
    }
}
