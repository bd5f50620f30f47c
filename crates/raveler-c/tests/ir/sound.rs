//! What holds for every module that is read, whatever the text.

use raveler_c::ir::{BlockId, Function, Module, Op, Operand, Value};

/// Every index points to something, every block ends once and at its end.
pub fn check(module: &Module) {
    for location in &module.debug.locations {
        assert!((location.file as usize) < module.debug.files.len());
        assert!(location.inlined_at.is_none_or(|at| (at as usize) < module.debug.locations.len()));
    }
    for function in &module.functions {
        check_function(module, function);
    }
}

fn check_function(module: &Module, function: &Function) {
    assert_eq!(function.locals.len(), function.local_types.len());
    assert!(function.parameters.len() <= function.locals.len());
    for (parameter, ty) in function.parameters.iter().zip(&function.local_types) {
        assert_eq!(parameter.ty, *ty);
    }
    let mut defined = vec![false; function.locals.len()];
    defined[..function.parameters.len()].fill(true);
    for block in &function.blocks {
        let (last, others) = block.instructions.split_last().expect("a block ends with an instruction");
        assert!(successors(&last.op).is_some(), "the last instruction ends the block");
        assert!(others.iter().all(|i| successors(&i.op).is_none()), "no other instruction does");
        for target in successors(&last.op).unwrap_or_default() {
            assert!((target as usize) < function.blocks.len());
        }
        for instruction in &block.instructions {
            assert!(instruction.location.is_none_or(|at| (at as usize) < module.debug.locations.len()));
            if let Some(result) = instruction.result {
                assert!(!std::mem::replace(&mut defined[result as usize], true), "defined once");
            }
            for operand in operands(&instruction.op) {
                if let Value::Local(local) = operand.value {
                    assert_eq!(function.local_types[local as usize], operand.ty);
                }
            }
        }
    }
    assert!(function.blocks.is_empty() || defined.iter().all(|&d| d), "what is mentioned is defined");
}

/// Where an instruction that ends its block goes to.
fn successors(op: &Op) -> Option<Vec<BlockId>> {
    match op {
        Op::Jump { target } => Some(vec![*target]),
        Op::Branch { yes, no, .. } => Some(vec![*yes, *no]),
        Op::Switch { default, cases, .. } => {
            Some(cases.iter().map(|case| case.1).chain([*default]).collect())
        }
        Op::IndirectBranch { targets, .. } => Some(targets.clone()),
        Op::Call { invoke: Some((normal, unwind)), .. } => Some(vec![*normal, *unwind]),
        Op::Return { .. } | Op::Resume { .. } | Op::Unreachable => Some(Vec::new()),
        _ => None,
    }
}

/// The operands that stand with their types.
fn operands(op: &Op) -> Vec<&Operand> {
    match op {
        Op::Alloca { count, .. } => vec![count],
        Op::Load { address, .. } | Op::IndirectBranch { address, .. } => vec![address],
        Op::Store { value, address, .. } | Op::AtomicRmw { value, address, .. } => vec![value, address],
        Op::CompareExchange { address, expected, desired, .. } => vec![address, expected, desired],
        Op::Element { base, indices, .. } => indices.iter().chain([base]).collect(),
        Op::FloatNegate { operand }
        | Op::Cast { operand, .. }
        | Op::Freeze { operand }
        | Op::Switch { operand, .. } => vec![operand],
        Op::Select { condition, yes, no } => vec![condition, yes, no],
        Op::ExtractValue { aggregate, .. } => vec![aggregate],
        Op::InsertValue { aggregate, element, .. } => vec![aggregate, element],
        Op::ExtractElement { vector, index } => vec![vector, index],
        Op::InsertElement { vector, element, index } => vec![vector, element, index],
        Op::ShuffleVector { left, right, mask } => vec![left, right, mask],
        Op::VaArg { list, .. } => vec![list],
        Op::Call { arguments, .. } => arguments.iter().map(|argument| &argument.operand).collect(),
        Op::Branch { condition, .. } => vec![condition],
        Op::Return { value } => value.iter().collect(),
        _ => Vec::new(),
    }
}
