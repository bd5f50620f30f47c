//! Statements of thread bodies.

use super::Parser;
use crate::ast::{Declarator, For, Statement, StatementKind};
use crate::error::{self, Noted, Result};
use crate::lex::{Kind, Span};

impl<'t> Parser<'t, '_> {
    /// Statements up to the `}` that belongs to `open`, which is taken too.
    pub(super) fn statements(&mut self, open: Span, what: &str) -> Vec<Statement<'t>> {
        let mut list = Vec::new();
        loop {
            if self.take("}") {
                return list;
            }
            if self.at_boundary() {
                self.errors.push(
                    error::BRACES,
                    open,
                    format!("{what} is not closed"),
                    "opened here",
                    "put a `}` where it ends",
                );
                return list;
            }
            let before = self.at;
            match self.statement() {
                Ok(statement) => list.push(statement),
                Err(Noted) => {
                    if self.errors.is_full() {
                        self.skip_to_boundary();
                    }
                    self.skip_statement();
                    if self.at == before && !self.is("}") && !self.at_boundary() {
                        self.at += 1;
                    }
                }
            }
        }
    }

    fn statement(&mut self) -> Result<Statement<'t>> {
        self.nested(|p| p.statement_here())
    }

    fn statement_here(&mut self) -> Result<Statement<'t>> {
        let token = self.peek();
        let start = token.span;
        let word = if token.kind == Kind::Word { self.word_of(token) } else { "" };
        let kind = match (token.kind, word) {
            (Kind::Symbol(";"), _) => {
                self.at += 1;
                StatementKind::Empty
            }
            (Kind::Symbol("{"), _) => {
                self.at += 1;
                StatementKind::Block(self.statements(start, "this block"))
            }
            (_, "if") => return self.if_statement(),
            (_, "while") => {
                self.at += 1;
                let condition = self.parenthesised("while")?;
                let span = start.to(self.last());
                let body = Box::new(self.statement()?);
                return Ok(Statement { kind: StatementKind::While { condition, body }, span });
            }
            (_, "do") => {
                self.at += 1;
                let body = Box::new(self.statement()?);
                let span = self.peek().span;
                if !self.take_word("while") {
                    return Err(self.unexpected("`while` after the body of `do`"));
                }
                let condition = self.parenthesised("while")?;
                let span = span.to(self.last());
                self.expect(";", " after `do ... while (...)`")?;
                return Ok(Statement { kind: StatementKind::Do { body, condition }, span });
            }
            (_, "for") => return self.for_statement(),
            (_, "break") => self.simple(StatementKind::Break)?,
            (_, "continue") => self.simple(StatementKind::Continue)?,
            (_, "return") => {
                self.at += 1;
                if !self.is(";") {
                    return Err(self.unsupported_here("`return` with a value"));
                }
                self.at += 1;
                StatementKind::Return
            }
            (
                _,
                "goto" | "switch" | "case" | "default" | "struct" | "union" | "enum" | "typedef" | "asm"
                | "else",
            ) => {
                return Err(self.unsupported_here(&format!("`{word}`")));
            }
            (Kind::Symbol("#"), _) => return Err(self.unsupported_here("a line for the preprocessor")),
            _ if self.begins_declaration() => self.declaration()?,
            (Kind::Word, _) if self.peek_second().kind == Kind::Word => {
                // `foo_t r0 = ...`: two words in a row can only be meant as a declaration.
                return Err(self.unknown_type(start, word));
            }
            _ => {
                let expression = self.expression()?;
                self.end_statement()?;
                StatementKind::Expression(expression)
            }
        };
        Ok(Statement { kind, span: start.to(self.last()) })
    }

    fn begins_declaration(&self) -> bool {
        self.begins_type(self.peek())
    }

    fn end_statement(&mut self) -> Result<Span> {
        if self.is(";") {
            return self.expect(";", "");
        }
        // The mark belongs behind the statement, not on whatever the next line begins with.
        let last = self.last();
        let next = self.peek();
        let found = match next.kind {
            Kind::End => "the end of the file".to_string(),
            _ => format!("`{}`", self.word_of(next).chars().take(40).collect::<String>()),
        };
        Err(self.errors.push(
            error::UNEXPECTED,
            last,
            format!("found {found} where `;` is expected after the statement"),
            "expected `;` after this",
            "end the statement with `;`",
        ))
    }

    fn simple(&mut self, kind: StatementKind<'t>) -> Result<StatementKind<'t>> {
        self.at += 1;
        self.end_statement()?;
        Ok(kind)
    }

    fn unsupported_here(&mut self, what: &str) -> Noted {
        let span = self.peek().span;
        self.errors.push(
            error::UNSUPPORTED_SYNTAX,
            span,
            format!("litmus tests do not have {what}"),
            "not part of litmus tests",
            "write it with `if` and loops, or check the program as a C file",
        )
    }

    fn parenthesised(&mut self, after: &str) -> Result<crate::ast::Expression<'t>> {
        self.expect("(", &format!(" after `{after}`"))?;
        let condition = self.expression()?;
        self.expect(")", " after the condition")?;
        Ok(condition)
    }

    fn if_statement(&mut self) -> Result<Statement<'t>> {
        let start = self.advance().span;
        let condition = self.parenthesised("if")?;
        let span = start.to(self.last());
        let then = Box::new(self.statement()?);
        let otherwise = if self.take_word("else") { Some(Box::new(self.statement()?)) } else { None };
        Ok(Statement { kind: StatementKind::If { condition, then, otherwise }, span })
    }

    fn for_statement(&mut self) -> Result<Statement<'t>> {
        let start = self.advance().span;
        self.expect("(", " after `for`")?;
        let begin = self.peek().span;
        let kind = if self.take(";") {
            StatementKind::Empty
        } else if self.begins_declaration() {
            self.declaration()?
        } else {
            let expression = self.expression()?;
            self.expect(";", " after the first part of `for`")?;
            StatementKind::Expression(expression)
        };
        let first = Statement { kind, span: begin.to(self.last()) };
        let condition = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";", " after the condition of `for`")?;
        let mut next = Vec::new();
        while !self.is(")") {
            next.push(self.expression()?);
            if !self.take(",") {
                break;
            }
        }
        self.expect(")", " after the last part of `for`")?;
        let span = start.to(self.last());
        let body = self.statement()?;
        Ok(Statement { kind: StatementKind::For(Box::new(For { first, condition, next, body })), span })
    }

    /// `int r0 = 1, *p;` with its semicolon.
    fn declaration(&mut self) -> Result<StatementKind<'t>> {
        let base = self.base_type()?;
        let mut list = Vec::new();
        loop {
            let ty = self.stars(base);
            let name = self.expect_name("the name of a register")?;
            if self.is("[") {
                return Err(self.errors.push(
                    error::UNSUPPORTED_SYNTAX,
                    name.span,
                    format!("`{}` is an array, and threads cannot declare arrays", name.text),
                    "declared here",
                    "declare it in the initial state, such as `{ int a[3]; }`, and pass it as a parameter",
                ));
            }
            let value = if self.take("=") { Some(self.assignment()?) } else { None };
            list.push(Declarator { name, ty, value });
            if !self.take(",") {
                break;
            }
        }
        self.end_statement()?;
        Ok(StatementKind::Declare(list))
    }
}
