//! Writes litmus files: threads statement by statement, parameters and declarations found by themselves.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The C11 orders of a program's loads, stores and read-modify-writes.
#[derive(Clone, Copy, Debug)]
pub struct Orders {
    /// Of loads, and of compare_exchanges that fail.
    pub load: &'static str,
    /// Of stores.
    pub store: &'static str,
    /// Of read-modify-writes.
    pub update: &'static str,
}

/// Everything relaxed.
pub const RELAXED: Orders = Orders { load: "relaxed", store: "relaxed", update: "relaxed" };

/// Loads acquire, stores release, read-modify-writes both.
pub const ACQUIRE_RELEASE: Orders = Orders { load: "acquire", store: "release", update: "acq_rel" };

/// One location: how it is declared and what it holds at the start.
#[derive(Clone, Debug)]
enum Location {
    Atomic(i64),
    Plain(i64),
    Array { atomic: bool, initial: Vec<i64> },
}

/// A litmus test being written.
pub struct Litmus {
    orders: Orders,
    locations: BTreeMap<String, Location>,
    threads: Vec<(Vec<String>, String)>,
    words: usize,
}

impl Litmus {
    /// An empty test whose accesses have these orders unless they say otherwise.
    pub fn new(orders: Orders) -> Litmus {
        Litmus { orders, locations: BTreeMap::new(), threads: Vec::new(), words: 0 }
    }

    /// A location that starts with another value than 0. Those that start with 0 need no mention.
    pub fn initial(&mut self, name: &str, value: i64) {
        self.locations.insert(name.to_owned(), Location::Atomic(value));
    }

    /// An array of atomics.
    pub fn array(&mut self, name: &str, initial: &[i64]) {
        self.locations.insert(name.to_owned(), Location::Array { atomic: true, initial: initial.to_vec() });
    }

    /// An array of plain integers.
    pub fn plain_array(&mut self, name: &str, initial: &[i64]) {
        self.locations.insert(name.to_owned(), Location::Array { atomic: false, initial: initial.to_vec() });
    }

    /// Write one more thread.
    pub fn thread(&mut self, write: impl FnOnce(&mut Body)) {
        let orders = self.orders;
        let mut body =
            Body { test: self, orders, used: Vec::new(), text: String::new(), scopes: vec![Vec::new()] };
        write(&mut body);
        let (mut used, text) = (body.used, body.text);
        used.sort();
        self.threads.push((used, text));
    }

    /// The text of the test, with these lines between its name and its initial values.
    pub fn finish(&self, name: &str, header: &str, condition: &str) -> String {
        let mut text = format!("C {name}\n{header}{{ ");
        for (name, location) in &self.locations {
            match location {
                Location::Atomic(value) | Location::Plain(value) => write!(text, "[{name}]={value}; "),
                Location::Array { atomic, initial } => {
                    let kind = if *atomic { "atomic_int" } else { "int" };
                    let values: Vec<String> = initial.iter().map(i64::to_string).collect();
                    write!(text, "{kind} {name}[{}]={{{}}}; ", initial.len(), values.join(","))
                }
            }
            .expect("writing to a string cannot fail");
        }
        text.push_str("}\n");
        for (index, (used, body)) in self.threads.iter().enumerate() {
            let parameters: Vec<String> = used.iter().map(|name| self.parameter(name)).collect();
            write!(text, "\nP{index} ({}) {{\n{body}}}\n", parameters.join(", "))
                .expect("writing to a string cannot fail");
        }
        text.push('\n');
        text.push_str(condition);
        text.push('\n');
        text
    }

    fn parameter(&self, name: &str) -> String {
        match &self.locations[name] {
            Location::Atomic(_) | Location::Array { atomic: true, .. } => format!("atomic_int* {name}"),
            Location::Plain(_) | Location::Array { atomic: false, .. } => format!("int* {name}"),
        }
    }
}

/// The body of one thread being written. Registers are declared where they are first assigned; one that is
/// assigned in a block and used after it must be declared before with [`Body::declare`].
pub struct Body<'a> {
    test: &'a mut Litmus,
    orders: Orders,
    used: Vec<String>,
    text: String,
    scopes: Vec<Vec<String>>,
}

impl Body<'_> {
    /// `REGISTER = 0`, so that it exists from here on.
    pub fn declare(&mut self, register: &str) {
        self.assign(register, "0");
    }

    /// `REGISTER = VALUE`
    pub fn assign(&mut self, register: &str, value: &str) {
        let known = self.scopes.iter().flatten().any(|name| name == register);
        if known {
            self.line(&format!("{register} = {value};"));
        } else {
            self.line(&format!("int {register} = {value};"));
            self.scopes.last_mut().expect("the body itself is a scope").push(register.to_owned());
        }
    }

    /// Load with the usual order.
    pub fn load(&mut self, register: &str, location: &str) {
        self.load_as(register, location, self.orders.load);
    }

    /// Load with this order.
    pub fn load_as(&mut self, register: &str, location: &str, order: &str) {
        let location = self.reference(location);
        self.assign(register, &format!("atomic_load_explicit({location}, memory_order_{order})"));
    }

    /// Load without atomicity.
    pub fn load_plain(&mut self, register: &str, location: &str) {
        let location = self.plain(location);
        self.assign(register, &location);
    }

    /// Store with the usual order.
    pub fn store(&mut self, location: &str, value: impl ToString) {
        self.store_as(location, value, self.orders.store);
    }

    /// Store with this order.
    pub fn store_as(&mut self, location: &str, value: impl ToString, order: &str) {
        let location = self.reference(location);
        self.line(&format!(
            "atomic_store_explicit({location}, {}, memory_order_{order});",
            value.to_string()
        ));
    }

    /// Store without atomicity.
    pub fn store_plain(&mut self, location: &str, value: impl ToString) {
        let location = self.plain(location);
        self.line(&format!("{location} = {};", value.to_string()));
    }

    /// `atomic_fetch_add` with the usual order.
    pub fn fetch_add(&mut self, register: &str, location: &str, value: impl ToString) {
        self.fetch_add_as(register, location, value, self.orders.update);
    }

    /// `atomic_fetch_add` with this order.
    pub fn fetch_add_as(&mut self, register: &str, location: &str, value: impl ToString, order: &str) {
        let location = self.reference(location);
        let value = value.to_string();
        self.assign(
            register,
            &format!("atomic_fetch_add_explicit({location}, {value}, memory_order_{order})"),
        );
    }

    /// `atomic_exchange` with the usual order.
    pub fn exchange(&mut self, register: &str, location: &str, value: impl ToString) {
        let location = self.reference(location);
        let (value, order) = (value.to_string(), self.orders.update);
        self.assign(
            register,
            &format!("atomic_exchange_explicit({location}, {value}, memory_order_{order})"),
        );
    }

    /// A fresh word for what a compare_exchange expects, private to this thread.
    pub fn word(&mut self, initial: i64) -> String {
        let name = format!("e{}", self.test.words);
        self.test.words += 1;
        self.test.locations.insert(name.clone(), Location::Plain(initial));
        name
    }

    /// Compare_exchange of `location` from what `word` holds, with the usual orders.
    pub fn compare_exchange(&mut self, register: &str, location: &str, word: &str, desired: impl ToString) {
        self.compare_exchange_as(register, location, word, desired, (self.orders.update, self.orders.load));
    }

    /// Compare_exchange with these orders of success and failure.
    pub fn compare_exchange_as(
        &mut self,
        register: &str,
        location: &str,
        word: &str,
        desired: impl ToString,
        (success, failure): (&str, &str),
    ) {
        let location = self.reference(location);
        self.mention(word, Location::Plain(0));
        let desired = desired.to_string();
        let call = "atomic_compare_exchange_strong_explicit";
        self.assign(
            register,
            &format!("{call}({location}, {word}, {desired}, memory_order_{success}, memory_order_{failure})"),
        );
    }

    /// A fence of this order.
    pub fn fence(&mut self, order: &str) {
        self.line(&format!("atomic_thread_fence(memory_order_{order});"));
    }

    /// `if (CONDITION) { … }`
    pub fn when(&mut self, condition: &str, then: impl FnOnce(&mut Self)) {
        self.block(&format!("if ({condition}) {{"), then, "}");
    }

    /// `if (CONDITION) { … } else { … }`
    pub fn either(
        &mut self,
        condition: &str,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        self.block(&format!("if ({condition}) {{"), then, "} else {");
        self.block("", otherwise, "}");
    }

    /// `for (int COUNTER = 0; COUNTER < TIMES; COUNTER++) { … }`; once is written without a loop only by the caller.
    pub fn times(&mut self, counter: &str, times: usize, body: impl FnOnce(&mut Self)) {
        let head = format!("for (int {counter} = 0; {counter} < {times}; {counter}++) {{");
        self.block(&head, body, "}");
    }

    /// Try at most `times` times; `flag` becomes 1 when [`Body::succeed`] leaves the loop.
    pub fn tries(&mut self, flag: &str, times: usize, body: impl FnOnce(&mut Self)) {
        self.assign(flag, "0");
        self.times(&format!("i_{flag}"), times, body);
    }

    /// Leave the loop of [`Body::tries`].
    pub fn succeed(&mut self, flag: &str) {
        self.assign(flag, "1");
        self.line("break;");
    }

    /// Wait at most `times` reads for the condition on the register; then the thread returns.
    pub fn wait_or_return(
        &mut self,
        flag: &str,
        times: usize,
        register: &str,
        location: &str,
        condition: &str,
    ) {
        self.tries(flag, times, |t| {
            t.load(register, location);
            t.when(condition, |t| t.succeed(flag));
        });
        self.when(&format!("{flag} == 0"), |t| t.line("return;"));
    }

    /// One line as it is.
    pub fn line(&mut self, line: &str) {
        for _ in 0..self.scopes.len() {
            self.text.push_str("  ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn block(&mut self, head: &str, inside: impl FnOnce(&mut Self), end: &str) {
        if !head.is_empty() {
            self.line(head);
        }
        self.scopes.push(Vec::new());
        inside(self);
        self.scopes.pop();
        self.line(end);
    }

    /// How a location is passed to an atomic operation.
    fn reference(&mut self, location: &str) -> String {
        match location.split_once('[') {
            None => {
                self.mention(location, Location::Atomic(0));
                location.to_owned()
            }
            Some((array, _)) => {
                self.mention(array, Location::Atomic(0));
                format!("&{location}")
            }
        }
    }

    /// How a location is named in a plain access.
    fn plain(&mut self, location: &str) -> String {
        match location.split_once('[') {
            None => {
                self.mention(location, Location::Plain(0));
                format!("*{location}")
            }
            Some((array, _)) => {
                self.mention(array, Location::Plain(0));
                location.to_owned()
            }
        }
    }

    fn mention(&mut self, name: &str, otherwise: Location) {
        self.test.locations.entry(name.to_owned()).or_insert(otherwise);
        if !self.used.iter().any(|known| known == name) {
            self.used.push(name.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_is_declared_once_and_parameters_are_found() {
        let mut test = Litmus::new(RELAXED);
        test.thread(|t| {
            t.load("r0", "x");
            t.when("r0 == 1", |t| t.store("y", "r0 + 1"));
            t.load("r0", "x");
        });
        let text = test.finish("tiny", "", "exists (0:r0=0)");
        let expected = "\
C tiny
{ [x]=0; [y]=0; }

P0 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  if (r0 == 1) {
    atomic_store_explicit(y, r0 + 1, memory_order_relaxed);
  }
  r0 = atomic_load_explicit(x, memory_order_relaxed);
}

exists (0:r0=0)
";
        assert_eq!(text, expected);
    }
}
