//! Thread-specific data of pthreads and of C11, and what runs when threads and the program end.

use raveler_core::{Order, Width};

use super::super::exits::LEAVE;
use super::super::function::{Body, Reported};
use super::super::{Lowerer, Symbol};
use super::Given;
use crate::code::{Inst, Operand, Scope};

type Result<T> = std::result::Result<T, Reported>;

impl Lowerer<'_> {
    pub(in crate::lower) fn specific(
        &mut self,
        body: &mut Body<'_>,
        name: &str,
        given: &Given<'_>,
    ) -> Result<bool> {
        match name {
            "pthread_key_create" | "tss_create" => {
                let (key, destructor) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                let to = body.fresh(1);
                body.emit(Inst::NewKey { to, destructor });
                let from = Operand::register(to);
                body.emit(Inst::Store { from, address: key, width: Width::B4, order: Order::Plain });
            }
            "pthread_setspecific" | "tss_set" => {
                let (key, value) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                body.emit(Inst::SetSpecific { key, value });
            }
            "pthread_getspecific" | "tss_get" => {
                let key = self.argument(body, given, 0)?;
                body.emit(Inst::Specific { to: given.to, key });
                return Ok(true);
            }
            // The thread's own value goes; those of others stay theirs.
            "pthread_key_delete" | "tss_delete" => {
                let (key, value) = (self.argument(body, given, 0)?, body.constant(0));
                body.emit(Inst::SetSpecific { key, value });
            }
            "atexit" | "at_quick_exit" => {
                let (function, null) = (self.argument(body, given, 0)?, body.constant(0));
                let quick = name == "at_quick_exit";
                if !self.shares_exit(body, function, null, 2 | u64::from(quick))? {
                    let scope = if quick { Scope::Quick } else { Scope::Program };
                    body.emit(Inst::AtEnd { function, argument: None, scope });
                }
            }
            "__cxa_atexit" => {
                let (function, argument) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                if !self.shares_exit(body, function, argument, 0)? {
                    let (argument, scope) = (Some(argument), Scope::Program);
                    body.emit(Inst::AtEnd { function, argument, scope });
                }
            }
            "__cxa_thread_atexit" | "__rv_at_program_end" | "__rv_at_quick_end" => {
                let (function, argument) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                let scope = match name {
                    "__rv_at_program_end" => Scope::Program,
                    "__rv_at_quick_end" => Scope::Quick,
                    _ => Scope::Thread,
                };
                body.emit(Inst::AtEnd { function, argument: Some(argument), scope });
            }
            _ => return Ok(false),
        }
        self.answer(body, given, 0);
        Ok(true)
    }

    /// A function that runs when the process ends goes into the list that threads share, if they do.
    fn shares_exit(
        &mut self,
        body: &mut Body<'_>,
        function: Operand,
        argument: Operand,
        kind: u64,
    ) -> Result<bool> {
        self.exits.given = true;
        self.exits.elsewhere |= !self.is_first();
        if self.exits.known {
            let kind = body.constant(kind);
            self.call_ours(body, "__rv_at_exit", &[function, argument, kind], 1)?;
        }
        Ok(self.exits.known)
    }

    /// A thread is about to end the process: it may be another one than the first.
    pub(in crate::lower) fn leaves(&mut self, body: &mut Body<'_>) -> Result<()> {
        self.exits.elsewhere |= !self.is_first();
        if self.exits.known {
            self.call_ours(body, LEAVE, &[], 0)?;
        }
        Ok(())
    }

    /// Call a function of the C library that is there in C.
    fn call_ours(
        &mut self,
        body: &mut Body<'_>,
        name: &str,
        operands: &[Operand],
        results: u16,
    ) -> Result<()> {
        let Some(Symbol::Function(function)) = self.symbol(name) else { return self.undefined(body, name) };
        let to = body.fresh(usize::from(results));
        let (first, count) = body.list(operands);
        body.emit(Inst::Call { function, to, results, first, count });
        Ok(())
    }
}
