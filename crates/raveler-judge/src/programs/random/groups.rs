//! Threads that meet at barriers, and threads that nothing tells apart: what reductions are about.

use super::{KEPT, Maker, SECOND};
use crate::programs::ast::{Cond, Expr, Program, Stmt, Update};

impl Maker {
    pub(super) fn arrive(&mut self) -> Stmt {
        match self.random.chance(25) {
            true => Stmt::ArriveAnd { to: self.random.pick(&[KEPT, SECOND]), barrier: 0 },
            false => Stmt::Arrive(0),
        }
    }

    /// All threads come to the barrier, as often as each other for the most part: some work before, between and after.
    pub(super) fn meetings(&mut self, program: &mut Program) {
        let rounds = self.random.between(1, 2);
        let count = program.threads.len();
        for thread in 0..count {
            let mut list = Vec::new();
            for _ in 0..rounds + usize::from(self.random.chance(4)) {
                list.extend(self.work(count));
                list.push(self.arrive());
            }
            list.extend(self.work(count));
            if self.random.chance(10) {
                list.push(self.check());
            }
            list.extend([Stmt::Observe(KEPT), Stmt::Observe(SECOND)]);
            program.threads[thread] = list;
        }
        let more = i32::from(self.random.chance(10)) - i32::from(self.random.chance(8));
        program.barriers = vec![(count as i32 + more).max(1) as u8];
        if self.random.chance(10) {
            // The first thread is one of them.
            program.barriers[0] += 1;
            for _ in 0..rounds {
                let arrive = self.arrive();
                program.main.middle.push(arrive);
            }
        }
    }

    /// Threads that nothing tells apart, for the most part, and that begin with an update; and perhaps one more.
    pub(super) fn twins(&mut self, program: &mut Program) {
        let count = program.threads.len();
        let mut list = Vec::new();
        if !self.random.chance(8) {
            let place = self.atom();
            let update = self.random.pick(&[Update::Add, Update::Add, Update::Exchange, Update::Or]);
            let operand = Expr::Const(self.value());
            list.push(self.rmw(KEPT, place, update, operand));
        }
        list.extend(match self.random.below(4) {
            0 => self.idiom(),
            1 => {
                let then = self.accesses(1);
                vec![Stmt::If(Cond::Is(KEPT, self.random.below(3) as i8), then, vec![])]
            }
            _ => vec![],
        });
        list.extend(self.work(count));
        if self.random.chance(25) {
            let check = self.check();
            list.push(check);
        }
        let others = usize::from(count > 2 && self.random.chance(50));
        let other = self.random.below(count);
        for thread in 0..count {
            if others == 0 || thread != other {
                program.threads[thread] = list.clone();
            } else {
                let count = self.random.between(1, 2);
                program.threads[thread] = self.accesses(count);
            }
        }
        program.barriers = vec![count as u8];
    }

    fn work(&mut self, threads: usize) -> Vec<Stmt> {
        let most = if threads < 3 { 2 } else { 1 };
        match self.random.below(8) {
            0 => self.section(),
            1 if threads < 3 => self.spin(),
            2..=3 => vec![],
            _ => {
                let count = self.random.between(1, most);
                self.accesses(count)
            }
        }
    }
}
