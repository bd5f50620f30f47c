//! The loops of a function, as its blocks show them.

use std::collections::HashSet;

use crate::ir::{self, BlockId, Op};

/// Blocks that a later one goes back to.
pub(super) fn loop_heads(function: &ir::Function) -> HashSet<BlockId> {
    let mut heads = HashSet::new();
    // 0 not seen, 1 on the path, 2 done.
    let mut state = vec![0u8; function.blocks.len()];
    let mut stack: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
    if !function.blocks.is_empty() {
        state[0] = 1;
        stack.push((0, successors(function, 0)));
    }
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            None => {
                state[*block as usize] = 2;
                stack.pop();
            }
            Some(target) => match state[target as usize] {
                0 => {
                    state[target as usize] = 1;
                    stack.push((target, successors(function, target)));
                }
                1 => {
                    heads.insert(target);
                }
                _ => {}
            },
        }
    }
    heads
}

/// The blocks of the loop with this head: those from which it is reached again without leaving it.
pub(super) fn loop_body(function: &ir::Function, head: BlockId) -> Vec<BlockId> {
    let count = function.blocks.len();
    let mut before = vec![Vec::new(); count];
    for block in 0..count as BlockId {
        for next in successors(function, block) {
            before[next as usize].push(block);
        }
    }
    // Reached from the head, and reaching it.
    let reach = |from: BlockId, next: &dyn Fn(BlockId) -> Vec<BlockId>| {
        let mut seen = vec![false; count];
        let mut work = next(from);
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut seen[block as usize], true) && block != from {
                work.extend(next(block));
            }
        }
        seen
    };
    let forward = reach(head, &|block| successors(function, block));
    let backward = reach(head, &|block| before[block as usize].clone());
    (0..count as BlockId).filter(|&b| b == head || forward[b as usize] && backward[b as usize]).collect()
}

fn successors(function: &ir::Function, block: BlockId) -> Vec<BlockId> {
    match function.blocks[block as usize].instructions.last().map(|i| &i.op) {
        Some(Op::Jump { target }) => vec![*target],
        Some(Op::Branch { yes, no, .. }) => vec![*yes, *no],
        Some(Op::Switch { default, cases, .. }) => {
            cases.iter().map(|(_, target)| *target).chain([*default]).collect()
        }
        Some(Op::IndirectBranch { targets, .. }) => targets.clone(),
        Some(Op::Call { invoke: Some((normal, _)), .. }) => vec![*normal],
        _ => Vec::new(),
    }
}
