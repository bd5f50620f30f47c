//! Condition variables of pthreads, C11 and C++.

use raveler_core::{LockMode, Order, Width};

use super::super::Lowerer;
use super::super::function::{Body, Reported};
use super::Given;
use super::locks::{C11_TIMED_OUT, result_of};
use crate::code::{Inst, Operand};

type Result<T> = std::result::Result<T, Reported>;

/// `ETIMEDOUT`
const TIMED_OUT: u64 = 110;

impl Lowerer<'_> {
    pub(in crate::lower) fn conditions(
        &mut self,
        body: &mut Body<'_>,
        name: &str,
        given: &Given<'_>,
    ) -> Result<bool> {
        match name {
            "pthread_cond_wait" | "cnd_wait" => {
                let lock = self.argument(body, given, 1)?;
                self.wait(body, given, lock, None)?;
            }
            // Its second argument is a `std::unique_lock`, which begins with a pointer to the mutex.
            "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE" => {
                let holder = self.argument(body, given, 1)?;
                let lock = body.fresh(1);
                body.emit(Inst::Load {
                    to: lock,
                    address: holder,
                    width: Width::B8,
                    order: Order::Plain,
                    bits: 64,
                });
                self.wait(body, given, Operand::register(lock), None)?;
            }
            "pthread_cond_timedwait" | "cnd_timedwait" | "pthread_cond_clockwait" => {
                let lock = self.argument(body, given, 1)?;
                let at = if name == "pthread_cond_clockwait" { 3 } else { 2 };
                let deadline = self.argument(body, given, at)?;
                let until = self.deadline(body, deadline);
                let error = if name == "cnd_timedwait" { C11_TIMED_OUT } else { TIMED_OUT };
                self.wait(body, given, lock, Some((until, error)))?;
            }
            "pthread_cond_signal" | "cnd_signal" | "_ZNSt18condition_variable10notify_oneEv" => {
                self.notify(body, given, false)?;
            }
            "pthread_cond_broadcast" | "cnd_broadcast" | "_ZNSt18condition_variable10notify_allEv" => {
                self.notify(body, given, true)?;
            }
            "_ZNSt18condition_variableC1Ev"
            | "_ZNSt18condition_variableC2Ev"
            | "_ZNSt18condition_variableD1Ev"
            | "_ZNSt18condition_variableD2Ev" => {
                self.answer(body, given, 0);
            }
            _ if name.starts_with("pthread_condattr_") => self.answer(body, given, 0),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn notify(&mut self, body: &mut Body<'_>, given: &Given<'_>, all: bool) -> Result<()> {
        let address = self.argument(body, given, 0)?;
        body.emit(Inst::Notify { address, all });
        self.answer(body, given, 0);
        Ok(())
    }

    /// Release the mutex, wait, take it again. With a time until when, being late is as possible as being woken.
    fn wait(
        &mut self,
        body: &mut Body<'_>,
        given: &Given<'_>,
        lock: Operand,
        until: Option<(Operand, u64)>,
    ) -> Result<()> {
        let address = self.argument(body, given, 0)?;
        let kind = self.mutex_kind(body, lock);
        body.emit(Inst::Enlist { address, lock });
        let ignored = body.fresh(1);
        body.emit(Inst::Unlock { to: ignored, address: lock, kind });
        let late = until.map(|(until, error)| {
            let late = body.fresh(1);
            let (no, yes) = (body.constant(0), body.constant(1));
            body.emit(Inst::Choose { to: late, low: no, high: yes });
            let (leave, wait, done) = (body.new_label(), body.new_label(), body.new_label());
            body.emit(Inst::Branch { condition: Operand::register(late), yes: leave, no: wait });
            body.set_label(leave);
            body.emit(Inst::Withdraw { address });
            body.emit(Inst::Elapse { until });
            body.emit(Inst::Jump { target: done });
            body.set_label(wait);
            body.emit(Inst::Await { address, timed: true });
            body.set_label(done);
            (late, error)
        });
        if late.is_none() {
            body.emit(Inst::Await { address, timed: false });
        }
        body.emit(Inst::Lock { to: ignored, address: lock, mode: LockMode::Exclusive, kind });
        match late {
            Some((late, error)) => {
                let (yes, no) = (body.constant(error), body.constant(0));
                let to = result_of(body, given);
                body.emit(Inst::Select { to, condition: Operand::register(late), yes, no });
            }
            None => self.answer(body, given, 0),
        }
        Ok(())
    }
}
