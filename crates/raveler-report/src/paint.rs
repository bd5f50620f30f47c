//! Colours for terminals, and numbers and lists as people read them.

use anstyle::{AnsiColor, Style};

/// With escape codes or without?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Colour {
    /// Escape codes for a terminal.
    On,
    /// Plain text.
    #[default]
    Off,
}

/// What a piece of text is, from which its colour follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// All is well.
    Good,
    /// Something is wrong.
    Bad,
    /// Something is open.
    Open,
    /// A heading.
    Strong,
    /// Beside the point, such as places in the source.
    Faint,
    /// What to do.
    Help,
}

impl Tone {
    fn style(self) -> Style {
        let colour = |c: AnsiColor| Style::new().fg_color(Some(c.into()));
        match self {
            Tone::Good => colour(AnsiColor::Green).bold(),
            Tone::Bad => colour(AnsiColor::Red).bold(),
            Tone::Open => colour(AnsiColor::Yellow).bold(),
            Tone::Strong => Style::new().bold(),
            Tone::Faint => Style::new().dimmed(),
            Tone::Help => colour(AnsiColor::Cyan),
        }
    }
}

impl Colour {
    /// The text in the colour of its tone, if colours are on.
    ///
    /// ```
    /// use raveler_report::paint::{Colour, Tone};
    /// assert_eq!(Colour::Off.paint(Tone::Bad, "violation"), "violation");
    /// ```
    pub fn paint(self, tone: Tone, text: &str) -> String {
        match self {
            Colour::Off => text.to_string(),
            Colour::On => {
                let style = tone.style();
                format!("{style}{text}{style:#}")
            }
        }
    }
}

/// A number with separators: `3,120`.
///
/// ```
/// assert_eq!(raveler_report::paint::grouped(1234567), "1,234,567");
/// ```
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 execution`, `2 executions`.
///
/// ```
/// assert_eq!(raveler_report::paint::counted(1, "state"), "1 state");
/// ```
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// A duration given in seconds, with as many digits as matter.
///
/// ```
/// assert_eq!(raveler_report::paint::seconds(0.0123), "12 ms");
/// ```
pub fn seconds(time: f64) -> String {
    match time {
        t if t < 0.01 => format!("{:.1} ms", t * 1e3),
        t if t < 1.0 => format!("{:.0} ms", t * 1e3),
        t if t < 100.0 => format!("{t:.1} s"),
        t => format!("{t:.0} s"),
    }
}

/// A number of bytes.
///
/// ```
/// assert_eq!(raveler_report::paint::bytes(12_300_000), "12.3 MB");
/// ```
pub fn bytes(number: u64) -> String {
    let number = number as f64;
    match number {
        n if n >= 1e9 => format!("{:.2} GB", n / 1e9),
        n if n >= 1e6 => format!("{:.1} MB", n / 1e6),
        n => format!("{:.0} kB", n / 1e3),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}

/// Rows of cells, each column as wide as its widest cell, two spaces between; a cell may be empty.
pub fn columns(indent: &str, rows: &[Vec<String>]) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|r| r.get(column)).map(|c| c.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    rows.iter()
        .map(|row| {
            let mut line = indent.to_string();
            for (cell, width) in row.iter().zip(&widths).filter(|(_, width)| **width > 0) {
                line.push_str(cell);
                line.extend(std::iter::repeat_n(' ', width - cell.chars().count() + 2));
            }
            line.trim_end().to_string()
        })
        .collect()
}
