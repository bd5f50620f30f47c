//! The search that leaves critical sections unordered (docs/locks.md, "How it is searched").
//!
//! A node is a graph and, for each thread, whether it runs, is postponed until a write comes, or is blocked.
//! A lock never waits: several sections of one lock may be open at once, and [`crate::consistency::sections`]
//! decides whether some order of them exists. A read reads a write that is there, or is *postponed*: its
//! thread stops, and each write that is added later is offered to it. Nothing is ever removed from a graph,
//! so there are no revisits: the search is a plain walk down a tree, with undo.
//!
//! Each complete graph is found once: at each node one thread makes the next step, and the complete graph
//! decides every choice (a read whose source is there takes it, otherwise it is postponed until the source is
//! added). All graphs on the way are closed under the past, and so consistent if the complete one is.
//!
//! The idea of leaving critical sections unordered is LAPOR's; the algorithm is not: LAPOR revisits, this
//! search postpones, which loses no executions.
//!
//! - [`alternatives`]: the alternatives of a step, and undoing them;
//! - [`lessons`]: what is learned of the program on the way;
//! - [`may_write`]: which writes may still come, so that a read may be postponed;
//! - [`footprint`]: writes that cannot come in time, because of what else their section writes;
//! - [`may_keep`]: locks that some thread may keep for ever;
//! - [`waiting`]: threads that wait for a lock for ever;
//! - [`realizable`]: can what looks wrong in a graph really happen?
//! - [`rivals`]: reads that their thread's next write makes impossible;
//! - [`follow`](mod@follow): one execution that was found before;
//! - [`workers`], [`estimate`]: several workers, parts in other processes, random walks.

mod alternatives;
mod estimate;
mod follow;
mod footprint;
mod lessons;
mod may_keep;
mod may_write;
mod realizable;
mod rivals;
mod waiting;
mod workers;

pub(super) use self::estimate::{sample, walks};
pub(crate) use self::lessons::Lessons;
pub(super) use self::workers::{explore, follow, search};

use self::alternatives::{Frame, FrameKind, Offer};
use self::lessons::SharedLessons;
use self::realizable::Halt;
use super::empty_graph;
use super::ledger::{Leaf, Ledger};
use crate::check::Finding;
use crate::consistency::sections::SectionOrders;
use crate::consistency::with_sections::WithSections;
use crate::execution::Execution;
use crate::graph::{Graph, Kind, ThreadStatus};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::observer::Observer;
use crate::outcome::StopReason;
use crate::program::Program;
use crate::run::Run;
use crate::run::lock_table::{LockHandling, LockKnowledge, RestartReason};
use crate::run::resolve::Request;
use crate::settings::{Locks, Settings};

/// How much work a step counts as: it takes longer than one of the ordinary search.
const STEP: u32 = 4;

/// So many steps go by before the search looks again whether other workers need work.
const SHARE_INTERVAL: u32 = 1 << 5;

/// The search: one graph, and a frame for each step that led to it.
pub(super) struct Search<'a, P: Program, K: WithSections> {
    pub run: Run<'a, P>,
    pub ledger: Ledger<'a, P>,
    pub lessons: SharedLessons<'a>,
    graph: Graph,
    order: SectionOrders<K>,
    frames: Vec<Frame>,
    /// The sources of reads on the path; each frame has its own range.
    candidates: Vec<EventId>,
    /// The writes on offer to postponed reads, the newest last.
    offers: Vec<Offer>,
    /// How many threads wait for a lock for ever.
    blocked: usize,
    /// Where a node is built again from its choices: the thread that makes the next step.
    told: Option<usize>,
    /// Nodes are built again from their choices.
    builds_again: bool,
    /// Kept for its memory.
    held_now: lessons::Locks,
    /// Findings about requests, not examined yet.
    found: Vec<Finding>,
    /// Kept for its memory.
    found_in_event: Vec<Finding>,
    /// Findings that could not be shown to happen yet.
    suspects: Vec<Finding>,
    /// Events at which a thread stops if a finding about them holds, which depends on the order of sections.
    halts: Vec<Halt>,
    steps: u32,
    /// An execution that was found before is followed.
    follows: bool,
    /// The graph was not extended yet when the search stopped.
    unvisited: bool,
    /// There is nothing left to explore.
    finished: bool,
}

/// What the search does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Go {
    /// Extend the graph.
    Visit,
    /// Go on with the top frame.
    Back,
    End,
}

impl<'a, P: Program, K: WithSections> Search<'a, P, K> {
    pub fn new(
        program: &'a P,
        settings: &'a Settings,
        knowledge: &LockKnowledge,
        lessons: SharedLessons<'a>,
        observer: &'a mut dyn Observer<P>,
    ) -> Self {
        Search {
            run: Run::new(program, settings, knowledge, LockHandling::Unordered).keep_states(),
            ledger: Ledger::new(settings, observer),
            lessons,
            graph: empty_graph(program, settings.model, true),
            order: SectionOrders::new(settings),
            frames: Vec::new(),
            candidates: Vec::new(),
            offers: Vec::new(),
            blocked: 0,
            told: None,
            builds_again: false,
            held_now: lessons::Locks::new(),
            found: Vec::new(),
            found_in_event: Vec::new(),
            suspects: Vec::new(),
            halts: Vec::new(),
            steps: 0,
            follows: false,
            unvisited: true,
            finished: false,
        }
    }

    /// Forget the path and start with the empty graph.
    pub fn restart(&mut self) {
        let model = self.run.settings.model;
        self.graph = empty_graph(self.run.program, model, true);
        self.order = SectionOrders::new(self.run.settings);
        self.run.states.clear();
        self.candidates.clear();
        self.frames.clear();
        self.offers.clear();
        self.blocked = 0;
        self.found.clear();
        self.suspects.clear();
        self.halts.clear();
        self.unvisited = true;
    }

    /// Search until the end, or until something stops it.
    pub fn run(&mut self) {
        let mut go = if self.unvisited { Go::Visit } else { Go::Back };
        while go != Go::End && self.ledger.stopped.is_none() {
            self.steps += 1;
            self.ledger.work(STEP);
            if let Some(shared) = self.ledger.shared
                && self.steps.is_multiple_of(SHARE_INTERVAL)
            {
                let (frames, run) = (&mut self.frames, &self.run);
                self.ledger.attend(shared, || workers::take_from(frames, run));
            }
            if self.ledger.stopped.is_some() {
                break;
            }
            let (visited, depth) = (go == Go::Visit, self.frames.len());
            go = match go {
                Go::Visit => self.visit(),
                Go::Back => self.back(),
                Go::End => Go::End,
            };
            // Restart only where a branch of the tree ends: what is learned until then may spare another
            // restart.
            let at_end = go == Go::End || visited && self.frames.len() == depth;
            if at_end && self.ledger.stopped.is_none() && self.lessons.must_restart() {
                self.run.tables.learn(RestartReason::Lessons);
                self.ledger.stop(StopReason::Restart);
            }
        }
        // The execution above `max_executions` was not counted: it is left to explore, too.
        self.unvisited = go == Go::Visit || self.ledger.stopped == Some(StopReason::MaxExecutions);
        self.finished = go == Go::End;
    }

    /// Ask every thread whose next request is not known; requests that are wrong are kept. False if the
    /// search has to stop.
    fn ask_threads(&mut self) -> bool {
        let Search { run, ledger, graph, order, found, .. } = self;
        super::ask_threads(run, ledger, graph, &|graph| order.known_edges(graph), |_, _, _, finding| {
            found.push(finding);
        })
    }

    /// Go one step further from the graph as it is.
    fn visit(&mut self) -> Go {
        self.ledger.bound_met |= self.order.order.bound_met();
        if !self.ask_threads() {
            return Go::Back;
        }
        if let Some(frame) = self.frames.last() {
            let thread = frame.thread;
            if self.is_dropped(thread) && !self.is_missed(thread) {
                self.ledger.counts.dropped += 1;
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

    /// Does the thread that has just made an event go on at once? It does unless its next step reads, locks,
    /// spawns, joins or chooses a value: what it read may turn out to be impossible by what it does next, and
    /// then the sooner the better.
    fn goes_on(&self, thread: usize) -> bool {
        self.graph.status[thread] == ThreadStatus::Steps
            && self.last_event().is_some()
            && !matches!(
                self.request(thread),
                Request::Lock { .. } | Request::Spawn { .. } | Request::Choose { .. }
            )
    }

    /// The thread that has just made an event inside a section also goes on if it reads a location to which
    /// no write that it could read is still to come. This depends on what was learned: where a node is built
    /// again, `told` names the thread that went on.
    fn reads_on(&self) -> Option<usize> {
        let thread = self.last_event()?.thread();
        let reads =
            self.graph.status[thread] == ThreadStatus::Reads && self.order.held(thread).next().is_some();
        let goes = reads && self.told.map_or_else(|| !self.may_change(thread), |told| told == thread);
        goes.then_some(thread)
    }

    /// The last step turned out to be impossible at once: it does not count as made.
    fn reject(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.made -= 1;
        }
    }

    /// Was the thread dropped, because another exploration shows what it would do?
    fn is_dropped(&self, thread: usize) -> bool {
        let graph = &self.graph;
        graph.status[thread] == ThreadStatus::Stuck
            && matches!(self.run.step(graph, thread).request, Request::Dropped)
    }

    /// After this thread was dropped, may what other threads do be new to this search, so that they must go
    /// on? Not if its last event is a read: where the thread chose otherwise the others do the same. But an
    /// update takes its source away from others. Where a thread comes too late to withdraw from a condition
    /// variable, the thread that woke it has not rung its bell yet, and that write must be learned.
    fn is_missed(&self, thread: usize) -> bool {
        let last = self.graph.threads[thread].events.last();
        last.is_some_and(|last| last.kind == Kind::Update) && !Mutant::DroppedAtOnce.is_active()
    }

    /// The thread to run next: the first whose request is not a read, else the first whose read no write
    /// still to come can change, else the first that reads. This may depend on what was learned, since the
    /// choices of a node are complete whichever thread is chosen; but a node that is built again must be told
    /// which thread it was.
    fn next_thread(&mut self) -> Option<usize> {
        if let Some(thread) = self.told.take() {
            return Some(thread);
        }
        let graph = &self.graph;
        let (mut first, mut last) = (None, None);
        for &t in &self.run.tables.threads.by_rank {
            match graph.status.get(t) {
                Some(ThreadStatus::Steps) => return Some(t),
                Some(ThreadStatus::Joins) if self.run.enabled(&self.graph, t) => return Some(t),
                Some(ThreadStatus::Reads) => {
                    first = first.or(Some(t));
                    last = Some(t);
                }
                _ => {}
            }
        }
        if first == last {
            return first;
        }
        let reads = |t: &usize| graph.status.get(*t) == Some(&ThreadStatus::Reads);
        let mut readers = self.run.tables.threads.by_rank.iter().copied().filter(reads);
        readers.find(|&t| !self.may_change(t)).or(first)
    }

    /// No thread can go on.
    fn leaf(&mut self) {
        // A read is still postponed here only if another worker has learned something just now.
        if self.graph.status.contains(&ThreadStatus::Postponed) || !self.is_leaf_real() {
            self.ledger.counts.dropped += 1;
            return;
        }
        let found = match self.run.settings.locks {
            Locks::Aware => {
                let failed = !self.can_all_go_on();
                self.count_leaf(failed)
            }
            Locks::Ordered => self.count_in_each_order(),
        };
        self.confirm_leaf(found);
    }

    /// Count the graph as it is; the finding, if it is stuck and that is wrong. It counts as failed if some thread
    /// should have stopped.
    fn count_leaf(&mut self, failed: bool) -> Option<Finding> {
        let Search { run, ledger, graph, order, .. } = self;
        let leaf = if failed { Leaf::Failed } else { Leaf::of(run, graph) };
        let (leaf, found) = leaf.settle(run, graph, order);
        ledger.count(leaf, run, graph, &Execution::new(run, graph, order));
        found
    }

    /// The order of sections is part of an execution (`--locks ordered`): count one leaf for each order.
    fn count_in_each_order(&mut self) -> Option<Finding> {
        let mut found = None;
        for decisions in self.order.real_orders(&mut self.graph) {
            self.order.fix(&mut self.graph, &decisions);
            let failed = self.halts.iter().any(|halt| halt.holds(&self.order, &self.graph));
            let wrong = self.count_leaf(failed);
            found = found.or(wrong);
            self.order.unfix(&mut self.graph);
        }
        found
    }
}
