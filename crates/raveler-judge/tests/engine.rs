//! Short runs of every comparison of the engine with a judge or with itself.

use raveler_core::{Equivalence, Model};
use raveler_judge::brute::Limits;
use raveler_judge::campaign::{Campaign, Verdict};
use raveler_judge::compare;
use raveler_judge::program::TestProgram;
use raveler_judge::random::Profile;
use raveler_judge::text::print;

/// Judges this many programs of every profile.
fn each(per_profile: u64, judge: &(dyn Fn(&TestProgram) -> Verdict + Sync)) {
    let profiles = Profile::ALL.to_vec();
    let programs = per_profile * profiles.len() as u64;
    let summary = Campaign { profiles, programs, seed: 1, threads: 1 }.run(judge);
    if let Some((program, difference)) = summary.difference {
        panic!("{difference}\n{}", print(&program));
    }
    assert!(summary.compared > programs);
}

#[test]
fn brute_force_finds_the_same_executions() {
    let both = [Equivalence::ReadsFrom, Equivalence::Coherence];
    each(6, &|program| compare::oracle(program, &Model::CAUSAL, &both, Limits::default()));
}

#[test]
fn machines_find_the_same_final_states() {
    each(4, &|program| compare::against_machines(program, &Model::CAUSAL));
}

#[test]
fn weaker_models_allow_more() {
    each(2, &compare::inclusions);
}

#[test]
fn front_ends_make_no_difference() {
    each(2, &|program| compare::front_ends(program, &Model::CAUSAL));
}

#[test]
fn workers_make_no_difference() {
    each(2, &|program| compare::workers(program, &Model::CAUSAL));
}
