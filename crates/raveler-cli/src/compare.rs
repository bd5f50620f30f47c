//! `raveler compare`: two checks of one file, what only one of them has, and for sc against tso or pso why.

mod fences;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use raveler_core::{Settings, SourceMap};
use raveler_report::compare::{self, Comparison, Side};
use raveler_report::json;

use crate::args::{self, Compare, Search};
use crate::exit;
use crate::front_ends::Source;
use crate::job::{Checked, Job};
use crate::limits::{self, Limits};
use crate::output::{colour_of, print};
use crate::properties::Properties;
use crate::refusal::{Refusal, code};

/// Of each check at most so many states or outcomes have an execution kept.
const EXAMPLES: usize = 4096;

/// One side: what was asked for, and what came of it.
struct Ran {
    options: String,
    search: Search,
    settings: Settings,
    lang: &'static str,
    file: String,
    sources: SourceMap,
    checked: Checked,
}

/// The program and how to read it.
struct Input<'a> {
    source: &'a Source,
    file: &'a str,
    clang_flags: &'a [String],
}

/// Exit code 0 if both checks say the same, 1 if they differ, 3 if one of them is inconclusive.
pub fn run(compare: &Compare) -> Result<u8, Refusal> {
    let interrupt = limits::interrupt_flag();
    let sides = [("--left", &compare.left), ("--right", &compare.right)].map(|(name, options)| {
        let search = args::parse_search(options).map_err(|error| bad_side(name, &error))?;
        crate::replay::refuse(&search, "compare")?;
        // Only of all that there is can be said what the other side does not have.
        let settings = Settings { all: true, ..search.settings()? };
        Ok((options.clone(), search, settings))
    });
    let [left, right] = sides;
    let (left, right) = (left?, right?);
    let source = Source::read(&compare.input)?;
    let input = Input { source: &source, file: source.file(), clang_flags: &compare.clang_flags };
    let check = |(options, search, settings): (String, Search, Settings)| {
        let limits = limits_of(&search, &interrupt);
        input.check(options, search, settings, &limits, false)
    };
    let ran = [check(left)?, check(right)?];
    let robustness = fences::find(&input, &ran, &interrupt)?;
    let sides = [ran[0].side(), ran[1].side()];
    let sides = [&sides[0], &sides[1]];
    let found = compare::differences(sides);
    let comparison = Comparison::new(sides, &found, robustness.as_ref());
    if compare.output.json {
        print(&json::line(&comparison));
    } else {
        let colour = colour_of(&std::io::stdout());
        print(&compare::render(&comparison, sides, &found, robustness.as_ref(), colour));
    }
    Ok(match (comparison.is_inconclusive(), comparison.same) {
        (true, _) => exit::INCONCLUSIVE,
        (_, true) => exit::VERIFIED,
        (_, false) => exit::VIOLATION,
    })
}

fn limits_of(search: &Search, interrupt: &Arc<AtomicBool>) -> Limits {
    Limits::new(search.timeout, search.max_memory, Arc::clone(interrupt))
}

impl Input<'_> {
    /// Read the program as these options want it, and check it.
    fn check(
        &self,
        options: String,
        search: Search,
        settings: Settings,
        limits: &Limits,
        quiet: bool,
    ) -> Result<Ran, Refusal> {
        search.fits_other_commands("compare")?;
        // Each side reads the program its own way: its entry, its values, its bound on loops.
        let (checked, sources) = match self.source.load(&search, self.clang_flags, limits) {
            Ok(loaded) => {
                let (print_executions, wants_first, examples) = (false, false, EXAMPLES);
                let properties = &Properties::new(&search.properties);
                let job = Job { quiet, print_executions, wants_first, examples, limits, properties };
                let checked = job.run(&loaded, settings.clone())?;
                (checked, loaded.program.sources().into_owned())
            }
            Err(_) if limits.cause().is_some() => {
                (Checked::unread(settings.clone(), limits), SourceMap::default())
            }
            Err(refusal) => return Err(refusal),
        };
        let (lang, file) = (self.source.lang(), self.file.to_string());
        Ok(Ran { options, search, settings, lang, file, sources, checked })
    }
}

impl Ran {
    fn side(&self) -> Side<'_> {
        Side {
            options: &self.options,
            report: self.checked.report(&self.file, self.lang, &self.sources),
            examples: &self.checked.findings.examples,
        }
    }
}

fn bad_side(name: &str, error: &clap::Error) -> Refusal {
    let text = error.render().to_string();
    let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
    let help = "the options of a search are allowed there; `raveler check --help` lists them";
    Refusal::usage(code::BAD_OPTION, format!("in {name}: {first}"), help)
}
