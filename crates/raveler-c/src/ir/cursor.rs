//! The reader's view of the text: one token at a time, and what is skipped on purpose.
//!
//! Attributes differ from version to version and mean nothing to a checker, so any word may stand where one
//! is allowed. That is safe only because the words that start a type or a value are known, and because
//! skipping ends with the line: an attribute never stands on the next one, an instruction does.

use std::str::FromStr;

use super::Type;
use super::lex::{Fault, Name, Result, Token, unescape};
use super::reader::Reader;
use super::words;

/// How deep types and constants may nest. Clang stays far below; the stack is far larger.
const DEEPEST: u32 = 200;

impl<'a> Reader<'a> {
    /// Go to the next token.
    pub(super) fn advance(&mut self) -> Result<()> {
        self.lexer.space();
        self.start = self.lexer.at;
        self.line = self.lexer.line;
        self.fresh = self.line != self.end_line;
        self.token = self.lexer.token()?;
        self.end_line = self.lexer.line;
        Ok(())
    }

    /// An error at the current token.
    pub(super) fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.start, message)
    }

    /// An error that says what should stand here instead.
    pub(super) fn expected(&self, what: &str) -> Fault {
        if self.token == Token::End {
            return self.fault(format!("expected {what}, found the end of the text"));
        }
        let mut found: String = self.text[self.start..self.lexer.at].chars().take(40).collect();
        if found.len() < self.lexer.at - self.start {
            found.push_str("...");
        }
        self.fault(format!("expected {what}, found `{found}`"))
    }

    pub(super) fn at(&self, symbol: u8) -> bool {
        self.token == Token::Symbol(symbol)
    }

    /// Go over this symbol if it stands here.
    pub(super) fn eat(&mut self, symbol: u8) -> Result<bool> {
        let found = self.at(symbol);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn expect(&mut self, symbol: u8) -> Result<()> {
        if self.eat(symbol)? { Ok(()) } else { Err(self.expected(&format!("`{}`", symbol as char))) }
    }

    /// Go over this word if it stands here.
    pub(super) fn eat_word(&mut self, word: &str) -> Result<bool> {
        let found = self.token == Token::Word(word);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word)? { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// A number without a sign.
    pub(super) fn number<N: FromStr>(&mut self) -> Result<N> {
        let Token::Integer(digits) = self.token else { return Err(self.expected("a number")) };
        let number =
            digits.parse().map_err(|_| self.fault(format!("the number {digits} does not fit here")))?;
        self.advance()?;
        Ok(number)
    }

    /// A quoted text, with escapes.
    pub(super) fn quoted(&mut self) -> Result<&'a str> {
        let Token::Text(text) = self.token else { return Err(self.expected("a quoted text")) };
        self.advance()?;
        Ok(text)
    }

    /// Whether a comma stands here and more of this instruction follows it: go over the comma. A comma before
    /// metadata belongs to the attachments at the end, and stays.
    pub(super) fn more(&mut self) -> Result<bool> {
        if !self.at(b',') || self.lexer.next_byte() == b'!' {
            return Ok(false);
        }
        self.advance()?;
        Ok(true)
    }

    /// Skip from the `(` here past the `)` that closes it.
    pub(super) fn skip_parentheses(&mut self) -> Result<()> {
        if !self.at(b'(') {
            return Err(self.expected("`(`"));
        }
        self.lexer.balanced(1)?;
        self.end_line = self.lexer.line;
        self.advance()
    }

    /// Skip the attribute here: a word with what is in its parentheses, a text with its value, `#5`. False if
    /// there is none.
    pub(super) fn skip_attribute(&mut self) -> Result<bool> {
        match self.token {
            Token::Word(word) => {
                self.advance()?;
                if self.at(b'(') {
                    self.skip_parentheses()?;
                } else if matches!(word, "align" | "alignstack" | "cc") {
                    self.number::<u64>()?;
                }
            }
            Token::Text(_) => {
                self.advance()?;
                if self.eat(b'=')? {
                    self.quoted()?;
                }
            }
            Token::Attributes => self.advance()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Skip what may stand before a type: flags, calling conventions, attributes of the result.
    pub(super) fn skip_to_type(&mut self) -> Result<()> {
        while !self.starts_type() {
            if !self.skip_attribute()? {
                return Err(self.expected("a type"));
            }
        }
        Ok(())
    }

    /// Skip attributes up to the end of the line, or to something else, or to this word.
    pub(super) fn skip_attributes(&mut self, end: &str) -> Result<()> {
        while !self.fresh && self.token != Token::Word(end) && self.skip_attribute()? {}
        Ok(())
    }

    /// `(T)` after `byval` and its like.
    pub(super) fn type_in_parentheses(&mut self) -> Result<Type> {
        self.expect(b'(')?;
        let ty = self.ty()?;
        self.expect(b')')?;
        Ok(ty)
    }

    pub(super) fn starts_type(&self) -> bool {
        match self.token {
            Token::Local(_) | Token::Symbol(b'{' | b'[' | b'<') => true,
            Token::Word(word) => words::starts_type(word),
            _ => false,
        }
    }

    /// Read something that may contain its like.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= DEEPEST {
            return Err(self.fault(format!("nested more than {DEEPEST} deep")));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// A name as others know it.
    pub(super) fn name(&self, name: Name<'a>) -> Result<String> {
        match name {
            Name::Number(number) => Ok(number.to_string()),
            Name::Text(text) => String::from_utf8(unescape(text).into_owned())
                .map_err(|_| self.fault(format!("the name `{text}` is not UTF-8"))),
        }
    }
}
