//! The functions that LLVM knows itself: arithmetic, memory, and hints.

use raveler_core::ViolationKind;

use super::super::Lowerer;
use super::super::function::{Body, Reported};
use super::super::layout::width_of;
use super::Given;
use crate::code::{Arith, FloatOp, Inst, Operand, Overflow, Unary};

type Result<T> = std::result::Result<T, Reported>;

impl Lowerer<'_> {
    pub(in crate::lower) fn intrinsic(
        &mut self,
        body: &mut Body<'_>,
        name: &str,
        given: &Given<'_>,
    ) -> Result<()> {
        let bits =
            |this: &mut Self, body: &mut Body<'_>| this.scalar(body, given.result).map(|bits| bits as u8);
        let base = name.split('.').next().unwrap_or_default();
        let two = |this: &mut Self, body: &mut Body<'_>| {
            Ok::<_, Reported>((this.argument(body, given, 0)?, this.argument(body, given, 1)?))
        };
        let to = given.to;
        if name.contains(".with.overflow.") {
            let op = match base {
                "sadd" => Overflow::SAdd,
                "ssub" => Overflow::SSub,
                "smul" => Overflow::SMul,
                "uadd" => Overflow::UAdd,
                "usub" => Overflow::USub,
                _ => Overflow::UMul,
            };
            let (left, right) = two(self, body)?;
            let bits = self.scalar(body, &given.arguments[0].operand.ty)? as u8;
            body.emit(Inst::Overflow { op, bits, to, left, right });
            return Ok(());
        }
        let unary = match base {
            "ctpop" => Some(Unary::CountOnes),
            "ctlz" => Some(Unary::LeadingZeros),
            "cttz" => Some(Unary::TrailingZeros),
            "bswap" => Some(Unary::SwapBytes),
            "bitreverse" => Some(Unary::ReverseBits),
            "abs" => Some(Unary::Abs),
            "fabs" => Some(Unary::FAbs),
            "sqrt" => Some(Unary::FSqrt),
            "floor" => Some(Unary::FFloor),
            "ceil" => Some(Unary::FCeil),
            "trunc" => Some(Unary::FTrunc),
            "round" => Some(Unary::FRound),
            _ => None,
        };
        if let Some(op) = unary {
            let from = self.argument(body, given, 0)?;
            let bits = bits(self, body)?;
            body.emit(Inst::Unary { op, bits, to, from });
            return Ok(());
        }
        let arith = match base {
            "smax" => Some(Arith::SMax),
            "smin" => Some(Arith::SMin),
            "umax" => Some(Arith::UMax),
            "umin" => Some(Arith::UMin),
            _ => None,
        };
        if let Some(op) = arith {
            let (left, right) = two(self, body)?;
            let bits = bits(self, body)?;
            body.emit(Inst::Arith { op, bits, to, left, right });
            return Ok(());
        }
        let float = match base {
            "minnum" | "minimum" => Some(FloatOp::Min),
            "maxnum" | "maximum" => Some(FloatOp::Max),
            "copysign" => Some(FloatOp::CopySign),
            "pow" => Some(FloatOp::Pow),
            _ => None,
        };
        if let Some(op) = float {
            let (left, right) = two(self, body)?;
            let bits = bits(self, body)?;
            body.emit(Inst::Float { op, bits, to, left, right });
            return Ok(());
        }
        match base {
            "memcpy" | "memmove" => {
                let (to, from) = two(self, body)?;
                let size = self.argument(body, given, 2)?;
                body.emit(Inst::Copy { to, from, size });
            }
            "memset" => {
                let (to, byte) = two(self, body)?;
                let size = self.argument(body, given, 2)?;
                body.emit(Inst::Fill { to, byte, size });
            }
            "fmuladd" | "fma" => {
                let (left, right) = two(self, body)?;
                let third = self.argument(body, given, 2)?;
                let bits = bits(self, body)?;
                body.emit(Inst::Float { op: FloatOp::Mul, bits, to, left, right });
                body.emit(Inst::Float {
                    op: FloatOp::Add,
                    bits,
                    to,
                    left: Operand::register(to),
                    right: third,
                });
            }
            "expect" | "threadlocal" | "launder" | "strip" | "ptr" | "annotation" => {
                let from = self.argument(body, given, 0)?;
                body.emit(Inst::Move { to, from });
            }
            "objectsize" => self.answer(body, given, u64::MAX),
            "is" => self.answer(body, given, 0),
            "stacksave" => self.answer(body, given, 0),
            "lifetime" | "stackrestore" | "assume" | "dbg" | "experimental" | "prefetch" | "invariant"
            | "va_end" | "var" | "donothing" => {}
            "va_start" => {
                let list = self.argument(body, given, 0)?;
                body.emit(Inst::FurtherArguments { list });
            }
            "va_copy" => {
                let (to, from) = two(self, body)?;
                let size = body.constant(24);
                body.emit(Inst::Copy { to, from, size });
            }
            "trap" | "debugtrap" => {
                let message = self.message("the program traps");
                body.emit(Inst::Fail { kind: ViolationKind::Other, message });
            }
            "ubsantrap" => {
                let message = self.message("undefined behaviour");
                body.emit(Inst::Fail { kind: ViolationKind::Arithmetic, message });
            }
            "x86" | "aarch64" if name.contains("pause") || name.contains("hint") => {}
            "fshl" | "fshr" => return self.funnel(body, base, given),
            _ => return self.undefined(body, &format!("llvm.{name}")),
        }
        Ok(())
    }

    /// Rotation, and other shifts of two numbers as one.
    fn funnel(&mut self, body: &mut Body<'_>, base: &str, given: &Given<'_>) -> Result<()> {
        let bits = self.scalar(body, given.result)?;
        if width_of(bits).is_none() || !bits.is_power_of_two() {
            return self.refuse(body, "this shift is not supported");
        }
        let (high, low) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
        let amount = self.argument(body, given, 2)?;
        let most = body.constant(u64::from(bits) - 1);
        let one = body.constant(1);
        let mut arith = |op, left, right| {
            let to = body.fresh(1);
            body.emit(Inst::Arith { op, bits: bits as u8, to, left, right });
            Operand::register(to)
        };
        let amount = arith(Arith::And, amount, most);
        let rest = arith(Arith::Sub, most, amount);
        // One shift by one and one by the rest, so that no shift is by the whole width.
        let value = if base == "fshl" {
            let left = arith(Arith::Shl, high, amount);
            let half = arith(Arith::LShr, low, one);
            let right = arith(Arith::LShr, half, rest);
            arith(Arith::Or, left, right)
        } else {
            let right = arith(Arith::LShr, low, amount);
            let half = arith(Arith::Shl, high, one);
            let left = arith(Arith::Shl, half, rest);
            arith(Arith::Or, left, right)
        };
        body.emit(Inst::Move { to: given.to, from: value });
        Ok(())
    }
}
