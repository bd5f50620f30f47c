//! The operands of a statement of inline assembly, as its constraints have them: memory, registers, flags.

use std::collections::HashMap;

use super::super::Lowerer;
use super::super::function::{Body, Reported};
use super::super::library::Given;
use super::text::{self, Place};
use crate::code::{Inst, Operand, Test};
use crate::ir::Type;

type Result<T> = std::result::Result<T, Reported>;

/// What an instruction left for those that ask for its flags.
#[derive(Clone, Copy)]
pub(super) enum Flags {
    /// Nothing that can be asked for.
    Unknown,
    /// The result, and its bits.
    Result(Operand, u32),
    /// The zero flag.
    Zero(Operand),
    /// The carry flag.
    Carry(Operand),
}

/// An operand of the statement.
pub(super) struct Slot {
    /// The address, if it is memory.
    pub memory: Option<Operand>,
    /// The register that holds it, an index into `Statement::registers`.
    pub register: usize,
    pub bits: u32,
}

/// A statement on its way.
pub(super) struct Statement {
    pub slots: Vec<Slot>,
    /// What registers hold, as far as something set them.
    pub registers: Vec<Option<Operand>>,
    /// Those that the constraints name.
    pub named: HashMap<&'static str, usize>,
    /// The registers of the results, with the condition for those that are flags.
    pub results: Vec<(usize, Option<String>)>,
    /// The compiler knows that memory is accessed.
    pub memory: bool,
    pub flags: Flags,
}

/// Why it is refused.
pub(super) struct Unknown;

pub(super) type Step<T> = std::result::Result<T, Unknown>;

impl Lowerer<'_> {
    /// What the constraints say of the operands.
    pub(super) fn statement(
        &mut self,
        body: &mut Body<'_>,
        constraints: &str,
        given: &Given<'_>,
    ) -> Result<Option<Statement>> {
        let results = match given.result {
            Type::Void => Vec::new(),
            ty => self.scalars(body, ty)?,
        };
        let mut all = Statement {
            slots: Vec::new(),
            registers: Vec::new(),
            named: HashMap::new(),
            results: Vec::new(),
            memory: false,
            flags: Flags::Unknown,
        };
        let mut arguments = 0;
        for part in constraints.split(',').filter(|part| !part.is_empty()) {
            if let Some(clobber) = part.strip_prefix('~') {
                all.memory |= clobber == "{memory}";
                // The text may use what it says it changes.
                let name = clobber.trim_matches(['{', '}']);
                if text::register_of(name).is_some() {
                    all.register(Some(name));
                }
                continue;
            }
            let (output, rest) = match part.strip_prefix('=') {
                Some(rest) => (true, rest.trim_start_matches('&')),
                None => (false, part),
            };
            let indirect = rest.strip_prefix('*');
            let name = rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
            if output && indirect.is_none() {
                let Some(scalar) = results.get(all.results.len()) else { return Ok(None) };
                let flag = name.and_then(|name| name.strip_prefix("@cc")).map(str::to_string);
                let Some(register) = all.register(name.filter(|_| flag.is_none())) else { return Ok(None) };
                all.results.push((register, flag));
                all.slots.push(Slot { memory: None, register, bits: scalar.bits });
                continue;
            }
            let Some(argument) = given.arguments.get(arguments) else { return Ok(None) };
            let value = self.argument(body, given, arguments)?;
            let bits = self.scalar(body, &argument.operand.ty)?;
            arguments += 1;
            let (memory, register) = match (indirect, rest.parse::<usize>()) {
                (Some(_), _) => (Some(value), 0),
                (None, Ok(tied)) => match all.slots.get(tied) {
                    Some(slot) if slot.memory.is_none() => (None, slot.register),
                    _ => return Ok(None),
                },
                (None, Err(_)) => match all.register(name) {
                    Some(register) => (None, register),
                    None => return Ok(None),
                },
            };
            if memory.is_none() {
                all.registers[register] = Some(value);
            }
            all.slots.push(Slot { memory, register, bits });
        }
        Ok(Some(all))
    }
}

impl Statement {
    /// A register, the one of this name if there is one; none if the name is not known.
    pub(super) fn register(&mut self, name: Option<&str>) -> Option<usize> {
        let next = self.registers.len();
        let register = match name {
            Some(name) => *self.named.entry(text::register_of(name)?.0).or_insert(next),
            None => next,
        };
        if register == next {
            self.registers.push(None);
        }
        Some(register)
    }

    /// What a register holds whose name the constraints give.
    pub(super) fn value_of(&self, name: &str) -> Option<Operand> {
        self.named.get(name).and_then(|&register| self.registers[register])
    }

    /// Let it hold something else.
    pub(super) fn set(&mut self, name: &str, value: Operand) {
        if let Some(&register) = self.named.get(name) {
            self.registers[register] = Some(value);
        }
    }

    pub(super) fn is_memory(&self, place: &Place) -> bool {
        match *place {
            Place::Slot(index, _) => self.slots.get(index).is_some_and(|slot| slot.memory.is_some()),
            Place::Behind(..) => true,
            Place::Immediate(_) | Place::Register(..) | Place::Stack => false,
        }
    }

    /// The bits of a register, for instructions that do not say their width.
    pub(super) fn register_bits(&self, place: &Place) -> Option<u32> {
        match *place {
            Place::Slot(_, Some(bits)) | Place::Register(_, bits) => Some(bits),
            Place::Slot(index, None) => {
                self.slots.get(index).filter(|slot| slot.memory.is_none()).map(|slot| slot.bits)
            }
            _ => None,
        }
    }

    /// The register of an operand that is written with so many bits, and how many bits it has.
    pub(super) fn register_of(&self, place: &Place, bits: u32) -> Step<(usize, u32)> {
        match *place {
            Place::Slot(index, part) => {
                let slot = self.slots.get(index).ok_or(Unknown)?;
                // A number may stand for a register, and a narrower one may be extended by the compiler.
                if part.unwrap_or(slot.bits) != bits {
                    return Err(Unknown);
                }
                Ok((slot.register, slot.bits))
            }
            Place::Register(name, as_named) if as_named == bits => {
                let register = *self.named.get(name).ok_or(Unknown)?;
                let known = self.slots.iter().filter(|s| s.memory.is_none() && s.register == register);
                let known = known.map(|slot| slot.bits).max().unwrap_or(64);
                Ok((register, known))
            }
            _ => Err(Unknown),
        }
    }

    /// Does this condition hold of the flags?
    pub(super) fn condition(&self, body: &mut Body<'_>, name: &str) -> Step<Operand> {
        let (name, negated) = match name {
            "nz" | "ne" => ("z", true),
            "nc" | "ae" | "nb" => ("c", true),
            "ns" => ("s", true),
            "z" | "e" => ("z", false),
            "c" | "b" | "nae" => ("c", false),
            "s" => ("s", false),
            _ => return Err(Unknown),
        };
        let zero = body.constant(0);
        let mut test = |op, bits: u32, left| {
            let to = body.fresh(1);
            body.emit(Inst::Test { op, bits: bits as u8, to, left, right: zero });
            Operand::register(to)
        };
        let (flag, bits) = match (name, self.flags) {
            ("z", Flags::Result(value, bits)) => {
                return Ok(test(if negated { Test::Ne } else { Test::Eq }, bits, value));
            }
            ("s", Flags::Result(value, bits)) => {
                return Ok(test(if negated { Test::Sge } else { Test::Slt }, bits, value));
            }
            ("z", Flags::Zero(flag)) => (flag, 1),
            ("c", Flags::Carry(flag)) => (flag, 64),
            _ => return Err(Unknown),
        };
        Ok(if negated { test(Test::Eq, bits, flag) } else { flag })
    }
}
