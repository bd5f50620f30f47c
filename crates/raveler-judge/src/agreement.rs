//! The judges against each other: brute force and machines must find the same final states.

use crate::brute::{Limits, judge};
use crate::campaign::Verdict;
use crate::machines;
use crate::program::TestProgram;
use raveler_core::Model;

/// How many states a machine may visit.
pub const STATES: usize = 60_000;

/// Compares the final states of brute force with those of the machines of these models.
pub fn machines_agree(program: &TestProgram, models: &[Model]) -> Verdict {
    let mut verdict = Verdict::default();
    let Ok(judged) = judge(program, Limits::default()) else {
        return Verdict { skipped: models.len() as u64, ..verdict };
    };
    for &model in models.iter().filter(|model| machines::exists(**model)) {
        let Some(ends) = machines::run(program, model, STATES) else {
            verdict.skipped += 1;
            continue;
        };
        let states = judged.states(model);
        verdict.compared += states.len() as u64;
        if states != ends.states {
            verdict.difference = Some(format!(
                "{}: only by the axioms {:?}, only by the machine {:?}",
                model.name(),
                states.difference(&ends.states).collect::<Vec<_>>(),
                ends.states.difference(&states).collect::<Vec<_>>(),
            ));
        } else if program.has_conditions() {
            // Who has not heard its bell yet is blocked, but may hear it later.
            if judged.deadlocks.has(model) != ends.stuck && !program.has_assumptions() {
                verdict.difference =
                    Some(format!("{}: a deadlock? by the machine {}", model.name(), ends.stuck));
            }
        } else if judged.blocked.has(model) != ends.stuck {
            verdict.difference =
                Some(format!("{}: can it get stuck? by the machine {}", model.name(), ends.stuck));
        }
    }
    verdict
}
