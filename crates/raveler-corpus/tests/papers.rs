//! The page of the papers' numbers says what the data says, and the data what short searches count.

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use raveler_corpus::papers::page::{Page, docs};
use raveler_corpus::papers::rinspect::{litmus, plot};
use raveler_corpus::papers::row::{Row, Subject};
use raveler_corpus::papers::table::without_seconds;
use raveler_corpus::papers::{PLOT, tables};
use raveler_corpus::shared;

#[test]
fn the_page_has_the_numbers_of_the_data() {
    let page = Page::read().expect("docs/papers.md is there");
    for table in tables() {
        let block = page.block(table.name).unwrap_or_else(|| panic!("docs/papers.md has no {}", table.name));
        let lines = |text: &str| text.lines().map(without_seconds).collect::<Vec<_>>();
        assert_eq!(lines(block), lines(&table.expected()), "{}: `raveler-corpus papers --write`", table.name);
    }
}

#[test]
fn the_plot_is_that_of_the_data() {
    if std::env::var_os("BLESS").is_some() {
        fs::write(docs().join(PLOT), plot::draw()).expect("the plot can be written");
    }
    let drawn = fs::read_to_string(docs().join(PLOT)).expect("the plot is there");
    assert!(
        drawn == plot::draw(),
        "docs/{PLOT} is older than its numbers: `raveler-corpus papers 002 --write`"
    );
}

#[test]
fn short_lines_count_what_they_should() {
    let clang = raveler_c::clang::is_there();
    let rows: Vec<Row> = tables().into_iter().flat_map(|table| table.rows).collect();
    let rows: Vec<&Row> =
        rows.iter().filter(|row| !row.is_long && (clang || !matches!(row.subject, Subject::C(..)))).collect();
    let (next, complaints) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = row.run(None).map(|found| found.and_then(|found| found.count));
                    if found != Ok(row.ours) {
                        let message =
                            format!("{}: {found:?}, expected {:?}: {}", row.program, row.ours, row.command());
                        complaints.lock().expect("no other worker panicked").push(message);
                    }
                }
            });
        }
    });
    let complaints = complaints.into_inner().expect("no worker panicked");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(rows.len() > 50, "only {} lines were run", rows.len());
}

#[test]
fn store_buffers_make_more_conditions_reachable() {
    let Some(folder) = shared::folder() else {
        println!("no folder of judged tests: nothing was run");
        return;
    };
    let (tests, all) = litmus::table_1(&folder).expect("the tests can be read");
    let page = Page::read().expect("docs/papers.md is there");
    assert_eq!(page.block("002-table1"), Some(litmus::show_1(tests, &all).as_str()));
}
