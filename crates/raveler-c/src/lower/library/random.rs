//! Random numbers, of C and of C++'s `std::random_device`.

use raveler_core::{Order, Width};

use super::super::Lowerer;
use super::super::function::{Body, Reported};
use super::Given;
use crate::code::{Arith, FloatOp, Inst, Operand, Unary};

type Result<T> = std::result::Result<T, Reported>;

impl Lowerer<'_> {
    pub(in crate::lower) fn random(
        &mut self,
        body: &mut Body<'_>,
        name: &str,
        given: &Given<'_>,
    ) -> Result<bool> {
        match name {
            "rand" | "random" | "lrand48" | "_ZNSt13random_device9_M_getvalEv" => {
                body.emit(Inst::Random { to: given.to, at: None });
            }
            "rand_r" => {
                // The caller's seed is the position.
                let address = self.argument(body, given, 0)?;
                let at = body.fresh(1);
                let (one, last) = (body.constant(1), body.constant(15));
                let position = Operand::register(at);
                body.emit(Inst::Load { to: at, address, width: Width::B4, order: Order::Plain, bits: 32 });
                body.emit(Inst::Random { to: given.to, at: Some(position) });
                body.emit(Inst::Arith { op: Arith::Add, bits: 32, to: at, left: position, right: one });
                body.emit(Inst::Arith { op: Arith::And, bits: 32, to: at, left: position, right: last });
                body.emit(Inst::Store { from: position, address, width: Width::B4, order: Order::Plain });
            }
            "drand48" => {
                let drawn = body.fresh(1);
                body.emit(Inst::Random { to: drawn, at: None });
                let from = Operand::register(drawn);
                body.emit(Inst::Unary { op: Unary::UiToF(64), bits: 64, to: drawn, from });
                let right = body.constant((0.5f64.powi(31)).to_bits());
                body.emit(Inst::Float { op: FloatOp::Mul, bits: 64, to: given.to, left: from, right });
            }
            "srand" | "srandom" | "srand48" => {
                let position = self.argument(body, given, 0)?;
                body.emit(Inst::Seed { position });
            }
            "_ZNSt13random_device7_M_finiEv" => {}
            _ if name.starts_with("_ZNSt13random_device7_M_initE") => {}
            _ => return Ok(false),
        }
        Ok(true)
    }
}
