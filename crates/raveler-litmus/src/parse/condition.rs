//! What follows the threads: `locations`, `filter` and the final condition.

use super::Parser;
use crate::ast::{Comparand, File, Place, Proposition, Quantifier};
use crate::error::{self, Noted, Result};
use crate::lex::Kind;

impl<'t> Parser<'t, '_> {
    pub(super) fn final_part(&mut self, file: &mut File<'t>) {
        let mut seen: Vec<&str> = Vec::new();
        while !self.is_end() {
            if self.take(";") {
                continue;
            }
            let start = self.peek().span;
            let part = match self.final_word() {
                Some(part) => part,
                None => {
                    self.unexpected("`locations`, `filter`, `exists`, `~exists` or `forall`");
                    return;
                }
            };
            let what = if matches!(part, "locations" | "filter") { part } else { "condition" };
            if seen.contains(&what) {
                let span = start.to(self.last());
                self.errors.push(
                    error::SECOND_CONDITION,
                    span,
                    format!("this is the second {what} of the test"),
                    "only one is allowed",
                    "join conditions with `/\\` or `\\/`, or make two tests",
                );
            }
            seen.push(what);
            let result = match part {
                "locations" => self.locations(file),
                "filter" => self.proposition().map(|p| file.filter = Some(p)),
                _ => {
                    let quantifier = match part {
                        "exists" => Quantifier::Exists,
                        "forall" => Quantifier::Forall,
                        _ => Quantifier::NotExists,
                    };
                    self.proposition().map(|p| file.condition = Some((quantifier, p)))
                }
            };
            if result == Err(Noted) {
                if !self.is_end() {
                    self.at += 1;
                }
                self.skip_to_boundary();
            }
        }
    }

    fn final_word(&mut self) -> Option<&'t str> {
        if self.is("~") && self.word_of(self.peek_second()) == "exists" {
            self.at += 2;
            return Some("~exists");
        }
        let token = self.peek();
        let word = self.word_of(token);
        (token.kind == Kind::Word && super::begins_final(word)).then(|| {
            self.at += 1;
            word
        })
    }

    fn locations(&mut self, file: &mut File<'t>) -> Result<()> {
        self.expect("[", " after `locations`")?;
        while !self.is("]") {
            if self.take(";") {
                continue;
            }
            if self.begins_type(self.peek()) {
                let base = self.base_type()?;
                self.stars(base);
            }
            let place = self.place()?;
            file.shown.push(place);
            // herd7 writes the type behind the name.
            if self.begins_type(self.peek()) {
                let base = self.base_type()?;
                self.stars(base);
            }
            if !self.is("]") {
                self.expect(";", " after the location")?;
            }
        }
        self.at += 1;
        Ok(())
    }

    fn proposition(&mut self) -> Result<Proposition<'t>> {
        self.nested(|p| {
            let left = p.any()?;
            if !p.take("=>") {
                return Ok(left);
            }
            let right = p.proposition()?;
            Ok(Proposition::Implies(Box::new(left), Box::new(right)))
        })
    }

    fn any(&mut self) -> Result<Proposition<'t>> {
        let mut list = vec![self.all()?];
        while self.take("\\/") || self.take("||") {
            list.push(self.all()?);
        }
        Ok(if list.len() == 1 { list.remove(0) } else { Proposition::Any(list) })
    }

    fn all(&mut self) -> Result<Proposition<'t>> {
        let mut list = vec![self.factor()?];
        while self.take("/\\") || self.take("&&") {
            list.push(self.factor()?);
        }
        Ok(if list.len() == 1 { list.remove(0) } else { Proposition::All(list) })
    }

    fn factor(&mut self) -> Result<Proposition<'t>> {
        if self.take("~") || self.take("!") || self.take_word("not") {
            let inner = self.nested(|p| p.factor())?;
            return Ok(Proposition::Not(Box::new(inner)));
        }
        if self.take("(") {
            let inner = self.proposition()?;
            self.expect(")", ", `/\\` or `\\/`")?;
            return Ok(inner);
        }
        for (word, value) in [("true", true), ("false", false)] {
            if self.take_word(word) {
                return Ok(Proposition::Constant(value));
            }
        }
        self.compare()
    }

    fn compare(&mut self) -> Result<Proposition<'t>> {
        let left = self.place()?;
        let equal = if self.take("=") || self.take("==") {
            true
        } else if self.take("!=") {
            false
        } else {
            return Err(self.unexpected("`=` or `!=`"));
        };
        let right = self.comparand()?;
        Ok(Proposition::Compare { left, equal, right })
    }

    fn comparand(&mut self) -> Result<Comparand<'t>> {
        let second = self.peek_second().kind;
        match self.peek().kind {
            Kind::Number if second == Kind::Symbol(":") => Ok(Comparand::Place(self.place()?)),
            Kind::Number | Kind::Symbol("-") => {
                let (number, span) = self.signed_number()?;
                Ok(Comparand::Number(number, span))
            }
            Kind::Symbol("&") => {
                self.at += 1;
                let name = self.expect_name("the name of a location")?;
                let index = self.index()?;
                Ok(Comparand::Address(name, index))
            }
            Kind::Word if second != Kind::Symbol("[") => {
                let name = self.expect_name("a value")?;
                Ok(Comparand::Bare(name))
            }
            _ => Ok(Comparand::Place(self.place()?)),
        }
    }

    /// `0:r1`, `x`, `[x]`, `*x` or `a[2]`.
    fn place(&mut self) -> Result<Place<'t>> {
        if self.peek().kind == Kind::Number {
            let (number, _, _, span) = self.number()?;
            self.expect(":", " after the thread's number")?;
            let name = self.expect_name("the name of a register")?;
            return Ok(Place::Register { thread: (number, span), name });
        }
        self.take("*");
        let bracket = self.take("[");
        let name = self.expect_name("a register such as `0:r0` or a location such as `x`")?;
        let index = self.index()?;
        if bracket {
            self.expect("]", " after the location")?;
        }
        Ok(Place::Location { name, index })
    }
}
