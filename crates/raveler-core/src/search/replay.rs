//! One execution that was found before, run again (docs/replay.md).
//!
//! A [`Recording`] says how to come to an execution: the choices that lead to it, and what the search had learned of the
//! program. It says nothing of what is wrong with it. Threads make their events again, and what a search asks of a graph
//! is asked again; a violation is reported if it is found on that very graph, and then the witness is the same, too.
//!
//! Executions that are built event by event are followed event by event, and runs step by step. An execution of XMM in
//! which reads and program order go round is justified by others that only a search finds: there the search is made
//! again, and what is not the execution is left out.
//!
//! - [`bytes`]: recordings as bytes;
//! - [`coder`]: numbers in few bits.

mod bytes;
mod coder;

use std::fmt::Write;

use super::restart::Knowledge;
use super::{buffers, explore, lock_aware, trust};
use crate::consistency::with_sections::WithSections;
use crate::execution::Execution;
use crate::id::EventId;
use crate::models::ConsistencyKind;
use crate::observer::{Flow, Observer, Watchers};
use crate::outcome::{Counts, Outcome, Trace, TraceSource, Violation, Witness};
use crate::program::Program;
use crate::run::lock_table::LockHandling;
use crate::settings::{Engine, Settings};

/// How to come to one execution again, and why it was shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recording {
    trace: Trace,
    /// Why it was shown.
    pub shown_as: ShownAs,
    /// What the search had learned: the bytes of a [`Knowledge`].
    knowledge: Vec<u8>,
}

/// Why an execution was shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShownAs {
    /// It is complete, and of interest as it is.
    Execution,
    /// Something is wrong with it.
    Violation {
        /// The event that is wrong, if it is one.
        event: Option<EventId>,
        /// A number that tells violations of one execution apart: what is wrong, and where.
        mark: u16,
    },
}

/// Why an execution cannot be run again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadReplay {
    /// These are not the bytes of a recording.
    Damaged,
    /// It is no execution of this program under these settings.
    Unfit,
    /// The execution is there, but not what it was recorded for.
    NotShown,
}

impl std::fmt::Display for BadReplay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            BadReplay::Damaged => "the recording is damaged",
            BadReplay::Unfit => "the program has no such execution",
            BadReplay::NotShown => "the execution does not show what it was recorded for",
        })
    }
}

impl std::error::Error for BadReplay {}

impl Recording {
    /// Of a violation that a search found. None if nothing says how to come to it.
    pub fn of_violation(outcome: &Outcome, violation: &Violation) -> Option<Recording> {
        let shown_as = ShownAs::Violation { event: violation.event, mark: mark(violation) };
        Recording::new(outcome, &violation.witness, shown_as)
    }

    /// Of a complete execution that a search found. None if nothing says how to come to it.
    pub fn of_execution(outcome: &Outcome, witness: &Witness) -> Option<Recording> {
        Recording::new(outcome, witness, ShownAs::Execution)
    }

    /// A number of a program, for noticing that a recording belongs to another one. The name of its file is no part of
    /// it.
    pub fn program_number<P: Program>(program: &P) -> u32 {
        let sources = program.sources();
        let sites: Vec<_> =
            sources.sites.iter().map(|site| (site.line, site.column, site.text.as_str())).collect();
        let mut hash = Fnv::default();
        // Writing to a hash cannot fail.
        let _ = write!(
            hash,
            "{:x} {:?} {} {:?} {}",
            program.hints().fingerprint(),
            program.objects(),
            program.threads(),
            sites,
            sources.text
        );
        hash.folded()
    }

    fn new(outcome: &Outcome, witness: &Witness, shown_as: ShownAs) -> Option<Recording> {
        let is_there = !witness.trace.is_empty() && !outcome.knowledge.is_empty();
        let (trace, knowledge) = (witness.trace.clone(), outcome.knowledge.clone());
        is_there.then_some(Recording { trace, shown_as, knowledge })
    }
}

/// What is wrong, and where, as a number.
fn mark(violation: &Violation) -> u16 {
    let Violation { kind, thread, site, related, .. } = violation;
    let places: Vec<(u32, u32)> = related.iter().map(|at| (at.thread.0, at.site.0)).collect();
    let mut hash = Fnv::default();
    // Writing to a hash cannot fail.
    let _ = write!(hash, "{} {} {} {places:?}", kind.name(), thread.0, site.0);
    let folded = hash.folded();
    (folded ^ folded >> 16) as u16
}

/// FNV-1a: the same everywhere.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn folded(&self) -> u32 {
        (self.0 ^ self.0 >> 32) as u32
    }
}

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        Ok(())
    }
}

/// Run the execution of a recording again, and report what it was recorded for. The observer sees the execution if it was
/// recorded as one.
pub(super) fn replay<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    recording: &Recording,
    observer: &mut dyn Observer<P>,
) -> Result<Outcome, BadReplay> {
    let knowledge = Knowledge::from_bytes(&recording.knowledge).map_err(|_| BadReplay::Damaged)?;
    if !program.hints().recall(knowledge.of_program()) {
        return Err(BadReplay::Unfit);
    }
    // On the way to the execution other violations may be met.
    let settings = &Settings {
        all: true,
        workers: 1,
        max_executions: None,
        random: None,
        lb_races: false,
        classes: false,
        ..settings.clone()
    };
    let mut only = Only { inner: observer, recording, is_shown: false };
    let mut outcome = match settings.engine {
        Engine::Interleaving => buffers::follow(program, settings, &knowledge, &recording.trace, &mut only),
        Engine::Graph => follow::<P, K>(program, settings, &knowledge, &mut only),
    }
    .ok_or(BadReplay::Unfit)?;
    let is_shown = only.is_shown || !outcome.violations.is_empty();
    outcome.knowledge.clone_from(&recording.knowledge);
    outcome.counts = Counts { executions: outcome.counts.executions, ..Counts::default() };
    if is_shown {
        outcome.stopped = None;
    }
    if outcome.stopped.is_some() || is_shown { Ok(outcome) } else { Err(BadReplay::NotShown) }
}

fn follow<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    knowledge: &Knowledge,
    only: &mut Only<'_, P>,
) -> Option<Outcome> {
    let Recording { trace, .. } = only.recording;
    if !is_built_on(settings) {
        return follow_events::<P, K>(program, settings, knowledge, only);
    }
    // Reads and program order may also go round over the start and the end of threads, of which the trace says
    // nothing: then there is no next event at some point.
    let followed =
        if goes_round(trace) { None } else { follow_events::<P, K>(program, settings, knowledge, only) };
    followed.or_else(|| Some(explore::<P, K>(program, settings, &mut Watchers::alone(only))))
}

/// Are there executions under this model that cannot be built event by event?
fn is_built_on(settings: &Settings) -> bool {
    matches!(settings.model.definition().consistency, ConsistencyKind::BuiltOn(_))
}

fn follow_events<P: Program, K: WithSections>(
    program: &P,
    settings: &Settings,
    knowledge: &Knowledge,
    only: &mut Only<'_, P>,
) -> Option<Outcome> {
    let Recording { trace, shown_as, .. } = only.recording;
    if knowledge.handling == LockHandling::Unordered {
        return lock_aware::follow::<P, K>(program, settings, knowledge, trace, only);
    }
    let event = match *shown_as {
        ShownAs::Violation { event, .. } => event,
        ShownAs::Execution => None,
    };
    let mut search =
        trust::Search::<P, K>::new(program, settings, &knowledge.locks, knowledge.handling, only);
    search.follow(trace, event)?;
    search.run.tables.restart.is_none().then(|| search.ledger.into_outcome())
}

/// Do reads and program order go round? Then no order of the events has each after its past.
fn goes_round(trace: &Trace) -> bool {
    let count = trace.events.len();
    let mut is_told = vec![false; count];
    loop {
        let before = is_told.iter().filter(|told| **told).count();
        for (at, event) in trace.events.iter().enumerate() {
            let is_next = !trace.events[..at]
                .iter()
                .zip(&is_told)
                .any(|(earlier, told)| earlier.thread == event.thread && !told);
            let has_source = match event.source {
                TraceSource::Event(source) => is_told.get(source as usize).is_none_or(|told| *told),
                TraceSource::Nothing | TraceSource::Initial => true,
            };
            is_told[at] |= is_next && has_source;
        }
        match is_told.iter().filter(|told| **told).count() {
            all if all == count => return false,
            same if same == before => return true,
            _ => {}
        }
    }
}

/// Lets pass the execution of a recording only.
struct Only<'a, P: Program> {
    inner: &'a mut dyn Observer<P>,
    recording: &'a Recording,
    is_shown: bool,
}

impl<P: Program> Observer<P> for Only<'_, P> {
    fn execution(&mut self, execution: &Execution<'_, P>) -> Flow {
        let is_it =
            self.recording.shown_as == ShownAs::Execution && execution.trace() == self.recording.trace;
        if !is_it || self.is_shown {
            return Flow::Continue;
        }
        self.is_shown = true;
        self.inner.execution(execution);
        Flow::Stop
    }

    fn reordered(&mut self, execution: &Execution<'_, P>) -> Flow {
        self.execution(execution)
    }

    fn wants(&self, violation: &Violation) -> bool {
        let shown_as = ShownAs::Violation { event: violation.event, mark: mark(violation) };
        shown_as == self.recording.shown_as && violation.witness.trace == self.recording.trace
    }

    fn progress(&mut self, counts: &Counts) -> Flow {
        self.inner.progress(counts)
    }

    fn is_over(&self) -> bool {
        self.inner.is_over()
    }

    fn interval(&self) -> u32 {
        self.inner.interval()
    }

    fn restarted(&mut self) {
        self.is_shown = false;
        self.inner.restarted();
    }
}
