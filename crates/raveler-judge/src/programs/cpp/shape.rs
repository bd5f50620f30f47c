//! How a program is spelled: what holds for all of it.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::adapt::is_flag;
use crate::programs::ast::{Program, Stmt, VarKind};
use crate::random_numbers::Random;

/// The choices of a spelling. Each depends on the number, on what is asked and on what it is about, and on nothing else, so that a
/// program that is made smaller keeps its spelling.
#[derive(Clone, Copy, Debug)]
pub struct Spelling(pub u64);

impl Spelling {
    /// One of so many.
    pub fn pick(self, question: &str, about: &impl Hash, count: usize) -> usize {
        let mut hasher = FxHasher::default();
        (self.0, question).hash(&mut hasher);
        about.hash(&mut hasher);
        Random::new(hasher.finish()).below(count)
    }

    /// In so many of 100 cases.
    pub fn chance(self, question: &str, percent: usize) -> bool {
        self.pick(question, &(), 100) < percent
    }
}

/// Where shared objects are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Home {
    Globals,
    Struct,
    /// A local variable of `main`, which threads have references to.
    Main,
}

/// How threads are started and joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Start {
    Thread,
    Vector,
    Jthread,
    Async,
    /// A `std::packaged_task` in a thread.
    Task,
}

/// What an atomic variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Atom {
    Atomic,
    Ref,
    Flag,
}

/// All of it.
#[derive(Clone, Debug)]
pub struct Shape {
    pub spelling: Spelling,
    pub home: Home,
    pub start: Start,
    /// By variable.
    pub atoms: Vec<Atom>,
    /// Threads may go on when `main` is over: what has a destructor is not destroyed.
    pub outlived: bool,
    /// C++20.
    pub newer: bool,
    /// Something is thrown, or unwound.
    pub throws: bool,
    /// Memory is allocated by `malloc`.
    pub malloc: bool,
    /// Threads are lambdas.
    pub lambdas: bool,
}

fn leaves(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Return | Stmt::Exit | Stmt::ExitInside)
}

impl Shape {
    /// The shape of a program.
    pub fn of(program: &Program, seed: u64) -> Shape {
        let spelling = Spelling(seed);
        let main = &program.main;
        let (mut early, mut unwinds) = (false, false);
        for list in [&main.before, &main.middle, &main.after] {
            crate::programs::ast::visit(list, &mut |stmt| {
                early |= leaves(stmt);
                unwinds |= matches!(stmt, Stmt::Exit | Stmt::ExitInside);
            });
        }
        let outlived = early || main.joined.iter().any(|joined| !joined);
        let needs_newer = program.has(|stmt| {
            matches!(stmt, Stmt::Until { .. } | Stmt::Acquire(_) | Stmt::Release(_) | Stmt::TryAcquire { .. })
        });
        let newer = needs_newer
            || !program.phased.is_empty()
            || !program.latches.is_empty()
            || spelling.chance("newer", 40);
        let home = match spelling.pick("home", &(), 100) {
            0..40 => Home::Globals,
            40..70 => Home::Struct,
            _ if outlived => Home::Struct,
            _ => Home::Main,
        };
        let start = match spelling.pick("start", &(), 100) {
            _ if outlived => Start::Thread,
            0..45 => Start::Thread,
            45..72 => Start::Vector,
            72..84 if newer => Start::Jthread,
            84..94 => Start::Async,
            94.. => Start::Task,
            _ => Start::Thread,
        };
        let atom = |var: usize| match spelling.pick("atom", &var, 100) {
            _ if program.vars[var] != VarKind::Atomic => Atom::Atomic,
            0..50 if is_flag(program, var as u8) && newer => Atom::Flag,
            70.. if newer => Atom::Ref,
            _ => Atom::Atomic,
        };
        // What has a destructor or is made once is compiled with exceptions by itself.
        let ends = !program.phased.is_empty()
            || program.has(|stmt| matches!(stmt, Stmt::Wait { .. } | Stmt::Signal(_) | Stmt::Broadcast(_)));
        let ended = ends && !outlived && home != Home::Main;
        let once = home != Home::Main && program.has(|stmt| matches!(stmt, Stmt::Once(_)));
        let throws = unwinds
            || ended
            || once
            || matches!(start, Start::Async | Start::Task)
            || spelling.chance("throws", 35);
        Shape {
            spelling,
            home,
            start,
            atoms: (0..program.vars.len()).map(atom).collect(),
            outlived,
            newer,
            throws,
            malloc: spelling.chance("malloc", 20),
            lambdas: spelling.chance("lambdas", 45),
        }
    }

    /// What stands before the names of shared objects.
    pub fn prefix(&self) -> &'static str {
        if self.home == Home::Globals { "" } else { "s." }
    }
}
