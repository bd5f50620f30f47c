//! Which variables may be read before anybody set them.

use std::collections::{HashMap, HashSet};

use super::loops::successors;
use crate::ir::{BlockId, Function, Local, Op, Value};

/// Of these variables those that some path reads first.
pub(super) fn maybe_unset(function: &Function, variables: &HashMap<Local, u32>) -> HashSet<Local> {
    let mut numbers: Vec<Local> = variables.keys().copied().collect();
    numbers.sort_unstable();
    let words = numbers.len().div_ceil(64);
    let number = |value: &Value| match value {
        Value::Local(local) => numbers.binary_search(local).ok(),
        _ => None,
    };
    // Per block: which variables nobody may have set at its start.
    let mut unset = vec![vec![0u64; words]; function.blocks.len()];
    let mut found = HashSet::new();
    let mut seen = vec![false; function.blocks.len()];
    let Some(first) = unset.first_mut() else { return found };
    first.fill(u64::MAX);
    let mut work: Vec<BlockId> = vec![0];
    while let Some(block) = work.pop() {
        seen[block as usize] = true;
        let mut here = unset[block as usize].clone();
        for instruction in &function.blocks[block as usize].instructions {
            match &instruction.op {
                Op::Load { address, .. } => {
                    if let Some(n) = number(&address.value)
                        && here[n / 64] >> (n % 64) & 1 != 0
                    {
                        found.insert(numbers[n]);
                    }
                }
                Op::Store { address, .. } => {
                    if let Some(n) = number(&address.value) {
                        here[n / 64] &= !(1 << (n % 64));
                    }
                }
                _ => {}
            }
        }
        for next in successors(function, block) {
            let there = &mut unset[next as usize];
            let more = here.iter().zip(there.iter()).any(|(here, there)| here & !there != 0);
            there.iter_mut().zip(&here).for_each(|(there, here)| *there |= here);
            if more || !seen[next as usize] {
                work.push(next);
            }
        }
    }
    found
}
