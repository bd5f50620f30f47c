//! Turns what a search found into words, pictures and JSON.
//!
//! Everything here is a function from plain data ([`Report`], [`Scene`], diagnostics) to a string; nothing
//! reads a file, looks at a clock or prints. One file per form:
//!
//! - [`text`]: the summary for people, with the [`story`] of each violation (why it could happen: [`ordering`]),
//! - [`reexecution`]: what is said of executions of xmm that were made of others,
//! - [`json`]: the result of `--json` and its schema,
//! - [`picture`]: one execution as DOT or SVG,
//! - [`lb_races`]: load-buffering races, for `--report lb-races`,
//! - [`executions`]: one execution as text, for `--print-executions`,
//! - [`diagnostic`]: mistakes in the input, with the source line and a mark,
//! - [`compare`] and [`estimate`]: the answers of the commands of the same names,
//! - [`delays`] and [`robustness`]: why an execution is not sequentially consistent, and fences against that.

pub mod compare;
pub mod delays;
pub mod diagnostic;
pub mod estimate;
pub mod executions;
pub mod json;
pub mod lb_races;
pub mod names;
pub mod ordering;
pub mod paint;
pub mod picture;
mod printed;
pub mod reexecution;
pub mod report;
pub mod robustness;
pub mod scene;
pub mod story;
pub mod text;
pub mod words;

pub use names::Names;
pub use paint::Colour;
pub use report::{
    BlockedPlace, CutLoop, Litmus, Locks, NotStarted, Notes, Replay, Replays, Report, Standing, State, Stop,
    Usage, Warning,
};
pub use scene::Scene;
