//! Programs whose threads cannot be copied: a thread is run again from its start.
//!
//! A thread depends only on the answers it was given, so the list of answers can stand for its state.

use std::borrow::Cow;

use super::action::{Action, Answer};
use super::{Entry, Object, Program, SourceMap};

/// A program whose threads cannot be copied: given all answers so far it runs a thread from its start and says
/// what it asks next.
pub trait Rerun: Sync {
    /// How many threads exist from the start.
    fn threads(&self) -> u32;
    /// Run the thread with these answers and return its next action.
    fn run(&self, entry: Entry, answers: &[Answer]) -> Action;
    /// The memory that exists from the start.
    fn objects(&self) -> &[Object];
    /// Names and sites for reports.
    fn sources(&self) -> Cow<'_, SourceMap>;
}

/// Makes a [`Program`] of a [`Rerun`]: the cursor is the list of answers. The engine cannot tell the difference.
pub struct Replay<R>(pub R);

impl<R: Rerun> Program for Replay<R> {
    type Cursor = (Entry, Option<Vec<Answer>>);

    fn threads(&self) -> u32 {
        self.0.threads()
    }

    fn start(&self, entry: Entry) -> Self::Cursor {
        (entry, None)
    }

    fn step(&self, (entry, answers): &mut Self::Cursor, answer: Answer) -> Action {
        match answers {
            None => *answers = Some(Vec::new()),
            Some(list) => list.push(answer),
        }
        self.0.run(*entry, answers.as_deref().unwrap_or_default())
    }

    fn objects(&self) -> &[Object] {
        self.0.objects()
    }

    fn sources(&self) -> Cow<'_, SourceMap> {
        self.0.sources()
    }
}
