//! States that are kept: after which state and which answer comes which.
//!
//! A cursor depends on its thread's answers alone, and so does most of what is requested next. Such a state is made once
//! and found again whenever a thread is answered the same in another execution: the program is not run, and nothing is
//! copied. What depends on the graph at hand is not kept; [`Needs`] says how much of it a state may depend on.

use rustc_hash::FxHashMap;

use super::State;
use crate::graph::ThreadStatus;
use crate::id::AllocationId;
use crate::program::action::Value;

/// No more states are kept. A search that meets more histories than this would spend its time on making them, and on
/// waiting for memory.
pub(in crate::run) const LIMIT: u32 = 8192;

/// No more bytes are kept, as far as a program can say how many its cursors take.
const MAX_BYTES: usize = 64 << 20;

/// No node.
const NONE: u32 = u32::MAX;

/// What a graph must have for a state to be the right one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::run) enum Needs {
    Nothing,
    /// This allocation, by another thread, with at least so many bytes.
    Room {
        allocation: AllocationId,
        bytes: u64,
    },
    /// All that this graph is: the state is not kept.
    ThisGraph,
}

/// How a state was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::run) enum Key {
    /// A thread starts.
    Start { thread: u32, code: u64, argument: Value },
    /// A thread is answered, in this state; a weak compare-exchange may have failed for no reason.
    Answer { before: u32, value: Value, failed: bool },
}

impl Key {
    /// A failed try stands for another exploration by its short cut to the read with this index, or for itself.
    pub fn after_retry(retry: u32, cut: Option<usize>) -> Key {
        Key::Answer { before: retry, value: cut.map_or(0, |i| i as Value + 1), failed: false }
    }
}

/// How a node is found: what a search looks at, apart from the large states.
struct Link {
    value: Value,
    failed: bool,
    /// The status of a thread in this state, if it is the right one in every graph and nothing can be wrong with what is requested.
    plain: Option<ThreadStatus>,
    /// The next one after the same state.
    sibling: u32,
    /// The first one after this state.
    child: u32,
}

enum Reached<C> {
    State(State<C>, Needs),
    /// A failed try with short cuts: which state comes next depends on the one that is taken.
    Retry(Vec<u32>),
    /// Another state in each graph.
    Varies,
}

/// States that were reached, as a tree for each way in which a thread starts.
pub(crate) struct Tree<C> {
    links: Vec<Link>,
    /// What each link leads to.
    reached: Vec<Reached<C>>,
    starts: FxHashMap<(u32, u64, Value), u32>,
    /// How many bytes the states take, roughly.
    bytes: usize,
}

/// What is known of the state after an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::run) enum Known {
    /// It was never reached, or there was no room.
    Nothing,
    /// It is this one, if the graph has what it needs.
    State(u32, Needs),
    /// It depends on a short cut.
    Retry(u32),
    /// It is another one in each graph.
    Varies,
}

impl<C> Tree<C> {
    pub fn new() -> Tree<C> {
        Tree { links: Vec::new(), reached: Vec::new(), starts: FxHashMap::default(), bytes: 0 }
    }

    /// A state by its number.
    #[inline]
    pub fn state(&self, number: u32) -> &State<C> {
        match &self.reached[number as usize] {
            Reached::State(state, _) => state,
            Reached::Retry(_) | Reached::Varies => unreachable!("a number is that of a state"),
        }
    }

    /// Look for a state.
    #[inline]
    pub fn find(&self, key: &Key) -> Known {
        let number = match *key {
            Key::Start { thread, code, argument } => {
                self.starts.get(&(thread, code, argument)).copied().unwrap_or(NONE)
            }
            Key::Answer { before, value, failed } => {
                let Some(parent) = self.links.get(before as usize) else { return Known::Nothing };
                let mut number = parent.child;
                while let Some(link) = self.links.get(number as usize)
                    && (link.value, link.failed) != (value, failed)
                {
                    number = link.sibling;
                }
                number
            }
        };
        match self.reached.get(number as usize) {
            None => Known::Nothing,
            Some(Reached::State(_, needs)) => Known::State(number, *needs),
            Some(Reached::Retry(_)) => Known::Retry(number),
            Some(Reached::Varies) => Known::Varies,
        }
    }

    /// The state after an answer with the status of its thread, if it is the right one in every graph and nothing can be wrong
    /// with what is requested.
    #[inline]
    pub fn find_plain(&mut self, before: u32, value: Value, failed: bool) -> Option<(u32, ThreadStatus)> {
        let first = self.links.get(before as usize)?.child;
        let link = self.links.get(first as usize)?;
        match (link.value, link.failed) == (value, failed) {
            true => link.plain.map(|status| (first, status)),
            false => self.find_further(before, value, failed),
        }
    }

    /// The same where another state was asked for last; now this one is the first.
    fn find_further(&mut self, before: u32, value: Value, failed: bool) -> Option<(u32, ThreadStatus)> {
        let first = self.links[before as usize].child;
        let (mut earlier, mut number) = (first, self.links[first as usize].sibling);
        while let Some(link) = self.links.get(number as usize) {
            let next = link.sibling;
            if (link.value, link.failed) == (value, failed) {
                let plain = link.plain;
                self.links[earlier as usize].sibling = next;
                self.links[number as usize].sibling = first;
                self.links[before as usize].child = number;
                return plain.map(|status| (number, status));
            }
            (earlier, number) = (number, next);
        }
        None
    }

    /// Can a state that was reached in this way be kept?
    pub fn has_room_after(&self, key: &Key) -> bool {
        let is_path = matches!(*key, Key::Answer { before, .. } if before >= LIMIT);
        self.links.len() < LIMIT as usize && self.bytes < MAX_BYTES && !is_path
    }

    /// Keep a state; its number. There must be room, and it must not be known.
    pub fn add(&mut self, key: Key, state: State<C>, (needs, sound): (Needs, bool), weight: usize) -> u32 {
        self.bytes += size_of::<State<C>>() + weight;
        let plain = (sound && needs == Needs::Nothing).then(|| state.step.status());
        self.add_node(key, plain, Reached::State(state, needs))
    }

    /// Remember the short cuts of a failed try; what follows is kept after the number of the try.
    pub fn add_retry(&mut self, key: Key, short_cuts: Vec<u32>) -> u32 {
        self.add_node(key, None, Reached::Retry(short_cuts))
    }

    /// The short cuts of a failed try.
    pub fn short_cuts(&self, retry: u32) -> &[u32] {
        match &self.reached[retry as usize] {
            Reached::Retry(short_cuts) => short_cuts,
            Reached::State(..) | Reached::Varies => &[],
        }
    }

    /// Remember that a state is another one in each graph.
    pub fn add_varying(&mut self, key: Key) {
        self.add_node(key, None, Reached::Varies);
    }

    fn add_node(&mut self, key: Key, plain: Option<ThreadStatus>, reached: Reached<C>) -> u32 {
        let number = self.links.len() as u32;
        let mut link = Link { value: 0, failed: false, plain, sibling: NONE, child: NONE };
        match key {
            Key::Start { thread, code, argument } => {
                self.starts.insert((thread, code, argument), number);
            }
            Key::Answer { before, value, failed } => {
                let parent = &mut self.links[before as usize];
                (link.value, link.failed) = (value, failed);
                link.sibling = std::mem::replace(&mut parent.child, number);
            }
        }
        self.links.push(link);
        self.reached.push(reached);
        number
    }
}
