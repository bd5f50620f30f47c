//! A litmus test as it is written, before names mean anything.

use crate::lex::Span;
use crate::types::{Scalar, Type};

/// A word of the text and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Name<'t> {
    pub text: &'t str,
    pub span: Span,
}

#[derive(Debug, Default)]
pub(crate) struct File<'t> {
    pub initial: Vec<Initial<'t>>,
    pub threads: Vec<Thread<'t>>,
    pub shown: Vec<Place<'t>>,
    pub filter: Option<Proposition<'t>>,
    pub condition: Option<(Quantifier, Proposition<'t>)>,
}

/// What the final condition says of its proposition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// Some final state satisfies it.
    Exists,
    /// No final state satisfies it.
    NotExists,
    /// Every final state satisfies it.
    Forall,
}

/// One entry of the initial state.
#[derive(Debug)]
pub(crate) struct Initial<'t> {
    pub thread: Option<(u64, Span)>,
    pub name: Name<'t>,
    pub ty: Option<Type>,
    /// The number of elements and where it stands, for arrays.
    pub array: Option<(u64, Span)>,
    pub values: Vec<InitialValue<'t>>,
}

#[derive(Debug)]
pub(crate) enum InitialValue<'t> {
    Number(i128, Span),
    /// The address of a location, or of an element.
    Address(Name<'t>, Option<(u64, Span)>),
}

#[derive(Debug)]
pub(crate) struct Thread<'t> {
    pub number: u64,
    pub span: Span,
    pub parameters: Vec<Parameter<'t>>,
    pub body: Vec<Statement<'t>>,
}

#[derive(Debug)]
pub(crate) struct Parameter<'t> {
    pub name: Name<'t>,
    pub ty: Type,
}

/// A statement; its span is what a report shows of it (for `if` and loops the part in parentheses).
#[derive(Debug)]
pub(crate) struct Statement<'t> {
    pub kind: StatementKind<'t>,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) enum StatementKind<'t> {
    Empty,
    Block(Vec<Statement<'t>>),
    Declare(Vec<Declarator<'t>>),
    Expression(Expression<'t>),
    If { condition: Expression<'t>, then: Box<Statement<'t>>, otherwise: Option<Box<Statement<'t>>> },
    While { condition: Expression<'t>, body: Box<Statement<'t>> },
    Do { body: Box<Statement<'t>>, condition: Expression<'t> },
    For(Box<For<'t>>),
    Break,
    Continue,
    Return,
}

#[derive(Debug)]
pub(crate) struct For<'t> {
    pub first: Statement<'t>,
    pub condition: Option<Expression<'t>>,
    pub next: Vec<Expression<'t>>,
    pub body: Statement<'t>,
}

#[derive(Debug)]
pub(crate) struct Declarator<'t> {
    pub name: Name<'t>,
    pub ty: Type,
    pub value: Option<Expression<'t>>,
}

#[derive(Debug)]
pub(crate) struct Expression<'t> {
    pub kind: ExpressionKind<'t>,
    pub span: Span,
    /// How many expressions lie inside each other, this one included.
    pub height: u16,
    /// Can evaluating it change a register?
    pub writes: bool,
}

type Boxed<'t> = Box<Expression<'t>>;

#[derive(Debug)]
pub(crate) enum ExpressionKind<'t> {
    Number(i64, Scalar),
    Name(&'t str),
    Not(Boxed<'t>),
    Invert(Boxed<'t>),
    Negate(Boxed<'t>),
    Dereference(Boxed<'t>),
    AddressOf(Boxed<'t>),
    Cast(Type, Boxed<'t>),
    Index(Boxed<'t>, Boxed<'t>),
    Binary(Binary, Boxed<'t>, Boxed<'t>),
    Conditional(Boxed<'t>, Boxed<'t>, Boxed<'t>),
    /// `target = value`, or with an operator `target op= value`.
    Assign(Option<Binary>, Boxed<'t>, Boxed<'t>),
    /// `++` and `--`: by how much, and whether the value is the one before.
    Step {
        target: Boxed<'t>,
        by: i64,
        old: bool,
    },
    Call {
        name: Name<'t>,
        arguments: Vec<Expression<'t>>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Mul,
    Div,
    Mod,
    Add,
    Sub,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Xor,
    Or,
    Both,
    Either,
}

/// What a condition can look at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'t> {
    Register { thread: (u64, Span), name: Name<'t> },
    Location { name: Name<'t>, index: Option<(u64, Span)> },
}

#[derive(Debug)]
pub(crate) enum Proposition<'t> {
    Constant(bool),
    Not(Box<Proposition<'t>>),
    All(Vec<Proposition<'t>>),
    Any(Vec<Proposition<'t>>),
    Implies(Box<Proposition<'t>>, Box<Proposition<'t>>),
    Compare { left: Place<'t>, equal: bool, right: Comparand<'t> },
}

#[derive(Debug)]
pub(crate) enum Comparand<'t> {
    Number(i128, Span),
    Address(Name<'t>, Option<(u64, Span)>),
    Place(Place<'t>),
    /// A bare name: an address where the left side is a pointer, else the location's value.
    Bare(Name<'t>),
}
