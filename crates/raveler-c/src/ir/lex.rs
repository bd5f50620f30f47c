//! Tokens of LLVM IR, as slices of the text.
//!
//! Nothing is copied: a name or a string is the slice between its quotes with escapes still in it, and
//! [`unescape`] is called where somebody keeps it. What is only skipped (attributes in parentheses, metadata
//! nodes) never becomes tokens at all, because metadata is most of the text.

use std::borrow::Cow;
use std::ops::Range;

/// What is wrong, and at which byte. Lines and columns are counted only when the error leaves the reader.
#[derive(Debug)]
pub(super) struct Fault {
    pub at: usize,
    pub message: String,
}

impl Fault {
    pub fn new(at: usize, message: impl Into<String>) -> Fault {
        Fault { at, message: message.into() }
    }
}

pub(super) type Result<T> = std::result::Result<T, Fault>;

/// A name after `%`, `@` or `$`. `%5` is the fifth unnamed value and another thing than `%"5"`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Name<'a> {
    Number(u32),
    /// Without quotes, escapes kept.
    Text(&'a str),
}

/// The smallest piece of the text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Token<'a> {
    /// A keyword, a type, an instruction, an attribute.
    Word(&'a str),
    /// `name:`
    Label(Name<'a>),
    /// `%name`
    Local(Name<'a>),
    /// `@name`
    Global(Name<'a>),
    /// `$name`
    Comdat,
    /// `!name` or `!5`: what follows the mark.
    Metadata(&'a str),
    /// `!` before a brace or a quote.
    Exclamation,
    /// `#5`
    Attributes,
    /// `#dbg_declare` and its like: what follows the mark.
    Record(&'a str),
    /// `5`, `-5`
    Integer(&'a str),
    /// `1.0e+00`, `0x3FF0000000000000`, `0xK...`
    Float(&'a str),
    /// `"..."`: what is between the quotes, escapes kept.
    Text(&'a str),
    /// `c"..."`
    Bytes(&'a str),
    /// `...`
    Ellipsis,
    /// One of `()[]{}<>,=*|:`
    Symbol(u8),
    /// The end of the text.
    End,
}

/// Where the reader stands in the text.
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// The next byte to look at; always at the boundary of a character.
    pub at: usize,
    /// The line of that byte, from 1.
    pub line: u32,
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_')
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        Lexer { text, at: 0, line: 1 }
    }

    /// The byte `ahead` of the next one; 0 past the end.
    fn peek(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Go over the bytes that `keep` accepts.
    fn run(&mut self, keep: fn(u8) -> bool) -> &'a str {
        let start = self.at;
        let rest = &self.text.as_bytes()[start..];
        self.at += rest.iter().position(|&b| !keep(b)).unwrap_or(rest.len());
        &self.text[start..self.at]
    }

    /// Go over white space and comments.
    pub fn space(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'\n' => self.line += 1,
                b' ' | b'\t' | b'\r' => {}
                b';' => {
                    let rest = &bytes[self.at..];
                    self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                    continue;
                }
                _ => return,
            }
            self.at += 1;
        }
    }

    /// The byte that the next token starts with; 0 at the end. For a look past the current token.
    pub fn next_byte(&mut self) -> u8 {
        self.space();
        self.peek(0)
    }

    /// The token that starts here; white space has been skipped.
    pub fn token(&mut self) -> Result<Token<'a>> {
        let start = self.at;
        let token = match self.peek(0) {
            0 if start == self.text.len() => Token::End,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'.' => return self.word(),
            b'0'..=b'9' | b'-' | b'+' => return self.number(),
            b'%' => Token::Local(self.name()?),
            b'@' => Token::Global(self.name()?),
            b'!' => {
                self.at += 1;
                match self.run(|b| is_name(b) || b == b'\\') {
                    "" => Token::Exclamation,
                    name => Token::Metadata(name),
                }
            }
            b'#' => {
                self.at += 1;
                match self.run(is_name) {
                    "" => return Err(Fault::new(start, "`#` without a number or a name")),
                    name if name.bytes().all(|b| b.is_ascii_digit()) => Token::Attributes,
                    name => Token::Record(name),
                }
            }
            b'"' => {
                let text = self.quoted()?;
                if self.peek(0) == b':' {
                    self.at += 1;
                    Token::Label(Name::Text(text))
                } else {
                    Token::Text(text)
                }
            }
            symbol @ (b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b'=' | b'*' | b'|'
            | b':') => {
                self.at += 1;
                Token::Symbol(symbol)
            }
            _ => {
                let found = self.text[start..].chars().next().unwrap_or(' ');
                return Err(Fault::new(start, format!("`{}` is not LLVM IR", found.escape_default())));
            }
        };
        Ok(token)
    }

    fn word(&mut self) -> Result<Token<'a>> {
        if self.text.as_bytes()[self.at..].starts_with(b"...") {
            self.at += 3;
            return Ok(Token::Ellipsis);
        }
        if self.peek(0) == b'$' && self.peek(1) == b'"' {
            self.at += 1;
            self.quoted()?;
            return Ok(Token::Comdat);
        }
        let word = self.run(is_name);
        match self.peek(0) {
            b':' => {
                self.at += 1;
                Ok(Token::Label(Name::Text(word)))
            }
            b'"' if word == "c" => Ok(Token::Bytes(self.quoted()?)),
            _ if word.starts_with('$') => Ok(Token::Comdat),
            _ => Ok(Token::Word(word)),
        }
    }

    /// A number, or a label that starts like one.
    fn number(&mut self) -> Result<Token<'a>> {
        let start = self.at;
        let word = self.run(is_name);
        if self.peek(0) == b':' && !word.is_empty() {
            self.at += 1;
            let numbered = word.bytes().all(|b| b.is_ascii_digit());
            let name = if numbered { Name::Number(self.small(word, start)?) } else { Name::Text(word) };
            return Ok(Token::Label(name));
        }
        if word.starts_with("0x") {
            return Ok(Token::Float(word));
        }
        self.at = start;
        if matches!(self.peek(0), b'-' | b'+') {
            self.at += 1;
        }
        if self.run(|b| b.is_ascii_digit()).is_empty() {
            return Err(Fault::new(start, "a sign without a number"));
        }
        if self.peek(0) != b'.' {
            return Ok(Token::Integer(&self.text[start..self.at]));
        }
        self.at += 1;
        self.run(|b| b.is_ascii_digit());
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek(1), b'-' | b'+'));
            if self.peek(1 + sign).is_ascii_digit() {
                self.at += 1 + sign;
                self.run(|b| b.is_ascii_digit());
            }
        }
        Ok(Token::Float(&self.text[start..self.at]))
    }

    /// The name after a `%` or `@`.
    fn name(&mut self) -> Result<Name<'a>> {
        let start = self.at;
        self.at += 1;
        match self.peek(0) {
            b'"' => Ok(Name::Text(self.quoted()?)),
            b'0'..=b'9' => {
                let digits = self.run(|b| b.is_ascii_digit());
                Ok(Name::Number(self.small(digits, start)?))
            }
            _ => match self.run(is_name) {
                "" => Err(Fault::new(start, "a name is missing here")),
                name => Ok(Name::Text(name)),
            },
        }
    }

    fn small(&self, digits: &str, at: usize) -> Result<u32> {
        digits.parse().map_err(|_| Fault::new(at, format!("the number {digits} is too large")))
    }

    /// What is between the quote here and the next one. A quote inside is written `\22`.
    fn quoted(&mut self) -> Result<&'a str> {
        let start = self.at + 1;
        let rest = &self.text.as_bytes()[start..];
        let Some(length) = rest.iter().position(|&b| b == b'"') else {
            return Err(Fault::new(self.at, "this string does not end"));
        };
        self.line += rest[..length].iter().filter(|&&b| b == b'\n').count() as u32;
        self.at = start + length + 1;
        Ok(&self.text[start..start + length])
    }

    /// Skip to where the brackets that are `open` here are closed, and past that.
    pub fn balanced(&mut self, mut open: u32) -> Result<()> {
        let start = self.at;
        while open > 0 {
            let Some(byte) = self.text.as_bytes().get(self.at) else {
                return Err(Fault::new(start, "a bracket that is open here is never closed"));
            };
            match byte {
                b'"' => {
                    self.quoted()?;
                    continue;
                }
                b'(' | b'[' | b'{' => open += 1,
                b')' | b']' | b'}' => open -= 1,
                b'\n' => self.line += 1,
                _ => {}
            }
            self.at += 1;
        }
        Ok(())
    }

    /// Skip the metadata after the `=` of `!5 = ...`: to the end of the line on which all brackets close.
    pub fn node(&mut self) -> Result<Range<usize>> {
        self.space();
        let start = self.at;
        loop {
            match self.text.as_bytes().get(self.at) {
                None | Some(b'\n') => break,
                Some(b'"') => {
                    self.quoted()?;
                }
                Some(b'(' | b'[' | b'{') => {
                    self.at += 1;
                    self.balanced(1)?;
                }
                Some(b')' | b']' | b'}') => {
                    return Err(Fault::new(self.at, "a bracket is closed that was not opened"));
                }
                Some(b';') => {
                    let end = self.at;
                    self.space();
                    return self.metadata(start, end);
                }
                Some(_) => self.at += 1,
            }
        }
        self.metadata(start, self.at)
    }

    fn metadata(&self, start: usize, end: usize) -> Result<Range<usize>> {
        let length = self.text[start..end].trim_end().len();
        let node = &self.text[start..start + length];
        let node = node.strip_prefix("distinct").unwrap_or(node).trim_start();
        if node.len() < 2 || !node.starts_with('!') && node != "null" {
            return Err(Fault::new(start, "expected metadata"));
        }
        Ok(start..start + length)
    }
}

/// The bytes that a quoted text stands for: `\5C` and the like are one byte.
pub(super) fn unescape(text: &str) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    if !bytes.contains(&b'\\') {
        return Cow::Borrowed(bytes);
    }
    let mut plain = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let digit = |i: usize| after.get(i).and_then(|&d| (d as char).to_digit(16));
        match (byte, after.first(), digit(0), digit(1)) {
            (b'\\', Some(b'\\'), ..) => {
                plain.push(b'\\');
                rest = &after[1..];
            }
            (b'\\', _, Some(high), Some(low)) => {
                plain.push((high << 4 | low) as u8);
                rest = &after[2..];
            }
            _ => plain.push(byte),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text);
        let mut tokens = Vec::new();
        loop {
            lexer.space();
            match lexer.token().expect("only good text here") {
                Token::End => return tokens,
                token => tokens.push(token),
            }
        }
    }

    #[test]
    fn names_numbers_and_labels() {
        use Token::*;
        assert_eq!(
            tokens(concat!(
                "%5 %\"5\" @_Z1fv 12: for.end: \"a b\": -7 1.5e-03 0xK3FFF #0 ",
                "#dbg_value !dbg !7 !{ ... c\"a\\00\""
            )),
            [
                Local(Name::Number(5)),
                Local(Name::Text("5")),
                Global(Name::Text("_Z1fv")),
                Label(Name::Number(12)),
                Label(Name::Text("for.end")),
                Label(Name::Text("a b")),
                Integer("-7"),
                Float("1.5e-03"),
                Float("0xK3FFF"),
                Attributes,
                Record("dbg_value"),
                Metadata("dbg"),
                Metadata("7"),
                Exclamation,
                Symbol(b'{'),
                Ellipsis,
                Bytes("a\\00"),
            ]
        );
    }

    #[test]
    fn comments_and_lines() {
        let mut lexer = Lexer::new("; first\n\n  ret ; more\n");
        lexer.space();
        assert_eq!(lexer.line, 3);
        assert_eq!(lexer.token().expect("a word"), Token::Word("ret"));
    }

    #[test]
    fn escapes_are_bytes() {
        assert_eq!(&*unescape("a\\0A\\5C\\\\\\zz\\2"), b"a\n\\\\\\zz\\2");
    }

    #[test]
    fn what_is_not_closed_is_an_error() {
        assert!(Lexer::new("\"abc").token().is_err());
        assert!(Lexer::new("(()").balanced(1).is_err());
        assert!(Lexer::new("!DIFile(filename: \")\"").node().is_err());
        assert!(Lexer::new("%").token().is_err());
        assert!(Lexer::new("%99999999999").token().is_err());
    }
}
