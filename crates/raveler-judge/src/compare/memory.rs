//! Programs in which something can be wrong with the use of allocated memory: which kinds of mistakes are found.
//!
//! The engine stops a thread at its mistake, brute force goes on, and which of two events is the mistake depends on the
//! search. What a stopped thread would have written later shows nothing to others, so executions and other violations
//! can be missing; there must not be more of them.

use std::collections::BTreeSet;

use super::{executions, violated};
use crate::brute::Judged;
use crate::engine::Report;
use raveler_core::{Equivalence, Model, ViolationKind};

/// What can be wrong with the use of memory.
const KINDS: [ViolationKind; 5] = [
    ViolationKind::UseAfterFree,
    ViolationKind::DoubleFree,
    ViolationKind::UninitialisedRead,
    ViolationKind::InvalidFree,
    ViolationKind::OutOfBounds,
];

/// The kinds of mistakes that were reported.
pub fn reported(report: &Report) -> BTreeSet<ViolationKind> {
    let kinds = report.outcome.violations.iter().map(|violation| violation.kind);
    kinds.filter(|kind| KINDS.contains(kind)).collect()
}

/// Only mistakes that are possible, and at least one if there are some. A thread stops at its first mistake, and with it
/// what it would have done for others: not every kind need show.
pub(super) fn same_mistakes(judged: &Judged, report: &Report, model: Model) -> Result<(), String> {
    let (found, possible) = (reported(report), judged.mistakes.possible(model));
    let first: Vec<_> = judged.mistakes.first(model).collect();
    if !found.is_subset(&possible) || found.is_empty() && !first.is_empty() {
        return Err(format!(
            "wrong uses of memory {found:?}\nby brute force {first:?} first, in all {possible:?}"
        ));
    }
    Ok(())
}

/// The comparison of a program that has such mistakes under this model.
pub(super) fn against_brute(
    judged: &Judged,
    report: &Report,
    model: Model,
    equivalence: Equivalence,
) -> Result<(), String> {
    same_mistakes(judged, report, model)?;
    let all = executions(judged, report, model, equivalence, &|found, _| found.graph.complete());
    if let Some(seen) = report.complete.keys().find(|seen| !all.contains(*seen)) {
        return Err(format!("a complete execution too many:\n{seen:?}"));
    }
    let races = model.definition().races;
    if races && violated(report, ViolationKind::Race) && !judged.races.has(model) {
        return Err("a race? by brute force false".to_string());
    }
    let failed = report.outcome.violations.iter().filter(|v| v.kind == ViolationKind::Assertion);
    let possible = judged.failures(model);
    match failed.map(|violation| violation.site.0).find(|site| !possible.contains(site)) {
        Some(site) => Err(format!("the assertion of statement {site} cannot fail")),
        None => Ok(()),
    }
}
