//! The loops of a function, as its blocks show them.

use std::collections::BTreeMap;

use crate::ir::{self, BlockId, Op};

/// Blocks that a later one goes back to, with those later ones.
pub(super) fn loop_heads(function: &ir::Function) -> BTreeMap<BlockId, Vec<BlockId>> {
    let mut heads: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
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
                1 => heads.entry(target).or_default().push(*block),
                _ => {}
            },
        }
    }
    heads
}

/// The blocks of the loop with this head: those from which its last ones are reached without passing the head.
pub(super) fn loop_body(function: &ir::Function, head: BlockId, last: &[BlockId]) -> Vec<BlockId> {
    let count = function.blocks.len();
    let mut before = vec![Vec::new(); count];
    for block in 0..count as BlockId {
        for next in successors(function, block) {
            before[next as usize].push(block);
        }
    }
    let mut inside = vec![false; count];
    inside[head as usize] = true;
    let mut work = last.to_vec();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut inside[block as usize], true) {
            work.extend(&before[block as usize]);
        }
    }
    (0..count as BlockId).filter(|&b| inside[b as usize]).collect()
}

/// Where a loop is left: the blocks whose branch leaves it on one side only (`true`: if its condition holds), and
/// whether that is at the end of every round, as in `do … while`, or nowhere. A round that an exception leaves is none that
/// decides anything.
pub(super) fn exits(
    function: &ir::Function,
    head: BlockId,
    body: &[BlockId],
) -> (Vec<(BlockId, bool)>, bool) {
    let inside = |block: BlockId| body.contains(&block);
    let mut leaves = Vec::new();
    let mut decides_last = true;
    for &block in body {
        let next = ways(function, block);
        decides_last &= !next.contains(&head) || next.iter().any(|&b| !inside(b));
        if let Some(Op::Branch { yes, no, .. }) =
            function.blocks[block as usize].instructions.last().map(|i| &i.op)
            && inside(*yes) != inside(*no)
        {
            leaves.push((block, !inside(*yes)));
        }
    }
    let never = !body.iter().any(|&block| ways(function, block).iter().any(|&b| !inside(b)));
    (leaves, decides_last || never)
}

/// Which blocks can be reached from the first.
pub(super) fn reached(function: &ir::Function) -> Vec<bool> {
    let mut seen = vec![false; function.blocks.len()];
    let mut work: Vec<BlockId> = if seen.is_empty() { Vec::new() } else { vec![0] };
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut seen[block as usize], true) {
            work.extend(successors(function, block));
        }
    }
    seen
}

/// Where a block goes on, also if an exception leaves it.
pub(super) fn successors(function: &ir::Function, block: BlockId) -> Vec<BlockId> {
    let mut all = Vec::new();
    if let Some(Op::Call { invoke: Some((_, unwind)), .. }) =
        function.blocks[block as usize].instructions.last().map(|i| &i.op)
    {
        all.push(*unwind);
    }
    all.extend(ways(function, block));
    all
}

/// Where a block goes on as long as nothing is thrown.
fn ways(function: &ir::Function, block: BlockId) -> Vec<BlockId> {
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
