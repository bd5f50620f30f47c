//! Do two threads stand alike: would both do the same from here on?

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use raveler_core::mutation::Mutant;

use super::cursor::{Cursor, Pending};
use crate::code::Code;

impl Cursor {
    /// Is the thread still in the loop in which its last compare-exchange failed?
    fn retries(&self, code: &Code) -> bool {
        if Mutant::ShortCutOutside.is_active() {
            return true;
        }
        let (function, failed, base) = self.failed;
        let mut calls = self.frames.iter().map(|frame| (frame.function, frame.pc, frame.base));
        let here = (self.function, self.pc, self.base);
        let call = if (here.0, here.2) == (function, base) {
            Some(here)
        } else {
            calls.find(|call| (call.0, call.2) == (function, base))
        };
        call.is_some_and(|(function, pc, _)| {
            let heads = &code.functions[function as usize].heads;
            heads.iter().any(|head| head.has(failed) && head.has(pc.saturating_sub(1)))
        })
    }

    /// Would both do the same from here on, given the same answers?
    pub(super) fn same(&self, other: &Cursor, code: &Code) -> bool {
        let calls = self.frames.iter().map(|frame| (frame.function, frame.pc, frame.base));
        other.retries(code)
            && (self.function, self.pc, self.base, self.further)
                == (other.function, other.pc, other.base, other.further)
            && self.pending == other.pending
            && self.frames == other.frames
            && self.same_outer(other)
            && self.thread == other.thread
            && self.transfer.is_none()
            && other.transfer.is_none()
            && self.answers == other.answers
            && self.unknown == other.unknown
            && self.shared == other.shared
            && self.made == other.made
            && self.rounds == other.rounds
            && self.held == other.held
            && self.rare == other.rare
            && self.parted == other.parted
            && self.guard == other.guard
            && calls.chain([(self.function, self.pc, self.base)]).all(|(function, pc, base)| {
                code.functions[function as usize].live.at(pc as usize).all(|register| {
                    let at = base as usize + usize::from(register);
                    self.registers[at] == other.registers[at] || self.will_set(at)
                })
            })
            && self.memory.same(&other.memory)
    }

    /// What two cursors share only if they do the same from here on, given the same answers: a hash of all that matters.
    /// None in the middle of a long copy.
    pub(super) fn state_number(&self, code: &Code) -> Option<u128> {
        if self.transfer.is_some() {
            return None;
        }
        let half = |seed: u64| {
            let mut hasher = std::hash::DefaultHasher::new();
            seed.hash(&mut hasher);
            (self.function, self.pc, self.base, self.further, self.thread, self.stack).hash(&mut hasher);
            // Calls far out are compared by their place: states that are equal otherwise are few.
            self.outer.as_ref().map(Rc::as_ptr).hash(&mut hasher);
            (&self.pending, &self.frames, &self.answers, &self.unknown, &self.shared).hash(&mut hasher);
            // How many objects were made only says what addresses the next will have: a loop that makes one in every
            // round, and frees it, comes back to the same state.
            (&self.held, &self.rare, &self.parted, &self.guard).hash(&mut hasher);
            let calls = self.frames.iter().map(|frame| (frame.function, frame.pc, frame.base));
            for (function, pc, base) in calls.chain([(self.function, self.pc, self.base)]) {
                for register in code.functions[function as usize].live.at(pc as usize) {
                    let at = base as usize + usize::from(register);
                    if !self.will_set(at) {
                        (register, self.registers[at]).hash(&mut hasher);
                    }
                }
            }
            self.memory.hash(&mut hasher);
            hasher.finish()
        };
        Some(u128::from(half(1)) << 64 | u128::from(half(2)))
    }

    /// Will the answer to the last action overwrite this register?
    fn will_set(&self, at: usize) -> bool {
        let (to, count) = match self.pending {
            Pending::Load { to, .. }
            | Pending::Register { to }
            | Pending::Modify { to, .. }
            | Pending::Stack { to, .. }
            | Pending::Locked { to, .. }
            | Pending::Tried { to, .. }
            | Pending::Heap { to, .. }
            | Pending::Joined { to, .. }
            | Pending::Passing { to, .. }
            | Pending::Elected { to } => (to, 1),
            Pending::Exchange { to, .. } => (to, 2),
            _ => return false,
        };
        let first = self.base as usize + usize::from(to);
        (first..first + count).contains(&at)
    }
}
