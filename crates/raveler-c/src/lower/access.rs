//! Loads and stores of memory.

use raveler_core::{Order, Width};

use super::Lowerer;
use super::function::{Body, Result};
use super::layout::width_of;
use crate::code::{Arith, Inst, Operand, Reg, Test};
use crate::ir::{self, Binary, Instruction, Op, Type, Value};

/// The accesses that so many bytes take: offset and width.
fn pieces(bytes: u64) -> impl Iterator<Item = (u64, Width)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (size, width) = match bytes - at {
            0 => return None,
            1 => (1, Width::B1),
            2 | 3 => (2, Width::B2),
            4..=7 => (4, Width::B4),
            _ => (8, Width::B8),
        };
        at += size;
        Some((at - size, width))
    })
}

/// The width of an access to a number of so many bits; none if it takes more than one.
fn whole(bits: u32) -> Option<Width> {
    width_of(bits).filter(|_| bits.div_ceil(8).is_power_of_two())
}

/// Is this load a word of a structure that is passed by value? clang reads such words through a type without a name,
/// `{ i64, i64 }`, and gives them to the call alone. They are copies, and copying what nobody set is no mistake.
fn is_passed_on(body: &Body<'_>, load: &Instruction, address: &ir::Operand) -> bool {
    let (Some(result), Value::Local(at)) = (load.result, &address.value) else { return false };
    let instructions = || body.source.blocks.iter().flat_map(|block| &block.instructions);
    let word = || instructions().find(|i| i.result == Some(*at)).map(|i| &i.op);
    let uses = &body.uses[result as usize];
    let is_call = |&(block, at): &(u32, u32)| {
        let instruction = body.source.blocks[block as usize].instructions.get(at as usize);
        instruction.is_some_and(|i| matches!(i.op, Op::Call { .. }))
    };
    !uses.is_empty()
        && uses.iter().all(is_call)
        && matches!(word(), Some(Op::Element { ty: Type::Struct { .. }, .. }))
}

/// Is this load the first step of setting a bit-field? Its neighbours are only copied then. clang loads the word in which it
/// lies, clears its bits, puts the new ones there, if any is 1, and stores the word.
fn keeps_neighbours(body: &Body<'_>, load: &Instruction, address: &ir::Operand) -> bool {
    let only_use = |result: Option<u32>| match body.uses[result? as usize][..] {
        [(block, at)] => body.source.blocks[block as usize].instructions.get(at as usize),
        _ => None,
    };
    let stores = |instruction: &Instruction| match &instruction.op {
        Op::Store { address: to, order: None, .. } => to.value == address.value,
        _ => false,
    };
    let Some(cleared) = only_use(load.result) else { return false };
    let clears = match &cleared.op {
        Op::Binary { op: Binary::And, right, .. } => matches!(right, Value::Constant(_)),
        _ => false,
    };
    if !clears {
        return false;
    }
    match only_use(cleared.result) {
        Some(set) if matches!(set.op, Op::Binary { op: Binary::Or, .. }) => {
            only_use(set.result).is_some_and(stores)
        }
        Some(store) => stores(store),
        None => false,
    }
}

impl Lowerer<'_> {
    pub(super) fn load(
        &mut self,
        body: &mut Body<'_>,
        instruction: &Instruction,
        ty: &Type,
        address: &ir::Operand,
        (order, align): (Order, u64),
    ) -> Result<()> {
        let copies = order == Order::Plain
            && (is_passed_on(body, instruction, address) || keeps_neighbours(body, instruction, address));
        let address = self.operand(body, &address.ty, &address.value)?;
        let scalars = self.scalars(body, ty)?;
        let to = self.result(body, instruction, scalars.len());
        self.only_one(body, order, &scalars.iter().map(|s| s.bits).collect::<Vec<_>>())?;
        for (i, scalar) in scalars.iter().enumerate() {
            let (to, bits) = (to + i as u16, scalar.bits as u8);
            match whole(scalar.bits) {
                Some(width) => {
                    let address = self.offset(body, address, scalar.offset);
                    body.note_alignment(align, scalar.offset, width);
                    if copies {
                        body.out.copies.push(body.out.code.len() as u32);
                    }
                    body.emit(Inst::Load { to, address, width, order, bits });
                }
                None => {
                    let bytes = u64::from(scalar.bits.div_ceil(8));
                    let from = self.load_bytes(body, address, scalar.offset, bytes, align)?;
                    body.emit(Inst::Truncate { bits, to, from });
                }
            }
        }
        Ok(())
    }

    /// Store a value of eight bytes, unless it is there already. So a destructor sets the table of methods of its class: the
    /// standard knows of no such store, and calls of methods that go on meanwhile find what they found before.
    pub(super) fn store_if_other(
        &mut self,
        body: &mut Body<'_>,
        value: &ir::Operand,
        address: &ir::Operand,
        align: u64,
    ) -> Result<()> {
        let at = self.operand(body, &address.ty, &address.value)?;
        let new = self.operand(body, &value.ty, &value.value)?;
        let (old, same) = (body.fresh(1), body.fresh(1));
        let (set, done) = (body.new_label(), body.new_label());
        body.note_alignment(align, 0, Width::B8);
        body.emit(Inst::Load { to: old, address: at, width: Width::B8, order: Order::Plain, bits: 64 });
        body.emit(Inst::Test { op: Test::Eq, bits: 64, to: same, left: Operand::register(old), right: new });
        body.emit(Inst::Branch { condition: Operand::register(same), yes: done, no: set });
        body.set_label(set);
        self.store(body, value, address, (Order::Plain, align))?;
        body.set_label(done);
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        body: &mut Body<'_>,
        value: &ir::Operand,
        address: &ir::Operand,
        (order, align): (Order, u64),
    ) -> Result<()> {
        let address = self.operand(body, &address.ty, &address.value)?;
        let scalars = self.scalars(body, &value.ty)?;
        self.only_one(body, order, &scalars.iter().map(|s| s.bits).collect::<Vec<_>>())?;
        let values = self.operands(body, &value.ty, &value.value)?;
        for (scalar, from) in scalars.iter().zip(values) {
            if let Some(width) = whole(scalar.bits) {
                let address = self.offset(body, address, scalar.offset);
                body.note_alignment(align, scalar.offset, width);
                body.emit(Inst::Store { from, address, width, order });
                continue;
            }
            for (at, width) in pieces(u64::from(scalar.bits.div_ceil(8))) {
                let part = self.shifted(body, Arith::LShr, from, at * 8);
                let address = self.offset(body, address, scalar.offset + at);
                body.note_alignment(align, scalar.offset + at, width);
                body.emit(Inst::Store { from: part, address, width, order });
            }
        }
        Ok(())
    }

    /// The order of an access that may be volatile. What takes several accesses is no atomic one, whatever it is called.
    pub(super) fn order(
        &mut self,
        body: &Body<'_>,
        ty: &Type,
        order: Order,
        volatile: bool,
    ) -> Result<Order> {
        if !volatile || order.is_atomic() {
            return Ok(order);
        }
        let scalars = self.scalars(body, ty)?;
        let is_one = matches!(&scalars[..], [scalar] if whole(scalar.bits).is_some());
        if self.options.volatile_is_relaxed && is_one {
            return Ok(Order::Relaxed);
        }
        let site = self.site(body.location);
        let known = &mut self.code.sources.volatile;
        if let Err(at) = known.binary_search(&site) {
            known.insert(at, site);
        }
        Ok(order)
    }

    /// What is atomic is one access.
    fn only_one(&mut self, body: &Body<'_>, order: Order, bits: &[u32]) -> Result<()> {
        if order.is_atomic() && (bits.len() > 1 || bits.iter().any(|&bits| whole(bits).is_none())) {
            let size: u32 = bits.iter().sum();
            return self.refuse(body, format!("atomic accesses of {size} bits are not supported"));
        }
        Ok(())
    }

    /// Up to eight bytes of memory as one number.
    pub(super) fn load_bytes(
        &mut self,
        body: &mut Body<'_>,
        address: Operand,
        offset: u64,
        bytes: u64,
        align: u64,
    ) -> Result<Operand> {
        let mut value = None;
        for (at, width) in pieces(bytes) {
            let address = self.offset(body, address, offset + at);
            let to = body.fresh(1);
            let bits = width.bytes() as u8 * 8;
            body.note_alignment(align, offset + at, width);
            body.emit(Inst::Load { to, address, width, order: Order::Plain, bits });
            let part = self.shifted(body, Arith::Shl, Operand::register(to), at * 8);
            value = Some(match value {
                None => part,
                Some(left) => {
                    let to = body.fresh(1);
                    body.emit(Inst::Arith { op: Arith::Or, bits: 64, to, left, right: part });
                    Operand::register(to)
                }
            });
        }
        Ok(value.unwrap_or_else(|| body.constant(0)))
    }

    fn shifted(&mut self, body: &mut Body<'_>, op: Arith, left: Operand, amount: u64) -> Operand {
        if amount == 0 {
            return left;
        }
        let right = body.constant(amount);
        let to: Reg = body.fresh(1);
        body.emit(Inst::Arith { op, bits: 64, to, left, right });
        Operand::register(to)
    }

    /// `va_arg`, where clang leaves it to us: the arguments lie one after the other.
    pub(super) fn next_argument(
        &mut self,
        body: &mut Body<'_>,
        instruction: &Instruction,
        list: &ir::Operand,
        ty: &Type,
    ) -> Result<()> {
        let list = self.operand(body, &list.ty, &list.value)?;
        let Some(size) = self.layout.size(ty) else {
            return self.refuse(body, "an argument has a type without a size");
        };
        let place = self.offset(body, list, 8);
        let (at, next) = (body.fresh(1), body.fresh(1));
        let (width, order) = (Width::B8, Order::Plain);
        body.emit(Inst::Load { to: at, address: place, width, order, bits: 64 });
        let left = Operand::register(at);
        let right = body.constant(size.next_multiple_of(8));
        body.emit(Inst::Arith { op: Arith::Add, bits: 64, to: next, left, right });
        body.emit(Inst::Store { from: Operand::register(next), address: place, width, order });
        let scalars = self.scalars(body, ty)?;
        let to = self.result(body, instruction, scalars.len());
        for (i, scalar) in scalars.iter().enumerate() {
            let bytes = u64::from(scalar.bits.div_ceil(8));
            let from = self.load_bytes(body, left, scalar.offset, bytes, 8)?;
            body.emit(Inst::Truncate { bits: scalar.bits as u8, to: to + i as u16, from });
        }
        Ok(())
    }

    /// Is this the address of a variable that is a register?
    pub(super) fn is_promoted(body: &Body<'_>, address: &ir::Operand) -> Option<ir::Local> {
        match address.value {
            Value::Local(local) if body.promoted.contains_key(&local) => Some(local),
            _ => None,
        }
    }
}
