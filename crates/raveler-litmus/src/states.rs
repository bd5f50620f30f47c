//! The set of final states, gathered while a search runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use raveler_core::{Address, Counts, Execution, Flow, Fork, Observer, Value, Witness};
use rustc_hash::FxHashSet;

use crate::Test;
use crate::ast::Quantifier;
use crate::condition::{Condition, Source, View};
use crate::run::{Cursor, LitmusProgram};
use crate::types::Scalar;

/// An execution worth telling: the first found that makes `exists` true, or `~exists` or `forall` false.
#[derive(Clone, Debug)]
pub struct Example {
    /// Its final state.
    pub state: String,
    /// The execution.
    pub witness: Witness,
}

/// Gathers the final states of all complete executions.
///
/// A state is a row of numbers; it is turned into text only when asked for.
#[derive(Clone, Debug)]
pub struct States {
    plan: Arc<Plan>,
    stop: Option<Arc<AtomicBool>>,
    rows: FxHashSet<Box<[i64]>>,
    /// How many of the rows satisfy the proposition.
    satisfying: usize,
    example: Option<Example>,
    /// One execution for each state, of as many states as are wanted.
    witnesses: Vec<(Box<[i64]>, Witness)>,
    wanted: usize,
    /// The row being read, all columns.
    row: Vec<i64>,
}

/// What to read from each execution; the same for all workers.
#[derive(Debug)]
struct Plan {
    view: View,
    condition: Condition,
    /// Column, thread, register.
    registers: Vec<(usize, usize, u16)>,
    /// Column and type of what is at the address of the same position.
    memory: Vec<(usize, Scalar)>,
    addresses: Vec<Address>,
}

impl States {
    /// No states yet, for this test.
    pub fn new(test: &Test) -> States {
        let view = test.view.clone();
        let mut plan = Plan {
            condition: test.condition.clone(),
            registers: Vec::new(),
            memory: Vec::new(),
            addresses: Vec::new(),
            view,
        };
        let mut row = vec![0; plan.view.columns.len()];
        for (i, column) in plan.view.columns.iter().enumerate() {
            match column.source {
                Source::Register { thread, index } => plan.registers.push((i, thread, index)),
                Source::Fixed(value) => row[i] = value,
                Source::Memory(address) => {
                    plan.memory.push((i, column.ty.scalar()));
                    plan.addresses.push(address);
                }
            }
        }
        let plan = Arc::new(plan);
        States {
            plan,
            stop: None,
            rows: FxHashSet::default(),
            satisfying: 0,
            example: None,
            witnesses: Vec::new(),
            wanted: 0,
            row,
        }
    }

    /// The search ends soon after this flag is set.
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> States {
        self.stop = Some(stop);
        self
    }

    /// Keep one execution for each of so many states.
    pub fn with_witnesses(mut self, wanted: usize) -> States {
        self.wanted = wanted;
        self
    }

    /// States with an execution that ends in each, sorted; no more than were wanted.
    pub fn into_witnesses(self) -> Vec<(String, Witness)> {
        let named = self.witnesses.into_iter().map(|(row, witness)| (self.plan.view.format(&row), witness));
        let mut all: Vec<(String, Witness)> = named.collect();
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
        all
    }

    /// How many different states were seen.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Was none seen?
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many of the states satisfy the proposition inside the condition.
    pub fn satisfying(&self) -> usize {
        self.satisfying
    }

    /// Does the condition hold of the states seen?
    pub fn holds(&self) -> bool {
        match self.plan.condition.quantifier() {
            Quantifier::Exists => self.satisfying > 0,
            Quantifier::NotExists => self.satisfying == 0,
            Quantifier::Forall => self.satisfying == self.rows.len(),
        }
    }

    /// All states as text, sorted, each once.
    pub fn sorted_states(&self) -> Vec<String> {
        let mut states: Vec<String> = self.rows.iter().map(|row| self.plan.view.format(row)).collect();
        states.sort_unstable();
        states
    }

    /// All states as text, sorted, each once, with whether it satisfies the proposition inside the condition.
    pub fn sorted_with_marks(&self) -> Vec<(String, bool)> {
        let Plan { view, condition, .. } = &*self.plan;
        let mut states: Vec<(String, bool)> =
            self.rows.iter().map(|row| (view.format(row), condition.proposition.holds(row))).collect();
        states.sort_unstable();
        states
    }

    /// The execution that decides the condition, if one did.
    pub fn example(&self) -> Option<&Example> {
        self.example.as_ref()
    }

    /// Note the states of one execution, given its parts: where each thread stands at the end, the ways its
    /// memory can end, and the execution as plain data if it is wanted.
    pub fn note<'c>(
        &mut self,
        cursor: impl Fn(usize) -> &'c Cursor,
        finals: impl FnOnce(&[Address]) -> Vec<Vec<Value>>,
        witness: impl Fn(&[Address], &[Value]) -> Witness,
    ) {
        let plan = Arc::clone(&self.plan);
        for &(column, thread, register) in &plan.registers {
            self.row[column] = cursor(thread).register(register);
        }
        if plan.addresses.is_empty() {
            return self.note_row(&plan, &[], &witness);
        }
        for values in finals(&plan.addresses) {
            for (&(column, scalar), &value) in plan.memory.iter().zip(&values) {
                self.row[column] = scalar.convert(value as i64);
            }
            self.note_row(&plan, &values, &witness);
        }
    }

    /// Note the state in `self.row`.
    fn note_row(
        &mut self,
        plan: &Plan,
        values: &[Value],
        witness: &impl Fn(&[Address], &[Value]) -> Witness,
    ) {
        if plan.view.filter.as_ref().is_some_and(|filter| !filter.holds(&self.row)) {
            return;
        }
        let shown = &self.row[..plan.view.shown];
        if self.rows.contains(shown) {
            return;
        }
        let satisfied = plan.condition.proposition.holds(shown);
        self.satisfying += satisfied as usize;
        let sought = plan.condition.quantifier() != Quantifier::Forall;
        if self.example.is_none() && satisfied == sought {
            self.example =
                Some(Example { state: plan.view.format(shown), witness: witness(&plan.addresses, values) });
        }
        if self.witnesses.len() < self.wanted {
            self.witnesses.push((shown.into(), witness(&plan.addresses, values)));
        }
        self.rows.insert(shown.into());
    }

    fn flow(&self) -> Flow {
        match &self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Flow::Stop,
            _ => Flow::Continue,
        }
    }
}

impl Observer<LitmusProgram> for States {
    fn execution(&mut self, execution: &Execution<'_, LitmusProgram>) -> Flow {
        self.note(
            |thread| execution.cursor(thread),
            |addresses| execution.finals(addresses),
            |addresses, values| execution.witness_ending(addresses, values),
        );
        self.flow()
    }

    fn reordered(&mut self, execution: &Execution<'_, LitmusProgram>) -> Flow {
        self.execution(execution)
    }

    fn progress(&mut self, _counts: &Counts) -> Flow {
        self.flow()
    }
}

impl Fork for States {
    fn fork(&self) -> States {
        States {
            plan: Arc::clone(&self.plan),
            stop: self.stop.clone(),
            rows: FxHashSet::default(),
            satisfying: 0,
            example: None,
            witnesses: Vec::new(),
            wanted: self.wanted,
            row: self.row.clone(),
        }
    }

    fn merge(&mut self, other: States) {
        let left = self.wanted - self.witnesses.len().min(self.wanted);
        let new = other.witnesses.into_iter().filter(|(row, _)| !self.rows.contains(row));
        self.witnesses.extend(new.take(left).collect::<Vec<_>>());
        for row in other.rows {
            let satisfied = self.plan.condition.proposition.holds(&row);
            if self.rows.insert(row) {
                self.satisfying += satisfied as usize;
            }
        }
        self.example = self.example.take().or(other.example);
    }
}
