//! Programs as flat code for the machines: a list of operations for each thread, with jumps.

use super::ast::{Cond, Expr, Order, Place, Program, Reg, Stmt, Update, VarKind};

/// One operation. `Set`, `Jump`, `Unless` and `Observe` are no steps of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Load {
        to: Reg,
        place: Place,
        order: Order,
    },
    Store {
        place: Place,
        value: Expr,
        order: Order,
    },
    Rmw {
        to: Reg,
        place: Place,
        update: Update,
        operand: Expr,
        order: Order,
    },
    Cas {
        ok: Reg,
        expected: Reg,
        place: Place,
        new: Expr,
        success: Order,
        failure: Order,
    },
    Fence(Order),
    Set(Reg, Expr),
    Jump(usize),
    /// Jumps if the condition does not hold.
    Unless(Cond, usize),
    Assert(Cond),
    Assume(Cond),
    Observe(Reg, u8),
    Choose(Reg),
    Lock(u8),
    Unlock(u8),
    Try {
        to: Reg,
        mutex: u8,
    },
    ReadLock(u8),
    WriteLock(u8),
    RwUnlock(u8),
    TryRead {
        to: Reg,
        lock: u8,
    },
    TryWrite {
        to: Reg,
        lock: u8,
    },
    /// The thread can be signalled from now on.
    Enter {
        condition: u8,
        mutex: u8,
    },
    /// It has been.
    Woken(u8),
    Signal(u8),
    Broadcast(u8),
    Down(u8),
    Up(u8),
    Arrive(u8),
    /// The others have come, too.
    Passed(u8),
    /// The same, and 1 in `to` for the one that came last.
    PassedAnd {
        to: Reg,
        barrier: u8,
    },
    /// Goes on if the body is to be run here, jumps if it was run; else waits.
    OnceEnter(u8, usize),
    OnceLeave(u8),
    Malloc(Reg),
    Local(Reg),
    Free(Reg),
    Create(u8),
    Join(u8),
    End,
    /// The end of `main`.
    Leave,
}

/// The code of all threads and what the machines have to know about it.
#[derive(Clone, Debug)]
pub struct Code {
    /// By thread; the first is `main`.
    pub threads: Vec<Vec<Op>>,
    /// The shared variables.
    pub vars: Vec<VarKind>,
    /// Mutexes that some thread tries.
    pub tried: Vec<bool>,
    /// Reader-writer locks that some thread tries.
    pub rw_tried: Vec<bool>,
    /// How many condition variables.
    pub conditions: usize,
    /// Initial values of semaphores.
    pub semaphores: Vec<u8>,
    /// Sizes of barriers.
    pub barriers: Vec<u8>,
    /// How many `pthread_once`.
    pub onces: usize,
    /// Is there an acquire fence? A release fence?
    pub fences: (bool, bool),
    /// How many nodes each thread may allocate: one for each place in its text.
    pub nodes: Vec<usize>,
    /// The names of observed values.
    pub names: Vec<String>,
}

impl Code {
    /// How many threads.
    pub fn count(&self) -> usize {
        self.threads.len()
    }

    /// Memory locations of the program: variables, then two members for each node that there can be.
    pub fn locations(&self) -> usize {
        self.vars.len() + 2 * self.nodes.iter().sum::<usize>()
    }
}

/// The code of a program.
pub fn compile(program: &Program) -> Code {
    let mut code = Code {
        threads: Vec::new(),
        vars: program.vars.clone(),
        tried: vec![false; usize::from(program.mutexes)],
        rw_tried: vec![false; usize::from(program.rwlocks)],
        conditions: usize::from(program.conditions),
        semaphores: program.semaphores.clone(),
        barriers: program.barriers.clone(),
        onces: program.onces.len(),
        fences: (false, false),
        nodes: Vec::new(),
        names: Vec::new(),
    };
    program.visit(&mut |stmt| match stmt {
        Stmt::Try { mutex, .. } => code.tried[usize::from(*mutex)] = true,
        Stmt::TryRead { lock, .. } | Stmt::TryWrite { lock, .. } => code.rw_tried[usize::from(*lock)] = true,
        Stmt::Fence(order) => {
            code.fences.0 |= order.acquires();
            code.fences.1 |= order.releases();
        }
        _ => {}
    });
    let main = &program.main;
    let mut builder = Builder::new(program, 0, &mut code.names);
    builder.list(&main.before);
    for t in 1..=program.threads.len() {
        builder.ops.push(Op::Create(t as u8));
    }
    builder.list(&main.middle);
    for (index, _) in main.joined.iter().enumerate().filter(|(_, joined)| **joined) {
        builder.ops.push(Op::Join(index as u8 + 1));
    }
    builder.list(&main.after);
    builder.ops.push(Op::Leave);
    let ops = builder.ops;
    code.threads.push(ops);
    for (index, thread) in program.threads.iter().enumerate() {
        let mut builder = Builder::new(program, index + 1, &mut code.names);
        builder.list(thread);
        builder.ops.push(Op::End);
        let ops = builder.ops;
        code.threads.push(ops);
    }
    let mallocs = |ops: &Vec<Op>| ops.iter().filter(|op| matches!(op, Op::Malloc(_) | Op::Local(_))).count();
    code.nodes = code.threads.iter().map(mallocs).collect();
    code
}

struct Builder<'a> {
    program: &'a Program,
    thread: usize,
    names: &'a mut Vec<String>,
    observed: usize,
    ops: Vec<Op>,
    /// The jumps out of each enclosing loop.
    breaks: Vec<Vec<usize>>,
}

impl<'a> Builder<'a> {
    fn new(program: &'a Program, thread: usize, names: &'a mut Vec<String>) -> Builder<'a> {
        Builder { program, thread, names, observed: 0, ops: Vec::new(), breaks: Vec::new() }
    }

    fn list(&mut self, list: &[Stmt]) {
        for stmt in list {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let op = match stmt.clone() {
            Stmt::Load { to, place, order } => Op::Load { to, place, order },
            Stmt::Store { place, value, order: Order::SeqCst } => {
                // The usual mapping: a full fence behind it, which matters to store buffers only.
                self.ops.push(Op::Store { place, value, order: Order::SeqCst });
                Op::Fence(Order::SeqCst)
            }
            Stmt::Store { place, value, order } => Op::Store { place, value, order },
            Stmt::Rmw { to, place, update, operand, order } => Op::Rmw { to, place, update, operand, order },
            Stmt::Cas { ok, expected, place, new, success, failure } => {
                Op::Cas { ok, expected, place, new, success, failure }
            }
            Stmt::Fence(order) => Op::Fence(order),
            Stmt::Set(reg, value) => Op::Set(reg, value),
            Stmt::If(cond, then, otherwise) => {
                let test = self.ops.len();
                self.ops.push(Op::Jump(0));
                self.list(&then);
                let skip = self.ops.len();
                self.ops.push(Op::Jump(0));
                self.ops[test] = Op::Unless(cond, self.ops.len());
                self.list(&otherwise);
                self.ops[skip] = Op::Jump(self.ops.len());
                return;
            }
            Stmt::Loop { body, .. } => {
                let head = self.ops.len();
                self.breaks.push(Vec::new());
                self.list(&body);
                self.ops.push(Op::Jump(head));
                let end = self.ops.len();
                for at in self.breaks.pop().unwrap_or_default() {
                    self.ops[at] = Op::Jump(end);
                }
                return;
            }
            Stmt::Break(cond) => {
                let test = self.ops.len();
                self.ops.push(Op::Unless(cond, test + 2));
                if let Some(breaks) = self.breaks.last_mut() {
                    breaks.push(test + 1);
                }
                Op::Jump(test + 2)
            }
            Stmt::Assert(cond) => Op::Assert(cond),
            Stmt::Assume(cond) => Op::Assume(cond),
            Stmt::Observe(reg) => {
                self.observed += 1;
                self.names.push(super::print::observed(self.thread, self.observed));
                Op::Observe(reg, self.names.len() as u8 - 1)
            }
            Stmt::Choose(reg) => Op::Choose(reg),
            Stmt::Lock(m) => Op::Lock(m),
            Stmt::Unlock(m) => Op::Unlock(m),
            Stmt::Try { to, mutex } => Op::Try { to, mutex },
            Stmt::ReadLock(w) => Op::ReadLock(w),
            Stmt::WriteLock(w) => Op::WriteLock(w),
            Stmt::RwUnlock(w) => Op::RwUnlock(w),
            Stmt::TryRead { to, lock } => Op::TryRead { to, lock },
            Stmt::TryWrite { to, lock } => Op::TryWrite { to, lock },
            Stmt::Wait { condition, mutex } => {
                self.ops.push(Op::Enter { condition, mutex });
                self.ops.push(Op::Unlock(mutex));
                self.ops.push(Op::Woken(condition));
                Op::Lock(mutex)
            }
            Stmt::Signal(c) => Op::Signal(c),
            Stmt::Broadcast(c) => Op::Broadcast(c),
            Stmt::Down(s) => Op::Down(s),
            Stmt::Up(s) => Op::Up(s),
            Stmt::Arrive(b) => {
                self.ops.push(Op::Arrive(b));
                Op::Passed(b)
            }
            Stmt::ArriveAnd { to, barrier } => {
                self.ops.push(Op::Arrive(barrier));
                Op::PassedAnd { to, barrier }
            }
            Stmt::Once(o) => {
                let enter = self.ops.len();
                self.ops.push(Op::Jump(0));
                let place = Place::Var(self.program.onces[usize::from(o)]);
                // The last register is no register of the program's.
                let to = super::ast::REGS as Reg;
                let order = Order::Relaxed;
                self.ops.push(Op::Rmw { to, place, update: Update::Add, operand: Expr::Const(1), order });
                self.ops.push(Op::OnceLeave(o));
                self.ops[enter] = Op::OnceEnter(o, self.ops.len());
                return;
            }
            Stmt::Malloc(reg) => Op::Malloc(reg),
            Stmt::Free(reg) => Op::Free(reg),
            Stmt::Return if self.thread == 0 => Op::Leave,
            Stmt::Return | Stmt::Exit | Stmt::ExitInside => Op::End,
            Stmt::Local(reg) => Op::Local(reg),
        };
        self.ops.push(op);
    }
}
