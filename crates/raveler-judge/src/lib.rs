//! Independent judges of the engine.
//!
//! Nothing here knows how the engine explores: [`brute`] tries all candidate graphs against the axioms as the papers
//! write them, [`machines`] run all interleavings of machines that know no axioms, [`programs`] visits all states of random
//! C programs.

pub mod addresses;
pub mod agreement;
pub mod brute;
pub mod campaign;
pub mod code;
pub mod compare;
pub mod conditions;
pub mod engine;
pub mod front_end;
pub mod graph;
pub mod kept;
pub mod machines;
pub mod meter;
#[cfg(feature = "mutants")]
pub mod mutants;
pub mod objects;
pub mod print;
pub mod program;
pub mod programs;
pub mod random;
pub mod random_numbers;
pub mod relation;
pub mod shrink;
pub mod text;
pub mod xmm;
