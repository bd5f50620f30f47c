//! Store buffers that hold a given number of stores: the engine against brute force and machines with the same buffers.

use super::{against_machines_with, oracle_for, ordered_if_seen, settings_with};
use crate::brute::{Found, Judged, Limits, judge_bounded};
use crate::campaign::Verdict;
use crate::engine::{Report, Through, run};
use crate::program::TestProgram;
use raveler_core::{Equivalence, Model, Settings};

/// The models that have store buffers, or could have some.
const BUFFERED: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

fn buffered(models: &[Model]) -> Vec<Model> {
    models.iter().copied().filter(|model| BUFFERED.contains(model)).collect()
}

/// The engine against brute force, for each size of buffers. Workers and parts must agree on whether the bound was met, and
/// where it was not, there must be nothing more without it.
pub fn bounded_oracle(
    program: &TestProgram,
    models: &[Model],
    equivalences: &[Equivalence],
    limits: Limits,
    rooms: &[u32],
) -> Verdict {
    let models = buffered(models);
    let mut verdict = Verdict::default();
    for &room in rooms {
        let Ok(judged) = judge_bounded(program, limits, room) else {
            verdict.skipped += 1;
            continue;
        };
        let one = oracle_for(program, &judged, &models, equivalences, u32::MAX);
        verdict.compared += one.compared;
        verdict.skipped += one.skipped;
        verdict.difference = one.difference.or_else(|| {
            let pairs = models.iter().flat_map(|&model| equivalences.iter().map(move |&e| (model, e)));
            let mut results = pairs.map(|(model, equivalence)| {
                let settings = settings_with(model, equivalence, ordered_if_seen(program));
                let settings = Settings { buffer_bound: Some(room), ..settings };
                let named = |difference| format!("{} {equivalence:?}: {difference}", model.name());
                is_one_search(program, &settings).map_err(named)
            });
            results.find_map(Result::err)
        });
        if let Some(difference) = &mut verdict.difference {
            *difference = format!("room for {room}: {difference}");
            return verdict;
        }
    }
    verdict
}

/// The engine's final states against those of machines, for each size of buffers.
pub fn bounded_machines(program: &TestProgram, models: &[Model], rooms: &[u32]) -> Verdict {
    let models = buffered(models);
    let mut verdict = Verdict::default();
    for &room in rooms {
        let one = against_machines_with(program, &models, Some(room));
        verdict.compared += one.compared;
        verdict.skipped += one.skipped;
        if let Some(difference) = one.difference {
            verdict.difference = Some(format!("room for {room}: {difference}"));
            return verdict;
        }
    }
    verdict
}

/// Does the engine say that the bound was met where some execution has more stores in a buffer than there is room for, and
/// not elsewhere?
pub(super) fn is_met_where_it_should(judged: &Judged, report: &Report, model: Model) -> Result<(), String> {
    let met = report.outcome.bound_met;
    let (Some(room), Some(buffers)) =
        (judged.room, [Model::Tso, Model::Pso].iter().position(|&m| m == model))
    else {
        return if met { Err("a bound was met where there is none".to_string()) } else { Ok(()) };
    };
    // Where memory is used wrongly the engine goes on no further.
    if !judged.mistakes.possible(model).is_empty() {
        return Ok(());
    }
    let is_full = |found: &&Found| found.models.has(model) && found.held[buffers] > room as usize;
    let expected = judged.found.iter().any(|found| is_full(&found));
    // What came to nothing is no execution, but may have met the bound.
    let counts = &report.outcome.counts;
    let exact = counts.dropped + counts.spurious + counts.failed == 0;
    if met == expected || met && !exact {
        return Ok(());
    }
    Err(format!("was the bound met? By brute force {expected}"))
}

fn is_one_search(program: &TestProgram, settings: &Settings) -> Result<(), String> {
    let whole = run(program, settings, Through::Snapshot);
    let two = Settings { workers: 2, ..settings.clone() };
    let parts = run(program, settings, Through::Parts { seed: 1 });
    for (name, other) in [("workers", run(program, &two, Through::Snapshot)), ("parts", parts)] {
        same_search(&whole, &other).map_err(|difference| format!("{name}: {difference}"))?;
    }
    if whole.outcome.bound_met {
        return Ok(());
    }
    let unbounded = run(program, &Settings { buffer_bound: None, ..settings.clone() }, Through::Snapshot);
    same_search(&whole, &unbounded).map_err(|difference| format!("without the bound: {difference}"))
}

fn same_search(one: &Report, other: &Report) -> Result<(), String> {
    let (met, too) = (one.outcome.bound_met, other.outcome.bound_met);
    let exact = one.outcome.counts.failed == 0;
    if exact && met != too {
        return Err(format!("the bound was met: {met} and {too}"));
    }
    if one.complete != other.complete || one.states != other.states {
        let (a, b) = (one.complete.len(), other.complete.len());
        return Err(format!("other executions: {a} and {b}"));
    }
    Ok(())
}
