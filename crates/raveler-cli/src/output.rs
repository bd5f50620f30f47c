//! Where words go: results to standard output, messages to standard error, pictures to files.

use std::io::Write;
use std::path::Path;

use raveler_report::picture::{Picture, dot, svg};
use raveler_report::{Colour, Report, story, text};

use crate::args::ColourWhen;
use crate::front_ends::Findings;
use crate::refusal::{Refusal, code};

/// A result, on standard output. A reader that has gone away is no error.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// A message, on standard error.
pub fn complain(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Obey `--color`.
pub fn choose_colours(when: ColourWhen) {
    match when {
        ColourWhen::Auto => anstream::ColorChoice::Auto,
        ColourWhen::Always => anstream::ColorChoice::Always,
        ColourWhen::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Does this stream get colours?
pub fn colour_of(stream: &impl anstream::stream::RawStream) -> Colour {
    match anstream::AutoStream::choice(stream) {
        anstream::ColorChoice::Never => Colour::Off,
        _ => Colour::On,
    }
}

/// Make sure that a picture can be written, before a long search.
pub fn writable(path: &Path) -> Result<(), Refusal> {
    let opened = std::fs::OpenOptions::new().create(true).append(true).open(path);
    opened.map(drop).map_err(|error| cannot_write(path, &error))
}

/// Draw the execution that the report shows, else the first.
pub fn draw(path: &Path, report: &Report<'_>, findings: &Findings) -> Result<(), Refusal> {
    let Some(witness) = report.shown().or(findings.first.as_ref()) else {
        complain("warning: there is no execution to draw\n");
        return Ok(());
    };
    let scene = report.scene(witness);
    let violation = findings.outcome.violations.iter().find(|v| std::ptr::eq(&v.witness, witness));
    let marked = violation.map(|v| story::important(&scene, v)).unwrap_or_default();
    let picture = Picture { scene, title: text::title(report), marked };
    let drawn = match path.extension().and_then(|e| e.to_str()) {
        Some("svg") => svg::render(&picture),
        _ => dot::render(&picture),
    };
    std::fs::write(path, drawn).map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Refusal {
    let message = format!("`{}` cannot be written: {error}", path.display());
    Refusal::usage(code::UNWRITABLE, message, "choose another place for the picture")
}
