//! What a search learns, and restarting with it (docs/engine.md, "Restarts").
//!
//! Some things can be known only after they were seen: how a lock is used, which memory is shared, which
//! accesses overlap, which writes may come in a critical section. A search begins with the cheapest
//! assumption. When it is found wrong, the search stops, what was learned is added to its [`Knowledge`], and
//! it starts again. Each thing is learned once, so this ends.

use serde::{Deserialize, Serialize};

use super::lock_aware::Lessons;
use crate::outcome::StopReason;
use crate::program::Program;
use crate::program::action::LockMode;
use crate::run::lock_table::{LockHandling, LockKnowledge, RestartReason};
use crate::run::memory_map::MemoryMap;
use crate::settings::{Locks, Settings};

/// What searches of a program have learned. It can be written down and used in another process.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Knowledge {
    /// How locks are used.
    pub(crate) locks: LockKnowledge,
    pub(crate) handling: LockHandling,
    /// What the lock-aware search learned of writes and locks.
    pub(crate) lessons: Lessons,
    /// What the program learned: shared memory, divided accesses.
    program: Vec<u8>,
    /// Memory is freed, or a synchronisation object destroyed or initialised, while another thread uses it: which of
    /// the two is the mistake depends on their order (`search/buffers/ends.rs`).
    pub(crate) ends_apart: bool,
    /// How often a search restarted.
    pub(crate) restarts: u64,
}

impl Knowledge {
    /// Nothing learned yet.
    pub fn new(settings: &Settings) -> Knowledge {
        Knowledge {
            locks: LockKnowledge::default(),
            handling: LockHandling::at_first(settings.locks),
            lessons: Lessons::default(),
            program: Vec::new(),
            ends_apart: false,
            restarts: 0,
        }
    }

    /// Without what only a search of many executions needs, for following one of them.
    pub(super) fn for_replay(&self) -> Knowledge {
        Knowledge { lessons: Lessons::default(), restarts: 0, ..self.clone() }
    }

    /// What the program learned.
    pub(super) fn of_program(&self) -> &[u8] {
        &self.program
    }

    /// What the program knows now, also without a restart.
    pub(super) fn ask<P: Program>(&mut self, program: &P) {
        self.program = program.hints().learned();
    }

    /// Add the reason of a restart to what is known. An error if a restart would not help.
    pub(super) fn learn<P: Program>(
        &mut self,
        reason: RestartReason,
        program: &P,
        locks: Locks,
    ) -> Result<(), StopReason> {
        self.restarts += 1;
        match reason {
            RestartReason::Word(word) => {
                self.locks.words.insert(word);
                // It may have been the only lock: then the ordinary search is enough.
                if self.locks.tried.is_empty() {
                    self.handling = LockHandling::at_first(locks);
                }
            }
            RestartReason::Tried(lock) => {
                self.locks.words.remove(&lock);
                self.locks.tried.entry(lock).or_default();
                self.handling = LockHandling::Unordered;
            }
            RestartReason::Holder { lock, thread, mode } => {
                let alone = self.locks.tried.entry(lock).or_default().entry(thread).or_default();
                *alone |= mode == LockMode::Exclusive;
            }
            RestartReason::SeenRound(thread) => {
                *self.locks.seen_rounds.entry(thread).or_default() += 1;
            }
            RestartReason::Twins => self.locks.twins_differ = true,
            RestartReason::Counter(address) => {
                self.locks.no_counters.insert(address);
            }
            RestartReason::Ends => self.ends_apart = true,
            RestartReason::Locks => self.handling = LockHandling::Unordered,
            RestartReason::Program => program.hints().restarted(),
            RestartReason::Overlap(overlap) if !program.hints().divide(&overlap) => {
                let message = MemoryMap::new(program).mixed_sizes(&overlap);
                return Err(StopReason::Unsupported { message, site: overlap.site });
            }
            RestartReason::Overlap(_) => {}
            RestartReason::Lessons => {
                self.lessons.restart();
                return Ok(());
            }
        }
        self.ask(program);
        // Lessons name events by their index in the thread, and threads may now make other events.
        self.lessons = Lessons::default();
        Ok(())
    }
}

/// Make attempts, each with what the last one learned, until one learns nothing more: its result, and what is
/// known. With a reason to stop if a restart would not help.
pub(super) fn until_settled<P: Program, R>(
    program: &P,
    settings: &Settings,
    mut attempt: impl FnMut(&mut Knowledge) -> (R, Option<RestartReason>),
) -> (R, Knowledge, Option<StopReason>) {
    let mut knowledge = Knowledge::new(settings);
    loop {
        let (result, restart) = attempt(&mut knowledge);
        let Some(reason) = restart else { return (result, knowledge, None) };
        if let Err(refused) = knowledge.learn(reason, program, settings.locks) {
            return (result, knowledge, Some(refused));
        }
    }
}
