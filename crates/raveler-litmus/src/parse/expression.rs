//! Expressions, by precedence climbing.

use super::{MAX_HEIGHT, Parser};
use crate::ast::{Binary, Expression, ExpressionKind, Name};
use crate::error::Result;
use crate::lex::{Kind, Span};
use crate::types::Scalar;

/// Binary operators with their precedence; higher binds tighter.
fn binary(symbol: &str) -> Option<(Binary, u8)> {
    Some(match symbol {
        "||" => (Binary::Either, 1),
        "&&" => (Binary::Both, 2),
        "|" => (Binary::Or, 3),
        "^" => (Binary::Xor, 4),
        "&" => (Binary::And, 5),
        "==" => (Binary::Equal, 6),
        "!=" => (Binary::NotEqual, 6),
        "<" => (Binary::Less, 7),
        "<=" => (Binary::LessEqual, 7),
        ">" => (Binary::Greater, 7),
        ">=" => (Binary::GreaterEqual, 7),
        "<<" => (Binary::ShiftLeft, 8),
        ">>" => (Binary::ShiftRight, 8),
        "+" => (Binary::Add, 9),
        "-" => (Binary::Sub, 9),
        "*" => (Binary::Mul, 10),
        "/" => (Binary::Div, 10),
        "%" => (Binary::Mod, 10),
        _ => return None,
    })
}

/// The operator inside `+=` and its like; none inside for `=`.
fn assignment(symbol: &str) -> Option<Option<Binary>> {
    if symbol == "=" {
        return Some(None);
    }
    let operator = symbol.strip_suffix('=')?;
    match operator {
        "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>" => {
            binary(operator).map(|(op, _)| Some(op))
        }
        _ => None,
    }
}

impl<'t> Parser<'t, '_> {
    /// Any expression (without the comma operator).
    pub(super) fn expression(&mut self) -> Result<Expression<'t>> {
        self.assignment()
    }

    pub(super) fn assignment(&mut self) -> Result<Expression<'t>> {
        let left = self.conditional()?;
        let Kind::Symbol(symbol) = self.peek().kind else { return Ok(left) };
        let Some(operator) = assignment(symbol) else { return Ok(left) };
        self.at += 1;
        let right = self.nested(|p| p.assignment())?;
        let span = left.span.to(right.span);
        self.made(ExpressionKind::Assign(operator, Box::new(left), Box::new(right)), span)
    }

    fn conditional(&mut self) -> Result<Expression<'t>> {
        let condition = self.binary_from(1)?;
        if !self.take("?") {
            return Ok(condition);
        }
        let then = self.nested(|p| p.expression())?;
        self.expect(":", " after the first value of `? :`")?;
        let otherwise = self.nested(|p| p.conditional())?;
        let span = condition.span.to(otherwise.span);
        self.made(ExpressionKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise)), span)
    }

    /// A chain of binary operators of at least this precedence.
    fn binary_from(&mut self, least: u8) -> Result<Expression<'t>> {
        let mut left = self.unary()?;
        while let Kind::Symbol(symbol) = self.peek().kind {
            let Some((operator, precedence)) = binary(symbol) else { break };
            if precedence < least {
                break;
            }
            self.at += 1;
            let right = self.binary_from(precedence + 1)?;
            let span = left.span.to(right.span);
            left = self.made(ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), span)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expression<'t>> {
        self.nested(|p| p.unary_here())
    }

    fn unary_here(&mut self) -> Result<Expression<'t>> {
        let start = self.peek().span;
        let Kind::Symbol(symbol) = self.peek().kind else { return self.postfix() };
        let make: fn(Box<Expression<'t>>) -> ExpressionKind<'t> = match symbol {
            "!" => ExpressionKind::Not,
            "~" => ExpressionKind::Invert,
            "-" => ExpressionKind::Negate,
            "*" => ExpressionKind::Dereference,
            "&" => ExpressionKind::AddressOf,
            "++" => |target| ExpressionKind::Step { target, by: 1, old: false },
            "--" => |target| ExpressionKind::Step { target, by: -1, old: false },
            "+" => {
                self.at += 1;
                return self.unary();
            }
            "(" if self.begins_type(self.peek_second()) => {
                self.at += 1;
                let base = self.base_type()?;
                let ty = self.stars(base);
                self.expect(")", " after the type")?;
                let inner = self.unary()?;
                let span = start.to(inner.span);
                return self.made(ExpressionKind::Cast(ty, Box::new(inner)), span);
            }
            _ => return self.postfix(),
        };
        self.at += 1;
        let inner = self.unary()?;
        let span = start.to(inner.span);
        self.made(make(Box::new(inner)), span)
    }

    fn postfix(&mut self) -> Result<Expression<'t>> {
        let mut value = self.primary()?;
        loop {
            let kind: ExpressionKind<'t> = if self.take("[") {
                let index = self.expression()?;
                self.expect("]", " after the index")?;
                ExpressionKind::Index(Box::new(value), Box::new(index))
            } else if self.take("++") {
                ExpressionKind::Step { target: Box::new(value), by: 1, old: true }
            } else if self.take("--") {
                ExpressionKind::Step { target: Box::new(value), by: -1, old: true }
            } else {
                return Ok(value);
            };
            let start = match &kind {
                ExpressionKind::Index(base, _) => base.span,
                ExpressionKind::Step { target, .. } => target.span,
                _ => self.last(),
            };
            value = self.made(kind, start.to(self.last()))?;
        }
    }

    fn primary(&mut self) -> Result<Expression<'t>> {
        let token = self.peek();
        match token.kind {
            Kind::Number => self.literal(),
            Kind::Symbol("(") => {
                self.at += 1;
                let mut inner = self.expression()?;
                self.expect(")", " after the expression")?;
                inner.span = token.span.to(self.last());
                Ok(inner)
            }
            Kind::Word => {
                self.at += 1;
                let name = Name { text: self.word_of(token), span: token.span };
                match name.text {
                    _ if self.is("(") => self.call(name),
                    "true" | "false" => self
                        .made(ExpressionKind::Number((name.text == "true") as i64, Scalar::I32), name.span),
                    "NULL" => self.made(ExpressionKind::Number(0, Scalar::I32), name.span),
                    _ => self.made(ExpressionKind::Name(name.text), name.span),
                }
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn call(&mut self, name: Name<'t>) -> Result<Expression<'t>> {
        self.at += 1;
        let mut arguments = Vec::new();
        while !self.is(")") {
            arguments.push(self.assignment()?);
            if !self.take(",") {
                break;
            }
        }
        self.expect(")", " or `,` after the argument")?;
        self.made(ExpressionKind::Call { name, arguments }, name.span.to(self.last()))
    }

    /// A number with the type C gives it.
    fn literal(&mut self) -> Result<Expression<'t>> {
        let token = self.peek();
        let hex = self.word_of(token).starts_with("0x") || self.word_of(token).starts_with("0X");
        let (value, unsigned, long, span) = self.number()?;
        let candidates = [Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64];
        let allowed = |s: &Scalar| match s {
            Scalar::I32 => !unsigned && !long,
            Scalar::U32 => (unsigned || hex) && !long,
            Scalar::I64 => !unsigned,
            _ => true,
        };
        let fits = |s: &Scalar| s.holds(value as i128);
        let scalar = candidates.into_iter().find(|s| allowed(s) && fits(s)).unwrap_or(Scalar::U64);
        self.made(ExpressionKind::Number(value as i64, scalar), span)
    }

    /// The expression of this kind, if it is not too high.
    fn made(&mut self, kind: ExpressionKind<'t>, span: Span) -> Result<Expression<'t>> {
        use ExpressionKind::*;
        let (height, writes) = match &kind {
            Number(..) | Name(_) => (0, false),
            Not(a) | Invert(a) | Negate(a) | Dereference(a) | AddressOf(a) | Cast(_, a) => {
                (a.height, a.writes)
            }
            Step { target, .. } => (target.height, true),
            Index(a, b) | Binary(_, a, b) => (a.height.max(b.height), a.writes || b.writes),
            Assign(_, a, b) => (a.height.max(b.height), true),
            Conditional(a, b, c) => (a.height.max(b.height).max(c.height), a.writes || b.writes || c.writes),
            Call { arguments, .. } => (arguments.iter().map(|a| a.height).max().unwrap_or(0), true),
        };
        if height >= MAX_HEIGHT {
            return Err(self.too_deep(span));
        }
        Ok(Expression { kind, span, height: height + 1, writes })
    }
}
