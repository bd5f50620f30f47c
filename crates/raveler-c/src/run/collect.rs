//! What is collected over all executions: observed values, memory that nobody can free any more, locks left held.

use std::collections::{BTreeMap, BTreeSet};

use raveler_core::{Execution, Flow, Fork, Observer, Program, SiteId, Value, Witness};

use super::step::GLOBAL_KEY;
use super::{CProgram, Cursor};
use crate::address::{self, Target};
use crate::code::Inst;

/// Values that one execution observed, by the number of their names.
type Observed = Vec<(u32, Value)>;

/// Watches the executions of a C program.
#[derive(Clone, Default)]
pub struct Collector {
    /// Observed values that were seen together: the name's number and the value; in how many executions.
    outcomes: BTreeMap<Observed, u64>,
    /// One execution for each of them, of as many as are wanted.
    witnesses: BTreeMap<Observed, Witness>,
    wanted: usize,
    leaks: BTreeSet<SiteId>,
    held: BTreeSet<SiteId>,
    observes: bool,
    allocates: bool,
    locks: bool,
}

impl Collector {
    /// A collector that has seen nothing.
    pub fn new(program: &CProgram) -> Collector {
        let functions = &program.code.functions;
        let has = |wanted: fn(&Inst) -> bool| functions.iter().any(|f| f.code.iter().any(wanted));
        Collector {
            observes: has(|inst| matches!(inst, Inst::Observe { .. })),
            allocates: has(|inst| matches!(inst, Inst::Allocate { .. })),
            locks: has(|inst| matches!(inst, Inst::Lock { .. } | Inst::TryLock { .. })),
            ..Collector::default()
        }
    }

    /// The observed values by name, as they were seen together, and how often. A name that one execution gives several
    /// values is numbered: `a`, `a#2`.
    pub fn outcomes(&self, program: &CProgram) -> Vec<(Vec<(String, i64)>, u64)> {
        let names = &program.sources().names;
        let mut rows: BTreeMap<Vec<(String, i64)>, u64> = BTreeMap::new();
        for (values, count) in &self.outcomes {
            *rows.entry(named(names, values)).or_default() += count;
        }
        rows.into_iter().collect()
    }

    /// Keep one execution for each of so many outcomes.
    #[must_use]
    pub fn with_witnesses(mut self, wanted: usize) -> Collector {
        self.wanted = wanted;
        self
    }

    /// Outcomes with an execution that has each; no more than were wanted.
    pub fn into_witnesses(self, program: &CProgram) -> Vec<(Vec<(String, i64)>, Witness)> {
        let names = &program.sources().names;
        self.witnesses.into_iter().map(|(values, witness)| (named(names, &values), witness)).collect()
    }

    /// Where memory was allocated that some execution neither frees nor can reach at its end.
    pub fn leaks(&self) -> Vec<SiteId> {
        self.leaks.iter().copied().collect()
    }

    /// Where locks were taken that some execution still holds at its end.
    pub fn held(&self) -> Vec<SiteId> {
        self.held.iter().copied().collect()
    }
}

/// Observed values with their names, sorted.
fn named(names: &[String], values: &[(u32, Value)]) -> Vec<(String, i64)> {
    let mut seen: BTreeMap<u32, u32> = BTreeMap::new();
    let mut row: Vec<(String, i64)> = values
        .iter()
        .map(|&(name, value)| {
            let times = seen.entry(name).or_default();
            *times += 1;
            let name = names.get(name as usize).map_or("?", String::as_str);
            let name = if *times > 1 { format!("{name}#{times}") } else { name.to_string() };
            (name, value as i64)
        })
        .collect();
    row.sort();
    row
}

impl Observer<CProgram> for Collector {
    fn execution(&mut self, execution: &Execution<'_, CProgram>) -> Flow {
        if self.observes {
            let observed = execution.observed();
            if self.witnesses.len() < self.wanted && !self.witnesses.contains_key(&observed) {
                self.witnesses.insert(observed.clone(), execution.witness());
            }
            *self.outcomes.entry(observed).or_default() += 1;
        }
        // A thread that is left waiting when the process ends may still mean to free what it has.
        if self.allocates && execution.stuck().is_empty() {
            self.leaks.extend(leaked(execution));
        }
        if self.locks && execution.cursors().any(|cursor| !cursor.held.is_empty()) {
            self.held.extend(execution.held());
        }
        Flow::Continue
    }

    fn restarted(&mut self) {
        self.outcomes.clear();
        self.witnesses.clear();
        self.leaks.clear();
        self.held.clear();
    }
}

impl Fork for Collector {
    fn fork(&self) -> Self {
        let Collector { wanted, observes, allocates, locks, .. } = *self;
        Collector { wanted, observes, allocates, locks, ..Collector::default() }
    }

    fn merge(&mut self, other: Self) {
        for (values, count) in other.outcomes {
            *self.outcomes.entry(values).or_default() += count;
        }
        for (values, witness) in other.witnesses {
            if self.witnesses.len() < self.wanted {
                self.witnesses.entry(values).or_insert(witness);
            }
        }
        self.leaks.extend(other.leaks);
        self.held.extend(other.held);
    }
}

/// An object of the heap that was not freed.
struct Left {
    start: u64,
    size: u64,
    site: SiteId,
    /// The pointers in it, if they are known already.
    holds: Vec<u64>,
}

/// Where memory was allocated that nobody freed and that no global variable leads to.
fn leaked(execution: &Execution<'_, CProgram>) -> Vec<SiteId> {
    let program = execution.program();
    let cursors: Vec<&Cursor> = execution.cursors().collect();
    let mut left: Vec<Left> = Vec::new();
    for allocation in execution.unfreed() {
        let on_stack = |cursor: &&Cursor| cursor.shared.iter().any(|l| l.address == allocation.address);
        if !cursors.iter().any(on_stack) {
            let (start, size) = (allocation.address.0, allocation.size);
            left.push(Left { start, size, site: allocation.site, holds: Vec::new() });
        }
    }
    let mut roots: Vec<u64> = Vec::new();
    for cursor in &cursors {
        for (key, bytes, site) in cursor.memory.lasting() {
            let place = (key & GLOBAL_KEY == 0).then(|| usize::from(program.private(key).place));
            let heap = place.and_then(|place| program.code.places.get(place)).is_some_and(|p| !p.stack);
            match address::start(key).filter(|_| heap) {
                None => roots.extend(pointers(bytes)),
                Some(start) => {
                    let size = bytes.len() as u64;
                    left.push(Left { start, size, site, holds: pointers(bytes).collect() });
                }
            }
        }
    }
    if left.is_empty() {
        return Vec::new();
    }
    for (at, value) in execution.lasting() {
        let holder = left.iter_mut().find(|object| at.0.wrapping_sub(object.start) < object.size);
        match holder {
            Some(object) => object.holds.push(value),
            // A local variable's end takes its pointers along, a global one's does not come.
            None if matches!(address::decode(at.0), Target::Global { .. }) => roots.push(value),
            None => {}
        }
    }
    while let Some(value) = roots.pop() {
        let value = program.engine(value).0;
        let found = left.iter().position(|object| value.wrapping_sub(object.start) < object.size.max(1));
        if let Some(found) = found {
            roots.append(&mut left.swap_remove(found).holds);
        }
    }
    left.into_iter().map(|object| object.site).collect()
}

fn pointers(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks_exact(8).map(|chunk| chunk.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
}
