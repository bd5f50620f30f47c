//! Machines that know no axioms: all their interleavings give the ways a program can end.
//!
//! [`buffers`] is memory with store buffers (none: SC, one per thread: TSO, one per thread and location: PSO);
//! [`views`] is memory as messages with views (RA). Both visit every reachable state once.

pub mod buffers;
pub mod views;

use rustc_hash::FxHashSet;

use crate::code::Code;
use crate::graph::State;
use crate::program::TestProgram;
use raveler_core::Model;

/// What a machine can do with a program.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    /// How complete runs end.
    pub states: FxHashSet<State>,
    /// Can a run get stuck?
    pub stuck: bool,
    /// How many states were visited.
    pub visited: usize,
}

/// Is there a machine for this model?
pub fn exists(model: Model) -> bool {
    match model {
        Model::Sc | Model::Tso | Model::Pso | Model::Ra => true,
        Model::Sra | Model::Rc11 | Model::Rc20 | Model::Xmm => false,
    }
}

/// All ends of the program on the machine of this model; none if there is no such machine or too many states.
/// None also for locks that readers share under RA, where the machine does not have them.
pub fn run(program: &TestProgram, model: Model, most: usize) -> Option<Ends> {
    run_bounded(program, model, None, most)
}

/// The same with store buffers that hold so many stores.
pub fn run_bounded(program: &TestProgram, model: Model, room: Option<u32>, most: usize) -> Option<Ends> {
    if program.has_read_locks() && model == Model::Ra {
        return None;
    }
    let code = Code::new(program);
    let buffers = |kind| explore(&buffers::Buffers { code: &code, kind, room }, most);
    match model {
        Model::Sc => buffers(buffers::Kind::None),
        Model::Tso => buffers(buffers::Kind::PerThread),
        Model::Pso => buffers(buffers::Kind::PerLocation),
        Model::Ra => explore(&views::Views { code: &code }, most),
        Model::Sra | Model::Rc11 | Model::Rc20 | Model::Xmm => None,
    }
}

/// The ends of runs with at most so many preemptions; none if there is no such machine or too many states.
pub fn ends_within(
    program: &TestProgram,
    model: Model,
    preemptions: u32,
    most: usize,
) -> Option<FxHashSet<State>> {
    let kind = match model {
        Model::Sc => buffers::Kind::None,
        Model::Tso => buffers::Kind::PerThread,
        Model::Pso => buffers::Kind::PerLocation,
        Model::Ra | Model::Sra | Model::Rc11 | Model::Rc20 | Model::Xmm => return None,
    };
    let code = Code::new(program);
    buffers::Buffers { code: &code, kind, room: None }.ends_within(preemptions, most)
}

/// A machine: states and the steps between them.
trait Machine {
    type State: Clone + Eq + std::hash::Hash;
    fn start(&self) -> Self::State;
    /// All states one step further.
    fn steps(&self, state: &Self::State, next: &mut Vec<Self::State>);
    /// Did some thread choose what does not fit? Then the state does not count.
    fn is_dropped(&self, state: &Self::State) -> bool;
    /// How the program ended, if it did.
    fn ended(&self, state: &Self::State) -> Option<State>;
}

fn explore<M: Machine>(machine: &M, most: usize) -> Option<Ends> {
    let mut ends = Ends::default();
    let mut seen = FxHashSet::default();
    let start = machine.start();
    seen.insert(start.clone());
    let mut todo = vec![start];
    let mut next = Vec::new();
    while let Some(state) = todo.pop() {
        next.clear();
        machine.steps(&state, &mut next);
        if next.is_empty() && !machine.is_dropped(&state) {
            match machine.ended(&state) {
                Some(end) => drop(ends.states.insert(end)),
                None => ends.stuck = true,
            }
        }
        for state in next.drain(..) {
            if seen.insert(state.clone()) {
                todo.push(state);
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    ends.visited = seen.len();
    Some(ends)
}
