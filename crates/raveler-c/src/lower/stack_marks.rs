//! Arrays of variable length: they end where their block does.
//!
//! clang says so by `llvm.stacksave` before the first array of a block and `llvm.stackrestore` where the block is left. What
//! was put on the stack after the one ends with the other, memory of `alloca` among it.

use std::collections::{HashMap, HashSet};

use super::loops::successors;
use super::promote::each_operand;
use crate::ir::{BlockId, Callee, Constant, Function, Instruction, Life, Local, Op, Value};

/// Does the function restore the stack?
pub(super) fn restores(function: &Function) -> bool {
    function.blocks.iter().any(|block| block.instructions.iter().any(|i| restored(&i.op).is_some()))
}

/// A state of the stack: what `llvm.stacksave` returned, or the variable in which that is kept.
type Mark = Local;

/// The value to which the stack is restored.
fn restored(op: &Op) -> Option<&Value> {
    let Op::Call { callee: Callee::Function(name), arguments, .. } = op else { return None };
    let first = arguments.first().filter(|_| name.starts_with("llvm.stackrestore"));
    first.map(|argument| &argument.operand.value)
}

fn is_save(op: &Op) -> bool {
    matches!(op, Op::Call { callee: Callee::Function(name), .. } if name.starts_with("llvm.stacksave"))
}

fn is_array(op: &Op) -> bool {
    matches!(op, Op::Alloca { count, .. } if !matches!(count.value, Value::Constant(Constant::Int(_))))
}

/// Make [`Op::Life`] of what begins and ends the lives of such arrays.
pub(super) fn mark(function: &mut Function) {
    let loads = loads(function);
    let mark_of = |value: &Value| match value {
        Value::Local(local) => Some(loads.get(local).copied().unwrap_or(*local)),
        _ => None,
    };
    let mut ended: HashMap<Mark, Vec<Local>> = HashMap::new();
    for (block, at, mark) in saves(function) {
        let arrays = ended.entry(mark).or_default();
        arrays_after(function, (block, at), &|op| restored(op).and_then(mark_of) == Some(mark), arrays);
    }
    let arrays: HashSet<Local> = ended.values().flatten().copied().collect();
    let uses = uses(function);
    for block in &mut function.blocks {
        let mut instructions = Vec::with_capacity(block.instructions.len());
        for instruction in block.instructions.drain(..) {
            let life = |variable, life| Instruction {
                result: None,
                op: Op::Life { variable, life },
                location: instruction.location,
                line: instruction.line,
            };
            if let Some(value) = restored(&instruction.op) {
                let mark = mark_of(value).and_then(|mark| ended.get(&mark));
                instructions.extend(mark.into_iter().flatten().rev().map(|&array| life(array, Life::Ends)));
                continue;
            }
            // What is loaded to restore the stack serves nothing else, and would stand in the way of `straighten`.
            let result = instruction.result;
            if result.is_some_and(|local| loads.contains_key(&local) && uses.get(&local) == Some(&1)) {
                continue;
            }
            let begins = result.filter(|local| arrays.contains(local)).map(|array| life(array, Life::Begins));
            instructions.push(instruction);
            instructions.extend(begins);
        }
        block.instructions = instructions;
    }
}

/// The values to which the stack is restored and that are loaded from a variable, with the variable.
fn loads(function: &Function) -> HashMap<Local, Mark> {
    let all = || function.blocks.iter().flat_map(|block| &block.instructions);
    let wanted: HashSet<Local> = all()
        .filter_map(|i| match restored(&i.op) {
            Some(Value::Local(local)) => Some(*local),
            _ => None,
        })
        .collect();
    all()
        .filter_map(|i| match (&i.op, i.result) {
            (Op::Load { address, .. }, Some(result)) if wanted.contains(&result) => match address.value {
                Value::Local(slot) => Some((result, slot)),
                _ => None,
            },
            _ => None,
        })
        .collect()
}

/// Where the stack is saved, and the names of that state: the value itself, and variables that it is stored to.
fn saves(function: &Function) -> Vec<(BlockId, usize, Mark)> {
    let mut found = Vec::new();
    let mut values: HashSet<Local> = HashSet::new();
    for (b, block) in function.blocks.iter().enumerate() {
        for (at, instruction) in block.instructions.iter().enumerate() {
            match (&instruction.op, instruction.result) {
                (op, Some(result)) if is_save(op) => {
                    values.insert(result);
                    found.push((b as BlockId, at, result));
                }
                (Op::Store { value, address, .. }, _) => {
                    if let (Value::Local(saved), Value::Local(slot)) = (&value.value, &address.value)
                        && values.contains(saved)
                    {
                        found.push((b as BlockId, at, *slot));
                    }
                }
                _ => {}
            }
        }
    }
    found
}

/// Add the arrays that some path from this instruction on puts on the stack before it comes to an end of their block.
fn arrays_after(
    function: &Function,
    (block, at): (BlockId, usize),
    is_end: &dyn Fn(&Op) -> bool,
    arrays: &mut Vec<Local>,
) {
    let mut seen = vec![false; function.blocks.len()];
    let mut work = vec![(block, at + 1)];
    while let Some((block, from)) = work.pop() {
        let mut ends = false;
        for instruction in &function.blocks[block as usize].instructions[from..] {
            if is_end(&instruction.op) {
                ends = true;
                break;
            }
            let array =
                instruction.result.filter(|local| is_array(&instruction.op) && !arrays.contains(local));
            arrays.extend(array);
        }
        if ends {
            continue;
        }
        for next in successors(function, block) {
            if !std::mem::replace(&mut seen[next as usize], true) {
                work.push((next, 0));
            }
        }
    }
}

/// How often each value is used.
fn uses(function: &Function) -> HashMap<Local, u32> {
    let mut uses = HashMap::new();
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        each_operand(&instruction.op, &mut |value| {
            if let Value::Local(local) = value {
                *uses.entry(*local).or_default() += 1;
            }
        });
    }
    uses
}
