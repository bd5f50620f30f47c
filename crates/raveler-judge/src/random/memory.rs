//! Threads that share memory which one of them allocates and one frees.
//!
//! Most programs follow one of the ways in which this is done right, and some are then changed a little.

use super::{Generator, Profile};
use crate::objects::Shape;
use crate::program::{Cond, Expr, Order, Stmt, TestProgram, UpdateKind};

/// How threads agree on who frees the first object, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// The first thread does, after it has waited for the others.
    Join,
    /// One thread does, if it sees that another one is done.
    Flag,
    /// Whoever is done last.
    Count,
    /// The same, counted inside a critical section.
    CountLocked,
    /// One thread does, if it sees in a critical section that another one is done.
    FlagLocked,
    /// One thread does, and says so; the others look before they use the object.
    Look,
    /// The threads hand it on from one to the next, and the last one does.
    Chain,
    /// Any thread, at any time, inside a critical section or not.
    Any,
}

/// The location by which threads agree.
const FLAG: u8 = 0;

/// How threads agree, who frees, and by which lock.
#[derive(Clone, Copy, Debug)]
struct Plan {
    way: Way,
    threads: usize,
    owner: usize,
    lock: u8,
}

impl Generator<'_> {
    pub(super) fn memory_program(&mut self) -> TestProgram {
        let threads = 2 + usize::from(self.random.chance(35));
        self.locations = 1 + usize::from(self.random.chance(20));
        let mut program = TestProgram { init: vec![0; self.locations], ..TestProgram::default() };
        self.shapes(&mut program);
        let way = self.way(&program);
        let owner = if way == Way::Join || self.random.chance(60) { 0 } else { self.random.below(threads) };
        let plan = Plan { way, threads, owner, lock: self.random.below(self.locks.max(1)) as u8 };
        let mut bodies = Vec::new();
        for thread in 0..threads {
            self.registers = 0;
            let mut body = self.user(&program, plan, thread);
            // Something that has nothing to do with it, or seems so.
            if self.random.chance(15) {
                self.budget = 1;
                let at = self.random.below(body.len() + 1);
                let mut more = Vec::new();
                self.block(&mut more, 1, 0);
                body.splice(at..at, more);
            }
            bodies.push(body);
        }
        let first = std::mem::take(&mut bodies[0]);
        bodies[0] = self.beginning(&program, threads);
        bodies[0].extend(first);
        program.threads = bodies;
        if program.objects.len() > 1 {
            self.second_object(&mut program);
        }
        let changes = self.random.weighted(&[50, 32, 12, 6]);
        for _ in 0..changes {
            self.perturb(&mut program);
        }
        program
    }

    /// One or two objects. Where the locks are meant to lie in them, at least one does.
    fn shapes(&mut self, program: &mut TestProgram) {
        let count = 1 + usize::from(self.random.chance(20));
        for _ in 0..count {
            let cells = 1 + u8::from(self.random.chance(25));
            let zeroed = self.random.chance(70);
            program.objects.push(Shape { cells, zeroed, locks: Vec::new() });
        }
        program.locks = match self.profile {
            Profile::MemoryLocks => 1 + u8::from(self.random.chance(30)),
            _ => u8::from(self.random.chance(45)),
        };
        self.locks = program.locks as usize;
        if self.profile == Profile::MemoryLocks {
            for lock in 0..program.locks {
                let object = self.random.below(program.objects.len());
                if lock == 0 || self.random.chance(40) {
                    program.objects[object].locks.push(lock);
                }
            }
        }
    }

    fn way(&mut self, program: &TestProgram) -> Way {
        let locked = if program.locks > 0 { 1 } else { 0 };
        let inside = if self.profile == Profile::MemoryLocks { 2 } else { 1 };
        let weights = [18, 12 / inside, 14 / inside, 16 * locked, 16 * locked, 12 * locked, 14, 14];
        let ways = [
            Way::Join,
            Way::Flag,
            Way::Count,
            Way::CountLocked,
            Way::FlagLocked,
            Way::Look,
            Way::Chain,
            Way::Any,
        ];
        ways[self.random.weighted(&weights)]
    }

    /// The first thread's allocations, and the spawns of the others.
    fn beginning(&mut self, program: &TestProgram, threads: usize) -> Vec<Stmt> {
        let mut body = vec![Stmt::Alloc(0)];
        let heap = program.heap();
        for cell in 0..program.objects[0].cells {
            if !program.objects[0].zeroed && self.random.chance(85) {
                let order = self.store_order();
                body.push(Stmt::Store { loc: heap.place(0) + cell, value: Expr::Const(1), order });
            }
        }
        body.extend((1..threads).map(|child| Stmt::Spawn(child as u8)));
        body
    }

    /// What a thread does with the first object.
    fn user(&mut self, program: &TestProgram, plan: Plan, thread: usize) -> Vec<Stmt> {
        let mut body = Vec::new();
        let Plan { way, threads, mut lock, .. } = plan;
        if self.random.chance(10) {
            lock = self.random.below(self.locks.max(1)) as u8;
        }
        let owner = thread == plan.owner;
        // The thread that frees it need not use it.
        let uses = usize::from(!owner || self.random.chance(35)) + usize::from(self.random.chance(15));
        if way == Way::Look {
            self.look(program, &mut body, lock, owner);
            return body;
        }
        if way == Way::Chain {
            self.hand_on(program, &mut body, plan, thread);
            return body;
        }
        if way == Way::CountLocked || way == Way::FlagLocked && !owner {
            body.push(self.taking(lock));
            self.uses(program, &mut body, 0, uses);
        } else {
            self.uses(program, &mut body, 0, uses);
        }
        match way {
            Way::Join if owner => {
                body.extend((1..threads).map(|child| Stmt::Join(child as u8)));
                body.push(Stmt::Free(0));
            }
            Way::Join | Way::Look | Way::Chain => {}
            Way::Flag if owner => {
                let reg = self.receive(&mut body, None);
                body.push(freed(reg, 1));
            }
            Way::Flag => self.pass(&mut body, None, 1),
            Way::Count => {
                let order = self.either(Order::AcqRel);
                self.count(&mut body, order);
                self.free_last(&mut body, threads);
            }
            Way::CountLocked => {
                self.count(&mut body, Order::Relaxed);
                body.push(Stmt::Unlock(lock));
                self.free_last(&mut body, threads);
            }
            Way::FlagLocked if owner => {
                let reg = self.receive(&mut body, Some(lock));
                body.push(freed(reg, 1));
            }
            Way::FlagLocked => {
                body.push(Stmt::Store { loc: FLAG, value: Expr::Const(1), order: Order::Relaxed });
                body.push(Stmt::Unlock(lock));
            }
            Way::Any => {
                if self.random.chance(if owner { 60 } else { 25 }) {
                    let at = self.random.below(body.len() + 1);
                    body.insert(at, Stmt::Free(0));
                }
                if self.locks > 0 && self.random.chance(50) {
                    body.insert(0, self.taking(lock));
                    // A lock that is never released, now and then.
                    if self.random.chance(85) {
                        body.push(Stmt::Unlock(lock));
                    }
                }
            }
        }
        body
    }

    /// Uses of an object by threads that look first whether it is there.
    fn look(&mut self, program: &TestProgram, body: &mut Vec<Stmt>, lock: u8, owner: bool) {
        body.push(self.taking(lock));
        if owner {
            body.push(Stmt::Store { loc: FLAG, value: Expr::Const(1), order: Order::Relaxed });
            let inside = self.random.chance(50);
            body.extend(inside.then_some(Stmt::Free(0)));
            body.push(Stmt::Unlock(lock));
            body.extend((!inside).then_some(Stmt::Free(0)));
            return;
        }
        let reg = self.fresh().unwrap_or(0);
        body.push(Stmt::Load { reg, loc: FLAG, order: Order::Relaxed });
        let mut then = Vec::new();
        self.uses(program, &mut then, 0, 1);
        body.push(Stmt::If { cond: Cond { reg, equal: true, value: 0 }, then, otherwise: Vec::new() });
        body.push(Stmt::Unlock(lock));
    }

    /// How a thread takes the lock by which threads agree: alone, but for a mistake now and then.
    fn taking(&mut self, lock: u8) -> Stmt {
        let readers = if self.profile == Profile::MemoryLocks { 25 } else { 8 };
        if self.random.chance(readers) { Stmt::ReadLock(lock) } else { Stmt::Lock(lock) }
    }

    fn count(&mut self, body: &mut Vec<Stmt>, order: Order) {
        let reg = self.fresh().unwrap_or(0);
        let operand = Expr::Const(1);
        body.push(Stmt::Update { reg, loc: FLAG, kind: UpdateKind::Add, operand, order });
    }

    /// A free by whoever counted last, which is what the last register says.
    fn free_last(&mut self, body: &mut Vec<Stmt>, threads: usize) {
        body.push(freed(self.registers as u8 - 1, threads as i64 - 1));
    }

    /// Reads the flag, in a critical section or not.
    fn receive(&mut self, body: &mut Vec<Stmt>, lock: Option<u8>) -> u8 {
        let reg = self.fresh().unwrap_or(0);
        let order = if lock.is_some() { Order::Relaxed } else { self.either(Order::Acquire) };
        body.extend(lock.map(|lock| self.taking(lock)));
        body.push(Stmt::Load { reg, loc: FLAG, order });
        body.extend(lock.map(Stmt::Unlock));
        if lock.is_none() && self.random.chance(15) {
            body.push(Stmt::Fence(Order::Acquire));
        }
        reg
    }

    /// Writes the flag, in a critical section or not.
    fn pass(&mut self, body: &mut Vec<Stmt>, lock: Option<u8>, value: i64) {
        if lock.is_none() && self.random.chance(15) {
            body.push(Stmt::Fence(Order::Release));
        }
        let order = if lock.is_some() { Order::Relaxed } else { self.either(Order::Release) };
        body.extend(lock.map(|lock| self.taking(lock)));
        body.push(Stmt::Store { loc: FLAG, value: Expr::Const(value), order });
        body.extend(lock.map(Stmt::Unlock));
    }

    /// The object comes from the thread before, is used, and goes to the next one, or is freed.
    fn hand_on(&mut self, program: &TestProgram, body: &mut Vec<Stmt>, plan: Plan, thread: usize) {
        // The order of the threads ends with the one that frees.
        let turn = (thread + plan.threads - plan.owner - 1) % plan.threads;
        let by_lock = |this: &mut Self| (this.locks > 0 && this.random.chance(60)).then_some(plan.lock);
        let mut inner = Vec::new();
        let reg = (turn > 0).then(|| {
            let lock = by_lock(self);
            self.receive(body, lock)
        });
        if turn + 1 == plan.threads {
            inner.push(Stmt::Free(0));
        } else {
            self.uses(program, &mut inner, 0, 1);
            let lock = by_lock(self);
            self.pass(&mut inner, lock, turn as i64 + 1);
        }
        match reg {
            Some(reg) => {
                let cond = Cond { reg, equal: true, value: turn as i64 };
                body.push(Stmt::If { cond, then: inner, otherwise: Vec::new() });
            }
            None => body.extend(inner),
        }
    }

    /// The order that is needed, or a weaker one.
    fn either(&mut self, order: Order) -> Order {
        if self.random.chance(70) { order } else { Order::Relaxed }
    }

    fn uses(&mut self, program: &TestProgram, body: &mut Vec<Stmt>, object: u8, count: usize) {
        for _ in 0..count {
            self.usage(program, body, object);
        }
    }

    /// One use of an object: an access of a cell, or a section of a lock that lies there.
    fn usage(&mut self, program: &TestProgram, body: &mut Vec<Stmt>, object: u8) {
        let shape = &program.objects[object as usize];
        let held = |lock: u8| {
            body.iter().any(|stmt| matches!(stmt, Stmt::Lock(l) | Stmt::ReadLock(l) if *l == lock))
        };
        let free: Vec<u8> = shape.locks.iter().copied().filter(|&lock| !held(lock)).collect();
        if !free.is_empty() && self.random.chance(55) {
            let lock = self.random.pick(&free);
            return self.use_lock(body, lock);
        }
        let loc = program.heap().place(object) + self.random.below(shape.cells as usize) as u8;
        let stmt = match self.random.weighted(&[38, 40, 14, 8]) {
            0 => self.fresh().map(|reg| Stmt::Load { reg, loc, order: self.load_order() }),
            2 => self.fresh().map(|reg| {
                let (kind, order) = (UpdateKind::Add, self.update_order());
                Stmt::Update { reg, loc, kind, operand: Expr::Const(1), order }
            }),
            3 => self.fresh().map(|reg| {
                let (success, failure) = (self.update_order(), Order::Relaxed);
                let (expected, desired) = (Expr::Const(0), Expr::Const(2));
                Stmt::Cas { reg, loc, expected, desired, success, failure }
            }),
            _ => None,
        };
        let store = Stmt::Store { loc, value: Expr::Const(1), order: self.store_order() };
        body.push(stmt.unwrap_or(store));
    }

    fn use_lock(&mut self, body: &mut Vec<Stmt>, lock: u8) {
        match self.random.weighted(&[55, 30, 10, 5]) {
            kind @ 0..=1 => {
                body.push(if kind == 0 { Stmt::Lock(lock) } else { Stmt::ReadLock(lock) });
                if self.random.chance(97) {
                    body.push(Stmt::Unlock(lock));
                }
            }
            kind => {
                let Some(reg) = self.fresh() else { return };
                body.push(Stmt::TryLock { reg, lock, shared: kind == 3 });
                let cond = Cond { reg, equal: true, value: 1 };
                body.push(Stmt::If { cond, then: vec![Stmt::Unlock(lock)], otherwise: Vec::new() });
            }
        }
    }

    /// A second object: one thread's own, or one that all know.
    fn second_object(&mut self, program: &mut TestProgram) {
        let thread = self.random.below(program.threads.len());
        let shared = program.objects[1].locks.iter().any(|_| true) || self.random.chance(50);
        let mut others = vec![thread];
        if shared {
            program.threads[0].insert(0, Stmt::Alloc(1));
            others.push(self.random.below(program.threads.len()));
        } else {
            program.threads[thread].push(Stmt::Alloc(1));
        }
        for thread in others {
            self.registers = program.registers()[thread];
            let mut body = Vec::new();
            self.usage(program, &mut body, 1);
            program.threads[thread].extend(body);
        }
        if self.random.chance(60) {
            program.threads[thread].push(Stmt::Free(1));
        }
    }

    /// Leaves something out, moves something, or adds something.
    fn perturb(&mut self, program: &mut TestProgram) {
        let mut changed = program.clone();
        let thread = self.random.below(changed.threads.len());
        self.registers = changed.registers()[thread];
        let length = changed.threads[thread].len();
        match self.random.below(6) {
            0 => {
                let body = &mut changed.threads[thread];
                let at = self.random.below(length.max(1));
                if !matches!(body.get(at), Some(Stmt::Lock(_) | Stmt::ReadLock(_) | Stmt::Unlock(_)) | None) {
                    body.remove(at);
                }
            }
            1 | 2 if length > 1 => {
                let at = self.random.below(length - 1);
                changed.threads[thread].swap(at, at + 1);
            }
            3 => {
                let mut more = Vec::new();
                let object = self.random.below(changed.objects.len()) as u8;
                self.usage(program, &mut more, object);
                let at = self.random.below(length + 1);
                changed.threads[thread].splice(at..at, more);
            }
            4 => {
                let object = self.random.below(changed.objects.len()) as u8;
                let at = self.random.below(length + 1);
                changed.threads[thread].insert(at, Stmt::Free(object));
            }
            _ => {
                let which = self.random.below(changed.size().max(1));
                let mut index = 0;
                changed.visit_mut(&mut |stmt| {
                    if index == which {
                        weaken(stmt);
                    }
                    index += 1;
                });
            }
        }
        let held = changed.threads.iter().all(|body| releases_what_it_holds(body, &mut Vec::new()));
        if held && changed.check().is_ok() {
            *program = changed;
        }
    }
}

/// A free of the first object if a register has this value.
fn freed(reg: u8, value: i64) -> Stmt {
    Stmt::If { cond: Cond { reg, equal: true, value }, then: vec![Stmt::Free(0)], otherwise: Vec::new() }
}

fn weaken(stmt: &mut Stmt) {
    match stmt {
        Stmt::Load { order, .. } | Stmt::Store { order, .. } | Stmt::Update { order, .. } => {
            *order = Order::Relaxed;
        }
        Stmt::Lock(lock) => *stmt = Stmt::ReadLock(*lock),
        _ => {}
    }
}

/// Does a thread release only locks that it has taken, or tried to take?
fn releases_what_it_holds(body: &[Stmt], held: &mut Vec<u8>) -> bool {
    body.iter().all(|stmt| match stmt {
        Stmt::Lock(lock) | Stmt::ReadLock(lock) | Stmt::TryLock { lock, .. } => {
            held.push(*lock);
            true
        }
        Stmt::Unlock(lock) => {
            let taken = held.iter().rposition(|other| other == lock);
            taken.map(|at| held.remove(at)).is_some()
        }
        Stmt::If { then, otherwise, .. } => {
            let mut others = held.clone();
            // A branch on a try releases the lock; what comes after it does not.
            releases_what_it_holds(otherwise, &mut others) && releases_what_it_holds(then, held)
        }
        _ => true,
    })
}
