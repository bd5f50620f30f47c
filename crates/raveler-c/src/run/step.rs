//! The interpreter: run until the next action.
//!
//! This file is long because it is one flat list of instructions.

use raveler_core::mutation::Mutant;
use raveler_core::{
    Action, Address, Answer, Operation, Order, SiteId, UpdateOp, ViolationKind, Waiting, Width,
};

use super::arith::{self, mask};
use super::cursor::{AtEnd, Pending, SharedLocal};
use super::rounds::Length;
use super::unknown::Origin;
use super::waits::Visited;
use super::{CProgram, Cursor};
use super::{random, wide};
use crate::address::{self, MOST_BYTES, Target};
use crate::code::{Ending, Inst, MutexKind};
use crate::types::Types;

/// Why a thread stops running: it wants something of the engine.
pub(super) enum Stop {
    Action(Operation),
}

/// What the first thread is called by programs: 0 is no thread to them, such as `std::thread::id()`.
const FIRST_THREAD: u64 = 0x7fff_fff1;

/// A thread that runs longer without an action is in a loop without an end in sight.
pub(super) const MAX_SILENT: u64 = 50_000_000;

/// A thread that runs for long looks now and then whether the search is over: these bits are then 0.
const LOOK_AROUND: u64 = (1 << 18) - 1;

/// It also does where a step takes long or much memory: from so many bytes on.
const LONG_STEP: u64 = 1 << 12;

/// The keys of global variables in a thread's memory; below are those of places.
pub(super) const GLOBAL_KEY: u32 = 1 << 31;

pub(super) fn fail<T>(kind: ViolationKind, message: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Action(Operation::Fail { kind, message: message.into(), related: Vec::new() }))
}

pub(super) fn act<T>(operation: Operation) -> Result<T, Stop> {
    Err(Stop::Action(operation))
}

/// Before a step on so many bytes: is the search over?
fn look_around(program: &CProgram, bytes: u64) -> Result<(), Stop> {
    if bytes >= LONG_STEP && program.is_over() { act(Operation::Dropped) } else { Ok(()) }
}

impl Cursor {
    /// Go on with the answer to the last action, until the next.
    pub(super) fn resume(&mut self, program: &CProgram, answer: Answer) -> Action {
        let site = self.current_site(program);
        self.waits.answer(match self.pending {
            Pending::PartLoad { shift, width, .. } => width.cut(answer.value() >> shift),
            _ => answer.value(),
        });
        if let Err(stop) = self.take_answer(program, answer) {
            self.waits.action();
            return stop.at(site);
        }
        if let Err(stop) = self.unguard() {
            self.waits.action();
            return stop.at(site);
        }
        let stop = self.run(program);
        self.waits.action();
        let site = self.current_site(program);
        // Not always: workers would be in each other's way.
        if self.waits.actions() & 63 == 0 {
            program.stands_at(site);
        }
        let mut stop = stop;
        if let Stop::Action(Operation::Fail { related, .. }) = &mut stop {
            related.extend(self.told());
        }
        let Stop::Action(operation) = stop;
        Stop::Action(self.behind_part(operation)).at(site)
    }

    /// The place of the last instruction begun; inside a library, that of the call.
    pub(super) fn current_site(&self, program: &CProgram) -> SiteId {
        let site = |function: u32, pc: u32| {
            let sites = &program.code.functions[function as usize].sites;
            sites.get((pc as usize).saturating_sub(1)).copied().unwrap_or(SiteId::NONE)
        };
        let here = site(self.function, self.pc);
        if here != SiteId::NONE && !program.is_foreign(here) {
            return here;
        }
        let mut calls = self.calls_around().map(|frame| site(frame.function, frame.pc));
        let call = calls.find(|&call| call != SiteId::NONE && !program.is_foreign(call));
        match here {
            // A function of a library that has no text, called through a pointer.
            SiteId::NONE => call.unwrap_or(here),
            _ => call.map_or(here, SiteId::inside),
        }
    }

    fn take_answer(&mut self, program: &CProgram, answer: Answer) -> Result<(), Stop> {
        let spurious = matches!(answer, Answer::Failed(_));
        let (answer, unset) = match answer {
            Answer::Unset { value, bits } => (value, bits),
            answer => (answer.value(), 0),
        };
        match std::mem::replace(&mut self.pending, Pending::Nothing) {
            Pending::Nothing | Pending::Store { .. } => {}
            Pending::Load { to, bits, .. } => {
                self.set(to, mask(answer, bits));
                if unset != 0 {
                    self.set_unknown(to, Some((mask(unset, bits), Origin::Other)));
                }
            }
            Pending::PartLoad { to, bits, shift, width } => {
                self.set(to, mask(width.cut(answer >> shift), bits));
                let unset = mask(width.cut(unset >> shift), bits);
                if unset != 0 {
                    self.set_unknown(to, Some((unset, Origin::Other)));
                }
            }
            Pending::PartUpdate { to, op, shift, width } => {
                // What the operation leaves alone stays as it is in whatever width.
                let new = op.apply(answer, Width::B8);
                if new.is_some_and(|new| new != answer) {
                    self.waits.updated(self.function, self.pc - 1);
                }
                self.set(to, width.cut(answer >> shift));
                if op.failure().is_some() {
                    let exchanged = new.is_some() && !spurious;
                    if !exchanged {
                        self.failed = (self.function, self.pc - 1, self.base);
                    }
                    self.set(to + 1, u64::from(exchanged));
                }
            }
            Pending::Whole { writes } => {
                let answers = self.answers.get_or_insert_default();
                answers.push(answer);
                if writes.is_none() {
                    answers.push(unset);
                }
                self.pc -= 1;
            }
            Pending::Register { to } => self.set(to, answer),
            Pending::Stack { to, place, size } => {
                let align = program.code.places[usize::from(place)].align;
                self.shared.push(SharedLocal { depth: self.depth(), address: Address(answer), place });
                let at = self.seen_at(program, Address(answer), size, align)?;
                self.set(to, at);
            }
            Pending::ThreadLocal { to, place, size } => {
                let align = program.code.places[usize::from(place)].align;
                self.shared.insert(0, SharedLocal { depth: 0, address: Address(answer), place });
                let at = self.seen_at(program, Address(answer), size, align)?;
                self.set(to, at);
                self.set(to + 1, 1);
            }
            Pending::Heap { to, size, align } => {
                let at = self.seen_at(program, Address(answer), size, align)?;
                self.set(to, at);
                if program.code.reallocates {
                    return Cursor::note_size(Address(answer), size);
                }
            }
            Pending::Modify { to, op, width } => {
                let changes = match spurious {
                    // It is in no order with others, and says only whether it changes anything.
                    true => answer == 0,
                    false => op.apply(answer, width).is_some_and(|new| new != answer),
                };
                if changes {
                    self.waits.updated(self.function, self.pc - 1);
                }
                self.set(to, if spurious { 0 } else { answer });
            }
            Pending::Exchange { to, expected, width, changes } => {
                let exchanged = answer == width.cut(expected) && !spurious;
                if !exchanged {
                    self.failed = (self.function, self.pc - 1, self.base);
                }
                if exchanged && changes {
                    self.waits.updated(self.function, self.pc - 1);
                }
                self.set(to, answer);
                self.set(to + 1, u64::from(exchanged));
            }
            Pending::Transfer => {
                self.transfer_answered(answer, unset);
                let done = self.go_on(program);
                if done.is_err() {
                    self.pending = Pending::Transfer;
                }
                return done;
            }
            Pending::Piece { .. } => {
                // At most four bytes: there is room for the bits that nobody set.
                self.answers.get_or_insert_default().push(answer | unset << 32);
                self.pc -= 1;
            }
            Pending::Native => {
                // The function begins again, with one answer more.
                self.answers.get_or_insert_default().push(answer);
                self.pc -= 1;
            }
            Pending::Joined { to, thread } => {
                self.pending = Pending::Load { to, bits: 64, copies: true };
                let address = address::result(thread);
                return act(Operation::Read { address, width: Width::B8, order: Order::Relaxed });
            }
            Pending::Passing { to, address, count } => {
                return self.passed(answer, to, address, count);
            }
            Pending::Elected { to } => self.set(to, u64::from(answer == 0)),
            Pending::Ended { .. } => return act(Operation::Done),
            Pending::Locked { to, address, mode } => {
                self.taken(address, mode);
                self.set(to, 0);
            }
            Pending::Tried { to, address, mode } => {
                if answer != 0 {
                    self.taken(address, mode);
                }
                self.set(to, answer);
            }
            Pending::Stirred { timed, .. } if answer == 0 => return self.await_bell(timed),
            Pending::Stirred { at, .. } => return self.stir(program, at),
            Pending::Bell { timed } => return self.bell_heard(answer, timed),
            Pending::Withdrawn { bit } => return Cursor::withdrawn(answer, bit),
            Pending::Picked { at } => return self.take_one(program, at, answer),
            Pending::Taken { at, nth } => return self.one_taken(program, at, nth, answer),
            Pending::Woken => return self.ring(program, answer),
            Pending::Ringing { rest } => return self.ring(program, rest),
            Pending::Unwinding => return self.unwind(program),
        }
        Ok(())
    }

    fn run(&mut self, program: &CProgram) -> Stop {
        let code = &program.code;
        let mut silent = 0;
        let patience = program.patience();
        loop {
            let function = &code.functions[self.function as usize];
            let constants = &function.constants;
            silent += 1;
            if silent & LOOK_AROUND == 0 && program.is_over() {
                return Stop::Action(Operation::Dropped);
            }
            if silent > 4 * patience {
                // Not in a loop: calls that call each other without end.
                return Stop::unsupported(format!(
                    "`{}` ran {silent} steps without doing anything that another thread could see",
                    function.name
                ));
            }
            let Some(&inst) = function.code.get(self.pc as usize) else {
                return Stop::unsupported(format!("`{}` has no code here", function.name));
            };
            self.pc += 1;
            if !self.unknown.is_empty()
                && let Err(stop) = self.spread(program, inst)
            {
                return stop;
            }
            match inst {
                Inst::Move { to, from } => {
                    let value = self.get(constants, from);
                    self.set(to, value);
                }
                Inst::Arith { op, bits, to, left, right } => {
                    let (a, b) = (self.get(constants, left), self.get(constants, right));
                    match arith::arith(op, bits, a, b) {
                        Ok(value) => self.set(to, value),
                        Err((kind, message)) => {
                            return Stop::Action(Operation::Fail {
                                kind,
                                message: message.into(),
                                related: Vec::new(),
                            });
                        }
                    }
                }
                Inst::Test { op, bits, to, left, right } => {
                    let (a, b) = (self.get(constants, left), self.get(constants, right));
                    self.set(to, u64::from(arith::test(op, bits, a, b)));
                }
                Inst::Truncate { bits, to, from } => {
                    let value = self.get(constants, from);
                    let lost = Mutant::LowHalvesAreZero.is_active() && bits == 32 && value >> 32 != 0;
                    self.set(to, if lost { 0 } else { mask(value, bits) });
                }
                Inst::Extend { from_bits, to_bits, to, from } => {
                    let value = arith::signed(self.get(constants, from), from_bits) as u64;
                    self.set(to, mask(value, to_bits));
                }
                Inst::Select { to, condition, yes, no } => {
                    let chosen = if self.get(constants, condition) & 1 != 0 { yes } else { no };
                    let value = self.get(constants, chosen);
                    self.set(to, value);
                }
                Inst::Element { bits, to, base, index, scale } => {
                    let index = arith::signed(self.get(constants, index), bits) as u64;
                    let scale = self.get(constants, scale);
                    let value = self.get(constants, base).wrapping_add(index.wrapping_mul(scale));
                    self.set(to, value);
                }
                Inst::Jump { target } => self.pc = target,
                Inst::Branch { condition, yes, no } => {
                    let branch = self.pc - 1;
                    self.pc = if self.get(constants, condition) != 0 { yes } else { no };
                    if self.rounds.are_ending()
                        && let Err(stop) = self.check_ending(program, branch)
                    {
                        return stop;
                    }
                }
                Inst::Switch { operand, table, default } => {
                    let value = self.get(constants, operand);
                    let table = &function.switches[usize::from(table)];
                    self.pc = match table.binary_search_by_key(&value, |entry| entry.0) {
                        Ok(at) => table[at].1,
                        Err(_) => default,
                    };
                }
                Inst::Loop { head } => {
                    let here = &function.heads[usize::from(head)];
                    let alike = match self.visit_head(program, head, here) {
                        Visited::Again(alike) => alike,
                        Visited::Waits(events) => {
                            program.waited(self.function, head);
                            // A function of a library that waits is no loop of the program.
                            let site = function.sites[self.pc as usize - 1];
                            let ours = program.is_ours(site);
                            let waiting = match ours {
                                true if events == 0 => Waiting::Nothing,
                                true => Waiting::Condition,
                                false => Waiting::Spin { events },
                            };
                            return Stop::Action(Operation::Wait(waiting));
                        }
                    };
                    let length = Length { alike, silent, patience };
                    if let Err(stop) = self.count_round(program, head, here, length) {
                        return stop;
                    }
                }
                _ => {
                    if let Err(stop) = self.execute(program, inst) {
                        return stop;
                    }
                }
            }
        }
    }

    /// An access of the current instruction must be aligned, unless the compiler says that it need not be.
    #[inline]
    fn aligned(&self, program: &CProgram, at: u64, width: Width, order: Order) -> Result<(), Stop> {
        if at.is_multiple_of(width.bytes()) {
            return Ok(());
        }
        let function = &program.code.functions[self.function as usize];
        if !order.is_atomic() && function.unaligned.binary_search(&(self.pc - 1)).is_ok() {
            return Ok(());
        }
        let atomic = if order.is_atomic() { "an atomic" } else { "an" };
        let bytes = width.bytes();
        let what = format!("{atomic} access of {bytes} bytes at an address that is no multiple of {bytes}");
        fail(ViolationKind::Other, what)
    }

    /// The instructions that are met less often, and those that others can see.
    fn execute(&mut self, program: &CProgram, inst: Inst) -> Result<(), Stop> {
        let code = &program.code;
        let function = &code.functions[self.function as usize];
        let constants = &function.constants;
        match inst {
            Inst::Load { to, address, width, order, bits } => {
                let at = self.get(constants, address);
                self.aligned(program, at, width, order)?;
                if let Some((value, unknown)) = self.load_own(program, at, width)? {
                    self.set(to, mask(value, bits));
                    if unknown != 0 {
                        self.set_unknown(to, Some((mask(unknown, bits), origin(program, at))));
                    }
                    return Ok(());
                }
                if let Some(part) = program.part_at(at, width) {
                    return self.load_part((part, at), order, (to, bits));
                }
                if let Some((value, unset)) = self.in_pieces(program, (at, width), order, None)? {
                    self.set(to, mask(value, bits));
                    if unset != 0 {
                        self.set_unknown(to, Some((mask(unset, bits), Origin::Other)));
                    }
                    return Ok(());
                }
                self.guard(program, at)?;
                self.waits.access(at, order == Order::Plain);
                let copies = function.copies.binary_search(&(self.pc - 1)).is_ok();
                self.pending = Pending::Load { to, bits, copies };
                act(Operation::Read { address: program.engine(at), width, order })
            }
            Inst::Store { from, address, width, order } => {
                let value = self.get(constants, from);
                let at = self.get(constants, address);
                let unknown = self.unknown_in(from);
                self.aligned(program, at, width, order)?;
                let bits = unknown.map_or(0, |(bits, _)| bits);
                if self.store_own(program, at, width, (value, bits))? {
                    return Ok(());
                }
                if let Some((bits, origin)) = unknown
                    && width.cut(bits) == width.cut(u64::MAX)
                {
                    return self.complain(program, "what other threads can see is set to", origin);
                }
                if let Some(part) = program.part_at(at, width) {
                    return self.store_part(program, (part, at), order, (value, bits));
                }
                if self.in_pieces(program, (at, width), order, Some((value, bits)))?.is_some() {
                    return Ok(());
                }
                self.guard(program, at)?;
                if bits != 0 {
                    program.writes_unset();
                    self.pending = Pending::Store { unset: width.cut(bits) };
                }
                if program.code.has_lives {
                    self.publish(program, value);
                }
                let place = (self.function, self.pc - 1);
                match bits {
                    0 => self.waits.store(program, place, at),
                    _ => self.waits.wrote(place.0, place.1, at),
                }
                act(Operation::Write { address: program.engine(at), width, order, value })
            }
            Inst::Modify { op, to, address, operand, width, order, looks } => {
                let op = op.with(self.get(constants, operand));
                let at = self.get(constants, address);
                self.aligned(program, at, width, order)?;
                if let Some(old) = self.load_known(program, at, width)? {
                    let new = op.apply(old, width).unwrap_or(old);
                    self.store_own(program, at, width, (new, 0))?;
                    self.set(to, old);
                    return Ok(());
                }
                if let Some(part) = program.part_at(at, width) {
                    return self.update_part(program, (part, at), order, (to, op));
                }
                self.in_pieces(program, (at, width), order, None)?;
                self.guard(program, at)?;
                self.waits.access(at, false);
                self.pending = Pending::Modify { to, op, width };
                let address = program.engine(at);
                act(match op {
                    UpdateOp::Add(_)
                    | UpdateOp::Sub(_)
                    | UpdateOp::And(_)
                    | UpdateOp::Or(_)
                    | UpdateOp::Xor(_)
                        if !looks && program.counts() =>
                    {
                        Operation::Count { address, width, order, op }
                    }
                    op => Operation::Update { address, width, order, op },
                })
            }
            Inst::CompareExchange { to, address, expected, desired, width, success, failure, weak } => {
                let expected = self.get(constants, expected);
                let desired = self.get(constants, desired);
                let at = self.get(constants, address);
                self.aligned(program, at, width, success)?;
                if let Some(old) = self.load_known(program, at, width)? {
                    let equal = old == width.cut(expected);
                    if equal && weak && program.spurious_cas() {
                        self.share(program, at)?;
                    }
                    if equal {
                        self.store_own(program, at, width, (desired, 0))?;
                    }
                    self.set(to, old);
                    self.set(to + 1, u64::from(equal));
                    return Ok(());
                }
                if let Some(part) = program.part_at(at, width) {
                    let op = UpdateOp::CompareExchange { expected, desired, failure, weak };
                    return self.update_part(program, (part, at), success, (to, op));
                }
                self.in_pieces(program, (at, width), success, None)?;
                self.guard(program, at)?;
                self.waits.access(at, false);
                let changes = width.cut(expected) != width.cut(desired);
                self.pending = Pending::Exchange { to, expected, width, changes };
                let op = UpdateOp::CompareExchange { expected, desired, failure, weak };
                act(Operation::Update { address: program.engine(at), width, order: success, op })
            }
            Inst::Fence { order } => act(Operation::Fence(order)),
            Inst::Overflow { op, bits, to, left, right } => {
                let (a, b) = (self.get(constants, left), self.get(constants, right));
                let (value, wrapped) = arith::overflow(op, bits, a, b);
                self.set(to, value);
                self.set(to + 1, u64::from(wrapped));
                Ok(())
            }
            Inst::Float { op, bits, to, left, right } => {
                let (a, b) = (self.get(constants, left), self.get(constants, right));
                self.set(to, arith::float(op, bits, a, b));
                Ok(())
            }
            Inst::FloatTest { op, bits, to, left, right } => {
                let (a, b) = (self.get(constants, left), self.get(constants, right));
                self.set(to, u64::from(arith::float_test(op, bits, a, b)));
                Ok(())
            }
            Inst::Unary { op, bits, to, from } => {
                let value = self.get(constants, from);
                if !arith::fits(op, bits, value) {
                    return fail(
                        ViolationKind::Arithmetic,
                        "a floating-point number does not fit into the integer it becomes",
                    );
                }
                self.set(to, arith::unary(op, bits, value));
                Ok(())
            }
            Inst::Wide { op, bits, to, first } => {
                let count = usize::from(op.shape(bits).0);
                let operands = &function.operands[usize::from(first)..usize::from(first) + count];
                let words: Vec<u64> = operands.iter().map(|&operand| self.get(constants, operand)).collect();
                match wide::wide(op, bits, &words) {
                    Ok(Some(value)) => {
                        for (i, word) in value.into_iter().enumerate() {
                            self.set(to + i as u16, word);
                        }
                        Ok(())
                    }
                    Ok(None) => {
                        Err(Stop::unsupported("this function of such a wide number is not supported"))
                    }
                    Err((kind, message)) => fail(kind, message),
                }
            }
            Inst::Native { function: native, to, first, count } => {
                let operands =
                    &function.operands[usize::from(first)..usize::from(first) + usize::from(count)];
                let given: Vec<u64> = operands.iter().map(|&operand| self.get(constants, operand)).collect();
                self.native(program, native, to, &given)
            }
            Inst::Forget { register, bits, name } => {
                self.set(register, 0);
                self.set_unknown(register, Some((mask(u64::MAX, bits), Origin::Variable(name))));
                Ok(())
            }
            Inst::Call { function, to, first, count, .. } => self.call(program, function, to, first, count),
            Inst::CallPointer { pointer, to, first, count, .. } => {
                let function = self.function_at(program, self.get(constants, pointer))?;
                self.call(program, function, to, first, count)
            }
            Inst::Return { first, count } => self.give_back(program, first, count),
            Inst::Alloca { to, size, place } => {
                let size = self.get(constants, size);
                self.alloca(program, to, size, place)
            }
            Inst::Begin { to, size, place } => {
                let size = self.get(constants, size);
                self.begin_life(program, to, size, place)
            }
            Inst::Continue { to, size, place } => {
                let size = self.get(constants, size);
                self.continue_life(program, to, size, place)
            }
            Inst::End { size, place } => {
                let size = self.get(constants, size);
                self.end_life(program, size, place)
            }
            Inst::Clear { place } => {
                self.clear(place);
                Ok(())
            }
            Inst::Allocate { to, size, align, place, zeroed, null } => {
                let (size, align) = (self.get(constants, size), self.get(constants, align));
                if null && (size > MOST_BYTES || !align.is_power_of_two()) {
                    self.set(to, 0);
                    return Ok(());
                }
                look_around(program, size)?;
                self.allocate(program, to, (size, align), place, zeroed)
            }
            Inst::Free { address } => {
                let at = self.get(constants, address);
                self.free(program, at)
            }
            Inst::Copy { to, from, size, overlaps } => {
                let (to, from, size) =
                    (self.get(constants, to), self.get(constants, from), self.get(constants, size));
                // Compilers copy a structure to itself in this way, which is harmless.
                if !overlaps && to != from && to.abs_diff(from) < size {
                    return fail(
                        ViolationKind::Other,
                        "`memcpy` between memory that overlaps: use `memmove`",
                    );
                }
                look_around(program, size)?;
                let done = self.copy(program, to, from, size);
                self.transferring(done)
            }
            Inst::Fill { to, byte, size } => {
                let (to, byte, size) =
                    (self.get(constants, to), self.get(constants, byte), self.get(constants, size));
                look_around(program, size)?;
                let done = self.fill(program, to, byte as u8, size);
                self.transferring(done)
            }
            Inst::Spawn { to, function, argument } => {
                let function = self.function_at(program, self.get(constants, function))?;
                let argument = self.get(constants, argument);
                self.check_spawn(program, function)?;
                self.waits.effect();
                let at = (self.function, self.pc - 1);
                let rare = self.rare_mut();
                rare.spawned += 1;
                rare.spawned_at = at;
                self.pending = Pending::Register { to };
                act(Operation::Spawn { code: u64::from(function), argument })
            }
            Inst::Join { to, thread } => {
                let thread = thread_of(self.get(constants, thread));
                self.part(thread)?;
                self.waits.effect();
                self.pending =
                    if code.wants_results { Pending::Joined { to, thread } } else { Pending::Nothing };
                act(Operation::Join(thread))
            }
            Inst::Exit { result, ending } => {
                let value = self.get(constants, result);
                if ending == Ending::Thread {
                    return self.leave_thread(program, value);
                }
                if ending != Ending::AtOnce && self.closes(program, ending)? {
                    return Ok(());
                }
                self.end(program, (value, 0), ending)
            }
            Inst::Raise { exception, ty } => {
                let (exception, ty) = (self.get(constants, exception), self.get(constants, ty));
                self.raise(program, exception, ty)
            }
            Inst::Resume { exception } => {
                let exception = self.get(constants, exception);
                self.fly_on(program, exception)
            }
            Inst::Landed { to } => {
                let (exception, caught_as) = self.landed();
                self.set(to, exception);
                self.set(to + 1, caught_as);
                Ok(())
            }
            Inst::CaughtAs { to, exception, done } => {
                let (exception, done) = (self.get(constants, exception), self.get(constants, done) != 0);
                let ty = self.caught_as(program, exception, done);
                self.set(to, ty);
                Ok(())
            }
            Inst::TypeKind { to, ty } => {
                let kind = Types(code).kind(self.get(constants, ty));
                self.set(to, kind as u64);
                Ok(())
            }
            Inst::Terminate { exception } => {
                let exception = self.get(constants, exception);
                self.terminate(program, exception)
            }
            Inst::Lock { to, address, mode, kind } => {
                let (at, kind) = (self.get(constants, address), self.get(constants, kind));
                self.lock(program, to, at, mode, MutexKind::of(kind))
            }
            Inst::TryLock { to, address, mode, kind } => {
                let (at, kind) = (self.get(constants, address), self.get(constants, kind));
                self.try_lock(program, to, at, mode, MutexKind::of(kind))
            }
            Inst::Unlock { to, address, kind } => {
                let (at, kind) = (self.get(constants, address), self.get(constants, kind));
                self.unlock(program, to, at, MutexKind::of(kind))
            }
            Inst::Initialise { address, object } => {
                let at = self.get(constants, address);
                self.initialise(program, at, object)
            }
            Inst::Destroy { address, object } => {
                let at = self.get(constants, address);
                self.destroy(program, at, object)
            }
            Inst::Meet { address } => {
                let at = self.get(constants, address);
                self.meet(program, at)
            }
            Inst::Gathers { to, address, once } => {
                let at = self.get(constants, address);
                self.gathers(program, to, at, once)
            }
            Inst::Enumerate { address, once } => {
                let at = self.get(constants, address);
                self.enumerate(program, at, once)
            }
            Inst::Arrive { address, count } => {
                let (at, count) = (self.get(constants, address), self.get(constants, count));
                self.arrive(program, at, count as u32)
            }
            Inst::Pass { to, address, count } => {
                let (at, count) = (self.get(constants, address), self.get(constants, count));
                self.pass(program, to, at, count as u32)
            }
            Inst::Enlist { address, lock } => {
                let (at, lock) = (self.get(constants, address), self.get(constants, lock));
                self.enlist(program, at, lock)
            }
            Inst::Await { address, timed } => {
                let at = self.get(constants, address);
                self.await_signal(program, at, timed)
            }
            Inst::Withdraw { address } => {
                let at = self.get(constants, address);
                self.withdraw(program, at)
            }
            Inst::Notify { address, all } => {
                let at = self.get(constants, address);
                self.notify(program, at, all)
            }
            Inst::Assume { condition } => match self.get(constants, condition) {
                0 => act(Operation::Block),
                _ => Ok(()),
            },
            Inst::Choose { to, low, high } => {
                let (low, high) = (self.get(constants, low) as i64, self.get(constants, high) as i64);
                self.waits.effect();
                self.pending = Pending::Register { to };
                act(Operation::Choose { low, high })
            }
            Inst::Observe { name, value } => {
                let value = self.get(constants, value);
                self.waits.effect();
                act(Operation::Observe { name: u32::from(name), value })
            }
            Inst::Detach { thread } => {
                let thread = thread_of(self.get(constants, thread));
                self.part(thread)
            }
            Inst::AtEnd { function, argument, scope } => {
                let function = self.get(constants, function);
                let argument = argument.map(|argument| self.get(constants, argument));
                self.rare_mut().at_end.push(AtEnd { function, argument, scope });
                self.waits.effect();
                Ok(())
            }
            Inst::NewKey { to, destructor } => {
                let destructor = self.get(constants, destructor);
                self.new_key(to, destructor)
            }
            Inst::SetSpecific { key, value } => {
                let (key, value) = (self.get(constants, key), self.get(constants, value));
                self.set_specific(key, value);
                Ok(())
            }
            Inst::Specific { to, key } => {
                let value = self.specific(self.get(constants, key));
                self.set(to, value);
                Ok(())
            }
            Inst::Stuck { address } => {
                let at = self.get(constants, address);
                let is_own = self.own(program, at)?.is_some();
                act(Operation::Wait(if is_own { Waiting::Nothing } else { Waiting::Signal }))
            }
            Inst::Drop => act(Operation::Dropped),
            Inst::SizeOf { to, address } => {
                let at = self.get(constants, address);
                self.size_of(program, to, at)
            }
            Inst::Clock { to } => {
                self.set(to, self.rare.clock);
                Ok(())
            }
            Inst::Random { to, at } => {
                let drawn = match at {
                    Some(at) => random::number(self.get(constants, at)),
                    None => self.draw(),
                };
                self.set(to, drawn);
                Ok(())
            }
            Inst::Seed { position } => {
                let position = self.get(constants, position);
                self.seed(position);
                Ok(())
            }
            Inst::Elapse { until } => {
                let until = self.get(constants, until);
                if until > self.rare.clock {
                    self.rare_mut().clock = until;
                    self.waits.effect();
                }
                Ok(())
            }
            Inst::Self_ { to } => {
                self.has_name.set(true);
                self.set(to, if self.thread == 0 { FIRST_THREAD } else { self.thread });
                Ok(())
            }
            Inst::ThreadLocal { to, global, place } => self.thread_local(program, to, global, place),
            Inst::FurtherArguments { list } => {
                let list = self.get(constants, list);
                self.further_arguments(program, list)
            }
            Inst::Fail { kind, message } => {
                let text = &code.texts[usize::from(message)];
                fail(kind, self.why_terminated(program, text).unwrap_or_else(|| text.clone()))
            }
            Inst::OnlySc { message } => match program.is_sc() {
                true => Ok(()),
                false => Err(Stop::unsupported(code.texts[usize::from(message)].clone())),
            },
            Inst::Refuse { message } => Err(Stop::unsupported(code.texts[usize::from(message)].clone())),
            Inst::Unreachable => fail(
                ViolationKind::Other,
                "a place is reached that the compiler takes to be unreachable: undefined behaviour before it",
            ),
            Inst::Move { .. }
            | Inst::Arith { .. }
            | Inst::Test { .. }
            | Inst::Truncate { .. }
            | Inst::Extend { .. }
            | Inst::Select { .. }
            | Inst::Element { .. }
            | Inst::Jump { .. }
            | Inst::Branch { .. }
            | Inst::Switch { .. }
            | Inst::Loop { .. } => Ok(()),
        }
    }

    pub(super) fn transferring(&mut self, done: Result<(), Stop>) -> Result<(), Stop> {
        if done.is_err() && self.transfer.is_some() {
            self.pending = Pending::Transfer;
        }
        done
    }
}

/// The thread that a program calls so.
fn thread_of(handle: u64) -> u64 {
    if handle == FIRST_THREAD { 0 } else { handle }
}

/// Where what is at an address comes from.
pub(super) fn origin(program: &CProgram, at: u64) -> Origin {
    match address::decode(at) {
        Target::Private { key, .. } => Origin::Place(program.private(key).place),
        _ => Origin::Other,
    }
}
