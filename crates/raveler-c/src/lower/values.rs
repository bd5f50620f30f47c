//! Instructions that only compute: arithmetic, comparisons, conversions, members of aggregates.

use super::Lowerer;
use super::function::{Body, Result};
use super::layout::WIDEST;
use crate::code::{Arith, FloatOp, FloatTest, Inst, Number, Operand, Reg, Test, Unary, Wide};
use crate::ir::{self, Binary, Cast, Compare, Instruction, Type, Value};

/// The kind of a number in registers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Int(u16),
    Float(u16),
}

impl Kind {
    fn bits(self) -> u16 {
        match self {
            Kind::Int(bits) | Kind::Float(bits) => bits,
        }
    }

    /// The bits of one that takes a register.
    pub(super) fn narrow(self) -> u8 {
        self.bits().min(64) as u8
    }

    /// The bits, for operations on several registers.
    pub(super) fn wide(self) -> u16 {
        self.bits()
    }

    /// How many registers it takes.
    pub(super) fn registers(self) -> usize {
        usize::from(self.bits().div_ceil(64))
    }

    fn number(self, signed: bool) -> Number {
        match self {
            Kind::Int(bits) if signed => Number::Signed(bits),
            Kind::Int(bits) => Number::Unsigned(bits),
            Kind::Float(bits) => Number::Float(bits),
        }
    }
}

impl Lowerer<'_> {
    /// How many numbers a value has (more than one for a vector), and their kind.
    pub(super) fn numbers(&mut self, body: &Body<'_>, ty: &Type) -> Result<(usize, Kind)> {
        let layout = self.layout;
        let (count, element) = match layout.resolve(ty) {
            Type::Vector(count, element) if *count <= 256 => (*count as usize, layout.resolve(element)),
            other => (1, other),
        };
        let kind = match element {
            Type::Int(bits @ 1..=WIDEST) => Kind::Int(*bits as u16),
            Type::Pointer => Kind::Int(64),
            Type::Float(bits @ (32 | 64 | 80)) => Kind::Float(*bits as u16),
            _ => {
                // Says what is not supported.
                self.scalars(body, ty)?;
                return self.refuse(body, "this operation on a vector or aggregate is not supported");
            }
        };
        Ok((count, kind))
    }

    pub(super) fn binary(
        &mut self,
        body: &mut Body<'_>,
        instruction: &Instruction,
        op: Binary,
        ty: &Type,
        left: &Value,
        right: &Value,
    ) -> Result<()> {
        let count = self.scalars(body, ty)?.len();
        let to = self.result(body, instruction, count);
        self.pairwise(body, arith_of(op), ty, (left, right), to)
    }

    /// Arithmetic on two numbers, or on the elements of two vectors.
    pub(super) fn pairwise(
        &mut self,
        body: &mut Body<'_>,
        op: std::result::Result<Arith, FloatOp>,
        ty: &Type,
        (left, right): (&Value, &Value),
        to: Reg,
    ) -> Result<()> {
        let (count, kind) = self.numbers(body, ty)?;
        let left = self.operands(body, ty, left)?;
        let right = self.operands(body, ty, right)?;
        let n = kind.registers();
        for i in 0..count {
            let (to, bits) = (to + (i * n) as u16, kind.narrow());
            let (left, right) = (&left[i * n..(i + 1) * n], &right[i * n..(i + 1) * n]);
            if n > 1 {
                let op = match op {
                    Ok(Arith::Mul | Arith::UDiv | Arith::SDiv | Arith::URem | Arith::SRem) if n > 2 => {
                        return self
                            .refuse(body, "multiplying numbers of more than 128 bits is not supported");
                    }
                    Ok(op) => Wide::Arith(op),
                    Err(op) => Wide::Float(op),
                };
                self.wide(body, op, kind.wide(), to, &[left, right].concat());
                continue;
            }
            let (left, right) = (left[0], right[0]);
            body.emit(match op {
                Ok(op) => Inst::Arith { op, bits, to, left, right },
                Err(op) => Inst::Float { op, bits, to, left, right },
            });
        }
        Ok(())
    }

    /// An operation on values of two registers.
    pub(super) fn wide(&mut self, body: &mut Body<'_>, op: Wide, bits: u16, to: Reg, operands: &[Operand]) {
        let (first, _) = body.list(operands);
        body.emit(Inst::Wide { op, bits, to, first });
    }

    /// A function of one number.
    pub(super) fn unary(
        &mut self,
        body: &mut Body<'_>,
        op: Unary,
        ty: &Type,
        value: &Value,
        to: Reg,
    ) -> Result<()> {
        let (count, kind) = self.numbers(body, ty)?;
        let all = self.operands(body, ty, value)?;
        let (n, bits) = (kind.registers(), kind.wide());
        if n > 2 {
            return self.refuse(body, "this operation on numbers of more than 128 bits is not supported");
        }
        for (i, from) in all.chunks(n).take(count).enumerate() {
            let to = to + (i * n) as u16;
            match (n, kind) {
                (1, _) => body.emit(Inst::Unary { op, bits: kind.narrow(), to, from: from[0] }),
                (_, Kind::Int(_)) => self.wide(body, Wide::Unary(op), bits, to, from),
                (_, Kind::Float(_)) => self.wide(body, Wide::FloatUnary(op), bits, to, from),
            }
        }
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
        let (count, kind) = self.numbers(body, ty)?;
        let left = self.operands(body, ty, left)?;
        let right = self.operands(body, ty, right)?;
        let (n, bits) = (kind.registers(), kind.narrow());
        let to = self.result(body, instruction, count);
        for i in 0..count {
            let to = to + i as u16;
            let (left, right) = (&left[i * n..(i + 1) * n], &right[i * n..(i + 1) * n]);
            if n > 1 {
                let op = match test_of(op) {
                    Ok(op) => Wide::Test(op),
                    Err(op) => Wide::FloatTest(op),
                };
                self.wide(body, op, kind.wide(), to, &[left, right].concat());
                continue;
            }
            let (left, right) = (left[0], right[0]);
            body.emit(match test_of(op) {
                Ok(op) => Inst::Test { op, bits, to, left, right },
                Err(op) => Inst::FloatTest { op, bits, to, left, right },
            });
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
        if op == Cast::Bitcast {
            return self.reinterpret(body, instruction, operand, ty);
        }
        let all = self.operands(body, &operand.ty, &operand.value)?;
        let (count, from_kind) = self.numbers(body, &operand.ty)?;
        let (to_count, to_kind) = self.numbers(body, ty)?;
        if count != to_count {
            return self.refuse(body, "this conversion of a vector is not supported");
        }
        let to = self.result(body, instruction, count * to_kind.registers());
        for (i, from) in all.chunks(from_kind.registers()).take(count).enumerate() {
            let to = to + (i * to_kind.registers()) as u16;
            self.convert(body, op, (from_kind, from), (to_kind, to));
        }
        Ok(())
    }

    fn convert(
        &mut self,
        body: &mut Body<'_>,
        op: Cast,
        (from_kind, from): (Kind, &[Operand]),
        (to_kind, to): (Kind, Reg),
    ) {
        if from_kind.registers() > 1 || to_kind.registers() > 1 {
            let signed = matches!(op, Cast::SExt | Cast::SiToFp | Cast::FpToSi);
            let op = Wide::Convert { from: from_kind.number(signed), to: to_kind.number(signed) };
            self.wide(body, op, from_kind.wide(), to, from);
            return;
        }
        let (from, from_bits, to_bits) = (from[0], from_kind.narrow(), to_kind.narrow());
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

fn arith_of(op: Binary) -> std::result::Result<Arith, FloatOp> {
    Ok(match op {
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
        Binary::FAdd => return Err(FloatOp::Add),
        Binary::FSub => return Err(FloatOp::Sub),
        Binary::FMul => return Err(FloatOp::Mul),
        Binary::FDiv => return Err(FloatOp::Div),
        Binary::FRem => return Err(FloatOp::Rem),
    })
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
