//! Litmus tests.

use std::borrow::Cow;

use raveler_core::{Estimate, Program, Settings, SourceMap, estimate, search};
use raveler_litmus::{Quantifier, States, Test};
use raveler_report::{Litmus, Names, Notes, State};

use crate::front_ends::{Checkable, Findings, Reading, Request, Watching};
use crate::refusal::Refusal;
use crate::watch::Watch;

/// Read a litmus test.
pub fn load(request: &Request<'_>) -> Reading {
    let Request { file, bytes, .. } = *request;
    match raveler_litmus::parse_bytes(file, bytes) {
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
        let Watching { limits, printer, wants_first } = watching;
        let mut watch = Watch::new(States::new(self), limits, printer, wants_first);
        let outcome = search(&self.program, settings, &mut watch);
        let litmus = summary(self, &watch.inner, outcome.stopped.is_none());
        let notes = Notes { blocked: watch.blocked(), ..Notes::default() };
        Findings { outcome, litmus: Some(litmus), notes, first: watch.first }
    }

    fn estimate(
        &self,
        settings: &Settings,
        probes: u64,
        seed: u64,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Estimate {
        estimate(&self.program, settings, probes, seed, keep_going)
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
