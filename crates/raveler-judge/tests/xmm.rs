//! The oracle of XMM against known numbers of executions, and against the definition taken word by word.

#[path = "xmm/notation.rs"]
mod notation;

use raveler_core::{Equivalence, Model, XmmRules};
use raveler_judge::brute::Skip;
use raveler_judge::compare::settings;
use raveler_judge::engine::{Seen, Through, run};
use raveler_judge::random::{self, Profile};
use raveler_judge::xmm::{self, Judged, Limits, Notes};
use rustc_hash::FxHashSet;

const BOTH: [Equivalence; 2] = [Equivalence::Coherence, Equivalence::ReadsFrom];

fn judge(text: &str, halves: bool) -> Judged {
    let program = notation::program(text).unwrap_or_else(|| panic!("`{text}` cannot be read"));
    let limits = Limits { traces: 3000, combinations: 3_000_000, candidates: 300_000, graphs: 30_000 };
    match xmm::judge_with(&program, &XmmRules::ALL, limits, halves) {
        Ok(judged) => judged,
        Err(skip) => panic!("{text}: too much work: {skip:?}"),
    }
}

/// Counts with and without the coherence order under RC20, then under each rule set.
fn counts(judged: &Judged) -> Vec<[usize; 2]> {
    let mut all = vec![BOTH.map(|equivalence| judged.acyclic(equivalence).len())];
    for rules in XmmRules::ALL {
        all.push(BOTH.map(|equivalence| judged.executions(rules, equivalence).len()));
    }
    all
}

/// What a line of the table says.
fn expected(text: &str) -> Vec<[usize; 2]> {
    let of = |name: &str| -> Option<[usize; 2]> {
        let word = text.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))?;
        let (co, rf) = word.split_once('/')?;
        Some([co.parse().ok()?, rf.parse().ok()?])
    };
    let (rc20, xmm) = (of("rc20").expect("it is there"), of("xmm").expect("it is there"));
    let nocr = of("nocr").unwrap_or(xmm);
    vec![rc20, xmm, nocr, of("printed").unwrap_or(nocr), of("strict").unwrap_or(xmm)]
}

#[test]
fn known_programs() {
    let mut wrong = Vec::new();
    let table = include_str!("xmm/programs.txt");
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut fields = line.split(": ");
        let (Some(name), Some(program), Some(numbers)) = (fields.next(), fields.next(), fields.next()) else {
            panic!("`{line}` is no line of the table");
        };
        let (expected, found) = (expected(numbers), counts(&judge(program, false)));
        if expected != found {
            wrong.push(format!("{name}: {found:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// If a thread can stop between the halves of an update, then another can update the same, and what the first has read is
/// a source: without E5 this makes a difference.
#[test]
fn half_updates_are_sources() {
    let text = "X = 0; a = xchg(X, 0); Y = 1 || b = Y; c = xchg(X, b)";
    let (whole, halves) = (counts(&judge(text, false)), counts(&judge(text, true)));
    assert_eq!(whole[..2], halves[..2]);
    assert_eq!(whole[2][0] + 1, halves[2][0]);
}

#[test]
fn a_strong_race_is_a_cause() {
    let judged = judge("a = Y; if (a) { Z.rel = 0 } || b = X; Y = b || c = Z.acq; X = 1", false);
    assert!(!judged.lb_race());
    assert!(judged.any_lb_race());
}

/// From a graph with c = n, where a reads n + 1, one with c = n + 1 is reached: the read of n + 1 is committed, as b.
#[test]
fn values_grow_without_end() {
    let program =
        notation::program("a = X; b = X; Y = b || c = Y; X = c + 1; X = c").expect("it can be read");
    let judged = xmm::judge(&program, &[XmmRules::Default], Limits::default());
    assert_eq!(judged.err(), Some(Skip::Values));
}

/// Executions without cycles are those that the engine finds under RC20, and have the same form.
#[test]
fn without_cycles_it_is_rc20() {
    for profile in Profile::XMM {
        for seed in 0..60 {
            let program = random::program(profile, seed);
            let Ok(judged) = xmm::judge(&program, &[], Limits::default()) else { continue };
            for equivalence in BOTH {
                let report = run(&program, &settings(Model::Rc20, equivalence), Through::Snapshot);
                let found: FxHashSet<Seen> = report.complete.into_keys().collect();
                assert_eq!(found, judged.acyclic(equivalence), "{}", raveler_judge::text::print(&program));
            }
        }
    }
}

#[test]
fn random_programs_word_by_word() {
    let notes = Notes::default();
    for profile in Profile::XMM {
        for seed in 0..60 {
            let program = random::program(profile, seed);
            let verdict = xmm::against_itself(&program, &XmmRules::ALL, Limits::default(), &notes);
            assert_eq!(verdict.difference, None, "{}", raveler_judge::text::print(&program));
        }
    }
}
