//! Inline assembly: the usual instructions of x86 as the atomic operations and fences they are.
//!
//! The whole text is understood, with its operands, widths and clobbers, or it is refused: docs/libraries.md has the
//! table. Without a "memory" clobber the compiler may move other accesses across it, so that it orders nothing else; a
//! warning says so. With one, what the processor locks is a full fence before and behind, which no single order of C is.

mod operands;
mod text;

use raveler_core::{Order, ViolationKind, Width};

use self::operands::{Flags, Statement, Step, Unknown};
use self::text::{Line, Place};
use super::Lowerer;
use super::function::{Body, Reported};
use super::layout::width_of;
use super::library::Given;
use crate::code::{Arith, Inst, Modify, Operand, Test};

type Result<T> = std::result::Result<T, Reported>;

impl Lowerer<'_> {
    pub(super) fn assembly(
        &mut self,
        body: &mut Body<'_>,
        (template, constraints): (&str, &str),
        given: &Given<'_>,
    ) -> Result<()> {
        let done = match (text::lines(template), self.statement(body, constraints, given)?) {
            (Some(lines), Some(mut statement)) => {
                let lines = self.load_of_both(body, &mut statement, &lines);
                let all = lines.iter().try_for_each(|line| self.assembly_line(body, &mut statement, line));
                all.and_then(|()| Self::finish(body, &mut statement, given))
            }
            _ => Err(Unknown),
        };
        done.map_err(|Unknown| {
            // As the source has it.
            let source = template.replace("$$", "\0").replace('%', "%%").replace('$', "%").replace('\0', "$");
            let text: Vec<&str> = source.split(['\n', ';']).map(str::trim).collect();
            let message = format!("inline assembly is not supported: `{}`", text.join("; ").trim_end_matches("; "));
            let help = "docs/libraries.md lists the instructions that are known, with their operands; `#ifdef RAVELER` \
                        can choose a version with __atomic functions";
            self.problem(body.location, message, Some(help.into()));
            Reported
        })
    }

    fn assembly_line(&mut self, body: &mut Body<'_>, all: &mut Statement, line: &Line) -> Step<()> {
        let name = line.name.as_str();
        match (line.lock, name, &line.operands[..]) {
            (false, "pause" | "nop" | "yield" | "isb", []) => Ok(()),
            (
                false,
                "prefetchw" | "prefetch" | "prefetcht0" | "prefetcht1" | "prefetcht2" | "prefetchnta",
                [_],
            ) => Ok(()),
            (false, "mfence" | "sync", []) => self.fence(body, all, name, Order::SeqCst),
            (false, "lfence", []) => self.fence(body, all, name, Order::Acquire),
            (false, "sfence", []) => self.fence(body, all, name, Order::Release),
            (false, "lwsync", []) => self.fence(body, all, name, Order::AcqRel),
            (false, "ud2", []) => {
                let message = self.message("the program runs into `ud2`, which is no instruction");
                body.emit(Inst::Fail { kind: ViolationKind::Other, message });
                Ok(())
            }
            (true, "addl" | "orl" | "addq" | "orq", [Place::Immediate(0), Place::Stack]) => {
                self.fence(body, all, &format!("lock {name}"), Order::SeqCst)
            }
            (true, "cmpxchg16b", [memory]) => self.both_words(body, all, memory),
            (false, _, [to]) if name.starts_with("set") => {
                let value = all.condition(body, &name[3..])?;
                self.write(body, all, to, 8, value, Order::Plain)
            }
            _ => {
                let (name, bits) = text::mnemonic(name).ok_or(Unknown)?;
                self.operation(body, all, line, (name, bits))
            }
        }
    }

    fn fence(&mut self, body: &mut Body<'_>, all: &Statement, name: &str, order: Order) -> Step<()> {
        if all.memory {
            body.emit(Inst::Fence { order });
        } else {
            let message = format!(
                "`{name}` without a \"memory\" clobber orders nothing: the compiler may move accesses across it"
            );
            self.warn(body, message);
        }
        Ok(())
    }

    /// An instruction that computes, in memory or in a register.
    fn operation(
        &mut self,
        body: &mut Body<'_>,
        all: &mut Statement,
        line: &Line,
        (name, bits): (&'static str, Option<u32>),
    ) -> Step<()> {
        let bits = bits.or_else(|| line.operands.iter().find_map(|place| all.register_bits(place)));
        let bits = bits.filter(|bits| matches!(bits, 8 | 16 | 32 | 64)).ok_or(Unknown)?;
        let width = width_of(bits).ok_or(Unknown)?;
        match (name, &line.operands[..]) {
            ("mov", [from, to]) if !line.lock => {
                if all.is_memory(from) && all.is_memory(to) {
                    return Err(Unknown);
                }
                let value = self.read(body, all, from, bits, Order::Relaxed)?;
                self.write(body, all, to, bits, value, Order::Relaxed)
            }
            ("xchg", [left, right]) => {
                let (register, memory) = match (all.is_memory(left), all.is_memory(right)) {
                    (true, false) => (right, left),
                    (false, true) => (left, right),
                    _ => return Err(Unknown),
                };
                // It locks by itself.
                let value = self.read(body, all, register, bits, Order::Plain)?;
                let address = self.address(body, all, memory)?;
                let old = self.locked(body, all, "xchg", Modify::Exchange, (address, value, width));
                self.write(body, all, register, bits, old, Order::Plain)
            }
            ("xadd", [register, memory]) => {
                let value = self.read(body, all, register, bits, Order::Plain)?;
                let (old, new) =
                    self.modify(body, all, line.lock, (name, Arith::Add), memory, value, bits)?;
                all.flags = Flags::Result(new, bits);
                self.write(body, all, register, bits, old, Order::Plain)
            }
            ("cmpxchg", [register, memory]) => {
                self.compare_exchange(body, all, line.lock, register, memory, bits)
            }
            ("inc" | "dec" | "not", [to]) => {
                let op = match name {
                    "inc" => Arith::Add,
                    "dec" => Arith::Sub,
                    _ => Arith::Xor,
                };
                let value =
                    body.constant(if name == "not" { super::constant::mask(u64::MAX, bits) } else { 1 });
                let (_, new) = self.modify(body, all, line.lock, (name, op), to, value, bits)?;
                if name != "not" {
                    all.flags = Flags::Result(new, bits);
                }
                Ok(())
            }
            ("add" | "sub" | "and" | "or" | "xor", [from, to]) => {
                if all.is_memory(from) && all.is_memory(to) {
                    return Err(Unknown);
                }
                let op = match name {
                    "add" => Arith::Add,
                    "sub" => Arith::Sub,
                    "and" => Arith::And,
                    "or" => Arith::Or,
                    _ => Arith::Xor,
                };
                let value = self.read(body, all, from, bits, Order::Plain)?;
                let (_, new) = self.modify(body, all, line.lock, (name, op), to, value, bits)?;
                all.flags = Flags::Result(new, bits);
                Ok(())
            }
            ("bts" | "btr" | "btc", [bit, memory]) if all.is_memory(memory) && bits > 8 => {
                self.bit(body, all, (line.lock, name), bit, memory, bits)
            }
            _ => Err(Unknown),
        }
    }

    /// What is there becomes something else; gives the old and the new value.
    #[allow(clippy::too_many_arguments)]
    fn modify(
        &mut self,
        body: &mut Body<'_>,
        all: &mut Statement,
        lock: bool,
        (name, op): (&str, Arith),
        to: &Place,
        value: Operand,
        bits: u32,
    ) -> Step<(Operand, Operand)> {
        let in_memory = all.is_memory(to);
        if lock && !in_memory {
            return Err(Unknown);
        }
        let old = if lock {
            let op = match op {
                Arith::Add => Modify::Add,
                Arith::Sub => Modify::Sub,
                Arith::And => Modify::And,
                Arith::Or => Modify::Or,
                _ => Modify::Xor,
            };
            let address = self.address(body, all, to)?;
            let width = width_of(bits).ok_or(Unknown)?;
            self.locked(body, all, name, op, (address, value, width))
        } else {
            self.read(body, all, to, bits, Order::Plain)?
        };
        let new = arith(body, op, bits, old, value);
        if !lock {
            self.write(body, all, to, bits, new, Order::Plain)?;
        }
        Ok((old, new))
    }

    /// A locked operation on memory; gives the old value.
    fn locked(
        &mut self,
        body: &mut Body<'_>,
        all: &Statement,
        name: &str,
        op: Modify,
        (address, operand, width): (Operand, Operand, Width),
    ) -> Operand {
        let to = body.fresh(1);
        let order = self.before_locked(body, all, name);
        body.emit(Inst::Modify { op, to, address, operand, width, order, looks: false });
        Self::behind_locked(body, all);
        Operand::register(to)
    }

    fn before_locked(&mut self, body: &mut Body<'_>, all: &Statement, name: &str) -> Order {
        if all.memory {
            body.emit(Inst::Fence { order: Order::SeqCst });
            return Order::SeqCst;
        }
        let message = format!(
            "`{name}` without a \"memory\" clobber orders no other accesses: the compiler may move them across it"
        );
        self.warn(body, message);
        Order::Relaxed
    }

    fn behind_locked(body: &mut Body<'_>, all: &Statement) {
        if all.memory {
            body.emit(Inst::Fence { order: Order::SeqCst });
        }
    }

    fn compare_exchange(
        &mut self,
        body: &mut Body<'_>,
        all: &mut Statement,
        lock: bool,
        register: &Place,
        memory: &Place,
        bits: u32,
    ) -> Step<()> {
        let accumulator = Place::Register("ax", bits);
        let desired = self.read(body, all, register, bits, Order::Plain)?;
        let expected = self.read(body, all, &accumulator, bits, Order::Plain)?;
        let address = self.address(body, all, memory)?;
        let width = width_of(bits).ok_or(Unknown)?;
        let (old, same) = if lock {
            let to = body.fresh(2);
            let order = self.before_locked(body, all, "cmpxchg");
            let (success, failure) = (order, order);
            body.emit(Inst::CompareExchange {
                to,
                address,
                expected,
                desired,
                width,
                success,
                failure,
                weak: false,
            });
            Self::behind_locked(body, all);
            (Operand::register(to), Operand::register(to + 1))
        } else {
            let old = self.read(body, all, memory, bits, Order::Plain)?;
            let (same, new) = (body.fresh(1), body.fresh(1));
            body.emit(Inst::Test { op: Test::Eq, bits: bits as u8, to: same, left: old, right: expected });
            let condition = Operand::register(same);
            body.emit(Inst::Select { to: new, condition, yes: desired, no: old });
            self.write(body, all, memory, bits, Operand::register(new), Order::Plain)?;
            (old, condition)
        };
        all.flags = Flags::Zero(same);
        // The compiler must know that the register changes.
        let known = all.named.get("ax").copied().ok_or(Unknown)?;
        if !all.results.iter().any(|(register, _)| *register == known) {
            return Err(Unknown);
        }
        self.write(body, all, &accumulator, bits, old, Order::Plain)
    }

    /// `cmpxchg16b` with what it expects as its new value, whatever that is, only loads: what is left of the text then.
    fn load_of_both<'l>(
        &mut self,
        body: &mut Body<'_>,
        all: &mut Statement,
        lines: &'l [Line],
    ) -> &'l [Line] {
        let copies = |line: &Line, from, to| {
            let operands = [Place::Register(from, 64), Place::Register(to, 64)];
            !line.lock && line.name == "movq" && line.operands == operands
        };
        if let [first, second, _, ..] = lines
            && copies(first, "dx", "cx")
            && copies(second, "ax", "bx")
            && all.value_of("ax").is_none()
            && all.value_of("dx").is_none()
        {
            for name in ["ax", "bx", "cx", "dx"] {
                let zero = body.constant(0);
                all.set(name, zero);
            }
            return &lines[2..];
        }
        lines
    }

    /// `lock cmpxchg16b`: two words at once.
    fn both_words(&mut self, body: &mut Body<'_>, all: &mut Statement, memory: &Place) -> Step<()> {
        let low = self.address(body, all, memory)?;
        let high = self.offset(body, low, 8);
        let values = ["ax", "dx", "bx", "cx"].map(|name| all.value_of(name).ok_or(Unknown));
        let [expected_low, expected_high, new_low, new_high] = values;
        let [expected, new] = [[expected_low?, expected_high?], [new_low?, new_high?]];
        self.only_sc(body);
        self.section(body, true);
        let (order, width) = (Order::SeqCst, Width::B8);
        let old = [low, high].map(|address| {
            let to = body.fresh(1);
            body.emit(Inst::Load { to, address, width, order, bits: 64 });
            Operand::register(to)
        });
        let same = [0, 1].map(|i| {
            let to = body.fresh(1);
            body.emit(Inst::Test { op: Test::Eq, bits: 64, to, left: old[i], right: expected[i] });
            Operand::register(to)
        });
        let condition = arith(body, Arith::And, 1, same[0], same[1]);
        let (write, done) = (body.new_label(), body.new_label());
        body.emit(Inst::Branch { condition, yes: write, no: done });
        body.set_label(write);
        for (from, address) in new.into_iter().zip([low, high]) {
            body.emit(Inst::Store { from, address, width, order });
        }
        body.set_label(done);
        self.section(body, false);
        all.flags = Flags::Zero(condition);
        all.set("ax", old[0]);
        all.set("dx", old[1]);
        Ok(())
    }

    /// One bit of memory, which may lie before or behind the word that is named.
    fn bit(
        &mut self,
        body: &mut Body<'_>,
        all: &mut Statement,
        (lock, name): (bool, &str),
        bit: &Place,
        memory: &Place,
        bits: u32,
    ) -> Step<()> {
        let last = body.constant(u64::from(bits) - 1);
        let mut address = self.address(body, all, memory)?;
        let index = self.read(body, all, bit, bits, Order::Plain)?;
        if !matches!(bit, Place::Immediate(_)) {
            let far = body.fresh(1);
            body.emit(Inst::Extend { from_bits: bits as u8, to_bits: 64, to: far, from: index });
            let shift = body.constant(u64::from(bits.trailing_zeros()));
            let word = arith(body, Arith::AShr, 64, Operand::register(far), shift);
            let size = body.constant(u64::from(bits / 8));
            let offset = arith(body, Arith::Mul, 64, word, size);
            address = arith(body, Arith::Add, 64, address, offset);
        }
        let at = arith(body, Arith::And, bits, index, last);
        let one = body.constant(1);
        let mask = arith(body, Arith::Shl, bits, one, at);
        let ones = body.constant(super::constant::mask(u64::MAX, bits));
        let (op, arithmetic, value) = match name {
            "bts" => (Modify::Or, Arith::Or, mask),
            "btc" => (Modify::Xor, Arith::Xor, mask),
            _ => (Modify::And, Arith::And, arith(body, Arith::Xor, bits, mask, ones)),
        };
        let width = width_of(bits).ok_or(Unknown)?;
        let old = if lock {
            self.locked(body, all, name, op, (address, value, width))
        } else {
            let to = body.fresh(1);
            body.emit(Inst::Load { to, address, width, order: Order::Plain, bits: bits as u8 });
            let old = Operand::register(to);
            let from = arith(body, arithmetic, bits, old, value);
            body.emit(Inst::Store { from, address, width, order: Order::Plain });
            old
        };
        let carry = arith(body, Arith::LShr, bits, old, at);
        all.flags = Flags::Carry(arith(body, Arith::And, bits, carry, one));
        Ok(())
    }

    fn address(&mut self, body: &mut Body<'_>, all: &Statement, place: &Place) -> Step<Operand> {
        match *place {
            Place::Slot(index, None) => all.slots.get(index).and_then(|slot| slot.memory).ok_or(Unknown),
            Place::Behind(index, offset) => {
                let slot = all.slots.get(index).filter(|slot| slot.memory.is_none() && slot.bits == 64);
                let base = slot.and_then(|slot| all.registers[slot.register]).ok_or(Unknown)?;
                Ok(self.offset(body, base, offset as u64))
            }
            _ => Err(Unknown),
        }
    }

    fn read(
        &mut self,
        body: &mut Body<'_>,
        all: &Statement,
        place: &Place,
        bits: u32,
        order: Order,
    ) -> Step<Operand> {
        if let Place::Immediate(value) = *place {
            return Ok(body.constant(super::constant::mask(value as u64, bits)));
        }
        if all.is_memory(place) {
            let address = self.address(body, all, place)?;
            let (to, width) = (body.fresh(1), width_of(bits).ok_or(Unknown)?);
            body.emit(Inst::Load { to, address, width, order, bits: bits as u8 });
            return Ok(Operand::register(to));
        }
        let (register, known) = all.register_of(place, bits)?;
        let value = all.registers[register].ok_or(Unknown)?;
        if known <= bits {
            return Ok(value);
        }
        let to = body.fresh(1);
        body.emit(Inst::Truncate { bits: bits as u8, to, from: value });
        Ok(Operand::register(to))
    }

    fn write(
        &mut self,
        body: &mut Body<'_>,
        all: &mut Statement,
        place: &Place,
        bits: u32,
        value: Operand,
        order: Order,
    ) -> Step<()> {
        if all.is_memory(place) {
            let address = self.address(body, all, place)?;
            let width = width_of(bits).ok_or(Unknown)?;
            body.emit(Inst::Store { from: value, address, width, order });
            return Ok(());
        }
        let (register, known) = all.register_of(place, bits)?;
        // The rest of a register that is written in part is not followed.
        if known != bits {
            return Err(Unknown);
        }
        let to = body.fresh(1);
        body.emit(Inst::Move { to, from: value });
        all.registers[register] = Some(Operand::register(to));
        Ok(())
    }

    /// The results of the statement.
    fn finish(body: &mut Body<'_>, all: &mut Statement, given: &Given<'_>) -> Step<()> {
        for (number, (register, flag)) in all.results.clone().into_iter().enumerate() {
            let from = match flag {
                Some(flag) => all.condition(body, &flag)?,
                None => all.registers[register].ok_or(Unknown)?,
            };
            body.emit(Inst::Move { to: given.to + number as u16, from });
        }
        Ok(())
    }

    fn warn(&mut self, body: &Body<'_>, message: String) {
        let site = self.site(body.location);
        if !self.code.warnings.contains(&(site, message.clone())) {
            self.code.warnings.push((site, message));
        }
    }
}

fn arith(body: &mut Body<'_>, op: Arith, bits: u32, left: Operand, right: Operand) -> Operand {
    let to = body.fresh(1);
    body.emit(Inst::Arith { op, bits: bits as u8, to, left, right });
    Operand::register(to)
}
