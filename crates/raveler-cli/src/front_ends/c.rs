//! C and C++ programs.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use raveler_c::clang::{self, Failure};
use raveler_c::ir::Conflict;
use raveler_c::lower::{self, Problem};
use raveler_c::{CProgram, Collector, DEFAULT_STACK, Part, Refused, estimate, replay, search};
use raveler_core::diagnostic::Diagnostic;
use raveler_core::observer::Unobserved;
use raveler_core::{BadReplay, Estimate, Program, Recording, Reductions, Settings, SiteId, SourceMap};
use raveler_report::report::outcome_text;
use raveler_report::{CutLoop, Names, NotStarted, Notes, Standing, Warning};

use crate::front_ends::{Checkable, Findings, Reading, Recordings, Request, Watching, recorded};
use crate::refusal::{Refusal, code};
use crate::watch::Watch;

/// Compile and lower a program.
pub fn load(request: &Request<'_>) -> Reading {
    let Request {
        file,
        bytes,
        clang_flags,
        more,
        entry,
        nondet,
        volatile_is_relaxed,
        unroll,
        over,
        stack,
        ..
    } = *request;
    let options = lower::Options { entry: entry.unwrap_or("main").to_string(), nondet, volatile_is_relaxed };
    let read = |name: &str| {
        if name == file || name == "<stdin>" || name == "-" {
            Some(String::from_utf8_lossy(bytes).into_owned())
        } else {
            std::fs::read_to_string(name).ok()
        }
    };
    let parts: Vec<Part<'_>> =
        std::iter::once(Part { file, bytes, flags: clang_flags }).chain(more.iter().copied()).collect();
    match raveler_c::load_until(&parts, &options, &read, over) {
        Ok(code) => {
            let program = CProgram::new(code).unrolled(unroll).with_stack(stack).until(Arc::clone(over));
            Ok(Box::new(Checked { program, unroll, stack, over: Arc::clone(over) }))
        }
        Err(Refused::Clang(failure)) => Err(refused(refused_file(&parts, &failure), failure)),
        Err(Refused::Ir(error)) => {
            let message = format!("line {} of the LLVM IR: {}", error.line, error.message);
            let help = "please report it with the file; `raveler explain E0202` says more";
            Err(Refusal::about(file, code::UNREADABLE_IR, message, help))
        }
        Err(Refused::Linking(conflict, [left, right])) => Err(does_not_link(&conflict, &left, &right)),
        Err(Refused::Lowering(problems)) => {
            Err(unsupported(file, &String::from_utf8_lossy(bytes), &problems))
        }
    }
}

/// Two files that are no program together.
fn does_not_link(conflict: &Conflict, left: &str, right: &str) -> Refusal {
    let name = &conflict.name;
    let (message, help) = if conflict.kinds {
        let message = format!("`{name}` is declared in {left} and in {right} as different things");
        (message, "give it one type in a header that both include")
    } else if name == "main" {
        let message = format!("`main` is defined in {left} and in {right}");
        (message, "name the files of one program only")
    } else {
        let message = format!("`{name}` is defined in {left} and in {right}");
        (message, "define it once, and declare it `extern` elsewhere, or make it `static`")
    };
    Refusal::about(right, code::NOT_COMPILED, message, help)
}

/// The file that clang speaks of, as it names files in its messages; the first one if it names none.
fn refused_file<'a>(parts: &[Part<'a>], failure: &Failure) -> &'a str {
    let named = |file: &str, line: &str| {
        let base = file.rsplit('/').next().unwrap_or(file);
        let is_named =
            |name| line.trim_start().strip_prefix(name).is_some_and(|rest: &str| rest.starts_with(':'));
        is_named(file) || is_named(base)
    };
    let told = match failure {
        Failure::Refused(said) => {
            said.lines().find_map(|line| parts.iter().find(|part| named(part.file, line)))
        }
        _ => None,
    };
    told.or(parts.first()).map_or("", |part| part.file)
}

fn refused(file: &str, failure: Failure) -> Refusal {
    match failure {
        Failure::Missing => {
            let help =
                "install it, on Debian and Ubuntu with `apt-get install clang`, or name one in RAVELER_CLANG";
            let message = match std::env::var_os("RAVELER_CLANG") {
                Some(chosen) => {
                    format!("`{}`, which RAVELER_CLANG names, cannot be run", chosen.to_string_lossy())
                }
                None => "C programs need clang, and there is none on the PATH".to_string(),
            };
            Refusal::about(file, code::NO_CLANG, message, help)
        }
        Failure::TooOld(version) => {
            let message = format!("clang {version} is too old; version {} or newer is needed", clang::OLDEST);
            Refusal::about(file, code::NO_CLANG, message, "install a newer one, or name one in RAVELER_CLANG")
        }
        Failure::Stopped => {
            Refusal::about(file, code::NO_CLANG, "clang was stopped before it was done".to_string(), "")
        }
        Failure::Broken(what) => Refusal::about(file, code::NO_CLANG, what, ""),
        Failure::Refused(said) => {
            let message = format!("the program does not compile\n{}", said.trim_end());
            let help = if said.contains("file not found") {
                "flags for clang follow `--`: -I FOLDER says where headers are, -std=c11 or -std=c++20 which language"
            } else if said.contains("in namespace 'std'") {
                "C++ is C++17 if nothing else is said; flags for clang follow `--`, such as -std=c++20"
            } else if ["'bool'", "'true'", "'false'", "'nullptr'", "'constexpr'", "'thread_local'"]
                .iter()
                .any(|word| said.contains(&format!("undeclared identifier {word}")))
            {
                "C is as the compiler has it if nothing else is said; flags for clang follow `--`, such as -std=c2x"
            } else {
                ""
            };
            Refusal::about(file, code::NOT_COMPILED, message, help)
        }
    }
}

/// The calls that lead to a problem. In templates of a library they are many, and their names are long.
fn way(path: &[String]) -> String {
    const LONGEST_NAME: usize = 60;
    const SHOWN: usize = 3;
    let short = |name: &String| match name.split_once('<') {
        Some((beginning, _)) if name.len() > LONGEST_NAME => format!("{beginning}<...>"),
        _ => name.clone(),
    };
    // Those of the library's own say nothing.
    let told = path.iter().filter(|name| !name.starts_with('_'));
    let mut names: Vec<String> = told.map(short).collect();
    names.dedup();
    if names.len() > 2 * SHOWN {
        names.splice(SHOWN..names.len() - SHOWN, ["...".to_string()]);
    }
    names.join(", ")
}

/// Problems of the lowering, with their places.
fn unsupported(file: &str, source: &str, problems: &[Problem]) -> Refusal {
    let diagnostics = problems
        .iter()
        .map(|problem| {
            let here = problem.file == file && problem.line > 0;
            let before: usize = source
                .split_inclusive('\n')
                .take(problem.line.saturating_sub(1) as usize)
                .map(str::len)
                .sum();
            let start = before + problem.column.saturating_sub(1) as usize;
            let rest = source
                .get(start..)
                .and_then(|rest| rest.lines().next())
                .map_or(0, |line| line.trim_end().len());
            let mut message = problem.message.clone();
            if !here && problem.line > 0 {
                message = format!("{}:{}:{}: {message}", problem.file, problem.line, problem.column);
            }
            let way = way(&problem.path);
            if problem.path.len() > 1 && !way.is_empty() {
                message = format!("{message} (called from {way})");
            }
            Diagnostic {
                code: code::NOT_IN_C,
                message,
                span: here.then(|| start..start + rest.max(1)),
                label: String::new(),
                help: problem.help.clone(),
            }
        })
        .collect();
    Refusal { file: file.to_string(), source: source.to_string(), diagnostics }
}

struct Checked {
    program: CProgram,
    unroll: Option<u32>,
    over: Arc<AtomicBool>,
    stack: Option<u64>,
}

impl Checked {
    fn notes(&self, seen: &Collector) -> Notes {
        let leak = |site: SiteId| Warning {
            kind: "memory-leak",
            message: "memory allocated here is never freed, and nothing points to it at the end".to_string(),
            site,
        };
        let held = |site: SiteId| Warning {
            kind: "lock-held",
            message: "the lock taken here is still held when its thread ends".to_string(),
            site,
        };
        let leaks = seen.leaks().into_iter().map(leak);
        let doubts = self.program.warnings().iter();
        let doubts =
            doubts.map(|(site, message)| Warning { kind: "assembly", message: message.clone(), site: *site });
        let cut = |cut: raveler_c::CutLoop| {
            let raveler_c::CutLoop { site, rounds, changing, writes, spawns, .. } = cut;
            CutLoop { site, rounds, changing, writes, spawns }
        };
        let standing = self.program.standing().map(|standing| match standing {
            raveler_c::Standing::Loop { site, writes } => Standing::Loop { site, writes },
            raveler_c::Standing::At(site) => Standing::At(site),
        });
        Notes {
            waits: self.program.waits(),
            unroll: self.unroll,
            standing,
            stack: self.stack.filter(|&bytes| bytes < DEFAULT_STACK),
            out_of_stack: self.program.ran_out_of_stack(),
            not_started: self.program.not_started().map(|thread| {
                let raveler_c::NotStarted { site, function, deep } = thread;
                NotStarted { site, function, deep }
            }),
            cut_loops: self.program.cut_loops().into_iter().map(cut).collect(),
            warnings: doubts.chain(leaks).chain(seen.held().into_iter().map(held)).collect(),
            outcomes: seen.outcomes(&self.program),
            reductions: self.program.reduced(),
            ..Notes::default()
        }
    }
}

impl Checkable for Checked {
    fn sources(&self) -> Cow<'_, SourceMap> {
        self.program.sources()
    }

    fn names(&self) -> Names {
        let pointers = self.program.pointer_names();
        Names::with_shapes(self.program.objects(), &self.program.sources().shapes)
            .with_pointers(move |value| pointers.name(value))
    }

    fn check(&self, settings: &Settings, watching: Watching<'_>) -> Findings {
        let collector = Collector::new(&self.program).with_witnesses(watching.examples);
        let mut watch = Watch::new(collector, &watching);
        self.program.prepare(settings);
        let outcome = search(&self.program, settings, &mut watch);
        let notes = Notes { blocked: watch.blocked(), ..self.notes(&watch.inner) };
        let examples = watch.inner.into_witnesses(&self.program).into_iter();
        let examples = examples.map(|(values, witness)| (outcome_text(&values), witness)).collect();
        Findings { outcome, litmus: None, notes, first: watch.first, examples }
    }

    fn record(&self, settings: &Settings, findings: &Findings) -> Recordings {
        let record = |violation| {
            // Not until the check is over, as it is by now.
            let fresh = self.program.fresh();
            fresh.prepare(settings);
            let again = |recording: &_| replay(&fresh, settings, recording, &mut Unobserved);
            recorded(&findings.outcome, violation, again)
        };
        Recordings { violations: findings.outcome.violations.iter().map(record).collect(), shown: None }
    }

    fn replay(
        &self,
        settings: &Settings,
        recording: &Recording,
        watching: Watching<'_>,
    ) -> Result<Findings, BadReplay> {
        let mut watch = Watch::new(Collector::new(&self.program), &watching);
        self.program.prepare(settings);
        let outcome = replay(&self.program, settings, recording, &mut watch)?;
        let (notes, examples) = (Notes::default(), Vec::new());
        Ok(Findings { outcome, litmus: None, notes, first: watch.first, examples })
    }

    fn unrolled(&self, rounds: u32) -> Option<Box<dyn Checkable>> {
        let Checked { stack, ref over, .. } = *self;
        let program = self.program.fresh().unrolled(Some(rounds)).until(Arc::clone(over));
        Some(Box::new(Checked { program, unroll: Some(rounds), stack, over: Arc::clone(over) }))
    }

    fn number(&self) -> u32 {
        Recording::program_number(&self.program)
    }

    fn estimate(
        &self,
        settings: &Settings,
        probes: u64,
        seed: u64,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> (Estimate, Reductions) {
        let program = self.program.fresh().until(Arc::clone(&self.over));
        program.prepare(settings);
        let guess = estimate(&program, settings, probes, seed, keep_going);
        (guess, program.reduced())
    }
}
