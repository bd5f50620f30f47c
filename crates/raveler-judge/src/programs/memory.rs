//! What the machines ask of a memory, and the memory with store buffers (none for SC).

use std::hash::Hash;

use raveler_core::Model;

use super::ast::Order;
use super::code::Code;

/// What was never written.
pub const UNKNOWN: i8 = i8::MIN;

/// What races are made of.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// It writes.
    pub writes: bool,
}

/// A memory: what reads may see, what writes do, what orders threads. Numbers of `sync` name what threads hand on to
/// each other through locks and the like; those of `word` the state of a lock as failing tries see it.
pub trait Memory: Clone + Eq + Hash {
    /// As it is at first.
    fn new(code: &Code, model: Model) -> Self;
    /// What a load may see.
    fn load(&self, thread: usize, location: usize, order: Order) -> Vec<(i8, Self)>;
    /// What a store may lead to.
    fn store(&self, thread: usize, location: usize, value: i8, order: Order) -> Vec<Self>;
    /// What a read-modify-write may see; `change` gives nothing where a compare-exchange fails. None if it has to wait.
    fn update(
        &self,
        thread: usize,
        location: usize,
        change: &dyn Fn(i8) -> Option<i8>,
        orders: (Order, Order),
    ) -> Vec<(i8, Self)>;
    /// After a fence; none if it has to wait.
    fn fence(&self, thread: usize, order: Order) -> Option<Self>;
    /// Steps of the memory itself.
    fn internal(&self) -> Vec<Self>;
    /// Has everything that the thread wrote arrived?
    fn drained(&self, thread: usize) -> bool;
    /// Take what was handed on.
    fn acquire(&mut self, thread: usize, sync: usize);
    /// Hand on what is known, besides what was handed on before.
    fn release(&mut self, thread: usize, sync: usize);
    /// What was handed on goes no further, unless every access hands on what is known.
    fn end_round(&mut self, sync: usize);
    /// An access to a word of a condition variable: takes what was handed on, and hands on what is known if it writes, but
    /// only where every access does.
    fn access_word(&mut self, thread: usize, sync: usize, writes: bool);
    /// A thread begins with what its creator knows.
    fn create(&mut self, parent: usize, child: usize);
    /// A thread learns what another one knows that has ended.
    fn join(&mut self, thread: usize, child: usize);
    /// The state of a lock changes.
    fn set_word(&mut self, thread: usize, word: usize, value: i8, update: bool);
    /// How a try may fail: by seeing a state of the lock that `taken` says is taken; `now` is its state.
    fn see_word(&self, thread: usize, word: usize, now: i8, taken: &dyn Fn(i8) -> bool) -> Vec<Self>;
    /// Remember an access; does it race with an earlier one?
    fn note(&mut self, thread: usize, location: usize, access: Access) -> bool;
    /// Remember a use of a node.
    fn note_node(&mut self, thread: usize, node: usize);
    /// Remember the beginning of a node: nobody knows of it but who is told.
    fn note_made(&mut self, thread: usize, node: usize);
    /// Does the node's beginning happen before this?
    fn knows_made(&self, thread: usize, node: usize) -> bool;
    /// Do all uses of the node by other threads happen before this?
    fn may_free(&self, thread: usize, node: usize) -> bool;
    /// Make equal what cannot be told apart. `live[t]`: the thread runs; `joining[t]`: it waits for the end of that one.
    fn normalise(&mut self, live: &[bool], joining: &[Option<usize>]);
    /// Has it grown beyond what is looked at?
    fn too_large(&self) -> bool;
}

/// Memory with a buffer for each thread: in order under TSO, by location under PSO, not used under SC.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Buffers {
    values: Vec<i8>,
    /// Stores that have not arrived, the oldest first; no location: those behind wait for those before.
    waiting: Vec<Vec<(Option<u8>, i8)>>,
    model: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Sc,
    Tso,
    Pso,
}

impl Buffers {
    fn tidy(&mut self, thread: usize) {
        let waiting = &mut self.waiting[thread];
        while waiting.first().is_some_and(|(location, _)| location.is_none()) {
            waiting.remove(0);
        }
        waiting.dedup_by(|a, b| a.0.is_none() && b.0.is_none());
    }
}

impl Memory for Buffers {
    fn new(code: &Code, model: Model) -> Self {
        let mut values = vec![0; code.locations()];
        values[code.vars.len()..].fill(UNKNOWN);
        values[..code.vars.len()].copy_from_slice(&code.initial);
        let model = match model {
            Model::Tso => Kind::Tso,
            Model::Pso => Kind::Pso,
            _ => Kind::Sc,
        };
        Buffers { values, waiting: vec![Vec::new(); code.count()], model }
    }

    fn load(&self, thread: usize, location: usize, _order: Order) -> Vec<(i8, Self)> {
        let mine = self.waiting[thread].iter().rev().find(|(at, _)| *at == Some(location as u8));
        vec![(mine.map_or(self.values[location], |(_, value)| *value), self.clone())]
    }

    fn store(&self, thread: usize, location: usize, value: i8, order: Order) -> Vec<Self> {
        let mut next = self.clone();
        if self.model == Kind::Sc {
            next.values[location] = value;
            return vec![next];
        }
        if self.model == Kind::Pso && order.releases() {
            next.waiting[thread].push((None, 0));
        }
        next.waiting[thread].push((Some(location as u8), value));
        next.tidy(thread);
        vec![next]
    }

    fn update(
        &self,
        thread: usize,
        location: usize,
        change: &dyn Fn(i8) -> Option<i8>,
        _orders: (Order, Order),
    ) -> Vec<(i8, Self)> {
        if !self.drained(thread) {
            return Vec::new();
        }
        let old = self.values[location];
        let mut next = self.clone();
        if let Some(new) = change(old) {
            next.values[location] = new;
        }
        vec![(old, next)]
    }

    fn fence(&self, thread: usize, order: Order) -> Option<Self> {
        match (self.model, order) {
            (Kind::Tso | Kind::Pso, Order::SeqCst) => self.drained(thread).then(|| self.clone()),
            (Kind::Pso, Order::Release | Order::AcqRel) => {
                let mut next = self.clone();
                next.waiting[thread].push((None, 0));
                next.tidy(thread);
                Some(next)
            }
            _ => Some(self.clone()),
        }
    }

    fn internal(&self) -> Vec<Self> {
        let mut found = Vec::new();
        for (thread, waiting) in self.waiting.iter().enumerate() {
            for (index, &(location, value)) in waiting.iter().enumerate() {
                let Some(location) = location else { break };
                if !waiting[..index].iter().any(|(earlier, _)| *earlier == Some(location)) {
                    let mut next = self.clone();
                    next.values[usize::from(location)] = value;
                    next.waiting[thread].remove(index);
                    next.tidy(thread);
                    found.push(next);
                }
                if self.model == Kind::Tso {
                    break;
                }
            }
        }
        found
    }

    fn drained(&self, thread: usize) -> bool {
        self.waiting[thread].is_empty()
    }

    fn acquire(&mut self, _thread: usize, _sync: usize) {}
    fn release(&mut self, _thread: usize, _sync: usize) {}
    fn end_round(&mut self, _sync: usize) {}
    fn access_word(&mut self, _thread: usize, _sync: usize, _writes: bool) {}
    fn create(&mut self, _parent: usize, _child: usize) {}
    fn join(&mut self, _thread: usize, _child: usize) {}
    fn set_word(&mut self, _thread: usize, _word: usize, _value: i8, _update: bool) {}

    fn see_word(&self, _thread: usize, _word: usize, now: i8, taken: &dyn Fn(i8) -> bool) -> Vec<Self> {
        if taken(now) { vec![self.clone()] } else { Vec::new() }
    }

    fn note(&mut self, _thread: usize, _location: usize, _access: Access) -> bool {
        false
    }
    fn note_node(&mut self, _thread: usize, _node: usize) {}
    fn note_made(&mut self, _thread: usize, _node: usize) {}

    fn knows_made(&self, _thread: usize, _node: usize) -> bool {
        true
    }

    /// A use that could come after the free does so in another interleaving.
    fn may_free(&self, _thread: usize, _node: usize) -> bool {
        true
    }

    fn normalise(&mut self, _live: &[bool], _joining: &[Option<usize>]) {
        for thread in 0..self.waiting.len() {
            if self.waiting[thread].iter().all(|(location, _)| location.is_none()) {
                self.waiting[thread].clear();
            }
        }
    }

    fn too_large(&self) -> bool {
        self.waiting.iter().any(|waiting| waiting.len() > 12)
    }
}
