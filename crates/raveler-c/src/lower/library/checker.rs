//! What programs say to checkers: raveler, and those they were written for.

use raveler_core::{LockMode, ViolationKind};

use super::super::Lowerer;
use super::super::function::{Body, Reported};
use super::Given;
use crate::address;
use crate::code::{Inst, Operand};
use crate::ir::Type;

type Result<T> = std::result::Result<T, Reported>;

impl Lowerer<'_> {
    /// What programs say to checkers.
    pub(in crate::lower) fn checker(
        &mut self,
        body: &mut Body<'_>,
        name: &str,
        given: &Given<'_>,
    ) -> Result<bool> {
        match name {
            "__VERIFIER_assume"
            | "rv_assume"
            | "__CPROVER_assume"
            | "__ESBMC_assume"
            | "assume_abort_if_not" => {
                let condition = self.argument(body, given, 0)?;
                body.emit(Inst::Assume { condition });
            }
            // `assert` without its header is a function that nobody defines.
            "__VERIFIER_assert" | "MODEL_ASSERT" | "model_assert" | "rv_assert" | "__CPROVER_assert"
            | "__ESBMC_assert" | "assert" => {
                let condition = self.argument(body, given, 0)?;
                let text = given.arguments.get(1).and_then(|a| self.string(&a.operand.value));
                let text = text.unwrap_or_else(|| "the assertion is false".into());
                let message = self.message(&text);
                let (bad, good) = (body.new_label(), body.new_label());
                body.emit(Inst::Branch { condition, yes: good, no: bad });
                body.set_label(bad);
                body.emit(Inst::Fail { kind: ViolationKind::Assertion, message });
                body.set_label(good);
            }
            "__assert_fail" | "__assert_rtn" | "__assert" | "__VERIFIER_assert_fail" => {
                let at = if name == "__assert_rtn" { 3 } else { 0 };
                let text =
                    given.arguments.get(at).and_then(|a| self.string(&a.operand.value)).unwrap_or_default();
                let message = self.message(&text);
                body.emit(Inst::Fail { kind: ViolationKind::Assertion, message });
            }
            _ if name.starts_with("__ubsan_handle_") => {
                let what =
                    name.trim_start_matches("__ubsan_handle_").trim_end_matches("_abort").replace('_', " ");
                let message = self.message(&format!("undefined behaviour: {what}"));
                body.emit(Inst::Fail { kind: ViolationKind::Arithmetic, message });
            }
            "reach_error" | "__VERIFIER_error" => {
                let message = self.message(&format!("`{name}` is reached"));
                body.emit(Inst::Fail { kind: ViolationKind::Assertion, message });
            }
            "abort" | "_ZSt9terminatev" | "__cxa_pure_virtual" => {
                let message = self.message(match name {
                    "abort" => "`abort` is called",
                    "__cxa_pure_virtual" => "a pure virtual function is called",
                    _ => crate::run::TERMINATED,
                });
                body.emit(Inst::Fail { kind: ViolationKind::Other, message });
            }
            "rv_choose" => {
                let low = self.argument(body, given, 0)?;
                let high = self.argument(body, given, 1)?;
                body.emit(Inst::Choose { to: given.to, low, high });
            }
            "rv_observe" => {
                let Some(name) = given.arguments.first().and_then(|a| self.string(&a.operand.value)) else {
                    return self.refuse(body, "the first argument of `rv_observe` must be a string literal");
                };
                let name = self.observed(&name);
                let value = self.argument(body, given, 1)?;
                body.emit(Inst::Observe { name, value });
            }
            "__VERIFIER_atomic_begin" | "__CPROVER_atomic_begin" | "__ESBMC_atomic_begin" => {
                self.section(body, true);
            }
            "__VERIFIER_atomic_end" | "__CPROVER_atomic_end" | "__ESBMC_atomic_end" => {
                self.section(body, false);
            }
            _ if ["__VERIFIER_nondet_", "nondet_", "__CPROVER_nondet_"]
                .iter()
                .any(|beginning| name.starts_with(beginning)) =>
            {
                self.nondet(body, name, given)?;
            }
            "__VERIFIER_spin_start"
            | "__VERIFIER_spin_end"
            | "__VERIFIER_loop_bound"
            | "__VERIFIER_loop_begin"
            | "__VERIFIER_method_begin"
            | "__VERIFIER_method_end"
            | "__VERIFIER_annotate_begin"
            | "__VERIFIER_annotate_end" => {}
            "__VERIFIER_spawn" | "__VERIFIER_spawn_symmetric" => {
                let (function, argument) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                body.emit(Inst::Spawn { to: given.to, function, argument });
            }
            "__VERIFIER_join" | "__VERIFIER_join_symmetric" => {
                let thread = self.argument(body, given, 0)?;
                self.code.wants_results |= *given.result != Type::Void;
                body.emit(Inst::Join { to: given.to, thread });
            }
            "__VERIFIER_tid" => body.emit(Inst::Self_ { to: given.to }),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// An atomic section begins or ends; they can be nested.
    pub(in crate::lower) fn section(&mut self, body: &mut Body<'_>, begins: bool) {
        self.code.has_sections = true;
        let address = body.constant(address::SECTION);
        let kind = body.constant(1);
        let to = body.fresh(1);
        body.emit(match begins {
            true => Inst::Lock { to, address, mode: LockMode::Exclusive, kind },
            false => Inst::Unlock { to, address, kind },
        });
    }

    fn nondet(&mut self, body: &mut Body<'_>, name: &str, given: &Given<'_>) -> Result<()> {
        let bits = self.scalar(body, given.result)?;
        if self.options.nondet.is_none()
            && let Some(values) = self.told_apart(body, given, bits)
        {
            self.choose_one_of(body, given, &values);
            return Ok(());
        }
        let (low, high) = match (name, self.options.nondet) {
            (name, _) if name.ends_with("nondet_bool") || name.ends_with("nondet__Bool") => (0, 1),
            (_, Some(range)) => range,
            (_, None) => {
                let help = "say which values to try, for instance --nondet 0..3";
                let message = format!("`{name}` needs a range of values");
                self.problem(body.location, message, Some(help.into()));
                return Err(Reported);
            }
        };
        let (low, high) = (body.constant(low as u64), body.constant(high as u64));
        let to = body.fresh(1);
        body.emit(Inst::Choose { to, low, high });
        body.emit(Inst::Truncate { bits: bits as u8, to: given.to, from: Operand::register(to) });
        Ok(())
    }
}
