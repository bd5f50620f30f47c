//! Rounds of a loop that are all alike but have effects: such a loop has no end in sight.
//!
//! A round that begins in the same state as the one before it, is answered alike and writes alike can be made any number
//! of times, unless another thread does something. It is no futile round, since others can see what it does.

/// What happened in loops, to tell rounds that are alike.
#[derive(Default)]
pub(super) struct Repeats {
    list: Vec<Repeat>,
    /// What happened since the last visit of any head.
    since: u64,
    /// Memory that no call owns changed since then.
    changed: bool,
    /// Variables that changed, did not end yet, and still matter.
    alive: Vec<Alive>,
    /// How many visits there were.
    visits: u32,
}

/// A variable that changed. If it ends or is cleared before the round is over, it is no part of the state.
#[derive(Clone, Copy)]
struct Alive {
    key: u32,
    depth: u32,
    /// After so many visits.
    changed: u32,
}

/// What a write to a thread's own memory changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// Nothing.
    Nothing,
    /// Memory that no call owns.
    Lasting,
    /// A variable, by its key, of a call at this depth.
    Local(u32, u32),
}

/// A round of a loop, compared with the one before it.
pub(super) struct Compared {
    /// How many rounds in a row were alike.
    pub alike: u32,
    /// It began and ended in the same state, which memory of the thread's own belongs to.
    pub same: bool,
    /// How many effects there had been when it began.
    pub effects: u32,
}

#[derive(Clone, Copy)]
struct Repeat {
    function: u32,
    head: u16,
    depth: u32,
    /// At the last visit.
    state: (u64, u64),
    /// What happened since then, and in the round before.
    round: u64,
    before: u64,
    count: u32,
    changed: bool,
    effects: u32,
    /// The number of the last visit.
    visit: u32,
}

/// So many loops inside each other are watched.
const MAX_WATCHED: usize = 8;

fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

impl Clone for Repeats {
    fn clone(&self) -> Repeats {
        Repeats { list: self.list.clone(), alive: self.alive.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Repeats) {
        self.list.clone_from(&source.list);
        self.alive.clone_from(&source.alive);
        (self.since, self.changed, self.visits) = (source.since, source.changed, source.visits);
    }
}

impl Repeats {
    /// What happened since the last visit of a head.
    pub fn since(&self) -> u64 {
        self.since
    }

    /// Is there a loop to watch?
    #[inline]
    pub fn is_watching(&self) -> bool {
        !self.list.is_empty()
    }

    /// The thread wrote to memory of its own.
    pub fn write(&mut self, value: u64, written: Written) {
        self.note(value);
        match written {
            Written::Nothing => {}
            Written::Lasting => self.changed = true,
            Written::Local(key, depth) => {
                self.ended(key);
                self.alive.push(Alive { key, depth, changed: self.visits });
            }
        }
    }

    /// A variable ended, or does not matter any more.
    pub fn ended(&mut self, key: u32) {
        self.alive.retain(|alive| alive.key != key);
    }

    /// The thread was answered.
    #[inline]
    pub fn note(&mut self, value: u64) {
        if !self.list.is_empty() {
            self.since = mix(self.since, value);
        }
    }

    /// A head is visited, after so many effects.
    pub fn visit(&mut self, at: (u32, u16, u32), state: (u64, u64), effects: u32) -> Compared {
        let (function, head, depth) = at;
        let since = std::mem::take(&mut self.since);
        let changed = std::mem::take(&mut self.changed);
        self.visits += 1;
        let visit = self.visits;
        for repeat in &mut self.list {
            repeat.round = mix(repeat.round, since);
            repeat.changed |= changed;
        }
        let here = |r: &&mut Repeat| (r.function, r.head, r.depth) == (function, head, depth);
        if let Some(repeat) = self.list.iter_mut().find(here) {
            let alike = repeat.state == state && repeat.round == repeat.before;
            repeat.count = if alike { repeat.count + 1 } else { 0 };
            let mut alive = self.alive.iter().filter(|alive| alive.changed >= repeat.visit);
            let same = repeat.state == state && !repeat.changed && alive.all(|alive| alive.depth > depth);
            let compared = Compared { alike: repeat.count, same, effects: repeat.effects };
            let before = repeat.round;
            *repeat = Repeat { state, before, round: 0, changed: false, effects, visit, ..*repeat };
            return compared;
        }
        if self.list.len() == MAX_WATCHED {
            self.list.remove(0);
        }
        self.list.push(Repeat {
            function,
            head,
            depth,
            state,
            round: 0,
            before: 0,
            count: 0,
            changed: false,
            effects,
            visit,
        });
        Compared { alike: 0, same: false, effects }
    }

    /// A call at this depth returned.
    pub fn leave(&mut self, depth: u32) {
        self.list.retain(|repeat| repeat.depth < depth);
        self.alive.retain(|alive| alive.depth < depth);
    }
}
