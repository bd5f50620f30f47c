//! Functions that the libraries provide: what each becomes.
//!
//! One file per theme, each with a `match` from names to instructions; a name that none knows is reported as missing.

mod checker;
mod choices;
mod conditions;
mod cpp;
mod locks;
mod memory;
mod objects;
mod output;
mod random;
mod semaphores;
mod specific;
mod threads;
mod time;

pub(super) use self::time::SLEEP_UNTIL;

use std::collections::HashMap;

use super::Lowerer;
use super::function::{Body, Reported};
use crate::code::{Function, Inst, Operand, Reg};
use crate::ir::{self, Argument, Local, Parameter, Type, Value};

type Result<T> = std::result::Result<T, Reported>;

/// A call of a library function: where its result goes and what it is given.
pub(in crate::lower) struct Given<'c> {
    pub to: Reg,
    pub result: &'c Type,
    pub arguments: &'c [Argument],
}

impl Lowerer<'_> {
    /// A library's function whose address is taken: it does what a call of it does. Without code if it is not known.
    pub(super) fn library_body(&mut self, source: &ir::Function) -> Function {
        let mut body = Body::new(source, HashMap::new());
        if crate::clang::provides(&source.name) {
            // Once is enough.
            if self.problems.iter().all(|problem| problem.missing.as_ref() != Some(&source.name)) {
                let _ = self.undefined::<()>(&body, &source.name);
            }
            return body.out;
        }
        match self.library_call(&mut body, source) {
            Ok(Some(to)) => {
                let results = if source.result == Type::Void { vec![] } else { vec![Operand::register(to)] };
                let (first, count) = body.list(&results);
                body.emit(Inst::Return { first, count });
                body.finish();
            }
            _ => body.out.code.clear(),
        }
        body.out
    }

    /// A call with the function's own parameters, and where its result goes; none if it is none that raveler knows.
    fn library_call(&mut self, body: &mut Body<'_>, source: &ir::Function) -> Result<Option<Reg>> {
        let local = |(i, parameter): (usize, &Parameter)| Argument {
            operand: ir::Operand { ty: parameter.ty.clone(), value: Value::Local(i as Local) },
            by_value: None,
        };
        let arguments: Vec<Argument> = source.parameters.iter().enumerate().map(local).collect();
        for (i, _) in arguments.iter().enumerate() {
            body.slot(i as Local, 1);
        }
        body.out.parameters = body.out.registers;
        let to = body.fresh(1);
        let given = Given { to, result: &source.result, arguments: &arguments };
        Ok(self.library(body, &source.name, &given)?.then_some(to))
    }

    /// Do libraries have this function that the program declares? Also one that is refused where it is called.
    pub(super) fn is_provided(&mut self, source: &ir::Function) -> bool {
        // What libstdc++ asks for to find out whether there are threads.
        let threads = ["__pthread_", "__gthrw_"].iter().any(|start| source.name.starts_with(start));
        if threads || source.name.starts_with("llvm.") || crate::clang::provides(&source.name) {
            return true;
        }
        let (problems, exits, kinds) = (self.problems.len(), self.exits, self.kinds);
        let mut body = Body::new(source, HashMap::new());
        let known = !matches!(self.library_call(&mut body, source), Ok(None));
        // Nothing was asked for yet.
        self.problems.truncate(problems);
        (self.exits, self.kinds) = (exits, kinds);
        known
    }

    /// A function of a library. False if it is none that raveler knows.
    pub(super) fn library(&mut self, body: &mut Body<'_>, name: &str, given: &Given<'_>) -> Result<bool> {
        if let Some(intrinsic) = name.strip_prefix("llvm.") {
            return self.intrinsic(body, intrinsic, given).map(|()| true);
        }
        Ok(self.cpp(body, name, given)?
            || self.threads(body, name, given)?
            || self.locks(body, name, given)?
            || self.conditions(body, name, given)?
            || self.time(body, name, given)?
            || self.semaphores(body, name, given)?
            || self.objects(body, name, given)?
            || self.specific(body, name, given)?
            || self.memory(body, name, given)?
            || self.random(body, name, given)?
            || self.checker(body, name, given)?
            || self.prints(body, name, given)?
            || self.math(body, name, given)?
            || self.output(body, name, given)?)
    }

    pub(in crate::lower) fn argument(
        &mut self,
        body: &mut Body<'_>,
        given: &Given<'_>,
        index: usize,
    ) -> Result<Operand> {
        match given.arguments.get(index) {
            Some(argument) => self.operand(body, &argument.operand.ty, &argument.operand.value),
            None => self.refuse(body, "a library function is called with too few arguments"),
        }
    }

    pub(super) fn answer(&mut self, body: &mut Body<'_>, given: &Given<'_>, value: u64) {
        if *given.result != Type::Void {
            let from = body.constant(value);
            body.emit(Inst::Move { to: given.to, from });
        }
    }
}
