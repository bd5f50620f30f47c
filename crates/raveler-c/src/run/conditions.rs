//! Condition variables.
//!
//! A condition variable is a word with one bit per waiting thread. Who waits sets its bit while it still holds the mutex,
//! releases it, and waits until its *bell*, a word of its own, has rung as often as it waited. A signal takes one bit out
//! of the word, any one that is set, and rings that thread's bell; if none is set the signal is lost. All of this is
//! relaxed: what orders the threads is the mutex.
//!
//! So an execution says which signal woke which thread, and which came when nobody waited; nobody wakes without reason,
//! unless the settings say so: then a thread chooses, before it listens to its bell, whether it takes back its bit and goes
//! on. If it only comes round to the same wait it need not be followed (docs/waits.md, "Conditions and signals").
//! Which bit a signal takes is chosen before the word is read; choices that do not fit are dropped.

use raveler_core::{Operation, Order, UpdateOp, ViolationKind, Waiting, Width};

use super::cursor::Pending;
use super::step::{Stop, act, fail};
use super::{CProgram, Cursor, Fact};
use crate::address;

/// A word has no more bits.
const MAX_WAITERS: usize = 64;

impl Cursor {
    /// Begin to wait: from now on signals can choose this thread.
    pub(super) fn enlist(&mut self, program: &CProgram, at: u64, lock: u64) -> Result<(), Stop> {
        self.meet(program, at)?;
        if !self.holds(lock) {
            return fail(
                ViolationKind::LockMisuse,
                "the thread waits for a condition variable, but does not hold the mutex",
            );
        }
        let Some(bit) = program.bit_of(self.thread) else {
            program.learn(Fact::Waiter(self.thread));
            return act(Operation::Restart);
        };
        if bit >= MAX_WAITERS {
            let message = "more than 64 threads wait for condition variables; this is not supported";
            return Err(Stop::unsupported(message));
        }
        if self.waits.enlist((self.function, self.pc), at) {
            // That is seen where it went on waiting.
            return act(Operation::Dropped);
        }
        self.waits.effect();
        self.rare_mut().awaited += 1;
        act(change(program, at, UpdateOp::Or(1 << bit)))
    }

    /// Wait for a signal. Where that is wanted, the thread may also wake up for no reason.
    pub(super) fn await_signal(&mut self, program: &CProgram, at: u64, timed: bool) -> Result<(), Stop> {
        if !program.wakes_spuriously() {
            return self.await_bell(timed);
        }
        self.waits.effect();
        self.pending = Pending::Stirred { at, timed };
        act(Operation::Choose { low: 0, high: 1 })
    }

    /// Wake up for no reason.
    pub(super) fn stir(&mut self, program: &CProgram, at: u64) -> Result<(), Stop> {
        let withdrawn = self.withdraw(program, at);
        self.waits.stir();
        withdrawn
    }

    /// Wait for the bell. Who may also stop waiting at some time is never stuck here.
    pub(super) fn await_bell(&mut self, timed: bool) -> Result<(), Stop> {
        self.waits.effect();
        self.pending = Pending::Bell { timed };
        act(Operation::Read { address: address::bell(self.thread), width: Width::B8, order: Order::Relaxed })
    }

    pub(super) fn bell_heard(&mut self, rung: u64, timed: bool) -> Result<(), Stop> {
        if rung == u64::from(self.rare.awaited) {
            return Ok(());
        }
        act(if timed { Operation::Dropped } else { Operation::Wait(Waiting::Signal) })
    }

    /// Stop waiting without having been woken.
    pub(super) fn withdraw(&mut self, program: &CProgram, at: u64) -> Result<(), Stop> {
        let bit = program.bit_of(self.thread).unwrap_or(0);
        self.waits.effect();
        self.rare_mut().awaited -= 1;
        self.pending = Pending::Withdrawn { bit };
        act(change(program, at, UpdateOp::And(!(1 << bit))))
    }

    /// A signal came first: that is seen where this thread chose to be woken.
    pub(super) fn withdrawn(set: u64, bit: usize) -> Result<(), Stop> {
        if set >> bit & 1 == 0 { act(Operation::Dropped) } else { Ok(()) }
    }

    /// Wake one that waits, or all.
    pub(super) fn notify(&mut self, program: &CProgram, at: u64, all: bool) -> Result<(), Stop> {
        self.meet(program, at)?;
        self.waits.effect();
        if all {
            self.pending = Pending::Woken;
            return act(change(program, at, UpdateOp::TakeAll));
        }
        match program.together(at) {
            0 | 1 => self.take_one(program, at, 0),
            most => {
                self.pending = Pending::Picked { at };
                act(Operation::Choose { low: 0, high: i64::from(most) - 1 })
            }
        }
    }

    pub(super) fn take_one(&mut self, program: &CProgram, at: u64, nth: u64) -> Result<(), Stop> {
        self.pending = Pending::Taken { at, nth };
        act(change(program, at, UpdateOp::TakeNth(nth)))
    }

    /// One of a set was chosen, unless nobody waits. With fewer in it than choices only the choices that fit count.
    pub(super) fn one_taken(&mut self, program: &CProgram, at: u64, nth: u64, set: u64) -> Result<(), Stop> {
        let count = set.count_ones();
        if count > program.together(at).max(1) {
            program.learn(Fact::Together(at, count));
            return act(Operation::Restart);
        }
        if nth > 0 && nth >= u64::from(count) {
            return act(Operation::Dropped);
        }
        let left = UpdateOp::TakeNth(nth).apply(set, Width::B8).unwrap_or(set);
        self.ring(program, set & !left)
    }

    /// Ring the bells of these threads, one after the other.
    pub(super) fn ring(&mut self, program: &CProgram, set: u64) -> Result<(), Stop> {
        if set == 0 {
            return Ok(());
        }
        let Some(thread) = program.waiter(set.trailing_zeros() as usize) else {
            return Err(Stop::unsupported("a condition variable holds what no thread wrote"));
        };
        self.pending = Pending::Ringing { rest: set & (set - 1) };
        act(Operation::Update {
            address: address::bell(thread),
            width: Width::B8,
            order: Order::Relaxed,
            op: UpdateOp::Add(1),
        })
    }
}

fn change(program: &CProgram, at: u64, op: UpdateOp) -> Operation {
    Operation::Update { address: program.word(at), width: Width::B8, order: Order::Relaxed, op }
}
