//! What the text of a program is turned into: for each thread a list of instructions with jumps.

use raveler_core::Order;

/// How many registers a thread can have. Fixed, so that a thread's state is copied without an allocation.
pub const REGISTERS: usize = 8;

/// The values of a thread's registers.
pub type Registers = [i64; REGISTERS];

/// An operator with two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Operator {
    Or,
    And,
    Equal,
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Add,
    Subtract,
    Multiply,
}

impl Operator {
    fn apply(self, left: i64, right: i64) -> i64 {
        match self {
            Operator::Or => i64::from(left != 0 || right != 0),
            Operator::And => i64::from(left != 0 && right != 0),
            Operator::Equal => i64::from(left == right),
            Operator::Different => i64::from(left != right),
            Operator::Less => i64::from(left < right),
            Operator::AtMost => i64::from(left <= right),
            Operator::Greater => i64::from(left > right),
            Operator::AtLeast => i64::from(left >= right),
            Operator::Add => left.wrapping_add(right),
            Operator::Subtract => left.wrapping_sub(right),
            Operator::Multiply => left.wrapping_mul(right),
        }
    }
}

/// An expression over registers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// A number.
    Number(i64),
    /// A register of the thread.
    Register(usize),
    /// 1 if it is 0, else 0.
    Not(Box<Expression>),
    /// The negative of it.
    Minus(Box<Expression>),
    /// Two of them.
    Both(Operator, Box<(Expression, Expression)>),
}

impl Expression {
    /// Its value.
    pub fn value(&self, registers: &Registers) -> i64 {
        match self {
            Expression::Number(number) => *number,
            Expression::Register(register) => registers[*register],
            Expression::Not(inner) => i64::from(inner.value(registers) == 0),
            Expression::Minus(inner) => inner.value(registers).wrapping_neg(),
            Expression::Both(operator, sides) => {
                operator.apply(sides.0.value(registers), sides.1.value(registers))
            }
        }
    }
}

/// Shared memory that a statement names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// A location, by its number in [`Code::locations`].
    Location(usize),
    /// An element of an array, by its number in [`Code::arrays`].
    Element(usize, Expression),
}

/// What a read-modify-write does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Adds.
    Add(Expression),
    /// Writes.
    Exchange(Expression),
    /// Writes the second if the first is there; else it is a read of this order.
    CompareExchange(Expression, Expression, Order),
}

/// One step of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Instruction {
    /// Read a place into a register.
    Read(usize, Place, Order),
    /// Write a place.
    Write(Place, Expression, Order),
    /// Read and write a place; the register gets what was read.
    Update(Option<usize>, Place, Change, Order),
    /// A fence.
    Fence(Order),
    /// Set a register.
    Set(usize, Expression),
    /// Stop for good if it is 0.
    Assume(Expression),
    /// Go on elsewhere if it is 0.
    Unless(Expression, usize),
    /// Go on elsewhere.
    Jump(usize),
}

/// Where a statement stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// In characters from 1.
    pub column: usize,
    /// Its text.
    pub text: String,
}

/// One thread.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thread {
    /// Its steps.
    pub code: Vec<Instruction>,
    /// For each step the statement that it belongs to.
    pub statements: Vec<Statement>,
    /// The names of its registers.
    pub registers: Vec<String>,
}

/// A location and what it holds at first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// Its name.
    pub name: String,
    /// Its initial value.
    pub initial: i64,
}

/// A whole program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Code {
    /// Shared memory.
    pub locations: Vec<Location>,
    /// Arrays: their names and the locations that are their elements, from 0 on.
    pub arrays: Vec<(String, Vec<usize>)>,
    /// The threads.
    pub threads: Vec<Thread>,
}
