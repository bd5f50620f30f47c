//! Semaphores: a number in memory that is taken from only while it is not 0.

use raveler_core::{Order, Width};

use super::super::function::{Body, Reported};
use super::super::{Lowerer, Symbol};
use super::Given;
use super::locks::result_of;
use crate::code::{Inst, Modify, Object, Operand, Test};

/// As Linux numbers them.
const EAGAIN: u64 = 11;
const ETIMEDOUT: u64 = 110;

type Result<T> = std::result::Result<T, Reported>;

impl Lowerer<'_> {
    pub(in crate::lower) fn semaphores(
        &mut self,
        body: &mut Body<'_>,
        name: &str,
        given: &Given<'_>,
    ) -> Result<bool> {
        match name {
            "sem_init" => {
                let (address, from) = (self.argument(body, given, 0)?, self.argument(body, given, 2)?);
                body.emit(Inst::Initialise { address, object: Object::Memory });
                body.emit(Inst::Store { from, address, width: Width::B4, order: Order::Plain });
            }
            "sem_post" => {
                let (address, operand) = (self.argument(body, given, 0)?, body.constant(1));
                let to = body.fresh(1);
                body.emit(Inst::Meet { address });
                body.emit(modify(Modify::Add, to, address, operand));
            }
            "sem_wait" => {
                let had = self.take_from(body, given)?;
                let (stuck, done) = (body.new_label(), body.new_label());
                body.emit(Inst::Branch { condition: Operand::register(had), yes: done, no: stuck });
                body.set_label(stuck);
                let address = self.argument(body, given, 0)?;
                body.emit(Inst::Stuck { address });
                body.set_label(done);
            }
            "sem_trywait" | "sem_timedwait" | "sem_clockwait" => {
                let had = self.take_from(body, given)?;
                let (none, nothing, failed) =
                    (body.fresh(1), body.constant(0), body.constant(u64::from(u32::MAX)));
                let left = Operand::register(had);
                body.emit(Inst::Test { op: Test::Eq, bits: 32, to: none, left, right: nothing });
                let to = result_of(body, given);
                let condition = Operand::register(none);
                body.emit(Inst::Select { to, condition, yes: failed, no: nothing });
                let (error, done) = (body.new_label(), body.new_label());
                body.emit(Inst::Branch { condition, yes: error, no: done });
                body.set_label(error);
                self.set_errno(body, if name == "sem_trywait" { EAGAIN } else { ETIMEDOUT })?;
                body.set_label(done);
                return Ok(true);
            }
            "sem_getvalue" => {
                let (address, to) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                let value = body.fresh(1);
                let order = Order::Relaxed;
                body.emit(Inst::Meet { address });
                body.emit(Inst::Load { to: value, address, width: Width::B4, order, bits: 32 });
                let from = Operand::register(value);
                body.emit(Inst::Store { from, address: to, width: Width::B4, order: Order::Plain });
            }
            "sem_destroy" => {
                let address = self.argument(body, given, 0)?;
                body.emit(Inst::Destroy { address, object: Object::Memory });
            }
            _ => return Ok(false),
        }
        self.answer(body, given, 0);
        Ok(true)
    }

    /// Say what went wrong, in programs that ask for it.
    fn set_errno(&mut self, body: &mut Body<'_>, number: u64) -> Result<()> {
        const ERRNO: &str = "__errno_location";
        let Some(&index) = self.functions.get(ERRNO) else { return Ok(()) };
        let target = match self.symbol(ERRNO) {
            Some(Symbol::Function(target)) if !self.module.functions[index].blocks.is_empty() => target,
            _ => return self.undefined(body, ERRNO),
        };
        let (to, (first, count)) = (body.fresh(1), body.list(&[]));
        body.emit(Inst::Call { function: target, to, results: 1, first, count });
        let (address, from) = (Operand::register(to), body.constant(number));
        body.emit(Inst::Store { from, address, width: Width::B4, order: Order::Plain });
        Ok(())
    }

    /// Take one, if there is one: the register with what was there.
    fn take_from(&mut self, body: &mut Body<'_>, given: &Given<'_>) -> Result<u16> {
        let (address, operand) = (self.argument(body, given, 0)?, body.constant(1));
        let had = body.fresh(1);
        body.emit(Inst::Meet { address });
        body.emit(modify(Modify::Decrement, had, address, operand));
        Ok(had)
    }
}

fn modify(op: Modify, to: u16, address: Operand, operand: Operand) -> Inst {
    // Whether a semaphore is 0 always plays a role.
    Inst::Modify { op, to, address, operand, width: Width::B4, order: Order::AcqRel, looks: true }
}
