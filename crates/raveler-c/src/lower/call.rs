//! Calls: of functions with a body, of pointers, and of what the libraries provide.

use raveler_core::{LockMode, Order, ViolationKind, Width};

use super::function::{Body, Reported};
use super::{Lowerer, Symbol};
use crate::code::{Arith, Inst, Operand, Place, Reg, Test};
use crate::ir::{Argument, Callee, Constant, Type, Value};

type Result<T> = std::result::Result<T, Reported>;

/// A call of a library function: where its result goes and what it is given.
pub(super) struct Given<'c> {
    pub to: Reg,
    pub result: &'c Type,
    pub arguments: &'c [Argument],
}

/// `EBUSY`
const BUSY: u64 = 16;

impl Lowerer<'_> {
    /// A call whose result goes to the registers from `to` on.
    pub(super) fn call(
        &mut self,
        body: &mut Body<'_>,
        callee: &Callee,
        result: &Type,
        to: Reg,
        arguments: &[Argument],
        fixed: Option<usize>,
    ) -> Result<()> {
        match callee {
            Callee::Assembly(template, constraints) => {
                self.assembly(body, template)?;
                self.assembly_results(body, constraints, &Given { to, result, arguments })
            }
            Callee::Pointer(value) => {
                let pointer = self.operand(body, &Type::Pointer, value)?;
                let (first, count) = self.arguments(body, arguments, fixed)?;
                body.emit(Inst::CallPointer { pointer, to, first, count });
                Ok(())
            }
            Callee::Function(name) => {
                let given = Given { to, result, arguments };
                let has_body = self
                    .functions
                    .get(name.as_str())
                    .is_some_and(|&f| !self.module.functions[f].blocks.is_empty());
                let special = name.starts_with("__VERIFIER_") || name.starts_with("rv_");
                if (!has_body || special) && self.library(body, name, &given)? {
                    return Ok(());
                }
                let target = match self.symbol(name) {
                    Some(Symbol::Function(number))
                        if has_body || self.aliases.contains_key(name.as_str()) =>
                    {
                        number
                    }
                    _ => return self.undefined(body, name),
                };
                // A function declared without parameters may have some all the same.
                let variadic =
                    self.functions.get(name.as_str()).is_some_and(|&f| self.module.functions[f].variadic);
                let (first, count) = self.arguments(body, arguments, fixed.filter(|_| variadic))?;
                body.emit(Inst::Call { function: target, to, first, count });
                Ok(())
            }
        }
    }

    /// Nothing is known of this function or variable.
    pub(super) fn undefined<T>(&mut self, body: &Body<'_>, name: &str) -> Result<T> {
        let help = "give a definition of it, or leave the call out with #ifndef RAVELER";
        let known = self.problems.len();
        self.problem(
            body.location,
            format!("`{name}` is not defined, and raveler does not provide it"),
            Some(help.into()),
        );
        if let Some(problem) = self.problems.get_mut(known) {
            problem.missing = Some(name.to_string());
        }
        Err(Reported)
    }

    fn assembly(&mut self, body: &mut Body<'_>, template: &str) -> Result<()> {
        match template.trim().trim_end_matches(';') {
            "" | "pause" | "rep; nop" | "nop" | "yield" | "isb" => Ok(()),
            "mfence" | "sync" | "dmb sy" | "dmb ish" => {
                body.emit(Inst::Fence { order: Order::SeqCst });
                Ok(())
            }
            "lwsync" => {
                body.emit(Inst::Fence { order: Order::AcqRel });
                Ok(())
            }
            other => self.refuse(body, format!("inline assembly is not supported: `{}`", other.trim())),
        }
    }

    /// Assembly that does nothing gives back what it was given.
    fn assembly_results(&mut self, body: &mut Body<'_>, constraints: &str, given: &Given<'_>) -> Result<()> {
        let count = self.scalars(body, given.result)?.len();
        let parts = constraints.split(',').filter(|part| !part.starts_with('~'));
        let inputs: Vec<&str> =
            parts.filter(|part| !part.starts_with('=') || part.starts_with("=*")).collect();
        for output in 0..count {
            let tied = inputs.iter().position(|input| input.parse() == Ok(output));
            let Some(input) = tied else {
                return self.refuse(body, "inline assembly with results is not supported");
            };
            let from = self.argument(body, given, input)?;
            body.emit(Inst::Move { to: given.to + output as u16, from });
        }
        Ok(())
    }

    /// The operands of a call; what is passed by value is copied first. Those behind the `fixed` ones are words.
    fn arguments(
        &mut self,
        body: &mut Body<'_>,
        arguments: &[Argument],
        fixed: Option<usize>,
    ) -> Result<(u16, u16)> {
        let mut operands = Vec::new();
        let named = fixed.map_or(arguments.len(), |fixed| fixed.min(arguments.len()));
        for argument in &arguments[..named] {
            let all = self.operands(body, &argument.operand.ty, &argument.operand.value)?;
            match &argument.by_value {
                Some(ty) => {
                    let Some(size) = self.layout.size(ty) else {
                        return self.refuse(body, "an argument has a type without a size");
                    };
                    let place = Place { name: "argument".into(), cells: self.layout.cells(ty), stack: true };
                    let Some(place) = self.place(place) else { return Err(Reported) };
                    let size = body.constant(size);
                    let copy = body.fresh(1);
                    body.emit(Inst::Alloca { to: copy, size, place });
                    body.emit(Inst::Copy { to: Operand::register(copy), from: all[0], size });
                    operands.push(Operand::register(copy));
                }
                None => operands.extend(all),
            }
        }
        operands.extend(self.further(body, &arguments[named..])?);
        Ok(body.list(&operands))
    }

    /// The string that a pointer constant points to.
    fn string(&self, value: &Value) -> Option<String> {
        let Value::Constant(constant) = value else { return None };
        let mut constant = constant;
        loop {
            match constant {
                Constant::Element { base, .. } => constant = &base.1,
                Constant::Cast(_, inner, _) => constant = &inner.1,
                _ => break,
            }
        }
        let Constant::Global(name) = constant else { return None };
        let global = &self.module.globals[*self.globals.get(name.as_str())?];
        match &global.initial {
            Some(Constant::Bytes(bytes)) => {
                let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
                Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
            }
            _ => None,
        }
    }

    /// A function of a library. False if it is none that raveler knows.
    fn library(&mut self, body: &mut Body<'_>, name: &str, given: &Given<'_>) -> Result<bool> {
        if let Some(intrinsic) = name.strip_prefix("llvm.") {
            return self.intrinsic(body, intrinsic, given).map(|()| true);
        }
        Ok(self.cpp(body, name, given)?
            || self.output(body, name, given)?
            || self.math(body, name, given)?
            || self.threads(body, name, given)?
            || self.locks(body, name, given)?
            || self.memory(body, name, given)?
            || self.checker(body, name, given)?
            || self.without_effect(body, name, given))
    }

    pub(super) fn argument(
        &mut self,
        body: &mut Body<'_>,
        given: &Given<'_>,
        index: usize,
    ) -> Result<Operand> {
        match given.arguments.get(index) {
            Some(argument) => self.operand(body, &argument.operand.ty, &argument.operand.value),
            None => self.refuse(body, "a library function is called with too few arguments"),
        }
    }

    pub(super) fn answer(&mut self, body: &mut Body<'_>, given: &Given<'_>, value: u64) {
        if *given.result != Type::Void {
            let from = body.constant(value);
            body.emit(Inst::Move { to: given.to, from });
        }
    }

    fn threads(&mut self, body: &mut Body<'_>, name: &str, given: &Given<'_>) -> Result<bool> {
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
                body.emit(Inst::Exit { result });
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                let result = self.argument(body, given, 0)?;
                body.emit(Inst::Exit { result });
            }
            "pthread_self" | "thrd_current" => body.emit(Inst::Self_ { to: given.to }),
            "pthread_equal" | "thrd_equal" => {
                let left = self.argument(body, given, 0)?;
                let right = self.argument(body, given, 1)?;
                body.emit(Inst::Test { op: Test::Eq, bits: 64, to: given.to, left, right });
            }
            "pthread_detach" | "thrd_detach" | "pthread_setconcurrency" => self.answer(body, given, 0),
            _ if name.starts_with("pthread_attr_") => self.answer(body, given, 0),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn locks(&mut self, body: &mut Body<'_>, name: &str, given: &Given<'_>) -> Result<bool> {
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

    pub(super) fn heap(&mut self, name: &str) -> Result<u16> {
        let place = Place { name: name.into(), cells: crate::code::Cells::default(), stack: false };
        self.place(place).ok_or(Reported)
    }

    fn memory(&mut self, body: &mut Body<'_>, name: &str, given: &Given<'_>) -> Result<bool> {
        match name {
            "malloc" | "_Znwm" | "_Znam" | "valloc" => {
                let size = self.argument(body, given, 0)?;
                let place = self.heap("malloc")?;
                body.emit(Inst::Allocate { to: given.to, size, place, zeroed: false });
            }
            "aligned_alloc" | "memalign" => {
                let size = self.argument(body, given, 1)?;
                let place = self.heap("aligned_alloc")?;
                body.emit(Inst::Allocate { to: given.to, size, place, zeroed: false });
            }
            "_ZnwmSt11align_val_t" => {
                let size = self.argument(body, given, 0)?;
                let place = self.heap("new")?;
                body.emit(Inst::Allocate { to: given.to, size, place, zeroed: false });
            }
            "posix_memalign" => {
                let target = self.argument(body, given, 0)?;
                let size = self.argument(body, given, 2)?;
                let place = self.heap("posix_memalign")?;
                let to = body.fresh(1);
                body.emit(Inst::Allocate { to, size, place, zeroed: false });
                let from = Operand::register(to);
                body.emit(Inst::Store { from, address: target, width: Width::B8, order: Order::Plain });
                self.answer(body, given, 0);
            }
            "calloc" => {
                let left = self.argument(body, given, 0)?;
                let right = self.argument(body, given, 1)?;
                let size = body.fresh(1);
                body.emit(Inst::Arith { op: Arith::Mul, bits: 64, to: size, left, right });
                let place = self.heap("calloc")?;
                body.emit(Inst::Allocate {
                    to: given.to,
                    size: Operand::register(size),
                    place,
                    zeroed: true,
                });
            }
            "free"
            | "_ZdlPv"
            | "_ZdlPvm"
            | "_ZdaPv"
            | "_ZdaPvm"
            | "_ZdlPvSt11align_val_t"
            | "_ZdlPvmSt11align_val_t" => {
                let address = self.argument(body, given, 0)?;
                body.emit(Inst::Free { address });
            }
            "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => {
                let to = self.argument(body, given, 0)?;
                let from = self.argument(body, given, 1)?;
                let size = self.argument(body, given, 2)?;
                body.emit(Inst::Copy { to, from, size });
                body.emit(Inst::Move { to: given.to, from: to });
            }
            "memset" | "__memset_chk" => {
                let to = self.argument(body, given, 0)?;
                let byte = self.argument(body, given, 1)?;
                let size = self.argument(body, given, 2)?;
                body.emit(Inst::Fill { to, byte, size });
                body.emit(Inst::Move { to: given.to, from: to });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// What programs say to checkers.
    fn checker(&mut self, body: &mut Body<'_>, name: &str, given: &Given<'_>) -> Result<bool> {
        match name {
            "__VERIFIER_assume" | "rv_assume" | "__CPROVER_assume" | "assume_abort_if_not" => {
                let condition = self.argument(body, given, 0)?;
                body.emit(Inst::Assume { condition });
            }
            "__VERIFIER_assert" | "MODEL_ASSERT" | "model_assert" | "rv_assert" => {
                let condition = self.argument(body, given, 0)?;
                let text = given.arguments.get(1).and_then(|a| self.string(&a.operand.value));
                let text = text.unwrap_or_else(|| "the assertion is false".into());
                let message = self.message(&text);
                let (bad, good) = (body.new_label(), body.new_label());
                body.emit(Inst::Branch { condition, yes: good, no: bad });
                body.set_label(bad);
                body.emit(Inst::Fail { kind: ViolationKind::Assertion, message });
                body.set_label(good);
            }
            "__assert_fail" | "__assert_rtn" | "__assert" => {
                let at = if name == "__assert_rtn" { 3 } else { 0 };
                let text =
                    given.arguments.get(at).and_then(|a| self.string(&a.operand.value)).unwrap_or_default();
                let message = self.message(&text);
                body.emit(Inst::Fail { kind: ViolationKind::Assertion, message });
            }
            _ if name.starts_with("__ubsan_handle_") => {
                let what =
                    name.trim_start_matches("__ubsan_handle_").trim_end_matches("_abort").replace('_', " ");
                let message = self.message(&format!("undefined behaviour: {what}"));
                body.emit(Inst::Fail { kind: ViolationKind::Arithmetic, message });
            }
            "reach_error" | "__VERIFIER_error" => {
                let message = self.message(&format!("`{name}` is reached"));
                body.emit(Inst::Fail { kind: ViolationKind::Assertion, message });
            }
            "abort" | "_ZSt9terminatev" | "__cxa_pure_virtual" => {
                let message = self.message(&format!("`{name}` is called"));
                body.emit(Inst::Fail { kind: ViolationKind::Other, message });
            }
            "rv_choose" => {
                let low = self.argument(body, given, 0)?;
                let high = self.argument(body, given, 1)?;
                body.emit(Inst::Choose { to: given.to, low, high });
            }
            "rv_observe" => {
                let Some(name) = given.arguments.first().and_then(|a| self.string(&a.operand.value)) else {
                    return self.refuse(body, "the first argument of `rv_observe` must be a string literal");
                };
                let name = self.observed(&name);
                let value = self.argument(body, given, 1)?;
                body.emit(Inst::Observe { name, value });
            }
            _ if name.starts_with("__VERIFIER_nondet_") => self.nondet(body, name, given)?,
            "__VERIFIER_spin_start"
            | "__VERIFIER_spin_end"
            | "__VERIFIER_loop_bound"
            | "__VERIFIER_loop_begin" => {}
            "rand" | "random" => self.answer(body, given, 4),
            "srand" | "srandom" => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn nondet(&mut self, body: &mut Body<'_>, name: &str, given: &Given<'_>) -> Result<()> {
        let bits = self.scalar(body, given.result)?;
        let (low, high) = match (name, self.options.nondet) {
            ("__VERIFIER_nondet_bool" | "__VERIFIER_nondet__Bool", _) => (0, 1),
            (_, Some(range)) => range,
            (_, None) => {
                let help = "say which values to try, for instance --nondet 0..3";
                let message = format!("`{name}` needs a range of values");
                self.problem(body.location, message, Some(help.into()));
                return Err(Reported);
            }
        };
        let (low, high) = (body.constant(low as u64), body.constant(high as u64));
        let to = body.fresh(1);
        body.emit(Inst::Choose { to, low, high });
        body.emit(Inst::Truncate { bits: bits as u8, to: given.to, from: Operand::register(to) });
        Ok(())
    }

    /// Functions that do nothing that matters here.
    fn without_effect(&mut self, body: &mut Body<'_>, name: &str, given: &Given<'_>) -> bool {
        const NONE: [&str; 21] = [
            "perror",
            "fflush",
            "setbuf",
            "setvbuf",
            "sched_yield",
            "thrd_yield",
            "pthread_yield",
            "usleep",
            "sleep",
            "nanosleep",
            "thrd_sleep",
            "getenv",
            "time",
            "clock",
            "__cxa_atexit",
            "pthread_setname_np",
            "pthread_setaffinity_np",
            "_ZNSt6thread6_StateD2Ev",
            "srand48",
            "setlocale",
            "__cxa_guard_abort",
        ];
        let known = NONE.contains(&name);
        if known {
            self.answer(body, given, 0);
        }
        known
    }
}
