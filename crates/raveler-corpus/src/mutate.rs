//! Damaged LLVM IR: reading and running it may refuse it or find something wrong, but neither panic nor hang.

use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use raveler_c::clang::{self, Source};
use raveler_c::{CProgram, lower, search};
use raveler_core::observer::Flow;
use raveler_core::{Counts, Execution, Fork, Model, Observer, Settings};

use crate::c;
use crate::sequential::Random;

/// What came of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It was refused.
    Refused,
    /// It was run.
    Ran,
    /// The checker panicked.
    Panicked,
    /// It took longer than it may.
    Slow,
    /// It came to its end, and nothing was seen: neither an execution, nor what blocks all of them.
    Nothing,
    /// Two ways to search it, or two models one of which allows all that the other does, contradict each other.
    Contradicts,
}

/// Nothing may take longer, in CPU time of ours: the compiler, and other work on the machine, do not count.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The IR of the C and C++ files below a folder.
pub fn texts(folder: &Path) -> io::Result<Vec<String>> {
    let mut all = Vec::new();
    for file in c::files(folder)? {
        let bytes = fs::read(&file)?;
        let name = file.display().to_string();
        let (file, flags, over) = (name.as_str(), [].as_slice(), &AtomicBool::new(false));
        let source = Source {
            file,
            bytes: &bytes,
            flags,
            library: false,
            inline_bodies: false,
            exceptions: false,
            futures: false,
            cpp: false,
            over,
        };
        if let Ok((text, _)) = clang::compile(&source) {
            all.push(text);
        }
    }
    Ok(all)
}

/// A text with a few mistakes, the same for the same seed.
pub fn mutate(text: &str, seed: u64) -> String {
    const ODD: [&str; 16] = [
        "0",
        "-1",
        "1",
        "4294967295",
        "9223372036854775807",
        "18446744073709551616",
        "i128",
        "i7",
        "i4096",
        "ptr",
        "undef",
        "zeroinitializer",
        "null",
        "[4611686018427387904 x i64]",
        "void",
        "x86_fp80",
    ];
    let mut random = Random(seed);
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    // What stands behind the functions says little: most mistakes are to be made before.
    let most = lines.iter().position(|line| line.starts_with("!0 =")).unwrap_or(lines.len()).max(1);
    for _ in 0..1 + random.below(4) {
        let bound = if random.once_in(8) { lines.len() } else { most.min(lines.len()) } as u64;
        if bound == 0 {
            break;
        }
        let (at, other) = (random.below(bound) as usize, random.below(bound) as usize);
        match random.below(24) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(other, lines[at].clone()),
            2 => lines.swap(at, other),
            3 => lines[at] = lines[other].clone(),
            4 if random.once_in(6) => lines.truncate(at),
            _ => {
                let mut words: Vec<String> = lines[at].split(' ').map(String::from).collect();
                let word = random.below(words.len() as u64) as usize;
                let like = |new: &&str| new.starts_with(words[word].chars().next().unwrap_or(' '));
                let near = &lines[at.saturating_sub(20)..(at + 20).min(lines.len())];
                let alike: Vec<&str> = near.iter().flat_map(|line| line.split(' ')).filter(like).collect();
                words[word] = match random.below(12) {
                    0 => random.pick(&ODD).to_string(),
                    1 => String::new(),
                    2 => words[word].chars().rev().collect(),
                    3 if words[word].starts_with(|c: char| c.is_ascii_digit()) => {
                        random.pick(&ODD[..6]).to_string()
                    }
                    _ if alike.is_empty() => continue,
                    _ => random.pick(&alike).to_string(),
                };
                lines[at] = words.join(" ");
            }
        }
    }
    lines.join("\n")
}

/// Read a text, and run what was read for a while.
pub fn run(text: &str) -> Outcome {
    let work = ThreadTime::now();
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let options = lower::Options::default();
        let Ok(code) = raveler_c::load("mutated.ll", text.as_bytes(), &[], &options, &|_| None) else {
            return Outcome::Refused;
        };
        let program = CProgram::new(code);
        program.set_patience(200_000);
        let settings = Settings::new(Model::Rc20);
        program.prepare(&settings);
        search(&program, &settings, &mut Impatient { began: Instant::now() });
        Outcome::Ran
    }));
    match ran {
        Err(_) => Outcome::Panicked,
        Ok(_) if work.elapsed() > PATIENCE => Outcome::Slow,
        Ok(outcome) => outcome,
    }
}

/// Stops soon.
#[derive(Clone, Copy)]
pub struct Impatient {
    /// When the search began.
    pub began: Instant,
}

impl Impatient {
    fn flow(&self) -> Flow {
        if self.began.elapsed() > Duration::from_millis(200) { Flow::Stop } else { Flow::Continue }
    }
}

impl Observer<CProgram> for Impatient {
    fn execution(&mut self, _execution: &Execution<'_, CProgram>) -> Flow {
        self.flow()
    }

    fn blocked(&mut self, _execution: &Execution<'_, CProgram>) -> Flow {
        self.flow()
    }

    fn progress(&mut self, _counts: &Counts) -> Flow {
        self.flow()
    }
}

impl Fork for Impatient {
    fn fork(&self) -> Self {
        *self
    }

    fn merge(&mut self, _other: Self) {}
}
