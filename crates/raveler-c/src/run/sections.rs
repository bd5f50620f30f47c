//! Atomic sections of verification programs (`__VERIFIER_atomic_begin` and `_end`): sections of one lock.
//!
//! That alone is not atomic for those who use the same memory outside of sections. So memory that is used both in
//! sections and outside is noted, and from then on every access outside holds the same lock, as a reader: no section comes
//! in between, but accesses outside are neither kept apart nor ordered among themselves, and race as they would without
//! any section.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use raveler_core::mutation::Mutant;
use raveler_core::{LockMode, Operation};

use super::cursor::Pending;
use super::step::{Stop, act};
use super::{CProgram, Cursor, Fact};
use crate::address;

/// Which memory is used where.
#[derive(Default)]
pub(super) struct Sections {
    inside: Mutex<HashSet<u64>>,
    outside: Mutex<HashSet<u64>>,
    both: Mutex<HashSet<u64>>,
}

fn has(set: &Mutex<HashSet<u64>>, at: u64) -> bool {
    set.lock().unwrap_or_else(PoisonError::into_inner).contains(&at)
}

pub(super) fn add(set: &Mutex<HashSet<u64>>, at: u64) {
    set.lock().unwrap_or_else(PoisonError::into_inner).insert(at);
}

impl Sections {
    pub(super) fn learned(&self, at: u64) {
        add(&self.both, at);
    }
}

/// Where a thread stands with an access that is a section of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) enum Guard {
    None,
    /// The lock was asked for.
    Entering,
    /// The access was made.
    Leaving,
}

impl Cursor {
    /// Shared memory is about to be accessed.
    pub(super) fn guard(&mut self, program: &CProgram, at: u64) -> Result<(), Stop> {
        if !program.code.has_sections {
            return Ok(());
        }
        if self.guard == Guard::Entering {
            self.guard = Guard::Leaving;
            return Ok(());
        }
        let sections = &program.sections;
        let inside = self.holds(address::SECTION);
        if has(&sections.both, at) {
            if inside {
                return Ok(());
            }
            self.guard = Guard::Entering;
            self.pc -= 1;
            self.pending = Pending::Nothing;
            let address = address::section();
            let mode = match Mutant::OutsideExcludes.is_active() {
                true => LockMode::Exclusive,
                false => LockMode::Shared,
            };
            return act(Operation::Lock { address, mode });
        }
        let (here, there) = match inside {
            true => (&sections.inside, &sections.outside),
            false => (&sections.outside, &sections.inside),
        };
        add(here, at);
        if has(there, at) {
            program.learn(Fact::InSections(at));
            return act(Operation::Restart);
        }
        Ok(())
    }

    /// The answer to an access came: leave its section.
    pub(super) fn unguard(&mut self) -> Result<(), Stop> {
        if self.guard != Guard::Leaving {
            return Ok(());
        }
        self.guard = Guard::None;
        act(Operation::Unlock { address: address::section() })
    }
}
