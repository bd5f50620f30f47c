//! Programs in short: threads separated by `||`, statements by `;`. Names in capitals are locations (0 at the start, or as
//! `{X=2}` in front says), others registers. `r = X` loads, `X = e` stores, relaxed unless the location has `.acq`, `.rel`
//! or `.sc`; `r = fadd(X, e)`, `xchg(X, e)`, `cas(X, old, new)`; `fence.sc`; `if (c) { .. } else { .. }`; `assume(c)`;
//! `spawn 1`, `join 1`, `lock 0`, `unlock 0`. Conditions compare registers with numbers, with `!`, `and`, `or`.

use raveler_judge::program::{Cond, Expr, Order, Stmt, TestProgram, UpdateKind};

/// The program of a short text; none if test programs cannot say it.
pub fn program(text: &str) -> Option<TestProgram> {
    let mut locations = Vec::new();
    let mut init = Vec::new();
    let mut text = text.trim();
    if let Some((front, rest)) = text.strip_prefix('{').and_then(|text| text.split_once('}')) {
        for part in front.split(';') {
            let (name, value) = part.split_once('=')?;
            locations.push(name.trim().to_string());
            init.push(value.trim().parse().ok()?);
        }
        text = rest;
    }
    let mut threads = Vec::new();
    let mut locks = 0;
    for body in text.split("||") {
        let tokens = tokens(body);
        let mut parser = Parser {
            tokens,
            at: 0,
            locations: &mut locations,
            registers: Vec::new(),
            locks: &mut locks,
            spare: 0,
        };
        let body = parser.block()?;
        if parser.at < parser.tokens.len() {
            return None;
        }
        threads.push(body);
    }
    init.resize(locations.len(), 0);
    let program = TestProgram { init, locks, threads, ..TestProgram::default() };
    (program.locations() <= 8 && program.check().is_ok()).then_some(program)
}

fn tokens(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut word = String::new();
    let mut chars = text.chars().peekable();
    while let Some(next) = chars.next() {
        if next.is_alphanumeric() || next == '.' {
            word.push(next);
            continue;
        }
        if !word.is_empty() {
            all.push(std::mem::take(&mut word));
        }
        if next.is_whitespace() {
            continue;
        }
        let mut sign = next.to_string();
        if matches!(next, '=' | '!') && chars.peek() == Some(&'=') {
            sign.push(chars.next().expect("it was peeked at"));
        }
        all.push(sign);
    }
    if !word.is_empty() {
        all.push(word);
    }
    all
}

/// A condition in two layers: one of these, each all of those.
type Test = Vec<Vec<Cond>>;

struct Parser<'a> {
    tokens: Vec<String>,
    at: usize,
    locations: &'a mut Vec<String>,
    registers: Vec<String>,
    locks: &'a mut u8,
    /// Where values go that no register takes.
    spare: u8,
}

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |token| token)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned().unwrap_or_default()
    }

    fn expect(&mut self, token: &str) -> Option<()> {
        (self.next() == token).then_some(())
    }

    fn block(&mut self) -> Option<Vec<Stmt>> {
        let mut body = Vec::new();
        loop {
            match self.peek() {
                "" | "}" => return Some(body),
                ";" => self.at += 1,
                _ => body.extend(self.statement()?),
            }
        }
    }

    fn braces(&mut self) -> Option<Vec<Stmt>> {
        self.expect("{")?;
        let body = self.block()?;
        self.expect("}")?;
        Some(body)
    }

    fn statement(&mut self) -> Option<Vec<Stmt>> {
        let first = self.next();
        let one = |stmt| Some(vec![stmt]);
        match first.as_str() {
            "if" => {
                self.expect("(")?;
                let test = self.test()?;
                self.expect(")")?;
                let then = self.braces()?;
                let mut otherwise = Vec::new();
                if self.peek() == "else" {
                    self.at += 1;
                    otherwise = self.braces()?;
                }
                Some(branch(&test, &then, &otherwise))
            }
            "assume" => {
                self.expect("(")?;
                let test = self.test()?;
                self.expect(")")?;
                match &test[..] {
                    [all] => Some(all.iter().map(|&cond| Stmt::Assume(cond)).collect()),
                    _ => None,
                }
            }
            "spawn" => one(Stmt::Spawn(self.next().parse().ok()?)),
            "join" => one(Stmt::Join(self.next().parse().ok()?)),
            "lock" | "unlock" => {
                let lock: u8 = self.next().parse().ok()?;
                *self.locks = (*self.locks).max(lock + 1);
                one(if first == "lock" { Stmt::Lock(lock) } else { Stmt::Unlock(lock) })
            }
            "fadd" | "cas" | "xchg" => {
                self.at -= 1;
                let reg = 7 - self.spare;
                self.spare += 1;
                one(self.update(reg)?)
            }
            fence if fence.starts_with("fence.") => one(Stmt::Fence(order(&fence[6..])?)),
            name if is_location(name) => {
                let (loc, order) = self.location(name)?;
                self.expect("=")?;
                one(Stmt::Store { loc, value: self.expr()?, order })
            }
            name => {
                let name = name.to_string();
                self.expect("=")?;
                if matches!(self.peek(), "fadd" | "cas" | "xchg") {
                    let reg = self.register(&name);
                    return one(self.update(reg)?);
                }
                if is_location(self.peek()) {
                    let source = self.next();
                    let (loc, order) = self.location(&source)?;
                    return one(Stmt::Load { reg: self.register(&name), loc, order });
                }
                let value = self.expr()?;
                one(Stmt::Let { reg: self.register(&name), value })
            }
        }
    }

    fn update(&mut self, reg: u8) -> Option<Stmt> {
        let kind = self.next();
        self.expect("(")?;
        let name = self.next();
        let (loc, _) = self.location(&name)?;
        self.expect(",")?;
        let first = self.expr()?;
        let mut second = None;
        if self.peek() == "," {
            self.at += 1;
            second = Some(self.expr()?);
        }
        self.expect(")")?;
        let mut with = Order::Relaxed;
        if self.peek().starts_with('.') {
            with = order(&self.next()[1..])?;
        }
        let update = |kind| Stmt::Update { reg, loc, kind, operand: first, order: with };
        Some(match (kind.as_str(), second) {
            ("fadd", None) => update(UpdateKind::Add),
            ("xchg", None) => update(UpdateKind::Exchange),
            ("cas", Some(desired)) => {
                let failure = match with {
                    Order::Release => Order::Relaxed,
                    Order::AcqRel => Order::Acquire,
                    order => order,
                };
                Stmt::Cas { reg, loc, expected: first, desired, success: with, failure }
            }
            _ => return None,
        })
    }

    fn expr(&mut self) -> Option<Expr> {
        let first = self.next();
        if self.peek() == "+" {
            self.at += 1;
            let second = self.next();
            let (reg, constant) =
                if first.parse::<i64>().is_ok() { (second, first) } else { (first, second) };
            return Some(Expr::Sum(self.register(&reg), constant.parse().ok()?));
        }
        if matches!(self.peek(), "*" | "-") {
            return None;
        }
        Some(match first.parse() {
            Ok(constant) => Expr::Const(constant),
            Err(_) => Expr::Sum(self.register(&first), 0),
        })
    }

    fn test(&mut self) -> Option<Test> {
        let mut any = self.conjunction()?;
        while self.peek() == "or" {
            self.at += 1;
            any.extend(self.conjunction()?);
        }
        Some(any)
    }

    fn conjunction(&mut self) -> Option<Test> {
        let mut all = self.atom()?;
        while self.peek() == "and" {
            self.at += 1;
            let more = self.atom()?;
            let ([first], [second]) = (&mut all[..], &more[..]) else { return None };
            first.extend(second);
        }
        Some(all)
    }

    fn atom(&mut self) -> Option<Test> {
        if self.peek() == "(" {
            self.at += 1;
            let test = self.test()?;
            self.expect(")")?;
            return Some(test);
        }
        let negated = self.peek() == "!";
        self.at += usize::from(negated);
        let name = self.next();
        let reg = self.register(&name);
        let (equal, value) = match self.peek() {
            "==" | "!=" if !negated => (self.next() == "==", self.next().parse().ok()?),
            ")" | "and" | "or" => (negated, 0),
            _ => return None,
        };
        Some(vec![vec![Cond { reg, equal, value }]])
    }

    fn location(&mut self, word: &str) -> Option<(u8, Order)> {
        let (name, order) = match word.split_once('.') {
            Some((name, suffix)) => (name, order(suffix)?),
            None => (word, Order::Relaxed),
        };
        Some((number(self.locations, name), order))
    }

    fn register(&mut self, name: &str) -> u8 {
        number(&mut self.registers, name)
    }
}

fn number(names: &mut Vec<String>, name: &str) -> u8 {
    let known = names.iter().position(|known| known == name);
    known.unwrap_or_else(|| {
        names.push(name.to_string());
        names.len() - 1
    }) as u8
}

fn is_location(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_uppercase())
}

fn order(suffix: &str) -> Option<Order> {
    Some(match suffix {
        "acq" => Order::Acquire,
        "rel" => Order::Release,
        "acqrel" => Order::AcqRel,
        "sc" => Order::SeqCst,
        _ => return None,
    })
}

/// Branches of single comparisons that do the same.
fn branch(test: &[Vec<Cond>], then: &[Stmt], otherwise: &[Stmt]) -> Vec<Stmt> {
    let Some((all, rest)) = test.split_first() else { return otherwise.to_vec() };
    let other = branch(rest, then, otherwise);
    all.iter()
        .rev()
        .fold(then.to_vec(), |then, &cond| vec![Stmt::If { cond, then, otherwise: other.clone() }])
}
