//! Places in the source, for reports.

use raveler_core::Site;

use crate::lex::Span;

/// Longer pieces of source are cut in reports.
const MAX_TEXT: usize = 120;

pub(super) struct Sites<'t> {
    pub list: Vec<Site>,
    text: &'t str,
    /// Where each line begins.
    lines: Vec<usize>,
    /// The place noted last, and its number: accesses often ask twice.
    last: Option<(Span, Span)>,
}

impl<'t> Sites<'t> {
    pub fn new(text: &'t str) -> Sites<'t> {
        let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        Sites { list: Vec::new(), text, lines: std::iter::once(0).chain(breaks).collect(), last: None }
    }

    pub fn slice(&self, span: Span) -> &'t str {
        &self.text[span.range()]
    }

    /// The number of the place `span`, which belongs to `statement` of a thread.
    pub fn add(&mut self, thread: usize, span: Span, statement: Span) -> u32 {
        if self.last != Some((span, statement)) {
            self.last = Some((span, statement));
            let start = span.start as usize;
            let line = self.lines.partition_point(|&begin| begin <= start);
            let begin = self.lines[line - 1];
            // On lines longer than people write, bytes are counted instead of characters.
            let column =
                if start - begin > 4096 { start - begin } else { self.text[begin..start].chars().count() };
            self.list.push(Site {
                file: None,
                line: line as u32,
                column: column as u32 + 1,
                function: format!("P{thread}"),
                text: shown(&self.text[statement.range()]),
            });
        }
        self.list.len() as u32 - 1
    }
}

/// A piece of source on one line, without its semicolon.
pub(super) fn shown(source: &str) -> String {
    let mut shown = String::new();
    for c in source.trim().trim_end_matches(';').trim_end().chars() {
        if shown.len() >= MAX_TEXT {
            shown.push('…');
            break;
        }
        if !c.is_whitespace() {
            shown.push(c);
        } else if !shown.ends_with(' ') {
            shown.push(' ');
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_lines_columns_and_text() {
        let text = "C T\n{}\nP0 () {\n  *x  =\n 1;\n}";
        let at = text.find("*x").expect("it is there");
        let mut sites = Sites::new(text);
        let number = sites.add(0, Span::new(at, at + 2), Span::new(at, at + 9));
        let site = &sites.list[number as usize];
        assert_eq!((site.line, site.column, site.function.as_str()), (4, 3, "P0"));
        assert_eq!(site.text, "*x = 1");
    }
}
