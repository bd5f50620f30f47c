//! Locks, barriers and sequence locks made of atomics, every wait bounded (docs/counts.md, "Families of programs").

use super::text::{ACQUIRE_RELEASE, Body, Litmus, Orders, RELAXED};
use super::{Parameters, Text};

/// Whether a ticket holder also writes and reads a datum.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Empty,
    Datum,
}

fn ticket_mutex(orders: Orders, threads: usize, tries: usize, section: Section) -> Text {
    let mut test = Litmus::new(orders);
    for id in 0..threads {
        test.thread(|t| {
            t.fetch_add("r0", "next", 1);
            t.wait_or_return("ok", tries, "a", "owner", "a == r0");
            if section == Section::Datum {
                t.store("d", id + 1);
                t.load("r1", "d");
            }
            t.load("b", "owner");
            t.store("owner", "b + 1");
        });
    }
    Text::new(test, format!("exists ([owner]={threads})"))
}

/// Craig, Landin and Hagersten: a queue of flags, `tail` names the last one.
fn clh(threads: usize, tries: usize) -> Text {
    let mut test = Litmus::new(ACQUIRE_RELEASE);
    test.array("wait", &vec![0; threads + 1]);
    test.initial("tail", threads as i64);
    for id in 0..threads {
        test.thread(|t| {
            let mine = format!("wait[{id}]");
            t.store(&mine, 1);
            t.exchange("r0", "tail", id);
            t.wait_or_return("ok", tries, "a", "wait[r0]", "a == 0");
            t.store(&mine, 0);
        });
    }
    Text::new(test, "exists (0:r0=1 /\\ 1:r0=2)")
}

/// One writer and readers meet at a barrier; the writer writes before it, the readers read after it.
fn barrier(threads: usize, tries: usize) -> Text {
    let mut test = Litmus::new(ACQUIRE_RELEASE);
    let wait = |t: &mut Body| {
        t.load("s", "step");
        t.fetch_add("n", "nwait", 1);
        t.either(
            &format!("n == {}", threads - 1),
            |t| {
                t.store("nwait", 0);
                t.fetch_add("u", "step", 1);
            },
            |t| t.wait_or_return("ok", tries, "a", "step", "a != s"),
        );
    };
    test.thread(|t| {
        t.store("v", 1);
        wait(t);
    });
    for _ in 1..threads {
        test.thread(|t| {
            t.assign("r0", "1");
            wait(t);
            t.load("r0", "v");
        });
    }
    Text::new(test, "~exists (1:r0=0)")
}

/// How a thread enters the reader-writer lock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Read,
    Write,
}

/// The bias of the Linux reader-writer lock: the lock word when nobody is inside.
const BIAS: i64 = 1 << 20;

fn rwlock_section(t: &mut Body, side: Side, tries: usize) {
    let (step, free) = match side {
        Side::Read => (1, "p > 0".to_owned()),
        Side::Write => (BIAS, format!("p == {BIAS}")),
    };
    let waited = free.replace('p', "a");
    t.fetch_add("p", "l", -step);
    t.tries("in", tries, |t| {
        t.when(&free, |t| t.succeed("in"));
        t.fetch_add("u", "l", step);
        t.wait_or_return("ok", tries, "a", "l", &waited);
        t.fetch_add("p", "l", -step);
    });
    t.when("in == 0", |t| t.line("return;"));
    t.fetch_add("u", "l", step);
}

fn linux_rwlock(sides: &[&[Side]], tries: usize) -> Text {
    let mut test = Litmus::new(ACQUIRE_RELEASE);
    test.initial("l", BIAS);
    for sections in sides {
        test.thread(|t| {
            for register in ["p", "u", "a", "in", "ok"] {
                t.declare(register);
            }
            for &side in *sections {
                rwlock_section(t, side, tries);
            }
        });
    }
    Text::new(test, format!("exists ([l]={BIAS})"))
}

/// A sequence lock: the writer makes the count odd, writes, makes it even; readers try again if it changed.
fn seqlock(writers: usize, readers: usize, tries: usize) -> Text {
    let mut test = Litmus::new(ACQUIRE_RELEASE);
    for _ in 0..writers {
        test.thread(|t| {
            let word = t.word(0);
            t.tries("done", tries, |t| {
                t.load("o", "seq");
                t.when("(o & 1) == 0", |t| {
                    t.store_plain(&word, "o");
                    t.compare_exchange("c", "seq", &word, "o + 1");
                    t.when("c == 1", |t| {
                        t.store("d1", 1);
                        t.store("d2", 1);
                        t.fetch_add("u", "seq", 1);
                        t.succeed("done");
                    });
                });
            });
        });
    }
    for _ in 0..readers {
        test.thread(|t| {
            t.declare("r0");
            t.declare("r1");
            t.tries("done", tries, |t| {
                t.load("o", "seq");
                t.when("(o & 1) == 0", |t| {
                    t.load("r0", "d1");
                    t.load("r1", "d2");
                    t.load("p", "seq");
                    t.when("p == o", |t| t.succeed("done"));
                });
            });
        });
    }
    Text::new(test, format!("exists ({writers}:done=1 /\\ {writers}:r0=1 /\\ {writers}:r1=0)"))
}

/// The program of this name, if it is one of these.
pub fn find(program: &str, parameters: &Parameters) -> Option<Text> {
    let orders = if parameters.flag("relaxed") { RELAXED } else { ACQUIRE_RELEASE };
    let threads = parameters.number("threads");
    let tries = parameters.number("LB")?;
    Some(match program {
        "ticket_mutex" => {
            let section = if parameters.flag("datum") { Section::Datum } else { Section::Empty };
            ticket_mutex(orders, threads?, tries, section)
        }
        "clh" => clh(threads?, tries),
        "barrier" => barrier(threads?, tries),
        "linux_rwlock" => {
            let both: &[Side] = &[Side::Read, Side::Write];
            linux_rwlock(&vec![both; threads?], tries)
        }
        "linux_rwlock_one" => linux_rwlock(&[&[Side::Read], &[Side::Write]], tries),
        "seqlock" => seqlock(parameters.number("writers")?, parameters.number("readers")?, tries),
        _ => return None,
    })
}
