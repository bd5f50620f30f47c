//! Programs built in memory, for what litmus files cannot say: locks, threads started by threads, assumptions.
//!
//! A [`Builder`] collects variables and threads; [`Builder::finish`] gives a [`Built`], whose threads are lists of
//! instructions and whose cursors are small and copied as they are.
//!
//! This file is long because instructions and their builder belong together.

mod built;

use raveler_core::{Address, Object, Order, Site, SourceMap, Width};

pub use built::{Built, Cursor};

/// How many registers a thread has.
const REGISTERS: usize = 12;

/// A register of one thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Register(u8);

/// A constant, or a register and something added to it.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// A number.
    Constant(i64),
    /// A register's value and something added to it.
    Register(Register, i64),
}

impl From<i64> for Operand {
    fn from(number: i64) -> Operand {
        Operand::Constant(number)
    }
}

impl From<Register> for Operand {
    fn from(register: Register) -> Operand {
        Operand::Register(register, 0)
    }
}

impl std::ops::Add<i64> for Register {
    type Output = Operand;

    fn add(self, number: i64) -> Operand {
        Operand::Register(self, number)
    }
}

/// A shared variable or array.
#[derive(Clone, Copy, Debug)]
pub struct Variable(u64);

/// A place in memory: a variable, or an element of an array that a register names.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    base: u64,
    index: Operand,
}

impl From<Variable> for Place {
    fn from(variable: Variable) -> Place {
        variable.at(0)
    }
}

impl Variable {
    /// The element with this number.
    pub fn at(self, index: impl Into<Operand>) -> Place {
        Place { base: self.0, index: index.into() }
    }
}

/// What a read-modify-write does.
#[derive(Clone, Copy, Debug)]
enum Change {
    Add(Operand),
    Exchange(Operand),
    CompareExchange { expected: Operand, desired: Operand, failure: Order },
}

/// What is computed without touching memory.
#[derive(Clone, Copy, Debug)]
pub enum Arithmetic {
    /// Left plus right.
    Add,
    /// Left minus right.
    Sub,
    /// Left times right.
    Mul,
    /// The remainder of left by right; right is positive.
    Rem,
}

/// How two values are compared, as signed numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Is {
    /// Equal.
    Equal,
    /// Not equal.
    Different,
    /// Left below right.
    Less,
    /// Left above right.
    Greater,
}

/// One instruction of a thread.
#[derive(Clone, Copy, Debug)]
enum Instruction {
    Read { into: Register, place: Place, order: Order },
    Write { place: Place, value: Operand, order: Order },
    Update { into: Register, place: Place, change: Change, order: Order },
    Fence(Order),
    Lock(Place),
    Unlock(Place),
    Spawn { into: Register, code: u64, argument: Operand },
    Join(Register),
    Compute { into: Register, how: Arithmetic, left: Operand, right: Operand },
    Branch { left: Operand, is: Is, right: Operand, otherwise: u16 },
    Jump(u16),
    Block,
    Wait,
    Done,
}

/// The code of threads that are not there from the start.
#[derive(Clone, Copy, Debug)]
pub struct Code(u64);

/// Collects the variables and threads of a program.
#[derive(Default)]
pub struct Builder {
    objects: Vec<Object>,
    code: Vec<Instruction>,
    sites: Vec<Site>,
    starts: Vec<u16>,
    initial: Vec<u16>,
    names: Vec<String>,
    next_address: u64,
}

impl Builder {
    /// An empty program.
    pub fn new() -> Builder {
        Builder { next_address: 0x1000, ..Builder::default() }
    }

    /// A shared variable with its initial value.
    pub fn variable(&mut self, name: &str, initial: i64) -> Variable {
        self.array(name, &[initial])
    }

    /// A shared array with its initial values.
    pub fn array(&mut self, name: &str, initial: &[i64]) -> Variable {
        let address = self.next_address;
        let size = 8 * initial.len() as u64;
        self.next_address += size + 8;
        self.objects.push(Object {
            name: name.to_owned(),
            address: Address(address),
            size,
            cell: Width::B8,
            initial: initial.iter().map(|&value| value as u64).collect(),
        });
        Variable(address)
    }

    /// `count` locks, all free.
    pub fn locks(&mut self, name: &str, count: usize) -> Variable {
        self.array(name, &vec![0; count])
    }

    /// A thread that exists from the start.
    pub fn thread(&mut self, write: impl FnOnce(&mut Thread)) {
        let name = format!("P{}", self.initial.len());
        let start = self.assemble(&name, write);
        self.initial.push(start);
        self.names.push(name);
    }

    /// Code for threads that are spawned; its argument is in [`Thread::argument`].
    pub fn code(&mut self, write: impl FnOnce(&mut Thread)) -> Code {
        let name = format!("T{}", self.starts.len());
        let start = self.assemble(&name, write);
        self.starts.push(start);
        Code(self.starts.len() as u64 - 1)
    }

    /// The finished program.
    pub fn finish(self) -> Built {
        let sources = SourceMap {
            sites: self.sites,
            threads: self.names,
            file: "built".to_owned(),
            ..SourceMap::default()
        };
        Built { objects: self.objects, code: self.code, starts: self.starts, initial: self.initial, sources }
    }

    fn assemble(&mut self, name: &str, write: impl FnOnce(&mut Thread)) -> u16 {
        let start = u16::try_from(self.code.len()).expect("jumps are 16 bits wide");
        // Register 0 holds a spawned thread's argument.
        let mut thread = Thread { start, code: Vec::new(), registers: 1, loops: Vec::new() };
        write(&mut thread);
        thread.end();
        assert!(start as usize + thread.code.len() < u16::MAX as usize, "jumps are 16 bits wide");
        for (index, instruction) in thread.code.into_iter().enumerate() {
            self.sites.push(Site {
                line: index as u32 + 1,
                column: 1,
                function: name.to_owned(),
                text: format!("{instruction:?}"),
                ..Site::default()
            });
            self.code.push(instruction);
        }
        start
    }
}

/// One thread being written.
pub struct Thread {
    start: u16,
    code: Vec<Instruction>,
    registers: u8,
    /// For each open loop the jumps that leave it.
    loops: Vec<Vec<usize>>,
}

impl Thread {
    /// A fresh register, 0 at the start of the thread.
    pub fn register(&mut self) -> Register {
        assert!((self.registers as usize) < REGISTERS, "a thread has {REGISTERS} registers");
        self.registers += 1;
        Register(self.registers - 1)
    }

    /// Which registers are taken now; [`Thread::reuse`] frees those taken later.
    pub fn mark(&self) -> u8 {
        self.registers
    }

    /// Free the registers taken since the mark; nobody may use them any more.
    pub fn reuse(&mut self, mark: u8) {
        self.registers = mark;
    }

    /// What the spawn gave this thread.
    pub fn argument(&self) -> Register {
        Register(0)
    }

    /// Read into a fresh register.
    pub fn read(&mut self, place: impl Into<Place>, order: Order) -> Register {
        let into = self.register();
        self.read_into(into, place, order);
        into
    }

    /// Read into this register.
    pub fn read_into(&mut self, into: Register, place: impl Into<Place>, order: Order) {
        self.code.push(Instruction::Read { into, place: place.into(), order });
    }

    /// Write.
    pub fn write(&mut self, place: impl Into<Place>, value: impl Into<Operand>, order: Order) {
        self.code.push(Instruction::Write { place: place.into(), value: value.into(), order });
    }

    /// Read into this register and add.
    pub fn fetch_add(
        &mut self,
        into: Register,
        place: impl Into<Place>,
        value: impl Into<Operand>,
        order: Order,
    ) {
        let change = Change::Add(value.into());
        self.code.push(Instruction::Update { into, place: place.into(), change, order });
    }

    /// Read into this register and write.
    pub fn exchange(
        &mut self,
        into: Register,
        place: impl Into<Place>,
        value: impl Into<Operand>,
        order: Order,
    ) {
        let change = Change::Exchange(value.into());
        self.code.push(Instruction::Update { into, place: place.into(), change, order });
    }

    /// Read into this register and, if that was `expected`, write `desired`; it failed if they differ afterwards.
    pub fn compare_exchange(
        &mut self,
        into: Register,
        place: impl Into<Place>,
        (expected, desired): (impl Into<Operand>, impl Into<Operand>),
        (order, failure): (Order, Order),
    ) {
        let change = Change::CompareExchange { expected: expected.into(), desired: desired.into(), failure };
        self.code.push(Instruction::Update { into, place: place.into(), change, order });
    }

    /// A fence.
    pub fn fence(&mut self, order: Order) {
        self.code.push(Instruction::Fence(order));
    }

    /// Take a lock, do something, release it.
    pub fn locked(&mut self, lock: impl Into<Place>, inside: impl FnOnce(&mut Thread)) {
        let place = lock.into();
        self.lock(place);
        inside(self);
        self.unlock(place);
    }

    /// Take a lock.
    pub fn lock(&mut self, lock: impl Into<Place>) {
        self.code.push(Instruction::Lock(lock.into()));
    }

    /// Release a lock.
    pub fn unlock(&mut self, lock: impl Into<Place>) {
        self.code.push(Instruction::Unlock(lock.into()));
    }

    /// Start a thread; its name is in the register.
    pub fn spawn(&mut self, into: Register, code: Code, argument: impl Into<Operand>) {
        self.code.push(Instruction::Spawn { into, code: code.0, argument: argument.into() });
    }

    /// Wait for the end of the thread whose name is in the register.
    pub fn join(&mut self, thread: Register) {
        self.code.push(Instruction::Join(thread));
    }

    /// Set a register.
    pub fn set(&mut self, into: Register, value: impl Into<Operand>) {
        self.compute(into, value, Arithmetic::Add, 0);
    }

    /// Compute into a register.
    pub fn compute(
        &mut self,
        into: Register,
        left: impl Into<Operand>,
        how: Arithmetic,
        right: impl Into<Operand>,
    ) {
        self.code.push(Instruction::Compute { into, how, left: left.into(), right: right.into() });
    }

    /// Do something only if the comparison holds.
    pub fn when(
        &mut self,
        left: impl Into<Operand>,
        is: Is,
        right: impl Into<Operand>,
        then: impl FnOnce(&mut Thread),
    ) {
        self.either(left, is, right, then, |_| {});
    }

    /// Do one thing if the comparison holds, else the other.
    pub fn either(
        &mut self,
        left: impl Into<Operand>,
        is: Is,
        right: impl Into<Operand>,
        then: impl FnOnce(&mut Thread),
        otherwise: impl FnOnce(&mut Thread),
    ) {
        let branch = self.code.len();
        let (left, right) = (left.into(), right.into());
        self.code.push(Instruction::Branch { left, is, right, otherwise: 0 });
        then(self);
        let jump = self.code.len();
        self.code.push(Instruction::Jump(0));
        self.code[branch] = Instruction::Branch { left, is, right, otherwise: self.here() };
        otherwise(self);
        self.code[jump] = Instruction::Jump(self.here());
    }

    /// Do something again and again until it calls [`Thread::leave`].
    pub fn repeat(&mut self, body: impl FnOnce(&mut Thread)) {
        self.loops.push(Vec::new());
        let top = self.here();
        body(self);
        self.code.push(Instruction::Jump(top));
        let end = self.here();
        for jump in self.loops.pop().expect("pushed above") {
            self.code[jump] = Instruction::Jump(end);
        }
    }

    /// Do something at most `times` times; [`Thread::leave`] ends it earlier. What comes after the last try is `spent`.
    pub fn tries(&mut self, times: usize, body: impl Fn(&mut Thread), spent: impl FnOnce(&mut Thread)) {
        self.loops.push(Vec::new());
        for _ in 0..times {
            body(self);
        }
        spent(self);
        let end = self.here();
        for jump in self.loops.pop().expect("pushed above") {
            self.code[jump] = Instruction::Jump(end);
        }
    }

    /// Leave the innermost loop.
    pub fn leave(&mut self) {
        let jump = self.code.len();
        self.code.push(Instruction::Jump(0));
        self.loops.last_mut().expect("leave stands inside a loop").push(jump);
    }

    /// Go on only if the comparison holds; otherwise the execution is blocked.
    pub fn assume(&mut self, left: impl Into<Operand>, is: Is, right: impl Into<Operand>) {
        self.either(left, is, right, |_| {}, |thread| thread.code.push(Instruction::Block));
    }

    /// Read until the comparison holds: only the read that ends the wait is part of an execution.
    pub fn wait_for(
        &mut self,
        into: Register,
        place: impl Into<Place>,
        order: Order,
        is: Is,
        value: impl Into<Operand>,
    ) {
        self.read_into(into, place, order);
        self.either(into, is, value, |_| {}, |thread| thread.code.push(Instruction::Wait));
    }

    /// End the thread.
    pub fn end(&mut self) {
        self.code.push(Instruction::Done);
    }

    fn here(&self) -> u16 {
        self.start + self.code.len() as u16
    }
}

#[cfg(test)]
mod tests {
    use raveler_core::{Entry, Operation, Program};

    use super::*;

    /// Run one thread with these answers and return its actions.
    fn run(program: &Built, entry: Entry, answers: &[u64]) -> Vec<Operation> {
        let mut cursor = program.start(entry);
        let first = program.step(&mut cursor, raveler_core::Answer::NONE).operation;
        let rest = answers
            .iter()
            .map(|&answer| program.step(&mut cursor, raveler_core::Answer::Value(answer)).operation);
        std::iter::once(first).chain(rest).collect()
    }

    #[test]
    fn a_loop_ends_where_it_is_left() {
        let mut builder = Builder::new();
        let x = builder.variable("x", 0);
        builder.thread(|t| {
            let r = t.register();
            t.repeat(|t| {
                t.read_into(r, x, Order::Relaxed);
                t.when(r, Is::Equal, 1, |t| t.leave());
            });
            t.write(x, r + 4, Order::Relaxed);
        });
        let actions = run(&builder.finish(), Entry::Initial(0), &[0, 2, 1, 0]);
        assert!(actions[..3].iter().all(|action| matches!(action, Operation::Read { .. })));
        assert!(matches!(actions[3], Operation::Write { value: 5, .. }));
        assert_eq!(actions[4], Operation::Done);
    }

    #[test]
    fn a_spawned_thread_has_its_argument() {
        let mut builder = Builder::new();
        let x = builder.array("x", &[0, 0, 0]);
        builder.code(|t| {
            let me = t.argument();
            t.write(x.at(me), 1, Order::Relaxed);
        });
        let program = builder.finish();
        let actions = run(&program, Entry::Spawned { code: 0, argument: 2, name: 1 }, &[0]);
        let base = program.objects()[0].address.0;
        assert!(matches!(actions[0], Operation::Write { address: Address(a), .. } if a == base + 16));
    }

    #[test]
    fn tries_that_are_spent_go_on_with_what_comes_then() {
        let mut builder = Builder::new();
        let x = builder.variable("x", 0);
        builder.thread(|t| {
            let r = t.register();
            t.tries(
                2,
                |t| {
                    t.read_into(r, x, Order::Relaxed);
                    t.when(r, Is::Equal, 1, |t| t.leave());
                },
                |t| t.end(),
            );
            t.write(x, 7, Order::Relaxed);
        });
        let program = builder.finish();
        assert_eq!(run(&program, Entry::Initial(0), &[0, 0])[2], Operation::Done);
        assert!(matches!(run(&program, Entry::Initial(0), &[0, 1])[2], Operation::Write { value: 7, .. }));
    }
}
