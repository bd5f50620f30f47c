//! Atomic objects that are also accessed in parts: one location of the engine each (docs/engine.md, "Parts of a location").
//!
//! A load of a part reads the location, and takes its bytes of what it is answered. How a part is written depends on the model
//! and on who else may be there. Where stores take effect one after the other in one order of all, it is an update of the
//! location in one step. Elsewhere the location is read, and then written as a whole: the engine refuses programs in which
//! another thread's access may come between.

use raveler_core::{Address, Model, Operation, Order, Part, UpdateOp, ViolationKind, Width};

use super::cursor::Pending;
use super::step::{Stop, act, fail};
use super::{CProgram, Cursor, Fact};
use crate::code::Reg;

/// A part of an atomic object that is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct PartOf {
    whole: (Address, Width),
    /// How far the part lies from the beginning, in bits.
    shift: u8,
    width: Width,
}

impl PartOf {
    fn of(&self, value: u64) -> u64 {
        self.width.cut(value >> self.shift)
    }

    fn mask(&self) -> u64 {
        self.width.cut(u64::MAX) << self.shift
    }

    fn put(&self, value: u64) -> u64 {
        self.width.cut(value) << self.shift
    }

    /// How far the part lies from the beginning of the whole, in bits.
    pub fn shift(&self) -> u8 {
        self.shift
    }

    /// How many bytes of the whole lie from the beginning of the part on.
    pub fn rest(&self) -> u64 {
        self.whole.1.bytes() - u64::from(self.shift / 8)
    }

    /// The whole with another part.
    pub fn with(&self, whole: u64, part: u64) -> u64 {
        whole & !self.mask() | self.put(part)
    }

    /// Reading the part; the answer is the whole.
    pub fn read(&self, order: Order) -> Operation {
        let bytes = ((1u16 << self.width.bytes()) - 1) << (self.shift / 8);
        self.read_of(order, Part::Bytes(bytes as u8))
    }

    /// Reading the whole to write it with another part.
    pub fn fetch(&self, order: Order) -> Operation {
        self.read_of(order, Part::Changed)
    }

    fn read_of(&self, order: Order, part: Part) -> Operation {
        let (address, width) = self.whole;
        Operation::ReadPart { address, width, order, part }
    }

    /// Writing the whole after `fetch`.
    pub fn write(&self, order: Order, value: u64) -> Operation {
        let (address, width) = self.whole;
        Operation::WritePart { address, width, order, value }
    }

    /// An operation on the part as one on the whole, if there is such.
    fn widen(&self, op: UpdateOp) -> Option<UpdateOp> {
        let mask = self.mask();
        Some(match op {
            UpdateOp::Exchange(value) => UpdateOp::Replace { mask, value: self.put(value) },
            UpdateOp::Add(value) => UpdateOp::AddWithin { mask, value: self.put(value) },
            UpdateOp::Sub(value) => UpdateOp::AddWithin { mask, value: self.put(value.wrapping_neg()) },
            UpdateOp::And(value) => UpdateOp::And(self.put(value) | !mask),
            UpdateOp::Or(value) => UpdateOp::Or(self.put(value)),
            UpdateOp::Xor(value) => UpdateOp::Xor(self.put(value)),
            UpdateOp::CompareExchange { expected, desired, failure, weak } => {
                let (expected, desired) = (self.put(expected), self.put(desired));
                UpdateOp::CompareExchangeWithin { mask, expected, desired, failure, weak }
            }
            _ => return None,
        })
    }
}

/// How a part is written.
enum Way {
    /// As an update of the whole.
    OneStep,
    /// By reading the whole and writing it.
    TwoSteps,
}

impl CProgram {
    /// The part that an access is of, if it is of a part.
    #[inline]
    pub(super) fn part_at(&self, at: u64, width: Width) -> Option<PartOf> {
        if !self.divided.has_wholes() {
            return None;
        }
        let at = self.engine(at);
        let whole = self.divided.whole_around(at.0, width)?;
        Some(PartOf { whole, shift: (8 * (at.0 - whole.0.0)) as u8, width })
    }
}

impl Cursor {
    /// An atomic access covers bytes that are accessed in smaller pieces elsewhere: from now on it is the whole.
    pub(super) fn becomes_whole(program: &CProgram, at: u64, width: Width, place: &str) -> Stop {
        let refused = match () {
            () if program.model() == Model::Xmm => "which is not supported under xmm",
            () if program.code.has_sections => "which is not supported in programs with atomic sections",
            () => {
                program.learn(Fact::Whole(at, width));
                return Stop::Action(Operation::Restart);
            }
        };
        Stop::unsupported(format!(
            "an atomic access of {} bytes overlaps one of another size{place}, {refused}",
            width.bytes()
        ))
    }

    /// A load of a part.
    pub(super) fn load_part(
        &mut self,
        (part, at): (PartOf, u64),
        order: Order,
        (to, bits): (Reg, u8),
    ) -> Result<(), Stop> {
        self.waits.access(at, order == Order::Plain);
        self.pending = Pending::PartLoad { to, bits, shift: part.shift, width: part.width };
        act(part.read(order))
    }

    /// A store to a part; nobody set these bits of the value.
    pub(super) fn store_part(
        &mut self,
        program: &CProgram,
        (part, at): (PartOf, u64),
        order: Order,
        (value, unset): (u64, u64),
    ) -> Result<(), Stop> {
        match self.way(program, order, false)? {
            Way::TwoSteps => {
                let read = if order.is_atomic() { Order::Relaxed } else { Order::Plain };
                self.in_two_steps(program, (part, at), (read, order), |_, _| Ok(Some((value, unset))))?;
            }
            Way::OneStep if part.width.cut(unset) != 0 => {
                return fail(ViolationKind::UninitialisedRead, "an atomic object is set to what nobody set");
            }
            Way::OneStep => {
                self.waits.wrote(self.function, self.pc - 1, at);
                if program.model() == Model::Tso && order != Order::SeqCst {
                    self.rare_mut().undrained = true;
                }
                let (address, width) = part.whole;
                let op = UpdateOp::Replace { mask: part.mask(), value: part.put(value) };
                return act(Operation::Update { address, width, order, op });
            }
        }
        Ok(())
    }

    /// A read-modify-write of a part; a compare-exchange says whether it succeeded, too.
    pub(super) fn update_part(
        &mut self,
        program: &CProgram,
        (part, at): (PartOf, u64),
        order: Order,
        (to, op): (Reg, UpdateOp),
    ) -> Result<(), Stop> {
        let exchanges = op.failure();
        let Way::OneStep = self.way(program, order, true)? else {
            if exchanges.is_some_and(|(_, weak)| weak) && program.spurious_cas() {
                return Err(Stop::unsupported(
                    "a weak compare-exchange of a part of an atomic object; with --spurious-cas use a strong one",
                ));
            }
            let orders = (acquiring(order), releasing(order));
            let old = self.in_two_steps(program, (part, at), orders, |old, unset| match unset {
                0 => Ok(op.apply(old, part.width).map(|new| (new, 0))),
                _ => fail(ViolationKind::UninitialisedRead, "read of uninitialised memory"),
            })?;
            self.set(to, old);
            if exchanges.is_some() {
                self.set(to + 1, u64::from(op.apply(old, part.width).is_some()));
            }
            return Ok(());
        };
        let Some(op) = part.widen(op) else {
            return Err(Stop::unsupported(
                "such a read-modify-write of a part of an atomic object; use a compare-exchange",
            ));
        };
        self.waits.access(at, false);
        self.pending = Pending::PartUpdate { to, op, shift: part.shift, width: part.width };
        let (address, width) = part.whole;
        act(Operation::Update { address, width, order, op })
    }

    /// Is it known here and now what writing parts in two steps means?
    pub(super) fn may_write_parts(&self, program: &CProgram, order: Order) -> Result<(), Stop> {
        self.way(program, order, false).map(|_| ())
    }

    /// How a part is written, here and now.
    fn way(&self, program: &CProgram, order: Order, is_update: bool) -> Result<Way, Stop> {
        // Before there are other threads nothing can come between.
        if self.thread == 0 && self.rare.spawned == 0 {
            return Ok(Way::TwoSteps);
        }
        match program.model() {
            Model::Sc | Model::Tso if order.is_atomic() => Ok(Way::OneStep),
            Model::Pso if is_update || order == Order::SeqCst => Ok(Way::OneStep),
            Model::Pso => Err(Stop::unsupported(
                "a store to a part of an atomic object that is accessed in another size elsewhere, which is not supported \
                 under pso once there are other threads; make it seq_cst, store to the whole, or use --model tso",
            )),
            _ => Ok(Way::TwoSteps),
        }
    }

    /// Read the whole, and write it with another part: `new` is what becomes of the part, given what it was and which bits of
    /// that nobody set, with the bits that nobody sets now; none if nothing is written. The instruction runs again with each
    /// answer. The result is what the part was.
    fn in_two_steps(
        &mut self,
        program: &CProgram,
        (part, at): (PartOf, u64),
        (read, write): (Order, Order),
        new: impl Fn(u64, u64) -> Result<Option<(u64, u64)>, Stop>,
    ) -> Result<u64, Stop> {
        let answers = self.answers.take().unwrap_or_default();
        let (Some(&whole), Some(&unset)) = (answers.first(), answers.get(1)) else {
            self.waits.access(at, true);
            self.pending = Pending::Whole { writes: None };
            return act(part.fetch(read));
        };
        let old = part.of(whole);
        if answers.len() == 2
            && let Some((value, unset_now)) = new(old, part.of(unset))?
        {
            let left = part.with(unset, unset_now);
            self.answers = Some(answers);
            self.waits.effect();
            self.pending = Pending::Whole { writes: Some(left) };
            if left != 0 {
                program.writes_unset();
            }
            return act(part.write(write, part.with(whole, value)));
        }
        Ok(old)
    }

    /// After a store to a part that may wait in a store buffer: a load that overtakes it is refused, since in one step with
    /// reading the rest of the object the store cannot wait.
    pub(super) fn behind_part(&mut self, operation: Operation) -> Operation {
        if !self.rare.undrained {
            return operation;
        }
        match operation {
            Operation::Read { .. } | Operation::ReadPart { .. } => Operation::Unsupported(
                "a load that may overtake an earlier store to a part of an atomic object, which is accessed in another size \
                 elsewhere; put a seq_cst fence between, make the store seq_cst, or use --model sc"
                    .into(),
            ),
            Operation::Update { op: UpdateOp::Replace { .. }, order, .. } if order != Order::SeqCst => operation,
            Operation::Update { .. }
            | Operation::Count { .. }
            | Operation::Lock { .. }
            | Operation::TryLock { .. }
            | Operation::Unlock { .. }
            | Operation::Spawn { .. }
            | Operation::Join(_)
            | Operation::Arrive { .. }
            | Operation::Pass { .. }
            | Operation::Fence(Order::SeqCst)
            | Operation::Write { order: Order::SeqCst, .. } => {
                self.rare_mut().undrained = false;
                operation
            }
            _ => operation,
        }
    }
}

/// The order of the read of a read-modify-write.
fn acquiring(order: Order) -> Order {
    match order {
        Order::AcqRel => Order::Acquire,
        Order::Release => Order::Relaxed,
        order => order,
    }
}

/// The order of its write.
fn releasing(order: Order) -> Order {
    match order {
        Order::AcqRel => Order::Release,
        Order::Acquire => Order::Relaxed,
        order => order,
    }
}
