//! From source files to a program: compile, read, link, lower.

use std::sync::atomic::{AtomicBool, Ordering};

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

/// The same of several files that are one program; it is given up when `over` is set.
pub fn load_until(
    parts: &[Part<'_>],
    options: &Options,
    text_of: &dyn Fn(&str) -> Option<String>,
    over: &AtomicBool,
) -> Result<Code, Refused> {
    let loaded = load_parts(parts, options, text_of, over);
    // What was given up half-way says nothing about the program.
    if over.load(Ordering::Relaxed) { Err(Refused::Clang(Failure::Stopped)) } else { loaded }
}

fn load_parts(
    parts: &[Part<'_>],
    options: &Options,
    text_of: &dyn Fn(&str) -> Option<String>,
    over: &AtomicBool,
) -> Result<Code, Refused> {
    let file = parts.first().map_or("", |part| part.file);
    let has_cpp = parts.iter().any(|part| clang::is_cpp(part.file));
    // What turns out to be missing is asked for, and compiled: the rare case pays for it.
    let mut asked = Missing::expected(parts);
    let mut texts = Vec::new();
    loop {
        if texts.is_empty() {
            texts = match compile(parts, asked, over) {
                // Exceptions are in the way of programs that do not use them.
                Err(Failure::Refused(said))
                    if !asked.exceptions && said.contains("with exceptions disabled") =>
                {
                    asked = asked.with_exceptions();
                    continue;
                }
                compiled => compiled.map_err(Refused::Clang)?,
            };
        }
        let coroutines = parts.iter().zip(&texts).find(|(_, text)| text.contains("@llvm.coro."));
        if let Some((part, _)) = coroutines {
            return Err(Refused::Lowering(vec![coroutine(part)]));
        }
        let same_lines = if asked.inline_bodies { SameLines::One } else { SameLines::Conflict };
        let module = link(&texts, same_lines, parts, over)?;
        let mut missing = if has_cpp { asked.with(&module) } else { asked };
        if missing == asked {
            match lower::lower_until(&module, options, file, text_of, over) {
                Ok(code) => return Ok(code),
                Err(problems) => {
                    missing = asked.and(&problems);
                    if missing == asked {
                        return Err(Refused::Lowering(problems));
                    }
                }
            }
        }
        if !has_cpp && missing.inline_bodies == asked.inline_bodies {
            texts.push(clang::library(over).map_err(Refused::Clang)?);
        } else {
            texts.clear();
        }
        asked = missing;
    }
}

/// The IR of all files, and behind it that of the C library if it is asked for.
fn compile(parts: &[Part<'_>], asked: Missing, over: &AtomicBool) -> Result<Vec<String>, Failure> {
    let Missing { library, inline_bodies, exceptions, futures, streams } = asked;
    let first_cpp = parts.iter().position(|part| clang::is_cpp(part.file));
    let mut texts = Vec::new();
    for (number, &Part { file, bytes, flags }) in parts.iter().enumerate() {
        if file.ends_with(".ll") {
            texts.push(String::from_utf8_lossy(bytes).into_owned());
            continue;
        }
        // One copy of what C++ programs get is enough.
        let library = library && first_cpp == Some(number);
        let source =
            Source { file, bytes, flags, library, inline_bodies, exceptions, futures, cpp: false, over };
        texts.push(clang::compile(&source)?.0);
    }
    if library && first_cpp.is_none() {
        texts.push(clang::library(over)?);
    }
    if streams && first_cpp.is_some() {
        texts.push(clang::streams(exceptions, over)?);
    }
    Ok(texts)
}

/// Make one program of the files.
fn link(
    texts: &[String],
    same_lines: SameLines,
    parts: &[Part<'_>],
    over: &AtomicBool,
) -> Result<ir::Module, Refused> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    // What is behind the files is the library.
    let name_of = |number: usize| parts.get(number).map_or("the C library", |part| part.file).to_string();
    ir::link(&texts, same_lines, over).map_err(|error| match error {
        LinkError::Read(_, error) => Refused::Ir(error),
        LinkError::Conflict(conflict) => {
            let (left, right) = conflict.modules;
            Refused::Linking(conflict, [name_of(left), name_of(right)])
        }
    })
}

/// A program has coroutines: the first that its text shows.
fn coroutine(part: &Part<'_>) -> Problem {
    let text = String::from_utf8_lossy(part.bytes);
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
        file: part.file.into(),
        line: line as u32,
        column: column as u32,
        path: Vec::new(),
        missing: None,
    }
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
    /// And for streams that write into strings.
    streams: bool,
}

impl Missing {
    /// What the texts of C++ programs will ask for, as far as a look at them can tell: it saves a compilation.
    fn expected(parts: &[Part<'_>]) -> Missing {
        let has = |word: &[u8]| {
            let mut texts = parts.iter().filter(|part| clang::is_cpp(part.file)).map(|part| part.bytes);
            texts.any(|text| text.windows(word.len()).any(|part| part == word))
        };
        let futures = has(b"#include <future>");
        let streams = has(b"std::ostringstream");
        let plain = Missing { futures, streams, ..Missing::default() };
        match futures || has(b"catch (") || has(b"throw ") {
            true => plain.with_exceptions(),
            false => plain,
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
        let streams =
            self.streams || declared().any(|function| function.name.contains("basic_ostringstream"));
        let asked = Missing { streams, ..self };
        if self.exceptions || !futures && !needs_exceptions(module) {
            return Missing { futures: self.futures || self.exceptions && futures, ..asked };
        }
        Missing { futures: self.futures || futures, ..asked.with_exceptions() }
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

#[cfg(test)]
mod tests {
    use super::*;

    const ROUND: &str = "@a = alias i32, ptr @b\n@b = alias i32, ptr @a\n\
        define i32 @main() {\n  %x = load i32, ptr @a, align 4\n  ret i32 %x\n}\n";

    fn load_text(text: &str, over: bool) -> Result<Code, Refused> {
        let parts = [Part { file: "x.ll", bytes: text.as_bytes(), flags: &[] }];
        load_until(&parts, &Options::default(), &|_| None, &AtomicBool::new(over))
    }

    #[test]
    fn aliases_that_stand_for_each_other() {
        match load_text(ROUND, false) {
            Err(Refused::Lowering(problems)) => assert!(problems[0].message.contains("`a`"), "{problems:?}"),
            _ => panic!("there is nothing behind these names"),
        }
    }

    #[test]
    fn given_up_when_the_time_is_over() {
        let text = "define i32 @main() {\n  ret i32 0\n}\n";
        assert!(load_text(text, false).is_ok());
        assert!(matches!(load_text(text, true), Err(Refused::Clang(Failure::Stopped))));
    }
}
