//! What runs when a thread or the program ends: destructors of thread-local variables, of thread-specific data and of
//! global variables, and functions given to `atexit`.
//!
//! They belong to the thread that registered them. Those for the program's end run if that is the thread which ends it; where that
//! may be different threads the list is shared memory (`raveler_exits.h`), and each has one function here, which runs them.

use raveler_core::ViolationKind;

use super::step::{Stop, fail};
use super::{CProgram, Cursor};
use crate::address::{self, Target};
use crate::code::{Ending, Reg, Scope};

/// Threads with larger names cannot make keys.
const MAX_KEY_THREAD: u64 = 1 << 6;
/// How many keys a thread can make.
const MAX_KEYS: u32 = 1 << 5;
/// How often a destructor is called that sets its data anew (`PTHREAD_DESTRUCTOR_ITERATIONS`).
const MAX_ROUNDS: usize = 4;
/// Functions with larger numbers cannot be destructors of keys.
const MAX_DESTRUCTOR: u64 = 1 << 20;

impl Cursor {
    /// Run what is still to be run before the thread ends: true if a function was called, after which the current
    /// instruction runs again.
    pub(super) fn closes(&mut self, program: &CProgram, ending: Ending) -> Result<bool, Stop> {
        let quick = ending == Ending::Quick;
        let exits = quick || ending == Ending::Program || ending == Ending::Return && self.thread == 0;
        let last = |cursor: &Cursor, scope| cursor.rare.at_end.iter().rposition(|entry| entry.scope == scope);
        if let Some(i) = last(self, Scope::Thread).filter(|_| !quick) {
            let entry = self.rare_mut().at_end.remove(i);
            return self.close(program, entry.function, entry.argument);
        }
        // Thread-specific data of the first thread outlives it, unless it leaves by `pthread_exit`.
        if !exits && let Some(i) = self.next_specific() {
            let (key, value) = self.rare.specific[i];
            let rare = self.rare_mut();
            rare.specific[i].1 = 0;
            rare.closed.push(key);
            return match destructor(key) {
                Some(function) => self.close(program, function, Some(value)),
                None => Ok(false),
            };
        }
        let scope = if quick { Scope::Quick } else { Scope::Program };
        match last(self, scope).filter(|_| exits) {
            Some(i) => {
                let entry = self.rare_mut().at_end.remove(i);
                self.close(program, entry.function, entry.argument)
            }
            None => Ok(false),
        }
    }

    /// The thread-specific data whose destructor is next: one that was called less often comes first.
    fn next_specific(&self) -> Option<usize> {
        let called = |key: u64| self.rare.closed.iter().filter(|&&closed| closed == key).count();
        let waits = |&i: &usize| {
            let (key, value) = self.rare.specific[i];
            value != 0 && destructor(key).is_some() && called(key) < MAX_ROUNDS
        };
        (0..self.rare.specific.len()).filter(waits).min_by_key(|&i| called(self.rare.specific[i].0))
    }

    fn close(&mut self, program: &CProgram, function: u64, argument: Option<u64>) -> Result<bool, Stop> {
        let function = self.function_at(program, function)?;
        self.pc -= 1;
        self.enter(&program.code, function, 0);
        if let Some(argument) = argument
            && program.code.functions[function as usize].parameters > 0
        {
            self.set(0, argument);
        }
        Ok(true)
    }

    /// A new key for thread-specific data. It says by itself who made it and what its destructor is, so that no thread
    /// has to ask.
    pub(super) fn new_key(&mut self, to: Reg, destructor: u64) -> Result<(), Stop> {
        let function = match address::decode(destructor) {
            Target::Function(function) => u64::from(function) + 1,
            _ => 0,
        };
        if self.thread >= MAX_KEY_THREAD || self.rare.keys >= MAX_KEYS - 1 || function >= MAX_DESTRUCTOR {
            return Err(Stop::unsupported("too many keys of thread-specific data"));
        }
        self.rare_mut().keys += 1;
        self.has_name.set(true);
        self.set(to, u64::from(self.rare.keys) << 26 | self.thread << 20 | function);
        Ok(())
    }

    pub(super) fn set_specific(&mut self, key: u64, value: u64) {
        self.rare_mut().specific.retain(|entry| entry.0 != key);
        self.rare_mut().specific.push((key, value));
        self.waits.effect();
    }

    pub(super) fn specific(&self, key: u64) -> u64 {
        self.rare.specific.iter().find(|entry| entry.0 == key).map_or(0, |entry| entry.1)
    }

    /// A thread is joined or detached: never twice.
    pub(super) fn part(&mut self, thread: u64) -> Result<(), Stop> {
        if self.parted.contains(&thread) {
            return fail(
                ViolationKind::Other,
                "a thread is joined or detached that was joined or detached before",
            );
        }
        self.parted.push(thread);
        Ok(())
    }
}

/// The destructor of a key.
fn destructor(key: u64) -> Option<u64> {
    let function = key & (MAX_DESTRUCTOR - 1);
    Some(address::function(function.checked_sub(1)? as u32))
}
