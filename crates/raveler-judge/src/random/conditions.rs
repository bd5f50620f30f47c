//! Threads that wait for condition variables and wake each other, as they should and as they should not.

use super::Generator;
use crate::program::{Cond, REGISTERS, Stmt};

impl Generator<'_> {
    /// A thread that waits for condition variables or wakes others: the first one waits, the second one wakes.
    pub(super) fn waiter(&mut self, conditions: u8, thread: usize, threads: usize) -> Vec<Stmt> {
        self.budget = if threads == 2 { 3 } else { 2 };
        self.registers = 0;
        let mut body = Vec::new();
        let pieces = match threads {
            2 => 1 + self.random.weighted(&[45, 45, 10]),
            3 => 1 + usize::from(self.random.chance(12)),
            _ => 1,
        };
        for piece in 0..pieces {
            let condition = self.random.below(conditions as usize) as u8;
            let waits = match thread {
                0 | 1 if piece == 0 => thread == 0,
                _ => self.random.chance(45),
            };
            if waits {
                self.awaiting(&mut body, condition);
            } else {
                self.notifying(&mut body, condition);
            }
        }
        body
    }

    fn awaiting(&mut self, body: &mut Vec<Stmt>, condition: u8) {
        let lock = self.random.below(self.locks) as u8;
        let other = (self.locks > 1 && self.random.chance(25)).then_some(1 - lock);
        body.extend(other.map(Stmt::Lock));
        body.push(Stmt::Lock(lock));
        let late = if self.random.chance(20) { self.fresh() } else { None };
        let waiting = Stmt::Await { condition, lock, late };
        match self.random.below(3) {
            // As it should be done: look at what is waited for, then wait.
            0 if self.budget > 0 && self.registers < REGISTERS => {
                self.budget -= 1;
                let reg = self.fresh().expect("there is one left");
                body.push(Stmt::Load { reg, loc: self.location(), order: self.load_order() });
                let cond = Cond { reg, equal: true, value: 0 };
                body.push(Stmt::If { cond, then: vec![waiting], otherwise: Vec::new() });
            }
            1 => {
                self.block(body, 1, 0);
                body.push(waiting);
            }
            _ => body.push(waiting),
        }
        if self.random.chance(50) {
            self.block(body, 1, 0);
        }
        body.push(Stmt::Unlock(lock));
        body.extend(other.map(Stmt::Unlock));
    }

    fn notifying(&mut self, body: &mut Vec<Stmt>, condition: u8) {
        let lock = self.random.below(self.locks) as u8;
        let notify = Stmt::Notify { condition, all: self.random.chance(35) };
        let (guarded, inside) = (self.random.chance(70), self.random.chance(60));
        if guarded {
            body.push(Stmt::Lock(lock));
        }
        if self.budget > 0 && self.random.chance(60) {
            self.budget -= 1;
            let store = self.store();
            body.push(store);
        }
        if inside {
            body.push(notify.clone());
        }
        if guarded {
            body.push(Stmt::Unlock(lock));
        }
        if !inside {
            body.push(notify);
        }
    }
}
