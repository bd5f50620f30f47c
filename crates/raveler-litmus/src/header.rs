//! What stands before the initial state: the line `C NAME`, a description, notes, herd7's `Key=value` lines.

use crate::error::{self, Errors, Noted, Result};
use crate::lex::{Gap, Span, gap, unterminated};

/// A line `//@ ...` of the header, where tests write down what they expect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The line it stands on, from 1.
    pub line: u32,
    /// What follows the `//@`, trimmed.
    pub text: String,
}

#[derive(Debug, Default)]
pub(crate) struct Header {
    pub name: String,
    pub description: Option<String>,
    pub notes: Vec<Note>,
    /// Where the initial state's `{` stands.
    pub end: usize,
}

/// Other first words that herd7 and litmus7 know.
const ARCHITECTURES: &[&str] = &[
    "X86", "X86_64", "AArch64", "ARM", "PPC", "PowerPC", "MIPS", "RISCV", "RISC-V", "LISA", "Bell", "CPP",
    "C++", "ASL", "BPF", "JAVA", "Java", "PTX", "VULKAN", "Vulkan",
];

pub(crate) fn header(text: &str, errors: &mut Errors) -> Result<Header> {
    let mut header = Header::default();
    let mut at = skip(text, text.len() - text.trim_start_matches('\u{feff}').len(), &mut header, errors)?;
    let line_end = text[at..].find('\n').map_or(text.len(), |n| at + n);
    let line = text[at..line_end].trim_end();
    if line.is_empty() {
        return Err(errors.push(
            error::EMPTY,
            Span::default(),
            "there is no litmus test in this file".to_string(),
            "the file ends without one",
            "a litmus test begins with a line `C NAME`",
        ));
    }
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default();
    let first_span = Span::new(at, at + first.len());
    if first != "C" {
        return Err(wrong_first_line(first, first_span, errors));
    }
    let Some(name) = words.next() else {
        return Err(errors.push(
            error::NOT_LITMUS,
            first_span,
            "the test has no name".to_string(),
            "a name is expected after `C`",
            "write a first line such as `C MP`",
        ));
    };
    header.name = name.to_string();
    at += line.find(name).map_or(line.len(), |n| n + name.len());
    loop {
        at = skip(text, at, &mut header, errors)?;
        let rest = &text[at..];
        if rest.starts_with('{') {
            header.end = at;
            return Ok(header);
        }
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        if let Some(quoted) = rest.strip_prefix('"') {
            let Some(end) = quoted.find('"') else {
                unterminated(text, at, "string", errors);
                return Err(Noted);
            };
            header.description = Some(quoted[..end].to_string());
            at += end + 2;
        } else if is_key_line(line) {
            at += line.len();
        } else {
            let word = line.split_whitespace().next().unwrap_or_default();
            return Err(errors.push(
                error::UNEXPECTED,
                Span::new(at, at + word.len()),
                match word {
                    "" => "the file ends before the initial state".to_string(),
                    _ => format!("found `{word}` where the initial state `{{ ... }}` is expected"),
                },
                "expected `{`",
                "write `{ }` after the first line if everything starts at 0",
            ));
        }
    }
}

/// herd7's `Key=value` lines, such as `Cycle=Rfe PodRR Fre PodWW`.
fn is_key_line(line: &str) -> bool {
    let key = line.split(['=', ':']).next().unwrap_or_default().trim_end();
    key.len() < line.trim_end().len()
        && !key.is_empty()
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// Skip white space and comments, and collect notes.
fn skip(text: &str, mut at: usize, header: &mut Header, errors: &mut Errors) -> Result<usize> {
    loop {
        match gap(text, at, true) {
            Gap::None => return Ok(at),
            Gap::Open => {
                unterminated(text, at, "comment", errors);
                return Err(Noted);
            }
            Gap::Until(next) => {
                if let Some(note) = text[at..next].strip_prefix("//@") {
                    let line = text[..at].bytes().filter(|&b| b == b'\n').count() as u32 + 1;
                    header.notes.push(Note { line, text: note.trim().to_string() });
                }
                at = next;
            }
        }
    }
}

fn wrong_first_line(first: &str, span: Span, errors: &mut Errors) -> Noted {
    if ARCHITECTURES.contains(&first) {
        return errors.push(
            error::OTHER_ARCHITECTURE,
            span,
            format!("this is a litmus test for {first}; only C tests are read"),
            "expected `C`",
            "write the test in C: its first line is `C NAME`",
        );
    }
    let shown: String = first.chars().take(40).collect();
    errors.push(
        error::NOT_LITMUS,
        span,
        format!(
            "a litmus test begins with a line `C NAME`, this file begins with `{}`",
            shown.escape_debug()
        ),
        "expected `C` and the test's name",
        "see `raveler explain E0101`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_description_notes_and_keys() {
        let text =
            "C MP+rel-acq.1\n\"message passing\"\nCycle=Rfe Fre\n//@ sc: executions=3\n(* {no} *)\n{ }\n";
        let mut errors = Errors::default();
        let header = header(text, &mut errors).expect("a good header");
        assert_eq!(header.name, "MP+rel-acq.1");
        assert_eq!(header.description.as_deref(), Some("message passing"));
        assert_eq!(header.notes, [Note { line: 4, text: "sc: executions=3".to_string() }]);
        assert_eq!(&text[header.end..], "{ }\n");
    }
}
