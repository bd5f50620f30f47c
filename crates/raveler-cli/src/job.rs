//! One check, from the options to everything that a report needs.

use std::time::{Duration, Instant};

use raveler_core::outcome::StopReason;
use raveler_core::{Flow, Outcome, Settings, SiteId, SourceMap};
use raveler_report::{Locks, Names, Notes, Report, Standing, Stop, Usage};

use crate::front_ends::{Findings, Loaded, Watching};
use crate::limits::{Limits, Progress};
use crate::refusal::{Refusal, code};
use crate::watch::Printer;

/// One check, as the command line asks for it.
pub struct Job<'a> {
    /// No progress?
    pub quiet: bool,
    /// Are all executions printed?
    pub print_executions: bool,
    /// Is the first execution to be kept?
    pub wants_first: bool,
    /// When to stop; the clock runs since before the file was read.
    pub limits: &'a Limits,
}

/// A check that was run.
pub struct Checked {
    /// What was found.
    pub findings: Findings,
    settings: Settings,
    names: Names,
    stop: Option<Stop>,
    usage: Usage,
}

impl Job<'_> {
    /// Run it.
    pub fn run(&self, loaded: &Loaded, mut settings: Settings) -> Result<Checked, Refusal> {
        // All states of a litmus test are wanted, whatever else is found.
        settings.all |= loaded.lang == "litmus";
        let names = loaded.program.names();
        let limits = self.limits;
        let sources = loaded.program.sources();
        let printer = self.print_executions.then(|| Printer::new(&sources, &names));
        let guess = || guess(loaded, &settings, limits);
        let progress = if self.quiet { Progress::Hidden } else { Progress::Shown(&guess) };
        let began = Instant::now();
        let findings = limits.guard(progress, || {
            let watching = Watching { limits, printer: printer.as_ref(), wants_first: self.wants_first };
            loaded.program.check(&settings, watching)
        });
        if let Some(StopReason::Unsupported { message, site }) = &findings.outcome.stopped {
            return Err(unsupported(loaded, message, *site));
        }
        let counts = &findings.outcome.counts;
        assert!(
            findings.outcome.stopped.is_some()
                || !findings.outcome.violations.is_empty()
                || counts.executions + counts.blocked + counts.cut > 0,
            "the search came to its end without any execution, and without one that was blocked"
        );
        let stop = match findings.outcome.stopped {
            Some(StopReason::MaxExecutions) => settings.max_executions.map(Stop::MaxExecutions),
            Some(StopReason::Observer) => limits.cause(),
            _ => None,
        };
        // The limits count from the beginning; what is told is how long the search took.
        let usage = Usage { time_s: began.elapsed().as_secs_f64(), ..limits.usage() };
        Ok(Checked { settings, findings, names, stop, usage })
    }
}

/// How many executions there may be, for the line of progress: what a few walks say in a moment.
fn guess(loaded: &Loaded, settings: &Settings, limits: &Limits) -> f64 {
    let moment = Instant::now() + Duration::from_millis(100);
    let keep_going = &mut || Instant::now() < moment && limits.flow() == Flow::Continue;
    let settings = Settings { model: settings.model.causal(), ..settings.clone() };
    loaded.program.estimate(&settings, 200, 1, keep_going).executions
}

impl Checked {
    /// A program that could not even be read before its limits were reached.
    pub fn unread(settings: Settings, limits: &Limits) -> Checked {
        let outcome = Outcome { stopped: Some(StopReason::Observer), ..Outcome::default() };
        let notes = Notes { standing: Some(Standing::Reading), ..Notes::default() };
        Checked {
            findings: Findings { outcome, litmus: None, notes, first: None },
            settings,
            names: Names::default(),
            stop: limits.cause(),
            usage: limits.usage(),
        }
    }

    /// What there is to report.
    pub fn report<'a>(&'a self, file: &'a str, lang: &'a str, sources: &'a SourceMap) -> Report<'a> {
        Report {
            file,
            lang,
            model: self.settings.model,
            equivalence: self.settings.equivalence,
            locks: match self.settings.locks {
                raveler_core::Locks::Aware => Locks::Aware,
                raveler_core::Locks::Ordered => Locks::Ordered,
            },
            xmm_rules: self.settings.xmm_rules,
            lb_races: self.settings.lb_races,
            outcome: &self.findings.outcome,
            sources,
            names: &self.names,
            litmus: self.findings.litmus.clone(),
            notes: &self.findings.notes,
            stop: self.stop.clone(),
            usage: self.usage,
        }
    }
}

/// The program does something that the engine cannot follow: as much a refusal as one by the front-end.
fn unsupported(loaded: &Loaded, message: &str, site: SiteId) -> Refusal {
    let sources = loaded.program.sources();
    let help = "write this differently; `raveler explain E0005` says more";
    let mut refusal = Refusal::about(&loaded.file, code::UNSUPPORTED, message.to_string(), help);
    if let Some(site) = sources.site(site).filter(|site| site.file.is_none()) {
        let lines = sources.text.split_inclusive('\n');
        let before: usize = lines.take((site.line as usize).saturating_sub(1)).map(str::len).sum();
        let start = before + (site.column as usize).saturating_sub(1);
        // The text is that of the whole statement, which may begin before the place: mark no further than its line.
        let line = sources.text.get(start..).and_then(|rest| rest.lines().next()).map_or(1, str::len);
        refusal.diagnostics[0].span = Some(start..start + site.text.len().min(line.max(1)).max(1));
        refusal.source = sources.text.clone();
    }
    refusal
}
