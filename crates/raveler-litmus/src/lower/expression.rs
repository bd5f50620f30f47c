//! Expressions: values, arithmetic as C does it, comparisons, assignments.
//!
//! This file is long because it is one flat list of kinds of expression.

use super::Lowering;
use super::access::Spot;
use crate::ast::{Binary, Expression, ExpressionKind};
use crate::bytecode::{Arithmetic, Comparison, Instruction, Operand};
use crate::error::{self, Noted, Result};
use crate::lex::Span;
use crate::names::{Meaning, Register, does_not_fit};
use crate::types::{Scalar, Type};

/// A value that has been computed, and its type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Computed {
    pub operand: Operand,
    pub ty: Type,
}

impl Computed {
    fn constant(value: i64, ty: Type) -> Computed {
        Computed { operand: Operand::Constant(value), ty }
    }
}

pub(super) fn is_comparison(op: Binary) -> bool {
    use Binary::*;
    matches!(op, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual)
}

/// The comparison that holds exactly when the given one does not.
pub(super) fn opposite(
    comparison: Comparison,
    left: Operand,
    right: Operand,
) -> (Comparison, Operand, Operand) {
    use Comparison::*;
    match comparison {
        Equal => (NotEqual, left, right),
        NotEqual => (Equal, left, right),
        Less => (LessEqual, right, left),
        LessEqual => (Less, right, left),
        UnsignedLess => (UnsignedLessEqual, right, left),
        UnsignedLessEqual => (UnsignedLess, right, left),
    }
}

impl<'t> Lowering<'_, 't> {
    /// The value of an expression. `hint` is where it is going: the value is put there if that saves a move.
    pub(super) fn value(&mut self, expression: &Expression<'t>, hint: Option<Register>) -> Result<Computed> {
        let value = self.value_or_void(expression, hint)?;
        if value.ty.is_void() {
            return Err(self.mismatch(expression.span, "this has no value", "a value is expected", ""));
        }
        Ok(value)
    }

    pub(super) fn mismatch(&mut self, span: Span, message: &str, label: &str, help: &str) -> Noted {
        self.errors.push(error::TYPE_MISMATCH, span, message.to_string(), label, help)
    }

    /// Evaluate for what it does, not for its value.
    pub(super) fn effect(&mut self, expression: &Expression<'t>) -> Result<()> {
        match &expression.kind {
            ExpressionKind::Assign(op, target, value) => self.assign(*op, target, value).map(|_| ()),
            ExpressionKind::Step { target, by, .. } => self.step(expression, target, *by, false).map(|_| ()),
            ExpressionKind::Call { name, arguments } => {
                self.call(*name, arguments, expression.span, None, false).map(|_| ())
            }
            _ => self.value_or_void(expression, None).map(|_| ()),
        }
    }

    fn value_or_void(&mut self, expression: &Expression<'t>, hint: Option<Register>) -> Result<Computed> {
        use ExpressionKind::*;
        let span = expression.span;
        match &expression.kind {
            Number(value, scalar) => Ok(Computed::constant(*value, Type::integer(*scalar))),
            Name(name) => self.named(name, span),
            Dereference(address) => {
                let spot = self.spot(address, None, span)?;
                self.load(spot, raveler_core::Order::Plain, span, hint)
            }
            Index(base, index) => {
                let spot = self.spot(base, Some(index), span)?;
                self.load(spot, raveler_core::Order::Plain, span, hint)
            }
            AddressOf(inner) => self.address_of(inner, span),
            Cast(ty, inner) => {
                if ty.is_void() {
                    self.effect(inner)?;
                    return Ok(Computed::constant(0, Type::VOID));
                }
                let value = self.value(inner, None)?;
                let operand = self.converted(value, ty.scalar());
                Ok(Computed { operand, ty: *ty })
            }
            Not(inner) => {
                let value = self.value(inner, None)?;
                let equal = Arithmetic::Compare(Comparison::Equal);
                Ok(self.compute(equal, value.operand, Operand::Constant(0), Scalar::I32, hint, span))
            }
            Invert(inner) => self.unary(Arithmetic::Xor, -1, inner, hint, span),
            Negate(inner) => self.unary(Arithmetic::Sub, 0, inner, hint, span),
            Binary(op, left, right) => self.binary(*op, left, right, expression, hint),
            Conditional(condition, then, otherwise) => self.conditional(condition, then, otherwise),
            Assign(op, target, value) => self.assign(*op, target, value),
            Step { target, by, old } => self.step(expression, target, *by, *old),
            Call { name, arguments } => self.call(*name, arguments, span, hint, true),
        }
    }

    fn named(&mut self, name: &str, span: Span) -> Result<Computed> {
        match self.names.threads[self.number].meanings.get(name) {
            Some(Meaning::Register(Register { index, ty })) => {
                Ok(Computed { operand: Operand::Register(*index), ty: *ty })
            }
            Some(Meaning::Address { location, ty }) => {
                Ok(Computed::constant(self.names.locations[*location].address as i64, *ty))
            }
            // Names were looked up before; the mistake is noted.
            None => {
                Err(self.errors.push(error::UNDECLARED, span, format!("`{name}` is not declared"), "", ""))
            }
        }
    }

    fn address_of(&mut self, inner: &Expression<'t>, span: Span) -> Result<Computed> {
        match &inner.kind {
            ExpressionKind::Dereference(address) => self.value(address, None),
            ExpressionKind::Index(base, index) => {
                let base = self.value(base, None)?;
                let index = self.value(index, None)?;
                self.arithmetic(Binary::Add, base, index, None, span)
            }
            _ => Err(self.mismatch(
                span,
                "the address of a register can only be the second argument of a compare-exchange",
                "an address of something outside memory",
                "use a location of the initial state instead",
            )),
        }
    }

    /// `left op inner`, for minus and complement.
    fn unary(
        &mut self,
        op: Arithmetic,
        left: i64,
        inner: &Expression<'t>,
        hint: Option<Register>,
        span: Span,
    ) -> Result<Computed> {
        let value = self.integer(inner)?;
        let scalar = value.ty.scalar().promoted();
        Ok(self.compute(op, Operand::Constant(left), value.operand, scalar, hint, span))
    }

    fn integer(&mut self, expression: &Expression<'t>) -> Result<Computed> {
        let value = self.value(expression, None)?;
        if value.ty.is_pointer() {
            let help = "cast it to an integer first";
            return Err(self.mismatch(expression.span, "this is a pointer, not a number", "a pointer", help));
        }
        Ok(value)
    }

    /// Both operands, left first. The left one is kept if evaluating the right one could change it.
    fn operands(&mut self, left: &Expression<'t>, right: &Expression<'t>) -> Result<(Computed, Computed)> {
        let mut first = self.value(left, None)?;
        if right.writes {
            first.operand = self.kept(first.operand);
        }
        Ok((first, self.value(right, None)?))
    }

    /// The operand in a temporary, unless it is a constant or already there.
    pub(super) fn kept(&mut self, operand: Operand) -> Operand {
        match operand {
            Operand::Register(index) if index < self.first_temporary => {
                let to = self.temporary();
                self.set(to, operand, Scalar::I64);
                Operand::Register(to)
            }
            _ => operand,
        }
    }

    fn binary(
        &mut self,
        op: Binary,
        left: &Expression<'t>,
        right: &Expression<'t>,
        whole: &Expression<'t>,
        hint: Option<Register>,
    ) -> Result<Computed> {
        if matches!(op, Binary::Both | Binary::Either) {
            return self.truth(whole, hint);
        }
        let (a, b) = self.operands(left, right)?;
        self.arithmetic(op, a, b, hint, whole.span)
    }

    /// 1 or 0 for a condition with `&&` or `||`.
    fn truth(&mut self, condition: &Expression<'t>, hint: Option<Register>) -> Result<Computed> {
        let (no, after) = (self.label(), self.label());
        self.branch(condition, false, no)?;
        let to = hint.map_or_else(|| self.temporary(), |register| register.index);
        self.set(to, Operand::Constant(1), Scalar::I64);
        self.jump(after);
        self.place(no);
        self.set(to, Operand::Constant(0), Scalar::I64);
        self.place(after);
        Ok(Computed { operand: Operand::Register(to), ty: Type::INT })
    }

    fn conditional(
        &mut self,
        condition: &Expression<'t>,
        then: &Expression<'t>,
        otherwise: &Expression<'t>,
    ) -> Result<Computed> {
        let (no, after) = (self.label(), self.label());
        self.branch(condition, false, no)?;
        let to = self.temporary();
        let first = self.value(then, None)?;
        self.set(to, first.operand, Scalar::I64);
        self.temporaries = to - self.first_temporary + 1;
        self.jump(after);
        self.place(no);
        let second = self.value(otherwise, None)?;
        self.set(to, second.operand, Scalar::I64);
        self.place(after);
        let ty = match (first.ty.is_pointer(), second.ty.is_pointer()) {
            (true, _) => first.ty,
            (_, true) => second.ty,
            _ => Type::integer(first.ty.scalar().meet(second.ty.scalar())),
        };
        if ty.scalar() == Scalar::U32 {
            self.set(to, Operand::Register(to), Scalar::U32);
        }
        Ok(Computed { operand: Operand::Register(to), ty })
    }

    /// The value as this type; nothing is emitted where nothing can change.
    pub(super) fn converted(&mut self, value: Computed, to: Scalar) -> Operand {
        let from = value.ty.scalar();
        let wider = to.width() == raveler_core::Width::B8;
        match value.operand {
            Operand::Constant(constant) => Operand::Constant(to.convert(constant)),
            operand if wider || from == to && from != Scalar::I32 => operand,
            operand => {
                // An `int` that was just computed may not be cut to 32 bits yet.
                let register = self.temporary();
                self.set(register, operand, to);
                Operand::Register(register)
            }
        }
    }

    /// Compute into the hinted register or a temporary, or now if both operands are known.
    fn compute(
        &mut self,
        op: Arithmetic,
        left: Operand,
        right: Operand,
        scalar: Scalar,
        hint: Option<Register>,
        span: Span,
    ) -> Computed {
        // Signed overflow is undefined in C: `int` results are cut only when they are assigned.
        let ty = Type::integer(scalar);
        let cut = if scalar == Scalar::U32 { Scalar::U32 } else { Scalar::I64 };
        if let (Operand::Constant(a), Operand::Constant(b)) = (left, right)
            && let Ok(known) = op.apply(a, b)
        {
            return Computed::constant(cut.convert(known), ty);
        }
        let site = match op {
            Arithmetic::Div | Arithmetic::Mod | Arithmetic::UnsignedDiv | Arithmetic::UnsignedMod => {
                self.site(span)
            }
            Arithmetic::ShiftLeft | Arithmetic::ShiftRight | Arithmetic::UnsignedShiftRight => {
                self.site(span)
            }
            _ => u32::MAX,
        };
        // Converting once is enough if the target's type is not wider than the result's.
        let fused = hint.filter(|register| {
            let target = register.ty.scalar();
            cut == Scalar::I64 || target.width() <= cut.width() && target != Scalar::Bool
        });
        let (to, scalar) = match fused {
            Some(register) => (register.index, register.ty.scalar()),
            None => (self.result(left, right), cut),
        };
        self.code.push(Instruction::Compute { op, to, left, right, scalar, site });
        Computed { operand: Operand::Register(to), ty }
    }

    /// Where the result of a computation goes: a temporary is used once, so an operand's can be taken, and
    /// those behind it, which were made for the other operand, are free again.
    fn result(&mut self, left: Operand, right: Operand) -> u16 {
        for operand in [left, right] {
            if let Operand::Register(index) = operand
                && index >= self.first_temporary
            {
                self.temporaries = index - self.first_temporary + 1;
                return index;
            }
        }
        self.temporary()
    }

    /// The operands of a comparison, ready to be compared.
    pub(super) fn comparison(
        &mut self,
        op: Binary,
        left: &Expression<'t>,
        right: &Expression<'t>,
    ) -> Result<(Comparison, Operand, Operand)> {
        let (left, right) = self.operands(left, right)?;
        Ok(self.compared(op, left, right))
    }

    fn compared(&mut self, op: Binary, left: Computed, right: Computed) -> (Comparison, Operand, Operand) {
        let scalar = match left.ty.is_pointer() || right.ty.is_pointer() {
            true => Scalar::U64,
            false => left.ty.scalar().meet(right.ty.scalar()),
        };
        let (a, b) = self.as_both(left, right, scalar);
        let (less, less_equal) = match scalar {
            Scalar::U64 => (Comparison::UnsignedLess, Comparison::UnsignedLessEqual),
            _ => (Comparison::Less, Comparison::LessEqual),
        };
        match op {
            Binary::Less => (less, a, b),
            Binary::LessEqual => (less_equal, a, b),
            Binary::Greater => (less, b, a),
            Binary::GreaterEqual => (less_equal, b, a),
            Binary::NotEqual => (Comparison::NotEqual, a, b),
            _ => (Comparison::Equal, a, b),
        }
    }

    /// Signed operands become unsigned where they meet an `unsigned int`.
    fn as_both(&mut self, left: Computed, right: Computed, scalar: Scalar) -> (Operand, Operand) {
        let mut one = |value: Computed| match scalar {
            Scalar::U32 if value.ty.scalar() == Scalar::U32 || value.ty.scalar().is_unsigned() => {
                value.operand
            }
            Scalar::U32 => self.converted(value, Scalar::U32),
            _ => value.operand,
        };
        (one(left), one(right))
    }

    pub(super) fn arithmetic(
        &mut self,
        op: Binary,
        left: Computed,
        right: Computed,
        hint: Option<Register>,
        span: Span,
    ) -> Result<Computed> {
        if is_comparison(op) {
            let (comparison, a, b) = self.compared(op, left, right);
            return Ok(self.compute(Arithmetic::Compare(comparison), a, b, Scalar::I32, hint, span));
        }
        if left.ty.is_pointer() || right.ty.is_pointer() {
            return self.pointer_arithmetic(op, left, right, span);
        }
        let shift = matches!(op, Binary::ShiftLeft | Binary::ShiftRight);
        let scalar = match shift {
            true => left.ty.scalar().promoted(),
            false => left.ty.scalar().meet(right.ty.scalar()),
        };
        let wide = scalar == Scalar::U64;
        let sensitive = matches!(op, Binary::Div | Binary::Mod);
        let (a, b) =
            if sensitive { self.as_both(left, right, scalar) } else { (left.operand, right.operand) };
        let op = match op {
            Binary::Mul => Arithmetic::Mul,
            Binary::Div if wide => Arithmetic::UnsignedDiv,
            Binary::Div => Arithmetic::Div,
            Binary::Mod if wide => Arithmetic::UnsignedMod,
            Binary::Mod => Arithmetic::Mod,
            Binary::Add => Arithmetic::Add,
            Binary::Sub => Arithmetic::Sub,
            Binary::ShiftLeft => Arithmetic::ShiftLeft,
            Binary::ShiftRight if wide => Arithmetic::UnsignedShiftRight,
            Binary::ShiftRight => Arithmetic::ShiftRight,
            Binary::And => Arithmetic::And,
            Binary::Xor => Arithmetic::Xor,
            _ => Arithmetic::Or,
        };
        Ok(self.compute(op, a, b, scalar, hint, span))
    }

    /// Pointer plus or minus number, counted in elements; difference of two pointers.
    fn pointer_arithmetic(
        &mut self,
        op: Binary,
        left: Computed,
        right: Computed,
        span: Span,
    ) -> Result<Computed> {
        let size = |ty: Type| ty.pointee().map_or(1, |to| to.scalar().width().bytes()) as i64;
        match (op, left.ty.is_pointer(), right.ty.is_pointer()) {
            (Binary::Add | Binary::Sub, true, false) => {
                let by = Operand::Constant(size(left.ty));
                let offset = self.compute(Arithmetic::Mul, right.operand, by, Scalar::I64, None, span);
                let op = if op == Binary::Add { Arithmetic::Add } else { Arithmetic::Sub };
                let sum = self.compute(op, left.operand, offset.operand, Scalar::I64, None, span);
                Ok(Computed { operand: sum.operand, ty: left.ty })
            }
            (Binary::Add, false, true) => self.pointer_arithmetic(op, right, left, span),
            (Binary::Sub, true, true) => {
                let bytes =
                    self.compute(Arithmetic::Sub, left.operand, right.operand, Scalar::I64, None, span);
                let by = Operand::Constant(size(left.ty));
                Ok(self.compute(Arithmetic::Div, bytes.operand, by, Scalar::I64, None, span))
            }
            _ => Err(self.mismatch(
                span,
                "this cannot be computed with a pointer",
                "an operand is a pointer",
                "",
            )),
        }
    }

    // ── Assignments ──────────────────────────────────────────────────────────────────────────────────

    pub(super) fn assign_register(&mut self, register: Register, value: &Expression<'t>) -> Result<()> {
        let computed = self.value(value, Some(register))?;
        self.fits(computed, register.ty, value.span)?;
        if computed.operand != Operand::Register(register.index) {
            self.set(register.index, computed.operand, register.ty.scalar());
        }
        Ok(())
    }

    /// May the value be assigned to something of this type?
    pub(super) fn fits(&mut self, value: Computed, ty: Type, span: Span) -> Result<()> {
        let zero = value.operand == Operand::Constant(0);
        if value.ty.is_pointer() && !ty.is_pointer() {
            let message = format!("an address is assigned to something of type {}", ty.name());
            return Err(self.mismatch(span, &message, "an address", "declare a pointer, such as `int *p`"));
        }
        if ty.is_pointer() && !value.ty.is_pointer() && !zero {
            let message = format!("a number is assigned to a pointer of type {}", ty.name());
            return Err(self.mismatch(span, &message, "a number", "take the address of a location"));
        }
        if let Operand::Constant(constant) = value.operand
            && !ty.is_pointer()
        {
            let scalar = ty.scalar();
            let number =
                if value.ty.scalar() == Scalar::U64 { constant as u64 as i128 } else { constant as i128 };
            // `unsigned r = -1` is usual C.
            let wraps = scalar.is_unsigned() && scalar != Scalar::Bool && scalar.holds(-(number + 1));
            if !scalar.holds(number) && !wraps {
                return Err(does_not_fit(number, scalar, &ty.name(), span, self.errors));
            }
        }
        Ok(())
    }

    /// What an assignment is to.
    fn target(&mut self, target: &Expression<'t>) -> Result<Spot> {
        match &target.kind {
            ExpressionKind::Dereference(address) => self.spot(address, None, target.span),
            ExpressionKind::Index(base, index) => self.spot(base, Some(index), target.span),
            ExpressionKind::Name(name) => match self.names.threads[self.number].meanings.get(name) {
                Some(Meaning::Register(register)) => Ok(Spot::Register(*register)),
                _ => {
                    let message = format!("the parameter `{name}` cannot be assigned to");
                    let help = format!("write `*{name}` for the location's value");
                    Err(self.errors.push(error::NOT_ASSIGNABLE, target.span, message, "a parameter", &help))
                }
            },
            _ => {
                let message = "this cannot be assigned to".to_string();
                let help = "registers, `*pointer` and `array[index]` can";
                Err(self.errors.push(
                    error::NOT_ASSIGNABLE,
                    target.span,
                    message,
                    "neither register nor memory",
                    help,
                ))
            }
        }
    }

    fn assign(
        &mut self,
        op: Option<Binary>,
        target: &Expression<'t>,
        value: &Expression<'t>,
    ) -> Result<Computed> {
        let spot = self.target(target)?;
        let Some(op) = op else {
            if let Spot::Register(register) = spot {
                self.assign_register(register, value)?;
                return Ok(Computed { operand: Operand::Register(register.index), ty: register.ty });
            }
            let computed = self.value(value, None)?;
            self.fits(computed, spot.ty(), value.span)?;
            self.store(spot, computed, raveler_core::Order::Plain, target.span);
            return Ok(Computed { operand: self.converted(computed, spot.ty().scalar()), ty: spot.ty() });
        };
        let mut old = self.load(spot, raveler_core::Order::Plain, target.span, None)?;
        if value.writes {
            old.operand = self.kept(old.operand);
        }
        let by = self.value(value, None)?;
        let new = self.arithmetic(op, old, by, spot.register(), value.span)?;
        self.store(spot, new, raveler_core::Order::Plain, target.span);
        Ok(Computed { operand: self.converted(new, spot.ty().scalar()), ty: spot.ty() })
    }

    fn step(
        &mut self,
        whole: &Expression<'t>,
        target: &Expression<'t>,
        by: i64,
        old: bool,
    ) -> Result<Computed> {
        let spot = self.target(target)?;
        // The addition uses the loaded value up; the copy lies before it, where it stays.
        let copy = old.then(|| self.temporary());
        let loaded = self.load(spot, raveler_core::Order::Plain, target.span, None)?;
        let mut before = loaded;
        if let Some(copy) = copy {
            self.set(copy, loaded.operand, Scalar::I64);
            before.operand = Operand::Register(copy);
        }
        let by = Computed::constant(by, Type::INT);
        let after = self.arithmetic(Binary::Add, loaded, by, spot.register(), whole.span)?;
        self.store(spot, after, raveler_core::Order::Plain, target.span);
        if old {
            return Ok(before);
        }
        Ok(Computed { operand: self.converted(after, spot.ty().scalar()), ty: spot.ty() })
    }
}
