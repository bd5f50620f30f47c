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
    let compile = |library| {
        let source = |exceptions| Source { file, bytes, flags, library, exceptions, over };
        let compiled = match clang::compile(&source(false)) {
            Err(Failure::Refused(said)) if said.contains("with exceptions disabled") => {
                clang::compile(&source(true))
            }
            other => other,
        };
        compiled.map_err(Refused::Clang)
    };
    match read(&compile(false)?.0, file, options, text) {
        // What the C library lacks is compiled with the program: the rare case pays for it.
        Err(Refused::Lowering(problems))
            if problems.iter().any(|p| p.missing.as_deref().is_some_and(clang::provides)) =>
        {
            read(&compile(true)?.0, file, options, text)
        }
        other => other,
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
