//! XMM against RC20: it allows all that RC20 does, and no more where no read leads to a write that it races with.

use rustc_hash::FxHashSet;

use super::itself::{same_in_each_order, same_report};
use super::{same, settings, sound, whole};
use crate::campaign::{Extent, Verdict};
use crate::engine::{Report, Seen, Through, run, run_for};
use crate::program::TestProgram;
use raveler_core::{Equivalence, Locks, Model, Settings};

/// Of programs with more executions than this not all are remembered: that takes too long.
const MOST_SOURCES: usize = 400;

/// A program with more executions than this is left out: a few such programs would take most of a campaign's time.
const MOST_EXECUTIONS: u64 = 3_000;
/// So is one whose search under RC20 or XMM takes more breaths of 4,096 steps than this.
const BREATHS: u32 = 40;

/// The engine against itself: XMM beside RC20, with one worker and, in all ways, with several, and with all executions as
/// sources, not only those that have the races for it. Programs whose search is given up are skipped.
pub fn beside_rc20(program: &TestProgram, extent: Extent) -> Verdict {
    let all_ways = extent == Extent::AllWays;
    let mut verdict = Verdict::default();
    for equivalence in [Equivalence::ReadsFrom, Equivalence::Coherence] {
        let limited = |settings: &Settings| {
            let settings = Settings { max_executions: Some(MOST_EXECUTIONS), ..settings.clone() };
            whole(run_for(program, &settings, Through::Snapshot, BREATHS))
        };
        let rc20 = limited(&settings(Model::Rc20, equivalence));
        let settings = Settings { lb_races: true, ..settings(Model::Xmm, equivalence) };
        let (Some(rc20), Some(xmm)) = (rc20, limited(&settings)) else {
            verdict.skipped += 1;
            continue;
        };
        verdict.compared += xmm.complete.len() as u64;
        let mut result = compare(program, &rc20, &xmm);
        for workers in [2, 3].into_iter().filter(|_| all_ways) {
            let many = run(program, &Settings { workers, ..settings.clone() }, Through::Snapshot);
            result = result.and_then(|()| same_with_workers(program, &xmm, &many));
        }
        if all_ways && result.is_ok() && xmm.complete.len() + xmm.blocked.len() <= MOST_SOURCES {
            let all = run(program, &Settings { xmm_filter: false, ..settings }, Through::Snapshot);
            result = same("with all executions as sources", &executions(&xmm), &executions(&all));
        }
        if let Err(difference) = result {
            verdict.difference = Some(format!("xmm beside rc20, {equivalence:?}: {difference}"));
            return verdict;
        }
    }
    verdict
}

/// Any number of workers finds the same, and builds as much twice.
fn same_with_workers(program: &TestProgram, one: &Report, many: &Report) -> Result<(), String> {
    match program.has_read_locks() {
        false => same_report(one, many, Locks::Ordered)?,
        true => {
            // What the first search of sections learns, and so what it drops, depends on the workers.
            let without = |report: &Report| {
                let mut report = report.clone();
                report.outcome.counts.dropped = 0;
                report
            };
            same_in_each_order(&without(one), &without(many), Locks::Ordered)?;
        }
    }
    let sites = |report: &Report| {
        let races = report.outcome.lb_race_sites.iter();
        races.map(|race| (race.read.site, race.write.site, race.is_realised)).collect::<Vec<_>>()
    };
    let (left, right) = (&one.outcome, &many.outcome);
    if (left.duplicates, left.lb_races) != (right.duplicates, right.lb_races) || sites(one) != sites(many) {
        return Err(format!(
            "duplicates {} and {}, load-buffering races {} and {}",
            left.duplicates, right.duplicates, left.lb_races, right.lb_races
        ));
    }
    Ok(())
}

fn compare(program: &TestProgram, rc20: &Report, xmm: &Report) -> Result<(), String> {
    // Executions that differ only in the order of sections that readers may share look alike.
    if !program.has_read_locks() {
        sound(xmm)?;
    }
    let times = |report: &Report, seen: &Seen| report.complete.get(seen).copied().unwrap_or(0);
    if let Some(lost) = rc20.complete.keys().find(|seen| times(rc20, seen) > times(xmm, seen)) {
        return Err(format!("rc20 allows what xmm does not:\n{lost:?}"));
    }
    // Blocked executions may have races, too, which are not counted.
    let may_be_more = xmm.outcome.lb_races > 0 || xmm.outcome.has_strong_lb_race || !rc20.blocked.is_empty();
    if may_be_more {
        return Ok(());
    }
    same("without load-buffering races", &executions(rc20), &executions(xmm))?;
    let is_more = |seen: &&Seen| times(rc20, seen) != times(xmm, seen);
    xmm.complete.keys().find(is_more).map_or(Ok(()), |seen| {
        Err(format!("without load-buffering races, another number of orders:\n{seen:?}"))
    })
}

fn executions(report: &Report) -> FxHashSet<Seen> {
    report.complete.keys().cloned().collect()
}
