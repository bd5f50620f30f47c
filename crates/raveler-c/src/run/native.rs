//! Functions of the library that run in raveler itself: what prints.
//!
//! They read memory that may be shared, which takes an event for each piece. Such a call begins again with every answer,
//! and finds the earlier ones in its list.

use raveler_core::{Operation, Order, Width};

use super::cursor::Pending;
use super::format::{self, Arguments};
use super::step::Stop;
use super::{CProgram, Cursor};
use crate::code::{Native, Reg};

/// What the standard streams are: numbers that no program's pointers have.
pub(crate) const STREAMS: [(&str, u64); 3] = [("stdin", 16), ("stdout", 17), ("stderr", 18)];

/// Is this stream or file descriptor the standard output?
fn is_output(stream: u64) -> bool {
    matches!(stream, 17 | 1)
}

/// A call on its way.
struct Call<'a> {
    cursor: &'a mut Cursor,
    program: &'a CProgram,
    /// What shared memory held, in the order of the reads.
    answers: &'a [u64],
    words: Words<'a>,
}

/// Where the further arguments are.
enum Words<'a> {
    Given {
        words: &'a [u64],
        next: usize,
    },
    /// At an address, one after the other.
    List {
        at: u64,
    },
}

impl Call<'_> {
    fn load(&mut self, at: u64, width: Width) -> Result<u64, Stop> {
        if let Some(value) = self.cursor.load_known(self.program, at, width)? {
            return Ok(value);
        }
        if let Some((&answer, rest)) = self.answers.split_first() {
            self.answers = rest;
            return Ok(answer);
        }
        self.cursor.waits.access(at, true);
        self.cursor.pending = Pending::Native;
        let address = self.program.engine(at);
        Err(Stop::Action(Operation::Read { address, width, order: Order::Plain }))
    }
}

impl Arguments<Stop> for Call<'_> {
    fn word(&mut self) -> Result<u64, Stop> {
        match &mut self.words {
            Words::Given { words, next } => {
                let word = words.get(*next).copied();
                *next += 1;
                word.ok_or_else(|| Stop::unsupported("a format asks for more arguments than there are"))
            }
            Words::List { at } => {
                let from = *at;
                *at = from.wrapping_add(8);
                self.load(from, Width::B8)
            }
        }
    }

    fn long_double(&mut self) -> Result<(u64, u64), Stop> {
        // They lie at multiples of 16.
        match &mut self.words {
            Words::Given { next, .. } => *next = next.next_multiple_of(2),
            Words::List { at } => *at = at.wrapping_add(15) & !15,
        }
        let low = self.word()?;
        Ok((low, self.word()? & 0xffff))
    }

    fn byte(&mut self, at: u64) -> Result<u8, Stop> {
        self.load(at, Width::B1).map(|byte| byte as u8)
    }

    fn refuse(&mut self, what: String) -> Stop {
        Stop::unsupported(what)
    }
}

impl Cursor {
    /// Run a function of the library with these arguments.
    pub(super) fn native(
        &mut self,
        program: &CProgram,
        function: Native,
        to: Reg,
        given: &[u64],
    ) -> Result<(), Stop> {
        let answers = self.answers.take().unwrap_or_default();
        let done = self.native_result(program, function, given, &answers);
        if done.is_err() && self.pending == Pending::Native {
            self.answers = Some(answers);
        }
        let Done { text, result, buffer } = done?;
        self.set(to, result);
        match buffer {
            None => {
                if is_output(given.first().copied().unwrap_or(0)) {
                    self.print(program, &text);
                }
                Ok(())
            }
            Some((at, size)) => {
                let Some(room) = size.checked_sub(1) else { return Ok(()) };
                let mut bytes = text;
                bytes.truncate(usize::try_from(room).unwrap_or(usize::MAX));
                bytes.push(0);
                self.write_bytes(program, at, bytes)
            }
        }
    }

    fn native_result(
        &mut self,
        program: &CProgram,
        function: Native,
        given: &[u64],
        answers: &[u64],
    ) -> Result<Done, Stop> {
        let argument = |at: usize| given.get(at).copied().unwrap_or(0);
        let words = |from: usize| Words::Given { words: given.get(from..).unwrap_or_default(), next: 0 };
        let mut call = Call { cursor: self, program, answers, words: words(given.len()) };
        let printed = |text: Vec<u8>| Done { result: text.len() as u64 & 0xffff_ffff, text, buffer: None };
        let formatted = |text: Vec<u8>| Done { buffer: Some((argument(0), argument(1))), ..printed(text) };
        Ok(match function {
            Native::Print => {
                call.words = words(2);
                printed(format::format(&mut call, argument(1))?)
            }
            Native::PrintList => {
                call.words = call.list(argument(2))?;
                printed(format::format(&mut call, argument(1))?)
            }
            Native::Format => {
                call.words = words(3);
                formatted(format::format(&mut call, argument(2))?)
            }
            Native::FormatList => {
                call.words = call.list(argument(3))?;
                formatted(format::format(&mut call, argument(2))?)
            }
            Native::Text => {
                let mut text = Vec::new();
                loop {
                    match call.byte(argument(1).wrapping_add(text.len() as u64))? {
                        0 => break,
                        byte => text.push(byte),
                    }
                }
                if argument(2) != 0 {
                    text.push(b'\n');
                }
                printed(text)
            }
            Native::Character => {
                let byte = argument(1) as u8;
                Done { result: u64::from(byte), text: vec![byte], buffer: None }
            }
            Native::Bytes => {
                let mut text = Vec::new();
                for i in 0..argument(2) {
                    text.push(call.byte(argument(1).wrapping_add(i))?);
                }
                Done { result: argument(3), text, buffer: None }
            }
            Native::Number => {
                let mut digits = String::new();
                for i in 0..argument(1) {
                    digits.push(char::from(call.byte(argument(0).wrapping_add(i))?));
                }
                let value: f64 = digits.parse().unwrap_or(0.0);
                Done { result: value.to_bits(), text: Vec::new(), buffer: None }
            }
        })
    }

    /// Add to what the program printed, if anybody wants to know.
    fn print(&mut self, program: &CProgram, text: &[u8]) {
        if program.records() {
            std::rc::Rc::make_mut(&mut self.output).extend_from_slice(text);
        }
    }
}

impl<'a> Call<'a> {
    /// The arguments of a `va_list`: behind those that would be in registers of the machine, which nothing is.
    fn list(&mut self, list: u64) -> Result<Words<'a>, Stop> {
        Ok(Words::List { at: self.load(list.wrapping_add(8), Width::B8)? })
    }
}

struct Done {
    text: Vec<u8>,
    result: u64,
    /// Where the text goes, and how many bytes there are.
    buffer: Option<(u64, u64)>,
}
