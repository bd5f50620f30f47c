//! The lives of what clang marks no life of: compound literals in C, and variables to whose declaration there is another
//! way (`switch`, `goto`, a label before them).
//!
//! Debug information says in which block of the source each instruction stands. Such an object lives from where it is
//! first mentioned until an instruction outside of its block is met. What is not certain is left alone: then the object
//! lives as long as its call, and only uses after the end of the block are missed.

use std::collections::{HashMap, HashSet};

use super::layout::Layout;
use super::loops::{loop_heads, successors};
use super::promote::{self, each_operand};
use crate::ir::{BlockId, Constant, Debug, Function, Instruction, Life, Local, Op, Value};

/// clang's name for the memory of a compound literal.
const LITERAL: &str = ".compoundliteral";

/// Is this the memory of a compound literal?
pub(super) fn is_literal(function: &Function, local: Local) -> bool {
    function.locals[local as usize].starts_with(LITERAL)
}

/// The same function with [`Op::Life`] for such objects; none if it has none.
pub(super) fn marked(function: &Function, debug: &Debug, layout: Layout<'_>) -> Option<Function> {
    let registers = promote::promoted(function, layout);
    let objects = objects(function, debug, &registers);
    if objects.is_empty() {
        return None;
    }
    let declared: HashMap<Local, u32> =
        function.variables.iter().filter_map(|(local, variable)| Some((*local, variable.scope?))).collect();
    let mut marked = function.clone();
    for (object, scope) in objects {
        let mentioned = mentioned_inside(function, debug, scope);
        let blocks = Blocks { debug, scope, registers: &registers, declared: &declared, mentioned };
        mark(&mut marked, object, &blocks);
    }
    Some(marked)
}

/// The objects, and the block of each. Of objects of the outermost block nothing has to be said.
fn objects(function: &Function, debug: &Debug, registers: &HashMap<Local, u32>) -> Vec<(Local, u32)> {
    let instructions = || function.blocks.iter().flat_map(|block| &block.instructions);
    let marked: HashSet<Local> = instructions()
        .filter_map(|instruction| match instruction.op {
            Op::Life { variable, .. } => Some(variable),
            _ => None,
        })
        .collect();
    let fixed = |op: &Op| matches!(op, Op::Alloca { count, .. } if matches!(count.value, Value::Constant(Constant::Int(1))));
    let unmarked = instructions()
        .filter(|instruction| fixed(&instruction.op))
        .filter_map(|instruction| instruction.result)
        .filter(|local| !marked.contains(local) && !registers.contains_key(local));
    let scope_of = |object: Local| {
        let uses = uses(function, object);
        let places: Option<Vec<u32>> = uses.iter().map(|at| innermost(debug, at.location)).collect();
        let inlined = |at: &&Instruction| {
            at.location.is_some_and(|at| debug.locations[at as usize].inlined_at.is_some())
        };
        let around = places?.into_iter().reduce(|a, b| common(debug, a, b))?;
        if uses.iter().any(inlined) {
            return None;
        }
        let variable = function.variables.iter().find(|(local, _)| *local == object);
        match variable {
            Some((_, variable)) => variable.scope.filter(|&scope| is_within(debug, around, scope)),
            None if is_literal(function, object) => Some(around),
            None => None,
        }
    };
    unmarked
        .filter_map(|object| Some((object, scope_of(object)?)))
        .filter(|&(_, scope)| debug.scopes[scope as usize].is_some())
        .collect()
}

/// The instructions that mention a local.
fn uses(function: &Function, local: Local) -> Vec<&Instruction> {
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    instructions.filter(|instruction| mentions(&instruction.op, &|other| other == local)).collect()
}

fn mentions(op: &Op, wanted: &dyn Fn(Local) -> bool) -> bool {
    let mut found = false;
    each_operand(op, &mut |value| found |= matches!(value, Value::Local(local) if wanted(*local)));
    found
}

/// The block of the source in which this place lies, also if it was inlined from elsewhere.
fn innermost(debug: &Debug, location: Option<u32>) -> Option<u32> {
    let mut place = &debug.locations[location? as usize];
    while let Some(at) = place.inlined_at {
        place = &debug.locations[at as usize];
    }
    place.scope
}

fn around(debug: &Debug, scope: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(scope), |&scope| debug.scopes[scope as usize])
}

fn is_within(debug: &Debug, inner: u32, outer: u32) -> bool {
    around(debug, inner).any(|scope| scope == outer)
}

/// The innermost block around both; the outermost one if they are of different functions.
fn common(debug: &Debug, one: u32, other: u32) -> u32 {
    let both = around(debug, one).find(|&scope| is_within(debug, other, scope));
    both.unwrap_or_else(|| around(debug, one).last().unwrap_or(one))
}

/// What is mentioned by some instruction inside of a block.
fn mentioned_inside(function: &Function, debug: &Debug, scope: u32) -> HashSet<Local> {
    let mut found = HashSet::new();
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        if innermost(debug, instruction.location).is_some_and(|inner| is_within(debug, inner, scope)) {
            each_operand(&instruction.op, &mut |value| {
                if let Value::Local(local) = value {
                    found.insert(*local);
                }
            });
        }
    }
    found
}

/// What has to be known to see where a block of the source is left.
struct Blocks<'a> {
    debug: &'a Debug,
    scope: u32,
    /// Variables that are no memory.
    registers: &'a HashMap<Local, u32>,
    /// The blocks of variables.
    declared: &'a HashMap<Local, u32>,
    /// What is mentioned inside of the block.
    mentioned: HashSet<Local>,
}

impl Blocks<'_> {
    fn is_outside(&self, instruction: &Instruction) -> bool {
        let scope = innermost(self.debug, instruction.location);
        scope.is_some_and(|scope| !is_within(self.debug, scope, self.scope))
    }

    /// Does this instruction show that the block was left, and might it make a difference? Where a block ends, calls
    /// (`cleanup`, destructors) and what leads to them stand outside of it; such calls mention variables that nothing
    /// outside can name, or what clang made for itself.
    fn leaves(&self, instruction: &Instruction, goes_back: bool) -> bool {
        let of_the_block = |local: Local| match self.declared.get(&local) {
            Some(&scope) => is_within(self.debug, scope, self.scope),
            None => self.mentioned.contains(&local),
        };
        let counts = match &instruction.op {
            Op::Jump { .. } | Op::Branch { .. } | Op::Switch { .. } => goes_back,
            Op::Load { address, .. } | Op::Store { address, .. } => match address.value {
                Value::Local(local) => !self.registers.contains_key(&local),
                _ => true,
            },
            Op::AtomicRmw { .. }
            | Op::CompareExchange { .. }
            | Op::Fence { .. }
            | Op::VaArg { .. }
            | Op::Call { .. } => true,
            _ => false,
        };
        counts && self.is_outside(instruction) && !mentions(&instruction.op, &of_the_block)
    }
}

/// Let an object live from where it is mentioned until its block is left.
fn mark(function: &mut Function, object: Local, blocks: &Blocks<'_>) {
    let back: HashSet<BlockId> = loop_heads(function).into_values().flatten().collect();
    // May it live at the beginning of a block?
    let mut lives = vec![false; function.blocks.len()];
    // What comes from elsewhere was mentioned there.
    let mentions_it = |op: &Op| !matches!(op, Op::Phi { .. }) && mentions(op, &|local| local == object);
    let after = |instruction: &Instruction, block: BlockId, lives: bool| match mentions_it(&instruction.op) {
        true => true,
        false => lives && !blocks.leaves(instruction, back.contains(&block)),
    };
    let mut work: Vec<BlockId> = (0..function.blocks.len() as BlockId).collect();
    while let Some(block) = work.pop() {
        let instructions = &function.blocks[block as usize].instructions;
        let at_end = instructions.iter().fold(lives[block as usize], |lives, i| after(i, block, lives));
        for next in successors(function, block) {
            if at_end && !std::mem::replace(&mut lives[next as usize], true) {
                work.push(next);
            }
        }
    }
    for (b, block) in function.blocks.iter_mut().enumerate() {
        let mut now = lives[b];
        let mut instructions = Vec::with_capacity(block.instructions.len());
        for instruction in block.instructions.drain(..) {
            let next = after(&instruction, b as BlockId, now);
            let life = match (mentions_it(&instruction.op), now, next) {
                (true, ..) => Some(Life::Continues),
                (false, true, false) => Some(Life::Ends),
                _ => None,
            };
            instructions.extend(life.map(|life| Instruction {
                result: None,
                op: Op::Life { variable: object, life },
                location: instruction.location,
                line: instruction.line,
            }));
            instructions.push(instruction);
            now = next;
        }
        block.instructions = instructions;
    }
}
