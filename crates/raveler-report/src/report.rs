//! What a finished check knows: the one thing that the summary, the JSON result and the pictures are made from.

use raveler_core::outcome::{StopReason, ThreadEnd};
use raveler_core::{
    Address, Engine, Equivalence, Model, Outcome, RandomWalks, Reductions, SiteId, SourceMap, Verdict,
    ViolationKind, Witness, XmmRules,
};

use crate::names::Names;
use crate::paint::grouped;
use crate::scene::{Scene, base_name};

/// Of many places at which threads were stuck this many are named.
const PLACES: usize = 4;

/// A finished check.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// The file as the user gave it.
    pub file: &'a str,
    /// The language: `litmus`, `c`.
    pub lang: &'a str,
    /// The memory model.
    pub model: Model,
    /// What counts as one execution.
    pub equivalence: Equivalence,
    /// How lock order was treated.
    pub locks: Locks,
    /// Under xmm: when an execution may be executed again.
    pub xmm_rules: XmmRules,
    /// Random walks instead of a search.
    pub random: Option<RandomWalks>,
    /// Were load-buffering races asked for?
    pub lb_races: bool,
    /// How many stores a store buffer holds, if the user bounded that.
    pub buffer_bound: Option<u32>,
    /// How many preemptions runs may have, if the user bounded that.
    pub preemption_bound: Option<u32>,
    /// Were equivalent interleavings left out?
    pub reduction: bool,
    /// How executions were found.
    pub engine: Engine,
    /// What the search found.
    pub outcome: &'a Outcome,
    /// Places and names of threads.
    pub sources: &'a SourceMap,
    /// Names of locations.
    pub names: &'a Names,
    /// What a litmus test adds.
    pub litmus: Option<Litmus>,
    /// What the front-end noticed.
    pub notes: &'a Notes,
    /// What stopped the search, if something outside did.
    pub stop: Option<Stop>,
    /// Time and memory.
    pub usage: Usage,
    /// How to run the shown executions again.
    pub replay: Replays,
}

/// How to run the executions of a report again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Replays {
    /// Is this report itself one of an execution that was run again?
    pub is_one: bool,
    /// Then, of a litmus test: the verdict of the check that found it, which had seen more than one execution.
    pub verdict: Option<Verdict>,
    /// Of the violations, in their order.
    pub violations: Vec<Option<Replay>>,
    /// Of the litmus test's own.
    pub shown: Option<Replay>,
}

/// How to run an execution again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// What names it.
    pub token: String,
    /// The command that runs it.
    pub command: String,
}

/// How the order of critical sections was treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Locks {
    /// Left open where it does not matter.
    Aware,
    /// Enumerated.
    #[default]
    Ordered,
}

impl Locks {
    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Locks::Aware => "aware",
            Locks::Ordered => "ordered",
        }
    }
}

/// What a litmus test adds to a result.
#[derive(Clone, Debug, Default)]
pub struct Litmus {
    /// The condition as written, on one line; none if the test has none.
    pub condition: Option<String>,
    /// Does it hold? None if the search ended before that was certain.
    pub holds: Option<bool>,
    /// The final states, sorted.
    pub states: Vec<State>,
    /// An execution to show: one that ends in a state that satisfies the condition's formula, or for `forall`
    /// one that does not; with that state.
    pub shown: Option<(String, Witness)>,
}

/// What a front-end noticed besides the outcome.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// The loops in which threads waited.
    pub waits: Vec<SiteId>,
    /// The bound on the rounds of loops that the user asked for.
    pub unroll: Option<u32>,
    /// Up to how many rounds of each loop everything was seen, where that is bounded.
    pub covered: Option<u32>,
    /// The kinds of violations that were looked for; empty for all.
    pub properties: Vec<ViolationKind>,
    /// Where the search was when it was stopped, if that is known.
    pub standing: Option<Standing>,
    /// The bytes of stack that the user gave each thread, if that is a bound.
    pub stack: Option<u64>,
    /// Some thread needed more, or has calls inside each other that have no end in sight.
    pub out_of_stack: bool,
    /// A thread that was not started, because there are too many.
    pub not_started: Option<NotStarted>,
    /// Loops that were not followed to their ends.
    pub cut_loops: Vec<CutLoop>,
    /// Never a reason for another verdict.
    pub warnings: Vec<Warning>,
    /// Where threads were stuck, if no execution came to its end.
    pub blocked: Vec<BlockedPlace>,
    /// The observed values, by name, and in how many executions they were seen together.
    pub outcomes: Vec<(Vec<(String, i64)>, u64)>,
    /// The reductions that were in force and had something to leave out: counts are of representatives.
    pub reductions: Reductions,
}

/// A thread that was not started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotStarted {
    /// Where it would be.
    pub site: SiteId,
    /// The function that it would run.
    pub function: String,
    /// Too many generations of threads are before it; else its parent started too many.
    pub deep: bool,
}

/// A loop that was not followed to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CutLoop {
    /// Where it stands.
    pub site: SiteId,
    /// How many rounds were followed.
    pub rounds: u32,
    /// A variable that changes in every round.
    pub changing: Option<String>,
    /// Where it writes shared memory in every round, and which memory.
    pub writes: Option<(SiteId, Address)>,
    /// It starts threads.
    pub spawns: bool,
}

/// Where a search was when it was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// The program was still being read.
    Reading,
    /// In this loop, which writes shared memory there.
    Loop {
        /// Where it stands.
        site: SiteId,
        /// Where it writes, if it does, and which memory.
        writes: Option<(SiteId, Address)>,
    },
    /// At this place.
    At(SiteId),
}

/// A place at which a thread was stuck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockedPlace {
    /// Where.
    pub site: SiteId,
    /// What the thread waited for.
    pub end: ThreadEnd,
    /// In how many explorations.
    pub explorations: u64,
}

/// Something a user should know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// As in the JSON result.
    pub kind: &'static str,
    /// In words.
    pub message: String,
    /// Where.
    pub site: SiteId,
}

/// One final state of a litmus test.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct State {
    /// As in the JSON result: `0:r0=1 x=2`.
    pub text: String,
    /// Does the formula of the condition hold in it?
    pub satisfies: bool,
}

/// What stopped a search from outside.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    /// `--timeout`, in seconds.
    Timeout(f64),
    /// `--max-memory`, in bytes.
    Memory(u64),
    /// `--max-executions`.
    MaxExecutions(u64),
    /// All random walks were made (`--random`).
    Walks,
    /// All runs with few preemptions were seen (`--preemption-bound`).
    Preemptions,
    /// Executions were executed again in so many rounds, and there would have been more (`--model xmm`).
    Rounds(u32),
    /// Ctrl-C.
    Interrupted,
}

/// Time and memory.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Usage {
    /// Wall-clock seconds.
    pub time_s: f64,
    /// Seconds of processor time, if known.
    pub cpu_s: Option<f64>,
    /// The largest resident size, if known.
    pub peak_rss_bytes: Option<u64>,
}

impl<'a> Report<'a> {
    /// The verdict. For litmus it follows the condition: races are only listed; a search that was stopped can
    /// refute a condition but not verify one.
    pub fn verdict(&self) -> Verdict {
        let Some(litmus) = &self.litmus else {
            return self.outcome.verdict();
        };
        if let Some(verdict) = self.replay.verdict {
            return verdict;
        }
        let failed = self.outcome.violations.iter().any(|v| v.kind != ViolationKind::Race);
        match litmus.holds {
            _ if failed => Verdict::Violation,
            Some(false) => Verdict::Violation,
            _ if self.outcome.stopped.is_some() || self.reached_bound() => Verdict::Inconclusive,
            Some(true) => Verdict::Verified,
            None if litmus.condition.is_none() => Verdict::Verified,
            None => Verdict::Inconclusive,
        }
    }

    /// Verified, but there was nothing to verify: no execution came to its end. What to say about it.
    pub fn vacuous(&self) -> Option<String> {
        let counts = &self.outcome.counts;
        (self.verdict() == Verdict::Verified && counts.executions == 0)
            .then(|| format!("no execution came to its end: {}", self.all_blocked()))
    }

    /// How many explorations were blocked, and where.
    fn all_blocked(&self) -> String {
        let blocked = self.outcome.counts.blocked;
        let failed = self.outcome.counts.failed;
        if blocked == 0 && failed > 0 {
            return "every exploration ended with a violation that was not looked for".to_string();
        }
        let all = match blocked {
            1 => "the only exploration was blocked".to_string(),
            _ => format!("all {} explorations were blocked", grouped(blocked)),
        };
        let places: Vec<String> =
            self.notes.blocked.iter().take(PLACES).map(|at| self.blocked_at(at)).collect();
        let more = if self.notes.blocked.len() > PLACES { ", and elsewhere" } else { "" };
        match places.is_empty() {
            true => all,
            false => format!("{all}, {}{more}", places.join(", ")),
        }
    }

    fn blocked_at(&self, place: &BlockedPlace) -> String {
        let at = match self.sources.site(place.site) {
            Some(site) => {
                let file = site.file.as_deref().unwrap_or(&self.sources.file);
                format!("at {}:{}", base_name(file), site.line)
            }
            None => "somewhere".to_string(),
        };
        let always = place.explorations == self.outcome.counts.blocked;
        let why = match place.end {
            ThreadEnd::Assume if always => "where an assumption always fails",
            ThreadEnd::Assume => "where an assumption fails",
            ThreadEnd::Lock => "where a thread waits for a lock",
            ThreadEnd::Barrier => "where a thread waits at a barrier",
            ThreadEnd::Join => "where a thread waits for another one",
            _ => "where a thread waits",
        };
        format!("{at}, {why}")
    }

    /// Did the search see everything?
    pub fn is_complete(&self) -> bool {
        self.outcome.stopped.is_none()
    }

    /// Did a bound keep the search from seeing everything?
    fn reached_bound(&self) -> bool {
        self.outcome.counts.cut > 0 || self.outcome.bound_met
    }

    /// Was the search ended by something other than its first violation?
    pub fn was_cut(&self) -> bool {
        self.reached_bound() && self.outcome.stopped.is_none()
            || !matches!(self.outcome.stopped, None | Some(StopReason::Violation))
    }

    /// An execution of this check, ready to be named.
    pub fn scene(&'a self, witness: &'a Witness) -> Scene<'a> {
        Scene { witness, sources: self.sources, names: self.names }
    }

    /// The execution that the report is about, if it is about one: the litmus test's, or the first violation's.
    pub fn shown(&self) -> Option<&Witness> {
        let litmus = self.litmus.as_ref().and_then(|l| l.shown.as_ref()).map(|(_, witness)| witness);
        litmus.or_else(|| self.outcome.violations.first().map(|v| &v.witness))
    }
}

/// Observed values as text: `a=1 b=0`.
pub fn outcome_text(values: &[(String, i64)]) -> String {
    let values: Vec<String> = values.iter().map(|(name, value)| format!("{name}={value}")).collect();
    values.join(" ")
}

/// The name of an equivalence on the command line.
pub fn equivalence_name(equivalence: Equivalence) -> &'static str {
    match equivalence {
        Equivalence::ReadsFrom => "rf",
        Equivalence::Coherence => "co",
    }
}

/// The name of a verdict in every form of a report.
pub fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Verified => "verified",
        Verdict::Violation => "violation",
        Verdict::Inconclusive => "inconclusive",
    }
}
