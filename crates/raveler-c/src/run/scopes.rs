//! Variables of blocks: each time its block is entered a variable begins a new life, and where the block is left it ends.

use raveler_core::{Operation, Storage, Width};

use super::cursor::SharedLocal;
use super::stack::local_bytes;
use super::step::{Stop, act};
use super::waits::{Change, Changed};
use super::{CProgram, Cursor};
use crate::address::{self, Private, Target};
use crate::code::{Inst, Reg};

/// So many lives of a variable that something still points to have addresses of their own.
const REMEMBERED: u32 = 32;

/// Pointers to lives that ended are looked for in objects that are not larger.
const MAX_LOOKED_AT: usize = 1 << 12;

/// So many instructions may stand between the end of a variable of `main` and its return.
const MAX_ENDING: u32 = 1_000;

impl Cursor {
    /// A variable of a block begins to live.
    pub(super) fn begin_life(
        &mut self,
        program: &CProgram,
        to: Reg,
        size: u64,
        place: u16,
    ) -> Result<(), Stop> {
        // Where nothing ended the last life, this does; then the instruction runs again.
        if let Err(stop) = self.end_life(program, size, place) {
            self.pc -= 1;
            return Err(stop);
        }
        let first = self.memory.next(place);
        let nth = match program.code.places[usize::from(place)].again {
            true => first + self.unseen_life(program, place, first),
            false => first,
        };
        self.new_local(program, to, size, (place, nth))
    }

    /// It begins to live, unless it lives already.
    pub(super) fn continue_life(
        &mut self,
        program: &CProgram,
        to: Reg,
        size: u64,
        place: u16,
    ) -> Result<(), Stop> {
        let depth = self.depth();
        let own = self.memory.local(place, depth).and_then(address::start);
        let here = |local: &&SharedLocal| local.place == place && local.depth == depth;
        let at = match (own, self.shared.iter().rfind(here).map(|local| local.address)) {
            (Some(at), _) => at,
            (None, Some(address)) => {
                let align = program.code.places[usize::from(place)].align;
                self.seen_at(program, address, size, align)?
            }
            (None, None) => return self.begin_life(program, to, size, place),
        };
        self.set(to, at);
        Ok(())
    }

    /// It ends, if it lives: an event if other threads use it.
    pub(super) fn end_life(&mut self, program: &CProgram, size: u64, place: u16) -> Result<(), Stop> {
        let depth = self.depth();
        if let Some(key) = self.memory.local(place, depth) {
            self.memory.remove(key);
            self.waits.repeats.ended(key);
            if let Some(start) = address::start(key) {
                self.forget_objects(start, size);
            }
            self.stack = self.stack.saturating_sub(local_bytes(size));
            return Ok(());
        }
        let here = |local: &SharedLocal| local.place == place && local.depth == depth;
        let Some(at) = self.shared.iter().rposition(here) else { return Ok(()) };
        if self.thread == 0 && self.frames.is_empty() && self.outer.is_none() && self.only_returns(program) {
            // The process ends with it: no thread can come too late.
            return Ok(());
        }
        let SharedLocal { address, .. } = self.shared.remove(at);
        self.stack = self.stack.saturating_sub(local_bytes(size));
        self.waits.effect();
        act(Operation::Free { address, storage: Storage::Local })
    }

    /// What a variable holds does not matter any more: to have held one thing or another makes no other state.
    pub(super) fn clear(&mut self, place: u16) {
        // Memory that other threads use is the engine's.
        let Some(key) = self.memory.local(place, self.depth()) else { return };
        let size = self.memory.size(key).unwrap_or_default();
        if self.waits.watches() {
            for offset in 0..size {
                let width = Width::B1;
                let old = self.memory.written(key, offset, width);
                if old.is_some() {
                    self.waits.write(Change { key, offset, width, old, what: Changed::Written });
                }
            }
        }
        self.memory.clear(key);
        self.waits.repeats.ended(key);
    }

    /// Does the current function do no more from here on than end its variables and return?
    fn only_returns(&self, program: &CProgram) -> bool {
        let function = &program.code.functions[self.function as usize];
        // Registers that were set on the way.
        let mut set: Vec<(Reg, u64)> = Vec::new();
        let mut pc = self.pc;
        for _ in 0..MAX_ENDING {
            let value = |operand: crate::code::Operand, set: &[(Reg, u64)]| {
                let known = operand.decode().ok().and_then(|register| set.iter().rfind(|s| s.0 == register));
                known.map_or_else(|| self.get(&function.constants, operand), |&(_, value)| value)
            };
            let Some(&inst) = function.code.get(pc as usize) else { return false };
            pc = match inst {
                Inst::Return { .. } => return true,
                Inst::End { .. } | Inst::Clear { .. } => pc + 1,
                Inst::Move { to, from } => {
                    let from = value(from, &set);
                    set.push((to, from));
                    pc + 1
                }
                Inst::Jump { target } => target,
                Inst::Switch { operand, table, default } => {
                    let value = value(operand, &set);
                    let table = &function.switches[usize::from(table)];
                    table.binary_search_by_key(&value, |entry| entry.0).map_or(default, |at| table[at].1)
                }
                _ => return false,
            };
        }
        false
    }

    /// The first life of a variable, counted from `first`, that nothing points to: a pointer to one that ended must not
    /// become a pointer to the new one.
    fn unseen_life(&self, program: &CProgram, place: u16, first: u32) -> u32 {
        let published = self.rare.published.iter().find(|entry| entry.0 == place);
        let mut seen = published.map_or(0, |entry| entry.1.checked_shr(first).unwrap_or(0));
        let mut look = |value: u64| {
            if let Target::Private { key, .. } = address::decode(value) {
                let Private { place: of, nth, .. } = program.private(key);
                if of == place && nth >= first && nth - first < REMEMBERED {
                    seen |= 1 << (nth - first);
                }
            }
        };
        let calls = self.frames.iter().map(|frame| (frame.function, frame.pc, frame.base));
        // Before the current instruction: it sets the register of the variable's address.
        let here = (self.function, self.pc - 1, self.base);
        for (function, pc, base) in calls.chain([here]) {
            let live = program.code.functions[function as usize].live.at(pc as usize);
            live.for_each(|register| look(self.registers[base as usize + usize::from(register)]));
        }
        self.memory.words(MAX_LOOKED_AT).for_each(look);
        match seen.trailing_ones() {
            REMEMBERED => 0,
            unseen => unseen,
        }
    }

    /// This value is written to shared memory: if it is the address of a variable of a block, something points there from
    /// now on.
    pub(super) fn publish(&mut self, program: &CProgram, value: u64) {
        let Target::Private { key, .. } = address::decode(value) else { return };
        let Private { place, nth, .. } = program.private(key);
        if nth >= REMEMBERED || !program.code.places.get(usize::from(place)).is_some_and(|place| place.again)
        {
            return;
        }
        let published = &mut self.rare_mut().published;
        match published.iter_mut().find(|entry| entry.0 == place) {
            Some(entry) => entry.1 |= 1 << nth,
            None => published.push((place, 1 << nth)),
        }
    }
}
