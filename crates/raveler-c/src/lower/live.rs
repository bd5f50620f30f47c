//! Loops of the bytecode, and which registers matter at their heads.

use crate::code::{Arith, Function, Inst, Live, Operand, Pad, Reg};

/// Where control can go after the instruction at `at`.
fn next(function: &Function, at: usize, visit: &mut dyn FnMut(usize)) {
    match function.code[at] {
        Inst::Jump { target } => visit(target as usize),
        Inst::Branch { yes, no, .. } => {
            visit(yes as usize);
            visit(no as usize);
        }
        Inst::Switch { table, default, .. } => {
            visit(default as usize);
            function.switches[table as usize].iter().for_each(|&(_, target)| visit(target as usize));
        }
        Inst::Return { .. }
        | Inst::Raise { .. }
        | Inst::Resume { .. }
        | Inst::Terminate { .. }
        | Inst::Exit { .. }
        | Inst::Stuck { .. }
        | Inst::Drop
        | Inst::Fail { .. }
        | Inst::Refuse { .. }
        | Inst::Unreachable => {}
        _ => visit(at + 1),
    }
    let lands = |pad: &&Pad| (pad.calls.0..pad.calls.1).contains(&(at as u32));
    function.pads.iter().filter(lands).for_each(|pad| visit(pad.target as usize));
}

/// What an instruction reads, and the registers it writes: the first and how many.
pub(crate) fn effect(function: &Function, inst: &Inst, read: &mut dyn FnMut(Operand)) -> Option<(Reg, u16)> {
    let mut all = |operands: &[Operand]| operands.iter().for_each(|&o| read(o));
    match *inst {
        Inst::Move { to, from }
        | Inst::Unary { to, from, .. }
        | Inst::Truncate { to, from, .. }
        | Inst::Extend { to, from, .. } => {
            all(&[from]);
            Some((to, 1))
        }
        Inst::Arith { to, left, right, .. }
        | Inst::Test { to, left, right, .. }
        | Inst::Float { to, left, right, .. }
        | Inst::FloatTest { to, left, right, .. } => {
            all(&[left, right]);
            Some((to, 1))
        }
        Inst::Overflow { to, left, right, .. } => {
            all(&[left, right]);
            Some((to, 2))
        }
        Inst::Select { to, condition, yes, no } => {
            all(&[condition, yes, no]);
            Some((to, 1))
        }
        Inst::Element { to, base, index, scale, .. } => {
            all(&[base, index, scale]);
            Some((to, 1))
        }
        Inst::Load { to, address, .. } => {
            all(&[address]);
            Some((to, 1))
        }
        Inst::Store { from, address, .. } => {
            all(&[from, address]);
            None
        }
        Inst::Modify { to, address, operand, .. } => {
            all(&[address, operand]);
            Some((to, 1))
        }
        Inst::CompareExchange { to, address, expected, desired, .. } => {
            all(&[address, expected, desired]);
            Some((to, 2))
        }
        Inst::Branch { condition, .. } | Inst::Assume { condition } => {
            all(&[condition]);
            None
        }
        Inst::Switch { operand, .. } => {
            all(&[operand]);
            None
        }
        // What it returns is there when it returns, not before.
        Inst::Call { first, count, .. } | Inst::Return { first, count } => {
            all(&function.operands[first as usize..first as usize + count as usize]);
            None
        }
        Inst::CallPointer { pointer, first, count, .. } => {
            all(&[pointer]);
            all(&function.operands[first as usize..first as usize + count as usize]);
            None
        }
        Inst::Allocate { to, size, align, .. } => {
            all(&[size, align]);
            Some((to, 1))
        }
        Inst::Alloca { to, size, .. } | Inst::Begin { to, size, .. } | Inst::Continue { to, size, .. } => {
            all(&[size]);
            Some((to, 1))
        }
        Inst::Free { address }
        | Inst::Initialise { address, .. }
        | Inst::Destroy { address, .. }
        | Inst::Meet { address }
        | Inst::Enumerate { address, .. }
        | Inst::Stuck { address }
        | Inst::Await { address, .. }
        | Inst::Withdraw { address }
        | Inst::Notify { address, .. } => {
            all(&[address]);
            None
        }
        Inst::Gathers { to, address, .. } => {
            all(&[address]);
            Some((to, 1))
        }
        Inst::Arrive { address, count } => {
            all(&[address, count]);
            None
        }
        Inst::Pass { to, address, count } => {
            all(&[address, count]);
            Some((to, 1))
        }
        Inst::Enlist { address, lock } => {
            all(&[address, lock]);
            None
        }
        Inst::Lock { to, address, kind, .. }
        | Inst::Unlock { to, address, kind }
        | Inst::TryLock { to, address, kind, .. } => {
            all(&[address, kind]);
            Some((to, 1))
        }
        Inst::Copy { to, from, size, .. } => {
            all(&[to, from, size]);
            None
        }
        Inst::Fill { to, byte, size } => {
            all(&[to, byte, size]);
            None
        }
        Inst::Spawn { to, function, argument } => {
            all(&[function, argument]);
            Some((to, 1))
        }
        Inst::Join { to, thread } => {
            all(&[thread]);
            Some((to, 1))
        }
        Inst::Exit { result, .. } => {
            all(&[result]);
            None
        }
        Inst::AtEnd { function, argument, .. } => {
            all(&[function]);
            argument.iter().for_each(|&argument| read(argument));
            None
        }
        Inst::Detach { thread } => {
            all(&[thread]);
            None
        }
        Inst::SetSpecific { key, value } => {
            all(&[key, value]);
            None
        }
        Inst::NewKey { to, destructor: from }
        | Inst::Specific { to, key: from }
        | Inst::SizeOf { to, address: from } => {
            all(&[from]);
            Some((to, 1))
        }
        Inst::Choose { to, low, high } => {
            all(&[low, high]);
            Some((to, 1))
        }
        Inst::Observe { value, .. } => {
            all(&[value]);
            None
        }
        Inst::Self_ { to } | Inst::Clock { to } => Some((to, 1)),
        Inst::ThreadLocal { to, .. } => Some((to, 2)),
        Inst::Random { to, at } => {
            at.into_iter().for_each(read);
            Some((to, 1))
        }
        Inst::Seed { position } => {
            all(&[position]);
            None
        }
        Inst::Elapse { until } => {
            all(&[until]);
            None
        }
        Inst::Wide { op, to, first, bits } => {
            let (operands, results) = op.shape(bits);
            all(&function.operands[first as usize..first as usize + operands as usize]);
            Some((to, results))
        }
        Inst::Native { to, first, count, .. } => {
            all(&function.operands[first as usize..first as usize + count as usize]);
            Some((to, 1))
        }
        Inst::Raise { exception, ty } => {
            all(&[exception, ty]);
            None
        }
        Inst::Resume { exception } | Inst::Terminate { exception } => {
            all(&[exception]);
            None
        }
        Inst::Landed { to } => Some((to, 2)),
        Inst::CaughtAs { to, exception, done } => {
            all(&[exception, done]);
            Some((to, 1))
        }
        Inst::TypeKind { to, ty } => {
            all(&[ty]);
            Some((to, 1))
        }
        Inst::Forget { register, .. } => Some((register, 1)),
        Inst::FurtherArguments { list } => {
            all(&[list]);
            None
        }
        Inst::Fence { .. }
        | Inst::Drop
        | Inst::End { .. }
        | Inst::Clear { .. }
        | Inst::Jump { .. }
        | Inst::Loop { .. }
        | Inst::OnlySc { .. }
        | Inst::Fail { .. }
        | Inst::Refuse { .. }
        | Inst::Unreachable => None,
    }
}

/// Does an instruction only make a value of others?
fn only_computes(inst: &Inst) -> bool {
    match inst {
        Inst::Move { .. } | Inst::Truncate { .. } | Inst::Extend { .. } => true,
        Inst::Arith { op, .. } => {
            matches!(op, Arith::Add | Arith::Sub | Arith::And | Arith::Or | Arith::Xor)
        }
        _ => false,
    }
}

/// Fill in what is live at every instruction, and the heads of loops.
pub fn find(function: &mut Function) {
    function.live = rows(function, false);
    if function.code.iter().any(|inst| matches!(inst, Inst::Modify { looks: false, .. })) {
        let read = rows(function, true);
        for at in 0..function.code.len() {
            if let Inst::Modify { to, looks, .. } = &mut function.code[at] {
                *looks |= read.at(at + 1).any(|register| register == *to);
            }
        }
    }
    for at in 0..function.code.len() {
        if let Inst::Loop { head } = function.code[at] {
            let live = function.live.at(at).collect();
            let site = function.sites.get(at).copied();
            let head = &mut function.heads[usize::from(head)];
            (head.live, head.site) = (live, site);
        }
    }
}

/// What is live at every instruction. If `used`, what only serves to compute something that is not live is not live itself.
fn rows(function: &Function, used: bool) -> Live {
    let words = usize::from(function.registers).div_ceil(64);
    let count = function.code.len();
    let mut live = vec![0u64; (count + 1) * words];
    let mut row = vec![0u64; words];
    let mut after = row.clone();
    loop {
        let mut changed = false;
        for at in (0..count).rev() {
            row.fill(0);
            next(function, at, &mut |target| {
                for (to, from) in row.iter_mut().zip(&live[target * words..(target + 1) * words]) {
                    *to |= from;
                }
            });
            after.clone_from(&row);
            let mut reads = Vec::new();
            let written = effect(function, &function.code[at], &mut |operand| {
                if let Ok(register) = operand.decode() {
                    reads.push(register);
                }
            });
            let returned = match function.code[at] {
                Inst::Call { to, results, .. } | Inst::CallPointer { to, results, .. } => Some((to, results)),
                _ => None,
            };
            if let Some((first, n)) = written.or(returned) {
                for register in first..first + n {
                    row[usize::from(register) / 64] &= !(1 << (register % 64));
                }
            }
            let idle = used
                && only_computes(&function.code[at])
                && written.is_some_and(|(to, _)| after[usize::from(to) / 64] & (1 << (to % 64)) == 0);
            for register in reads.into_iter().filter(|_| !idle) {
                row[usize::from(register) / 64] |= 1 << (register % 64);
            }
            let old = &mut live[at * words..(at + 1) * words];
            if old != row {
                old.copy_from_slice(&row);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    Live { words, rows: live }
}
