//! The tables of small programs for XMM: every row has its numbers under rc20 and under the rule sets of xmm.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use raveler_core::XmmRules;
use raveler_corpus::xmm::measure::{Compared, compare, compare_rules};
use raveler_corpus::xmm::parse::parse;
use raveler_corpus::xmm::table::{Row, Rules, rows};

fn table() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/xmm");
    rows(&folder).expect("the tables can be read")
}

/// Compare all rows, on all cores.
fn compare_all(compare: impl Fn(&Row) -> Result<Compared, String> + Sync) -> Compared {
    let rows = table();
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Compared::default()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let compared = compare(row).unwrap_or_else(|mistake| panic!("{mistake}"));
                    all.lock().expect("no other worker panicked").add(compared);
                }
            });
        }
    });
    all.into_inner().expect("no worker panicked")
}

fn check(compared: &Compared) {
    let mut differences: Vec<String> = compared.differences.iter().map(ToString::to_string).collect();
    differences.sort();
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
    assert!(compared.searches > 200, "only {} searches", compared.searches);
}

#[test]
fn rows_have_their_numbers_under_rc20() {
    check(&compare_all(|row| compare(row, &[Rules::Rc20])));
}

#[test]
fn rows_have_their_numbers_under_xmm() {
    check(&compare_all(|row| compare(row, &XmmRules::ALL.map(Rules::Xmm))));
}

#[test]
fn rules_with_fewer_conditions_allow_at_least_as_much() {
    check(&compare_all(compare_rules));
}

#[test]
fn programs_that_end_early_are_read_or_refused() {
    for row in table() {
        for (end, _) in row.text.char_indices() {
            if let Err(mistake) = parse(&row.text[..end]) {
                assert!((1..=end + 1).contains(&mistake.column), "{}: {mistake}", row.name);
            }
        }
    }
}
