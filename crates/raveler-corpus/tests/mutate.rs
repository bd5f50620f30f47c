//! Damaged IR is refused or run: no panic, no hang. More of it: `raveler-corpus mutate`.

use std::path::Path;

use raveler_corpus::mutate::{Outcome, mutate, run, texts};

#[test]
fn damaged_ir_neither_panics_nor_hangs() {
    if !raveler_c::clang::is_there() {
        println!("no clang on the PATH: nothing was damaged");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c/waits");
    let texts = texts(&folder).expect("the corpus is there");
    for seed in 0..300 {
        let text = mutate(&texts[seed as usize % texts.len()], seed);
        let outcome = run(&text);
        assert!(matches!(outcome, Outcome::Refused | Outcome::Ran), "seed {seed}: {outcome:?}");
    }
}
