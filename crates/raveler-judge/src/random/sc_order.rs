//! Programs for the clauses of the order of `seq_cst` events.
//!
//! A cycle goes through the threads: an access of each is related to one of the next by reads-from, from-reads or
//! coherence, and in each thread program order leads on, through a fence or not. Whether such a cycle is allowed is
//! what the orders of its accesses decide; most of them are `seq_cst`.

use super::Generator;
use crate::program::{Expr, Order, REGISTERS, Stmt, TestProgram, UpdateKind};

/// How an access of one thread is related to one of the next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    ReadsFrom,
    FromRead,
    Coherence,
}

impl Link {
    /// Does it start from a write?
    fn starts_with_write(self) -> bool {
        self != Link::FromRead
    }

    /// Does it lead to a write?
    fn ends_with_write(self) -> bool {
        self != Link::ReadsFrom
    }
}

/// What program order from one access of a thread to another goes by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leg {
    /// Both accesses are `seq_cst`.
    SeqCst,
    /// A `seq_cst` fence stands between them.
    Fence,
    /// The first one acquires, the second one is `seq_cst`.
    Acquire,
    /// The first one is `seq_cst`, the second one releases.
    Release,
    /// Anything.
    Any,
}

impl Generator<'_> {
    pub(super) fn sc_order_program(&mut self) -> TestProgram {
        let threads = 2 + self.random.weighted(&[12, 68, 20]);
        let mut links: Vec<Link> = (0..threads)
            .map(|_| match self.random.weighted(&[40, 45, 15]) {
                0 => Link::ReadsFrom,
                1 => Link::FromRead,
                _ => Link::Coherence,
            })
            .collect();
        // A write that is reached by from-reads and then read: reads-from is what RC11's order leaves out.
        if self.random.chance(60) {
            (links[0], links[1]) = (Link::FromRead, Link::ReadsFrom);
        }
        // Where each link leads, and which threads have one access for both links.
        let mut places: Vec<u8> = vec![self.location()];
        let mut alone = vec![false];
        for thread in 1..threads {
            let before = places[thread - 1];
            alone.push(
                links[thread - 1].ends_with_write() == links[thread].starts_with_write()
                    && self.random.chance(65),
            );
            let other = (before + 1 + self.random.below(self.locations - 1) as u8) % self.locations as u8;
            let same = alone[thread] || self.random.chance(15);
            places.push(if same { before } else { other });
        }
        let mut values = vec![0; self.locations];
        let bodies = (0..threads)
            .map(|thread| {
                self.registers = 0;
                let before = (thread + threads - 1) % threads;
                let ends = [
                    (places[before], links[before].ends_with_write()),
                    (places[thread], links[thread].starts_with_write()),
                ];
                let mut body = Vec::new();
                self.leg(&mut body, &mut values, ends, alone[thread]);
                if self.locks > 0 && self.random.chance(70) {
                    self.put_section(&mut body);
                }
                body
            })
            .collect();
        TestProgram {
            init: vec![0; self.locations],
            locks: self.locks as u8,
            conditions: 0,
            objects: Vec::new(),
            threads: bodies,
        }
    }

    /// A critical section around some of the statements, or none.
    fn put_section(&mut self, body: &mut Vec<Stmt>) {
        let from = self.random.below(body.len() + 1);
        let until = self.random.between(from, body.len());
        body.insert(until, Stmt::Unlock(0));
        body.insert(from, Stmt::Lock(0));
    }

    /// The accesses of one thread: of these locations, writes or not; one for both if it is alone.
    fn leg(&mut self, body: &mut Vec<Stmt>, values: &mut [i64], ends: [(u8, bool); 2], alone: bool) {
        let legs = [Leg::SeqCst, Leg::Fence, Leg::Acquire, Leg::Release, Leg::Any];
        let leg = if alone { Leg::Any } else { legs[self.random.weighted(&[56, 16, 12, 8, 8])] };
        let sc = |first: bool| match leg {
            Leg::SeqCst => 100,
            Leg::Acquire => {
                if first {
                    0
                } else {
                    100
                }
            }
            Leg::Release => {
                if first {
                    100
                } else {
                    0
                }
            }
            Leg::Fence => 10,
            Leg::Any => 30,
        };
        self.linked(body, values, ends[0], sc(true));
        if leg == Leg::Fence || leg == Leg::Any && self.random.chance(10) {
            body.push(Stmt::Fence(self.sc_or(85, &[Order::Acquire, Order::Release, Order::AcqRel])));
        }
        if !alone {
            self.linked(body, values, ends[1], sc(false));
        }
    }

    /// The access at one end of a link, `seq_cst` in so many percent of cases. Now and then another one of the same
    /// location goes before it: a step within one location is what RC11's order excepts.
    fn linked(&mut self, body: &mut Vec<Stmt>, values: &mut [i64], (loc, writes): (u8, bool), sc: usize) {
        if self.random.chance(12) {
            let writes = if self.random.chance(70) { writes } else { !writes };
            let sc = self.random.pick(&[0, sc, 100]);
            self.end_of_link(body, values, (loc, writes), sc);
        }
        self.end_of_link(body, values, (loc, writes), sc);
    }

    fn end_of_link(
        &mut self,
        body: &mut Vec<Stmt>,
        values: &mut [i64],
        (loc, writes): (u8, bool),
        sc: usize,
    ) {
        let plain = self.random.chance(self.plain / 2);
        values[loc as usize] += i64::from(writes);
        let value = Expr::Const(values[loc as usize]);
        let reg = (self.registers < REGISTERS).then_some(self.registers as u8);
        let stmt = match reg {
            Some(reg) if self.random.chance(5) => {
                let order = self.sc_or(sc, &[Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel]);
                Stmt::Update { reg, loc, kind: UpdateKind::Exchange, operand: value, order }
            }
            Some(reg) if !writes => {
                let order = self.sc_or(sc, &[Order::Acquire, Order::Acquire, Order::Relaxed]);
                Stmt::Load { reg, loc, order: if plain { Order::Plain } else { order } }
            }
            _ => {
                let order = self.sc_or(sc, &[Order::Relaxed, Order::Release]);
                Stmt::Store { loc, value, order: if plain { Order::Plain } else { order } }
            }
        };
        self.registers += usize::from(!matches!(stmt, Stmt::Store { .. }));
        body.push(stmt);
    }

    /// `seq_cst` in so many percent of cases, else one of these.
    fn sc_or(&mut self, percent: usize, others: &[Order]) -> Order {
        if self.random.chance(percent) { Order::SeqCst } else { self.random.pick(others) }
    }
}
