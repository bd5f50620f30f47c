//! Locks: which ones a thread holds, and what the kinds of mutexes make of taking one twice.
//!
//! Only the outermost lock and unlock are events; how often a recursive mutex is taken is the thread's own affair.
//!
//! Taking a lock and releasing it again is no effect for waiting loops (`waits.rs`): a section in which nothing is written
//! can be left out of an execution as a read can. But a thread must hold the same locks again to be where it was.

use raveler_core::{LockMode, Operation, ViolationKind};

use super::cursor::Pending;
use super::step::{Stop, act, fail};
use super::{CProgram, Cursor};
use crate::address::{self, Target};
use crate::code::{MutexKind, Reg};

/// A lock that a thread holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Held {
    pub address: u64,
    mode: LockMode,
    /// How often it was taken.
    pub depth: u32,
}

/// `EPERM`
const NOT_PERMITTED: u64 = 1;
/// `EDEADLK`
const DEADLOCK: u64 = 35;

impl Cursor {
    pub(super) fn holds(&self, lock: u64) -> bool {
        self.held.iter().any(|held| held.address == lock)
    }

    /// Take a lock, waiting if necessary; `to` receives 0 or an error.
    pub(super) fn lock(
        &mut self,
        program: &CProgram,
        to: Reg,
        at: u64,
        mode: LockMode,
        kind: MutexKind,
    ) -> Result<(), Stop> {
        self.check_lock(program, at)?;
        if let Some(mode_held) = self.held.iter().find(|held| held.address == at).map(|held| held.mode) {
            match kind {
                // A reader may read again; but who writes waits for itself if it wants to read.
                MutexKind::Recursive if mode_held != mode => {}
                MutexKind::Recursive => return self.deepen(to, at, 0),
                MutexKind::ErrorCheck => {
                    self.set(to, DEADLOCK);
                    return Ok(());
                }
                // It waits for itself: the engine says so.
                MutexKind::Normal => {}
            }
        }
        self.waits.access(program.word(at).0, false);
        self.pending = Pending::Locked { to, address: at, mode };
        act(Operation::Lock { address: program.word(at), mode })
    }

    /// Take a lock if it is free; `to` receives 1 if it was.
    pub(super) fn try_lock(
        &mut self,
        program: &CProgram,
        to: Reg,
        at: u64,
        mode: LockMode,
        kind: MutexKind,
    ) -> Result<(), Stop> {
        self.check_lock(program, at)?;
        let held = self.held.iter().any(|held| held.address == at && held.mode == mode);
        if held && kind == MutexKind::Recursive {
            return self.deepen(to, at, 1);
        }
        self.waits.access(program.word(at).0, false);
        self.pending = Pending::Tried { to, address: at, mode };
        act(Operation::TryLock { address: program.word(at), mode })
    }

    /// Release a lock; `to` receives 0 or an error.
    pub(super) fn unlock(
        &mut self,
        program: &CProgram,
        to: Reg,
        at: u64,
        kind: MutexKind,
    ) -> Result<(), Stop> {
        self.check_lock(program, at)?;
        match self.held.iter().position(|held| held.address == at) {
            Some(i) if self.held[i].depth > 1 => {
                self.held[i].depth -= 1;
                self.set(to, 0);
                return Ok(());
            }
            Some(i) => {
                self.held.remove(i);
                self.waits.release(at);
            }
            None if kind == MutexKind::ErrorCheck => {
                self.set(to, NOT_PERMITTED);
                return Ok(());
            }
            None => {}
        }
        self.pending = Pending::Register { to };
        act(Operation::Unlock { address: program.word(at) })
    }

    /// A lock was taken.
    pub(super) fn taken(&mut self, address: u64, mode: LockMode) {
        self.held.push(Held { address, mode, depth: 1 });
        self.waits.take(address);
    }

    fn deepen(&mut self, to: Reg, at: u64, answer: u64) -> Result<(), Stop> {
        for held in self.held.iter_mut().filter(|held| held.address == at) {
            held.depth += 1;
        }
        self.set(to, answer);
        Ok(())
    }

    /// A lock or condition variable begins to exist.
    pub(super) fn initialise_lock(&mut self, program: &CProgram, at: u64) -> Result<(), Stop> {
        if !self.rare.destroyed.is_empty() {
            self.rare_mut().destroyed.retain(|&destroyed| destroyed != at);
        }
        self.check_lock(program, at)?;
        // Before there are others, nothing can have been destroyed by them.
        if self.is_alone() || self.is_private(at) {
            return Ok(());
        }
        self.waits.effect();
        act(Operation::Initialise { address: program.word(at) })
    }

    fn is_private(&self, at: u64) -> bool {
        let own = |key| self.memory.has(key);
        matches!(address::decode(at), Target::Private { key, .. } if own(key))
    }

    /// Has no other thread been started yet?
    fn is_alone(&self) -> bool {
        self.thread == 0 && !self.rare.has_spawned
    }

    /// It ends to exist: no thread may hold it or use it again. What other threads do with it the engine sees.
    pub(super) fn destroy_lock(&mut self, program: &CProgram, at: u64) -> Result<(), Stop> {
        self.check_lock(program, at)?;
        if self.holds(at) {
            return fail(ViolationKind::LockMisuse, "a lock is destroyed while it is held");
        }
        self.rare_mut().destroyed.push(at);
        if self.is_private(at) {
            return Ok(());
        }
        self.waits.effect();
        act(Operation::Destroy { address: program.word(at) })
    }

    /// Is there memory where a lock or a condition variable is said to be?
    pub(super) fn check_lock(&mut self, program: &CProgram, at: u64) -> Result<(), Stop> {
        if self.rare.destroyed.contains(&at) {
            return fail(ViolationKind::LockMisuse, "use of a lock or condition variable that was destroyed");
        }
        match address::decode(at) {
            Target::Nothing => fail(ViolationKind::NullDereference, "a lock at a null pointer"),
            // In another thread's memory: whether it is freed meanwhile is for the engine to see.
            Target::Private { key, .. } if self.has_object(program, key)? && !self.memory.has(key) => {
                fail(ViolationKind::UseAfterFree, "a lock in memory that is gone")
            }
            _ => Ok(()),
        }
    }
}
