//! Mutual exclusion by loads and stores, two threads, every wait bounded (docs/counts.md, "Families of programs").
//!
//! A thread that has tried LB times returns; the execution is then complete all the same.

use super::text::{ACQUIRE_RELEASE, Body, Litmus, Orders, RELAXED};
use super::{Parameters, Text};

/// Rounds of each thread and tries of each wait.
#[derive(Clone, Copy)]
struct Bounds {
    rounds: usize,
    tries: usize,
}

/// One thread's view: who it is, its flag and the other's.
struct Me {
    id: usize,
    mine: String,
    theirs: String,
}

impl Me {
    fn new(id: usize, flag: &str) -> Me {
        Me { id, mine: format!("{flag}{id}"), theirs: format!("{flag}{}", 1 - id) }
    }

    fn other(&self) -> usize {
        1 - self.id
    }
}

/// Two threads of R rounds; what was read in the critical section ends in `r0`.
fn two_threads(orders: Orders, bounds: Bounds, flag: &str, round: impl Fn(&mut Body, &Me)) -> Litmus {
    let mut test = Litmus::new(orders);
    for id in 0..2 {
        test.thread(|t| {
            t.declare("r0");
            let me = Me::new(id, flag);
            if bounds.rounds == 1 {
                round(t, &me);
            } else {
                t.times("k", bounds.rounds, |t| round(t, &me));
            }
        });
    }
    test
}

fn critical_section(t: &mut Body, me: &Me, datum: &str) {
    t.store(datum, me.id + 1);
    t.load("r0", datum);
}

/// A thread sees the other's mark inside its own critical section: exclusion failed.
const DISTURBED: &str = "exists (0:r0=2 \\/ 1:r0=1)";

fn dekker(orders: Orders, bounds: Bounds) -> Text {
    let test = two_threads(orders, bounds, "f", |t, me| {
        t.store(&me.mine, 1);
        t.tries("in", bounds.tries, |t| {
            t.load("a", &me.theirs);
            t.when("a == 0", |t| t.succeed("in"));
            t.load("b", "turn");
            t.when(&format!("b != {}", me.id), |t| {
                t.store(&me.mine, 0);
                t.wait_or_return("ok", bounds.tries, "c", "turn", &format!("c == {}", me.id));
                t.store(&me.mine, 1);
            });
        });
        t.when("in == 0", |t| t.line("return;"));
        critical_section(t, me, "x");
        t.store("turn", me.other());
        t.store(&me.mine, 0);
    });
    Text::new(test, DISTURBED)
}

fn peterson(orders: Orders, bounds: Bounds) -> Text {
    let test = two_threads(orders, bounds, "f", |t, me| {
        t.store(&me.mine, 1);
        t.store("turn", me.other());
        t.tries("in", bounds.tries, |t| {
            t.load("a", &me.theirs);
            t.load("b", "turn");
            t.when(&format!("a != 1 || b != {}", me.other()), |t| t.succeed("in"));
        });
        t.when("in == 0", |t| t.line("return;"));
        critical_section(t, me, "x");
        t.store(&me.mine, 0);
    });
    Text::new(test, DISTURBED)
}

/// Lamport's fast mutex.
fn lamport(orders: Orders, bounds: Bounds) -> Text {
    let test = two_threads(orders, bounds, "b", |t, me| {
        let mark = me.id + 1;
        t.tries("in", bounds.tries, |t| {
            t.store(&me.mine, 1);
            t.store("x", mark);
            t.load("c", "y");
            t.either(
                "c != 0",
                |t| {
                    t.store(&me.mine, 0);
                    t.wait_or_return("ok", bounds.tries, "d", "y", "d == 0");
                },
                |t| {
                    t.store("y", mark);
                    t.load("d", "x");
                    t.declare("again");
                    t.when(&format!("d != {mark}"), |t| {
                        t.store(&me.mine, 0);
                        t.wait_or_return("ok", bounds.tries, "g", &me.theirs, "g < 1");
                        t.load("h", "y");
                        t.when(&format!("h != {mark}"), |t| {
                            t.wait_or_return("ok", bounds.tries, "k0", "y", "k0 == 0");
                            t.assign("again", "1");
                        });
                    });
                    t.when("again == 0", |t| t.succeed("in"));
                },
            );
        });
        t.when("in == 0", |t| t.line("return;"));
        critical_section(t, me, "z");
        t.store("y", 0);
        t.store(&me.mine, 0);
    });
    Text::new(test, DISTURBED)
}

fn szymanski(orders: Orders, bounds: Bounds) -> Text {
    let test = two_threads(orders, bounds, "f", |t, me| {
        t.store(&me.mine, 1);
        t.wait_or_return("ok", bounds.tries, "a", &me.theirs, "a < 3");
        t.store(&me.mine, 3);
        t.load("b", &me.theirs);
        t.when("b == 1", |t| {
            t.store(&me.mine, 2);
            t.wait_or_return("ok", bounds.tries, "a", &me.theirs, "a == 4");
        });
        t.store(&me.mine, 4);
        t.wait_or_return("ok", bounds.tries, "a", &me.theirs, "a < 2");
        critical_section(t, me, "x");
        t.tries("out", bounds.tries, |t| {
            t.load("c", &me.theirs);
            t.when("c < 2", |t| t.succeed("out"));
            t.load("d", &me.theirs);
            t.when("d > 3", |t| t.succeed("out"));
        });
        t.when("out == 0", |t| t.line("return;"));
        t.store(&me.mine, 0);
    });
    Text::new(test, DISTURBED)
}

/// Szymanski's algorithm with the waits taken out and a fence after every access.
fn szymanski_x(rounds: usize) -> Text {
    let bounds = Bounds { rounds, tries: 0 };
    let test = two_threads(RELAXED, bounds, "f", |t, me| {
        let fence = |t: &mut Body| t.fence("seq_cst");
        t.store(&me.mine, 1);
        fence(t);
        t.store(&me.mine, 3);
        fence(t);
        t.load("r0", &me.theirs);
        t.when("r0 == 1", |t| {
            t.store(&me.mine, 2);
            fence(t);
        });
        t.store(&me.mine, 4);
        fence(t);
        t.store("x", me.id);
        fence(t);
        t.store(&me.mine, 0);
    });
    Text::new(test, "exists ([x]=0)")
}

/// Dekker's algorithm with fences; the critical section is plain.
fn dekker_bnd() -> Text {
    let bounds = Bounds { rounds: 1, tries: 3 };
    let test = two_threads(RELAXED, bounds, "f", |t, me| {
        t.store(&me.mine, 1);
        t.fence("seq_cst");
        t.tries("in", bounds.tries, |t| {
            t.load("a", &me.theirs);
            t.when("a < 1", |t| t.succeed("in"));
            t.load("b", "turn");
            t.when(&format!("b != {}", me.id), |t| {
                t.store(&me.mine, 0);
                t.wait_or_return("ok", bounds.tries, "c", "turn", &format!("c == {}", me.id));
                t.store(&me.mine, 1);
                t.fence("seq_cst");
            });
        });
        t.when("in == 0", |t| t.line("return;"));
        t.fence("acquire");
        t.store_plain("x", me.id + 1);
        t.load_plain("r0", "x");
        t.store("turn", me.other());
        t.fence("release");
        t.store(&me.mine, 0);
    });
    Text::new(test, DISTURBED)
}

/// The program of this name, if it is one of these.
pub fn find(program: &str, parameters: &Parameters) -> Option<Text> {
    let orders = if parameters.flag("relaxed") { RELAXED } else { ACQUIRE_RELEASE };
    let bounds = || Some(Bounds { rounds: parameters.number("R")?, tries: parameters.number("LB")? });
    Some(match program {
        "dekker" => dekker(orders, bounds()?),
        "peterson" => peterson(orders, bounds()?),
        "lamport" => lamport(orders, bounds()?),
        "szymanski" => szymanski(orders, bounds()?),
        "szymanski_x" => szymanski_x(parameters.number("N")?),
        "dekker_bnd" => dekker_bnd(),
        _ => return None,
    })
}
