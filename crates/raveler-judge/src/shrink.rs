//! Makes a program smaller while it keeps a property, by trying every small change until none helps.

use crate::objects::Shape;
use crate::program::{Expr, Order, Stmt, TestProgram, size};

/// The smallest program reached from this one by changes that keep `holds` true.
pub fn shrink(program: &TestProgram, holds: &mut dyn FnMut(&TestProgram) -> bool) -> TestProgram {
    let mut best = program.clone();
    'again: loop {
        for smaller in smaller(&best) {
            if smaller.check().is_ok() && weight(&smaller) < weight(&best) && holds(&smaller) {
                best = smaller;
                continue 'again;
            }
        }
        return best;
    }
}

/// What makes a program complicated, most important first.
fn weight(program: &TestProgram) -> (usize, usize, usize, i64) {
    let mut orders = 0;
    let mut constants = 0;
    program.visit(&mut |stmt| {
        let (order, constant) = detail(stmt);
        orders += order;
        constants += constant;
    });
    constants += program.init.iter().sum::<i64>();
    let names = program.init.len() + program.locks as usize + program.conditions as usize;
    let objects: usize = program.objects.iter().map(complexity).sum();
    (program.size(), program.threads.len() + names + objects, orders, constants)
}

/// Memory that is not zeroed can be wrong in one more way; a lock in it, too.
fn complexity(shape: &Shape) -> usize {
    1 + shape.cells as usize + usize::from(!shape.zeroed) + shape.locks.len()
}

fn detail(stmt: &Stmt) -> (usize, i64) {
    let expr = |expr: &Expr| match expr {
        Expr::Const(constant) => constant.abs(),
        Expr::Sum(_, constant) => 10 + constant.abs(),
    };
    match stmt {
        Stmt::Load { order, .. } => (strength(*order), 0),
        Stmt::Store { value, order, .. } => (strength(*order), expr(value)),
        Stmt::Update { operand, order, .. } => (10 + strength(*order), expr(operand)),
        Stmt::Cas { expected, desired, success, failure, .. } => {
            (20 + strength(*success) + strength(*failure), expr(expected) + expr(desired))
        }
        Stmt::WeakCas { expected, desired, success, failure, .. } => {
            (30 + strength(*success) + strength(*failure), expr(expected) + expr(desired))
        }
        Stmt::Fence(order) => (strength(*order), 0),
        Stmt::Choose { low, high, .. } => (0, high - low),
        Stmt::Await { late: Some(_), .. } | Stmt::Notify { all: true, .. } => (1, 0),
        Stmt::If { cond, .. } | Stmt::Assume(cond) | Stmt::Assert(cond) | Stmt::Wait(cond) => {
            (0, cond.value.abs())
        }
        _ => (0, 0),
    }
}

fn strength(order: Order) -> usize {
    match order {
        Order::Relaxed => 0,
        Order::Plain | Order::Acquire | Order::Release => 1,
        Order::AcqRel => 2,
        Order::SeqCst => 3,
    }
}

/// All programs one change away, the biggest changes first.
fn smaller(program: &TestProgram) -> Vec<TestProgram> {
    let mut all = Vec::new();
    for thread in 0..program.threads.len() {
        all.extend(without_thread(program, thread));
    }
    for at in 0..program.size() {
        for variant in 0.. {
            let mut changed = program.clone();
            let mut index = at;
            let Some(()) = changed.threads.iter_mut().find_map(|body| change(body, &mut index, variant))
            else {
                break;
            };
            all.push(changed);
        }
    }
    for location in 0..program.init.len() {
        all.extend(without_location(program, location));
        let mut changed = program.clone();
        changed.init[location] = 0;
        all.push(changed);
    }
    if !program.any(|stmt| matches!(stmt, Stmt::Lock(l) | Stmt::ReadLock(l) | Stmt::Unlock(l) | Stmt::TryLock { lock: l, .. } | Stmt::Await { lock: l, .. } if *l + 1 == program.locks))
        && program.locks > 0
    {
        let mut changed = TestProgram { locks: program.locks - 1, ..program.clone() };
        changed.objects.iter_mut().for_each(|shape| shape.locks.retain(|&lock| lock < changed.locks));
        all.push(changed);
    }
    for object in 0..program.objects.len() {
        simpler_object(program, object, &mut all);
    }
    if !program.any(|stmt| matches!(stmt, Stmt::Await { condition: c, .. } | Stmt::Notify { condition: c, .. } if *c + 1 == program.conditions))
        && program.conditions > 0
    {
        all.push(TestProgram { conditions: program.conditions - 1, ..program.clone() });
    }
    all
}

fn without_thread(program: &TestProgram, gone: usize) -> Option<TestProgram> {
    let mut changed = program.clone();
    changed.threads.remove(gone);
    for body in &mut changed.threads {
        drop_spawns(body, gone as u8);
    }
    changed.visit_mut(&mut |stmt| {
        if let Stmt::Spawn(child) | Stmt::Join(child) = stmt
            && *child as usize > gone
        {
            *child -= 1;
        }
    });
    (!changed.threads.is_empty()).then_some(changed)
}

fn drop_spawns(body: &mut Vec<Stmt>, gone: u8) {
    body.retain(|stmt| !matches!(stmt, Stmt::Spawn(child) | Stmt::Join(child) if *child == gone));
    for stmt in body {
        if let Stmt::If { then, otherwise, .. } = stmt {
            drop_spawns(then, gone);
            drop_spawns(otherwise, gone);
        }
    }
}

/// Without a location that nothing uses.
fn without_location(program: &TestProgram, gone: usize) -> Option<TestProgram> {
    let mut changed = without_place(program, gone as u8)?;
    changed.init.remove(gone);
    Some(changed)
}

/// With every later place moved to the one before it, if no statement uses this one.
fn without_place(program: &TestProgram, gone: u8) -> Option<TestProgram> {
    let mut changed = program.clone();
    let mut used = false;
    changed.visit_mut(&mut |stmt| {
        if let Stmt::Load { loc, .. }
        | Stmt::Store { loc, .. }
        | Stmt::Update { loc, .. }
        | Stmt::Cas { loc, .. }
        | Stmt::WeakCas { loc, .. } = stmt
        {
            used |= *loc == gone;
            *loc -= u8::from(*loc > gone);
        }
    });
    (!used).then_some(changed)
}

/// An object with less in it, or none.
fn simpler_object(program: &TestProgram, object: usize, all: &mut Vec<TestProgram>) {
    let heap = program.heap();
    let place = heap.place(object as u8);
    for cell in (0..program.objects[object].cells).rev() {
        if let Some(mut changed) = without_place(program, place + cell) {
            changed.objects[object].cells -= 1;
            all.push(changed);
        }
    }
    let used = program.any(|stmt| matches!(stmt, Stmt::Alloc(o) | Stmt::Free(o) if *o as usize == object));
    if !used && program.objects[object].cells == 0 {
        let mut changed = program.clone();
        changed.objects.remove(object);
        changed.visit_mut(&mut |stmt| {
            if let Stmt::Alloc(o) | Stmt::Free(o) = stmt {
                *o -= u8::from(*o as usize > object);
            }
        });
        all.push(changed);
    }
    let mut changed = program.clone();
    changed.objects[object].zeroed = true;
    all.push(changed);
    for lock in 0..program.objects[object].locks.len() {
        let mut changed = program.clone();
        changed.objects[object].locks.remove(lock);
        all.push(changed);
    }
}

/// Makes change number `variant` to the statement number `index` of a block (outer before inner); none if there
/// is no such statement or change. Leaves `index` as the number in the blocks that follow.
fn change(body: &mut Vec<Stmt>, index: &mut usize, variant: usize) -> Option<()> {
    let mut position = 0;
    while position < body.len() {
        if *index == 0 {
            return vary(body, position, variant);
        }
        let length = size(&body[position..=position]);
        if *index < length {
            *index -= 1;
            let Stmt::If { then, otherwise, .. } = &mut body[position] else { return None };
            return change(then, index, variant)
                .or_else(|| if *index < size(otherwise) { change(otherwise, index, variant) } else { None });
        }
        *index -= length;
        position += 1;
    }
    None
}

fn vary(body: &mut Vec<Stmt>, position: usize, variant: usize) -> Option<()> {
    if variant == 0 {
        body.remove(position);
        return Some(());
    }
    let stmt = body[position].clone();
    if let Stmt::If { then, otherwise, .. } = &stmt {
        let inner = match variant {
            1 => then.clone(),
            2 => otherwise.clone(),
            _ => return None,
        };
        body.splice(position..=position, inner);
        return Some(());
    }
    if let Stmt::Lock(lock) | Stmt::ReadLock(lock) = stmt
        && variant == 1
    {
        // A lock goes with its unlock.
        let partner = body[position..].iter().position(|other| *other == Stmt::Unlock(lock))?;
        body.remove(position + partner);
        body.remove(position);
        return Some(());
    }
    let simpler = simpler(&stmt);
    body[position] = simpler.get(variant - 1)?.clone();
    Some(())
}

/// Statements that could stand for this one and are simpler.
fn simpler(stmt: &Stmt) -> Vec<Stmt> {
    let weaker = |order: Order, options: &[Order]| -> Vec<Order> {
        options.iter().copied().filter(|option| strength(*option) < strength(order)).collect()
    };
    let values = |value: Expr| -> Vec<Expr> {
        [0, 1, 2].map(Expr::Const).into_iter().filter(|option| *option != value).collect()
    };
    let mut all = Vec::new();
    match *stmt {
        Stmt::Load { reg, loc, order } => {
            for order in weaker(order, &[Order::Relaxed, Order::Acquire]) {
                all.push(Stmt::Load { reg, loc, order });
            }
        }
        Stmt::Store { loc, value, order } => {
            for order in weaker(order, &[Order::Relaxed, Order::Release]) {
                all.push(Stmt::Store { loc, value, order });
            }
            all.extend(values(value).into_iter().map(|value| Stmt::Store { loc, value, order }));
        }
        Stmt::Update { reg, loc, kind, operand, order } => {
            all.push(Stmt::Load { reg, loc, order: Order::Relaxed });
            all.push(Stmt::Store { loc, value: operand, order: Order::Relaxed });
            for order in weaker(order, &[Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel]) {
                all.push(Stmt::Update { reg, loc, kind, operand, order });
            }
            let options = values(operand).into_iter();
            all.extend(options.map(|operand| Stmt::Update { reg, loc, kind, operand, order }));
        }
        Stmt::Cas { reg, loc, expected, desired, success, failure } => {
            let cas = |expected, desired, success, failure| Stmt::Cas {
                reg,
                loc,
                expected,
                desired,
                success,
                failure,
            };
            let exchange = crate::program::UpdateKind::Exchange;
            all.push(Stmt::Load { reg, loc, order: failure });
            all.push(Stmt::Update { reg, loc, kind: exchange, operand: desired, order: success });
            for order in weaker(success, &[Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel]) {
                all.push(cas(expected, desired, order, failure));
            }
            for order in weaker(failure, &[Order::Relaxed, Order::Acquire]) {
                all.push(cas(expected, desired, success, order));
            }
            all.extend(values(expected).into_iter().map(|option| cas(option, desired, success, failure)));
            all.extend(values(desired).into_iter().map(|option| cas(expected, option, success, failure)));
        }
        Stmt::WeakCas { reg, loc, expected, desired, success, failure } => {
            all.push(Stmt::Load { reg, loc, order: failure });
            all.push(Stmt::Cas { reg, loc, expected, desired, success, failure });
            let weak = |success, failure| Stmt::WeakCas { reg, loc, expected, desired, success, failure };
            for order in weaker(success, &[Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel]) {
                all.push(weak(order, failure));
            }
            for order in weaker(failure, &[Order::Relaxed, Order::Acquire]) {
                all.push(weak(success, order));
            }
        }
        Stmt::Fence(order) => {
            for order in weaker(order, &[Order::Acquire, Order::Release, Order::AcqRel]) {
                all.push(Stmt::Fence(order));
            }
        }
        Stmt::Choose { reg, low, high } => {
            all.push(Stmt::Let { reg, value: Expr::Const(low) });
            all.push(Stmt::Let { reg, value: Expr::Const(high) });
        }
        Stmt::TryLock { reg, lock, shared: true } => {
            all.extend([Stmt::ReadLock(lock), Stmt::TryLock { reg, lock, shared: false }]);
        }
        Stmt::TryLock { lock, .. } => all.push(Stmt::Lock(lock)),
        Stmt::Await { condition, lock, late: Some(_) } => {
            all.push(Stmt::Await { condition, lock, late: None });
        }
        Stmt::Notify { condition, all: true } => all.push(Stmt::Notify { condition, all: false }),
        Stmt::ReadLock(lock) => all.extend([Stmt::Lock(lock), Stmt::Lock(lock)]),
        _ => {}
    }
    all
}
