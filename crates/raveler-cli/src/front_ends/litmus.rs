//! Litmus tests.

use std::borrow::Cow;

use raveler_core::observer::Unobserved;
use raveler_core::{BadReplay, Estimate, Program, Recording, Reductions, Settings, SourceMap};
use raveler_litmus::{PrivateLocations, Quantifier, States, Test, estimate, replay, search};
use raveler_report::{Litmus, Names, Notes, State};

use crate::front_ends::{Checkable, Findings, Reading, Recordings, Request, Watching, recorded};
use crate::refusal::Refusal;
use crate::watch::Watch;

/// Read a litmus test.
pub fn load(request: &Request<'_>) -> Reading {
    let Request { file, bytes, full_buffers, .. } = *request;
    let private = if full_buffers { PrivateLocations::InMemory } else { PrivateLocations::InRegisters };
    match raveler_litmus::parse_bytes_with(file, bytes, private) {
        Ok(test) => Ok(Box::new(test)),
        Err(diagnostics) => {
            // Of bytes that are not text each becomes one character, so that places stay what they are.
            let source = match std::str::from_utf8(bytes) {
                Ok(text) => text.to_string(),
                Err(_) => bytes.iter().map(|b| if b.is_ascii() { *b as char } else { '?' }).collect(),
            };
            Err(Refusal { file: file.to_string(), source, diagnostics })
        }
    }
}

impl Checkable for Test {
    fn sources(&self) -> Cow<'_, SourceMap> {
        self.program.sources()
    }

    fn names(&self) -> Names {
        Names::new(self.program.objects())
    }

    fn check(&self, settings: &Settings, watching: Watching<'_>) -> Findings {
        let examples = watching.examples;
        let states = States::new(self).with_witnesses(examples);
        let mut watch = Watch::new(states, &watching);
        let outcome = search(&self.program, settings, &mut watch);
        let complete = outcome.stopped.is_none() && !outcome.bound_met;
        let litmus = summary(self, &watch.inner, complete);
        let notes = Notes { blocked: watch.blocked(), ..Notes::default() };
        let examples = watch.inner.into_witnesses();
        Findings { outcome, litmus: Some(litmus), notes, first: watch.first, examples }
    }

    fn record(&self, settings: &Settings, findings: &Findings) -> Recordings {
        let outcome = &findings.outcome;
        let again = |recording: &_| replay(&self.program, settings, recording, &mut Unobserved);
        let record = |violation| recorded(outcome, violation, again);
        let shown =
            findings.litmus.as_ref().and_then(|litmus| litmus.shown.as_ref()).and_then(|(_, witness)| {
                let recording = Recording::of_execution(outcome, witness)?;
                // Another search would take as long as the first one.
                if witness.reexecution.is_some() {
                    return Some(recording);
                }
                let mut states = States::new(self);
                replay(&self.program, settings, &recording, &mut states).ok()?;
                states.example().is_some_and(|example| example.witness == *witness).then_some(recording)
            });
        Recordings { violations: outcome.violations.iter().map(record).collect(), shown }
    }

    fn replay(
        &self,
        settings: &Settings,
        recording: &Recording,
        watching: Watching<'_>,
    ) -> Result<Findings, BadReplay> {
        let mut watch = Watch::new(States::new(self), &watching);
        let outcome = replay(&self.program, settings, recording, &mut watch)?;
        let litmus = summary(self, &watch.inner, false);
        let (notes, examples) = (Notes::default(), Vec::new());
        Ok(Findings { outcome, litmus: Some(litmus), notes, first: watch.first, examples })
    }

    fn unrolled(&self, _rounds: u32) -> Option<Box<dyn Checkable>> {
        None
    }

    fn number(&self) -> u32 {
        Recording::program_number(&self.program)
    }

    fn estimate(
        &self,
        settings: &Settings,
        probes: u64,
        seed: u64,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> (Estimate, Reductions) {
        (estimate(&self.program, settings, probes, seed, keep_going), Reductions::NONE)
    }
}

fn summary(test: &Test, states: &States, complete: bool) -> Litmus {
    // Before everything was seen, one state can decide a condition in one direction only.
    let decided = match test.condition.quantifier() {
        Quantifier::Exists => states.holds(),
        Quantifier::NotExists | Quantifier::Forall => !states.holds(),
    };
    let state = |(text, satisfies)| State { text, satisfies };
    Litmus {
        condition: Some(test.condition.to_string()),
        holds: (complete || decided).then(|| states.holds()),
        states: states.sorted_with_marks().into_iter().map(state).collect(),
        shown: states.example().map(|example| (example.state.clone(), example.witness.clone())),
    }
}
