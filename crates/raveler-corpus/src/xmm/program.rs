//! A program of the table as the engine sees it.

use std::borrow::Cow;

use raveler_core::{
    Action, Address, Answer, Entry, Object, Operation, Program, Site, SiteId, SourceMap, UpdateOp,
    ViolationKind, Width,
};

use super::code::{Change, Code, Instruction, Place, Registers};

const WIDTH: Width = Width::B8;

/// A program that can be searched.
pub struct LineProgram {
    code: Code,
    objects: Vec<Object>,
    sources: SourceMap,
    /// The site of each thread's first instruction.
    sites: Vec<u32>,
}

/// Where a thread stands.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    thread: usize,
    at: usize,
    registers: Registers,
    /// The register that the next answer belongs in.
    answer: Option<usize>,
}

impl LineProgram {
    /// Make it of its code; `name` and `text` are for reports.
    pub fn new(name: &str, text: &str, code: Code) -> LineProgram {
        let objects = code.locations.iter().enumerate().map(|(number, location)| Object {
            name: location.name.clone(),
            address: address(number),
            size: WIDTH.bytes(),
            cell: WIDTH,
            initial: vec![location.initial as u64],
        });
        let objects = objects.collect();
        let mut sources = SourceMap { file: name.into(), text: text.into(), ..SourceMap::default() };
        let mut sites = Vec::new();
        for (number, thread) in code.threads.iter().enumerate() {
            sites.push(sources.sites.len() as u32);
            sources.threads.push(format!("P{number}"));
            sources.sites.extend(thread.statements.iter().map(|statement| Site {
                file: None,
                line: 1,
                column: statement.column as u32,
                function: format!("P{number}"),
                text: statement.text.clone(),
            }));
        }
        LineProgram { code, objects, sources, sites }
    }

    /// The location's name.
    pub fn location(&self, at: Address) -> &str {
        let number = (0..self.code.locations.len()).find(|&number| address(number) == at);
        number.map_or("?", |number| &self.code.locations[number].name)
    }

    /// The registers of a thread at the end of an execution, with their names.
    pub fn registers<'p>(&'p self, cursor: &'p Cursor) -> impl Iterator<Item = (&'p str, i64)> {
        let names = self.code.threads[cursor.thread].registers.iter();
        names.zip(cursor.registers).map(|(name, value)| (name.as_str(), value))
    }

    /// Where a place lies; none for an element that its array does not have.
    fn address(&self, cursor: &Cursor, place: &Place) -> Option<Address> {
        match place {
            Place::Location(number) => Some(address(*number)),
            Place::Element(array, index) => {
                let index = usize::try_from(index.value(&cursor.registers)).ok()?;
                self.code.arrays[*array].1.get(index).copied().map(address)
            }
        }
    }
}

/// Locations lie apart, so that none can be taken for the end of another.
fn address(location: usize) -> Address {
    Address(0x1000 + 0x10 * location as u64)
}

impl Program for LineProgram {
    type Cursor = Cursor;

    fn threads(&self) -> u32 {
        self.code.threads.len() as u32
    }

    fn start(&self, entry: Entry) -> Cursor {
        let thread = match entry {
            Entry::Initial(thread) => thread as usize,
            Entry::Spawned { .. } => unreachable!("no thread is spawned"),
        };
        Cursor { thread, at: 0, registers: Registers::default(), answer: None }
    }

    fn step(&self, cursor: &mut Cursor, answer: Answer) -> Action {
        if let Some(register) = cursor.answer.take() {
            cursor.registers[register] = answer.value() as i64;
        }
        loop {
            let site = SiteId(self.sites[cursor.thread] + cursor.at as u32);
            let Some(instruction) = self.code.threads[cursor.thread].code.get(cursor.at) else {
                return Action { site: SiteId::NONE, operation: Operation::Done };
            };
            if let Some(operation) = self.perform(cursor, instruction) {
                return Action { site, operation };
            }
        }
    }

    fn objects(&self) -> &[Object] {
        &self.objects
    }

    fn sources(&self) -> Cow<'_, SourceMap> {
        Cow::Borrowed(&self.sources)
    }
}

impl LineProgram {
    /// Perform an instruction; the operation of it that other threads can see, if there is one.
    fn perform(&self, cursor: &mut Cursor, instruction: &Instruction) -> Option<Operation> {
        let registers = cursor.registers;
        let outside = || Operation::Fail {
            kind: ViolationKind::OutOfBounds,
            message: "the array has no such element".into(),
            related: Vec::new(),
        };
        cursor.at += 1;
        match instruction {
            Instruction::Read(into, place, order) => {
                let Some(address) = self.address(cursor, place) else { return Some(outside()) };
                cursor.answer = Some(*into);
                Some(Operation::Read { address, width: WIDTH, order: *order })
            }
            Instruction::Write(place, value, order) => {
                let Some(address) = self.address(cursor, place) else { return Some(outside()) };
                let value = value.value(&registers) as u64;
                Some(Operation::Write { address, width: WIDTH, order: *order, value })
            }
            Instruction::Update(into, place, change, order) => {
                let Some(address) = self.address(cursor, place) else { return Some(outside()) };
                cursor.answer = *into;
                let op = match change {
                    Change::Add(value) => UpdateOp::Add(value.value(&registers) as u64),
                    Change::Exchange(value) => UpdateOp::Exchange(value.value(&registers) as u64),
                    Change::CompareExchange(expected, desired, failure) => UpdateOp::CompareExchange {
                        expected: expected.value(&registers) as u64,
                        desired: desired.value(&registers) as u64,
                        failure: *failure,
                        weak: false,
                    },
                };
                Some(Operation::Update { address, width: WIDTH, order: *order, op })
            }
            Instruction::Fence(order) => Some(Operation::Fence(*order)),
            Instruction::Set(register, value) => {
                cursor.registers[*register] = value.value(&registers);
                None
            }
            Instruction::Assume(condition) if condition.value(&registers) == 0 => {
                // However often it is asked, it stays there.
                cursor.at -= 1;
                Some(Operation::Block)
            }
            Instruction::Assume(_) => None,
            Instruction::Unless(condition, otherwise) => {
                if condition.value(&registers) == 0 {
                    cursor.at = *otherwise;
                }
                None
            }
            Instruction::Jump(to) => {
                cursor.at = *to;
                None
            }
        }
    }
}
