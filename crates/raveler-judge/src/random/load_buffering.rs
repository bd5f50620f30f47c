//! Programs whose loads could be buffered: each thread tends to load what the thread before it stores at its end. For XMM,
//! where `po ∪ rf` may have cycles.

use super::Profile;
use crate::program::{Cond, Expr, Order, Reg, Stmt, TestProgram, UpdateKind, visit};
use crate::random_numbers::Random;

/// How often another program is made if loads cannot be buffered in this one.
const TRIES: usize = 6;

/// A program of this profile.
pub(super) fn program(profile: Profile, random: &mut Random) -> TestProgram {
    let mut program = attempt(profile, random);
    for _ in 1..TRIES {
        if crosses(&program) {
            break;
        }
        program = attempt(profile, random);
    }
    program
}

/// Do two or three threads read, each before it writes, what the next one writes?
fn crosses(program: &TestProgram) -> bool {
    let ways: Vec<Vec<(u8, u8)>> = program.threads.iter().map(|body| ways(body)).collect();
    let threads = ways.len();
    let meets = |thread: usize, from: u8, to: u8| ways[thread].contains(&(from, to));
    (0..threads).any(|first| {
        ways[first].iter().any(|&(from, to)| {
            let others = || (0..threads).filter(|&other| other != first);
            from != to
                && others().any(|second| {
                    meets(second, to, from)
                        || others().filter(|&third| third != second).any(|third| {
                            ways[second].iter().any(|&(next, last)| next == to && meets(third, last, from))
                        })
                })
        })
    })
}

/// The pairs of locations that a thread reads and later writes.
fn ways(body: &[Stmt]) -> Vec<(u8, u8)> {
    let (mut read, mut pairs) = (Vec::new(), Vec::new());
    visit(body, &mut |stmt| {
        if let Stmt::Store { loc, .. } | Stmt::Update { loc, .. } | Stmt::Cas { loc, .. } = stmt {
            pairs.extend(read.iter().map(|&before| (before, *loc)));
        }
        if let Stmt::Load { loc, .. } | Stmt::Update { loc, .. } | Stmt::Cas { loc, .. } = stmt {
            read.push(*loc);
        }
    });
    pairs
}

fn attempt(profile: Profile, random: &mut Random) -> TestProgram {
    let threads = 2 + random.weighted(&[60, 40]);
    let locations =
        if threads == 2 { 2 + random.weighted(&[75, 25]) } else { 2 + random.weighted(&[45, 55]) };
    let mut maker = Maker {
        ordered: match profile {
            Profile::LoadBuffering => 0,
            Profile::LoadBufferingOrders => random.pick(&[12, 25, 50]),
            _ => random.pick(&[0, 0, 15, 30]),
        },
        updates: match profile {
            Profile::LoadBufferingUpdates => random.pick(&[15, 30, 45]),
            Profile::LoadBuffering => 0,
            _ => random.pick(&[0, 0, 10]),
        },
        random,
        locations,
        registers: 0,
    };
    let mut bodies: Vec<Vec<Stmt>> = (0..threads).map(|thread| maker.thread(thread, threads)).collect();
    let mut locks = 0;
    match profile {
        Profile::LoadBufferingThreads => maker.spawn(&mut bodies),
        Profile::LoadBufferingLocks => locks = maker.lock(&mut bodies, 0),
        Profile::LoadBufferingReadLocks => locks = maker.lock(&mut bodies, 55),
        _ => {}
    }
    let init = (0..locations).map(|_| i64::from(maker.random.chance(5))).collect();
    let program = TestProgram { init, locks, threads: bodies, ..TestProgram::default() };
    debug_assert_eq!(program.check(), Ok(()));
    program
}

struct Maker<'a> {
    random: &'a mut Random,
    /// How many accesses are not relaxed, in percent.
    ordered: usize,
    /// How many are updates.
    updates: usize,
    locations: usize,
    /// The next free register of the current thread.
    registers: usize,
}

impl Maker<'_> {
    fn thread(&mut self, thread: usize, threads: usize) -> Vec<Stmt> {
        self.registers = 0;
        let length = 2 + if threads == 2 {
            self.random.weighted(&[15, 35, 35, 15])
        } else {
            self.random.weighted(&[45, 37, 18])
        };
        let mut body = Vec::new();
        let (first, last) = (thread % self.locations, (thread + 1) % self.locations);
        while body.len() < length {
            let at = body.len();
            if at == 0 && self.random.chance(70) {
                let loc = self.near(first);
                body.push(self.load(loc));
            } else if at + 1 == length && self.random.chance(75) {
                let loc = self.near(last);
                let store = self.store(loc);
                body.push(self.guarded(store));
            } else {
                body.push(self.statement());
            }
        }
        body
    }

    fn near(&mut self, location: usize) -> u8 {
        if self.random.chance(75) { location as u8 } else { self.location() }
    }

    fn location(&mut self) -> u8 {
        self.random.below(self.locations) as u8
    }

    fn statement(&mut self) -> Stmt {
        let fences = if self.ordered > 0 { self.ordered / 3 } else { 0 };
        let known = usize::from(self.registers > 0);
        match self.random.weighted(&[38, 38, fences, 14 * known, 2 * known]) {
            0 => {
                let loc = self.location();
                self.load(loc)
            }
            1 => {
                let loc = self.location();
                self.store(loc)
            }
            2 => {
                Stmt::Fence(self.random.pick(&[Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst]))
            }
            3 => self.branch(),
            _ => Stmt::Assume(self.condition()),
        }
    }

    /// A statement that happens to depend on something, or seems to.
    fn guarded(&mut self, stmt: Stmt) -> Stmt {
        if self.registers == 0 || !self.random.chance(35) {
            return stmt;
        }
        let cond = self.condition();
        let otherwise = match self.random.weighted(&[55, 25, 20]) {
            0 => Vec::new(),
            1 => vec![stmt.clone()],
            _ => vec![self.access()],
        };
        Stmt::If { cond, then: vec![stmt], otherwise }
    }

    fn branch(&mut self) -> Stmt {
        let cond = self.condition();
        let then = (0..1 + self.random.weighted(&[65, 35])).map(|_| self.access()).collect();
        let otherwise = (0..self.random.weighted(&[50, 40, 10])).map(|_| self.access()).collect();
        Stmt::If { cond, then, otherwise }
    }

    fn access(&mut self) -> Stmt {
        let loc = self.location();
        if self.random.chance(40) { self.load(loc) } else { self.store(loc) }
    }

    fn load(&mut self, loc: u8) -> Stmt {
        let reg = self.register();
        if self.random.chance(self.updates / 2) {
            return self.update(reg, loc);
        }
        let order = if self.strong() {
            self.random.pick(&[Order::Acquire, Order::Acquire, Order::SeqCst])
        } else {
            Order::Relaxed
        };
        Stmt::Load { reg, loc, order }
    }

    fn store(&mut self, loc: u8) -> Stmt {
        if self.random.chance(self.updates) {
            let reg = self.register();
            return self.update(reg, loc);
        }
        let order = if self.strong() {
            self.random.pick(&[Order::Release, Order::Release, Order::SeqCst])
        } else {
            Order::Relaxed
        };
        Stmt::Store { loc, value: self.value(), order }
    }

    fn update(&mut self, reg: Reg, loc: u8) -> Stmt {
        let orders = [Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];
        let order = if self.strong() { self.random.pick(&orders) } else { Order::Relaxed };
        match self.random.weighted(&[45, 25, 30]) {
            0 => {
                let operand = self.value();
                Stmt::Update { reg, loc, kind: UpdateKind::Exchange, operand, order }
            }
            1 => Stmt::Update { reg, loc, kind: UpdateKind::Add, operand: Expr::Const(1), order },
            _ => {
                let failure = if self.strong() { Order::Acquire } else { Order::Relaxed };
                let expected = Expr::Const(self.random.weighted(&[60, 30, 10]) as i64);
                Stmt::Cas { reg, loc, expected, desired: self.value(), success: order, failure }
            }
        }
    }

    fn strong(&mut self) -> bool {
        self.random.chance(self.ordered)
    }

    /// The registers of a thread are enough for all its reads, unless branches have many.
    fn register(&mut self) -> Reg {
        self.registers = (self.registers + 1).min(crate::program::REGISTERS);
        self.registers as Reg - 1
    }

    fn condition(&mut self) -> Cond {
        let reg = self.random.below(self.registers.max(1)) as Reg;
        Cond { reg, equal: self.random.chance(60), value: self.random.weighted(&[42, 46, 12]) as i64 }
    }

    fn value(&mut self) -> Expr {
        if self.registers > 0 && self.random.chance(30) {
            let reg = self.random.below(self.registers) as Reg;
            return Expr::Sum(reg, self.random.weighted(&[85, 15]) as i64);
        }
        Expr::Const(self.random.weighted(&[4, 70, 26]) as i64)
    }

    /// Lets threads be started by others, at any place, also only if something was read; most are awaited.
    fn spawn(&mut self, bodies: &mut [Vec<Stmt>]) {
        for child in 1..bodies.len() {
            if self.random.chance(20) {
                continue;
            }
            let parent = if self.random.chance(75) { 0 } else { child - 1 };
            let body = &mut bodies[parent];
            let at = self.random.below(body.len() + 1);
            let loads = |stmt: &Stmt| matches!(stmt, Stmt::Load { .. });
            if self.random.chance(25)
                && let Some(Stmt::Load { reg, .. }) = body[..at].iter().rfind(|stmt| loads(stmt))
            {
                let cond =
                    Cond { reg: *reg, equal: self.random.chance(50), value: self.random.below(2) as i64 };
                body.insert(
                    at,
                    Stmt::If { cond, then: vec![Stmt::Spawn(child as u8)], otherwise: Vec::new() },
                );
                continue;
            }
            body.insert(at, Stmt::Spawn(child as u8));
            if self.random.chance(45) {
                let at = self.random.between(at + 1, body.len());
                body.insert(at, Stmt::Join(child as u8));
            }
        }
    }

    /// Puts some of what threads do into critical sections, so many of them shared, in percent; says how many locks there
    /// are.
    fn lock(&mut self, bodies: &mut [Vec<Stmt>], shared: usize) -> u8 {
        let locks = 1 + self.random.weighted(&[85, 15]) as u8;
        for body in bodies {
            if self.random.chance(25) {
                continue;
            }
            let lock = self.random.below(locks as usize) as u8;
            let from = self.random.below(body.len());
            let to = self.random.between(from + 1, body.len().min(from + 3));
            body.insert(to, Stmt::Unlock(lock));
            let is_shared = shared > 0 && self.random.chance(shared);
            body.insert(from, if is_shared { Stmt::ReadLock(lock) } else { Stmt::Lock(lock) });
        }
        locks
    }
}
