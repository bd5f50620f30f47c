//! Calls and returns, and the end of a thread.

use raveler_core::mutation::Mutant;
use raveler_core::{Operation, Order, Storage, ViolationKind, Width};

use super::cursor::{Pending, SharedLocal};
use super::stack::call_bytes;
use super::step::{Stop, act, fail};
use super::{CProgram, Cursor};
use crate::address::{self, Target};
use crate::code::{Ending, Function, Reg};
use crate::demangle;

impl Cursor {
    pub(super) fn function_at(&self, program: &CProgram, pointer: u64) -> Result<u32, Stop> {
        match address::decode(pointer) {
            Target::Function(index) if (index as usize) < program.code.functions.len() => {
                if program.code.functions[index as usize].code.is_empty() {
                    let name = demangle::name(&program.code.functions[index as usize].name);
                    return Err(Stop::unsupported(format!(
                        "`{name}` is called through a pointer, but has no body"
                    )));
                }
                Ok(index)
            }
            Target::Nothing => fail(ViolationKind::NullDereference, "call through a null pointer"),
            _ => fail(ViolationKind::Other, "call through a pointer that does not point to a function"),
        }
    }

    pub(super) fn call(
        &mut self,
        program: &CProgram,
        target: u32,
        to: Reg,
        first: u16,
        count: u16,
    ) -> Result<(), Stop> {
        let code = &program.code;
        self.put_away();
        let caller = &code.functions[self.function as usize];
        let from = self.base as usize;
        let operands = &caller.operands[usize::from(first)..usize::from(first) + usize::from(count)];
        let unknown: Vec<_> = match self.unknown.is_empty() {
            true => Vec::new(),
            false => operands.iter().map(|&operand| self.unknown_in(operand)).collect(),
        };
        self.check_stack(program, call_bytes(&code.functions[target as usize]), Some(target))?;
        self.enter(code, target, to);
        let callee = &code.functions[target as usize];
        let fixed = usize::from(callee.parameters);
        for (i, operand) in operands.iter().enumerate() {
            let value = match operand.decode() {
                Ok(register) => self.registers[from + usize::from(register)],
                Err(constant) => caller.constants[usize::from(constant)],
            };
            if i < fixed {
                self.registers[self.base as usize + i] = value;
                if let Some(&Some(bits)) = unknown.get(i) {
                    self.set_unknown(i as u16, Some(bits));
                }
            } else if callee.variadic {
                self.registers.push(value);
                self.further += 1;
            }
        }
        Ok(())
    }

    /// The calls around a call of `target`, from outside, until a function comes again.
    pub(super) fn chain(&self, program: &CProgram, target: Option<u32>) -> String {
        let here = (self.function, self.pc);
        let mut calls: Vec<_> = self.calls_around().map(|frame| (frame.function, frame.pc)).collect();
        calls.reverse();
        calls.push(here);
        let mut seen = Vec::new();
        let mut text = String::new();
        for (function, pc) in calls {
            let Function { name, sites, .. } = &program.code.functions[function as usize];
            if seen.contains(&function) {
                return format!("{text} → `{name}` again and so on");
            }
            seen.push(function);
            let arrow = if text.is_empty() { "" } else { " → " };
            let site = sites.get((pc as usize).saturating_sub(1)).copied();
            let line = site.and_then(|site| program.code.sources.site(site)).map(|site| site.line);
            let line = line.map_or(String::new(), |line| format!(" (line {line})"));
            text += &format!("{arrow}`{name}`{line}");
        }
        match target {
            Some(target) => format!("{text} → `{}`", program.code.functions[target as usize].name),
            None => text,
        }
    }

    pub(super) fn give_back(&mut self, program: &CProgram, first: u16, count: u16) -> Result<(), Stop> {
        let depth = self.depth();
        self.get_back();
        let ends = self.frames.is_empty();
        // Where `main` returns the process ends, and its variables with it: no thread can come too late.
        if !(ends && self.thread == 0) {
            self.drop_locals(depth)?;
        }
        let function = &program.code.functions[self.function as usize];
        let operands = &function.operands[usize::from(first)..usize::from(first) + usize::from(count)];
        if ends && self.closes(program, Ending::Return)? {
            return Ok(());
        }
        if ends {
            let value = operands.first().map_or(0, |&operand| self.get(&function.constants, operand));
            let unknown = operands.first().and_then(|&operand| self.unknown_in(operand));
            // What another thread gets whose result nobody set is a copy like any other: only its use is wrong.
            let unset = match unknown {
                Some((_, origin)) if self.thread == 0 => {
                    return self.complain(program, "the thread ends with", origin);
                }
                Some((bits, _)) => bits,
                None => 0,
            };
            return self.end(program, (value, unset), Ending::Return);
        }
        self.memory.leave(depth);
        self.waits.leave(depth);
        self.rounds.leave(depth);
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        let results: [u64; 4] = std::array::from_fn(|i| {
            operands.get(i).map_or(0, |&operand| self.get(&function.constants, operand))
        });
        let unknown: Vec<_> = match self.unknown.is_empty() {
            true => Vec::new(),
            false => operands.iter().map(|&operand| self.unknown_in(operand)).collect(),
        };
        let more: Vec<u64> =
            operands.iter().skip(4).map(|&operand| self.get(&function.constants, operand)).collect();
        self.registers.truncate(self.base as usize);
        self.leave_unknown();
        (self.function, self.pc, self.base, self.further, self.stack) =
            (frame.function, frame.pc, frame.base, frame.further, frame.stack);
        for (i, value) in results.into_iter().take(operands.len()).chain(more).enumerate() {
            self.set(frame.to + i as u16, value);
        }
        for (i, bits) in unknown.into_iter().enumerate() {
            self.set_unknown(frame.to + i as u16, bits);
        }
        Ok(())
    }

    /// The local variables of calls at this depth or deeper come to their end: an action for each that other threads use,
    /// after which the current instruction runs again.
    pub(super) fn drop_locals(&mut self, depth: u32) -> Result<(), Stop> {
        match self.shared.last() {
            Some(&SharedLocal { depth: owner, address, .. }) if owner >= depth => {
                self.shared.pop();
                self.pc -= 1;
                act(Operation::Free { address, storage: Storage::Local })
            }
            _ => Ok(()),
        }
    }

    /// The thread ends with a value, of which nobody set some bits; with the first thread's return, or a call of `exit`, the
    /// process does.
    pub(super) fn end(
        &mut self,
        program: &CProgram,
        (value, unset): (u64, u64),
        ending: Ending,
    ) -> Result<(), Stop> {
        let exits = match ending {
            Ending::Return => self.thread == 0,
            Ending::Thread => false,
            Ending::Program | Ending::Quick | Ending::AtOnce => true,
        };
        let outlives = ending == Ending::Thread && Mutant::LocalsOutliveExit.is_active();
        if !exits && !outlives {
            // Local variables of calls that end with the thread, and thread-local variables that other threads use.
            self.drop_locals(0)?;
        }
        if program.code.wants_results && !exits {
            if unset != 0 {
                program.writes_unset();
            }
            self.pending = Pending::Ended { unset };
            let address = address::result(self.thread);
            return act(Operation::Write { address, width: Width::B8, order: Order::Relaxed, value });
        }
        if self.thread == 0 {
            program.note_end(self.printed(), value);
        }
        act(if exits { Operation::Exit } else { Operation::Done })
    }
}
