//! The programs on which published ways to leave critical sections unordered go wrong, with their numbers
//! (docs/locks.md, "Programs on which simpler rules fail").
//!
//! In short: threads separated by `|`, statements by `;`. `L0 R0 U0` lock, lock for reading, unlock; `a=x` loads, `x=1`
//! stores; `assert(a!=1)` says what must not be; `if(a==0) S` guards one statement, `if(a==0) {S, S}` several; `J1` joins a spawned thread, `S1` spawns it.
//! Programs are called as the files of `corpus/c/locks` that say the same in C.

use raveler_core::{Equivalence, Locks, Model, ViolationKind};
use raveler_judge::brute::Limits;
use raveler_judge::compare::{locks, settings_with};
use raveler_judge::engine::{Through, run};
use raveler_judge::program::TestProgram;
use raveler_judge::text::{LOCATIONS, parse};

/// The program of a short text.
fn program(short: &str) -> TestProgram {
    let mut names = Names::default();
    let mut body = String::new();
    let mut most = 0;
    for (thread, text) in short.split('|').enumerate() {
        body += &format!("thread {thread}\n");
        names.registers.clear();
        for stmt in text.split(';').map(str::trim).filter(|stmt| !stmt.is_empty()) {
            names.statement(stmt, &mut body, &mut most);
        }
    }
    let locations: Vec<String> =
        (0..names.locations.len()).map(|at| format!("{}=0", LOCATIONS[at])).collect();
    let text = format!("locations {}\nlocks {most}\n{body}", locations.join(" "));
    parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Locations over the program and registers of one thread, as they are met.
#[derive(Default)]
struct Names {
    locations: Vec<String>,
    registers: Vec<String>,
}

fn place(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_string());
        names.len() - 1
    })
}

impl Names {
    fn statement(&mut self, stmt: &str, body: &mut String, locks: &mut u32) {
        if let Some(rest) = stmt.strip_prefix("if(") {
            let (cond, inner) = rest.split_once(')').expect("a condition ends");
            let equal = cond.contains("==");
            let (name, value) = cond.split_once(if equal { "==" } else { "!=" }).expect("a comparison");
            let reg = place(&mut self.registers, name);
            *body += &format!("if r{reg} {} {value} {{\n", if equal { "==" } else { "!=" });
            for stmt in inner.trim().trim_matches(['{', '}']).split(',').map(str::trim) {
                self.statement(stmt, body, locks);
            }
            *body += "}\n";
        } else if let Some(cond) = stmt.strip_prefix("assert(") {
            let cond = cond.trim_end_matches(')');
            let (name, value) = cond.split_once("!=").expect("an assertion says what must not be");
            *body += &format!("assert r{} != {value}\n", place(&mut self.registers, name));
        } else if let Some((left, right)) = stmt.split_once('=') {
            if right.parse::<i64>().is_ok() {
                let loc = LOCATIONS[place(&mut self.locations, left)];
                *body += &format!("store {loc} {right} relaxed\n");
            } else {
                let loc = LOCATIONS[place(&mut self.locations, right)];
                let reg = place(&mut self.registers, left);
                *body += &format!("r{reg} = load {loc} relaxed\n");
            }
        } else {
            let (word, number) = stmt.split_at(1);
            let name = match word {
                "L" => "lock",
                "R" => "readlock",
                "U" => "unlock",
                "S" => "spawn",
                "J" => "join",
                _ => panic!("no statement {stmt}"),
            };
            if matches!(word, "L" | "R" | "U") {
                *locks = (*locks).max(number.parse::<u32>().expect("a lock") + 1);
            }
            *body += &format!("{name} {number}\n");
        }
    }
}

/// Executions without and with the order of sections, and blocked ones, under one model.
fn counts(program: &TestProgram, model: Model) -> (u64, u64, u64) {
    let run = |locks| {
        let report = run(program, &settings_with(model, Equivalence::ReadsFrom, locks), Through::Snapshot);
        assert_eq!(report.outcome.stopped, None);
        let deadlock = report.outcome.violations.iter().any(|v| v.kind == ViolationKind::Deadlock);
        assert_eq!(deadlock, report.outcome.counts.blocked + report.outcome.counts.failed > 0, "{locks:?}");
        report.outcome.counts
    };
    let (aware, ordered) = (run(Locks::Aware), run(Locks::Ordered));
    (aware.executions, ordered.executions, aware.blocked)
}

/// The numbers under SC and RA, and the same executions as brute force under all models.
fn check(short: &str, sc: (u64, u64, u64), ra: (u64, u64, u64)) {
    let program = program(short);
    assert_eq!(counts(&program, Model::Sc), sc, "sc: {short}");
    assert_eq!(counts(&program, Model::Ra), ra, "ra: {short}");
    let both = [Equivalence::ReadsFrom, Equivalence::Coherence];
    let verdict = locks(&program, &Model::CAUSAL, &both, Limits::default());
    assert_eq!(verdict.difference, None, "{short}");
}

fn same(short: &str, numbers: (u64, u64, u64)) {
    check(short, numbers, numbers);
}

#[test]
fn order_can_come_from_accesses_outside_the_sections() {
    // forced_by_reads_after
    same("y=1; L0; U0; a=x | x=1; L0; U0; b=y", (3, 4, 0));
    // forced_by_reads_inside
    same("x=2; L0; a=y; U0 | y=2; L0; b=x; U0", (3, 4, 0));
    // forced_by_writes_around
    same("y=2; L1; U1; x=2 | L1; a=y; b=x; U1", (3, 4, 0));
    // forced_by_accesses_around
    same("L0; x=1; a=x; U0 | b=x; L0; U0; x=2", (3, 4, 0));
}

#[test]
fn no_execution_is_lost_where_a_section_lies_before_another() {
    // write_unless_seen
    same("L0; c=z; x=1; U0 | L0; a=x; b=y; if(b==0) z=1; U0 | y=1", (4, 4, 0));
    // write_unless_seen_locked
    same("L0; c=z; x=1; U0 | L0; a=x; b=y; if(b==0) z=1; U0 | L0; y=1; U0", (4, 6, 0));
    // equal_writes
    same("L0; a=x; if(a!=0) y=1; U0 | L0; x=1; x=1; U0", (2, 2, 0));
    // empty_section_between
    same("a=x; if(a==0) x=1; L0; U0; b=x | L0; x=1; c=y; if(c==0) x=1; U0 | x=2; y=2", (18, 28, 0));
    // read_before_section
    let text = "a=y; if(a!=0) y=2; b=x | L0; x=2; c=y; U0 | d=x; L0; e=y; y=2; U0";
    check(text, (11, 11, 0), (12, 12, 0));
    // seen_from_inside
    same("a=v | L0; x=2; c=y; if(c==0) z=1; U0 | d=x; L0; e=z; v=1; U0 | y=1", (10, 12, 0));
    // answer_into_section
    same("L0; a=y; b=x; U0 | L0; y=2; c=x; if(c==0) y=1; U0 | d=y; if(d!=0) x=1", (10, 10, 0));
    // write_if_seen
    same("L0; a=z; b=y; if(b!=0) x=1; U0 | L0; z=2; c=x; U0 | y=1", (4, 4, 0));
}

#[test]
fn deadlocks_are_found_although_orders_are_not_enumerated() {
    // opposite_order
    same("L0; L1; U1; U0 | L1; L0; U0; U1", (1, 2, 1));
    // opposite_if_both_see: both threads see the other's write only where neither can go on.
    let text = "L0; x=1; a=z; if(a==1) {L1, U1}; U0 | L1; z=1; b=x; if(b==1) {L0, U0}; U1";
    check(text, (2, 2, 1), (3, 3, 1));
    // never_unlocked
    same("L0; x=1 | L0; a=x; U0", (1, 1, 1));
    // join_while_holding
    same("S1; L0; J1; U0 | L0; U0", (1, 1, 1));
    same("L0; S1; J1; U0 | L0; U0", (0, 0, 1));
    // opposite_by_value
    same("L0; a=x; if(a==0) {L1, U1}; U0 | L1; L0; U0; U1 | x=1", (2, 4, 1));
    // philosophers
    same("L0; L1; U1; U0 | L1; L2; U2; U1 | L2; L0; U0; U2", (1, 6, 1));
    // opposite_inside_third
    same("L2; L0; L1; U1; U0; U2 | L2; L1; L0; U0; U1; U2", (1, 2, 0));
}

#[test]
fn a_thread_that_takes_its_own_lock_waits_for_ever() {
    // taken_again
    let own = program("L0; L0; U0");
    let settings = settings_with(Model::Sc, Equivalence::ReadsFrom, Locks::Aware);
    let outcome = run(&own, &settings, Through::Snapshot).outcome;
    assert_eq!((outcome.counts.executions, outcome.counts.blocked), (0, 1));
    assert_eq!(outcome.violations.iter().map(|v| v.kind).collect::<Vec<_>>(), [ViolationKind::Deadlock]);
}

#[test]
fn readers_are_not_ordered_among_each_other() {
    // readers_and_writer: each reader sees the write or does not, 2^N; every order of a section with the writer's is
    // its own.
    same("R0; a=x; U0 | R0; a=x; U0 | R0; a=x; U0 | L0; x=1; U0", (8, 8, 0));
    // read_locks_do_not_order
    check("y=1; R0; U0; a=x | x=1; R0; U0; b=y", (3, 3, 0), (4, 4, 0));
    // opposite_order_read_locks
    same("R0; L1; U1; U0 | L1; R0; U0; U1", (1, 2, 0));
    // opposite_order_one_read_lock
    same("R0; L1; U1; U0 | L1; L0; U0; U1", (1, 2, 1));
}

#[test]
fn what_fails_in_a_partial_graph_only_is_not_reported() {
    // partial_without_order: both flags are set in a graph in which the second thread waits for y, but in no run.
    let text = "L0; c=z; x=1; U0; if(c==0) q=1 | L0; a=x; if(a==0) p=1; b=y; z=1; U0 \
                | d=p; e=q; if(d==1) assert(e!=1) | y=1";
    same(text, (8, 8, 0));
    // It fails if the section may end before the other one.
    let fails = program(
        "L0; c=z; x=1; U0; if(c==0) q=1 | L0; a=x; if(a==0) p=1; U0 | d=p; e=q; if(d==1) assert(e!=1)",
    );
    for model in Model::CAUSAL {
        let settings = settings_with(model, Equivalence::ReadsFrom, Locks::Aware);
        let outcome = run(&fails, &settings, Through::Snapshot).outcome;
        let kinds: Vec<_> = outcome.violations.iter().map(|v| v.kind).collect();
        assert_eq!(kinds, [ViolationKind::Assertion], "{}", model.name());
    }
    let both = [Equivalence::ReadsFrom, Equivalence::Coherence];
    assert_eq!(locks(&fails, &Model::CAUSAL, &both, Limits::default()).difference, None);
}

#[test]
fn what_is_wrong_in_the_first_request_is_reported() {
    let program = program("U0 | L1; x=1; U1");
    for locks in [Locks::Aware, Locks::Ordered] {
        let settings = settings_with(Model::Sc, Equivalence::ReadsFrom, locks);
        let report = run(&program, &settings, Through::Snapshot);
        let kinds: Vec<ViolationKind> = report.outcome.violations.iter().map(|v| v.kind).collect();
        assert_eq!(kinds, [ViolationKind::UnlockNotHeld], "{locks:?}");
    }
}
