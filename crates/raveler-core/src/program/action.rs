//! What a thread can ask for: everything that a program does and that other threads can see is one of these.
//!
//! A [`super::Program`] returns an [`Action`], and is given an [`Answer`] when it is asked again. Operations
//! are data, not code, so that the engine can compute what an event would be with another value read.

use serde::{Deserialize, Serialize};

pub use super::part::Part;
pub use super::update::UpdateOp;
use crate::id::{Address, SiteId};

/// The bits of a value, zero-extended from the access's width. Front-ends give them a sign or a type.
pub type Value = u64;

/// How many bytes an access touches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Width {
    /// One byte.
    B1 = 1,
    /// Two bytes.
    B2 = 2,
    /// Four bytes.
    B4 = 4,
    /// Eight bytes.
    B8 = 8,
}

impl Width {
    /// The number of bytes.
    pub fn bytes(self) -> u64 {
        self as u64
    }

    /// The value cut to this width.
    #[inline]
    pub fn cut(self, value: Value) -> Value {
        match self {
            Width::B8 => value,
            narrow => value & ((1u64 << (8 * narrow as u32)) - 1),
        }
    }

    /// The value as a signed number of this width.
    #[inline]
    pub fn signed(self, value: Value) -> i64 {
        let unused = 64 - 8 * self as u32;
        ((value << unused) as i64) >> unused
    }
}

/// A C11 memory order, or none for a plain access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Order {
    /// Not atomic: may race.
    Plain,
    /// `memory_order_relaxed`
    Relaxed,
    /// `memory_order_acquire` (also `consume`)
    Acquire,
    /// `memory_order_release`
    Release,
    /// `memory_order_acq_rel`
    AcqRel,
    /// `memory_order_seq_cst`
    SeqCst,
}

impl Order {
    /// Acquire or stronger.
    #[inline]
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// Release or stronger.
    #[inline]
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }

    /// Atomic, of whatever order.
    #[inline]
    pub fn is_atomic(self) -> bool {
        self != Order::Plain
    }

    /// The word used in JSON and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Order::Plain => "plain",
            Order::Relaxed => "relaxed",
            Order::Acquire => "acquire",
            Order::Release => "release",
            Order::AcqRel => "acq_rel",
            Order::SeqCst => "seq_cst",
        }
    }
}

/// How a lock is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum LockMode {
    /// Alone: a mutex, or the write side of a reader-writer lock.
    Exclusive,
    /// Together with other readers.
    Shared,
}

impl LockMode {
    /// Can two threads not hold the lock at the same time, one in each of these ways?
    pub fn excludes(self, other: LockMode) -> bool {
        self == LockMode::Exclusive || other == LockMode::Exclusive
    }
}

/// One request of a thread, with the site it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// Where in the source.
    pub site: SiteId,
    /// What.
    pub operation: Operation,
}

/// The answer to an action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// What a read or update read, the address of an allocation, the id of a spawned thread, the value
    /// chosen, 1 or 0 for a trylock; 0 where there is nothing to say.
    Value(Value),
    /// A weak compare-exchange failed although it read what it expected, this value. Only where settings allow that.
    Failed(Value),
    /// What a read read, of which some bits were never set. Programs that do not ask for it ([`crate::Hints::copies`],
    /// [`crate::Hints::unset`]) never get it.
    Unset {
        /// The value; what was never set is 0, or whatever the program wrote there.
        value: Value,
        /// The bits that were never set.
        bits: Value,
    },
}

impl Answer {
    /// Where there is nothing to answer.
    pub const NONE: Answer = Answer::Value(0);

    /// The value, whether it failed or not.
    #[inline]
    pub fn value(self) -> Value {
        match self {
            Answer::Value(value) | Answer::Failed(value) | Answer::Unset { value, .. } => value,
        }
    }
}

/// What lies in allocated memory at first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contents {
    /// Nothing: reading it before writing is a mistake.
    Uninitialised,
    /// Zeroes.
    Zeroed,
    /// These values, one after the other; what lies beyond is uninitialised.
    Cells {
        /// How wide each is.
        cell: Width,
        /// The values.
        values: Vec<Value>,
    },
}

/// Where allocated memory lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// On the heap: until it is freed.
    Heap,
    /// A local variable: until its scope ends.
    Local,
}

/// The kinds of violation, named as in the JSON result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum ViolationKind {
    Assertion,
    Race,
    Deadlock,
    Liveness,
    UseAfterFree,
    DoubleFree,
    InvalidFree,
    OutOfBounds,
    UninitialisedRead,
    NullDereference,
    UnlockNotHeld,
    LockMisuse,
    StackOverflow,
    DivisionByZero,
    Arithmetic,
    Panic,
    Other,
}

impl ViolationKind {
    /// All of them; a test holds the list to the type.
    pub const ALL: [ViolationKind; 17] = [
        ViolationKind::Assertion,
        ViolationKind::Race,
        ViolationKind::Deadlock,
        ViolationKind::Liveness,
        ViolationKind::UseAfterFree,
        ViolationKind::DoubleFree,
        ViolationKind::InvalidFree,
        ViolationKind::OutOfBounds,
        ViolationKind::UninitialisedRead,
        ViolationKind::NullDereference,
        ViolationKind::UnlockNotHeld,
        ViolationKind::LockMisuse,
        ViolationKind::StackOverflow,
        ViolationKind::DivisionByZero,
        ViolationKind::Arithmetic,
        ViolationKind::Panic,
        ViolationKind::Other,
    ];

    /// The word used in JSON.
    pub fn name(self) -> &'static str {
        use ViolationKind::*;
        match self {
            Assertion => "assertion",
            Race => "race",
            Deadlock => "deadlock",
            Liveness => "liveness",
            UseAfterFree => "use-after-free",
            DoubleFree => "double-free",
            InvalidFree => "invalid-free",
            OutOfBounds => "out-of-bounds",
            UninitialisedRead => "uninitialised-read",
            NullDereference => "null-dereference",
            UnlockNotHeld => "unlock-not-held",
            LockMisuse => "lock-misuse",
            StackOverflow => "stack-overflow",
            DivisionByZero => "division-by-zero",
            Arithmetic => "arithmetic",
            Panic => "panic",
            Other => "other",
        }
    }
}

/// Another site that belongs to a mistake of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FailurePlace {
    /// What it has to do with it, such as "first borrow".
    pub role: &'static str,
    /// Where.
    pub site: SiteId,
}

/// The kinds of request. Each gets an [`Answer`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Operation {
    /// Read memory. Answer: the value.
    Read {
        /// Where.
        address: Address,
        /// How many bytes.
        width: Width,
        /// Memory order.
        order: Order,
    },
    /// Read a part of what is one location for the engine; the thread is answered the value of the whole.
    ReadPart {
        /// Where the whole lies.
        address: Address,
        /// How many bytes it has.
        width: Width,
        /// Memory order.
        order: Order,
        /// Which part.
        part: Part,
    },
    /// Change a part of what is one location, by writing the whole as it was read right before
    /// ([`Part::Changed`]). Right where no other thread's access comes between; a search refuses programs in which one may.
    WritePart {
        /// Where the whole lies.
        address: Address,
        /// How many bytes it has.
        width: Width,
        /// Memory order.
        order: Order,
        /// The new value of the whole.
        value: Value,
    },
    /// Write memory.
    Write {
        /// Where.
        address: Address,
        /// How many bytes.
        width: Width,
        /// Memory order.
        order: Order,
        /// What.
        value: Value,
    },
    /// Read and write in one step. Answer: the value read.
    Update {
        /// Where.
        address: Address,
        /// How many bytes.
        width: Width,
        /// Memory order (of success).
        order: Order,
        /// What is written.
        op: UpdateOp,
    },
    /// The same, where nothing depends on the value read. Only where [`crate::Reductions::counters`] is in force: of additions
    /// to one location the order is no part of an execution then, as far as nobody can see it. Answer: `Answer::Failed`, with 1
    /// if it certainly changes nothing and 0 otherwise; the value read where the order can be seen.
    Count {
        /// Where.
        address: Address,
        /// How many bytes.
        width: Width,
        /// Memory order.
        order: Order,
        /// What is written.
        op: UpdateOp,
    },
    /// A fence.
    Fence(Order),
    /// Start a thread. Answer: its id.
    Spawn {
        /// Which code, as the program numbers it.
        code: u64,
        /// Its argument.
        argument: Value,
    },
    /// Wait for a thread's end.
    Join(ThreadName),
    /// Come to a barrier. Only where [`crate::Reductions::barriers`] is in force: in which order the threads of a group
    /// come is then no part of an execution.
    Arrive {
        /// The barrier's memory.
        address: Address,
        /// How many threads go on together.
        count: u32,
        /// Does the thread look at whether it is told to be the serial one?
        looks: bool,
    },
    /// Wait until as many threads have come as go on together, and go on. Answer: [`PASSED`] or what stands beside it.
    Pass {
        /// The barrier's memory.
        address: Address,
        /// How many threads go on together.
        count: u32,
    },
    /// Take a lock, waiting if necessary.
    Lock {
        /// The lock's address.
        address: Address,
        /// Alone or shared.
        mode: LockMode,
    },
    /// Try to take a lock. Answer: 1 if it was taken, else 0.
    TryLock {
        /// The lock's address.
        address: Address,
        /// Alone or shared.
        mode: LockMode,
    },
    /// Release a lock.
    Unlock {
        /// The lock's address.
        address: Address,
    },
    /// Allocate memory. Answer: its address.
    Alloc {
        /// How many bytes.
        size: u64,
        /// What lies there at first.
        contents: Contents,
        /// What reports call it: an index into [`crate::SourceMap::allocated`].
        what: u32,
        /// Where it lies.
        storage: Storage,
    },
    /// Free memory.
    Free {
        /// What an allocation answered.
        address: Address,
        /// Where it must lie: the program frees what it took from the heap, and the end of a scope local variables.
        storage: Storage,
    },
    /// A synchronisation object begins to exist, where there may have been one before that was destroyed.
    Initialise {
        /// Its word, or the memory that operations on it update.
        address: Address,
    },
    /// A synchronisation object ends to exist: no thread may still use it, nor use it again.
    Destroy {
        /// Its word, or the memory that operations on it update.
        address: Address,
    },
    /// Any value from `low` to `high`, both included. Answer: the value.
    Choose {
        /// The least.
        low: i64,
        /// The greatest.
        high: i64,
    },
    /// Name a value to be collected over all executions.
    Observe {
        /// Index into [`crate::SourceMap::names`].
        name: u32,
        /// The value.
        value: Value,
    },
    /// An assumption failed: this thread stops here for good, and the execution is of no interest.
    Block,
    /// A bound was reached: this thread is followed no further, and not everything is seen.
    Cut,
    /// What this thread read last keeps it waiting: it goes on only in executions in which it reads something else.
    Wait(Waiting),
    /// What this thread would do is seen in another exploration, or the last answer does not fit a choice
    /// made before: nothing to count, and no reason for others to wait.
    Dropped,
    /// The program learned something that changes what its threads do, such as that some memory is not private after
    /// all: the search starts again from the beginning. Must happen only finitely often.
    Restart,
    /// The front-end cannot go on; nothing may be concluded.
    Unsupported(String),
    /// Something is wrong: stop with a violation.
    Fail {
        /// What kind.
        kind: ViolationKind,
        /// In the user's words.
        message: String,
        /// Other sites that belong to it.
        related: Vec<FailurePlace>,
    },
    /// The thread ends.
    Done,
    /// The thread ends, and with it the process, as when `main` returns. The other threads are still followed to
    /// their ends, but what they wait for in vain from now on is nobody's mistake (docs/waits.md, "The end of the process").
    Exit,
}

/// An answer to [`Operation::Pass`]: the thread goes on.
pub const PASSED: Value = 0;
/// It goes on, and is the serial one.
pub const PASSED_SERIAL: Value = 1;
/// It asks again.
pub const PASS_AGAIN: Value = 2;
/// Its next operation is to choose the serial one: 0 for itself, up to `count - 1`. Then it goes on.
pub const PASS_CHOOSES: Value = 3;

/// How a thread waits (docs/waits.md, "What a wait is").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waiting {
    /// For a condition, in a loop of a library function: what it read last keeps it waiting.
    Condition,
    /// For a signal, or for something to be there: only one later write of what it read last can let it go on.
    Signal,
    /// For something that the thread alone could bring about: it never goes on.
    Nothing,
    /// In a loop: the reads among the last so many events would be made again and again.
    Spin {
        /// How many events one round has.
        events: u32,
    },
}

/// A thread as programs name it: the answer to the spawn that made it.
pub type ThreadName = u64;

#[cfg(test)]
mod tests {
    use super::ViolationKind;

    #[test]
    fn all_kinds_are_listed_in_order() {
        for (number, kind) in ViolationKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
        }
        assert_eq!(ViolationKind::Other as usize + 1, ViolationKind::ALL.len());
    }
}
