//! Runs programs of the corpus through the library.

use raveler_core::observer::Unobserved;
use raveler_core::{Observer, Outcome, Program, Settings, search};

use crate::builder::Built;
use crate::expect::Setting;
use crate::families::{self, Subject};

impl Setting {
    /// The engine's settings: all violations, no races, one worker.
    pub fn settings(self) -> Settings {
        Settings { equivalence: self.equivalence, races: false, all: true, ..Settings::new(self.model) }
    }
}
