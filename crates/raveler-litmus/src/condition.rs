//! The final condition: which registers and locations a state shows, and what is said about them.
//!
//! A final state is a row of numbers. Its columns are what `locations` and the condition name, in the order
//! in which states are printed; behind them come the columns that only the filter looks at.
//!
//! This file is long because a condition is parsed, checked and evaluated in one place.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;

use raveler_core::Address;

use crate::ast::{self, Comparand, File, Place, Quantifier};
use crate::error::{self, Errors, Result};
use crate::lex::Span;
use crate::names::{Home, Meaning, Names, does_not_fit, element, outside, unknown_thread};
use crate::types::{Scalar, Type};

/// The condition at the end of a test.
#[derive(Clone, Debug)]
pub struct Condition {
    quantifier: Quantifier,
    pub(crate) proposition: Proposition,
    text: String,
}

impl Condition {
    /// What it says of its proposition.
    pub fn quantifier(&self) -> Quantifier {
        self.quantifier
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.quantifier {
            Quantifier::Exists => "exists",
            Quantifier::NotExists => "~exists",
            Quantifier::Forall => "forall",
        };
        write!(f, "{word} ({})", self.text)
    }
}

/// A proposition about a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Proposition {
    Constant(bool),
    Not(Box<Proposition>),
    All(Vec<Proposition>),
    Any(Vec<Proposition>),
    Implies(Box<Proposition>, Box<Proposition>),
    Value { column: usize, equal: bool, value: i64 },
    Columns { left: usize, equal: bool, right: usize },
}

impl Proposition {
    pub fn holds(&self, row: &[i64]) -> bool {
        match self {
            Proposition::Constant(value) => *value,
            Proposition::Not(inner) => !inner.holds(row),
            Proposition::All(list) => list.iter().all(|inner| inner.holds(row)),
            Proposition::Any(list) => list.iter().any(|inner| inner.holds(row)),
            Proposition::Implies(left, right) => !left.holds(row) || right.holds(row),
            Proposition::Value { column, equal, value } => (row[*column] == *value) == *equal,
            Proposition::Columns { left, equal, right } => (row[*left] == row[*right]) == *equal,
        }
    }
}

/// Where a column's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Register {
        thread: usize,
        index: u16,
    },
    Memory(Address),
    /// A location that no thread touches.
    Fixed(i64),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub source: Source,
    pub ty: Type,
}

/// A name that states show, with the columns of its value (several for a whole array).
#[derive(Clone, Debug)]
struct Item {
    name: String,
    first: usize,
    count: usize,
    is_array: bool,
}

/// How states are read off an execution and printed.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    pub columns: Vec<Column>,
    /// How many of the columns are shown.
    pub shown: usize,
    items: Vec<Item>,
    pub filter: Option<Proposition>,
    /// Where locations lie, by address: start, element size, number of elements, name.
    places: Vec<(u64, u64, u64, String)>,
}

impl View {
    /// The names that states show, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.items.iter().map(|item| item.name.as_str())
    }

    /// A state as contract and corpus write it: `0:r0=1 x=2`.
    pub fn format(&self, row: &[i64]) -> String {
        let mut text = String::new();
        for item in &self.items {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&item.name);
            text.push('=');
            if item.is_array {
                let values: Vec<String> =
                    (item.first..item.first + item.count).map(|i| self.format_value(i, row[i])).collect();
                text.push_str(&format!("{{{}}}", values.join(",")));
            } else {
                text.push_str(&self.format_value(item.first, row[item.first]));
            }
        }
        text
    }

    fn format_value(&self, column: usize, value: i64) -> String {
        let ty = self.columns[column].ty;
        if ty.is_pointer() {
            let address = value as u64;
            let after = self.places.partition_point(|place| place.0 <= address);
            if let Some((start, size, count, name)) = after.checked_sub(1).map(|i| &self.places[i])
                && (address - start).is_multiple_of(*size)
                && (address - start) / size < *count
            {
                let index = (address - start) / size;
                return if index == 0 { name.clone() } else { format!("{name}[{index}]") };
            }
        }
        if ty.scalar() == Scalar::U64 { (value as u64).to_string() } else { value.to_string() }
    }
}

/// What a place is, for ordering and finding it again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Register { thread: usize, name: String },
    Location { name: String, index: Option<usize> },
}

impl Key {
    fn name(&self) -> String {
        match self {
            Key::Register { thread, name } => format!("{thread}:{name}"),
            Key::Location { name, index: None } => name.clone(),
            Key::Location { name, index: Some(index) } => format!("{name}[{index}]"),
        }
    }

    /// Registers by thread, then by name with numbers as numbers; then locations by name.
    fn order(&self, other: &Key) -> Ordering {
        match (self, other) {
            (Key::Register { thread, name }, Key::Register { thread: t, name: n }) => {
                thread.cmp(t).then_with(|| natural(name, n))
            }
            (Key::Register { .. }, Key::Location { .. }) => Ordering::Less,
            (Key::Location { .. }, Key::Register { .. }) => Ordering::Greater,
            (Key::Location { name, index }, Key::Location { name: n, index: i }) => {
                name.cmp(n).then(index.cmp(i))
            }
        }
    }
}

/// Compare names so that `r2` comes before `r10`.
fn natural(left: &str, right: &str) -> Ordering {
    let (mut a, mut b) = (left, right);
    loop {
        let split = |s: &str| s.len() - s.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (n, m) = (split(a), split(b));
        if n > 0 && m > 0 {
            let (x, y) = (a[..n].trim_start_matches('0'), b[..m].trim_start_matches('0'));
            let numbers = x.len().cmp(&y.len()).then_with(|| x.cmp(y));
            if numbers != Ordering::Equal {
                return numbers;
            }
            (a, b) = (&a[n..], &b[m..]);
            continue;
        }
        let (mut x, mut y) = (a.chars(), b.chars());
        match (x.next(), y.next()) {
            (Some(c), Some(d)) if c == d => (a, b) = (x.as_str(), y.as_str()),
            // The same up to leading zeros: any fixed order will do.
            (None, None) => return left.cmp(right),
            (c, d) => return c.cmp(&d),
        }
    }
}

/// Make the view and the condition of a test.
pub(crate) fn resolve<'t>(file: &File<'t>, names: &Names<'t>, errors: &mut Errors) -> (View, Condition) {
    let mut builder = Builder { names, errors, known: HashMap::new(), view: View::default() };
    let mut keys = Vec::new();
    for place in &file.shown {
        if let Ok((key, _, _)) = builder.key(place) {
            keys.push(key);
        }
    }
    let (quantifier, proposition) = match &file.condition {
        Some((quantifier, proposition)) => (*quantifier, proposition),
        None => (Quantifier::Forall, &ast::Proposition::Constant(true)),
    };
    builder.collect(proposition, &mut keys);
    builder.add(keys, true);
    let mut hidden = Vec::new();
    if let Some(filter) = &file.filter {
        builder.collect(filter, &mut hidden);
    }
    builder.add(hidden, false);
    let mut text = String::new();
    let resolved = builder.proposition(proposition, &mut text, false);
    let filter = file.filter.as_ref().map(|filter| builder.proposition(filter, &mut String::new(), false));
    let mut view = builder.view;
    view.filter = filter;
    view.places = names
        .locations
        .iter()
        .map(|l| (l.address, l.ty.scalar().width().bytes(), l.initial.len() as u64, l.name.clone()))
        .collect();
    (view, Condition { quantifier, proposition: resolved, text })
}

struct Builder<'a, 't> {
    names: &'a Names<'t>,
    errors: &'a mut Errors,
    /// The first column of each place.
    known: HashMap<Key, usize>,
    view: View,
}

impl Builder<'_, '_> {
    /// What a place is, its type, and the number of its elements if it is a whole array.
    fn key(&mut self, place: &Place<'_>) -> Result<(Key, Type, Option<usize>)> {
        match place {
            Place::Register { thread: (number, span), name } => {
                let threads = &self.names.threads;
                let Some(thread) = usize::try_from(*number).ok().and_then(|n| threads.get(n)) else {
                    return Err(unknown_thread(*number, threads.len(), *span, self.errors));
                };
                let Some(Meaning::Register(register)) = thread.meanings.get(name.text) else {
                    let message = format!("P{number} has no register `{}`", name.text);
                    let help = match thread.meanings.get(name.text) {
                        Some(_) => format!("it is a location: write `{}` without the thread", name.text),
                        None => registers_of(thread),
                    };
                    return Err(self.errors.push(
                        error::UNKNOWN_REGISTER,
                        name.span,
                        message,
                        "no such register",
                        &help,
                    ));
                };
                let key = Key::Register { thread: *number as usize, name: name.text.to_string() };
                Ok((key, register.ty, None))
            }
            Place::Location { name, index } => {
                let Some(&location) = self.names.by_name.get(name.text) else {
                    return Err(self.unknown_location(name.text, name.span));
                };
                let location = &self.names.locations[location];
                let length = location.initial.len();
                if let Some((index, span)) = index
                    && *index >= length as u64
                {
                    let index = i64::try_from(*index).unwrap_or(i64::MAX);
                    return Err(outside(&location.name, index, length, *span, self.errors));
                }
                let index = index.filter(|_| location.is_array).map(|(index, _)| index as usize);
                let whole = (location.is_array && index.is_none()).then_some(length);
                Ok((Key::Location { name: location.name.clone(), index }, location.ty, whole))
            }
        }
    }

    fn unknown_location(&mut self, name: &str, span: Span) -> error::Noted {
        let owner = self.names.threads.iter().position(|t| t.meanings.contains_key(name));
        let help = match owner {
            Some(thread) => format!("for the register of P{thread} write `{thread}:{name}`"),
            None => "locations are the names of the initial state and of the parameters".to_string(),
        };
        let message = format!("there is no location `{name}`");
        self.errors.push(error::UNKNOWN_LOCATION, span, message, "no such location", &help)
    }

    /// All places a proposition looks at.
    fn collect(&mut self, proposition: &ast::Proposition<'_>, keys: &mut Vec<Key>) {
        match proposition {
            ast::Proposition::Constant(_) => {}
            ast::Proposition::Not(inner) => self.collect(inner, keys),
            ast::Proposition::All(list) | ast::Proposition::Any(list) => {
                list.iter().for_each(|inner| self.collect(inner, keys));
            }
            ast::Proposition::Implies(left, right) => {
                self.collect(left, keys);
                self.collect(right, keys);
            }
            ast::Proposition::Compare { left, right, .. } => {
                let mut pointer = false;
                if let Ok((key, ty, whole)) = self.key(left) {
                    pointer = ty.is_pointer();
                    self.not_whole(whole, left);
                    keys.push(key);
                }
                let right = match right {
                    Comparand::Place(place) => Some(*place),
                    Comparand::Bare(name) if !pointer => Some(Place::Location { name: *name, index: None }),
                    _ => None,
                };
                if let Some(place) = right
                    && let Ok((key, _, whole)) = self.key(&place)
                {
                    self.not_whole(whole, &place);
                    keys.push(key);
                }
            }
        }
    }

    /// A condition cannot compare whole arrays.
    fn not_whole(&mut self, whole: Option<usize>, place: &Place<'_>) {
        if let (Some(_), Place::Location { name, .. }) = (whole, place) {
            let message = format!("`{}` is an array; conditions compare single elements", name.text);
            let help = format!("write `{}[0]`", name.text);
            self.errors.push(error::TYPE_MISMATCH, name.span, message, "an array", &help);
        }
    }

    /// Give places their columns.
    fn add(&mut self, mut keys: Vec<Key>, shown: bool) {
        keys.sort_by(Key::order);
        keys.dedup();
        for key in keys {
            if self.known.contains_key(&key) {
                continue;
            }
            let first = self.view.columns.len();
            let is_array = self.columns(&key);
            if shown {
                let count = self.view.columns.len() - first;
                self.view.items.push(Item { name: key.name(), first, count, is_array });
            }
            self.known.insert(key, first);
        }
        if shown {
            self.view.shown = self.view.columns.len();
        }
    }

    /// The columns of one place; is it a whole array?
    fn columns(&mut self, key: &Key) -> bool {
        match key {
            Key::Register { thread, name } => {
                if let Some(Meaning::Register(register)) =
                    self.names.threads[*thread].meanings.get(name.as_str())
                {
                    let source = Source::Register { thread: *thread, index: register.index };
                    self.view.columns.push(Column { source, ty: register.ty });
                }
                false
            }
            Key::Location { name, index } => {
                let Some(&number) = self.names.by_name.get(name.as_str()) else { return false };
                let location = &self.names.locations[number];
                let range = match index {
                    Some(index) => *index..index + 1,
                    None => 0..location.initial.len(),
                };
                for i in range {
                    let source = match location.home {
                        Home::Private { thread, register } => {
                            Source::Register { thread, index: register + i as u16 }
                        }
                        Home::Untouched => Source::Fixed(location.initial[i]),
                        Home::Shared => {
                            let size = location.ty.scalar().width().bytes();
                            Source::Memory(Address(location.address + i as u64 * size))
                        }
                    };
                    self.view.columns.push(Column { source, ty: location.ty });
                }
                location.is_array && index.is_none()
            }
        }
    }

    /// The proposition over columns; `text` receives it as it is printed.
    fn proposition(
        &mut self,
        proposition: &ast::Proposition<'_>,
        text: &mut String,
        inner: bool,
    ) -> Proposition {
        let list = |builder: &mut Self, list: &[ast::Proposition<'_>], text: &mut String, operator: &str| {
            let mut result = Vec::new();
            if inner {
                text.push('(');
            }
            for (i, part) in list.iter().enumerate() {
                if i > 0 {
                    text.push_str(operator);
                }
                result.push(builder.proposition(part, text, true));
            }
            if inner {
                text.push(')');
            }
            result
        };
        match proposition {
            ast::Proposition::Constant(value) => {
                text.push_str(if *value { "true" } else { "false" });
                Proposition::Constant(*value)
            }
            ast::Proposition::Not(negated) => {
                text.push('~');
                text.push('(');
                let resolved = self.proposition(negated, text, false);
                text.push(')');
                Proposition::Not(Box::new(resolved))
            }
            ast::Proposition::All(parts) => Proposition::All(list(self, parts, text, " /\\ ")),
            ast::Proposition::Any(parts) => Proposition::Any(list(self, parts, text, " \\/ ")),
            ast::Proposition::Implies(left, right) => {
                if inner {
                    text.push('(');
                }
                let left = self.proposition(left, text, true);
                text.push_str(" => ");
                let right = self.proposition(right, text, true);
                if inner {
                    text.push(')');
                }
                Proposition::Implies(Box::new(left), Box::new(right))
            }
            ast::Proposition::Compare { left, equal, right } => {
                // After a mistake the result is not used.
                self.compare(left, *equal, right, text).unwrap_or(Proposition::Constant(false))
            }
        }
    }

    fn compare(
        &mut self,
        left: &Place<'_>,
        equal: bool,
        right: &Comparand<'_>,
        text: &mut String,
    ) -> Result<Proposition> {
        let (column, ty) = self.column(left, text)?;
        text.push_str(if equal { "=" } else { "!=" });
        let (name, index) = match right {
            Comparand::Number(number, span) => {
                if !ty.scalar().holds(*number) {
                    return Err(does_not_fit(*number, ty.scalar(), &ty.name(), *span, self.errors));
                }
                text.push_str(&number.to_string());
                return Ok(Proposition::Value { column, equal, value: *number as i64 });
            }
            Comparand::Place(place) => {
                let (right, _) = self.column(place, text)?;
                return Ok(Proposition::Columns { left: column, equal, right });
            }
            Comparand::Bare(name) if !ty.is_pointer() => {
                let (right, _) = self.column(&Place::Location { name: *name, index: None }, text)?;
                return Ok(Proposition::Columns { left: column, equal, right });
            }
            Comparand::Bare(name) => (name, None),
            Comparand::Address(name, index) => (name, *index),
        };
        let Some(&location) = self.names.by_name.get(name.text) else {
            return Err(self.unknown_location(name.text, name.span));
        };
        if !ty.is_pointer() {
            let message = format!("the left side is of type {} and cannot be an address", ty.name());
            let help = "compare with a number, or with `[x]` for the location's value";
            return Err(self.errors.push(error::TYPE_MISMATCH, name.span, message, "an address", help));
        }
        let value = element(&self.names.locations[location], index, self.errors)?;
        text.push('&');
        text.push_str(name.text);
        if let Some((index, _)) = index {
            text.push_str(&format!("[{index}]"));
        }
        Ok(Proposition::Value { column, equal, value })
    }

    fn column(&mut self, place: &Place<'_>, text: &mut String) -> Result<(usize, Type)> {
        let (key, ty, _) = self.key(place)?;
        match &key {
            Key::Location { index: None, name } => text.push_str(&format!("[{name}]")),
            _ => text.push_str(&key.name()),
        }
        self.known.get(&key).map(|&column| (column, ty)).ok_or(error::Noted)
    }
}

/// A hint about the registers a thread has.
fn registers_of(thread: &crate::names::ThreadNames<'_>) -> String {
    let registers = thread.meanings.iter().filter(|(_, meaning)| matches!(meaning, Meaning::Register(_)));
    let mut names: Vec<&str> = registers.map(|(name, _)| *name).collect();
    names.sort_by(|a, b| natural(a, b));
    match names.len() {
        0 => "the thread has no registers".to_string(),
        1..=12 => format!("its registers are {}", names.join(", ")),
        n => format!("its registers are {}, ... ({n} in all)", names[..10].join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let mut names = vec!["r10", "r2", "r1", "a", "r2b", "r02"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["a", "r1", "r02", "r2", "r2b", "r10"]);
    }
}
