//! How large allocations are, for `realloc`: of its own a thread knows it; others leave word.

use raveler_core::{Operation, Order, ViolationKind, Width};

use super::cursor::Pending;
use super::step::{Stop, act, fail, key_of};
use super::{CProgram, Cursor, Fact};
use crate::address::{self, Target};
use crate::code::Reg;

impl Cursor {
    /// How large an allocation is.
    pub(super) fn size_of(&mut self, program: &CProgram, to: Reg, at: u64) -> Result<(), Stop> {
        match address::decode(at) {
            Target::Private(private) if private.thread != self.thread => {
                program.learn(Fact::Place(private.place));
                act(Operation::Restart)
            }
            Target::Private(private) => match self.memory.size(key_of(private.place, private.nth)) {
                Some(size) => {
                    self.set(to, size);
                    Ok(())
                }
                None => fail(ViolationKind::UseAfterFree, "`realloc` of memory that was freed"),
            },
            Target::Dynamic => {
                self.pending = Pending::Register { to };
                act(Operation::Read { address: address::size(at), width: Width::B8, order: Order::Relaxed })
            }
            _ => fail(ViolationKind::InvalidFree, "`realloc` of what is no allocation"),
        }
    }

    /// Leave word of the size of an allocation that others may see.
    pub(super) fn note_size(&mut self, at: u64, size: u64) -> Result<(), Stop> {
        let address = address::size(at);
        act(Operation::Write { address, width: Width::B8, order: Order::Relaxed, value: size })
    }
}
