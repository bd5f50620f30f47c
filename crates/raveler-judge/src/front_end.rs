//! Test programs as the engine sees them, in two ways that must make no difference: [`Snapshot`] copies a thread's
//! program counter and registers, [`Again`] walks through the thread's syntax from the start with the answers so far.

mod again;
mod world;

pub use again::Again;
pub use world::OneWorld;

use crate::addresses::{Addresses, Bases, Inheritances, data_address, lock_address};
use crate::code::{Code, Standing, Visible, Wants};
use crate::conditions;
use crate::objects::Heap;
use crate::program::{Expr, REGISTERS, Stmt, TestProgram, UpdateKind};
use crate::text::{LOCATIONS, statement};
use std::borrow::Cow;

use raveler_core::LockMode;
use raveler_core::{
    Action, Answer, Entry, Execution, Object, Operation, Order, Program, Shape, Site, SiteId, SourceMap,
    UpdateOp, Value, ViolationKind, Waiting, Width,
};

/// A value as the engine holds it.
pub fn to_engine(value: i64) -> Value {
    Width::B4.cut(value as u64)
}

/// A value as the judges hold it.
pub fn from_engine(value: Value) -> i64 {
    Width::B4.signed(value)
}

/// What both front-ends have in common: memory and names.
#[derive(Debug)]
pub struct Surroundings {
    objects: Vec<Object>,
    sources: SourceMap,
    /// The threads that run from the start.
    pub initial: Vec<usize>,
    /// For each statement: the thread it spawns.
    pub spawns: Vec<Option<u8>>,
    /// The memory that threads allocate.
    pub heap: Heap,
    /// What spawned threads know of it.
    inheritances: Inheritances,
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
        let heap = program.heap();
        let hidden = heap.places().end..program.cells();
        objects.extend(hidden.map(|at| object(format!("word{at}"), data_address(at), 0)));
        objects
            .extend((0..program.locks as usize).map(|at| object(format!("lock{at}"), lock_address(at), 0)));
        let mut sources = SourceMap { file: "random".to_string(), ..SourceMap::default() };
        let mut spawns = Vec::new();
        program.visit(&mut |stmt| {
            let line = spawns.len() as u32 + 1;
            sources.sites.push(Site { line, column: 1, text: statement(program, stmt), ..Site::default() });
            spawns.push(if let Stmt::Spawn(child) = stmt { Some(*child) } else { None });
        });
        let initial = program.initial();
        sources.threads = initial.iter().map(|thread| format!("P{thread}")).collect();
        sources.allocated =
            (0..heap.shapes.len()).map(|object| (format!("o{object}"), Shape::Whole)).collect();
        Surroundings { objects, sources, initial, spawns, heap, inheritances: Inheritances::default() }
    }

    fn thread(&self, entry: Entry) -> usize {
        match entry {
            Entry::Initial(number) => self.initial[number as usize],
            Entry::Spawned { code, .. } => code as usize,
        }
    }

    /// Where a thread knows objects to be when it starts.
    fn inherited(&self, entry: Entry) -> Bases {
        match entry {
            Entry::Initial(_) => Bases::default(),
            Entry::Spawned { argument, .. } => self.inheritances.of(argument),
        }
    }

    fn spawn(&self, child: u8, bases: &Bases) -> Operation {
        Operation::Spawn { code: u64::from(child), argument: self.inheritances.number(bases) }
    }
}

/// A program whose registers can be looked at.
pub trait FrontEnd: Program + Sized {
    /// The registers of a thread at the end of an execution.
    fn registers(&self, execution: &Execution<'_, Self>, thread: usize) -> [i64; REGISTERS];
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
    /// Where it knows objects to be.
    bases: Bases,
}

impl Program for Snapshot<'_> {
    type Cursor = Cursor;

    fn threads(&self) -> u32 {
        self.surroundings.initial.len() as u32
    }

    fn start(&self, entry: Entry) -> Cursor {
        let thread = self.surroundings.thread(entry) as u8;
        let bases = self.surroundings.inherited(entry);
        Cursor { thread, at: Standing::default(), asked: None, children: [0; 8], bases }
    }

    fn step(&self, cursor: &mut Cursor, answer: Answer) -> Action {
        if let Some(asked) = cursor.asked.take() {
            let mut value = from_engine(answer.value());
            match asked {
                Visible::Spawn(child) => cursor.children[child as usize] = answer.value(),
                Visible::Alloc(object) => cursor.bases[object as usize] = answer.value(),
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
                self.operation(visible, cursor)
            }
        };
        Action { site, operation }
    }

    fn operation(&self, visible: Visible, cursor: &Cursor) -> Operation {
        let addresses = Addresses::new(&self.surroundings.heap, &cursor.bases);
        match visible {
            Visible::Spawn(child) => self.surroundings.spawn(child, &cursor.bases),
            Visible::Join(child) => Operation::Join(cursor.children[child as usize]),
            _ => operation(visible, &cursor.at, addresses),
        }
    }
}

impl FrontEnd for Snapshot<'_> {
    fn registers(&self, execution: &Execution<'_, Self>, thread: usize) -> [i64; REGISTERS] {
        execution.cursor(thread).at.registers
    }

    fn surroundings(&self) -> &Surroundings {
        self.surroundings
    }
}

fn operation(visible: Visible, at: &Standing, addresses: Addresses<'_>) -> Operation {
    let registers = &at.registers;
    let data = |loc: u8| addresses.place(loc);
    let lock = |lock: u8| addresses.lock(lock);
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
        Visible::Alloc(object) => addresses.alloc(object),
        Visible::Free(object) => addresses.free(object),
        Visible::Spawn(_) | Visible::Join(_) => unreachable!("these need to know more"),
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
