//! From a program's line to its code.
//!
//! This file is long because it is one grammar: statements, accesses and expressions, with their tests.

use raveler_core::Order;

use super::code::{
    Change, Code, Expression, Instruction, Location, Operator, Place, REGISTERS, Statement, Thread,
};
pub use super::lex::Mistake;
use super::lex::{Token, Word, words};

/// The names that statements begin with, and those in expressions: never registers.
const KEYWORDS: &[&str] = &["if", "else", "assume", "fence", "fadd", "cas", "xchg", "and", "or"];

/// Operators by how tightly they bind, the loosest first.
const LEVELS: &[&[(Word<'static>, Operator)]] = &[
    &[(Word::Name("or"), Operator::Or)],
    &[(Word::Name("and"), Operator::And)],
    &[
        (Word::Symbol("=="), Operator::Equal),
        (Word::Symbol("!="), Operator::Different),
        (Word::Symbol("<"), Operator::Less),
        (Word::Symbol("<="), Operator::AtMost),
        (Word::Symbol(">"), Operator::Greater),
        (Word::Symbol(">="), Operator::AtLeast),
    ],
    &[(Word::Symbol("+"), Operator::Add), (Word::Symbol("-"), Operator::Subtract)],
    &[(Word::Symbol("*"), Operator::Multiply)],
];

/// How deep expressions and blocks may be nested: the reader calls itself for each level.
const DEPTH: usize = 100;

/// Read a program.
pub fn parse(text: &str) -> Result<Code, Mistake> {
    let mut parser =
        Parser { text, tokens: words(text)?, at: 0, depth: 0, code: Code::default(), arrays: Vec::new() };
    parser.initial_values()?;
    loop {
        parser.code.threads.push(Thread::default());
        parser.statements()?;
        match parser.next().word {
            Word::Symbol("||") => {}
            Word::End => break,
            other => {
                parser.at -= 1;
                return Err(parser.mistake(format!("a statement cannot begin with {other}")));
            }
        }
    }
    parser.find_elements()?;
    Ok(parser.code)
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token<'t>>,
    at: usize,
    depth: usize,
    code: Code,
    /// Where each array is first used.
    arrays: Vec<usize>,
}

impl<'t> Parser<'t> {
    fn token(&self) -> Token<'t> {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.token();
        self.at += 1;
        token
    }

    fn mistake(&self, message: impl Into<String>) -> Mistake {
        Mistake::new(self.token().column, message)
    }

    fn take(&mut self, symbol: &'static str) -> bool {
        let is = self.token().word == Word::Symbol(symbol);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, symbol: &'static str) -> Result<(), Mistake> {
        let found = self.token().word;
        if self.take(symbol) {
            Ok(())
        } else {
            Err(self.mistake(format!("`{symbol}` expected, found {found}")))
        }
    }

    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Result<T, Mistake>) -> Result<T, Mistake> {
        if self.depth == DEPTH {
            return Err(self.mistake("nested too deeply"));
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// `{X=2;Y=1}`
    fn initial_values(&mut self) -> Result<(), Mistake> {
        if !self.take("{") {
            return Ok(());
        }
        while !self.take("}") {
            let Word::Name(name) = self.token().word else {
                return Err(self.mistake("the name of a location expected"));
            };
            if !is_shared(name) {
                return Err(self.mistake(format!("`{name}` is a register: locations begin with a capital")));
            }
            if self.code.locations.iter().any(|location| location.name == name) {
                return Err(self.mistake(format!("`{name}` has a value already")));
            }
            self.at += 1;
            self.expect("=")?;
            let negative = self.take("-");
            let Word::Number(number) = self.token().word else {
                return Err(self.mistake("a number expected"));
            };
            self.at += 1;
            let initial = if negative { -number } else { number };
            self.code.locations.push(Location { name: name.into(), initial });
            if self.token().word != Word::Symbol("}") {
                self.expect(";")?;
            }
        }
        Ok(())
    }

    fn thread(&mut self) -> &mut Thread {
        self.code.threads.last_mut().expect("statements are read into a thread")
    }

    /// Add an instruction for the statement whose first word is the token with this number.
    fn emit(&mut self, first: usize, instruction: Instruction) -> usize {
        let (start, end) = (self.tokens[first].start, self.tokens[self.at.max(first + 1) - 1].end);
        let statement =
            Statement { column: self.tokens[first].column, text: self.text[start..end].to_owned() };
        let thread = self.thread();
        thread.code.push(instruction);
        thread.statements.push(statement);
        thread.code.len() - 1
    }

    /// Statements up to what cannot begin one: `||`, `}` or the end, and mistakes.
    fn statements(&mut self) -> Result<(), Mistake> {
        loop {
            match self.token().word {
                Word::Name("if") => {
                    self.deeper(Self::condition)?;
                    self.take(";");
                    continue;
                }
                Word::Name("else") => return Err(self.mistake("`else` without an `if`")),
                Word::Name("assume") => self.assume()?,
                Word::Name("fence") => self.fence()?,
                Word::Name("fadd" | "cas" | "xchg") => self.update(self.at, None)?,
                Word::Name(name) if is_shared(name) => self.write()?,
                Word::Name(_) => self.assign()?,
                _ => return Ok(()),
            }
            if !self.take(";") {
                match self.token().word {
                    Word::Symbol("||" | "}") | Word::End => return Ok(()),
                    other => return Err(self.mistake(format!("`;` expected, found {other}"))),
                }
            }
        }
    }

    fn condition(&mut self) -> Result<(), Mistake> {
        let first = self.at;
        self.at += 1;
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        let branch = self.emit(first, Instruction::Unless(condition.clone(), 0));
        self.block()?;
        let mut otherwise = self.thread().code.len();
        if self.token().word == Word::Name("else") {
            let first = self.at;
            self.at += 1;
            let jump = self.emit(first, Instruction::Jump(0));
            otherwise += 1;
            self.block()?;
            let end = self.thread().code.len();
            self.thread().code[jump] = Instruction::Jump(end);
        }
        self.thread().code[branch] = Instruction::Unless(condition, otherwise);
        Ok(())
    }

    fn block(&mut self) -> Result<(), Mistake> {
        self.expect("{")?;
        self.statements()?;
        self.expect("}")
    }

    fn assume(&mut self) -> Result<(), Mistake> {
        let first = self.at;
        self.at += 1;
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        self.emit(first, Instruction::Assume(condition));
        Ok(())
    }

    fn fence(&mut self) -> Result<(), Mistake> {
        let first = self.at;
        self.at += 1;
        let allowed = &[Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];
        let order = self.order(allowed, "a fence")?;
        if order == Order::Relaxed {
            return Err(self.mistake("a fence needs an order: `.acq`, `.rel` or `.sc`"));
        }
        self.emit(first, Instruction::Fence(order));
        Ok(())
    }

    /// `X = e`
    fn write(&mut self) -> Result<(), Mistake> {
        let first = self.at;
        let place = self.place()?;
        let order = self.order(&[Order::Release, Order::SeqCst], "a write")?;
        self.expect("=")?;
        let value = self.expression()?;
        self.emit(first, Instruction::Write(place, value, order));
        Ok(())
    }

    /// `r = X`, `r = fadd(X, 1)`, `r = e`
    fn assign(&mut self) -> Result<(), Mistake> {
        let first = self.at;
        let register = self.register()?;
        self.expect("=")?;
        match self.token().word {
            Word::Name("fadd" | "cas" | "xchg") => self.update(first, Some(register)),
            Word::Name(name) if is_shared(name) => {
                let place = self.place()?;
                let order = self.order(&[Order::Acquire, Order::SeqCst], "a read")?;
                self.emit(first, Instruction::Read(register, place, order));
                Ok(())
            }
            _ => {
                let value = self.expression()?;
                self.emit(first, Instruction::Set(register, value));
                Ok(())
            }
        }
    }

    fn update(&mut self, first: usize, into: Option<usize>) -> Result<(), Mistake> {
        let kind = self.next().word;
        self.expect("(")?;
        let place = self.place()?;
        self.expect(",")?;
        let operand = self.expression()?;
        let desired = match kind {
            Word::Name("cas") => {
                self.expect(",")?;
                Some(self.expression()?)
            }
            _ => None,
        };
        self.expect(")")?;
        let allowed = &[Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];
        let order = self.order(allowed, "an update")?;
        let change = match (kind, desired) {
            (_, Some(desired)) => {
                let has_two = self.token().word == Word::Symbol(".");
                let allowed = &[Order::Relaxed, Order::Acquire, Order::SeqCst];
                let failure = if has_two { self.order(allowed, "a cas that fails")? } else { failure(order) };
                Change::CompareExchange(operand, desired, failure)
            }
            (Word::Name("xchg"), None) => Change::Exchange(operand),
            _ => Change::Add(operand),
        };
        self.emit(first, Instruction::Update(into, place, change, order));
        Ok(())
    }

    /// `.acq`, or nothing for relaxed.
    fn order(&mut self, allowed: &[Order], what: &str) -> Result<Order, Mistake> {
        if !self.take(".") {
            return Ok(Order::Relaxed);
        }
        let word = self.token().word;
        let order = match word {
            Word::Name("rlx") => Order::Relaxed,
            Word::Name("acq") => Order::Acquire,
            Word::Name("rel") => Order::Release,
            Word::Name("acqrel") => Order::AcqRel,
            Word::Name("sc") => Order::SeqCst,
            other => return Err(self.mistake(format!("{other} is no order"))),
        };
        if !allowed.contains(&order) {
            return Err(self.mistake(format!("{what} cannot be {word}")));
        }
        self.at += 1;
        Ok(order)
    }

    fn place(&mut self) -> Result<Place, Mistake> {
        let token = self.next();
        let Word::Name(name) = token.word else {
            self.at -= 1;
            return Err(self.mistake(format!("a location expected, found {}", token.word)));
        };
        if !is_shared(name) {
            self.at -= 1;
            return Err(self.mistake(format!("`{name}` is a register: locations begin with a capital")));
        }
        if self.take("[") {
            let index = self.expression()?;
            self.expect("]")?;
            let known = self.code.arrays.iter().position(|(array, _)| array == name);
            return Ok(Place::Element(known.unwrap_or_else(|| self.new_array(name, token.column)), index));
        }
        Ok(Place::Location(self.location(name)))
    }

    fn new_array(&mut self, name: &str, column: usize) -> usize {
        self.code.arrays.push((name.to_owned(), Vec::new()));
        self.arrays.push(column);
        self.code.arrays.len() - 1
    }

    fn location(&mut self, name: &str) -> usize {
        let locations = &mut self.code.locations;
        locations.iter().position(|location| location.name == name).unwrap_or_else(|| {
            locations.push(Location { name: name.to_owned(), initial: 0 });
            locations.len() - 1
        })
    }

    /// A register of this thread; a new one if the name is new.
    fn register(&mut self) -> Result<usize, Mistake> {
        let found = match self.token().word {
            Word::Name(name) if KEYWORDS.contains(&name) => None,
            Word::Name(name) if is_shared(name) => {
                return Err(
                    self.mistake(format!("`{name}` is a location: read it into a register of its own"))
                );
            }
            Word::Name(name) => Some(name),
            _ => None,
        };
        let Some(name) = found else {
            return Err(self.mistake(format!("an expression cannot have {} here", self.token().word)));
        };
        let registers = &mut self.thread().registers;
        let register = registers.iter().position(|register| register == name).unwrap_or(registers.len());
        if register == REGISTERS {
            return Err(self.mistake(format!("a thread has at most {REGISTERS} registers")));
        }
        if register == registers.len() {
            registers.push(name.to_owned());
        }
        self.at += 1;
        Ok(register)
    }

    fn expression(&mut self) -> Result<Expression, Mistake> {
        self.deeper(|parser| parser.level(0))
    }

    fn level(&mut self, level: usize) -> Result<Expression, Mistake> {
        let Some(operators) = LEVELS.get(level) else { return self.factor() };
        let mut left = self.level(level + 1)?;
        while let Some(&(_, operator)) = operators.iter().find(|(word, _)| *word == self.token().word) {
            self.at += 1;
            let right = self.level(level + 1)?;
            left = Expression::Both(operator, Box::new((left, right)));
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<Expression, Mistake> {
        if self.take("!") {
            return Ok(Expression::Not(Box::new(self.deeper(Self::factor)?)));
        }
        if self.take("-") {
            return Ok(Expression::Minus(Box::new(self.deeper(Self::factor)?)));
        }
        if self.take("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if let Word::Number(number) = self.token().word {
            self.at += 1;
            return Ok(Expression::Number(number));
        }
        Ok(Expression::Register(self.register()?))
    }

    /// The elements of `A` are `A0`, `A1` and so on, as far as they are named without a gap.
    fn find_elements(&mut self) -> Result<(), Mistake> {
        let locations = &self.code.locations;
        for ((name, elements), &column) in self.code.arrays.iter_mut().zip(&self.arrays) {
            let element = |index| {
                let name = format!("{name}{index}");
                locations.iter().position(|location| location.name == name)
            };
            *elements = (0..).map_while(element).collect();
            if elements.is_empty() {
                let message =
                    format!("the array `{name}` has no elements: `{{{name}0=0;{name}1=0}}` gives it two");
                return Err(Mistake::new(column, message));
            }
        }
        Ok(())
    }
}

fn is_shared(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}

/// The order of a compare-exchange that fails, if it has none of its own: what is left of its order for a read.
fn failure(order: Order) -> Order {
    match order {
        Order::Release => Order::Relaxed,
        Order::AcqRel => Order::Acquire,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> i64 {
        let code = parse(&format!("r = {text}")).expect("an expression");
        match &code.threads[0].code[..] {
            [Instruction::Set(0, value)] => value.value(&[2; REGISTERS]),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn expressions_bind_as_usual() {
        assert_eq!(value("1 + 2 * 3 - 1"), 6);
        assert_eq!(value("!0 or 0 and 0"), 1);
        assert_eq!(value("!r == 0"), 1);
        assert_eq!(value("(1 + 2) * -3 < 0"), 1);
        assert_eq!(value("r == 2 and r != 3 and r <= 2 and r >= 2 and !(r > 2)"), 1);
    }

    #[test]
    fn statements_become_instructions() {
        let code = parse("{X=2} a = X.acq; if (a) { Y.rel = a } else { fence.sc } cas(X, 0, 1) || b = 0;")
            .expect("all of it is right");
        let (x, y) = (Place::Location(0), Place::Location(1));
        let number = Expression::Number;
        let register = Expression::Register(0);
        assert_eq!(
            code.threads[0].code,
            [
                Instruction::Read(0, x.clone(), Order::Acquire),
                Instruction::Unless(register.clone(), 4),
                Instruction::Write(y, register, Order::Release),
                Instruction::Jump(5),
                Instruction::Fence(Order::SeqCst),
                Instruction::Update(
                    None,
                    x,
                    Change::CompareExchange(number(0), number(1), Order::Relaxed),
                    Order::Relaxed
                ),
            ]
        );
        assert_eq!(code.threads[1].code, [Instruction::Set(0, number(0))]);
        let texts: Vec<&str> = code.threads[0].statements.iter().map(|s| s.text.as_str()).collect();
        assert_eq!(texts, ["a = X.acq", "if (a)", "Y.rel = a", "else", "fence.sc", "cas(X, 0, 1)"]);
        assert_eq!(code.locations[0], Location { name: "X".into(), initial: 2 });
    }

    #[test]
    fn elements_of_an_array_are_locations() {
        let code = parse("{A0=1;A1=2} A[r] = 0; b = A[0] || A1 = 3").expect("an array of two");
        assert_eq!(code.arrays, [("A".to_owned(), vec![0, 1])]);
        assert_eq!(
            code.threads[0].code[1],
            Instruction::Read(1, Place::Element(0, Expression::Number(0)), Order::Relaxed)
        );
    }

    #[test]
    fn mistakes_say_where_they_are() {
        let wrong = |text: &str| {
            let mistake = parse(text).expect_err(text);
            (mistake.column, mistake.message)
        };
        for (text, column, message) in [
            ("a = X Y = 1", 7, "`;` expected, found `Y`"),
            ("a = X.rel", 7, "a read cannot be `rel`"),
            ("X.acq = 1", 3, "a write cannot be `acq`"),
            ("X.foo = 1", 3, "`foo` is no order"),
            ("cas(X, 0, 1).acq.rel", 18, "a cas that fails cannot be `rel`"),
            ("xchg(X, 1).acq.rlx", 15, "`;` expected, found `.`"),
            ("X = Y", 5, "`Y` is a location: read it into a register of its own"),
            ("cas(r, 0, 1)", 5, "`r` is a register: locations begin with a capital"),
            ("if (a) { X = 1 || b = X", 16, "`}` expected, found `||`"),
            ("a = 1 +", 8, "an expression cannot have the end here"),
            ("else { }", 1, "`else` without an `if`"),
            ("a = B[0]", 5, "the array `B` has no elements: `{B0=0;B1=0}` gives it two"),
            ("{X=1;X=2} a = X", 6, "`X` has a value already"),
            ("a = X } b = X", 7, "a statement cannot begin with `}`"),
            ("fence", 6, "a fence needs an order: `.acq`, `.rel` or `.sc`"),
            ("a=1;b=1;c=1;d=1;e=1;f=1;g=1;h=1;i=1", 33, "a thread has at most 8 registers"),
        ] {
            assert_eq!(wrong(text), (column, message.to_owned()), "{text}");
        }
        let deep = format!("a = {}1", "(".repeat(DEPTH + 1));
        assert_eq!(wrong(&deep).1, "nested too deeply");
    }
}
