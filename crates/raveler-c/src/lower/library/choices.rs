//! Values of which a program asks only which constants they are equal to: one of each kind stands for all of them.

use std::collections::BTreeSet;

use super::super::Lowerer;
use super::super::function::Body;
use super::super::promote::each_operand;
use super::Given;
use crate::code::{Inst, Operand, Test};
use crate::ir::{Compare, Constant, Local, Op, Type, Value};

/// More constants than this are no choice between cases.
const MOST: usize = 64;

impl Lowerer<'_> {
    /// The values that matter of what a call gives: the constants that it is compared with for equality, and one that is none
    /// of them. None if anything else is done with it.
    pub(super) fn told_apart(&mut self, body: &Body<'_>, given: &Given<'_>, bits: u32) -> Option<Vec<u64>> {
        let result = body.slots.iter().find(|(_, to)| **to == given.to).map(|(local, _)| *local)?;
        let mut constants = BTreeSet::new();
        for (ty, constant) in compared(body, result)? {
            constants.insert(self.bits(ty, constant)?);
        }
        let most = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        let other = (0..=most).find(|value| !constants.contains(value));
        constants.extend(other);
        (constants.len() <= MOST).then(|| constants.into_iter().collect())
    }

    /// The call gives one of these values, which are in their order.
    pub(super) fn choose_one_of(&mut self, body: &mut Body<'_>, given: &Given<'_>, values: &[u64]) {
        let [first, .., last] = values else {
            let from = body.constant(values.first().copied().unwrap_or(0));
            return body.emit(Inst::Move { to: given.to, from });
        };
        if last - first == values.len() as u64 - 1 {
            let (low, high) = (body.constant(*first), body.constant(*last));
            return body.emit(Inst::Choose { to: given.to, low, high });
        }
        let (low, high) = (body.constant(0), body.constant(values.len() as u64 - 1));
        let (chosen, is) = (body.fresh(1), body.fresh(1));
        body.emit(Inst::Choose { to: chosen, low, high });
        let from = body.constant(*last);
        body.emit(Inst::Move { to: given.to, from });
        for (at, value) in values[..values.len() - 1].iter().enumerate() {
            let (left, right) = (Operand::register(chosen), body.constant(at as u64));
            body.emit(Inst::Test { op: Test::Eq, bits: 64, to: is, left, right });
            let (condition, yes) = (Operand::register(is), body.constant(*value));
            body.emit(Inst::Select { to: given.to, condition, yes, no: Operand::register(given.to) });
        }
    }
}

/// The constants that a value is compared with, whether they are equal, also after it was kept in variables that are nothing
/// but registers. None if anything else is done with it.
fn compared<'b>(body: &Body<'b>, value: Local) -> Option<Vec<(&'b Type, &'b Constant)>> {
    let instructions = || body.source.blocks.iter().flat_map(|block| &block.instructions);
    let (mut constants, mut kept) = (Vec::new(), Vec::new());
    let mut values = vec![value];
    let mut at = 0;
    while let Some(&value) = values.get(at) {
        at += 1;
        let is_it = |other: &Value| matches!(other, Value::Local(local) if *local == value);
        for instruction in instructions() {
            let mut mentioned = false;
            each_operand(&instruction.op, &mut |operand| mentioned |= is_it(operand));
            if !mentioned {
                continue;
            }
            match &instruction.op {
                Op::Compare { op: Compare::Eq | Compare::Ne, ty, left, right } => {
                    match if is_it(left) { right } else { left } {
                        Value::Constant(constant) => constants.push((ty, constant)),
                        Value::Local(_) | Value::Metadata => return None,
                    }
                }
                Op::Switch { operand, cases, .. } => {
                    constants.extend(cases.iter().map(|(constant, _)| (&operand.ty, constant)));
                }
                Op::Store { value: stored, address, .. } if is_it(&stored.value) => match address.value {
                    Value::Local(variable) if body.promoted.contains_key(&variable) => {
                        if !kept.contains(&variable) {
                            kept.push(variable);
                            values.extend(instructions().filter_map(|other| match &other.op {
                                Op::Load { address, .. } if address.value == Value::Local(variable) => {
                                    other.result
                                }
                                _ => None,
                            }));
                        }
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
    }
    Some(constants)
}
