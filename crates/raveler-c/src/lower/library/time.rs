//! Time: it stands still, except that who waited until some time and was not woken knows that it has come.

use raveler_core::{Order, Width};

use super::super::Lowerer;
use super::super::function::{Body, Reported};
use super::Given;
use crate::code::{Arith, Inst, Operand};

type Result<T> = std::result::Result<T, Reported>;

/// `std::this_thread::sleep_until`: in the library it looks at the clock until it is late enough, which it never is.
pub(in crate::lower) const SLEEP_UNTIL: &str = "_ZNSt11this_thread11sleep_untilI";

impl Lowerer<'_> {
    pub(in crate::lower) fn time(
        &mut self,
        body: &mut Body<'_>,
        name: &str,
        given: &Given<'_>,
    ) -> Result<bool> {
        match name {
            "_ZNSt6chrono3_V212steady_clock3nowEv" | "_ZNSt6chrono3_V212system_clock3nowEv" => {
                body.emit(Inst::Clock { to: given.to });
            }
            "clock_gettime" | "timespec_get" | "gettimeofday" => {
                let at = if name == "clock_gettime" { 1 } else { 0 };
                let time = self.argument(body, given, at)?;
                let (now, part) = (body.fresh(1), body.fresh(1));
                body.emit(Inst::Clock { to: now });
                let second = body.constant(1_000_000_000);
                let (left, address) = (Operand::register(now), self.offset(body, time, 8));
                let mut store = |op, right, address| {
                    body.emit(Inst::Arith { op, bits: 64, to: part, left, right });
                    let from = Operand::register(part);
                    body.emit(Inst::Store { from, address, width: Width::B8, order: Order::Plain });
                };
                store(Arith::UDiv, second, time);
                store(Arith::URem, second, address);
                if name == "gettimeofday" {
                    // Microseconds.
                    let thousand = body.constant(1000);
                    let left = Operand::register(part);
                    body.emit(Inst::Arith { op: Arith::UDiv, bits: 64, to: part, left, right: thousand });
                    body.emit(Inst::Store { from: left, address, width: Width::B8, order: Order::Plain });
                }
                self.answer(body, given, u64::from(name == "timespec_get"));
            }
            _ if name.starts_with(SLEEP_UNTIL) => {}
            // Without descriptors it only sleeps.
            "poll" | "ppoll" | "select" => {
                let at = usize::from(name != "select");
                let count = self.argument(body, given, at)?;
                if body.value_of(count) != Some(0) {
                    return self.refuse(body, format!("`{name}` is only known without file descriptors"));
                }
                self.answer(body, given, 0);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
