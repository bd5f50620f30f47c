//! Programs with mutexes, in memory (docs/counts.md, "Families of programs").

use raveler_core::Order::{Plain, Relaxed, SeqCst};

use super::Parameters;
use crate::builder::{Arithmetic, Builder, Built, Is, Thread, Variable};

/// N threads that do the same inside one lock; each gets its number.
fn sections(n: usize, names: &[&str], inside: impl Fn(&mut Thread, &[Variable], usize)) -> Built {
    let mut program = Builder::new();
    let lock = program.locks("l", 1);
    let variables: Vec<Variable> = names.iter().map(|name| program.variable(name, 0)).collect();
    for id in 0..n {
        program.thread(|t| t.locked(lock, |t| inside(t, &variables, id)));
    }
    program.finish()
}

/// `v := v + amount`
fn add(t: &mut Thread, variable: Variable, amount: i64) {
    let r = t.register();
    t.read_into(r, variable, Plain);
    t.write(variable, r + amount, Plain);
}

/// `lock l; x++; unlock l; empty × (lock m; unlock m); lock l; x++; unlock l`, N threads.
fn complex_lock(n: usize, empty: usize) -> Built {
    let mut program = Builder::new();
    let (l, m) = (program.locks("l", 1), program.locks("m", 1));
    let x = program.variable("x", 0);
    for _ in 0..n {
        program.thread(|t| {
            t.locked(l, |t| add(t, x, 1));
            for _ in 0..empty {
                t.locked(m, |_| {});
            }
            t.locked(l, |t| add(t, x, 1));
        });
    }
    program.finish()
}

/// The program that fits the paper's numbers (docs/locks.md, "Numbers"): the second increment holds m while taking l.
fn complex_lock_of_the_paper(n: usize) -> Built {
    let mut program = Builder::new();
    let (l, m) = (program.locks("l", 1), program.locks("m", 1));
    let x = program.variable("x", 0);
    for _ in 0..n {
        program.thread(|t| {
            t.locked(m, |t| add(t, x, 1));
            t.locked(l, |_| {});
            t.locked(l, |_| {});
            t.locked(m, |t| {
                add(t, x, 1);
                t.locked(l, |_| {});
            });
        });
    }
    program.finish()
}

/// Two threads change i and j `rounds` times inside a lock, a third reads both, each in a section of its own.
fn pair(rounds: usize, start: (i64, i64), step: impl Fn(&mut Thread, Variable, Variable)) -> Built {
    let mut program = Builder::new();
    let lock = program.locks("l", 1);
    let (i, j) = (program.variable("i", start.0), program.variable("j", start.1));
    for (own, other) in [(i, j), (j, i)] {
        program.thread(|t| {
            let registers = t.mark();
            for _ in 0..rounds {
                t.locked(lock, |t| step(t, own, other));
                t.reuse(registers);
            }
        });
    }
    program.thread(|t| {
        for variable in [i, j] {
            t.locked(lock, |t| {
                t.read(variable, Plain);
            });
        }
    });
    program.finish()
}

fn fib_bench_locked(rounds: usize) -> Built {
    pair(rounds, (1, 1), |t, own, other| {
        let (p, q) = (t.read(own, Plain), t.read(other, Plain));
        t.compute(p, p, Arithmetic::Add, q);
        t.write(own, p, Plain);
    })
}

fn triangular(rounds: usize) -> Built {
    pair(rounds, (3, 6), |t, own, other| {
        let p = t.read(other, Plain);
        t.write(own, p + 1, Plain);
    })
}

fn lazy() -> Built {
    sections(3, &["d"], |t, v, id| match id {
        2 => {
            t.read(v[0], Plain);
        }
        _ => add(t, v[0], id as i64 + 1),
    })
}

fn stateful01() -> Built {
    let mut program = Builder::new();
    let lock = program.locks("l", 1);
    let (d1, d2) = (program.variable("d1", 10), program.variable("d2", 10));
    for (first, second) in [(1, 1), (5, -6)] {
        program.thread(|t| {
            t.locked(lock, |t| add(t, d1, first));
            t.locked(lock, |t| add(t, d2, second));
        });
    }
    program.finish()
}

/// A reader-writer lock made of a mutex and two counters, two writers and two readers.
fn read_write_lock() -> Built {
    let mut program = Builder::new();
    let lock = program.locks("a", 1);
    let [w, r, x, y] = ["w", "r", "x", "y"].map(|name| program.variable(name, 0));
    for _ in 0..2 {
        program.thread(|t| {
            t.locked(lock, |t| {
                let writers = t.read(w, Plain);
                t.assume(writers, Is::Equal, 0);
                let readers = t.read(r, Plain);
                t.assume(readers, Is::Equal, 0);
                t.write(w, 1, Plain);
            });
            t.write(x, 3, SeqCst);
            t.locked(lock, |t| t.write(w, 0, Plain));
        });
    }
    for _ in 0..2 {
        program.thread(|t| {
            t.locked(lock, |t| {
                let writers = t.read(w, Plain);
                t.assume(writers, Is::Equal, 0);
                add(t, r, 1);
            });
            let seen = t.read(x, SeqCst);
            t.write(y, seen, SeqCst);
            t.read(y, SeqCst);
            t.read(x, SeqCst);
            t.locked(lock, |t| add(t, r, -1));
        });
    }
    program.finish()
}

fn time_var_mutex() -> Built {
    let mut program = Builder::new();
    let (i, b) = (program.locks("i", 1), program.locks("b", 1));
    let [inode, busy, block] = ["inode", "busy", "block"].map(|name| program.variable(name, 0));
    program.thread(|t| {
        t.locked(i, |t| {
            let taken = t.read(inode, Plain);
            t.when(taken, Is::Equal, 0, |t| {
                t.locked(b, |t| t.write(busy, 1, Plain));
                t.write(inode, 1, Plain);
            });
            t.write(block, 1, Relaxed);
            t.read(block, Relaxed);
        });
    });
    program.thread(|t| {
        t.locked(b, |t| {
            let taken = t.read(busy, Plain);
            t.when(taken, Is::Equal, 0, |t| {
                t.write(block, 0, Relaxed);
                t.read(block, Relaxed);
            });
        });
    });
    program.finish()
}

/// A table of 128 slots with a lock each; each thread puts in four keys, from the key's own slot on.
fn indexer(threads: usize) -> Built {
    const SLOTS: i64 = 128;
    let mut program = Builder::new();
    let locks = program.locks("m", SLOTS as usize);
    let table = program.array("tab", &[0; SLOTS as usize]);
    for id in 0..threads as i64 {
        program.thread(|t| {
            let (slot, found) = (t.register(), t.register());
            for message in 1..=4 {
                let key = 11 * message + id;
                t.set(slot, 7 * key % SLOTS);
                t.repeat(|t| {
                    t.lock(locks.at(slot));
                    t.read_into(found, table.at(slot), Plain);
                    t.when(found, Is::Equal, 0, |t| {
                        t.write(table.at(slot), key, Plain);
                        t.unlock(locks.at(slot));
                        t.leave();
                    });
                    t.unlock(locks.at(slot));
                    t.compute(slot, slot + 1, Arithmetic::Rem, SLOTS);
                });
            }
        });
    }
    program.finish()
}

/// 32 inodes and 26 blocks with a lock each; each thread gives its inode a free block.
fn filesystem(threads: usize) -> Built {
    const INODES: i64 = 32;
    const BLOCKS: i64 = 26;
    let mut program = Builder::new();
    let inode_locks = program.locks("li", INODES as usize);
    let block_locks = program.locks("lb", BLOCKS as usize);
    let inodes = program.array("inode", &[0; INODES as usize]);
    let busy = program.array("busy", &[0; BLOCKS as usize]);
    for id in 0..threads as i64 {
        let inode = id % INODES;
        program.thread(|t| {
            let (block, found) = (t.register(), t.register());
            t.lock(inode_locks.at(inode));
            t.read_into(found, inodes.at(inode), Plain);
            t.when(found, Is::Equal, 0, |t| {
                t.set(block, 2 * inode % BLOCKS);
                t.repeat(|t| {
                    t.lock(block_locks.at(block));
                    t.read_into(found, busy.at(block), Plain);
                    t.when(found, Is::Equal, 0, |t| {
                        t.write(busy.at(block), 1, Plain);
                        t.write(inodes.at(inode), block + 1, Plain);
                        t.unlock(block_locks.at(block));
                        t.leave();
                    });
                    t.unlock(block_locks.at(block));
                    t.compute(block, block + 1, Arithmetic::Rem, BLOCKS);
                });
            });
            t.unlock(inode_locks.at(inode));
        });
    }
    program.finish()
}

/// Two threads, each `rounds` times `lock l; g++; unlock l`.
fn pthread_demo(threads: usize, rounds: usize) -> Built {
    let mut program = Builder::new();
    let lock = program.locks("l", 1);
    let g = program.variable("g", 0);
    for _ in 0..threads {
        program.thread(|t| {
            let registers = t.mark();
            for _ in 0..rounds {
                t.locked(lock, |t| add(t, g, 1));
                t.reuse(registers);
            }
        });
    }
    program.finish()
}

/// One pusher and one popper, `size` locked operations each on a counter and an array.
fn stack_true(size: usize) -> Built {
    let mut program = Builder::new();
    let lock = program.locks("l", 1);
    let top = program.variable("top", 0);
    let items = program.array("items", &vec![0; size]);
    program.thread(|t| {
        let r = t.register();
        for item in 1..=size as i64 {
            t.locked(lock, |t| {
                t.read_into(r, top, Plain);
                t.write(items.at(r), item, Plain);
                t.write(top, r + 1, Plain);
            });
        }
    });
    program.thread(|t| {
        let (r, item) = (t.register(), t.register());
        for _ in 0..size {
            t.locked(lock, |t| {
                t.read_into(r, top, Plain);
                t.when(r, Is::Greater, 0, |t| {
                    t.write(top, r + -1, Plain);
                    t.read_into(item, items.at(r + -1), Plain);
                });
            });
        }
    });
    program.finish()
}

/// Three threads over one lock and two variables, of which one is also touched outside the lock.
fn exponential_bug(n: usize) -> Built {
    use raveler_core::Order::{Acquire, Release};
    let mut program = Builder::new();
    let lock = program.locks("l", 1);
    let (x, y) = (program.variable("x", 0), program.variable("y", 0));
    program.thread(|t| {
        for _ in 0..2 {
            t.locked(lock, |t| {
                t.write(x, 1, Release);
                for _ in 0..n {
                    t.write(y, 1, Release);
                }
            });
        }
    });
    program.thread(|t| {
        let r = t.register();
        for _ in 0..2 {
            t.locked(lock, |t| t.write(x, 0, Release));
            t.read_into(r, x, Acquire);
            t.when(r, Is::Greater, 0, |t| {
                t.read_into(r, y, Acquire);
                t.write(y, r + 1, Release);
                t.write(x, 2, Release);
            });
        }
    });
    program.thread(|t| {
        let r = t.register();
        for _ in 0..2 {
            t.read_into(r, x, Acquire);
            t.when(r, Is::Greater, 1, |t| {
                t.read_into(r, y, Acquire);
                t.when(r, Is::Equal, 3, |t| t.end());
                t.write(y, 2, Release);
            });
        }
    });
    program.finish()
}

/// Euclid by two threads: the first takes b from a while a is larger, the second a from b.
fn gcd_own(a: i64, b: i64, rounds: usize) -> Built {
    use raveler_core::Order::{Acquire, Release};
    let mut program = Builder::new();
    let lock = program.locks("l", 1);
    let (a, b) = (program.variable("a", a), program.variable("b", b));
    for (own, other) in [(a, b), (b, a)] {
        program.thread(|t| {
            let (p, q) = (t.register(), t.register());
            for _ in 0..rounds {
                t.read_into(p, a, Acquire);
                t.read_into(q, b, Acquire);
                t.when(p, Is::Different, q, |t| {
                    t.locked(lock, |t| {
                        t.read_into(p, own, Acquire);
                        t.read_into(q, other, Acquire);
                        t.when(p, Is::Greater, q, |t| {
                            t.read_into(p, own, Acquire);
                            t.read_into(q, other, Acquire);
                            t.compute(p, p, Arithmetic::Sub, q);
                            t.write(own, p, Release);
                        });
                    });
                });
            }
        });
    }
    program.finish()
}

/// Everyone takes the left fork, then the right one. Each fork goes to its two neighbours in either order, but
/// not all of them the same way round: 2^N − 2 complete executions, and everyone holding one fork is a deadlock.
fn philosophers(n: usize) -> Built {
    let mut program = Builder::new();
    let forks = program.locks("fork", n);
    for id in 0..n {
        program.thread(|t| {
            let (left, right) = (forks.at(id as i64), forks.at(((id + 1) % n) as i64));
            t.locked(left, |t| t.locked(right, |_| {}));
        });
    }
    program.finish()
}

/// The program of this name, if it is one of these.
pub fn find(program: &str, parameters: &Parameters) -> Option<Built> {
    let n = parameters.number("N");
    Some(match program {
        "lockinc" => sections(n?, &["x"], |t, v, _| add(t, v[0], 1)),
        "nreads_lock" => sections(n?, &["x"], |t, v, _| {
            t.read(v[0], Plain);
        }),
        "nwrites_lock" => sections(n?, &["x"], |t, v, _| t.write(v[0], 42, Plain)),
        "rw_lock" => sections(n?, &["x"], |t, v, id| {
            t.read(v[0], Plain);
            t.write(v[0], id as i64 + 1, Plain);
        }),
        "complex_lock" if parameters.flag("locks.md") => complex_lock_of_the_paper(n?),
        "complex_lock" => complex_lock(n?, parameters.number("empty")?),
        "fib_bench_locked" => fib_bench_locked(parameters.number("NUM")?),
        "triangular" => triangular(parameters.number("NUM")?),
        "lazy" => lazy(),
        "stateful01" => stateful01(),
        "read_write_lock" => read_write_lock(),
        "time_var_mutex" => time_var_mutex(),
        "indexer" => indexer(n?),
        "filesystem" => filesystem(n?),
        "pthread_demo" => pthread_demo(parameters.number("threads").unwrap_or(2), parameters.number("LB")?),
        "stack_true" => stack_true(parameters.number("SIZE")?),
        "exponential_bug" => exponential_bug(n?),
        "gcd_own" => {
            let number = |name| Some(parameters.number(name)? as i64);
            gcd_own(number("A")?, number("B")?, parameters.number("LB")?)
        }
        "philosophers" => philosophers(n?),
        _ => return None,
    })
}
