//! Waiting: spins, loops of many spellings, hand-made locks, retries, polling.

use super::{COUNT, DATA, EXPECTED, KEPT, Maker, OK, Orders, SECOND};
use crate::programs::ast::{Cond, Expr, Order, Place, Reg, Stmt, Update};

impl Maker {
    pub(super) fn until(&mut self, reg: Reg) -> Cond {
        if self.random.chance(60) { Cond::Not(reg, 0) } else { Cond::Is(reg, self.value()) }
    }

    pub(super) fn spin(&mut self) -> Vec<Stmt> {
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
    pub(super) fn any_loop(&mut self) -> Vec<Stmt> {
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

    pub(super) fn part(&mut self) -> Vec<Stmt> {
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

    pub(super) fn spin_lock(&mut self) -> Vec<Stmt> {
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

    pub(super) fn retry(&mut self) -> Vec<Stmt> {
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
    pub(super) fn effect(&mut self) -> Vec<Stmt> {
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
    pub(super) fn poll(&mut self) -> Vec<Stmt> {
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
}
