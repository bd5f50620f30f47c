//! Random programs: threads made of idioms that real programs use to wait, and of mistakes in them.

mod counters;
mod groups;
mod locks;
mod memory;
mod stores;
mod waits;

use super::ast::{Cond, Expr, Order, Place, Program, Reg, Stmt, Update, VarKind};
use crate::random_numbers::Random;

/// What a program is mostly made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Profile {
    Accesses,
    Spins,
    Loops,
    SpinLocks,
    Retries,
    Effects,
    Polls,
    Locks,
    Tries,
    ReadLocks,
    Conditions,
    Semaphores,
    Barriers,
    Meetings,
    Twins,
    Counters,
    Once,
    Memory,
    Ends,
    Mixed,
    Stores,
}

impl Profile {
    /// All of them.
    pub const ALL: [Profile; 21] = [
        Profile::Accesses,
        Profile::Spins,
        Profile::Loops,
        Profile::SpinLocks,
        Profile::Retries,
        Profile::Effects,
        Profile::Polls,
        Profile::Locks,
        Profile::Tries,
        Profile::ReadLocks,
        Profile::Conditions,
        Profile::Semaphores,
        Profile::Barriers,
        Profile::Meetings,
        Profile::Twins,
        Profile::Counters,
        Profile::Once,
        Profile::Memory,
        Profile::Ends,
        Profile::Mixed,
        Profile::Stores,
    ];

    /// Those with something that reductions leave out.
    pub const REDUCED: [Profile; 6] = [
        Profile::Counters,
        Profile::Twins,
        Profile::Meetings,
        Profile::Barriers,
        Profile::Mixed,
        Profile::Stores,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Accesses => "accesses",
            Profile::Spins => "spins",
            Profile::Loops => "loops",
            Profile::SpinLocks => "spin-locks",
            Profile::Retries => "retries",
            Profile::Effects => "effects",
            Profile::Polls => "polls",
            Profile::Locks => "locks",
            Profile::Tries => "tries",
            Profile::ReadLocks => "read-locks",
            Profile::Conditions => "conditions",
            Profile::Semaphores => "semaphores",
            Profile::Barriers => "barriers",
            Profile::Meetings => "meetings",
            Profile::Twins => "twins",
            Profile::Counters => "counters",
            Profile::Once => "once",
            Profile::Memory => "memory",
            Profile::Ends => "ends",
            Profile::Mixed => "mixed",
            Profile::Stores => "stores",
        }
    }
}

/// How the orders of a program are chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Orders {
    Strong,
    Synchronising,
    Relaxed,
    NoSeqCst,
    Any,
}

/// Variables: three atomic ones, a plain one, a pointer.
const ATOMS: u8 = 3;
const DATA: u8 = 3;
const POINTER: u8 = 4;

/// Registers: what is read and kept, success, expected, a counter, another.
const KEPT: Reg = 0;
const OK: Reg = 1;
const EXPECTED: Reg = 2;
const COUNT: Reg = 3;
const SECOND: Reg = 4;
const NODE: Reg = 5;
const OTHER: Reg = 6;

struct Maker {
    random: Random,
    orders: Orders,
    profile: Profile,
}

/// The program of this profile and seed.
pub fn program(profile: Profile, seed: u64) -> Program {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(profile as u64 * 7_919));
    let orders = [Orders::Strong, Orders::Synchronising, Orders::Relaxed, Orders::NoSeqCst, Orders::Any]
        [random.weighted(&[15, 30, 15, 30, 10])];
    let mut maker = Maker { random, orders, profile };
    maker.program()
}

impl Maker {
    fn program(&mut self) -> Program {
        let count = [2, 3, 4][self.random.weighted(&[55, 38, 7])];
        let mut program = Program {
            vars: vec![
                VarKind::Atomic,
                VarKind::Atomic,
                VarKind::Atomic,
                VarKind::Plain,
                VarKind::AtomicPointer,
            ],
            mutexes: 2,
            rwlocks: 1,
            conditions: 1,
            semaphores: vec![self.random.below(2) as u8],
            barriers: vec![self.random.between(1, 3) as u8],
            onces: vec![2],
            ..Program::default()
        };
        for _ in 0..count {
            let idioms = match count {
                2 => self.random.between(1, 3),
                3 => self.random.between(1, 2),
                _ => 1,
            };
            let mut list = Vec::new();
            for _ in 0..idioms {
                let idiom = self.idiom();
                list.extend(idiom);
            }
            if self.random.chance(20) {
                list.push(self.check());
            }
            list.push(Stmt::Observe(KEPT));
            if self.random.chance(30) {
                list.push(Stmt::Observe(EXPECTED));
            }
            if self.random.chance(5) {
                list.push(if self.random.chance(50) { Stmt::Exit } else { Stmt::ExitInside });
            }
            program.threads.push(list);
        }
        if self.profile == Profile::Meetings {
            self.meetings(&mut program);
        }
        if self.profile == Profile::Twins {
            self.twins(&mut program);
        }
        if self.profile == Profile::Counters {
            self.counters(&mut program);
        }
        if self.profile == Profile::Stores {
            self.stores(&mut program);
        }
        // Something that sets what others wait for, most of the time.
        if self.random.chance(if matches!(self.profile, Profile::Twins | Profile::Counters) {
            15
        } else {
            60
        }) {
            let at = self.random.below(count);
            let setter = self.setter();
            let list = &mut program.threads[at];
            if self.random.chance(50) {
                list.splice(0..0, setter);
            } else {
                let end = list.len().saturating_sub(1);
                list.splice(end..end, setter);
            }
        }
        let careless = match self.profile {
            Profile::Ends => 50,
            Profile::Twins | Profile::Counters => 6,
            _ => 0,
        };
        program.main.joined = (0..count).map(|_| !self.random.chance(careless)).collect();
        let all = program.main.joined.iter().all(|joined| *joined);
        if self.random.chance(12) {
            program.main.before = self.accesses(1);
        }
        if self.random.chance(if all { 8 } else { 50 }) {
            program.main.middle = if self.random.chance(50) { self.idiom() } else { self.setter() };
        }
        if self.profile == Profile::Counters {
            self.around_counters(&mut program);
        }
        let main = &mut program.main;
        for var in 0..ATOMS {
            if self.random.chance(70) {
                let order = if self.random.chance(50) { Order::Relaxed } else { Order::Acquire };
                main.after.push(Stmt::Load { to: KEPT, place: Place::Var(var), order });
                main.after.push(Stmt::Observe(KEPT));
            }
        }
        if all && self.random.chance(50) {
            main.after.push(Stmt::Load { to: SECOND, place: Place::Var(DATA), order: Order::Plain });
            main.after.push(Stmt::Observe(SECOND));
        }
        if self.random.chance(if self.profile == Profile::Ends { 30 } else { 0 }) {
            main.after.push(Stmt::Exit);
        }
        program
    }

    fn load_order(&mut self) -> Order {
        let weights: [usize; 3] = match self.orders {
            Orders::Strong => [0, 0, 1],
            Orders::Synchronising => [0, 1, 0],
            Orders::Relaxed => [9, 1, 0],
            Orders::NoSeqCst => [1, 1, 0],
            Orders::Any => [1, 1, 1],
        };
        [Order::Relaxed, Order::Acquire, Order::SeqCst][self.random.weighted(&weights)]
    }

    fn store_order(&mut self) -> Order {
        match self.load_order() {
            Order::Acquire => Order::Release,
            other => other,
        }
    }

    fn update_order(&mut self) -> Order {
        let order = self.load_order();
        match order {
            Order::Acquire => {
                self.random.pick(&[Order::Acquire, Order::Release, Order::AcqRel, Order::AcqRel])
            }
            other => other,
        }
    }

    fn atom(&mut self) -> Place {
        Place::Var(self.random.below(usize::from(ATOMS)) as u8)
    }

    fn value(&mut self) -> i8 {
        self.random.between(1, 2) as i8
    }

    fn load(&mut self, to: Reg, place: Place) -> Stmt {
        Stmt::Load { to, place, order: self.load_order() }
    }

    fn store(&mut self, place: Place, value: Expr) -> Stmt {
        Stmt::Store { place, value, order: self.store_order() }
    }

    fn rmw(&mut self, to: Reg, place: Place, update: Update, operand: Expr) -> Stmt {
        Stmt::Rmw { to, place, update, operand, order: self.update_order() }
    }

    fn cas(&mut self, place: Place, new: Expr) -> Stmt {
        let success = self.update_order();
        let failure = self.load_order();
        Stmt::Cas { ok: OK, expected: EXPECTED, place, new, success, failure }
    }

    fn repeat(&mut self, body: Vec<Stmt>) -> Stmt {
        Stmt::Loop { body, plain: self.random.chance(40) }
    }

    fn check(&mut self) -> Stmt {
        let reg = self.random.pick(&[KEPT, KEPT, EXPECTED, OK]);
        let value = self.random.below(3) as i8;
        let cond = if self.random.chance(70) { Cond::Not(reg, value) } else { Cond::Is(reg, value) };
        if self.random.chance(65) { Stmt::Assert(cond) } else { Stmt::Assume(cond) }
    }

    /// What makes others go on.
    fn setter(&mut self) -> Vec<Stmt> {
        let place = self.atom();
        let value = Expr::Const(self.value());
        let store = self.store(place, value);
        match self.profile {
            Profile::Polls | Profile::Tries | Profile::Conditions if self.random.chance(70) => {
                let data = Stmt::Store { place: Place::Var(DATA), value, order: Order::Plain };
                let inside = if self.random.chance(60) { data } else { store };
                let signal = match self.random.below(4) {
                    0 => vec![Stmt::Signal(0)],
                    1 => vec![Stmt::Broadcast(0)],
                    _ => vec![],
                };
                let mut list = match self.random.below(5) {
                    0 if self.profile != Profile::Conditions => self.try_loop(0),
                    _ => vec![Stmt::Lock(0)],
                };
                list.push(inside);
                if self.random.chance(60) {
                    list.extend(signal);
                    list.push(Stmt::Unlock(0));
                } else {
                    list.push(Stmt::Unlock(0));
                    list.extend(signal);
                }
                list
            }
            Profile::Semaphores => vec![store, Stmt::Up(0)],
            _ => vec![store],
        }
    }

    fn try_loop(&mut self, mutex: u8) -> Vec<Stmt> {
        let body = vec![Stmt::Try { to: OK, mutex }, Stmt::Break(Cond::Is(OK, 1))];
        vec![self.repeat(body)]
    }

    /// Ordinary accesses.
    fn accesses(&mut self, count: usize) -> Vec<Stmt> {
        (0..count).map(|_| self.access()).collect()
    }

    fn access(&mut self) -> Stmt {
        let place = self.atom();
        let value = self.value();
        match self.random.weighted(&[30, 30, 10, 8, 8, 7, 7]) {
            0 => {
                let to = self.random.pick(&[KEPT, KEPT, EXPECTED]);
                self.load(to, place)
            }
            1 => self.store(place, Expr::Const(value)),
            2 => {
                let update = self.random.pick(&[Update::Exchange, Update::Add, Update::Or]);
                self.rmw(KEPT, place, update, Expr::Const(value))
            }
            3 => self.cas(place, Expr::Const(value)),
            4 => {
                let order = match self.orders {
                    Orders::Strong => Order::SeqCst,
                    Orders::Any => self.random.pick(&[Order::SeqCst, Order::AcqRel]),
                    _ => self.random.pick(&[Order::Acquire, Order::Release, Order::AcqRel]),
                };
                Stmt::Fence(order)
            }
            5 => Stmt::Load { to: KEPT, place: Place::Var(DATA), order: Order::Plain },
            _ => Stmt::Store { place: Place::Var(DATA), value: Expr::Const(value), order: Order::Plain },
        }
    }

    /// What is done while a lock is held.
    fn inside(&mut self) -> Vec<Stmt> {
        let data = Place::Var(DATA);
        match self.random.below(5) {
            0 => vec![
                Stmt::Load { to: KEPT, place: data, order: Order::Plain },
                Stmt::Store { place: data, value: Expr::Plus(KEPT, 1), order: Order::Plain },
            ],
            1 => vec![Stmt::Load { to: KEPT, place: data, order: Order::Plain }],
            2 => vec![Stmt::Store { place: data, value: Expr::Const(self.value()), order: Order::Plain }],
            _ => {
                let count = self.random.below(3);
                self.accesses(count)
            }
        }
    }

    fn idiom(&mut self) -> Vec<Stmt> {
        let weight = |wanted: bool, other: usize| if wanted { 70 } else { other };
        let is = |profile: Profile| self.profile == profile || self.profile == Profile::Mixed;
        let weights = [
            weight(is(Profile::Accesses), 22),
            weight(is(Profile::Spins), 6),
            weight(is(Profile::SpinLocks), 3),
            weight(is(Profile::Retries), 3),
            weight(is(Profile::Effects), 1),
            weight(is(Profile::Polls), 2),
            weight(is(Profile::Locks), 4),
            weight(is(Profile::Tries), 2),
            weight(is(Profile::ReadLocks), 1),
            weight(is(Profile::Conditions), 1),
            weight(is(Profile::Semaphores), 1),
            weight(is(Profile::Barriers), 1),
            weight(is(Profile::Once), 1),
            weight(is(Profile::Memory), 1),
            weight(is(Profile::Ends), 1),
            weight(is(Profile::Loops), 2),
        ];
        match self.random.weighted(&weights) {
            0 => {
                let count = self.random.between(1, 2);
                self.accesses(count)
            }
            1 => self.spin(),
            2 => self.spin_lock(),
            3 => self.retry(),
            4 => self.effect(),
            5 => self.poll(),
            6 => self.section(),
            7 => self.tried(),
            8 => self.read_lock(),
            9 => self.condition(),
            10 => self.semaphore(),
            11 => vec![self.arrive()],
            12 => vec![Stmt::Once(0)],
            13 => self.memory(),
            14 => self.end(),
            _ => self.any_loop(),
        }
    }

    fn end(&mut self) -> Vec<Stmt> {
        let place = self.atom();
        let load = self.load(KEPT, place);
        let end = [Stmt::Return, Stmt::Exit, Stmt::ExitInside][self.random.below(3)].clone();
        let mut list = vec![load, Stmt::If(Cond::Not(KEPT, 0), vec![end], vec![])];
        if self.random.chance(30) {
            list.splice(
                0..0,
                [Stmt::Choose(SECOND), Stmt::If(Cond::Is(SECOND, 0), vec![Stmt::Return], vec![])],
            );
        }
        list
    }
}
