//! From tokens to the tree of a litmus test: the initial state, the threads, and what follows them.
//!
//! After a mistake the parser goes on at the next `;`, `}` or thread, so that several mistakes are found at once.
//!
//! This file is long because it is one grammar.

mod condition;
mod expression;
mod statement;

use std::num::IntErrorKind;

use crate::ast::{File, Initial, InitialValue, Name, Parameter, Thread};
use crate::error::{self, Errors, Noted, Result};
use crate::lex::{Kind, Span, Token};
use crate::types::{Scalar, Type, named};

/// How deep statements, expressions and conditions may be nested: the parser must not run out of stack.
const MAX_NESTING: u32 = 200;
/// How many links a chain of operators may have, and how high any expression may be.
const MAX_HEIGHT: u16 = 1000;

pub(crate) struct Parser<'t, 'e> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    nesting: u32,
    errors: &'e mut Errors,
}

/// Words that begin what follows the threads.
fn begins_final(word: &str) -> bool {
    matches!(word, "locations" | "filter" | "exists" | "forall")
}

/// The number in `P12`.
fn thread_number(word: &str) -> Option<u64> {
    let digits = word.strip_prefix('P')?;
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
        .then(|| digits.parse().unwrap_or(u64::MAX))
}

pub(crate) fn parse<'t>(text: &'t str, tokens: Vec<Token>, errors: &mut Errors) -> File<'t> {
    let mut parser = Parser { text, tokens, at: 0, nesting: 0, errors };
    let mut file = File::default();
    parser.initial_state(&mut file);
    parser.threads(&mut file);
    parser.final_part(&mut file);
    file
}

impl<'t> Parser<'t, '_> {
    fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    /// The token after the next one.
    fn peek_second(&self) -> Token {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)]
    }

    fn word_of(&self, token: Token) -> &'t str {
        &self.text[token.span.range()]
    }

    /// Where the last token taken ends.
    fn last(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn advance(&mut self) -> Token {
        let token = self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.peek().kind, Kind::Symbol(s) if s == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        self.peek().kind == Kind::Word && self.word_of(self.peek()) == word
    }

    fn is_end(&self) -> bool {
        self.peek().kind == Kind::End
    }

    fn take(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.at += 1;
        }
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.at += 1;
        }
        found
    }

    fn expect(&mut self, symbol: &str, after: &str) -> Result<Span> {
        if self.take(symbol) { Ok(self.last()) } else { Err(self.unexpected(&format!("`{symbol}`{after}"))) }
    }

    fn expect_name(&mut self, what: &str) -> Result<Name<'t>> {
        if self.peek().kind != Kind::Word {
            return Err(self.unexpected(what));
        }
        let token = self.advance();
        Ok(Name { text: self.word_of(token), span: token.span })
    }

    /// Note that the next token is not what was expected.
    fn unexpected(&mut self, expected: &str) -> Noted {
        let token = self.peek();
        let found = match token.kind {
            Kind::End => "the end of the file".to_string(),
            _ => {
                let text: String = self.word_of(token).chars().take(40).collect();
                format!("`{text}`")
            }
        };
        let help = match token.kind {
            Kind::End => "the test seems to be cut off",
            _ => "",
        };
        let message = format!("found {found} where {expected} is expected");
        let span = if token.kind == Kind::End { self.last() } else { token.span };
        self.errors.push(error::UNEXPECTED, span, message, &format!("expected {expected}"), help)
    }

    /// Run `inner` one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.nesting >= MAX_NESTING {
            let span = self.peek().span;
            self.too_deep(span);
            self.errors.seal();
            self.at = self.tokens.len() - 1;
            return Err(Noted);
        }
        self.nesting += 1;
        let result = inner(self);
        self.nesting -= 1;
        result
    }

    fn too_deep(&mut self, span: Span) -> Noted {
        self.errors.push(
            error::TOO_DEEP,
            span,
            format!(
                "this is nested more than {MAX_NESTING} deep, or a chain of more than {MAX_HEIGHT} operators"
            ),
            "too deep",
            "split it into several statements",
        )
    }

    /// Is the next token the start of a thread, or of what follows the threads?
    fn at_boundary(&self) -> bool {
        let next = self.peek();
        let second = self.peek_second();
        match next.kind {
            Kind::End => true,
            Kind::Word => {
                let word = self.word_of(next);
                let opens = matches!(second.kind, Kind::Symbol("(" | "["));
                opens && (thread_number(word).is_some() || begins_final(word))
            }
            Kind::Symbol("~") => second.kind == Kind::Word && self.word_of(second) == "exists",
            _ => false,
        }
    }

    fn skip_to_boundary(&mut self) {
        while !self.at_boundary() {
            self.at += 1;
        }
    }

    /// Skip to the end of a statement or entry: behind the next `;`, or before a `}` or boundary.
    fn skip_statement(&mut self) {
        let mut depth = 0u32;
        while !self.at_boundary() {
            match self.peek().kind {
                Kind::Symbol(";") if depth == 0 => {
                    self.at += 1;
                    return;
                }
                Kind::Symbol("{") => depth += 1,
                Kind::Symbol("}") if depth == 0 => return,
                Kind::Symbol("}") => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// A number as it is written; its suffix says `unsigned` or `long`.
    fn number(&mut self) -> Result<(u64, bool, bool, Span)> {
        let token = self.peek();
        if token.kind != Kind::Number {
            return Err(self.unexpected("a number"));
        }
        self.at += 1;
        let word = self.word_of(token).to_ascii_lowercase();
        let digits = word.trim_end_matches(['u', 'l']);
        let suffix = &word[digits.len()..];
        let (unsigned, long) = (suffix.contains('u'), suffix.contains('l'));
        let hex = digits.strip_prefix("0x");
        let value = match hex {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => digits.parse::<u64>(),
        };
        let octal = hex.is_none() && digits.len() > 1 && digits.starts_with('0');
        match value {
            Ok(value) if !octal && suffix.len() <= 3 => Ok((value, unsigned, long, token.span)),
            _ => {
                let shown: String = self.word_of(token).chars().take(40).collect();
                let (why, help) = if octal {
                    (
                        "begins with 0, which means octal in C and decimal in herd7",
                        "leave the leading zeros out",
                    )
                } else if matches!(&value, Err(e) if *e.kind() == IntErrorKind::PosOverflow) {
                    ("does not fit into 64 bits", "the greatest number is 18446744073709551615")
                } else {
                    ("is not a number", "numbers are decimal, or hexadecimal after `0x`")
                };
                let message = format!("`{shown}` {why}");
                Err(self.errors.push(error::BAD_NUMBER, token.span, message, "this number", help))
            }
        }
    }

    /// A number with an optional minus.
    fn signed_number(&mut self) -> Result<(i128, Span)> {
        let start = self.peek().span;
        let negative = self.take("-");
        let (value, _, _, span) = self.number()?;
        let value = if negative { -(value as i128) } else { value as i128 };
        Ok((value, start.to(span)))
    }

    // ── Types ────────────────────────────────────────────────────────────────────────────────────────

    /// Does a type begin with this token?
    fn begins_type(&self, token: Token) -> bool {
        token.kind == Kind::Word && {
            let word = self.word_of(token);
            is_qualifier(word) || is_basic(word) || named(word).is_some()
        }
    }

    /// Type words up to the first `*` or name: `volatile unsigned long`, `_Atomic(int)`, `atomic_int`.
    fn base_type(&mut self) -> Result<Type> {
        let start = self.peek().span;
        let mut basic: Vec<&str> = Vec::new();
        let mut found: Option<Type> = None;
        let mut qualified = false;
        while self.begins_type(self.peek()) {
            let token = self.advance();
            let word = self.word_of(token);
            if word == "_Atomic" && self.is("(") {
                self.at += 1;
                let inner = self.nested(|p| p.base_type())?;
                found = Some(self.stars(inner));
                self.expect(")", " after the type")?;
            } else if is_qualifier(word) {
                qualified = true;
            } else if let Some(scalar) = named(word) {
                found = Some(Type::integer(scalar));
            } else {
                basic.push(word);
            }
        }
        match (found, basic.is_empty()) {
            (Some(ty), true) => Ok(ty),
            (None, false) => match basic_type(&basic) {
                Some(ty) => Ok(ty),
                None => Err(self.unknown_type(start.to(self.last()), &basic.join(" "))),
            },
            (None, true) if !qualified && self.peek().kind == Kind::Word => {
                let token = self.peek();
                Err(self.unknown_type(token.span, self.word_of(token)))
            }
            (None, true) => Err(self.unexpected("a type")),
            (Some(_), false) => Err(self.unknown_type(start.to(self.last()), "a mix of two types")),
        }
    }

    fn unknown_type(&mut self, span: Span, name: &str) -> Noted {
        self.errors.push(
            error::UNKNOWN_TYPE,
            span,
            format!("`{name}` is not a type that litmus tests can use"),
            "expected an integer type",
            "types are C's integers, `atomic_...` ones, and pointers to them",
        )
    }

    /// The stars (and qualifiers between them) after a type.
    fn stars(&mut self, mut ty: Type) -> Type {
        loop {
            if self.take("*") {
                ty = ty.pointer();
            } else if self.peek().kind == Kind::Word && is_qualifier(self.word_of(self.peek())) {
                self.at += 1;
            } else {
                return ty;
            }
        }
    }

    // ── The initial state ────────────────────────────────────────────────────────────────────────────

    fn initial_state(&mut self, file: &mut File<'t>) {
        let open = self.advance().span;
        while !self.is("}") {
            if self.at_boundary() {
                self.errors.push(
                    error::BRACES,
                    open,
                    "the initial state is not closed".to_string(),
                    "opened here",
                    "put `}` before the first thread",
                );
                return;
            }
            if self.take(";") {
                continue;
            }
            match self.initial() {
                Ok(entry) => file.initial.push(entry),
                Err(Noted) => self.skip_statement(),
            }
        }
        self.at += 1;
    }

    fn initial(&mut self) -> Result<Initial<'t>> {
        let bracket = self.take("[");
        let mut ty = None;
        if !bracket && self.begins_type(self.peek()) {
            let base = self.base_type()?;
            ty = Some(self.stars(base));
        }
        let mut thread = None;
        if !bracket && self.peek().kind == Kind::Number {
            let (number, _, _, span) = self.number()?;
            self.expect(":", " after the thread's number")?;
            thread = Some((number, span));
        }
        let name = self.expect_name("the name of a location or register")?;
        if bracket {
            self.expect("]", " after the location")?;
        }
        let array = if !bracket && self.take("[") {
            let (size, _, _, span) = self.number()?;
            self.expect("]", " after the size")?;
            Some((size, span))
        } else {
            None
        };
        let mut values = Vec::new();
        if self.take("=") {
            if array.is_some() && self.take("{") {
                while !self.is("}") {
                    values.push(self.initial_value()?);
                    if !self.take(",") {
                        break;
                    }
                }
                self.expect("}", " after the values")?;
            } else {
                values.push(self.initial_value()?);
            }
        }
        if !self.is("}") {
            self.expect(";", " after the initial value")?;
        }
        Ok(Initial { thread, name, ty, array, values })
    }

    fn initial_value(&mut self) -> Result<InitialValue<'t>> {
        let address = self.take("&");
        if !address && (self.is("-") || self.peek().kind == Kind::Number) {
            let (number, span) = self.signed_number()?;
            return Ok(InitialValue::Number(number, span));
        }
        let name = self.expect_name("a number or the name of a location")?;
        let index = self.index()?;
        Ok(InitialValue::Address(name, index))
    }

    /// `[3]` after a name, if it is there.
    fn index(&mut self) -> Result<Option<(u64, Span)>> {
        if !self.take("[") {
            return Ok(None);
        }
        let (index, _, _, span) = self.number()?;
        self.expect("]", " after the index")?;
        Ok(Some((index, span)))
    }

    // ── Threads ──────────────────────────────────────────────────────────────────────────────────────

    fn threads(&mut self, file: &mut File<'t>) {
        loop {
            self.take_word("void");
            let token = self.peek();
            let word = self.word_of(token);
            if token.kind == Kind::Word && thread_number(word).is_some() {
                if let Ok(thread) = self.thread() {
                    file.threads.push(thread);
                } else {
                    self.skip_to_boundary();
                }
            } else if self.at_boundary() || (token.kind == Kind::Word && begins_final(word)) {
                return;
            } else if self.is("}") {
                self.errors.push(
                    error::BRACES,
                    token.span,
                    "this `}` closes nothing".to_string(),
                    "without an opening brace",
                    "remove it, or look for a missing `{` above",
                );
                self.at += 1;
            } else {
                self.unexpected("a thread such as `P0 (atomic_int* x) { ... }` or the final condition");
                self.skip_to_boundary();
            }
        }
    }

    fn thread(&mut self) -> Result<Thread<'t>> {
        let token = self.advance();
        let number = thread_number(self.word_of(token)).ok_or(Noted)?;
        self.expect("(", " after the thread's name")?;
        let mut parameters = Vec::new();
        if self.is_word("void") && self.peek_second().kind == Kind::Symbol(")") {
            self.at += 1;
        }
        while !self.is(")") {
            parameters.push(self.parameter()?);
            if !self.take(",") {
                break;
            }
        }
        self.expect(")", " or `,` after the parameter")?;
        let open = if self.is("{") {
            self.advance().span
        } else {
            let span = self.peek().span;
            return Err(self.errors.push(
                error::BRACES,
                span,
                format!("the body of P{number} does not begin with `{{`"),
                "expected `{`",
                "write the body as `{ ... }`",
            ));
        };
        let body = self.statements(open, &format!("the body of P{number}"));
        Ok(Thread { number, span: token.span, parameters, body })
    }

    fn parameter(&mut self) -> Result<Parameter<'t>> {
        let base = self.base_type()?;
        let mut ty = self.stars(base);
        let name = self.expect_name("the parameter's name")?;
        if self.take("[") {
            if self.peek().kind == Kind::Number {
                self.number()?;
            }
            self.expect("]", " after the size")?;
            ty = ty.pointer();
        }
        Ok(Parameter { name, ty })
    }
}

fn is_qualifier(word: &str) -> bool {
    matches!(word, "const" | "volatile" | "restrict" | "register" | "_Atomic" | "static" | "auto")
}

fn is_basic(word: &str) -> bool {
    matches!(word, "char" | "short" | "int" | "long" | "signed" | "unsigned" | "void")
}

/// The type that C gives a list of basic words.
fn basic_type(words: &[&str]) -> Option<Type> {
    let count = |w: &str| words.iter().filter(|x| **x == w).count();
    let (chars, shorts, ints, longs) = (count("char"), count("short"), count("int"), count("long"));
    let (signed, unsigned, voids) = (count("signed"), count("unsigned"), count("void"));
    if voids > 0 {
        return (words.len() == 1).then_some(Type::VOID);
    }
    if signed + unsigned > 1 || ints > 1 {
        return None;
    }
    let pick = |s, u| if unsigned == 1 { u } else { s };
    Some(Type::integer(match (chars, shorts, longs) {
        (1, 0, 0) if ints == 0 => pick(Scalar::I8, Scalar::U8),
        (0, 1, 0) => pick(Scalar::I16, Scalar::U16),
        (0, 0, 0) => pick(Scalar::I32, Scalar::U32),
        (0, 0, 1 | 2) => pick(Scalar::I64, Scalar::U64),
        _ => return None,
    }))
}
