//! All runs of one thread, for any values that the other threads could have written.
//!
//! The values are found as a fixpoint: what a thread can write depends on what it can read. Since no model lets
//! `po ∪ rf` have a cycle, a value passes through each read at most once, so as many rounds as there are reads
//! are enough even where values could grow for ever.

use super::Skip;
use crate::code::{Code, Standing, ThreadCode, Visible, Wants};
use crate::conditions;
use crate::graph::{End, Event, EventKind};
use crate::program::{Order, REGISTERS};

/// An event of a run; the source of a read is not known yet. Locks have values here: 0 free, 1 taken.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The event.
    pub event: Event,
    /// Does it drain store buffers: an update, a failed compare-exchange, a lock or unlock?
    pub locked: bool,
    /// Does it take a lock together with other readers?
    pub shared: bool,
    /// The object whose memory it uses or frees.
    pub object: Option<u8>,
}

/// One run of one thread.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Its events.
    pub steps: Vec<Step>,
    /// How it ends.
    pub end: End,
    /// The statement whose assertion failed at the end.
    pub failed: Option<u32>,
    /// The thread or lock it waits for at the end.
    pub waits_for: u8,
    /// Does it wait for a lock to take it together with other readers?
    pub waits_shared: bool,
    /// The threads it spawned, in order.
    pub spawns: Vec<u8>,
    /// The threads it joined.
    pub joins: Vec<u8>,
    /// The registers at the end.
    pub registers: [i64; REGISTERS],
}

impl Trace {
    /// Does it hold a lock at its end?
    pub fn holds(&self, code: &Code, lock: u8) -> bool {
        let place = Some(code.lock_place(lock));
        let at = |step: &&Step| step.event.place.map(|place| code.without_holder(place)) == place;
        let count = |kind| self.steps.iter().filter(at).filter(|step| step.event.kind == kind).count();
        count(EventKind::Lock) > count(EventKind::Unlock)
    }

    /// What stands for a thread that is never spawned.
    pub fn absent() -> Trace {
        Trace {
            steps: Vec::new(),
            end: End::Absent,
            failed: None,
            waits_for: 0,
            waits_shared: false,
            spawns: Vec::new(),
            joins: Vec::new(),
            registers: [0; REGISTERS],
        }
    }
}

/// How a thread holds a lock: together with other readers, or alone.
const SHARED: i64 = 1;
const ALONE: i64 = 2;

/// Values per place, sorted.
type Values = Vec<Vec<i64>>;

/// What locks are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Locks {
    /// Places of memory, taken by updates.
    Words,
    /// Sections, in an order that is chosen later; places of memory only if they are tried and nobody shares them.
    Sections,
}

/// All runs of every thread.
pub fn traces(code: &Code, most: usize, locks: Locks) -> Result<Vec<Vec<Trace>>, Skip> {
    Ok(traces_of(code, most, locks, reads(code))?.0)
}

/// How many reads the program has.
pub fn reads(code: &Code) -> usize {
    code.threads.iter().map(count_reads).sum()
}

/// All runs of every thread with values that passed through at most so many reads, and whether these are all values.
pub fn traces_of(
    code: &Code,
    most: usize,
    locks: Locks,
    rounds: usize,
) -> Result<(Vec<Vec<Trace>>, bool), Skip> {
    let places = code.places();
    let mut written: Vec<Values> = vec![vec![Vec::new(); places]; code.threads.len()];
    let mut round = 0;
    loop {
        let mut all = Vec::new();
        let mut grown = written.clone();
        for (thread, body) in code.threads.iter().enumerate() {
            let others = readable(code, &written, thread);
            let found = Vec::new();
            let mut walk = Walk { code: body, thread, others: &others, whole: code, most, locks, found };
            walk.go(Standing::default(), Trace::absent(), vec![None; places])?;
            for step in walk.found.iter().flat_map(|trace| &trace.steps) {
                if let (Some(place), Some(value)) = (step.event.place, step.event.written) {
                    insert(&mut grown[thread][place as usize], value);
                }
            }
            all.push(walk.found);
        }
        if grown == written || round > rounds {
            return Ok((all, grown == written));
        }
        written = grown;
        round += 1;
    }
}

fn count_reads(code: &ThreadCode) -> usize {
    let reading = |instruction: &&crate::code::Instruction| {
        matches!(
            instruction,
            crate::code::Instruction::Visible(
                Visible::Load { .. }
                    | Visible::Update { .. }
                    | Visible::Cas { .. }
                    | Visible::Lock { .. }
                    | Visible::TryLock { .. }
                    | Visible::Condition(_)
            )
        )
    };
    code.instructions.iter().filter(reading).count()
}

fn insert(values: &mut Vec<i64>, value: i64) {
    if let Err(position) = values.binary_search(&value) {
        values.insert(position, value);
    }
}

/// The values a thread could read that it did not write itself.
fn readable(code: &Code, written: &[Values], reader: usize) -> Vec<Readable> {
    let mut all = Vec::new();
    for place in 0..code.places() {
        let init = code.init.get(place).copied().unwrap_or(0);
        let mut foreign = Vec::new();
        for (thread, values) in written.iter().enumerate() {
            if thread != reader {
                values[place].iter().for_each(|&value| insert(&mut foreign, value));
            }
        }
        all.push(Readable { init, foreign });
    }
    all
}

struct Readable {
    init: i64,
    foreign: Vec<i64>,
}

struct Walk<'a> {
    code: &'a ThreadCode,
    thread: usize,
    others: &'a [Readable],
    whole: &'a Code,
    most: usize,
    locks: Locks,
    found: Vec<Trace>,
}

impl Walk<'_> {
    /// Is this lock no place of memory?
    fn has_sections(&self, lock: u8) -> bool {
        self.locks == Locks::Sections && !self.whole.words.contains(&lock)
    }

    fn data(&self) -> usize {
        self.whole.init.len()
    }

    /// `own`: the value this thread wrote last to each place.
    fn go(&mut self, mut at: Standing, mut trace: Trace, mut own: Vec<Option<i64>>) -> Result<(), Skip> {
        let visible = match at.settle(self.code) {
            Wants::Done => return self.finish(trace, at, End::Done, 0),
            Wants::Stuck => return self.finish(trace, at, End::Assume, 0),
            Wants::Failed => {
                trace.failed = self.code.sites.get(at.pc as usize).copied();
                return self.finish(trace, at, End::Failed, 0);
            }
            Wants::Waits | Wants::Unheard => return self.finish(trace, at, End::Condition, 0),
            Wants::Dropped => return Ok(()),
            Wants::Do(visible) => visible,
        };
        let plain = Event {
            kind: EventKind::Fence,
            order: Order::Relaxed,
            place: None,
            read: None,
            written: None,
            source: None,
        };
        match visible {
            Visible::Fence(order) => self.next(at, trace, own, visible, 0, Event { order, ..plain }, false),
            Visible::Spawn(child) => {
                trace.spawns.push(child);
                self.next(at, trace, own, visible, 0, Event { kind: EventKind::Spawn, ..plain }, false)
            }
            Visible::Join(child) => {
                self.finish(trace.clone(), at, End::Join, child)?;
                trace.joins.push(child);
                self.next(at, trace, own, visible, 0, Event { kind: EventKind::Join, ..plain }, false)
            }
            Visible::Alloc(_) => {
                self.next(at, trace, own, visible, 0, Event { kind: EventKind::Alloc, ..plain }, false)
            }
            Visible::Free(_) => {
                self.next(at, trace, own, visible, 0, Event { kind: EventKind::Free, ..plain }, false)
            }
            Visible::Choose { low, high, .. } => {
                for value in low..=high {
                    let event = Event { kind: EventKind::Choose, read: Some(value), ..plain };
                    self.next(at, trace.clone(), own.clone(), visible, value, event, false)?;
                }
                Ok(())
            }
            Visible::Store { loc, value, order } => {
                let written = Some(value.value(&at.registers));
                let event = Event { kind: EventKind::Write, order, place: Some(loc), written, ..plain };
                self.next(at, trace, own, visible, 0, event, false)
            }
            Visible::Unlock(lock) => {
                let held = own[self.data() + lock as usize].unwrap_or(0);
                if held < 1 {
                    return Err(Skip::Misuse);
                }
                let place = Some(self.data() as u8 + lock);
                if self.has_sections(lock) {
                    own[self.data() + lock as usize] = Some(held - 1);
                    let event = Event { kind: EventKind::Unlock, place, ..plain };
                    let event = if held == 1 { self.held(event, lock, 0) } else { event };
                    return self.next(at, trace, own, visible, 0, event, true);
                }
                let event = Event { kind: EventKind::Unlock, place, written: Some(0), ..plain };
                self.next(at, trace, own, visible, 0, event, true)
            }
            Visible::Lock { lock, shared } => {
                trace.waits_shared = shared;
                self.finish(trace.clone(), at, End::Lock, lock)?;
                if self.has_sections(lock) {
                    return self.take(at, trace, own, visible, lock, shared);
                }
                self.read(at, trace, own, visible)
            }
            Visible::TryLock { lock, shared, .. } if self.has_sections(lock) => {
                self.attempt(at, trace, own, visible, lock, shared)
            }
            Visible::Load { .. }
            | Visible::Update { .. }
            | Visible::Cas { .. }
            | Visible::TryLock { .. }
            | Visible::Condition(_) => self.read(at, trace, own, visible),
        }
    }

    /// Takes a lock.
    fn take(
        &mut self,
        at: Standing,
        trace: Trace,
        mut own: Vec<Option<i64>>,
        visible: Visible,
        lock: u8,
        shared: bool,
    ) -> Result<(), Skip> {
        let held = own[self.data() + lock as usize].unwrap_or(0);
        own[self.data() + lock as usize] = Some(held + 1);
        let event = Event {
            kind: EventKind::Lock,
            order: Order::Relaxed,
            place: Some(self.whole.lock_place(lock)),
            read: None,
            written: None,
            source: None,
        };
        // A reader may read again.
        let event =
            if held == 0 { self.held(event, lock, if shared { SHARED } else { ALONE }) } else { event };
        self.next(at, trace, own, visible, 1, event, true)
    }

    /// Where locks that readers share are tried, taking and releasing one is also a write of how the thread holds it.
    fn held(&self, event: Event, lock: u8, how: i64) -> Event {
        if !self.whole.tried {
            return event;
        }
        Event { place: Some(self.whole.hold_place(lock, self.thread)), written: Some(how), ..event }
    }

    /// Takes a lock that is free, or finds a thread that holds it.
    fn attempt(
        &mut self,
        at: Standing,
        trace: Trace,
        own: Vec<Option<i64>>,
        visible: Visible,
        lock: u8,
        shared: bool,
    ) -> Result<(), Skip> {
        let excludes = |how: i64| how == ALONE || how == SHARED && !shared;
        let mine = self.whole.hold_place(lock, self.thread) as usize;
        let itself = own[mine].is_some_and(excludes);
        for thread in 0..self.whole.threads.len() {
            if itself != (thread == self.thread) {
                continue;
            }
            let place = self.whole.hold_place(lock, thread);
            let values = if itself {
                own[mine].into_iter().collect()
            } else {
                self.others[place as usize].foreign.clone()
            };
            for value in values.into_iter().filter(|&how| excludes(how)) {
                let event = Event {
                    kind: EventKind::LockFailed,
                    order: Order::Relaxed,
                    place: Some(place),
                    read: Some(value),
                    written: None,
                    source: None,
                };
                self.next(at, trace.clone(), own.clone(), visible, 0, event, true)?;
            }
        }
        if itself { Ok(()) } else { self.take(at, trace, own, visible, lock, shared) }
    }

    fn read(
        &mut self,
        at: Standing,
        trace: Trace,
        own: Vec<Option<i64>>,
        visible: Visible,
    ) -> Result<(), Skip> {
        let place = match visible {
            Visible::Load { loc, .. } | Visible::Update { loc, .. } | Visible::Cas { loc, .. } => loc,
            Visible::Lock { lock, .. } | Visible::TryLock { lock, .. } => self.data() as u8 + lock,
            Visible::Condition(operation) => operation.place(&at.waiting),
            _ => unreachable!("only reads come here"),
        };
        let others = &self.others[place as usize];
        let mut values = others.foreign.clone();
        // A thread that wrote the location sees its last write or another thread's, in every model.
        insert(&mut values, own[place as usize].unwrap_or(others.init));
        for value in values {
            for (event, locked, answer) in outcomes(&at, visible, place, value) {
                let most = self.whole.most.get(place as usize).copied().flatten();
                if most.is_some_and(|most| event.written.is_some_and(|written| written > most)) {
                    continue;
                }
                self.next(at, trace.clone(), own.clone(), visible, answer, event, locked)?;
            }
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn next(
        &mut self,
        mut at: Standing,
        mut trace: Trace,
        mut own: Vec<Option<i64>>,
        visible: Visible,
        answer: i64,
        event: Event,
        locked: bool,
    ) -> Result<(), Skip> {
        at.resume(visible, answer);
        if let (Some(place), Some(value)) = (event.place, event.written) {
            own[place as usize] = Some(value);
        }
        let shared =
            matches!(visible, Visible::Lock { shared: true, .. } | Visible::TryLock { shared: true, .. });
        let object = match visible {
            Visible::Free(object) => Some(object),
            _ => event.place.and_then(|place| self.whole.object_at(place)),
        };
        trace.steps.push(Step { event, locked, shared, object });
        self.go(at, trace, own)
    }

    fn finish(&mut self, mut trace: Trace, at: Standing, end: End, waits_for: u8) -> Result<(), Skip> {
        if self.found.len() >= self.most {
            return Err(Skip::Traces);
        }
        trace.end = end;
        trace.waits_for = waits_for;
        trace.registers = at.registers;
        self.found.push(trace);
        Ok(())
    }
}

/// The events that a reading instruction can become if it reads this value, each with whether it is locked and its
/// answer; none for a lock that is not free.
fn outcomes(at: &Standing, visible: Visible, place: u8, value: i64) -> Vec<(Event, bool, i64)> {
    let read = Event {
        kind: EventKind::Read,
        order: Order::Relaxed,
        place: Some(place),
        read: Some(value),
        written: None,
        source: None,
    };
    let update = |order, written| Event { kind: EventKind::Update, order, written: Some(written), ..read };
    match visible {
        Visible::Load { order, .. } => vec![(Event { order, ..read }, false, value)],
        Visible::Update { kind, operand, order, .. } => {
            vec![(update(order, kind.apply(value, operand.value(&at.registers))), true, value)]
        }
        Visible::Cas { expected, desired, success, failure, weak, .. } => {
            let fails = (Event { order: failure, ..read }, true, if weak { 0 } else { value });
            let writes = update(success, desired.value(&at.registers));
            let succeeds = (writes, true, if weak { 1 } else { value });
            match (value == expected.value(&at.registers), weak) {
                (true, false) => vec![succeeds],
                (true, true) => vec![succeeds, fails],
                (false, _) => vec![fails],
            }
        }
        Visible::Condition(conditions::Operation::Hear { .. }) => vec![(read, false, value)],
        Visible::Condition(operation) => match operation.change(&at.waiting, value) {
            Some(written) => vec![(update(Order::Relaxed, written), true, value)],
            None => vec![(read, true, value)],
        },
        Visible::Lock { .. } if value != 0 => Vec::new(),
        Visible::TryLock { .. } if value != 0 => {
            vec![(Event { kind: EventKind::LockFailed, ..read }, true, 0)]
        }
        Visible::Lock { .. } | Visible::TryLock { .. } => {
            vec![(Event { kind: EventKind::Lock, written: Some(1), ..read }, true, 1)]
        }
        _ => Vec::new(),
    }
}
