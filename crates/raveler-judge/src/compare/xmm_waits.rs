//! Waiting under XMM against loops that are unrolled: what a round that came to nothing could add.
//!
//! A round of a loop that changes nothing counts as an assumption that failed (docs/xmm.md, "Executions"): no execution
//! has it. In the unrolled program such rounds are reads like any others, which may be committed or not. Both must end
//! in the same ways.

use rustc_hash::FxHashSet;

use super::{same, settings, sound};
use crate::campaign::Verdict;
use crate::engine::{Report, Seen, Through, run};
use crate::program::{Cond, Stmt, TestProgram};
use raveler_core::{Equivalence, Model, Settings, XmmRules};

/// Rounds that come to nothing at most, in the unrolled program.
const FUTILE: usize = 2;

/// The program with a thread that waits at its first load, for each thread and both kinds of condition: the engine's waits
/// against loops, and both against unrolled loops.
pub fn unrolled_waits(program: &TestProgram) -> Verdict {
    let mut verdict = Verdict::default();
    for thread in 0..program.threads.len() {
        for equal in [true, false] {
            let Some((waiting, unrolled)) = with_wait(program, thread, equal) else { continue };
            for equivalence in [Equivalence::ReadsFrom, Equivalence::Coherence] {
                match compare(&waiting, &unrolled, equivalence) {
                    Ok(Some(compared)) => verdict.compared += compared,
                    Ok(None) => verdict.skipped += 1,
                    Err(difference) => {
                        let way = format!("thread {thread} waits, {equal}, {equivalence:?}");
                        verdict.difference = Some(format!("xmm, {way}: {difference}"));
                        return verdict;
                    }
                }
            }
        }
    }
    verdict
}

/// How many executions were compared; none if a search gave up.
fn compare(
    waiting: &TestProgram,
    unrolled: &TestProgram,
    equivalence: Equivalence,
) -> Result<Option<u64>, String> {
    let rules = XmmRules::Default;
    let settings = Settings { xmm_rules: rules, races: false, ..settings(Model::Xmm, equivalence) };
    let reports = [
        run(waiting, &settings, Through::Snapshot),
        run(waiting, &settings, Through::Spins),
        run(unrolled, &settings, Through::Snapshot),
    ];
    if reports.iter().any(|report| report.outcome.stopped.is_some()) {
        return Ok(None);
    }
    // Executions that differ only in the order of sections that readers may share look alike.
    let is_sound = |report: &Report| match waiting.has_read_locks() {
        false => sound(report),
        true => report.complaint.clone().map_or(Ok(()), Err),
    };
    reports.iter().try_for_each(is_sound)?;
    let [plain, spins, unrolled] = reports;
    let complete = |report: &Report| report.complete.keys().cloned().collect::<FxHashSet<Seen>>();
    same("complete executions, waiting and in loops", &complete(&plain), &complete(&spins))?;
    same("final states, unrolled and waiting", &unrolled.states, &plain.states)?;
    Ok(Some((plain.complete.len() + unrolled.complete.len()) as u64))
}

/// The program with a thread that waits at its first load, and the same with that loop unrolled; none if the thread does
/// not begin with a load that can wait.
fn with_wait(program: &TestProgram, thread: usize, equal: bool) -> Option<(TestProgram, TestProgram)> {
    let body = &program.threads[thread];
    let at = body.iter().position(|stmt| matches!(stmt, Stmt::Load { .. }))?;
    let Stmt::Load { reg, .. } = body[at] else { return None };
    if matches!(body.get(at + 1), Some(Stmt::Wait(_))) {
        return None;
    }
    let cond = Cond { reg, equal, value: i64::from(equal) };
    let mut waiting = program.clone();
    waiting.threads[thread].insert(at + 1, Stmt::Wait(cond));
    let mut rounds = vec![body[at].clone(), Stmt::Assume(cond)];
    for _ in 0..FUTILE {
        rounds = vec![body[at].clone(), Stmt::If { cond, then: Vec::new(), otherwise: rounds }];
    }
    let mut unrolled = program.clone();
    unrolled.threads[thread].splice(at..=at, rounds);
    let is_right = |program: &TestProgram| program.check().is_ok();
    (is_right(&waiting) && is_right(&unrolled)).then_some((waiting, unrolled))
}
