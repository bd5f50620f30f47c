//! A finished program in memory: its threads as lists of instructions, its cursors small and copied as they are.

use std::borrow::Cow;

use raveler_core::LockMode;
use raveler_core::{
    Action, Address, Answer, Entry, Object, Operation, Program, SiteId, SourceMap, UpdateOp, Waiting, Width,
};

use super::{Arithmetic, Change, Instruction, Is, Operand, Place, REGISTERS, Register};

/// A program in memory.
pub struct Built {
    pub(super) objects: Vec<Object>,
    pub(super) code: Vec<Instruction>,
    pub(super) starts: Vec<u16>,
    pub(super) initial: Vec<u16>,
    pub(super) sources: SourceMap,
}

/// Where a thread of a [`Built`] stands.
#[derive(Clone, Copy)]
pub struct Cursor {
    registers: [u64; REGISTERS],
    at: u16,
    /// The register that the answer to the last action belongs in.
    answer: Option<Register>,
}

impl Cursor {
    #[inline]
    fn value(&self, operand: Operand) -> u64 {
        match operand {
            Operand::Constant(number) => number as u64,
            Operand::Register(register, number) => {
                self.registers[register.0 as usize].wrapping_add(number as u64)
            }
        }
    }

    #[inline]
    fn address(&self, place: Place) -> Address {
        Address(place.base.wrapping_add(self.value(place.index).wrapping_mul(8)))
    }

    fn holds(&self, left: Operand, is: Is, right: Operand) -> bool {
        let (left, right) = (self.value(left) as i64, self.value(right) as i64);
        match is {
            Is::Equal => left == right,
            Is::Different => left != right,
            Is::Less => left < right,
            Is::Greater => left > right,
        }
    }

    fn compute(&self, how: Arithmetic, left: Operand, right: Operand) -> u64 {
        let (left, right) = (self.value(left) as i64, self.value(right) as i64);
        let result = match how {
            Arithmetic::Add => left.wrapping_add(right),
            Arithmetic::Sub => left.wrapping_sub(right),
            Arithmetic::Mul => left.wrapping_mul(right),
            Arithmetic::Rem => left.rem_euclid(right),
        };
        result as u64
    }

    fn change(&self, change: Change) -> UpdateOp {
        match change {
            Change::Add(value) => UpdateOp::Add(self.value(value)),
            Change::Exchange(value) => UpdateOp::Exchange(self.value(value)),
            Change::CompareExchange { expected, desired, failure } => UpdateOp::CompareExchange {
                expected: self.value(expected),
                desired: self.value(desired),
                failure,
                weak: false,
            },
        }
    }
}

impl Program for Built {
    type Cursor = Cursor;

    fn threads(&self) -> u32 {
        self.initial.len() as u32
    }

    fn start(&self, entry: Entry) -> Cursor {
        let (at, argument) = match entry {
            Entry::Initial(thread) => (self.initial[thread as usize], 0),
            Entry::Spawned { code, argument, .. } => (self.starts[code as usize], argument),
        };
        let mut registers = [0; REGISTERS];
        registers[0] = argument;
        Cursor { registers, at, answer: None }
    }

    fn step(&self, cursor: &mut Cursor, answer: Answer) -> Action {
        const WIDTH: Width = Width::B8;
        if let Some(register) = cursor.answer.take() {
            cursor.registers[register.0 as usize] = answer.value();
        }
        loop {
            let site = SiteId(u32::from(cursor.at));
            let instruction = self.code[cursor.at as usize];
            cursor.at += 1;
            let operation = match instruction {
                Instruction::Read { into, place, order } => {
                    cursor.answer = Some(into);
                    Operation::Read { address: cursor.address(place), width: WIDTH, order }
                }
                Instruction::Write { place, value, order } => Operation::Write {
                    address: cursor.address(place),
                    width: WIDTH,
                    order,
                    value: cursor.value(value),
                },
                Instruction::Update { into, place, change, order } => {
                    let (address, op) = (cursor.address(place), cursor.change(change));
                    cursor.answer = Some(into);
                    Operation::Update { address, width: WIDTH, order, op }
                }
                Instruction::Fence(order) => Operation::Fence(order),
                Instruction::Lock(place) => {
                    Operation::Lock { address: cursor.address(place), mode: LockMode::Exclusive }
                }
                Instruction::Unlock(place) => Operation::Unlock { address: cursor.address(place) },
                Instruction::Spawn { into, code, argument } => {
                    let argument = cursor.value(argument);
                    cursor.answer = Some(into);
                    Operation::Spawn { code, argument }
                }
                Instruction::Join(register) => Operation::Join(cursor.value(register.into())),
                Instruction::Compute { into, how, left, right } => {
                    cursor.registers[into.0 as usize] = cursor.compute(how, left, right);
                    continue;
                }
                Instruction::Branch { left, is, right, otherwise } => {
                    if !cursor.holds(left, is, right) {
                        cursor.at = otherwise;
                    }
                    continue;
                }
                Instruction::Jump(to) => {
                    cursor.at = to;
                    continue;
                }
                Instruction::Block => Operation::Block,
                Instruction::Wait => Operation::Wait(Waiting::Condition),
                Instruction::Done => {
                    // A thread that ended stays there, however often it is asked.
                    cursor.at -= 1;
                    Operation::Done
                }
            };
            return Action { site, operation };
        }
    }

    fn objects(&self) -> &[Object] {
        &self.objects
    }

    fn sources(&self) -> Cow<'_, SourceMap> {
        Cow::Borrowed(&self.sources)
    }
}
