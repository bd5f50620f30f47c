//! Test programs as herd7 reads them (C litmus), for a third opinion.
//!
//! A compare-exchange gets a word `eK` for what it expects, as in the litmus corpus, and the register says whether it
//! succeeded. What herd's C has no word for (assumptions, locks, spawns, choices, allocated memory) stands in comments.

use std::fmt::Write as _;

use crate::program::{Cond, Expr, Order, Stmt, TestProgram, UpdateKind};
use crate::text::{LOCATIONS, statement};

/// The program as a C litmus test. Lines with `/* not herd: … */` have no meaning for herd.
pub fn litmus(program: &TestProgram, name: &str) -> String {
    let mut printer = Printer { program, expected: Vec::new(), body: String::new() };
    let mut threads = String::new();
    for (thread, body) in program.threads.iter().enumerate() {
        let before = printer.expected.len();
        printer.body.clear();
        printer.registers(body);
        printer.block(body, 1);
        let words = (before..printer.expected.len()).map(|word| format!("int* e{word}"));
        let cells = (0..program.locations()).map(|at| format!("{}* {}", printer.cell(at), LOCATIONS[at]));
        let parameters: Vec<String> = words.chain(cells).collect();
        let _ = writeln!(threads, "P{thread} ({}) {{\n{}}}\n", parameters.join(", "), printer.body);
    }
    let words = printer.expected.iter().enumerate().map(|(word, value)| format!("[e{word}]={value};"));
    let cells = LOCATIONS.iter().zip(&program.init).map(|(name, value)| format!("[{name}]={value};"));
    let init: Vec<String> = words.chain(cells).collect();
    let shown = shown(program, printer.expected.len());
    format!("C {name}\n{{ {} }}\n\n{threads}locations [{shown}]\nexists (true)\n", init.join(" "))
}

/// All registers, expected words and locations.
fn shown(program: &TestProgram, words: usize) -> String {
    let mut all = Vec::new();
    for (thread, used) in program.registers().into_iter().enumerate() {
        all.extend((0..used).map(|reg| format!("{thread}:r{reg};")));
    }
    all.extend((0..words).map(|word| format!("e{word};")));
    all.extend(LOCATIONS.iter().take(program.locations()).map(|name| format!("{name};")));
    all.join(" ")
}

struct Printer<'a> {
    program: &'a TestProgram,
    /// What each compare-exchange so far expects.
    expected: Vec<i64>,
    body: String,
}

impl Printer<'_> {
    /// The type of a location: plain if some access of it is.
    fn cell(&self, at: usize) -> &'static str {
        let plain = self.program.any(|stmt| match stmt {
            Stmt::Load { loc, order, .. } | Stmt::Store { loc, order, .. } => {
                *loc as usize == at && *order == Order::Plain
            }
            _ => false,
        });
        if plain { "int" } else { "atomic_int" }
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.body, "{:1$}{text}", "", 2 * depth);
    }

    fn registers(&mut self, body: &[Stmt]) {
        let one = TestProgram { threads: vec![body.to_vec()], ..TestProgram::default() };
        for reg in 0..one.registers()[0] {
            self.line(1, &format!("int r{reg} = 0;"));
        }
    }

    fn block(&mut self, body: &[Stmt], depth: usize) {
        for stmt in body {
            if let Stmt::If { cond, then, otherwise } = stmt {
                self.line(depth, &format!("if ({}) {{", condition(cond)));
                self.block(then, depth + 1);
                if !otherwise.is_empty() {
                    self.line(depth, "} else {");
                    self.block(otherwise, depth + 1);
                }
                self.line(depth, "}");
            } else {
                let text = self.statement(stmt);
                self.line(depth, &text);
            }
        }
    }

    fn statement(&mut self, stmt: &Stmt) -> String {
        let known = self.program.locations();
        let at = |loc: &u8| LOCATIONS[*loc as usize];
        match stmt {
            // Herd has no memory that is allocated.
            Stmt::Load { loc, .. }
            | Stmt::Store { loc, .. }
            | Stmt::Update { loc, .. }
            | Stmt::Cas { loc, .. }
                if *loc as usize >= known =>
            {
                format!("/* not herd: {} */", statement(self.program, stmt))
            }
            Stmt::Load { reg, loc, order: Order::Plain } => format!("r{reg} = *{};", at(loc)),
            Stmt::Load { reg, loc, order } => {
                format!("r{reg} = atomic_load_explicit({}, {});", at(loc), c_order(*order))
            }
            Stmt::Store { loc, value, order: Order::Plain } => format!("*{} = {};", at(loc), expr(value)),
            Stmt::Store { loc, value, order } => {
                format!("atomic_store_explicit({}, {}, {});", at(loc), expr(value), c_order(*order))
            }
            Stmt::Update { reg, loc, kind, operand, order } => {
                let operation = match kind {
                    UpdateKind::Exchange => "exchange".to_string(),
                    _ => format!("fetch_{}", kind.name()),
                };
                format!(
                    "r{reg} = atomic_{operation}_explicit({}, {}, {});",
                    at(loc),
                    expr(operand),
                    c_order(*order)
                )
            }
            Stmt::Cas { reg, loc, expected: Expr::Const(expected), desired, success, failure } => {
                self.expected.push(*expected);
                format!(
                    "r{reg} = atomic_compare_exchange_strong_explicit({}, e{}, {}, {}, {});",
                    at(loc),
                    self.expected.len() - 1,
                    expr(desired),
                    c_order(*success),
                    c_order(*failure)
                )
            }
            Stmt::Fence(order) => format!("atomic_thread_fence({});", c_order(*order)),
            Stmt::Let { reg, value } => format!("r{reg} = {};", expr(value)),
            _ => format!("/* not herd: {} */", statement(self.program, stmt)),
        }
    }
}

fn c_order(order: Order) -> String {
    format!("memory_order_{}", order.name())
}

fn expr(expr: &Expr) -> String {
    match expr {
        Expr::Const(constant) => constant.to_string(),
        Expr::Sum(reg, 0) => format!("r{reg}"),
        Expr::Sum(reg, constant) => format!("r{reg} + {constant}"),
    }
}

fn condition(cond: &Cond) -> String {
    format!("r{} {} {}", cond.reg, if cond.equal { "==" } else { "!=" }, cond.value)
}
