//! Runs programs of the corpus through the library.

use raveler_core::observer::Unobserved;
use raveler_core::{Observer, Outcome, Settings, search};

use crate::builder::Built;
use crate::expect::Setting;
use crate::families::{self, Subject};

impl Setting {
    /// The engine's settings: all violations, no races, one worker.
    pub fn settings(self) -> Settings {
        Settings { equivalence: self.equivalence, races: false, all: true, ..Settings::new(self.model) }
    }
}

/// A program of a family, ready to run.
pub enum Prepared {
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
            Subject::Litmus(_) => Err("no litmus".to_owned()),
        }
    }

    /// Search it and watch nothing.
    pub fn search(&self, settings: &Settings) -> Outcome {
        self.observe(settings, &mut Unobserved)
    }

    /// Search it and watch.
    pub fn observe<O: Observer<Built>>(&self, settings: &Settings, observer: &mut O) -> Outcome {
        match self {
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
