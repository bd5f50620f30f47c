//! From text to tokens. Comments and white space end here; everything else keeps its place in the text.
//!
//! `(*` starts a comment in the initial state and between threads, as in herd7, but not inside a thread's
//! body, where it is a parenthesis and a dereference, as in C.

use std::ops::Range;

use crate::error::{self, Errors};

/// A piece of the text, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// Texts are at most 4 MiB, so both ends fit.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// From the start of this one to the end of the other.
    pub fn to(self, end: Span) -> Span {
        Span { start: self.start, end: end.end.max(self.start) }
    }
}

/// What a token is; words and numbers are read from the text by their span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Word,
    Number,
    Text,
    Symbol(&'static str),
    End,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub span: Span,
}

/// Longest first, so that `<<=` is not read as `<<` and `=`.
const SYMBOLS: &[&str] = &[
    "<<=", ">>=", "...", "/\\", "\\/", "=>", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "++", "--",
    "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "{", "}", "(", ")", "[", "]", ";", ",", ":", "?",
    "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", ".", "@", "#",
];

/// What is between two tokens, or before the initial state.
pub(crate) enum Gap {
    /// Nothing that can be skipped stands here.
    None,
    /// White space or a comment up to here.
    Until(usize),
    /// A comment that does not end.
    Open,
}

/// White space or a comment at `at`. `star` says whether `(*` starts a comment.
pub(crate) fn gap(text: &str, at: usize, star: bool) -> Gap {
    let rest = &text[at..];
    let closed = |open: usize, close: &str| match rest[open..].find(close) {
        Some(found) => Gap::Until(at + open + found + close.len()),
        None => Gap::Open,
    };
    if rest.starts_with(char::is_whitespace) {
        return Gap::Until(text.len() - rest.trim_start().len());
    }
    if rest.starts_with("//") {
        return Gap::Until(rest.find('\n').map_or(text.len(), |n| at + n));
    }
    if rest.starts_with("/*") {
        return closed(2, "*/");
    }
    if star && rest.starts_with("(*") {
        return closed(2, "*)");
    }
    Gap::None
}

/// All tokens from `start` on, ended by one of kind [`Kind::End`].
pub(crate) fn lex(text: &str, start: usize, errors: &mut Errors) -> Vec<Token> {
    let mut tokens = Vec::with_capacity((text.len() - start) / 4 + 1);
    let mut at = start;
    let mut depth = 0usize;
    let mut in_initial_state = true;
    while at < text.len() {
        match gap(text, at, in_initial_state || depth == 0) {
            Gap::Until(next) => {
                at = next;
                continue;
            }
            Gap::Open => {
                unterminated(text, at, "comment", errors);
                at = text.len();
                continue;
            }
            Gap::None => {}
        }
        let (kind, length) = token(&text[at..]);
        let span = Span::new(at, at + length);
        at += length;
        match kind {
            Some(Kind::Symbol("{")) => depth += 1,
            Some(Kind::Symbol("}")) => {
                depth = depth.saturating_sub(1);
                in_initial_state &= depth > 0;
            }
            _ => {}
        }
        match kind {
            Some(kind) => tokens.push(Token { kind, span }),
            None if text[span.range()].starts_with('"') => {
                unterminated(text, span.start as usize, "string", errors);
                at = text.len();
            }
            None => bad_characters(text, &mut at, span, errors),
        }
    }
    tokens.push(Token { kind: Kind::End, span: Span::new(text.len(), text.len()) });
    tokens
}

/// The token at the start of `rest` and its length; none if no token starts so.
fn token(rest: &str) -> (Option<Kind>, usize) {
    let bytes = rest.as_bytes();
    let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let run = || bytes.iter().take_while(|b| word(b)).count();
    match bytes[0] {
        b'0'..=b'9' => (Some(Kind::Number), run()),
        b if word(&b) => (Some(Kind::Word), run()),
        b'"' => match rest[1..].find('"') {
            Some(end) => (Some(Kind::Text), end + 2),
            None => (None, 1),
        },
        _ => match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            Some(symbol) => (Some(Kind::Symbol(symbol)), symbol.len()),
            None => (None, rest.chars().next().map_or(1, char::len_utf8)),
        },
    }
}

pub(crate) fn unterminated(text: &str, at: usize, what: &str, errors: &mut Errors) {
    let length = if what == "string" { 1 } else { 2 };
    errors.push(
        error::UNTERMINATED,
        Span::new(at, (at + length).min(text.len())),
        format!("this {what} has no end"),
        "opened here",
        if what == "string" { "close it with `\"`" } else { "close it with `*/` or, if opened so, `*)`" },
    );
    errors.seal();
}

/// One message for a run of characters that mean nothing.
fn bad_characters(text: &str, at: &mut usize, first: Span, errors: &mut Errors) {
    let rest = &text[*at..];
    let known =
        |c: char| c.is_ascii_alphanumeric() || c.is_whitespace() || "_\"{}()[];,:?=<>+-*/%&|^~!.".contains(c);
    let more = rest.find(known).unwrap_or(rest.len());
    *at += more;
    let c = text[first.range()].chars().next().unwrap_or(' ');
    errors.push(
        error::BAD_CHARACTER,
        Span::new(first.start as usize, *at),
        format!("the character `{}` means nothing here", c.escape_debug()),
        "not part of a litmus test",
        "remove it, or put it into a comment",
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let mut errors = Errors::default();
        let tokens = lex(text, 0, &mut errors);
        assert!(errors.is_empty(), "{errors:?}");
        tokens.iter().map(|t| &text[t.span.range()]).filter(|w| !w.is_empty()).collect()
    }

    #[test]
    fn star_comments_end_where_bodies_begin() {
        let text = "{ (* a *) x=1; } (* b *) P0 { if (*x) ; } (* c *) exists";
        let expected =
            ["{", "x", "=", "1", ";", "}", "P0", "{", "if", "(", "*", "x", ")", ";", "}", "exists"];
        assert_eq!(words(text), expected);
    }

    #[test]
    fn condition_operators_are_tokens() {
        assert_eq!(words("a=1/\\b=-2\\/~c"), ["a", "=", "1", "/\\", "b", "=", "-", "2", "\\/", "~", "c"]);
    }

    #[test]
    fn a_run_of_bad_characters_is_one_error() {
        let mut errors = Errors::default();
        lex("{ x = 1 §§§ ; }", 0, &mut errors);
        let list = errors.into_sorted();
        assert_eq!(list.len(), 1);
        assert_eq!(list[0].code, error::BAD_CHARACTER);
    }
}
