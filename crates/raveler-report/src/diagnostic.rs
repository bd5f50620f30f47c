//! Mistakes in the input: what happened, where (with the source line and a mark), what to do.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use raveler_core::diagnostic::Diagnostic;

use crate::paint::Colour;

/// Of a long list of mistakes this many are shown.
const SHOWN: usize = 20;

/// The text of these mistakes in one file; empty for none.
pub fn render(file: &str, source: &str, diagnostics: &[Diagnostic], colour: Colour) -> String {
    let renderer = match colour {
        Colour::On => Renderer::styled(),
        Colour::Off => Renderer::plain(),
    };
    let mut out = String::new();
    for diagnostic in diagnostics.iter().take(SHOWN) {
        out.push_str(&renderer.render(&[group(file, source, diagnostic)]));
        out.push_str("\n\n");
    }
    if diagnostics.len() > SHOWN {
        let rest = crate::paint::counted((diagnostics.len() - SHOWN) as u64, "mistake");
        out.push_str(&format!("and {rest} more\n\n"));
    }
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

fn group<'a>(file: &'a str, source: &'a str, diagnostic: &'a Diagnostic) -> Group<'a> {
    let title = Level::ERROR.primary_title(&diagnostic.message).id(diagnostic.code);
    let mut group = match &diagnostic.span {
        Some(span) => {
            let label = Some(diagnostic.label.as_str()).filter(|label| !label.is_empty());
            let mark = AnnotationKind::Primary.span(within(source, span)).label(label);
            title.element(Snippet::source(source).path(file).annotation(mark))
        }
        None if file.is_empty() => Group::with_title(title),
        None => title.element(Origin::path(file)),
    };
    group = group.element(Level::NOTE.message("nothing was checked"));
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    group
}

/// The span, inside the source and between characters.
fn within(source: &str, span: &Range<usize>) -> Range<usize> {
    let floor =
        |at: usize| (0..=at.min(source.len())).rev().find(|&i| source.is_char_boundary(i)).unwrap_or(0);
    let start = floor(span.start);
    start..floor(span.end).max(start)
}

/// Line and column (both from 1, the column in characters) of a byte of the source.
///
/// ```
/// assert_eq!(raveler_report::diagnostic::line_and_column("ab\ncd", 4), (2, 2));
/// ```
pub fn line_and_column(source: &str, byte: usize) -> (u32, u32) {
    let before = &source[..within(source, &(byte..byte)).start];
    let line = before.matches('\n').count() as u32 + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u32 + 1;
    (line, column)
}
