//! How large allocations are, for `realloc`: of its own a thread knows it; others leave word.

use raveler_core::{Address, Operation, Order, ViolationKind, Width};

use super::cursor::Pending;
use super::step::{Stop, act, fail};
use super::{CProgram, Cursor};
use crate::address::{self, Target};
use crate::code::Reg;

impl Cursor {
    /// How large an allocation is.
    pub(super) fn size_of(&mut self, program: &CProgram, to: Reg, at: u64) -> Result<(), Stop> {
        match address::decode(at) {
            Target::Private { key, .. } if self.has_object(program, key)? => match self.memory.size(key) {
                Some(size) => {
                    self.set(to, size);
                    Ok(())
                }
                None => fail(ViolationKind::UseAfterFree, "`realloc` of memory that was freed"),
            },
            Target::Engine(_) => {
                self.pending = Pending::Register { to };
                let address = address::size(program.engine(at));
                act(Operation::Read { address, width: Width::B8, order: Order::Relaxed })
            }
            _ => fail(ViolationKind::InvalidFree, "`realloc` of what is no allocation"),
        }
    }

    /// Leave word of the size of an allocation that others may see.
    pub(super) fn note_size(at: Address, size: u64) -> Result<(), Stop> {
        let address = address::size(at);
        act(Operation::Write { address, width: Width::B8, order: Order::Relaxed, value: size })
    }
}
