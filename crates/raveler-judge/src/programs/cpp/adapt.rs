//! What a random program has in C++ instead of what C has: semaphores, barriers, latches, `std::lock`, waiting for atomics.

use crate::programs::ast::{Cond, Expr, Order, Phased, Place, Program, SPARE, Stmt, Update, VarKind};
use crate::random_numbers::Random;

/// The same program in C++, as this number says.
pub fn adapt(mut program: Program, seed: u64) -> Program {
    let mut random = Random::new(seed ^ 0x00c0_ffee);
    program.spelling = Some(seed);
    if program.has(|stmt| matches!(stmt, Stmt::Arrive(_) | Stmt::ArriveAnd { .. })) {
        match random.weighted(&[65, 35]) {
            0 => barriers(&mut program, &mut random),
            _ => latches(&mut program, &mut random),
        }
    }
    program.barriers.clear();
    for list in lists(&mut program) {
        *list = others(std::mem::take(list), &mut random);
    }
    program
}

/// All lists of statements that threads begin with.
fn lists(program: &mut Program) -> Vec<&mut Vec<Stmt>> {
    let main = [&mut program.main.before, &mut program.main.middle, &mut program.main.after];
    main.into_iter().chain(&mut program.threads).collect()
}

fn is_arrival(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Arrive(_) | Stmt::ArriveAnd { .. })
}

/// Threads meet at barriers. Some only come, and wait later or never; some leave.
fn barriers(program: &mut Program, random: &mut Random) {
    let came: usize = lists(program).into_iter().filter(|list| list.iter().any(is_arrival)).count();
    let all_wait = random.chance(45);
    let (mut at_once, mut phases) = (0, 0);
    for list in lists(program) {
        let rest = std::mem::take(list);
        let mut waits = false;
        let (mut mine, mut gone) = (0, false);
        for stmt in rest {
            // What was put off is done at the next place but one or so, and before the next arrival.
            if waits && (is_arrival(&stmt) || random.chance(50)) {
                list.push(Stmt::Await(0));
                waits = false;
            }
            if !is_arrival(&stmt) {
                list.push(stmt);
                continue;
            }
            if gone && !random.chance(5) {
                continue;
            }
            mine += 1;
            match if all_wait { 0 } else { random.weighted(&[35, 35, 12, 15, 3]) } {
                0 => list.push(Stmt::Meet(0)),
                1 => {
                    list.push(Stmt::Come { barrier: 0, count: 1 });
                    waits = true;
                }
                // Never waits: right if nothing follows.
                2 => {
                    list.push(Stmt::Come { barrier: 0, count: 1 });
                    gone = true;
                }
                3 => {
                    list.push(Stmt::Drop(0));
                    gone = true;
                }
                // For two at once.
                _ => {
                    list.push(Stmt::Come { barrier: 0, count: 2 });
                    at_once += 1;
                    waits = true;
                }
            }
        }
        if waits && random.chance(70) {
            list.push(Stmt::Await(0));
        }
        phases = phases.max(mine);
    }
    let count = match random.weighted(&[85, 8, 7]) {
        0 => came.max(1) + at_once,
        1 => came + 1,
        _ => came.saturating_sub(1).max(1),
    };
    let completion = if random.chance(40) { completion(random) } else { Vec::new() };
    program.phased = vec![Phased { count: count as u8, completion }];
}

/// What is done at the end of a phase.
fn completion(random: &mut Random) -> Vec<Stmt> {
    let data = Place::Var(3);
    let plain = Order::Plain;
    let atom = Place::Var(random.below(3) as u8);
    let order = random.pick(&[Order::Relaxed, Order::Release]);
    let value = Expr::Const(random.between(1, 2) as i8);
    match random.below(5) {
        0 => vec![
            Stmt::Load { to: SPARE, place: data, order: plain },
            Stmt::Store { place: data, value: Expr::Plus(SPARE, 1), order: plain },
        ],
        1 => vec![Stmt::Store { place: data, value, order: plain }],
        2 => vec![Stmt::Store { place: atom, value, order }],
        3 => vec![
            Stmt::Load { to: SPARE, place: atom, order: Order::Relaxed },
            Stmt::Store { place: data, value: Expr::Reg(SPARE), order: plain },
        ],
        _ => vec![Stmt::Rmw { to: SPARE, place: atom, update: Update::Add, operand: value, order }],
    }
}

/// Threads meet at a latch, once.
fn latches(program: &mut Program, random: &mut Random) {
    let mut came = 0;
    let all_wait = random.chance(30);
    for list in lists(program) {
        for stmt in list.iter_mut().filter(|stmt| is_arrival(stmt)) {
            came += 1;
            *stmt = match if all_wait { 0 } else { random.weighted(&[40, 25, 20, 12, 3]) } {
                0 => Stmt::ArriveLatch(0),
                1 => Stmt::CountDown { latch: 0, count: 1 },
                2 => {
                    came -= 1;
                    Stmt::AwaitLatch(0)
                }
                3 => {
                    came -= 1;
                    Stmt::TryLatch { to: 0, latch: 0 }
                }
                _ => {
                    came += 1;
                    Stmt::CountDown { latch: 0, count: 2 }
                }
            };
        }
    }
    let count = match random.weighted(&[85, 8, 7]) {
        0 => came,
        1 => came + 1,
        _ => i32::max(came - 1, 0),
    };
    program.latches = vec![count as u8];
}

/// What else is said in other words.
fn others(list: Vec<Stmt>, random: &mut Random) -> Vec<Stmt> {
    let mut made = Vec::new();
    let mut rest = list.into_iter().peekable();
    while let Some(stmt) = rest.next() {
        match stmt {
            Stmt::Down(semaphore) if random.chance(20) => made.push(Stmt::Loop {
                body: vec![Stmt::TryAcquire { to: 1, semaphore }, Stmt::Break(Cond::Is(1, 1))],
                plain: random.chance(40),
            }),
            Stmt::Down(semaphore) if random.chance(15) => {
                // Without it if it cannot be had.
                let rest: Vec<Stmt> = rest.by_ref().collect();
                let rest = others(rest, random);
                made.push(Stmt::TryAcquire { to: 1, semaphore });
                let cut = rest.iter().take_while(|stmt| !matches!(stmt, Stmt::Observe(_))).count();
                made.push(Stmt::If(Cond::Is(1, 1), rest[..cut].to_vec(), Vec::new()));
                made.extend_from_slice(&rest[cut..]);
            }
            Stmt::Down(semaphore) => made.push(Stmt::Acquire(semaphore)),
            Stmt::Up(semaphore) => made.push(Stmt::Release(semaphore)),
            Stmt::Lock(first) => match rest.peek() {
                Some(&Stmt::Lock(second)) if second != first && random.chance(60) => {
                    rest.next();
                    made.push(Stmt::LockBoth(first, second));
                }
                _ => made.push(Stmt::Lock(first)),
            },
            Stmt::If(cond, then, otherwise) => {
                let (then, otherwise) = (others(then, random), others(otherwise, random));
                made.push(Stmt::If(cond, then, otherwise));
            }
            Stmt::Loop { body, plain } => match &body[..] {
                [
                    load @ Stmt::Load { to, place: Place::Var(var), order },
                    Stmt::Break(Cond::Not(seen, not)),
                ] if to == seen && *var < 3 && random.chance(40) => {
                    made.extend([Stmt::Until { var: *var, not: *not, order: *order }, load.clone()]);
                }
                _ => made.push(Stmt::Loop { body: others(body, random), plain }),
            },
            other => made.push(other),
        }
    }
    made
}

/// Can a variable be an `std::atomic_flag`?
pub(super) fn is_flag(program: &Program, var: u8) -> bool {
    let place = Place::Var(var);
    let is_other = |stmt: &Stmt| match *stmt {
        Stmt::Store { place: of, value, .. } => of == place && value != Expr::Const(0),
        Stmt::Rmw { place: of, update, operand, .. } => {
            of == place && (update, operand) != (Update::Exchange, Expr::Const(1))
        }
        Stmt::Cas { place: of, .. } => of == place,
        Stmt::Once(_) => program.onces.contains(&var),
        Stmt::Until { var: of, not, .. } => of == var && not != 0,
        _ => false,
    };
    program.vars[usize::from(var)] == VarKind::Atomic && !program.has(is_other)
}
