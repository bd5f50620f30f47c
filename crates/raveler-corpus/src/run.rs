//! Runs programs of the corpus through the library.

use raveler_core::observer::Unobserved;
use raveler_core::{Engine, Fork, Observer, Outcome, Settings, ViolationKind, search};
use raveler_litmus::{LitmusProgram, States, Test};

use crate::builder::Built;
use crate::expect::{Key, Setting, Value};
use crate::families::{self, Subject};

impl Setting {
    /// The engine's settings: all violations, no races, one worker.
    pub fn settings(self) -> Settings {
        Settings {
            equivalence: self.equivalence,
            locks: self.locks,
            buffer_bound: self.buffer_bound,
            engine: self.engine,
            reduction: self.reduction,
            classes: self.engine == Engine::Interleaving,
            races: false,
            all: true,
            ..Settings::new(self.model)
        }
    }
}

/// What a run of a litmus test gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Complete executions.
    pub executions: u64,
    /// Blocked explorations.
    pub blocked: u64,
    /// The final states as text, sorted.
    pub states: Vec<String>,
    /// Does the condition hold?
    pub holds: bool,
    /// Was there a race? Only rc11 and rc20 know races.
    pub races: bool,
    /// Was the bound on store buffers met?
    pub met: bool,
    /// Of interleavings: how many classes they make; 0 otherwise.
    pub classes: u64,
}

impl Finding {
    /// What a corpus file calls this number.
    pub fn value(&self, key: Key) -> Value {
        match key {
            Key::Executions => Value::Number(self.executions),
            Key::Blocked => Value::Number(self.blocked),
            Key::States => Value::Number(self.states.len() as u64),
            Key::Holds => Value::Truth(self.holds),
            Key::Races => Value::Truth(self.races),
            Key::Met => Value::Truth(self.met),
            Key::Classes => Value::Number(self.classes),
        }
    }
}

/// Run a litmus test, with the races that its model knows; why the search stopped if it did.
pub fn examine(test: &Test, setting: Setting) -> Result<Finding, String> {
    let races = setting.model.definition().races;
    let (outcome, states) = search_test(test, &Settings { races, ..setting.settings() });
    if let Some(reason) = outcome.stopped {
        return Err(format!("the search stopped: {reason:?}"));
    }
    let mut others = outcome.violations.iter().filter(|violation| violation.kind != ViolationKind::Race);
    if let Some(violation) = others.next() {
        return Err(format!("a violation: {}: {}", violation.kind.name(), violation.message));
    }
    Ok(Finding {
        executions: outcome.counts.executions,
        blocked: outcome.counts.blocked,
        holds: states.holds(),
        states: states.sorted_states(),
        races: !outcome.violations.is_empty(),
        met: outcome.bound_met,
        classes: outcome.classes.unwrap_or_default(),
    })
}

/// Search a litmus test, and what it ended with.
pub fn search_test(test: &Test, settings: &Settings) -> (Outcome, States) {
    let mut states = States::new(test);
    let outcome = raveler_litmus::search(&test.program, settings, &mut states);
    (outcome, states)
}

/// A program of a family, ready to run.
pub enum Prepared {
    /// A litmus test.
    Litmus(LitmusProgram),
    /// A program in memory.
    Memory(Built),
}

impl Prepared {
    /// The program with this name and these parameters.
    ///
    /// # Panics
    /// If there is none, or if its litmus text is refused: the callers name programs of [`families`].
    pub fn find(program: &str, parameters: &str) -> Prepared {
        let subject = families::find(program, parameters);
        Prepared::new(subject.unwrap_or_else(|| panic!("there is no program {program} {parameters}")))
            .unwrap_or_else(|message| panic!("{program} {parameters}: {message}"))
    }

    /// Make a program ready; what its litmus text is refused for if it is.
    pub fn new(subject: Subject) -> Result<Prepared, String> {
        match subject {
            Subject::Memory(built) => Ok(Prepared::Memory(built)),
            Subject::Litmus(text) => match raveler_litmus::parse("family.litmus", &text.render("family", ""))
            {
                Ok(test) => Ok(Prepared::Litmus(test.program)),
                Err(mistakes) => {
                    let messages: Vec<&str> =
                        mistakes.iter().map(|mistake| mistake.message.as_str()).collect();
                    Err(messages.join("; "))
                }
            },
        }
    }

    /// Search it and watch nothing.
    pub fn search(&self, settings: &Settings) -> Outcome {
        self.observe(settings, &mut Unobserved)
    }

    /// Search it and watch.
    pub fn observe<O>(&self, settings: &Settings, observer: &mut O) -> Outcome
    where
        O: Observer<Built> + Observer<LitmusProgram> + Fork,
    {
        match self {
            Prepared::Litmus(program) => raveler_litmus::search(program, settings, observer),
            Prepared::Memory(program) => search(program, settings, observer),
        }
    }
}

/// The number of executions of a program, or why there is none.
pub fn count(subject: Subject, setting: Setting) -> Result<u64, String> {
    let outcome = Prepared::new(subject)?.search(&setting.settings());
    match outcome.stopped {
        None => Ok(outcome.counts.executions),
        Some(reason) => Err(format!("the search stopped: {reason:?}")),
    }
}
