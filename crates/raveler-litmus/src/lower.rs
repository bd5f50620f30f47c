//! From the tree to byte code: statements, jumps, registers and places.
//!
//! Each statement's temporaries lie behind the thread's registers and are free again when it ends. While a
//! thread is lowered, jumps name labels; they become positions when its code is complete.

mod access;
mod expression;
mod sites;

use raveler_core::{Address, Object, SourceMap};

use crate::ast::{Expression, ExpressionKind, File, Statement, StatementKind, Thread};
use crate::bytecode::{Comparison, Instruction, Operand};
use crate::error::{self, Errors, Result};
use crate::lex::Span;
use crate::names::{Home, Names};
use crate::run::{Cursor, LitmusProgram};
use crate::types::Scalar;

use self::sites::Sites;

/// Values that one statement may hold at once.
const MAX_TEMPORARIES: u16 = 30_000;

/// The position of a jump's target, not yet known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Label(u32);

/// Lower all threads. The result means something only if no errors were noted.
pub(crate) fn lower<'t>(
    file_name: &str,
    text: &'t str,
    file: &File<'t>,
    names: &Names<'t>,
    errors: &mut Errors,
) -> LitmusProgram {
    let mut program = LitmusProgram::default();
    let mut sites = Sites::new(text);
    for (number, thread) in file.threads.iter().enumerate() {
        let start = program.code.len() as u32;
        let mut lowering = Lowering {
            number,
            names,
            sites: &mut sites,
            code: std::mem::take(&mut program.code),
            messages: &mut program.messages,
            labels: Vec::new(),
            first_temporary: names.threads[number].initial.len() as u16,
            temporaries: 0,
            most_temporaries: 0,
            loops: Vec::new(),
            statement: Span::default(),
            errors,
        };
        lowering.thread(thread, start);
        let mut registers = names.threads[number].initial.clone();
        registers.resize(registers.len() + lowering.most_temporaries as usize, 0);
        program.code = lowering.code;
        program.starts.push(Cursor::new(start, &registers));
    }
    program.objects = objects(names);
    program.sources = SourceMap {
        file: file_name.to_string(),
        text: text.to_string(),
        sites: sites.list,
        threads: (0..file.threads.len()).map(|n| format!("P{n}")).collect(),
        ..SourceMap::default()
    };
    program
}

/// The locations in shared memory, by address.
fn objects(names: &Names<'_>) -> Vec<Object> {
    let shared = names.locations.iter().filter(|location| location.home == Home::Shared);
    shared
        .map(|location| {
            let cell = location.ty.scalar().width();
            Object {
                name: location.name.clone(),
                address: Address(location.address),
                size: location.initial.len() as u64 * cell.bytes(),
                cell,
                initial: location.initial.iter().map(|&value| cell.cut(value as u64)).collect(),
            }
        })
        .collect()
}

struct Lowering<'a, 't> {
    number: usize,
    names: &'a Names<'t>,
    sites: &'a mut Sites<'t>,
    code: Vec<Instruction>,
    messages: &'a mut Vec<String>,
    /// Positions of labels.
    labels: Vec<u32>,
    first_temporary: u16,
    temporaries: u16,
    most_temporaries: u16,
    /// For each open loop, where `continue` and `break` go.
    loops: Vec<(Label, Label)>,
    /// The statement being lowered, for reports.
    statement: Span,
    errors: &'a mut Errors,
}

impl<'t> Lowering<'_, 't> {
    fn thread(&mut self, thread: &Thread<'t>, start: u32) {
        let end = self.label();
        self.loops.clear();
        for statement in &thread.body {
            self.lower_statement(statement, end);
        }
        self.place(end);
        self.code.push(Instruction::Done);
        for instruction in &mut self.code[start as usize..] {
            match instruction {
                Instruction::Jump { target }
                | Instruction::Branch { target, .. }
                | Instruction::Loop { target, .. } => *target = self.labels[*target as usize],
                _ => {}
            }
        }
    }

    fn label(&mut self) -> Label {
        self.labels.push(0);
        Label(self.labels.len() as u32 - 1)
    }

    /// The label stands for the next instruction.
    fn place(&mut self, label: Label) {
        self.labels[label.0 as usize] = self.code.len() as u32;
    }

    fn jump(&mut self, label: Label) {
        self.code.push(Instruction::Jump { target: label.0 });
    }

    fn branch_on(&mut self, comparison: Comparison, left: Operand, right: Operand, label: Label) {
        self.code.push(Instruction::Branch { comparison, left, right, target: label.0 });
    }

    fn temporary(&mut self) -> u16 {
        let register = self.first_temporary.saturating_add(self.temporaries);
        if self.temporaries >= MAX_TEMPORARIES {
            let message = "this statement is too large".to_string();
            let help = "split it into several statements";
            self.errors.push(error::TOO_LARGE, self.statement, message, "too many values at once", help);
            return register;
        }
        self.temporaries += 1;
        self.most_temporaries = self.most_temporaries.max(self.temporaries);
        register
    }

    fn site(&mut self, span: Span) -> u32 {
        self.sites.add(self.number, span, self.statement)
    }

    fn lower_statement(&mut self, statement: &Statement<'t>, end: Label) {
        self.begin(statement.span);
        match &statement.kind {
            StatementKind::Empty => {}
            StatementKind::Block(list) => list.iter().for_each(|inner| self.lower_statement(inner, end)),
            StatementKind::Declare(list) => {
                for declarator in list {
                    if let Some(value) = &declarator.value {
                        // A mistake in one part is noted; the next part is looked at all the same.
                        let _ = self.declare(declarator.name.text, value);
                    }
                }
            }
            StatementKind::Expression(expression) => {
                let _ = self.effect(expression);
            }
            StatementKind::If { condition, then, otherwise } => {
                let skip = self.label();
                let _ = self.branch(condition, false, skip);
                self.lower_statement(then, end);
                if let Some(otherwise) = otherwise {
                    let after = self.label();
                    self.jump(after);
                    self.place(skip);
                    self.lower_statement(otherwise, end);
                    self.place(after);
                } else {
                    self.place(skip);
                }
            }
            StatementKind::While { condition, body } => {
                self.lower_loop(statement.span, Some(condition), body, None, end);
            }
            StatementKind::Do { body, condition } => self.lower_do(statement.span, body, condition, end),
            StatementKind::For(parts) => {
                self.lower_statement(&parts.first, end);
                self.lower_loop(
                    statement.span,
                    parts.condition.as_ref(),
                    &parts.body,
                    Some(&parts.next),
                    end,
                );
            }
            StatementKind::Break => self.leave(statement.span, |(_, leave)| leave, "break"),
            StatementKind::Continue => self.leave(statement.span, |(again, _)| again, "continue"),
            StatementKind::Return => self.jump(end),
        }
    }

    /// Start a statement, or the part of a loop that this span shows.
    fn begin(&mut self, span: Span) {
        self.statement = span;
        self.temporaries = 0;
    }

    fn lower_loop(
        &mut self,
        span: Span,
        condition: Option<&Expression<'t>>,
        body: &Statement<'t>,
        next: Option<&Vec<Expression<'t>>>,
        end: Label,
    ) {
        let (top, again, leave) = (self.label(), self.label(), self.label());
        self.place(top);
        self.begin(span);
        if let Some(condition) = condition {
            let _ = self.branch(condition, false, leave);
        }
        self.loops.push((again, leave));
        self.lower_statement(body, end);
        self.loops.pop();
        self.place(again);
        for expression in next.into_iter().flatten() {
            self.begin(span);
            let _ = self.effect(expression);
        }
        self.loop_to(top, span);
        self.place(leave);
    }

    fn lower_do(&mut self, span: Span, body: &Statement<'t>, condition: &Expression<'t>, end: Label) {
        let (top, again, leave) = (self.label(), self.label(), self.label());
        self.place(top);
        self.loops.push((again, leave));
        self.lower_statement(body, end);
        self.loops.pop();
        self.place(again);
        self.begin(span);
        let _ = self.branch(condition, false, leave);
        self.loop_to(top, span);
        self.place(leave);
    }

    fn loop_to(&mut self, top: Label, span: Span) {
        self.begin(span);
        let site = self.site(span);
        self.code.push(Instruction::Loop { target: top.0, site });
    }

    fn leave(&mut self, span: Span, pick: fn((Label, Label)) -> Label, word: &str) {
        match self.loops.last() {
            Some(&labels) => self.jump(pick(labels)),
            None => {
                let message = format!("`{word}` stands outside of every loop");
                self.errors.push(error::OUTSIDE_LOOP, span, message, "no loop around it", "remove it");
            }
        }
    }

    fn declare(&mut self, name: &str, value: &Expression<'t>) -> Result<()> {
        match self.names.threads[self.number].meanings.get(name) {
            Some(crate::names::Meaning::Register(register)) => self.assign_register(*register, value),
            _ => Err(error::Noted),
        }
    }

    /// Jump to the label if the condition's truth is `when`; else go on.
    fn branch(&mut self, condition: &Expression<'t>, when: bool, label: Label) -> Result<()> {
        let before = self.temporaries;
        let result = self.branch_here(condition, when, label);
        self.temporaries = before;
        result
    }

    fn branch_here(&mut self, condition: &Expression<'t>, when: bool, label: Label) -> Result<()> {
        use crate::ast::Binary;
        match &condition.kind {
            ExpressionKind::Not(inner) => self.branch(inner, !when, label),
            ExpressionKind::Binary(op @ (Binary::Both | Binary::Either), left, right) => {
                // `a && b` is false as soon as a is, `a || b` true as soon as a is.
                let decided = *op == Binary::Either;
                if when == decided {
                    self.branch(left, when, label)?;
                    self.branch(right, when, label)
                } else {
                    let skip = self.label();
                    let first = self.branch(left, decided, skip);
                    let second = self.branch(right, when, label);
                    self.place(skip);
                    first.and(second)
                }
            }
            ExpressionKind::Binary(op, left, right) if expression::is_comparison(*op) => {
                let (comparison, left, right) = self.comparison(*op, left, right)?;
                let (comparison, left, right) = if when {
                    (comparison, left, right)
                } else {
                    expression::opposite(comparison, left, right)
                };
                match (left, right) {
                    (Operand::Constant(a), Operand::Constant(b)) if !comparison.holds(a, b) => {}
                    (Operand::Constant(_), Operand::Constant(_)) => self.jump(label),
                    _ => self.branch_on(comparison, left, right, label),
                }
                Ok(())
            }
            _ => {
                let value = self.value(condition, None)?;
                let comparison = if when { Comparison::NotEqual } else { Comparison::Equal };
                match value.operand {
                    Operand::Constant(known) if comparison.holds(known, 0) => self.jump(label),
                    Operand::Constant(_) => {}
                    operand => self.branch_on(comparison, operand, Operand::Constant(0), label),
                }
                Ok(())
            }
        }
    }

    fn set(&mut self, to: u16, from: Operand, scalar: Scalar) {
        self.code.push(Instruction::Move { to, from, scalar });
    }
}
