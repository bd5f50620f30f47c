//! Memory with store buffers: SC, TSO and PSO.
//!
//! A store goes into its thread's buffer and leaves it later; a load takes the newest buffered value of its own thread,
//! else memory's. Updates (failed compare-exchanges too), `seq_cst` fences, locks, spawns, joins and a thread's end wait
//! for an empty buffer; a `seq_cst` store is followed by such a wait. Under PSO stores to different locations leave in
//! any order unless a store barrier stands between them: it starts an epoch, and a store leaves only when its thread has
//! nothing buffered of an older one.

use rustc_hash::FxHashSet;

use super::Machine;
use crate::code::{Code, Standing, Visible, Wants};
use crate::conditions::Operation::Hear;
use crate::graph::State;
use crate::program::Order;

/// Which buffers there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// None: SC.
    None,
    /// One per thread: TSO.
    PerThread,
    /// One per thread and location: PSO.
    PerLocation,
}

/// The machine for one program.
pub struct Buffers<'a> {
    /// The program.
    pub code: &'a Code,
    /// Its buffers.
    pub kind: Kind,
    /// How many stores a buffer holds; none if that is not bounded. A store that finds its buffer full waits.
    pub room: Option<u32>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Buffered {
    loc: u8,
    value: i64,
    epoch: u8,
}

/// Where a thread is.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Thread {
    at: Standing,
    started: bool,
    ended: bool,
    /// It may not go on before its buffer is empty.
    draining: bool,
    epoch: u8,
    /// Oldest first.
    buffer: Vec<Buffered>,
}

/// Who holds a lock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Hold {
    writer: bool,
    readers: u8,
}

impl Hold {
    /// Takes it, if that is possible.
    fn take(&mut self, shared: bool) -> bool {
        if self.writer || self.readers > 0 && !shared {
            return false;
        }
        self.writer = !shared;
        self.readers += u8::from(shared);
        true
    }

    fn release(&mut self) {
        self.readers = self.readers.saturating_sub(u8::from(!self.writer));
        self.writer = false;
    }
}

/// A state of the machine.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Memory {
    threads: Vec<Thread>,
    data: Vec<i64>,
    locks: Vec<Hold>,
}

impl Machine for Buffers<'_> {
    type State = Memory;

    fn start(&self) -> Memory {
        let thread = |&spawned: &bool| Thread {
            at: Standing::default(),
            started: !spawned,
            ended: false,
            draining: false,
            epoch: 0,
            buffer: Vec::new(),
        };
        Memory {
            threads: self.code.spawned.iter().map(thread).collect(),
            data: self.code.init.clone(),
            locks: vec![Hold::default(); self.code.locks],
        }
    }

    fn steps(&self, state: &Memory, next: &mut Vec<Memory>) {
        for thread in 0..state.threads.len() {
            self.flushes(state, thread, next);
            self.instruction(state, thread, next);
        }
    }

    fn is_dropped(&self, state: &Memory) -> bool {
        state.threads.iter().zip(&self.code.threads).any(|(thread, code)| thread.at.is_dropped(code))
    }

    fn ended(&self, state: &Memory) -> Option<State> {
        if !state.threads.iter().all(|thread| thread.ended || !thread.started) {
            return None;
        }
        let mut end = State::new();
        for (thread, &used) in state.threads.iter().zip(&self.code.registers) {
            end.extend(&thread.at.registers[..used]);
        }
        end.extend(self.code.lasting().map(|place| state.data[place]));
        Some(end)
    }
}

impl Buffers<'_> {
    /// All ends of runs in which at most so many times a thread that could go on is left for another one. Flushes may
    /// come at any time. None if there are too many states.
    pub fn ends_within(&self, preemptions: u32, most: usize) -> Option<FxHashSet<State>> {
        let mut ends = FxHashSet::default();
        let mut seen: FxHashSet<(Memory, Option<usize>)> = FxHashSet::default();
        let mut later = vec![(self.start(), None)];
        for _ in 0..=preemptions {
            let mut todo = std::mem::take(&mut later);
            while let Some(at) = todo.pop() {
                if !seen.insert(at.clone()) {
                    continue;
                }
                if seen.len() > most {
                    return None;
                }
                let (state, at_work) = at;
                // What nobody else can see may be done at any time.
                let unseen = (0..state.threads.len()).find(|&thread| self.is_unseen(&state, thread));
                if let Some(thread) = unseen {
                    let mut next = Vec::new();
                    self.instruction(&state, thread, &mut next);
                    if !next.is_empty() {
                        todo.extend(next.into_iter().map(|after| (after, at_work)));
                        continue;
                    }
                }
                let step = |thread: usize| {
                    let mut next = Vec::new();
                    self.instruction(&state, thread, &mut next);
                    next.into_iter().map(move |after| (after, Some(thread)))
                };
                let mut flushed = Vec::new();
                (0..state.threads.len()).for_each(|thread| self.flushes(&state, thread, &mut flushed));
                let own: Vec<_> = at_work.into_iter().flat_map(step).collect();
                let others: Vec<_> =
                    (0..state.threads.len()).filter(|&t| Some(t) != at_work).flat_map(step).collect();
                if own.is_empty() && others.is_empty() && flushed.is_empty() && !self.is_dropped(&state) {
                    ends.extend(self.ended(&state));
                }
                if own.is_empty() { &mut todo } else { &mut later }.extend(others);
                todo.extend(own);
                todo.extend(flushed.into_iter().map(|after| (after, at_work)));
            }
        }
        Some(ends)
    }

    /// Does a thread next do something that no other thread can see, and that waits for nothing?
    fn is_unseen(&self, state: &Memory, thread: usize) -> bool {
        let Thread { at, started, ended, draining, buffer, .. } = &state.threads[thread];
        if !started || *ended || *draining && !buffer.is_empty() {
            return false;
        }
        match at.clone().settle(&self.code.threads[thread]) {
            Wants::Do(Visible::Store { .. }) => self.kind != Kind::None && self.room.is_none(),
            Wants::Do(Visible::Fence(Order::SeqCst)) | Wants::Done => buffer.is_empty(),
            Wants::Do(Visible::Fence(_) | Visible::Alloc(_) | Visible::Free(_)) => true,
            Wants::Do(Visible::Spawn(_)) => buffer.is_empty(),
            Wants::Do(Visible::Join(child)) => buffer.is_empty() && state.threads[child as usize].ended,
            _ => false,
        }
    }

    /// Does a store to this location have to wait?
    fn is_full(&self, buffer: &[Buffered], loc: u8) -> bool {
        let held = match self.kind {
            Kind::None | Kind::PerThread => buffer.len(),
            Kind::PerLocation => buffer.iter().filter(|entry| entry.loc == loc).count(),
        };
        self.room.is_some_and(|room| held >= room as usize)
    }

    fn flushes(&self, state: &Memory, thread: usize, next: &mut Vec<Memory>) {
        let buffer = &state.threads[thread].buffer;
        for (index, entry) in buffer.iter().enumerate() {
            let first = match self.kind {
                Kind::None | Kind::PerThread => index == 0,
                Kind::PerLocation => {
                    buffer[..index].iter().all(|older| older.loc != entry.loc && older.epoch == entry.epoch)
                }
            };
            if first {
                let mut after = state.clone();
                let entry = after.threads[thread].buffer.remove(index);
                after.data[entry.loc as usize] = entry.value;
                after.threads[thread].number_epochs();
                next.push(after);
            }
        }
    }

    fn instruction(&self, state: &Memory, index: usize, next: &mut Vec<Memory>) {
        let thread = &state.threads[index];
        let empty = thread.buffer.is_empty();
        if !thread.started || thread.ended || (thread.draining && !empty) {
            return;
        }
        let mut after = state.clone();
        let me = &mut after.threads[index];
        me.draining = false;
        let visible = match me.at.settle(&self.code.threads[index]) {
            Wants::Stuck | Wants::Failed | Wants::Waits | Wants::Unheard | Wants::Dropped => return,
            Wants::Done => {
                if empty {
                    me.ended = true;
                    next.push(after);
                }
                return;
            }
            Wants::Do(visible) => visible,
        };
        let registers = me.at.registers;
        let mut answer = 0;
        match visible {
            Visible::Load { loc, .. } => {
                let own = me.buffer.iter().rev().find(|entry| entry.loc == loc);
                answer = own.map_or(state.data[loc as usize], |entry| entry.value);
            }
            // It waits, and is asked again later.
            Visible::Condition(operation @ Hear { place, .. }) => {
                answer = state.data[place as usize];
                if !operation.is_heard(&me.at.waiting, answer) {
                    return;
                }
            }
            Visible::Store { loc, value, order } => {
                if self.kind == Kind::None || self.room == Some(0) {
                    after.data[loc as usize] = value.value(&registers);
                } else {
                    if self.is_full(&me.buffer, loc) {
                        return;
                    }
                    if order.releases() {
                        me.barrier();
                    }
                    me.buffer.push(Buffered { loc, value: value.value(&registers), epoch: me.epoch });
                    me.number_epochs();
                    me.draining = order == Order::SeqCst;
                }
            }
            Visible::Fence(Order::SeqCst) if !empty => return,
            Visible::Fence(order) => {
                if order.releases() {
                    me.barrier();
                }
            }
            Visible::Choose { low, high, .. } => {
                for value in low..=high {
                    let mut after = after.clone();
                    after.threads[index].at.resume(visible, value);
                    next.push(after);
                }
                return;
            }
            Visible::Alloc(_) | Visible::Free(_) => {}
            _ if !empty => return,
            Visible::Update { loc, kind, operand, .. } => {
                let cell = &mut after.data[loc as usize];
                answer = *cell;
                *cell = kind.apply(*cell, operand.value(&registers));
            }
            Visible::Cas { loc, expected, desired, weak, .. } => {
                let equal = state.data[loc as usize] == expected.value(&registers);
                answer = if weak { i64::from(equal) } else { state.data[loc as usize] };
                if equal && weak {
                    let mut failed = after.clone();
                    failed.threads[index].at.resume(visible, 0);
                    next.push(failed);
                }
                if equal {
                    after.data[loc as usize] = desired.value(&registers);
                }
            }
            Visible::Condition(operation) => {
                let cell = &mut after.data[operation.place(&me.at.waiting) as usize];
                answer = *cell;
                *cell = operation.change(&me.at.waiting, *cell).unwrap_or(*cell);
            }
            Visible::Spawn(child) => after.threads[child as usize].started = true,
            Visible::Join(child) => {
                if !state.threads[child as usize].ended {
                    return;
                }
            }
            Visible::Lock { lock, shared } => {
                if !after.locks[lock as usize].take(shared) {
                    return;
                }
            }
            Visible::TryLock { lock, shared, .. } => {
                answer = i64::from(after.locks[lock as usize].take(shared));
            }
            Visible::Unlock(lock) => after.locks[lock as usize].release(),
        }
        after.threads[index].at.resume(visible, answer);
        next.push(after);
    }
}

impl Thread {
    /// A store barrier: later stores leave after all that are buffered now.
    fn barrier(&mut self) {
        self.epoch += 1;
        self.number_epochs();
    }

    /// Renumbers epochs from 0 without gaps, so that equal situations are equal states.
    fn number_epochs(&mut self) {
        let mut epochs: Vec<u8> = self.buffer.iter().map(|entry| entry.epoch).collect();
        epochs.dedup();
        for entry in &mut self.buffer {
            entry.epoch = epochs.iter().position(|&epoch| epoch == entry.epoch).unwrap_or(0) as u8;
        }
        let open = epochs.last() == Some(&self.epoch);
        self.epoch = (epochs.len() as u8).saturating_sub(u8::from(open));
    }
}
