//! The summary for people: the verdict, what was counted, and the story behind it.

mod covered;

pub use covered::stopped_by;

use raveler_core::outcome::StopReason;
use raveler_core::{Engine, Model, SiteId, Verdict, ViolationKind};

use crate::lb_races;
use crate::paint::{Colour, Tone, bytes, counted, grouped, seconds};
use crate::report::{
    CutLoop, Litmus, Replay, Report, Standing, equivalence_name, outcome_text, verdict_name,
};
use crate::scene::base_name;
use crate::story;
use covered::{covered, preemptions, walks};

/// How much to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// Only the verdict line.
    Quiet,
    /// What one needs.
    #[default]
    Normal,
    /// Also what the search counted on its way.
    Verbose,
}

/// States beyond this many are not printed unless more detail is asked for.
const STATES: usize = 64;
/// Of many violations this many are told in full.
const STORIES: usize = 8;

/// The summary of a check.
pub fn render(report: &Report<'_>, detail: Detail, colour: Colour) -> String {
    let mut out = verdict_line(report, colour) + "\n";
    if detail == Detail::Quiet {
        return out;
    }
    if let Some(litmus) = &report.litmus {
        out.push_str(&condition(report, litmus));
    }
    if report.was_cut() {
        out.push_str(&covered(report, colour));
    } else {
        out.push_str(&counts(report));
    }
    if detail == Detail::Verbose {
        out.push_str(&stats(report));
    }
    if let Some(litmus) = &report.litmus {
        out.push_str(&states(litmus, detail, colour));
        out.push_str(&shown(report, litmus, colour));
    }
    out.push_str(&violations(report, colour));
    out.push_str(&outcomes(report, detail));
    out.push_str(&lb_races::render(report, detail, colour));
    out.push_str(&warnings(report, colour));
    out
}

/// The values that the program named.
fn outcomes(report: &Report<'_>, detail: Detail) -> String {
    let all = &report.notes.outcomes;
    let limit = if detail == Detail::Verbose { usize::MAX } else { STATES };
    let mut out = String::new();
    for (values, executions) in all.iter().take(limit) {
        let times = counted(*executions, "execution");
        out.push_str(&format!("   {}  ({times})\n", outcome_text(values)));
    }
    if all.len() > limit {
        let rest = counted((all.len() - limit) as u64, "outcome");
        out.push_str(&format!("   ... and {rest} more; -v prints all\n"));
    }
    out
}

fn warnings(report: &Report<'_>, colour: Colour) -> String {
    let mut out = String::new();
    if let Some(vacuous) = report.vacuous() {
        let word = colour.paint(Tone::Open, "warning:");
        out.push_str(&format!("   {word} {vacuous}\n"));
    }
    for warning in &report.notes.warnings {
        let word = colour.paint(Tone::Open, "warning:");
        let place = place(report, warning.site);
        out.push_str(&format!("   {word} {}  {place}\n", warning.message));
    }
    out
}

fn place(report: &Report<'_>, site: SiteId) -> String {
    match report.sources.site(site) {
        None => String::new(),
        Some(site) => {
            let file = site.file.as_deref().unwrap_or(&report.sources.file);
            format!("{}:{}", base_name(file), site.line)
        }
    }
}

/// Which thread was not started any more.
pub fn not_started(report: &Report<'_>) -> Option<String> {
    let cut = report.notes.not_started.as_ref()?;
    let (function, place) = (&cut.function, place(report, cut.site));
    Some(match cut.deep {
        true => format!(
            "`{function}` was not started at {place}: threads are followed for three generations, and those of the third \
             start others in turn"
        ),
        false => format!("`{function}` was not started at {place}: its thread started too many before"),
    })
}

/// Why a loop was not followed to its end, and what can be done about it.
fn cut_loops(report: &Report<'_>, colour: Colour) -> String {
    let mut out = String::new();
    for cut in &report.notes.cut_loops {
        let place = place(report, cut.site);
        let rounds = counted(u64::from(cut.rounds), "round");
        let why = match report.notes.unroll {
            Some(_) => String::new(),
            None => format!("; it is no loop that only waits: {}", why_no_wait(report, cut)),
        };
        let cut = match report.notes.unroll {
            Some(_) => format!("was followed for {rounds}"),
            None => format!("goes on for longer than is followed, so it was cut after {rounds}"),
        };
        out.push_str(&format!("   = the loop at {place} {cut}{why}\n"));
    }
    if !out.is_empty() {
        let help = match report.notes.unroll {
            Some(_) => "a larger --unroll",
            None => {
                "--unroll N follows it for N rounds; a loop that waits for a condition can be written \
                 rv_wait_until(condition), one that counts needs fewer rounds"
            }
        };
        out.push_str(&(story::help_line(help, colour) + "\n"));
    }
    out
}

/// What keeps a loop from being one that only waits.
pub fn why_no_wait(report: &Report<'_>, cut: &CutLoop) -> String {
    if cut.spawns {
        return "it starts a thread in every round".to_string();
    }
    match (&cut.changing, cut.writes) {
        (Some(name), _) => format!("`{name}` changes in every round"),
        (None, Some((site, address))) => {
            let (name, place) = (report.names.location(address), place(report, site));
            // Memory that executions allocate has no name before there is one.
            match name.starts_with("0x") {
                true => format!("it writes shared memory in every round, at {place}"),
                false => format!("it writes `{name}` in every round, at {place}"),
            }
        }
        (None, None) => "something changes in every round".to_string(),
    }
}

/// Where a search was when it was stopped without a single execution, in words.
pub fn standing(report: &Report<'_>) -> Option<String> {
    let counts = &report.outcome.counts;
    if report.stop.is_none() || counts.executions + counts.blocked > 0 {
        return None;
    }
    Some(match report.notes.standing? {
        Standing::Reading => "the program was still being compiled".to_string(),
        Standing::At(site) => format!("the first execution had come to {}", place(report, site)),
        Standing::Loop { site, writes } => {
            let cut = CutLoop { site, rounds: 0, changing: None, writes, spawns: false };
            let why = match writes {
                Some(_) => format!("; it is no loop that only waits: {}", why_no_wait(report, &cut)),
                None => String::new(),
            };
            let place = place(report, site);
            format!("the first execution was in the loop at {place}{why}; --unroll N follows it for N rounds")
        }
    })
}

/// The first line: verdict, reason, file and model.
pub fn verdict_line(report: &Report<'_>, colour: Colour) -> String {
    let verdict = report.verdict();
    let tone = match verdict {
        Verdict::Verified => Tone::Good,
        Verdict::Violation => Tone::Bad,
        Verdict::Inconclusive => Tone::Open,
    };
    let word = colour.paint(tone, &format!("{}:", verdict_name(verdict)));
    let about = format!("{} ({})", report.file, report.model.name());
    let failed: Vec<_> =
        report.outcome.violations.iter().filter(|v| counts_against(report, v.kind)).collect();
    let reason = match (verdict, failed.as_slice()) {
        (Verdict::Inconclusive, _) => format!("{}  {about}", stopped_by(report)),
        (Verdict::Violation, [only]) => {
            let headline = story::headline(&report.scene(&only.witness), only);
            format!("{headline}  {about}")
        }
        (Verdict::Violation, [first, more @ ..]) => {
            let headline = story::headline(&report.scene(&first.witness), first);
            format!("{headline}, and {} more  {about}", grouped(more.len() as u64))
        }
        (Verdict::Violation, []) => format!("the condition does not hold{}  {about}", races(report)),
        (Verdict::Verified, _) if report.litmus.as_ref().is_some_and(|l| l.condition.is_some()) => {
            let empty = if report.vacuous().is_some() { ", but no execution came to its end" } else { "" };
            format!("the condition holds{empty}{}  {about}", races(report))
        }
        (Verdict::Verified, _) => {
            let none = nothing_found(report);
            let failed = report.outcome.counts.failed;
            match report.vacuous() {
                Some(_) => format!("{none}, but no execution came to its end  {about}"),
                None if failed == 0 || report.notes.properties.is_empty() => {
                    format!("{none} in any execution  {about}")
                }
                // What would have come behind it was not looked at.
                None => {
                    let ended = counted(failed, "exploration");
                    format!("{none}, but {ended} ended with a violation that was not looked for  {about}")
                }
            }
        }
    };
    format!("{word} {reason}")
}

/// What was looked for and not found.
fn nothing_found(report: &Report<'_>) -> String {
    match &report.notes.properties[..] {
        [] => "no violation".to_string(),
        kinds => {
            let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
            format!("no {} violation", names.join(" or "))
        }
    }
}

/// Races change no verdict of a litmus test, but nobody should overlook them.
fn races(report: &Report<'_>) -> String {
    let races = report.outcome.violations.iter().filter(|v| v.kind == ViolationKind::Race).count();
    if races == 0 { String::new() } else { format!("; {}", counted(races as u64, "data race")) }
}

/// Does a violation of this kind make the verdict? Races in litmus tests do not.
fn counts_against(report: &Report<'_>, kind: ViolationKind) -> bool {
    report.litmus.is_none() || kind != ViolationKind::Race
}

fn condition(report: &Report<'_>, litmus: &Litmus) -> String {
    let Some(condition) = &litmus.condition else {
        return String::new();
    };
    let told_already = !report.outcome.violations.iter().any(|v| counts_against(report, v.kind));
    let answer = match litmus.holds {
        _ if told_already => "",
        Some(true) => "  (holds)",
        Some(false) => "  (does not hold)",
        None => "  (not decided)",
    };
    format!("   {condition}{answer}\n")
}

fn counts(report: &Report<'_>) -> String {
    let counts = &report.outcome.counts;
    if report.replay.is_one {
        return replayed(report);
    }
    let mut parts = match report.engine {
        Engine::Graph => vec![counted(counts.executions, "execution")],
        Engine::Interleaving => vec![counted(counts.executions, "run")],
    };
    if let Some(classes) = report.outcome.classes {
        parts.push(format!("{} of them distinct", grouped(classes)));
    }
    if let Some(litmus) = &report.litmus {
        parts.push(counted(litmus.states.len() as u64, "state"));
    }
    if counts.blocked > 0 {
        parts.push(format!("{} blocked", grouped(counts.blocked)));
    }
    parts.push(seconds(report.usage.time_s));
    let more = match report.outcome.stopped {
        Some(StopReason::Violation) => "; stopped at the first violation, --all goes on",
        _ => "",
    };
    let mut out = format!("   {}{more}\n", parts.join(", "));
    out.push_str(&walks(report));
    out.push_str(&preemptions(report));
    let reductions = report.notes.reductions.names();
    if !reductions.is_empty() {
        let names = reductions.join(", ");
        out.push_str(&format!("   = counted with reductions: {names}; `--reductions none` counts all\n"));
    }
    let undecided = report.litmus.is_some() && counts.executions == 0 && report.outcome.stopped.is_none();
    if undecided && report.vacuous().is_none() {
        out.push_str("   = no execution came to its end, so no state decides the condition\n");
    }
    out
}

/// What is said instead of counts where one execution was run again.
fn replayed(report: &Report<'_>) -> String {
    let mut out = format!("   one execution, replayed from its token, {}\n", seconds(report.usage.time_s));
    let is_undecided = report.litmus.as_ref().is_some_and(|litmus| litmus.states.is_empty());
    if is_undecided {
        out.push_str("   = what the condition says is taken from the report that the token comes from\n");
    }
    out
}

/// The line that says how to run an execution again.
fn replay_line(replay: Option<&Replay>) -> String {
    replay.map(|replay| format!("   = replay: {}\n", replay.command)).unwrap_or_default()
}

fn stats(report: &Report<'_>) -> String {
    let counts = &report.outcome.counts;
    let mut out = format!(
        "   model {}{}{}, equivalence {}, locks {}{}\n",
        report.model.name(),
        match report.model {
            Model::Xmm => format!(" with its {} rules", report.xmm_rules.name()),
            _ => String::new(),
        },
        match report.engine {
            Engine::Graph => "",
            Engine::Interleaving => ", by interleavings",
        },
        equivalence_name(report.equivalence),
        report.locks.name(),
        report
            .buffer_bound
            .map(|room| format!(", at most {} in a buffer", counted(room.into(), "store")))
            .unwrap_or_default()
    );
    out.push_str(&format!(
        "   {} blocked, {} failed, {} dropped, {} spurious, {}\n",
        grouped(counts.blocked),
        grouped(counts.failed),
        grouped(counts.dropped),
        grouped(counts.spurious),
        counted(counts.revisits, "revisit"),
    ));
    if report.engine == Engine::Interleaving {
        let left = counted(counts.redundant, "run");
        out.push_str(&format!("   {left} left because others show how they would go on\n"));
    }
    if report.model == Model::Xmm {
        let again = counted(report.outcome.duplicates, "duplicate");
        out.push_str(&format!("   {again}: executions built a second time, and not counted again\n"));
    }
    out.push_str(&format!(
        "   {} in all, at most {} in one execution\n",
        counted(counts.events, "event"),
        grouped(counts.max_events)
    ));
    let mut used = vec![format!("{} of time", seconds(report.usage.time_s))];
    used.extend(report.usage.cpu_s.map(|cpu| format!("{} of processor", seconds(cpu))));
    used.extend(report.usage.peak_rss_bytes.map(|peak| format!("{} of memory", bytes(peak))));
    // A rate says nothing about a check that is over at once.
    if report.usage.time_s > 0.1 {
        let rate = counts.executions as f64 / report.usage.time_s;
        used.push(format!("{} executions per second", grouped(rate as u64)));
    }
    out + &format!("   {}\n", used.join(", "))
}

fn states(litmus: &Litmus, detail: Detail, colour: Colour) -> String {
    if litmus.states.is_empty() {
        return String::new();
    }
    let satisfying = litmus.states.iter().filter(|s| s.satisfies).count() as u64;
    let all = litmus.states.len() as u64;
    let mut out = match litmus.condition {
        Some(_) => {
            format!("\n   final states; * marks those in which the formula is true ({satisfying} of {all})\n")
        }
        None => "\n   final states\n".to_string(),
    };
    let limit = if detail == Detail::Verbose { usize::MAX } else { STATES };
    for state in litmus.states.iter().take(limit) {
        let mark = if state.satisfies && litmus.condition.is_some() { '*' } else { ' ' };
        let line = format!("   {mark} {}", state.text);
        let line = line.trim_end();
        out.push_str(&if state.satisfies { colour.paint(Tone::Strong, line) } else { line.to_string() });
        out.push('\n');
    }
    if litmus.states.len() > limit {
        let rest = counted((litmus.states.len() - limit) as u64, "state");
        out.push_str(&format!("   ... and {rest} more; -v prints all\n"));
    }
    out
}

/// The litmus test's own execution.
fn shown(report: &Report<'_>, litmus: &Litmus, colour: Colour) -> String {
    let Some((state, witness)) = &litmus.shown else {
        return String::new();
    };
    let story = story::execution(&report.scene(witness), (report.model, report.xmm_rules), colour);
    let title = if state.is_empty() {
        "one execution".to_string()
    } else {
        format!("an execution that ends with {state}")
    };
    let replay = replay_line(report.replay.shown.as_ref());
    format!("\n   {}\n{story}{replay}", colour.paint(Tone::Strong, &title))
}

fn violations(report: &Report<'_>, colour: Colour) -> String {
    let all = &report.outcome.violations;
    let mut out = String::new();
    let alone = all.len() == 1 && counts_against(report, all[0].kind);
    for (at, violation) in all.iter().take(STORIES).enumerate() {
        let scene = report.scene(&violation.witness);
        let headline = story::headline(&scene, violation);
        // A single violation stands in the verdict line already.
        if alone && report.verdict() == Verdict::Violation {
            out.push('\n');
        } else {
            out.push_str(&format!("\n   {}\n", colour.paint(Tone::Bad, &headline)));
        }
        out.push_str(&story::violation(&scene, violation, (report.model, report.xmm_rules), colour));
        if !counts_against(report, violation.kind) {
            out.push_str("   = a race does not change the verdict of a litmus test\n");
        }
        out.push_str(&replay_line(report.replay.violations.get(at).and_then(Option::as_ref)));
    }
    for violation in all.iter().skip(STORIES) {
        let headline = story::headline(&report.scene(&violation.witness), violation);
        out.push_str(&format!("\n   {}\n", colour.paint(Tone::Bad, &headline)));
    }
    if all.len() > STORIES {
        out.push_str("   = the last ones without their stories; --json has all\n");
    }
    out
}

/// A short name for pictures and tables: file without folders, and model.
pub fn title(report: &Report<'_>) -> String {
    format!("{} ({})", base_name(report.file), report.model.name())
}
