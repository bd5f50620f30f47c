//! Mutexes, spin locks and reader-writer locks of pthreads and of C11.
//!
//! The state of a lock is a word of the engine. Only its kind (recursive, error-checking) lies in the program's memory,
//! where initialisers put it; it is looked at in programs that have such mutexes at all.

use raveler_core::{LockMode, Order, Width};

use super::super::Lowerer;
use super::super::function::{Body, Reported};
use super::Given;
use crate::code::{Arith, Inst, Object, Operand};

type Result<T> = std::result::Result<T, Reported>;

/// What a function does with a lock.
#[derive(Clone, Copy)]
enum Use {
    Lock(LockMode),
    Try(LockMode),
    /// Try until a time, which is this argument.
    Timed(LockMode, usize),
    Unlock,
}

/// What functions answer when a lock is not free, or not free in time.
struct Answers {
    busy: u64,
    timed_out: u64,
}

/// `EBUSY`, `ETIMEDOUT`
const PTHREADS: Answers = Answers { busy: 16, timed_out: 110 };
/// `thrd_busy`, `thrd_timedout`
pub(super) const C11_TIMED_OUT: u64 = 4;
const C11: Answers = Answers { busy: 1, timed_out: C11_TIMED_OUT };

/// Where a `pthread_mutex_t` of glibc says of what kind it is.
const KIND_OFFSET: u64 = 16;

fn use_of(name: &str) -> Option<Use> {
    use LockMode::{Exclusive, Shared};
    Some(match name {
        "pthread_mutex_lock"
        | "mtx_lock"
        | "pthread_spin_lock"
        | "pthread_rwlock_wrlock"
        | "__VERIFIER_plock_lock" => Use::Lock(Exclusive),
        "pthread_rwlock_rdlock" => Use::Lock(Shared),
        "pthread_mutex_trylock" | "mtx_trylock" | "pthread_spin_trylock" | "pthread_rwlock_trywrlock" => {
            Use::Try(Exclusive)
        }
        "pthread_rwlock_tryrdlock" => Use::Try(Shared),
        "pthread_mutex_timedlock" | "mtx_timedlock" | "pthread_rwlock_timedwrlock" => {
            Use::Timed(Exclusive, 1)
        }
        "pthread_mutex_clocklock" | "pthread_rwlock_clockwrlock" => Use::Timed(Exclusive, 2),
        "pthread_rwlock_timedrdlock" => Use::Timed(Shared, 1),
        "pthread_rwlock_clockrdlock" => Use::Timed(Shared, 2),
        "pthread_mutex_unlock"
        | "mtx_unlock"
        | "pthread_spin_unlock"
        | "pthread_rwlock_unlock"
        | "__VERIFIER_plock_unlock" => Use::Unlock,
        _ => return None,
    })
}

impl Lowerer<'_> {
    pub(in crate::lower) fn locks(
        &mut self,
        body: &mut Body<'_>,
        name: &str,
        given: &Given<'_>,
    ) -> Result<bool> {
        match use_of(name) {
            Some(usage) => self.lock_use(body, name, usage, given).map(|()| true),
            None => self.lock_care(body, name, given),
        }
    }

    fn lock_use(&mut self, body: &mut Body<'_>, name: &str, usage: Use, given: &Given<'_>) -> Result<()> {
        let address = self.argument(body, given, 0)?;
        // A reader may read again.
        let kind = match usage {
            Use::Lock(LockMode::Shared) | Use::Try(LockMode::Shared) => body.constant(1),
            _ if name.starts_with("pthread_mutex_") || name.starts_with("mtx_") => {
                self.mutex_kind(body, address)
            }
            _ if name.starts_with("pthread_rwlock_unlock") => body.constant(1),
            _ => body.constant(0),
        };
        let answers = if name.starts_with("mtx_") { C11 } else { PTHREADS };
        match usage {
            Use::Lock(mode) => {
                let to = result_of(body, given);
                body.emit(Inst::Lock { to, address, mode, kind });
            }
            Use::Unlock => {
                let to = result_of(body, given);
                body.emit(Inst::Unlock { to, address, kind });
            }
            Use::Try(mode) => {
                self.try_lock(body, given, Inst::TryLock { to: 0, address, mode, kind }, answers.busy)
            }
            Use::Timed(mode, deadline) => {
                let deadline = self.argument(body, given, deadline)?;
                let until = self.deadline(body, deadline);
                let taken = body.fresh(1);
                body.emit(Inst::TryLock { to: taken, address, mode, kind });
                let (late, done) = (body.new_label(), body.new_label());
                body.emit(Inst::Branch { condition: Operand::register(taken), yes: done, no: late });
                body.set_label(late);
                body.emit(Inst::Elapse { until });
                body.set_label(done);
                self.answer_taken(body, given, taken, answers.timed_out);
            }
        }
        Ok(())
    }

    fn try_lock(&mut self, body: &mut Body<'_>, given: &Given<'_>, mut inst: Inst, busy: u64) {
        let taken = body.fresh(1);
        if let Inst::TryLock { to, .. } = &mut inst {
            *to = taken;
        }
        body.emit(inst);
        self.answer_taken(body, given, taken, busy);
    }

    fn answer_taken(&mut self, body: &mut Body<'_>, given: &Given<'_>, taken: u16, error: u64) {
        let (yes, no) = (body.constant(0), body.constant(error));
        let to = result_of(body, given);
        body.emit(Inst::Select { to, condition: Operand::register(taken), yes, no });
    }

    /// What kind of mutex is it?
    pub(super) fn mutex_kind(&mut self, body: &mut Body<'_>, mutex: Operand) -> Operand {
        if !self.kinds.known {
            return body.constant(0);
        }
        let address = self.offset(body, mutex, KIND_OFFSET);
        let to = body.fresh(1);
        body.emit(Inst::Load { to, address, width: Width::B4, order: Order::Plain, bits: 32 });
        Operand::register(to)
    }

    fn set_mutex_kind(&mut self, body: &mut Body<'_>, mutex: Operand, kind: Operand) {
        if self.kinds.known {
            let address = self.offset(body, mutex, KIND_OFFSET);
            body.emit(Inst::Store { from: kind, address, width: Width::B4, order: Order::Plain });
        }
    }

    /// Locks are initialised, destroyed, and given attributes.
    fn lock_care(&mut self, body: &mut Body<'_>, name: &str, given: &Given<'_>) -> Result<bool> {
        match name {
            "pthread_mutex_init" => {
                let mutex = self.argument(body, given, 0)?;
                let attributes = self.argument(body, given, 1)?;
                body.emit(Inst::Initialise { address: mutex, object: Object::Word });
                if self.kinds.known {
                    let kind = body.fresh(1);
                    let nothing = body.constant(0);
                    body.emit(Inst::Move { to: kind, from: nothing });
                    let (look, set) = (body.new_label(), body.new_label());
                    body.emit(Inst::Branch { condition: attributes, yes: look, no: set });
                    body.set_label(look);
                    body.emit(load_kind(kind, attributes));
                    body.set_label(set);
                    self.set_mutex_kind(body, mutex, Operand::register(kind));
                }
            }
            "mtx_init" => {
                let mutex = self.argument(body, given, 0)?;
                let kind = self.argument(body, given, 1)?;
                body.emit(Inst::Initialise { address: mutex, object: Object::Word });
                self.kinds.found |= body.value_of(kind).is_none_or(|kind| kind & 1 != 0);
                let (recursive, one) = (body.fresh(1), body.constant(1));
                body.emit(Inst::Arith { op: Arith::And, bits: 32, to: recursive, left: kind, right: one });
                self.set_mutex_kind(body, mutex, Operand::register(recursive));
            }
            "pthread_mutexattr_init" | "pthread_mutexattr_settype" => {
                let attributes = self.argument(body, given, 0)?;
                let kind = match name {
                    "pthread_mutexattr_init" => body.constant(0),
                    _ => self.argument(body, given, 1)?,
                };
                self.kinds.found |= body.value_of(kind).is_none_or(|kind| kind == 1 || kind == 2);
                if self.kinds.known {
                    let store = Inst::Store {
                        from: kind,
                        address: attributes,
                        width: Width::B4,
                        order: Order::Plain,
                    };
                    body.emit(store);
                }
            }
            "pthread_mutexattr_gettype" => {
                self.kinds.found = true;
                let (attributes, to) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                let kind = body.fresh(1);
                body.emit(load_kind(kind, attributes));
                let from = Operand::register(kind);
                body.emit(Inst::Store { from, address: to, width: Width::B4, order: Order::Plain });
            }
            "pthread_spin_init" | "pthread_rwlock_init" | "pthread_cond_init" | "cnd_init" => {
                let address = self.argument(body, given, 0)?;
                body.emit(Inst::Initialise { address, object: Object::Word });
            }
            "pthread_mutex_destroy"
            | "mtx_destroy"
            | "pthread_spin_destroy"
            | "pthread_rwlock_destroy"
            | "pthread_cond_destroy"
            | "cnd_destroy" => {
                let address = self.argument(body, given, 0)?;
                body.emit(Inst::Destroy { address, object: Object::Word });
            }
            "pthread_mutexattr_setrobust" | "pthread_mutexattr_setprotocol" | "pthread_mutex_consistent" => {
                return self.refuse(body, format!("`{name}` is not supported"));
            }
            _ if name.starts_with("pthread_mutexattr_")
                || name.starts_with("pthread_rwlockattr_")
                || name.starts_with("pthread_barrierattr_") => {}
            _ => return Ok(false),
        }
        self.answer(body, given, 0);
        Ok(true)
    }

    /// The time that a `struct timespec` holds, in nanoseconds.
    pub(super) fn deadline(&mut self, body: &mut Body<'_>, time: Operand) -> Operand {
        let further = self.offset(body, time, 8);
        let load = |to, address| Inst::Load { to, address, width: Width::B8, order: Order::Plain, bits: 64 };
        let (seconds, nanoseconds) = (body.fresh(1), body.fresh(1));
        body.emit(load(seconds, time));
        body.emit(load(nanoseconds, further));
        let scale = body.constant(1_000_000_000);
        let arith = |op, to, left, right| Inst::Arith { op, bits: 64, to, left, right };
        body.emit(arith(Arith::Mul, seconds, Operand::register(seconds), scale));
        let (left, right) = (Operand::register(seconds), Operand::register(nanoseconds));
        body.emit(arith(Arith::Add, seconds, left, right));
        left
    }
}

/// Where a result goes; somewhere if nobody wants it.
pub(super) fn result_of(body: &mut Body<'_>, given: &Given<'_>) -> u16 {
    if *given.result == crate::ir::Type::Void { body.fresh(1) } else { given.to }
}

fn load_kind(to: u16, attributes: Operand) -> Inst {
    Inst::Load { to, address: attributes, width: Width::B4, order: Order::Plain, bits: 32 }
}
