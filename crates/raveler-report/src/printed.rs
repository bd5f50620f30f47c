//! What threads printed, in lines as people read them.

use raveler_core::outcome::Printed;
use raveler_core::{EventId, SiteId, Stream};

use crate::scene::Scene;

/// Longer texts are cut in stories.
const WIDTH: usize = 60;

/// A line of output, or a part of one, that a thread printed between two of its events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    /// The event of the thread before it; none if there is none.
    pub after: Option<EventId>,
    /// Where its first piece was printed.
    pub site: SiteId,
    pub stream: Stream,
    /// With the end of the line, if it was printed.
    pub text: String,
}

/// A line that is not whole yet: its bytes, and where its pieces were printed.
struct Growing {
    line: Line,
    bytes: Vec<u8>,
    sites: Vec<SiteId>,
}

/// What a thread printed. Pieces that nothing comes between are one line, and so are those of one statement, which stand
/// where it ends.
pub(crate) fn lines(scene: &Scene<'_>, thread: usize) -> Vec<Line> {
    let mut lines: Vec<Growing> = Vec::new();
    for Printed { after, text } in scene.witness.threads.get(thread).map_or(&[][..], |t| &t.printed) {
        let after = after.checked_sub(1).map(|index| EventId::new(thread as u32, index));
        for piece in text.bytes.split_inclusive(|&byte| byte == b'\n') {
            let last = lines.last_mut().filter(|last| {
                let goes_on = last.line.stream == text.stream && last.bytes.last() != Some(&b'\n');
                let statement =
                    scene.place(last.line.site) == scene.place(text.site) && !last.sites.contains(&text.site);
                goes_on && (last.line.after == after || statement)
            });
            match last {
                Some(last) => {
                    last.line.after = after;
                    last.bytes.extend(piece);
                    last.sites.push(text.site);
                }
                None => {
                    let line = Line { after, site: text.site, stream: text.stream, text: String::new() };
                    lines.push(Growing { line, bytes: piece.to_vec(), sites: vec![text.site] });
                }
            }
        }
    }
    let told =
        |Growing { line, bytes, .. }| Line { text: String::from_utf8_lossy(&bytes).into_owned(), ..line };
    lines.into_iter().map(told).collect()
}

impl Line {
    /// In words: `prints "done"`.
    pub fn what(&self) -> String {
        let text = self.text.strip_suffix('\n').unwrap_or(&self.text);
        let mut shown: String = text.chars().take(WIDTH).flat_map(shown).collect();
        if text.chars().nth(WIDTH).is_some() {
            shown.push_str("...");
        }
        let to = match self.stream {
            Stream::Output => "",
            Stream::Errors => " to stderr",
        };
        format!("prints \"{shown}\"{to}")
    }
}

/// Nothing that is printed may disturb the terminal.
fn shown(c: char) -> Vec<char> {
    if c.is_control() { c.escape_default().collect() } else { vec![c] }
}
