//! Values that nobody set: local variables and memory without an initial value.
//!
//! Copying them is harmless, as structs with padding are copied; what depends on one may not decide anything, be an
//! address, be printed or be given to other threads. Which bits of which register are unknown is a list that is nearly
//! always empty; then nothing here runs.

use raveler_core::ViolationKind;

use super::arith::{mask, signed};
use super::step::{Stop, fail};
use super::{CProgram, Cursor, arith, wide};
use crate::code::{Arith, Function, Inst, Number, Operand, Reg, Unary, Wide};
use crate::lower::effect;

/// Bits of a register that nobody set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) struct Unknown {
    /// Counted from the first register of the outermost call.
    register: u32,
    bits: u64,
    origin: Origin,
}

/// Where it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) enum Origin {
    /// A variable whose name is this text.
    Variable(u16),
    /// An object that comes from here.
    Place(u16),
    /// A global variable, of all things.
    Other,
}

/// Unknown bits, with where they come from.
type Bits = Option<(u64, Origin)>;

impl Cursor {
    /// The unknown bits of a register of the current call.
    fn unknown_of(&self, register: Reg) -> Bits {
        let at = self.base + u32::from(register);
        self.unknown.iter().find(|entry| entry.register == at).map(|entry| (entry.bits, entry.origin))
    }

    /// The unknown bits of an operand.
    pub(super) fn unknown_in(&self, operand: Operand) -> Bits {
        if self.unknown.is_empty() {
            return None;
        }
        operand.decode().ok().and_then(|register| self.unknown_of(register))
    }

    /// These bits of a register are unknown from now on, and no others.
    pub(super) fn set_unknown(&mut self, register: Reg, bits: Bits) {
        let at = self.base + u32::from(register);
        self.unknown.retain(|entry| entry.register != at);
        if let Some((bits, origin)) = bits.filter(|(bits, _)| *bits != 0) {
            self.unknown.push(Unknown { register: at, bits, origin });
        }
    }

    /// All registers move: calls come back that were put away.
    pub(super) fn shift_unknown(&mut self, shift: u32) {
        for entry in &mut self.unknown {
            entry.register += shift;
        }
    }

    /// What was unknown in the current call is forgotten: it returns.
    pub(super) fn leave_unknown(&mut self) {
        self.unknown.retain(|entry| entry.register < self.base);
    }

    /// Forget what is not read any more.
    fn prune(&mut self, function: &Function) {
        let live = &function.live;
        let row = live.rows.get(self.pc as usize * live.words..).unwrap_or_default();
        let base = self.base;
        self.unknown.retain(|entry| {
            entry.register < base || {
                let register = (entry.register - base) as usize;
                row.get(register / 64).is_some_and(|word| word >> (register % 64) & 1 != 0)
            }
        });
    }

    /// Before an instruction: what it makes of unknown operands.
    pub(super) fn spread(&mut self, program: &CProgram, inst: Inst) -> Result<(), Stop> {
        let function = &program.code.functions[self.function as usize];
        match inst {
            Inst::Jump { .. } | Inst::Loop { .. } => {
                self.prune(function);
                return Ok(());
            }
            // The operands become parameters and results, with what is unknown of them.
            Inst::Call { .. } | Inst::Return { .. } | Inst::Forget { .. } => return Ok(()),
            _ => {}
        }
        let mut operands = Vec::new();
        let written = effect(function, &inst, &mut |operand| operands.push(operand));
        let found: Vec<Bits> = operands.iter().map(|&operand| self.unknown_in(operand)).collect();
        let first = found.iter().copied().flatten().next();
        let results = match first {
            None => Vec::new(),
            Some((_, origin)) => match misuse(&inst, &found) {
                Some(what) => return self.complain(program, what, origin),
                None => self.results(function, inst, &found, &operands),
            },
        };
        let (to, count) = written.unwrap_or((0, 0));
        for i in 0..count {
            let bits = results.get(usize::from(i)).copied().unwrap_or(0);
            self.set_unknown(to + i, first.map(|(_, origin)| (bits, origin)));
        }
        Ok(())
    }

    /// The unknown bits of what an instruction computes.
    fn results(&self, function: &Function, inst: Inst, found: &[Bits], operands: &[Operand]) -> Vec<u64> {
        let bits_of = |i: usize| found.get(i).copied().flatten().map_or(0, |(bits, _)| bits);
        let value = |i: usize| operands.get(i).map_or(0, |&operand| self.get(&function.constants, operand));
        match inst {
            Inst::Move { .. } => vec![bits_of(0)],
            Inst::Truncate { bits, .. } => vec![mask(bits_of(0), bits)],
            Inst::Extend { from_bits, to_bits, .. } => {
                vec![mask(signed(bits_of(0), from_bits) as u64, to_bits)]
            }
            Inst::Select { .. } if bits_of(0) & 1 != 0 => vec![u64::MAX],
            Inst::Select { .. } => vec![bits_of(if value(0) & 1 != 0 { 1 } else { 2 })],
            Inst::Arith { op, bits, .. } => {
                vec![mask(arithmetic(op, bits, (value(0), bits_of(0)), (value(1), bits_of(1))), bits)]
            }
            Inst::Unary { op: op @ (Unary::SwapBytes | Unary::ReverseBits), bits, .. } => {
                vec![arith::unary(op, bits, bits_of(0))]
            }
            Inst::Unary { op: Unary::FNeg | Unary::FAbs, .. } => vec![bits_of(0)],
            Inst::Wide { op, bits, .. } => {
                let (count, results) = op.shape(bits);
                let values: Vec<(u64, u64)> =
                    (0..usize::from(count)).map(|i| (value(i), bits_of(i))).collect();
                wide_bits(op, bits, &values).unwrap_or_else(|| vec![u64::MAX; usize::from(results)])
            }
            Inst::Test { .. } | Inst::FloatTest { .. } => vec![1],
            Inst::Float { bits, .. } => vec![mask(u64::MAX, bits)],
            Inst::Overflow { bits, .. } => vec![mask(u64::MAX, bits), 1],
            _ => vec![u64::MAX],
        }
    }

    /// Something depends on what nobody set.
    pub(super) fn complain<T>(&self, program: &CProgram, what: &str, origin: Origin) -> Result<T, Stop> {
        let code = &program.code;
        let name = match origin {
            Origin::Variable(text) => code.texts.get(usize::from(text)).map(|name| format!("`{name}`")),
            Origin::Place(place) => code.places.get(usize::from(place)).map(|place| {
                if place.stack { format!("`{}`", place.name) } else { "allocated memory".into() }
            }),
            Origin::Other => None,
        };
        let name = name.unwrap_or_else(|| "something".into());
        fail(ViolationKind::UninitialisedRead, format!("{what} {name}, which is not initialised"))
    }
}

/// What is wrong with unknown operands, if anything.
fn misuse(inst: &Inst, found: &[Bits]) -> Option<&'static str> {
    const ADDRESS: &str = "an address depends on";
    const DECISION: &str = "a decision depends on";
    match inst {
        Inst::Branch { .. } | Inst::Switch { .. } | Inst::Assume { .. } => Some(DECISION),
        Inst::Load { .. } | Inst::CallPointer { .. } if found[0].is_some() => Some(ADDRESS),
        Inst::CallPointer { .. } => None,
        // What is stored is looked at where it is stored.
        Inst::Store { .. } if found[1].is_some() => Some(ADDRESS),
        Inst::Store { .. } => None,
        Inst::Modify { .. } | Inst::CompareExchange { .. } => Some("an atomic operation uses"),
        Inst::Alloca { .. } | Inst::Begin { .. } | Inst::Continue { .. } | Inst::Allocate { .. } => {
            Some("the size of an object depends on")
        }
        Inst::Free { .. }
        | Inst::Lock { .. }
        | Inst::TryLock { .. }
        | Inst::Unlock { .. }
        | Inst::FurtherArguments { .. } => Some(ADDRESS),
        Inst::Copy { .. } | Inst::Fill { .. } => Some("a copy of memory depends on"),
        Inst::Native { .. } => Some("what is printed depends on"),
        Inst::Spawn { .. } | Inst::Join { .. } | Inst::Choose { .. } | Inst::Observe { .. } => {
            Some("a call uses")
        }
        _ => None,
    }
}

/// Values with their unknown bits.
fn arithmetic(op: Arith, bits: u8, (a, unknown_a): (u64, u64), (b, unknown_b): (u64, u64)) -> u64 {
    let either = unknown_a | unknown_b;
    match op {
        // A known zero decides; a known one decides.
        Arith::And => either & !(!unknown_a & !a) & !(!unknown_b & !b),
        Arith::Or => either & !(!unknown_a & a) & !(!unknown_b & b),
        Arith::Xor => either,
        Arith::Shl | Arith::LShr | Arith::AShr if unknown_b == 0 => {
            arith::arith(op, bits, unknown_a, b).unwrap_or(u64::MAX)
        }
        // Carries go up only.
        Arith::Add | Arith::Sub | Arith::Mul if either != 0 => u64::MAX << either.trailing_zeros(),
        _ if either == 0 => 0,
        _ => u64::MAX,
    }
}

/// The same for values of several registers.
fn wide_bits(op: Wide, bits: u16, values: &[(u64, u64)]) -> Option<Vec<u64>> {
    match op {
        Wide::Arith(op @ (Arith::And | Arith::Or | Arith::Xor)) => {
            let (left, right) = values.split_at(values.len() / 2);
            Some(left.iter().zip(right).map(|(&a, &b)| arithmetic(op, 64, a, b)).collect())
        }
        Wide::Arith(Arith::Shl | Arith::LShr | Arith::AShr) => {
            let (left, right) = values.split_at(values.len() / 2);
            if right.iter().any(|&(_, unknown)| unknown != 0) {
                return None;
            }
            let words: Vec<u64> = left
                .iter()
                .map(|&(_, unknown)| unknown)
                .chain(right.iter().map(|&(value, _)| value))
                .collect();
            wide::wide(op, bits, &words).ok().flatten()
        }
        Wide::Convert {
            from: Number::Signed(_) | Number::Unsigned(_),
            to: Number::Signed(_) | Number::Unsigned(_),
        } => {
            let words: Vec<u64> = values.iter().map(|&(_, unknown)| unknown).collect();
            wide::wide(op, bits, &words).ok().flatten()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_bits_stay_known() {
        let unknown = (0, 0xff);
        assert_eq!(arithmetic(Arith::And, 8, unknown, (0x0f, 0)), 0x0f);
        assert_eq!(arithmetic(Arith::Or, 8, unknown, (0x0f, 0)), 0xf0);
        assert_eq!(arithmetic(Arith::Shl, 8, (0, 0x0f), (4, 0)), 0xf0);
        assert_eq!(mask(arithmetic(Arith::Add, 8, (1, 0x10), (1, 0)), 8), 0xf0);
        assert_eq!(arithmetic(Arith::Mul, 8, (3, 0), (4, 0)), 0);
        assert_eq!(
            wide_bits(Wide::Arith(Arith::Shl), 128, &[(0, 1), (0, 0), (64, 0), (0, 0)]),
            Some(vec![0, 1])
        );
    }
}
