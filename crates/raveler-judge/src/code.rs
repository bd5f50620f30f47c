//! Test programs as flat code: one instruction per statement and jumps for branches.
//!
//! A thread stands at a program counter with its registers; [`Standing::settle`] runs what no other thread can see.

use crate::conditions::{self, Halt};
use crate::objects::Heap;
use crate::program::{Cond, Expr, Order, REGISTERS, Reg, Stmt, TestProgram, UpdateKind};

/// What another thread could notice, or what needs an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Visible {
    Load {
        reg: Reg,
        loc: u8,
        order: Order,
    },
    Store {
        loc: u8,
        value: Expr,
        order: Order,
    },
    Update {
        reg: Reg,
        loc: u8,
        kind: UpdateKind,
        operand: Expr,
        order: Order,
    },
    Cas {
        reg: Reg,
        loc: u8,
        expected: Expr,
        desired: Expr,
        success: Order,
        failure: Order,
        weak: bool,
    },
    Fence(Order),
    Spawn(u8),
    Join(u8),
    /// Without a register it says whom the thread will wake.
    Choose {
        reg: Option<Reg>,
        low: i64,
        high: i64,
    },
    Lock {
        lock: u8,
        shared: bool,
    },
    Unlock(u8),
    TryLock {
        reg: Reg,
        lock: u8,
        shared: bool,
    },
    Condition(conditions::Operation),
    /// Allocate an object.
    Alloc(u8),
    /// Free it.
    Free(u8),
}

/// One instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instruction {
    /// Something to ask the world.
    Visible(Visible),
    /// Go to the target unless the condition holds.
    Unless(Cond, u16),
    /// Go to the target.
    Jump(u16),
    /// Stop for good unless the condition holds.
    Assume(Cond),
    /// Fail unless the condition holds.
    Assert(Cond),
    /// Wait for good unless the condition holds.
    Wait(Cond),
    /// Assign a register.
    Let(Reg, Expr),
}

/// One thread's instructions, each with the number of the statement it comes from (over the whole program,
/// outer before inner).
#[derive(Clone, Debug, Default)]
pub struct ThreadCode {
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// The statement each comes from.
    pub sites: Vec<u32>,
}

/// A program as flat code.
#[derive(Clone, Debug)]
pub struct Code {
    /// The threads.
    pub threads: Vec<ThreadCode>,
    /// The initial values of data locations, cells of objects, condition variables and bells.
    pub init: Vec<i64>,
    /// Of each of these: the most that can be written there, where that is known.
    pub most: Vec<Option<i64>>,
    /// The objects.
    pub heap: Heap,
    /// How many locks there are.
    pub locks: usize,
    /// Are locks tried that readers can share?
    pub tried: bool,
    /// The locks that are tried and that nobody shares.
    pub words: Vec<u8>,
    /// Is the thread spawned by a statement?
    pub spawned: Vec<bool>,
    /// How many registers each thread uses.
    pub registers: Vec<usize>,
}

impl Code {
    /// Flattens a program, which must pass [`TestProgram::check`].
    pub fn new(program: &TestProgram) -> Code {
        let mut site = 0;
        let flatten = |(thread, body): (usize, &Vec<Stmt>)| {
            let mut code = ThreadCode::default();
            code.block(program, thread, body, &mut site);
            code
        };
        let mut init = program.init.clone();
        init.resize(program.cells(), 0);
        let mut most = vec![None; init.len()];
        if program.conditions > 0 {
            for thread in 0..program.threads.len() {
                // Who rings took the thread out of a word, into which it came by waiting.
                most[program.bell_place(thread) as usize] = Some(program.waits_of(thread) as i64);
            }
        }
        Code {
            threads: program.threads.iter().enumerate().map(flatten).collect(),
            init,
            most,
            heap: program.heap(),
            locks: program.locks as usize,
            tried: program.has_trylocks() && program.has_read_locks(),
            words: (0..program.locks).filter(|&lock| program.is_word(lock)).collect(),
            spawned: program.spawned(),
            registers: program.registers(),
        }
    }
}

impl Code {
    /// How many places there are: data, locks, and where locks that readers share are tried one for each lock and thread.
    pub fn places(&self) -> usize {
        self.init.len() + self.locks + if self.tried { self.locks * self.threads.len() } else { 0 }
    }

    /// The places whose values at the end count: not those of cells that may be gone by then.
    pub fn lasting(&self) -> impl Iterator<Item = usize> + use<> {
        let cells = self.heap.places();
        (0..self.init.len()).filter(move |place| !cells.contains(place))
    }

    /// The object whose memory is used by what acts on a place: the place may be a cell, a lock or what says how a thread
    /// holds a lock.
    pub fn object_at(&self, place: u8) -> Option<u8> {
        let place = self.without_holder(place);
        match (place as usize).checked_sub(self.init.len()) {
            Some(lock) => self.heap.home(lock as u8).map(|(object, _)| object),
            None => self.heap.at(place).map(|(object, _)| object),
        }
    }

    /// The place of a lock.
    pub fn lock_place(&self, lock: u8) -> u8 {
        self.init.len() as u8 + lock
    }

    /// The place that says how a thread holds a lock.
    pub fn hold_place(&self, lock: u8, thread: usize) -> u8 {
        (self.init.len() + self.locks + lock as usize * self.threads.len() + thread) as u8
    }

    /// Does this place say how a thread holds a lock?
    pub fn is_hold(&self, place: Option<u8>) -> bool {
        place.is_some_and(|place| place as usize >= self.init.len() + self.locks)
    }

    /// The place of the lock, if this place says how a thread holds it; else the same place.
    pub fn without_holder(&self, place: u8) -> u8 {
        match (place as usize).checked_sub(self.init.len() + self.locks) {
            Some(hold) => self.lock_place((hold / self.threads.len()) as u8),
            None => place,
        }
    }
}

impl ThreadCode {
    fn push(&mut self, instruction: Instruction, site: u32) -> usize {
        self.instructions.push(instruction);
        self.sites.push(site);
        self.instructions.len() - 1
    }

    fn block(&mut self, program: &TestProgram, thread: usize, body: &[Stmt], next_site: &mut u32) {
        for stmt in body {
            let site = *next_site;
            *next_site += 1;
            let visible = match *stmt {
                Stmt::Load { reg, loc, order } => Visible::Load { reg, loc, order },
                Stmt::Store { loc, value, order } => Visible::Store { loc, value, order },
                Stmt::Update { reg, loc, kind, operand, order } => {
                    Visible::Update { reg, loc, kind, operand, order }
                }
                Stmt::Cas { reg, loc, expected, desired, success, failure } => {
                    Visible::Cas { reg, loc, expected, desired, success, failure, weak: false }
                }
                Stmt::WeakCas { reg, loc, expected, desired, success, failure } => {
                    Visible::Cas { reg, loc, expected, desired, success, failure, weak: true }
                }
                Stmt::Fence(order) => Visible::Fence(order),
                Stmt::Spawn(child) => Visible::Spawn(child),
                Stmt::Join(child) => Visible::Join(child),
                Stmt::Choose { reg, low, high } => Visible::Choose { reg: Some(reg), low, high },
                Stmt::Lock(lock) => Visible::Lock { lock, shared: false },
                Stmt::ReadLock(lock) => Visible::Lock { lock, shared: true },
                Stmt::Unlock(lock) => Visible::Unlock(lock),
                Stmt::TryLock { reg, lock, shared } => Visible::TryLock { reg, lock, shared },
                Stmt::Alloc(object) => Visible::Alloc(object),
                Stmt::Free(object) => Visible::Free(object),
                Stmt::Assume(cond) => {
                    self.push(Instruction::Assume(cond), site);
                    continue;
                }
                Stmt::Assert(cond) => {
                    self.push(Instruction::Assert(cond), site);
                    continue;
                }
                Stmt::Wait(cond) => {
                    self.push(Instruction::Wait(cond), site);
                    continue;
                }
                Stmt::Let { reg, value } => {
                    self.push(Instruction::Let(reg, value), site);
                    continue;
                }
                Stmt::If { cond, ref then, ref otherwise } => {
                    let blocks = [&then[..], &otherwise[..]];
                    self.branch(program, thread, cond, blocks, site, next_site);
                    continue;
                }
                Stmt::Await { condition, lock, late } => {
                    self.wait(program, thread, (condition, lock, late), site);
                    continue;
                }
                Stmt::Notify { condition, all } => {
                    self.notify(program, condition, all, site);
                    continue;
                }
            };
            self.push(Instruction::Visible(visible), site);
        }
    }

    fn wait(
        &mut self,
        program: &TestProgram,
        thread: usize,
        (condition, lock, late): (u8, u8, Option<Reg>),
        site: u32,
    ) {
        use conditions::Operation::{Enlist, Hear, Withdraw};
        let (place, bit) = (program.condition_place(condition), thread as u8);
        let hear = Hear { place: program.bell_place(thread), timed: late.is_some() };
        let act = |operation| Instruction::Visible(Visible::Condition(operation));
        self.push(act(Enlist { place, bit }), site);
        self.push(Instruction::Visible(Visible::Unlock(lock)), site);
        if let Some(reg) = late {
            self.push(Instruction::Visible(Visible::Choose { reg: Some(reg), low: 0, high: 1 }), site);
            let test = self.push(Instruction::Jump(0), site);
            self.push(act(Withdraw { place, bit }), site);
            let skip = self.push(Instruction::Jump(0), site);
            let cond = Cond { reg, equal: true, value: 1 };
            self.instructions[test] = Instruction::Unless(cond, self.instructions.len() as u16);
            self.push(act(hear), site);
            self.instructions[skip] = Instruction::Jump(self.instructions.len() as u16);
        } else {
            self.push(act(hear), site);
        }
        self.push(Instruction::Visible(Visible::Lock { lock, shared: false }), site);
    }

    fn notify(&mut self, program: &TestProgram, condition: u8, all: bool, site: u32) {
        let most = program.waiters(condition) as i64;
        if !all && most > 1 {
            let pick = Visible::Choose { reg: None, low: 0, high: most - 1 };
            self.push(Instruction::Visible(pick), site);
        }
        let take = conditions::Operation::Take { place: program.condition_place(condition), all };
        self.push(Instruction::Visible(Visible::Condition(take)), site);
        let ring = conditions::Operation::Ring { first: program.bell_place(0) };
        self.push(Instruction::Visible(Visible::Condition(ring)), site);
    }

    fn branch(
        &mut self,
        program: &TestProgram,
        thread: usize,
        cond: Cond,
        [then, otherwise]: [&[Stmt]; 2],
        site: u32,
        next_site: &mut u32,
    ) {
        let test = self.push(Instruction::Jump(0), site);
        self.block(program, thread, then, next_site);
        let skip = self.push(Instruction::Jump(0), site);
        self.instructions[test] = Instruction::Unless(cond, self.instructions.len() as u16);
        self.block(program, thread, otherwise, next_site);
        self.instructions[skip] = Instruction::Jump(self.instructions.len() as u16);
    }
}

/// Where one thread stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Standing {
    /// The next instruction.
    pub pc: u16,
    /// The registers.
    pub registers: [i64; REGISTERS],
    /// Where it stands with condition variables.
    pub waiting: conditions::Standing,
}

/// What a thread wants next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wants {
    /// To do this; afterwards [`Standing::resume`].
    Do(Visible),
    /// Nothing: it ended.
    Done,
    /// Nothing ever: an assumption failed.
    Stuck,
    /// Nothing ever: an assertion failed.
    Failed,
    /// Nothing ever: what it read last keeps it waiting.
    Waits,
    /// Nothing ever: nobody woke it.
    Unheard,
    /// Nothing, and what it does is not to be counted.
    Dropped,
}

impl Standing {
    /// Runs local instructions until something visible comes.
    pub fn settle(&mut self, code: &ThreadCode) -> Wants {
        match self.waiting.halted {
            Some(Halt::Unheard) => return Wants::Unheard,
            Some(Halt::Dropped) => return Wants::Dropped,
            None => {}
        }
        loop {
            match code.instructions.get(self.pc as usize) {
                None => return Wants::Done,
                Some(Instruction::Visible(Visible::Condition(conditions::Operation::Ring { .. })))
                    if self.waiting.ringing == 0 =>
                {
                    self.pc += 1;
                }
                Some(Instruction::Visible(visible)) => return Wants::Do(*visible),
                Some(Instruction::Unless(cond, target)) => {
                    self.pc = if cond.holds(&self.registers) { self.pc + 1 } else { *target };
                }
                Some(Instruction::Jump(target)) => self.pc = *target,
                Some(Instruction::Assume(cond)) => {
                    if !cond.holds(&self.registers) {
                        return Wants::Stuck;
                    }
                    self.pc += 1;
                }
                Some(Instruction::Assert(cond)) => {
                    if !cond.holds(&self.registers) {
                        return Wants::Failed;
                    }
                    self.pc += 1;
                }
                Some(Instruction::Wait(cond)) => {
                    if !cond.holds(&self.registers) {
                        return Wants::Waits;
                    }
                    self.pc += 1;
                }
                Some(Instruction::Let(reg, value)) => {
                    self.registers[*reg as usize] = value.value(&self.registers);
                    self.pc += 1;
                }
            }
        }
    }

    /// Does it stand for something that does not count: it chose what does not fit, or not to be late, and waits?
    pub fn is_dropped(mut self, code: &ThreadCode) -> bool {
        match self.settle(code) {
            Wants::Dropped => true,
            Wants::Do(Visible::Condition(conditions::Operation::Hear { timed, .. })) => timed,
            _ => false,
        }
    }

    /// Goes past the visible instruction it stands at; `answer` is what a read, choice or trylock answered.
    pub fn resume(&mut self, visible: Visible, answer: i64) {
        match visible {
            Visible::Load { reg, .. }
            | Visible::Update { reg, .. }
            | Visible::Cas { reg, .. }
            | Visible::Choose { reg: Some(reg), .. }
            | Visible::TryLock { reg, .. } => self.registers[reg as usize] = answer,
            Visible::Choose { reg: None, .. } => self.waiting.picked = answer as u8,
            Visible::Condition(operation) => {
                self.waiting.resume(operation, answer);
                if self.waiting.ringing == 0 {
                    self.waiting.picked = 0;
                }
            }
            _ => {}
        }
        // It rings one bell after the other.
        let rings = matches!(visible, Visible::Condition(conditions::Operation::Ring { .. }));
        self.pc += u16::from(!rings);
    }
}
