//! Mutexes, tries, reader-writer locks, condition variables, semaphores.

use super::{DATA, KEPT, Maker, OK};
use crate::programs::ast::{Cond, Expr, Order, Place, Stmt};

impl Maker {
    pub(super) fn section(&mut self) -> Vec<Stmt> {
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

    pub(super) fn tried(&mut self) -> Vec<Stmt> {
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

    pub(super) fn read_lock(&mut self) -> Vec<Stmt> {
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

    pub(super) fn condition(&mut self) -> Vec<Stmt> {
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

    pub(super) fn semaphore(&mut self) -> Vec<Stmt> {
        let inside = self.inside();
        match self.random.below(4) {
            0 => [vec![Stmt::Down(0)], inside, vec![Stmt::Up(0)]].concat(),
            1 => [inside, vec![Stmt::Up(0)]].concat(),
            2 => [vec![Stmt::Down(0)], inside].concat(),
            _ => vec![Stmt::Up(0), Stmt::Down(0)],
        }
    }
}
