//! Programs as C++ text: the same random programs, with what the standard library has.
//!
//! A C++ program has a number that says how it is spelled: the same program has many texts, which must all mean the same.

mod adapt;
mod precompiled;
mod shape;
mod statements;
mod text;

pub use adapt::adapt;
pub use precompiled::{flags, standard};
pub use text::print;
