//! Locks: which ones a thread holds, and what the kinds of mutexes make of taking one twice.
//!
//! Only the outermost lock and unlock are events; how often a recursive mutex is taken is the thread's own affair.
//!
//! Taking a lock and releasing it again is no effect for waiting loops (`waits.rs`): a section in which nothing is written
//! can be left out of an execution as a read can. But a thread must hold the same locks again to be where it was.

use raveler_core::{LockMode, Operation};

use super::cursor::Pending;
use super::step::{Stop, act};
use super::{CProgram, Cursor};
use crate::code::{MutexKind, Reg};

/// A lock that a thread holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
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
        self.meet(program, at)?;
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
        self.meet(program, at)?;
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
        self.meet(program, at)?;
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
}
