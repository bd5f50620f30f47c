//! Threads that count: updates of which nobody looks at the results, beside all that may see their order.

use super::{COUNT, DATA, KEPT, Maker, NODE, POINTER};
use crate::programs::ast::{Expr, Order, Place, Program, Stmt, Update};

/// What is counted in, if it is not a node.
const COUNTER: Place = Place::Var(0);

impl Maker {
    /// All threads count, most of them in the same place and in the same way; some work before, between and after, which mostly
    /// leaves that place alone.
    pub(super) fn counters(&mut self, program: &mut Program) {
        let count = program.threads.len();
        let update = self.random.pick(&[Update::Add, Update::Add, Update::Add, Update::Or]);
        let in_node = self.random.chance(20);
        let place = if in_node { Place::Atom(NODE) } else { COUNTER };
        for thread in 0..count {
            let mut list = Vec::new();
            if in_node {
                list.push(self.load(NODE, Place::Var(POINTER)));
            }
            let most = if count < 4 { 2 } else { 1 };
            for _ in 0..self.random.between(1, most) {
                if self.random.chance(if count < 3 { 65 } else { 45 }) {
                    list.push(self.aside());
                }
                list.push(self.count_in(place, update));
                if self.random.chance(15) {
                    let order = [Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];
                    list.push(Stmt::Fence(self.random.pick(&order)));
                }
            }
            if self.random.chance(if count < 3 { 60 } else { 40 }) {
                list.push(self.aside());
            }
            if self.random.chance(10) {
                list.push(self.check());
            }
            list.push(Stmt::Observe(KEPT));
            program.threads[thread] = list;
        }
    }

    /// The first thread's part: what is counted in, and its end.
    pub(super) fn around_counters(&mut self, program: &mut Program) {
        let is_node = |stmt: &Stmt| matches!(stmt, Stmt::Rmw { place: Place::Atom(_), .. });
        let main = &mut program.main;
        if program.threads.iter().flatten().any(is_node) {
            main.before = self.new_node();
            let order = if self.random.chance(50) { Order::Relaxed } else { Order::Release };
            main.before.push(Stmt::Store { place: Place::Var(POINTER), value: Expr::Reg(NODE), order });
            if self.random.chance(60) {
                let place = Place::Atom(NODE);
                main.after.push(Stmt::Load { to: KEPT, place, order: Order::Relaxed });
                main.after.push(Stmt::Observe(KEPT));
            }
            if self.random.chance(70) {
                let list = if self.random.chance(15) { &mut main.middle } else { &mut main.after };
                list.push(Stmt::Free(NODE));
            }
        } else if self.random.chance(30) {
            let value = Expr::Const(self.value());
            let store = self.store(COUNTER, value);
            main.before.push(store);
        }
        if self.random.chance(8) {
            let value = Expr::Const(self.value());
            let count = self.rmw(KEPT, COUNTER, Update::Add, value);
            main.after.splice(0..0, [count, Stmt::Observe(KEPT)]);
        }
    }

    /// Nobody looks at the result, for the most part.
    fn count_in(&mut self, place: Place, usual: Update) -> Stmt {
        let to = if self.random.chance(94) { COUNT } else { KEPT };
        let update = match self.random.below(24) {
            0 => Update::Exchange,
            1 => Update::Or,
            2 => Update::Add,
            _ => usual,
        };
        let operand = Expr::Const(self.value());
        let order = match self.random.below(5) {
            0 | 1 => Order::Relaxed,
            2 => Order::Release,
            _ => self.update_order(),
        };
        Stmt::Rmw { to, place, update, operand, order }
    }

    /// An access that leaves the counter alone, for the most part.
    fn aside(&mut self) -> Stmt {
        let mut stmt = self.access();
        if let Stmt::Load { place, .. }
        | Stmt::Store { place, .. }
        | Stmt::Rmw { place, .. }
        | Stmt::Cas { place, .. } = &mut stmt
            && *place == COUNTER
            && self.random.chance(85)
        {
            *place = Place::Var(self.random.between(1, usize::from(DATA) - 1) as u8);
        }
        stmt
    }
}
