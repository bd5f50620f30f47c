//! One check, from the options to everything that a report needs.

use std::time::{Duration, Instant};

use raveler_core::outcome::StopReason;
use raveler_core::{Engine, Flow, Outcome, Settings, SiteId, SourceMap, Verdict};
use raveler_report::{Locks, Names, Notes, Replays, Report, Standing, Stop, Usage};

use crate::front_ends::{Findings, Loaded, Watching};
use crate::limits::{Limits, Progress};
use crate::properties::Properties;
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
    /// For how many final states or outcomes is an execution kept?
    pub examples: usize,
    /// When to stop; the clock runs since before the file was read.
    pub limits: &'a Limits,
    /// What is looked for.
    pub properties: &'a Properties,
}

/// A check that was run.
pub struct Checked {
    /// What was found.
    pub findings: Findings,
    settings: Settings,
    names: Names,
    stop: Option<Stop>,
    usage: Usage,
    /// How to run the shown executions again.
    pub replay: Replays,
}

impl Job<'_> {
    /// Run it.
    pub fn run(&self, loaded: &Loaded, mut settings: Settings) -> Result<Checked, Refusal> {
        // All states of a litmus test are wanted, whatever else is found.
        settings.all |= loaded.lang == "litmus";
        let check = |settings: &Settings, watching: Watching<'_>| loaded.program.check(settings, watching);
        self.run_with(loaded, settings, check)
    }

    /// The same for what `check` does.
    pub fn run_with(
        &self,
        loaded: &Loaded,
        mut settings: Settings,
        check: impl FnOnce(&Settings, Watching<'_>) -> Findings,
    ) -> Result<Checked, Refusal> {
        self.properties.narrow(&mut settings);
        let names = loaded.program.names();
        let limits = self.limits;
        let sources = loaded.program.sources();
        let printer = self.print_executions.then(|| Printer::new(&sources, &names));
        let guess = || guess(loaded, &settings, limits);
        // Walks down the tree of graphs say nothing about runs.
        let no_guess = || settings.random.map_or(0.0, |random| random.walks as f64);
        let progress = match settings.engine {
            _ if self.quiet => Progress::Hidden,
            Engine::Graph => Progress::Shown(&guess),
            Engine::Interleaving => Progress::Shown(&no_guess),
        };
        let began = Instant::now();
        let mut findings = limits.guard(progress, || {
            let Job { wants_first, examples, properties, .. } = *self;
            let watching = Watching { limits, printer: printer.as_ref(), wants_first, examples, properties };
            check(&settings, watching)
        });
        findings.notes.properties = self.properties.wanted().to_vec();
        findings.notes.warnings.extend(self.properties.warnings());
        findings.notes.covered = covered(&findings);
        if let Some(StopReason::Unsupported { message, site }) = &findings.outcome.stopped
            && findings.outcome.violations.is_empty()
        {
            return Err(unsupported(loaded, message, *site));
        }
        let counts = &findings.outcome.counts;
        assert!(
            findings.outcome.stopped.is_some()
                || !findings.outcome.violations.is_empty()
                || counts.executions + counts.blocked + counts.cut + counts.failed > 0,
            "the search came to its end without any execution, and without one that was blocked"
        );
        let stop = match findings.outcome.stopped {
            Some(StopReason::MaxExecutions) => settings.max_executions.map(Stop::MaxExecutions),
            Some(StopReason::Walks) => Some(Stop::Walks),
            Some(StopReason::Preemptions) => Some(Stop::Preemptions),
            Some(StopReason::Rounds(most)) => Some(Stop::Rounds(most)),
            Some(StopReason::Observer) => limits.cause(),
            _ => None,
        };
        // The limits count from the beginning; what is told is how long the search took.
        let usage = Usage { time_s: began.elapsed().as_secs_f64(), ..limits.usage() };
        Ok(Checked { settings, findings, names, stop, usage, replay: Replays::default() })
    }
}

/// Up to how many rounds of each loop everything was seen, where that is bounded.
fn covered(findings: &Findings) -> Option<u32> {
    let Findings { outcome, notes, .. } = findings;
    let is_whole =
        outcome.stopped.is_none() && !notes.out_of_stack && notes.not_started.is_none() && !outcome.bound_met;
    notes.unroll.filter(|_| is_whole)
}

/// How many executions there may be, for the line of progress: what a few walks say in a moment.
fn guess(loaded: &Loaded, settings: &Settings, limits: &Limits) -> f64 {
    if let Some(random) = settings.random {
        return random.walks as f64;
    }
    let moment = Instant::now() + Duration::from_millis(100);
    let keep_going = &mut || Instant::now() < moment && limits.flow() == Flow::Continue;
    let (model, reductions) = (settings.model.causal(), settings.reductions_in_force());
    let settings = Settings { model, reductions, ..settings.clone() };
    loaded.program.estimate(&settings, 200, 1, keep_going).0.executions
}

impl Checked {
    /// A program that could not even be read before its limits were reached.
    pub fn unread(settings: Settings, limits: &Limits) -> Checked {
        let outcome = Outcome { stopped: Some(StopReason::Observer), ..Outcome::default() };
        let notes = Notes { standing: Some(Standing::Reading), ..Notes::default() };
        Checked {
            findings: Findings { outcome, litmus: None, notes, first: None, examples: Vec::new() },
            settings,
            names: Names::default(),
            stop: limits.cause(),
            usage: limits.usage(),
            replay: Replays::default(),
        }
    }

    /// With which settings it was run.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The verdict of the report.
    pub fn verdict(&self, loaded: &Loaded) -> Verdict {
        self.report(&loaded.file, loaded.lang, &loaded.program.sources()).verdict()
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
            random: self.settings.random,
            lb_races: self.settings.lb_races,
            buffer_bound: self.settings.buffer_bound,
            preemption_bound: self.settings.preemption_bound,
            reduction: self.settings.reduction,
            engine: self.settings.engine,
            outcome: &self.findings.outcome,
            sources,
            names: &self.names,
            litmus: self.findings.litmus.clone(),
            notes: &self.findings.notes,
            stop: self.stop.clone(),
            usage: self.usage,
            replay: self.replay.clone(),
        }
    }
}

/// The program does something that the engine cannot follow: as much a refusal as one by the front-end.
fn unsupported(loaded: &Loaded, message: &str, site: SiteId) -> Refusal {
    let sources = loaded.program.sources();
    let help = if message.contains("a part of an atomic object is written") {
        "--model sc and --model tso know such stores; for other models store the whole, or use a lock"
    } else if message.contains("of 16 bytes are only known under") {
        "for other models let a pointer and its tag share 8 bytes (pointers have 47 bits), or use a lock"
    } else {
        "write this differently; `raveler explain E0005` says more"
    };
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
