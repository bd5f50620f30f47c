//! What a read-modify-write writes, as data.

use super::action::{Order, Value, Width};

/// What a read-modify-write writes, given what it read. Data, not a closure: the engine must be able to say
/// what the event would be if it read another value, without asking the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum UpdateOp {
    /// Write the operand.
    Exchange(Value),
    /// Add, wrapping.
    Add(Value),
    /// Subtract, wrapping.
    Sub(Value),
    /// Bitwise and.
    And(Value),
    /// Bitwise or.
    Or(Value),
    /// Bitwise exclusive or.
    Xor(Value),
    /// Not (old and operand).
    Nand(Value),
    /// The larger, signed.
    Max(Value),
    /// The smaller, signed.
    Min(Value),
    /// The larger, unsigned.
    UMax(Value),
    /// The smaller, unsigned.
    UMin(Value),
    /// Clear the bit with this number among those that are set, the lowest being number 0; if there is none
    /// it is only a read. For sets of waiting threads, of which one is taken out.
    TakeNth(Value),
    /// Subtract 1; if it is 0 it is only a read. For semaphores.
    Decrement,
    /// Clear all bits; if none is set it is only a read.
    TakeAll,
    /// Write `desired` if the value read equals `expected`; otherwise it is only a read, with order `failure`.
    CompareExchange {
        /// What must be there.
        expected: Value,
        /// What is written then.
        desired: Value,
        /// The order of the read if it fails.
        failure: Order,
        /// A weak one may also fail although the values agree (only where settings say so).
        weak: bool,
    },
    /// Write the bits of the mask, and leave the others as they are: a store to a part of the location.
    Replace {
        /// Which bits.
        mask: Value,
        /// What they become.
        value: Value,
    },
    /// Add to the bits of the mask, wrapping within them; the others stay as they are.
    AddWithin {
        /// Which bits, side by side.
        mask: Value,
        /// What is added, standing where the mask does.
        value: Value,
    },
    /// Write `desired` into the bits of the mask if they are `expected`; otherwise it is only a read, with order `failure`.
    CompareExchangeWithin {
        /// Which bits.
        mask: Value,
        /// What they must be.
        expected: Value,
        /// What they become then.
        desired: Value,
        /// The order of the read if it fails.
        failure: Order,
        /// A weak one may also fail although the values agree (only where settings say so).
        weak: bool,
    },
}

impl UpdateOp {
    /// The value written after reading `old`; none if the operation only reads then.
    #[inline]
    pub fn apply(self, old: Value, width: Width) -> Option<Value> {
        let new = match self {
            UpdateOp::Exchange(v) => v,
            UpdateOp::Add(v) => old.wrapping_add(v),
            UpdateOp::Sub(v) => old.wrapping_sub(v),
            UpdateOp::And(v) => old & v,
            UpdateOp::Or(v) => old | v,
            UpdateOp::Xor(v) => old ^ v,
            UpdateOp::Nand(v) => !(old & v),
            UpdateOp::Max(v) => {
                if width.signed(old) >= width.signed(v) {
                    old
                } else {
                    v
                }
            }
            UpdateOp::Min(v) => {
                if width.signed(old) <= width.signed(v) {
                    old
                } else {
                    v
                }
            }
            UpdateOp::UMax(v) => old.max(width.cut(v)),
            UpdateOp::UMin(v) => old.min(width.cut(v)),
            UpdateOp::TakeNth(n) => {
                let mut set = width.cut(old);
                for _ in 0..n.min(64) {
                    set &= set.wrapping_sub(1);
                }
                if set == 0 {
                    return None;
                }
                old & !(set & set.wrapping_neg())
            }
            UpdateOp::Decrement => {
                if width.cut(old) == 0 {
                    return None;
                }
                old.wrapping_sub(1)
            }
            UpdateOp::TakeAll => {
                if width.cut(old) == 0 {
                    return None;
                }
                0
            }
            UpdateOp::CompareExchange { expected, desired, .. } => {
                if width.cut(old) != width.cut(expected) {
                    return None;
                }
                desired
            }
            UpdateOp::Replace { mask, value } => old & !mask | value & mask,
            UpdateOp::AddWithin { mask, value } => old & !mask | old.wrapping_add(value) & mask,
            UpdateOp::CompareExchangeWithin { mask, expected, desired, .. } => {
                if old & mask != expected & mask {
                    return None;
                }
                old & !mask | desired & mask
            }
        };
        Some(width.cut(new))
    }

    /// The order of a compare-exchange that fails, and whether it may fail although the values agree.
    #[inline]
    pub fn failure(self) -> Option<(Order, bool)> {
        match self {
            UpdateOp::CompareExchange { failure, weak, .. }
            | UpdateOp::CompareExchangeWithin { failure, weak, .. } => Some((failure, weak)),
            _ => None,
        }
    }

    /// Does it change a part of the location only?
    pub fn is_within(self) -> bool {
        matches!(
            self,
            UpdateOp::Replace { .. } | UpdateOp::AddWithin { .. } | UpdateOp::CompareExchangeWithin { .. }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_taken_out_of_a_set() {
        let take = |n, set| UpdateOp::TakeNth(n).apply(set, Width::B8);
        assert_eq!(take(0, 0b10110), Some(0b10100));
        assert_eq!(take(1, 0b10110), Some(0b10010));
        assert_eq!(take(2, 0b10110), Some(0b00110));
        assert_eq!(take(3, 0b10110), None);
        assert_eq!(take(0, 0), None);
        assert_eq!(UpdateOp::TakeAll.apply(0b101, Width::B8), Some(0));
        assert_eq!(UpdateOp::TakeAll.apply(0, Width::B8), None);
    }

    #[test]
    fn a_part_is_changed_within_its_bits() {
        let mask = 0xffff_0000;
        let apply = |op: UpdateOp, old| op.apply(old, Width::B4);
        assert_eq!(apply(UpdateOp::Replace { mask, value: 0x1_0000 }, 0x7777_2222), Some(0x1_2222));
        let add = UpdateOp::AddWithin { mask, value: 0x2_0000 };
        assert_eq!(apply(add, 0xffff_ffff), Some(0x1_ffff));
        let (failure, weak) = (Order::Relaxed, false);
        let (expected, desired) = (0x3_0000, 0x4_0000);
        let exchange = UpdateOp::CompareExchangeWithin { mask, expected, desired, failure, weak };
        assert_eq!(apply(exchange, 0x3_0001), Some(0x4_0001));
        assert_eq!(apply(exchange, 0x5_0001), None);
    }
}
