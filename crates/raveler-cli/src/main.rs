//! The command `raveler`. A check is three calls: a front-end reads the file, the engine explores it, a report
//! says what was found. Everything that decides lives in the other crates.

mod args;
mod compare;
mod crash;
mod explain;
mod front_ends;
mod job;
mod limits;
mod output;
mod properties;
mod refusal;
mod replay;
mod token;
mod watch;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use raveler_core::{Engine, Flow, Settings, SourceMap, Verdict};
use raveler_report::Report;
use raveler_report::text::{self, Detail};
use raveler_report::{estimate as estimates, json, report::equivalence_name};

use args::{Check, Cli, ColourWhen, Command, Estimate, Search, Unroll};
use front_ends::{Loaded, Source};
use job::{Checked, Job};
use limits::{Limits, Progress};
use output::{choose_colours, colour_of, complain, draw, print, writable};
use properties::Properties;
use refusal::{Refusal, code};

/// The exit codes.
mod exit {
    pub const VERIFIED: u8 = 0;
    pub const VIOLATION: u8 = 1;
    pub const REFUSED: u8 = 2;
    pub const INCONCLUSIVE: u8 = 3;
    pub const INTERNAL: u8 = 4;
}

fn main() -> ExitCode {
    let json = std::env::args_os().skip(1).take_while(|arg| arg != "--").any(|arg| arg == "--json");
    let parsed = Cli::command().try_get_matches();
    let parsed = parsed.and_then(|matches| Cli::from_arg_matches(&matches).map(|cli| (cli, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return ExitCode::from(usage_error(&error, json)),
    };
    crash::install();
    let code = crash::guard(move || run(cli, &matches)).unwrap_or_else(|what| {
        if json {
            print(&json::line(&json::error(&format!("internal error: {what}"))));
        }
        complain(&crash::message(&what));
        exit::INTERNAL
    });
    ExitCode::from(code)
}

/// Help and version are answers; everything else is bad usage.
fn usage_error(error: &clap::Error, json: bool) -> u8 {
    if !error.use_stderr() {
        let _ = error.print();
        return exit::VERIFIED;
    }
    if json {
        let text = error.render().to_string();
        let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        print(&json::line(&json::error(first)));
    }
    let _ = error.print();
    exit::REFUSED
}

/// Does an option of a command stand on the command line?
fn is_given(matches: &ArgMatches, option: &str) -> bool {
    let Some((_, command)) = matches.subcommand() else { return false };
    let id = option.replace('-', "_");
    let is_known = command.try_contains_id(&id).is_ok();
    is_known && command.value_source(&id) == Some(ValueSource::CommandLine)
}

fn run(cli: Cli, matches: &ArgMatches) -> u8 {
    let (json, colour, no_cache) = match &cli.command {
        Command::Check(c) => (c.output.json, c.output.color, c.input.no_cache),
        Command::Compare(c) => (c.output.json, c.output.color, c.input.no_cache),
        Command::Estimate(c) => (c.output.json, c.output.color, c.input.no_cache),
        Command::Explain { .. } => (false, ColourWhen::Auto, true),
    };
    choose_colours(colour);
    if !no_cache {
        raveler_c::use_cache();
    }
    let done = match cli.command {
        Command::Check(check) => match check.search.replay.clone() {
            Some(token) => replay::run(check, &token, &|option| is_given(matches, option)),
            None => run_check(check),
        },
        Command::Compare(compare) => compare::run(&compare),
        Command::Estimate(estimate) => run_estimate(&estimate),
        Command::Explain { code } => run_explain(&code),
    };
    done.unwrap_or_else(|refusal| {
        if json {
            print(&refusal.json());
        }
        complain(&refusal.text(colour_of(&std::io::stderr())));
        exit::REFUSED
    })
}

fn run_check(mut check: Box<Check>) -> Result<u8, Refusal> {
    let limits = limits_of(&check.search, limits::interrupt_flag());
    let properties = Properties::new(&check.search.properties);
    let job = Job {
        quiet: check.quiet,
        print_executions: check.print_executions,
        wants_first: check.graph.is_some(),
        examples: 0,
        limits: &limits,
        properties: &properties,
    };
    let settings = check.search.settings()?;
    let source = Source::read(&check.input)?;
    if let Some(path) = &check.graph {
        writable(path)?;
    }
    let loaded = match source.load(&check.search, &check.clang_flags, &limits) {
        Ok(loaded) => loaded,
        Err(_) if limits.cause().is_some() => {
            let unread = Checked::unread(settings, &limits);
            let nothing = SourceMap::default();
            let report = unread.report(source.file(), source.lang(), &nothing);
            return Ok(tell(&check, &report));
        }
        Err(refusal) => return Err(refusal),
    };
    let (loaded, mut checked) = match check.search.unroll {
        Some(Unroll::Auto) => {
            let (rounds, loaded, checked) = deepen(&job, loaded, &settings)?;
            check.search.unroll = Some(Unroll::Rounds(rounds));
            (loaded, checked)
        }
        _ => {
            let checked = job.run(&loaded, settings)?;
            (loaded, checked)
        }
    };
    checked.replay = replay::tokens(&check, &loaded, &checked);
    Ok(finish(&check, &loaded, &checked))
}

/// Check with a bound on the rounds of loops that grows, until nothing is cut, something is wrong, or a limit ends it; gives
/// the last bound.
fn deepen(job: &Job<'_>, mut loaded: Loaded, settings: &Settings) -> Result<(u32, Loaded, Checked), Refusal> {
    let (mut rounds, mut covered) = (1, None);
    loop {
        if let Some(program) = loaded.program.unrolled(rounds) {
            loaded.program = program;
        }
        let mut checked = job.run(&loaded, settings.clone())?;
        let notes = &mut checked.findings.notes;
        covered = notes.covered.or(covered);
        // Where threads could not be started, more rounds may still show something, if loops were cut too.
        let goes_on = notes.not_started.is_some() && !notes.cut_loops.is_empty() && !notes.out_of_stack;
        let is_over = notes.covered.is_none() && !goes_on;
        notes.covered = covered;
        let outcome = &checked.findings.outcome;
        let is_over = is_over || outcome.stopped.is_some();
        if is_over || !outcome.violations.is_empty() || outcome.counts.cut == 0 {
            return Ok((rounds, loaded, checked));
        }
        rounds += (rounds / 2).max(1);
    }
}

/// Tell what was found, and draw it if that is wanted; gives the exit code.
fn finish(check: &Check, loaded: &Loaded, checked: &Checked) -> u8 {
    let sources = loaded.program.sources();
    let report = checked.report(&loaded.file, loaded.lang, &sources);
    let code = tell(check, &report);
    // Last, so that what was found is told even if the picture cannot be written after all.
    if let Some(path) = &check.graph
        && let Err(refusal) = draw(path, &report, &checked.findings)
    {
        complain(&refusal.text(colour_of(&std::io::stderr())));
    }
    code
}

fn limits_of(search: &Search, interrupt: Arc<AtomicBool>) -> Limits {
    Limits::new(search.timeout, search.max_memory, interrupt)
}

/// Print the report; gives the exit code.
fn tell(check: &Check, report: &Report<'_>) -> u8 {
    if check.output.json {
        print(&json::line(&json::result(report)));
    } else {
        let detail = match (check.quiet, check.verbose) {
            (true, _) => Detail::Quiet,
            (_, true) => Detail::Verbose,
            _ => Detail::Normal,
        };
        print(&text::render(report, detail, colour_of(&std::io::stdout())));
    }
    exit_code(report.verdict())
}

fn run_estimate(estimate: &Estimate) -> Result<u8, Refusal> {
    replay::refuse(&estimate.search, "estimate")?;
    estimate.search.fits_other_commands("estimate")?;
    let asked = estimate.search.settings()?;
    if let Some(random) = asked.random {
        let help = "leave it out: `--seed` and `--probes` say which walks an estimate makes";
        let option = if random.depth.is_some() { "--pct" } else { "--random" };
        let message = format!("`{option}` does not go together with `raveler estimate`");
        return Err(Refusal::usage(code::BAD_OPTION, message, help));
    }
    if asked.lb_races {
        let help = "leave it out: `raveler check --report lb-races` lists them";
        let message = "`--report lb-races` does not go together with `raveler estimate`".to_string();
        return Err(Refusal::usage(code::BAD_OPTION, message, help));
    }
    if asked.engine == Engine::Interleaving {
        let message = "`raveler estimate` knows no interleavings".to_string();
        let help = "leave `--engine` out: the number of graphs is the number of distinct executions";
        return Err(Refusal::usage(code::BAD_OPTION, message, help));
    }
    // Walks are made event by event, which leads to the executions of the model that it is built on.
    let (model, reductions) = (asked.model.causal(), asked.reductions_in_force());
    let settings = Settings { model, reductions, ..asked.clone() };
    let limits = limits_of(&estimate.search, limits::interrupt_flag());
    let source = Source::read(&estimate.input)?;
    let (guess, reduced) = match source.load(&estimate.search, &estimate.clang_flags, &limits) {
        Ok(loaded) => limits.guard(Progress::Hidden, || {
            let keep_going = &mut || limits.flow() == Flow::Continue;
            loaded.program.estimate(&settings, estimate.probes, estimate.seed, keep_going)
        }),
        Err(_) if limits.cause().is_some() => Default::default(),
        Err(refusal) => return Err(refusal),
    };
    let file = source.file();
    if guess.probes == 0 && limits.cause().is_none() {
        let message = "not a single walk came to an end".to_string();
        let help = "`raveler check` says what is in the way";
        return Err(Refusal::about(file, code::UNSUPPORTED, message, help));
    }
    let answer = estimates::Estimate {
        schema: json::SCHEMA,
        raveler: json::VERSION.to_string(),
        file: file.to_string(),
        model: asked.model.name().to_string(),
        equivalence: equivalence_name(settings.equivalence).to_string(),
        probes: guess.probes,
        seed: estimate.seed,
        executions: guess.executions,
        std_error: guess.error,
        largest: guess.largest,
        blocked: guess.blocked,
        cut: guess.cut,
        failed: guess.failed,
        time_s: limits.usage().time_s,
        reductions: reduced.names().into_iter().map(String::from).collect(),
        note: (settings.model != asked.model).then(|| {
            let [part, whole] = [settings.model.name(), asked.model.name()];
            format!("only the executions that {part} has too are estimated; {whole} may have more")
        }),
    };
    if estimate.output.json {
        print(&json::line(&answer));
    } else {
        print(&estimates::render(&answer, colour_of(&std::io::stdout())));
    }
    let inconclusive = guess.probes < estimate.probes || answer.says_nothing();
    Ok(if inconclusive { exit::INCONCLUSIVE } else { exit::VERIFIED })
}

fn run_explain(code: &str) -> Result<u8, Refusal> {
    if code == "list" {
        print(&explain::list());
        return Ok(exit::VERIFIED);
    }
    let page = explain::page(code).ok_or_else(|| {
        let help = "codes look like E0101; `raveler explain list` shows all";
        Refusal::usage(code::BAD_OPTION, format!("there is no code `{code}`"), help)
    })?;
    print(page);
    Ok(exit::VERIFIED)
}

fn exit_code(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Verified => exit::VERIFIED,
        Verdict::Violation => exit::VIOLATION,
        Verdict::Inconclusive => exit::INCONCLUSIVE,
    }
}
