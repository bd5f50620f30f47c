//! The path of the search: a level with a graph for each revisit on the way, and frames with the alternatives
//! that are left.
//!
//! The search depends on nothing else, so a path can be cut into parts and continued elsewhere
//! (`search/subtree.rs`).

use crate::graph::{Graph, ThreadStatus};
use crate::id::EventId;

/// A graph, its consistency check, and a frame for each event whose alternatives are being tried.
pub(in crate::search) struct Level<K> {
    pub graph: Graph,
    pub order: K,
    pub frames: Vec<Frame>,
    /// The threads that had to be asked when the level began: again in each of its alternatives.
    unasked: Vec<u32>,
}

impl<K> Level<K> {
    /// A level with nothing tried.
    pub fn new(graph: Graph, order: K) -> Level<K> {
        Level { graph, order, frames: Vec::new(), unasked: Vec::new() }
    }

    /// The level begins as its graph is.
    pub fn note_unasked(&mut self) {
        let status = self.graph.status.iter().enumerate();
        self.unasked.clear();
        self.unasked
            .extend(status.filter(|&(_, &s)| s == ThreadStatus::Unasked).map(|(thread, _)| thread as u32));
    }

    /// Back at the beginning of the level: what its threads do next may be other than it was.
    pub fn ask_again(&mut self) {
        for &thread in &self.unasked {
            self.graph.status[thread as usize] = ThreadStatus::Unasked;
        }
    }

    /// The frame on top. Only asked for where one was pushed.
    #[inline]
    pub fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("an event of this level has a frame")
    }
}

/// The levels of a path. There is always a top one; it came by a revisit from the one below it.
pub(in crate::search) struct Path<K> {
    pub top: Level<K>,
    below: Vec<Level<K>>,
    /// Levels that were left, to be used again with their memory.
    spare: Vec<Level<K>>,
}

impl<K> Path<K> {
    /// A path with one graph, nothing tried yet.
    pub fn new(graph: Graph, order: K) -> Path<K> {
        Path { top: Level::new(graph, order), below: Vec::new(), spare: Vec::new() }
    }

    /// Begin again with this graph and no other level.
    pub fn restart(&mut self, graph: Graph, order: K) {
        self.below.clear();
        self.top = Level::new(graph, order);
    }

    /// Begin a level on top. It may be one that was left, with its old contents, for the caller to overwrite.
    pub fn push(&mut self, new: impl FnOnce() -> Level<K>) {
        let level = self.spare.pop().unwrap_or_else(new);
        self.below.push(std::mem::replace(&mut self.top, level));
    }

    /// Leave the top level. False if it is the only one.
    pub fn pop(&mut self) -> bool {
        let Some(level) = self.below.pop() else { return false };
        self.spare.push(std::mem::replace(&mut self.top, level));
        true
    }

    /// The level from which the top one came by a revisit, and the top one.
    pub fn parent_and_top(&mut self) -> (&Level<K>, &mut Level<K>) {
        let parent = self.below.last().expect("a revisit comes from another graph");
        (parent, &mut self.top)
    }

    /// How many levels lie below the top one, and how many frames the top one has.
    pub fn depth(&self) -> (usize, usize) {
        (self.below.len(), self.top.frames.len())
    }

    /// All levels, from the first one on.
    pub fn levels_mut(&mut self) -> impl Iterator<Item = &mut Level<K>> {
        self.below.iter_mut().chain([&mut self.top])
    }
}

/// One event of the path with the alternatives that are left.
#[derive(Clone, Debug)]
pub(in crate::search) struct Frame {
    pub kind: FrameKind,
    pub stage: Stage,
    pub event: EventId,
    /// States to keep when the search returns here.
    pub states: usize,
    /// A read's candidates: the index of the first, and the end of those that still belong to this search. Of
    /// a write, `from` is its first possible place.
    pub from: usize,
    pub until: usize,
    /// The index of the next candidate of a read; of other frames how many alternatives were tried.
    pub next: usize,
    /// Of a write: its further alternatives were given away. Of a revisit: the spurious failure of the read
    /// was tried.
    pub given: bool,
    /// Revisits are looked for among events with stamps below this.
    pub scan: u32,
    /// The update is consistent with its source.
    pub consistent: bool,
    /// Of a revisit: its write is an update that no graph showed before, since it was not consistent with its source.
    pub shows_write: bool,
}

impl Frame {
    /// A frame of which nothing was tried.
    pub fn new(kind: FrameKind, event: EventId, states: usize) -> Frame {
        Frame {
            kind,
            stage: Stage::Next,
            event,
            states,
            from: 0,
            until: 0,
            next: 0,
            given: false,
            scan: 0,
            consistent: false,
            shows_write: false,
        }
    }
}

/// What the alternatives of a frame are. Of a write: its places in the coherence order, if one is kept; then
/// revisits. Of a read: its sources; then, if it became an update, revisits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum FrameKind {
    /// The event has one alternative.
    Step,
    /// The values that can be chosen.
    Choose,
    Write,
    Read,
    /// The bottom of a level, in which `write` has revisited the event: places of the write, if a coherence
    /// order is kept, and revisits by the event if it became an update.
    Revisit {
        write: EventId,
    },
}

/// How far a frame has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum Stage {
    /// The next alternative is to be made.
    Next,
    /// An alternative was made, and its subtree visited.
    Visited,
    /// The write revisits earlier reads.
    Scanning,
}

/// What the search does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum Go {
    /// Extend the top graph.
    Visit,
    /// Go on with the top frame.
    Back,
    End,
}
