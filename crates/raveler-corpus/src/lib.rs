//! Drives raveler from outside: runs corpus files against the numbers written in them, the judged litmus tests,
//! parametric families of programs, and benchmarks.

pub mod builder;
pub mod expect;
pub mod families;
pub mod generate;
