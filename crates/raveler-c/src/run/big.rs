//! Integers of more than 128 bits: what long runs of bit-fields need.

use raveler_core::ViolationKind;

use super::arith::Wrong;
use crate::code::{Arith, Number, Test, Wide};

/// Compute. None inside if there is no such function.
pub(super) fn big(op: Wide, bits: u16, words: &[u64]) -> Result<Option<Vec<u64>>, Wrong> {
    let n = usize::from(bits.div_ceil(64)).min(words.len());
    let (left, right) = words.split_at(n);
    let pairwise =
        |f: fn(u64, u64) -> u64| left.iter().zip(right).map(|(&a, &b)| f(a, b)).collect::<Vec<_>>();
    let cut = |value: Vec<u64>| Ok(Some(fit(value, bits, bits, false)));
    match op {
        Wide::Arith(Arith::And) => cut(pairwise(|a, b| a & b)),
        Wide::Arith(Arith::Or) => cut(pairwise(|a, b| a | b)),
        Wide::Arith(Arith::Xor) => cut(pairwise(|a, b| a ^ b)),
        Wide::Arith(Arith::Add) => cut(add(left, right, false)),
        Wide::Arith(Arith::Sub) => {
            let inverted: Vec<u64> = right.iter().map(|word| !word).collect();
            cut(add(left, &inverted, true))
        }
        Wide::Arith(op @ (Arith::Shl | Arith::LShr | Arith::AShr)) => {
            let amount = match right {
                [amount, rest @ ..] if *amount < u64::from(bits) && rest.iter().all(|&w| w == 0) => *amount,
                _ => return Err((ViolationKind::Arithmetic, "a shift by more bits than the value has")),
            };
            let value = fit(left.to_vec(), bits, 64 * n as u16, op == Arith::AShr);
            cut(if op == Arith::Shl { up(&value, amount) } else { down(&value, amount, op == Arith::AShr) })
        }
        Wide::Test(test) => {
            let signed = matches!(test, Test::Sgt | Test::Sge | Test::Slt | Test::Sle);
            let key = |value: &[u64]| {
                let mut value = fit(value.to_vec(), bits, 64 * n as u16, signed);
                if let Some(last) = value.last_mut().filter(|_| signed) {
                    *last ^= 1 << 63;
                }
                value.reverse();
                value
            };
            let order = key(left).cmp(&key(right));
            let holds = match test {
                Test::Eq => order.is_eq(),
                Test::Ne => order.is_ne(),
                Test::Ugt | Test::Sgt => order.is_gt(),
                Test::Uge | Test::Sge => order.is_ge(),
                Test::Ult | Test::Slt => order.is_lt(),
                Test::Ule | Test::Sle => order.is_le(),
            };
            Ok(Some(vec![u64::from(holds)]))
        }
        Wide::Convert { from, to } => {
            let (from, signed) = match from {
                Number::Signed(bits) => (bits, true),
                Number::Unsigned(bits) => (bits, false),
                Number::Float(_) => return Ok(None),
            };
            let to = match to {
                Number::Signed(bits) | Number::Unsigned(bits) => bits,
                Number::Float(_) => return Ok(None),
            };
            Ok(Some(fit(words.to_vec(), from, to, signed)))
        }
        _ => Ok(None),
    }
}

fn add(left: &[u64], right: &[u64], mut carry: bool) -> Vec<u64> {
    let mut sum = Vec::with_capacity(left.len());
    for (&a, &b) in left.iter().zip(right) {
        let (value, first) = a.overflowing_add(b);
        let (value, second) = value.overflowing_add(u64::from(carry));
        carry = first || second;
        sum.push(value);
    }
    sum
}

/// A number of `from` bits as one of `to` bits.
fn fit(mut value: Vec<u64>, from: u16, to: u16, signed: bool) -> Vec<u64> {
    let bit =
        |value: &[u64], at: u16| value.get(usize::from(at / 64)).is_some_and(|w| w >> (at % 64) & 1 != 0);
    let fill = if signed && bit(&value, from - 1) { u64::MAX } else { 0 };
    value.resize(usize::from(to.max(from).div_ceil(64)), fill);
    let set = |value: &mut Vec<u64>, from: u16, fill: u64| {
        if !from.is_multiple_of(64)
            && let Some(word) = value.get_mut(usize::from(from / 64))
        {
            let low = (1 << (from % 64)) - 1;
            *word = *word & low | fill & !low;
        }
    };
    set(&mut value, from, fill);
    value.truncate(usize::from(to.div_ceil(64)));
    if to < from || fill != 0 {
        set(&mut value, to, 0);
    }
    value
}

fn up(value: &[u64], amount: u64) -> Vec<u64> {
    let (words, bits) = ((amount / 64) as usize, amount % 64);
    let at = |i: usize| i.checked_sub(words).map_or(0, |i| value[i]);
    (0..value.len())
        .map(|i| {
            let low = if bits == 0 || i == 0 { 0 } else { at(i - 1) >> (64 - bits) };
            at(i) << bits | low
        })
        .collect()
}

fn down(value: &[u64], amount: u64, signed: bool) -> Vec<u64> {
    let (words, bits) = ((amount / 64) as usize, amount % 64);
    let fill = if signed && value.last().is_some_and(|last| last >> 63 != 0) { u64::MAX } else { 0 };
    let at = |i: usize| value.get(i + words).copied().unwrap_or(fill);
    (0..value.len())
        .map(|i| {
            let high = if bits == 0 { 0 } else { at(i + 1) << (64 - bits) };
            at(i) >> bits | high
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arith(op: Arith, left: [u64; 3], right: [u64; 3]) -> Vec<u64> {
        let words = [left, right].concat();
        big(Wide::Arith(op), 168, &words).expect("no trap").expect("there")
    }

    #[test]
    fn many_words_shift_as_one_number() {
        let value = [1, 2, 3];
        assert_eq!(arith(Arith::Shl, value, [64, 0, 0]), [0, 1, 2]);
        assert_eq!(arith(Arith::Shl, value, [4, 0, 0]), [16, 32, 48]);
        assert_eq!(arith(Arith::LShr, value, [65, 0, 0]), [1 | 1 << 63, 1, 0]);
        assert_eq!(arith(Arith::AShr, [0, 0, 1 << 39], [167, 0, 0]), [u64::MAX, u64::MAX, (1 << 40) - 1]);
        assert_eq!(arith(Arith::Sub, [0, 0, 0], [1, 0, 0]), [u64::MAX, u64::MAX, (1 << 40) - 1]);
        let convert = Wide::Convert { from: Number::Signed(168), to: Number::Signed(32) };
        assert_eq!(big(convert, 168, &[0x1_2345_6789, 0, 0]), Ok(Some(vec![0x2345_6789])));
        let convert = Wide::Convert { from: Number::Signed(8), to: Number::Signed(168) };
        assert_eq!(big(convert, 8, &[0x80]), Ok(Some(vec![u64::MAX - 127, u64::MAX, (1 << 40) - 1])));
    }
}
