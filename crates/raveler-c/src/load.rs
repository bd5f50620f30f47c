//! From a source file to a program: compile, read, lower.

use std::sync::atomic::AtomicBool;

use crate::clang::{self, Failure, Source};
use crate::code::Code;
use crate::ir::{self, ReadError};
use crate::lower::{self, Options, Problem};

/// Why a file cannot be run.
#[derive(Debug)]
pub enum Refused {
    /// clang is missing, or refuses it.
    Clang(Failure),
    /// What clang wrote cannot be read.
    Ir(ReadError),
    /// Something in it is not supported.
    Lowering(Vec<Problem>),
}

/// Make bytecode of a file. `text` gives the text of a source file.
pub fn load(
    file: &str,
    bytes: &[u8],
    flags: &[String],
    options: &Options,
    text: &dyn Fn(&str) -> Option<String>,
) -> Result<Code, Refused> {
    load_until(file, bytes, flags, options, text, &AtomicBool::new(false))
}

/// The same; the compiler is stopped when `over` is set.
pub fn load_until(
    file: &str,
    bytes: &[u8],
    flags: &[String],
    options: &Options,
    text_of: &dyn Fn(&str) -> Option<String>,
    over: &AtomicBool,
) -> Result<Code, Refused> {
    if file.ends_with(".ll") {
        return read(&String::from_utf8_lossy(bytes), file, options, text_of);
    }
    let compile = |asked: Missing| {
        let Missing { library, inline_bodies, exceptions, futures } = asked;
        let source = Source { file, bytes, flags, library, inline_bodies, exceptions, futures, over };
        clang::compile(&source)
    };
    // What turns out to be missing is asked for, and all is compiled again: the rare case pays for it.
    let mut asked = if is_cpp(file) { Missing::expected(bytes) } else { Missing::default() };
    loop {
        let missing = match compile(asked) {
            // Exceptions are in the way of everybody who does not use them.
            Err(Failure::Refused(said)) if !asked.exceptions && said.contains("with exceptions disabled") => {
                asked.with_exceptions()
            }
            Err(failure) => return Err(Refused::Clang(failure)),
            Ok((text, _)) => {
                if text.contains("@llvm.coro.") {
                    return Err(Refused::Lowering(vec![coroutine(file, bytes)]));
                }
                let module = ir::read(&text).map_err(Refused::Ir)?;
                let wanted = if is_cpp(file) { asked.with(&module) } else { asked };
                if wanted != asked {
                    wanted
                } else {
                    match lower::lower(&module, options, file, text_of) {
                        Ok(code) => return Ok(code),
                        Err(problems) => {
                            let missing = asked.and(&problems);
                            if missing == asked {
                                return Err(Refused::Lowering(problems));
                            }
                            missing
                        }
                    }
                }
            }
        };
        asked = missing;
    }
}

/// A program has coroutines: the first that its text shows.
fn coroutine(file: &str, bytes: &[u8]) -> Problem {
    let text = String::from_utf8_lossy(bytes);
    let at = ["co_await", "co_yield", "co_return"].iter().filter_map(|word| text.find(word)).min();
    let before = at.map_or("", |at| &text[..at]);
    let (line, column) = match at {
        Some(_) => {
            (before.matches('\n').count() + 1, before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1)
        }
        None => (0, 0),
    };
    Problem {
        message: "coroutines are not supported".into(),
        help: Some("threads, futures and callbacks are".into()),
        file: file.into(),
        line: line as u32,
        column: column as u32,
        path: Vec::new(),
        missing: None,
    }
}

fn is_cpp(file: &str) -> bool {
    [".cc", ".cpp", ".cxx"].iter().any(|suffix| file.ends_with(suffix))
}

/// Does a program that was compiled without exceptions ask for something that needs them?
fn needs_exceptions(module: &ir::Module) -> bool {
    let function = |function: &ir::Function| {
        let name = function.name.as_str();
        function.blocks.is_empty()
            && (matches!(name, "pthread_exit" | "thrd_exit") || clang::provides_with_exceptions(name))
    };
    // Of standard classes, which others are derived from.
    let global = |global: &ir::Global| {
        let of_std =
            ["_ZTISt", "_ZTINSt", "_ZTVSt", "_ZTVNSt"].iter().any(|name| global.name.starts_with(name));
        global.initial.is_none() && of_std && !global.name.contains("6thread6_State")
    };
    module.functions.iter().any(function) || module.globals.iter().any(global)
}

/// What the first try at compiling a program leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Missing {
    /// Functions of the C library that are there in C.
    library: bool,
    /// Bodies of functions that are only `inline`. C99 leaves it to the compiler whether it uses such a body or one from
    /// another file, and clang, if it does not optimise, uses that of the other file, which need not be there.
    inline_bodies: bool,
    /// Exceptions, and with them what the C++ library has compiled elsewhere.
    exceptions: bool,
    /// What it has there for futures.
    futures: bool,
}

impl Missing {
    /// What the text of a C++ program will ask for, as far as a look at it can tell: it saves a compilation.
    fn expected(text: &[u8]) -> Missing {
        let has = |word: &[u8]| text.windows(word.len()).any(|part| part == word);
        let futures = has(b"#include <future>");
        match futures || has(b"catch (") || has(b"throw ") {
            true => Missing { futures, ..Missing::default().with_exceptions() },
            false => Missing::default(),
        }
    }

    fn with_exceptions(self) -> Missing {
        Missing { exceptions: true, library: true, ..self }
    }

    /// And what a module mentions that is nowhere defined.
    fn with(self, module: &ir::Module) -> Missing {
        let declared = || module.functions.iter().filter(|function| function.blocks.is_empty());
        let futures = declared().any(|function| {
            ["__future_base", "future_error", "future_category"]
                .iter()
                .any(|name| function.name.contains(name))
        });
        if self.exceptions || !futures && !needs_exceptions(module) {
            return Missing { futures: self.futures || self.exceptions && futures, ..self };
        }
        Missing { futures: self.futures || futures, ..self.with_exceptions() }
    }

    /// And what these problems say.
    fn and(self, problems: &[Problem]) -> Missing {
        let names = || problems.iter().filter_map(|problem| problem.missing.as_deref());
        Missing {
            library: self.library || names().any(clang::provides),
            inline_bodies: self.inline_bodies || names().any(|name| !clang::provides(name)),
            ..self
        }
    }
}

fn read(
    ir: &str,
    file: &str,
    options: &Options,
    text: &dyn Fn(&str) -> Option<String>,
) -> Result<Code, Refused> {
    let module = ir::read(ir).map_err(Refused::Ir)?;
    lower::lower(&module, options, file, text).map_err(Refused::Lowering)
}
