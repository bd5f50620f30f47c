//! What prints: to the output, which is remembered if anybody wants it, or to a buffer.

use super::Lowerer;
use super::function::{Body, Result};
use super::library::Given;
use crate::code::{Inst, Native, Operand};
use crate::ir::Argument;

/// `stdout` as a file descriptor.
const OUTPUT: u64 = 1;

impl Lowerer<'_> {
    /// A function that prints. False if it is none.
    pub(super) fn prints(&mut self, body: &mut Body<'_>, name: &str, given: &Given<'_>) -> Result<bool> {
        // The function, how many arguments come before the stream or the buffer's size, where the format stands.
        let (function, operands) = match name {
            "printf" => (Native::Print, self.printing(body, given, None, 0)?),
            "__printf_chk" => (Native::Print, self.printing(body, given, None, 1)?),
            "fprintf" | "dprintf" => (Native::Print, self.printing(body, given, Some(0), 1)?),
            "__fprintf_chk" => (Native::Print, self.printing(body, given, Some(0), 2)?),
            "vprintf" => (Native::PrintList, self.printing(body, given, None, 0)?),
            "vfprintf" | "vdprintf" => (Native::PrintList, self.printing(body, given, Some(0), 1)?),
            "sprintf" => (Native::Format, self.formatting(body, given, None, 1)?),
            "snprintf" => (Native::Format, self.formatting(body, given, Some(1), 2)?),
            "__sprintf_chk" => (Native::Format, self.formatting(body, given, None, 3)?),
            "__snprintf_chk" => (Native::Format, self.formatting(body, given, Some(1), 4)?),
            "vsprintf" => (Native::FormatList, self.formatting(body, given, None, 1)?),
            "vsnprintf" => (Native::FormatList, self.formatting(body, given, Some(1), 2)?),
            "puts" => {
                let text = self.argument(body, given, 0)?;
                (Native::Text, vec![body.constant(OUTPUT), text, body.constant(1)])
            }
            "fputs" => {
                let text = self.argument(body, given, 0)?;
                let stream = self.argument(body, given, 1)?;
                (Native::Text, vec![stream, text, body.constant(0)])
            }
            "putchar" | "putchar_unlocked" => {
                let character = self.argument(body, given, 0)?;
                (Native::Character, vec![body.constant(OUTPUT), character])
            }
            "fputc" | "putc" => {
                let character = self.argument(body, given, 0)?;
                (Native::Character, vec![self.argument(body, given, 1)?, character])
            }
            "rv_parse_double" => {
                let digits = self.argument(body, given, 0)?;
                (Native::Number, vec![digits, self.argument(body, given, 1)?])
            }
            "write" => {
                let (file, at, size) = (
                    self.argument(body, given, 0)?,
                    self.argument(body, given, 1)?,
                    self.argument(body, given, 2)?,
                );
                (Native::Bytes, vec![file, at, size, size])
            }
            "fwrite" => {
                let (at, size) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                let (count, stream) = (self.argument(body, given, 2)?, self.argument(body, given, 3)?);
                let all = body.fresh(1);
                body.emit(Inst::Arith {
                    op: crate::code::Arith::Mul,
                    bits: 64,
                    to: all,
                    left: size,
                    right: count,
                });
                (Native::Bytes, vec![stream, at, Operand::register(all), count])
            }
            _ => return Ok(false),
        };
        let (first, count) = body.list(&operands);
        body.emit(Inst::Native { function, to: given.to, first, count });
        Ok(true)
    }

    /// Stream, format, and what follows it.
    fn printing(
        &mut self,
        body: &mut Body<'_>,
        given: &Given<'_>,
        stream: Option<usize>,
        format: usize,
    ) -> Result<Vec<Operand>> {
        let stream = match stream {
            Some(at) => self.argument(body, given, at)?,
            None => body.constant(OUTPUT),
        };
        let mut operands = vec![stream, self.argument(body, given, format)?];
        operands.extend(self.further(body, given.arguments.get(format + 1..).unwrap_or_default())?);
        Ok(operands)
    }

    /// Buffer, its size, format, and what follows it.
    fn formatting(
        &mut self,
        body: &mut Body<'_>,
        given: &Given<'_>,
        size: Option<usize>,
        format: usize,
    ) -> Result<Vec<Operand>> {
        let buffer = self.argument(body, given, 0)?;
        let size = match size {
            Some(at) => self.argument(body, given, at)?,
            None => body.constant(u64::MAX),
        };
        let mut operands = vec![buffer, size, self.argument(body, given, format)?];
        operands.extend(self.further(body, given.arguments.get(format + 1..).unwrap_or_default())?);
        Ok(operands)
    }

    /// Further arguments as words; what is twice as large lies at an even one.
    pub(super) fn further(&mut self, body: &mut Body<'_>, arguments: &[Argument]) -> Result<Vec<Operand>> {
        let mut operands: Vec<Operand> = Vec::new();
        for argument in arguments {
            let words = self.words(body, argument)?;
            let ty = argument.by_value.as_ref().unwrap_or(&argument.operand.ty);
            if operands.len() % 2 == 1 && self.layout.align(ty).is_some_and(|align| align >= 16) {
                operands.push(body.constant(0));
            }
            operands.extend(words);
        }
        Ok(operands)
    }
}
