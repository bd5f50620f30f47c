//! LLVM IR as clang writes it, as far as a checker needs it.
//!
//! [`read`] takes the text of a `.ll` file, from clang 14 to 22, and gives a [`Module`]. Pointers have no pointee type
//! here: loads, stores and address computations say what they mean themselves, so the typed pointers of clang 14 and the
//! opaque ones of later versions read alike. Attributes are skipped; an unknown instruction, type or value is an error
//! with its line.
//!
//! This file is long because the parts of a module refer to each other.

mod calls;
mod constants;
mod cursor;
mod debug;
mod floats;
mod function;
mod instructions;
mod lex;
mod link;
mod reader;
mod types;
mod words;

pub use self::link::{Conflict, LinkError, SameLines, link};
pub use self::reader::read;

use std::collections::HashMap;

use raveler_core::Shape;

/// What is wrong with a text that should be LLVM IR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The line of the `.ll` text, from 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// What was found and what was expected.
    pub message: String,
}

/// One `.ll` file.
#[derive(Clone, Default, Debug)]
pub struct Module {
    /// `source_filename`.
    pub source: String,
    /// `target datalayout`: sizes and alignments that differ between targets and versions (`i128`).
    pub layout: String,
    /// Named struct types; [`Type::Named`] is an index. An opaque one has [`Type::Opaque`].
    pub types: Vec<(String, Type)>,
    /// Global variables, declared and defined.
    pub globals: Vec<Global>,
    /// Another name for a global or a function.
    pub aliases: Vec<(String, Constant)>,
    /// Functions, declared and defined.
    pub functions: Vec<Function>,
    /// Where things stand in the source.
    pub debug: Debug,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`
    Void,
    /// `iN`
    Int(u32),
    /// `half`, `float`, `double`, `x86_fp80`, `fp128`: the number of bits.
    Float(u32),
    /// Any pointer.
    Pointer,
    /// `[N x T]`
    Array(u64, Box<Type>),
    /// `<N x T>`
    Vector(u64, Box<Type>),
    /// `{ ... }`, or `<{ ... }>` if packed.
    Struct {
        /// The members in order.
        fields: Vec<Type>,
        /// Without padding.
        packed: bool,
    },
    /// An index into [`Module::types`].
    Named(u32),
    /// The type of a function.
    Function(Box<FunctionType>),
    /// A struct whose members are not given.
    Opaque,
    /// `label`, `token`, `metadata`: never in memory.
    Other,
}

/// Result and parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// What it returns.
    pub result: Type,
    /// What it takes.
    pub parameters: Vec<Type>,
    /// `...` at the end.
    pub variadic: bool,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Without the `@` and without quotes.
    pub name: String,
    /// The type of the variable itself.
    pub ty: Type,
    /// None for one that is only declared.
    pub initial: Option<Constant>,
    /// `constant`, not `global`.
    pub constant: bool,
    /// One per thread.
    pub thread_local: bool,
    /// `private` or `internal`: its name means nothing to other files.
    pub local: bool,
    /// `weak`, `linkonce`, `common`, ...: another definition may take its place.
    pub weak: bool,
    /// 0 if not given.
    pub align: u64,
    /// What the source calls it and where, if debug information says so.
    pub variable: Option<Variable>,
    /// The line of the `.ll` text.
    pub line: u32,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Without the `@` and without quotes.
    pub name: String,
    /// What it returns.
    pub result: Type,
    /// Its parameters are the first locals.
    pub parameters: Vec<Parameter>,
    /// `...` at the end.
    pub variadic: bool,
    /// `private` or `internal`.
    pub local: bool,
    /// `weak`, `linkonce`, ...
    pub weak: bool,
    /// Empty for a declaration. The first one is the entry.
    pub blocks: Vec<Block>,
    /// The names of locals, by number, without the `%`.
    pub locals: Vec<String>,
    /// Their types.
    pub local_types: Vec<Type>,
    /// Local variables that live in memory: the alloca's local and what the source calls it.
    pub variables: Vec<(Local, Variable)>,
    /// The name in the source and where it begins.
    pub subprogram: Option<Variable>,
    /// The line of the `.ll` text.
    pub line: u32,
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its type.
    pub ty: Type,
    /// `byval(T)`: the callee gets a copy of what the pointer points to.
    pub by_value: Option<Type>,
    /// `sret(T)`
    pub result_pointer: bool,
}

/// A local value: an index into [`Function::locals`].
pub type Local = u32;

/// A basic block: an index into [`Function::blocks`].
pub type BlockId = u32;

/// A basic block.
#[derive(Clone, Default, Debug)]
pub struct Block {
    /// Its label.
    pub name: String,
    /// The last one, and no other, ends the block.
    pub instructions: Vec<Instruction>,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// What it defines.
    pub result: Option<Local>,
    /// What it does.
    pub op: Op,
    /// Where it stands in the source: an index into [`Debug::locations`].
    pub location: Option<u32>,
    /// The line of the `.ll` text.
    pub line: u32,
}

/// An operand with its type.
#[derive(Clone, PartialEq, Debug)]
pub struct Operand {
    /// Its type.
    pub ty: Type,
    /// Its value.
    pub value: Value,
}

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Computed by an instruction, or a parameter.
    Local(Local),
    /// Known.
    Constant(Constant),
    /// Metadata as an argument: of no interest.
    Metadata,
}

/// A constant; its type stands beside it.
#[derive(Clone, PartialEq, Debug)]
pub enum Constant {
    /// The bits of an integer, zero-extended from its width (`true` is 1).
    Int(u128),
    /// The bits of an integer of more than 128 bits, the lowest word first.
    Wide(Vec<u64>),
    /// The bits of a floating-point number in its own format.
    Float(u128),
    /// `null`
    Null,
    /// `undef` or `poison`
    Undef,
    /// `zeroinitializer`, `none`
    Zero,
    /// The elements of an array, struct or vector.
    Aggregate(Vec<(Type, Constant)>),
    /// `splat (T v)`
    Splat(Box<(Type, Constant)>),
    /// `c"..."`
    Bytes(Vec<u8>),
    /// The address of a global or function, by name.
    Global(String),
    /// `getelementptr (T, base, indices)`
    Element {
        /// What the base points to.
        ty: Type,
        /// Where to start.
        base: Box<(Type, Constant)>,
        /// The indices.
        indices: Vec<(Type, Constant)>,
    },
    /// A conversion: operand with its type, and the resulting type.
    Cast(Cast, Box<(Type, Constant)>, Type),
    /// Arithmetic on constants of one type.
    Binary(Binary, Type, Box<Constant>, Box<Constant>),
    /// A comparison of constants of one type.
    Compare(Compare, Type, Box<Constant>, Box<Constant>),
    /// `blockaddress(@f, %b)`
    BlockAddress(String, String),
}

/// What an instruction does.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Op {
    /// Memory in the frame: the type of an element, how many.
    Alloca {
        ty: Type,
        count: Operand,
        align: u64,
    },
    Load {
        ty: Type,
        address: Operand,
        order: Option<Order>,
        volatile: bool,
        align: u64,
        single_thread: bool,
    },
    Store {
        value: Operand,
        address: Operand,
        order: Option<Order>,
        volatile: bool,
        align: u64,
        single_thread: bool,
    },
    AtomicRmw {
        op: Rmw,
        address: Operand,
        value: Operand,
        order: Order,
        volatile: bool,
        single_thread: bool,
    },
    /// Gives `{ T, i1 }`.
    CompareExchange {
        address: Operand,
        expected: Operand,
        desired: Operand,
        success: Order,
        failure: Order,
        weak: bool,
        volatile: bool,
        single_thread: bool,
    },
    Fence {
        order: Order,
        single_thread: bool,
    },
    /// Compute an address.
    Element {
        ty: Type,
        base: Operand,
        indices: Vec<Operand>,
    },
    Binary {
        op: Binary,
        ty: Type,
        left: Value,
        right: Value,
    },
    FloatNegate {
        operand: Operand,
    },
    Compare {
        op: Compare,
        ty: Type,
        left: Value,
        right: Value,
    },
    Cast {
        op: Cast,
        operand: Operand,
        to: Type,
    },
    Select {
        condition: Operand,
        yes: Operand,
        no: Operand,
    },
    Phi {
        ty: Type,
        incoming: Vec<(Value, BlockId)>,
    },
    ExtractValue {
        aggregate: Operand,
        path: Vec<u32>,
    },
    InsertValue {
        aggregate: Operand,
        element: Operand,
        path: Vec<u32>,
    },
    ExtractElement {
        vector: Operand,
        index: Operand,
    },
    InsertElement {
        vector: Operand,
        element: Operand,
        index: Operand,
    },
    ShuffleVector {
        left: Operand,
        right: Operand,
        mask: Operand,
    },
    Freeze {
        operand: Operand,
    },
    VaArg {
        list: Operand,
        ty: Type,
    },
    /// A call, also one that unwinds somewhere (`invoke`): then it ends the block.
    Call {
        callee: Callee,
        result: Type,
        /// How many parameters the callee names, if further ones may follow.
        fixed: Option<usize>,
        arguments: Vec<Argument>,
        invoke: Option<(BlockId, BlockId)>,
    },
    /// A variable begins to live, or ends: what calls of `llvm.lifetime.start` and `llvm.lifetime.end` become.
    Life {
        variable: Local,
        life: Life,
    },
    /// Where an exception lands: gives the exception and a number that says as what.
    LandingPad {
        /// It lands here even if nothing catches it.
        cleanup: bool,
        clauses: Vec<Clause>,
    },
    Jump {
        target: BlockId,
    },
    Branch {
        condition: Operand,
        yes: BlockId,
        no: BlockId,
    },
    Switch {
        operand: Operand,
        default: BlockId,
        cases: Vec<(Constant, BlockId)>,
    },
    IndirectBranch {
        address: Operand,
        targets: Vec<BlockId>,
    },
    Return {
        value: Option<Operand>,
    },
    /// The exception goes on.
    Resume {
        value: Operand,
    },
    Unreachable,
}

/// What happens to the life of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// It begins; if it lives, that life ends.
    Begins,
    /// It begins, unless it lives.
    Continues,
    /// It ends, if it lives.
    Ends,
    /// What it holds does not matter any more, until it is set again.
    Forgets,
}

/// What a landing pad is for: types are constants that name their `typeinfo`.
#[derive(Clone, PartialEq, Debug)]
pub enum Clause {
    /// Exceptions of this type; `null` for all.
    Catch(Constant),
    /// Exceptions of none of these types.
    Filter(Vec<Constant>),
}

/// An argument of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct Argument {
    /// The value.
    pub operand: Operand,
    /// `byval(T)`
    pub by_value: Option<Type>,
}

/// What is called.
#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    /// A function by name.
    Function(String),
    /// A pointer.
    Pointer(Value),
    /// Inline assembly: the template and the constraints.
    Assembly(String, String),
}

/// An atomic order as LLVM names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Order {
    Unordered,
    Monotonic,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// The operation of an `atomicrmw`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Rmw {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    FAdd,
    FSub,
    FMax,
    FMin,
}

/// Arithmetic. `exact`, `nsw`, `nuw` and fast-math flags are dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Binary {
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
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

/// Comparisons: of integers and pointers, then of floating-point numbers (`O` ordered, `U` or unordered).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Compare {
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
    FFalse,
    FOeq,
    FOgt,
    FOge,
    FOlt,
    FOle,
    FOne,
    FOrd,
    FUno,
    FUeq,
    FUgt,
    FUge,
    FUlt,
    FUle,
    FUne,
    FTrue,
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Cast {
    Trunc,
    ZExt,
    SExt,
    FpTrunc,
    FpExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    PtrToInt,
    IntToPtr,
    Bitcast,
    AddrSpaceCast,
}

/// What debug information says.
#[derive(Clone, Default, Debug)]
pub struct Debug {
    /// Places of instructions.
    pub locations: Vec<Location>,
    /// Blocks of the source, and functions: the block around each, none around a function.
    pub scopes: Vec<Option<u32>>,
    /// File names as clang wrote them; with their directory only where two would be the same. Empty if clang does not
    /// say.
    pub files: Vec<String>,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// An index into [`Debug::files`].
    pub file: u32,
    /// From 1; 0 if clang does not know.
    pub line: u32,
    /// From 1; 0 if clang does not know.
    pub column: u32,
    /// The function in the source that this piece was written in (after inlining still that one).
    pub function: String,
    /// Where that function was inlined, if it was: an index into [`Debug::locations`].
    pub inlined_at: Option<u32>,
    /// The innermost block: an index into [`Debug::scopes`]. None if the optimiser may have moved instructions.
    pub scope: Option<u32>,
}

/// What the source calls something, and where.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variable {
    /// Its name in the source.
    pub name: String,
    /// An index into [`Debug::files`].
    pub file: Option<u32>,
    /// Its line.
    pub line: u32,
    /// The block of a local variable: an index into [`Debug::scopes`].
    pub scope: Option<u32>,
    /// How its parts are called.
    pub shape: Shape,
    /// If it is a pointer: how the parts of what it points to are called, and its size.
    pub points_to: Option<(Shape, u64)>,
}

impl Module {
    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|f| f.name == name)
    }

    /// Globals by name.
    pub fn globals_by_name(&self) -> HashMap<&str, &Global> {
        self.globals.iter().map(|g| (g.name.as_str(), g)).collect()
    }
}
