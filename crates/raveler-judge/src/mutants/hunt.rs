//! Showing programs to a mutant until one is judged differently.

use rustc_hash::FxHashMap;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use super::c_programs::CPrograms;
use super::xmm::XmmPrograms;
use super::{checks, interleavings};
use crate::brute::{Judged, Limits, Skip, judge};
use crate::campaign::{Campaign, Verdict, guarded, smallest};
use crate::compare::{bounded_oracle, oracle_for};
use crate::program::TestProgram;
use crate::random::{Profile, program};
use raveler_core::mutation::Mutant;
use raveler_core::{Equivalence, Locks, Model};

/// A search that reports progress more often has lost its way; it does so every few thousand steps.
const BREATHS: u32 = 100;

/// Executions with coherence orders of a random program.
const MOST_ORDERS: usize = 3000;

/// The sizes of store buffers under which a program is shown to a mistake about them.
const ROOMS: [u32; 3] = [0, 1, 2];

/// How long one program may take, all models together, if the search does not even report progress: so many moments.
/// Short ones, so that a process that is stopped for a while has lost one only.
const MOMENTS: u32 = 200;

/// One of them.
const MOMENT: Duration = Duration::from_millis(100);

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
    c_programs: CPrograms,
    xmm_programs: XmmPrograms,
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
        // Even without a mistake the search would take too long to be told from one that has lost its way.
        if judged.found.iter().map(|found| found.orders.len()).sum::<usize>() > MOST_ORDERS {
            return Err(Skip::Candidates);
        }
        Ok(Arc::new(Case { program, judged }))
    }
}

impl Range {
    /// The known programs, judged.
    pub fn new() -> Result<Range, String> {
        let mut known = Vec::new();
        for &(name, text) in super::programs::known() {
            let program = crate::text::parse(text).map_err(|error| format!("{name}: {error}"))?;
            known.push((name, Case::new(program).map_err(|skip| format!("{name}: {skip:?}"))?));
        }
        Ok(Range {
            c_programs: CPrograms::new(),
            xmm_programs: XmmPrograms::new()?,
            known,
            random: FxHashMap::default(),
        })
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
        if scope.in_xmm {
            let found = self.xmm_programs.difference(if scope.only_xmm { campaigns } else { &[] });
            if found.is_some() || scope.only_xmm {
                return found;
            }
        }
        if scope.in_runs {
            let found = interleavings::difference(if scope.only_runs { campaigns } else { &[] });
            if found.is_some() || scope.only_runs {
                return found;
            }
        }
        let mut programs = 0;
        let mut judge = |case: &Arc<Case>, name: String| {
            programs += 1;
            let difference = scope.difference(case)?;
            Some(Kill { programs, name, program: case.program.clone(), difference })
        };
        if scope.in_c
            && let Some(difference) = self.c_programs.difference()
        {
            let program = TestProgram::default();
            return Some(Kill { programs: 1, name: "C program".to_string(), program, difference });
        }
        if let Some(kill) = self.known.iter().find_map(|(name, case)| judge(case, name.to_string())) {
            return Some(kill);
        }
        if let Some(difference) = [Locks::Ordered, Locks::Aware].into_iter().find_map(checks::difference) {
            let program = TestProgram::default();
            return Some(Kill { programs, name: "checks".to_string(), program, difference });
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

    /// How many known programs there are.
    pub fn known_programs(&self) -> usize {
        self.known.len()
    }
}

/// The models and equivalences that a mutant can be seen under.
#[derive(Clone)]
struct Scope {
    models: Vec<Model>,
    equivalences: Vec<Equivalence>,
    /// Is it about waiting loops of C programs?
    in_c: bool,
    /// Is it about the search for XMM?
    in_xmm: bool,
    /// And about nothing else?
    only_xmm: bool,
    /// Is it about store buffers of bounded size?
    bounded: bool,
    /// And about nothing else?
    only_bounded: bool,
    /// Is it about interleavings?
    in_runs: bool,
    /// And about nothing else?
    only_runs: bool,
}

impl Scope {
    /// What the parentheses at the end of [`Mutant::about`] name; all models, or both equivalences, if they name none.
    fn of(mutant: Option<Mutant>) -> Scope {
        let about = mutant.map(Mutant::about).unwrap_or_default();
        let inside =
            about.rsplit_once('(').map(|(_, inside)| inside.trim_end_matches(')')).unwrap_or_default();
        let words: Vec<&str> = inside.split([',', ';', ' ']).collect();
        // The weakest first: most executions, most to be seen.
        let mut models = Model::CAUSAL.to_vec();
        models.reverse();
        if models.iter().any(|model| words.contains(&model.name())) {
            models.retain(|model| words.contains(&model.name()));
        }
        let equivalences = match (words.contains(&"rf"), words.contains(&"co")) {
            (true, false) => vec![Equivalence::ReadsFrom],
            (false, true) => vec![Equivalence::Coherence],
            _ => vec![Equivalence::ReadsFrom, Equivalence::Coherence],
        };
        let only_xmm = words.contains(&Model::Xmm.name());
        let (in_c, in_xmm) = (mutant.is_none() || words.contains(&"c"), mutant.is_none() || only_xmm);
        let only_bounded = words.contains(&"bound");
        let bounded = mutant.is_none() || only_bounded;
        let only_runs = words.contains(&"interleavings");
        let in_runs = mutant.is_none() || only_runs;
        Scope { models, equivalences, in_c, in_xmm, only_xmm, bounded, only_bounded, in_runs, only_runs }
    }

    /// How the engine and brute force differ on a program; a panic of the engine is a difference. It runs in a thread
    /// of its own: a mistake can make it turn round and round inside one step. Such a thread is left behind.
    fn difference(&self, case: &Arc<Case>) -> Option<String> {
        let (scope, case) = (self.clone(), case.clone());
        aside(move || {
            let judge = |program: &TestProgram| {
                oracle_for(program, &case.judged, &scope.models, &scope.equivalences, BREATHS)
            };
            let bounded = |program: &TestProgram| {
                bounded_oracle(program, &scope.models, &scope.equivalences, Limits::default(), &ROOMS)
            };
            let usual = || guarded(&judge, &case.program).difference;
            let with_bound = || guarded(&bounded, &case.program).difference;
            let first = if scope.only_bounded { None } else { usual() };
            first.or_else(|| if scope.bounded { with_bound() } else { None })
        })
    }
}

/// Looks for a difference in a thread of its own, which is left behind if it does not come to an end.
pub(super) fn aside(look: impl FnOnce() -> Option<String> + Send + 'static) -> Option<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        // Nobody listens if the time is up.
        let _ = sender.send(look());
    });
    let verdict = (0..MOMENTS).find_map(|_| receiver.recv_timeout(MOMENT).ok());
    verdict.unwrap_or_else(|| Some("the search does not end".to_string()))
}

/// Is the mistake one of the search for XMM?
pub fn is_about_xmm(mutant: Mutant) -> bool {
    Scope::of(Some(mutant)).only_xmm
}

/// The smallest program the shrinker finds that still kills the mutant, and how.
pub fn smaller(mutant: Mutant, kill: Kill) -> (TestProgram, String) {
    let scope = Scope::of(Some(mutant));
    if scope.only_xmm || scope.only_runs || kill.program.threads.is_empty() {
        return (kill.program, kill.difference);
    }
    Mutant::activate(Some(mutant));
    let small = smallest(&kill.program, kill.difference, &|program| Verdict {
        difference: Case::new(program.clone()).ok().and_then(|case| scope.difference(&case)),
        ..Verdict::default()
    });
    Mutant::activate(None);
    small
}
