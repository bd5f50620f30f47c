//! The words of a program's line.

use std::fmt;

/// A mistake in a program's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// Where in the line, in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl Mistake {
    /// A mistake at a column.
    pub fn new(column: usize, message: impl Into<String>) -> Mistake {
        Mistake { column, message: message.into() }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word<'t> {
    /// Letters and digits, beginning with a letter: names and keywords.
    Name(&'t str),
    /// A number.
    Number(i64),
    /// Anything else.
    Symbol(&'static str),
    /// The end of the line.
    End,
}

impl fmt::Display for Word<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Word::Name(name) => write!(f, "`{name}`"),
            Word::Number(number) => write!(f, "`{number}`"),
            Word::Symbol(symbol) => write!(f, "`{symbol}`"),
            Word::End => f.write_str("the end"),
        }
    }
}

/// A word, where it stands and which bytes of the line it covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'t> {
    /// What it is.
    pub word: Word<'t>,
    /// In characters from 1.
    pub column: usize,
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

/// Longer ones first: the first that fits is taken.
const SYMBOLS: &[&str] = &[
    "||", "==", "!=", "<=", ">=", "=", "<", ">", "!", "+", "-", "*", "(", ")", "{", "}", "[", "]", ";", ",",
    ".",
];

/// The words of a line; the last one is [`Word::End`].
pub fn words(text: &str) -> Result<Vec<Token<'_>>, Mistake> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        let rest = &text[start..];
        let column = text[..start].chars().count() + 1;
        let run = |fits: fn(char) -> bool| &rest[..rest.find(|c| !fits(c)).unwrap_or(rest.len())];
        let (word, length) = if first.is_whitespace() {
            start += first.len_utf8();
            continue;
        } else if first.is_ascii_alphabetic() {
            let name = run(|c| c.is_ascii_alphanumeric());
            (Word::Name(name), name.len())
        } else if first.is_ascii_digit() {
            let digits = run(|c| c.is_ascii_digit());
            let number = digits.parse().map_err(|_| Mistake::new(column, "a number is too large"))?;
            (Word::Number(number), digits.len())
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            (Word::Symbol(symbol), symbol.len())
        } else {
            return Err(Mistake::new(column, format!("`{first}` means nothing here")));
        };
        tokens.push(Token { word, column, start, end: start + length });
        start += length;
    }
    let column = text.chars().count() + 1;
    tokens.push(Token { word: Word::End, column, start: text.len(), end: text.len() });
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_names_numbers_and_symbols() {
        let tokens = words("X1.rel = 12 || a!=b").expect("all of it means something");
        let shown: Vec<String> = tokens.iter().map(|token| token.word.to_string()).collect();
        assert_eq!(shown, ["`X1`", "`.`", "`rel`", "`=`", "`12`", "`||`", "`a`", "`!=`", "`b`", "the end"]);
        assert_eq!((tokens[4].column, tokens[4].start, tokens[4].end), (10, 9, 11));
    }

    #[test]
    fn what_means_nothing_is_refused_where_it_stands() {
        assert_eq!(words("a = ä").err(), Some(Mistake::new(5, "`ä` means nothing here")));
        assert_eq!(words("99999999999999999999").map(|_| ()), Err(Mistake::new(1, "a number is too large")));
    }
}
