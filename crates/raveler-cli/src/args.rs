//! The command line: what can be asked, and what of it is not there yet.
//!
//! This file is long because all options and their help stand in one place.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use raveler_core::{
    Engine, Equivalence, Locks, Model, RandomWalks, Reductions, Settings, ViolationKind, XmmRules,
};

use crate::properties;
use crate::refusal::{Refusal, code};

/// A model checker for concurrent programs: every execution that the memory model allows, each once.
#[derive(Parser, Debug)]
#[command(name = "raveler", version, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 verified, 1 violation, 2 bad input or usage, 3 inconclusive, 4 a bug in raveler."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check a program: explore all its executions
    Check(Box<Check>),
    /// Check a file twice, with two sets of options, and show what differs
    Compare(Compare),
    /// Guess how many executions a check would have to explore
    Estimate(Box<Estimate>),
    /// Explain the code of a message, such as E0101
    Explain {
        /// The code; `list` shows all
        code: String,
    },
}

/// `raveler check`.
#[derive(Args, Debug)]
pub struct Check {
    #[command(flatten)]
    pub input: Input,
    /// Flags for clang (C programs)
    #[arg(last = true, value_name = "FLAGS-FOR-CLANG")]
    pub clang_flags: Vec<String>,
    #[command(flatten)]
    pub search: Search,
    #[command(flatten)]
    pub output: Output,
    /// Draw the shown execution (the violation's, else the first) into a file
    #[arg(long, value_name = "FILE.{dot,svg}", value_parser = picture_path, help_heading = "Output")]
    pub graph: Option<PathBuf>,
    /// Print every execution as text
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    pub print_executions: bool,
    /// Say more: statistics, all states
    #[arg(short, long, conflicts_with = "quiet", help_heading = "Output")]
    pub verbose: bool,
    /// Say less: only the verdict
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

/// `raveler compare`.
#[derive(Args, Debug)]
#[command(
    after_help = "Both sides go on after the first violation. Exit codes: 0 no difference, 1 some, 2 bad input or usage, \
                  3 a side is inconclusive, 4 a bug in raveler."
)]
pub struct Compare {
    #[command(flatten)]
    pub input: Input,
    /// Options of the first check, such as "--model sc"
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    pub left: String,
    /// Options of the second check, such as "--model tso"
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    pub right: String,
    /// Flags for clang (C programs)
    #[arg(last = true, value_name = "FLAGS-FOR-CLANG")]
    pub clang_flags: Vec<String>,
    #[command(flatten)]
    pub output: Output,
}

/// `raveler estimate`.
#[derive(Args, Debug)]
pub struct Estimate {
    #[command(flatten)]
    pub input: Input,
    /// Flags for clang (C programs)
    #[arg(last = true, value_name = "FLAGS-FOR-CLANG")]
    pub clang_flags: Vec<String>,
    #[command(flatten)]
    pub search: Search,
    #[command(flatten)]
    pub output: Output,
    /// How many random walks to make
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub probes: u64,
    /// Where the random numbers start
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// What to read.
#[derive(Args, Debug)]
pub struct Input {
    /// The program; its suffix says the language; - reads standard input and needs --lang. Several C files, or a folder of
    /// them, are one program
    #[arg(value_name = "FILE", required_unless_present = "compile_commands")]
    pub files: Vec<String>,
    /// The files and flags of a build: the folder of its compile_commands.json; all its files are one program, or the FILEs
    /// given (C programs)
    #[arg(long, value_name = "DIR")]
    pub compile_commands: Option<PathBuf>,
    /// The language, whatever the suffix
    #[arg(long)]
    pub lang: Option<String>,
    /// Compile C++ anew: do not look for it in the cache folder, and leave nothing there (so does RAVELER_NO_CACHE)
    #[arg(long)]
    pub no_cache: bool,
}

/// How to say it.
#[derive(Args, Debug)]
pub struct Output {
    /// The result as one JSON object on standard output
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// When to use colours; NO_COLOR is honoured
    #[arg(long, value_enum, default_value_t = ColourWhen::Auto, help_heading = "Output")]
    pub color: ColourWhen,
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ColourWhen {
    Auto,
    Always,
    Never,
}

/// How to search.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub struct Search {
    /// The memory model
    #[arg(long, default_value = Model::Rc20.name(), value_parser = model_name())]
    pub model: Model,
    /// What counts as one execution: who reads from whom, or also the order of writes [default: rf]
    #[arg(long, value_enum)]
    pub equivalence: Option<EquivalenceName>,
    /// Leave the order of critical sections open where it does not matter, or enumerate it [default: aware; ordered for xmm
    /// and interleaving]
    #[arg(long, value_enum)]
    pub locks: Option<LocksName>,
    /// Build executions as graphs, or run threads with store buffers step by step (sc, tso and pso)
    #[arg(long, value_enum, default_value_t = EngineName::Graph)]
    pub engine: EngineName,
    /// Report data races, or not [default: report for rc11, rc20 and xmm]
    #[arg(long, value_enum)]
    pub races: Option<RacesName>,
    /// Go on after the first violation; report each distinct one once
    #[arg(long)]
    pub all: bool,
    /// Workers; 0 takes all cores
    #[arg(short = 'j', value_name = "N", default_value_t = 1)]
    pub workers: usize,
    /// Stop after so many executions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_executions: Option<u64>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Stop when so many bytes of memory are in use; K, M and G are understood
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub max_memory: Option<u64>,
    /// A weak compare-exchange may fail although the values agree
    #[arg(long)]
    pub spurious_cas: bool,
    /// A thread that waits for a condition variable may wake up without a signal
    #[arg(long)]
    pub spurious_wakeups: bool,
    /// Report a spin that can never be satisfied
    #[arg(long, value_enum, default_value_t = Switch::On)]
    pub check_liveness: Switch,
    /// The function to start with (C programs) [default: main]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// The range of nondeterministic values (C programs)
    #[arg(long, value_name = "LO..HI", value_parser = range, allow_hyphen_values = true)]
    pub nondet: Option<(i64, i64)>,
    /// What a volatile access means (C programs) [default: plain]
    #[arg(long, value_enum)]
    pub volatile: Option<VolatileName>,
    /// At most N rounds of each loop; auto: of one round, of two, and so on until a limit (C programs)
    #[arg(long, value_name = "N|auto", value_parser = unroll)]
    pub unroll: Option<Unroll>,
    /// The kinds of violations to look for, with commas between them [default: all]
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = properties::kind)]
    pub properties: Vec<ViolationKind>,
    /// A thread's stack (C programs); K, M and G are understood. More is a violation, unless this is less than 8M
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub max_stack: Option<u64>,
    /// When xmm may execute an execution again [default: default]
    #[arg(long, value_name = "RULES", value_parser = xmm_rules())]
    pub xmm_rules: Option<XmmRules>,
    /// Report besides: load-buffering races (rc20 and xmm); distinct executions among the runs (interleaving)
    #[arg(long, value_enum)]
    pub report: Option<Extra>,
    /// At most K stores in a store buffer: one per thread (tso), one per thread and location (pso)
    #[arg(long, value_name = "K")]
    pub buffer_bound: Option<u32>,
    /// All runs with no preemption, then all with one, up to N (interleaving)
    #[arg(long, value_name = "N")]
    pub preemption_bound: Option<u32>,
    /// Walk at random instead of searching: as many walks as --max-executions says [default: 10000]
    #[arg(long, value_name = "SEED")]
    pub random: Option<u64>,
    /// Random walks by priorities that change DEPTH - 1 times, with the seed of --random [default: 1] (interleaving)
    #[arg(long, value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub pct: Option<u32>,
    /// What is left out beyond the equivalence: all, none, or names with commas between them (barriers, symmetry, counters, rounds); of interleavings,
    /// those that are equivalent (all or none)
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub reductions: String,
    /// Run the one execution that a report's token names; @FILE reads the token from a file. Options come from the token
    #[arg(long, value_name = "TOKEN")]
    pub replay: Option<String>,
}

/// The models by name, as the engine's table has them.
fn model_name() -> impl TypedValueParser<Value = Model> {
    PossibleValuesParser::new(Model::ALL.map(Model::name))
        .map(|name| Model::named(&name).expect("only names of models are possible"))
}

/// The rule sets of xmm by name, as the engine has them.
fn xmm_rules() -> impl TypedValueParser<Value = XmmRules> {
    PossibleValuesParser::new(XmmRules::ALL.map(XmmRules::name)).map(|name| {
        let named = XmmRules::ALL.into_iter().find(|rules| rules.name() == name);
        named.expect("only names of rule sets are possible")
    })
}

/// What counts as one execution, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EquivalenceName {
    Rf,
    Co,
}

/// How lock order is treated, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LocksName {
    Aware,
    Ordered,
}

/// The engines, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EngineName {
    Graph,
    Interleaving,
}

/// What to do about races.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum RacesName {
    Report,
    Ignore,
}

/// What a volatile access means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum VolatileName {
    /// A plain access, as the standards have it
    Plain,
    /// A relaxed atomic access, as kernels and old libraries mean it
    Relaxed,
}

/// A bound on the rounds of loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unroll {
    /// This many.
    Rounds(u32),
    /// More and more.
    Auto,
}

impl Unroll {
    /// The number, if it is one.
    pub fn rounds(self) -> Option<u32> {
        match self {
            Unroll::Rounds(rounds) => Some(rounds),
            Unroll::Auto => None,
        }
    }
}

/// On or off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

/// What else can be reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Extra {
    /// Load-buffering races
    LbRaces,
    /// Distinct executions among interleavings
    Classes,
}

/// How many random walks are made if nothing else is said.
const WALKS: u64 = 10_000;

/// Where random numbers start if nothing else is said.
const SEED: u64 = 1;

impl Search {
    /// The settings of the engine; a refusal if options do not fit together.
    pub fn settings(&self) -> Result<Settings, Refusal> {
        self.fits_model()?;
        self.fits_engine()?;
        let mut settings = Settings::new(self.model);
        settings.equivalence = match self.equivalence {
            Some(EquivalenceName::Rf) | None => Equivalence::ReadsFrom,
            Some(EquivalenceName::Co) => Equivalence::Coherence,
        };
        if self.engine == EngineName::Interleaving {
            settings.engine = Engine::Interleaving;
            settings.locks = Locks::Ordered;
        }
        if let Some(races) = self.races {
            settings.races = races == RacesName::Report;
        }
        settings.locks = match self.locks {
            Some(LocksName::Ordered) => Locks::Ordered,
            Some(LocksName::Aware) => Locks::Aware,
            None => settings.locks,
        };
        settings.all = self.all;
        settings.workers = match self.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        };
        settings.max_executions = self.max_executions;
        settings.spurious_cas = self.spurious_cas;
        settings.spurious_wakeups = self.spurious_wakeups;
        settings.liveness = self.check_liveness == Switch::On;
        settings.xmm_rules = self.xmm_rules.unwrap_or_default();
        settings.lb_races = self.report == Some(Extra::LbRaces);
        settings.buffer_bound = self.buffer_bound;
        if self.walks() {
            let (seed, walks) = (self.random.unwrap_or(SEED), self.max_executions.unwrap_or(WALKS));
            settings.locks = Locks::Ordered;
            settings.random = Some(RandomWalks { seed, walks, depth: self.pct });
        }
        settings.preemption_bound = self.preemption_bound;
        (settings.reduction, settings.reductions) = self.reduces()?;
        settings.classes = self.report == Some(Extra::Classes);
        Ok(settings)
    }

    /// Are random walks made instead of a search?
    pub fn walks(&self) -> bool {
        self.random.is_some() || self.pct.is_some()
    }

    /// What is left out beyond the equivalence: of interleavings, and of graphs.
    fn reduces(&self) -> Result<(bool, Reductions), Refusal> {
        let interleaves = self.engine == EngineName::Interleaving;
        match self.reductions.as_str() {
            "all" => return Ok((true, Reductions::ALL)),
            "none" => return Ok((false, Reductions::NONE)),
            names if interleaves => {
                let message = format!("`--reductions {names}`: those of interleavings have no names");
                return Err(Refusal::usage(code::BAD_OPTION, message, "say `all` or `none`"));
            }
            _ => {}
        }
        let mut reductions = Reductions::NONE;
        for name in self.reductions.split(',') {
            if !reductions.add(name) {
                let message = format!("`--reductions {name}`: there is no such reduction");
                let names = Reductions::NAMES.map(|name| format!("`{name}`")).join(", ");
                let help = format!("say `all` or `none`, or names with commas between them: {names}");
                return Err(Refusal::usage(code::BAD_OPTION, message, &help));
            }
        }
        Ok((true, reductions))
    }

    /// Refuse options that mean nothing under the model.
    fn fits_model(&self) -> Result<(), Refusal> {
        let bad = |message: String, help: &str| Err(Refusal::usage(code::BAD_OPTION, message, help));
        let name = self.model.name();
        if self.model == Model::Xmm {
            let of_machines = "leave it out, or choose `--model sc`, `tso` or `pso`";
            let not_xmm = [
                (
                    self.locks == Some(LocksName::Aware),
                    "--locks aware",
                    "leave it out: under xmm there is only `--locks ordered`",
                ),
                (self.engine == EngineName::Interleaving, "--engine interleaving", of_machines),
                (self.buffer_bound.is_some(), "--buffer-bound", of_machines),
                (self.preemption_bound.is_some(), "--preemption-bound", of_machines),
                (self.pct.is_some(), "--pct", of_machines),
                (
                    self.random.is_some(),
                    "--random",
                    "leave it out, or choose another model, such as `--model rc20`",
                ),
            ];
            if let Some((_, option, help)) = not_xmm.into_iter().find(|(given, ..)| *given) {
                return bad(format!("`{option}` does not go together with `--model xmm`"), help);
            }
        } else if self.xmm_rules.is_some() {
            let message = format!("`--xmm-rules` is for `--model xmm`; it means nothing under {name}");
            return bad(message, "leave it out, or add `--model xmm`");
        }
        if self.walks() {
            self.fits_walks()?;
        }
        if self.buffer_bound.is_some()
            && !matches!(self.model, Model::Sc | Model::Tso | Model::Pso | Model::Xmm)
        {
            let message = format!(
                "`--buffer-bound` does not go together with `--model {name}`, which has no store buffers"
            );
            return bad(message, "leave it out, or choose `--model tso` or `--model pso`");
        }
        if self.report == Some(Extra::LbRaces) {
            let why = match self.model {
                Model::Rc20 | Model::Xmm => return Ok(()),
                Model::Rc11 => "they are defined with the release sequences of rc20",
                Model::Sc | Model::Tso | Model::Pso | Model::Sra | Model::Ra => {
                    "`relaxed` means nothing there"
                }
            };
            let message = format!("`--report lb-races` does not go together with `--model {name}`: {why}");
            return bad(message, "choose `--model rc20` or `--model xmm`");
        }
        Ok(())
    }

    /// Refuse options that mean nothing for random walks.
    fn fits_walks(&self) -> Result<(), Refusal> {
        let not_random = [
            (
                self.locks == Some(LocksName::Aware),
                "--locks aware",
                "leave it out: random walks take locks in some order",
            ),
            (
                self.report == Some(Extra::LbRaces),
                "--report lb-races",
                "leave it out, or leave out `--random`",
            ),
            (
                self.report == Some(Extra::Classes),
                "--report classes",
                "leave it out: walks repeat each other",
            ),
            (
                self.preemption_bound.is_some(),
                "--preemption-bound",
                "leave one of the two out: walks are not bounded by preemptions",
            ),
        ];
        match not_random.into_iter().find(|(given, ..)| *given) {
            Some((_, option, help)) => {
                let walks = if self.pct.is_some() { "--pct" } else { "--random" };
                let message = format!("`{option}` does not go together with `{walks}`");
                Err(Refusal::usage(code::BAD_OPTION, message, help))
            }
            None => Ok(()),
        }
    }

    /// Refuse options that mean nothing to the engine.
    fn fits_engine(&self) -> Result<(), Refusal> {
        let bad = |message: &str, help: &str| Err(Refusal::usage(code::BAD_OPTION, message.into(), help));
        if self.engine == EngineName::Graph {
            let only =
                [(self.pct.is_some(), "--pct"), (self.preemption_bound.is_some(), "--preemption-bound")];
            if let Some((_, option)) = only.into_iter().find(|(given, _)| *given) {
                let message = format!("`{option}` is for `--engine interleaving`; graphs have no schedules");
                let help = "leave it out, or add `--engine interleaving` and `--model sc`, `tso` or `pso`";
                return bad(&message, help);
            }
            return match self.report {
                Some(Extra::Classes) => bad(
                    "`--report classes` is for `--engine interleaving`; of graphs each is a class of its own",
                    "leave it out, or add `--engine interleaving`",
                ),
                _ => Ok(()),
            };
        }
        if !matches!(self.model, Model::Sc | Model::Tso | Model::Pso) {
            let name = self.model.name();
            let message = format!("`--engine interleaving` does not go together with `--model {name}`");
            return bad(&message, "choose `--model sc`, `tso` or `pso`, or leave `--engine` out");
        }
        if self.locks == Some(LocksName::Aware) {
            return bad(
                "`--locks aware` does not go together with `--engine interleaving`",
                "leave it out: interleavings have critical sections in their order",
            );
        }
        if self.equivalence.is_some() {
            return bad(
                "`--equivalence` does not go together with `--engine interleaving`",
                "leave it out: every run counts; `--report classes` says how many differ in reads-from",
            );
        }
        Ok(())
    }

    /// Refuse what only `raveler check` can do.
    pub fn fits_other_commands(&self, command: &str) -> Result<(), Refusal> {
        if self.unroll != Some(Unroll::Auto) {
            return Ok(());
        }
        let message = format!("`--unroll auto` does not go together with `raveler {command}`");
        Err(Refusal::usage(code::BAD_OPTION, message, "say how many rounds, such as `--unroll 3`"))
    }

    /// Refuse options that mean nothing for the language.
    pub fn fits(&self, lang: &str) -> Result<(), Refusal> {
        let only_c = [
            (self.entry.is_some(), "--entry"),
            (self.nondet.is_some(), "--nondet"),
            (self.volatile.is_some(), "--volatile"),
            (self.unroll.is_some(), "--unroll"),
            (!self.properties.is_empty(), "--properties"),
            (self.spurious_wakeups, "--spurious-wakeups"),
            (self.max_stack.is_some(), "--max-stack"),
        ];
        match only_c.into_iter().find(|(given, _)| *given && lang != "c") {
            Some((_, option)) => Err(Refusal::usage(
                code::BAD_OPTION,
                format!("`{option}` is for C programs; it means nothing for {lang}"),
                "leave it out",
            )),
            None => Ok(()),
        }
    }
}

/// An option string of `raveler compare` as the options of a check.
pub fn parse_search(options: &str) -> Result<Search, clap::Error> {
    parse_words(&options.split_whitespace().map(str::to_string).collect::<Vec<_>>())
}

/// The words of options as the options of a check.
pub fn parse_words(words: &[String]) -> Result<Search, clap::Error> {
    #[derive(Parser)]
    #[command(name = "raveler", no_binary_name = true)]
    struct Only {
        #[command(flatten)]
        search: Search,
    }
    Only::try_parse_from(words).map(|only| only.search)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "a number of seconds is expected, such as 2.5".to_string())?;
    Duration::try_from_secs_f64(number)
        .map_err(|_| "the number must be positive and not too large".to_string())
}

fn bytes(text: &str) -> Result<u64, String> {
    let (digits, factor) = match text.strip_suffix(['K', 'M', 'G']) {
        None => (text, 1),
        Some(digits) if text.ends_with('K') => (digits, 1 << 10),
        Some(digits) if text.ends_with('M') => (digits, 1 << 20),
        Some(digits) => (digits, 1 << 30),
    };
    let number: u64 =
        digits.parse().map_err(|_| "a number of bytes is expected, such as 2000000000 or 2G".to_string())?;
    number.checked_mul(factor).filter(|n| *n > 0).ok_or_else(|| "the number is out of range".to_string())
}

fn unroll(text: &str) -> Result<Unroll, String> {
    let wrong = || "a number of rounds is expected, from 1 on, or `auto`".to_string();
    match text {
        "auto" => Ok(Unroll::Auto),
        _ => text.parse().ok().filter(|rounds| *rounds > 0).map(Unroll::Rounds).ok_or_else(wrong),
    }
}

fn range(text: &str) -> Result<(i64, i64), String> {
    let (low, high) = text.split_once("..").ok_or("a range is expected, such as 0..3")?;
    let number = |text: &str| text.parse::<i64>().map_err(|_| format!("`{text}` is not a whole number"));
    match (number(low)?, number(high)?) {
        (low, high) if low <= high => Ok((low, high)),
        _ => Err("the range is empty".to_string()),
    }
}

fn picture_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|e| e.to_str()) {
        Some("dot" | "svg") => Ok(path),
        _ => Err("the name must end in .dot or .svg".to_string()),
    }
}
