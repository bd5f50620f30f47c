//! Any bytes as a litmus test: reading them must neither panic nor hang, nor must running what was read.
//! The end of the input also gives the answers the threads receive.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raveler_core::{Entry, Operation, Program};

fuzz_target!(|bytes: &[u8]| {
    let Ok(test) = raveler_litmus::parse_bytes("fuzz.litmus", bytes) else { return };
    let mut answers = bytes.iter().rev().cycle();
    for thread in 0..test.program.threads() {
        let mut cursor = test.program.start(Entry::Initial(thread));
        let mut answer = 0;
        for _ in 0..1000 {
            match test.program.step(&mut cursor, raveler_core::Answer::Value(answer)).operation {
                Operation::Done | Operation::Block | Operation::Fail { .. } => break,
                _ => answer = u64::from(answers.next().copied().unwrap_or(0) % 8),
            }
        }
    }
});
