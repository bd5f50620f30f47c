//! Programs in which something can be wrong with the use of allocated memory: which kinds of mistakes are found.
//!
//! The engine stops a thread at its mistake, brute force goes on, and which of two events is the mistake depends on the
//! search. So executions are compared only as far as nothing is wrong in them.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::{executions, violated};
use crate::brute::Judged;
use crate::engine::{Report, Seen};
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

/// Only mistakes that are possible, and of those that come first at least one.
pub(super) fn same_mistakes(judged: &Judged, report: &Report, model: Model) -> Result<(), String> {
    let (found, possible) = (reported(report), judged.mistakes.possible(model));
    let mut first = judged.mistakes.first(model);
    if !found.is_subset(&possible) || first.any(|kinds| kinds.is_disjoint(&found)) {
        let first: Vec<_> = judged.mistakes.first(model).collect();
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
    let expected = |clean: bool| {
        executions(judged, report, model, equivalence, &|found, _| {
            found.graph.complete() && (!clean || found.clean.has(model))
        })
    };
    let complete: FxHashSet<Seen> = report.complete.keys().cloned().collect();
    if let Some(seen) = expected(true).difference(&complete).next() {
        return Err(format!("a complete execution without a mistake is missing:\n{seen:?}"));
    }
    if let Some(seen) = complete.difference(&expected(false)).next() {
        return Err(format!("a complete execution too many:\n{seen:?}"));
    }
    let race = violated(report, ViolationKind::Race);
    let races = matches!(model, Model::Rc11 | Model::Rc20);
    if races && (judged.clean.races.has(model) && !race || race && !judged.races.has(model)) {
        return Err(format!("a race? by brute force {}", judged.races.has(model)));
    }
    if judged.clean.deadlocks.has(model) && !violated(report, ViolationKind::Deadlock) {
        return Err("a deadlock? by brute force true".to_string());
    }
    let failed = report.outcome.violations.iter().filter(|v| v.kind == ViolationKind::Assertion);
    let failures: BTreeSet<u32> = failed.map(|violation| violation.site.0).collect();
    let sites = judged.clean.failures.iter().filter(|(_, models)| models.has(model));
    if let Some((site, _)) = sites.clone().find(|(site, _)| !failures.contains(site)) {
        return Err(format!("the assertion {site} can fail"));
    }
    if let Some(site) = failures.iter().find(|site| !judged.failures(model).contains(site)) {
        return Err(format!("the assertion {site} cannot fail"));
    }
    Ok(())
}
