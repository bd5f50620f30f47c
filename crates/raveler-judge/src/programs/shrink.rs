//! Smaller programs that still show a difference.

use super::ast::{Cond, Expr, Order, Program, Stmt};

/// Tries smaller and smaller programs as long as `differs` holds, with a bound on the tries.
pub fn shrink(program: &Program, tries: usize, differs: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let mut left = tries;
    'again: loop {
        for candidate in candidates(&best) {
            if left == 0 {
                return best;
            }
            left -= 1;
            if differs(&candidate) {
                best = candidate;
                continue 'again;
            }
        }
        return best;
    }
}

/// Programs that are a little smaller, the boldest steps first.
fn candidates(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    for thread in 0..program.threads.len() {
        let mut smaller = program.clone();
        smaller.threads.remove(thread);
        smaller.main.joined.remove(thread);
        found.push(smaller);
    }
    let lists = program.threads.len() + 3;
    for number in 0..lists {
        let list = list_of(program, number);
        for changed in smaller_lists(list) {
            let mut smaller = program.clone();
            *list_mut(&mut smaller, number) = changed;
            found.push(smaller);
        }
    }
    for thread in 0..program.threads.len() {
        if !program.main.joined[thread] {
            let mut smaller = program.clone();
            smaller.main.joined[thread] = true;
            found.push(smaller);
        }
    }
    found
}

fn list_of(program: &Program, number: usize) -> &[Stmt] {
    match number {
        0 => &program.main.before,
        1 => &program.main.middle,
        2 => &program.main.after,
        _ => &program.threads[number - 3],
    }
}

fn list_mut(program: &mut Program, number: usize) -> &mut Vec<Stmt> {
    match number {
        0 => &mut program.main.before,
        1 => &mut program.main.middle,
        2 => &mut program.main.after,
        _ => &mut program.threads[number - 3],
    }
}

fn smaller_lists(list: &[Stmt]) -> Vec<Vec<Stmt>> {
    let mut found = Vec::new();
    if list.len() > 3 {
        found.push(list[list.len() / 2..].to_vec());
        found.push(list[..list.len() / 2].to_vec());
    }
    for at in 0..list.len() {
        let replaced = |by: Vec<Stmt>| [&list[..at], &by, &list[at + 1..]].concat();
        found.push(replaced(Vec::new()));
    }
    for (at, stmt) in list.iter().enumerate() {
        let replaced = |by: Vec<Stmt>| [&list[..at], &by, &list[at + 1..]].concat();
        match stmt {
            Stmt::If(cond, then, otherwise) => {
                found.push(replaced(then.clone()));
                found.push(replaced(otherwise.clone()));
                for smaller in smaller_lists(then) {
                    found.push(replaced(vec![Stmt::If(*cond, smaller, otherwise.clone())]));
                }
                for smaller in smaller_lists(otherwise) {
                    found.push(replaced(vec![Stmt::If(*cond, then.clone(), smaller)]));
                }
            }
            Stmt::Loop { body, plain } => {
                let without: Vec<Stmt> =
                    body.iter().filter(|stmt| !matches!(stmt, Stmt::Break(_))).cloned().collect();
                found.push(replaced(without));
                // A loop without a step of its own would run for ever in one.
                for smaller in smaller_lists(body) {
                    if smaller.iter().any(steps) {
                        found.push(replaced(vec![Stmt::Loop { body: smaller, plain: *plain }]));
                    }
                }
                if *plain {
                    found.push(replaced(vec![Stmt::Loop { body: body.clone(), plain: false }]));
                }
            }
            _ => found.extend(simpler(stmt).into_iter().map(|stmt| replaced(vec![stmt]))),
        }
    }
    found
}

/// Does every round of a loop with this statement make a step?
fn steps(stmt: &Stmt) -> bool {
    !matches!(
        stmt,
        Stmt::Set(..)
            | Stmt::Break(_)
            | Stmt::If(..)
            | Stmt::Observe(_)
            | Stmt::Return
            | Stmt::Exit
            | Stmt::ExitInside
    )
}

fn simpler(stmt: &Stmt) -> Vec<Stmt> {
    let relaxed = |order: Order| !matches!(order, Order::Plain | Order::Relaxed);
    match stmt.clone() {
        Stmt::Load { to, place, order } if relaxed(order) => {
            vec![Stmt::Load { to, place, order: Order::Relaxed }]
        }
        Stmt::Store { place, value, order } => {
            let mut found = Vec::new();
            if relaxed(order) {
                found.push(Stmt::Store { place, value, order: Order::Relaxed });
            }
            if let Expr::Plus(reg, _) = value {
                found.push(Stmt::Store { place, value: Expr::Reg(reg), order });
                found.push(Stmt::Store { place, value: Expr::Const(1), order });
            }
            found
        }
        Stmt::Rmw { to, place, update, operand, order } if relaxed(order) => {
            vec![Stmt::Rmw { to, place, update, operand, order: Order::Relaxed }]
        }
        Stmt::Cas { ok, expected, place, new, success, failure } if relaxed(success) || relaxed(failure) => {
            let (success, failure) = (Order::Relaxed, Order::Relaxed);
            vec![Stmt::Cas { ok, expected, place, new, success, failure }]
        }
        Stmt::Break(Cond::Both(a, _) | Cond::Either(a, _)) => vec![Stmt::Break(Cond::Not(a, 0))],
        _ => Vec::new(),
    }
}
