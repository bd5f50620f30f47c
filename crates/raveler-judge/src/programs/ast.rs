//! Small concurrent programs: what the random ones are made of.
//!
//! A program is printed as C or C++ for raveler ([`super::print`], [`super::cpp`]) and made into flat code for the machines
//! ([`super::code`]). Both come from this one type and share nothing else.

/// A register of a thread. The first [`INTS`] hold numbers, the others pointers to nodes.
pub type Reg = u8;

/// Registers with numbers.
pub const INTS: u8 = 5;
/// All registers.
pub const REGS: usize = 7;
/// The first of those that no thread's text names: the functions at the ends of phases use it, and the machines.
pub const SPARE: Reg = REGS as Reg;

/// A memory order; `Plain` is no atomic access at all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Order {
    Plain,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    /// Does a read or fence of this order acquire?
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// Does a write or fence of this order release?
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }
}

/// What a shared variable is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VarKind {
    /// `atomic_int`
    Atomic,
    /// `int`
    Plain,
    /// `_Atomic(struct node *)`
    AtomicPointer,
}

/// What is read or written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A shared variable.
    Var(u8),
    /// The atomic member of the node that a register points to.
    Atom(Reg),
    /// The plain member of it.
    Data(Reg),
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Expr {
    Const(i8),
    Reg(Reg),
    Plus(Reg, i8),
    /// One minus the register: two rounds of it come back.
    Other(Reg),
}

/// A condition on registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Cond {
    Is(Reg, i8),
    Not(Reg, i8),
    Same(Reg, Reg),
    Differ(Reg, Reg),
    Either(Reg, Reg),
    Both(Reg, Reg),
}

impl Cond {
    /// The opposite, where there is one.
    pub fn negated(self) -> Option<Cond> {
        Some(match self {
            Cond::Is(r, v) => Cond::Not(r, v),
            Cond::Not(r, v) => Cond::Is(r, v),
            Cond::Same(a, b) => Cond::Differ(a, b),
            Cond::Differ(a, b) => Cond::Same(a, b),
            Cond::Either(..) | Cond::Both(..) => return None,
        })
    }
}

/// What a read-modify-write does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Update {
    Exchange,
    Add,
    Or,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Stmt {
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
    /// `ok` says whether it succeeded; a failure puts what was read into `expected`.
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
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    /// For ever; printed as `do … while` or `while` if it can be and `plain` is not set.
    Loop {
        body: Vec<Stmt>,
        plain: bool,
    },
    Break(Cond),
    Assert(Cond),
    Assume(Cond),
    Observe(Reg),
    Choose(Reg),
    Lock(u8),
    Unlock(u8),
    /// 1 in `to` if the mutex was free.
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
    Wait {
        condition: u8,
        mutex: u8,
    },
    Signal(u8),
    Broadcast(u8),
    Down(u8),
    Up(u8),
    Arrive(u8),
    /// 1 in `to` if the thread is told to be the serial one.
    ArriveAnd {
        to: Reg,
        barrier: u8,
    },
    /// Runs the body of a `pthread_once`: an addition to a variable.
    Once(u8),
    Malloc(Reg),
    /// A node on the thread's stack, which is gone when it ends.
    Local(Reg),
    Free(Reg),
    Return,
    Exit,
    /// `pthread_exit` from a function that was called.
    ExitInside,
    /// From here on only in C++. `std::lock`.
    LockBoth(u8, u8),
    /// `std::atomic::wait`: until the variable is seen to have another value.
    Until {
        var: u8,
        not: i8,
        order: Order,
    },
    /// `std::counting_semaphore`.
    Acquire(u8),
    Release(u8),
    /// 1 in `to` if it was not zero.
    TryAcquire {
        to: Reg,
        semaphore: u8,
    },
    /// `std::barrier::arrive_and_wait`.
    Meet(u8),
    /// `std::barrier::arrive`; what it gives is kept until the next arrival.
    Come {
        barrier: u8,
        count: u8,
    },
    /// `std::barrier::wait` with that.
    Await(u8),
    /// `std::barrier::arrive_and_drop`.
    Drop(u8),
    /// `std::latch`.
    CountDown {
        latch: u8,
        count: u8,
    },
    AwaitLatch(u8),
    ArriveLatch(u8),
    TryLatch {
        to: Reg,
        latch: u8,
    },
}

/// A `std::barrier`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Phased {
    /// How many it waits for.
    pub count: u8,
    /// What is done at the end of each phase, with [`SPARE`] as the only register.
    pub completion: Vec<Stmt>,
}

/// The first thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Main {
    /// Before the others are created.
    pub before: Vec<Stmt>,
    /// While they run.
    pub middle: Vec<Stmt>,
    /// Which threads it joins.
    pub joined: Vec<bool>,
    /// Afterwards.
    pub after: Vec<Stmt>,
}

/// A program.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Program {
    /// Shared variables, all zero at first.
    pub vars: Vec<VarKind>,
    /// How many mutexes.
    pub mutexes: u8,
    /// How many reader-writer locks.
    pub rwlocks: u8,
    /// How many condition variables.
    pub conditions: u8,
    /// The initial values of semaphores.
    pub semaphores: Vec<u8>,
    /// How many threads each barrier takes.
    pub barriers: Vec<u8>,
    /// What each `pthread_once` adds one to.
    pub onces: Vec<u8>,
    /// The first thread.
    pub main: Main,
    /// The threads that it creates.
    pub threads: Vec<Vec<Stmt>>,
    /// `std::barrier`s.
    pub phased: Vec<Phased>,
    /// The initial values of `std::latch`es.
    pub latches: Vec<u8>,
    /// It is a C++ program, and this says in which of its spellings.
    pub spelling: Option<u64>,
}

impl Program {
    /// Shows every statement, inner ones after their outer ones.
    pub fn visit<'a>(&'a self, see: &mut dyn FnMut(&'a Stmt)) {
        let main = [&self.main.before, &self.main.middle, &self.main.after];
        let ends = self.phased.iter().map(|barrier| &barrier.completion);
        for list in main.into_iter().chain(&self.threads).chain(ends) {
            visit(list, see);
        }
    }

    /// Does some statement fit?
    pub fn has(&self, fits: impl Fn(&Stmt) -> bool) -> bool {
        let mut found = false;
        self.visit(&mut |stmt| found |= fits(stmt));
        found
    }

    /// Are there atomic accesses or fences that are `seq_cst`? The machines for the C11 models do not know them.
    pub fn has_seq_cst(&self) -> bool {
        self.has(|stmt| match stmt {
            Stmt::Load { order, .. }
            | Stmt::Store { order, .. }
            | Stmt::Rmw { order, .. }
            | Stmt::Until { order, .. } => *order == Order::SeqCst,
            Stmt::Cas { success, failure, .. } => *success == Order::SeqCst || *failure == Order::SeqCst,
            Stmt::Fence(order) => *order == Order::SeqCst,
            _ => false,
        })
    }

    /// How many statements.
    pub fn size(&self) -> usize {
        let mut count = 0;
        self.visit(&mut |_| count += 1);
        count
    }
}

/// Shows every statement of a list.
pub fn visit<'a>(list: &'a [Stmt], see: &mut dyn FnMut(&'a Stmt)) {
    for stmt in list {
        see(stmt);
        match stmt {
            Stmt::If(_, then, otherwise) => {
                visit(then, see);
                visit(otherwise, see);
            }
            Stmt::Loop { body, .. } => visit(body, see),
            _ => {}
        }
    }
}
