//! Programs that once showed a difference.

use raveler_core::Model;
use raveler_judge::kept;

#[test]
fn kept_programs_agree() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/kept");
    let results = kept::run(folder.as_ref(), &Model::CAUSAL).expect("the folder can be read");
    assert!(!results.is_empty());
    for result in results {
        assert!(result.as_expected(), "{}", result.line());
    }
}
