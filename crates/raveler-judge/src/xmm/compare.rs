//! The engine against the definition, and the definition against what must follow from it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Judged, Limits, is_expressible, judge, judge_with, literal};
use crate::brute;
use crate::campaign::Verdict;
use crate::compare::{same, settings, sound};
use crate::engine::{Report, Seen, Through, run};
use crate::graph::EventKind;
use crate::program::TestProgram;
use raveler_core::{Equivalence, Model, Settings, XmmRules};

/// Programs with more graphs than this, parts of graphs counted, are not looked at word by word.
const MOST_PARTS: usize = 250;

/// What a campaign came across.
#[derive(Default)]
pub struct Notes {
    programs: AtomicU64,
    endless: AtomicU64,
    cyclic: AtomicU64,
    lb_races: AtomicU64,
    /// Programs beyond RC20 by default none of whose load-buffering races has a relaxed side, and those that have none
    /// of any order: of these the theorem says that there are none.
    without_relaxed: AtomicU64,
    without_any: AtomicU64,
    beyond: [AtomicU64; 4],
    executions: [AtomicU64; 4],
    /// What is tried after the first difference is for making its program smaller.
    over: AtomicBool,
}

impl Notes {
    fn note(&self, judged: &Judged, rules: &[XmmRules]) {
        if self.over.load(Ordering::Relaxed) {
            return;
        }
        let count = |counter: &AtomicU64, by: usize| {
            counter.fetch_add(by as u64, Ordering::Relaxed);
        };
        count(&self.programs, 1);
        count(&self.cyclic, usize::from(judged.leaves.iter().any(|leaf| !leaf.acyclic)));
        count(&self.lb_races, usize::from(judged.lb_race()));
        let beyond = |leaf: &super::Leaf| leaf.complete && !leaf.acyclic && leaf.rules & 1 == 1;
        if judged.leaves.iter().any(beyond) {
            count(&self.without_relaxed, usize::from(!judged.lb_race()));
            count(&self.without_any, usize::from(!judged.any_lb_race()));
        }
        for &rules in rules {
            let reached =
                judged.leaves.iter().filter(|leaf| leaf.complete && leaf.rules >> super::bit(rules) & 1 == 1);
            let (without, with): (Vec<_>, Vec<_>) = reached.partition(|leaf| leaf.acyclic);
            count(&self.beyond[super::bit(rules)], usize::from(!with.is_empty()));
            count(&self.executions[super::bit(rules)], without.len() + with.len());
        }
    }

    /// One line of numbers.
    pub fn line(&self) -> String {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let mut line = format!(
            "xmm: judged {} (left out for endless values {}) with cyclic graphs {} with load-buffering races {} \
             (beyond rc20 by default without one with a relaxed side {}, of any order {}); beyond rc20 (executions)",
            get(&self.programs),
            get(&self.endless),
            get(&self.cyclic),
            get(&self.lb_races),
            get(&self.without_relaxed),
            get(&self.without_any)
        );
        for rules in XmmRules::ALL {
            let at = super::bit(rules);
            line += &format!(" {} {} ({})", rules.name(), get(&self.beyond[at]), get(&self.executions[at]));
        }
        line
    }

    fn end(&self, verdict: Verdict) -> Verdict {
        if verdict.difference.is_some() {
            self.over.store(true, Ordering::Relaxed);
        }
        verdict
    }
}

/// The settings of a comparison.
fn engine_settings(rules: XmmRules, equivalence: Equivalence) -> Settings {
    Settings { xmm_rules: rules, races: false, spurious_cas: false, ..settings(Model::Xmm, equivalence) }
}

/// The engine against the definition: the same executions, each once, and the same final states by rf and co.
pub fn against_engine(
    program: &TestProgram,
    rules: &[XmmRules],
    equivalences: &[Equivalence],
    limits: Limits,
    notes: &Notes,
) -> Verdict {
    let Some(judged) = judged(program, rules, limits, notes) else {
        return Verdict { skipped: 1, ..Verdict::default() };
    };
    notes.note(&judged, rules);
    let mut verdict = Verdict::default();
    if let Err(difference) = free_of_races(&judged, rules) {
        verdict.difference = Some(difference);
        return notes.end(verdict);
    }
    for &rules in rules {
        // There locks would have to be promised, which the engine refuses.
        if rules == XmmRules::Printed && program.has_read_locks() {
            continue;
        }
        let mut states = Vec::new();
        for &equivalence in equivalences {
            let report = run(program, &engine_settings(rules, equivalence), Through::Snapshot);
            let expected = judged.executions(rules, equivalence);
            let found: FxHashSet<Seen> = report.complete.keys().cloned().collect();
            verdict.compared += expected.len() as u64;
            let result = match program.has_read_locks() {
                false => sound(&report).and_then(|()| same("complete executions", &expected, &found)),
                true if has_words(&report) => continue,
                true => same("complete executions", &expected, &found)
                    .and_then(|()| in_each_order(&judged.in_each_order(rules, equivalence), &report)),
            };
            if let Err(difference) = result {
                verdict.difference = Some(format!("xmm {} {equivalence:?}: {difference}", rules.name()));
                return notes.end(verdict);
            }
            states.push(report.states);
        }
        // An execution of `rf` stands for all its coherence orders that are justified.
        if let [first, second] = &states[..]
            && let Err(difference) = same("final states (rf against co)", second, first)
        {
            verdict.difference = Some(format!("xmm {}: {difference}", rules.name()));
            return notes.end(verdict);
        }
    }
    verdict
}

/// Is some lock a place of memory? So it is if no thread comes to where it would share it.
fn has_words(report: &Report) -> bool {
    let mut events = report.complete.keys().flat_map(|(graph, _)| graph.threads.iter().flatten());
    events.any(|event| event.kind == EventKind::Lock && event.source.is_some())
}

/// Is each execution reported once for each order of its sections?
fn in_each_order(expected: &FxHashMap<Seen, u32>, report: &Report) -> Result<(), String> {
    if let Some(complaint) = &report.complaint {
        return Err(complaint.clone());
    }
    if let Some(reason) = &report.outcome.stopped {
        return Err(format!("the search stopped early: {reason:?}"));
    }
    for (seen, times) in &report.complete {
        let orders = expected.get(seen).copied().unwrap_or(0);
        if *times != orders {
            return Err(format!("an execution was reported {times} times, not {orders}:\n{seen:?}"));
        }
    }
    Ok(())
}

/// The definition against brute force (without cycles it is RC20), against itself word by word where programs are small
/// enough, and against the theorem that without load-buffering races it is RC20.
pub fn against_itself(program: &TestProgram, rules: &[XmmRules], limits: Limits, notes: &Notes) -> Verdict {
    let Some(judged) = judged(program, rules, limits, notes) else {
        return Verdict { skipped: 1, ..Verdict::default() };
    };
    notes.note(&judged, rules);
    let mut verdict = Verdict { compared: judged.leaves.len() as u64, ..Verdict::default() };
    let result = free_of_races(&judged, rules)
        .and_then(|()| like_brute_force(program, &judged))
        .and_then(|()| with_halves(program, &judged, rules, limits))
        .and_then(|()| word_by_word(program, &judged, rules, limits));
    verdict.difference = result.err();
    notes.end(verdict)
}

fn judged(program: &TestProgram, rules: &[XmmRules], limits: Limits, notes: &Notes) -> Option<Judged> {
    if !is_expressible(program) {
        return None;
    }
    let judged = judge(program, rules, limits);
    if matches!(judged, Err(brute::Skip::Values)) && !notes.over.load(Ordering::Relaxed) {
        notes.endless.fetch_add(1, Ordering::Relaxed);
    }
    judged.ok()
}

/// Under the default rules XMM is RC20 where no execution of RC20 has a load-buffering race. Races of two accesses that are
/// not relaxed have to count as well: E5 takes them for causes.
fn free_of_races(judged: &Judged, rules: &[XmmRules]) -> Result<(), String> {
    if !rules.contains(&XmmRules::Default) || judged.any_lb_race() {
        return Ok(());
    }
    let (expected, found) = (
        judged.acyclic(Equivalence::Coherence),
        judged.executions(XmmRules::Default, Equivalence::Coherence),
    );
    same("no load-buffering race, but executions beyond rc20", &expected, &found)
}

fn like_brute_force(program: &TestProgram, judged: &Judged) -> Result<(), String> {
    let Ok(brute) = brute::judge(program, brute::Limits::default()) else { return Ok(()) };
    let mut expected: FxHashSet<Seen> = FxHashSet::default();
    for found in brute.found.iter().filter(|found| found.graph.complete()) {
        let allowed = found.orders.iter().filter(|(_, models)| models.has(Model::Rc20));
        expected.extend(allowed.map(|(order, _)| (found.graph.clone(), Some(order.clone()))));
    }
    same("without cycles, by brute force", &expected, &judged.acyclic(Equivalence::Coherence))
}

/// That threads may stop between the halves of an update makes no difference under the default rules.
fn with_halves(
    program: &TestProgram,
    judged: &Judged,
    rules: &[XmmRules],
    limits: Limits,
) -> Result<(), String> {
    if !rules.contains(&XmmRules::Default) {
        return Ok(());
    }
    let Ok(with) = judge_with(program, &[XmmRules::Default], limits, true) else { return Ok(()) };
    let of = |judged: &Judged| judged.executions(XmmRules::Default, Equivalence::Coherence);
    same("with half updates", &of(judged), &of(&with))
}

fn word_by_word(
    program: &TestProgram,
    judged: &Judged,
    rules: &[XmmRules],
    limits: Limits,
) -> Result<(), String> {
    for &rules in rules {
        let Ok(members) = literal::members(program, rules, Limits { graphs: MOST_PARTS, ..limits }) else {
            continue;
        };
        for (leaf, member) in judged.leaves.iter().zip(members) {
            if (leaf.rules >> super::bit(rules) & 1 == 1) != member {
                return Err(format!(
                    "{}: word by word {member}, else not:\n{:?}{:?}",
                    rules.name(),
                    leaf.graph,
                    leaf.coherence
                ));
            }
        }
    }
    Ok(())
}
