//! Programs that litmus files cannot say have the numbers that a formula or another tool gives.

use raveler_core::{Equivalence, Locks, Model};
use raveler_corpus::expect::Setting;
use raveler_corpus::families;
use raveler_corpus::run::{Prepared, count};

/// Under every model.
fn expect(program: &str, parameters: &str, rf: u64, co: u64) {
    for model in Model::CAUSAL {
        expect_under(model, program, parameters, rf, co);
    }
}

fn expect_under(model: Model, program: &str, parameters: &str, rf: u64, co: u64) {
    for (equivalence, expected) in [(Equivalence::ReadsFrom, rf), (Equivalence::Coherence, co)] {
        let subject = families::find(program, parameters).expect("the program is known");
        let setting = Setting::ordered(model, equivalence);
        assert_eq!(count(subject, setting), Ok(expected), "{program} {parameters}, {setting}");
    }
}

#[test]
fn threads_started_between_accesses_see_what_was_written_before() {
    // Main's writes are ordered, so only the threads' choices count: N! by what is read. GenMC, Nidhugg.
    expect("sigma", "N=4", 24, 105);
    expect("sigma", "N=5", 120, 945);
}

#[test]
fn what_was_joined_is_over() {
    expect("ainc_joined", "N=4", 24, 24);
    expect("nww_rr", "N=3", 9, 36);
    expect_under(Model::Ra, "fib_joined", "NUM=3", 175, 175);
}

#[test]
fn a_lock_orders_its_sections() {
    expect("lockinc", "N=4", 24, 24);
    expect("nreads_lock", "N=4", 24, 24);
    expect("nwrites_lock", "N=4", 24, 24);
    expect("nww_lock_rr", "N=4", 24, 24);
    expect("rw_lock", "N=4", 24, 24);
    // Binomial: how two threads' sections interleave.
    expect("pthread_demo", "threads=2 LB=3", 20, 20);
    expect("stack_true", "SIZE=3", 20, 20);
    // GenMC.
    expect_under(Model::Rc20, "complex_lock", "N=2 empty=1", 10, 10);
    expect_under(Model::Rc20, "stateful01", "", 6, 6);
}

/// Without the order of critical sections, under `rf` and every model.
fn expect_aware(program: &str, parameters: &str, executions: u64) {
    for model in Model::CAUSAL {
        let subject = families::find(program, parameters).expect("the program is known");
        let setting = Setting { locks: Locks::Aware, ..Setting::ordered(model, Equivalence::ReadsFrom) };
        assert_eq!(count(subject, setting), Ok(executions), "{program} {parameters}, {setting}");
    }
}

#[test]
fn sections_whose_order_nothing_shows_are_not_ordered() {
    expect_aware("nreads_lock", "N=8", 1);
    expect_aware("nreads_lock", "N=30", 1);
    expect_aware("nwrites_lock", "N=8", 1);
    expect_aware("nww_lock_rr", "N=8", 8);
    expect_aware("rw_lock", "N=5", 120);
    expect_aware("complex_lock", "N=2 locks.md", 6);
    expect_aware("complex_lock", "N=3 locks.md", 90);
    expect_aware("complex_lock", "N=3 empty=1", 90);
    for (rounds, executions) in [(1, 7), (2, 42), (3, 230), (4, 1190)] {
        expect_aware("fib_bench_locked", &format!("NUM={rounds}"), executions);
        expect_aware("triangular", &format!("NUM={rounds}"), executions);
    }
    expect_aware("stack_true", "SIZE=5", 252);
    expect_aware("stateful01", "", 4);
    expect_aware("lazy", "", 6);
    expect_aware("read_write_lock", "", 96);
    expect_aware("time_var_mutex", "", 2);
    expect_aware("indexer", "N=13", 64);
    expect_aware("philosophers", "N=4", 1);
}

#[test]
fn hash_tables_and_file_systems_meet_only_where_slots_collide() {
    expect("indexer", "N=12", 8, 8);
    expect("filesystem", "N=15", 4, 4);
}

#[test]
fn philosophers_can_all_hold_one_fork() {
    expect("philosophers", "N=3", 6, 6);
    expect("philosophers", "N=4", 14, 14);
    let setting = Setting::ordered(Model::Sc, Equivalence::ReadsFrom);
    let outcome = Prepared::find("philosophers", "N=3").search(&setting.settings());
    let kinds: Vec<&str> = outcome.violations.iter().map(|violation| violation.kind.name()).collect();
    assert_eq!((kinds.as_slice(), outcome.counts.blocked), (["deadlock"].as_slice(), 1));
}

#[test]
fn waits_that_never_end_are_not_executions() {
    expect("ticketlock", "N=4", 24, 24);
    expect_under(Model::Rc20, "twalock", "N=3", 96, 96);
    expect_under(Model::Rc20, "treiber", "N=2", 22, 22);
    expect_under(Model::Rc20, "linuxrwlocks", "readers=2 writers=3", 216, 216);
    expect_under(Model::Rc20, "buf_ring", "threads=3", 1218, 1218);
}

#[test]
fn more_events_do_not_make_more_executions() {
    expect("scaling", "N=4 K=0", 125, 576);
    expect_under(Model::Rc20, "scaling", "N=4 K=9", 125, 576);
}
