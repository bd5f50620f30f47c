//! The bytecode: a program lowered once, run many times.
//!
//! A function has registers of 64 bits; a value of fewer bits is kept zero-extended, an aggregate in consecutive
//! registers. Local variables whose address is not taken are registers too. Addresses say what they point to:
//! see `crate::address`.
//!
//! This file is long because the bytecode is one flat list of instructions.

use raveler_core::{LockMode, Order, SiteId, SourceMap, UpdateOp, ViolationKind, Width};

/// A register of a function.
pub type Reg = u16;

/// An operand: a register, or a constant of the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand(u16);

impl Operand {
    const CONSTANT: u16 = 1 << 15;

    /// A register.
    pub fn register(register: Reg) -> Operand {
        debug_assert!(register < Self::CONSTANT);
        Operand(register)
    }

    /// A constant, by its index.
    pub fn constant(index: u16) -> Operand {
        debug_assert!(index < Self::CONSTANT);
        Operand(index | Self::CONSTANT)
    }

    /// The register it names, or the index of a constant.
    #[inline]
    pub fn decode(self) -> Result<Reg, u16> {
        if self.0 & Self::CONSTANT == 0 { Ok(self.0) } else { Err(self.0 & !Self::CONSTANT) }
    }
}

/// A whole program.
#[derive(Debug)]
pub struct Code {
    /// Its functions.
    pub functions: Vec<Function>,
    /// Its global variables.
    pub globals: Vec<Global>,
    /// Where stack and heap objects come from.
    pub places: Vec<Place>,
    /// The function to start with.
    pub entry: u32,
    /// Run before it, in order.
    pub constructors: Vec<u32>,
    /// Whether allocations leave word of their sizes.
    pub reallocates: bool,
    /// Whether there are atomic sections.
    pub has_sections: bool,
    /// Whether there are variables that may begin to live again while something still points to them.
    pub has_lives: bool,
    /// What `argv` is, for an entry that takes arguments.
    pub arguments: u64,
    /// Whether some join asks for a thread's result.
    pub wants_results: bool,
    /// Messages.
    pub texts: Vec<String>,
    /// What may not mean what it seems to, and where.
    pub warnings: Vec<(SiteId, String)>,
    /// Names and lines.
    pub sources: SourceMap,
}

/// A function.
#[derive(Debug, Default)]
pub struct Function {
    /// Its name in the source.
    pub name: String,
    /// How many registers it has; the parameters come first.
    pub registers: u16,
    /// How many registers its parameters take.
    pub parameters: u16,
    /// How many bytes of the stack a call takes, without variables that live in memory.
    pub frame: u32,
    /// More arguments may follow.
    pub variadic: bool,
    /// Its constants.
    pub constants: Vec<u64>,
    /// What it does.
    pub code: Vec<Inst>,
    /// Where each instruction stands in the source.
    pub sites: Vec<SiteId>,
    /// The operands of calls, in pieces.
    pub operands: Vec<Operand>,
    /// The tables of switches: value and target, sorted by value.
    pub switches: Vec<Vec<(u64, u32)>>,
    /// The heads of its loops.
    pub heads: Vec<Head>,
    /// Which registers matter before each instruction.
    pub live: Live,
    /// The variables that live in registers.
    pub variables: Vec<(Reg, String)>,
    /// Where exceptions land that leave some of its instructions.
    pub pads: Vec<Pad>,
    /// Plain accesses that need not be aligned, such as to members of packed structs; sorted.
    pub unaligned: Vec<u32>,
    /// Loads that only copy: words of a structure that is passed by value.
    pub copies: Vec<u32>,
}

/// Where exceptions land that leave these instructions.
#[derive(Debug, Default)]
pub struct Pad {
    /// The instructions: from, until.
    pub calls: (u32, u32),
    /// Where to go on.
    pub target: u32,
    /// Every exception lands here, be it caught or not.
    pub cleanup: bool,
    /// What is caught here.
    pub clauses: Vec<Clause>,
}

/// What a place catches; types are the addresses of their `typeinfo`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clause {
    /// Exceptions of this type; 0 for all.
    Catch(u64),
    /// Exceptions of none of these types.
    Filter(Vec<u64>),
}

/// Which registers may be read before they are written again: a row of bits per instruction.
#[derive(Debug, Default)]
pub struct Live {
    /// How many words a row has.
    pub words: usize,
    /// The rows.
    pub rows: Vec<u64>,
}

impl Live {
    /// The registers that matter before an instruction.
    pub fn at(&self, instruction: usize) -> impl Iterator<Item = Reg> + '_ {
        let row = self.rows.get(instruction * self.words..(instruction + 1) * self.words).unwrap_or_default();
        row.iter().enumerate().flat_map(|(w, &word)| {
            (0..64u16).filter(move |bit| word >> bit & 1 != 0).map(move |bit| w as u16 * 64 + bit)
        })
    }
}

/// The head of a loop.
#[derive(Debug, Default)]
pub struct Head {
    /// The registers that may be read before they are written again.
    pub live: Vec<Reg>,
    /// Where the loop stands.
    pub site: Option<SiteId>,
    /// Its instructions: from, until.
    pub body: Vec<(u32, u32)>,
    /// Whether to go round again is decided at the end of a round (`do … while`), or never.
    pub decides_last: bool,
    /// The branches that may leave it: the instruction, and whether it leaves when its condition holds.
    pub leaves: Vec<(u32, bool)>,
}

impl Head {
    /// Does this instruction belong to the loop?
    pub fn has(&self, instruction: u32) -> bool {
        self.body.iter().any(|&(from, until)| (from..until).contains(&instruction))
    }
}

/// A global variable.
#[derive(Debug, Clone)]
pub struct Global {
    /// Its name in the source.
    pub name: String,
    /// Where it begins.
    pub address: u64,
    /// Its bytes at the start.
    pub initial: Vec<u8>,
    /// Never written.
    pub constant: bool,
    /// One per thread.
    pub thread_local: bool,
    /// Used by a thread other than the first, as far as can be seen without running it.
    pub shared: bool,
    /// How its bytes are divided.
    pub cells: Cells,
}

/// Where objects come from: a local variable that lives in memory, or a call that allocates.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// What the source calls it.
    pub name: String,
    /// How its bytes are divided, as far as is known.
    pub cells: Cells,
    /// On the stack.
    pub stack: bool,
    /// How objects are aligned, if on the stack.
    pub align: u64,
    /// A variable of a block, which ends where the block is left.
    pub scoped: bool,
    /// One that can begin to live again in the same call, while something still points to its last life.
    pub again: bool,
}

/// How an object's bytes are divided: offset and width of the pieces of one element, repeated every `stride` bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cells {
    /// The size of an element; 0 if nothing is known.
    pub stride: u64,
    /// The pieces of an element, sorted by offset.
    pub pieces: Vec<(u64, Width)>,
}

impl Cells {
    /// The width of the piece that begins at this offset, if one does.
    pub fn at(&self, offset: u64) -> Option<Width> {
        let within = offset.checked_rem(self.stride)?;
        let at = self.pieces.binary_search_by_key(&within, |piece| piece.0).ok()?;
        Some(self.pieces[at].1)
    }
}

/// Arithmetic on integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Arith {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    SMax,
    SMin,
    UMax,
    UMin,
}

/// Arithmetic on floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    CopySign,
    Pow,
    Atan2,
    Hypot,
}

/// Functions of one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Unary {
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    SwapBytes,
    ReverseBits,
    Abs,
    FNeg,
    FAbs,
    FSqrt,
    FFloor,
    FCeil,
    FTrunc,
    FRound,
    /// To the nearest, to even if two are as near.
    FRint,
    FSin,
    FCos,
    FTan,
    FAsin,
    FAcos,
    FAtan,
    FSinh,
    FCosh,
    FTanh,
    FExp,
    FExp2,
    FExpM1,
    FLog,
    FLog2,
    FLog10,
    FLog1P,
    FCbrt,
    FToSi(u8),
    FToUi(u8),
    SiToF(u8),
    UiToF(u8),
    /// Between `float` and `double`: to this many bits.
    FToF(u8),
}

/// Comparisons of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Test {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

/// Which outcomes of a comparison of floating-point numbers make it true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct FloatTest {
    pub less: bool,
    pub equal: bool,
    pub greater: bool,
    pub unordered: bool,
}

impl FloatTest {
    /// Is it true of two numbers that compare so?
    pub fn holds(self, order: Option<std::cmp::Ordering>) -> bool {
        match order {
            Some(std::cmp::Ordering::Less) => self.less,
            Some(std::cmp::Ordering::Equal) => self.equal,
            Some(std::cmp::Ordering::Greater) => self.greater,
            None => self.unordered,
        }
    }
}

/// Operations on values of several registers: integers of more than 64 bits, and `long double`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wide {
    /// Integers: gives as many registers.
    Arith(Arith),
    /// Integers: gives one.
    Test(Test),
    /// Integers of up to 128 bits: gives two registers, and whether it wrapped.
    Overflow(Overflow),
    /// One integer of up to 128 bits: gives two.
    Unary(Unary),
    /// `long double`: gives two.
    Float(FloatOp),
    /// `long double`: gives one.
    FloatTest(FloatTest),
    /// One `long double`: gives two.
    FloatUnary(Unary),
    /// Three numbers of one register: the first times the second plus the third, rounded once.
    Fused,
    /// One number of one register: is it of one of these classes (as `llvm.is.fpclass` numbers them)?
    Class(u16),
    /// From one kind of number to another; either may have one register or more.
    Convert {
        /// What it is.
        from: Number,
        /// What it becomes.
        to: Number,
    },
}

/// A kind of numbers, with their bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Number {
    Signed(u16),
    Unsigned(u16),
    Float(u16),
}

impl Number {
    /// How many registers it takes.
    pub fn registers(self) -> u16 {
        match self {
            Number::Signed(bits) | Number::Unsigned(bits) | Number::Float(bits) => bits.div_ceil(64),
        }
    }
}

impl Wide {
    /// How many operands there are, and how many registers the result takes, for numbers of so many bits.
    pub fn shape(self, bits: u16) -> (u16, u16) {
        let n = bits.div_ceil(64);
        match self {
            Wide::Arith(_) | Wide::Float(_) => (2 * n, n),
            Wide::Test(_) | Wide::FloatTest(_) => (2 * n, 1),
            Wide::Overflow(_) => (2 * n, n + 1),
            Wide::Unary(_) | Wide::FloatUnary(_) => (n, n),
            Wide::Fused => (3, 1),
            Wide::Class(_) => (1, 1),
            Wide::Convert { from, to } => (from.registers(), to.registers()),
        }
    }
}

/// Functions of the library that raveler runs itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Native {
    /// Stream, format, the words of further arguments.
    Print,
    /// Stream, format, `va_list`.
    PrintList,
    /// Buffer, its size, format, the words of further arguments.
    Format,
    /// Buffer, its size, format, `va_list`.
    FormatList,
    /// Stream, string, whether a line ends.
    Text,
    /// Stream, character.
    Character,
    /// Stream, address, size, result.
    Bytes,
    /// Address and size of the digits of a `double`.
    Number,
    /// Stream of C++, and what is written to it.
    Item(Item),
}

/// What is written to `std::cout` and the like, by its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// An integer, and how many bits it has.
    Signed,
    /// An integer.
    Unsigned,
    /// `true` or `false`.
    Bool,
    /// An address.
    Pointer,
    /// `nullptr`.
    Null,
    /// A number with a fraction.
    Double,
    /// A smaller one.
    Float,
    /// A character.
    Character,
    /// One, and nothing is filled up.
    Put,
    /// The address of characters up to a zero.
    Text,
    /// The address of characters, and how many there are.
    Bytes,
    /// The same, and nothing is filled up.
    Write,
    /// The address of an `std::string`.
    String,
    /// A function that changes the form of what follows.
    Change,
    /// How wide the next item is.
    Width,
    /// What it is filled up with.
    Fill,
    /// How many digits numbers with a fraction have.
    Precision,
}

/// Overflow checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Overflow {
    SAdd,
    SSub,
    SMul,
    UAdd,
    USub,
    UMul,
}

/// Operations of `atomicrmw`, without their operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Modify {
    Exchange,
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
    Max,
    Min,
    UMax,
    UMin,
    /// Subtract 1, unless it is 0.
    Decrement,
}

impl Modify {
    /// With its operand.
    pub fn with(self, value: u64) -> UpdateOp {
        match self {
            Modify::Exchange => UpdateOp::Exchange(value),
            Modify::Add => UpdateOp::Add(value),
            Modify::Sub => UpdateOp::Sub(value),
            Modify::And => UpdateOp::And(value),
            Modify::Or => UpdateOp::Or(value),
            Modify::Xor => UpdateOp::Xor(value),
            Modify::Nand => UpdateOp::Nand(value),
            Modify::Max => UpdateOp::Max(value),
            Modify::Min => UpdateOp::Min(value),
            Modify::UMax => UpdateOp::UMax(value),
            Modify::UMin => UpdateOp::UMin(value),
            Modify::Decrement => UpdateOp::Decrement,
        }
    }
}

/// How a thread ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Its first function returns.
    Return,
    /// `pthread_exit`
    Thread,
    /// `exit`
    Program,
    /// `quick_exit`
    Quick,
    /// `_exit`: nothing is run any more.
    AtOnce,
}

/// What must end for a function to be called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum Scope {
    Thread,
    Program,
    /// The program, if it ends by `quick_exit`.
    Quick,
}

/// Where the state of a synchronisation object is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Object {
    /// In a word of the engine: locks, condition variables.
    Word,
    /// In the memory in which it lies: semaphores, barriers.
    Memory,
}

/// What a mutex does when its holder takes it again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MutexKind {
    /// It waits for itself.
    Normal,
    /// It counts.
    Recursive,
    /// It answers with an error, also to those who release what they do not hold.
    ErrorCheck,
}

impl MutexKind {
    /// As pthreads number them.
    pub fn of(number: u64) -> MutexKind {
        match number {
            1 => MutexKind::Recursive,
            2 => MutexKind::ErrorCheck,
            _ => MutexKind::Normal,
        }
    }
}

/// An instruction. `bits` is the width of the operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Inst {
    Move {
        to: Reg,
        from: Operand,
    },
    Arith {
        op: Arith,
        bits: u8,
        to: Reg,
        left: Operand,
        right: Operand,
    },
    Overflow {
        op: Overflow,
        bits: u8,
        to: Reg,
        left: Operand,
        right: Operand,
    },
    Test {
        op: Test,
        bits: u8,
        to: Reg,
        left: Operand,
        right: Operand,
    },
    Float {
        op: FloatOp,
        bits: u8,
        to: Reg,
        left: Operand,
        right: Operand,
    },
    FloatTest {
        op: FloatTest,
        bits: u8,
        to: Reg,
        left: Operand,
        right: Operand,
    },
    Unary {
        op: Unary,
        bits: u8,
        to: Reg,
        from: Operand,
    },
    /// Operands from `first` on, as many as the operation takes.
    Wide {
        op: Wide,
        bits: u16,
        to: Reg,
        first: u16,
    },
    Truncate {
        bits: u8,
        to: Reg,
        from: Operand,
    },
    Extend {
        from_bits: u8,
        to_bits: u8,
        to: Reg,
        from: Operand,
    },
    Select {
        to: Reg,
        condition: Operand,
        yes: Operand,
        no: Operand,
    },
    /// `to = base + sign-extended index * scale`, the scale being a constant of the function.
    Element {
        bits: u8,
        to: Reg,
        base: Operand,
        index: Operand,
        scale: Operand,
    },
    Load {
        to: Reg,
        address: Operand,
        width: Width,
        order: Order,
        bits: u8,
    },
    Store {
        from: Operand,
        address: Operand,
        width: Width,
        order: Order,
    },
    Modify {
        op: Modify,
        to: Reg,
        address: Operand,
        operand: Operand,
        width: Width,
        order: Order,
        /// May what it read play a role? Said by `lower/live.rs`.
        looks: bool,
    },
    /// Two registers: the value read, and whether it was exchanged.
    CompareExchange {
        to: Reg,
        address: Operand,
        expected: Operand,
        desired: Operand,
        width: Width,
        success: Order,
        failure: Order,
        weak: bool,
    },
    Fence {
        order: Order,
    },
    Jump {
        target: u32,
    },
    Branch {
        condition: Operand,
        yes: u32,
        no: u32,
    },
    Switch {
        operand: Operand,
        table: u16,
        default: u32,
    },
    /// Operands `first..first + count` of the function; the result goes to `to` and the registers after it, `results` in
    /// all.
    Call {
        function: u32,
        to: Reg,
        results: u16,
        first: u16,
        count: u16,
    },
    CallPointer {
        pointer: Operand,
        to: Reg,
        results: u16,
        first: u16,
        count: u16,
    },
    /// Operands `first..first + count` of the function.
    Return {
        first: u16,
        count: u16,
    },
    /// The head of a loop.
    Loop {
        head: u16,
    },
    /// A stack object of `size` bytes.
    Alloca {
        to: Reg,
        size: Operand,
        place: u16,
    },
    /// The same for a variable of a block, which begins to live.
    Begin {
        to: Reg,
        size: Operand,
        place: u16,
    },
    /// The same, unless it lives already.
    Continue {
        to: Reg,
        size: Operand,
        place: u16,
    },
    /// The variable of a block that comes from this place ends.
    End {
        size: Operand,
        place: u16,
    },
    /// What the variable that comes from this place holds does not matter any more.
    Clear {
        place: u16,
    },
    /// A heap object.
    Allocate {
        to: Reg,
        size: Operand,
        align: Operand,
        place: u16,
        zeroed: bool,
        /// A null pointer if there can be no such object.
        null: bool,
    },
    Free {
        address: Operand,
    },
    /// `memcpy`, `memmove`
    Copy {
        to: Operand,
        from: Operand,
        size: Operand,
        /// Source and destination may overlap.
        overlaps: bool,
    },
    /// `memset`
    Fill {
        to: Operand,
        byte: Operand,
        size: Operand,
    },
    Spawn {
        to: Reg,
        function: Operand,
        argument: Operand,
    },
    /// Wait for a thread; `to` receives its result where results are wanted.
    Join {
        to: Reg,
        thread: Operand,
    },
    /// The thread ends with this result.
    Exit {
        result: Operand,
        ending: Ending,
    },
    /// No join any more.
    Detach {
        thread: Operand,
    },
    /// Call a function when the thread or the program ends.
    AtEnd {
        function: Operand,
        argument: Option<Operand>,
        scope: Scope,
    },
    /// A key for thread-specific data.
    NewKey {
        to: Reg,
        destructor: Operand,
    },
    SetSpecific {
        key: Operand,
        value: Operand,
    },
    Specific {
        to: Reg,
        key: Operand,
    },
    /// Wait: what was read last, at this address, keeps the thread from going on.
    Stuck {
        /// Where.
        address: Operand,
    },
    /// What was read does not fit: other explorations show what happens.
    Drop,
    /// How many bytes were allocated at this address.
    SizeOf {
        to: Reg,
        address: Operand,
    },
    /// Take a lock; `to` receives 0, or an error of a mutex that checks.
    Lock {
        to: Reg,
        address: Operand,
        mode: LockMode,
        /// A number as [`MutexKind::of`] understands it.
        kind: Operand,
    },
    /// `to` receives 1 if it was taken.
    TryLock {
        to: Reg,
        address: Operand,
        mode: LockMode,
        kind: Operand,
    },
    Unlock {
        to: Reg,
        address: Operand,
        kind: Operand,
    },
    /// A synchronisation object begins to exist, or is destroyed.
    Initialise {
        address: Operand,
        object: Object,
    },
    Destroy {
        address: Operand,
        object: Object,
    },
    /// One that lies in memory is about to be used: is there memory, and was it not destroyed?
    Meet {
        address: Operand,
    },
    /// Is the order in which threads come to this barrier no part of executions?
    Gathers {
        to: Reg,
        address: Operand,
        /// It is a latch, to which each thread comes once.
        once: bool,
    },
    /// A thread comes to a barrier and goes on, or to a latch otherwise than to wait for all: from now on the order counts.
    Enumerate {
        address: Operand,
        once: bool,
    },
    /// Come to a barrier that is such a one, and waits for so many threads.
    Arrive {
        address: Operand,
        count: Operand,
    },
    /// Go on from it; `to` receives 1 in the serial thread, else 0.
    Pass {
        to: Reg,
        address: Operand,
        count: Operand,
    },
    /// Begin to wait for a condition variable, the mutex being held.
    Enlist {
        address: Operand,
        lock: Operand,
    },
    /// Wait until woken.
    Await {
        address: Operand,
        timed: bool,
    },
    /// Stop waiting.
    Withdraw {
        address: Operand,
    },
    /// Wake threads that wait for a condition variable.
    Notify {
        address: Operand,
        all: bool,
    },
    Assume {
        condition: Operand,
    },
    /// Any value from `low` to `high`.
    Choose {
        to: Reg,
        low: Operand,
        high: Operand,
    },
    Observe {
        name: u16,
        value: Operand,
    },
    /// The time, in nanoseconds.
    Clock {
        to: Reg,
    },
    /// A random number: the thread's next one, or that of a position.
    Random {
        to: Reg,
        at: Option<Operand>,
    },
    /// Where the thread goes on drawing random numbers.
    Seed {
        position: Operand,
    },
    /// It is this late now.
    Elapse {
        until: Operand,
    },
    /// The name of this thread.
    Self_ {
        to: Reg,
    },
    /// The address of this thread's copy of a thread-local variable; its place stands for no other object. The register
    /// behind says whether the copy was made just now and holds zeros.
    ThreadLocal {
        to: Reg,
        global: u32,
        place: u16,
    },
    /// `va_start`: the further arguments of this call become a list at this address.
    FurtherArguments {
        list: Operand,
    },
    /// A function of the library: operands `first..first + count`.
    Native {
        function: Native,
        to: Reg,
        first: u16,
        count: u16,
    },
    /// Nothing is known of what this register holds: a variable that has no value yet.
    Forget {
        register: Reg,
        bits: u8,
        /// Its name, one of [`Code::texts`].
        name: u16,
    },
    /// An exception begins to unwind the stack; its type is the address of a `typeinfo`. A null pointer is what
    /// `pthread_exit` unwinds with.
    Raise {
        exception: Operand,
        ty: Operand,
    },
    /// It goes on, from the call that it landed in.
    Resume {
        exception: Operand,
    },
    /// An exception landed here: two registers, the exception and what it is caught as.
    Landed {
        to: Reg,
    },
    /// The type of the handler in which an exception landed, 0 for any; it is caught now if `done` is not 0.
    CaughtAs {
        to: Reg,
        exception: Operand,
        done: Operand,
    },
    /// Of which kind the type is that a `typeinfo` describes, as a number.
    TypeKind {
        to: Reg,
        ty: Operand,
    },
    /// `std::terminate` is called, because of this exception.
    Terminate {
        exception: Operand,
    },
    /// Something is wrong; the message is one of [`Code::texts`].
    Fail {
        kind: ViolationKind,
        message: u16,
    },
    /// What raveler can do under SC only; the message, one of [`Code::texts`], is for other models.
    OnlySc {
        message: u16,
    },
    /// What raveler cannot do; the message is one of [`Code::texts`].
    Refuse {
        message: u16,
    },
    Unreachable,
}
