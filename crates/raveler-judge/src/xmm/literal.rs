//! The definition word by word: all graphs, complete or not, all steps of executing, all committed sets, all maps. For
//! programs of a few events.

use rustc_hash::FxHashMap;

use super::embed::Pattern;
use super::graphs::{self, Ways};
use super::parts::{INIT, Key, NONE, Part};
use super::{Limits, commit};
use crate::brute::Skip;
use crate::program::TestProgram;
use raveler_core::XmmRules;

/// More events than this have too many sets.
const MOST_EVENTS: usize = 12;
/// The same where there are committed and determined ones.
const MOST_STRICT: usize = 8;

/// For each leaf, in the order of [`super::judge`], is it reached?
pub fn members(program: &TestProgram, rules: XmmRules, limits: Limits) -> Result<Vec<bool>, Skip> {
    let found = graphs::graphs(program, limits, Ways { parts: true, ..Ways::default() })?;
    let most = if rules == XmmRules::Strict { MOST_STRICT } else { MOST_EVENTS };
    if found.parts.len() > limits.graphs || found.parts.iter().any(|part| part.len() > most) {
        return Err(Skip::Candidates);
    }
    let numbers: FxHashMap<&Key, usize> =
        found.parts.iter().enumerate().map(|(number, part)| (&part.key, number)).collect();
    let before: Vec<Vec<usize>> =
        found.parts.iter().map(|part| shorter(part).iter().map(|key| numbers[key]).collect()).collect();
    let patterns: Vec<Vec<Pattern>> = found.parts.iter().map(|part| patterns(part, rules)).collect();
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
                        *fits.entry((pattern, source)).or_insert_with(|| pattern.fits(&found.parts[source]))
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
        follows: all().map(|at| squeeze(key.follows[at])).collect(),
    }
}

/// What is committed, for all sets that the rules allow.
fn patterns(part: &Part, rules: XmmRules) -> Vec<Pattern> {
    let mut all = Vec::new();
    for committed in 0..1u64 << part.len() {
        if commit::closed(part, committed, rules) != committed {
            continue;
        }
        if rules != XmmRules::Strict {
            if commit::stable_reads(part, committed) {
                all.push(Pattern::new(part, committed, 0, rules));
            }
            continue;
        }
        if !commit::strictly_stable(part, committed) {
            continue;
        }
        let determined =
            (0..=committed).filter(|set| set & !committed == 0 && can_be_determined(part, committed, *set));
        all.extend(determined.map(|determined| Pattern::new(part, committed, determined, rules)));
    }
    all
}

/// May these be the determined events?
fn can_be_determined(part: &Part, committed: u64, determined: u64) -> bool {
    let has = |set: u64, event: usize| set >> event & 1 == 1;
    let prefix = (0..part.len()).all(|event| has(determined, event) || part.po[event] & determined == 0);
    let goes_on = |event: usize| {
        let follows =
            event > 0 && part.threads[event - 1] == part.threads[event] && has(determined, event - 1);
        follows && has(committed, event) && !has(determined, event)
    };
    part.strong & !determined == 0 && prefix && !(0..part.len()).any(goes_on)
}
