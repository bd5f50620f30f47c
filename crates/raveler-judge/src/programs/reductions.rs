//! Raveler with its reductions against raveler without: what they leave out must not be missed.

use raveler_core::Reductions;

use super::compare::{Question, Verdict, show};
use super::engine::{Compiled, Said, Way};
use super::explore::Row;

/// Compare under each model, in some of the ways to search.
pub fn judge(compiled: &Compiled, question: &Question) -> Verdict {
    let mut verdict = Verdict::default();
    let reducing: Vec<Way> = Way::ALL.into_iter().filter(|way| way.reductions != Reductions::NONE).collect();
    for &model in &question.models {
        for turn in 0..question.ways.min(reducing.len()) {
            let way = reducing[(question.turn + model as usize * 3 + turn * 5) % reducing.len()];
            let with = compiled.run(model, way, question.time);
            let without = compiled.run(model, Way { reductions: Reductions::NONE, ..way }, question.time);
            if with.late || without.late {
                verdict.open += 1;
                continue;
            }
            verdict.compared += 1;
            if let Some(difference) = difference(&with, &without) {
                let head = format!("--model {} {} --all", model.name(), way.name());
                verdict.difference = Some(format!("{head}\n{difference}"));
                return verdict;
            }
        }
    }
    verdict
}

/// The first difference between a search with reductions and one without, both of which came to their ends.
fn difference(with: &Said, without: &Said) -> Option<String> {
    let of = |rows: Vec<&Row>| rows.iter().take(4).map(|row| show(row)).collect::<Vec<_>>().join(" ");
    let lost: Vec<&Row> = without.outcomes.difference(&with.outcomes).collect();
    let won: Vec<&Row> = with.outcomes.difference(&without.outcomes).collect();
    if !lost.is_empty() {
        return Some(format!("outcomes are lost: {}", of(lost)));
    }
    // Without the reduction of rounds a loop may have no end in sight: then what was found is all that can be asked for.
    if with.reduced && without.inconclusive && !with.inconclusive {
        let kept = without.violations.is_subset(&with.violations);
        return (!kept)
            .then(|| format!("violations: {:?} instead of {:?}", with.violations, without.violations));
    }
    if !won.is_empty() {
        return Some(format!("outcomes are new: {}", of(won)));
    }
    if with.violations != without.violations {
        return Some(format!("violations: {:?} instead of {:?}", with.violations, without.violations));
    }
    if (with.inconclusive, &with.unsupported) != (without.inconclusive, &without.unsupported) {
        return Some("one of the two is no answer".to_string());
    }
    let (fewer, all) = (with.executions, without.executions);
    let fits = if with.reduced { fewer <= all } else { fewer == all };
    (!fits).then(|| format!("executions: {fewer} of {all}"))
}
