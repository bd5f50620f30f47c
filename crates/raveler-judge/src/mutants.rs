//! Deliberate mistakes in the engine, one at a time: does the comparison with brute force notice each of them?
//!
//! A mutant is shown the [known programs](programs::known) and the [checks](checks) first, then random programs of the profiles that are
//! rich in what it gets wrong, then random programs of all profiles, until the engine and brute force differ: another
//! set of executions, another set of final states, a race or a deadlock more or less, an execution twice, a panic, a
//! search that does not end. What is wrong with the search for XMM is shown [its own programs](xmm), and so is what is
//! wrong with [interleavings]. Run it with
//!
//! ```text
//! cargo run --release -p raveler-judge --features mutants -- mutants [--programs N] [--seed S] [--only NAME]
//! ```
//!
//! `N` is the number of random programs a mutant has to survive. The exit code is 1 if one survives that is not
//! [excused](excuses::EXCUSES), if an excuse is wrong, or if there is a difference although no mistake is made.

pub mod c_programs;
pub mod checks;
pub mod excuses;
pub mod hunt;
pub mod interleavings;
pub mod programs;
pub mod xmm;

use std::process::ExitCode;
use std::time::Instant;

use crate::campaign::Campaign;
use crate::random::Profile;
use excuses::Excuse;
use hunt::Range;
use raveler_core::mutation::Mutant;

/// Random programs of each profile that are judged without a mistake before anything else.
const HEALTHY: u64 = 10;

/// The profiles that are rich in what a mutant gets wrong; none if no profile is richer than the others.
fn profiles(mutant: Mutant) -> &'static [Profile] {
    use Profile::*;
    match mutant {
        Mutant::NoRevisitFromDropped
        | Mutant::PartWithoutUpdate
        | Mutant::CanonicalAsRead
        | Mutant::RivalSpared
        | Mutant::RivalKept
        | Mutant::NoBlocks
        | Mutant::AtomicitySplit
        | Mutant::FailedCasUnlocked => &[Updates, Mixed],
        Mutant::ChoiceIgnored => &[Choose],
        Mutant::ServedLoadsCommute | Mutant::ForwardingLost | Mutant::SleepersStay => &[NoUpdates, Mixed],
        Mutant::EpochsIgnored => &[Fences, ReleaseSequences],
        Mutant::EndsCommute => &[Memory, MemoryLocks],
        Mutant::LeftRunsUnasked => &[Locks],
        Mutant::LockExpectationIgnored | Mutant::NextBesideLocks => &[Locks, TryLocks],
        Mutant::SectionsUnordered
        | Mutant::OneOrderTried
        | Mutant::PastIgnored
        | Mutant::OpenNotLast
        | Mutant::NeverPostponed
        | Mutant::AlwaysTaken
        | Mutant::ClosedByHolding
        | Mutant::AlwaysBehind
        | Mutant::RivalsAssumed
        | Mutant::ReadsForceNothing
        | Mutant::OpenIsUntouched
        | Mutant::FailedWitnessKept
        | Mutant::RaisedUnseen
        | Mutant::EndsIgnored
        | Mutant::StoppedIgnored
        | Mutant::NeverKept
        | Mutant::SourcesThere => &[Sections, Locks, Detours],
        Mutant::MistakesBelieved => &[Assertions, Sections, Locks],
        Mutant::ReadersExclude => &[ReadLocks],
        Mutant::ReadersMissed | Mutant::HeldForEver => &[TriedReadLocks],
        Mutant::DroppedAtOnce | Mutant::WaiterGivenUp | Mutant::NewestWaitGivenUp => &[Conditions],
        Mutant::SectionsAlike | Mutant::EndsAwaited => &[Sections, Locks],
        Mutant::SpawnOnceOrdered | Mutant::SpawnUnordered | Mutant::JoinUnordered => &[Spawn],
        Mutant::BarrierIgnored
        | Mutant::ReleaseFenceIgnored
        | Mutant::AcquireFenceUnheard
        | Mutant::ReleaseFenceUnsent => &[Fences, ReleaseSequences],
        Mutant::UpdateChainCut | Mutant::SameThreadCut | Mutant::SameThreadWhole => &[ReleaseSequences],
        Mutant::PscIgnored
        | Mutant::PscWithoutFences
        | Mutant::PscWithoutHb
        | Mutant::PscWithoutDetour
        | Mutant::PscWithoutEco
        | Mutant::ScStoreUnfenced => &[SeqCst, Fences],
        Mutant::ScOrderOfRc11 | Mutant::ScOrderExceptsLocation | Mutant::ScOrderWithoutReadsFrom => {
            &[ScOrder]
        }
        Mutant::BoundTooLarge | Mutant::BoundTooSmall | Mutant::BoundPerThread | Mutant::BoundUnnoticed => {
            &[NoUpdates, Mixed]
        }
        Mutant::RacesEverywhere | Mutant::RacesNowhere => &[Plain],
        _ => &[],
    }
}

/// The campaigns a mutant has to survive: a quarter of the programs from the profiles meant for it.
fn campaigns(mutant: Mutant, all: &Campaign) -> Vec<Campaign> {
    if hunt::is_about_xmm(mutant) {
        return vec![Campaign { profiles: Profile::XMM.to_vec(), ..all.clone() }];
    }
    let profiles = profiles(mutant);
    if profiles.is_empty() {
        return vec![all.clone()];
    }
    let fitting = Campaign { profiles: profiles.to_vec(), programs: all.programs / 4, ..all.clone() };
    vec![fitting, Campaign { programs: all.programs - all.programs / 4, ..all.clone() }]
}

/// Does something that may panic in other threads, without a word about it.
pub fn quietly<T>(work: impl FnOnce() -> T) -> T {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = work();
    std::panic::set_hook(hook);
    result
}

/// The command: hunts all mutants, or the one named, and prints a line for each.
pub fn command(campaign: &Campaign, only: Option<&str>) -> ExitCode {
    let named = |mutant: &&Mutant| only.is_none_or(|name| format!("{mutant:?}") == name);
    let mutants: Vec<Mutant> = Mutant::ALL.iter().filter(named).copied().collect();
    if mutants.is_empty() {
        eprintln!("no mutant `{}`", only.unwrap_or_default());
        return ExitCode::from(2);
    }
    match quietly(|| hunt_all(campaign, &mutants, only.is_some())) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            println!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// True if no mutant survives without an excuse. With `show`, prints the programs too.
fn hunt_all(campaign: &Campaign, mutants: &[Mutant], show: bool) -> Result<bool, String> {
    let start = Instant::now();
    let mut range = Range::new()?;
    let healthy = Campaign { programs: HEALTHY * campaign.profiles.len() as u64, ..campaign.clone() };
    if let Some(kill) = range.hunt(None, &[healthy]) {
        let text = crate::text::print(&kill.program);
        return Err(format!("a difference without a mistake: {}\n{}\n{text}", kill.name, kill.difference));
    }
    println!(
        "no mistake: no difference on {} known programs and {HEALTHY} of each profile",
        range.known_programs()
    );
    let mut survivors = Vec::new();
    let mut fine = true;
    for &mutant in mutants {
        let Some(kill) = range.hunt(Some(mutant), &campaigns(mutant, campaign)) else {
            println!("{:<24} SURVIVES", format!("{mutant:?}"));
            survivors.push(mutant);
            continue;
        };
        let difference = kill.difference.lines().next().unwrap_or_default();
        println!("{:<24} {:>5}  {}: {difference}", format!("{mutant:?}"), kill.programs, kill.name);
        if matches!(excuses::of(mutant), Some(Excuse::Equivalent(_))) {
            println!("  but it is said to change nothing");
            fine = false;
        }
        if show {
            let (program, difference) = hunt::smaller(mutant, kill);
            println!("{difference}\n{}", crate::text::print(&program));
        }
    }
    let killed = mutants.len() - survivors.len();
    println!("{killed} of {} mutants killed in {:.0} s", mutants.len(), start.elapsed().as_secs_f64());
    for mutant in survivors {
        let excuse = excuses::of(mutant);
        fine &= excuse.is_some();
        let reason = match excuse {
            None => "no reason is known: the judges miss it".to_string(),
            Some(Excuse::Equivalent(reason)) => format!("changes nothing: {reason}"),
            Some(Excuse::NotKnown(reason)) => format!("no program is known that shows it: {reason}"),
        };
        println!("survivor {mutant:?}: {}\n  {reason}", mutant.about());
    }
    Ok(fine)
}
