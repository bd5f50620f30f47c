//! What threads may still do: an over-approximation that lets the search see early that no cycle can close.
//!
//! Each thread is run by itself, its reads returning any value that some thread, run like that, writes to the
//! location. Every thread of every execution that a round can find is among these runs: its promised reads return
//! values of known labels, and its other reads values of threads that were run before it. A value is made from
//! others by a chain of writes of one execution, so it is enough to repeat this as often as there can be writes.
//! Where there are too many runs anything is taken to be possible.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Event, EventTag, Kind};
use crate::id::{Address, AllocationId};
use crate::program::action::{Action, Answer, Contents, Operation, Value, Width};
use crate::program::{Entry, Program};
use crate::run::tables::Tables;

/// A set of locations as bits. All that are met after the first sixty-odd share the last bit; more in a set never
/// makes it wrong.
pub(super) type Locations = u64;

/// The bit that many locations may share.
const OTHERS: Locations = 1 << 63;

/// So many steps are made to find all runs.
const MOST_STEPS: usize = 200_000;

/// A point in the runs of a thread.
#[derive(Clone, Debug, Default)]
struct Point {
    /// What may be read and written from here on.
    reads: Locations,
    writes: Locations,
    /// For locations that may be read from here on: what may be written afterwards.
    flows: Vec<(Locations, Locations)>,
    /// How many writes may come.
    most_writes: u32,
    /// By answer, what comes next. A compare-exchange that fails for no reason has an answer of its own.
    next: FxHashMap<(Value, bool), u32>,
}

/// Where anything is possible.
pub(super) const ANYWHERE: u32 = 0;

/// The points of all threads.
pub(super) struct Possible {
    points: Vec<Point>,
    /// By name of the thread, code and argument.
    pub starts: FxHashMap<(u32, u64, Value), u32>,
    /// By address, or what stands for a thread's start or end: its bit.
    bits: FxHashMap<u64, Locations>,
    /// How many names of threads there are.
    threads: usize,
}

impl Possible {
    /// Nothing is known.
    fn anything() -> Possible {
        let anywhere = Point { reads: !0, writes: !0, flows: vec![(!0, !0)], ..Point::default() };
        Possible {
            points: vec![anywhere],
            starts: FxHashMap::default(),
            bits: FxHashMap::default(),
            threads: usize::MAX,
        }
    }

    /// What threads may do whose reads also return these values.
    pub fn new<P: Program>(
        program: &P,
        tables: &Tables,
        spurious_cas: bool,
        promised: impl Iterator<Item = (u64, Value)>,
    ) -> Possible {
        if program.world().is_some() {
            return Possible::anything();
        }
        let mut values =
            Values { initial: FxHashMap::default(), written: FxHashMap::default(), filled: Vec::new() };
        for (address, value) in promised {
            values.written.entry(address).or_default().push(value);
        }
        let mut steps = 0;
        for round in 0.. {
            let mut runs = Runs {
                program,
                tables,
                spurious_cas,
                values: &mut values,
                has_grown: false,
                steps,
                found: Possible::anything(),
                open: (0..program.threads()).map(|name| (name, 0, 0, true)).collect(),
                started: FxHashSet::default(),
                seen: FxHashMap::default(),
            };
            if !runs.run() {
                return Possible::anything();
            }
            if !runs.has_grown || round > runs.found.most_writes() {
                let mut found = runs.found;
                let names: FxHashSet<u32> = found.starts.keys().map(|&(name, _, _)| name).collect();
                found.threads = names.len();
                return found;
            }
            steps = runs.steps;
        }
        Possible::anything()
    }

    /// How many threads an execution may have.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Is anything possible?
    pub fn is_unknown(&self) -> bool {
        self.starts.is_empty()
    }

    /// How many writes an execution may have.
    fn most_writes(&self) -> u32 {
        let mut by_thread: FxHashMap<u32, u32> = FxHashMap::default();
        for (&(name, _, _), &point) in &self.starts {
            let most = by_thread.entry(name).or_default();
            *most = (*most).max(self.points[point as usize].most_writes);
        }
        by_thread.values().sum()
    }

    /// Where a thread begins.
    pub fn start(&self, name: u32, code: u64, argument: Value) -> u32 {
        self.starts.get(&(name, code, argument)).copied().unwrap_or(ANYWHERE)
    }

    /// Where a thread is after its event.
    pub fn after(&self, point: u32, event: &Event, answer: Value) -> u32 {
        let failed = event.kind == Kind::Read && event.tag == EventTag::Spurious;
        let next = &self.points[point as usize].next;
        next.get(&(answer, failed)).copied().unwrap_or(ANYWHERE)
    }

    pub fn writes(&self, point: u32) -> Locations {
        self.points[point as usize].writes
    }

    /// What may be written from here on after a read of one of these locations.
    pub fn flow(&self, point: u32, from: Locations) -> Locations {
        let flows = &self.points[point as usize].flows;
        flows.iter().filter(|(read, _)| read & from != 0).fold(0, |all, (_, written)| all | written)
    }
}

/// The start or end of a thread stands for a location that is written there. No location lies there.
const STARTS: u64 = 1 << 59;
const ENDS: u64 = 1 << 58;

impl Possible {
    /// The set of one location. One that no run accesses can be any.
    pub fn location(&self, address: Address) -> Locations {
        self.bits.get(&address.0).copied().unwrap_or(!0)
    }

    /// The start of a thread, as a location that is written there.
    pub fn start_of(&self, name: u32) -> Locations {
        self.location(Address(STARTS | u64::from(name)))
    }

    /// The end of a thread, as a location that is written there.
    pub fn end_of(&self, name: u32) -> Locations {
        self.location(Address(ENDS | u64::from(name)))
    }

    /// The locations over which threads at these points may read from each other in a circle. Coherence would grow
    /// around a circle on one location, so it leads over two.
    pub fn cyclic(&self, points: impl Iterator<Item = u32>) -> Locations {
        let points: Vec<&Point> = points.map(|point| &self.points[point as usize]).collect();
        let flow = |point: &Point, from: Locations| {
            let read = point.flows.iter().filter(|(read, _)| read & from != 0);
            read.fold(0, |all, (_, written)| all | written)
        };
        let mut written: Vec<Locations> = points.iter().map(|point| flow(point, !0)).collect();
        let readable = |written: &[Locations], at: usize| {
            let others = written.iter().enumerate().filter(|(other, _)| *other != at);
            others.fold(0, |all, (_, of)| all | of)
        };
        loop {
            let mut has_changed = false;
            for at in 0..points.len() {
                let now = flow(points[at], readable(&written, at));
                has_changed |= now != written[at];
                written[at] = now;
            }
            if !has_changed {
                break;
            }
        }
        let all = written.iter().fold(0, |all, of| all | of);
        if all & OTHERS != 0 {
            return !0;
        }
        if all.count_ones() <= 1 {
            return 0;
        }
        // From which location values may get to which.
        let mut reached = [0; 64];
        for (at, point) in points.iter().enumerate() {
            let from = readable(&written, at);
            for (read, to) in point.flows.iter().filter(|(read, _)| read & from != 0) {
                reached[read.trailing_zeros() as usize] |= to & all;
            }
        }
        let bits = |set: Locations| (0..64).filter(move |bit| set >> bit & 1 != 0);
        for via in bits(all) {
            for from in bits(all) {
                if reached[from] >> via & 1 != 0 {
                    reached[from] |= reached[via];
                }
            }
        }
        let goes_round =
            |&a: &usize| bits(all).any(|b| a != b && reached[a] >> b & 1 != 0 && reached[b] >> a & 1 != 0);
        bits(all).filter(goes_round).fold(0, |set, bit| set | 1 << bit)
    }

    /// The locations over which a circle may come about at all.
    pub fn ever_cyclic(&self) -> Locations {
        if self.is_unknown() { !0 } else { self.cyclic(self.starts.values().copied()) }
    }

    fn bit(&mut self, address: u64) -> Locations {
        let count = self.bits.len();
        *self.bits.entry(address).or_insert(1 << count.min(63))
    }
}

/// The values that locations may hold.
struct Values {
    initial: FxHashMap<u64, Value>,
    written: FxHashMap<u64, Vec<Value>>,
    /// Allocated memory with contents: from where to where, and how wide its cells are.
    filled: Vec<(u64, u64, Width)>,
}

/// Running threads by themselves.
struct Runs<'a, P: Program> {
    program: &'a P,
    tables: &'a Tables,
    spurious_cas: bool,
    values: &'a mut Values,
    has_grown: bool,
    steps: usize,
    found: Possible,
    /// Threads to run: name, code, argument, and whether it exists from the start.
    open: Vec<(u32, u64, Value, bool)>,
    started: FxHashSet<(u32, u64, Value)>,
    /// The states that runs have come to, with what is done there.
    seen: FxHashMap<(u128, Me), Vec<(Operation, u32)>>,
}

impl<P: Program> Runs<'_, P> {
    /// Run all threads; false if there are too many runs.
    fn run(&mut self) -> bool {
        while let Some((name, code, argument, initial)) = self.open.pop() {
            if !self.started.insert((name, code, argument)) {
                continue;
            }
            let entry = match initial {
                true => Entry::Initial(name),
                false => Entry::Spawned { code, argument, name: u64::from(name) },
            };
            let me = Me { name, spawned: 0, allocated: 0 };
            let Some(point) = self.follow(self.program.start(entry), Answer::NONE, me, 0) else {
                return false;
            };
            if !initial {
                let start = self.found.bit(STARTS | u64::from(name));
                let all = &mut self.found.points[point as usize];
                all.reads |= start;
                all.flows.push((start, all.writes));
            }
            self.found.starts.insert((name, code, argument), point);
        }
        true
    }

    /// The point that a thread reaches when it is given this answer.
    fn follow(&mut self, mut cursor: P::Cursor, answer: Answer, mut me: Me, depth: usize) -> Option<u32> {
        self.steps += 1;
        if self.steps > MOST_STEPS || depth > 2000 {
            return None;
        }
        let Action { operation, .. } = self.program.step(&mut cursor, answer);
        // Runs that have come to the same state go on alike.
        let state = self.program.hints().state_number(&cursor).map(|number| (number, me));
        if let Some(state) = state
            && let Some((_, point)) =
                self.seen.get(&state).and_then(|list| list.iter().find(|(made, _)| *made == operation))
        {
            return Some(*point);
        }
        let made = operation.clone();
        let makes_value = matches!(made, Operation::Write { .. } | Operation::Update { .. });
        let mut point = Point::default();
        let mut answers: Vec<(Answer, (Value, bool))> = vec![(Answer::NONE, (0, false))];
        match operation {
            Operation::Read { address, width, .. } => {
                point.reads = self.found.bit(address.0);
                let values = self.values(address, width)?;
                answers =
                    values.iter().map(|&v| width.cut(v)).map(|v| (Answer::Value(v), (v, false))).collect();
            }
            Operation::Write { address, width, value, .. } => {
                point.writes = self.found.bit(address.0);
                self.write(address, width.cut(value));
            }
            Operation::Update { address, width, op, .. } => {
                point.reads = self.found.bit(address.0);
                point.writes = self.found.bit(address.0);
                answers.clear();
                for value in self.values(address, width)? {
                    let value = width.cut(value);
                    answers.push((Answer::Value(value), (value, false)));
                    if let Some(written) = op.apply(value, width) {
                        self.write(address, written);
                        if self.spurious_cas {
                            answers.push((Answer::Failed(value), (value, true)));
                        }
                    }
                }
            }
            Operation::Lock { address, .. } => {
                point.reads = self.found.bit(address.0);
                point.writes = self.found.bit(address.0);
                self.write(address, 1);
            }
            Operation::TryLock { address, .. } => {
                point.reads = self.found.bit(address.0);
                point.writes = self.found.bit(address.0);
                self.write(address, 1);
                answers = [0, 1].map(|taken| (Answer::Value(taken), (taken, false))).to_vec();
            }
            Operation::Unlock { address } => {
                point.writes = self.found.bit(address.0);
                self.write(address, 0);
            }
            Operation::Spawn { code, argument } => {
                let child = self.tables.threads.child_name(me.name, me.spawned)?;
                me.spawned += 1;
                point.writes = self.found.bit(STARTS | u64::from(child));
                self.open.push((child, code, argument, false));
                answers = vec![(Answer::Value(u64::from(child)), (u64::from(child), false))];
            }
            Operation::Join(name) => point.reads = self.found.bit(ENDS | name),
            Operation::Alloc { size, contents, .. } => {
                let allocation = AllocationId { thread: me.name, nth: me.allocated };
                if !allocation.fits(size) {
                    return None;
                }
                me.allocated += 1;
                let address = allocation.address();
                if let Contents::Cells { cell, values } = &contents {
                    self.values.filled.push((address.0, address.0 + size, *cell));
                    for (at, &value) in values.iter().enumerate() {
                        self.write(Address(address.0 + at as u64 * cell.bytes()), value);
                    }
                }
                answers = vec![(Answer::Value(address.0), (address.0, false))];
            }
            Operation::Choose { low, high } => {
                if high.abs_diff(low) > 64 {
                    return None;
                }
                answers = (low..=high).map(|v| (Answer::Value(v as Value), (v as Value, false))).collect();
            }
            Operation::Free { .. }
            | Operation::Initialise { .. }
            | Operation::Destroy { .. }
            | Operation::Fence(_)
            | Operation::Observe { .. } => {}
            Operation::Done | Operation::Exit => {
                point.writes = self.found.bit(ENDS | u64::from(me.name));
                answers.clear();
            }
            Operation::Block | Operation::Wait(_) | Operation::Dropped | Operation::Fail { .. } => {
                answers.clear()
            }
            // What is learned starts everything again; what is cut or refused cannot be judged.
            Operation::Cut | Operation::Restart | Operation::Unsupported(_) => return None,
        }
        let here = Point { reads: point.reads, writes: point.writes, ..Point::default() };
        let mut after = 0;
        for (answer, key) in answers {
            let next = self.follow(cursor.clone(), answer, me, depth + 1)?;
            point.next.insert(key, next);
            let rest = &self.found.points[next as usize];
            point.reads |= rest.reads;
            point.writes |= rest.writes;
            after |= rest.writes;
            point.most_writes = point.most_writes.max(rest.most_writes);
            for flow in &rest.flows {
                add_flow(&mut point.flows, *flow);
            }
        }
        point.most_writes += makes_value as u32;
        if here.reads != 0 {
            add_flow(&mut point.flows, (here.reads, here.writes | after));
        }
        self.found.points.push(point);
        let number = self.found.points.len() as u32 - 1;
        if let Some(state) = state {
            self.seen.entry(state).or_default().push((made, number));
        }
        Some(number)
    }

    /// What a read of this location may return. None if that cannot be said.
    fn values(&mut self, address: Address, width: Width) -> Option<Vec<Value>> {
        let inside = |(from, to, _): &&(u64, u64, Width)| (*from..*to).contains(&address.0);
        if self.values.filled.iter().find(inside).is_some_and(|(_, _, cell)| *cell != width) {
            return None;
        }
        let (program, memory) = (self.program, &self.tables.memory);
        let initial = *self.values.initial.entry(address.0).or_insert_with(|| {
            memory.initial_of(address, width, program.hints().object_at(address).as_ref())
        });
        let mut values = vec![initial];
        for &value in self.values.written.get(&address.0).into_iter().flatten() {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        Some(values)
    }

    fn write(&mut self, address: Address, value: Value) {
        let values = self.values.written.entry(address.0).or_default();
        if !values.contains(&value) {
            values.push(value);
            self.has_grown = true;
        }
    }
}

fn add_flow(flows: &mut Vec<(Locations, Locations)>, (read, written): (Locations, Locations)) {
    match flows.iter_mut().find(|(other, _)| *other == read) {
        Some((_, all)) => *all |= written,
        None => flows.push((read, written)),
    }
}

/// What a thread knows of itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Me {
    name: u32,
    spawned: u32,
    allocated: u32,
}
