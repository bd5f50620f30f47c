//! What the names of a test mean: its locations, and each thread's registers and parameters.
//!
//! A thread's names are flat: a register may be declared in several blocks that do not overlap, with one
//! type, and is then one register. So after this pass a name alone says which register is meant.
//!
//! Here it is also decided which locations other threads can see. A location that one thread only touches,
//! whose address goes nowhere and whose accesses order nothing else, is kept in that thread's registers.

mod bodies;
mod locations;

use std::collections::HashMap;

use crate::PrivateLocations;
use crate::ast::{Binary, Expression, ExpressionKind, File, Initial, InitialValue, Thread};
use crate::error::{self, Errors, Noted, Result};
use crate::lex::Span;
use crate::types::{Scalar, Type};

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

pub(crate) fn resolve<'t>(file: &File<'t>, private: PrivateLocations, errors: &mut Errors) -> Names<'t> {
    let mut resolver = Resolver { names: Names::default(), typed: Vec::new(), uses: Vec::new(), errors };
    resolver.check_threads(&file.threads);
    resolver.locations(file);
    for (number, thread) in file.threads.iter().enumerate() {
        resolver.thread(number, thread, &file.initial);
    }
    resolver.unknown_initial_threads(file);
    resolver.settle(private);
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

    /// Decide where each location lives, and give private ones their registers.
    fn settle(&mut self, private: PrivateLocations) {
        for (location, uses) in self.names.locations.iter_mut().zip(&self.uses) {
            location.home = match uses.thread {
                _ if uses.shared => Home::Shared,
                None => Home::Untouched,
                Some(_) if private == PrivateLocations::InMemory => Home::Shared,
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
