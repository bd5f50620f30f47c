//! The judged litmus corpus, where it is at hand: every test is read, and its states under sequential
//! consistency are those of the table.

mod support;

use std::collections::HashMap;

#[test]
fn every_test_is_read_and_its_sc_states_are_right() {
    let Some(folder) = support::shared() else { return };
    let table = std::fs::read_to_string(folder.join("litmus/expected.tsv")).expect("the table is text");
    let mut expected: HashMap<&str, (&str, &str)> = HashMap::new();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields[1] == "SC" {
            expected.insert(fields[0], (fields[3], fields[9]));
        }
    }
    assert!(expected.len() > 1000);
    for (name, (exists, states)) in expected {
        let path = folder.join("litmus/tests").join(format!("{name}.litmus"));
        let bytes = std::fs::read(&path).expect("the test's file");
        let test =
            raveler_litmus::parse_bytes(name, &bytes).unwrap_or_else(|errors| panic!("{name}: {errors:#?}"));
        assert_eq!(test.name, name);
        let found = support::explore(&test);
        let states: Vec<&str> = states.split(" | ").collect();
        assert_eq!(found.states, states, "{name}");
        assert_eq!(found.holds, exists != "never", "{name}");
    }
}
