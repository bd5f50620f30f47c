//! Random C programs: the machines on programs whose answers are known, and a few random programs judged.

use std::collections::BTreeSet;

use raveler_core::Model;
use raveler_judge::programs::ast::{Cond, Expr, Main, Order, Place, Program, Stmt, Update, VarKind};
use raveler_judge::programs::explore::{Answer, judge};
use raveler_judge::programs::{code, command};

const STRONG: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

fn x(var: u8) -> Place {
    Place::Var(var)
}

fn load(to: u8, var: u8, order: Order) -> Stmt {
    Stmt::Load { to, place: x(var), order }
}

fn store(var: u8, value: i8, order: Order) -> Stmt {
    Stmt::Store { place: x(var), value: Expr::Const(value), order }
}

fn repeat(body: Vec<Stmt>) -> Stmt {
    Stmt::Loop { body, plain: true }
}

/// Two atomic variables, a plain one, two mutexes, a barrier of two; `main` joins all.
fn program(threads: Vec<Vec<Stmt>>) -> Program {
    Program {
        vars: vec![VarKind::Atomic, VarKind::Atomic, VarKind::Plain],
        mutexes: 2,
        barriers: vec![2],
        main: Main { joined: vec![true; threads.len()], ..Main::default() },
        threads,
        ..Program::default()
    }
}

fn answer(program: &Program, model: Model) -> Answer {
    judge(&code::compile(program), model, 100_000).expect("the program is small")
}

fn values(answer: &Answer) -> BTreeSet<Vec<i64>> {
    answer.outcomes.iter().map(|row| row.iter().map(|(_, value)| *value).collect()).collect()
}

/// These violations in all models, and some execution or none.
fn is(program: &Program, violations: &[&'static str], executions: bool) {
    for model in Model::CAUSAL {
        let found = answer(program, model);
        assert_eq!(found.violations, violations.iter().copied().collect(), "{}", model.name());
        assert_eq!(!found.outcomes.is_empty(), executions, "{}", model.name());
        assert!(!found.stuck, "{}", model.name());
    }
}

#[test]
fn store_buffering() {
    let side = |mine: u8, other: u8, order: Order| {
        vec![store(mine, 1, order), load(0, other, Order::Relaxed), Stmt::Observe(0)]
    };
    let relaxed = program(vec![side(0, 1, Order::Relaxed), side(1, 0, Order::Relaxed)]);
    let ordered = program(vec![side(0, 1, Order::SeqCst), side(1, 0, Order::SeqCst)]);
    for model in Model::CAUSAL {
        let both = values(&answer(&relaxed, model)).contains(&vec![0, 0]);
        assert_eq!(both, model != Model::Sc, "{}", model.name());
    }
    for model in STRONG {
        assert!(!values(&answer(&ordered, model)).contains(&vec![0, 0]), "{}", model.name());
    }
}

#[test]
fn message_passing() {
    let with = |write: Order, read: Order| {
        let sender = vec![store(0, 1, Order::Relaxed), store(1, 1, write)];
        let receiver = vec![load(0, 1, read), load(1, 0, Order::Relaxed), Stmt::Observe(0), Stmt::Observe(1)];
        program(vec![sender, receiver])
    };
    let stale = |program: &Program, model| values(&answer(program, model)).contains(&vec![1, 0]);
    let relaxed = with(Order::Relaxed, Order::Relaxed);
    let released = with(Order::Release, Order::Acquire);
    for model in Model::CAUSAL {
        let expected = matches!(model, Model::Pso | Model::Rc11 | Model::Rc20);
        assert_eq!(stale(&relaxed, model), expected, "{}", model.name());
        assert!(!stale(&released, model), "{}", model.name());
    }
}

#[test]
fn release_sequences_of_the_two_standards() {
    // x = 1 (release); x = 2 (relaxed, same thread): a reader of 2 synchronises under rc11 only.
    let sender = vec![store(2, 1, Order::Plain), store(0, 1, Order::Release), store(0, 2, Order::Relaxed)];
    let receiver =
        vec![load(0, 0, Order::Acquire), Stmt::If(Cond::Is(0, 2), vec![load(1, 2, Order::Plain)], vec![])];
    let raced = program(vec![sender, receiver]);
    assert!(!answer(&raced, Model::Rc11).violations.contains("race"));
    assert!(answer(&raced, Model::Rc20).violations.contains("race"));
    // An update in between goes on with the sequence in both.
    let sender = vec![store(2, 1, Order::Plain), store(0, 1, Order::Release)];
    let order = Order::Relaxed;
    let add = vec![Stmt::Rmw { to: 0, place: x(0), update: Update::Add, operand: Expr::Const(1), order }];
    let receiver =
        vec![load(0, 0, Order::Acquire), Stmt::If(Cond::Is(0, 2), vec![load(1, 2, Order::Plain)], vec![])];
    let fine = program(vec![sender, add, receiver]);
    assert!(!answer(&fine, Model::Rc11).violations.contains("race"));
    assert!(!answer(&fine, Model::Rc20).violations.contains("race"));
}

#[test]
fn spin_locks_have_finitely_many_states() {
    let acquire = |order: Order| {
        let exchange =
            Stmt::Rmw { to: 0, place: x(0), update: Update::Exchange, operand: Expr::Const(1), order };
        repeat(vec![exchange, Stmt::Break(Cond::Is(0, 0))])
    };
    let data = Stmt::Store { place: x(2), value: Expr::Plus(1, 1), order: Order::Plain };
    let thread = |order: Order, release: Order| {
        vec![acquire(order), load(1, 2, Order::Plain), data.clone(), store(0, 0, release)]
    };
    is(&program(vec![thread(Order::Acquire, Order::Release); 2]), &[], true);
    is(&program(vec![thread(Order::Acquire, Order::Release); 3]), &[], true);
    let raced = program(vec![thread(Order::Relaxed, Order::Relaxed); 2]);
    assert!(answer(&raced, Model::Rc20).violations.contains("race"));
    // One that is never released is an endless wait for the other one.
    let kept = vec![acquire(Order::Acquire)];
    is(&program(vec![kept.clone(), kept]), &["liveness"], false);
}

/// A retry loop that fails for ever beside a flag that nothing sets.
#[test]
fn failing_for_ever() {
    let cas = Stmt::Cas {
        ok: 1,
        expected: 2,
        place: x(1),
        new: Expr::Const(8),
        success: Order::Relaxed,
        failure: Order::Relaxed,
    };
    let body = vec![
        load(0, 0, Order::Relaxed),
        Stmt::Break(Cond::Not(0, 0)),
        Stmt::Set(2, Expr::Const(7)),
        cas,
        load(3, 2, Order::Plain),
    ];
    let mut stuck = program(vec![vec![repeat(body)]]);
    stuck.main.before = vec![store(1, 2, Order::Relaxed)];
    is(&stuck, &["liveness"], false);
}

/// Polling under a lock that is given back is no endless wait if something sets what is polled.
#[test]
fn polling_under_a_lock() {
    let poll = vec![repeat(vec![
        Stmt::Lock(0),
        load(0, 2, Order::Plain),
        Stmt::Unlock(0),
        Stmt::Break(Cond::Not(0, 0)),
    ])];
    let rotated = vec![
        Stmt::Lock(0),
        repeat(vec![load(0, 2, Order::Plain), Stmt::Break(Cond::Not(0, 0)), Stmt::Unlock(0), Stmt::Lock(0)]),
        Stmt::Unlock(0),
    ];
    let setter = vec![
        repeat(vec![Stmt::Try { to: 1, mutex: 0 }, Stmt::Break(Cond::Is(1, 1))]),
        store(2, 1, Order::Plain),
        Stmt::Unlock(0),
    ];
    for poll in [poll, rotated] {
        is(&program(vec![poll.clone(), setter.clone()]), &[], true);
        is(&program(vec![poll]), &["liveness"], false);
    }
}

/// Two threads that back off from two mutexes in opposite order are unlucky at worst.
#[test]
fn backing_off() {
    let thread = |first: u8, second: u8| {
        let attempt = Stmt::Try { to: 1, mutex: second };
        let body = vec![Stmt::Lock(first), attempt, Stmt::Break(Cond::Is(1, 1)), Stmt::Unlock(first)];
        vec![repeat(body), Stmt::Unlock(second), Stmt::Unlock(first)]
    };
    is(&program(vec![thread(0, 1), thread(1, 0)]), &[], true);
    // Without backing off it is a deadlock.
    let stubborn = |first: u8, second: u8| {
        vec![Stmt::Lock(first), Stmt::Lock(second), Stmt::Unlock(second), Stmt::Unlock(first)]
    };
    is(&program(vec![stubborn(0, 1), stubborn(1, 0)]), &["deadlock"], true);
}

/// What waits when `main` returns is nobody's mistake; what fails afterwards is.
#[test]
fn the_end_of_main() {
    let poll = vec![repeat(vec![load(0, 0, Order::Relaxed), Stmt::Break(Cond::Not(0, 0))])];
    let mut left = program(vec![poll.clone()]);
    left.main.joined = vec![false];
    is(&left, &[], true);
    let mut failing = program(vec![vec![load(0, 0, Order::Relaxed), Stmt::Assert(Cond::Is(0, 1))]]);
    failing.main.joined = vec![false];
    is(&failing, &["assertion"], false);
    // `pthread_exit` in `main` is not the end.
    let mut stays = program(vec![poll]);
    stays.main.joined = vec![false];
    stays.main.after = vec![Stmt::Exit];
    is(&stays, &["liveness"], false);
}

/// A barrier of two takes four threads in two groups; three leave one behind.
#[test]
fn barriers_go_on() {
    let thread = vec![Stmt::Arrive(0)];
    is(&program(vec![thread.clone(); 4]), &[], true);
    is(&program(vec![thread; 3]), &["deadlock"], false);
}

#[test]
fn some_random_programs() {
    let mut campaign = command::default();
    campaign.programs = 16;
    campaign.question.ways = 1;
    campaign.profiles = vec![
        raveler_judge::programs::random::Profile::Accesses,
        raveler_judge::programs::random::Profile::Spins,
        raveler_judge::programs::random::Profile::Locks,
        raveler_judge::programs::random::Profile::Conditions,
    ];
    let summary = campaign.run();
    let text: Vec<_> =
        summary.differences.iter().map(|(source, _, text)| format!("{source}: {text}")).collect();
    assert!(text.is_empty(), "{}", text.join("\n"));
    assert!(summary.compared > 50, "{}", summary.line());
}
