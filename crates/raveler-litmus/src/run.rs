//! Running the byte code: the litmus test as a [`Program`].

use std::borrow::Cow;

use raveler_core::{
    Action, Address, Answer, Entry, Object, Operation, Program, SiteId, SourceMap, UpdateOp, Value,
    ViolationKind, Width,
};

use crate::bytecode::{Access, Cells, Instruction, Modify, Operand};

/// A thread may run this many instructions without touching memory that others can see.
const STEP_LIMIT: u64 = 1_000_000;

/// Registers of a thread; most threads have few, and then a copy needs no allocation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Registers {
    Few([i64; 8]),
    Many(Box<[i64]>),
}

impl Registers {
    #[inline]
    fn slice(&self) -> &[i64] {
        match self {
            Registers::Few(array) => array,
            Registers::Many(list) => list,
        }
    }

    #[inline]
    fn slice_mut(&mut self) -> &mut [i64] {
        match self {
            Registers::Few(array) => array,
            Registers::Many(list) => list,
        }
    }
}

/// Where one thread of a litmus test stands: its registers and its next instruction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cursor {
    next: u32,
    registers: Registers,
}

impl Cursor {
    pub(crate) fn new(next: u32, values: &[i64]) -> Cursor {
        let mut few = [0; 8];
        let registers = match few.get_mut(..values.len()) {
            Some(start) => {
                start.copy_from_slice(values);
                Registers::Few(few)
            }
            None => Registers::Many(values.into()),
        };
        Cursor { next, registers }
    }

    #[inline]
    pub(crate) fn register(&self, index: u16) -> i64 {
        self.registers.slice().get(index as usize).copied().unwrap_or(0)
    }
}

/// The threads of a litmus test, ready to run.
#[derive(Clone, Debug, Default)]
pub struct LitmusProgram {
    /// All threads behind each other; the last instruction is `Done`.
    pub(crate) code: Vec<Instruction>,
    pub(crate) starts: Vec<Cursor>,
    pub(crate) objects: Vec<Object>,
    pub(crate) sources: SourceMap,
    /// Texts of failed assertions.
    pub(crate) messages: Vec<String>,
}

/// Why an access cannot be done.
struct Wrong {
    kind: ViolationKind,
    message: String,
}

#[inline]
fn value(registers: &[i64], operand: Operand) -> i64 {
    match operand {
        Operand::Register(index) => registers[index as usize],
        Operand::Constant(value) => value,
    }
}

impl LitmusProgram {
    /// The address of an access. Constant ones were checked when the code was made.
    #[inline]
    fn address(&self, registers: &[i64], access: &Access) -> Result<Address, Wrong> {
        match access.address {
            Operand::Constant(address) => Ok(Address(address as u64)),
            Operand::Register(index) => self.check(registers[index as usize] as u64, access.width),
        }
    }

    /// Is this the address of a location that is accessed as a whole?
    fn check(&self, address: u64, width: Width) -> Result<Address, Wrong> {
        let after = self.objects.partition_point(|object| object.address.0 <= address);
        let object = after.checked_sub(1).map(|i| &self.objects[i]);
        match object.filter(|object| address - object.address.0 < object.size) {
            Some(object)
                if object.cell == width && (address - object.address.0).is_multiple_of(width.bytes()) =>
            {
                Ok(Address(address))
            }
            Some(object) => Err(Wrong {
                kind: ViolationKind::Other,
                message: format!("an access to a part of `{}`: its type has another size", object.name),
            }),
            None if address < 0x1000 => Err(Wrong {
                kind: ViolationKind::NullDereference,
                message: "access through a null pointer".into(),
            }),
            None => Err(Wrong {
                kind: ViolationKind::OutOfBounds,
                message: "access outside of every location".into(),
            }),
        }
    }

    fn fail(&self, cursor: &mut Cursor, site: u32, wrong: Wrong) -> Action {
        cursor.next = self.code.len().saturating_sub(1) as u32;
        let operation = Operation::Fail { kind: wrong.kind, message: wrong.message, related: Vec::new() };
        Action { site: SiteId(site), operation }
    }

    #[cold]
    fn too_long(&self, cursor: &mut Cursor, site: u32) -> Action {
        let line = self.sources.site(SiteId(site)).map_or(0, |site| site.line);
        let message =
            format!("the loop at line {line} ran 1,000,000 steps and nothing that others write can end it");
        self.fail(cursor, site, Wrong { kind: ViolationKind::Other, message })
    }
}

/// The register of an element, if there is such an element.
#[inline]
fn cell(cells: &Cells, index: i64) -> Result<usize, Wrong> {
    match usize::try_from(index).ok().filter(|index| *index < cells.count as usize) {
        Some(index) => Ok(cells.first as usize + index),
        None => {
            let message = format!("index {index} is outside the array of {}", cells.count);
            Err(Wrong { kind: ViolationKind::OutOfBounds, message })
        }
    }
}

impl Program for LitmusProgram {
    type Cursor = Cursor;

    fn threads(&self) -> u32 {
        self.starts.len() as u32
    }

    fn start(&self, entry: Entry) -> Cursor {
        let known = match entry {
            Entry::Initial(thread) => self.starts.get(thread as usize),
            Entry::Spawned { .. } => None,
        };
        known.cloned().unwrap_or_else(|| Cursor::new(self.code.len().saturating_sub(1) as u32, &[]))
    }

    fn step(&self, cursor: &mut Cursor, answer: Answer) -> Action {
        self.run(cursor, answer.value(), matches!(answer, Answer::Failed(_)))
    }

    fn objects(&self) -> &[Object] {
        &self.objects
    }

    fn sources(&self) -> Cow<'_, SourceMap> {
        Cow::Borrowed(&self.sources)
    }
}

impl LitmusProgram {
    /// Run a thread to its next request. `failed`: its last was a weak compare-exchange that failed for no reason.
    fn run(&self, cursor: &mut Cursor, answer: Value, failed: bool) -> Action {
        let mut next = cursor.next as usize;
        let mut left_to_run = STEP_LIMIT;
        let registers = cursor.registers.slice_mut();
        macro_rules! act {
            ($site:expr, $operation:expr) => {{
                cursor.next = next as u32;
                return Action { site: SiteId($site), operation: $operation };
            }};
        }
        macro_rules! checked {
            ($site:expr, $result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(wrong) => return self.fail(cursor, $site, wrong),
                }
            };
        }
        loop {
            let instruction = &self.code[next];
            next += 1;
            match instruction {
                Instruction::Take { to, from, scalar } => {
                    registers[*to as usize] = scalar.convert(from.convert(answer as i64));
                }
                Instruction::Read(access) => {
                    let address = checked!(access.site, self.address(registers, access));
                    act!(access.site, Operation::Read { address, width: access.width, order: access.order })
                }
                Instruction::Write { access, value: written } => {
                    let address = checked!(access.site, self.address(registers, access));
                    let value = access.width.cut(value(registers, *written) as u64);
                    act!(
                        access.site,
                        Operation::Write { address, width: access.width, order: access.order, value }
                    )
                }
                Instruction::Branch { comparison, left, right, target } => {
                    if comparison.holds(value(registers, *left), value(registers, *right)) {
                        next = *target as usize;
                    }
                }
                Instruction::Jump { target } => next = *target as usize,
                Instruction::Move { to, from, scalar } => {
                    registers[*to as usize] = scalar.convert(value(registers, *from));
                }
                Instruction::Compute { op, to, left, right, scalar, site } => {
                    let result = op.apply(value(registers, *left), value(registers, *right));
                    let undefined = |(kind, message): (_, &str)| Wrong { kind, message: message.to_string() };
                    registers[*to as usize] = scalar.convert(checked!(*site, result.map_err(undefined)));
                }
                Instruction::Update { access, modify, operand } => {
                    let address = checked!(access.site, self.address(registers, access));
                    let v = access.width.cut(value(registers, *operand) as u64);
                    let op = match modify {
                        Modify::Exchange => UpdateOp::Exchange(v),
                        Modify::Add => UpdateOp::Add(v),
                        Modify::Sub => UpdateOp::Sub(v),
                        Modify::And => UpdateOp::And(v),
                        Modify::Or => UpdateOp::Or(v),
                        Modify::Xor => UpdateOp::Xor(v),
                    };
                    act!(
                        access.site,
                        Operation::Update { address, width: access.width, order: access.order, op }
                    )
                }
                Instruction::CompareExchange { access, expected, desired, failure, weak } => {
                    let address = checked!(access.site, self.address(registers, access));
                    let op = UpdateOp::CompareExchange {
                        expected: access.width.cut(value(registers, *expected) as u64),
                        desired: access.width.cut(value(registers, *desired) as u64),
                        failure: *failure,
                        weak: *weak,
                    };
                    act!(
                        access.site,
                        Operation::Update { address, width: access.width, order: access.order, op }
                    )
                }
                Instruction::TakeCompared { to, expected, from, expected_scalar } => {
                    let old = from.convert(answer as i64);
                    let success = !failed && from.convert(registers[*expected as usize]) == old;
                    if !success {
                        registers[*expected as usize] = expected_scalar.convert(old);
                    }
                    registers[*to as usize] = success as i64;
                }
                Instruction::Fence { order, site } => act!(*site, Operation::Fence(*order)),
                Instruction::CellRead { cells, to, index } => {
                    let found = checked!(cells.site, cell(cells, value(registers, *index)));
                    registers[*to as usize] = registers[found];
                }
                Instruction::CellWrite { cells, index, value: written } => {
                    let found = checked!(cells.site, cell(cells, value(registers, *index)));
                    registers[found] = cells.scalar.convert(value(registers, *written));
                }
                Instruction::Loop { target, site } => {
                    let body = next as u64 - *target as u64;
                    match left_to_run.checked_sub(body) {
                        Some(left) => left_to_run = left,
                        None => return self.too_long(cursor, *site),
                    }
                    next = *target as usize;
                }
                Instruction::Block { site } => {
                    next -= 1;
                    act!(*site, Operation::Block)
                }
                Instruction::Fail { message, site } => {
                    let message = self.messages[*message as usize].clone();
                    return self.fail(cursor, *site, Wrong { kind: ViolationKind::Assertion, message });
                }
                Instruction::Done => {
                    next -= 1;
                    act!(SiteId::NONE.0, Operation::Done)
                }
            }
        }
    }
}
