//! Test programs as syntax: a few threads of loads, stores, updates, fences, branches, locks, spawns and joins, which
//! may allocate and free memory.
//!
//! Everything else in this crate starts from here: the random generator makes these, the front-ends hand them
//! to the engine, the judges enumerate what they can do, the shrinker makes them smaller.

mod check;

use crate::objects::Shape;
pub use raveler_core::Order;

/// A thread-local variable. All start at 0.
pub type Reg = u8;

/// How many registers a thread has.
pub const REGISTERS: usize = 8;

/// What a store or update writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant.
    Const(i64),
    /// A register's value plus a constant.
    Sum(Reg, i64),
}

impl Expr {
    /// Its value with these registers.
    #[inline]
    pub fn value(self, registers: &[i64; REGISTERS]) -> i64 {
        match self {
            Expr::Const(constant) => constant,
            Expr::Sum(reg, constant) => wrap(registers[reg as usize].wrapping_add(constant)),
        }
    }
}

/// A value as a signed number of 4 bytes, which is what all locations hold.
#[inline]
pub fn wrap(value: i64) -> i64 {
    i64::from(value as i32)
}

/// A test of a register against a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cond {
    /// Which register.
    pub reg: Reg,
    /// `==` if true, else `!=`.
    pub equal: bool,
    /// The constant.
    pub value: i64,
}

impl Cond {
    /// Does it hold with these registers?
    #[inline]
    pub fn holds(self, registers: &[i64; REGISTERS]) -> bool {
        (registers[self.reg as usize] == self.value) == self.equal
    }
}

/// What an update that always writes does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UpdateKind {
    /// Write the operand.
    Exchange,
    /// Add it.
    Add,
    /// Subtract it.
    Sub,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

impl UpdateKind {
    /// All of them.
    pub const ALL: [UpdateKind; 6] = [
        UpdateKind::Exchange,
        UpdateKind::Add,
        UpdateKind::Sub,
        UpdateKind::And,
        UpdateKind::Or,
        UpdateKind::Xor,
    ];

    /// The value written after reading `old`.
    pub fn apply(self, old: i64, operand: i64) -> i64 {
        wrap(match self {
            UpdateKind::Exchange => operand,
            UpdateKind::Add => old.wrapping_add(operand),
            UpdateKind::Sub => old.wrapping_sub(operand),
            UpdateKind::And => old & operand,
            UpdateKind::Or => old | operand,
            UpdateKind::Xor => old ^ operand,
        })
    }

    /// Its word in the text format.
    pub fn name(self) -> &'static str {
        match self {
            UpdateKind::Exchange => "exchange",
            UpdateKind::Add => "add",
            UpdateKind::Sub => "sub",
            UpdateKind::And => "and",
            UpdateKind::Or => "or",
            UpdateKind::Xor => "xor",
        }
    }
}

/// One statement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Stmt {
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
    /// An update that always writes; the register gets the value read.
    Update {
        reg: Reg,
        loc: u8,
        kind: UpdateKind,
        operand: Expr,
        order: Order,
    },
    /// A strong compare-exchange; the register gets the value read.
    Cas {
        reg: Reg,
        loc: u8,
        expected: Expr,
        desired: Expr,
        success: Order,
        failure: Order,
    },
    /// A weak compare-exchange, which may fail although it reads what it expects; the register gets 1 if it
    /// succeeded, else 0.
    WeakCas {
        reg: Reg,
        loc: u8,
        expected: Expr,
        desired: Expr,
        success: Order,
        failure: Order,
    },
    Fence(Order),
    If {
        cond: Cond,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// The thread stops here for good unless the condition holds.
    Assume(Cond),
    /// Something is wrong unless the condition holds.
    Assert(Cond),
    /// The load just before it keeps the thread waiting unless the condition holds.
    Wait(Cond),
    /// A local assignment; no event.
    Let {
        reg: Reg,
        value: Expr,
    },
    /// Start the thread with this number. Every thread is named by at most one spawn.
    Spawn(u8),
    /// Wait for a thread that this thread spawned.
    Join(u8),
    Choose {
        reg: Reg,
        low: i64,
        high: i64,
    },
    Lock(u8),
    /// Together with other readers.
    ReadLock(u8),
    Unlock(u8),
    /// The register gets 1 if the lock was taken, else 0.
    TryLock {
        reg: Reg,
        lock: u8,
        /// Together with other readers?
        shared: bool,
    },
    /// Wait for a condition variable, releasing the lock meanwhile. With a time limit the register gets 1 if the thread
    /// was late, else 0.
    Await {
        condition: u8,
        lock: u8,
        late: Option<Reg>,
    },
    /// Wake one thread that waits for a condition variable, or all.
    Notify {
        condition: u8,
        all: bool,
    },
    /// Allocate the object with this number.
    Alloc(u8),
    /// Free it.
    Free(u8),
}

/// A whole program. Threads that no statement spawns run from the start.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct TestProgram {
    /// The data locations' initial values.
    pub init: Vec<i64>,
    /// How many locks there are.
    pub locks: u8,
    /// How many condition variables there are.
    pub conditions: u8,
    /// The objects that can be allocated. Their cells come after the data locations.
    pub objects: Vec<Shape>,
    /// The threads.
    pub threads: Vec<Vec<Stmt>>,
}

impl TestProgram {
    /// How many data locations there are.
    pub fn locations(&self) -> usize {
        self.init.len()
    }

    /// How many places of memory there are: data locations, cells of objects, condition variables, and a bell for each
    /// thread if there are such.
    pub fn cells(&self) -> usize {
        let bells = if self.conditions > 0 { self.threads.len() } else { 0 };
        self.heap().places().end + self.conditions as usize + bells
    }

    /// Where a condition variable is.
    pub fn condition_place(&self, condition: u8) -> u8 {
        self.heap().places().end as u8 + condition
    }

    /// Where a thread's bell is.
    pub fn bell_place(&self, thread: usize) -> u8 {
        self.heap().places().end as u8 + self.conditions + thread as u8
    }

    /// How many threads can wait for a condition variable at once.
    pub fn waiters(&self, condition: u8) -> usize {
        let waits = |body: &&Vec<Stmt>| {
            let mut found = false;
            visit(body, &mut |stmt| {
                found |= matches!(stmt, Stmt::Await { condition: c, .. } if *c == condition);
            });
            found
        };
        self.threads.iter().filter(waits).count()
    }

    /// How often a thread can wait at most.
    pub fn waits_of(&self, thread: usize) -> usize {
        let mut count = 0;
        visit(&self.threads[thread], &mut |stmt| count += usize::from(matches!(stmt, Stmt::Await { .. })));
        count
    }

    /// How many statements there are, nested ones included.
    pub fn size(&self) -> usize {
        self.threads.iter().map(|body| size(body)).sum()
    }

    /// For each thread: is it spawned by a statement (and so not there from the start)?
    pub fn spawned(&self) -> Vec<bool> {
        let mut spawned = vec![false; self.threads.len()];
        self.visit(&mut |stmt| {
            if let Stmt::Spawn(child) = stmt {
                spawned[*child as usize] = true;
            }
        });
        spawned
    }

    /// The threads that run from the start, by number.
    pub fn initial(&self) -> Vec<usize> {
        let spawned = self.spawned();
        (0..self.threads.len()).filter(|&thread| !spawned[thread]).collect()
    }

    /// Calls `f` with every statement, outer before inner.
    pub fn visit(&self, f: &mut impl FnMut(&Stmt)) {
        self.threads.iter().for_each(|body| visit(body, f));
    }

    /// Calls `f` with every statement, outer before inner, to change it.
    pub fn visit_mut(&mut self, f: &mut impl FnMut(&mut Stmt)) {
        self.threads.iter_mut().for_each(|body| visit_mut(body, f));
    }

    /// Does some statement satisfy this?
    pub fn any(&self, mut test: impl FnMut(&Stmt) -> bool) -> bool {
        let mut found = false;
        self.visit(&mut |stmt| found |= test(stmt));
        found
    }

    /// Does it use locks?
    pub fn has_locks(&self) -> bool {
        self.any(|stmt| {
            matches!(
                stmt,
                Stmt::Lock(_)
                    | Stmt::ReadLock(_)
                    | Stmt::Unlock(_)
                    | Stmt::TryLock { .. }
                    | Stmt::Await { .. }
            )
        })
    }

    /// Does it allocate memory?
    pub fn has_objects(&self) -> bool {
        !self.objects.is_empty()
    }

    /// Does it use condition variables?
    pub fn has_conditions(&self) -> bool {
        self.any(|stmt| matches!(stmt, Stmt::Await { .. } | Stmt::Notify { .. }))
    }

    /// Does it make assumptions?
    pub fn has_assumptions(&self) -> bool {
        self.any(|stmt| matches!(stmt, Stmt::Assume(_)))
    }

    /// Can threads hold a lock together in it?
    pub fn has_read_locks(&self) -> bool {
        self.any(|stmt| matches!(stmt, Stmt::ReadLock(_) | Stmt::TryLock { shared: true, .. }))
    }

    /// Can threads hold this lock together?
    pub fn is_shared(&self, lock: u8) -> bool {
        self.any(|stmt| match *stmt {
            Stmt::ReadLock(other) | Stmt::TryLock { lock: other, shared: true, .. } => other == lock,
            _ => false,
        })
    }

    /// Is this lock tried, and never shared?
    pub fn is_word(&self, lock: u8) -> bool {
        let tried = |stmt: &Stmt| matches!(stmt, Stmt::TryLock { lock: other, .. } if *other == lock);
        self.any(tried) && !self.is_shared(lock)
    }

    /// Does it try locks?
    pub fn has_trylocks(&self) -> bool {
        self.any(|stmt| matches!(stmt, Stmt::TryLock { .. }))
    }

    /// Can a compare-exchange fail for no reason in it?
    pub fn has_weak_cas(&self) -> bool {
        self.any(|stmt| matches!(stmt, Stmt::WeakCas { .. }))
    }

    /// Does it use `seq_cst`?
    pub fn has_seq_cst(&self) -> bool {
        self.any(|stmt| match *stmt {
            Stmt::Load { order, .. } | Stmt::Store { order, .. } | Stmt::Update { order, .. } => {
                order == Order::SeqCst
            }
            Stmt::Cas { success, failure, .. } | Stmt::WeakCas { success, failure, .. } => {
                success == Order::SeqCst || failure == Order::SeqCst
            }
            Stmt::Fence(order) => order == Order::SeqCst,
            _ => false,
        })
    }

    /// How many registers each thread uses.
    pub fn registers(&self) -> Vec<usize> {
        let mut used = Vec::new();
        for body in &self.threads {
            let mut most = 0;
            visit(body, &mut |stmt| {
                if let Some(reg) = target(stmt) {
                    most = most.max(reg as usize + 1);
                }
            });
            used.push(most);
        }
        used
    }
}

/// How many statements a block has, nested ones included.
pub fn size(body: &[Stmt]) -> usize {
    body.iter()
        .map(|stmt| match stmt {
            Stmt::If { then, otherwise, .. } => 1 + size(then) + size(otherwise),
            _ => 1,
        })
        .sum()
}

/// The register a statement assigns.
pub fn target(stmt: &Stmt) -> Option<Reg> {
    match stmt {
        Stmt::Load { reg, .. }
        | Stmt::Update { reg, .. }
        | Stmt::Cas { reg, .. }
        | Stmt::WeakCas { reg, .. }
        | Stmt::Let { reg, .. }
        | Stmt::Choose { reg, .. }
        | Stmt::TryLock { reg, .. } => Some(*reg),
        Stmt::Await { late, .. } => *late,
        _ => None,
    }
}

/// Calls `f` with every statement of a block, outer before inner.
pub(crate) fn visit(body: &[Stmt], f: &mut impl FnMut(&Stmt)) {
    for stmt in body {
        f(stmt);
        if let Stmt::If { then, otherwise, .. } = stmt {
            visit(then, f);
            visit(otherwise, f);
        }
    }
}

fn visit_mut(body: &mut [Stmt], f: &mut impl FnMut(&mut Stmt)) {
    for stmt in body {
        f(stmt);
        if let Stmt::If { then, otherwise, .. } = stmt {
            visit_mut(then, f);
            visit_mut(otherwise, f);
        }
    }
}
