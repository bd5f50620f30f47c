//! Which local variables become registers, and which loads of them need no copy.

use std::collections::HashMap;

use super::layout::Layout;
use crate::ir::{Callee, Function, Life, Local, Op, Operand, Type, Value};

/// Where a local is used: block and instruction.
pub type Uses = Vec<Vec<(u32, u32)>>;

/// Local variables of scalar type whose address serves nothing but plain loads and stores of that type, with their bits.
pub fn promoted(function: &Function, layout: Layout<'_>) -> HashMap<Local, u32> {
    let mut variables = HashMap::new();
    let bits_of = |ty: &Type| match layout.resolve(ty) {
        Type::Int(bits) if *bits <= 64 => Some(*bits),
        Type::Float(bits @ (32 | 64)) => Some(*bits),
        Type::Pointer => Some(64),
        _ => None,
    };
    for instruction in function.blocks.iter().flat_map(|b| &b.instructions) {
        if let (Op::Alloca { ty, count, .. }, Some(result)) = (&instruction.op, instruction.result)
            && matches!(&count.value, Value::Constant(crate::ir::Constant::Int(1)))
            && let Some(bits) = bits_of(ty)
        {
            variables.insert(result, bits);
        }
    }
    for instruction in function.blocks.iter().flat_map(|b| &b.instructions) {
        let (ty, address) = match &instruction.op {
            Op::Load { ty, address, order: None, volatile: false, .. } => (ty, address),
            Op::Store { value, address, order: None, volatile: false, .. } => {
                if let Value::Local(local) = value.value {
                    variables.remove(&local);
                }
                (&value.ty, address)
            }
            other => {
                each_operand(other, &mut |value| {
                    if let Value::Local(local) = value {
                        variables.remove(local);
                    }
                });
                continue;
            }
        };
        if let Value::Local(local) = address.value
            && variables.get(&local).is_some_and(|&bits| bits_of(ty) != Some(bits))
        {
            variables.remove(&local);
        }
    }
    variables
}

/// Where every local is used.
pub fn uses(function: &Function) -> Uses {
    let mut uses = vec![Vec::new(); function.locals.len()];
    for (b, block) in function.blocks.iter().enumerate() {
        for (i, instruction) in block.instructions.iter().enumerate() {
            if let Op::Phi { incoming, .. } = &instruction.op {
                // Read at the end of the block it comes from.
                for (value, from) in incoming {
                    if let Value::Local(local) = value {
                        uses[*local as usize].push((*from, u32::MAX));
                    }
                }
                continue;
            }
            each_operand(&instruction.op, &mut |value| {
                if let Value::Local(local) = value {
                    uses[*local as usize].push((b as u32, i as u32));
                }
            });
        }
    }
    uses
}

/// May a load of a promoted variable be the variable's register itself? Only if every use stands in the same block
/// before the next store to the variable.
pub fn needs_no_copy(
    function: &Function,
    uses: &Uses,
    block: u32,
    at: u32,
    result: Local,
    variable: Local,
) -> bool {
    let stored = function.blocks[block as usize].instructions.iter().enumerate().skip(at as usize + 1).find(
        |(_, i)| match &i.op {
            Op::Store { address: Operand { value: Value::Local(local), .. }, .. } => *local == variable,
            Op::Life { variable: begun, life: Life::Begins } => *begun == variable,
            _ => false,
        },
    );
    // The store itself still reads the old value.
    let until = stored.map_or(u32::MAX - 1, |(i, _)| i as u32);
    uses[result as usize].iter().all(|&(b, i)| b == block && i > at && i <= until)
}

/// Call `visit` with every value an operation uses.
pub fn each_operand(op: &Op, visit: &mut dyn FnMut(&Value)) {
    let mut all = |operands: &[&Operand]| operands.iter().for_each(|o| visit(&o.value));
    match op {
        Op::Alloca { count, .. } => all(&[count]),
        Op::Load { address, .. } => all(&[address]),
        Op::Store { value, address, .. } => all(&[value, address]),
        Op::AtomicRmw { address, value, .. } => all(&[address, value]),
        Op::CompareExchange { address, expected, desired, .. } => all(&[address, expected, desired]),
        Op::Element { base, indices, .. } => {
            all(&[base]);
            indices.iter().for_each(|o| visit(&o.value));
        }
        Op::Binary { left, right, .. } | Op::Compare { left, right, .. } => {
            visit(left);
            visit(right);
        }
        Op::FloatNegate { operand } | Op::Cast { operand, .. } | Op::Freeze { operand } => all(&[operand]),
        Op::Select { condition, yes, no } => all(&[condition, yes, no]),
        Op::Phi { incoming, .. } => incoming.iter().for_each(|(value, _)| visit(value)),
        Op::ExtractValue { aggregate, .. } => all(&[aggregate]),
        Op::InsertValue { aggregate, element, .. } => all(&[aggregate, element]),
        Op::ExtractElement { vector, index } => all(&[vector, index]),
        Op::InsertElement { vector, element, index } => all(&[vector, element, index]),
        Op::ShuffleVector { left, right, mask } => all(&[left, right, mask]),
        Op::VaArg { list, .. } => all(&[list]),
        Op::Call { callee, arguments, .. } => {
            if let Callee::Pointer(value) = callee {
                visit(value);
            }
            arguments.iter().for_each(|a| visit(&a.operand.value));
        }
        Op::Branch { condition, .. } => all(&[condition]),
        Op::Switch { operand, .. } => all(&[operand]),
        Op::IndirectBranch { address, .. } => all(&[address]),
        Op::Return { value } => {
            if let Some(value) = value {
                visit(&value.value);
            }
        }
        // The life of a variable says nothing about its address.
        Op::Life { .. } => {}
        Op::Resume { value } => all(&[value]),
        Op::Fence { .. } | Op::LandingPad { .. } | Op::Jump { .. } | Op::Unreachable => {}
    }
}
