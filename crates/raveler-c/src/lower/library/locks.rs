//! Mutexes, spin locks and reader-writer locks of pthreads and of C11.

use raveler_core::LockMode;

use super::super::Lowerer;
use super::super::function::{Body, Reported};
use super::Given;
use crate::code::{Inst, Operand};

/// `EBUSY`
const BUSY: u64 = 16;

type Result<T> = std::result::Result<T, Reported>;

impl Lowerer<'_> {
    pub(in crate::lower) fn locks(
        &mut self,
        body: &mut Body<'_>,
        name: &str,
        given: &Given<'_>,
    ) -> Result<bool> {
        let lock = |mode| (mode, false);
        let attempt = |mode| (mode, true);
        let (mode, tries) = match name {
            "pthread_mutex_lock" | "mtx_lock" | "pthread_spin_lock" | "pthread_rwlock_wrlock" => {
                lock(LockMode::Exclusive)
            }
            "pthread_rwlock_rdlock" => lock(LockMode::Shared),
            "pthread_mutex_trylock"
            | "mtx_trylock"
            | "pthread_spin_trylock"
            | "pthread_rwlock_trywrlock"
            | "pthread_mutex_timedlock"
            | "mtx_timedlock" => attempt(LockMode::Exclusive),
            "pthread_rwlock_tryrdlock" => attempt(LockMode::Shared),
            "pthread_mutex_unlock" | "mtx_unlock" | "pthread_spin_unlock" | "pthread_rwlock_unlock" => {
                let address = self.argument(body, given, 0)?;
                body.emit(Inst::Unlock { address });
                self.answer(body, given, 0);
                return Ok(true);
            }
            "pthread_mutexattr_settype" => {
                let kind = self.argument(body, given, 1)?;
                let normal = kind.decode().err().is_some_and(|i| body.out.constants[usize::from(i)] == 0);
                if !normal {
                    return self.refuse(body, "recursive and error-checking mutexes are not supported yet");
                }
                self.answer(body, given, 0);
                return Ok(true);
            }
            "pthread_mutex_init"
            | "pthread_mutex_destroy"
            | "mtx_init"
            | "mtx_destroy"
            | "pthread_spin_init"
            | "pthread_spin_destroy"
            | "pthread_rwlock_init"
            | "pthread_rwlock_destroy" => {
                self.answer(body, given, 0);
                return Ok(true);
            }
            _ if name.starts_with("pthread_mutexattr_") || name.starts_with("pthread_rwlockattr_") => {
                self.answer(body, given, 0);
                return Ok(true);
            }
            _ if name.starts_with("pthread_cond_") || name.starts_with("cnd_") => {
                return self.refuse(body, "condition variables are not supported yet");
            }
            _ if name.starts_with("pthread_barrierattr_") => {
                self.answer(body, given, 0);
                return Ok(true);
            }
            _ if name.starts_with("_ZNSt18condition_variable") => {
                return self.refuse(body, "condition variables of C++ are not supported yet");
            }
            "call_once"
            | "pthread_key_create"
            | "pthread_getspecific"
            | "pthread_setspecific"
            | "tss_create"
            | "tss_get"
            | "tss_set" => {
                return self.refuse(body, format!("`{name}` is not supported yet"));
            }
            _ if name.starts_with("__VERIFIER_atomic") => {
                return self
                    .refuse(body, "sections made atomic by `__VERIFIER_atomic` are not supported yet");
            }
            _ => return Ok(false),
        };
        let address = self.argument(body, given, 0)?;
        if !tries {
            body.emit(Inst::Lock { address, mode });
            self.answer(body, given, 0);
            return Ok(true);
        }
        let taken = body.fresh(1);
        body.emit(Inst::TryLock { to: taken, address, mode });
        let busy = if name.starts_with("mtx_") { 1 } else { BUSY };
        let (yes, no) = (body.constant(0), body.constant(busy));
        body.emit(Inst::Select { to: given.to, condition: Operand::register(taken), yes, no });
        Ok(true)
    }
}
