//! The path of the search: a graph for each revisit on the way, and the alternatives that are left.

use crate::graph::Graph;
use crate::id::EventId;

/// A graph and how it is being extended.
pub(in crate::search) struct Level<K> {
    pub graph: Graph,
    pub order: K,
    pub frames: Vec<Frame>,
}

impl<K> Level<K> {
    /// The frame on top. Only asked for where one was pushed.
    #[inline]
    pub fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("an event of this level has a frame")
    }
}

/// Levels, of which there is always one: the others lie below it.
pub(in crate::search) struct Path<K> {
    pub top: Level<K>,
    below: Vec<Level<K>>,
    /// Levels that were left, to be used again with their memory.
    spare: Vec<Level<K>>,
}

impl<K> Path<K> {
    /// A path with one graph, nothing tried yet.
    pub fn new(graph: Graph, order: K) -> Path<K> {
        Path { top: Level { graph, order, frames: Vec::new() }, below: Vec::new(), spare: Vec::new() }
    }

    /// Start anew with this graph.
    pub fn restart(&mut self, graph: Graph, order: K) {
        self.below.clear();
        self.top = Level { graph, order, frames: Vec::new() };
    }

    /// Begin a level on top, in old memory if there is some. It holds what it held.
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

    /// How many levels, and how many frames on the top one: where the search stands.
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
    /// A read's candidates: the first, and the end of those that are still this search's.
    pub from: usize,
    pub until: usize,
    /// The next candidate of a read; how many alternatives of others were tried.
    pub next: usize,
    /// A write whose further alternatives were given away.
    pub given: bool,
    /// Revisits are looked for among the events with stamps below this one.
    pub scan: u32,
    /// An update that is consistent where it stands.
    pub consistent: bool,
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
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum FrameKind {
    /// One way only.
    Step,
    /// Any of several values.
    Choose,
    Write,
    Read,
    /// The bottom of a level: a write that revisits a read.
    Revisit {
        write: EventId,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum Stage {
    /// Look for the next alternative.
    Next,
    /// The subtree of an alternative was being visited.
    Visited,
    /// Now the write revisits.
    Scanning,
}

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum Go {
    /// Extend the top graph.
    Visit,
    /// Go on with the top frame.
    Back,
    End,
}
