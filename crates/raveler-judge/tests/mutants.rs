//! The known programs alone notice every mistake that can be noticed: `cargo test -p raveler-judge --features mutants`.
#![cfg(feature = "mutants")]

use raveler_core::Locks;
use raveler_core::mutation::Mutant;
use raveler_judge::mutants::hunt::Range;
use raveler_judge::mutants::{checks, excuses, quietly};

// One test: mistakes are made in the whole process.
#[test]
fn known_programs_notice_every_mistake() {
    let mut range = Range::new().expect("the known programs can be judged");
    let healthy = range.hunt(None, &[]);
    assert!(healthy.is_none(), "a difference without a mistake: {healthy:?}");
    let killed =
        quietly(|| Mutant::ALL.iter().map(|&m| range.hunt(Some(m), &[]).is_some()).collect::<Vec<_>>());
    let wrong: Vec<Mutant> = Mutant::ALL
        .iter()
        .zip(killed)
        .filter(|&(&mutant, killed)| killed == excuses::of(mutant).is_some())
        .map(|(&mutant, _)| mutant)
        .collect();
    assert!(wrong.is_empty(), "not noticed, or noticed although excused: {wrong:?}");
    both_searches_notice_every_check();
}

/// What is checked in one place is noticed by both searches when it is left out.
fn both_searches_notice_every_check() {
    let mutants = [
        Mutant::UnlockUnchecked,
        Mutant::DestroyUnchecked,
        Mutant::InitialiseUnchecked,
        Mutant::WakingIsReturning,
        Mutant::CycleIgnored,
        Mutant::FreeUnchecked,
        Mutant::UninitialisedAllowed,
        Mutant::AllocationUnordered,
        Mutant::WaitsForEver,
    ];
    for locks in [Locks::Ordered, Locks::Aware] {
        assert_eq!(checks::difference(locks), None);
        for mutant in mutants {
            Mutant::activate(Some(mutant));
            let noticed = checks::difference(locks);
            Mutant::activate(None);
            assert!(noticed.is_some(), "{mutant:?} is not noticed with {locks:?}");
        }
    }
}
