//! Loops whose rounds begin with stores: to memory that is the thread's own until it is given away, and to memory that others
//! look at, overwrite and free.

use super::{COUNT, DATA, EXPECTED, KEPT, Maker, NODE, OK, OTHER, POINTER, SECOND};
use crate::programs::ast::{Cond, Expr, Order, Place, Program, Stmt, Update};

impl Maker {
    /// Some threads store and try again and again, the others come in between.
    pub(super) fn stores(&mut self, program: &mut Program) {
        for thread in 0..program.threads.len() {
            // Rounds that others do see are many: few threads, and little in each.
            if thread > 1 {
                let few = self.accesses(1);
                program.threads[thread] = few;
                continue;
            }
            let mut list = Vec::new();
            let loops = thread == 0 || self.random.chance(50);
            if loops {
                list.extend(self.store_and_try());
            }
            if !loops || self.random.chance(20) {
                list.extend(self.come_between());
            }
            if self.random.chance(15) {
                list.push(self.check());
            }
            list.push(Stmt::Observe(KEPT));
            if self.random.chance(30) {
                list.push(Stmt::Observe(EXPECTED));
            }
            program.threads[thread] = list;
        }
    }

    /// A loop that begins with one or two stores.
    fn store_and_try(&mut self) -> Vec<Stmt> {
        let has_node = self.random.chance(50);
        let mut list = match has_node {
            true if self.random.chance(20) => self.own_node(),
            true => self.new_node(),
            false => Vec::new(),
        };
        if has_node && self.random.chance(20) {
            // Others know it from the beginning.
            list.push(self.store(Place::Var(POINTER), Expr::Reg(NODE)));
        }
        let mut body = Vec::new();
        for _ in 0..self.random.between(1, 2) {
            body.push(self.store_first(has_node));
        }
        let place = self.atom();
        let done = Stmt::Break(Cond::Is(OK, 1));
        let until = self.until(KEPT);
        let (load, cas) = (self.load(KEPT, place), self.cas(place, Expr::Const(1)));
        match self.random.below(if has_node { 7 } else { 4 }) {
            0 => body.extend([load, Stmt::Break(until)]),
            1 => body.extend([Stmt::Set(EXPECTED, Expr::Const(0)), cas, done]),
            2 => {
                list.push(self.load(EXPECTED, place));
                body.extend([cas, done]);
            }
            3 => {
                let second = self.load(SECOND, Place::Var(1));
                body.extend([load, Stmt::Break(until), second, Stmt::Break(Cond::Not(SECOND, 0))]);
            }
            4 => body.extend([load, Stmt::Break(until), Stmt::Set(COUNT, Expr::Other(COUNT))]),
            // Puts the node where others find it.
            kind => {
                let (success, failure) = (self.update_order(), self.load_order());
                let (pointer, new) = (Place::Var(POINTER), Expr::Reg(NODE));
                if kind == 5 {
                    list.push(self.load(OTHER, pointer));
                } else {
                    body.push(Stmt::Set(OTHER, Expr::Const(0)));
                }
                body.push(Stmt::Cas { ok: OK, expected: OTHER, place: pointer, new, success, failure });
                body.push(done);
            }
        }
        if self.random.chance(12) {
            // Not at the beginning of a round any more.
            body.rotate_left(1);
        }
        list.push(self.repeat(body));
        if self.random.chance(40) {
            let at = self.random.below(2) as u8;
            list.push(self.store(Place::Var(at), Expr::Const(1)));
        }
        list
    }

    fn store_first(&mut self, has_node: bool) -> Stmt {
        let value = match self.random.below(4) {
            0 => Expr::Reg(EXPECTED),
            _ => Expr::Const(self.value()),
        };
        match self.random.below(if has_node { 6 } else { 3 }) {
            0 | 1 => {
                let place = self.atom();
                self.store(place, value)
            }
            2 => Stmt::Store { place: Place::Var(DATA), value, order: Order::Plain },
            3 => Stmt::Store { place: Place::Data(NODE), value, order: Order::Plain },
            _ => self.store(Place::Atom(NODE), value),
        }
    }

    /// Looks at what others store, overwrites it, frees it, lets them go.
    fn come_between(&mut self) -> Vec<Stmt> {
        let mut list = Vec::new();
        for _ in 0..self.random.weighted(&[0, 70, 30]) {
            match self.random.below(8) {
                // Counts, perhaps behind what it saw.
                6 | 7 => {
                    let (flag, place) = (self.atom(), self.atom());
                    let load = self.load(KEPT, flag);
                    let count = self.rmw(COUNT, place, Update::Add, Expr::Const(2));
                    list.extend([load, Stmt::If(Cond::Not(KEPT, 0), vec![count], vec![])]);
                }
                0 | 1 => list.extend(self.accesses(2)),
                2 => {
                    let place = self.atom();
                    let load = self.load(KEPT, place);
                    let inner = self.accesses(2);
                    list.extend([load, Stmt::If(Cond::Not(KEPT, 0), inner, vec![])]);
                }
                3 => {
                    let place = self.atom();
                    let value = Expr::Const(self.value());
                    list.push(self.store(place, value));
                }
                _ => {
                    list.push(self.load(OTHER, Place::Var(POINTER)));
                    let mut uses = self.use_node(OTHER);
                    if self.random.chance(25) {
                        uses.push(Stmt::Free(OTHER));
                    }
                    list.push(Stmt::If(Cond::Not(OTHER, 0), uses, vec![]));
                }
            }
        }
        list
    }
}
