//! The search for executions with cycles of program order and reads-from (docs/xmm.md, "How it is searched").
//!
//! As in the lock-aware search a read reads a write that is there, or is *postponed* until it is given one that
//! comes later. Where nothing else can go on, threads wait for each other in a circle: there a postponed read may
//! read a *promise*, a write that is still to be made, with a label that some known execution has shown. Nothing is
//! ever removed from a graph, so there are no revisits.
//!
//! Each graph with a cycle is built at most once: it decides every choice. At a circle the first thread, by name, that
//! reads such a label from a write which its read leads to takes a promise; the threads before it are *refused* one,
//! and at the leaf none of them may turn out to have been such a thread.
//!
//! The sources and the edges that may be promised are those of the round's start ([`Start`]); what is found goes into
//! [`Findings`].

use std::ops::Range;

use super::choices::{Choice, Frame, FrameKind, Offer};
use super::findings::Findings;
use super::leaf::Verdict;
use super::logs::Logs;
use super::possible::{ANYWHERE, Locations, Possible};
use super::promises::Promises;
use super::sections;
use super::shape::Shapes;
use super::sources::Sources;
use super::workers;
use crate::consistency::Consistency;
use crate::consistency::hb_co::HbCoherence;
use crate::graph::{Graph, ThreadStatus};
use crate::id::{Address, EventId};
use crate::observer::Observer;
use crate::program::Program;
use crate::run::Run;
use crate::run::lock_table::{LockHandling, LockKnowledge};
use crate::run::resolve::Request;
use crate::search::ledger::Ledger;
use crate::settings::Settings;

/// How much work a step counts as.
const STEP: u32 = 4;

/// After so many steps other workers are asked whether they need work.
const SHARE_INTERVAL: u32 = 16;

/// The search: one graph, and a frame for each step that led to it.
pub(super) struct Search<'a, P: Program> {
    pub run: Run<'a, P>,
    pub ledger: Ledger<'a, P>,
    pub sources: Sources,
    /// How many sources were known when this round began, and when the one before did.
    pub known: usize,
    pub known_before: usize,
    /// The sources by which an execution that was not found in an earlier round must be justified.
    pub new: Range<usize>,
    pub possible: Possible,
    /// The locations for which promises may be made.
    pub promised: Locations,
    pub graph: Graph,
    pub order: HbCoherence,
    pub frames: Vec<Frame>,
    pub choices: Vec<Choice>,
    pub offers: Vec<Offer>,
    pub promises: Promises,
    /// By thread: its postponed read was refused a promise, when there were so many.
    pub refused: Vec<Option<usize>>,
    /// The reads of the graph that were refused one.
    pub refused_reads: Vec<(EventId, usize)>,
    /// What is known of the cycles since the last promise was kept.
    pub verdict: Option<Verdict>,
    /// By thread: where it stands among what is possible, before each of its events and now.
    pub points: Vec<Vec<u32>>,
    /// In an earlier round a cycle of program order and reads-from was perhaps none of threads.
    pub had_crossing: bool,
    pub findings: Findings,
    pub shapes: Shapes,
    /// The nodes of the path, as far as they were asked for.
    pub logs: Logs,
    /// The graph of the last leaf: its memory is used again.
    pub scratch: Graph,
    /// Steps, to ask other workers now and then.
    steps: u32,
}

/// What a round begins with.
#[derive(Clone)]
pub(super) struct Start {
    pub sources: Sources,
    /// How many sources were known when the last one began.
    pub known_before: usize,
    pub had_crossing: bool,
    /// What threads may do.
    pub possible: Possible,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Go {
    Visit,
    Back,
    End,
}

impl<'a, P: Program> Search<'a, P> {
    pub fn new(
        program: &'a P,
        settings: &'a Settings,
        (knowledge, handling): (&LockKnowledge, LockHandling),
        Start { sources, known_before, had_crossing, possible }: Start,
        observer: &'a mut dyn Observer<P>,
    ) -> Self {
        let promised = sources.promised().map(|(address, _)| possible.location(Address(address)));
        let promised = promised.fold(0, |all, location| all | location);
        // Where there are several groups of locations a new source may be needed for one of them only.
        let first = if possible.has_one_group() && !had_crossing { known_before } else { 0 };
        Search {
            run: Run::new(program, settings, knowledge, handling).keep_states(),
            ledger: Ledger::new(settings, observer),
            known: sources.len(),
            known_before,
            new: first..sources.len(),
            sources,
            possible,
            promised,
            graph: crate::search::empty_graph(program, settings.model, false),
            order: HbCoherence::new(settings),
            frames: Vec::new(),
            choices: Vec::new(),
            offers: Vec::new(),
            promises: Promises::default(),
            refused: Vec::new(),
            refused_reads: Vec::new(),
            verdict: None,
            points: Vec::new(),
            had_crossing,
            findings: Findings::default(),
            shapes: Shapes::default(),
            logs: Logs::default(),
            scratch: Graph::default(),
            steps: 0,
        }
    }

    /// Forget the path and start with the empty graph.
    pub fn restart(&mut self) {
        self.graph = crate::search::empty_graph(self.run.program, self.run.settings.model, false);
        self.order = HbCoherence::new(self.run.settings);
        self.run.states.clear();
        self.frames.clear();
        self.choices.clear();
        self.offers.clear();
        self.promises = Promises::default();
        self.refused.clear();
        self.refused_reads.clear();
        self.verdict = None;
        self.points.clear();
        self.logs = Logs::default();
    }

    /// Search until the end, or until something stops it; from the graph as it is, or its next alternative.
    pub fn run(&mut self, mut go: Go) {
        while go != Go::End && self.ledger.stopped.is_none() {
            self.ledger.work(STEP);
            self.steps = self.steps.wrapping_add(1);
            if let Some(shared) = self.ledger.shared
                && self.steps.is_multiple_of(SHARE_INTERVAL)
            {
                let (frames, run) = (&mut self.frames, &self.run);
                self.ledger.attend(shared, || workers::take_from(frames, run));
            }
            if self.ledger.stopped.is_some() {
                break;
            }
            go = match go {
                Go::Visit => self.visit(),
                Go::Back => self.back(),
                Go::End => Go::End,
            };
        }
    }

    /// Go one step further from the graph as it is.
    pub(super) fn visit(&mut self) -> Go {
        let Search { run, ledger, graph, .. } = self;
        // What is wrong with a request is reported where the execution is known to be one of XMM.
        let has_sections = run.tables.locks.leaves_any_unordered();
        let edges = |graph: &Graph| if has_sections { sections::as_taken(graph) } else { Vec::new() };
        if !crate::search::ask_threads(run, ledger, graph, &edges, |_, _, _, _| {}) {
            return Go::Back;
        }
        self.note_points();
        if let Some(thread) = self.next_offer() {
            return self.begin(FrameKind::Offer, thread);
        }
        let actors = self.actors();
        if !self.may_close(&actors) {
            return Go::Back;
        }
        let mut circle = self.circle(&actors);
        if circle.is_empty() {
            if let Some(thread) = self.next_thread() {
                return self.begin(FrameKind::Step, thread);
            }
            let postponed = |t: &usize| self.graph.status.get(*t) == Some(&ThreadStatus::Postponed);
            circle.extend(self.run.tables.threads.by_rank.iter().filter(|t| postponed(t)));
            if circle.is_empty() {
                self.leaf();
                return Go::Back;
            }
        }
        // No end of a section is promised: such edges are hard (docs/xmm.md, "Reader-writer locks").
        circle.retain(|&t| self.lock_wanted(t).is_none());
        let is_asked = |t: &usize| self.refused.get(*t).is_some_and(Option::is_some);
        let by_rank = &self.run.tables.threads.by_rank;
        match by_rank.iter().copied().find(|t| circle.contains(t) && !is_asked(t)) {
            Some(thread) => self.begin(FrameKind::Promise, thread),
            None => Go::Back,
        }
    }

    /// Note where each thread stands among what is possible.
    fn note_points(&mut self) {
        let graph = &self.graph;
        self.points.resize_with(graph.threads.len(), Vec::new);
        self.refused.resize(graph.threads.len(), None);
        for t in 0..graph.threads.len() {
            if matches!(graph.status[t], ThreadStatus::Absent | ThreadStatus::Unasked) {
                continue;
            }
            let thread = &graph.threads[t];
            let points = &mut self.points[t];
            while points.len() <= thread.events.len() {
                let point = match points.last() {
                    None => {
                        let (code, argument) = match thread.parent.is_init() {
                            true => (0, 0),
                            false => match self.run.step_of(graph.event(thread.parent)).request {
                                Request::Spawn { code, argument } => (code, argument),
                                _ => (0, 0),
                            },
                        };
                        self.possible.start(self.run.tables.threads.name(t), code, argument)
                    }
                    Some(&last) => {
                        let event = &thread.events[points.len() - 1];
                        self.possible.after(last, event, self.run.answer_of(event))
                    }
                };
                points.push(point);
            }
        }
    }

    /// The thread to run next: the first whose request is no read, else the first that reads.
    fn next_thread(&self) -> Option<usize> {
        let mut reader = None;
        for &t in &self.run.tables.threads.by_rank {
            match self.graph.status.get(t) {
                Some(ThreadStatus::Steps) => return Some(t),
                Some(ThreadStatus::Joins) if self.run.enabled(&self.graph, t) => return Some(t),
                Some(ThreadStatus::Reads) => reader = reader.or(Some(t)),
                _ => {}
            }
        }
        reader
    }

    /// The first thread whose postponed read was not asked about all writes on offer; these become choices.
    fn next_offer(&mut self) -> Option<usize> {
        let by_rank = &self.run.tables.threads.by_rank;
        let mut first: Option<usize> = None;
        let mut offers = std::mem::take(&mut self.offers);
        for offer in &mut offers {
            let loc = self.graph.event(offer.write).loc;
            let promised = self.promises.of(offer.write).map(|promise| promise.label.thread);
            let waits = |&thread: &usize| {
                self.graph.status.get(thread) == Some(&ThreadStatus::Postponed)
                    && self.run.step(&self.graph, thread).loc == loc
                    && self.is_offered(offer.write, thread)
                    && promised != Some(self.run.tables.threads.name(thread))
            };
            offer.rank += by_rank[offer.rank..].iter().take_while(|thread| !waits(thread)).count();
            if offer.rank < by_rank.len() {
                first = Some(first.map_or(offer.rank, |rank| rank.min(offer.rank)));
            }
        }
        if first.is_none() {
            offers.clear();
        }
        self.offers = offers;
        first.map(|rank| by_rank[rank])
    }

    pub(super) fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(super) fn possible(&self) -> &Possible {
        &self.possible
    }

    pub(super) fn promises(&self) -> &Promises {
        &self.promises
    }

    pub(super) fn point(&self, thread: usize) -> u32 {
        self.points.get(thread).and_then(|points| points.last()).copied().unwrap_or(ANYWHERE)
    }
}
