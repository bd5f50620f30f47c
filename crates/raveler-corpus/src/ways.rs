//! One C program searched in several ways that must agree: both equivalences on how executions end, any number of workers
//! on everything.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use raveler_c::{CProgram, search};
use raveler_core::outcome::{Counts, StopReason};
use raveler_core::{
    Address, Equivalence, Execution, Flow, Fork, Observer, Outcome, Program, Settings, Value,
};

use crate::c::{Asked, Expectation, asked, expectations, prepare};

/// No search takes longer; the comparison is left out then.
const MOST: u64 = 1_000;

/// How executions end: the values of small global variables.
#[derive(Clone)]
struct Ends {
    addresses: Vec<Address>,
    seen: BTreeSet<Vec<Value>>,
}

impl Ends {
    fn of(program: &CProgram) -> Ends {
        let small = program.objects().iter().filter(|object| object.size <= 8);
        Ends { addresses: small.map(|object| object.address).collect(), seen: BTreeSet::new() }
    }
}

impl Observer<CProgram> for Ends {
    fn execution(&mut self, execution: &Execution<'_, CProgram>) -> Flow {
        self.seen.extend(execution.finals(&self.addresses));
        Flow::Continue
    }

    /// Threads that wait for each other have many explorations, few of them complete.
    fn progress(&mut self, counts: &Counts) -> Flow {
        if counts.blocked + counts.redundant > MOST_IN_VAIN { Flow::Stop } else { Flow::Continue }
    }

    fn restarted(&mut self) {
        self.seen.clear();
    }
}

impl Fork for Ends {
    fn fork(&self) -> Ends {
        Ends { addresses: self.addresses.clone(), seen: BTreeSet::new() }
    }

    fn merge(&mut self, other: Ends) {
        self.seen.extend(other.seen);
    }
}

/// Searches with more explorations that do not come to their end are left out.
const MOST_IN_VAIN: u64 = 3_000;

/// Compare all short lines of a file; how many searches were made.
pub fn compare(file: &Path) -> Result<usize, String> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let runs = match expectations(&text) {
        Ok(Expectation::Runs(runs)) => runs,
        _ => return Ok(0),
    };
    let mut searches = 0;
    // The first and smallest line says enough: the others are the same program, larger, or with another mistake in it.
    for run in runs.iter().filter(|run| !run.long).take(1) {
        let mut compiled: Option<CProgram> = None;
        for &model in &run.models {
            let Ok(Some(Asked { settings, lowering, unroll, stack })) = asked(model, &run.options) else {
                continue;
            };
            if compiled.is_none() {
                compiled = prepare(file, &run.flags, &lowering)
                    .ok()
                    .map(|program| program.unrolled(unroll).with_stack(stack));
            }
            let Some(program) = &compiled else { break };
            let settings = Settings { all: true, max_executions: Some(MOST), ..settings };
            searches += agree(program, &settings).map_err(|m| format!("{}: {m}", model.name()))?;
        }
    }
    Ok(searches)
}

/// What a search found, and how executions end; none if it is too large.
pub(crate) fn look(program: &CProgram, settings: &Settings) -> Option<(Outcome, BTreeSet<Vec<Value>>)> {
    let fresh = program.fresh();
    fresh.prepare(settings);
    let mut ends = Ends::of(&fresh);
    let outcome = search(&fresh, settings, &mut ends);
    let whole = !matches!(
        outcome.stopped,
        Some(StopReason::MaxExecutions | StopReason::Observer | StopReason::Unsupported { .. })
    );
    whole.then_some((outcome, ends.seen))
}

fn agree(program: &CProgram, settings: &Settings) -> Result<usize, String> {
    let rf = Settings { equivalence: Equivalence::ReadsFrom, ..settings.clone() };
    let Some((one, ends)) = look(program, &rf) else { return Ok(1) };
    let kinds = |outcome: &Outcome| outcome.violations.iter().map(|v| v.kind).collect::<BTreeSet<_>>();
    if let Some((two, others)) = look(program, &Settings { workers: 2, ..rf.clone() })
        && (one.counts.executions != two.counts.executions || kinds(&one) != kinds(&two) || ends != others)
    {
        return Err(format!("{:?} with one worker, {:?} with two", one.counts, two.counts));
    }
    let co = Settings { equivalence: Equivalence::Coherence, ..settings.clone() };
    if let Some((co, others)) = look(program, &co) {
        if kinds(&one) != kinds(&co) {
            return Err(format!("violations {:?} under rf, {:?} under co", kinds(&one), kinds(&co)));
        }
        if ends != others {
            return Err(format!("{} ends under rf, {} under co", ends.len(), others.len()));
        }
        if one.counts.executions > co.counts.executions {
            return Err(format!(
                "{} executions under rf, {} under co",
                one.counts.executions, co.counts.executions
            ));
        }
    }
    Ok(3)
}
