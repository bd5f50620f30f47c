//! Vectors: their elements one by one, and the bits of values seen as another type.

use super::Lowerer;
use super::function::{Body, Result};
use crate::code::{Arith, Inst, Operand, Reg, Test};
use crate::ir::{self, Constant, Instruction, Type, Value};

impl Lowerer<'_> {
    /// `extractelement`
    pub(super) fn extract_element(
        &mut self,
        body: &mut Body<'_>,
        instruction: &Instruction,
        vector: &ir::Operand,
        index: &ir::Operand,
    ) -> Result<()> {
        let (count, kind) = self.numbers(body, &vector.ty)?;
        let all = self.operands(body, &vector.ty, &vector.value)?;
        let n = kind.registers();
        let to = self.result(body, instruction, n);
        let chosen = self.index(body, index)?;
        for (i, element) in all.chunks(n).take(count).enumerate() {
            self.choose(body, chosen, i, to, element, None);
        }
        Ok(())
    }

    /// `insertelement`
    pub(super) fn insert_element(
        &mut self,
        body: &mut Body<'_>,
        instruction: &Instruction,
        vector: &ir::Operand,
        element: &ir::Operand,
        index: &ir::Operand,
    ) -> Result<()> {
        let (count, kind) = self.numbers(body, &vector.ty)?;
        let all = self.operands(body, &vector.ty, &vector.value)?;
        let new = self.operands(body, &element.ty, &element.value)?;
        let n = kind.registers();
        let to = self.result(body, instruction, count * n);
        let chosen = self.index(body, index)?;
        for (i, old) in all.chunks(n).take(count).enumerate() {
            self.choose(body, chosen, i, to + (i * n) as u16, &new, Some(old));
        }
        Ok(())
    }

    /// `shufflevector`
    pub(super) fn shuffle(
        &mut self,
        body: &mut Body<'_>,
        instruction: &Instruction,
        left: &ir::Operand,
        right: &ir::Operand,
        mask: &ir::Operand,
    ) -> Result<()> {
        let (_, kind) = self.numbers(body, &left.ty)?;
        let mut all = self.operands(body, &left.ty, &left.value)?;
        all.extend(self.operands(body, &right.ty, &right.value)?);
        let Value::Constant(constant) = &mask.value else {
            return self.refuse(body, "a vector is shuffled by a variable");
        };
        let (count, _) = self.numbers(body, &mask.ty)?;
        let wanted: Vec<u128> = match constant {
            Constant::Aggregate(elements) => {
                let number = |element: &Constant| if let Constant::Int(n) = element { *n } else { 0 };
                elements.iter().map(|(_, element)| number(element)).collect()
            }
            Constant::Splat(element) => match element.1 {
                Constant::Int(n) => vec![n; count],
                _ => vec![0; count],
            },
            _ => vec![0; count],
        };
        let n = kind.registers();
        let to = self.result(body, instruction, wanted.len() * n);
        for (i, wanted) in wanted.into_iter().enumerate() {
            let Some(from) = all.get(wanted as usize * n..(wanted as usize + 1) * n) else {
                return self.refuse(body, "a vector has no such element");
            };
            for (j, &from) in from.iter().enumerate() {
                body.emit(Inst::Move { to: to + (i * n + j) as u16, from });
            }
        }
        Ok(())
    }

    fn index(
        &mut self,
        body: &mut Body<'_>,
        index: &ir::Operand,
    ) -> Result<std::result::Result<u64, Operand>> {
        if let Value::Constant(Constant::Int(n)) = index.value {
            return Ok(Ok(n as u64));
        }
        self.operand(body, &index.ty, &index.value).map(Err)
    }

    /// `yes` if this is the element meant, else `no` or what is there.
    fn choose(
        &mut self,
        body: &mut Body<'_>,
        chosen: std::result::Result<u64, Operand>,
        i: usize,
        to: Reg,
        yes: &[Operand],
        no: Option<&[Operand]>,
    ) {
        let condition = match chosen {
            Ok(index) => body.constant(u64::from(index == i as u64)),
            Err(index) => {
                let condition = body.fresh(1);
                let right = body.constant(i as u64);
                body.emit(Inst::Test { op: Test::Eq, bits: 64, to: condition, left: index, right });
                Operand::register(condition)
            }
        };
        for (j, &yes) in yes.iter().enumerate() {
            let to = to + j as u16;
            let no = no.map_or(Operand::register(to), |no| no[j]);
            body.emit(Inst::Select { to, condition, yes, no });
        }
    }

    /// The bits of a value as a value of another type.
    pub(super) fn reinterpret(
        &mut self,
        body: &mut Body<'_>,
        instruction: &Instruction,
        operand: &ir::Operand,
        ty: &Type,
    ) -> Result<()> {
        let from = self.scalars(body, &operand.ty)?;
        let into = self.scalars(body, ty)?;
        let all = self.operands(body, &operand.ty, &operand.value)?;
        let widths: Vec<u32> = from.iter().map(|scalar| scalar.bits).collect();
        let wanted: Vec<u32> = into.iter().map(|scalar| scalar.bits).collect();
        if widths.iter().sum::<u32>() != wanted.iter().sum::<u32>() {
            return self.refuse(body, "this conversion of a vector is not supported");
        }
        let to = self.result(body, instruction, wanted.len());
        if widths == wanted {
            for (i, from) in all.into_iter().enumerate() {
                body.emit(Inst::Move { to: to + i as u16, from });
            }
            return Ok(());
        }
        let pieces: Vec<(Operand, u32)> = all.into_iter().zip(widths).collect();
        let mut start = 0;
        for (i, bits) in wanted.into_iter().enumerate() {
            let from = self.cut_out(body, &pieces, start, bits);
            body.emit(Inst::Move { to: to + i as u16, from });
            start += bits;
        }
        Ok(())
    }

    /// Some bits of values that lie one after the other, each with its width.
    fn cut_out(&mut self, body: &mut Body<'_>, pieces: &[(Operand, u32)], start: u32, bits: u32) -> Operand {
        let arith = |op, left, amount: u64, body: &mut Body<'_>| {
            let right = body.constant(amount);
            let to = body.fresh(1);
            body.emit(Inst::Arith { op, bits: 64, to, left, right });
            Operand::register(to)
        };
        let (mut at, mut value) = (0, None);
        for &(piece, width) in pieces {
            let (from, until) = (at.max(start), (at + width).min(start + bits));
            if from < until {
                let mut part = piece;
                if from > at {
                    part = arith(Arith::LShr, part, u64::from(from - at), body);
                }
                if from > start {
                    part = arith(Arith::Shl, part, u64::from(from - start), body);
                }
                value = Some(match value {
                    None => part,
                    Some(left) => {
                        let to = body.fresh(1);
                        body.emit(Inst::Arith { op: Arith::Or, bits: 64, to, left, right: part });
                        Operand::register(to)
                    }
                });
            }
            at += width;
        }
        let value = value.unwrap_or_else(|| body.constant(0));
        let to = body.fresh(1);
        body.emit(Inst::Truncate { bits: bits as u8, to, from: value });
        Operand::register(to)
    }

    /// The words of an argument of a variadic call, as they lie in memory.
    pub(super) fn words(&mut self, body: &mut Body<'_>, argument: &ir::Argument) -> Result<Vec<Operand>> {
        let all = self.operands(body, &argument.operand.ty, &argument.operand.value)?;
        if let Some(ty) = &argument.by_value {
            let Some(size) = self.layout.size(ty) else {
                return self.refuse(body, "an argument has a type without a size");
            };
            let starts = (0..size).step_by(8);
            return starts.map(|at| self.load_bytes(body, all[0], at, (size - at).min(8), 1)).collect();
        }
        let scalars = self.scalars(body, &argument.operand.ty)?;
        let mut words: Vec<Operand> = Vec::new();
        for (scalar, value) in scalars.into_iter().zip(all) {
            let (word, shift) = ((scalar.offset / 8) as usize, scalar.offset % 8 * 8);
            if words.len() <= word {
                let zero = body.constant(0);
                words.resize(word, zero);
                words.push(value);
                continue;
            }
            let amount = body.constant(shift);
            let (shifted, to) = (body.fresh(1), body.fresh(1));
            body.emit(Inst::Arith { op: Arith::Shl, bits: 64, to: shifted, left: value, right: amount });
            let (left, right) = (words[word], Operand::register(shifted));
            body.emit(Inst::Arith { op: Arith::Or, bits: 64, to, left, right });
            words[word] = Operand::register(to);
        }
        Ok(words)
    }
}
