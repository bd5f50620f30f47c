//! How many threads there can be, and how far threads may start threads that start threads.
//!
//! The name of a thread says who started it (`ThreadNames::child_name` of the core): in it the first thread has room for
//! 1,022 children, others for 127, and the threads of the third generation for none. A program that needs more is followed up
//! to there.

use raveler_core::{Operation, SiteId};

use super::step::{Stop, act};
use super::{CProgram, Cursor, lock};
use crate::demangle;

/// How many threads the first thread can start, and how many each of the others.
const MOST: [u32; 2] = [1022, 127];

/// From this name on a thread is of the last generation.
const LAST_GENERATION: u64 = 1 << 17;

/// A thread that is not started any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotStarted {
    /// Where it would be.
    pub site: SiteId,
    /// The function that it would run.
    pub function: String,
    /// Too many generations of threads are before it; else its parent started too many.
    pub deep: bool,
}

impl Cursor {
    /// Can the thread start another one, to run this function? If not, the exploration is cut here.
    pub(super) fn check_spawn(&self, program: &CProgram, function: u32) -> Result<(), Stop> {
        let deep = self.thread >= LAST_GENERATION;
        if !deep && self.rare.spawned < MOST[usize::from(self.thread != 0)] {
            return Ok(());
        }
        let site = self.current_site(program);
        let function = demangle::name(&program.code.functions[function as usize].name);
        // The first one in the source, whatever the search met first.
        let mut known = lock(&program.not_started);
        if known.as_ref().is_none_or(|known| (known.site, known.deep) > (site, deep)) {
            *known = Some(NotStarted { site, function, deep });
        }
        act(Operation::Cut)
    }
}

impl CProgram {
    /// A thread that was not started, because there are too many or too many generations of them.
    pub fn not_started(&self) -> Option<NotStarted> {
        lock(&self.not_started).clone()
    }
}
