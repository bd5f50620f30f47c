//! What synchronisation objects that are written in C (`raveler_libc.h`) are made of.

use raveler_core::ViolationKind;

use super::super::Lowerer;
use super::super::function::{Body, Reported};
use super::Given;
use crate::code::{Inst, Object};

type Result<T> = std::result::Result<T, Reported>;

impl Lowerer<'_> {
    pub(in crate::lower) fn objects(
        &mut self,
        body: &mut Body<'_>,
        name: &str,
        given: &Given<'_>,
    ) -> Result<bool> {
        let object = Object::Memory;
        match name {
            "__rv_initialise" => {
                let address = self.argument(body, given, 0)?;
                body.emit(Inst::Initialise { address, object });
            }
            "__rv_destroy" => {
                let address = self.argument(body, given, 0)?;
                body.emit(Inst::Destroy { address, object });
            }
            "__rv_meet" => {
                let address = self.argument(body, given, 0)?;
                body.emit(Inst::Meet { address });
            }
            "__rv_gathers" | "__rv_gathers_once" => {
                let address = self.argument(body, given, 0)?;
                body.emit(Inst::Gathers { to: given.to, address, once: name.ends_with("_once") });
            }
            "__rv_enumerate" | "__rv_enumerate_once" => {
                let address = self.argument(body, given, 0)?;
                body.emit(Inst::Enumerate { address, once: name.ends_with("_once") });
            }
            "__rv_arrive" => {
                let (address, count) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                body.emit(Inst::Arrive { address, count });
            }
            "__rv_pass" => {
                let (address, count) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                body.emit(Inst::Pass { to: given.to, address, count });
            }
            "__rv_wait" => {
                let address = self.argument(body, given, 0)?;
                body.emit(Inst::Stuck { address });
            }
            "__rv_drop" => body.emit(Inst::Drop),
            "__rv_misuse" => {
                let text = given.arguments.first().and_then(|a| self.string(&a.operand.value));
                let message = self.message(&text.unwrap_or_default());
                body.emit(Inst::Fail { kind: ViolationKind::LockMisuse, message });
            }
            "__rv_only_sc" => self.only_sc(body),
            "__rv_refuse" => {
                let text = given.arguments.first().and_then(|a| self.string(&a.operand.value));
                let message = self.message(&text.unwrap_or_default());
                body.emit(Inst::Refuse { message });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Sixteen bytes at once are a section of a lock, which orders more than the access does; under SC nothing is ordered
    /// less.
    pub(in crate::lower) fn only_sc(&mut self, body: &mut Body<'_>) {
        let message = self.message("atomic accesses of 16 bytes are only known under `--model sc`");
        body.emit(Inst::OnlySc { message });
    }
}
