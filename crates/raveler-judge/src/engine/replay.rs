//! Executions and violations that a search shows, each recorded and run again.

use crate::code::Code;
use crate::front_end::{Again, FrontEnd, OneWorld, Snapshot, Surroundings};
use crate::program::TestProgram;
use raveler_core::outcome::ThreadEnd;
use raveler_core::{
    Execution, Flow, Fork, Observer, Recording, Replay, Settings, Together, Witness, replay, search,
};

use super::Through;

/// Of one search so many executions are run again.
const MOST: usize = 60;

/// Record what a search shows and run it again: how many were compared, or the first difference.
pub fn replayed(program: &TestProgram, settings: &Settings, through: Through) -> Result<u64, String> {
    let surroundings = Surroundings::new(program);
    let code = Code::new(program);
    match through {
        Through::Snapshot | Through::Parts { .. } => check(&|| Snapshot::new(&code, &surroundings), settings),
        Through::Spins => check(&|| Snapshot::new(&code, &surroundings).spinning(), settings),
        Through::Replay => check(&|| Replay(Again::new(program, &surroundings)), settings),
        Through::World => check(&|| Together(OneWorld(Snapshot::new(&code, &surroundings))), settings),
    }
}

/// Another process begins with a program that nothing was learned of: so does each replay.
fn check<P: FrontEnd>(fresh: &dyn Fn() -> P, settings: &Settings) -> Result<u64, String> {
    let mut shown = Shown::default();
    let outcome = search(&fresh(), settings, &mut shown);
    let through_bytes = |recording: Option<Recording>| {
        let recording = recording.ok_or("nothing says how to come to it")?;
        let bytes = recording.to_bytes();
        match Recording::from_bytes(&bytes) {
            Ok(read) if read == recording => Ok(read),
            other => Err(format!("{recording:?}\nbecame {other:?}")),
        }
    };
    for witness in &shown.0 {
        let recording = through_bytes(Recording::of_execution(&outcome, witness))?;
        let mut again = Shown::default();
        replay(&fresh(), settings, &recording, &mut again)
            .map_err(|error| format!("an execution: {error}\n{witness:?}"))?;
        if again.0.as_slice() != std::slice::from_ref(witness) {
            return Err(format!("an execution became another one:\n{witness:?}\n{:?}", again.0));
        }
    }
    for violation in &outcome.violations {
        let recording = through_bytes(Recording::of_violation(&outcome, violation))?;
        let again = replay(&fresh(), settings, &recording, &mut Shown::default())
            .map_err(|error| format!("{:?} {:?}: {error}\n{violation:?}", violation.kind, violation.event))?;
        let [same] = again.violations.as_slice() else {
            return Err(format!("{} violations instead of one", again.violations.len()));
        };
        let is_same = (same.kind, same.site, same.thread, same.event, &same.message, &same.related)
            == (
                violation.kind,
                violation.site,
                violation.thread,
                violation.event,
                &violation.message,
                &violation.related,
            );
        let is_running = is_running(&violation.witness) || is_running(&same.witness);
        let (left, right) = (told(&violation.witness, is_running), told(&same.witness, is_running));
        if !is_same || left != right {
            return Err(format!("a violation became another one:\n{violation:?}\n{same:?}"));
        }
    }
    Ok(shown.0.len() as u64 + outcome.violations.len() as u64)
}

/// Can some thread go on that was not asked what it does next?
fn is_running(witness: &Witness) -> bool {
    witness.threads.iter().any(|thread| thread.end == ThreadEnd::Running)
}

/// What a report tells of a witness. Whether a thread that could go on was asked what it does next, and perhaps ended,
/// depends on how the search came there, and nothing is told of it.
fn told(witness: &Witness, is_running: bool) -> Witness {
    let mut witness = witness.clone();
    for thread in witness.threads.iter_mut().filter(|_| is_running) {
        thread.end = ThreadEnd::Running;
    }
    witness
}

/// Keeps the first executions.
#[derive(Default)]
struct Shown(Vec<Witness>);

impl<P: FrontEnd> Observer<P> for Shown {
    fn execution(&mut self, execution: &Execution<'_, P>) -> Flow {
        if self.0.len() < MOST {
            self.0.push(execution.witness());
        }
        Flow::Continue
    }

    fn restarted(&mut self) {
        self.0.clear();
    }
}

impl Fork for Shown {
    fn fork(&self) -> Shown {
        Shown::default()
    }

    fn merge(&mut self, other: Shown) {
        self.0.extend(other.0);
    }
}
