//! What threads are lowered to: few, flat instructions on registers, so that little runs between two accesses.

use raveler_core::{Order, ViolationKind, Width};

use crate::types::Scalar;

/// A register, or a value known beforehand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operand {
    Register(u16),
    Constant(i64),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    UnsignedLess,
    UnsignedLessEqual,
}

impl Comparison {
    #[inline]
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::LessEqual => left <= right,
            Comparison::UnsignedLess => (left as u64) < right as u64,
            Comparison::UnsignedLessEqual => left as u64 <= right as u64,
        }
    }
}

/// Arithmetic on 64 bits; the instruction says to which type the result is converted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    UnsignedDiv,
    UnsignedMod,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    UnsignedShiftRight,
    Compare(Comparison),
}

/// Why an operation has no result.
pub(crate) type Undefined = (ViolationKind, &'static str);

impl Arithmetic {
    #[inline]
    pub fn apply(self, left: i64, right: i64) -> Result<i64, Undefined> {
        const ZERO: Undefined = (ViolationKind::DivisionByZero, "division by zero");
        const SHIFT: Undefined = (ViolationKind::Arithmetic, "shift by a negative number or by 64 or more");
        let shift = |by: i64| u32::try_from(by).ok().filter(|by| *by < 64).ok_or(SHIFT);
        Ok(match self {
            Arithmetic::Add => left.wrapping_add(right),
            Arithmetic::Sub => left.wrapping_sub(right),
            Arithmetic::Mul => left.wrapping_mul(right),
            Arithmetic::And => left & right,
            Arithmetic::Or => left | right,
            Arithmetic::Xor => left ^ right,
            Arithmetic::Compare(comparison) => comparison.holds(left, right) as i64,
            Arithmetic::Div | Arithmetic::Mod | Arithmetic::UnsignedDiv | Arithmetic::UnsignedMod
                if right == 0 =>
            {
                return Err(ZERO);
            }
            Arithmetic::Div => left.wrapping_div(right),
            Arithmetic::Mod => left.wrapping_rem(right),
            Arithmetic::UnsignedDiv => (left as u64 / right as u64) as i64,
            Arithmetic::UnsignedMod => (left as u64 % right as u64) as i64,
            Arithmetic::ShiftLeft => left << shift(right)?,
            Arithmetic::ShiftRight => left >> shift(right)?,
            Arithmetic::UnsignedShiftRight => ((left as u64) >> shift(right)?) as i64,
        })
    }
}

/// The read-modify-writes other than compare-exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Modify {
    Exchange,
    Add,
    Sub,
    And,
    Or,
    Xor,
}

/// How memory is accessed: where, and what a report says of the place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Access {
    pub address: Operand,
    pub width: Width,
    pub order: Order,
    pub site: u32,
}

/// Elements of a private array in the registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cells {
    pub first: u16,
    pub count: u16,
    /// The type of an element.
    pub scalar: Scalar,
    pub site: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Instruction {
    Move {
        to: u16,
        from: Operand,
        scalar: Scalar,
    },
    Compute {
        op: Arithmetic,
        to: u16,
        left: Operand,
        right: Operand,
        scalar: Scalar,
        site: u32,
    },
    Jump {
        target: u32,
    },
    /// Jump if the comparison holds.
    Branch {
        comparison: Comparison,
        left: Operand,
        right: Operand,
        target: u32,
    },
    /// Jump back: the only instruction that does.
    Loop {
        target: u32,
        site: u32,
    },
    CellRead {
        cells: Cells,
        to: u16,
        index: Operand,
    },
    CellWrite {
        cells: Cells,
        index: Operand,
        value: Operand,
    },
    Read(Access),
    Write {
        access: Access,
        value: Operand,
    },
    Update {
        access: Access,
        modify: Modify,
        operand: Operand,
    },
    CompareExchange {
        access: Access,
        expected: Operand,
        desired: Operand,
        failure: Order,
        weak: bool,
    },
    Fence {
        order: Order,
        site: u32,
    },
    /// Keep the answer to the last access, which is of type `from`.
    Take {
        to: u16,
        from: Scalar,
        scalar: Scalar,
    },
    /// Keep the answer to a compare-exchange: 1 or 0 in `to`, and on failure the value read in `expected`.
    TakeCompared {
        to: u16,
        expected: u16,
        from: Scalar,
        expected_scalar: Scalar,
    },
    Block {
        site: u32,
    },
    Fail {
        message: u32,
        site: u32,
    },
    Done,
}
