//! Functions: the line that starts them, their parameters, values and blocks.
//!
//! Values and blocks are often mentioned before they are defined. A value gets its index at its first
//! mention. Blocks must stand in the order of the text, so their first mention gives them a provisional
//! number, and all of these are replaced when the function ends.

use rustc_hash::FxHashMap;

use super::debug::Source;
use super::lex::{Fault, Name, Result, Token};
use super::reader::{Linkage, Reader};
use super::{Block, BlockId, Cast, Function, Instruction, Local, Op, Parameter, Type, Value};

/// The function that is being read.
#[derive(Default)]
pub(super) struct Body<'a> {
    pub blocks: Vec<Block>,
    pub locals: Vec<String>,
    pub local_types: Vec<Type>,
    /// What it returns.
    pub result: Option<Type>,
    /// Variables that live in memory, each with the metadata that describes it.
    pub variables: Vec<(Local, Source)>,
    by_name: FxHashMap<Name<'a>, Local>,
    /// Per local: the byte of its first mention, and whether it is defined.
    local_states: Vec<(usize, bool)>,
    labels: FxHashMap<Name<'a>, BlockId>,
    /// Per provisional number of a block: the byte of its first mention, and its index.
    label_states: Vec<(usize, Option<BlockId>)>,
    /// Whether the last block still waits for the instruction that ends it.
    open: bool,
    /// The number of the next value or block without a name.
    next: u32,
}

impl<'a> Body<'a> {
    /// Make this number the last one used.
    fn count(&mut self, number: u32, at: usize) -> Result<()> {
        if number < self.next {
            return Err(Fault::new(
                at,
                format!("the number {number} does not rise; the next is {}", self.next),
            ));
        }
        self.next = number.checked_add(1).ok_or_else(|| Fault::new(at, "the number is too large"))?;
        Ok(())
    }

    /// The name that is given, or the next number.
    fn name_or_number(&mut self, name: Option<Name<'a>>, at: usize) -> Result<Name<'a>> {
        match name {
            Some(Name::Number(number)) => {
                self.count(number, at)?;
                Ok(Name::Number(number))
            }
            Some(name) => Ok(name),
            None => {
                let number = self.next;
                self.count(number, at)?;
                Ok(Name::Number(number))
            }
        }
    }
}

impl<'a> Reader<'a> {
    /// A mention of a local as a value of this type.
    pub(super) fn use_local(&mut self, name: Name<'a>, ty: &Type) -> Result<Local> {
        let local = self.local(name, ty, self.start, "used")?;
        self.advance()?;
        Ok(local)
    }

    /// The index of a local, which must have this type wherever it stands.
    fn local(&mut self, name: Name<'a>, ty: &Type, at: usize, how: &str) -> Result<Local> {
        if let Some(&local) = self.body.by_name.get(&name) {
            if self.body.local_types[local as usize] != *ty {
                let name = self.name(name)?;
                return Err(Fault::new(at, format!("`%{name}` is {how} here with another type than before")));
            }
            return Ok(local);
        }
        if matches!(ty, Type::Void | Type::Function(_) | Type::Opaque) {
            return Err(Fault::new(at, "a value cannot have this type"));
        }
        let local = self.body.locals.len() as Local;
        let plain = self.name(name)?;
        self.body.locals.push(plain);
        self.body.local_types.push(ty.clone());
        self.body.local_states.push((at, false));
        self.body.by_name.insert(name, local);
        Ok(local)
    }

    /// The local that is defined here. Without a name it has the next number.
    fn define_local(&mut self, name: Option<Name<'a>>, ty: &Type, at: usize) -> Result<Local> {
        let name = self.body.name_or_number(name, at)?;
        let local = self.local(name, ty, at, "defined")?;
        if std::mem::replace(&mut self.body.local_states[local as usize].1, true) {
            let name = self.name(name)?;
            return Err(Fault::new(at, format!("`%{name}` is defined twice")));
        }
        Ok(local)
    }

    /// The provisional number of a block.
    fn block(&mut self, name: Name<'a>, at: usize) -> BlockId {
        let next = self.body.label_states.len() as BlockId;
        let block = *self.body.labels.entry(name).or_insert(next);
        if block == next {
            self.body.label_states.push((at, None));
        }
        block
    }

    /// `%name` where a block is meant.
    pub(super) fn block_name(&mut self) -> Result<BlockId> {
        let Token::Local(name) = self.token else { return Err(self.expected("a block")) };
        let block = self.block(name, self.start);
        self.advance()?;
        Ok(block)
    }

    /// `label %name`
    pub(super) fn label(&mut self) -> Result<BlockId> {
        self.expect_word("label")?;
        self.block_name()
    }

    /// A block starts here.
    fn start_block(&mut self, name: Option<Name<'a>>) -> Result<()> {
        if self.body.open {
            return Err(self.fault("the block before this label does not end with a jump or a return"));
        }
        let name = self.body.name_or_number(name, self.start)?;
        let index = self.body.blocks.len() as BlockId;
        let block = self.block(name, self.start) as usize;
        if self.body.label_states[block].1.replace(index).is_some() {
            let name = self.name(name)?;
            return Err(self.fault(format!("the block `{name}` is defined twice")));
        }
        let name = self.name(name)?;
        self.body.blocks.push(Block { name, instructions: Vec::new() });
        self.body.open = true;
        Ok(())
    }

    /// `declare ...`
    pub(super) fn declaration(&mut self) -> Result<()> {
        let line = self.line;
        self.advance()?;
        let described = self.attachments()?;
        let function = self.header(line, false)?;
        self.finish_function(function, described)
    }

    /// `define ... { ... }`
    pub(super) fn definition(&mut self) -> Result<()> {
        let line = self.line;
        self.advance()?;
        let mut function = self.header(line, true)?;
        let described = self.attachments()?;
        if !self.at(b'{') {
            return Err(self.expected("`{`"));
        }
        self.advance()?;
        while !self.at(b'}') {
            self.poll()?;
            self.line_of_body()?;
        }
        if self.body.open {
            return Err(self.fault("the last block does not end with a jump or a return"));
        }
        if self.body.blocks.is_empty() {
            return Err(self.fault("a function without instructions"));
        }
        self.close_names()?;
        self.advance()?;
        function.blocks = std::mem::take(&mut self.body.blocks);
        self.finish_function(function, described)
    }

    fn finish_function(&mut self, mut function: Function, described: Option<Source>) -> Result<()> {
        function.locals = std::mem::take(&mut self.body.locals);
        function.local_types = std::mem::take(&mut self.body.local_types);
        let index = self.module.functions.len();
        if let Some(source) = described {
            self.notes.subprogram(index, source);
        }
        for (local, source) in self.body.variables.drain(..) {
            self.notes.variable(index, local, source);
        }
        self.module.functions.push(function);
        Ok(())
    }

    /// From behind `define` to what is behind the attributes at the end.
    fn header(&mut self, line: u32, defined: bool) -> Result<Function> {
        self.body = Body::default();
        let mut linkage = Linkage::default();
        while let Token::Word(word) = self.token
            && linkage.take(word)
        {
            self.advance()?;
        }
        self.skip_to_type()?;
        let result = self.ty()?;
        if let Type::Function(_) | Type::Other | Type::Opaque = result {
            return Err(self.fault("a function cannot return this"));
        }
        let Token::Global(name) = self.token else { return Err(self.expected("the name of the function")) };
        let name = self.define_global(name)?;
        self.expect(b'(')?;
        let mut parameters = Vec::new();
        let mut variadic = false;
        while !self.at(b')') {
            if self.token == Token::Ellipsis {
                variadic = true;
                self.advance()?;
                break;
            }
            parameters.push(self.parameter()?);
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(b')')?;
        self.trailer(defined)?;
        self.body.result = Some(result.clone());
        Ok(Function {
            name,
            result,
            parameters,
            variadic,
            local: linkage.local,
            weak: linkage.weak,
            blocks: Vec::new(),
            locals: Vec::new(),
            local_types: Vec::new(),
            variables: Vec::new(),
            subprogram: None,
            line,
        })
    }

    fn parameter(&mut self) -> Result<Parameter> {
        let ty = self.ty()?;
        let (by_value, result_pointer) = self.parameter_attributes(&ty)?;
        let at = self.start;
        let name = match self.token {
            Token::Local(name) => {
                self.advance()?;
                Some(name)
            }
            _ => None,
        };
        self.define_local(name, &ty, at)?;
        Ok(Parameter { ty, by_value, result_pointer })
    }

    /// Skip the attributes of a parameter or argument, up to its name or value: the type of a `byval`, and
    /// whether there is an `sret`.
    pub(super) fn parameter_attributes(&mut self, ty: &Type) -> Result<(Option<Type>, bool)> {
        let mut by_value = None;
        let mut result_pointer = false;
        loop {
            match self.token {
                Token::Word("byval") => {
                    if *ty != Type::Pointer {
                        return Err(self.fault("only a pointer can be passed `byval`"));
                    }
                    self.advance()?;
                    by_value = Some(self.type_in_parentheses()?);
                }
                Token::Word(word @ ("inalloca" | "preallocated")) => {
                    return Err(self.fault(format!("the attribute `{word}` is not supported")));
                }
                Token::Word(word) if super::words::starts_value(word) => {
                    return Ok((by_value, result_pointer));
                }
                Token::Word(word) => {
                    result_pointer |= word == "sret";
                    self.skip_attribute()?;
                }
                Token::Text(_) => {
                    self.skip_attribute()?;
                }
                _ => return Ok((by_value, result_pointer)),
            }
        }
    }

    /// What stands between the parameters and the body, or the end of the line.
    fn trailer(&mut self, defined: bool) -> Result<()> {
        while defined || !self.fresh {
            match self.token {
                Token::Word("personality" | "prefix" | "prologue") => {
                    self.advance()?;
                    self.typed_constant()?;
                }
                Token::Word("section" | "partition" | "gc") => {
                    self.advance()?;
                    self.quoted()?;
                }
                _ => {
                    if !self.skip_attribute()? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// A label, a debug record or an instruction.
    fn line_of_body(&mut self) -> Result<()> {
        match self.token {
            Token::Label(name) => {
                self.start_block(Some(name))?;
                self.advance()
            }
            Token::Record(name) => self.record(name),
            Token::End => Err(self.expected("an instruction")),
            _ => {
                if !self.body.open {
                    self.start_block(None)?;
                }
                self.instruction()
            }
        }
    }

    /// One instruction with its result and its place in the source.
    fn instruction(&mut self) -> Result<()> {
        let (at, line) = (self.start, self.line);
        let name = match self.token {
            Token::Local(name) => {
                self.advance()?;
                self.expect(b'=')?;
                Some(name)
            }
            _ => None,
        };
        let Token::Word(word) = self.token else { return Err(self.expected("an instruction")) };
        let (op, ty) = self.operation(word)?;
        let location = self.attachments()?.map(|source| self.notes.location(source));
        if self.is_renamed(name, &op, at)? {
            return Ok(());
        }
        let result = match ty {
            Type::Void if name.is_some() => {
                return Err(Fault::new(at, "this instruction has no result to name"));
            }
            Type::Void => None,
            ty => Some(self.define_local(name, &ty, at)?),
        };
        // Only what the debugger reads: it has told its variable already.
        if is_note(&op) {
            return Ok(());
        }
        self.body.open = !ends_block(&op);
        let Some(block) = self.body.blocks.last_mut() else { return Err(Fault::new(at, "no block is open")) };
        if matches!(op, Op::Phi { .. })
            && block.instructions.last().is_some_and(|before| !matches!(before.op, Op::Phi { .. }))
        {
            return Err(Fault::new(at, "a `phi` must stand at the start of its block"));
        }
        block.instructions.push(Instruction { result, op, location, line });
        Ok(())
    }

    /// Is this a cast from pointer to pointer, which older versions of clang write? A pointer is a pointer, whatever it points
    /// to, so the result is another name for it, if it has not been mentioned yet.
    fn is_renamed(&mut self, name: Option<Name<'a>>, op: &Op, at: usize) -> Result<bool> {
        let Op::Cast { op: Cast::Bitcast, operand, to: Type::Pointer } = op else { return Ok(false) };
        let (Type::Pointer, Value::Local(pointer)) = (&operand.ty, &operand.value) else { return Ok(false) };
        let Some(name) = name.filter(|name| !self.body.by_name.contains_key(name)) else { return Ok(false) };
        let name = self.body.name_or_number(Some(name), at)?;
        self.body.by_name.insert(name, *pointer);
        Ok(true)
    }

    /// Everything that was mentioned must exist; blocks get the numbers of their order.
    fn close_names(&mut self) -> Result<()> {
        let body = &mut self.body;
        if let Some(local) = body.local_states.iter().position(|state| !state.1) {
            let (at, name) = (body.local_states[local].0, &body.locals[local]);
            return Err(Fault::new(at, format!("the value `%{name}` is not defined")));
        }
        let mut order = Vec::with_capacity(body.label_states.len());
        for (at, index) in &body.label_states {
            match index {
                Some(index) => order.push(*index),
                None => return Err(Fault::new(*at, "this block is not defined")),
            }
        }
        for instruction in body.blocks.iter_mut().flat_map(|block| &mut block.instructions) {
            renumber(&mut instruction.op, &order);
        }
        Ok(())
    }
}

fn is_note(op: &Op) -> bool {
    matches!(op, Op::Call { callee: super::Callee::Function(name), .. } if name.starts_with("llvm.dbg."))
}

/// Whether nothing can follow in the same block.
fn ends_block(op: &Op) -> bool {
    match op {
        Op::Jump { .. }
        | Op::Branch { .. }
        | Op::Switch { .. }
        | Op::IndirectBranch { .. }
        | Op::Return { .. }
        | Op::Resume { .. }
        | Op::Unreachable => true,
        Op::Call { invoke, .. } => invoke.is_some(),
        _ => false,
    }
}

/// Replace provisional numbers of blocks.
fn renumber(op: &mut Op, order: &[BlockId]) {
    let place = |block: &mut BlockId| *block = order[*block as usize];
    match op {
        Op::Jump { target } => place(target),
        Op::Branch { yes, no, .. } => {
            place(yes);
            place(no);
        }
        Op::Switch { default, cases, .. } => {
            place(default);
            cases.iter_mut().for_each(|(_, block)| place(block));
        }
        Op::IndirectBranch { targets, .. } => targets.iter_mut().for_each(place),
        Op::Phi { incoming, .. } => incoming.iter_mut().for_each(|(_, block)| place(block)),
        Op::Call { invoke: Some((normal, unwind)), .. } => {
            place(normal);
            place(unwind);
        }
        _ => {}
    }
}
