//! Arithmetic on values of two registers: integers of up to 128 bits, and `long double`.

use raveler_core::ViolationKind;

use super::arith::Wrong;
use super::{big, extended};
use crate::code::{Arith, Number, Overflow, Test, Unary, Wide};

/// Up to three registers.
pub(super) type Result3 = [u64; 3];

fn join(low: u64, high: u64) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

fn split(value: u128) -> Result3 {
    [value as u64, (value >> 64) as u64, 0]
}

fn mask(value: u128, bits: u8) -> u128 {
    if bits >= 128 { value } else { value & ((1 << bits) - 1) }
}

fn signed(value: u128, bits: u8) -> i128 {
    let unused = 128 - u32::from(bits.clamp(1, 128));
    ((value << unused) as i128) >> unused
}

/// Compute. None inside if there is no such function for numbers of this kind.
pub(super) fn wide(op: Wide, bits: u16, words: &[u64]) -> Result<Option<Vec<u64>>, Wrong> {
    let many = match op {
        Wide::Convert { from, to } => from.registers() > 2 || to.registers() > 2,
        _ => bits > 128,
    };
    if many {
        return big::big(op, bits, words);
    }
    let [a, b, c, d] = std::array::from_fn(|i| words.get(i).copied().unwrap_or(0));
    let results = usize::from(op.shape(bits).1);
    Ok(narrow(op, bits as u8, [a, b, c, d])?.map(|all| all[..results].to_vec()))
}

fn narrow(op: Wide, bits: u8, [a, b, c, d]: [u64; 4]) -> Result<Option<Result3>, Wrong> {
    Ok(match op {
        Wide::Arith(op) => Some(split(arith(op, bits, join(a, b), join(c, d))?)),
        Wide::Test(op) => Some([u64::from(test(op, bits, join(a, b), join(c, d))), 0, 0]),
        Wide::Overflow(op) => {
            let (value, wrapped) = overflow(op, bits, join(a, b), join(c, d));
            let [low, high, _] = split(value);
            Some([low, high, u64::from(wrapped)])
        }
        Wide::Unary(op) => unary(op, bits, join(a, b)).map(split),
        Wide::Float(op) => extended::float(op, (a, b), (c, d)).map(|(low, high)| [low, high, 0]),
        Wide::FloatTest(op) => Some([u64::from(extended::test(op, (a, b), (c, d))), 0, 0]),
        Wide::FloatUnary(op) => extended::unary(op, (a, b)).map(|(low, high)| [low, high, 0]),
        Wide::Fused if bits == 32 => {
            let [a, b, c] = [a, b, c].map(|word| f32::from_bits(word as u32));
            Some([u64::from(a.mul_add(b, c).to_bits()), 0, 0])
        }
        Wide::Fused => {
            Some([f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)).to_bits(), 0, 0])
        }
        Wide::Class(classes) => Some([u64::from(class(a, bits) & classes != 0), 0, 0]),
        Wide::Convert { from, to } => Some(convert(from, to, a, if from.registers() == 2 { b } else { 0 })),
    })
}

fn arith(op: Arith, bits: u8, a: u128, b: u128) -> Result<u128, Wrong> {
    let by_zero = (ViolationKind::DivisionByZero, "division by zero");
    let too_large = (ViolationKind::Arithmetic, "the result of a division does not fit");
    let (x, y) = (signed(a, bits), signed(b, bits));
    let shift = || {
        if b < u128::from(bits) {
            Ok(b as u32)
        } else {
            Err((ViolationKind::Arithmetic, "a shift by more bits than the value has"))
        }
    };
    let value = match op {
        Arith::Add => a.wrapping_add(b),
        Arith::Sub => a.wrapping_sub(b),
        Arith::Mul => a.wrapping_mul(b),
        Arith::UDiv => a.checked_div(b).ok_or(by_zero)?,
        Arith::URem => a.checked_rem(b).ok_or(by_zero)?,
        Arith::SDiv | Arith::SRem if y == 0 => return Err(by_zero),
        Arith::SDiv | Arith::SRem if y == -1 && x == signed(1 << (bits - 1), bits) => return Err(too_large),
        Arith::SDiv => (x / y) as u128,
        Arith::SRem => (x % y) as u128,
        Arith::Shl => a << shift()?,
        Arith::LShr => a >> shift()?,
        Arith::AShr => (x >> shift()?) as u128,
        Arith::And => a & b,
        Arith::Or => a | b,
        Arith::Xor => a ^ b,
        Arith::SMax => x.max(y) as u128,
        Arith::SMin => x.min(y) as u128,
        Arith::UMax => a.max(b),
        Arith::UMin => a.min(b),
    };
    Ok(mask(value, bits))
}

fn test(op: Test, bits: u8, a: u128, b: u128) -> bool {
    let (x, y) = (signed(a, bits), signed(b, bits));
    match op {
        Test::Eq => a == b,
        Test::Ne => a != b,
        Test::Ugt => a > b,
        Test::Uge => a >= b,
        Test::Ult => a < b,
        Test::Ule => a <= b,
        Test::Sgt => x > y,
        Test::Sge => x >= y,
        Test::Slt => x < y,
        Test::Sle => x <= y,
    }
}

fn overflow(op: Overflow, bits: u8, a: u128, b: u128) -> (u128, bool) {
    let (x, y) = (signed(a, bits), signed(b, bits));
    let (value, wrapped) = match op {
        Overflow::SAdd => of_signed(x.overflowing_add(y)),
        Overflow::SSub => of_signed(x.overflowing_sub(y)),
        Overflow::SMul => of_signed(x.overflowing_mul(y)),
        Overflow::UAdd => a.overflowing_add(b),
        Overflow::USub => a.overflowing_sub(b),
        Overflow::UMul => a.overflowing_mul(b),
    };
    let cut = mask(value, bits);
    let same = match op {
        Overflow::SAdd | Overflow::SSub | Overflow::SMul => signed(cut, bits) as u128 == value,
        Overflow::UAdd | Overflow::USub | Overflow::UMul => cut == value,
    };
    (cut, wrapped || !same)
}

fn of_signed((value, wrapped): (i128, bool)) -> (u128, bool) {
    (value as u128, wrapped)
}

fn unary(op: Unary, bits: u8, a: u128) -> Option<u128> {
    let unused = 128 - u32::from(bits);
    Some(match op {
        Unary::CountOnes => u128::from(a.count_ones()),
        Unary::LeadingZeros => u128::from(a.leading_zeros() - unused),
        Unary::TrailingZeros => u128::from(a.trailing_zeros().min(u32::from(bits))),
        Unary::SwapBytes => a.swap_bytes() >> unused,
        Unary::ReverseBits => a.reverse_bits() >> unused,
        Unary::Abs => mask(signed(a, bits).unsigned_abs(), bits),
        _ => return None,
    })
}

/// The class of a number, as one bit.
fn class(value: u64, bits: u8) -> u16 {
    use std::num::FpCategory;
    let (category, negative, quiet) = if bits == 32 {
        let value = f32::from_bits(value as u32);
        (value.classify(), value.is_sign_negative(), value.to_bits() >> 22 & 1 != 0)
    } else {
        let value = f64::from_bits(value);
        (value.classify(), value.is_sign_negative(), value.to_bits() >> 51 & 1 != 0)
    };
    // From negative infinity, 2, up to positive infinity, 9, with the zeros in the middle.
    let place = match category {
        FpCategory::Nan => return if quiet { 2 } else { 1 },
        FpCategory::Infinite => 4,
        FpCategory::Normal => 3,
        FpCategory::Subnormal => 2,
        FpCategory::Zero => 1,
    };
    1 << if negative { 6 - place } else { 5 + place }
}

fn convert(from: Number, to: Number, low: u64, high: u64) -> Result3 {
    let value = join(low, high);
    // Everything that is not a fraction goes by way of a sign and a magnitude.
    let (negative, magnitude) = match from {
        Number::Signed(bits) => {
            let value = signed(value, bits as u8);
            (value < 0, value.unsigned_abs())
        }
        Number::Unsigned(bits) => (false, mask(value, bits as u8)),
        Number::Float(bits) => return convert_float(bits, to, low, high),
    };
    match to {
        Number::Signed(bits) | Number::Unsigned(bits) => {
            split(mask(if negative { magnitude.wrapping_neg() } else { magnitude }, bits as u8))
        }
        Number::Float(32) => {
            let value = magnitude as f32;
            [u64::from((if negative { -value } else { value }).to_bits()), 0, 0]
        }
        Number::Float(64) => {
            let value = magnitude as f64;
            [(if negative { -value } else { value }).to_bits(), 0, 0]
        }
        Number::Float(_) => {
            let (low, high) = extended::of_integer(negative, magnitude);
            [low, high, 0]
        }
    }
}

fn convert_float(bits: u16, to: Number, low: u64, high: u64) -> Result3 {
    let extended = match bits {
        32 => extended::of_double(f64::from(f32::from_bits(low as u32))),
        64 => extended::of_double(f64::from_bits(low)),
        _ => (low, high),
    };
    match to {
        Number::Signed(bits) | Number::Unsigned(bits) => {
            let (negative, magnitude) = extended::to_integer(extended);
            split(mask(if negative { magnitude.wrapping_neg() } else { magnitude }, bits as u8))
        }
        Number::Float(bits @ (32 | 64)) => [extended::narrow(extended, bits as u8), 0, 0],
        Number::Float(_) => [extended.0, extended.1, 0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_integers_wrap_where_they_end() {
        let big = u128::MAX - 5;
        let [low, high, _] = split(big);
        let sum = wide(Wide::Arith(Arith::Add), 128, &[low, high, 10, 0]).expect("no trap");
        assert_eq!(sum, Some(vec![4, 0]));
        let shifted = wide(Wide::Arith(Arith::Shl), 128, &[1, 0, 70, 0]).expect("no trap");
        assert_eq!(shifted, Some(vec![0, 64]));
        assert!(wide(Wide::Arith(Arith::SDiv), 128, &[1, 0, 0, 0]).is_err());
        let convert = |from, to, low| convert(from, to, low, 0);
        assert_eq!(convert(Number::Signed(32), Number::Signed(128), 0xffff_ffff), [u64::MAX, u64::MAX, 0]);
        assert_eq!(convert(Number::Signed(128), Number::Float(64), 3), [3f64.to_bits(), 0, 0]);
        let (value, wrapped) = overflow(Overflow::SMul, 128, 1 << 126, 2);
        assert_eq!((value, wrapped), (1 << 127, true));
    }
}
