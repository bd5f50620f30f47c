//! Random programs: threads made of idioms that real programs use to wait, and of mistakes in them.

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
    Once,
    Memory,
    Ends,
    Mixed,
}

impl Profile {
    /// All of them.
    pub const ALL: [Profile; 17] = [
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
        Profile::Once,
        Profile::Memory,
        Profile::Ends,
        Profile::Mixed,
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
            Profile::Once => "once",
            Profile::Memory => "memory",
            Profile::Ends => "ends",
            Profile::Mixed => "mixed",
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
        // Something that sets what others wait for, most of the time.
        if self.random.chance(60) {
            let at = self.random.below(count);
            let setter = self.setter();
            let list = &mut program.threads[at];
            if self.random.chance(50) {
                list.splice(0..0, setter);
            } else {
                let end = list.len();
                list.splice(end - 1..end - 1, setter);
            }
        }
        let careless = if self.profile == Profile::Ends { 50 } else { 0 };
        program.main.joined = (0..count).map(|_| !self.random.chance(careless)).collect();
        let all = program.main.joined.iter().all(|joined| *joined);
        if self.random.chance(12) {
            program.main.before = self.accesses(1);
        }
        if self.random.chance(if all { 8 } else { 50 }) {
            program.main.middle = if self.random.chance(50) { self.idiom() } else { self.setter() };
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
            11 => vec![Stmt::Arrive(0)],
            12 => vec![Stmt::Once(0)],
            13 => self.memory(),
            14 => self.end(),
            _ => self.any_loop(),
        }
    }

    fn until(&mut self, reg: Reg) -> Cond {
        if self.random.chance(60) { Cond::Not(reg, 0) } else { Cond::Is(reg, self.value()) }
    }

    fn spin(&mut self) -> Vec<Stmt> {
        let (x, y) = (self.atom(), self.atom());
        let first = self.load(KEPT, x);
        let second = self.load(SECOND, y);
        let (until, then) = (self.until(KEPT), self.until(SECOND));
        let body = match self.random.below(7) {
            0..=2 => vec![first, Stmt::Break(until)],
            3 => vec![
                first,
                second,
                Stmt::Break(self.random.pick(&[
                    Cond::Either(KEPT, SECOND),
                    Cond::Both(KEPT, SECOND),
                    Cond::Is(KEPT, 1),
                    Cond::Same(KEPT, SECOND),
                ])),
            ],
            4 => vec![first, Stmt::Break(until), second, Stmt::Break(then)],
            5 => {
                let data = Stmt::Load { to: SECOND, place: Place::Var(DATA), order: Order::Plain };
                vec![first, Stmt::Break(until), data]
            }
            _ => {
                let fence =
                    Stmt::Fence(if self.orders == Orders::Strong { Order::SeqCst } else { Order::Acquire });
                vec![first, fence, Stmt::Break(until)]
            }
        };
        vec![self.repeat(body)]
    }

    /// A loop of anything that may stand in one, left in the middle or at an end.
    fn any_loop(&mut self) -> Vec<Stmt> {
        let mut body = Vec::new();
        let parts = self.random.between(1, 3);
        let leave = self.random.below(parts + 1);
        for part in 0..=parts {
            if part == leave || self.random.chance(15) {
                let reg = self.random.pick(&[KEPT, KEPT, SECOND, OK, EXPECTED]);
                let cond = match self.random.below(6) {
                    0 => Cond::Is(reg, self.value()),
                    1 => Cond::Both(KEPT, SECOND),
                    2 => Cond::Same(KEPT, SECOND),
                    _ => Cond::Not(reg, 0),
                };
                body.push(Stmt::Break(cond));
            }
            if part < parts {
                body.extend(self.part());
            }
        }
        let mut list = if self.random.chance(25) { self.part() } else { Vec::new() };
        list.push(self.repeat(body));
        list
    }

    fn part(&mut self) -> Vec<Stmt> {
        let place = self.atom();
        let to = self.random.pick(&[KEPT, SECOND, EXPECTED]);
        let load = self.load(to, place);
        let m = self.random.weighted(&[80, 20]) as u8;
        match self.random.weighted(&[40, 14, 6, 6, 5, 5, 6, 6, 4, 4, 4]) {
            0 => vec![load],
            1 => {
                let new = self.random.pick(&[Expr::Const(1), Expr::Const(2), Expr::Plus(EXPECTED, 1)]);
                let cas = self.cas(place, new);
                match self.random.below(3) {
                    0 => vec![cas],
                    _ => vec![Stmt::Set(EXPECTED, Expr::Const(self.random.below(3) as i8)), cas],
                }
            }
            2 => {
                let update = self.random.pick(&[Update::Exchange, Update::Or]);
                vec![self.rmw(to, place, update, Expr::Const(1))]
            }
            3 => {
                let strong = self.orders == Orders::Strong;
                vec![Stmt::Fence(if strong { Order::SeqCst } else { Order::Acquire })]
            }
            4 => vec![Stmt::Load { to, place: Place::Var(DATA), order: Order::Plain }],
            5 => vec![Stmt::Set(COUNT, Expr::Other(COUNT)), load],
            6 => vec![load, Stmt::If(Cond::Not(to, 0), self.accesses(1), vec![])],
            7 => vec![Stmt::Lock(m), load, Stmt::Unlock(m)],
            8 => vec![
                Stmt::Try { to: OK, mutex: m },
                Stmt::If(Cond::Is(OK, 1), vec![load, Stmt::Unlock(m)], vec![]),
            ],
            9 => {
                let until = self.until(to);
                vec![self.repeat(vec![load, Stmt::Break(until)])]
            }
            _ => vec![load, Stmt::Set(SECOND, Expr::Reg(KEPT))],
        }
    }

    fn spin_lock(&mut self) -> Vec<Stmt> {
        let lock = Place::Var(0);
        let mut list = Vec::new();
        let ticket = self.random.chance(25);
        if ticket {
            list.push(self.rmw(EXPECTED, lock, Update::Add, Expr::Const(1)));
            let load = self.load(SECOND, Place::Var(1));
            list.push(self.repeat(vec![load, Stmt::Break(Cond::Same(EXPECTED, SECOND))]));
            list.extend(self.inside());
            list.push(self.store(Place::Var(1), Expr::Plus(EXPECTED, 1)));
            return list;
        }
        let exchange = self.rmw(OK, lock, Update::Exchange, Expr::Const(1));
        let cas = self.cas(lock, Expr::Const(1));
        let load = self.load(OK, lock);
        let test = self.repeat(vec![load.clone(), Stmt::Break(Cond::Is(OK, 0))]);
        let body = match self.random.below(6) {
            0 => vec![exchange, Stmt::Break(Cond::Is(OK, 0))],
            1 => vec![Stmt::Set(EXPECTED, Expr::Const(0)), cas, Stmt::Break(Cond::Is(OK, 1))],
            2 => vec![test, exchange, Stmt::Break(Cond::Is(OK, 0))],
            3 => vec![test, Stmt::Set(EXPECTED, Expr::Const(0)), cas, Stmt::Break(Cond::Is(OK, 1))],
            4 => vec![exchange, Stmt::Break(Cond::Is(OK, 0)), test],
            // Gives up when told to.
            _ => {
                let stop = self.load(SECOND, Place::Var(1));
                vec![
                    Stmt::Set(EXPECTED, Expr::Const(0)),
                    cas,
                    Stmt::Break(Cond::Is(OK, 1)),
                    stop,
                    Stmt::Break(Cond::Not(SECOND, 0)),
                ]
            }
        };
        list.push(self.repeat(body));
        list.extend(self.inside());
        if self.random.chance(90) {
            list.push(self.store(lock, Expr::Const(0)));
        }
        list
    }

    fn retry(&mut self) -> Vec<Stmt> {
        let place = self.atom();
        let new = self.random.pick(&[
            Expr::Plus(EXPECTED, 1),
            Expr::Const(1),
            Expr::Const(2),
            Expr::Other(EXPECTED),
        ]);
        let cas = self.cas(place, new);
        let load = self.load(EXPECTED, place);
        let other = self.atom();
        let between = self.load(KEPT, other);
        let guess = Stmt::Set(EXPECTED, Expr::Const(self.value()));
        let more = self.load(SECOND, Place::Var(2));
        let done = Stmt::Break(Cond::Is(OK, 1));
        let count = Stmt::Set(COUNT, Expr::Plus(COUNT, 1));
        match self.random.below(9) {
            0 => vec![self.repeat(vec![load, cas, done])],
            1 => vec![load, self.repeat(vec![cas, done])],
            2 => vec![Stmt::Set(EXPECTED, Expr::Const(0)), self.repeat(vec![cas, done])],
            3 => vec![
                load,
                Stmt::Set(COUNT, Expr::Const(0)),
                self.repeat(vec![cas, done, count, Stmt::Break(Cond::Is(COUNT, 2))]),
            ],
            4 => vec![load, between, self.repeat(vec![cas, done])],
            5 => vec![load, self.repeat(vec![cas, done, between])],
            // An expectation that does not come true by itself, and a way out by another variable.
            6 => vec![self.repeat(vec![between, Stmt::Break(Cond::Not(KEPT, 0)), guess, cas])],
            7 => vec![self.repeat(vec![between, Stmt::Break(Cond::Not(KEPT, 0)), guess, cas, more])],
            _ => vec![self.repeat(vec![guess, cas, done, between, Stmt::Break(Cond::Not(KEPT, 0))])],
        }
    }

    /// Loops whose rounds differ or do something.
    fn effect(&mut self) -> Vec<Stmt> {
        let (x, y) = (self.atom(), self.atom());
        let load = self.load(KEPT, x);
        let until = self.until(KEPT);
        let store = self.store(y, Expr::Const(1));
        let toggle = Stmt::Set(COUNT, Expr::Other(COUNT));
        match self.random.below(6) {
            0 => vec![self.repeat(vec![store, load, Stmt::Break(until)])],
            1 => vec![self.repeat(vec![load, toggle, Stmt::Break(until)])],
            2 => vec![self.repeat(vec![toggle, load, Stmt::Break(Cond::Both(KEPT, COUNT))])],
            3 => {
                let add = self.rmw(SECOND, y, Update::Or, Expr::Const(1));
                vec![self.repeat(vec![add, load, Stmt::Break(until)])]
            }
            4 => vec![
                Stmt::Set(COUNT, Expr::Const(0)),
                self.repeat(vec![
                    store,
                    load,
                    Stmt::Break(until),
                    Stmt::Set(COUNT, Expr::Plus(COUNT, 1)),
                    Stmt::Break(Cond::Is(COUNT, 2)),
                ]),
            ],
            // The value of the round before is kept.
            _ => {
                vec![self.repeat(vec![
                    Stmt::Set(SECOND, Expr::Reg(KEPT)),
                    load,
                    Stmt::Break(Cond::Both(KEPT, SECOND)),
                ])]
            }
        }
    }

    /// Looks at something under a lock until it is there.
    fn poll(&mut self) -> Vec<Stmt> {
        let place = if self.random.chance(60) { Place::Var(DATA) } else { self.atom() };
        let load = match place {
            Place::Var(DATA) => Stmt::Load { to: KEPT, place, order: Order::Plain },
            place => self.load(KEPT, place),
        };
        let until = self.until(KEPT);
        let m = self.random.weighted(&[80, 20]) as u8;
        let read = self.random.chance(15);
        let (take, give) =
            if read { (Stmt::ReadLock(0), Stmt::RwUnlock(0)) } else { (Stmt::Lock(m), Stmt::Unlock(m)) };
        match self.random.below(5) {
            0 => vec![self.repeat(vec![take, load, give, Stmt::Break(until)])],
            1 => vec![take.clone(), self.repeat(vec![load, Stmt::Break(until), give.clone(), take]), give],
            2 => vec![self.repeat(vec![
                take,
                load,
                Stmt::If(until, vec![give.clone()], vec![]),
                Stmt::Break(until),
                give,
            ])],
            3 => {
                let attempt = Stmt::Try { to: OK, mutex: m };
                vec![self.repeat(vec![
                    attempt,
                    Stmt::If(Cond::Is(OK, 1), vec![load, Stmt::Unlock(m)], vec![]),
                    Stmt::Break(until),
                ])]
            }
            _ => vec![self.repeat(vec![take, load, give, Stmt::Break(until)])],
        }
    }

    fn section(&mut self) -> Vec<Stmt> {
        let m = self.random.weighted(&[70, 30]) as u8;
        let inside = self.inside();
        let mut list = vec![Stmt::Lock(m)];
        match self.random.weighted(&[60, 22, 4, 4, 4, 6]) {
            0 => {
                list.extend(inside);
                list.push(Stmt::Unlock(m));
            }
            1 => {
                list.push(Stmt::Lock(1 - m));
                list.extend(inside);
                let first = if self.random.chance(50) { m } else { 1 - m };
                list.push(Stmt::Unlock(first));
                list.push(Stmt::Unlock(1 - first));
            }
            2 => list.extend(inside),
            3 => {
                list.push(Stmt::Lock(m));
                list.extend(inside);
                list.push(Stmt::Unlock(m));
            }
            4 => {
                list.push(Stmt::Unlock(m));
                list.extend(inside);
                list.push(Stmt::Unlock(m));
            }
            _ => {
                // Waits for something while it holds the lock.
                list.extend(self.spin());
                list.push(Stmt::Unlock(m));
            }
        }
        list
    }

    fn tried(&mut self) -> Vec<Stmt> {
        let m = self.random.weighted(&[70, 30]) as u8;
        let mut inside = self.inside();
        let attempt = Stmt::Try { to: OK, mutex: m };
        match self.random.below(5) {
            0 => {
                inside.push(Stmt::Unlock(m));
                vec![attempt, Stmt::If(Cond::Is(OK, 1), inside, vec![])]
            }
            1 | 2 => {
                let mut list = self.try_loop(m);
                list.extend(inside);
                list.push(Stmt::Unlock(m));
                list
            }
            3 => {
                let mut list = vec![self.repeat(vec![
                    Stmt::Lock(1 - m),
                    attempt,
                    Stmt::Break(Cond::Is(OK, 1)),
                    Stmt::Unlock(1 - m),
                ])];
                list.extend(inside);
                list.extend([Stmt::Unlock(m), Stmt::Unlock(1 - m)]);
                list
            }
            _ => self.section(),
        }
    }

    fn read_lock(&mut self) -> Vec<Stmt> {
        let mut inside = self.inside();
        let attempt = match self.random.below(2) {
            0 => Stmt::TryRead { to: OK, lock: 0 },
            _ => Stmt::TryWrite { to: OK, lock: 0 },
        };
        match self.random.weighted(&[35, 35, 12, 6, 6, 6]) {
            0 => [vec![Stmt::ReadLock(0)], inside, vec![Stmt::RwUnlock(0)]].concat(),
            1 => [vec![Stmt::WriteLock(0)], inside, vec![Stmt::RwUnlock(0)]].concat(),
            2 => {
                inside.push(Stmt::RwUnlock(0));
                vec![attempt, Stmt::If(Cond::Is(OK, 1), inside, vec![])]
            }
            3 => [
                vec![self.repeat(vec![attempt, Stmt::Break(Cond::Is(OK, 1))])],
                inside,
                vec![Stmt::RwUnlock(0)],
            ]
            .concat(),
            // A reader that wants to write.
            4 => vec![Stmt::ReadLock(0), Stmt::WriteLock(0), Stmt::RwUnlock(0)],
            _ => [vec![Stmt::ReadLock(0)], self.section(), vec![Stmt::RwUnlock(0)]].concat(),
        }
    }

    fn condition(&mut self) -> Vec<Stmt> {
        let data = Place::Var(DATA);
        let load = Stmt::Load { to: KEPT, place: data, order: Order::Plain };
        let wait = Stmt::Wait { condition: 0, mutex: 0 };
        let wake = if self.random.chance(60) { Stmt::Signal(0) } else { Stmt::Broadcast(0) };
        let set = Stmt::Store { place: data, value: Expr::Const(self.value()), order: Order::Plain };
        let (take, give) = (Stmt::Lock(0), Stmt::Unlock(0));
        match self.random.below(9) {
            0 | 1 => vec![take, self.repeat(vec![load, Stmt::Break(Cond::Not(KEPT, 0)), wait]), give],
            2 => vec![take, load, Stmt::If(Cond::Is(KEPT, 0), vec![wait], vec![]), give],
            3 => vec![take, wait, give],
            4 | 5 => vec![take, set, wake, give],
            6 => vec![take, set, give, wake],
            7 => vec![wake],
            _ => vec![take, load, give, wake],
        }
    }

    fn semaphore(&mut self) -> Vec<Stmt> {
        let inside = self.inside();
        match self.random.below(4) {
            0 => [vec![Stmt::Down(0)], inside, vec![Stmt::Up(0)]].concat(),
            1 => [inside, vec![Stmt::Up(0)]].concat(),
            2 => [vec![Stmt::Down(0)], inside].concat(),
            _ => vec![Stmt::Up(0), Stmt::Down(0)],
        }
    }

    fn new_node(&mut self) -> Vec<Stmt> {
        let value = Expr::Const(self.value());
        let order = if self.orders == Orders::Strong { Order::SeqCst } else { Order::Relaxed };
        vec![
            Stmt::Malloc(NODE),
            Stmt::Store { place: Place::Atom(NODE), value, order },
            Stmt::Store { place: Place::Data(NODE), value, order: Order::Plain },
        ]
    }

    /// A node on the stack of the thread.
    fn own_node(&mut self) -> Vec<Stmt> {
        let mut list = self.new_node();
        list[0] = Stmt::Local(NODE);
        list
    }

    fn use_node(&mut self, node: Reg) -> Vec<Stmt> {
        let value = Expr::Const(self.value());
        match self.random.below(5) {
            0 => vec![self.load(KEPT, Place::Atom(node))],
            1 => vec![Stmt::Load { to: KEPT, place: Place::Data(node), order: Order::Plain }],
            2 => vec![self.store(Place::Atom(node), value)],
            3 => vec![Stmt::Store { place: Place::Data(node), value, order: Order::Plain }],
            _ => vec![self.rmw(KEPT, Place::Atom(node), Update::Add, Expr::Const(1))],
        }
    }

    fn memory(&mut self) -> Vec<Stmt> {
        let pointer = Place::Var(POINTER);
        let there = Cond::Not(OTHER, 0);
        let mut list = Vec::new();
        match self.random.below(7) {
            0 | 1 => {
                list.extend(if self.random.chance(25) { self.own_node() } else { self.new_node() });
                list.push(self.store(pointer, Expr::Reg(NODE)));
                if self.random.chance(30) {
                    list.extend(self.use_node(NODE));
                }
            }
            2 => {
                list.push(self.load(OTHER, pointer));
                let uses = self.use_node(OTHER);
                list.push(Stmt::If(there, uses, vec![]));
            }
            3 => {
                list.push(self.rmw(OTHER, pointer, Update::Exchange, Expr::Const(0)));
                let mut uses = self.use_node(OTHER);
                uses.push(Stmt::Free(OTHER));
                list.push(Stmt::If(there, uses, vec![]));
            }
            4 => {
                let load = self.load(OTHER, pointer);
                list.push(self.repeat(vec![load, Stmt::Break(there)]));
                list.extend(self.use_node(OTHER));
                if self.random.chance(30) {
                    list.push(Stmt::Free(OTHER));
                }
            }
            5 => {
                // A queue lock: each waits for the one before it.
                list.extend(self.new_node());
                list.push(self.rmw(OTHER, pointer, Update::Exchange, Expr::Reg(NODE)));
                let load = self.load(OK, Place::Atom(OTHER));
                let mut wait = vec![self.repeat(vec![load, Stmt::Break(Cond::Is(OK, 0))])];
                if self.random.chance(40) {
                    wait.push(Stmt::Free(OTHER));
                }
                list.push(Stmt::If(there, wait, vec![]));
                list.extend(self.inside());
                list.push(self.store(Place::Atom(NODE), Expr::Const(0)));
            }
            _ => {
                list.extend(self.new_node());
                list.push(self.load(OTHER, pointer));
                let success = self.update_order();
                let failure = self.load_order();
                let cas = Stmt::Cas {
                    ok: OK,
                    expected: OTHER,
                    place: pointer,
                    new: Expr::Reg(NODE),
                    success,
                    failure,
                };
                list.push(self.repeat(vec![cas, Stmt::Break(Cond::Is(OK, 1))]));
                if self.random.chance(30) {
                    list.push(Stmt::Free(NODE));
                }
            }
        }
        list
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
