//! The engine's estimate, behind one function.

use raveler_core::{Program, Settings};

/// What random walks say about the size of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Guess {
    /// The mean of what the walks say about the number of executions.
    pub executions: f64,
    /// The standard error of that mean.
    pub std_error: f64,
    /// The largest weight of one walk.
    pub largest: f64,
    /// The mean of what the walks say about blocked explorations.
    pub blocked: f64,
    /// How many walks were made.
    pub probes: u64,
}

/// Ask the engine.
pub fn guess<P: Program>(_program: &P, _settings: &Settings, _probes: u64, _seed: u64) -> Guess {
    unimplemented!()
}
