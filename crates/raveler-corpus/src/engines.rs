//! The engine of graphs against that of interleavings on the files of the corpus: the same final states and the same
//! kinds of violations, and for litmus tests as many classes as executions.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use raveler_core::outcome::StopReason;
use raveler_core::{Engine, Equivalence, Locks, Model, Outcome, Settings, ViolationKind};
use raveler_litmus::{PrivateLocations, States, parse_bytes_with, search};

use crate::c::{Asked, Expectation, Run, asked, expectations, prepare};
use crate::variants::Summary;
use crate::ways::look;

/// A search with more executions is left out.
const MAX_EXECUTIONS: u64 = 3_000;
/// The same for runs.
const MAX_RUNS: u64 = 20_000;

/// The models that have both.
const MODELS: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

/// Which files of a corpus are compared: of every `every` one, counted over all by `at`.
pub struct Sample {
    /// One of so many.
    pub every: u64,
    /// The number of the next one.
    pub at: u64,
}

impl Sample {
    fn takes(&mut self) -> bool {
        self.at += 1;
        self.at.is_multiple_of(self.every)
    }
}

/// The kinds of violations. A thread that stopped at a use after free is not followed, and whether its own free would be the
/// second one depends on which of its events comes last in an engine: that is not compared.
fn kinds(outcome: &Outcome) -> BTreeSet<&'static str> {
    let mut kinds: BTreeSet<ViolationKind> = outcome.violations.iter().map(|v| v.kind).collect();
    if kinds.contains(&ViolationKind::UseAfterFree) {
        kinds.remove(&ViolationKind::DoubleFree);
    }
    kinds.into_iter().map(ViolationKind::name).collect()
}

/// How often classes are visited, under one model.
#[derive(Default, Debug)]
struct Visits {
    searches: u64,
    runs: u64,
    classes: u64,
    /// Sum of runs per class.
    ratios: f64,
}

/// What was compared.
#[derive(Default, Debug)]
pub struct Compared {
    /// How it went.
    pub summary: Summary,
    visits: [Visits; 3],
}

impl Compared {
    fn visited(&mut self, model: Model, runs: &Outcome) {
        let (count, classes) = (runs.counts.executions, runs.classes.unwrap_or(0));
        let Some(place) = MODELS.iter().position(|&m| m == model).filter(|_| classes > 0) else { return };
        let visits = &mut self.visits[place];
        visits.searches += 1;
        visits.runs += count;
        visits.classes += classes;
        visits.ratios += count as f64 / classes as f64;
    }

    /// How many runs there were for each class.
    pub fn visits(&self) -> Vec<String> {
        let line = |(model, visits): (&Model, &Visits)| {
            let Visits { searches, runs, classes, ratios } = *visits;
            format!(
                "{}: {runs} runs for {classes} classes, {:.3} (mean over {searches} searches {:.3})",
                model.name(),
                runs as f64 / classes as f64,
                ratios / searches as f64
            )
        };
        MODELS.iter().zip(&self.visits).filter(|(_, visits)| visits.searches > 0).map(line).collect()
    }
}

/// The two ways to search: locks have their order, since interleavings have it.
fn both(settings: Settings) -> [Settings; 2] {
    let (equivalence, locks) = (Equivalence::ReadsFrom, Locks::Ordered);
    let graphs = Settings { equivalence, locks, all: true, max_executions: Some(MAX_EXECUTIONS), ..settings };
    let (engine, max_executions) = (Engine::Interleaving, Some(MAX_RUNS));
    let runs = Settings { engine, max_executions, classes: true, ..graphs.clone() };
    [graphs, runs]
}

/// Compare both engines on a litmus test.
pub fn litmus(file: &Path, sample: &mut Sample, compared: &mut Compared) -> io::Result<()> {
    let (name, bytes) = (file.display().to_string(), fs::read(file)?);
    let Ok(test) = parse_bytes_with(&name, &bytes, PrivateLocations::InMemory) else { return Ok(()) };
    for model in MODELS {
        if !sample.takes() {
            continue;
        }
        let [graphs, runs] = both(Settings::new(model)).map(|settings| {
            let mut states = States::new(&test);
            (search(&test.program, &settings, &mut states), states.sorted_states())
        });
        if graphs.0.stopped.is_some() || runs.0.stopped.is_some() {
            compared.summary.skipped += 1;
            continue;
        }
        compared.visited(model, &runs.0);
        let summary = &mut compared.summary;
        summary.compared += 1;
        let mut complain =
            |what: String| summary.differences.push(format!("{name}: {}: {what}", model.name()));
        if graphs.1 != runs.1 {
            complain(format!("states {:?} of graphs, {:?} of interleavings", graphs.1, runs.1));
        }
        if kinds(&graphs.0) != kinds(&runs.0) {
            complain(format!("violations {:?} and {:?}", kinds(&graphs.0), kinds(&runs.0)));
        }
        let (executions, classes) = (graphs.0.counts.executions, runs.0.classes);
        if classes != Some(executions) && graphs.0.counts.failed == 0 {
            complain(format!("{executions} executions, {classes:?} classes"));
        }
    }
    Ok(())
}

/// Compare both engines on the lines of a C file.
pub fn c(file: &Path, sample: &mut Sample, compared: &mut Compared) -> io::Result<()> {
    let text = fs::read_to_string(file)?;
    let Ok(Expectation::Runs(runs)) = expectations(&text) else { return Ok(()) };
    for run in runs.iter().filter(|run| !run.long) {
        // Such lines have many threads, whose runs without a reduction have no end in sight: `agree-reductions` compares those.
        if run.options.iter().any(|option| option == "--reductions") {
            continue;
        }
        for model in MODELS {
            if sample.takes() {
                compare(file, run, model, compared);
            }
        }
    }
    Ok(())
}

fn compare(file: &Path, run: &Run, model: Model, compared: &mut Compared) {
    let Ok(Some(Asked { settings, lowering, unroll, stack })) = asked(model, &run.options) else { return };
    let Ok(program) = prepare(file, &run.flags, &lowering) else { return };
    let program = program.unrolled(unroll).with_stack(stack);
    let [graphs, runs] = both(settings);
    let is_whole = |outcome: &Outcome| matches!(outcome.stopped, None | Some(StopReason::Violation));
    let found = look(&program, &graphs).zip(look(&program, &runs));
    let Some((graphs, runs)) = found.filter(|(a, b)| is_whole(&a.0) && is_whole(&b.0)) else {
        compared.summary.skipped += 1;
        return;
    };
    compared.visited(model, &runs.0);
    let summary = &mut compared.summary;
    summary.compared += 1;
    let mut complain = |what: String| {
        let (line, flags, model) = (run.line, run.flags.join(" "), model.name());
        summary.differences.push(format!("{}:{line}: {flags} {model}: {what}", file.display()));
    };
    if kinds(&graphs.0) != kinds(&runs.0) {
        complain(format!(
            "violations {:?} of graphs, {:?} of interleavings",
            kinds(&graphs.0),
            kinds(&runs.0)
        ));
    }
    // A thread that fails ends its exploration, and which one comes first depends on the search.
    if graphs.0.counts.failed == 0 && runs.0.counts.failed == 0 && graphs.1 != runs.1 {
        complain(format!("{} ends of graphs, {} of interleavings", graphs.1.len(), runs.1.len()));
    }
}
