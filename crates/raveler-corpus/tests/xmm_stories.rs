//! How executions of XMM are told: each event once, in program order, and no read before its write unless it was
//! committed.

use std::path::Path;

use raveler_core::execution::Execution;
use raveler_core::observer::Flow;
use raveler_core::outcome::Half;
use raveler_core::{Equivalence, EventId, Fork, Observer, Witness, XmmRules, search};
use raveler_corpus::xmm::program::LineProgram;
use raveler_corpus::xmm::show::is_cyclic;
use raveler_corpus::xmm::table::{Rules, rows};

#[derive(Default)]
struct Stories {
    mistakes: Vec<String>,
    /// How many executions come from one of each round.
    rounds: Vec<u64>,
}

impl Observer<LineProgram> for Stories {
    fn execution(&mut self, execution: &Execution<'_, LineProgram>) -> Flow {
        let witness = execution.witness();
        if let Err(mistake) = check(&witness) {
            self.mistakes.push(format!("{mistake}: {witness:?}"));
        }
        if let Some(reexecution) = &witness.reexecution {
            let round = reexecution.round as usize;
            self.rounds.resize(self.rounds.len().max(round + 1), 0);
            self.rounds[round] += 1;
        }
        Flow::Continue
    }

    fn restarted(&mut self) {
        *self = Stories::default();
    }
}

impl Fork for Stories {
    fn fork(&self) -> Self {
        Stories::default()
    }

    fn merge(&mut self, _: Self) {}
}

fn check(witness: &Witness) -> Result<(), &'static str> {
    if is_cyclic(witness) != witness.reexecution.is_some() {
        return Err("an execution was made of another exactly if it has a cycle");
    }
    let mut told = vec![0; witness.threads.len()];
    for &id in &witness.story {
        if id.index() != told[id.thread()] {
            return Err("the story does not keep program order");
        }
        told[id.thread()] += 1;
        let from = witness.threads[id.thread()].events[id.index() as usize].reads_from;
        let is_later = |write: &EventId| !write.is_init() && write.index() >= told[write.thread()];
        let Some(write) = from.filter(|write| !write.is_init()) else { continue };
        let is_committed = witness.committed(id).is_some_and(|read| read.half != Some(Half::Write));
        let has_committed_write =
            witness.committed(write).is_some_and(|write| write.half != Some(Half::Read));
        if is_committed && !has_committed_write {
            return Err("a committed read reads what is not committed");
        }
        if !is_committed && is_later(&write) {
            return Err("a read that is not committed is told before its write");
        }
    }
    let is_complete = witness.threads.iter().zip(&told).all(|(t, &told)| t.events.len() == told as usize);
    if is_complete { Ok(()) } else { Err("the story leaves out events") }
}

#[test]
fn only_committed_reads_are_told_before_their_writes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/xmm");
    let mut rounds = [0; 3];
    for row in rows(&folder).expect("the tables can be read") {
        // Its executions are many, and other rules than the default ones are slow.
        if row.name == "szymanski(2)" {
            continue;
        }
        let program = row.program().expect("the rows are programs");
        for (rules, equivalence) in [
            (XmmRules::Default, Equivalence::ReadsFrom),
            (XmmRules::Default, Equivalence::Coherence),
            (XmmRules::Strict, Equivalence::Coherence),
        ] {
            let mut stories = Stories::default();
            search(&program, &Rules::Xmm(rules).settings(equivalence), &mut stories);
            assert_eq!(stories.mistakes.first(), None, "{} under {rules:?}: {}", row.name, row.text);
            if rules == XmmRules::Default {
                for (sum, count) in rounds.iter_mut().zip(&stories.rounds) {
                    *sum += count;
                }
            }
        }
    }
    assert!(rounds.iter().all(|&count| count > 0), "sources of every round are seen: {rounds:?}");
}
