//! How much of its stack a thread uses.
//!
//! Calls take about what they take on a machine: a little for the call itself, and the local variables.

use std::sync::atomic::Ordering;

use raveler_core::{Operation, ViolationKind};

use super::rounds::MAX_ACTIONS;
use super::step::{Stop, act, fail};
use super::{CProgram, Cursor};
use crate::code::Function;

/// What a thread has unless the user says otherwise, as on most systems.
pub const DEFAULT_STACK: u64 = 8 << 20;

/// Calls that are deeper than this and do as much as a loop without an end in sight have none either.
const DEEP: u32 = 4096;

/// What every call takes: where to return to, what it saves, room for its arguments.
const CALL: u64 = 48;

/// What a call takes, without variables that live in memory.
pub(super) fn call_bytes(function: &Function) -> u64 {
    CALL + u64::from(function.frame).next_multiple_of(16)
}

/// What a variable takes that lives in memory.
pub(super) fn local_bytes(size: u64) -> u64 {
    size.checked_next_multiple_of(16).unwrap_or(u64::MAX >> 1)
}

impl Cursor {
    /// Go back to where the current call was made, for a message: the thread goes on no more.
    pub(super) fn stand_at_call(&mut self) {
        let around = self.calls_around().next().copied();
        if let Some(frame) = around {
            (self.function, self.pc) = (frame.function, frame.pc);
        }
    }

    /// Is there room for so many bytes more, in a call of `target` or for a variable? Less than the usual stack is a bound
    /// on the search; more is more than the program has.
    pub(super) fn check_stack(
        &self,
        program: &CProgram,
        bytes: u64,
        target: Option<u32>,
    ) -> Result<(), Stop> {
        let limit = program.stack.unwrap_or(DEFAULT_STACK);
        let no_end = self.depth() > DEEP && self.waits.actions() > MAX_ACTIONS;
        if self.stack.saturating_add(bytes) <= limit && !no_end {
            return Ok(());
        }
        if limit < DEFAULT_STACK || no_end {
            program.out_of_stack.store(true, Ordering::Relaxed);
            return act(Operation::Cut);
        }
        let chain = self.chain(program, target);
        let calls = self.depth();
        fail(
            ViolationKind::StackOverflow,
            format!(
                "more than {limit} bytes of stack are needed, with {calls} calls inside each other: {chain}"
            ),
        )
    }
}

impl CProgram {
    /// Did some thread need more stack than the user gave it, or have calls inside each other no end in sight?
    pub fn ran_out_of_stack(&self) -> bool {
        self.out_of_stack.load(Ordering::Relaxed)
    }
}
