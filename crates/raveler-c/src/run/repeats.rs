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
}

/// So many loops inside each other are watched.
const MAX_WATCHED: usize = 8;

fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

impl Clone for Repeats {
    fn clone(&self) -> Repeats {
        Repeats { list: self.list.clone(), since: self.since }
    }

    fn clone_from(&mut self, source: &Repeats) {
        self.list.clone_from(&source.list);
        self.since = source.since;
    }
}

impl Repeats {
    /// The thread was answered, or wrote to memory of its own.
    #[inline]
    pub fn note(&mut self, value: u64) {
        if !self.list.is_empty() {
            self.since = mix(self.since, value);
        }
    }

    /// A head is visited: how many rounds in a row were alike?
    pub fn visit(&mut self, (function, head, depth): (u32, u16, u32), state: (u64, u64)) -> u32 {
        let since = std::mem::take(&mut self.since);
        for repeat in &mut self.list {
            repeat.round = mix(repeat.round, since);
        }
        let here = |r: &&mut Repeat| (r.function, r.head, r.depth) == (function, head, depth);
        if let Some(repeat) = self.list.iter_mut().find(here) {
            let alike = repeat.state == state && repeat.round == repeat.before;
            repeat.count = if alike { repeat.count + 1 } else { 0 };
            (repeat.state, repeat.before, repeat.round) = (state, repeat.round, 0);
            return repeat.count;
        }
        if self.list.len() == MAX_WATCHED {
            self.list.remove(0);
        }
        self.list.push(Repeat { function, head, depth, state, round: 0, before: 0, count: 0 });
        0
    }

    /// A call at this depth returned.
    pub fn leave(&mut self, depth: u32) {
        self.list.retain(|repeat| repeat.depth < depth);
    }
}
