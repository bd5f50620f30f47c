//! One choice of a run for each thread, as sets and relations over numbered events.
//!
//! Here an update is **two** events, a read and a write, joined by `rmw`. Each location's initial write is an event;
//! a spawned thread has an event for its beginning and one for its end, so that `asw` (from a spawn to the
//! beginning, from the end to a join) connects single events. `po` is program order inside one thread only.

use super::traces::{Step, Trace};
use crate::code::Code;
use crate::graph::{End, EventKind, Source};
use crate::program::Order;
use crate::relation::{Rel, SIZE, Set};

/// A read and what it could read from.
#[derive(Clone, Debug)]
pub struct Read {
    /// The event.
    pub event: usize,
    /// The writes of the same value to the same place that coherence inside one thread does not exclude.
    pub candidates: Vec<usize>,
    /// The write half, if it is the read half of an update.
    pub update: Option<usize>,
}

/// The events of one combination of runs.
#[derive(Clone, Debug)]
pub struct Frame {
    /// How many places there are; event `p` is the initial write of place `p`.
    pub places: usize,
    /// How events are called outside.
    pub names: Vec<Source>,
    /// The value each write wrote.
    pub values: Vec<i64>,
    /// The reads.
    pub reads: Vec<Read>,
    /// The writes of each place, the initial one left out.
    pub writes: Vec<Vec<usize>>,
    /// All accesses of each place, the initial write included.
    pub at: Vec<Set>,
    /// Program order inside a thread.
    pub po: Rel,
    /// Spawn to beginning, end to join.
    pub asw: Rel,
    /// `(po ∪ asw)⁺`
    pub order: Rel,
    /// Pairs of accesses of one place.
    pub loc: Rel,
    /// Pairs of events of one thread.
    pub int: Rel,
    /// From the read half of an update to its write half.
    pub rmw: Rel,
    /// Reads.
    pub r: Set,
    /// Writes, initial ones included.
    pub w: Set,
    /// Fences.
    pub f: Set,
    /// Atomic accesses.
    pub a: Set,
    /// Events (fences too) of order release or stronger.
    pub rel: Set,
    /// Events (fences too) of order acquire or stronger.
    pub acq: Set,
    /// Events (fences too) of order `seq_cst`.
    pub sc: Set,
    /// Accesses that drain store buffers.
    pub locked: Set,
    /// What else orders everything in its thread under TSO and PSO: spawn, join, beginning, end.
    pub drains: Set,
    /// The critical sections, where locks are not places of memory.
    pub sections: Vec<Section>,
    /// For each object: what uses its memory.
    pub uses: Vec<Set>,
    /// For each object: what frees it.
    pub frees: Vec<Set>,
    /// The initial writes of memory that is not zeroed.
    pub unknown: Set,
}

/// A critical section.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// The lock's place.
    pub place: u8,
    /// Whose it is.
    pub thread: usize,
    /// Together with other readers?
    pub shared: bool,
    /// The event that takes the lock.
    pub lock: usize,
    /// The one that releases it, if it is released.
    pub unlock: Option<usize>,
}

impl Frame {
    /// Numbers the events of these runs; none if they are too many.
    pub fn new(code: &Code, traces: &[&Trace]) -> Option<Frame> {
        let places = code.places();
        let mut frame = Frame {
            places,
            names: Vec::new(),
            values: Vec::new(),
            reads: Vec::new(),
            writes: vec![Vec::new(); places],
            at: vec![Set::default(); places],
            po: Rel::EMPTY,
            asw: Rel::EMPTY,
            order: Rel::EMPTY,
            loc: Rel::EMPTY,
            int: Rel::EMPTY,
            rmw: Rel::EMPTY,
            r: Set::default(),
            w: Set::default(),
            f: Set::default(),
            a: Set::default(),
            rel: Set::default(),
            acq: Set::default(),
            sc: Set::default(),
            locked: Set::default(),
            drains: Set::default(),
            sections: Vec::new(),
            uses: vec![Set::default(); code.heap.shapes.len()],
            frees: vec![Set::default(); code.heap.shapes.len()],
            unknown: Set::default(),
        };
        for place in 0..places {
            let event = frame.event(Source::Init, code.init.get(place).copied().unwrap_or(0))?;
            frame.w.insert(event);
            frame.at[place].insert(event);
            if code.heap.is_unknown(place as u8) {
                frame.unknown.insert(event);
            }
        }
        let mut spawn_of = vec![None; traces.len()];
        let mut joins = Vec::new();
        let mut threads = Vec::new();
        for (thread, trace) in traces.iter().enumerate() {
            threads.push(frame.thread(code, thread, trace, &mut spawn_of, &mut joins)?);
        }
        for (thread, &(begin, end)) in threads.iter().enumerate() {
            if let (Some(spawn), Some(begin)) = (spawn_of[thread], begin) {
                frame.asw.insert(spawn, begin);
            }
            for &(_, join) in joins.iter().filter(|(child, _)| *child == thread) {
                frame.asw.insert(end.expect("a joined thread has ended"), join);
            }
        }
        frame.order = (frame.po | frame.asw).plus();
        for set in &frame.at {
            frame.loc = frame.loc | (*set * *set);
        }
        frame.candidates();
        Some(frame)
    }

    fn event(&mut self, name: Source, value: i64) -> Option<usize> {
        if self.names.len() == SIZE {
            return None;
        }
        self.names.push(name);
        self.values.push(value);
        Some(self.names.len() - 1)
    }

    /// Adds the events of one thread, with a beginning and an end around them if it is a spawned one, and returns
    /// these two.
    #[allow(clippy::type_complexity)]
    fn thread(
        &mut self,
        code: &Code,
        thread: usize,
        trace: &Trace,
        spawn_of: &mut [Option<usize>],
        joins: &mut Vec<(usize, usize)>,
    ) -> Option<(Option<usize>, Option<usize>)> {
        let first = self.names.len();
        let around = code.spawned[thread];
        let mut begin = None;
        if around {
            let event = self.event(Source::Init, 0)?;
            self.drains.insert(event);
            begin = Some(event);
        }
        let (mut spawned, mut joined) = (trace.spawns.iter(), trace.joins.iter());
        for (index, step) in trace.steps.iter().enumerate() {
            let name = Source::Event(thread as u8, index as u8);
            let event = &step.event;
            let before = self.names.len();
            match event.kind {
                EventKind::Fence => {
                    let fence = self.event(name, 0)?;
                    self.f.insert(fence);
                    self.ordered(fence, event.order);
                }
                EventKind::Spawn => {
                    let spawn = self.event(name, 0)?;
                    self.drains.insert(spawn);
                    let child = *spawned.next().expect("a spawn event stands for one spawn");
                    spawn_of[child as usize] = Some(spawn);
                }
                EventKind::Join => {
                    let join = self.event(name, 0)?;
                    self.drains.insert(join);
                    let child = *joined.next().expect("a join event stands for one join");
                    joins.push((child as usize, join));
                }
                EventKind::Choose | EventKind::Alloc | EventKind::Free => {
                    self.event(name, 0)?;
                }
                EventKind::Lock | EventKind::Unlock if event.read.is_none() && event.written.is_none() => {
                    let here = self.event(name, 0)?;
                    self.drains.insert(here);
                    self.lock_event(code, thread, here, step);
                }
                EventKind::Lock | EventKind::Unlock if code.is_hold(event.place) => {
                    // Sections synchronise; that a lock is seen to be held does not.
                    let event = crate::graph::Event { kind: EventKind::Write, ..*event };
                    self.access(name, &Step { event, ..*step })?;
                    self.lock_event(code, thread, self.names.len() - 1, step);
                }
                _ => self.access(name, step)?,
            }
            if let Some(object) = step.object {
                let sets = if event.kind == EventKind::Free { &mut self.frees } else { &mut self.uses };
                (before..self.names.len()).for_each(|event| sets[object as usize].insert(event));
            }
        }
        let mut end = None;
        if around && trace.end == End::Done {
            let event = self.event(Source::Init, 0)?;
            self.drains.insert(event);
            end = Some(event);
        }
        let mine = Set((u64::MAX << first) & !(u64::MAX << self.names.len()));
        self.int = self.int | (mine * mine);
        for earlier in mine.iter() {
            self.po.0[earlier] = mine.0 & !(u64::MAX >> (63 - earlier));
        }
        Some((begin, end))
    }

    fn lock_event(&mut self, code: &Code, thread: usize, event: usize, step: &Step) {
        let place = code.without_holder(step.event.place.expect("a lock has a place"));
        if step.event.kind == EventKind::Lock {
            let shared = step.shared;
            self.sections.push(Section { place, thread, shared, lock: event, unlock: None });
            return;
        }
        let open = |s: &&mut Section| s.place == place && s.thread == thread && s.unlock.is_none();
        self.sections.iter_mut().rev().find(open).expect("what is released was taken").unlock = Some(event);
    }

    fn access(&mut self, name: Source, step: &Step) -> Option<()> {
        let event = &step.event;
        let place = event.place.expect("an access has a place") as usize;
        let (reading, writing) = match event.kind {
            EventKind::Lock => (Order::Acquire, Order::Relaxed),
            EventKind::Unlock => (Order::Relaxed, Order::Release),
            EventKind::Update => halves(event.order),
            _ => (event.order, event.order),
        };
        let mut read_half = None;
        if let Some(value) = event.read {
            let read = self.event(name, value)?;
            self.r.insert(read);
            self.memory(read, place, reading, step.locked);
            self.reads.push(Read { event: read, candidates: Vec::new(), update: None });
            read_half = Some(read);
        }
        if let Some(value) = event.written {
            let write = self.event(name, value)?;
            self.w.insert(write);
            self.memory(write, place, writing, step.locked);
            self.writes[place].push(write);
            if let Some(read) = read_half {
                self.rmw.insert(read, write);
                self.reads.last_mut().expect("its read half was pushed").update = Some(write);
            }
        }
        Some(())
    }

    fn memory(&mut self, event: usize, place: usize, order: Order, locked: bool) {
        self.at[place].insert(event);
        self.ordered(event, order);
        if order.is_atomic() {
            self.a.insert(event);
        }
        if locked {
            self.locked.insert(event);
        }
    }

    fn ordered(&mut self, event: usize, order: Order) {
        if order.releases() {
            self.rel.insert(event);
        }
        if order.acquires() {
            self.acq.insert(event);
        }
        if order == Order::SeqCst {
            self.sc.insert(event);
        }
    }

    /// Which writes a read could see: same place, same value, not its own later write, nor one (or the initial
    /// one) that its own thread has overwritten before.
    fn candidates(&mut self) {
        for index in 0..self.reads.len() {
            let read = self.reads[index].event;
            let place =
                self.at.iter().position(|set| set.has(read)).expect("every read is an access of some place");
            let mine = |write: usize| self.int.has(write, read);
            let last = self.writes[place].iter().copied().filter(|&w| mine(w) && self.po.has(w, read)).max();
            let mut candidates = Vec::new();
            for &write in &self.writes[place] {
                if self.values[write] == self.values[read] && (!mine(write) || Some(write) == last) {
                    candidates.push(write);
                }
            }
            if last.is_none() && self.values[place] == self.values[read] {
                candidates.push(place);
            }
            self.reads[index].candidates = candidates;
        }
    }
}

/// The orders of the read and the write half of an update.
fn halves(order: Order) -> (Order, Order) {
    match order {
        Order::SeqCst => (Order::SeqCst, Order::SeqCst),
        Order::AcqRel => (Order::Acquire, Order::Release),
        Order::Acquire => (Order::Acquire, Order::Relaxed),
        Order::Release => (Order::Relaxed, Order::Release),
        Order::Relaxed | Order::Plain => (Order::Relaxed, Order::Relaxed),
    }
}
