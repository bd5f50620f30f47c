//! Nodes that are made, published, used and freed.

use super::{KEPT, Maker, NODE, OK, OTHER, Orders, POINTER};
use crate::programs::ast::{Cond, Expr, Order, Place, Reg, Stmt, Update};

impl Maker {
    pub(super) fn new_node(&mut self) -> Vec<Stmt> {
        let value = Expr::Const(self.value());
        let order = if self.orders == Orders::Strong { Order::SeqCst } else { Order::Relaxed };
        vec![
            Stmt::Malloc(NODE),
            Stmt::Store { place: Place::Atom(NODE), value, order },
            Stmt::Store { place: Place::Data(NODE), value, order: Order::Plain },
        ]
    }

    /// A node on the stack of the thread.
    pub(super) fn own_node(&mut self) -> Vec<Stmt> {
        let mut list = self.new_node();
        list[0] = Stmt::Local(NODE);
        list
    }

    pub(super) fn use_node(&mut self, node: Reg) -> Vec<Stmt> {
        let value = Expr::Const(self.value());
        match self.random.below(5) {
            0 => vec![self.load(KEPT, Place::Atom(node))],
            1 => vec![Stmt::Load { to: KEPT, place: Place::Data(node), order: Order::Plain }],
            2 => vec![self.store(Place::Atom(node), value)],
            3 => vec![Stmt::Store { place: Place::Data(node), value, order: Order::Plain }],
            _ => vec![self.rmw(KEPT, Place::Atom(node), Update::Add, Expr::Const(1))],
        }
    }

    pub(super) fn memory(&mut self) -> Vec<Stmt> {
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
}
