//! Where what a variable in memory holds does not matter any more: whatever comes, it is set again before it is read.
//!
//! There the variable is cleared. A loop that copies a structure in every round, into a variable or into memory that the
//! compiler made for it, then comes back to the same state, whatever the last round copied; registers are compared only as
//! far as they are live, too. Only variables to which no pointer escapes are looked at: those whose address serves
//! accesses, computed addresses, and calls of functions that do not keep it ([`Callees`]).

mod pointers;

use std::cell::RefCell;
use std::collections::HashMap;

use self::pointers::{Pointer, Pointers};
use super::layout::Layout;
use super::loops::successors;
use super::promote::{self, each_operand};
use crate::ir::{
    BlockId, Callee, Cast, Constant, Function, Instruction, Life, Local, Module, Op, Operand, Type, Value,
};

/// Larger variables are left as they are: a word has a bit for each byte.
const LARGEST: u64 = 64;

/// Functions that call each other deeper than this are taken to keep what they are given.
const DEEPEST: usize = 64;

/// The same function with [`Life::Forgets`] where variables do not matter any more; none if there is no such place.
pub(super) fn marked<'a>(function: &Function, layout: Layout<'a>, callees: &Callees<'a>) -> Option<Function> {
    let registers = promote::promoted(function, layout);
    let objects = variables(function, layout, &registers);
    if objects.is_empty() {
        return None;
    }
    let roots = objects.iter().enumerate().map(|(at, &(local, _))| (local, at)).collect();
    let pointers = Pointers::find(function, layout, &registers, roots);
    let sizes: Vec<u64> = objects.iter().map(|&(_, size)| size).collect();
    let uses = Uses { layout, callees, pointers: &pointers, sizes: &sizes };
    let effects = uses.of(function)?;
    let mut marked = function.clone();
    let places = deaths(function, &effects, objects.len());
    if places.iter().all(|block| block.is_empty()) {
        return None;
    }
    for (block, places) in marked.blocks.iter_mut().zip(places) {
        let location = block.instructions.iter().find_map(|instruction| instruction.location);
        for &(at, object) in places.iter().rev() {
            let before = at.checked_sub(1).and_then(|before| block.instructions.get(before));
            let forgets = Instruction {
                result: None,
                op: Op::Life { variable: objects[object].0, life: Life::Forgets },
                location: before.map_or(location, |before| before.location),
                line: before.map_or(0, |before| before.line),
            };
            block.instructions.insert(at, forgets);
        }
    }
    Some(marked)
}

/// The variables of a call that lie in memory, with their sizes.
fn variables(function: &Function, layout: Layout<'_>, registers: &HashMap<Local, u32>) -> Vec<(Local, u64)> {
    let first = function.blocks.first().map(|block| block.instructions.as_slice()).unwrap_or_default();
    let variable = |instruction: &Instruction| {
        let Op::Alloca { ty, count, .. } = &instruction.op else { return None };
        let one = matches!(count.value, Value::Constant(Constant::Int(1)));
        let size = layout.size(ty).filter(|size| (1..=LARGEST).contains(size))?;
        instruction.result.filter(|local| one && !registers.contains_key(local)).map(|local| (local, size))
    };
    first.iter().filter_map(variable).collect()
}

/// What an instruction does to an object: the bytes that it may read, and those that it sets whatever happens.
#[derive(Clone, Copy)]
struct Effect {
    object: usize,
    reads: u64,
    sets: u64,
}

/// What the instructions of a function do.
struct Uses<'u, 'a> {
    layout: Layout<'a>,
    callees: &'u Callees<'a>,
    pointers: &'u Pointers<'u>,
    sizes: &'u [u64],
}

/// For each block and instruction.
type Effects = Vec<Vec<Vec<Effect>>>;

impl Uses<'_, '_> {
    /// None if every object may be reached by pointers that are not known.
    fn of(&self, function: &Function) -> Option<Effects> {
        let mut escaped = self.pointers.escaped.clone();
        let mut effects: Effects = Vec::with_capacity(function.blocks.len());
        for block in &function.blocks {
            let of = |instruction: &Instruction| {
                let mut found = Vec::new();
                self.instruction(&instruction.op, &mut found, &mut escaped);
                found
            };
            effects.push(block.instructions.iter().map(of).collect());
        }
        if escaped.iter().all(|&escaped| escaped) {
            return None;
        }
        for effects in effects.iter_mut().flatten() {
            effects.retain(|effect| !escaped[effect.object]);
        }
        Some(effects)
    }

    fn all(&self, object: usize) -> u64 {
        mask(0, self.sizes[object])
    }

    /// The bytes that an access to so many may touch.
    fn reads(&self, pointer: Pointer, bytes: Option<u64>) -> Effect {
        let reads = pointer.offset.zip(bytes).map(|(offset, bytes)| mask(offset, bytes));
        let all = self.all(pointer.object);
        Effect { object: pointer.object, reads: reads.unwrap_or(all) & all, sets: 0 }
    }

    fn sets(&self, pointer: Pointer, bytes: Option<u64>) -> Effect {
        let sets = pointer.offset.zip(bytes).map_or(0, |(offset, bytes)| mask(offset, bytes));
        Effect { object: pointer.object, reads: 0, sets }
    }

    fn instruction(&self, op: &Op, effects: &mut Vec<Effect>, escaped: &mut [bool]) {
        let is_holder = |value: &Value| matches!(value, Value::Local(local) if self.pointers.registers.contains_key(local));
        match op {
            Op::Load { address, .. } | Op::Store { address, .. } if is_holder(&address.value) => {}
            Op::Load { ty, address, .. } => {
                if let Some(pointer) = self.pointers.of(&address.value) {
                    effects.push(self.reads(pointer, self.layout.size(ty)));
                }
            }
            Op::Store { value, address, .. } => {
                if let Some(pointer) = self.pointers.of(&value.value) {
                    escaped[pointer.object] = true;
                }
                if let Some(pointer) = self.pointers.of(&address.value) {
                    effects.push(self.sets(pointer, self.scalar_bytes(&value.ty)));
                }
            }
            Op::Call { callee, arguments, .. } => {
                if let Callee::Pointer(Value::Local(local)) = callee
                    && let Some(pointer) = self.pointers.known.get(local)
                {
                    escaped[pointer.object] = true;
                }
                for (at, argument) in arguments.iter().enumerate() {
                    let Some(pointer) = self.pointers.of(&argument.operand.value) else { continue };
                    match self.argument(callee, arguments.iter().map(|a| &a.operand), at, pointer) {
                        Some(effect) => effects.extend(effect),
                        None if argument.by_value.is_some() => effects.push(self.reads(pointer, None)),
                        None => escaped[pointer.object] = true,
                    }
                }
            }
            Op::Element { .. }
            | Op::Cast { op: Cast::Bitcast, .. }
            | Op::Life { .. }
            | Op::Compare { .. } => {}
            other => each_operand(other, &mut |value| {
                if let Some(pointer) = self.pointers.of(value) {
                    escaped[pointer.object] = true;
                }
            }),
        }
    }

    /// What a call does by an argument; none if it may keep the pointer.
    fn argument<'o>(
        &self,
        callee: &Callee,
        mut all: impl Iterator<Item = &'o Operand>,
        at: usize,
        pointer: Pointer,
    ) -> Option<Option<Effect>> {
        let Callee::Function(name) = callee else { return None };
        let is = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
        if is(&["llvm.lifetime.", "llvm.dbg."]) {
            return Some(None);
        }
        if is(&["llvm.memcpy.", "llvm.memmove.", "llvm.memset."]) {
            let bytes = match all.nth(2)?.value {
                Value::Constant(Constant::Int(number)) => u64::try_from(number).ok(),
                _ => None,
            };
            let effect = if at == 0 { self.sets(pointer, bytes) } else { self.reads(pointer, bytes) };
            return Some(Some(effect));
        }
        match self.callees.takes(name, at) {
            Takes::Keeps => None,
            Takes::Uses => Some(Some(self.reads(pointer, None))),
            // How much of it is set is not known.
            Takes::Result => Some(Some(Effect { object: pointer.object, reads: 0, sets: 0 })),
        }
    }

    /// How many bytes a store of this type sets; none where some of them stay as they are.
    fn scalar_bytes(&self, ty: &Type) -> Option<u64> {
        match self.layout.resolve(ty) {
            Type::Int(bits) | Type::Float(bits @ (32 | 64)) if bits % 8 == 0 => Some(u64::from(*bits) / 8),
            Type::Pointer => Some(8),
            _ => None,
        }
    }
}

/// So many bytes from here.
fn mask(offset: u64, bytes: u64) -> u64 {
    if offset >= LARGEST {
        return 0;
    }
    let ones = if bytes >= LARGEST { u64::MAX } else { (1 << bytes) - 1 };
    ones << offset
}

/// Where objects cease to matter: for each block the places in it, in order, at which an object is to be cleared.
fn deaths(function: &Function, effects: &Effects, objects: usize) -> Vec<Vec<(usize, usize)>> {
    let blocks = function.blocks.len();
    let mut live = vec![vec![0u64; objects]; blocks];
    let at_end = |live: &[Vec<u64>], block: usize| {
        let mut out = vec![0u64; objects];
        for next in successors(function, block as BlockId) {
            out.iter_mut().zip(&live[next as usize]).for_each(|(out, live)| *out |= live);
        }
        out
    };
    let before = |mut live: Vec<u64>, effects: &[Effect]| {
        effects.iter().for_each(|effect| live[effect.object] &= !effect.sets);
        effects.iter().for_each(|effect| live[effect.object] |= effect.reads);
        live
    };
    loop {
        let mut changed = false;
        for block in (0..blocks).rev() {
            let out = at_end(&live, block);
            let now = effects[block].iter().rev().fold(out, |live, effects| before(live, effects));
            changed |= live[block] != now;
            live[block] = now;
        }
        if !changed {
            break;
        }
    }
    // What may hold something at the end of a block.
    let mut held = vec![vec![false; objects]; blocks];
    let mut places = vec![Vec::new(); blocks];
    for (block, instructions) in effects.iter().enumerate() {
        let mut after = at_end(&live, block);
        let last = instructions.len().saturating_sub(1);
        for (at, effects) in instructions.iter().enumerate().rev() {
            let now = before(after.clone(), effects);
            let touched = |object: usize| effects.iter().any(|effect| effect.object == object);
            for object in 0..objects {
                let matters = now[object] != 0 || touched(object);
                if at == last {
                    held[block][object] = matters || after[object] != 0;
                } else if matters && after[object] == 0 {
                    places[block].push((at + 1, object));
                }
            }
            after = now;
        }
        places[block].reverse();
    }
    for (block, held) in held.iter().enumerate() {
        for next in successors(function, block as BlockId) {
            let next = next as usize;
            let instructions = &function.blocks[next].instructions;
            let first = instructions.iter().take_while(|i| matches!(i.op, Op::Phi { .. })).count();
            for object in 0..objects {
                let clear = (first, object);
                if held[object] && live[next][object] == 0 && !places[next].contains(&clear) {
                    places[next].insert(0, clear);
                }
            }
        }
    }
    places
}

/// What a function does with a pointer that it is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// It may be there after the call.
    Keeps,
    /// Not after the call.
    Uses,
    /// The callee puts its result there, and does not read what was there.
    Result,
}

/// The functions of a module, asked whether they keep pointers that they are given.
pub(super) struct Callees<'a> {
    functions: HashMap<&'a str, &'a Function>,
    layout: Layout<'a>,
    known: RefCell<HashMap<(&'a str, usize), Takes>>,
    /// Those that are being looked at.
    open: RefCell<usize>,
}

impl<'a> Callees<'a> {
    pub fn new(module: &'a Module, layout: Layout<'a>) -> Callees<'a> {
        let functions = module.functions.iter().filter(|function| !function.blocks.is_empty());
        Callees {
            functions: functions.map(|function| (function.name.as_str(), function)).collect(),
            layout,
            known: RefCell::default(),
            open: RefCell::default(),
        }
    }

    fn takes(&self, name: &str, at: usize) -> Takes {
        // What checkers define has its own meaning, whatever the body.
        let Some((&name, &function)) =
            self.functions.get_key_value(name).filter(|_| !name.starts_with("__VERIFIER"))
        else {
            return Takes::Keeps;
        };
        let Some(parameter) = function.parameters.get(at) else { return Takes::Keeps };
        if let Some(&known) = self.known.borrow().get(&(name, at)) {
            return known;
        }
        if *self.open.borrow() >= DEEPEST {
            return Takes::Keeps;
        }
        // Where functions call each other in a circle nothing is known.
        self.known.borrow_mut().insert((name, at), Takes::Keeps);
        *self.open.borrow_mut() += 1;
        let registers = promote::promoted(function, self.layout);
        let roots = HashMap::from([(at as Local, 0)]);
        let pointers = Pointers::find(function, self.layout, &registers, roots);
        let uses = Uses { layout: self.layout, callees: self, pointers: &pointers, sizes: &[LARGEST] };
        let takes = match uses.of(function) {
            None => Takes::Keeps,
            Some(_) if parameter.result_pointer => Takes::Result,
            Some(_) => Takes::Uses,
        };
        *self.open.borrow_mut() -= 1;
        self.known.borrow_mut().insert((name, at), takes);
        takes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::scopes;

    /// The blocks and instructions before which `name` is cleared in the function `f`.
    fn cleared(text: &str, name: &str) -> Vec<(String, usize)> {
        let module = crate::ir::read(text).expect("text");
        let layout = Layout { types: &module.types };
        let function = module.function("f").expect("f");
        let tidied = scopes::tidied(function);
        let function = tidied.as_ref().unwrap_or(function);
        let marked = marked(function, layout, &Callees::new(&module, layout));
        let mut found = Vec::new();
        for block in marked.iter().flat_map(|function| &function.blocks) {
            for (at, instruction) in block.instructions.iter().enumerate() {
                if let Op::Life { variable, life: Life::Forgets } = instruction.op
                    && function.locals[variable as usize] == name
                {
                    found.push((block.name.clone(), at));
                }
            }
        }
        found
    }

    /// `struct { int a, b; } x; do { x = s; } while (!x.a); return x.b`, with what comes in each round.
    fn copied(in_each_round: &str, more: &str) -> String {
        format!(
            r#"
define i32 @f(ptr %s) {{
entry:
  %x = alloca {{ i32, i32 }}, align 8
  %t = alloca i64, align 8
  %q = alloca [2 x i32], align 4
  br label %head
head:
  {in_each_round}
  %a = load i32, ptr %x, align 8
  %more = icmp eq i32 %a, 0
  br i1 %more, label %head, label %out
out:
  %p = getelementptr {{ i32, i32 }}, ptr %x, i64 0, i32 1
  %b = load i32, ptr %p, align 4
  ret i32 %b
}}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @unknown(ptr)
define void @looks(ptr %p) {{
  %v = load i32, ptr %p, align 4
  ret void
}}
define ptr @gives_back(ptr %p) {{
  ret ptr %p
}}
{more}
"#
        )
    }

    const COPY: &str = "call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %s, i64 8, i1 false)";

    #[test]
    fn a_variable_that_is_set_anew_in_each_round_is_cleared_before_the_head_is_visited() {
        let before = [("head".to_owned(), 0), ("out".to_owned(), 2)];
        assert_eq!(cleared(&copied(COPY, ""), "x"), before);
        let fields = "%v = load i32, ptr %s, align 4
  store i32 %v, ptr %x, align 8
  %second = getelementptr { i32, i32 }, ptr %x, i64 0, i32 1
  store i32 %v, ptr %second, align 4";
        assert_eq!(cleared(&copied(fields, ""), "x"), before);
    }

    #[test]
    fn a_variable_of_which_a_part_is_left_as_it_was_keeps_what_it_holds() {
        let one = "%v = load i32, ptr %s, align 4
  store i32 %v, ptr %x, align 8";
        assert_eq!(cleared(&copied(one, ""), "x"), [("out".to_owned(), 2)]);
        let less = "call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %s, i64 7, i1 false)";
        assert_eq!(cleared(&copied(less, ""), "x"), [("out".to_owned(), 2)]);
        let number = "%n = load i64, ptr %s, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %s, i64 %n, i1 false)";
        assert_eq!(cleared(&copied(number, ""), "x"), [("out".to_owned(), 2)]);
    }

    #[test]
    fn a_variable_to_which_a_pointer_may_be_kept_is_left_alone() {
        for keeps in [
            "call void @unknown(ptr %x)",
            "%g = call ptr @gives_back(ptr %x)",
            "store ptr %x, ptr %s, align 8",
        ] {
            assert_eq!(cleared(&copied(&format!("{COPY}\n  {keeps}"), ""), "x"), [], "{keeps}");
        }
        let looks = format!("call void @looks(ptr %x)\n  {COPY}");
        let behind = [("head".to_owned(), 1), ("out".to_owned(), 2)];
        assert_eq!(cleared(&copied(&looks, ""), "x"), behind, "a round reads what the one before it has set");
        let looks = format!("{COPY}\n  call void @looks(ptr %x)");
        assert_eq!(cleared(&copied(&looks, ""), "x").len(), 2);
    }

    #[test]
    fn the_index_of_an_array_may_be_any() {
        let array = "%i = load i64, ptr %s, align 8
  %e = getelementptr [2 x i32], ptr %q, i64 0, i64 %i
  store i32 1, ptr %e, align 4
  %f = load i32, ptr %q, align 4
  store i32 %f, ptr %x, align 8";
        assert_eq!(cleared(&copied(array, ""), "q"), [("out".to_owned(), 0)]);
    }
}
