//! Where things lie: local variables in memory or in registers, addresses of elements and members.

use raveler_core::Shape;

use super::Lowerer;
use super::constant::{KIND_MEMBER, extend};
use super::function::{Body, Reported, Result, root_name};
use super::{promote, unmarked};
use crate::address;
use crate::code::{Arith, Inst, Operand, Place};
use crate::ir::{self, Constant, Instruction, Life, Local, Op, Type, Value};

impl Lowerer<'_> {
    pub(super) fn alloca(
        &mut self,
        body: &mut Body<'_>,
        instruction: &Instruction,
        ty: &Type,
        count: &ir::Operand,
        align: u64,
    ) -> Result<()> {
        let Some(result) = instruction.result else { return Ok(()) };
        if let Some(&bits) = body.promoted.get(&result) {
            let register = body.slot(result, 1);
            if let Some((_, variable)) = body.source.variables.iter().find(|(local, _)| *local == result) {
                body.out.variables.push((register, variable.name.clone()));
            }
            if body.unset.contains(&result) {
                let name = self.message(&variable_name(body, result));
                body.emit(Inst::Forget { register, bits: bits as u8, name });
            }
            return Ok(());
        }
        let Some(size) = self.layout.size(ty) else {
            return self.refuse(body, "a local variable has a type without a size");
        };
        let size = match &count.value {
            Value::Constant(Constant::Int(n)) => body.constant(size.wrapping_mul(*n as u64)),
            value => {
                let n = self.operand(body, &count.ty, value)?;
                let scale = body.constant(size);
                let to = body.fresh(1);
                body.emit(Inst::Arith { op: Arith::Mul, bits: 64, to, left: n, right: scale });
                Operand::register(to)
            }
        };
        let name = variable_name(body, result);
        let cells = self.layout.cells(ty);
        let scoped = body.scoped.get(&result).copied();
        let again = scoped.is_some_and(|scoped| scoped.again);
        self.code.has_lives |= again;
        let place = Place { name, cells, stack: true, align, scoped: scoped.is_some(), again };
        let Some(place) = self.place(place) else { return Err(Reported) };
        if let Some((_, variable)) = body.source.variables.iter().find(|(local, _)| *local == result) {
            self.code.sources.allocated[usize::from(place)].1 = variable.shape.clone();
        }
        if body.scoped.contains_key(&result) {
            // It begins to live where its block begins.
            body.begun.insert(result, (size, place));
            return Ok(());
        }
        body.placed.insert(result, place);
        let to = body.slot(result, 1);
        body.emit(Inst::Alloca { to, size, place });
        Ok(())
    }

    /// A variable begins to live, or ends.
    pub(super) fn life(&mut self, body: &mut Body<'_>, variable: Local, life: Life) {
        if let Some(&bits) = body.promoted.get(&variable) {
            // What the last round of a loop left in it is gone.
            if life == Life::Begins && body.unset.contains(&variable) {
                let register = body.slot(variable, 1);
                let name = self.message(&variable_name(body, variable));
                body.emit(Inst::Forget { register, bits: bits as u8, name });
            }
            return;
        }
        if let Some(&place) = body.placed.get(&variable).filter(|_| life == Life::Forgets) {
            body.emit(Inst::Clear { place });
            return;
        }
        let Some(&(size, place)) = body.begun.get(&variable) else { return };
        let to = body.slot(variable, 1);
        body.emit(match life {
            Life::Begins => Inst::Begin { to, size, place },
            Life::Continues => Inst::Continue { to, size, place },
            Life::Ends => Inst::End { size, place },
            Life::Forgets => Inst::Clear { place },
        });
    }

    /// Memory that was just allocated has the parts of what the variable it is kept in points to.
    pub(super) fn name_parts(
        &mut self,
        body: &Body<'_>,
        place: usize,
        result: Local,
        given: &[ir::Argument],
    ) {
        let Some(&(ref shape, size)) = pointee(body, result) else { return };
        if self.code.places[place].stack || size == 0 {
            return;
        }
        let constant = |argument: &ir::Argument| match argument.operand.value {
            Value::Constant(Constant::Int(number)) => Some(number as u64),
            _ => None,
        };
        // `malloc(size)`, `calloc(1, size)`, `aligned_alloc(64, size)`: one, else perhaps more.
        let one = given.iter().any(|argument| constant(argument) == Some(size));
        let array = || Shape::Elements { of: Box::new(shape.clone()), size };
        self.code.sources.allocated[place].1 = if one { shape.clone() } else { array() };
    }

    pub(super) fn load_promoted(
        &mut self,
        body: &mut Body<'_>,
        block: u32,
        at: u32,
        instruction: &Instruction,
        variable: Local,
    ) -> Result<()> {
        let from = body.slot(variable, 1);
        let Some(result) = instruction.result else { return Ok(()) };
        if promote::needs_no_copy(body.source, &body.uses, block, at, result, variable) {
            body.slots.insert(result, from);
            return Ok(());
        }
        let to = body.slot(result, 1);
        body.emit(Inst::Move { to, from: Operand::register(from) });
        Ok(())
    }

    /// An address some bytes further on.
    pub(super) fn offset(&mut self, body: &mut Body<'_>, address: Operand, offset: u64) -> Operand {
        if offset == 0 {
            return address;
        }
        if let Err(index) = address.decode() {
            let value = body.out.constants[usize::from(index)].wrapping_add(offset);
            return body.constant(value);
        }
        let right = body.constant(offset);
        let to = body.fresh(1);
        body.emit(Inst::Arith { op: Arith::Add, bits: 64, to, left: address, right });
        Operand::register(to)
    }

    pub(super) fn element(
        &mut self,
        body: &mut Body<'_>,
        instruction: &Instruction,
        ty: &Type,
        base: &ir::Operand,
        indices: &[ir::Operand],
    ) -> Result<()> {
        let layout = self.layout;
        let mut address = self.operand(body, &base.ty, &base.value)?;
        let mut inside = ty;
        let mut constant = 0u64;
        for (i, index) in indices.iter().enumerate() {
            let scale = match layout.resolve(inside) {
                _ if i == 0 => layout.size(ty),
                Type::Array(_, element) | Type::Vector(_, element) => {
                    inside = element;
                    layout.size(element)
                }
                Type::Struct { .. } => {
                    let Value::Constant(Constant::Int(number)) = index.value else {
                        return self.refuse(body, "the member of a struct is chosen by a variable");
                    };
                    self.kinds.found |= self.is_mutex(inside) && number == KIND_MEMBER as u128;
                    let Some((member, offset)) = layout.member(inside, number as u64) else {
                        return self.refuse(body, "a struct has no such member");
                    };
                    inside = member;
                    constant = constant.wrapping_add(offset);
                    continue;
                }
                _ => None,
            };
            let Some(scale) = scale else {
                return self.refuse(body, "an address into a type without a size");
            };
            let bits = self.scalar(body, &index.ty)?;
            if let Value::Constant(Constant::Int(number)) = index.value {
                let number = extend(number as u64, bits);
                constant = constant.wrapping_add(number.wrapping_mul(scale));
                continue;
            }
            let index = self.operand(body, &index.ty, &index.value)?;
            let scale = body.constant(scale);
            let to = body.fresh(1);
            body.emit(Inst::Element { bits: bits as u8, to, base: address, index, scale });
            address = Operand::register(to);
        }
        address = self.offset(body, address, constant);
        let to = self.result(body, instruction, 1);
        body.emit(Inst::Move { to, from: address });
        Ok(())
    }

    /// The address of a thread-local variable, or of something in it, which is another one in each thread.
    pub(super) fn thread_local(
        &mut self,
        body: &mut Body<'_>,
        ty: &Type,
        constant: &Constant,
    ) -> Result<Option<Operand>> {
        let name = root_name(constant).filter(|name| {
            self.globals.get(name.as_str()).is_some_and(|&g| self.module.globals[g].thread_local)
        });
        let global = name.as_ref().and_then(|name| self.globals.get(name.as_str()));
        let global = global.map(|&global| &self.module.globals[global]);
        let zeros = |initial: &Constant| {
            matches!(initial, Constant::Zero | Constant::Null | Constant::Undef | Constant::Int(0))
        };
        let starts_as_zeros = global.is_some_and(|global| global.initial.as_ref().is_none_or(zeros));
        let size = global.and_then(|global| self.layout.size(&global.ty)).unwrap_or(0);
        let Some(bits) = name.as_ref().and_then(|_| self.bits(ty, constant)) else { return Ok(None) };
        let address::Target::Global { index, offset } = address::decode(bits) else { return Ok(None) };
        let place = match self.thread_locals.get(&index) {
            Some(&place) => place,
            None => {
                let global = &self.code.globals[index as usize];
                let align = name
                    .and_then(|name| self.globals.get(name.as_str()))
                    .map(|&g| self.module.globals[g].align);
                let align = align.unwrap_or(0);
                let (name, cells) = (global.name.clone(), global.cells.clone());
                let place = Place { name, cells, stack: true, align, ..Place::default() };
                let Some(place) = self.place(place) else { return Err(Reported) };
                self.thread_locals.insert(index, place);
                place
            }
        };
        let to = body.fresh(2);
        body.emit(Inst::ThreadLocal { to, global: index, place });
        let at = Operand::register(to);
        if !starts_as_zeros {
            let (made, done) = (body.new_label(), body.new_label());
            body.emit(Inst::Branch { condition: Operand::register(to + 1), yes: made, no: done });
            body.set_label(made);
            let (from, size) = (body.constant(bits - offset), body.constant(size));
            body.emit(Inst::Copy { to: at, from, size, overlaps: false });
            body.set_label(done);
        }
        Ok(Some(self.offset(body, at, offset)))
    }
}

/// What the variable points to in which the source keeps this value, if it keeps it in one.
fn pointee<'b>(body: &'b Body<'_>, value: Local) -> Option<&'b (Shape, u64)> {
    body.uses[value as usize].iter().find_map(|&(block, at)| {
        let user = body.source.blocks[block as usize].instructions.get(at as usize)?;
        match &user.op {
            Op::Store { value: stored, address, .. } if stored.value == Value::Local(value) => {
                let Value::Local(variable) = address.value else { return None };
                let variable = body.source.variables.iter().find(|(local, _)| *local == variable)?;
                variable.1.points_to.as_ref()
            }
            Op::Cast { .. } => pointee(body, user.result?),
            _ => None,
        }
    })
}

/// What the source calls a variable.
fn variable_name(body: &Body<'_>, local: Local) -> String {
    match body.source.variables.iter().find(|(variable, _)| *variable == local) {
        Some((_, variable)) => variable.name.clone(),
        None if unmarked::is_literal(body.source, local) => "compound literal".into(),
        None => body.source.locals[local as usize].clone(),
    }
}
