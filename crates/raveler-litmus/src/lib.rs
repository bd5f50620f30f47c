//! The litmus front-end: herd7's C litmus tests as programs that raveler can check.
//!
//! ```
//! use raveler_core::Program;
//!
//! let text = "C MP
//! { [x]=0; [y]=0; }
//! P0 (atomic_int* x, atomic_int* y) {
//!   atomic_store_explicit(x, 1, memory_order_relaxed);
//!   atomic_store_explicit(y, 1, memory_order_release);
//! }
//! P1 (atomic_int* x, atomic_int* y) {
//!   int r0 = atomic_load_explicit(y, memory_order_acquire);
//!   int r1 = atomic_load_explicit(x, memory_order_relaxed);
//! }
//! exists (1:r0=1 /\\ 1:r1=0)
//! ";
//! let test = raveler_litmus::parse("mp.litmus", text).expect("a good test");
//! assert_eq!(test.name, "MP");
//! assert_eq!(test.program.threads(), 2);
//! assert_eq!(test.condition.to_string(), "exists (1:r0=1 /\\ 1:r1=0)");
//! ```
//!
//! # The language
//!
//! * The first line is `C NAME`. Up to the initial state follow, if wanted, a description in quotes,
//!   comments, notes `//@ ...` and herd7's `Key=value` lines.
//! * The initial state: `{ [x]=0; y=1; int z=3; int *p = &x; int a[3] = {1,2,3}; 0:r1=5; 0:r2=x; }`. What is
//!   not mentioned starts at 0; a location without a type gets it from the threads, else it is an `int`.
//! * Threads `P0 (atomic_int* x, int* a) { ... }`: a parameter is the address of the location of its name.
//!   Registers are 64 bits wide inside an expression and cut to their type when they are assigned; operands
//!   meet as in C. A register declared in a block belongs to the thread and keeps its value to the end.
//!   `*x` and `a[i]` are plain accesses, whatever the type (as in herd7; C would make `*x` of an `atomic_int`
//!   sequentially consistent).
//! * At the end `locations [0:r0; x;]`, `filter (...)` and one of `exists`, `~exists`, `forall`, all optional;
//!   without a condition `forall (true)` is meant. `p=x` compares with an address if `p` is a pointer, else
//!   with the value of `x`.
//!
//! # What other threads cannot see
//!
//! A location that only one thread touches, whose address is stored nowhere, and that is accessed plainly,
//! relaxed or by loads only is kept with the thread's registers: its accesses are no events. So the expected
//! words of compare-exchanges add nothing to any count. (A read-modify-write or a stronger store acts as a
//! fence in some models, so it stays an event.) Where the room in store buffers is bounded, such a store takes
//! some of it: [`PrivateLocations::InMemory`].

mod ast;
mod bytecode;
mod condition;
pub mod error;
mod functions;
mod header;
mod lex;
mod lower;
mod names;
mod parse;
mod run;
mod states;
mod types;

use raveler_core::diagnostic::Diagnostic;

pub use ast::Quantifier;
pub use condition::Condition;
pub use header::Note;
pub use run::{Cursor, LitmusProgram};
pub use states::{Example, States};

raveler_core::searches_of!(LitmusProgram);

use crate::condition::View;
use crate::error::Errors;
use crate::lex::Span;

/// Larger files are refused.
const MAX_BYTES: usize = 4 << 20;

/// A litmus test.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its name, from the first line.
    pub name: String,
    /// The quoted text after the first line, if there is one.
    pub description: Option<String>,
    /// The `//@` lines between the first line and the initial state.
    pub notes: Vec<Note>,
    /// Its threads.
    pub program: LitmusProgram,
    /// Its final condition.
    pub condition: Condition,
    pub(crate) view: View,
}

impl Test {
    /// The names that its final states show, in their order: `0:r0`, `x`, ...
    pub fn shown(&self) -> impl Iterator<Item = &str> {
        self.view.names()
    }
}

/// Where locations are kept that only one thread can see.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PrivateLocations {
    /// With the thread's registers: their accesses are no events.
    #[default]
    InRegisters,
    /// In memory like all others.
    InMemory,
}

/// Read a litmus test. On mistakes: up to twenty of them, in the order of the text.
pub fn parse(file_name: &str, text: &str) -> Result<Test, Vec<Diagnostic>> {
    parse_with(file_name, text, PrivateLocations::InRegisters)
}

fn parse_with(file_name: &str, text: &str, private: PrivateLocations) -> Result<Test, Vec<Diagnostic>> {
    let mut errors = Errors::default();
    match read(file_name, text, private, &mut errors) {
        Ok(test) if errors.is_empty() => Ok(test),
        _ => Err(errors.into_sorted()),
    }
}

/// Read a litmus test from bytes, which may not be text at all.
pub fn parse_bytes(file_name: &str, bytes: &[u8]) -> Result<Test, Vec<Diagnostic>> {
    parse_bytes_with(file_name, bytes, PrivateLocations::InRegisters)
}

/// The same; `private` says where locations are kept that only one thread can see.
pub fn parse_bytes_with(
    file_name: &str,
    bytes: &[u8],
    private: PrivateLocations,
) -> Result<Test, Vec<Diagnostic>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => parse_with(file_name, text, private),
        Err(invalid) => {
            let at = invalid.valid_up_to();
            let message =
                format!("the file is not text: the byte {:#04x} at position {at} is not UTF-8", bytes[at]);
            Err(vec![Diagnostic {
                code: error::NOT_TEXT,
                message,
                span: Some(at..at + 1),
                label: "not UTF-8".to_string(),
                help: Some("save the test as UTF-8, or check that this is the right file".to_string()),
            }])
        }
    }
}

fn read(file_name: &str, text: &str, private: PrivateLocations, errors: &mut Errors) -> error::Result<Test> {
    if text.len() > MAX_BYTES {
        let message = format!("the file has {} bytes; at most {MAX_BYTES} are read", text.len());
        let help = "litmus tests are small: split it";
        return Err(errors.push(error::TOO_LARGE, Span::default(), message, "", help));
    }
    let header = header::header(text, errors)?;
    let tokens = lex::lex(text, header.end, errors);
    let file = parse::parse(text, tokens, errors);
    if !errors.is_empty() {
        return Err(error::Noted);
    }
    let names = names::resolve(&file, private, errors);
    let program = lower::lower(file_name, text, &file, &names, errors);
    let (view, condition) = condition::resolve(&file, &names, errors);
    let header::Header { name, description, notes, .. } = header;
    Ok(Test { name, description, notes, program, condition, view })
}
