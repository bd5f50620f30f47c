//! The bodies of threads: which names are visible where, and how locations are used.

use std::collections::HashSet;

use raveler_core::Order;

use super::{MAX_REGISTERS, Meaning, Register, Resolver, ThreadNames, base, does_not_fit, redirected};
use crate::ast::{Expression, ExpressionKind, Initial, InitialValue, Name, Statement, StatementKind, Thread};
use crate::error;
use crate::functions::{Argument, Function, order, signature};
use crate::lex::Span;
use crate::types::Type;

impl<'t> Resolver<'t, '_> {
    pub(super) fn thread(&mut self, number: usize, thread: &Thread<'t>, initial: &[Initial<'t>]) {
        let mut scope = Scope {
            number,
            names: ThreadNames::default(),
            visible: HashSet::new(),
            given: HashSet::new(),
            blocks: vec![Vec::new()],
        };
        let redirect = redirected(initial);
        for parameter in &thread.parameters {
            let name = parameter.name;
            if parameter.ty.pointee().is_none() {
                self.errors.push(
                    error::TYPE_MISMATCH,
                    name.span,
                    format!("the parameter `{}` is not a pointer", name.text),
                    "a parameter is the address of a location",
                    &format!("write `{}* {}`", parameter.ty.name(), name.text),
                );
            }
            let target = redirect.get(&(number as u64, name.text)).copied().unwrap_or(name.text);
            let location = self.location(target);
            let meaning = Meaning::Address { location, ty: parameter.ty };
            if scope.names.meanings.insert(name.text, meaning).is_some() {
                self.duplicate(name, "the parameter");
            }
        }
        for entry in initial.iter().filter(|entry| entry.thread.is_some_and(|(n, _)| n == number as u64)) {
            self.initial_register(&mut scope, entry);
        }
        self.statements(&mut scope, &thread.body);
        if scope.names.initial.len() > MAX_REGISTERS {
            self.errors.push(
                error::TOO_LARGE,
                thread.span,
                format!("P{number} has {} registers; at most 30,000 are possible", scope.names.initial.len()),
                "this thread",
                "",
            );
        }
        self.names.threads.push(scope.names);
    }

    /// `0:r1=5`: a register that may also be declared in the body.
    fn initial_register(&mut self, scope: &mut Scope<'t>, entry: &Initial<'t>) {
        if matches!(scope.names.meanings.get(entry.name.text), Some(Meaning::Address { .. })) {
            return;
        }
        let (ty, value) = match entry.values.first() {
            Some(InitialValue::Address(target, index)) => {
                let value = self.address_of(*target, *index).unwrap_or(0);
                let location = self.location(target.text);
                (entry.ty.unwrap_or(self.names.locations[location].ty.pointer()), value)
            }
            Some(InitialValue::Number(number, span)) => {
                let ty = entry.ty.unwrap_or(Type::INT);
                if !ty.scalar().holds(*number) {
                    does_not_fit(*number, ty.scalar(), &ty.name(), *span, self.errors);
                }
                (ty, *number as i64)
            }
            None => (entry.ty.unwrap_or(Type::INT), 0),
        };
        scope.add(entry.name.text, ty, value);
        scope.visible.insert(entry.name.text);
        scope.given.insert(entry.name.text);
    }

    fn statements(&mut self, scope: &mut Scope<'t>, list: &[Statement<'t>]) {
        for statement in list {
            self.statement(scope, statement);
        }
    }

    /// A statement with a block of its own.
    fn block(&mut self, scope: &mut Scope<'t>, inner: impl FnOnce(&mut Self, &mut Scope<'t>)) {
        scope.blocks.push(Vec::new());
        inner(self, scope);
        for name in scope.blocks.pop().unwrap_or_default() {
            scope.visible.remove(name);
        }
    }

    fn statement(&mut self, scope: &mut Scope<'t>, statement: &Statement<'t>) {
        match &statement.kind {
            StatementKind::Empty | StatementKind::Break | StatementKind::Continue | StatementKind::Return => {
            }
            StatementKind::Block(list) => self.block(scope, |r, scope| r.statements(scope, list)),
            StatementKind::Declare(list) => {
                for declarator in list {
                    if let Some(value) = &declarator.value {
                        self.expression(scope, value);
                    }
                    self.declare_register(scope, declarator.name, declarator.ty);
                }
            }
            StatementKind::Expression(expression) => self.expression(scope, expression),
            StatementKind::If { condition, then, otherwise } => {
                self.expression(scope, condition);
                self.block(scope, |r, scope| r.statement(scope, then));
                if let Some(otherwise) = otherwise {
                    self.block(scope, |r, scope| r.statement(scope, otherwise));
                }
            }
            StatementKind::While { condition, body } | StatementKind::Do { body, condition } => {
                self.block(scope, |r, scope| r.statement(scope, body));
                self.expression(scope, condition);
            }
            StatementKind::For(parts) => self.block(scope, |r, scope| {
                r.statement(scope, &parts.first);
                if let Some(condition) = &parts.condition {
                    r.expression(scope, condition);
                }
                parts.next.iter().for_each(|next| r.expression(scope, next));
                r.block(scope, |r, scope| r.statement(scope, &parts.body));
            }),
        }
    }

    fn duplicate(&mut self, name: Name<'t>, what: &str) {
        self.errors.push(
            error::DUPLICATE_NAME,
            name.span,
            format!("{what} `{}` is declared twice", name.text),
            "the second declaration",
            "registers belong to their thread: choose another name",
        );
    }

    fn declare_register(&mut self, scope: &mut Scope<'t>, name: Name<'t>, ty: Type) {
        if ty.is_void() {
            let message = format!("`{}` cannot be of type void", name.text);
            self.errors.push(
                error::UNKNOWN_TYPE,
                name.span,
                message,
                "declared here",
                "give it an integer type",
            );
        }
        match scope.names.meanings.get(name.text).copied() {
            None => {
                scope.add(name.text, ty, 0);
            }
            Some(Meaning::Address { .. }) => return self.duplicate(name, "the parameter"),
            Some(Meaning::Register(known)) if scope.given.remove(name.text) => {
                scope.names.meanings.insert(name.text, Meaning::Register(Register { ty, ..known }));
                return;
            }
            Some(Meaning::Register(_)) if scope.visible.contains(name.text) => {
                return self.duplicate(name, "the register");
            }
            Some(Meaning::Register(known)) => {
                if known.ty != ty {
                    let (here, there) = (ty.name(), known.ty.name());
                    let message =
                        format!("the register `{}` is of type {here} here and {there} above", name.text);
                    let help = "registers belong to their thread: choose another name";
                    self.errors.push(error::DUPLICATE_NAME, name.span, message, "another type", help);
                }
            }
        }
        scope.visible.insert(name.text);
        if let Some(block) = scope.blocks.last_mut() {
            block.push(name.text);
        }
    }

    fn expression(&mut self, scope: &mut Scope<'t>, expression: &Expression<'t>) {
        use ExpressionKind::*;
        match &expression.kind {
            Number(..) => {}
            Name(name) => {
                // A parameter outside of an access: its address goes somewhere.
                if let Some(location) = self.look_up(scope, name, expression.span) {
                    self.uses[location].shared = true;
                }
            }
            Dereference(address) => self.access(scope, address, Touch::Quiet),
            Index(base, index) => {
                self.access(scope, base, Touch::Quiet);
                self.expression(scope, index);
            }
            AddressOf(inner) => match &inner.kind {
                // `&x[1]` as a value goes somewhere; `&r` of a register is refused later, unless it may stand.
                Dereference(address) => self.expression(scope, address),
                Index(base, index) => {
                    self.expression(scope, base);
                    self.expression(scope, index);
                }
                _ => self.expression(scope, inner),
            },
            Not(a) | Invert(a) | Negate(a) | Cast(_, a) => self.expression(scope, a),
            Step { target, .. } => self.expression(scope, target),
            Binary(_, a, b) | Assign(_, a, b) => {
                self.expression(scope, a);
                self.expression(scope, b);
            }
            Conditional(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expression(scope, e)),
            Call { name, arguments } => self.call(scope, name.text, arguments),
        }
    }

    fn call(&mut self, scope: &mut Scope<'t>, name: &str, arguments: &[Expression<'t>]) {
        let Some((function, roles)) = signature(name) else { return };
        for (argument, role) in arguments.iter().zip(&roles) {
            match role {
                Argument::Address => self.access(scope, argument, touch(function, arguments)),
                Argument::Expected => self.access(scope, argument, Touch::Quiet),
                Argument::Value => self.expression(scope, argument),
                Argument::Order(_) => {}
            }
        }
    }

    /// An access through this address.
    fn access(&mut self, scope: &mut Scope<'t>, address: &Expression<'t>, touch: Touch) {
        if let Some(name) = base(address) {
            if let Some(location) = self.look_up(scope, name, address.span) {
                let uses = &mut self.uses[location];
                let other = uses.thread.is_some_and(|thread| thread != scope.number);
                uses.shared |= other || touch == Touch::Orders;
                uses.thread = Some(scope.number);
            }
            self.offsets(scope, address);
        } else {
            self.expression(scope, address);
        }
    }

    /// What is added to the base of an address.
    fn offsets(&mut self, scope: &mut Scope<'t>, address: &Expression<'t>) {
        match &address.kind {
            ExpressionKind::Binary(_, inner, offset) => {
                self.offsets(scope, inner);
                self.expression(scope, offset);
            }
            ExpressionKind::AddressOf(inner) => match &inner.kind {
                ExpressionKind::Index(inner, index) => {
                    self.offsets(scope, inner);
                    self.expression(scope, index);
                }
                ExpressionKind::Dereference(inner) => self.offsets(scope, inner),
                _ => {}
            },
            _ => {}
        }
    }

    /// The location whose address a name is; none for a register, or if the name is unknown.
    fn look_up(&mut self, scope: &Scope<'t>, name: &'t str, span: Span) -> Option<usize> {
        match scope.names.meanings.get(name) {
            Some(Meaning::Address { location, .. }) => return Some(*location),
            Some(Meaning::Register(_)) if scope.visible.contains(name) => return None,
            Some(Meaning::Register(_)) => {
                let help = "declare it before the block in which it is assigned";
                let message = format!("`{name}` was declared in a block that has ended");
                self.errors.push(error::UNDECLARED, span, message, "not visible here", help);
            }
            None => {
                let is_location = self.names.by_name.contains_key(name);
                let help = if is_location {
                    format!("it is a location: add it to the parameters of P{}", scope.number)
                } else {
                    format!("declare it, such as `int {name} = 0;`, or add it to the parameters")
                };
                let message = format!("`{name}` is not declared in P{}", scope.number);
                self.errors.push(error::UNDECLARED, span, message, "unknown name", &help);
            }
        }
        None
    }
}

/// Does an access do more than reach its location?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Touch {
    /// A plain or relaxed write, or a read.
    Quiet,
    /// A read-modify-write or a write with an order: some models make a fence of it, so it must be seen.
    Orders,
}

/// How a call touches the location it is given.
fn touch(function: Function, arguments: &[Expression<'_>]) -> Touch {
    let relaxed = |argument: &Expression<'_>| match argument.kind {
        ExpressionKind::Name(word) => order(word) == Some(Order::Relaxed),
        _ => false,
    };
    match function {
        Function::Load | Function::Init => Touch::Quiet,
        Function::Store if arguments.get(2).is_some_and(relaxed) => Touch::Quiet,
        _ => Touch::Orders,
    }
}

struct Scope<'t> {
    number: usize,
    names: ThreadNames<'t>,
    /// Registers declared so far whose block has not ended.
    visible: HashSet<&'t str>,
    /// Registers with an initial value that the body has not declared yet.
    given: HashSet<&'t str>,
    /// What each open block declared.
    blocks: Vec<Vec<&'t str>>,
}

impl<'t> Scope<'t> {
    fn add(&mut self, name: &'t str, ty: Type, value: i64) {
        let index = self.names.initial.len().min(u16::MAX as usize) as u16;
        self.names.initial.push(value);
        self.names.meanings.insert(name, Meaning::Register(Register { index, ty }));
    }
}
