//! Can a cycle still close? Seen early, most of the tree is left out.

use super::possible::{ANYWHERE, Cycles, Locations};
use super::reexecution::Search;
use super::sections;
use crate::graph::{Graph, Kind, ThreadStatus};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::Program;

/// A thread that may still do something: its name, its number if it is there, and where it stands.
pub(super) struct Actor {
    name: u32,
    number: Option<usize>,
    point: u32,
}

impl<P: Program> Search<'_, P> {
    /// The threads that may still do something, those among them that may yet be spawned.
    pub(super) fn actors(&self) -> Vec<Actor> {
        let mut actors: Vec<Actor> = Vec::with_capacity(self.graph().status.len());
        for (t, status) in self.graph().status.iter().enumerate() {
            if !matches!(status, ThreadStatus::Absent | ThreadStatus::Done | ThreadStatus::Stuck) {
                actors.push(Actor {
                    name: self.run.tables.threads.name(t),
                    number: Some(t),
                    point: self.point(t),
                });
            }
        }
        let possible = self.possible();
        // Nearly always all threads are there.
        let present = self.graph().status.iter().filter(|&&status| status != ThreadStatus::Absent);
        if present.count() >= possible.threads() {
            return actors;
        }
        let is_there = |name: u32| {
            let number = self.run.tables.threads.known(u64::from(name));
            number.is_some_and(|t| self.graph().status.get(t).is_some_and(|&s| s != ThreadStatus::Absent))
        };
        let mut waiting: Vec<(u32, u32)> =
            possible.starts.iter().map(|(&(name, _, _), &at)| (name, at)).collect();
        waiting.retain(|&(name, _)| !is_there(name));
        while let Some(at) = waiting.iter().position(|&(name, _)| {
            actors.iter().any(|actor| possible.writes(actor.point) & possible.start_of(name) != 0)
        }) {
            let (name, point) = waiting.swap_remove(at);
            actors.push(Actor { name, number: None, point });
        }
        actors
    }

    /// The circles that threads may still come to.
    pub(super) fn cycles_to_come(&self) -> Cycles {
        self.possible().cyclic(self.actors().iter().map(|actor| actor.point))
    }

    /// The threads that wait in a circle: their postponed reads can only read what these threads write.
    pub(super) fn circle(&self, actors: &[Actor]) -> Vec<usize> {
        let is_postponed = |t: &usize| self.graph().status[*t] == ThreadStatus::Postponed;
        let mut circle: Vec<usize> = (0..self.graph().status.len()).filter(is_postponed).collect();
        if circle.is_empty() || Mutant::CircleTooSoon.is_active() {
            return circle;
        }
        let awaited = |t: usize| {
            let loc = self.run.step(self.graph(), t).loc as usize;
            self.possible().location(self.run.tables.memory.locations[loc].address)
        };
        loop {
            let outside = |actor: &&Actor| actor.number.is_none_or(|t| !circle.contains(&t));
            let others = actors.iter().filter(outside);
            let written = others.fold(0, |all, actor| all | self.possible().writes(actor.point));
            let before = circle.len();
            circle.retain(|&t| awaited(t) & written == 0);
            if circle.len() == before {
                return circle;
            }
        }
    }

    /// May a write to the location that a thread is about to read still come from another thread?
    pub(super) fn may_come(&self, thread: usize) -> bool {
        self.may_come_from(&self.actors(), thread)
    }

    fn may_come_from(&self, others: &[Actor], thread: usize) -> bool {
        let loc = self.run.step(self.graph(), thread).loc;
        let location = self.possible().location(self.run.tables.memory.locations[loc as usize].address);
        self.possible().is_unknown()
            || others
                .iter()
                .any(|a| a.number != Some(thread) && self.possible().writes(a.point) & location != 0)
    }

    /// May a cycle of program order and reads-from, with all promises on cycles, still come about?
    pub(super) fn may_close(&self, actors: &[Actor]) -> bool {
        let is_postponed =
            |actor: &Actor| actor.number.is_some_and(|t| self.graph().status[t] == ThreadStatus::Postponed);
        let comes = actors
            .iter()
            .all(|actor| !is_postponed(actor) || self.may_come_from(actors, actor.number.unwrap_or(0)));
        if !comes || !self.can_keep_waiting(actors) {
            return false;
        }
        if self.possible().is_unknown() {
            return true;
        }
        if self.promises().all.is_empty() {
            return self.may_begin(actors);
        }
        self.promises().all.iter().all(|promise| {
            promise.kept.is_some()
                || self.may_be_kept(actors, promise.read, promise.label.thread, promise.label.address)
        })
    }

    /// Is each lock that a thread waits for for ever held, or may another thread still take it?
    fn can_keep_waiting(&self, actors: &[Actor]) -> bool {
        !self.run.tables.locks.leaves_any_unordered()
            || (0..self.graph().status.len()).all(|t| {
                self.waits_for_ever(t).is_none_or(|(loc, mode)| {
                    !sections::is_free(self.graph(), loc, mode) || self.may_come_from(actors, t)
                })
            })
    }

    /// Nothing is promised yet: may threads that are still running read from each other in a circle?
    fn may_begin(&self, actors: &[Actor]) -> bool {
        let cycles = self.possible().cyclic(actors.iter().map(|actor| actor.point));
        self.sources.where_promised(cycles) & self.promised != 0
    }

    /// May the promise of a thread still be kept by a write to which the read leads?
    fn may_be_kept(&self, actors: &[Actor], read: EventId, promiser: u32, address: u64) -> bool {
        let (graph, possible) = (self.graph(), self.possible());
        let location = possible.location(crate::id::Address(address));
        let Some(keeper) = actors.iter().find(|actor| actor.name == promiser) else { return false };
        if possible.writes(keeper.point) & location == 0 {
            return false;
        }
        if keeper.point == ANYWHERE {
            return true;
        }
        let mut after = vec![read];
        loop {
            let (threads, mut written) = self.led_to(&after);
            if keeper.number.is_some_and(|t| threads[t]) {
                return true;
            }
            for actor in actors.iter().filter(|actor| actor.number.is_some_and(|t| threads[t])) {
                written |= possible.writes(actor.point);
            }
            loop {
                let before = written;
                for actor in actors.iter().filter(|actor| actor.number.is_none_or(|t| !threads[t])) {
                    written |= possible.flow(actor.point, written);
                }
                if written == before {
                    break;
                }
            }
            if possible.flow(keeper.point, written) & location != 0 {
                return true;
            }
            // What reads from other promises may be led to, too; rows know such reads by the promise.
            let new = self.promises().all.iter().find(|other| {
                let is_kept_after = |write: EventId| {
                    after.iter().any(|&read| read == write || Graph::in_row(graph.porf(write), read))
                };
                let may_lead = match other.kept {
                    Some(write) => is_kept_after(write),
                    None => written & possible.location(crate::id::Address(other.label.address)) != 0,
                };
                !after.contains(&other.event) && may_lead
            });
            match new {
                Some(promise) => after.push(promise.event),
                None => return false,
            }
        }
    }

    /// The threads whose last event one of these leads to, and the locations written by events that they lead to.
    fn led_to(&self, from: &[EventId]) -> (Vec<bool>, Locations) {
        let graph = self.graph();
        let leads = |id: EventId| from.iter().any(|&read| read == id || Graph::in_row(graph.porf(id), read));
        let mut threads = vec![false; graph.threads.len()];
        let mut written = 0;
        for (t, log) in graph.threads.iter().enumerate() {
            let tip = graph.tip(t);
            if graph.status[t] == ThreadStatus::Absent || tip.is_init() || !leads(tip) {
                continue;
            }
            threads[t] = true;
            if graph.status[t] == ThreadStatus::Done {
                written |= self.possible().end_of(self.run.tables.threads.name(t));
            }
            for (i, event) in log.events.iter().enumerate().rev() {
                if !leads(EventId::new(t as u32, i as u32)) {
                    break;
                }
                if event.kind.writes() || event.kind == Kind::Unlock {
                    written |= self
                        .possible()
                        .location(self.run.tables.memory.locations[event.loc as usize].address);
                }
                if event.kind == Kind::Spawn {
                    written |= self.possible().start_of(self.run.tables.threads.name(event.child()));
                }
            }
        }
        (threads, written)
    }
}
