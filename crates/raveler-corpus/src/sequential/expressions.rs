//! Integer expressions that mean the same to every compiler: nothing overflows that may not.

use super::random::Random;

/// A type of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::I8 => "int8_t",
            Kind::U8 => "uint8_t",
            Kind::I16 => "int16_t",
            Kind::U16 => "uint16_t",
            Kind::I32 => "int32_t",
            Kind::U32 => "uint32_t",
            Kind::I64 => "int64_t",
            Kind::U64 => "uint64_t",
        }
    }
}

/// A constant of a type.
pub(super) fn literal(random: &mut Random, kind: Kind) -> String {
    let value = if random.once_in(3) { random.below(20) } else { random.next() };
    match kind {
        Kind::I8 => format!("{}", value as i8),
        Kind::U8 => format!("{}u", value as u8),
        Kind::I16 => format!("{}", value as i16),
        Kind::U16 => format!("{}u", value as u16),
        Kind::I32 => format!("{}", (value as i32).max(-i32::MAX)),
        Kind::U32 => format!("{}u", value as u32),
        Kind::I64 => format!("{}ll", (value as i64).max(-i64::MAX)),
        Kind::U64 => format!("{value}ull"),
    }
}

/// An unsigned expression of these variables.
pub(super) fn expression(random: &mut Random, depth: u32, variables: &[&str]) -> String {
    if depth == 0 || random.once_in(5) {
        return match random.below(3) {
            0 => format!("(uint64_t){}", literal(random, Kind::U32)),
            _ => format!("(uint64_t)({})", random.pick(variables)),
        };
    }
    let left = expression(random, depth - 1, variables);
    let right = expression(random, depth - 1, variables);
    match random.below(13) {
        0 => format!("({left} + {right})"),
        1 => format!("({left} - {right})"),
        2 => format!("({left} * {right})"),
        3 => format!("({left} / ({right} | 1))"),
        4 => format!("({left} % ({right} | 1))"),
        5 => format!("({left} << ({right} & 31))"),
        6 => format!("({left} >> ({right} & 31))"),
        7 => format!("({left} & {right})"),
        8 => format!("({left} ^ ~{right})"),
        9 => format!("({left} < {right} ? {left} : (uint64_t)({right} != 0))"),
        10 => format!("(uint64_t)(({left} && {right}) || !{left})"),
        11 => format!(
            "(uint64_t)((int32_t)((int64_t)({left} % 100000) - 50000) / (int32_t)({right} % 100 + 1))"
        ),
        _ => format!("(uint64_t)(int16_t){left}"),
    }
}
