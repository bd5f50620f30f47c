//! Sequential programs, interpreted and compiled: both must print the same and end the same.
//!
//! The programs come from our own generator (`generate`) and, where it is installed, from csmith.

mod expressions;
mod generate;
mod random;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use raveler_c::{CProgram, lower, search};
use raveler_core::observer::Unobserved;
use raveler_core::{Model, Program, Settings};

pub use self::generate::program;
pub(crate) use self::random::Random;

/// Where a program comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Our own generator.
    Own,
    /// csmith.
    Csmith,
}

/// What came of one program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// Both did the same.
    Same,
    /// They did not: what each said.
    Different(String),
    /// raveler refuses the program, or finds something wrong with it.
    Refused(String),
    /// It takes too long, or cannot be compiled: nothing is compared.
    Unfit(String),
}

/// How many programs came out how.
#[derive(Default, Debug)]
pub struct Tally {
    /// Both did the same.
    pub same: usize,
    /// Nothing was compared.
    pub unfit: usize,
    /// What is wrong, with the seed.
    pub problems: Vec<String>,
}

/// Compiled programs may take so long; interpreted it is more than a hundred times as much.
const PATIENCE: Duration = Duration::from_millis(50);

/// Run `count` programs, one with each seed from `seed` on. `say` hears of each.
pub fn run(
    origin: Origin,
    count: u64,
    seed: u64,
    keep: Option<&Path>,
    say: &mut dyn FnMut(u64, &Judgement),
) -> io::Result<Tally> {
    let folder = tempfile::Builder::new().prefix("raveler-sequential-").tempdir()?;
    let mut tally = Tally::default();
    for seed in seed..seed + count {
        let source =
            folder.path().join(format!("{}-{seed}.c", if origin == Origin::Own { "own" } else { "csmith" }));
        let judgement = match write(origin, seed, &source)? {
            Some(flags) => judge(&source, &flags)?,
            None => Judgement::Unfit("csmith wrote nothing".into()),
        };
        match &judgement {
            Judgement::Same => tally.same += 1,
            Judgement::Unfit(_) => tally.unfit += 1,
            Judgement::Different(what) | Judgement::Refused(what) => {
                tally.problems.push(format!("seed {seed}: {what}"));
                if let Some(keep) = keep {
                    fs::create_dir_all(keep)?;
                    fs::copy(&source, keep.join(source.file_name().unwrap_or_default()))?;
                }
            }
        }
        say(seed, &judgement);
        // What cannot be removed is a small file among temporary ones.
        let _ = fs::remove_file(&source);
    }
    Ok(tally)
}

/// Is csmith there?
pub fn has_csmith() -> bool {
    Command::new("csmith").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Write a program; gives the flags to compile it with.
fn write(origin: Origin, seed: u64, source: &Path) -> io::Result<Option<Vec<String>>> {
    if origin == Origin::Own {
        fs::write(source, program(seed))?;
        return Ok(Some(vec!["-lm".into()]));
    }
    // Each seed another mixture of what csmith can be asked for.
    let mut options = vec!["--seed".to_string(), seed.to_string(), "--max-funcs".into(), "5".into()];
    let switches =
        ["packed-struct", "bitfields", "volatiles", "unions", "arrays", "pointers", "jumps", "longlong"];
    for (i, switch) in switches.iter().enumerate() {
        let off = seed >> i & 1 != 0 && seed & 7 != 0;
        options.push(format!("--{}{switch}", if off { "no-" } else { "" }));
    }
    for switch in ["builtins", "int8", "uint8", "inline-function", "consts", "volatile-pointers"] {
        if !(seed + switch.len() as u64).is_multiple_of(3) {
            options.push(format!("--{switch}"));
        }
    }
    // Those of x86 need flags of their own.
    options.extend(["--disable-builtin-kinds".into(), "x86".into()]);
    let status = Command::new("csmith")
        .args(&options)
        .arg("-o")
        .arg(source)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    if !status.success() || !source.exists() {
        return Ok(None);
    }
    Ok(Some(vec!["-I/usr/include/csmith".into(), "-I/usr/include/csmith-2.3.0".into(), "-lm".into()]))
}

/// Compare a program interpreted with the same compiled.
pub fn judge(source: &Path, flags: &[String]) -> io::Result<Judgement> {
    let (output, status) = match compiled(source, flags)? {
        Ok(done) => done,
        Err(why) => return Ok(Judgement::Unfit(why)),
    };
    let flags: Vec<String> = flags.iter().filter(|flag| !flag.starts_with("-l")).cloned().collect();
    let (own_output, own_status) = match interpreted(source, &flags)? {
        Ok(done) => done,
        Err(Some(why)) => return Ok(Judgement::Refused(why)),
        Err(None) => {
            return Ok(Judgement::Unfit("interpreted it takes too long, or accesses are not aligned".into()));
        }
    };
    if output == own_output && status == own_status {
        return Ok(Judgement::Same);
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (left, right) = (text(&output), text(&own_output));
    let differing = left.lines().zip(right.lines()).find(|(a, b)| a != b);
    let (left, right) = differing.unwrap_or((left.trim_end(), right.trim_end()));
    Ok(Judgement::Different(format!(
        "compiled it prints `{left}` and returns {status}, interpreted `{right}` and {own_status}"
    )))
}

/// What it printed and returned, or why there is nothing.
type Ran<E> = Result<(Vec<u8>, u64), E>;

fn compiled(source: &Path, flags: &[String]) -> io::Result<Ran<String>> {
    let binary: PathBuf = source.with_extension("out");
    let compiler = std::env::var_os("RAVELER_CLANG").unwrap_or_else(|| "clang".into());
    let status = Command::new(compiler)
        .args(["-O0", "-w", "-o"])
        .arg(&binary)
        .arg(source)
        .args(flags)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    if !status.success() {
        return Ok(Err("clang refuses it".into()));
    }
    let mut child =
        Command::new(&binary).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    // Read in another thread, so that a full pipe does not look like an endless program.
    let pipe = child.stdout.take();
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        match pipe {
            Some(mut pipe) => io::Read::read_to_end(&mut pipe, &mut bytes).map(|_| bytes),
            None => Ok(bytes),
        }
    });
    let began = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if began.elapsed() > PATIENCE => {
                child.kill()?;
                child.wait()?;
                break None;
            }
            None => thread::sleep(Duration::from_millis(1)),
        }
    };
    let output = reader.join().map_err(|_| io::Error::other("the reader panicked"))??;
    fs::remove_file(&binary)?;
    Ok(match status.map(|status| status.code()) {
        Some(Some(code)) => Ok((output, code as u64 & 0xff)),
        Some(None) => Err("compiled it ends with a signal".into()),
        None => Err("compiled it takes too long".into()),
    })
}

/// Nothing and no reason if a loop has no end in sight, or the program is not one of the language.
fn interpreted(source: &Path, flags: &[String]) -> io::Result<Ran<Option<String>>> {
    let name = source.display().to_string();
    let bytes = fs::read(source)?;
    let quiet: Vec<String> = flags.iter().cloned().chain(["-w".into()]).collect();
    let code = match raveler_c::load(&name, &bytes, &quiet, &lower::Options::default(), &|file| {
        fs::read_to_string(file).ok()
    }) {
        Ok(code) => code,
        Err(refused) => return Ok(Err(Some(format!("{refused:?}")))),
    };
    let program = CProgram::new(code);
    program.record_output();
    let settings = Settings::new(Model::Sc);
    program.prepare(&settings);
    let outcome = search(&program, &settings, &mut Unobserved);
    if let Some(violation) = outcome.violations.first() {
        // csmith points to members of packed structs; processors forgive that, the language does not.
        if violation.message.contains("no multiple of") {
            return Ok(Err(None));
        }
        let line = program.sources().sites.get(violation.site.0 as usize).map_or(0, |site| site.line);
        return Ok(Err(Some(format!("line {line}: {:?}: {}", violation.kind, violation.message))));
    }
    Ok(match program.ended() {
        Some(ended) => Ok((ended.output, ended.result & 0xff)),
        None => Err(outcome.stopped.map(|why| format!("{why:?}"))),
    })
}
