//! Steps of locks, condition variables, semaphores, barriers and `pthread_once`.

use raveler_core::ViolationKind;

use super::{Found, Machine, Next, State};
use crate::programs::ast::Order;
use crate::programs::code::{self, Op, TOKEN};
use crate::programs::memory::Memory;

impl Machine<'_> {
    pub(super) fn synchronise<M: Memory>(
        &mut self,
        state: &State<M>,
        thread: usize,
        op: &Op,
        found: &mut Found<M>,
    ) {
        let me = thread as u8;
        let bit = 1u8 << thread;
        let code = self.code;
        let mutexes = code.tried.len();
        let (writers, readers) =
            (|w: u8| mutexes + 2 * usize::from(w), |w: u8| mutexes + 2 * usize::from(w) + 1);
        let semaphore = |s: u8| mutexes + 2 * code.rw_tried.len() + usize::from(s);
        let barrier = |b: u8| semaphore(0) + code.semaphores.len() + usize::from(b);
        let once = |o: u8| barrier(0) + code.barriers.len() + usize::from(o);
        let condition = |c: u8| once(0) + code.onces + usize::from(c) * (1 + code.count());
        let bell = |c: u8, t: usize| condition(c) + 1 + t;
        let phased = |b: u8| condition(code.conditions as u8) + usize::from(b);
        let rw_word = |w: u8, t: usize| mutexes + usize::from(w) * code.count() + t;
        match *op {
            Op::Lock(m) | Op::Try { mutex: m, .. } => {
                let index = usize::from(m);
                let tried = code.tried[index];
                if state.mutexes[index].is_none() {
                    found.push(self.on(state, thread, |next| {
                        next.mutexes[index] = Some(me);
                        next.memory.acquire(thread, index);
                        if tried {
                            next.memory.set_word(thread, index, 1, true);
                        }
                        if let Op::Try { to, .. } = op {
                            next.threads[thread].regs[usize::from(*to)] = 1;
                        }
                    }));
                }
                if let Op::Try { to, .. } = op {
                    let now = i8::from(state.mutexes[index].is_some());
                    for memory in state.memory.see_word(thread, index, now, &|value| value == 1) {
                        found.push(self.on(state, thread, |next| {
                            next.memory = memory;
                            next.threads[thread].regs[usize::from(*to)] = 0;
                        }));
                    }
                }
            }
            Op::Unlock(m) => {
                let index = usize::from(m);
                if state.mutexes[index] != Some(me) {
                    return found.push(Next::Failed(ViolationKind::UnlockNotHeld));
                }
                let tried = code.tried[index];
                found.push(self.on(state, thread, |next| {
                    next.mutexes[index] = None;
                    // What is handed on includes that the lock is free.
                    if tried {
                        next.memory.set_word(thread, index, 0, false);
                    }
                    next.memory.release(thread, index);
                }));
            }
            Op::ReadLock(w)
            | Op::TryRead { lock: w, .. }
            | Op::WriteLock(w)
            | Op::TryWrite { lock: w, .. } => {
                let lock = &state.rwlocks[usize::from(w)];
                let tried = code.rw_tried[usize::from(w)];
                let writes = matches!(op, Op::WriteLock(_) | Op::TryWrite { .. });
                let free = lock.writer.is_none() && (!writes || lock.readers.iter().all(|&n| n == 0));
                if free {
                    found.push(self.on(state, thread, |next| {
                        let lock = &mut next.rwlocks[usize::from(w)];
                        next.memory.acquire(thread, writers(w));
                        if writes {
                            lock.writer = Some(me);
                            next.memory.acquire(thread, readers(w));
                        } else {
                            lock.readers[thread] += 1;
                        }
                        if tried {
                            next.memory.set_word(
                                thread,
                                rw_word(w, thread),
                                if writes { 2 } else { 1 },
                                false,
                            );
                        }
                        if let Op::TryRead { to, .. } | Op::TryWrite { to, .. } = op {
                            next.threads[thread].regs[usize::from(*to)] = 1;
                        }
                    }));
                }
                if let Op::TryRead { to, .. } | Op::TryWrite { to, .. } = op {
                    for other in 0..code.count() {
                        let now = match (lock.writer == Some(other as u8), lock.readers[other]) {
                            (true, _) => 2,
                            (false, 0) => 0,
                            _ => 1,
                        };
                        let taken = |value: i8| value == 2 || (writes && value == 1);
                        for memory in state.memory.see_word(thread, rw_word(w, other), now, &taken) {
                            found.push(self.on(state, thread, |next| {
                                next.memory = memory;
                                next.threads[thread].regs[usize::from(*to)] = 0;
                            }));
                        }
                    }
                }
            }
            Op::RwUnlock(w) => {
                let lock = &state.rwlocks[usize::from(w)];
                let writes = lock.writer == Some(me);
                if !writes && lock.readers[thread] == 0 {
                    return found.push(Next::Failed(ViolationKind::UnlockNotHeld));
                }
                let tried = code.rw_tried[usize::from(w)];
                found.push(self.on(state, thread, |next| {
                    let lock = &mut next.rwlocks[usize::from(w)];
                    if writes {
                        lock.writer = None;
                    } else {
                        lock.readers[thread] -= 1;
                    }
                    if tried && next.rwlocks[usize::from(w)].readers[thread] == 0 {
                        next.memory.set_word(thread, rw_word(w, thread), 0, false);
                    }
                    next.memory.release(thread, if writes { writers(w) } else { readers(w) });
                }));
            }
            Op::Enter { condition: c, mutex } => {
                if state.mutexes[usize::from(mutex)] != Some(me) {
                    return found.push(Next::Failed(ViolationKind::LockMisuse));
                }
                found.push(self.on(state, thread, |next| {
                    next.waiting[usize::from(c)] |= bit;
                    next.memory.access_word(thread, condition(c), true);
                }));
            }
            Op::Woken(c) => {
                if state.waiting[usize::from(c)] & bit == 0 {
                    found.push(self.on(state, thread, |next| {
                        next.memory.access_word(thread, bell(c, thread), false);
                    }));
                }
            }
            Op::Signal(c) | Op::Broadcast(c) => {
                let waiting = state.waiting[usize::from(c)];
                let mut wake = |chosen: u8| {
                    found.push(self.on(state, thread, |next| {
                        next.waiting[usize::from(c)] &= !chosen;
                        // A signal that is lost only reads.
                        next.memory.access_word(thread, condition(c), chosen != 0);
                        for other in (0..code.count()).filter(|other| chosen & 1 << other != 0) {
                            next.memory.access_word(thread, bell(c, other), true);
                        }
                    }));
                };
                if waiting == 0 || matches!(op, Op::Broadcast(_)) {
                    wake(waiting);
                } else {
                    (0..code.count())
                        .map(|other| waiting & 1 << other)
                        .filter(|one| *one != 0)
                        .for_each(wake);
                }
            }
            Op::Down(s) => {
                if state.semaphores[usize::from(s)] > 0 {
                    found.push(self.on(state, thread, |next| {
                        next.semaphores[usize::from(s)] -= 1;
                        next.memory.acquire(thread, semaphore(s));
                        next.memory.release(thread, semaphore(s));
                    }));
                }
            }
            Op::Up(s) => {
                if state.semaphores[usize::from(s)] > 20 {
                    self.too_large = true;
                    return;
                }
                found.push(self.on(state, thread, |next| {
                    next.semaphores[usize::from(s)] += 1;
                    next.memory.acquire(thread, semaphore(s));
                    next.memory.release(thread, semaphore(s));
                }));
            }
            Op::Arrive(b) => {
                let index = usize::from(b);
                found.push(self.on(state, thread, |next| {
                    next.memory.release(thread, barrier(b));
                    next.barriers[index].0 |= bit;
                    if next.barriers[index].0.count_ones() == u32::from(code.barriers[index]) {
                        // All of the round know now what the others knew; the next round begins.
                        for other in
                            (0..code.count()).filter(|other| next.barriers[index].0 & 1 << other != 0)
                        {
                            next.memory.acquire(other, barrier(b));
                        }
                        // Groups of a barrier do not synchronise with each other.
                        next.memory.end_round(barrier(b));
                        // One of them is the serial one: here the last.
                        next.barriers[index].1 = next.barriers[index].1 & !next.barriers[index].0 | bit;
                        next.barriers[index].0 = 0;
                    }
                }));
            }
            Op::Passed(b) => {
                if state.barriers[usize::from(b)].0 & bit == 0 {
                    found.push(self.on(state, thread, |_| ()));
                }
            }
            Op::PassedAnd { to, barrier } => {
                let index = usize::from(barrier);
                if state.barriers[index].0 & bit == 0 {
                    let serial = i8::from(state.barriers[index].1 & bit != 0);
                    found.push(self.on(state, thread, |next| {
                        next.threads[thread].regs[usize::from(to)] = serial;
                        // What is not looked at any more makes no states.
                        next.barriers[index].1 &= !bit;
                    }));
                }
            }
            Op::LockBoth(one, two) => {
                let both = [usize::from(one), usize::from(two)];
                if both.iter().all(|&index| state.mutexes[index].is_none()) {
                    found.push(self.on(state, thread, |next| {
                        for index in both {
                            next.mutexes[index] = Some(me);
                            next.memory.acquire(thread, index);
                            if code.tried[index] {
                                next.memory.set_word(thread, index, 1, true);
                            }
                        }
                    }));
                }
            }
            Op::Come { barrier: b, count, leaves, skip } => {
                let phases = &state.phased[usize::from(b)];
                // Who does not know that the last phase is complete may come before it is, when nobody is awaited.
                let seen = state.memory.load(thread, code::phases(code, b), Order::Relaxed);
                let early = seen.iter().any(|(seen, _)| *seen < phases.full as i8);
                if early || phases.here + count > phases.awaited {
                    self.lawless = true;
                    return found.push(Next::Failed(ViolationKind::LockMisuse));
                }
                let last = phases.here + count == phases.awaited;
                found.push(self.on(state, thread, |next| {
                    // Arrivals order nothing among themselves, but where every access does.
                    next.memory.access_word(thread, phased(b), true);
                    next.memory.release(thread, phased(b));
                    let phases = &mut next.phased[usize::from(b)];
                    next.threads[thread].regs[usize::from(TOKEN + b)] = phases.full as i8 + 1;
                    phases.here += count;
                    phases.leaving += u8::from(leaves);
                    if last {
                        phases.full += 1;
                        phases.awaited -= phases.leaving;
                        (phases.here, phases.leaving) = (0, 0);
                        next.memory.acquire(thread, phased(b));
                        next.memory.end_round(phased(b));
                    } else {
                        next.threads[thread].at = skip as u16;
                    }
                }));
            }
            Op::OnceEnter(o, done) => match state.onces[usize::from(o)] {
                0 => found.push(self.on(state, thread, |next| next.onces[usize::from(o)] = 1)),
                1 => {}
                _ => found.push(self.on(state, thread, |next| {
                    next.threads[thread].at = done as u16;
                    next.memory.acquire(thread, once(o));
                })),
            },
            Op::OnceLeave(o) => found.push(self.on(state, thread, |next| {
                next.onces[usize::from(o)] = 2;
                next.memory.release(thread, once(o));
            })),
            _ => unreachable!("the other operations are no synchronisation"),
        }
    }
}
