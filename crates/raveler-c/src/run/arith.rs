//! Arithmetic on registers.

use raveler_core::ViolationKind;

use crate::code::{Arith, FloatOp, FloatTest, Overflow, Test, Unary};

/// What is wrong with an operation.
pub(super) type Wrong = (ViolationKind, &'static str);

#[inline]
pub(super) fn mask(value: u64, bits: u8) -> u64 {
    if bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

#[inline]
pub(super) fn signed(value: u64, bits: u8) -> i64 {
    let unused = 64 - u32::from(bits);
    ((value << unused) as i64) >> unused
}

#[inline]
pub(super) fn arith(op: Arith, bits: u8, a: u64, b: u64) -> Result<u64, Wrong> {
    let by_zero = (ViolationKind::DivisionByZero, "division by zero");
    let overflow = (ViolationKind::Arithmetic, "the result of a division does not fit");
    let shift = (ViolationKind::Arithmetic, "a shift by more bits than the value has");
    let value = match op {
        Arith::Add => a.wrapping_add(b),
        Arith::Sub => a.wrapping_sub(b),
        Arith::Mul => a.wrapping_mul(b),
        Arith::UDiv => a.checked_div(b).ok_or(by_zero)?,
        Arith::URem => a.checked_rem(b).ok_or(by_zero)?,
        Arith::SDiv | Arith::SRem => {
            let (a, b) = (signed(a, bits), signed(b, bits));
            if b == 0 {
                return Err(by_zero);
            }
            let least = if bits == 64 { i64::MIN } else { -(1 << (bits - 1)) };
            if a == least && b == -1 {
                return Err(overflow);
            }
            (if op == Arith::SDiv { a / b } else { a % b }) as u64
        }
        Arith::Shl if b < u64::from(bits) => a << b,
        Arith::LShr if b < u64::from(bits) => a >> b,
        Arith::AShr if b < u64::from(bits) => (signed(a, bits) >> b) as u64,
        Arith::Shl | Arith::LShr | Arith::AShr => return Err(shift),
        Arith::And => a & b,
        Arith::Or => a | b,
        Arith::Xor => a ^ b,
        Arith::SMax => {
            if signed(a, bits) >= signed(b, bits) {
                a
            } else {
                b
            }
        }
        Arith::SMin => {
            if signed(a, bits) <= signed(b, bits) {
                a
            } else {
                b
            }
        }
        Arith::UMax => a.max(b),
        Arith::UMin => a.min(b),
    };
    Ok(mask(value, bits))
}

/// The wrapped result, and whether it wrapped.
pub(super) fn overflow(op: Overflow, bits: u8, a: u64, b: u64) -> (u64, bool) {
    let wide = |a: i128, b: i128| match op {
        Overflow::SAdd | Overflow::UAdd => a + b,
        Overflow::SSub | Overflow::USub => a - b,
        Overflow::SMul => a.wrapping_mul(b),
        Overflow::UMul => a.wrapping_mul(b),
    };
    match op {
        Overflow::SAdd | Overflow::SSub | Overflow::SMul => {
            let exact = wide(i128::from(signed(a, bits)), i128::from(signed(b, bits)));
            let value = mask(exact as u64, bits);
            (value, i128::from(signed(value, bits)) != exact)
        }
        Overflow::UMul => {
            let exact = u128::from(a) * u128::from(b);
            let value = mask(exact as u64, bits);
            (value, u128::from(value) != exact)
        }
        Overflow::UAdd | Overflow::USub => {
            let exact = wide(i128::from(a), i128::from(b));
            let value = mask(exact as u64, bits);
            (value, i128::from(value) != exact)
        }
    }
}

#[inline]
pub(super) fn test(op: Test, bits: u8, a: u64, b: u64) -> bool {
    match op {
        Test::Eq => a == b,
        Test::Ne => a != b,
        Test::Ugt => a > b,
        Test::Uge => a >= b,
        Test::Ult => a < b,
        Test::Ule => a <= b,
        Test::Sgt => signed(a, bits) > signed(b, bits),
        Test::Sge => signed(a, bits) >= signed(b, bits),
        Test::Slt => signed(a, bits) < signed(b, bits),
        Test::Sle => signed(a, bits) <= signed(b, bits),
    }
}

fn to_float(value: u64, bits: u8) -> f64 {
    if bits == 32 { f64::from(f32::from_bits(value as u32)) } else { f64::from_bits(value) }
}

fn of_float(value: f64, bits: u8) -> u64 {
    if bits == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() }
}

pub(super) fn float(op: FloatOp, bits: u8, a: u64, b: u64) -> u64 {
    if bits == 32 {
        // In single precision throughout: twice rounded is not once rounded.
        let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        let value = match op {
            FloatOp::Add => a + b,
            FloatOp::Sub => a - b,
            FloatOp::Mul => a * b,
            FloatOp::Div => a / b,
            FloatOp::Rem => a % b,
            FloatOp::Min => a.min(b),
            FloatOp::Max => a.max(b),
            FloatOp::CopySign => a.copysign(b),
            FloatOp::Pow => a.powf(b),
            FloatOp::Atan2 => a.atan2(b),
            FloatOp::Hypot => a.hypot(b),
        };
        return u64::from(value.to_bits());
    }
    let (a, b) = (f64::from_bits(a), f64::from_bits(b));
    let value = match op {
        FloatOp::Add => a + b,
        FloatOp::Sub => a - b,
        FloatOp::Mul => a * b,
        FloatOp::Div => a / b,
        FloatOp::Rem => a % b,
        FloatOp::Min => a.min(b),
        FloatOp::Max => a.max(b),
        FloatOp::CopySign => a.copysign(b),
        FloatOp::Pow => a.powf(b),
        FloatOp::Atan2 => a.atan2(b),
        FloatOp::Hypot => a.hypot(b),
    };
    value.to_bits()
}

pub(super) fn float_test(op: FloatTest, bits: u8, a: u64, b: u64) -> bool {
    op.holds(to_float(a, bits).partial_cmp(&to_float(b, bits)))
}

/// A function of the mathematical library, in the precision of its argument.
fn function(op: Unary, bits: u8, a: u64) -> u64 {
    macro_rules! of {
        ($value:expr) => {{
            let value = $value;
            match op {
                Unary::FSin => value.sin(),
                Unary::FCos => value.cos(),
                Unary::FTan => value.tan(),
                Unary::FAsin => value.asin(),
                Unary::FAcos => value.acos(),
                Unary::FAtan => value.atan(),
                Unary::FSinh => value.sinh(),
                Unary::FCosh => value.cosh(),
                Unary::FTanh => value.tanh(),
                Unary::FExp => value.exp(),
                Unary::FExp2 => value.exp2(),
                Unary::FExpM1 => value.exp_m1(),
                Unary::FLog => value.ln(),
                Unary::FLog2 => value.log2(),
                Unary::FLog10 => value.log10(),
                Unary::FLog1P => value.ln_1p(),
                _ => value.cbrt(),
            }
        }};
    }
    match bits {
        32 => u64::from(of!(f32::from_bits(a as u32)).to_bits()),
        _ => of!(f64::from_bits(a)).to_bits(),
    }
}

/// Does the number fit into the integer it becomes? Otherwise C does not say what happens.
pub(super) fn fits(op: Unary, bits: u8, a: u64) -> bool {
    let (least, bound) = match op {
        Unary::FToSi(to) => (-(2f64.powi(i32::from(to) - 1)), 2f64.powi(i32::from(to) - 1)),
        Unary::FToUi(to) => (0.0, 2f64.powi(i32::from(to))),
        _ => return true,
    };
    let whole = to_float(a, bits).trunc();
    whole >= least && whole < bound
}

pub(super) fn unary(op: Unary, bits: u8, a: u64) -> u64 {
    let whole = 64 - u32::from(bits);
    match op {
        Unary::CountOnes => u64::from(a.count_ones()),
        Unary::LeadingZeros => u64::from(a.leading_zeros() - whole),
        Unary::TrailingZeros => u64::from(a.trailing_zeros().min(u32::from(bits))),
        Unary::SwapBytes => a.swap_bytes() >> whole,
        Unary::ReverseBits => a.reverse_bits() >> whole,
        Unary::Abs => mask(signed(a, bits).unsigned_abs(), bits),
        Unary::FNeg => a ^ 1 << (bits - 1),
        Unary::FAbs => a & !(1 << (bits - 1)),
        Unary::FSqrt => of_float(to_float(a, bits).sqrt(), bits),
        Unary::FFloor => of_float(to_float(a, bits).floor(), bits),
        Unary::FCeil => of_float(to_float(a, bits).ceil(), bits),
        Unary::FTrunc => of_float(to_float(a, bits).trunc(), bits),
        Unary::FRound => of_float(to_float(a, bits).round(), bits),
        Unary::FRint => of_float(to_float(a, bits).round_ties_even(), bits),
        Unary::FSin
        | Unary::FCos
        | Unary::FTan
        | Unary::FAsin
        | Unary::FAcos
        | Unary::FAtan
        | Unary::FSinh
        | Unary::FCosh
        | Unary::FTanh
        | Unary::FExp
        | Unary::FExp2
        | Unary::FExpM1
        | Unary::FLog
        | Unary::FLog2
        | Unary::FLog10
        | Unary::FLog1P
        | Unary::FCbrt => function(op, bits, a),
        Unary::FToSi(to) => mask(to_float(a, bits) as i64 as u64, to),
        Unary::FToUi(to) => mask(to_float(a, bits) as u64, to),
        Unary::SiToF(32) => u64::from((signed(a, bits) as f32).to_bits()),
        Unary::SiToF(_) => (signed(a, bits) as f64).to_bits(),
        Unary::UiToF(32) => u64::from((a as f32).to_bits()),
        Unary::UiToF(_) => (a as f64).to_bits(),
        Unary::FToF(to) => of_float(to_float(a, bits), to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_numbers_wrap_where_they_end() {
        assert_eq!(arith(Arith::Add, 8, 250, 10), Ok(4));
        assert_eq!(arith(Arith::SDiv, 32, mask(-7i64 as u64, 32), 2), Ok(mask(-3i64 as u64, 32)));
        assert_eq!(arith(Arith::AShr, 16, 0x8000, 15), Ok(0xffff));
        assert!(arith(Arith::SDiv, 32, 1 << 31, mask(u64::MAX, 32)).is_err());
        assert!(arith(Arith::Shl, 32, 1, 32).is_err());
        assert_eq!(overflow(Overflow::SAdd, 32, 0x7fff_ffff, 1), (0x8000_0000, true));
        assert_eq!(overflow(Overflow::UMul, 64, u64::MAX, 2), (u64::MAX - 1, true));
        assert_eq!(unary(Unary::LeadingZeros, 16, 1), 15);
        assert_eq!(unary(Unary::SwapBytes, 32, 0x0102_0304), 0x0403_0201);
    }
}
