//! How often a loop may go round, where that is bounded.

use raveler_core::{Address, Operation, SiteId};

use super::step::Stop;
use super::{CProgram, Cursor, Fact};
use crate::code::Head;

/// How often a loop goes round that has no end in sight, unless the user says otherwise.
pub(super) const DEFAULT_BOUND: u32 = 5;

/// A thread that reads so often without any effect, in rounds that all differ, has no end in sight.
const MAX_FUTILE: usize = 4_000;

/// Nor has one that does so much.
pub(super) const MAX_ACTIONS: u32 = 15_000;

/// Nor has a loop whose rounds were alike so often, but not without effect.
const MAX_ALIKE: u32 = 500;

/// Nor has a loop that starts threads, after so many: nearly as many as there can be, of the first thread and of others.
const MAX_SPAWNED: [u32; 2] = [1000, 120];

/// A loop that has done so much is named if the search ends meanwhile.
const LONG_ACTIONS: u32 = 500;
const LONG_SILENCE: u64 = 1 << 20;

/// How long a thread has been in a loop.
#[derive(Clone, Copy)]
pub(super) struct Length {
    /// So many rounds in a row were alike.
    pub alike: u32,
    /// So many steps were made without an action, of so many that are allowed.
    pub silent: u64,
    pub patience: u64,
}

/// The rounds of the bounded loops that the thread is in.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Rounds {
    list: Vec<Round>,
    /// Some loop may be left, but not go round again.
    ending: bool,
}

#[derive(Clone, PartialEq, Eq)]
struct Round {
    number: u32,
    head: u16,
    depth: u32,
    count: u32,
    /// How many threads had been started at the first visit.
    spawned: u32,
    /// The registers that matter, as they were at the last visit.
    values: Vec<u64>,
}

impl Round {
    /// Was a thread started in every round, if there are so many now?
    fn spawns(&self, spawned: u32) -> bool {
        let started = spawned.saturating_sub(self.spawned);
        started > 0 && started >= self.count - 1
    }
}

impl Rounds {
    /// A call at this depth returned.
    pub fn leave(&mut self, depth: u32) {
        self.list.retain(|round| round.depth < depth);
    }

    /// May the next branch be one too many?
    #[inline]
    pub fn are_ending(&self) -> bool {
        self.ending
    }
}

impl Cursor {
    /// The head of a loop.
    pub(super) fn count_round(
        &mut self,
        program: &CProgram,
        head: u16,
        here: &Head,
        length: Length,
    ) -> Result<(), Stop> {
        let number = program.loop_number(self.function, head);
        let Some(bound) = program.bound_of(number) else {
            let Length { alike, silent, patience } = length;
            if self.waits.actions() > LONG_ACTIONS || silent > LONG_SILENCE {
                program.is_in(number, self.writes_in(program, here));
            }
            if silent > patience
                || alike > MAX_ALIKE
                || self.waits.rounds() > MAX_FUTILE
                || self.waits.actions() > MAX_ACTIONS
                || self.rare.spawned > MAX_SPAWNED[usize::from(self.thread != 0)] && self.spawns_in(here)
            {
                program.learn(Fact::Endless(number));
                return Err(Stop::Action(Operation::Restart));
            }
            return Ok(());
        };
        let depth = self.depth();
        let heads = &program.code.functions[self.function as usize].heads;
        let at = self.pc - 1;
        // Loops that were left without a word.
        self.rounds.list.retain(|round| {
            round.depth < depth || round.head == head || heads[usize::from(round.head)].has(at)
        });
        let live = |register: &u16| self.registers[self.base as usize + usize::from(*register)];
        let values: Vec<u64> = here.live.iter().map(live).collect();
        let found = self.rounds.list.iter_mut().find(|round| round.number == number && round.depth == depth);
        let Some(round) = found else {
            let spawned = self.rare.spawned;
            self.rounds.list.push(Round { number, head, depth, count: 1, spawned, values });
            return Ok(());
        };
        round.count += 1;
        let first = bound + 1;
        if round.count > first || round.count == first && here.decides_last {
            let changed = here.live.iter().zip(&values).zip(&round.values).filter(|((_, a), b)| a != b);
            let changed = changed.map(|((register, _), _)| *register).collect();
            let spawns = round.spawns(self.rare.spawned);
            program.cut(number, changed, self.writes_in(program, here), spawns);
            return Err(Stop::Action(Operation::Cut));
        }
        if round.count == first {
            self.rounds.ending = true;
        } else {
            round.values = values;
        }
        Ok(())
    }

    /// The number of the innermost loop that the thread is in, of the current function or of one that called it.
    pub(super) fn innermost_loop(&self, program: &CProgram) -> Option<u32> {
        let size = |head: &Head| head.body.iter().map(|&(from, until)| until - from).sum::<u32>();
        let in_call = |function: u32, pc: u32| {
            let heads = &program.code.functions[function as usize].heads;
            let inside = (0u16..).zip(heads).filter(|(_, head)| head.has(pc));
            inside.min_by_key(|(_, head)| size(head)).map(|(at, _)| program.loop_number(function, at))
        };
        let callers = self.frames.iter().rev().map(|frame| (frame.function, frame.pc));
        std::iter::once((self.function, self.pc))
            .chain(callers)
            .find_map(|(function, pc)| in_call(function, pc))
    }

    /// Where a loop of the current function writes shared memory, if it did so last, and which memory.
    fn writes_in(&self, program: &CProgram, head: &Head) -> Option<(SiteId, Address)> {
        let (function, instruction, at) = self.waits.wrote;
        let inside = function == self.function && head.has(instruction);
        let sites = &program.code.functions[function as usize].sites;
        let site = sites.get(instruction as usize).copied().filter(|&site| inside && site != SiteId::NONE);
        site.map(|site| (site, Address(at)))
    }

    /// Was the last thread started in this loop of the current function, or in a function that it called?
    fn spawns_in(&self, head: &Head) -> bool {
        let (function, instruction) = self.rare.spawned_at;
        self.rare.spawned > 0 && (function != self.function || head.has(instruction))
    }

    /// After a branch: does it begin a round too many?
    pub(super) fn check_ending(&mut self, program: &CProgram, branch: u32) -> Result<(), Stop> {
        let depth = self.depth();
        let function = &program.code.functions[self.function as usize];
        let mut ending = false;
        for round in &self.rounds.list {
            let Some(bound) = program.bound_of(round.number) else { continue };
            if round.count <= bound {
                continue;
            }
            ending = true;
            if round.depth != depth {
                continue;
            }
            let head = &function.heads[usize::from(round.head)];
            let leaves = head.leaves.iter().find(|leave| leave.0 == branch);
            let crate::code::Inst::Branch { yes, no, .. } = function.code[branch as usize] else { continue };
            if leaves.is_some_and(|&(_, on_yes)| self.pc != if on_yes { yes } else { no }) {
                let now = head.live.iter().map(|r| self.registers[self.base as usize + usize::from(*r)]);
                let changed = head.live.iter().zip(now).zip(&round.values).filter(|((_, a), b)| a != *b);
                let changed = changed.map(|((register, _), _)| *register).collect();
                let spawns = round.spawns(self.rare.spawned);
                program.cut(round.number, changed, self.writes_in(program, head), spawns);
                return Err(Stop::Action(Operation::Cut));
            }
        }
        self.rounds.ending = ending;
        Ok(())
    }
}
