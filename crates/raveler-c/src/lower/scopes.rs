//! Where the lives of variables begin and end: the end of a block ends the variables of the block.
//!
//! clang says so by calls of `llvm.lifetime.start` and `llvm.lifetime.end` (of arrays of variable length in another way:
//! [`stack_marks`]). Every way out of a block then leads through the
//! code that ends its variables, and behind that a `switch` finds out where the way goes on. Such detours are undone
//! here, so that loops look as the source has them.

use std::collections::{HashMap, HashSet};

use super::loops::{loop_body, loop_heads, successors};
use super::promote::each_operand;
use super::stack_marks;
use crate::ir::{BlockId, Callee, Constant, Function, Instruction, Life, Local, Op, Operand, Value};

/// The same function with [`Op::Life`] instead of calls, and without detours; none if it says nothing of lives.
pub(super) fn tidied(function: &Function) -> Option<Function> {
    let called = |instruction: &Instruction| marker(&instruction.op).is_some();
    let restores = stack_marks::restores(function);
    if !restores && !function.blocks.iter().any(|block| block.instructions.iter().any(called)) {
        return None;
    }
    let mut function = function.clone();
    mark(&mut function);
    if restores {
        stack_marks::mark(&mut function);
    }
    for block in 0..function.blocks.len() as BlockId {
        while straighten(&mut function, block) {}
    }
    Some(function)
}

/// Does this begin a life, or end one, and of what?
fn marker(op: &Op) -> Option<(bool, &Value)> {
    let Op::Call { callee: Callee::Function(name), arguments, .. } = op else { return None };
    let begins = match name.strip_prefix("llvm.lifetime.")? {
        name if name.starts_with("start") => true,
        name if name.starts_with("end") => false,
        _ => return None,
    };
    // Before version 22 there is a size in front of the pointer.
    arguments.last().map(|argument| (begins, &argument.operand.value))
}

/// Make instructions of the calls.
fn mark(function: &mut Function) {
    let is_variable = |instruction: &Instruction| matches!(&instruction.op, Op::Alloca { count, .. } if matches!(count.value, Value::Constant(Constant::Int(1))));
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    let variables: HashSet<Local> =
        instructions.filter(|i| is_variable(i)).filter_map(|i| i.result).collect();
    for block in &mut function.blocks {
        block.instructions.retain_mut(|instruction| {
            let Some((begins, value)) = marker(&instruction.op) else { return true };
            // Of what is no variable nothing is said that matters.
            let Value::Local(variable) = *value else { return false };
            if !variables.contains(&variable) {
                return false;
            }
            let life = if begins { Life::Begins } else { Life::Ends };
            instruction.op = Op::Life { variable, life };
            true
        });
    }
}

/// A block that ends variables, and then goes where a variable says: that variable.
fn detour(function: &Function, block: BlockId) -> Option<Local> {
    let (last, before) = function.blocks[block as usize].instructions.split_last()?;
    let (load, ends) = before.split_last()?;
    match (&last.op, &load.op) {
        (
            Op::Switch { operand: Operand { value: Value::Local(asked), .. }, .. },
            Op::Load { address: Operand { value: Value::Local(slot), .. }, order: None, .. },
        ) if load.result == Some(*asked) && ends.iter().all(|i| matches!(i.op, Op::Life { .. })) => {
            Some(*slot)
        }
        _ => None,
    }
}

/// Does this block set a variable, end others, and go on to a detour that asks the first? Then go where that leads.
fn straighten(function: &mut Function, block: BlockId) -> bool {
    let Some((last, before)) = function.blocks[block as usize].instructions.split_last() else {
        return false;
    };
    let Op::Jump { target } = last.op else { return false };
    let Some(slot) = detour(function, target) else { return false };
    let set = before.iter().rev().find(|i| !matches!(i.op, Op::Life { .. })).map(|i| &i.op);
    let value = match set {
        Some(Op::Store { value, address, .. }) if address.value == Value::Local(slot) => &value.value,
        _ => return false,
    };
    let detour = &function.blocks[target as usize].instructions;
    let Some(Op::Switch { default, cases, .. }) = detour.last().map(|i| &i.op) else { return false };
    let Value::Constant(number) = value else { return false };
    let case = cases.iter().find(|(case, _)| case == number).map(|(_, target)| *target);
    let next = case.unwrap_or(*default);
    // Values that depend on the way would be missing.
    let first = function.blocks[next as usize].instructions.first();
    if target == block || next == target || first.is_some_and(|i| matches!(i.op, Op::Phi { .. })) {
        return false;
    }
    let ends: Vec<Instruction> = detour[..detour.len() - 2].to_vec();
    let instructions = &mut function.blocks[block as usize].instructions;
    let jump = instructions.pop().map(|jump| Instruction { op: Op::Jump { target: next }, ..jump });
    instructions.extend(ends.into_iter().chain(jump));
    true
}

/// A variable with lives of its own, which are shorter than the call.
#[derive(Clone, Copy)]
pub(super) struct Scoped {
    /// It may begin to live again in the same call while something still points to its last life.
    pub again: bool,
}

/// The variables in memory of which every use follows a beginning, as far as can be seen. Others, to whose blocks there
/// are other ways in, live as long as the call does.
pub(super) fn scoped(function: &Function, registers: &HashMap<Local, u32>) -> HashMap<Local, Scoped> {
    let mut found: HashMap<Local, Scoped> = HashMap::new();
    let mut begins = vec![Vec::new(); function.locals.len()];
    for (b, block) in function.blocks.iter().enumerate() {
        for instruction in &block.instructions {
            if let Op::Life { variable, life: Life::Begins | Life::Continues } = instruction.op
                && !registers.contains_key(&variable)
            {
                found.insert(variable, Scoped { again: false });
                begins[variable as usize].push(b as BlockId);
            }
        }
    }
    if found.is_empty() {
        return found;
    }
    for variable in used_too_early(function, &found) {
        found.remove(&variable);
    }
    let in_loops: Vec<Vec<BlockId>> =
        loop_heads(function).iter().map(|(&head, last)| loop_body(function, head, last)).collect();
    let kept = kept(function);
    for (variable, scoped) in &mut found {
        let in_loop = |block: &BlockId| in_loops.iter().any(|blocks| blocks.contains(block));
        scoped.again = kept.contains(variable) && begins[*variable as usize].iter().any(in_loop);
    }
    found
}

/// Variables that some path uses before they begin to live.
fn used_too_early(function: &Function, variables: &HashMap<Local, Scoped>) -> HashSet<Local> {
    let mut numbers: Vec<Local> = variables.keys().copied().collect();
    numbers.sort_unstable();
    let words = numbers.len().div_ceil(64);
    let number = |local: &Local| numbers.binary_search(local).ok();
    // Per block: which variables may not have begun at its start.
    let mut early = vec![vec![0u64; words]; function.blocks.len()];
    let mut found = HashSet::new();
    let mut seen = vec![false; function.blocks.len()];
    early[0].fill(u64::MAX);
    let mut work: Vec<BlockId> = vec![0];
    while let Some(block) = work.pop() {
        seen[block as usize] = true;
        let mut here = early[block as usize].clone();
        for instruction in &function.blocks[block as usize].instructions {
            if let Op::Life { variable, life: Life::Begins | Life::Continues } = &instruction.op
                && let Some(n) = number(variable)
            {
                here[n / 64] &= !(1 << (n % 64));
            }
            each_operand(&instruction.op, &mut |value| {
                if let Value::Local(local) = value
                    && let Some(n) = number(local)
                    && here[n / 64] >> (n % 64) & 1 != 0
                {
                    found.insert(*local);
                }
            });
        }
        for next in successors(function, block) {
            let there = &mut early[next as usize];
            let more = here.iter().zip(there.iter()).any(|(here, there)| here & !there != 0);
            there.iter_mut().zip(&here).for_each(|(there, here)| *there |= here);
            if more || !seen[next as usize] {
                work.push(next);
            }
        }
    }
    found
}

/// Locals whose value may be kept somewhere: all that are used for more than accesses and addresses of parts.
fn kept(function: &Function) -> HashSet<Local> {
    let mut kept = HashSet::new();
    let mut parts: Vec<(Local, Local)> = Vec::new();
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        let mut keep = |value: &Value| {
            if let Value::Local(local) = value {
                kept.insert(*local);
            }
        };
        match &instruction.op {
            Op::Load { .. } => {}
            Op::Store { value, .. } | Op::AtomicRmw { value, .. } => keep(&value.value),
            Op::Element { base: Operand { value: Value::Local(of), .. }, .. } => {
                parts.extend(instruction.result.map(|result| (*of, result)));
            }
            Op::Call { callee: Callee::Function(name), .. } if name.starts_with("llvm.mem") => {}
            other => each_operand(other, &mut keep),
        }
    }
    // Parts are made after what they are parts of, nearly always in the order of the text.
    for &(of, part) in parts.iter().rev() {
        if kept.contains(&part) {
            kept.insert(of);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const DETOUR: &str = r#"
define void @f(i1 %c) {
entry:
  %v = alloca [2 x i32], align 4
  %w = alloca [2 x i32], align 4
  %dest = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 8, ptr %v)
  br i1 %c, label %leave, label %stay
leave:
  store i32 2, ptr %dest, align 4
  br label %cleanup
stay:
  store i32 0, ptr %dest, align 4
  br label %cleanup
cleanup:
  call void @llvm.lifetime.end.p0(ptr %v)
  %to = load i32, ptr %dest, align 4
  switch i32 %to, label %out [ i32 0, label %next ]
next:
  store [2 x i32] zeroinitializer, ptr %w, align 4
  call void @llvm.lifetime.start.p0(ptr %w)
  br label %out
out:
  ret void
}
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(ptr)
"#;

    #[test]
    fn detours_are_undone() {
        let module = crate::ir::read(DETOUR).expect("text");
        let function = tidied(module.function("f").expect("f")).expect("markers");
        let next = |name: &str| {
            let at = function.blocks.iter().position(|block| block.name == name).expect("a block");
            successors(&function, at as BlockId)
                .into_iter()
                .map(|block| function.blocks[block as usize].name.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(next("leave"), ["out"]);
        assert_eq!(next("stay"), ["next"]);
        let ends = |block: &&crate::ir::Block| {
            block.instructions.iter().any(|i| matches!(i.op, Op::Life { life: Life::Ends, .. }))
        };
        assert_eq!(function.blocks.iter().filter(ends).count(), 3);
    }

    #[test]
    fn a_variable_that_is_used_before_it_begins_lives_as_long_as_the_call() {
        let module = crate::ir::read(DETOUR).expect("text");
        let function = tidied(module.function("f").expect("f")).expect("markers");
        let scoped = scoped(&function, &HashMap::new());
        let names: Vec<&str> = scoped.keys().map(|&local| function.locals[local as usize].as_str()).collect();
        assert_eq!(names, ["v"]);
    }
}
