//! Programs as flat code for the machines: a list of operations for each thread, with jumps.

use super::ast::{Cond, Expr, Order, Place, Program, Reg, SPARE, Stmt, Update, VarKind};

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
    /// Takes both mutexes at once.
    LockBoth(u8, u8),
    /// Goes on if the register holds at least as much; else an object is used wrongly.
    Demand(Reg, u8),
    /// Some come to a `std::barrier` (and are one fewer from then on, if it `leaves`), the phase that they come in is put into a
    /// register; jumps unless they are the last.
    Come {
        barrier: u8,
        count: u8,
        leaves: bool,
        skip: usize,
    },
    /// Waits until a variable is seen to have the value, or a later one.
    AwaitValue(Place, Expr),
    /// Waits until a variable is seen to have another value, which is put into a register.
    AwaitOther {
        to: Reg,
        place: Place,
        not: i8,
        order: Order,
    },
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
    /// The shared variables, and behind them what semaphores, latches and barriers of C++ count in.
    pub vars: Vec<VarKind>,
    /// What they hold at first.
    pub initial: Vec<i8>,
    /// How many each `std::barrier` waits for.
    pub phased: Vec<u8>,
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

/// What the machines' own code computes with.
pub const SEEN: Reg = SPARE;
const NEXT: Reg = SPARE + 1;
const DONE: Reg = SPARE + 2;
/// The phase in which a thread came last to each `std::barrier`.
pub const TOKEN: Reg = SPARE + 3;
/// All registers, with two barriers.
pub const ALL_REGS: usize = TOKEN as usize + 2;

/// Where the variables behind those of the program begin: of semaphores, latches, barriers.
fn hidden(program: &Program) -> [u8; 3] {
    let vars = program.vars.len();
    let semaphores = vars + program.semaphores.len();
    [vars as u8, semaphores as u8, (semaphores + program.latches.len()) as u8]
}

/// The variable that says how many phases of a `std::barrier` are over, so that one may come to the next. (Who waits for the end of
/// a phase is told by another one.)
pub fn phases(code: &Code, barrier: u8) -> usize {
    code.vars.len() - code.phased.len() + usize::from(barrier)
}

/// The code of a program.
pub fn compile(program: &Program) -> Code {
    let mut vars = program.vars.clone();
    let mut initial = vec![0; vars.len()];
    if program.spelling.is_some() {
        initial.extend(program.semaphores.iter().chain(&program.latches).map(|&value| value as i8));
        initial.extend(program.phased.iter().flat_map(|_| [0; 2]));
        vars.resize(initial.len(), VarKind::Atomic);
    }
    let mut code = Code {
        threads: Vec::new(),
        vars,
        initial,
        phased: program.phased.iter().map(|barrier| barrier.count).collect(),
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
                let to = SEEN;
                let order = Order::Relaxed;
                self.ops.push(Op::Rmw { to, place, update: Update::Add, operand: Expr::Const(1), order });
                self.ops.push(Op::OnceLeave(o));
                self.ops[enter] = Op::OnceEnter(o, self.ops.len());
                return;
            }
            Stmt::LockBoth(first, second) => Op::LockBoth(first, second),
            Stmt::Until { var, not, order } => {
                self.ops.push(Op::AwaitOther { to: SEEN, place: Place::Var(var), not, order });
                Op::Set(SEEN, Expr::Const(0))
            }
            Stmt::Acquire(s) => return self.take(s, None),
            Stmt::TryAcquire { to, semaphore } => return self.take(semaphore, Some(to)),
            Stmt::Release(s) => {
                let place = Place::Var(hidden(self.program)[0] + s);
                let (update, operand) = (Update::Add, Expr::Const(1));
                Op::Rmw { to: SEEN, place, update, operand, order: Order::Release }
            }
            Stmt::Meet(b) => {
                self.come(b, 1, false);
                self.await_phase(b)
            }
            Stmt::Come { barrier, count } => return self.come(barrier, count, false),
            Stmt::Drop(b) => return self.come(b, 1, true),
            Stmt::Await(b) => {
                // Nothing is waited for before it has come.
                self.ops.push(Op::Unless(Cond::Not(TOKEN + b, 0), self.ops.len() + 2));
                self.await_phase(b)
            }
            Stmt::CountDown { latch, count } => {
                self.count_down(latch, count);
                Op::Set(SEEN, Expr::Const(0))
            }
            Stmt::ArriveLatch(l) => {
                self.count_down(l, 1);
                self.ops.push(Op::Set(SEEN, Expr::Const(0)));
                Op::AwaitValue(self.latch(l), Expr::Const(0))
            }
            Stmt::AwaitLatch(l) => Op::AwaitValue(self.latch(l), Expr::Const(0)),
            Stmt::TryLatch { to, latch } => {
                let place = self.latch(latch);
                self.ops.push(Op::Load { to: SEEN, place, order: Order::Acquire });
                self.ops.push(Op::Set(to, Expr::Const(0)));
                self.ops.push(Op::Unless(Cond::Is(SEEN, 0), self.ops.len() + 2));
                self.ops.push(Op::Set(to, Expr::Const(1)));
                Op::Set(SEEN, Expr::Const(0))
            }
            Stmt::Malloc(reg) => Op::Malloc(reg),
            Stmt::Free(reg) => Op::Free(reg),
            Stmt::Return if self.thread == 0 => Op::Leave,
            Stmt::Return | Stmt::Exit | Stmt::ExitInside => Op::End,
            Stmt::Local(reg) => Op::Local(reg),
        };
        self.ops.push(op);
    }

    fn latch(&self, latch: u8) -> Place {
        Place::Var(hidden(self.program)[1] + latch)
    }

    fn count_down(&mut self, latch: u8, count: u8) {
        let (place, operand) = (self.latch(latch), Expr::Const(-(count as i8)));
        self.ops.push(Op::Rmw { to: SEEN, place, update: Update::Add, operand, order: Order::Release });
        self.ops.push(Op::Demand(SEEN, count));
    }

    /// Some come to a barrier, and the last of a phase does what is to be done at its end. Who waits is told by a
    /// release store.
    fn come(&mut self, barrier: u8, count: u8, leaves: bool) {
        let at = self.ops.len();
        self.ops.push(Op::Jump(0));
        self.list(&self.program.phased[usize::from(barrier)].completion);
        self.ops.push(Op::Set(SEEN, Expr::Const(0)));
        let told = hidden(self.program)[2] + barrier;
        let over = told + self.program.phased.len() as u8;
        for (var, order) in [(over, Order::Relaxed), (told, Order::Release)] {
            self.ops.push(Op::Store { place: Place::Var(var), value: Expr::Reg(TOKEN + barrier), order });
        }
        self.ops[at] = Op::Come { barrier, count, leaves, skip: self.ops.len() };
    }

    fn await_phase(&self, barrier: u8) -> Op {
        Op::AwaitValue(Place::Var(hidden(self.program)[2] + barrier), Expr::Reg(TOKEN + barrier))
    }

    /// Counts a semaphore down if it is seen above zero: tries until that works, or once and says whether it did.
    fn take(&mut self, semaphore: u8, told: Option<Reg>) {
        let place = Place::Var(hidden(self.program)[0] + semaphore);
        let head = self.ops.len();
        let order = Order::Acquire;
        self.ops.push(match told {
            Some(_) => Op::Load { to: SEEN, place, order },
            None => Op::AwaitOther { to: SEEN, place, not: 0, order },
        });
        let missed = self.ops.len();
        self.ops.push(Op::Jump(missed + 1));
        self.ops.push(Op::Set(NEXT, Expr::Plus(SEEN, -1)));
        let (success, failure) = (Order::Acquire, Order::Relaxed);
        self.ops.push(Op::Cas { ok: DONE, expected: SEEN, place, new: Expr::Reg(NEXT), success, failure });
        if let Some(to) = told {
            self.ops[missed] = Op::Unless(Cond::Not(SEEN, 0), self.ops.len());
            self.ops.push(Op::Set(to, Expr::Reg(DONE)));
        } else {
            self.ops.push(Op::Unless(Cond::Is(DONE, 1), head));
        }
        self.ops.extend([SEEN, NEXT, DONE].map(|spare| Op::Set(spare, Expr::Const(0))));
    }
}
