//! Brute force over the axioms against machines that know none: the same final states, for random programs.

use raveler_core::Model;
use raveler_judge::brute::{Limits, judge};
use raveler_judge::machines;
use raveler_judge::random::{Profile, program};
use raveler_judge::text::print;

#[test]
fn brute_force_and_machines_give_the_same_final_states() {
    let mut compared = 0;
    for profile in Profile::ALL {
        for seed in 0..8 {
            let program = program(profile, seed);
            let Ok(judged) = judge(&program, Limits::default()) else { continue };
            for model in [Model::Sc, Model::Tso, Model::Pso, Model::Ra] {
                let Some(ends) = machines::run(&program, model, 20_000) else { continue };
                compared += 1;
                let states = judged.states(model);
                assert_eq!(states, ends.states, "{} on\n{}", model.name(), print(&program));
                // Who has not heard its bell yet is blocked, but may hear it later.
                let stuck = if judged.signals { judged.deadlocks } else { judged.blocked };
                assert_eq!(stuck.has(model), ends.stuck, "{} on\n{}", model.name(), print(&program));
            }
        }
    }
    assert!(compared > 300, "only {compared} comparisons");
}
