//! Test programs as flat code: one instruction per statement and jumps for branches.
//!
//! A thread stands at a program counter with its registers; [`Standing::settle`] runs what no other thread can see.

use crate::program::{Cond, Expr, Order, REGISTERS, Reg, Stmt, TestProgram, UpdateKind};

/// What another thread could notice, or what needs an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Visible {
    Load { reg: Reg, loc: u8, order: Order },
    Store { loc: u8, value: Expr, order: Order },
    Update { reg: Reg, loc: u8, kind: UpdateKind, operand: Expr, order: Order },
    Cas { reg: Reg, loc: u8, expected: Expr, desired: Expr, success: Order, failure: Order, weak: bool },
    Fence(Order),
    Spawn(u8),
    Join(u8),
    Choose { reg: Reg, low: i64, high: i64 },
    Lock { lock: u8, shared: bool },
    Unlock(u8),
    TryLock { reg: Reg, lock: u8 },
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
    /// The data locations' initial values.
    pub init: Vec<i64>,
    /// How many locks there are.
    pub locks: usize,
    /// Is the thread spawned by a statement?
    pub spawned: Vec<bool>,
    /// How many registers each thread uses.
    pub registers: Vec<usize>,
}

impl Code {
    /// Flattens a program, which must pass [`TestProgram::check`].
    pub fn new(program: &TestProgram) -> Code {
        let mut site = 0;
        let flatten = |body: &Vec<Stmt>| {
            let mut code = ThreadCode::default();
            code.block(body, &mut site);
            code
        };
        Code {
            threads: program.threads.iter().map(flatten).collect(),
            init: program.init.clone(),
            locks: program.locks as usize,
            spawned: program.spawned(),
            registers: program.registers(),
        }
    }
}

impl ThreadCode {
    fn push(&mut self, instruction: Instruction, site: u32) -> usize {
        self.instructions.push(instruction);
        self.sites.push(site);
        self.instructions.len() - 1
    }

    fn block(&mut self, body: &[Stmt], next_site: &mut u32) {
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
                Stmt::Choose { reg, low, high } => Visible::Choose { reg, low, high },
                Stmt::Lock(lock) => Visible::Lock { lock, shared: false },
                Stmt::ReadLock(lock) => Visible::Lock { lock, shared: true },
                Stmt::Unlock(lock) => Visible::Unlock(lock),
                Stmt::TryLock { reg, lock } => Visible::TryLock { reg, lock },
                Stmt::Assume(cond) => {
                    self.push(Instruction::Assume(cond), site);
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
                    self.branch(cond, then, otherwise, site, next_site);
                    continue;
                }
            };
            self.push(Instruction::Visible(visible), site);
        }
    }

    fn branch(&mut self, cond: Cond, then: &[Stmt], otherwise: &[Stmt], site: u32, next_site: &mut u32) {
        let test = self.push(Instruction::Jump(0), site);
        self.block(then, next_site);
        let skip = self.push(Instruction::Jump(0), site);
        self.instructions[test] = Instruction::Unless(cond, self.instructions.len() as u16);
        self.block(otherwise, next_site);
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
    /// Nothing ever: what it read last keeps it waiting.
    Waits,
}

impl Standing {
    /// Runs local instructions until something visible comes.
    pub fn settle(&mut self, code: &ThreadCode) -> Wants {
        loop {
            match code.instructions.get(self.pc as usize) {
                None => return Wants::Done,
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

    /// Goes past the visible instruction it stands at; `answer` is what a read, choice or trylock answered.
    pub fn resume(&mut self, visible: Visible, answer: i64) {
        match visible {
            Visible::Load { reg, .. }
            | Visible::Update { reg, .. }
            | Visible::Cas { reg, .. }
            | Visible::Choose { reg, .. }
            | Visible::TryLock { reg, .. } => self.registers[reg as usize] = answer,
            _ => {}
        }
        self.pc += 1;
    }
}
