//! The 80-bit numbers of x86 (`long double`): two words, the significand and the exponent with the sign.

use std::cmp::Ordering;

use super::format;
use crate::code::{FloatOp, FloatTest, Unary};

/// Significand, then sign and exponent.
pub(super) type Words = (u64, u64);

const BIAS: i32 = 16383;
const SPECIAL: i32 = 0x7fff;
const NAN: Words = (3 << 62, SPECIAL as u64);

/// A number taken apart.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Number {
    Nan,
    Infinite {
        negative: bool,
    },
    /// The significand times two to the `exponent`, its highest bit set unless it is zero.
    Finite {
        negative: bool,
        exponent: i32,
        significand: u64,
    },
}

use Number::{Finite, Infinite, Nan};

fn unpack((significand, rest): Words) -> Number {
    let negative = rest & 0x8000 != 0;
    match (rest & 0x7fff) as i32 {
        SPECIAL if significand << 1 == 0 => Infinite { negative },
        SPECIAL => Nan,
        exponent => normal(negative, exponent.max(1) - BIAS - 63, u128::from(significand), false),
    }
}

fn pack(number: Number) -> Words {
    let sign = |negative| if negative { 0x8000 } else { 0 };
    match number {
        Nan => NAN,
        Infinite { negative } => (1 << 63, sign(negative) | SPECIAL as u64),
        Finite { negative, significand: 0, .. } => (0, sign(negative)),
        Finite { negative, exponent, significand } => {
            let biased = exponent + 63 + BIAS;
            if biased >= SPECIAL {
                return pack(Infinite { negative });
            }
            if biased < 1 {
                // Too small for a significand with all its bits.
                let kept = round(u128::from(significand), (1 - biased) as u32, false);
                return (kept as u64, sign(negative) | u64::from(kept >> 63 != 0));
            }
            (significand, sign(negative) | biased as u64)
        }
    }
}

/// Shifted right, rounded to the nearest, to even if two are as near.
fn round(value: u128, shift: u32, sticky: bool) -> u128 {
    if shift == 0 {
        return value;
    }
    if shift > 127 {
        return 0;
    }
    let (kept, rest, half) = (value >> shift, value & ((1 << shift) - 1), 1u128 << (shift - 1));
    kept + u128::from(rest > half || rest == half && (sticky || kept & 1 != 0))
}

/// A number of any magnitude; `sticky` if it is a little more.
fn normal(negative: bool, exponent: i32, value: u128, sticky: bool) -> Number {
    if value == 0 {
        return Finite { negative, exponent: 0, significand: 0 };
    }
    let high = 127 - value.leading_zeros() as i32;
    if high <= 63 {
        return Finite {
            negative,
            exponent: exponent - (63 - high),
            significand: (value << (63 - high)) as u64,
        };
    }
    let shift = (high - 63) as u32;
    let kept = round(value, shift, sticky);
    let exponent = exponent + shift as i32;
    if kept >> 64 != 0 {
        return Finite { negative, exponent: exponent + 1, significand: 1 << 63 };
    }
    Finite { negative, exponent, significand: kept as u64 }
}

fn add(left: Number, right: Number) -> Number {
    match (left, right) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite { negative: a }, Infinite { negative: b }) if a != b => Nan,
        (Infinite { .. }, _) => left,
        (_, Infinite { .. }) => right,
        (
            Finite { negative: a, exponent: e, significand: m },
            Finite { negative: b, exponent: f, significand: n },
        ) => {
            if m == 0 && n == 0 {
                return Finite { negative: a && b, exponent: 0, significand: 0 };
            }
            if m == 0 || n != 0 && (f, n) > (e, m) {
                return add(right, left);
            }
            if n == 0 {
                return left;
            }
            let (large, distance) = (u128::from(m) << 62, (e - f) as u32);
            let small = u128::from(n) << 62;
            let (small, sticky) = match small.checked_shr(distance) {
                Some(shifted) => (shifted, shifted << distance != small),
                None => (0, true),
            };
            if a == b {
                normal(a, e - 62, large + small, sticky)
            } else {
                let rest = large - small - u128::from(sticky);
                normal(a && rest != 0, e - 62, rest, sticky)
            }
        }
    }
}

fn multiply(left: Number, right: Number) -> Number {
    match (left, right) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite { negative: a }, Infinite { negative: b }) => Infinite { negative: a != b },
        (Infinite { negative: a }, Finite { negative: b, significand, .. })
        | (Finite { negative: a, significand, .. }, Infinite { negative: b }) => match significand {
            0 => Nan,
            _ => Infinite { negative: a != b },
        },
        (
            Finite { negative: a, exponent: e, significand: m },
            Finite { negative: b, exponent: f, significand: n },
        ) => normal(a != b, e + f, u128::from(m) * u128::from(n), false),
    }
}

fn divide(left: Number, right: Number) -> Number {
    match (left, right) {
        (Nan, _) | (_, Nan) | (Infinite { .. }, Infinite { .. }) => Nan,
        (Infinite { negative: a }, Finite { negative: b, .. }) => Infinite { negative: a != b },
        (Finite { negative: a, .. }, Infinite { negative: b }) => {
            Finite { negative: a != b, exponent: 0, significand: 0 }
        }
        (Finite { significand: 0, .. }, Finite { significand: 0, .. }) => Nan,
        (Finite { negative: a, .. }, Finite { negative: b, significand: 0, .. }) => {
            Infinite { negative: a != b }
        }
        (
            Finite { negative: a, exponent: e, significand: m },
            Finite { negative: b, exponent: f, significand: n },
        ) => {
            let n = u128::from(n);
            let (first, rest) = ((u128::from(m) << 64) / n, (u128::from(m) << 64) % n);
            let (second, rest) = ((rest << 32) / n, (rest << 32) % n);
            normal(a != b, e - f - 96, first << 32 | second, rest != 0)
        }
    }
}

fn remainder(left: Number, right: Number) -> Number {
    match (left, right) {
        (Finite { negative, exponent: e, significand: m }, Finite { exponent: f, significand: n, .. })
            if n != 0 =>
        {
            if e < f || m == 0 {
                return left;
            }
            let (mut rest, n) = (u128::from(m) % u128::from(n), u128::from(n));
            for _ in f..e {
                rest = (rest << 1) % n;
            }
            normal(negative, f, rest, false)
        }
        (Finite { .. }, Infinite { .. }) => left,
        _ => Nan,
    }
}

fn compare(left: Number, right: Number) -> Option<Ordering> {
    let sign = |negative: bool| if negative { -1 } else { 1 };
    // Sign, then magnitude, with infinities beyond everything.
    let key = |number| match number {
        Nan => None,
        Infinite { negative } => Some((sign(negative), i32::MAX, u64::MAX)),
        Finite { significand: 0, .. } => Some((0, 0, 0)),
        Finite { negative, exponent, significand } => Some((sign(negative), exponent, significand)),
    };
    let (a, b) = (key(left)?, key(right)?);
    Some(match a.0.cmp(&b.0) {
        Ordering::Equal if a.0 < 0 => (b.1, b.2).cmp(&(a.1, a.2)),
        Ordering::Equal => (a.1, a.2).cmp(&(b.1, b.2)),
        other => other,
    })
}

fn negate(number: Number) -> Number {
    match number {
        Nan => Nan,
        Infinite { negative } => Infinite { negative: !negative },
        Finite { negative, exponent, significand } => Finite { negative: !negative, exponent, significand },
    }
}

fn is_negative(words: Words) -> bool {
    words.1 & 0x8000 != 0
}

/// Arithmetic; none for a function that is not there.
pub(super) fn float(op: FloatOp, left: Words, right: Words) -> Option<Words> {
    let (a, b) = (unpack(left), unpack(right));
    let chosen = |wanted| match compare(a, b) {
        None => Some(if a == Nan { right } else { left }),
        Some(Ordering::Equal) => Some(left),
        Some(order) => Some(if order == wanted { left } else { right }),
    };
    Some(pack(match op {
        FloatOp::Add => add(a, b),
        FloatOp::Sub => add(a, negate(b)),
        FloatOp::Mul => multiply(a, b),
        FloatOp::Div => divide(a, b),
        FloatOp::Rem => remainder(a, b),
        FloatOp::Min => return chosen(Ordering::Less),
        FloatOp::Max => return chosen(Ordering::Greater),
        FloatOp::CopySign => return Some((left.0, left.1 & 0x7fff | right.1 & 0x8000)),
        FloatOp::Pow | FloatOp::Atan2 | FloatOp::Hypot => return None,
    }))
}

/// A comparison.
pub(super) fn test(op: FloatTest, left: Words, right: Words) -> bool {
    op.holds(compare(unpack(left), unpack(right)))
}

/// Functions of one number; none for one that is not there.
pub(super) fn unary(op: Unary, value: Words) -> Option<Words> {
    let number = unpack(value);
    let whole = |towards: i32| {
        // Towards -1: down, 0: cut off, 1: up, 2: to the nearest, away from zero, 3: to the nearest, to even.
        let Finite { negative, exponent, significand } = number else { return number };
        if exponent >= 0 || significand == 0 {
            return number;
        }
        let shift = exponent.unsigned_abs();
        let m = u128::from(significand);
        let (kept, exact) = match shift {
            0..=127 => (m >> shift, m >> shift << shift == m),
            _ => (0, false),
        };
        let nearest = round(m, shift, false);
        let up = match towards {
            -1 => negative && !exact,
            1 => !negative && !exact,
            2 => shift <= 64 && m >> (shift - 1) & 1 != 0,
            3 => nearest > kept,
            _ => false,
        };
        normal(negative, 0, kept + u128::from(up), false)
    };
    Some(pack(match op {
        Unary::FNeg => return Some((value.0, value.1 ^ 0x8000)),
        Unary::FAbs => return Some((value.0, value.1 & 0x7fff)),
        Unary::FFloor => whole(-1),
        Unary::FTrunc => whole(0),
        Unary::FCeil => whole(1),
        Unary::FRound => whole(2),
        Unary::FRint => whole(3),
        Unary::FSqrt => square_root(number),
        _ => return None,
    }))
}

fn square_root(number: Number) -> Number {
    let Finite { negative: false, exponent, significand } = number else {
        return match number {
            Infinite { negative: false } | Finite { significand: 0, .. } => number,
            _ => Nan,
        };
    };
    if significand == 0 {
        return number;
    }
    // An even exponent, and 127 or 128 bits: the root has 64.
    let odd = (exponent + 1).rem_euclid(2) as u32;
    let square = u128::from(significand) << (63 + odd);
    let root = square.isqrt();
    let up = square - root * root > root;
    normal(false, (exponent - 63 - odd as i32) / 2, root + u128::from(up), false)
}

/// From an integer: its sign and magnitude.
pub(super) fn of_integer(negative: bool, magnitude: u128) -> Words {
    pack(normal(negative && magnitude != 0, 0, magnitude, false))
}

/// To an integer, cut off: sign and magnitude. What is too large is undefined.
pub(super) fn to_integer(value: Words) -> (bool, u128) {
    match unpack(value) {
        Finite { negative, exponent, significand } => {
            let m = u128::from(significand);
            let magnitude = if exponent >= 0 {
                m.checked_shl(exponent.unsigned_abs()).unwrap_or(0)
            } else {
                m.checked_shr(exponent.unsigned_abs()).unwrap_or(0)
            };
            (negative, magnitude)
        }
        _ => (false, 1 << 63),
    }
}

/// From a `double`, which it holds exactly.
pub(super) fn of_double(value: f64) -> Words {
    let bits = value.to_bits();
    let (negative, fraction) = (value.is_sign_negative(), u128::from(bits & ((1 << 52) - 1)));
    let sign = if negative { 0x8000 } else { 0 };
    match (bits >> 52) as i32 & 0x7ff {
        0x7ff if fraction == 0 => pack(Infinite { negative }),
        0x7ff => (NAN.0 | (fraction as u64) << 11, NAN.1 | sign),
        0 => pack(normal(negative, -1074, fraction, false)),
        exponent => pack(normal(negative, exponent - 1075, 1 << 52 | fraction, false)),
    }
}

/// To a number of 64 or 32 bits, rounded once.
pub(super) fn narrow(value: Words, bits: u8) -> u64 {
    let (digits, least, bias, size) = if bits == 32 { (24, -149, 127, 31) } else { (53, -1074, 1023, 63) };
    let sign = u64::from(is_negative(value)) << size;
    let infinite = (2 * bias as u64 + 1) << (digits - 1);
    match unpack(value) {
        Nan => sign | infinite | 1 << (digits - 2),
        Infinite { .. } => sign | infinite,
        Finite { significand: 0, .. } => sign,
        Finite { exponent, significand, .. } => {
            let shift = (64 - digits).max(least - exponent);
            let kept = round(u128::from(significand), shift as u32, false) as u64;
            // The first bit of the significand adds one to the exponent; so does a carry.
            let biased = exponent + shift - least;
            let bits = ((biased as u64) << (digits - 1)).wrapping_add(kept);
            sign | if biased > 2 * bias { infinite } else { bits.min(infinite) }
        }
    }
}

/// Is it negative, and its digits without the sign; none for a format that is not there.
pub(super) fn print(
    value: Words,
    letter: u8,
    precision: Option<usize>,
    alternate: bool,
) -> Option<(bool, String)> {
    let negative = is_negative(value);
    let text = match unpack(value) {
        Nan => "nan".into(),
        Infinite { .. } => "inf".into(),
        Finite { .. } if letter == b'a' => return None,
        Finite { exponent, significand, .. } => {
            let (digits, places) = super::decimal::exact(significand, exponent);
            format::decimal(
                letter,
                precision,
                alternate,
                &|n| super::decimal::plain(&digits, places, n),
                &|n| super::decimal::scientific(&digits, places, n),
            )
        }
    };
    Some((negative, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: f64) -> Words {
        of_double(value)
    }

    fn back(words: Words) -> f64 {
        f64::from_bits(narrow(words, 64))
    }

    #[test]
    fn arithmetic_agrees_with_doubles_where_both_are_exact() {
        for a in [0.0, 1.0, -2.5, 3e10, 1e-300, 0.1, f64::INFINITY] {
            assert_eq!(back(of(a)), a);
            for b in [1.0, -0.75, 1024.0, 7e5] {
                assert_eq!(back(float(FloatOp::Mul, of(a), of(b)).expect("there")), a * b, "{a} * {b}");
                assert_eq!(back(float(FloatOp::Add, of(a), of(b)).expect("there")), a + b, "{a} + {b}");
                assert_eq!(back(float(FloatOp::Sub, of(a), of(b)).expect("there")), a - b, "{a} - {b}");
                let less = FloatTest { less: true, equal: false, greater: false, unordered: false };
                assert_eq!(test(less, of(a), of(b)), a < b);
            }
        }
        assert_eq!(back(float(FloatOp::Div, of(1.0), of(3.0)).expect("there")), 1.0 / 3.0);
        assert_eq!(back(unary(Unary::FSqrt, of(2.0)).expect("there")), 2f64.sqrt());
        assert_eq!(to_integer(of(-7.9)), (true, 7));
        assert_eq!(back(of_integer(true, 1 << 70)), -(2f64.powi(70)));
        assert_eq!(f32::from_bits(narrow(of(0.1), 32) as u32), 0.1f32);
        assert_eq!(f32::from_bits(narrow(of(1e-45), 32) as u32), 1e-45f32);
    }

    #[test]
    fn numbers_are_printed_with_all_their_digits() {
        let third = float(FloatOp::Div, of(1.0), of(3.0)).expect("there");
        assert_eq!(print(third, b'f', Some(25), false), Some((false, "0.3333333333333333333423684".into())));
        assert_eq!(print(of(1e22), b'g', None, false), Some((false, "1e+22".into())));
        assert_eq!(print(of(-0.5), b'e', Some(2), false), Some((true, "5.00e-01".into())));
    }
}
