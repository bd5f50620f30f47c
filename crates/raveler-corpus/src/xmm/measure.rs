//! Searches programs of the table and compares what they find with it.

use std::collections::HashSet;
use std::fmt;

use raveler_core::execution::Execution;
use raveler_core::observer::Flow;
use raveler_core::outcome::{EventKind, Witness, WitnessEvent};
use raveler_core::{Address, Equivalence, EventId, Fork, Observer, Outcome, Settings, XmmRules, search};

use super::program::LineProgram;
use super::table::{Row, Rules};

/// Both equivalences, in the order of the table's columns.
pub const EQUIVALENCES: [Equivalence; 2] = [Equivalence::Coherence, Equivalence::ReadsFrom];

/// The name of an equivalence on the command line.
pub fn name(equivalence: Equivalence) -> &'static str {
    match equivalence {
        Equivalence::Coherence => "co",
        Equivalence::ReadsFrom => "rf",
    }
}

/// What an event is, where, what it read and wrote, and from which write.
type Label = (EventKind, Option<Address>, Option<u64>, Option<u64>, Option<EventId>);

/// What makes an execution different from others: its events, reads-from and, if that counts, coherence.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    threads: Vec<Vec<Label>>,
    coherence: Vec<(Address, Vec<EventId>)>,
}

impl Shape {
    /// The shape of an execution.
    pub fn of(witness: &Witness, equivalence: Equivalence) -> Shape {
        let threads = witness.threads.iter().map(|thread| {
            let label = |event: &WitnessEvent| {
                (event.kind, event.address, event.read, event.written, event.reads_from)
            };
            thread.events.iter().map(label).collect()
        });
        let coherence = match equivalence {
            Equivalence::Coherence => witness.coherence.clone(),
            Equivalence::ReadsFrom => Vec::new(),
        };
        Shape { threads: threads.collect(), coherence }
    }

    /// What is left of it if the order of writes does not count.
    fn without_coherence(&self) -> Shape {
        Shape { threads: self.threads.clone(), coherence: Vec::new() }
    }
}

/// Collects the shapes of executions: a search that shows one of them twice is wrong even if its number is right.
struct Shapes {
    equivalence: Equivalence,
    seen: HashSet<Shape>,
}

impl Observer<LineProgram> for Shapes {
    fn execution(&mut self, execution: &Execution<'_, LineProgram>) -> Flow {
        self.seen.insert(Shape::of(&execution.witness(), self.equivalence));
        Flow::Continue
    }

    fn restarted(&mut self) {
        self.seen.clear();
    }
}

impl Fork for Shapes {
    fn fork(&self) -> Self {
        Shapes { equivalence: self.equivalence, seen: HashSet::new() }
    }

    fn merge(&mut self, other: Self) {
        self.seen.extend(other.seen);
    }
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Complete executions.
    pub executions: u64,
    /// All of them, each once.
    pub shapes: HashSet<Shape>,
}

/// Search a program; why nothing can be said if that is so.
pub fn measure(program: &LineProgram, rules: Rules, equivalence: Equivalence) -> Result<Found, String> {
    let (outcome, shapes) = search_line(program, &rules.settings(equivalence));
    if let Some(reason) = outcome.stopped {
        return Err(format!("the search stopped: {reason:?}"));
    }
    if let Some(violation) = outcome.violations.first() {
        return Err(format!("a violation: {}: {}", violation.kind.name(), violation.message));
    }
    Ok(Found { executions: outcome.counts.executions, shapes })
}

/// Search a program of one line, and the shapes of its executions.
pub fn search_line(program: &LineProgram, settings: &Settings) -> (Outcome, HashSet<Shape>) {
    let mut shapes = Shapes { equivalence: settings.equivalence, seen: HashSet::new() };
    let outcome = search(program, settings, &mut shapes);
    (outcome, shapes.seen)
}

/// Something that is not as the table says.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The row.
    pub name: String,
    /// Run under these.
    pub rules: Rules,
    /// And with this equivalence.
    pub equivalence: Equivalence,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { name, rules, equivalence, message } = self;
        write!(f, "{name}: {rules} {}: {message}", self::name(*equivalence))
    }
}

/// How the comparison of a row, or of several, went.
#[derive(Default, Debug)]
pub struct Compared {
    /// Searches made.
    pub searches: usize,
    /// Searches not made since the table does not know their numbers.
    pub unknown: usize,
    /// What is not as it should be.
    pub differences: Vec<Difference>,
}

impl Compared {
    /// Add what was found for another row.
    pub fn add(&mut self, other: Compared) {
        self.searches += other.searches;
        self.unknown += other.unknown;
        self.differences.extend(other.differences);
    }
}

/// Compare a row with what is found under these rules; the mistake in its text if there is one.
pub fn compare(row: &Row, all: &[Rules]) -> Result<Compared, String> {
    let program = row.program()?;
    let mut compared = Compared::default();
    for &rules in all {
        let Some(expected) = row.expected(rules) else {
            compared.unknown += EQUIVALENCES.len();
            continue;
        };
        let complain = |equivalence, message| {
            let name = row.name.clone();
            Difference { name, rules, equivalence, message }
        };
        let mut shapes = Vec::new();
        for equivalence in EQUIVALENCES {
            compared.searches += 1;
            let found = measure(&program, rules, equivalence);
            let message = complaint(expected.get(equivalence), &found);
            compared.differences.extend(message.map(|message| complain(equivalence, message)));
            shapes.extend(found.map(|found| found.shapes));
        }
        if let [co, rf] = &shapes[..] {
            let projected: HashSet<Shape> = co.iter().map(Shape::without_coherence).collect();
            let (more, fewer) = (rf.difference(&projected).count(), projected.difference(rf).count());
            if more + fewer > 0 {
                let message = format!("{more} executions that no execution by co is like, {fewer} missing");
                compared.differences.push(complain(Equivalence::ReadsFrom, message));
            }
        }
    }
    Ok(compared)
}

/// Rules of which each allows all that the one before allows.
const CHAIN: [Rules; 4] = [
    Rules::Rc20,
    Rules::Xmm(XmmRules::Default),
    Rules::Xmm(XmmRules::NoCausalRestriction),
    Rules::Xmm(XmmRules::Printed),
];

/// Does a rule set with fewer conditions find all that one with more finds? This needs no numbers.
pub fn compare_rules(row: &Row) -> Result<Compared, String> {
    let program = row.program()?;
    let mut compared = Compared::default();
    let strict = [Rules::Rc20, Rules::Xmm(XmmRules::Strict)];
    for equivalence in EQUIVALENCES {
        for chain in [&CHAIN[..], &strict] {
            let mut before: Option<(Rules, HashSet<Shape>)> = None;
            for &rules in chain {
                compared.searches += 1;
                let shapes = measure(&program, rules, equivalence).map(|found| found.shapes);
                let message = match (&shapes, &before) {
                    (Err(message), _) => Some(message.clone()),
                    (Ok(shapes), Some((than, fewer))) => match fewer.difference(shapes).count() {
                        0 => None,
                        missing => Some(format!("{missing} executions of {than} missing")),
                    },
                    (Ok(_), None) => None,
                };
                let name = row.name.clone();
                let difference = message.map(|message| Difference { name, rules, equivalence, message });
                compared.differences.extend(difference);
                before = shapes.ok().map(|shapes| (rules, shapes));
            }
        }
    }
    Ok(compared)
}

fn complaint(expected: u64, found: &Result<Found, String>) -> Option<String> {
    let Found { executions, shapes } = match found {
        Ok(found) => found,
        Err(message) => return Some(message.clone()),
    };
    let distinct = shapes.len() as u64;
    let twice =
        if distinct == *executions { String::new() } else { format!(", {distinct} of them different") };
    (*executions != expected || distinct != *executions)
        .then(|| format!("{expected} executions expected, {executions} found{twice}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xmm::parse::parse;

    /// The numbers under rc20: by coherence, and by reads-from.
    fn rc20(text: &str) -> (u64, u64) {
        let program = LineProgram::new("test", text, parse(text).expect("the text is right"));
        let [co, rf] = EQUIVALENCES.map(|equivalence| {
            measure(&program, Rules::Rc20, equivalence).expect("nothing is wrong").executions
        });
        (co, rf)
    }

    #[test]
    fn programs_have_their_known_executions() {
        assert_eq!(rc20("a = X; Y = 1 || b = Y; X = 1"), (3, 3));
        assert_eq!(rc20("X = 1; a = Y || Y = 1; b = X"), (4, 4));
        assert_eq!(rc20("X.sc = 1; a = Y.sc || Y.sc = 1; b = X.sc"), (3, 3));
        assert_eq!(rc20("X = 1; fence.sc; a = Y || Y = 1; fence.sc; b = X"), (3, 3));
        assert_eq!(rc20("X = 1 || X = 2"), (2, 1));
        assert_eq!(rc20("fadd(X, 1) || r = fadd(X, 1) || fadd(X, 1).sc"), (6, 6));
    }

    #[test]
    fn failing_compare_exchanges_only_read() {
        assert_eq!(rc20("cas(X, 1, 2) || X = 3"), (2, 2));
        assert_eq!(rc20("cas(X, 0, 2) || X = 3"), (2, 2));
    }

    #[test]
    fn blocked_executions_do_not_count() {
        assert_eq!(rc20("a = X; assume(a == 1) || X = 1"), (1, 1));
    }

    #[test]
    fn elements_of_arrays_are_found_by_their_index() {
        // Only if the first thread reads 0 do both write A0.
        assert_eq!(rc20("{A0=1;A1=2} a = X; A[a] = 5 || X = 1 || A0 = 6"), (3, 2));
    }

    #[test]
    fn an_index_outside_is_reported() {
        let text = "{A0=1} a = X; A[a] = 5 || X = 1";
        let program = LineProgram::new("test", text, parse(text).expect("the text is right"));
        let message = measure(&program, Rules::Rc20, Equivalence::ReadsFrom).expect_err("there is no A1");
        assert_eq!(message, "a violation: out-of-bounds: the array has no such element");
    }

    #[test]
    fn executions_that_are_shown_twice_are_a_difference() {
        let found = |executions| Ok(Found { executions, shapes: HashSet::new() });
        assert_eq!(complaint(0, &found(0)), None);
        let message = "1 executions expected, 1 found, 0 of them different";
        assert_eq!(complaint(1, &found(1)).as_deref(), Some(message));
    }
}
