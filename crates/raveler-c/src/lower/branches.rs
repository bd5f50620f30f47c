//! Choices among many places: `switch`, and `goto` to a label that was computed.

use raveler_core::ViolationKind;

use super::function::{Body, Result};
use super::values::Kind;
use super::{Lowerer, Symbol};
use crate::address;
use crate::code::{Inst, Operand, Test, Wide};
use crate::ir::{self, BlockId, Constant};

impl Lowerer<'_> {
    pub(super) fn switch(
        &mut self,
        body: &mut Body<'_>,
        block: BlockId,
        operand: &ir::Operand,
        default: BlockId,
        cases: &[(Constant, BlockId)],
    ) -> Result<()> {
        if let (1, Kind::Int(bits @ 65..)) = self.numbers(body, &operand.ty)? {
            return self.wide_switch(body, block, (operand, bits), default, cases);
        }
        let value = self.operand(body, &operand.ty, &operand.value)?;
        let default = self.edge(body, block, default);
        let mut table = Vec::with_capacity(cases.len());
        for (case, target) in cases {
            let Some(case) = self.bits(&operand.ty, case) else {
                return self.refuse(body, "this case of a switch is not supported");
            };
            table.push((case, self.edge(body, block, *target)));
        }
        self.table(body, value, table, default);
        Ok(())
    }

    fn table(&mut self, body: &mut Body<'_>, operand: Operand, table: Vec<(u64, u32)>, default: u32) {
        let number = body.out.switches.len() as u16;
        body.out.switches.push(table);
        body.emit(Inst::Switch { operand, table: number, default });
    }

    /// One comparison after the other.
    fn wide_switch(
        &mut self,
        body: &mut Body<'_>,
        block: BlockId,
        (operand, bits): (&ir::Operand, u16),
        default: BlockId,
        cases: &[(Constant, BlockId)],
    ) -> Result<()> {
        let value = self.operands(body, &operand.ty, &operand.value)?;
        for (case, target) in cases {
            let case = ir::Value::Constant(case.clone());
            let case = self.operands(body, &operand.ty, &case)?;
            let equal = body.fresh(1);
            self.wide(body, Wide::Test(Test::Eq), bits, equal, &[value.clone(), case].concat());
            let (yes, no) = (self.edge(body, block, *target), body.new_label());
            body.emit(Inst::Branch { condition: Operand::register(equal), yes, no });
            body.set_label(no);
        }
        let target = self.edge(body, block, default);
        body.emit(Inst::Jump { target });
        Ok(())
    }

    pub(super) fn computed_goto(
        &mut self,
        body: &mut Body<'_>,
        block: BlockId,
        address: &ir::Operand,
        targets: &[BlockId],
    ) -> Result<()> {
        let value = self.operand(body, &address.ty, &address.value)?;
        let Some(function) = self.current else { return Ok(()) };
        let mut table = Vec::with_capacity(targets.len());
        for &target in targets {
            let Some(label) = address::label(function, target) else {
                return self.refuse(body, "a function has too many blocks for a computed `goto`");
            };
            table.push((label, self.edge(body, block, target)));
        }
        let nowhere = body.new_label();
        self.table(body, value, table, nowhere);
        body.set_label(nowhere);
        let message = self.message("a computed `goto` to something that is no label of the function");
        body.emit(Inst::Fail { kind: ViolationKind::Other, message });
        Ok(())
    }

    /// The value of `&&label`.
    pub(super) fn block_address(&mut self, function: &str, block: &str) -> Option<u64> {
        let Some(Symbol::Function(number)) = self.symbol(function) else { return None };
        let source = &self.module.functions[*self.functions.get(function)?];
        let at = source.blocks.iter().position(|b| b.name == block)?;
        address::label(number, at as u32)
    }
}
