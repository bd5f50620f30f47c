//! Programs whose main thread starts and joins others, in memory (docs/counts.md, "Families of programs").

use raveler_core::Order::{self, Acquire, Plain, Relaxed, Release};

use super::Parameters;
use crate::builder::{Arithmetic, Builder, Built, Code, Thread, Variable};

/// Main spawns one thread for each code (the argument is its number from 1), joins them all and goes on.
fn fork_join(mut program: Builder, codes: &[Code], after: impl FnOnce(&mut Thread)) -> Built {
    let codes = codes.to_vec();
    program.thread(|t| {
        let children: Vec<_> = codes.iter().map(|_| t.register()).collect();
        for (index, (&code, &child)) in codes.iter().zip(&children).enumerate() {
            t.spawn(child, code, index as i64 + 1);
        }
        for &child in &children {
            t.join(child);
        }
        after(t);
    });
    program.finish()
}

fn read_all(t: &mut Thread, variables: &[Variable], order: Order) {
    let r = t.register();
    for &variable in variables {
        t.read_into(r, variable, order);
    }
}

/// Main counts an index up and starts a thread after each step, which marks the entry it sees.
fn sigma(n: usize) -> Built {
    let mut program = Builder::new();
    let index = program.variable("idx", -1);
    let array = program.array("arr", &vec![0; n]);
    let worker = program.code(|t| {
        let i = t.read(index, Acquire);
        t.write(array.at(i), 1, Release);
    });
    program.thread(|t| {
        let (v, child) = (t.register(), t.register());
        for _ in 0..n {
            t.read_into(v, index, Acquire);
            t.write(index, v + 1, Release);
            t.spawn(child, worker, 0);
        }
    });
    program.finish()
}

/// N threads `fetch_add(x, 1)`; main joins them and reads.
fn ainc_joined(n: usize) -> Built {
    let mut program = Builder::new();
    let x = program.variable("x", 0);
    let worker = program.code(|t| {
        let r = t.register();
        t.fetch_add(r, x, 1, Relaxed);
    });
    fork_join(program, &vec![worker; n], |t| read_all(t, &[x], Relaxed))
}

/// N threads `x := i; y := i`; main joins them and reads x, then y.
fn nww_rr(n: usize) -> Built {
    let mut program = Builder::new();
    let (x, y) = (program.variable("x", 0), program.variable("y", 0));
    let worker = program.code(|t| {
        let i = t.argument();
        t.write(x, i, Relaxed);
        t.write(y, i, Relaxed);
    });
    fork_join(program, &vec![worker; n], |t| read_all(t, &[x, y], Relaxed))
}

/// The same inside one lock, plain.
fn nww_lock_rr(n: usize) -> Built {
    let mut program = Builder::new();
    let lock = program.locks("l", 1);
    let (x, y) = (program.variable("x", 0), program.variable("y", 0));
    let worker = program.code(|t| {
        let i = t.argument();
        t.locked(lock, |t| {
            t.write(x, i, Plain);
            t.write(y, i, Plain);
        });
    });
    fork_join(program, &vec![worker; n], |t| read_all(t, &[x, y], Plain))
}

/// Fibonacci whose result is read after both threads were joined.
fn fib_joined(rounds: usize) -> Built {
    let mut program = Builder::new();
    let (x, y) = (program.variable("x", 1), program.variable("y", 1));
    let codes = [x, y].map(|own| {
        program.code(|t| {
            let (p, q) = (t.register(), t.register());
            for _ in 0..rounds {
                t.read_into(p, x, Acquire);
                t.read_into(q, y, Acquire);
                t.compute(p, p, Arithmetic::Add, q);
                t.write(own, p, Release);
            }
        })
    });
    fork_join(program, &codes, |t| read_all(t, &[x, y], Acquire))
}

/// rw(N), then `stores` more writes of each thread to a location of its own that main reads after the joins: the
/// executions stay those of rw(N) while their size grows. Events: 2N of rw, N per store, N reads of main, 2N for
/// starting and joining.
fn scaling(threads: usize, stores: usize) -> Built {
    let mut program = Builder::new();
    let x = program.variable("x", 0);
    let own: Vec<Variable> = (0..threads).map(|i| program.variable(&format!("y{i}"), 0)).collect();
    let codes: Vec<Code> = own
        .iter()
        .map(|&own| {
            program.code(|t| {
                t.read(x, Acquire);
                let i = t.argument();
                t.write(x, i, Release);
                for value in 1..=stores as i64 {
                    t.write(own, value, Release);
                }
            })
        })
        .collect();
    fork_join(program, &codes, |t| read_all(t, &own, Acquire))
}

/// The program of this name, if it is one of these.
pub fn find(program: &str, parameters: &Parameters) -> Option<Built> {
    let n = parameters.number("N");
    Some(match program {
        "sigma" => sigma(n?),
        "ainc_joined" => ainc_joined(n?),
        "nww_rr" => nww_rr(n?),
        "nww_lock_rr" => nww_lock_rr(n?),
        "fib_joined" => fib_joined(parameters.number("NUM")?),
        "scaling" => scaling(n?, parameters.number("K")?),
        _ => return None,
    })
}
