//! Test programs as text that can be read back, one statement per line. The README of `kept/` shows the format.

use std::fmt::Write as _;

use crate::objects::Shape;
use crate::program::{Cond, Expr, Order, Reg, Stmt, TestProgram, UpdateKind};

/// The names of the data locations.
pub const LOCATIONS: [&str; 8] = ["x", "y", "z", "a", "b", "c", "d", "e"];

const ORDERS: [Order; 6] =
    [Order::Plain, Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];

/// The program as text.
pub fn print(program: &TestProgram) -> String {
    let mut text = String::from("locations");
    for (name, value) in LOCATIONS.iter().zip(&program.init) {
        let _ = write!(text, " {name}={value}");
    }
    text.push('\n');
    if program.locks > 0 {
        let _ = writeln!(text, "locks {}", program.locks);
    }
    if program.conditions > 0 {
        let _ = writeln!(text, "conditions {}", program.conditions);
    }
    for (number, shape) in program.objects.iter().enumerate() {
        let _ = writeln!(text, "object o{number} {}", shape_words(shape));
    }
    for (thread, body) in program.threads.iter().enumerate() {
        let _ = writeln!(text, "thread {thread}");
        print_block(&mut text, program, body, 1);
    }
    text
}

fn print_block(text: &mut String, program: &TestProgram, body: &[Stmt], depth: usize) {
    for stmt in body {
        let _ = write!(text, "{:1$}", "", 2 * depth);
        if let Stmt::If { cond, then, otherwise } = stmt {
            let _ = writeln!(text, "if {} {{", condition(cond));
            print_block(text, program, then, depth + 1);
            if !otherwise.is_empty() {
                let _ = writeln!(text, "{:1$}}} else {{", "", 2 * depth);
                print_block(text, program, otherwise, depth + 1);
            }
            let _ = writeln!(text, "{:1$}}}", "", 2 * depth);
        } else {
            let _ = writeln!(text, "{}", statement(program, stmt));
        }
    }
}

/// One statement that is no branch (of a branch, its condition).
pub fn statement(program: &TestProgram, stmt: &Stmt) -> String {
    let at = |loc: &u8| place_name(program, *loc);
    match stmt {
        Stmt::Load { reg, loc, order } => format!("r{reg} = load {} {}", at(loc), order.name()),
        Stmt::Store { loc, value, order } => format!("store {} {} {}", at(loc), expr(value), order.name()),
        Stmt::Update { reg, loc, kind, operand, order } => {
            format!("r{reg} = {} {} {} {}", kind.name(), at(loc), expr(operand), order.name())
        }
        Stmt::Cas { reg, loc, expected, desired, success, failure } => format!(
            "r{reg} = cas {} {} {} {} {}",
            at(loc),
            expr(expected),
            expr(desired),
            success.name(),
            failure.name()
        ),
        Stmt::WeakCas { reg, loc, expected, desired, success, failure } => format!(
            "r{reg} = weakcas {} {} {} {} {}",
            at(loc),
            expr(expected),
            expr(desired),
            success.name(),
            failure.name()
        ),
        Stmt::Fence(order) => format!("fence {}", order.name()),
        Stmt::If { cond, .. } => format!("if {}", condition(cond)),
        Stmt::Assume(cond) => format!("assume {}", condition(cond)),
        Stmt::Assert(cond) => format!("assert {}", condition(cond)),
        Stmt::Wait(cond) => format!("wait {}", condition(cond)),
        Stmt::Let { reg, value } => format!("r{reg} = let {}", expr(value)),
        Stmt::Spawn(child) => format!("spawn {child}"),
        Stmt::Join(child) => format!("join {child}"),
        Stmt::Choose { reg, low, high } => format!("r{reg} = choose {low} {high}"),
        Stmt::Lock(lock) => format!("lock {lock}"),
        Stmt::ReadLock(lock) => format!("readlock {lock}"),
        Stmt::Unlock(lock) => format!("unlock {lock}"),
        Stmt::TryLock { reg, lock, shared: false } => format!("r{reg} = trylock {lock}"),
        Stmt::TryLock { reg, lock, shared: true } => format!("r{reg} = tryreadlock {lock}"),
        Stmt::Await { condition, lock, late: None } => format!("await {condition} {lock}"),
        Stmt::Await { condition, lock, late: Some(reg) } => format!("r{reg} = await {condition} {lock}"),
        Stmt::Notify { condition, all: false } => format!("signal {condition}"),
        Stmt::Notify { condition, all: true } => format!("broadcast {condition}"),
        Stmt::Alloc(object) => format!("alloc o{object}"),
        Stmt::Free(object) => format!("free o{object}"),
    }
}

/// What a data location or a cell of an object is called.
fn place_name(program: &TestProgram, place: u8) -> String {
    let cell = program.cell_name(place);
    cell.unwrap_or_else(|| LOCATIONS.get(place as usize).copied().unwrap_or("?").to_string())
}

fn shape_words(shape: &Shape) -> String {
    let mut words = shape.cells.to_string();
    if shape.zeroed {
        words += " zeroed";
    }
    if !shape.locks.is_empty() {
        words += " locks";
        shape.locks.iter().for_each(|lock| words += &format!(" {lock}"));
    }
    words
}

fn expr(expr: &Expr) -> String {
    match expr {
        Expr::Const(constant) => constant.to_string(),
        Expr::Sum(reg, 0) => format!("r{reg}"),
        Expr::Sum(reg, constant) => format!("r{reg}+{constant}"),
    }
}

fn condition(cond: &Cond) -> String {
    format!("r{} {} {}", cond.reg, if cond.equal { "==" } else { "!=" }, cond.value)
}

/// Reads a program; the error names the line. Text after `#` is ignored.
pub fn parse(text: &str) -> Result<TestProgram, String> {
    let mut program = TestProgram::default();
    // The open blocks of the current thread, and for each inner one its condition and finished `then` part.
    let mut blocks: Vec<Vec<Stmt>> = Vec::new();
    let mut conds: Vec<(Cond, Option<Vec<Stmt>>)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split('#').next().unwrap_or("").split_whitespace().collect();
        let result = match words[..] {
            [] => Ok(()),
            ["locations", ref list @ ..] => locations(&mut program, list),
            ["locks", count] => number_of(count).map(|count| program.locks = count),
            ["conditions", count] => number_of(count).map(|count| program.conditions = count),
            ["object", name, cells, ref rest @ ..] if blocks.is_empty() => {
                shape_of(&program, name, cells, rest).map(|shape| program.objects.push(shape))
            }
            ["thread", name] => {
                program.threads.extend(blocks.pop());
                let next = program.threads.len();
                blocks.push(Vec::new());
                if conds.is_empty() && name == next.to_string() {
                    Ok(())
                } else {
                    Err("a thread out of place".to_string())
                }
            }
            ["if", reg, test, value, "{"] => cond_of(reg, test, value).map(|cond| {
                conds.push((cond, None));
                blocks.push(Vec::new());
            }),
            ["}", "else", "{"] => match (blocks.pop(), conds.last_mut()) {
                (Some(then), Some((_, slot @ None))) => {
                    *slot = Some(then);
                    blocks.push(Vec::new());
                    Ok(())
                }
                _ => Err("an else without an if".to_string()),
            },
            ["}"] => close(&mut blocks, &mut conds),
            _ => parse_statement(&program, &words).and_then(|stmt| match blocks.last_mut() {
                Some(block) => {
                    block.push(stmt);
                    Ok(())
                }
                None => Err("a statement outside a thread".to_string()),
            }),
        };
        result.map_err(|message| format!("line {}: {message}: {line}", number + 1))?;
    }
    program.threads.extend(blocks.pop());
    if !blocks.is_empty() || !conds.is_empty() {
        return Err("a branch is not closed".to_string());
    }
    program.check()?;
    Ok(program)
}

fn close(blocks: &mut Vec<Vec<Stmt>>, conds: &mut Vec<(Cond, Option<Vec<Stmt>>)>) -> Result<(), String> {
    let (Some(last), Some((cond, before))) = (blocks.pop(), conds.pop()) else {
        return Err("a brace without an if".to_string());
    };
    let (then, otherwise) = match before {
        Some(then) => (then, last),
        None => (last, Vec::new()),
    };
    blocks.last_mut().ok_or("a branch outside a thread")?.push(Stmt::If { cond, then, otherwise });
    Ok(())
}

fn locations(program: &mut TestProgram, list: &[&str]) -> Result<(), String> {
    for (word, name) in list.iter().zip(LOCATIONS) {
        match word.split_once('=') {
            Some((left, value)) if left == name => program.init.push(number_of(value)?),
            _ => return Err(format!("expected {name}=VALUE")),
        }
    }
    Ok(())
}

fn shape_of(program: &TestProgram, name: &str, cells: &str, rest: &[&str]) -> Result<Shape, String> {
    if object(name)? as usize != program.objects.len() {
        return Err("an object out of place".to_string());
    }
    let (zeroed, rest) = match *rest {
        ["zeroed", ref rest @ ..] => (true, rest),
        _ => (false, rest),
    };
    let locks = match *rest {
        [] => Vec::new(),
        ["locks", ref locks @ ..] => locks.iter().map(|lock| number_of(lock)).collect::<Result<_, _>>()?,
        _ => return Err("no such object".to_string()),
    };
    Ok(Shape { cells: number_of(cells)?, zeroed, locks })
}

fn parse_statement(program: &TestProgram, words: &[&str]) -> Result<Stmt, String> {
    let location = |word: &str| location(program, word);
    match *words {
        [reg, "=", ref rest @ ..] => parse_assignment(program, register(reg)?, rest),
        ["alloc", name] => Ok(Stmt::Alloc(object(name)?)),
        ["free", name] => Ok(Stmt::Free(object(name)?)),
        ["store", loc, value, order] => {
            Ok(Stmt::Store { loc: location(loc)?, value: expr_of(value)?, order: order_of(order)? })
        }
        ["fence", order] => Ok(Stmt::Fence(order_of(order)?)),
        ["assume", reg, test, value] => Ok(Stmt::Assume(cond_of(reg, test, value)?)),
        ["assert", reg, test, value] => Ok(Stmt::Assert(cond_of(reg, test, value)?)),
        ["wait", reg, test, value] => Ok(Stmt::Wait(cond_of(reg, test, value)?)),
        ["spawn", child] => Ok(Stmt::Spawn(number_of(child)?)),
        ["join", child] => Ok(Stmt::Join(number_of(child)?)),
        ["lock", lock] => Ok(Stmt::Lock(number_of(lock)?)),
        ["readlock", lock] => Ok(Stmt::ReadLock(number_of(lock)?)),
        ["unlock", lock] => Ok(Stmt::Unlock(number_of(lock)?)),
        ["await", condition, lock] => {
            Ok(Stmt::Await { condition: number_of(condition)?, lock: number_of(lock)?, late: None })
        }
        ["signal", condition] => Ok(Stmt::Notify { condition: number_of(condition)?, all: false }),
        ["broadcast", condition] => Ok(Stmt::Notify { condition: number_of(condition)?, all: true }),
        _ => Err("no such statement".to_string()),
    }
}

fn parse_assignment(program: &TestProgram, reg: Reg, words: &[&str]) -> Result<Stmt, String> {
    let location = |word: &str| location(program, word);
    match *words {
        ["load", loc, order] => Ok(Stmt::Load { reg, loc: location(loc)?, order: order_of(order)? }),
        ["cas", loc, expected, desired, success, failure] => Ok(Stmt::Cas {
            reg,
            loc: location(loc)?,
            expected: expr_of(expected)?,
            desired: expr_of(desired)?,
            success: order_of(success)?,
            failure: order_of(failure)?,
        }),
        ["weakcas", loc, expected, desired, success, failure] => Ok(Stmt::WeakCas {
            reg,
            loc: location(loc)?,
            expected: expr_of(expected)?,
            desired: expr_of(desired)?,
            success: order_of(success)?,
            failure: order_of(failure)?,
        }),
        ["let", value] => Ok(Stmt::Let { reg, value: expr_of(value)? }),
        ["choose", low, high] => Ok(Stmt::Choose { reg, low: number_of(low)?, high: number_of(high)? }),
        ["trylock", lock] => Ok(Stmt::TryLock { reg, lock: number_of(lock)?, shared: false }),
        ["tryreadlock", lock] => Ok(Stmt::TryLock { reg, lock: number_of(lock)?, shared: true }),
        ["await", condition, lock] => {
            Ok(Stmt::Await { condition: number_of(condition)?, lock: number_of(lock)?, late: Some(reg) })
        }
        [kind, loc, operand, order] => {
            let kind =
                UpdateKind::ALL.into_iter().find(|known| known.name() == kind).ok_or("no such update")?;
            Ok(Stmt::Update {
                reg,
                loc: location(loc)?,
                kind,
                operand: expr_of(operand)?,
                order: order_of(order)?,
            })
        }
        _ => Err("no such assignment".to_string()),
    }
}

fn number_of<T: std::str::FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("`{word}` is no number"))
}

fn register(word: &str) -> Result<Reg, String> {
    word.strip_prefix('r').map(number_of).unwrap_or_else(|| Err(format!("`{word}` is no register")))
}

fn object(word: &str) -> Result<u8, String> {
    word.strip_prefix('o').map(number_of).unwrap_or_else(|| Err(format!("`{word}` is no object")))
}

fn location(program: &TestProgram, word: &str) -> Result<u8, String> {
    let found = LOCATIONS.iter().take(program.init.len()).position(|name| *name == word);
    let found = found.map(|index| index as u8).or_else(|| program.cell_named(word));
    found.ok_or_else(|| format!("`{word}` is no location"))
}

fn order_of(word: &str) -> Result<Order, String> {
    ORDERS.into_iter().find(|order| order.name() == word).ok_or_else(|| format!("`{word}` is no order"))
}

fn expr_of(word: &str) -> Result<Expr, String> {
    match word.split_once('+') {
        Some((reg, constant)) => Ok(Expr::Sum(register(reg)?, number_of(constant)?)),
        None if word.starts_with('r') => Ok(Expr::Sum(register(word)?, 0)),
        None => Ok(Expr::Const(number_of(word)?)),
    }
}

fn cond_of(reg: &str, test: &str, value: &str) -> Result<Cond, String> {
    let equal = match test {
        "==" => true,
        "!=" => false,
        _ => return Err(format!("`{test}` is no test")),
    };
    Ok(Cond { reg: register(reg)?, equal, value: number_of(value)? })
}
