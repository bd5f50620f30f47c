//! Types, and what can be asked about them.

use super::lex::{Fault, Name, Result, Token};
use super::reader::Reader;
use super::{FunctionType, Type};

/// LLVM's own limit.
const WIDEST: u32 = 1 << 23;

/// What is known of a named type while the text is read.
#[derive(Clone, Copy)]
pub(super) struct TypeState {
    /// The byte of its first mention.
    pub first: usize,
    pub defined: bool,
}

/// No struct has more members, those of its members among them.
const MAX_MEMBERS: u64 = 1 << 16;

impl<'a> Reader<'a> {
    /// A type.
    pub(super) fn ty(&mut self) -> Result<Type> {
        self.nested(|r| {
            let base = r.base_type()?;
            r.type_suffix(base)
        })
    }

    fn base_type(&mut self) -> Result<Type> {
        match self.token {
            Token::Word(word) => {
                let ty = match word {
                    "ptr" => Type::Pointer,
                    "void" => Type::Void,
                    "half" => Type::Float(16),
                    "float" => Type::Float(32),
                    "double" => Type::Float(64),
                    "x86_fp80" => Type::Float(80),
                    "fp128" => Type::Float(128),
                    "metadata" | "label" | "token" => Type::Other,
                    _ => match word.strip_prefix('i').and_then(|width| width.parse().ok()) {
                        Some(width) if (1..=WIDEST).contains(&width) => Type::Int(width),
                        _ => return Err(self.fault(format!("the type `{word}` is not known"))),
                    },
                };
                self.advance()?;
                Ok(ty)
            }
            Token::Local(name) => {
                let index = self.named_type(name)?;
                self.advance()?;
                Ok(Type::Named(index))
            }
            Token::Symbol(b'{') => self.struct_type(false),
            Token::Symbol(b'[') => {
                self.advance()?;
                let (count, element) = self.counted_type()?;
                self.expect(b']')?;
                Ok(Type::Array(count, element))
            }
            Token::Symbol(b'<') => {
                self.advance()?;
                if self.at(b'{') {
                    let ty = self.struct_type(true)?;
                    self.expect(b'>')?;
                    return Ok(ty);
                }
                let (count, element) = self.counted_type()?;
                self.expect(b'>')?;
                Ok(Type::Vector(count, element))
            }
            _ => Err(self.expected("a type")),
        }
    }

    /// `N x T`
    fn counted_type(&mut self) -> Result<(u64, Box<Type>)> {
        let count = self.number()?;
        self.expect_word("x")?;
        Ok((count, Box::new(self.element_type()?)))
    }

    fn struct_type(&mut self, packed: bool) -> Result<Type> {
        self.expect(b'{')?;
        let mut fields = Vec::new();
        if !self.at(b'}') {
            fields.push(self.element_type()?);
            while self.eat(b',')? {
                fields.push(self.element_type()?);
            }
        }
        self.expect(b'}')?;
        Ok(Type::Struct { fields, packed })
    }

    /// A type that a value in memory can have.
    fn element_type(&mut self) -> Result<Type> {
        let at = self.start;
        match self.ty()? {
            Type::Void | Type::Function(_) | Type::Other => {
                Err(Fault::new(at, "a value of this type cannot be in memory"))
            }
            ty => Ok(ty),
        }
    }

    /// What clang 14 writes after a type to make another one: `*`, `addrspace(1)*`, `(parameters)`.
    fn type_suffix(&mut self, mut ty: Type) -> Result<Type> {
        loop {
            match self.token {
                Token::Symbol(b'*') => {
                    self.advance()?;
                    ty = Type::Pointer;
                }
                Token::Word("addrspace") => {
                    self.advance()?;
                    self.skip_parentheses()?;
                    if ty != Type::Pointer || self.at(b'*') {
                        self.expect(b'*')?;
                    }
                    ty = Type::Pointer;
                }
                Token::Symbol(b'(') => {
                    if matches!(ty, Type::Function(_)) {
                        return Err(self.fault("a function cannot return a function"));
                    }
                    ty = self.function_type(ty)?;
                }
                _ => return Ok(ty),
            }
        }
    }

    fn function_type(&mut self, result: Type) -> Result<Type> {
        self.expect(b'(')?;
        let mut parameters = Vec::new();
        let mut variadic = false;
        while !self.at(b')') {
            if self.token == Token::Ellipsis {
                variadic = true;
                self.advance()?;
                break;
            }
            parameters.push(self.ty()?);
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(b')')?;
        Ok(Type::Function(Box::new(FunctionType { result, parameters, variadic })))
    }

    /// The index of a named type, which may be defined later.
    fn named_type(&mut self, name: Name<'a>) -> Result<u32> {
        if let Some(&index) = self.types.get(&name) {
            return Ok(index);
        }
        let index = self.module.types.len() as u32;
        let plain = self.name(name)?;
        self.module.types.push((plain, Type::Opaque));
        self.type_states.push(TypeState { first: self.start, defined: false });
        self.types.insert(name, index);
        Ok(index)
    }

    /// `%name = type ...`
    pub(super) fn type_definition(&mut self, name: Name<'a>) -> Result<()> {
        let at = self.start;
        let index = self.named_type(name)? as usize;
        self.advance()?;
        self.expect(b'=')?;
        self.expect_word("type")?;
        if std::mem::replace(&mut self.type_states[index].defined, true) {
            return Err(Fault::new(at, "this type is defined twice"));
        }
        if self.eat_word("opaque")? {
            return Ok(());
        }
        let at = self.start;
        match self.ty()? {
            ty @ Type::Struct { .. } => self.module.types[index].1 = ty,
            _ => return Err(Fault::new(at, "only a struct can have a name")),
        }
        Ok(())
    }

    /// After the last line: every type is defined, and none contains itself.
    pub(super) fn check_types(&self) -> Result<()> {
        if let Some((state, (name, _))) =
            self.type_states.iter().zip(&self.module.types).find(|(state, _)| !state.defined)
        {
            return Err(Fault::new(state.first, format!("the type `%{name}` is not defined")));
        }
        let mut heights = vec![None; self.module.types.len()];
        for (index, state) in self.type_states.iter().enumerate() {
            if self.height(&Type::Named(index as u32), &mut heights, 0).is_none() {
                let name = &self.module.types[index].0;
                return Err(Fault::new(
                    state.first,
                    format!("the type `%{name}` contains itself, or nests too deep"),
                ));
            }
        }
        let mut weights = vec![None; self.module.types.len()];
        for (index, state) in self.type_states.iter().enumerate() {
            if self.weight(&Type::Named(index as u32), &mut weights) > MAX_MEMBERS {
                let name = &self.module.types[index].0;
                return Err(Fault::new(state.first, format!("the type `%{name}` has too many members")));
            }
        }
        Ok(())
    }

    /// How many members a type has with all that are in it, arrays counted once.
    fn weight(&self, ty: &Type, weights: &mut [Option<u64>]) -> u64 {
        match ty {
            Type::Array(_, element) | Type::Vector(_, element) => self.weight(element, weights),
            Type::Struct { fields, .. } => {
                fields.iter().fold(1, |sum: u64, field| sum.saturating_add(self.weight(field, weights)))
            }
            Type::Named(index) => match weights[*index as usize] {
                Some(weight) => weight,
                None => {
                    let weight = self.weight(&self.module.types[*index as usize].1, weights);
                    weights[*index as usize] = Some(weight);
                    weight
                }
            },
            _ => 1,
        }
    }

    /// How deep named types nest in this one; None for too deep.
    fn height(&self, ty: &Type, heights: &mut [Option<u32>], depth: u32) -> Option<u32> {
        if depth > 1000 {
            return None;
        }
        match ty {
            Type::Array(_, element) | Type::Vector(_, element) => self.height(element, heights, depth + 1),
            Type::Struct { fields, .. } => {
                let mut highest = 0;
                for field in fields {
                    highest = highest.max(self.height(field, heights, depth + 1)?);
                }
                Some(highest)
            }
            Type::Named(index) => {
                let index = *index as usize;
                if heights[index].is_none() {
                    let inside = self.height(&self.module.types[index].1, heights, depth + 1)? + 1;
                    heights[index] = (inside <= 200).then_some(inside);
                }
                heights[index]
            }
            _ => Some(0),
        }
    }

    /// The struct behind a name; any other type is itself.
    pub(super) fn resolve<'t>(&'t self, ty: &'t Type) -> &'t Type {
        match ty {
            Type::Named(index) => &self.module.types[*index as usize].1,
            _ => ty,
        }
    }

    /// The type of a member of a struct or array.
    pub(super) fn member(&self, ty: &Type, index: u32) -> Option<Type> {
        match self.resolve(ty) {
            Type::Struct { fields, .. } => fields.get(index as usize).cloned(),
            Type::Array(count, element) if u64::from(index) < *count => Some((**element).clone()),
            _ => None,
        }
    }
}

/// The type itself, or that of the elements of a vector.
pub(super) fn scalar(ty: &Type) -> &Type {
    match ty {
        Type::Vector(_, element) => element,
        _ => ty,
    }
}

/// A vector of `element` if `shape` is a vector, otherwise `element`.
pub(super) fn shaped(shape: &Type, element: Type) -> Type {
    match shape {
        Type::Vector(count, _) => Type::Vector(*count, Box::new(element)),
        _ => element,
    }
}
