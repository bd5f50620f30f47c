//! The front-end that runs a thread again from its start.

use super::{
    FrontEnd, Surroundings, change, compare_exchange, ends, failure, from_engine, hear, mode_of, to_engine,
    update_op,
};
use crate::addresses::{Addresses, Bases};
use crate::program::{Cond, Expr, REGISTERS, Stmt, TestProgram, size};
use std::borrow::Cow;

use raveler_core::LockMode;
use raveler_core::{
    Action, Answer, Entry, Execution, Object, Operation, Replay, Rerun, SiteId, SourceMap, UpdateOp, Value,
    Waiting, Width,
};

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
            surroundings: self.surroundings,
            thread,
            answers: answers.iter(),
            registers: [0; REGISTERS],
            children: [0; 8],
            bases: self.surroundings.inherited(entry),
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
    fn registers(&self, execution: &Execution<'_, Self>, thread: usize) -> [i64; REGISTERS] {
        let (entry, answers) = execution.cursor(thread);
        self.0.walk(*entry, answers.as_deref().unwrap_or_default()).1
    }

    fn surroundings(&self) -> &Surroundings {
        self.0.surroundings
    }
}

struct Walker<'a> {
    program: &'a TestProgram,
    surroundings: &'a Surroundings,
    thread: usize,
    answers: std::slice::Iter<'a, Answer>,
    registers: [i64; REGISTERS],
    children: [Value; 8],
    bases: Bases,
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
                    Stmt::Alloc(object) => self.bases[*object as usize] = answer.value(),
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
        let addresses = self.addresses();
        let at = |loc: u8| addresses.place(loc);
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
            Stmt::Alloc(object) => addresses.alloc(*object),
            Stmt::Free(object) => addresses.free(*object),
            Stmt::Spawn(child) => self.surroundings.spawn(*child, &self.bases),
            Stmt::Join(child) => Operation::Join(self.children[*child as usize]),
            Stmt::Choose { low, high, .. } => Operation::Choose { low: *low, high: *high },
            Stmt::Lock(lock) => Operation::Lock { address: addresses.lock(*lock), mode },
            Stmt::ReadLock(lock) => {
                Operation::Lock { address: addresses.lock(*lock), mode: LockMode::Shared }
            }
            Stmt::Unlock(lock) => Operation::Unlock { address: addresses.lock(*lock) },
            Stmt::TryLock { lock, shared, .. } => {
                Operation::TryLock { address: addresses.lock(*lock), mode: mode_of(*shared) }
            }
            Stmt::If { .. } | Stmt::Assume(_) | Stmt::Assert(_) | Stmt::Wait(_) | Stmt::Let { .. } => {
                unreachable!("local statements ask for nothing")
            }
            Stmt::Await { .. } | Stmt::Notify { .. } => unreachable!("these ask for more than one thing"),
        }
    }

    fn addresses(&self) -> Addresses<'_> {
        Addresses::new(&self.surroundings.heap, &self.bases)
    }

    /// The answer to an operation, or the operation if there is none yet.
    fn ask(&mut self, operation: Operation) -> Result<Value, Operation> {
        self.answers.next().map(|answer| answer.value()).ok_or(operation)
    }

    fn wait(&mut self, condition: u8, lock: u8, late: Option<u8>) -> Result<(), Operation> {
        let (word, bell) = (self.program.condition_place(condition), self.program.bell_place(self.thread));
        let (bit, address) = (1 << self.thread, self.addresses().lock(lock));
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
