//! Numbers in few bits: an arithmetic coder whose guesses adapt to what was coded before.
//!
//! A recording is a list of small numbers that mostly repeat each other, and its text should fit on a command line. Each
//! bit is coded with a guess of its own context; a context that was met often is nearly free.

use rustc_hash::FxHashMap;

/// Guesses for the next bit, by context: the probability of a 1 in 65,536ths, and how often the context was met.
#[derive(Default)]
struct Guesses(FxHashMap<(u32, u32), (u16, u8)>);

impl Guesses {
    fn of(&mut self, context: u32, node: u32) -> &mut (u16, u8) {
        self.0.entry((context, node)).or_insert((1 << 15, 0))
    }
}

/// The guess after one more bit: quick at first, then slower.
fn learn(guess: &mut (u16, u8), bit: bool) {
    let (one, met) = (i32::from(guess.0), i32::from(guess.1));
    let target = if bit { 65_535 } else { 0 };
    let moved = one + (target - one) * 2 / (2 * met + 3);
    *guess = (moved.clamp(64, 65_471) as u16, guess.1.saturating_add(1).min(30));
}

/// Where the range is cut: below and at it is a 1.
fn cut(low: u32, high: u32, one: u16) -> u32 {
    low + ((u64::from(high - low) * u64::from(one)) >> 16) as u32
}

/// The longest number, in bits.
const MOST_BITS: u32 = 64;

/// Writes numbers.
pub(super) struct Encoder {
    low: u32,
    high: u32,
    out: Vec<u8>,
    guesses: Guesses,
}

impl Encoder {
    pub fn new() -> Encoder {
        Encoder { low: 0, high: u32::MAX, out: Vec::new(), guesses: Guesses::default() }
    }

    fn bit(&mut self, context: u32, node: u32, bit: bool) {
        let guess = self.guesses.of(context, node);
        let at = cut(self.low, self.high, guess.0);
        learn(guess, bit);
        if bit {
            self.high = at;
        } else {
            self.low = at + 1;
        }
        while self.low >> 24 == self.high >> 24 {
            self.out.push((self.high >> 24) as u8);
            self.low <<= 8;
            self.high = self.high << 8 | 255;
        }
    }

    /// Write a number in a context: its length in bits first, then its bits.
    pub fn number(&mut self, context: u32, number: u64) {
        let length = MOST_BITS - number.leading_zeros();
        for at in 0..=length.min(MOST_BITS - 1) {
            self.bit(context, at, at < length);
        }
        let mut node = MOST_BITS + length;
        for at in (0..length.saturating_sub(1)).rev() {
            let bit = number >> at & 1 != 0;
            self.bit(context, node, bit);
            // The first bits matter most; those far behind are like any others.
            node = if at + 6 >= length { node << 1 | u32::from(bit) } else { u32::MAX - at };
        }
    }

    /// All that was written. A reader takes what is missing at the end for zeros.
    pub fn finish(mut self) -> Vec<u8> {
        if self.low > 0 {
            self.out.push((self.low >> 24) as u8 + 1);
        }
        while self.out.last() == Some(&0) {
            self.out.pop();
        }
        self.out
    }
}

/// Reads them.
pub(super) struct Decoder<'a> {
    low: u32,
    high: u32,
    value: u32,
    bytes: &'a [u8],
    /// How many bytes were read that are not there.
    missing: usize,
    guesses: Guesses,
}

impl Decoder<'_> {
    pub fn new(bytes: &[u8]) -> Decoder<'_> {
        let mut decoder =
            Decoder { low: 0, high: u32::MAX, value: 0, bytes, missing: 0, guesses: Guesses::default() };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    fn shift(&mut self) {
        let next = match self.bytes.split_first() {
            Some((&first, rest)) => {
                self.bytes = rest;
                first
            }
            None => {
                self.missing += 1;
                0
            }
        };
        self.value = self.value << 8 | u32::from(next);
    }

    fn bit(&mut self, context: u32, node: u32) -> bool {
        let guess = self.guesses.of(context, node);
        let at = cut(self.low, self.high, guess.0);
        let bit = self.value <= at;
        learn(guess, bit);
        if bit {
            self.high = at;
        } else {
            self.low = at + 1;
        }
        while self.low >> 24 == self.high >> 24 {
            self.low <<= 8;
            self.high = self.high << 8 | 255;
            self.shift();
        }
        bit
    }

    /// Read a number in a context. None if there are no more: what is damaged may ask for numbers without end.
    pub fn number(&mut self, context: u32) -> Option<u64> {
        if self.missing > 1 << 8 {
            return None;
        }
        let mut length = 0;
        while length < MOST_BITS && self.bit(context, length) {
            length += 1;
        }
        let mut number = u64::from(length > 0);
        let mut node = MOST_BITS + length;
        for at in (0..length.saturating_sub(1)).rev() {
            let bit = self.bit(context, node);
            number = number << 1 | u64::from(bit);
            node = if at + 6 >= length { node << 1 | u32::from(bit) } else { u32::MAX - at };
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::{Decoder, Encoder};

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 2, 3, 7, 8, 255, 256, 65_535, 1 << 31, u64::MAX - 1, u64::MAX];
        let many = || (0..2_000_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (i % 64));
        let all: Vec<u64> = numbers.into_iter().chain(many()).chain([0; 50]).collect();
        let mut encoder = Encoder::new();
        for (at, &number) in all.iter().enumerate() {
            encoder.number(at as u32 % 5, number);
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        for (at, &number) in all.iter().enumerate() {
            assert_eq!(decoder.number(at as u32 % 5), Some(number), "number {at}");
        }
    }

    #[test]
    fn what_repeats_is_nearly_free() {
        let mut encoder = Encoder::new();
        for _ in 0..400 {
            encoder.number(1, 5);
        }
        assert!(encoder.finish().len() < 40);
    }
}
