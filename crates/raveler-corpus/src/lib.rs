//! Drives raveler from outside: runs corpus files against the numbers written in them, the judged litmus tests,
//! parametric families of programs, and benchmarks.

pub mod as_c;
pub mod bench;
pub mod builder;
pub mod c;
pub mod check;
pub mod counts;
pub mod deadline;
pub mod engines;
pub mod expect;
pub mod families;
pub mod generate;
pub mod mutate;
pub mod mutate_c;
pub mod papers;
pub mod replays;
pub mod run;
pub mod sequential;
pub mod shared;
pub mod suites;
pub mod table;
pub mod variants;
pub mod ways;
pub mod xmm;
