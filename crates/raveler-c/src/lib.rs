//! The C and C++ front-end: clang's LLVM IR, lowered to a compact bytecode whose threads can be copied.
//!
//! source → `clang` → text of LLVM IR → [`ir::Module`] → [`code::Code`] → [`CProgram`], which answers the engine's
//! question: what does this thread do next?

mod address;
mod cache;
pub mod clang;
pub mod code;
mod demangle;
mod fingerprint;
pub mod ir;
mod load;
pub mod lower;
mod run;
mod types;

pub use cache::enable as use_cache;
pub use clang::precompile;
pub use load::{Part, Refused, load, load_until};
pub use run::{
    CProgram, Collector, Cursor, CutLoop, DEFAULT_STACK, Ended, NotStarted, PointerNames, Standing,
};

raveler_core::searches_of!(CProgram);
