//! Programs that once showed a difference, kept as text and judged again.
//!
//! A line `# known: …` says that the difference is still there and why; when it goes, the line must go too. A line
//! `# sometimes: …` says that it shows only now and then, as differences between workers do.

use std::path::Path;

use crate::brute::Limits;
use crate::campaign::{Verdict, guarded};
use crate::compare;
use crate::program::TestProgram;
use crate::text::parse;
use raveler_core::{Equivalence, Model};

/// What became of one kept program.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its file.
    pub name: String,
    /// Why it is known to differ, if it is.
    pub known: Option<String>,
    /// Does the known difference show only now and then?
    pub sometimes: bool,
    /// The difference found.
    pub difference: Option<String>,
}

impl Kept {
    /// Is there a difference exactly if one is known?
    pub fn as_expected(&self) -> bool {
        self.known.is_some() == self.difference.is_some() || self.sometimes
    }

    /// One line about it.
    pub fn line(&self) -> String {
        match (&self.difference, &self.known) {
            (None, None) => format!("{}: agrees", self.name),
            (Some(_), Some(reason)) => format!("{}: differs as known ({reason})", self.name),
            (None, Some(_)) => format!("{}: agrees; its `known` line can go", self.name),
            (Some(difference), None) => format!("{}: {difference}", self.name),
        }
    }
}

/// Judges every program of a folder.
pub fn run(folder: &Path, models: &[Model]) -> Result<Vec<Kept>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|suffix| suffix == "txt"));
    paths.sort();
    let mut results = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        let program = parse(&text).map_err(|error| format!("{name}: {error}"))?;
        let note = |start: &str| text.lines().find_map(|line| line.strip_prefix(start)).map(str::to_string);
        let sometimes = note("# sometimes: ").is_some();
        let known = note("# known: ").or_else(|| note("# sometimes: "));
        let difference = guarded(&|program: &TestProgram| everything(program, models), &program).difference;
        results.push(Kept { name, known, sometimes, difference });
    }
    Ok(results)
}

/// Every comparison there is; the first difference counts.
pub fn everything(program: &TestProgram, models: &[Model]) -> Verdict {
    let both = [Equivalence::ReadsFrom, Equivalence::Coherence];
    let judges: [&dyn Fn() -> Verdict; 8] = [
        &|| compare::oracle(program, models, &both, Limits::default()),
        &|| compare::against_machines(program, models),
        &|| compare::inclusions(program),
        &|| compare::front_ends(program, models),
        &|| compare::workers(program, models),
        &|| compare::engines(program, models),
        &|| compare::preemptions(program, models),
        &|| compare::replays(program, models),
    ];
    let mut total = Verdict::default();
    for judge in judges {
        let verdict = judge();
        total.compared += verdict.compared;
        total.skipped += verdict.skipped;
        if verdict.difference.is_some() {
            total.difference = verdict.difference;
            return total;
        }
    }
    total
}
