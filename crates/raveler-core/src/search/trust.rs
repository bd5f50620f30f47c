//! The loop of the papers: extend the graph, try every source of a read, let every write revisit earlier reads.
//!
//! A node of the search is an ordered graph. Its children are the graphs with one more event and the graphs in which
//! the newest write is read by an earlier read (engine.md §3). Forward steps are made in place and undone; a revisit
//! starts a new *level* with a graph of its own, on top of the one it came from. Nothing else is remembered: what was
//! visited follows from the graph alone, so memory stays polynomial in the size of one execution.

pub(super) mod alternatives;
pub(crate) mod check;
mod extend;
mod leaf;
mod lock_order;
mod revisit;
mod spin;
mod stuck;

use crate::consistency::Consistency;
use crate::consistency::happens_before::ReleaseSequences;
use crate::graph::{EventTag, Graph, Loc, ThreadStatus};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::observer::{Flow, Observer};
use crate::outcome::{Counts, StopReason, Violation};
use crate::program::Program;
use crate::search::{Model, Settings};

use crate::run::states::States;
use crate::run::tables::{LockHandling, LockKnowledge, Tables};
use crate::search::workers::Shared;

/// A graph and how it is being extended.
pub(crate) struct Level<K> {
    pub graph: Graph,
    pub order: K,
    pub frames: Vec<Frame>,
}

/// One event of the path with the alternatives that are left.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FrameKind {
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
pub(crate) enum Stage {
    /// Look for the next alternative.
    Next,
    /// The subtree of an alternative was being visited.
    Visited,
    /// Now the write revisits.
    Scanning,
}

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Go {
    /// Extend the top graph.
    Visit,
    /// Go on with the top frame.
    Back,
    End,
}

/// One search, or one worker's share of it.
pub(crate) struct Explorer<'a, P: Program, K: Consistency, O> {
    pub program: &'a P,
    pub settings: &'a Settings,
    pub observer: &'a mut O,
    pub tables: Tables,
    /// Where the threads of the current path stood, and stand.
    pub states: States<P::Cursor>,
    pub levels: Vec<Level<K>>,
    pub spare: Vec<Level<K>>,
    pub candidates: Vec<EventId>,
    pub lost: Vec<Loc>,
    pub counts: Counts,
    pub violations: Vec<Violation>,
    pub stopped: Option<StopReason>,
    pub steps: u32,
    /// Some thread waited in a loop.
    pub has_spins: bool,
    /// Work since the observer was asked last.
    pub weight: u32,
    pub sequences: ReleaseSequences,
    pub with_hb: bool,
    /// What is shared with other workers.
    pub shared: Option<&'a Shared>,
    /// A graph is being built from its bytes: what is wrong in it is said when it is whole.
    pub building: bool,
    /// Where sections are left unordered: what would be wrong if the graph can really be reached.
    pub suspects: Vec<Violation>,
}

/// How much work goes by between two calls of the observer's progress.
const PROGRESS_INTERVAL: u32 = 1 << 12;

/// And between two looks at what other workers need.
const SHARE_INTERVAL: u32 = 1 << 6;

impl<'a, P: Program, K: Consistency, O: Observer<P>> Explorer<'a, P, K, O> {
    /// A search that has not begun. What earlier ones found out about locks is `known`.
    pub fn new(
        program: &'a P,
        settings: &'a Settings,
        known: &LockKnowledge,
        handling: LockHandling,
        observer: &'a mut O,
    ) -> Self {
        Explorer {
            program,
            settings,
            observer,
            tables: Tables::new(program, known, handling),
            states: States::new(),
            levels: Vec::new(),
            spare: Vec::new(),
            candidates: Vec::new(),
            lost: Vec::new(),
            counts: Counts::default(),
            violations: Vec::new(),
            stopped: None,
            steps: 0,
            has_spins: false,
            weight: 0,
            sequences: match settings.model {
                Model::Rc11 => ReleaseSequences::SameThread,
                _ => ReleaseSequences::UpdatesOnly,
            },
            // Sections add to happens-before, and so RA's differs from the past then.
            with_hb: match settings.model {
                Model::Rc11 | Model::Rc20 => true,
                Model::Ra => handling == LockHandling::Unordered,
                Model::Sc | Model::Tso | Model::Pso => false,
            },
            shared: None,
            building: false,
            suspects: Vec::new(),
        }
    }

    /// Forget the path.
    pub fn clear(&mut self) {
        self.levels.clear();
        self.states.clear();
        self.candidates.clear();
    }

    /// Start with the empty graph.
    pub fn start(&mut self) {
        let threads = self.program.threads() as usize;
        let mut graph = Graph::new(threads, self.with_hb);
        graph.all_synchronises = self.settings.model == Model::Ra;
        graph.with_past = self.tables.is_unordered()
            && self.with_hb
            && !graph.all_synchronises
            && !Mutant::PastIgnored.is_active();
        graph.status.fill(ThreadStatus::Unasked);
        self.levels.push(Level { graph, order: K::new(self.settings.model), frames: Vec::new() });
    }

    /// Search until the end, or until something stops it.
    pub fn run(&mut self) {
        let resumed = self.levels.last().is_some_and(|level| !level.frames.is_empty());
        let mut go = if resumed { Go::Back } else { Go::Visit };
        while go != Go::End && self.stopped.is_none() {
            self.steps += 1;
            // A step takes the longer the larger the graph is.
            let size = self.levels.last().map_or(0, |level| level.graph.len());
            self.weight += 1 + ((size * size) >> 12) as u32;
            if self.weight >= PROGRESS_INTERVAL {
                self.weight = 0;
                if self.observer.progress(&self.counts) == Flow::Stop {
                    self.stop(StopReason::Observer);
                    break;
                }
            }
            if let Some(shared) = self.shared
                && self.steps.is_multiple_of(SHARE_INTERVAL)
            {
                self.attend(shared);
            }
            go = match go {
                Go::Visit => self.visit(),
                Go::Back => self.back(),
                Go::End => Go::End,
            };
        }
    }

    /// End the search, everybody's if it is shared.
    pub fn stop(&mut self, reason: StopReason) {
        self.stopped.get_or_insert(reason);
    }

    /// Does another worker need work, or did one stop?
    fn attend(&mut self, shared: &Shared) {
        if shared.is_stopped() {
            self.stop(StopReason::Observer);
        } else if shared.wants_work()
            && let Some(subtree) = self.give_away()
        {
            shared.offer(subtree);
        }
    }

    /// How many nodes hang directly below the top graph? Stops in the one with the given number, if any;
    /// otherwise everything is as before. A leaf has none and is reported.
    pub(crate) fn children(&mut self, choose: Option<u64>) -> u64 {
        let place =
            |this: &Self| (this.levels.len(), this.levels.last().map_or(0, |level| level.frames.len()));
        let ground = place(self);
        let mut count = 0;
        self.visit();
        while self.stopped.is_none() && place(self) > ground {
            if self.back() == Go::Visit {
                if choose == Some(count) {
                    return count;
                }
                count += 1;
            }
        }
        count
    }

    pub(in crate::search) fn top_frame(&mut self) -> &mut Frame {
        let (level, at) = self.top();
        &mut level.frames[at]
    }

    pub(in crate::search) fn top_graph(&mut self) -> &mut Graph {
        &mut self.levels.last_mut().expect("a search has a level").graph
    }

    pub(in crate::search) fn top(&mut self) -> (&mut Level<K>, usize) {
        let level = self.levels.last_mut().expect("a search has a level");
        let at = level.frames.len() - 1;
        (level, at)
    }
}

/// Does an event with this mark end its thread?
pub(in crate::search) fn stops(tag: EventTag) -> bool {
    matches!(tag, EventTag::Waits | EventTag::Failed)
}

/// In tests: does the definition of the model say the same of this graph?
#[inline]
pub(in crate::search) fn verified<K: Consistency>(_model: Model, _graph: &Graph, consistent: bool) -> bool {
    #[cfg(any(test, feature = "paranoid"))]
    crate::agreement::check(_model, _graph, K::COHERENCE, consistent);
    consistent
}
