//! Which locals of a function point to variables of it.

use std::collections::HashMap;

use crate::ir::{Cast, Constant, Function, Local, Op, Operand, Type, Value};
use crate::lower::layout::Layout;

/// What a local points to: an object, and where in it if that is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Pointer {
    pub object: usize,
    pub offset: Option<u64>,
}

/// The locals that point to objects.
pub(super) struct Pointers<'a> {
    pub known: HashMap<Local, Pointer>,
    pub registers: &'a HashMap<Local, u32>,
    /// Objects of which more is not known than that they are pointed to.
    pub escaped: Vec<bool>,
}

impl<'a> Pointers<'a> {
    pub fn find(
        function: &Function,
        layout: Layout<'_>,
        registers: &'a HashMap<Local, u32>,
        roots: HashMap<Local, usize>,
    ) -> Pointers<'a> {
        let escaped = vec![false; roots.len()];
        let known = roots.into_iter().map(|(local, object)| (local, Pointer { object, offset: Some(0) }));
        let mut pointers = Pointers { known: known.collect(), registers, escaped };
        while pointers.go_on(function, layout) {}
        pointers
    }

    pub fn of(&self, value: &Value) -> Option<Pointer> {
        match value {
            Value::Local(local) => self.known.get(local).copied(),
            _ => None,
        }
    }

    /// Look for further pointers; false if there are none.
    fn go_on(&mut self, function: &Function, layout: Layout<'_>) -> bool {
        let mut found = false;
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            let (local, pointer) = match &instruction.op {
                Op::Element { ty, base, indices } => {
                    let Some(pointer) = self.of(&base.value) else { continue };
                    let offset = offset(layout, ty, indices).zip(pointer.offset);
                    let offset = offset.and_then(|(further, offset)| offset.checked_add(further));
                    (instruction.result, Pointer { offset, ..pointer })
                }
                Op::Cast { op: Cast::Bitcast, operand, .. } => match self.of(&operand.value) {
                    Some(pointer) => (instruction.result, pointer),
                    None => continue,
                },
                // A variable that holds a pointer, such as a parameter: it points there if nothing else is stored to it.
                Op::Store { value, address: Operand { value: Value::Local(holder), .. }, .. }
                    if self.registers.contains_key(holder) =>
                {
                    let Some(pointer) = self.of(&value.value) else { continue };
                    if !self.is_only_store(function, *holder, pointer) {
                        self.escaped[pointer.object] = true;
                        continue;
                    }
                    (Some(*holder), pointer)
                }
                Op::Load { address: Operand { value: Value::Local(holder), .. }, .. }
                    if self.registers.contains_key(holder) =>
                {
                    match self.known.get(holder) {
                        Some(&pointer) => (instruction.result, pointer),
                        None => continue,
                    }
                }
                _ => continue,
            };
            let Some(local) = local else { continue };
            found |= self.known.insert(local, pointer) != Some(pointer);
        }
        found
    }

    fn is_only_store(&self, function: &Function, holder: Local, pointer: Pointer) -> bool {
        let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
        instructions
            .filter_map(|instruction| match &instruction.op {
                Op::Store { value, address, .. } if address.value == Value::Local(holder) => Some(value),
                _ => None,
            })
            .all(|value| self.of(&value.value) == Some(pointer))
    }
}

/// How far behind its base an address lies, if that is known.
fn offset(layout: Layout<'_>, ty: &Type, indices: &[Operand]) -> Option<u64> {
    let number = |operand: &Operand| match operand.value {
        Value::Constant(Constant::Int(number)) => u64::try_from(number).ok(),
        Value::Constant(Constant::Zero) => Some(0),
        _ => None,
    };
    let (first, path) = indices.split_first()?;
    let mut offset = number(first)?.checked_mul(layout.size(ty)?)?;
    let mut ty = ty;
    for index in path {
        let (member, at) = layout.member(ty, number(index)?)?;
        offset = offset.checked_add(at)?;
        ty = member;
    }
    Some(offset)
}
