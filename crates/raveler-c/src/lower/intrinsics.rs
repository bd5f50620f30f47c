//! What clang and the mathematical library call by name and what is one or a few instructions here.

use raveler_core::ViolationKind;

use super::Lowerer;
use super::function::{Body, Result};
use super::layout::width_of;
use super::library::Given;
use crate::code::{Arith, FloatOp, Inst, Operand, Overflow, Test, Unary, Wide};
use crate::ir::{Constant, Type, Value};
use crate::types;

/// Functions of one number, as clang's intrinsics and the library name them.
fn unary_of(name: &str) -> Option<Unary> {
    Some(match name {
        "ctpop" => Unary::CountOnes,
        "ctlz" => Unary::LeadingZeros,
        "cttz" => Unary::TrailingZeros,
        "bswap" => Unary::SwapBytes,
        "bitreverse" => Unary::ReverseBits,
        "abs" => Unary::Abs,
        _ => return float_function(name),
    })
}

fn float_function(name: &str) -> Option<Unary> {
    Some(match name {
        "fabs" => Unary::FAbs,
        "sqrt" => Unary::FSqrt,
        "floor" => Unary::FFloor,
        "ceil" => Unary::FCeil,
        "trunc" => Unary::FTrunc,
        "round" => Unary::FRound,
        "rint" | "nearbyint" | "roundeven" => Unary::FRint,
        "sin" => Unary::FSin,
        "cos" => Unary::FCos,
        "tan" => Unary::FTan,
        "asin" => Unary::FAsin,
        "acos" => Unary::FAcos,
        "atan" => Unary::FAtan,
        "sinh" => Unary::FSinh,
        "cosh" => Unary::FCosh,
        "tanh" => Unary::FTanh,
        "exp" => Unary::FExp,
        "exp2" => Unary::FExp2,
        "expm1" => Unary::FExpM1,
        "log" => Unary::FLog,
        "log2" => Unary::FLog2,
        "log10" => Unary::FLog10,
        "log1p" => Unary::FLog1P,
        "cbrt" => Unary::FCbrt,
        _ => return None,
    })
}

fn pair_of(name: &str) -> Option<std::result::Result<Arith, FloatOp>> {
    Some(match name {
        "smax" => Ok(Arith::SMax),
        "smin" => Ok(Arith::SMin),
        "umax" => Ok(Arith::UMax),
        "umin" => Ok(Arith::UMin),
        "ptrmask" => Ok(Arith::And),
        "minnum" | "minimum" => Err(FloatOp::Min),
        "maxnum" | "maximum" => Err(FloatOp::Max),
        _ => return float_pair(name).map(Err),
    })
}

fn float_pair(name: &str) -> Option<FloatOp> {
    Some(match name {
        "fmin" => FloatOp::Min,
        "fmax" => FloatOp::Max,
        "fmod" => FloatOp::Rem,
        "copysign" => FloatOp::CopySign,
        "pow" => FloatOp::Pow,
        "atan2" => FloatOp::Atan2,
        "hypot" => FloatOp::Hypot,
        _ => return None,
    })
}

fn overflow_of(name: &str) -> Option<Overflow> {
    Some(match name {
        "sadd" => Overflow::SAdd,
        "ssub" => Overflow::SSub,
        "smul" => Overflow::SMul,
        "uadd" => Overflow::UAdd,
        "usub" => Overflow::USub,
        "umul" => Overflow::UMul,
        _ => return None,
    })
}

/// The functions that exist for `long double` too.
fn is_extended(op: Unary) -> bool {
    matches!(
        op,
        Unary::FAbs
            | Unary::FSqrt
            | Unary::FFloor
            | Unary::FCeil
            | Unary::FTrunc
            | Unary::FRound
            | Unary::FRint
    )
}

impl Lowerer<'_> {
    /// A function of the mathematical library. False if it is none.
    pub(super) fn math(&mut self, body: &mut Body<'_>, name: &str, given: &Given<'_>) -> Result<bool> {
        let [Some(first), second, third] = [0, 1, 2].map(|i| given.arguments.get(i).map(|a| &a.operand))
        else {
            return Ok(false);
        };
        let (suffix, extended) = match self.layout.resolve(&first.ty) {
            Type::Float(32) => ("f", false),
            Type::Float(64) => ("", false),
            Type::Float(80) => ("l", true),
            _ => return Ok(false),
        };
        let Some(base) = name.strip_suffix(suffix) else { return Ok(false) };
        if let Some(op) = float_function(base).filter(|&op| !extended || is_extended(op)) {
            self.unary(body, op, &first.ty, &first.value, given.to)?;
            return Ok(true);
        }
        if let (Some(op), Some(second)) = (float_pair(base), second)
            && !(extended && matches!(op, FloatOp::Pow | FloatOp::Atan2 | FloatOp::Hypot))
        {
            self.pairwise(body, Err(op), &first.ty, (&first.value, &second.value), given.to)?;
            return Ok(true);
        }
        let whole = match base {
            "lround" | "llround" => Unary::FRound,
            "lrint" | "llrint" => Unary::FRint,
            "fma" if third.is_some() && !extended => {
                self.fused(body, given)?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        if extended {
            return Ok(false);
        }
        let bits = self.scalar(body, &first.ty)? as u8;
        let rounded = body.fresh(1);
        self.unary(body, whole, &first.ty, &first.value, rounded)?;
        let from = Operand::register(rounded);
        body.emit(Inst::Unary { op: Unary::FToSi(64), bits, to: given.to, from });
        Ok(true)
    }

    fn fused(&mut self, body: &mut Body<'_>, given: &Given<'_>) -> Result<()> {
        let bits = self.scalar(body, given.result)? as u16;
        let all =
            [self.argument(body, given, 0)?, self.argument(body, given, 1)?, self.argument(body, given, 2)?];
        self.wide(body, Wide::Fused, bits, given.to, &all);
        Ok(())
    }

    pub(super) fn intrinsic(&mut self, body: &mut Body<'_>, name: &str, given: &Given<'_>) -> Result<()> {
        let base = name.split('.').next().unwrap_or_default();
        let to = given.to;
        let first = given.arguments.first().map(|a| &a.operand);
        let second = given.arguments.get(1).map(|a| &a.operand);
        if let (Some(op), Some(left), Some(right)) = (overflow_of(base), first, second) {
            if name.contains(".with.overflow.") {
                return self.overflow(body, op, &left.ty, (&left.value, &right.value), to);
            }
            if name.contains(".sat.") {
                return self.saturating(body, op, &left.ty, given);
            }
        }
        if let (Some(op), Some(from)) = (unary_of(base), first) {
            return self.unary(body, op, &from.ty, &from.value, to);
        }
        if let (Some(op), Some(left), Some(right)) = (pair_of(base), first, second) {
            return self.pairwise(body, op, &left.ty, (&left.value, &right.value), to);
        }
        match base {
            "memcpy" | "memmove" => {
                let (to, from) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                let size = self.argument(body, given, 2)?;
                body.emit(Inst::Copy { to, from, size, overlaps: base == "memmove" });
            }
            "memset" => {
                let (to, byte) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                let size = self.argument(body, given, 2)?;
                body.emit(Inst::Fill { to, byte, size });
            }
            "eh" if name.starts_with("eh.typeid.for") => {
                let ty = self.argument(body, given, 0)?;
                let number = types::number(body.value_of(ty).unwrap_or(0));
                let from = body.constant(number);
                body.emit(Inst::Move { to, from });
            }
            "fma" => return self.fused(body, given),
            "fmuladd" => {
                // Fused or not is the compiler's choice; on machines without the instruction it is not.
                let (Some(left), Some(right), Some(third)) = (first, second, given.arguments.get(2)) else {
                    return self.refuse(body, "`llvm.fmuladd` takes three numbers");
                };
                let ty = given.result;
                self.pairwise(body, Err(FloatOp::Mul), ty, (&left.value, &right.value), to)?;
                let count = self.scalars(body, ty)?.len();
                let product: Vec<Operand> = (to..to + count as u16).map(Operand::register).collect();
                let third = self.operands(body, ty, &third.operand.value)?;
                return self.each_float(body, FloatOp::Add, ty, (&product, &third), to);
            }
            "expect" | "threadlocal" | "launder" | "strip" | "ptr" | "annotation" | "canonicalize"
            | "arithmetic" | "ssa" => {
                let all = match first {
                    Some(from) => self.operands(body, &from.ty, &from.value)?,
                    None => Vec::new(),
                };
                for (i, from) in all.into_iter().enumerate() {
                    body.emit(Inst::Move { to: to + i as u16, from });
                }
            }
            "objectsize" => {
                // Not known: the least or the most, as is asked.
                let least = second.is_some_and(|s| matches!(s.value, Value::Constant(Constant::Int(1))));
                self.answer(body, given, if least { 0 } else { u64::MAX });
            }
            "is" if name.starts_with("is.fpclass") => {
                let Some(Value::Constant(Constant::Int(classes))) = second.map(|s| &s.value) else {
                    return self.refuse(body, "`llvm.is.fpclass` with a variable is not supported");
                };
                let bits = match first {
                    Some(from) => self.scalar(body, &from.ty)? as u16,
                    None => 64,
                };
                let from = self.argument(body, given, 0)?;
                self.wide(body, Wide::Class(*classes as u16), bits, to, &[from]);
            }
            "is" => self.answer(body, given, 0),
            "stacksave" => self.answer(body, given, 0),
            "flt" | "get" => self.answer(body, given, 1),
            "lifetime" | "stackrestore" | "dbg" | "experimental" | "prefetch" | "invariant" | "va_end"
            | "var" | "donothing" | "fake" => {}
            "assume" => self.assumed(body, given)?,
            "va_start" => {
                let list = self.argument(body, given, 0)?;
                body.emit(Inst::FurtherArguments { list });
            }
            "va_copy" => {
                let (to, from) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                let size = body.constant(24);
                body.emit(Inst::Copy { to, from, size, overlaps: false });
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
            "x86" if name.ends_with("mfence") => {
                body.emit(Inst::Fence { order: raveler_core::Order::SeqCst });
            }
            // As their instructions with a "memory" clobber.
            "x86" if name.ends_with("lfence") => {
                body.emit(Inst::Fence { order: raveler_core::Order::Acquire });
            }
            "x86" if name.ends_with("sfence") => {
                body.emit(Inst::Fence { order: raveler_core::Order::Release });
            }
            // Time stands still.
            "readcyclecounter" | "readsteadycounter" => body.emit(Inst::Clock { to }),
            "x86" if name.ends_with("rdtsc") => body.emit(Inst::Clock { to }),
            "fshl" | "fshr" => return self.funnel(body, base, given),
            _ => return self.undefined(body, &format!("llvm.{name}")),
        }
        Ok(())
    }

    /// `__builtin_assume`: the compiler may do anything if it is false.
    fn assumed(&mut self, body: &mut Body<'_>, given: &Given<'_>) -> Result<()> {
        let condition = self.argument(body, given, 0)?;
        let (bad, good) = (body.new_label(), body.new_label());
        body.emit(Inst::Branch { condition, yes: good, no: bad });
        body.set_label(bad);
        body.emit(Inst::Unreachable);
        body.set_label(good);
        Ok(())
    }

    fn each_float(
        &mut self,
        body: &mut Body<'_>,
        op: FloatOp,
        ty: &Type,
        (left, right): (&[Operand], &[Operand]),
        to: u16,
    ) -> Result<()> {
        let (count, kind) = self.numbers(body, ty)?;
        let n = kind.registers();
        if n == 2 {
            self.wide(body, Wide::Float(op), 80, to, &[left, right].concat());
            return Ok(());
        }
        let bits = kind.narrow();
        for (i, (&left, &right)) in left.iter().zip(right).take(count).enumerate() {
            body.emit(Inst::Float { op, bits, to: to + i as u16, left, right });
        }
        Ok(())
    }

    fn overflow(
        &mut self,
        body: &mut Body<'_>,
        op: Overflow,
        ty: &Type,
        (left, right): (&Value, &Value),
        to: u16,
    ) -> Result<()> {
        let (count, kind) = self.numbers(body, ty)?;
        if count != 1 || kind.registers() > 2 {
            return self.refuse(body, "this operation on a vector or a very wide number is not supported");
        }
        let left = self.operands(body, ty, left)?;
        let right = self.operands(body, ty, right)?;
        if kind.registers() == 2 {
            self.wide(body, Wide::Overflow(op), kind.wide(), to, &[left, right].concat());
        } else {
            let bits = kind.narrow();
            body.emit(Inst::Overflow { op, bits, to, left: left[0], right: right[0] });
        }
        Ok(())
    }

    /// Addition and subtraction that stop at the ends.
    fn saturating(&mut self, body: &mut Body<'_>, op: Overflow, ty: &Type, given: &Given<'_>) -> Result<()> {
        let bits = self.scalar(body, ty)?;
        let (left, right) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
        let (wrapped, bits8) = (body.fresh(2), bits as u8);
        body.emit(Inst::Overflow { op, bits: bits8, to: wrapped, left, right });
        let all = super::constant::mask(u64::MAX, bits);
        let end = match op {
            Overflow::UAdd | Overflow::UMul => body.constant(all),
            Overflow::USub => body.constant(0),
            Overflow::SAdd | Overflow::SSub | Overflow::SMul => {
                let (negative, end) = (body.fresh(1), body.fresh(1));
                let zero = body.constant(0);
                body.emit(Inst::Test { op: Test::Slt, bits: bits8, to: negative, left, right: zero });
                let (least, most) = (body.constant(all - (all >> 1)), body.constant(all >> 1));
                let condition = Operand::register(negative);
                body.emit(Inst::Select { to: end, condition, yes: least, no: most });
                Operand::register(end)
            }
        };
        let condition = Operand::register(wrapped + 1);
        let no = Operand::register(wrapped);
        body.emit(Inst::Select { to: given.to, condition, yes: end, no });
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
