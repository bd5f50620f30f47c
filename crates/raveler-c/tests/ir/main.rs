//! The reader of LLVM IR: small texts, whole programs from the compilers that are installed, damaged text.

mod compiled;
mod damaged;
mod debug;
mod refused;
mod sound;
mod texts;
