//! The search that leaves critical sections unordered (locks.md §4.1, "postpone").
//!
//! A node is a graph and, for each thread, whether it runs, waits for a write that is still to come, or is blocked. A
//! lock never waits: several sections of one lock may be open at once, and [`crate::consistency::sections`] decides whether
//! some order of them exists. A read reads a write that is there, or is *postponed*: its thread stops, and each
//! write that is added later is offered to it. Nothing is ever removed from a graph, so there are no revisits:
//! a plain walk down a tree, with undo.
//!
//! Each complete graph is found once: the next event is a function of the node, and what the graph says forces every
//! choice (a read whose source is there takes it, otherwise it is postponed until the source is added). All graphs on
//! the way are closed under the past, and so consistent if the complete one is.
//!
//! - [`may_write`]: which writes may still come, where threads stand with a lock in their hands: learned on the way;
//! - [`may_keep`]: who may keep a lock for ever;
//! - [`footprint`]: writes that cannot come in time, because their section would write more than they;
//! - [`alternatives`]: the alternatives of a step, and undoing them;
//! - [`waiting`]: threads that wait for a lock for ever;
//! - [`realizable`]: is what looks wrong in a graph really possible?

mod alternatives;
mod estimate;
mod footprint;
mod may_keep;
mod may_write;
mod realizable;
mod waiting;
mod workers;

pub(crate) use self::estimate::sample;
pub(crate) use self::may_write::{Book, Lessons};
pub(crate) use self::workers::search;

use self::alternatives::{Frame, FrameKind, Offer};
use super::trust::Explorer;
use super::{Locks, Settings};
use crate::consistency::sections::SectionOrders;
use crate::consistency::with_sections::WithSections;
use crate::graph::{Kind, ThreadStatus};
use crate::mutation::Mutant;
use crate::observer::{Flow, Observer};
use crate::outcome::StopReason;
use crate::program::Program;
use crate::run::resolve::Request;
use crate::run::tables::{LockHandling, LockKnowledge, RestartReason};

/// How much work goes by between two calls of the observer's progress.
const PROGRESS_INTERVAL: u32 = 1 << 10;

/// And between two looks at what other workers need.
const SHARE_INTERVAL: u32 = 1 << 5;

/// The search. What it has in common with the ordinary one is `base`: threads, states, the graph, leaves.
pub(crate) struct Aware<'a, P: Program, K: WithSections, O> {
    pub base: Explorer<'a, P, SectionOrders<K>, O>,
    pub lessons: Lessons<'a>,
    frames: Vec<Frame>,
    /// The writes that are being offered to postponed reads, the newest last.
    offers: Vec<Offer>,
    /// How many threads wait for a lock for ever.
    blocked: usize,
    /// The thread that is to go on, where a node is built again.
    told: Option<usize>,
    /// What would be wrong if it could happen, and could not be shown to happen yet.
    suspects: Vec<realizable::Suspect>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Go {
    Visit,
    Back,
    End,
}

impl<'a, P: Program, K: WithSections, O: Observer<P>> Aware<'a, P, K, O> {
    pub fn new(
        program: &'a P,
        settings: &'a Settings,
        known: &LockKnowledge,
        lessons: Lessons<'a>,
        observer: &'a mut O,
    ) -> Self {
        let base = Explorer::new(program, settings, known, LockHandling::Unordered, observer);
        Aware {
            base,
            lessons,
            frames: Vec::new(),
            offers: Vec::new(),
            blocked: 0,
            told: None,
            suspects: Vec::new(),
        }
    }

    /// Start with the empty graph.
    pub fn start(&mut self) {
        self.base.clear();
        self.base.start();
        self.frames.clear();
        self.offers.clear();
        self.blocked = 0;
        self.suspects.clear();
    }

    /// Search until the end, or until something stops it.
    pub fn run(&mut self) {
        let mut go = if self.frames.is_empty() { Go::Visit } else { Go::Back };
        while go != Go::End && self.base.stopped.is_none() {
            self.base.weight += 1;
            if self.base.weight >= PROGRESS_INTERVAL {
                self.base.weight = 0;
                if self.base.observer.progress(&self.base.counts) == Flow::Stop {
                    self.base.stop(StopReason::Observer);
                    break;
                }
            }
            if let Some(shared) = self.base.shared
                && self.base.weight.is_multiple_of(SHARE_INTERVAL)
            {
                self.attend(shared);
            }
            let (visited, depth) = (go == Go::Visit, self.frames.len());
            go = match go {
                Go::Visit => self.visit(),
                Go::Back => self.back(),
                Go::End => Go::End,
            };
            // What is to be learned on the way to its end spares another beginning.
            let at_end = go == Go::End || visited && self.frames.len() == depth;
            if at_end && self.base.stopped.is_none() && self.lessons.again() {
                self.base.tables.restart = Some(RestartReason::Lessons);
                self.base.stop(StopReason::Observer);
            }
        }
    }

    /// Go one step further from the graph as it is.
    fn visit(&mut self) -> Go {
        if !self.base.ask_threads() {
            return Go::Back;
        }
        if let Some(frame) = self.frames.last() {
            let thread = frame.thread;
            if self.is_dropped(thread) && !self.is_missed(thread) {
                self.base.counts.dropped += 1;
                return Go::Back;
            }
            self.examine();
            if !self.note_standing(thread) {
                self.reject();
                return Go::Back;
            }
            if self.goes_on(thread) {
                let mut frame = self.frame(FrameKind::Step, thread);
                frame.follows = true;
                self.frames.push(frame);
                return Go::Back;
            }
        } else {
            self.examine();
        }
        if let Some(frame) = self.next_offer() {
            self.frames.push(frame);
            return Go::Back;
        }
        if !self.all_may_come() {
            self.reject();
            return Go::Back;
        }
        let follows = self.reads_on();
        match follows.or_else(|| self.next_thread()) {
            Some(thread) => {
                let mut frame = self.frame(FrameKind::Step, thread);
                frame.follows = follows.is_some();
                self.frames.push(frame);
            }
            None => self.leaf(),
        }
        Go::Back
    }

    /// A thread that has just done something goes on if it has nothing to choose: what it read may turn out to be
    /// impossible by what it does next, and then the sooner the better.
    fn goes_on(&self, thread: usize) -> bool {
        self.graph().status[thread] == ThreadStatus::Steps
            && self.last_event().is_some()
            && !matches!(
                self.request(thread),
                Request::Lock { .. } | Request::Spawn { .. } | Request::Choose { .. }
            )
    }

    /// So does a thread that has just done something inside a section, if it reads what nothing that is still to come can
    /// change. This depends on what was learned: where a node is built again, it is told who went on.
    fn reads_on(&self) -> Option<usize> {
        let thread = self.last_event()?.thread();
        let reads =
            self.graph().status[thread] == ThreadStatus::Reads && self.order().held(thread).next().is_some();
        let goes = reads && self.told.map_or_else(|| !self.may_change(thread), |told| told == thread);
        goes.then_some(thread)
    }

    /// The last step turned out to be impossible at once.
    fn reject(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.made -= 1;
        }
    }

    /// Does the thread do nothing that another exploration does not show?
    fn is_dropped(&self, thread: usize) -> bool {
        let graph = self.graph();
        graph.status[thread] == ThreadStatus::Stuck
            && matches!(self.base.states[graph.threads[thread].state as usize].step.request, Request::Dropped)
    }

    /// May what others do behind a thread that is dropped be new to this search? What a read led to is seen where the
    /// thread chose otherwise, but an update leaves nothing of its source to others: where a thread comes too late to
    /// withdraw from a condition variable, who woke it has not rung its bell yet, and that must be learned.
    fn is_missed(&self, thread: usize) -> bool {
        let last = self.graph().threads[thread].events.last();
        last.is_some_and(|last| last.kind == Kind::Update) && !Mutant::DroppedAtOnce.is_active()
    }

    /// The thread to run next: the first whose request is not a read, else the first whose read nothing that is still to
    /// come can change, else the first that reads. What was learned plays a part in this: that is no harm, since the
    /// choices of a node are complete whoever is chosen, but a node that is built again names its threads.
    fn next_thread(&mut self) -> Option<usize> {
        if let Some(thread) = self.told.take() {
            return Some(thread);
        }
        let graph = self.graph();
        let mut readers = Vec::new();
        for &t in &self.base.tables.by_rank {
            match graph.status.get(t) {
                Some(ThreadStatus::Steps) => return Some(t),
                Some(ThreadStatus::Joins) if self.base.enabled(t) => return Some(t),
                Some(ThreadStatus::Reads) => readers.push(t),
                _ => {}
            }
        }
        match readers[..] {
            [] => None,
            [only] => Some(only),
            [first, ..] => readers.into_iter().find(|&t| !self.may_change(t)).or(Some(first)),
        }
    }

    /// Nobody can go on.
    fn leaf(&mut self) {
        // A read is left waiting only if other workers have learned something just now.
        if self.graph().status.contains(&ThreadStatus::Postponed) || !self.is_leaf_real() {
            self.base.counts.dropped += 1;
            return;
        }
        if self.base.settings.locks == Locks::Aware {
            self.base.leaf();
        } else {
            self.leaf_in_each_order();
        }
        self.confirm_leaf();
    }

    /// The order of sections is part of an execution: one leaf for each.
    fn leaf_in_each_order(&mut self) {
        let (graph, order) = self.parts();
        for decisions in order.real_orders(graph) {
            let (graph, order) = self.parts();
            order.fix(graph, &decisions);
            self.base.leaf();
            let (graph, order) = self.parts();
            order.unfix(graph);
        }
    }

    pub(super) fn graph(&self) -> &crate::graph::Graph {
        &self.base.levels.last().expect("a search has a level").graph
    }

    pub(super) fn graph_mut(&mut self) -> &mut crate::graph::Graph {
        &mut self.base.levels.last_mut().expect("a search has a level").graph
    }

    /// The graph and its order.
    pub(super) fn parts(&mut self) -> (&mut crate::graph::Graph, &mut SectionOrders<K>) {
        let level = self.base.levels.last_mut().expect("a search has a level");
        (&mut level.graph, &mut level.order)
    }

    pub(super) fn order(&self) -> &SectionOrders<K> {
        &self.base.levels.last().expect("a search has a level").order
    }
}
