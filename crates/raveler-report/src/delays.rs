//! Why is an execution not sequentially consistent? A circle through program order, reads-from, coherence order and
//! from-reads, and in it the stores that were delayed past later accesses of their own threads.
//!
//! An execution is one of `sc` if and only if there is no such circle. `tso` and `pso` preserve all of the circle but
//! some steps along program order that begin with a store: where all of these have fences, the execution is forbidden.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use raveler_core::outcome::WitnessEvent;
use raveler_core::{EventId, EventKind, Model, Order, Witness};

/// Executions with more events that matter are not looked at: the number of steps between them grows with its square.
const MAX_EVENTS: usize = 1500;

/// A store that took effect after a later access of its thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Delayed {
    /// The store.
    pub store: EventId,
    /// The load or store that overtook it.
    pub past: EventId,
    /// The last store before that: a fence after it comes after all stores that could be overtaken.
    pub last_store: EventId,
}

/// A circle that no sequentially consistent execution has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Circle {
    /// Its events in order; of each thread that it visits, where it enters and where it leaves.
    pub events: Vec<EventId>,
    /// The steps in it that the model does not preserve. Never empty.
    pub delayed: Vec<Delayed>,
}

/// A circle with as few delayed stores as possible, and among those a shortest one. None if the execution has none, or is
/// too long.
pub fn circle(witness: &Witness, model: Model) -> Option<Circle> {
    let graph = Graph::new(witness, model)?;
    let starts = (0..graph.events.len()).filter(|&e| is_store(graph.event(e)));
    let mut best: Option<(Cost, Vec<usize>)> = None;
    for start in starts {
        let limit = best.as_ref().map_or((u32::MAX, u32::MAX), |(cost, _)| *cost);
        best = graph.way_round(start, limit).or(best);
    }
    let (_, path) = best?;
    let delayed = path.iter().zip(path.iter().cycle().skip(1));
    let delayed = delayed.filter(|&(&a, &b)| graph.is_delayed(a, b)).map(|(&a, &b)| graph.delayed(a, b));
    let delayed: Vec<Delayed> = delayed.collect();
    let events = path.iter().map(|&e| graph.events[e]).collect();
    (!delayed.is_empty()).then_some(Circle { events, delayed })
}

/// Is this an access that may wait in a store buffer?
fn is_store(event: &WitnessEvent) -> bool {
    event.kind == EventKind::Write && !event.locked
}

/// Does nothing after this event happen before the store buffers are empty?
fn drains(event: &WitnessEvent) -> bool {
    let strong = event.order == Order::SeqCst;
    event.locked || strong && (event.kind == EventKind::Fence || is_store(event))
}

/// Is this a store-store barrier, or does one stand before it? A release fence is one.
fn bars(event: &WitnessEvent) -> bool {
    event.order.releases() && (event.kind == EventKind::Fence || is_store(event))
}

/// The events that matter, and the steps between them.
struct Graph<'a> {
    witness: &'a Witness,
    model: Model,
    events: Vec<EventId>,
    /// By event: where a step leads to other threads.
    across: Vec<Vec<usize>>,
    /// By event: later events of its thread from which steps lead to others, and whether these overtake it.
    along: Vec<Vec<(usize, bool)>>,
}

/// What a way costs: delayed stores, then steps.
type Cost = (u32, u32);

/// A stop of a way: the event, and whether the way came there along its thread.
type Stop = (usize, bool);

impl<'a> Graph<'a> {
    fn new(witness: &'a Witness, model: Model) -> Option<Graph<'a>> {
        let matters = |event: &WitnessEvent| event.locked || is_access(event);
        let mut events = Vec::new();
        for (t, thread) in witness.threads.iter().enumerate() {
            let own = (0..).zip(&thread.events).filter(|(_, event)| matters(event));
            events.extend(own.map(|(i, _)| EventId::new(t as u32, i)));
        }
        if events.len() > MAX_EVENTS {
            return None;
        }
        let across = vec![Vec::new(); events.len()];
        let mut graph = Graph { witness, model, across, along: Vec::new(), events };
        graph.add_steps();
        graph.along = (0..graph.events.len()).map(|e| graph.steps_along(e)).collect();
        Some(graph)
    }

    fn event(&self, e: usize) -> &'a WitnessEvent {
        let id = self.events[e];
        &self.witness.threads[id.thread()].events[id.index() as usize]
    }

    /// Reads-from, coherence order and from-reads between threads; starting and joining threads; critical sections.
    fn add_steps(&mut self) {
        let numbers: HashMap<EventId, usize> = self.events.iter().copied().zip(0..).collect();
        let place: HashMap<EventId, usize> = self.witness.story.iter().copied().zip(0..).collect();
        let all: Vec<(EventId, &WitnessEvent)> =
            (0..self.events.len()).map(|e| (self.events[e], self.event(e))).collect();
        let mut steps: Vec<(EventId, EventId)> = Vec::new();
        for (address, writes) in &self.witness.coherence {
            let readers = all.iter().filter(|(_, event)| event.address == Some(*address));
            let sources = readers.filter_map(|&(id, event)| Some((id, event.reads_from?)));
            for (read, source) in sources {
                steps.push((source, read));
                let seen = writes.iter().position(|&write| write == source);
                let later = seen.map_or(&[][..], |seen| &writes[seen + 1..]);
                steps.extend(later.iter().map(|&write| (read, write)));
            }
            for (i, &earlier) in writes.iter().enumerate() {
                steps.extend(writes[i + 1..].iter().map(|&later| (earlier, later)));
            }
        }
        for &(id, event) in &all {
            if let Some(other) = event.other {
                let others = all.iter().filter(|(e, _)| e.thread() == other.0 as usize);
                let step = |&(e, _): &(EventId, &WitnessEvent)| match event.kind {
                    EventKind::Spawn => (id, e),
                    _ => (e, id),
                };
                steps.extend(others.map(step));
            }
        }
        let is_lock = |event: &WitnessEvent| matches!(event.kind, EventKind::Lock | EventKind::Unlock);
        let locks: Vec<_> = all.iter().filter(|(_, event)| is_lock(event)).collect();
        for (one, first) in &locks {
            let same = locks.iter().filter(|(_, event)| event.address == first.address);
            let excluded = same.filter(|(_, event)| !(event.shared && first.shared));
            let later = excluded.filter(|(other, _)| place.get(one) < place.get(other));
            steps.extend(later.map(|(other, _)| (*one, *other)));
        }
        for (from, to) in steps {
            if let (Some(&from_number), Some(&to_number)) = (numbers.get(&from), numbers.get(&to))
                && from.thread() != to.thread()
            {
                self.across[from_number].push(to_number);
            }
        }
        for steps in &mut self.across {
            steps.sort_unstable();
            steps.dedup();
        }
    }

    /// The steps along program order from this event.
    fn steps_along(&self, from: usize) -> Vec<(usize, bool)> {
        let first = self.event(from);
        let (mut drained, mut barred) = (!is_store(first) || drains(first), false);
        let (start, mut steps) = (self.events[from], Vec::new());
        let mut numbers = (from + 1..self.events.len()).peekable();
        let later = &self.witness.threads[start.thread()].events[start.index() as usize + 1..];
        for (event, index) in later.iter().zip(start.index() + 1..) {
            let id = EventId::new(start.thread() as u32, index);
            if let Some(number) = numbers.next_if(|&number| self.events[number] == id)
                && !self.across[number].is_empty()
            {
                let overtakes = match (self.model, event.kind) {
                    _ if drained || event.locked => false,
                    (Model::Tso | Model::Pso, EventKind::Read) => true,
                    (Model::Pso, EventKind::Write) => {
                        first.address != event.address && !barred && !bars(event)
                    }
                    _ => false,
                };
                steps.push((number, overtakes));
            }
            drained |= drains(event);
            barred |= bars(event);
        }
        steps
    }

    /// The events of a thread from one to another.
    fn way(&self, a: usize, b: usize) -> &'a [WitnessEvent] {
        let (a, b) = (self.events[a], self.events[b]);
        &self.witness.threads[a.thread()].events[a.index() as usize..=b.index() as usize]
    }

    /// Is this a step along program order that the model does not preserve?
    fn is_delayed(&self, a: usize, b: usize) -> bool {
        self.along[a].contains(&(b, true))
    }

    fn delayed(&self, a: usize, b: usize) -> Delayed {
        let (store, past) = (self.events[a], self.events[b]);
        let between = self.way(a, b).iter().enumerate().rev().skip(1);
        let last = between.into_iter().find(|(_, event)| is_store(event)).map_or(0, |(i, _)| i as u32);
        let last_store = EventId::new(store.thread() as u32, store.index() + last);
        Delayed { store, past, last_store }
    }

    /// The cheapest way from a store along its own thread, through others, and back; it begins with a step along program
    /// order, which is delayed. Two steps along one thread are one, so after such a step comes one to another thread.
    ///
    /// None if there is none that costs less than `limit`.
    fn way_round(&self, start: usize, limit: Cost) -> Option<(Cost, Vec<usize>)> {
        let mut came_from: HashMap<Stop, Stop> = HashMap::new();
        let mut open: BinaryHeap<Reverse<(Cost, Stop, Stop)>> = BinaryHeap::new();
        let begin = (start, true);
        let goal = (start, false);
        for &(next, _) in self.along[start].iter().filter(|(_, overtakes)| *overtakes) {
            open.push(Reverse(((1, 1), (next, true), begin)));
        }
        let cost = loop {
            let Reverse((cost, stop, from)) = open.pop()?;
            if cost >= limit {
                return None;
            }
            if came_from.contains_key(&stop) {
                continue;
            }
            came_from.insert(stop, from);
            if stop == goal {
                break cost;
            }
            let (at, along) = stop;
            let (delayed, steps) = (cost.0, cost.1 + 1);
            for &(next, overtakes) in self.along[at].iter().filter(|_| !along) {
                open.push(Reverse(((delayed + u32::from(overtakes), steps), (next, true), stop)));
            }
            open.extend(self.across[at].iter().map(|&next| Reverse(((delayed, steps), (next, false), stop))));
        };
        let mut path = Vec::new();
        let mut stop = came_from[&goal];
        while stop != begin {
            path.push(stop.0);
            stop = came_from[&stop];
        }
        path.push(start);
        path.reverse();
        Some((cost, path))
    }
}

fn is_access(event: &WitnessEvent) -> bool {
    matches!(event.kind, EventKind::Read | EventKind::Write | EventKind::Update)
}
