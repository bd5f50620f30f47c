//! The judged litmus tests and the table of expected numbers, where they are at hand: under `$RAVELER_SHARED`, or in
//! a folder `shared` beside the repository. Without them these tests say so and pass.

use raveler_corpus::{counts, shared};

#[test]
fn judged_tests_have_the_judged_states_counts_and_races() {
    let Some(folder) = shared::folder() else {
        println!("skipped: no judged tests; set RAVELER_SHARED to the folder that holds litmus/expected.tsv");
        return;
    };
    let report = shared::run(&folder).expect("the judged tests can be read");
    let differences: Vec<String> = report.differences.iter().map(ToString::to_string).collect();
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
    assert!(report.rows > 0);
}

#[test]
fn families_have_the_expected_numbers() {
    let Some(table) = shared::shared("expected/counts.tsv") else {
        println!(
            "skipped: no table of numbers; set RAVELER_SHARED to the folder that holds expected/counts.tsv"
        );
        return;
    };
    let report = counts::compare(&table, 400, |_| {}).expect("the table can be read");
    let differences: Vec<String> = report.differences.iter().map(ToString::to_string).collect();
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
    assert!(report.equal > 0);
}
