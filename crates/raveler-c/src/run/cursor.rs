//! Where a thread stands.

use std::cell::Cell;
use std::rc::Rc;

use raveler_core::{Address, LockMode, SiteId, UpdateOp, Width};

use super::exceptions::Flight;
use super::locks::Held;
use super::memory::Memory;
use super::native::Output;
use super::outer::Outer;
use super::rounds::Rounds;
use super::sections::Guard;
use super::stack::call_bytes;
use super::transfer::Transfer;
use super::unknown::Unknown;
use super::waits::Waits;
use crate::code::{Code, Operand, Reg, Scope};

/// Where a thread stands: small, and cheap to copy.
pub struct Cursor {
    /// The registers of all calls, the innermost last.
    pub(super) registers: Vec<u64>,
    /// The calls around the current one.
    pub(super) frames: Vec<Frame>,
    /// Those around these, if there are many.
    pub(super) outer: Option<Rc<Outer>>,
    pub(super) function: u32,
    pub(super) pc: u32,
    /// The first register of the current call.
    pub(super) base: u32,
    /// How many further arguments the current call has.
    pub(super) further: u16,
    /// How many bytes of the stack are in use.
    pub(super) stack: u64,
    pub(super) pending: Pending,
    pub(super) thread: u64,
    pub(super) memory: Memory,
    pub(super) waits: Waits,
    pub(super) rounds: Rounds,
    pub(super) transfer: Option<Box<Transfer>>,
    /// Shared objects of the stack.
    pub(super) shared: Vec<SharedLocal>,
    /// The compare-exchange that failed last: its function, instruction and first register.
    pub(super) failed: (u32, u32, u32),
    /// How many objects of the heap were made, by place.
    pub(super) made: Vec<(u16, u32)>,
    /// The locks it holds.
    pub(super) held: Vec<Held>,
    /// What few threads have.
    pub(super) rare: Rc<Rare>,
    /// Threads that it joined or detached.
    pub(super) parted: Vec<u64>,
    /// An access that is an atomic section of its own.
    pub(super) guard: Guard,
    /// What shared memory held when a function of the library asked.
    pub(super) answers: Option<Vec<u64>>,
    /// It has seen its name, or an address that only it has: it can be told from threads with the same function, argument
    /// and answers. No part of what the thread does next.
    pub(super) has_name: Cell<bool>,
    /// Bits of registers that nobody set.
    pub(super) unknown: Vec<Unknown>,
    /// What the thread printed, where that is kept.
    pub(super) output: Option<Rc<Output>>,
    /// The last exceptions that it caught, for reports: where they were thrown and caught.
    pub(super) caught: Rc<Vec<(SiteId, SiteId)>>,
}

/// What few threads have and fewer change.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Rare {
    /// How many threads it started, and at which instruction of which function the last one.
    pub spawned: u32,
    pub spawned_at: (u32, u32),
    /// Synchronisation objects of its own that it initialised, and did not destroy.
    pub initialised: Vec<u64>,
    /// Those that it destroyed, and did not initialise again.
    pub destroyed: Vec<u64>,
    /// Places of variables of blocks, and which lives of them shared memory was given the addresses of.
    pub published: Vec<(u16, u32)>,
    /// How often it waited for condition variables and was woken, or waits.
    pub awaited: u32,
    /// What is to be called at its end, the last first.
    pub at_end: Vec<AtEnd>,
    /// Thread-specific data by key.
    pub specific: Vec<(u64, u64)>,
    /// The keys whose destructors were called at its end, each as often as they were.
    pub closed: Vec<u64>,
    /// How many keys for such data it made.
    pub keys: u32,
    /// What time it knows it is.
    pub clock: u64,
    /// A store to a part of an atomic object may still wait in its store buffer.
    pub undrained: bool,
    /// Latches that it came to, in no order.
    pub latches: Vec<u64>,
    /// Where it stands in the sequence of random numbers.
    pub drawn: u8,
    /// Exceptions that are not caught yet, the youngest last.
    pub flights: Vec<Flight>,
    /// The one of them that unwinds the stack, from its throw or a landing to the next landing.
    pub unwinding: Option<u32>,
}

/// A call that waits for another one to return.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub function: u32,
    pub pc: u32,
    pub base: u32,
    pub further: u16,
    /// How many bytes of the stack were in use.
    pub stack: u64,
    /// Where the result goes.
    pub to: Reg,
}

/// A function to be called at the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct AtEnd {
    pub function: u64,
    pub argument: Option<u64>,
    pub scope: Scope,
}

/// A local variable that other threads use.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SharedLocal {
    /// The depth of its call; 0 if it ends with the thread.
    pub depth: u32,
    /// The engine's.
    pub address: Address,
    pub place: u16,
}

/// What the answer to the last action is for. Registers are of the current call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Pending {
    Nothing,
    Load {
        to: Reg,
        bits: u8,
        /// It is only copied.
        copies: bool,
    },
    /// A write, of whose value nobody set these bits.
    Store {
        unset: u64,
    },
    /// A piece of an access that is made in several; if it writes, nobody set these bits.
    Piece {
        writes: Option<u64>,
    },
    /// A load of a part: so many bits behind the beginning of what is read.
    PartLoad {
        to: Reg,
        bits: u8,
        shift: u8,
        width: Width,
    },
    /// An update of a part, as one of the whole.
    PartUpdate {
        to: Reg,
        op: UpdateOp,
        shift: u8,
        width: Width,
    },
    /// A part is written by reading and writing the whole; if it writes, nobody set these bits.
    Whole {
        writes: Option<u64>,
    },
    Register {
        to: Reg,
    },
    Modify {
        to: Reg,
        op: UpdateOp,
        width: Width,
    },
    Exchange {
        to: Reg,
        expected: u64,
        width: Width,
        /// It writes something else than what it expects.
        changes: bool,
    },
    /// The address of a stack object.
    Stack {
        to: Reg,
        place: u16,
        size: u64,
    },
    /// The address of a thread-local variable that other threads use.
    ThreadLocal {
        to: Reg,
        place: u16,
        size: u64,
    },
    /// The address of an allocation.
    Heap {
        to: Reg,
        size: u64,
        align: u64,
    },
    Transfer,
    /// A join; its result is still to be read.
    Joined {
        to: Reg,
        thread: u64,
    },
    /// It goes on from a barrier.
    Passing {
        to: Reg,
        address: Address,
        count: u32,
    },
    /// Which thread of a group is the serial one: 0 is this one.
    Elected {
        to: Reg,
    },
    /// A function of the library reads.
    Native,
    /// The thread ended, and its result is written, of which nobody set these bits.
    Ended {
        unset: u64,
    },
    /// A lock was taken.
    Locked {
        to: Reg,
        address: u64,
        mode: LockMode,
    },
    /// Perhaps.
    Tried {
        to: Reg,
        address: u64,
        mode: LockMode,
    },
    /// Does it wake up for no reason?
    Stirred {
        at: u64,
        timed: bool,
    },
    /// How often the bell rang.
    Bell {
        timed: bool,
    },
    /// Who waits, before this thread left.
    Withdrawn {
        bit: usize,
    },
    /// Which one of those that wait.
    Picked {
        at: u64,
    },
    /// Those that waited before one of them was taken.
    Taken {
        at: u64,
        nth: u64,
    },
    /// Those that waited before all were.
    Woken,
    /// One was woken; these are still to be.
    Ringing {
        rest: u64,
    },
    /// A variable ended with a call that an exception leaves.
    Unwinding,
}

impl Clone for Cursor {
    fn clone(&self) -> Cursor {
        Cursor {
            registers: self.registers.clone(),
            frames: self.frames.clone(),
            outer: self.outer.clone(),
            function: self.function,
            pc: self.pc,
            base: self.base,
            further: self.further,
            stack: self.stack,
            pending: self.pending,
            thread: self.thread,
            memory: self.memory.clone(),
            waits: self.waits.clone(),
            rounds: self.rounds.clone(),
            transfer: self.transfer.clone(),
            shared: self.shared.clone(),
            failed: self.failed,
            made: self.made.clone(),
            held: self.held.clone(),
            rare: self.rare.clone(),
            parted: self.parted.clone(),
            guard: self.guard,
            answers: self.answers.clone(),
            has_name: self.has_name.clone(),
            unknown: self.unknown.clone(),
            output: self.output.clone(),
            caught: self.caught.clone(),
        }
    }

    /// In place: a cursor that is no longer needed has the memory already.
    fn clone_from(&mut self, source: &Cursor) {
        let Cursor {
            registers,
            frames,
            outer,
            function,
            pc,
            base,
            further,
            stack,
            pending,
            thread,
            memory,
            waits,
            rounds,
            transfer,
            shared,
            failed,
            made,
            held,
            rare,
            parted,
            guard,
            answers,
            has_name,
            unknown,
            output,
            caught,
        } = source;
        self.registers.clone_from(registers);
        self.frames.clone_from(frames);
        self.outer.clone_from(outer);
        self.function = *function;
        self.pc = *pc;
        self.base = *base;
        self.further = *further;
        self.stack = *stack;
        self.pending = *pending;
        self.thread = *thread;
        self.memory.clone_from(memory);
        self.waits.clone_from(waits);
        self.rounds.clone_from(rounds);
        self.transfer.clone_from(transfer);
        self.shared.clone_from(shared);
        self.failed = *failed;
        self.made.clone_from(made);
        self.held.clone_from(held);
        self.rare.clone_from(rare);
        self.parted.clone_from(parted);
        self.guard = *guard;
        self.answers.clone_from(answers);
        self.has_name.clone_from(has_name);
        self.unknown.clone_from(unknown);
        self.output.clone_from(output);
        self.caught.clone_from(caught);
    }
}

impl Cursor {
    fn new(code: &Code, function: u32, thread: u64) -> Cursor {
        let count = usize::from(code.functions[function as usize].registers);
        Cursor {
            registers: vec![0; count],
            frames: Vec::new(),
            outer: None,
            function,
            pc: 0,
            base: 0,
            further: 0,
            stack: 0,
            pending: Pending::Nothing,
            thread,
            memory: Memory::default(),
            waits: Waits::default(),
            rounds: Rounds::default(),
            transfer: None,
            shared: Vec::new(),
            made: Vec::new(),
            held: Vec::new(),
            rare: Rc::default(),
            parted: Vec::new(),
            guard: Guard::None,
            answers: None,
            has_name: Cell::new(false),
            unknown: Vec::new(),
            output: None,
            caught: Rc::default(),
            failed: (u32::MAX, 0, 0),
        }
    }

    /// The first thread: constructors run before the entry.
    pub(super) fn main(code: &Code) -> Cursor {
        let mut cursor = Cursor::new(code, code.entry, 0);
        let parameters = usize::from(code.functions[code.entry as usize].parameters);
        // Behind the program's name there is a null pointer, and no environment.
        let arguments = [1, code.arguments, code.arguments.wrapping_add(16)];
        for (register, argument) in cursor.registers.iter_mut().zip(arguments).take(parameters) {
            *register = argument;
        }
        for &constructor in code.constructors.iter().rev() {
            cursor.enter(code, constructor, 0);
        }
        cursor
    }

    pub(super) fn spawned(code: &Code, function: u32, argument: u64, thread: u64) -> Cursor {
        let mut cursor = Cursor::new(code, function, thread);
        if let (Some(first), true) =
            (cursor.registers.first_mut(), code.functions[function as usize].parameters > 0)
        {
            *first = argument;
        }
        cursor
    }

    /// Call a function; the current one goes on where its `pc` stands. Arguments are to be set.
    pub(super) fn enter(&mut self, code: &Code, function: u32, to: Reg) {
        let Cursor { pc, base, further, stack, .. } = *self;
        self.frames.push(Frame { function: self.function, pc, base, further, stack, to });
        self.function = function;
        self.pc = 0;
        self.base = self.registers.len() as u32;
        self.further = 0;
        let callee = &code.functions[function as usize];
        self.stack += call_bytes(callee);
        self.registers.resize(self.registers.len() + usize::from(callee.registers), 0);
    }

    /// Does the thread read what it only copies?
    pub(super) fn copies(&self) -> bool {
        match self.pending {
            Pending::Transfer => self.transfer.as_ref().is_some_and(|transfer| transfer.is_reading()),
            Pending::Piece { writes } | Pending::Whole { writes } => writes.is_none(),
            Pending::Load { copies, .. } => copies,
            _ => false,
        }
    }

    /// The bits that nobody set of what the thread writes.
    pub(super) fn unset(&self) -> u64 {
        match self.pending {
            Pending::Store { unset } | Pending::Ended { unset } => unset,
            Pending::Piece { writes } | Pending::Whole { writes } => writes.unwrap_or(0),
            Pending::Transfer => self.transfer.as_ref().map_or(0, |transfer| transfer.unset()),
            _ => 0,
        }
    }

    /// To change what few threads have.
    pub(super) fn rare_mut(&mut self) -> &mut Rare {
        Rc::make_mut(&mut self.rare)
    }

    /// The current call's depth.
    pub(super) fn depth(&self) -> u32 {
        self.put_away_calls() + self.frames.len() as u32 + 1
    }

    #[inline]
    pub(super) fn get(&self, constants: &[u64], operand: Operand) -> u64 {
        match operand.decode() {
            Ok(register) => self.registers[self.base as usize + usize::from(register)],
            Err(constant) => constants[usize::from(constant)],
        }
    }

    #[inline]
    pub(super) fn set(&mut self, register: Reg, value: u64) {
        self.registers[self.base as usize + usize::from(register)] = value;
    }
}
