//! Instructions that only compute: arithmetic, comparisons, conversions, members of aggregates.

use super::Lowerer;
use super::function::{Body, Result};
use crate::code::{Arith, FloatOp, FloatTest, Inst, Test, Unary};
use crate::ir::{self, Binary, Cast, Compare, Instruction, Type, Value};

impl Lowerer<'_> {
    pub(super) fn binary(
        &mut self,
        body: &mut Body<'_>,
        instruction: &Instruction,
        op: Binary,
        ty: &Type,
        left: &Value,
        right: &Value,
    ) -> Result<()> {
        let bits = self.scalar(body, ty)? as u8;
        let left = self.operand(body, ty, left)?;
        let right = self.operand(body, ty, right)?;
        let to = self.result(body, instruction, 1);
        let arith = match op {
            Binary::Add => Arith::Add,
            Binary::Sub => Arith::Sub,
            Binary::Mul => Arith::Mul,
            Binary::UDiv => Arith::UDiv,
            Binary::SDiv => Arith::SDiv,
            Binary::URem => Arith::URem,
            Binary::SRem => Arith::SRem,
            Binary::Shl => Arith::Shl,
            Binary::LShr => Arith::LShr,
            Binary::AShr => Arith::AShr,
            Binary::And => Arith::And,
            Binary::Or => Arith::Or,
            Binary::Xor => Arith::Xor,
            Binary::FAdd | Binary::FSub | Binary::FMul | Binary::FDiv | Binary::FRem => {
                let op = match op {
                    Binary::FAdd => FloatOp::Add,
                    Binary::FSub => FloatOp::Sub,
                    Binary::FMul => FloatOp::Mul,
                    Binary::FDiv => FloatOp::Div,
                    _ => FloatOp::Rem,
                };
                body.emit(Inst::Float { op, bits, to, left, right });
                return Ok(());
            }
        };
        body.emit(Inst::Arith { op: arith, bits, to, left, right });
        Ok(())
    }

    pub(super) fn compare(
        &mut self,
        body: &mut Body<'_>,
        instruction: &Instruction,
        op: Compare,
        ty: &Type,
        left: &Value,
        right: &Value,
    ) -> Result<()> {
        let bits = self.scalar(body, ty)? as u8;
        let left = self.operand(body, ty, left)?;
        let right = self.operand(body, ty, right)?;
        let to = self.result(body, instruction, 1);
        match test_of(op) {
            Ok(op) => body.emit(Inst::Test { op, bits, to, left, right }),
            Err(op) => body.emit(Inst::FloatTest { op, bits, to, left, right }),
        }
        Ok(())
    }

    pub(super) fn cast(
        &mut self,
        body: &mut Body<'_>,
        instruction: &Instruction,
        op: Cast,
        operand: &ir::Operand,
        ty: &Type,
    ) -> Result<()> {
        let all = self.operands(body, &operand.ty, &operand.value)?;
        if op == Cast::Bitcast && all.len() != 1 {
            return self.refuse(body, "this conversion of a vector is not supported");
        }
        let from = self.operand(body, &operand.ty, &operand.value)?;
        let from_bits = self.scalar(body, &operand.ty)? as u8;
        let to_bits = self.scalar(body, ty)? as u8;
        let to = self.result(body, instruction, 1);
        let unary = |op| Inst::Unary { op, bits: from_bits, to, from };
        body.emit(match op {
            Cast::ZExt | Cast::Bitcast | Cast::AddrSpaceCast => Inst::Move { to, from },
            Cast::Trunc | Cast::PtrToInt | Cast::IntToPtr if to_bits < from_bits => {
                Inst::Truncate { bits: to_bits, to, from }
            }
            Cast::Trunc | Cast::PtrToInt | Cast::IntToPtr => Inst::Move { to, from },
            Cast::SExt => Inst::Extend { from_bits, to_bits, to, from },
            Cast::FpTrunc | Cast::FpExt => unary(Unary::FToF(to_bits)),
            Cast::FpToUi => unary(Unary::FToUi(to_bits)),
            Cast::FpToSi => unary(Unary::FToSi(to_bits)),
            Cast::UiToFp => unary(Unary::UiToF(to_bits)),
            Cast::SiToFp => unary(Unary::SiToF(to_bits)),
        });
        Ok(())
    }

    /// Which scalars of an aggregate a path of indices names: the first and how many.
    pub(super) fn path(&mut self, body: &Body<'_>, ty: &Type, path: &[u32]) -> Result<(usize, usize)> {
        let layout = self.layout;
        let mut first = 0;
        let mut inside = ty;
        for &index in path {
            for before in 0..index {
                let Some((member, _)) = layout.member(inside, u64::from(before)) else {
                    return self.refuse(body, "an aggregate has no such member");
                };
                first += self.scalars(body, member)?.len();
            }
            let Some((member, _)) = layout.member(inside, u64::from(index)) else {
                return self.refuse(body, "an aggregate has no such member");
            };
            inside = member;
        }
        let count = self.scalars(body, inside)?.len();
        Ok((first, count))
    }
}

fn test_of(op: Compare) -> std::result::Result<Test, FloatTest> {
    let float = |less, equal, greater, unordered| Err(FloatTest { less, equal, greater, unordered });
    match op {
        Compare::Eq => Ok(Test::Eq),
        Compare::Ne => Ok(Test::Ne),
        Compare::Ugt => Ok(Test::Ugt),
        Compare::Uge => Ok(Test::Uge),
        Compare::Ult => Ok(Test::Ult),
        Compare::Ule => Ok(Test::Ule),
        Compare::Sgt => Ok(Test::Sgt),
        Compare::Sge => Ok(Test::Sge),
        Compare::Slt => Ok(Test::Slt),
        Compare::Sle => Ok(Test::Sle),
        Compare::FFalse => float(false, false, false, false),
        Compare::FOeq => float(false, true, false, false),
        Compare::FOgt => float(false, false, true, false),
        Compare::FOge => float(false, true, true, false),
        Compare::FOlt => float(true, false, false, false),
        Compare::FOle => float(true, true, false, false),
        Compare::FOne => float(true, false, true, false),
        Compare::FOrd => float(true, true, true, false),
        Compare::FUno => float(false, false, false, true),
        Compare::FUeq => float(false, true, false, true),
        Compare::FUgt => float(false, false, true, true),
        Compare::FUge => float(false, true, true, true),
        Compare::FUlt => float(true, false, false, true),
        Compare::FUle => float(true, true, false, true),
        Compare::FUne => float(true, false, true, true),
        Compare::FTrue => float(true, true, true, true),
    }
}
