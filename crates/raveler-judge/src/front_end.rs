//! Test programs as the engine sees them, in two ways that must make no difference: [`Snapshot`] copies a thread's
//! program counter and registers, [`Again`] walks through the thread's syntax from the start with the answers so far.

use crate::code::{Code, Standing, Visible, Wants};
use crate::conditions;
use crate::program::{Cond, Expr, REGISTERS, Stmt, TestProgram, UpdateKind, size};
use crate::text::{LOCATIONS, statement};
use std::borrow::Cow;

use raveler_core::LockMode;
use raveler_core::{
    Action, Address, Answer, Entry, Object, Operation, Order, Program, Replay, Rerun, Site, SiteId,
    SourceMap, UpdateOp, Value, ViolationKind, Waiting, Width,
};

/// The address of a data location.
pub fn data_address(location: usize) -> Address {
    Address(0x1000 * (location as u64 + 1))
}

/// The address of a lock.
pub fn lock_address(lock: usize) -> Address {
    Address(0x10_0000 * (lock as u64 + 1))
}

/// A value as the engine holds it.
pub fn to_engine(value: i64) -> Value {
    Width::B4.cut(value as u64)
}

/// A value as the judges hold it.
pub fn from_engine(value: Value) -> i64 {
    Width::B4.signed(value)
}

/// What both front-ends have in common: memory and names.
#[derive(Clone, Debug)]
pub struct Surroundings {
    objects: Vec<Object>,
    sources: SourceMap,
    /// The threads that run from the start.
    pub initial: Vec<usize>,
    /// For each statement: the thread it spawns.
    pub spawns: Vec<Option<u8>>,
}

impl Surroundings {
    /// Of this program.
    pub fn new(program: &TestProgram) -> Surroundings {
        let object = |name: String, address, value| Object {
            name,
            address,
            size: 4,
            cell: Width::B4,
            initial: vec![to_engine(value)],
        };
        let data = program.init.iter().enumerate();
        let mut objects: Vec<Object> =
            data.map(|(at, &value)| object(LOCATIONS[at].to_string(), data_address(at), value)).collect();
        let hidden = program.init.len()..program.cells();
        objects.extend(hidden.map(|at| object(format!("word{at}"), data_address(at), 0)));
        objects
            .extend((0..program.locks as usize).map(|at| object(format!("lock{at}"), lock_address(at), 0)));
        let mut sources = SourceMap { file: "random".to_string(), ..SourceMap::default() };
        let mut spawns = Vec::new();
        program.visit(&mut |stmt| {
            let line = spawns.len() as u32 + 1;
            sources.sites.push(Site { line, column: 1, text: statement(stmt), ..Site::default() });
            spawns.push(if let Stmt::Spawn(child) = stmt { Some(*child) } else { None });
        });
        let initial = program.initial();
        sources.threads = initial.iter().map(|thread| format!("P{thread}")).collect();
        Surroundings { objects, sources, initial, spawns }
    }

    fn thread(&self, entry: Entry) -> usize {
        match entry {
            Entry::Initial(number) => self.initial[number as usize],
            Entry::Spawned { code, .. } => code as usize,
        }
    }
}

/// A program whose registers can be looked at.
pub trait FrontEnd: Program {
    /// The registers of a thread that stands here.
    fn registers(&self, cursor: &Self::Cursor) -> [i64; REGISTERS];
    /// Memory and names.
    fn surroundings(&self) -> &Surroundings;
}

/// The front-end that copies.
#[derive(Clone, Debug)]
pub struct Snapshot<'a> {
    code: &'a Code,
    surroundings: &'a Surroundings,
    waiting: Waiting,
}

impl<'a> Snapshot<'a> {
    /// Of this program.
    pub fn new(code: &'a Code, surroundings: &'a Surroundings) -> Snapshot<'a> {
        Snapshot { code, surroundings, waiting: Waiting::Condition }
    }

    /// The same, waiting in loops of one read.
    pub fn spinning(self) -> Snapshot<'a> {
        Snapshot { waiting: Waiting::Spin { events: 1 }, ..self }
    }
}

/// Where a thread of a [`Snapshot`] stands.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    thread: u8,
    at: Standing,
    /// What was asked last.
    asked: Option<Visible>,
    /// How the engine calls the threads that this one spawned.
    children: [Value; 8],
}

impl Program for Snapshot<'_> {
    type Cursor = Cursor;

    fn threads(&self) -> u32 {
        self.surroundings.initial.len() as u32
    }

    fn start(&self, entry: Entry) -> Cursor {
        let thread = self.surroundings.thread(entry) as u8;
        Cursor { thread, at: Standing::default(), asked: None, children: [0; 8] }
    }

    fn step(&self, cursor: &mut Cursor, answer: Answer) -> Action {
        if let Some(asked) = cursor.asked.take() {
            let mut value = from_engine(answer.value());
            match asked {
                Visible::Spawn(child) => cursor.children[child as usize] = answer.value(),
                Visible::Cas { expected, weak: true, .. } => {
                    let agrees = value == expected.value(&cursor.at.registers);
                    value = i64::from(agrees && !matches!(answer, Answer::Failed(_)));
                }
                _ => {}
            }
            cursor.at.resume(asked, value);
        }
        self.ask(cursor)
    }

    fn objects(&self) -> &[Object] {
        &self.surroundings.objects
    }

    fn sources(&self) -> Cow<'_, SourceMap> {
        Cow::Borrowed(&self.surroundings.sources)
    }
}

impl Snapshot<'_> {
    fn ask(&self, cursor: &mut Cursor) -> Action {
        let code = &self.code.threads[cursor.thread as usize];
        let wants = cursor.at.settle(code);
        let site = code.sites.get(cursor.at.pc as usize).map_or(SiteId::NONE, |&site| SiteId(site));
        let operation = match wants {
            Wants::Done => Operation::Done,
            Wants::Stuck => Operation::Block,
            Wants::Failed => failure(),
            Wants::Waits => Operation::Wait(self.waiting),
            Wants::Unheard => Operation::Wait(Waiting::Signal),
            Wants::Dropped => Operation::Dropped,
            Wants::Do(visible) => {
                cursor.asked = Some(visible);
                operation(visible, &cursor.at, &cursor.children)
            }
        };
        Action { site, operation }
    }
}

impl FrontEnd for Snapshot<'_> {
    fn registers(&self, cursor: &Cursor) -> [i64; REGISTERS] {
        cursor.at.registers
    }

    fn surroundings(&self) -> &Surroundings {
        self.surroundings
    }
}

fn operation(visible: Visible, at: &Standing, children: &[Value; 8]) -> Operation {
    let registers = &at.registers;
    let data = |loc: u8| data_address(loc as usize);
    let lock = |lock: u8| lock_address(lock as usize);
    let value = |expr: Expr| to_engine(expr.value(registers));
    let width = Width::B4;
    match visible {
        Visible::Load { loc, order, .. } => Operation::Read { address: data(loc), width, order },
        Visible::Store { loc, value: written, order } => {
            Operation::Write { address: data(loc), width, order, value: value(written) }
        }
        Visible::Update { loc, kind, operand, order, .. } => {
            Operation::Update { address: data(loc), width, order, op: update_op(kind, value(operand)) }
        }
        Visible::Cas { loc, expected, desired, success, failure, weak, .. } => {
            let op = compare_exchange(value(expected), value(desired), failure, weak);
            Operation::Update { address: data(loc), width, order: success, op }
        }
        Visible::Fence(order) => Operation::Fence(order),
        Visible::Spawn(child) => Operation::Spawn { code: u64::from(child), argument: 0 },
        Visible::Join(child) => Operation::Join(children[child as usize]),
        Visible::Choose { low, high, .. } => Operation::Choose { low, high },
        Visible::Lock { lock: at, shared } => Operation::Lock { address: lock(at), mode: mode_of(shared) },
        Visible::Unlock(at) => Operation::Unlock { address: lock(at) },
        Visible::TryLock { lock: at, shared, .. } => {
            Operation::TryLock { address: lock(at), mode: mode_of(shared) }
        }
        Visible::Condition(operation) => condition_operation(operation, &at.waiting),
    }
}

fn condition_operation(operation: conditions::Operation, at: &conditions::Standing) -> Operation {
    use conditions::Operation::{Enlist, Hear, Ring, Take, Withdraw};
    let op = match operation {
        Hear { place, .. } => return hear(place),
        Enlist { bit, .. } => UpdateOp::Or(1 << bit),
        Withdraw { bit, .. } => UpdateOp::And(!(1 << bit)),
        Take { all: true, .. } => UpdateOp::TakeAll,
        Take { .. } => UpdateOp::TakeNth(u64::from(at.picked)),
        Ring { .. } => UpdateOp::Add(1),
    };
    change(operation.place(at), op)
}

fn hear(place: u8) -> Operation {
    Operation::Read { address: data_address(place as usize), width: Width::B4, order: Order::Relaxed }
}

fn change(place: u8, op: UpdateOp) -> Operation {
    Operation::Update { address: data_address(place as usize), width: Width::B4, order: Order::Relaxed, op }
}

fn failure() -> Operation {
    Operation::Fail {
        kind: ViolationKind::Assertion,
        message: "an assertion".to_string(),
        related: Vec::new(),
    }
}

/// Does a thread not come back from this?
fn ends(operation: &Operation) -> bool {
    matches!(operation, Operation::Block | Operation::Wait(_) | Operation::Fail { .. })
}

fn mode_of(shared: bool) -> LockMode {
    if shared { LockMode::Shared } else { LockMode::Exclusive }
}

fn update_op(kind: UpdateKind, operand: Value) -> UpdateOp {
    match kind {
        UpdateKind::Exchange => UpdateOp::Exchange(operand),
        UpdateKind::Add => UpdateOp::Add(operand),
        UpdateKind::Sub => UpdateOp::Sub(operand),
        UpdateKind::And => UpdateOp::And(operand),
        UpdateKind::Or => UpdateOp::Or(operand),
        UpdateKind::Xor => UpdateOp::Xor(operand),
    }
}

fn compare_exchange(expected: Value, desired: Value, failure: Order, weak: bool) -> UpdateOp {
    UpdateOp::CompareExchange { expected, desired, failure, weak }
}

/// The front-end that runs a thread again from its start.
#[derive(Clone, Debug)]
pub struct Again<'a> {
    program: &'a TestProgram,
    surroundings: &'a Surroundings,
}

impl<'a> Again<'a> {
    /// Of this program.
    pub fn new(program: &'a TestProgram, surroundings: &'a Surroundings) -> Again<'a> {
        Again { program, surroundings }
    }

    /// Runs a thread with these answers: what it asks then, and its registers.
    fn walk(&self, entry: Entry, answers: &[Answer]) -> (Action, [i64; REGISTERS]) {
        let thread = self.surroundings.thread(entry);
        let first = self.program.threads[..thread].iter().map(|body| size(body)).sum::<usize>();
        let mut walker = Walker {
            program: self.program,
            thread,
            answers: answers.iter(),
            registers: [0; REGISTERS],
            children: [0; 8],
            awaited: 0,
        };
        let action = walker.block(&self.program.threads[thread], first);
        let done = Action { site: SiteId::NONE, operation: Operation::Done };
        (action.unwrap_or(done), walker.registers)
    }
}

impl Rerun for Again<'_> {
    fn threads(&self) -> u32 {
        self.surroundings.initial.len() as u32
    }

    fn run(&self, entry: Entry, answers: &[Answer]) -> Action {
        self.walk(entry, answers).0
    }

    fn objects(&self) -> &[Object] {
        &self.surroundings.objects
    }

    fn sources(&self) -> Cow<'_, SourceMap> {
        Cow::Borrowed(&self.surroundings.sources)
    }
}

impl FrontEnd for Replay<Again<'_>> {
    fn registers(&self, (entry, answers): &Self::Cursor) -> [i64; REGISTERS] {
        self.0.walk(*entry, answers.as_deref().unwrap_or_default()).1
    }

    fn surroundings(&self) -> &Surroundings {
        self.0.surroundings
    }
}

struct Walker<'a> {
    program: &'a TestProgram,
    thread: usize,
    answers: std::slice::Iter<'a, Answer>,
    registers: [i64; REGISTERS],
    children: [Value; 8],
    /// How often it waited for condition variables.
    awaited: Value,
}

impl Walker<'_> {
    /// Runs a block whose first statement has this number; stops with the first action without an answer.
    fn block(&mut self, body: &[Stmt], first: usize) -> Option<Action> {
        let mut site = first;
        for stmt in body {
            let asked = match stmt {
                Stmt::If { cond, then, .. } if self.holds(cond) => {
                    if let Some(action) = self.block(then, site + 1) {
                        return Some(action);
                    }
                    None
                }
                Stmt::If { then, otherwise, .. } => {
                    if let Some(action) = self.block(otherwise, site + 1 + size(then)) {
                        return Some(action);
                    }
                    None
                }
                Stmt::Let { reg, value } => {
                    self.registers[*reg as usize] = value.value(&self.registers);
                    None
                }
                Stmt::Await { .. } | Stmt::Notify { .. } => {
                    let done = match *stmt {
                        Stmt::Notify { condition, all } => self.notify(condition, all),
                        Stmt::Await { condition, lock, late } => self.wait(condition, lock, late),
                        _ => unreachable!("one of these"),
                    };
                    if let Err(operation) = done {
                        return Some(Action { site: SiteId(site as u32), operation });
                    }
                    None
                }
                Stmt::Assume(cond) if self.holds(cond) => None,
                Stmt::Assume(_) => Some(Operation::Block),
                Stmt::Assert(cond) if self.holds(cond) => None,
                Stmt::Assert(_) => Some(failure()),
                Stmt::Wait(cond) if self.holds(cond) => None,
                Stmt::Wait(_) => Some(Operation::Wait(Waiting::Condition)),
                _ => Some(self.asks(stmt)),
            };
            if let Some(operation) = asked {
                let answer = if ends(&operation) { None } else { self.answers.next() };
                let Some(&answer) = answer else {
                    return Some(Action { site: SiteId(site as u32), operation });
                };
                let mut value = from_engine(answer.value());
                match stmt {
                    Stmt::Spawn(child) => self.children[*child as usize] = answer.value(),
                    Stmt::WeakCas { expected, .. } => {
                        let agrees = value == expected.value(&self.registers);
                        value = i64::from(agrees && !matches!(answer, Answer::Failed(_)));
                    }
                    _ => {}
                }
                if let Some(reg) = crate::program::target(stmt) {
                    self.registers[reg as usize] = value;
                }
            }
            site += size(std::slice::from_ref(stmt));
        }
        None
    }

    fn holds(&self, cond: &Cond) -> bool {
        let value = self.registers[cond.reg as usize];
        if cond.equal { value == cond.value } else { value != cond.value }
    }

    fn asks(&self, stmt: &Stmt) -> Operation {
        let value = |expr: &Expr| to_engine(expr.value(&self.registers));
        let (width, mode) = (Width::B4, LockMode::Exclusive);
        let at = |loc: u8| data_address(loc as usize);
        match stmt {
            Stmt::Load { loc, order, .. } => Operation::Read { address: at(*loc), width, order: *order },
            Stmt::Store { loc, value: written, order } => {
                Operation::Write { address: at(*loc), width, order: *order, value: value(written) }
            }
            Stmt::Update { loc, kind, operand, order, .. } => Operation::Update {
                address: at(*loc),
                width,
                order: *order,
                op: update_op(*kind, value(operand)),
            },
            Stmt::Cas { loc, expected, desired, success, failure, .. } => Operation::Update {
                address: at(*loc),
                width,
                order: *success,
                op: compare_exchange(value(expected), value(desired), *failure, false),
            },
            Stmt::WeakCas { loc, expected, desired, success, failure, .. } => Operation::Update {
                address: at(*loc),
                width,
                order: *success,
                op: compare_exchange(value(expected), value(desired), *failure, true),
            },
            Stmt::Fence(order) => Operation::Fence(*order),
            Stmt::Spawn(child) => Operation::Spawn { code: u64::from(*child), argument: 0 },
            Stmt::Join(child) => Operation::Join(self.children[*child as usize]),
            Stmt::Choose { low, high, .. } => Operation::Choose { low: *low, high: *high },
            Stmt::Lock(lock) => Operation::Lock { address: lock_address(*lock as usize), mode },
            Stmt::ReadLock(lock) => {
                Operation::Lock { address: lock_address(*lock as usize), mode: LockMode::Shared }
            }
            Stmt::Unlock(lock) => Operation::Unlock { address: lock_address(*lock as usize) },
            Stmt::TryLock { lock, shared, .. } => {
                Operation::TryLock { address: lock_address(*lock as usize), mode: mode_of(*shared) }
            }
            Stmt::If { .. } | Stmt::Assume(_) | Stmt::Assert(_) | Stmt::Wait(_) | Stmt::Let { .. } => {
                unreachable!("local statements ask for nothing")
            }
            Stmt::Await { .. } | Stmt::Notify { .. } => unreachable!("these ask for more than one thing"),
        }
    }

    /// The answer to an operation, or the operation if there is none yet.
    fn ask(&mut self, operation: Operation) -> Result<Value, Operation> {
        self.answers.next().map(|answer| answer.value()).ok_or(operation)
    }

    fn wait(&mut self, condition: u8, lock: u8, late: Option<u8>) -> Result<(), Operation> {
        let (word, bell) = (self.program.condition_place(condition), self.program.bell_place(self.thread));
        let (bit, address) = (1 << self.thread, lock_address(lock as usize));
        self.ask(change(word, UpdateOp::Or(bit)))?;
        self.awaited += 1;
        self.ask(Operation::Unlock { address })?;
        let is_late = match late {
            Some(reg) => {
                let answer = self.ask(Operation::Choose { low: 0, high: 1 })?;
                self.registers[reg as usize] = from_engine(answer);
                answer == 1
            }
            None => false,
        };
        if is_late {
            if self.ask(change(word, UpdateOp::And(!bit)))? & bit == 0 {
                return Err(Operation::Dropped);
            }
            self.awaited -= 1;
        } else if self.ask(hear(bell))? != self.awaited {
            let waits = Operation::Wait(Waiting::Signal);
            return Err(if late.is_some() { Operation::Dropped } else { waits });
        }
        self.ask(Operation::Lock { address, mode: LockMode::Exclusive })?;
        Ok(())
    }

    fn notify(&mut self, condition: u8, all: bool) -> Result<(), Operation> {
        let (word, most) = (self.program.condition_place(condition), self.program.waiters(condition));
        let mut set = if all {
            self.ask(change(word, UpdateOp::TakeAll))?
        } else {
            let nth =
                if most > 1 { self.ask(Operation::Choose { low: 0, high: most as i64 - 1 })? } else { 0 };
            let set = self.ask(change(word, UpdateOp::TakeNth(nth)))?;
            if nth > 0 && nth >= u64::from(set.count_ones()) {
                return Err(Operation::Dropped);
            }
            set & !UpdateOp::TakeNth(nth).apply(set, Width::B4).unwrap_or(set)
        };
        while set != 0 {
            let bell = self.program.bell_place(set.trailing_zeros() as usize);
            self.ask(change(bell, UpdateOp::Add(1)))?;
            set &= set - 1;
        }
        Ok(())
    }
}
