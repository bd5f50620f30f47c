//! Accesses: which location an address means, and the calls of the atomic functions.

use raveler_core::{Order, Width};

use super::Lowering;
use super::expression::Computed;
use super::sites::shown;
use crate::ast::{Binary, Expression, ExpressionKind, Name};
use crate::bytecode::{Access, Cells, Comparison, Instruction, Modify, Operand};
use crate::error::{self, Noted, Result};
use crate::functions::{Argument, Function, Purpose, order, signature};
use crate::lex::Span;
use crate::names::{Home, Meaning, Register, base, outside};
use crate::types::{Scalar, Type};

/// What an address means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    /// A register, or a private location kept in one.
    Register(Register),
    /// An element of a private array.
    Cells { cells: Cells, index: Operand, ty: Type },
    /// Shared memory.
    Memory { address: Operand, ty: Type },
}

impl Spot {
    pub fn ty(self) -> Type {
        match self {
            Spot::Register(register) => register.ty,
            Spot::Cells { ty, .. } | Spot::Memory { ty, .. } => ty,
        }
    }

    pub fn register(self) -> Option<Register> {
        match self {
            Spot::Register(register) => Some(register),
            _ => None,
        }
    }
}

impl<'t> Lowering<'_, 't> {
    /// What `*address`, or `address[index]`, means.
    pub(super) fn spot(
        &mut self,
        address: &Expression<'t>,
        index: Option<&Expression<'t>>,
        span: Span,
    ) -> Result<Spot> {
        let meaning =
            base(address).and_then(|name| self.names.threads[self.number].meanings.get(name).copied());
        match (meaning, &address.kind) {
            (Some(Meaning::Register(register)), ExpressionKind::AddressOf(inner))
                if matches!(inner.kind, ExpressionKind::Name(_)) && index.is_none() =>
            {
                Ok(Spot::Register(register))
            }
            (Some(Meaning::Address { location, ty }), _) if !names_address(address) => {
                let mut offset = self.offset(address)?;
                if let Some(index) = index {
                    offset = self.add(offset, index, direction(false))?;
                }
                self.element(location, ty, offset, span)
            }
            _ => self.pointed(address, index, span),
        }
    }

    /// Through a pointer that is known only when the thread runs.
    fn pointed(
        &mut self,
        address: &Expression<'t>,
        index: Option<&Expression<'t>>,
        span: Span,
    ) -> Result<Spot> {
        let mut pointer = self.value(address, None)?;
        if let Some(index) = index {
            if index.writes {
                pointer.operand = self.kept(pointer.operand);
            }
            let index_value = self.value(index, None)?;
            pointer = self.arithmetic(Binary::Add, pointer, index_value, None, span)?;
        }
        match pointer.ty.pointee() {
            Some(ty) if !ty.is_void() => {
                let address = match pointer.operand {
                    // Constant addresses in byte code are known to be good; this one is checked when it runs.
                    Operand::Constant(_) => {
                        let to = self.temporary();
                        self.set(to, pointer.operand, Scalar::U64);
                        Operand::Register(to)
                    }
                    operand => self.kept(operand),
                };
                Ok(Spot::Memory { address, ty })
            }
            _ => {
                let message = format!("this is of type {}, not a pointer to a location", pointer.ty.name());
                Err(self.mismatch(
                    address.span,
                    &message,
                    "not a pointer",
                    "use a parameter or a pointer here",
                ))
            }
        }
    }

    /// What is added to the parameter at the bottom of an address, in elements.
    fn offset(&mut self, address: &Expression<'t>) -> Result<Operand> {
        match &address.kind {
            ExpressionKind::Binary(op, inner, by) => {
                let offset = self.offset(inner)?;
                self.add(offset, by, direction(*op == Binary::Sub))
            }
            ExpressionKind::AddressOf(inner) => match &inner.kind {
                ExpressionKind::Index(inner, index) => {
                    let offset = self.offset(inner)?;
                    self.add(offset, index, direction(false))
                }
                ExpressionKind::Dereference(inner) => self.offset(inner),
                _ => Ok(Operand::Constant(0)),
            },
            _ => Ok(Operand::Constant(0)),
        }
    }

    fn add(&mut self, offset: Operand, by: &Expression<'t>, op: Binary) -> Result<Operand> {
        let value = self.value(by, None)?;
        if value.ty.is_pointer() {
            return Err(self.mismatch(by.span, "an index must be a number", "a pointer", ""));
        }
        let long = Type::integer(Scalar::I64);
        let left = Computed { operand: offset, ty: long };
        let right = Computed { operand: value.operand, ty: long };
        match (offset, op) {
            (Operand::Constant(0), Binary::Add) => Ok(value.operand),
            _ => Ok(self.arithmetic(op, left, right, None, by.span)?.operand),
        }
    }

    fn element(&mut self, location: usize, pointer: Type, offset: Operand, span: Span) -> Result<Spot> {
        let known = &self.names.locations[location];
        let ty = match pointer.pointee() {
            Some(ty) if !ty.is_void() => ty,
            _ => {
                let message = format!("`{}` is of type {} here", known.name, pointer.name());
                let help = "declare the parameter as a pointer to an integer type";
                return Err(self.mismatch(span, &message, "not a pointer to a location", help));
            }
        };
        let size = known.ty.scalar().width().bytes() as i64;
        match (known.home, offset) {
            (_, Operand::Constant(index)) if index < 0 || index >= known.initial.len() as i64 => {
                Err(outside(&known.name, index, known.initial.len(), span, self.errors))
            }
            (Home::Private { register, .. }, Operand::Constant(index)) => {
                Ok(Spot::Register(Register { index: register + index as u16, ty: known.ty }))
            }
            (Home::Private { register, .. }, index) => {
                let count = known.initial.len() as u16;
                let (scalar, ty) = (known.ty.scalar(), known.ty);
                let site = self.site(span);
                let index = self.kept(index);
                Ok(Spot::Cells { cells: Cells { first: register, count, scalar, site }, index, ty })
            }
            (_, Operand::Constant(index)) => {
                Ok(Spot::Memory { address: Operand::Constant(known.address as i64 + index * size), ty })
            }
            (_, index) => {
                let start =
                    Computed { operand: Operand::Constant(known.address as i64), ty: known.ty.pointer() };
                let index = Computed { operand: index, ty: Type::integer(Scalar::I64) };
                let sum = self.arithmetic(Binary::Add, start, index, None, span)?;
                Ok(Spot::Memory { address: sum.operand, ty })
            }
        }
    }

    fn access(&mut self, address: Operand, ty: Type, order: Order, span: Span) -> Access {
        let width: Width = ty.scalar().width();
        Access { address, width, order, site: self.site(span) }
    }

    pub(super) fn load(
        &mut self,
        spot: Spot,
        order: Order,
        span: Span,
        hint: Option<Register>,
    ) -> Result<Computed> {
        let ty = spot.ty();
        let operand = match spot {
            Spot::Register(register) => Operand::Register(register.index),
            Spot::Cells { cells, index, .. } => {
                let to = self.temporary();
                self.code.push(Instruction::CellRead { cells, to, index });
                Operand::Register(to)
            }
            Spot::Memory { address, ty } => {
                let access = self.access(address, ty, order, span);
                self.code.push(Instruction::Read(access));
                self.take(ty, hint)
            }
        };
        Ok(Computed { operand, ty })
    }

    /// Keep the answer to the last access, where it is going if the kinds agree.
    fn take(&mut self, ty: Type, hint: Option<Register>) -> Operand {
        let fused = hint.filter(|register| register.ty.is_pointer() == ty.is_pointer());
        let (to, scalar) = match fused {
            Some(register) => (register.index, register.ty.scalar()),
            None => (self.temporary(), ty.scalar()),
        };
        self.code.push(Instruction::Take { to, from: ty.scalar(), scalar });
        Operand::Register(to)
    }

    pub(super) fn store(&mut self, spot: Spot, value: Computed, order: Order, span: Span) {
        match spot {
            Spot::Register(register) => {
                if value.operand != Operand::Register(register.index) {
                    self.set(register.index, value.operand, register.ty.scalar());
                }
            }
            Spot::Cells { cells, index, .. } => {
                self.code.push(Instruction::CellWrite { cells, index, value: value.operand });
            }
            Spot::Memory { address, ty } => {
                let value = match ty.scalar() {
                    Scalar::Bool => self.converted(value, Scalar::Bool),
                    _ => value.operand,
                };
                let access = self.access(address, ty, order, span);
                self.code.push(Instruction::Write { access, value });
            }
        }
    }

    // ── Calls ────────────────────────────────────────────────────────────────────────────────────────

    /// A call; `wanted` says whether its value is used.
    pub(super) fn call(
        &mut self,
        name: Name<'t>,
        arguments: &[Expression<'t>],
        span: Span,
        hint: Option<Register>,
        wanted: bool,
    ) -> Result<Computed> {
        let Some((function, roles)) = signature(name.text) else {
            return Err(self.unknown_function(name));
        };
        if arguments.len() != roles.len() {
            let plural = if roles.len() == 1 { "" } else { "s" };
            let message = format!(
                "`{}` takes {} argument{plural}, here are {}",
                name.text,
                roles.len(),
                arguments.len()
            );
            let help = format!("it is called as `{}({})`", name.text, usage(&roles));
            return Err(self.errors.push(error::ARGUMENT_COUNT, span, message, "this call", &help));
        }
        let mut orders = [Order::SeqCst; 2];
        let mut given = 0;
        for (argument, role) in arguments.iter().zip(&roles) {
            if let Argument::Order(purpose) = role {
                orders[given] = self.order(argument, *purpose)?;
                given += 1;
            }
        }
        let void = Computed { operand: Operand::Constant(0), ty: Type::VOID };
        match function {
            Function::Assert | Function::Assume => self.check(function, &arguments[0], span).map(|()| void),
            Function::SignalFence => Ok(void),
            Function::ThreadFence => {
                // A relaxed fence orders nothing.
                if orders[0] != Order::Relaxed {
                    let site = self.site(span);
                    self.code.push(Instruction::Fence { order: orders[0], site });
                }
                Ok(void)
            }
            _ => {
                let spot = self.spot(&arguments[0], None, arguments[0].span)?;
                self.atomic(function, spot, arguments, orders, span, hint, wanted)
            }
        }
    }

    fn unknown_function(&mut self, name: Name<'t>) -> Noted {
        let message = format!("raveler does not know the function `{}`", name.text);
        let explicit = format!("{}_explicit", name.text);
        let help = if signature(&explicit).is_some() {
            format!("did you mean `{explicit}`?")
        } else {
            "`raveler explain E0115` lists the known functions".to_string()
        };
        self.errors.push(error::UNKNOWN_FUNCTION, name.span, message, "unknown function", &help)
    }

    fn order(&mut self, argument: &Expression<'t>, purpose: Purpose) -> Result<Order> {
        let word = match argument.kind {
            ExpressionKind::Name(word) => word,
            _ => "",
        };
        let Some(order) = order(word) else {
            let message = format!("a memory order is expected for {}", purpose.name());
            let label = "not a memory order";
            return Err(self.errors.push(
                error::UNKNOWN_ORDER,
                argument.span,
                message,
                label,
                purpose.choices(),
            ));
        };
        if !purpose.allows(order) {
            let message = format!("{} cannot have the order {}", purpose.name(), order.name());
            let label = "not allowed here";
            return Err(self.errors.push(error::BAD_ORDER, argument.span, message, label, purpose.choices()));
        }
        Ok(order)
    }

    /// `assert` and `assume`.
    fn check(&mut self, function: Function, condition: &Expression<'t>, span: Span) -> Result<()> {
        let good = self.label();
        self.branch(condition, true, good)?;
        let site = self.site(span);
        if function == Function::Assume {
            self.code.push(Instruction::Block { site });
        } else {
            let text = shown(self.sites.slice(span));
            self.messages.push(text);
            self.code.push(Instruction::Fail { message: self.messages.len() as u32 - 1, site });
        }
        self.place(good);
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn atomic(
        &mut self,
        function: Function,
        spot: Spot,
        arguments: &[Expression<'t>],
        orders: [Order; 2],
        span: Span,
        hint: Option<Register>,
        wanted: bool,
    ) -> Result<Computed> {
        let void = Computed { operand: Operand::Constant(0), ty: Type::VOID };
        if function == Function::Load {
            return self.load(spot, orders[0], span, hint);
        }
        if let Function::CompareExchange { weak } = function {
            return self.compare_exchange(spot, arguments, orders, weak, span, hint);
        }
        let value = self.value(&arguments[1], None)?;
        let modify = match function {
            Function::Store | Function::Init => {
                self.fits(value, spot.ty(), arguments[1].span)?;
                let order = if function == Function::Store { orders[0] } else { Order::Plain };
                self.store(spot, value, order, span);
                return Ok(void);
            }
            Function::Exchange => Modify::Exchange,
            Function::Add => Modify::Add,
            Function::Sub => Modify::Sub,
            Function::Or => Modify::Or,
            Function::Xor => Modify::Xor,
            _ => Modify::And,
        };
        if modify == Modify::Exchange {
            self.fits(value, spot.ty(), arguments[1].span)?;
        } else if spot.ty().is_pointer() || value.ty.is_pointer() || spot.ty().scalar() == Scalar::Bool {
            let message = "only numbers can be added to or combined with an atomic number";
            return Err(self.mismatch(span, message, "a pointer or a bool", ""));
        }
        let (address, ty) = self.in_memory(spot, arguments[0].span)?;
        let operand = match ty.scalar() {
            Scalar::Bool => self.converted(value, Scalar::Bool),
            _ => value.operand,
        };
        let access = self.access(address, ty, orders[0], span);
        self.code.push(Instruction::Update { access, modify, operand });
        let operand = if wanted { self.take(ty, hint) } else { Operand::Constant(0) };
        Ok(Computed { operand, ty })
    }

    fn in_memory(&mut self, spot: Spot, span: Span) -> Result<(Operand, Type)> {
        match spot {
            Spot::Memory { address, ty } => Ok((address, ty)),
            _ => Err(self.mismatch(
                span,
                "a register is not in memory: atomic operations are on locations",
                "not a location",
                "use a location of the initial state, passed as a parameter",
            )),
        }
    }

    /// Reads the expected word plainly, and writes what was there to it plainly on failure, as C says.
    fn compare_exchange(
        &mut self,
        spot: Spot,
        arguments: &[Expression<'t>],
        orders: [Order; 2],
        weak: bool,
        span: Span,
        hint: Option<Register>,
    ) -> Result<Computed> {
        let (address, ty) = self.in_memory(spot, arguments[0].span)?;
        let word = self.spot(&arguments[1], None, arguments[1].span)?;
        if word.ty().scalar().width() != ty.scalar().width() || word.ty().is_pointer() != ty.is_pointer() {
            let message = format!(
                "the expected value is of type {}, the location of type {}",
                word.ty().name(),
                ty.name()
            );
            return Err(self.mismatch(
                arguments[1].span,
                &message,
                "another type",
                "give both the same type",
            ));
        }
        let loaded = self.load(word, Order::Plain, arguments[1].span, None)?;
        let expected = match (word, loaded.operand) {
            (Spot::Register(register), _) => register.index,
            (_, Operand::Register(register)) => register,
            _ => return Err(Noted),
        };
        let desired = self.value(&arguments[2], None)?;
        self.fits(desired, ty, arguments[2].span)?;
        let desired = match ty.scalar() {
            Scalar::Bool => self.converted(desired, Scalar::Bool),
            _ => desired.operand,
        };
        let access = self.access(address, ty, orders[0], span);
        let failure = orders[1];
        let expected_operand = Operand::Register(expected);
        self.code.push(Instruction::CompareExchange {
            access,
            expected: expected_operand,
            desired,
            failure,
            weak,
        });
        let in_register = word.register().is_some();
        let to = match hint.filter(|register| in_register && !register.ty.is_pointer()) {
            Some(register) => register.index,
            None => self.temporary(),
        };
        let expected_scalar = word.ty().scalar();
        self.code.push(Instruction::TakeCompared { to, expected, from: ty.scalar(), expected_scalar });
        if !in_register {
            let good = self.label();
            self.branch_on(Comparison::NotEqual, Operand::Register(to), Operand::Constant(0), good);
            let read = Computed { operand: expected_operand, ty: word.ty() };
            self.store(word, read, Order::Plain, arguments[1].span);
            self.place(good);
        }
        Ok(Computed { operand: Operand::Register(to), ty: Type::INT })
    }
}

/// Is this `&x` of a parameter, an address that is nowhere?
fn names_address(address: &Expression<'_>) -> bool {
    match &address.kind {
        ExpressionKind::AddressOf(inner) => matches!(inner.kind, ExpressionKind::Name(_)),
        _ => false,
    }
}

fn direction(backwards: bool) -> Binary {
    if backwards { Binary::Sub } else { Binary::Add }
}

/// How a function is called, for messages.
fn usage(roles: &[Argument]) -> String {
    let words = roles.iter().map(|role| match role {
        Argument::Address => "location",
        Argument::Expected => "expected",
        Argument::Value => "value",
        Argument::Order(Purpose::Failure) => "order of failure",
        Argument::Order(_) => "order",
    });
    words.collect::<Vec<_>>().join(", ")
}
