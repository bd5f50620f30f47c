//! The C and C++ front-end: clang's LLVM IR, lowered to a compact bytecode whose threads can be copied.

pub mod ir;
