//! A message about bad input, as data: what happened, where, what to do.
//!
//! Front-ends make them; reports put them into words and colours.

use std::ops::Range;

/// One mistake in the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// A stable code such as `E0101`; `raveler explain` has a page for each.
    pub code: &'static str,
    /// What happened, one sentence.
    pub message: String,
    /// The bytes of the source it is about, if it is about some of them.
    pub span: Option<Range<usize>>,
    /// What stands there, shown beside the mark.
    pub label: String,
    /// What to do about it.
    pub help: Option<String>,
}
