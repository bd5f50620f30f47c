//! What the names of a test mean: its locations, and each thread's registers and parameters.
//!
//! A thread's names are flat: a register may be declared in several blocks that do not overlap, with one
//! type, and is then one register. So after this pass a name alone says which register is meant.
//!
//! Here it is also decided which locations other threads can see. A location that one thread only touches,
//! whose address goes nowhere and whose accesses order nothing else, is kept in that thread's registers.

use std::collections::{HashMap, HashSet};

use raveler_core::Order;

use crate::ast::{
    Binary, Expression, ExpressionKind, File, Initial, InitialValue, Name, Statement, StatementKind, Thread,
};
use crate::error::{self, Errors, Noted, Result};
use crate::functions::{Argument, Function, order, signature};
use crate::lex::Span;
use crate::types::{Scalar, Type};

/// Arrays of one element up to this many.
const MAX_ELEMENTS: u64 = 65_536;
/// All locations together.
const MAX_CELLS: usize = 1 << 20;
/// Larger arrays stay in shared memory: cursors must be small.
const MAX_PRIVATE: usize = 8;
/// Registers of one thread.
const MAX_REGISTERS: usize = 30_000;

/// Where a location lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Home {
    /// In memory that threads share.
    Shared,
    /// In the registers of one thread, from this one on.
    Private { thread: usize, register: u16 },
    /// Nobody touches it: it keeps its initial values.
    Untouched,
}

#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub name: String,
    /// The type of one element.
    pub ty: Type,
    pub is_array: bool,
    pub initial: Vec<i64>,
    pub address: u64,
    pub home: Home,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Register {
    pub index: u16,
    pub ty: Type,
}

/// What a name in a thread's body means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning {
    Register(Register),
    /// The address of a location, as a pointer of this type.
    Address {
        location: usize,
        ty: Type,
    },
}

#[derive(Debug, Default)]
pub(crate) struct ThreadNames<'t> {
    pub meanings: HashMap<&'t str, Meaning>,
    /// The registers' values at the start; private locations come behind the declared registers.
    pub initial: Vec<i64>,
}

#[derive(Debug, Default)]
pub(crate) struct Names<'t> {
    pub locations: Vec<Location>,
    pub by_name: HashMap<&'t str, usize>,
    pub threads: Vec<ThreadNames<'t>>,
}

/// How the threads use a location.
#[derive(Clone, Copy, Default)]
struct Use {
    /// The only thread that touches it so far.
    thread: Option<usize>,
    /// More than one touches it, or its address goes somewhere, or an access orders others.
    shared: bool,
}

pub(crate) fn resolve<'t>(file: &File<'t>, errors: &mut Errors) -> Names<'t> {
    let mut resolver = Resolver { names: Names::default(), typed: Vec::new(), uses: Vec::new(), errors };
    resolver.check_threads(&file.threads);
    resolver.locations(file);
    for (number, thread) in file.threads.iter().enumerate() {
        resolver.thread(number, thread, &file.initial);
    }
    resolver.unknown_initial_threads(file);
    resolver.settle();
    resolver.names
}

struct Resolver<'t, 'e> {
    names: Names<'t>,
    /// For each location: where its type was said, if it was.
    typed: Vec<bool>,
    uses: Vec<Use>,
    errors: &'e mut Errors,
}

impl<'t> Resolver<'t, '_> {
    fn check_threads(&mut self, threads: &[Thread<'t>]) {
        if threads.is_empty() {
            self.errors.push(
                error::THREAD_COUNT,
                Span::default(),
                "the test has no threads".to_string(),
                "",
                "write threads such as `P0 (atomic_int* x) { ... }` after the initial state",
            );
        }
        if let Some(extra) = threads.get(255) {
            self.errors.push(
                error::THREAD_COUNT,
                extra.span,
                format!("the test has {} threads; at most 255 are possible", threads.len()),
                "the first one too many",
                "",
            );
        }
        for (expected, thread) in threads.iter().enumerate() {
            if threads[..expected.min(255)].iter().any(|earlier| earlier.number == thread.number) {
                self.errors.push(
                    error::DUPLICATE_THREAD,
                    thread.span,
                    format!("P{} is defined twice", thread.number),
                    "the second definition",
                    &format!("call it P{expected}"),
                );
            } else if thread.number != expected as u64 {
                self.errors.push(
                    error::THREAD_ORDER,
                    thread.span,
                    format!("found P{} where P{expected} is expected", thread.number),
                    "out of order",
                    "threads are numbered P0, P1, P2, ... in this order",
                );
                return;
            }
        }
    }

    // ── Locations ────────────────────────────────────────────────────────────────────────────────────

    fn locations(&mut self, file: &File<'t>) {
        let mut given: HashMap<(Option<u64>, &str), ()> = HashMap::new();
        let mut cells = 0;
        for entry in &file.initial {
            let key = (entry.thread.map(|(number, _)| number), entry.name.text);
            if given.insert(key, ()).is_some() {
                self.errors.push(
                    error::DUPLICATE_INITIAL,
                    entry.name.span,
                    format!("`{}` has two initial values", entry.name.text),
                    "the second one",
                    "keep one of them",
                );
            } else if entry.thread.is_none() {
                self.declare(entry, &mut cells);
            }
        }
        let pointers = redirected(&file.initial);
        for (number, thread) in file.threads.iter().enumerate() {
            for parameter in &thread.parameters {
                let Some(pointee) = parameter.ty.pointee() else { continue };
                let key = (number as u64, parameter.name.text);
                let location = self.location(pointers.get(&key).copied().unwrap_or(parameter.name.text));
                self.agree(location, pointee, parameter.name);
            }
        }
        for entry in &file.initial {
            self.initial_values(entry);
        }
        let mut next = 0x1000;
        for location in &mut self.names.locations {
            location.address = next;
            let bytes = location.initial.len() as u64 * location.ty.scalar().width().bytes();
            next += bytes.div_ceil(0x1000).max(1) * 0x1000;
        }
        // Only now addresses are known.
        for entry in file.initial.iter().filter(|entry| entry.thread.is_none()) {
            self.initial_addresses(entry);
        }
    }

    /// The location of this name; a new `int` if there is none.
    fn location(&mut self, name: &'t str) -> usize {
        let locations = &mut self.names.locations;
        *self.names.by_name.entry(name).or_insert_with(|| {
            locations.push(Location {
                name: name.to_string(),
                ty: Type::INT,
                is_array: false,
                initial: vec![0],
                address: 0,
                home: Home::Untouched,
            });
            self.typed.push(false);
            self.uses.push(Use::default());
            locations.len() - 1
        })
    }

    fn declare(&mut self, entry: &Initial<'t>, cells: &mut usize) {
        let location = self.location(entry.name.text);
        if let Some(ty) = entry.ty {
            if ty.is_void() {
                self.errors.push(
                    error::UNKNOWN_TYPE,
                    entry.name.span,
                    format!("`{}` cannot be of type void", entry.name.text),
                    "declared here",
                    "give it an integer type",
                );
            }
            self.names.locations[location].ty = ty;
            self.typed[location] = true;
        }
        if let Some((size, span)) = entry.array {
            *cells += size.min(MAX_ELEMENTS) as usize;
            if size == 0 || size > MAX_ELEMENTS || *cells > MAX_CELLS {
                self.errors.push(
                    error::ARRAY_BOUNDS,
                    span,
                    format!("`{}` cannot have {size} elements", entry.name.text),
                    "the array's size",
                    "an array has 1 to 65,536 elements, all together at most 1,048,576",
                );
                return;
            }
            if entry.values.len() as u64 > size {
                self.errors.push(
                    error::ARRAY_BOUNDS,
                    entry.name.span,
                    format!(
                        "`{}` has {size} elements and {} initial values",
                        entry.name.text,
                        entry.values.len()
                    ),
                    "too many values",
                    "",
                );
                return;
            }
            self.names.locations[location].is_array = true;
            self.names.locations[location].initial = vec![0; size as usize];
        }
    }

    /// A thread says that the location has this type.
    fn agree(&mut self, location: usize, ty: Type, name: Name<'t>) {
        let known = &mut self.names.locations[location];
        if ty.is_void() {
            return;
        }
        if !self.typed[location] {
            self.typed[location] = true;
            known.ty = ty;
        } else if known.ty.scalar().width() != ty.scalar().width() || known.ty.is_pointer() != ty.is_pointer()
        {
            let message =
                format!("`{}` is of type {} here and {} above", name.text, ty.name(), known.ty.name());
            self.errors.push(
                error::LOCATION_TYPE,
                name.span,
                message,
                "another type",
                "give the location the same type everywhere",
            );
        }
    }

    /// Numbers, and the types that addresses give to locations of no type.
    fn initial_values(&mut self, entry: &Initial<'t>) {
        for (i, value) in entry.values.iter().enumerate() {
            match value {
                InitialValue::Number(number, span) => {
                    if entry.thread.is_some() {
                        continue;
                    }
                    let location = self.location(entry.name.text);
                    let known = &mut self.names.locations[location];
                    let scalar = known.ty.scalar();
                    if scalar.holds(*number) {
                        known.initial[i] = *number as i64;
                    } else {
                        let name = known.ty.name();
                        does_not_fit(*number, scalar, &name, *span, self.errors);
                    }
                }
                InitialValue::Address(target, _) => {
                    let pointee = entry.ty.and_then(Type::pointee).filter(|ty| !ty.is_void());
                    let target = self.location(target.text);
                    if let Some(ty) = pointee.filter(|_| !self.typed[target]) {
                        self.names.locations[target].ty = ty;
                        self.typed[target] = true;
                    }
                    let ty = self.names.locations[target].ty.pointer();
                    if entry.thread.is_none() {
                        let location = self.location(entry.name.text);
                        if !self.typed[location] {
                            self.names.locations[location].ty = ty;
                            self.typed[location] = true;
                        }
                    }
                }
            }
        }
    }

    fn initial_addresses(&mut self, entry: &Initial<'t>) {
        for (i, value) in entry.values.iter().enumerate() {
            let InitialValue::Address(target, index) = value else { continue };
            let Ok(address) = self.address_of(*target, *index) else { continue };
            let location = self.location(entry.name.text);
            let known = &mut self.names.locations[location];
            if !known.ty.is_pointer() {
                let message = format!(
                    "`{}` is of type {} and cannot hold an address",
                    entry.name.text,
                    known.ty.name()
                );
                let help = "declare it as a pointer, such as `int *p = x;`";
                self.errors.push(error::TYPE_MISMATCH, target.span, message, "an address", help);
            } else if let Some(cell) = known.initial.get_mut(i) {
                *cell = address;
            }
        }
    }

    /// The address of a location or element whose address goes somewhere.
    fn address_of(&mut self, name: Name<'t>, index: Option<(u64, Span)>) -> Result<i64> {
        let location = self.location(name.text);
        self.uses[location].shared = true;
        element(&self.names.locations[location], index, self.errors)
    }

    /// `7:r0=1` without a P7.
    fn unknown_initial_threads(&mut self, file: &File<'t>) {
        for entry in &file.initial {
            if let Some((number, span)) = entry.thread.filter(|(n, _)| *n >= file.threads.len() as u64) {
                unknown_thread(number, file.threads.len(), span, self.errors);
            }
        }
    }

    // ── Threads ──────────────────────────────────────────────────────────────────────────────────────

    fn thread(&mut self, number: usize, thread: &Thread<'t>, initial: &[Initial<'t>]) {
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

    /// Decide where each location lives, and give private ones their registers.
    fn settle(&mut self) {
        for (location, uses) in self.names.locations.iter_mut().zip(&self.uses) {
            location.home = match uses.thread {
                _ if uses.shared => Home::Shared,
                None => Home::Untouched,
                Some(_) if location.initial.len() > MAX_PRIVATE => Home::Shared,
                Some(thread) => {
                    let registers = &mut self.names.threads[thread].initial;
                    if registers.len() + location.initial.len() > MAX_REGISTERS {
                        Home::Shared
                    } else {
                        let register = registers.len() as u16;
                        registers.extend_from_slice(&location.initial);
                        Home::Private { thread, register }
                    }
                }
            };
        }
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

/// The parameter at the bottom of an address such as `x`, `x + 1`, `&x[i]`.
pub(crate) fn base<'t>(address: &Expression<'t>) -> Option<&'t str> {
    match &address.kind {
        ExpressionKind::Name(name) => Some(name),
        ExpressionKind::Binary(Binary::Add | Binary::Sub, inner, _) => base(inner),
        ExpressionKind::AddressOf(inner) => match &inner.kind {
            ExpressionKind::Index(inner, _) | ExpressionKind::Dereference(inner) => base(inner),
            ExpressionKind::Name(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// `0:x=y` where `x` is a parameter of P0: the parameter points to y.
fn redirected<'t>(initial: &[Initial<'t>]) -> HashMap<(u64, &'t str), &'t str> {
    let mut map = HashMap::new();
    for entry in initial {
        if let (Some((thread, _)), Some(InitialValue::Address(target, None))) =
            (entry.thread, entry.values.first())
        {
            map.insert((thread, entry.name.text), target.text);
        }
    }
    map
}

/// The address of an element; without an index the location's own.
pub(crate) fn element(location: &Location, index: Option<(u64, Span)>, errors: &mut Errors) -> Result<i64> {
    let (index, span) = index.unwrap_or_default();
    if index >= location.initial.len() as u64 {
        return Err(outside(&location.name, index as i64, location.initial.len(), span, errors));
    }
    Ok((location.address + index * location.ty.scalar().width().bytes()) as i64)
}

pub(crate) fn outside(name: &str, index: i64, length: usize, span: Span, errors: &mut Errors) -> Noted {
    let last = length.saturating_sub(1);
    let message = match length {
        1 => format!("`{name}` is a single location, and index {index} is outside of it"),
        _ => format!("index {index} is outside `{name}`, whose elements are 0 to {last}"),
    };
    errors.push(error::ARRAY_BOUNDS, span, message, "out of range", "")
}

pub(crate) fn does_not_fit(number: i128, scalar: Scalar, ty: &str, span: Span, errors: &mut Errors) -> Noted {
    let message = format!("{number} does not fit the type {ty}");
    let help = format!("{ty} holds {}", scalar.range());
    errors.push(error::DOES_NOT_FIT, span, message, "this value", &help)
}

pub(crate) fn unknown_thread(number: u64, threads: usize, span: Span, errors: &mut Errors) -> Noted {
    let known = match threads {
        0 => String::new(),
        1 => "the only thread is P0".to_string(),
        n => format!("the threads are P0 to P{}", n - 1),
    };
    errors.push(
        error::UNKNOWN_THREAD,
        span,
        format!("there is no thread P{number}"),
        "no such thread",
        &known,
    )
}
