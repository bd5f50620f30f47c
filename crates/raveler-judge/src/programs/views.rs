//! Memory as messages with views: what the release-acquire and C11 models allow, without `seq_cst`.
//!
//! Each location has a list of messages, in coherence order. A view says for each location from which message on
//! one may read. A write may be put anywhere behind what its thread has seen, but not between an update and what it read.
//! States are made finite: messages that no thread can read any more are forgotten, and an update that changed
//! nothing is the same message as the one it read.
//!
//! This file is long because it is the whole of one machine.

use raveler_core::Model;

use super::ast::{Order, VarKind};
use super::code::Code;
use super::memory::{Access, Memory, UNKNOWN};

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct View {
    /// By location: the first message that may be read; shorter than the number of locations where all else is 0.
    from: Vec<u8>,
    /// Which of the last accesses (by location, thread and kind) happen before.
    knows: u128,
}

impl View {
    fn join(&mut self, other: &View) {
        for (mine, other) in self.from.iter_mut().zip(&other.from) {
            *mine = (*mine).max(*other);
        }
        self.knows |= other.knows;
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Message {
    value: i8,
    /// What a thread learns that acquires it.
    view: View,
    /// Written by an update that read the message before it.
    attached: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Knowledge {
    now: View,
    /// What an acquire fence would add.
    pending: View,
    /// What was known at the last release fence.
    fenced: View,
    /// RC11: what the thread's last release store to each location handed on.
    released: Vec<(u8, View)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Rules {
    /// Everything acquires and releases.
    strong: bool,
    /// Writes come last in coherence order (SRA).
    last: bool,
    /// Release sequences go on with later writes of the same thread (RC11).
    same_thread: bool,
    /// Plain accesses race.
    races: bool,
    acquire_fences: bool,
    release_fences: bool,
    /// Locations of the program; words of locks come after them, those of mutexes first.
    words: u8,
    mutexes: u8,
    threads: u8,
    /// How many bits of `knows` belong to locations; those of nodes come after them.
    vars: u8,
}

/// Memory as messages.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Views {
    rules: Rules,
    locations: Vec<Vec<Message>>,
    threads: Vec<Knowledge>,
    syncs: Vec<View>,
    /// For each location whether races are looked for, and where its bits begin.
    tracked: Vec<Option<u8>>,
    /// Which accesses there have been.
    accessed: u128,
    /// There are more of them than bits.
    crowded: bool,
}

/// Reads and writes: memory that is accessed plainly is accessed plainly only.
const KINDS: usize = 2;

impl Views {
    fn views(&mut self) -> impl Iterator<Item = &mut View> {
        let threads = self.threads.iter_mut().flat_map(|thread| {
            let released = thread.released.iter_mut().map(|(_, view)| view);
            [&mut thread.now, &mut thread.pending, &mut thread.fenced].into_iter().chain(released)
        });
        let messages = self.locations.iter_mut().flatten().map(|message| &mut message.view);
        threads.chain(messages).chain(self.syncs.iter_mut())
    }

    fn bottom(&self) -> View {
        View { from: vec![0; self.locations.len()], knows: 0 }
    }

    /// Room for a message at this place of a location's list.
    fn make_room(&mut self, location: usize, at: usize) {
        for view in self.views() {
            if usize::from(view.from[location]) >= at {
                view.from[location] += 1;
            }
        }
    }

    /// The message at this place goes; who could read it reads from the next one on.
    fn forget(&mut self, location: usize, at: usize) {
        self.locations[location].remove(at);
        for view in self.views() {
            if usize::from(view.from[location]) > at {
                view.from[location] -= 1;
            }
        }
    }

    fn read(&mut self, thread: usize, location: usize, at: usize, order: Order) {
        let message = self.locations[location][at].view.clone();
        let rules = self.rules;
        let me = &mut self.threads[thread];
        me.now.from[location] = me.now.from[location].max(at as u8);
        if rules.strong || order.acquires() {
            me.now.join(&message);
        } else if order != Order::Plain && rules.acquire_fences {
            me.pending.join(&message);
        }
    }

    /// Puts a message at this place; `read`: the view of the message that an update read.
    fn write(
        &mut self,
        thread: usize,
        location: usize,
        at: usize,
        value: i8,
        order: Order,
        read: Option<View>,
    ) {
        self.make_room(location, at);
        let rules = self.rules;
        let mut view = self.bottom();
        let me = &mut self.threads[thread];
        me.now.from[location] = at as u8;
        if rules.strong || order.releases() {
            view.join(&me.now);
            if rules.same_thread {
                me.released.retain(|(of, _)| usize::from(*of) != location);
                me.released.push((location as u8, me.now.clone()));
                me.released.sort_by_key(|(of, _)| *of);
            }
        } else if order != Order::Plain {
            view.join(&me.fenced);
            if let Some((_, released)) = me.released.iter().find(|(of, _)| usize::from(*of) == location) {
                view.join(released);
            }
        }
        let attached = read.is_some();
        if let Some(read) = read {
            view.join(&read);
        }
        view.from[location] = at as u8;
        self.locations[location].insert(at, Message { value, view, attached });
    }

    /// Where failing tries learn something: forgets a state of a lock's word that no try can see, or that tells no try
    /// anything else than the next one. Is there one? New states come last, each by a thread that knows all that the
    /// one before knew, so none can come between.
    fn forget_in(&mut self, word: usize) -> bool {
        let list = &mut self.locations[word];
        list.iter_mut().for_each(|message| message.attached = false);
        let useless = list.windows(2).position(|pair| {
            let mut same = pair[0].view.clone();
            same.from[word] = pair[1].view.from[word];
            pair[0].value == 0 || pair[0].value <= pair[1].value && same == pair[1].view
        });
        if let Some(at) = useless {
            self.forget(word, at);
        }
        useless.is_some()
    }

    fn node_bit(&self, thread: usize, node: usize) -> u128 {
        let bits = usize::from(self.rules.threads) + 1;
        1 << (usize::from(self.rules.vars) + node * bits + thread)
    }

    /// Behind the bits of its uses by the threads a node has one for its beginning.
    fn made_bit(&self, node: usize) -> u128 {
        self.node_bit(usize::from(self.rules.threads), node)
    }
}

impl Memory for Views {
    fn new(code: &Code, model: Model) -> Self {
        let threads = code.count();
        let words = code.locations();
        let count = words + code.tried.len() + code.rw_tried.len() * threads;
        let races = matches!(model, Model::Rc11 | Model::Rc20);
        let mut tracked = vec![None; count];
        let mut bits = 0usize;
        if races {
            let plain = |location: usize| match code.vars.get(location) {
                Some(kind) => *kind == VarKind::Plain,
                // The second member of each node.
                None => location < words && (location - code.vars.len()) % 2 == 1,
            };
            for (_, slot) in tracked.iter_mut().enumerate().filter(|(location, _)| plain(*location)) {
                *slot = Some(bits as u8);
                bits += threads * KINDS;
            }
        }
        let nodes: usize = code.nodes.iter().sum();
        let crowded = bits + nodes * (threads + 1) > 128;
        let strong = matches!(model, Model::Ra | Model::Sra);
        let empty = View { from: vec![0; count], knows: 0 };
        let initial = |location: usize| {
            let value = match code.initial.get(location) {
                Some(value) => *value,
                None if location < words => UNKNOWN,
                None => 0,
            };
            vec![Message { value, view: empty.clone(), attached: false }]
        };
        let knowledge = Knowledge {
            now: empty.clone(),
            pending: empty.clone(),
            fenced: empty.clone(),
            released: Vec::new(),
        };
        Views {
            rules: Rules {
                strong,
                last: model == Model::Sra,
                same_thread: model == Model::Rc11,
                races,
                acquire_fences: code.fences.0 && !strong,
                release_fences: code.fences.1 && !strong,
                words: words as u8,
                mutexes: code.tried.len() as u8,
                threads: threads as u8,
                vars: bits as u8,
            },
            locations: (0..count).map(initial).collect(),
            threads: vec![knowledge; threads],
            syncs: vec![empty.clone(); super::machine::syncs(code)],
            tracked,
            accessed: 0,
            crowded,
        }
    }

    fn load(&self, thread: usize, location: usize, order: Order) -> Vec<(i8, Self)> {
        let first = usize::from(self.threads[thread].now.from[location]);
        (first..self.locations[location].len())
            .map(|at| {
                let mut next = self.clone();
                next.read(thread, location, at, order);
                (self.locations[location][at].value, next)
            })
            .collect()
    }

    fn store(&self, thread: usize, location: usize, value: i8, order: Order) -> Vec<Self> {
        let list = &self.locations[location];
        let first = usize::from(self.threads[thread].now.from[location]) + 1;
        (first..=list.len())
            .filter(|&at| at == list.len() || (!self.rules.last && !list[at].attached))
            .map(|at| {
                let mut next = self.clone();
                next.write(thread, location, at, value, order, None);
                next
            })
            .collect()
    }

    fn update(
        &self,
        thread: usize,
        location: usize,
        change: &dyn Fn(i8) -> Option<i8>,
        (success, failure): (Order, Order),
    ) -> Vec<(i8, Self)> {
        let list = &self.locations[location];
        let first = usize::from(self.threads[thread].now.from[location]);
        let mut found = Vec::new();
        for at in first..list.len() {
            let old = list[at].value;
            let mut next = self.clone();
            match change(old) {
                None => next.read(thread, location, at, failure),
                Some(new) => {
                    let end = at + 1 == list.len();
                    if !end && (self.rules.last || list[at + 1].attached) {
                        continue;
                    }
                    let view = list[at].view.clone();
                    next.read(thread, location, at, success);
                    // The message's own place moves with it.
                    next.write(thread, location, at + 1, new, success, Some(view));
                }
            }
            found.push((old, next));
        }
        found
    }

    fn fence(&self, thread: usize, order: Order) -> Option<Self> {
        let mut next = self.clone();
        if !self.rules.strong {
            let me = &mut next.threads[thread];
            if order.acquires() {
                let pending = me.pending.clone();
                me.now.join(&pending);
            }
            if order.releases() {
                me.fenced = me.now.clone();
            }
        }
        Some(next)
    }

    fn internal(&self) -> Vec<Self> {
        Vec::new()
    }

    fn drained(&self, _thread: usize) -> bool {
        true
    }

    fn acquire(&mut self, thread: usize, sync: usize) {
        let view = self.syncs[sync].clone();
        self.threads[thread].now.join(&view);
    }

    fn release(&mut self, thread: usize, sync: usize) {
        let view = self.threads[thread].now.clone();
        self.syncs[sync].join(&view);
    }

    fn end_round(&mut self, sync: usize) {
        if !self.rules.strong {
            let view = &mut self.syncs[sync];
            view.from.fill(0);
            view.knows = 0;
        }
    }

    fn access_word(&mut self, thread: usize, sync: usize, writes: bool) {
        if self.rules.strong {
            self.acquire(thread, sync);
            if writes {
                self.release(thread, sync);
            }
        }
    }

    fn create(&mut self, parent: usize, child: usize) {
        let view = self.threads[parent].now.clone();
        self.threads[child].now = view;
    }

    fn join(&mut self, thread: usize, child: usize) {
        let view = self.threads[child].now.clone();
        self.threads[thread].now.join(&view);
    }

    fn set_word(&mut self, thread: usize, word: usize, value: i8, update: bool) {
        let location = usize::from(self.rules.words) + word;
        let end = self.locations[location].len();
        let before = self.locations[location][end - 1].view.clone();
        // Only what fences make of it tells: a mutex is released by a release store, a thread's word by a relaxed one.
        let releases = value == 0 && word < usize::from(self.rules.mutexes);
        let order = if releases { Order::Release } else { Order::Relaxed };
        if update {
            self.threads[thread].now.from[location] = end as u8 - 1;
        }
        self.write(thread, location, end, value, order, update.then_some(before));
    }

    fn see_word(&self, thread: usize, word: usize, _now: i8, taken: &dyn Fn(i8) -> bool) -> Vec<Self> {
        let location = usize::from(self.rules.words) + word;
        let first = usize::from(self.threads[thread].now.from[location]);
        let fits = |at: &usize| taken(self.locations[location][*at].value);
        (first..self.locations[location].len())
            .filter(fits)
            .map(|at| {
                // A failing try learns nothing by itself where reads may be relaxed; fences around it may.
                let mut next = self.clone();
                next.read(thread, location, at, Order::Relaxed);
                next
            })
            .collect()
    }

    fn note(&mut self, thread: usize, location: usize, access: Access) -> bool {
        let Some(start) = self.tracked[location] else { return false };
        let bit = |thread: usize, kind: usize| 1u128 << (usize::from(start) + thread * KINDS + kind);
        let mut conflicts = 0u128;
        for other in (0..usize::from(self.rules.threads)).filter(|other| *other != thread) {
            conflicts |= bit(other, 1) | if access.writes { bit(other, 0) } else { 0 };
        }
        let own = bit(thread, usize::from(access.writes));
        let races = conflicts & self.accessed & !self.threads[thread].now.knows != 0;
        self.views().for_each(|view| view.knows &= !own);
        self.threads[thread].now.knows |= own;
        self.accessed |= own;
        races
    }

    fn note_node(&mut self, thread: usize, node: usize) {
        if self.rules.races {
            let bit = self.node_bit(thread, node);
            self.views().for_each(|view| view.knows &= !bit);
            self.threads[thread].now.knows |= bit;
            self.accessed |= bit;
        }
    }

    fn note_made(&mut self, thread: usize, node: usize) {
        if self.rules.races {
            self.threads[thread].now.knows |= self.made_bit(node);
        }
    }

    fn knows_made(&self, thread: usize, node: usize) -> bool {
        !self.rules.races || self.threads[thread].now.knows & self.made_bit(node) != 0
    }

    fn may_free(&self, thread: usize, node: usize) -> bool {
        if !self.rules.races {
            return true;
        }
        let threads = usize::from(self.rules.threads);
        let others = (0..threads).filter(|other| *other != thread);
        let uses = others.fold(0, |bits, other| bits | self.node_bit(other, node));
        uses & self.accessed & !self.threads[thread].now.knows == 0
    }

    fn normalise(&mut self, live: &[bool], joining: &[Option<usize>]) {
        // A thread that waits for the end of another one will know what that one knows, and does nothing before.
        for (thread, other) in joining.iter().enumerate() {
            if let Some(other) = *other {
                let view = self.threads[other].now.clone();
                self.threads[thread].now.join(&view);
            }
        }
        let rules = self.rules;
        for thread in &mut self.threads {
            if rules.acquire_fences {
                let now = thread.now.clone();
                thread.pending.join(&now);
            }
            if !rules.release_fences {
                thread.fenced.from.fill(0);
                thread.fenced.knows = 0;
            }
        }
        for location in 0..self.locations.len() {
            let unread = (0..live.len())
                .filter(|thread| live[*thread])
                .map(|thread| self.threads[thread].now.from[location])
                .min();
            for _ in 0..unread.unwrap_or(0) {
                self.forget(location, 0);
            }
            // What is before the first message cannot matter to it any more.
            if unread.is_some() {
                self.locations[location][0].attached = false;
            }
            // Failing tries see only that a lock is taken, and learn nothing but where they are: an older state is the
            // same as a newer one that looks taken to the same tries.
            if location >= usize::from(rules.words) && !rules.acquire_fences && !rules.strong {
                let mut at = 0;
                while at + 1 < self.locations[location].len() {
                    let value = self.locations[location][at].value;
                    let later = &self.locations[location][at + 1..];
                    if value == 0 || later.iter().any(|message| message.value >= value) {
                        self.forget(location, at);
                    } else {
                        at += 1;
                    }
                }
                for message in &mut self.locations[location] {
                    message.attached = false;
                    message.view.from.fill(0);
                    message.view.knows = 0;
                }
            }
            let mut at = 0;
            while at + 1 < self.locations[location].len() {
                let (one, two) = (&self.locations[location][at], &self.locations[location][at + 1]);
                let mut same = one.view.clone();
                same.from[location] = two.view.from[location];
                if two.attached && one.value == two.value && same == two.view {
                    let attached = one.attached;
                    self.forget(location, at);
                    self.locations[location][at].attached = attached;
                } else {
                    at += 1;
                }
            }
        }
        // Messages of one word may differ in the place of another word's message until that one is forgotten, too.
        let words = usize::from(rules.words)..self.locations.len();
        while rules.strong && words.clone().any(|word| self.forget_in(word)) {}
    }

    fn too_large(&self) -> bool {
        self.crowded || self.locations.iter().any(|list| list.len() > 14)
    }
}
