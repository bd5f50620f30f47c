//! All states of a program, and what they say: outcomes, violations, states without a way out.
//!
//! Liveness and deadlocks are questions about the whole graph of states. A set of states that is never left and in
//! which every state can be reached from every other (a closed set) is where an execution ends up if every read may
//! see the latest write and every thread gets its turn. In a closed set in which `main` has returned or all threads
//! have ended the execution is complete. Otherwise some thread never gets on:
//!
//! - if a thread still makes steps there it goes round in a loop for ever: `liveness`. If another thread is stuck at a
//!   lock or the like meanwhile, either of `liveness` and `deadlock` will do;
//! - if no thread makes a step all are stuck: `deadlock`. If one of them is stuck inside a loop, that it never leaves the
//!   loop is true as well, and `liveness` may be said, too.
//!
//! This is the definition "some reachable state has no continuation in which the waiting thread leaves its loop":
//! from such a state some closed set can be reached, and the thread is still in its loop there. States that lead to
//! a failed assertion or assumption belong to no closed set: what a thread does that waits for one that
//! failed is left open, so `deadlock` and `liveness` are allowed where something fails, but never demanded.

use std::collections::BTreeSet;

use raveler_core::{Model, ViolationKind};
use rustc_hash::FxHashMap;

use super::code::Code;
use super::machine::{Machine, Next, Rest, State};
use super::memory::{Buffers, Memory};
use super::views::Views;

/// Observed values of one execution, by name.
pub type Row = Vec<(String, i64)>;

/// What a machine says of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The outcomes of complete executions.
    pub outcomes: BTreeSet<Row>,
    /// What must be found.
    pub violations: BTreeSet<&'static str>,
    /// `deadlock` or `liveness` must be found.
    pub stuck: bool,
    /// What may be found besides.
    pub allowed: BTreeSet<&'static str>,
    /// A rule was broken, behind which nothing more is said of the program.
    pub lawless: bool,
    /// How many states there are.
    pub states: usize,
}

/// Is there a machine for this model and program?
pub fn is_known(model: Model, has_seq_cst: bool) -> bool {
    !has_seq_cst || !matches!(model, Model::Rc11 | Model::Rc20)
}

/// The answer; none if the program has more states than that.
pub fn judge(code: &Code, model: Model, limit: usize) -> Option<Answer> {
    match model {
        Model::Sc | Model::Tso | Model::Pso => explore::<Buffers>(code, model, limit),
        _ => explore::<Views>(code, model, limit),
    }
}

fn explore<M: Memory>(code: &Code, model: Model, limit: usize) -> Option<Answer> {
    let mut machine = Machine::new(code, model);
    let mut numbers: FxHashMap<State<M>, u32> = FxHashMap::default();
    let mut states: Vec<State<M>> = Vec::new();
    let mut edges: Vec<Vec<u32>> = Vec::new();
    let mut moves: Vec<u8> = Vec::new();
    // A failure or a failed assumption can come: the state is left, for nowhere.
    let mut left: Vec<bool> = Vec::new();
    let mut answer = Answer::default();
    let mut assumed = false;
    let first = machine.initial::<M>(model);
    numbers.insert(first.clone(), 0);
    states.push(first);
    let mut at = 0;
    while at < states.len() {
        let state = states[at].clone();
        let (found, moving) = machine.steps(&state);
        if machine.too_large || states.len() > limit {
            return None;
        }
        let mut targets = Vec::with_capacity(found.len());
        let mut leaves = false;
        for next in found {
            match next {
                Next::State(next) => {
                    let number = *numbers.entry(next).or_insert_with_key(|next| {
                        states.push(next.clone());
                        states.len() as u32 - 1
                    });
                    targets.push(number);
                }
                Next::Failed(kind) => {
                    answer.violations.insert(kind.name());
                    leaves = true;
                }
                Next::Assumed => {
                    assumed = true;
                    leaves = true;
                }
            }
        }
        targets.sort_unstable();
        targets.dedup();
        edges.push(targets);
        moves.push(moving);
        left.push(leaves);
        at += 1;
    }
    drop(numbers);
    if assumed || !answer.violations.is_empty() {
        answer.allowed.extend([ViolationKind::Deadlock.name(), ViolationKind::Liveness.name()]);
    }
    if machine.raced {
        answer.violations.insert(ViolationKind::Race.name());
    }
    for set in closed_sets(&edges, &left) {
        let state = &states[set[0] as usize];
        match machine.rest(state) {
            Rest::Complete => {
                let row =
                    |&(name, value): &(u8, i8)| (code.names[usize::from(name)].clone(), i64::from(value));
                let mut row: Row = state.observed.iter().map(row).collect();
                row.sort();
                answer.outcomes.insert(row);
            }
            Rest::Stuck => {
                let moving = set.iter().fold(0, |all, &state| all | moves[state as usize]);
                let (deadlock, liveness) = (ViolationKind::Deadlock.name(), ViolationKind::Liveness.name());
                if moving == 0 {
                    answer.violations.insert(deadlock);
                    if machine.is_in_loop(state) {
                        answer.allowed.insert(liveness);
                    }
                } else if machine.is_blocked(state, moving) {
                    answer.stuck = true;
                    answer.allowed.extend([deadlock, liveness]);
                } else {
                    answer.violations.insert(liveness);
                }
            }
        }
    }
    answer.lawless = machine.lawless;
    answer.states = states.len();
    Some(answer)
}

/// The strongly connected sets of states that no edge leaves (Tarjan's algorithm, without recursion).
fn closed_sets(edges: &[Vec<u32>], left: &[bool]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let count = edges.len();
    let mut index = vec![NEW; count];
    let mut low = vec![0u32; count];
    let mut set_of = vec![NEW; count];
    let mut stack: Vec<u32> = Vec::new();
    let mut calls: Vec<(u32, usize)> = Vec::new();
    let (mut next, mut sets) = (0u32, Vec::<Vec<u32>>::new());
    for root in 0..count as u32 {
        if index[root as usize] != NEW {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, edge)) = calls.pop() {
            let here = node as usize;
            if edge == 0 {
                index[here] = next;
                low[here] = next;
                next += 1;
                stack.push(node);
            }
            if let Some(&to) = edges[here].get(edge) {
                calls.push((node, edge + 1));
                let there = to as usize;
                if index[there] == NEW {
                    calls.push((to, 0));
                } else if set_of[there] == NEW {
                    low[here] = low[here].min(index[there]);
                }
                continue;
            }
            if low[here] == index[here] {
                let mut set = Vec::new();
                while let Some(member) = stack.pop() {
                    set_of[member as usize] = sets.len() as u32;
                    set.push(member);
                    if member == node {
                        break;
                    }
                }
                sets.push(set);
            }
            if let Some(&(parent, _)) = calls.last() {
                let parent = parent as usize;
                low[parent] = low[parent].min(low[here]);
            }
        }
    }
    let is_closed = |set: &Vec<u32>| {
        let mine = set_of[set[0] as usize];
        set.iter().all(|&state| {
            !left[state as usize] && edges[state as usize].iter().all(|&to| set_of[to as usize] == mine)
        })
    };
    sets.into_iter().filter(is_closed).collect()
}
