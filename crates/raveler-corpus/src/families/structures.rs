//! Queues, stacks and deques without locks (docs/counts.md, "Families of programs").

use super::text::{Body, Litmus, RELAXED};
use super::{Parameters, Text};

/// A bounded queue for many producers and consumers; only its counters are shared. The element that main put in
/// before the threads started is part of the initial values.
fn mpmc_queue_bnd(threads: usize, tries: usize) -> Text {
    let mut test = Litmus::new(RELAXED);
    test.initial("rdwr", 1);
    test.initial("wr", 1);
    for _ in 0..threads {
        test.thread(|t| {
            let word = t.word(0);
            for register in ["ok", "got", "v", "r0"] {
                t.declare(register);
            }
            claim(t, &word, tries, "(v & 65535) == (v >> 16) + 4", "v + 1");
            settle(t, tries, "rd", "v >> 16");
            t.fetch_add_as("u", "wr", 1, "release");
            t.times("k", tries, |t| {
                claim(t, &word, tries, "(v & 65535) == (v >> 16)", "v + 65536");
                settle(t, tries, "wr", "v & 65535");
                t.when("got == 0", |t| t.line("break;"));
                t.fetch_add_as("u", "rd", 1, "release");
                t.assign("r0", "r0 + 1");
            });
        });
    }
    // Main put in one element, each thread one more; a thread takes out at most LB.
    Text::new(test, format!("exists (0:r0={})", (threads + 1).min(tries)))
}

/// Move the common counter on, unless the queue is full (or empty); `got` says whether it worked, `v` is what was
/// there before.
fn claim(t: &mut Body, word: &str, tries: usize, stuck: &str, next: &str) {
    t.load_as("v", "rdwr", "acquire");
    t.assign("got", "0");
    t.times("i", tries, |t| {
        t.when(stuck, |t| t.line("break;"));
        t.store_plain(word, "v");
        t.compare_exchange_as("ok", "rdwr", word, next, ("acq_rel", "acquire"));
        t.when("ok == 1", |t| t.succeed("got"));
        t.load_plain("v", word);
    });
}

/// If the claim worked, wait until the others are as far.
fn settle(t: &mut Body, tries: usize, counter: &str, level: &str) {
    t.when("got == 1", |t| {
        t.assign("got", "0");
        t.times("i", tries, |t| {
            t.load_as("w", counter, "acquire");
            t.when(&format!("w == ({level})"), |t| t.succeed("got"));
        });
    });
}

/// Treiber's stack without retry. Nodes are numbers from 1; 0 is the end.
fn stc() -> Text {
    let mut test = Litmus::new(RELAXED);
    test.array("val", &[0; 4]);
    test.array("next", &[0; 4]);
    test.thread(|t| {
        let word = t.word(0);
        stack_push(t, &word, 1);
        stack_push(t, &word, 2);
        stack_pop(t, &word);
    });
    test.thread(|t| {
        let word = t.word(0);
        stack_pop(t, &word);
        stack_push(t, &word, 3);
    });
    Text::new(test, "exists ([top]=0)")
}

fn stack_push(t: &mut Body, word: &str, node: usize) {
    t.store(&format!("val[{node}]"), node);
    t.load("h", "top");
    t.store(&format!("next[{node}]"), "h");
    t.store_plain(word, "h");
    t.compare_exchange_as("c", "top", word, node, ("release", "relaxed"));
}

fn stack_pop(t: &mut Body, word: &str) {
    t.load("h", "top");
    t.when("h != 0", |t| {
        t.load("v", "val[h]");
        t.load("n", "next[h]");
        t.store_plain(word, "h");
        t.compare_exchange_as("c", "top", word, "n", ("relaxed", "relaxed"));
    });
}

/// Treiber's stack with retry: each thread pushes its own node, then pops one. Every failed try counts.
fn treiber(threads: usize) -> Text {
    let mut test = Litmus::new(RELAXED);
    test.array("next", &vec![0; threads + 1]);
    // Each failure sees a later write of `top` than the one before; there are two writes per thread.
    let tries = 2 * threads + 1;
    for id in 1..=threads {
        test.thread(|t| {
            let word = t.word(0);
            t.declare("r0");
            t.times("i", tries, |t| {
                t.load_as("h", "top", "acquire");
                t.store(&format!("next[{id}]"), "h");
                t.store_plain(&word, "h");
                t.compare_exchange_as("c", "top", &word, id, ("acq_rel", "acquire"));
                t.when("c == 1", |t| t.line("break;"));
            });
            t.times("i", tries, |t| {
                t.load_as("h", "top", "acquire");
                t.when("h == 0", |t| t.line("break;"));
                t.load("n", "next[h]");
                t.store_plain(&word, "h");
                t.compare_exchange_as("c", "top", &word, "n", ("acq_rel", "acquire"));
                t.when("c == 1", |t| {
                    t.assign("r0", "h");
                    t.line("break;");
                });
            });
        });
    }
    Text::new(test, "forall ([top]=0)")
}

/// One operation of the deque's owner.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Push,
    Pop,
}

/// Chase and Lev's deque in a fixed array of ten; its buffer is plain and races are to be ignored.
fn deque(owner: &[Step], thieves: &[usize]) -> Text {
    let mut test = Litmus::new(RELAXED);
    test.plain_array("buf", &[0; 10]);
    test.thread(|t| {
        let word = t.word(0);
        let mut pushed = 0;
        for step in owner {
            match step {
                Step::Push => {
                    pushed += 1;
                    deque_push(t, pushed);
                }
                Step::Pop => deque_pop(t, &word),
            }
        }
    });
    for &steals in thieves {
        test.thread(|t| {
            let word = t.word(0);
            t.declare("r0");
            for _ in 0..steals {
                deque_steal(t, &word);
            }
        });
    }
    let twice: Vec<String> = (1..=thieves.len()).map(|thief| format!("{thief}:r0=1")).collect();
    Text::new(test, format!("exists ({})", twice.join(" /\\ ")))
}

fn deque_push(t: &mut Body, value: usize) {
    t.load("b", "bottom");
    t.load_as("t", "top", "acquire");
    t.store_plain("buf[b % 10]", value);
    t.store_as("bottom", "b + 1", "release");
}

fn deque_pop(t: &mut Body, word: &str) {
    t.load("b", "bottom");
    t.store("bottom", "b - 1");
    t.fence("seq_cst");
    t.load("t", "top");
    t.either(
        "b - t <= 0",
        |t| t.store("bottom", "b"),
        |t| {
            t.load_plain("v", "buf[(b - 1) % 10]");
            t.when("b - t == 1", |t| {
                t.store_plain(word, "t");
                t.compare_exchange_as("c", "top", word, "t + 1", ("acq_rel", "acquire"));
                t.store("bottom", "b");
            });
        },
    );
}

fn deque_steal(t: &mut Body, word: &str) {
    t.load("t", "top");
    t.fence("seq_cst");
    t.load_as("b", "bottom", "acquire");
    t.when("b - t > 0", |t| {
        t.load_plain("v", "buf[t % 10]");
        t.store_plain(word, "t");
        t.compare_exchange_as("c", "top", word, "t + 1", ("release", "relaxed"));
        t.when("c == 1", |t| t.assign("r0", "v"));
    });
}

/// The program of this name, if it is one of these.
pub fn find(program: &str, parameters: &Parameters) -> Option<Text> {
    use Step::{Pop, Push};
    Some(match program {
        "mpmc_queue_bnd" => mpmc_queue_bnd(parameters.number("rdwr")?, parameters.number("LB")?),
        "stc" => stc(),
        "treiber" if parameters.flag("failed") => treiber(parameters.number("N")?),
        "dq" => deque(&[Push, Push, Pop, Push], &[2, 1]),
        "chase_lev" => {
            let owner = [Push, Push, Push, Push, Push, Pop, Pop, Pop, Push, Push];
            deque(&owner, &vec![1; parameters.number("thieves")?])
        }
        _ => return None,
    })
}
