//! Futile rounds: a loop that comes back to the same state without any effect waits for somebody else.
//!
//! A round may take locks and release them. But if it releases a lock that was taken before the loop, others can come in
//! between, and what was read and written under the lock before the loop is no longer together with what follows: such a
//! round is not futile. If the round releases what the round before took, and both went the same way, it is: without it
//! the section that it released would not be there at all.

use std::ops::Range;

use super::long::Long;
use super::repeats::{Compared, Repeats};
use super::{CProgram, Cursor};
use crate::code::Head;
use raveler_core::mutation::Mutant;
use raveler_core::{Address, Hints};

/// The visits of loop heads since the last effect that others can see.
#[derive(Default)]
pub(super) struct Waits {
    visits: Long<Visit>,
    /// Writes to the thread's own memory since the first of these visits: object, offset, bytes, old value.
    log: Vec<Change>,
    /// How many actions there were.
    actions: u32,
    /// Reads of shared memory since the last effect.
    accesses: Long<Access>,
    /// Answers to actions since the first of these visits.
    answers: Long<u64>,
    /// Stores to shared memory that are no effect as long as no other thread sees them.
    stores: Vec<Store>,
    /// How often locks were taken or released.
    locked: u32,
    /// The locks that the thread holds, and how many actions there were when it took them.
    taken: Vec<(u64, u32)>,
    /// A futile round was let pass: of how many actions it was made, 0 if it was a failed try.
    pub spared: Option<u32>,
    /// Rounds that are alike, and have effects.
    pub repeats: Repeats,
    /// The last write of shared memory: function and instruction, and where it wrote.
    pub wrote: (u32, u32, u64),
    /// The last access to shared memory.
    target: u64,
    /// How many effects there were, and how many after waking up for no reason.
    effects: u32,
    stirred: Option<u32>,
    /// How the thread came to wait for a condition variable the last time.
    enlisted: Enlisted,
    /// All that happened since the thread was at a head of a loop in the same state is that it waited and woke up for no
    /// reason.
    only_stirred: bool,
}

impl Clone for Waits {
    fn clone(&self) -> Waits {
        let mut new = Waits::default();
        new.clone_from(self);
        new
    }

    fn clone_from(&mut self, source: &Waits) {
        let Waits { visits, log, actions, accesses, answers, taken, spared, repeats, wrote, target, .. } =
            source;
        self.stores.clone_from(&source.stores);
        self.locked = source.locked;
        self.visits.clone_from(visits);
        self.log.clone_from(log);
        self.actions = *actions;
        self.accesses.clone_from(accesses);
        self.answers.clone_from(answers);
        self.taken.clone_from(taken);
        self.spared = *spared;
        self.repeats.clone_from(repeats);
        self.wrote = *wrote;
        self.target = *target;
        (self.effects, self.stirred) = (source.effects, source.stirred);
        (self.enlisted, self.only_stirred) = (source.enlisted, source.only_stirred);
    }
}

/// How a thread came to wait for a condition variable.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Enlisted {
    /// After so many effects.
    effects: u32,
    /// Function and instruction.
    place: (u32, u32),
    condition: u64,
    /// What happened since the head of a loop.
    way: u64,
}

/// A read of shared memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Access {
    pub address: u64,
    pub plain: bool,
}

/// A store to shared memory.
#[derive(Clone, Copy)]
struct Store {
    address: Address,
    /// How many actions there were before it.
    actions: u32,
}

#[derive(Clone, Copy)]
struct Visit {
    function: u32,
    head: u16,
    depth: u32,
    state: (u64, u64),
    log: usize,
    actions: u32,
    accesses: usize,
    answers: usize,
    stores: usize,
    locked: u32,
    released: Released,
}

impl Visit {
    /// The same head, in the same state?
    fn is_like(&self, other: &Visit) -> bool {
        (self.function, self.head, self.depth, self.state)
            == (other.function, other.head, other.depth, other.state)
    }
}

/// What became of the locks that were held at a visit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Released {
    /// They are held.
    Nothing,
    /// One was released that had been taken after an earlier visit like this.
    TakenInside,
    /// One was released that had been taken before.
    TakenBefore,
}

/// A write to the thread's own memory.
#[derive(Clone, Copy)]
pub(super) struct Change {
    pub key: u32,
    pub offset: u64,
    pub width: raveler_core::Width,
    pub old: Option<(u64, u64)>,
    pub what: Changed,
}

impl Change {
    fn bytes(&self) -> Range<u64> {
        self.offset..self.offset + self.width.bytes()
    }
}

/// What a change does to an object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Changed {
    Written,
    /// An object of the heap is allocated or freed.
    Allocated,
    Freed,
}

/// No more writes are remembered.
const MAX_LOG: usize = 1 << 16;

/// A loop that stores so often is no waiting loop.
const MAX_STORES: usize = 32;

impl Waits {
    /// Something happened that others can see.
    pub fn effect(&mut self) {
        self.effects += 1;
        self.only_stirred = false;
        self.visits.clear();
        self.log.clear();
        self.accesses.clear();
        self.answers.clear();
        self.stores.clear();
    }

    /// Shared memory is stored to by this instruction. That is no effect where no other thread sees it, as far as is known.
    pub fn store(&mut self, program: &CProgram, (function, instruction): (u32, u32), at: u64) {
        let address = program.engine(at);
        let stores = self.stores.len();
        // A round begins with it if nothing was done since a head of a loop but to store.
        let is_first =
            |visit: &Visit| visit.actions as usize + (stores - visit.stores) == self.actions as usize;
        let near = |visit: &&Visit| visit.actions as usize + MAX_STORES > self.actions as usize;
        let is_first = self.visits.from(0).rev().take_while(near).any(is_first)
            || Mutant::StoresAnywhere.is_active() && self.watches();
        if !is_first || stores == MAX_STORES || !program.unseen.stores(address) {
            self.wrote(function, instruction, at);
            return;
        }
        self.effects += 1;
        self.only_stirred = false;
        self.stores.push(Store { address, actions: self.actions });
        self.wrote = (function, instruction, at);
    }

    /// Is the last action a store that is no effect as long as no other thread sees it?
    pub fn has_just_stored(&self) -> bool {
        self.stores.last().is_some_and(|store| store.actions + 1 == self.actions)
    }

    /// The thread begins to wait for a condition variable. Does it only come round to the wait from which it woke up for
    /// no reason, having seen the same on its way from the head of the loop?
    pub fn enlist(&mut self, place: (u32, u32), condition: u64) -> bool {
        let (effects, way) = (self.effects, self.repeats.since());
        let before = std::mem::replace(&mut self.enlisted, Enlisted { effects, place, condition, way });
        self.only_stirred && Enlisted { effects, ..before } == self.enlisted
    }

    /// It woke up for no reason.
    pub fn stir(&mut self) {
        self.stirred = Some(self.effects);
    }

    /// Shared memory is written by this instruction.
    pub fn wrote(&mut self, function: u32, instruction: u32, at: u64) {
        if !Mutant::StoreIsNoEffect.is_active() {
            self.effect();
        }
        self.wrote = (function, instruction, at);
    }

    /// The last access wrote.
    pub fn updated(&mut self, function: u32, instruction: u32) {
        if Mutant::UpdateIsNoEffect.is_active() {
            return;
        }
        self.wrote(function, instruction, self.target);
    }

    /// A lock was taken.
    pub fn take(&mut self, lock: u64) {
        self.locked += 1;
        self.taken.push((lock, self.actions));
    }

    /// A lock is released: rounds that began while it was held are more than waiting.
    pub fn release(&mut self, lock: u64) {
        self.locked += 1;
        let Some(at) = self.taken.iter().rposition(|&(taken, _)| taken == lock) else { return };
        let (_, since) = self.taken.remove(at);
        if Mutant::ReleaseIgnored.is_active() {
            return;
        }
        for at in 0..self.visits.len() {
            let visit = self.visits[at];
            if visit.actions < since || visit.released == Released::TakenBefore {
                continue;
            }
            let is_before = |earlier: &Visit| earlier.is_like(&visit) && earlier.actions < since;
            let inside = self.visits.between(0, at).any(is_before);
            self.visits[at].released = if inside { Released::TakenInside } else { Released::TakenBefore };
        }
    }

    /// The last action was answered.
    pub fn answer(&mut self, answer: u64) {
        self.repeats.note(answer);
        if self.watches() {
            self.answers.push(answer);
        }
    }

    /// Shared memory is read, in a loop perhaps.
    pub fn access(&mut self, address: u64, plain: bool) {
        self.target = address;
        if self.watches() {
            self.accesses.push(Access { address, plain });
        }
    }

    /// An action was made.
    pub fn action(&mut self) {
        self.actions += 1;
    }

    /// How many actions there were.
    pub fn actions(&self) -> u32 {
        self.actions
    }

    /// How often loops went round since the last effect.
    pub fn rounds(&self) -> usize {
        self.visits.len()
    }

    /// A call at this depth returned: its loops are not those of the next call.
    pub fn leave(&mut self, depth: u32) {
        if !Mutant::CallsAlike.is_active() {
            self.visits.retain(|visit| visit.depth < depth);
        }
        self.repeats.leave(depth);
    }

    /// Are writes to be remembered?
    pub fn watches(&self) -> bool {
        !self.visits.is_empty()
    }

    /// An object of the thread's own heap is allocated or freed. A round that does both to the same object leaves nothing
    /// behind.
    pub fn heap(&mut self, key: u32, what: Changed) {
        self.effects += 1;
        self.only_stirred = false;
        if self.watches() {
            self.write(Change { key, offset: 0, width: raveler_core::Width::B1, old: None, what });
        }
    }

    pub fn write(&mut self, change: Change) {
        // A loop that does so much by itself is no waiting loop.
        if self.log.len() >= MAX_LOG {
            self.effect();
        }
        self.log.push(change);
    }
}

/// What a thread finds at the head of a loop.
pub(super) enum Visited {
    /// It was here before, in this very state, so many events ago: it waits.
    Waits(u32),
    /// So many rounds in a row were alike, but not without effect.
    Again(u32),
}

impl Cursor {
    /// The head of a loop: was the thread here before?
    pub(super) fn visit_head(&mut self, program: &CProgram, head: u16, live: &Head) -> Visited {
        let mut state = (0x243f_6a88_85a3_08d3u64, 0x1319_8a2e_0370_7344u64);
        let registers =
            live.live.iter().map(|&register| self.registers[self.base as usize + usize::from(register)]);
        let registers = registers.filter(|_| !Mutant::RegistersIgnored.is_active());
        let held = self.held.iter().flat_map(|held| [held.address, u64::from(held.depth)]);
        let held = held.filter(|_| !Mutant::HeldIgnored.is_active());
        for value in registers.chain(held).chain([u64::from(self.rare.drawn)]) {
            state.0 = (state.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
            state.1 = (state.1 ^ value.rotate_left(32)).wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(31);
        }
        if !self.unknown.is_empty() {
            // What is unknown is a state of its own.
            state.0 = state.0.wrapping_add(self.unknown.len() as u64);
        }
        let depth = self.depth();
        let (function, actions) = (self.function, self.waits.actions);
        let here = |visit: &Visit| visit.function == function && visit.head == head && visit.depth == depth;
        if let Some(last) = self.waits.visits.last().filter(|&last| here(last) && last.actions == actions)
            && last.state == state
            && self.is_unchanged_since(last.log)
        {
            // Not even a read since: nothing will ever change this.
            return Visited::Waits(0);
        }
        let visits = &self.waits.visits;
        let earlier = (0..visits.len()).rev().find(|&at| {
            let visit = &visits[at];
            let is_asked = at + 1 == visits.len() || !Mutant::LastVisitOnly.is_active();
            is_asked
                && here(visit)
                && visit.state == state
                && visit.actions < actions
                && self.is_unchanged_since(visit.log)
                && self.only_waits_since(at)
                && self.stores_first_since(program, at)
        });
        let mut waits = None;
        if let Some(earlier) = earlier.map(|at| visits[at]) {
            if self.waits.stores.len() > earlier.stores {
                program.unseen.used();
            }
            if self.waits.spared.is_some() || !program.is_risky(self.waits.accesses.from(earlier.accesses)) {
                waits = Some(Visited::Waits(actions - earlier.actions));
            } else {
                // What is wrong may be wrong in this round only, and show only after the loop: go on, once. Later
                // rounds may not overlap this one.
                self.waits.spared = Some(actions - earlier.actions);
                self.waits.effect();
            }
        }
        let (log, accesses) = (self.waits.log.len(), self.waits.accesses.len());
        let (answers, released) = (self.waits.answers.len(), Released::Nothing);
        let (stores, locked) = (self.waits.stores.len(), self.waits.locked);
        let visit =
            Visit { function, head, depth, state, log, actions, accesses, answers, stores, locked, released };
        // Nothing visible happened since the last visit: that one is of no use any more.
        self.waits.visits.retain(|visit| !(here(visit) && visit.actions == actions));
        self.waits.visits.push(visit);
        // A thread that waits may be made to go on: its next round begins here.
        if let Some(waits) = waits {
            return waits;
        }
        let effects = self.waits.effects;
        let Compared { alike, same, effects: before } =
            self.waits.repeats.visit((function, head, depth), state, effects);
        let Waits { enlisted, stirred, .. } = self.waits;
        self.waits.only_stirred = same && enlisted.effects == before && stirred == Some(effects);
        Visited::Again(alike)
    }

    /// Did the round since this visit keep the locks that were held there, or give back only what the round before took,
    /// having gone the same way?
    fn only_waits_since(&self, at: usize) -> bool {
        let Waits { visits, answers, .. } = &self.waits;
        match visits[at].released {
            Released::Nothing => true,
            Released::TakenBefore => false,
            Released::TakenInside => {
                let before = visits.between(0, at).rfind(|earlier| earlier.is_like(&visits[at]));
                before.is_some_and(|before| {
                    let middle = visits[at].answers;
                    answers.between(before.answers, middle).eq(answers.from(middle))
                        && self.is_unchanged_since(before.log)
                })
            }
        }
    }

    /// Did the round since this visit store to shared memory at its very beginning only, or not at all? Then the next round
    /// begins with the same stores (docs/reductions.md, "Rounds").
    fn stores_first_since(&self, program: &CProgram, at: usize) -> bool {
        let visit = &self.waits.visits[at];
        let stores = &self.waits.stores[visit.stores..];
        // Of two stores to one place the first would change memory whenever the next round begins.
        let is_only =
            |at: usize, store: &Store| stores[..at].iter().all(|earlier| earlier.address != store.address);
        let site = program.code.functions[self.function as usize].sites[self.pc as usize - 1];
        stores.is_empty()
            || visit.locked == self.waits.locked
                && !program.is_ours(site)
                && stores.iter().zip(visit.actions..).enumerate().all(|(at, (store, actions))| {
                    (store.actions == actions || Mutant::StoresAnywhere.is_active())
                        && is_only(at, store)
                        && program.is_unseen(store.address)
                })
    }

    /// Does the thread's own memory hold what it held at this place of the log?
    fn is_unchanged_since(&self, log: usize) -> bool {
        if Mutant::OwnMemoryIgnored.is_active() {
            return true;
        }
        let changes = &self.waits.log[log..];
        let begun = |key| changes.iter().any(|change| change.what == Changed::Allocated && change.key == key);
        changes.iter().enumerate().all(|(i, change)| {
            if change.what != Changed::Written || !self.memory.has(change.key) && begun(change.key) {
                return !self.memory.has(change.key) && begun(change.key);
            }
            // Of each byte the first write knows what was there.
            let is_first = |offset: u64| {
                let mut earlier = changes[..i].iter().filter(|earlier| earlier.key == change.key);
                !earlier.any(|earlier| earlier.bytes().contains(&offset))
            };
            let now = self.memory.written(change.key, change.offset, change.width);
            let byte = |value: Option<(u64, u64)>, at: u64| {
                let (value, unknown) =
                    value.map(|(value, unknown)| (value >> (8 * at), unknown >> (8 * at)))?;
                (unknown as u8 != u8::MAX).then_some((value as u8, unknown as u8))
            };
            now == change.old
                || change.bytes().enumerate().all(|(at, offset)| {
                    !is_first(offset) || byte(now, at as u64) == byte(change.old, at as u64)
                })
        })
    }
}

impl CProgram {
    /// May a round with these accesses be the only one in which a race or a use after free shows
    /// (docs/waits.md, "Spared rounds")?
    fn is_risky<'a>(&self, mut round: impl Iterator<Item = &'a Access>) -> bool {
        // The first one repeats itself.
        let Some(first) = round.next() else { return false };
        self.spares()
            && !Mutant::NeverSpared.is_active()
            && round.any(|access| {
                let repeated = first.address == access.address && (first.plain || !access.plain);
                !repeated
                    && (access.plain || self.may_be_plain(access.address))
                    && self.may_be_disturbed(self.engine_or_word(access.address), access.plain)
            })
    }
}
