//! The JSON result, version 1. Fields that do not apply are left out, never null.
//!
//! The schema in `schema/result-1.schema.json` is generated from these types; a test keeps it so.
//!
//! This file is long because the format of the result stands in one place.

use std::collections::BTreeMap;

use raveler_core::diagnostic::Diagnostic;
use raveler_core::outcome::{Half, LbRace, RaceEnd, ReadThere, StopReason};
use raveler_core::{Engine, EventKind, Model, SiteId, SourceMap, Stream, Witness};
use schemars::JsonSchema;
use serde::Serialize;

use crate::diagnostic::line_and_column;
use crate::executions::name;
use crate::lb_races;
use crate::printed::{self, Line};
use crate::report::{Notes, Report, Standing, equivalence_name, verdict_name};
use crate::scene::Scene;
use crate::story;
use crate::text::{not_started, standing, stopped_by, why_no_wait};

/// The version of the format.
pub const SCHEMA: u32 = 1;
/// The version of raveler.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What `--json` prints: one of these.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(title = "The JSON result of raveler, version 1")]
pub enum Answer {
    /// The result of a check.
    Result(Box<CheckResult>),
    /// Nothing was checked.
    Error(ErrorAnswer),
}

/// The result of a check.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckResult {
    /// The version of this format: 1.
    pub schema: u32,
    /// The version of raveler.
    pub raveler: String,
    /// The file as the user gave it.
    pub file: String,
    /// The front-end that read it.
    pub lang: String,
    /// The memory model.
    pub model: String,
    /// What counts as one execution: `rf` or `co`.
    pub equivalence: String,
    /// How lock order was treated: `aware` or `ordered`.
    pub locks: String,
    /// The engine: `graph` or `interleaving`.
    pub engine: String,
    /// Under xmm: when an execution may be executed again: `default`, `nocr`, `printed` or `strict`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xmm_rules: Option<String>,
    /// Random walks instead of a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random: Option<RandomResult>,
    /// True if one execution was run again (`--replay`); else left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed: Option<bool>,
    /// What was left out beyond the equivalence: equivalent interleavings, or reductions that had something to leave out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reductions: Option<Vec<String>>,
    /// The kinds of violations that were looked for, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub properties: Option<Vec<String>>,
    /// The verdict.
    pub verdict: VerdictName,
    /// Complete executions.
    pub executions: u64,
    /// Maximal explorations in which some thread is stuck.
    pub blocked: u64,
    /// What the search counted on its way.
    pub stats: Stats,
    /// The bounds of the search, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// What was noticed besides; never changes the verdict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// Wall-clock seconds.
    pub time_s: f64,
    /// Seconds of processor time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_s: Option<f64>,
    /// The largest resident size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_rss_bytes: Option<u64>,
    /// Each distinct violation once.
    pub violations: Vec<ViolationResult>,
    /// For litmus tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub litmus: Option<LitmusResult>,
    /// The values that the program named, as they were seen together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<OutcomeResult>,
    /// Each load-buffering race once, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lb_races: Option<Vec<LbRaceResult>>,
}

/// Random walks.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct RandomResult {
    /// Where the random numbers started: the same seed makes the same walks.
    pub seed: u64,
    /// How many walks were made.
    pub walks: u64,
    /// Of walks by priorities: with one change less than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The same: how many processes there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<u32>,
    /// The same: how many steps a walk has, as some walks showed it before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
}

/// The bounds of a search.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Bounds {
    /// The most rounds of a loop that were followed, if the user asked for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unroll: Option<u32>,
    /// The bytes of stack that the user gave each thread, if fewer than usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stack: Option<u64>,
    /// The most stores in a store buffer, if the user bounded that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer: Option<u32>,
    /// The most preemptions in a run, if the user bounded that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preemption: Option<u32>,
    /// All runs with at most so many preemptions were seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preemptions_covered: Option<u32>,
    /// All executions with at most so many rounds of each loop were seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covered: Option<u32>,
    /// In so many rounds executions were executed again, and there would have been more (`xmm`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// Explorations that reached a bound on loops, calls or the stack.
    pub cut: u64,
}

/// Observed values that were seen together.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OutcomeResult {
    /// By name.
    pub values: BTreeMap<String, i64>,
    /// In how many executions.
    pub executions: u64,
}

/// The three verdicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VerdictName {
    /// All executions were seen; none is wrong.
    Verified,
    /// Something is wrong.
    Violation,
    /// Not everything was seen.
    Inconclusive,
}

/// What the search counted on its way.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Stats {
    /// Steps tried and undone at once.
    pub dropped: u64,
    /// Blocked leaves that only the lock rule makes.
    pub spurious: u64,
    /// Explorations with a round of a waiting loop more.
    pub spared: u64,
    /// Explorations ended by a violation.
    pub failed: u64,
    /// Successful revisits.
    pub revisits: u64,
    /// Sum of events over executions.
    pub events: u64,
    /// The largest number of events in one execution.
    pub max_events: u64,
    /// How often the search started again with something it had learned; what was counted before is in no number here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restarts: Option<u64>,
    /// Under xmm: executions that were built a second time, and not counted again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duplicates: Option<u64>,
    /// Of interleavings: how many differ in events or reads-from, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes: Option<u64>,
    /// Of interleavings: runs that were left because others show how they would go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redundant: Option<u64>,
    /// Load-buffering races over all executions, if they were asked for; not those whose read reads from the write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lb_races: Option<u64>,
    /// The loops in which threads waited.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<Location>,
}

/// Something noticed besides.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Warning {
    /// What kind.
    pub kind: String,
    /// In words.
    pub message: String,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
}

/// A place in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Location {
    /// The file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// From 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// From 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The function, or the litmus thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The thread, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<u32>,
}

/// One violation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ViolationResult {
    /// What kind.
    #[schemars(regex(pattern = r"^[a-z][a-z-]*$"))]
    pub kind: String,
    /// In words.
    pub message: String,
    /// Where.
    pub location: Location,
    /// Other places that belong to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<RelatedResult>,
    /// The execution that shows it.
    pub execution: ExecutionResult,
    /// The token that names it: `raveler check FILE --replay TOKEN` runs it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
}

/// A place that belongs to a violation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RelatedResult {
    /// What it has to do with it.
    pub role: String,
    /// Where.
    pub location: Location,
}

/// A load-buffering race: a read and a write of one location that race although the read leads to the write.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LbRaceResult {
    /// What both access.
    pub location: String,
    /// The read.
    pub read: RaceEndResult,
    /// How the read leads to the write in one execution: what lies between them where the way changes threads.
    pub way: Vec<RaceEndResult>,
    /// The write.
    pub write: RaceEndResult,
    /// Under xmm: does the read read from the write in some execution? Left out if the search ended before that was certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub realised: Option<bool>,
}

/// An event of a load-buffering race.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RaceEndResult {
    /// Where.
    #[serde(flatten)]
    pub place: Location,
    /// The piece of source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// One execution.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExecutionResult {
    /// Its threads.
    pub threads: Vec<ThreadResult>,
    /// For each location the writes in coherence order.
    pub co: BTreeMap<String, Vec<String>>,
    /// Of interleavings: the stores that reached memory, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flushes: Vec<FlushResult>,
    /// Under xmm, where program order and reads-from have a cycle: from which execution the committed events come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executed_again: Option<OriginResult>,
}

/// A store that left its buffer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FlushResult {
    /// The store.
    pub event: String,
    /// The last event that any thread had made before; left out if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// The execution from which committed events come. Only its reads from other threads are known.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OriginResult {
    /// The round of re-execution that found it: 0 for an execution of rc20, else it was executed again itself.
    pub round: u32,
    /// The reads of the execution shown, on ways into its cycles, that read from other threads what nothing reads there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only_here: Vec<String>,
    /// Reads from other threads that it has instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only_there: Vec<ReadThereResult>,
}

/// A read from another thread in an execution that is not shown.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReadThereResult {
    /// The thread that reads; left out if the execution shown does not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<u32>,
    /// What is read.
    pub location: String,
    /// The value.
    pub value: String,
    /// The thread that wrote it; left out if the execution shown does not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writer: Option<u32>,
}

/// One thread of an execution.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ThreadResult {
    /// From 0.
    pub id: u32,
    /// Its name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its events in program order.
    pub events: Vec<EventResult>,
    /// What it printed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<OutputResult>,
}

/// A line of output, or what of one was printed between two events.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OutputResult {
    /// The event of the thread before it; left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The text, with the end of the line if it was printed.
    pub text: String,
    /// Where to: `stdout` or `stderr`.
    pub stream: String,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Location>,
}

/// One event.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EventResult {
    /// Thread and position, both from 0: `0.1`.
    pub id: String,
    /// What it is.
    pub kind: String,
    /// Its memory order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// The location it accesses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// The value read, for a write the value written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The value written by an update.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
    /// The write that was read, `init` for the initial one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads_from: Option<String>,
    /// Under xmm: true if it was committed, so comes from another execution; else left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub committed: Option<bool>,
    /// Of an update of which one half alone was committed: `read` or `write`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub committed_half: Option<String>,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Location>,
}

/// What a litmus test adds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LitmusResult {
    /// The condition as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Does it hold? Left out if the search ended before that was certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
    /// The final states, sorted, without duplicates.
    pub states: Vec<String>,
    /// The token of an execution that decides the condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
}

/// What is printed when nothing was checked.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ErrorAnswer {
    /// The version of this format: 1.
    pub schema: u32,
    /// The mistake.
    pub error: ErrorResult,
}

/// A mistake in the input or in the options.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ErrorResult {
    /// What happened.
    pub message: String,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// A code for `raveler explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Further mistakes in the same input.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<ErrorResult>,
}

/// The result of a check.
pub fn result(report: &Report<'_>) -> CheckResult {
    let outcome = report.outcome;
    let mut warnings = Vec::new();
    if report.was_cut() {
        warnings.push(Warning {
            kind: "incomplete".to_string(),
            message: stopped_by(report),
            location: None,
        });
    }
    let at = |site: SiteId| place(report.sources, site);
    if let Some(message) = report.vacuous() {
        let location = report.notes.blocked.first().map(|blocked| at(blocked.site));
        warnings.push(Warning { kind: "vacuous".to_string(), message, location });
    }
    if let Some(message) = standing(report) {
        let site = match report.notes.standing {
            Some(Standing::Loop { site, .. } | Standing::At(site)) => Some(at(site)),
            _ => None,
        };
        let location = site.filter(|location| location.line.is_some());
        warnings.push(Warning { kind: "in-progress".to_string(), message, location });
    }
    for warning in &report.notes.warnings {
        let location = Some(at(warning.site)).filter(|location| location.line.is_some());
        warnings.push(Warning { kind: warning.kind.to_string(), message: warning.message.clone(), location });
    }
    for cut in report.notes.cut_loops.iter().filter(|_| report.notes.unroll.is_none()) {
        let what = why_no_wait(report, cut);
        warnings.push(Warning {
            kind: "unbounded-loop".to_string(),
            message: format!(
                "the loop goes on for longer than is followed, so it was cut after {} rounds; {what}",
                cut.rounds
            ),
            location: Some(at(cut.site)),
        });
    }
    if let (Some(message), Some(thread)) = (not_started(report), &report.notes.not_started) {
        let location = Some(at(thread.site)).filter(|location| location.line.is_some());
        warnings.push(Warning { kind: "not-started".to_string(), message, location });
    }
    let cut = outcome.counts.cut;
    let &Notes { unroll, stack, covered, .. } = report.notes;
    let buffer = report.buffer_bound;
    let (preemption, preemptions_covered) = (report.preemption_bound, outcome.preemptions);
    let rounds = match outcome.stopped {
        Some(StopReason::Rounds(most)) => Some(most),
        _ => None,
    };
    let bounds = [unroll, buffer, preemption, rounds];
    let bounded = bounds.iter().any(Option::is_some) || stack.is_some() || cut > 0;
    CheckResult {
        schema: SCHEMA,
        raveler: VERSION.to_string(),
        file: report.file.to_string(),
        lang: report.lang.to_string(),
        model: report.model.name().to_string(),
        equivalence: equivalence_name(report.equivalence).to_string(),
        locks: report.locks.name().to_string(),
        engine: report.engine.name().to_string(),
        xmm_rules: (report.model == Model::Xmm).then(|| report.xmm_rules.name().to_string()),
        replayed: report.replay.is_one.then_some(true),
        random: report.random.map(|random| RandomResult {
            seed: random.seed,
            walks: outcome.walks,
            depth: random.depth,
            processes: outcome.priorities.map(|found| found.processes),
            steps: outcome.priorities.map(|found| found.steps),
        }),
        reductions: reductions(report),
        properties: (!report.notes.properties.is_empty())
            .then(|| report.notes.properties.iter().map(|kind| kind.name().to_string()).collect()),
        verdict: verdict(report),
        executions: outcome.counts.executions,
        blocked: outcome.counts.blocked,
        stats: stats(report, report.notes.waits.iter().map(|&site| at(site)).collect()),
        bounds: bounded.then_some(Bounds {
            unroll,
            stack,
            buffer,
            preemption,
            preemptions_covered,
            covered,
            rounds,
            cut,
        }),
        warnings,
        time_s: report.usage.time_s,
        cpu_s: report.usage.cpu_s,
        peak_rss_bytes: report.usage.peak_rss_bytes,
        violations: outcome.violations.iter().enumerate().map(|(at, v)| violation(report, at, v)).collect(),
        litmus: report.litmus.as_ref().map(|litmus| LitmusResult {
            condition: litmus.condition.clone(),
            holds: litmus.holds,
            states: litmus.states.iter().map(|s| s.text.clone()).collect(),
            replay: report.replay.shown.as_ref().map(|replay| replay.token.clone()),
        }),
        outcomes: report
            .notes
            .outcomes
            .iter()
            .map(|(values, executions)| OutcomeResult {
                values: values.iter().cloned().collect(),
                executions: *executions,
            })
            .collect(),
        lb_races: report.lb_races.then(|| outcome.lb_race_sites.iter().map(|r| lb_race(report, r)).collect()),
    }
}

/// What was in force: nothing is left out of walks. Of graphs, what had something to leave out.
fn reductions(report: &Report<'_>) -> Option<Vec<String>> {
    if report.engine == Engine::Graph {
        let names: Vec<String> = report.notes.reductions.names().into_iter().map(String::from).collect();
        return (!names.is_empty()).then_some(names);
    }
    if report.engine != Engine::Interleaving || !report.reduction || report.random.is_some() {
        return None;
    }
    let names: &[&str] = match report.preemption_bound {
        Some(_) => &["equal-states"],
        None => &["source-sets", "sleep-sets"],
    };
    Some(names.iter().map(|name| name.to_string()).collect())
}

/// The answer when the input was refused.
pub fn refused(file: &str, source: &str, diagnostics: &[Diagnostic]) -> ErrorAnswer {
    let one = |diagnostic: &Diagnostic| ErrorResult {
        message: diagnostic.message.clone(),
        location: located(file, source, diagnostic),
        code: (!diagnostic.code.is_empty()).then(|| diagnostic.code.to_string()),
        help: diagnostic.help.clone(),
        more: Vec::new(),
    };
    let mut errors = diagnostics.iter().map(one);
    let mut error = errors.next().unwrap_or_else(|| message_only("the input was refused"));
    error.more = errors.collect();
    ErrorAnswer { schema: SCHEMA, error }
}

/// The answer when something went wrong that has no place.
pub fn error(message: &str) -> ErrorAnswer {
    ErrorAnswer { schema: SCHEMA, error: message_only(message) }
}

fn message_only(message: &str) -> ErrorResult {
    ErrorResult { message: message.to_string(), location: None, code: None, help: None, more: Vec::new() }
}

/// The JSON Schema of [`Answer`], as kept in the repository.
pub fn schema() -> String {
    schema_of::<Answer>()
}

/// The JSON Schema of something that is printed.
pub(crate) fn schema_of<T: JsonSchema>() -> String {
    let generator = schemars::generate::SchemaSettings::default().for_serialize().into_generator();
    let schema = generator.into_root_schema_for::<T>();
    serde_json::to_string_pretty(&schema).expect("a schema is plain JSON") + "\n"
}

/// One line of JSON.
pub fn line(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("results are plain data") + "\n"
}

fn verdict(report: &Report<'_>) -> VerdictName {
    match verdict_name(report.verdict()) {
        "verified" => VerdictName::Verified,
        "violation" => VerdictName::Violation,
        _ => VerdictName::Inconclusive,
    }
}

fn stats(report: &Report<'_>, waits: Vec<Location>) -> Stats {
    let outcome = report.outcome;
    let counts = &outcome.counts;
    Stats {
        dropped: counts.dropped,
        spurious: counts.spurious,
        spared: counts.spared,
        failed: counts.failed,
        revisits: counts.revisits,
        events: counts.events,
        max_events: counts.max_events,
        restarts: Some(outcome.restarts).filter(|&restarts| restarts > 0),
        duplicates: (report.model == Model::Xmm).then_some(outcome.duplicates),
        classes: outcome.classes,
        redundant: (report.engine == Engine::Interleaving).then_some(counts.redundant),
        lb_races: report.lb_races.then_some(outcome.lb_races),
        waits,
    }
}

fn violation(report: &Report<'_>, at: usize, violation: &raveler_core::Violation) -> ViolationResult {
    let scene = report.scene(&violation.witness);
    let message = if violation.message.is_empty() {
        story::headline(&scene, violation)
    } else {
        violation.message.clone()
    };
    let place = |site: SiteId, thread: u32| Location { thread: Some(thread), ..place(report.sources, site) };
    ViolationResult {
        kind: violation.kind.name().to_string(),
        message,
        location: place(violation.site, violation.thread.0),
        related: violation
            .related
            .iter()
            .map(|r| RelatedResult { role: r.role.to_string(), location: place(r.site, r.thread.0) })
            .collect(),
        execution: execution(&scene),
        replay: report.replay.violations.get(at).cloned().flatten().map(|replay| replay.token),
    }
}

fn lb_race(report: &Report<'_>, race: &LbRace) -> LbRaceResult {
    let end = |end: &RaceEnd| {
        let text = report.sources.site(end.site).map(|site| site.text.clone());
        RaceEndResult {
            place: Location { thread: Some(end.thread.0), ..place(report.sources, end.site) },
            text: text.filter(|text| !text.is_empty()),
        }
    };
    LbRaceResult {
        location: lb_races::location(report, race),
        read: end(&race.read),
        way: race.way.iter().map(end).collect(),
        write: end(&race.write),
        realised: lb_races::is_realised(report, race),
    }
}

/// One execution as in the JSON result.
pub fn execution(scene: &Scene<'_>) -> ExecutionResult {
    let Witness { threads, coherence, flushes, .. } = scene.witness;
    let story = scene.story();
    let before = |after: usize| after.checked_sub(1).and_then(|last| story.get(last)).map(|&id| name(id));
    let thread = |id: usize| ThreadResult {
        id: id as u32,
        name: scene.thread_name(id),
        events: scene.events().filter(|(e, _)| e.thread() == id).map(|(e, _)| event(scene, e)).collect(),
        output: printed::lines(scene, id).into_iter().map(|line| output(scene, line)).collect(),
    };
    let writes = |w: &Vec<raveler_core::EventId>| w.iter().map(|&w| name(w)).collect();
    ExecutionResult {
        threads: (0..threads.len()).map(thread).collect(),
        co: coherence.iter().map(|(a, w)| (scene.location(*a), writes(w))).collect(),
        flushes: flushes
            .iter()
            .map(|&(event, after)| FlushResult { event: name(event), after: before(after) })
            .collect(),
        executed_again: scene.witness.reexecution.as_ref().map(|reexecution| OriginResult {
            round: reexecution.round,
            only_here: reexecution.only_here.iter().map(|&read| name(read)).collect(),
            only_there: reexecution.only_there.iter().map(|read| read_there(scene, read)).collect(),
        }),
    }
}

fn read_there(scene: &Scene<'_>, read: &ReadThere) -> ReadThereResult {
    ReadThereResult {
        thread: read.thread.map(|thread| thread.0),
        location: scene.location(read.address),
        value: scene.value(read.value, read.width),
        writer: read.writer.map(|thread| thread.0),
    }
}

fn event(scene: &Scene<'_>, id: raveler_core::EventId) -> EventResult {
    let event = scene.event(id).expect("the caller walks over the scene's own events");
    let value = |v: u64| scene.value(v, event.width);
    let (read, written) = (event.read.map(value), event.written.map(value));
    let order = scene.order(id);
    let committed = scene.witness.committed(id);
    EventResult {
        id: name(id),
        kind: kind(event.kind).to_string(),
        order: (!order.is_empty()).then(|| order.to_string()),
        location: event.address.map(|a| scene.location(a)),
        value: read.clone().or_else(|| written.clone()),
        written: if read.is_some() { written } else { None },
        reads_from: event.reads_from.map(name),
        committed: committed.map(|_| true),
        committed_half: committed.and_then(|committed| committed.half).map(|half| match half {
            Half::Read => "read".to_string(),
            Half::Write => "write".to_string(),
        }),
        source: source(scene, event.site),
    }
}

fn output(scene: &Scene<'_>, line: Line) -> OutputResult {
    let stream = match line.stream {
        Stream::Output => "stdout",
        Stream::Errors => "stderr",
    };
    OutputResult {
        after: line.after.map(name),
        stream: stream.to_string(),
        source: source(scene, line.site),
        text: line.text,
    }
}

/// Where something stands; the file only where it is not the result's own.
fn source(scene: &Scene<'_>, site: SiteId) -> Option<Location> {
    let source = place(scene.sources, site);
    let file = scene.sources.site(site).and_then(|site| site.file.clone());
    source.line.is_some().then_some(Location { file, function: None, ..source })
}

fn kind(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Read => "read",
        EventKind::Write => "write",
        EventKind::Update => "update",
        EventKind::Fence => "fence",
        EventKind::Spawn => "spawn",
        EventKind::Join => "join",
        EventKind::Count => "count",
        EventKind::Arrive => "arrive",
        EventKind::Pass => "pass",
        EventKind::Alloc => "alloc",
        EventKind::Free => "free",
        EventKind::Initialise => "initialise",
        EventKind::Destroy => "destroy",
        EventKind::Choose => "choose",
        EventKind::Observe => "observe",
        EventKind::Lock => "lock",
        EventKind::Unlock => "unlock",
        EventKind::LockFailed => "lock-failed",
    }
}

/// A site as in the JSON result.
pub(crate) fn place(sources: &SourceMap, site: SiteId) -> Location {
    let file = Some(sources.file.clone()).filter(|file| !file.is_empty());
    match sources.site(site) {
        None => Location { file, ..Location::default() },
        Some(site) => Location {
            file: site.file.clone().or(file),
            line: Some(site.line),
            column: Some(site.column),
            function: (!site.function.is_empty()).then(|| site.function.clone()),
            thread: None,
        },
    }
}

fn located(file: &str, source: &str, diagnostic: &Diagnostic) -> Option<Location> {
    if file.is_empty() {
        return None;
    }
    let start = diagnostic.span.as_ref().map(|span| line_and_column(source, span.start));
    Some(Location {
        file: Some(file.to_string()),
        line: start.map(|(line, _)| line),
        column: start.map(|(_, column)| column),
        ..Location::default()
    })
}
