//! Executions that are recorded and run again: the same execution, the same violation.

use super::settings_with;
use crate::campaign::Verdict;
use crate::engine::{Through, replayed};
use crate::program::TestProgram;
use raveler_core::{Engine, Equivalence, Locks, Model, RandomWalks, Settings};

/// A search of more executions than this takes too long.
const MOST_EXECUTIONS: u64 = 5_000;

/// What searches of both engines, random walks and xmm show, run again.
pub fn replays(program: &TestProgram, models: &[Model]) -> Verdict {
    let mut verdict = Verdict::default();
    let mut all: Vec<(Settings, Through)> = Vec::new();
    let rf = Equivalence::ReadsFrom;
    for &model in models {
        for equivalence in [rf, Equivalence::Coherence] {
            for locks in [Locks::Aware, Locks::Ordered] {
                all.push((settings_with(model, equivalence, locks), Through::Snapshot));
            }
        }
        let settings = settings_with(model, rf, Locks::Ordered);
        let random = Some(RandomWalks { seed: 3, walks: 20, depth: None });
        all.push((Settings { random, ..settings.clone() }, Through::Snapshot));
        all.push((settings_with(model, rf, Locks::Aware), Through::World));
        all.push((settings.clone(), Through::Spins));
        if matches!(model, Model::Sc | Model::Tso | Model::Pso) {
            let runs = Settings { engine: Engine::Interleaving, ..settings };
            let bounded = Settings { buffer_bound: Some(1), ..runs.clone() };
            all.extend([(runs, Through::Snapshot), (bounded, Through::Replay)]);
        }
    }
    if models.contains(&Model::Rc20) {
        let few = Settings { max_executions: Some(40), ..settings_with(Model::Xmm, rf, Locks::Ordered) };
        all.push((few, Through::Snapshot));
    }
    for (settings, through) in all {
        let max_executions = settings.max_executions.map(|most| most.min(MOST_EXECUTIONS));
        let settings = Settings { max_executions, ..settings };
        match replayed(program, &settings, through) {
            Ok(compared) => verdict.compared += compared,
            Err(difference) => {
                verdict.difference = Some(format!("replay, {settings:?}, {through:?}: {difference}"));
                return verdict;
            }
        }
    }
    verdict
}
