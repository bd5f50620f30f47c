//! Loop-free programs that count: one formula each (docs/counts.md, "Families of programs").

use super::text::{ACQUIRE_RELEASE, Litmus, Orders, RELAXED};
use super::{Parameters, Text};

/// N threads, each `fetch_add(v, 1)` for every location.
pub fn increments(n: usize, locations: &[&str]) -> Text {
    let mut test = Litmus::new(RELAXED);
    for _ in 0..n {
        test.thread(|t| {
            for (register, location) in locations.iter().enumerate() {
                t.fetch_add(&format!("r{register}"), location, 1);
            }
        });
    }
    let sums: Vec<String> = locations.iter().map(|location| format!("[{location}]={n}")).collect();
    Text::new(test, format!("forall ({})", sums.join(" /\\ ")))
}

/// Thread i=1..N: `cas(x, i-1, i)`.
pub fn casrot(n: usize) -> Text {
    let mut test = Litmus::new(RELAXED);
    for i in 1..=n {
        test.thread(|t| {
            let word = t.word(i as i64 - 1);
            t.compare_exchange("r0", "x", &word, i);
        });
    }
    Text::new(test, format!("exists ([x]={n})"))
}

/// Thread i: `cas(x, 0, 1); x := i+3`.
pub fn casw(n: usize) -> Text {
    let mut test = Litmus::new(RELAXED);
    for i in 0..n {
        test.thread(|t| {
            let word = t.word(0);
            t.compare_exchange("r0", "x", &word, 1);
            t.store("x", i + 3);
        });
    }
    let all: Vec<String> = (1..n).map(|i| format!("{i}:r0=0")).collect();
    Text::new(test, format!("exists ({})", all.join(" /\\ ")))
}

/// Thread i=1..N: `r := x; x := i`.
pub fn rw(n: usize) -> Text {
    let mut test = Litmus::new(RELAXED);
    for i in 1..=n {
        test.thread(|t| {
            t.load("r0", "x");
            t.store("x", i);
        });
    }
    Text::new(test, "exists (0:r0=2 /\\ 1:r0=1)")
}

/// `x := 42` and N readers.
pub fn readers(n: usize) -> Text {
    let mut test = Litmus::new(RELAXED);
    test.thread(|t| t.store("x", 42));
    for _ in 0..n {
        test.thread(|t| t.load("r0", "x"));
    }
    Text::new(test, format!("exists (1:r0=42 /\\ {n}:r0=0)"))
}

/// Thread i=1..N: `x := i`, and one reader.
pub fn n_writers_a_reader(n: usize) -> Text {
    let mut test = Litmus::new(RELAXED);
    for i in 1..=n {
        test.thread(|t| t.store("x", i));
    }
    test.thread(|t| t.load("r0", "x"));
    Text::new(test, format!("exists ({n}:r0=1 /\\ [x]=1)"))
}

/// Two threads of N times `x := 1`, and one that reads twice.
pub fn redundant_co(n: usize) -> Text {
    let mut test = Litmus::new(RELAXED);
    for _ in 0..2 {
        test.thread(|t| t.times("i", n, |t| t.store("x", 1)));
    }
    test.thread(|t| {
        t.load("r0", "x");
        t.load("r1", "x");
    });
    Text::new(test, "exists (2:r0=1 /\\ 2:r1=0)")
}

/// N readers of x, N writers of y, and a chain of conditions over y and z that ends in a write of x.
pub fn control_flow(n: usize) -> Text {
    let mut test = Litmus::new(ACQUIRE_RELEASE);
    for _ in 0..n {
        test.thread(|t| t.load("r0", "x"));
    }
    for _ in 0..n {
        test.thread(|t| t.store("y", 1));
    }
    test.thread(|t| {
        t.load("r0", "y");
        t.when("r0 == 0", |t| t.store("z", 1));
    });
    test.thread(|t| {
        t.load("r0", "z");
        t.when("r0 == 1", |t| {
            t.load("r1", "y");
            t.when("r1 == 0", |t| t.store("x", 1));
        });
    });
    Text::new(test, "exists (0:r0=1)")
}

/// Two setters `a := 1; b := -1` and two checkers that read a and b in C's short-circuit order.
pub fn reorder2(orders: Orders) -> Text {
    let mut test = Litmus::new(orders);
    for _ in 0..2 {
        test.thread(|t| {
            t.store("a", 1);
            t.store("b", -1);
        });
    }
    for _ in 0..2 {
        test.thread(|t| {
            t.load("r0", "a");
            t.when("r0 == 0", |t| {
                t.load("r1", "b");
                t.when("r1 == 0", |t| t.line("return;"));
            });
            t.load("r2", "a");
            t.declare("r3");
            t.when("r2 == 1", |t| t.load("r3", "b"));
        });
    }
    Text::new(test, "exists (2:r2=1 /\\ 2:r3=0)")
}

/// N readers of x, nobody writes.
pub fn nreads(n: usize) -> Text {
    let mut test = Litmus::new(RELAXED);
    for _ in 0..n {
        test.thread(|t| t.load("r0", "x"));
    }
    Text::new(test, "forall (0:r0=0)")
}

/// N writers of x, nobody reads.
pub fn nwrites(n: usize) -> Text {
    let mut test = Litmus::new(RELAXED);
    for _ in 0..n {
        test.thread(|t| t.store("x", 42));
    }
    Text::new(test, "forall ([x]=42)")
}

/// Fibonacci: two threads add each other's variable to their own, a third reads both.
pub fn fib(rounds: usize, orders: Orders) -> Text {
    let mut test = Litmus::new(orders);
    test.initial("x", 1);
    test.initial("y", 1);
    for own in ["x", "y"] {
        test.thread(|t| {
            t.times("i", rounds, |t| {
                t.load("p", "x");
                t.load("q", "y");
                t.store(own, "p + q");
            });
        });
    }
    test.thread(|t| {
        t.load("r0", "x");
        t.load("r1", "y");
    });
    let (mut x, mut y) = (1, 1);
    for _ in 0..rounds {
        x += y;
        y += x;
    }
    Text::new(test, format!("exists ([x]={x} /\\ [y]={y})"))
}

/// What a thread of a load-buffering ring writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ring {
    /// Always 1.
    Free,
    /// 1, but all except the first only if they read something.
    Control,
    /// What was read; the first writes 1.
    Data,
    /// Always 1, to the partner of its pair.
    Pairs,
}

/// N threads; thread i reads x_i and writes the next one's (or its partner's) location.
pub fn load_buffering(n: usize, ring: Ring) -> Text {
    let mut test = Litmus::new(RELAXED);
    for i in 0..n {
        let next = if ring == Ring::Pairs { i ^ 1 } else { (i + 1) % n };
        let target = format!("x{next}");
        test.thread(|t| {
            t.load("r0", &format!("x{i}"));
            match ring {
                Ring::Control if i != 0 => t.when("r0 != 0", |t| t.store(&target, 1)),
                Ring::Data if i != 0 => t.store(&target, "r0"),
                _ => t.store(&target, 1),
            }
        });
    }
    let all: Vec<String> = (0..n).map(|i| format!("{i}:r0=1")).collect();
    Text::new(test, format!("exists ({})", all.join(" /\\ ")))
}

/// The program of this name, if it is one of these.
pub fn find(program: &str, parameters: &Parameters) -> Option<Text> {
    let n = parameters.number("N");
    let orders = if parameters.flag("relaxed") { RELAXED } else { ACQUIRE_RELEASE };
    Some(match program {
        "ainc" => increments(n?, &["x"]),
        "binc" => increments(n?, &["x", "y"]),
        "cinc" => increments(n?, &["x", "y", "z"]),
        "casrot" => casrot(n?),
        "casw" => casw(n?),
        "rw" => rw(n?),
        "readers" => readers(n?),
        "n_writers_a_reader" => n_writers_a_reader(n?),
        "redundant_co" => redundant_co(n?),
        "control_flow" => control_flow(n?),
        "reorder2" => reorder2(orders),
        "nreads" => nreads(n?),
        "nwrites" => nwrites(n?),
        "fib" => fib(parameters.number("NUM")?, orders),
        "lbn" => load_buffering(n?, Ring::Free),
        "lbn_ctrl" => load_buffering(n?, Ring::Control),
        "lbn_data" => load_buffering(n?, Ring::Data),
        "lbn_pairs" => load_buffering(n?, Ring::Pairs),
        _ => return None,
    })
}
