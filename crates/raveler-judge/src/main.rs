//! `raveler-judge`: campaigns of random programs against independent judges.

mod nightly;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use raveler_core::{Equivalence, Model, XmmRules};
use raveler_judge::agreement::machines_agree;
use raveler_judge::campaign::{Campaign, Summary, Verdict};
use raveler_judge::print;
use raveler_judge::program::TestProgram;
use raveler_judge::random::Profile;
use raveler_judge::text;
use raveler_judge::{brute, compare, kept, programs, xmm};

const USAGE: &str =
    "usage: raveler-judge COMMAND [--model M|all] [--equivalence rf|co|both] [--programs N] [--seed S] [--profile P,..|all] [--threads J] [--candidates N]
commands:
  oracle            the engine against brute force: executions, final states, races, deadlocks, wrong uses of memory
  locks             the same, critical sections without their order; programs of lock profiles only
  machines          the engine against the operational machines (sc, tso, pso, ra): final states
  inclusions        the engine against itself: what one model allows another must; rf and co end alike
  agree-front-ends  the engine against itself: copied threads, re-run threads, and a world of threads re-run together
  agree-workers     the engine against itself: 1, 2 and 3 workers
  agree-parts       the engine against itself: a search that is cut at random places and goes on elsewhere
  agree-locks       the engine against itself: critical sections with and without their order
  agree-random      random walks against the search: executions, violations, one worker and two
  agree-replay      executions and violations, recorded and run again (both engines, random walks, xmm)
  agree-engines     the engine of graphs against that of interleavings (sc, tso, pso), with its reduction and without
  agree-preemptions runs with few preemptions (sc, tso, pso): the search against all of them, and against the machines
  agree-xmm         the engine against itself: xmm beside rc20, with one worker, two and three
  waits-xmm         the engine against itself: waiting under xmm, in loops, and in loops that are unrolled
  spins             the engine against itself: waiting for a condition, and in loops
  programs          raveler on random C programs against machines that visit all states: outcomes, violations, endless
                    waits: [--model M,..] [--profile P,..] [--programs N] [--seed S] [--threads J] [--states N] [--ways N]
                    [--time SECONDS] [--language c|c++] [--all: go on after a difference] [--show: print the programs only]
  agree-reductions  raveler on random C programs, with its reductions and without: outcomes, violations; options as above
  nightly           all long campaigns, one after the other, and those of other commands: [--programs N] is the unit
  kept              all of this on the programs kept in a folder (--folder F)
  xmm               the engine against the definition of xmm, by all graphs and re-executions of programs whose loads could
                    be buffered: [--rules default|nocr|printed|strict|all]
  self-xmm          that definition against brute force (without cycles), against itself word by word, and against the
                    theorem on load-buffering races
  self              brute force against the operational machines (sc, tso, pso, ra)
  brute             brute force alone: how long it takes
  mutants           oracle against deliberate mistakes in the engine: [--programs N] [--seed S] [--only NAME]
--buffer-bound K,..: oracle and machines under sc, tso and pso with store buffers that hold K stores, for each K
--all-ways N: agree-engines and agree-xmm search one of N programs in all ways, the others in one way (1: all of them)
--candidates N: programs for which brute force has to look at more graphs than that are left out (15000)";

struct Options {
    models: Vec<Model>,
    equivalences: Vec<Equivalence>,
    campaign: Campaign,
    folder: PathBuf,
    /// The rule sets of XMM.
    rules: Vec<XmmRules>,
    /// The sizes of store buffers, if they are bounded.
    rooms: Vec<u32>,
    /// How much brute force may cost for one program.
    limits: brute::Limits,
    /// One of so many programs is searched in all ways.
    every: u64,
    /// The one mutant that is wanted.
    only: Option<String>,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(command) = arguments.next() else { return usage("no command") };
    if command == "programs" {
        let campaign = programs::command::default();
        return programs::command::run(campaign, arguments).unwrap_or_else(|message| usage(&message));
    }
    if command == "agree-reductions" {
        let campaign = programs::command::reductions();
        return programs::command::run(campaign, arguments).unwrap_or_else(|message| usage(&message));
    }
    let options = match parse(&command, arguments) {
        Ok(options) => options,
        Err(message) => return usage(&message),
    };
    if command == "mutants" {
        return mutants(&options);
    }
    let Options { models, equivalences, campaign, folder, limits, rules, rooms, every, .. } = options;
    let run = |judge: &(dyn Fn(&TestProgram) -> Verdict + Sync)| report(&command, campaign.run(judge));
    match command.as_str() {
        "oracle" if !rooms.is_empty() => {
            run(&|program| compare::bounded_oracle(program, &models, &equivalences, limits, &rooms))
        }
        "machines" if !rooms.is_empty() => {
            run(&|program| compare::bounded_machines(program, &models, &rooms))
        }
        _ if !rooms.is_empty() => usage("--buffer-bound is for the commands oracle and machines"),
        "oracle" => run(&|program| compare::oracle(program, &models, &equivalences, limits)),
        "locks" => run(&|program| compare::locks(program, &models, &equivalences, limits)),
        "machines" => run(&|program| compare::against_machines(program, &models)),
        "inclusions" => run(&compare::inclusions),
        "agree-front-ends" => run(&|program| compare::front_ends(program, &models)),
        "agree-workers" => run(&|program| compare::workers(program, &models)),
        "agree-parts" => run(&|program| compare::parts(program, &models)),
        "agree-locks" => run(&|program| compare::lock_orders(program, &models, &equivalences)),
        "agree-random" => run(&|program| compare::random_walks(program, &models)),
        "agree-replay" => run(&|program| compare::replays(program, &models)),
        "agree-engines" => {
            let notes = compare::EngineNotes::default();
            let judge =
                |program: &TestProgram, extent| compare::engines_noted(program, &models, extent, &notes);
            let code = report(&command, campaign.run_sampled(every, &judge));
            println!("{}", notes.lines());
            code
        }
        "agree-preemptions" => run(&|program| compare::preemptions(program, &models)),
        "agree-xmm" => report(&command, campaign.run_sampled(every, &compare::beside_rc20)),
        "waits-xmm" => run(&compare::unrolled_waits),
        "spins" => run(&|program| compare::spins(program, &models)),
        "xmm" | "self-xmm" => {
            let notes = xmm::Notes::default();
            let costs = xmm::Limits::default();
            let code = run(&|program| match command.as_str() {
                "xmm" => xmm::against_engine(program, &rules, &equivalences, costs, &notes),
                _ => xmm::against_itself(program, &rules, costs, &notes),
            });
            println!("{}", notes.line());
            code
        }
        "nightly" => nightly::run(&campaign),
        "kept" => run_kept(&folder, &models),
        "self" => run(&|program| machines_agree(program, &models)),
        "brute" => run(&brute_alone),
        other => usage(&format!("no command `{other}`")),
    }
}

fn usage(message: &str) -> ExitCode {
    eprintln!("{message}\n{USAGE}");
    ExitCode::from(2)
}

#[cfg(feature = "mutants")]
fn mutants(options: &Options) -> ExitCode {
    raveler_judge::mutants::command(&options.campaign, options.only.as_deref())
}

#[cfg(not(feature = "mutants"))]
fn mutants(options: &Options) -> ExitCode {
    let only = options.only.as_deref().map(|name| format!(" --only {name}")).unwrap_or_default();
    eprintln!(
        "the mistakes have to be built in: \
         cargo run --release -p raveler-judge --features mutants -- mutants{only}"
    );
    ExitCode::from(2)
}

fn brute_alone(program: &TestProgram) -> Verdict {
    match brute::judge(program, brute::Limits::default()) {
        Ok(judged) => Verdict { compared: judged.found.len() as u64, ..Verdict::default() },
        Err(_) => Verdict { skipped: 1, ..Verdict::default() },
    }
}

fn run_kept(folder: &Path, models: &[Model]) -> ExitCode {
    match kept::run(folder, models) {
        Ok(results) => {
            results.iter().for_each(|result| println!("{}", result.line()));
            let wrong = results.iter().filter(|result| !result.as_expected()).count();
            println!("kept: programs {} not as expected {wrong}", results.len());
            if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(message) => usage(&message),
    }
}

fn report(name: &str, summary: Summary) -> ExitCode {
    println!("{}", summary.line(name));
    match summary.difference {
        None => ExitCode::SUCCESS,
        Some((program, difference)) => {
            println!("{difference}\n\n{}\n{}", text::print(&program), print::litmus(&program, "difference"));
            ExitCode::FAILURE
        }
    }
}

fn parse(command: &str, mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let profiles = if matches!(command, "xmm" | "self-xmm" | "waits-xmm") {
        Profile::XMM.to_vec()
    } else {
        Profile::ALL.to_vec()
    };
    let mut options = Options {
        models: Model::CAUSAL.to_vec(),
        equivalences: vec![Equivalence::ReadsFrom, Equivalence::Coherence],
        campaign: Campaign { profiles, programs: 1200, seed: 1, threads: 1 },
        folder: PathBuf::from("crates/raveler-judge/kept"),
        rules: XmmRules::ALL.to_vec(),
        rooms: Vec::new(),
        limits: brute::Limits::default(),
        every: 1,
        only: None,
    };
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("`{value}` is no number"));
        match name.as_str() {
            "--model" if value == "all" => {}
            "--model" => {
                let model = Model::CAUSAL.into_iter().find(|model| model.name() == value);
                options.models = vec![model.ok_or_else(|| format!("no model `{value}`"))?];
            }
            "--equivalence" => {
                options.equivalences = match value.as_str() {
                    "rf" => vec![Equivalence::ReadsFrom],
                    "co" => vec![Equivalence::Coherence],
                    "both" => options.equivalences,
                    _ => return Err(format!("no equivalence `{value}`")),
                };
            }
            "--profile" if value == "all" => {}
            "--profile" => {
                let find = |name: &str| Profile::named(name).ok_or_else(|| format!("no profile `{name}`"));
                options.campaign.profiles = value.split(',').map(find).collect::<Result<_, _>>()?;
            }
            "--rules" if value == "all" => {}
            "--rules" => {
                let rules = XmmRules::ALL.into_iter().find(|rules| rules.name() == value);
                options.rules = vec![rules.ok_or_else(|| format!("no rules `{value}`"))?];
            }
            "--buffer-bound" => {
                let size = |text: &str| text.parse().map_err(|_| format!("`{text}` is no size of a buffer"));
                options.rooms = value.split(',').map(size).collect::<Result<_, _>>()?;
            }
            "--folder" => options.folder = PathBuf::from(&value),
            "--only" => options.only = Some(value),
            // Brute force looks at many combinations for each graph that comes of them.
            "--candidates" => {
                let candidates = number()?;
                options.limits.candidates = candidates;
                options.limits.combinations = candidates.saturating_mul(20);
            }
            "--all-ways" => options.every = number()?.max(1),
            "--programs" => options.campaign.programs = number()?,
            "--seed" => options.campaign.seed = number()?,
            "--threads" => options.campaign.threads = number()? as usize,
            _ => return Err(format!("no option `{name}`")),
        }
    }
    Ok(options)
}
