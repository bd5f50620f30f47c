//! The XMM model against tables of small programs (`corpus/xmm`): one program a line, with its numbers of executions
//! under rc20 and under each rule set of xmm. The head of `corpus/xmm/litmus.tsv` explains columns and notation.

pub mod code;
pub mod command;
mod lex;
pub mod measure;
pub mod parse;
pub mod program;
pub mod show;
pub mod table;
