//! Functions that run when the process ends (`atexit`, destructors of static objects). Where only the first thread gives them,
//! and ends the process, they are a list of its own; otherwise one in shared memory (`include/raveler_exits.h`).

use super::{Lowerer, Symbol};

/// Functions that run when the process ends.
#[derive(Clone, Copy, Default)]
pub(super) struct Exits {
    /// They are a list in shared memory.
    pub known: bool,
    /// Some are given.
    pub given: bool,
    /// Perhaps by another thread than the first, or another one ends the process.
    pub elsewhere: bool,
}

impl Exits {
    /// Does it turn out that threads share them?
    pub fn are_shared(self) -> bool {
        !self.known && self.given && self.elsewhere
    }
}

/// What gives the list of functions that run when the process ends to a thread.
pub(super) const LEAVE: &str = "__rv_leave";

impl Lowerer<'_> {
    /// What runs when the process ends is known to the first thread before all else.
    pub(super) fn leave(&mut self) {
        match self.symbol(LEAVE) {
            Some(Symbol::Function(number)) => self.code.constructors.push(number),
            _ => {
                let message = "the functions that run when the process ends are missing".to_string();
                let known = self.problems.len();
                self.problem(None, message, None);
                if let Some(problem) = self.problems.get_mut(known) {
                    problem.missing = Some(LEAVE.into());
                }
            }
        }
    }

    /// Is the function that is lowered run by the first thread alone, by its name: the entry, or what makes global variables?
    pub(super) fn is_first(&self) -> bool {
        let Some(current) = self.current else { return false };
        let name = self.code.functions[current as usize].name.as_str();
        current == self.code.entry
            || ["__cxx_global_", "_GLOBAL__"].iter().any(|start| name.starts_with(start))
    }
}
