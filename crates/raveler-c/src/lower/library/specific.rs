//! Thread-specific data of pthreads and of C11, and what runs when threads and the program end.

use raveler_core::{Order, Width};

use super::super::Lowerer;
use super::super::function::{Body, Reported};
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
                let function = self.argument(body, given, 0)?;
                let scope = if name == "atexit" { Scope::Program } else { Scope::Quick };
                body.emit(Inst::AtEnd { function, argument: None, scope });
            }
            "__cxa_atexit" | "__cxa_thread_atexit" => {
                let (function, argument) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                let scope = if name == "__cxa_atexit" { Scope::Program } else { Scope::Thread };
                body.emit(Inst::AtEnd { function, argument: Some(argument), scope });
            }
            _ => return Ok(false),
        }
        self.answer(body, given, 0);
        Ok(true)
    }
}
