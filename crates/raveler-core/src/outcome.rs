//! What a search found: plain data, without words for people. Reports turn it into text, pictures and JSON.
//!
//! What the numbers mean is said in docs/counts.md, "Explorations that are no executions" and "Other
//! numbers".

mod trace;

pub use self::trace::Trace;
pub(crate) use self::trace::{Flushed, TraceEvent, TraceSource};
use crate::id::{Address, EventId, SiteId, ThreadId};
use crate::program::Text;
pub use crate::program::action::ViolationKind;
use crate::program::action::{Order, Value, Width};

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What was counted.
    pub counts: Counts,
    /// Each distinct violation once, in a fixed order.
    pub violations: Vec<Violation>,
    /// Why the search ended before everything was seen, if it did.
    pub stopped: Option<StopReason>,
    /// How often the search restarted with something it had learned. What was counted before is not in
    /// `counts`.
    pub restarts: u64,
    /// Random walks that were made.
    pub walks: u64,
    /// Of walks by priorities: how many processes and steps a run has.
    pub priorities: Option<Priorities>,
    /// All interleavings with at most so many preemptions were seen.
    pub preemptions: Option<u32>,
    /// Some explored graph had more stores in a buffer than [`crate::Settings::buffer_bound`] allows: with more room
    /// there may be more executions.
    pub bound_met: bool,
    /// Executions of XMM that were built a second time, and not counted again.
    pub duplicates: u64,
    /// Of interleavings: how many classes the executions make, if that was asked for.
    pub classes: Option<u64>,
    /// Load-buffering races over all executions, if they were asked for.
    pub lb_races: u64,
    /// The same, each pair of sites once, in a fixed order.
    pub lb_race_sites: Vec<LbRace>,
    /// Some read leads to a write that it races with, both ordering too much to be a load-buffering race. Such races
    /// may make re-executions possible, too.
    pub has_strong_lb_race: bool,
    /// What the search had learned, for [`crate::Recording`].
    pub knowledge: Vec<u8>,
}

/// What walks by priorities reckon with: a mistake that shows if so many steps come in a certain order (its *depth* d)
/// shows in one walk with a probability of at least 1/(n·k^(d−1)).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Priorities {
    /// n: how many processes there are; each store buffer has one that flushes it.
    pub processes: u32,
    /// k: how many steps a run has.
    pub steps: u32,
}

/// A load-buffering race: a read and a write of one location that race although the read leads to the write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LbRace {
    /// The read.
    pub read: RaceEnd,
    /// The write.
    pub write: RaceEnd,
    /// What both access.
    pub address: Address,
    /// How the read leads to the write in one execution: events between them, those at which the way changes threads.
    pub way: Vec<RaceEnd>,
    /// Under XMM: does the read read from the write in some execution?
    pub is_realised: bool,
}

/// An event of a load-buffering race.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RaceEnd {
    /// Its thread.
    pub thread: ThreadId,
    /// Where.
    pub site: SiteId,
}

impl Outcome {
    /// Verified only if everything was seen and nothing was wrong.
    pub fn verdict(&self) -> Verdict {
        if !self.violations.is_empty() {
            Verdict::Violation
        } else if self.stopped.is_some() || self.counts.cut > 0 || self.bound_met {
            Verdict::Inconclusive
        } else {
            Verdict::Verified
        }
    }
}

impl Outcome {
    /// Add the outcome of another part of the same search.
    pub fn join(&mut self, part: Outcome) {
        self.counts.add(&part.counts);
        self.walks += part.walks;
        self.duplicates += part.duplicates;
        self.bound_met |= part.bound_met;
        self.priorities = self.priorities.or(part.priorities);
        for violation in part.violations {
            if !self.violations.iter().any(|v| v.is_same(&violation)) {
                self.violations.push(violation);
            }
        }
        // The worker that stopped first has the reason; the others were told to stop.
        if let (None | Some(StopReason::OtherWorker), Some(reason)) = (&self.stopped, part.stopped) {
            self.stopped = Some(reason);
        }
    }
}

/// The three answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// All executions were seen; none is wrong.
    Verified,
    /// Some execution is wrong.
    Violation,
    /// Not everything was seen.
    Inconclusive,
}

/// Why a search ended early.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StopReason {
    /// The first violation was enough.
    Violation,
    /// The observer said stop (time, memory, Ctrl-C).
    Observer,
    /// Another worker stopped. Never the reason of a whole search.
    OtherWorker,
    /// Something was learned: the search restarts. Never the reason of a whole search.
    Restart,
    /// `max_executions` was reached.
    MaxExecutions,
    /// All random walks were made.
    Walks,
    /// All interleavings with at most `preemption_bound` preemptions were seen.
    Preemptions,
    /// Executions of XMM were executed again so often, and there would have been more.
    Rounds(u32),
    /// The program does something that the engine does not support; the text says what. Nothing may be
    /// concluded.
    Unsupported {
        /// In the user's words.
        message: String,
        /// Where.
        site: SiteId,
    },
}

/// What a search counts (docs/counts.md, "Executions").
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Complete executions.
    pub executions: u64,
    /// Maximal explorations in which some thread is stuck.
    pub blocked: u64,
    /// Explorations that came to nothing: leaves in which what a thread would do is seen in another
    /// exploration, and choices that turned out to be impossible.
    pub dropped: u64,
    /// Leaves where a thread waits for a lock that was released already: artefacts of the lock rule, not reported.
    pub spurious: u64,
    /// Explorations that repeat another one with one extra futile loop round, made only to find races and
    /// uses of freed memory.
    pub spared: u64,
    /// Leaves in which a violation stopped some thread.
    pub failed: u64,
    /// Explorations in which a thread reached a bound and was followed no further.
    pub cut: u64,
    /// Runs that were left because others show how they would go on (interleavings).
    pub redundant: u64,
    /// Revisits whose graph is consistent.
    pub revisits: u64,
    /// Sum of events over executions.
    pub events: u64,
    /// The largest number of events in one execution.
    pub max_events: u64,
}

impl Counts {
    /// Add what another worker counted.
    pub fn add(&mut self, other: &Counts) {
        self.executions += other.executions;
        self.blocked += other.blocked;
        self.dropped += other.dropped;
        self.spurious += other.spurious;
        self.spared += other.spared;
        self.failed += other.failed;
        self.cut += other.cut;
        self.redundant += other.redundant;
        self.revisits += other.revisits;
        self.events += other.events;
        self.max_events = self.max_events.max(other.max_events);
    }
}

/// One thing that is wrong, and the execution that shows it.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What kind.
    pub kind: ViolationKind,
    /// What the program said, such as the text of an assertion; may be empty.
    pub message: String,
    /// In which thread.
    pub thread: ThreadId,
    /// Where.
    pub site: SiteId,
    /// The event of the witness that is wrong, if it is one.
    pub event: Option<EventId>,
    /// Other sites that belong to it: the racing access, the holder of a lock, an earlier free.
    pub related: Vec<Related>,
    /// The execution.
    pub witness: Witness,
}

impl Violation {
    /// Is it the same as another: the same kind at the same sites? The two accesses of a race may be swapped:
    /// which one is found second depends on the search.
    pub fn is_same(&self, other: &Violation) -> bool {
        if self.kind != other.kind {
            return false;
        }
        // Which thread holds the lock meanwhile depends on when the thread was asked.
        if self.kind == ViolationKind::UnlockNotHeld {
            return self.site == other.site;
        }
        let sites = |v: &Violation| v.related.iter().map(|r| r.site).collect::<Vec<_>>();
        let straight = self.site == other.site && sites(self) == sites(other);
        let mirrored =
            self.kind == ViolationKind::Race && sites(self) == [other.site] && sites(other) == [self.site];
        straight || mirrored
    }
}

/// A site that belongs to a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// What it has to do with the violation, such as "racing access".
    pub role: &'static str,
    /// In which thread.
    pub thread: ThreadId,
    /// Where.
    pub site: SiteId,
    /// The event of the witness, if it is one.
    pub event: Option<EventId>,
}

/// One execution as plain data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// Its threads, by number.
    pub threads: Vec<WitnessThread>,
    /// For each location with writes, by address: the writes in one coherence order that explains the
    /// execution (under `co` the execution's own), the initial write first.
    pub coherence: Vec<(Address, Vec<EventId>)>,
    /// All events in one order in which they could have happened, each read after the write it read from. Where reads
    /// and program order go round, that cannot be: there only committed reads come before their writes.
    pub story: Vec<EventId>,
    /// What the memory is called that the execution allocated: by address, an index into
    /// [`crate::SourceMap::allocated`].
    pub allocated: Vec<(Address, u32)>,
    /// Under XMM, if program order and reads-from have a cycle: how another execution was executed again.
    pub reexecution: Option<Reexecution>,
    /// Of a run with store buffers: the stores that reached memory, each with the number of events of the story before
    /// that, in their order. A store that is not among them was still in its buffer.
    pub flushes: Vec<(EventId, usize)>,
    /// How to come to the execution again.
    pub trace: Trace,
}

/// How XMM made an execution: another one was executed again around the events that both have (docs/xmm.md,
/// "Re-execution"). Of the other one no more is known than what can be committed of it, all its reads from other threads
/// among that.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reexecution {
    /// The events that come from the other execution, in the order of their names.
    pub committed: Vec<Committed>,
    /// The round that found the other execution: 0 if it has no cycle, else it was executed again itself.
    pub round: u32,
    /// The reads from other threads that lead into a cycle and that the other execution does not have.
    pub only_here: Vec<EventId>,
    /// Reads from other threads that it has and this execution does not have, by threads and at addresses that are read
    /// here on ways into a cycle.
    pub only_there: Vec<ReadThere>,
}

/// A committed event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Committed {
    /// The event.
    pub event: EventId,
    /// Of an update whose halves were not both committed: the one that was.
    pub half: Option<Half>,
}

/// Half of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Half {
    Read,
    Write,
}

/// A read from another thread, in an execution that is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReadThere {
    /// The thread that reads; none if the execution that is shown does not have it.
    pub thread: Option<ThreadId>,
    /// What is read.
    pub address: Address,
    /// How wide it is.
    pub width: Width,
    /// The value.
    pub value: Value,
    /// The thread that wrote it; none if the execution that is shown does not have it.
    pub writer: Option<ThreadId>,
}

impl Witness {
    /// Was this event committed?
    pub fn committed(&self, event: EventId) -> Option<Committed> {
        let all = &self.reexecution.as_ref()?.committed;
        all.iter().copied().find(|committed| committed.event == event)
    }
}

/// One thread of a [`Witness`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WitnessThread {
    /// Its events in program order; event `i` of thread `t` is `EventId::new(t, i)`.
    pub events: Vec<WitnessEvent>,
    /// How it ended, or what it waits for.
    pub end: ThreadEnd,
    /// The event that spawned it, if one did.
    pub spawned_by: Option<EventId>,
    /// The code that it was spawned to run ([`crate::Operation::Spawn`]).
    pub code: Option<u64>,
    /// What it printed, in its order.
    pub printed: Vec<Printed>,
}

/// What a thread printed between two of its events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// How many of its events come before.
    pub after: u32,
    /// The text.
    pub text: Text,
}

/// How a thread ended, or what it waits for at the end of an execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThreadEnd {
    /// It ended.
    #[default]
    Done,
    /// A violation stopped it, or it was still running when one ended the exploration.
    Running,
    /// An assumption failed.
    Assume,
    /// It waits for a lock.
    Lock,
    /// It waits for another thread.
    Join,
    /// It waits at a barrier.
    Barrier,
    /// What it read last keeps it waiting.
    Condition,
    /// It waits in a loop.
    Spin,
    /// What it would do is seen in another exploration.
    Dropped,
    /// It reached a bound.
    Cut,
}

/// What an event is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum EventKind {
    Read,
    Write,
    /// A read-modify-write that wrote.
    Update,
    /// One whose order among others of its location is no part of the execution; what it adds, or combines with the
    /// value, is given as the value written.
    Count,
    Fence,
    Spawn,
    Join,
    /// A thread comes to a barrier.
    Arrive,
    /// A thread goes on from one.
    Pass,
    Alloc,
    Free,
    /// A lock or condition variable begins to exist anew.
    Initialise,
    /// A lock or condition variable ends to exist.
    Destroy,
    Choose,
    Observe,
    /// A lock was taken: an update of its word, or a lock event where sections are left unordered.
    Lock,
    /// A lock was released: a write of its word, or an unlock event where sections are left unordered.
    Unlock,
    /// A lock that was not free: a trylock that failed, or a thread that waits.
    LockFailed,
}

/// One event of a [`Witness`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessEvent {
    /// What it is.
    pub kind: EventKind,
    /// Its memory order.
    pub order: Order,
    /// The location it accesses.
    pub address: Option<Address>,
    /// How wide the access is.
    pub width: Width,
    /// The value it read (or chose, or got as an answer).
    pub read: Option<Value>,
    /// The value it wrote.
    pub written: Option<Value>,
    /// The write it read from; for a lock that was not free, the event by which it is held.
    pub reads_from: Option<EventId>,
    /// A lock is taken, or waited for, in shared mode.
    pub shared: bool,
    /// It waits for empty store buffers, where the model has some: read-modify-writes, failed ones too, operations on
    /// locks, spawn and join.
    pub locked: bool,
    /// The thread that is started or joined.
    pub other: Option<ThreadId>,
    /// Where in the source.
    pub site: SiteId,
}
