//! The command line of the corpus runner.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use raveler_core::{Equivalence, Locks, Model};
use raveler_corpus::bench::{self, Options};
use raveler_corpus::check::{bless, check, litmus_files};
use raveler_corpus::expect::Setting;
use raveler_corpus::run::Prepared;
use raveler_corpus::sequential::{self, Judgement, Origin};
use raveler_corpus::{
    c, counts, engines, generate, mutate, mutate_c, papers, replays, shared, suites, variants, xmm,
};

const USAGE: &str = "\
usage:
  raveler-corpus check PATH               run files against the numbers written in them
  raveler-corpus c PATH [--long]          run C files against the numbers written in them
  raveler-corpus variants PATH [--every N --seed S]
                                          run C files with locks both ways, rf and co, one worker and two
  raveler-corpus engines CORPUS [--every N --seed S]
                                          run litmus and C files with both engines
  raveler-corpus replay [CORPUS] [--every N]
                                          run what the command shows again from its token [default: corpus]
  raveler-corpus dropped PATH             of C files with locks: explorations that came to nothing, per execution
  raveler-corpus sequential [--programs N] [--seed S] [--csmith] [--keep DIR]
                                          compare generated sequential C programs with the compiled ones
  raveler-corpus sequential --file FILE   compare one program
  raveler-corpus mutate PATH [--programs N] [--seed S]
                                          read and run damaged IR of C files: no panic, no hang
  raveler-corpus ir PATH --to FOLDER      write the IR of C files, for the fuzzer to begin with
  raveler-corpus mutate-c PATH [--programs N] [--seed S] [--keep DIR]
                                          compile and run damaged C text: no panic, no hang, no contradiction
  raveler-corpus bless PATH               write the numbers that come out into the files
  raveler-corpus generate CORPUS          write the family files of a corpus folder again
  raveler-corpus shared DIR               run judged tests: DIR/tests/*.litmus, DIR/expected.tsv
  raveler-corpus counts TABLE [--cap N]   run the families against a table of expected numbers
  raveler-corpus xmm [PATH] [--only NAME] [--rules rc20,default,nocr,printed,strict]
                                          run the tables of small programs for XMM [default PATH: corpus/xmm]
  raveler-corpus xmm [PATH] --show NAME [--model rc20|xmm] [--rules RULES] [--equivalence co|rf]
                                          print the executions of one of them
  raveler-corpus papers [000|002|003|004] [--long] [--limit SECONDS] [--tests DIR] [--write]
                                          run the tables of the papers beside ours, and write docs/papers.md
  raveler-corpus suites [--raveler COMMAND] [--seconds N] [--memory BYTES] [--every N] [--only TEXT] [--list] CHECKOUT...
                                          run other tools' suites with known verdicts (docs/suites.md)
  raveler-corpus bench [--filter X] [--reps N] [--record] [--instructions | --against PROGRAM]
  raveler-corpus once PROGRAM PARAMETERS MODEL rf|co [aware]
                                          run one program of a family";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["check", path] => check_all(Path::new(path)),
        ["c", path] => check_c(Path::new(path), false),
        ["c", path, "--long"] => check_c(Path::new(path), true),
        ["dropped", path] => show_dropped(Path::new(path)),
        ["sequential", "--file", file] => {
            let mut flags = vec!["-I/usr/include/csmith".to_string(), "-lm".into()];
            if !file.ends_with(".c") {
                flags.extend(["-std=c++17".into(), "-lstdc++".into()]);
            }
            sequential::judge(Path::new(file), &flags).map(|judgement| {
                println!("{judgement:?}");
                judgement == Judgement::Same
            })
        }
        ["mutate", path, options @ ..] => match sequential_options(options) {
            Some(options) => run_mutated(Path::new(path), &options),
            None => return usage(),
        },
        ["ir", path, "--to", folder] => write_ir(Path::new(path), Path::new(folder)),
        ["sequential", options @ ..] => match sequential_options(options) {
            Some(options) => run_sequential(&options),
            None => return usage(),
        },
        ["bless", path] => bless_all(Path::new(path)),
        ["generate", folder] => generate::generate(Path::new(folder)).map(|written| {
            println!("{written} files written");
            true
        }),
        ["variants", path] => run_variants(Path::new(path), 1, 0),
        ["variants", path, "--every", every, "--seed", seed] => match (every.parse(), seed.parse()) {
            (Ok(every), Ok(seed)) if every > 0 => run_variants(Path::new(path), every, seed),
            _ => return usage(),
        },
        ["engines", path] => run_engines(Path::new(path), 1, 0),
        ["engines", path, "--every", every, "--seed", seed] => match (every.parse(), seed.parse()) {
            (Ok(every), Ok(seed)) if every > 0 => run_engines(Path::new(path), every, seed),
            _ => return usage(),
        },
        ["replay"] => run_replays(Path::new("corpus"), 1),
        ["replay", path] => run_replays(Path::new(path), 1),
        ["replay", path, "--every", every] => match every.parse() {
            Ok(every) if every > 0 => run_replays(Path::new(path), every),
            _ => return usage(),
        },
        ["mutate-c", path, options @ ..] => match sequential_options(options) {
            Some(options) => run_mutated_c(Path::new(path), &options),
            None => return usage(),
        },
        ["shared", folder] => run_shared(Path::new(folder)),
        ["counts", table] => run_counts(Path::new(table), 10_000),
        ["counts", table, "--cap", cap] => match cap.parse() {
            Ok(cap) => run_counts(Path::new(table), cap),
            Err(_) => return usage(),
        },
        ["xmm", options @ ..] => match xmm::command::Options::read(options) {
            Some(options) => xmm::command::run(&options),
            None => return usage(),
        },
        ["papers", options @ ..] => match papers::Options::read(options) {
            Some(options) => papers::run(&options),
            None => return usage(),
        },
        ["suites", options @ ..] => match suites::Options::read(options) {
            Some(options) => suites::run(&options),
            None => return usage(),
        },
        ["bench", options @ ..] => match bench_options(options) {
            Some(options) => bench::run(&options).map(|()| true),
            None => return usage(),
        },
        ["once", program, parameters, model, equivalence, locks @ ..] => {
            match (setting(model, equivalence), locks) {
                (Some(setting), []) => Ok(once(program, parameters, setting)),
                (Some(setting), ["aware"]) => {
                    Ok(once(program, parameters, Setting { locks: Locks::Aware, ..setting }))
                }
                _ => return usage(),
            }
        }
        _ => return usage(),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Run litmus and C files with both engines; one of `every` runs, beginning with another one for each seed.
fn run_engines(path: &Path, every: u64, seed: u64) -> io::Result<bool> {
    let mut compared = engines::Compared::default();
    let mut sample = engines::Sample { every, at: seed % every };
    for file in litmus_files(path)? {
        engines::litmus(&file, &mut sample, &mut compared)?;
    }
    for file in c::files(path)? {
        engines::c(&file, &mut sample, &mut compared)?;
    }
    for line in compared.visits() {
        println!("{line}");
    }
    let summary = compared.summary;
    for difference in &summary.differences {
        println!("{difference}");
    }
    println!(
        "{} searches compared, {} too large, {} differences",
        summary.compared,
        summary.skipped,
        summary.differences.len()
    );
    Ok(summary.differences.is_empty())
}

/// Run executions again from their tokens; one of `every` checks.
fn run_replays(path: &Path, every: usize) -> io::Result<bool> {
    let summary = replays::run(path, every)?;
    for difference in &summary.differences {
        println!("{difference}");
    }
    println!(
        "{} checks, {} executions replayed, {} differences",
        summary.checks,
        summary.replayed,
        summary.differences.len()
    );
    Ok(summary.differences.is_empty())
}

/// Run C files in all ways; one of `every` lines, beginning with another one for each seed.
fn run_variants(path: &Path, every: u64, seed: u64) -> io::Result<bool> {
    let mut summary = variants::Summary::default();
    let mut at = seed % every;
    for file in c::files(path)? {
        variants::run(&file, every, &mut at, &mut summary)?;
    }
    for difference in &summary.differences {
        println!("{difference}");
    }
    println!(
        "{} searches compared, {} too large, {} differences",
        summary.compared,
        summary.skipped,
        summary.differences.len()
    );
    Ok(summary.differences.is_empty())
}

/// What to run against compiled programs.
struct Sequential {
    origin: Origin,
    programs: u64,
    seed: u64,
    keep: Option<PathBuf>,
}

fn sequential_options(words: &[&str]) -> Option<Sequential> {
    let mut options = Sequential { origin: Origin::Own, programs: 100, seed: 1, keep: None };
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        match word {
            "--programs" => options.programs = words.next()?.parse().ok()?,
            "--seed" => options.seed = words.next()?.parse().ok()?,
            "--keep" => options.keep = Some(PathBuf::from(words.next()?)),
            "--csmith" => options.origin = Origin::Csmith,
            _ => return None,
        }
    }
    Some(options)
}

/// The IR of C files as files of their own, for the fuzzer to begin with.
fn write_ir(path: &Path, folder: &Path) -> io::Result<bool> {
    fs::create_dir_all(folder)?;
    let texts = mutate::texts(path)?;
    for (number, text) in texts.iter().enumerate() {
        fs::write(folder.join(format!("{number}.ll")), text)?;
    }
    println!("{} files written", texts.len());
    Ok(true)
}

fn run_mutated(path: &Path, options: &Sequential) -> io::Result<bool> {
    let texts = mutate::texts(path)?;
    let mut counts = [0u64; 6];
    for seed in options.seed..options.seed + options.programs {
        let text = mutate::mutate(&texts[seed as usize % texts.len()], seed);
        let outcome = mutate::run(&text);
        counts[outcome as usize] += 1;
        if matches!(outcome, mutate::Outcome::Panicked | mutate::Outcome::Slow) {
            println!("seed {seed}: {outcome:?}");
            if let Some(keep) = &options.keep {
                fs::create_dir_all(keep)?;
                fs::write(keep.join(format!("mutated-{seed}.ll")), text)?;
            }
        }
    }
    let [refused, ran, panicked, slow, ..] = counts;
    println!("{refused} refused, {ran} run, {panicked} panicked, {slow} too slow");
    Ok(panicked + slow == 0)
}

fn run_mutated_c(path: &Path, options: &Sequential) -> io::Result<bool> {
    let sources = mutate_c::sources(path)?;
    let mut counts = [0u64; 6];
    let mut compared = 0;
    for seed in options.seed..options.seed + options.programs {
        let tried = mutate_c::run(&sources, seed);
        counts[tried.outcome as usize] += 1;
        compared += tried.compared;
        if !matches!(tried.outcome, mutate::Outcome::Refused | mutate::Outcome::Ran) {
            println!("seed {seed}: {:?}: {}", tried.outcome, tried.how);
            if let Some(keep) = &options.keep {
                fs::create_dir_all(keep)?;
                let suffix = if tried.how.contains(".cpp ") { "cpp" } else { "c" };
                fs::write(keep.join(format!("mutated-{seed}.{suffix}")), tried.text)?;
            }
        }
    }
    let [refused, ran, panicked, slow, nothing, contradictions] = counts;
    println!(
        "{refused} refused, {ran} run, {panicked} panicked, {slow} too slow, {nothing} without anything seen; {compared} \
         searches compared, {contradictions} contradictions"
    );
    Ok(panicked + slow + nothing + contradictions == 0)
}

fn run_sequential(options: &Sequential) -> io::Result<bool> {
    if options.origin == Origin::Csmith && !sequential::has_csmith() {
        return Err(io::Error::other("there is no csmith on the PATH"));
    }
    let keep = options.keep.as_deref();
    let tally =
        sequential::run(options.origin, options.programs, options.seed, keep, &mut |seed, judgement| {
            if !matches!(judgement, Judgement::Same) {
                println!("seed {seed}: {judgement:?}");
            }
        })?;
    let Sequential { programs, seed, .. } = options;
    println!(
        "{programs} programs from seed {seed} on: {} the same, {} not compared, {} wrong",
        tally.same,
        tally.unfit,
        tally.problems.len()
    );
    Ok(tally.problems.is_empty())
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

fn check_all(path: &Path) -> io::Result<bool> {
    let files = litmus_files(path)?;
    let mut wrong = 0;
    for file in &files {
        let problems = check(file)?;
        wrong += usize::from(!problems.is_empty());
        for problem in problems {
            println!("{}:{problem}", file.display());
        }
    }
    println!("{} files, {wrong} with problems", files.len());
    Ok(wrong == 0 && !files.is_empty())
}

fn check_c(path: &Path, with_long: bool) -> io::Result<bool> {
    let files = c::files(path)?;
    let (mut wrong, mut searches, mut skipped) = (0, 0, 0);
    for file in &files {
        let checked = c::check(file, with_long)?;
        wrong += usize::from(!checked.problems.is_empty());
        searches += checked.searches;
        skipped += checked.skipped;
        for problem in checked.problems {
            println!("{}:{problem}", file.display());
        }
    }
    for (file, header) in c::left_out(path)? {
        println!("{}: left out, there is no <{header}>", file.display());
    }
    println!(
        "{} files, {searches} searches, {skipped} not possible yet, {wrong} files with problems",
        files.len()
    );
    Ok(wrong == 0 && !files.is_empty())
}

/// What a program calls that has locks.
const LOCKS: &[&str] = &[
    "pthread_mutex",
    "pthread_rwlock",
    "pthread_spin",
    "mtx_",
    "VERIFIER_atomic_begin",
    "std::mutex",
    "shared_mutex",
];

/// List the searches without the order of critical sections that had dead ends, the worst last, and their average.
fn show_dropped(path: &Path) -> io::Result<bool> {
    let mut rows = Vec::new();
    for file in c::files(path)? {
        let text = fs::read_to_string(&file)?;
        if LOCKS.iter().any(|word| text.contains(word)) {
            let counted = c::check(&file, false)?.counted.into_iter().filter(|run| run.aware);
            rows.extend(counted.map(|run| {
                let per_execution = run.counts.dropped as f64 / run.counts.executions.max(1) as f64;
                (per_execution, format!("{} {}", file.display(), run.what), run.counts)
            }));
        }
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (per_execution, name, counts) in rows.iter().filter(|row| row.2.dropped > 0) {
        let raveler_core::Counts { executions, blocked, dropped, .. } = counts;
        println!("{per_execution:8.2} {name}: {executions} executions, {blocked} blocked, {dropped} dropped");
    }
    let (dropped, executions) = rows.iter().fold((0, 0), |(dropped, executions), (_, _, counts)| {
        (dropped + counts.dropped, executions + counts.executions)
    });
    println!(
        "{} searches; dropped {dropped} of {executions} executions: {:.3} per execution, {:.3} on average over searches",
        rows.len(),
        dropped as f64 / executions.max(1) as f64,
        rows.iter().map(|row| row.0).sum::<f64>() / rows.len().max(1) as f64,
    );
    Ok(true)
}

fn bless_all(path: &Path) -> io::Result<bool> {
    let mut fine = true;
    for file in litmus_files(path)?.iter().filter(|file| !file.iter().any(|part| part == "broken")) {
        match bless(file)? {
            Ok(text) if text != fs::read_to_string(file)? => {
                fs::write(file, text)?;
                println!("{}: written", file.display());
            }
            Ok(_) => {}
            Err(problems) => {
                fine = false;
                for problem in problems {
                    println!("{}:{problem}", file.display());
                }
            }
        }
    }
    Ok(fine)
}

fn run_shared(folder: &Path) -> io::Result<bool> {
    let report = shared::run(folder)?;
    for difference in &report.differences {
        println!("{difference}");
    }
    let shared::Report { tests, rows, classes, executions, differences } = &report;
    let differences = differences.len();
    println!(
        "{tests} tests, {rows} rows, {classes} executions by rf, {executions} by co, {differences} differences"
    );
    Ok(report.differences.is_empty() && report.rows > 0)
}

fn run_counts(table: &Path, cap: u64) -> io::Result<bool> {
    let report = counts::compare(table, cap, |_| {})?;
    for difference in &report.differences {
        println!("{difference}");
    }
    for (reason, rows) in &report.skipped {
        println!("{rows} rows not run: {reason}");
    }
    println!("{} rows equal, {} different", report.equal, report.differences.len());
    Ok(report.differences.is_empty() && report.equal > 0)
}

fn bench_options(words: &[&str]) -> Option<Options> {
    let mut options = Options::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        match word {
            "--filter" => options.filter = (*words.next()?).to_owned(),
            "--reps" => options.repetitions = words.next()?.parse().ok()?,
            "--record" => options.record = true,
            "--instructions" => options.instructions = true,
            "--against" => options.against = Some(words.next()?.into()),
            _ => return None,
        }
    }
    Some(options)
}

fn setting(model: &str, equivalence: &str) -> Option<Setting> {
    let model = Model::ALL.into_iter().find(|known| known.name() == model)?;
    let equivalence = match equivalence {
        "rf" => Equivalence::ReadsFrom,
        "co" => Equivalence::Coherence,
        _ => return None,
    };
    Some(Setting::ordered(model, equivalence))
}

fn once(program: &str, parameters: &str, setting: Setting) -> bool {
    let (outcome, time) =
        bench::clock::timed(|| Prepared::find(program, parameters).search(&setting.settings()));
    let counts = outcome.counts;
    println!("{program} {parameters}, {setting}: {counts:?}, {:.3} s", time.cpu.as_secs_f64());
    for violation in &outcome.violations {
        println!("{}: {}", violation.kind.name(), violation.message);
    }
    outcome.stopped.is_none()
}
