//! The definition word by word: all graphs, complete or not, all steps of executing, all committed sets, all maps. For
//! programs of a few events.

use rustc_hash::FxHashMap;

use super::embed::Pattern;
use super::parts::{INIT, Key, NONE, Part};
use super::{Limits, commit, graphs};
use crate::brute::Skip;
use crate::program::{Stmt, TestProgram};
use raveler_core::XmmRules;

/// More events than this have too many sets.
const MOST_EVENTS: usize = 12;

/// For each leaf, in the order of [`super::judge`], is it reached? Not for the strict rules.
pub fn members(program: &TestProgram, rules: XmmRules, limits: Limits) -> Result<Vec<bool>, Skip> {
    debug_assert!(!program.any(|stmt| matches!(stmt, Stmt::Choose { .. })));
    let found = graphs::graphs(program, limits, true)?;
    if found.parts.len() > limits.graphs || found.parts.iter().any(|part| part.len() > MOST_EVENTS) {
        return Err(Skip::Candidates);
    }
    let numbers: FxHashMap<&Key, usize> =
        found.parts.iter().enumerate().map(|(number, part)| (&part.key, number)).collect();
    let before: Vec<Vec<usize>> =
        found.parts.iter().map(|part| shorter(part).iter().map(|key| numbers[key]).collect()).collect();
    let patterns: Vec<Vec<Pattern>> = found
        .parts
        .iter()
        .map(|part| {
            let sets = (0..1u64 << part.len()).filter(|&set| {
                commit::closed(part, set, rules) == set && commit::stable_reads(part, set)
            });
            sets.map(|set| Pattern::new(part, set, 0, rules)).collect()
        })
        .collect();
    let mut reached: Vec<bool> = found.parts.iter().map(|part| part.len() == 0).collect();
    let mut fits: FxHashMap<(&Pattern, usize), bool> = FxHashMap::default();
    loop {
        let mut more = false;
        for number in 0..found.parts.len() {
            let executed = || before[number].iter().any(|&shorter| reached[shorter]);
            let mut reexecuted = || {
                let sources: Vec<usize> = (0..reached.len()).filter(|&source| reached[source]).collect();
                patterns[number].iter().any(|pattern| {
                    sources.iter().any(|&source| {
                        *fits
                            .entry((pattern, source))
                            .or_insert_with(|| pattern.fits(&found.parts[source]))
                    })
                })
            };
            if !reached[number] && (executed() || reexecuted()) {
                reached[number] = true;
                more = true;
            }
        }
        if !more {
            break;
        }
    }
    Ok(found.leaves.iter().map(|leaf| reached[numbers[&leaf.part.key]]).collect())
}

/// The graphs of which this one comes by one step of executing.
fn shorter(part: &Part) -> Vec<Key> {
    let last = |event: &usize| part.porf[*event] == 0;
    (0..part.len()).filter(last).map(|event| without(&part.key, event)).collect()
}

fn without(key: &Key, gone: usize) -> Key {
    let low = !(u64::MAX << gone);
    let squeeze = |row: u64| (row & low) | (row >> 1 & !low);
    let renumber = |event: u8| match event {
        INIT | NONE => event,
        event => event - u8::from(event as usize > gone),
    };
    let keep = |at: &usize| *at != gone;
    let all = || (0..key.labels.len()).filter(keep);
    Key {
        labels: all().map(|at| key.labels[at]).collect(),
        rf: all().map(|at| renumber(key.rf[at])).collect(),
        mo: all().map(|at| squeeze(key.mo[at])).collect(),
    }
}
