//! Memory: allocated, freed, copied, filled.

use raveler_core::{Order, Width};

use super::super::Lowerer;
use super::super::function::{Body, Reported};
use super::Given;
use super::locks::result_of;
use crate::code::{Arith, Inst, Operand, Overflow, Place};

type Result<T> = std::result::Result<T, Reported>;

/// What `malloc` gives is aligned so.
pub(super) const MALLOC: u64 = 16;
/// And what `valloc` gives.
const PAGE: u64 = 4096;
const ENOMEM: u64 = 12;
const EINVAL: u64 = 22;

impl Lowerer<'_> {
    /// Allocate anew, copy what fits, free the old.
    fn reallocate(&mut self, body: &mut Body<'_>, given: &Given<'_>) -> Result<()> {
        self.code.reallocates = true;
        let (old, size) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
        let place = self.heap("realloc")?;
        let (new, had) = (body.fresh(1), body.fresh(1));
        let [look, make, made, copy, done] = std::array::from_fn(|_| body.new_label());
        let nothing = body.constant(0);
        body.emit(Inst::Move { to: had, from: nothing });
        body.emit(Inst::Branch { condition: old, yes: look, no: make });
        body.set_label(look);
        body.emit(Inst::SizeOf { to: had, address: old });
        body.set_label(make);
        let align = body.constant(MALLOC);
        body.emit(Inst::Allocate { to: new, size, align, place, zeroed: false, null: true });
        // Where there is no room the old object stays.
        body.emit(Inst::Branch { condition: Operand::register(new), yes: made, no: done });
        body.set_label(made);
        body.emit(Inst::Branch { condition: old, yes: copy, no: done });
        body.set_label(copy);
        let left = Operand::register(had);
        body.emit(Inst::Arith { op: Arith::UMin, bits: 64, to: had, left, right: size });
        body.emit(Inst::Copy { to: Operand::register(new), from: old, size: left, overlaps: false });
        body.emit(Inst::Free { address: old });
        body.set_label(done);
        body.emit(Inst::Move { to: given.to, from: Operand::register(new) });
        Ok(())
    }

    /// The alignment is a power of two and a multiple of that of pointers.
    fn posix_memalign(&mut self, body: &mut Body<'_>, given: &Given<'_>) -> Result<()> {
        let target = self.argument(body, given, 0)?;
        let (align, size) = (self.argument(body, given, 1)?, self.argument(body, given, 2)?);
        let place = self.heap("posix_memalign")?;
        let (rest, aligned, to) = (body.fresh(1), body.fresh(1), body.fresh(1));
        let (seven, one, none) = (body.constant(7), body.constant(1), body.constant(0));
        body.emit(Inst::Arith { op: Arith::And, bits: 64, to: rest, left: align, right: seven });
        let left = Operand::register(rest);
        body.emit(Inst::Arith { op: Arith::UMin, bits: 64, to: rest, left, right: one });
        body.emit(Inst::Select { to: aligned, condition: Operand::register(rest), yes: none, no: align });
        let align = Operand::register(aligned);
        body.emit(Inst::Allocate { to, size, align, place, zeroed: false, null: true });
        let [made, failed, done] = std::array::from_fn(|_| body.new_label());
        body.emit(Inst::Branch { condition: Operand::register(to), yes: made, no: failed });
        body.set_label(failed);
        // More than half of all numbers of bytes, or else no alignment.
        let (most, many) = (body.constant(63), body.fresh(1));
        body.emit(Inst::Arith { op: Arith::LShr, bits: 64, to: many, left: size, right: most });
        let (yes, no) = (body.constant(ENOMEM), body.constant(EINVAL));
        let answer = result_of(body, given);
        body.emit(Inst::Select { to: answer, condition: Operand::register(many), yes, no });
        body.emit(Inst::Jump { target: done });
        body.set_label(made);
        let from = Operand::register(to);
        body.emit(Inst::Store { from, address: target, width: Width::B8, order: Order::Plain });
        self.answer(body, given, 0);
        body.set_label(done);
        Ok(())
    }

    pub(super) fn heap(&mut self, name: &str) -> Result<u16> {
        let place = Place { name: name.into(), ..Place::default() };
        self.place(place).ok_or(Reported)
    }

    pub(in crate::lower) fn memory(
        &mut self,
        body: &mut Body<'_>,
        name: &str,
        given: &Given<'_>,
    ) -> Result<bool> {
        match name {
            "malloc"
            | "__VERIFIER_malloc"
            | "_Znwm"
            | "_Znam"
            | "_ZnwmRKSt9nothrow_t"
            | "_ZnamRKSt9nothrow_t"
            | "valloc" => {
                let size = self.argument(body, given, 0)?;
                let align = body.constant(if name == "valloc" { PAGE } else { MALLOC });
                let place = self.heap("malloc")?;
                let null = !matches!(name, "_Znwm" | "_Znam");
                body.emit(Inst::Allocate { to: given.to, size, align, place, zeroed: false, null });
            }
            "aligned_alloc" | "memalign" => {
                let (align, size) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                let place = self.heap("aligned_alloc")?;
                body.emit(Inst::Allocate { to: given.to, size, align, place, zeroed: false, null: true });
            }
            "_ZnwmSt11align_val_t"
            | "_ZnamSt11align_val_t"
            | "_ZnwmSt11align_val_tRKSt9nothrow_t"
            | "_ZnamSt11align_val_tRKSt9nothrow_t" => {
                let (size, align) = (self.argument(body, given, 0)?, self.argument(body, given, 1)?);
                let place = self.heap("new")?;
                let null = name.ends_with("nothrow_t");
                body.emit(Inst::Allocate { to: given.to, size, align, place, zeroed: false, null });
            }
            "posix_memalign" => self.posix_memalign(body, given)?,
            "calloc" => {
                let left = self.argument(body, given, 0)?;
                let right = self.argument(body, given, 1)?;
                // The size, and whether it is too large to be one.
                let size = body.fresh(2);
                body.emit(Inst::Overflow { op: Overflow::UMul, bits: 64, to: size, left, right });
                let place = self.heap("calloc")?;
                let (fits, too_large, done) = (body.new_label(), body.new_label(), body.new_label());
                let condition = Operand::register(size + 1);
                body.emit(Inst::Branch { condition, yes: too_large, no: fits });
                body.set_label(too_large);
                self.answer(body, given, 0);
                body.emit(Inst::Jump { target: done });
                body.set_label(fits);
                let (size, align) = (Operand::register(size), body.constant(MALLOC));
                body.emit(Inst::Allocate { to: given.to, size, align, place, zeroed: true, null: true });
                body.set_label(done);
            }
            "realloc" => self.reallocate(body, given)?,
            "free"
            | "__VERIFIER_free"
            | "_ZdlPv"
            | "_ZdlPvm"
            | "_ZdaPv"
            | "_ZdaPvm"
            | "_ZdlPvSt11align_val_t"
            | "_ZdlPvmSt11align_val_t"
            | "_ZdaPvSt11align_val_t"
            | "_ZdaPvmSt11align_val_t" => {
                let address = self.argument(body, given, 0)?;
                body.emit(Inst::Free { address });
            }
            "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => {
                let to = self.argument(body, given, 0)?;
                let from = self.argument(body, given, 1)?;
                let size = self.argument(body, given, 2)?;
                body.emit(Inst::Copy { to, from, size, overlaps: name.contains("memmove") });
                body.emit(Inst::Move { to: given.to, from: to });
            }
            "memset" | "__memset_chk" => {
                let to = self.argument(body, given, 0)?;
                let byte = self.argument(body, given, 1)?;
                let size = self.argument(body, given, 2)?;
                body.emit(Inst::Fill { to, byte, size });
                body.emit(Inst::Move { to: given.to, from: to });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
