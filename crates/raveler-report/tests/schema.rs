//! The schema in the repository is that of the types, and what is printed obeys it.

mod samples;

use raveler_core::diagnostic::Diagnostic;
use raveler_report::{compare, json};
use samples::*;

#[test]
fn the_schema_file_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/result-1.schema.json");
    let schema = json::schema();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &schema).expect("the schema can be written");
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(kept, schema, "BLESS=1 cargo test -p raveler-report rewrites it");
}

#[test]
fn the_schema_file_of_comparisons_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/compare-1.schema.json");
    let schema = compare::schema();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &schema).expect("the schema can be written");
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(kept, schema, "BLESS=1 cargo test -p raveler-report rewrites it");
}

fn side(sample: &Sample) -> compare::Side<'_> {
    compare::Side { options: "", report: sample.report(), examples: &[] }
}

#[test]
fn comparisons_obey_their_schema() {
    let schema = serde_json::from_str(&compare::schema()).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is a schema");
    let samples = [passing(), mp_assertion(), mp_race(), deadlock(), sb_litmus(), sb_fails(), sb_stopped()];
    for left in &samples {
        for right in &samples {
            let sides = [&side(left), &side(right)];
            let found = compare::differences(sides);
            let comparison = compare::Comparison::new(sides, &found, None);
            let value = serde_json::to_value(&comparison).expect("plain data");
            assert!(validator.is_valid(&value), "{} {}: {value}", left.file, right.file);
            assert!(!value.to_string().contains("null"), "fields that do not apply are left out");
            let same = std::ptr::eq(left, right);
            assert!(!same || comparison.same, "{}", left.file);
            let errors = serde_json::to_value(json::error("no such option")).expect("plain data");
            assert!(validator.is_valid(&errors));
        }
    }
}

fn validator() -> jsonschema::Validator {
    let schema = serde_json::from_str(&json::schema()).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is a schema")
}

#[test]
fn results_obey_the_schema() {
    let validator = validator();
    let mut samples = [
        passing(),
        mp_assertion(),
        mp_race(),
        deadlock(),
        sb_litmus(),
        sb_fails(),
        sb_stopped(),
        iriw(),
        lb_races(),
        circle(),
        circle_again(),
    ];
    samples[0].outcome.restarts = 2;
    for sample in samples {
        let value = serde_json::to_value(json::result(&sample.report())).expect("plain data");
        if let Err(error) = validator.validate(&value) {
            panic!("{}: {error}", sample.file);
        }
        assert!(!value.to_string().contains("null"), "fields that do not apply are left out");
        let restarts = value["stats"].get("restarts").and_then(serde_json::Value::as_u64);
        assert_eq!(restarts, Some(sample.outcome.restarts).filter(|&restarts| restarts > 0));
    }
}

#[test]
fn errors_obey_the_schema_and_others_do_not() {
    let validator = validator();
    let mistake =
        Diagnostic {
            code: "E0101", message: "…".into(), span: Some(0..1), label: String::new(), help: None
        };
    let refused = json::refused("a.litmus", "text", &[mistake.clone(), mistake]);
    for answer in [refused, json::error("no such option")] {
        assert!(validator.is_valid(&serde_json::to_value(answer).expect("plain data")));
    }
    assert!(!validator.is_valid(&serde_json::json!({ "schema": 1 })));
    assert!(!validator.is_valid(&serde_json::json!({ "schema": 1, "error": {} })));
}
