//! Calls, and the notes to debuggers that look like calls or stand between instructions.

use super::debug::Source;
use super::lex::{Result, Token, unescape};
use super::reader::Reader;
use super::{Argument, Callee, Constant, Local, Op, Operand, Type, Value};

/// Metadata as an argument.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Note {
    /// A local value.
    Local(Local),
    /// A node.
    Node(Source),
    /// `!DIExpression()`: the value as it is.
    Plain,
    /// Something that nobody asks for.
    Other,
}

impl<'a> Reader<'a> {
    /// A call from behind its first word.
    pub(super) fn call(&mut self, unwinds: bool) -> Result<(Op, Type)> {
        self.skip_to_type()?;
        let (result, fixed) = match self.ty()? {
            Type::Function(ty) => (ty.result, ty.variadic.then_some(ty.parameters.len())),
            ty => (ty, None),
        };
        let callee = self.callee()?;
        self.notes_of_call.clear();
        self.expect(b'(')?;
        let mut arguments = Vec::new();
        while !self.at(b')') {
            // A `musttail` call passes on the rest of its own arguments.
            if self.token == Token::Ellipsis {
                return Err(self.fault("passing on variable arguments is not supported"));
            }
            arguments.push(self.argument()?);
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(b')')?;
        self.skip_attributes("to")?;
        self.bundles()?;
        let invoke = if unwinds {
            self.expect_word("to")?;
            let normal = self.label()?;
            self.expect_word("unwind")?;
            Some((normal, self.label()?))
        } else {
            None
        };
        if matches!(&callee, Callee::Function(name) if name == "llvm.dbg.declare") {
            self.declare();
        }
        let ty = result.clone();
        Ok((Op::Call { callee, result, fixed, arguments, invoke }, ty))
    }

    fn callee(&mut self) -> Result<Callee> {
        match self.token {
            Token::Global(name) => Ok(Callee::Function(self.global_name(name)?)),
            Token::Word("asm") => self.assembly(),
            _ => Ok(match self.value(&Type::Pointer)? {
                Value::Constant(Constant::Global(name)) => Callee::Function(name),
                value => Callee::Pointer(value),
            }),
        }
    }

    fn assembly(&mut self) -> Result<Callee> {
        self.advance()?;
        while let Token::Word(_) = self.token {
            self.advance()?;
        }
        let template = self.quoted()?;
        self.expect(b',')?;
        let constraints = self.quoted()?;
        let plain = |text| String::from_utf8_lossy(&unescape(text)).into_owned();
        Ok(Callee::Assembly(plain(template), plain(constraints)))
    }

    fn argument(&mut self) -> Result<Argument> {
        if self.eat_word("metadata")? {
            let note = self.note()?;
            self.notes_of_call.push(note);
            let operand = Operand { ty: Type::Other, value: Value::Metadata };
            return Ok(Argument { operand, by_value: None });
        }
        let ty = self.ty()?;
        let (by_value, _) = self.parameter_attributes(&ty)?;
        let value = self.value(&ty)?;
        Ok(Argument { operand: Operand { ty, value }, by_value })
    }

    /// `[ "name"(operands), ... ]` behind a call: assumptions about values, of no interest.
    fn bundles(&mut self) -> Result<()> {
        if !self.eat(b'[')? {
            return Ok(());
        }
        loop {
            self.quoted()?;
            self.expect(b'(')?;
            while !self.at(b')') {
                self.argument()?;
                if !self.eat(b',')? {
                    break;
                }
            }
            self.expect(b')')?;
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(b']')
    }

    /// Metadata where an argument stands: a node, or a value.
    fn note(&mut self) -> Result<Note> {
        match self.token {
            Token::Metadata(_) | Token::Exclamation => {
                let start = self.start;
                let source = self.node()?;
                let empty = |end: u32| &self.text[start..end as usize] == "!DIExpression()";
                let plain = matches!(source, Source::Inline(_, end) if empty(end));
                Ok(if plain { Note::Plain } else { Note::Node(source) })
            }
            _ => match self.operand()?.value {
                Value::Local(local) => Ok(Note::Local(local)),
                _ => Ok(Note::Other),
            },
        }
    }

    /// A node by number or in place.
    fn node(&mut self) -> Result<Source> {
        let start = self.start;
        let source = match self.token {
            Token::Metadata(name) if name.starts_with(|c: char| c.is_ascii_digit()) => {
                let number = name.parse().map_err(|_| self.fault(format!("`!{name}` is not a node")))?;
                self.advance()?;
                return Ok(Source::Node(number, start as u32));
            }
            Token::Metadata(_) | Token::Exclamation => {
                self.advance()?;
                match self.token {
                    Token::Symbol(b'(' | b'{') => self.lexer.balanced(1)?,
                    Token::Text(_) => {}
                    _ => return Err(self.expected("metadata")),
                }
                Source::Inline(start as u32, self.lexer.at as u32)
            }
            _ => return Err(self.expected("metadata")),
        };
        self.advance()?;
        Ok(source)
    }

    /// `!dbg !5` and others, with a comma before each behind an instruction: the node of `dbg`. Metadata that
    /// starts a line is a node of its own.
    pub(super) fn attachments(&mut self) -> Result<Option<Source>> {
        let mut debug = None;
        loop {
            if self.eat(b',')? {
                if !matches!(self.token, Token::Metadata(_)) {
                    return Err(self.expected("metadata"));
                }
            } else if self.fresh {
                return Ok(debug);
            }
            let Token::Metadata(name) = self.token else { return Ok(debug) };
            self.advance()?;
            let node = self.node()?;
            if name == "dbg" && debug.is_none() {
                debug = Some(node);
            }
        }
    }

    /// A debug record between instructions, which newer versions write instead of a call.
    pub(super) fn record(&mut self, name: &str) -> Result<()> {
        if !name.starts_with("dbg_") {
            return Err(self.fault(format!("the record `#{name}` is not known")));
        }
        self.advance()?;
        if name != "dbg_declare" {
            return self.skip_parentheses();
        }
        self.expect(b'(')?;
        self.notes_of_call.clear();
        while !self.at(b')') {
            let note = self.note()?;
            self.notes_of_call.push(note);
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(b')')?;
        self.declare();
        Ok(())
    }

    /// Remember the variable that these notes declare. An expression that does something says that the
    /// variable is somewhere else than where the pointer points to.
    fn declare(&mut self) {
        if let [Note::Local(local), Note::Node(variable), Note::Plain, ..] = self.notes_of_call[..] {
            self.body.variables.push((local, variable));
        }
    }
}
