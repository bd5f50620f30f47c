//! What the C++ library leaves to its binary part: threads.
//!
//! A `std::thread` is one number, the thread's name. It is started with a state object whose virtual functions are its
//! two destructors and, third, what the thread runs.

use raveler_core::{LockMode, Order, SiteId, ViolationKind, Width};

use super::super::function::{Body, Reported};
use super::super::{Lowerer, Symbol};
use super::Given;
use crate::address;
use crate::code::{Function, Inst, Operand, Pad};
use crate::demangle;

type Result<T> = std::result::Result<T, Reported>;

/// Classes of the C++ library's exceptions that raveler does not provide, or only where it compiles the program itself. A
/// program that makes one is refused when it comes to that.
const EXCEPTIONS: [&str; 27] = [
    "iostream_category",
    "out_of_range",
    "length_error",
    "logic_error",
    "domain_error",
    "invalid_argument",
    "runtime_error",
    "range_error",
    "overflow_error",
    "underflow_error",
    "system_error",
    "future_error",
    "bad_array_new_length",
    "bad_alloc",
    "bad_function_call",
    "bad_optional_access",
    "bad_variant_access",
    "bad_any_cast",
    "bad_weak_ptr",
    "bad_cast",
    "bad_typeid",
    "bad_exception",
    "9exception",
    "ios_base7failure",
    "filesystem_error",
    "regex_error",
    "format_error",
];

impl Lowerer<'_> {
    /// A function of the C++ library. False if it is none that raveler knows.
    pub(in crate::lower) fn cpp(
        &mut self,
        body: &mut Body<'_>,
        name: &str,
        given: &Given<'_>,
    ) -> Result<bool> {
        if name.starts_with("_ZNSt6thread15_M_start_threadE") {
            let thread = self.argument(body, given, 0)?;
            let holder = self.argument(body, given, 1)?;
            let (state, started) = (body.fresh(1), body.fresh(1));
            let plain = |from, address| Inst::Store { from, address, width: Width::B8, order: Order::Plain };
            body.emit(load(state, holder));
            let nothing = body.constant(0);
            body.emit(plain(nothing, holder));
            let runner = address::function(self.thread_runner());
            let function = body.constant(runner);
            body.emit(Inst::Spawn { to: started, function, argument: Operand::register(state) });
            body.emit(plain(Operand::register(started), thread));
            return Ok(true);
        }
        if name.starts_with("_ZSt4lockI") {
            return self.lock_all(body, name, given);
        }
        match name {
            "_ZSt18uncaught_exceptionv" | "_ZSt19uncaught_exceptionsv" => self.answer(body, given, 0),
            "_ZNSt6thread4joinEv" | "_ZNSt6thread6detachEv" => {
                let thread = self.argument(body, given, 0)?;
                let (number, result) = (body.fresh(1), body.fresh(1));
                body.emit(load(number, thread));
                let (good, bad) = (body.new_label(), body.new_label());
                body.emit(Inst::Branch { condition: Operand::register(number), yes: good, no: bad });
                body.set_label(bad);
                let message = self.message("a std::thread is joined or detached that is not joinable");
                body.emit(Inst::Fail { kind: ViolationKind::Other, message });
                body.set_label(good);
                if name == "_ZNSt6thread4joinEv" {
                    body.emit(Inst::Join { to: result, thread: Operand::register(number) });
                }
                let nobody = body.constant(0);
                body.emit(Inst::Store {
                    from: nobody,
                    address: thread,
                    width: Width::B8,
                    order: Order::Plain,
                });
            }
            "_ZNSt6thread20hardware_concurrencyEv" => self.answer(body, given, 2),
            "__rv_raise" => {
                let (exception, ty) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                body.emit(Inst::Raise { exception, ty });
            }
            "__rv_caught_as" => {
                let (exception, done) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                body.emit(Inst::CaughtAs { to: given.to, exception, done });
            }
            "__rv_type_kind" => {
                let ty = self.argument(body, given, 0)?;
                body.emit(Inst::TypeKind { to: given.to, ty });
            }
            "__rv_wrong" => {
                let text = given.arguments.first().and_then(|a| self.string(&a.operand.value));
                let message = self.message(&text.unwrap_or_default());
                body.emit(Inst::Fail { kind: ViolationKind::Other, message });
            }
            "__clang_call_terminate" => {
                let exception = self.argument(body, given, 0)?;
                body.emit(Inst::Terminate { exception });
            }
            // Where the program was compiled elsewhere there is nothing that makes and catches exceptions.
            "__cxa_throw"
            | "__cxa_rethrow"
            | "__cxa_begin_catch"
            | "__cxa_end_catch"
            | "__cxa_get_exception_ptr"
            | "__cxa_bad_cast"
            | "__cxa_bad_typeid"
            | "__cxa_call_unexpected" => {
                let message = self.message(
                    "an exception is thrown in a program that is given as IR: give raveler its C++ source",
                );
                body.emit(Inst::Refuse { message });
            }
            "__cxa_allocate_exception" => {
                let size = self.argument(body, given, 0)?;
                let place = self.heap("an exception")?;
                let align = body.constant(super::memory::MALLOC);
                body.emit(Inst::Allocate { to: given.to, size, align, place, zeroed: true, null: false });
            }
            "__cxa_free_exception" => {}
            _ if is_std(name) && EXCEPTIONS.iter().any(|class| name.contains(class)) => {
                let message = format!("`{}` is not supported", demangle::name(name));
                let message = self.message(&message);
                body.emit(Inst::Refuse { message });
            }
            _ if name.starts_with("_ZSt") && name.contains("__throw_") => {
                let what = name.split("__throw_").nth(1).unwrap_or_default();
                let class = EXCEPTIONS.iter().find(|class| what.starts_with(**class)).unwrap_or(&what);
                let message = self.message(&format!("the library throws an exception: std::{class}"));
                body.emit(Inst::Fail { kind: ViolationKind::Other, message });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `std::lock`: take the first lock and try the others. Who finds one of them taken gives all back and begins anew;
    /// nothing is lost if it waits until that one is free.
    fn lock_all(&mut self, body: &mut Body<'_>, name: &str, given: &Given<'_>) -> Result<bool> {
        let guards = name.starts_with("_ZSt4lockISt11unique_lockISt5mutexES2_");
        if !guards && !name.starts_with("_ZSt4lockISt5mutexS0_") {
            // What the header says is right as well, but tries again and again.
            return Ok(false);
        }
        let (kind, ignored) = (body.constant(0), body.fresh(1));
        let mut locks = Vec::new();
        for i in 0..given.arguments.len() {
            let guard = self.argument(body, given, i)?;
            let lock = match guards {
                true => {
                    let lock = body.fresh(1);
                    body.emit(load(lock, guard));
                    Operand::register(lock)
                }
                false => guard,
            };
            let mode = LockMode::Exclusive;
            match i {
                0 => body.emit(Inst::Lock { to: ignored, address: lock, mode, kind }),
                _ => {
                    let taken = body.fresh(1);
                    body.emit(Inst::TryLock { to: taken, address: lock, mode, kind });
                    let (go_on, give_back) = (body.new_label(), body.new_label());
                    let condition = Operand::register(taken);
                    body.emit(Inst::Branch { condition, yes: go_on, no: give_back });
                    body.set_label(give_back);
                    for &(lock, _) in &locks {
                        body.emit(Inst::Unlock { to: ignored, address: lock, kind });
                    }
                    body.emit(Inst::Stuck { address: lock });
                    body.set_label(go_on);
                }
            }
            locks.push((lock, guard));
        }
        if guards {
            // A guard's second member says that it holds the mutex.
            let held = body.constant(1);
            for (_, guard) in locks {
                let address = self.offset(body, guard, 8);
                body.emit(Inst::Store { from: held, address, width: Width::B1, order: Order::Plain });
            }
        }
        Ok(true)
    }

    /// The function that every `std::thread` starts with: run the state, then delete it.
    fn thread_runner(&mut self) -> u32 {
        const NAME: &str = "std::thread";
        if let Some(&Symbol::Function(number)) = self.symbols.get(NAME) {
            return number;
        }
        let number = self.code.functions.len() as u32;
        let (state, table, run, delete, gone) = (0, 1, 2, 3, 4);
        let at = Operand::register;
        let code = vec![
            load(table, at(state)),
            Inst::Arith {
                op: crate::code::Arith::Add,
                bits: 64,
                to: run,
                left: at(table),
                right: Operand::constant(0),
            },
            load(run, at(run)),
            Inst::Arith {
                op: crate::code::Arith::Add,
                bits: 64,
                to: delete,
                left: at(table),
                right: Operand::constant(1),
            },
            load(delete, at(delete)),
            Inst::CallPointer { pointer: at(run), to: table, results: 0, first: 0, count: 1 },
            Inst::CallPointer { pointer: at(delete), to: table, results: 0, first: 0, count: 1 },
            Inst::Return { first: 0, count: 0 },
            // `pthread_exit` deletes it as well.
            Inst::Landed { to: gone },
            Inst::CallPointer { pointer: at(delete), to: table, results: 0, first: 0, count: 1 },
            Inst::Resume { exception: at(gone) },
        ];
        self.code.functions.push(Function {
            name: NAME.into(),
            pads: vec![Pad { calls: (5, 6), target: 8, cleanup: true, clauses: Vec::new() }],
            registers: 6,
            parameters: 1,
            constants: vec![16, 8],
            sites: vec![SiteId::NONE; code.len()],
            code,
            operands: vec![at(state)],
            ..Function::default()
        });
        self.mentions.push(Vec::new());
        self.callers.push(self.current);
        self.called_at.push(self.location);
        self.symbols.insert(NAME.into(), Symbol::Function(number));
        number
    }
}

/// Is this a member of something in `std`?
fn is_std(name: &str) -> bool {
    ["_ZNSt", "_ZNKSt", "_ZSt"].iter().any(|beginning| name.starts_with(beginning))
        && !name.contains("__throw_")
}

fn load(to: u16, address: Operand) -> Inst {
    Inst::Load { to, address, width: Width::B8, order: Order::Plain, bits: 64 }
}
