//! Any bytes as LLVM IR: reading and lowering them must neither panic nor hang, nor must running what came of them.
//! The end of the input also gives the answers the thread receives.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raveler_c::{CProgram, lower};
use raveler_core::{Entry, Operation, Program};

fuzz_target!(|bytes: &[u8]| {
    let options = lower::Options::default();
    let Ok(code) = raveler_c::load("fuzz.ll", bytes, &[], &options, &|_| None) else { return };
    let program = CProgram::new(code);
    program.set_patience(100_000);
    let mut cursor = program.start(Entry::Initial(0));
    let mut answers = bytes.iter().rev().cycle();
    let mut answer = 0;
    for _ in 0..1000 {
        match program.step(&mut cursor, raveler_core::Answer::Value(answer)).operation {
            Operation::Done | Operation::Block | Operation::Restart | Operation::Fail { .. } => break,
            Operation::Unsupported(_) => break,
            _ => answer = u64::from(answers.next().copied().unwrap_or(0) % 8),
        }
    }
});
