//! Functions of the library that run in raveler itself: what prints.
//!
//! What is printed goes nowhere in a search. It is kept by cursors that listen: those of reports, and of tests that run a
//! program once.
//!
//! They read memory that may be shared, which takes an event for each piece. Such a call begins again with every answer,
//! and finds the earlier ones in its list.

use std::rc::Rc;

use raveler_core::{Operation, Order, Stream, Text, Width};

use super::cursor::Pending;
use super::format::{self, Arguments};
use super::step::Stop;
use super::streams::Form;
use super::{CProgram, Cursor};
use crate::address::{self, Target};
use crate::code::{Item, Native, Reg};

/// What the standard streams are: numbers that no program's pointers have.
pub(crate) const STREAMS: [(&str, u64); 3] = [("stdin", 16), ("stdout", 17), ("stderr", 18)];

/// What a thread printed, where that is kept.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Output {
    pub texts: Vec<Text>,
    /// How the thread's next items of C++ look.
    pub form: Form,
}

/// Where this goes: a stream of C, a file descriptor, or a variable of C++.
fn stream_of(program: &CProgram, stream: u64) -> Option<Stream> {
    match stream {
        1 | 17 => return Some(Stream::Output),
        2 | 18 => return Some(Stream::Errors),
        _ => {}
    }
    let Target::Global { index, offset: 0 } = address::decode(stream) else { return None };
    match program.code.globals.get(index as usize)?.name.as_str() {
        "_ZSt4cout" => Some(Stream::Output),
        "_ZSt4cerr" | "_ZSt4clog" => Some(Stream::Errors),
        _ => None,
    }
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
                self.print(program, given.first().copied().unwrap_or(0), text);
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
                let text = call.bytes(argument(1), argument(2))?;
                Done { result: argument(3), text, buffer: None }
            }
            Native::Item(item) => {
                let text = match item {
                    Item::Text if argument(1) == 0 => Vec::new(),
                    Item::Text => format::string(&mut call, argument(1), None)?,
                    Item::Bytes | Item::Write => call.bytes(argument(1), argument(2))?,
                    Item::String => {
                        let at = call.load(argument(1), Width::B8)?;
                        let size = call.load(argument(1).wrapping_add(8), Width::B8)?;
                        call.bytes(at, size)?
                    }
                    _ => Vec::new(),
                };
                let text = self.item(program, item, &given[1..], text);
                Done { result: argument(0), text, buffer: None }
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

    /// Add to what the thread printed, if that is kept.
    fn print(&mut self, program: &CProgram, stream: u64, bytes: Vec<u8>) {
        if self.output.is_none() || bytes.is_empty() {
            return;
        }
        let site = self.current_site(program);
        if let (Some(output), Some(stream)) = (&mut self.output, stream_of(program, stream)) {
            Rc::make_mut(output).texts.push(Text { site, stream, bytes });
        }
    }

    /// An item that is written to a stream of C++, if that is kept: how it looks.
    fn item(&mut self, program: &CProgram, item: Item, given: &[u64], text: Vec<u8>) -> Vec<u8> {
        let Some(output) = &mut self.output else { return Vec::new() };
        let argument = |at: usize| given.get(at).copied().unwrap_or(0);
        let changes = match item {
            Item::Change => match address::decode(argument(0)) {
                Target::Function(number) => program.code.functions.get(number as usize),
                _ => None,
            },
            _ => None,
        };
        let form = &mut Rc::make_mut(output).form;
        match changes {
            Some(function) => form.change(&function.name),
            None => return form.write(item, (argument(0), argument(1)), text),
        }
        Vec::new()
    }

    /// From now on keep what is printed, in the form that it had so far.
    pub(super) fn listen(&mut self, earlier: Option<&Cursor>) {
        let form =
            earlier.and_then(|earlier| earlier.output.as_deref()).map_or_else(Form::default, |o| o.form);
        self.output = Some(Rc::new(Output { texts: Vec::new(), form }));
    }

    /// What it printed since.
    pub(super) fn printed(&self) -> &[Text] {
        self.output.as_ref().map_or(&[], |output| &output.texts)
    }
}

impl<'a> Call<'a> {
    fn bytes(&mut self, at: u64, size: u64) -> Result<Vec<u8>, Stop> {
        (0..size).map(|i| self.byte(at.wrapping_add(i))).collect()
    }

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
