//! Random numbers: a fixed sequence, so that every search sees the same program, in each thread by itself.
//!
//! Where a thread stands in it is part of the thread's state. The sequence is short, so that a loop which draws a number in
//! every round comes back to where it was, and can be seen to wait.

use super::Cursor;

/// Each remainder of a division by 2 to 8 and by 10 is among them, and no number twice.
const SEQUENCE: [u32; 16] = [
    1_242_168_729,
    607_591_834,
    523_082_630,
    2_102_432_242,
    102_505_141,
    1_485_557_793,
    576_019_835,
    2_059_465_096,
    1_492_374_271,
    1_969_924_737,
    1_685_679_692,
    990_205_284,
    1_144_615_608,
    353_284_429,
    973_292_000,
    124_875_735,
];

/// The number at a position.
pub(super) fn number(position: u64) -> u64 {
    u64::from(SEQUENCE[(position % SEQUENCE.len() as u64) as usize])
}

impl Cursor {
    /// The thread's next number.
    pub(super) fn draw(&mut self) -> u64 {
        let position = self.rare.drawn;
        self.seed(u64::from(position) + 1);
        number(u64::from(position))
    }

    /// Go on from this position.
    pub(super) fn seed(&mut self, position: u64) {
        self.rare_mut().drawn = (position % SEQUENCE.len() as u64) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_small_remainder_is_drawn() {
        for divisor in [2, 3, 4, 5, 6, 7, 8, 10] {
            for remainder in 0..divisor {
                assert!(
                    SEQUENCE.iter().any(|number| number % divisor == remainder),
                    "{remainder} of {divisor}"
                );
            }
        }
        assert!(SEQUENCE.iter().all(|&number| number <= i32::MAX as u32));
    }
}
