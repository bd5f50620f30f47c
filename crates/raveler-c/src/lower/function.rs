//! One function: blocks become stretches of code, values become registers.
//!
//! This file is long because it is one flat list of instructions.

use std::collections::{HashMap, HashSet};

use raveler_core::{Order, SiteId, Width};

use super::constant::mask;
use super::layout::{Scalar, width_of};
use super::loops::{exits, loop_body, loop_heads, reached};
use super::promote::{self, Uses};
use super::scopes::{self, Scoped};
use super::wide::{Wide, is_wide};
use super::{Lowerer, dead, initial, live, unmarked};
use crate::code::{Function, Head, Inst, Modify, Operand, Reg, Unary};
use crate::demangle;
use crate::ir::{self, BlockId, Constant, Instruction, Life, Local, Op, Rmw, Type, Value};

/// A function on its way.
pub(super) struct Body<'f> {
    pub source: &'f ir::Function,
    pub out: Function,
    /// The first register of each local.
    pub slots: HashMap<Local, Reg>,
    /// Local variables that are registers, with their bits.
    pub promoted: HashMap<Local, u32>,
    /// Those of them that may be read before they are set.
    pub unset: HashSet<Local>,
    /// Local variables in memory that begin and end to live inside the call; then their sizes and places.
    pub scoped: HashMap<Local, Scoped>,
    pub begun: HashMap<Local, (Operand, u16)>,
    /// The places of the others.
    pub placed: HashMap<Local, u16>,
    constants: HashMap<u64, u16>,
    pub uses: Uses,
    /// Where labels stand: one per block, then those of edges.
    labels: Vec<u32>,
    /// Code that stands on edges: its label, where it goes, what it moves.
    edges: Vec<(u32, BlockId, BlockId)>,
    pub site: SiteId,
    pub location: Option<u32>,
}

/// It was reported.
pub(super) struct Reported;

pub(super) type Result<T> = std::result::Result<T, Reported>;

const MAX_REGISTERS: u32 = 1 << 15;

impl<'f> Body<'f> {
    pub(super) fn new(source: &'f ir::Function, promoted: HashMap<Local, u32>) -> Body<'f> {
        let name = source.subprogram.as_ref().map_or(&source.name, |s| &s.name).clone();
        let name = if name == demangle::CALLED {
            demangle::called(&source.name).unwrap_or_else(|| demangle::LAMBDA.into())
        } else {
            name
        };
        Body {
            source,
            out: Function { name, variadic: source.variadic, ..Function::default() },
            slots: HashMap::new(),
            unset: initial::maybe_unset(source, &promoted),
            scoped: scopes::scoped(source, &promoted),
            begun: HashMap::new(),
            placed: HashMap::new(),
            promoted,
            constants: HashMap::new(),
            uses: promote::uses(source),
            labels: vec![u32::MAX; source.blocks.len()],
            edges: Vec::new(),
            site: SiteId::NONE,
            location: None,
        }
    }

    /// All code is there: from labels to places, and what is live where.
    pub(super) fn finish(&mut self) {
        let labels = &self.labels;
        for inst in &mut self.out.code {
            match inst {
                Inst::Jump { target } => *target = labels[*target as usize],
                Inst::Branch { yes, no, .. } => {
                    *yes = labels[*yes as usize];
                    *no = labels[*no as usize];
                }
                Inst::Switch { default, .. } => *default = labels[*default as usize],
                _ => {}
            }
        }
        for pad in &mut self.out.pads {
            pad.target = labels[pad.target as usize];
        }
        for table in &mut self.out.switches {
            for (_, target) in table.iter_mut() {
                *target = labels[*target as usize];
            }
            table.sort_unstable();
        }
        live::find(&mut self.out);
    }

    pub(super) fn fresh(&mut self, count: usize) -> Reg {
        let first = self.out.registers;
        // Checked when the function is done.
        self.out.registers = u32::from(first).saturating_add(count as u32).min(MAX_REGISTERS - 1) as u16;
        first
    }

    pub(super) fn constant(&mut self, value: u64) -> Operand {
        let out = &mut self.out.constants;
        let index = *self.constants.entry(value).or_insert_with(|| {
            out.push(value);
            (out.len() - 1).min(MAX_REGISTERS as usize - 1) as u16
        });
        Operand::constant(index)
    }

    /// The value of an operand that is a constant.
    pub(super) fn value_of(&self, operand: Operand) -> Option<u64> {
        operand.decode().err().map(|index| self.out.constants[usize::from(index)])
    }

    pub(super) fn emit(&mut self, inst: Inst) {
        self.out.code.push(inst);
        self.out.sites.push(self.site);
    }

    /// The next instruction accesses memory this far behind an address of which the compiler knows the alignment (0 if
    /// it says nothing).
    pub(super) fn note_alignment(&mut self, align: u64, offset: u64, width: Width) {
        let known = if offset == 0 { align } else { align.min(1 << offset.trailing_zeros()) };
        if align != 0 && known < width.bytes() {
            self.out.unaligned.push(self.out.code.len() as u32);
        }
    }

    pub(super) fn new_label(&mut self) -> u32 {
        self.labels.push(u32::MAX);
        self.labels.len() as u32 - 1
    }

    pub(super) fn set_label(&mut self, label: u32) {
        self.labels[label as usize] = self.out.code.len() as u32;
    }

    pub(super) fn list(&mut self, operands: &[Operand]) -> (u16, u16) {
        let first = self.out.operands.len() as u16;
        self.out.operands.extend_from_slice(operands);
        (first, operands.len() as u16)
    }

    pub(super) fn slot(&mut self, local: Local, count: usize) -> Reg {
        if let Some(&slot) = self.slots.get(&local) {
            return slot;
        }
        let slot = self.fresh(count);
        self.slots.insert(local, slot);
        slot
    }
}

impl Lowerer<'_> {
    pub(super) fn function(&mut self, source: &ir::Function) -> Function {
        let tidied = scopes::tidied(source);
        let source = tidied.as_ref().unwrap_or(source);
        let marked = unmarked::marked(source, &self.module.debug, self.layout);
        let source = marked.as_ref().unwrap_or(source);
        let cleared = dead::marked(source, self.layout, &self.callees);
        let source = cleared.as_ref().unwrap_or(source);
        let mut body = Body::new(source, promote::promoted(source, self.layout));
        body.out.frame = 8 * body.promoted.len() as u32;
        let _ = self.lower_body(&mut body);
        body.out
    }

    fn lower_body(&mut self, body: &mut Body<'_>) -> Result<()> {
        let source = body.source;
        for (i, parameter) in source.parameters.iter().enumerate() {
            let count = self.scalars(body, &parameter.ty)?.len();
            body.slot(i as Local, count);
        }
        body.out.parameters = body.out.registers;
        let heads = loop_heads(source);
        let mut numbers: HashMap<BlockId, u16> = HashMap::new();
        let reached = reached(source);
        for (b, block) in source.blocks.iter().enumerate() {
            if self.is_over() {
                return Err(Reported);
            }
            body.set_label(b as u32);
            let mut begin = 0;
            if !reached[b] {
                // Nothing is asked of it.
                body.emit(Inst::Unreachable);
                continue;
            }
            if heads.contains_key(&(b as BlockId)) {
                let location = block.instructions.iter().find_map(|i| i.location);
                body.site = self.site(location);
                // What does not matter any more is no part of the state in which the head is visited.
                let comes_first = |i: &&ir::Instruction| {
                    matches!(i.op, Op::Phi { .. } | Op::Life { life: Life::Forgets, .. })
                };
                begin = block.instructions.iter().take_while(comes_first).count();
                for (i, instruction) in block.instructions[..begin].iter().enumerate() {
                    self.instruction(body, b as u32, i as u32, instruction)?;
                }
                let head = body.out.heads.len() as u16;
                numbers.insert(b as BlockId, head);
                body.out.heads.push(Head::default());
                body.emit(Inst::Loop { head });
            }
            for (i, instruction) in block.instructions.iter().enumerate().skip(begin) {
                if instruction.location.is_some() || i == 0 {
                    (body.location, self.location) = (instruction.location, instruction.location);
                    body.site = self.site(instruction.location);
                }
                self.instruction(body, b as u32, i as u32, instruction)?;
            }
        }
        let end = body.out.code.len() as u32;
        for (block, head, blocks) in heads
            .iter()
            .filter_map(|(&head, last)| Some((head, numbers.get(&head)?, loop_body(source, head, last))))
        {
            let range = |b: BlockId| {
                let until =
                    body.labels.get(b as usize + 1).filter(|_| (b as usize) + 1 < source.blocks.len());
                (body.labels[b as usize], until.copied().unwrap_or(end))
            };
            let (leaves, decides_last) = exits(source, block, &blocks);
            let branch = |(b, yes): (BlockId, bool)| (range(b).1 - 1, yes);
            let leaves = leaves.into_iter().map(branch).collect();
            let body_ranges = blocks.into_iter().map(range).collect();
            let head = &mut body.out.heads[usize::from(*head)];
            (head.body, head.leaves, head.decides_last) = (body_ranges, leaves, decides_last);
        }
        self.lower_edges(body)?;
        if u32::from(body.out.registers) >= MAX_REGISTERS - 1
            || body.out.constants.len() >= MAX_REGISTERS as usize - 1
            || body.out.operands.len() > usize::from(u16::MAX)
        {
            return self.refuse(body, format!("the function `{}` is too large", body.out.name));
        }
        body.finish();
        Ok(())
    }

    pub(super) fn refuse<T>(&mut self, body: &Body<'_>, message: impl Into<String>) -> Result<T> {
        self.problem(body.location, message.into(), None);
        Err(Reported)
    }

    /// The scalars of a type that lives in registers.
    pub(super) fn scalars(&mut self, body: &Body<'_>, ty: &Type) -> Result<Vec<Scalar>> {
        match self.layout.scalars(ty) {
            Some(scalars) => Ok(scalars),
            None => {
                let what = match self.layout.resolve(ty) {
                    Type::Int(bits) => format!("integers of {bits} bits are"),
                    Type::Float(bits) => format!("floating-point numbers of {bits} bits (`long double`) are"),
                    _ => "values of this type are".into(),
                };
                self.refuse(body, format!("{what} not supported"))
            }
        }
    }

    pub(super) fn scalar(&mut self, body: &Body<'_>, ty: &Type) -> Result<u32> {
        match self.width(ty) {
            Some(bits) => Ok(bits),
            None => {
                let scalars = self.scalars(body, ty)?;
                match scalars[..] {
                    [only] => Ok(only.bits),
                    _ => self.refuse(body, "this operation on a vector or aggregate is not supported"),
                }
            }
        }
    }

    /// A scalar operand.
    pub(super) fn operand(&mut self, body: &mut Body<'_>, ty: &Type, value: &Value) -> Result<Operand> {
        match self.operands(body, ty, value)?[..] {
            [only] => Ok(only),
            _ => self.refuse(body, "this operation on a vector or aggregate is not supported"),
        }
    }

    /// All scalars of an operand.
    pub(super) fn operands(&mut self, body: &mut Body<'_>, ty: &Type, value: &Value) -> Result<Vec<Operand>> {
        let scalars = self.scalars(body, ty)?;
        match value {
            Value::Metadata => Ok(Vec::new()),
            Value::Local(local) => {
                let first = body.slot(*local, scalars.len());
                Ok((first..first + scalars.len() as u16).map(Operand::register).collect())
            }
            Value::Constant(constant) => {
                let mut out = Vec::new();
                self.constant_operands(body, ty, constant, &mut out)?;
                Ok(out)
            }
        }
    }

    fn constant_operands(
        &mut self,
        body: &mut Body<'_>,
        ty: &Type,
        constant: &Constant,
        out: &mut Vec<Operand>,
    ) -> Result<()> {
        match constant {
            Constant::Zero | Constant::Undef => {
                let zero = body.constant(0);
                out.resize(out.len() + self.scalars(body, ty)?.len(), zero);
            }
            Constant::Aggregate(elements) => {
                for (ty, element) in elements {
                    self.constant_operands(body, ty, element, out)?;
                }
            }
            Constant::Splat(element) => {
                let count = match self.layout.resolve(ty) {
                    Type::Vector(count, _) | Type::Array(count, _) => *count,
                    _ => 0,
                };
                for _ in 0..count {
                    self.constant_operands(body, &element.0, &element.1, out)?;
                }
            }
            Constant::Bytes(bytes) => {
                for &byte in bytes {
                    let byte = body.constant(u64::from(byte));
                    out.push(byte);
                }
            }
            _ => {
                if let Some(message) = self.unknown_table(constant) {
                    // Perhaps nothing comes here.
                    let message = self.message(&message);
                    body.emit(Inst::Refuse { message });
                    out.push(body.constant(0));
                    return Ok(());
                }
                if let Some(address) = self.thread_local(body, ty, constant)? {
                    out.push(address);
                    return Ok(());
                }
                let words = match constant {
                    Constant::Int(bits) | Constant::Float(bits) => vec![*bits as u64, (bits >> 64) as u64],
                    Constant::Wide(words) => words.clone(),
                    _ => Vec::new(),
                };
                let count = self.scalars(body, ty)?.len();
                if count > 1 && !words.is_empty() {
                    for i in 0..count {
                        out.push(body.constant(words.get(i).copied().unwrap_or(0)));
                    }
                    return Ok(());
                }
                let Some(bits) = self.bits(ty, constant) else {
                    let missing = root_name(constant);
                    return match missing {
                        Some(name) => self.undefined(body, &name),
                        None => self.refuse(body, "this constant is not supported"),
                    };
                };
                let bits = mask(bits, self.width(ty).unwrap_or(64));
                out.push(body.constant(bits));
            }
        }
        Ok(())
    }

    pub(super) fn result(&mut self, body: &mut Body<'_>, instruction: &Instruction, count: usize) -> Reg {
        match instruction.result {
            Some(local) => body.slot(local, count),
            None => body.fresh(count),
        }
    }

    fn width_of_access(&mut self, body: &Body<'_>, bits: u32) -> Result<Width> {
        match width_of(bits) {
            Some(width) => Ok(width),
            None => self.refuse(body, format!("accesses of {bits} bits are not supported")),
        }
    }

    fn instruction(
        &mut self,
        body: &mut Body<'_>,
        block: u32,
        at: u32,
        instruction: &Instruction,
    ) -> Result<()> {
        match &instruction.op {
            Op::Alloca { ty, count, align } => self.alloca(body, instruction, ty, count, *align),
            Op::Load { ty, address, order, single_thread, volatile, align } => {
                if let Some(local) = Self::is_promoted(body, address) {
                    return self.load_promoted(body, block, at, instruction, local);
                }
                let order = self.order(body, ty, plain_or(*order, *single_thread), *volatile)?;
                if order.is_atomic() && is_wide(ty) {
                    let to = self.result(body, instruction, 2);
                    return self.wide_atomic(body, to, address, Wide::Load);
                }
                self.load(body, instruction, ty, address, (order, *align))
            }
            Op::Store { value, address, order, single_thread, volatile, align } => {
                if let Some(local) = Self::is_promoted(body, address) {
                    let from = self.operand(body, &value.ty, &value.value)?;
                    let to = body.slot(local, 1);
                    body.emit(Inst::Move { to, from });
                    return Ok(());
                }
                let order = self.order(body, &value.ty, plain_or(*order, *single_thread), *volatile)?;
                if order.is_atomic() && is_wide(&value.ty) {
                    let to = body.fresh(2);
                    return self.wide_atomic(body, to, address, Wide::Exchange(value));
                }
                if names_methods(&value.value) && is_destructor(&body.source.name) {
                    return self.store_if_other(body, value, address, *align);
                }
                self.store(body, value, address, (order, *align))
            }
            Op::AtomicRmw { op: Rmw::Xchg, address, value, .. } if is_wide(&value.ty) => {
                let to = self.result(body, instruction, 2);
                self.wide_atomic(body, to, address, Wide::Exchange(value))
            }
            Op::AtomicRmw { op, address, value, order, .. } => {
                let op = match op {
                    Rmw::Xchg => Modify::Exchange,
                    Rmw::Add => Modify::Add,
                    Rmw::Sub => Modify::Sub,
                    Rmw::And => Modify::And,
                    Rmw::Nand => Modify::Nand,
                    Rmw::Or => Modify::Or,
                    Rmw::Xor => Modify::Xor,
                    Rmw::Max => Modify::Max,
                    Rmw::Min => Modify::Min,
                    Rmw::UMax => Modify::UMax,
                    Rmw::UMin => Modify::UMin,
                    Rmw::FAdd | Rmw::FSub | Rmw::FMax | Rmw::FMin => {
                        return self
                            .refuse(body, "atomic arithmetic on floating-point numbers is not supported");
                    }
                };
                let bits = self.scalar(body, &value.ty)?;
                let width = self.width_of_access(body, bits)?;
                let address = self.operand(body, &address.ty, &address.value)?;
                let operand = self.operand(body, &value.ty, &value.value)?;
                let to = self.result(body, instruction, 1);
                let order = unlocking(body.source, order_of(*order));
                body.emit(Inst::Modify { op, to, address, operand, width, order, looks: false });
                Ok(())
            }
            Op::CompareExchange { address, expected, desired, .. } if is_wide(&expected.ty) => {
                let to = self.result(body, instruction, 3);
                self.wide_atomic(body, to, address, Wide::CompareExchange(expected, desired))
            }
            Op::CompareExchange { address, expected, desired, success, failure, weak, .. } => {
                let bits = self.scalar(body, &expected.ty)?;
                let width = self.width_of_access(body, bits)?;
                let address = self.operand(body, &address.ty, &address.value)?;
                let expected = self.operand(body, &expected.ty, &expected.value)?;
                let desired = self.operand(body, &desired.ty, &desired.value)?;
                let to = self.result(body, instruction, 2);
                body.emit(Inst::CompareExchange {
                    to,
                    address,
                    expected,
                    desired,
                    width,
                    success: order_of(*success),
                    failure: order_of(*failure),
                    weak: *weak,
                });
                Ok(())
            }
            Op::Fence { order, single_thread } => {
                if !single_thread {
                    body.emit(Inst::Fence { order: order_of(*order) });
                }
                Ok(())
            }
            Op::Element { ty, base, indices } => self.element(body, instruction, ty, base, indices),
            Op::Binary { op, ty, left, right } => self.binary(body, instruction, *op, ty, left, right),
            Op::FloatNegate { operand } => {
                let count = self.scalars(body, &operand.ty)?.len();
                let to = self.result(body, instruction, count);
                self.unary(body, Unary::FNeg, &operand.ty, &operand.value, to)
            }
            Op::Compare { op, ty, left, right } => self.compare(body, instruction, *op, ty, left, right),
            Op::Cast { op, operand, to } => self.cast(body, instruction, *op, operand, to),
            Op::Select { condition, yes, no } => {
                let conditions = self.operands(body, &condition.ty, &condition.value)?;
                let left = self.operands(body, &yes.ty, &yes.value)?;
                let right = self.operands(body, &no.ty, &no.value)?;
                let to = self.result(body, instruction, left.len());
                // One condition for all, or one for each element of a vector.
                let each = left.len() / conditions.len().max(1);
                for (i, (yes, no)) in left.into_iter().zip(right).enumerate() {
                    let Some(&condition) = conditions.get(i / each.max(1)) else {
                        return self.refuse(body, "this choice is not supported");
                    };
                    body.emit(Inst::Select { to: to + i as u16, condition, yes, no });
                }
                Ok(())
            }
            Op::Phi { ty, .. } => {
                // Its moves stand on the edges.
                let count = self.scalars(body, ty)?.len();
                self.result(body, instruction, count);
                Ok(())
            }
            Op::ExtractValue { aggregate, path } => {
                let (first, count) = self.path(body, &aggregate.ty, path)?;
                let all = self.operands(body, &aggregate.ty, &aggregate.value)?;
                let to = self.result(body, instruction, count);
                for (i, &from) in all[first..first + count].iter().enumerate() {
                    body.emit(Inst::Move { to: to + i as u16, from });
                }
                Ok(())
            }
            Op::InsertValue { aggregate, element, path } => {
                let (first, count) = self.path(body, &aggregate.ty, path)?;
                let mut all = self.operands(body, &aggregate.ty, &aggregate.value)?;
                let part = self.operands(body, &element.ty, &element.value)?;
                all[first..first + count].copy_from_slice(&part);
                let to = self.result(body, instruction, all.len());
                for (i, from) in all.into_iter().enumerate() {
                    body.emit(Inst::Move { to: to + i as u16, from });
                }
                Ok(())
            }
            Op::Freeze { operand } => {
                let all = self.operands(body, &operand.ty, &operand.value)?;
                let to = self.result(body, instruction, all.len());
                for (i, from) in all.into_iter().enumerate() {
                    body.emit(Inst::Move { to: to + i as u16, from });
                }
                Ok(())
            }
            Op::Call { callee, result, fixed, arguments, invoke } => {
                let count = self.scalars(body, result)?.len();
                let to = self.result(body, instruction, count);
                let places = self.code.places.len();
                let from = body.out.code.len() as u32;
                self.call(body, callee, result, to, arguments, *fixed)?;
                if places < self.code.places.len()
                    && let Some(result) = instruction.result
                {
                    self.name_parts(body, places, result, arguments);
                }
                if let Some((normal, unwind)) = invoke {
                    let until = body.out.code.len() as u32;
                    self.pad(body, (from, until), (block, *unwind))?;
                    let target = self.edge(body, block, *normal);
                    body.emit(Inst::Jump { target });
                }
                Ok(())
            }
            Op::Life { variable, life } => {
                self.life(body, *variable, *life);
                Ok(())
            }
            Op::Jump { target } => {
                let target = self.edge(body, block, *target);
                body.emit(Inst::Jump { target });
                Ok(())
            }
            Op::Branch { condition, yes, no } => {
                let condition = self.operand(body, &condition.ty, &condition.value)?;
                let (yes, no) = (self.edge(body, block, *yes), self.edge(body, block, *no));
                body.emit(Inst::Branch { condition, yes, no });
                Ok(())
            }
            Op::Switch { operand, default, cases } => self.switch(body, block, operand, *default, cases),
            Op::Return { value } => {
                let values = match value {
                    Some(value) => self.operands(body, &value.ty, &value.value)?,
                    None => Vec::new(),
                };
                let (first, count) = body.list(&values);
                body.emit(Inst::Return { first, count });
                Ok(())
            }
            Op::Unreachable => {
                body.emit(Inst::Unreachable);
                Ok(())
            }
            Op::LandingPad { .. } => {
                let to = self.result(body, instruction, 2);
                body.emit(Inst::Landed { to });
                Ok(())
            }
            Op::Resume { value } => {
                let exception = self.operands(body, &value.ty, &value.value)?[0];
                body.emit(Inst::Resume { exception });
                Ok(())
            }
            Op::ExtractElement { vector, index } => self.extract_element(body, instruction, vector, index),
            Op::InsertElement { vector, element, index } => {
                self.insert_element(body, instruction, vector, element, index)
            }
            Op::ShuffleVector { left, right, mask } => self.shuffle(body, instruction, left, right, mask),
            Op::VaArg { list, ty } => self.next_argument(body, instruction, list, ty),
            Op::IndirectBranch { address, targets } => self.computed_goto(body, block, address, targets),
        }
    }

    /// The label to go to for an edge: the block itself, or the moves for its phis.
    pub(super) fn edge(&mut self, body: &mut Body<'_>, from: BlockId, to: BlockId) -> u32 {
        let has_phi = body.source.blocks[to as usize]
            .instructions
            .first()
            .is_some_and(|i| matches!(i.op, Op::Phi { .. }));
        if !has_phi {
            return to;
        }
        let label = body.new_label();
        body.edges.push((label, from, to));
        label
    }

    /// The moves on edges, behind everything else.
    fn lower_edges(&mut self, body: &mut Body<'_>) -> Result<()> {
        for (label, from, to) in std::mem::take(&mut body.edges) {
            body.set_label(label);
            let mut moves = Vec::new();
            for instruction in &body.source.blocks[to as usize].instructions {
                let Op::Phi { ty, incoming } = &instruction.op else { break };
                let Some((value, _)) = incoming.iter().find(|(_, block)| *block == from) else {
                    return self.refuse(body, "a value is missing where two paths meet");
                };
                let values = self.operands(body, ty, value)?;
                let first = self.result(body, instruction, values.len());
                moves.extend(values.into_iter().enumerate().map(|(i, from)| (first + i as u16, from)));
            }
            let written: HashSet<Reg> = moves.iter().map(|&(to, _)| to).collect();
            let overlap = moves.iter().any(|(_, from)| from.decode().is_ok_and(|reg| written.contains(&reg)));
            if overlap {
                let temporary = body.fresh(moves.len());
                for (i, (_, from)) in moves.iter_mut().enumerate() {
                    body.emit(Inst::Move { to: temporary + i as u16, from: *from });
                    *from = Operand::register(temporary + i as u16);
                }
            }
            for (to, from) in moves {
                body.emit(Inst::Move { to, from });
            }
            body.emit(Inst::Jump { target: to });
        }
        Ok(())
    }
}

/// The function or variable that a constant is an address in.
pub(super) fn root_name(constant: &Constant) -> Option<String> {
    match constant {
        Constant::Global(name) => Some(name.clone()),
        Constant::Element { base, .. } => root_name(&base.1),
        Constant::Cast(_, inner, _) => root_name(&inner.1),
        _ => None,
    }
}

/// Is this the address of a table of methods, by the names of C++?
fn names_methods(value: &Value) -> bool {
    let Value::Constant(constant) = value else { return false };
    root_name(constant).is_some_and(|name| name.starts_with("_ZTV"))
}

/// Is this a destructor, by the names of C++?
fn is_destructor(name: &str) -> bool {
    name.starts_with("_ZN") && ["D0Ev", "D1Ev", "D2Ev"].iter().any(|end| name.ends_with(end))
}

/// The lock inside of `std::atomic<std::shared_ptr>` is released by a relaxed update in many versions of libstdc++, which
/// orders nothing. That is no mistake of the program: it is taken to release.
fn unlocking(function: &ir::Function, order: Order) -> Order {
    let is_unlock = function.name.contains("_Sp_atomic")
        && ["_Atomic_count6unlockE", "_M_wait_unlockE"].iter().any(|name| function.name.contains(name));
    if is_unlock && order == Order::Relaxed { Order::Release } else { order }
}

pub(super) fn plain_or(order: Option<ir::Order>, single_thread: bool) -> Order {
    match order {
        Some(order) if !single_thread => order_of(order),
        _ => Order::Plain,
    }
}

pub(super) fn order_of(order: ir::Order) -> Order {
    match order {
        ir::Order::Unordered | ir::Order::Monotonic => Order::Relaxed,
        ir::Order::Acquire => Order::Acquire,
        ir::Order::Release => Order::Release,
        ir::Order::AcqRel => Order::AcqRel,
        ir::Order::SeqCst => Order::SeqCst,
    }
}
