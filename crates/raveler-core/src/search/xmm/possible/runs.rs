//! Running threads by themselves.
//!
//! Reads return any value that some thread, run like that, writes to the location. Every thread of every execution that
//! a round can find is among these runs: its promised reads return values of known labels, and its other reads values of
//! threads that were run before it. A value is made from others by a chain of writes of one execution, so rounds in
//! which each value leads to further ones need to be repeated only as often as there can be writes. Where there are
//! too many runs anything is taken to be possible.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{ANYWHERE, ENDS, Flow, Locations, OTHERS, Point, Possible, STARTS};
use crate::id::{Address, AllocationId};
use crate::program::action::{Action, Answer, Contents, Operation, Order, UpdateOp, Value, Width};

use crate::program::{Entry, Program};
use crate::run::tables::Tables;

/// So many steps are made to find all runs.
const MOST_STEPS: usize = 500_000;

/// More rounds are not made to find out how many writes threads may make.
const MOST_PASSES: usize = 64;

/// What a thread knows of itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Me {
    name: u32,
    spawned: u32,
    allocated: u32,
}

/// What an event reads and writes.
#[derive(Clone, Copy, Default)]
struct Effect {
    read: Locations,
    acquires: bool,
    released: Locations,
    relaxed: Locations,
}

/// What a thread does at a point.
struct Here<C> {
    /// After its request.
    cursor: C,
    me: Me,
    /// Where it reads, if what it reads decides what comes next.
    reads: Option<Reading>,
    /// By answer: the effect, and what comes next.
    next: FxHashMap<(Value, bool), (Effect, u32)>,
    /// What it does, if nothing comes next.
    last: Effect,
}

/// A read whose answer is any value of a location.
#[derive(Clone, Copy)]
struct Reading {
    address: Address,
    width: Width,
    order: Order,
    op: Option<UpdateOp>,
}

/// The values that locations may hold.
#[derive(Default)]
struct Values {
    /// By address, those that reads return by now.
    known: FxHashMap<u64, Vec<Value>>,
    /// The same, each with its address.
    is_known: FxHashSet<(u64, Value)>,
    /// Those that reads return from the next round on.
    fresh: Vec<(u64, Value)>,
    /// Allocated memory with contents: from where to where, and how wide its cells are.
    filled: Vec<(u64, u64, Width)>,
}

pub(super) struct Runs<'a, P: Program> {
    program: &'a P,
    tables: &'a Tables,
    spurious_cas: bool,
    /// Is the search to end? Then there is no answer.
    is_over: &'a dyn Fn() -> bool,
    values: Values,
    steps: usize,
    /// The first stands for anything.
    points: Vec<Option<Here<P::Cursor>>>,
    starts: FxHashMap<(u32, u64, Value), u32>,
    bits: FxHashMap<u64, Locations>,
    /// Threads to run: name, code, argument, and whether it exists from the start.
    open: Vec<(u32, u64, Value, bool)>,
    /// Answers to give.
    answers: Vec<(u32, Answer, (Value, bool), Effect)>,
    /// By address, the points that read there.
    readers: FxHashMap<u64, Vec<u32>>,
    /// The states that runs have come to, with what is done there.
    seen: FxHashMap<(u128, Me), Vec<(Operation, u32)>>,
}

impl<'a, P: Program> Runs<'a, P> {
    pub fn new(
        program: &'a P,
        tables: &'a Tables,
        spurious_cas: bool,
        promised: impl Iterator<Item = (u64, Value)>,
        is_over: &'a dyn Fn() -> bool,
    ) -> Self {
        let mut values = Values::default();
        values.fresh.extend(promised);
        Runs {
            program,
            tables,
            spurious_cas,
            is_over,
            values,
            steps: 0,
            points: vec![None],
            starts: FxHashMap::default(),
            bits: FxHashMap::default(),
            open: (0..program.threads()).map(|name| (name, 0, 0, true)).collect(),
            answers: Vec::new(),
            readers: FxHashMap::default(),
            seen: FxHashMap::default(),
        }
    }

    /// All runs; none if there are too many.
    pub fn all(mut self) -> Option<Possible> {
        self.publish();
        // Runs are only added: where they may write without end, that stays so.
        let mut most = 0;
        for round in 0.. {
            while self.go_on()? {}
            if self.values.fresh.is_empty() {
                break;
            }
            if most < u64::MAX {
                most = self.most_writes()?;
            }
            if round > most {
                break;
            }
            self.publish();
        }
        let is_closed = self.values.fresh.is_empty();
        Some(Possible { is_closed, ..self.finish()? })
    }

    /// Start a thread or give an answer; false if there is nothing left to do.
    fn go_on(&mut self) -> Option<bool> {
        if let Some((point, answer, key, effect)) = self.answers.pop() {
            let here = self.points[point as usize].as_ref()?;
            if !here.next.contains_key(&key) {
                let (cursor, me) = (here.cursor.clone(), here.me);
                let next = self.step(cursor, answer, me)?;
                self.points[point as usize].as_mut()?.next.insert(key, (effect, next));
            }
            return Some(true);
        }
        let Some((name, code, argument, initial)) = self.open.pop() else { return Some(false) };
        if self.starts.contains_key(&(name, code, argument)) {
            return Some(true);
        }
        let entry = match initial {
            true => Entry::Initial(name),
            false => Entry::Spawned { code, argument, name: u64::from(name) },
        };
        let me = Me { name, spawned: 0, allocated: 0 };
        let point = self.step(self.program.start(entry), Answer::NONE, me)?;
        self.starts.insert((name, code, argument), point);
        Some(true)
    }

    /// Let reads return what was written in this round.
    fn publish(&mut self) {
        for (address, value) in std::mem::take(&mut self.values.fresh) {
            self.make_known(address, value);
        }
    }

    fn make_known(&mut self, address: u64, value: Value) {
        if !self.values.is_known.insert((address, value)) {
            return;
        }
        self.values.known.entry(address).or_default().push(value);
        for reader in self.readers.get(&address).cloned().unwrap_or_default() {
            self.answer(reader, value);
        }
    }

    /// The read at this point returns this value, too.
    fn answer(&mut self, point: u32, value: Value) {
        let Some(Here { reads: Some(reading), .. }) = &self.points[point as usize] else { return };
        let Reading { address, width, order, op } = *reading;
        let (location, value) = (self.bit(address.0), width.cut(value));
        let mut effect = Effect { read: location, acquires: order.acquires(), ..Effect::default() };
        let Some(op) = op else {
            return self.answers.push((point, Answer::Value(value), (value, false), effect));
        };
        let failure = op.failure().map_or(order, |(failure, _)| failure);
        let failed = Effect { acquires: failure.acquires(), ..effect };
        let Some(written) = op.apply(value, width) else {
            return self.answers.push((point, Answer::Value(value), (value, false), failed));
        };
        self.write(address, written);
        match order.releases() {
            true => effect.released = location,
            false => effect.relaxed = location,
        }
        self.answers.push((point, Answer::Value(value), (value, false), effect));
        if self.spurious_cas {
            self.answers.push((point, Answer::Failed(value), (value, true), failed));
        }
    }

    /// The point that a thread reaches when it is given this answer.
    fn step(&mut self, mut cursor: P::Cursor, answer: Answer, mut me: Me) -> Option<u32> {
        self.steps += 1;
        if self.steps > MOST_STEPS || (self.is_over)() {
            return None;
        }
        let Action { operation, .. } = self.program.step(&mut cursor, answer);
        // Runs that have come to the same state go on alike.
        let state = self.program.hints().state_number(&cursor).map(|number| (number, me));
        if let Some(list) = state.and_then(|state| self.seen.get(&state))
            && let Some((_, point)) = list.iter().find(|(made, _)| *made == operation)
        {
            return Some(*point);
        }
        let point = self.points.len() as u32;
        if let Some(state) = state {
            self.seen.entry(state).or_default().push((operation.clone(), point));
        }
        let mut effect = Effect::default();
        let mut reads = None;
        let mut answers: Vec<(Answer, Value)> = vec![(Answer::NONE, 0)];
        match operation {
            Operation::Read { address, width, order } => {
                reads = Some(Reading { address, width, order, op: None });
            }
            Operation::Update { address, width, op, order }
            | Operation::Count { address, width, op, order } => {
                reads = Some(Reading { address, width, order, op: Some(op) });
            }
            Operation::Write { address, width, value, order } => {
                let location = self.bit(address.0);
                match order.releases() {
                    true => effect.released = location,
                    false => effect.relaxed = location,
                }
                self.write(address, width.cut(value));
            }
            Operation::Lock { address, .. } => {
                let location = self.bit(address.0);
                effect = Effect { read: location, acquires: true, released: 0, relaxed: location };
                self.write(address, 1);
            }
            Operation::TryLock { address, .. } => {
                let location = self.bit(address.0);
                effect = Effect { read: location, acquires: false, released: 0, relaxed: location };
                self.write(address, 1);
                answers = [0, 1].map(|taken| (Answer::Value(taken), taken)).to_vec();
            }
            Operation::Unlock { address } => {
                effect.released = self.bit(address.0);
                self.write(address, 0);
            }
            Operation::Spawn { code, argument } => {
                let child = self.tables.threads.child_name(me.name, me.spawned)?;
                me.spawned += 1;
                effect.released = self.bit(STARTS | u64::from(child));
                self.open.push((child, code, argument, false));
                answers = vec![(Answer::Value(u64::from(child)), u64::from(child))];
            }
            Operation::Join(name) => {
                effect.read = self.bit(ENDS | name);
                effect.acquires = true;
            }
            Operation::Alloc { size, contents, .. } => {
                let allocation = AllocationId { thread: me.name, nth: me.allocated };
                if !allocation.fits(size) {
                    return None;
                }
                me.allocated += 1;
                let address = allocation.address();
                if let Contents::Cells { cell, values } = &contents {
                    self.fill((address.0, address.0 + size, *cell), values);
                }
                answers = vec![(Answer::Value(address.0), address.0)];
            }
            Operation::Choose { low, high } => {
                if high.abs_diff(low) > 64 {
                    return None;
                }
                answers = (low..=high).map(|v| (Answer::Value(v as Value), v as Value)).collect();
            }
            Operation::Free { .. }
            | Operation::Initialise { .. }
            | Operation::Destroy { .. }
            | Operation::Fence(_)
            | Operation::Observe { .. } => {}
            Operation::Done => {
                effect.released = self.bit(ENDS | u64::from(me.name));
                answers.clear();
            }
            Operation::Exit
            | Operation::Block
            | Operation::Wait(_)
            | Operation::Dropped
            | Operation::Fail { .. } => {
                answers.clear();
            }
            // What is learned starts everything again; what is cut or refused cannot be judged.
            Operation::Cut
            | Operation::Restart
            | Operation::Unsupported(_)
            | Operation::ReadPart { .. }
            | Operation::WritePart { .. }
            | Operation::Arrive { .. }
            | Operation::Pass { .. } => return None,
        }
        let next = FxHashMap::default();
        self.points.push(Some(Here { cursor, me, reads, next, last: effect }));
        match reads {
            Some(Reading { address, width, .. }) => self.read(point, address, width)?,
            None => {
                self.answers
                    .extend(answers.into_iter().map(|(answer, key)| (point, answer, (key, false), effect)));
            }
        }
        Some(point)
    }

    /// A read at a new point returns all values known by now. None if these cannot be said.
    fn read(&mut self, point: u32, address: Address, width: Width) -> Option<()> {
        let inside = |(from, to, _): &&(u64, u64, Width)| (*from..*to).contains(&address.0);
        if self.values.filled.iter().find(inside).is_some_and(|(_, _, cell)| *cell != width) {
            return None;
        }
        if !self.readers.contains_key(&address.0) {
            let (program, memory) = (self.program, &self.tables.memory);
            let initial = memory.initial_of(address, width, program.hints().object_at(address).as_ref());
            self.make_known(address.0, initial);
        }
        self.readers.entry(address.0).or_default().push(point);
        for value in self.values.known.get(&address.0).cloned().unwrap_or_default() {
            self.answer(point, value);
        }
        Some(())
    }

    /// Memory that is allocated has these contents, which no thread writes.
    fn fill(&mut self, cells: (u64, u64, Width), values: &[Value]) {
        if !self.values.filled.contains(&cells) {
            self.values.filled.push(cells);
        }
        for (at, &value) in values.iter().enumerate() {
            self.make_known(cells.0 + at as u64 * cells.2.bytes(), value);
        }
    }

    fn write(&mut self, address: Address, value: Value) {
        if !self.values.is_known.contains(&(address.0, value)) {
            self.values.fresh.push((address.0, value));
        }
    }

    fn bit(&mut self, address: u64) -> Locations {
        let count = self.bits.len();
        *self.bits.entry(address).or_insert(if count < 127 { 1 << count } else { OTHERS })
    }

    /// How many writes an execution may have, as far as runs are known. None if the search is to end.
    fn most_writes(&self) -> Option<u64> {
        let mut most = vec![0_u64; self.points.len()];
        let mut passes = 0;
        loop {
            let mut has_changed = false;
            for (at, here) in self.points.iter().enumerate().rev() {
                let Some(here) = here else { continue };
                let writes = |effect: &Effect| u64::from(effect.released | effect.relaxed != 0);
                let after = |(effect, next): &(Effect, u32)| writes(effect) + most[*next as usize];
                let now = here.next.values().map(after).max().unwrap_or(writes(&here.last));
                has_changed |= now != most[at];
                most[at] = now;
            }
            passes += 1;
            if !has_changed {
                break;
            }
            if (self.is_over)() {
                return None;
            }
            // A loop that writes: no bound is known.
            if passes > MOST_PASSES {
                return Some(u64::MAX);
            }
        }
        let mut by_thread: FxHashMap<u32, u64> = FxHashMap::default();
        for (&(name, _, _), &point) in &self.starts {
            let thread = by_thread.entry(name).or_default();
            *thread = (*thread).max(most[point as usize]);
        }
        Some(by_thread.values().sum())
    }

    /// What may come after each point. None if the search is to end.
    fn finish(self) -> Option<Possible> {
        let mut found = Possible::anything();
        let mut points = std::mem::take(Arc::make_mut(&mut found.points));
        points.resize_with(self.points.len(), Point::default);
        loop {
            if (self.is_over)() {
                return None;
            }
            let mut has_changed = false;
            for (at, here) in self.points.iter().enumerate().rev() {
                let Some(here) = here else { continue };
                let mut point = std::mem::take(&mut points[at]);
                has_changed |= here.collect(at, &mut point, &points);
                points[at] = point;
            }
            if !has_changed {
                break;
            }
        }
        for (point, here) in points.iter_mut().zip(self.points) {
            let next = here.map(|here| here.next).unwrap_or_default();
            point.next = next.into_iter().map(|(key, (_, next))| (key, next)).collect();
        }
        for (&(name, _, _), &start) in &self.starts {
            // What starts from a spawn has read it.
            if let Some(&location) = self.bits.get(&(STARTS | u64::from(name))) {
                let point = &mut points[start as usize];
                let (released, relaxed) = (point.released, point.relaxed);
                add_flow(&mut point.flows, Flow { read: location, acquires: true, released, relaxed });
            }
        }
        found.starts = self.starts;
        found.bits = self.bits;
        found.points = Arc::new(points);
        Some(found)
    }
}

impl<C> Here<C> {
    /// Add to a point what comes from here on; true if there is more than before.
    fn collect(&self, at: usize, point: &mut Point, points: &[Point]) -> bool {
        debug_assert!(at as u32 != ANYWHERE);
        let mut has_changed = false;
        let nothing = Point::default();
        let ends = self.next.is_empty().then_some((self.last, &nothing));
        let goes_on = self.next.values().map(|(effect, next)| (*effect, &points[*next as usize]));
        for (effect, rest) in goes_on.chain(ends) {
            let released = effect.released | rest.released;
            let relaxed = effect.relaxed | rest.relaxed;
            has_changed |= released & !point.released != 0 || relaxed & !point.relaxed != 0;
            point.released |= released;
            point.relaxed |= relaxed;
            if effect.read != 0 {
                let flow = Flow { read: effect.read, acquires: effect.acquires, released, relaxed };
                has_changed |= add_flow(&mut point.flows, flow);
            }
            for flow in &rest.flows {
                has_changed |= add_flow(&mut point.flows, *flow);
            }
        }
        has_changed
    }
}

/// Add a flow to some; true if that is more than before.
fn add_flow(flows: &mut Vec<Flow>, flow: Flow) -> bool {
    let same = |other: &&mut Flow| other.read == flow.read && other.acquires == flow.acquires;
    match flows.iter_mut().find(same) {
        Some(all) => {
            let before = *all;
            all.released |= flow.released;
            all.relaxed |= flow.relaxed;
            before != *all
        }
        None => {
            flows.push(flow);
            true
        }
    }
}
