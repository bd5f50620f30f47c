//! raveler on a C or C++ text, through the faces that the command line uses.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use raveler_c::{CProgram, Collector, lower, search};
use raveler_core::outcome::{StopReason, Violation, ViolationKind};
use raveler_core::{
    Counts, Equivalence, Execution, Flow, Fork, Locks, Model, Observer, Program as _, Reductions, Settings,
    SiteId,
};

use super::ast::Program;
use super::explore::Row;
use super::{cpp, print};

/// How to search, besides the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Way {
    pub equivalence: Equivalence,
    pub locks: Locks,
    pub workers: usize,
    pub reductions: Reductions,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 16] = {
        const fn way(number: usize) -> Way {
            Way {
                equivalence: if number & 1 == 0 { Equivalence::ReadsFrom } else { Equivalence::Coherence },
                locks: if number & 2 == 0 { Locks::Aware } else { Locks::Ordered },
                workers: 1 + (number >> 2 & 1),
                reductions: if number < 8 { Reductions::ALL } else { Reductions::NONE },
            }
        }
        let mut all = [way(0); 16];
        let mut number = 1;
        while number < all.len() {
            all[number] = way(number);
            number += 1;
        }
        all
    };

    /// As options of the command line.
    pub fn name(self) -> String {
        let equivalence = if self.equivalence == Equivalence::ReadsFrom { "rf" } else { "co" };
        let locks = if self.locks == Locks::Aware { "aware" } else { "ordered" };
        let reductions = if self.reductions == Reductions::NONE { "none" } else { "all" };
        format!("--equivalence {equivalence} --locks {locks} -j {} --reductions {reductions}", self.workers)
    }
}

/// What raveler says.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// The outcomes of executions.
    pub outcomes: BTreeSet<Row>,
    /// The kinds of violations.
    pub violations: BTreeSet<&'static str>,
    /// Not everything was seen.
    pub inconclusive: bool,
    /// It ran out of the time it is given here.
    pub late: bool,
    /// How many executions it counts.
    pub executions: u64,
    /// Has it left something out beyond the equivalence?
    pub reduced: bool,
    /// It says that it cannot do this.
    pub unsupported: Option<String>,
}

/// A compiled text.
#[allow(missing_debug_implementations)]
pub struct Compiled(CProgram);

/// Compile a program.
pub fn compile(program: &Program) -> Result<Compiled, String> {
    let options = lower::Options::default();
    let text = print::text(program);
    let read = |_: &str| Some(text.clone());
    let code = match program.spelling {
        None => raveler_c::load("-", text.as_bytes(), &[], &options, &read),
        Some(spelling) => {
            let flags = cpp::flags(&text)?;
            // By its name it is C++; the compiler reads the file.
            let file =
                std::env::temp_dir().join(format!("raveler-judge-{}-{spelling}.cpp", std::process::id()));
            std::fs::write(&file, &text).map_err(|error| format!("{}: {error}", file.display()))?;
            let code = raveler_c::load(&file.to_string_lossy(), text.as_bytes(), &flags, &options, &read);
            let _ = std::fs::remove_file(&file);
            code
        }
    };
    code.map(|code| Compiled(CProgram::new(code))).map_err(|refused| format!("{refused:?}"))
}

impl Compiled {
    /// Explore all executions.
    pub fn run(&self, model: Model, way: Way, time: Duration) -> Said {
        // What earlier searches learned must not help.
        let program = self.0.fresh();
        let mut settings = Settings::new(model);
        settings.equivalence = way.equivalence;
        settings.locks = way.locks;
        settings.workers = way.workers;
        settings.reductions = way.reductions;
        settings.all = true;
        program.prepare(&settings);
        let end = Instant::now() + time;
        let mut watch = Watch { inner: Collector::new(&program), end, late: false };
        let outcome = search(&program, &settings, &mut watch);
        let unsupported = match &outcome.stopped {
            Some(StopReason::Unsupported { message, site }) => {
                let line = program.sources().site(*site).map_or(0, |site| site.line);
                Some(format!("line {line}: {message}"))
            }
            _ => None,
        };
        let mut outcomes: BTreeSet<Row> =
            watch.inner.outcomes(&program).into_iter().map(|(row, _)| row).collect();
        if outcomes.is_empty() && outcome.counts.executions > 0 {
            // A program that observes nothing has no outcomes, but the machine's executions have empty ones.
            outcomes.insert(Row::new());
        }
        Said {
            executions: outcome.counts.executions,
            reduced: program.reduced() != Reductions::NONE,
            outcomes,
            violations: told(&outcome.violations),
            inconclusive: outcome.counts.cut > 0 || outcome.stopped.is_some(),
            late: watch.late || matches!(outcome.stopped, Some(StopReason::Observer)),
            unsupported,
        }
    }
}

/// Collects, and stops when the time is over.
pub(crate) struct Watch {
    pub inner: Collector,
    pub end: Instant,
    pub late: bool,
}

impl Observer<CProgram> for Watch {
    fn execution(&mut self, execution: &Execution<'_, CProgram>) -> Flow {
        self.inner.execution(execution)
    }

    fn progress(&mut self, _counts: &Counts) -> Flow {
        if Instant::now() < self.end {
            return Flow::Continue;
        }
        self.late = true;
        Flow::Stop
    }

    fn interval(&self) -> u32 {
        1 << 8
    }

    fn restarted(&mut self) {
        self.inner.restarted();
    }
}

impl Fork for Watch {
    fn fork(&self) -> Self {
        Watch { inner: self.inner.fork(), end: self.end, late: false }
    }

    fn merge(&mut self, other: Self) {
        self.late |= other.late;
        self.inner.merge(other.inner);
    }
}

/// The kinds of violations, but for races of two accesses that are both uses of freed memory: machines do not make such
/// accesses, so they have no races.
fn told(violations: &[Violation]) -> BTreeSet<&'static str> {
    let is_use = |violation: &&Violation| violation.kind == ViolationKind::UseAfterFree;
    let uses: Vec<SiteId> = violations.iter().filter(is_use).map(|violation| violation.site).collect();
    let is_after_free = |violation: &Violation| {
        violation.kind == ViolationKind::Race
            && uses.contains(&violation.site)
            && violation.related.iter().all(|related| uses.contains(&related.site))
    };
    let told = violations.iter().filter(|violation| !is_after_free(violation));
    told.map(|violation| violation.kind.name()).collect()
}
