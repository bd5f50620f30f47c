//! What a search that was cut short covered, and what cut it.

use raveler_core::Verdict;
use raveler_core::outcome::{Priorities, StopReason};

use super::{cut_loops, not_started, nothing_found, standing};
use crate::paint::{Colour, bytes, counted, grouped, seconds};
use crate::report::{Report, Stop};
use crate::story;

/// What stopped the search, in words.
pub fn stopped_by(report: &Report<'_>) -> String {
    match (&report.stop, &report.outcome.stopped) {
        (None, None) if report.replay.verdict == Some(Verdict::Inconclusive) => {
            "the check that found this execution did not see all of them".to_string()
        }
        (_, Some(StopReason::Unsupported { message, .. })) => message.clone(),
        (Some(Stop::Timeout(limit)), _) => format!("stopped after {limit} s (--timeout {limit})"),
        (Some(Stop::Memory(limit)), _) => {
            format!("stopped when it used more than {} (--max-memory {limit})", bytes(*limit))
        }
        (Some(Stop::MaxExecutions(limit)), _) => {
            format!("stopped after {} (--max-executions {limit})", counted(*limit, "execution"))
        }
        (Some(Stop::Walks), _) => {
            let walks = counted(report.outcome.walks, "random walk");
            format!("no violation in {walks}, which need not show all executions")
        }
        (Some(Stop::Preemptions), _) => {
            let bound = report.preemption_bound.unwrap_or_default();
            let preemptions = counted(u64::from(bound), "preemption");
            format!("no violation in runs with at most {preemptions} (--preemption-bound {bound})")
        }
        (Some(Stop::Rounds(most)), _) => {
            format!("executions were executed again in {most} rounds, each of which made others possible")
        }
        (Some(Stop::Interrupted), _) => "interrupted".to_string(),
        (None, None) if report.outcome.counts.cut == 0 && report.outcome.bound_met => full_buffer(report),
        (None, None) => match report.notes.unroll {
            _ if report.notes.out_of_stack => match report.notes.stack {
                Some(limit) => {
                    format!("some thread needs more than {} of stack (--max-stack {limit})", bytes(limit))
                }
                None => "calls inside each other have no end in sight".to_string(),
            },
            _ if report.notes.not_started.is_some() && report.notes.cut_loops.is_empty() => {
                "there is no end of threads in sight".to_string()
            }
            Some(rounds) => format!("some loops go round more than {rounds} times (--unroll {rounds})"),
            None => "a loop has no end in sight".to_string(),
        },
        (None, _) => "stopped before everything was seen".to_string(),
    }
}

/// The bound on store buffers was met.
fn full_buffer(report: &Report<'_>) -> String {
    let room = report.buffer_bound.unwrap_or_default();
    let stores = counted(u64::from(room), "store");
    format!("some store buffer could hold more than {stores} (--buffer-bound {room})")
}

/// What a search that was cut short covered.
pub(super) fn covered(report: &Report<'_>, colour: Colour) -> String {
    let executions = report.outcome.counts.executions;
    let verb = if executions == 1 { "was" } else { "were" };
    let mut out = format!("   = {} {verb} checked completely", counted(executions, "execution"));
    if let Some(litmus) = &report.litmus {
        out.push_str(&format!(", with {}", counted(litmus.states.len() as u64, "state")));
    }
    if report.outcome.violations.is_empty() {
        out.push_str(if executions == 1 { "; no violation in it" } else { "; no violation in them" });
    }
    out.push_str(&format!("; {}\n", seconds(report.usage.time_s)));
    if let Some(rounds) = report.notes.covered.filter(|_| report.outcome.violations.is_empty()) {
        let rounds = counted(u64::from(rounds), "round");
        out.push_str(&format!("   = {} with at most {rounds} of each loop\n", nothing_found(report)));
    }
    if let Some(litmus) = report.litmus.as_ref().filter(|l| l.condition.is_some()) {
        out.push_str(match litmus.holds {
            Some(true) => "   = a state seen so far already makes the condition hold\n",
            Some(false) => "   = a state seen so far already makes the condition fail\n",
            None => "   = the states seen so far do not decide the condition\n",
        });
    }
    out.push_str(&walks(report));
    out.push_str(&preemptions(report));
    if report.outcome.counts.cut > 0 {
        out.push_str(&cut_loops(report, colour));
        if let Some(message) = not_started(report) {
            let help = "what happens before that was checked; let the program start fewer, for instance by a count that \
                        ends it";
            out.push_str(&format!("   = {message}\n{}\n", story::help_line(help, colour)));
        }
        if report.notes.out_of_stack && report.notes.stack.is_some() {
            out.push_str(&(story::help_line("a larger --max-stack", colour) + "\n"));
        }
    }
    if report.outcome.bound_met {
        if report.outcome.counts.cut > 0 || report.outcome.stopped.is_some() {
            out.push_str(&format!("   = {}\n", full_buffer(report)));
        }
        let help = "a larger --buffer-bound; without the option a buffer holds all stores that come";
        out.push_str(&(story::help_line(help, colour) + "\n"));
    }
    if let Some(standing) = standing(report) {
        out.push_str(&format!("   = {standing}\n"));
    }
    let help = match report.stop {
        Some(Stop::Timeout(_)) => "a larger --timeout; `raveler estimate` says how large the search may be",
        Some(Stop::Memory(_)) => "a larger --max-memory",
        Some(Stop::MaxExecutions(_)) => "a larger --max-executions",
        Some(Stop::Walks) => "a larger --max-executions makes more walks, another --random makes others",
        Some(Stop::Preemptions) => "a larger --preemption-bound; without the option all runs are covered",
        Some(Stop::Rounds(_)) => "bound the values that the program computes (docs/xmm.md, \"Rounds\")",
        Some(Stop::Interrupted) | None => return out,
    };
    out + &story::help_line(help, colour) + "\n"
}

/// What is covered of runs with few preemptions.
pub(super) fn preemptions(report: &Report<'_>) -> String {
    let Some(bound) = report.preemption_bound else { return String::new() };
    match report.outcome.preemptions {
        Some(covered) => {
            let preemptions = counted(u64::from(covered), "preemption");
            format!("   all runs with at most {preemptions} were seen (--preemption-bound {bound})\n")
        }
        None => format!("   not even all runs without preemptions were seen (--preemption-bound {bound})\n"),
    }
}

/// How random walks ended.
pub(super) fn walks(report: &Report<'_>) -> String {
    let Some(random) = report.random else { return String::new() };
    let (made, counts) = (report.outcome.walks, &report.outcome.counts);
    let mut ends = vec![format!("{} complete", grouped(counts.executions))];
    let others = [(counts.blocked, "blocked"), (counts.failed, "failed"), (counts.cut, "cut")];
    ends.extend(others.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", grouped(n))));
    let mut lost = made.saturating_sub(counts.executions + counts.blocked + counts.failed + counts.cut);
    let last = match &report.outcome.stopped {
        Some(StopReason::Violation) => "1 up to a violation",
        Some(StopReason::Observer) => "1 not to its end",
        _ => "",
    };
    if lost > 0 && !last.is_empty() {
        lost -= 1;
        ends.push(last.to_string());
    }
    if lost > 0 {
        ends.push(format!("{} came to nothing", grouped(lost)));
    }
    let walks = counted(made, "random walk");
    let Some(depth) = random.depth else {
        return format!("   {walks} (--random {}): {}\n", random.seed, ends.join(", "));
    };
    let mut out =
        format!("   {walks} by priorities (--pct {depth} --random {}): {}\n", random.seed, ends.join(", "));
    if let Some(Priorities { processes, steps }) = report.outcome.priorities {
        let power = match depth {
            1 => String::new(),
            2 => format!("·{steps}"),
            _ => format!("·{steps}^{}", depth - 1),
        };
        out.push_str(&format!(
            "   n = {processes} {}, k = {}: a mistake of depth {depth} shows in a walk with a probability of at least \
             1/({processes}{power})\n",
            if processes == 1 { "process" } else { "processes" },
            counted(u64::from(steps), "step"),
        ));
    }
    out
}
