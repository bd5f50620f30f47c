//! Sequential programs print the same interpreted as compiled. More of them: `raveler-corpus sequential`.

use raveler_corpus::sequential::{Origin, has_csmith, run};

fn compare(origin: Origin, count: u64, seed: u64) {
    if !raveler_c::clang::is_there() {
        println!("no clang on the PATH: nothing was compared");
        return;
    }
    let tally = run(origin, count, seed, None, &mut |_, _| {}).expect("programs can be written and run");
    assert!(tally.problems.is_empty(), "{}", tally.problems.join("\n"));
    assert!(tally.same > 0, "nothing was compared");
}

#[test]
fn our_own_programs_print_the_same() {
    compare(Origin::Own, 40, 1);
}

#[test]
fn programs_of_csmith_print_the_same() {
    if has_csmith() {
        compare(Origin::Csmith, 20, 1);
    }
}
