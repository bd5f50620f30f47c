//! Deliberate mistakes in the engine, one at a time: does the comparison with brute force notice each of them?
//!
//! A mutant is shown the [known programs](programs::known) first, then random programs of the profiles that are
//! rich in what it gets wrong, then random programs of all profiles, until the engine and brute force differ: another
//! set of executions, another set of final states, a race or a deadlock more or less, an execution twice, a panic, a
//! search that does not end. Run it with
//!
//! ```text
//! cargo run --release -p raveler-judge --features mutants -- mutants [--programs N] [--seed S] [--only NAME]
//! ```
//!
//! `N` is the number of random programs a mutant has to survive. The exit code is 1 if one survives that is not
//! [excused](excuses::EXCUSES), if an excuse is wrong, or if there is a difference although no mistake is made.

pub mod excuses;
pub mod programs;

use rustc_hash::FxHashMap;
use std::process::ExitCode;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use crate::brute::{Judged, Limits, Skip, judge};
use crate::campaign::{Campaign, Verdict, guarded, smallest};
use crate::compare::oracle_for;
use crate::program::TestProgram;
use crate::random::{Profile, program};
use excuses::Excuse;
use raveler_core::mutation::Mutant;
use raveler_core::{Equivalence, Model};

/// A search that reports progress more often has lost its way; it does so every few thousand steps.
const BREATHS: u32 = 100;

/// How long one program may take, all models together, if the search does not even report progress: so many moments.
/// Short ones, so that a process that is stopped for a while has lost one only.
const MOMENTS: u32 = 200;

/// One of them.
const MOMENT: Duration = Duration::from_millis(100);

/// Random programs of each profile that are judged without a mistake before anything else.
const HEALTHY: u64 = 10;

/// What a mutant was seen by.
#[derive(Clone, Debug)]
pub struct Kill {
    /// How many programs were judged, this one included.
    pub programs: u64,
    /// The name of the known program, or the profile and seed of the random one.
    pub name: String,
    /// The program.
    pub program: TestProgram,
    /// Model, equivalence and what differs.
    pub difference: String,
}

/// Programs and what brute force says of them, which is the same for all mutants.
pub struct Range {
    known: Vec<(&'static str, Arc<Case>)>,
    random: FxHashMap<(Profile, u64), Option<Arc<Case>>>,
}

/// A program and what brute force says of it.
struct Case {
    program: TestProgram,
    judged: Judged,
}

impl Case {
    fn new(program: TestProgram) -> Result<Arc<Case>, Skip> {
        let judged = judge(&program, Limits::default())?;
        Ok(Arc::new(Case { program, judged }))
    }
}

impl Range {
    /// The known programs, judged.
    pub fn new() -> Result<Range, String> {
        let mut known = Vec::new();
        for &(name, text) in programs::known() {
            let program = crate::text::parse(text).map_err(|error| format!("{name}: {error}"))?;
            known.push((name, Case::new(program).map_err(|skip| format!("{name}: {skip:?}"))?));
        }
        Ok(Range { known, random: FxHashMap::default() })
    }

    /// Shows a mutant, or with `None` the engine as it is, the known programs and then those of the campaigns.
    /// Mistakes are made in the whole process: only one at a time may be looked for.
    pub fn hunt(&mut self, mutant: Option<Mutant>, campaigns: &[Campaign]) -> Option<Kill> {
        Mutant::activate(mutant);
        let kill = self.hunt_active(&Scope::of(mutant), campaigns);
        Mutant::activate(None);
        kill
    }

    fn hunt_active(&mut self, scope: &Scope, campaigns: &[Campaign]) -> Option<Kill> {
        let mut programs = 0;
        let mut judge = |case: &Arc<Case>, name: String| {
            programs += 1;
            let difference = scope.difference(case)?;
            Some(Kill { programs, name, program: case.program.clone(), difference })
        };
        if let Some(kill) = self.known.iter().find_map(|(name, case)| judge(case, name.to_string())) {
            return Some(kill);
        }
        for campaign in campaigns {
            for (profile, seed) in (0..campaign.programs).map(|number| campaign.source(number)) {
                let case = self.random.entry((profile, seed));
                let case = case.or_insert_with(|| Case::new(program(profile, seed)).ok());
                let Some(case) = case else { continue };
                if let Some(kill) = judge(case, format!("{} {seed}", profile.name())) {
                    return Some(kill);
                }
            }
        }
        None
    }

    fn known_programs(&self) -> usize {
        self.known.len()
    }
}

/// The models and equivalences that a mutant can be seen under.
#[derive(Clone)]
struct Scope {
    models: Vec<Model>,
    equivalences: Vec<Equivalence>,
}

impl Scope {
    /// What the parentheses at the end of [`Mutant::about`] name; all models, or both equivalences, if they name none.
    fn of(mutant: Option<Mutant>) -> Scope {
        let about = mutant.map(Mutant::about).unwrap_or_default();
        let inside =
            about.rsplit_once('(').map(|(_, inside)| inside.trim_end_matches(')')).unwrap_or_default();
        let words: Vec<&str> = inside.split([',', ';', ' ']).collect();
        // The weakest first: most executions, most to be seen.
        let mut models = Model::ALL.to_vec();
        models.reverse();
        if models.iter().any(|model| words.contains(&model.name())) {
            models.retain(|model| words.contains(&model.name()));
        }
        let equivalences = match (words.contains(&"rf"), words.contains(&"co")) {
            (true, false) => vec![Equivalence::ReadsFrom],
            (false, true) => vec![Equivalence::Coherence],
            _ => vec![Equivalence::ReadsFrom, Equivalence::Coherence],
        };
        Scope { models, equivalences }
    }

    /// How the engine and brute force differ on a program; a panic of the engine is a difference. It runs in a thread
    /// of its own: a mistake can make it turn round and round inside one step. Such a thread is left behind.
    fn difference(&self, case: &Arc<Case>) -> Option<String> {
        let (scope, case) = (self.clone(), case.clone());
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            let judge = |program: &TestProgram| {
                oracle_for(program, &case.judged, &scope.models, &scope.equivalences, BREATHS)
            };
            // Nobody listens if the time is up.
            let _ = sender.send(guarded(&judge, &case.program).difference);
        });
        let verdict = (0..MOMENTS).find_map(|_| receiver.recv_timeout(MOMENT).ok());
        verdict.unwrap_or_else(|| Some("the search does not end".to_string()))
    }
}

/// The profiles that are rich in what a mutant gets wrong; none if no profile is richer than the others.
fn profiles(mutant: Mutant) -> &'static [Profile] {
    use Profile::*;
    match mutant {
        Mutant::NoRevisitFromDropped
        | Mutant::PartWithoutUpdate
        | Mutant::CanonicalAsRead
        | Mutant::RivalSpared
        | Mutant::NoBlocks
        | Mutant::AtomicitySplit
        | Mutant::FailedCasUnlocked => &[Updates, Mixed],
        Mutant::ChoiceIgnored => &[Choose],
        Mutant::LockExpectationIgnored => &[Locks, TryLocks],
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
        Mutant::RacesEverywhere | Mutant::RacesNowhere => &[Plain],
        _ => &[],
    }
}

/// The campaigns a mutant has to survive: a quarter of the programs from the profiles meant for it.
fn campaigns(mutant: Mutant, all: &Campaign) -> Vec<Campaign> {
    let profiles = profiles(mutant);
    if profiles.is_empty() {
        return vec![all.clone()];
    }
    let fitting = Campaign { profiles: profiles.to_vec(), programs: all.programs / 4, ..all.clone() };
    vec![fitting, Campaign { programs: all.programs - all.programs / 4, ..all.clone() }]
}

/// The smallest program the shrinker finds that still kills the mutant, and how.
fn smaller(mutant: Mutant, kill: Kill) -> (TestProgram, String) {
    let scope = Scope::of(Some(mutant));
    Mutant::activate(Some(mutant));
    let small = smallest(&kill.program, kill.difference, &|program| Verdict {
        difference: Case::new(program.clone()).ok().and_then(|case| scope.difference(&case)),
        ..Verdict::default()
    });
    Mutant::activate(None);
    small
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
            let (program, difference) = smaller(mutant, kill);
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
