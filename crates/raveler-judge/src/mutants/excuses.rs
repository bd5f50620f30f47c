//! Mutants that may survive, and why.

use raveler_core::mutation::Mutant;

/// Why a mutant may survive.
#[derive(Clone, Copy, Debug)]
pub enum Excuse {
    /// It changes nothing that can be seen; the text says what implies what it leaves out.
    Equivalent(&'static str),
    /// It changes something, but no program small enough for a judge is known that shows it.
    NotKnown(&'static str),
}

/// All of them.
pub const EXCUSES: &[(Mutant, Excuse)] = &[];

/// The excuse of a mutant.
pub fn of(mutant: Mutant) -> Option<Excuse> {
    EXCUSES.iter().find(|(known, _)| *known == mutant).map(|(_, excuse)| *excuse)
}
