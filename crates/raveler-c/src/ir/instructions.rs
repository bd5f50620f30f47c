//! Instructions: what each does, and the type of its result ([`Type::Void`] if it has none).
//!
//! Flags of arithmetic (`nsw`, `fast`, `samesign`, ...) are skipped like attributes. Words of instructions
//! that touch memory or move control are all known, because skipping one could change what the program does.
//!
//! This file is long because it is one flat list of instructions.

use super::lex::{Fault, Result, Token};
use super::reader::Reader;
use super::types::{scalar, shaped};
use super::{Cast, Clause, Constant, Op, Operand, Order, Type, Value, words};

/// What an atomic instruction says behind its operands.
struct Ordering {
    order: Order,
    single_thread: bool,
}

impl<'a> Reader<'a> {
    /// The instruction that starts with this word.
    pub(super) fn operation(&mut self, word: &str) -> Result<(Op, Type)> {
        let at = self.start;
        self.advance()?;
        let nothing = |op: Op| (op, Type::Void);
        match word {
            "load" => self.load(),
            "store" => self.store().map(nothing),
            "getelementptr" => self.element(),
            "br" => self.branch().map(nothing),
            "alloca" => self.alloca(),
            "call" => self.call(false),
            "tail" | "musttail" | "notail" => {
                self.expect_word("call")?;
                self.call(false)
            }
            "invoke" => self.call(true),
            "ret" => self.ret().map(nothing),
            "icmp" => self.compare(words::integer_condition, "an integer or a pointer", |ty| {
                matches!(ty, Type::Int(_) | Type::Pointer)
            }),
            "fcmp" => self.compare(words::float_condition, "a floating-point number", |ty| {
                matches!(ty, Type::Float(_))
            }),
            "phi" => self.phi(),
            "select" => self.select(),
            "switch" => self.switch().map(nothing),
            "unreachable" => Ok(nothing(Op::Unreachable)),
            "extractvalue" => self.extract_value(),
            "insertvalue" => self.insert_value(),
            "cmpxchg" => self.compare_exchange(),
            "atomicrmw" => self.atomic_rmw(),
            "fence" => {
                let ordering = self.ordering()?;
                Ok(nothing(Op::Fence { order: ordering.order, single_thread: ordering.single_thread }))
            }
            "fneg" => {
                self.skip_to_type()?;
                let operand = self.operand()?;
                let ty = operand.ty.clone();
                Ok((Op::FloatNegate { operand }, ty))
            }
            "freeze" => {
                let operand = self.operand()?;
                let ty = operand.ty.clone();
                Ok((Op::Freeze { operand }, ty))
            }
            "landingpad" => self.landing_pad(),
            "resume" => {
                let value = self.operand()?;
                Ok(nothing(Op::Resume { value }))
            }
            "indirectbr" => self.indirect_branch().map(nothing),
            "va_arg" => {
                let list = self.pointer()?;
                self.expect(b',')?;
                let ty = self.ty()?;
                Ok((Op::VaArg { list, ty: ty.clone() }, ty))
            }
            "callbr" => Err(Fault::new(at, "`asm goto` (the instruction `callbr`) is not supported")),
            "extractelement" => self.extract_element(),
            "insertelement" => self.insert_element(),
            "shufflevector" => self.shuffle_vector(),
            _ => {
                if let Some(op) = words::binary(word) {
                    self.skip_to_type()?;
                    let ty = self.ty()?;
                    let fits = match scalar(&ty) {
                        Type::Int(_) => !words::on_floats(op),
                        Type::Float(_) => words::on_floats(op),
                        _ => false,
                    };
                    if !fits {
                        return Err(self.fault(format!("`{word}` cannot have this type")));
                    }
                    let (left, right) = self.two_values(&ty)?;
                    Ok((Op::Binary { op, ty: ty.clone(), left, right }, ty))
                } else if let Some(op) = words::cast(word) {
                    self.cast(op)
                } else {
                    Err(Fault::new(at, format!("the instruction `{word}` is not known")))
                }
            }
        }
    }

    /// A value of this type.
    pub(super) fn value(&mut self, ty: &Type) -> Result<Value> {
        match self.token {
            Token::Local(name) => Ok(Value::Local(self.use_local(name, ty)?)),
            _ => Ok(Value::Constant(self.constant(ty)?)),
        }
    }

    /// A type and a value of it.
    pub(super) fn operand(&mut self) -> Result<Operand> {
        let ty = self.ty()?;
        let value = self.value(&ty)?;
        Ok(Operand { ty, value })
    }

    /// An operand that must be a pointer.
    fn pointer(&mut self) -> Result<Operand> {
        let at = self.start;
        let operand = self.operand()?;
        if operand.ty == Type::Pointer { Ok(operand) } else { Err(Fault::new(at, "expected a pointer")) }
    }

    /// `a, b`, both of this type.
    fn two_values(&mut self, ty: &Type) -> Result<(Value, Value)> {
        let left = self.value(ty)?;
        self.expect(b',')?;
        let right = self.value(ty)?;
        Ok((left, right))
    }

    /// `, align 8` at the end of an access; 0 if it is not given.
    fn alignment(&mut self) -> Result<u64> {
        if !self.more()? {
            return Ok(0);
        }
        self.expect_word("align")?;
        self.number()
    }

    /// `syncscope("singlethread") seq_cst`
    fn ordering(&mut self) -> Result<Ordering> {
        let mut single_thread = false;
        if self.eat_word("syncscope")? {
            self.expect(b'(')?;
            match self.token {
                Token::Text("singlethread") => single_thread = true,
                Token::Text("") => {}
                _ => return Err(self.fault("this scope of an atomic access is not supported")),
            }
            self.advance()?;
            self.expect(b')')?;
        }
        Ok(Ordering { order: self.order()?, single_thread })
    }

    fn order(&mut self) -> Result<Order> {
        let order = match self.token {
            Token::Word(word) => words::order(word),
            _ => None,
        };
        let order = order.ok_or_else(|| self.expected("an atomic order"))?;
        self.advance()?;
        Ok(order)
    }

    fn alloca(&mut self) -> Result<(Op, Type)> {
        if let Token::Word(word @ ("inalloca" | "swifterror")) = self.token {
            return Err(self.fault(format!("`alloca {word}` is not supported")));
        }
        let ty = self.ty()?;
        let mut count = Operand { ty: Type::Int(32), value: Value::Constant(Constant::Int(1)) };
        let mut align = 0;
        while self.more()? {
            if self.eat_word("align")? {
                align = self.number()?;
            } else if self.eat_word("addrspace")? {
                self.skip_parentheses()?;
            } else {
                count = self.operand()?;
                if !matches!(count.ty, Type::Int(_)) {
                    return Err(self.fault("the size must be an integer"));
                }
            }
        }
        Ok((Op::Alloca { ty, count, align }, Type::Pointer))
    }

    fn load(&mut self) -> Result<(Op, Type)> {
        let atomic = self.eat_word("atomic")?;
        let volatile = self.eat_word("volatile")?;
        let ty = self.ty()?;
        self.expect(b',')?;
        let address = self.pointer()?;
        let ordering = if atomic { Some(self.ordering()?) } else { None };
        let align = self.alignment()?;
        let single_thread = ordering.as_ref().is_some_and(|o| o.single_thread);
        let order = ordering.map(|o| o.order);
        Ok((Op::Load { ty: ty.clone(), address, order, volatile, align, single_thread }, ty))
    }

    fn store(&mut self) -> Result<Op> {
        let atomic = self.eat_word("atomic")?;
        let volatile = self.eat_word("volatile")?;
        let value = self.operand()?;
        self.expect(b',')?;
        let address = self.pointer()?;
        let ordering = if atomic { Some(self.ordering()?) } else { None };
        let align = self.alignment()?;
        let single_thread = ordering.as_ref().is_some_and(|o| o.single_thread);
        let order = ordering.map(|o| o.order);
        Ok(Op::Store { value, address, order, volatile, align, single_thread })
    }

    fn atomic_rmw(&mut self) -> Result<(Op, Type)> {
        let volatile = self.eat_word("volatile")?;
        let Token::Word(word) = self.token else { return Err(self.expected("an operation")) };
        let op =
            words::rmw(word).ok_or_else(|| self.fault(format!("`atomicrmw {word}` is not supported")))?;
        self.advance()?;
        let address = self.pointer()?;
        self.expect(b',')?;
        let value = self.operand()?;
        let Ordering { order, single_thread } = self.ordering()?;
        self.alignment()?;
        let ty = value.ty.clone();
        Ok((Op::AtomicRmw { op, address, value, order, volatile, single_thread }, ty))
    }

    fn compare_exchange(&mut self) -> Result<(Op, Type)> {
        let weak = self.eat_word("weak")?;
        let volatile = self.eat_word("volatile")?;
        let address = self.pointer()?;
        self.expect(b',')?;
        let expected = self.operand()?;
        self.expect(b',')?;
        let at = self.start;
        let desired = self.operand()?;
        if desired.ty != expected.ty {
            return Err(Fault::new(at, "the expected and the desired value have different types"));
        }
        let Ordering { order: success, single_thread } = self.ordering()?;
        let failure = self.order()?;
        self.alignment()?;
        let ty = Type::Struct { fields: vec![expected.ty.clone(), Type::Int(1)], packed: false };
        let op = Op::CompareExchange {
            address,
            expected,
            desired,
            success,
            failure,
            weak,
            volatile,
            single_thread,
        };
        Ok((op, ty))
    }

    fn element(&mut self) -> Result<(Op, Type)> {
        self.skip_to_type()?;
        let ty = self.ty()?;
        self.expect(b',')?;
        let base = self.operand()?;
        if *scalar(&base.ty) != Type::Pointer {
            return Err(self.fault("the base of an address must be a pointer"));
        }
        let mut result = base.ty.clone();
        let mut indices = Vec::new();
        while self.more()? {
            let index = self.operand()?;
            if !matches!(scalar(&index.ty), Type::Int(_)) {
                return Err(self.fault("an index must be an integer"));
            }
            if result == Type::Pointer {
                result = shaped(&index.ty, Type::Pointer);
            }
            indices.push(index);
        }
        Ok((Op::Element { ty, base, indices }, result))
    }

    fn compare(
        &mut self,
        condition: fn(&str) -> Option<super::Compare>,
        what: &str,
        fits: fn(&Type) -> bool,
    ) -> Result<(Op, Type)> {
        // Flags first, such as `samesign` or `fast`.
        let op = loop {
            let Token::Word(word) = self.token else { return Err(self.expected("a condition")) };
            if words::starts_type(word) {
                return Err(self.expected("a condition"));
            }
            self.advance()?;
            if let Some(op) = condition(word) {
                break op;
            }
        };
        let at = self.start;
        let ty = self.ty()?;
        if !fits(scalar(&ty)) {
            return Err(Fault::new(at, format!("expected {what} to compare")));
        }
        let (left, right) = self.two_values(&ty)?;
        let result = shaped(&ty, Type::Int(1));
        Ok((Op::Compare { op, ty, left, right }, result))
    }

    fn cast(&mut self, op: Cast) -> Result<(Op, Type)> {
        self.skip_to_type()?;
        let operand = self.operand()?;
        self.expect_word("to")?;
        let to = self.ty()?;
        Ok((Op::Cast { op, operand, to: to.clone() }, to))
    }

    fn select(&mut self) -> Result<(Op, Type)> {
        self.skip_to_type()?;
        let condition = self.operand()?;
        if *scalar(&condition.ty) != Type::Int(1) {
            return Err(self.fault("the condition must be an i1"));
        }
        self.expect(b',')?;
        let yes = self.operand()?;
        self.expect(b',')?;
        let no = self.operand()?;
        if yes.ty != no.ty {
            return Err(self.fault("the two values have different types"));
        }
        let ty = yes.ty.clone();
        Ok((Op::Select { condition, yes, no }, ty))
    }

    fn phi(&mut self) -> Result<(Op, Type)> {
        self.skip_to_type()?;
        let ty = self.ty()?;
        let mut incoming = Vec::new();
        loop {
            self.expect(b'[')?;
            let value = self.value(&ty)?;
            self.expect(b',')?;
            incoming.push((value, self.block_name()?));
            self.expect(b']')?;
            if !self.more()? {
                break;
            }
        }
        Ok((Op::Phi { ty: ty.clone(), incoming }, ty))
    }

    /// `, 0, 1` behind an aggregate, and the type of what is there.
    fn path(&mut self, aggregate: &Type) -> Result<(Vec<u32>, Type)> {
        let mut path = Vec::new();
        let mut ty = aggregate.clone();
        while self.more()? {
            let at = self.start;
            let index = self.number()?;
            ty = self
                .member(&ty, index)
                .ok_or_else(|| Fault::new(at, format!("there is no member {index}")))?;
            path.push(index);
        }
        if path.is_empty() { Err(self.expected("an index")) } else { Ok((path, ty)) }
    }

    fn extract_value(&mut self) -> Result<(Op, Type)> {
        let aggregate = self.operand()?;
        let (path, ty) = self.path(&aggregate.ty)?;
        Ok((Op::ExtractValue { aggregate, path }, ty))
    }

    fn insert_value(&mut self) -> Result<(Op, Type)> {
        let aggregate = self.operand()?;
        self.expect(b',')?;
        let element = self.operand()?;
        let (path, member) = self.path(&aggregate.ty)?;
        if member != element.ty {
            return Err(self.fault("the member has another type"));
        }
        let ty = aggregate.ty.clone();
        Ok((Op::InsertValue { aggregate, element, path }, ty))
    }

    fn vector(&mut self) -> Result<Operand> {
        let at = self.start;
        let operand = self.operand()?;
        if matches!(operand.ty, Type::Vector(..)) {
            Ok(operand)
        } else {
            Err(Fault::new(at, "expected a vector"))
        }
    }

    fn extract_element(&mut self) -> Result<(Op, Type)> {
        let vector = self.vector()?;
        self.expect(b',')?;
        let index = self.operand()?;
        let ty = scalar(&vector.ty).clone();
        Ok((Op::ExtractElement { vector, index }, ty))
    }

    fn insert_element(&mut self) -> Result<(Op, Type)> {
        let vector = self.vector()?;
        self.expect(b',')?;
        let element = self.operand()?;
        if element.ty != *scalar(&vector.ty) {
            return Err(self.fault("the element has another type"));
        }
        self.expect(b',')?;
        let index = self.operand()?;
        let ty = vector.ty.clone();
        Ok((Op::InsertElement { vector, element, index }, ty))
    }

    fn shuffle_vector(&mut self) -> Result<(Op, Type)> {
        let left = self.vector()?;
        self.expect(b',')?;
        let right = self.vector()?;
        self.expect(b',')?;
        let mask = self.vector()?;
        if left.ty != right.ty {
            return Err(self.fault("the two vectors have different types"));
        }
        let ty = shaped(&mask.ty, scalar(&left.ty).clone());
        Ok((Op::ShuffleVector { left, right, mask }, ty))
    }

    fn landing_pad(&mut self) -> Result<(Op, Type)> {
        let ty = self.ty()?;
        let (mut cleanup, mut clauses) = (false, Vec::new());
        loop {
            match self.token {
                Token::Word("cleanup") => {
                    self.advance()?;
                    cleanup = true;
                }
                Token::Word("catch") => {
                    self.advance()?;
                    clauses.push(Clause::Catch(self.typed_constant()?.1));
                }
                Token::Word("filter") => {
                    self.advance()?;
                    let types = match self.typed_constant()?.1 {
                        Constant::Aggregate(types) => types.into_iter().map(|(_, ty)| ty).collect(),
                        _ => Vec::new(),
                    };
                    clauses.push(Clause::Filter(types));
                }
                _ => return Ok((Op::LandingPad { cleanup, clauses }, ty)),
            }
        }
    }

    fn branch(&mut self) -> Result<Op> {
        if self.token == Token::Word("label") {
            return Ok(Op::Jump { target: self.label()? });
        }
        let condition = self.operand()?;
        if condition.ty != Type::Int(1) {
            return Err(self.fault("the condition must be an i1"));
        }
        self.expect(b',')?;
        let yes = self.label()?;
        self.expect(b',')?;
        let no = self.label()?;
        Ok(Op::Branch { condition, yes, no })
    }

    fn switch(&mut self) -> Result<Op> {
        let operand = self.operand()?;
        if !matches!(operand.ty, Type::Int(_)) {
            return Err(self.fault("only an integer can be switched over"));
        }
        self.expect(b',')?;
        let default = self.label()?;
        self.expect(b'[')?;
        let mut cases = Vec::new();
        while !self.at(b']') {
            let (ty, value) = self.typed_constant()?;
            if ty != operand.ty {
                return Err(self.fault("the case has another type"));
            }
            self.expect(b',')?;
            cases.push((value, self.label()?));
        }
        self.expect(b']')?;
        Ok(Op::Switch { operand, default, cases })
    }

    fn indirect_branch(&mut self) -> Result<Op> {
        let address = self.pointer()?;
        self.expect(b',')?;
        self.expect(b'[')?;
        let mut targets = Vec::new();
        while !self.at(b']') {
            targets.push(self.label()?);
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(b']')?;
        Ok(Op::IndirectBranch { address, targets })
    }

    fn ret(&mut self) -> Result<Op> {
        let at = self.start;
        let ty = self.ty()?;
        if self.body.result.as_ref() != Some(&ty) {
            return Err(Fault::new(at, "the function returns another type"));
        }
        let value = if ty == Type::Void { None } else { Some(self.value(&ty)?) };
        Ok(Op::Return { value: value.map(|value| Operand { ty, value }) })
    }
}
