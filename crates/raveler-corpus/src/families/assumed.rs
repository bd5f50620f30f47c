//! Programs that wait without bound, in memory: only executions in which every wait ends are complete. Waits that
//! do more than read are assumptions on what ends them (docs/counts.md, "Families of programs").

use raveler_core::Order::{AcqRel, Acquire, Plain, Relaxed, Release, SeqCst};

use super::Parameters;
use crate::builder::{Arithmetic, Builder, Built, Is};

fn ticketlock(n: usize) -> Built {
    let mut program = Builder::new();
    let [next, owner, datum] = ["next", "owner", "d"].map(|name| program.variable(name, 0));
    for id in 0..n as i64 {
        program.thread(|t| {
            let (ticket, r) = (t.register(), t.register());
            t.fetch_add(ticket, next, 1, Relaxed);
            t.wait_for(r, owner, Acquire, Is::Equal, ticket);
            t.write(datum, id, Plain);
            t.read_into(r, datum, Plain);
            t.read_into(r, owner, Relaxed);
            t.write(owner, r + 1, Release);
        });
    }
    program.finish()
}

/// A ticket lock where those far back wait on an array of their own.
fn twalock(n: usize) -> Built {
    let mut program = Builder::new();
    let [ticket, grant, datum] = ["ticket", "grant", "d"].map(|name| program.variable(name, 0));
    let waiting = program.array("w", &vec![0; n + 2]);
    for id in 0..n as i64 {
        program.thread(|t| {
            let [mine, ahead, seen, u, k] = [(); 5].map(|()| t.register());
            t.fetch_add(mine, ticket, 1, Relaxed);
            t.read_into(k, grant, Acquire);
            t.compute(ahead, mine, Arithmetic::Sub, k);
            t.when(ahead, Is::Greater, 0, |t| {
                t.when(ahead, Is::Greater, 1, |t| {
                    t.read_into(u, waiting.at(mine), Acquire);
                    t.read_into(k, grant, Relaxed);
                    t.compute(ahead, mine, Arithmetic::Sub, k);
                    t.repeat(|t| {
                        t.when(ahead, Is::Less, 2, |t| t.leave());
                        t.wait_for(seen, waiting.at(mine), Acquire, Is::Different, u);
                        t.set(u, seen);
                        t.read_into(k, grant, Relaxed);
                        t.compute(ahead, mine, Arithmetic::Sub, k);
                    });
                });
                t.wait_for(k, grant, Acquire, Is::Equal, mine);
            });
            t.write(datum, id, Plain);
            t.read_into(u, datum, Plain);
            t.read_into(k, grant, Relaxed);
            t.set(k, k + 1);
            t.write(grant, k, Release);
            t.fetch_add(u, waiting.at(k + 1), 1, Release);
        });
    }
    program.finish()
}

/// The ring buffer of FreeBSD: each thread puts one message in and takes one out. Its plain accesses race.
fn buf_ring(threads: usize) -> Built {
    const SLOTS: i64 = 8;
    let mut program = Builder::new();
    let [ph, pt, ch, ct] = ["ph", "pt", "ch", "ct"].map(|name| program.variable(name, 0));
    let ring = program.array("ring", &[0; SLOTS as usize]);
    let messages = program.array("msg", &vec![7; threads + 1]);
    for id in 1..=threads as i64 {
        program.thread(|t| {
            let [h, u, next, r] = [(); 4].map(|()| t.register());
            t.read_into(h, ph, Plain);
            t.read_into(u, ct, Plain);
            t.compute(next, h + 1, Arithmetic::Rem, SLOTS);
            t.when(next, Is::Different, u, |t| {
                t.compare_exchange(r, ph, (h, next), (AcqRel, Acquire));
                t.assume(r, Is::Equal, h);
                t.fence(SeqCst);
                t.write(ring.at(h), id, Plain);
                t.read_into(r, pt, Plain);
                t.assume(r, Is::Equal, h);
                t.write(pt, next, Plain);
            });
            t.read_into(h, ch, Plain);
            t.read_into(u, pt, Plain);
            t.when(h, Is::Different, u, |t| {
                t.compute(next, h + 1, Arithmetic::Rem, SLOTS);
                t.compare_exchange(r, ch, (h, next), (AcqRel, Acquire));
                t.assume(r, Is::Equal, h);
                t.read_into(u, ring.at(h), Relaxed);
                t.read_into(r, ct, Plain);
                t.assume(r, Is::Equal, h);
                t.fence(SeqCst);
                t.write(ct, next, Plain);
                t.when(u, Is::Different, 0, |t| t.read_into(r, messages.at(u), Plain));
            });
        });
    }
    program.finish()
}

/// The Linux reader-writer lock; who does not get in at once waits.
fn linuxrwlocks(readers: usize, writers: usize) -> Built {
    const BIAS: i64 = 1 << 20;
    let mut program = Builder::new();
    let word = program.variable("l", BIAS);
    for id in 0..readers + writers {
        program.thread(|t| {
            let p = t.register();
            let step = if id < readers { 1 } else { BIAS };
            t.fetch_add(p, word, -step, Acquire);
            if id < readers {
                t.assume(p, Is::Greater, 0);
            } else {
                t.assume(p, Is::Equal, BIAS);
            }
            t.fetch_add(p, word, step, Release);
        });
    }
    program.finish()
}

/// Treiber's stack: each thread pushes its own node, again if it failed, then pops one; who fails to pop waits.
fn treiber(threads: usize) -> Built {
    let mut program = Builder::new();
    let top = program.variable("top", 0);
    let next = program.array("next", &vec![0; threads + 1]);
    for id in 1..=threads as i64 {
        program.thread(|t| {
            let [h, n, r] = [(); 3].map(|()| t.register());
            t.repeat(|t| {
                t.read_into(h, top, Acquire);
                t.write(next.at(id), h, Relaxed);
                t.compare_exchange(r, top, (h, id), (AcqRel, Acquire));
                t.when(r, Is::Equal, h, |t| t.leave());
            });
            t.read_into(h, top, Acquire);
            t.when(h, Is::Different, 0, |t| {
                t.read_into(n, next.at(h), Relaxed);
                t.compare_exchange(r, top, (h, n), (AcqRel, Acquire));
                t.assume(r, Is::Equal, h);
            });
        });
    }
    program.finish()
}

/// The program of this name, if it is one of these.
pub fn find(program: &str, parameters: &Parameters) -> Option<Built> {
    let n = parameters.number("N");
    Some(match program {
        "ticketlock" => ticketlock(n?),
        "twalock" => twalock(n?),
        "buf_ring" => buf_ring(parameters.number("threads")?),
        "linuxrwlocks" => linuxrwlocks(parameters.number("readers")?, parameters.number("writers")?),
        "treiber" if !parameters.flag("failed") => treiber(n?),
        _ => return None,
    })
}
