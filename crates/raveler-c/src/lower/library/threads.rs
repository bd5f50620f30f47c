//! Threads of pthreads and of C11.

use raveler_core::{Order, Width};

use super::super::Lowerer;
use super::super::function::{Body, Reported};
use super::Given;
use crate::code::{Ending, Inst, Operand, Test};

type Result<T> = std::result::Result<T, Reported>;

impl Lowerer<'_> {
    pub(in crate::lower) fn threads(
        &mut self,
        body: &mut Body<'_>,
        name: &str,
        given: &Given<'_>,
    ) -> Result<bool> {
        match name {
            "pthread_create" | "thrd_create" => {
                let at = if name == "pthread_create" { 2 } else { 1 };
                let handle = self.argument(body, given, 0)?;
                let function = self.argument(body, given, at)?;
                let argument = self.argument(body, given, at + 1)?;
                let thread = body.fresh(1);
                body.emit(Inst::Spawn { to: thread, function, argument });
                let from = Operand::register(thread);
                body.emit(Inst::Store { from, address: handle, width: Width::B8, order: Order::Plain });
                self.answer(body, given, 0);
            }
            "pthread_join" | "thrd_join" => {
                let thread = self.argument(body, given, 0)?;
                let target = self.argument(body, given, 1)?;
                let to = body.fresh(1);
                body.emit(Inst::Join { to, thread });
                let null =
                    target.decode().err().is_some_and(|index| body.out.constants[usize::from(index)] == 0);
                if !null {
                    self.code.wants_results = true;
                    let (store, done) = (body.new_label(), body.new_label());
                    body.emit(Inst::Branch { condition: target, yes: store, no: done });
                    body.set_label(store);
                    let width = if name == "pthread_join" { Width::B8 } else { Width::B4 };
                    let from = Operand::register(to);
                    body.emit(Inst::Store { from, address: target, width, order: Order::Plain });
                    body.set_label(done);
                }
                self.answer(body, given, 0);
            }
            "pthread_exit" | "thrd_exit" => {
                let result = self.argument(body, given, 0)?;
                body.emit(Inst::Exit { result, ending: Ending::Thread });
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                let result = body.constant(0);
                let ending = match name {
                    "exit" => Ending::Program,
                    "quick_exit" => Ending::Quick,
                    _ => Ending::AtOnce,
                };
                if ending != Ending::AtOnce {
                    self.leaves(body)?;
                }
                body.emit(Inst::Exit { result, ending });
            }
            "pthread_self" | "thrd_current" => body.emit(Inst::Self_ { to: given.to }),
            "pthread_equal" | "thrd_equal" => {
                let left = self.argument(body, given, 0)?;
                let right = self.argument(body, given, 1)?;
                body.emit(Inst::Test { op: Test::Eq, bits: 64, to: given.to, left, right });
            }
            "pthread_detach" | "thrd_detach" => {
                let thread = self.argument(body, given, 0)?;
                body.emit(Inst::Detach { thread });
                self.answer(body, given, 0);
            }
            "pthread_cancel" => {
                return self.refuse(
                    body,
                    "`pthread_cancel`: threads that are cancelled are not supported; let the thread end by itself",
                );
            }
            // No thread is ever cancelled.
            "pthread_setcancelstate" | "pthread_setcanceltype" => {
                let (old, null) = (self.argument(body, given, 1)?, body.constant(0));
                let (store, done) = (body.new_label(), body.new_label());
                body.emit(Inst::Branch { condition: old, yes: store, no: done });
                body.set_label(store);
                body.emit(Inst::Store { from: null, address: old, width: Width::B4, order: Order::Plain });
                body.set_label(done);
                self.answer(body, given, 0);
            }
            "pthread_testcancel" => {}
            "pthread_setconcurrency" => self.answer(body, given, 0),
            _ if name.starts_with("pthread_attr_") => self.answer(body, given, 0),
            _ => return Ok(false),
        }
        Ok(true)
    }
}
