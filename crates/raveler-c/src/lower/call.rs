//! Calls: of functions with a body, and of pointers. [`super::library`] has what libraries provide.

use super::function::{Body, Reported};
use super::library::{Given, SLEEP_UNTIL};
use super::{Lowerer, Symbol};
use crate::code::{Clause, Inst, Operand, Pad, Place, Reg};
use crate::demangle;
use crate::ir::{self, Argument, BlockId, Callee, Constant, Op, Type, Value};

type Result<T> = std::result::Result<T, Reported>;

/// Of longer string literals reports show so many characters.
const LITERAL: usize = 24;

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
                self.assembly(body, (template, constraints), &Given { to, result, arguments })
            }
            Callee::Pointer(value) => {
                let pointer = self.operand(body, &Type::Pointer, value)?;
                let (first, count) = self.arguments(body, arguments, fixed)?;
                let results = self.scalars(body, result)?.len() as u16;
                body.emit(Inst::CallPointer { pointer, to, results, first, count });
                Ok(())
            }
            Callee::Function(name) => {
                let given = Given { to, result, arguments };
                let has_body = self.aliases.contains_key(name.as_str())
                    || self
                        .functions
                        .get(name.as_str())
                        .is_some_and(|&f| !self.module.functions[f].blocks.is_empty());
                let special = ["__VERIFIER_", "__CPROVER_", "__ESBMC_", "rv_"]
                    .iter()
                    .any(|beginning| name.starts_with(beginning))
                    || name.starts_with("_ZSt4lockI")
                    || name.starts_with(SLEEP_UNTIL)
                    || matches!(
                        name.as_str(),
                        "reach_error" | "assume_abort_if_not" | "__clang_call_terminate"
                    );
                if (!has_body || special) && self.library(body, name, &given)? {
                    return Ok(());
                }
                if !has_body && self.is_absent(name) {
                    let pointer = body.constant(0);
                    let (first, count) = self.arguments(body, arguments, fixed)?;
                    let results = self.scalars(body, result)?.len() as u16;
                    body.emit(Inst::CallPointer { pointer, to, results, first, count });
                    return Ok(());
                }
                // These have two types in C++, so that ours go by other names.
                let other = format!("__rv_{name}");
                let renamed = !has_body && matches!(name.as_str(), "memchr" | "strchr");
                let name = if renamed { &other } else { name };
                let has_body = has_body || renamed && self.functions.contains_key(other.as_str());
                let target = match self.symbol(name) {
                    Some(Symbol::Function(number)) if has_body => number,
                    _ => return self.undefined(body, name),
                };
                // A function declared without parameters may have some all the same.
                let variadic =
                    self.functions.get(name.as_str()).is_some_and(|&f| self.module.functions[f].variadic);
                let (first, count) = self.arguments(body, arguments, fixed.filter(|_| variadic))?;
                // Functions with such names are atomic as a whole.
                let atomic = name.starts_with("__VERIFIER_atomic_");
                if atomic {
                    self.section(body, true);
                }
                let results = self.scalars(body, result)?.len() as u16;
                body.emit(Inst::Call { function: target, to, results, first, count });
                if atomic {
                    self.section(body, false);
                }
                Ok(())
            }
        }
    }

    /// Where exceptions land that leave these instructions: at the start of this block.
    pub(super) fn pad(
        &mut self,
        body: &mut Body<'_>,
        calls: (u32, u32),
        (block, unwind): (BlockId, BlockId),
    ) -> Result<()> {
        let instructions = &body.source.blocks[unwind as usize].instructions;
        let landing = instructions.iter().find_map(|instruction| match &instruction.op {
            Op::LandingPad { cleanup, clauses } => Some((*cleanup, clauses)),
            _ => None,
        });
        let Some((cleanup, clauses)) = landing else {
            return self.refuse(body, "exceptions that land without a `landingpad` are not supported");
        };
        let mut lowered = Vec::with_capacity(clauses.len());
        for clause in clauses {
            lowered.push(match clause {
                ir::Clause::Catch(ty) => Clause::Catch(self.type_of(body, ty)?),
                ir::Clause::Filter(types) => {
                    let types: Result<Vec<u64>> = types.iter().map(|ty| self.type_of(body, ty)).collect();
                    Clause::Filter(types?)
                }
            });
        }
        let target = self.edge(body, block, unwind);
        body.out.pads.push(Pad { calls, target, cleanup, clauses: lowered });
        Ok(())
    }

    /// The address of a `typeinfo`.
    pub(super) fn type_of(&mut self, body: &Body<'_>, ty: &Constant) -> Result<u64> {
        match self.bits(&Type::Pointer, ty) {
            Some(address) => Ok(address),
            None => self.refuse(body, "this type of an exception is not supported"),
        }
    }

    /// Nothing is known of this function or variable.
    pub(super) fn undefined<T>(&mut self, body: &Body<'_>, name: &str) -> Result<T> {
        let help = instead_of(name);
        let known = self.problems.len();
        self.problem(
            body.location,
            format!("`{}` is not defined, and raveler does not provide it", demangle::name(name)),
            Some(help.into()),
        );
        if let Some(problem) = self.problems.get_mut(known) {
            problem.missing = Some(name.to_string());
        }
        Err(Reported)
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
                    let place = Place {
                        name: "argument".into(),
                        cells: self.layout.cells(ty),
                        stack: true,
                        align: 16,
                        ..Place::default()
                    };
                    let Some(place) = self.place(place) else { return Err(Reported) };
                    let size = body.constant(size);
                    let copy = body.fresh(1);
                    body.emit(Inst::Alloca { to: copy, size, place });
                    body.emit(Inst::Copy {
                        to: Operand::register(copy),
                        from: all[0],
                        size,
                        overlaps: false,
                    });
                    operands.push(Operand::register(copy));
                }
                None => operands.extend(all),
            }
        }
        operands.extend(self.further(body, &arguments[named..])?);
        Ok(body.list(&operands))
    }

    /// The string that a pointer constant points to.
    pub(super) fn string(&self, value: &Value) -> Option<String> {
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
        self.text(name)
    }

    /// The string that a variable holds.
    fn text(&self, name: &str) -> Option<String> {
        match &self.module.globals[*self.globals.get(name)?].initial {
            Some(Constant::Bytes(bytes)) => {
                let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
                Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
            }
            _ => None,
        }
    }

    /// What reports call a string literal.
    pub(super) fn literal(&self, name: &str) -> Option<String> {
        let text = self.text(name)?;
        let more = if text.chars().nth(LITERAL).is_some() { "..." } else { "" };
        Some(format!("{:?}", text.chars().take(LITERAL).collect::<String>() + more))
    }
}

/// What to do where a function of C is missing.
fn instead_of_c(name: &str) -> &'static str {
    match name.trim_start_matches('_') {
        "setjmp" | "sigsetjmp" | "longjmp" | "siglongjmp" | "getcontext" | "makecontext" | "swapcontext"
        | "setcontext" => {
            "jumps out of functions are not supported: return what went wrong, or leave them out with #ifndef RAVELER"
        }
        "fopen" | "fdopen" | "freopen" | "fclose" | "fread" | "fgets" | "fgetc" | "getc" | "getchar"
        | "getline" | "fscanf" | "scanf" | "isoc99_scanf" | "isoc99_fscanf" | "open" | "openat" | "close"
        | "read" | "pread" | "socket" | "pipe" | "pipe2" | "eventfd" | "accept" | "bind" | "listen"
        | "connect" | "send" | "recv" | "mq_open" | "shm_open" | "sem_open" | "ioctl" | "fcntl" | "stat"
        | "lseek" => {
            "there are no files and no input: give the program its data in memory, or leave the call out with \
             #ifndef RAVELER"
        }
        name if name.starts_with("epoll_")
            || name.starts_with("inotify_")
            || name.starts_with("timerfd_") =>
        {
            "there are no files to wait for: wait for a condition variable, or leave the call out with #ifndef RAVELER"
        }
        "mmap" | "munmap" | "mprotect" | "mlockall" | "brk" | "sbrk" => {
            "there are no pages: allocate with `malloc` or `aligned_alloc`, or leave the call out with #ifndef RAVELER"
        }
        "dlopen" | "dlsym" | "dlclose" => {
            "nothing is loaded while the program runs: call the function itself, or leave the call out with \
             #ifndef RAVELER"
        }
        "fork" | "vfork" | "execv" | "execve" | "execvp" | "execl" | "execlp" | "waitpid" | "wait"
        | "system" | "popen" | "posix_spawn" => {
            "there is one process: let a thread do it, or leave the call out with #ifndef RAVELER"
        }
        "signal" | "sigaction" | "kill" | "raise" | "pthread_kill" | "sigwait" | "sigsuspend" | "alarm"
        | "pause" | "setitimer" | "timer_create" | "timer_settime" => {
            "there are no signals: let a thread do what the handler does, or leave the call out with #ifndef RAVELER"
        }
        _ => "give a definition of it, or leave the call out with #ifndef RAVELER",
    }
}

/// What to do where a function is missing.
fn instead_of(name: &str) -> &'static str {
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if !name.starts_with("_ZNSt")
        && !name.starts_with("_ZNKSt")
        && !name.starts_with("_ZSt")
        && !name.starts_with("_ZNS")
    {
        instead_of_c(name)
    } else if has(&[
        "fstream",
        "filebuf",
        "istream",
        "stringstream",
        "stringbuf",
        "ios_base",
        "basic_ios",
        "ostream",
    ]) {
        "of streams std::cout, cerr, clog and std::ostringstream are known: leave others out with #ifndef RAVELER"
    } else if has(&["locale", "facet", "ctype", "regex"]) {
        "locales and regular expressions are not supported: leave them out with #ifndef RAVELER"
    } else {
        "it is in the compiled part of the C++ library: leave the call out with #ifndef RAVELER"
    }
}
