//! Barriers whose threads come in no order, where the engine makes groups of them. (Otherwise a barrier is what
//! `raveler_libc.h` says.)

use raveler_core::{Address, Operation, PASS_AGAIN, PASS_CHOOSES};

use super::cursor::Pending;
use super::step::{Stop, act};
use super::{CProgram, Cursor, Fact};
use crate::code::Reg;

impl Cursor {
    /// May the thread come to this barrier or latch in no order?
    pub(super) fn gathers(&mut self, program: &CProgram, to: Reg, at: u64, once: bool) -> Result<(), Stop> {
        let gathers = program.gathers(once) && self.own(program, at)?.is_none();
        if gathers && once {
            if self.rare.latches.contains(&at) {
                return self.enumerate(program, at, once);
            }
            self.rare_mut().latches.push(at);
        }
        self.set(to, u64::from(gathers));
        Ok(())
    }

    /// From now on the order counts in which threads come.
    pub(super) fn enumerate(&mut self, program: &CProgram, at: u64, once: bool) -> Result<(), Stop> {
        if program.gathers(once) && self.own(program, at)?.is_none() {
            program.learn(if once { Fact::Counted } else { Fact::Crowded });
            return act(Operation::Restart);
        }
        Ok(())
    }

    /// The thread comes to a barrier.
    pub(super) fn arrive(&mut self, program: &CProgram, at: u64, count: u32) -> Result<(), Stop> {
        self.waits.effect();
        program.has_gathered();
        act(Operation::Arrive { address: program.engine(at), count, looks: self.looks(program) })
    }

    /// May the result of the current call be looked at where it returns to?
    fn looks(&self, program: &CProgram) -> bool {
        // The function of a thread gives it to whoever joins the thread.
        let Some(caller) = self.calls_around().next() else { return true };
        let live = &program.code.functions[caller.function as usize].live;
        live.at(caller.pc as usize).any(|register| register == caller.to)
    }

    /// It goes on.
    pub(super) fn pass(&mut self, program: &CProgram, to: Reg, at: u64, count: u32) -> Result<(), Stop> {
        self.ask_to_pass(to, program.engine(at), count)
    }

    fn ask_to_pass(&mut self, to: Reg, address: Address, count: u32) -> Result<(), Stop> {
        self.waits.effect();
        self.pending = Pending::Passing { to, address, count };
        act(Operation::Pass { address, count })
    }

    /// What it was answered.
    pub(super) fn passed(&mut self, answer: u64, to: Reg, address: Address, count: u32) -> Result<(), Stop> {
        match answer {
            PASS_AGAIN => self.ask_to_pass(to, address, count),
            PASS_CHOOSES => {
                self.pending = Pending::Elected { to };
                act(Operation::Choose { low: 0, high: i64::from(count) - 1 })
            }
            // 1 says that it is the serial one.
            answer => {
                self.set(to, answer);
                Ok(())
            }
        }
    }
}
