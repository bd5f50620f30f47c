//! Atomic accesses of 16 bytes in the IR of newer clangs: sections of one lock, as the functions are that older ones call.

use raveler_core::{Order, Width};

use super::Lowerer;
use super::function::{Body, Result};
use crate::code::{Arith, Inst, Operand, Reg, Test};
use crate::ir::{self, Type};

/// What is done with 16 bytes.
pub(super) enum Wide<'o> {
    Load,
    /// Also a store: its result goes nowhere.
    Exchange(&'o ir::Operand),
    /// What is expected, and what is written then.
    CompareExchange(&'o ir::Operand, &'o ir::Operand),
}

/// Is this a number of 16 bytes?
pub(super) fn is_wide(ty: &Type) -> bool {
    matches!(ty, Type::Int(128))
}

impl Lowerer<'_> {
    /// The old value goes to the registers from `to` on, and behind it whether it was the expected one.
    pub(super) fn wide_atomic(
        &mut self,
        body: &mut Body<'_>,
        to: Reg,
        address: &ir::Operand,
        access: Wide<'_>,
    ) -> Result<()> {
        let low = self.operand(body, &address.ty, &address.value)?;
        let (expected, new) = match access {
            Wide::Load => (Vec::new(), Vec::new()),
            Wide::Exchange(new) => (Vec::new(), self.operands(body, &new.ty, &new.value)?),
            Wide::CompareExchange(expected, new) => (
                self.operands(body, &expected.ty, &expected.value)?,
                self.operands(body, &new.ty, &new.value)?,
            ),
        };
        let halves = [low, self.offset(body, low, 8)];
        let (order, width) = (Order::Plain, Width::B8);
        self.only_sc(body);
        self.section(body, true);
        for (to, address) in (to..).zip(halves) {
            body.emit(Inst::Load { to, address, width, order, bits: 64 });
        }
        let done = body.new_label();
        if let [expected_low, expected_high] = expected[..] {
            let same = [(to, expected_low), (to + 1, expected_high)].map(|(old, expected)| {
                let to = body.fresh(1);
                let left = Operand::register(old);
                body.emit(Inst::Test { op: Test::Eq, bits: 64, to, left, right: expected });
                Operand::register(to)
            });
            body.emit(Inst::Arith { op: Arith::And, bits: 1, to: to + 2, left: same[0], right: same[1] });
            let write = body.new_label();
            body.emit(Inst::Branch { condition: Operand::register(to + 2), yes: write, no: done });
            body.set_label(write);
        }
        for (from, address) in new.into_iter().zip(halves) {
            body.emit(Inst::Store { from, address, width, order });
        }
        body.set_label(done);
        self.section(body, false);
        Ok(())
    }
}
