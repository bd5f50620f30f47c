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
    text: &dyn Fn(&str) -> Option<String>,
    over: &AtomicBool,
) -> Result<Code, Refused> {
    if file.ends_with(".ll") {
        return read(&String::from_utf8_lossy(bytes), file, options, text);
    }
    // Exceptions are in the way of everybody who does not use them.
    let compile = |Missing { library, inline_bodies }| {
        let source = |exceptions| Source { file, bytes, flags, library, inline_bodies, exceptions, over };
        let compiled = match clang::compile(&source(false)) {
            Err(Failure::Refused(said)) if said.contains("with exceptions disabled") => {
                clang::compile(&source(true))
            }
            other => other,
        };
        compiled.map_err(Refused::Clang)
    };
    // What turns out to be missing is asked for, and all is compiled again: the rare case pays for it.
    let mut asked = Missing::default();
    let mut result = read(&compile(asked)?.0, file, options, text);
    while let Err(Refused::Lowering(problems)) = &result {
        let missing = asked.and(problems);
        if missing == asked {
            break;
        }
        asked = missing;
        result = read(&compile(asked)?.0, file, options, text);
    }
    result
}

/// What the first try at compiling a program leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Missing {
    /// Functions of the C library that are there in C.
    library: bool,
    /// Bodies of functions that are only `inline`. C99 leaves it to the compiler whether it uses such a body or one from
    /// another file, and clang, if it does not optimise, uses that of the other file, which need not be there.
    inline_bodies: bool,
}

impl Missing {
    /// And what these problems say.
    fn and(self, problems: &[Problem]) -> Missing {
        let names = || problems.iter().filter_map(|problem| problem.missing.as_deref());
        Missing {
            library: self.library || names().any(clang::provides),
            inline_bodies: self.inline_bodies || names().any(|name| !clang::provides(name)),
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
