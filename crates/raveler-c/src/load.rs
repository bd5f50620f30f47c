//! From source files to a program: compile, read, link, lower.

use std::sync::atomic::AtomicBool;

use crate::clang::{self, Failure, Source};
use crate::code::Code;
use crate::ir::{self, Conflict, LinkError, ReadError, SameLines};
use crate::lower::{self, Options, Problem};

/// Why a file cannot be run.
#[derive(Debug)]
pub enum Refused {
    /// clang is missing, or refuses it.
    Clang(Failure),
    /// What clang wrote cannot be read.
    Ir(ReadError),
    /// These two files do not fit together.
    Linking(Conflict, [String; 2]),
    /// Something in it is not supported.
    Lowering(Vec<Problem>),
}

/// One file of a program.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Its name; `-` for standard input.
    pub file: &'a str,
    /// What is in it.
    pub bytes: &'a [u8],
    /// Flags for clang.
    pub flags: &'a [String],
}

/// Make bytecode of a file. `text` gives the text of a source file.
pub fn load(
    file: &str,
    bytes: &[u8],
    flags: &[String],
    options: &Options,
    text: &dyn Fn(&str) -> Option<String>,
) -> Result<Code, Refused> {
    load_until(&[Part { file, bytes, flags }], options, text, &AtomicBool::new(false))
}

/// The same of several files that are one program; the compiler is stopped when `over` is set.
pub fn load_until(
    parts: &[Part<'_>],
    options: &Options,
    text: &dyn Fn(&str) -> Option<String>,
    over: &AtomicBool,
) -> Result<Code, Refused> {
    // What turns out to be missing is asked for, and compiled: the rare case pays for it.
    let mut asked = Missing::default();
    let mut texts = compile(parts, asked, over)?;
    let mut result = read(&texts, SameLines::Conflict, parts, options, text);
    while let Err(Refused::Lowering(problems)) = &result {
        let missing = asked.and(problems);
        if missing == asked {
            break;
        }
        let again = missing.again(asked, parts);
        asked = missing;
        if again {
            texts = compile(parts, asked, over)?;
        } else {
            texts.push(clang::library(over).map_err(Refused::Clang)?);
        }
        let same_lines = if asked.inline_bodies { SameLines::One } else { SameLines::Conflict };
        result = read(&texts, same_lines, parts, options, text);
    }
    result
}

/// The IR of all files, and behind it that of the C library if it is asked for.
fn compile(parts: &[Part<'_>], asked: Missing, over: &AtomicBool) -> Result<Vec<String>, Refused> {
    let Missing { library, inline_bodies } = asked;
    let mut texts = Vec::new();
    for (number, &Part { file, bytes, flags }) in parts.iter().enumerate() {
        if file.ends_with(".ll") {
            texts.push(String::from_utf8_lossy(bytes).into_owned());
            continue;
        }
        // One copy of what C++ programs get is enough.
        let library = library && number == 0 && clang::is_cpp(file);
        // Exceptions are in the way of programs that do not use them.
        let source = |exceptions| Source { file, bytes, flags, library, inline_bodies, exceptions, over };
        let compiled = match clang::compile(&source(false)) {
            Err(Failure::Refused(said)) if said.contains("with exceptions disabled") => {
                clang::compile(&source(true))
            }
            other => other,
        };
        texts.push(compiled.map_err(Refused::Clang)?.0);
    }
    if library && !parts.first().is_some_and(|part| clang::is_cpp(part.file)) {
        texts.push(clang::library(over).map_err(Refused::Clang)?);
    }
    Ok(texts)
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

    /// Must the files themselves be compiled again?
    fn again(self, before: Missing, parts: &[Part<'_>]) -> bool {
        let is_cpp = parts.first().is_some_and(|part| clang::is_cpp(part.file));
        self.inline_bodies != before.inline_bodies || is_cpp
    }
}

fn read(
    texts: &[String],
    same_lines: SameLines,
    parts: &[Part<'_>],
    options: &Options,
    text: &dyn Fn(&str) -> Option<String>,
) -> Result<Code, Refused> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let file = parts.first().map_or("", |part| part.file);
    // What is behind the files is the library.
    let name_of = |number: usize| parts.get(number).map_or("the C library", |part| part.file).to_string();
    let module = ir::link(&texts, same_lines).map_err(|error| match error {
        LinkError::Read(_, error) => Refused::Ir(error),
        LinkError::Conflict(conflict) => {
            let (left, right) = conflict.modules;
            Refused::Linking(conflict, [name_of(left), name_of(right)])
        }
    })?;
    lower::lower(&module, options, file, text).map_err(Refused::Lowering)
}
