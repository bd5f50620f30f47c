//! Random test programs: small enough for brute force, each profile rich in what its name says.

mod conditions;
mod load_buffering;
mod memory;
mod profile;
mod sc_order;
mod sections;

pub use profile::Profile;

use crate::program::{Cond, Expr, Order, REGISTERS, Reg, Stmt, TestProgram, UpdateKind};
use crate::random_numbers::Random;

/// The program with this seed.
pub fn program(profile: Profile, seed: u64) -> TestProgram {
    let mut random = Random::new(seed.wrapping_mul(16).wrapping_add(profile as u64));
    if Profile::XMM.contains(&profile) {
        return load_buffering::program(profile, &mut random);
    }
    let mut generator = Generator::new(profile, &mut random);
    let program = generator.program();
    debug_assert_eq!(program.check(), Ok(()));
    program
}

/// How often each kind of statement is made.
struct Weights {
    load: usize,
    store: usize,
    update: usize,
    cas: usize,
    fence: usize,
    branch: usize,
    assume: usize,
    choose: usize,
    assert: usize,
}

struct Generator<'a> {
    random: &'a mut Random,
    profile: Profile,
    weights: Weights,
    locations: usize,
    locks: usize,
    /// May accesses be plain? In percent.
    plain: usize,
    /// What `seq_cst` adds to other orders, in percent.
    seq_cst: usize,
    /// Use relaxed order only, in percent of the rest.
    relaxed: usize,
    /// Statements that may still be made.
    budget: usize,
    /// Registers of the current thread that hold something, as the next free one.
    registers: usize,
}

impl<'a> Generator<'a> {
    fn new(profile: Profile, random: &'a mut Random) -> Generator<'a> {
        let weights = |load, store, update, cas, fence, branch, assume, choose| Weights {
            load,
            store,
            update,
            cas,
            fence,
            branch,
            assume,
            choose,
            assert: if profile == Profile::Assertions { 16 } else { 0 },
        };
        let weights = match profile {
            Profile::Mixed | Profile::SeqCst | Profile::Plain => weights(32, 34, 10, 8, 8, 8, 0, 0),
            Profile::Updates => weights(12, 12, 44, 24, 4, 4, 0, 0),
            Profile::WeakCas => weights(24, 24, 6, 30, 6, 10, 0, 0),
            Profile::NoUpdates => weights(42, 42, 0, 0, 8, 8, 0, 0),
            Profile::Fences => weights(32, 32, 5, 3, 26, 2, 0, 0),
            Profile::ReleaseSequences => weights(32, 32, 16, 4, 14, 2, 0, 0),
            Profile::Assume => weights(32, 32, 8, 8, 4, 4, 12, 0),
            Profile::Wait => weights(36, 36, 8, 8, 4, 4, 1, 0),
            Profile::Spawn => weights(34, 36, 8, 6, 6, 4, 4, 0),
            Profile::Choose => weights(32, 34, 8, 6, 4, 6, 2, 8),
            Profile::Locks | Profile::TryLocks => weights(40, 40, 5, 3, 4, 4, 1, 0),
            Profile::Sections | Profile::ReadLocks | Profile::TriedReadLocks => {
                weights(40, 40, 4, 2, 2, 9, 1, 0)
            }
            Profile::Assertions => weights(42, 38, 3, 1, 1, 8, 1, 0),
            Profile::Conditions => weights(42, 42, 4, 0, 2, 8, 0, 0),
            Profile::Detours => weights(44, 50, 3, 2, 0, 0, 1, 0),
            Profile::Memory | Profile::MemoryLocks => weights(40, 40, 14, 6, 0, 0, 0, 0),
            // Made by cycles, not statement by statement.
            Profile::ScOrder
            | Profile::LoadBuffering
            | Profile::LoadBufferingOrders
            | Profile::LoadBufferingUpdates
            | Profile::LoadBufferingThreads
            | Profile::LoadBufferingLocks
            | Profile::LoadBufferingReadLocks => weights(1, 1, 0, 0, 0, 0, 0, 0),
            Profile::Everything => weights(28, 30, 8, 8, 8, 6, 4, 3),
        };
        let locations = match profile {
            Profile::Updates => 1 + random.weighted(&[70, 30]),
            Profile::Memory | Profile::MemoryLocks => 1,
            Profile::ReleaseSequences => 2,
            Profile::ScOrder => 2 + random.weighted(&[65, 35]),
            Profile::Locks | Profile::TryLocks => 1 + random.weighted(&[40, 60]),
            Profile::Conditions => 1 + random.weighted(&[65, 35]),
            Profile::Sections | Profile::ReadLocks | Profile::TriedReadLocks | Profile::Assertions => {
                1 + random.weighted(&[25, 50, 25])
            }
            _ => 1 + random.weighted(&[20, 55, 25]),
        };
        let locks = match profile {
            Profile::Locks | Profile::TryLocks => 1 + random.weighted(&[60, 40]),
            Profile::Everything => random.weighted(&[70, 30]),
            Profile::Conditions => 1 + random.weighted(&[85, 15]),
            Profile::Detours => 2 + random.weighted(&[60, 40]),
            Profile::ScOrder => random.weighted(&[80, 20]),
            Profile::Sections | Profile::ReadLocks | Profile::TriedReadLocks | Profile::Assertions => {
                1 + random.weighted(&[50, 40, 10])
            }
            _ => 0,
        };
        let plain = match profile {
            Profile::Plain => 35,
            Profile::Everything
            | Profile::Conditions
            | Profile::Sections
            | Profile::Assertions
            | Profile::Detours
            | Profile::Memory
            | Profile::MemoryLocks
            | Profile::ReadLocks
            | Profile::TriedReadLocks
            | Profile::Locks
            | Profile::TryLocks
            | Profile::ReleaseSequences
            | Profile::Spawn => random.pick(&[0, 10, 40]),
            _ => random.pick(&[0, 0, 10]),
        };
        let seq_cst = match profile {
            Profile::SeqCst => random.pick(&[60, 80, 100]),
            _ => random.pick(&[0, 0, 15, 35]),
        };
        let relaxed = random.pick(&[0, 20, 50]);
        Generator {
            random,
            profile,
            weights,
            locations,
            locks,
            plain,
            seq_cst,
            relaxed,
            budget: 0,
            registers: 0,
        }
    }

    fn program(&mut self) -> TestProgram {
        if matches!(self.profile, Profile::Memory | Profile::MemoryLocks) {
            return self.memory_program();
        }
        if self.profile == Profile::ScOrder {
            return self.sc_order_program();
        }
        let threads = match self.profile {
            Profile::Spawn => 2 + self.random.weighted(&[25, 55, 20]),
            Profile::Conditions => 2 + self.random.weighted(&[40, 55, 5]),
            _ => 2 + self.random.weighted(&[45, 40, 15]),
        };
        let total = match self.profile {
            Profile::Sections | Profile::ReadLocks | Profile::Assertions => self.random.between(6, 11),
            Profile::TriedReadLocks => self.random.between(4, 8),
            Profile::Detours => self.random.between(6, 10),
            Profile::Updates | Profile::WeakCas | Profile::Locks | Profile::TryLocks => {
                self.random.between(4, 7)
            }
            _ => self.random.between(5, 11),
        };
        let init = (0..self.locations).map(|_| i64::from(self.random.chance(12))).collect();
        let conditions = match self.profile {
            Profile::Conditions => 1 + self.random.weighted(&[85, 15]) as u8,
            _ => 0,
        };
        let bodies = (0..threads)
            .map(|thread| match self.profile {
                Profile::Sections | Profile::ReadLocks | Profile::TriedReadLocks | Profile::Assertions => {
                    self.guarded(total, threads)
                }
                Profile::Detours => self.detouring(total, threads),
                Profile::Conditions => self.waiter(conditions, thread, threads),
                _ => self.thread(total, threads, thread),
            })
            .collect();
        let mut program =
            TestProgram { init, locks: self.locks as u8, conditions, objects: Vec::new(), threads: bodies };
        let spawns = match self.profile {
            Profile::Spawn => true,
            Profile::Everything => self.random.chance(30),
            Profile::Sections | Profile::ReadLocks | Profile::TriedReadLocks | Profile::Assertions => {
                self.random.chance(15)
            }
            _ => false,
        };
        if spawns {
            self.add_spawns(&mut program);
        }
        program
    }

    /// A thread's share of the statements: about the same for all, at least 1 and at most 5.
    fn thread(&mut self, total: usize, threads: usize, thread: usize) -> Vec<Stmt> {
        let even = (total + threads - 1 - thread) / threads;
        self.budget = (even + self.random.below(3)).saturating_sub(1).clamp(1, 5);
        self.registers = 0;
        let mut body = Vec::new();
        if self.locks > 0 && self.random.chance(85) {
            let open = self.random.below(2).min(self.budget - 1);
            self.block(&mut body, open, 1);
            while self.budget > 0 && body.len() < 7 {
                self.section(&mut body, self.locks);
            }
        }
        let all = self.budget;
        self.block(&mut body, all, 1);
        body
    }

    fn block(&mut self, body: &mut Vec<Stmt>, length: usize, depth: usize) {
        let waits = match self.profile {
            Profile::Wait => 45,
            Profile::Everything => 8,
            _ => 0,
        };
        for _ in 0..length {
            if self.budget == 0 {
                return;
            }
            let stmt = self.statement(depth);
            let loaded = if let Stmt::Load { reg, .. } = stmt { Some(reg) } else { None };
            body.push(stmt);
            if let Some(reg) = loaded
                && self.random.chance(waits)
            {
                let cond = Cond { reg, ..self.condition() };
                body.push(Stmt::Wait(cond));
            }
        }
    }

    fn statement(&mut self, depth: usize) -> Stmt {
        self.budget -= 1;
        let known = self.registers > 0;
        let w = &self.weights;
        let branches = if depth > 0 && known { w.branch } else { 0 };
        let (assume, assert) = if known { (w.assume, w.assert) } else { (0, 0) };
        let weights = [w.load, w.store, w.update, w.cas, w.fence, branches, assume, w.choose, assert];
        match self.random.weighted(&weights) {
            0 => match self.fresh() {
                Some(reg) => Stmt::Load { reg, loc: self.location(), order: self.load_order() },
                None => self.store(),
            },
            1 => self.store(),
            2 => match self.fresh() {
                Some(reg) => self.update(reg),
                None => self.store(),
            },
            3 => match self.fresh() {
                Some(reg) => self.cas(reg),
                None => self.store(),
            },
            4 => Stmt::Fence(self.fence_order()),
            5 => self.branch(depth),
            6 => Stmt::Assume(self.condition()),
            8 => Stmt::Assert(self.condition()),
            _ => match self.fresh() {
                Some(reg) => Stmt::Choose { reg, low: 0, high: self.random.between(1, 2) as i64 },
                None => self.store(),
            },
        }
    }

    fn branch(&mut self, depth: usize) -> Stmt {
        let cond = self.condition();
        self.budget += 1;
        let mut then = Vec::new();
        let length = self.random.between(1, 2);
        self.block(&mut then, length, depth - 1);
        let mut otherwise = Vec::new();
        if self.random.chance(30) {
            self.block(&mut otherwise, 1, depth - 1);
        }
        Stmt::If { cond, then, otherwise }
    }

    fn store(&mut self) -> Stmt {
        Stmt::Store { loc: self.location(), value: self.value(), order: self.store_order() }
    }

    fn update(&mut self, reg: Reg) -> Stmt {
        let kinds = [
            UpdateKind::Exchange,
            UpdateKind::Exchange,
            UpdateKind::Add,
            UpdateKind::Add,
            UpdateKind::Add,
            UpdateKind::Sub,
            UpdateKind::Or,
            UpdateKind::And,
            UpdateKind::Xor,
        ];
        // Sums of many threads' additions have too many values for brute force.
        let few = if self.profile == Profile::Updates { &kinds[..4] } else { &kinds[..] };
        let kind = self.random.pick(few);
        let operand = match kind {
            UpdateKind::Exchange => self.value(),
            _ => Expr::Const(1 + self.random.weighted(&[80, 20]) as i64),
        };
        let (loc, order) = (self.location(), self.update_order());
        Stmt::Update { reg, loc, kind, operand, order }
    }

    fn cas(&mut self, reg: Reg) -> Stmt {
        let failures = [Order::Relaxed, Order::Acquire, Order::SeqCst];
        let failure = if self.random.chance(self.seq_cst) {
            Order::SeqCst
        } else {
            failures[self.random.weighted(&[50, 40, 10])]
        };
        let (loc, expected) = (self.location(), Expr::Const(self.random.below(3) as i64));
        let (desired, success) = (self.value(), self.update_order());
        if self.profile == Profile::WeakCas && self.random.chance(80) {
            Stmt::WeakCas { reg, loc, expected, desired, success, failure }
        } else {
            Stmt::Cas { reg, loc, expected, desired, success, failure }
        }
    }

    fn fresh(&mut self) -> Option<Reg> {
        (self.registers < REGISTERS).then(|| {
            self.registers += 1;
            self.registers as Reg - 1
        })
    }

    fn condition(&mut self) -> Cond {
        let reg = self.random.below(self.registers.max(1)) as Reg;
        Cond { reg, equal: self.random.chance(60), value: self.random.weighted(&[45, 40, 15]) as i64 }
    }

    fn value(&mut self) -> Expr {
        let known = self.registers.saturating_sub(1);
        if known > 0 && self.random.chance(22) {
            let reg = self.random.below(known) as Reg;
            return Expr::Sum(reg, self.random.weighted(&[60, 40]) as i64);
        }
        Expr::Const(self.random.weighted(&[6, 57, 37]) as i64)
    }

    fn location(&mut self) -> u8 {
        self.random.below(self.locations) as u8
    }

    fn load_order(&mut self) -> Order {
        if self.random.chance(self.plain) {
            Order::Plain
        } else if self.random.chance(self.seq_cst) {
            Order::SeqCst
        } else if self.random.chance(self.relaxed) {
            Order::Relaxed
        } else {
            self.random.pick(&[Order::Relaxed, Order::Acquire, Order::Acquire])
        }
    }

    fn store_order(&mut self) -> Order {
        if self.random.chance(self.plain) {
            Order::Plain
        } else if self.random.chance(self.seq_cst) {
            Order::SeqCst
        } else if self.random.chance(self.relaxed) {
            Order::Relaxed
        } else {
            self.random.pick(&[Order::Relaxed, Order::Release])
        }
    }

    fn update_order(&mut self) -> Order {
        if self.random.chance(self.seq_cst) {
            Order::SeqCst
        } else {
            self.random.pick(&[Order::Relaxed, Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel])
        }
    }

    fn fence_order(&mut self) -> Order {
        if self.random.chance(self.seq_cst) {
            Order::SeqCst
        } else {
            self.random.pick(&[Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst])
        }
    }

    /// Lets some threads be started by others: mostly by thread 0, now and then by one another.
    fn add_spawns(&mut self, program: &mut TestProgram) {
        let threads = program.threads.len();
        for child in 1..threads {
            if self.random.chance(20) {
                continue;
            }
            let parent = if self.random.chance(80) { 0 } else { self.random.below(child) };
            let body = &mut program.threads[parent];
            let mut at = self.random.below(body.len().min(2) + 1);
            // Now and then inside a branch, so that the thread may never start.
            if let Some(Stmt::If { then, .. }) = body.get_mut(at)
                && self.random.chance(30)
            {
                then.push(Stmt::Spawn(child as u8));
                continue;
            }
            at = insert(body, at, Stmt::Spawn(child as u8));
            if self.random.chance(60) {
                at = self.random.between(at + 1, body.len());
                insert(body, at, Stmt::Join(child as u8));
            }
        }
    }
}

/// Puts a statement at a position, or behind the wait that stands there; says where it is then.
fn insert(body: &mut Vec<Stmt>, at: usize, stmt: Stmt) -> usize {
    let at = at + usize::from(matches!(body.get(at), Some(Stmt::Wait(_))));
    body.insert(at, stmt);
    at
}
