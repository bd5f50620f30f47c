//! Random walks against the search: they come to its executions only, to all of them where there are few, and the number
//! of workers changes nothing.

use std::collections::BTreeSet;

use super::settings_with;
use crate::campaign::Verdict;
use crate::engine::{Report, Through, run};
use crate::program::TestProgram;
use raveler_core::outcome::StopReason;
use raveler_core::{Engine, Equivalence, Locks, Model, RandomWalks, Settings, ViolationKind};

/// Programs with so few executions are walked through until all are seen.
const FEW: usize = 3;
const MANY_WALKS: u64 = 1_500;
const SOME_WALKS: u64 = 50;

/// What makes walks different: what an execution is, how it is built, and the depth of walks by priorities.
const WAYS: [(Equivalence, Engine, Option<u32>); 4] = [
    (Equivalence::ReadsFrom, Engine::Graph, None),
    (Equivalence::Coherence, Engine::Graph, None),
    (Equivalence::ReadsFrom, Engine::Interleaving, None),
    (Equivalence::ReadsFrom, Engine::Interleaving, Some(4)),
];

/// Walks under each of these models.
pub fn random_walks(program: &TestProgram, models: &[Model]) -> Verdict {
    let mut verdict = Verdict::default();
    for &model in models.iter().filter(|model| **model == model.causal()) {
        for (equivalence, engine, depth) in WAYS {
            if engine == Engine::Interleaving && !matches!(model, Model::Sc | Model::Tso | Model::Pso) {
                continue;
            }
            let settings = settings_with(model, equivalence, Locks::Ordered);
            let all = run(program, &settings, Through::Snapshot);
            if all.outcome.stopped.is_some() {
                verdict.skipped += 1;
                continue;
            }
            let is_small = all.complete.len() + all.blocked.len() <= FEW;
            let walks = if is_small { MANY_WALKS } else { SOME_WALKS };
            let random = Some(RandomWalks { seed: 7, walks, depth });
            let settings = Settings { random, engine, ..settings };
            let walked = run(program, &settings, Through::Snapshot);
            let two = run(program, &Settings { workers: 2, ..settings }, Through::Snapshot);
            verdict.compared += walks;
            // A walk takes back what would make a thread wait in vain, so blocked explorations are not all seen.
            let is_covered = is_small && all.blocked.is_empty();
            let result = within(&all, &walked, is_covered).and_then(|()| alike(&walked, &two));
            if let Err(difference) = result {
                verdict.difference =
                    Some(format!("random walks, {} {equivalence:?} {engine:?}: {difference}", model.name()));
                return verdict;
            }
        }
    }
    verdict
}

fn kinds(report: &Report) -> BTreeSet<ViolationKind> {
    report.outcome.violations.iter().map(|violation| violation.kind).collect()
}

/// Walks see what there is, and if `is_covered` all of it.
fn within(all: &Report, walked: &Report, is_covered: bool) -> Result<(), String> {
    if walked.outcome.stopped != Some(StopReason::Walks) {
        return Err(format!("the walks were stopped: {:?}", walked.outcome.stopped));
    }
    if let Some(seen) = walked.complete.keys().find(|seen| !all.complete.contains_key(*seen)) {
        return Err(format!("a walk came to what is no execution:\n{seen:?}"));
    }
    if !kinds(walked).is_subset(&kinds(all)) {
        return Err(format!("walks found {:?}, the search {:?}", kinds(walked), kinds(all)));
    }
    let lost = all.complete.keys().find(|seen| !walked.complete.contains_key(*seen));
    match lost.filter(|_| is_covered) {
        Some(lost) => Err(format!("{} walks did not come to\n{lost:?}", walked.outcome.walks)),
        None if is_covered && kinds(walked) != kinds(all) => {
            Err(format!("walks found {:?}, the search {:?}", kinds(walked), kinds(all)))
        }
        None => Ok(()),
    }
}

fn alike(one: &Report, two: &Report) -> Result<(), String> {
    let (a, b) = (&one.outcome, &two.outcome);
    if (a.walks, a.counts, kinds(one)) != (b.walks, b.counts, kinds(two)) || one.complete != two.complete {
        return Err(format!("two workers counted {:?}, one {:?}", b.counts, a.counts));
    }
    Ok(())
}
