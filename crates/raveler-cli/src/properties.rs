//! `--properties`: the kinds of violations that a check looks for. What else ends an exploration is told as a warning.

use std::sync::{Mutex, PoisonError};

use raveler_core::{Settings, Violation, ViolationKind};
use raveler_report::Warning;

/// A kind by its name, for the command line.
pub fn kind(name: &str) -> Result<ViolationKind, String> {
    ViolationKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
        let names: Vec<&str> = ViolationKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("the kinds are {}", names.join(", "))
    })
}

/// What a check looks for, and what it found besides.
#[derive(Default)]
pub struct Properties {
    /// Empty: everything.
    wanted: Vec<ViolationKind>,
    besides: Mutex<Vec<Warning>>,
}

impl Properties {
    /// These kinds; all if there are none.
    pub fn new(wanted: &[ViolationKind]) -> Properties {
        Properties { wanted: wanted.to_vec(), besides: Mutex::default() }
    }

    /// The kinds, if not all are looked for.
    pub fn wanted(&self) -> &[ViolationKind] {
        &self.wanted
    }

    /// Races and waits without end are not even looked for where nobody asks: they end no exploration.
    pub fn narrow(&self, settings: &mut Settings) {
        if !self.wanted.is_empty() {
            settings.races &= self.wanted.contains(&ViolationKind::Race);
            settings.liveness &= self.wanted.contains(&ViolationKind::Liveness);
        }
    }

    /// Is it looked for? If not, it is kept as a warning.
    pub fn wants(&self, violation: &Violation) -> bool {
        if self.wanted.is_empty() || self.wanted.contains(&violation.kind) {
            return true;
        }
        let name = violation.kind.name();
        let text = match violation.message.as_str() {
            "" => String::new(),
            message => format!(": {message}"),
        };
        let message =
            format!("explorations end here with a violation that was not looked for ({name}{text})");
        let warning = Warning { kind: "other-violation", message, site: violation.site };
        let mut besides = self.besides.lock().unwrap_or_else(PoisonError::into_inner);
        if !besides.contains(&warning) {
            besides.push(warning);
        }
        false
    }

    /// The search starts again.
    pub fn forget(&self) {
        self.besides.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// What was found besides, by its place.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut all = self.besides.lock().unwrap_or_else(PoisonError::into_inner).clone();
        all.sort_by(|left, right| (left.site, &left.message).cmp(&(right.site, &right.message)));
        all
    }
}
