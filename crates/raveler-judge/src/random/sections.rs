//! Threads with critical sections.

use super::{Generator, Profile};
use crate::program::{Cond, REGISTERS, Stmt};

impl Generator<'_> {
    /// A thread that takes and releases locks in any order between its other statements.
    pub(super) fn guarded(&mut self, total: usize, threads: usize) -> Vec<Stmt> {
        self.budget = (total / threads + self.random.below(3)).clamp(1, 5);
        self.registers = 0;
        let mut body = Vec::new();
        let mut held: Vec<u8> = Vec::new();
        while self.budget > 0 && body.len() < 9 {
            let free: Vec<u8> = (0..self.locks as u8).filter(|lock| !held.contains(lock)).collect();
            match self.random.below(10) {
                0..=1
                    if self.profile == Profile::TriedReadLocks
                        && !free.is_empty()
                        && self.registers < REGISTERS =>
                {
                    let lock = self.random.pick(&free);
                    self.attempt(&mut body, lock);
                }
                0..=3 if !free.is_empty() && (held.is_empty() || self.random.chance(40)) => {
                    let lock = self.random.pick(&free);
                    held.push(lock);
                    let readers = match self.profile {
                        Profile::ReadLocks | Profile::TriedReadLocks => 50,
                        Profile::Assertions => 20,
                        _ => 0,
                    };
                    let shared = readers > 0 && self.random.chance(readers);
                    body.push(if shared { Stmt::ReadLock(lock) } else { Stmt::Lock(lock) });
                }
                4..=5 if !held.is_empty() => {
                    let at = self.random.below(held.len());
                    body.push(Stmt::Unlock(held.remove(at)));
                }
                _ => self.block(&mut body, 1, 1),
            }
        }
        for lock in held {
            // A lock that is never released, now and then.
            if self.random.chance(92) {
                body.push(Stmt::Unlock(lock));
            }
        }
        body
    }

    /// A thread with sections inside which it takes other locks if it has read this or that.
    pub(super) fn detouring(&mut self, total: usize, threads: usize) -> Vec<Stmt> {
        self.budget = (total / threads + self.random.below(3)).clamp(2, 5);
        self.registers = 0;
        let mut body = Vec::new();
        while self.budget > 0 && body.len() < 8 {
            if self.random.chance(25) {
                self.block(&mut body, 1, 0);
                continue;
            }
            let outer = self.random.below(self.locks) as u8;
            body.push(Stmt::Lock(outer));
            let inside = self.random.between(1, 2);
            self.block(&mut body, inside, 0);
            if self.random.chance(70) {
                let inner = (outer + self.random.between(1, self.locks - 1) as u8) % self.locks as u8;
                self.detour(&mut body, inner);
            }
            if self.random.chance(30) {
                self.block(&mut body, 1, 0);
            }
            // A lock that is never released, now and then.
            if self.random.chance(96) {
                body.push(Stmt::Unlock(outer));
            }
        }
        body
    }

    fn detour(&mut self, body: &mut Vec<Stmt>, lock: u8) {
        let mut then = vec![Stmt::Lock(lock)];
        if self.random.chance(50) {
            self.block(&mut then, 1, 0);
        }
        then.push(Stmt::Unlock(lock));
        if self.registers == 0 || self.random.chance(20) {
            body.append(&mut then);
            return;
        }
        let mut otherwise = Vec::new();
        if self.random.chance(20) {
            self.block(&mut otherwise, 1, 0);
        }
        body.push(Stmt::If { cond: self.condition(), then, otherwise });
    }

    /// A section that is entered only if its lock is free.
    pub(super) fn attempt(&mut self, body: &mut Vec<Stmt>, lock: u8) {
        let Some(reg) = self.fresh() else { return };
        body.push(Stmt::TryLock { reg, lock, shared: self.random.chance(50) });
        let mut then = Vec::new();
        self.block(&mut then, 1, 0);
        if self.random.chance(95) {
            then.push(Stmt::Unlock(lock));
        }
        let mut otherwise = Vec::new();
        if self.random.chance(40) {
            self.block(&mut otherwise, 1, 0);
        }
        body.push(Stmt::If { cond: Cond { reg, equal: true, value: 1 }, then, otherwise });
    }

    /// A critical section, which may hold another one.
    pub(super) fn section(&mut self, body: &mut Vec<Stmt>, locks: usize) {
        let lock = self.random.below(locks) as u8;
        let inner = self.random.between(1, 2);
        if self.profile == Profile::TryLocks
            && self.random.chance(50)
            && let Some(reg) = self.fresh()
        {
            body.push(Stmt::TryLock { reg, lock, shared: false });
            let mut then = Vec::new();
            self.block(&mut then, inner, 0);
            then.push(Stmt::Unlock(lock));
            let mut otherwise = Vec::new();
            if self.random.chance(30) {
                self.block(&mut otherwise, 1, 0);
            }
            body.push(Stmt::If { cond: Cond { reg, equal: true, value: 1 }, then, otherwise });
            return;
        }
        body.push(Stmt::Lock(lock));
        self.block(body, inner - 1, 0);
        let nested = self.locks > 1 && self.random.chance(40);
        if nested {
            let other = 1 - lock;
            body.push(Stmt::Lock(other));
            self.block(body, 1, 0);
            body.push(Stmt::Unlock(if self.random.chance(80) { other } else { lock }));
            let last = body.last().cloned();
            self.block(body, 1, 0);
            body.push(Stmt::Unlock(if last == Some(Stmt::Unlock(lock)) { other } else { lock }));
            return;
        }
        self.block(body, 1, 0);
        // A lock that is never released, now and then.
        if self.random.chance(96) {
            body.push(Stmt::Unlock(lock));
        }
    }
}
